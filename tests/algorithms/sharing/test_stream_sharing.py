"""The column of the naive algorithm through the house."""

from typing import Any

import pytest
from support.state_machines import assert_found, run_machine

from swagproof.models.monoid import Counting
from swagproof.models.operations import ARG_MAX, CONCATENATION, MATRIX, SUM, Operation
from swagproof.oracle.testing.shared_machine import shared_machine
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.sharing import stream_sharing
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream


def machine(make: type[NaiveStream[Any]], operation: Operation[Any, Any, Any]) -> type:
    return shared_machine(lambda: make(operation), operation, [operation.lift(sample) for sample in operation.samples])


@pytest.mark.parametrize(
    ("make", "operation"),
    [
        *((NaiveStream, operation) for operation in (CONCATENATION, SUM, MATRIX, ARG_MAX)),
        (CheckedNaiveStream, CONCATENATION),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_machine(make: type[NaiveStream[Any]], operation: Operation[Any, Any, Any]) -> None:
    run_machine(machine(make, operation))


SEEN = [variant for variant in stream_sharing.WRONG if not variant.hidden and variant is not stream_sharing.TWICE]


@pytest.mark.parametrize("variant", SEEN, ids=lambda variant: variant.name.replace(" ", "-"))
def test_a_machine_rejects_a_wrong_variant(variant: Variant) -> None:
    assert_found(machine(variant.of(NaiveStream), CONCATENATION))


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
