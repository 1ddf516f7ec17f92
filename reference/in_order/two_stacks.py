"""Two-Stacks.

- Full name: Two-Stacks
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 3
- Order: FIFO
- Operator: associative, with identity
- Combine calls: query 1; insert 1; evict at most n, amortised 2 an insert and 0 an evict
- Space: 2n partial aggregates
- Errata: none; readings DEF-2, TS-1, TS-2, LAY-1, LAY-2

Conventions: the paper's F, B are `F`, `B`; Π_F, Π_B are `pi_F()`, `pi_B()`; a ⊗ b is `monoid.combine(a, b)`; the
identity **1** is `monoid.identity`; the struct {val, agg} is `Element`.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.two_stacks import (
    back_aggregates,
    back_values,
    evict_calls,
    evict_paid,
    flipped,
    front_aggregates,
    front_values,
    heights,
    insert_calls,
    insert_paid,
    length,
    query_calls,
    savings,
    space,
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class TwoStacks(Generic[A]):
    """Two stacks: insert pushes on the back, evict pops from the front.  If that is empty, it flips the back first.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = TwoStacks(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.F: Stack[Element[A]] = Stack()
        self.B: Stack[Element[A]] = Stack()

    def pi_F(self) -> A:  # [Two-Stacks Pi_F l.1]
        """The product of the front stack.  No combine calls."""
        return self.monoid.identity if self.F.is_empty() else self.F.top().agg  # [Two-Stacks Pi_F l.2]

    def pi_B(self) -> A:  # [Two-Stacks Pi_B l.3]
        """The product of the back stack.  No combine calls."""
        return self.monoid.identity if self.B.is_empty() else self.B.top().agg  # [Two-Stacks Pi_B l.4]

    def query(self) -> A:  # [Two-Stacks query l.1]
        """The ordered product of the window.  1 combine call (Theorem 3.2)."""
        return self.monoid.combine(self.pi_F(), self.pi_B())  # [Two-Stacks query l.2]

    def insert(self, v: A) -> None:  # [Two-Stacks insert l.4]
        """Add `v` at the back.  1 combine call (Theorem 3.2)."""
        self.B.push(Element(v, self.monoid.combine(self.pi_B(), v)))  # [Two-Stacks insert l.5]

    def evict(self) -> None:  # [Two-Stacks evict l.2]
        """Remove the oldest element.  At most n combine calls, amortised 0 (Theorem 3.2).  Raises EmptyWindowError."""
        if self.F.is_empty() and self.B.is_empty():  # [ours: the paper leaves this open]
            raise EmptyWindowError
        if self.F.is_empty():  # Flip [Two-Stacks evict l.3]
            while not self.B.is_empty():  # [Two-Stacks evict l.4]
                self.F.push(  # [Two-Stacks evict l.5]
                    Element(self.B.top().val, self.monoid.combine(self.B.top().val, self.pi_F()))
                )
                self.B.pop()  # [Two-Stacks evict l.6]
        self.F.pop()  # [Two-Stacks evict l.7]


@invariant(lambda self: length(self), "|F| + |B| = n")
@invariant(lambda self: front_values(self), "values of F", enabled=SLOW)
@invariant(lambda self: front_aggregates(self), "partial aggregates of F", enabled=SLOW)
@invariant(lambda self: back_values(self), "values of B", enabled=SLOW)
@invariant(lambda self: back_aggregates(self), "partial aggregates of B", enabled=SLOW)
@invariant(lambda self: stores(self, space), "2n partial aggregates", enabled=SLOW)
class CheckedTwoStacks(FifoShadow[A], TwoStacks[A]):
    """Two-Stacks with its contracts, and the window by definition as `model`."""

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
        lambda self, OLD: evict_calls(self.model.size + 1, self.counting.calls - OLD.calls), "at most n combine calls"
    )
    @snapshot(lambda self: heights(self), name="heights")
    @ensure(lambda self, OLD: flipped(self, OLD.heights), "a flip leaves all elements in the front")
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "1 combine call")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 3.1)", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()
