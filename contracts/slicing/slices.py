"""Slicing: what slices must be for windows to be put together of them, and the invariants of the slices kept.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), "Window Slicing".

Conventions.  edge(t) is the latest edge at or before t; two times are in one slice when they have one edge.  A window
is [begin, end).  The clauses of a state speak of `model`, all (time, value) that were inserted, beside it.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

# Partitions


def edge_before(t: Any, edge: Any) -> bool:
    """edge(t) <= t"""
    return bool(edge <= t)


def edge_of_edge(edge: Any, again: Any) -> bool:
    """edge(edge(t)) = edge(t)"""
    return bool(again == edge)


def monotone(t: Any, u: Any, edge_t: Any, edge_u: Any) -> bool:
    """t <= u implies edge(t) <= edge(u): what is between two times of one slice is in it"""
    return bool(u < t or edge_t <= edge_u)


# Windows of whole slices


def inside(t: Any, begin: Any, end: Any) -> bool:
    """begin <= t < end"""
    return bool(begin <= t and t < end)


def uncut(t: Any, edge: Any, begin: Any, end: Any) -> bool:
    """begin <= t < end if and only if begin <= edge(t) < end: a slice is in a window, or outside"""
    return inside(t, begin, end) == inside(edge, begin, end)


# How many slices


def numbered(t: Any, u: Any, edges: tuple[Any, Any], numbers: tuple[Any, Any]) -> bool:
    """edge(t) = edge(u) if and only if number(t) = number(u)"""
    return bool(edges[0] == edges[1]) == bool(numbers[0] == numbers[1])


def successive(number: Any, after: Any) -> bool:
    """number(t + 1) is number(t) or number(t) + 1: no number is left out"""
    return bool(number <= after and after <= number + 1)


# The slices kept


def order(s: Any) -> bool:
    """slices[0].begin < slices[1].begin < ... <= clock"""
    begins = [held.begin for held in s.slices]
    return all(a < b for a, b in pairwise(begins)) and (not begins or begins[-1] <= s.clock)


def contents(s: Any) -> bool:
    """for each slice: partial = the product of the values with edge(t) = begin"""
    return all(
        held.partial == s.model.product([v for t, v in s.model.records if s.edge(t) == held.begin]) for held in s.slices
    )


def needed(s: Any) -> bool:
    """the slices kept are those that an open window reaches back to: with records, and the rest of no closed window"""
    if s.clock is None:
        return not s.slices
    open_from = [s.model.first_open(query, s.clock) for query in s.queries]
    reached = {s.edge(t) for t, _ in s.model.records if t >= min(open_from) and s.model.covered(t)}
    return {held.begin for held in s.slices} == reached


def whole(s: Any, windows: Iterable[tuple[int, int]]) -> bool:
    """for each window that is over: edge(begin) = begin, and where ends are edges, edge(end) = end"""
    return all(s.edge(begin) == begin and (not s.cuts_at_ends or s.edge(end) == end) for begin, end in windows)


INVARIANT = (order, contents, needed)


# Cost


def record_calls(calls: int, assembled: int) -> bool:
    """at most 1 combine call for the record; s - 1 for each window of s slices that is over"""
    return calls <= 1 + assembled
