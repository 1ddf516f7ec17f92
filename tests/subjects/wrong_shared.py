"""Wrong shared windows, each with one mistake that real ones have made, for the tests of the oracle."""

from collections import deque
from math import gcd
from typing import Any

from patches import patch
from right_shared import Kept

patch(globals(), Kept, r"""
ExpiresLate: An element leaves one position too late.
    insert: max(self.sizes) -> max(self.sizes) - 1
    lookup: -size -> -size - 1
ExpiresEarly: An element leaves one position too early.
    lookup: -size -> -max(1, size - 1)
FullWindowsOnly: It has no answer until the window is full, as with min_periods.
    lookup: return -> return self.monoid.identity if len(self.values) < size else
RaisesBeforeTheFirst: It raises an exception before the first element.
    product: , self.monoid.identity ->
OperandSwap: The newer operand is on the left.
    product: values, -> values[::-1],
TrimsToTheLastRegistered: It keeps only the elements of the window registered last.
    insert: max(self.sizes) -> self.sizes[-1]
TrimsToTheFirstRegistered: It keeps only the elements of the window registered first.
    insert: max(self.sizes) -> self.sizes[0]
LookupTrims: A lookup drops elements that only larger windows need.
    lookup: return -> del self.values[:-size]\n    return
WholeBuckets: It stores partial results of four elements; a window that begins inside of one contains all of it.
    insert: del self.values[: -max(self.sizes)] -> pass
    lookup: -size -> max(0, len(self.values) - size) // 4 * 4
RingTooSmall: Its ring's capacity is the power of two below the largest window, not above it.
    insert: max(self.sizes) -> (1 << (max(self.sizes).bit_length() - 1))
NarrowTimestamps: Its timestamps have ten bits: an element from 1,024 inserts ago looks new.
    insert: self.values.append(v) -> self.values.append(v)\n    self.now = (getattr(self, "now", 0) + 1) % 1024
    lookup: return -> size = 1 if 2 <= len(self.values) > getattr(self, "now", 0) else size\n    return
LateGrowth: Windows of more than 300 elements lack the element between two blocks.
    product: values, -> [*values[:299], *values[300:]] if len(values) > 300 else values,
AccumulatesInPlace over mutable-collect: It accumulates in the oldest element's value.
    product: reduce(self.monoid.combine, values, self.monoid.identity)
        -> reduce(list.__iadd__, values) if values else list(self.monoid.identity)
""")  # fmt: skip


class SharesWholePanes(Kept):
    """Three or more windows share panes, and the oldest pane is counted whole."""

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def lookup(self, size: int) -> Any:
        sizes = {*self.sizes}
        before = len(self.values) - size
        return super().lookup(size + before % gcd(*sizes) if len(sizes) > 2 and before > 0 else size)


class LookupTakesTheAnswer(Kept):
    """A lookup removes the answer until the next insert."""

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
    """It caches an answer for each window; an insert clears only that of the largest."""

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
    """A lookup returns the cached answer of a larger window, if there is one."""

    def insert(self, v: Any) -> None:
        Kept.insert(self, v)
        self.cache.clear()

    def lookup(self, size: int) -> Any:
        larger = min((other for other in self.cache if other > size), default=size)
        return super().lookup(larger)


class RegisteredTwiceCountsTwice(Kept):
    """A window that is registered twice receives each element twice."""

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
    """A `break` instead of a `continue`: windows after a full one miss the element."""

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


class OverlappingBlocks(Kept):
    """It combines two overlapping blocks, which is right only if x + x = x."""

    def product(self, values: list[Any]) -> Any:
        block = 1 << max(0, len(values).bit_length() - 1)
        if block >= len(values):
            return super().product(values)
        return self.monoid.combine(super().product(values[:block]), super().product(values[-block:]))


class _Falling:
    """Maxima: the elements that no newer one exceeds, with their arrival; right without a mistake."""

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


patch(globals(), _Falling, r"""
DropsOneAtMost: An `if` instead of a `while`: it drops at most one element.
    drop: while -> if
FrontServesAll: It answers every window with the maximum of the largest, even if that is outside.
    lookup: if arrival > self.now - size ->
ZeroIsNothing: It takes an answer that is falsy for no answer.
    lookup: , None) -> , None) or None
MissingFromTheEdge: It excludes the oldest element of a window.
    lookup: self.now - size -> self.now - size + (size > 1)
TieKeepsTheOlder: It ignores a value equal to the maximum, and loses it when the first one leaves.
    insert: self.drop(v)\n    self.falling
        -> if not self.falling or self.falling[-1][1] != v: self.drop(v); self.falling
""")  # fmt: skip


class ForgetsThePrefix:
    """It does not keep the prefix sum before the largest window."""

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
