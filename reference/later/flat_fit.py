"""FlatFIT.

- Full name: Flat and Fast Index Traverser
- Paper: described in In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021), sections 7 and 8.1
- Order: FIFO
- Operator: associative, with identity for the empty window only
- Combine calls: insert, evict 0; query at most n - 1; all together at most 3 queries + inserts + n up to n = 9,
  more in larger windows
- Space: c partial aggregates and c pointers, c at most 4n, or 2, and a stack of up to n indices
- Errata: none

Conventions: the paper that introduced FlatFIT is not among those transcribed here, so there is no listing to be literal
to.  This follows what the 2021 paper says of it: n partial aggregates, n pointers that are indices into the window and
stitch the partial aggregates of subranges together, a stack of indices for the update of pointers; and a circular
buffer that is doubled and halved, with the structure of the pointers left as it is.  `partials[i]` is the product of
the elements from i to the one before `pointers[i]`; of the newest element, whose pointer leads nowhere, itself.
"""

from typing import Generic

from swagproof.contracts.ghosts.fifo_window import LookupGhost
from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.later import flat_fit as contract
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class FlatFit(Generic[A]):
    """A circular buffer in which each query shortens the way for the next.

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
        """The product of the newest so many elements, for windows that share the buffer.  At most newest - 1 calls.

        Raises ValueError for more than there are, and for fewer than none.
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
        product = self.partials[positions.pop()]  # its pointer leads to the back already
        while positions:
            current = positions.pop()
            product = self.monoid.combine(self.partials[current], product)
            self.partials[current] = product
            self.pointers[current] = back
        return self.monoid.combine(product, self.partials[back])

    def resize(self, capacity: int) -> None:
        """Move the elements to a buffer of this capacity.  No combine calls; pointers lead to the elements they did."""
        partials = [self.monoid.identity] * capacity
        pointers = [0] * capacity
        for i in range(self.size):
            partials[i] = self.partials[self.slot(i)]
            pointers[i] = (self.pointers[self.slot(i)] - self.front) % self.capacity
        self.partials, self.pointers, self.front = partials, pointers, 0


@under(contract, "capacity")
class CheckedFlatFit(LookupGhost[A], FlatFit[A]):
    """FlatFIT under its contracts, beside the definition of right."""
