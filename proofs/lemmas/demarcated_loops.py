"""The FlatFAT of the Reactive Aggregator for FIFO: invariants of its loops.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 5.2, which describes skipped nodes in prose;
the invariants are ours.

Conventions: those of FlatFAT's loops, and for a state s: `area` is the set of places that are occupied when the
operation ends, from its place `front` to its place `back`, wrapping around if it is `inverted`; `was` is the set of
places that were occupied when it began.  `writes` are the places given to a slide, changed or freed; `writes.told(i)`
is the index of place i among them, `size` if it is not one of them.  s.front and s.back are the nodes above the area's
ends, on the level of the children.

A node's content is correct for `was` until its level has been reached, and for `area` afterwards.  So a node must be
rewritten if a child was rewritten, or if a child is over only one of the two sets.  A node that is not scheduled is
over both or over neither, and so is its parent, unless the parent is scheduled for its other child.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from swagproof.contracts.clause import Counted, Everywhere, Loop, inside, size
from swagproof.proofs.lemmas.flat_fat_loops import (
    TreeShape,
    Writes,
    array,
    at_most_m,
    changed_below,
    inner,
    level_above,
    levels,
    no_calls,
    on_level,
    one_each,
    one_parent_each,
    to_the_root,
    update_calls_by_level,
)


class Area:
    """The places from front to back of a circular buffer, wrapping around if the back is before the front."""

    def __init__(self, tree: TreeShape, front: int, back: int) -> None:
        self.tree = tree
        self.front = front
        self.back = back
        self.inverted = back < front

    def over(self, v: int) -> bool:
        """Return whether a place below node v is in it."""
        from_front, to_back = self.front <= self.tree.last(v), self.tree.first(v) <= self.back
        return from_front or to_back if self.inverted else from_front and to_back

    def above_front(self, level: int) -> int:
        """Return the node of a level above its front."""
        return (self.tree.leaves + self.front - 1) >> level

    def above_back(self, level: int) -> int:
        """Return the node of a level above its back."""
        return (self.tree.leaves + self.back - 1) >> level


class Announced(Writes):
    """The arguments of a slide: freed places, then changes."""

    def __init__(self, changes: Sequence[tuple[int, Any]], freed: Collection[int], old: Callable[[int], Any]) -> None:
        super().__init__(changes, old)
        listed = [*freed, *(place for place, _ in changes)]
        self.size = len(listed)
        self._told = {place: number for number, place in reversed([*enumerate(listed)])}

    def told(self, i: int) -> int:
        """Return the index of the first mention of place i, from 0; `size` if there is none."""
        return self._told.get(i, self.size)


def _sums(s: Any, area: Any, v: int) -> bool:
    """T(v) is the product of its children over the area: of both, T(left(v)) ⊕ T(right(v))"""
    x, y = area.over(2 * v), area.over(2 * v + 1)
    if x and y:
        return bool(s.T[v] == s.model.monoid.combine(s.T[2 * v], s.T[2 * v + 1]))
    return not (x or y) or bool(s.T[v] == s.T[2 * v if x else 2 * v + 1])


@Everywhere
def occupied_leaf(s: Any, v: int) -> bool:
    """for leaves v of occupied places: T(v) = a[v-n+1]"""
    return not (s.n <= v and v < 2 * s.n) or not s.area.over(v) or bool(s.T[v] == s.model[v - s.n + 1])


@Everywhere
def occupied_sums(s: Any, v: int) -> bool:
    """equation 4.1 over occupied places: a node holds the product of its children over occupied places"""
    return not inner(s, v) or _sums(s, s.area, v)


INVARIANT = (array, occupied_leaf, occupied_sums)


# slide


@Everywhere
def written_so_far(s: Any, v: int, done: int) -> bool:
    """T(leaf(i)) = val_j for loc_j = i, j <= done, otherwise the former value if it was occupied"""
    if not (s.n <= v and v < 2 * s.n):
        return True
    i = v - s.n + 1
    if s.writes.number(i) < done:
        return bool(s.T[v] == s.model[i])
    return not s.was.over(v) or bool(s.T[v] == s.writes.old(i))


@Everywhere
def sums_but_above_changes(s: Any, v: int, done: int) -> bool:
    """nodes are unchanged, except for parents of leaves written so far"""
    return not inner(s, v) or changed_below(s, v, 0, done) or _sums(s, s.was, v)


@Everywhere
def told_so_far(s: Any, v: int, W: Any, done: int) -> bool:
    """W has the parents of the places given so far"""
    i = 2 * v - s.n + 1
    return not on_level(s, v, 1) or v in W or not bool(s.writes.told(i) < done or s.writes.told(i + 1) < done)


def some_scheduled(s: Any, W: Any, done: int) -> bool:
    """W is not empty if a place has been given, unless there is only one place"""
    return bool(done == 0) or bool(s.n == 1) or bool(size(W) >= 1)


def paths(s: Any, done: int) -> bool:
    """s.front and s.back are above the area's ends, on level l - 1 = done"""
    return bool(s.front == s.area.above_front(done)) and bool(s.back == s.area.above_back(done))


@Everywhere
def sums_so_far(s: Any, v: int, W: Any, done: int) -> bool:
    """up to level l = done + 1 nodes are correct, except for W"""
    return not inner(s, v) or bool(s.tree.level(v) > done + 1) or v in W or _sums(s, s.area, v)


@Everywhere
def sums_above(s: Any, v: int, done: int) -> bool:
    """above level l = done + 1 nodes are unchanged"""
    return not inner(s, v) or bool(s.tree.level(v) <= done + 1) or _sums(s, s.was, v)


@Everywhere
def stays(s: Any, v: int, W: Any, done: int) -> bool:
    """nodes of level l = done + 1 that are not in W are over occupied places if they were"""
    return not on_level(s, v, done + 1) or v in W or s.area.over(v) == s.was.over(v)


def some_left(s: Any, W: Any, done: int) -> bool:
    """W is empty only above the root, or if slide is given nothing"""
    return bool(size(W) >= 1) or bool(done == s.tree.height) or bool(s.writes.size == 0)


@Everywhere
def sums_but_rest(s: Any, v: int, rest: Any, propagate_done: int) -> bool:
    """up to level l nodes are correct, except for the rest of W_l"""
    return not inner(s, v) or bool(s.tree.level(v) > propagate_done + 1) or v in rest or _sums(s, s.area, v)


@Everywhere
def sums_above_but_next(s: Any, v: int, W_next: Any, propagate_done: int) -> bool:
    """above level l nodes are unchanged, except for W_{l+1}"""
    return not inner(s, v) or bool(s.tree.level(v) <= propagate_done + 1) or v in W_next or _sums(s, s.was, v)


@Everywhere
def children_stay(s: Any, v: int, rest: Any, W_next: Any, propagate_done: int) -> bool:
    """below nodes of level l + 1 not in W_{l+1}, children not in the rest are over occupied places if they were"""
    if not on_level(s, v, propagate_done + 2) or v in W_next:
        return True
    return all(u in rest or s.area.over(u) == s.was.over(u) for u in (2 * v, 2 * v + 1))


def some_parents(s: Any, W_next: Any, done: int, propagate_done: int) -> bool:
    """W_{l+1} is not empty if a node has been rewritten, unless it is the root"""
    return bool(done == 0) or bool(propagate_done + 1 == s.tree.height) or bool(size(W_next) >= 1)


# Cost of a slide


@Everywhere
def of_lowest_level(s: Any, v: int, W: Any) -> bool:
    """W has nodes of level 1"""
    return v not in W or on_level(s, v, 1)


@Everywhere
def of_level(s: Any, v: int, W: Any, done: int) -> bool:
    """W has nodes of level l = done + 1"""
    return v not in W or on_level(s, v, done + 1)


def fewer_nodes(s: Any, done: int) -> bool:
    """unless the area wraps around, calls are at most its places minus the nodes over it on level l - 1"""
    fewer = s.area.back - s.area.front - (s.back - s.front)
    return s.area.inverted or (bool(s.front <= s.back) and bool(s.calls <= fewer))


@Everywhere
def of_their_levels(s: Any, v: int, rest: Any, W_next: Any, propagate_done: int) -> bool:
    """the rest of W_l and W_{l+1} are nodes of their levels"""
    if v in rest and not on_level(s, v, propagate_done + 1):
        return False
    return v not in W_next or on_level(s, v, propagate_done + 2)


def one_call_each_at_most(s: Any, done: int, before: int) -> bool:
    """at most one combine call for each node done"""
    return bool(s.calls <= before + done)


def one_call_a_pair(s: Any, rest: Any, before: int) -> bool:
    """unless the area wraps around, at most one call for each node with two children over it that is done"""
    pairs = (s.front + 1) // 2, (s.back + 1) // 2
    return s.area.inverted or bool(s.calls + inside(rest, *pairs) <= before + pairs[1] - pairs[0])


SLIDE = {
    "slide": (
        Loop(array, written_so_far, sums_but_above_changes, no_calls),
        Loop(of_lowest_level, told_so_far, some_scheduled, one_each, no_calls),
    ),
    "propagate": (
        Loop(
            array,
            occupied_leaf,
            levels,
            paths,
            of_level,
            sums_so_far,
            sums_above,
            stays,
            some_left,
            Counted("W", level_above),
            at_most_m,
            update_calls_by_level,
            fewer_nodes,
            variant=to_the_root,
        ),
    ),
    "rewrite": (
        Loop(
            array,
            occupied_leaf,
            of_their_levels,
            sums_but_rest,
            sums_above_but_next,
            children_stay,
            some_parents,
            one_parent_each,
            one_call_each_at_most,
            one_call_a_pair,
        ),
    ),
}
"""Invariants of the loops while slide runs."""


def slide_calls(occupied: int, calls: int) -> bool:
    """a slide to an area that does not wrap around makes fewer combine calls than the area has places"""
    return bool(calls < occupied)
