"""The search tree of OrderedSharing: invariants of its searches on the way down.

Conventions.  The items are numbered from left to right, `count` in all; the items of a sub-tree have the numbers from
`begin(node)` to `end(node)`, `high(node)` is its height, and `boundary` is the number of the first item at which the
search's predicate changes.
"""

from typing import Any, Final

from swagproof.contracts.clause import Loop, Loops


def narrowed(s: Any, node: Any) -> bool:
    """the boundary is at an end of the sub-tree, or within it"""
    return bool(s.begin(node) <= s.boundary) and bool(s.boundary <= s.end(node))


def found_behind(s: Any, node: Any, found: Any) -> bool:
    """found is the item after the sub-tree, or None if there is none"""
    if found is None:
        return bool(s.end(node) == s.count)
    return bool(found.number == s.end(node)) and bool(found.number < s.count)


def found_before(s: Any, node: Any, found: Any) -> bool:
    """found is the item before the sub-tree, or None if there is none"""
    if found is None:
        return bool(s.begin(node) == 0)
    return bool(found.number == s.begin(node) - 1) and bool(found.number >= 0)


def visits_so_far(s: Any, node: Any) -> bool:
    """at most as many nodes were visited as the tree is higher than the sub-tree"""
    return bool(s.visited <= s.high(s.root) - s.high(node))


def _variant(s: Any, node: Any) -> Any:
    return s.high(node)


LOOPS: Final[Loops] = {
    "first": (Loop(narrowed, found_behind, visits_so_far, variant=_variant),),
    "last": (Loop(narrowed, found_before, visits_so_far, variant=_variant),),
}
