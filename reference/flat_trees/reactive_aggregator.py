"""Reactive Aggregator.

- Full name: Reactive Aggregator
- Paper: General Incremental Sliding-Window Aggregation (2015), sections 2.3, 5 and 5.1
- Order: elements arrive in order and leave in any
- Operator: associative, with identity for the empty window only
- Combine calls: insert, evict 0, resizing < c; query of m changes m (1 + ceil(log2(c / m))) + 2 log2 c + 1
- Space: 2c - 1 slots and one for each change since the last query; c is at most 4n, 2, or its initial value
- Errata: RA-3, RA-10, RA-11, RA-12; readings FAT-6, RA-1, RA-2, RA-4, RA-6, RA-8, RA-9

Conventions: the paper's front and back pointers are `F`, `B`: the slots of the oldest and of the newest element;
n_tuples is `n_tuples`, n_capacity `capacity`, ⊥ `BOTTOM`; a[i] is `value(i)`.  The paper gives no listing: a tag names
the section, [Sec.5.1.1].  Changes of FlatFAT are noted in `pending` and written by one update when the window fires
(section 2.3), so that m events cost one update of at most m places, as Theorem 4.1 says.
"""

from collections.abc import Iterator
from typing import Any, Final, Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.contracts.flat_trees.reactive_aggregator import (
    batch,
    boundaries,
    capacity,
    compact_calls,
    count,
    evict_bound,
    evict_paid,
    filled,
    fits,
    full,
    holes,
    insert_bound,
    insert_paid,
    inverted,
    no_holes,
    query_bound,
    resized,
    savings,
    some_holes,
    space_bound,
    spent,
    ticket_map,
    tree,
    utilisation,
    window_order,
)
from swagproof.contracts.shadows.any_order import AnyOrderShadow, BufferShadow
from swagproof.contracts.shadows.shadow import keeps
from swagproof.models.any_order import NotInWindowError
from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM, Slot, WithBottom
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid
from swagproof.reference.flat_trees.flat_fat import FlatFat

DEFAULT_CAPACITY: Final = 1
"""[ours: the paper does not state the initial number of slots]"""


class ReactiveAggregator(Generic[A]):
    """A circular buffer in the leaves of a FlatFAT, with ⊥ in unfilled slots; it grows, shrinks and is compacted.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = ReactiveAggregator(CONCATENATION)
    >>> a, b, c = window.insert("a"), window.insert("b"), window.insert("c")
    >>> window.evict(b); window.query()
    'ac'
    >>> window.evict(); window.query()
    'c'
    """

    def __init__(self, monoid: Monoid[A], capacity: int = DEFAULT_CAPACITY) -> None:
        """Create an empty window.  No combine calls.  Raises ValueError unless capacity is a power of two."""
        if type(capacity) is not int or capacity < 1 or capacity & (capacity - 1):
            raise ValueError(f"capacity: {capacity!r}; it must be a power of two (1, 2, 4, ...)")
        self.monoid = monoid
        self.arrived = 0
        self.n_tuples = 0
        self.F, self.B = 1, capacity  # the back before the front, as the window is empty
        self.make_room(capacity, [], [])  # [Sec.5.1.1, a FlatFAT filled with ⊥]

    # The window

    def insert(self, v: A) -> int:
        """Add `v` at the back; its ticket, 0, 1, 2, ... by arrival.  No combine calls, but for a resize or compact."""
        if self.is_full():  # [Sec.5.1.1, upon receiving a tuple and the buffer is full]
            if 4 * self.n_tuples <= 3 * self.capacity:
                self.compact()
            else:
                self.resize(2 * self.capacity)
        ticket = self.arrived
        self.arrived += 1
        self.B = self.after(self.B)
        self.write(self.B, v, ticket)
        self.n_tuples += 1
        return ticket

    def evict(self, ticket: int | None = None) -> None:
        """Remove the element with this ticket, or the oldest.  No combine calls, except for a resize.

        Raises EmptyWindowError or NotInWindowError; then nothing has changed.
        """
        if self.n_tuples == 0:
            raise EmptyWindowError  # [ours: the paper leaves this open]
        if ticket is not None and ticket not in self.slot_of:
            raise NotInWindowError(ticket)  # [ours]
        slot = self.F if ticket is None else self.slot_of[ticket]  # [ours: reading RA-9]
        self.clear(slot)  # [Sec.5.1.1, their locations are marked with ⊥]
        self.n_tuples -= 1
        self.skip_holes()
        if 4 * self.n_tuples < self.capacity and self.capacity > 1:  # [Sec.5.1.1, after evicting; reading RA-4]
            self.resize(self.capacity // 2)

    def query(self) -> A:
        """Return the ordered product of the window, the identity if it is empty.  Applies pending changes.

        At most m (1 + ceil(log2(capacity / m))) combine calls for m > 0 pending changes, none for m = 0; and at most
        2 log2(capacity) + 1 more if the buffer is inverted.
        """
        self.apply_pending()  # [Sec.2.3, updates FlatFAT]
        if self.is_inverted():  # [Sec.5.1.2]
            answer = self.fat.monoid.combine(self.fat.suffix(self.F), self.fat.prefix(self.B))
        else:
            answer = self.fat.aggregate()
        return self.monoid.identity if answer is BOTTOM else answer

    # The circular buffer

    @property
    def capacity(self) -> int:
        """n_capacity, the number of slots."""
        return self.fat.n

    def after(self, slot: int) -> int:
        """The next slot of the circular buffer."""
        return 1 if slot == self.capacity else slot + 1

    def before(self, slot: int) -> int:
        """The previous slot of the circular buffer."""
        return self.capacity if slot == 1 else slot - 1

    def is_full(self) -> bool:
        """Return whether there is no free slot behind the back.  There may be holes before it."""
        return self.n_tuples > 0 and self.after(self.B) == self.F  # [Sec.5.1.1: n_tuples may be below n_capacity]

    def is_inverted(self) -> bool:
        """Return whether the back has wrapped around and precedes the front."""
        return self.B < self.F  # [Sec.5.1.2; when the window is empty the back is the last slot, as it was resized]

    def value(self, slot: int) -> Slot[A]:
        """a[slot], after the pending changes."""
        return self.pending[slot] if slot in self.pending else self.fat.a(slot)

    def slots(self) -> Iterator[int]:
        """Yield the slots of the window's elements, the oldest first, without the holes."""
        slot = self.F
        for _ in range(self.n_tuples):
            while self.tickets[slot] is None:
                slot = self.after(slot)
            yield slot
            slot = self.after(slot)

    def write(self, slot: int, v: Slot[A], ticket: int) -> None:
        """Put an element into a slot."""
        self.pending[slot] = v
        self.tickets[slot] = ticket
        self.slot_of[ticket] = slot

    def clear(self, slot: int) -> None:
        """Remove the element from a slot."""
        ticket = self.tickets[slot]
        assert ticket is not None, f"slot {slot} is a hole"
        self.pending[slot] = BOTTOM
        self.tickets[slot] = None
        del self.slot_of[ticket]

    def skip_holes(self) -> None:
        """Move front and back to the oldest and the newest element, if there are any."""
        while self.n_tuples and self.tickets[self.F] is None:  # [ours: reading RA-8]
            self.F = self.after(self.F)
        while self.n_tuples and self.tickets[self.B] is None:
            self.B = self.before(self.B)

    # Maintenance

    def apply_pending(self) -> None:
        """Write the pending changes to FlatFAT, in one update."""
        self.fat.update(list(self.pending.items()))
        self.pending.clear()

    def compact(self) -> None:
        """Shift the elements towards the front, over the holes.  Less than capacity combine calls."""
        to = self.F
        for slot in self.slots():  # [Sec.5.1.1, reading RA-1: in the window's order, not in that of the leaves]
            if slot != to:
                v, ticket = self.value(slot), self.tickets[slot]
                assert ticket is not None, f"slot {slot} is a hole"
                self.clear(slot)
                self.write(to, v, ticket)
            to = self.after(to)
        self.B = self.before(to)
        self.apply_pending()

    def resize(self, capacity: int) -> None:
        """Copy the elements, without the holes, into a new FlatFAT.  Less than n_tuples combine calls."""
        slots = list(self.slots())  # [Sec.5.1.1, skipping ⊥; reading RA-2: in the window's order]
        tickets = [ticket for slot in slots if (ticket := self.tickets[slot]) is not None]
        self.make_room(capacity, [self.value(slot) for slot in slots], tickets)

    def make_room(self, capacity: int, values: list[Slot[A]], tickets: list[int]) -> None:
        """Create a FlatFAT of this capacity that holds the values in its first slots."""
        unfilled = capacity - len(values)
        self.fat: FlatFat[Any] = FlatFat(WithBottom(self.monoid), [*values, *[BOTTOM] * unfilled])
        self.pending: dict[int, Slot[A]] = {}
        self.tickets: Array[int | None] = Array(capacity)
        self.slot_of: dict[int, int] = {}
        for slot in range(1, capacity + 1):
            self.tickets[slot] = None
        for slot, ticket in enumerate(tickets, start=1):
            self.tickets[slot] = ticket
            self.slot_of[ticket] = slot
        self.F = 1
        self.B = len(values) if values else capacity


@invariant(lambda self: capacity(self), "c is a power of two, and there are c slots")
@invariant(lambda self: count(self), "n_tuples = n")
@invariant(lambda self: boundaries(self), "F and B are the slots of the oldest and the newest element")
@invariant(lambda self: window_order(self), "the slots from F to B are the window, without the holes", enabled=SLOW)
@invariant(lambda self: holes(self), "every other slot is ⊥", enabled=SLOW)
@invariant(lambda self: ticket_map(self), "each ticket leads to its slot", enabled=SLOW)
@invariant(lambda self: tree(self), "equation 4.1", enabled=SLOW)
@invariant(lambda self: utilisation(self), "n >= c / 4, but for the smallest buffers")
@invariant(lambda self: batch(self), "at most one change pending for each event")
@invariant(lambda self: keeps(self, space_bound), "2c - 1 values, and one for each change", enabled=SLOW)
class CheckedReactiveAggregator(BufferShadow[A], AnyOrderShadow[A], ReactiveAggregator[A]):
    """Reactive Aggregator with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: insert_bound(self), name="most")
    @snapshot(lambda self: spent(self), name="spent")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(lambda self, result: result == self.model.arrived - 1, "its ticket")
    @ensure(
        lambda self, OLD: insert_paid(spent(self) - OLD.spent, OLD.savings, savings(self)),
        "4 coins an insert, amortised",
    )
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "no combine calls but to resize or compact")
    def insert(self, v: A) -> int:
        """Insert into the window and its model."""
        ticket: int = super().insert(v)
        return ticket

    @require(
        lambda self, ticket: ticket is None or ticket in self.model.tickets,
        "the element is in the window",
        error=lambda ticket: NotInWindowError(ticket),
    )
    @require(lambda self: self.model.size > 0, "the window is not empty", error=EmptyWindowError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: evict_bound(self), name="most")
    @snapshot(lambda self: spent(self), name="spent")
    @snapshot(lambda self: savings(self), name="savings")
    @ensure(
        lambda self, OLD: evict_paid(spent(self) - OLD.spent, OLD.savings, savings(self)), "2 coins an evict, amortised"
    )
    @ensure(lambda self, OLD: self.counting.calls - OLD.calls <= OLD.most, "no combine calls but to resize")
    def evict(self, ticket: int | None = None) -> None:
        """Evict from the window and its model."""
        super().evict(ticket)

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

    @ensure(lambda self, result: full(self, result), "full if no free slot is behind B (section 5.1.1)")
    def is_full(self) -> bool:
        """Return whether the buffer is full."""
        return super().is_full()

    @ensure(lambda self, result: inverted(self, result), "inverted if B < F (section 5.1.2)")
    def is_inverted(self) -> bool:
        """Ask whether the buffer is inverted."""
        return super().is_inverted()

    @require(lambda self: some_holes(self), "there are holes")
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self: no_holes(self), "no holes (section 5.1.1)")
    @ensure(lambda self, OLD: compact_calls(self.capacity, self.counting.calls - OLD.calls), "less than c calls")
    def compact(self) -> None:
        """Shift the elements over the holes."""
        super().compact()

    @require(lambda self, capacity: fits(self, capacity), "the capacity is doubled or halved, and holds the elements")
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self: no_holes(self), "no holes (section 5.1.1, ii)")
    @ensure(lambda self: filled(self), "3/8 c <= n <= 1/2 c (section 5.1.1, i)")
    @ensure(lambda self, OLD: filled_calls(self.n_tuples, self.counting.calls - OLD.calls), "less than n calls")
    @ensure(lambda self, capacity: resized(self, capacity), "the capacity asked for")
    def resize(self, capacity: int) -> None:
        """Copy the elements into a buffer of this capacity."""
        super().resize(capacity)
