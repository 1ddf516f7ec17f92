"""Symbolic nodes of a tree, for the runs of its rebalancing steps (swagproof.proofs.trees.step_runs).

Entries are numbered in the order of time.  So child i of a node is known by the numbers of what is below it: from the
node's `bound` i to one before `bound` i + 1, where entry i is.  The up-aggregate of a child is the segment of those
numbers; the aggregate of a child on a spine is any segment, and may be used for nothing.

The methods are the reference's own, rewritten so that they run over lists of unknown length
(swagproof.proofs.engine.sequences).
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.clause import Loop
from swagproof.contracts.trees import steps as contract
from swagproof.proofs.engine.heap import Segment, SegmentMonoid
from swagproof.proofs.engine.paths import (
    Finished,
    Path,
    SymbolicBool,
    SymbolicInt,
    Unsupported,
    formula,
    remember,
    term,
)
from swagproof.proofs.engine.sequences import Choice, Stretch, SymbolicList, Time, asked, reading, rewritten, source_of
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.ledger.variants import Variant

METHODS: Final = (
    "__init__", "arity", "is_root", "is_leaf", "get_time", "get_value", "get_child", "set_time_and_value",
    "has_agg_up", "local_repair_agg", "local_repair_agg_if_up", "product_of_parts",
    "split_off", "absorb_next", "take_from_next", "take_from_previous",
    "split", "pick_eviction_sibling", "merge", "move", "height_increase", "height_decrease", "repair_up",
)  # fmt: skip
"""What is run of the tree and its nodes; the trees' own __init__ is not."""

_INT: Final = z3.IntSort()
_TRUE: Final = z3.BoolVal(True)


class Family:
    """The entries and children that a node has when the step begins."""

    def __init__(self, run: "Run", name: str, arity: Integer, first: Integer | None) -> None:
        """A leaf's entries are numbered from `first`; without one, it is a node with children."""
        self.run = run
        self.name = name
        self.arity = arity
        self.first = first
        self.left = self.right = False
        """Whether the first child is on the left spine, and the last on the right."""
        self.begins = z3.Function(f"begin of {name}", _INT, _INT)
        self.stored = [z3.Function(f"{end} of stored {name}", _INT, _INT) for end in ("lo", "hi")]
        self.asked: dict[str, Integer] = {}
        self.parents: Any = None
        """By the place of a child: the number of its parent among the nodes of the run."""
        self.adopted: list[Callable[[Integer], Truth]] = []
        """What cut loops have left of `parents`, for every place."""

    def bound(self, i: Integer) -> Integer:
        """The number at which child i begins; of i = a, one past what is below the node, and one."""
        if self.first is not None:
            return self.first + i
        i = z3.simplify(i)
        key, begins = i.sexpr(), self.begins
        if key not in self.asked:
            for j in self.asked.values():  # by the lemma `bounds_increase`
                for x, y in ((i, j), (j, i)):
                    remember(z3.Implies(z3.And(0 <= x, x < y, y <= self.arity), begins(x) < begins(y)))
            self.asked[key] = i
        return begins(i)

    def time(self, i: Integer) -> Time:
        return Time(self.bound(i + 1) - 1)

    def value(self, i: Integer) -> Segment:
        end = self.bound(i + 1)
        return Segment(end - 1, end)

    def child(self, i: Integer) -> "SymbolicChild":
        return SymbolicChild(self, i)


class SymbolicChild:
    """A child about whose own entries and children nothing is known."""

    def __init__(self, family: Family, place: Integer) -> None:
        self.family = family
        self.place = place

    @property
    def left_spine(self) -> SymbolicBool:
        return SymbolicBool(z3.And(self.family.left, self.place == 0))

    @property
    def right_spine(self) -> SymbolicBool:
        return SymbolicBool(z3.And(self.family.right, self.place == self.family.arity - 1))

    @property
    def agg(self) -> Segment:
        family, i = self.family, self.place
        lo, hi = (stored(i) for stored in family.stored)
        other = z3.Or(self.left_spine.term, self.right_spine.term)
        return Segment(z3.If(other, lo, family.bound(i)), z3.If(other, hi, family.bound(i + 1) - 1))

    @property
    def parent(self) -> Any:
        for known in self.family.adopted:
            remember(known(self.place))
        number = z3.simplify(self.family.parents[self.place])
        return next((node for n, node in enumerate(self.family.run.nodes) if asked(number == n)), None)

    @parent.setter
    def parent(self, node: Any) -> None:
        number = z3.IntVal(self.family.run.nodes.index(node))
        self.family.parents = z3.Store(self.family.parents, self.place, number)


def same(x: Any, y: Any) -> bool:
    """x is y.  Two children that are not known apart are told apart by a branch."""
    if x is None or y is None:
        return x is y
    if isinstance(x, SymbolicChild) and isinstance(y, SymbolicChild):
        return x.family is y.family and asked(x.place == y.place)
    for one in (x, y):
        if not (hasattr(one, "times") or isinstance(one, SymbolicChild)):
            raise Unsupported(f"`is` between what is no node: {type(one).__name__}")
    if isinstance(x, SymbolicChild) or isinstance(y, SymbolicChild):
        if Run.now.outside in (x, y):
            raise Unsupported("`is` between two nodes that are not known apart")
        return False
    return x is y


def _registered(cls: type[Any], *_: Any) -> Any:
    node = object.__new__(cls)
    Run.now.nodes.append(node)
    return node


@cache
def runnable(algorithm: type[Any], variant: Variant | None) -> type[Any]:
    """The tree and its nodes with their methods over stand-ins.  ValueError when a variant's line is not there."""
    tree = [cls for cls in algorithm.__mro__ if cls.__module__.startswith("swagproof.reference")]
    nodes = [cls for cls in algorithm.Node.__mro__ if cls.__module__.startswith("swagproof.reference")]
    sources = {
        (cls, name): source_of(getattr(member, "fget", member))
        for cls in (*tree, *nodes)
        for name, member in vars(cls).items()
        if name in METHODS and not (cls in tree and name == "__init__")
    }
    for edit in variant.edits if variant else ():
        places = [key for key, text in sources.items() if key[1] == edit.method and text.count(edit.old) == 1]
        if not places:
            raise ValueError(f"variant {variant.name if variant else ''!r}: {edit.old!r} is not in {edit.method}, once")
        sources[places[0]] = sources[places[0]].replace(edit.old, edit.new)
    made: dict[Any, type[Any]] = {}
    for cls in (*reversed(nodes), *reversed(tree)):
        bases = tuple(made[base] for base in cls.__bases__ if base in made)
        new: Any = type(cls.__name__, bases, {} if bases or cls in tree else {"__new__": _registered})
        made[cls] = new
        for (owner, name), text in sources.items():
            if owner is cls:
                member = vars(cls)[name]
                function = getattr(member, "fget", member)
                known = {n: made[g] for n, g in function.__globals__.items() if inspect.isclass(g) and g in made}
                cutter = Cutter(contract.LOOPS[name]) if name in contract.LOOPS and ast_has_loop(text) else None
                method = rewritten(function, text, cutter, {**known, "__is__": same})
                setattr(new, name, property(method) if isinstance(member, property) else method)
    made[algorithm].Node = made[algorithm.Node]
    return made[algorithm]


def ast_has_loop(text: str) -> bool:
    """Whether a method's own source has a loop: an override that calls the other has none."""
    return "for " in text


class Run:
    """The nodes of one path, and what contracts may ask of them."""

    now: ClassVar["Run"]

    def __init__(self, path: Path, tree: type[Any], learned: dict[Any, Truth]) -> None:
        Run.now = self
        self.path = path
        self.learned = learned
        self.monoid = SegmentMonoid()
        self.nodes: list[Any] = []
        self.families: list[Family] = []
        self.mu = path.fresh("mu")
        self.named: dict[str, Any] = {"mu": self.mu}
        path.assume(self.mu >= 2)
        path.example = self.example
        self.tree = object.__new__(tree)
        self.outside = self.tree.Node(self.monoid)
        """Another node, above those of the run or beside them."""
        self.outside.agg = self.any_segment()
        self.tree.monoid, self.tree.min_arity, self.tree.max_arity = self.monoid, SymbolicInt(self.mu), 2 * self.mu
        self.tree.root = self.tree.left_finger = self.tree.right_finger = self.outside

    def example(self, model: Model) -> str:
        """The numbers of a counterexample."""
        return ", ".join(
            f"{name} = {value if isinstance(value, str) else model.eval(value, model_completion=True)}"
            for name, value in self.named.items()
        )

    def some(self, name: str, *, least: Any) -> Integer:
        """A number, named in counterexamples."""
        self.named[name] = number = self.path.fresh(name)
        self.path.assume(number >= least)
        return number

    def either(self, what: str, *options: str) -> str:
        """One of the options: a branch for each."""
        chosen = next((o for o in options[:-1] if asked(z3.Bool(f"{what} is {o}"))), options[-1])
        self.named[what] = chosen
        return chosen

    def any_segment(self) -> Segment:
        return Segment(self.path.fresh("lo"), self.path.fresh("hi"))

    def node(self, name: str, arity: Integer, first: Integer | None, parent: Any, left: bool, right: bool) -> Any:
        """A node of this arity on the spines that are said, or the root (parent None), with any aggregate."""
        family = Family(self, name, arity, first)
        self.families.append(family)
        node: Any = _registered(self.tree.Node)
        node.monoid, node.parent, node.agg, node.left_spine, node.right_spine = (
            self.monoid, parent, self.any_segment(), left, right,
        )  # fmt: skip
        entries = z3.IntVal(0), z3.simplify(arity - 1)
        node.times = SymbolicList(Stretch(family.time, *entries))
        node.values = SymbolicList(Stretch(family.value, *entries))
        node.children = SymbolicList() if first is not None else SymbolicList(Stretch(family.child, entries[0], arity))
        family.left, family.right = left or parent is None, right or parent is None
        family.parents = z3.K(_INT, z3.IntVal(self.nodes.index(node)))
        node.family = family
        return node

    def state(self) -> SimpleNamespace:
        """What clauses may ask for."""
        return SimpleNamespace(
            begin=self.begin,
            end=self.end,
            number=lambda t: SymbolicInt(t.number),
            product=lambda i, j: Segment(term(i), term(j)),
            mu=SymbolicInt(self.mu),
            calls=self.monoid.calls,
            tree=self.tree,
        )

    def begin(self, y: Any) -> SymbolicInt:
        if isinstance(y, Choice):
            return SymbolicInt(z3.If(y.claim, self.begin(y.x).term, self.begin(y.y).term))
        if isinstance(y, SymbolicChild):
            return SymbolicInt(y.family.bound(y.place))
        if y.children:
            return self.begin(y.children.item(z3.IntVal(0)))
        return SymbolicInt(y.times.item(z3.IntVal(0)).number)

    def end(self, y: Any) -> SymbolicInt:
        if isinstance(y, Choice):
            return SymbolicInt(z3.If(y.claim, self.end(y.x).term, self.end(y.y).term))
        if isinstance(y, SymbolicChild):
            return SymbolicInt(y.family.bound(y.place + 1) - 1)
        if y.children:
            return self.end(y.children.item(y.children.length - 1))
        return SymbolicInt(y.times.item(y.times.length - 1).number + 1)

    def held(self, but: Any = None) -> list[Any]:
        """All that nodes, families and the tree hold; of one node, but for its aggregate."""
        found: list[Any] = [family.parents for family in self.families]
        for owner in (self.tree, *self.nodes):
            for name, value in sorted(vars(owner).items()):
                if not (owner is but and name == "agg"):
                    found += [owner, name, value, *(value.pieces if isinstance(value, SymbolicList) else ())]
        return found

    def show(self, name: str, clause: Callable[[], Any], guard: Truth = _TRUE) -> None:
        """Leave a clause as an obligation."""
        if self.path.replaying:  # shown on an earlier path, and of no further use
            self.path.shown += 1
        else:
            self.path.show(name, z3.Implies(guard, reading(clause, guard)))

    def learn(self, name: str, clause: Callable[[], Any]) -> None:
        """Assume a clause.  An earlier path with the same beginning has read it, of the same unknowns."""
        path = self.path
        key = name, path.fresh_names, tuple(path.taken)
        if key not in self.learned:
            facts: list[Truth] = []
            telling, path.remember = path.remember, facts.append
            truth = reading(clause, _TRUE)
            path.remember = telling
            self.learned[key] = z3.And(*facts, truth)
        path.assume(self.learned[key])

    def show_node(self, y: Any) -> None:
        """All that a step must leave of a node that it has touched."""
        state, i = self.state(), self.path.fresh("i")
        for whole in contract.NODE:
            self.show(whole.__name__, partial(whole, state, y))
        for clause in contract.ENTRIES if y.times.pieces else ():
            self.show(clause.__name__, partial(clause, state, y, SymbolicInt(i)), z3.And(0 <= i, i < y.times.length))
        if y.children.pieces:
            for clause in contract.CHILDREN:
                inside = z3.And(0 <= i, i < y.children.length)
                self.show(clause.__name__, partial(clause, state, y, SymbolicInt(i)), inside)


class Cutter:
    """What the cut loop of a method calls: see swagproof.proofs.engine.sequences."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    def over(self, items: Any) -> None:
        if not isinstance(items, SymbolicList):
            raise Unsupported(f"a loop over a {type(items).__name__}")
        self.items = items
        self.iterated = items.pieces

    def names(self, clause: Any, local: Mapping[str, Any]) -> dict[str, Any]:
        """What a clause asks for by name."""
        at, taken = (clause.at, 2) if isinstance(clause, contract.EachChild) else (clause, 1)
        known = {**local, "done": self.done, "before": self.before}
        return {name: known[name] for name in list(inspect.signature(at).parameters)[taken:]}

    def enter(self, local: Mapping[str, Any]) -> None:
        self.done, self.before = SymbolicInt(z3.IntVal(0)), Run.now.monoid.calls
        self.show("loop entered: ", local)

    def show(self, prefix: str, local: Mapping[str, Any]) -> None:
        run, j = Run.now, Run.now.path.fresh("j")
        for clause in self.loop.clauses:
            names = self.names(clause, local)
            if isinstance(clause, contract.EachChild) and not self.items.pieces:
                run.path.show(prefix + clause.__name__, _TRUE)
            elif isinstance(clause, contract.EachChild):
                inside = z3.And(0 <= j, j < self.done.term)
                run.show(prefix + clause.__name__, partial(clause.at, run.state(), SymbolicInt(j), **names), inside)
            else:
                run.show(prefix + clause.__name__, partial(clause, run.state(), **names))

    def forgotten(self, name: str, value: Any) -> Any:
        path = Run.now.path
        if value is None or isinstance(value, Segment):
            nothing = asked(z3.Bool(str(path.fresh(f"{name} is None"))))
            return None if nothing else Run.now.any_segment()
        raise Unsupported(f"{name} is a {type(value).__name__}: it cannot be forgotten")

    def assume(self, local: Mapping[str, Any]) -> None:
        run, path = Run.now, Run.now.path
        self.done = SymbolicInt(path.fresh("done"))
        path.assume(z3.And(0 <= self.done.term, self.done.term <= self.items.length))
        run.monoid.calls = SymbolicInt(path.fresh("calls"))
        for clause in self.loop.clauses:
            names = self.names(clause, local)
            if isinstance(clause, contract.EachChild):
                for piece in self.items.pieces:
                    self.forget_parents(piece, partial(clause.at, run.state(), **names))
            else:
                run.learn(clause.__name__, partial(clause, run.state(), **names))
        self.held = run.held()

    def forget_parents(self, piece: Any, at: Callable[[SymbolicInt], Any]) -> None:
        """Of the children done the parents are those that the clause says, of the others what they were."""
        family = getattr(getattr(piece, "at", None), "__self__", None)
        if len(self.items.pieces) != 1 or not isinstance(family, Family) or piece.at != family.child:
            raise Unsupported("a loop that gives parents, over more than the children that a node began with")
        path, before = Run.now.path, family.parents
        family.parents = after = z3.Array(str(path.fresh("parents")), _INT, _INT)
        hole, done = path.fresh("any child"), self.done.term
        adopted = family.adopted
        family.adopted = []
        said = formula(lambda: at(SymbolicInt(hole)))
        inside = z3.And(0 <= hole, hole < done)
        holds = z3.And(
            z3.Implies(inside, said),
            z3.Implies(z3.Not(inside), after[hole + piece.start] == before[hole + piece.start]),
        )
        family.adopted = [*adopted, lambda place: z3.substitute(holds, (hole, z3.simplify(place - piece.start)))]

    def more(self) -> SymbolicBool:
        """Whether there is another turn to make."""
        return SymbolicBool(self.done.term < self.items.length)

    def next(self) -> Any:
        self.turn = self.items.item(self.done.term)
        return self.turn

    def again(self, local: Mapping[str, Any]) -> None:
        run, path = Run.now, Run.now.path
        kept = run.held()
        families = len(run.families)
        for n, family in enumerate(run.families):
            place = path.fresh("place")
            own = isinstance(self.turn, SymbolicChild) and self.turn.family is family
            other = place != self.turn.place if own else z3.BoolVal(True)
            path.show(
                "the loop gives parents to its own children alone",
                z3.Implies(other, kept[n][place] == self.held[n][place]),
            )
        unchanged = len(kept) == len(self.held) and all(
            x is y for x, y in zip(kept[families:], self.held[families:], strict=True)
        )
        path.show(
            "the loop changes only what was forgotten", z3.BoolVal(unchanged and self.items.pieces == self.iterated)
        )
        self.done = self.done + 1
        self.show("loop kept: ", local)
        raise Finished
