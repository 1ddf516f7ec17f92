"""What a job may have taken for a range of time before a row: of times cut to a unit, of calendar months; or what it
forgot to evict.
"""

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second, list_units, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

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
    if window.end == 0:
        yield from _list_by_arrival(None if window.start is None else int(window.start))
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


def _list_by_arrival(start: int | None) -> Iterator[Hypothesis]:
    """Frames of rows as they come."""
    cause, why = "arrival order", "makes frames in the order of arrival"
    if start is None:
        yield Hypothesis(cause, f"{why}, of all rows that came before", windows=partial(_hold_front, None))
        return
    for said, hold in _BY_ARRIVAL.items():
        yield Hypothesis(cause, f"{why}: {said}", windows=partial(hold, start))


def _hold_front(start: int | None, events: list[Event]) -> Iterator[Window]:
    """Rows in a queue, from the front of which those go that are too old for the row that came."""
    held: deque[Event] = deque()
    for e in sort_arrived(events):
        held.append(e)
        while start is not None and held[0].time < e.time + start:
            held.popleft()
        yield Window(e.time, e.arrival, list(held))


def _hold_late(start: int, events: list[Event]) -> Iterator[Window]:
    """Rows of which those are given up that are too old for the row that came, wherever they are."""
    held: list[Event] = []
    for e in sort_arrived(events):
        held = [it for it in (*held, e) if it.time >= e.time + start]
        yield Window(e.time, e.arrival, held)


def _hold_latest(start: int, events: list[Event]) -> Iterator[Window]:
    """Rows of which those are given up that are too old for the latest time so far."""
    held: list[Event] = []
    latest: int | None = None
    for e in sort_arrived(events):
        latest = e.time if latest is None else max(latest, e.time)
        held = [it for it in (*held, e) if it.time >= latest + start]
        yield Window(e.time, e.arrival, held)


def _hold_come(start: int, events: list[Event]) -> Iterator[Window]:
    """The right frames, but for what came after their row."""
    came: list[Event] = []
    for e in sort_arrived(events):
        insort(came, e, key=time_and_arrival)
        times = [it.time for it in came]
        first = bisect_left(times, e.time + start)
        yield Window(e.time, e.arrival, came[first : bisect_right(times, e.time)])


_BY_ARRIVAL: Final[dict[str, Callable[[int, list[Event]], Iterator[Window]]]] = {
    "from the front of a queue it lets those go that are too old for the last one": _hold_front,
    "it lets those go that are too old for the last one, and counts later ones": _hold_late,
    "it lets those go that are too old for the latest so far": _hold_latest,
    "a frame has what is in its range and came before": _hold_come,
}


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
