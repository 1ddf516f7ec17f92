"""How a job may have averaged: step by step, with other weights; or taken a quantile of what is not sorted.

A mean that is kept as one number and moved towards each new value gives the last one most weight: half of the sum of
the old and the new, or an exponential average.  A quantile is a place in a sorted row: of a row in the order of time or
of arrival it is some value, and of one that is sorted there are as many places as there are rules for fractions.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import exp, log, log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample, regroup
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.divided import list_parts
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_WEIGHTS: Final = (
    *(Fraction(n, 100) for n in (50, 10, 20, 30, 25, 5, 1, 90, 80, 70, 75, 40, 60, 95, 99, 15)),
    *(Fraction(2, n + 1) for n in (2, 4, 5, 6, 7, 8, 10, 12, 14, 20, 24, 26, 30, 50, 60, 100, 200)),
    *(Fraction(1, n) for n in (3, 6, 7, 8, 12, 14, 16, 24, 30, 32, 60, 64)),
)
"""What an exponential average gives a new value."""
_ORDERS: Final[Mapping[str, Callable[[Event], tuple[int, ...]]]] = {
    "time": lambda e: e[:2],
    "arrival": lambda e: (e.arrival,),
}
_PLACES: Final[Mapping[str, Callable[[int], list[int]]]] = {
    "the middle one": lambda n: [n // 2],
    "the one before the middle": lambda n: [(n - 1) // 2],
    "the one after the middle": lambda n: [min(n // 2 + 1, n - 1)],
    "the mean of the middle two": lambda n: [(n - 1) // 2, n // 2],
    "the mean of the two from the middle on": lambda n: [n // 2, min(n // 2 + 1, n - 1)],
    "the mean of the middle one and the one before": lambda n: [max(n // 2 - 1, 0), n // 2],
}


def list_averages(sample: Sample) -> Iterator[Hypothesis]:
    """Other averages, and other places in a row."""
    own = sample.aggregation.name
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    if own == "mean":
        yield from _list_means(sample)
        yield from _list_steps(sample)
    if own == "median":
        yield from _list_places()


def _values(events: Sequence[Event]) -> list[Fraction]:
    return [Fraction(e.value) for e in events if e.value is not None]


def _answer(make: Callable[[Sequence[Event]], Any], events: Sequence[Event]) -> Answer:
    return answer_of(make(events), near=_NEAR) if any(e.value is not None for e in events) else NULL


def _list_means(sample: Sample) -> Iterator[Hypothesis]:
    means: dict[str, Callable[[Sequence[Event]], Any]] = {
        "harmonic mean": lambda es: len(_values(es)) / sum(1 / v for v in _values(es)),
        "geometric mean": lambda es: exp(sum(log(v) for v in _values(es)) / len(_values(es))),
        "root of the mean square": lambda es: float(sum(v * v for v in _values(es)) / len(_values(es))) ** 0.5,
        "mean that weighs each value by how long it was the last": _weigh_by_time,
        "mean of different values": lambda es: Fraction(sum(set(_values(es)))) / len(set(_values(es))),
    }
    for said, make in means.items():
        yield Hypothesis("another aggregate", f"answers the {said}", answer=partial(_answer, make))


def _weigh_by_time(events: Sequence[Event]) -> Fraction:
    there = [e for e in events if e.value is not None]
    spans = [after.time - e.time for e, after in itertools.pairwise(there)]
    return Fraction(sum(Fraction(e.value) * span for e, span in zip(there, spans, strict=False)), sum(spans))


def _list_steps(sample: Sample) -> Iterator[Hypothesis]:
    """Averages that are moved towards each value, or each partial mean, in turn."""
    looked, tried, found = choose_findings(sample), 0, list[Hypothesis]()
    ways: list[tuple[str, Callable[[Event], int] | None]] = [("", None)]
    ways += [(f", of partial means ({said})", of) for said, of in list_parts(sample)]
    for said, of in ways:
        for order, place in _ORDERS.items():
            for weight in dict.fromkeys(_WEIGHTS) if of is None else _WEIGHTS[:1]:
                for start in (None, Fraction(0)):
                    tried += 1
                    answer = partial(_answer, partial(_step, place, of, weight, start))
                    if fits_some(sample, looked, answer):
                        old = "half the sum of the old one and the new"
                        if weight != Fraction(1, 2):
                            old = f"an exponential average, {float(weight):.4g} of which is the new value"
                        why = f"answers {old}{said}, in the order of {order}"
                        why += "" if start is None else ", from 0 on"
                        found.append(Hypothesis("running average", why, answer=answer))
    for one in found:
        yield replace(one, bits=log2(tried))


def _step(
    place: Callable[[Event], tuple[int, ...]],
    of: Callable[[Event], int] | None,
    weight: Fraction,
    start: Fraction | None,
    events: Sequence[Event],
) -> float | None:
    there = sorted((e for e in events if e.value is not None), key=place)
    parts = [[e] for e in there] if of is None else regroup(there, of)
    mean = None if start is None else float(start)
    for part in parts:
        new = sum(float(e.value) for e in part) / len(part)
        mean = new if mean is None else mean + float(weight) * (new - mean)
    return mean


def _list_places() -> Iterator[Hypothesis]:
    orders: dict[str, Callable[[Event], Any]] = {**_ORDERS, "value": lambda e: (e.value, *e[:2])}
    for order, of in orders.items():
        for said, places in _PLACES.items():
            if order == "value" and said == "the mean of the middle two":
                continue
            cause = "another aggregate" if order == "value" else "unsorted"
            why = f"answers {said} of the values in the order of {order}"
            yield Hypothesis(cause, why, answer=partial(_answer, partial(_pick, of, places)))


def _pick(of: Callable[[Event], Any], places: Callable[[int], list[int]], events: Sequence[Event]) -> Fraction:
    values = _values(sorted((e for e in events if e.value is not None), key=of))
    there = [values[at] for at in places(len(values))]
    return sum(there, Fraction(0)) / len(there)
