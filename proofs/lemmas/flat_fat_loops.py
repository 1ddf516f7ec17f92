"""Trees in arrays, FlatFAT's and that of the FIFO Reactive Aggregator: invariants of their loops.

Source: *General Incremental Sliding-Window Aggregation* (2015), sections 4.2 and 5.2; the paper argues by induction and
in prose, and states no loop invariants, these are ours.

Conventions: those of FlatFAT, and for a state s: `tree` is the shape of the tree, `calls` the combine calls made so
far, and `model[i]` the value of place i when the operation ends.  `area.over(v)` says whether a place below node v is
occupied when the operation ends, `was.over(v)` whether one was when it began.  All places of FlatFAT are occupied;
before new none is.  `writes` are the places given to new, update or slide: `number(i)` is the index of the change of
place i, and `told(i)` that of the first mention of place i, each `size` if there is none.  `held` is the area from its
places `front` to `back`, which wraps around if it is `inverted`; `above_front(l)` and `above_back(l)` are the nodes
above its ends.  For a loop: `done` is the
number of turns made, `rest` the members of the iterated set not yet visited, `before` the combine calls made before the
loop, `around` the turns of the enclosing loop, also of a caller.  A clause with a v holds for every integer v.

Changes propagate from level to level.  A node's content is correct for `was` until its level has been reached, and for
`area` afterwards.  So a node must be rewritten if a child was rewritten, or if a child is over only one of the two
sets.  A node that is not scheduled is over both or over neither, and so is its parent, unless the parent is scheduled
for its other child.
"""

from typing import Any

from swagproof.contracts.clause import Counted, Everywhere, Loop, inside, size
from swagproof.contracts.flat_trees.flat_fat import equation_4_1, sums, values


def inner(s: Any, v: int) -> bool:
    """v is an inner node: 1 <= v < n"""
    return bool(1 <= v and v < s.n)


def on_level(s: Any, v: int, level: int) -> bool:
    """v is an inner node of this level"""
    return inner(s, v) and bool(s.tree.on_level(v, level))


def array(s: Any) -> bool:
    """T has 2n - 1 nodes"""
    return bool(s.T.size == 2 * s.n - 1)


INVARIANT = (array, values, equation_4_1)
"""The class invariant; that n is a power of two is assumed."""


def no_calls(s: Any) -> bool:
    """no combine calls so far"""
    return bool(s.calls == 0)


def sums_over(s: Any, area: Any, v: int) -> bool:
    """T(v) is the product of its children over the area: of both, T(left(v)) ⊕ T(right(v))"""
    x, y = area.over(2 * v), area.over(2 * v + 1)
    if x and y:
        return sums(s, v)
    return not (x or y) or bool(s.T[v] == s.T[2 * v if x else 2 * v + 1])


@Everywhere
def occupied_leaf(s: Any, v: int) -> bool:
    """for leaves v of occupied places: T(v) = a[v-n+1]"""
    return not (s.n <= v and v < 2 * s.n) or not s.area.over(v) or bool(s.T[v] == s.model[v - s.n + 1])


@Everywhere
def occupied_sums(s: Any, v: int) -> bool:
    """equation 4.1 over occupied places: a node holds the product of its children over occupied places"""
    return not inner(s, v) or sums_over(s, s.area, v)


OCCUPIED = (array, occupied_leaf, occupied_sums)
"""The invariant of a tree of which some places are occupied."""


# Writing places, and scheduling the parents of those given


def changed(s: Any, i: int, start: Any, end: Any) -> bool:
    """place i is written by one of the changes start + 1 .. end"""
    number = s.writes.number(i)
    return bool(start <= number and number < end)


def changed_below(s: Any, v: int, start: Any, end: Any) -> bool:
    """a child of node v is a leaf written by one of the changes start + 1 .. end"""
    i = 2 * v - s.n + 1
    return bool(2 * v >= s.n) and (changed(s, i, start, end) or changed(s, i + 1, start, end))


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
    return not inner(s, v) or changed_below(s, v, 0, done) or sums_over(s, s.was, v)


@Everywhere
def of_lowest_level(s: Any, v: int, W: Any) -> bool:
    """W has nodes of level 1"""
    return v not in W or on_level(s, v, 1)


@Everywhere
def told_so_far(s: Any, v: int, W: Any, done: int) -> bool:
    """W has the parents of the places given so far"""
    i = 2 * v - s.n + 1
    return not on_level(s, v, 1) or v in W or not bool(s.writes.told(i) < done or s.writes.told(i + 1) < done)


def some_scheduled(s: Any, W: Any, done: int) -> bool:
    """W is not empty if a place has been given, unless there is only one place"""
    return bool(done == 0) or bool(s.n == 1) or bool(size(W) >= 1)


def one_each(s: Any, W: Any, done: int) -> bool:
    """|W| <= done"""
    return bool(size(W) <= done)


# From level to level


def levels(s: Any, done: int) -> bool:
    """no level above the root's is done"""
    return bool(done <= s.tree.height)


def level_above(s: Any, done: int) -> tuple[Any, Any]:
    """Return the bounds of the numbers of the nodes of level l = done + 1, none above the root."""
    if done < s.tree.height:
        return 2 ** (s.tree.height - done - 1), 2 ** (s.tree.height - done)
    return 0, 0


def to_the_root(s: Any, done: int) -> Any:
    """remaining levels"""
    return s.tree.height - done


@Everywhere
def of_level(s: Any, v: int, W: Any, done: int) -> bool:
    """W has nodes of level l = done + 1"""
    return v not in W or on_level(s, v, done + 1)


@Everywhere
def sums_so_far(s: Any, v: int, W: Any, done: int) -> bool:
    """up to level l = done + 1 nodes are correct, except for W"""
    return not inner(s, v) or bool(s.tree.level(v) > done + 1) or v in W or sums_over(s, s.area, v)


@Everywhere
def sums_above(s: Any, v: int, done: int) -> bool:
    """above level l = done + 1 nodes are unchanged"""
    return not inner(s, v) or bool(s.tree.level(v) <= done + 1) or sums_over(s, s.was, v)


@Everywhere
def stays(s: Any, v: int, W: Any, done: int) -> bool:
    """nodes of level l = done + 1 that are not in W are over occupied places if they were"""
    return not on_level(s, v, done + 1) or v in W or s.area.over(v) == s.was.over(v)


def some_left(s: Any, W: Any, done: int) -> bool:
    """W is empty only above the root, or if slide is given nothing"""
    return bool(size(W) >= 1) or bool(done == s.tree.height) or bool(s.writes.size == 0)


def at_most_m(s: Any, W: Any) -> bool:
    """Claim 4.3, one half: |W_l| <= m"""
    return bool(size(W) <= s.writes.size)


def new_calls_by_level(s: Any, done: int) -> bool:
    """n / 2 + ... + n / 2^done = n - n / 2^done combine calls so far"""
    return bool(s.calls == s.n - 2 ** (s.tree.height - done))


def update_calls_by_level(s: Any, done: int) -> bool:
    """for every s in 0 .. log2 n: calls <= m on each level up to s, and n / 2^l on each level l above"""
    m, split = s.writes.size, s.split
    if done <= split:
        return bool(s.calls <= m * done)
    return bool(s.calls <= m * split + 2 ** (s.tree.height - split) - 2 ** (s.tree.height - done))


# Rewriting the nodes of a level


@Everywhere
def of_their_levels(s: Any, v: int, rest: Any, W_next: Any, around: int) -> bool:
    """the rest of W_l and W_{l+1} are nodes of their levels"""
    if v in rest and not on_level(s, v, around + 1):
        return False
    return v not in W_next or on_level(s, v, around + 2)


@Everywhere
def sums_but_rest(s: Any, v: int, rest: Any, around: int) -> bool:
    """up to level l nodes are correct, except for the rest of W_l"""
    return not inner(s, v) or bool(s.tree.level(v) > around + 1) or v in rest or sums_over(s, s.area, v)


@Everywhere
def sums_above_but_next(s: Any, v: int, W_next: Any, around: int) -> bool:
    """above level l nodes are unchanged, except for W_{l+1}"""
    return not inner(s, v) or bool(s.tree.level(v) <= around + 1) or v in W_next or sums_over(s, s.was, v)


@Everywhere
def children_stay(s: Any, v: int, rest: Any, W_next: Any, around: int) -> bool:
    """below nodes of level l + 1 not in W_{l+1}, children not in the rest are over occupied places if they were"""
    if not on_level(s, v, around + 2) or v in W_next:
        return True
    return all(u in rest or s.area.over(u) == s.was.over(u) for u in (2 * v, 2 * v + 1))


def some_parents(s: Any, W_next: Any, done: int, around: int) -> bool:
    """W_{l+1} is not empty if a node has been rewritten, unless it is the root"""
    return bool(done == 0) or bool(around + 1 == s.tree.height) or bool(size(W_next) >= 1)


def one_parent_each(s: Any, W_next: Any, done: int) -> bool:
    """|W_{l+1}| <= done"""
    return bool(size(W_next) <= done)


def one_call_each(s: Any, done: int, before: int) -> bool:
    """one combine call for each node done"""
    return bool(s.calls == before + done)


def one_call_each_at_most(s: Any, done: int, before: int) -> bool:
    """at most one combine call for each node done"""
    return bool(s.calls <= before + done)


def paths(s: Any, done: int) -> bool:
    """the paths s.front and s.back of slide are above the area's ends, on level l - 1 = done"""
    return bool(s.front == s.held.above_front(done)) and bool(s.back == s.held.above_back(done))


# Counting calls by the nodes over an area `held`: at each level a call joins two of them


def fewer_nodes(s: Any, done: int) -> bool:
    """unless the area wraps around, calls are at most its places minus the nodes over it on level l - 1"""
    area, front, back = s.held, s.held.above_front(done), s.held.above_back(done)
    some = bool(front <= back) or (bool(area.back < area.front) and bool(front == back + 1))
    return area.inverted or (some and bool(s.calls <= area.back - area.front - (back - front)))


def one_call_a_pair(s: Any, rest: Any, before: int, around: int) -> bool:
    """unless the area wraps around, at most one call for each node with two children over it that is done"""
    pairs = (s.held.above_front(around) + 1) // 2, (s.held.above_back(around) + 1) // 2
    return s.held.inverted or bool(s.calls + inside(rest, *pairs) <= before + pairs[1] - pairs[0])


# new, update and slide


@Everywhere
def seen_places(s: Any, v: int, seen: Any, done: int) -> bool:
    """seen = {loc_1, ..., loc_done}"""
    return (v in seen) == (1 <= v and v <= s.n and s.writes.number(v) < done)


_LEVEL = (array, occupied_leaf, levels, of_level, sums_so_far)
_NODE = (array, occupied_leaf, of_their_levels, sums_but_rest)
_FEW = (Counted("W", level_above), at_most_m, update_calls_by_level)

NEW = {
    "new": (
        Loop(array, written_so_far, no_calls),
        Loop(of_lowest_level, told_so_far, no_calls),
        Loop(*_LEVEL, stays, Counted("W", level_above, full=True), new_calls_by_level, variant=to_the_root),
        Loop(*_NODE, children_stay, one_call_each),
    ),
}
"""Invariants of the loops while new runs."""

UPDATE = {
    "require_locations": (Loop(seen_places, no_calls),),
    "update": (
        Loop(array, written_so_far, sums_but_above_changes, no_calls),
        Loop(of_lowest_level, told_so_far, one_each, no_calls),
        Loop(*_LEVEL, sums_above, *_FEW, variant=to_the_root),
        Loop(*_NODE, sums_above_but_next, one_parent_each, one_call_each),
    ),
}
"""Invariants of the loops while update runs."""

SLIDE = {
    "slide": (
        Loop(array, written_so_far, sums_but_above_changes, no_calls),
        Loop(of_lowest_level, told_so_far, some_scheduled, one_each, no_calls),
    ),
    "propagate": (Loop(*_LEVEL, paths, sums_above, stays, some_left, *_FEW, fewer_nodes, variant=to_the_root),),
    "rewrite": (
        Loop(
            *_NODE,
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


# new, with ⊥ at the places after the first m


def _holds_bottom(s: Any, v: int, level: Any) -> bool:
    """T(v) is ⊥ if and only if v, on this level, is over no filled place"""
    return bool(s.T[v] == s.bottom) == bool(s.held.above_back(level) < v)


@Everywhere
def filled_leaves(s: Any, v: int, done: int) -> bool:
    """for i in 1 .. done: T(leaf(i)) is ⊥ if and only if i > m"""
    return not (s.n <= v and v < s.n + done) or _holds_bottom(s, v, 0)


@Everywhere
def bottoms_below(s: Any, v: int, done: int) -> bool:
    """below level l = done + 1, a node holds ⊥ if and only if it is over no filled place"""
    return not node(s, v) or bool(s.tree.level(v) > done) or _holds_bottom(s, v, s.tree.level(v))


@Everywhere
def bottoms_but_rest(s: Any, v: int, rest: Any, around: int) -> bool:
    """below level l + 1, a node holds ⊥ if and only if it is over no filled place, except in the rest of W_l"""
    level = s.tree.level(v)
    return not node(s, v) or bool(level > around + 1) or v in rest or _holds_bottom(s, v, level)


NEW_FILLED = {
    "new": (
        Loop(filled_leaves, no_calls),
        Loop(of_lowest_level, told_so_far, no_calls),
        Loop(levels, of_level, stays, bottoms_below, fewer_nodes, variant=to_the_root),
        Loop(of_their_levels, children_stay, bottoms_but_rest, one_call_a_pair),
    ),
}
"""Invariants of the loops while new runs with ⊥ at some places, for the calls of the operator that ⊥ is adjoined to."""


def bad_to_come(s: Any, done: int) -> bool:
    """change `bad` + 1, of a place outside 1 .. n or of the same place as an earlier one, is not checked yet"""
    return bool(done <= s.bad)


def twin_seen(s: Any, seen: Any, done: int) -> bool:
    """the place of change `twin` + 1 is in seen once it has been checked; twin = bad if the place is outside"""
    return not s.twin < done or s.place in seen


def nothing_written(s: Any) -> bool:
    """false: bad input is refused before this loop"""
    return False


REFUSED = {
    "require_locations": (Loop(bad_to_come, twin_seen),),
    **dict.fromkeys(("new", "update"), (Loop(nothing_written),) * 4),
}
"""Invariants of the loops while new runs on a bad number of values, and update on changes with a bad one."""


# prefix and suffix


def node(s: Any, v: int) -> bool:
    """v is a node"""
    return bool(1 <= v and v < 2 * s.n)


def prefix_below(s: Any, v: int, a: Any, i: int) -> bool:
    """leaf i is below v, and a is the aggregate of the leaves below v up to i"""
    first = s.tree.first(v)
    return bool(first <= i and i <= s.tree.last(v) and a == s.model.product(first, i))


def suffix_below(s: Any, v: int, a: Any, j: int) -> bool:
    """leaf j is below v, and a is the aggregate of the leaves below v from j on"""
    last = s.tree.last(v)
    return bool(s.tree.first(v) <= j and j <= last and a == s.model.product(j, last))


def one_call_a_level(s: Any, v: int) -> bool:
    """at most one combine call for each level below v"""
    return bool(s.calls <= s.tree.level(v))


def _above(s: Any, v: int) -> Any:
    """levels above v"""
    return s.tree.height - s.tree.level(v)


QUERIES = {
    "prefix": (Loop(node, prefix_below, one_call_a_level, variant=_above),),
    "suffix": (Loop(node, suffix_below, one_call_a_level, variant=_above),),
}
"""Invariants of the loops while a query runs."""
