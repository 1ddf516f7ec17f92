"""Recalculate-from-scratch.

- Full name: Recalculate-from-scratch
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 8.1, in prose
- Order: FIFO
- Operator: associative, with identity
- Combine calls: query n; insert 0; evict 0
- Space: n values
- Errata: none

Conventions: the FIFO queue is the deque of Definition 1, between the pointers `F` and `E`.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.recalculate import ends, evict_calls, insert_calls, query_calls, space, values
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class Recalculate(Generic[A]):
    """A queue of the elements, whose product is recomputed at each query.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Recalculate(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.deque: ChunkedDeque[A] = ChunkedDeque()
        self.F = self.E = self.deque.begin()

    def query(self) -> A:
        """The ordered product of the window.  n combine calls."""
        product = self.monoid.identity
        p = self.F
        while p != self.E:
            product = self.monoid.combine(product, self.deque[p])
            p = p + 1
        return product

    def insert(self, v: A) -> None:
        """Add `v` at the back.  No combine calls."""
        self.deque.push_back(v)
        self.E = self.E + 1

    def evict(self) -> None:
        """Remove the oldest.  No combine calls.  Raises EmptyWindowError."""
        if self.F == self.E:
            raise EmptyWindowError
        self.F = self.F + 1
        self.deque.pop_front()


@invariant(lambda self: ends(self), "F and E are the ends of the deque")
@invariant(lambda self: values(self), "values invariant", enabled=SLOW)
@invariant(lambda self: stores(self, space), "n values", enabled=SLOW)
class CheckedRecalculate(FifoShadow[A], Recalculate[A]):
    """Recalculate-from-scratch with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "no combine calls")
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
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "n combine calls")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()
