"""Shared windows that are wrong, each in one way that real ones have been, for the tests of the oracle."""

from collections import deque
from functools import reduce
from math import gcd
from typing import Any


class _Kept:
    """The elements of the largest window, and each answer from nothing; right as it stands."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.sizes: list[int] = []
        self.values: list[Any] = []

    def register(self, size: int) -> None:
        self.sizes.append(size)

    def insert(self, v: Any) -> None:
        self.values.append(v)
        del self.values[: -self.kept()]

    def kept(self) -> int:
        return max(self.sizes)

    def lookup(self, size: int) -> Any:
        return self.product(self.values[-size:])

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)


class ExpiresLate(_Kept):
    """An element stays as long as it is not older than the window's size."""

    def kept(self) -> int:
        return super().kept() + 1

    def lookup(self, size: int) -> Any:
        return super().lookup(size + 1)


class ExpiresEarly(_Kept):
    """The newest is counted among the old ones."""

    def lookup(self, size: int) -> Any:
        return super().lookup(max(1, size - 1))


class FullWindowsOnly(_Kept):
    """No answer until the window is full, as MIN_PERIODS has it."""

    def lookup(self, size: int) -> Any:
        return super().lookup(size) if len(self.values) >= size else self.monoid.identity


class RaisesBeforeTheFirst(_Kept):
    """Nothing to start from."""

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values)


class OperandSwap(_Kept):
    """The newer on the left."""

    def product(self, values: list[Any]) -> Any:
        return super().product(values[::-1])


class SharesWholePanes(_Kept):
    """Three windows and more share panes as long as their common divisor, of which the oldest is counted whole."""

    arrived = 0

    def insert(self, v: Any) -> None:
        self.arrived += 1
        super().insert(v)

    def kept(self) -> int:
        return 2 * super().kept()

    def lookup(self, size: int) -> Any:
        sizes = {*self.sizes}
        before = self.arrived - size
        return super().lookup(size + before % gcd(*sizes) if len(sizes) > 2 and before > 0 else size)


class TrimsToTheLastRegistered(_Kept):
    """It takes it that windows come in ascending order."""

    def kept(self) -> int:
        return self.sizes[-1]


class TrimsToTheFirstRegistered(_Kept):
    """Later windows are served from the first one's elements."""

    def kept(self) -> int:
        return self.sizes[0]


class LookupTrims(_Kept):
    """A look-up drops what its own window does not need."""

    def lookup(self, size: int) -> Any:
        del self.values[:-size]
        return super().lookup(size)


class LookupTakesTheAnswer(_Kept):
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


class StaleSmallerWindows(_Kept):
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
        _Kept.insert(self, v)
        self.cache.clear()

    def lookup(self, size: int) -> Any:
        larger = min((other for other in self.cache if other > size), default=size)
        return super().lookup(larger)


class RegisteredTwiceCountsTwice(_Kept):
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


class WholeBuckets(_Kept):
    """Partial results of four elements each: a window that begins inside a bucket takes all of it."""

    BUCKET = 4

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.arrived = 0

    def insert(self, v: Any) -> None:
        self.values.append(v)
        self.arrived += 1

    def lookup(self, size: int) -> Any:
        first = max(0, self.arrived - size)
        return self.product(self.values[first - first % self.BUCKET :])


class RingTooSmall(_Kept):
    """A ring whose capacity is a power of two: that below the largest window, not above."""

    def kept(self) -> int:
        return int(1 << (max(self.sizes).bit_length() - 1))


class NarrowTimestamps(_Kept):
    """Timestamps of ten bits: what came 1,024 elements ago looks new."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.now = 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.now = (self.now + 1) % 1024

    def lookup(self, size: int) -> Any:
        return super().lookup(size if self.now >= len(self.values) or len(self.values) < 2 else 1)


class OverlappingBlocks(_Kept):
    """A sparse table: two blocks of a power of two cover any window, which is right where x + x = x alone."""

    def product(self, values: list[Any]) -> Any:
        if len(values) < 3:
            return super().product(values)
        block = 1 << (len(values).bit_length() - 1)
        if block == len(values):
            return super().product(values)
        return self.monoid.combine(super().product(values[:block]), super().product(values[-block:]))


class LateGrowth(_Kept):
    """Windows beyond 300 elements lack the element at a seam."""

    def product(self, values: list[Any]) -> Any:
        return super().product(values if len(values) <= 300 else [*values[:299], *values[300:]])


class AccumulatesInPlace(_Kept):
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


class TieKeepsTheOlder(_Falling):
    """A value that is the maximum already is not noted again, and goes when its first arrival does."""

    def insert(self, v: Any) -> None:
        if self.falling and self.falling[-1][1] == v:
            self.now += 1
            if self.falling[0][0] <= self.now - self.largest:
                self.falling.popleft()
        else:
            super().insert(v)


class DropsOneAtMost(_Falling):
    """An `if` where a `while` was meant."""

    def drop(self, v: Any) -> None:
        if self.falling and self.falling[-1][1] <= v:
            self.falling.pop()


class FrontServesAll(_Falling):
    """The largest window's maximum answers every window: whether it is inside is not asked."""

    def lookup(self, size: int) -> Any:
        return self.falling[0][1] if self.falling else None


class ZeroIsNothing(_Falling):
    """An answer that is false counts as none."""

    def lookup(self, size: int) -> Any:
        return super().lookup(size) or None


class MissingFromTheEdge(_Falling):
    """The element at the very edge of a window counts as gone."""

    def lookup(self, size: int) -> Any:
        return super().lookup(size - 1) if size > 1 else super().lookup(size)


class _Prefixes:
    """Sums of everything so far, and their difference; right as it stands."""

    monoids = ("sum",)
    BITS = 64

    def __init__(self, _monoid: Any) -> None:
        self.largest = 0
        self.sums: list[int] = [0]

    def register(self, size: int) -> None:
        self.largest = max(self.largest, size)

    def insert(self, v: Any) -> None:
        self.sums.append(self.sums[-1] + v)
        del self.sums[: -self.largest - 1]

    def lookup(self, size: int) -> Any:
        return self.sums[-1] - self.sums[max(0, len(self.sums) - 1 - size)]


class ForgetsThePrefix(_Prefixes):
    """One sum too few is kept: that before the largest window."""

    def insert(self, v: Any) -> None:
        super().insert(v)
        if len(self.sums) > self.largest:
            self.sums.pop(0)
