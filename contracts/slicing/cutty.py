"""Cutty: its invariants and cost.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), "Cutty: A Hybrid Approach".

Conventions.  The slices kept are those in the store, first .. last, and the active one, if there is one.  `model` has
the records r_1 ... r_i; `cuts`, the records that begin a slice which an open window can reach back to, oldest first;
and for each query `begun`, the records at which its open windows begin.  `product(a, b)` is r_a ... r_b.
"""

from collections.abc import Iterable
from typing import Any


def log2(n: int) -> int:
    """log2 n, for n a power of two"""
    return n.bit_length() - 1


def capacity(s: Any) -> bool:
    """the store has n places, n a power of two; the slices kept are in consecutive places of it"""
    n = s.store.fat.n
    return bool(n >= 1 and n == 2 ** log2(n) and s.store.first <= s.store.last + 1 <= s.store.base + n)


def slices(s: Any) -> bool:
    """there are as many slices as `cuts`: one for each record that begins one, from the oldest open window's on"""
    return bool(s.store.last - s.store.first + 1 + s.is_active == len(s.model.cuts))


def contents(s: Any) -> bool:
    """slice j of the store = r_{cuts[j]} ... r_{cuts[j+1] - 1}"""
    cuts = s.model.cuts
    return slices(s) and all(
        s.store.slice(s.store.first + j) == s.model.product(cuts[j], cuts[j + 1] - 1) for j in range(len(cuts) - 1)
    )


def active(s: Any) -> bool:
    """the active partial aggregate = the product of the records from the last of `cuts` on"""
    return not s.is_active or (slices(s) and s.active == s.model.product(s.model.cuts[-1], s.model.number))


def windows(s: Any) -> bool:
    """for each open window of each query: it begins with the slice recorded for it"""
    cuts = s.model.cuts
    return all(
        len(noted) == len(begun)
        and all(0 <= number - s.store.first < len(cuts) for number in noted)
        and all(cuts[number - s.store.first] == a for number, a in zip(noted, begun, strict=True))
        for noted, begun in zip(s.open, s.model.begun, strict=True)
    )


INVARIANT = (capacity, slices, contents, active, windows)
AT_ONCE = (capacity, slices)


# Preconditions and postconditions of its methods


def cut_at(s: Any, v: Any, found: tuple[int, Any, bool]) -> bool:
    """active = v; the active slice before, if there was one, is the last of the store"""
    last, before, was_active = found
    stored = s.store.last == last + was_active and (not was_active or s.store.slice(s.store.last) == before)
    return bool(stored and s.is_active and s.active == v)


def is_kept(s: Any, number: int) -> bool:
    """first <= number <= last, or the active slice's number, last + 1"""
    return bool(s.is_active and s.store.first <= number <= s.store.last + 1)


def dropped(s: Any, looks: Iterable[Any], first: int) -> bool:
    """the store begins with the first slice at which an open window or a look-back begins"""
    needed = [*(noted[0] for noted in s.open if noted), *(look.reach for look in looks)]
    return bool(s.store.first == max(first, min([*needed, s.number])) and (needed or not s.is_active))


def call_limit(cut: bool, stored: bool, answers: int, n: int, rebuilt: bool) -> int:
    """1 a record within a slice, 0 if it begins one; log2 n a slice stored, n - 1 a rebuilding; log2 n + 1 an answer"""
    slice_calls = (log2(n) + (n - 1 if rebuilt else 0)) if stored else int(not cut)
    return slice_calls + answers * (log2(n) + 1)


def calls(calls: int, cut: bool, stored: bool, answers: int, n: int, rebuilt: bool) -> bool:
    """at most 1 a record within a slice, log2 n a slice stored, n - 1 a rebuilding, log2 n + 1 an answer"""
    return calls <= call_limit(cut, stored, answers, n, rebuilt)


def tell_calls(calls: int, answers: int, n: int) -> bool:
    """at most log2 n + 1 an answer"""
    return calls <= answers * (log2(n) + 1)


def aggregate_calls(n: int, is_active: bool, calls: int) -> bool:
    """none for the active slice, at most log2 n + 1 for one in the store"""
    return calls <= (0 if is_active else log2(n) + 1)


def release_calls(calls: int) -> bool:
    """no combine calls"""
    return calls == 0


def space_bound(s: Any) -> int:
    """2n - 1 partial aggregates in the store's tree, and the active one"""
    return 2 * int(s.store.fat.n)
