"""Symbolic runs of the trees' steps, of their inner parts and of queryRec, over lists of entries and children.

Each run begins in every state of the nodes that it touches (swagproof.proofs.trees.step_states), for any mu >= 2.  The
arities are those that a step may find; the inner parts are run at any arity, and show the clauses of
`contracts/trees/parts.py`, which the runs of whole operations assume (swagproof.proofs.trees.whole.zipper).  `queryRec`
is run by induction on height: calls for children return their contract's result.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from swagproof.contracts.clause import Clause, Loops
from swagproof.contracts.trees import parts, ranges
from swagproof.contracts.trees import steps as contract
from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY, Infinity
from swagproof.proofs.engine.nodes import NodeRun, register, same
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula, settle
from swagproof.proofs.engine.sequences import Single, SymbolicList
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Segment, SymbolicInt, term
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.entries import Moment, in_range
from swagproof.proofs.trees.runnable import StandIn, make_runnable
from swagproof.proofs.trees.step_states import (
    CONTENTS,
    Where,
    any_node,
    changing,
    child_of,
    freeze,
    is_kept,
    is_leaf,
    neighbours,
    overfull,
    show,
    show_node,
)
from swagproof.reference.trees.fiba import Fiba

METHODS: Final = (
    "Node.__init__", "FingerNode.__init__", "arity", "is_root", "is_leaf", "get_time", "get_value", "get_child",
    "set_time_and_value", "has_agg_up", "local_repair_agg", "local_repair_agg_if_up", "product_of_parts",
    "split_off", "absorb_next", "take_from_next", "take_from_previous",
    "split", "pick_eviction_sibling", "merge", "move", "height_increase", "height_decrease", "repair_up",
)  # fmt: skip
"""Methods of the tree and its nodes that the steps run."""

_INT: Final = z3.IntSort()


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is y; classes and infinities are what they are."""
    return x is y if isinstance(y, type) or isinstance(x, Infinity) or isinstance(y, Infinity) else same(x, y)


class StepRun(NodeRun):
    """Nodes of a tree, and the products of ranges."""

    NAMES: ClassVar[dict[str, Any]] = {**NodeRun.NAMES, "__is__": is_same}

    def state(self) -> Any:
        state = super().state()
        state.in_range = in_range
        return state


LOOPS: Final[Loops] = {**contract.LOOPS, **ranges.LOOPS}
NODES: Final = type(
    "Registered", (), {"__doc__": "A class whose instances are new nodes of the run.", "__new__": register}
)
"""The meaning of the code's name for the class of its nodes."""
LISTS: Final = StandIn(METHODS, StepRun.NAMES, LOOPS, NODES)
"""Nodes whose entries and children are lists of unknown length."""
ALL: Final = StandIn(
    (*METHODS, "AugmentedTree.__init__", "Fiba.__init__", "query_rec"),
    {**StepRun.NAMES, "type": lambda value: int if isinstance(value, SymbolicInt) else type(value)},
    LOOPS,
    NODES,
)
"""The same, with the trees' constructors and the recursion of range queries."""


# The steps


def finish(run: NodeRun, parent: Any, arities: Callable[[Any], bool], *remaining: Any, **more: Any) -> None:
    """Show the clauses that every step must establish."""
    family, state = parent.family, run.state()
    state.__dict__.update(
        more,
        parent=parent,
        node=remaining[0],
        sibling=remaining[-1],
        remaining=remaining,
        above=SymbolicInt(family.arity),
    )
    show(run, arities, state)
    for y in (*remaining, parent):
        show_node(run, y)
    if run.spines:
        show(run, contract.fingers, state)


def repair(run: NodeRun) -> None:
    """Run `local_repair_agg` of a node: at the root, on a spine below the root or another node, or elsewhere."""
    path = run.path
    node, where, arity = any_node(run, lambda where, leaf: 1 if where == "the root" and leaf else 2)
    below_root = where in ("left spine", "right spine") and run.either("parent", "root", "not the root") == "root"
    far = path.fresh("far")
    begin, end = node.family.bound(z3.IntVal(0)), node.family.bound(arity) - 1
    left_end, right_begin = end, begin
    if where in ("left spine", "right spine") and not below_root:
        run.outside.parent = run.tree.Node(run.monoid)
        if where == "left spine":
            path.assume(end < far)
            run.outside.agg, left_end = Segment(end, far), far
        else:
            path.assume(far < begin)
            run.outside.agg, right_begin = Segment(far, begin), far
    path.show("a root is what no node is above", z3.BoolVal(node.is_root() is (where == "the root")))
    held = run.heap(but=node)
    node.local_repair_agg()
    state = run.state()
    state.left_end, state.right_begin = SymbolicInt(left_end), SymbolicInt(right_begin)
    show(run, contract.local_aggregate if run.spines else contract.up_aggregate, state, node)
    show(run, contract.local_calls, state, node)
    path.show("a repair changes the aggregate alone", is_kept(run, held, but=node))


def split(run: NodeRun) -> None:
    """Run a split of an overfull node other than the root."""
    parent, node, place = overfull(run)
    arity = parent.family.arity
    finger = ("right_finger",) if run.tree.right_finger is node else ()
    with changing(run, {node: (*CONTENTS, "agg", "right_spine"), parent: (*CONTENTS, "agg"), run.tree: finger}):
        run.tree.split(node)
    run.path.show("the parent has one child more", parent.children.length == arity + 1)
    sibling = parent.children.item(place + 1)
    there = sibling is run.nodes[-1] and sibling is not node and parent.children.item(place) is node
    run.path.show("the new node is the next sibling", z3.BoolVal(there))
    finish(run, parent, contract.split_arities, node, *([sibling] if there else [node]))


def picked(run: NodeRun, parent: Any, node: Any, sibling: Any, place: Integer, other: Integer) -> tuple[Any, Any]:
    """Return the result of pick_eviction_sibling: the node's place and its neighbour's."""
    node_idx, sibling_idx = run.tree.pick_eviction_sibling(node)
    found = z3.And(term(node_idx) == place, term(sibling_idx) == other)
    run.path.show("the sibling is the next child, or of the last the one before it", found)
    return SymbolicInt(place), SymbolicInt(other)


def merge(run: NodeRun) -> None:
    """Run a merge of a node of arity mu - 1 with a sibling of arity mu."""
    parent, node, sibling, place, other = neighbours(run, run.mu - 1, run.mu)
    places = picked(run, parent, node, sibling, place, other)
    left, right = (node, sibling) if settle(place < other) else (sibling, node)
    finger = ("right_finger",) if run.tree.right_finger is right else ()
    named = {left: (*CONTENTS, "agg", "right_spine"), right: ("parent",), parent: (*CONTENTS, "agg"), run.tree: finger}
    with changing(run, named):
        merged = run.tree.merge(parent, *places)
    run.path.show("a merge returns the node on the left, and unties the other", z3.BoolVal(merged is left))
    run.path.show("a merge returns the node on the left, and unties the other", z3.BoolVal(right.parent is None))
    finish(run, parent, contract.merge_arities, left)


def move(run: NodeRun) -> None:
    """Run a move to a node of arity mu - 1 from a sibling of arity greater than mu."""
    given = run.some("sibling's arity", least=run.mu + 1)
    parent, node, sibling, place, other = neighbours(run, run.mu - 1, given)
    places = picked(run, parent, node, sibling, place, other)
    with changing(run, {node: (*CONTENTS, "agg"), sibling: (*CONTENTS, "agg"), parent: ("times", "values", "agg")}):
        run.tree.move(parent, *places)
    finish(run, parent, contract.move_arities, node, sibling, beside=SymbolicInt(given))


def on_no_spine(run: NodeRun, node: Any) -> bool:
    """Return whether the node is on no spine, like the root."""
    return not run.spines or not (node.left_spine or node.right_spine)


def height_increase(run: NodeRun) -> None:
    """Run a height increase above any root; rebalancing has an overfull one."""
    first = run.path.fresh("first") if is_leaf(run) else None
    old = run.node("old root", run.some("arity", least=2), first, None, False, False)
    run.tree.root = old
    if first is not None and run.spines:
        run.tree.left_finger = run.tree.right_finger = old
    with changing(run, {old: ("parent", "left_spine", "right_spine"), run.tree: ("root",)}):
        run.tree.height_increase()
    new = run.tree.root
    above = new is run.nodes[-1] and new.parent is None and on_no_spine(run, new)
    one = len(new.children.pieces) == 1 and isinstance(new.children.pieces[0], Single)
    run.path.show(
        "one node more or less, above the others", z3.BoolVal(above and one and new.children.pieces[0].item is old)
    )
    run.path.show("a root of one child has no entry", z3.And(new.times.length == 0, new.values.length == 0))
    run.show((parts.raised_root,), {"root": new, "node": old})
    new.family = old.family
    if run.spines:
        show_node(run, old)
        show_node(run, new)
        state = run.state()
        state.remaining = (old,)
        show(run, contract.fingers, state)
    else:  # the split that follows repairs the old and the new root
        for y in (old, new):
            run.show([clause for clause in contract.NODE if clause is not contract.up_aggregate], {"y": y})


def height_decrease(run: NodeRun) -> None:
    """Run a height decrease, which removes a root with one child; rebalancing has just merged it."""
    leaf = is_leaf(run)
    root = run.node("root", z3.IntVal(1), None, None, False, False)
    child = child_of(run, "child", root, z3.IntVal(0), run.some("arity", least=2), leaf)
    if not run.spines:  # the merge before it has repaired the child
        run.path.assume(formula(partial(contract.up_aggregate, run.state(), child)))
    root.children = SymbolicList(Single(child))
    run.tree.root, was = root, freeze(run, child)
    with changing(run, {child: ("parent", "left_spine", "right_spine"), run.tree: ("root",)}):
        run.tree.height_decrease()
    on_top = run.tree.root is child and child.parent is None and on_no_spine(run, child)
    run.path.show("one node more or less, above the others", z3.BoolVal(on_top))
    show_node(run, child)
    run.show((parts.lowered_root,), {"root": run.tree.root, "was": was})


# The inner parts of the steps


def start(run: NodeRun) -> None:
    """Run a tree's constructor, for any min-arity."""
    made, tree = len(run.nodes), object.__new__(type(run.tree))
    tree.__init__(run.monoid, SymbolicInt(run.mu))
    root, fingers = tree.root, ("left_finger", "right_finger") if run.spines else ()
    own = vars(tree).keys() == {"monoid", "min_arity", "max_arity", "root", *fingers}
    kept = run.nodes[made:] == [root] and tree.monoid is run.monoid and root.monoid is run.monoid
    run.path.show("a new tree keeps its operator, its bounds and one node", z3.BoolVal(own and kept))
    run.show((parts.new_tree,), {"tree": tree})


def split_off(run: NodeRun) -> None:
    """Run `split_off` on any node with one entry too many, at any place in it."""
    parent, node, _ = overfull(run)
    arity = run.some("kept", least=2)
    run.path.assume(arity < 2 * run.mu + 1)
    was = {"was": freeze(run, node), "was_parent": freeze(run, parent)}
    sibling = node.split_off(SymbolicInt(arity))
    run.show(parts.SPLIT_OFF, {"node": node, "sibling": sibling, "parent": parent, "arity": SymbolicInt(arity), **was})


def take(run: NodeRun, part: str, clauses: Sequence[Clause], side: int, least: int) -> None:
    """Run a part that moves entries to a node of any arity from a sibling of at least this arity, on one side of it."""
    arities = run.some("arity", least=1), run.some("sibling's", least=least)
    parent, node, sibling, place, other = neighbours(run, *arities, side)
    was = {"was": freeze(run, node), "was_sibling": freeze(run, sibling), "was_parent": freeze(run, parent)}
    getattr(node, part)(SymbolicInt(place if side > 0 else other))
    run.show(clauses, {"node": node, "sibling": sibling, "parent": parent, **was})


def product_of_parts(run: NodeRun) -> None:
    """Run `product_of_parts` on any node, for all children or without the outermost ones on a spine."""

    def outermost(where: Where) -> tuple[int, int]:
        on_top = run.spines and where == "the root"
        return int(on_top or where == "left spine"), int(on_top or where == "right spine")

    node, where, arity = any_node(run, lambda where, leaf: 1 if leaf or not any(outermost(where)) else 2)
    first, last = outermost(where)
    answer = node.product_of_parts(first, SymbolicInt(arity - last))
    local = {"node": node, "first": first, "last": SymbolicInt(arity - last), "answer": answer}
    run.show((parts.product_of_all,), local)


# The recursion of range queries


def recursion(run: StepRun) -> None:
    """Run a call for a node of any kind and any range."""
    path = run.path
    node, where, arity = any_node(run, lambda where, leaf: 1 if leaf and where == "the root" else 2)
    begin, end = node.family.bound(z3.IntVal(0)), node.family.bound(arity) - 1
    if where == "neither" or not run.spines:
        path.assume(z3.And(node.agg.lo == begin, node.agg.hi == end))
    infinite = {"before all": MINUS_INFINITY, "behind all": PLUS_INFINITY}
    ends = [
        infinite.get(run.either(name, *infinite, "a time"), Moment(path.fresh(name))) for name in ("t_from", "t_to")
    ]
    held = run.heap()
    answer = run.tree.begin_query(node, *ends)
    local = {"node": node, "t_from": ends[0], "t_to": ends[1], "answer": answer}
    run.show((ranges.range_product,), local)
    path.show("a range query changes nothing", is_kept(run, held))


class ByInduction:
    """The recursion, with calls for children replaced by their contract."""

    run: StepRun

    def query_rec(self, child: Any, t_from: Any, t_to: Any) -> Segment:
        """Return the product of the entries in the range below a child."""
        run = self.run
        inside = z3.And(0 <= child.place, child.place < child.family.arity)
        run.path.show("the child is one of the node's", inside)
        return in_range(run.begin(child), run.end(child), t_from, t_to)


# Exploration


_STEPS: Final[dict[str, Callable[[StepRun], None]]] = {
    "repair": repair,
    "split": split,
    "merge": merge,
    "move": move,
    "height increase": height_increase,
    "height decrease": height_decrease,
}
_PARTS: Final[dict[str, Callable[[StepRun], None]]] = {
    "start": start,
    "split_off": split_off,
    "absorb_next": partial(take, part="absorb_next", clauses=parts.ABSORB_NEXT, side=1, least=1),
    "take_from_next": partial(take, part="take_from_next", clauses=parts.TAKE_FROM_NEXT, side=1, least=2),
    "take_from_previous": partial(take, part="take_from_previous", clauses=parts.TAKE_FROM_PREVIOUS, side=-1, least=2),
    "product_of_parts": product_of_parts,
}
_RUNS: Final = {**_STEPS, **_PARTS, "recursion": recursion}
STEPS: Final = tuple(_STEPS)
RUNS: Final = tuple(_RUNS)
PARTS: Final = (*_PARTS, *STEPS[-2:])
"""The runs that show the clauses of inner parts; the changes of height are their own parts."""


def explore_step(
    step: str,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
) -> Exploration:
    """Explore one run, along every path.  Raises ValueError if the mutant's old text is missing."""
    made = make_runnable(algorithm, mutant, ALL if step in ("start", "recursion") else LISTS).algorithm  # type: ignore[arg-type]  # a class is hashable
    tree = type(made.__name__, (ByInduction, made), {"begin_query": made.query_rec}) if step == "recursion" else made

    def run(path: Path) -> None:
        this = StepRun(path, tree, LOOPS, spines=algorithm is Fiba)
        if step == "recursion":
            this.tree.run = this
        with this.guard():
            _RUNS[step](this)
            this.show_apart()

    return explore(run, enough)


def bounds_increase(path: Path) -> None:
    """Show bound(x) < bound(y) for x < y <= a, by induction on y: each child begins before the entry behind it."""
    family = z3.Function("bound", _INT, _INT)
    x, y = path.fresh("x"), path.fresh("y")
    path.assume(z3.And(0 <= x, x <= y, family(y) < family(y + 1), z3.Implies(x < y, family(x) < family(y))))
    path.show("bounds increase", family(x) < family(y + 1))
