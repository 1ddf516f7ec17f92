"""FlatFIT: its invariants and cost.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 8.1, which describes it in
three sentences; the invariants are ours.

Conventions.  Elements are numbered from 0 at the oldest to n - 1 at the newest, by the slots that they are in: of
slot k it is number(k) = (k - front) mod c.  Where there are fewer than c elements, slots of greater numbers are free.
next(k) is the number of the slot that the pointer in slot k leads to.  While evict resizes the buffer, `model` has
still the element that is gone.
"""

from copy import copy
from types import SimpleNamespace
from typing import Any

from swagproof.contracts.clause import Loop, for_each, for_each_pair, size


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
    """there are as many pointers as partial aggregates, no fewer than elements; front is the slot of one"""
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
    """for slots k of the elements i in 0 .. n-2: partial(k) = v_i ... v_{next(k)-1}; of the newest, v_{n-1}"""
    i = _number(s, k)
    if i >= s.size:
        return True
    end = s.size if i == s.size - 1 else _number(s, s.pointers[k])
    return bool(i < end) and bool(end <= s.size) and bool(s.partials[k] == _product(s, i, end))


@for_each("partials")
def free_slots(s: Any, k: int) -> bool:
    """free slots hold the identity: nothing is kept of an element that is gone"""
    return bool(_number(s, k) < s.size) or bool(s.partials[k] == s.monoid.identity)


INVARIANT = (elements, capacity, slots, pointers, contents, free_slots)
AT_ONCE = (elements, capacity, slots)


# A look-up goes along the pointers from element n - newest to the newest, which is in slot `back`.


def on_the_way(s: Any, newest: int, current: int, back: int) -> bool:
    """current is the slot of one of the elements that are looked up, and back is that of the newest"""
    i = _number(s, current)
    return (
        _is_slot(s, current)
        and _is_slot(s, back)
        and bool(_number(s, back) == s.size - 1)
        and bool(s.size - newest <= i)
        and bool(i <= s.size - 1)
    )


@for_each("", of="positions")
def chain(s: Any, j: int, positions: Any, newest: int) -> bool:
    """each position is the slot of an element that is looked up, not the newest; its pointer leads to the next one"""
    k = positions[j]
    if not _is_slot(s, k) or not (s.size - newest <= _number(s, k) and _number(s, k) <= s.size - 2):
        return False
    return bool(j + 1 >= size(positions)) or bool(s.pointers[k] == positions[j + 1])


@for_each_pair("", of="positions")
def rising(s: Any, pair: tuple[int, int], positions: Any) -> bool:
    """of any two positions the later one is of the newer element"""
    i, j = pair
    return bool(_number(s, positions[i]) < _number(s, positions[j]))


def last_leads_on(s: Any, positions: Any, current: int) -> bool:
    """the pointer of the last position leads to current"""
    last = size(positions) - 1
    return last < 0 or bool(s.pointers[positions[last]] == current)


def begun(s: Any, positions: Any, newest: int, current: int) -> bool:
    """the first position, or current where there is none, is of element n - newest"""
    first = positions[0] if size(positions) > 0 else current
    return bool(_number(s, first) == s.size - newest)


def few_positions(s: Any, positions: Any, newest: int, current: int) -> bool:
    """no combine call, and no more positions than elements before current"""
    return bool(s.calls == 0) and bool(size(positions) <= _number(s, current) - (s.size - newest))


# Then it goes back, and combines: the product of what is behind the positions left is known.


def back_is_newest(s: Any, back: int) -> bool:
    """back is the slot of the newest element"""
    return _is_slot(s, back) and bool(_number(s, back) == s.size - 1)


def combined(s: Any, positions: Any, newest: int, product: Any) -> bool:
    """product is from where the last position's pointer leads, or from element n - newest, to the newest but one"""
    last = size(positions) - 1
    low = _number(s, s.pointers[positions[last]]) if last >= 0 else s.size - newest
    return bool(low < s.size - 1) and bool(product == _product(s, low, s.size - 1))


def begun_before(s: Any, positions: Any, newest: int) -> bool:
    """the first position is of element n - newest"""
    return bool(size(positions) == 0) or bool(_number(s, positions[0]) == s.size - newest)


def shortened(s: Any, newest: int) -> bool:
    """after a look-up from element i = n - newest on: next(i) = n - 1, unless i is the newest"""
    c = size(s.pointers)
    return bool(newest <= 1) or bool(_number(s, s.pointers[(s.front + s.size - newest) % c]) == s.size - 1)


def shortened_at_the_end(s: Any, positions: Any, newest: int) -> bool:
    """once no position is left, the look-up has shortened the way"""
    return bool(size(positions) > 0) or shortened(s, newest)


def calls_to_come(s: Any, positions: Any, newest: int) -> bool:
    """with a call for each position left and one more, there are at most newest - 1"""
    return bool(s.calls + size(positions) + 1 <= newest - 1)


# resize moves element after element, oldest first; `old` is the buffer before.


def before(s: Any) -> SimpleNamespace:
    """The buffer as it is, kept while it changes."""
    return SimpleNamespace(pointers=copy(s.pointers), front=s.front, size=s.size)


def resizable(s: Any, capacity: int) -> bool:
    """a full buffer is doubled, one of which less than a quarter is used is halved"""
    c = size(s.pointers)
    return bool(s.size == c and capacity == 2 * c) or bool(4 * s.size < c and capacity == c // 2)


def resized(s: Any, capacity: int) -> bool:
    """the buffer has the new capacity, and its elements begin at slot 0"""
    return bool(size(s.pointers) == capacity) and bool(size(s.partials) == capacity) and bool(s.front == 0)


@for_each("pointers")
def same_way(s: Any, k: int, old: Any) -> bool:
    """for slots k of the elements i in 0 .. n-2: next(i) is what it was"""
    return k >= s.size - 1 or bool(s.pointers[k] == _next(old, k))


def room(s: Any, partials: Any, pointers: Any, capacity: int) -> bool:
    """the new lists have the new capacity, and the elements fit"""
    return bool(size(partials) == capacity and size(pointers) == capacity and s.size <= capacity)


def as_many_slots(s: Any, old: Any) -> bool:
    """the buffer that is left has as many slots as before"""
    return bool(size(s.pointers) == size(old.pointers))


@for_each("pointers")
def pointers_stay(s: Any, k: int, old: Any) -> bool:
    """its pointers stay as they were"""
    return bool(s.pointers[k] == old.pointers[k])


@for_each("", of="pointers")
def moved_pointers(s: Any, k: int, pointers: Any, done: int, old: Any) -> bool:
    """of what is moved, the new pointer of element k < n - 1 leads to next(k), a newer one"""
    if k >= done or k >= s.size - 1:
        return True
    return bool(pointers[k] == _next(old, k)) and bool(k < pointers[k]) and bool(pointers[k] <= s.size - 1)


@for_each("", of="partials")
def moved_contents(s: Any, k: int, partials: Any, pointers: Any, done: int) -> bool:
    """of what is moved, the new partial aggregate of element k is that up to where its pointer leads"""
    if k >= done:
        return True
    end = s.size if k == s.size - 1 else pointers[k]
    return bool(k < end) and bool(end <= s.size) and bool(partials[k] == _product(s, k, end))


@for_each("", of="partials")
def room_is_free(s: Any, k: int, partials: Any, done: int) -> bool:
    """what is not moved to holds the identity"""
    return k < done or bool(partials[k] == s.monoid.identity)


def no_calls(s: Any) -> bool:
    """no combine calls so far"""
    return bool(s.calls == 0)


def _elements_ahead(s: Any, current: int) -> Any:
    """elements newer than current"""
    return s.size - 1 - _number(s, current)


LOOPS = {
    "lookup": (
        Loop(on_the_way, chain, rising, last_leads_on, begun, few_positions, variant=_elements_ahead),
        Loop(
            capacity,
            slots,
            pointers,
            contents,
            free_slots,
            back_is_newest,
            chain,
            rising,
            combined,
            begun_before,
            shortened_at_the_end,
            calls_to_come,
            variant=lambda s, positions: size(positions),
        ),
    ),
    "resize": (
        Loop(
            slots,
            pointers,
            contents,
            as_many_slots,
            pointers_stay,
            room,
            moved_pointers,
            moved_contents,
            room_is_free,
            no_calls,
        ),
    ),
}


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
