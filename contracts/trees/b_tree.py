"""The classic B-tree: its size and aggregation invariants, and the cost of a query.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 3.1.

Conventions: those of `contracts/trees/augmented_tree.py`.
"""

from typing import Any

from swagproof.contracts.trees.augmented_tree import TREE, levels, root_arity, spans


def up_aggregates(s: Any) -> bool:
    """for every node y with span [i, j): agg = v_i ... v_{j-1}"""
    return all(y.agg == s.model.product(*span) for y, span in spans(s).items())


INVARIANT = (*TREE, up_aggregates)
AT_ONCE = (root_arity,)


def query_calls(n: int, calls: int) -> bool:
    """query does not invoke combine (Theorem 3.2)"""
    return calls == 0


def search_bound(n: int, mu: int) -> int:
    """h + 1 nodes visited by a search, for h = floor(log_mu((n + 1) / 2)) (Theorem 3.2)"""
    return levels((n - 1) // 2, mu) + 1


def update_bound(n: int, steps: int, mu: int) -> int:
    """4 mu (h + 1 + 2 s) combine calls, for h = floor(log_mu((n + 1) / 2)) and s steps (Theorem 3.2)"""
    return 4 * mu * (levels((n - 1) // 2, mu) + 1 + 2 * steps)
