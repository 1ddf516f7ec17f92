"""The inner parts of the steps: those effects on the nodes that whole operations rely on.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 3.3, which shows no code of the steps.
Each clause is proved of the code over lists of unknown length, and assumed by the proofs of whole operations
(swagproof.proofs.trees.whole).

Conventions: those of `contracts/trees/steps.py`.  `was`, `was_sibling` and `was_parent` are the earlier states of the
nodes.  The subtree of y's first child ends before `s.end_of_first(y)`, that of its last child begins at
`s.begin_of_last(y)`; for a leaf they are its begin and its end.  `s.spines` is true if the tree has spines.
"""

from typing import Any

from swagproof.contracts.clause import size


def _flags(s: Any, y: Any, left: Any, right: Any) -> bool:
    return not s.spines or (bool(y.left_spine) == bool(left) and bool(y.right_spine) == bool(right))


def kept_part(s: Any, node: Any, was: Any, arity: Any) -> bool:
    """the split node keeps its first `arity` children and its begin, and is not on the right spine"""
    begins = bool(s.begin(node) == s.begin(was)) and bool(s.end_of_first(node) == s.end_of_first(was))
    return bool(node.arity == arity) and begins and (not s.spines or _flags(s, node, was.left_spine, False))


def new_part(s: Any, node: Any, sibling: Any, was: Any, arity: Any) -> bool:
    """the part after the next entry is the new sibling, on the right spine if the node was"""
    ends = bool(s.end(sibling) == s.end(was)) and bool(s.begin_of_last(sibling) == s.begin_of_last(was))
    rest = bool(sibling.arity == was.arity - arity) and bool(s.begin(sibling) == s.end(node) + 1) and ends
    return rest and (not s.spines or _flags(s, sibling, False, was.right_spine))


def parent_gains(s: Any, parent: Any, was_parent: Any) -> bool:
    """the parent has one more child"""
    return bool(parent.arity == was_parent.arity + 1)


def taken_in(s: Any, node: Any, was: Any, was_sibling: Any) -> bool:
    """the node has its own entries, the next entry and all of the next sibling, and ends where that did"""
    begins = bool(s.begin(node) == s.begin(was)) and bool(s.end_of_first(node) == s.end_of_first(was))
    ends = bool(s.end(node) == s.end(was_sibling)) and bool(s.begin_of_last(node) == s.begin_of_last(was_sibling))
    flags = not s.spines or _flags(s, node, was.left_spine, was_sibling.right_spine)
    return bool(node.arity == was.arity + was_sibling.arity) and begins and ends and flags


def parent_loses(s: Any, parent: Any, was_parent: Any) -> bool:
    """the parent has one child less"""
    return bool(parent.arity == was_parent.arity - 1)


def with_first_of_next(s: Any, node: Any, was: Any, was_sibling: Any) -> bool:
    """the node gains the entry after it, and then the first child of the next sibling"""
    last = s.end(node) if s.is_leaf(node) else s.begin(was_sibling)
    begins = bool(s.begin(node) == s.begin(was)) and bool(s.end_of_first(node) == s.end_of_first(was))
    ends = bool(s.end(node) == s.end_of_first(was_sibling)) and bool(s.begin_of_last(node) == last)
    return bool(node.arity == was.arity + 1) and begins and ends


def next_without_first(s: Any, sibling: Any, was_sibling: Any) -> bool:
    """the next sibling begins after the entry that moved up"""
    first = s.end_of_first(was_sibling)
    ends = bool(s.end(sibling) == s.end(was_sibling)) and bool(s.begin_of_last(sibling) == s.begin_of_last(was_sibling))
    return bool(sibling.arity == was_sibling.arity - 1) and bool(s.begin(sibling) == first + 1) and ends


def with_last_of_previous(s: Any, node: Any, was: Any, was_sibling: Any) -> bool:
    """the node gains the last child of the previous sibling, and then the entry before the node"""
    first = s.begin(node) if s.is_leaf(node) else s.end(was_sibling)
    ends = bool(s.end(node) == s.end(was)) and bool(s.begin_of_last(node) == s.begin_of_last(was))
    begins = bool(s.begin(node) == s.begin_of_last(was_sibling)) and bool(s.end_of_first(node) == first)
    return bool(node.arity == was.arity + 1) and begins and ends


def previous_without_last(s: Any, sibling: Any, was_sibling: Any) -> bool:
    """the previous sibling ends before the entry that moved up"""
    same = bool(s.begin(sibling) == s.begin(was_sibling))
    begins = same and bool(s.end_of_first(sibling) == s.end_of_first(was_sibling))
    ends = bool(s.end(sibling) == s.begin_of_last(was_sibling) - 1)
    return bool(sibling.arity == was_sibling.arity - 1) and begins and ends


def product_of_all(s: Any, node: Any, first: Any, last: Any, answer: Any) -> bool:
    """the product of all entries below the node, without its first child if first = 1, its last if last = a - 1"""
    if node.arity == 1 and s.is_leaf(node):
        return bool(answer == s.product(0, 0))
    start = s.begin(node) if first == 0 else s.end_of_first(node)
    stop = s.end(node) if last == node.arity else s.begin_of_last(node)
    return bool(answer == s.product(start, stop))


def new_tree(s: Any, tree: Any) -> bool:
    """max-arity is 2 mu; the root is a leaf without entries that stores 1, on no spine, and is both fingers"""
    root, fingers = tree.root, not s.spines or (tree.left_finger is tree.root and tree.right_finger is tree.root)
    empty = bool(size(root.times) == 0) and bool(size(root.values) == 0) and bool(size(root.children) == 0)
    flags = not s.spines or _flags(s, root, False, False)
    made = bool(tree.min_arity == s.mu) and bool(tree.max_arity == 2 * s.mu) and root.parent is None
    return made and empty and flags and fingers and bool(root.agg == s.product(0, 0))


def raised_root(s: Any, root: Any, node: Any) -> bool:
    """the new root has the old one as its only child, which is on both spines until it is split"""
    same = bool(s.begin(root) == s.begin(node)) and bool(s.end(root) == s.end(node))
    spines = not s.spines or (_flags(s, node, True, True) and _flags(s, root, False, False))
    return bool(root.arity == 1) and same and spines


def lowered_root(s: Any, root: Any, was: Any) -> bool:
    """the only child is the new root, on no spine, with its subtree unchanged"""
    same = bool(s.begin(root) == s.begin(was)) and bool(s.end(root) == s.end(was))
    return bool(root.arity == was.arity) and same and (not s.spines or _flags(s, root, False, False))


SPLIT_OFF = (kept_part, new_part, parent_gains)
ABSORB_NEXT = (taken_in, parent_loses)
TAKE_FROM_NEXT = (with_first_of_next, next_without_first)
TAKE_FROM_PREVIOUS = (with_last_of_previous, previous_without_last)
