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

from swagproof.contracts.ghosts.fifo_window import FifoGhost
from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.in_order import recalculate as contract
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class Recalculate(Generic[A]):
    """A queue of the elements, and their product from nothing at each query.

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


@under(contract, "ends")
class CheckedRecalculate(FifoGhost[A], Recalculate[A]):
    """Recalculate-from-scratch under its contracts, beside the definition of right."""
