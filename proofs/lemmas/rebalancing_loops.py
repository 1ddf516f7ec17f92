"""Whole operations of the trees: invariants of their loops, and contracts of their methods.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), Figures 7 and 8, and Lemma C.1; the paper states
no loop invariants, these are ours.

Conventions. The *focus* is the current node of a loop: `node` while rebalancing, `top`, `left` or `right` while
repairing. An aggregate is *right* if it is the product that section 3.2 defines for the node's position in the present
tree, otherwise *stale*. mu is `s.mu`; depths are counted from the root, heights from the leaves. `s.is_right(y)` says
that the aggregate of y is right, `s.spine_is_right(y, left)` that the aggregates of all nodes strictly below y on its
left (right) spine are.

In a tree without spines (the classic B-tree) every aggregate is its subtree's product, at the root too.

*Around the focus.* While a tree is rebalanced, only the following aggregates may be stale. Every loop here preserves
this; it is not a clause, but the state in which the loop runs (swagproof.proofs.trees.whole.zipper):

1. the aggregates of the proper ancestors of the focus that store their subtree's product;
2. let f be the lowest node at or above the focus that is on a spine, or the root: the aggregate of f and, if f is on a
   spine, of all nodes below f on it; the aggregates above f on this spine, and on the other spine, are right;
3. if f is the root: its own aggregate, and a whole spine's if the spine's flag (`hit_left`, `hit_right`) is true;
4. if an entry of an inner node `to_repair` was substituted, and the focus is below it: the aggregates of all ancestors
   of the focus up to `to_repair`, and 1 to 3 apply from `to_repair` upwards. `s.to_repair` is its height, None if there
   is no such node, and -1 if it was a root of two children that merged, and is gone.

All other aggregates are right. Arities, heights, the order and number of the entries, parents and spine flags are right
everywhere, except the focus' arity, which a clause bounds.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from swagproof.contracts.clause import Clause, Loop
from swagproof.contracts.trees.whole_operations import (
    arity,
    arity_or_overflow,
    arity_or_underflow,
    flags,
    on_left_spine,
    root_left,
    root_right,
    up_aggregate,
)


class FocusLoop(Loop):
    """A loop whose state is a tree around a focus."""

    def __init__(
        self,
        focus: str,
        *clauses: Clause,
        costs: tuple[Clause, ...] = (),
        turn: tuple[Clause, ...] = (),
        descends: str = "",
        **more: Any,
    ) -> None:
        super().__init__(*clauses, *costs, **more)
        self.focus = focus
        """The variable that holds the focus; clauses call it `focus`."""
        self.costs = costs
        """The clauses that only claims about cost need."""
        self.turn = turn
        """The further clauses that one turn preserves."""
        self.descends = descends
        """The spine that the loop goes down and repairs, if any; the tree around it is unchanged."""


def aggregate(s: Any, focus: Any) -> bool:
    """the focus' aggregate is right"""
    return bool(s.is_right(focus))


def substituted(s: Any, focus: Any) -> bool:
    """to_repair, if there is one, is an inner node at most as high as the root, or was the root and is gone"""
    if s.to_repair is None:
        return True
    there = bool(s.to_repair >= 1) or bool(s.to_repair == -1)
    return there and (not focus.is_root() or bool(s.height(focus) >= s.to_repair))


def substituted_above(s: Any, focus: Any) -> bool:
    """to_repair is the focus, or above it"""
    return bool(s.height(focus) <= s.to_repair) and (not focus.is_root() or bool(s.height(focus) >= s.to_repair))


def on_right_spine(s: Any, focus: Any) -> bool:
    """the focus is the root, or on the right spine"""
    return bool(focus.is_root() or focus.right_spine)


def turn_is_paid(s: Any, focus: Any) -> bool:
    """coins at the touched nodes after a turn, plus one for each step <= coins before, plus one for a move"""
    return bool(s.steps + s.coins_now <= s.coins_before + (1 if s.moved else 0))


def move_is_last(s: Any, focus: Any) -> bool:
    """after a move the loop ends"""
    return not s.moved or bool(focus.is_root()) or bool(focus.arity >= s.mu)


# Costs of repairs. A node's level is the height of the lowest node at or above it that is on a spine, or the root.


def no_flag_below(s: Any, focus: Any, hit_left: Any, hit_right: Any) -> bool:
    """a flag is true only if the focus is on a spine or is the root"""
    return not focus.has_agg_up() or not (bool(hit_left) or bool(hit_right))


def no_flags(s: Any, hit_left: Any, hit_right: Any) -> bool:
    """no flag is true while the repair goes up to a spine"""
    return not (bool(hit_left) or bool(hit_right))


def one_each_up(s: Any, focus: Any) -> bool:
    """on the way to the level where repair began, one aggregate was computed for each level climbed"""
    climbed = bool(s.repairs == s.height(focus) - s.start_height)
    return climbed and bool(s.level(focus) == s.start_level)


def three_a_step(s: Any) -> bool:
    """at most three aggregates are computed for each step, and one for a node whose entry was substituted"""
    return bool(s.repairs <= 3 * s.steps + (0 if s.to_repair is None else 1))


def one_a_level(s: Any, focus: Any) -> bool:
    """at most one aggregate is computed for each level"""
    return bool(s.repairs <= s.height(focus) - s.height_before)


# Variants


def depth_and_overflow(s: Any, focus: Any) -> Any:
    """depth, plus one while there is an overflow: the root's is repaired at depth 0"""
    return s.depth(focus) + s.overflow(focus)


def depth(s: Any, focus: Any) -> Any:
    """depth"""
    return s.depth(focus)


def height(s: Any, focus: Any) -> Any:
    """height"""
    return s.height(focus)


class TreeClauses(NamedTuple):
    """Preconditions and postconditions of a tree's methods."""

    inserted: tuple[Clause, ...]
    """The precondition of rebalancing after an entry was added to the focus, with the initial hit_left, hit_right."""
    evicted: tuple[Clause, ...]
    """The precondition of rebalancing after an entry was removed from the focus, a leaf."""
    done: tuple[Clause, ...]
    """The postcondition of rebalancing at `top`, which is the precondition of repair_aggs."""
    loops: Mapping[str, tuple[FocusLoop | None, ...]]
    """The loops of each method that has any; a loop over the nodes of one step is not cut."""


def _given(*kept: Clause, evict_inner: tuple[FocusLoop, ...] = (), repair_aggs: tuple[FocusLoop, ...]) -> TreeClauses:
    inserted, evicted = (arity_or_overflow, *kept), (arity_or_underflow, *kept)
    turn = turn_is_paid, move_is_last, three_a_step
    loops = {
        "rebalance_for_insert": (FocusLoop("node", *inserted, turn=turn, variant=depth_and_overflow),),
        "rebalance_for_evict": (FocusLoop("node", *evicted, turn=turn, variant=depth),),
        "evict_inner": evict_inner,
        "repair_aggs": repair_aggs,
        "repair_up": (None,),
    }
    return TreeClauses(inserted, evicted, (arity, *kept), loops)


_ON_SPINES = up_aggregate, flags, root_left, root_right, no_flag_below
FIBA = _given(
    *_ON_SPINES,
    substituted,
    evict_inner=(FocusLoop("top", arity, *_ON_SPINES, substituted_above, turn=(one_a_level,), variant=depth),),
    repair_aggs=(
        FocusLoop("top", arity, aggregate, root_left, root_right, costs=(no_flags, one_each_up), variant=depth),
        FocusLoop("left", on_left_spine, aggregate, descends="left", variant=height),
        FocusLoop("right", on_right_spine, aggregate, descends="right", variant=height),
    ),
)
B_TREE = _given(up_aggregate, repair_aggs=(FocusLoop("top", arity, aggregate, costs=(one_each_up,), variant=depth),))
