"""What is claimed of DABA, and the wrong variants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import (
    definition_1,
    every_branch_reached,
    explored_claim,
    family_claims,
)
from swagproof.proofs.in_order.two_stacks import INSERT_SWAPPED, QUERY_SWAPPED
from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.variants import BLIND_EVICT, KEEPS_NEWEST, Variant, wrong
from swagproof.reference.catalogue import DABA

SHRINK = "combine(combine(self.pi_L(), self.pi_R()), self.pi_A())"

INSERT_NO_FIXUP = wrong("insert skips fixup", ("insert", "self.fixup()", "pass"))
EVICT_NO_FIXUP = wrong("evict skips fixup", ("evict", "self.fixup()", "pass"))
QUERY_LEFT = wrong("query reads the left sublist for the front", ("query", "self.pi_F()", "self.pi_L()"))
SHRINK_FORGETS_A = wrong("shrink forgets the accumulator", ("fixup", SHRINK, "combine(self.pi_L(), self.pi_R())"))
SHRINK_FORGETS_R = wrong("shrink forgets the right sublist", ("fixup", SHRINK, "combine(self.pi_L(), self.pi_A())"))
SHRINK_SWAPPED = wrong(
    "shrink swaps left and right", ("fixup", "combine(self.pi_L(), self.pi_R())", "combine(self.pi_R(), self.pi_L())")
)
ACCUMULATES_AGG = wrong(
    "shrink accumulates aggregates for values", ("fixup", "self.deque[self.A - 1].val,", "self.deque[self.A - 1].agg,")
)
ACCUMULATES_SWAPPED = wrong(
    "shrink swaps the accumulator's operands",
    ("fixup", "combine(self.deque[self.A - 1].val, self.pi_A())", "combine(self.pi_A(), self.deque[self.A - 1].val)"),
)
SHRINK_KEEPS_L = wrong("shrink does not move L", ("fixup", "self.L = self.L + 1", "self.L = self.L"))
SHRINK_KEEPS_A = wrong("shrink does not move A", ("fixup", "self.A = self.A - 1", "self.A = self.A"))
SKIPS_SHRINK = wrong(
    "no shrink after a flip",
    ("fixup", "        if self.L == self.R:  # Shift", "        elif self.L == self.R:  # Shift"),
)
NO_FLIP = wrong("never flips", ("fixup", "if self.L == self.B:  # Flip", "if False:  # Flip"))
FLIP_KEEPS_A = wrong(
    "flip forgets A", ("fixup", "self.L, self.A, self.B = self.F, self.E, self.E", "self.L, self.B = self.F, self.E")
)
FLIP_FROM_L = wrong(
    "flip leaves L where it was",
    ("fixup", "self.L, self.A, self.B = self.F, self.E, self.E", "self.A, self.B = self.E, self.E"),
)
SHIFT_LATE = wrong(
    "shift forgets R",
    ("fixup", "self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1", "self.A, self.L = self.A + 1, self.L + 1"),
)
NO_SINGLETON = wrong("no singleton case", ("fixup", "if self.F == self.B:  # Singleton", "if False:  # Singleton"))
SINGLETON_KEEPS_R = wrong(
    "singleton does not reset R",
    (
        "fixup",
        "self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E",
        "self.B, self.A, self.L = self.E, self.E, self.E",
    ),
)
RIGHT_BEYOND = wrong(
    "the right sublist is read one place on", ("pi_R", "self.deque[self.A - 1].agg", "self.deque[self.A].agg")
)
BACK_VALUE = wrong("the back is read as a value", ("pi_B", ".agg", ".val"))
ZERO_IDENTITY = wrong("the identity is taken for 0", ("pi_B", "self.monoid.identity", "0"))
FIXES_TWICE = wrong("insert fixes up twice", ("insert", "self.fixup()", "self.fixup(); self.fixup()"))
COMBINES_TWICE = wrong(
    "shrink combines once too often",
    ("fixup", SHRINK, "combine(combine(combine(self.pi_L(), self.pi_R()), self.pi_A()), self.monoid.identity)"),
    hidden="only the number of combine calls changes",
)
ASKS_ORDER = wrong(
    "fixup compares pointers by order",
    ("fixup", "if self.L == self.R:  # Shift", "if self.R <= self.L:  # Shift"),
    hidden="the answers stay right; the pointers do what Definition 1 does not offer",
)

WRONG: Final[tuple[Variant, ...]] = (
    INSERT_SWAPPED,
    INSERT_NO_FIXUP,
    EVICT_NO_FIXUP,
    QUERY_SWAPPED,
    QUERY_LEFT,
    SHRINK_FORGETS_A,
    SHRINK_FORGETS_R,
    SHRINK_SWAPPED,
    ACCUMULATES_AGG,
    ACCUMULATES_SWAPPED,
    SHRINK_KEEPS_L,
    SHRINK_KEEPS_A,
    SKIPS_SHRINK,
    NO_FLIP,
    FLIP_KEEPS_A,
    FLIP_FROM_L,
    SHIFT_LATE,
    NO_SINGLETON,
    SINGLETON_KEEPS_R,
    RIGHT_BEYOND,
    BACK_VALUE,
    ZERO_IDENTITY,
    FIXES_TWICE,
    KEEPS_NEWEST,
    COMBINES_TWICE,
    BLIND_EVICT,
)
"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        DABA,
        invariants="Lemma 3",
        answer="Theorem 5.1",
        cost="Theorem 5.2",
        maintains="the values, partial aggregate and size invariants and the pointer order",
        calls="DABA invokes combine at most one time per query, four times per insert and three times per evict.",
        space="DABA stores 2n partial aggregates.",
        account="Combine calls of all inserts and evicts = 2.5 inserts + 1.5 evicts + 1.5 |l_A| - 1.5 (operations "
        "that took the singleton case), after any history (erratum DABA-2).",
        wrong={
            "invariant": (
                INSERT_SWAPPED,
                SHRINK_FORGETS_A,
                SHRINK_SWAPPED,
                ACCUMULATES_AGG,
                SKIPS_SHRINK,
                SINGLETON_KEEPS_R,
                RIGHT_BEYOND,
            ),
            "answer": (QUERY_SWAPPED, QUERY_LEFT),
            "calls": (COMBINES_TWICE, FIXES_TWICE),
            "account": (COMBINES_TWICE, SHRINK_KEEPS_A),
            "space": (KEEPS_NEWEST,),
            "empty": (BLIND_EVICT,),
        },
    ),
    definition_1(DABA, ASKS_ORDER),
    every_branch_reached(
        DABA,
        statement="The proofs reach every outcome of every condition but two: Pi_L [l.6] and Pi_R [l.8] never answer "
        "the identity, as only a shrink asks them, and there L != R and |l_L| = |l_R|.",
        but=("pi_L: self.L == self.R never True", "pi_R: self.R == self.A never True"),
        control=QUERY_LEFT,
    ),
    explored_claim(
        DABA,
        counts=(39370, 117726),
        controls=(SKIPS_SHRINK, FIXES_TWICE, COMBINES_TWICE, KEEPS_NEWEST),
        deep_counts=(302995, 907534),
    ),
)
