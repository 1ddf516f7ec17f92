"""Claims about subtract-on-evict, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import OVER_A_DEQUE, explored_claim, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.mutants import Mutants
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import SUBTRACT_ON_EVICT

WRONG: Final = Mutants(
    SUBTRACT_ON_EVICT,
    table="subtract-on-evict",
    shared=(*OVER_A_DEQUE.values(),),
)
"""Mutants, each rejected by a proof and a contract and, unless hidden, by a state machine that sees only answers."""

INSERT_SWAPPED: Final = WRONG.get("insert swaps the operands")
COMBINES_TWICE: Final = WRONG.get("insert combines once too often")


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
    explored_claim(
        SUBTRACT_ON_EVICT,
        counts=(33, 98),
        deep_counts=(257, 770),
    ),
    history_claim(SUBTRACT_ON_EVICT),
)
