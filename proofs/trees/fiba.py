"""Claims about FiBA, and the mutants that the checks must reject."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY
from swagproof.proofs.explorer.letters import ordered
from swagproof.proofs.explorer.space import Place
from swagproof.proofs.explorer.walk import Counts, find, judge, walk
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.variants import Variant, WrongVariants, wrong
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGH, HIGHER, WIDER, WIDEST, equivalent, tall_runs
from swagproof.proofs.trees.shapes import Bound, Step, TreeStates
from swagproof.reference.catalogue import FIBA

WRONG: Final = WrongVariants(FIBA, shared=shared.SHARED_WRONG)
"""Each is killed by the explorer and by a contract."""

# Search
WRONG.read(
    r"""
    the left climb stops short of the parent's last time
        search_path: left.parent.get_time(0) -> left.parent.get_time(left.parent.arity - 2)
    the left climb stops below an equal time
        search_path: not t < left -> not t <= left
    the right climb stops below an equal time
        search_path: (right.parent.arity - 2) < t -> (right.parent.arity - 2) <= t

    # Aggregates
    the inner aggregate contains the first child
        Node/local_repair_agg: product_of_parts(1, self.arity - 1) -> product_of_parts(0, self.arity - 1)
    a left aggregate leaves out the last child
        Node/local_repair_agg: product_of_parts(1, self.arity) -> product_of_parts(1, self.arity - 1)
    a left aggregate contains the root's
        Node/local_repair_agg: product_of_parts(1, self.arity)\n        if not self.parent.is_root():
         -> product_of_parts(1, self.arity)\n        if True:
    a left aggregate begins with the parent's
        Node/local_repair_agg: combine(self.agg, self.parent.agg) -> combine(self.parent.agg, self.agg)
    a right aggregate ends with the parent's
        Node/local_repair_agg: combine(self.parent.agg, self.agg) -> combine(self.agg, self.parent.agg)
    a right aggregate leaves out the parent's
        Node/local_repair_agg: combine(self.parent.agg, self.agg) -> combine(self.monoid.identity, self.agg)
    a merge loses the value between the two
        Node/absorb_next:     super().absorb_next(i)
         ->     self.parent.values[i] = self.monoid.identity\n    super().absorb_next(i)
    """
)
WRONG.add(
    "children that a split moves keep their parent",
    (
        "split_off",
        "sibling = super().split_off(arity)",
        "sibling = super().split_off(arity)\n    for child in sibling.children:\n        child.parent = self",
    ),
    part="Node",
)

# Spines and fingers
WRONG.read(
    r"""
    a split ends the right spine
        Node/split_off: sibling.right_spine,\s -> _,\s
    a merge ends the right spine
        Node/absorb_next: self.parent.children[i + 1].right_spine -> False
    a height increase begins the left spine only
        height_increase: old.left_spine = old.right_spine = True -> old.left_spine = True
    a height decrease leaves the root on the spines
        height_decrease: self.root.left_spine = self.root.right_spine = False -> pass
    a split leaves the right finger
        split: if self.right_finger is node: -> if False:
    a merge leaves the right finger
        merge: if self.right_finger is last: -> if False:

    # Rebalancing: which spines it touched, and which aggregates it leaves
    a sibling on the left spine goes unnoticed [l.62 as printed]
        rebalance_for_evict: hit_left = hit_left or sibling.left_spine -> pass
    a sibling on the right spine goes unnoticed
        rebalance_for_evict: hit_right = hit_right or sibling.right_spine -> pass
    underflow on the left spine goes unnoticed
        rebalance_for_evict: hit_left = hit_left or node.left_spine -> pass
    underflow on the right spine goes unnoticed
        rebalance_for_evict: hit_right = hit_right or node.right_spine -> pass
    evict does not ask whether it begins on a spine
        rebalance_for_evict: hit_left, hit_right = node.left_spine, node.right_spine
         -> hit_left, hit_right = False, False
    insert does not ask whether it begins on a spine
        rebalance_for_insert: hit_left, hit_right = node.left_spine, node.right_spine
         -> hit_left, hit_right = False, False
    a height increase repairs no spine
        rebalance_for_insert: hit_left, hit_right = True, True -> pass
    a substitute from the left spine goes unnoticed
        evict_inner: hit_left = hit_left or top.left_spine -> pass
    a substitute from the right spine goes unnoticed
        evict_inner: hit_right = hit_right or top.right_spine -> pass
    a substitute leaves the up-aggregates above it
        evict_inner: top.local_repair_agg_if_up() -> pass
    a substitute repairs below the node only
        evict_inner: if top.is_descendent(node): -> if False:
    the top is left when it is on a spine
        repair_aggs: else:  # [Fig.7 l.28]\n        top.local_repair_agg() -> else:\n        pass
    repair climbs one level
        repair_aggs: while top.has_agg_up(): -> if top.has_agg_up():
    the left spine is never repaired
        repair_aggs: left.local_repair_agg() -> pass
    the right spine is never repaired
        repair_aggs: right.local_repair_agg() -> pass

    insert mends an underflow
        insert: self.rebalance_for_insert(node) -> self.rebalance_for_evict(node, None)
    evict mends an overflow
        evict: self.rebalance_for_evict(node, None) -> self.rebalance_for_insert(node)
    evict takes each node for an inner one
        evict: if node.is_leaf(): -> if False:

    # Queries
    query swaps the fingers
        query: combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)
         -> combine(combine(self.right_finger.agg, self.root.agg), self.left_finger.agg)
    query leaves out the root
        query: combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)
         -> combine(self.left_finger.agg, self.right_finger.agg)
    """
)
WRONG.add(
    "query keeps its answer at the root",
    (
        "query",
        "return combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)",
        "answer = combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)\n    "
        "self.root.agg = answer\n    return answer",
    ),
)
WRONG.read(
    """
    query combines with the identity too (hidden: only the number of combine calls changes)
        query: combine(combine(self.left_finger.agg, self.root.agg)
         -> combine(combine(combine(self.monoid.identity, self.left_finger.agg), self.root.agg)
    """
)
NO_INFINITY = wrong(
    "a range never takes a subtree whole",
    ("query_rec", "MINUS_INFINITY if t_from <= t_i else t_from", "t_from"),
    hidden="only the number of recursive calls changes",
)
UP_UNASKED = wrong(
    "a range takes a subtree whole without a look at its aggregate's kind", ("query_rec", " and node.has_agg_up()", "")
)
TO_REPAIR_UNUSED = wrong(
    "toRepair is looked for nowhere [l.56-57, l.72-73]",
    ("rebalance_for_evict", "if node is to_repair:  # [Fig.7 l.56]", "if False:"),
    ("rebalance_for_evict", "if node is to_repair:  # [Fig.7 l.72]", "if False:"),
)
ALWAYS_YOUNGEST = wrong(
    "the substitute is always the youngest on the left [l.78-80]",
    ("evict_inner", "if right.arity > self.min_arity:", "if False:"),
)


# Two chains

CHAINS: Final = Bound(2, 10)
CHAINED: Final = Counts(113, 3539)


def chains(variant: Variant | None = None) -> Outcome:
    """Count the recursive calls of range queries of every reachable tree that read no stored aggregate [Fig.10 l.8]."""
    algorithm: type[Any] = FIBA.algorithm if variant is None else variant.of(FIBA.algorithm)
    at_level: Counter[int] = Counter()
    off_chain: list[Any] = []

    level = 0

    class Watched(algorithm):  # type: ignore[misc]  # the base is a value
        def query_rec(self, node: Any, t_from: Any, t_to: Any) -> Any:
            nonlocal level
            whole = t_from is MINUS_INFINITY and t_to is PLUS_INFINITY
            if not (whole and node.has_agg_up()):
                at_level[level] += 1
                if whole:
                    off_chain.append(node)
            level += 1
            answer = super().query_rec(node, t_from, t_to)
            level -= 1
            return answer

    ranges = 0

    class Chains(TreeStates):
        def look(self, place: Place[Step]) -> None:
            nonlocal ranges
            thawed = self.thaw(self.freeze(place), ())
            tree, n = thawed.subject, place.model.size
            before = thawed.model.times[0].at - 2 if n else 0
            for t_from in range(1, 2 * n + 2):
                for t_to in range(1, 2 * n + 2):
                    at_level.clear()
                    tree.range_query(ordered(before + t_from), ordered(before + t_to))
                    ranges += 1
                    where = f"from {t_from / 2:g} to {t_to / 2:g} of 1 .. {n}"
                    calls = max(at_level.values())
                    self.require(place, f"{calls} calls at one level {where}", calls <= 2)
                    self.require(place, f"all of a spine node is asked for {where}", not off_chain)
            super().look(place)

    outcome = judge(find(partial(walk, Chains(replace(FIBA, algorithm=Watched), CHAINS))), CHAINED)
    if outcome.verdict == "holds":
        return Outcome("holds", f"{ranges:,} ranges in {outcome.statistics['states']} trees", {"ranges": ranges})
    return outcome


claim: Final = partial(shared.claim, FIBA, WRONG)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        "sizes",
        source=cite(
            OUT_OF_ORDER,
            "Figure 7",
            "Figure 8",
            place="section 3.1, size invariants",
            compared="corrected: where its errata mend the listing",
        ),
    ),
    claim("contents", "a merge loses the value between the two"),
    claim(
        "spines",
        "a split ends the right spine",
        "a merge ends the right spine",
        "a height increase begins the left spine only",
        "a height decrease leaves the root on the spines",
        "a split leaves the right finger",
        "a merge leaves the right finger",
        statement="The fingers are the first and the last leaf, spine flags are true of them and their ancestors, but "
        "the root. The oldest and the youngest entry are in the fingers, so in-order evicts never call evictInner.",
        source=cite(OUT_OF_ORDER, place="sections 3.2 and 3.3"),
    ),
    claim(
        "aggregates",
        "the inner aggregate contains the first child",
        "a left aggregate leaves out the last child",
        "a left aggregate contains the root's",
        "a left aggregate begins with the parent's",
        "a right aggregate ends with the parent's",
        "a right aggregate leaves out the parent's",
        "a sibling on the left spine goes unnoticed [l.62 as printed]",
        "a sibling on the right spine goes unnoticed",
        "underflow on the left spine goes unnoticed",
        "evict does not ask whether it begins on a spine",
        "insert does not ask whether it begins on a spine",
        "a height increase repairs no spine",
        "a substitute from the left spine goes unnoticed",
        "a substitute repairs below the node only",
        "the top is left when it is on a spine",
        "the left spine is never repaired",
        "the right spine is never repaired",
        "a parent is repaired before its children",
        statement="Every node stores the aggregate for its position: up, inner at the root, left or right on a spine.",
        source=cite(
            OUT_OF_ORDER,
            "Figure 2",
            place="section 3.2, aggregation invariants",
            compared="as printed, in words: the supplied text lacks the figure",
        ),
    ),
    claim(
        "answer",
        "query swaps the fingers",
        "query leaves out the root",
        "query keeps its answer at the root",
        "a sibling on the left spine goes unnoticed [l.62 as printed]",
        source=cite(OUT_OF_ORDER, "Theorem 3.3", compared="stronger: nothing changes, too"),
    ),
    claim(
        "query-calls",
        "query combines with the identity too",
        statement="Query invokes combine at most two times.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            place="its proof",
            compared="a part: the combine calls of query; time is not measured",
        ),
    ),
    claim(
        "ranges",
        "the left climb stops short of the parent's last time",
        "the left climb stops below an equal time",
        "the right climb stops below an equal time",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 4.1",
            "Figure 10",
            place="errata FIBA-2, FIBA-4",
            compared="corrected: least and greatest index in the range",
        ),
    ),
    Claim(
        id="fiba/two-chains",
        statement="Of the recursive calls of a range query, at most two at each level read anything but a stored "
        "up-aggregate; a subtree that is wholly in the range always has one.",
        source=cite(OUT_OF_ORDER, place="section 4"),
        algorithm=FIBA.name,
        kind="exhaustive",
        engine="explorer",
        scope=f"{CHAINS}; every range, reversed ones too",
        code=code_of(FIBA.algorithm, "range_query"),
        check=chains,
        controls=(NO_INFINITY,),
        not_covered="larger windows",
    ),
    shared.space_claim(FIBA, WRONG),
    shared.PROVED_SPACE,
    claim("refusals"),
    claim(
        "higher",
        "underflow on the right spine goes unnoticed",
        "a substitute leaves the up-aggregates above it",
        "repair climbs one level",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.3", "Theorem 4.1", compared="stronger: each invariant that the answers rest on"
        ),
        families=tuple(shared.FAMILIES),
        bounds=(WIDER, *HIGH),
        deep=(WIDEST, *HIGHER),
        control_bounds=(*HIGH, *HIGHER),
    ),
    history_claim(
        FIBA,
        "swaps_the_fingers",
        "swaps_a_duplicate",
        "combines_in_vain",
        source=cite(OUT_OF_ORDER, "Theorem 3.3", compared="an instance: the histories within the scope"),
        longest=7,
        checked=4,
        times=3,
        steps="inserts in the order of time and evicts of the oldest",
    ),
    equivalent(
        id="fiba/to-repair",
        statement="The parameter toRepair is not needed: it never is the node that rebalancing begins at, a leaf "
        "[Fig.7 l.56]; where rebalancing comes to it [Fig.7 l.72], merge or move has repaired it already.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=TO_REPAIR_UNUSED,
        control=WRONG.get("a substitute leaves the up-aggregates above it"),
    ),
    equivalent(
        id="fiba/substitute",
        statement="Which side the substitute comes from [Fig.8 l.78] does not matter: the youngest on the left will "
        "always do.",
        source=cite(OUT_OF_ORDER, place="section 3.3, evictInner"),
        column=FIBA,
        same=ALWAYS_YOUNGEST,
        control=shared.SHARED_WRONG.get("the youngest on the right is the substitute"),
    ),
    equivalent(
        id="fiba/up-unasked",
        statement="A range query need not ask whether an aggregate is an up-aggregate [Fig.10 l.7]: with infinities "
        "that are no times, only such a node is ever wholly in the range.",
        source=cite(OUT_OF_ORDER, place="section 4, on nodes without an up-aggregate"),
        column=FIBA,
        same=UP_UNASKED,
        control=shared.SHARED_WRONG.get("a range takes a subtree whole in which it ends"),
    ),
    tall_runs(
        FIBA,
        WRONG.pick(
            "a substitute leaves the up-aggregates above it",
            "underflow on the right spine goes unnoticed",
            "repair climbs one level",
        ),
    ),
)
