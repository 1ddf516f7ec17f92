"""Frames of so many rows for those of a span of time, and the other way: how many, or how long, the findings say.

A range of two hours is twenty-five rows where one comes each five minutes, and so it is written where there is no
RANGE.  How many rows that are depends on how often somebody thought that they come, which no definition says: so it is
read off the findings, as `swagproof.pipeline.audit.causes.tried.extents.runs` does of one end of a window.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Sample, split
from swagproof.pipeline.audit.causes.spans import choose_round, show_span
from swagproof.pipeline.audit.causes.tried.extents.runs import Between, Looked, choose_looked, vote
from swagproof.pipeline.audit.tables import Tick

_MOST: Final = 2000
"""How many rows a frame has at most that is read off."""
_ALL: Final = 2**62


def list_lengths(sample: Sample, window: Frame) -> Iterator[Hypothesis]:
    """Frames of n rows that were to be of a range, and of a range that were to be of n rows."""
    if window.start is None or window.end != 0 or window.start >= 0:
        return
    wrong, _ = choose_looked(sample)
    if window.unit == "range":
        for (_, n), _ in vote([_bound_rows(one) for one in wrong]):
            if n < _ALL:
                why = f"takes frames of {n:,} row{'s' * (n > 1)}, their own the last, for ranges of time"
                yield _suppose(sample, "ROWS for RANGE", why, Frame("rows", 1 - n, 0))
    else:
        for bounds, _ in vote([_bound_spans(one) for one in wrong]):
            if bounds[0] >= 0 and bounds[1] < _ALL:
                span = choose_round(*bounds, sample.tick)
                why = f"takes ranges of {show_span(span, sample.tick)} for frames of rows"
                yield _suppose(sample, "RANGE for ROWS", why, Frame("range", -span, 0))


def _suppose(sample: Sample, cause: str, why: str, frame: Frame) -> Hypothesis:
    assert isinstance(sample.window, Frame)
    say = say_frame(sample.window, frame, sample.tick)
    return Hypothesis(cause, why, windows=partial(split, frame), needs=2, bits=log2(_MOST), say=say)


def _bound_rows(one: Looked) -> list[Between]:
    """How many rows a frame may hold that ends with its own: any number from where it holds all."""
    row = next(i for i, e in enumerate(one.events) if e.arrival == one.place.b)
    to_row = replace(one, place=one.place._replace(stop=row + 1))
    return [(row - i, row + 1 - i if i else _ALL) for i in to_row.find_first(_MOST)]


def _bound_spans(one: Looked) -> list[Between]:
    """How far back a frame may reach that ends with the rows of the time of its own."""
    time = one.place.begin
    to_peers = replace(one, place=one.place._replace(stop=bisect_right(one.times, time)))
    times = one.times
    return [(time - times[i] - 1, time - times[i - 1] - 1 if i else _ALL) for i in to_peers.find_first(_MOST)]


def say_frame(window: Frame, frame: Frame, tick: Tick) -> str:
    """The window that is such a frame; of one that has to be full it is not said."""
    if window.full or frame.start is None or frame.end is None:
        return ""
    ends = (
        str(int(end)) if frame.unit == "rows" or not end else f"{'-' * (end < 0)}{show_span(abs(int(end)), tick)}"
        for end in (frame.start, frame.end)
    )
    return f"--window '{frame.unit} {' '.join(ends)}{' to row' if frame.to_row else ''}'"
