"""Coins: the cost of rebalancing, kept on account at the nodes of a tree with min-arity mu and max-arity 2 mu.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 3.3 (coins spent, billed and refunded)
and appendix C, Lemma C.1.

Conventions.  `a` is a node's arity, `root` whether it is the root, `parent` the arity of the parent before the step and
`top` whether that parent is the root.  A step of rebalancing costs one coin.  The predicates state that the coins at
the nodes before a step, and those billed for it, pay for the step and for the coins required there afterwards.  They
are evaluated on the arities of a live tree, and proved with Z3 for every mu and every arity.
"""

from collections.abc import Callable
from typing import Any, Final

Table = Callable[[Any, Any, bool], int]
"""(arity, mu, whether the node is the root) -> the coins at the node."""


def coins(a: Any, mu: Any, root: bool) -> int:
    """4 if a = 2mu+1; 2 if a = 2mu, or a = mu-1 and not the root; 1 if a = mu and not the root; else 0"""
    if a == 2 * mu + 1:
        return 4
    if a == 2 * mu or (a == mu - 1 and not root):
        return 2
    if a == mu and not root:
        return 1
    return 0


def between_operations(a: Any, mu: Any, root: bool) -> bool:
    """mu <= a <= 2mu; for the root 1 <= a <= 2mu (a root of arity 1 is a leaf, and the window empty)"""
    return bool((1 if root else mu) <= a and a <= 2 * mu)


def within_operation(a: Any, mu: Any, root: bool) -> bool:
    """mu-1 <= a <= 2mu+1; for the root 1 <= a <= 2mu+1 (erratum COIN-1)"""
    return bool((1 if root else mu - 1) <= a and a <= 2 * mu + 1)


# The bill of an operation for the entry that it adds to a node or removes from a leaf.


def insert_billed(a: Any, mu: Any, root: bool, table: Table = coins) -> bool:
    """coins(a+1) - coins(a) <= 2"""
    return table(a + 1, mu, root) - table(a, mu, root) <= 2


def evict_billed(a: Any, mu: Any, root: bool, table: Table = coins) -> bool:
    """coins(a-1) - coins(a) <= 1: less than the paper's 2, so that a move can be billed, too (reading COIN-4)"""
    return table(a - 1, mu, root) - table(a, mu, root) <= 1


# The surplus of the steps.  Only a move is billed.


def split_left_over(parent: Any, mu: Any, top: bool, table: Table = coins) -> int:
    """coins(2mu+1) + coins(parent) - 1 - coins(mu+1) - coins(mu) - coins(parent+1)"""
    before = table(2 * mu + 1, mu, False) + table(parent, mu, top)
    return before - 1 - table(mu + 1, mu, False) - table(mu, mu, False) - table(parent + 1, mu, top)


def merge_left_over(parent: Any, mu: Any, top: bool, table: Table = coins) -> int:
    """coins(mu-1) + coins(mu) + coins(parent) - 1 - coins(2mu-1) - coins(parent-1)"""
    before = table(mu - 1, mu, False) + table(mu, mu, False) + table(parent, mu, top)
    return before - 1 - table(2 * mu - 1, mu, False) - table(parent - 1, mu, top)


def move_left_over(sibling: Any, mu: Any, table: Table = coins) -> int:
    """coins(mu-1) + coins(sibling) - 1 - coins(mu) - coins(sibling-1)"""
    return (
        table(mu - 1, mu, False) + table(sibling, mu, False) - 1 - table(mu, mu, False) - table(sibling - 1, mu, False)
    )


def split_paid(parent: Any, mu: Any, top: bool, table: Table = coins) -> bool:
    """A split is billed nothing"""
    return split_left_over(parent, mu, top, table) >= 0


def merge_paid(parent: Any, mu: Any, top: bool, table: Table = coins) -> bool:
    """A merge is billed nothing, and refunds one coin"""
    return merge_left_over(parent, mu, top, table) >= 1


def move_paid(sibling: Any, mu: Any, table: Table = coins) -> bool:
    """A move is billed at most one coin"""
    return move_left_over(sibling, mu, table) >= -1


def height_increase_paid(mu: Any, table: Table = coins) -> bool:
    """The old root keeps its 4 coins, the new one, of arity 1, needs none; the split that follows leaves 1 for it"""
    unchanged = table(2 * mu + 1, mu, False) == table(2 * mu + 1, mu, True) and table(1, mu, True) == 0
    return unchanged and split_left_over(1, mu, True, table) >= 1


def height_decrease_paid(mu: Any, table: Table = coins) -> bool:
    """The child needs no more as the root than below it; the merge that precedes leaves 1 for it"""
    return table(2 * mu - 1, mu, True) <= table(2 * mu - 1, mu, False) and merge_left_over(2, mu, True, table) >= 1


MOST_BILLED: Final = 2
"""The most coins billed to one insert or evict (Lemma C.1)."""


def operation_paid(steps: int, before: int, after: int) -> bool:
    """One coin for each step, and the coins at all nodes after the operation, are at most those before it and 2"""
    return steps + after <= before + MOST_BILLED
