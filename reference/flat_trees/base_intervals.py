"""Base intervals.

- Full name: Base Intervals (B-Int)
- Paper: General Incremental Sliding-Window Aggregation (2015), sections 6.2 and 7, of earlier work
- Order: FIFO
- Operator: associative, with identity for the empty window only
- Combine calls: insert at most log2 n + 1, amortised less than 1; evict 0; query at most 2 log2 n
- Space: at most 2n - 1 partial aggregates, n of them the elements
- Errata: none

Conventions: elements are counted 0, 1, 2, ... by arrival, and the window holds the numbers `front` .. `back` - 1.  A
base interval of level l has 2^l elements, from a number divisible by 2^l on; `levels[l]` holds the aggregates of those
that lie in the window, the oldest first.  Neither this paper nor that of 2021 (section 8.1) prints the algorithm.  They
say that it keeps several arrays, splits the window into base intervals, takes O(log n) combine calls and about 2n
partial aggregates, and is for FIFO windows of a fixed size.  [ours: intervals are aggregated as soon as they are whole,
and dropped as soon as one of their elements leaves; the arrays are deques, so the size need not be fixed; the split is
read oldest first.]
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.flat_trees.base_intervals import (
    ends,
    evict_bound,
    evict_paid,
    insert_bound,
    insert_paid,
    intervals,
    lengths,
    query_bound,
    savings,
    space,
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class BaseIntervals(Generic[A]):
    """The window as a forest of aligned intervals; a query combines at most two of each length.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BaseIntervals(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.front = self.back = 0
        self.levels: list[ChunkedDeque[A]] = [ChunkedDeque()]

    def insert(self, v: A) -> None:
        """Add `v` at the back.  At most log2 n + 1 combine calls, n with the new element; amortised less than 1."""
        self.levels[0].push_back(v)
        self.back += 1
        level, length = 0, 2
        while self.back % length == 0 and self.back - length >= self.front:  # an interval of this length is whole
            if level + 1 == len(self.levels):
                self.levels.append(ChunkedDeque())
            halves = self.levels[level]
            self.levels[level + 1].push_back(self.monoid.combine(halves[halves.end() - 2], halves[halves.end() - 1]))
            level, length = level + 1, 2 * length

    def evict(self) -> None:
        """Remove the oldest, and the intervals that begin with it.  No combine calls.  Raises EmptyWindowError."""
        if self.front == self.back:
            raise EmptyWindowError
        level, length = 0, 1
        while level < len(self.levels) and self.front % length == 0 and self.front + length <= self.back:
            self.levels[level].pop_front()
            level, length = level + 1, 2 * length
        self.front += 1
        while len(self.levels) > 1 and self.levels[-1].begin() == self.levels[-1].end():
            self.levels.pop()

    def query(self) -> A:
        """The ordered product of the window.  At most 2 log2 n combine calls."""
        if self.front == self.back:
            return self.monoid.identity
        at = self.front
        level, length = self.longest(at)
        answer = self.interval(at, level, length)
        at += length
        while at < self.back:
            level, length = self.longest(at)
            answer = self.monoid.combine(answer, self.interval(at, level, length))
            at += length
        return answer

    def longest(self, at: int) -> tuple[int, int]:
        """Return level and length of the longest base interval of the window that begins at this number.  Private."""
        level, length = 0, 1
        while at % (2 * length) == 0 and at + 2 * length <= self.back:
            level, length = level + 1, 2 * length
        return level, length

    def interval(self, at: int, level: int, length: int) -> A:
        """Return the aggregate of the base interval of this level that begins at this number.  Private."""
        oldest = -(-self.front // length)  # of this level, its number among all of this level ever
        held = self.levels[level]
        return held[held.begin() + (at // length - oldest)]


@invariant(lambda self: ends(self), "back - front = n")
@invariant(lambda self: lengths(self), "level l holds the whole intervals of 2^l elements")
@invariant(lambda self: intervals(self), "each interval holds the product of its elements", enabled=SLOW)
@invariant(lambda self: space(self), "at most 2n - 1 partial aggregates", enabled=SLOW)
class CheckedBaseIntervals(FifoShadow[A], BaseIntervals[A]):
    """Base intervals with their contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: insert_bound(self), name="most")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "1 combine call an insert, amortised",
    )
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "at most log2 n combine calls")
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: evict_bound(self), name="most")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "no combine calls")
    @ensure(
        lambda self, OLD: evict_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "no combine call an evict, amortised",
    )
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: query_bound(self), name="most")
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "at most 2 log2 n combine calls")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()
