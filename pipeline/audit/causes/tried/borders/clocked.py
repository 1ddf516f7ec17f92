"""Events that another column of times leaves out: what was received after its window was closed by the clock, or loaded
on another day than its own; or that it moves to another day.

A timer closes a window when the clock is at its end, or so long after it, whatever the times of events say; and a
nightly job that reads the partition of the day on which events were loaded, for those of that day, never sees what came
after midnight.  How long after its end a window is closed lies between what those that are right have last, and those
that are not.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session
from swagproof.models.windows.lateness import NEVER, slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Events, Name, Sample
from swagproof.pipeline.audit.causes.spans import choose_round, get_second, list_spans, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.columns import read_moments
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.causes.tried.events.touched import Often, choose_touching, find_often

_CAUSE: Final = "late events left out"
_UNITS: Final = (86_400, 3600, 300, 600, 900, 1800, 10_800, 21_600, 43_200, 60)
"""Seconds of the partitions that what is loaded may lie in."""
_TRIED: Final = 4
"""How many ways of leaving out events are held against all results."""
_SCALES: Final = (1, 1000, 1_000_000)
"""How many ticks the unit of a column of numbers may be."""

Clock = Mapping[int, int]
"""What a clock shows when an event comes, by its arrival number."""
Ways = list[tuple[str, Often]]
"""Ways of leaving out events, in words."""


def list_clocked(sample: Sample) -> Iterator[Hypothesis]:
    """What each other column of times leaves out, of windows and of partitions."""
    if isinstance(sample.window, Frame | Counted):
        return
    for i, name in enumerate(sample.columns):
        clock = read_column(sample, i)
        if clock and sample.tick is not None:
            yield from _list_dated(sample, name, clock)
        if clock:
            ways, tried = _choose_partitions(sample, name, clock) if sample.tick is not None else ([], 0)
            yield from _list_closed(sample, name, clock, ways)
            for why, often in ways:
                events = partial(count_so_often, partial(find_often, often))
                yield Hypothesis(_CAUSE, why, events=events, filters=True, bits=log2(tried))


def _list_dated(sample: Sample, name: str, clock: Clock) -> Iterator[Hypothesis]:
    """The day of one clock with the time of day of the other, as where a file says the day, and a record the rest."""
    day = 86_400 * get_second(sample.tick)
    for said, find in (
        (f"on the day of their {name}, at their own time of day", lambda own, other: other // day * day + own % day),
        (f"on their own day, at the time of day of their {name}", lambda own, other: own // day * day + other % day),
    ):
        yield Hypothesis("arrival for time", f"counts events {said}", events=partial(_put, clock, find), bits=1.0)


def _put(clock: Clock, find: Callable[[int, int], int], all_: Events) -> Events:
    """Events at what is made of their times and those of a clock."""
    return {
        key: sorted((e._replace(time=find(e.time, clock[e.arrival])) for e in events), key=lambda e: e[:2])
        for key, events in all_.items()
    }


def read_column(sample: Sample, i: int) -> Clock:
    """The times in a column, as text or as numbers near the events' own; none where these are not times, or those of
    the events themselves."""
    cells: list[Any] = [e.others[i] for e in sample.came]
    if moments := read_moments(sample, i):
        read: Callable[[Any], int] = moments.__getitem__
    elif cells and all(type(cell) is int for cell in cells):
        first, last = sample.came[0].time, sample.came[-1].time
        scales = (1,) if sample.tick is None else _SCALES
        off = {n: max(abs(c * n - e.time) for c, e in zip(cells, sample.came, strict=True)) for n in scales}
        scale = min(off, key=lambda n: off[n])
        if off[scale] >= max(1, last - first):
            return {}
        read = partial(_multiply, scale)
    else:
        return {}
    clock = {e.arrival: read(e.others[i]) for e in sample.came}
    return clock if any(clock[e.arrival] != e.time for e in sample.came) else {}


def _multiply(scale: int, cell: int) -> int:
    return scale * cell


def _list_closed(sample: Sample, name: str, clock: Clock, ways: Ways) -> Iterator[Hypothesis]:
    """Windows that are closed when the clock, or the latest that it showed, is at their end or so long after it; and
    which of the ways of leaving out events is just that."""
    for said, marks in _list_marks(sample, name, clock):
        for by in _list_delays(sample, marks):
            after = f"{show_span(by, sample.tick)} after" if by else "at"
            if marks is clock:
                why = f"leaves out events whose {name} is {after} the end of their window, or later"
                same = [other for other, often in ways if often.keys() == _find_lost(sample, marks, by)]
                why += "".join(f"; or {other}: these are the same ones" for other in same[:1])
            else:
                why = f"takes no more events of a window from when {said} is {after} its end"
            yield Hypothesis(
                _CAUSE if sample.delay is None else "another watermark",
                why,
                events=partial(_mark, marks),
                takes=partial(_is_before, by),
                needs=2,
                bits=1.0 if marks is clock else 2.0,
            )


def _find_lost(sample: Sample, marks: Clock, by: int) -> frozenset[int]:
    """What is left out of some window."""
    ends = ((_find_end(sample, name), parts) for name, parts in sample.due.items())
    there = ((end, e.arrival) for end, parts in ends for part in parts for e in part.events)
    return frozenset(arrival for end, arrival in there if end is not None and marks[arrival] >= end + by)


def _list_marks(sample: Sample, name: str, clock: Clock) -> Iterator[tuple[str, Clock]]:
    """The clock itself, and the latest that it showed before each event, of all keys or of its own."""
    yield name, clock
    came = sort_arrived([e for events in sample.events.values() for e in events])
    if sample.whole:
        yield f"the latest {name} of all keys", _follow(came, clock)
    of_key = {n: at for es in sample.events.values() for n, at in _follow(sort_arrived(es), clock).items()}
    yield f"the latest {name} of its key", of_key


def _follow(came: list[Event], clock: Clock) -> dict[int, int]:
    latest = accumulate((clock[e.arrival] for e in came), max, initial=NEVER)
    return {e.arrival: at for e, at in zip(came, latest, strict=False)}


def _list_delays(sample: Sample, marks: Clock) -> list[int]:
    """After how long windows are closed: what parts right results from others, and else what people choose."""
    if sample.delay is not None:
        return list(dict.fromkeys((sample.delay + (sample.lateness or 0), sample.delay, 0)))
    behind: dict[Name, int] = {}
    for name, parts in sample.due.items():
        end = _find_end(sample, name)
        late = [marks[e.arrival] - end for part in parts for e in part.events] if end is not None else []
        if late:
            behind[name] = max(late)
    right = max((n for name, n in behind.items() if name not in sample.findings), default=NEVER)
    wrong = sorted(n for name, n in behind.items() if name in sample.open)
    if len(wrong) < 2 or wrong[-2] < 0:
        return []
    if 0 <= right < wrong[0] or right < 0 <= wrong[0]:
        return [choose_round(max(right, -1), wrong[0], sample.tick)]
    return [n for n in (0, *list_spans(sample.tick)) if right < n <= wrong[-2]][:_TRIED]


def _find_end(sample: Sample, name: Name) -> int | None:
    """When a window is over; of a calendar, too, whose results have no column for it."""
    window, (_, a, b) = sample.window, name
    if isinstance(window, Session):
        return b
    if isinstance(window, Calendar) and b is None and a is not None:
        return window.start(window.number(a + (window.closed == "right")) + window.range) + slack(window)
    return find_end(sample, name)


def _mark(marks: Clock, all_: Events) -> Events:
    return {key: [e._replace(watermark=marks[e.arrival]) for e in events] for key, events in all_.items()}


def _is_before(by: int, e: Event, end: int) -> bool:
    return e.watermark < end + by


def _choose_partitions(sample: Sample, name: str, clock: Clock) -> tuple[Ways, int]:
    """Events whose clock is of another day, hour or the like than their own time, or of a later one than the next: what
    touches most findings, of so many ways."""
    second = get_second(sample.tick)
    units: dict[str, Callable[[int], int]] = {
        {86_400: "day", 3600: "hour"}.get(n, show_span(n * second, sample.tick)): partial(_divide, n * second)
        for n in _UNITS
    }
    months = Calendar("month", 1, 1, 0, "UTC", second=second)
    units["month"] = months.number
    if isinstance(sample.window, Calendar) and sample.window.zone != "UTC":
        units[f"day in {sample.window.zone}"] = Calendar("day", 1, 1, 0, sample.window.zone, second=second).number
    ways: list[tuple[str, Callable[[], Often]]] = []
    for said, number in units.items():
        why = f"leaves out events whose {name} is of another {said} than their own time"
        ways.append((why, partial(_leave_out, sample, clock, number, 0)))
        why = f"leaves out events whose {name} is of a later {said} than the one after their own"
        ways.append((why, partial(_leave_out, sample, clock, number, 1)))
    return list(choose_touching(sample, ways, _TRIED)), len(ways)


def _divide(unit: int, time: int) -> int:
    return time // unit


def _leave_out(sample: Sample, clock: Clock, number: Callable[[int], int], later: int) -> Often:
    """Those that are of another unit; or `later` by more than so many."""
    pairs = ((e.arrival, number(clock[e.arrival]) - number(e.time)) for es in sample.events.values() for e in es)
    return {arrival: 0 for arrival, off in pairs if (off > later if later else off != 0)}
