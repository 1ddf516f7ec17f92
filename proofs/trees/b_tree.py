"""What is claimed of the classic B-tree, and the wrong variants that the checks must reject."""

from typing import Final

from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.variants import WrongVariants
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGHER, WIDER, claim, long_runs
from swagproof.reference.catalogue import B_TREE

WRONG: Final = WrongVariants(B_TREE, shared=shared.SHARED_WRONG)
"""Each is killed by the explorer and by a contract."""

WRONG.share(shared.INSERT_REPAIRS_NOTHING, shared.EVICT_REPAIRS_NOTHING, shared.PARENT_NOT)
WRONG.read(
    """
    repair stops at the parent
        repair_aggs: while not top.is_root(): -> if not top.is_root():
    ancestors are not repaired
        repair_aggs: top.local_repair_agg() -> pass
    a merge loses the value between the two
        Node/absorb_next: self.values += [self.parent.values.pop(i)
         -> self.values += [self.parent.values.pop(i) and self.monoid.identity
    children that a split moves keep their parent
        Node/split_off: child.parent = sibling -> pass
    a substitute stays in its leaf too
        evict_inner: leaf.local_evict_time_and_value(t_leaf) -> pass
    query clears the root's aggregate
        query: return self.root.agg -> answer, self.root.agg = self.root.agg, self.monoid.identity; return answer
    query combines with the identity (hidden: only the number of combine calls changes)
        query: return self.root.agg -> return self.monoid.combine(self.monoid.identity, self.root.agg)
    """
)


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        B_TREE,
        "sizes",
        source="section 3.1, size invariants",
        controls=WRONG.named(
            "an overflow of one is let be",
            "an insert splits one node at most",
            "an underflow of one is let be",
            "a big sibling is merged with, too",
            "a root without entries stays",
            "the last child looks for a sibling behind it",
            "children that a split moves keep their parent",
            "a child that moves from the next keeps its parent",
        ),
    ),
    claim(
        B_TREE,
        "contents",
        source="Definition 2.1",
        controls=WRONG.named(
            "a duplicate is combined in the wrong order",
            "a duplicate replaces the value",
            "a duplicate becomes a second entry",
            "evict of an absent time removes the entry behind it",
            "a substitute is written over the node's first entry",
            "a substitute brings its value and not its time",
            "the youngest on the right is the substitute",
            "a merge loses the value between the two",
            "a substitute stays in its leaf too",
        ),
    ),
    claim(
        B_TREE,
        "aggregates",
        statement="Every node obeys the up-aggregation invariant.",
        source="section 3.1, up-aggregation invariant",
        controls=(
            *WRONG.named("repair stops at the parent", "ancestors are not repaired"),
            shared.INSERT_REPAIRS_NOTHING,
            shared.EVICT_REPAIRS_NOTHING,
            WRONG.one("a parent is repaired before its children"),
            shared.PARENT_NOT,
            WRONG.one("no aggregate contains a first child"),
        ),
    ),
    claim(
        B_TREE,
        "answer",
        source="Theorem 3.1",
        controls=WRONG.named("query clears the root's aggregate", "ancestors are not repaired"),
    ),
    claim(
        B_TREE,
        "query-calls",
        statement="Query invokes combine never.",
        source="Theorem 3.2",
        controls=WRONG.named("query combines with the identity"),
    ),
    claim(
        B_TREE,
        "ranges",
        source="section 2 (erratum FIBA-2) and Figure 10",
        controls=WRONG.named(
            "a range leaves out its first time",
            "a range leaves out its last time",
            "a range leaves out the child before the last [l.20 as supplied]",
            "a range takes a subtree whole in which it ends",
            "a range is looked for below its first node",
        ),
    ),
    claim(
        B_TREE,
        "refusals",
        source="silent; decided here",
        controls=WRONG.named("times are not looked at"),
    ),
    claim(
        B_TREE,
        "higher",
        source="Theorem 3.1, its proof",
        families=tuple(shared.FAMILIES),
        controls=WRONG.named(
            "repair stops at the parent",
            "a child that moves from the next keeps its parent",
            "a value that moves from the previous comes last",
        ),
        bounds=(WIDER, *HIGHER),
        control_bounds=HIGHER,
    ),
    long_runs(B_TREE, WRONG.named("repair stops at the parent", "a child that moves from the next keeps its parent")),
)
