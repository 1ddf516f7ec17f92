"""Defects of windows that insert at one end and evict at the other."""

from collections import deque
from functools import reduce
from typing import Any

from defect import Defect, define_defects


class _Window(Defect):
    """A list; a query computes the product.  Right without a defect."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.values: deque[Any] = deque()

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def evict(self) -> None:
        self.values.popleft()

    def query(self) -> Any:
        return self.product()

    def product(self) -> Any:
        return reduce(self.monoid.combine, self.values, self.monoid.identity)


class _Running(_Window):
    """A running sum; right for integers, without a defect."""

    monoids = ("sum",)
    total: Any = 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values.popleft()

    def query(self) -> Any:
        return self.total


define_defects(globals(), _Running, r"""
FirstStaysInTheSum (saddle/saddle/issues/64): It subtracts the value after the one that leaves from a running sum, so
  the stream's first value is never subtracted.
    evict: self.total -= self.values.popleft()
        -> gone = self.values.popleft()\n    self.total -= self.values[0] if self.values else gone
""")  # fmt: skip


class ExtremeNeverLeaves(_Window):
    """It updates the maximum and minimum when values arrive, but not when they leave."""

    thread = "jubatus/jubatus/issues/238"
    monoids = ("max", "min")

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.kept = monoid.identity

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.kept = self.monoid.combine(self.kept, v)

    def evict(self) -> None:
        super().evict()
        if not self.wrong or not self.values:
            self.kept = self.product()

    def query(self) -> Any:
        return self.kept


class AnyIsNeverDeducted(ExtremeNeverLeaves):
    """An aggregate that keeps its first value does nothing when this value is deducted: it stays until the window is
    empty.
    """

    thread = "hazelcast/hazelcast/issues/18695"
    monoids = ("first",)


class SlotNotReset(_Running):
    """Slots of a ring are reused without a reset: a new value is added to the slot's old contents, and both are
    subtracted from the total when the value leaves.
    """

    thread = "resilience4j/resilience4j/issues/1335"

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.free: list[list[int]] = []

    def insert(self, v: Any) -> None:
        slot = self.free.pop() if self.free else [0]
        slot[0] += v
        self.values.append(slot)
        self.total += v

    def evict(self) -> None:
        slot = self.values.popleft()
        self.total -= slot[0]
        if not self.wrong:
            slot[0] = 0
        self.free.append(slot)


class OneNodeHasNoNext(Defect):
    """The head of a linked list of slices becomes null when its only slice leaves, but the tail does not. The next
    slice is linked to the old tail, and the next eviction reads the null head.
    """

    thread = "resilience4j/resilience4j/issues/2379"
    monoids = ("sum",)

    def __init__(self, _monoid: Any) -> None:
        self.head: Any = None
        self.tail: Any = None
        self.total = 0

    def insert(self, v: Any) -> None:
        node = {"value": v, "next": None}
        if self.tail is not None:
            self.tail["next"] = node
        if self.tail is None or (self.head is None and not self.wrong):
            self.head = node
        self.tail = node
        self.total += v

    def evict(self) -> None:
        self.total -= self.head["value"]
        self.head = self.head["next"]

    def query(self) -> Any:
        return self.total


class RunningFloats(_Running):
    """A running float sum accumulates the rounding errors of all additions and subtractions."""

    thread = "cinar/indicator/pull/411"
    monoids = ("float-sum",)
    total = 0.0

    def query(self) -> Any:
        return self.total if self.wrong else self.product()


class StateAsAnswer(_Window):
    """It returns its state, not a copy, so earlier answers change with later values."""

    thread = "ClickHouse/ClickHouse/pull/34999"
    monoids = ("mutable-collect",)

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.state: list[Any] = []

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.state.extend(v)

    def evict(self) -> None:
        del self.state[: len(self.values.popleft())]

    def query(self) -> Any:
        return self.state if self.wrong else [*self.state]


class ExpiredOnlyOnce(_Running):
    """The cursor over expired values is not reset: after its first use it is at the end, and values that expire later
    are not subtracted.
    """

    thread = "siddhi-io/siddhi/issues/263"
    cursor = 0

    def evict(self) -> None:
        expired = [self.values.popleft()]
        if not self.wrong:
            self.cursor = 0
        while self.cursor < len(expired):
            self.total -= expired[self.cursor]
            self.cursor += 1


class CountsBeforeItCleans(_Window):
    """It counts entries before it removes those that have left, so the first answer after an evict is too large."""

    thread = "apache/shenyu/issues/6754"

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.left = 0

    def evict(self) -> None:
        self.left += 1

    def query(self) -> Any:
        if not self.wrong:
            self.clean()
        answer = self.product()
        self.clean()
        return answer

    def clean(self) -> None:
        """Remove the elements that have left."""
        for _ in range(self.left):
            self.values.popleft()
        self.left = 0
