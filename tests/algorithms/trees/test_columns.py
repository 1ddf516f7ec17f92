"""The trees: state machines, mutants and claims, one class for each."""

from support.machines.columns import pytest_generate_mutants
from support.machines.trees import OutOfOrderAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.reference.trees.b_tree import BTree, CheckedBTree
from swagproof.reference.trees.fiba import CheckedFiba, Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba, CheckedBulkFiba

pytest_generate_tests = pytest_generate_mutants


class TestBTree(OutOfOrderAlgorithm, AlgorithmClaims):
    algorithm, checked = BTree, CheckedBTree


class TestFiba(OutOfOrderAlgorithm, AlgorithmClaims):
    algorithm, checked = Fiba, CheckedFiba


class TestBulkFiba(OutOfOrderAlgorithm, AlgorithmClaims):
    algorithm, checked = BulkFiba, CheckedBulkFiba
    wide = ("mending moves one child only",)
    unseen = ("a merge makes a node too large",)
    """A mutant whose answers stay right until a tree is deep: a contract and the explorer reject it."""
