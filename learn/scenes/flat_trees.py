"""FlatFAT and the Reactive Aggregator as drawn in their paper: the tree over its places, and the array that holds it.

A node is drawn above its two children.  Below the leaves, the same tree is drawn as an array, T[1] to T[2n - 1], so
that pointing at a node highlights its cell.  The circular buffer's front and back point at leaves, and a pending change
is drawn below the leaf that it will be written to.
"""

from collections.abc import Mapping
from typing import Any, Final

from swagproof.learn.scenes.scene import HEIGHT, Canvas, Scene, show, text_width

LEVEL: Final = 62.0
TOP: Final = 14.0
LEFT: Final = 74.0
MOST: Final = 32
"""The greatest number of places drawn; of a larger tree, the first ones are drawn."""


def _read(array: Any, slot: int) -> Any:
    """Return the value at a slot, or None if nothing is written yet."""
    try:
        return array[slot]
    except IndexError:
        return None


def draw_flat_tree(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw a FlatFAT, or a Reactive Aggregator, which keeps its window in one."""
    fat = getattr(s, "fat", s)
    n = fat.n
    shown, levels = min(n, MOST), n.bit_length()
    values = {v: _read(fat.T, v) for v in range(1, 2 * n)} if hasattr(fat, "T") else {}
    texts = {v: ("", "") if values.get(v) is None else show(values[v]) for v in range(1, 2 * n)}
    width = max(50.0, *(text_width(*texts[v], 50) / (1 if v >= n else 2) for v in texts if v < n + shown))
    pitch = width + 8
    canvas = Canvas()

    def centre(v: int) -> float:
        below = levels - v.bit_length()
        return float(LEFT + ((v << below) - n + (1 << below) / 2) * pitch)

    def top(v: int) -> float:
        return TOP + (v.bit_length() - 1) * LEVEL

    def role(v: int) -> str:
        return "" if texts[v][0] in ("", "⊥") else "in-F" if v >= n else "in-R"

    kept = "" if fat is s else "tickets slot_of n_tuples capacity"  # of a leaf, by who keeps a window in the tree
    for v, (text, note) in texts.items():
        if (v << (levels - v.bit_length())) - n >= shown:
            continue
        if v < n and centre(2 * v + 1) - LEFT <= shown * pitch:
            for child in (2 * v, 2 * v + 1):
                canvas.edge(f"edge {child}", (centre(v), top(v) + HEIGHT), (centre(child), top(child)), links="T")
        own = max(width, text_width(text, note))
        says = f"{f'node {v}' if v < n else f'place {v - n + 1}'}: {text or 'not written'}"
        says += f", the product of {note}" if note else ""
        links = f"T fat {kept if v >= n else ''}".strip()
        canvas.cell(f"tree {v}", centre(v) - own / 2, top(v), own, text, note, style=f"aggregate {role(v)}".strip(),
                    links=links, place=f"T[{v}]", says=says)  # fmt: skip
    y = TOP + (levels - 1) * LEVEL + HEIGHT
    for place in range(1, shown + 1):
        canvas.label(f"place {place}", centre(n + place - 1) - 4, y + 2, str(place))
    y += 20
    if hasattr(s, "F") and hasattr(s, "B"):
        for name, aside in (("F", -9), ("B", 9)):
            place = getattr(s, name)
            if 1 <= place <= shown:
                canvas.pointer(name, centre(n + place - 1) + aside, y, says=f"{name} is place {place}")
        y += 36
        canvas.row("pending", y + 8, "pending")
        for place, value in getattr(s, "pending", {}).items():
            if place <= shown:
                x, what = centre(n + place - 1) - width / 2, f"place {place}, pending"
                canvas.value(f"pending {place}", x, y, width, value, what, style="in-A", links="pending")
        y += HEIGHT + 8
    y += 12
    canvas.row("array T", y + 10, "T")
    x = LEFT
    for v in range(1, min(2 * n, 2 * MOST)):
        text, name = texts[v][0], f"T[{v}]"
        own = text_width(text, name, 44)
        says = f"{name} is {text or 'not written'}"
        canvas.cell(f"array {v}", x, y, own, text, name, style=role(v), links="T", place=name, says=says)
        for variable, aside in (("v", 0), ("p", 8)):
            if isinstance(at := local.get(variable), int) and at == v:
                canvas.pointer(variable, x + own / 2 + aside, y + HEIGHT + 2, 14, f"{variable} is {v}", "variable")
        x += own + 3
    left_out = f"; the first {shown} are drawn" if shown < n else ""
    says = f"{getattr(s, 'n_tuples', n)} elements in {n} places{left_out}"
    return canvas.compose(says, floor=y + HEIGHT + 24)
