"""FlatFIT, SlickDeque and stream slicing over FiBA: machines, claims, wrong variants, long streams, refusals."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.columns import FifoAlgorithm, pytest_generate_variants
from support.running.claims import AlgorithmClaims

from swagproof.contracts.ghosts.sliced_windows import SlicedWindows
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, COLLECT, CONCATENATION, FIRST, LAST, MAX, MIN, SUM, Operation
from swagproof.models.windows.window import LateError, WindowError
from swagproof.oracle.testing.fifo_machine import FifoMachine
from swagproof.oracle.testing.machine import rule, st, with_subject
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.later import techniques as proofs
from swagproof.proofs.later.technique_states import LETTERS_SORTED, selective
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.later.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.later.slick_deque import CheckedSlickDeque, NotSelectiveError, SlickDeque
from swagproof.reference.later.stream_slicing import CheckedStreamSlicing, StreamSlicing
from swagproof.reference.slicing.slices import Answer

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
    return with_subject(LookupMachine, make, operation, longest, None)


class TestFlatFit(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = FlatFit, CheckedFlatFit
    machine = staticmethod(lookup_machine)

    @classmethod
    def mutants(cls) -> Sequence[Variant]:
        """All but one, whose look-ups go round for ever."""
        return [variant for variant in super().mutants() if variant.name != "the newest is not linked to"]


class TestSlickDeque(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = SlickDeque, CheckedSlickDeque
    machine = staticmethod(lookup_machine)
    operations = (ARG_MAX, FIRST, LAST, MAX, MIN)


@pytest.mark.parametrize("made", [FlatFit, SlickDeque])
def test_what_cannot_be_is_refused(made: Any) -> None:
    window = made(MAX)
    with pytest.raises(EmptyWindowError):
        window.evict()
    window.insert(1)
    for newest in (-1, 2):
        with pytest.raises(ValueError, match="give 0 to 1"):
            window.lookup(newest)
    assert (window.lookup(0), window.query()) == (None, 1)


def test_an_operator_that_does_not_choose_is_refused_and_changes_nothing() -> None:
    window = SlickDeque(SUM)
    window.insert(1)
    with pytest.raises(NotSelectiveError, match="neither of the two"):
        window.insert(2)
    assert (window.query(), window.size) == (1, 1)
    other = SlickDeque(COLLECT)
    other.insert(("a",))
    with pytest.raises(NotSelectiveError):
        other.insert(("b",))


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


@pytest.mark.parametrize("commutative", [True, False])
def test_stream_slicing_over_long_disordered_streams(commutative: bool) -> None:
    chance = random.Random(2019)
    monoid = LETTERS_SORTED if commutative else CONCATENATION
    periodic, sessions = [(20, 5), (7, 3), (4, 9)], [4, 11]
    slicing = StreamSlicing(monoid, periodic, sessions, commutative=commutative)
    model: SlicedWindows[str] = SlicedWindows(monoid, periodic, sessions)
    for number in range(600):
        t = number + chance.randrange(30) if number % 97 > 20 else number + 29
        slicing.insert(t, LETTERS[number])
        model.insert(t, LETTERS[number])
        if chance.random() < 0.05:
            assert slicing.advance(number) == model.advance(number)
    assert slicing.advance(2000) == model.advance(2000)
    assert slicing.begins == []


def test_sixty_minutes_by_three_beside_sessions_of_five() -> None:
    """The example of the 2018 paper: a window of 60 minutes by 3, and a session window with a gap of 5."""
    slicing = StreamSlicing(SUM, [(60, 3)], [5])
    for t in (61, 69, 65, 58):  # 65 bridges 61 and 69; 58 comes before all
        slicing.insert(t, t)
    assert [answer for answer in slicing.advance(76) if answer.query == 1] == [Answer(1, 58, 74, 253)]
    assert len(slicing.begins) == 4


def test_stream_slicing_refuses_what_cannot_be() -> None:
    for arguments, said in ((((), ()), "no queries"), (([(0, 1)],), "range"), (((), [0]), "gap")):
        with pytest.raises(WindowError, match=said):
            StreamSlicing(SUM, *arguments)  # type: ignore[arg-type]  # told apart at run time
    slicing = StreamSlicing(SUM, [(2, 1)])
    slicing.insert(3, 1)
    slicing.advance(3)
    with pytest.raises(LateError, match="hold the watermark back"):
        slicing.insert(2, 1)
    with pytest.raises(LateError, match="never falls"):
        slicing.advance(2)
    for step in (lambda: slicing.insert(1.5, 1), lambda: slicing.advance(1.5)):  # type: ignore[arg-type]  # on purpose
        with pytest.raises(WindowError, match="give an int"):
            step()
    assert slicing.advance(9) == [Answer(0, 2, 4, 1), Answer(0, 3, 5, 1)]


def test_what_is_not_transcribed_says_why() -> None:
    assert {"AMTA", "SlideSide", "Hammer Slide"} <= set(proofs.NOT_TRANSCRIBED)
    assert all(reason.endswith(".") for reason in proofs.NOT_TRANSCRIBED.values())


def test_records_in_no_window_may_go_with_the_slice_that_they_are_in() -> None:
    """Of a slice between two windows, the watermark may be past its first record and not past its last."""
    slicing: CheckedStreamSlicing[Any] = CheckedStreamSlicing(SUM, [(5, 44)])
    for t in (66, 69, 75, 110):
        slicing.insert(t, 1)
    assert slicing.advance(72) == []
    assert slicing.begins == [110]
