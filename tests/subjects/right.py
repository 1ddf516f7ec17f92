"""Implementations that are right, for the tests of the oracle."""

from collections import deque
from collections.abc import Iterable
from functools import reduce
from typing import Any


class ListWindow:
    """A list, whose product is recomputed for each query."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.values: list[Any] = []

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def evict(self) -> None:
        del self.values[0]

    def query(self) -> Any:
        return self.product(self.values)

    def product(self, values: Iterable[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)


class DequeWindow:
    """Values in a deque, products of the older half in a list, and one product of the newer half."""

    def __init__(self, monoid: Any) -> None:
        self.combine, self.identity = monoid.combine, monoid.identity
        self.newer: deque[Any] = deque()
        self.older: list[Any] = []
        self.tail = self.identity

    def insert(self, v: Any) -> None:
        self.newer.append(v)
        self.tail = self.combine(self.tail, v)

    def evict(self) -> None:
        if not self.older:
            self.flip()
        self.older.pop()

    def flip(self) -> None:
        product = self.identity
        while self.newer:
            product = self.combine(self.newer.pop(), product)
            self.older.append(product)
        self.tail = self.identity

    def query(self) -> Any:
        return self.combine(self.older[-1] if self.older else self.identity, self.tail)


class RunningSum:
    """A fixed function: it ignores the monoid."""

    monoids = ("sum", "wide-sum")

    def __init__(self, _monoid: Any) -> None:
        self.values: deque[int] = deque()
        self.total = 0

    def insert(self, v: int) -> None:
        self.values.append(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values.popleft()

    def query(self) -> int:
        return self.total


class MonotoneMax:
    """The usual deque of candidates for a sliding maximum."""

    monoids = ("max",)

    def __init__(self, _monoid: Any) -> None:
        self.candidates: deque[tuple[int, int]] = deque()
        self.first = self.end = 0

    def insert(self, v: int) -> None:
        while self.candidates and self.candidates[-1][1] <= v:
            self.candidates.pop()
        self.candidates.append((self.end, v))
        self.end += 1

    def evict(self) -> None:
        if self.candidates[0][0] == self.first:
            self.candidates.popleft()
        self.first += 1

    def query(self) -> int | None:
        return self.candidates[0][1] if self.candidates else None


class Noisy(ListWindow):
    """A window that prints, also past Python."""

    def query(self) -> Any:
        import os

        print("noise from print")
        os.write(1, b"noise from below\n")
        return super().query()


class Announced(ListWindow):
    """A window that makes a file, named by SWAGPROOF_RUNNING, once it runs."""

    def __init__(self, monoid: Any) -> None:
        import os

        super().__init__(monoid)
        with open(os.environ["SWAGPROOF_RUNNING"], "w", encoding="utf-8"):
            pass


class Counter:
    """A custom monoid."""

    identity = 0
    samples = (1, 5, 2)

    def combine(self, a: int, b: int) -> int:
        return a + b


class Average:
    """A class that is no monoid."""

    identity = 0.0
    samples = (1.0, 2.0)

    def combine(self, a: float, b: float) -> float:
        return (a + b) / 2


class Bare:
    """A monoid without samples."""

    identity = 0

    def combine(self, a: int, b: int) -> int:
        return max(a, b)
