"""Definitions of holistic aggregations: the median, the k greatest elements, and the number of distinct ones.

These are not products of small partial aggregates (a median of medians is no median), so the papers' algorithms do not
apply.  Such windows are still common, implemented with trees and heaps.  Here the partial aggregate is the elements
themselves, as many as the answer may need, and `lower` is the definition.
"""

from fractions import Fraction
from typing import Any, Final

from swagproof.models.operations import Number, Operation


def _median(ordered: tuple[Number, ...]) -> Number | None:
    """Return the middle element, or the mean of the two in the middle; None if there is no element."""
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
"""The median; for an even number of elements, the exact mean of the two in the middle.

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
"""The number of distinct elements.

>>> DISTINCT_COUNT.lower(frozenset((3, 1, 3)))
2
"""


def top(k: int) -> Operation[Number, tuple[Number, ...], tuple[Number, ...]]:
    """The k greatest elements in descending order, with repeats.

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
