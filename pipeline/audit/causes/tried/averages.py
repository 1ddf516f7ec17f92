"""How a job may have averaged: step by step, with other weights; or taken a quantile of what is not sorted.

A deviation that is kept step by step adds, of each value, how far it is from the mean before it times how far it is
from the mean with it (Welford, Note on a method for calculating corrected sums of squares and products, 1962): who
squares one of the two has too much, or too little.

A mean that is kept as one number and moved towards each new value gives the last one most weight: half of the sum of
the old and the new, or an exponential average.  A quantile is a place in a sorted row: of a row in the order of time or
of arrival it is some value, and of one that is sorted there are as many places as there are rules for fractions.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import cbrt, exp, expm1, log, log1p, log2, log10, sqrt
from operator import mul, truediv
from statistics import median
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
_NUMBERS: Final = ("int", "float", "decimal")
_LOGARITHMS: Final[Mapping[str, Callable[[Any], float]]] = {
    "log(x)": log,
    "log(1 + x)": log1p,
    "log2(x)": log2,
    "log10(x)": log10,
    "log(x), or 0 where there is none": lambda v: log(v) if v > 0 else 0.0,
}
_POWERS: Final[Mapping[str, Callable[[float], float]]] = {
    "exponential of the": exp,
    "exponential, less 1, of the": expm1,
    "power of 2 by the": lambda mean: 2.0**mean,
    "power of 10 by the": lambda mean: 10.0**mean,
    "logarithm as it is, the": float,
}
_TURNED: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "harmonic mean": (lambda v: 1 / v, lambda mean: 1 / mean),
    "root of the mean square": (lambda v: v * v, sqrt),
    "square of the mean of roots": (sqrt, lambda mean: mean * mean),
    "cube root of the mean cube": (lambda v: float(v) ** 3, cbrt),
    "geometric mean": (log, exp),
    "exponential of the mean of log(1 + x), less 1": (log1p, expm1),
}
"""What is made of each value, and of the mean of that, so that it is of the kind that the values are."""
_MISMADE: Final[dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    "mean of 1/x": (lambda v: 1 / v, float),
    "mean square": (lambda v: v * v, float),
    "mean of roots": (sqrt, float),
    **{
        f"{power} mean of {said}": (to, back)
        for said, to in _LOGARITHMS.items()
        for power, back in _POWERS.items()
        if (to, back) not in ((log, exp), (log1p, expm1))
    },
}
"""The same where it is not made back, or by what undoes something else."""
_PLACE: Final = ("first", "second", "third", "fourth")
_PLAIN: Final[Mapping[str, Callable[[Sequence[Fraction]], Any]]] = {
    "mean": lambda values: sum(values) / len(values),
    "sum": sum,
    "least": min,
    "greatest": max,
    "median": median,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
}
_WEIGHED: Final[Mapping[str, Callable[[Sequence[Fraction], Sequence[Fraction]], Any]]] = {
    "answers the mean of the {} of its values, by the {} as weights": lambda values, by: (
        sum(map(mul, values, by)) / sum(by)
    ),
    "answers the sum of the {} of its values over that of the {}": lambda values, by: sum(values) / sum(by),
    "answers the mean of the {} of its values over the {}": lambda values, by: (
        sum(map(truediv, values, by)) / len(values)
    ),
    "answers the sum of the {} of its values times the {}": lambda values, by: sum(map(mul, values, by)),
}
"""Of two values of an event."""
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
    if len(sample.kinds) > 1:
        yield from _list_plain(sample)
    if len(sample.kinds) != 1 or sample.kinds[0] not in _NUMBERS:
        return
    if own in ("mean", "geometric-mean"):
        yield from _list_means(sample)
    if own == "mean":
        yield from _list_steps(sample)
    if own == "median":
        yield from _list_places()
    if own.endswith("standard-deviation"):
        yield from _list_squares(int(own.startswith("sample")))


def _values(events: Sequence[Event]) -> list[Fraction]:
    return [Fraction(e.value) for e in events if e.value is not None]


def _answer(make: Callable[[Sequence[Event]], Any], events: Sequence[Event]) -> Answer:
    return answer_of(make(events), near=_NEAR) if any(e.value is not None for e in events) else NULL


def _list_plain(sample: Sample) -> Iterator[Hypothesis]:
    """A plain aggregate of one of several values, as where a mean forgets its weights; or the other one for weights."""
    there = [i for i, kind in enumerate(sample.kinds[: len(_PLACE)]) if kind in _NUMBERS]
    if sample.kind not in _NUMBERS:
        return
    for i in there:
        for said, make in _PLAIN.items():
            why = f"answers the {said} of the {_PLACE[i]} of its values alone"
            yield Hypothesis("another aggregate", why, answer=partial(_answer_values, make, (i,)))
    for i, j in permutations(there, 2):
        for said, weigh in _WEIGHED.items():
            why = said.format(_PLACE[i], _PLACE[j])
            yield Hypothesis("another aggregate", why, answer=partial(_answer_values, weigh, (i, j)))


def _answer_values(make: Callable[..., Any], of: Sequence[int], events: Sequence[Event]) -> Answer:
    rows = [[e.value[i] for i in of] for e in events if e.value is not None]
    columns = zip(*([Fraction(cell) for cell in row] for row in rows if None not in row), strict=True)
    made = [list(column) for column in columns]
    return answer_of(make(*made), near=_NEAR) if made else NULL


def _list_means(sample: Sample) -> Iterator[Hypothesis]:
    """Means of other kinds; and the mean of what is made of each value, from which it is made back, or is not."""
    own = sample.aggregation.name.replace("-", " ")
    means: dict[str, Callable[[Sequence[Event]], Any]] = {
        **{said: partial(_turn, to, back) for said, (to, back) in (_TURNED | _MISMADE).items()},
        "mean that weighs each value by how long it was the last": _weigh_by_time,
        "mean of different values": lambda es: Fraction(sum(set(_values(es)))) / len(set(_values(es))),
    }
    means.pop(own, None)
    looked = choose_findings(sample)
    for said, make in means.items():
        answer = partial(_answer, make)
        if said not in _MISMADE or fits_some(sample, looked, answer):
            yield Hypothesis("another aggregate", f"answers the {said}", answer=answer)


def _turn(to: Callable[[Any], Any], back: Callable[[Any], Any], events: Sequence[Event]) -> Any:
    values = [to(v) for v in _values(events)]
    return back(sum(values) / len(values))


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


def _list_squares(freedom: int) -> Iterator[Hypothesis]:
    """Sums of squares that are kept step by step with one mean, of the two that each value needs."""
    for order, place in _ORDERS.items():
        for said, old, start in (
            ("the mean before it, which is 0 at first", True, Fraction(0)),
            ("the mean before it", True, None),
            ("the mean with it", False, None),
        ):
            why = f"adds the square of how far each value is from {said}, in the order of {order}"
            yield Hypothesis(
                "added wrongly", why, answer=partial(_answer, partial(_square, place, old, start, freedom))
            )


def _square(
    place: Callable[[Event], tuple[int, ...]],
    old: bool,
    start: Fraction | None,
    freedom: int,
    events: Sequence[Event],
) -> float | None:
    """The deviation that this makes; null where it is not defined."""
    values = [float(e.value) for e in sorted(events, key=place) if e.value is not None]
    mean, squares = values[0] if start is None else float(start), 0.0
    for n, value in enumerate(values, 1):
        before, mean = mean, mean + (value - mean) / n
        squares += (value - (before if old else mean)) ** 2
    return sqrt(squares / (len(values) - freedom)) if len(values) > freedom else None


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
