"""Subtract-on-evict: its invariants and cost.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 8.3.
"""

from typing import Any

from swagproof.contracts.clause import Loops
from swagproof.contracts.in_order.recalculate import ends, values
from swagproof.contracts.in_order.two_stacks import insert_calls
from swagproof.contracts.in_order.two_stacks_lite import space

__all__ = ["ends", "insert_calls", "space", "values"]


def running(s: Any) -> bool:
    """agg = v_0 ... v_{n-1}"""
    return bool(s.agg == s.model.product(0, s.model.size))


INVARIANT = (ends, values, running)
AT_ONCE = (ends,)
LOOPS: Loops = {}


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query does not invoke combine"""
    return calls == 0


def insert_subtractions(subtractions: int) -> bool:
    """insert does not subtract"""
    return subtractions == 0


def evict_subtractions(subtractions: int) -> bool:
    """evict subtracts once"""
    return subtractions == 1


def query_subtractions(subtractions: int) -> bool:
    """query does not subtract"""
    return subtractions == 0
