"""Aggregations of all elements at once, by definition: the median, the k greatest, how many different ones.

A median of medians is no median: these are no products of small partial aggregates, and the papers' algorithms are not
for them.  People build windows of them all the same, in trees and heaps of their own.  So here the partial aggregate is
the elements themselves, as much of them as the answer may need, and `lower` is the definition.
"""

from fractions import Fraction
from typing import Any, Final

from swagproof.models.operations import Number, Operation


def _median(ordered: tuple[Number, ...]) -> Number | None:
    """The middle one, or the mean of the two in the middle; None of nothing."""
    if not ordered:
        return None
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    total = ordered[middle - 1] + ordered[middle]
    return total / 2 if isinstance(total, float) else Fraction(total, 2)


MEDIAN: Final[Operation[Number, tuple[Number, ...], Number | None]] = Operation(
    "median",
    lift=lambda e: (e,),
    combine=lambda a, b: tuple(sorted(a + b)),
    lower=_median,
    identity=(),
    commutative=True,
    samples=(3, 1, 2, 2, 7),
)
"""The middle element; of an even number, the mean of the two in the middle, exactly.

>>> MEDIAN.lower((1, 2, 2, 7)), MEDIAN.lower((1, 3)), MEDIAN.lower((1, 2))
(Fraction(2, 1), Fraction(2, 1), Fraction(3, 2))
"""

DISTINCT_COUNT: Final[Operation[Any, frozenset[Any], int]] = Operation(
    "distinct-count",
    lift=lambda e: frozenset((e,)),
    combine=lambda a, b: a | b,
    lower=len,
    identity=frozenset[Any](),
    commutative=True,
    samples=(3, 1, 2, 2, 1),
)
"""The number of different elements.

>>> DISTINCT_COUNT.lower(frozenset((3, 1, 3)))
2
"""


def top(k: int) -> Operation[Number, tuple[Number, ...], tuple[Number, ...]]:
    """The k greatest elements, the greatest first, equal ones as often as they are there.

    >>> greatest = top(2)
    >>> greatest.combine(greatest.combine(greatest.lift(3), greatest.lift(7)), greatest.lift(7))
    (7, 7)
    """

    def greatest(elements: tuple[Number, ...]) -> tuple[Number, ...]:
        return tuple(sorted(elements, reverse=True)[:k])

    return Operation(
        f"top-{k}",
        lift=lambda e: greatest((e,)),
        combine=lambda a, b: greatest(a + b),
        lower=lambda v: v,
        identity=(),
        commutative=True,
        samples=(3, 1, 2, 2, 7),
    )
