"""Bulk operations of FiBA, run over trees of any height: each method from what its contract gives it.

The clauses are those of `contracts/trees/bulk_operations.py`; the tree is that of
swagproof.proofs.trees.bulk.between_steps.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, get_args

from swagproof.contracts.trees import bulk_operations as contract
from swagproof.contracts.trees import walks, whole_operations
from swagproof.proofs.engine.paths import Exploration, Path, explore, settle
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicBool
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees.bulk.between_steps import Pairs, WaitingNode, WaitingRun, WaitingTree
from swagproof.proofs.trees.step_runs import StandIn, make_runnable
from swagproof.proofs.trees.whole.tree_state import power
from swagproof.proofs.trees.whole.walk_runs import find
from swagproof.proofs.trees.whole.zipper_runs import AllRun, show_added
from swagproof.reference.trees.fiba_bulk import BulkFiba

_ZERO: Final = z3.IntVal(0)

OVER: Final = StandIn(
    (
        "is_leaf", "get_time", "get_value", "local_search", "has_agg_up", "local_repair_agg", "local_repair_agg_if_up",
        "split", "merge", "move", "repair_up", "pick_eviction_sibling", "BulkFiba.height_decrease",
        "rebalance_for_insert", "rebalance_for_evict", "search_node",
        "bulk_evict", "bulk_insert", "evict_until", "cut", "go_down", "mend", "fill", "search_on", "put",
        "insert_sorted", "level",
    ),
    WaitingRun.NAMES,
    contract.LOOPS,
    WaitingNode,
    WaitingTree,
)  # fmt: skip

Operation = Literal[
    "bulk evict", "bulk insert", "evict until", "insert sorted", "cut", "mend", "search on", "level",
    "rebalance for evict", "rebalance for insert",
]  # fmt: skip
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)


def rebalance_for_evict(run: WaitingRun) -> None:
    """From any node on the left spine, or the root, with an entry too few, or enough."""
    node = run.take("left spine", "the root", dirty=False)
    run.know((whole_operations.arity_or_underflow,), {"focus": node})
    top, *_ = run.tree.rebalance_for_evict(node, None)
    run.show_costs(top.height)
    show(run, top, whole_operations.arity)


def rebalance_for_insert(run: WaitingRun) -> None:
    """From any node with an entry too many, or few enough."""
    node = run.take(dirty=False)
    run.know((whole_operations.arity_or_overflow,), {"focus": node})
    top, *_ = run.tree.rebalance_for_insert(node)
    show(run, top, whole_operations.arity)


def show(run: WaitingRun, focus: Any, *clauses: Any, **more: Any) -> None:
    """The tree around a focus is one between steps, and clauses hold of the focus."""
    run.fold_focus(focus)
    run.show_left(clauses, {"focus": focus, **more})


def take_of_path(run: WaitingRun, *clauses: Any) -> Any:
    """A node on the left spine, or the root, of which these are known."""
    node = run.take("left spine", "the root", dirty=False)
    run.know(clauses, {"focus": node, "t": run.time})
    run.floor = node.height
    return node


def mend(run: WaitingRun) -> None:
    """A node that was cut."""
    node = take_of_path(run, *contract.MEND_GIVEN)
    on_top, (height, begin, first) = node.on_top, run.kept
    run.path.assume(z3.And(node.height == height, node.lo == begin, node.first_end == first))
    run.floor = height
    run.tree.mend(node)
    run.show_costs(height)
    if on_top:
        run.claim("a root stays as it is", z3.BoolVal(run.is_unwritten() and run.seen == [node] and not node.noted))
        return
    show(run, node, *contract.MEND_LEFT)


def cut(run: WaitingRun) -> None:
    """A node that is to be cut."""
    node = take_of_path(run, *contract.CUT_GIVEN)
    height = node.height
    more = run.tree.cut(node, run.time)
    run.show_costs(height)
    show(run, node, *contract.CUT_LEFT, more=more, t=run.time)
    run.claim("the node is as high as it was", node.height == height)


def evict_until(run: WaitingRun) -> None:
    """From a tree that is right."""
    run.path.assume(run.low == 0)
    finger = run.take_clean("left spine", "the root", name="left finger")
    run.path.assume(finger.height == 0)
    run.tree.left_finger = finger
    run.tree_made_with = dict(vars(run.tree))
    run.tree.evict_until(run.time)
    leaf = run.tree.left_finger
    run.claim("the left finger is a node", z3.BoolVal(isinstance(leaf, WaitingNode) and leaf in run.seen))
    run.left_is_open = False
    run.show_costs(leaf.height)
    show(
        run,
        leaf,
        whole_operations.arity,
        whole_operations.on_left_spine,
        contract.gone_before,
        contract.gone_until,
        more=False,
        t=run.time,
    )
    run.claim("the left finger is a leaf", leaf.height == 0)


class MendByContract:
    """Contracts of the methods that mend calls."""

    run: WaitingRun

    def rebalance_for_evict(self, node: Any, to_repair: Any) -> Any:
        """From the parent of the node that was mended: that stays its first child."""
        run = self.run
        mended = run.focus
        run.claim("no node is to be repaired", z3.BoolVal(to_repair is None))
        run.claim("the parent of the node that is mended", z3.BoolVal(mended.up is node and node.parts[1] is mended))
        run.claim("the node is on the left spine", z3.BoolVal(mended.kind == "left spine"))
        degree, first, lo = mended.degree, mended.first_end, mended.lo
        show(run, node, whole_operations.arity_or_underflow, whole_operations.on_left_spine)
        run.show_costs(mended.height)
        run.claim("cost: a step was taken", z3.BoolVal(run.steps == 1))
        run.retake(mended, "left spine", height=mended.height)
        run.path.assume(z3.And(mended.degree == degree, mended.first_end == first, mended.lo == lo))
        return None, False, False


class CutByContract:
    """Contracts of the methods that cut calls."""

    run: WaitingRun

    def mend(self, node: Any) -> None:
        """The node that was cut."""
        run = self.run
        show(run, node, *contract.MEND_GIVEN)
        run.show_costs(node.height)
        if node.on_top:
            return
        run.kept = node.height, node.lo, node.first_end
        run.retake(node, "left spine", "the root", height=node.height)
        run.know(contract.MEND_LEFT, {"focus": node})


class EvictByContract:
    """Contracts of the methods that evict_until calls."""

    run: WaitingRun

    def cut(self, node: Any, t: Any) -> SymbolicBool:
        """A node of the path."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time))
        run.floor = node.height  # what goes is below
        show(run, node, *contract.CUT_GIVEN, t=t)
        run.floor = None
        run.show_costs(node.height + (0 if run.stage == "right" else 1))
        if run.stage == "right":  # where the climb has ended
            run.stage = "asked"
            below = z3.Implies(node.height > 0, node.first_end + 1 >= power(node.height))  # by the lemma `count_sizes`
            run.path.assume(below)
            gone = z3.And(2 * node.first_end <= t.at, node.first_end + 1 >= power(node.height))
            run.path.show("cost: above the leaves mu^h entries go", z3.Or(node.height == 0, gone))
        before, run.low = run.low, run.path.fresh("low")
        run.path.assume(z3.And(before <= run.low, run.low <= run.n))
        run.retake(node, "left spine", "the root", height=node.height)
        more = SymbolicBool(run.truth("more"))
        run.know(contract.CUT_LEFT, {"focus": node, "t": t, "more": more})
        return more


class SearchOnByContract:
    """Contracts of the methods that search_on calls."""

    run: WaitingRun

    def search_down(self, node: Any, t: Any) -> None:
        """From a node below which the time is, if it is anywhere."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time))
        run.show_left((walks.between,), {"node": node, "t": t})
        run.claim("a search changes nothing", z3.BoolVal(run.is_unwritten()))
        run.last = run.reached = object()


def search_on(run: WaitingRun) -> None:
    """From any node where the time may be, or behind it."""
    node = run.take_clean(name="node")
    run.know((contract.begins_before,), {"node": node, "t": run.time})
    found = run.tree.search_on(node, run.time)
    run.claim("where the way down has ended", z3.BoolVal(found is not None and found is run.reached))
    run.claim("a search changes nothing", z3.BoolVal(run.is_unwritten()))


class InsertByContract:
    """Contracts of the methods that insert_sorted calls."""

    run: WaitingRun

    def search_node(self, t: Any) -> Any:
        """The node that has the time, or the leaf where it belongs."""
        run = self.run
        run.claim("nothing is written before", z3.BoolVal(run.is_unwritten()))
        run.claim("a time is looked for", z3.BoolVal(t is run.pairs.first))
        return find(run, t)

    def search_on(self, node: Any, t: Any) -> Any:
        """The same, from a node where it may be, or behind it."""
        run = self.run
        run.claim("the time of this turn", z3.BoolVal(t is run.time))
        run.claim("nothing is written before", z3.BoolVal(run.is_unwritten()))
        run.show_left((contract.begins_before,), {"node": node, "t": t})
        run.restart()
        run.stage = "asked"
        return find(run, t)

    def rebalance_for_insert(self, node: Any) -> Any:
        """From the node where the pair was put, which stays and begins where it did."""
        run = self.run
        show_added(run, node)
        run.stage = "rebalanced"
        show(run, node, whole_operations.arity_or_overflow)
        lo, height = node.lo, node.height
        run.retake(node, height=height)
        run.path.assume(node.lo == lo)
        return None, False, False


def insert_sorted(run: WaitingRun) -> None:
    """Pairs that are sorted by time, into any tree."""
    root = run.take_clean("the root", name="root")
    run.pairs = Pairs(run)
    run.tree.insert_sorted(run.pairs)
    run.claim("pairs are put in turns of the loop", z3.BoolVal(run.is_unwritten() and root is not None))


def level(run: WaitingRun) -> None:
    """Run `level` on any node."""
    node = run.take_clean(name="node")
    found = run.tree.level(node)
    run.claim("the node's height", found.term == node.height)
    run.claim("a walk changes nothing", z3.BoolVal(run.is_unwritten()))


# The operations


class PutOff:
    """While aggregates are put off, the tree changes, once; then all that is noted is repaired."""

    def __init__(self, run: WaitingRun) -> None:
        self.run = run

    def __enter__(self) -> None:
        run = self.run
        run.claim("all is asked before anything changes", z3.BoolVal(run.stage == "asked" and run.is_unwritten()))
        run.stage = "rebalanced"

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None:
            self.run.claim("what was put off is repaired", z3.BoolVal(self.run.stage == "repaired"))


class WholeByContract:
    """Contracts of the methods that the operations call."""

    run: WaitingRun

    def require_time(self, t: Any) -> None:
        """The time is one."""
        self.run.claim("the time that was asked for", z3.BoolVal(t is self.run.time))
        self.run.stage = "asked"

    def search_node(self, t: Any) -> Any:
        """Its answer is not looked at: what does not compare is found."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time and run.stage == "asked"))
        run.searched = True

    def require_sorted(self, pairs: Any) -> Pairs:
        """The pairs, which are sorted."""
        run = self.run
        run.claim("the pairs that were given", z3.BoolVal(pairs is run.pairs))
        run.stage, run.searched = "asked", True
        return run.pairs  # type: ignore[no-any-return]  # as this run has made them

    def aggregates_put_off(self) -> PutOff:
        """Return what changes within is repaired behind."""
        return PutOff(self.run)

    def evict_until(self, t: Any) -> None:
        """From any tree, once the time was looked for."""
        run = self.run
        run.claim("the time that was asked for", z3.BoolVal(t is run.time and run.searched))
        self.change()

    def insert_sorted(self, pairs: Any) -> None:
        """From any tree."""
        self.run.claim("the pairs that were given", z3.BoolVal(pairs is self.run.pairs))
        self.change()

    def change(self) -> None:
        """The tree has changed, within the context."""
        run = self.run
        run.claim("aggregates are put off", z3.BoolVal(run.stage == "rebalanced" and run.is_unwritten()))
        run.stage = "repaired"


def take_fingers_or_root(run: WaitingRun) -> None:
    """The root, and the left finger, in a tree that is right."""
    run.path.assume(run.low == 0)
    root = run.take_clean("the root", name="root")
    finger = root
    if settle(root.height > 0):
        finger = run.take_clean("left spine", name="finger", height=_ZERO)
    run.tree.left_finger = finger
    run.tree_made_with = dict(vars(run.tree))


def bulk_evict(run: WaitingRun) -> None:
    """From a tree that is right: it is asked, changed and repaired; or nothing is to go, and nothing changes."""
    take_fingers_or_root(run)
    run.tree.bulk_evict(run.time)
    run.claim("nothing else is written", z3.BoolVal(run.is_unwritten()))
    none = not any(y.noted or y.noted_below for y in run.seen)
    run.path.show("cost: nothing else is noted", z3.BoolVal(none))
    if run.stage != "repaired":
        run.claim("the time is asked about", z3.BoolVal(run.stage == "asked"))
        run.claim("nothing is to be evicted", z3.Or(run.n == 0, run.time.at < 0))


def bulk_insert(run: WaitingRun) -> None:
    """From a tree that is right, and pairs."""
    take_fingers_or_root(run)
    run.pairs = Pairs(run)
    run.tree.bulk_insert(run.pairs)
    run.claim("pairs are put, and repaired", z3.BoolVal(run.stage == "repaired" and run.is_unwritten()))


_RUNS: Final[dict[Operation, tuple[Callable[[WaitingRun], None], type[Any], bool]]] = {
    "bulk evict": (bulk_evict, WholeByContract, True),
    "bulk insert": (bulk_insert, WholeByContract, False),
    "rebalance for evict": (rebalance_for_evict, AllRun, True),
    "rebalance for insert": (rebalance_for_insert, AllRun, False),
    "mend": (mend, MendByContract, True),
    "cut": (cut, CutByContract, True),
    "evict until": (evict_until, EvictByContract, True),
    "search on": (search_on, SearchOnByContract, False),
    "insert sorted": (insert_sorted, InsertByContract, False),
    "level": (level, AllRun, False),
}


def explore_operation(
    operation: Operation,
    variant: Variant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
) -> Exploration:
    """A method, or an operation, along every path.  ValueError when a variant's line is not there."""
    method, contracts, evicting = _RUNS[operation]
    made = make_runnable(BulkFiba, variant, OVER).algorithm
    tree = type(made.__name__, (contracts, made), {"Node": made.Node})
    cuts: dict[Any, list[bool]] = {}

    def run(path: Path) -> None:
        this = WaitingRun(path, tree, cuts, evicting=evicting)
        this.left_is_open = evicting and operation != "rebalance for evict"
        with this.guard():
            method(this)

    return explore(run, enough)
