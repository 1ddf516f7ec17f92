"""FlatFAT: its invariants and cost.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 4.

Conventions.  T[v] is the value of node v, the root is node 1, the children of v are 2v and 2v + 1, the i-th leaf is
node n + i - 1, and a[i] is its value.  `model[i]` is the value last written to place i, `model.product(i, j)` is
a[i] ... a[j].  `work` lists the nodes that one call worked on; W_l are those of level l.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from swagproof.contracts.clause import Everywhere


def height(n: int) -> int:
    """log2 n, for n a power of two"""
    return n.bit_length() - 1


def ceil_log2(ratio: Fraction) -> int:
    """The least k with 2^k >= ratio, for ratio >= 1; exact."""
    k = 0
    while 2**k < ratio:
        k += 1
    return k


def size(s: Any) -> bool:
    """n is a power of two, and T has 2n - 1 nodes"""
    return bool(s.n >= 1 and s.n == 2 ** height(s.n) and s.T.size == 2 * s.n - 1)


@Everywhere
def values(s: Any, v: int) -> bool:
    """for v in n .. 2n-1: T(v) = a[v-n+1], the value last written to that place"""
    return not (s.n <= v and v < 2 * s.n) or bool(s.T[v] == s.model[v - s.n + 1])


def sums(s: Any, v: int) -> bool:
    """T(v) = T(left(v)) ⊕ T(right(v))"""
    return bool(s.T[v] == s.model.monoid.combine(s.T[2 * v], s.T[2 * v + 1]))


@Everywhere
def equation_4_1(s: Any, v: int) -> bool:
    """for v in 1 .. n-1: T(v) = T(left(v)) ⊕ T(right(v))"""
    return not (1 <= v and v < s.n) or sums(s, v)


def equation_4_2(s: Any) -> bool:
    """for v in 1 .. 2n-1: T(v) = a[j] ⊕ ... ⊕ a[k], where a[j] .. a[k] are the leaves below v"""
    for v in range(1, 2 * s.n):
        j = k = v
        while j < s.n:
            j, k = 2 * j, 2 * k + 1
        if s.T[v] != s.model.product(j - s.n + 1, k - s.n + 1):
            return False
    return True


def space(n: int, partials: int) -> bool:
    """2n - 1 partial aggregates, one a node (Theorem 4.1: O(n))"""
    return partials == 2 * n - 1


INVARIANT = (size, values, equation_4_1, equation_4_2)
AT_ONCE = (size,)


# Theorem 4.2, Claim 4.3


def work_by_level(n: int, m: int, work: Sequence[int]) -> bool:
    """Claim 4.3: at level l in 1 .. log2 n, |W_l| <= min(m, n / 2^l); there is no work on any other level"""
    levels = Counter(height(n) + 1 - v.bit_length() for v in work)
    return all(1 <= level <= height(n) and size <= min(m, n >> level) for level, size in levels.items())


def work_is_calls(calls: int, work: Sequence[int]) -> bool:
    """Equation 4.3: combine calls = |W_1| + |W_2| + ..."""
    return calls == len(work)


def new_calls(n: int, calls: int) -> bool:
    """new makes n - 1 calls"""
    return calls == n - 1


def update_bound(n: int, m: int) -> int:
    """m (1 + ceil(log2(n / m))) for m > 0 places, 0 for none"""
    return m * (1 + ceil_log2(Fraction(n, m))) if m else 0


def update_calls(n: int, m: int, calls: int) -> bool:
    """update of m places makes at most m (1 + ceil(log2(n / m))) calls for m > 0, none for m = 0"""
    return calls <= update_bound(n, m)


def prefix_calls(n: int, i: int, calls: int) -> bool:
    """prefix(i) makes as many calls as i - 1 has ones in binary: at most log2 n"""
    return calls == (i - 1).bit_count() and calls <= height(n)


def suffix_calls(n: int, j: int, calls: int) -> bool:
    """suffix(j) makes as many calls as n - j has ones in binary: at most log2 n"""
    return calls == (n - j).bit_count() and calls <= height(n)


def aggregate_calls(calls: int) -> bool:
    """aggregate() makes no calls"""
    return calls == 0


def filled_calls(filled: Any, calls: Any) -> bool:
    """building a tree with m filled places makes less than m calls, none for m = 0"""
    return bool(calls < filled) or bool(calls == 0)
