"""The FlatFAT of the Reactive Aggregator for FIFO: invariants of its loops.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 5.2, which describes skipped nodes in prose;
the invariants are ours.

Conventions: those of FlatFAT's loops, and for a state s: the `area` has the places from its `front` to its `back`,
wrapping around if it is `inverted`.  s.front and s.back are the nodes above its ends, on the level of the children.
"""

from typing import Any

from swagproof.contracts.clause import Counted, Everywhere, Loop
from swagproof.proofs.lemmas.flat_fat_loops import (
    array,
    at_most_m,
    children_stay,
    fewer_nodes,
    inner,
    level_above,
    levels,
    no_calls,
    occupied_leaf,
    of_level,
    of_lowest_level,
    of_their_levels,
    one_call_a_pair,
    one_each,
    one_parent_each,
    some_left,
    some_parents,
    some_scheduled,
    stays,
    sums_above,
    sums_above_but_next,
    sums_but_above_changes,
    sums_but_rest,
    sums_over,
    sums_so_far,
    to_the_root,
    told_so_far,
    update_calls_by_level,
    written_so_far,
)


@Everywhere
def occupied_sums(s: Any, v: int) -> bool:
    """equation 4.1 over occupied places: a node holds the product of its children over occupied places"""
    return not inner(s, v) or sums_over(s, s.area, v)


INVARIANT = (array, occupied_leaf, occupied_sums)


def paths(s: Any, done: int) -> bool:
    """s.front and s.back are above the area's ends, on level l - 1 = done"""
    return bool(s.front == s.area.above_front(done)) and bool(s.back == s.area.above_back(done))


def one_call_each_at_most(s: Any, done: int, before: int) -> bool:
    """at most one combine call for each node done"""
    return bool(s.calls <= before + done)


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
