"""Bulk operations of FiBA for every size, every min-arity and every monoid: what is proved of them.

The runs are in swagproof.proofs.trees.bulk.bulk_runs and swagproof.proofs.trees.bulk.repairs.  Aggregates are right
because each node is consistent: then those of subtrees are right by induction on height, the root's with them, and
those on a spine by induction from the root down, as localRepairAgg computes from right ones what is right.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Final, Literal, TypeAlias

from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.ledger.claim import OURS, Claim, Control, cite
from swagproof.proofs.ledger.theorem import Theorem, conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, wrong
from swagproof.proofs.trees import fiba_bulk
from swagproof.proofs.trees.bulk.bulk_parts import PARTS, Part, explore_part
from swagproof.proofs.trees.bulk.bulk_runs import OPERATIONS, Operation, explore_operation
from swagproof.proofs.trees.bulk.repairs import explore_repairs
from swagproof.proofs.trees.step_runs import explore_step
from swagproof.proofs.trees.whole.walk_runs import count_sizes
from swagproof.reference.catalogue import FIBA_BULK

Name: TypeAlias = Operation | Part | Literal["repairs"]
"""The name of a run."""

WRONG: Final = WrongVariants(FIBA_BULK)
"""Wrong variants of these proofs' own."""
WRONG.read(
    r"""
    a child that comes to the left spine is not noted
        go_down: self.repair_up(child) -> pass
    the first child of a lowered root is not noted
        height_decrease: *self.root.children[:1], ->
    the last child of a lowered root is not noted
        height_decrease: , *self.root.children[-1:] ->
    the new root is not noted
        height_decrease: self.repair_up(self.root, -> self.repair_up(
    one node of those that change is noted
        repair_up: self.put_off[node] = None -> self.put_off[nodes[0]] = None
    a split does not note the new sibling
        split: self.repair_up(node, sibling, node.parent) -> self.repair_up(node, node.parent)
    a split does not note the parent
        split: self.repair_up(node, sibling, node.parent) -> self.repair_up(node, sibling)
    a merge does not note the parent
        merge: self.repair_up(node, parent) -> self.repair_up(node)
    a move does not note the sibling
        move: self.repair_up(node, sibling, parent) -> self.repair_up(node, parent)
    what is put is not noted
        put: self.repair_up(node) -> pass
    an aggregate is computed while nodes change
        go_down: child = node.get_child(0) -> child = node.get_child(0); child.local_repair_agg()
    a path ends at its first entry
        cut: more = not found and not node.is_leaf() -> more = False
    a bulk evict takes the entry behind t, too
        cut: i + 1 if found else i -> i + 1 if found else min(i + 1, node.arity - 1)
    mending moves the other way
        fill: self.move(node.parent, 0, 1) -> self.move(node.parent, 1, 0)
    only what is before the oldest entry is evicted
        bulk_evict: t < self.left_finger.get_time(0) -> self.left_finger.get_time(0) < t
    a bulk evict is not asked whether the time compares
        bulk_evict: self.require_time(t) -> pass
    a bulk evict changes before it has met all times
        bulk_evict: self.search_node(t)  # -> pass  #
    a bulk evict puts nothing off
        bulk_evict: with self.aggregates_put_off(): -> if True:
    a bulk insert puts nothing off
        bulk_insert: with self.aggregates_put_off(): -> if True:
    a bulk insert does not ask whether its pairs are sorted
        bulk_insert: self.require_sorted(pairs) -> pairs
    the path goes on at a second child
        go_down: node.get_child(0) -> node.get_child(1)
    a split of the last leaf leaves the right finger
        split: if self.right_finger is node: -> if False:
    a merge of the last leaf leaves the right finger
        merge: if self.right_finger is last: -> if False:
    levels are repaired from the second on
        repair_changed: level = 0 -> level = 1
    a parent waits on its child's level
        repair_changed: levels.setdefault(level + 1, {}) -> levels.setdefault(level, {})
    the level above is repaired first
        repair_changed: levels.pop(level, {}) -> levels.pop(level + 1, {})
    the left spine is not repaired
        repair_changed: left.local_repair_agg() -> pass
    the way down the right spine is not taken
        repair_changed: while right is not None: -> while False:
    the right spine is repaired along first children
        repair_changed: right.get_child(right.arity - 1) -> right.get_child(0)
    a node of the right spine is taken for one of the left
        repair_changed: elif node.left_spine: -> elif node.right_spine:
    a spine is repaired on the way up, too
        repair_changed: left = node -> left = node; node.local_repair_agg()
    repairs end with the first level
        repair_changed: while levels: -> if levels:
    levels are counted from one
        level: level = 0 -> level = 1
    what is gone is repaired, too
        repair_changed: if self.is_here(node): -> if True:
    a root is not here
        is_here: node is self.root or node.parent is not None -> node.parent is not None
    a root without entries is not repaired
        repair_changed: if root is not None: -> if root is not None and root.arity > 1:
    a new root is marked as left spine
        go_down: self.height_decrease() -> self.height_decrease(); child.left_spine = True
    the right finger of a leaf that becomes the root is the left one, which is gone
        cut: self.mend(node)
         -> self.mend(node)\n    if node.is_root() and node.is_leaf():\n        self.right_finger = self.left_finger
    an insert at the root puts the right finger where the left one is
        insert_sorted: self.rebalance_for_insert(node)
         -> self.rebalance_for_insert(node)\n        if node.is_root(): self.right_finger = self.left_finger
    the leaf of the left finger, which may go, is noted
        evict_until: node = self.left_finger -> node = self.left_finger; self.repair_up(node)
    """
)
WRONG.read(
    r"""
    the climb goes on to the root
        evict_until: while not node.is_root() and not t < node.parent.get_time(0): -> while not node.is_root():
    a node of the path notes its parent
        go_down: self.repair_up(child) -> self.repair_up(child, node.parent)
    the parent of a node on the left spine waits, too
        repair_changed: left = node -> left = node; levels.setdefault(level + 1, {})[node.parent] = None
    the left spine is repaired from the root down
        repair_changed: root.local_repair_agg() -> root.local_repair_agg(); left = root.get_child(0)
    a climb notes the node above where it ends
        evict_until: more = self.cut(node, t)\n    while
         -> if not node.is_root():\n        self.repair_up(node.parent)\n    more = self.cut(node, t)\n    while
    a path notes the parent of its first node, once that is cut
        evict_until: while not node.is_leaf():
         -> if not node.is_root():\n        self.repair_up(node.parent)\n    while not node.is_leaf():
    a path notes the parent of its leaf
        evict_until: self.left_finger = node
         -> self.left_finger = node\n    if not node.is_root():\n        self.repair_up(node.parent)
    a node that is mended notes its parent
        cut: self.mend(node) -> self.mend(node)\n    if not node.is_root():\n        self.repair_up(node.parent)
    a bulk evict notes the root
        bulk_evict: self.evict_until(t) -> self.evict_until(t); self.repair_up(self.root)
    """
)
UNTIED: Final = wrong(
    "what is taken in keeps its parent", ("absorb_next", "sibling.parent = None", "pass"), part="Node"
)

AFFECTED: Final[dict[str, tuple[Name, ...]]] = {
    "bulk_evict": ("bulk evict",),
    "bulk_insert": ("bulk insert",),
    "evict_until": ("evict until",),
    "insert_sorted": ("insert sorted",),
    "put": ("insert sorted",),
    "search_on": ("search on",),
    "cut": ("cut",),
    "drop": ("drop",),
    "go_down": ("evict until",),
    "mend": ("mend",),
    "fill": ("mend",),
    "merge": ("mend", "rebalance for evict"),
    "move": ("mend", "rebalance for evict"),
    "split": ("rebalance for insert",),
    "height_decrease": ("mend", "evict until", "rebalance for evict"),
    "repair_up": ("mend", "rebalance for insert"),
    "repair_changed": ("repairs",),
    "is_here": ("repairs",),
    "level": ("level",),
    "absorb_next": ("absorb_next",),
}
"""The runs that execute a method."""


COSTS: Final = ("climbed", "kept_have_waited")


def _is_cost(obligation: str) -> bool:
    return obligation.startswith("cost: ") or obligation.endswith(COSTS)


def _is_answer(obligation: str) -> bool:
    return not _is_cost(obligation)


def add_up_aggregates(least: int = 1) -> Exploration:
    """Return what a bulk evict from height h computes: g is the height of the highest node that is noted on the left
    spine, or of the root, r of that on the right spine, -1 where there is none, s the steps, `besides` what is noted
    elsewhere.
    """
    k, h, s, g, r, besides = z3.Ints("k h s g r besides")

    def run(path: Path) -> None:
        path.assume(z3.And(0 <= h, h <= k, 0 <= s, 0 <= besides, besides <= s))
        path.assume(z3.And(0 <= g, g <= h + s, -1 <= r, r <= h + s - 1))
        path.show("cost: aggregates in all", besides + (g + 1) + (r + 1) <= 2 * k + 3 * s + least)

    return explore(run)


def _add_up() -> Exploration:
    report = add_up_aggregates()
    report.merge(count_sizes())
    return report


@cache
def _explore_reference(run: Name) -> Exploration:
    return explore_run(run)


def explore_run(
    run: Name, variant: Variant | None = None, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """A run, along every path."""
    if run == "repairs":
        return explore_repairs(variant, enough)
    if run in PARTS:
        return explore_part(run, variant, enough)
    assert run in OPERATIONS
    return explore_operation(run, variant, enough)


def _explore(run: Name, variant: Variant | None, enough: Callable[[Exploration], bool]) -> Exploration:
    return _explore_reference(run) if variant is None else explore_run(run, variant, enough)


def claim(
    name: str, *runs: Name, rests_on: Sequence[Name] = (), statement: str, code: str, not_covered: str,
    controls: Sequence[Variant | Control], lemmas: Callable[[], Exploration] = Exploration,
    states: Callable[[str], bool] = _is_answer,
) -> Claim:  # fmt: skip
    """A claim that states what some runs show."""

    def affected(variant: Variant) -> Iterable[Name]:
        changed = {edit.method for edit in variant.edits}
        return [run for run in runs if any(run in AFFECTED.get(method, runs) for method in changed)]

    proof = Theorem[Name](
        explore=_explore,
        states=states,
        runs=runs,
        rests_on=(*runs, *rests_on),
        lemmas=lemmas,
        affected=affected,
    )
    return Claim(
        id=f"fiba-bulk/proved-{name}",
        statement=statement,
        source=cite(OURS),
        algorithm="FiBA, bulk",
        kind="proved",
        engine="symbolic execution, Z3",
        scope="every tree that meets the contracts, of every size, height and min-arity mu >= 2; every monoid",
        code=code,
        check=proof.check,
        controls=controls,
        reject=proof.reject,
        not_covered=not_covered,
    )


_TREE: Final = "reference.trees.fiba_bulk.BulkFiba"
_REPAIRS: Final[tuple[Name, ...]] = ("repairs", "level", "absorb_next")
_CONSISTENT: Final = partial(explore_step, "repair")
"""The claim that localRepairAgg computes right aggregates from right ones, and changes nothing else."""
_RESTS: Final = (
    "argued: that all is right where each node is consistent, by induction on height and then down the spines, each "
    "step of which is run; that a node which no step looked at is as it was.  The lines of aggregates_put_off, and "
    "that times which do not compare are refused: see fiba-bulk/explored; not what an error within them leaves.  What "
    "searches and the inner parts of the steps do is taken from fiba/proved-search, fiba/proved-parts and "
    "fiba/proved-step-frame"
)

CLAIMS: Final = (
    claim(
        "evict",
        "bulk evict",
        "evict until",
        "cut",
        "mend",
        "rebalance for evict",
        "drop",
        rests_on=_REPAIRS,
        lemmas=_CONSISTENT,
        statement="From any tree in which arities, heights, contents, parents, spine flags, fingers and every "
        "aggregate are right, bulk evict ends, and leaves one in which they are, with the entries that have a time > t "
        "and no others, each as it was; each node whose aggregate is made of other parts than before is noted, and "
        "none is computed before nodes have stopped changing.",
        code=f"{_TREE}.bulk_evict, evict_until, cut, drop, go_down, mend, fill, height_decrease, repair_up; "
        "reference.trees.fiba.Fiba.rebalance_for_evict, merge, move",
        controls=(
            *fiba_bulk.WRONG.pick(
                "a bulk evict keeps the entry at t itself",
                "the climb ends at the left finger",
                "the climb stops below an entry at t itself",
                "the first node of the path alone is cut",
                "a cut leaves the children",
                "a cut leaves the values",
                "what is dropped keeps its parent",
                "a node that is cut is not noted",
                "the left finger stays on the leaf that is gone",
                "the path is not marked as left spine",
                "an empty root stays",
                "a node of the path is not mended",
                "an underflow above the path stays",
                "a root that a merge leaves empty stays",
                "a merge makes a node too large",
                "mending moves one child only",
                "a height decrease is not noted",
                "aggregates are not put off",
            ),
            *WRONG.pick(
                "a child that comes to the left spine is not noted",
                "the first child of a lowered root is not noted",
                "the last child of a lowered root is not noted",
                "the new root is not noted",
                "one node of those that change is noted",
                "a merge does not note the parent",
                "a move does not note the sibling",
                "an aggregate is computed while nodes change",
                "a path ends at its first entry",
                "a bulk evict takes the entry behind t, too",
                "mending moves the other way",
                "a bulk evict is not asked whether the time compares",
                "a bulk evict changes before it has met all times",
                "a bulk evict puts nothing off",
                "only what is before the oldest entry is evicted",
                "the path goes on at a second child",
                "a merge of the last leaf leaves the right finger",
                "a new root is marked as left spine",
                "the right finger of a leaf that becomes the root is the left one, which is gone",
                "the leaf of the left finger, which may go, is noted",
            ),
        ),
        not_covered=_RESTS,
    ),
    claim(
        "insert",
        "bulk insert",
        "insert sorted",
        "search on",
        "rebalance for insert",
        rests_on=_REPAIRS,
        lemmas=_CONSISTENT,
        statement="So does bulk insert, of any number of pairs that are sorted by time: each is at its time then, in "
        "the order of time, or combined with what was there, behind it.",
        code=f"{_TREE}.bulk_insert, insert_sorted, search_on, put, repair_up; "
        "reference.trees.fiba.Fiba.rebalance_for_insert, split",
        controls=(
            *fiba_bulk.WRONG.pick(
                "the next search does not leave the leaf",
                "the next search stops below a separator at t itself",
                "a bulk insert combines new with old",
                "a bulk insert splits no node",
            ),
            *WRONG.pick(
                "what is put is not noted",
                "a split does not note the new sibling",
                "a split does not note the parent",
                "a bulk insert puts nothing off",
                "a bulk insert does not ask whether its pairs are sorted",
                "a split of the last leaf leaves the right finger",
                "an insert at the root puts the right finger where the left one is",
            ),
        ),
        not_covered=f"requireSorted: see fiba-bulk/explored; {_RESTS}",
    ),
    claim(
        "repairs",
        "repairs",
        "level",
        "absorb_next",
        statement="Where each node of a tree is consistent, or noted, or on a spine below a noted node of that spine, "
        "repairChanged ends, computes no aggregate twice, and leaves each node consistent: storing what localRepairAgg "
        "would compute.",
        code=f"{_TREE}.repair_changed, is_here, level",
        controls=(
            *fiba_bulk.WRONG.pick(
                "repairs stop at the changed nodes",
                "repairs of a spine begin at the lowest changed node",
                "the root is not repaired",
                "what was put off waits on",
            ),
            *WRONG.pick(
                "levels are repaired from the second on",
                "a parent waits on its child's level",
                "the level above is repaired first",
                "the left spine is not repaired",
                "the way down the right spine is not taken",
                "the right spine is repaired along first children",
                "a node of the right spine is taken for one of the left",
                "a spine is repaired on the way up, too",
                "repairs end with the first level",
                "levels are counted from one",
                "what is gone is repaired, too",
                "a root is not here",
                "a root without entries is not repaired",
            ),
            UNTIED,
        ),
        not_covered="how many aggregates are computed: see fiba-bulk/proved-cost; what localRepairAgg reads and writes "
        "is taken from fiba/proved-local-repair",
    ),
    claim(
        "cost",
        "bulk evict",
        "evict until",
        "cut",
        "mend",
        "rebalance for evict",
        "repairs",
        rests_on=("drop", "level", "absorb_next"),
        lemmas=_add_up,
        states=_is_cost,
        statement="A bulk evict of m >= 1 entries with s steps of rebalancing computes at most 2 k + 1 + 3 s "
        "aggregates, for some k with mu^k <= m, the height from which it cuts: on each level up to k + s one on the "
        "left spine, below that one on the right, and one elsewhere for each step.",
        code=f"{_TREE}.bulk_evict, evict_until, cut, mend, go_down, repair_changed; "
        "reference.trees.fiba.Fiba.rebalance_for_evict, merge, move",
        controls=(
            *WRONG.pick(
                "the climb goes on to the root",
                "a node of the path notes its parent",
                "the parent of a node on the left spine waits, too",
                "the left spine is repaired from the root down",
                "a climb notes the node above where it ends",
                "a path notes the parent of its first node, once that is cut",
                "a path notes the parent of its leaf",
                "a node that is mended notes its parent",
                "a bulk evict notes the root",
            ),
            Control("a bulk evict computes one less", lambda: conclude(add_up_aggregates(0))),
            Control("below a node are mu^(h + 1) entries", lambda: conclude(count_sizes(0))),
        ),
        not_covered="argued: that what is noted beside the left spine stays below a noted node of it, and that the "
        "first child of a root that comes to be one on the way down is the next on the path, or goes; the lines of "
        "aggregates_put_off: see fiba-bulk/cost; the number of steps, amortised: see fiba/proved-rebalancing-cost for "
        "those of single evicts",
    ),
)
