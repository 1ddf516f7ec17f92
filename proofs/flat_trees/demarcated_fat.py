"""Proofs about the tree of the FIFO Reactive Aggregator, for every n = 2^k, and the mutants that they must reject.

Its own methods are run symbolically (swagproof.proofs.flat_trees.demarcated_runs).  The proofs about the
aggregator use the results (swagproof.proofs.flat_trees.every_capacity).
"""

from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.flat_trees.array_runs import products
from swagproof.proofs.flat_trees.complete_trees import LEMMAS, lemma, prove
from swagproof.proofs.flat_trees.demarcated_runs import (
    DemarcatedOperation,
    SymbolicArea,
    areas,
    explore_operation,
)
from swagproof.proofs.ledger.claim import GENERAL, Claim, Control, cite, code_of
from swagproof.proofs.ledger.mutants import algorithm_of
from swagproof.proofs.ledger.theorem import ProvedRuns
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR_FIFO as FIFO
from swagproof.reference.flat_trees.reactive_aggregator_fifo import DemarcatedFat

LEVELS: Final = frozenset({"array", "of_lowest_level", "of_level", "of_their_levels"})
"""The obligations about the number of slots, and the levels of scheduled nodes."""
CALLS: Final = frozenset(
    {"calls of a slide, split at any level s", "a slide of nothing", "filled_calls", "__init__ calls", "no_calls"}
    | {"one_each", "W is within its level", "at_most_m", "update_calls_by_level", "fewer_nodes"}
    | {"one_parent_each", "one_call_each_at_most", "one_call_a_pair"}
)
"""The obligations about combine calls."""
OTHERS: Final[tuple[DemarcatedOperation, ...]] = ("__init__", "aggregate", "prefix", "suffix", "a")
RUNS: Final = ProvedRuns[DemarcatedOperation](
    algorithm=FIFO.name,
    slug=FIFO.slug,
    explore=lambda operation, mutant, enough: explore_operation(algorithm_of(FIFO, mutant).Fat, operation, enough),
    names=("slide", *OTHERS),
    runs_of={
        **dict.fromkeys(("slide", "is_occupied", "rewrite", "propagate"), ("slide",)),
        **{operation: (operation,) for operation in OTHERS},
    },
    lemmas=cache(partial(lemma, *LEMMAS, partial(areas, SymbolicArea.on_path), partial(products, False, False))),
)


def _claim(name: str, operations: tuple[DemarcatedOperation, ...], **said: Any) -> Claim:
    code = code_of(DemarcatedFat, *dict.fromkeys(each.split()[0] for each in operations))
    return RUNS.claim(f"proved-{name}", runs=operations, rests_on=operations, code=code, **said)


def _one_level_up(area: SymbolicArea, v: Integer) -> Truth:
    """Return the condition that is_occupied would use if the paths were a level ahead."""
    (front, _), (back, _), level = *area.ends, area.tree.level(v) + 1
    return z3.Implies(area.tree.is_node(v), area.nodes(v) == area.among(v, front(level), back(level)))


CLAIMS: Final[tuple[Claim, ...]] = (
    _claim(
        "tree",
        ("__init__", "slide"),
        states=lambda obligation: obligation.clause not in CALLS,
        statement="A slide that is told of each place that was taken or left leaves a tree in which a leaf of an "
        "occupied place holds what was written there last, and an inner node what its children over occupied places "
        "hold, in their order. The constructor leaves one without occupied places. Each access finds a node, and each "
        "node that is read was written.",
        source=cite(GENERAL, place="section 5.2; the invariants are ours"),
        scope="every operator, associative or not; every n = 2^k, area, and set of places changed and freed; whatever "
        "was occupied before",
        controls=(Control("the paths are a level ahead", lambda: prove(partial(areas, _one_level_up))),),
    ),
    _claim(
        "tree-answer",
        ("aggregate", "prefix", "suffix", "a"),
        statement="Where a node over occupied places holds what its children over such hold, in their order, aggregate "
        "is the product of the places from front to back, if these do not wrap around; prefix and suffix, of places "
        "that are all occupied, are their products.",
        source=cite(GENERAL, place="section 5.2"),
        scope="every associative operator; every n = 2^k, area and place",
        controls=(Control("the children's products swapped", lambda: prove(partial(products, True, False))),),
    ),
    _claim(
        "tree-calls",
        ("__init__", "slide"),
        states=lambda obligation: obligation.clause in CALLS | LEVELS,
        statement="A slide of m places, changed or freed, makes at most m s + n/2^s - 1 calls, for each s in 0 .. log2 "
        "n, and none for m = 0; one to an area that does not wrap around, as a resize asks for, less than there are "
        "places in it. The constructor makes none, and keeps 2n - 1 slots.",
        source=cite(
            GENERAL, "Theorem 4.1", "Theorem 4.2", place="(ii), section 5.2", compared="stronger: fewer by one"
        ),
        scope="every operator; every n = 2^k, area, and set of places changed and freed",
        not_covered="that a place both changed and freed counts once in m: here twice",
    ),
)
