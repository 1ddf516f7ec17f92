"""Tests of algorithms for shared windows: a test class names its algorithm, and inherits the tests."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from support.machines.columns import MachineTests
from support.machines.shared_machine import SharedMachine, shared_machine
from support.machines.state_machines import assert_found, run_fresh

from swagproof.proofs.ledger.mutants import Mutant

CHECKED, PLAIN = 50, 100
"""Examples under contracts and without, over all operations."""


class SharedAlgorithm(MachineTests):
    """Machines and mutants: `class TestNaiveStream(SharedAlgorithm): algorithm, checked = NaiveStream, ...`.

    The operation of the first of the `cases` does not commute, if possible.
    """

    driver: ClassVar[type[SharedMachine]] = SharedMachine
    """The machine class."""

    @classmethod
    def mutants(cls) -> Sequence[Mutant]:
        """Return the hand-written mutants that wrong answers show."""
        return [mutant for mutant in super().mutants() if not mutant.hidden]

    def built(self, made: type[Any], operation: Any) -> Any:
        """Return an implementation that the machine drives."""
        return made()

    def shared(self, made: type[Any], operation: Any, values: Sequence[Any]) -> type[SharedMachine]:
        """Derive the machine of a class."""
        return shared_machine(lambda: self.built(made, operation), operation, values, self.driver)

    def test_machine_under_contracts(self, case: tuple[Any, Sequence[Any]]) -> None:  # type: ignore[override]  # a case
        run_fresh(self.shared(self.checked, *case), max_examples=-(-CHECKED // len(self.cases)))

    def test_machine(self, case: tuple[Any, Sequence[Any]]) -> None:  # type: ignore[override]  # a case
        run_fresh(self.shared(self.algorithm, *case), max_examples=-(-PLAIN // len(self.cases)))

    @pytest.mark.drawn(3)
    def test_mutant_is_killed_by_a_machine(self, mutant: Mutant) -> None:
        assert_found(self.shared(mutant.of(self.algorithm), *self.cases[0]))
