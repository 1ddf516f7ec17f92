"""Symbolic runs of FlatFAT's operations, each from every state in which it may be called, for every n = 2^k.

new and update run over values of any kind under any operator (swagproof.proofs.engine.arrays): they keep equation 4.1
even if the operator is not associative.  Equation 4.2, which needs associativity, follows by induction over the levels,
over segments (swagproof.proofs.engine.heap): this is `products`.  The queries run on a tree for which equation 4.2 is
assumed.  The tree of the FIFO Reactive Aggregator inherits the queries, and only some of its places are occupied.  So
`products` and the queries are stated for any occupied places; all places of FlatFAT are.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, Literal, get_args

from swagproof.contracts.clause import Loops
from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.models.containers.array import Array
from swagproof.proofs.engine.arrays import (
    FixedArray,
    SymbolicArray,
    SymbolicSequence,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula, remember
from swagproof.proofs.engine.run import Known, Run, show_refusal, show_unchanged
from swagproof.proofs.engine.solver import Integer, Model, Truth, z3
from swagproof.proofs.engine.values import (
    VALUES,
    AnyOperation,
    Segment,
    SegmentMonoid,
    SymbolicBool,
    SymbolicInt,
    Value,
    common_bits,
    power_facts,
    term,
)
from swagproof.proofs.flat_trees.array_values import (
    BOTTOM_TERM,
    AllWritten,
    AnyWithBottom,
    FirstPlaces,
    Places,
    Products,
    SymbolicTree,
    SymbolicWrites,
    WrittenArray,
    occupied,
)
from swagproof.proofs.flat_trees.complete_trees import CompleteTree
from swagproof.proofs.lemmas import flat_fat_loops as contract

FlatFatOperation = Literal[
    "new", "new filled", "new refused", "update", "update refused",
    "prefix", "suffix", "aggregate", "a", "place refused",
]  # fmt: skip
OPERATIONS: Final[tuple[FlatFatOperation, ...]] = get_args(FlatFatOperation)

_INT: Final = z3.IntSort()


class ArrayRun(Run):
    """A run of a class that keeps arrays, and sets of numbers that it iterates."""

    NAMES: ClassVar[Mapping[str, Any]] = {
        "set": symbolic_set,
        "range": symbolic_range,
        "len": lambda items: items.size,
        Array.__name__: SymbolicArray,
    }
    ERRORS = (IndexError, ValueError)


class FlatFatRun(ArrayRun):
    """A run on a tree of n = 2^k leaves, k >= 0."""

    def __init__(self, path: Path, monoid: Any, loops: Loops, *, parents: bool = False) -> None:
        super().__init__(path, monoid, loops)
        path.solver.set("smt.arith.solver", 2)  # the older solver: as reliable for these linear questions, and faster
        k, hole = path.fresh("k"), z3.Int("any node")
        path.assume(k >= 0)
        self.tree = CompleteTree(k)
        self.n = SymbolicInt(self.tree.leaves)
        self.ghosts |= {"tree": SymbolicTree(self.tree), "area": occupied(True)}
        spoken_of = (hole, hole / 2) if parents else (hole,)
        self.facts = [Known([hole], z3.And(*(fact for v in spoken_of for fact in self.tree.facts(v).values())))]
        path.assume(z3.And(power_facts(k), common_bits(self.tree.leaves) == 0, *self.tree.facts(z3.IntVal(1)).values()))
        self.base = path.solver.facts

    def example(self, model: Model) -> str:
        given = {str(d).partition("!")[0]: model[d] for d in sorted(model.decls(), key=str) if d.arity() == 0}
        return ", ".join(f"{name} = {given[name]}" for name in ("k", "m", "split", "i", "j") if name in given)

    def keeps_array(self, array: Any, *besides: str) -> None:
        """Show that the object has the same attributes, those in `besides`, and no others."""
        this = self.attributes
        same = set(this) == {"monoid", "n", "T", *besides} and this["monoid"] is self.monoid and this["T"] is array
        self.path.show("the object keeps its attributes", z3.BoolVal(same and term(this["n"]).eq(self.n.term)))


def new(algorithm: type, path: Path) -> None:
    """Show that FlatFat(values) establishes equation 4.1 everywhere, with n - 1 calls."""
    run = FlatFatRun(path, AnyOperation(), contract.NEW)
    values = z3.Array("values", _INT, VALUES)
    run.ghosts |= {"model": Places(lambda i: values[i]), "was": occupied(False), "writes": AllWritten(run.n)}
    this = run.make(algorithm)
    del this.monoid  # __init__ runs on an object without attributes
    items = SymbolicSequence(run.tree.leaves, lambda j: Value(values[j + 1]))
    with run.guard():
        this.__init__(run.monoid, items)
    made = getattr(this, "T", None)
    path.show("new makes T", z3.BoolVal(isinstance(made, SymbolicArray)))
    run.keeps_array(made)
    run.show(contract.INVARIANT, {})
    path.show("new calls", term(run.monoid.calls) == run.tree.leaves - 1)


class FilledRun(FlatFatRun):
    """A run that only counts calls."""

    NAMES: ClassVar[Mapping[str, Any]] = {**ArrayRun.NAMES, Array.__name__: WrittenArray}


def new_filled(algorithm: type, path: Path, *, operation: type[AnyOperation] = AnyWithBottom, besides: int = 0) -> None:
    """Bound the operator's calls in FlatFat(values), where the first m values are elements and the others ⊥.

    A control adds the calls `besides` if there are elements, so that the bound fails where it is reached.
    """
    run = FilledRun(path, operation(), contract.NEW_FILLED)
    values, filled = z3.Array("values", _INT, VALUES), FirstPlaces(path, run.tree)
    run.ghosts |= {"held": filled, "bottom": Value(BOTTOM_TERM), "was": occupied(False), "writes": AllWritten(run.n)}

    def item(j: Integer) -> Value:
        remember((values[j] == BOTTOM_TERM) == (filled.back.term <= j))
        return Value(values[j])

    run.base = path.solver.facts
    items = SymbolicSequence(run.tree.leaves, item)
    this = run.make(algorithm)
    with run.guard():
        this.__init__(run.monoid, items)
    spared, calls = z3.And(besides > 0, filled.back.term == 0), run.monoid.calls + besides
    path.show("filled_calls", z3.Or(spared, formula(lambda: filled_calls(filled.back, calls))))


def new_refused(algorithm: type, path: Path) -> None:
    """Show that an empty list, and a number of values that is not a power of two, are refused."""
    run = FlatFatRun(path, AnyOperation(), contract.REFUSED)
    n = path.fresh("n")
    path.assume(z3.And(n >= 0, z3.Or(n < 1, common_bits(n) != 0)))
    values = z3.Array("values", _INT, VALUES)
    items = SymbolicSequence(n, lambda j: Value(values[j + 1]))
    this = run.make(algorithm)
    show_refusal(run, "a bad number of values is refused", (ValueError,), lambda: this.__init__(run.monoid, items))


def update(algorithm: type, path: Path) -> None:
    """Show that update(changes), of different places in 1 .. n, writes only these places and keeps equation 4.1."""
    run = FlatFatRun(path, AnyOperation(), contract.UPDATE)
    tree, split = run.tree, path.fresh("split")
    writes = SymbolicWrites(path, tree)
    m = writes.size
    path.assume(z3.And(0 <= split, split <= tree.height, power_facts(tree.height - split)))
    run.base = path.solver.facts
    array = SymbolicArray(2 * run.n - 1)
    array.forget(path)
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts["model"] = Places(lambda i: writes.before[i])
    run.know(contract.INVARIANT, {})
    run.ghosts |= {"model": Places(writes.new), "was": occupied(True), "writes": writes, "split": SymbolicInt(split)}
    with run.guard():
        this.update(SymbolicSequence(m.term, writes.change))
    run.keeps_array(this.T)
    run.show(contract.INVARIANT, {})
    calls, below = term(run.monoid.calls), term(m * SymbolicInt(split))
    path.show("update calls, split at any level s", calls <= below + tree.width(split) - 1)
    path.show("Theorem 4.2 (ii), t = s", z3.Implies(tree.width(split) <= m.term, calls <= below + m.term - 1))
    path.show("update of nothing", z3.Implies(z3.And(m.term == 0, split == tree.height), calls <= 0))


def update_refused(algorithm: type, path: Path) -> None:
    """Show that changes with a place outside 1 .. n, or two of one place, are refused and change nothing."""
    run = FlatFatRun(path, AnyOperation(), contract.REFUSED)
    array = SymbolicArray(2 * run.n - 1)
    array.forget(path)
    this = run.make(algorithm, n=run.n, T=array)
    m, twin, bad = (path.fresh(name) for name in ("m", "twin", "bad"))
    locations, values = z3.Array("loc", _INT, _INT), z3.Array("val", _INT, VALUES)
    outside = z3.And(twin == bad, z3.Or(locations[bad] < 1, run.tree.leaves < locations[bad]))
    twice = z3.And(twin < bad, locations[twin] == locations[bad])
    path.assume(z3.And(0 <= twin, twin <= bad, bad < m, z3.Or(outside, twice)))
    run.base = path.solver.facts
    run.ghosts |= {"bad": SymbolicInt(bad), "twin": SymbolicInt(twin), "place": SymbolicInt(locations[twin])}
    before = run.state()
    changes = SymbolicSequence(m, lambda j: (SymbolicInt(locations[j]), Value(values[j])))
    show_refusal(run, "a bad location is refused", (IndexError, ValueError), lambda: this.update(changes))
    run.keeps_array(array)
    show_unchanged(run, "nothing has changed", before)


def place_refused(algorithm: type, path: Path) -> None:
    """Show that a place outside 1 .. n raises IndexError and changes nothing."""
    run = FlatFatRun(path, SegmentMonoid(), contract.QUERIES, parents=True)
    tree = run.tree
    array = FixedArray(2 * tree.leaves - 1, lambda v: Segment(tree.first(v), tree.last(v) + 1))
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts["model"] = Products()
    i = path.fresh("i")
    path.assume(z3.Or(i < 1, tree.leaves < i))
    ask = this.prefix if SymbolicBool(z3.Bool("it is prefix")) else this.suffix
    show_refusal(run, "IndexError is raised", (IndexError,), lambda: ask(SymbolicInt(i)))
    run.keeps_array(array)


# Queries, of a tree whose places from front to back are occupied: of FlatFAT, all of them are


def product_below(tree: CompleteTree, front: Integer, back: Integer, v: Integer) -> tuple[Truth, Truth, Segment]:
    """Return whether a node is over an occupied place, whether these are neighbours, and their product."""
    first, last = tree.first(v), tree.last(v)
    low, high = first <= back, front <= last
    least, most = z3.If(front <= first, first, front), z3.If(last <= back, last, back)
    around = z3.And(low, high)
    whole = Segment(z3.If(low, first, least), z3.If(high, last, most) + 1)
    inverted = back < front
    over = z3.If(inverted, z3.Or(low, high), around)
    neighbours = z3.Or(z3.Not(inverted), z3.Not(around), back + 1 == front)
    return over, neighbours, Segment(z3.If(inverted, whole.lo, least), z3.If(inverted, whole.hi, most + 1))


def occupy(path: Path, tree: CompleteTree, full: bool) -> tuple[Integer, Integer]:
    """Return the first and last occupied place: of all places, or of any area, wrapping around if back < front."""
    front, back = (z3.IntVal(1), tree.leaves) if full else (path.fresh("F"), path.fresh("B"))
    path.assume(z3.And(*(z3.And(1 <= x, x <= tree.leaves) for x in (front, back))))
    return front, back


def query(name: str, full: bool, algorithm: type, path: Path) -> None:
    """Show the results and calls of prefix(i), suffix(j), aggregate() and a(i), over places that are all occupied.

    Of the nodes over occupied places the contents are known: `products`, which for a full tree is equation 4.2.
    """
    run = FlatFatRun(path, SegmentMonoid(), contract.QUERIES, parents=True)
    tree, n, i = run.tree, run.tree.leaves, path.fresh("i")
    front, back = occupy(path, tree, full)
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
    around = z3.And(back < front, z3.Or(end <= back, front <= start, back + 1 == front))
    path.assume(z3.And(1 <= i, i <= n, start <= end, z3.Or(z3.And(front <= start, end <= back), around)))
    with run.guard():
        answer = getattr(this, name)(*([] if name == "aggregate" else [SymbolicInt(i)]))
    path.show("answer", formula(lambda: answer == Segment(start, end + 1)))
    path.show("query calls", term(run.monoid.calls) <= bound)
    run.keeps_array(array)


def products(mirrored: bool, full: bool, path: Path) -> None:
    """Show that nodes hold the products of their occupied places, by induction over levels, from the leaves up.

    A node holds what its children over occupied places hold.  In a full tree this is equation 4.1, and the products are
    equation 4.2.
    """
    k, v = path.fresh("k"), path.fresh("v")
    path.assume(k >= 0)
    tree, monoid = CompleteTree(k), SegmentMonoid()
    for u in (v, 2 * v, 2 * v + 1):
        path.assume(z3.And(*tree.facts(u).values()))
    path.assume(tree.is_node(v))
    front, back = occupy(path, tree, full)
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


_RUNS: Final[dict[FlatFatOperation, Callable[[type, Path], None]]] = {
    "new": new,
    "new filled": new_filled,
    "new refused": new_refused,
    "update": update,
    "update refused": update_refused,
    "place refused": place_refused,
}


def explore_operation(
    algorithm: type, operation: FlatFatOperation, enough: Callable[[Exploration], bool] = lambda _: False
) -> Exploration:
    """Explore one operation of the class, along every path.  Raises Unseen for code outside of the language."""
    return explore(partial(_RUNS.get(operation, partial(query, operation, True)), algorithm), enough)
