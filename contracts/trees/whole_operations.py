"""Whole operations of the trees: preconditions and postconditions of their methods.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), Figures 7 and 8.

Conventions.  The *focus* is the node that a method takes or returns: `node` or `top`.  An aggregate is *right* if it
equals the one that section 3.2 defines for the node's position in the current tree.  mu is `s.mu`; heights are counted
from the leaves.  `s.is_right(y)` means that the aggregate of y is right, `s.spine_is_right(y, left)` that those of all
nodes strictly below y on its left (right) spine are.  `proofs/lemmas/rebalancing_loops.py` has the loop invariants.
"""

from typing import Any


def _least(s: Any, y: Any) -> Any:
    """Return the least arity of y between operations."""
    if y.is_root():
        return 1 if s.height(y) == 0 else 2
    return s.mu


def arity(s: Any, focus: Any) -> bool:
    """mu <= a <= 2 mu; for the root 2 <= a, or 1 if it is a leaf"""
    return bool(_least(s, focus) <= focus.arity) and bool(focus.arity <= 2 * s.mu)


def arity_or_overflow(s: Any, focus: Any) -> bool:
    """mu <= a <= 2 mu + 1; for the root 2 <= a, or 1 if it is a leaf"""
    return bool(_least(s, focus) <= focus.arity) and bool(focus.arity <= 2 * s.mu + 1)


def arity_or_underflow(s: Any, focus: Any) -> bool:
    """mu - 1 <= a <= 2 mu; for the root 2 <= a, or 1 if it is a leaf"""
    least = _least(s, focus) if focus.is_root() else s.mu - 1
    return bool(least <= focus.arity) and bool(focus.arity <= 2 * s.mu)


def up_aggregate(s: Any, focus: Any) -> bool:
    """if the focus keeps the aggregate of its subtree, that is right"""
    return not focus.has_agg_up() or bool(s.is_right(focus))


def flags(s: Any, focus: Any, hit_left: Any, hit_right: Any) -> bool:
    """on the left spine => hit_left, on the right spine => hit_right"""
    return (not focus.left_spine or bool(hit_left)) and (not focus.right_spine or bool(hit_right))


def root_left(s: Any, focus: Any, hit_left: Any) -> bool:
    """if the focus is the root: hit_left, or the left spine is right"""
    return not focus.is_root() or bool(hit_left) or bool(s.spine_is_right(focus, True))


def root_right(s: Any, focus: Any, hit_right: Any) -> bool:
    """if the focus is the root: hit_right, or the right spine is right"""
    return not focus.is_root() or bool(hit_right) or bool(s.spine_is_right(focus, False))


def on_left_spine(s: Any, focus: Any) -> bool:
    """the focus is the root, or on the left spine"""
    return bool(focus.is_root() or focus.left_spine)
