"""FlatFAT and the Reactive Aggregator as their paper draws them: the tree over its places, and the array that holds it.

A node of the tree stands over its two children; below the leaves lies the same as an array, T[1] to T[2n - 1], cell by
cell, so that pointing at one shows that both are one thing.  The circular buffer's front and back point at leaves, and
a change that is pending stands below the leaf that it will be written to.
"""

from collections.abc import Mapping
from typing import Any, Final

from swagproof.learn.scenes.scene import Scene, Shape, cell, compose, edge, label, pointer, show, text_width

HEIGHT: Final = 36.0
LEVEL: Final = 62.0
TOP: Final = 14.0
LEFT: Final = 74.0
MOST: Final = 32
"""Places of the largest tree that is drawn; of a larger one the first."""


def _read(array: Any, slot: int) -> Any:
    """The value at a slot; None where nothing is written yet."""
    try:
        return array[slot]
    except IndexError:
        return None


def draw_flat_tree(s: Any, local: Mapping[str, Any]) -> Scene:
    """A FlatFAT; or a Reactive Aggregator, which keeps its window in one."""
    fat = getattr(s, "fat", s)
    n = fat.n
    shown = min(n, MOST)
    values = {v: _read(getattr(fat, "T", None), v) for v in range(1, 2 * n)} if hasattr(fat, "T") else {}
    texts = {v: ("", "") if value is None else show(value) for v, value in values.items()}
    leaves = range(n, n + shown)
    width = max([text_width(*texts.get(v, ("", "")), 50) for v in leaves], default=50.0)
    width = max(width, *(text_width(*texts[v]) / 2 for v in texts if v < n), 50) if n > 1 and texts else width
    pitch = width + 8
    levels = n.bit_length()
    shapes: list[Shape] = []

    def centre(v: int) -> float:
        first, depth = v, v.bit_length()
        below = levels - depth
        return float(LEFT + ((first << below) - n + (1 << below) / 2) * pitch)

    def top(v: int) -> float:
        return TOP + (v.bit_length() - 1) * LEVEL

    on = {name: value for name, value in local.items() if isinstance(value, int) and name in ("v", "p")}
    kept = "" if fat is s else "tickets slot_of n_tuples capacity"  # of a leaf, by who keeps a window in the tree
    for v in range(1, 2 * n):
        first_leaf = v << (levels - v.bit_length())
        if first_leaf - n >= shown:
            continue
        is_leaf = v >= n
        if not is_leaf and centre(2 * v + 1) - LEFT <= shown * pitch:
            for child in (2 * v, 2 * v + 1):
                start, end = (centre(v), top(v) + HEIGHT), (centre(child), top(child))
                shapes.append(edge(f"edge {child}", start, end, links="T"))
        text, note = texts.get(v, ("", ""))
        own = max(width, text_width(text, note))
        empty = v not in texts or values.get(v) is None or text == "⊥"
        role = "" if empty else "in-F" if is_leaf else "in-R"
        what = f"{f'place {v - n + 1}' if is_leaf else f'node {v}'}: {text or 'not written'}"
        shapes.append(
            cell(f"tree {v}", centre(v) - own / 2, top(v), own, text, note, h=HEIGHT, style=f"aggregate {role}".strip(),
                 links=f"T fat {kept if is_leaf else ''}".strip(), place=f"T[{v}]",
                 says=f"{what}{f', of {note}' if note else ''}")
        )  # fmt: skip
    bottom = TOP + (levels - 1) * LEVEL + HEIGHT
    for place in range(1, shown + 1):
        x = centre(n + place - 1)
        shapes.append(label(f"place {place}", x - 4, bottom + 2, str(place), style="quiet"))
    y = bottom + 20
    if hasattr(s, "F") and hasattr(s, "B"):
        for name in ("F", "B"):
            place = getattr(s, name)
            if 1 <= place <= shown:
                x = centre(n + place - 1) + (-9 if name == "F" else 9)
                shapes.append(pointer(name, x, y, 14, f"{name} is place {place}"))
        y += 36
        pending: Mapping[int, Any] = getattr(s, "pending", {})
        shapes.append(label("name pending", 2, y + 8, "pending", style="quiet", links="pending"))
        for place, value in pending.items():
            text, note = show(value)
            if place <= shown:
                shapes.append(
                    cell(f"pending {place}", centre(n + place - 1) - width / 2, y, width, text, note, h=HEIGHT,
                         style="in-A", links="pending", says=f"place {place} will be {text}")
                )  # fmt: skip
        y += HEIGHT + 8
    y += 12
    shapes.append(label("name T", 2, y + 10, "array T", style="quiet", links="T"))
    x = LEFT
    for v in range(1, min(2 * n, 2 * MOST)):
        text, note = texts.get(v, ("", ""))
        own = text_width(text, f"T[{v}]", 44)
        role = "" if values.get(v) is None or text == "⊥" else "in-F" if v >= n else "in-R"
        shapes.append(
            cell(f"array {v}", x, y, own, text, f"T[{v}]", h=HEIGHT, style=role, links="T", place=f"T[{v}]",
                 says=f"T[{v}] is {text or 'not written'}")
        )  # fmt: skip
        for name, at in on.items():
            if at == v:
                at_x = x + own / 2 + (8 if name == "p" else 0)
                shapes.append(pointer(name, at_x, y + HEIGHT + 2, 14, f"{name} is {v}", "variable"))
        x += own + 3
    held = getattr(s, "n_tuples", n)
    left_out = f"; the first {shown} are drawn" if shown < n else ""
    return compose(shapes, f"{held} elements in {n} places{left_out}", floor=y + HEIGHT + 24)
