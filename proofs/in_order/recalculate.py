"""Claims about recalculate-from-scratch, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import OVER_A_DEQUE, claim, claims_by_running, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants
from swagproof.reference.catalogue import RECALCULATE

WRONG: Final = Mutants(
    RECALCULATE,
    table="recalculate-from-scratch",
    shared=(*OVER_A_DEQUE.values(),),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""

QUERY_SWAPPED: Final = WRONG.get("query swaps the operands")


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        RECALCULATE,
        invariants=cite(IN_ORDER, place="section 8.1"),
        answer=cite(IN_ORDER, place="section 8.1"),
        cost=cite(IN_ORDER, place="section 8.1"),
        maintains="the queue of the window's elements",
        calls="Query invokes combine n times, insert and evict not at all.",
        space="The queue holds n values.",
    ),
    claim(
        RECALCULATE,
        "query-ends",
        "termination",
        statement="The loop of query ends: E - p falls at each turn.",
        source=cite(IN_ORDER, place="section 8.1"),
        operations=("query",),
    ),
    *claims_by_running(RECALCULATE, counts=(33, 98), deep_counts=(257, 770)),
)
