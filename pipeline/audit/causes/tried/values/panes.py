"""When a job shows early results of a window: after so long by a clock, in the end, and with each late event.

A trigger of processing time is set by the first event of a pane, or by the clock's own rounds.  Early results come
until the watermark is at the window's end, whether new events came or not.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample
from swagproof.pipeline.audit.causes.tried.begun.limits import list_clocks
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end

_ROUND: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 90)
_UNITS: Final = (1, 10, 100, 1_000, 10_000, 60_000, 1_000_000, 10_000_000, 60_000_000)

Stops = Callable[[Name, list[Event]], list[Sequence[Event]]]
"""Which results are shown of a window, given its events as they came: the events of each."""


@dataclass(frozen=True)
class _Panes:
    """When results are shown by a clock."""

    sample: Sample
    read: Callable[[Event], float | None]
    period: int
    aligned: bool
    """Whether it is the clock's own rounds; else it is so long after the first event of a pane."""
    again: bool
    """Whether the result in the end is shown where it is no other one."""
    marks: Sequence[int]
    """The watermarks as events came, going up."""
    clock: Sequence[float]
    """What the clock said then."""

    def __call__(self, name: Name, came: list[Event]) -> list[Sequence[Event]]:
        end = find_end(self.sample, name)
        if end is None:
            return []
        timely = sum(e.watermark < end for e in came)
        ats = [self.read(e) or 0.0 for e in came[:timely]]
        closed = self.clock[bisect_left(self.marks, end) - 1]
        shown: list[int] = []
        due: float | None = None
        for n, at in enumerate(ats):
            if due is not None and at >= due:
                shown.append(n)
                due = None
            if due is None:
                due = (at // self.period + 1) * self.period if self.aligned else at + self.period
        if due is not None and due <= closed:
            shown.append(timely)
        if timely and (self.again or timely not in shown):
            shown.append(timely)
        return [came[:n] for n in (*shown, *range(timely + 1, len(came) + 1))]


def list_panes(sample: Sample, fits: Callable[[Stops], bool]) -> Iterator[tuple[str, Stops]]:
    """The ways in which early results may be shown by a clock, of those that fit some findings; and what is said."""
    if sample.delay is None or not sample.whole or not isinstance(sample.window, Sliding | Calendar):
        return
    came = sort_arrived([e for events in sample.events.values() for e in events])
    marks = [e.watermark for e in came]
    if marks != sorted(marks):
        return
    for clock in list_clocks(sample):
        ats = [at for e in came if (at := clock.read(e)) is not None]
        if len(ats) < len(came) or ats != sorted(ats) or ats[0] == ats[-1]:
            continue
        step = (ats[-1] - ats[0]) / len(ats)
        periods = sorted({n * unit for n in _ROUND for unit in _UNITS if step < n * unit < (ats[-1] - ats[0]) / 4})
        for period in periods:
            for aligned in (False, True):
                for again in (True, False):
                    stops = _Panes(sample, clock.read, period, aligned, again, marks, ats)
                    if fits(stops):
                        how = "each round of" if aligned else "each"
                        yield f"{how} {clock.tell('{}', period)}, its end, and each late event", stops
