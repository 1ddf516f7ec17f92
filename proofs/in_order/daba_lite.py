"""Claims about DABA Lite, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.daba import (
    ASKS_ORDER,
    EVICT_NO_FIXUP,
    FIXES_TWICE,
    INSERT_NO_FIXUP,
    NO_FLIP,
    NO_SINGLETON,
    QUERY_LEFT,
    SHIFT_LATE,
    SHRINK_KEEPS_A,
    SHRINK_KEEPS_L,
    SHRINKS_ONCE,
    SINGLETON_KEEPS_R,
    SKIPS_SHRINK,
)
from swagproof.proofs.in_order.fifo import (
    definition_1,
    equivalent,
    every_branch_reached,
    explored_claim,
    family_claims,
)
from swagproof.proofs.in_order.two_stacks_lite import INSERT_SWAPPED, QUERY_SWAPPED
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import (
    BLIND_EVICT,
    EVICT_COMBINES_OFTEN,
    IN_VAIN,
    KEEPS_NEWEST,
    WrongVariants,
    wrong,
)
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import DABA_LITE

WRONG: Final = WrongVariants(DABA_LITE)

"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

WRONG.share(INSERT_SWAPPED, INSERT_NO_FIXUP, EVICT_NO_FIXUP, QUERY_SWAPPED)
QUERY_CLEARS = WRONG.add(
    "query clears aggRA",
    ("query", "return ", "answer = "),
    ("query", "  # [DABA Lite query l.5]", "\n    self.aggRA = self.monoid.identity\n    return answer"),
)
WRONG.share(QUERY_LEFT)
SHRINK_FORGETS_RA = WRONG.add("shrink forgets aggRA", ("fixup", "combine(self.pi_L(), self.aggRA)", "self.pi_L()"))
SHRINK_SWAPPED = WRONG.add(
    "shrink swaps the operands", ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(self.aggRA, self.pi_L())")
)
SHRINK_USES_A = WRONG.add(
    "shrink takes the accumulator for aggRA",
    ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(self.pi_L(), self.pi_A())"),
)
ACCUMULATES_SWAPPED = WRONG.add(
    "shrink swaps the accumulator's operands",
    ("fixup", "combine(self.deque[self.A - 1], self.pi_A())", "combine(self.pi_A(), self.deque[self.A - 1])"),
)
WRONG.share(SHRINK_KEEPS_L, SHRINK_KEEPS_A, SKIPS_SHRINK, NO_FLIP)
FLIP_KEEPS_RA = WRONG.add("flip forgets aggRA", ("fixup", "self.aggRA = self.aggB", "pass"))
FLIP_KEEPS_B = WRONG.add(
    "flip does not reset aggB", ("fixup", "            self.aggB = self.monoid.identity", "            pass")
)
SINGLETON_KEEPS_B = WRONG.add(
    "singleton does not reset aggB",
    ("fixup", "        self.aggB = self.monoid.identity  # [DABA Lite fixup l.14]", "        pass"),
)
WRONG.share(NO_SINGLETON, SINGLETON_KEEPS_R, SHIFT_LATE, SHRINKS_ONCE)
LEFT_BEYOND = WRONG.add(
    "the left sublist is read one place on", ("pi_L", "self.deque[self.L]", "self.deque[self.L + 1]")
)
ZERO_IDENTITY = WRONG.add("the identity is taken for 0", ("pi_A", "self.monoid.identity", "0"))
WRONG.share(FIXES_TWICE, KEEPS_NEWEST)
COMBINES_TWICE = WRONG.add(
    "shrink combines once too often",
    ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(combine(self.pi_L(), self.aggRA), self.monoid.identity)"),
    hidden="only the number of combine calls changes",
)
WRONG.share(*IN_VAIN, EVICT_COMBINES_OFTEN, BLIND_EVICT)
KEEPS_STALE_RA = wrong(
    "singleton does not reset aggRA",
    ("fixup", "        self.aggRA = self.monoid.identity  # [DABA Lite fixup l.13]", "        pass"),
)


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
        wrong={
            "invariant": (
                INSERT_SWAPPED,
                SHRINK_FORGETS_RA,
                SHRINK_SWAPPED,
                SKIPS_SHRINK,
                FLIP_KEEPS_RA,
                FLIP_KEEPS_B,
                SINGLETON_KEEPS_B,
                SINGLETON_KEEPS_R,
                NO_FLIP,
                SHIFT_LATE,
                SHRINKS_ONCE,
                FIXES_TWICE,
            ),
            "answer": (QUERY_SWAPPED, QUERY_CLEARS, QUERY_LEFT),
            "calls": (COMBINES_TWICE, FIXES_TWICE, *IN_VAIN),
            "account": (COMBINES_TWICE, SHRINK_KEEPS_A, *IN_VAIN[:2]),
            "space": (KEEPS_NEWEST,),
            "empty": (BLIND_EVICT,),
        },
    ),
    definition_1(DABA_LITE, ASKS_ORDER),
    equivalent(
        DABA_LITE,
        "aggRA-reset-unneeded",
        statement="The singleton case need not reset aggRA [fixup l.13]: nothing reads it before the next flip sets "
        "it.",
        variant=KEEPS_STALE_RA,
        controls=(SINGLETON_KEEPS_B, FLIP_KEEPS_RA),
    ),
    every_branch_reached(
        DABA_LITE,
        statement="The proofs reach every outcome of every condition but one: Pi_L [l.4] never answers the identity, "
        "as only a shrink asks it, and there L != R.",
        but=("pi_L: self.L == self.R never True",),
        control=QUERY_LEFT,
    ),
    explored_claim(
        DABA_LITE,
        counts=(1754, 5190),
        controls=(SKIPS_SHRINK, FIXES_TWICE, COMBINES_TWICE, KEEPS_NEWEST),
        deep_counts=(723650, 2166790),
    ),
    history_claim(DABA_LITE, "shrink_swapped", "flip_keeps_ra", "combines_twice"),
)
