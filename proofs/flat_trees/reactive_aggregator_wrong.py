"""The wrong variants of the Reactive Aggregator, of its form for FIFO and of base intervals, one mistake each."""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO

# When to compact and to resize

WRONG: Final = WrongVariants(REACTIVE_AGGREGATOR)
"""Each is refuted by the explorer and by a contract; the hidden ones show in no answer to a fair question."""

COMPACTS_AT_ANY_HOLE: Final = WRONG.add(
    "a full buffer is compacted for a single hole",
    ("insert", "4 * self.n_tuples <= 3 * self.capacity", "self.n_tuples < self.capacity"),
    hidden="only the cost changes",
)
COMPACTS_BELOW_HALF: Final = WRONG.add(
    "a full buffer is compacted only when half empty",
    ("insert", "4 * self.n_tuples <= 3 * self.capacity", "2 * self.n_tuples <= self.capacity"),
    hidden="only the use of the buffer changes",
)
NEVER_COMPACTS: Final = WRONG.add(
    "a full buffer is always doubled",
    ("insert", "if 4 * self.n_tuples <= 3 * self.capacity:", "if False:"),
    hidden="only the use of the buffer changes",
)
COMPACTS_BELOW_3_4: Final = wrong(
    "a full buffer is compacted below three quarters, not at them",
    ("insert", "4 * self.n_tuples <= 3 * self.capacity", "4 * self.n_tuples < 3 * self.capacity"),
    hidden="the bounds hold all the same",
)
"""No mistake: it keeps every clause and the account, too."""
NEVER_DOUBLES: Final = WRONG.add(
    "a full buffer is never doubled", ("insert", "self.resize(2 * self.capacity)", "self.compact()")
)
QUADRUPLES: Final = WRONG.add(
    "a full buffer is made four times as large",
    ("insert", "self.resize(2 * self.capacity)", "self.resize(4 * self.capacity)"),
    hidden="only the use of the buffer changes",
)
SHRINKS_AT_HALF: Final = WRONG.add(
    "the buffer shrinks below a half",
    ("evict", "4 * self.n_tuples < self.capacity", "2 * self.n_tuples < self.capacity"),
    hidden="only the cost changes",
)
SHRINKS_AT_QUARTER: Final = WRONG.add(
    "the buffer shrinks at a quarter, not below it",
    ("evict", "4 * self.n_tuples < self.capacity", "4 * self.n_tuples <= self.capacity"),
    hidden="only the time of the cost changes",
)
SHRINKS_AT_EIGHTH: Final = WRONG.add(
    "the buffer shrinks below an eighth",
    ("evict", "4 * self.n_tuples < self.capacity", "8 * self.n_tuples < self.capacity"),
    hidden="only the use of the buffer changes",
)
SHRINKS_TO_QUARTER: Final = WRONG.add(
    "the buffer shrinks to a quarter",
    ("evict", "self.resize(self.capacity // 2)", "self.resize(max(1, self.capacity // 4))"),
    hidden="only the use of the buffer changes",
)
NEVER_SHRINKS: Final = WRONG.add(
    "the buffer never shrinks",
    ("evict", "and self.capacity > 1:", "and False:"),
    hidden="only the use of the buffer changes",
)
SHRINKS_TO_NOTHING: Final = WRONG.add("the buffer shrinks to nothing", ("evict", " and self.capacity > 1:", ":"))
FULL_BY_COUNT: Final = WRONG.add(
    "the buffer is full when n_tuples = n_capacity",
    ("is_full", "self.n_tuples > 0 and self.after(self.B) == self.F", "self.n_tuples == self.capacity"),
)

# How to answer

INVERSION_IGNORED: Final = WRONG.add(
    "an inverted buffer is read in slot order", ("query", "if self.is_inverted():", "if False:")
)
QUERY_SWAPPED: Final = WRONG.add(
    "prefix comes before suffix",
    ("query", "self.fat.suffix(self.F), self.fat.prefix(self.B)", "self.fat.prefix(self.B), self.fat.suffix(self.F)"),
)
INVERTED_AT_ONE: Final = WRONG.add(
    "a buffer of one element counts as inverted", ("is_inverted", "self.B < self.F", "self.B <= self.F")
)
ALWAYS_SPLIT: Final = WRONG.add(
    "every buffer is split at the front",
    ("is_inverted", "self.B < self.F", "self.F > 1"),
)
ANSWERS_BOTTOM: Final = WRONG.add(
    "an empty window is answered ⊥", ("query", "self.monoid.identity if answer is BOTTOM else answer", "answer")
)
QUERIES_STALE: Final = WRONG.add("query does not apply what is pending", ("query", "self.apply_pending()", "pass"))
KEEPS_PENDING: Final = WRONG.add(
    "what is pending is applied again each time",
    ("apply_pending", "self.pending.clear()", "pass"),
    hidden="only the cost changes",
)
ONE_BY_ONE: Final = WRONG.add(
    "each change is an update of its own",
    (
        "apply_pending",
        "self.fat.update(list(self.pending.items()))",
        "[self.fat.update([c]) for c in self.pending.items()]",
    ),
    hidden="only the cost changes",
)
UPDATES_AT_ONCE: Final = WRONG.add(
    "insert updates FlatFAT at once",
    ("insert", "return ticket", "self.apply_pending()\n    return ticket"),
    hidden="only the cost changes",
)

# Slots, holes and tickets

HOLE_UNMARKED: Final = WRONG.add("an emptied slot is not marked ⊥", ("clear", "self.pending[slot] = BOTTOM", "pass"))
TICKET_KEPT: Final = WRONG.add("a slot's ticket outlives its element", ("clear", "    self.tickets[slot] = None\n", ""))
MAP_KEPT: Final = WRONG.add("a ticket outlives its element in the map", ("clear", "del self.slot_of[ticket]", "pass"))
FRONT_STAYS: Final = WRONG.add(
    "the front is not moved over holes",
    (
        "skip_holes",
        "    while self.n_tuples and self.tickets[self.F] is None:  # [ours: erratum RA-8]\n"
        "        self.F = self.after(self.F)\n",
        "",
    ),
)
FRONT_ONE: Final = WRONG.add(
    "the front is moved over one hole at most",
    (
        "skip_holes",
        "while self.n_tuples and self.tickets[self.F] is None:",
        "if self.n_tuples and self.tickets[self.F] is None:",
    ),
)
BACK_STAYS: Final = WRONG.add(
    "the back is not moved over holes",
    (
        "skip_holes",
        "    while self.n_tuples and self.tickets[self.B] is None:\n        self.B = self.before(self.B)\n",
        "",
    ),
    hidden="a hole at the back costs a slot only",
)
EVICTS_OLDEST: Final = WRONG.add(
    "evict takes the oldest, whatever is asked for",
    ("evict", "self.F if ticket is None else self.slot_of[ticket]", "self.F"),
)
EVICTS_NEWEST: Final = WRONG.add(
    "evict takes the newest as the oldest", ("evict", "slot = self.F if", "slot = self.B if")
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
WRAPS_LATE: Final = WRONG.add(
    "the buffer wraps a slot late", ("after", "slot == self.capacity", "slot > self.capacity")
)
BLIND_EVICT: Final = WRONG.add(
    "evict does not look whether the window is empty", ("evict", "if self.n_tuples == 0:", "if False:")
)
BLIND_TICKET: Final = WRONG.add(
    "evict does not look whether the ticket is in the window",
    ("evict", "if ticket is not None and ticket not in self.slot_of:", "if False:"),
    hidden="only bad input is treated otherwise",
)

# Compact and resize

COMPACTS_LEAVES: Final = WRONG.add(
    "compact goes by the order of the leaves",
    ("compact", "to = self.F", "to = 1"),
    (
        "compact",
        "for slot in self.slots():",
        "for slot in [i for i in range(1, self.capacity + 1) if self.tickets[i] is not None]:",
    ),
    (
        "compact",
        "    self.B = self.before(to)",
        "    self.F = self.slot_of[min(self.slot_of)]\n    self.B = self.slot_of[max(self.slot_of)]",
    ),
)
"""As printed (erratum RA-1), front and back brought along."""
COMPACT_FORGETS_MAP: Final = WRONG.add(
    "compact leaves the ticket map as it was",
    (
        "compact",
        "self.write(to, v, ticket)",
        "self.slot_of[ticket] = slot; self.pending[to] = v; self.tickets[to] = ticket",
    ),
)
COMPACT_LEAVES_COPY: Final = WRONG.add(
    "compact leaves the element where it was, too",
    ("compact", "self.clear(slot)", "self.tickets[slot] = None"),
)
COMPACT_KEEPS_BACK: Final = WRONG.add(
    "compact does not bring the back along", ("compact", "self.B = self.before(to)", "pass")
)
COMPACT_MISSES_TREE: Final = WRONG.add(
    "compact leaves the inner nodes as they were",
    ("compact", "    self.apply_pending()", "    self.pending.clear()"),
)
COMPACT_REVERSES: Final = WRONG.add(
    "compact reverses the window",
    ("compact", "for slot in self.slots():", "for slot in list(self.slots())[::-1]:"),
    ("compact", "if slot != to:", "if slot != to and self.tickets[to] is None:"),
)
RESIZES_LEAVES: Final = WRONG.add(
    "resize goes by the order of the leaves",
    ("resize", "list(self.slots())", "[i for i in range(1, self.capacity + 1) if self.tickets[i] is not None]"),
)
"""As printed, read literally (erratum RA-2)."""
RESIZE_COPIES_HOLES: Final = WRONG.add(
    "resize copies stale values",
    ("resize", "[self.value(slot) for slot in slots]", "[self.fat.a(slot) for slot in slots]"),
)
RESIZE_FORGETS_BACK: Final = WRONG.add(
    "resize puts the back at the end of the buffer",
    ("make_room", "self.B = len(values) if values else capacity", "self.B = capacity"),
)
RESIZE_FORGETS_MAP: Final = WRONG.add(
    "resize forgets the ticket map", ("make_room", "        self.slot_of[ticket] = slot\n", "        pass\n")
)
RESIZE_LOSES_NEWEST: Final = WRONG.add(
    "resize loses the newest", ("resize", "for slot in slots]", "for slot in slots[: max(1, len(slots) - 1)]]")
)


# For FIFO


WRONG_FIFO: Final = WrongVariants(REACTIVE_AGGREGATOR_FIFO)
wrong_fat: Final = partial(WRONG_FIFO.add, part="Fat")
"""Mistakes in the FlatFAT that the algorithm keeps, not in the algorithm itself."""

FIFO_SIDES: Final = wrong_fat(
    "occupied and unoccupied areas are exchanged",
    ("is_occupied", "return not self.back < v < self.front", "return self.back < v < self.front"),
)
FIFO_NORMAL_ONLY: Final = wrong_fat(
    "an inverted buffer is taken for a normal one", ("is_occupied", "if self.inverted:", "if False:")
)
FIFO_BACK_OUT: Final = wrong_fat(
    "the back's path counts as unoccupied",
    ("is_occupied", "self.front <= v <= self.back", "self.front <= v < self.back"),
)
FIFO_WIDE: Final = wrong_fat(
    "every node counts as occupied",
    ("is_occupied", "if self.inverted:", "if True:\n        return True\n    if self.inverted:"),
)
FIFO_PATHS_STAY: Final = wrong_fat(
    "the paths of front and back stay below",
    ("rewrite", "self.front, self.back = self.parent(self.front), self.parent(self.back)", "pass"),
)
FIFO_SWAPPED: Final = wrong_fat(
    "rewrite swaps the operands", ("rewrite", "combine(self.T[x], self.T[y])", "combine(self.T[y], self.T[x])")
)
FIFO_SKIPS_RIGHT: Final = wrong_fat(
    "a right child on its own is left out", ("rewrite", "elif self.is_occupied(y):", "elif False:")
)
FIFO_FREED_FORGOTTEN: Final = wrong_fat(
    "what was freed is not rewritten",
    ("slide", "[*freed, *[loc for loc, _ in changes]]", "[loc for loc, _ in changes]"),
)
FIFO_EMPTY_READ: Final = WRONG_FIFO.add(
    "query does not look whether the window is empty", ("query", "if self.n_tuples == 0:", "if False:")
)
FIFO_INVERSION_IGNORED: Final = WRONG_FIFO.add(
    "an inverted buffer is read in slot order", ("query", "if self.B < self.F:", "if False:")
)
WRONG_FIFO.share(QUERY_SWAPPED)
FIFO_KEEPS_FREED: Final = WRONG_FIFO.add(
    "what was freed is rewritten each time",
    ("apply_pending", "self.freed.clear()", "pass"),
    hidden="only the cost changes",
)
FIFO_RESIZES_LEAVES: Final = WRONG_FIFO.add(
    "resize goes by the order of the leaves",
    ("resize", "for slot in self.slots()", "for slot in sorted(self.slots())"),
)
FIFO_RESIZE_COPIES_STALE: Final = WRONG_FIFO.add(
    "resize copies stale values", ("resize", "self.value(slot)", "self.fat.a(slot)")
)
FIFO_NEVER_DOUBLES: Final = WRONG_FIFO.add(
    "a full buffer is never doubled", ("insert", "if self.n_tuples == self.capacity:", "if False:")
)
WRONG_FIFO.share(
    QUADRUPLES,
    SHRINKS_AT_HALF,
    SHRINKS_AT_QUARTER,
    SHRINKS_TO_QUARTER,
    NEVER_SHRINKS,
    SHRINKS_TO_NOTHING,
    BLIND_EVICT,
    WRAPS_LATE,
)


# Base intervals

WRONG_B_INT: Final = WrongVariants(BASE_INTERVALS)

B_INT_SWAPPED: Final = WRONG_B_INT.add(
    "insert swaps the halves",
    (
        "insert",
        "halves[halves.end() - 2], halves[halves.end() - 1]",
        "halves[halves.end() - 1], halves[halves.end() - 2]",
    ),
)
B_INT_UNALIGNED: Final = WRONG_B_INT.add(
    "insert aligns intervals by their ends only", ("insert", " and self.back - length >= self.front", "")
)
B_INT_ONE_LEVEL: Final = WRONG_B_INT.add(
    "insert stops at pairs",
    ("insert", "while self.back % length == 0", "while level == 0 and self.back % length == 0"),
    hidden="only the cost changes",
)
B_INT_KEEPS: Final = WRONG_B_INT.add(
    "evict drops the element alone", ("evict", "while level < len(self.levels) and", "while level < 1 and")
)
B_INT_DROPS: Final = WRONG_B_INT.add(
    "evict drops an interval of each level", ("evict", " and self.front % length == 0", "")
)
B_INT_QUERY_SWAPPED: Final = WRONG_B_INT.add(
    "query puts newer intervals first",
    ("query", "combine(answer, self.interval(at, level, length))", "combine(self.interval(at, level, length), answer)"),
)
B_INT_GREEDY: Final = WRONG_B_INT.add(
    "the split reaches beyond the window", ("longest", "at + 2 * length <= self.back", "at + length < self.back")
)
B_INT_SINGLE: Final = WRONG_B_INT.add(
    "the split takes elements only",
    ("longest", "while at % (2 * length) == 0", "while False and at % 2 == 0"),
    hidden="only the cost changes",
)
B_INT_FLOOR: Final = WRONG_B_INT.add(
    "intervals are counted from one too early", ("interval", "-(-self.front // length)", "self.front // length")
)
B_INT_KEEPS_LEVELS: Final = WRONG_B_INT.add(
    "evict keeps levels without intervals",
    ("evict", "while len(self.levels) > 1 and", "while False and"),
    hidden="only the space changes",
)
B_INT_BLIND: Final = WRONG_B_INT.add(
    "evict does not look whether the window is empty", ("evict", "if self.front == self.back:", "if False:")
)
