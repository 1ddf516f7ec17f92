"""Windows that begin where events do, and not where a clock says: at the first event of each key, or each at the first
event that the one before it does not hold.

So Polars begins them by `start_by="datapoint"`, and whoever keeps the begin of a window by hand, and takes the time of
the event that is beyond its end for that of the next.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, get_arrival, time_and_arrival


def list_opened(sample: Sample) -> Iterator[Hypothesis]:
    """Begins that are those of events, in time or as these come."""
    window = sample.window
    if not isinstance(window, Sliding) or not sample.came:
        return
    for said, came in (("is first in time", False), ("came first", True)):
        why = f"counts its windows of each key from the event of it that {said}"
        yield Hypothesis("windows moved", why, windows=partial(_count_on, sample, window, came), divides=True)
    if window.range != window.slide:
        return
    for said, came in (("", False), (", as they come", True)):
        for called, named in (("", False), (", and names it as the one that is due then", True)):
            why = f"begins each window with the first event that the one before it does not hold{said}{called}"
            windows = partial(_open_each, sample, window, came, named)
            yield Hypothesis("windows by another formula", why, windows=windows, divides=True)


def _sort(sample: Sample, came: bool, events: list[Event]) -> Sequence[Event]:
    there = sample.in_time(events, sample.takes)
    return sorted(there, key=get_arrival if came else time_and_arrival)


def _count_on(sample: Sample, window: Sliding, came: bool, events: list[Event]) -> Iterator[Window]:
    there = _sort(sample, came, events)
    held: dict[int, list[Event]] = {}
    for e in there:
        first = there[0].time
        begin = first + (e.time - first) // window.slide * window.slide
        while begin > e.time - window.range and (begin >= first or came):
            held.setdefault(begin, []).append(e)
            begin -= window.slide
    for begin in sorted(held):
        yield Window(begin, begin + window.range, sorted(held[begin], key=time_and_arrival))


def _open_each(sample: Sample, window: Sliding, came: bool, named: bool, events: list[Event]) -> Iterator[Window]:
    run: list[Event] = []
    for e in _sort(sample, came, events):
        if run and e.time >= run[0].time + window.range:
            yield _close(window, named, run)
            run = []
        run.append(e)
    if run:
        yield _close(window, named, run)


def _close(window: Sliding, named: bool, run: list[Event]) -> Window:
    begin = window.last_end(run[0].time) - window.range if named else run[0].time
    return Window(begin, begin + window.range, sorted(run, key=time_and_arrival))
