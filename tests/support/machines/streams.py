"""Tests of an operator over a stream: a test class names the operator and its machine, and inherits the tests."""

from typing import Any

import pytest
from support.machines.columns import MachineTests
from support.machines.state_machines import assert_found, run_machine

from swagproof.models.operations import AFFINE, ARG_MAX, COLLECT, CONCATENATION, MATRIX, MAX, SUM, Operation
from swagproof.proofs.ledger.mutants import Mutant, class_of


class StreamAlgorithm(MachineTests):
    """Machines and mutants: `class TestPanes(StreamAlgorithm): algorithm, checked, machine = ...`."""

    operations = (CONCATENATION, MATRIX, AFFINE, SUM, ARG_MAX, MAX, COLLECT)
    """Operations; strings, matrices and affine maps come first because they do not commute."""

    @classmethod
    def operation_against(cls, mutant: Mutant) -> Operation[Any, Any, Any]:
        """The operation over which a machine searches for a mutant."""
        return cls.operations[0]

    def driven(self, make: Any, operation: Operation[Any, Any, Any], **changes: Any) -> type[Any]:
        machine: Any = self.machine
        return type(machine.__name__, (machine,), {"make": staticmethod(make), "operation": operation})

    @pytest.mark.drawn(3)
    def test_mutant_is_killed_by_a_machine(self, mutant: Mutant) -> None:
        machine = self.driven(class_of(self.column(), mutant), self.operation_against(mutant))
        run_machine(machine) if mutant.hidden else assert_found(machine)
