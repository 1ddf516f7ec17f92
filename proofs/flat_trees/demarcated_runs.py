"""Symbolic runs of the tree of the Reactive Aggregator for FIFO, for every n = 2^k: constructor, slide, queries.

A slide runs over values of any kind, under any operator.  An *area* is the set of occupied places, given as a function
of nodes: a node is over the area if an occupied place is below it.  The function is defined by recursion from the
leaves, so that Z3 needs only a node and its children, and not the places below.  By induction on levels (`areas`), the
code's paths of front and back compute this function, and a slide without changes leaves it unchanged.  As to the calls:
on each level, the number of nodes with two children over the area is the decrease in the number of nodes over the area
from the level below, so these nodes are in total fewer than the area's places.

The queries are FlatFAT's own, over the occupied places (swagproof.proofs.flat_trees.array_runs).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.proofs.engine.arrays import SymbolicArray, SymbolicSequence, SymbolicSet, join
from swagproof.proofs.engine.paths import Exploration, Path, Unsupported, explore, formula, mention, remember
from swagproof.proofs.engine.run import Cutter, Known, run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import AnyOperation, SymbolicBool, SymbolicInt, power_facts, term
from swagproof.proofs.flat_trees.array_runs import FlatFatRun, product_below, query
from swagproof.proofs.flat_trees.array_values import Many, Places, SymbolicWrites, occupied, steps_up
from swagproof.proofs.flat_trees.complete_trees import CompleteTree
from swagproof.proofs.lemmas import flat_fat_loops as contract

DemarcatedOperation = Literal["__init__", "slide", "aggregate", "prefix", "suffix", "a"]

_INT: Final = z3.IntSort()


class AnyArea:
    """Any set of places, as the set of nodes over it: leaves are given, other nodes defined by recursion."""

    def __init__(self, tree: CompleteTree, name: str) -> None:
        self.tree = tree
        self.nodes = z3.Function(name, _INT, z3.BoolSort())

    def over(self, v: "int | SymbolicInt") -> SymbolicBool:
        """Return whether a node is over the area."""
        mention(term(v))
        return SymbolicBool(self.nodes(term(v)))

    def definition(self, v: Integer) -> Truth:
        """Return the definition for a node, by its children."""
        inner, over = z3.And(1 <= v, v < self.tree.leaves), self.nodes
        return z3.Implies(inner, over(v) == z3.Or(over(2 * v), over(2 * v + 1)))


class SymbolicArea(AnyArea):
    """The area of the places from front to back, on a path that knows whether it wraps around."""

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
        """Return the definition of the nodes of a level above front and back."""
        return z3.And(*(steps_up(above, self.tree.leaves + end - 1, level) for above, end in self.ends))

    def on_path(self, v: Integer) -> Truth:
        """Return the claim that a node is over the area if and only if it is between the nodes above its ends."""
        (front, _), (back, _), level = *self.ends, self.tree.level(v)
        return z3.Implies(self.tree.is_node(v), self.nodes(v) == self.among(v, front(level), back(level)))

    def above_front(self, level: SymbolicInt) -> SymbolicInt:
        """Return the node of a level above front."""
        return self._above(0, level)

    def above_back(self, level: SymbolicInt) -> SymbolicInt:
        """Return the node of a level above back."""
        return self._above(1, level)

    def _above(self, end: int, level: SymbolicInt) -> SymbolicInt:
        remember(self.steps(term(level)))
        return SymbolicInt(self.ends[end][0](term(level)))


class SymbolicTold(SymbolicWrites):
    """The places given to a slide, as clauses read them: any numbers of freed and changed places in 1 .. n."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        super().__init__(path, tree)
        self.freed = SymbolicSet.unknown(path)
        self.size = Many(self.freed.length + self.changes)
        self.listed, self.where = (z3.Function(name, _INT, _INT) for name in ("freed place", "where freed"))

    def free(self, j: Integer) -> SymbolicInt:
        """Return the j-th freed place, in an unknown order."""
        place = self.listed(j)
        fact = z3.And(self.where(place) == j, self.freed.members[place], self.inside(place))
        remember(z3.Implies(z3.And(0 <= j, j < self.freed.length), fact))
        return SymbolicInt(place)

    def is_told(self, i: Integer) -> Truth:
        """Return whether place i is freed or changed."""
        return z3.Or(self.freed.members[i], self.is_changed(i))

    def told(self, i: SymbolicInt) -> SymbolicInt:
        """Return the index of the first mention of place i: freed places come before changes."""
        freed, j = self.freed.members[term(i)], self.where(term(i))
        remember(z3.Implies(freed, z3.And(0 <= j, j < self.freed.length, self.listed(j) == term(i))))
        changed = z3.If(self.is_changed(term(i)), self.freed.length + self.numbers[term(i)], self.size.term)
        return SymbolicInt(z3.If(freed, j, changed))


def _select(items: Any, wanted: Callable[..., Any], made: Callable[..., Any]) -> SymbolicSequence:
    """Return [made(*item) for item in items]."""
    if not isinstance(items, SymbolicSequence) or wanted(*items.at(z3.IntVal(0))) is not True:
        raise Unsupported("a comprehension that chooses, or of what is no sequence of changes")
    return SymbolicSequence(items.length, lambda j: made(*items.item(j)))


def _make_list(*parts: Any) -> SymbolicSequence:
    """Return [*freed, *places]."""
    told = run_of_path().told
    if any(not isinstance(part, SymbolicSequence) and part is not told.freed for part in parts):
        raise Unsupported("a list of other things than freed places and sequences")
    listed = SymbolicSequence(told.freed.length, told.free)
    return join(*(listed if part is told.freed else part for part in parts))


class DemarcatedRun(FlatFatRun):
    """A run on a tree of n = 2^k places."""

    NAMES: ClassVar[Mapping[str, Any]] = {**FlatFatRun.NAMES, "__select__": _select, "__list__": _make_list}
    told: SymbolicTold

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        """Return the cutter, adding to the loop in propagate the paths of front and back, which rewrite moves."""
        if method == "propagate":
            loops = [replace(each, attributes=(*each.attributes, "back", "front")) for each in loops]
        return super().cutter(method, loops, number)


def construct(algorithm: type, path: Path) -> None:
    """Show that DemarcatedFat(monoid, n) has no occupied place and makes no call."""
    run = DemarcatedRun(path, AnyOperation(), {})
    this = run.make(algorithm)
    del this.monoid  # __init__ runs on an object without attributes
    with run.guard():
        this.__init__(run.monoid, run.n)
    made = getattr(this, "T", None)
    path.show("__init__ makes T", z3.BoolVal(isinstance(made, SymbolicArray)))
    run.keeps_array(made, "inverted")
    run.ghosts["area"] = occupied(False)
    run.show(contract.OCCUPIED, {})
    path.show("__init__ calls", term(run.monoid.calls) == 0)


def slide(algorithm: type, path: Path) -> None:
    """Show that slide(changes, freed, F, B), given all newly occupied or freed places, makes the tree of F .. B.

    Any places may have been occupied, and any may be changed and freed.
    """
    run = DemarcatedRun(path, AnyOperation(), contract.SLIDE)
    tree, split = run.tree, path.fresh("split")
    told, area, was, hole = SymbolicTold(path, tree), SymbolicArea(path, tree), AnyArea(tree, "was over"), z3.Int("any")
    run.told = told
    path.assume(z3.And(0 <= split, split <= tree.height, power_facts(tree.height - split)))
    known = (area.definition(hole), was.definition(hole), area.on_path(hole), slid(told, area, was, hole))
    run.facts.append(Known([hole], z3.And(*known, untold_stays(told, area, was, hole))))
    run.base = path.solver.facts
    array = SymbolicArray(2 * run.n - 1)
    array.forget(path)
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts |= {"model": Places(lambda i: told.before[i]), "area": was}
    run.know(contract.OCCUPIED, {})
    run.ghosts |= {
        "model": Places(told.new),
        "area": area,
        "held": area,
        "was": was,
        "writes": told,
        "split": SymbolicInt(split),
    }
    with run.guard():
        this.slide(SymbolicSequence(told.changes, told.change), told.freed, area.front, area.back)
    run.keeps_array(array, "inverted", "front", "back")
    run.show(contract.OCCUPIED, {})
    calls, below = term(run.monoid.calls), term(told.size * SymbolicInt(split))
    path.show("calls of a slide, split at any level s", calls <= below + tree.width(split) - 1)
    path.show("a slide of nothing", z3.Implies(z3.And(told.size.term == 0, split == tree.height), calls <= 0))
    if not area.inverted:
        places = area.back - area.front + 1
        path.show("filled_calls", formula(lambda: filled_calls(places, SymbolicInt(calls))))


def slid(told: SymbolicTold, area: AnyArea, was: AnyArea, v: Integer) -> Truth:
    """Return slide's precondition at a leaf: newly occupied places are changed, newly free places are given."""
    tree, over = told.tree, area.nodes(v)
    place = v - tree.leaves + 1
    given = z3.And(
        z3.Implies(over, z3.Or(told.is_changed(place), was.nodes(v))),
        z3.Or(over == was.nodes(v), told.is_told(place)),
        z3.Implies(told.freed.members[place], told.freed.length >= 1),
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


_RUNS: Final[dict[str, Callable[[type, Path], None]]] = {
    "__init__": construct,
    "slide": slide,
}


def explore_operation(
    algorithm: type, operation: DemarcatedOperation, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """Explore one operation of the tree, along every path.  Raises Unseen for code outside of the language."""
    run = _RUNS.get(operation, partial(query, operation, False))
    return explore(partial(run, algorithm), enough)
