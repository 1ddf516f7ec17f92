"""Claims about subtract-on-evict, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import OVER_A_DEQUE, claims_by_running, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants
from swagproof.reference.catalogue import SUBTRACT_ON_EVICT

WRONG: Final = Mutants(
    SUBTRACT_ON_EVICT,
    table="subtract-on-evict",
    shared=(*OVER_A_DEQUE.values(),),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        SUBTRACT_ON_EVICT,
        invariants=cite(IN_ORDER, place="section 8.3"),
        answer=cite(IN_ORDER, place="section 8.3"),
        cost=cite(IN_ORDER, place="section 8.3"),
        maintains="the product of the window, for every operation with remove(a, combine(a, b)) = b",
        calls="Insert invokes combine exactly one time, query and evict not at all; only evict subtracts, once.",
        space="Subtract-on-evict stores n + 1 partial aggregates.",
    ),
    *claims_by_running(SUBTRACT_ON_EVICT, counts=(33, 98), deep_counts=(257, 770)),
)
