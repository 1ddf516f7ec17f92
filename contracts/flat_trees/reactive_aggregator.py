"""Reactive Aggregator: its invariants, cost and savings.

Source: *General Incremental Sliding-Window Aggregation* (2015), sections 2.3, 5 and 5.1.

Conventions.  c is the capacity, n the number of elements, u the used slots: from front to back, holes included.  The
window by definition is `model`: its i-th element has the ticket `model.tickets[i]` and the value `model.values[i]`.
The account is in coins: a resize costs as many as its new capacity, a compact as many as the capacity; either is more
than the nodes that it writes, and so than the combine calls that it makes.
"""

from typing import Any

from swagproof.contracts.clause import size
from swagproof.contracts.flat_trees.flat_fat import height, update_bound
from swagproof.models.containers.bottom import BOTTOM

INSERT_COINS = 4
EVICT_COINS = 2


def used(s: Any) -> int:
    """u, the slots from front to back; 0 when the window is empty"""
    if not s.n_tuples:
        return 0
    slots: int = s.B - s.F + 1
    return slots if s.F <= s.B else slots + s.capacity


# The invariant


def capacity(s: Any) -> bool:
    """c is a power of two, and there are c slots"""
    c = s.capacity
    return bool(c == 2 ** height(c) and s.tickets.size == c and s.fat.T.size == 2 * c - 1)


def count(s: Any) -> bool:
    """n_tuples = n"""
    return bool(s.n_tuples == s.model.size)


def boundaries(s: Any) -> bool:
    """front and back are the slots of the oldest and of the newest element; the first and the last slot if n = 0"""
    if not s.model.size:
        return bool((s.F, s.B) == (1, s.capacity))
    return bool(s.tickets[s.F] == s.model.tickets[0] and s.tickets[s.B] == s.model.tickets[-1])


def window_order(s: Any) -> bool:
    """the slots from front to back, without the holes, are v_0 ... v_{n-1}"""
    found: list[tuple[Any, Any]] = []
    slot = s.F
    for _ in range(used(s)):
        if s.tickets[slot] is not None:
            found.append((s.tickets[slot], s.value(slot)))
        slot = s.after(slot)
    return found == list(zip(s.model.tickets, s.model.values, strict=True))


def holes(s: Any) -> bool:
    """every other slot is ⊥"""
    taken = [slot for slot in range(1, s.capacity + 1) if s.tickets[slot] is not None]
    return len(taken) == s.model.size and all(
        (s.value(slot) is BOTTOM) == (s.tickets[slot] is None) for slot in range(1, s.capacity + 1)
    )


def ticket_map(s: Any) -> bool:
    """slot_of maps each ticket of the window to its slot"""
    return sorted(s.slot_of) == s.model.tickets and all(s.tickets[slot] == t for t, slot in s.slot_of.items())


def tree(s: Any) -> bool:
    """equation 4.1 over ⊕ with ⊥: for v in 1 .. c-1: T(v) = T(left(v)) ⊕ T(right(v))"""
    T, combine = s.fat.T, s.model.monoid.combine
    for v in range(1, s.capacity):
        x, y = T[2 * v], T[2 * v + 1]
        if T[v] != (x if y is BOTTOM else y if x is BOTTOM else combine(x, y)):
            return False
    return True


def utilisation(s: Any) -> bool:
    """n >= c / 4, or c = 2 and n = 0, or c is no larger than it began"""
    return bool(4 * s.model.size >= s.capacity or (s.capacity == 2 and not s.model.size) or s.capacity <= s.start)


def batch(s: Any) -> bool:
    """at most as many changes are pending as events came since the window fired"""
    return bool(size(s.pending) <= s.events)


INVARIANT = (capacity, count, boundaries, window_order, holes, ticket_map, tree, utilisation, batch)
AT_ONCE = (capacity, count, boundaries, utilisation, batch)


# The circular buffer: section 5.1.1, its observations as corrected (erratum RA-3), and section 5.1.2


def full(s: Any, answer: bool) -> bool:
    """the buffer is full if and only if there is no free slot behind the back: u = c"""
    return bool(answer == (used(s) == s.capacity))


def inverted(s: Any, answer: bool) -> bool:
    """the buffer is inverted if and only if B < F: the window is in the slots F .. c, and then in 1 .. B"""
    return bool(answer == (s.B < s.F))


def some_holes(s: Any) -> bool:
    """there are elements, and holes among them: 0 < n < u"""
    return bool(0 < s.n_tuples < used(s))


def fits(s: Any, capacity: Any) -> bool:
    """the capacity is doubled or halved, and holds the elements"""
    return bool(capacity == 2 * s.capacity or 2 * capacity == s.capacity) and bool(s.n_tuples <= capacity)


def resized(s: Any, capacity: int) -> bool:
    """the capacity is the requested one, at least 1"""
    return bool(s.capacity == capacity >= 1)


def no_holes(s: Any) -> bool:
    """(ii) after a resize or compact the buffer has no holes: u = n"""
    return bool(used(s) == s.n_tuples)


def filled(s: Any) -> bool:
    """(i) after a resize 3/8 c <= n <= 1/2 c, where the new capacity is at least 8 and no less than the first one"""
    c, n = s.capacity, s.n_tuples
    return bool(2 * n <= c and (8 * n >= 3 * c or c < 8 or c < s.start))


# Combine calls: the most that an operation may make, from the state that it finds


def insert_bound(s: Any) -> int:
    """0; n - 1 when the capacity is doubled; c - 1 when the buffer is compacted"""
    if used(s) < s.capacity:
        return 0
    return int(s.capacity - 1 if 4 * s.n_tuples <= 3 * s.capacity else s.n_tuples - 1)


def evict_bound(s: Any) -> int:
    """0; n - 2 when the capacity is halved"""
    return max(0, s.n_tuples - 2) if 4 * (s.n_tuples - 1) < s.capacity else 0


def query_bound(s: Any) -> int:
    """the update of pending changes; if inverted, suffix(F), prefix(B) and one to combine them, at most 2 log2 c + 1"""
    answer = (s.capacity - s.F).bit_count() + (s.B - 1).bit_count() + 1 if s.B < s.F else 0
    return update_bound(s.capacity, len(s.pending)) + answer


def compact_calls(c: int, calls: int) -> bool:
    """compact makes less than c calls"""
    return calls < c


# The account: an insert is billed 4 coins, an evict 2, and it opens with one for each slot


def spent(s: Any) -> int:
    """coins that resizes and compacts have cost so far"""
    return int(s.coins)


def savings(s: Any) -> int:
    """4 max(u - c/2, 0) + 2 (max(u, c/2) - n)"""
    c, n, u = s.capacity, s.n_tuples, used(s)
    saved: int = max(0, 4 * u - 2 * c) + max(2 * u, c) - 2 * n
    return saved


def insert_paid(coins: int, before: int, after: int) -> bool:
    """an insert is billed 4: coins spent + savings' - savings <= 4"""
    return coins + after - before <= INSERT_COINS


def evict_paid(coins: int, before: int, after: int) -> bool:
    """an evict is billed 2: coins spent + savings' - savings <= 2"""
    return coins + after - before <= EVICT_COINS


def space_bound(s: Any) -> int:
    """2c - 1 values in the tree, and one for each slot with a change pending"""
    return int(2 * s.capacity - 1 + len(s.pending))


# For exploring


def capacity_after_insert(s: Any) -> int:
    """the capacity after an insert"""
    return int(s.capacity if used(s) < s.capacity or 4 * s.n_tuples <= 3 * s.capacity else 2 * s.capacity)
