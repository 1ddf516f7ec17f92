"""Two-Stacks Lite: its invariants, loop invariant, cost and savings.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 4.

Conventions.  *p is `deque[p]`; v_i is `model[i]`, v_i ... v_{j-1} is `model.product(i, j)`, n is `model.size`.  The
paper's index i of *(F+i) is p - F for pointer p.
"""

from typing import Any

from swagproof.contracts.clause import Loop, for_each
from swagproof.contracts.in_order.two_stacks import Heights, insert_calls, insert_paid, query_calls

__all__ = ["insert_calls", "insert_paid", "query_calls"]


def pointer_order(s: Any) -> bool:
    """F <= B <= E"""
    return bool(s.F <= s.B <= s.E)


def ends(s: Any) -> bool:
    """F is the begin of the deque, E its end, and E - F = n"""
    return bool(s.F == s.deque.begin() and s.E == s.deque.end() and s.E - s.F == s.model.size)


@for_each("deque")
def contents(s: Any, p: Any) -> bool:
    """for i in 0 .. B-F-1: *(F+i) = v_i ... v_{B-F-1}; for i in B-F .. E-F-1: *(F+i) = v_i"""
    i = p - s.F
    if p < s.B:
        return bool(s.deque[p] == s.model.product(i, s.B - s.F))
    return bool(s.deque[p] == s.model[i])


def aggB(s: Any) -> bool:
    """aggB = v_{B-F} ... v_{E-F-1}"""
    return bool(s.aggB == s.model.product(s.B - s.F, s.E - s.F))


INVARIANT = (pointer_order, ends, contents, aggB)
AT_ONCE = (pointer_order, ends)


def heights(s: Any) -> Heights:
    """|l_F| and |l_B|."""
    return Heights(s.B - s.F, s.E - s.B)


def flipped(s: Any, old: Heights) -> bool:
    """|l_F| = 0 before: all elements but the oldest are in l_F, |l_F| = |l_B| before - 1 and |l_B| = 0"""
    return bool(old.F != 0 or heights(s) == Heights(old.B - 1, 0))


# The flip rewrites from the newest element to the oldest [evict l.11]: I is the last element rewritten.


def flip_pointers(s: Any, I: Any) -> bool:
    """F = B and F <= I <= E - 1, and E - F = n"""
    return bool(
        s.F == s.B
        and s.F <= I <= s.E - 1
        and s.F == s.deque.begin()
        and s.E == s.deque.end()
        and s.E - s.F == s.model.size
    )


@for_each("deque")
def flipped_contents(s: Any, p: Any, I: Any) -> bool:
    """for p in F .. I-1: *p is the element; for p in I .. E-1: *p is the product from there to the end"""
    i = p - s.F
    if p < I:
        return bool(s.deque[p] == s.model[i])
    return bool(s.deque[p] == s.model.product(i, s.model.size))


def flip_calls(s: Any, I: Any) -> bool:
    """one combine call for each element rewritten so far: the newest needs none"""
    return bool(s.calls == s.E - 1 - I)


LOOPS = {"evict": (Loop(flip_pointers, flipped_contents, flip_calls, variant=lambda s, I: I - s.F),)}


# Theorem 4.2; insert and query as in Theorem 3.2.


def evict_calls(n: int, calls: int) -> bool:
    """evict invokes combine at most n - 1 times, one less than the theorem says"""
    return calls <= n - 1


def space(n: int, kept: int) -> bool:
    """n + 1 partial aggregates"""
    return kept == n + 1


def savings(s: Any) -> int:
    """one coin on every element of l_B"""
    return s.E - s.B  # type: ignore[no-any-return]  # symbolic in proofs


def evict_paid(calls: int, before: int, after: int) -> bool:
    """Each evict is billed nothing: calls + savings' - savings <= 0; a flip leaves one coin over"""
    return calls + after - before <= 0
