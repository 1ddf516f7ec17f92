"""Walks in the trees that change nothing: invariants of their loops, and where they end.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), sections 3.2 and 3.3 and Figure 10; the paper
describes searches in prose, and states no loop invariants; these are ours.

Conventions: those of `proofs/lemmas/rebalancing_loops.py`.  Entries are numbered from the window's oldest, 0 .. n-1;
the entries below a node have the numbers from `s.begin(y)` up to, but not including, `s.end(y)`.  `s.is_before(k, t)`
says that entry k is before time t, `s.is_behind(k, t)` that it is behind.  The *focus* is the first of a loop's nodes,
`start` that node at the beginning of the loop.  `s.visits` is the number of nodes that the search has visited,
`s.power(h)` is mu^h.
"""

from collections.abc import Mapping
from typing import Any, Literal

from swagproof.contracts.clause import Clause, Loop
from swagproof.contracts.trees.walks import between
from swagproof.proofs.lemmas.rebalancing_loops import depth, height

Where = Literal["left spine", "right spine", "anywhere"]
"""The place of a walk: on a spine, or at the root above it."""


class Walk(Loop):
    """A loop that goes from node to node and changes nothing: up, or down below the node where it began."""

    def __init__(
        self,
        *clauses: Clause,
        nodes: Mapping[str, Where],
        up: bool = False,
        beyond: bool = False,
        tells: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(*clauses, **more)
        self.nodes = nodes
        """The variables that hold the walk's nodes, all at one height, with the place of each."""
        self.first = next(iter(nodes))
        self.up = up
        """True if the walk goes up."""
        self.beyond = beyond
        """True if the walk may go above the root, to None."""
        self.tells = tells
        """True if the walk is part of a search, which reports each node; the first variable holds the latest node."""


# Up from both fingers


def far_from_the_ends(s: Any, left: Any, t: Any) -> bool:
    """at height h >= 1: at least mu^h - 1 entries are before t, and as many behind it"""
    least = s.power(s.height(left)) - 1
    return bool(s.height(left) == 0) or (bool(s.entries_before(t) >= least) and bool(s.entries_behind(t) >= least))


def visits_up(s: Any, left: Any) -> bool:
    """at height h: 2 h + 1 nodes have been visited"""
    return bool(s.visits == 2 * s.height(left) + 1)


# Down


def searched(s: Any, node: Any, t: Any, found: Any, i: Any) -> bool:
    """found: the node's entry i is at t; else t is behind its entry i - 1 and before its entry i, if it has them"""
    if not (bool(0 <= i) and bool(i <= node.arity - 1)):
        return False
    if found:
        return bool(i < node.arity - 1) and bool(s.is_at(s.entry(node, i), t))
    begins = bool(i == 0) or bool(s.is_before(s.entry(node, i - 1), t))
    return begins and (bool(i == node.arity - 1) or bool(s.is_behind(s.entry(node, i), t)))


def visits_down(s: Any, node: Any, start: Any, before: Any) -> bool:
    """one node has been visited for each level"""
    return bool(s.visits == before + s.height(start) - s.height(node))


# Distance of a node from the ends, by its level: the height of the lowest node at or above it on a spine, or the root


def far_below(s: Any, node: Any) -> bool:
    """on level k: at least mu^k - 1 entries are before all entries below it, except on the left spine and at the root;
    as many are behind them, except on the right spine and at the root
    """
    least = s.power(s.level(node)) - 1
    before = bool(node.is_root() or node.left_spine) or bool(s.begin(node) >= least)
    return before and (bool(node.is_root() or node.right_spine) or bool(s.n - s.end(node) >= least))


def far_entry(s: Any, node: Any, number: Any) -> bool:
    """on level k: at least mu^k - 1 entries are before the entry, and as many behind it"""
    least = s.power(s.level(node)) - 1
    return bool(number >= least) and bool(s.n - 1 - number >= least)


# To the first or last leaf below a node


def first_below(s: Any, node: Any, start: Any) -> bool:
    """the first entry below the node is the first below the node where the walk began"""
    return bool(s.begin(node) == s.begin(start))


def last_below(s: Any, node: Any, start: Any) -> bool:
    """the last entry below the node is the last below the node where the walk began"""
    return bool(s.end(node) == s.end(start))


# From a node up, to check whether another node is above


def not_passed(s: Any, self: Any, above: Any) -> bool:
    """if to_repair is at or above the starting node, it was not passed yet; None is above the root"""
    if above is None:
        return not s.is_above(self)
    return bool(s.height(above) >= s.height(self)) and (bool(s.height(above) <= s.to_repair) or not s.is_above(self))


def depth_above(s: Any, above: Any) -> Any:
    """depth plus one; 0 for None"""
    return 0 if above is None else s.depth(above) + 1


# From two nodes up in turn, until one reaches a node that the other has visited


def all_on_the_ways(s: Any, climbing: Any, waiting: Any, met: Any) -> bool:
    """met has all nodes of both ways below the current nodes, and no others; None is above the root"""
    return bool(s.is_all_below(met, climbing)) and bool(s.is_all_below(met, waiting)) and s.are_both(climbing, waiting)


def not_met_yet(s: Any, climbing: Any, waiting: Any) -> bool:
    """at least one of them has not been at the least common ancestor"""
    return bool(s.height(climbing) <= s.least) or bool(s.height(waiting) <= s.least)


def both_ways(s: Any, climbing: Any, waiting: Any) -> Any:
    """twice the rest of both ways, plus one if it is the turn of a way that is at its end"""
    return 2 * (s.left_of(climbing) + s.left_of(waiting)) + s.is_at_end(climbing)


_DOWN = Walk(between, searched, visits_down, nodes={"node": "anywhere"}, tells=True, variant=height)
SEARCH = {
    "search_path": (
        Walk(
            far_from_the_ends,
            visits_up,
            nodes={"left": "left spine", "right": "right spine"},
            up=True,
            tells=True,
            variant=depth,
        ),
    ),
    "search_down": (_DOWN,),
}
"""The walks of FiBA; the classic B-tree searches from the root."""
SEARCH_DOWN = {"search_down": (_DOWN,)}
ENDS = {
    "oldest": (Walk(first_below, nodes={"node": "anywhere"}, variant=height),),
    "youngest": (Walk(last_below, nodes={"node": "anywhere"}, variant=height),),
}
ABOVE = {"is_descendent": (Walk(not_passed, nodes={"above": "anywhere"}, up=True, beyond=True, variant=depth_above),)}
COMMON = {"least_common_ancestor": (Loop(all_on_the_ways, not_met_yet, variant=both_ways),)}
