"""FiBA: its size, spine and aggregation invariants, and the cost of a query.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 and 3.2.

Conventions: those of `contracts/trees/augmented_tree.py`.  The left spine is the path from the first child of the root
along first children to a leaf, the right spine likewise along last children; the root is on neither.
"""

from collections.abc import Iterator
from typing import Any

from swagproof.contracts.trees.augmented_tree import TREE, levels, nodes, root_arity, spans


def spine(s: Any, last: int) -> Iterator[Any]:
    """Yield the left spine from the top down (`last` = 0), or the right one (`last` = -1)."""
    node = s.root
    while node.children:
        node = node.children[last]
        yield node


def fingers(s: Any) -> bool:
    """leftFinger is the first leaf, rightFinger the last"""
    *_, first = s.root, *spine(s, 0)
    *_, last = s.root, *spine(s, -1)
    return s.left_finger is first and s.right_finger is last


def spine_flags(s: Any) -> bool:
    """leftSpine is true only of the left spine, rightSpine only of the right spine"""
    left, right = set(spine(s, 0)), set(spine(s, -1))
    return all((y.left_spine, y.right_spine) == (y in left, y in right) for y in nodes(s))


def ends(s: Any) -> bool:
    """unless n = 0: t_0 is in leftFinger, t_{n-1} in rightFinger, so in-order evicts and inserts happen there"""
    if s.model.size == 0:
        return True
    return bool(s.left_finger.times[0] == s.model.times[0] and s.right_finger.times[-1] == s.model.times[-1])


def inner_spans(s: Any) -> dict[Any, tuple[int, int]]:
    """Return the span of every node without its first and its last child; of a leaf, the whole span."""
    span = spans(s)
    return {y: (span[y.children[0]][1], span[y.children[-1]][0]) if y.children else span[y] for y in span}


def inner_aggregate(s: Any) -> bool:
    """agg(root) is the product of all entries below neither its first nor its last child, or of all if it is a leaf"""
    return bool(s.root.agg == s.model.product(*inner_spans(s)[s.root]))


def left_aggregates(s: Any) -> bool:
    """for y on the left spine: agg = the product of all below the root's first child that is not below y's first"""
    inner = inner_spans(s)
    return all(y.agg == s.model.product(inner[y][0], inner[s.root][0]) for y in spine(s, 0))


def right_aggregates(s: Any) -> bool:
    """for y on the right spine: agg = the product of all below the root's last child that is not below y's last"""
    inner = inner_spans(s)
    return all(y.agg == s.model.product(inner[s.root][1], inner[y][1]) for y in spine(s, -1))


def up_aggregates(s: Any) -> bool:
    """for every node y on no spine, other than the root, with span [i, j): agg = v_i ... v_{j-1}"""
    others = {s.root, *spine(s, 0), *spine(s, -1)}
    return all(y.agg == s.model.product(*span) for y, span in spans(s).items() if y not in others)


INVARIANT = (
    *TREE,
    fingers,
    spine_flags,
    ends,
    up_aggregates,
    inner_aggregate,
    left_aggregates,
    right_aggregates,
)
AT_ONCE = (root_arity, fingers, ends)


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine at most two times (Theorem 3.4, its proof)"""
    return calls <= 2


def search_bound(d: int, mu: int) -> int:
    """3 (L + 1) nodes visited by a search, for L = floor(log_mu(d + 1)) (section 3.2)"""
    return 3 * (levels(d, mu) + 1)


def update_bound(d: int, steps: int, mu: int) -> int:
    """4 mu (2 L + 3 s + 1) combine calls, for L = floor(log_mu(d + 1)) and s steps (Theorem 3.4)"""
    return 4 * mu * (2 * levels(d, mu) + 3 * steps + 1)
