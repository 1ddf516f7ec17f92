"""Claims about Two-Stacks, and the mutants that the checks must reject."""

from typing import Final

from swagproof.proofs.in_order.fifo import claim, explored_claim, family_claims
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import WrongVariants, combine_in_vain, wrong
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import TWO_STACKS

WRONG: Final = WrongVariants(TWO_STACKS)
"""Each is killed by a proof and a contract, and, unless hidden, by a machine that sees answers only.

FLIP_NEVER_ENDS is not among them: run, it would not return; the proof of termination rejects it.
"""

INSERT_SWAPPED = WRONG.add(
    "insert swaps the operands", ("insert", "combine(self.pi_B(), v)", "combine(v, self.pi_B())")
)
QUERY_SWAPPED = WRONG.add("query swaps the operands", ("query", "self.pi_F(), self.pi_B()", "self.pi_B(), self.pi_F()"))
QUERY_FRONT_ONLY = WRONG.add("query forgets the back", ("query", "self.pi_B()", "self.monoid.identity"))
FLIP_SWAPPED = WRONG.add(
    "flip swaps the operands", ("evict", "self.B.top().val, self.pi_F())", "self.pi_F(), self.B.top().val)")
)
FLIP_UNAGGREGATED = WRONG.add(
    "flip forgets what it has flipped",
    ("evict", "self.monoid.combine(self.B.top().val, self.pi_F())", "self.B.top().val"),
)
FLIP_TWICE_OVER = WRONG.add(
    "flip reads aggregates for values", ("evict", "(self.B.top().val, self.pi", "(self.B.top().agg, self.pi")
)
FLIP_MOVES_AGGREGATES = WRONG.add(
    "flip moves aggregates into the values",
    ("evict", "Element(self.B.top().val", "Element(self.B.top().agg"),
    hidden="the values of the front stack are never read",
)
FLIP_ONE_SHORT = WRONG.add("flip leaves one element behind", ("evict", "not self.B.is_empty()", "self.B.size > 1"))
FLIP_KEEPS_OLDEST = WRONG.add(
    "flip leaves the oldest behind",
    ("evict", "while not self.B.is_empty():", "while self.B.size > 1 or self.F.is_empty():"),
)
FLIP_NEVER_ENDS = wrong("flip never empties the back", ("evict", "self.B.pop()", "pass"))
EVICT_TAKES_NEWEST = WRONG.add(
    "evict of an empty front takes the newest",
    ("evict", "self.F.pop()", "self.B.pop()"),
    ("evict", "if self.F.is_empty():  # Flip", "if not self.F.is_empty():  # Flip"),
)
ZERO_IDENTITY = WRONG.add("the identity is taken for 0", ("pi_F", "self.monoid.identity", "0"))
COMBINES_TWICE = WRONG.add(
    "insert combines once too often",
    (
        "insert",
        "self.monoid.combine(self.pi_B(), v)",
        "self.monoid.combine(self.monoid.combine(self.pi_B(), v), self.monoid.identity)",
    ),
    hidden="only the number of combine calls changes",
)
IN_VAIN = (
    combine_in_vain("insert", "self.B.push"),
    combine_in_vain("evict", "self.F.pop()"),
    combine_in_vain("query", "return "),
)
WRONG.share(*IN_VAIN)
FRONT_FIRST = WRONG.add(
    "insert pushes the first element on the front stack",
    (
        "insert",
        "    self.B.push",
        "    if self.F.is_empty() and self.B.is_empty():\n"
        "        self.F.push(Element(v, self.monoid.combine(v, self.pi_F())))\n"
        "        return\n"
        "    self.B.push",
    ),
    hidden="an element on the front stack has no coin: only the account changes",
)
INSERT_INTO_FRONT = WRONG.add(
    "insert writes the newest element over the oldest value",
    ("insert", "    self.B.push", "    if not self.F.is_empty():\n        self.F.top().val = v\n    self.B.push"),
    hidden="the values of the front stack are never read",
)
KEEPS_NEWEST = WRONG.add(
    "insert keeps the newest element once more",
    ("insert", "    self.B.push", "    self.newest = v\n    self.B.push"),
    hidden="only the space changes",
)
BLIND_EVICT = WRONG.add(
    "evict does not look whether the window is empty", ("evict", "self.F.is_empty() and self.B.is_empty()", "False")
)


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
        wrong={
            "invariant": (
                INSERT_SWAPPED,
                FLIP_SWAPPED,
                FLIP_UNAGGREGATED,
                FLIP_MOVES_AGGREGATES,
                FLIP_ONE_SHORT,
                FLIP_KEEPS_OLDEST,
                INSERT_INTO_FRONT,
            ),
            "answer": (QUERY_SWAPPED, QUERY_FRONT_ONLY),
            "calls": (COMBINES_TWICE, *IN_VAIN),
            "account": (COMBINES_TWICE, EVICT_TAKES_NEWEST, FRONT_FIRST, *IN_VAIN[:2]),
            "space": (KEEPS_NEWEST,),
            "empty": (BLIND_EVICT,),
        },
    ),
    claim(
        TWO_STACKS,
        "flip-ends",
        "termination",
        statement="The flip's loop ends: |B| falls at each turn.",
        source=cite(IN_ORDER, place="section 3, the flip"),
        controls=(FLIP_NEVER_ENDS,),
        operations=("evict",),
    ),
    explored_claim(
        TWO_STACKS,
        counts=(560, 1648),
        controls=(FLIP_ONE_SHORT, COMBINES_TWICE, KEEPS_NEWEST),
        deep_counts=(33152, 99200),
    ),
    history_claim(TWO_STACKS, "flip_swapped", "flip_keeps_oldest", "combines_twice"),
)
