"""The in-order windows as their paper draws them: a row from the oldest to the newest, pointers below.

Of an element the value stands above and the partial aggregate below, with what it is the product of; the Lite forms
keep one cell an element.  A sublist is named by its bracket and, in each of its cells, by a stripe; where a pointer
stands is said by its arrow.  Two stacks lie in the same row, the front's top at its left end and the back's at its
right: a flip moves elements from one to the other, and none changes its place; on the way one is in both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from swagproof.learn.products import Product
from swagproof.learn.scenes.scene import Scene, Shape, bracket, cell, compose, label, pointer, show, text_width
from swagproof.models.containers.element import Element

LEFT: Final = 74.0
"""The begin of the row: left of it are the names of its lines."""
TOP: Final = 66.0
HEIGHT: Final = 38.0
MOST: Final = 48
"""Elements that are drawn; of a longer window the middle is left out, and how many is said."""

SUBLISTS: Final = {"F": "front", "L": "left", "R": "right", "A": "accumulator", "B": "back"}
"""The name of the sublist that begins at each pointer."""


class Row:
    """The columns of a window: where each begins, and what is not drawn."""

    def __init__(self, widths: Sequence[float]) -> None:
        self.size = len(widths)
        self.cut = range(MOST // 2, self.size - MOST // 2) if self.size > MOST else range(0)
        self.starts = [LEFT]
        for place, width in enumerate(widths):
            gone = 0.0 if place in self.cut else width + 4
            self.starts.append(self.starts[-1] + gone + (90 if self.cut and place == self.cut[0] else 0))

    def x(self, place: int) -> float:
        """Return where the column of this place begins; for the place after the last, where it would begin."""
        return self.starts[max(0, min(place, self.size))]

    def width(self, place: int) -> float:
        """The width of its cells."""
        return self.starts[place + 1] - self.starts[place] - 4

    def shown(self) -> Iterator[int]:
        """The places that are drawn."""
        return (place for place in range(self.size) if place not in self.cut)

    def gap(self) -> list[Shape]:
        """The words in place of what is left out."""
        if not self.cut:
            return []
        return [label("cut", self.x(self.cut[0]) + 6, TOP + HEIGHT, f"… {len(self.cut)} more", style="quiet")]

    def bracket(self, id: str, start: int, end: int, y: float, text: str, links: str, style: str) -> list[Shape]:
        """A bracket over the places from start to end, none over no place."""
        if end <= start:
            return []
        width = self.x(end) - self.x(start) - 4
        return [bracket(id, self.x(start), y, width, text, links=links, style=style)]


def _line_names(*names: tuple[str, str, float]) -> list[Shape]:
    return [label(f"line {name}", 2, y, name, style="quiet", links=links) for name, links, y in names]


def _pointers(places: Mapping[str, int], row: Row, y: float) -> list[Shape]:
    """Pointers below the row, those of one place beneath each other."""
    shapes: list[Shape] = []
    for place in sorted(set(places.values())):
        for depth, name in enumerate(name for name, at in places.items() if at == place):
            x = row.x(place) + 10 - (6 if place == row.size else 0)
            where = "the end" if place == row.size else f"place {place}"
            says, style = f"{name} points at {where} of {row.size}", "stacked" if depth else ""
            shapes.append(pointer(name, x, y, 14.0 + 15 * depth, says, style))
    return shapes


def _sublist_of(place: int, bounds: Mapping[str, int]) -> str:
    """The innermost sublist that a place is in; in none while an operation has the pointers out of order."""
    names = [name for name in "FLRAB" if name in bounds]
    for name, end in pairwise([*names, "E"]):
        if bounds[name] <= place < bounds[end]:
            return f"in-{name}"
    return ""


def _brackets(row: Row, bounds: Mapping[str, int]) -> list[Shape]:
    """The two sublists of the paper's Figure: front and back above, and within the front, left, right, accumulator."""
    shapes: list[Shape] = []
    for name, end, y in (("F", "B", 22), ("B", "E", 22), ("L", "R", 48), ("R", "A", 48), ("A", "B", 48)):
        if name in bounds:
            text = f"l_{name} {SUBLISTS[name]}" if bounds[end] - bounds[name] > 1 else f"l_{name}"
            shapes += row.bracket(f"l_{name}", bounds[name], bounds[end], y, text, f"{name} {end}", f"in-{name}")
    return shapes


def describe_sublists(bounds: Mapping[str, int]) -> str:
    """The sizes of the sublists in words."""
    ends = {"F": "B", "L": "R", "R": "A", "A": "B", "B": "E"}
    sizes = [f"{SUBLISTS[name]} {bounds[end] - bounds[name]}" for name, end in ends.items() if name in bounds]
    return ", ".join(sizes)


def words_of(s: Any) -> dict[str, int]:
    """The sizes of the sublists, or of the two stacks, under the names that the narration uses.

    `ahead` is how many steps of fixup L has to go to B, where the next flip is due.
    """
    if hasattr(s, "deque"):
        ends = {"L": "R", "R": "A", "A": "B", "B": "E"}
        sizes = {SUBLISTS[a]: getattr(s, b) - getattr(s, a) for a, b in ends.items() if hasattr(s, a)}
        front = {"front": s.B - s.F} if hasattr(s, "B") else {}
        ahead = {"ahead": s.B - s.L} if hasattr(s, "L") else {}
        return {"n": s.E - s.F, **sizes, **front, **ahead}
    if hasattr(getattr(s, "F", None), "top"):
        return {"front": s.F.size, "back": s.B.size}
    return {}


def _product_words(product: Any, what: str) -> str:
    span = product.span if isinstance(product, Product) else ""
    return f"{what} {product}{f', the product of {span}' if span else ''}"


def _draw_pair(
    id: str, x: float, w: float, pair: tuple[Any, Any], name: str, role: str, at: str, where: str, links: str = ""
) -> Iterator[Shape]:
    """The cells of an element: its value under its name, and below it its partial aggregate."""
    value, agg = pair
    text, note = show(agg)
    yield cell(f"val {id}", x, TOP, w, show(value)[0], name, h=HEIGHT, style=f"value {role}",
               links=f"val{links}", place=at, says=_product_words(value, f"{where}: value"))  # fmt: skip
    yield cell(f"agg {id}", x, TOP + HEIGHT + 6, w, text, note, h=HEIGHT, style=f"aggregate {role}",
               links=f"agg{links}", place=at, says=_product_words(agg, f"{where}: aggregate"))  # fmt: skip


def draw_deque(s: Any, local: Mapping[str, Any]) -> Scene:
    """Two-Stacks Lite, DABA and DABA Lite: the deque with its pointers."""
    begin = s.deque.begin()
    bounds = {name: getattr(s, name) - begin for name in "FLRABE" if hasattr(s, name)}
    items = list(s.deque)
    pairs = items and isinstance(items[0], Element)
    first = getattr(begin, "chunk", None)
    number = first.first + begin.offset if first is not None else begin
    parts = [(item.val, item.agg) if isinstance(item, Element) else (item, item) for item in items]
    row = Row([max(text_width(*show(value)), text_width(*show(agg))) for value, agg in parts])
    shapes = _brackets(row, bounds)
    below = TOP + HEIGHT + 6 if pairs else TOP
    for place in row.shown():
        at = f"deque[@{number + place}]"
        role = _sublist_of(place, bounds)
        x, w, id = row.x(place), row.width(place), number + place
        if pairs:
            shapes += _draw_pair(str(id), x, w, parts[place], f"v{id}", role, at, f"place {place}")
        else:
            text, note = show(parts[place][0])
            shapes.append(
                cell(f"item {id}", x, TOP, w, text, note, h=HEIGHT, style=f"aggregate {role}", links="deque",
                     place=at, says=_product_words(parts[place][0], f"place {place}:"))
            )  # fmt: skip
    shapes += row.gap()
    named = [("val", "val", TOP + 12), ("agg", "agg", below + 12)] if pairs else [("deque", "deque", TOP + 12)]
    shapes += _line_names(*named)
    turning = local.get("I")
    marks = {**bounds, **({"I": turning - begin} if turning is not None else {})}
    shapes += _pointers(marks, row, below + HEIGHT + 3)
    x = max(row.x(row.size) + 60, LEFT + 130)
    for place, name in enumerate(name for name in ("aggRA", "aggB") if hasattr(s, name)):
        value = getattr(s, name)
        text, note = show(value)
        width = text_width(text, note, 60)
        y = TOP + place * (HEIGHT + 26)
        shapes.append(label(f"name {name}", x, y - 17, name, links=name))
        shapes.append(
            cell(name, x, y, width, text, note, h=HEIGHT, style=f"aggregate in-{name[3]}",
                 links=name, says=_product_words(value, name))
        )  # fmt: skip
    return compose(
        shapes, f"{len(items)} elements: {describe_sublists(bounds)}", floor=below + HEIGHT + 15 * len(bounds) + 4
    )


def draw_stacks(s: Any, local: Mapping[str, Any]) -> Scene:
    """Two-Stacks: the front stack with its top at the left, then the back stack with its top at the right."""
    front = [s.F[depth] for depth in range(s.F.size)]
    back = [s.B[depth] for depth in reversed(range(s.B.size))]
    both = [*front, *back]
    row = Row([max(text_width(*show(item.val)), text_width(*show(item.agg))) for item in both])
    bounds = {"F": 0, "B": len(front), "E": len(both)}
    shapes = row.bracket("F", 0, len(front), 40, "F front stack", "F", "in-F")
    shapes += row.bracket("B", len(front), len(both), 40, "B back stack", "B", "in-B")
    below = TOP + HEIGHT + 6
    moved = {item.val.of for item in front}
    for place in row.shown():
        item = both[place]
        role = _sublist_of(place, bounds)
        stack, depth = ("F", place) if place < len(front) else ("B", len(both) - 1 - place)
        x, w, at = row.x(place), row.width(place), f"{stack}[{depth}]"
        again = " again" if stack == "B" and item.val.of in moved else ""
        key = item.val.span
        shapes += _draw_pair(f"{key}{again}", x, w, (item.val, item.agg), key, role, at, at, f" {stack}")
    shapes += row.gap()
    shapes += _line_names(("val", "val", TOP + 12), ("agg", "agg", below + 12))
    tops = {name: place for name, place, stack in (("F top", 0, front), ("B top", len(both) - 1, back)) if stack}
    for name, place in tops.items():
        links = name[0]
        x = row.x(place) + row.width(place) / 2
        is_second = name == "B top" and tops.get("F top") == place
        mark = pointer(name, x, below + HEIGHT + 3, 29.0 if is_second else 14.0, f"the top of {links}")
        shapes.append(replace(mark, style="pointer stacked" if is_second else "pointer", links=links))
    return compose(
        shapes, f"{len(both)} elements: front stack {len(front)}, back stack {len(back)}", floor=below + HEIGHT + 40
    )
