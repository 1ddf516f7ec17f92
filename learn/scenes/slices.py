"""Slices on the axis of time, as their paper draws them: what is kept below the axis, the windows that need it above.

A slice reaches from the edge where it begins to the next edge; one that holds no record is not kept, and not drawn.  Of
the windows those are drawn that the clock is in, a row each; what of them is kept is what stands below.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any, Final, TypeAlias

from swagproof.learn.scenes.flat_trees import draw_flat_tree
from swagproof.learn.scenes.scene import Scene, Shape, bracket, cell, compose, edge, label, pointer, show, text_width
from swagproof.learn.scenes.trees import draw_tree
from swagproof.reference.slicing.slices import last_begun, last_over, window_begin, window_end

LEFT: Final = 74.0
ROW: Final = 26.0
HEIGHT: Final = 38.0
FARTHEST: Final = 200
"""Units of time from the first to the last that are drawn where each has its place."""
MOST: Final = 8
"""Windows of a query that are drawn."""
WIDE: Final = 600.0
"""The least width of a picture, in pixels, unless a unit would be wider than `WIDEST`."""
WIDEST: Final = 90.0


def _spread(least: float, units: int, wide: float = WIDE) -> float:
    """Return the width of a unit, so that the units fill the picture."""
    return max(least, min(wide // max(1, units), WIDEST))


def _pack(spans: Sequence[tuple[int, int]]) -> list[int]:
    """The row of each span, from 0: the first row in which it does not overlap the one before."""
    ends: list[int] = []
    rows: list[int] = []
    for begin, end in spans:
        row = next((row for row, last in enumerate(ends) if last <= begin), len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows


Window: TypeAlias = tuple[str, str, int, int, str]
"""Id, words, begin and end of a window that is drawn, and its role."""


def _draw_axis(
    windows: Sequence[Window], x: Callable[[int], float], ticks: range, is_edge: Callable[[int], bool], links: str
) -> tuple[list[Shape], float]:
    """Windows above the axis of time, and its ticks, named where a slice begins or there is room; where it lies."""
    rows = _pack([(begin, end) for _, _, begin, end, _ in windows])
    shapes: list[Shape] = [
        bracket(id, x(begin), 20 + row * ROW, x(end) - x(begin) - 3, text, style=style, links=links)
        for row, (id, text, begin, end, style) in zip(rows, windows, strict=True)
    ]
    axis = 24 + max([1, *(row + 1 for row in rows)]) * ROW
    shapes.append(edge("axis", (x(ticks[0]), axis), (x(ticks[-1]), axis)))
    for time in ticks:
        shapes.append(edge(f"tick {time}", (x(time), axis - (7 if is_edge(time) else 2)), (x(time), axis + 4)))
        if is_edge(time) or x(1) - x(0) > 30:
            style = "" if is_edge(time) else "quiet"
            shapes.append(label(f"time {time}", x(time) + 2, axis + 3, str(time), style=style))
    return shapes, axis


def _end_of(s: Any, begin: int) -> int:
    """The edge after the one at which a slice begins."""
    longest = max(query.range + query.slide for query in s.queries)
    return next((t for t in islice(count(begin + 1), longest) if s.edge(t) != begin), begin + longest)


def _list_windows(queries: Sequence[Any], clock: int, latest: int) -> list[Window]:
    """The windows of each query that are open at the clock and have begun by the latest time."""
    return [
        (
            f"window {number} {k}",
            f"window {k} [{begin}, {end})" + (f" of query {number}" if len(queries) > 1 else ""),
            begin,
            end,
            "in-B" if number else "in-F",
        )
        for number, query in enumerate(queries)
        for k in range(last_over(clock, *query) + 1, last_begun(latest, query.slide) + 1)
        for begin, end in [(window_begin(k, query.slide), window_end(k, *query))]
    ]


def draw_slices(s: Any, local: Mapping[str, Any]) -> Scene:
    """Panes, pairs, or slices at beginnings alone."""
    clock = s.clock
    kept = [(held.begin, _end_of(s, held.begin), held.partial) for held in s.slices]
    windows = [] if clock is None else _list_windows(s.queries, clock, clock)
    times = [time for begin, end, *_ in [*kept, *(window[2:] for window in windows)] for time in (begin, end)]
    first: int = min(times, default=0)
    last: int = max([*times, 8 if clock is None else clock]) + 1
    widest = max((text_width(*show(partial)) / (end - begin) for begin, end, partial in kept), default=0)
    unit = _spread(max(26.0, min(widest + 2, WIDEST)), last - first)

    def x(time: int) -> float:
        return LEFT + (time - first) * unit

    windows = windows[: MOST * len(s.queries)]
    edges = {s.edge(time) for time in range(first, last + 1)}
    shapes, axis = _draw_axis(windows, x, range(first, last + 1), edges.__contains__, "queries clock")
    shapes.append(label("name slices", 2, axis + 34, "slices", style="quiet", links="slices"))
    for place, (begin, end, partial) in enumerate(kept):
        text, note = show(partial)
        shapes.append(
            cell(f"slice {begin}", x(begin) + 1, axis + 22, x(end) - x(begin) - 3, text, note, h=HEIGHT,
                 style=f"aggregate {'in-A' if place == len(kept) - 1 else 'in-F'}", links="slices begin partial",
                 place=f"slices[{place}]", says=f"slice [{begin}, {end}): {text}{f', of {note}' if note else ''}")
        )  # fmt: skip
    if clock is not None:
        shapes.append(pointer("clock", x(clock) + unit / 2, axis + 26 + HEIGHT, 14, f"the clock stands at {clock}"))
    return compose(
        shapes, f"{len(kept)} slices kept, {len(windows)} windows open, the clock at {clock}", floor=axis + HEIGHT + 66
    )


def draw_late(s: Any, local: Mapping[str, Any]) -> Scene:
    """Stream slicing: slices from first record to last, windows and sessions, the watermark; and the store."""
    clock = s.watermark if s.watermark is not None else min(s.begins, default=0)
    latest = max([clock, *s.lasts])
    if latest - min([clock, *s.begins]) > FARTHEST:
        raise ValueError(f"an axis of more than {FARTHEST} units of time is not drawn")
    windows = _list_windows(s.periodic, clock, latest) if s.begins else []
    for gap in s.sessions:
        windows += [
            (f"session {begin}", f"session [{begin}, {last + gap})", begin, last + gap, "in-B")
            for begin, last in s.sessions_of(gap)
            if last + gap > clock
        ]
    windows = windows[: 2 * MOST]
    first: int = min([clock, *s.begins, *(begin for _, _, begin, _, _ in windows)])
    final = max([latest + 1, *(end for *_, end, _ in windows)])
    partials = {t: v for node in s.store.nodes() for t, v in zip(node.times, node.values, strict=False)}
    least = max([44.0, *(text_width(*show(partial)) + 4 for partial in partials.values())])
    unit = _spread(least, final - first, 1.5 * WIDE)  # the tree below makes the picture high

    def x(time: int) -> float:
        return LEFT + (time - first) * unit

    shapes, axis = _draw_axis(windows, x, range(first, final + 1), lambda t: s.cell(t) == t, "begins lasts")
    shapes.append(label("name slices", 2, axis + 34, "slices", style="quiet", links="begins lasts"))
    for begin, last in zip(s.begins, s.lasts, strict=False):
        text, note = show(partials.get(begin, "?"))
        shapes.append(
            cell(f"slice {begin}", x(begin) + 1, axis + 22, x(last + 1) - x(begin) - 3, text, note, h=HEIGHT,
                 style="aggregate in-A", links="begins lasts store", says=f"slice from {begin} to {last}: {text}")
        )  # fmt: skip
    if s.watermark is not None:
        says = f"no record before {s.watermark} comes any more"
        shapes.append(pointer("watermark", x(s.watermark), axis + 26 + HEIGHT, 14, says))
    below = axis + HEIGHT + (62 if s.watermark is not None else 34)
    shapes.append(label("name store", 2, below + 30, "in a FiBA", style="quiet", links="store"))
    shapes += [replace(shape, x=shape.x + LEFT, y=shape.y + below) for shape in draw_tree(s.store, local).shapes]
    return compose(
        shapes, f"{len(s.begins)} slices kept, {len(windows)} windows and sessions open, watermark {s.watermark}"
    )


def draw_store(s: Any, local: Mapping[str, Any]) -> Scene:
    """Cutty: the slices in their order, the open windows over those that they need, and the FlatFAT that keeps them."""
    store = s.store
    numbers = [*range(store.first, store.last + 1)]
    kept = {number: store.slice(number) for number in numbers}
    if s.is_active:
        kept[s.number] = s.active
    unit = _spread(max([text_width(*show(partial), 60) for partial in kept.values()], default=60.0) + 3, len(kept))
    first: int = min(kept, default=s.number)

    def x(number: int) -> float:
        return LEFT + (number - first) * unit

    shapes: list[Shape] = []
    windows = [(query, begin) for query, noted in enumerate(s.open) for begin in noted]
    for row, (query, begin) in enumerate(windows):
        style = "in-B" if query else "in-F"
        text = "open window" + (f" of query {query}" if len(s.open) > 1 else "")
        width = x(max(kept, default=begin) + 1) - x(begin) - 3
        shapes.append(
            bracket(f"window {query} {row}", x(begin), 20 + row * ROW, width, text, style=style, links="open")
        )
    y = 26 + max(len(windows), 1) * ROW
    shapes.append(label("name slices", 2, y + 12, "slices", style="quiet", links="store active"))
    for number, partial in kept.items():
        text, note = show(partial)
        is_active = number == s.number
        what = "the active slice" if is_active else f"slice {number}"
        shapes.append(
            cell(f"slice {number}", x(number), y, unit - 3, text, note, h=HEIGHT,
                 links="active" if is_active else "store",
                 style=f"aggregate {'in-A' if is_active else 'in-F'}", says=f"{what}: {text}, of {note}")
        )  # fmt: skip
        name = "active" if is_active else f"place {store.place(number)}"
        shapes.append(label(f"number {number}", x(number) + 4, y + HEIGHT + 2, name, style="quiet"))
    below = y + HEIGHT + 34
    tree = draw_flat_tree(store.fat, local)
    shapes.append(label("name store", 2, below - 4, "in a FlatFAT", style="quiet", links="store"))
    shapes += [replace(shape, y=shape.y + below + 8) for shape in tree.shapes]
    return compose(shapes, f"{len(numbers)} slices in the store, {len(windows)} windows open, {store.fat.n} places")
