"""Reactive Aggregator for FIFO: its invariants, cost and savings.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 5.2.

Conventions as for the Reactive Aggregator; there are no holes, so that u = n and the account has two terms.
"""

from collections.abc import Iterator
from typing import Any

from swagproof.contracts.clause import EverySlot
from swagproof.contracts.flat_trees.flat_fat import height, update_bound
from swagproof.contracts.flat_trees.reactive_aggregator import (
    capacity_after_insert,
    count,
    evict_bound,
    evict_paid,
    filled,
    insert_bound,
    insert_paid,
    no_holes,
    resized,
    space_bound,
    spent,
    utilisation,
)

__all__ = [
    "capacity_after_insert",
    "count",
    "evict_bound",
    "evict_paid",
    "filled",
    "insert_bound",
    "insert_paid",
    "no_holes",
    "resized",
    "space_bound",
    "spent",
    "utilisation",
]


def capacity(s: Any) -> bool:
    """c is a power of two, and there are c slots"""
    return bool(s.capacity == 2 ** height(s.capacity) and s.fat.T.size == 2 * s.capacity - 1)


def offset(s: Any, slot: Any) -> Any:
    """Return the offset of a slot behind the front."""
    return slot - s.F if s.F <= slot else slot - s.F + s.capacity


def boundaries(s: Any) -> bool:
    """from front to back there are n slots, 0 <= n <= c; the back is before the front if n = 0"""
    n, c = s.n_tuples, s.capacity
    beyond = s.B - s.F + 1 - n
    return bool(0 <= n <= c and 1 <= s.F <= c and 1 <= s.B <= c and (beyond == 0 or beyond == -c or beyond == c))


@EverySlot
def window_order(s: Any, slot: Any) -> bool:
    """the slots from front to back are v_0 ... v_{n-1}"""
    i = offset(s, slot)
    if not i < s.n_tuples:
        return True
    return bool(s.value(slot) == s.model.values[i])


def list_needed(s: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the nodes with an occupied leaf and no changed leaf below, with these leaves' values.  No other is read."""
    n, changed = s.capacity, {*s.pending, *s.freed}
    held = {(s.F - 1 + k) % n + 1: value for k, value in enumerate(s.model.values)}
    for v in range(1, 2 * n):
        first = last = v
        while first < n:
            first, last = 2 * first, 2 * last + 1
        below = range(first - n + 1, last - n + 2)
        values = [held[slot] for slot in below if slot in held]
        if values and not any(slot in changed for slot in below):
            yield v, values


def tree(s: Any) -> bool:
    """for each node v with an occupied leaf and none that changed below it: T(v) is the product of the occupied ones"""
    for v, values in list_needed(s):
        product = values[0]
        for value in values[1:]:
            product = s.model.monoid.combine(product, value)
        if s.fat.T[v] != product:
            return False
    return True


def batch(s: Any) -> bool:
    """at most as many slots are pending or freed as events came since the window fired"""
    return bool(len({*s.pending, *s.freed}) <= s.events)


INVARIANT = (capacity, count, boundaries, window_order, tree, utilisation, batch)
AT_ONCE = (capacity, count, boundaries, utilisation, batch)


def query_bound(s: Any) -> int:
    """the update of pending and freed slots; if inverted, suffix(F), prefix(B) and one to combine them"""
    if not s.n_tuples:
        return 0
    answer = (s.capacity - s.F).bit_count() + (s.B - 1).bit_count() + 1 if s.B < s.F else 0
    return update_bound(s.capacity, len({*s.pending, *s.freed})) + answer


def savings(s: Any) -> int:
    """4 max(n - c/2, 0) + 2 max(c/2 - n, 0)"""
    c, n = s.capacity, s.n_tuples
    saved: int = max(0, 4 * n - 2 * c) + max(0, c - 2 * n)
    return saved
