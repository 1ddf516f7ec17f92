"""Two-Stacks Lite.

- Full name: Two-Stacks Lite
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 4
- Order: FIFO
- Operator: associative, with identity
- Combine calls: query 1; insert 1; evict at most n - 1, amortised 2 an insert and 0 an evict
- Space: n + 1 partial aggregates
- Errata: none; readings DEF-2, TS-1, LAY-1, LAY-2

Conventions: the paper's pointers F, B, E and I keep their names; *p is `deque[p]`; Π_F is `pi_F()`; a ⊗ b is
`monoid.combine(a, b)`; the identity **1** is `monoid.identity`.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.two_stacks_lite import (
    aggB,
    contents,
    ends,
    evict_calls,
    evict_paid,
    flipped,
    heights,
    insert_calls,
    insert_paid,
    pointer_order,
    query_calls,
    savings,
    space,
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class TwoStacksLite(Generic[A]):
    """Two-Stacks in one deque: the elements from B on, and before B the products from each element up to B.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = TwoStacksLite(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.deque: ChunkedDeque[A] = ChunkedDeque()
        self.aggB = monoid.identity
        self.F = self.B = self.E = self.deque.begin()

    def pi_F(self) -> A:  # [Two-Stacks Lite Pi_F l.1]
        """The product of the front sublist.  No combine calls."""
        return self.monoid.identity if self.F == self.B else self.deque[self.F]  # [Two-Stacks Lite Pi_F l.2]

    def query(self) -> A:  # [Two-Stacks Lite query l.7]
        """The ordered product of the window.  1 combine call (Theorem 4.2)."""
        return self.monoid.combine(self.pi_F(), self.aggB)  # [Two-Stacks Lite query l.8]

    def insert(self, v: A) -> None:  # [Two-Stacks Lite insert l.2]
        """Add `v` at the back.  1 combine call (Theorem 4.2)."""
        self.deque.push_back(v)  # [Two-Stacks Lite insert l.3]
        self.E = self.E + 1  # [Two-Stacks Lite insert l.4]
        self.aggB = self.monoid.combine(self.aggB, v)  # [Two-Stacks Lite insert l.5]

    def evict(self) -> None:  # [Two-Stacks Lite evict l.8]
        """Remove the oldest.  At most n - 1 combine calls, amortised 0 (Theorem 4.2).  Raises EmptyWindowError."""
        if self.F == self.E:  # [ours: the paper leaves this open]
            raise EmptyWindowError
        if self.F == self.B and self.B != self.E:  # Flip [Two-Stacks Lite evict l.9]
            I = self.E - 1  # [Two-Stacks Lite evict l.10]
            while I != self.F:  # [Two-Stacks Lite evict l.11]
                I = I - 1  # [Two-Stacks Lite evict l.12]
                self.deque[I] = self.monoid.combine(self.deque[I], self.deque[I + 1])  # [Two-Stacks Lite evict l.13]
            self.B = self.E  # [Two-Stacks Lite evict l.14]
            self.aggB = self.monoid.identity  # [Two-Stacks Lite evict l.15]
        self.F = self.F + 1  # [Two-Stacks Lite evict l.16]
        self.deque.pop_front()  # [Two-Stacks Lite evict l.17]


@invariant(lambda self: pointer_order(self), "F <= B <= E")
@invariant(lambda self: ends(self), "F and E are the ends of the deque")
@invariant(lambda self: contents(self), "contents invariant", enabled=SLOW)
@invariant(lambda self: aggB(self), "aggB is the product of l_B", enabled=SLOW)
@invariant(lambda self: stores(self, space), "n + 1 partial aggregates", enabled=SLOW)
class CheckedTwoStacksLite(FifoShadow[A], TwoStacksLite[A]):
    """Two-Stacks Lite with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "2 coins an insert",
    )
    @ensure(lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "1 combine call")
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "an evict is paid by the savings",
    )
    @ensure(
        lambda self, OLD: evict_calls(self.model.size + 1, self.counting.calls - OLD.calls),
        "at most n - 1 combine calls",
    )
    @snapshot(lambda self: heights(self), name="heights")
    @ensure(lambda self, OLD: flipped(self, OLD.heights), "a flip leaves all elements in the front")
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "1 combine call")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 4.1)", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()
