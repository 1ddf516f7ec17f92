"""Windows whose answers are right and whose cost is not what they claim, for the tests of the oracle."""

import copy
from typing import Any

from subjects.right import ListWindow

from swagproof.models.containers.stack import Stack
from swagproof.oracle.adapting.declared import Adapter
from swagproof.reference.flat_trees.reactive_aggregator_fifo import ReactiveAggregatorFifo
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.recalculate import Recalculate
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.related_work.flat_fit import FlatFit
from swagproof.reference.related_work.slick_deque import SlickDeque
from swagproof.reference.trees.fiba import Fiba


class FlipsAtEachEvict(TwoStacks[Any]):
    """It takes the front apart again before it flips: n calls an evict, each time."""

    def evict(self) -> None:
        back: Stack[Any] = self.B
        values = [self.F[depth].val for depth in range(self.F.size)]
        values += [back[depth].val for depth in range(back.size)][::-1]
        self.F, self.B = Stack(), Stack()
        for value in values:
            self.insert(value)
        super().evict()


class LooksTwice(Daba[Any]):
    """A debugging aid that was left in: the answer is computed twice."""

    def query(self) -> Any:
        super().query()
        return super().query()


class CombinesWithTheIdentity(TwoStacks[Any]):
    """One call more than the theorem's at each insert."""

    def insert(self, v: Any) -> None:
        super().insert(self.monoid.combine(self.monoid.identity, v))


class RebuildsTheTree(ReactiveAggregatorFifo[Any]):
    """Every query writes all slots anew."""

    def query(self) -> Any:
        if self.n_tuples:
            self.resize(self.capacity)
        return super().query()


class RepairsEverything(Fiba[Any]):
    """Every aggregate on both spines is computed anew, whatever has changed."""

    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        super().repair_aggs(top, hit_left, hit_right)
        node = self.root
        while not node.is_leaf():
            for _ in range(20):
                node.local_repair_agg()
            node = node.get_child(node.arity - 1)
        super().repair_aggs(self.root, True, True)


class ShortensNothing(FlatFit[Any]):
    """Its queries leave the pointers as they were: each walks all the way again."""

    adapter = Adapter(claims="flat-fit")

    def query(self) -> Any:
        partials, pointers = [*self.partials], [*self.pointers]
        answer = super().query()
        self.partials, self.pointers = partials, pointers
        return answer


class AsksAllCandidates(SlickDeque[Any]):
    """Every insert asks every candidate, also those behind the first that stays."""

    adapter = Adapter(claims="slick-deque")

    def insert(self, v: Any) -> None:
        for candidate in [*self.candidates][: max(0, self.size - 1 - len(self.candidates))]:
            self.monoid.combine(candidate.value, v)
        super().insert(v)


class DeclaredDaba(LooksTwice):
    """It says itself which theorem it meets."""

    adapter = Adapter(claims="daba")


class AddsUp(ListWindow):
    """A sum from scratch, of a function that is not the monoid's: nothing is counted, and time grows."""

    monoids = ("sum",)

    def query(self) -> int:
        return sum(self.values)


class CopiesTheMonoid(Recalculate[Any]):
    """It works on a copy of itself, monoid and all, whose calls are calls, too."""

    def query(self) -> Any:
        return super(CopiesTheMonoid, copy.deepcopy(self)).query()


class CombinesAtTheStart(TwoStacks[Any]):
    """A table of powers is made when the window is, for nothing."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        for _ in range(1000):
            monoid.combine(monoid.identity, monoid.identity)


class OffersShortOnes(TwoStacks[Any]):
    """It takes short traces alone, and keeps what it claims in these."""

    @staticmethod
    def offers(steps: Any) -> bool:
        return len(steps) < 6
