"""Claims about DABA Lite, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order import daba, two_stacks_lite
from swagproof.proofs.in_order.fifo import (
    OVER_A_DEQUE,
    claims_by_running,
    definition_1,
    equivalent,
    every_branch_reached,
    family_claims,
)
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.reference.catalogue import DABA_LITE

WRONG: Final = Mutants(
    DABA_LITE,
    table="daba-lite",
    shared=(
        *two_stacks_lite.WRONG.pick("insert swaps the operands", "query swaps the operands"),
        *daba.WRONG.pick(
            "insert skips fixup",
            "evict skips fixup",
            "query reads the left sublist for the front",
            "shrink does not move L",
            "shrink does not move A",
            "no shrink after a flip",
            "never flips",
            "no singleton case",
            "singleton does not reset R",
            "shift forgets R",
            "shrinks right after a flip only",
            "insert fixes up twice",
            "evict combines four times in vain",
        ),
        *OVER_A_DEQUE.values(),
    ),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""

ALONE: Final = mutants_of("daba-lite", "for one claim")
"""Mutants that a single claim must reject."""
KEEPS_STALE_RA: Final = ALONE["singleton does not reset aggRA"]


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        DABA_LITE,
        invariants=cite(IN_ORDER, "Lemma 4"),
        answer=cite(IN_ORDER, "Theorem 6.1"),
        cost=cite(IN_ORDER, "Theorem 6.2"),
        maintains="the contents and size invariants and the pointer order",
        calls="DABA Lite invokes combine at most one time per query, three times per insert and two times per evict.",
        space="DABA Lite stores n + 2 partial aggregates.",
        account="Combine calls of all inserts and evicts = 2 inserts + 1 evict + |l_A| - (operations that took the "
        "singleton case), after any history (erratum DABA-2).",
    ),
    definition_1(DABA_LITE),
    equivalent(
        DABA_LITE,
        "aggRA-reset-unneeded",
        statement="The singleton case need not reset aggRA [fixup l.13]: nothing reads it before the next flip sets "
        "it.",
        mutant=KEEPS_STALE_RA,
    ),
    every_branch_reached(
        DABA_LITE,
        statement="The proofs reach every outcome of every condition but one: Pi_L [l.4] never answers the identity, "
        "as only a shrink asks it, and there L != R.",
        but=("pi_L: self.L == self.R never True",),
    ),
    *claims_by_running(DABA_LITE, counts=(1754, 5190), deep_counts=(723650, 2166790)),
)
