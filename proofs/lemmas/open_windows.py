"""Cutty around its store: the open windows, and the slices with which they begin.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), "Cutty: A Hybrid Approach".

Conventions.  Slice k begins with record cut(k) of `model`, and since(k) is the product of the records from there on;
size is their number.  The active slice has the number last + 1 of the store.  Window w of a query, counted from its
first window, is open if open.first(query) <= w < open.last(query), and begins with record begun(query, w); open.noted
is the slice noted for it.  In a loop, first_before and last_before are the ends of the open windows before it.
"""

from typing import Any

from swagproof.contracts.clause import Loop, Loops, for_each


def numbered(s: Any) -> bool:
    """first <= last + 1; if no slice is active, none is kept"""
    return bool(s.store.first <= s.store.last + 1 and (s.is_active or s.store.first == s.store.last + 1))


def current(s: Any) -> bool:
    """active = the product of the records from the beginning of the active slice on"""
    number = s.store.last + 1
    return not s.is_active or bool(s.model.cut(number) < s.model.size and s.active == s.model.since(number))


@for_each("open")
def noted(s: Any, at: Any) -> bool:
    """each open window begins with the slice noted for it, which is kept or active"""
    number = s.open.noted(at)
    kept = s.store.first <= number and number <= s.store.last + 1
    return bool(s.is_active and kept and s.model.cut(number) == s.model.begun(at))


INVARIANT = (numbered, current, noted)


def _opened(s: Any, query: Any, gone: Any, more: Any) -> bool:
    first, last = s.model.first_before(query), s.model.last_before(query)
    return bool(s.open.first(query) == first + gone and s.open.last(query) == last + more)


@for_each("queries")
def gone_of_queries(s: Any, q: Any, ended: Any, done: Any) -> bool:
    """the first `done` queries have lost their oldest windows, as many as have ended; the others have lost none"""
    return _opened(s, q, ended[q] if q < done else 0, 0)


@for_each("queries")
def gone_of_windows(s: Any, q: Any, ended: Any, query: Any, done: Any) -> bool:
    """the queries before `query` have lost the windows that have ended; `query` itself its `done` oldest windows"""
    return _opened(s, q, ended[q] if q < query else done if q == query else 0, 0)


@for_each("queries")
def gone(s: Any, q: Any, ended: Any) -> bool:
    """each query has lost its oldest windows, as many as have ended"""
    return _opened(s, q, ended[q], 0)


@for_each("queries")
def begun(s: Any, q: Any, marks: Any, done: Any) -> bool:
    """for the first `done` queries, the windows that begin with the record are noted; for the others none"""
    return _opened(s, q, 0, marks[q].begin if q < done else 0)


def answered(s: Any) -> bool:
    """each removed window is answered"""
    return bool(s.model.all_answered())


def free(s: Any, before: Any) -> bool:
    """no combine call is made"""
    return bool(s.calls == before)


LOOPS: Loops = {
    "insert": (Loop(begun, noted, free),),
    "evaluate": (
        Loop(gone_of_queries, noted, answered),
        Loop(gone_of_windows, noted, answered),
        Loop(gone, noted, answered),
        Loop(gone, noted, answered),
    ),
}
