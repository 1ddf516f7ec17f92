"""Scenes of the oracle's own definitions, which are not algorithms of a paper: sharing, spans of time, and frames.

Each keeps Two-Stacks besides a few times or sizes.  The picture shows the stream: the newest tuples with each window's
reach, the entries that have not lapsed, the rows with the frame of one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final, Generic

from swagproof.learn.scenes.in_order import LEFT, Row, draw_stacks
from swagproof.learn.scenes.scene import Scene, bracket, cell, compose, label, pointer, text_width
from swagproof.learn.scenes.sharing import Tuples
from swagproof.models.monoid import A
from swagproof.oracle.kinds.frame import Frames
from swagproof.oracle.kinds.lapsing import Lapsing
from swagproof.oracle.kinds.shared import Sharing
from swagproof.reference.in_order.two_stacks import TwoStacks

TOP: Final = 44.0
HEIGHT: Final = 38.0
MOST: Final = 20
"""Tuples, entries or rows that are drawn: the newest, or those about the row in question."""
WINDOWS: Final = 8
"""Windows that are drawn, half of them the smallest."""


def _values(window: TwoStacks[Any]) -> list[Any]:
    front, back = window.F, window.B
    items = [front[depth] for depth in range(front.size)] + [back[depth] for depth in reversed(range(back.size))]
    return [item.val for item in items]


def draw_sharing(s: Sharing[Any], local: Mapping[str, Any]) -> Scene:
    """The newest tuples of the stream that a window still holds, and each window over them with its answer."""
    sizes = sorted(s.windows)
    shown = sizes if len(sizes) <= WINDOWS else [*sizes[: WINDOWS // 2], *sizes[-WINDOWS // 2 :]]
    arrived = len(s.stream)
    values = s.stream[-min(MOST, sizes[-1]) :] if sizes else []
    times = range(arrived - len(values) + 1, arrived + 1)
    answers = {size: f": {reduce(s.monoid.combine, s.stream[-size:], s.monoid.identity).text}" for size in shown}
    shapes, _ = Tuples(times, [value.text for value in values], shown, "windows").draw({}, answers)
    more = f", {len(sizes) - len(shown)} of them not drawn" if len(sizes) > len(shown) else ""
    return compose(shapes, f"{arrived} tuples so far, {len(sizes)} windows{more}")


class Clocked(Lapsing[A], Generic[A]):
    """A window over so much time that knows what time it is."""

    now: Any = None

    def advance(self, t: Any) -> None:
        """Now it is this time."""
        super().advance(t)
        self.now = t


def draw_lapsing(s: Clocked[Any], local: Mapping[str, Any]) -> Scene:
    """The entries that have not lapsed, with their times and when each will; below them the two stacks that keep them.

    Entries stand beside each other and not to scale: times may be far apart, and many entries be of one.
    """
    values, times = _values(s.window), list(s.times)
    widths = [text_width(v.text, f"lapses at {t + s.length}", 54) for v, t in zip(values, times, strict=True)]
    starts = [LEFT]
    shapes = [label("name entries", 2, TOP + 10, "entries", style="quiet", links="times")]
    cut = max(len(times) - MOST, 0)
    if cut:
        shapes.append(label("cut", LEFT, TOP + 10, f"{cut:,} older …", style="quiet"))
        starts = [LEFT + 90]
    for place in range(cut, len(times)):
        value, time, x = values[place], times[place], starts[-1]
        shapes.append(label(f"time {value.span}", x + 4, TOP - 18, f"at {time}", style="quiet", links="times"))
        shapes.append(
            cell(f"entry {value.span}", x, TOP, widths[place], value.text, f"lapses at {time + s.length}", h=HEIGHT,
                 style="value in-F", links="times window", says=f"{value.text} at {time} lapses at {time + s.length}")
        )  # fmt: skip
        starts.append(x + widths[place] + 4)
    if s.now is not None:
        says = f"it is {s.now}; what is there came after {s.now - s.length}"
        shapes.append(pointer(f"now {s.now}", starts[-1] + 20, TOP + HEIGHT + 3, 14, says))
    below = TOP + HEIGHT + 46
    if values:
        shapes += [replace(shape, y=shape.y + below) for shape in draw_stacks(s.window, local).shapes]
    said = "before the first entry" if s.now is None else f"it is {s.now}"
    return compose(shapes, f"{len(times)} entries of the last {s.length} in the window; {said}")


def draw_rows(s: Frames[Any], local: Mapping[str, Any]) -> Scene:
    """The rows in the order of time, those of one time as they came; the frame of the row that `local` names."""
    rows: Sequence[Any] = sorted(s.rows, key=lambda row: row[0])
    row: int | None = local.get("row")
    centre = len(rows) if row is None else row
    first = max(0, min(centre - MOST // 2, len(rows) - MOST))
    shown = range(first, min(first + MOST, len(rows)))
    columns = Row([text_width(rows[place][1].text, f"at {rows[place][0]}", 48) for place in shown])
    shapes = [label("name rows", 2, TOP + 10, "rows", style="quiet", links="rows")]
    held = range(0)
    if row is not None:
        low, high = list(s.declared.bounds([time for time, _ in rows]))[row]
        held = range(low, high)
        of = f"rows {low + 1} to {high}" if len(held) > 1 else f"row {high}" if held else "no row"
        words = f"frame of row {row + 1}: {of}"
        left, right = (columns.x(end - first) for end in (low, high))
        if held:
            shapes.append(bracket("frame", left, TOP - 14, max(right - left - 4, 30), words, style="in-F"))
        else:
            shapes.append(label("frame", columns.x(row - first), TOP - 24, words, style="quiet"))
        middle = columns.x(row - first) + columns.width(row - first) / 2
        shapes.append(pointer(f"row {row + 1}", middle, TOP + HEIGHT + 3, 14, "the row"))
    for place in shown:
        time, value = rows[place]
        style = "value in-F" if place in held else "value"
        says = f"row {place + 1}, at {time}: {value.text}"
        shapes.append(
            cell(f"row {value.span}", columns.x(place - first), TOP, columns.width(place - first), value.text,
                 f"at {time}", h=HEIGHT, style=style, links="rows", says=says)
        )  # fmt: skip
    if len(shown) < len(rows):
        shapes.append(
            label("cut", LEFT, TOP + HEIGHT + 36, f"rows {first + 1} to {shown.stop} of {len(rows):,}", style="quiet")
        )
    return compose(shapes, f"{len(rows)} rows; frames of {s.declared}", floor=TOP + HEIGHT + 44)
