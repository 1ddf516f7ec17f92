"""FlatFIT and SlickDeque: state machines, claims, mutants, error cases."""

from typing import Any

import pytest
from support.machines.columns import FifoAlgorithm, pytest_generate_mutants
from support.running.claims import AlgorithmClaims

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, COLLECT, CONCATENATION, FIRST, LAST, MAX, MIN, SUM, Operation
from swagproof.oracle.testing.fifo_machine import FifoMachine
from swagproof.oracle.testing.machine import rule, st, with_subject
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import walk
from swagproof.proofs.ledger.mutants import Mutant, mutants_of, wrong
from swagproof.proofs.related_work.technique_states import FlatFitStates, selective
from swagproof.reference.related_work.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.related_work.slick_deque import CheckedSlickDeque, NotSelectiveError, SlickDeque

pytest_generate_tests = pytest_generate_mutants


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
    """Mutants whose lookups never end."""


class TestSlickDeque(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = SlickDeque, CheckedSlickDeque
    machine = staticmethod(lookup_machine)
    operations = (ARG_MAX, FIRST, LAST, MAX, MIN)


def raises(error: type[Exception], act: Any, *arguments: Any) -> bool:
    """Return whether a call raises exactly this error."""
    try:
        act(*arguments)
    except Exception as raised:
        return type(raised) is error
    return False


def refuses_what_cannot_be(made: Any) -> bool:
    window = made(MAX)
    refused = raises(EmptyWindowError, window.evict)
    window.insert(1)
    refused &= all(raises(ValueError, window.lookup, newest) for newest in (-1, 2))
    return bool(refused and (window.lookup(0), window.query()) == (None, 1))


def refuses_an_operator_that_does_not_choose(made: Any) -> bool:
    """Check that the window is unchanged: over sums, and over sequences, which do not commute."""
    if made.__name__ == "FlatFit":
        return True
    window, other = made(SUM), made(COLLECT)
    window.insert(1)
    other.insert(("a",))
    refused = raises(NotSelectiveError, window.insert, 2) and raises(NotSelectiveError, other.insert, ("b",))
    return refused and (window.query(), window.size, other.query()) == (1, 1, ("a",))


def keeps_nothing_of_what_is_gone(made: Any) -> bool:
    """Check that evicted elements are not kept, also in a large buffer."""
    if made.__name__ != "FlatFit":
        return True
    window = made(MAX)
    for number in range(1, 1500):
        window.insert(number)
    for _ in range(100):
        window.evict()
    return sorted(filter(None, window.partials)) == [*range(101, 1500)]


CHECKS = (refuses_what_cannot_be, refuses_an_operator_that_does_not_choose, keeps_nothing_of_what_is_gone)
BY_RUNNING = [
    (made, mutant)
    for made, table in ((FlatFit, "flat-fit"), (SlickDeque, "slick-deque"))
    for mutant in mutants_of(table, "by running").values()
]


def test_what_cannot_be_is_refused_and_nothing_is_kept() -> None:
    assert all(check(made) for check in CHECKS for made in (FlatFit, SlickDeque))


@pytest.mark.parametrize(("made", "mutant"), BY_RUNNING, ids=lambda part: getattr(part, "name", ""))
def test_a_mutant_is_rejected_by_running_it(made: Any, mutant: Mutant) -> None:
    wrong = mutant.of(made)
    assert any(raises_or_fails(check, wrong) for check in CHECKS)


def raises_or_fails(check: Any, made: Any) -> bool:
    try:
        return not check(made)
    except Exception:
        return True


def test_three_calls_do_not_pay_for_a_query_of_a_window_that_grows_and_shrinks() -> None:
    """Check the calls beyond n and 1 an insert: fill to m, grow by one a query to 5 m, shrink by one a query."""
    for m in (16, 32, 64, 128):
        monoid = Counting(MAX)
        window = FlatFit(monoid)
        inserts = queries = 0
        for each, inserted, evicted in ((1, m, 0), (4 * m, 2, 1), (5 * m - 2, 1, 2)):
            for _ in range(each):
                for _ in range(inserted):
                    window.insert(0)
                for _ in range(evicted):
                    window.evict()
                window.query()
            inserts, queries = inserts + each * inserted, queries + each
        assert 3 * queries < monoid.calls - inserts - window.size < 4 * queries


def test_operators_that_choose() -> None:
    """Check all associative tables over two values: first, last, min and max."""
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


def test_a_look_up_of_nothing_is_answered_by_the_identity() -> None:
    oldest = ("lookup", "    return self.monoid.identity", "    return self.partials[self.front]")
    with pytest.raises(Violation, match="answer after insert a, lookup 0"):
        walk(FlatFitStates(wrong("the oldest", oldest).of(FlatFit), 2))
