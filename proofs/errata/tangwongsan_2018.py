"""Errata and readings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018)."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import coins as contract
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.models.operations import CONCATENATION, SUM
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.trees.lower_bound import closer_end, disorder
from swagproof.proofs.trees.runs import HISTORIES, counted, height_below, height_of, summing, take
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.trees.fiba import Fiba

MIN_ARITIES: Final = (2, 3, 4, 8)
"""The min-arities measured in the paper, and one between them."""


# Definitions


def _root_of_empty(least: Callable[[int], int]) -> Iterator[str]:
    for column, min_arity, n in itertools.product((B_TREE, FIBA), MIN_ARITIES, range(3)):
        tree = column.algorithm(CONCATENATION, min_arity)
        for t in range(1, n + 1):
            tree.insert(t, "a")
        if tree.root.arity < least(n):
            yield f"{column.name}, window of {n}: a(root) = {tree.root.arity}"


Pick = Callable[[list[int]], int]


def _range_ends(first: Pick, last: Pick) -> Iterator[str]:
    """Search for a range whose product by the statement differs from the preceding sentence's, or from trees' answers.

    The statement picks the `first` i with t_from <= t_i and the `last` with t_i <= t_to; trees have every min-arity.
    """
    for n in (*range(5), 12):
        window: OutOfOrderWindow[str] = OutOfOrderWindow(CONCATENATION)
        trees = [column.algorithm(CONCATENATION, min_arity) for column in (B_TREE, FIBA) for min_arity in MIN_ARITIES]
        for t, each in itertools.product(range(1, n + 1), (window, *trees)):
            each.insert(t, LETTERS[t - 1])
        for t_from, t_to in itertools.product(range(n + 2), repeat=2):
            from_on = [i for i, t in enumerate(window.times) if t_from <= t]
            up_to = [i for i, t in enumerate(window.times) if t <= t_to]
            if not set(from_on) & set(up_to):
                continue  # "if the subrange contains no values"
            i_from, i_to = first(from_on), last(up_to)
            said = "".join(window.values[i_from : i_to + 1])
            meant = window.range_query(t_from, t_to)
            if said != meant or any(tree.range_query(t_from, t_to) != said for tree in trees):
                yield (
                    f"times 1 .. {n}, values {''.join(window.values)}, from {t_from} to {t_to}: i_from = {i_from + 1}, "
                    f"i_to = {i_to + 1}, which is {said!r}; the values whose times fall between are {meant!r}"
                )


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


# Lower bound


def _measures(agree: Callable[[int, int, int], bool]) -> Iterator[str]:
    for permutation in (each for n in (1, 2, 3) for each in itertools.permutations(range(1, n + 1))):
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
    "BOUND-2": Searches(
        holds=partial(_measures, lambda delta, distance, n: distance <= min(delta, (n - 1) // 2)),
        wrong={"coinciding, to the closer end": partial(_measures, lambda delta, distance, n: delta == distance)},
    ),
    "FIBA-2": Searches(
        printed=partial(_range_ends, max, min),
        holds=partial(_range_ends, min, max),
        wrong={
            "the smallest of both": partial(_range_ends, min, min),
            "the largest of both": partial(_range_ends, max, max),
        },
    ),
    "FIBA-1": Searches(
        holds=partial(_root_of_empty, lambda n: 2 if n else 1),
        wrong={"the empty window's root has arity 2": partial(_root_of_empty, lambda n: 2)},
    ),
}
