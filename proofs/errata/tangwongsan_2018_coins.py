"""Searches for the errata and readings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018) on costs."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import coins as contract
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.models.operations import SUM
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.errata.tangwongsan_2018 import MIN_ARITIES
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.trees.lower_bound import closer_end, disorder
from swagproof.proofs.trees.runs import HISTORIES, counted, height_below, height_of, summing, take
from swagproof.reference.trees.fiba import Fiba

# Coins


def _arities(admitted: Callable[[Any, Any, bool], bool]) -> Iterator[str]:
    """Search for an arity that a node can have, within operations too, but that is not admitted."""

    def watch(self: Any) -> None:
        for node in self.nodes():
            if not admitted(node.arity, self.min_arity, node.is_root()):
                raise Violation(f"{'the root' if node.is_root() else 'a node'} has arity {node.arity}", ())

    made = type("WatchedFiba", (counted(Fiba),), {"_step": watch})
    for mu in MIN_ARITIES:
        for history in HISTORIES.values():
            tree, done = made(summing(), mu), list[str]()
            for step, t in history(40):
                done.append(f"{step} {t}")
                try:
                    take(tree, step, t)
                except Violation as violation:
                    yield f"mu = {mu}: {', '.join(done)}: {violation.check}"


def _split(of_sibling: int) -> Iterator[str]:
    """Search for a split that lacks coins if the new sibling gets this many, with a parent that needs two more."""
    for mu in range(2, 9):
        parent = contract.coins(2 * mu + 1, mu, False) - contract.coins(2 * mu, mu, False)
        has, needs = contract.coins(2 * mu + 1, mu, False), 1 + of_sibling + parent
        if needs > has or of_sibling != contract.coins(mu, mu, False):
            yield f"mu = {mu}, parent of arity {2 * mu}: {needs} coins needed, {has} there"


def _move_billed(most: int) -> Iterator[str]:
    """Search for a move that is billed more than this many coins."""
    for mu in range(2, 9):
        for sibling in range(mu + 1, 2 * mu + 1):
            billed = -contract.move_left_over(sibling, mu)
            if billed > most:
                yield f"mu = {mu}, sibling of arity {sibling}: a move is billed {billed}"


# Lower bound


def _permutations() -> Iterator[tuple[int, ...]]:
    yield (1,)
    yield from ((1, 2), (2, 1))
    yield from ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))


def _measures(agree: Callable[[int, int, int], bool]) -> Iterator[str]:
    for permutation in _permutations():
        delta, distance = disorder(permutation), closer_end(permutation)
        if not agree(delta, distance, len(permutation)):
            inserts = ", ".join(f"insert {t}" for t in permutation)
            yield f"{inserts}: delta {delta}, out-of-order distance {distance}"


# Range queries


def _ancestor(most_level: Callable[[int, int, int, int], int]) -> Iterator[str]:
    """Search for least common ancestors, of three entries and of all, above the bound's level in growing trees."""
    for mu, forwards in itertools.product(MIN_ARITIES, (True, False)):
        said: list[str] = []
        tree, n = Fiba(SUM, mu), 0
        for height in range(1, 7 if mu == 2 else 4):
            while height_of(tree) < height:
                tree.insert(n if forwards else -n, 1)
                n += 1
            first = 0 if forwards else 1 - n
            at = tree.root.get_time(0) - first
            for t_from, t_to in ((max(at - 1, 0), min(at + 1, n - 1)), (0, n - 1)):
                ends = tree.search_node(first + t_from), tree.search_node(first + t_to)
                level, n_sub = height_below(tree.least_common_ancestor(*ends)), t_to - t_from + 1
                if level > most_level(min(t_from, n - 1 - t_from), min(t_to, n - 1 - t_to), n_sub, mu):
                    said.append(f"{level} for {n_sub} of {n}")
        if said:
            order = "in order" if forwards else "backwards"
            yield f"mu = {mu}, filled {order}; levels up to the common ancestor: {', '.join(said)}"


SEARCHES: Final = {
    "COST-1": Searches(
        printed=partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(n_sub, mu)),
        holds=partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(d_from + d_to + n_sub, mu)),
        wrong={"by the distances alone": partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(d_from + d_to, mu))},
    ),
    "COIN-1": Searches(
        printed=partial(_arities, lambda a, mu, root: mu - 1 <= a <= 2 * mu + 1),
        holds=partial(_arities, contract.within_operation),
        wrong={
            "the root has 2 at least": partial(_arities, lambda a, mu, root: (2 if root else mu - 1) <= a <= 2 * mu + 1)
        },
    ),
    "COIN-2": Searches(holds=partial(_split, 1), wrong={"2": partial(_split, 2)}),
    "COIN-4": Searches(holds=partial(_move_billed, 1), wrong={"nobody": partial(_move_billed, 0)}),
    "BOUND-2": Searches(
        holds=partial(_measures, lambda delta, distance, n: distance <= min(delta, (n - 1) // 2)),
        wrong={"coinciding, to the closer end": partial(_measures, lambda delta, distance, n: delta == distance)},
    ),
}
