"""Errata and readings of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), except those on costs."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.trees.fiba import WRONG
from swagproof.proofs.trees.out_of_order import SHARED_WRONG
from swagproof.reference.catalogue import B_TREE, FIBA

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


def _distances(before: Callable[[int], int], size: Callable[[int, int], int]) -> Iterator[str]:
    """Search for an entry whose d is wrongly 0 or not 0, or a range with a wrong number n_sub of entries."""
    for n in range(1, 5):
        for i_from in range(1, n + 1):
            if (min(before(i_from), n - i_from) == 0) != (i_from in (1, n)):
                yield f"n = {n}: d of entry {i_from} is {min(before(i_from), n - i_from)}"
            for i_to in range(i_from, n + 1):
                if size(i_from, i_to) != len(range(i_from, i_to + 1)):
                    yield f"n = {n}: entries {i_from} .. {i_to} are {size(i_from, i_to)}"


# Figure 7, l.62

SILENT_ON_THE_LEFT: Final = WRONG.get("a sibling on the left spine goes unnoticed [l.62 as printed]")
REPAIRING_ALL: Final = wrong(
    "l.62 as printed, and split, merge and move repair every aggregate that they touch, the parent's first",
    *((edit.method, edit.old, edit.new) for edit in SILENT_ON_THE_LEFT.edits),
    ("repair_up", "for node in nodes:", "for node in reversed(nodes):"),
    ("repair_up", "node.local_repair_agg_if_up()", "node.local_repair_agg()"),
)

# Figure 10

BEYOND_LAST: Final = wrong(
    "i + 1 <= arity - 1 [l.20]", ("query_rec", "i + 1 < node.arity - 1", "i + 1 <= node.arity - 1")
)
SEARCHES: Final = {
    "FIBA-2": Searches(
        printed=partial(_range_ends, max, min),
        holds=partial(_range_ends, min, max),
        wrong={
            "the smallest of both": partial(_range_ends, min, min),
            "the largest of both": partial(_range_ends, max, max),
        },
    ),
    "FIBA-3": Searches(
        mutants=(SILENT_ON_THE_LEFT, REPAIRING_ALL, WRONG.get("a sibling on the right spine goes unnoticed"))
    ),
    "FIBA-4": Searches(
        mutants=(SHARED_WRONG.get("a range leaves out the child before the last [l.20 as printed]"), BEYOND_LAST)
    ),
    "FIBA-1": Searches(
        holds=partial(_root_of_empty, lambda n: 2 if n else 1),
        wrong={"the empty window's root has arity 2": partial(_root_of_empty, lambda n: 2)},
    ),
    "FIBA-6": Searches(
        holds=partial(_distances, lambda i: i - 1, lambda i_from, i_to: i_to - i_from + 1),
        wrong={"to the letter": partial(_distances, lambda i: i, lambda i_from, i_to: i_to - i_from)},
    ),
}
