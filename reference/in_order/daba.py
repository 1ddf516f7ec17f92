"""DABA.

- Full name: De-Amortized Banker's Aggregator
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 5
- Order: FIFO
- Operator: associative, with identity
- Combine calls: query 1; insert at most 4; evict at most 3; amortised 2.5 an insert and 1.5 an evict
- Space: 2n partial aggregates
- Errata: DABA-1, DABA-2; readings DEF-2, DABA-5, LAY-1, LAY-2

Conventions: the paper's pointers F, L, R, A, B, E keep their names; *p is `deque[p]`; Π_p is `pi_p()`; a ⊗ b is
`monoid.combine(a, b)`; the identity **1** is `monoid.identity`; the struct {val, agg} is `Element`.  A product of
three is bracketed from the left.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.daba import (
    aggregates,
    ends,
    evict_calls,
    evict_paid,
    flip,
    insert_calls,
    insert_paid,
    lengths,
    one_short,
    pointer_order,
    query_calls,
    savings,
    shift,
    shrink,
    singleton,
    sizes,
    space,
    values,
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.containers.element import Element
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class Daba(Generic[A]):
    """Two-Stacks without its loop: each operation does one step of the next flip.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Daba(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.deque: ChunkedDeque[Element[A]] = ChunkedDeque()
        self.F = self.L = self.R = self.A = self.B = self.E = self.deque.begin()

    def pi_F(self) -> A:  # [DABA Pi_F l.1]
        """The product of the front sublist.  No combine calls, as for the next four."""
        return self.monoid.identity if self.F == self.B else self.deque[self.F].agg  # [DABA Pi_F l.2]

    def pi_B(self) -> A:  # [DABA Pi_B l.3]
        """The product of the back sublist."""
        return self.monoid.identity if self.B == self.E else self.deque[self.E - 1].agg  # [DABA Pi_B l.4]

    def pi_L(self) -> A:  # [DABA Pi_L l.5]
        """The product of the left sublist."""
        return self.monoid.identity if self.L == self.R else self.deque[self.L].agg  # [DABA Pi_L l.6]

    def pi_R(self) -> A:  # [DABA Pi_R l.7]
        """The product of the right sublist."""
        return self.monoid.identity if self.R == self.A else self.deque[self.A - 1].agg  # [DABA Pi_R l.8]

    def pi_A(self) -> A:  # [DABA Pi_A l.9]
        """The product of the accumulator sublist."""
        return self.monoid.identity if self.A == self.B else self.deque[self.A].agg  # [DABA Pi_A l.10]

    def query(self) -> A:  # [DABA query l.17]
        """The ordered product of the window.  1 combine call (Theorem 5.2)."""
        return self.monoid.combine(self.pi_F(), self.pi_B())  # [DABA query l.18]

    def insert(self, v: A) -> None:  # [DABA insert l.10]
        """Add `v` at the back.  At most 4 combine calls (Theorem 5.2)."""
        self.deque.push_back(Element(v, self.monoid.combine(self.pi_B(), v)))  # [DABA insert l.11]
        self.E = self.E + 1  # [DABA insert l.12]
        self.fixup()  # [DABA insert l.13]

    def evict(self) -> None:  # [DABA evict l.18]
        """Remove the oldest element.  At most 3 combine calls (Theorem 5.2).  Raises EmptyWindowError."""
        if self.F == self.E:  # [ours: the paper leaves this open]
            raise EmptyWindowError
        self.F = self.F + 1  # [DABA evict l.19]
        self.deque.pop_front()  # [DABA evict l.20]
        self.fixup()  # [DABA evict l.21]

    def fixup(self) -> None:  # [DABA fixup l.13]
        """Do one step of incremental reversal, to restore the size invariants.  0 or 3 combine calls.  Private."""
        combine = self.monoid.combine
        if self.F == self.B:  # Singleton case [DABA fixup l.14]
            self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E  # [DABA fixup l.15]
        else:  # [DABA fixup l.16]
            if self.L == self.B:  # Flip [DABA fixup l.17]
                self.L, self.A, self.B = self.F, self.E, self.E  # [DABA fixup l.18]
            if self.L == self.R:  # Shift [DABA fixup l.19]
                self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1  # [DABA fixup l.20]
            else:  # Shrink [DABA fixup l.21]
                self.deque[self.L].agg = combine(combine(self.pi_L(), self.pi_R()), self.pi_A())  # [DABA fixup l.22]
                self.L = self.L + 1  # [DABA fixup l.23]
                self.deque[self.A - 1].agg = combine(self.deque[self.A - 1].val, self.pi_A())  # [DABA fixup l.24]
                self.A = self.A - 1  # [DABA fixup l.25]


@invariant(lambda self: pointer_order(self), "F <= L <= R <= A <= B <= E")
@invariant(lambda self: ends(self), "F and E are the ends of the deque")
@invariant(lambda self: sizes(self), "size invariant")
@invariant(lambda self: values(self), "values invariant", enabled=SLOW)
@invariant(lambda self: aggregates(self), "partial aggregate invariant", enabled=SLOW)
@invariant(lambda self: stores(self, space), "2n partial aggregates", enabled=SLOW)
class CheckedDaba(FifoShadow[A], Daba[A]):
    """DABA with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "amortised 2.5 combine calls an insert; the savings may be below 0 (DABA-2)",
    )
    @ensure(
        lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "at most 4 combine calls"
    )
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "amortised 1.5 combine calls an evict; the savings may be below 0 (DABA-2)",
    )
    @ensure(
        lambda self, OLD: evict_calls(self.model.size + 1, self.counting.calls - OLD.calls), "at most 3 combine calls"
    )
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "1 combine call")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 5.1)", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()

    @require(lambda self: one_short(self), "size invariant, short of one element")
    @snapshot(lambda self: lengths(self), name="lengths")
    @ensure(lambda self, OLD: singleton(self, OLD.lengths), "singleton case")
    @ensure(lambda self, OLD: flip(self, OLD.lengths), "flip case")
    @ensure(lambda self, OLD: shift(self, OLD.lengths), "shift case")
    @ensure(lambda self, OLD: shrink(self, OLD.lengths), "shrink case")
    def fixup(self) -> None:
        """Restore the size invariant: each state that meets the precondition is in one of the four cases."""
        super().fixup()
