"""DABA: its invariants, cost and debt.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 5.

Conventions.  *p is `deque[p]`; v_i is `model[i]`, v_i ... v_{j-1} is `model.product(i, j)`, n is `model.size`.  The
paper's index i of *(F+i) is p - F for the pointer p at hand.  |l_p| is the distance from p to the end of its sublist.
"""

from typing import Any

from swagproof.contracts.clause import Loops, for_each
from swagproof.contracts.in_order.two_stacks import query_calls, space

__all__ = ["query_calls", "space"]


def pointer_order(s: Any) -> bool:
    """F <= L <= R <= A <= B <= E"""
    return bool(s.F <= s.L <= s.R <= s.A <= s.B <= s.E)


def ends(s: Any) -> bool:
    """F is the begin of the deque, E its end, and E - F = n"""
    return bool(s.F == s.deque.begin() and s.E == s.deque.end() and s.E - s.F == s.model.size)


def sizes(s: Any) -> bool:
    """(|l_F| = 0 and |l_B| = 0) or (|l_L| + |l_R| + |l_A| + 1 = |l_F| - |l_B| and |l_L| = |l_R|)"""
    l_F, l_L, l_R, l_A, l_B = s.B - s.F, s.R - s.L, s.A - s.R, s.B - s.A, s.E - s.B
    return bool((l_F == 0 and l_B == 0) or (l_L + l_R + l_A + 1 == l_F - l_B and l_L == l_R))


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
LOOPS: Loops = {}


# Theorem 5.2, worst case.  n is the window's size before the operation, calls the combine calls that it made.


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most four times"""
    return calls <= 4


def evict_calls(n: int, calls: int) -> bool:
    """evict invokes combine at most three times"""
    return calls <= 3


# Theorem 5.2, average: as printed it holds for neither operation by itself (erratum DABA-2).  What holds is an
# account: every shrink adds one element to l_A and every shift takes one away, so that after any history
#     combine calls = 2.5 inserts + 1.5 evicts + 1.5 |l_A| - 1.5 (operations that ended in the singleton case).


def savings(s: Any) -> int:
    """|l_A|: how many shifts are still owed for shrinks already made; a debt, not a deposit"""
    return s.B - s.A  # type: ignore[no-any-return]  # symbolic in proofs


def insert_paid(calls: int, before: int, after: int) -> bool:
    """calls - 1.5 (|l_A|' - |l_A|) is 2.5, or 1 when the singleton case was taken"""
    return 2 * calls - 3 * (after - before) == 5 or (calls == 1 and before == after == 0)


def evict_paid(calls: int, before: int, after: int) -> bool:
    """calls - 1.5 (|l_A|' - |l_A|) is 1.5, or 0 when the singleton case was taken"""
    return 2 * calls - 3 * (after - before) == 3 or (calls == 0 and before == after == 0)
