"""Slips of queries as people write them who lack a frame, a date or a null in their engine; and what is near each."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from math import nan
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from support.faults.habits import SECOND
from support.faults.mistakes import AS_DOUBLES, MEAN, SIX, few
from support.faults.planted import HOUR, SLIDE, SUM, Came, Plant, Row, World, days, fixed, left_out, ranges, rows

BERLIN: Final = ZoneInfo("Europe/Berlin")
SKIPPED: Final = {"nulls": "skip"}
FRAMES: Final = few(n=160)


def framed(w: World, reach: Callable[[], int], frame: Callable[[Sequence[Came], int, int], Any]) -> Any:
    """Frames that reach back as far as is said of each row."""

    def windows(events: Sequence[Came]) -> Any:
        for i in range(len(events)):
            yield list(frame(events, -reach(), 0))[i]

    return w.make(windows=windows)


def join_hours(w: World, place: Callable[[int], int]) -> list[Row]:
    """Each six hours are answered for by all that have their place."""
    made = w.make(result=lambda held: held)
    together: dict[tuple[str, int], list[Came]] = defaultdict(list)
    for r in made:
        together[r["key"], place(r["window_start"])] += r["result"]
    return [{**r, "result": sum(e.value for e in together[r["key"], place(r["window_start"])])} for r in made]


def change_values(w: World, change: Callable[[int], float]) -> Any:
    """Each value as another one."""
    return w.make(events=[replace(e, value=change(e.value)) for e in w.events])


def find_quantile(w: World, share: float) -> float:
    """Below which value so many events are, between two of them."""
    values = sorted(e.value for e in w.events)
    low, rest = divmod(share * (len(values) - 1), 1)
    return float(values[int(low)] + (values[int(low) + 1] - values[int(low)]) * rest)


def clip(value: float, low: float, high: float) -> float:
    return max(low, min(high, value))


def with_nulls(w: World, result: Callable[[list[Any]], Any]) -> list[Row]:
    """Answers of all values, nulls too, where some value is there."""
    made = w.make(result=lambda held: [e.value for e in held])
    return [{**r, "result": result(r["result"])} for r in made if set(r["result"]) != {None}]


def average(nothing: float | None, values: Sequence[Any]) -> float | None:
    """The mean; or nothing, where a value is null."""
    return nothing if None in values else sum(values) / len(values)


def choose(w: World, event: Callable[[list[Came]], Came]) -> list[Row]:
    """The second value of one event of each window."""
    return w.make(result=lambda held: event(held).value[1])


def pass_over(w: World, before: Callable[[], int]) -> list[Row]:
    """Windows of 30, each of so many panes of 10 before the one that it ends with, of those that have events."""

    def windows(events: Sequence[Came]) -> Any:
        panes = list(fixed(events, 10, 10))
        for i, (_, end, _) in enumerate(panes):
            yield end - 30, end, [e for *_, held in panes[max(0, i - before()) : i + 1] for e in held]

    return w.make(windows=windows)


def utc_days(w: World) -> list[Row]:
    """Days of UTC, by their dates, which are read as days of Berlin."""
    made: list[Row] = []
    for r in w.make(windows=lambda e: days(e, ZoneInfo("UTC"))):
        on = datetime.fromtimestamp(r["window_start"] // SECOND, UTC).date()
        a, b = (datetime.combine(d, time(), tzinfo=BERLIN) for d in (on, on + timedelta(days=1)))
        made.append({**r, "window_start": int(a.timestamp()) * SECOND, "window_end": int(b.timestamp()) * SECOND})
    return made


def in_fractions(unit: int) -> Callable[[int], list[Came]]:
    """Events at any moment of a unit."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, time=e.time + dice.randrange(unit)) for e in few(unit=unit, n=160)(seed)]

    return draw


def measure(e: Came) -> Any:
    return e.value[0]


def count_different(values: Sequence[Any]) -> int:
    return len(set(values))


PAIRED: Final[Sequence[tuple[str, Callable[[list[Came]], Came]]]] = (
    ("that of the least", lambda held: min(held, key=measure)),
    ("the last", lambda held: held[-1]),
    ("the one that came first", lambda held: min(held, key=lambda e: e.seq)),
    ("the greatest text", lambda held: max(held, key=lambda e: e.value[1])),
)
"""Which event of a window is taken for that of the greatest first value."""

SLIPS: Final = (
    Plant(
        "days of UTC for those of Berlin, by their dates",
        "time zone",
        "tumbling 1 day in Europe/Berlin",
        "sum",
        utc_days,
        {"unit": SECOND},
        events=in_fractions(2 * HOUR),
    ),
    Plant(
        "weeks from Sunday on, by the calendar",
        "windows moved",
        "tumbling 7 days in UTC",
        "sum",
        lambda w: w.make(windows=lambda e: fixed(e, 7 * 24 * HOUR, 7 * 24 * HOUR, offset=3 * 24 * HOUR)),
        {"unit": 24 * HOUR},
        events=few(unit=8 * HOUR, n=160),
    ),
    Plant(
        "up to the last second",
        "another range",
        "tumbling 10s",
        "sum",
        lambda w: w.make(windows=lambda e: fixed(e, 10 * SECOND, 10 * SECOND, high=-SECOND, right=True)),
        {"unit": SECOND},
        events=in_fractions(SECOND),
    ),
    Plant(
        "the first of those that are last",
        "tie broken otherwise",
        "tumbling 30",
        "last",
        lambda w: w.make(order=lambda held: sorted(held, key=lambda e: (e.time, -e.seq))),
        events=few(n=400),
    ),
    Plant(
        "three panes that have events",
        "empty windows passed over",
        *SLIDE,
        lambda w: pass_over(w, lambda: 2),
        events=FRAMES,
    ),
    *(
        Plant(
            f"of a pair {said}",
            "another aggregate",
            "tumbling 30",
            "arg-max",
            partial(choose, event=event),
            {"kind": "text"},
            "pair",
            events=few("pair", n=160),
        )
        for said, event in PAIRED
    ),
    *(
        Plant(
            f"a null that is skipped makes a mean {said}",
            "null",
            *MEAN,
            partial(with_nulls, result=partial(average, nothing)),
            {"kind": "float", **SKIPPED},
            "null",
            events=few("null", n=160),
        )
        for said, nothing in (("null", None), ("no number", nan))
    ),
    Plant(
        "null is one more to count",
        "null counted",
        "tumbling 30",
        "distinct-count",
        lambda w: with_nulls(w, count_different),
        SKIPPED,
        "null",
        events=few("null", n=160),
    ),
    Plant(
        "rows as often as they seemed to come",
        "ROWS for RANGE",
        "range -20 0",
        "sum",
        lambda w: framed(w, lambda: 6, rows),
        events=FRAMES,
    ),
    Plant(
        "a span in which so many rows seemed to come",
        "RANGE for ROWS",
        "rows -7 0",
        "sum",
        lambda w: framed(w, lambda: 14, ranges),
        events=FRAMES,
    ),
    Plant(
        "values cut off at their quantiles",
        "clamped",
        "tumbling 10",
        "mean",
        lambda w: change_values(w, partial(clip, low=find_quantile(w, 0.05), high=find_quantile(w, 0.95))),
        AS_DOUBLES,
        events=FRAMES,
    ),
    Plant(
        "values cut off at either end",
        "clamped",
        *SUM,
        lambda w: change_values(w, partial(clip, low=-350, high=730)),
        events=FRAMES,
    ),
    Plant(
        "values of a band alone",
        "some values left out",
        "tumbling 30",
        "count",
        lambda w: left_out(w, lambda e: not -350 <= e.value <= 730),
        events=FRAMES,
    ),
    Plant(
        "values of a band alone, averaged",
        "some values left out",
        "tumbling 30",
        "mean",
        lambda w: left_out(w, lambda e: not -350 <= e.value <= 730),
        AS_DOUBLES,
        events=FRAMES,
    ),
    Plant(
        "the same hours of all days, for each of them",
        "windows by another formula",
        *SIX,
        lambda w: join_hours(w, lambda start: start % (24 * HOUR)),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
)
"""The faults."""

WORDS: Final = {
    "days of UTC for those of Berlin, by their dates": "time zone: ",
    "weeks from Sunday on, by the calendar": "its weeks begin on Sunday",
    "up to the last second": "each window ends 1s early, as up to its last second",
    "the first of those that are last": "the latest first of those of equal time",
    "rows as often as they seemed to come": "frames of 7 rows",
    "values cut off at either end": "takes values below -350 for -350 and values above 730 for 730",
    "values cut off at their quantiles": "quantile of 95%",
    "the same hours of all days, for each of them": "the same 6h of all days",
}
"""In which words some of them are told first."""

NEAR_SLIPS: Final[dict[str, Plant]] = {
    "empty windows passed over": Plant(
        "some panes that have events",
        "",
        *SLIDE,
        lambda w: pass_over(w, lambda: w.draw.randint(0, 4)),
        events=FRAMES,
    ),
    "another aggregate": Plant(
        "of a pair that of any event",
        "",
        "tumbling 30",
        "arg-max",
        lambda w: choose(w, w.draw.choice),
        {"kind": "text"},
        "pair",
        events=few("pair", n=160),
    ),
    "null counted": Plant(
        "each null is one more to count, or not",
        "",
        "tumbling 30",
        "distinct-count",
        lambda w: with_nulls(w, lambda v: count_different([x for x in v if x]) + (None in v) * w.draw.randint(0, 3)),
        SKIPPED,
        "null",
        events=few("null", n=160),
    ),
    "ROWS for RANGE": Plant(
        "frames of any number of rows",
        "",
        "range -20 0",
        "sum",
        lambda w: framed(w, lambda: w.draw.randint(2, 12), rows),
        events=FRAMES,
    ),
    "RANGE for ROWS": Plant(
        "frames of any span",
        "",
        "rows -7 0",
        "sum",
        lambda w: framed(w, lambda: w.draw.randint(5, 25), ranges),
        events=FRAMES,
    ),
}
"""Faults beside them, without such a cause."""

BESIDE_SLIPS: Final[dict[str, Plant]] = {
    "without their date": Plant(
        "the hours of some other day with those of each",
        "",
        *SIX,
        lambda w: join_hours(w, lambda start: start * 7 // (6 * HOUR) % 23),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    " for 730": Plant(
        "values cut off anywhere",
        "",
        *SUM,
        lambda w: change_values(
            w, lambda v: int(clip(v, -350 + w.draw.randint(-90, 90), 730 + w.draw.randint(-90, 90)))
        ),
        events=FRAMES,
    ),
    " and above ": Plant(
        "values far out left out, now and then",
        "",
        "tumbling 30",
        "mean",
        lambda w: left_out(w, lambda e: not -350 <= e.value <= 730 and w.draw.random() < 0.6),
        AS_DOUBLES,
        events=FRAMES,
    ),
}
"""Faults beside the way in which some of them have their cause."""
