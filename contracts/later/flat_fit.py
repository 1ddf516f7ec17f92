"""FlatFIT: its invariants and cost.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 8.1, which describes it in
three sentences; the invariants are ours.

Conventions.  Elements are numbered from 0 at the oldest to n - 1 at the newest; next(i) is the number of the element in
the slot that the pointer of element i leads to.
"""

from typing import Any


def _next(s: Any, i: int) -> int:
    return int((s.pointers[(s.front + i) % len(s.pointers)] - s.front) % len(s.pointers))


def capacity(s: Any) -> bool:
    """the capacity is a power of two, at least n, and at most 4n, or 2; there are as many partial aggregates"""
    c = len(s.pointers)
    return c >= 1 and c & (c - 1) == 0 and s.size <= c <= max(2, 4 * s.size) and len(s.partials) == c


def pointers(s: Any) -> bool:
    """for i in 0 .. n-2: i < next(i) <= n - 1"""
    return all(i < _next(s, i) <= s.size - 1 for i in range(s.size - 1))


def contents(s: Any) -> bool:
    """for i in 0 .. n-2: partial(i) = v_i ... v_{next(i)-1}; partial(n-1) = v_{n-1}"""
    n = s.size
    ends = [*(_next(s, i) for i in range(n - 1)), n][:n]
    return n == s.model.size and all(
        i < end <= n and s.partials[(s.front + i) % len(s.pointers)] == s.model.product(i, end)
        for i, end in enumerate(ends)
    )


INVARIANT = (capacity, pointers, contents)


def insert_calls(n: int, calls: int) -> bool:
    """insert does not invoke combine"""
    return calls == 0


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine at most n - 1 times"""
    return calls <= max(0, n - 1)


def shortened(s: Any, newest: int) -> bool:
    """after a look-up from element i = n - newest on: next(i) = n - 1, unless i is the newest"""
    return newest <= 1 or _next(s, s.size - newest) == s.size - 1


def space(n: int, kept: int) -> bool:
    """at most 4n partial aggregates, or 2: as many as slots"""
    return kept <= max(2, 4 * n)
