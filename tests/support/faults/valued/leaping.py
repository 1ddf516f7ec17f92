"""What jobs get wrong that fill what has no value, pass on what has changed, leave out what has jumped, unnest lists,
take means of logarithms, or count in buckets; and beside each."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import exp, log, log1p
from random import Random
from statistics import median
from typing import Any, Final

from support.faults.habits import in_arrival
from support.faults.mistakes import AS_DOUBLES, MEAN, few
from support.faults.planted import SLIDE, SUM, Came, Plant, Row, World, by_key, in_order
from support.faults.strangers.lingering import of_few_values

TUMBLING: Final = "tumbling 20"
SKIP: Final = {"nulls": "skip"}
Order = Callable[[list[Came]], list[Came]]


def some_null(seed: int) -> list[Came]:
    """Values of which one of five is null."""
    dice = Random(seed)
    return [replace(e, value=None if dice.random() < 0.2 else dice.randint(1, 99)) for e in few(n=260)(seed)]


def filled(
    w: World, order: Order, fill: Callable[[list[Came], int], Any], *, all_keys: bool = False, result: Any = sum
) -> list[Row]:
    """Each null is made a value of an event beside it, where there is one."""
    made = list[Came]()
    for some in [w.events] if all_keys else by_key(w.events).values():
        held = order(some)
        values = [fill(held, i) if e.value is None else e.value for i, e in enumerate(held)]
        made += [replace(e, value=v) for e, v in zip(held, values, strict=True) if v is not None]
    return w.make(events=made, result=lambda h: result([e.value for e in h]))


def find_near(held: list[Came], i: int, step: int) -> int | None:
    """The next one before, or after, that has a value."""
    at = range(i, len(held)) if step > 0 else range(i, -1, -1)
    return next((j for j in at if held[j].value is not None), None)


def take_near(step: int, held: list[Came], i: int) -> Any:
    at = find_near(held, i, step)
    return None if at is None else held[at].value


def take_between(held: list[Came], i: int) -> Any:
    a, b = find_near(held, i, -1), find_near(held, i, 1)
    if a is None or b is None:
        return take_near(-1, held, i)
    return Fraction(held[b].value - held[a].value) * Fraction(i - a, b - a) + held[a].value


def average(values: Sequence[Any]) -> float:
    return float(Fraction(sum(values)) / len(values))


def no_news(
    events: list[Came], order: Order, is_left: Callable[[Came, Came], bool], *, first: bool = True, all_keys: bool
) -> list[Came]:
    """The events that are not left out for the one before them."""
    kept = list[Came]()
    for some in [events] if all_keys else by_key(events).values():
        held = order(some)
        kept += held[:first]
        kept += [e for before, e in pairwise(held) if not is_left(before, e)]
    return kept


def repeats(before: Came, e: Came) -> bool:
    return bool(before.value == e.value)


def differs(before: Came, e: Came) -> bool:
    return bool(before.value != e.value)


def unrenewed(held: list[Came], takes: Callable[[Came, Came], bool]) -> Any:
    """What is kept, with its time, until another value takes its place."""
    kept: Came | None = None
    for e in in_arrival(held):
        if kept is None or (takes(e, kept) and e.value != kept.value):
            kept = e
    return None if kept is None else kept.value


def doors(seed: int) -> list[Came]:
    """A few states, out of order."""
    dice = Random(seed)
    drawn = few(n=400)(seed)
    return [replace(e, time=e.time - dice.randint(0, 12), value=dice.choice((1, 1, 2, 2, 3))) for e in drawn]


def moving(seed: int) -> list[Came]:
    """Measured values, and of ten one that has jumped."""
    dice = Random(seed)
    drawn = few(n=300)(seed)
    return [replace(e, value=dice.randint(95, 105) + (dice.random() < 0.1) * dice.randint(20, 60)) for e in drawn]


def counters(seed: int) -> list[Came]:
    """Readings that grow, and now and then begin again."""
    dice, at, made = Random(seed), defaultdict[str, int](int), list[Came]()
    for e in sorted(few(n=300)(seed), key=lambda e: (e.time, e.seq)):
        at[e.key] = dice.randint(1, 5) if dice.random() < 0.15 else at[e.key] + dice.randint(1, 9)
        made.append(replace(e, value=at[e.key]))
    return sorted(made, key=lambda e: e.seq)


def leaps(
    events: list[Came], far: Callable[[Any, Any], bool], *, order: Order = in_order, kept: bool = False
) -> list[Came]:
    """The events that are not far from the one before, or from the last that was kept."""
    made = list[Came]()
    for some in by_key(events).values():
        last: Came | None = None
        for e in order(some):
            fits = last is None or not far(e.value, last.value)
            made += [e] * fits
            last = e if fits or not kept else last
    return made


def with_tags(sign: str, seed: int) -> list[Came]:
    """Events with a list of tags, some of them without any."""
    dice = Random(seed)

    def draw() -> str | None:
        return sign.join(dice.choices(("new", "sale", "gift", "eco"), k=dice.choice((0, 1, 1, 1, 2, 3)))) or None

    return [replace(e, others=(draw(),)) for e in few(n=200)(seed)]


def tagged(seed: int) -> list[Came]:
    """The same as the value."""
    return [replace(e, value=e.others[0] or "none", others=()) for e in with_tags(",", seed)]


def unnested(w: World, often: Callable[[Came], int]) -> list[Row]:
    return w.make(events=[e for e in w.events for _ in range(often(e))])


def count_parts(sign: str, least: int, e: Came) -> int:
    return max(least, len(e.others[0].split(sign)) if e.others[0] else 0)


def positive(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=int(dice.lognormvariate(4, 0.7)) + 1) for e in few(n=260)(seed)]


def turned(w: World, to: Callable[[int], float], back: Callable[[float], float]) -> list[Row]:
    def answer(held: list[Came]) -> float:
        return back(sum(to(e.value) for e in held) / len(held))

    return w.make(result=answer)


def histogram(w: World, bounds: Callable[[int], tuple[float, float]], of: Callable[..., float]) -> list[Row]:
    """Of the bucket up to which there are half of the values its bounds, how many are before it, in it, and in all."""

    def answer(held: list[Came]) -> float:
        there = sorted(bounds(e.value) for e in held)
        low, high = there[(len(there) + 1) // 2 - 1]
        return float(of(low, high, sum(a < low for a, _ in there), there.count((low, high)), len(there)))

    return w.make(result=answer)


def wide(width: int, v: int) -> tuple[float, float]:
    return v // width * width, v // width * width + width


def doubling(v: int) -> tuple[float, float]:
    return 2 ** (v.bit_length() - 1), 2 ** v.bit_length()


def on_line(low: float, high: float, before: int, inside: int, n: int) -> float:
    return low + (high - low) * (n / 2 - before) / inside


def get_low(low: float, _high: float, *_: int) -> float:
    return low


def get_high(_low: float, high: float, *_: int) -> float:
    return high


def get_middle(low: float, high: float, *_: int) -> float:
    return (low + high) / 2


LEAPING: Final = (
    Plant(
        "null as the value after it, of any key",
        "null filled",
        TUMBLING,
        "sum",
        lambda w: filled(w, in_order, partial(take_near, 1), all_keys=True),
        SKIP,
        events=some_null,
    ),
    Plant(
        "null as the value that came before, of any key",
        "null filled",
        *MEAN,
        lambda w: filled(w, in_arrival, partial(take_near, -1), all_keys=True, result=average),
        SKIP | AS_DOUBLES,
        events=some_null,
    ),
    Plant(
        "null as the greatest that came after",
        "null filled",
        *SLIDE,
        lambda w: filled(w, in_arrival, partial(take_near, 1)),
        SKIP,
        events=some_null,
    ),
    Plant(
        "null on the line between its neighbours",
        "null filled",
        TUMBLING,
        "mean",
        lambda w: filled(w, in_order, take_between, result=average),
        SKIP | AS_DOUBLES,
        events=some_null,
    ),
    Plant(
        "a value that is that of the event before, of any key",
        "duplicates left out",
        TUMBLING,
        "sum",
        lambda w: w.make(events=no_news(w.events, in_order, repeats, all_keys=True)),
        events=of_few_values,
    ),
    Plant(
        "a value that is that of what came before, of any key",
        "duplicates left out",
        "session 6",
        "count",
        lambda w: w.make(events=no_news(w.events, in_arrival, repeats, all_keys=True)),
        events=of_few_values,
    ),
    Plant(
        "what is other than the value before, and nothing else",
        "duplicates left out",
        *MEAN,
        lambda w: w.make(events=no_news(w.events, in_order, repeats, first=False, all_keys=False)),
        AS_DOUBLES,
        events=of_few_values,
    ),
    Plant(
        "what is just as the value before",
        "duplicates left out",
        TUMBLING,
        "count",
        lambda w: w.make(events=no_news(w.events, in_arrival, differs, first=False, all_keys=False)),
        events=of_few_values,
    ),
    Plant(
        "the time of a last value that stays the same",
        "duplicates left out",
        TUMBLING,
        "last",
        lambda w: w.make(result=lambda h: unrenewed(h, lambda e, kept: e.time >= kept.time)),
        events=doors,
    ),
    Plant(
        "values that jump from the one before",
        "jumps left out",
        TUMBLING,
        "max",
        lambda w: w.make(events=leaps(w.events, lambda v, p: abs(v - p) > 15)),
        events=moving,
    ),
    Plant(
        "values that jump from the last that was kept",
        "jumps left out",
        *MEAN,
        lambda w: w.make(events=leaps(w.events, lambda v, p: abs(v - p) > 15, order=in_arrival, kept=True)),
        AS_DOUBLES,
        events=moving,
    ),
    Plant(
        "values that jump by a fifth",
        "jumps left out",
        "session 6",
        "sum",
        lambda w: w.make(events=leaps(w.events, lambda v, p: abs(v - p) / p > 0.2)),
        events=moving,
    ),
    Plant(
        "readings that begin again",
        "jumps left out",
        *SUM,
        lambda w: w.make(events=leaps(w.events, lambda v, p: v < p)),
        events=counters,
    ),
    Plant(
        "a row for each tag",
        "result multiplied",
        TUMBLING,
        "sum",
        lambda w: unnested(w, partial(count_parts, "|", 0)),
        events=partial(with_tags, "|"),
        columns=("tags",),
    ),
    Plant(
        "a row for each tag, or one",
        "result multiplied",
        *MEAN,
        lambda w: unnested(w, partial(count_parts, ";", 1)),
        AS_DOUBLES,
        events=partial(with_tags, ";"),
        columns=("tags",),
    ),
    Plant(
        "parts of texts for texts",
        "another aggregate",
        TUMBLING,
        "distinct-count",
        lambda w: w.make(result=lambda h: len({part for e in h for part in e.value.split(",")})),
        value="text",
        events=tagged,
    ),
    Plant(
        "a mean of logarithms of one more",
        "another aggregate",
        *MEAN,
        lambda w: turned(w, log1p, exp),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "a mean of logarithms, to the power of ten",
        "another aggregate",
        *MEAN,
        lambda w: turned(w, log, lambda mean: 10.0**mean),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "a mean square of which nobody took the root",
        "another aggregate",
        *SLIDE[:1],
        "mean",
        lambda w: turned(w, lambda v: v * v, float),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "the lower bound of the middle bucket",
        "in buckets",
        TUMBLING,
        "median",
        lambda w: histogram(w, partial(wide, 25), get_low),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "the middle of the middle bucket",
        "in buckets",
        *SLIDE[:1],
        "median",
        lambda w: histogram(w, partial(wide, 12), get_middle),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "a line through the middle bucket",
        "in buckets",
        TUMBLING,
        "median",
        lambda w: histogram(w, partial(wide, 20), on_line),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "the upper bound of a bucket of twos",
        "in buckets",
        "session 6",
        "median",
        lambda w: histogram(w, doubling, get_high),
        AS_DOUBLES,
        events=positive,
    ),
    Plant(
        "sums of what is in the middle of a bucket",
        "in buckets",
        *SUM,
        lambda w: w.make(result=lambda h: sum(e.value // 30 * 30 + 15 for e in h)),
        events=positive,
    ),
)

NEAR_LEAPING: Final[dict[str, Plant]] = {
    "jumps left out": Plant(
        "values that jump, now and then",
        "",
        TUMBLING,
        "sum",
        lambda w: w.make(events=leaps(w.events, lambda v, p: abs(v - p) > 15 and w.draw.random() < 0.5)),
        events=moving,
    ),
    "in buckets": Plant(
        "medians of buckets of any width",
        "",
        TUMBLING,
        "median",
        lambda w: w.make(result=lambda h: median(wide(n, e.value)[0] for n in [w.draw.randint(9, 40)] for e in h)),
        AS_DOUBLES,
        events=positive,
    ),
}
"""For each cause a fault beside it."""

BESIDE_LEAPING: Final[dict[str, Plant]] = {
    "of the one that came before, of any key": Plant(
        "a value that is that of the event before, now and then",
        "",
        TUMBLING,
        "sum",
        lambda w: w.make(
            events=no_news(w.events, in_arrival, lambda p, e: repeats(p, e) and w.draw.random() < 0.5, all_keys=True)
        ),
        events=of_few_values,
    ),
    "that should take its place has the same value": Plant(
        "a last value that is not taken now and then",
        "",
        TUMBLING,
        "last",
        lambda w: w.make(result=lambda h: unrenewed(h, lambda e, kept: e.time >= kept.time or w.draw.random() < 0.5)),
        events=doors,
    ),
    "counts each event as often as its": Plant(
        "a row for some of the tags",
        "",
        TUMBLING,
        "sum",
        lambda w: unnested(w, lambda e: w.draw.randint(0, count_parts("|", 1, e))),
        events=partial(with_tags, "|"),
        columns=("tags",),
    ),
    "mean of log(": Plant(
        "a mean of logarithms of some more",
        "",
        *MEAN,
        lambda w: w.make(result=lambda h: exp(average([log(e.value + n) for n in [w.draw.randint(2, 9)] for e in h]))),
        AS_DOUBLES,
        events=positive,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
