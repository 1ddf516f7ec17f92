"""What jobs leave out because it is far from the rest of its own window, or key, or cut off; and beside each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean, median, pstdev, quantiles, stdev
from typing import Final

from support.faults.planted import LATE, Came, Plant, Row, World, by_key, draw_events

Limits = Callable[[Sequence[float]], tuple[float, float]]
OF_FLOATS: Final = {"kind": "float"}


def skewed(n: int = 420) -> Callable[[int], list[Came]]:
    """Events with some values that are far greater than others."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, value=int(dice.lognormvariate(6, 0.8))) for e in draw_events(seed, "int", n=n)]

    return draw


def deviating(k: float, off: Callable[[Sequence[float]], float] = pstdev) -> Limits:
    def limit(values: Sequence[float]) -> tuple[float, float]:
        if len(values) < 2:
            return values[0], values[0]
        return fmean(values) - k * off(values), fmean(values) + k * off(values)

    return limit


def fenced(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low - 1.5 * (high - low), high + 1.5 * (high - low)


def near_middle(k: float) -> Limits:
    def limit(values: Sequence[float]) -> tuple[float, float]:
        off = k * 1.4826 * median([abs(v - median(values)) for v in values])
        return median(values) - off, median(values) + off

    return limit


def between_tenths(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    tenths = quantiles(values, n=10, method="inclusive")
    return tenths[0], tenths[-1]


def keep_near(held: list[Came], limit: Limits) -> list[Came]:
    low, high = limit([e.value for e in held]) if held else (0, 0)
    return [e for e in held if low - 1e-9 <= e.value <= high + 1e-9]


def clip(held: list[Came], limit: Limits) -> list[Came]:
    low, high = limit([e.value for e in held]) if held else (0, 0)
    return [replace(e, value=min(max(e.value, low), high)) for e in held]


def in_windows(w: World, limit: Limits, keys: str = "abcd") -> list[Row]:
    return w.make(order=lambda held: sorted(keep_near(held, limit), key=at) if held and held[0].key in keys else held)


def at(e: Came) -> tuple[int, int]:
    return e.time, e.seq


def in_keys(w: World, limit: Limits, way: Callable[[list[Came], Limits], list[Came]] = keep_near) -> list[Row]:
    return w.make(events=[e for mine in by_key(w.events).values() for e in way(mine, limit)])


def keep_again(held: list[Came], limit: Limits) -> list[Came]:
    kept = keep_near(held, limit)
    return held if len(kept) == len(held) else keep_again(kept, limit)


def trim(held: list[Came], n: int) -> list[Came]:
    return sorted(sorted(held, key=lambda e: (e.value, *at(e)))[n : len(held) - n], key=at)


def winsorise(held: list[Came], n: int) -> list[Came]:
    ranked = sorted(e.value for e in held)
    return clip(held, lambda _: (ranked[n], ranked[len(ranked) - 1 - n]))


def leave_one_of(w: World, held: list[Came]) -> list[Came]:
    gone = w.draw.choice(sorted(held, key=lambda e: e.value)[-2:])
    return [e for e in held if e is not gone]


OUTLYING: Final = (
    Plant(
        "beyond two deviations of a window",
        "some values left out",
        "tumbling 40",
        "sum",
        lambda w: in_windows(w, deviating(2)),
        events=skewed(),
    ),
    Plant(
        "beyond deviations of a sample",
        "some values left out",
        "sliding 60 every 20",
        "mean",
        lambda w: in_windows(w, deviating(1.5, stdev)),
        LATE,
        events=skewed(),
    ),
    Plant(
        "beyond two deviations, of one key",
        "some values left out",
        "tumbling 20",
        "sum",
        lambda w: in_windows(w, deviating(1.5), "b"),
        events=skewed(600),
    ),
    Plant(
        "again and again beyond deviations",
        "some values left out",
        "tumbling 60",
        "mean",
        lambda w: w.make(order=lambda held: keep_again(held, deviating(2))),
        events=skewed(600),
    ),
    Plant(
        "none of what does not deviate",
        "some values left out",
        "tumbling 8",
        "sum",
        lambda w: w.make(order=lambda held: keep_near(held, deviating(1.5, stdev)) if len(held) > 1 else []),
        events=skewed(),
    ),
    Plant(
        "beyond fences",
        "some values left out",
        "session 5",
        "max",
        lambda w: in_windows(w, fenced),
        events=skewed(),
    ),
    Plant(
        "far from the median",
        "some values left out",
        "tumbling 40",
        "mean",
        lambda w: in_windows(w, near_middle(3)),
        events=skewed(),
    ),
    Plant(
        "between tenths",
        "some values left out",
        "tumbling 40",
        "sum",
        lambda w: in_windows(w, between_tenths),
        events=skewed(),
    ),
    Plant(
        "beyond three deviations of a key",
        "some values left out",
        "tumbling 20",
        "sum",
        lambda w: in_keys(w, deviating(2, stdev)),
        events=skewed(600),
    ),
    Plant(
        "a tenth at each end",
        "trimmed",
        "tumbling 60",
        "mean",
        lambda w: w.make(order=lambda held: trim(held, len(held) // 10)),
        events=skewed(),
    ),
    Plant(
        "two at each end",
        "trimmed",
        "sliding 40 every 20",
        "sum",
        lambda w: w.make(order=lambda held: trim(held, 2) if len(held) > 4 else held),
        events=skewed(),
    ),
    Plant(
        "cut off at deviations",
        "clamped",
        "tumbling 40",
        "sum",
        lambda w: w.make(order=lambda held: clip(held, deviating(1.5))),
        OF_FLOATS,
        events=skewed(),
    ),
    Plant(
        "cut off at a fifth",
        "clamped",
        "tumbling 60",
        "mean",
        lambda w: w.make(order=lambda held: winsorise(held, len(held) // 5)),
        events=skewed(),
    ),
    Plant(
        "cut off at what is far for a key",
        "clamped",
        "tumbling 20",
        "mean",
        lambda w: in_keys(w, deviating(1), clip),
        events=skewed(),
    ),
)

BESIDE_OUTLYING: Final[dict[str, Plant]] = {
    "of their window": Plant(
        "one of the two greatest, any of them",
        "",
        "tumbling 40",
        "sum",
        lambda w: w.make(order=lambda held: leave_one_of(w, held) if len(held) > 3 else held),
        events=skewed(),
    ),
    "at each end": Plant(
        "any value left out",
        "",
        "tumbling 40",
        "mean",
        lambda w: w.make(order=lambda held: [e for e in held if len(held) < 3 or w.draw.random() < 0.9] or held),
        events=skewed(),
    ),
    "of their key": Plant(
        "some of what is far for its key",
        "",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=[e for e in w.events if e.value < 700 or w.draw.random() < 0.5]),
        events=skewed(600),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
