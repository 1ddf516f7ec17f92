"""The column of BTree through the house."""

from support.trees import Tree

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.trees import b_tree
from swagproof.reference.catalogue import B_TREE
from swagproof.reference.trees.b_tree import BTree


class TestBTree(Tree):
    column = B_TREE
    proofs = b_tree

    def test_every_node_of_figure_1_keeps_the_product_of_its_subtree(self) -> None:
        """Letters a .. u at times 1 .. 21, min-arity 2: the root's aggregate is that of the window."""
        tree = BTree(CONCATENATION)
        for t in range(1, 22):
            tree.insert(t, chr(96 + t))
        assert tree.root.agg == tree.query() == "abcdefghijklmnopqrstu"
        for node in tree.nodes():
            if node.is_leaf():
                assert node.agg == "".join(node.values)
