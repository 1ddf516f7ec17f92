"""Sums in numbers of limited width: right while they fit, and wrong ones that fit less than they declare.

The right ones raise if a partial sum does not fit, so a search that exceeds their numbers fails.
"""

import ctypes
from array import array
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

from subjects.right import ListWindow

Held = Callable[[Any], Any]
"""The conversion of a stored number."""


def strictly(code: str) -> Held:
    """Return a conversion that raises OverflowError for numbers that do not fit."""
    return lambda x: array(code, [x])[0]


def wrapping(bits: int) -> Held:
    """Return a conversion modulo 2^bits, with a sign."""
    return lambda x: (x + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def saturating(bits: int) -> Held:
    """Return a conversion to the nearest number that fits."""
    return lambda x: max(-(2 ** (bits - 1)), min(2 ** (bits - 1) - 1, x))


def by_floats(x: Any) -> Any:
    """Convert an integer through a float."""
    return int(float(x))


class Longs:
    """A running sum, to which each element is added and from which it is subtracted."""

    monoids = ("sum",)
    held: ClassVar[Any] = staticmethod(strictly("q"))

    def __init__(self, _monoid: Any) -> None:
        self.values = deque[Any]()
        self.total = self.held(0)

    def insert(self, v: Any) -> None:
        self.values.append(v)
        self.total = self.held(self.total + v)

    def evict(self) -> None:
        self.total = self.held(self.total - self.values.popleft())

    def query(self) -> Any:
        return self.total


class MeansOfLongs(Longs):
    """A mean of integers, which declares 64 bits."""

    monoids = ("mean",)
    adapter: ClassVar[Any] = {"numbers": "int64", "lowered": True, "empty": "raises"}

    def query(self) -> Any:
        return Fraction(self.total, len(self.values))


class WholeProducts(Longs):
    """A product of integers, without those that are 0; it is divided by each that leaves."""

    monoids = ("product",)
    adapter: ClassVar[Any] = {"numbers": "int64"}

    def __init__(self, _monoid: Any) -> None:
        self.values = deque[Any]()
        self.total = 1

    def insert(self, v: Any) -> None:
        self.values.append(v)
        self.total *= v or 1

    def evict(self) -> None:
        self.total //= self.values.popleft() or 1

    def query(self) -> Any:
        return 0 if 0 in self.values else self.total


class MeansOfInts(MeansOfLongs):
    """Wrong: it stores 64-bit integers, and adds them in 32 bits."""

    def query(self) -> Any:
        return Fraction(wrapping(32)(self.total), len(self.values))


class MeansOfDoubles(MeansOfLongs):
    """A mean in floats, which declares them."""

    adapter: ClassVar[Any] = {"numbers": "doubles", "lowered": True, "empty": "raises"}
    held: ClassVar[Any] = staticmethod(float)

    def query(self) -> Any:
        return self.total / len(self.values)


class MeansOfDoublesForLongs(MeansOfDoubles):
    """Wrong: it declares 64 bits, and has 53."""

    adapter: ClassVar[Any] = MeansOfLongs.adapter


class LongsBySign(Longs):
    """It adds positive and negative elements separately: neither sum may be too large."""

    def evict(self) -> None:
        self.values.popleft()

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def query(self) -> Any:
        return self.held(sum(v for v in self.values if v > 0)) + self.held(sum(v for v in self.values if v < 0))


class LongsOutOfOrder(Longs):
    """Sums by time, from the youngest on."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.by_time: dict[Any, Any] = {}

    def insert(self, t: Any, v: Any) -> None:  # type: ignore[override]  # it takes times, too
        self.by_time[t] = self.held(self.by_time.get(t, 0) + v)

    def evict(self, t: Any) -> None:  # type: ignore[override]  # it takes times, too
        self.by_time.pop(t, None)

    def query(self) -> Any:
        total = self.held(0)
        for time in sorted(self.by_time, reverse=True):
            total = self.held(total + self.by_time[time])
        return total


class LongsInTime(Longs):
    """New elements are added before lapsed ones are subtracted."""

    def span(self, length: Any) -> None:
        self.length, self.times = length, deque[Any]()

    def insert(self, t: Any, v: Any) -> None:  # type: ignore[override]  # it takes times, too
        self.times.append(t)
        super().insert(v)
        self.advance(t)

    def advance(self, t: Any) -> None:
        while self.times and self.times[0] <= t - self.length:
            self.times.popleft()
            self.evict()


class LongsShared(Longs):
    """A running sum of each size."""

    def __init__(self, monoid: Any) -> None:
        self.windows: dict[int, Longs] = {}
        self.monoid = monoid

    def register(self, size: int) -> None:
        self.windows[size] = self.windows.get(size) or like(Longs, type(self).held)(self.monoid)

    def insert(self, v: Any) -> None:
        for size, window in self.windows.items():
            window.insert(v)
            if len(window.values) > size:
                window.evict()

    def lookup(self, size: int) -> Any:
        return self.windows[size].query()


def like(right: type[Longs], held: Held, numbers: str = "") -> type[Longs]:
    """Return the class with another conversion of stored numbers; it declares `numbers`."""
    said = {"adapter": {"numbers": numbers}} if numbers else {}
    return type(right.__name__, (right,), {"held": staticmethod(held), **said})


Integers = like(LongsBySign, int, "any")
WrapsWithoutBound = like(Integers, wrapping(64))


class LosesTheLeast(LongsBySign):
    """Wrong: the least integer has no opposite."""

    def insert(self, v: Any) -> None:
        super().insert(-min(-v, 2**63 - 1) if v < 0 else v)


class FoldsInLongs(ListWindow):
    """A window of any monoid, which stores integers in 64 bits."""

    def query(self) -> Any:
        answer = super().query()
        return wrapping(64)(answer) if type(answer) is int else answer


RIGHT: dict[str, tuple[type[Any], str]] = {
    "Longs": (Longs, "fifo"),
    "LongsBySign": (LongsBySign, "fifo"),
    "saturating longs": (like(LongsBySign, saturating(64)), "fifo"),
    "ints": (like(Longs, strictly("i"), "int32"), "fifo"),
    "doubles": (like(Longs, float, "doubles"), "fifo"),
    "Integers": (Integers, "fifo"),
    "ListWindow": (ListWindow, "fifo"),
    "LongsOutOfOrder": (LongsOutOfOrder, "out-of-order"),
    "LongsInTime": (LongsInTime, "time"),
    "LongsShared": (LongsShared, "shared"),
}

WRONG: dict[str, tuple[type[Any], str]] = {
    "32 bits, of which nothing is said": (like(Longs, wrapping(32)), "fifo"),
    "floats, of which nothing is said": (like(Longs, by_floats), "fifo"),
    "a bit short of 64": (like(Longs, saturating(63)), "fifo"),
    "LosesTheLeast": (LosesTheLeast, "fifo"),
    "WrapsWithoutBound": (WrapsWithoutBound, "fifo"),
    "FoldsInLongs": (FoldsInLongs, "fifo"),
    "floats of 32 bits": (like(Longs, lambda x: ctypes.c_float(x).value, "doubles"), "fifo"),
    "a bit short of 32": (like(Longs, wrapping(31), "int32"), "fifo"),
    "a bit short of 64, out of order": (like(LongsOutOfOrder, saturating(63)), "out-of-order"),
    "a bit short of 64, in time": (like(LongsInTime, saturating(63)), "time"),
    "a bit short of 64, shared": (like(LongsShared, saturating(63)), "shared"),
}
"""Each class with its kind of window."""
