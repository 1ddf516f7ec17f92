"""Definitions of the 2015 paper's structures as plain lists, simple enough to be right by inspection.

Source: *General Incremental Sliding-Window Aggregation* (2015): section 4 for the places of a fixed-sized aggregator,
sections 2.2 and 5.1.1 for a window whose elements arrive in order and leave in any order.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Generic

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class NotInWindowError(KeyError):
    """Raised by evict for an element that is not in the window.  The window is unchanged."""

    def __init__(self, ticket: object) -> None:
        super().__init__(
            f"evict: ticket {ticket!r} is not in the window; give one that insert returned and no evict took"
        )

    def __str__(self) -> str:
        return str(self.args[0])


class AnyOrderWindow(Generic[A]):
    """The definition of a correct window: the elements by ticket, with the product recomputed at each query.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = AnyOrderWindow(CONCATENATION)
    >>> tickets = [window.insert(letter) for letter in "abcd"]
    >>> window.evict(2); window.evict(); window.query(), window.tickets
    ('bd', [1, 3])
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.tickets: list[int] = []
        self.values: list[A] = []
        self.arrived = 0

    @property
    def size(self) -> int:
        """n, the number of elements."""
        return len(self.values)

    def insert(self, v: A) -> int:
        """Add `v` at the back and return its ticket, the arrival number counted from 0.  No combine calls."""
        ticket = self.arrived
        self.arrived += 1
        self.tickets.append(ticket)
        self.values.append(v)
        return ticket

    def evict(self, ticket: int | None = None) -> None:
        """Remove the element with this ticket, or the oldest.  Raises EmptyWindowError or NotInWindowError."""
        if not self.values:
            raise EmptyWindowError
        if ticket is not None and ticket not in self.tickets:
            raise NotInWindowError(ticket)
        place = 0 if ticket is None else self.tickets.index(ticket)
        del self.tickets[place], self.values[place]

    def query(self) -> A:
        """The product, or the identity.  n combine calls."""
        return reduce(self.monoid.combine, self.values, self.monoid.identity)


class Places(Generic[A]):
    """The definition of n writable places a[1] ... a[n], with products of neighbours recomputed at each query.

    >>> from swagproof.models.operations import CONCATENATION
    >>> places = Places(CONCATENATION, "abcd")
    >>> places.update([(2, "B"), (4, "D")]); places.product(1, 4), places.product(2, 3)
    ('aBcD', 'Bc')
    """

    def __init__(self, monoid: Monoid[A], values: Sequence[A]) -> None:
        self.monoid = monoid
        self.values = list(values)

    @property
    def size(self) -> int:
        """n, the number of places."""
        return len(self.values)

    def __getitem__(self, i: int) -> A:
        """a[i].  Raises IndexError outside 1 .. n."""
        if not 1 <= i <= len(self.values):
            raise IndexError(f"a[{i}] of the places 1 .. {len(self.values)}")
        return self.values[i - 1]

    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """a[loc] <- val for each (loc, val).  Raises IndexError outside 1 .. n, and then nothing has changed."""
        for loc, _ in changes:
            self[loc]
        for loc, val in changes:
            self.values[loc - 1] = val

    def product(self, i: int, j: int) -> A:
        """a[i] ... a[j], for 1 <= i <= j <= n.  j - i combine calls.  Raises IndexError."""
        if not 1 <= i <= j <= len(self.values):
            raise IndexError(f"product({i}, {j}) of the places 1 .. {len(self.values)}")
        return reduce(self.monoid.combine, self.values[i - 1 : j])
