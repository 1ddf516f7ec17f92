"""FlatFIT: its invariants and cost.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 8.1, which describes it in
three sentences; the invariants are ours.

Conventions.  Elements are numbered from 0 at the oldest to n - 1 at the newest by their slots: the number of slot k is
number(k) = (k - front) mod c.  If there are fewer than c elements, slots of greater numbers are free.  next(k) is the
number of the slot that the pointer in slot k leads to.  While evict resizes the buffer, `model` still has the removed
element.
"""

from copy import copy
from types import SimpleNamespace
from typing import Any

from swagproof.contracts.clause import for_each, size


def _number(s: Any, k: Any) -> Any:
    return (k - s.front) % size(s.pointers)


def _next(s: Any, i: Any) -> Any:
    return _number(s, s.pointers[(s.front + i) % size(s.pointers)])


def _product(s: Any, i: Any, j: Any) -> Any:
    gone = s.model.size - s.size
    return s.model.product(i + gone, j + gone)


def _is_slot(s: Any, k: Any) -> bool:
    return bool(0 <= k) and bool(k < size(s.pointers))


def elements(s: Any) -> bool:
    """there are n elements"""
    return bool(s.size == s.model.size)


def capacity(s: Any) -> bool:
    """the capacity is a power of two, and at most 4n, or 2"""
    c = size(s.pointers)
    return bool(c & (c - 1) == 0) and bool(c <= 2 or c <= 4 * s.size)


def slots(s: Any) -> bool:
    """there are as many pointers as partial aggregates, at least n; front is one of their slots"""
    c = size(s.pointers)
    return bool(0 <= s.size and s.size <= c) and bool(size(s.partials) == c) and _is_slot(s, s.front)


@for_each("pointers")
def pointers(s: Any, k: int) -> bool:
    """for slots k of the elements i in 0 .. n-2: i < next(k) <= n - 1"""
    i, pointer = _number(s, k), s.pointers[k]
    if i >= s.size - 1:
        return True
    return _is_slot(s, pointer) and bool(i < _number(s, pointer)) and bool(_number(s, pointer) <= s.size - 1)


@for_each("partials")
def contents(s: Any, k: int) -> bool:
    """for slots k of the elements i in 0 .. n-2: partial(k) = v_i ... v_{next(k)-1}; for the newest element, v_{n-1}"""
    i = _number(s, k)
    if i >= s.size:
        return True
    end = s.size if i == s.size - 1 else _number(s, s.pointers[k])
    return bool(i < end) and bool(end <= s.size) and bool(s.partials[k] == _product(s, i, end))


@for_each("partials")
def free_slots(s: Any, k: int) -> bool:
    """free slots hold the identity: no evicted element is kept"""
    return bool(_number(s, k) < s.size) or bool(s.partials[k] == s.monoid.identity)


INVARIANT = (elements, capacity, slots, pointers, contents, free_slots)
AT_ONCE = (elements, capacity, slots)


def shortened(s: Any, newest: int) -> bool:
    """after a lookup from element i = n - newest: next(i) = n - 1, unless i is the newest"""
    c = size(s.pointers)
    return bool(newest <= 1) or bool(_number(s, s.pointers[(s.front + s.size - newest) % c]) == s.size - 1)


# resize moves element after element, oldest first; `old` is the buffer before.


def before(s: Any) -> SimpleNamespace:
    """Return a copy of the buffer's state, taken before it changes."""
    return SimpleNamespace(pointers=copy(s.pointers), front=s.front, size=s.size)


def resizable(s: Any, capacity: int) -> bool:
    """a full buffer is doubled, one that is less than a quarter full is halved"""
    c = size(s.pointers)
    return bool(s.size == c and capacity == 2 * c) or bool(4 * s.size < c and capacity == c // 2)


def resized(s: Any, capacity: int) -> bool:
    """the buffer has the new capacity, and its elements begin at slot 0"""
    return bool(size(s.pointers) == capacity) and bool(size(s.partials) == capacity) and bool(s.front == 0)


@for_each("pointers")
def same_way(s: Any, k: int, old: Any) -> bool:
    """for slots k of the elements i in 0 .. n-2: next(i) is unchanged"""
    return k >= s.size - 1 or bool(s.pointers[k] == _next(old, k))


def insert_calls(n: int, calls: int) -> bool:
    """insert does not invoke combine"""
    return calls == 0


def evict_calls(n: int, calls: int) -> bool:
    """evict does not invoke combine"""
    return calls == 0


def query_calls(n: int, calls: int) -> bool:
    """query invokes combine at most n - 1 times"""
    return calls <= 0 or calls <= n - 1


def lookup_calls(newest: int, calls: int) -> bool:
    """lookup of m elements invokes combine at most m - 1 times"""
    return query_calls(newest, calls)


def space(n: int, kept: int) -> bool:
    """at most 4n partial aggregates, or 2: as many as slots"""
    return kept <= 2 or kept <= 4 * n
