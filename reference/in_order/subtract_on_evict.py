"""Subtract-on-evict.

- Full name: Subtract-on-evict
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 8.3, in prose
- Order: FIFO
- Operator: associative, with identity, and with a left subtraction: remove(a, a ⊗ b) = b
- Combine calls: query 0; insert 1; evict 0, and 1 subtraction
- Space: n + 1 partial aggregates
- Errata: DEF-1

Conventions: the FIFO queue is the deque of Definition 1, between the pointers `F` and `E`; `agg` is the product of the
window.  The oldest element is the leftmost factor, so it is subtracted on the left; products need not commute.
"""

from collections.abc import Callable
from typing import Generic, Protocol

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.subtract_on_evict import (
    ends,
    evict_calls,
    insert_calls,
    query_calls,
    running,
    space,
    values,
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class Subtractable(Monoid[A], Protocol[A]):
    """A monoid whose oldest factor can be removed."""

    @property
    def remove(self) -> Callable[[A, A], A] | None:
        """remove(a, combine(a, b)) = b; None if there is no such function."""
        ...


class SubtractOnEvict(Generic[A]):
    """A queue of the elements, and a running product from which the oldest is subtracted.

    >>> from swagproof.models.operations import OPERATIONS
    >>> window = SubtractOnEvict(OPERATIONS["sum"])
    >>> window.insert(1); window.insert(2); window.evict(); window.insert(4); window.query()
    6
    """

    def __init__(self, monoid: Subtractable[A]) -> None:
        """Create an empty window.  Raises TypeError if the operation has no `remove`."""
        if monoid.remove is None:
            raise TypeError("subtract-on-evict needs an operation with remove(a, combine(a, b)) = b")
        self.monoid: Monoid[A] = monoid
        self.remove = monoid.remove
        self.deque: ChunkedDeque[A] = ChunkedDeque()
        self.agg = monoid.identity
        self.F = self.E = self.deque.begin()

    def query(self) -> A:
        """The ordered product of the window.  No combine calls."""
        return self.agg

    def insert(self, v: A) -> None:
        """Add `v` at the back.  1 combine call."""
        self.deque.push_back(v)
        self.E = self.E + 1
        self.agg = self.monoid.combine(self.agg, v)

    def evict(self) -> None:
        """Remove the oldest.  No combine calls, 1 subtraction.  Raises EmptyWindowError."""
        if self.F == self.E:
            raise EmptyWindowError
        self.agg = self.remove(self.deque[self.F], self.agg)
        self.F = self.F + 1
        self.deque.pop_front()


@invariant(lambda self: ends(self), "F and E are the ends of the deque")
@invariant(lambda self: values(self), "values invariant", enabled=SLOW)
@invariant(lambda self: running(self), "agg is the product of the window", enabled=SLOW)
@invariant(lambda self: stores(self, space), "n + 1 partial aggregates", enabled=SLOW)
class CheckedSubtractOnEvict(FifoShadow[A], SubtractOnEvict[A]):
    """Subtract-on-evict with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "1 combine call")
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: evict_calls(self.model.size + 1, self.counting.calls - OLD.calls), "no combine calls")
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "no combine calls")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()
