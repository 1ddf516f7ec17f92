"""The symbolic runs of the tree of the Reactive Aggregator for FIFO, for every n = 2^k: its constructor, what a slide
costs, and its queries.

Over values of any kind, under any operator, a slide is run for the calls that it makes: what the tree holds then plays
no part.  On each level the nodes with two children over the area are as many as nodes over it are fewer than below, so
that the calls add up to less than its places.  The queries are run on a tree of which it is known what each node holds
that is over occupied places; that these are products follows by induction over the levels (`occupied_products`).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal, cast

from swagproof.contracts.flat_trees import demarcated_loops as contract
from swagproof.contracts.flat_trees import loops as flat_fat
from swagproof.models.containers.array import Array
from swagproof.proofs.engine.arrays import (
    FixedArray,
    SymbolicArray,
    SymbolicSequence,
    SymbolicSet,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.language import DEMARCATED
from swagproof.proofs.engine.paths import (
    Exploration,
    Path,
    Unsupported,
    enclosing_path,
    explore,
    formula,
    remember,
)
from swagproof.proofs.engine.run import Cutter
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
from swagproof.proofs.flat_trees.array_runs import FlatFatRun, Many, Products, show_query
from swagproof.proofs.flat_trees.complete_trees import CompleteTree

Operation = Literal["__init__", "slide", "aggregate", "prefix", "suffix", "a"]
OPERATIONS: Final[tuple[Operation, ...]] = ("__init__", "slide", "aggregate", "prefix", "suffix", "a")

_INT: Final = z3.IntSort()


class Told:
    """Any numbers of places freed and changed, in 1 .. n; no two changes are of one place."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.freed, self.changes = SymbolicSet.unknown(path), path.fresh("changes")
        path.assume(self.changes >= 0)
        self.size = Many(self.freed.count + self.changes)
        self.values, self.locations = z3.Array("val", _INT, VALUES), z3.Array("loc", _INT, _INT)
        self.listed = z3.Function("freed place", _INT, _INT)

    def inside(self, i: Integer) -> Truth:
        """That there is such a place."""
        return z3.And(1 <= i, i <= self.tree.leaves)

    def change(self, j: Integer) -> tuple[SymbolicInt, Value]:
        """The j-th change."""
        place = self.locations[j]
        remember(z3.Implies(z3.And(0 <= j, j < self.changes), self.inside(place)))
        return SymbolicInt(place), Value(self.values[j])

    def free(self, j: Integer) -> SymbolicInt:
        """The j-th place freed, in an order that is not known."""
        place = self.listed(j)
        remember(z3.Implies(z3.And(0 <= j, j < self.freed.count), self.inside(place)))
        return SymbolicInt(place)


def _select(items: Any, wanted: Callable[..., Any], made: Callable[..., Any]) -> SymbolicSequence:
    """[made(*item) for item in items]"""
    if not isinstance(items, SymbolicSequence) or wanted(*items.at(z3.IntVal(0))) is not True:
        raise Unsupported("a comprehension that chooses, or of what is no sequence of changes")
    return SymbolicSequence(items.length, lambda j: made(*items.item(j)))


def _make_list(run: Any, *parts: Any) -> SymbolicSequence:
    """[*freed, *places]"""
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

    LANGUAGE = DEMARCATED
    NAMES: ClassVar[Any] = {
        "set": symbolic_set,
        "range": symbolic_range,
        "len": lambda items: items.size,
        Array.__name__: SymbolicArray,
        "__select__": _select,
        "__list__": lambda *parts: _make_list(_run(), *parts),
    }
    told: Told

    def cutter(self, method: str, loops: Any, number: int) -> Cutter:
        """The loop in propagate has rewrite move the paths of front and back."""
        if method == "propagate":
            loops = [replace(each, attributes=(*each.attributes, "back", "front")) for each in loops]
        return super().cutter(method, loops, number)

    def keeps_tree(self, array: Any, *besides: str) -> None:
        """The object has what it had, and these."""
        this = self.attributes
        same = set(this) == {"monoid", "n", "T", *besides} and this["monoid"] is self.monoid and this["T"] is array
        self.path.show("the object keeps its attributes", z3.BoolVal(same and term(this["n"]).eq(self.n.term)))


def _run() -> Any:
    path = enclosing_path()
    assert path is not None
    return path.run


def construct(algorithm: type, path: Path) -> None:
    """DemarcatedFat(monoid, n): no place is occupied, and nothing is called."""
    run = DemarcatedRun(path, AnyOperation(), {})
    this = run.make(algorithm)
    del this.monoid  # __init__ is run, as the class does with a new object
    with run.guard():
        this.__init__(run.monoid, run.n)
    made = getattr(this, "T", None)
    path.show("__init__ makes T", z3.BoolVal(isinstance(made, SymbolicArray)))
    run.keeps_tree(made, "inverted")
    run.show((flat_fat.array,), {})
    path.show("__init__ calls", term(run.monoid.calls) == 0)


class WrittenArray(SymbolicArray):
    """All slots written: where calls are counted; that what is read was written, is shown where values are."""

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.written = z3.K(_INT, z3.BoolVal(True))


def slide(algorithm: type, path: Path) -> None:
    """slide(changes, freed, F, B), of any places, to any area: how often it invokes combine."""
    run = DemarcatedRun(path, AnyOperation(), contract.SLIDE)
    tree, split = run.tree, path.fresh("split")
    told = run.told = Told(path, tree)
    front, back = (SymbolicInt(path.fresh(name)) for name in ("F", "B"))
    path.assume(z3.And(told.inside(front.term), told.inside(back.term)))
    path.assume(z3.And(0 <= split, split <= tree.height, power_facts(tree.height - split)))
    array = WrittenArray(2 * run.n - 1)
    array.forget(path)
    this = run.make(algorithm, n=run.n, T=array)
    inverted = not SymbolicBool(front.term <= back.term)
    run.base = path.solver.facts
    area = SimpleNamespace(front=front, back=back, inverted=inverted)
    run.ghosts |= {"area": area, "writes": told, "split": SymbolicInt(split)}
    with run.guard():
        this.slide(SymbolicSequence(told.changes, told.change), told.freed, front, back)
    run.keeps_tree(array, "inverted", "front", "back")
    calls, below = term(run.monoid.calls), term(told.size * SymbolicInt(split))
    path.show("calls of a slide, split at any level s", calls <= below + tree.width(split) - 1)
    path.show("a slide of nothing", z3.Implies(z3.And(told.size.term == 0, split == tree.height), calls <= 0))
    if not inverted:
        occupied, few = back - front + 1, cast(Any, contract.slide_calls)
        path.show("slide calls", formula(lambda: few(occupied, SymbolicInt(calls))))


# Queries


def product_below(tree: CompleteTree, front: Integer, back: Integer, v: Integer) -> tuple[Truth, Truth, Segment]:
    """Whether a node is over the area, whether what it is over are neighbours, and their product."""
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
    """aggregate(), prefix(i), suffix(j), a(i), of places that are all occupied: what they answer, in how many calls."""
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
    """Products of occupied places, where a node holds what its children over occupied places hold, by induction over
    levels: at leaves, and at a node whose children have them."""
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
}


def explore_operation(
    algorithm: type, operation: Operation, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """One operation of the tree, along every path.  Unseen where it is written in more than the engine sees."""
    run = _RUNS.get(operation, partial(query, operation))
    return explore(partial(run, algorithm), enough)
