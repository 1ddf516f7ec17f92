"""TimeGram: its invariants, and what each of its five lookups promises.

Source: *Aggregate Sharing in Stream Databases* (2005), section 3.2.

Conventions.  T is the current time, the number of tuples that have arrived; [l_b, r_b] are the boundaries of bucket b;
the value of the tuple that arrived at time ts is `value_at(s, ts)`.
"""

from itertools import pairwise
from typing import Any


def value_at(s: Any, ts: int) -> Any:
    """The value of the tuple that arrived at time ts, by the stream itself."""
    return s.model.values[s.model.size - 1 - (s.now - ts)]


def held(s: Any) -> bool:
    """the buckets hold the timestamps of the tuples in the largest window, each once"""
    held = sorted(ts for bucket in s.buckets for ts in bucket.timestamps)
    oldest = max(1, s.now + 1 - s.registry.largest) if s.registry.sizes else 1
    return held == list(range(oldest, s.now + 1))


def placed(s: Any) -> bool:
    """for every bucket b and ts in b: l_b <= value of ts <= r_b"""
    for bucket in s.buckets:
        left, right = s.boundaries(bucket.index)
        if not all(left <= value_at(s, ts) <= right for ts in bucket.timestamps):
            return False
    return True


def ascending(s: Any) -> bool:
    """in every bucket the timestamps ascend, and there are some"""
    return all(bucket.timestamps and all(a < b for a, b in pairwise(bucket.timestamps)) for bucket in s.buckets)


def disjoint(s: Any) -> bool:
    """for consecutive buckets b, c: r_b <= l_c"""
    bounds = [s.boundaries(bucket.index) for bucket in s.buckets]
    return all(left[1] <= right[0] for left, right in pairwise(bounds))


def homes(s: Any) -> bool:
    """the homes are the buckets of the timestamps held, oldest first"""
    by_time = sorted((ts, bucket.index) for bucket in s.buckets for ts in bucket.timestamps)
    return [index for _, index in by_time] == list(s.homes)


INVARIANT = (held, placed, ascending, disjoint, homes)


# The lookups over a window W.


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


# How far the answers may be off: the widths that the paper's "more precise" speaks of.


def tight(answer: Any, width: Any, times: int) -> bool:
    """r - l = times * width"""
    return answer is None or bool(answer[1] - answer[0] == width * times)
