"""What is claimed of the classic B-tree, and the wrong variants that the checks must reject."""

from typing import Final

from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGHER, WIDER, claim, long_runs
from swagproof.proofs.trees.shapes import wrong_node
from swagproof.reference.catalogue import B_TREE

STOPS_AT_PARENT = wrong(
    "repair stops at the parent", ("repair_aggs", "while not top.is_root():", "if not top.is_root():")
)
REPAIRS_NOTHING = wrong("ancestors are not repaired", ("repair_aggs", "top.local_repair_agg()", "pass"))
SEPARATOR_LOST = wrong_node(
    "a merge loses the value between the two",
    (
        "absorb_next",
        "self.values += [self.parent.values.pop(i)",
        "self.values += [self.parent.values.pop(i) and self.monoid.identity",
    ),
)
ORPHAN_SPLIT = wrong_node(
    "children that a split moves keep their parent", ("split_off", "child.parent = sibling", "pass")
)
SUBSTITUTE_STAYS = wrong(
    "a substitute stays in its leaf too", ("evict_inner", "leaf.local_evict_time_and_value(t_leaf)", "pass")
)
QUERY_CLEARS = wrong(
    "query clears the root's aggregate",
    ("query", "return self.root.agg", "answer, self.root.agg = self.root.agg, self.monoid.identity; return answer"),
)
QUERY_COMBINES = wrong(
    "query combines with the identity",
    ("query", "return self.root.agg", "return self.monoid.combine(self.monoid.identity, self.root.agg)"),
    hidden="only the number of combine calls changes",
)

WRONG: Final[tuple[Variant, ...]] = (
    *shared.SHARED_WRONG,
    shared.INSERT_REPAIRS_NOTHING,
    shared.EVICT_REPAIRS_NOTHING,
    shared.PARENT_NOT,
    STOPS_AT_PARENT,
    REPAIRS_NOTHING,
    SEPARATOR_LOST,
    ORPHAN_SPLIT,
    SUBSTITUTE_STAYS,
    QUERY_CLEARS,
    QUERY_COMBINES,
)
"""Each is killed by the explorer and by a contract."""

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        "b-tree/sizes",
        "Insert and evict keep the size invariants (erratum FIBA-1), equal depth of leaves and the parent pointers.",
        "section 3.1, size invariants",
        B_TREE,
        ("sizes",),
        (
            shared.LATE_SPLIT,
            shared.SPLITS_ONCE,
            shared.LATE_MERGE,
            shared.ALWAYS_MERGES,
            shared.EMPTY_ROOT,
            shared.NO_LAST_SIBLING,
            ORPHAN_SPLIT,
            shared.ORPHAN_MOVE,
        ),
    ),
    claim(
        "b-tree/contents",
        "Entries are in the order of time, within nodes and across them, and are those of the window: a duplicate is "
        "combined on the right, evict of an absent time does nothing.",
        "Definition 2.1",
        B_TREE,
        ("contents",),
        (
            shared.OLD_AND_NEW_SWAPPED,
            shared.DUPLICATE_REPLACES,
            shared.TWO_OF_A_TIME,
            shared.ABSENT_TAKES_NEXT,
            shared.WRONG_SLOT,
            shared.KEEPS_TIME,
            shared.FAR_SUBSTITUTE,
            SEPARATOR_LOST,
            SUBSTITUTE_STAYS,
        ),
    ),
    claim(
        "b-tree/aggregates",
        "Every node obeys the up-aggregation invariant.",
        "section 3.1, up-aggregation invariant",
        B_TREE,
        ("aggregates",),
        (
            STOPS_AT_PARENT,
            REPAIRS_NOTHING,
            shared.INSERT_REPAIRS_NOTHING,
            shared.EVICT_REPAIRS_NOTHING,
            shared.PARENT_FIRST,
            shared.PARENT_NOT,
            shared.SKIPS_FIRST_CHILD,
        ),
    ),
    claim(
        "b-tree/answer",
        "Query returns v_1 ... v_n, and changes nothing.",
        "Theorem 3.1",
        B_TREE,
        ("answer",),
        (QUERY_CLEARS, REPAIRS_NOTHING),
    ),
    claim(
        "b-tree/query-calls",
        "Query invokes combine never.",
        "Theorem 3.2",
        B_TREE,
        ("calls",),
        (QUERY_COMBINES,),
    ),
    claim(
        "b-tree/ranges",
        "A range query returns the product of the entries with t_from <= t <= t_to, the identity when there is none.",
        "section 2 (erratum FIBA-2) and Figure 10",
        B_TREE,
        ("ranges",),
        (
            shared.FROM_EXCLUSIVE,
            shared.TO_EXCLUSIVE,
            shared.SKIPS_LAST_INNER,
            shared.TAKES_WHOLE,
            shared.LOW_TOP,
        ),
    ),
    claim(
        "b-tree/refusals",
        "A time that does not compare (NaN, None) is refused with TimeError, and nothing changes.",
        "silent; decided here",
        B_TREE,
        ("refusals",),
        (shared.LETS_NAN_IN,),
    ),
    claim(
        "b-tree/higher",
        "All of this holds with min-arity 3, too, and after one operation from any valid tree of more levels.",
        "Theorem 3.1, its proof",
        B_TREE,
        tuple(shared.FAMILIES),
        (STOPS_AT_PARENT, shared.ORPHAN_MOVE, shared.MOVE_APPENDS),
        bounds=(WIDER, *HIGHER),
        control_bounds=HIGHER,
    ),
    long_runs(B_TREE, (STOPS_AT_PARENT, shared.ORPHAN_MOVE)),
)


def refuted(variant: Variant) -> str | None:
    """What the explorer rejects a wrong variant for, after a shortest history."""
    return shared.refuted(B_TREE, variant)


def violated_contract(variant: Variant) -> str | None:
    """The contract that a wrong variant violates in that history.  To be run with full contracts."""
    return shared.violated_contract(B_TREE, variant)
