"""Lemma C.1: the table of coins, and trees of given shapes."""

from typing import Any

from swagproof.contracts.trees import coins as contract
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.proofs.trees.coins import LEAST_MAX_ARITY
from swagproof.proofs.trees.runs import HISTORIES, Shape, entries, grown, height_of, summing
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba


def test_the_table_is_that_of_figure_15() -> None:
    assert [contract.coins(a, 3, False) for a in range(2, 8)] == [2, 1, 0, 0, 2, 4]
    assert [contract.coins(a, 3, True) for a in range(1, 8)] == [0, 0, 0, 0, 0, 2, 4]
    assert [contract.coins(a, 2, False) for a in range(1, 6)] == [2, 1, 0, 2, 4]


def test_the_least_max_arity_keeps_the_size_invariants_and_the_answer() -> None:
    tree = LEAST_MAX_ARITY.of(BTree)(summing(), 2)
    for step, t in HISTORIES["fill and drain"](60):
        tree.insert(t, 1) if step == "insert" else tree.evict(t)
        assert all(2 <= node.arity <= 3 for node in tree.nodes() if not node.is_root())
        assert tree.query() == tree.size


def shape_of(node: Any) -> Shape:
    """Return the shape of the tree below a node."""
    return len(node.times), tuple(shape_of(child) for child in node.children)


def test_a_shape_grows_to_the_tree_that_the_operations_made() -> None:
    tree = Fiba(summing(), 2)
    for k in range(1, 40):
        tree.insert(2 * k, 1)
    shape = shape_of(tree.root)
    same = grown(Fiba(summing(), 2), shape)
    assert entries(shape) == 39
    assert entries((0, ())) == 0
    assert height_of(same) == height_of(tree) > 1
    assert [(n.times, n.agg, n.left_spine, n.right_spine) for n in same.nodes()] == [
        (n.times, n.agg, n.left_spine, n.right_spine) for n in tree.nodes()
    ]
    assert same.query() == tree.query() == 39


def test_levels_is_the_logarithm() -> None:
    assert [levels(d, 2) for d in range(9)] == [0, 1, 1, 2, 2, 2, 2, 3, 3]
    assert [levels(3**k - 1, 3) for k in range(6)] == list(range(6))
