"""FlatFIT.

- Full name: Flat and Fast Index Traverser
- Paper: described in In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), sections 7 and 8.1
- Order: FIFO
- Operator: associative, with identity for the empty window only
- Combine calls: insert, evict 0; query at most n - 1; in total at most 3 for each query, 1 for each insert, and n, up
  to n = 9; more in larger windows
- Space: c partial aggregates and c pointers, c at most 4n, or 2, and a stack of up to n indices
- Errata: none

Conventions: the paper that introduced FlatFIT is not transcribed here, so there is no listing.  This code follows the
description in the 2021 paper: n partial aggregates, n pointers that are indices into the window and connect the partial
aggregates of subranges, a stack of indices for the update of pointers; and a circular buffer that is doubled and halved
without changing the structure of the pointers.  `partials[i]` is the product of the elements from i to the one before
`pointers[i]`; for the newest element, whose pointer leads nowhere, it is that element.
"""

from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.related_work.flat_fit import (
    before,
    capacity,
    contents,
    elements,
    evict_calls,
    free_slots,
    insert_calls,
    lookup_calls,
    pointers,
    query_calls,
    resizable,
    resized,
    same_way,
    shortened,
    slots,
    space,
)
from swagproof.contracts.shadows.fifo import LookupShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class FlatFit(Generic[A]):
    """A circular buffer in which each query shortens the path for the next.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = FlatFit(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    >>> window.lookup(1)
    'c'
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.partials: list[A] = [monoid.identity]
        self.pointers: list[int] = [0]
        self.front = 0
        self.size = 0

    @property
    def capacity(self) -> int:
        """c, the number of slots: a power of two."""
        return len(self.pointers)

    def slot(self, i: int) -> int:
        """The slot of the i-th element, counted from 0 at the oldest."""
        return (self.front + i) % self.capacity

    def insert(self, v: A) -> None:
        """Add `v` at the back.  No combine calls."""
        if self.size == self.capacity:
            self.resize(2 * self.capacity)
        if self.size > 0:
            self.pointers[self.slot(self.size - 1)] = self.slot(self.size)
        self.partials[self.slot(self.size)] = v
        self.size = self.size + 1

    def evict(self) -> None:
        """Remove the oldest.  No combine calls.  Raises EmptyWindowError."""
        if self.size == 0:
            raise EmptyWindowError
        self.partials[self.front] = self.monoid.identity  # nothing of it is kept
        self.front = self.slot(1)
        self.size = self.size - 1
        if 4 * self.size < self.capacity and self.capacity > 1:
            self.resize(self.capacity // 2)

    def query(self) -> A:
        """The ordered product of the window.  At most n - 1 combine calls."""
        return self.lookup(self.size)

    def lookup(self, newest: int) -> A:
        """The product of the last `newest` elements, for windows that share the buffer.  At most newest - 1 calls.

        Raises ValueError if `newest` is negative or greater than n.
        """
        if not 0 <= newest <= self.size:
            raise ValueError(f"newest: {newest} of {self.size} elements; give 0 to {self.size}")
        if newest == 0:
            return self.monoid.identity
        back = self.slot(self.size - 1)
        positions: list[int] = []
        current = self.slot(self.size - newest)
        while current != back:
            positions.append(current)
            current = self.pointers[current]
        if not positions:
            return self.partials[back]
        product = self.partials[positions.pop()]  # its pointer already leads to the back
        while positions:
            current = positions.pop()
            product = self.monoid.combine(self.partials[current], product)
            self.partials[current] = product
            self.pointers[current] = back
        return self.monoid.combine(product, self.partials[back])

    def resize(self, capacity: int) -> None:
        """Move the elements to a buffer of this capacity.  No combine calls; pointers lead to the same elements."""
        partials = [self.monoid.identity] * capacity
        pointers = [0] * capacity
        for i in range(self.size):
            partials[i] = self.partials[self.slot(i)]
            pointers[i] = (self.pointers[self.slot(i)] - self.front) % self.capacity
        self.partials, self.pointers, self.front = partials, pointers, 0


@invariant(lambda self: elements(self), "n elements")
@invariant(lambda self: capacity(self), "capacity")
@invariant(lambda self: slots(self), "as many pointers as partial aggregates")
@invariant(lambda self: pointers(self), "pointers lead to newer elements", enabled=SLOW)
@invariant(lambda self: contents(self), "partial aggregates reach as far as pointers", enabled=SLOW)
@invariant(lambda self: free_slots(self), "free slots hold the identity", enabled=SLOW)
@invariant(lambda self: stores(self, space), "at most 4n partial aggregates, or 2", enabled=SLOW)
class CheckedFlatFit(LookupShadow[A], FlatFit[A]):
    """FlatFIT with its contracts, and the window by definition as `model`."""

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
    @ensure(
        lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls), "at most n - 1 combine calls"
    )
    @ensure(lambda self: shortened(self, self.size), "the oldest element's pointer leads to the newest")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()

    @require(lambda self, newest: 0 <= newest <= self.model.size, "0 to n elements", error=ValueError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, newest, OLD: lookup_calls(newest, self.counting.calls - OLD.calls),
        "at most newest - 1 combine calls",
    )
    @ensure(lambda self, newest: shortened(self, newest), "the oldest of them leads to the newest")
    @ensure(
        lambda self, newest, result: result == self.model.product(self.model.size - newest, self.model.size),
        "the product of the newest elements",
        enabled=SLOW,
    )
    def lookup(self, newest: int) -> A:
        """Look up the newest elements."""
        return super().lookup(newest)

    @require(lambda self, capacity: resizable(self, capacity), "the buffer is doubled when full, or halved")
    @snapshot(lambda self: before(self), name="old")
    @ensure(lambda self: contents(self), "partial aggregates have moved with their elements")
    @ensure(lambda self: free_slots(self), "free slots of the new buffer hold the identity")
    @ensure(lambda self, OLD: same_way(self, old=OLD.old), "pointers lead to the elements they did")
    @ensure(lambda self, capacity: resized(self, capacity), "new capacity, from slot 0 on")
    def resize(self, capacity: int) -> None:
        """Move the elements, keeping the structure of the pointers (section 8.1)."""
        super().resize(capacity)
