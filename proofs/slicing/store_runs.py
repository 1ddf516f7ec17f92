"""Symbolic runs of the store of slices: its own code, over the theorems about FlatFAT.

FlatFAT is proved for every size (`flat-fat/proved-answer` and related claims): an update writes a value to its place
and changes no other, and a suffix is the product of the places from one on.  So here a tree consists of the contents of
its places; an obligation at an arbitrary place shows that the places of a suffix hold neighbours.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.contracts.slicing import slice_store as contract
from swagproof.proofs.engine.arrays import SymbolicSequence, greatest, join, least, symbolic_range
from swagproof.proofs.engine.paths import (
    Path,
    Unsupported,
    current_path,
    formula,
    mention,
    remember,
    show,
)
from swagproof.proofs.engine.run import Run, only, run_of_path, show_unchanged
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import (
    Container,
    Segment,
    SegmentMonoid,
    SymbolicBool,
    SymbolicInt,
    power_facts,
    power_of_two,
    term,
)
from swagproof.proofs.in_order.fifo_runs import OpaqueMonoid

METHODS: Final = ("place", "slice", "append", "rebuild", "suffix", "release")

_INT: Final = z3.IntSort()


def _collect(items: SymbolicSequence, wanted: Any, made: Any) -> SymbolicSequence:
    """Return [made(x) for x in items] for the kept slices, read at once, because they may change later."""
    path, run = current_path(), run_of_path()
    index = run.path.fresh("any kept")
    if path is None or not z3.is_true(formula(lambda: wanted(items.at(index)))):
        raise Unsupported("some of the slices")
    first = run.object.first.term
    if SymbolicBool(items.length >= 1):
        path.assume(z3.And(0 <= index, index < items.length))
        read = made(items.item(index))
        path.show("what is kept is each slice", formula(lambda: read == run.slices.slice(SymbolicInt(first + index))))
    return SymbolicSequence(items.length, lambda j: run.slices.slice(SymbolicInt(first + j)))


class StoreTree(Container):
    """FlatFAT by contract: n = 2^height places, and the content of each."""

    def __init__(self, height: Integer) -> None:
        remember(z3.And(height >= 0, power_facts(height)))
        self.height = height
        self.at: Callable[[Integer], tuple[Integer, Integer]] = lambda i: (i, i)

    @classmethod
    def unknown(cls, path: Path) -> "StoreTree":
        """Return any tree."""
        tree = cls(path.fresh("height"))
        tree.forget(path)
        return tree

    def forget(self, path: Path) -> None:
        lo, hi = (z3.Function(str(path.fresh(name)), _INT, _INT) for name in ("lo", "hi"))
        self.at = lambda i: (lo(i), hi(i))

    def terms(self) -> list[Any]:
        return [self.at, self.height]

    @property
    def n(self) -> SymbolicInt:
        """The number of places."""
        return SymbolicInt(power_of_two(self.height))

    def inside(self, i: Integer) -> Truth:
        """Return whether the place exists."""
        return z3.And(1 <= i, i <= self.n.term)

    def a(self, i: SymbolicInt) -> Segment:
        """Return the content of place i."""
        mention(term(i))
        show("the tree has this place", self.inside(term(i)))
        return Segment(*self.at(term(i)))

    def update(self, changes: SymbolicSequence) -> None:
        """Update one place."""
        show("one place changes", changes.length == 1)
        place, value = changes.at(z3.IntVal(0))
        show("the tree has this place", self.inside(term(place)))
        mention(term(place))
        old = self.at

        def at(i: Integer) -> tuple[Integer, Integer]:
            lo, hi = old(i)
            return z3.If(i == term(place), value.lo, lo), z3.If(i == term(place), value.hi, hi)

        self.at = at
        run_of_path().monoid.calls = run_of_path().monoid.calls + SymbolicInt(self.height)

    def suffix(self, j: SymbolicInt) -> Segment:
        """Return the product of the places from j on; each holds the records between two cuts, or none."""
        run, path = run_of_path(), run_of_path().path
        show("the tree has this place", self.inside(term(j)))
        p = path.fresh("any place")
        last, base = run.object.last.term, run.object.base.term
        here = self.a_of(p)
        kept = run.slices.cut_up_to(p + base - 1, last), run.slices.cut_up_to(p + base, last)
        empty = z3.And(here.lo == here.hi, kept[0] == kept[1])
        held = z3.Or(empty, z3.And(here.lo == kept[0], here.hi == kept[1]))
        show("the places of a suffix hold neighbours", z3.Implies(z3.And(term(j) <= p, p <= self.n.term), held))
        calls = path.fresh("calls of suffix")
        path.assume(z3.And(0 <= calls, calls <= self.height))
        run.monoid.calls = run.monoid.calls + SymbolicInt(calls)
        n = self.n.term
        return Segment(run.slices.cut_up_to(term(j) + base - 1, last), run.slices.cut_up_to(n + base, last))

    def a_of(self, i: Integer) -> Segment:
        """Return the content of place i, without the obligation that the place exists."""
        mention(i)
        return Segment(*self.at(i))


def _flat_fat(monoid: Any, values: SymbolicSequence) -> StoreTree:
    """Return FlatFat(monoid, values) for a power of two values, with n - 1 combine calls."""
    run = run_of_path()
    height = term(run.turns["rebuild_done"]) + 1
    tree = StoreTree(height)
    show("the tree is of the store's operator", z3.BoolVal(monoid is run.monoid))
    show("as many values as a power of two", values.length == power_of_two(height))
    tree.at = lambda i: (values.at(i - 1).lo, values.at(i - 1).hi)
    run.monoid.calls = run.monoid.calls + (tree.n - 1)
    return tree


class Slices:
    """The slices by definition: slice k has the records from cut(k) up to, but not including, cut(k + 1)."""

    def __init__(self) -> None:
        self.cut = z3.Function("cut", _INT, _INT)

    def slice(self, number: SymbolicInt) -> Segment:
        """Return the product of the records of a slice."""
        k = term(number)
        remember(self.cut(k) < self.cut(k + 1))
        return Segment(self.cut(k), self.cut(k + 1))

    def cut_up_to(self, k: Integer, last: Integer) -> Integer:
        """Return cut(k), or the end of the last slice if k is behind it."""
        remember(self.cut(k) < self.cut(k + 1))
        return self.cut(z3.If(k <= last, k, last + 1))


KEPT: Final = {"monoid", "first", "last", "base", "fat"}
"""The attributes of a store."""


class StoreRun(Run):
    """A store of any slices, in a tree of any size."""

    LOOKS = ("a", "suffix")
    NAMES: ClassVar[Mapping[str, Any]] = {
        "FlatFat": _flat_fat,
        "len": lambda items: items.size,
        "max": greatest,
        "min": least,
        "range": symbolic_range,
        "__list__": join,
        "__select__": _collect,
    }

    def __init__(self, path: Path, algorithm: Any) -> None:
        self.slices = Slices()
        super().__init__(path, SegmentMonoid(), contract.LOOPS, model=self.slices)
        numbers = {name: SymbolicInt(path.fresh(name)) for name in ("first", "last", "base")}
        self.make(only(algorithm, METHODS), **numbers, fat=StoreTree.unknown(path))
        self.know(contract.INVARIANT, {})

    def show_kept(self) -> None:
        """Show that the store has the same attributes, each of its kind."""
        now = self.attributes
        same = now.keys() == KEPT and now["monoid"] is self.monoid and isinstance(now["fat"], StoreTree)
        same = same and all(type(now[name]) in (int, SymbolicInt) for name in ("first", "last", "base"))
        self.path.show("the store keeps its attributes", z3.BoolVal(same))


def _start(algorithm: Any, path: Path) -> None:
    """Show that a store without slices meets the invariant."""
    monoid = OpaqueMonoid()
    made = algorithm(monoid)
    state = SimpleNamespace(**vars(made), n=made.fat.n, model=None)
    for clause in contract.INVARIANT:
        path.show(clause.__name__, formula(partial(clause, state)))
    path.show("the operator is kept", z3.BoolVal(made.monoid is monoid and made.fat.monoid is monoid))
    path.show("it begins with its attributes alone", z3.BoolVal(vars(made).keys() == KEPT))


def append(run: StoreRun) -> None:
    """Run `append` of the next slice."""
    store = run.object
    first, last, fat = store.first, store.last, store.fat
    store.append(run.slices.slice(last + 1))
    moved = store.fat is not fat
    run.path.show(
        "a slice is added, none is lost", z3.And(store.last.term == last.term + 1, store.first.term == first.term)
    )
    run.path.show(
        "append calls",
        formula(lambda: contract.append_calls(run.monoid.calls, store.fat.n, SymbolicInt(store.fat.height), moved)),
    )
    run.show(contract.INVARIANT, {})


def rebuild(run: StoreRun) -> None:
    """Run `rebuild`, which moves the slices to the front of a new tree."""
    store = run.object
    first, last = store.first, store.last
    store.rebuild()
    run.path.show("all slices are kept", z3.And(store.last.term == last.term, store.first.term == first.term))
    run.path.show("roomy", formula(lambda: contract.roomy(last + 1 - first, store.fat.n)))
    run.path.show("the first slice is in the first place", store.base.term == first.term)
    run.show(contract.INVARIANT, {})


def suffix(run: StoreRun) -> None:
    """Run `suffix` for the product of the slices from one on."""
    store, number = run.object, SymbolicInt(run.path.fresh("number"))
    run.path.assume(z3.And(store.first.term <= number.term, number.term <= store.last.term))
    before = run.state()
    product = store.suffix(number)
    show_unchanged(run, "a suffix changes nothing", before)
    end = run.slices.cut(store.last.term + 1)
    run.path.show(
        "the product of the slices from there on", z3.And(product.lo == run.slices.cut(number.term), product.hi == end)
    )
    run.path.show("suffix calls", term(run.monoid.calls) <= store.fat.height)


def release(run: StoreRun) -> None:
    """Run `release`, which forgets slices."""
    store, number = run.object, SymbolicInt(run.path.fresh("number"))
    first, last = store.first, store.last
    run.path.assume(number.term <= last.term + 1)
    store.release(number)
    run.path.show("release calls", term(run.monoid.calls) == 0)
    gone = z3.If(first.term <= number.term, number.term, first.term)
    run.path.show(
        "just the slices before it are forgotten", z3.And(store.first.term == gone, store.last.term == last.term)
    )
    run.show(contract.INVARIANT, {})


def _run(operation: Callable[[StoreRun], None], algorithm: Any, path: Path) -> None:
    """Run one operation of the store, from every state that meets the invariant."""
    this = StoreRun(path, algorithm)
    with this.guard():
        operation(this)
    this.show_kept()


RUNS: Final[Mapping[str, Callable[[Any, Path], None]]] = {
    "start": _start,
    **{each.__name__: partial(_run, each) for each in (append, rebuild, suffix, release)},
}
