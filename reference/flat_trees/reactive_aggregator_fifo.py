"""Reactive Aggregator, FIFO.

- Full name: Reactive Aggregator optimised for FIFO
- Paper: General Incremental Sliding-Window Aggregation (2015), section 5.2
- Order: FIFO
- Operator: associative, with identity for the empty window only
- Combine calls: insert, evict 0, resizing < c; query of m changes m (1 + ceil(log2(c / m))) + 2 log2 c + 1
- Space: 2c - 1 slots and one for each change since the last query; c is at most 4n, or 2, or what it began with
- Errata: RA-3, RA-10, RA-11, RA-12; readings FAT-6, RA-2, RA-4, RA-6, RA-7

Conventions: as for the Reactive Aggregator; the paper gives no listing.  The window has no holes, so that there is
nothing to compact, and no ⊥: a node knows from the paths of front and back whether the area below it is occupied.
`freed` are the slots that were left since the last query, `pending` the elements that came.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Generic

from swagproof.contracts.flat_trees import reactive_aggregator_fifo as contract
from swagproof.contracts.ghosts.any_order_window import BufferGhost
from swagproof.contracts.ghosts.ghost import under
from swagproof.models.containers.array import Array
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import DEFAULT_CAPACITY


class DemarcatedFat(FlatFat[A]):
    """A FlatFAT of which only the places from front to back are occupied; whatever is not is never read."""

    def __init__(self, monoid: Monoid[A], n: int) -> None:
        """n places, none of them occupied.  No combine calls."""
        self.monoid = monoid
        self.n = n
        self.T: Array[A] = Array(2 * n - 1)
        self.inverted = False

    def slide(self, changes: list[tuple[int, A]], freed: set[int], F: int, B: int) -> None:
        """Write the changes, with the area F .. B now occupied, and rewrite what depends on them and on places freed.

        At most m (1 + ceil(log2(n / m))) combine calls for m > 0 changed and freed places.
        """
        self.inverted = B < F
        self.front, self.back = self.leaf(F), self.leaf(B)  # their paths to the root, at the level of the children
        W: set[int] = set()
        for loc, val in changes:
            self.T[self.leaf(loc)] = val
        for loc in [*freed, *[loc for loc, _ in changes]]:
            if self.leaf(loc) != self.root():
                W.add(self.parent(self.leaf(loc)))
        self.propagate(W)

    def is_occupied(self, v: int) -> bool:
        """Return whether any place below v is occupied, for v on the level that the paths have reached."""
        if self.inverted:
            return not self.back < v < self.front  # [Sec.5.2, the unoccupied area is between back and front]
        return self.front <= v <= self.back  # [Sec.5.2, the occupied area is between front and back]

    def rewrite(self, W: set[int]) -> set[int]:
        """As FlatFAT's, with unoccupied children skipped over.  At most |W| combine calls."""
        W_next: set[int] = set()
        for v in W:
            x, y = self.left(v), self.right(v)
            if self.is_occupied(x) and self.is_occupied(y):
                self.T[v] = self.monoid.combine(self.T[x], self.T[y])
            elif self.is_occupied(x):
                self.T[v] = self.T[x]
            elif self.is_occupied(y):
                self.T[v] = self.T[y]
            if v != self.root():
                W_next.add(self.parent(v))
        self.front, self.back = self.parent(self.front), self.parent(self.back)
        return W_next


class ReactiveAggregatorFifo(Generic[A]):
    """A circular buffer without holes in the leaves of a FlatFAT that knows where it begins and ends.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = ReactiveAggregatorFifo(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    Fat: ClassVar[type[DemarcatedFat[Any]]] = DemarcatedFat

    def __init__(self, monoid: Monoid[A], capacity: int = DEFAULT_CAPACITY) -> None:
        """An empty window.  No combine calls.  Raises ValueError unless capacity is a power of two."""
        if type(capacity) is not int or capacity < 1 or capacity & (capacity - 1):
            raise ValueError(f"capacity: {capacity!r}; it must be a power of two (1, 2, 4, ...)")
        self.monoid = monoid
        self.n_tuples = 0
        self.F, self.B = 1, capacity  # the back before the front, as the window is empty
        self.make_room(capacity, [])

    def insert(self, v: A) -> None:
        """Add `v` at the back.  No combine calls, but for a resize."""
        if self.n_tuples == self.capacity:  # [Sec.5.1.1, the buffer is full; there are no holes to compact]
            self.resize(2 * self.capacity)
        self.B = self.after(self.B)
        self.pending[self.B] = v
        self.n_tuples += 1

    def evict(self) -> None:
        """Remove the oldest.  No combine calls, but for a resize.  Raises EmptyWindowError."""
        if self.n_tuples == 0:
            raise EmptyWindowError  # [ours: the paper leaves this open]
        if self.F in self.pending:
            del self.pending[self.F]
        self.freed.add(self.F)
        self.F = self.after(self.F)
        self.n_tuples -= 1
        if 4 * self.n_tuples < self.capacity and self.capacity > 1:  # [Sec.5.1.1, after evicting; reading RA-4]
            self.resize(self.capacity // 2)

    def query(self) -> A:
        """The ordered product of the window, the monoid's identity when it is empty.  Applies what is pending.

        With m changes pending at most m (1 + ceil(log2(capacity / m))) combine calls, none for m = 0, and when the
        buffer is inverted at most 2 log2(capacity) + 1 more.
        """
        if self.n_tuples == 0:  # [reading RA-7: an empty buffer has no demarcation]
            self.freed.clear()  # nothing depends on them
            return self.monoid.identity
        self.apply_pending()
        if self.B < self.F:  # [Sec.5.1.2]
            return self.monoid.combine(self.fat.suffix(self.F), self.fat.prefix(self.B))
        return self.fat.aggregate()

    @property
    def capacity(self) -> int:
        """n_capacity, the number of slots."""
        return self.fat.n

    def after(self, slot: int) -> int:
        """The next slot of the circular buffer."""
        return 1 if slot == self.capacity else slot + 1

    def value(self, slot: int) -> A:
        """a[slot], of an occupied slot, after the changes that are pending."""
        return self.pending[slot] if slot in self.pending else self.fat.a(slot)

    def slots(self) -> Iterator[int]:
        """The slots of the window's elements, the oldest first."""
        slot = self.F
        for _ in range(self.n_tuples):
            yield slot
            slot = self.after(slot)

    def apply_pending(self) -> None:
        """Write the changes to FlatFAT, in one update."""
        self.fat.slide(list(self.pending.items()), self.freed, self.F, self.B)
        self.pending.clear()
        self.freed.clear()

    def resize(self, capacity: int) -> None:
        """Copy the elements, in the window's order, into a new FlatFAT.  Less than n_tuples combine calls."""
        self.make_room(capacity, [self.value(slot) for slot in self.slots()])

    def make_room(self, capacity: int, values: list[A]) -> None:
        """Begin with a FlatFAT of this capacity that holds the values in its first slots."""
        self.fat: DemarcatedFat[A] = self.Fat(self.monoid, capacity)
        self.pending: dict[int, A] = {}
        self.freed: set[int] = set()
        self.F = 1
        self.B = len(values) if values else capacity
        if values:
            self.fat.slide(list(enumerate(values, start=1)), set(), self.F, self.B)


@under(contract, "capacity", "count", "boundaries", "utilisation", "batch")
class CheckedReactiveAggregatorFifo(BufferGhost[A], ReactiveAggregatorFifo[A]):
    """The Reactive Aggregator for FIFO under its contracts, beside the definition of right."""
