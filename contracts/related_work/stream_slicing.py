"""Stream slicing: its invariants.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 6, which describes it; the invariants are
ours.

Conventions.  Slice i has the records from begins[i] to lasts[i]; `model.records` are all (time, value) so far, in
arrival order; edges are the times at which a window of a periodic query begins or ends.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, TypeAlias


def released(s: Any) -> bool:
    """no slice is kept that lies before every window and session still open at the watermark"""
    return not s.begins or s.watermark is None or s.begins[0] >= s.model.needed(s.watermark)


def runs(s: Any) -> bool:
    """the slices are the runs of records between edges and gaps, from the first stored on; no needed record is lost"""
    kept = list(zip(s.begins, s.lasts, strict=True))
    if s.watermark is not None:
        needed = s.model.needed(s.watermark)
        gone = [t for t, _ in s.model.records if needed <= t and not (kept and kept[0][0] <= t)]
        if any(s.model.gaps or s.model.covered(t) for t in gone):  # the others are in no window
            return False
    return not kept or kept == s.model.runs(kept[0][0], s.commutative)


def contents(s: Any) -> bool:
    """the store has, at the time of each slice's first record, the product of its records, and nothing else"""
    return all(
        s.store.range_query(begin, begin) == s.model.product_between(begin, last)
        for begin, last in zip(s.begins, s.lasts, strict=True)
    ) and s.store.size == len(s.begins)


INVARIANT = (released, runs, contents)
AT_ONCE = ()

Slices: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""begins and lasts, before an operation."""

# Preconditions and postconditions of its methods


def taken_in(s: Any, t: int) -> bool:
    """begins[i] <= t <= lasts[i] for one i"""
    i = bisect_right(s.begins, t) - 1
    return bool(i >= 0 and t <= s.lasts[i])


def just_before(s: Any, i: int, t: int) -> bool:
    """lasts[i - 1] < t < begins[i]"""
    return bool((i == 0 or s.lasts[i - 1] < t) and t < s.begins[i])


def fused(s: Any, i: int, before: Slices) -> bool:
    """slice i is from begins[i] to lasts[i + 1]; slice i + 1 is gone; all others are unchanged"""
    begins, lasts = before
    return bool(s.begins == [*begins[: i + 1], *begins[i + 2 :]] and s.lasts == [*lasts[:i], *lasts[i + 1 :]])


def extended(s: Any, i: int, t: int, before: Slices) -> bool:
    """slice i is from t to lasts[i]; all others are unchanged"""
    begins, lasts = before
    return bool(s.begins == [*begins[:i], t, *begins[i + 1 :]] and s.lasts == lasts)


def taken_out(size: int, before: int) -> bool:
    """the store has one entry less"""
    return size == before - 1


def forgotten(s: Any, oldest: int) -> bool:
    """no slice begins before `oldest`"""
    return not s.begins or s.begins[0] >= oldest
