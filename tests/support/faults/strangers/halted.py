"""What jobs make of the parts of a window: of salts, of batches, and of what was before a halt; and beside each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise
from random import Random
from statistics import pvariance
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import LATE, Came, Plant, Row, World, by_key, draw_events, in_order

BALANCE: Final = ("rows unbounded 0", "sum")


def spread(held: list[Came], of: Callable[[Came], Any], merge: Callable[[list[tuple[int, float]]], Any]) -> Any:
    """A deviation of how many values parts have, and of their squared deviations from their own means."""
    parts = list[tuple[int, float]]()
    for _, part in groupby(sorted(held, key=of), key=of):
        values = [e.value for e in part]
        parts.append((len(values), len(values) * pvariance(values)))
    variance = merge(parts)
    return None if variance is None else float(variance) ** 0.5


def add_squares(parts: list[tuple[int, float]]) -> float:
    return sum(q for _, q in parts) / sum(n for n, _ in parts)


def weigh_variances(parts: list[tuple[int, float]]) -> float | None:
    there = [(n, q / (n - 1)) for n, q in parts if n > 1]
    return sum(n * v for n, v in there) / sum(n for n, _ in there) if there else None


def with_ids(seed: int) -> list[Came]:
    """Events of keys of which one has most, each with an id."""
    dice = Random(seed)
    ids = dice.sample(range(10_000), 400)
    return [replace(e, others=(n,)) for n, e in zip(ids, draw_events(seed, "int", n=400), strict=True)]


def salted(w: World, keys: str, k: int, choose: Callable[[list[list[Came]]], list[Came]]) -> list[Row]:
    """Windows of which one part is left, of some keys."""

    def leave(held: list[Came]) -> list[Came]:
        parts = [part for r in range(k) if (part := [e for e in held if e.others[0] % k == r])]
        return choose(parts) if held[0].key in keys else held

    return w.make(order=lambda held: leave(in_order(held)))


def halted(w: World, at: Callable[[list[Came]], Sequence[int]]) -> list[Row]:
    """What windows hold when these events come is written, and they begin again."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        for a, b, held in w.windows(in_order(mine)):
            there = [e for e in held if w.takes(e, b)]
            cuts = [-1, *at(there), 10**9]
            for low, high in pairwise(cuts):
                part = [e for e in there if low <= e.seq < high]
                if part:
                    total = sum(e.value for e in part)
                    made.append(w.row(key, a, b, total / len(part) if w.aggregate == "mean" else total))
    return made


def from_nothing(w: World, at: Callable[[str], Sequence[int]]) -> list[Row]:
    """Frames that begin again at some times."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        times = at(key)
        for time, seq, held in w.windows(in_order(mine)):
            since = max((t for t in times if t <= time), default=-(10**9))
            made.append(w.row(key, time, seq, sum(e.value for e in held if e.time >= since)))
    return made


def torn(w: World, at: Callable[[list[Came]], Sequence[int]], lost: int, size: int = 40) -> list[Row]:
    """States of how many, mean and squared deviations, that lose one of these when some events come."""
    mark = {e.seq: e.watermark for e in w.events}

    def result(held: list[Came]) -> Any:
        end, state = held[0].time // size * size + size, [0, Fraction(0), Fraction(0)]
        cuts = [seq for seq in at(held) if mark[seq] < end]
        for e in [*sorted(held, key=lambda e: e.seq), None]:
            while cuts and (e is None or e.seq >= cuts[0]):
                state[lost] = state[lost] * 0 if cuts.pop(0) > min(it.seq for it in held) else state[lost]
            if e is not None:
                off = Fraction(e.value) - state[1]
                state[0] += 1
                state[1] += off / state[0]
                state[2] += off * (Fraction(e.value) - state[1])
        return float(state[1]) if w.aggregate == "mean" else float(state[2] / state[0]) ** 0.5

    return w.make(result=result)


HALTED: Final = (
    Plant(
        "deviations of batches without their means",
        "merged wrongly",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: w.make(result=lambda held: spread(held, lambda e: e.seq // 20, add_squares)),
        events=few(n=260),
    ),
    Plant(
        "variances of sources weighed",
        "merged wrongly",
        "tumbling 60",
        "sample-standard-deviation",
        lambda w: w.make(result=lambda held: spread(held, lambda e: e.others, weigh_variances)),
        events=few(n=400),
        columns=("source",),
    ),
    Plant(
        "one salted key",
        "one part of several",
        "tumbling 30",
        "sum",
        lambda w: salted(w, "a", 4, lambda parts: parts[-1]),
        events=with_ids,
        columns=("id",),
    ),
    Plant(
        "keys salted with an id",
        "one part of several",
        "tumbling 30",
        "sum",
        lambda w: salted(w, "abcd", 3, lambda parts: parts[0]),
        events=with_ids,
        columns=("id",),
    ),
    Plant("balances begun again", "state lost", *BALANCE, lambda w: from_nothing(w, lambda _: [20]), events=few(n=160)),
    Plant(
        "balances begun again twice",
        "state lost",
        *BALANCE,
        lambda w: from_nothing(w, lambda _: [0, 40]),
        events=few(n=160),
    ),
    Plant(
        "frames begun again",
        "state lost",
        "range -40 0",
        "sum",
        lambda w: from_nothing(w, lambda _: [15]),
        events=few(n=160),
    ),
    Plant(
        "windows written at a halt",
        "partial results",
        "sliding 60 every 20",
        "mean",
        lambda w: halted(w, lambda _: [90]),
        LATE,
        events=few("large", n=160),
    ),
    Plant(
        "windows written at two halts",
        "partial results",
        "sliding 40 every 20",
        "sum",
        lambda w: halted(w, lambda _: [60, 110]),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "squared deviations lost",
        "state lost",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: torn(w, lambda _: [180], 2),
        LATE,
        events=few(n=400),
    ),
    Plant(
        "squared deviations lost twice",
        "state lost",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: torn(w, lambda _: [180, 270], 2),
        LATE,
        events=few(n=400),
    ),
    Plant(
        "means of open windows lost",
        "state lost",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: torn(w, lambda _: [200], 1),
        LATE,
        events=few(n=400),
    ),
    Plant(
        "the mean of a mean lost",
        "state lost",
        "tumbling 40",
        "mean",
        lambda w: torn(w, lambda _: [200], 1),
        LATE,
        events=few(n=400),
    ),
)

BESIDE_HALTED: Final[dict[str, Plant]] = {
    "without what is between their means": Plant(
        "deviations that are too small by any number",
        "",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: w.answers(lambda x: x * w.draw.uniform(0.7, 1)),
        events=few(n=260),
    ),
    "those of a alone": Plant(
        "one key of which any part is left",
        "",
        "tumbling 30",
        "sum",
        lambda w: salted(w, "a", 4, w.draw.choice),
        events=with_ids,
        columns=("id",),
    ),
    "where they begin again from nothing": Plant(
        "balances of each key begun again at a time of its own",
        "",
        *BALANCE,
        lambda w: from_nothing(w, lambda _: [w.draw.randrange(-20, 60)]),
        events=few(n=160),
    ),
    "so that each has two results": Plant(
        "windows written at any time",
        "",
        "tumbling 30",
        "sum",
        lambda w: halted(w, lambda held: [w.draw.choice(held).seq] if w.draw.random() < 0.3 else []),
        events=few(n=160),
    ),
    "and keeps their": Plant(
        "squared deviations lost of each window at a moment of its own",
        "",
        "tumbling 40",
        "population-standard-deviation",
        lambda w: torn(w, lambda held: [w.draw.choice(held).seq], 2),
        LATE,
        events=few(n=400),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
