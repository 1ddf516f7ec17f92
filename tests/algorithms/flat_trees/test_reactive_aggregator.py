"""The Reactive Aggregator, its form for FIFO, and base intervals, through the house."""

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from support.columns import FifoAlgorithm, pytest_generate_variants
from support.state_machines import assert_found, run_machine

from swagproof.models.any_order import AnyOrderWindow, NotInWindowError
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, MEAN, SUM, Operation
from swagproof.proofs.explorer.walk import explore, first_violation
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as wrong_variants
from swagproof.proofs.flat_trees.buffers import buffers
from swagproof.proofs.flat_trees.reactive_aggregator import hunts
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO
from swagproof.reference.flat_trees.base_intervals import BaseIntervals, CheckedBaseIntervals
from swagproof.reference.flat_trees.reactive_aggregator import (
    CheckedReactiveAggregator,
    ReactiveAggregator,
    ReactiveOperator,
)
from swagproof.reference.flat_trees.reactive_aggregator_fifo import (
    CheckedReactiveAggregatorFifo,
    ReactiveAggregatorFifo,
)

pytest_generate_tests = pytest_generate_variants

COLUMNS = (REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, BASE_INTERVALS)


def by_name(value: Any) -> str:
    return getattr(value, "name", "").replace(" ", "-")


# What the paper shows


def test_figure_5() -> None:
    """A window of the latest 4 numbers in 4 slots: after each event the slots, front and back."""
    ra = CheckedReactiveAggregator(CONCATENATION, 4)
    after: list[tuple[str, int, int]] = []

    def look() -> None:
        answer = ra.query()
        after.append(("".join("_" if ra.fat.a(i) is BOTTOM else ra.fat.a(i) for i in (1, 2, 3, 4)), ra.F, ra.B))
        assert answer == "".join(ra.model.values)

    for number in "4732":
        ra.insert(number)
        look()
    ra.evict()
    look()
    ra.insert("9")
    look()
    assert after == [("4___", 1, 1), ("47__", 1, 2), ("473_", 1, 3), ("4732", 1, 4), ("_732", 2, 4), ("9732", 2, 1)]
    assert ra.is_inverted()
    assert ra.fat.aggregate() == "9732"  # which would be wrong
    assert ra.query() == ra.fat.suffix(2) + ra.fat.prefix(1) == "7329"


def test_a_hole_is_compacted_and_tickets_follow() -> None:
    ra = CheckedReactiveAggregator(CONCATENATION, 4)
    a, b, c, d = (ra.insert(letter) for letter in "abcd")
    ra.evict(b)
    e = ra.insert("e")
    assert (ra.capacity, ra.query()) == (4, "acde")
    for ticket, left in ((d, "ace"), (a, "ce"), (e, "c"), (c, "")):
        ra.evict(ticket)
        assert ra.query() == left


def test_m_events_cost_one_update_of_m_places() -> None:
    counting = Counting(CONCATENATION)
    ra = ReactiveAggregator(counting, 16)
    for letter in "abcdefghijklmnop":
        ra.insert(letter)
    assert counting.calls == 0
    assert ra.query() == "abcdefghijklmnop"
    assert counting.calls == 15
    for _ in range(3):
        ra.evict()
        ra.insert("z")
    counting.calls = 0
    assert ra.query() == "defghijklmnopzzz"
    assert counting.calls <= 3 * (1 + 3) + 2 * 4 + 1


def test_the_aggregate_operator_lifts_and_lowers() -> None:
    mean = ReactiveOperator(MEAN)
    assert mean.trigger() is None
    tickets = [mean.insert(number) for number in (1, 2, 9)]
    assert mean.trigger() == 4
    mean.evict(tickets[1])
    assert mean.trigger() == 5
    mean.evict()
    assert mean.trigger() == 9


def test_tickets_count_arrivals() -> None:
    ra = ReactiveAggregator(SUM)
    assert [ra.insert(1) for _ in range(5)] == [0, 1, 2, 3, 4]
    ra.evict(4)
    ra.evict()
    assert ra.insert(1) == 5


@pytest.mark.parametrize("algorithm", [ReactiveAggregator, ReactiveAggregatorFifo])
@pytest.mark.parametrize("capacity", [0, -2, 3, 12, 2.0, "4", True, None])
def test_a_capacity_is_a_power_of_two(algorithm: Any, capacity: Any) -> None:
    with pytest.raises(ValueError, match=f"capacity: {capacity!r}; it must be a power of two"):
        algorithm(SUM, capacity)


def test_the_identity_may_be_an_element() -> None:
    ra = ReactiveAggregator(SUM)
    ra.insert(0)
    ra.insert(0)
    ra.evict()
    assert ra.query() == 0
    assert ra.n_tuples == 1


# The columns


class TestReactiveAggregator(FifoAlgorithm):
    """Its wrong variants are for machines in any order."""

    algorithm, checked = ReactiveAggregator, CheckedReactiveAggregator

    @classmethod
    def mutants(cls) -> tuple[Variant, ...]:
        return ()


class TestReactiveAggregatorFifo(FifoAlgorithm):
    algorithm, checked = ReactiveAggregatorFifo, CheckedReactiveAggregatorFifo


class TestBaseIntervals(FifoAlgorithm):
    algorithm, checked = BaseIntervals, CheckedBaseIntervals

    @classmethod
    def mutants(cls) -> tuple[Variant, ...]:
        return tuple(variant for variant in wrong_variants.WRONG_B_INT if not variant.hidden)


def test_the_threshold_of_compact_may_be_strict() -> None:
    """3/4 itself may go either way: every clause and the account hold all the same."""
    explore(*buffers(REACTIVE_AGGREGATOR, 8, any_order=True, variant=wrong_variants.COMPACTS_BELOW_3_4))


def test_a_shortest_history_is_found() -> None:
    found = first_violation(
        *hunts(REACTIVE_AGGREGATOR, wrong_variants.WRONG.get("compact goes by the order of the leaves"))
    )
    assert found is not None
    told = [step for step in found.trace if step != "query"]
    assert told == [*(f"insert {c}" for c in "abcd"), "evict a", "insert e", "evict c", "insert f"]
    assert found.check == "no holes after compact"


# Any order


def any_order_machine(
    make: Any, operation: Operation[Any, Any, Any], longest: int = 140
) -> type[RuleBasedStateMachine]:
    """Elements arrive and any leave, beside the list; rules go for full and empty buffers, holes and both ends."""

    class AnyOrderMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.begin(0)

        def begin(self, exponent: int) -> None:
            self.subject, self.model = make(operation, 2**exponent), AnyOrderWindow(operation)

        @precondition(lambda self: self.model.arrived == 0)
        @rule(exponent=st.integers(0, 5))
        def begin_larger(self, exponent: int) -> None:
            self.begin(exponent)

        @rule(element=st.sampled_from(operation.samples))
        def insert(self, element: Any) -> None:
            assert self.subject.insert(operation.lift(element)) == self.model.insert(operation.lift(element))

        @rule()
        def fill(self) -> None:
            """Until one more would not fit behind the back."""
            while self.model.size < longest and not self.subject.is_full():
                self.insert(operation.samples[self.model.size % len(operation.samples)])

        @rule()
        def overfill(self) -> None:
            self.fill()
            if self.model.size < longest:
                self.insert(operation.samples[-1])

        @precondition(lambda self: self.model.size > 0)
        @rule(data=st.data())
        def evict_any(self, data: st.DataObject) -> None:
            self.leave(data.draw(st.sampled_from(self.model.tickets)))

        @precondition(lambda self: self.model.size > 0)
        @rule(end=st.sampled_from([0, -1]))
        def evict_an_end(self, end: int) -> None:
            self.leave(self.model.tickets[end])

        @precondition(lambda self: self.model.size > 0)
        @rule()
        def evict_oldest(self) -> None:
            self.leave(None)

        @precondition(lambda self: self.model.size > 2)
        @rule(start=st.integers(0, 2), step=st.integers(2, 4))
        def punch_holes(self, start: int, step: int) -> None:
            for ticket in self.model.tickets[start::step]:
                self.leave(ticket)

        @precondition(lambda self: self.model.size > 0)
        @rule(newest_first=st.booleans())
        def drain(self, newest_first: bool) -> None:
            while self.model.size:
                self.leave(self.model.tickets[-1] if newest_first else None)

        @rule(times=st.integers(1, 40))
        def slide(self, times: int) -> None:
            for number in range(times):
                self.insert(operation.samples[number % len(operation.samples)])
                self.leave(None)

        @rule()
        def ask_for_what_is_not_there(self) -> None:
            gone = sorted(set(range(self.model.arrived)) - set(self.model.tickets))
            for ticket in (self.model.arrived, -1, *gone[:1], *gone[-1:]):
                with pytest.raises(NotInWindowError if self.model.size else EmptyWindowError):
                    self.subject.evict(ticket)

        @rule()
        def query(self) -> None:
            assert operation.equal(self.subject.query(), self.model.query())

        def leave(self, ticket: int | None) -> None:
            self.subject.evict(ticket)
            self.model.evict(ticket)

        @invariant()
        def sizes_agree(self) -> None:
            assert self.subject.n_tuples == self.model.size

        def teardown(self) -> None:
            self.query()

    return AnyOrderMachine


@pytest.mark.parametrize("operation", [CONCATENATION, MATRIX, ARG_MAX, SUM], ids=by_name)
def test_any_order_machine(operation: Operation[Any, Any, Any]) -> None:
    run_machine(any_order_machine(ReactiveAggregator, operation), max_examples=60)


def test_any_order_machine_under_contracts() -> None:
    run_machine(any_order_machine(CheckedReactiveAggregator, CONCATENATION, 20), max_examples=8, stateful_step_count=15)


SEEN_IN_ANSWERS = wrong_variants.WRONG.pick(
    "an inverted buffer is read in slot order",
    "prefix comes before suffix",
    "a buffer of one element counts as inverted",
    "every buffer is split at the front",
    "an empty window is answered ⊥",
    "query does not apply what is pending",
    "an emptied slot is not marked ⊥",
    "a ticket outlives its element in the map",
    "compact leaves the inner nodes as they were",
    "resize goes by the order of the leaves",
    "resize copies stale values",
)
"""Mistakes that end in a wrong answer; others look for an element for ever, and are left to the explorer."""


@pytest.mark.parametrize("variant", SEEN_IN_ANSWERS, ids=by_name)
def test_wrong_variant_is_killed_by_the_any_order_machine(variant: Variant) -> None:
    algorithm = variant.of(ReactiveAggregator)
    assert_found(any_order_machine(algorithm, CONCATENATION))
