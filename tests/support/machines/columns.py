"""The machine tests of all algorithms: a test class names its algorithm, and inherits the tests of its kind."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import pytest
from support.machines.any_order_machine import any_order_machine
from support.machines.places_machine import places_machine
from support.machines.state_machines import assert_found, run_fresh, run_machine
from support.running.claims import AlgorithmTests, generate_claims

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    CONCATENATION,
    COUNT,
    MATRIX,
    MEAN,
    MUTABLE_COLLECT,
    SUM,
    UNIMODULAR,
    Operation,
)
from swagproof.oracle.testing.machines import fifo_machine
from swagproof.proofs.in_order.pointer_states import REMOVABLE
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.mutants import Mutant

OPERATIONS = (CONCATENATION, MATRIX, AFFINE, SUM, ARG_MAX, MUTABLE_COLLECT)
INVERTIBLE = (REMOVABLE, UNIMODULAR, AFFINE, SUM, MEAN, COUNT)
"""Operations with `remove`; strings, matrices and affine maps come first because they do not commute."""
EXAMPLES = 34
"""The number of examples per operation: over 100 in all under contracts, over 200 without, different in each run."""


def pytest_generate_mutants(metafunc: pytest.Metafunc) -> None:
    """Parametrise by the algorithm's claims, mutants and operations; under contracts by the first three operations."""
    generate_claims(metafunc)
    cls = metafunc.cls
    if cls is None or not issubclass(cls, MachineTests):
        return
    if "mutant" in metafunc.fixturenames:
        metafunc.parametrize("mutant", cls.mutants(), ids=lambda mutant: mutant.name.replace(" ", "-"))
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cls.cases, ids=lambda case: case[0].name.replace(" ", "-"))
    if "operation" in metafunc.fixturenames:
        operations = INVERTIBLE if cls.column().subtracts else cls.operations
        if metafunc.definition.name.endswith("under_contracts"):
            operations = operations[:3]
        metafunc.parametrize("operation", operations, ids=lambda operation: operation.name.replace(" ", "-"))


class MachineTests(AlgorithmTests):
    """The machine of a kind of window, over several operations, and mutants that it must find."""

    checked: ClassVar[type[Any]]
    machine: ClassVar[Callable[..., Any]]
    """Returns the machine for a class and an operation."""
    unseen: ClassVar[Sequence[Mutant | str]] = ()
    """Mutants that a machine does not find: a proof or the explorer rejects them."""
    cases: ClassVar[Sequence[tuple[Any, Sequence[Any]]]] = ()
    """The operations that define exact answers, with values of a stream, for shared windows."""
    longest: ClassVar[int] = 24
    """The greatest size of windows under contracts, whose clauses take linear time."""
    operations: ClassVar[Sequence[Operation[Any, Any, Any]]] = OPERATIONS

    @classmethod
    def usual(cls) -> Operation[Any, Any, Any]:
        """The operation for mutants and long windows."""
        return REMOVABLE if cls.column().subtracts else cls.operations[0]

    @classmethod
    def mutants(cls) -> Sequence[Mutant]:
        """Return the hand-written mutants."""
        every = next(suspects.mutants for suspects in SUSPECTS if suspects.algorithm == cls.column().name)
        return [mutant for mutant in every if mutant not in cls.unseen and mutant.name not in cls.unseen]

    def driven(self, make: Any, operation: Operation[Any, Any, Any], **changes: Any) -> type[Any]:
        """Return the machine that drives the implementation of `make`."""
        return self.machine(make, operation, **changes)  # type: ignore[no-any-return]  # as each kind makes it

    @pytest.mark.drawn(1)
    def test_machine_under_contracts(self, operation: Operation[Any, Any, Any]) -> None:
        run_fresh(self.driven(self.checked, operation, longest=self.longest), max_examples=EXAMPLES)

    def test_machine(self, operation: Operation[Any, Any, Any]) -> None:
        run_fresh(self.driven(self.algorithm, operation), max_examples=EXAMPLES)

    @pytest.mark.drawn(3)
    def test_mutant_is_killed_by_a_machine(self, mutant: Mutant) -> None:
        algorithm = mutant.of(self.algorithm)
        operation = self.usual()
        if mutant.name.startswith("evict does not look"):
            try:
                algorithm(operation).evict()
            except EmptyWindowError:
                pytest.fail("it looked")
            except Exception:
                return  # the mutant's own error
        elif mutant.hidden:
            run_machine(self.machine(algorithm, operation))
        else:
            assert_found(self.machine(algorithm, operation))


class FifoAlgorithm(MachineTests):
    """First-in first-out windows: `class TestDaba(FifoAlgorithm): algorithm, checked = Daba, CheckedDaba`."""

    machine = staticmethod(fifo_machine)


class AnyOrderAlgorithm(FifoAlgorithm):
    """Windows whose elements leave in any order, first-in first-out among others."""

    machine = staticmethod(partial(any_order_machine, capacities=(1, 2, 4, 8, 16, 32)))


class PlacesAlgorithm(MachineTests):
    """A fixed number of places."""

    machine = staticmethod(places_machine)
