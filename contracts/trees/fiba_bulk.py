"""FiBA with bulk operations: the contracts of FiBA, between operations, single or bulk.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 and 3.2; bulk operations are ours.

Conventions: those of `contracts/trees/fiba.py`.
"""

from typing import Any

from swagproof.contracts.trees import fiba
from swagproof.contracts.trees.fiba import query_calls

__all__ = ["INVARIANT", "nothing_waits", "query_calls"]


def nothing_waits(s: Any) -> bool:
    """no aggregate is put off"""
    return s.put_off is None


INVARIANT = (*fiba.INVARIANT, nothing_waits)
