"""The wrong variants of the Reactive Aggregator, of its form for FIFO and of base intervals, one mistake each."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, combine_in_vain, wrong
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO

# When to compact and to resize

WRONG: Final = WrongVariants(REACTIVE_AGGREGATOR)
"""Each is refuted by the explorer and by a contract; the hidden ones show in no answer to a fair question."""
WRONG.read(
    r"""
    a full buffer is compacted for a single hole (hidden: only the cost changes)
        insert: 4 * self.n_tuples <= 3 * self.capacity -> self.n_tuples < self.capacity
    a full buffer is compacted only when half empty (hidden: only the use of the buffer changes)
        insert: 4 * self.n_tuples <= 3 * self.capacity -> 2 * self.n_tuples <= self.capacity
    a full buffer is always doubled (hidden: only the use of the buffer changes)
        insert: if 4 * self.n_tuples <= 3 * self.capacity: -> if False:
    a full buffer is never doubled
        insert: self.resize(2 * self.capacity) -> self.compact()
    a full buffer is made four times as large (hidden: only the use of the buffer changes)
        insert: self.resize(2 * self.capacity) -> self.resize(4 * self.capacity)
    the buffer shrinks below a half (hidden: only the cost changes)
        evict: 4 * self.n_tuples < self.capacity -> 2 * self.n_tuples < self.capacity
    the buffer shrinks at a quarter, not below it (hidden: only the time of the cost changes)
        evict: 4 * self.n_tuples < self.capacity -> 4 * self.n_tuples <= self.capacity
    the buffer shrinks below an eighth (hidden: only the use of the buffer changes)
        evict: 4 * self.n_tuples < self.capacity -> 8 * self.n_tuples < self.capacity
    the buffer shrinks to a quarter (hidden: only the use of the buffer changes)
        evict: self.resize(self.capacity // 2) -> self.resize(max(1, self.capacity // 4))
    the buffer never shrinks (hidden: only the use of the buffer changes)
        evict: and self.capacity > 1: -> and False:
    the buffer shrinks to nothing
        evict:  and self.capacity > 1: -> :
    the buffer is full when n_tuples = n_capacity
        is_full: self.n_tuples > 0 and self.after(self.B) == self.F -> self.n_tuples == self.capacity

    # How to answer
    an inverted buffer is read in slot order
        query: if self.is_inverted(): -> if False:
    prefix comes before suffix
        query: self.fat.suffix(self.F), self.fat.prefix(self.B) -> self.fat.prefix(self.B), self.fat.suffix(self.F)
    a buffer of one element counts as inverted
        is_inverted: self.B < self.F -> self.B <= self.F
    every buffer is split at the front
        is_inverted: self.B < self.F -> self.F > 1
    an empty window is answered ⊥
        query: self.monoid.identity if answer is BOTTOM else answer -> answer
    query does not apply what is pending
        query: self.apply_pending() -> pass
    what is pending is applied again each time (hidden: only the cost changes)
        apply_pending: self.pending.clear() -> pass
    each change is an update of its own (hidden: only the cost changes)
        apply_pending: self.fat.update(list(self.pending.items()))
         -> [self.fat.update([c]) for c in self.pending.items()]
    insert updates FlatFAT at once (hidden: only the cost changes)
        insert: return ticket -> self.apply_pending()\n    return ticket

    # Slots, holes and tickets
    an emptied slot is not marked ⊥
        clear: self.pending[slot] = BOTTOM -> pass
    a slot's ticket outlives its element
        clear:     self.tickets[slot] = None\n ->
    a ticket outlives its element in the map
        clear: del self.slot_of[ticket] -> pass
    """
)
IN_VAIN: Final = (
    combine_in_vain("insert", "self.B = self.after(self.B)"),
    combine_in_vain("evict", "self.n_tuples -= 1"),
    combine_in_vain("query", "self.apply_pending()"),
)
WRONG.share(*IN_VAIN)
COMPACTS_BELOW_3_4: Final = wrong(
    "a full buffer is compacted below three quarters, not at them",
    ("insert", "4 * self.n_tuples <= 3 * self.capacity", "4 * self.n_tuples < 3 * self.capacity"),
    hidden="the bounds hold all the same",
)
"""No mistake: it keeps every clause and the account, too."""
WRONG.add(
    "the front is not moved over holes",
    (
        "skip_holes",
        "    while self.n_tuples and self.tickets[self.F] is None:  # [ours: reading RA-8]\n"
        "        self.F = self.after(self.F)\n",
        "",
    ),
)
WRONG.read(
    """
    the front is moved over one hole at most
        skip_holes: while self.n_tuples and self.tickets[self.F] is None:
         -> if self.n_tuples and self.tickets[self.F] is None:
    """
)
WRONG.add(
    "the back is not moved over holes",
    (
        "skip_holes",
        "    while self.n_tuples and self.tickets[self.B] is None:\n        self.B = self.before(self.B)\n",
        "",
    ),
    hidden="a hole at the back costs a slot only",
)
WRONG.read(
    r"""
    insert counts an element twice
        insert: self.n_tuples += 1 -> self.n_tuples += 2
    a full buffer is moved twice (hidden: only the cost changes)
        insert: self.resize(2 * self.capacity) -> self.resize(2 * self.capacity); self.resize(self.capacity)
    insert answers the next ticket
        insert: return ticket -> return ticket + 1
    resize leaves the capacity as it was
        resize: self.make_room(capacity, -> self.make_room(self.capacity,
    an emptied buffer is moved three times (hidden: only the cost changes)
        evict: self.resize(self.capacity // 2)
         -> self.resize(self.capacity // 2); self.resize(2 * self.capacity); self.resize(self.capacity // 2)
    there is room for more tickets than elements (hidden: only the space changes)
        make_room: = Array(capacity) -> = Array(2 * capacity)
    evict takes the oldest, whatever is asked for
        evict: self.F if ticket is None else self.slot_of[ticket] -> self.F
    evict takes the newest as the oldest
        evict: slot = self.F if -> slot = self.B if
    the buffer wraps a slot late
        after: slot == self.capacity -> slot > self.capacity
    evict does not look whether the window is empty
        evict: if self.n_tuples == 0: -> if False:
    evict does not look whether the ticket is in the window (hidden: only bad input is treated otherwise)
        evict: if ticket is not None and ticket not in self.slot_of: -> if False:

    # Compact and resize
    # By another reading (RA-1), front and back brought along.
    compact goes by the order of the leaves
        compact: to = self.F -> to = 1
        compact: for slot in self.slots():
         -> for slot in [i for i in range(1, self.capacity + 1) if self.tickets[i] is not None]:
        compact:     self.B = self.before(to)
         ->     self.F = self.slot_of[min(self.slot_of)]\n    self.B = self.slot_of[max(self.slot_of)]
    compact leaves the ticket map as it was
        compact: self.write(to, v, ticket)
         -> self.slot_of[ticket] = slot; self.pending[to] = v; self.tickets[to] = ticket
    compact leaves the element where it was, too
        compact: self.clear(slot) -> self.tickets[slot] = None
    compact does not bring the back along
        compact: self.B = self.before(to) -> pass
    compact leaves the inner nodes as they were
        compact:     self.apply_pending() ->     self.pending.clear()
    compact writes the leaves alone
        compact:     self.apply_pending()
         ->     for i in self.pending:\n        self.fat.T[self.fat.leaf(i)] = self.pending[i]\n    self.pending.clear()
    compact reverses the window
        compact: for slot in self.slots(): -> for slot in list(self.slots())[::-1]:
        compact: if slot != to: -> if slot != to and self.tickets[to] is None:
    # By another reading (RA-2).
    resize goes by the order of the leaves
        resize: list(self.slots()) -> [i for i in range(1, self.capacity + 1) if self.tickets[i] is not None]
    resize copies stale values
        resize: [self.value(slot) for slot in slots] -> [self.fat.a(slot) for slot in slots]
    resize puts the back at the end of the buffer
        make_room: self.B = len(values) if values else capacity -> self.B = capacity
    resize forgets the ticket map
        make_room:         self.slot_of[ticket] = slot\n ->         pass\n
    compact updates FlatFAT for each element (hidden: only the number of combine calls changes)
        compact:         to = self.after(to) ->         to = self.after(to)\n        self.apply_pending()
    resize writes the new tree twice (hidden: only the number of combine calls changes)
        resize: for slot in slots], tickets)
         -> for slot in slots], tickets)\n    self.fat.update([(i, self.fat.a(i)) for i in range(1, capacity + 1)])
    resize loses the newest
        resize: for slot in slots] -> for slot in slots[: max(1, len(slots) - 1)]]
    """
)
INSERT_SKIPS: Final = wrong(
    "insert leaves a slot free where it can",
    (
        "insert",
        "self.B = self.after(self.B)",
        "self.B = self.after(self.B)\n"
        "    if self.n_tuples == 1 and self.capacity == 4 and self.after(self.B) != self.F:\n"
        "        self.B = self.after(self.B)",
    ),
    hidden="a hole costs a slot only",
)
TREE_KEPT: Final = wrong(
    "the tree before a resize is kept",
    ("make_room", "    unfilled =", "    self.before = getattr(self, 'fat', None)\n    unfilled ="),
)
CHANGES_KEPT: Final = wrong(
    "which slots have changed is kept",
    (
        "apply_pending",
        "    self.pending.clear()",
        "    self.kept = [*getattr(self, 'kept', ()), len(self.pending)]\n    self.pending.clear()",
    ),
)
TICKETS_RUN_OUT: Final = wrong(
    "a ticket above a million is not looked at",
    ("evict", "self.F if ticket is None else", "self.F if ticket is None or ticket > 10**6 else"),
)
LOOKS_AT_VALUES: Final = wrong(
    "a falsy answer is the identity",
    ("query", "if answer is BOTTOM", "if answer is BOTTOM or not answer"),
)


# For FIFO


WRONG_FIFO: Final = WrongVariants(REACTIVE_AGGREGATOR_FIFO)
WRONG_FIFO.read(
    r"""
    occupied and unoccupied areas are exchanged
        Fat/is_occupied: return not self.back < v < self.front -> return self.back < v < self.front
    an inverted buffer is taken for a normal one
        Fat/is_occupied: if self.inverted: -> if False:
    the back's path counts as unoccupied
        Fat/is_occupied: self.front <= v <= self.back -> self.front <= v < self.back
    insert leaves a slot free
        insert: self.B = self.after(self.B) -> self.B = self.after(self.after(self.B))
    the tree has a node too many (hidden: only the space changes)
        Fat/__init__: Array(2 * n - 1) -> Array(2 * n)
    every node counts as occupied
        Fat/is_occupied: if self.inverted: -> if True:\n        return True\n    if self.inverted:
    the paths of front and back stay below
        Fat/rewrite: self.front, self.back = self.parent(self.front), self.parent(self.back) -> pass
    rewrite swaps the operands
        Fat/rewrite: combine(self.T[x], self.T[y]) -> combine(self.T[y], self.T[x])
    a right child on its own is left out
        Fat/rewrite: elif self.is_occupied(y): -> elif False:
    what was freed is not rewritten
        Fat/slide: [*freed, *[loc for loc, _ in changes]] -> [loc for loc, _ in changes]
    query does not look whether the window is empty
        query: if self.n_tuples == 0: -> if False:
    an inverted buffer is read in slot order
        query: if self.B < self.F: -> if False:
    """
)
WRONG_FIFO.share(*IN_VAIN, WRONG.get("prefix comes before suffix"))
WRONG_FIFO.read(
    """
    what was freed is rewritten each time (hidden: only the cost changes)
        apply_pending: self.freed.clear() -> pass
    resize goes by the order of the leaves
        resize: for slot in self.slots() -> for slot in sorted(self.slots())
    resize copies stale values
        resize: self.value(slot) -> self.fat.a(slot)
    a full buffer is never doubled
        insert: if self.n_tuples == self.capacity: -> if False:
    """
)
WRONG_FIFO.share(
    *WRONG.pick(
        "insert counts an element twice",
        "a full buffer is moved twice",
        "an emptied buffer is moved three times",
        "a full buffer is made four times as large",
        "the buffer shrinks below a half",
        "the buffer shrinks at a quarter, not below it",
        "the buffer shrinks to a quarter",
        "the buffer never shrinks",
        "the buffer shrinks to nothing",
        "evict does not look whether the window is empty",
        "the buffer wraps a slot late",
        "resize leaves the capacity as it was",
    )
)
WRONG_FIFO.read(
    r"""
    resize writes the new tree twice (hidden: only the number of combine calls changes)
        resize: for slot in self.slots()])
         -> for slot in self.slots()])\n    self.fat.slide([(i, self.fat.a(i)) for i in self.slots()], set(), 1, self.B)
    resize loses the newest
        resize: for slot in self.slots()] -> for slot in [*self.slots()][: max(1, self.n_tuples - 1)]]
    """
)
FIFO_TREE_KEPT: Final = wrong(
    "the tree before a resize is kept",
    ("make_room", "    self.fat:", "    self.before = getattr(self, 'fat', None)\n    self.fat:"),
)


# Base intervals

WRONG_B_INT: Final = WrongVariants(BASE_INTERVALS)
WRONG_B_INT.share(combine_in_vain("insert", "self.levels[0].push_back(v)"), combine_in_vain("evict", "self.front += 1"))
WRONG_B_INT.read(
    r"""
    evict counts an element twice
        evict: self.front += 1 -> self.front += 2
    evict combines in vain every other time (hidden: only the number of combine calls changes)
        evict:     self.front += 1
         ->     e = self.monoid.identity\n    _ = self.front % 2 and self.monoid.combine(e, e)\n    self.front += 1
    insert combines in vain where it makes no pair (hidden: only the number of combine calls changes)
        insert: self.back += 1
         -> self.back += 1\n    _ = self.back % 2 and self.back > self.front + 2 and self.monoid.combine(v, v)
    insert keeps an element twice
        insert: self.levels[0].push_back(v) -> self.levels[0].push_back(v); self.levels[0].push_back(v)
    insert swaps the halves
        insert: halves[halves.end() - 2], halves[halves.end() - 1] -> halves[halves.end() - 1], halves[halves.end() - 2]
    insert aligns intervals by their ends only
        insert:  and self.back - length >= self.front ->
    a new level is the first one again
        insert: self.levels.append(ChunkedDeque()) -> self.levels.append(self.levels[0])
    a pointer is counted by twos
        insert: halves[halves.end() - 2] -> halves[2 * halves.end() - halves.end() - 2]
    insert stops at pairs (hidden: only the cost changes)
        insert: while self.back % length == 0 -> while level == 0 and self.back % length == 0
    evict drops the element alone
        evict: while level < len(self.levels) and -> while level < 1 and
    evict drops an interval of each level
        evict:  and self.front % length == 0 ->
    query puts newer intervals first
        query: combine(answer, self.interval(at, level, length)) -> combine(self.interval(at, level, length), answer)
    the split reaches beyond the window
        longest: at + 2 * length <= self.back -> at + length < self.back
    the split takes elements only (hidden: only the cost changes)
        longest: while at % (2 * length) == 0 -> while False and at % 2 == 0
    intervals are counted from one too early
        interval: -(-self.front // length) -> self.front // length
    evict keeps levels without intervals (hidden: only the space changes)
        evict: while len(self.levels) > 1 and -> while False and
    evict does not look whether the window is empty
        evict: if self.front == self.back: -> if False:
    """
)
