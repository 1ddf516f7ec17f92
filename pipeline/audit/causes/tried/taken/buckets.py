"""Values that a job counts in buckets, as of a histogram, so that an answer is that of a bucket: its lower or upper
bound, its middle, or a number on the line between its bounds.

Buckets are as wide each, or twice as wide as the one before, or go by ones, twos and fives.  How wide they are the
results say, where they are bounds or middles: each is a multiple of half a width; else those that people choose are
tried.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import gcd, log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_CAUSE: Final = "in buckets"
_DIGITS: Final = (1, Fraction(3, 2), 2, Fraction(5, 2), 3, 4, 5, 6, 8)
_LEAST: Final = 1000
"""How many buckets there are at most from the least value to the greatest."""
_LARGEST: Final = 10**6
"""How many multiples of the least unit a result is, at most, of which a width is read off."""

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class _Buckets:
    """How values are divided: in words, and the bounds of the bucket of a value."""

    said: str
    find: Callable[[Fraction], Bounds]


def list_buckets(sample: Sample) -> Iterator[Hypothesis]:
    """Medians of each division, and the way to answer of a bucket; other aggregates of values that are a bucket's."""
    own = sample.aggregation.name
    numbers = len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal")
    if not numbers or sample.kind not in ("int", "float", "decimal") or own.endswith("count"):
        return
    looked, tried, found = choose_findings(sample), 0, list[Hypothesis]()
    for buckets in _list_buckets(sample, looked):
        ways = [(why, answer, RARE) for why, answer in _list_of_values(sample, buckets)]  # to round them is plainer
        ways += [(why, answer, 0.0) for why, answer in _list_of_median(buckets)] if own == "median" else []
        for why, answer, spare in ways:
            tried += 1
            if fits_some(sample, looked, answer, share=2):
                found.append(Hypothesis(_CAUSE, why, answer=answer, needs=2, spare=spare))
    for one in found:
        yield replace(one, bits=log2(tried))


def _list_buckets(sample: Sample, looked: Sequence[Name]) -> Iterator[_Buckets]:
    values = [Fraction(e.value) for es in sample.events.values() for e in es if e.value is not None]
    reach = max(values, default=Fraction(0)) - min(values, default=Fraction(0))
    if not reach:
        return
    for width in sorted({*_read_widths(sample, looked), *_list_widths(reach)}):
        if width <= reach <= width * _LEAST:
            yield _Buckets(f"{float(width):,.9g} wide", partial(_find_even, width))
    if min(values) > 0:
        yield _Buckets("each twice as wide as the one before", partial(_find_among, (1,), 2))
        yield _Buckets("each ten times as wide as the one before", partial(_find_among, (1,), 10))
        yield _Buckets("from 1 to 2, to 5, to 10, and so on", partial(_find_among, (1, 2, 5), 10))
        yield _Buckets("from 1 to 2.5, to 5, to 10, and so on", partial(_find_among, (1, Fraction(5, 2), 5), 10))


def _list_widths(reach: Fraction) -> Iterator[Fraction]:
    """Those that people choose, up to a few hundred buckets."""
    round_ = [Fraction(10) ** n * digit for n in range(-6, 10) for digit in _DIGITS]
    for width in (*round_, *(Fraction(2**n) for n in range(4, 20))):
        if reach / 300 <= width <= reach / 2:
            yield width


def _read_widths(sample: Sample, looked: Sequence[Name]) -> Iterator[Fraction]:
    """What divides all results that are looked at, as bounds; and as middles, of which two lie a width apart."""
    got = [Fraction(value) for name in looked if (value := got_number(sample, name)) is not None]
    decimal = [value.limit_denominator(_LARGEST) for value in got]
    for width in (_divide(decimal), _divide([value - decimal[0] for value in decimal])):
        if width:
            yield width


def _divide(values: Sequence[Fraction]) -> Fraction:
    """The greatest number of which all are multiples."""
    made = Fraction(0)
    for value in values:
        common = made.denominator * value.denominator
        made = Fraction(gcd(int(made * common), int(value * common)), common)
    return made


def _find_even(width: Fraction, value: Fraction) -> Bounds:
    low = value // width * width
    return low, low + width


@lru_cache(maxsize=4096)
def _find_among(digits: tuple[int | Fraction, ...], base: int, value: Fraction) -> Bounds:
    """The bounds of a value above zero among these digits, times the powers of a base; any other is a bucket of its
    own, as where another mistake makes it so."""
    if value <= 0:
        return value, value
    unit = Fraction(1)
    while value < unit:
        unit /= base
    while value >= unit * base:
        unit *= base
    bounds = [*(unit * digit for digit in digits), unit * base]
    i = max(i for i, bound in enumerate(bounds) if bound <= value)
    return bounds[i], bounds[i + 1]


_OF_BUCKET: Final[dict[str, Callable[[Bounds], Fraction]]] = {
    "the lower bound": lambda bounds: bounds[0],
    "the middle": lambda bounds: (bounds[0] + bounds[1]) / 2,
    "the upper bound": lambda bounds: bounds[1],
}
_RANKS: Final[dict[str, Callable[[int], Fraction]]] = {
    "half of the values": lambda n: Fraction(n, 2),
    "more than half of the values": lambda n: Fraction(n // 2 + 1),
}
"""Of how many values, from the least on, the bucket that is answered has the last."""


def _list_of_values(sample: Sample, buckets: _Buckets) -> Iterator[tuple[str, Callable[[Sequence[Event]], Answer]]]:
    for which, of in _OF_BUCKET.items():
        why = f"takes for each value {which} of its bucket, {buckets.said}"
        yield why, partial(_answer_of_each, sample, buckets, of)


def _list_of_median(buckets: _Buckets) -> Iterator[tuple[str, Callable[[Sequence[Event]], Answer]]]:
    for said, rank in _RANKS.items():
        up_to = f"of the bucket up to which there are {said}, of buckets {buckets.said}"
        for which, of in _OF_BUCKET.items():
            yield f"answers {which} {up_to}", partial(_answer_bucket, buckets, rank, of)
        why = f"answers on the line between the bounds {up_to}"
        yield why, partial(_answer_between, buckets, rank)


def _answer_of_each(
    sample: Sample, buckets: _Buckets, of: Callable[[Bounds], Fraction], events: Sequence[Event]
) -> Answer:
    made = [
        e if e.value is None else sample.lift(e, _write(of(buckets.find(Fraction(e.value))), e.value)) for e in events
    ]
    return sample.answer(made)


def _write(value: Fraction, like: Any) -> Any:
    if isinstance(like, float):
        return float(value)
    return int(value) if value.denominator == 1 else value


def _sort_buckets(buckets: _Buckets, events: Sequence[Event]) -> list[Bounds]:
    return sorted(buckets.find(Fraction(e.value)) for e in events if e.value is not None)


def _answer_bucket(
    buckets: _Buckets, rank: Callable[[int], Fraction], of: Callable[[Bounds], Fraction], events: Sequence[Event]
) -> Answer:
    there = _sort_buckets(buckets, events)
    return answer_of(of(_find_ranked(there, rank)), near=_NEAR) if there else NULL


def _find_ranked(there: Sequence[Bounds], rank: Callable[[int], Fraction]) -> Bounds:
    return there[-(-rank(len(there)) // 1) - 1]


def _answer_between(buckets: _Buckets, rank: Callable[[int], Fraction], events: Sequence[Event]) -> Answer:
    """As far from the lower bound as the values of the bucket up to the rank are among all in it."""
    there = _sort_buckets(buckets, events)
    if not there:
        return NULL
    low, high = _find_ranked(there, rank)
    before, inside = sum(one[0] < low for one in there), there.count((low, high))
    return answer_of(low + (high - low) * (rank(len(there)) - before) / inside, near=_NEAR)
