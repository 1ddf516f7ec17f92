"""Claims about FiBA, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import equivalent
from swagproof.reference.catalogue import FIBA

WRONG: Final = Mutants(FIBA, shared=shared.SHARED_WRONG, table="fiba")
"""Mutants that the explorer and a contract must reject."""


ALONE: Final = mutants_of("fiba", "for one claim")
"""Mutants that a single claim must reject."""


CLAIMS: Final[tuple[Claim, ...]] = (
    shared.explored_claim(
        FIBA,
        statement="From every tree within the scope, insert and evict keep the size invariants (reading FIBA-1), the "
        "order of time, the window's contents, the fingers, the spine flags and the aggregate that each node stores "
        "for its position: up, inner at the root, left or right on a spine. Query returns v_1 ... v_n with at most two "
        "combine calls, a range query the product of the entries with t_from <= t <= t_to, and neither changes "
        "anything; a tree holds at most 2n partial aggregates. An insert or evict at distance d visits at most "
        "3 (L + 1) nodes, makes s <= floor(log_mu((n + 1) / 2)) + 1 steps of rebalancing, which two coins and those at "
        "the nodes pay for, and computes at most 2 L + 3 s + 1 aggregates, with fewer than 4 mu combine calls each; L "
        "is floor(log_mu(d + 1)). The least common ancestor of a range of n_sub entries, d_from and d_to from the "
        "ends, is on a level l with mu^l <= d_from + d_to + n_sub + 1; there are at most 1 + 4 mu l calls of queryRec, "
        "of which at most two on each level read anything but a stored up-aggregate, and 4 mu (2 l + 1) combine calls. "
        "A time that does not compare (NaN, None) is refused with TimeError.",
        source=cite(
            OUT_OF_ORDER,
            "Definition 2.1",
            "Theorem 3.3",
            "Theorem 3.4",
            "Theorem 4.1",
            "Theorem 4.2",
            "Lemma C.1",
            "Figure 2",
            "Figure 7",
            "Figure 8",
            "Figure 10",
            place="sections 3.1 to 3.3 and 4, errata FIBA-2, FIBA-4, COST-1",
            compared="corrected: where the errata mend the listing; stronger: each invariant that the answers rest on, "
            "and constants; a part: nodes, steps and combine calls are counted, and no time",
        ),
    ),
    shared.PROVED_SPACE,
    history_claim(
        FIBA,
        source=cite(OUT_OF_ORDER, "Theorem 3.3", compared="an instance: the histories within the scope"),
        steps="inserts in the order of time and evicts of the oldest",
    ),
    equivalent(
        id="fiba/to-repair",
        statement="The parameter toRepair is not needed: it never is the node that rebalancing begins at, a leaf "
        "[Fig.7 l.56]; where rebalancing comes to it [Fig.7 l.72], merge or move has repaired it already.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=ALONE["toRepair is looked for nowhere [l.56-57, l.72-73]"],
    ),
    equivalent(
        id="fiba/substitute",
        statement="Which side the substitute comes from [Fig.8 l.78] does not matter: the youngest on the left will "
        "always do.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=ALONE["the substitute is always the youngest on the left [l.78-80]"],
    ),
    equivalent(
        id="fiba/up-unasked",
        statement="A range query need not ask whether an aggregate is an up-aggregate [Fig.10 l.7]: with infinities "
        "that are no times, only such a node is ever wholly in the range.",
        source=cite(OUT_OF_ORDER, place="section 4, on nodes without an up-aggregate"),
        column=FIBA,
        same=ALONE["a range takes a subtree whole without a look at its aggregate's kind"],
    ),
)
