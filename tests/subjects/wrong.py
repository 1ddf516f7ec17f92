"""Implementations that are wrong, each in one way that real ones have been wrong in, for the tests of the oracle."""

import time
from collections import deque
from typing import Any

from swagproof.models.operations import PRIME


class _List:
    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.values: list[Any] = []

    def insert(self, v: Any) -> None:
        self.values.append(v)

    def evict(self) -> None:
        del self.values[0]

    def query(self) -> Any:
        return self.product(self.values)

    def product(self, values: list[Any]) -> Any:
        product = self.monoid.identity
        for value in values:
            product = self.monoid.combine(product, value)
        return product


class _Halves:
    """Two stacks, right as it stands."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.older: list[Any] = []
        self.newer: list[Any] = []
        self.tail = monoid.identity

    def insert(self, v: Any) -> None:
        self.newer.append(v)
        self.tail = self.monoid.combine(self.tail, v)

    def flip(self) -> None:
        product = self.monoid.identity
        for value in reversed(self.newer):
            product = self.monoid.combine(value, product)
            self.older.append(product)
        self.newer = []
        self.tail = self.monoid.identity

    def evict(self) -> None:
        if not self.older:
            self.flip()
        self.older.pop()

    def query(self) -> Any:
        return self.monoid.combine(self.older[-1] if self.older else self.monoid.identity, self.tail)


class OperandSwap(_List):
    """It combines the newer with the older."""

    def product(self, values: list[Any]) -> Any:
        product = self.monoid.identity
        for value in values:
            product = self.monoid.combine(value, product)
        return product


class LosesAtFlip(_Halves):
    """The flip forgets the newest."""

    def flip(self) -> None:
        if len(self.newer) > 1:
            self.newer.pop()
            self.newer.insert(0, self.monoid.identity)
        super().flip()


class ZeroIdentity(_List):
    """The maximum of a window starts from 0."""

    monoids = ("max",)

    def query(self) -> Any:
        return max(0, *self.values) if self.values else None


class StaleAfterDrain(_Halves):
    """The product of the newer half survives the flip that empties the window."""

    def flip(self) -> None:
        tail = self.tail if len(self.newer) == 1 else self.monoid.identity
        super().flip()
        self.tail = tail

    def query(self) -> Any:
        return super().query() if self.older or self.newer else self.monoid.identity


class LateGrowth(_List):
    """Its array grows from 64 slots, and loses the first."""

    def query(self) -> Any:
        return self.product(self.values[1:] if len(self.values) > 64 else self.values)


class RingWithoutGrowth(_List):
    """A ring of 128 slots that does not notice when it is full."""

    def query(self) -> Any:
        return self.product(self.values[-128:])


class ChangesTheHanded(_List):
    """It gathers the newer values into the oldest, in place, where that is possible."""

    def insert(self, v: Any) -> None:
        if self.values and isinstance(v, list):
            self.values[-1] += v
            self.values.append([])
        else:
            self.values.append(v)


class AnswersItsOwnList(_List):
    """Its answer is the list that it goes on to append to."""

    monoids = ("mutable-collect",)

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.all: list[Any] = []

    def insert(self, v: Any) -> None:
        self.all.extend(v)

    def evict(self) -> None:
        self.all = self.all[1:]

    def query(self) -> Any:
        return self.all


class ChangesTheIdentity(_List):
    """It adds up in the monoid's own identity."""

    monoids = ("mutable-collect",)

    def product(self, values: list[Any]) -> Any:
        product = self.monoid.identity
        for value in values:
            product += value
        return list(product)


class CommutativeOnly(_Halves):
    """The newer half comes before the older."""

    def query(self) -> Any:
        return self.monoid.combine(self.tail, self.older[-1] if self.older else self.monoid.identity)


class CountsTwice(_Halves):
    """The product of the newer half is not reset by the flip."""

    def flip(self) -> None:
        tail = self.product_of_all_but_first()
        super().flip()
        self.tail = tail

    def product_of_all_but_first(self) -> Any:
        product = self.monoid.identity
        for value in self.newer[1:]:
            product = self.monoid.combine(product, value)
        return product


class WrongSideInverse:
    """It takes the oldest off at the newest's side."""

    monoids = ("affine",)

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.values: deque[Any] = deque()
        self.total = monoid.identity

    def insert(self, v: Any) -> None:
        self.values.append(v)
        self.total = self.monoid.combine(self.total, v)

    def evict(self) -> None:
        slope, shift = self.values.popleft()
        inverse = pow(slope, -1, PRIME)
        self.total = self.monoid.combine(self.total, (inverse, -shift * inverse % PRIME))

    def query(self) -> Any:
        return self.total


class ForgetsToInvalidate(_List):
    """It keeps its last answer until the next evict."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answer: Any = None

    def evict(self) -> None:
        super().evict()
        self.answer = None

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


class SecondQueryDiffers(_List):
    """Its query uses up what the next one needs."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.asked = False

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.asked = False

    def query(self) -> Any:
        answer = self.monoid.identity if self.asked else super().query()
        self.asked = True
        return answer


class RaisesWhenEmpty(_List):
    """An empty window has no answer for it."""

    def query(self) -> Any:
        product = self.values[0]
        for value in self.values[1:]:
            product = self.monoid.combine(product, value)
        return product


class WrongBeyond1000(_Halves):
    """It is wrong only in large windows."""

    def query(self) -> Any:
        answer = super().query()
        large = len(self.older) + len(self.newer) > 1000
        return self.monoid.combine(answer, self.newer[-1] if self.newer else answer) if large else answer


class OffByOneEvict(_List):
    """It evicts the newest when there are three."""

    def evict(self) -> None:
        del self.values[-1 if len(self.values) == 3 else 0]


class ForgetsAfterRefill(_List):
    """The second time it fills up after being empty, it starts with what it held before."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.drained: list[Any] = []

    def evict(self) -> None:
        if len(self.values) == 1:
            self.drained.append(self.values[0])
        super().evict()

    def query(self) -> Any:
        kept = self.drained[-1:] if len(self.drained) > 1 and self.values else []
        return self.product(kept + self.values)


class FloatSubtractsOnEvict:
    """A running floating sum: it keeps the rounding errors of what has left the window."""

    monoids = ("float-sum",)

    def __init__(self, _monoid: Any) -> None:
        self.values: deque[float] = deque()
        self.total = 0.0

    def insert(self, v: float) -> None:
        self.values.append(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values.popleft()

    def query(self) -> float:
        return self.total if self.values else 0.0


class Exits(_List):
    """It ends the program."""

    def query(self) -> Any:
        raise SystemExit(0)


class Shared(_List):
    """All windows share one list."""

    everything: list[Any] = []  # noqa: RUF012  # the mistake

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.values = self.everything


class Hangs(_List):
    """It never returns from the third insert, and holds off whoever only catches exceptions."""

    def insert(self, v: Any) -> None:
        super().insert(v)
        while len(self.values) == 3:
            try:
                time.sleep(0.01)
            except Exception:  # the mistake
                pass


class CannotBeBuilt:
    """It wants more than a monoid."""

    def __init__(self, monoid: Any, capacity: int) -> None:
        self.monoid = monoid
        self.capacity = capacity

    def insert(self, v: Any) -> None: ...

    def evict(self) -> None: ...

    def query(self) -> Any: ...


class HasNoEvict:
    """It is no window."""

    def insert(self, v: Any) -> None: ...

    def query(self) -> Any: ...


class DeclaresNonsense(_List):
    """It names an aggregation that there is none of."""

    monoids = ("summ",)
