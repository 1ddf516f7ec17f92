"""The tree of the classic B-tree and FiBA: its size invariants, order and contents.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 3.1.

Conventions.  s is the algorithm with its `model`, the window by definition.  a(y) is the arity of a node, one more than
its times; mu is `s.min_arity`, 2 mu the greatest arity.  v_i is entry i of `model`, counted from 0 at the oldest.  The
span of a node is [i, j): the entries v_i ... v_{j-1} are those below it, its own included.
"""

import itertools
from collections.abc import Iterator
from typing import Any


def nodes(s: Any) -> Iterator[Any]:
    """Yield all nodes, a parent before its children."""
    waiting = [s.root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def in_order(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the entries below a node as pairs (t, v), from left to right."""
    for i, entry in enumerate(zip(node.times, node.values, strict=True)):
        if node.children:
            yield from in_order(node.children[i])
        yield entry
    if node.children:
        yield from in_order(node.children[-1])


def spans(s: Any) -> dict[Any, tuple[int, int]]:
    """Return the span of every node."""
    found: dict[Any, tuple[int, int]] = {}

    def visit(node: Any, i: int) -> int:
        j = i
        for k in range(len(node.times) + 1):
            if node.children:
                j = visit(node.children[k], j)
            j += k < len(node.times)
        found[node] = i, j
        return j

    visit(s.root, 0)
    return found


def root_arity(s: Any) -> bool:
    """2 <= a(root) <= 2 mu; a(root) = 1 only when the window is empty (reading FIBA-1)"""
    return bool((2 <= s.root.arity <= 2 * s.min_arity) or (s.root.arity == 1 and s.model.size == 0))


def arities(s: Any) -> bool:
    """for every other node y: mu <= a(y) <= 2 mu; so there are at most 1 + (n - 1) / (mu - 1) nodes"""
    return all(s.min_arity <= y.arity <= 2 * s.min_arity for y in nodes(s) if y is not s.root)


def entries(s: Any) -> bool:
    """every node has a - 1 times and a - 1 values"""
    return all(len(y.times) == len(y.values) == y.arity - 1 for y in nodes(s))


def pointers(s: Any) -> bool:
    """every node has a child pointers, or none if it is a leaf"""
    return all(len(y.children) in (0, y.arity) for y in nodes(s))


def parents(s: Any) -> bool:
    """the parent of every child is the node that points to it; the root has none"""
    return s.root.parent is None and all(z.parent is y for y in nodes(s) for z in y.children)


def leaf_depth(s: Any) -> bool:
    """all leaves are at the same depth"""
    level = [s.root]
    while any(y.children for y in level):
        if not all(y.children for y in level):
            return False
        level = [z for y in level for z in y.children]
    return True


def order(s: Any) -> bool:
    """t_i < t_{i+1}, within nodes and across them"""
    times = [t for t, _ in in_order(s.root)]
    return all(t < u for t, u in itertools.pairwise(times))


def contents(s: Any) -> bool:
    """the entries from left to right are (t_0, v_0), ..., (t_{n-1}, v_{n-1})"""
    return list(in_order(s.root)) == list(zip(s.model.times, s.model.values, strict=True))


def space(n: int, partials: int, min_arity: int) -> bool:
    """n values and one partial aggregate a node, of at most 1 + (n - 1) / (mu - 1) nodes: no more than 2n for n > 0"""
    return partials <= n + 1 + max(n - 1, 0) // (min_arity - 1)


def levels(d: int, mu: int) -> int:
    """floor(log_mu(d + 1)), in integers: the greatest k with mu^k <= d + 1"""
    k = 0
    while mu ** (k + 1) <= d + 1:
        k += 1
    return k


def range_cost(level: int, mu: int) -> int:
    """4 mu (2 l + 1) combine calls of a range query whose ends meet on level l above the leaves (Theorem 4.2)"""
    return 4 * mu * (2 * level + 1)


def range_bound(d_from: int, d_to: int, n_sub: int, mu: int) -> int:
    """4 mu (2 l + 1) combine calls, for l = floor(log_mu(d_from + d_to + n_sub + 1)) (Theorem 4.2, erratum COST-1)"""
    return range_cost(levels(d_from + d_to + n_sub, mu), mu)


TREE = (root_arity, arities, entries, pointers, parents, leaf_depth, order, contents)
