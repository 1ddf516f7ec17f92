"""Two-Stacks: its invariants, loop invariant, cost and savings.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 3.

Conventions.  F[i] is the i-th element of the front stack from the left, which is depth i: its top is on the left.
B[j] is the j-th of the back stack from the left: its bottom is on the left, so B[j] is at depth |B| - 1 - j.
v_i is `model[i]`, v_i ... v_{j-1} is `model.product(i, j)`, n is `model.size`.
"""

from typing import Any, NamedTuple

from swagproof.contracts.clause import Loop, for_each


def length(s: Any) -> bool:
    """|F| + |B| = n"""
    return bool(s.F.size + s.B.size == s.model.size)


@for_each("F")
def front_values(s: Any, i: int) -> bool:
    """for i in 0 .. |F|-1: F[i].val = v_i"""
    return bool(s.F[i].val == s.model[i])


@for_each("F")
def front_aggregates(s: Any, i: int) -> bool:
    """for i in 0 .. |F|-1: F[i].agg = v_i ... v_{|F|-1}"""
    return bool(s.F[i].agg == s.model.product(i, s.F.size))


@for_each("B")
def back_values(s: Any, depth: int) -> bool:
    """for i in |F| .. |F|+|B|-1: B[i-|F|].val = v_i"""
    i = s.F.size + s.B.size - 1 - depth
    return bool(s.B[depth].val == s.model[i])


@for_each("B")
def back_aggregates(s: Any, depth: int) -> bool:
    """for i in |F| .. |F|+|B|-1: B[i-|F|].agg = v_{|F|} ... v_i"""
    i = s.F.size + s.B.size - 1 - depth
    return bool(s.B[depth].agg == s.model.product(s.F.size, i + 1))


INVARIANT = (length, front_values, front_aggregates, back_values, back_aggregates)
AT_ONCE = (length,)


class Heights(NamedTuple):
    """|F| and |B|."""

    F: Any
    B: Any


def heights(s: Any) -> Heights:
    """Return the heights of the stacks."""
    return Heights(s.F.size, s.B.size)


def flipped(s: Any, old: Heights) -> bool:
    """|F| = 0 before: all elements but the oldest are in F, |F| = |B| before - 1 and |B| = 0"""
    return bool(old.F != 0 or heights(s) == Heights(old.B - 1, 0))


# The flip moves the newest element of B to F at each turn [evict l.4]; until it ends, B holds the older elements.


@for_each("F")
def flipped_values(s: Any, i: int) -> bool:
    """for i in 0 .. |F|-1: F[i].val = v_{|B|+i}"""
    return bool(s.F[i].val == s.model[s.B.size + i])


@for_each("F")
def flipped_aggregates(s: Any, i: int) -> bool:
    """for i in 0 .. |F|-1: F[i].agg = v_{|B|+i} ... v_{n-1}"""
    return bool(s.F[i].agg == s.model.product(s.B.size + i, s.model.size))


@for_each("B")
def unflipped_values(s: Any, depth: int) -> bool:
    """for j in 0 .. |B|-1: B[j].val = v_j"""
    return bool(s.B[depth].val == s.model[s.B.size - 1 - depth])


def flip_calls(s: Any) -> bool:
    """one combine call for each element moved so far"""
    return bool(s.calls == s.F.size)


LOOPS = {
    "evict": (
        Loop(length, flipped_values, flipped_aggregates, unflipped_values, flip_calls, variant=lambda s: s.B.size),
    )
}


# Theorem 3.2.  n is the window's size before the operation, calls the combine calls that it made.


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine exactly one time"""
    return calls == 1


def evict_calls(n: int, calls: int) -> bool:
    """evict invokes combine at most n times"""
    return calls <= n


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine exactly one time"""
    return calls == 1


def space(n: int, kept: int) -> bool:
    """2n partial aggregates"""
    return kept == 2 * n


def savings(s: Any) -> int:
    """one coin on every element of B"""
    return s.B.size  # type: ignore[no-any-return]  # symbolic in proofs


def insert_paid(calls: int, before: int, after: int) -> bool:
    """Each insert is billed two coins: calls + savings' - savings = 2"""
    return calls + after - before == 2


def evict_paid(calls: int, before: int, after: int) -> bool:
    """Each evict is billed nothing, its calls come out of the savings: calls + savings' - savings = 0"""
    return calls + after - before == 0
