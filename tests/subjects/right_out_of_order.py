"""Out-of-order windows that are right, for the tests of the oracle."""

from bisect import bisect_left, bisect_right
from functools import partial, reduce
from typing import Any

from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba


class SortedLists:
    """Times and values in two sorted lists."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.times: list[Any] = []
        self.values: list[Any] = []

    def insert(self, t: Any, v: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t]:
            self.values[at] = self.monoid.combine(self.values[at], v)
        else:
            self.times.insert(at, t)
            self.values.insert(at, v)

    def evict(self, t: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t]:
            del self.times[at], self.values[at]

    def query(self) -> Any:
        return self.product(self.values)

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        return self.product(self.values[bisect_left(self.times, t_from) : bisect_right(self.times, t_to)])

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)


class Dictionary:
    """Times in a dictionary, sorted at each query; without range queries."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.values: dict[Any, Any] = {}

    def insert(self, t: Any, v: Any) -> None:
        self.values[t] = self.monoid.combine(self.values[t], v) if t in self.values else v

    def evict(self, t: Any) -> None:
        self.values.pop(t, None)

    def query(self) -> Any:
        return reduce(self.monoid.combine, (self.values[t] for t in sorted(self.values)), self.monoid.identity)


class RunningSum:
    """A fixed function: a total, and the sum inserted at each time."""

    monoids = ("sum", "wide-sum")

    def __init__(self, _monoid: Any) -> None:
        self.values: dict[Any, int] = {}
        self.total = 0

    def insert(self, t: Any, v: int) -> None:
        self.values[t] = self.values.get(t, 0) + v
        self.total += v

    def evict(self, t: Any) -> None:
        self.total -= self.values.pop(t, 0)

    def query(self) -> int:
        return self.total


Fiba3 = partial(Fiba[Any], min_arity=3)
BTree8 = partial(BTree[Any], min_arity=8)


def dictionary(monoid: Any) -> Dictionary:
    """A function that builds windows, whose operations are unknown until then."""
    return Dictionary(monoid)


class Batched(SortedLists):
    """Two sorted lists; a bulk insert merges into them, and a bulk evict cuts off all entries up to a time."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        times, values = [], []
        for t, value in sorted([*zip(self.times, self.values, strict=True), *pairs], key=lambda pair: pair[0]):
            if times and times[-1] == t:
                values[-1] = self.monoid.combine(values[-1], value)
            else:
                times.append(t)
                values.append(value)
        self.times, self.values = times, values

    def bulk_evict(self, t: Any) -> None:
        gone = bisect_right(self.times, t)
        del self.times[:gone], self.values[:gone]
