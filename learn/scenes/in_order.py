"""The in-order windows as drawn in their paper: a row from the oldest to the newest element, with pointers below.

An element's value is above its partial aggregate, which shows the elements that it is the product of; the Lite forms
have one cell for each element.  A bracket names a sublist, and a stripe marks each of its cells; an arrow shows the
position of a pointer.  Two stacks are drawn in the same row, the front's top at its left end and the back's at its
right.  A flip moves elements from one to the other without changing their places; meanwhile an element is in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from swagproof.learn.scenes.scene import HEIGHT, Canvas, Scene, show, text_width
from swagproof.models.containers.element import Element

LEFT: Final = 74.0
"""The begin of the row; the names of its lines are left of it."""
TOP: Final = 66.0
MOST: Final = 48
"""The greatest number of elements drawn; the middle of a longer window is omitted, and its size is shown."""

SUBLISTS: Final = {"F": "front", "L": "left", "R": "right", "A": "accumulator", "B": "back"}
"""The name of the sublist that begins at each pointer."""


class Row(Canvas):
    """A row of a window's elements in columns, without the middle of a long one."""

    def __init__(self, parts: Sequence[tuple[Any, Any]]) -> None:
        super().__init__()
        self.size = len(parts)
        self.cut = range(MOST // 2, self.size - MOST // 2) if self.size > MOST else range(0)
        self.starts = [LEFT]
        for place, both in enumerate(parts):
            width = max(text_width(*show(part)) for part in both)
            gone = 0.0 if place in self.cut else width + 4
            self.starts.append(self.starts[-1] + gone + (90 if self.cut and place == self.cut[0] else 0))
        if self.cut:
            self.label("cut", self.x(self.cut[0]) + 6, TOP + HEIGHT, f"… {len(self.cut)} more")

    def x(self, place: int) -> float:
        """Return the left edge of the column of a place, or of the place after the last."""
        return self.starts[max(0, min(place, self.size))]

    def width(self, place: int) -> float:
        """The width of the cells of a place."""
        return self.starts[place + 1] - self.starts[place] - 4

    def shown(self) -> Iterator[int]:
        """Yield the places that are drawn."""
        return (place for place in range(self.size) if place not in self.cut)

    def span(self, id: str, start: int, end: int, y: float, text: str, links: str, style: str) -> None:
        """Draw a bracket over the places from start to end; none over an empty range."""
        if end > start:
            self.bracket(id, self.x(start), y, self.x(end) - self.x(start) - 4, text, links=links, style=style)

    def element(
        self, id: str, place: int, pair: tuple[Any, Any], name: str, role: str, at: str, links: str = ""
    ) -> None:
        """Draw an element: its name, its value, and below them its partial aggregate."""
        (value, agg), x, w, what = pair, self.x(place), self.width(place), f"place {place}"
        self.value(f"val {id}", x, TOP, w, value, f"{what}, value", note=name, style=f"value {role}",
                   links=f"val{links}", place=at)  # fmt: skip
        self.value(f"agg {id}", x, TOP + HEIGHT + 6, w, agg, f"{what}, aggregate", style=f"aggregate {role}",
                   links=f"agg{links}", place=at)  # fmt: skip

    def point(self, places: Mapping[str, int], y: float) -> None:
        """Draw pointers below the row; those at one place are stacked."""
        for place in sorted(set(places.values())):
            for depth, name in enumerate(name for name, at in places.items() if at == place):
                x = self.x(place) + 10 - (6 if place == self.size else 0)
                where = "the end" if place == self.size else f"place {place}"
                says, style = f"{name} points at {where} of {self.size}", "stacked" if depth else ""
                self.pointer(name, x, y, 14.0 + 15 * depth, says, style)


def _sublist_of(place: int, bounds: Mapping[str, int]) -> str:
    """Return the innermost sublist of a place, or none while an operation has the pointers out of order."""
    names = [name for name in "FLRAB" if name in bounds]
    for name, end in pairwise([*names, "E"]):
        if bounds[name] <= place < bounds[end]:
            return f"in-{name}"
    return ""


def _sizes(bounds: Mapping[str, int]) -> dict[str, int]:
    """The sizes of the sublists."""
    ends = {"F": "B", "L": "R", "R": "A", "A": "B", "B": "E"}
    return {
        SUBLISTS[name]: bounds[end] - bounds[name] for name, end in ends.items() if name in bounds and end in bounds
    }


def words_of(s: Any) -> dict[str, int]:
    """Return the sizes of the sublists, or of the two stacks, under the names that the narration uses.

    `ahead` is the number of steps of fixup until L reaches B, where the next flip happens.
    """
    if hasattr(s, "deque"):
        bounds = {name: getattr(s, name) - s.F for name in "FLRABE" if hasattr(s, name)}
        return {"n": bounds["E"], **_sizes(bounds), **({"ahead": bounds["B"] - bounds["L"]} if "L" in bounds else {})}
    if hasattr(getattr(s, "F", None), "top"):
        return {"front": s.F.size, "back": s.B.size}
    return {}


def draw_deque(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw Two-Stacks Lite, DABA or DABA Lite: the deque with its pointers."""
    begin = s.deque.begin()
    bounds = {name: getattr(s, name) - begin for name in "FLRABE" if hasattr(s, name)}
    items = list(s.deque)
    pairs = items and isinstance(items[0], Element)
    first = getattr(begin, "chunk", None)
    number = first.first + begin.offset if first is not None else begin
    parts = [(item.val, item.agg) if isinstance(item, Element) else (item, item) for item in items]
    row = Row(parts)
    for name, end, y in (("F", "B", 22), ("B", "E", 22), ("L", "R", 48), ("R", "A", 48), ("A", "B", 48)):
        if name in bounds:
            text = f"l_{name} {SUBLISTS[name]}" if bounds[end] - bounds[name] > 1 else f"l_{name}"
            row.span(f"l_{name}", bounds[name], bounds[end], y, text, f"{name} {end}", f"in-{name}")
    for place in row.shown():
        id, at, role = number + place, f"deque[@{number + place}]", _sublist_of(place, bounds)
        if pairs:
            row.element(str(id), place, parts[place], f"v{id}", role, at)
        else:
            row.value(f"item {id}", row.x(place), TOP, row.width(place), parts[place][0], f"place {place}",
                      style=f"aggregate {role}", links="deque", place=at)  # fmt: skip
    below = TOP + HEIGHT + 6 if pairs else TOP
    for name, top in {"val": TOP, "agg": below}.items() if pairs else (("deque", TOP),):
        row.row(name, top + 12, name)
    turning = local.get("I")
    row.point({**bounds, **({"I": turning - begin} if turning is not None else {})}, below + HEIGHT + 3)
    x = max(row.x(row.size) + 60, LEFT + 130)
    for place, name in enumerate(name for name in ("aggRA", "aggB") if hasattr(s, name)):
        value, top = getattr(s, name), TOP + place * (HEIGHT + 26)
        width, style = text_width(*show(value), 60), f"aggregate in-{name[3]}"
        row.label(f"name {name}", x, top - 17, name, style="", links=name)
        row.value(name, x, top, width, value, name, style=style, links=name)
    sizes = ", ".join(f"{name} {size}" for name, size in _sizes(bounds).items())
    return row.compose(f"{len(items)} elements: {sizes}", floor=below + HEIGHT + 15 * len(bounds) + 4)


def draw_stacks(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw Two-Stacks: the front stack with its top at the left, then the back stack with its top at the right."""
    front = [s.F[depth] for depth in range(s.F.size)]
    back = [s.B[depth] for depth in reversed(range(s.B.size))]
    parts = [(item.val, item.agg) for item in (*front, *back)]
    row = Row(parts)
    row.span("F", 0, len(front), 40, "F front stack", "F", "in-F")
    row.span("B", len(front), row.size, 40, "B back stack", "B", "in-B")
    moved = {item.val.of for item in front}
    for place in row.shown():
        stack, depth = ("F", place) if place < len(front) else ("B", row.size - 1 - place)
        value = parts[place][0]
        id = f"{value.span}{' again' if stack == 'B' and value.of in moved else ''}"
        row.element(id, place, parts[place], value.span, f"in-{stack}", f"{stack}[{depth}]", f" {stack}")
    below = TOP + HEIGHT + 6
    row.row("val", TOP + 12, "val")
    row.row("agg", below + 12, "agg")
    for name, place, items in (("F", 0, front), ("B", row.size - 1, back)):
        if items:
            x = row.x(place) + row.width(place) / 2
            row.pointer(f"{name} top", x, below + HEIGHT + 3, says=f"the top of {name}", links=name)
    says = f"{row.size} elements: front stack {len(front)}, back stack {len(back)}"
    return row.compose(says, floor=below + HEIGHT + 40)
