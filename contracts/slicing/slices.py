"""Slicing: requirements on slices from which windows are composed, and invariants of the stored slices.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), "Window Slicing".

Conventions.  edge(t) is the latest edge at or before t; two times are in one slice if they have one edge.  A window is
[begin, end).  The clauses of a state refer to `model`, all inserted records in order: before(t) is the number of
records before time t, between(t, u) the product of those with times in [t, u), and size the number of records.
"""

from collections.abc import Iterable
from itertools import chain
from math import gcd
from typing import Any

from swagproof.contracts.clause import Loop, Loops, for_each, size

# Partitions


def edge_before(t: Any, edge: Any) -> bool:
    """edge(t) <= t"""
    return bool(edge <= t)


def edge_of_edge(edge: Any, again: Any) -> bool:
    """edge(edge(t)) = edge(t)"""
    return bool(again == edge)


def monotone(t: Any, u: Any, edge_t: Any, edge_u: Any) -> bool:
    """t <= u implies edge(t) <= edge(u): all times between two times of a slice are in it"""
    return bool(u < t or edge_t <= edge_u)


def pane_of(t: int, edge: int, length: int) -> bool:
    """edge = k length for some k, and edge <= t < edge + length"""
    return edge % length == 0 and edge <= t < edge + length


def pair_of(t: int, edge: int, query: tuple[int, int]) -> bool:
    """edge = k slide for some k, and t is among the p2 = range mod slide times from there on, if p2 > 0; or
    edge = k slide + p2, and t is among the slide - p2 times from there on"""
    range, slide = query
    p2, cut = range % slide, edge % slide
    return cut in (0, p2) and edge <= t < edge - cut + (p2 if cut < p2 else slide)


# Windows of whole slices


def inside(t: Any, begin: Any, end: Any) -> bool:
    """begin <= t < end"""
    return bool(begin <= t and t < end)


def uncut(t: Any, edge: Any, begin: Any, end: Any) -> bool:
    """begin <= t < end if and only if begin <= edge(t) < end: a slice is in a window, or outside"""
    return inside(t, begin, end) == inside(edge, begin, end)


# Numbers of slices


def numbered(t: Any, u: Any, edges: tuple[Any, Any], numbers: tuple[Any, Any]) -> bool:
    """edge(t) = edge(u) if and only if number(t) = number(u)"""
    return bool(edges[0] == edges[1]) == bool(numbers[0] == numbers[1])


def successive(number: Any, after: Any) -> bool:
    """number(t + 1) is number(t) or number(t) + 1: no number is left out"""
    return bool(number <= after and after <= number + 1)


# The slices kept


def heard(s: Any) -> bool:
    """no record is later than the clock; without a clock there is none, and no slice"""
    if s.clock is None:
        return bool(s.model.size == 0 and size(s.slices) == 0)
    return bool(s.model.before(s.clock + 1) == s.model.size)


def behind(s: Any, j: Any) -> Any:
    """Return the begin of the slice after slice j; for the last slice, the first time that is still to come."""
    return s.slices[j + 1].begin if j + 1 < size(s.slices) else s.clock + 1


@for_each("slices")
def contents(s: Any, j: Any) -> bool:
    """slice j has records; its partial = the product of those from its begin to the begin of the next slice"""
    begin, end = s.slices[j].begin, behind(s, j)
    return bool(s.model.before(begin) < s.model.before(end) and s.slices[j].partial == s.model.between(begin, end))


@for_each("slices")
def unbroken(s: Any, j: Any) -> bool:
    """slices[j].begin = edge(t), for t the time of its last record: no edge is between them, and they are in order"""
    return bool(s.edge(s.model.last_before(behind(s, j))) == s.slices[j].begin)


def complete(s: Any) -> bool:
    """the slices have every record from the begin of the first window that is still open"""
    if s.clock is None:
        return True
    first = s.slices[0].begin if s.slices else s.clock + 1
    return bool(s.model.before(first) <= s.model.before(s.model.oldest_open(s.clock)))


def released(s: Any) -> bool:
    """no slice begins before all windows that are still open"""
    return not s.slices or bool(s.model.oldest_open(s.clock) <= s.slices[0].begin)


def whole(s: Any, windows: Iterable[tuple[int, int]]) -> bool:
    """for each window that is over: edge(begin) = begin, and if ends are edges, edge(end) = end"""
    return all(s.edge(begin) == begin and (not s.cuts_at_ends or s.edge(end) == end) for begin, end in windows)


UNRELEASED = (heard, contents, unbroken, complete)
"""The invariant at the entry of `release`."""
INVARIANT = (*UNRELEASED, released)
AT_ONCE = (released,)


def assembles(s: Any, begin: Any) -> bool:
    """edge(begin) = begin; begin is not before all windows still open, and not behind the last slice"""
    at_edge = s.edge(begin) == begin and s.model.oldest_open(s.clock) <= begin
    return bool(at_edge and size(s.slices) >= 1 and begin <= s.slices[size(s.slices) - 1].begin)


def product_from(s: Any, begin: Any, product: Any) -> bool:
    """product = the product of all records from begin on"""
    return bool(product == s.model.between(begin, s.clock + 1))


# Loops


def earlier_queries(s: Any, answers: Any, t: Any, done: Any) -> bool:
    """answers = the windows of the first `done` queries that are over at t, were not at the clock, and have records"""
    return bool(s.model.has_answered(answers, (s.clock, t), done))


def earlier_windows(s: Any, answers: Any, t: Any, number: Any, first: Any, done: Any) -> bool:
    """the same, with those of query `number` up to its window first + done, which is to come"""
    return bool(s.model.has_answered(answers, (s.clock, t), number, first + done))


def assembled(s: Any, product: Any, chosen: Any, done: Any) -> bool:
    """product = the product of the first done + 1 partial aggregates that were chosen"""
    return bool(s.model.is_product(product, chosen[: done + 1]))


def joined(s: Any, before: Any, done: Any) -> bool:
    """each turn makes one combine call"""
    return bool(s.calls == before + done)


def kept(s: Any) -> Any:
    """Return the number of slices to release."""
    return size(s.slices)


LOOPS: Loops = {
    "advance": (Loop(earlier_queries), Loop(earlier_windows)),
    "assemble": (Loop(assembled, joined),),
    "release": (Loop(heard, contents, unbroken, complete, variant=kept),),
}

# Cost


def record_calls(calls: int, joins: int) -> bool:
    """at most 1 combine call for the record; s - 1 for each window of s slices that is over"""
    return calls <= 1 + joins


def advance_calls(calls: int, joins: int) -> bool:
    """s - 1 combine calls for each window of s slices that is over"""
    return calls == joins


def assemble_calls(slices: Any, calls: Any) -> bool:
    """one combine call for each slice but the first"""
    return bool(calls == slices - 1)


def release_calls(calls: int) -> bool:
    """no combine calls"""
    return calls == 0


# Space: the number of live partial aggregates


def space_bound(s: Any) -> int:
    """one partial aggregate for each slice"""
    return len(s.slices)


def _longest(s: Any) -> int:
    return max(int(query.range) for query in s.queries)


def starts_kept(s: Any) -> bool:
    """without cuts at ends: at most ceil(R / slide) slices for each query, R the longest range"""
    return bool(s.cuts_at_ends) or len(s.slices) <= sum(-(-_longest(s) // query.slide) for query in s.queries)


def panes_kept(s: Any) -> bool:
    """at most R / g slices, R the longest range, g the greatest common divisor of all ranges and slides"""
    return len(s.slices) * gcd(*chain(*s.queries)) <= _longest(s)


def pairs_kept(s: Any) -> bool:
    """at most 2 ceil(R / slide) slices for each query, R the longest range; half of them where slide divides range"""
    most = (-(-_longest(s) // slide) * (2 if range % slide else 1) for range, slide in s.queries)
    return bool(len(s.slices) <= sum(most))
