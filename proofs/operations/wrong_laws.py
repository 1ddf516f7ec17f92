"""False laws that CrossHair must refute with a counterexample: a checker that confirmed these would check nothing.

They are variants of `swagproof.proofs.operations.laws`, in the same form.  The last one must be reported as having an
unsatisfiable precondition.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from swagproof.models.containers.deque import CHUNK, place
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    FIRST,
    MATRIX,
    MAX,
    MAX_COUNT,
    MEAN,
    PRODUCT,
    STANDARD_DEVIATION,
    SUM,
    UNIMODULAR,
    Matrix,
    Operation,
)
from swagproof.proofs.operations.laws import Measured, Pair, Tally, commutes, monoid, removes


def combining(operation: Operation[Any, Any, Any], combine: Callable[[Any, Any], Any]) -> Operation[Any, Any, Any]:
    """The operation with another combine."""
    return replace(operation, combine=combine)


def removing(operation: Operation[Any, Any, Any], remove: Callable[[Any, Any], Any]) -> Operation[Any, Any, Any]:
    """The operation with another remove."""
    return replace(operation, remove=remove)


# The pointer step


def place_that_divides_towards_zero(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    chunks = int((offset + steps) / CHUNK)
    return 0 <= offset + steps - chunks * CHUNK < CHUNK


def place_that_crosses_one_late(offset: int, steps: int) -> bool:
    """post: _"""
    chunks, there = divmod(offset + steps, CHUNK + 1)
    return chunks * CHUNK + there == offset + steps


def place_that_stays_beyond_the_last_slot(offset: int, steps: int) -> bool:
    """post: _"""
    _, there = divmod(offset + steps, CHUNK + 1)
    return 0 <= there < CHUNK


def two_steps_cross_no_boundary(offset: int) -> bool:
    """
    pre: 0 <= offset < CHUNK - 1
    post: _
    """
    return place(offset, 2)[0] == 0


def a_step_back_that_is_one_short(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    on, there = place(offset, steps)
    back, home = place(there, 1 - steps)
    return (on + back, home) == (0, offset)


# Monoids


def subtraction_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(combining(SUM, lambda a, b: a - b), a, b, c)


def average_is_associative(a: int, b: int, c: int) -> bool:
    """post: _"""
    return (a + (b + c) // 2) // 2 == ((a + b) // 2 + c) // 2


def average_of_averages_is_a_monoid(a: Pair, b: Pair, c: Pair) -> bool:
    """post: _"""
    return monoid(combining(MEAN, lambda a, b: (a[0] + b[0], (a[1] + b[1]) // 2)), a, b, c)


def max_from_zero_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(replace(MAX, identity=0), a, b, c)


def sum_that_saturates_is_a_monoid(a: int, b: int, c: int) -> bool:
    """post: _"""
    return monoid(combining(SUM, lambda a, b: min(a + b, 100) if a and b else a + b), a, b, c)


def deviation_that_squares_the_sums_is_a_monoid(
    a: tuple[int, int, int], b: tuple[int, int, int], c: tuple[int, int, int]
) -> bool:
    """post: _"""
    wrong = combining(STANDARD_DEVIATION, lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2] + a[1] * b[2]))
    return monoid(wrong, a, b, c)


def _last_wins_on_the_left(a: Measured, b: Measured) -> Measured:
    if a is None or b is None:
        return a or b
    return b if b[0] > a[0] or (b[0] == a[0] and a[1] + b[1] > 0) else a


def arg_max_with_two_ways_to_break_a_tie_is_a_monoid(a: Measured, b: Measured, c: Measured) -> bool:
    """post: _"""
    return monoid(combining(ARG_MAX, _last_wins_on_the_left), a, b, c)


def max_count_of_any_pair_is_a_monoid(a: Tally, b: Tally, c: Tally) -> bool:
    """post: _"""
    return monoid(MAX_COUNT, a, b, c)


def matrix_transposed_on_the_left_is_a_monoid(a: Matrix, b: Matrix, c: Matrix) -> bool:
    """post: _"""

    def combine(a: Matrix, b: Matrix) -> Matrix:
        return MATRIX.combine((a[0], a[2], a[1], a[3]), b)

    return monoid(combining(MATRIX, combine), a, b, c)


# Claims that some operations cannot make


def arg_max_commutes(a: Measured, b: Measured) -> bool:
    """post: _"""
    return commutes(ARG_MAX, a, b)


def first_commutes(a: int | None, b: int | None) -> bool:
    """post: _"""
    return commutes(FIRST, a, b)


def matrix_commutes(a: Matrix, b: Matrix) -> bool:
    """post: _"""
    return commutes(MATRIX, a, b)


def max_count_that_forgets_ties_commutes(a: Tally, b: Tally) -> bool:
    """
    pre: a[0] is not None and b[0] is not None
    post: _
    """
    return commutes(combining(MAX_COUNT, lambda a, b: b if (b[0] or 0) > (a[0] or 0) else a), a, b)


def product_removes_the_oldest(a: int, b: int) -> bool:
    """post: _"""
    return removes(removing(PRODUCT, lambda a, ab: ab // a), a, b)


def sum_removes_the_other_way_round(a: int, b: int) -> bool:
    """post: _"""
    return removes(removing(SUM, lambda a, ab: a - ab), a, b)


def unimodular_removes_on_the_wrong_side(a: Matrix, b: Matrix) -> bool:
    """
    pre: a[0] * a[3] - a[1] * a[2] == 1
    post: _
    """
    inverse = a[3], -a[1], -a[2], a[0]
    return removes(removing(UNIMODULAR, lambda a, ab: UNIMODULAR.combine(ab, inverse)), a, b)


def affine_removes_on_the_wrong_side(r: int, s: int) -> bool:
    """post: _"""
    a, b = AFFINE.lift((7, r)), AFFINE.lift((8, s))
    assert AFFINE.remove is not None
    return AFFINE.combine(AFFINE.combine(a, b), AFFINE.remove(a, AFFINE.identity)) == b


# A precondition that nothing meets


def nothing_is_both_left_and_right(offset: int) -> bool:
    """
    pre: offset < 0
    pre: offset >= CHUNK
    post: _
    """
    return place(offset, 0) == (0, offset)
