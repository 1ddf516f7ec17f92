"""FIFO windows that are wrong only in bulk, for the tests of the oracle."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from patches import patch
from right import ListWindow

from swagproof.models.containers.element import Element
from swagproof.reference.in_order.two_stacks import TwoStacks


class _Bulked(ListWindow):
    """A list; right without a mistake."""

    def bulk_insert(self, values: Sequence[Any]) -> None:
        self.values += values

    def bulk_evict(self, count: int) -> None:
        del self.values[:count]


patch(globals(), _Bulked, r"""
PushesInFront: A bulk is pushed onto a stack one by one, which reverses its order.
    bulk_insert: += values -> += values[::-1]
LoopStopsEarly: Its loop over the bulk stops before the last element.
    bulk_insert: += values -> += values[:-1]
NeedsElements: It reads the first element of an empty bulk.
    bulk_insert: self.values += -> _ = values[0]\n    self.values +=
CutsFromTheEnd: It slices the remaining elements from the end: if none should remain, all do.
    bulk_evict: del self.values[:count] -> self.values = self.values[count - len(self.values) :]
AtLeastOne: Its loop tests at the end: evicting no elements evicts one.
    bulk_evict: :count -> : max(1, count)
LargeBulksGoInBlocks: It inserts bulks in blocks of 100, and drops an incomplete last block after a full one.
    bulk_insert: += values -> += values[: len(values) // 100 * 100] if len(values) > 100 else values
EvictsByChunks: It stores chunks of 16: a bulk evict that ends one element behind a chunk leaves that element.
    bulk_evict: :count -> : count - (count > 16 and count % 16 == 1)
""")  # fmt: skip


class ForgetsTheRunningSum(_Bulked):
    """A bulk evict subtracts only its first element from a running sum."""

    monoids = ("sum",)
    total = 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values[0]
        super().evict()

    def query(self) -> Any:
        return self.total

    def bulk_insert(self, values: Sequence[Any]) -> None:
        for value in values:
            self.insert(value)

    def bulk_evict(self, count: int) -> None:
        self.total -= sum(self.values[: min(1, count)])
        super().bulk_evict(count)


class CutsTheBackUnsummed(TwoStacks[Any]):
    """A bulk evict that reaches the back leaves running products that contain evicted elements."""

    def bulk_evict(self, count: int) -> None:
        for _ in range(front := min(count, self.F.size)):
            self.F.pop()
        kept: list[Any] = []
        while not self.B.is_empty():
            kept.append(self.B.top())
            self.B.pop()
        for element in kept[::-1][count - front :]:
            self.B.push(element)


class SumsTheBulkAlone(TwoStacks[Any]):
    """The running products of a bulk do not continue the existing ones if the front is not empty."""

    def bulk_insert(self, values: Sequence[Any]) -> None:
        product = self.monoid.identity if not self.F.is_empty() else self.pi_B()
        for value in values:
            product = self.monoid.combine(product, value)
            self.B.push(Element(value, product))


class _Ring(_Bulked):
    """A ring of 4 slots, which doubles; right without a mistake."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.values = [None] * 4
        self.first = self.size = 0

    def insert(self, v: Any) -> None:
        self.reserve(1)
        self.values[(self.first + self.size) % len(self.values)] = v
        self.size += 1

    def reserve(self, more: int) -> None:
        while self.size + more > len(self.values):
            self.values = [*self.values[self.first :], *self.values[: self.first], *[None] * len(self.values)]
            self.first = 0

    def evict(self) -> None:
        self.bulk_evict(1)

    def query(self) -> Any:
        held = (self.values[(self.first + at) % len(self.values)] for at in range(self.size))
        return reduce(self.monoid.combine, held, self.monoid.identity)

    def bulk_insert(self, values: Sequence[Any]) -> None:
        self.reserve(len(values))
        for value in values:
            self.insert(value)

    def bulk_evict(self, count: int) -> None:
        self.first = (self.first + count) % len(self.values)
        self.size -= count


class DoublesOnce(_Ring):
    """Its array doubles once for a bulk of any size."""

    def bulk_insert(self, values: Sequence[Any]) -> None:
        self.reserve(min(len(values), len(self.values) - self.size + 1) if self.size < len(self.values) else 1)
        for value in values:
            self.values[(self.first + self.size) % len(self.values)] = value
            self.size += 1


class CopiesInTwoParts(_Ring):
    """It copies a bulk that wraps around in two parts; from 32 slots on, the second lands one slot late."""

    def bulk_insert(self, values: Sequence[Any]) -> None:
        self.reserve(len(values))
        end = (self.first + self.size) % len(self.values)
        fits = len(self.values) - end
        self.values[end : end + len(values[:fits])] = values[:fits]
        late = int(len(self.values) >= 32 and len(values) > fits)
        self.values[late : late + len(values[fits:])] = values[fits:]
        self.size += len(values)


class WrapsWithoutTheModulus(_Ring):
    """A bulk evict that wraps around leaves the first slot behind the last."""

    def bulk_evict(self, count: int) -> None:
        self.first += count
        if self.first > len(self.values):
            self.first -= len(self.values) - (count > 1)
        self.first %= len(self.values)
        self.size -= count
