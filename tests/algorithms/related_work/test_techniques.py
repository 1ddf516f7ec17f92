"""FlatFIT and SlickDeque: state machines, claims, mutants, refusals."""

from typing import Any

from support.machines.columns import FifoAlgorithm, pytest_generate_variants
from support.running.claims import AlgorithmClaims

from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, CONCATENATION, FIRST, LAST, MAX, MIN, Operation
from swagproof.oracle.testing.fifo_machine import FifoMachine
from swagproof.oracle.testing.machine import rule, st, with_subject
from swagproof.proofs.related_work import techniques as proofs
from swagproof.proofs.related_work.technique_states import selective
from swagproof.reference.related_work.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.related_work.slick_deque import CheckedSlickDeque, SlickDeque

pytest_generate_tests = pytest_generate_variants


class LookupMachine(FifoMachine):
    """A first-in first-out window whose newest elements can be looked up."""

    @rule(data=st.data())
    def look_up(self, data: st.DataObject) -> None:
        """Look up any number of the newest elements."""
        newest = data.draw(st.integers(0, self.model.size))
        expected = self.model.product(self.model.size - newest, self.model.size)
        self.compare(f"lookup({newest})", self.subject.lookup(newest), expected)


def lookup_machine(make: Any, operation: Operation[Any, Any, Any], *, longest: int = 300) -> type[LookupMachine]:
    return with_subject(LookupMachine, make, operation, longest=longest)


class TestFlatFit(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = FlatFit, CheckedFlatFit
    machine = staticmethod(lookup_machine)
    unseen = ("the newest is not linked to", "pointers do not move with the buffer")
    """Their look-ups never end."""


class TestSlickDeque(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = SlickDeque, CheckedSlickDeque
    machine = staticmethod(lookup_machine)
    operations = (ARG_MAX, FIRST, LAST, MAX, MIN)


def test_operators_that_choose() -> None:
    """Over two values: first, last, min, max; every table is associative."""
    tables = [table for table in selective(2) if table.size == 2]
    assert sorted(table.chosen for table in tables) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1)]


def test_a_flat_fit_that_slides_costs_less_than_three_calls_a_round() -> None:
    monoid = Counting(CONCATENATION)
    window = FlatFit(monoid)
    for _ in range(64):
        window.insert("a")
    window.query()
    monoid.calls = 0
    for _ in range(640):
        window.insert("a")
        window.evict()
        window.query()
    assert 2 * 640 < monoid.calls <= 4 * 640


def test_what_is_not_transcribed_says_why() -> None:
    assert {"AMTA", "SlideSide", "Hammer Slide"} <= set(proofs.NOT_TRANSCRIBED)
    assert all(reason.endswith(".") for reason in proofs.NOT_TRANSCRIBED.values())
