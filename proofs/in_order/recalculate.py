"""Claims about recalculate-from-scratch, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import claim, explored_claim, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import BLIND_EVICT, IN_VAIN, KEEPS_NEWEST, WrongVariants, wrong
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import RECALCULATE

WRONG: Final = WrongVariants(RECALCULATE)
"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

QUERY_SWAPPED = WRONG.add(
    "query swaps the operands", ("query", "combine(product, self.deque[p])", "combine(self.deque[p], product)")
)
QUERY_SKIPS_FIRST = WRONG.add(
    "query starts at the second element", ("query", "p = self.F\n", "p = self.F if self.F == self.E else self.F + 1\n")
)
QUERY_REPEATS = wrong("query never moves on", ("query", "p = p + 1", "p = p"))
QUERY_FORGETS = WRONG.add(
    "query answers the newest element", ("query", "self.monoid.combine(product, self.deque[p])", "self.deque[p]")
)
ANSWERS_IDENTITY = WRONG.add("query answers the identity", ("query", "return product", "return self.monoid.identity"))
COMBINES_ONCE_MORE = WRONG.add(
    "query combines once too often",
    ("query", "return product", "return self.monoid.combine(product, self.monoid.identity)"),
    hidden="only the number of combine calls changes",
)
ZERO_IDENTITY = WRONG.add("the identity is taken for 0", ("query", "product = self.monoid.identity", "product = 0"))
EVICT_FORGETS = WRONG.add("evict forgets to move F", ("evict", "self.F = self.F + 1", "pass"))
WRONG.share(*IN_VAIN, KEEPS_NEWEST, BLIND_EVICT)


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        RECALCULATE,
        invariants=cite(IN_ORDER, place="section 8.1"),
        answer=cite(IN_ORDER, place="section 8.1"),
        cost=cite(IN_ORDER, place="section 8.1"),
        maintains="the queue of the window's elements",
        calls="Query invokes combine n times, insert and evict not at all.",
        space="The queue holds n values.",
        wrong={
            "invariant": (EVICT_FORGETS, QUERY_SWAPPED, QUERY_SKIPS_FIRST, QUERY_FORGETS),
            "answer": (ANSWERS_IDENTITY,),
            "calls": (COMBINES_ONCE_MORE, *IN_VAIN),
            "space": (KEEPS_NEWEST,),
            "empty": (BLIND_EVICT,),
        },
    ),
    claim(
        RECALCULATE,
        "query-ends",
        "termination",
        statement="The loop of query ends: E - p falls at each turn.",
        source=cite(IN_ORDER, place="section 8.1"),
        controls=(QUERY_REPEATS,),
        operations=("query",),
    ),
    explored_claim(
        RECALCULATE,
        counts=(33, 98),
        controls=(QUERY_SWAPPED, QUERY_SKIPS_FIRST, KEEPS_NEWEST),
        deep_counts=(257, 770),
    ),
    history_claim(RECALCULATE, "query_swapped", "query_skips_first", "combines_twice"),
)
