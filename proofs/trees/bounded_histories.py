"""Bounded histories of the trees, for CrossHair to confirm over all paths: as those of the in-order algorithms.

`fiba_history` inserts in order and evicts the oldest, so that nodes split and merge; min-arity is 2.  A step is a
boolean.  In `fiba_times_history` a step has a time, any integer,
so that entries come in any order, and again at times that are present.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.trees.bounded_histories.fiba_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of
from swagproof.models.operations import COLLECT
from swagproof.models.out_of_order import OutOfOrder, OutOfOrderWindow
from swagproof.proofs.in_order.bounded_histories import answers_at_end
from swagproof.reference.trees.b_tree import BTree, CheckedBTree
from swagproof.reference.trees.fiba import CheckedFiba, Fiba


def answers(make: Callable[[Any], OutOfOrder[Any]], steps: list[bool], invariants: Sequence[Condition] = ()) -> bool:
    """Insert in order, evict the oldest where there is one, and compare the answer at the end with the definition."""
    window, present = make(COLLECT), list[int]()
    for number, inserts in enumerate(steps):
        if inserts:
            window.insert(number, (number,))
            present.append(number)
        elif present:
            window.evict(present.pop(0))
    return answers_at_end(window, tuple(present), invariants)


def answers_at_times(make: Callable[[Any], OutOfOrder[Any]], steps: list[tuple[bool, int]]) -> bool:
    """Insert and evict at these times, and compare the answer at the end with the definition."""
    window, model = make(COLLECT), OutOfOrderWindow(COLLECT)
    for number, (inserts, t) in enumerate(steps):
        for each in (window, model):
            each.insert(t, (number,)) if inserts else each.evict(t)
    return answers_at_end(window, model.query())


B_TREE: Final = enforced(CheckedBTree)
FIBA: Final = enforced(CheckedFiba)
"""The checked classes, with contracts that CrossHair does not switch off."""


def b_tree_history(steps: list[bool]) -> bool:
    """The B-tree, up to 7 operations in order.

    pre: len(steps) <= 7
    post: _
    """
    return answers(BTree, steps)


def checked_b_tree_history(steps: list[bool]) -> bool:
    """The B-tree under its contracts, up to 4 operations in order.

    pre: len(steps) <= 4
    post: _
    """
    return answers(B_TREE, steps, invariants_of(CheckedBTree))


def b_tree_times_history(steps: list[tuple[bool, int]]) -> bool:
    """The B-tree, up to 3 operations at any times.

    pre: len(steps) <= 3
    post: _
    """
    return answers_at_times(BTree, steps)


def fiba_history(steps: list[bool]) -> bool:
    """FiBA, up to 7 operations in order.

    pre: len(steps) <= 7
    post: _
    """
    return answers(Fiba, steps)


def checked_fiba_history(steps: list[bool]) -> bool:
    """FiBA under its contracts, up to 4 operations in order.

    pre: len(steps) <= 4
    post: _
    """
    return answers(FIBA, steps, invariants_of(CheckedFiba))


def fiba_times_history(steps: list[tuple[bool, int]]) -> bool:
    """FiBA, up to 3 operations at any times.

    pre: len(steps) <= 3
    post: _
    """
    return answers_at_times(Fiba, steps)
