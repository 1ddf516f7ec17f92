"""The common tests of algorithms for shared windows: a test class names the algorithm, and inherits the rest."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from support.machines.state_machines import assert_found, run_fresh
from support.running.claims import AlgorithmTests, generate_claims

from swagproof.models.monoid import Monoid
from swagproof.oracle.testing.shared_machine import SharedMachine, shared_machine
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.variants import Variant

CHECKED, PLAIN = 102, 200
"""Examples under contracts and without, over all operations."""


def pytest_generate_shared(metafunc: pytest.Metafunc) -> None:
    """Parametrise by the algorithm's claims, its mutants, and its operations."""
    generate_claims(metafunc)
    cls = metafunc.cls
    if cls is None or not issubclass(cls, SharedAlgorithm):
        return
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", cls.mutants(), ids=lambda variant: variant.name.replace(" ", "-"))
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cls.cases, ids=lambda case: case[0].name.replace(" ", "-"))


class SharedAlgorithm(AlgorithmTests):
    """Machines and mutants: `class TestNaiveStream(SharedAlgorithm): algorithm, checked = NaiveStream, ...`."""

    checked: ClassVar[type[Any]]
    cases: ClassVar[Sequence[tuple[Any, Sequence[Any]]]]
    """The operations of the exact answers, with the values of a stream; the first does not commute, where one can."""
    unseen: ClassVar[Sequence[Variant]] = ()
    """Mutants that a machine need not find, besides those that are hidden: only validity, order or space suffers."""

    @classmethod
    def mutants(cls) -> Sequence[Variant]:
        """Its hand-written mutants that wrong answers show."""
        every = next(suspects.variants for suspects in SUSPECTS if suspects.algorithm == cls.column().name)
        return [variant for variant in every if not variant.hidden and variant not in cls.unseen]

    def driven(self, made: type[Any], operation: Monoid[Any], values: Sequence[Any]) -> type[SharedMachine]:
        """Derive the machine of an implementation."""
        return shared_machine(made, operation, values)

    def test_machine_under_contracts(self, case: tuple[Any, Sequence[Any]]) -> None:
        run_fresh(self.driven(self.checked, *case), max_examples=-(-CHECKED // len(self.cases)))

    def test_machine(self, case: tuple[Any, Sequence[Any]]) -> None:
        run_fresh(self.driven(self.algorithm, *case), max_examples=-(-PLAIN // len(self.cases)))

    def test_wrong_variant_is_killed_by_a_machine(self, variant: Variant) -> None:
        assert_found(self.driven(variant.of(self.algorithm), *self.cases[0]))
