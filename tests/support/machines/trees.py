"""Tests for every out-of-order tree: each algorithm's test class names its column and inherits the rest."""

import math
import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from support.machines.columns import EXAMPLES, MachineTests
from support.machines.state_machines import assert_found, run_fresh, run_machine

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.testing.machines import out_of_order_machine
from swagproof.oracle.testing.out_of_order_machine import INTEGERS
from swagproof.proofs.ledger.mutants import Mutant

CLOSE = st.integers(0, 99)
"""Few times, so that they recur."""
FLOATS = st.floats(allow_nan=False)

TIMES: dict[str, Callable[[int], Any]] = {
    "floats": float,
    "fractions": lambda t: Fraction(t, 7),
    "decimals": lambda t: Decimal(t) / 4,
    "datetimes": lambda t: datetime(2018, 10, 1) + timedelta(hours=t),
    "text": lambda t: f"{t:06}",
    "pairs": lambda t: (t // 5, t % 5),
}


class OutOfOrderAlgorithm(MachineTests):
    """Machines and mutants: `class TestFiba(OutOfOrderAlgorithm): algorithm, checked = Fiba, CheckedFiba`."""

    machine = staticmethod(out_of_order_machine)
    unseen = ("times are not looked at",)
    """Mutants that a machine does not find, because it draws no incomparable time."""
    wide: ClassVar[Sequence[str]] = ()
    """Mutants that are visible only in nodes of min-arity 4."""

    def test_machine(self, operation: Operation[Any, Any, Any]) -> None:
        run_fresh(out_of_order_machine(self.algorithm, operation, times=CLOSE), max_examples=EXAMPLES)

    @pytest.mark.parametrize(("min_arity", "times"), [(3, FLOATS), (4, st.datetimes()), (8, INTEGERS)])
    @pytest.mark.drawn(1)
    def test_machine_of_larger_nodes(self, min_arity: int, times: Any) -> None:
        run_fresh(out_of_order_machine(lambda o: self.algorithm(o, min_arity), CONCATENATION, times=times))
        run_fresh(out_of_order_machine(lambda o: self.checked(o, min_arity), CONCATENATION, times=times, longest=40))

    @pytest.mark.drawn(3)
    def test_mutant_is_killed_by_a_machine(self, mutant: Mutant) -> None:
        """Check under contracts, because some trees answer rightly from nodes that are too large; and with min-arity 3,
        because some mutants need a node that keeps an entry when it has too few.
        """
        if mutant.hidden:
            run_machine(out_of_order_machine(mutant.of(self.algorithm), CONCATENATION), max_examples=5)
        else:
            checked = mutant.checked(self.algorithm, self.checked)
            min_arity = 4 if mutant.name in self.wide else 3
            machine = out_of_order_machine(lambda o: checked(o, min_arity), CONCATENATION, times=CLOSE, longest=40)
            assert_found(machine, max_examples=4000)

    @pytest.mark.parametrize("kind", TIMES)
    def test_times_of_any_ordered_type(self, kind: str) -> None:
        tree, model = self.checked(CONCATENATION), OutOfOrderWindow(CONCATENATION)
        chance = random.Random(7)
        for number in range(60):
            t = TIMES[kind](chance.randrange(25))
            if number % 3 == 2:
                tree.evict(t)
                model.evict(t)
            else:
                tree.insert(t, chr(97 + number % 26))
                model.insert(t, chr(97 + number % 26))
            ends = TIMES[kind](chance.randrange(25)), TIMES[kind](chance.randrange(25))
            assert tree.query() == model.query()
            assert tree.range_query(*ends) == model.range_query(*ends)

    def test_infinite_times_of_the_users_own(self) -> None:
        for n in range(14):
            tree, model = self.algorithm(CONCATENATION), OutOfOrderWindow(CONCATENATION)
            times = [math.inf, *map(float, range(n)), -math.inf]
            for number, t in enumerate(times):
                tree.insert(t, chr(97 + number))
                model.insert(t, chr(97 + number))
            for t_from in times:
                for t_to in times:
                    assert tree.range_query(t_from, t_to) == model.range_query(t_from, t_to)

    def test_an_empty_window(self) -> None:
        tree = self.algorithm(CONCATENATION)
        tree.evict(1)
        assert (tree.query(), tree.size, tree.range_query(0, 5)) == ("", 0, "")
        for end in (tree.oldest, tree.youngest):
            with pytest.raises(EmptyWindowError, match="est: the window is empty"):
                end()
        tree.insert(1, "a")
        tree.evict(1)
        tree.insert(2, "b")
        assert (tree.query(), tree.oldest(), tree.youngest()) == ("b", 2, 2)
