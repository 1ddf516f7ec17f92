"""Symbolic runs of FiBA's rebalancing steps, each from every state of the nodes that it touches.

The parent is the root, on the left spine, on the right spine, or on neither, and the node is at any place below it.
Both have any arity that the step may find, for any mu >= 2.  They are leaves, or have children of which only the
entries below are known.
"""

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, Literal

from swagproof.contracts.clause import Loops
from swagproof.contracts.trees import steps as contract
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.nodes import NodeRun, register
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula, settle
from swagproof.proofs.engine.run import Runnable
from swagproof.proofs.engine.sequences import Single, SymbolicList
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.source.coverage import Condition
from swagproof.proofs.engine.source.methods import source_of
from swagproof.proofs.engine.values import Segment, SymbolicInt, term
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.trees.fiba import Fiba

METHODS: Final = (
    "__init__", "arity", "is_root", "is_leaf", "get_time", "get_value", "get_child", "set_time_and_value",
    "has_agg_up", "local_repair_agg", "local_repair_agg_if_up", "product_of_parts",
    "split_off", "absorb_next", "take_from_next", "take_from_previous",
    "split", "pick_eviction_sibling", "merge", "move", "height_increase", "height_decrease", "repair_up",
)  # fmt: skip
"""Methods of the tree and its nodes that are run; the trees' own __init__ is not."""

TreeStep = Literal["repair", "split", "merge", "move", "height increase", "height decrease"]
STEPS: Final[tuple[TreeStep, ...]] = ("repair", "split", "merge", "move", "height increase", "height decrease")

Where = Literal["the root", "left spine", "right spine", "neither"]

_INT: Final = z3.IntSort()


@dataclass(frozen=True, eq=False)
class StandIn:
    """The symbolic environment in which a tree and its nodes are run."""

    methods: tuple[str, ...]
    """Methods to run unchanged, as `Class.method` for one class only; the others come from `node` and `tree`."""
    names: Mapping[str, Any]
    loops: Loops
    node: type[Any]
    """The base of the nodes."""
    tree: type[Any] = object
    makes: bool = False
    """True if the trees' own __init__ is run."""


LISTS: Final = StandIn(METHODS, NodeRun.NAMES, contract.LOOPS, type("Registered", (), {"__new__": register}))
"""Nodes whose entries and children are lists of unknown length."""


@lru_cache(maxsize=64)
def make_runnable(algorithm: type[Any], mutant: Mutant | None, over: StandIn = LISTS) -> Runnable:
    """Return the tree and its nodes over symbolic values.  Raises ValueError if the mutant's old text is missing."""
    tree, nodes = (
        [cls for cls in made.__mro__ if cls.__module__.startswith("swagproof.reference")]
        for made in (algorithm, algorithm.Node)
    )
    members = {
        (cls, name): member
        for cls in (*reversed(nodes), *reversed(tree))
        for name, member in vars(cls).items()
        if {name, f"{cls.__name__}.{name}"}.intersection(over.methods)
        and (over.makes or not (cls in tree and name == "__init__"))
    }
    sources = {key: source_of(getattr(member, "fget", member)) for key, member in members.items()}
    for edit in mutant.edits if mutant else ():
        places = [key for key, text in sources.items() if key[1] == edit.method and text.count(edit.old) == 1]
        if not places:
            raise ValueError(f"mutant {mutant.name if mutant else ''!r}: {edit.old!r} is not in {edit.method}, once")
        sources[places[-1]] = sources[places[-1]].replace(edit.old, edit.new)
    made: dict[Any, type[Any]] = {}
    for cls in (*reversed(nodes), *reversed(tree)):
        bases = tuple(made[base] for base in cls.__bases__ if base in made)
        made[cls] = type(cls.__name__, bases or (over.tree if cls in tree else over.node,), {})
    conditions: list[Condition] = []
    for (cls, name), member in members.items():
        function, text = getattr(member, "fget", member), sources[cls, name]
        known = {n: made[g] for n, g in function.__globals__.items() if inspect.isclass(g) and g in made}
        text = _name_base(text, cls)
        as_written = [n for n, loop in enumerate(over.loops.get(name, ())) if loop is None]
        method, noted = rewrite(function, {**over.names, **known}, source=text, as_written=as_written)
        setattr(made[cls], name, property(method) if isinstance(member, property) else method)
        conditions += noted
    made[algorithm].Node = made[algorithm.Node]
    return Runnable(made[algorithm], tuple(conditions))


def _name_base(text: str, cls: type) -> str:
    """Rewrite `super().split(node)` to `AugmentedTree.split(self, node)`, because each class has one base."""
    base = cls.__mro__[1].__name__
    return re.sub(r"super\(\)\.(\w+)\((\)?)", lambda call: f"{base}.{call[1]}(self" + (")" if call[2] else ", "), text)


def show(run: NodeRun, clause: Callable[..., bool], state: Any, *nodes: Any) -> None:
    """Show a clause about the result of a step."""
    run.path.show(clause.__name__, formula(partial(clause, state, *nodes)))


def places_in(run: NodeRun) -> tuple[Where, ...]:
    """Return the places that a node can have."""
    return ("the root", "left spine", "right spine", "neither") if run.spines else ("the root", "neither")


def show_node(run: NodeRun, y: Any) -> None:
    """Show the clauses that a step must establish for every node that it touches."""
    run.show((*contract.NODE, *(contract.ON_SPINES if run.spines else ())), {"y": y})


def repair(run: NodeRun) -> None:
    """Run `local_repair_agg` of a node: at the root, on a spine below the root or another node, or elsewhere."""
    path = run.path
    where = run.either("place", *places_in(run))
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    below_root = where in ("left spine", "right spine") and run.either("parent", "root", "not the root") == "root"
    arity = run.some("arity", least=1 if where == "the root" and leaf else 2)
    first, far = path.fresh("first"), path.fresh("far")
    parent = None if where == "the root" else run.outside
    node = run.node("node", arity, first if leaf else None, parent, where == "left spine", where == "right spine")
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
    path.show("a root is what no node is above", z3.BoolVal(node.is_root() is (parent is None)))
    held = run.heap(but=node)
    node.local_repair_agg()
    state = run.state()
    state.left_end, state.right_begin = SymbolicInt(left_end), SymbolicInt(right_begin)
    show(run, contract.local_aggregate if run.spines else contract.up_aggregate, state, node)
    show(run, contract.local_calls, state, node)
    now = run.heap(but=node)
    path.show(
        "a repair changes the aggregate alone",
        z3.BoolVal(len(now) == len(held) and all(x is y or (n < len(run.families) and x.eq(y))
                                                 for n, (x, y) in enumerate(zip(now, held, strict=True)))),
    )  # fmt: skip


class Frame:
    """A check that a step changes only the named fields of the named nodes.

    It compares the whole heap before and after: the fields of each node, the tree's own, and the pieces of lists.  An
    aggregate that is not its subtree's product must stay unchanged, because the step's caller repairs it.
    """

    def __init__(self, run: NodeRun, named: Mapping[Any, Collection[str]]) -> None:
        self.run = run
        self.named = {id(owner): frozenset(fields) for owner, fields in named.items()}
        self.before = self.look()

    def look(self) -> dict[tuple[int, str], list[Any]]:
        """Return all fields of the tree and of its nodes."""
        run = self.run
        return {
            (id(owner), name): [value, *(value.pieces if isinstance(value, SymbolicList) else ())]
            for owner in (run.tree, *run.nodes)
            for name, value in vars(owner).items()
        }

    def show(self) -> None:
        """Show that all other fields are unchanged."""
        run, after, changed = self.run, self.look(), list[str]()
        up = {id(node): node for node in run.nodes if hasattr(node, "family")}
        for (owner, name), value in self.before.items():
            held = after.pop((owner, name), [])
            named = name in self.named.get(owner, ())
            if named and name == "agg":
                named = bool(up[owner].has_agg_up())
            if not named and not (len(held) == len(value) and all(x is y for x, y in zip(held, value, strict=True))):
                changed.append(name)
        known = {owner for owner, _ in self.before}
        changed += [name for owner, name in after if owner in known]
        run.path.show("a step changes what it names alone", z3.BoolVal(not changed))


CONTENTS: Final = ("times", "values", "children")


def parent_of(run: NodeRun, least: int) -> Any:
    """Return a parent of any kind and arity, with its bounds; `run.tree` knows if it is the root."""
    where = run.either("parent", *places_in(run))
    root = where == "the root"
    arity = run.some("parent's arity", least=least if root else 2)
    parent = run.node(
        "parent", arity, None, None if root else run.outside, where == "left spine", where == "right spine"
    )
    if root:
        run.tree.root = parent
    return parent


def child_of(run: NodeRun, name: str, parent: Any, place: Integer, arity: Integer, leaf: bool) -> Any:
    """Return a child with its own entries and children, to be put in a place below the parent."""
    family = parent.family
    begin, behind = family.bound(place), family.bound(place + 1)
    left, right = family.left and settle(place == 0), family.right and settle(place == family.arity - 1)
    child = run.node(name, arity, begin if leaf else None, parent, left, right)
    run.path.assume(z3.And(child.family.bound(z3.IntVal(0)) == begin, child.family.bound(arity) == behind))
    if leaf and run.spines:
        if left:
            run.tree.left_finger = child
        if right:
            run.tree.right_finger = child
    return child


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


def split(run: NodeRun) -> None:
    """Run a split of an overfull node other than the root."""
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    parent = parent_of(run, 1)
    place, arity = run.some("place", least=0), parent.family.arity
    run.path.assume(place < arity)
    node = child_of(run, "node", parent, place, 2 * run.mu + 1, leaf)
    parent.children[SymbolicInt(place)] = node
    finger = ("right_finger",) if run.tree.right_finger is node else ()
    frame = Frame(run, {node: (*CONTENTS, "agg", "right_spine"), parent: (*CONTENTS, "agg"), run.tree: finger})
    run.tree.split(node)
    frame.show()
    run.path.show("the parent has one child more", parent.children.length == arity + 1)
    sibling = parent.children.item(place + 1)
    there = sibling is run.nodes[-1] and sibling is not node and parent.children.item(place) is node
    run.path.show("the new node is the next sibling", z3.BoolVal(there))
    finish(run, parent, contract.split_arities, node, *([sibling] if there else [node]))


def two_neighbours(run: NodeRun, given: Integer) -> tuple[Any, Any, Any, Integer, Integer]:
    """Return the parent, a node of arity mu - 1, its sibling of the given arity, and their places."""
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    parent = parent_of(run, 2)
    place = run.some("place", least=0)
    run.path.assume(place < parent.family.arity)
    other = place + 1 if settle(place + 1 < parent.family.arity) else place - 1
    node = child_of(run, "node", parent, place, run.mu - 1, leaf)
    sibling = child_of(run, "sibling", parent, other, given, leaf)
    for child, where in ((node, place), (sibling, other)):
        parent.children[SymbolicInt(where)] = child
    return parent, node, sibling, place, other


def picked(run: NodeRun, parent: Any, node: Any, sibling: Any, place: Integer, other: Integer) -> tuple[Any, Any]:
    """Return the result of pick_eviction_sibling: the node's place and its neighbour's."""
    node_idx, sibling_idx = run.tree.pick_eviction_sibling(node)
    found = z3.And(term(node_idx) == place, term(sibling_idx) == other)
    run.path.show("the sibling is the next child, or of the last the one before it", found)
    return SymbolicInt(place), SymbolicInt(other)


def merge(run: NodeRun) -> None:
    """Run a merge of a node of arity mu - 1 with a sibling of arity mu."""
    parent, node, sibling, place, other = two_neighbours(run, run.mu)
    places = picked(run, parent, node, sibling, place, other)
    left, right = (node, sibling) if settle(place < other) else (sibling, node)
    finger = ("right_finger",) if run.tree.right_finger is right else ()
    named = {left: (*CONTENTS, "agg", "right_spine"), right: ("parent",), parent: (*CONTENTS, "agg"), run.tree: finger}
    frame = Frame(run, named)
    merged = run.tree.merge(parent, *places)
    frame.show()
    run.path.show("a merge returns the node on the left, and unties the other", z3.BoolVal(merged is left))
    run.path.show("a merge returns the node on the left, and unties the other", z3.BoolVal(right.parent is None))
    finish(run, parent, contract.merge_arities, left)


def move(run: NodeRun) -> None:
    """Run a move to a node of arity mu - 1 from a sibling of arity greater than mu."""
    given = run.some("sibling's arity", least=run.mu + 1)
    parent, node, sibling, place, other = two_neighbours(run, given)
    places = picked(run, parent, node, sibling, place, other)
    frame = Frame(run, {node: (*CONTENTS, "agg"), sibling: (*CONTENTS, "agg"), parent: ("times", "values", "agg")})
    run.tree.move(parent, *places)
    frame.show()
    finish(run, parent, contract.move_arities, node, sibling, beside=SymbolicInt(given))


def on_no_spine(run: NodeRun, node: Any) -> bool:
    """Return whether the node is on no spine, like the root."""
    return not run.spines or not (node.left_spine or node.right_spine)


def height_increase(run: NodeRun) -> None:
    """Run a height increase: a new root above an overfull one."""
    first = run.path.fresh("first") if run.either("kind", "leaf", "inner") == "leaf" else None
    old = run.node("old root", 2 * run.mu + 1, first, None, False, False)
    run.tree.root = old
    if first is not None and run.spines:
        run.tree.left_finger = run.tree.right_finger = old
    frame = Frame(run, {old: ("parent", "left_spine", "right_spine"), run.tree: ("root",)})
    run.tree.height_increase()
    frame.show()
    new = run.tree.root
    above = new is run.nodes[-1] and new.parent is None and on_no_spine(run, new)
    one = len(new.children.pieces) == 1 and isinstance(new.children.pieces[0], Single)
    run.path.show(
        "one node more or less, above the others", z3.BoolVal(above and one and new.children.pieces[0].item is old)
    )
    run.path.show("a root of one child has no entry", z3.And(new.times.length == 0, new.values.length == 0))
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
    """Run a height decrease, which removes a root with one child."""
    first = run.path.fresh("first") if run.either("kind", "leaf", "inner") == "leaf" else None
    root = run.node("root", z3.IntVal(1), None, None, False, False)
    child = child_of(run, "child", root, z3.IntVal(0), 2 * run.mu - 1, first is not None)
    if not run.spines:  # the merge before it has repaired the child
        run.path.assume(formula(partial(contract.up_aggregate, run.state(), child)))
    root.children = SymbolicList(Single(child))
    run.tree.root = root
    frame = Frame(run, {child: ("parent", "left_spine", "right_spine"), run.tree: ("root",)})
    run.tree.height_decrease()
    frame.show()
    on_top = run.tree.root is child and child.parent is None and on_no_spine(run, child)
    run.path.show("one node more or less, above the others", z3.BoolVal(on_top))
    show_node(run, child)


_RUNS: Final[dict[TreeStep, Callable[[NodeRun], None]]] = {
    "repair": repair,
    "split": split,
    "merge": merge,
    "move": move,
    "height increase": height_increase,
    "height decrease": height_decrease,
}


def explore_step(
    step: TreeStep,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
) -> Exploration:
    """Explore one step of the tree, along every path.  Raises ValueError if the mutant's old text is missing."""
    tree = make_runnable(algorithm, mutant).algorithm  # type: ignore[arg-type]  # a class is hashable

    def run(path: Path) -> None:
        this = NodeRun(path, tree, contract.LOOPS, spines=algorithm is Fiba)
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
