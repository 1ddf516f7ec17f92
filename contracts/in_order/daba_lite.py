"""DABA Lite: its invariants, cost and debt.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 6.

Conventions as for DABA.  The size invariants, and the contract of fixup, are DABA's own.
"""

from typing import Any

from swagproof.contracts.clause import Loops, for_each
from swagproof.contracts.in_order.daba import (
    ends,
    flip,
    lengths,
    one_short,
    pointer_order,
    query_calls,
    savings,
    shift,
    shrink,
    singleton,
    sizes,
)

__all__ = [
    "ends",
    "flip",
    "lengths",
    "one_short",
    "pointer_order",
    "query_calls",
    "savings",
    "shift",
    "shrink",
    "singleton",
    "sizes",
]


@for_each("deque")
def contents(s: Any, p: Any) -> bool:
    """
    for i in   0 .. L-F-1: *(F+i) = v_i ... v_{B-F-1}
    for i in L-F .. R-F-1: *(F+i) = v_i ... v_{R-F-1}
    for i in R-F .. A-F-1: *(F+i) = v_i
    for i in A-F .. B-F-1: *(F+i) = v_i ... v_{B-F-1}
    for i in B-F .. E-F-1: *(F+i) = v_i
    """
    i, R, B = p - s.F, s.R - s.F, s.B - s.F
    if p < s.L:
        return bool(s.deque[p] == s.model.product(i, B))
    if p < s.R:
        return bool(s.deque[p] == s.model.product(i, R))
    if p < s.A:
        return bool(s.deque[p] == s.model[i])
    if p < s.B:
        return bool(s.deque[p] == s.model.product(i, B))
    return bool(s.deque[p] == s.model[i])


def aggRA(s: Any) -> bool:
    """L = R or aggRA = v_{R-F} ... v_{B-F-1}"""
    return bool(s.L == s.R or s.aggRA == s.model.product(s.R - s.F, s.B - s.F))


def aggB(s: Any) -> bool:
    """aggB = v_{B-F} ... v_{E-F-1}"""
    return bool(s.aggB == s.model.product(s.B - s.F, s.E - s.F))


INVARIANT = (pointer_order, ends, sizes, contents, aggRA, aggB)
AT_ONCE = (pointer_order, ends, sizes)
LOOPS: Loops = {}


# Theorem 6.2, worst case.


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most three times"""
    return calls <= 3


def evict_calls(n: int, calls: int) -> bool:
    """evict invokes combine at most two times"""
    return calls <= 2


def space(n: int, kept: int) -> bool:
    """n + 2 partial aggregates"""
    return kept == n + 2


# Theorem 6.2, average: as for DABA (erratum DABA-2), with two combine calls a shrink.


def insert_paid(calls: int, before: int, after: int) -> bool:
    """calls - (|l_A|' - |l_A|) is 2, or 1 when the singleton case was taken"""
    return calls - (after - before) == 2 or (calls == 1 and before == after == 0)


def evict_paid(calls: int, before: int, after: int) -> bool:
    """calls - (|l_A|' - |l_A|) is 1, or 0 when the singleton case was taken"""
    return calls - (after - before) == 1 or (calls == 0 and before == after == 0)
