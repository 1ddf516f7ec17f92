"""Symbolic runs of FlatFAT's operations, each from every state in which it may be called, for every n = 2^k.

new and update run over values of any kind under any operator (swagproof.proofs.engine.arrays): they keep equation 4.1
even if the operator is not associative.  Equation 4.2, which needs associativity, follows by induction over the levels,
over segments (swagproof.proofs.engine.heap): this is `aggregates`.  The queries run on a tree for which equation 4.2 is
assumed.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.clause import Loops
from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.proofs.engine.arrays import (
    FixedArray,
    SymbolicArray,
    SymbolicSequence,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula, mention, remember, show
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
    combine_uncounted,
    identical,
    power_facts,
    term,
)
from swagproof.proofs.flat_trees.complete_trees import CompleteTree
from swagproof.proofs.lemmas import flat_fat_loops as contract

FlatFatOperation = Literal[
    "new", "new filled", "new refused", "update", "update refused",
    "prefix", "suffix", "aggregate", "a", "place refused",
]  # fmt: skip
OPERATIONS: Final[tuple[FlatFatOperation, ...]] = (
    "new",
    "new filled",
    "new refused",
    "update",
    "update refused",
    "prefix",
    "suffix",
    "aggregate",
    "a",
    "place refused",
)

_INT: Final = z3.IntSort()


class SymbolicTree:
    """The clauses' proofs.lemmas.flat_fat_loops.Tree, for every height."""

    def __init__(self, tree: CompleteTree) -> None:
        self.tree = tree
        self.height = SymbolicInt(tree.height)

    def level(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.level, v)

    def first(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.first, v)

    def last(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.last, v)

    def on_level(self, v: SymbolicInt, level: SymbolicInt) -> SymbolicBool:
        remember(self.tree.same_level(term(level), term(v)))
        return SymbolicBool(self.level(v).term == term(level))

    def _of(self, function: Callable[[Integer], Integer], v: SymbolicInt) -> SymbolicInt:
        mention(term(v))
        return SymbolicInt(function(term(v)))


class Size(SymbolicInt):
    """A number n of values, for which n & (n - 1) is known; for n >= 1 it is 0 if and only if n is a power of two."""

    __slots__ = ("common",)

    def __init__(self, n: Integer, common: Integer) -> None:
        super().__init__(n)
        self.common = common

    def __and__(self, other: SymbolicInt) -> SymbolicInt:
        show("bits are compared with those of the number below", other.term == self.term - 1)
        return SymbolicInt(self.common)


class Places:
    """The model: the value of place i by definition, and the uncounted operator."""

    def __init__(self, at: Callable[[Integer], Any]) -> None:
        self.at = at
        self.monoid = SimpleNamespace(combine=combine_uncounted)

    def __getitem__(self, i: SymbolicInt) -> Value:
        return Value(self.at(term(i)))


class Products:
    """The model over segments: place i is [i, i + 1)."""

    def product(self, i: SymbolicInt, j: SymbolicInt) -> Segment:
        return Segment(term(i), term(j) + 1)


class Many(SymbolicInt):
    """The number m >= 0 of changes; m * x is defined by recursion on x, so that Z3 need not multiply unknowns."""

    __slots__ = ("asked", "times")

    def __init__(self, m: Integer) -> None:
        super().__init__(m)
        self.times = z3.Function("m *", _INT, _INT)
        self.asked: list[Integer] = []

    def __mul__(self, other: "int | SymbolicInt") -> SymbolicInt:
        x, times = term(other), self.times
        remember(z3.And(times(0) == 0, times(x) == times(x - 1) + self.term, z3.Implies(self.term == 0, times(x) == 0)))
        for y in self.asked:  # because m >= 0
            remember(z3.And(z3.Implies(x <= y, times(x) <= times(y)), z3.Implies(y <= x, times(y) <= times(x))))
        self.asked.append(x)
        return SymbolicInt(times(x))


class SymbolicWrites:
    """The clauses' proofs.lemmas.flat_fat_loops.Writes, for any m changes of different places in 1 .. n."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.size = Many(path.fresh("m"))
        self.before, self.values = (z3.Array(name, _INT, VALUES) for name in ("before", "val"))
        self.locations, self.numbers = (z3.Array(name, _INT, _INT) for name in ("loc", "number"))
        path.assume(self.size.term >= 0)

    def old(self, i: SymbolicInt) -> Value:
        return Value(self.before[term(i)])

    def number(self, i: SymbolicInt) -> SymbolicInt:
        """Return the number of the change of place i, or m if there is none; changes are of different places."""
        j = self.numbers[term(i)]
        remember(z3.And(0 <= j, j <= self.size.term, z3.Implies(j < self.size.term, self.locations[j] == term(i))))
        return SymbolicInt(j)

    def change(self, j: Integer) -> tuple[SymbolicInt, Value]:
        place = self.locations[j]
        fact = z3.And(self.numbers[place] == j, 1 <= place, place <= self.tree.leaves)
        remember(z3.Implies(z3.And(0 <= j, j < self.size.term), fact))
        return SymbolicInt(place), Value(self.values[j])

    def new(self, i: Integer) -> Any:
        j = self.number(SymbolicInt(i)).term
        return z3.If(j < self.size.term, self.values[j], self.before[i])


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
        self.ghosts["tree"] = SymbolicTree(self.tree)
        spoken_of = (hole, hole / 2) if parents else (hole,)
        self.facts = [Known(hole, z3.And(*(fact for v in spoken_of for fact in self.tree.facts(v).values())))]
        path.assume(z3.And(power_facts(k), *self.tree.facts(z3.IntVal(1)).values()))
        self.base = path.solver.facts

    def example(self, model: Model) -> str:
        given = {str(d).partition("!")[0]: model[d] for d in sorted(model.decls(), key=str) if d.arity() == 0}
        return ", ".join(f"{name} = {given[name]}" for name in ("k", "m", "split", "i", "j") if name in given)

    def keeps_array(self, array: Any) -> None:
        """Show that the object has the same attributes, and no others."""
        this = self.attributes
        same = set(this) == {"monoid", "n", "T"} and this["monoid"] is self.monoid and term(this["n"]).eq(self.n.term)
        self.path.show("the object keeps its attributes", z3.BoolVal(same and this["T"] is array))


def new(algorithm: type, path: Path) -> None:
    """Show that FlatFat(values) establishes equation 4.1 everywhere, with n - 1 calls."""
    run = FlatFatRun(path, AnyOperation(), contract.NEW)
    values = z3.Array("values", _INT, VALUES)
    run.ghosts["model"] = Places(lambda i: values[i])
    this = run.make(algorithm)
    del this.monoid  # __init__ runs on an object without attributes
    items = SymbolicSequence(run.tree.leaves, lambda j: Value(values[j + 1]))
    items.size = Size(items.length, z3.IntVal(0))
    with run.guard():
        this.__init__(run.monoid, items)
    made = getattr(this, "T", None)
    path.show("new makes T", z3.BoolVal(isinstance(made, SymbolicArray)))
    run.keeps_array(made)
    run.show(contract.INVARIANT, {})
    path.show("new calls", term(run.monoid.calls) == run.tree.leaves - 1)


class WrittenArray(SymbolicArray):
    """An array with all slots written, for counting calls; other runs show that only written slots are read."""

    def __init__(self, size: "int | SymbolicInt") -> None:
        super().__init__(size)
        self.written = z3.K(_INT, z3.BoolVal(True))

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.written = z3.K(_INT, z3.BoolVal(True))


_BOTTOM: Final = z3.Const("bottom", VALUES)


def _is_bottom(x: Value, y: object) -> SymbolicBool:
    """Return whether x is ⊥."""
    return SymbolicBool(x.term == _BOTTOM) if y is BOTTOM else SymbolicBool(z3.BoolVal(identical(x, y)))


class AnyWithBottom(AnyOperation):
    """Any operator with ⊥ adjoined by WithBottom's own combine; it counts the calls of the operator."""

    adjoined = staticmethod(rewrite(WithBottom.combine, {"__is__": _is_bottom}).method)

    def combine(self, x: Value, y: Value) -> Value:
        made: Value = self.adjoined(SimpleNamespace(monoid=SimpleNamespace(combine=super().combine)), x, y)
        remember(z3.Implies(z3.And(x.term != _BOTTOM, y.term != _BOTTOM), made.term != _BOTTOM))
        return made


class SymbolicFilled:
    """The clauses' proofs.lemmas.flat_fat_loops.Filled, for any number of places."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.size = SymbolicInt(path.fresh("m"))
        self.ends = z3.Function("end of filled", _INT, _INT)
        path.assume(z3.And(0 <= self.size.term, self.size.term <= tree.leaves))

    def end(self, level: "int | SymbolicInt") -> SymbolicInt:
        """Return the end at a level, defined recursively from the leaves."""
        x, ends = term(level), self.ends
        above = z3.Implies(x >= 1, ends(x) == (ends(x - 1) + 1) / 2)
        remember(z3.And(ends(0) == self.tree.leaves + self.size.term, above))
        return SymbolicInt(ends(x))


class FilledRun(FlatFatRun):
    """A run that only counts calls."""

    NAMES: ClassVar[Mapping[str, Any]] = {**ArrayRun.NAMES, Array.__name__: WrittenArray}


def new_filled(algorithm: type, path: Path, *, operation: type[AnyOperation] = AnyWithBottom, besides: int = 0) -> None:
    """Bound the operator's calls in FlatFat(values), where the first m values are elements and the others ⊥.

    A control adds the calls `besides` if there are elements, so that the bound fails where it is reached.
    """
    run = FilledRun(path, operation(), contract.NEW_FILLED)
    values, filled = z3.Array("values", _INT, VALUES), SymbolicFilled(path, run.tree)
    run.ghosts |= {"filled": filled, "bottom": Value(_BOTTOM)}

    def item(j: Integer) -> Value:
        remember((values[j] == _BOTTOM) == (filled.size.term <= j))
        return Value(values[j])

    run.base = path.solver.facts
    items = SymbolicSequence(run.tree.leaves, item)
    items.size = Size(items.length, z3.IntVal(0))
    this = run.make(algorithm)
    with run.guard():
        this.__init__(run.monoid, items)
    spared, calls = z3.And(besides > 0, filled.size.term == 0), run.monoid.calls + besides
    path.show("filled_calls", z3.Or(spared, formula(lambda: filled_calls(filled.size, calls))))


def new_refused(algorithm: type, path: Path) -> None:
    """Show that an empty list, and a number of values that is not a power of two, are refused."""
    run = FlatFatRun(path, AnyOperation(), contract.NEW)
    n, common = path.fresh("n"), path.fresh("common")
    path.assume(z3.And(n >= 0, z3.Or(n < 1, common != 0)))
    values = z3.Array("values", _INT, VALUES)
    run.ghosts["model"] = Places(lambda i: values[i])
    items = SymbolicSequence(n, lambda j: Value(values[j + 1]))
    items.size = Size(n, common)
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
    run.ghosts |= {"model": Places(writes.new), "writes": writes, "split": SymbolicInt(split)}
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


def show_query(run: FlatFatRun, this: Any, name: str, i: Integer, product: Segment, bound: Integer) -> None:
    """Show that a query returns this product within this many calls, and leaves the array unchanged."""
    with run.guard():
        answer = getattr(this, name)(*([] if name == "aggregate" else [SymbolicInt(i)]))
    run.path.show("answer", formula(lambda: answer == product))
    run.path.show("query calls", term(run.monoid.calls) <= bound)
    run.keeps_array(this.T)


def query(name: str, algorithm: type, path: Path) -> None:
    """Show the results and calls of prefix(i), suffix(j), aggregate() and a(i), assuming equation 4.2."""
    run = FlatFatRun(path, SegmentMonoid(), contract.QUERIES, parents=True)
    tree, one, n = run.tree, z3.IntVal(1), run.tree.leaves
    array = FixedArray(2 * n - 1, lambda v: Segment(tree.first(v), tree.last(v) + 1))
    this = run.make(algorithm, n=run.n, T=array)
    run.ghosts["model"] = Products()
    i = path.fresh("i")
    path.assume(z3.And(1 <= i, i <= n))
    start, end, bound = {
        "prefix": (one, i, tree.height),
        "suffix": (i, n, tree.height),
        "aggregate": (one, n, z3.IntVal(0)),
        "a": (i, i, z3.IntVal(0)),
    }[name]
    show_query(run, this, name, i, Segment(start, end + 1), bound)
    run.keeps_array(array)


def aggregates(mirrored: bool, path: Path) -> None:
    """Show equation 4.2 from equation 4.1 by induction over levels: at leaves, and at a node whose children meet it."""
    k, v = path.fresh("k"), path.fresh("v")
    path.assume(k >= 0)
    tree, monoid = CompleteTree(k), SegmentMonoid()
    for u in (v, 2 * v, 2 * v + 1):
        path.assume(z3.And(*tree.facts(u).values()))

    def holds(u: Integer, aggregate: Segment) -> Truth:
        return formula(lambda: aggregate == Segment(tree.first(u), tree.last(u) + 1))

    place = v - tree.leaves + 1
    path.assume(tree.is_node(v))
    if SymbolicBool(v >= tree.leaves):
        path.show("equation 4.2 at leaves", holds(v, Segment(place, place + 1)))
        return
    left, right = (Segment(tree.first(u), tree.last(u) + 1) for u in (2 * v, 2 * v + 1))
    whole = monoid.combine(right, left) if mirrored else monoid.combine(left, right)
    path.show("equation 4.2 from level to level", holds(v, whole))


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

    def run(path: Path) -> None:
        if operation in _RUNS:
            _RUNS[operation](algorithm, path)
        else:
            query(operation, algorithm, path)

    return explore(run, enough)
