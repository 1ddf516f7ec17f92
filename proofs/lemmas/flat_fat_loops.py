"""FlatFAT: invariants of its loops.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 4.2; the paper argues by induction and states
no loop invariants, these are ours.

Conventions: those of FlatFAT, and for a state s: `tree` is the shape of the tree, `model[i]` the value of place i when
the operation ends, `writes` the changes of an update by place, `calls` the combine calls made so far.  For a loop:
`done` is the number of turns made, `rest` the members of the iterated set not yet visited, `before` the combine calls
made before the loop, `around` the turns of the enclosing loop.  A clause with a v holds for every integer v.
"""

from collections.abc import Callable, Sequence
from typing import Any

from swagproof.contracts.clause import Counted, Everywhere, Loop, inside, size
from swagproof.contracts.flat_trees.flat_fat import equation_4_1, sums, values


class TreeShape:
    """The complete binary tree over n = 2^height leaves: levels are counted from the leaves, leaves from 1."""

    def __init__(self, n: int) -> None:
        self.leaves = n
        self.height = n.bit_length() - 1

    def level(self, v: int) -> int:
        """Return 0 for a leaf, `height` for the root."""
        return self.height + 1 - v.bit_length()

    def on_level(self, v: int, level: int) -> bool:
        """Return whether node v is on this level."""
        return self.level(v) == level

    def first(self, v: int) -> int:
        """Return the first leaf below node v."""
        return (v << self.level(v)) - self.leaves + 1

    def last(self, v: int) -> int:
        """Return the last leaf below node v."""
        return (v + 1 << self.level(v)) - self.leaves


class Writes:
    """The changes of an update by place: the change that writes place i, and the former value."""

    def __init__(self, changes: Sequence[tuple[int, Any]], old: Callable[[int], Any]) -> None:
        self.size = len(changes)
        self.old = old
        self._numbers = {place: number for number, (place, _) in enumerate(changes)}

    def number(self, i: int) -> int:
        """Return the index of the change that writes place i; `size` if there is none."""
        return self._numbers.get(i, self.size)


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


# new


@Everywhere
def filled(s: Any, v: int, done: int) -> bool:
    """for i in 1 .. done: T(leaf(i)) = a[i]"""
    return not (s.n <= v and v < s.n + done) or bool(s.T[v] == s.model[v - s.n + 1])


@Everywhere
def parents_of_leaves(s: Any, v: int, W: Any, done: int) -> bool:
    """W = {parent(leaf(i)) | i in 1 .. done}"""
    return (v in W) == (on_level(s, v, 1) and bool(s.tree.first(v) <= done))


@Everywhere
def whole_level(s: Any, v: int, W: Any, done: int) -> bool:
    """W is the set of all nodes of level l = done + 1"""
    return (v in W) == on_level(s, v, done + 1)


@Everywhere
def built_below(s: Any, v: int, done: int) -> bool:
    """equation 4.1 holds at all nodes of the levels below l = done + 1"""
    return not (inner(s, v) and s.tree.level(v) <= done) or sums(s, v)


def levels(s: Any, done: int) -> bool:
    """no level above the root's is done"""
    return bool(done <= s.tree.height)


def new_calls_by_level(s: Any, done: int) -> bool:
    """n / 2 + ... + n / 2^done = n - n / 2^done combine calls so far"""
    return bool(s.calls == s.n - 2 ** (s.tree.height - done))


def level_above(s: Any, done: int) -> tuple[Any, Any]:
    """Return the bounds of the numbers of the nodes of level l = done + 1, none above the root."""
    if done < s.tree.height:
        return 2 ** (s.tree.height - done - 1), 2 ** (s.tree.height - done)
    return 0, 0


@Everywhere
def parents_of_done(s: Any, v: int, rest: Any, W_next: Any, around: int) -> bool:
    """W_{l+1} is within level l + 1, and has each node of it whose left child is done"""
    if on_level(s, v, around + 2):
        return v in W_next or 2 * v in rest
    return v not in W_next


@Everywhere
def built_but_rest(s: Any, v: int, rest: Any, around: int) -> bool:
    """equation 4.1 holds at all nodes up to level l except the rest of W_l"""
    if not inner(s, v) or s.tree.level(v) > around + 1:
        return True
    return v in rest or sums(s, v)


def one_call_each(s: Any, done: int, before: int) -> bool:
    """one combine call for each node done"""
    return bool(s.calls == before + done)


def to_the_root(s: Any, done: int) -> Any:
    """remaining levels"""
    return s.tree.height - done


NEW = {
    "new": (
        Loop(filled, array, no_calls),
        Loop(parents_of_leaves, no_calls),
        Loop(
            array,
            values,
            levels,
            whole_level,
            Counted("W", level_above, full=True),
            built_below,
            new_calls_by_level,
            variant=to_the_root,
        ),
        Loop(array, values, parents_of_done, built_but_rest, one_call_each),
    ),
}
"""Invariants of the loops while new runs."""


# new, with ⊥ at the places after the first m


class Filled:
    """The first `size` places of a tree, and the nodes over them, which come first on each level."""

    def __init__(self, tree: TreeShape, count: int) -> None:
        self.tree = tree
        self.size = count

    def end(self, level: int) -> int:
        """Return the number after that of the last node of a level that is over them."""
        return -(-(self.tree.leaves + self.size) >> level)


def _holds_bottom(s: Any, v: int, level: Any) -> bool:
    """T(v) is ⊥ if and only if v, on this level, is over no filled place"""
    return bool(s.T[v] == s.bottom) == bool(s.filled.end(level) <= v)


@Everywhere
def filled_leaves(s: Any, v: int, done: int) -> bool:
    """for i in 1 .. done: T(leaf(i)) is ⊥ if and only if i > m"""
    return not (s.n <= v and v < s.n + done) or _holds_bottom(s, v, 0)


@Everywhere
def bottoms_below(s: Any, v: int, done: int) -> bool:
    """below level l = done + 1, a node holds ⊥ if and only if it is over no filled place"""
    return not node(s, v) or bool(s.tree.level(v) > done) or _holds_bottom(s, v, s.tree.level(v))


def some_filled(s: Any, done: int) -> bool:
    """on each level some node is over a filled place, if there is one"""
    over = s.filled.end(done) - 2 ** (s.tree.height - done)
    return bool(over >= 1) or (bool(over == 0) and bool(s.filled.size == 0))


def fewer_filled(s: Any, done: int) -> bool:
    """calls are at most the filled places minus the nodes of level l - 1 over them"""
    return bool(s.calls + s.filled.end(done) - 2 ** (s.tree.height - done) <= s.filled.size)


@Everywhere
def bottoms_but_rest(s: Any, v: int, rest: Any, around: int) -> bool:
    """below level l + 1, a node holds ⊥ if and only if it is over no filled place, except in the rest of W_l"""
    level = s.tree.level(v)
    return not node(s, v) or bool(level > around + 1) or v in rest or _holds_bottom(s, v, level)


def one_call_a_filled_pair(s: Any, rest: Any, before: int, around: int) -> bool:
    """at most one call for each node that is done and whose right child is over a filled place"""
    pairs = 2 ** (s.tree.height - around - 1), s.filled.end(around) // 2
    return bool(s.calls + inside(rest, *pairs) <= before + pairs[1] - pairs[0])


NEW_FILLED = {
    "new": (
        Loop(filled_leaves, no_calls),
        Loop(parents_of_leaves, no_calls),
        Loop(levels, whole_level, bottoms_below, some_filled, fewer_filled, variant=to_the_root),
        Loop(parents_of_done, bottoms_but_rest, one_call_a_filled_pair),
    ),
}
"""Invariants of the loops while new runs with ⊥ at some places, for the calls of the operator that ⊥ is adjoined to."""


# update


@Everywhere
def seen_places(s: Any, v: int, seen: Any, done: int) -> bool:
    """seen = {loc_1, ..., loc_done}"""
    return (v in seen) == (1 <= v and v <= s.n and s.writes.number(v) < done)


def changed(s: Any, i: int, start: Any, end: Any) -> bool:
    """place i is written by one of the changes start + 1 .. end"""
    number = s.writes.number(i)
    return bool(start <= number and number < end)


def changed_below(s: Any, v: int, start: Any, end: Any) -> bool:
    """a child of node v is a leaf written by one of the changes start + 1 .. end"""
    i = 2 * v - s.n + 1
    return bool(2 * v >= s.n) and (changed(s, i, start, end) or changed(s, i + 1, start, end))


@Everywhere
def written(s: Any, v: int, done: int) -> bool:
    """T(leaf(i)) = val_j for loc_j = i, j <= done, otherwise the former value"""
    if not (s.n <= v and v < 2 * s.n):
        return True
    i = v - s.n + 1
    return bool(s.T[v] == (s.model[i] if changed(s, i, 0, done) else s.writes.old(i)))


@Everywhere
def sums_but_above_written(s: Any, v: int, done: int) -> bool:
    """equation 4.1 holds except at parents of leaves written so far"""
    return not inner(s, v) or changed_below(s, v, 0, done) or sums(s, v)


@Everywhere
def scheduled_or_to_come(s: Any, v: int, W: Any, done: int) -> bool:
    """W is within level 1; equation 4.1 holds except at W and at parents of leaves of later changes"""
    if v in W:
        return on_level(s, v, 1)
    return not inner(s, v) or changed_below(s, v, done, s.writes.size) or sums(s, v)


def one_each(s: Any, W: Any, done: int) -> bool:
    """|W| <= done"""
    return bool(size(W) <= done)


@Everywhere
def scheduled(s: Any, v: int, W: Any, done: int) -> bool:
    """W is within level l = done + 1, and equation 4.1 holds at all nodes except W"""
    if v in W:
        return on_level(s, v, done + 1)
    return not inner(s, v) or sums(s, v)


def at_most_m(s: Any, W: Any) -> bool:
    """Claim 4.3, one half: |W_l| <= m"""
    return bool(size(W) <= s.writes.size)


def update_calls_by_level(s: Any, done: int) -> bool:
    """for every s in 0 .. log2 n: calls <= m on each level up to s, and n / 2^l on each level l above"""
    m, split = s.writes.size, s.split
    if done <= split:
        return bool(s.calls <= m * done)
    return bool(s.calls <= m * split + 2 ** (s.tree.height - split) - 2 ** (s.tree.height - done))


@Everywhere
def rest_or_next(s: Any, v: int, rest: Any, W_next: Any, around: int) -> bool:
    """W_{l+1} is within level l + 1; equation 4.1 holds at all nodes except the rest of W_l and W_{l+1}"""
    if v in W_next:
        return on_level(s, v, around + 2)
    return not inner(s, v) or v in rest or sums(s, v)


def one_parent_each(s: Any, W_next: Any, done: int) -> bool:
    """|W_{l+1}| <= done"""
    return bool(size(W_next) <= done)


UPDATE = {
    "require_locations": (Loop(seen_places, no_calls),),
    "update": (
        Loop(array, written, sums_but_above_written, no_calls),
        Loop(scheduled_or_to_come, one_each, no_calls),
        Loop(
            array,
            values,
            levels,
            scheduled,
            Counted("W", level_above),
            at_most_m,
            update_calls_by_level,
            variant=to_the_root,
        ),
        Loop(array, values, rest_or_next, one_parent_each, one_call_each),
    ),
}
"""Invariants of the loops while update runs."""


def bad_to_come(s: Any, done: int) -> bool:
    """change `bad` + 1, of a place outside 1 .. n or of the same place as an earlier one, is not checked yet"""
    return bool(done <= s.bad)


def twin_seen(s: Any, seen: Any, done: int) -> bool:
    """the place of change `twin` + 1 is in seen once it has been checked; twin = bad if the place is outside"""
    return not s.twin < done or s.place in seen


def nothing_written(s: Any) -> bool:
    """false: changes with a bad one are refused before this loop"""
    return False


REFUSED = {
    "require_locations": (Loop(bad_to_come, twin_seen),),
    "update": (Loop(nothing_written),) * 4,
}
"""Invariants of the loops while update runs on changes with a bad one."""


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
