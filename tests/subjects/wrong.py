"""Wrong implementations, each with one mistake that real ones have made, for the tests of the oracle."""

import time
from typing import Any

from patches import patch
from right import DequeWindow, ListWindow, RunningSum

from swagproof.models.operations import PRIME

patch(globals(), ListWindow, r"""
OperandSwap: The newer operand is on the left.
    product: self.monoid.combine -> lambda older, newer: self.monoid.combine(newer, older)
ZeroIdentity over max: The maximum of a window starts from 0.
    query: self.product(self.values) -> max(0, *self.values) if self.values else None
LateGrowth: Its array loses the first element when it grows from 64 slots.
    query: self.values -> self.values[len(self.values) > 64 :]
RingWithoutGrowth: A ring of 128 slots does not notice that it is full.
    query: self.values -> self.values[-128:]
RaisesWhenEmpty: It raises an exception for an empty window.
    query: return -> _ = self.values[0]\n    return
OffByOneEvict: It evicts the newest element if there are three.
    evict: self.values[0] -> self.values[-1 if len(self.values) == 3 else 0]
Exits: Its query ends the process.
    query: return -> raise SystemExit(0)\n    return
ChangesTheHanded: It adds the newer values to the oldest in place, if the type allows it.
    insert: self.values -> if self.values and isinstance(v, list): self.values[-1] += v; v = []\n    self.values
AnswersItsOwnList over mutable-collect: It returns its own list, and appends to it later.
    insert: append -> extend
    evict: del self.values[0] -> self.values = self.values[1:]
    query: self.product(self.values) -> self.values
ChangesTheIdentity over mutable-collect: It accumulates in the monoid's identity object.
    product: reduce(self.monoid.combine, values, self.monoid.identity)
        -> list(reduce(list.__iadd__, values, self.monoid.identity))
SecondQueryDiffers: Its query consumes state that the next query needs.
    insert: self.values -> self.asked = False\n    self.values
    query: return
        -> asked, self.asked = getattr(self, "asked", False), True\n    return self.monoid.identity if asked else
CannotBeBuilt: It wants more than a monoid.
    __init__: monoid: Any -> monoid: Any, capacity: int
""")  # fmt: skip

patch(globals(), DequeWindow, r"""
StaleAfterDrain: A flip that empties the window does not reset the product of the newer half.
    flip: self.tail = -> self.tail = self.tail if len(self.older) == 1 else
    query: return -> return self.identity if not self.older and not self.newer else
CommutativeOnly: It combines the newer half before the older.
    query: self.combine -> (lambda older, newer: self.combine(newer, older))
CountsTwice: The flip does not reset the product of the newer half.
    flip: self.tail = -> self.tail = self.older[-2] if len(self.older) > 1 else
LosesAtFlip: The flip forgets the newest element.
    flip: while -> if len(self.newer) > 1: self.newer.rotate(); self.newer[0] = self.identity\n    while
""")  # fmt: skip

patch(globals(), RunningSum, """
FloatSubtractsOnEvict over float-sum: A running float sum keeps the rounding errors of values that have left the window.
    __init__: self.total = 0 -> self.total = 0.0
    query: self.total -> self.total if self.values else 0.0
""")  # fmt: skip


class WrongSideInverse(ListWindow):
    """It subtracts the oldest element on the side of the newest."""

    monoids = ("affine",)

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.total = monoid.identity

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.total = self.monoid.combine(self.total, v)

    def evict(self) -> None:
        slope, shift = self.values.pop(0)
        inverse = pow(slope, -1, PRIME)
        self.total = self.monoid.combine(self.total, (inverse, -shift * inverse % PRIME))

    def query(self) -> Any:
        return self.total


class ForgetsToInvalidate(ListWindow):
    """It caches its last answer until the next evict."""

    answer: Any = None

    def evict(self) -> None:
        super().evict()
        self.answer = None

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


class WrongBeyond1000(DequeWindow):
    """It is wrong only in large windows."""

    def query(self) -> Any:
        answer = super().query()
        large = len(self.older) + len(self.newer) > 1000
        return self.combine(answer, self.newer[-1] if self.newer else answer) if large else answer


class ForgetsAfterRefill(ListWindow):
    """It starts with its old contents when it fills up for the second time after being empty."""

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


class Shared(ListWindow):
    """All windows share one list."""

    everything: list[Any] = []  # noqa: RUF012  # the mistake

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.values = self.everything


class Hangs(ListWindow):
    """It never returns from the third insert, and catches exceptions."""

    def insert(self, v: Any) -> None:
        super().insert(v)
        while len(self.values) == 3:
            try:
                time.sleep(0.01)
            except Exception:  # the mistake
                pass


class HasNoEvict:
    """A class that is no window."""

    def insert(self, v: Any) -> None: ...

    def query(self) -> Any: ...


class DeclaresNonsense(ListWindow):
    """It declares an aggregation that does not exist."""

    monoids = ("summ",)
