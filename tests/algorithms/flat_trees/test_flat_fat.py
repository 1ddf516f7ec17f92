"""FlatFAT: the paper's figures, its state machine, mutants and claims."""

from fractions import Fraction

from support.machines.columns import PlacesAlgorithm, pytest_generate_mutants
from support.running.claims import AlgorithmClaims

from swagproof.contracts.flat_trees import flat_fat as contract
from swagproof.models.operations import CONCATENATION
from swagproof.reference.flat_trees.flat_fat import CheckedFlatFat, FlatFat

pytest_generate_tests = pytest_generate_mutants

NODES = dict(zip("gefabcd", range(1, 8), strict=True))
"""Figure 3: g is the root, e and f are its children, a to d theirs."""


class Followed(FlatFat[str]):
    """A tree that records the nodes whose children were read, by the figures' names and by level."""

    def left(self, v: int) -> int:
        name, level = next(name for name, node in NODES.items() if node == v), 3 - v.bit_length()
        self.sets: dict[int, set[str]] = {**getattr(self, "sets", {})}
        self.sets.setdefault(level, set()).add(name)
        return super().left(v)


def test_figure_3() -> None:
    fat = Followed(CONCATENATION, "12345678")
    assert {name: fat.T[v] for name, v in NODES.items()} == {
        "a": "12", "b": "34", "c": "56", "d": "78", "e": "1234", "f": "5678", "g": "12345678"
    }  # fmt: skip
    assert fat.sets == {0: {"a", "b", "c", "d"}, 1: {"e", "f"}, 2: {"g"}}
    assert fat.leaf(3) == 2 * NODES["b"]
    assert fat.parent(fat.leaf(4)) == NODES["b"]
    fat.sets = {}
    fat.update([(3, "x")])
    assert fat.sets == {0: {"b"}, 1: {"e"}, 2: {"g"}}


def test_figure_4() -> None:
    fat = Followed(CONCATENATION, "12345678")
    fat.sets = {}
    fat.update([(1, "A"), (2, "B"), (4, "D"), (7, "G")])
    assert fat.sets == {0: {"a", "b", "d"}, 1: {"e", "f"}, 2: {"g"}}
    assert fat.aggregate() == "AB3D56G8"


def test_prefix_7_combines_e_and_c_and_the_leaf() -> None:
    fat = CheckedFlatFat(CONCATENATION, "12345678")
    before = fat.counting.calls
    assert fat.prefix(7) == fat.T[NODES["e"]] + fat.T[NODES["c"]] + fat.a(7) == "1234567"
    assert fat.counting.calls - before == 2


def test_logarithms_are_exact() -> None:
    assert [contract.ceil_log2(Fraction(8, m)) for m in range(1, 9)] == [3, 2, 2, 1, 1, 1, 1, 0]
    assert contract.update_bound(8, 0) == 0
    assert contract.height(1) == 0


class TestFlatFat(PlacesAlgorithm, AlgorithmClaims):
    algorithm, checked = FlatFat, CheckedFlatFat
