"""Jobs that are right by another option of the command than those that it is given, and one beside each that is not.

An audit that finds one cause for all findings says by which option they would be none, as somebody may have meant it.
Who is told an option that is none is sent astray: so each has a job that differs as much, and by no option.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median, median_low
from typing import Any, Final

from support.faults.habits import DAY, beside
from support.faults.mistakes import AS_DOUBLES, MEAN, UPDATE, exact, few, in_doubles, revalued
from support.faults.planted import (
    DELAY,
    GAP,
    LATE,
    SUM,
    Came,
    Plant,
    Row,
    World,
    counts,
    draw_events,
    fixed,
    in_order,
    left_out,
    sessions,
)
from support.faults.strangers.lingering import after_glitch, in_turn, subtract, with_glitch
from support.faults.strangers.oddly import DEVIATION, from_squares, large

SHIFTED: Final = "tumbling 10 offset 3"
WEEKS: Final = ("tumbling 7 days in UTC", "sum")
ALWAYS: Final = -(10**6)


@dataclass(frozen=True)
class Meant:
    """A job, what an audit is told of it, and the option that it would have to be told, with a job beside it."""

    say: str
    window: str
    aggregate: str
    job: Callable[[World], list[Row]]
    beside: Callable[[World], list[Row]]
    """Nobody means this: it must not be told the option, nor another one."""
    options: Mapping[str, Any] | None = None
    value: str = "int"
    events: Callable[[int], list[Came]] | None = None
    columns: tuple[str, ...] = ()

    def plants(self) -> tuple[Plant, Plant]:
        """Both jobs."""
        asked = dict(self.options or {}), self.value, self.events, self.columns
        job, beside = (Plant(self.say, "", self.window, self.aggregate, it, *asked) for it in (self.job, self.beside))
        return job, beside


def find_batch(e: Came) -> int:
    return e.seq // 10


def by_batches(w: World, lag: int, first: Sequence[int] = (0,)) -> list[Row]:
    """What is late is told by the latest time of the micro-batches so far before, since one at which it begins anew."""

    def mark(n: int) -> int:
        since = max(m for m in first if m <= n)
        return max((e.time for e in w.events if since <= find_batch(e) <= n - lag), default=ALWAYS) - DELAY

    marks = {n: mark(n) for n in {find_batch(e) for e in w.events}}
    return w.make(takes=lambda e, end: marks[find_batch(e)] < end)


def by_any(w: World) -> list[Row]:
    """What is late is told by a watermark that each micro-batch has of its own."""
    marks = {find_batch(e): e.watermark + Random(find_batch(e)).randint(-9, 9) for e in w.events}
    return w.make(takes=lambda e, end: marks[find_batch(e)] < end)


def numbered(seed: int) -> list[Came]:
    """Events in micro-batches, of which many are late, with the number of each."""
    dice, made, latest = Random(seed), list[Came](), ALWAYS
    for e in draw_events(seed, "int", n=240):
        moved = replace(e, time=e.time - dice.choice((0, 0, 0, 15, 30, 60)), watermark=latest - DELAY)
        made.append(replace(moved, others=(find_batch(e),)))
        latest = max(latest, moved.time)
    return made


def of_keys(seed: int) -> list[Came]:
    """Events of which each key has a watermark of its own."""
    latest: dict[str, int] = {}
    made: list[Came] = []
    for e in few(n=160)(seed):
        made.append(replace(e, watermark=latest.get(e.key, ALWAYS) - DELAY))
        latest[e.key] = max(latest.get(e.key, ALWAYS), e.time)
    return made


def of_all(w: World, whose: Callable[[Came], int]) -> list[Row]:
    """What is late is told by the latest time of all keys, less so much."""
    marks: dict[int, int] = {}
    latest = ALWAYS
    for e in w.events:
        marks[e.seq] = latest - whose(e)
        latest = max(latest, e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


def weeks(w: World, hours: Callable[[int], int]) -> list[Row]:
    """Weeks that begin so many hours before those of UTC."""
    made = list[Row]()
    for r in w.make(windows=lambda e: fixed(e, 7 * DAY, 7 * DAY, offset=-9 * DAY // 24)):
        by = (hours(r["window_start"] // DAY) - 9) * DAY // 24
        made.append({**r, "window_start": r["window_start"] - by, "window_end": r["window_end"] - by})
    return made


priced: Final = beside(lambda e, dice: dice.randint(1, 500))

OPTIONS: Final = (
    Meant(
        "--nulls skip",
        "tumbling 10",
        "count",
        lambda w: left_out(w, lambda e: e.value is None),
        lambda w: left_out(w, lambda e: e.value is None or e.value == 3),
        value="null",
    ),
    Meant(
        "no --lateness",
        *SUM,
        lambda w: w.make(takes=lambda e, end: True),
        lambda w: w.make(takes=lambda e, end: e.watermark < end + 4 or e.seq % 2 == 0),
        {**UPDATE, "lateness": 4},
        events=few(n=160),
    ),
    Meant(
        "no --lateness",
        *SUM,
        lambda w: w.make(takes=lambda e, end: True),
        lambda w: w.make(takes=lambda e, end: e.seq % 2 == 0 or e.watermark < end),
        {**UPDATE, "lateness": 0},
        events=few(n=160),
    ),
    Meant(
        "--late-by time",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark <= e.time),
        lambda w: w.make(takes=lambda e, end: e.watermark <= e.time or e.seq % 2 == 0),
        {**UPDATE, "late": "drop"},
        events=few(n=160),
    ),
    Meant(
        "no --late-by",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark < end),
        lambda w: w.make(takes=lambda e, end: e.watermark <= e.time or (e.watermark < end and e.seq % 3 > 0)),
        {**UPDATE, "late": "drop", "late_by": "time"},
        events=few(n=160),
    ),
    Meant(
        "--late update --lateness 5",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark < end + 5),
        lambda w: w.make(takes=lambda e, end: e.watermark < end + Random(e.seq).randint(0, 15)),
        {**UPDATE, "late": "drop"},
        events=few(n=160),
    ),
    Meant(
        "--lateness 5",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark < end + 5),
        lambda w: w.make(takes=lambda e, end: e.watermark < end + Random(e.seq).randint(0, 15)),
        UPDATE,
        events=few(n=160),
    ),
    Meant(
        "--watermark 5",
        *SUM,
        lambda w: of_all(w, lambda e: 5),
        lambda w: of_all(w, lambda e: Random(e.seq).randint(-9, 25)),
        events=few(n=160),
    ),
    Meant(
        "--watermark 5 --watermark-per-key",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark + DELAY - 5 < end),
        lambda w: w.make(takes=lambda e, end: e.watermark + DELAY - Random(e.seq).randint(-9, 25) < end),
        events=of_keys,
    ),
    Meant(
        "--watermark, and neither its --upstream nor per key",
        *SUM,
        lambda w: of_all(w, lambda e: DELAY),
        lambda w: of_all(w, lambda e: Random(e.seq).randint(-9, 25)),
        LATE,
        events=of_keys,
    ),
    Meant(
        "--value price",
        *SUM,
        lambda w: revalued(w, lambda e: e.others[0]),
        lambda w: revalued(w, lambda e: e.others[0] if e.seq % 2 else e.value),
        events=priced,
        columns=("price",),
    ),
    *(
        Meant(
            f"--engine {engine} --batch batch",
            *SUM,
            lambda w, lag=lag: by_batches(w, lag),
            by_any,
            LATE,
            events=numbered,
            columns=("batch",),
        )
        for engine, lag in (("spark-single", 1), ("spark", 2))
    ),
    Meant(
        "--progress FILE",
        *SUM,
        lambda w: by_batches(w, 2, (0, 5)),
        by_any,
        LATE,
        events=numbered,
        columns=("batch",),
    ),
    Meant(
        "no offset in --window",
        SHIFTED,
        "sum",
        lambda w: w.make(windows=lambda e: fixed(e, 10, 10)),
        lambda w: w.make(windows=lambda e: fixed(e, 10, 10, offset=w.draw.randint(4, 12))),
    ),
    Meant(
        "--window 'sliding 20 every 10'",
        *SUM,
        lambda w: w.make(windows=lambda e: fixed(e, 20, 10)),
        lambda w: [
            {**r, "window_end": r["window_start"] + 20 - r["window_start"] % 20}
            for r in w.make(windows=lambda e: fixed(e, 20, 10))
        ],
    ),
    Meant(
        "session 9 in --window",
        *GAP,
        lambda w: w.make(windows=lambda e: sessions(e, 9)),
        lambda w: w.make(windows=lambda e: sessions(e, 9, tail=6)),
    ),
    Meant(
        "--window 'count 9'",
        "count 5",
        "sum",
        lambda w: w.make(windows=lambda e: counts(in_order(e), 9)),
        lambda w: w.make(windows=lambda e: counts(in_order(e), w.draw.randint(6, 12))),
    ),
    Meant(
        "--aggregate median",
        *MEAN,
        lambda w: w.make(result=lambda held: float(median(e.value for e in held))),
        lambda w: w.make(result=lambda held: float(median_low(e.value for e in held))),
    ),
    Meant(
        "--value COLUMN:float",
        *SUM,
        lambda w: w.make(result=in_doubles),
        lambda w: w.make(result=lambda held: in_doubles(held) * (1 + w.draw.uniform(-1, 1) / 10**9)),
        AS_DOUBLES,
        events=exact,
    ),
    Meant(
        "--summation squares",
        *DEVIATION,
        lambda w: w.make(result=from_squares),
        lambda w: w.make(result=lambda held: from_squares(held, 900.0 + w.draw.randint(1, 900))),
        AS_DOUBLES,
        events=large,
    ),
    Meant(
        "--summation running",
        "range -8 0",
        "sum",
        lambda w: in_turn(w, subtract),
        lambda w: after_glitch(w, lambda x: x + w.draw.uniform(-300, 300)),
        value="price",
        events=with_glitch,
    ),
    Meant(
        "in Asia/Tokyo in --window",
        *WEEKS,
        lambda w: weeks(w, lambda n: 9),
        lambda w: weeks(w, lambda n: Random(n).randint(-12, 12)),
        {"unit": DAY},
        events=lambda seed: draw_events(seed, "int", unit=DAY // 4),
    ),
    Meant(
        "closed right in --window",
        *WEEKS,
        lambda w: w.make(windows=lambda e: fixed(e, 7 * DAY, 7 * DAY, left=False, right=True)),
        lambda w: w.make(windows=lambda e: fixed(e, 7 * DAY, 7 * DAY, left=False)),
        {"unit": DAY},
        events=lambda seed: draw_events(seed, "int", unit=DAY // 4),
    ),
)
"""Of each option that no fault of another list would have to be told."""
