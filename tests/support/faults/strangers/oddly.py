"""What jobs get wrong that sample or resample, fire before a window's end, or compute what cancels; and beside each."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import groupby
from math import sqrt
from random import Random
from struct import pack, unpack
from typing import Any, Final

from support.faults.habits import SECOND
from support.faults.mistakes import AS_DOUBLES, MEAN, UPDATE, few
from support.faults.planted import (
    HOUR,
    LATE,
    SLIDE,
    SUM,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    fixed,
    in_order,
)

EIGHT: Final = 8 * HOUR
WEEK: Final = ("tumbling 7 days in UTC", "sum")
OF_DAYS: Final = {"unit": 24 * HOUR}
DEVIATION: Final = ("tumbling 10", "population-standard-deviation")


def large(seed: int) -> list[Came]:
    """Values that are large against their spread."""
    dice = Random(seed)
    return [replace(e, value=10**9 + dice.randint(-9, 9)) for e in few(n=160)(seed)]


def on_grid(w: World, step: int, fill: Callable[[Came], Any]) -> list[Row]:
    """The last value of each step of a grid, and of what is empty one that is made of that before it."""
    made: list[Came] = []
    for mine in by_key(in_order(w.events)).values():
        last = {e.time // step: e for e in mine}
        before = next(iter(last.values()))
        for i in range(min(last), max(last) + 1):
            there = i in last
            before = last.get(i, before)
            made.append(replace(before, time=i * step, value=before.value if there else fill(before)))
    return w.make(events=made)


def sampled(w: World, of: int, rest: Callable[[], int]) -> list[Row]:
    """One of so many events, the answers so many times."""
    made = w.make(events=[e for e in w.events if e.seq % of == rest()])
    return [{**r, "result": r["result"] * of} for r in made]


def first_n(held: list[Came], n: int) -> list[Came]:
    return sorted(held, key=lambda e: e.seq)[: len(held) // n * n]


def fired(w: World, n: Callable[[], int]) -> list[Row]:
    """What a window had when so many more events had come to it; nothing where fewer ever did."""
    made = w.make(result=lambda held: [e.value for e in first_n(held, n())])
    return [{**r, "result": sum(r["result"])} for r in made if r["result"]]


def purged(w: World, period: Callable[[], int], size: int) -> list[Row]:
    """What came since the watermark last passed a part of the window."""
    made = w.make(result=lambda held: held)
    for r in made:
        panes: dict[int, int] = defaultdict(int)
        step = period()
        for e in r["result"]:
            panes[max(0, min((e.watermark - r["window_start"]) // step, (size - 1) // step))] += e.value
        r["result"] = panes[max(panes)]
    return made


def from_squares(held: list[Came], lost: float = 0.0) -> float:
    """A deviation from the mean of squares in doubles."""
    values = [float(e.value) for e in held]
    return sqrt(max(0.0, sum(v * v for v in values) / len(values) - (sum(values) / len(values)) ** 2)) + lost


def parted_weeks(events: Sequence[Came], part: Callable[[Came], Any]) -> Windows:
    for a, b, held in fixed(events, 7 * 24 * HOUR, 7 * 24 * HOUR):
        for _, those in groupby(held, key=part):
            yield a, b, list(those)


def get_day(e: Came) -> date:
    return datetime.fromtimestamp(e.time // 1_000_000, UTC).date()


def mix_years(e: Came) -> Came:
    day = get_day(e)
    year, week, weekday = day.isocalendar()
    if year == day.year:
        return e
    return replace(e, time=e.time + (date.fromisocalendar(day.year, week, weekday) - day).days * 24 * HOUR)


def flushed(w: World, into: Callable[[int, int], int]) -> list[Row]:
    """A key has one state: the first event of a later window writes it; an earlier one goes where it is said."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        at, sums = -(10**9), dict[int, int]()
        for e in mine:
            own = e.time // 10 * 10
            at = max(at, own)
            to = at if own == at else into(own, at)
            sums[to] = sums.get(to, 0) + e.value
        made += [w.row(key, a, a + 10, total) for a, total in sums.items()]
    return made


def opened_alone(w: World, has: Callable[[], bool]) -> list[Row]:
    """A window that opens while another one of its key waits for its timer has none."""
    fired: set[tuple[str, int]] = set()
    for key, mine in by_key(w.events).items():
        waiting, opened = list[int](), set[int]()
        for e in mine:
            waiting = [end for end in waiting if end > e.watermark]
            end = e.time // 10 * 10 + 10
            if e.watermark < end and end not in opened:
                opened.add(end)
                if not waiting or has():
                    waiting.append(end)
                    fired.add((key, end - 10))
    return [r for r in w.make() if (r["key"], r["window_start"]) in fired]


def narrow(e: Came) -> Came:
    return replace(e, time=int(unpack("f", pack("f", e.time / 1_000_000))[0]) * 1_000_000)


def later_year(seed: int) -> list[Came]:
    """Events of a year that begins within a week."""
    return [replace(e, time=e.time + 365 * 24 * HOUR) for e in few(n=400, unit=EIGHT)(seed)]


def paused(seed: int) -> list[Came]:
    """Events with a pause of all keys."""
    return [replace(e, time=e.time + 95 * (e.time > 0)) for e in few(n=160)(seed)]


def recent(seed: int) -> list[Came]:
    """Minutes of our days."""
    return [replace(e, time=e.time + 1_700_000_000_000_000) for e in few(n=160, unit=60_000_000)(seed)]


def of_last_batch(held: list[Came]) -> int:
    return sum(e.value for e in held if e.seq // 400 == max(x.seq for x in held) // 400)


def twice_while_open(w: World, first: int, last: int, size: int) -> list[Row]:
    """What is read again goes into the windows that are open, which have had it."""
    mark = max(e.watermark for e in w.events if e.seq <= last)
    made = w.make(result=lambda held: held)
    for r in made:
        again = r["window_start"] + size > mark
        r["result"] = sum(e.value * (1 + (again and first <= e.seq <= last)) for e in r["result"])
    return made


def crossed(w: World, nothing: Callable[[], Any]) -> list[Row]:
    """Each window for each key."""
    made = w.make()
    there = {(r["key"], r["window_start"]) for r in made}
    for key in sorted({r["key"] for r in made}):
        for a in sorted({r["window_start"] for r in made}):
            if (key, a) not in there:
                made.append(w.row(key, a, a + 10, nothing()))
    return made


def some_twice(w: World) -> list[Row]:
    made = w.make(result=lambda held: sum(e.value * (1 + (Random(e.seq).random() < 0.3)) for e in held))
    return [
        r if 40 <= r["window_start"] < 130 else {**r, "result": right["result"]}
        for r, right in zip(made, w.make(), strict=True)
    ]


ODDITIES: Final = (
    Plant(
        "carried over a grid",
        "resampled",
        *MEAN,
        lambda w: on_grid(w, 2, lambda e: e.value),
        AS_DOUBLES,
        events=few(n=160),
    ),
    Plant(
        "one event of five, five times",
        "sampled",
        "tumbling 60",
        "sum",
        lambda w: sampled(w, 5, lambda: 2),
        events=few(n=900),
    ),
    Plant(
        "shown at each third event", "fired before the end", *SLIDE, lambda w: fired(w, lambda: 3), events=few(n=300)
    ),
    Plant(
        "what is new since the watermark moved",
        "one part of several",
        "tumbling 30",
        "sum",
        lambda w: purged(w, lambda: 10, 30),
        LATE,
        events=few(n=300),
    ),
    Plant(
        "nothing left of squares",
        "cancellation",
        *DEVIATION,
        lambda w: w.make(result=from_squares),
        AS_DOUBLES,
        events=large,
    ),
    Plant(
        "a week for each year that it is in",
        "windows by another formula",
        *WEEK,
        lambda w: w.make(windows=lambda e: parted_weeks(e, lambda x: get_day(x).year)),
        OF_DAYS,
        events=later_year,
    ),
    Plant(
        "the week by ISO of the calendar's year",
        "windows by another formula",
        *WEEK,
        lambda w: w.make(events=map(mix_years, w.events)),
        OF_DAYS,
        events=few(n=400, unit=EIGHT),
    ),
    Plant(
        "zero for windows of other keys", "empty windows filled", *SUM, lambda w: crossed(w, lambda: 0), events=paused
    ),
    Plant(
        "a state that a later window begins again",
        "carried over",
        *SUM,
        lambda w: flushed(w, lambda own, there: there),
        LATE,
        events=few(n=400),
    ),
    Plant(
        "no timer while one waits",
        "result lost",
        *SUM,
        lambda w: opened_alone(w, lambda: False),
        LATE,
        events=few(n=500),
    ),
    Plant(
        "lateness of the event",
        "late by its time",
        "sliding 30 every 10",
        "sum",
        lambda w: w.make(takes=lambda e, end: e.watermark < min(e.time, end) + 4),
        {**UPDATE, "lateness": 4},
        events=few(n=400),
    ),
    Plant(
        "times in floats of 32 bits",
        "times rounded",
        "tumbling 600s",
        "sum",
        lambda w: w.make(events=map(narrow, w.events)),
        {"unit": SECOND},
        events=recent,
    ),
    Plant(
        "read again into what is open",
        "batch replayed",
        "tumbling 30",
        "sum",
        lambda w: twice_while_open(w, 140, 175, 30),
        LATE,
        events=few(n=300),
    ),
    Plant(
        "batches of 400 that overwrite",
        "one part of several",
        "tumbling 300",
        "sum",
        lambda w: w.make(result=of_last_batch),
        events=few(n=1900),
    ),
)


NEAR_ODDITIES: Final[dict[str, Plant]] = {
    "resampled": Plant(
        "a grid filled with anything",
        "",
        *MEAN,
        lambda w: on_grid(w, 2, lambda e: e.value * w.draw.randint(2, 9)),
        AS_DOUBLES,
        events=few(n=160),
    ),
    "sampled": Plant(
        "one event of five, any one",
        "",
        "tumbling 60",
        "sum",
        lambda w: sampled(w, 5, lambda: w.draw.randint(0, 4)),
        events=few(n=900),
    ),
    "fired before the end": Plant(
        "shown at any event", "", *SLIDE, lambda w: fired(w, lambda: w.draw.randint(2, 7)), events=few(n=300)
    ),
    "cancellation": Plant(
        "farther off than what cancels",
        "",
        *DEVIATION,
        lambda w: w.make(result=lambda h: from_squares(h, 900.0 + w.draw.randint(1, 900))),
        AS_DOUBLES,
        events=large,
    ),
}
"""For each cause a fault beside it."""

BESIDE_ODDITIES: Final[dict[str, Plant]] = {
    "of the watermark in it": Plant(
        "what is new since some time",
        "",
        "tumbling 30",
        "sum",
        lambda w: purged(w, lambda: w.draw.randint(4, 14), 30),
        LATE,
        events=few(n=300),
    ),
    "over the turn of a year": Plant(
        "a week in two at any day",
        "",
        *WEEK,
        lambda w: w.make(windows=lambda e: parted_weeks(e, lambda x: get_day(x).day % 5 > 2)),
        OF_DAYS,
        events=later_year,
    ),
    "of which other keys have some": Plant(
        "some number for windows of other keys",
        "",
        *SUM,
        lambda w: crossed(w, lambda: w.draw.randint(1, 9)),
        events=paused,
    ),
    "writes it and begins it again": Plant(
        "late events in some later window",
        "",
        *SUM,
        lambda w: flushed(w, lambda own, there: own + 10 * w.draw.randint(1, 4)),
        LATE,
        events=few(n=400),
    ),
    "begins before it has fired": Plant(
        "a timer now and then",
        "",
        *SUM,
        lambda w: opened_alone(w, lambda: w.draw.random() < 0.5),
        LATE,
        events=few(n=500),
    ),
    "the lateness of its own time": Plant(
        "any lateness",
        "",
        "sliding 30 every 10",
        "sum",
        lambda w: w.make(takes=lambda e, end: e.watermark < end - Random(e.seq).randint(0, 25)),
        {**UPDATE, "lateness": 4},
        events=few(n=400),
    ),
    "as floats of 32 bits": Plant(
        "times some minutes off",
        "",
        "tumbling 600s",
        "sum",
        lambda w: w.make(
            events=[replace(e, time=e.time + Random(e.seq).randint(-3, 3) * 60_000_000) for e in w.events]
        ),
        {"unit": SECOND},
        events=recent,
    ),
    "not over by then": Plant(
        "some events of what is open again", "", "tumbling 30", "sum", lambda w: some_twice(w), LATE, events=few(n=300)
    ),
}
"""For each way, by what is said of it, a fault that is none."""
