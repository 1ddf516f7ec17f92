"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.trees.bounded_histories`.

Those that combine in vain answer right: contracts refute them.  The mutants are made when the module is imported, as
CrossHair cannot run what makes them.
"""

from typing import Final

from swagproof.proofs.trees import b_tree, bounded_histories, fiba
from swagproof.proofs.trees.bounded_histories import answers, answers_at_times
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

B_TREE_LOSES_A_VALUE: Final = b_tree.WRONG.get("a merge loses the value between the two").of(BTree)
B_TREE_SWAPS_A_DUPLICATE: Final = b_tree.WRONG.get("a duplicate is combined in the wrong order").of(BTree)
B_TREE_COMBINES_IN_VAIN: Final = b_tree.WRONG.get("evict combines fifty times in vain").checked(
    BTree, bounded_histories.B_TREE
)
FIBA_SWAPS_THE_FINGERS: Final = fiba.WRONG.get("query swaps the fingers").of(Fiba)
FIBA_SWAPS_A_DUPLICATE: Final = fiba.WRONG.get("a duplicate is combined in the wrong order").of(Fiba)
FIBA_COMBINES_IN_VAIN: Final = fiba.WRONG.get("evict combines fifty times in vain").checked(
    Fiba, bounded_histories.FIBA
)


def b_tree_loses_a_value(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 7
    post: _
    """
    return answers(B_TREE_LOSES_A_VALUE, steps)


def b_tree_swaps_a_duplicate(steps: list[tuple[bool, int]]) -> bool:
    """
    pre: len(steps) <= 3
    post: _
    """
    return answers_at_times(B_TREE_SWAPS_A_DUPLICATE, steps)


def b_tree_combines_in_vain(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 4
    post: _
    """
    return answers(B_TREE_COMBINES_IN_VAIN, steps)


def fiba_swaps_the_fingers(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 7
    post: _
    """
    return answers(FIBA_SWAPS_THE_FINGERS, steps)


def fiba_swaps_a_duplicate(steps: list[tuple[bool, int]]) -> bool:
    """
    pre: len(steps) <= 3
    post: _
    """
    return answers_at_times(FIBA_SWAPS_A_DUPLICATE, steps)


def fiba_combines_in_vain(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 4
    post: _
    """
    return answers(FIBA_COMBINES_IN_VAIN, steps)
