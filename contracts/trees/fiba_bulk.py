"""FiBA with bulk operations: the contracts of FiBA, between operations, single or bulk.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 and 3.2; bulk operations are ours.

Conventions: those of `contracts/trees/fiba.py`.
"""

from typing import Any

from swagproof.contracts.trees import fiba
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.contracts.trees.fiba import query_calls, update_bound

__all__ = ["query_calls", "update_bound"]


def nothing_waits(s: Any) -> bool:
    """no aggregate is deferred"""
    return s.put_off is None


INVARIANT = (*fiba.INVARIANT, nothing_waits)
AT_ONCE = (*fiba.AT_ONCE, nothing_waits)


def bulk_evict_bound(m: int, steps: int, mu: int) -> int:
    """4 mu (2 L + 3 s + 1) combine calls for m entries and s steps, L = floor(log_mu(m + 1))"""
    return 4 * mu * (2 * levels(m, mu) + 3 * steps + 1)


def put_off_calls(pairs: int, calls: int) -> bool:
    """combine calls while m pairs are inserted: one for each time that is present, none for an aggregate"""
    return calls <= pairs


def fits(s: Any, node: Any, sibling: Any) -> bool:
    """a of the node and of its sibling is at most 2 mu"""
    return bool(node.arity + sibling.arity <= 2 * s.mu)
