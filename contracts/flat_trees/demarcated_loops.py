"""The FlatFAT of the Reactive Aggregator for FIFO: what its loops keep of the calls that a slide makes.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 5.2, which says in prose what is skipped over;
the invariants are ours.

Conventions as for FlatFAT's loops.  Besides, of a state s: `area` goes from its place `front` to its place `back`, and
wraps around if it is `inverted`; `writes.size` is how many places a slide is told of, changed or freed; s.front and
s.back are the nodes above the area's ends, on the level of the children.
"""

from typing import Any

from swagproof.contracts.clause import Counted, Everywhere, Loop, inside
from swagproof.contracts.flat_trees.loops import (
    at_most_m,
    level_above,
    levels,
    no_calls,
    on_level,
    one_each,
    one_parent_each,
    to_the_root,
    update_calls_by_level,
)


@Everywhere
def of_lowest_level(s: Any, v: int, W: Any) -> bool:
    """W is of nodes of level 1"""
    return v not in W or on_level(s, v, 1)


@Everywhere
def of_level(s: Any, v: int, W: Any, done: int) -> bool:
    """W is of nodes of level l = done + 1"""
    return v not in W or on_level(s, v, done + 1)


def fewer_nodes(s: Any, done: int) -> bool:
    """unless it wraps around, as many calls at most as fewer nodes are over the area than there are places in it"""
    fewer = s.area.back - s.area.front - (s.back - s.front)
    return s.area.inverted or (bool(s.front <= s.back) and bool(s.calls <= fewer))


@Everywhere
def of_their_levels(s: Any, v: int, rest: Any, W_next: Any, propagate_done: int) -> bool:
    """what is left of W_l, and W_{l+1}, are nodes of their levels"""
    if v in rest and not on_level(s, v, propagate_done + 1):
        return False
    return v not in W_next or on_level(s, v, propagate_done + 2)


def one_call_each_at_most(s: Any, done: int, before: int) -> bool:
    """at most one combine call for each node done"""
    return bool(s.calls <= before + done)


def one_call_a_pair(s: Any, rest: Any, before: int) -> bool:
    """unless it wraps around, at most a call for each node that has two children over the area, and is not left"""
    pairs = (s.front + 1) // 2, (s.back + 1) // 2
    return s.area.inverted or bool(s.calls + inside(rest, *pairs) <= before + pairs[1] - pairs[0])


SLIDE = {
    "slide": (Loop(no_calls), Loop(of_lowest_level, one_each, no_calls)),
    "propagate": (
        Loop(
            levels,
            of_level,
            Counted("W", level_above),
            at_most_m,
            update_calls_by_level,
            fewer_nodes,
            variant=to_the_root,
        ),
    ),
    "rewrite": (Loop(of_their_levels, one_parent_each, one_call_each_at_most, one_call_a_pair),),
}
"""Invariants of the loops while slide runs."""


def slide_calls(occupied: int, calls: int) -> bool:
    """a slide to an area that does not wrap around invokes combine less often than there are places in it"""
    return bool(calls < occupied)
