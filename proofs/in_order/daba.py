"""Claims about DABA, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import (
    definition_1,
    every_branch_reached,
    explored_claim,
    family_claims,
)
from swagproof.proofs.in_order.two_stacks import INSERT_SWAPPED, QUERY_SWAPPED
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
from swagproof.reference.catalogue import DABA

SHRINK = "combine(combine(self.pi_L(), self.pi_R()), self.pi_A())"

WRONG: Final = WrongVariants(DABA)

"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only."""

WRONG.share(INSERT_SWAPPED)
INSERT_NO_FIXUP = WRONG.add("insert skips fixup", ("insert", "self.fixup()", "pass"))
EVICT_NO_FIXUP = WRONG.add("evict skips fixup", ("evict", "self.fixup()", "pass"))
WRONG.share(QUERY_SWAPPED)
QUERY_LEFT = WRONG.add("query reads the left sublist for the front", ("query", "self.pi_F()", "self.pi_L()"))
SHRINK_FORGETS_A = WRONG.add("shrink forgets the accumulator", ("fixup", SHRINK, "combine(self.pi_L(), self.pi_R())"))
SHRINK_FORGETS_R = WRONG.add("shrink forgets the right sublist", ("fixup", SHRINK, "combine(self.pi_L(), self.pi_A())"))
SHRINK_SWAPPED = WRONG.add(
    "shrink swaps left and right", ("fixup", "combine(self.pi_L(), self.pi_R())", "combine(self.pi_R(), self.pi_L())")
)
ACCUMULATES_AGG = WRONG.add(
    "shrink accumulates aggregates for values", ("fixup", "self.deque[self.A - 1].val,", "self.deque[self.A - 1].agg,")
)
ACCUMULATES_SWAPPED = WRONG.add(
    "shrink swaps the accumulator's operands",
    ("fixup", "combine(self.deque[self.A - 1].val, self.pi_A())", "combine(self.pi_A(), self.deque[self.A - 1].val)"),
)
SHRINK_KEEPS_L = WRONG.add("shrink does not move L", ("fixup", "self.L = self.L + 1", "self.L = self.L"))
SHRINK_KEEPS_A = WRONG.add("shrink does not move A", ("fixup", "self.A = self.A - 1", "self.A = self.A"))
SKIPS_SHRINK = WRONG.add(
    "no shrink after a flip",
    ("fixup", "        if self.L == self.R:  # Shift", "        elif self.L == self.R:  # Shift"),
)
NO_FLIP = WRONG.add("never flips", ("fixup", "if self.L == self.B:  # Flip", "if False:  # Flip"))
FLIP_KEEPS_A = WRONG.add(
    "flip forgets A", ("fixup", "self.L, self.A, self.B = self.F, self.E, self.E", "self.L, self.B = self.F, self.E")
)
FLIP_FROM_L = WRONG.add(
    "flip leaves L where it was",
    ("fixup", "self.L, self.A, self.B = self.F, self.E, self.E", "self.A, self.B = self.E, self.E"),
)
SHIFT_LATE = WRONG.add(
    "shift forgets R",
    ("fixup", "self.A, self.R, self.L = self.A + 1, self.R + 1, self.L + 1", "self.A, self.L = self.A + 1, self.L + 1"),
)
NO_SINGLETON = WRONG.add("no singleton case", ("fixup", "if self.F == self.B:  # Singleton", "if False:  # Singleton"))
SINGLETON_KEEPS_R = WRONG.add(
    "singleton does not reset R",
    (
        "fixup",
        "self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E",
        "self.B, self.A, self.L = self.E, self.E, self.E",
    ),
)
SHRINKS_ONCE = WRONG.add(
    "shrinks right after a flip only", ("fixup", "else:  # Shrink", "elif self.A == self.B:  # Shrink")
)
RIGHT_BEYOND = WRONG.add(
    "the right sublist is read one place on", ("pi_R", "self.deque[self.A - 1].agg", "self.deque[self.A].agg")
)
BACK_VALUE = WRONG.add("the back is read as a value", ("pi_B", ".agg", ".val"))
ZERO_IDENTITY = WRONG.add("the identity is taken for 0", ("pi_B", "self.monoid.identity", "0"))
FIXES_TWICE = WRONG.add("insert fixes up twice", ("insert", "self.fixup()", "self.fixup(); self.fixup()"))
WRONG.share(KEEPS_NEWEST)
COMBINES_TWICE = WRONG.add(
    "shrink combines once too often",
    ("fixup", SHRINK, "combine(combine(combine(self.pi_L(), self.pi_R()), self.pi_A()), self.monoid.identity)"),
    hidden="only the number of combine calls changes",
)
WRONG.share(*IN_VAIN, EVICT_COMBINES_OFTEN, BLIND_EVICT)
ASKS_ORDER = wrong(
    "fixup compares pointers by order",
    ("fixup", "if self.L == self.R:  # Shift", "if self.R <= self.L:  # Shift"),
    hidden="the answers stay right; the pointers do what Definition 1 does not offer",
)


CLAIMS: Final[tuple[Claim, ...]] = (
    *family_claims(
        DABA,
        invariants=cite(IN_ORDER, "Lemma 3"),
        answer=cite(IN_ORDER, "Theorem 5.1"),
        cost=cite(IN_ORDER, "Theorem 5.2"),
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
                NO_FLIP,
                SHIFT_LATE,
                SHRINKS_ONCE,
                FIXES_TWICE,
                RIGHT_BEYOND,
            ),
            "answer": (QUERY_SWAPPED, QUERY_LEFT),
            "calls": (COMBINES_TWICE, FIXES_TWICE, *IN_VAIN),
            "account": (COMBINES_TWICE, SHRINK_KEEPS_A, *IN_VAIN[:2]),
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
        counts=(766, 2266),
        controls=(SKIPS_SHRINK, FIXES_TWICE, COMBINES_TWICE, KEEPS_NEWEST),
        deep_counts=(302995, 907534),
    ),
    history_claim(DABA, "shrink_swapped", "skips_shrink", "combines_twice"),
)
