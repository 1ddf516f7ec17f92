"""Symbolic nodes of a tree, and runs over them.

Entries are numbered in the order of time.  Below child i of a node are the entries `bound`(i) .. `bound`(i + 1) - 2;
the node's own entry i is `bound`(i + 1) - 1.  The up-aggregate of a child is the segment of the entries below it.  The
aggregate of a child on a spine is an arbitrary segment, which no correct step can use.

The nodes of a run are Python objects of the reference's class, with symbolic values in their attributes and lists of
unknown length (swagproof.proofs.engine.sequences).  The unknown children of a node form a `Family`, indexed by place.

Limit: the code may assign only the parent of an unknown child.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.clause import EachTurn, Loops, Ranging
from swagproof.proofs.engine.arrays import symbolic_range
from swagproof.proofs.engine.paths import Path, Unsupported, mention, remember, settle, show
from swagproof.proofs.engine.run import ClausePlace, Cutter, Known, Run, run_of_path
from swagproof.proofs.engine.sequences import Choice, Single, Stretch, SymbolicList, Time, make_list
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term

_INT: Final = z3.IntSort()
_TRUE: Final = z3.BoolVal(True)


class Family:
    """The entries and children that a node has at the beginning of the step."""

    def __init__(self, run: "NodeRun", name: str, arity: Integer, first: Integer | None) -> None:
        """Number a leaf's entries from `first`; None means a node with children."""
        self.run = run
        self.name = name
        self.arity = arity
        self.first = first
        self.left = self.right = False
        """`left` is True if the first child is on the left spine, `right` if the last one is on the right spine."""
        self.begins = z3.Function(f"begin of {name}", _INT, _INT)
        self.stored = [z3.Function(f"{end} of stored {name}", _INT, _INT) for end in ("lo", "hi")]
        self.asked: dict[str, tuple[Integer, Truth, Truth, Integer]] = {}
        """The places used so far, with the conditions i >= 0 and i <= arity, and the bound of each."""
        self.parents: Any = None
        """The array from a child's place to the number of its parent among the nodes of the run."""
        self.cut: list[tuple[Integer, str]] = []
        """The cut loops over these children: the place where each loop began, and the name of its turns."""

    def bound(self, i: Integer) -> Integer:
        """Return the number of the first entry below child i; for i = arity, the end of the node's entries plus one."""
        if self.first is not None:
            return self.first + i
        i = z3.simplify(i)
        key = i.sexpr()
        if key not in self.asked:
            asked = i, i >= 0, i <= self.arity, self.begins(i)
            for other in self.asked.values():  # by the lemma `bounds_increase`
                for (x, first, _, begin), (y, _, last, end) in ((asked, other), (other, asked)):
                    remember(z3.Implies(z3.And(first, x < y, last), begin < end))
            self.asked[key] = asked
        return self.asked[key][-1]

    def time(self, i: Integer) -> Time:
        return Time(self.bound(i + 1) - 1)

    def value(self, i: Integer) -> Segment:
        end = self.bound(i + 1)
        return Segment(end - 1, end)

    def child(self, i: Integer) -> "SymbolicChild":
        return SymbolicChild(self, i)


class SymbolicChild:
    """A child whose own entries and children are unknown."""

    __hash__ = None  # type: ignore[assignment]  # a child may have several symbolic objects

    def __eq__(self, other: object) -> Any:
        raise Unsupported("nodes are told apart by `is`")

    def __init__(self, family: Family, place: Integer) -> None:
        self.family = family
        self.place = place

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("family", "place", "parent"):
            show("a step writes to the nodes that it names", z3.BoolVal(False))
            return
        object.__setattr__(self, name, value)

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
        for start, turns in self.family.cut:
            mention(self.place - start, turns)
        number = z3.simplify(self.family.parents[self.place])
        return next((node for n, node in enumerate(self.family.run.nodes) if settle(number == n)), None)

    @parent.setter
    def parent(self, node: Any) -> None:
        number = z3.IntVal(-1 if node is None else self.family.run.nodes.index(node))
        self.family.parents = z3.Store(self.family.parents, self.place, number)


def same(x: Any, y: Any) -> bool:
    """Return whether x is y; for two children of one family, take a branch.

    None is allowed, as the parent of a root.  Values that are neither nodes nor None are `Unsupported`.
    """
    if isinstance(x, SymbolicChild) and isinstance(y, SymbolicChild):
        return x.family is y.family and settle(x.place == y.place)
    for one in (x, y):
        if one is not None and not (hasattr(one, "times") or isinstance(one, SymbolicChild)):
            raise Unsupported(f"`is` between what is no node: {type(one).__name__}")
    if x is None or y is None:
        return x is y
    if isinstance(x, SymbolicChild) or isinstance(y, SymbolicChild):
        if any(node is run_of_path().outside for node in (x, y)):
            raise Unsupported("`is` between two nodes that are not known apart")
        return False
    return x is y


def register(cls: type[Any], *_: Any) -> Any:
    """Make a node and register it with the run, in place of `__new__` of the nodes' class."""
    node = object.__new__(cls)
    run_of_path().nodes.append(node)
    return node


class NodeRun(Run):
    """The nodes of one path, with the functions that contracts use on them."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        "len": lambda items: items.size,
        "range": symbolic_range,
        "__list__": make_list,
        "__is__": same,
    }

    def __init__(self, path: Path, tree: type[Any], loops: Loops, *, spines: bool = True) -> None:
        super().__init__(path, SegmentMonoid(), loops)
        self.spines = spines
        """True if the tree has fingers and spines: a node's aggregate need not be its subtree's product."""
        self.nodes: list[Any] = []
        self.families: list[Family] = []
        self.mu = path.fresh("mu")
        self.named: dict[str, Any] = {"mu": self.mu}
        path.assume(self.mu >= 2)
        self.tree = object.__new__(tree)
        self.outside = self.tree.Node(self.monoid)
        """Any other node of the tree, outside of the run."""
        self.outside.agg = Segment.unknown(path, "outside")
        self.tree.monoid, self.tree.min_arity, self.tree.max_arity = self.monoid, SymbolicInt(self.mu), 2 * self.mu
        self.tree.root = self.tree.left_finger = self.tree.right_finger = self.outside

    def example(self, model: Model) -> str:
        return ", ".join(
            f"{name} = {value if isinstance(value, str) else model.eval(value, model_completion=True)}"
            for name, value in self.named.items()
        )

    def size(self) -> Integer:
        return z3.Sum(z3.IntVal(0), *(number for number in self.named.values() if not isinstance(number, str)))

    def some(self, name: str, *, least: Any) -> Integer:
        """Return an unknown number that counterexamples show by name."""
        self.named[name] = number = self.path.fresh(name)
        self.path.assume(number >= least)
        return number

    def either(self, what: str, *options: str) -> str:
        """Return one of the options, with a branch for each."""
        chosen = next((o for o in options[:-1] if settle(z3.Bool(f"{what} is {o}"))), options[-1])
        self.named[what] = chosen
        return chosen

    def node(self, name: str, arity: Integer, first: Integer | None, parent: Any, left: bool, right: bool) -> Any:
        """Make a node of this arity with an arbitrary aggregate, on the given spines or as the root (parent None)."""
        family = Family(self, name, arity, first)
        self.families.append(family)
        node: Any = register(self.tree.Node)
        node.monoid, node.parent, node.agg = self.monoid, parent, Segment.unknown(self.path, name)
        if self.spines:
            node.left_spine, node.right_spine = left, right
        entries = z3.IntVal(0), z3.simplify(arity - 1)
        node.times = SymbolicList(Stretch(family.time, *entries))
        node.values = SymbolicList(Stretch(family.value, *entries))
        node.children = SymbolicList() if first is not None else SymbolicList(Stretch(family.child, entries[0], arity))
        family.left, family.right = self.spines and (left or parent is None), self.spines and (right or parent is None)
        family.parents = z3.K(_INT, z3.IntVal(self.nodes.index(node)))
        node.family = family
        return node

    def state(self) -> SimpleNamespace:
        """Return the names that clauses may use."""
        return SimpleNamespace(
            begin=self.begin,
            end=self.end,
            number=lambda t: SymbolicInt(t.number),
            product=lambda i, j: Segment(term(i), term(j)),
            mu=SymbolicInt(self.mu),
            calls=self.monoid.calls,
            tree=self.tree,
            spines=self.spines,
            is_leaf=lambda y: not y.children,
            end_of_first=lambda y: self.end(y.children.item(z3.IntVal(0))) if y.children else self.begin(y),
            begin_of_last=lambda y: self.begin(y.children.item(y.children.length - 1)) if y.children else self.end(y),
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

    def heap(self, but: Any = None) -> list[Any]:
        """Return the values that nodes, families and the tree hold, except the aggregate of the node `but`."""
        found: list[Any] = [family.parents for family in self.families]
        for owner in (self.tree, *self.nodes):
            for name, value in sorted(vars(owner).items()):
                if not (owner is but and name == "agg"):
                    found += [owner, name, value, *(value.pieces if isinstance(value, SymbolicList) else ())]
        return found

    def show_apart(self) -> None:
        """Show that no list has two names, in one node or in two; proofs begin in states with this property."""
        lists = [value for node in self.nodes for value in vars(node).values() if isinstance(value, SymbolicList)]
        self.path.show("no list by two names", z3.BoolVal(len(set(map(id, lists))) == len(lists)))

    def place(self, clause: Ranging, state: Any, local: Mapping[str, Any], vs: Sequence[Integer]) -> ClausePlace:
        if not isinstance(clause, EachTurn):
            return super().place(clause, state, local, vs)
        inside = z3.And(0 <= vs[0], vs[0] < local["done"].term)
        return ClausePlace([local["turns"]], [SymbolicInt(vs[0])], inside if local["turns"] else z3.BoolVal(False))

    def forget_fields(self, cutter: Cutter) -> None:
        """Forget the parents of the children whose turn has passed; the parents of the others are unchanged."""
        items = cutter.items
        if not cutter.changes.fields or not isinstance(items, SymbolicList) or not items.pieces:
            return
        piece = items.pieces[0]
        family = getattr(piece.at, "__self__", None) if isinstance(piece, Stretch) else None
        if len(items.pieces) > 1 or isinstance(piece, Single) or not isinstance(family, Family):
            raise Unsupported("a loop that assigns to more than the children that a node began with")
        if cutter.changes.fields != ("parent",):
            raise Unsupported(f"a loop that assigns {', '.join(cutter.changes.fields)} of children")
        before, j = family.parents, self.path.fresh("any turn")
        family.parents = after = z3.Array(str(self.path.fresh("parents")), _INT, _INT)
        family.cut.append((piece.start, cutter.label))
        kept = z3.Or(z3.And(0 <= j, j < cutter.done.term), after[j + piece.start] == before[j + piece.start])
        self.facts.append(Known([j], kept, [cutter.label]))

    def keeps_heap(self, cutter: Cutter) -> bool:
        """Show that the parents of the other children are unchanged, and return whether the other values are."""
        kept, turn = self.heap(), cutter.turn
        for n, family in enumerate(self.families):
            place = self.path.fresh("place")
            own = isinstance(turn, SymbolicChild) and turn.family is family
            other = place != turn.place if own else z3.BoolVal(True)
            self.path.show(
                "the loop gives parents to its own children alone",
                z3.Implies(other, kept[n][place] == cutter.heap[n][place]),
            )
        families = len(self.families)
        return len(kept) == len(cutter.heap) and all(
            x is y for x, y in zip(kept[families:], cutter.heap[families:], strict=True)
        )
