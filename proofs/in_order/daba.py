"""Claims about DABA, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order import two_stacks
from swagproof.proofs.in_order.fifo import (
    OVER_A_DEQUE,
    claims_by_running,
    definition_1,
    every_branch_reached,
    family_claims,
)
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants
from swagproof.reference.catalogue import DABA

WRONG: Final = Mutants(
    DABA,
    table="daba",
    shared=(
        *two_stacks.WRONG.pick("insert swaps the operands", "query swaps the operands"),
        *OVER_A_DEQUE.values(),
    ),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""

QUERY_LEFT: Final = WRONG.get("query reads the left sublist for the front")
SHRINK_SWAPPED: Final = WRONG.get("shrink swaps left and right")
SKIPS_SHRINK: Final = WRONG.get("no shrink after a flip")
FIXES_TWICE: Final = WRONG.get("insert fixes up twice")
COMBINES_TWICE: Final = WRONG.get("shrink combines once too often")


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        DABA,
        invariants=cite(IN_ORDER, "Lemma 3"),
        answer=cite(IN_ORDER, "Theorem 5.1"),
        cost=cite(IN_ORDER, "Theorem 5.2"),
        maintains="the values, partial aggregate and size invariants and the pointer order",
        calls="DABA invokes combine at most one time per query, four times per insert and three times per evict.",
        space="DABA stores 2n partial aggregates.",
        account="Combine calls of all inserts and evicts = 2.5 inserts + 1.5 evicts + 1.5 |l_A| - 1.5 (operations "
        "that took the singleton case), after any history (erratum DABA-2).",
    ),
    definition_1(DABA),
    every_branch_reached(
        DABA,
        statement="The proofs reach every outcome of every condition but two: Pi_L [l.6] and Pi_R [l.8] never answer "
        "the identity, as only a shrink asks them, and there L != R and |l_L| = |l_R|.",
        but=("pi_L: self.L == self.R never True", "pi_R: self.R == self.A never True"),
    ),
    *claims_by_running(DABA, counts=(766, 2266), deep_counts=(302995, 907534)),
)
