"""Claims about Two-Stacks Lite, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import (
    claim,
    definition_1,
    equivalent,
    every_branch_reached,
    explored_claim,
    family_claims,
)
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import BLIND_EVICT, IN_VAIN, KEEPS_NEWEST, WrongVariants, wrong
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import TWO_STACKS_LITE

WRONG: Final = WrongVariants(TWO_STACKS_LITE)
"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

INSERT_SWAPPED = WRONG.add("insert swaps the operands", ("insert", "combine(self.aggB, v)", "combine(v, self.aggB)"))
INSERT_FORGETS = WRONG.add(
    "insert forgets aggB", ("insert", "self.aggB = self.monoid.combine(self.aggB, v)", "self.aggB = v")
)
QUERY_SWAPPED = WRONG.add("query swaps the operands", ("query", "self.pi_F(), self.aggB", "self.aggB, self.pi_F()"))
QUERY_CLEARS = WRONG.add(
    "query clears aggB",
    ("query", "return ", "answer = "),
    ("query", "  # [Two-Stacks Lite query l.8]", "\n    self.aggB = self.monoid.identity\n    return answer"),
)
FLIP_SWAPPED = WRONG.add(
    "flip swaps the operands", ("evict", "self.deque[I], self.deque[I + 1]", "self.deque[I + 1], self.deque[I]")
)
FLIP_STARTS_BEYOND = WRONG.add("flip starts at the end", ("evict", "I = self.E - 1", "I = self.E"))
FLIP_STOPS_SHORT = WRONG.add(
    "flip stops at the second element", ("evict", "while I != self.F:", "while I != self.F + 1:")
)
FLIP_SPARES_OLDEST = wrong(
    "flip leaves the oldest element as it is", ("evict", "while I != self.F:", "while I != self.F and I - 1 != self.F:")
)
FLIP_SQUARES = WRONG.add("flip combines an element with itself", ("evict", "self.deque[I + 1])", "self.deque[I])"))
FLIP_NEVER_ENDS = wrong("flip never moves", ("evict", "I = I - 1", "I = I"))
KEEPS_BOUNDARY = WRONG.add("flip leaves B where it was", ("evict", "self.B = self.E", "self.B = self.B"))
KEEPS_AGGB = WRONG.add(
    "flip does not reset aggB", ("evict", "self.aggB = self.monoid.identity", "self.aggB = self.aggB")
)
ZERO_IDENTITY = WRONG.add("flip resets aggB to 0", ("evict", "self.aggB = self.monoid.identity", "self.aggB = 0"))
FRONT_LATE = WRONG.add("the front is read one place on", ("pi_F", "self.deque[self.F]", "self.deque[self.F + 1]"))
COMBINES_TWICE = WRONG.add(
    "insert combines once too often",
    ("insert", "combine(self.aggB, v)", "combine(self.monoid.combine(self.aggB, self.monoid.identity), v)"),
    hidden="only the number of combine calls changes",
)
FRONT_FIRST = WRONG.add(
    "insert puts the first element into the front",
    (
        "insert",
        "    self.aggB = self.monoid.combine(self.aggB, v)",
        "    self.aggB = self.monoid.combine(self.aggB, v)\n"
        "    if self.F == self.E - 1:\n"
        "        self.B, self.aggB = self.E, self.monoid.identity",
    ),
    hidden="an element of the front has no coin: only the account changes",
)
EVICT_IN_VAIN = WRONG.add(
    "evict combines in vain while the front lasts",
    (
        "evict",
        "    if self.F == self.B and",
        "    if self.F != self.B and self.F + 1 != self.E:\n"
        "        self.monoid.combine(self.monoid.identity, self.monoid.identity)\n"
        "    if self.F == self.B and",
    ),
    hidden="only the number of combine calls changes",
)
WRONG.share(*IN_VAIN, KEEPS_NEWEST, BLIND_EVICT)
JUMPS = wrong(
    "evict jumps over the window at a flip",
    ("evict", "I = self.E - 1", "I = self.F + (self.E - self.F) - 1"),
    hidden="the answers stay right; the pointers do what Definition 1 does not offer",
)


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
        wrong={
            "invariant": (
                INSERT_SWAPPED,
                INSERT_FORGETS,
                FLIP_SWAPPED,
                FLIP_STARTS_BEYOND,
                KEEPS_BOUNDARY,
                KEEPS_AGGB,
            ),
            "answer": (QUERY_SWAPPED, QUERY_CLEARS, FRONT_LATE),
            "calls": (COMBINES_TWICE, *IN_VAIN),
            "account": (COMBINES_TWICE, KEEPS_BOUNDARY, FRONT_FIRST, EVICT_IN_VAIN, *IN_VAIN[:2]),
            "space": (KEEPS_NEWEST,),
            "empty": (BLIND_EVICT,),
        },
    ),
    claim(
        TWO_STACKS_LITE,
        "flip-ends",
        "termination",
        statement="The flip's loop ends: I - F falls at each turn.",
        source=cite(IN_ORDER, place="section 4, the flip"),
        controls=(FLIP_NEVER_ENDS, FLIP_STOPS_SHORT),
        operations=("evict",),
    ),
    definition_1(TWO_STACKS_LITE, JUMPS),
    equivalent(
        TWO_STACKS_LITE,
        "last-turn-wasted",
        statement="The last turn of the flip's loop is not needed: it rewrites the oldest element, which is popped at "
        "once.",
        variant=FLIP_SPARES_OLDEST,
        controls=(FLIP_STOPS_SHORT,),
    ),
    every_branch_reached(
        TWO_STACKS_LITE,
        statement="The proofs reach every outcome of every condition but one: `B != E` [evict l.9] is never false "
        "where F = B, as the window is not empty.",
        but=("evict: self.B != self.E never False",),
        control=BLIND_EVICT,
    ),
    explored_claim(
        TWO_STACKS_LITE,
        counts=(560, 1648),
        controls=(FLIP_STOPS_SHORT, COMBINES_TWICE, KEEPS_NEWEST),
        deep_counts=(33152, 99200),
    ),
    history_claim(TWO_STACKS_LITE, "flip_swapped", "keeps_boundary", "combines_twice"),
)
