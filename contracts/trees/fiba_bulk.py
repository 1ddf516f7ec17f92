"""FiBA with bulk operations: the contracts of FiBA, between operations, single or bulk.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 and 3.2; bulk operations are ours.

Conventions: those of `contracts/trees/fiba.py`.
"""

from typing import Any

from swagproof.contracts.trees import fiba
from swagproof.contracts.trees.fiba import (
    arities,
    contents,
    ends,
    entries,
    fingers,
    inner_aggregate,
    leaf_depth,
    left_aggregates,
    order,
    parents,
    pointers,
    query_calls,
    right_aggregates,
    root_arity,
    space,
    spine_flags,
    up_aggregates,
)

__all__ = [
    "INVARIANT",
    "arities",
    "contents",
    "ends",
    "entries",
    "fingers",
    "inner_aggregate",
    "leaf_depth",
    "left_aggregates",
    "nothing_waits",
    "order",
    "parents",
    "pointers",
    "query_calls",
    "right_aggregates",
    "root_arity",
    "space",
    "spine_flags",
    "up_aggregates",
]


def nothing_waits(s: Any) -> bool:
    """no aggregate is put off"""
    return s.put_off is None


INVARIANT = (*fiba.INVARIANT, nothing_waits)
