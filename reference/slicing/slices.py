"""Window slicing: a stream is cut into slices with one partial aggregate each, which compose periodic windows.

- Full name: Window slicing (bucketing)
- Paper: Stream Window Aggregation Semantics and Optimisation (2018), "Window Slicing"
- Order: in order of time; records of equal time in order of arrival
- Operator: associative
- Combine calls: at most 1 a record; a window of s slices with records s - 1
- Space: one partial aggregate for each slice that holds records of an open window
- Errata: SLICE-3; readings SLICE-1, SLICE-2, SLICE-7, SLICE-8, SLICE-11

Conventions: the paper gives no listing.  Window k of a query is the time [k slide, k slide + range), for all integers
k; range and slide are ints of at least 1, in any relation.  The techniques differ in where they cut slices:
`edge(t)` is the latest edge at or before t, the beginning of the slice of t.  The slices of t and u are the same if
edge(t) = edge(u), so `edge` describes slices completely.
"""

from collections import deque
from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.shadows.shadow import stores
from swagproof.contracts.shadows.sliced import SlicedShadow
from swagproof.contracts.slicing.slices import (
    UNRELEASED,
    advance_calls,
    assemble_calls,
    assembles,
    complete,
    contents,
    edge_before,
    edge_of_edge,
    heard,
    product_from,
    record_calls,
    release_calls,
    released,
    space_bound,
    starts_kept,
    unbroken,
    whole,
)
from swagproof.contracts.space import at_most
from swagproof.models.monoid import A, Monoid
from swagproof.models.windows.window import LateError, WindowError


class Periodic(NamedTuple):
    """A query over the windows [k slide, k slide + range)."""

    range: int
    slide: int


class Answer(NamedTuple, Generic[A]):
    """A query's answer for one of its windows."""

    query: int
    """The number of the query, counted from 0."""
    begin: int
    end: int
    value: A


# Arithmetic


def window_begin(k: int, slide: int) -> int:
    """Return the begin of window k.  Constant time, like all functions here."""
    return k * slide


def window_end(k: int, range: int, slide: int) -> int:
    """Return the end of window k: the first time after it."""
    return k * slide + range


def last_begun(t: int, slide: int) -> int:
    """Return the last window that has begun at t."""
    return t // slide


def last_over(t: int, range: int, slide: int) -> int:
    """Return the last window that has ended at t; the next one has not."""
    return (t - range) // slide


def is_covered(t: int, range: int, slide: int) -> bool:
    """Return whether t is in any window; if the slide exceeds the range, it may lie between two."""
    return last_over(t, range, slide) < last_begun(t, slide)


def start_edge(t: int, slide: int) -> int:
    """The latest edge at or before t, for slices that begin where windows begin."""
    return window_begin(last_begun(t, slide), slide)


def starts_per_window(range: int, slide: int) -> int:
    """Return the number of slices in a window, if they are cut only at the beginnings of windows; the last may extend
    beyond its end."""
    return -(-range // slide)


class Slice(Generic[A]):
    """A slice that holds records: its begin, and the product of its records so far."""

    __slots__ = ("begin", "partial")

    def __init__(self, begin: int, partial: A) -> None:
        self.begin = begin
        self.partial = partial


class Sliced(Generic[A]):
    """Queries over one stream that share its slices.  Each technique defines its edges.

    Raises WindowError if there are no queries, or if a range or slide is not an int of at least 1.
    """

    cuts_at_ends: ClassVar[bool] = False
    """True if a slice also ends at each window's end."""

    def __init__(self, monoid: Monoid[A], queries: Sequence[tuple[int, int]]) -> None:
        self.monoid = monoid
        self.queries = tuple(require_periodic(query) for query in queries)
        if not self.queries:
            raise WindowError("queries: none; give at least one (range, slide)")
        self.slices: deque[Slice[A]] = deque()
        self.clock: int | None = None

    def edge(self, t: int) -> int:
        """The latest edge at or before t."""
        return max(self.edge_of(query, t) for query in self.queries)

    def edge_of(self, query: Periodic, t: int) -> int:
        """The latest edge of one query at or before t: by default its windows' beginnings.  Techniques override it."""
        return start_edge(t, query.slide)

    def insert(self, t: int, v: A) -> list[Answer[A]]:
        """Insert a record of time t.  Return the answers of the windows that are over by then.

        At most 1 combine call, and s - 1 for each window of s slices that is over.  Raises LateError for a time before
        the latest, WindowError for one that is not an int; then nothing has changed.
        """
        answers = self.advance(t)
        if not any(is_covered(t, *query) for query in self.queries):
            return answers
        begin = self.edge(t)
        if self.slices and self.slices[-1].begin == begin:
            newest = self.slices[-1]
            newest.partial = self.monoid.combine(newest.partial, v)
        else:
            self.slices.append(Slice(begin, v))
        return answers

    def advance(self, t: int) -> list[Answer[A]]:
        """Advance the time to t: return the answers of the windows that are over, by their ends, then by their queries.

        A window without records has none.  s - 1 combine calls for a window of s slices.  Raises like `insert`.
        """
        if type(t) is not int:
            raise WindowError(f"time: {t!r}; give an int, in a smaller unit if need be")
        if self.clock is not None and t < self.clock:
            raise LateError(f"time {t} comes after {self.clock}: sort the stream")
        answers: list[Answer[A]] = []
        for number, (range_, slide) in enumerate(self.queries):
            if self.clock is not None:
                first = last_over(self.clock, range_, slide) + 1
                last = min(last_over(t, range_, slide), last_begun(self.clock, slide))
                for k in range(first, last + 1):
                    begin, end = window_begin(k, slide), window_end(k, range_, slide)
                    if self.slices and begin <= self.slices[-1].begin:
                        answers.append(Answer(number, begin, end, self.assemble(begin)))
        self.clock = t
        self.release(t)
        return sorted(answers, key=lambda answer: (answer.end, answer.query))

    def assemble(self, begin: int) -> A:
        """Return the product of the slices from this edge on.  One combine call for each but the first of them."""
        chosen = [held.partial for held in self.slices if begin <= held.begin]
        product = chosen[0]
        for partial in chosen[1:]:
            product = self.monoid.combine(product, partial)
        return product

    def release(self, t: int) -> None:
        """Forget the slices that no window still open at t reaches back to."""
        oldest = min(window_begin(last_over(t, *query) + 1, query.slide) for query in self.queries)
        while self.slices and self.slices[0].begin < oldest:
            self.slices.popleft()


def require_periodic(query: tuple[int, int]) -> Periodic:
    """Return the query if it is possible.  Raises WindowError, which names the field."""
    range_, slide = query
    for name, length in (("range", range_), ("slide", slide)):
        if type(length) is not int or length < 1:
            raise WindowError(f"{name}: {length!r}; give an int of at least 1")
    return Periodic(range_, slide)


@invariant(lambda self: heard(self), "no record is later than the clock", enabled=SLOW)
@invariant(lambda self: contents(self), "each slice is the product of its records", enabled=SLOW)
@invariant(lambda self: unbroken(self), "no edge lies between the records of a slice", enabled=SLOW)
@invariant(lambda self: complete(self), "the slices have every record of the open windows", enabled=SLOW)
@invariant(lambda self: released(self), "no slice begins before all open windows")
@invariant(lambda self: stores(self, at_most, space_bound(self)), "one partial aggregate a slice", enabled=SLOW)
class CheckedSliced(SlicedShadow[A], Sliced[A]):
    """Slices at the beginnings of windows, with their contracts, and the windows by definition as `model`.

    Panes and pairs inherit these contracts, and add those on edges and on the number of slices.
    """

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, OLD: record_calls(self.counting.calls - OLD.calls, self.joins),
        "1 combine call at most, and s - 1 for each window of s slices that is over",
    )
    @ensure(
        lambda self: starts_kept(self),
        "cut at beginnings alone, at most ceil(R / slide) slices a query, R the longest range",
    )
    @ensure(lambda self, result: result == self.expected, "the windows that are over are answered", enabled=SLOW)
    def insert(self, t: int, v: A) -> list[Answer[A]]:
        """Insert a record into the operator and into the model."""
        return super().insert(t, v)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, OLD: advance_calls(self.counting.calls - OLD.calls, self.joins),
        "s - 1 combine calls for each window of s slices that is over",
    )
    @ensure(lambda self: whole(self, [window[1:3] for window in self.expected]), "windows are unions of whole slices")
    @ensure(lambda self, result: result == self.expected, "the windows that are over are answered", enabled=SLOW)
    def advance(self, t: int) -> list[Answer[A]]:
        """Advance the operator and the model."""
        return super().advance(t)

    @require(lambda self, begin: assembles(self, begin), "an edge that an open window can begin at, and a slice there")
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, begin, OLD: assemble_calls(
            sum(begin <= held.begin for held in self.slices), self.counting.calls - OLD.calls
        ),
        "s - 1 combine calls for s slices",
    )
    @ensure(lambda self, begin, result: product_from(self, begin, result), "the product from there on", enabled=SLOW)
    def assemble(self, begin: int) -> A:
        """Combine the slices from this edge on."""
        return super().assemble(begin)

    @require(lambda self: all(clause(self) for clause in UNRELEASED), "the invariant but for `released`", enabled=SLOW)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: release_calls(self.counting.calls - OLD.calls), "no combine calls")
    @ensure(lambda self: released(self), "slices before all open windows are gone")
    def release(self, t: int) -> None:
        """Forget slices."""
        super().release(t)

    @ensure(lambda self, result: edge_of_edge(result, Sliced.edge(self, result)), "edge(edge(t)) = edge(t)")
    @ensure(lambda t, result: edge_before(t, result), "edge(t) <= t")
    def edge(self, t: int) -> int:
        """Return the latest edge at or before t."""
        return super().edge(t)
