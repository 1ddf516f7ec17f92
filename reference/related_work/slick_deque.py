"""SlickDeque, for operators that choose.

- Full name: SlickDeque (non-invertible)
- Paper: named in Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), section 6; and in the 2021 paper, 8.3
- Order: FIFO
- Operator: associative, and x ⊗ y is x or y (selective); identity for the empty window only
- Combine calls: query 0; evict 0; insert at most n, amortised 2
- Space: at most n values, each with its position; 1 when every value is chosen over those before it
- Errata: none

Conventions: the paper that introduced it is not transcribed here.  The 2018 and 2021 papers state its operators, and
that windows share it; from this follows that exactly the candidates are kept.  A candidate is an element that is the
product of some suffix of the window.  For invertible operators SlickDeque subtracts: that is
`reference/in_order/subtract_on_evict.py`.  The operator need not commute: examples are `first` and `last`.
"""

from collections import deque
from typing import Any, Generic, NamedTuple

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.related_work.slick_deque import (
    ends,
    evict_calls,
    evict_paid,
    insert_calls,
    insert_paid,
    lookup_calls,
    once,
    order,
    positions,
    query_calls,
    savings,
    space,
    suffixes,
    values,
)
from swagproof.contracts.shadows.fifo import LookupShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class NotSelectiveError(ValueError):
    """combine(x, y) is neither x nor y.  The window is unchanged."""

    def __init__(self, x: Any, y: Any, result: Any) -> None:
        super().__init__(
            f"combine({x!r}, {y!r}) is {result!r}, neither of the two: SlickDeque is for operators like max; "
            "use DABA Lite for others"
        )


class Candidate(NamedTuple, Generic[A]):
    """An element that can still be an answer."""

    position: int
    value: A


class SlickDeque(Generic[A]):
    """A deque of the candidates: the products of all suffixes, each once.

    >>> from swagproof.models.operations import MAX
    >>> window = SlickDeque(MAX)
    >>> for v in (4, 2, 3, 1):
    ...     window.insert(v)
    >>> window.query(), window.lookup(2), len(window.candidates)
    (4, 3, 3)
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.candidates: deque[Candidate[A]] = deque()
        self.oldest = 0
        self.size = 0

    def insert(self, v: A) -> None:
        """Add `v` at the back.  At most n combine calls, amortised 2 an insert.  Raises NotSelectiveError."""
        kept = len(self.candidates)
        while kept > 0:
            last = self.candidates[kept - 1].value
            chosen = self.monoid.combine(last, v)
            if chosen != v:
                if chosen != last:
                    raise NotSelectiveError(last, v, chosen)
                break
            kept = kept - 1
        while len(self.candidates) > kept:
            self.candidates.pop()
        self.candidates.append(Candidate(self.oldest + self.size, v))
        self.size = self.size + 1

    def evict(self) -> None:
        """Remove the oldest.  No combine calls.  Raises EmptyWindowError."""
        if self.size == 0:
            raise EmptyWindowError
        if self.candidates[0].position == self.oldest:
            self.candidates.popleft()
        self.oldest = self.oldest + 1
        self.size = self.size - 1

    def query(self) -> A:
        """The product of the window, the identity when it is empty.  No combine calls."""
        return self.candidates[0].value if self.candidates else self.monoid.identity

    def lookup(self, newest: int) -> A:
        """Return the product of the last `newest` elements, for windows that share the deque.  No combine calls.

        Raises ValueError if `newest` is negative or greater than n.
        """
        if not 0 <= newest <= self.size:
            raise ValueError(f"newest: {newest} of {self.size} elements; give 0 to {self.size}")
        for candidate in self.candidates:
            if candidate.position >= self.oldest + self.size - newest:
                return candidate.value
        return self.monoid.identity


@invariant(lambda self: ends(self), "the newest element is the last candidate")
@invariant(lambda self: positions(self), "candidates are elements of the window", enabled=SLOW)
@invariant(lambda self: order(self), "positions rise", enabled=SLOW)
@invariant(lambda self: values(self), "a candidate is the product from its position on", enabled=SLOW)
@invariant(lambda self: suffixes(self), "the candidates are the products of all suffixes", enabled=SLOW)
@invariant(lambda self: once(self), "each once", enabled=SLOW)
@invariant(lambda self: stores(self, space), "at most n values", enabled=SLOW)
class CheckedSlickDeque(LookupShadow[A], SlickDeque[A]):
    """SlickDeque with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "2 combine calls an insert, amortised",
    )
    @ensure(
        lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "at most n combine calls"
    )
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(self.counting.calls - OLD.calls, OLD.savings, savings(self)),
        "nothing is saved",
    )
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

    @require(lambda self, newest: 0 <= newest <= self.model.size, "0 to n elements", error=ValueError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, newest, OLD: lookup_calls(newest, self.counting.calls - OLD.calls), "no combine calls")
    @ensure(
        lambda self, newest, result: result == self.model.product(self.model.size - newest, self.model.size),
        "the product of the newest elements",
        enabled=SLOW,
    )
    def lookup(self, newest: int) -> A:
        """Look up the newest elements."""
        return super().lookup(newest)
