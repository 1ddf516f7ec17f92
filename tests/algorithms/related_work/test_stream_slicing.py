"""Stream slicing over FiBA: state machine, claims, mutants, error cases."""

from typing import Any

from support.machines.columns import pytest_generate_mutants
from support.machines.sliced_machines import StreamMachine
from support.machines.streams import StreamAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.models.operations import AFFINE, CONCATENATION, COUNT, MATRIX, MAX, SUM, Operation
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.related_work.technique_states import LETTERS_SORTED
from swagproof.reference.related_work.stream_slicing import CheckedStreamSlicing, StreamSlicing
from swagproof.reference.slicing.slices import Answer

pytest_generate_tests = pytest_generate_mutants


class TestStreamSlicing(StreamAlgorithm, AlgorithmClaims):
    algorithm, checked, machine = StreamSlicing, CheckedStreamSlicing, StreamMachine
    operations = (LETTERS_SORTED, CONCATENATION, MATRIX, AFFINE, SUM, MAX, COUNT)

    @classmethod
    def operation_against(cls, mutant: Mutant) -> Operation[Any, Any, Any]:
        return cls.operations[mutant.name.endswith("does not commute")]


def test_sixty_minutes_by_three_beside_sessions_of_five() -> None:
    """Check the example of the 2018 paper: a window of 60 minutes by 3, and a session window with a gap of 5."""
    slicing = StreamSlicing(SUM, [(60, 3)], [5])
    for t in (61, 69, 65, 58):  # 65 bridges 61 and 69; 58 comes before all
        slicing.insert(t, t)
    assert [answer for answer in slicing.advance(76) if answer.query == 1] == [Answer(1, 58, 74, 253)]
    assert len(slicing.begins) == 4


def test_records_in_no_window_may_go_with_the_slice_that_they_are_in() -> None:
    """Check a slice between two windows: the watermark may be past its first record and not past its last."""
    slicing: CheckedStreamSlicing[Any] = CheckedStreamSlicing(SUM, [(5, 44)])
    for t in (66, 69, 75, 110):
        slicing.insert(t, 1)
    assert slicing.advance(72) == []
    assert slicing.begins == [110]
