"""What a job may have taken for a range of time before a row: of times cut to a unit, of calendar months; or what it
forgot to evict.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window
from swagproof.pipeline.audit.causes.spans import get_second, list_units, show_span

_DAYS: Final = ((1, range(28, 32)), (2, range(59, 63)), (3, range(89, 93)), (6, range(180, 185)), (12, range(360, 367)))
"""How many days are taken for so many months."""


def list_ranges(sample: Sample, window: Frame) -> Iterator[Hypothesis]:
    """Other ranges of time."""
    reach = max((abs(int(end)) for end in (window.start, window.end) if end is not None), default=0)
    for unit in list_units(sample.tick):
        if unit > 2 * reach:
            break
        said = show_span(unit, sample.tick)
        for cause, verb, by in (("times truncated", "cuts", 0), ("times rounded", "rounds", unit // 2)):
            cut = partial(_cut, unit, by)
            why = f"{verb} times to {said} to tell which rows a frame has"
            yield Hypothesis(cause, why, windows=partial(_bound, window, cut))
        alone = partial(_bound_row, window, partial(_cut, unit, 0))
        why = f"cuts the time of a row to {said} to tell from where on its frame has rows"
        yield Hypothesis("times truncated", why, windows=alone)
    if window.start is None:
        return
    if window.end == 0 and window.start < 0:
        why = "lets one event go for each that comes, whether more are too old or not"
        yield Hypothesis("evicted one by one", why, windows=partial(_evict_one, int(window.start)))
    if sample.tick is not None:
        second = get_second(sample.tick)
        days, rest = divmod(-int(window.start) + 1, 86_400 * second)
        for months in [n for n, spans in _DAYS if days in spans and rest in (0, 1)]:
            why = f"takes {months} calendar month{'s' * (months > 1)} for {days} days"
            by_month = partial(_bound_months, window, second, months, rest == 0)
            yield Hypothesis("another range", why, windows=by_month)


def _cut(unit: int, by: int, time: int) -> int:
    return (time + by) // unit * unit


def _bound(window: Frame, change: Callable[[int], int], events: list[Event]) -> Iterator[Window]:
    """Frames by other times, in the order of which the events are."""
    for e, (i, j) in zip(events, window.bounds([change(e.time) for e in events]), strict=True):
        yield Window(e.time, e.arrival, events[i:j])


def _bound_row(window: Frame, change: Callable[[int], int], events: list[Event]) -> Iterator[Window]:
    """Frames that begin by another time of their row."""
    times = [e.time for e in events]
    for e, (i, j) in zip(events, window.bounds(times), strict=True):
        first = i if window.start is None else bisect_left(times, change(e.time) + window.start)
        yield Window(e.time, e.arrival, events[first:j])


def _evict_one(start: int, events: list[Event]) -> Iterator[Window]:
    held: deque[Event] = deque()
    for e in events:
        held.append(e)
        if held[0].time < e.time + start:
            held.popleft()
        yield Window(e.time, e.arrival, list(held))


def _bound_months(window: Frame, second: int, months: int, open_: bool, events: list[Event]) -> Iterator[Window]:
    times, find = [e.time for e in events], bisect_right if open_ else bisect_left
    for e, (_, j) in zip(events, window.bounds(times), strict=True):
        yield Window(e.time, e.arrival, events[find(times, _go_back(second, months, e.time)) : j])


def _go_back(second: int, months: int, time: int) -> int:
    """The same time so many months before, or the last day of that month, where it has no such day."""
    at = datetime.fromtimestamp(time // second, UTC)
    number = at.year * 12 + at.month - 1 - months
    first, after = (datetime(n // 12, n % 12 + 1, 1, tzinfo=UTC) for n in (number, number + 1))
    day = min(at.day, (after - first).days)
    then = at.replace(year=first.year, month=first.month, day=day)
    return time - (at - then) // timedelta(seconds=1) * second
