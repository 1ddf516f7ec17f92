"""Definition of the FIFO window as a plain list, simple enough to be right by inspection.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 2.1, definition of the
first-in first-out sliding-window aggregation (SWAG) abstract data type.
"""

from functools import reduce
from typing import Generic, Protocol

from swagproof.models.monoid import A, Monoid


class EmptyWindowError(IndexError):
    """Raised by evict on an empty window.  The window is unchanged.

    The paper leaves `evict` of an empty window open.  Every algorithm here raises this before it changes anything.
    """

    def __init__(self, message: str = "evict: the window is empty") -> None:
        super().__init__(message)


class Fifo(Protocol[A]):
    """The SWAG abstract data type: the interface of a first-in first-out window."""

    def insert(self, v: A) -> None:
        """Add the partial aggregate `v` of one new element at the back."""
        ...

    def evict(self) -> None:
        """Remove the oldest element.  Raises EmptyWindowError when there is none."""
        ...

    def query(self) -> A:
        """The ordered product of the window, the identity when it is empty."""
        ...


class FifoWindow(Generic[A]):
    """The definition of a correct window: a list, with the product recomputed at each query.

    Section 2.3's example, over (maximum, how often it occurs):

    >>> from swagproof.models.operations import MAX_COUNT
    >>> window = FifoWindow(MAX_COUNT)
    >>> for e in (4, 5, 3, 4, 0, 4, 4):
    ...     window.insert(MAX_COUNT.lift(e))
    >>> window.query()
    (5, 1)
    >>> window.evict(); window.evict(); window.query()
    (4, 3)
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.values: list[A] = []
        self._products: dict[tuple[int, int], A] = {}

    @property
    def size(self) -> int:
        """n, the number of elements."""
        return len(self.values)

    def __getitem__(self, i: int) -> A:
        """v_i, counted from the oldest.  Raises IndexError outside 0 .. n - 1."""
        if not 0 <= i < len(self.values):
            raise IndexError(f"v_{i} of a window of {len(self.values)}")
        return self.values[i]

    def insert(self, v: A) -> None:
        """Add `v` at the back.  No combine calls."""
        self.values.append(v)
        self._products.clear()

    def evict(self) -> None:
        """Remove the oldest.  No combine calls.  Raises EmptyWindowError."""
        if not self.values:
            raise EmptyWindowError
        del self.values[0]
        self._products.clear()

    def places(self, i: int, j: int) -> range:
        """The positions i .. j - 1, for stating invariants."""
        return range(i, j)

    def query(self) -> A:
        """v_0 ... v_{n-1}, or the identity.  n combine calls."""
        return reduce(self.monoid.combine, self.values, self.monoid.identity)

    def product(self, i: int, j: int) -> A:
        """v_i ... v_{j-1}, the identity when i = j.  For stating invariants.

        Products of the unchanged window are cached, with those that begin or end at the same places, so that a clause
        over all i, in either direction, costs about two combine calls for each i.
        """
        if not 0 <= i <= j <= len(self.values):
            raise IndexError(f"product({i}, {j}) of a window of {len(self.values)}")
        kept, combine, one = self._products, self.monoid.combine, self.monoid.identity
        if i == j:
            return one
        if (i, j) not in kept:
            if (i, j - 1) in kept:
                kept[i, j] = combine(kept[i, j - 1], self.values[j - 1])
            elif (i + 1, j) in kept:
                kept[i, j] = combine(self.values[i], kept[i + 1, j])
            else:
                aggregate = one
                for k in range(j - 1, i, -1):
                    aggregate = kept[k, j] = combine(self.values[k], aggregate)
                aggregate = one
                for k in range(i, j):
                    aggregate = kept[i, k + 1] = combine(aggregate, self.values[k])
        return kept[i, j]
