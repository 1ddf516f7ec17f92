"""Base intervals (B-Int): what its levels keep, level by level, and what its loops keep of that.

Sources as for `base_intervals`, whose clauses speak of all levels at once; these speak of one level, or one interval.

Conventions.  Elements are counted by arrival; the window holds front .. back - 1, by definition `model`.  The intervals
of level l have 2^l elements and begin at multiples of that; they are numbered, number k begins at k 2^l.  Within an
operation `model` is still the window before it; of insert, `back` counts the new element already.
"""

from typing import Any

from swagproof.contracts.clause import Loop, for_each, for_each_within, size
from swagproof.contracts.flat_trees.base_intervals import evict_paid, insert_paid, savings, waits

__all__ = ["evict_paid", "insert_paid", "savings", "waits"]


def _oldest(level: Any, front: Any) -> Any:
    """The number of the first interval of a level that begins at front or later."""
    return -(-front // 2**level)


def _whole(level: Any, front: Any, back: Any) -> Any:
    """Return how many intervals of a level lie in front .. back - 1; 0 or less for none."""
    return back // 2**level - _oldest(level, front)


def _holds(s: Any, level: Any, front: Any, back: Any) -> bool:
    """A level holds the intervals that lie in front .. back - 1; and some, but for level 0."""
    whole = _whole(level, front, back)
    return bool(s.levels[level].end() - s.levels[level].begin() == whole) and (level == 0 or bool(whole > 0))


def _holds_if_any(s: Any, level: Any, front: Any) -> bool:
    """A level holds the intervals that lie in front .. back - 1, of which there may be none."""
    whole = _whole(level, front, s.back)
    return bool(s.levels[level].end() - s.levels[level].begin() == whole) and bool(whole >= 0)


def _is_product(s: Any, place: tuple[Any, Any], front: Any, oldest: Any) -> bool:
    """An interval of a level that begins at front or later is the product of its elements; `oldest` is model's."""
    level, p = place
    held, length = s.levels[level], 2**level
    i = (_oldest(level, front) + (p - held.begin())) * length - oldest
    return bool(held[p] == s.model.product(i, i + length))


def ends(s: Any) -> bool:
    """back - front = n"""
    return bool(s.back - s.front == s.model.size)


def top(s: Any) -> bool:
    """there is level 0, and no interval for a level above the last"""
    return bool(size(s.levels) >= 1) and bool(_whole(size(s.levels), s.front, s.back) <= 0)


@for_each("levels")
def lengths(s: Any, level: int) -> bool:
    """level l holds the intervals of 2^l elements that lie in the window; only level 0 may hold none"""
    return _holds(s, level, s.front, s.back)


@for_each_within("levels")
def intervals(s: Any, place: tuple[int, Any]) -> bool:
    """each interval holds the product of its elements"""
    return _is_product(s, place, s.front, s.front)


INVARIANT = (ends, top, lengths, intervals)


# insert completes intervals from short to long: those up to `level` are complete.


def next_length(s: Any, level: int, length: int) -> bool:
    """length is that of the intervals above `level`, which is one of the levels"""
    return bool(0 <= level) and bool(level < size(s.levels)) and bool(length == 2 ** (level + 1))


def top_before(s: Any) -> bool:
    """there is no interval for a level above the last, but for one that ends with the new element"""
    return bool(size(s.levels) >= 1) and bool(_whole(size(s.levels), s.front, s.back - 1) <= 0)


@for_each("levels")
def completed_lengths(s: Any, l: int, level: int) -> bool:
    """up to `level` the intervals that end with the new element are held, too"""
    return _holds(s, l, s.front, s.back if l <= level else s.back - 1)


def whole_so_far(s: Any, level: int) -> bool:
    """an interval of length 2^level ends with the new element"""
    return bool(s.back % 2**level == 0) and bool(s.front <= s.back - 2**level)


def one_call_a_level(s: Any, level: int) -> bool:
    """a combine call for each level above 0 so far; n + 1 elements are no fewer than 2^level"""
    return bool(s.calls == level) and bool(2**level <= s.model.size + 1)


# evict drops the intervals that begin with the oldest element, from short to long, and then levels that hold none.


def this_length(s: Any, level: int, length: int) -> bool:
    """length is that of the intervals of `level`, which is one of the levels or the next"""
    return bool(0 <= level) and bool(level <= size(s.levels)) and bool(length == 2**level)


@for_each("levels")
def dropped_lengths(s: Any, l: int, level: int) -> bool:
    """below `level` the intervals that begin with the oldest element are dropped"""
    if l < level:
        return _holds_if_any(s, l, s.front + 1)
    return _holds(s, l, s.front, s.back)


@for_each_within("levels")
def dropped_intervals(s: Any, place: tuple[int, Any], level: int) -> bool:
    """each interval holds the product of its elements, where below `level` the first is dropped"""
    return _is_product(s, place, s.front + 1 if place[0] < level else s.front, s.front)


@for_each("levels")
def some_lengths(s: Any, level: int) -> bool:
    """level l holds the intervals of 2^l elements that lie in the window, if any"""
    return _holds_if_any(s, level, s.front)


@for_each_within("levels")
def left_intervals(s: Any, place: tuple[int, Any]) -> bool:
    """each interval holds the product of its elements; the model has one more in front"""
    return _is_product(s, place, s.front, s.front - 1)


def no_calls(s: Any) -> bool:
    """no combine calls so far"""
    return bool(s.calls == 0)


# query takes the longest interval from where it is, again and again.


def begins_here(s: Any, at: int, level: int, length: int) -> bool:
    """an interval of this level and length begins at `at`, and lies in the window"""
    return (
        bool(0 <= level)
        and bool(level < size(s.levels))
        and bool(length == 2**level)
        and bool(at % length == 0)
        and bool(s.front <= at)
        and bool(at + length <= s.back)
    )


def no_more_calls(s: Any, before: int) -> bool:
    """no combine calls on the way to a longer interval"""
    return bool(s.calls == before)


def answered(s: Any, at: int, answer: Any) -> bool:
    """answer is the product of the elements before `at`, of which there are some"""
    return bool(s.front < at) and bool(at <= s.back) and bool(answer == s.model.product(0, at - s.front))


def rises_or_falls(s: Any, at: int, level: int, length: int) -> bool:
    """the intervals have become longer each time, and the next one will; or shorter, and each one to come will be"""
    log2 = s.model.size.bit_length() - 1
    if not (0 <= level and level <= log2 and length == 2**level and length <= at - s.front):
        return False
    if at % 2 ** (level + 1) == 0 and s.calls <= level:
        return True
    return bool(at % length == 0) and bool(s.back - at < length) and bool(s.calls + level <= 2 * log2)


LOOPS = {
    "insert": (
        Loop(
            next_length,
            top_before,
            completed_lengths,
            intervals,
            whole_so_far,
            one_call_a_level,
            variant=lambda s, level: s.back - s.front - 2**level,
        ),
    ),
    "evict": (
        Loop(
            ends,
            this_length,
            top,
            dropped_lengths,
            dropped_intervals,
            no_calls,
            variant=lambda s, level: size(s.levels) - level,
        ),
        Loop(top, some_lengths, left_intervals, no_calls, variant=lambda s: size(s.levels)),
    ),
    "longest": (Loop(begins_here, no_more_calls, variant=lambda s, at, length: s.back - at - length),),
    "query": (Loop(answered, rises_or_falls, variant=lambda s, at: s.back - at),),
}


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most log2(n + 1) times, where it finds n elements"""
    return bool(calls >= 0) and bool(2**calls <= n + 1)


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine at most 2 log2 n times, rounded down before it is doubled; on an empty window never"""
    return bool(calls <= 2 * (n.bit_length() - 1)) if n > 0 else bool(calls == 0)


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return bool(calls == 0)


# Sums over levels, each by induction: what is said of those below a level, from 0 up


def space(n: int, kept: int) -> bool:
    """at most 2n - 1 partial aggregates are kept, n of them the elements; none for none"""
    return bool(kept <= 2 * n - 1) if n > 0 else bool(kept <= 0)


def space_below(n: int, kept: int, highest: int) -> bool:
    """some levels from 0 up keep, with as many as the highest of them once more, at most 2n"""
    return bool(kept + highest <= 2 * n)


def insert_paid_below(calls: int, level: int, saved: int) -> bool:
    """an insert of c calls takes a coin from each level below c, and adds one at most to the others"""
    return bool(saved + level <= 0) if level <= calls else bool(saved + calls <= 1)


def evict_paid_below(calls: int, level: int, saved: int) -> bool:
    """an evict adds no coin to any level"""
    return bool(saved <= 0)
