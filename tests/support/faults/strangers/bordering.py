"""Windows and sessions cut at the borders of the calendar, of another clock or of what a run reads; and counts that are
forgotten, not what was counted."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from random import Random
from typing import Any, Final

from support.faults.planted import (
    HOUR,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    draw_events,
    fixed,
    in_order,
    sessions,
)

MINUTE: Final = HOUR // 60
HALF_DAY: Final = 12 * HOUR
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_WEEK: Final = 14 * HALF_DAY
_MONDAY: Final = 4 * 24 * HOUR
_THIRTY: Final = 60 * HALF_DAY
_INDIA: Final = 330 * MINUTE
WEEKS: Final = ("windows by another formula", "tumbling 1 week in UTC", "sum")
MONTHS: Final = ("another range", "tumbling 1 month in UTC", "sum")
SESSIONS: Final = ("sessions parted otherwise", "session 10m", "sum")
TIMED: Final[dict[str, Any]] = {"unit": MINUTE}
DATED: Final[dict[str, Any]] = {"unit": HALF_DAY}


def many(value: str = "int", n: int = 420, unit: int = 1) -> Callable[[int], list[Came]]:
    return lambda seed: draw_events(seed, value, n=n, unit=unit)


def timed(name: str, cause: str, window: str, aggregate: str, job: Callable[[World], list[Row]], n: int = 420) -> Plant:
    return Plant(name, cause, window, aggregate, job, TIMED, events=many(n=n, unit=MINUTE))


def dated(name: str, cause: str, window: str, aggregate: str, job: Callable[[World], list[Row]]) -> Plant:
    return Plant(name, cause, window, aggregate, job, DATED, events=many(unit=HALF_DAY))


def show(time: int) -> str:
    return (_EPOCH + timedelta(microseconds=time)).isoformat()


def received(unit: int, most: int, *, shown: bool = True, n: int = 420) -> Callable[[int], list[Came]]:
    """Events in the order in which they were received, one of five of them late by up to so many ticks."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        there = draw_events(seed, "int", n=n, unit=unit)
        at = {e.seq: e.time + dice.randint(1, most if dice.random() < 0.2 else max(1, most // 40)) for e in there}
        came = sorted(there, key=lambda e: (at[e.seq], e.seq))
        return [replace(e, seq=i, others=(show(at[e.seq]) if shown else at[e.seq],)) for i, e in enumerate(came, 1)]

    return draw


def read(e: Came) -> int:
    at: int | str = e.others[0]
    return at if isinstance(at, int) else (datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1)


Period = Callable[[int], Any]


def year(time: int) -> int:
    return (_EPOCH + timedelta(microseconds=time)).year


def month(time: int) -> tuple[int, int]:
    at = _EPOCH + timedelta(microseconds=time)
    return at.year, at.month


def start(months: int) -> int:
    """When a month begins, by how many after January 1970 it is."""
    at = datetime(1970 + months // 12, months % 12 + 1, 1, tzinfo=UTC)
    return (at - _EPOCH) // timedelta(microseconds=1)


def parts(windows: Windows, of: Period) -> Windows:
    """The parts of windows, each by the name of the whole."""
    for a, b, held in windows:
        for _, run in groupby(held, key=lambda e: of(e.time)):
            yield a, b, list(run)


def cut(events: Sequence[Came], gap: int, of: Period) -> Windows:
    for _, run in groupby(events, key=lambda e: of(e.time)):
        yield from sessions(list(run), gap)


def one_part(windows: Windows, of: Period, which: Callable[[int], int]) -> Windows:
    for a, b, held in windows:
        runs = [list(run) for _, run in groupby(held, key=lambda e: of(e.time))]
        yield a, b, runs[which(len(runs))]


def weeks(events: Sequence[Came]) -> Windows:
    return fixed(events, _WEEK, _WEEK, offset=_MONDAY)


def months_of(events: Sequence[Came], find: Callable[[int], tuple[int, int]]) -> Windows:
    """Months that hold the events between two times."""
    for n in range(-3, 12):
        low, high = find(n)
        held = [e for e in events if low <= e.time < high]
        if held:
            yield start(n), start(n + 1), held


def tile(n: int) -> int:
    """When a month begins where each has thirty days, from December 1969 on."""
    return start(-1) + (n + 1) * _THIRTY


def written_over(w: World, each: int, back: int, *, together: bool = False, size: int = 60 * MINUTE) -> list[Row]:
    """Windows that each run writes as it has read them: of each key, or those of all."""
    made: dict[tuple[str, int], list[Came]] = {}
    first, last = (f(e.time for e in w.events) for f in (min, max))
    for run in range(first // each * each, last + back + each, each):
        part = [e for e in w.events if run - back <= e.time < run]
        seen = {(e.key, e.time // size) for e in part}
        for place in {n for _, n in seen} if together else ():
            for key, n in [one for one in made if one[1] == place]:
                del made[key, n]
        made |= {(key, n): [e for e in part if (e.key, e.time // size) == (key, n)] for key, n in seen}
    return [
        w.row(key, n * size, (n + 1) * size, sum(e.value for e in in_order(held)))
        for (key, n), held in sorted(made.items())
    ]


def weeks_of_months(events: Sequence[Came]) -> Windows:
    """Seven days each from the first of a month on."""
    day, held = 2 * HALF_DAY, dict[int, list[Came]]()
    for e in events:
        at = _EPOCH + timedelta(microseconds=e.time)
        held.setdefault(e.time // day - (at.day - 1) % 7, []).append(e)
    for n, those in sorted(held.items()):
        yield n * day, (n + 7) * day, those


def ended(events: Sequence[Came], gap: int, unit: int) -> Windows:
    for a, b, held in cut(events, gap, lambda t: t // unit):
        yield a, min(b, held[0].time // unit * unit + unit), held


def forgetting(w: World, n: int, cuts: Callable[[str], Sequence[int]], *, held: bool = True) -> list[Row]:
    """Windows of so many events, whose counts begin again where events with these numbers come: with what they held,
    or after that is shown."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        now, count, done, left = list[Came](), 0, 0, list(cuts(key))
        for e in sorted(mine, key=lambda e: e.seq):
            while left and e.seq >= left[0]:
                del left[0]
                count = 0
                if now and not held:
                    made.append(w.row(key, done * n + 1, done * n + n, sum(x.value for x in now)))
                    now, done = [], done + 1
            now.append(e)
            count += 1
            if count == n:
                made.append(w.row(key, done * n + 1, done * n + n, sum(x.value for x in now)))
                now, count, done = [], 0, done + 1
    return made


def closed(w: World, size: int, delay: Callable[[int], int]) -> list[Row]:
    """Windows that take what is received before so long after their end."""
    ends: dict[tuple[str, int], int] = {}

    def is_open(e: Came, end: int) -> bool:
        place = e.key, end
        return read(e) < end + ends.setdefault(place, delay(size))

    return w.make(windows=lambda es: [(a, b, held) for a, b, all_ in fixed(es, size, size)
                                      if (held := [e for e in all_ if is_open(e, b)])])  # fmt: skip


def closed_by_latest(w: World, size: int, slide: int, *, by: int = 0, of_key: bool = False) -> list[Row]:
    """Windows that take what comes before anything, or anything of its key, is received so long after their end."""
    marks: dict[int, int] = {}
    latest: dict[str, int] = {}
    for e in w.events:
        whose = e.key if of_key else ""
        marks[e.seq] = latest.setdefault(whose, -(10**18))
        latest[whose] = max(marks[e.seq], read(e))

    def take(events: Sequence[Came]) -> Windows:
        for a, b, held in fixed(events, size, slide):
            if there := [e for e in held if marks[e.seq] < b + by]:
                yield a, b, there

    return w.make(windows=take)


def loaded(w: World, unit: int, window: int, later: int = 0) -> list[Row]:
    """What was received in the same unit of time as it was in, or so many later at most."""
    kept = [e for e in w.events if read(e) // unit <= e.time // unit + later]
    return w.make(events=kept, windows=lambda e: fixed(e, window, window))


BORDERING: Final = (
    timed(
        "sessions of each hour",
        *SESSIONS,
        lambda w: w.make(windows=lambda e: cut(e, 10 * MINUTE, lambda t: t // HOUR)),
    ),
    Plant(
        "sessions of each day in India",
        "sessions parted otherwise",
        "session 4h",
        "count",
        lambda w: w.make(windows=lambda e: cut(e, 4 * HOUR, lambda t: (t + _INDIA) // (24 * HOUR))),
        {"unit": 20 * MINUTE},
        events=many(unit=20 * MINUTE),
    ),
    Plant(
        "sessions of which the last half hour is left",
        *SESSIONS,
        lambda w: w.make(
            windows=lambda e: one_part(sessions(e, 10 * MINUTE), lambda t: t // (30 * MINUTE), lambda n: n - 1)
        ),
        TIMED,
        events=many(unit=MINUTE),
    ),
    timed(
        "sessions that end with their hour",
        *SESSIONS,
        lambda w: w.make(windows=lambda e: ended(e, 10 * MINUTE, HOUR)),
    ),
    dated(
        "weeks of a year of which the last part is left",
        *WEEKS,
        lambda w: w.make(windows=lambda e: one_part(weeks(e), year, lambda n: n - 1)),
    ),
    dated(
        "weeks of a month of which the first part is left",
        "windows by another formula",
        "tumbling 1 week in UTC",
        "count",
        lambda w: w.make(windows=lambda e: one_part(weeks(e), month, lambda n: 0)),
    ),
    dated(
        "weeks in parts of their months",
        *WEEKS,
        lambda w: w.make(windows=lambda e: parts(weeks(e), month)),
    ),
    dated(
        "weeks from the first of a month on",
        *WEEKS,
        lambda w: w.make(windows=weeks_of_months),
    ),
    dated(
        "months that last thirty days",
        *MONTHS,
        lambda w: w.make(windows=lambda e: months_of(e, lambda n: (start(n), start(n) + _THIRTY))),
    ),
    dated(
        "the last thirty days of a month",
        *MONTHS,
        lambda w: w.make(windows=lambda e: months_of(e, lambda n: (start(n + 1) - _THIRTY, start(n + 1)))),
    ),
    dated(
        "months of thirty days, one after the other",
        "another range",
        "tumbling 1 month in UTC",
        "count",
        lambda w: w.make(windows=lambda e: months_of(e, lambda n: (tile(n), tile(n) + _THIRTY))),
    ),
    Plant(
        "what was loaded on its own day",
        "late events left out",
        "tumbling 24h",
        "sum",
        lambda w: loaded(w, 24 * HOUR, 24 * HOUR),
        {"unit": 20 * MINUTE},
        events=received(20 * MINUTE, 9 * HOUR),
        columns=("ingested",),
    ),
    Plant(
        "what was loaded in its own hour",
        "late events left out",
        "tumbling 15m",
        "count",
        lambda w: loaded(w, HOUR, 15 * MINUTE),
        TIMED,
        events=received(MINUTE, 40 * MINUTE),
        columns=("ingested",),
    ),
    Plant(
        "what was loaded on the next day at most",
        "late events left out",
        "tumbling 6h",
        "sum",
        lambda w: loaded(w, 24 * HOUR, 6 * HOUR, later=1),
        {"unit": 20 * MINUTE},
        events=received(20 * MINUTE, 60 * HOUR),
        columns=("ingested",),
    ),
    Plant(
        "windows closed by the clock",
        "late events left out",
        "tumbling 15m",
        "sum",
        lambda w: closed(w, 15 * MINUTE, lambda _: 2 * MINUTE),
        TIMED,
        events=received(MINUTE, 20 * MINUTE),
        columns=("received",),
    ),
    Plant(
        "windows closed by what was received of any key",
        "late events left out",
        "sliding 30m every 10m",
        "sum",
        lambda w: closed_by_latest(w, 30 * MINUTE, 10 * MINUTE),
        TIMED,
        events=received(MINUTE, 20 * MINUTE),
        columns=("received",),
    ),
    Plant(
        "windows closed by what was received of their key",
        "late events left out",
        "tumbling 15m",
        "sum",
        lambda w: closed_by_latest(w, 15 * MINUTE, 15 * MINUTE, by=MINUTE, of_key=True),
        TIMED,
        events=received(MINUTE, 20 * MINUTE),
        columns=("received",),
    ),
    Plant(
        "windows closed by a number",
        "late events left out",
        "tumbling 20",
        "count",
        lambda w: closed(w, 20, lambda _: 3),
        events=received(1, 20, shown=False),
        columns=("received",),
    ),
    Plant(
        "hours written over by each run",
        "one part of several",
        "tumbling 1h",
        "sum",
        lambda w: written_over(w, 45 * MINUTE, 100 * MINUTE),
        TIMED,
        events=many(unit=MINUTE, n=700),
    ),
    timed(
        "hours of all keys written over by each run",
        "one part of several",
        "tumbling 1h",
        "sum",
        lambda w: written_over(w, 20 * MINUTE, 90 * MINUTE, together=True),
        n=700,
    ),
    Plant(
        "windows of numbers written over by each run",
        "one part of several",
        "tumbling 20",
        "sum",
        lambda w: written_over(w, 10, 37, size=20),
        events=many(n=420),
    ),
    Plant(
        "counts forgotten in a restart",
        "state lost",
        "count 5 by arrival",
        "sum",
        lambda w: forgetting(w, 5, lambda _: [90]),
        events=many(n=160),
    ),
    Plant(
        "counts forgotten in two restarts",
        "state lost",
        "count 8 by arrival",
        "sum",
        lambda w: forgetting(w, 8, lambda _: [90, 250]),
        events=many(n=420),
    ),
    Plant(
        "buffers shown in a restart",
        "state lost",
        "count 5 by arrival",
        "sum",
        lambda w: forgetting(w, 5, lambda _: [90], held=False),
        events=many(n=160),
    ),
)


def cut_anywhere(w: World, events: Sequence[Came]) -> Windows:
    """Sessions that end now and then before they are over."""
    ends = {e.seq for e in events if w.draw.random() < 0.1}
    run = list[Came]()
    for e in events:
        if run and e.seq in ends:
            yield from sessions(run, 10 * MINUTE)
            run = []
        run.append(e)
    yield from sessions(run, 10 * MINUTE)


def last_of(w: World, windows: Windows) -> Windows:
    """Of each window what is after any of its events."""
    for a, b, held in windows:
        yield a, b, held[w.draw.randrange(len(held)) :]


def of_any_length(w: World, n: int) -> tuple[int, int]:
    return start(n), start(n) + w.draw.randint(24, 34) * 2 * HALF_DAY


BESIDE_BORDERING: Final[dict[str, Plant]] = {
    "parts its sessions at the begin of each": Plant(
        "sessions cut anywhere",
        "",
        "session 10m",
        "sum",
        lambda w: w.make(windows=lambda e: cut_anywhere(w, e)),
        TIMED,
        events=many(unit=MINUTE),
    ),
    "leaves of each but the part that is last": dated(
        "weeks of which the end is left",
        "",
        "tumbling 1 week in UTC",
        "sum",
        lambda w: w.make(windows=lambda e: last_of(w, weeks(e))),
    ),
    "from its begin on for a month": dated(
        "months of any length",
        "",
        "tumbling 1 month in UTC",
        "sum",
        lambda w: w.make(windows=lambda e: months_of(e, lambda n: of_any_length(w, n))),
    ),
    "the end of their window, or later": Plant(
        "windows closed at any time",
        "",
        "tumbling 15m",
        "sum",
        lambda w: closed(w, 15 * MINUTE, lambda size: w.draw.randrange(-size // 2, size)),
        TIMED,
        events=received(MINUTE, 20 * MINUTE),
        columns=("received",),
    ),
    "than their own time": Plant(
        "events left out, of whatever day",
        "",
        "tumbling 15m",
        "sum",
        lambda w: replace(w, windows=lambda e: fixed(e, 15 * MINUTE, 15 * MINUTE)).make(
            events=[e for e in w.events if w.draw.random() < 0.9]
        ),
        TIMED,
        events=received(MINUTE, 20 * MINUTE),
        columns=("ingested",),
    ),
    "over by what each run reads": Plant(
        "hours of which the end is left",
        "",
        "tumbling 1h",
        "sum",
        lambda w: w.make(windows=lambda e: last_of(w, fixed(e, HOUR, HOUR))),
        TIMED,
        events=many(unit=MINUTE, n=700),
    ),
    "forgets how many events its half-filled windows hold": Plant(
        "counts forgotten at any time",
        "",
        "count 5 by arrival",
        "sum",
        lambda w: forgetting(w, 5, lambda _: sorted(w.draw.sample(range(160), 9))),
        events=many(n=160),
    ),
    "shows its half-filled windows": Plant(
        "buffers shown at any time",
        "",
        "count 5 by arrival",
        "sum",
        lambda w: forgetting(w, 5, lambda _: sorted(w.draw.sample(range(160), 9)), held=False),
        events=many(n=160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
