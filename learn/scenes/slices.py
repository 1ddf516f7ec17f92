"""Slices on the axis of time, as their paper draws them: what is kept below the axis, the windows that need it above.

A slice reaches from the edge where it begins to the next edge; one that holds no record is not kept, and not drawn.  Of
the windows those are drawn that the clock is in, a row each; what of them is kept is what stands below.
"""

from collections.abc import Mapping
from itertools import count, islice
from typing import Any, Final

from swagproof.learn.products import Product
from swagproof.learn.scenes.scene import Scene, Shape, bracket, cell, compose, edge, label, pointer, text_width
from swagproof.reference.slicing.slices import last_begun, last_over, window_begin, window_end

LEFT: Final = 74.0
ROW: Final = 26.0
HEIGHT: Final = 38.0
MOST: Final = 8
"""Windows of a query that are drawn."""


def _show(value: Any) -> tuple[str, str]:
    return (value.text, value.span) if isinstance(value, Product) else (str(value), "")


def _end_of(s: Any, begin: int) -> int:
    """The edge after the one at which a slice begins."""
    longest = max(query.range + query.slide for query in s.queries)
    return next((t for t in islice(count(begin + 1), longest) if s.edge(t) != begin), begin + longest)


def draw_slices(s: Any, local: Mapping[str, Any]) -> Scene:
    """Panes, pairs, or slices at beginnings alone."""
    clock = s.clock
    kept = [(held.begin, _end_of(s, held.begin), held.partial) for held in s.slices]
    windows = [
        (number, k, window_begin(k, query.slide), window_end(k, *query))
        for number, query in enumerate(s.queries)
        if clock is not None
        for k in range(last_over(clock, *query) + 1, last_begun(clock, query.slide) + 1)
    ]
    times = [time for begin, end, _ in kept for time in (begin, end)] + [t for *_, b, e in windows for t in (b, e)]
    first: int = min(times, default=0)
    last: int = max([*times, 8 if clock is None else clock]) + 1
    widest = max((text_width(*_show(partial)) / (end - begin) for begin, end, partial in kept), default=0)
    unit = max(26.0, min(widest + 2, 90.0))

    def x(time: int) -> float:
        return LEFT + (time - first) * unit

    shapes: list[Shape] = []
    for row, (number, k, begin, end) in enumerate(windows[: MOST * len(s.queries)]):
        text = f"window {k} [{begin}, {end})" + (f" of query {number}" if len(s.queries) > 1 else "")
        shapes.append(
            bracket(f"window {number} {k}", x(begin), 20 + row * ROW, x(end) - x(begin) - 3, text,
                    style="in-B" if number else "in-F", links="queries clock")
        )  # fmt: skip
    axis = 24 + max(len(windows[: MOST * len(s.queries)]), 1) * ROW
    shapes.append(edge("axis", (x(first), axis), (x(last), axis)))
    edges = {s.edge(time) for time in range(first, last + 1)}
    for time in range(first, last + 1):
        is_edge = time in edges
        shapes.append(edge(f"tick {time}", (x(time), axis - (7 if is_edge else 2)), (x(time), axis + 4)))
        if is_edge or unit > 30:
            shapes.append(label(f"time {time}", x(time) + 2, axis + 3, str(time), style="" if is_edge else "quiet"))
    shapes.append(label("name slices", 2, axis + 34, "slices", style="quiet", links="slices"))
    for place, (begin, end, partial) in enumerate(kept):
        text, note = _show(partial)
        shapes.append(
            cell(f"slice {begin}", x(begin) + 1, axis + 22, x(end) - x(begin) - 3, text, note, h=HEIGHT,
                 style=f"aggregate {'in-A' if place == len(kept) - 1 else 'in-F'}", links="slices begin partial",
                 place=f"slices[{place}]", says=f"slice [{begin}, {end}): {text}{f', of {note}' if note else ''}")
        )  # fmt: skip
    if clock is not None:
        shapes.append(pointer("clock", x(clock) + unit / 2, axis + 26 + HEIGHT, 14, f"the clock stands at {clock}"))
    shapes.append(label("floor", 2, axis + HEIGHT + 66, ""))
    return compose(shapes, f"{len(kept)} slices kept, {len(windows)} windows open, the clock at {clock}")
