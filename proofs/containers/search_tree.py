"""The search tree of OrderedSharing, for every size: proof of the contract that OrderedSharing's proof uses.

OrderedSharing is proved over its tree's contract, a sorted sequence that is searched by predicates.  Here the tree's
own code, with its rotations, is shown to keep that contract, by induction on the height.  A sub-tree is initially
folded: only its items, its height and its balance are known.  Code that reads it unfolds it by one level.  A call for a
sub-tree returns the result that the contract states.  Making a node has the obligations that its items are in order,
its recorded height is right, and the heights of its sub-trees differ by at most one.

The items are numbered from left to right.  The item that is inserted or removed has no number; its place is before the
item `place`.  So trees with it and without it use the same numbers.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal, get_args

from swagproof.models.containers import search_tree as module
from swagproof.models.containers.search_tree import SearchTree
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    explore,
    remember,
    settle,
    show,
)
from swagproof.proofs.engine.run import Cutter, Run, run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Scalar, SymbolicBool, SymbolicInt, term
from swagproof.proofs.ledger.claim import SHARING, Claim, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants
from swagproof.proofs.ledger.theorem import ProvedRuns
from swagproof.proofs.lemmas import search_tree_parts as contract
from swagproof.reference.catalogue import ORDERED_SHARING

SearchTreeOperation = Literal["first", "last", "insert", "remove", "_with", "_without", "_joined", "_without_first"]
OPERATIONS: Final[tuple[SearchTreeOperation, ...]] = get_args(SearchTreeOperation)

_NUMBER: Final = z3.IntSort()
_FALSE: Final = z3.BoolVal(False)
fewest: Final = z3.Function("the fewest items of a tree", _NUMBER, _NUMBER)
"""The fewest items of a tree of a height: 0, 1, then one plus the sum for the two heights below."""


def fewest_facts(h: Integer) -> Truth:
    """Return facts about the fewest items at a height."""
    more = fewest(h) == fewest(h - 1) + fewest(h - 2) + 1
    return z3.And(
        fewest(0) == 0, fewest(1) == 1, z3.Implies(h >= 2, more), z3.Implies(h >= 1, fewest(h - 1) < fewest(h))
    )


class TreeItem(Scalar):
    """An item by its number, or the special one that is inserted or removed."""

    __slots__ = ("special", "term")

    def __init__(self, term: Integer, *, special: bool = False) -> None:
        self.term = term
        self.special = special

    @property
    def number(self) -> SymbolicInt:
        return SymbolicInt(self.term)

    def __eq__(self, other: object) -> Any:
        if not (isinstance(other, TreeItem) and (self.special or other.special)):
            raise Unsupported("items are compared with the one that is looked for")
        return self.special and other.special


class SubTree:
    """A sub-tree: numbered items lo .. hi - 1, and the special one if it is `there`; empty, and None, of height 0."""

    def __init__(self, lo: Integer, hi: Integer, high: Integer, there: Truth = _FALSE) -> None:
        self.lo, self.hi, self.high, self.there = lo, hi, high, there
        self.parts: tuple[Any, TreeItem, Any] | None = None

    @classmethod
    def folded(cls, run: "SearchTreeRun", name: str, *, there: Truth = _FALSE) -> "SubTree":
        """Return any balanced tree."""
        lo, hi, high = (run.path.fresh(f"{name}.{end}") for end in ("lo", "hi", "height"))
        tree = cls(lo, hi, high, there)
        run.path.assume(tree.shape(run.special))
        return tree

    def shape(self, place: Integer) -> Truth:
        """Return facts about a tree of this height."""
        items = self.hi - self.lo + z3.If(self.there, 1, 0)
        within = z3.Implies(self.there, z3.And(self.lo <= place, place <= self.hi))
        many = z3.And(items >= fewest(self.high), (self.high == 0) == (items == 0))
        return z3.And(self.lo <= self.hi, self.high >= 0, within, many, fewest_facts(self.high))

    def __bool__(self) -> bool:
        return settle(self.high != 0)

    def _unfold(self) -> tuple[Any, TreeItem, Any]:
        if self.parts is None:
            run = run_of_path()
            show("a node is there to be looked at", self.high > 0)
            left, right = (
                SubTree.folded(run, "left", there=_fresh_truth("left")),
                SubTree.folded(run, "right", there=_fresh_truth("right")),
            )
            at_root, number = _fresh_truth("at the root"), run.path.fresh("item")
            higher = z3.If(left.high > right.high, left.high, right.high)
            near = z3.And(left.high - right.high <= 1, right.high - left.high <= 1, self.high == higher + 1)
            ends = z3.And(left.lo == self.lo, right.hi == self.hi)
            below = z3.Or(left.there, right.there)
            either = z3.If(
                at_root,
                z3.And(
                    self.there, z3.Not(below), _in_order(run.special, left, TreeItem(run.special, special=True), right)
                ),
                z3.And(self.there == below, _in_order(run.special, left, TreeItem(number), right)),
            )
            run.path.assume(z3.And(near, ends, either))
            special = settle(at_root)
            item = TreeItem(run.special if special else number, special=special)
            self.parts = left, item, right
        return self.parts

    left = property(lambda self: self._unfold()[0])
    item = property(lambda self: self._unfold()[1])
    right = property(lambda self: self._unfold()[2])

    @property
    def height(self) -> SymbolicInt:
        """The recorded height, which is the actual one."""
        return SymbolicInt(self.high)


def _fresh_truth(name: str) -> Truth:
    return z3.Bool(str(run_of_path().path.fresh(f"it is {name}")))


def _in_order(place: Integer, left: SubTree, item: TreeItem, right: SubTree) -> Truth:
    """Return whether left items, item and right items follow each other, with the special item in its place."""
    m = item.term
    if item.special:
        return z3.And(left.hi == place, right.lo == place, z3.Not(left.there), z3.Not(right.there))
    sides = z3.And(z3.Implies(left.there, place <= m), z3.Implies(right.there, place > m))
    return z3.And(left.hi == m, right.lo == m + 1, sides, z3.Not(z3.And(left.there, right.there)))


def make_node(left: Any, item: TreeItem, right: Any, height: Any) -> SubTree:
    """Make Node(left, item, right, height), with the conditions on nodes as obligations."""
    place, here = run_of_path().special, item.term
    none = z3.IntVal(0)
    left = SubTree(here, here, none) if left is None else left
    behind = here if item.special else here + 1
    right = SubTree(behind, behind, none) if right is None else right
    higher = z3.If(left.high > right.high, left.high, right.high)
    show("items stay in order", _in_order(place, left, item, right))
    show("a height is recorded rightly", term(height) == higher + 1)
    show("siblings differ in height by at most one", z3.And(left.high - right.high <= 1, right.high - left.high <= 1))
    there = z3.BoolVal(True) if item.special else z3.Or(left.there, right.there)
    node = SubTree(left.lo, right.hi, higher + 1, there)
    remember(z3.And(fewest_facts(higher + 1), fewest_facts(higher)))
    show("a tree has at least the fewest items of its height", node.shape(place))
    node.parts = left, item, right
    return node


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is y, if one of them is None."""
    if y is not None:
        raise Unsupported("`is` between two nodes")
    return not x if isinstance(x, SubTree) else x is None


class TreeCutter(Cutter):
    """A cutter of searches: the search may be at any sub-tree on the way down."""

    run: "SearchTreeRun"

    def forget_value(self, name: str, value: Any) -> Any:
        if name not in ("node", "found"):
            return super().forget_value(name, value)
        self.changing.add(name)
        self.kinds[name] = {SubTree} if name == "node" else {type(None), TreeItem}
        if name == "node":
            return SubTree.folded(self.run, name)
        return TreeItem(self.run.path.fresh(name)) if settle(_fresh_truth("found")) else None


class SearchTreeRun(Run):
    """A run of the tree's own code."""

    NAMES: ClassVar[Mapping[str, Any]] = {}
    ERRORS = (KeyError, AssertionError)

    def __init__(self, path: Path, names: Any, operation: str) -> None:
        super().__init__(path, SimpleNamespace(calls=0), contract.LOOPS)
        self.special, self.visits = path.fresh("place"), path.fresh("visits")
        made = dict[str, Any]()
        for function in ("height", "_node", "_balanced"):
            known = {"Node": make_node, "max": _greater, "__is__": is_same, **made}
            made[function] = rewrite(getattr(names, function), known).method
        own = {"__is__": is_same, **made}
        self.methods: dict[str, Any] = {
            name: rewrite(getattr(names.SearchTree, name), own).method for name in OPERATIONS
        }
        self.object = SimpleNamespace(visits=SymbolicInt(self.visits), root=None)
        for name in ("_with", "_without", "_joined", "_without_first"):
            setattr(self.object, name, partial(self.by_induction, name))

    def state(self) -> SimpleNamespace:
        """Return the state for the clauses of a search."""
        return SimpleNamespace(
            begin=lambda node: SymbolicInt(node.lo),
            end=lambda node: SymbolicInt(node.hi),
            high=lambda node: SymbolicInt(node.high),
            count=SymbolicInt(self.root.hi),
            root=self.root,
            boundary=SymbolicInt(self.special),
            visited=self.object.visits - SymbolicInt(self.visits),
            calls=0,
        )

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        cutter = super().cutter(method, loops, number)
        if type(cutter) is Cutter:
            cutter = self.cutters[method, number] = TreeCutter(self, cutter.loop, cutter.changes, method)
        return cutter

    def begin(self, *, there: Truth = _FALSE) -> SubTree:
        """Return any tree."""
        self.root = tree = SubTree.folded(self, "tree", there=there)
        self.path.assume(z3.And(tree.lo <= self.special, self.special <= tree.hi))
        return tree

    def before(self, item: TreeItem) -> Any:
        """Return whether an item is before the special one: the caller's predicate, which changes once in the tree."""
        show("items alone are asked for", z3.BoolVal(not item.special))
        return SymbolicBool(item.term < self.special)

    def act(self, name: str, *given: Any) -> Any:
        """Run the method itself, with its calls for sub-trees by induction."""
        with self.guard():
            return self.methods[name](self.object, *given)

    # Contracts of the methods, by induction on height

    def given(self, name: str, node: Any, *rest: Any) -> Truth:
        """Return the precondition on a method's arguments."""
        if name == "_joined":
            (right,) = rest
            near = z3.And(node.high - right.high <= 1, right.high - node.high <= 1)
            return z3.And(
                node.hi == self.special, right.lo == self.special, z3.Not(node.there), z3.Not(right.there), near
            )
        if name == "_without_first":
            return z3.And(node.high > 0, z3.Not(node.there))
        there = node.there if name == "_without" else z3.Not(node.there)
        return z3.And(node.lo <= self.special, self.special <= node.hi, there)

    def promised(self, name: str, node: Any, rest: Any, made: Any, spent: Integer) -> Truth:
        """Return the postcondition of a method: its result for a sub-tree, and the nodes that it visits."""
        if name == "_joined":
            (right,) = rest
            higher = z3.If(node.high > right.high, node.high, right.high)
            whole = z3.And(made.lo == node.lo, made.hi == right.hi, z3.Not(made.there))
            high = z3.Or(made.high == higher, made.high == higher + 1)
            return z3.And(whole, high, spent <= right.high)
        first = 1 if name == "_without_first" else 0
        there = made.there if name == "_with" else z3.Not(made.there)
        high = node.high + 1 if name == "_with" else node.high - 1
        near = z3.Or(made.high == node.high, made.high == high)
        return z3.And(made.lo == node.lo + first, made.hi == node.hi, there, near, spent <= node.high)

    def by_induction(self, name: str, node: Any, *rest: Any) -> Any:
        """Return the result of a call for a sub-tree, by its contract."""
        if name in ("_with", "_without"):
            show(
                f"{name} is asked for the item, by the caller's predicate",
                z3.BoolVal(rest[0].special and rest[1] == self.before),
            )
        others = rest if name == "_joined" else ()
        show(f"{name} is called of what it is for", self.given(name, node, *others))
        made = SubTree.folded(self, "made", there=_fresh_truth("there"))
        spent = self.path.fresh("spent")
        self.path.assume(z3.And(0 <= spent, self.promised(name, node, others, made, spent)))
        self.object.visits = self.object.visits + SymbolicInt(spent)
        return (TreeItem(node.lo), made) if name == "_without_first" else made

    def show_promised(self, name: str, node: Any, rest: Any, made: Any) -> None:
        """Show the postcondition of the method itself."""
        if name == "_without_first":
            item, made = made
            self.path.show("the first item", z3.And(z3.BoolVal(not item.special), item.term == node.lo))
        spent = term(self.object.visits) - self.visits
        end = node.hi if name != "_joined" else rest[0].hi
        made = SubTree(end, end, z3.IntVal(0)) if made is None else made
        self.path.show(f"{name} keeps its promise", self.promised(name, node, rest, made, spent))


def _greater(x: Any, y: Any) -> SymbolicInt:
    return SymbolicInt(z3.If(term(x) > term(y), term(x), term(y)))


def search(name: str, run: SearchTreeRun) -> None:
    """Show that a search finds the item at or before the boundary, or None, and visits one node per level."""
    path, tree = run.path, run.begin()
    path.assume(tree.lo == 0)
    first = name == "first"
    run.object.root = tree
    found = run.act(name, lambda item: SymbolicBool((item.term >= run.special) if first else (item.term < run.special)))
    there = run.special < tree.hi if first else run.special > 0
    where = run.special if first else run.special - 1
    right = z3.Not(there) if found is None else z3.And(there, found.term == where)
    path.show(f"{name} finds the item", right)
    path.show("a search looks at one node of a level", term(run.object.visits) - run.visits <= tree.high)


def step(name: str, run: SearchTreeRun) -> None:
    """Show that a method for a sub-tree meets its contract."""
    path = run.path
    if name == "_joined":
        node = run.begin()
        right = SubTree.folded(run, "right side")
        path.assume(run.given(name, node, right))
        run.show_promised(name, node, (right,), run.act(name, node, right))
        return
    there = z3.BoolVal(name == "_without")
    node = run.begin(there=there)
    path.assume(run.given(name, node))
    given = () if name == "_without_first" else (TreeItem(run.special, special=True), run.before)
    run.show_promised(name, node, (), run.act(name, node, *given))


def change(name: str, run: SearchTreeRun) -> None:
    """Show that insert and remove leave the tree with and without the item."""
    run.object.root = node = run.begin(there=z3.BoolVal(name == "remove"))
    step_of = {"insert": "_with", "remove": "_without"}[name]
    run.act(name, TreeItem(run.special, special=True), run.before)
    run.show_promised(step_of, node, (), run.object.root)


@lru_cache(maxsize=32)
def _names(mutant: Mutant | None) -> Any:
    return module if mutant is None else mutant.rewrite(module)


def explore_operation(
    operation: SearchTreeOperation, mutant: Mutant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    """Explore one method along every path."""
    act = search if operation in ("first", "last") else change if operation in ("insert", "remove") else step

    def run(path: Path) -> None:
        act(operation, SearchTreeRun(path, _names(mutant), operation))

    return explore(run, enough)


WRONG: Final = Mutants(ORDERED_SHARING, table="ordered-sharing", section="search tree")
"""Mutants of the tree inside OrderedSharing, each refuted by the proof."""


RUNS: Final = ProvedRuns[SearchTreeOperation](
    explore=explore_operation,
    names=OPERATIONS,
    runs_of={
        **{operation: (operation,) for operation in OPERATIONS},
        **dict.fromkeys(("height", "_node", "_balanced"), ("_with",)),
    },
)

CLAIMS: Final[tuple[Claim, ...]] = (
    RUNS.theorem().claim(
        id="search-tree/proved",
        statement="A search tree is a sequence, for every size: insert puts the item where the question of its caller "
        "changes, remove takes it out, rotations keep the order, and first and last find the item at which a question "
        "changes, or none; heights are recorded rightly and those of siblings differ by at most one; each operation "
        "looks at no more nodes than the tree is high, and a tree of height h has at least F(h + 2) - 1 items.",
        source=cite(SHARING, place="section 6.3.1", compared="stronger: the tree that the paper takes for granted"),
        algorithm="OrderedSharing",
        scope="every balanced tree, every item and place, by induction on height",
        code=code_of(SearchTree),
        not_covered="that F(h + 2) - 1 <= n makes h <= 1.4405 log2(n + 2), which is arithmetic; iteration, which "
        "states invariants; removal of what is not there",
    ),
)
