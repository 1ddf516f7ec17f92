"""Claims about Two-Stacks, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import claim, claims_by_running, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.reference.catalogue import TWO_STACKS

WRONG: Final = Mutants(TWO_STACKS, table="two-stacks")
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers.

FLIP_NEVER_ENDS is not among them, because it would not return; the proof of termination rejects it.
"""

INSERT_SWAPPED: Final = WRONG.get("insert swaps the operands")
QUERY_SWAPPED: Final = WRONG.get("query swaps the operands")
FLIP_ONE_SHORT: Final = WRONG.get("flip leaves one element behind")
ALONE: Final = mutants_of("two-stacks", "for one claim")
"""Mutants that a single claim must reject."""
FLIP_NEVER_ENDS: Final = ALONE["flip never empties the back"]


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        TWO_STACKS,
        invariants=cite(IN_ORDER, "Lemma 1"),
        answer=cite(IN_ORDER, "Theorem 3.1"),
        cost=cite(IN_ORDER, "Theorem 3.2"),
        maintains="its invariants",
        calls="Query and insert invoke combine exactly one time each, evict at most n times.",
        space="Two-Stacks stores 2n partial aggregates between operations (reading TS-2; within a flip 2n + 2).",
        account="Combine calls of all inserts and evicts = 2 inserts - |B|, after any history: with inserts "
        "billed two coins and evicts none, the savings never fall below 0 (reading TS-1).",
    ),
    claim(
        TWO_STACKS,
        "flip-ends",
        "termination",
        statement="The flip's loop ends: |B| falls at each turn.",
        source=cite(IN_ORDER, place="section 3, the flip"),
        operations=("evict",),
    ),
    *claims_by_running(TWO_STACKS, counts=(560, 1648), deep_counts=(33152, 99200)),
)
