"""DABA Lite.

- Full name: De-Amortized Banker's Aggregator Lite
- Paper: In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), section 6
- Order: FIFO
- Operator: associative, with identity
- Combine calls: query 1; insert at most 3; evict at most 2; amortised 2 an insert and 1 an evict
- Space: n + 2 partial aggregates
- Errata: DABA-2; readings DEF-2, DABA-5, DABAL-3, LAY-1, LAY-2, DABAL-2

Conventions: the paper's pointers F, L, R, A, B, E and its aggRA, aggB keep their names; *p is `deque[p]`; Π_p is
`pi_p()`; a ⊗ b is `monoid.combine(a, b)`; the identity **1** is `monoid.identity`.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.in_order.daba_lite import (
    aggB,
    aggRA,
    contents,
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
)
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class DabaLite(Generic[A]):
    """DABA with one partial aggregate an element, and two more.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = DabaLite(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.deque: ChunkedDeque[A] = ChunkedDeque()
        self.aggRA = self.aggB = monoid.identity
        self.F = self.L = self.R = self.A = self.B = self.E = self.deque.begin()

    def pi_F(self) -> A:  # [DABA Lite Pi_F l.1]
        """The product of the front sublist.  No combine calls, as for the next two."""
        return self.monoid.identity if self.F == self.B else self.deque[self.F]  # [DABA Lite Pi_F l.2]

    def pi_L(self) -> A:  # [DABA Lite Pi_L l.3]
        """The product of the left sublist."""
        return self.monoid.identity if self.L == self.R else self.deque[self.L]  # [DABA Lite Pi_L l.4]

    def pi_A(self) -> A:  # [DABA Lite Pi_A l.5]
        """The product of the accumulator sublist."""
        return self.monoid.identity if self.A == self.B else self.deque[self.A]  # [DABA Lite Pi_A l.6]

    def query(self) -> A:  # [DABA Lite query l.4]
        """The ordered product of the window.  1 combine call (Theorem 6.2)."""
        return self.monoid.combine(self.pi_F(), self.aggB)  # [DABA Lite query l.5]

    def insert(self, v: A) -> None:  # [DABA Lite insert l.6]
        """Add `v` at the back.  At most 3 combine calls (Theorem 6.2)."""
        self.deque.push_back(v)  # [DABA Lite insert l.7]
        self.E = self.E + 1  # [DABA Lite insert l.8]
        self.aggB = self.monoid.combine(self.aggB, v)  # [DABA Lite insert l.9]
        self.fixup()  # [DABA Lite insert l.10]

    def evict(self) -> None:  # [DABA Lite evict l.5]
        """Remove the oldest.  At most 2 combine calls (Theorem 6.2).  Raises EmptyWindowError."""
        if self.F == self.E:  # [ours: the paper leaves this open]
            raise EmptyWindowError
        self.F = self.F + 1  # [DABA Lite evict l.6]
        self.deque.pop_front()  # [DABA Lite evict l.7]
        self.fixup()  # [DABA Lite evict l.8]

    def fixup(self) -> None:  # [DABA Lite fixup l.10]
        """Do one step of incremental reversal, to restore the size invariants.  0 or 2 combine calls.  Private."""
        combine = self.monoid.combine
        if self.F == self.B:  # Singleton case [DABA Lite fixup l.11]
            self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E  # [DABA Lite fixup l.12]
            self.aggRA = self.monoid.identity  # [DABA Lite fixup l.13]
            self.aggB = self.monoid.identity  # [DABA Lite fixup l.14]
        else:  # [DABA Lite fixup l.15]
            if self.L == self.B:  # Flip [DABA Lite fixup l.16]
                self.L, self.A, self.B = self.F, self.E, self.E  # [DABA Lite fixup l.17]
                self.aggRA = self.aggB  # [DABA Lite fixup l.18]
                self.aggB = self.monoid.identity  # [DABA Lite fixup l.19]
            if self.L == self.R:  # Shift [DABA Lite fixup l.20]
                self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1  # [DABA Lite fixup l.21]
            else:  # Shrink [DABA Lite fixup l.22]
                self.deque[self.L] = combine(self.pi_L(), self.aggRA)  # [DABA Lite fixup l.23]
                self.L = self.L + 1  # [DABA Lite fixup l.24]
                self.deque[self.A - 1] = combine(self.deque[self.A - 1], self.pi_A())  # [DABA Lite fixup l.25]
                self.A = self.A - 1  # [DABA Lite fixup l.26]


@invariant(lambda self: pointer_order(self), "F <= L <= R <= A <= B <= E")
@invariant(lambda self: ends(self), "F and E are the ends of the deque")
@invariant(lambda self: sizes(self), "size invariant")
@invariant(lambda self: contents(self), "contents invariant", enabled=SLOW)
@invariant(lambda self: aggRA(self), "aggRA is the product of l_R and l_A", enabled=SLOW)
@invariant(lambda self: aggB(self), "aggB is the product of l_B", enabled=SLOW)
@invariant(lambda self: stores(self, space), "n + 2 partial aggregates", enabled=SLOW)
class CheckedDabaLite(FifoShadow[A], DabaLite[A]):
    """DABA Lite with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "amortised 2 combine calls an insert; the savings may be below 0 (DABA-2)",
    )
    @ensure(
        lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "at most 3 combine calls"
    )
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "amortised 1 combine call an evict; the savings may be below 0 (DABA-2)",
    )
    @ensure(
        lambda self, OLD: evict_calls(self.model.size + 1, self.counting.calls - OLD.calls), "at most 2 combine calls"
    )
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "1 combine call")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 6.1)", enabled=SLOW)
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
