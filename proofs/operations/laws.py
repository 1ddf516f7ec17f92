"""Laws for CrossHair to confirm: of the pointer step and of the operations, by running their own code.

A law is a function that returns whether it holds for its arguments (`post: _`), if they meet its precondition
(`pre:`).  Over ints, and tuples of ints, CrossHair explores every path and leaves the arithmetic to the solver, so a
confirmed law holds for integers of any size.  CrossHair does not support strings, bits and the affine maps' modulus;
these run over our own symbolic values (swagproof.proofs.operations.unknowns).

`swagproof.proofs.operations.wrong_laws` has the laws to refute; `swagproof.proofs.operations.crosshair` runs both.
"""

from typing import Any, TypeAlias

from swagproof.models.containers.deque import CHUNK, place
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    ARG_MIN,
    COUNT,
    FIRST,
    GEOMETRIC_MEAN,
    LAST,
    M4,
    MATRIX,
    MAX,
    MAX_COUNT,
    MEAN,
    MIN,
    MIN_COUNT,
    PRIME,
    PRODUCT,
    STANDARD_DEVIATION,
    SUM,
    UNIMODULAR,
    Matrix,
    Operation,
)

Tally: TypeAlias = tuple[int | None, int]
Measured: TypeAlias = tuple[int, int] | None
Pair: TypeAlias = tuple[int, int]
Extremes: TypeAlias = tuple[Pair, Pair, Pair, Pair] | None
Affine: TypeAlias = tuple[int, int]


def tallies(*values: Tally) -> bool:
    """A count of 0 for None, which is the identity: nothing else is a partial aggregate of min-count and max-count."""
    return all(m is not None or count == 0 for m, count in values)


def canonical(a: Affine) -> bool:
    """Slope and shift as lift leaves them."""
    return 0 < a[0] < PRIME and 0 <= a[1] < PRIME


def monoid(operation: Operation[Any, Any, Any], a: Any, b: Any, c: Any) -> bool:
    """Associativity, and the identity on either side."""
    combine, identity = operation.combine, operation.identity
    return bool(
        combine(combine(a, b), c) == combine(a, combine(b, c)) and combine(identity, a) == a == combine(a, identity)
    )


def commutes(operation: Operation[Any, Any, Any], a: Any, b: Any) -> bool:
    """combine(a, b) = combine(b, a)"""
    return bool(operation.combine(a, b) == operation.combine(b, a))


def removes(operation: Operation[Any, Any, Any], a: Any, b: Any) -> bool:
    """remove(a, combine(a, b)) = b"""
    return operation.remove is not None and bool(operation.remove(a, operation.combine(a, b)) == b)


# The pointer step


def place_keeps_the_position(offset: int, steps: int) -> bool:
    """post: _"""
    chunks, there = place(offset, steps)
    return chunks * CHUNK + there == offset + steps


def place_stays_in_a_chunk(offset: int, steps: int) -> bool:
    """post: _"""
    _, there = place(offset, steps)
    return 0 <= there < CHUNK


def one_step_crosses_at_most_one_boundary(offset: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    return place(offset, 1)[0] in (0, 1) and place(offset, -1)[0] in (0, -1)


def a_step_on_and_a_step_back_lead_home(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    on, there = place(offset, steps)
    back, home = place(there, -steps)
    return (on + back, home) == (0, offset)


# Operations over ints: every integer, confirmed


def count_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(COUNT, a, b, c)


def count_commutes(a: int, b: int) -> bool:
    """post: _"""
    return commutes(COUNT, a, b)


def count_removes_the_oldest(a: int, b: int) -> bool:
    """post: _"""
    return removes(COUNT, a, b)


def sum_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(SUM, a, b, c)


def sum_commutes(a: int, b: int) -> bool:
    """post: _"""
    return commutes(SUM, a, b)


def sum_removes_the_oldest(a: int, b: int) -> bool:
    """post: _"""
    return removes(SUM, a, b)


def product_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(PRODUCT, a, b, c)


def product_commutes(a: int, b: int) -> bool:
    """post: _"""
    return commutes(PRODUCT, a, b)


def mean_is_a_monoid(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """post: _"""
    return monoid(MEAN, a, b, c)


def mean_commutes(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """post: _"""
    return commutes(MEAN, a, b)


def mean_removes_the_oldest(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """post: _"""
    return removes(MEAN, a, b)


def geometric_mean_is_a_monoid(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    """post: _"""
    return monoid(GEOMETRIC_MEAN, a, b, c)


def geometric_mean_commutes(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """post: _"""
    return commutes(GEOMETRIC_MEAN, a, b)


def geometric_mean_removes_the_oldest(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """
    pre: a[1] > 0 and b[1] > 0
    post: _
    """
    return removes(GEOMETRIC_MEAN, a, b)


def deviation_is_a_monoid(a: tuple[int, int, int], b: tuple[int, int, int], c: tuple[int, int, int]) -> bool:
    """post: _"""
    return monoid(STANDARD_DEVIATION, a, b, c)


def deviation_commutes(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """post: _"""
    return commutes(STANDARD_DEVIATION, a, b)


def deviation_removes_the_oldest(a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
    """post: _"""
    return removes(STANDARD_DEVIATION, a, b)


def min_is_a_monoid(a: int | None, b: int | None, c: int | None) -> bool:
    """post: _"""
    return monoid(MIN, a, b, c)


def min_commutes(a: int | None, b: int | None) -> bool:
    """post: _"""
    return commutes(MIN, a, b)


def max_is_a_monoid(a: int | None, b: int | None, c: int | None) -> bool:
    """post: _"""
    return monoid(MAX, a, b, c)


def max_commutes(a: int | None, b: int | None) -> bool:
    """post: _"""
    return commutes(MAX, a, b)


def min_count_is_a_monoid(a: Tally, b: Tally, c: Tally) -> bool:
    """
    pre: tallies(a, b, c)
    post: _
    """
    return monoid(MIN_COUNT, a, b, c)


def min_count_commutes(a: Tally, b: Tally) -> bool:
    """
    pre: tallies(a, b)
    post: _
    """
    return commutes(MIN_COUNT, a, b)


def max_count_is_a_monoid(a: Tally, b: Tally, c: Tally) -> bool:
    """
    pre: tallies(a, b, c)
    post: _
    """
    return monoid(MAX_COUNT, a, b, c)


def max_count_commutes(a: Tally, b: Tally) -> bool:
    """
    pre: tallies(a, b)
    post: _
    """
    return commutes(MAX_COUNT, a, b)


def arg_min_is_a_monoid(a: Measured, b: Measured, c: Measured) -> bool:
    """post: _"""
    return monoid(ARG_MIN, a, b, c)


def arg_max_is_a_monoid(a: Measured, b: Measured, c: Measured) -> bool:
    """post: _"""
    return monoid(ARG_MAX, a, b, c)


def m4_is_a_monoid(a: Extremes, b: Extremes, c: Extremes) -> bool:
    """post: _"""
    return monoid(M4, a, b, c)


def first_is_a_monoid(a: int | None, b: int | None, c: int | None) -> bool:
    """post: _"""
    return monoid(FIRST, a, b, c)


def last_is_a_monoid(a: int | None, b: int | None, c: int | None) -> bool:
    """post: _"""
    return monoid(LAST, a, b, c)


def matrix_is_a_monoid(a: Matrix, b: Matrix, c: Matrix) -> bool:
    """post: _"""
    return monoid(MATRIX, a, b, c)


def unimodular_removes_the_oldest(a: Matrix, b: Matrix) -> bool:
    """
    pre: abs(a[0] * a[3] - a[1] * a[2]) == 1
    post: _
    """
    return removes(UNIMODULAR, a, b)


# An operation that is removable beyond it: two slopes


def affine_of_two_slopes_removes_the_oldest(s: int, t: int) -> bool:
    """
    pre: canonical((8, t))
    post: _
    """
    return removes(AFFINE, (7, s), (8, t))
