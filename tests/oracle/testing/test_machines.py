"""The state machines: each accuses no right window, over any times, and finds wrong ones."""

import functools
import inspect
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

import pytest
from hypothesis import Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import get_state_machine_test
from subjects import adapted, right_out_of_order, wrong, wrong_bulk, wrong_out_of_order, wrong_trees
from subjects.hard import sharing
from support.machines.shared_machine import shared_machine
from support.machines.state_machines import assert_found, run_machine

from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, MAX, MEAN, MUTABLE_COLLECT, SUM, Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import subject_of
from swagproof.oracle.testing.machines import fifo_machine, out_of_order_machine
from swagproof.proofs.in_order import daba
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba

FLOATS = st.floats(allow_nan=False)
DATES = st.datetimes()
TEXTS = st.text(max_size=5)

HIDDEN = {
    "ChangesTheHanded": MUTABLE_COLLECT,
    "SubtractsTheLast": SUM,
}
"""Subjects that fail only over these operations."""

FAR = {
    "ComparesBySubtraction": st.sampled_from((-(2**31), 0, 2**31 - 1)),
    "TimesInSinglePrecision": st.integers(2**24, 2**24 + 9),
}
"""The times that show these failures."""

OUT_OF_REACH = {
    "Wraps": "longer windows than machines grow",
    "WideMoveOfInnerNodes": "larger windows than machines grow by default",
}


RARE = {
    "BulkCrowdsAGap": "nine neighbouring times of a bulk in one gap, and the next present",
    "BulkEvictOfAFullRing": "256 entries, cut at an absent time",
}
"""Subjects that only the search finds, since it tries these cases on purpose."""


def run(make: Any, operation: Operation[Any, Any, Any], times: Any, **changes: Any) -> None:
    run_machine(out_of_order_machine(make, operation, times=times), **{"stateful_step_count": 40, **changes})


class EqualToAll:
    """An answer that agrees with every other."""

    __hash__ = None  # type: ignore[assignment]  # it is equal to everything

    def __eq__(self, _other: object) -> bool:
        return True


class PosesAsText(str):
    """A text whose `==` uses another text."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)


class AnswersEqualToAll(FifoWindow[Any]):
    def query(self) -> Any:
        return EqualToAll()


class AnswersTrueForOne(FifoWindow[Any]):
    def query(self) -> Any:
        return True if super().query() == 1 else super().query()


class AnswersATextThatPoses(FifoWindow[Any]):
    def query(self) -> Any:
        return PosesAsText("z")


class AnswersFloats(FifoWindow[Any]):
    """Right: numbers of different types are equal if their values are."""

    def query(self) -> Any:
        return float(super().query())


class AnswersATextOfItsOwn(FifoWindow[Any]):
    """Right: it is the same text, whatever its class adds."""

    def query(self) -> Any:
        return type("Text", (str,), {})(super().query())


@pytest.mark.parametrize(
    ("make", "operation"),
    [(AnswersEqualToAll, SUM), (AnswersTrueForOne, SUM), (AnswersATextThatPoses, CONCATENATION)],
    ids=lambda it: it.__name__ if isinstance(it, type) else it.name,
)
def test_an_answer_is_judged_by_what_it_is_as_conform_judges_it(make: Any, operation: Any) -> None:
    window = subject_of(make, make.__name__, "fifo")
    try:
        assert judge(window, [domain(operation.name)], effort=20_000).verdict.outcome == "violated"
    finally:
        window.stop()
    assert_found(fifo_machine(make, operation), max_examples=50)


def test_an_answer_about_shared_windows_is_judged_likewise() -> None:
    class EqualsAll(SharedWindows[Any]):
        def lookup(self, size: int) -> Any:
            return EqualToAll()

    run_machine(shared_machine(lambda: SharedWindows(MAX), MAX, (1, 2, 3)), max_examples=5)
    assert_found(shared_machine(lambda: EqualsAll(MAX), MAX, (1, 2, 3)), max_examples=50)


@pytest.mark.parametrize(
    ("make", "operation"), [(AnswersFloats, replace(SUM, samples=(1, 2, 3))), (AnswersATextOfItsOwn, CONCATENATION)]
)
def test_a_right_answer_of_another_type_is_right(make: Any, operation: Any) -> None:
    run_machine(fifo_machine(make, operation), max_examples=5)


def test_values_without_a_form_are_asked_themselves() -> None:
    """A value without an encoding must not lead to an accusation."""
    largest: Operation[Any, Any, Any] = MAX
    latest = replace(largest, samples=(datetime(2021, 1, 1), datetime(2021, 1, 2)))
    run_machine(fifo_machine(FifoWindow, latest), max_examples=5)
    assert_found(fifo_machine(AnswersEqualToAll, latest), max_examples=50)


class SharesItsAnswer(FifoWindow[Any]):
    """All windows share a cached answer, which each change clears."""

    kept: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.kept.clear()

    def insert(self, v: Any) -> None:
        self.kept.clear()
        super().insert(v)

    def evict(self) -> None:
        self.kept.clear()
        super().evict()

    def query(self) -> Any:
        if not self.kept:
            self.kept.append(super().query())
        return self.kept[0]


@pytest.mark.parametrize("shares", [wrong.Shared, sharing.OfTheClass, SharesItsAnswer])
def test_windows_that_share_are_found(shares: Any) -> None:
    assert_found(fifo_machine(shares, CONCATENATION), max_examples=100)


def classes(module: Any) -> list[type]:
    return [
        value
        for name, value in inspect.getmembers(module, inspect.isclass)
        if value.__module__ == module.__name__ and name[0] != "_" and hasattr(value, "query")
    ]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("make", [right_out_of_order.SortedLists, Fiba, BTree, functools.partial(Fiba, min_arity=3)])
@pytest.mark.parametrize("operation", [CONCATENATION, MATRIX, ARG_MAX, MUTABLE_COLLECT], ids=lambda o: o.name)
def test_right_windows_pass(make: Any, operation: Operation[Any, Any, Any]) -> None:
    run(make, operation, st.integers())


@pytest.mark.drawn(4)
@pytest.mark.parametrize("times", [FLOATS, DATES, TEXTS, st.integers(0, 9)], ids=["floats", "dates", "texts", "few"])
@pytest.mark.parametrize("make", [Fiba, BTree, right_out_of_order.Dictionary])
def test_times_of_any_ordered_type(make: Any, times: Any) -> None:
    run(make, CONCATENATION, times)


IN_BULK = [one for one in classes(wrong_out_of_order) if issubclass(one, wrong_out_of_order.Batched)]
"""The windows that are wrong only in bulk."""

SINGLY = [one for one in classes(wrong_out_of_order) if one not in IN_BULK]
"""The windows that are wrong without bulks."""


@pytest.mark.parametrize("made", [*SINGLY, *classes(wrong_trees)])
@pytest.mark.drawn(15)
def test_wrong_windows_are_found(made: Any) -> None:
    if made.__name__ in OUT_OF_REACH:
        run(made, CONCATENATION, st.integers())
        return
    operation = HIDDEN.get(made.__name__, CONCATENATION)
    machine = out_of_order_machine(made, operation, times=FAR.get(made.__name__, st.integers(-1000, 1000)))
    assert_found(machine, max_examples=4000, stateful_step_count=40)  # draws depend on imported modules


@pytest.mark.parametrize("wrong", [one for one in IN_BULK if one.__name__ not in RARE])
@pytest.mark.drawn(3)
def test_windows_that_are_wrong_in_bulk_are_found(wrong: Any) -> None:
    """They are right without bulks."""
    times = st.integers(-1000, 1000)
    assert_found(out_of_order_machine(wrong, CONCATENATION, times=times), stateful_step_count=40)


@pytest.mark.parametrize("wrong", classes(wrong_bulk))
@pytest.mark.drawn(5)
def test_fifo_windows_that_are_wrong_in_bulk_are_found(wrong: Any) -> None:
    operation = SUM if hasattr(wrong, "monoids") else CONCATENATION
    assert_found(fifo_machine(wrong, operation), max_examples=4000)  # draws depend on imported modules


def test_who_has_bulks_is_right_in_bulk() -> None:
    run(right_out_of_order.Batched, CONCATENATION, st.integers())
    run(BulkFiba, MUTABLE_COLLECT, st.integers())
    run_machine(fifo_machine(wrong_bulk._Bulked, CONCATENATION))  # pyright: ignore[reportPrivateUsage]  # tests see all


PUSHING = Adapter({"insert": "push", "evict": "pop", "query": "total"}, make="combine, initial=identity")


@pytest.mark.parametrize(
    ("right", "wrong", "operation", "adapter"),
    [
        (adapted.Pushing, vars(adapted)["PopsTheNewest"], SUM, PUSHING),
        (adapted.Averaging, vars(adapted)["WholeAverage"], MEAN, adapted.Averaging.adapter),
    ],
)
def test_the_fifo_machine_respects_an_adapter(right: Any, wrong: Any, operation: Any, adapter: Adapter) -> None:
    run_machine(fifo_machine(right, operation, adapter=adapter))
    assert_found(fifo_machine(wrong, operation, adapter=adapter), max_examples=50)


@pytest.mark.parametrize("number", range(20))
def test_every_run_finds_a_swapped_operand(number: int) -> None:
    """With a user's settings: 100 examples of up to 50 steps, with any seed."""
    machine = fifo_machine(daba.SHRINK_SWAPPED.of(Daba), CONCATENATION)
    test = get_state_machine_test(machine, settings=settings(phases=[Phase.generate], database=None, deadline=None))
    with pytest.raises(AssertionError, match="answers"):
        seed(number)(test)()


def test_the_machine_grows_trees_that_are_deep() -> None:
    heights: list[int] = []

    class Measured(Fiba[Any]):
        def insert(self, t: Any, v: Any) -> None:
            super().insert(t, v)
            node, height = self.root, 1
            while not node.is_leaf():
                node, height = node.get_child(0), height + 1
            heights.append(height)

    run(Measured, SUM, st.integers())
    assert max(heights) >= 4


def test_what_the_model_answers_is_what_the_subject_is_compared_with() -> None:
    """The model itself passes as a subject; one that always gives the result for an empty window does not."""
    run(OutOfOrderWindow, SUM, st.integers(), max_examples=5)

    class Constant(OutOfOrderWindow[Any]):
        def query(self) -> Any:
            return self.monoid.identity

    with pytest.raises(AssertionError, match="query answers"):
        run(Constant, SUM, st.integers(), report_multiple_bugs=False)
