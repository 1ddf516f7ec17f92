"""Shared windows that are wrong, each in one way that real ones have been, for the tests of the oracle."""

from collections import deque
from math import gcd
from typing import Any

from patches import patch
from right_shared import Kept

patch(globals(), Kept, r"""
ExpiresLate: An element stays as long as it is not older than the window's size.
    insert: max(self.sizes) -> max(self.sizes) - 1
    lookup: -size -> -size - 1
ExpiresEarly: The newest is counted among the old ones.
    lookup: -size -> -max(1, size - 1)
FullWindowsOnly: No answer until the window is full, as MIN_PERIODS has it.
    lookup: return -> return self.monoid.identity if len(self.values) < size else
RaisesBeforeTheFirst: Nothing to start from.
    product: , self.monoid.identity ->
OperandSwap: The newer on the left.
    product: values, -> values[::-1],
TrimsToTheLastRegistered: It takes it that windows come in ascending order.
    insert: max(self.sizes) -> self.sizes[-1]
TrimsToTheFirstRegistered: Later windows are served from the first one's elements.
    insert: max(self.sizes) -> self.sizes[0]
LookupTrims: A look-up drops what its own window does not need.
    lookup: return -> del self.values[:-size]\n    return
WholeBuckets: Partial results of four elements each: a window that begins inside a bucket takes all of it.
    insert: del self.values[: -max(self.sizes)] -> pass
    lookup: -size -> max(0, len(self.values) - size) // 4 * 4
RingTooSmall: A ring whose capacity is a power of two: that below the largest window, not above.
    insert: max(self.sizes) -> (1 << (max(self.sizes).bit_length() - 1))
LateGrowth: Windows beyond 300 elements lack the element at a seam.
    product: values, -> [*values[:299], *values[300:]] if len(values) > 300 else values,
""")  # fmt: skip


class SharesWholePanes(Kept):
    """Three windows and more share panes as long as their common divisor, of which the oldest is counted whole."""

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def lookup(self, size: int) -> Any:
        sizes = {*self.sizes}
        before = len(self.values) - size
        return super().lookup(size + before % gcd(*sizes) if len(sizes) > 2 and before > 0 else size)


class LookupTakesTheAnswer(Kept):
    """An output queue: what was looked up is gone until the next element."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.taken: set[int] = set()

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.taken.clear()

    def lookup(self, size: int) -> Any:
        if size in self.taken:
            return self.monoid.identity
        self.taken.add(size)
        return super().lookup(size)


class StaleSmallerWindows(Kept):
    """A cache for each window, of which an insert clears that of the largest alone."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.cache: dict[int, Any] = {}

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.cache.pop(max(self.sizes), None)

    def lookup(self, size: int) -> Any:
        if size not in self.cache:
            self.cache[size] = super().lookup(size)
        return self.cache[size]


class ServedByTheLarger(StaleSmallerWindows):
    """While fewer elements have come than a window holds, the next larger one has the same answer; it stays with it."""

    def insert(self, v: Any) -> None:
        Kept.insert(self, v)
        self.cache.clear()

    def lookup(self, size: int) -> Any:
        larger = min((other for other in self.cache if other > size), default=size)
        return super().lookup(larger)


class RegisteredTwiceCountsTwice(Kept):
    """A window that two queries want gets each element from both."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.windows: dict[int, deque[Any]] = {}

    def register(self, size: int) -> None:
        super().register(size)
        self.windows[size] = deque(maxlen=size)

    def insert(self, v: Any) -> None:
        for size in self.sizes:
            self.windows[size].append(v)

    def lookup(self, size: int) -> Any:
        return self.product(list(self.windows[size]))


class StopsAtTheFirstFull(RegisteredTwiceCountsTwice):
    """A `break` where a `continue` was meant: windows behind one that is full miss the element."""

    def register(self, size: int) -> None:
        if size not in self.sizes:
            super().register(size)

    def insert(self, v: Any) -> None:
        for size in self.sizes:
            window = self.windows[size]
            full = len(window) == size
            window.append(v)
            if full and size > 1:
                break


class NarrowTimestamps(Kept):
    """Timestamps of ten bits: what came 1,024 elements ago looks new."""

    now = 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.now = (self.now + 1) % 1024

    def lookup(self, size: int) -> Any:
        return super().lookup(size if self.now >= len(self.values) or len(self.values) < 2 else 1)


class OverlappingBlocks(Kept):
    """A sparse table: two blocks of a power of two cover any window, which is right where x + x = x alone."""

    def product(self, values: list[Any]) -> Any:
        block = 1 << max(0, len(values).bit_length() - 1)
        if block >= len(values):
            return super().product(values)
        return self.monoid.combine(super().product(values[:block]), super().product(values[-block:]))


class AccumulatesInPlace(Kept):
    """The oldest element's own value is what it adds to."""

    monoids = ("mutable-collect",)

    def product(self, values: list[Any]) -> Any:
        if not values:
            return list(self.monoid.identity)
        first, *rest = values
        for value in rest:
            first += value
        return first


class _Falling:
    """Maxima: the elements that nothing newer beats, with their arrival; right as it stands."""

    monoids = ("max",)

    def __init__(self, _monoid: Any) -> None:
        self.now = 0
        self.largest = 0
        self.falling: deque[tuple[int, Any]] = deque()

    def register(self, size: int) -> None:
        self.largest = max(self.largest, size)

    def insert(self, v: Any) -> None:
        self.now += 1
        self.drop(v)
        self.falling.append((self.now, v))
        if self.falling[0][0] <= self.now - self.largest:
            self.falling.popleft()

    def drop(self, v: Any) -> None:
        while self.falling and self.falling[-1][1] <= v:
            self.falling.pop()

    def lookup(self, size: int) -> Any:
        return next((v for arrival, v in self.falling if arrival > self.now - size), None)


patch(globals(), _Falling, """
DropsOneAtMost: An `if` where a `while` was meant.
    drop: while -> if
FrontServesAll: The largest window's maximum answers every window: whether it is inside is not asked.
    lookup: if arrival > self.now - size ->
ZeroIsNothing: An answer that is false counts as none.
    lookup: , None) -> , None) or None
MissingFromTheEdge: The element at the very edge of a window counts as gone.
    lookup: self.now - size -> self.now - size + (size > 1)
""")  # fmt: skip


class TieKeepsTheOlder(_Falling):
    """A value that is the maximum already is not noted again, and goes when its first arrival does."""

    def insert(self, v: Any) -> None:
        if self.falling and self.falling[-1][1] == v:
            self.now += 1
            if self.falling[0][0] <= self.now - self.largest:
                self.falling.popleft()
        else:
            super().insert(v)


class ForgetsThePrefix:
    """One sum too few is kept: that before the largest window."""

    monoids = ("sum",)

    def __init__(self, _monoid: Any) -> None:
        self.largest = 0
        self.sums: list[int] = [0]

    def register(self, size: int) -> None:
        self.largest = max(self.largest, size)

    def insert(self, v: Any) -> None:
        self.sums.append(self.sums[-1] + v)
        del self.sums[: -self.largest]

    def lookup(self, size: int) -> Any:
        return self.sums[-1] - self.sums[max(0, len(self.sums) - 1 - size)]
