"""FlatFAT through the house: figures, contracts, the exploration, and every wrong variant."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from support.state_machines import run_machine

from swagproof.contracts.flat_trees import flat_fat as contract
from swagproof.models.any_order import Places
from swagproof.models.operations import AFFINE, CONCATENATION, MATRIX, MUTABLE_COLLECT, SUM, Operation
from swagproof.reference.flat_trees.flat_fat import CheckedFlatFat, FlatFat

NODES = dict(zip("gefabcd", range(1, 8), strict=True))
"""Figure 3: g is the root, e and f are its children, a to d theirs."""


class Followed(FlatFat[str]):
    """Keeps W_1, W_2, ... of the last call, by the figures' names."""

    def rewrite(self, W: set[int]) -> set[int]:
        names = {number: name for name, number in NODES.items()}
        self.sets: list[set[str]] = [*getattr(self, "sets", []), {names[v] for v in W}]
        return super().rewrite(W)


def test_figure_3() -> None:
    fat = Followed(CONCATENATION, "12345678")
    assert {name: fat.T[v] for name, v in NODES.items()} == {
        "a": "12", "b": "34", "c": "56", "d": "78", "e": "1234", "f": "5678", "g": "12345678"
    }  # fmt: skip
    assert fat.sets == [{"a", "b", "c", "d"}, {"e", "f"}, {"g"}]
    assert fat.leaf(3) == fat.left(NODES["b"])
    assert fat.parent(fat.leaf(4)) == NODES["b"]
    fat.sets = []
    fat.update([(3, "x")])
    assert fat.sets == [{"b"}, {"e"}, {"g"}]


def test_figure_4() -> None:
    fat = Followed(CONCATENATION, "12345678")
    fat.sets = []
    fat.update([(1, "A"), (2, "B"), (4, "D"), (7, "G")])
    assert fat.sets == [{"a", "b", "d"}, {"e", "f"}, {"g"}]
    assert fat.aggregate() == "AB3D56G8"


def test_prefix_7_combines_e_and_c_and_the_leaf() -> None:
    fat = CheckedFlatFat(CONCATENATION, "12345678")
    before = fat.counting.calls
    assert fat.prefix(7) == fat.T[NODES["e"]] + fat.T[NODES["c"]] + fat.a(7) == "1234567"
    assert fat.counting.calls - before == 2


@pytest.mark.parametrize("n", [0, 3, 5, 6, 7, 12])
def test_the_number_of_places_is_a_power_of_two(n: int) -> None:
    with pytest.raises(ValueError, match=f"values: {n} of them; their number must be a power of two"):
        FlatFat(CONCATENATION, "x" * n)


def test_logarithms_are_exact() -> None:
    assert [contract.ceil_log2(Fraction(8, m)) for m in range(1, 9)] == [3, 2, 2, 1, 1, 1, 1, 0]
    assert contract.update_bound(8, 0) == 0
    assert contract.height(1) == 0


def tree_machine(make: Any, operation: Operation[Any, Any, Any]) -> type[RuleBasedStateMachine]:
    """Updates of any places in any order beside the list, and every question."""

    class TreeMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.begin(3)

        @rule(height=st.integers(0, 6))
        def begin(self, height: int) -> None:
            values = [operation.lift(operation.samples[i % len(operation.samples)]) for i in range(2**height)]
            self.subject, self.model, self.n = make(operation, values), Places(operation, values), 2**height

        @rule(data=st.data())
        def update(self, data: st.DataObject) -> None:
            places = data.draw(st.lists(st.integers(1, self.n), unique=True, max_size=self.n))
            samples = data.draw(
                st.lists(st.sampled_from(operation.samples), min_size=len(places), max_size=len(places))
            )
            self.write(places, samples)

        @rule(element=st.sampled_from(operation.samples))
        def update_all(self, element: Any) -> None:
            self.write(range(self.n, 0, -1), [element] * self.n)

        @rule(element=st.sampled_from(operation.samples))
        def update_ends(self, element: Any) -> None:
            self.write(sorted({1, self.n}), [element] * 2)

        def write(self, places: Any, samples: Any) -> None:
            changes = list(zip(places, map(operation.lift, samples), strict=False))
            self.subject.update(changes)
            self.model.update(changes)

        @rule(i=st.integers(1, 64))
        def ask(self, i: int) -> None:
            i = min(i, self.n)
            for answer, first, last in (
                (self.subject.prefix(i), 1, i),
                (self.subject.suffix(i), i, self.n),
                (self.subject.aggregate(), 1, self.n),
            ):
                assert operation.equal(answer, self.model.product(first, last))

    return TreeMachine


@pytest.mark.parametrize("operation", [CONCATENATION, MATRIX, AFFINE, SUM, MUTABLE_COLLECT], ids=lambda o: o.name)
def test_machine(operation: Operation[Any, Any, Any]) -> None:
    run_machine(tree_machine(FlatFat, operation))


def test_machine_under_contracts() -> None:
    run_machine(tree_machine(CheckedFlatFat, CONCATENATION))
