"""Bulk operations of FiBA: what their loops keep, and what their methods are given and leave.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.1 to 3.3; bulk operations and all
clauses here are ours.

Conventions: those of `contracts/trees/whole_operations.py` and `contracts/trees/walks.py`.  No aggregate is computed
while nodes change; a node is *consistent* if its aggregate is what localRepairAgg would compute from what is next to it
now, and `s.noted` says which nodes wait.  What every loop here keeps, besides its clauses, is that every node of the
tree is consistent, or noted, or on a spine below a noted node of that spine; and that arities, heights, the order and
number of the entries, parents and spine flags are right, but for the focus' arity, which a clause bounds.

While a prefix is evicted entries keep the numbers that they had: those from `s.low` on are left.  Below the focus first
children may not be marked as left spine yet, and the left finger may be on a leaf that is gone.
"""

from typing import Any

from swagproof.contracts.clause import EachTurn, Loop
from swagproof.contracts.trees.walks import Walk, node_height
from swagproof.contracts.trees.whole_operations import (
    FocusLoop,
    arity,
    arity_or_overflow,
    arity_or_underflow,
    depth,
    depth_and_overflow,
    on_left_spine,
)

# Bulk eviction


def climbed(s: Any, node: Any, t: Any) -> bool:
    """above the leaves: what is below the first child, and the entry behind it, has times <= t"""
    return bool(s.is_leaf(node)) or not bool(s.is_behind(s.end_of_first(node), t))


def behind_is_left(s: Any, focus: Any, t: Any) -> bool:
    """what is behind all that is below the focus has a time > t"""
    return bool(s.end(focus) == s.n) or bool(s.is_behind(s.end(focus), t))


def gone_before(s: Any, t: Any) -> bool:
    """what is gone has times <= t"""
    return bool(s.low == 0) or not bool(s.is_behind(s.low - 1, t))


def gone_until(s: Any, focus: Any, t: Any, more: Any) -> bool:
    """unless `more`, all that is left has a time > t; else what is behind all below the first child has"""
    if more:
        inner = not bool(s.is_leaf(focus))
        return inner and (bool(s.end_of_first(focus) == s.n) or bool(s.is_behind(s.end_of_first(focus), t)))
    return bool(s.low == s.n) or bool(s.is_behind(s.low, t))


def arity_when_cut(s: Any, focus: Any) -> bool:
    """mu <= a <= 2 mu; of the root 1 <= a"""
    return bool((1 if focus.is_root() else s.mu) <= focus.arity) and bool(focus.arity <= 2 * s.mu)


def any_arity(s: Any, focus: Any) -> bool:
    """1 <= a <= 2 mu"""
    return bool(1 <= focus.arity) and bool(focus.arity <= 2 * s.mu)


def as_it_was(s: Any, focus: Any) -> bool:
    """the focus is as high as it was, begins where it did, and so ends its first child"""
    first = bool(s.end_of_first(focus) == s.kept_first) or bool(s.is_leaf(focus))
    return bool(s.height(focus) == s.kept_height) and bool(s.begin(focus) == s.kept_begin) and first


def too_few(s: Any, focus: Any, beside: Any) -> bool:
    """a <= mu, and with the next sibling's it is more than 2 mu, which has 2 mu at most"""
    few = bool(1 <= focus.arity) and bool(focus.arity <= s.mu) and bool(beside.arity <= 2 * s.mu)
    return few and bool(focus.arity + beside.arity > 2 * s.mu)


def missing(s: Any, focus: Any) -> Any:
    """children that are missing"""
    return s.mu - focus.arity


def focus_height(s: Any, focus: Any) -> Any:
    """height"""
    return s.height(focus)


def dropped(s: Any, node: Any, was: Any, gone: Any) -> bool:
    """the first `gone` entries and children are gone, the others are the same"""
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


CUT_GIVEN = (arity, on_left_spine, behind_is_left, gone_before)
"""To cut, of the node."""
CUT_LEFT = (arity_when_cut, on_left_spine, gone_before, gone_until)
"""The clauses that cut establishes, with its answer as `more`."""
MEND_GIVEN = (any_arity, on_left_spine)
MEND_LEFT = (arity_when_cut, on_left_spine, as_it_was)

# Bulk insertion


def begins_before(s: Any, node: Any, t: Any) -> bool:
    """t is behind the entry before all that is below the node, if there is one"""
    return bool(s.begin(node) == 0) or bool(s.is_before(s.begin(node) - 1, t))


def level_and_height(s: Any, node: Any, level: Any, start: Any) -> bool:
    """as many levels are counted as the node is below where the walk began"""
    return bool(level + s.height(node) == s.height(start))


PARTS = {"drop": (Loop(untied),)}


# Repairs.  y is any node of the tree; `s.stale` says that it is not consistent.  Of y, `s.waits` is whether it is in
# `levels`, `s.comes` whether it is still to come in the loop that is running, `s.computed` whether its aggregate was
# computed.  `s.noted_height` is the height of the highest noted node on the spine that y is on, -1 where there is none,
# and `s.noted_comes` whether that is still to come.  Of the nodes on the left spine that have been in `levels`
# `s.highest_left` is the height of the highest, -1 where there is none; `s.left_waits` and `s.left_comes` say
# whether it is there, or still to come; so on the right, and `s.highest` is that of the spine that y is on.


def all_noted_wait(s: Any) -> bool:
    """while y is stale it waits or comes; on a spine, a node that is no lower was put to wait, or comes"""
    if not s.stale:
        return True
    if s.side:
        waits = bool(s.height <= s.highest)
        return waits or (bool(s.noted_comes) and bool(s.height <= s.noted_height))
    return bool(s.waits) or bool(s.comes)


def highest_waits(s: Any) -> bool:
    """the highest of the nodes on a spine that have come to `levels` waits there, if there was one"""
    on_left = bool(s.highest_left == -1) or bool(s.left_waits)
    return on_left and (bool(s.highest_right == -1) or bool(s.right_waits))


def nothing_computed(s: Any) -> bool:
    """no aggregate was computed"""
    return not s.computed


def stale_waits(s: Any, root: Any) -> bool:
    """while y is stale it waits or comes, or is the root and kept as that; on a spine, a node no lower has waited"""
    if not s.stale:
        return True
    if s.side:
        return bool(s.height <= s.highest)
    return bool(s.waits) or bool(s.comes) or (root is not None and s.is_root)


def waits_here_or_above(s: Any, level: Any) -> bool:
    """what waits is on this level or above"""
    return not s.waits or bool(s.height >= level)


def waits_above(s: Any, level: Any) -> bool:
    """what waits is above this level, and what comes on it"""
    return (not s.waits or bool(s.height > level)) and (not s.comes or bool(s.height == level))


def _is_kept(s: Any, level: Any, highest: Any, kept: Any) -> bool:
    below = bool(highest < level)
    return below and (bool(highest == -1) or (kept is not None and bool(s.height_of(kept) == highest)))


def left_is_kept(s: Any, level: Any, left: Any) -> bool:
    """of the nodes on the left spine that have waited the highest waits, on this level or above, or is kept as left"""
    return bool(s.highest_left >= level) if s.left_waits else _is_kept(s, level, s.highest_left, left)


def right_is_kept(s: Any, level: Any, right: Any) -> bool:
    """so on the right"""
    return bool(s.highest_right >= level) if s.right_waits else _is_kept(s, level, s.highest_right, right)


def left_is_kept_or_comes(s: Any, level: Any, left: Any) -> bool:
    """the same, but that on this level it comes, if it is not kept"""
    if s.left_waits:
        return bool(s.highest_left > level)
    comes = bool(s.left_comes) and bool(s.highest_left == level)
    return comes or _is_kept(s, level + 1, s.highest_left, left)


def right_is_kept_or_comes(s: Any, level: Any, right: Any) -> bool:
    """so on the right"""
    if s.right_waits:
        return bool(s.highest_right > level)
    comes = bool(s.right_comes) and bool(s.highest_right == level)
    return comes or _is_kept(s, level + 1, s.highest_right, right)


def within_the_tree(s: Any, level: Any) -> bool:
    """the level is one of the tree"""
    return bool(level <= s.tallest)


def computed_below(s: Any, level: Any) -> bool:
    """aggregates were computed on no spine, not of the root, and below this level"""
    return not s.computed or (bool(s.is_up) and bool(s.height < level))


def computed_until(s: Any, level: Any) -> bool:
    """aggregates were computed on no spine, not of the root, and up to this level, there of what does not come"""
    here = bool(s.height == level) and not s.comes
    return not s.computed or (bool(s.is_up) and (bool(s.height < level) or here))


def levels_left(s: Any, level: Any) -> Any:
    """levels from here to the root"""
    return s.tallest + 1 - level


def stale_below(s: Any, left: Any, right: Any) -> bool:
    """what is stale is on a spine, no higher than the node that is to be repaired next there"""
    below = left if s.side == "left" else right if s.side == "right" else None
    return not s.stale or (below is not None and bool(s.height <= s.height_of(below)))


def computed_above(s: Any, left: Any, right: Any) -> bool:
    """on a spine aggregates were computed above the node that is to be repaired next there"""
    below = left if s.side == "left" else right if s.side == "right" else None
    return not s.computed or below is None or bool(s.height > s.height_of(below))


def left_to_go(s: Any, left: Any) -> Any:
    """levels from `left` down"""
    return 0 if left is None else s.height_of(left) + 1


def right_to_go(s: Any, right: Any) -> Any:
    """levels from `right` down"""
    return 0 if right is None else s.height_of(right) + 1


def kept_have_waited(s: Any, left: Any, right: Any) -> bool:
    """left and right are no higher than what has waited on that spine"""
    on_left = left is None or bool(s.height_of(left) <= s.highest_left)
    return on_left and (right is None or bool(s.height_of(right) <= s.highest_right))


def consistent(s: Any) -> bool:
    """y is consistent"""
    return not s.stale


REPAIRS = {
    "repair_changed": (
        Loop(all_noted_wait, highest_waits, nothing_computed),
        Loop(
            stale_waits,
            waits_here_or_above,
            left_is_kept,
            right_is_kept,
            computed_below,
            kept_have_waited,
            variant=levels_left,
        ),
        Loop(
            stale_waits,
            waits_above,
            left_is_kept_or_comes,
            right_is_kept_or_comes,
            computed_until,
            within_the_tree,
            kept_have_waited,
        ),
        Loop(stale_below, computed_above, kept_have_waited, variant=left_to_go),
        Loop(stale_below, computed_above, kept_have_waited, variant=right_to_go),
    )
}
LOOPS = {
    "evict_until": (
        Walk(climbed, nodes={"node": "left spine"}, up=True, variant=depth),
        FocusLoop("node", *CUT_LEFT, variant=focus_height),
    ),
    "fill": (FocusLoop("node", too_few, on_left_spine, as_it_was, variant=missing),),
    "rebalance_for_evict": (FocusLoop("node", arity_or_underflow, on_left_spine, variant=depth),),
    "rebalance_for_insert": (FocusLoop("node", arity_or_overflow, variant=depth_and_overflow),),
    "search_on": (Walk(begins_before, nodes={"node": "anywhere"}, up=True, variant=depth),),
    "insert_sorted": (Loop(begins_before),),
    "level": (Walk(level_and_height, nodes={"node": "anywhere"}, variant=node_height),),
    "repair_up": (None, None),
}
"""For each method that has a loop, its loops; a loop over the nodes of one step is not cut."""
