"""The Reactive Aggregator at any one slot: its invariant for every capacity, and the invariants of its loops.

Source: *General Incremental Sliding-Window Aggregation* (2015), sections 5.1 and 5.2; the invariants are ours.  They
state for one slot or ticket what the clauses of the Reactive Aggregator state for all.

Conventions: those of the Reactive Aggregator, and for a state s: `around(x, y)` is the number of slots from x to y,
`rank(slot)` the number of elements in the slots from the front up to, but not including, this one, and `model.place(t)`
the place in the window of the element with ticket t, or -1 if there is none.  For FIFO's tree, `occupied(i)` says that
place i was from front to back when the tree was last written.  `listed` is the partial result of a comprehension
without a name; the variables of its generator `slots` are named `slots_...`.
"""

from typing import Any

from swagproof.contracts.clause import EverySlot, Everywhere, Loop, size
from swagproof.contracts.flat_trees.reactive_aggregator import batch, count, fits, utilisation
from swagproof.contracts.flat_trees.reactive_aggregator_fifo import boundaries, offset, window_order
from swagproof.models.containers.bottom import BOTTOM


@Everywhere
def only_slots(s: Any, i: int) -> bool:
    """each pending key is a slot"""
    return i not in s.pending or bool(1 <= i <= s.capacity)


def one_a_turn(s: Any, listed: Any, done: int) -> bool:
    """the list has one item for each turn"""
    return bool(size(listed) == done)


@Everywhere
def values_in_order(s: Any, j: int, listed: Any, done: int) -> bool:
    """the values so far are v_0 ... v_{done-1}"""
    return not 0 <= j < done or bool(listed[j] == s.model.values[j])


# For FIFO


@EverySlot
def noted(s: Any, slot: Any) -> bool:
    """a slot taken since the tree was written is pending, and a slot left since then is freed"""
    if offset(s, slot) < s.n_tuples:
        return slot in s.pending or bool(s.fat.occupied(slot))
    return slot in s.freed or not s.fat.occupied(slot)


@Everywhere
def only_slots_freed(s: Any, i: int) -> bool:
    """each freed place is a slot"""
    return i not in s.freed or bool(1 <= i <= s.capacity)


FIFO = (count, boundaries, window_order, noted, only_slots, only_slots_freed, utilisation)
"""The invariant for FIFO."""


def next_slot(s: Any, slots_slot: Any, done: int) -> bool:
    """the slot is that of v_done, or the front again if all c are done"""
    if done == s.capacity:
        return bool(slots_slot == s.F)
    return bool(1 <= slots_slot <= s.capacity and offset(s, slots_slot) == done)


FIFO_LOOPS = {"resize": (Loop(next_slot, values_in_order, one_a_turn),)}
"""Invariants of the loops for FIFO."""


# In any order


def ticket_in(s: Any, slot: Any) -> Any:
    """the ticket in a slot, -1 if none"""
    ticket = s.tickets[slot]
    return -1 if ticket is None else ticket


def _in_use(s: Any, slot: Any) -> bool:
    """the slot is from front to back"""
    return bool(s.n_tuples > 0) and bool(s.around(s.F, slot) <= s.around(s.F, s.B))


def _hole(s: Any, slot: Any) -> bool:
    """the slot is a hole: no ticket, and ⊥"""
    return bool(ticket_in(s, slot) == -1 and s.value(slot) == BOTTOM)


def _holds(s: Any, slot: Any, i: Any) -> bool:
    """the slot holds v_i and its ticket, which leads to it"""
    if not 0 <= i < s.model.size:
        return False
    ticket = s.model.tickets[i]
    if not (ticket_in(s, slot) == ticket and s.value(slot) == s.model.values[i]):
        return False
    return ticket in s.slot_of and bool(s.slot_of[ticket] == slot)


@EverySlot
def elements(s: Any, slot: Any) -> bool:
    """a slot is a hole, or is in use and holds v_i, with i elements before it"""
    return _hole(s, slot) or (_in_use(s, slot) and _holds(s, slot, s.rank(slot)))


def _next_rank(s: Any, slot: Any) -> bool:
    """after a slot in use, the rank is one more if the slot has an element, and n after the back"""
    if not _in_use(s, slot):
        return True
    rank = s.rank(slot) if ticket_in(s, slot) == -1 else s.rank(slot) + 1
    return bool(rank == (s.n_tuples if slot == s.B else s.rank(1 if slot == s.capacity else slot + 1)))


@EverySlot
def ranks(s: Any, slot: Any) -> bool:
    """the rank is 0 at the front, one more after an element, and n after the back"""
    return (slot != s.F or s.n_tuples == 0 or bool(s.rank(slot) == 0)) and _next_rank(s, slot)


@Everywhere
def tickets_lead(s: Any, t: int) -> bool:
    """slot_of has the tickets of the window, and each leads to a slot that has it"""
    if t not in s.slot_of:
        return bool(s.model.place(t) == -1)
    slot = s.slot_of[t]
    return bool(0 <= t and s.model.place(t) != -1 and 1 <= slot <= s.capacity and ticket_in(s, slot) == t)


def slots(s: Any) -> bool:
    """there are as many slots as places in the tree"""
    return bool(s.tickets.size == s.capacity)


def ends(s: Any) -> bool:
    """front and back are slots"""
    return bool(1 <= s.F <= s.capacity and 1 <= s.B <= s.capacity)


def sizes(s: Any) -> bool:
    """n_tuples = n, and `arrived` is the number of arrived elements"""
    return bool(s.n_tuples == s.model.size and s.arrived == s.model.arrived)


def front_filled(s: Any) -> bool:
    """the front has an element, if there are any"""
    return s.n_tuples == 0 or bool(ticket_in(s, s.F) != -1)


def back_filled(s: Any) -> bool:
    """the back has an element, if there are any"""
    return s.n_tuples == 0 or bool(ticket_in(s, s.B) != -1)


def empty_ends(s: Any) -> bool:
    """front and back are the first and the last slot if n = 0"""
    return s.n_tuples != 0 or bool(s.F == 1 and s.B == s.capacity)


OBJECT = (sizes, slots, ends, elements, ranks, tickets_lead, only_slots)
"""The clauses that hold wherever a method with a contract is called; front and back may be holes."""

ANY_ORDER = (*OBJECT, front_filled, back_filled, empty_ends, utilisation, batch)
"""The invariant in any order."""


# Methods that operations call: preconditions and postconditions


def packed(s: Any) -> bool:
    """there are no holes: u = n"""
    return s.n_tuples == 0 or bool(s.around(s.F, s.B) + 1 == s.n_tuples)


def some_left(s: Any) -> bool:
    """there are elements, and holes among the slots in use"""
    return bool(0 < s.n_tuples <= s.around(s.F, s.B))


def _to_back(s: Any) -> Any:
    """slots from front to back"""
    return s.around(s.F, s.B)


# resize


def before_next(s: Any, slots_slot: Any, slots: Any) -> bool:
    """if an element is not listed yet, the current slot is in use, and all elements before it are listed"""
    if not size(slots) < s.n_tuples:
        return True
    return bool(1 <= slots_slot <= s.capacity) and _in_use(s, slots_slot) and bool(s.rank(slots_slot) == size(slots))


@Everywhere
def slots_in_order(s: Any, j: int, slots: Any) -> bool:
    """the slots so far are those of v_0, v_1, ..."""
    if not 0 <= j < size(slots):
        return True
    return bool(1 <= slots[j] <= s.capacity and ticket_in(s, slots[j]) != -1 and s.rank(slots[j]) == j)


def as_many_slots(s: Any, slots: Any, done: int) -> bool:
    """there are as many slots as turns"""
    return bool(size(slots) == done)


def _from_slot(s: Any, slots_slot: Any) -> Any:
    """the slots from this one to the back"""
    return s.around(slots_slot, s.B)


@Everywhere
def tickets_in_order(s: Any, j: int, tickets: Any) -> bool:
    """the tickets so far are those of v_0, v_1, ..."""
    return not 0 <= j < size(tickets) or bool(tickets[j] == s.model.tickets[j])


def as_many_tickets(s: Any, tickets: Any, done: int) -> bool:
    """there are as many tickets as turns"""
    return bool(size(tickets) == done)


# make_room


@EverySlot
def tree_filled(s: Any, slot: Any) -> bool:
    """the first n places of the tree hold v_0 ... v_{n-1}, the others ⊥"""
    return bool(s.fat.a(slot) == (s.model.values[slot - 1] if slot <= s.n_tuples else BOTTOM))


@Everywhere
def nothing_pending(s: Any, i: int) -> bool:
    """nothing is pending"""
    return i not in s.pending


@Everywhere
def no_tickets(s: Any, t: int) -> bool:
    """no ticket leads anywhere"""
    return t not in s.slot_of


@EverySlot
def emptied(s: Any, slot: Any, done: int) -> bool:
    """the slots so far have no ticket"""
    return not slot <= done or bool(ticket_in(s, slot) == -1)


@EverySlot
def ticketed(s: Any, slot: Any, done: int) -> bool:
    """the slots so far have the tickets of v_0, v_1, ..., the others none"""
    return bool(ticket_in(s, slot) == (s.model.tickets[slot - 1] if slot <= done else -1))


@Everywhere
def leading(s: Any, t: int, done: int) -> bool:
    """the tickets so far lead to the first slots, and there are no other tickets"""
    place = s.model.place(t)
    if not 0 <= place < done:
        return t not in s.slot_of
    return t in s.slot_of and bool(s.slot_of[t] == place + 1)


_GIVEN = (tickets_in_order, tree_filled, nothing_pending, batch)


# compact


@EverySlot
def compacted(s: Any, slot: Any, to: Any, slots_slot: Any) -> bool:
    """the first slots hold the first elements; from `to` up to the current slot there are holes"""
    behind, moved = s.around(s.F, slot), s.around(s.F, to)
    if behind < moved:
        return _holds(s, slot, behind)
    if moved < s.n_tuples and not behind < s.around(s.F, slots_slot):
        return _hole(s, slot) or (_in_use(s, slot) and _holds(s, slot, s.rank(slot)))
    return _hole(s, slot)


@EverySlot
def ranks_to_come(s: Any, slot: Any, to: Any, slots_slot: Any) -> bool:
    """from the current slot on, ranks are unchanged"""
    if s.around(s.F, slot) < s.around(s.F, slots_slot) or not s.around(s.F, to) < s.n_tuples:
        return True
    return _next_rank(s, slot)


def target(s: Any, to: Any, done: int) -> bool:
    """`to` is the next slot to be filled"""
    return bool(1 <= to <= s.capacity and s.around(s.F, to) == done)


def next_to_move(s: Any, slots_slot: Any, to: Any) -> bool:
    """if an element is not moved yet, the current slot is in use, not before `to`, and no such element is before it"""
    moved = s.around(s.F, to)
    if not moved < s.n_tuples:
        return True
    there = bool(1 <= slots_slot <= s.capacity) and _in_use(s, slots_slot)
    return there and bool(s.rank(slots_slot) == moved and moved <= s.around(s.F, slots_slot))


LOOPS = {
    "skip_holes": (
        Loop(ends, elements, ranks, variant=_to_back),
        Loop(ends, elements, ranks, front_filled, variant=_to_back),
    ),
    "resize": (
        Loop(before_next, slots_in_order, as_many_slots),
        Loop(before_next, variant=_from_slot),
        Loop(tickets_in_order, as_many_tickets),
        Loop(values_in_order, one_a_turn, tickets_in_order),
    ),
    "make_room": (
        Loop(emptied, no_tickets, *_GIVEN),
        Loop(ticketed, leading, *_GIVEN),
    ),
    "compact": (
        Loop(compacted, ranks_to_come, next_to_move, tickets_lead, only_slots, target),
        Loop(compacted, ranks_to_come, next_to_move, variant=_from_slot),
    ),
}
"""Invariants of the loops in any order."""

METHODS = {
    "resize": ((*OBJECT, fits), (*OBJECT, front_filled, back_filled, empty_ends, packed, batch)),
    "compact": ((*OBJECT, back_filled, some_left), (*OBJECT, front_filled, back_filled, packed, batch)),
    "skip_holes": (OBJECT, (*OBJECT, front_filled, back_filled)),
}
"""For each method, its preconditions and its postconditions."""

FIFO_METHODS = {"resize": ((*FIFO[:-1], fits), FIFO[:-1])}
"""The same for FIFO: all clauses except `utilisation`, which the method does not establish."""
