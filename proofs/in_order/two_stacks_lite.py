"""Claims about Two-Stacks Lite, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import (
    OVER_A_DEQUE,
    claim,
    claims_by_running,
    definition_1,
    equivalent,
    every_branch_reached,
    family_claims,
)
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.reference.catalogue import TWO_STACKS_LITE

WRONG: Final = Mutants(
    TWO_STACKS_LITE,
    table="two-stacks-lite",
    shared=(*OVER_A_DEQUE.values(),),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""

FLIP_STOPS_SHORT: Final = WRONG.get("flip stops at the second element")
ALONE: Final = mutants_of("two-stacks-lite", "for one claim")
"""Mutants that a single claim must reject."""


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        TWO_STACKS_LITE,
        invariants=cite(IN_ORDER, "Lemma 2"),
        answer=cite(IN_ORDER, "Theorem 4.1"),
        cost=cite(IN_ORDER, "Theorem 4.2"),
        maintains="its invariants",
        calls="Query and insert invoke combine exactly one time each, evict at most n - 1 times.",
        calls_compared="stronger: evict, for which the paper has n; a part: combine calls at worst",
        space="Two-Stacks Lite stores n + 1 partial aggregates.",
        account="Combine calls of all inserts and evicts <= 2 inserts - |l_B|, after any history (reading TS-1).",
    ),
    claim(
        TWO_STACKS_LITE,
        "flip-ends",
        "termination",
        statement="The flip's loop ends: I - F falls at each turn.",
        source=cite(IN_ORDER, place="section 4, the flip"),
        operations=("evict",),
    ),
    definition_1(TWO_STACKS_LITE),
    equivalent(
        TWO_STACKS_LITE,
        "last-turn-wasted",
        statement="The last turn of the flip's loop is not needed: it rewrites the oldest element, which is popped at "
        "once.",
        mutant=ALONE["flip leaves the oldest element as it is"],
    ),
    every_branch_reached(
        TWO_STACKS_LITE,
        statement="The proofs reach every outcome of every condition but one: `B != E` [evict l.9] is never false "
        "where F = B, as the window is not empty.",
        but=("evict: self.B != self.E never False",),
    ),
    *claims_by_running(TWO_STACKS_LITE, counts=(560, 1648), deep_counts=(33152, 99200)),
)
