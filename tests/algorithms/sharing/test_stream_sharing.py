"""The naive algorithm of STREAM: machines, mutants, claims, its costs and queues."""

from typing import Any

from support.machines.columns import pytest_generate_mutants
from support.machines.shared import SharedAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.models.monoid import Counting, Monoid
from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, SUM, Operation
from swagproof.proofs.sharing import stream_sharing
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream

pytest_generate_tests = pytest_generate_mutants


def with_values(operation: Operation[Any, Any, Any]) -> tuple[Monoid[Any], list[Any]]:
    """Return an operation, and the values that a machine inserts."""
    return operation, [operation.lift(sample) for sample in operation.samples]


class TestNaiveStream(SharedAlgorithm, AlgorithmClaims):
    algorithm, checked = NaiveStream, CheckedNaiveStream
    cases = tuple(map(with_values, (CONCATENATION, MATRIX, ARG_MAX, SUM)))
    unseen = stream_sharing.WRONG.pick("the answer is computed twice")

    def built(self, made: type[Any], operation: Any) -> Any:
        return made(operation)


def test_an_insert_costs_as_much_without_lookups() -> None:
    for lookups in (0, 1, 5):
        monoid = Counting(CONCATENATION)
        shared = NaiveStream(monoid)
        for size in (2, 3, 3):
            shared.register(size)
        for letter in "abcd":
            shared.insert(letter)
            for _ in range(lookups):
                assert shared.lookup(3) == "abcd"[: "abcd".index(letter) + 1][-3:]
        assert monoid.calls == (1 + 2 + 2 + 2) + 2 * (1 + 2 + 3 + 3)


def test_every_query_has_its_own_queues() -> None:
    shared = NaiveStream(CONCATENATION)
    for size in (2, 2):
        shared.register(size)
    for letter in "abc":
        shared.insert(letter)
    assert [list(query.input_queue) for query in shared.queries] == [["b", "c"], ["b", "c"]]
    assert [list(query.output_queue) for query in shared.queries] == [["a", "ab", "bc"]] * 2
    assert shared.lookup(2) == "bc"
    assert [list(query.output_queue) for query in shared.queries] == [["bc"], ["a", "ab", "bc"]]
