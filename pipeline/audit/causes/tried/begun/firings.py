"""Firings of a window before its end, the last of which is what a job shows: at each so-manieth event, and no more; or
as the watermark moves on in it, each with what came since the one before.

A trigger by count that takes the place of the one at the end leaves out what fills it no more.  One that purges leaves
of a window what came after its last firing, or, where nothing did, what that firing had.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import list_spans, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end

_COUNTS: Final = (2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 25, 30, 32, 40, 50, 60, 64, 80, 100, 200, 250, 500, 1000)

Shown = Callable[[Sequence[Event], int | None], Sequence[Event]]
"""The events of the last firing, given those of a window as they came, and its end."""


def list_firings(sample: Sample) -> Iterator[Hypothesis]:
    """By count, and by the watermark in a window."""
    if isinstance(sample.window, Frame):
        return
    most = max((len(part.events) for parts in sample.due.values() for part in parts), default=0)
    for n in _COUNTS:
        if n <= most:
            shown = partial(_take_full, n)
            why = f"shows a window with each {n} events of it, and not at its end: the last ones, fewer, are left out"
            results = partial(_show, sample, shown)
            yield Hypothesis("fired before the end", why, results=results, bits=log2(len(_COUNTS)))
    if sample.delay is None or not isinstance(sample.window, Sliding):
        return
    range_ = sample.window.range
    periods = [p for p in dict.fromkeys((*list_spans(sample.tick), *(range_ // k for k in range(2, 13)))) if p < range_]
    for period in sorted(periods):
        if period > 0 and range_ // period <= most:
            said = show_span(period, sample.tick)
            why = f"shows a window with each {said} of the watermark in it, and at its end, each time what is new since"
            results = partial(_show, sample, partial(_take_new, range_, period))
            yield Hypothesis("one part of several", why, results=results, bits=log2(len(periods)) + 1)


def _show(sample: Sample, shown: Shown, found: Foretold) -> Foretold:
    made: Foretold = {}
    for name, parts in found.items():
        end = find_end(sample, name)
        held = [shown(sort_arrived(part.events), end) for part in parts]
        there = [replace(one, events=sorted(es, key=time_and_arrival)) for one, es in zip(parts, held, strict=True)]
        if any(part.events for part in there):
            made[name] = there
    return made


def _take_full(n: int, came: Sequence[Event], _end: int | None) -> Sequence[Event]:
    return came[: len(came) // n * n]


def _take_new(range_: int, period: int, came: Sequence[Event], end: int | None) -> Sequence[Event]:
    """The events since the last firing; where there are none, those of the last that had some."""
    if end is None:
        return came
    panes: dict[int, list[Event]] = {}
    for e in came:
        at = max(0, min((e.watermark - (end - range_)) // period, (range_ - 1) // period))
        panes.setdefault(at, []).append(e)
    return panes[max(panes)] if panes else came
