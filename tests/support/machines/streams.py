"""The tests of an operator over a stream: a test class names the operator and its machine, and inherits the rest."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from support.machines.sliced_machines import StreamedMachine
from support.machines.state_machines import assert_found, run_fresh, run_machine
from support.running.claims import AlgorithmTests, generate_claims

from swagproof.models.operations import AFFINE, ARG_MAX, COLLECT, CONCATENATION, MATRIX, MAX, SUM, Operation
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.variants import Variant, class_of

OPERATIONS = (CONCATENATION, MATRIX, AFFINE, SUM, ARG_MAX, MAX, COLLECT)
"""Strings, matrices and affine maps come first: they do not commute."""
EXAMPLES = 34
"""For each operation: over 100 in all under contracts, and over 200 without."""


def pytest_generate_variants(metafunc: pytest.Metafunc) -> None:
    """Parametrise by the claims, the mutants, and the operations; under contracts by the first three."""
    generate_claims(metafunc)
    cls = metafunc.cls
    if cls is None or not issubclass(cls, StreamAlgorithm):
        return
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", cls.mutants(), ids=lambda variant: variant.name.replace(" ", "-"))
    if "operation" in metafunc.fixturenames:
        few = metafunc.definition.name.endswith("under_contracts")
        metafunc.parametrize("operation", cls.operations[: 3 if few else None], ids=lambda each: each.name)


class StreamAlgorithm(AlgorithmTests):
    """Machines and mutants: `class TestPanes(StreamAlgorithm): algorithm, checked, machine = ...`."""

    checked: ClassVar[type[Any]]
    machine: ClassVar[type[StreamedMachine]]
    operations: ClassVar[Sequence[Operation[Any, Any, Any]]] = OPERATIONS

    @classmethod
    def mutants(cls) -> Sequence[Variant]:
        """Its hand-written mutants."""
        return next(suspects.variants for suspects in SUSPECTS if suspects.algorithm == cls.column().name)

    @classmethod
    def operation_against(cls, variant: Variant) -> Operation[Any, Any, Any]:
        """The operation over which a machine looks for a mutant."""
        return cls.operations[0]

    def driven(self, make: Any, operation: Operation[Any, Any, Any]) -> type[StreamedMachine]:
        """The machine that drives what `make` builds."""
        return type(self.machine.__name__, (self.machine,), {"make": staticmethod(make), "operation": operation})

    def test_machine_under_contracts(self, operation: Operation[Any, Any, Any]) -> None:
        run_fresh(self.driven(self.checked, operation), max_examples=EXAMPLES)

    def test_machine(self, operation: Operation[Any, Any, Any]) -> None:
        run_fresh(self.driven(self.algorithm, operation), max_examples=EXAMPLES)

    def test_wrong_variant_is_killed_by_a_machine(self, variant: Variant) -> None:
        machine = self.driven(class_of(self.column(), variant), self.operation_against(variant))
        run_machine(machine) if variant.hidden else assert_found(machine)
