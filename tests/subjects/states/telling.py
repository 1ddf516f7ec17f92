"""Windows that tell their state by a method `state()`, most of them wrong, for the tests of the oracle."""

from typing import Any

from swagproof.models.containers.element import Element
from swagproof.oracle.states.check import dump
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.trees.fiba import Fiba


class _Told:
    monoid: Any

    def state(self) -> Any:
        return dump(self, self.monoid)


class RightDabaLite(_Told, DabaLite[Any]):
    """Right."""


class FlipsBackwards(_Told, TwoStacks[Any]):
    """The aggregates of the front stack have their operands swapped."""

    def evict(self) -> None:
        if self.F.is_empty():
            while not self.B.is_empty():
                self.F.push(Element(self.B.top().val, self.monoid.combine(self.pi_F(), self.B.top().val)))
                self.B.pop()
        self.F.pop()


class KeepsTheAccumulator(_Told, DabaLite[Any]):
    """aggB is not cleared when the back becomes the front."""

    def fixup(self) -> None:
        kept = self.aggB
        super().fixup()
        if self.B == self.E and self.F != self.B:
            self.aggB = kept


class ForgetsTheSpine(_Told, Fiba[Any]):
    """The changes of a late insert inside the tree are not carried on to the finger."""

    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        if not top.is_root() or not top.children:
            super().repair_aggs(top, hit_left, hit_right)


class TellsNonsense(FlipsBackwards):
    """Its state names no algorithm."""

    def state(self) -> Any:
        return {"algorithm": "three-stacks"}


class RaisesWhenAsked(FlipsBackwards):
    """Its state cannot be had."""

    def state(self) -> Any:
        raise RuntimeError("not now")


class StateIsFine(_Told, TwoStacks[Any]):
    """Only the answer is wrong: the invariants hold."""

    def query(self) -> Any:
        return self.monoid.combine(self.pi_B(), self.pi_F())
