"""The store of Cutty's slices: the places of a FlatFAT, from the base on.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), "Cutty: A Hybrid Approach"; the store is ours.

Conventions.  Slices are numbered; slice(k) of `model` is the product of the records of slice k.  Slices first .. last
are kept, with slice `base` in place 1 of the n places of `fat`.
"""

from typing import Any

from swagproof.contracts.clause import Everywhere, Loop, Loops, size


def places(s: Any) -> bool:
    """base <= first <= last + 1 <= base + n: every slice kept has a place"""
    return bool(s.base <= s.first and s.first <= s.last + 1 and s.last + 1 <= s.base + s.fat.n)


@Everywhere
def leaves(s: Any, p: Any) -> bool:
    """place p has slice base + p - 1, from the first kept to the last; behind the last, the identity"""
    number = s.base + p - 1
    if p < 1 or p > s.fat.n or number < s.first:
        return True
    return bool(s.fat.a(p) == (s.model.slice(number) if number <= s.last else s.monoid.identity))


INVARIANT = (places, leaves)


def powers(s: Any, n: Any, done: Any) -> bool:
    """n = 2 ** (done + 1)"""
    return bool(n == 2 ** (done + 1))


def short(s: Any, n: Any, kept: Any) -> bool:
    """n is 2, or less than 4 times the slices kept"""
    return bool(n == 2 or n < 4 * size(kept))


def free(s: Any, before: Any) -> bool:
    """no combine call is made"""
    return bool(s.calls == before)


def missing(s: Any, n: Any, kept: Any) -> Any:
    """Return the remaining growth of n."""
    return 4 * size(kept) + 2 - n


LOOPS: Loops = {"rebuild": (Loop(powers, short, free, variant=missing),)}


def roomy(kept: Any, n: Any) -> bool:
    """at least twice as many places as slices; 2 places, or less than 4 times as many as slices"""
    return bool(2 * kept <= n and (n == 2 or n < 4 * kept))


def set_anew_when_full(rebuilt: bool, places_left: Any) -> bool:
    """the tree is rebuilt if and only if no place is left"""
    return rebuilt == bool(places_left == 0)


def append_calls(calls: Any, n: Any, height: Any, rebuilt: bool) -> bool:
    """log2 n combine calls; n - 1 more if the tree is rebuilt with n places"""
    return bool(calls == height + (n - 1 if rebuilt else 0))


def suffix_calls(n: int, calls: int) -> bool:
    """at most log2 n combine calls"""
    return calls <= n.bit_length() - 1
