"""Wrong implementations with parameters: one mistake each, at one capacity, offset, size, time or value.

A search can miss such mistakes: everything is right until a ring grows from 64 slots while its first element is in the
seventeenth.
"""

import ctypes
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from subjects.right import DequeWindow, ListWindow
from subjects.right_out_of_order import Dictionary

Make: TypeAlias = Callable[[Any], Any]


class Ring(ListWindow):
    """A ring that doubles, and fails when it grows from this capacity with its first element at this offset."""

    def __init__(self, monoid: Any, mistake: str, capacity: int | None, offset: int | None, start: int = 4) -> None:
        super().__init__(monoid)
        self.mistake, self.capacity, self.offset = mistake, capacity, offset
        self.slots: list[Any] = [monoid.identity] * start
        self.first = self.size = 0

    def insert(self, v: Any) -> None:
        if self.size == len(self.slots):
            self.grow()
        self.slots[(self.first + self.size) % len(self.slots)] = v
        self.size += 1

    def grow(self) -> None:
        capacity, first = len(self.slots), self.first
        wrong = self.capacity in (None, capacity) and (first > 0 if self.offset is None else first == self.offset)
        in_order = self.slots[first:] + self.slots[:first]
        if wrong and self.mistake == "copies as it lies":
            in_order = list(self.slots)
        elif wrong and self.mistake == "loses the last":
            in_order[-1] = self.monoid.identity
        elif wrong and self.mistake == "turns the other way":
            in_order = self.slots[-first:] + self.slots[:-first]
        self.slots, self.first = in_order + [self.monoid.identity] * capacity, 0

    def evict(self) -> None:
        self.first = (self.first + 1) % len(self.slots)
        self.size -= 1

    def query(self) -> Any:
        return self.product(self.slots[(self.first + at) % len(self.slots)] for at in range(self.size))


class Flip(DequeWindow):
    """Two stacks whose flip loses the newest element, only at this size of the back."""

    def __init__(self, monoid: Any, size: int) -> None:
        super().__init__(monoid)
        self.lost = size

    def flip(self) -> None:
        if len(self.newer) == self.lost:
            self.newer[-1] = self.identity
        super().flip()


class Compacting(ListWindow):
    """A list with a head, compacted when the head reaches `head`: it drops one element more if `left` remain."""

    def __init__(self, monoid: Any, head: int, left: int) -> None:
        super().__init__(monoid)
        self.head, self.limit, self.left = 0, head, left

    def evict(self) -> None:
        self.head += 1
        if self.head >= self.limit:
            del self.values[: self.head]
            self.head = 0
            if len(self.values) == self.left:
                self.values[0] = self.monoid.identity

    def query(self) -> Any:
        return self.product(self.values[self.head :])


class Blocks(ListWindow):
    """Blocks of this size with their products; a block that restarts while the window ends in it is not recomputed."""

    def __init__(self, monoid: Any, size: int) -> None:
        super().__init__(monoid)
        self.block, self.inserted = size, 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.inserted += 1
        if self.inserted % self.block == 0 and len(self.values) == self.block + 1:
            self.values[-2] = self.monoid.identity


class Stale(ListWindow):
    """It keeps a cached answer after an evict that leaves this size."""

    def __init__(self, monoid: Any, size: int) -> None:
        super().__init__(monoid)
        self.kept, self.answer = size, None

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.answer = None

    def evict(self) -> None:
        super().evict()
        if len(self.values) != self.kept:
            self.answer = None

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


class Counted(ListWindow):
    """It fails at a certain insert, as a counter that wraps."""

    def __init__(self, monoid: Any, count: int) -> None:
        super().__init__(monoid)
        self.left = count

    def insert(self, v: Any) -> None:
        self.left -= 1
        super().insert(v if self.left else self.monoid.identity)


class Typed(ListWindow):
    """Answers in a type that cannot represent every integer."""

    monoids = ("sum", "max", "min")

    def __init__(self, monoid: Any, convert: Callable[[int], Any]) -> None:
        super().__init__(monoid)
        self.convert = convert

    def query(self) -> Any:
        answer = super().query()
        return answer if answer is None else self.convert(answer)


class Monotonic(ListWindow):
    """A sliding maximum with a monotonic deque, which drops equal values, and loses one when they leave."""

    monoids = ("max",)

    def __init__(self, monoid: Any, from_value: int) -> None:
        super().__init__(monoid)
        self.peaks, self.from_value = deque[int](), from_value

    def insert(self, v: int) -> None:
        super().insert(v)
        while self.peaks and (self.peaks[-1] < v or (self.peaks[-1] == v and v >= self.from_value)):
            self.peaks.pop()
        self.peaks.append(v)

    def evict(self) -> None:
        if self.values.pop(0) == self.peaks[0]:
            self.peaks.popleft()

    def query(self) -> int | None:
        return self.peaks[0] if self.peaks else None


class Sorted(Dictionary):
    """Entries by time, with a mistake for a tie, a late entry or an evict at this place or size."""

    def __init__(self, monoid: Any, mistake: str, at: int) -> None:
        super().__init__(monoid)
        self.mistake, self.at = mistake, at

    def insert(self, t: int, v: Any) -> None:
        behind = sum(time > t for time in self.values)
        if t in self.values and self.mistake == "tie replaces at size" and len(self.values) == self.at:
            self.values[t] = v
        elif t in self.values and self.mistake == "tie swaps behind" and behind == self.at:
            self.values[t] = self.monoid.combine(v, self.values[t])
        elif t in self.values or self.mistake != "late is dropped" or behind != self.at:
            super().insert(t, v)

    def evict(self, t: int) -> None:
        if self.mistake == "evict takes the next at size" and len(self.values) == self.at and t not in self.values:
            t = min((time for time in self.values if time > t), default=t)
        super().evict(t)


def generated() -> Iterator[tuple[str, str, Make]]:
    """Yield the name of each, its kind of window, and its constructor."""
    for mistake in ("copies as it lies", "loses the last", "turns the other way"):
        for capacity, offset in ((4, 3), (8, 1), (16, 9), (32, 5), (64, 17), (None, None)):
            yield (
                f"ring of {capacity or 'any'} at {offset or 'any'} {mistake}",
                "fifo",
                partial(Ring, mistake=mistake, capacity=capacity, offset=offset),
            )
    for capacity, offset in ((10, 7), (20, 19), (80, 41)):
        made = partial(Ring, mistake="copies as it lies", capacity=capacity, offset=offset, start=10)
        yield f"ring of {capacity} at {offset}, from 10", "fifo", made
    for size in (2, 5, 13, 48, 101, 200):
        yield f"flip of {size}", "fifo", partial(Flip, size=size)
        yield f"stale at {size}", "fifo", partial(Stale, size=size)
        yield f"block of {size}", "fifo", partial(Blocks, size=size)
    for head, left in ((2, 1), (8, 8), (16, 3), (32, 20), (64, 10), (100, 30)):
        yield f"compacting at {head} with {left}", "fifo", partial(Compacting, head=head, left=left)
    for count in (4, 16, 256, 1001, 4096):
        yield f"insert {count}", "fifo", partial(Counted, count=count)
    for name, convert in (
        ("int32", lambda x: ctypes.c_int32(x).value),
        ("float64", lambda x: int(float(x))),
        ("int16", lambda x: ctypes.c_int16(x).value),
        ("unsigned", lambda x: ctypes.c_uint64(x).value),
    ):
        yield f"answers in {name}", "fifo", partial(Typed, convert=convert)
    for value in (-(10**9), 0, 5):
        yield f"equal values from {value}", "fifo", partial(Monotonic, from_value=value)
    for at in (1, 3, 10, 30, 60):
        for mistake in ("tie replaces at size", "tie swaps behind", "late is dropped", "evict takes the next at size"):
            yield f"{mistake} {at}", "out-of-order", partial(Sorted, mistake=mistake, at=at)
