"""DABA: its invariants, cost and debt.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 5.

Conventions.  *p is `deque[p]`; v_i is `model[i]`, v_i ... v_{j-1} is `model.product(i, j)`, n is `model.size`.  The
paper's index i of *(F+i) is p - F for a pointer p.  |l_p| is the distance from p to the end of its sublist.
"""

from typing import Any, NamedTuple

from swagproof.contracts.clause import Loops, for_each
from swagproof.contracts.in_order.two_stacks import query_calls, space

__all__ = ["query_calls", "space"]


def pointer_order(s: Any) -> bool:
    """F <= L <= R <= A <= B <= E"""
    return bool(s.F <= s.L <= s.R <= s.A <= s.B <= s.E)


def ends(s: Any) -> bool:
    """F is the begin of the deque, E its end, and E - F = n"""
    return bool(s.F == s.deque.begin() and s.E == s.deque.end() and s.E - s.F == s.model.size)


class Lengths(NamedTuple):
    """|l_F|, |l_L|, |l_R|, |l_A| and |l_B|."""

    F: Any
    L: Any
    R: Any
    A: Any
    B: Any


def lengths(s: Any) -> Lengths:
    """Return the lengths of the sublists; l_L, l_R and l_A are within l_F, which ends at B."""
    return Lengths(s.B - s.F, s.R - s.L, s.A - s.R, s.B - s.A, s.E - s.B)


def sizes(s: Any) -> bool:
    """(|l_F| = 0 and |l_B| = 0) or (|l_L| + |l_R| + |l_A| + 1 = |l_F| - |l_B| and |l_L| = |l_R|)"""
    l = lengths(s)
    return bool((l.F == 0 and l.B == 0) or (l.L + l.R + l.A + 1 == l.F - l.B and l.L == l.R))


@for_each("deque")
def values(s: Any, p: Any) -> bool:
    """for i in 0 .. E-F-1: *(F+i).val = v_i"""
    return bool(s.deque[p].val == s.model[p - s.F])


@for_each("deque")
def aggregates(s: Any, p: Any) -> bool:
    """
    for i in   0 .. L-F-1: *(F+i).agg = v_i ... v_{B-F-1}
    for i in L-F .. R-F-1: *(F+i).agg = v_i ... v_{R-F-1}
    for i in R-F .. A-F-1: *(F+i).agg = v_{R-F} ... v_i
    for i in A-F .. B-F-1: *(F+i).agg = v_i ... v_{B-F-1}
    for i in B-F .. E-F-1: *(F+i).agg = v_{B-F} ... v_i
    """
    i, R, B, agg = p - s.F, s.R - s.F, s.B - s.F, s.deque[p].agg
    if p < s.L:
        return bool(agg == s.model.product(i, B))
    if p < s.R:
        return bool(agg == s.model.product(i, R))
    if p < s.A:
        return bool(agg == s.model.product(R, i + 1))
    if p < s.B:
        return bool(agg == s.model.product(i, B))
    return bool(agg == s.model.product(B, i + 1))


INVARIANT = (pointer_order, ends, sizes, values, aggregates)
AT_ONCE = (pointer_order, ends, sizes)
LOOPS: Loops = {}


# fixup: its precondition, and the postcondition of each of its cases.  `old` are the lengths before it.


def one_short(s: Any) -> bool:
    """(|l_F| = 0 and |l_B| = 1) or (|l_L| + |l_R| + |l_A| = |l_F| - |l_B| and |l_L| = |l_R|)"""
    l = lengths(s)
    return bool((l.F == 0 and l.B == 1) or (l.L + l.R + l.A == l.F - l.B and l.L == l.R))


def singleton(s: Any, old: Lengths) -> bool:
    """|l_F| = 0 before: l_B becomes l_F, |l_L| = |l_R| = |l_A| = |l_B| = 0"""
    return bool(old.F != 0 or lengths(s) == Lengths(old.B, 0, 0, 0, 0))


def flip(s: Any, old: Lengths) -> bool:
    """|l_F| > 0 and |l_L| + |l_R| + |l_A| = 0 before: l_F and l_B become l_L and l_R, and a shrink follows"""
    flips = old.F > 0 and old.L + old.R + old.A == 0
    return bool(not flips or lengths(s) == Lengths(old.F + old.B, old.F - 1, old.B - 1, 1, 0))


def shift(s: Any, old: Lengths) -> bool:
    """|l_F| > 0, |l_L| = 0 and |l_A| > 0 before: |l_A| falls by 1, |l_L| = |l_R| = 0, |l_F| and |l_B| stay"""
    shifts = old.F > 0 and old.L == 0 and old.A > 0
    return bool(not shifts or lengths(s) == Lengths(old.F, 0, 0, old.A - 1, old.B))


def shrink(s: Any, old: Lengths) -> bool:
    """|l_F| > 0 and |l_L| > 0 before: |l_L| and |l_R| fall by 1, |l_A| grows by 1, |l_F| and |l_B| stay"""
    shrinks = old.F > 0 and old.L > 0
    return bool(not shrinks or lengths(s) == Lengths(old.F, old.L - 1, old.R - 1, old.A + 1, old.B))


# Theorem 5.2, worst case.  n is the window's size before the operation, calls the combine calls that it made.


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most four times"""
    return calls <= 4


def evict_calls(n: int, calls: int) -> bool:
    """evict invokes combine at most three times"""
    return calls <= 3


# Theorem 5.2, average: as printed it holds for neither operation by itself (erratum DABA-2).  Instead,
# every shrink adds one element to l_A and every shift takes one away, so that after any history
#     combine calls = 2.5 inserts + 1.5 evicts + 1.5 |l_A| - 1.5 (operations that ended in the singleton case).


def savings(s: Any) -> int:
    """|l_A|: the number of shifts that are still owed for the shrinks made"""
    return s.B - s.A  # type: ignore[no-any-return]  # symbolic in proofs


def insert_paid(calls: int, before: int, after: int) -> bool:
    """calls - 1.5 (|l_A|' - |l_A|) is 2.5, or 1 when the singleton case was taken"""
    return 2 * calls - 3 * (after - before) == 5 or (calls == 1 and before == after == 0)


def evict_paid(calls: int, before: int, after: int) -> bool:
    """calls - 1.5 (|l_A|' - |l_A|) is 1.5, or 0 when the singleton case was taken"""
    return 2 * calls - 3 * (after - before) == 3 or (calls == 0 and before == after == 0)
