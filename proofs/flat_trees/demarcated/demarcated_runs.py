"""Symbolic runs of the tree of the Reactive Aggregator for FIFO, for every n = 2^k: constructor, slide, queries.

A slide runs over values of any kind, under any operator: once to show the resulting tree, and once to count the calls,
for which the tree's contents do not matter.  An *area* is the set of occupied places, given as a function of nodes: a
node is over the area if an occupied place is below it.  The function is defined by recursion from the leaves, so that
Z3 needs only a node and its children, and not the places below.  By induction on levels (`areas`), the code's paths of
front and back compute this function, and a slide without changes leaves it unchanged.  As to the calls: on each level,
the number of nodes with two children over the area is the decrease in the number of nodes over the area from the level
below, so these nodes are in total fewer than the area's places.

The queries run on a tree with known contents of the nodes over occupied places; these contents are products by
induction over the levels (`occupied_products`).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal, cast

from swagproof.contracts.clause import Loops
from swagproof.models.containers.array import Array
from swagproof.proofs.engine.arrays import (
    FixedArray,
    SymbolicArray,
    SymbolicSequence,
    SymbolicSet,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    enclosing_path,
    explore,
    formula,
    mention,
    remember,
)
from swagproof.proofs.engine.run import Cutter, Known
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import (
    VALUES,
    AnyOperation,
    Segment,
    SegmentMonoid,
    SymbolicBool,
    SymbolicInt,
    Value,
    power_facts,
    term,
)
from swagproof.proofs.flat_trees.array_runs import FlatFatRun, Many, Places, Products, WrittenArray, show_query
from swagproof.proofs.flat_trees.complete_trees import CompleteTree
from swagproof.proofs.lemmas import demarcated_loops as contract
from swagproof.proofs.lemmas import flat_fat_loops as flat_fat

DemarcatedOperation = Literal["__init__", "slide", "slide calls", "aggregate", "prefix", "suffix", "a"]
OPERATIONS: Final[tuple[DemarcatedOperation, ...]] = (
    "__init__",
    "slide",
    "slide calls",
    "aggregate",
    "prefix",
    "suffix",
    "a",
)

_INT: Final = z3.IntSort()


class AnyArea:
    """Any set of places, as the set of nodes over it: leaves are given, other nodes defined by recursion."""

    def __init__(self, tree: CompleteTree, name: str) -> None:
        self.tree = tree
        self.nodes = z3.Function(name, _INT, z3.BoolSort())

    def over(self, v: "int | SymbolicInt") -> SymbolicBool:
        """Return whether a node is over the area, as proofs.lemmas.demarcated_loops.Area.over does."""
        mention(term(v))
        return SymbolicBool(self.nodes(term(v)))

    def definition(self, v: Integer) -> Truth:
        """Return the definition for a node, by its children."""
        inner, over = z3.And(1 <= v, v < self.tree.leaves), self.nodes
        return z3.Implies(inner, over(v) == z3.Or(over(2 * v), over(2 * v + 1)))


class SymbolicArea(AnyArea):
    """The clauses' proofs.lemmas.demarcated_loops.Area, on a path that knows whether it wraps around."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        super().__init__(tree, "over")
        self.front, self.back = (SymbolicInt(path.fresh(name)) for name in ("F", "B"))
        self.ends = [(z3.Function(f"above {end}", _INT, _INT), end.term) for end in (self.front, self.back)]
        for end in (self.front.term, self.back.term):
            path.assume(z3.And(1 <= end, end <= tree.leaves))
        self.inverted = not SymbolicBool(self.front.term <= self.back.term)

    def among(self, x: Integer, front: Integer, back: Integer) -> Truth:
        """Return whether a place, or a node on one level, is between front and back."""
        return z3.Or(x <= back, front <= x) if self.inverted else z3.And(front <= x, x <= back)

    def definition(self, v: Integer) -> Truth:
        place = v - self.tree.leaves + 1
        leaf = z3.And(self.tree.leaves <= v, v < 2 * self.tree.leaves)
        given = self.nodes(v) == self.among(place, self.front.term, self.back.term)
        return z3.And(super().definition(v), z3.Implies(leaf, given))

    def steps(self, level: Integer) -> Truth:
        """Return the definition of the nodes of a level above front and back, by recursion from the leaves."""
        first = [above(0) == self.tree.leaves + end - 1 for above, end in self.ends]
        return z3.And(*first, *(z3.Implies(level >= 1, above(level) == above(level - 1) / 2) for above, _ in self.ends))

    def on_path(self, v: Integer) -> Truth:
        """Return the claim that a node is over the area if and only if it is between the nodes above its ends."""
        (front, _), (back, _), level = *self.ends, self.tree.level(v)
        return z3.Implies(self.tree.is_node(v), self.nodes(v) == self.among(v, front(level), back(level)))

    def above_front(self, level: SymbolicInt) -> SymbolicInt:
        """Return the node above front, as proofs.lemmas.demarcated_loops.Area.above_front does."""
        return self._above(0, level)

    def above_back(self, level: SymbolicInt) -> SymbolicInt:
        """Return the node above back, as proofs.lemmas.demarcated_loops.Area.above_back does."""
        return self._above(1, level)

    def _above(self, end: int, level: SymbolicInt) -> SymbolicInt:
        remember(self.steps(term(level)))
        return SymbolicInt(self.ends[end][0](term(level)))


class SymbolicTold:
    """The clauses' proofs.lemmas.demarcated_loops.Told, for any numbers of freed and changed places in 1 .. n."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.freed, self.changes = SymbolicSet.unknown(path), path.fresh("changes")
        path.assume(self.changes >= 0)
        self.size = Many(self.freed.count + self.changes)
        self.before, self.values = (z3.Array(name, _INT, VALUES) for name in ("before", "val"))
        self.locations, self.numbers = (z3.Array(name, _INT, _INT) for name in ("loc", "number"))
        self.listed, self.where = (z3.Function(name, _INT, _INT) for name in ("freed place", "where freed"))

    def inside(self, i: Integer) -> Truth:
        """Return the condition that place i exists."""
        return z3.And(1 <= i, i <= self.tree.leaves)

    def change(self, j: Integer) -> tuple[SymbolicInt, Value]:
        """Return the j-th change."""
        place = self.locations[j]
        fact = z3.And(self.numbers[place] == j, self.inside(place))
        remember(z3.Implies(z3.And(0 <= j, j < self.changes), fact))
        return SymbolicInt(place), Value(self.values[j])

    def free(self, j: Integer) -> SymbolicInt:
        """Return the j-th freed place, in an unknown order."""
        place = self.listed(j)
        fact = z3.And(self.where(place) == j, self.freed.members[place], self.inside(place))
        remember(z3.Implies(z3.And(0 <= j, j < self.freed.count), fact))
        return SymbolicInt(place)

    def is_changed(self, i: Integer) -> Truth:
        """Return whether a change is of place i; at most one is, because changes are of different places."""
        j = self.numbers[i]
        return z3.And(0 <= j, j < self.changes, self.locations[j] == i)

    def is_told(self, i: Integer) -> Truth:
        """Return whether place i is freed or changed."""
        return z3.Or(self.freed.members[i], self.is_changed(i))

    def number(self, i: SymbolicInt) -> SymbolicInt:
        """Return the number of the change of place i; `size` if there is none."""
        return SymbolicInt(z3.If(self.is_changed(term(i)), self.numbers[term(i)], self.size.term))

    def told(self, i: SymbolicInt) -> SymbolicInt:
        """Return the index of the first mention of place i: freed places come before changes."""
        freed, j = self.freed.members[term(i)], self.where(term(i))
        remember(z3.Implies(freed, z3.And(0 <= j, j < self.freed.count, self.listed(j) == term(i))))
        changed = z3.If(self.is_changed(term(i)), self.freed.count + self.numbers[term(i)], self.size.term)
        return SymbolicInt(z3.If(freed, j, changed))

    def old(self, i: SymbolicInt) -> Value:
        """Return the former value at place i."""
        return Value(self.before[term(i)])

    def new(self, i: Integer) -> Any:
        """Return the value at place i after the changes."""
        return z3.If(self.is_changed(i), self.values[self.numbers[i]], self.before[i])


def _select(items: Any, wanted: Callable[..., Any], made: Callable[..., Any]) -> SymbolicSequence:
    """Return [made(*item) for item in items]."""
    if not isinstance(items, SymbolicSequence) or wanted(*items.at(z3.IntVal(0))) is not True:
        raise Unsupported("a comprehension that chooses, or of what is no sequence of changes")
    return SymbolicSequence(items.length, lambda j: made(*items.item(j)))


def _make_list(run: Any, *parts: Any) -> SymbolicSequence:
    """Return [*freed, *places]."""
    joined = SymbolicSequence(z3.IntVal(0), lambda j: SymbolicInt(j))
    for part in parts:
        if isinstance(part, SymbolicSet):
            if part is not run.told.freed:
                raise Unsupported("a set is listed that is not known")
            part = SymbolicSequence(part.count, run.told.free)
        elif not isinstance(part, SymbolicSequence):
            raise Unsupported(f"a list of a {type(part).__name__}")
        joined = _join(joined, part)
    return joined


def _join(x: SymbolicSequence, y: SymbolicSequence) -> SymbolicSequence:
    length = x.length
    if z3.is_int_value(z3.simplify(length)) and z3.simplify(length).as_long() == 0:
        return y
    at: Callable[[Integer], Any] = lambda j: SymbolicInt(  # noqa: E731  # for the type
        z3.If(j < length, term(x.item(j)), term(y.item(j - length)))
    )
    return SymbolicSequence(length + y.length, at)


class DemarcatedRun(FlatFatRun):
    """A run on a tree of n = 2^k places."""

    NAMES: ClassVar[Any] = {
        "set": symbolic_set,
        "range": symbolic_range,
        "len": lambda items: items.size,
        Array.__name__: SymbolicArray,
        "__select__": _select,
        "__list__": lambda *parts: _make_list(_run(), *parts),
    }
    told: SymbolicTold

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        """Return the cutter, adding to the loop in propagate the paths of front and back, which rewrite moves."""
        if method == "propagate":
            loops = [replace(each, attributes=(*each.attributes, "back", "front")) for each in loops]
        return super().cutter(method, loops, number)

    def keeps_tree(self, array: Any, *besides: str) -> None:
        """Show that the object has the same attributes, and those in `besides`."""
        this = self.attributes
        same = set(this) == {"monoid", "n", "T", *besides} and this["monoid"] is self.monoid and this["T"] is array
        self.path.show("the object keeps its attributes", z3.BoolVal(same and term(this["n"]).eq(self.n.term)))


def _run() -> Any:
    path = enclosing_path()
    assert path is not None
    return path.run


def construct(algorithm: type, path: Path) -> None:
    """Show that DemarcatedFat(monoid, n) has no occupied place and makes no call."""
    run = DemarcatedRun(path, AnyOperation(), {})
    this = run.make(algorithm)
    del this.monoid  # __init__ runs on an object without attributes
    with run.guard():
        this.__init__(run.monoid, run.n)
    made = getattr(this, "T", None)
    path.show("__init__ makes T", z3.BoolVal(isinstance(made, SymbolicArray)))
    run.keeps_tree(made, "inverted")
    run.ghosts["area"] = SimpleNamespace(over=lambda v: False)
    run.show(contract.INVARIANT, {})
    path.show("__init__ calls", term(run.monoid.calls) == 0)


def begin_slide(algorithm: type, path: Path, loops: Loops, kind: type[SymbolicArray]) -> tuple[DemarcatedRun, Any]:
    """Return a run on any tree, with a slide to any area F .. B, for any changed and freed places."""
    run = DemarcatedRun(path, AnyOperation(), loops)
    told, area = SymbolicTold(path, run.tree), SymbolicArea(path, run.tree)
    run.told, array = told, kind(2 * run.n - 1)
    array.forget(path)
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts |= {"area": area, "writes": told}
    changes = SymbolicSequence(told.changes, told.change)
    return run, lambda: this.slide(changes, told.freed, area.front, area.back)


def slide(algorithm: type, path: Path) -> None:
    """Show that slide(changes, freed, F, B), given all newly occupied or freed places, makes the tree of F .. B."""
    run, act = begin_slide(algorithm, path, contract.SLIDE, SymbolicArray)
    tree, told, area, array = run.tree, run.told, run.ghosts["area"], run.object.T
    was, hole = AnyArea(tree, "was over"), z3.Int("any node told")
    known = (area.definition(hole), was.definition(hole), area.on_path(hole), slid(told, area, was, hole))
    run.facts.append(Known(hole, z3.And(*known, untold_stays(told, area, was, hole))))
    run.base = path.solver.facts
    run.ghosts |= {"model": Places(lambda i: told.before[i]), "area": was}
    run.know(contract.INVARIANT, {})
    run.ghosts |= {"model": Places(told.new), "area": area, "was": was}
    with run.guard():
        act()
    run.keeps_tree(array, "inverted", "front", "back")
    run.show(contract.INVARIANT, {})


def slid(told: SymbolicTold, area: AnyArea, was: AnyArea, v: Integer) -> Truth:
    """Return slide's precondition at a leaf: newly occupied places are changed, newly free places are given."""
    tree, over = told.tree, area.nodes(v)
    place = v - tree.leaves + 1
    given = z3.And(
        z3.Implies(over, z3.Or(told.is_changed(place), was.nodes(v))),
        z3.Or(over == was.nodes(v), told.is_told(place)),
        z3.Implies(told.freed.members[place], told.freed.count >= 1),
    )
    return z3.Implies(z3.And(tree.leaves <= v, v < 2 * tree.leaves), given)


def untold_stays(told: SymbolicTold, area: AnyArea, was: AnyArea, v: Integer) -> Truth:
    """Return the condition that a slide without changes leaves the area unchanged at a node."""
    nothing = z3.And(told.tree.is_node(v), told.size.term == 0)
    return z3.Implies(nothing, area.nodes(v) == was.nodes(v))


def areas(on_path: Callable[[SymbolicArea, Integer], Truth], path: Path) -> None:
    """Show `on_path`, `untold_stays`, and that a node's end leaves decide if it is over, by induction on levels."""
    k, v = path.fresh("k"), path.fresh("v")
    path.assume(k >= 0)
    tree = CompleteTree(k)
    told, area, was = SymbolicTold(path, tree), SymbolicArea(path, tree), AnyArea(tree, "was over")
    (front, _), (back, _), level = *area.ends, tree.level(v)
    path.assume(tree.is_node(v))
    for u in (v, 2 * v, 2 * v + 1):
        path.assume(z3.And(*tree.facts(u).values(), area.definition(u), was.definition(u), area.steps(tree.level(u))))
    path.assume(slid(told, area, was, v))

    def ordered(x: Integer) -> Truth:
        return z3.Or(z3.BoolVal(area.inverted), front(x) <= back(x))

    def by_leaves(u: Integer) -> Truth:
        return area.nodes(u) == product_below(tree, area.front.term, area.back.term, u)[0]

    if SymbolicBool(v < tree.leaves):
        lemmas = (partial(on_path, area), partial(untold_stays, told, area, was), by_leaves)
        children = (each(u) for u in (2 * v, 2 * v + 1) for each in lemmas)
        path.assume(z3.And(ordered(level - 1), *children))
    path.show("the node above the front is not behind that above the back", ordered(level))
    path.show("a node is over the area by the nodes above its ends", on_path(area, v))
    path.show("a node is over the area by its first and last leaf", by_leaves(v))
    path.show("told of nothing, a node is over what it was over", untold_stays(told, area, was, v))


def count_slide(algorithm: type, path: Path) -> None:
    """Bound the combine calls of slide(changes, freed, F, B), for any places and any area."""
    run, act = begin_slide(algorithm, path, contract.SLIDE_CALLS, WrittenArray)
    tree, told, area, split = run.tree, run.told, run.ghosts["area"], path.fresh("split")
    path.assume(z3.And(0 <= split, split <= tree.height, power_facts(tree.height - split)))
    run.base = path.solver.facts
    run.ghosts["split"] = SymbolicInt(split)
    array = run.object.T
    with run.guard():
        act()
    run.keeps_tree(array, "inverted", "front", "back")
    calls, below = term(run.monoid.calls), term(told.size * SymbolicInt(split))
    path.show("calls of a slide, split at any level s", calls <= below + tree.width(split) - 1)
    path.show("a slide of nothing", z3.Implies(z3.And(told.size.term == 0, split == tree.height), calls <= 0))
    if not area.inverted:
        occupied, few = area.back - area.front + 1, cast(Any, contract.slide_calls)
        path.show("slide calls", formula(lambda: few(occupied, SymbolicInt(calls))))


# Queries


def product_below(tree: CompleteTree, front: Integer, back: Integer, v: Integer) -> tuple[Truth, Truth, Segment]:
    """Return whether a node is over the area, whether its occupied places are neighbours, and their product."""
    first, last = tree.first(v), tree.last(v)
    low, high = first <= back, front <= last
    least, most = z3.If(front <= first, first, front), z3.If(last <= back, last, back)
    around = z3.And(low, high)
    whole = Segment(z3.If(low, first, least), z3.If(high, last, most) + 1)
    inverted = back < front
    over = z3.If(inverted, z3.Or(low, high), around)
    neighbours = z3.Or(z3.Not(inverted), z3.Not(around), back + 1 == front)
    return over, neighbours, Segment(z3.If(inverted, whole.lo, least), z3.If(inverted, whole.hi, most + 1))


def query(name: str, algorithm: type, path: Path) -> None:
    """Show the results and calls of aggregate(), prefix(i), suffix(j) and a(i), over places that are all occupied."""
    run = DemarcatedRun(path, SegmentMonoid(), flat_fat.QUERIES, parents=True)
    tree, n = run.tree, run.tree.leaves
    front, back, i = (path.fresh(name) for name in ("F", "B", "i"))
    path.assume(z3.And(*(z3.And(1 <= x, x <= n) for x in (front, back, i))))
    lo, hi = (z3.Function(f"{end} of another", _INT, _INT) for end in ("begin", "end"))

    def at(v: Integer) -> Segment:
        over, neighbours, product = product_below(tree, front, back, v)
        known = z3.And(over, neighbours)
        return Segment(z3.If(known, product.lo, lo(v)), z3.If(known, product.hi, hi(v)))

    array = FixedArray(2 * n - 1, at)
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts["model"] = Products()
    start, end, bound = {
        "prefix": (z3.IntVal(1), i, tree.height),
        "suffix": (i, n, tree.height),
        "aggregate": (front, back, z3.IntVal(0)),
        "a": (i, i, z3.IntVal(0)),
    }[name]
    full = z3.And(back < front, z3.Or(end <= back, front <= start, back + 1 == front))
    path.assume(z3.And(start <= end, z3.Or(z3.And(front <= start, end <= back), full)))
    if name == "aggregate":
        path.assume(front <= back)
    show_query(run, this, name, i, Segment(start, end + 1), bound)
    run.keeps_array(array)


def occupied_products(mirrored: bool, path: Path) -> None:
    """Show that nodes hold the products of their occupied places, by induction over levels, from the leaves up."""
    k, v, front, back = (path.fresh(name) for name in ("k", "v", "F", "B"))
    path.assume(k >= 0)
    tree, monoid = CompleteTree(k), SegmentMonoid()
    path.assume(z3.And(*(z3.And(1 <= x, x <= tree.leaves) for x in (front, back))))
    for u in (v, 2 * v, 2 * v + 1):
        path.assume(z3.And(*tree.facts(u).values()))
    path.assume(tree.is_node(v))
    over, neighbours, product = product_below(tree, front, back, v)
    path.assume(z3.And(over, neighbours))

    def holds(aggregate: Segment) -> Truth:
        return formula(lambda: aggregate == product)

    place = v - tree.leaves + 1
    if SymbolicBool(v >= tree.leaves):
        path.show("products of occupied places, at leaves", holds(Segment(place, place + 1)))
        return
    left, right = (product_below(tree, front, back, u) for u in (2 * v, 2 * v + 1))
    for child in (left, right):
        path.show("a child's places are neighbours, too", z3.Implies(child[0], child[1]))
    path.show("a child is over what its parent is over", z3.Or(left[0], right[0]))
    if SymbolicBool(z3.And(left[0], right[0])):
        of = (right[2], left[2]) if mirrored else (left[2], right[2])
        path.show("products of occupied places, from level to level", holds(monoid.combine(*of)))
    else:
        path.show("products of occupied places, of one child", holds(left[2] if SymbolicBool(left[0]) else right[2]))


_RUNS: Final[dict[str, Callable[[type, Path], None]]] = {
    "__init__": construct,
    "slide": slide,
    "slide calls": count_slide,
}


def explore_operation(
    algorithm: type, operation: DemarcatedOperation, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """Explore one operation of the tree, along every path.  Raises Unseen for code outside of the language."""
    run = _RUNS.get(operation, partial(query, operation))
    return explore(partial(run, algorithm), enough)
