"""Reactive Aggregator, FIFO.

- Full name: Reactive Aggregator optimised for FIFO
- Paper: General Incremental Sliding-Window Aggregation (2015), section 5.2
- Order: FIFO
- Operator: associative, with identity for the empty window only
- Combine calls: insert, evict 0, resizing < c; query of m changes m (1 + ceil(log2(c / m))) + 2 log2 c + 1
- Space: 2c - 1 slots and one for each change since the last query; c is at most 4n, 2, or its initial value
- Errata: RA-3, RA-10, RA-11, RA-12; readings FAT-6, RA-2, RA-4, RA-6, RA-7

Conventions: as for the Reactive Aggregator; the paper gives no listing.  The window has no holes, so there is nothing
to compact, and no ⊥: a node knows from the paths of front and back whether the area below it is occupied.  `freed` are
the slots that were left since the last query, `pending` the elements that arrived.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.contracts.flat_trees.reactive_aggregator import fits
from swagproof.contracts.flat_trees.reactive_aggregator_fifo import (
    batch,
    boundaries,
    capacity,
    count,
    evict_bound,
    evict_paid,
    filled,
    insert_bound,
    insert_paid,
    no_holes,
    query_bound,
    resized,
    savings,
    space_bound,
    spent,
    tree,
    utilisation,
    window_order,
)
from swagproof.contracts.shadows.any_order import BufferShadow
from swagproof.contracts.shadows.fifo import FifoShadow
from swagproof.contracts.shadows.shadow import keeps
from swagproof.models.containers.array import Array
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import DEFAULT_CAPACITY


class DemarcatedFat(FlatFat[A]):
    """A FlatFAT in which only the places from front to back are occupied; other places are never read."""

    def __init__(self, monoid: Monoid[A], n: int) -> None:
        """Create n unoccupied places.  No combine calls."""
        self.monoid = monoid
        self.n = n
        self.T: Array[A] = Array(2 * n - 1)
        self.inverted = False

    def slide(self, changes: list[tuple[int, A]], freed: set[int], F: int, B: int) -> None:
        """Write the changes, occupy F .. B, and rewrite the nodes that depend on changed or freed places.

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

    def propagate(self, W: set[int]) -> None:
        """Lines 4-9 of Algorithm 2: rewrite the nodes W of the lowest inner level, then the levels above."""
        while W:
            W = self.rewrite(W)

    def rewrite(self, W: set[int]) -> set[int]:
        """Lines 5-8 for one level, skipping unoccupied children; return the nodes of the next.  At most |W| calls."""
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
    """A circular buffer without holes in the leaves of a FlatFAT, which knows the occupied area.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = ReactiveAggregatorFifo(CONCATENATION)
    >>> window.insert("a"); window.insert("b"); window.evict(); window.insert("c"); window.query()
    'bc'
    """

    Fat: ClassVar[type[DemarcatedFat[Any]]] = DemarcatedFat

    def __init__(self, monoid: Monoid[A], capacity: int = DEFAULT_CAPACITY) -> None:
        """Create an empty window.  No combine calls.  Raises ValueError unless capacity is a power of two."""
        if type(capacity) is not int or capacity < 1 or capacity & (capacity - 1):
            raise ValueError(f"capacity: {capacity!r}; it must be a power of two (1, 2, 4, ...)")
        self.monoid = monoid
        self.n_tuples = 0
        self.F, self.B = 1, capacity  # the back before the front, as the window is empty
        self.make_room(capacity, [])

    def insert(self, v: A) -> None:
        """Add `v` at the back.  No combine calls, except for a resize."""
        if self.n_tuples == self.capacity:  # [Sec.5.1.1, the buffer is full; there are no holes to compact]
            self.resize(2 * self.capacity)
        self.B = self.after(self.B)
        self.pending[self.B] = v
        self.n_tuples += 1

    def evict(self) -> None:
        """Remove the oldest.  No combine calls, except for a resize.  Raises EmptyWindowError."""
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
        """Return the ordered product of the window, the identity if it is empty.  Applies pending changes.

        At most m (1 + ceil(log2(capacity / m))) combine calls for m > 0 pending changes, none for m = 0; and at most
        2 log2(capacity) + 1 more if the buffer is inverted.
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
        """a[slot] for an occupied slot, after the pending changes."""
        return self.pending[slot] if slot in self.pending else self.fat.a(slot)

    def slots(self) -> Iterator[int]:
        """Yield the slots of the window's elements, the oldest first."""
        slot = self.F
        for _ in range(self.n_tuples):
            yield slot
            slot = self.after(slot)

    def apply_pending(self) -> None:
        """Write the pending changes to FlatFAT, in one update."""
        self.fat.slide(list(self.pending.items()), self.freed, self.F, self.B)
        self.pending.clear()
        self.freed.clear()

    def resize(self, capacity: int) -> None:
        """Copy the elements, in the window's order, into a new FlatFAT.  Less than n_tuples combine calls."""
        self.make_room(capacity, [self.value(slot) for slot in self.slots()])

    def make_room(self, capacity: int, values: list[A]) -> None:
        """Create a FlatFAT of this capacity that holds the values in its first slots."""
        self.fat: DemarcatedFat[A] = self.Fat(self.monoid, capacity)
        self.pending: dict[int, A] = {}
        self.freed: set[int] = set()
        self.F = 1
        self.B = len(values) if values else capacity
        if values:
            self.fat.slide(list(enumerate(values, start=1)), set(), self.F, self.B)


@invariant(lambda self: capacity(self), "c is a power of two, and the tree has c leaves")
@invariant(lambda self: count(self), "n_tuples = n")
@invariant(lambda self: boundaries(self), "from F to B there are n slots")
@invariant(lambda self: window_order(self), "the slots from F to B are the window", enabled=SLOW)
@invariant(lambda self: tree(self), "products of occupied slots", enabled=SLOW)
@invariant(lambda self: utilisation(self), "n >= c / 4, but for the smallest buffers")
@invariant(lambda self: batch(self), "at most one slot pending or freed for each event")
@invariant(lambda self: keeps(self, space_bound), "2c - 1 values, and one for each change", enabled=SLOW)
class CheckedReactiveAggregatorFifo(BufferShadow[A], FifoShadow[A], ReactiveAggregatorFifo[A]):
    """The Reactive Aggregator for FIFO with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: insert_bound(self), name="most")
    @snapshot(lambda self: spent(self), name="spent")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: insert_paid(spent(self) - OLD.spent, OLD.savings, savings(self)),
        "4 coins an insert, amortised",
    )
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "no combine calls but to resize")
    def insert(self, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(v)

    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: evict_bound(self), name="most")
    @snapshot(lambda self: spent(self), name="spent")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(spent(self) - OLD.spent, OLD.savings, savings(self)), "2 coins an evict, amortised"
    )
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "no combine calls but to resize")
    def evict(self) -> None:
        """Evict from the window and its model."""
        super().evict()

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: query_bound(self), name="most")
    @ensure(
        lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most,
        "at most m (1 + ceil(log2(c / m))) + 2 log2 c + 1 combine calls",
    )
    @ensure(lambda self, result: result == self.model.query(), "the product of the window", enabled=SLOW)
    def query(self) -> A:
        """Query the window."""
        return super().query()

    @require(lambda self, capacity: fits(self, capacity), "the capacity is doubled or halved, and holds the elements")
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self: no_holes(self), "no holes")
    @ensure(lambda self: filled(self), "3/8 c <= n <= 1/2 c (section 5.1.1, i)")
    @ensure(lambda self, OLD: filled_calls(self.n_tuples, self.counting.calls - OLD.calls), "less than n calls")
    @ensure(lambda self, capacity: resized(self, capacity), "the capacity asked for")
    def resize(self, capacity: int) -> None:
        """Copy the elements into a buffer of this capacity."""
        super().resize(capacity)
