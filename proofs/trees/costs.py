"""Costs of the trees' operations, compared with Theorems 3.2, 3.4 and 4.2, including constants.

The theorems state O(log d).  Let L = floor(log_mu(d + 1)), s the number of rebalancing steps, and n the number of
entries before the operation.

- a search visits at most 3 (L + 1) nodes.  Both climbs reach level k only if neither subtree of level k - 1 on the
  spines contains the time; each has at least mu^k - 1 entries, so mu^k <= d + 1.  The way down has k + 1 nodes.
- an insert or evict computes at most 2 L + 3 s + 1 aggregates: one for the node found, at most three for each step,
  then one for each node on the way up to a spine, and from there down to the finger.  The way up ends at level L, or at
  most s levels above it.
- an insert or evict makes s <= floor(log_mu((n + 1) / 2)) + 1 steps: at most one on each level, and one for the height.
- computing one aggregate takes fewer than 4 mu combine calls.

For a range query, let d_from and d_to be the distances of its ends, and n_sub the number of entries in it.  The least
common ancestor is on a level l with mu^l <= d_from + d_to + n_sub + 1, and at most 1 + 4 mu l calls of queryRec follow.
(The proof of Theorem 4.2 bounds l by n_sub alone: erratum COST-1.)
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import b_tree, fiba
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.proofs.trees.coins import LEAST_MAX_ARITY
from swagproof.proofs.trees.runs import Tally, count_step, counted, height_of, summing
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.costs import b_tree_calls, fiba_calls, most_steps, range_cost
from swagproof.reference.trees.b_tree import BTree

Costs = dict[str, tuple[int, int]]
"""The cost of each kind, with its bound."""


def most_visits(fingers: bool, mu: int, n: int, d: int) -> int:
    """Return the most nodes that a search at distance d of n entries visits."""
    return fiba.search_bound(d, mu) if fingers else b_tree.search_bound(n, mu)


def update_costs(tally: Tally[Any], fingers: bool, mu: int, n: int, d: int) -> Costs:
    """Return the costs of an insert or evict at distance d of n entries, in FiBA or in the tree without fingers.

    Without fingers, the bounds are those of Theorem 3.2: with h = floor(log_mu((n + 1) / 2)) levels below the root, h +
    1 nodes visited, h + 1 steps, and h + 1 aggregates plus 2 for each step.
    """
    level, height = levels(d, mu), levels((n - 1) // 2, mu)
    if fingers:
        aggregates, calls = 2 * level + 3 * tally.steps + 1, fiba_calls(d, tally.steps, mu)
    else:
        aggregates, calls = height + 1 + 2 * tally.steps, b_tree_calls(n, tally.steps, mu)
    return {
        "nodes visited": (tally.visits, most_visits(fingers, mu, n, d)),
        "steps of rebalancing": (tally.steps, most_steps(n, mu)),
        "aggregates": (tally.repairs, aggregates),
        "combine calls": (tally.calls, calls),
    }


def range_costs(tally: Tally[Any], level: int, mu: int, d_from: int, d_to: int, n_sub: int) -> Costs:
    """Return a range query's costs except its searches, with the least common ancestor on this level."""
    return {
        "levels up to the least common ancestor": (level, levels(d_from + d_to + n_sub, mu)),
        "calls of queryRec": (tally.recursions, 1 + 4 * mu * level),
        "range calls": (tally.calls, range_cost(level, mu)),
        "calls on a level that read no stored up-aggregate": (max(tally.unstored.values(), default=0), 2),
        "a node without an up-aggregate is asked for all of it": (tally.off_chain, 0),
    }


# The reason for max-arity 2 mu


def at_the_brink(algorithm: type[Any], mu: int, height: int, rounds: int = 16) -> tuple[int, float]:
    """Return n and the steps per evict or insert of the newest entry, for a tree that has just reached this height."""
    tree = counted(algorithm)(summing(), mu)
    n = 0
    while height_of(tree) < height:
        count_step(tree, "insert", n)
        n += 1
    steps = 0
    for _ in range(rounds):
        steps += count_step(tree, "evict", n - 1).steps + count_step(tree, "insert", n - 1).steps
    return n, steps / (2 * rounds)


def relapses(algorithm: type[Any], mu: int, heights: Sequence[int]) -> Outcome:
    """Check that an operation at the brink takes a step on every level, each time."""
    said: list[str] = []
    for height in heights:
        n, steps = at_the_brink(algorithm, mu, height)
        if steps < height:
            return Outcome("fails", f"height {height}, n = {n}: {steps:g} steps an operation")
        said.append(f"n = {n}: {steps:g}")
    return Outcome("holds", f"steps an operation, {', '.join(said)}")


# Mutants

WRONG: Final = Mutants(FIBA, table="fiba", section="cost")
"""Mutants of FiBA that only the cost reveals."""
ALONE: Final = tuple(mutants_of("b-tree", "cost, for one claim").values())
"""Mutants of the B-tree that only the cost reveals."""

HEIGHTS: Final = tuple(range(1, 9))

CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="b-tree/least-max-arity",
        statement="With max-arity 2 mu - 1, the least that a B-tree admits, rebalancing is not amortised O(1): at the "
        "brink of a height, every evict and insert of the newest takes a step on each level.",
        source=cite(OUT_OF_ORDER, place="section 3.2: why max-arity is 2 mu"),
        algorithm=B_TREE.name,
        kind="exhaustive",
        engine="counted runs",
        scope=f"mu = 2, heights {HEIGHTS[0]} to {HEIGHTS[-1]}",
        code="reference.trees.b_tree.BTree, with max-arity 2 mu - 1",
        check=partial(relapses, LEAST_MAX_ARITY.of(BTree), 2, HEIGHTS),
        controls=(Control("max-arity 2 mu", partial(relapses, BTree, 2, HEIGHTS)),),
        not_covered="greater heights, other mu",
    ),
)
