"""What is claimed of the classic B-tree, and the wrong variants that the checks must reject."""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.variants import WrongVariants
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGHER, WIDER, claim, long_runs
from swagproof.reference.catalogue import B_TREE

WRONG: Final = WrongVariants(B_TREE, shared=shared.SHARED_WRONG)
"""Each is killed by the explorer and by a contract."""
wrong_node: Final = partial(WRONG.add, part="Node")

WRONG.share(shared.INSERT_REPAIRS_NOTHING, shared.EVICT_REPAIRS_NOTHING, shared.PARENT_NOT)
STOPS_AT_PARENT = WRONG.add(
    "repair stops at the parent", ("repair_aggs", "while not top.is_root():", "if not top.is_root():")
)
REPAIRS_NOTHING = WRONG.add("ancestors are not repaired", ("repair_aggs", "top.local_repair_agg()", "pass"))
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
SUBSTITUTE_STAYS = WRONG.add(
    "a substitute stays in its leaf too", ("evict_inner", "leaf.local_evict_time_and_value(t_leaf)", "pass")
)
QUERY_CLEARS = WRONG.add(
    "query clears the root's aggregate",
    ("query", "return self.root.agg", "answer, self.root.agg = self.root.agg, self.monoid.identity; return answer"),
)
QUERY_COMBINES = WRONG.add(
    "query combines with the identity",
    ("query", "return self.root.agg", "return self.monoid.combine(self.monoid.identity, self.root.agg)"),
    hidden="only the number of combine calls changes",
)


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        B_TREE,
        "sizes",
        source="section 3.1, size invariants",
        controls=(
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
        B_TREE,
        "contents",
        source="Definition 2.1",
        controls=(
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
        B_TREE,
        "aggregates",
        statement="Every node obeys the up-aggregation invariant.",
        source="section 3.1, up-aggregation invariant",
        controls=(
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
        B_TREE,
        "answer",
        source="Theorem 3.1",
        controls=(QUERY_CLEARS, REPAIRS_NOTHING),
    ),
    claim(
        B_TREE,
        "query-calls",
        statement="Query invokes combine never.",
        source="Theorem 3.2",
        controls=(QUERY_COMBINES,),
    ),
    claim(
        B_TREE,
        "ranges",
        source="section 2 (erratum FIBA-2) and Figure 10",
        controls=(
            shared.FROM_EXCLUSIVE,
            shared.TO_EXCLUSIVE,
            shared.SKIPS_LAST_INNER,
            shared.TAKES_WHOLE,
            shared.LOW_TOP,
        ),
    ),
    claim(
        B_TREE,
        "refusals",
        source="silent; decided here",
        controls=(shared.LETS_NAN_IN,),
    ),
    claim(
        B_TREE,
        "higher",
        source="Theorem 3.1, its proof",
        families=tuple(shared.FAMILIES),
        controls=(STOPS_AT_PARENT, shared.ORPHAN_MOVE, shared.MOVE_APPENDS),
        bounds=(WIDER, *HIGHER),
        control_bounds=HIGHER,
    ),
    long_runs(B_TREE, (STOPS_AT_PARENT, shared.ORPHAN_MOVE)),
)
