"""Base intervals (B-Int): contents and cost.

Sources: *General Incremental Sliding-Window Aggregation* (2015), sections 6.2 and 7; *In-Order Sliding-Window
Aggregation in Worst-Case Constant Time* (2021), section 8.1.  Neither states an invariant: these are ours.

Conventions.  Elements are counted 0, 1, 2, ... by arrival; the window holds front .. back - 1, by definition
`model.values`; n is `model.size`.  The intervals of level l begin at multiples of 2^l.
"""

from functools import reduce
from typing import Any

from swagproof.contracts.space import stored_aggregates


def ends(s: Any) -> bool:
    """back - front = n"""
    return bool(s.back - s.front == s.model.size)


def lengths(s: Any) -> bool:
    """level l holds the base intervals of 2^l elements that lie in the window; only level 0 may be empty"""
    for level, held in enumerate(s.levels):
        length = 2**level
        whole = max(0, s.back // length - -(-s.front // length))
        if held.end() - held.begin() != whole or (level and not whole):
            return False
    return not _whole(s, 2 ** len(s.levels))


def _whole(s: Any, length: int) -> bool:
    return bool(s.back // length > -(-s.front // length))


def intervals(s: Any) -> bool:
    """each interval holds the product of its elements"""
    for level, held in enumerate(s.levels):
        length = 2**level
        i = -(-s.front // length) * length - s.front
        for value in held:
            if value != reduce(s.model.monoid.combine, s.model.values[i : i + length]):
                return False
            i += length
    return True


def space(s: Any) -> bool:
    """at most 2n - 1 partial aggregates are stored, n of them the elements; 0 for n = 0 (measured over strings)"""
    kind = type(s.model.monoid.identity)
    if kind is not str and not hasattr(kind, "letters"):
        return True
    return bool(stored_aggregates(s.levels, kind) <= max(0, 2 * s.model.size - 1))


INVARIANT = (ends, lengths, intervals, space)
AT_ONCE = (ends, lengths)


def insert_bound(s: Any) -> int:
    """insert invokes combine at most log2(n + 1) times, for n elements before it"""
    return int(s.model.size + 1).bit_length() - 1


def evict_bound(s: Any) -> int:
    """evict does not invoke combine"""
    return 0


def query_bound(s: Any) -> int:
    """query invokes combine at most 2 log2 n times, not at all for an empty window"""
    return int(s.model.size**2).bit_length() - 1 if s.model.size else 0


# The account


def spent(s: Any) -> int:
    """combine calls so far"""
    return int(s.counting.calls)


def waits(s: Any, level: Any) -> bool:
    """the last interval of a level waits for the second half of the next longer one"""
    length = 2**level
    begin = (s.back // length - 1) * length
    return bool(s.front <= begin) and bool((begin + length) % 2 ** (level + 1) != 0)


def savings(s: Any) -> int:
    """one coin for each interval that waits for the second half of the next longer one"""
    return sum(waits(s, level) for level in range(len(s.levels)))


def insert_paid(calls: int, before: int, after: int) -> bool:
    """Each insert is billed one coin: calls + savings' - savings <= 1"""
    return calls + after - before <= 1


def evict_paid(calls: int, before: int, after: int) -> bool:
    """Each evict is billed nothing: calls + savings' - savings <= 0"""
    return calls + after - before <= 0
