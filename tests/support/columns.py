"""What every FIFO algorithm is put through: a test class for each algorithm names its column and inherits the rest."""

import random
from types import ModuleType
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    CONCATENATION,
    MATRIX,
    MUTABLE_COLLECT,
    SUM,
    UNIMODULAR,
    Operation,
)
from swagproof.oracle.testing.machines import fifo_machine
from swagproof.proofs.explorer.histories import histories
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.in_order.pointer_states import REMOVABLE
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column

QUICK = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
HUNT = settings(QUICK, max_examples=400, phases=[Phase.generate])

OPERATIONS = (CONCATENATION, SUM, MATRIX, ARG_MAX, MUTABLE_COLLECT)
INVERTIBLE = (REMOVABLE, SUM, UNIMODULAR, AFFINE)


def pytest_generate_variants(metafunc: pytest.Metafunc) -> None:
    """Parametrise by the column's wrong variants, and by its operations: under contracts, by the first and the last."""
    cls = metafunc.cls
    if cls is None or not hasattr(cls, "proofs"):
        return
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", cls.proofs.WRONG, ids=lambda variant: variant.name.replace(" ", "-"))
    if "operation" in metafunc.fixturenames:
        operations = INVERTIBLE if cls.column.subtracts else OPERATIONS
        if metafunc.definition.name.endswith("under_contracts"):
            operations = operations[:: len(operations) - 1]
        metafunc.parametrize("operation", operations, ids=lambda operation: operation.name.replace(" ", "-"))


class FifoAlgorithm:
    """The tests of one algorithm's column."""

    column: ClassVar[Column]
    proofs: ClassVar[ModuleType]

    def test_machine_under_contracts(self, operation: Operation[Any, Any, Any]) -> None:
        run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
            fifo_machine(self.column.checked, operation, longest=150), settings=settings(QUICK, max_examples=8)
        )

    def test_machine(self, operation: Operation[Any, Any, Any]) -> None:
        run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
            fifo_machine(self.column.algorithm, operation), settings=QUICK
        )

    def test_wrong_variant_is_killed_by_a_machine(self, variant: Variant) -> None:
        algorithm = variant.of(self.column.algorithm)
        operation = REMOVABLE if self.column.subtracts else CONCATENATION
        if variant.name.startswith("evict does not look"):
            with pytest.raises(IndexError) as refused:
                algorithm(operation).evict()
            assert not isinstance(refused.value, EmptyWindowError)
        elif variant.hidden:
            run_state_machine_as_test(fifo_machine(algorithm, operation), settings=QUICK)  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
        else:
            with pytest.raises(Exception):  # noqa: B017, PT011  # a wrong answer, or whatever the mistake raises
                run_state_machine_as_test(fifo_machine(algorithm, operation), settings=HUNT)  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped

    def test_evict_of_an_empty_window_is_refused_and_changes_nothing(self) -> None:
        operation = REMOVABLE if self.column.subtracts else CONCATENATION
        for word in histories(6):
            window = self.column.algorithm(operation)
            for letter, step in zip(LETTERS, word, strict=False):
                window.insert(letter) if step == "insert" else window.evict()
            while window.query():
                window.evict()
            with pytest.raises(EmptyWindowError):
                window.evict()
            window.insert("z")
            assert window.query() == "z"

    def test_long_windows_cross_chunks(self) -> None:
        operation = REMOVABLE if self.column.subtracts else CONCATENATION
        chance = random.Random(2021)
        window, model = self.column.algorithm(operation), FifoWindow(operation)
        for target in (65, 0, 200, 128, 1, 1000, 64, 0):
            while model.size != target:
                if model.size < target:
                    letter = chance.choice(LETTERS)
                    window.insert(letter)
                    model.insert(letter)
                else:
                    window.evict()
                    model.evict()
                if chance.random() < 0.2:
                    assert window.query() == model.query()
            assert window.query() == model.query()
