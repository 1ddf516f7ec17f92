"""Slices on the time axis, as drawn in their paper: the stored slices below the axis, the windows above it.

A slice extends from its first edge to the next edge; a slice without records is not stored, and not drawn.  Each window
that contains the clock is drawn in a row of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice
from typing import Any, Final, TypeAlias

from swagproof.learn.scenes.flat_trees import draw_flat_tree
from swagproof.learn.scenes.scene import HEIGHT, Canvas, Scene, show, text_width
from swagproof.learn.scenes.trees import draw_tree
from swagproof.reference.slicing.slices import last_begun, last_over, window_begin, window_end

LEFT: Final = 74.0
ROW: Final = 26.0
FARTHEST: Final = 200
"""The greatest span, in units of time, that is drawn to scale."""
MOST: Final = 8
"""The greatest number of windows of a query that are drawn."""
WIDE: Final = 600.0
"""The least width of a picture, in pixels, unless a unit would be wider than `WIDEST`."""
WIDEST: Final = 90.0

Window: TypeAlias = tuple[str, str, int, int, str]
"""Id, text, begin, end and role of a drawn window."""
Slice: TypeAlias = tuple[int, int, Any, str, str]
"""Begin, end, product and role of a drawn slice, and the place of a clause's range."""


def _spread(least: float, units: int, wide: float = WIDE) -> float:
    """Return the width of a unit with which the units fill the picture."""
    return max(least, min(wide // max(1, units), WIDEST))


class Axis(Canvas):
    """The time axis, with the windows above it and the slices below."""

    def __init__(
        self, first: int, last: int, unit: float, is_edge: Callable[[int], bool], windows: list[Window]
    ) -> None:
        super().__init__()
        self.first, self.unit = first, unit
        ends: list[int] = []  # of the windows in each row
        for id, text, begin, end, style in windows:
            row = next((row for row, last in enumerate(ends) if last <= begin), len(ends))
            ends[row : row + 1] = [end]
            width = self.x(end) - self.x(begin) - 3
            links = "queries clock begins lasts"
            self.bracket(id, self.x(begin), 20 + row * ROW, width, text, style=style, links=links)
        self.y = 24 + max(1, len(ends)) * ROW
        self.edge("axis", (self.x(first), self.y), (self.x(last), self.y))
        for time in range(first, last + 1):
            x, top = self.x(time), self.y - (7 if is_edge(time) else 2)
            self.edge(f"tick {time}", (x, top), (x, self.y + 4))
            if is_edge(time) or unit > 30:
                style = "" if is_edge(time) else "quiet"
                self.label(f"time {time}", x + 2, self.y + 3, str(time), style=style)

    def x(self, time: float) -> float:
        """Return the position of a time."""
        return LEFT + (time - self.first) * self.unit

    def add_slices(self, slices: Sequence[Slice], links: str) -> None:
        """Draw the slices below the axis."""
        self.row("slices", self.y + 34, links)
        for begin, end, partial, role, place in slices:
            x, width, what = self.x(begin) + 1, self.x(end) - self.x(begin) - 3, f"slice [{begin}, {end})"
            self.value(f"slice {begin}", x, self.y + 22, width, partial, what, style=f"aggregate {role}", links=links,
                     place=place)  # fmt: skip


def _end_of(s: Any, begin: int) -> int:
    """Return the edge after the one at which a slice begins."""
    longest = max(query.range + query.slide for query in s.queries)
    return next((t for t in islice(count(begin + 1), longest) if s.edge(t) != begin), begin + longest)


def _list_windows(queries: Sequence[Any], clock: int, latest: int) -> list[Window]:
    """List the windows of each query that are open at the clock and have begun by the latest time."""
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
    """Draw panes, pairs, or slices cut only at beginnings of windows."""
    clock = s.clock
    slices = [
        (held.begin, _end_of(s, held.begin), held.partial, "in-A" if held is s.slices[-1] else "in-F", f"slices[{n}]")
        for n, held in enumerate(s.slices)
    ]
    windows = [] if clock is None else _list_windows(s.queries, clock, clock)
    times = [*(time for each in slices for time in each[:2]), *(time for each in windows for time in each[2:4])]
    first, last = min(times, default=0), max([*times, 8 if clock is None else clock]) + 1
    widest = max((text_width(*show(partial)) / (end - begin) for begin, end, partial, *_ in slices), default=0)
    unit = _spread(max(26.0, min(widest + 2, WIDEST)), last - first)
    edges = {s.edge(time) for time in range(first, last + 1)}
    windows = windows[: MOST * len(s.queries)]
    axis = Axis(first, last, unit, edges.__contains__, windows)
    axis.add_slices(slices, "slices begin partial")
    if clock is not None:
        axis.pointer("clock", axis.x(clock + 0.5), axis.y + 26 + HEIGHT, says=f"the clock stands at {clock}")
    says = f"{len(slices)} slices kept, {len(windows)} windows open, the clock at {clock}"
    return axis.compose(says, floor=axis.y + HEIGHT + 66)


def draw_late(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw stream slicing: slices from first to last record, windows and sessions, the watermark, and the store."""
    clock = s.watermark if s.watermark is not None else min(s.begins, default=0)
    latest = max([clock, *s.lasts])
    if latest - min([clock, *s.begins]) > FARTHEST:
        raise ValueError(f"an axis of more than {FARTHEST} units of time is not drawn")
    sessions = [(begin, last + gap) for gap in s.sessions for begin, last in s.sessions_of(gap) if last + gap > clock]
    windows = _list_windows(s.periodic, clock, latest) if s.begins else []
    windows += [(f"session {begin}", f"session [{begin}, {end})", begin, end, "in-B") for begin, end in sessions]
    windows = windows[: 2 * MOST]
    first = min([clock, *s.begins, *(window[2] for window in windows)])
    last = max([latest + 1, *(window[3] for window in windows)])
    partials = {t: v for node in s.store.nodes() for t, v in zip(node.times, node.values, strict=False)}
    least = max([44.0, *(text_width(*show(partial)) + 4 for partial in partials.values())])
    unit = _spread(least, last - first, 1.5 * WIDE)  # the tree below makes the picture high
    axis = Axis(first, last, unit, lambda t: s.cell(t) == t, windows)
    axis.add_slices(
        [(a, b + 1, partials.get(a, "?"), "in-A", "") for a, b in zip(s.begins, s.lasts, strict=False)],
        "begins lasts store",
    )
    below = axis.y + HEIGHT + 34
    if s.watermark is not None:
        says = f"no record before {s.watermark} comes any more"
        axis.pointer("watermark", axis.x(s.watermark), axis.y + 26 + HEIGHT, says=says)
        below += 28
    axis.row("in a FiBA", below + 30, "store")
    axis.add(draw_tree(s.store, local), LEFT, below)
    says = f"{len(s.begins)} slices kept, {len(windows)} windows and sessions open, watermark {s.watermark}"
    return axis.compose(says)


def draw_store(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw Cutty: the slices in order, the open windows above the slices that they need, and the FlatFAT of slices."""
    store = s.store
    numbers = [*range(store.first, store.last + 1)]
    kept = {number: store.slice(number) for number in numbers}
    if s.is_active:
        kept[s.number] = s.active
    unit = _spread(max([text_width(*show(partial), 60) for partial in kept.values()], default=60.0) + 3, len(kept))
    first: int = min(kept, default=s.number)

    def x(number: int) -> float:
        return LEFT + (number - first) * unit

    canvas = Canvas()
    windows = [(query, begin) for query, noted in enumerate(s.open) for begin in noted]
    for row, (query, begin) in enumerate(windows):
        style = "in-B" if query else "in-F"
        text = "open window" + (f" of query {query}" if len(s.open) > 1 else "")
        width = x(max(kept, default=begin) + 1) - x(begin) - 3
        canvas.bracket(f"window {query} {row}", x(begin), 20 + row * ROW, width, text, style=style, links="open")
    y = 26 + max(len(windows), 1) * ROW
    canvas.row("slices", y + 12, "store active")
    for number, partial in kept.items():
        name, links, style = f"place {store.place(number)}", "store", "aggregate in-F"
        if number == s.number:
            name, links, style = "active", "active", "aggregate in-A"
        canvas.value(f"slice {number}", x(number), y, unit - 3, partial, f"slice {number}", style=style, links=links)
        canvas.label(f"number {number}", x(number) + 4, y + HEIGHT + 2, name)
    below = y + HEIGHT + 34
    canvas.row("in a FlatFAT", below - 4, "store")
    canvas.add(draw_flat_tree(store.fat, local), 0, below + 8)
    return canvas.compose(f"{len(numbers)} slices in the store, {len(windows)} windows open, {store.fat.n} places")
