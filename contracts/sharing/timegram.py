"""TimeGram: its invariants, loop invariants, and the postcondition of each of its five lookups.

Source: *Aggregate Sharing in Stream Databases* (2005), section 3.2.

Conventions.  T is the current time, the number of tuples that have arrived; [l_b, r_b] are the boundaries of bucket b;
the value of the tuple that arrived at time ts is `value_at(s, ts)`.  Home p belongs to the tuple that arrived at
`stamp(s, p)`.  In a loop, `done` is the number of turns made, and `old` the state before it; `window` is the size of W,
and `sum_of(j)` the sum over the tuples of W in the first j buckets.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from swagproof.contracts.clause import Loop, Loops, for_all, for_each, for_each_pair, size


def value_at(s: Any, ts: Any) -> Any:
    """Return the value of the tuple that arrived at time ts, from the stream itself."""
    return s.model.values[s.model.size - 1 - (s.now - ts)]


def stamp(s: Any, p: Any) -> Any:
    """Return the arrival time of the tuple of the p-th home."""
    return s.now - size(s.homes) + 1 + p


def position(buckets: Any, index: Any) -> Any:
    """Return the position of bucket number `index` in the list, or -1."""
    if hasattr(buckets, "position"):
        return buckets.position(index)
    return next((b for b, bucket in enumerate(buckets) if bucket.index == index), -1)


def held(s: Any) -> bool:
    """there are as many homes as tuples in the largest window"""
    largest = s.registry.largest if s.registry.sizes else s.now
    return bool(size(s.homes) == (largest if largest < s.now else s.now))


def _housed(s: Any, p: Any) -> bool:
    b = position(s.buckets, s.homes[p])
    return bool(b >= 0) and stamp(s, p) in s.buckets[b].timestamps


@for_each("homes")
def housed(s: Any, p: Any) -> bool:
    """each home is the index of a bucket in the list, which has the timestamp"""
    return _housed(s, p)


@for_all("buckets", "homes")
def own(s: Any, b: Any, p: Any) -> bool:
    """no bucket has a timestamp whose home is another bucket"""
    return bool(s.buckets[b].index == s.homes[p]) or stamp(s, p) not in s.buckets[b].timestamps


def _within(s: Any, b: Any, homes: Any) -> bool:
    timestamps = s.buckets[b].timestamps
    return bool(timestamps) and bool(timestamps[0] >= stamp(s, 0)) and bool(timestamps[-1] < stamp(s, homes))


@for_each("buckets")
def within(s: Any, b: Any) -> bool:
    """every bucket has timestamps, all of them of tuples whose homes are held"""
    return _within(s, b, size(s.homes))


@for_each_pair("buckets")
def in_order(s: Any, pair: Any) -> bool:
    """for a bucket b before c in the list: b < c, and so r_b <= l_c"""
    return bool(s.buckets[pair[0]].index < s.buckets[pair[1]].index)


def in_bucket(s: Any, value: Any, index: Any) -> bool:
    """the bucket b of a value: l_b <= value <= r_b"""
    left, right = s.boundaries(index)
    return bool(left <= value) and bool(value <= right)


@for_each("homes")
def placed(s: Any, p: Any) -> bool:
    """for every home b of a timestamp ts: l_b <= value of ts <= r_b"""
    return in_bucket(s, value_at(s, stamp(s, p)), s.homes[p])


def ascending(s: Any) -> bool:
    """in every bucket the timestamps ascend"""
    return all(a < b for bucket in s.buckets for a, b in pairwise(bucket.timestamps))


HOMES: Final = (housed, own, within, in_order, placed)
"""The clauses that buckets hold exactly the tuples of the homes, however many homes are held."""

KEPT: Final = (held, *HOMES)
"""The clauses that an operation requires and preserves; ascending timestamps are shown wherever a bucket gets one."""

INVARIANT: Final = (*KEPT, ascending)


AT_ONCE: Final = (held,)


# Postconditions of methods, and loop invariants


class Before(NamedTuple):
    """The state before a method."""

    width: Any
    homes: Sequence[Any]


def before(s: Any) -> Before:
    """Return the width and the number of homes."""
    return Before(s.width, range(len(s.homes)))


def belongs(s: Any, bucket: Any, window: int, count: int) -> bool:
    """of the bucket's timestamps, which ascend, the last `count` are newer than T - W, and no others"""
    timestamps, oldest = bucket.timestamps, s.now - window
    first = len(timestamps) - count
    return bool((count == 0 or timestamps[first] > oldest) and (first == 0 or timestamps[first - 1] <= oldest))


def bucket_found(bucket: Any, index: Any) -> bool:
    """the bucket has this number"""
    return bool(bucket.index == index)


def widened(s: Any, old: Before, times: int) -> bool:
    """the width is `times` times the earlier width"""
    return bool(s.width == old.width * times)


def some_home(s: Any) -> bool:
    """there is a home"""
    return bool(size(s.homes) > 0)


def one_fewer(s: Any, old: Any) -> bool:
    """there is one home fewer than before"""
    return bool(size(s.homes) == size(old.homes) - 1)


def homes_held(s: Any, old: Any) -> bool:
    """the number of homes is unchanged"""
    return bool(size(s.homes) == size(old.homes))


@for_each("homes")
def homes_stay(s: Any, p: Any, old: Any) -> bool:
    """the homes are unchanged"""
    return bool(s.homes[p] == old.homes[p])


@for_each("homes")
def housed_so_far(s: Any, p: Any, done: Any) -> bool:
    """each of the first `done` homes is the index of a bucket in the list, which has the timestamp"""
    return bool(p >= done) or _housed(s, p)


@for_each("buckets")
def within_so_far(s: Any, b: Any, done: Any) -> bool:
    """every bucket has timestamps, all of them of the tuples of the first `done` homes"""
    return _within(s, b, done)


def _of(s: Any, p: Any, window: Any) -> bool:
    return bool(stamp(s, p) > s.now - window)


@for_each("homes")
def none_above(s: Any, p: Any, window: Any, done: Any) -> bool:
    """no tuple of W is in one of the `done` buckets from above"""
    return not _of(s, p, window) or bool(position(s.buckets, s.homes[p]) < size(s.buckets) - done)


@for_each("homes")
def none_below(s: Any, p: Any, window: Any, done: Any) -> bool:
    """no tuple of W is in one of the first `done` buckets"""
    return not _of(s, p, window) or bool(position(s.buckets, s.homes[p]) >= done)


def sum_within(s: Any, a: Any, b: Any, done: Any) -> bool:
    """a <= the sum over the tuples of W in the buckets so far <= b"""
    return bool(a <= s.sum_of(done)) and bool(s.sum_of(done) <= b)


REQUIRES: Final = (some_home, *HOMES)
"""The clauses that removing the oldest timestamp requires."""

PROMISES: Final = (one_fewer, *HOMES)
"""The clauses that removing the oldest timestamp establishes."""

LOOPS: Final[Loops] = {
    "max": (Loop(none_above),),
    "min": (Loop(none_below),),
    "sum": (Loop(sum_within),),
    "widen": (Loop(homes_held, homes_stay, housed_so_far, own, within_so_far, in_order, placed),),
}


# Lookups over a window W.


def contains(answer: Any, exact: Any) -> bool:
    """answer = [l, r] with l <= exact <= r; none for a window without tuples"""
    if answer is None or exact is None:
        return answer is None and exact is None
    return bool(answer[0] <= exact <= answer[1])


def max_contains(answer: Any, window: list[Any]) -> bool:
    """the bounds of max contain the greatest value of W"""
    return contains(answer, max(window, default=None))


def min_contains(answer: Any, window: list[Any]) -> bool:
    """the bounds of min contain the least value of W"""
    return contains(answer, min(window, default=None))


def count_is(answer: Any, window: list[Any]) -> bool:
    """count is the number of tuples in W"""
    return bool(answer == len(window))


def sum_contains(answer: Any, window: list[Any]) -> bool:
    """the bounds of sum contain the sum over W"""
    return contains(answer, sum(window))


def avg_contains(answer: Any, window: list[Any]) -> bool:
    """n times the bounds of avg contain the sum over W, for the n tuples of W"""
    n = len(window)
    if answer is None or n == 0:
        return answer is None and n == 0
    return contains((answer[0] * n, answer[1] * n), sum(window))


# Error bounds: the widths behind the paper's "more precise".


def tight(answer: Any, width: Any, times: int) -> bool:
    """r - l = times * width"""
    return answer is None or bool(answer[1] - answer[0] == width * times)
