"""Tests for every out-of-order tree: each algorithm's test class names its column and inherits the rest."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from support.state_machines import run_machine

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, MUTABLE_COLLECT, SUM, Operation
from swagproof.models.out_of_order import OutOfOrderWindow, TimeError
from swagproof.oracle.testing.machines import out_of_order_machine
from swagproof.proofs.explorer.walk import Counts
from swagproof.proofs.ledger.claim import settle
from swagproof.proofs.trees.out_of_order import FAMILIES, check_bounds, claim, reject
from swagproof.proofs.trees.shapes import Bound, explored
from swagproof.reference.catalogue import Column

MIN_ARITIES = (2, 3, 4, 8)

WIDER = Bound(4, 12)
"""Larger nodes than those of the ledger's rows, which visit the other trees."""

TIMES: dict[str, Callable[[int], Any]] = {
    "floats": float,
    "fractions": lambda t: Fraction(t, 7),
    "decimals": lambda t: Decimal(t) / 4,
    "datetimes": lambda t: datetime(2018, 10, 1) + timedelta(hours=t),
    "text": lambda t: f"{t:06}",
    "pairs": lambda t: (t // 5, t % 5),
}


def levels(tree: Any) -> int:
    """Return how many nodes there are from the root to a leaf."""
    count, node = 1, tree.root
    while not node.is_leaf():
        count, node = count + 1, node.get_child(0)
    return count


class Tree:
    """The tests of one algorithm's column."""

    column: ClassVar[Column]
    proofs: ClassVar[ModuleType]

    def test_every_tree_of_larger_nodes(self) -> None:
        """In either algorithm the counts are these: they have the same shapes."""
        assert explored(self.column, WIDER) == Counts(31, 1043)

    def test_the_reference_violates_no_contract(self) -> None:
        window = self.column.checked(CONCATENATION)
        for t in (4, 3, 2, 1, 4, 2):
            window.insert(t, "a")
            window.query()
        for t in (3, 9, 1, 2, 4):
            window.evict(t)
            window.range_query(1, 3)
        assert window.query() == ""

    @pytest.mark.parametrize("operation", [CONCATENATION, SUM, MATRIX, ARG_MAX, MUTABLE_COLLECT], ids=lambda o: o.name)
    def test_machine_under_contracts(self, operation: Operation[Any, Any, Any]) -> None:
        run_machine(
            out_of_order_machine(self.column.checked, operation, longest=30), max_examples=4, stateful_step_count=12
        )

    @pytest.mark.parametrize("min_arity", MIN_ARITIES)
    def test_machine(self, min_arity: int) -> None:
        for times in (st.integers(0, 40), st.floats(allow_nan=False), st.datetimes()):
            machine = out_of_order_machine(lambda o: self.column.algorithm(o, min_arity), CONCATENATION, times=times)
            run_machine(machine, max_examples=6)

    def test_tall_trees(self) -> None:
        tree, model = self.column.algorithm(CONCATENATION), OutOfOrderWindow(CONCATENATION)
        chance = random.Random(1972)
        times = list(range(1500))
        chance.shuffle(times)
        for number, t in enumerate(times):
            tree.insert(t, chr(0x3B1 + t))
            model.insert(t, chr(0x3B1 + t))
            if number % 50 == 0:
                assert tree.query() == model.query()
        assert levels(tree) >= 6
        assert (tree.size, tree.oldest(), tree.youngest()) == (1500, 0, 1499)
        chance.shuffle(times)
        for number, t in enumerate(times):
            tree.evict(t)
            model.evict(t)
            if number % 50 == 0:
                assert tree.query() == model.query()
                t_from, t_to = sorted(chance.sample(range(-1, 1501), 2))
                assert tree.range_query(t_from, t_to) == model.range_query(t_from, t_to)
        assert (tree.size, tree.query(), levels(tree)) == (0, "", 1)

    @pytest.mark.parametrize("kind", TIMES)
    def test_times_of_any_ordered_type(self, kind: str) -> None:
        tree, model = self.column.checked(CONCATENATION), OutOfOrderWindow(CONCATENATION)
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
            tree, model = self.column.algorithm(CONCATENATION), OutOfOrderWindow(CONCATENATION)
            times = [math.inf, *map(float, range(n)), -math.inf]
            for number, t in enumerate(times):
                tree.insert(t, chr(97 + number))
                model.insert(t, chr(97 + number))
            for t_from in times:
                for t_to in times:
                    assert tree.range_query(t_from, t_to) == model.range_query(t_from, t_to)

    @pytest.mark.parametrize("n", [0, 1, 3, 4, 20])
    @pytest.mark.parametrize("t", [math.nan, Decimal("NaN"), None, "3", datetime(2018, 1, 1), {1}, 1j])
    def test_a_time_that_does_not_compare_is_refused_and_changes_nothing(self, n: int, t: Any) -> None:
        tree = self.column.checked(CONCATENATION)
        for number in range(n):
            tree.insert(number, chr(97 + number))
        if n == 0 and isinstance(t, str | datetime | set):  # alone, it may have an order
            tree.insert(t, "z")
            assert tree.query() == "z"
            return
        before = tree.query()
        for refused in (
            lambda: tree.insert(t, "z"),
            lambda: tree.evict(t),
            lambda: tree.range_query(t, 1),
            lambda: tree.range_query(1, t),
        ):
            with pytest.raises(TimeError, match=r"^time .* without NaN"):
                refused()
        assert (tree.query(), tree.size) == (before, n)

    def test_the_ends_of_a_range_compare_with_the_window_and_with_each_other(self) -> None:
        tree = self.column.checked(CONCATENATION)
        with pytest.raises(TimeError, match=r"^time '2' does not compare with 1;"):
            tree.range_query(1, "2")
        tree.insert(1, "a")
        with pytest.raises(TimeError, match=r"^time '1' does not compare with 1;"):
            tree.range_query("1", "2")

    def test_an_empty_window(self) -> None:
        tree = self.column.algorithm(CONCATENATION)
        tree.evict(1)
        assert (tree.query(), tree.size, tree.range_query(0, 5)) == ("", 0, "")
        for end in (tree.oldest, tree.youngest):
            with pytest.raises(EmptyWindowError, match="est: the window is empty"):
                end()
        tree.insert(1, "a")
        tree.evict(1)
        tree.insert(2, "b")
        assert (tree.query(), tree.oldest(), tree.youngest()) == ("b", 2, 2)

    @pytest.mark.parametrize("min_arity", [1, 0, -3, 2.5, "3", None, True])
    def test_a_min_arity_that_is_no_int_of_at_least_two_is_refused(self, min_arity: Any) -> None:
        said = "less than 2" if type(min_arity) is int else "no int; give one of at least 2"
        for algorithm in (self.column.algorithm, self.column.checked):
            with pytest.raises(ValueError, match=f"min_arity: .* is {said}"):
                algorithm(CONCATENATION, min_arity)

    def test_query_calls(self) -> None:
        monoid = Counting(CONCATENATION)
        tree = self.column.algorithm(monoid)
        for t in range(200):
            tree.insert(t, "a")
            monoid.calls = 0
            tree.query()
            assert self.column.contract.query_calls(t + 1, monoid.calls)

    def test_a_claim_fails_for_a_wrong_reference(self) -> None:
        variant = self.proofs.WRONG[0]
        wrong = replace(self.column, algorithm=variant.of(self.column.algorithm))
        row = settle(replace(claim(wrong, self.proofs.WRONG, "contents", bounds=(Bound(2, 12),)), controls=()))
        assert (row.verdict, row.detail) == ("fails", str(explored(wrong, Bound(2, 12))))

    def test_other_counts_than_expected_are_unknown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("swagproof.proofs.trees.out_of_order.COUNTS", {Bound(2, 3): Counts(4, 33)})
        outcome = check_bounds(self.column, (Bound(2, 3),))
        assert (outcome.verdict, outcome.detail) == ("unknown", "4 trees, 28 operations, not (4, 33)")

    def test_a_control_must_fall_on_its_own_account(self) -> None:
        swapped = self.proofs.WRONG[0]
        cheap = (Bound(2, 4),)
        assert reject(self.column, frozenset(FAMILIES["contents"]), swapped, cheap).verdict == "fails"
        assert reject(self.column, frozenset(FAMILIES["query-calls"]), swapped, cheap).verdict == "unknown"
        assert reject(self.column, frozenset(FAMILIES["contents"]), swapped, (Bound(2, 0),)).verdict == "holds"
