"""Windows whose answers are right and whose costs exceed their claims, for the tests of the oracle."""

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
    """It undoes the front before each flip: n calls for every evict."""

    def evict(self) -> None:
        back: Stack[Any] = self.B
        values = [self.F[depth].val for depth in range(self.F.size)]
        values += [back[depth].val for depth in range(back.size)][::-1]
        self.F, self.B = Stack(), Stack()
        for value in values:
            self.insert(value)
        super().evict()


class LooksTwice(Daba[Any]):
    """It computes each answer twice, because of a forgotten debugging aid."""

    def query(self) -> Any:
        super().query()
        return super().query()


class CombinesWithTheIdentity(TwoStacks[Any]):
    """Each insert makes one call more than the theorem allows."""

    def insert(self, v: Any) -> None:
        super().insert(self.monoid.combine(self.monoid.identity, v))


class RebuildsTheTree(ReactiveAggregatorFifo[Any]):
    """Every query recomputes all slots."""

    def query(self) -> Any:
        if self.n_tuples:
            self.resize(self.capacity)
        return super().query()


class RepairsEverything(Fiba[Any]):
    """Every change recomputes all aggregates on both spines."""

    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        super().repair_aggs(top, hit_left, hit_right)
        node = self.root
        while not node.is_leaf():
            for _ in range(20):
                node.local_repair_agg()
            node = node.get_child(node.arity - 1)
        super().repair_aggs(self.root, True, True)


class ShortensNothing(FlatFit[Any]):
    """Its queries do not shorten the pointers: each follows the whole path again."""

    adapter = Adapter(claims="flat-fit")

    def query(self) -> Any:
        partials, pointers = [*self.partials], [*self.pointers]
        answer = super().query()
        self.partials, self.pointers = partials, pointers
        return answer


class AsksAllCandidates(SlickDeque[Any]):
    """Every insert compares with every candidate, also those behind the first that stays."""

    adapter = Adapter(claims="slick-deque")

    def insert(self, v: Any) -> None:
        for candidate in [*self.candidates][: max(0, self.size - 1 - len(self.candidates))]:
            self.monoid.combine(candidate.value, v)
        super().insert(v)


class DeclaredDaba(LooksTwice):
    """It declares its theorem itself."""

    adapter = Adapter(claims="daba")


class AddsUp(ListWindow):
    """A fixed sum that is recomputed: it makes no combine calls, and its time grows."""

    monoids = ("sum",)

    def query(self) -> int:
        return sum(self.values)


class CopiesTheMonoid(Recalculate[Any]):
    """It works on a deep copy of its monoid, whose calls count, too."""

    def query(self) -> Any:
        return super(CopiesTheMonoid, copy.deepcopy(self)).query()


class CombinesAtTheStart(TwoStacks[Any]):
    """It computes an unused table of powers in its constructor."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        for _ in range(1000):
            monoid.combine(monoid.identity, monoid.identity)


class OffersShortOnes(TwoStacks[Any]):
    """It offers only short traces, and meets its claim on these."""

    @staticmethod
    def offers(steps: Any) -> bool:
        return len(steps) < 6
