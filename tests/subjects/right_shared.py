"""Shared windows that are right, for the tests of the oracle."""

from fractions import Fraction
from functools import reduce
from typing import Any

from swagproof.reference.related_work.flat_fit import FlatFit
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, OrderedSharingMin
from swagproof.reference.sharing.timegram import TimeGram


class Kept:
    """The elements of the largest window, with recomputed answers."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.sizes: list[int] = []
        self.values: list[Any] = []

    def register(self, size: int) -> None:
        self.sizes.append(size)

    def insert(self, v: Any) -> None:
        self.values.append(v)
        del self.values[: -max(self.sizes)]

    def lookup(self, size: int) -> Any:
        return self.product(self.values[-size:])

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)


class OneTable:
    """FlatFIT: one window of the largest size, which also serves the others."""

    def __init__(self, monoid: Any) -> None:
        self.window: FlatFit[Any] = FlatFit(monoid)
        self.largest = self.held = 0

    def register(self, size: int) -> None:
        self.largest = max(self.largest, size)

    def insert(self, v: Any) -> None:
        self.window.insert(v)
        self.held += 1
        if self.held > self.largest:
            self.window.evict()
            self.held -= 1

    def lookup(self, size: int) -> Any:
        return self.window.lookup(min(size, self.held))


class OrderedMax(OrderedSharing[Any]):
    """The reference for maxima, which takes no monoid."""

    monoids = ("max",)

    def __init__(self, _monoid: Any) -> None:
        super().__init__()


class OrderedMin(OrderedSharingMin[Any]):
    """The reference for minima, which takes no monoid."""

    monoids = ("min",)

    def __init__(self, _monoid: Any) -> None:
        super().__init__()


class _Gram(TimeGram):
    """Buckets of width 1 with an integer in the middle of each, so that the middle of an answer is exact."""

    def __init__(self, _monoid: Any) -> None:
        super().__init__(Fraction(-1, 2), Fraction(1, 2), 1)


class GramMax(_Gram):
    """Maxima."""

    monoids = ("max",)

    def lookup(self, size: int) -> Any:
        bounds = self.max(size)
        return None if bounds is None else int(sum(bounds) / 2)


class GramSum(_Gram):
    """Sums."""

    monoids = ("sum", "wide-sum")

    def lookup(self, size: int) -> Any:
        return int(sum(self.sum(size)) / 2)


class GramCount(_Gram):
    """Counts of inserted ones."""

    monoids = ("count",)

    def lookup(self, size: int) -> Any:
        return self.count(size)
