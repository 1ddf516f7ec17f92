"""FlatFIT, SlickDeque and stream slicing over FiBA: machines, claims, wrong variants, long streams, refusals."""

import random
from typing import Any

import pytest
from support.running.claims import AlgorithmClaims
from support.sliced_machines import StreamMachine
from support.state_machines import assert_found, run_machine
from support.streams import StreamAlgorithm, pytest_generate_variants

from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    COLLECT,
    CONCATENATION,
    COUNT,
    FIRST,
    LAST,
    MATRIX,
    MAX,
    MIN,
    SUM,
    Operation,
)
from swagproof.models.windows.window import LateError, WindowError
from swagproof.oracle.testing.machines import fifo_machine
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.later import techniques as proofs
from swagproof.proofs.later.technique_states import LETTERS_SORTED, selective
from swagproof.proofs.ledger.variants import Variant, class_of
from swagproof.reference.catalogue import FLAT_FIT
from swagproof.reference.later.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.later.slick_deque import CheckedSlickDeque, NotSelectiveError, SlickDeque
from swagproof.reference.later.stream_slicing import CheckedStreamSlicing, StreamSlicing
from swagproof.reference.slicing.slices import Answer

pytest_generate_tests = pytest_generate_variants

FIFO: list[tuple[Any, Operation[Any, Any, Any]]] = [
    *((FlatFit, operation) for operation in (CONCATENATION, SUM, MATRIX)),
    (CheckedFlatFit, CONCATENATION),
    *((SlickDeque, operation) for operation in (MAX, MIN, ARG_MAX, FIRST, LAST)),
    (CheckedSlickDeque, MAX),
]


@pytest.mark.parametrize(("made", "operation"), FIFO, ids=lambda value: getattr(value, "name", None))
@pytest.mark.drawn(4)
def test_machine(made: Any, operation: Operation[Any, Any, Any]) -> None:
    run_machine(fifo_machine(made, operation), max_examples=10)


def test_a_machine_sees_a_wrong_flat_fit() -> None:
    made = class_of(FLAT_FIT, proofs.WRONG_FIT.get("a query combines backwards"))
    assert_found(fifo_machine(made, CONCATENATION))


@pytest.mark.parametrize("made", [FlatFit, SlickDeque])
def test_long_windows_with_look_ups(made: Any) -> None:
    chance = random.Random(2017)
    operation = CONCATENATION if made is FlatFit else MAX
    window, model = made(operation), FifoWindow[Any](operation)
    for target in (65, 0, 200, 128, 1, 300, 64, 0):
        while model.size != target:
            if model.size < target:
                v = LETTERS[chance.randrange(1000)] if made is FlatFit else chance.randrange(1000)
                window.insert(v)
                model.insert(v)
            else:
                window.evict()
                model.evict()
            newest = chance.randrange(model.size + 1)
            assert window.lookup(newest) == model.product(model.size - newest, model.size)
        assert window.query() == model.query()


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


class TestStreamSlicing(StreamAlgorithm, AlgorithmClaims):
    algorithm, checked, machine = StreamSlicing, CheckedStreamSlicing, StreamMachine
    operations = (LETTERS_SORTED, CONCATENATION, MATRIX, AFFINE, SUM, MAX, COUNT)

    @classmethod
    def operation_against(cls, variant: Variant) -> Operation[Any, Any, Any]:
        return cls.operations[variant.name.endswith("does not commute")]


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
