"""Claims about the classic B-tree, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.trees import out_of_order as shared
from swagproof.reference.catalogue import B_TREE

WRONG: Final = Mutants(
    B_TREE,
    shared=(*shared.SHARED_WRONG, *mutants_of("trees", "for one claim").values()),
    table="b-tree",
)
"""Mutants that the explorer and a contract must reject."""

CLAIMS: Final[tuple[Claim, ...]] = (
    shared.explored_claim(
        B_TREE,
        statement="From every tree within the scope, insert and evict keep the size invariants (reading FIBA-1), the "
        "order of time, the window's contents and the up-aggregation invariant; query returns v_1 ... v_n without a "
        "combine call, a range query the product of the entries with t_from <= t <= t_to, and neither changes "
        "anything; a tree holds at most 2n partial aggregates. With h = floor(log_mu((n + 1) / 2)), an insert or "
        "evict visits at most h + 1 nodes, makes s <= h + 1 steps of rebalancing, which two coins and those at the "
        "nodes pay for, and computes at most h + 1 + 2 s aggregates, with fewer than 4 mu combine calls each. A time "
        "that does not compare (NaN, None) is refused with TimeError.",
        source=cite(
            OUT_OF_ORDER,
            "Definition 2.1",
            "Theorem 3.1",
            "Theorem 3.2",
            "Figure 1",
            "Figure 10",
            place="section 3.1; the range query of section 2 (erratum FIBA-2)",
            compared="a part: nodes, steps and combine calls are counted, and no time; stronger: each invariant that "
            "the answers rest on, and constants",
        ),
    ),
    history_claim(
        B_TREE,
        source=cite(OUT_OF_ORDER, "Theorem 3.1", compared="an instance: the histories within the scope"),
        steps="inserts in the order of time and evicts of the oldest",
    ),
)
