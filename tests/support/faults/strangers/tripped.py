"""What jobs lose after a bad record, divide by the number of other events, square wrongly, or read as doubles; and
beside each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import floor, sqrt
from random import Random
from typing import Any, Final

from support.faults.mistakes import AS_DOUBLES, MEAN, few
from support.faults.planted import LATE, SUM, Came, Plant, Row, World, single
from support.faults.strangers.swallowed import beside

SOURCES: Final = ("web",) * 20 + ("shop",) * 20 + ("fax",)
USERS: Final = tuple(range(9))


def valued(of: Callable[[Came, Random], Any], n: int = 300) -> Callable[[int], list[Came]]:
    """Events with other values."""

    def made(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, value=of(e, dice)) for e in few(n=n)(seed)]

    return made


def with_bad(bad: Callable[[Random], Any], *, n: int = 400, often: float = 0.03) -> Callable[[int], list[Came]]:
    """Events of which a few have a bad value."""
    return valued(lambda _, dice: bad(dice) if dice.random() < often else dice.randint(1, 400), n)


def in_loads(seed: int) -> list[Came]:
    """Events of loads of any size, which a column numbers, a few of them of a source that is rare."""
    dice, load, made = Random(seed), 0, list[Came]()
    for e in few(n=400)(seed):
        load += dice.random() < 0.04
        made.append(replace(e, others=(load, dice.choice(SOURCES))))
    return made


def trip(
    events: Sequence[Came],
    batch: Callable[[int, Came], Any],
    keep: Callable[[list[Came]], Sequence[Came]],
) -> list[Came]:
    """What is kept of each batch."""
    came = sorted(events, key=lambda e: e.seq)
    numbers = {e.seq: batch(i, e) for i, e in enumerate(came)}
    batches = (list(those) for _, those in groupby(came, key=lambda e: numbers[e.seq]))
    return [e for those in batches for e in keep(those)]


def until(bad: Callable[[Came], bool], those: list[Came], *, more: int = 0) -> list[Came]:
    """The events of a batch up to the first bad one, or so many more."""
    at = next((i for i, e in enumerate(those) if bad(e)), len(those))
    return those[: at + more]


def end_anywhere(w: World, those: list[Came]) -> list[Came]:
    """A batch, of which the rest may be lost from any event on."""
    return those[: w.draw.randrange(len(those))] if w.draw.random() < 0.4 else those


def trip_key(events: Sequence[Came], size: int) -> list[Came]:
    """Batches of each key, which end where a time is there again."""
    kept = list[Came]()
    for key in {e.key for e in events}:
        mine, seen, again = [e for e in events if e.key == key], set[int](), set[Came]()
        for e in mine:
            if e.time in seen:
                again.add(e)
            seen.add(e.time)
        kept += trip(mine, lambda i, _: i // size, partial(until, again.__contains__))
    return kept


def square(held: list[Came], old: bool, start: float | None, freedom: int) -> float | None:
    """A deviation that is kept step by step with one mean."""
    mean, squares = held[0].value if start is None else start, 0.0
    for n, e in enumerate(held, 1):
        before, mean = mean, mean + (e.value - mean) / n
        squares += (e.value - (before if old else mean)) ** 2
    return sqrt(squares / (len(held) - freedom)) if len(held) > freedom else None


def quotient(
    w: World, adds: Callable[[Came, int], bool], counts: Callable[[Came, int], bool], *, alone: bool = False
) -> list[Row]:
    """The total of some over the number of others; of none, no result."""
    made = list[Row]()
    for r in w.make(takes=lambda e, end: True, result=list):
        added = [e.value for e in r["result"] if adds(e, r["window_end"])]
        n = sum(counts(e, r["window_end"]) for e in r["result"])
        if n and (added or alone):
            made.append({**r, "result": float(Fraction(sum(added), n))})
    return made


def is_timely(e: Came, end: int) -> bool:
    return e.watermark < end


def is_any(_e: Came, _end: int) -> bool:
    return True


def cents(dice: Random) -> Fraction:
    return Fraction(dice.randint(-400, 9999), 100)


def valued_again(w: World, change: Callable[[Any], Any]) -> list[Row]:
    return w.make(events=[replace(e, value=change(e.value)) for e in w.events])


def with_money(w: World, change: Callable[[Any], Any]) -> list[Row]:
    """Results that are written as decimals."""
    made = valued_again(w, change)
    return [{**r, "result": Decimal(r["result"].numerator) / r["result"].denominator} for r in made]


def draw_id(_e: Came, dice: Random) -> int:
    """Numbers that are near one another, of which a double holds none but the first."""
    return 1_780_000_000_000_000_000 + 4096 * dice.randrange(24) + dice.choice((0, 1, 2, 65, 450, 900, 1000))


def draw_text(e: Came, dice: Random) -> str:
    return str(draw_id(e, dice) + 100 * dice.randrange(90))


TRIPPED: Final = (
    Plant(
        "the rest of a batch after a value below zero",
        "batch lost",
        "tumbling 30",
        "sum",
        lambda w: w.make(events=trip(w.events, lambda i, _: i // 40, lambda b: until(lambda e: e.value < 0, b))),
        LATE,
        events=with_bad(lambda dice: -dice.randint(1, 50)),
    ),
    Plant(
        "what comes after a record without a value in its batch",
        "batch lost",
        "sliding 30 every 10",
        "mean",
        lambda w: w.make(
            events=trip(w.events, lambda i, _: i // 25, lambda b: until(lambda e: e.value is None, b)),
        ),
        {"nulls": "ignore"},
        events=with_bad(lambda _: None),
    ),
    Plant(
        "loads that are taken back for a word",
        "batch lost",
        "tumbling 20",
        "count",
        lambda w: w.make(
            events=trip(w.events, lambda _, e: e.others[0], lambda b: b * all(e.others[1] != "fax" for e in b))
        ),
        events=in_loads,
        columns=("load", "source"),
    ),
    Plant(
        "batches of a key that end where its time was there",
        "batch lost",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=trip_key(w.events, 60)),
        events=valued(lambda e, _: 1 + abs(e.value), n=500),
    ),
    Plant(
        "batches that end where nobody sees why",
        "batch lost",
        "tumbling 30",
        "sum",
        lambda w: w.make(events=trip(w.events, lambda i, _: i // 40, lambda b: end_anywhere(w, b))),
        LATE,
        events=few(n=400),
    ),
    Plant(
        "loads that end where nobody sees why",
        "batch lost",
        "sliding 20 every 10",
        "max",
        lambda w: w.make(events=trip(w.events, lambda _, e: e.others[0], lambda b: end_anywhere(w, b))),
        events=in_loads,
        columns=("load", "source"),
    ),
    Plant(
        "prices cut to cents after a product in doubles",
        "truncated",
        *MEAN,
        lambda w: valued_again(w, lambda v: int(v * 100) / 100),
        AS_DOUBLES,
        "price",
        events=valued(lambda _, dice: float(cents(dice))),
    ),
    Plant(
        "money cut to thousandths after a product in doubles",
        "truncated",
        "sliding 30 every 10",
        "sum",
        lambda w: with_money(w, lambda v: Fraction(int(float(v) * 1000), 1000)),
        value="money",
        events=valued(lambda _, dice: cents(dice) / 10),
    ),
    Plant(
        "money rounded down to cents after a quotient in doubles",
        "truncated",
        *SUM,
        lambda w: with_money(w, lambda v: Fraction(floor(float(v) / 0.01), 100)),
        value="money",
        events=valued(lambda _, dice: cents(dice)),
    ),
    Plant(
        "ids that are doubles",
        "double precision",
        "tumbling 100",
        "distinct-count",
        lambda w: valued_again(w, float),
        events=valued(draw_id),
    ),
    Plant(
        "the greatest id as a double",
        "double precision",
        "sliding 20 every 10",
        "max",
        lambda w: valued_again(w, lambda v: int(float(v))),
        events=valued(draw_id),
    ),
    Plant(
        "ids that are floats of 32 bits",
        "single precision",
        "sliding 60 every 30",
        "distinct-count",
        lambda w: valued_again(w, lambda v: single(float(v))),
        events=valued(lambda _, dice: 80_000_000 + dice.randrange(60)),
    ),
    Plant(
        "ids of which a spreadsheet keeps fifteen digits",
        "truncated",
        "tumbling 60",
        "distinct-count",
        lambda w: valued_again(w, lambda v: v[:15] + "0" * len(v[15:])),
        value="text",
        events=valued(draw_text),
    ),
    Plant(
        "squares from the mean before",
        "added wrongly",
        "tumbling 20",
        "sample-standard-deviation",
        lambda w: w.make(result=lambda held: square(held, True, 0.0, 1)),
        events=few(n=260),
    ),
    Plant(
        "squares from the mean with it",
        "added wrongly",
        "sliding 30 every 10",
        "population-standard-deviation",
        lambda w: w.make(result=lambda held: square(held, False, 0.0, 0)),
        events=few(n=260),
    ),
    Plant(
        "squares from the mean before, which begins with the first to come",
        "added wrongly",
        "tumbling 20",
        "sample-standard-deviation",
        lambda w: w.make(result=lambda held: square(sorted(held, key=lambda e: e.seq), True, None, 1)),
        LATE,
        events=few(n=260),
    ),
    Plant(
        "late events counted, and not added",
        "another count",
        *MEAN,
        lambda w: quotient(w, is_timely, is_any, alone=True),
        LATE,
        events=few(n=300),
    ),
    Plant(
        "late events added, and not counted",
        "another count",
        "sliding 20 every 10",
        "mean",
        lambda w: quotient(w, is_any, is_timely),
        LATE,
        events=few(n=300),
    ),
    Plant(
        "late updates that count alone",
        "another count",
        *MEAN,
        lambda w: quotient(w, is_timely, is_any),
        {"late": "update", "watermark": "8"},
        events=few(n=300),
    ),
    Plant(
        "a source counted, and not added",
        "another count",
        "tumbling 20",
        "mean",
        lambda w: quotient(w, lambda e, _: e.others[0] != "shop", is_any, alone=True),
        events=few(n=300),
        columns=("source",),
    ),
    Plant(
        "a total for each user",
        "another count",
        "tumbling 40",
        "mean",
        lambda w: w.make(result=lambda h: float(Fraction(sum(e.value for e in h), len({e.others[0] for e in h})))),
        events=beside(lambda _, dice: dice.choice(USERS), few(n=300)),
        columns=("user",),
    ),
)

NEAR_TRIPPED: Final = {
    "another count": Plant(
        "a mean that is divided by one more now and then",
        "",
        "tumbling 20",
        "mean",
        lambda w: w.make(result=lambda h: sum(e.value for e in h) / (len(h) + w.draw.randrange(3))),
        LATE,
        events=few(n=300),
        columns=("source",),
    ),
}
"""For each cause a fault beside it."""

BESIDE_TRIPPED: Final[dict[str, Plant]] = {
    "from the first event": Plant(
        "batches that end where nobody sees it",
        "",
        "tumbling 30",
        "sum",
        lambda w: w.make(events=trip(w.events, lambda i, _: i // 40, lambda b: end_anywhere(w, b))),
        LATE,
        events=with_bad(lambda dice: -dice.randint(1, 50)),
    ),
    "from some event on": Plant(
        "any events of batches",
        "",
        "tumbling 30",
        "sum",
        lambda w: w.make(events=[e for e in w.events if w.draw.random() < 0.9]),
        LATE,
        events=few(n=400),
    ),
    "that has an event": Plant(
        "any loads that are taken back",
        "",
        "tumbling 20",
        "count",
        lambda w: w.make(
            events=trip(w.events, lambda _, e: e.others[0], lambda b: b * (w.draw.random() < 0.7)),
        ),
        events=in_loads,
        columns=("load", "source"),
    ),
    "in doubles and": Plant(
        "a cent lost of any value",
        "",
        "tumbling 30",
        "sum",
        lambda w: with_money(w, lambda v: v - Fraction(w.draw.random() < 0.2, 100)),
        value="money",
        events=valued(lambda _, dice: cents(dice)),
    ),
    "beyond 2^53": Plant(
        "ids of which any are taken for others",
        "",
        "tumbling 30",
        "distinct-count",
        lambda w: valued_again(w, lambda v: v // 9000 if w.draw.random() < 0.5 else v),
        events=valued(draw_id),
    ),
    "how far each value is from": Plant(
        "deviations that are too large by any number",
        "",
        "tumbling 20",
        "sample-standard-deviation",
        lambda w: w.answers(lambda x: x and x * w.draw.uniform(1, 1.5)),
        events=few(n=260),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
