"""What is claimed of FiBA, and the wrong variants that the checks must reject."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY
from swagproof.proofs.explorer.space import Place
from swagproof.proofs.explorer.walk import Counts, find, judge, walk
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Outcome, code_of
from swagproof.proofs.ledger.variants import Variant, WrongVariants, wrong
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGHER, WIDER, claim, equivalent, long_runs
from swagproof.proofs.trees.shapes import Bound, Step, TreeStates
from swagproof.reference.catalogue import FIBA

WRONG: Final = WrongVariants(FIBA, shared=shared.SHARED_WRONG)
"""Each is killed by the explorer and by a contract."""
wrong_node: Final = partial(WRONG.add, part="Node")

# Search

CLIMBS_SHORT = WRONG.add(
    "the left climb stops short of the parent's last time",
    ("search_path", "left.parent.get_time(0)", "left.parent.get_time(left.parent.arity - 2)"),
)
LEFT_MISSES_EQUAL = WRONG.add(
    "the left climb stops below an equal time", ("search_path", "not t < left", "not t <= left")
)
RIGHT_MISSES_EQUAL = WRONG.add(
    "the right climb stops below an equal time",
    ("search_path", "(right.parent.arity - 2) < t", "(right.parent.arity - 2) <= t"),
)

# Aggregates

INNER_HAS_FIRST = wrong_node(
    "the inner aggregate contains the first child",
    ("local_repair_agg", "product_of_parts(1, self.arity - 1)", "product_of_parts(0, self.arity - 1)"),
)
LEFT_LACKS_LAST = wrong_node(
    "a left aggregate leaves out the last child",
    ("local_repair_agg", "product_of_parts(1, self.arity)", "product_of_parts(1, self.arity - 1)"),
)
LEFT_HAS_ROOT = wrong_node(
    "a left aggregate contains the root's",
    (
        "local_repair_agg",
        "product_of_parts(1, self.arity)\n        if not self.parent.is_root():",
        "product_of_parts(1, self.arity)\n        if True:",
    ),
)
LEFT_SWAPPED = wrong_node(
    "a left aggregate begins with the parent's",
    ("local_repair_agg", "combine(self.agg, self.parent.agg)", "combine(self.parent.agg, self.agg)"),
)
RIGHT_SWAPPED = wrong_node(
    "a right aggregate ends with the parent's",
    ("local_repair_agg", "combine(self.parent.agg, self.agg)", "combine(self.agg, self.parent.agg)"),
)
RIGHT_ALONE = wrong_node(
    "a right aggregate leaves out the parent's",
    ("local_repair_agg", "combine(self.parent.agg, self.agg)", "combine(self.monoid.identity, self.agg)"),
)

SEPARATOR_LOST = wrong_node(
    "a merge loses the value between the two",
    (
        "absorb_next",
        "    Node.absorb_next(self, i)",
        "    self.parent.values[i] = self.monoid.identity\n    Node.absorb_next(self, i)",
    ),
)
ORPHAN_SPLIT = wrong_node(
    "children that a split moves keep their parent",
    (
        "split_off",
        "sibling = Node.split_off(self, arity)",
        "sibling = Node.split_off(self, arity)\n    for child in sibling.children:\n        child.parent = self",
    ),
)

# Spines and fingers

SPLIT_ENDS_SPINE = wrong_node("a split ends the right spine", ("split_off", "sibling.right_spine, ", "_, "))
MERGE_ENDS_SPINE = wrong_node(
    "a merge ends the right spine", ("absorb_next", "self.parent.children[i + 1].right_spine", "False")
)
ONE_SPINE = WRONG.add(
    "a height increase begins the left spine only",
    ("height_increase", "old.left_spine = old.right_spine = True", "old.left_spine = True"),
)
ROOT_ON_SPINES = WRONG.add(
    "a height decrease leaves the root on the spines",
    ("height_decrease", "self.root.left_spine = self.root.right_spine = False", "pass"),
)
FINGER_STAYS = WRONG.add("a split leaves the right finger", ("split", "if self.right_finger is node:", "if False:"))
FINGER_LOST = WRONG.add("a merge leaves the right finger", ("merge", "if self.right_finger is last:", "if False:"))


# Rebalancing: which spines it touched, and which aggregates it leaves

NO_LEFT_SIBLING = WRONG.add(
    "a sibling on the left spine goes unnoticed [l.62 as printed]",
    ("rebalance_for_evict", "hit_left = hit_left or sibling.left_spine", "pass"),
)
NO_RIGHT_SIBLING = WRONG.add(
    "a sibling on the right spine goes unnoticed",
    ("rebalance_for_evict", "hit_right = hit_right or sibling.right_spine", "pass"),
)
EVICT_LEAVES_LEFT = WRONG.add(
    "underflow on the left spine goes unnoticed",
    ("rebalance_for_evict", "hit_left = hit_left or node.left_spine", "pass"),
)
EVICT_LEAVES_RIGHT = WRONG.add(
    "underflow on the right spine goes unnoticed",
    ("rebalance_for_evict", "hit_right = hit_right or node.right_spine", "pass"),
)
EVICT_STARTS_OFF = WRONG.add(
    "evict does not ask whether it begins on a spine",
    (
        "rebalance_for_evict",
        "hit_left, hit_right = node.left_spine, node.right_spine",
        "hit_left, hit_right = False, False",
    ),
)
INSERT_STARTS_OFF = WRONG.add(
    "insert does not ask whether it begins on a spine",
    (
        "rebalance_for_insert",
        "hit_left, hit_right = node.left_spine, node.right_spine",
        "hit_left, hit_right = False, False",
    ),
)
INCREASE_UNNOTICED = WRONG.add(
    "a height increase repairs no spine", ("rebalance_for_insert", "hit_left, hit_right = True, True", "pass")
)
INNER_LEAVES_LEFT = WRONG.add(
    "a substitute from the left spine goes unnoticed", ("evict_inner", "hit_left = hit_left or top.left_spine", "pass")
)
INNER_LEAVES_RIGHT = WRONG.add(
    "a substitute from the right spine goes unnoticed",
    ("evict_inner", "hit_right = hit_right or top.right_spine", "pass"),
)
INNER_LEAVES_UP = WRONG.add(
    "a substitute leaves the up-aggregates above it", ("evict_inner", "top.local_repair_agg_if_up()", "pass")
)
INNER_STOPS = WRONG.add(
    "a substitute repairs below the node only", ("evict_inner", "if top.is_descendent(node):", "if False:")
)
TOP_NOT = WRONG.add(
    "the top is left when it is on a spine",
    ("repair_aggs", "else:  # [Fig.7 l.28]\n        top.local_repair_agg()", "else:\n        pass"),
)
ONE_UP = WRONG.add("repair climbs one level", ("repair_aggs", "while top.has_agg_up():", "if top.has_agg_up():"))
LEFT_DOWN_NOT = WRONG.add("the left spine is never repaired", ("repair_aggs", "left.local_repair_agg()", "pass"))
RIGHT_DOWN_NOT = WRONG.add("the right spine is never repaired", ("repair_aggs", "right.local_repair_agg()", "pass"))

# Queries

QUERY_SWAPPED = WRONG.add(
    "query swaps the fingers",
    (
        "query",
        "combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)",
        "combine(combine(self.right_finger.agg, self.root.agg), self.left_finger.agg)",
    ),
)
QUERY_LEAVES_ROOT = WRONG.add(
    "query leaves out the root",
    (
        "query",
        "combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)",
        "combine(self.left_finger.agg, self.right_finger.agg)",
    ),
)
QUERY_KEEPS = WRONG.add(
    "query keeps its answer at the root",
    (
        "query",
        "return combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)",
        "answer = combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)\n    "
        "self.root.agg = answer\n    return answer",
    ),
)
QUERY_THRICE = WRONG.add(
    "query combines with the identity too",
    (
        "query",
        "combine(combine(self.left_finger.agg, self.root.agg)",
        "combine(combine(combine(self.monoid.identity, self.left_finger.agg), self.root.agg)",
    ),
    hidden="only the number of combine calls changes",
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
    ("rebalance_for_evict", "if node is to_repair:  # [Fig.7 l.72, indented otherwise: erratum FIBA-7]", "if False:"),
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

    class Watched(algorithm):  # type: ignore[misc]  # the base is a value
        level = 0

        def query_rec(self, node: Any, t_from: Any, t_to: Any) -> Any:
            whole = t_from is MINUS_INFINITY and t_to is PLUS_INFINITY
            if not (whole and node.has_agg_up()):
                at_level[self.level] += 1
                if whole:
                    off_chain.append(node)
            self.level += 1
            answer = super().query_rec(node, t_from, t_to)
            self.level -= 1
            return answer

    ranges = 0

    class Chains(TreeStates):
        def look(self, place: Place[Step]) -> None:
            nonlocal ranges
            tree, n = self.thaw(self.freeze(place), ()).subject, place.model.size
            for t_from in range(1, 2 * n + 2):
                for t_to in range(1, 2 * n + 2):
                    at_level.clear()
                    tree.range_query(t_from, t_to)
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


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        FIBA,
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
        FIBA,
        "contents",
        source="Definition 2.1",
        controls=(
            shared.OLD_AND_NEW_SWAPPED,
            shared.DUPLICATE_REPLACES,
            shared.TWO_OF_A_TIME,
            shared.ABSENT_TAKES_NEXT,
            shared.WRONG_SLOT,
            shared.KEEPS_TIME,
            SEPARATOR_LOST,
        ),
    ),
    claim(
        FIBA,
        "spines",
        statement="The fingers are the first and the last leaf, spine flags are true of them and their ancestors, but "
        "the root. The oldest and the youngest entry are in the fingers, so in-order evicts never call evictInner.",
        source="sections 3.2 and 3.3",
        controls=(SPLIT_ENDS_SPINE, MERGE_ENDS_SPINE, ONE_SPINE, ROOT_ON_SPINES, FINGER_STAYS, FINGER_LOST),
    ),
    claim(
        FIBA,
        "aggregates",
        statement="Every node stores the aggregate for its position: up, inner at the root, left or right on a spine.",
        source="section 3.2, aggregation invariants",
        controls=(
            INNER_HAS_FIRST,
            LEFT_LACKS_LAST,
            LEFT_HAS_ROOT,
            LEFT_SWAPPED,
            RIGHT_SWAPPED,
            RIGHT_ALONE,
            NO_LEFT_SIBLING,
            NO_RIGHT_SIBLING,
            EVICT_LEAVES_LEFT,
            EVICT_STARTS_OFF,
            INSERT_STARTS_OFF,
            INCREASE_UNNOTICED,
            INNER_LEAVES_LEFT,
            INNER_STOPS,
            TOP_NOT,
            LEFT_DOWN_NOT,
            RIGHT_DOWN_NOT,
            shared.PARENT_FIRST,
        ),
    ),
    claim(
        FIBA,
        "answer",
        source="Theorem 3.3",
        controls=(QUERY_SWAPPED, QUERY_LEAVES_ROOT, QUERY_KEEPS, NO_LEFT_SIBLING),
    ),
    claim(
        FIBA,
        "query-calls",
        statement="Query invokes combine at most two times.",
        source="Theorem 3.4, its proof",
        controls=(QUERY_THRICE,),
    ),
    claim(
        FIBA,
        "ranges",
        source="Theorem 4.1 (errata FIBA-2, FIBA-4)",
        controls=(
            shared.FROM_EXCLUSIVE,
            shared.TO_EXCLUSIVE,
            shared.SKIPS_LAST_INNER,
            shared.TAKES_WHOLE,
            shared.LOW_TOP,
            CLIMBS_SHORT,
            LEFT_MISSES_EQUAL,
            RIGHT_MISSES_EQUAL,
        ),
    ),
    Claim(
        id="fiba/two-chains",
        statement="Of the recursive calls of a range query, at most two at each level read anything but a stored "
        "up-aggregate; a subtree that is wholly in the range always has one.",
        source=f"{OUT_OF_ORDER}, section 4",
        algorithm=FIBA.name,
        kind="exhaustive",
        engine="explorer",
        scope=f"{CHAINS}; every range, reversed ones too",
        code=code_of(FIBA.algorithm, "range_query"),
        check=chains,
        controls=(NO_INFINITY,),
        not_covered="larger windows",
    ),
    claim(
        FIBA,
        "refusals",
        source="silent; decided here",
        controls=(shared.LETS_NAN_IN,),
    ),
    claim(
        FIBA,
        "higher",
        source="Theorems 3.3 and 4.1",
        families=tuple(shared.FAMILIES),
        controls=(EVICT_LEAVES_RIGHT, INNER_LEAVES_UP, ONE_UP),
        bounds=(WIDER, *HIGHER),
        control_bounds=HIGHER,
    ),
    equivalent(
        id="fiba/to-repair",
        statement="The parameter toRepair is not needed: it never is the node that rebalancing begins at, a leaf "
        "[Fig.7 l.56]; where rebalancing comes to it [Fig.7 l.72], merge or move has repaired it already.",
        source="section 3.3, evictInner",
        column=FIBA,
        same=TO_REPAIR_UNUSED,
        control=INNER_LEAVES_UP,
    ),
    equivalent(
        id="fiba/substitute",
        statement="Which side the substitute comes from [Fig.8 l.78] does not matter: the youngest on the left will "
        "always do.",
        source="section 3.3, evictInner",
        column=FIBA,
        same=ALWAYS_YOUNGEST,
        control=shared.FAR_SUBSTITUTE,
    ),
    equivalent(
        id="fiba/up-unasked",
        statement="A range query need not ask whether an aggregate is an up-aggregate [Fig.10 l.7]: with infinities "
        "that are no times, only such a node is ever wholly in the range.",
        source="section 4, on nodes without an up-aggregate",
        column=FIBA,
        same=UP_UNASKED,
        control=shared.TAKES_WHOLE,
    ),
    long_runs(FIBA, (INNER_LEAVES_UP, EVICT_LEAVES_RIGHT, ONE_UP)),
)
