"""The out-of-order state machine: it accuses nobody who is right, over any times, and finds what is wrong."""

import inspect
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from hypothesis.stateful import run_state_machine_as_test
from subjects import right_out_of_order, wrong_out_of_order, wrong_trees

from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, MUTABLE_COLLECT, SUM, Operation
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.testing.machines import out_of_order_machine
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

QUICK = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
HUNT = settings(QUICK, max_examples=4000, phases=[Phase.generate])  # what is drawn depends on what is imported

FLOATS = st.floats(allow_nan=False)
DATES = st.datetimes()
TEXTS = st.text(max_size=5)

HIDDEN = {
    "ChangesTheHanded": MUTABLE_COLLECT,
    "SubtractsTheLast": SUM,
}
"""What shows over these operations only."""

OUT_OF_REACH = {
    "Wraps": "longer windows than machines grow",
    "WideMoveOfInnerNodes": "larger windows than machines grow by default",
}


def run(make: Any, operation: Operation[Any, Any, Any], times: Any, how: settings) -> None:
    machine = out_of_order_machine(make, operation, times=times)
    run_state_machine_as_test(machine, settings=how)  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped


def classes(module: Any) -> list[type]:
    return [
        value
        for name, value in inspect.getmembers(module, inspect.isclass)
        if value.__module__ == module.__name__ and name[0] != "_" and hasattr(value, "query")
    ]


@pytest.mark.parametrize("make", [right_out_of_order.SortedLists, Fiba, BTree, partial(Fiba, min_arity=3)])
@pytest.mark.parametrize("operation", [CONCATENATION, MATRIX, ARG_MAX, MUTABLE_COLLECT], ids=lambda o: o.name)
def test_right_windows_pass(make: Any, operation: Operation[Any, Any, Any]) -> None:
    run(make, operation, st.integers(), QUICK)


@pytest.mark.parametrize("times", [FLOATS, DATES, TEXTS, st.integers(0, 9)], ids=["floats", "dates", "texts", "few"])
@pytest.mark.parametrize("make", [Fiba, BTree, right_out_of_order.Dictionary])
def test_times_of_any_ordered_type(make: Any, times: Any) -> None:
    run(make, CONCATENATION, times, QUICK)


@pytest.mark.parametrize("wrong", [*classes(wrong_out_of_order), *classes(wrong_trees)])
def test_wrong_windows_are_found(wrong: Any) -> None:
    if wrong.__name__ in OUT_OF_REACH:
        run(wrong, CONCATENATION, st.integers(), QUICK)
        return
    with pytest.raises(Exception) as raised:  # noqa: PT011  # a wrong answer, or whatever the mistake raises
        run(wrong, HIDDEN.get(wrong.__name__, CONCATENATION), st.integers(-1000, 1000), HUNT)
    assert not isinstance(raised.value, HypothesisException)


def test_the_machine_grows_trees_that_are_deep() -> None:
    heights: list[int] = []

    class Measured(Fiba[Any]):
        def insert(self, t: Any, v: Any) -> None:
            super().insert(t, v)
            node, height = self.root, 1
            while not node.is_leaf():
                node, height = node.get_child(0), height + 1
            heights.append(height)

    run(Measured, SUM, st.integers(), QUICK)
    assert max(heights) >= 4


def test_what_the_model_answers_is_what_the_subject_is_compared_with() -> None:
    """A subject that is the model itself passes; one that answers for the empty window only does not."""
    run(OutOfOrderWindow, SUM, st.integers(), settings(QUICK, max_examples=5))

    class Constant(OutOfOrderWindow[Any]):
        def query(self) -> Any:
            return self.monoid.identity

    with pytest.raises(AssertionError, match="query answers"):
        run(Constant, SUM, st.integers(), HUNT)
