"""What is claimed of DABA Lite, and the wrong variants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.daba import (
    ASKS_ORDER,
    EVICT_NO_FIXUP,
    FIXES_TWICE,
    INSERT_NO_FIXUP,
    NO_FLIP,
    NO_SINGLETON,
    QUERY_LEFT,
    SHRINK_KEEPS_A,
    SHRINK_KEEPS_L,
    SKIPS_SHRINK,
)
from swagproof.proofs.in_order.fifo import (
    PAPER,
    Statements,
    claim,
    equivalent,
    every_branch_reached,
    explored_claim,
    family_claims,
)
from swagproof.proofs.in_order.two_stacks_lite import INSERT_SWAPPED, QUERY_SWAPPED
from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.variants import BLIND_EVICT, KEEPS_NEWEST, Variant, wrong
from swagproof.reference.catalogue import DABA_LITE

QUERY_CLEARS = wrong(
    "query clears aggRA",
    ("query", "return ", "answer = "),
    ("query", "  # [DABA Lite query l.5]", "\n    self.aggRA = self.monoid.identity\n    return answer"),
)
SHRINK_FORGETS_RA = wrong("shrink forgets aggRA", ("fixup", "combine(self.pi_L(), self.aggRA)", "self.pi_L()"))
SHRINK_SWAPPED = wrong(
    "shrink swaps the operands", ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(self.aggRA, self.pi_L())")
)
SHRINK_USES_A = wrong(
    "shrink takes the accumulator for aggRA",
    ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(self.pi_L(), self.pi_A())"),
)
ACCUMULATES_SWAPPED = wrong(
    "shrink swaps the accumulator's operands",
    ("fixup", "combine(self.deque[self.A - 1], self.pi_A())", "combine(self.pi_A(), self.deque[self.A - 1])"),
)
FLIP_KEEPS_RA = wrong("flip forgets aggRA", ("fixup", "self.aggRA = self.aggB", "pass"))
FLIP_KEEPS_B = wrong(
    "flip does not reset aggB", ("fixup", "            self.aggB = self.monoid.identity", "            pass")
)
SINGLETON_KEEPS_B = wrong(
    "singleton does not reset aggB",
    ("fixup", "        self.aggB = self.monoid.identity  # [DABA Lite fixup l.14]", "        pass"),
)
LEFT_BEYOND = wrong("the left sublist is read one place on", ("pi_L", "self.deque[self.L]", "self.deque[self.L + 1]"))
ZERO_IDENTITY = wrong("the identity is taken for 0", ("pi_A", "self.monoid.identity", "0"))
COMBINES_TWICE = wrong(
    "shrink combines once too often",
    ("fixup", "combine(self.pi_L(), self.aggRA)", "combine(combine(self.pi_L(), self.aggRA), self.monoid.identity)"),
    hidden="only the number of combine calls changes",
)
KEEPS_STALE_RA = wrong(
    "singleton does not reset aggRA",
    ("fixup", "        self.aggRA = self.monoid.identity  # [DABA Lite fixup l.13]", "        pass"),
)

WRONG: Final[tuple[Variant, ...]] = (
    INSERT_SWAPPED,
    INSERT_NO_FIXUP,
    EVICT_NO_FIXUP,
    QUERY_SWAPPED,
    QUERY_CLEARS,
    QUERY_LEFT,
    SHRINK_FORGETS_RA,
    SHRINK_SWAPPED,
    SHRINK_USES_A,
    ACCUMULATES_SWAPPED,
    SHRINK_KEEPS_L,
    SHRINK_KEEPS_A,
    SKIPS_SHRINK,
    NO_FLIP,
    FLIP_KEEPS_RA,
    FLIP_KEEPS_B,
    SINGLETON_KEEPS_B,
    NO_SINGLETON,
    LEFT_BEYOND,
    ZERO_IDENTITY,
    FIXES_TWICE,
    KEEPS_NEWEST,
    COMBINES_TWICE,
    BLIND_EVICT,
)
"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        DABA_LITE,
        Statements(
            PAPER,
            "Lemma 4",
            "Theorem 6.1",
            "Theorem 6.2",
            "the contents and size invariants and the pointer order",
            "DABA Lite invokes combine at most one time per query, three times per insert and two times per evict.",
            "DABA Lite stores n + 2 partial aggregates.",
            "Combine calls of all inserts and evicts = 2 inserts + 1 evict + |l_A| - (operations that took the "
            "singleton case), after any history (erratum DABA-2).",
            {
                "invariant": (
                    INSERT_SWAPPED,
                    SHRINK_FORGETS_RA,
                    SHRINK_SWAPPED,
                    SKIPS_SHRINK,
                    FLIP_KEEPS_RA,
                    FLIP_KEEPS_B,
                    SINGLETON_KEEPS_B,
                ),
                "answer": (QUERY_SWAPPED, QUERY_CLEARS, QUERY_LEFT),
                "calls": (COMBINES_TWICE, FIXES_TWICE),
                "account": (COMBINES_TWICE, SHRINK_KEEPS_A),
                "space": (KEEPS_NEWEST,),
                "empty": (BLIND_EVICT,),
            },
        ),
    ),
    claim(
        "daba-lite/definition-1",
        "The algorithm uses no pointer operation but read, write, compare for equality, + 1, - 1 and assign.",
        f"{PAPER}, Definition 1",
        DABA_LITE,
        ("definition 1",),
        (ASKS_ORDER,),
    ),
    equivalent(
        "daba-lite/aggRA-reset-unneeded",
        "The singleton case need not reset aggRA [fixup l.13]: nothing reads it before the next flip sets it.",
        DABA_LITE,
        KEEPS_STALE_RA,
        (SINGLETON_KEEPS_B, FLIP_KEEPS_RA),
    ),
    every_branch_reached(
        "daba-lite/branches",
        "The proofs reach every outcome of every condition but one: Pi_L [l.4] never answers the identity, as only a "
        "shrink asks it, and there L != R.",
        DABA_LITE,
        ("pi_L: self.L == self.R never True",),
        QUERY_LEFT,
    ),
    explored_claim(
        DABA_LITE,
        128,
        (93538, 279558),
        (SKIPS_SHRINK, FIXES_TWICE, COMBINES_TWICE, KEEPS_NEWEST),
        (256, (723650, 2166790)),
    ),
)
