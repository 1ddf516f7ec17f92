"""Recalculate-from-scratch: its invariants, loop invariant and cost.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 8.1.
"""

from typing import Any

from swagproof.contracts.clause import Loop, for_each
from swagproof.contracts.in_order.daba import ends

__all__ = ["ends"]


@for_each("deque")
def values(s: Any, p: Any) -> bool:
    """for i in 0 .. E-F-1: *(F+i) = v_i"""
    return bool(s.deque[p] == s.model[p - s.F])


INVARIANT = (ends, values)
AT_ONCE = (ends,)


def scanned(s: Any, p: Any, product: Any) -> bool:
    """F <= p <= E and product = v_0 ... v_{p-F-1}, at one combine call for each"""
    return bool(ends(s) and s.F <= p <= s.E and product == s.model.product(0, p - s.F) and s.calls == p - s.F)


LOOPS = {"query": (Loop(scanned, values, variant=lambda s, p: s.E - p),)}


def insert_calls(n: int, calls: int) -> bool:
    """insert does not invoke combine"""
    return calls == 0


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine O(n) times: n of them here, the first with the identity"""
    return calls == n


def space(n: int, kept: int) -> bool:
    """n values"""
    return kept == n
