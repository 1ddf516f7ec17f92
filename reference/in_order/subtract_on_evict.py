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

from swagproof.contracts.ghosts.fifo_window import FifoGhost
from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.in_order import subtract_on_evict as contract
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class Subtractable(Monoid[A], Protocol[A]):
    """A monoid whose oldest factor can be taken away again."""

    @property
    def remove(self) -> Callable[[A, A], A] | None:
        """remove(a, combine(a, b)) = b; None where there is no such function."""
        ...


class SubtractOnEvict(Generic[A]):
    """A queue of the elements, and a running product from which the oldest is subtracted.

    >>> from swagproof.models.operations import OPERATIONS
    >>> window = SubtractOnEvict(OPERATIONS["sum"])
    >>> window.insert(1); window.insert(2); window.evict(); window.insert(4); window.query()
    6
    """

    def __init__(self, monoid: Subtractable[A]) -> None:
        """Raises TypeError when the operation has no `remove`."""
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


@under(contract, "ends")
class CheckedSubtractOnEvict(FifoGhost[A], SubtractOnEvict[A]):
    """Subtract-on-evict under its contracts, beside the definition of right."""
