"""Bulk operations of FiBA: preconditions and postconditions of their methods.

Bulk operations and all clauses here are ours.

Conventions: those of `contracts/trees/whole_operations.py` and `contracts/trees/walks.py`.  While a prefix is evicted,
entries keep their numbers, and those from `s.low` on remain.  Below the focus, first children may not be marked as left
spine yet, and the left finger may be on a removed leaf.
"""

from typing import Any

from swagproof.contracts.clause import EachTurn

# Bulk eviction


def behind_is_left(s: Any, focus: Any, t: Any) -> bool:
    """every entry after the focus' subtree has a time > t"""
    return bool(s.end(focus) == s.n) or bool(s.is_behind(s.end(focus), t))


def gone_until(s: Any, focus: Any, t: Any, more: Any) -> bool:
    """every remaining entry has a time > t; if `more`, every entry after the first child's subtree"""
    if more:
        inner = not bool(s.is_leaf(focus))
        return inner and (bool(s.end_of_first(focus) == s.n) or bool(s.is_behind(s.end_of_first(focus), t)))
    return bool(s.low == s.n) or bool(s.is_behind(s.low, t))


def arity_when_cut(s: Any, focus: Any) -> bool:
    """mu <= a <= 2 mu; of the root 1 <= a"""
    return bool((1 if focus.is_root() else s.mu) <= focus.arity) and bool(focus.arity <= 2 * s.mu)


def dropped(s: Any, node: Any, was: Any, gone: Any) -> bool:
    """the first `gone` entries and children are removed, the others are unchanged"""
    if not bool(node.arity == was.arity - gone):
        return False
    if not was.children:
        some = bool(node.arity >= 2)
        return not some or (bool(s.begin(node) == s.begin(was) + gone) and bool(s.end(node) == s.end(was)))
    first, last = was.children[gone], was.children[was.arity - 1]
    begins = bool(s.begin(node) == s.begin(first)) and bool(s.end_of_first(node) == s.end(first))
    return begins and bool(s.end(node) == s.end(last)) and bool(s.begin_of_last(node) == s.begin(last))


@EachTurn
def untied(s: Any, j: Any, node: Any) -> bool:
    """child j, which is dropped, has no parent"""
    return node.children[j].parent is None


# Bulk insertion


def begins_before(s: Any, node: Any, t: Any) -> bool:
    """t is after the entry before the node's subtree, if there is one"""
    return bool(s.begin(node) == 0) or bool(s.is_before(s.begin(node) - 1, t))
