"""The Reactive Aggregator, its form for FIFO, and base intervals: figures, state machines, mutants and claims."""

from collections.abc import Sequence

from support.machines.columns import AnyOrderAlgorithm, FifoAlgorithm, pytest_generate_mutants
from support.running.claims import AlgorithmClaims

from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, SUM
from swagproof.proofs.explorer.walk import explore, first_violation
from swagproof.proofs.flat_trees import reactive_aggregator as mutants
from swagproof.proofs.flat_trees.buffers import buffers
from swagproof.proofs.ledger.mutants import Mutant, mutants_of
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR
from swagproof.reference.flat_trees.base_intervals import BaseIntervals, CheckedBaseIntervals
from swagproof.reference.flat_trees.reactive_aggregator import (
    CheckedReactiveAggregator,
    ReactiveAggregator,
)
from swagproof.reference.flat_trees.reactive_aggregator_fifo import (
    CheckedReactiveAggregatorFifo,
    ReactiveAggregatorFifo,
)

pytest_generate_tests = pytest_generate_mutants

# The paper's figures


def test_figure_5() -> None:
    """Check a window of the latest 4 numbers in 4 slots: after each event the slots, front and back."""
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


def test_tickets_count_arrivals() -> None:
    ra = ReactiveAggregator(SUM)
    assert [ra.insert(1) for _ in range(5)] == [0, 1, 2, 3, 4]
    ra.evict(4)
    ra.evict()
    assert ra.insert(1) == 5


def test_the_identity_may_be_an_element() -> None:
    ra = ReactiveAggregator(SUM)
    ra.insert(0)
    ra.insert(0)
    ra.evict()
    assert ra.query() == 0
    assert ra.n_tuples == 1


# State machines, mutants and claims

SEEN_IN_ANSWERS = mutants.WRONG.pick(
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
"""Mutants with a wrong answer; the others search for an element for ever, and are left to the explorer."""


class TestReactiveAggregator(AnyOrderAlgorithm, AlgorithmClaims):
    algorithm, checked = ReactiveAggregator, CheckedReactiveAggregator

    @classmethod
    def mutants(cls) -> tuple[Mutant, ...]:
        return SEEN_IN_ANSWERS


class TestReactiveAggregatorFifo(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = ReactiveAggregatorFifo, CheckedReactiveAggregatorFifo


class TestBaseIntervals(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = BaseIntervals, CheckedBaseIntervals

    @classmethod
    def mutants(cls) -> tuple[Mutant, ...]:
        return tuple(mutant for mutant in mutants.WRONG_B_INT if not mutant.hidden)


GROWTH = ("insert",) * 33
"""Inserts that double the capacity up to 64."""
SWING = ("insert",) * 65 + (("evict",) * 34 + ("insert",) * 34) * 8
"""A history that doubles the capacity to 128, then halves and doubles it in turn."""


def is_paid(insert_coins: int, evict_coins: int, history: Sequence[str]) -> bool:
    """Return whether resizes never cost more than is billed plus one coin for the initial slot."""
    window = ReactiveAggregator(SUM)
    saved = 1
    for step in history:
        before = window.capacity
        window.insert(1) if step == "insert" else window.evict()
        saved += insert_coins if step == "insert" else evict_coins
        saved -= window.capacity if window.capacity != before else 0
        if saved < 0:
            return False
    return True


def test_no_whole_coins_fewer_than_4_an_insert_and_2_an_evict_pay_for_resizes() -> None:
    assert is_paid(4, 2, GROWTH)
    assert is_paid(4, 2, SWING)
    assert not is_paid(3, 3, GROWTH)
    assert not is_paid(4, 1, SWING)


def test_the_threshold_of_compact_may_be_strict() -> None:
    """Check that 3/4 itself may go either way: every clause and the account still hold."""
    alone = mutants_of("reactive-aggregator", "for one claim")
    strict = alone["a full buffer is compacted below three quarters, not at them"]
    explore(*buffers(REACTIVE_AGGREGATOR, 8, any_order=True, mutant=strict))


def test_a_shortest_history_is_found() -> None:
    found = first_violation(
        *mutants.hunts(REACTIVE_AGGREGATOR, mutants.WRONG.get("compact goes by the order of the leaves"))
    )
    assert found is not None
    told = [step for step in found.trace if step != "query"]
    assert told == [*(f"insert {c}" for c in "abcd"), "evict a", "insert e", "evict c", "insert f"]
    assert found.check == "no holes after compact"
