"""SlickDeque: its invariants and cost.

Sources: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 6, and *In-Order Sliding-Window
Aggregation in Worst-Case Constant Time* (2021), section 8.3, which name it; the invariants are ours.

Conventions.  The candidates are c_0, c_1, ..., with their positions p_0 < p_1 < ... in the stream; o is the position of
the window's oldest element, v_0.
"""

from itertools import pairwise
from typing import Any


def positions(s: Any) -> bool:
    """o <= p_0 < p_1 < ... = o + n - 1: the newest element is a candidate"""
    found = [candidate.position for candidate in s.candidates]
    return (
        s.size == s.model.size
        and all(p < q for p, q in pairwise(found))
        and (found[0] >= s.oldest and found[-1] == s.oldest + s.size - 1 if found else s.size == 0)
    )


def suffixes(s: Any) -> bool:
    """for each candidate j: c_j = v_{p_j - o} = the product from v_{p_{j-1} - o + 1} on (from v_0 on for j = 0)"""
    begin = 0
    for candidate in s.candidates:
        place = candidate.position - s.oldest
        if not begin <= place < s.model.size:
            return False
        if not candidate.value == s.model[place] == s.model.product(begin, s.model.size):
            return False
        begin = place + 1
    return True


INVARIANT = (positions, suffixes)


def insert_calls(n: int, calls: int) -> bool:
    """insert invokes combine at most n times"""
    return calls <= n


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query does not invoke combine"""
    return calls == 0


def savings(s: Any) -> int:
    """how many candidates there are"""
    return len(s.candidates)


def insert_paid(calls: int, before: int, after: int) -> bool:
    """calls + what was saved <= 2: a candidate pays for the call that removes it"""
    return calls + (after - before) <= 2


def evict_paid(calls: int, before: int, after: int) -> bool:
    """an evict saves nothing"""
    return calls == 0 and after <= before


def space(n: int, kept: int) -> bool:
    """at most n values"""
    return kept <= n
