"""Symbolic values for the parts of the Reactive Aggregator: tickets, rows of values, windows, and the trees.

A tree has only the properties that its theorems state: the content of each place, and products of neighbouring places.
So a product is a segment if neighbouring places hold neighbouring elements, which is shown at an arbitrary place.  The
preconditions of the tree's methods are obligations at their calls.

A place holds an element or ⊥, never a product: the t-th element to arrive is the segment [t, t + 1).
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.proofs.engine.arrays import (
    ITEMS,
    ByPlace,
    Enumerated,
    GrowingList,
    Item,
    SymbolicArray,
    SymbolicMap,
    SymbolicSequence,
    SymbolicSet,
    aggregate_of,
    join,
    symbolic_range,
    symbolic_set,
)
from swagproof.proofs.engine.heap import SymbolicWindow
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import Path, Unsupported, formula, mention, remember, show
from swagproof.proofs.engine.run import run_of_path
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import (
    Container,
    Segment,
    SegmentMonoid,
    Sized,
    SymbolicBool,
    SymbolicInt,
    either,
    identical,
    term,
)

_INT: Final = z3.IntSort()
NONE: Final = -1
"""The number that represents the absence of a ticket."""
UNWRITTEN: Final = -2


class Ticket(SymbolicInt):
    """A ticket number or None, read from a slot."""

    __slots__ = ()


class Tickets(SymbolicArray):
    """An array of tickets and None: their numbers, `UNWRITTEN` in slots that were not written."""

    def __init__(self, size: "int | SymbolicInt") -> None:
        self.length = term(size)
        self.values = z3.K(_INT, z3.IntVal(UNWRITTEN))

    def forget(self, path: Path) -> None:
        self.values = z3.Array(str(path.fresh("tickets")), _INT, _INT)

    def terms(self) -> list[Any]:
        return [self.values, self.length]

    def __getitem__(self, index: "int | SymbolicInt") -> Any:
        slot = self.index_of(index)
        show("what is read from the array was written", self.values[slot] != UNWRITTEN)
        return Ticket(self.values[slot])

    def __setitem__(self, index: "int | SymbolicInt", value: Any) -> None:
        self.values = z3.Store(self.values, self.index_of(index), NONE if value is None else term(value))


def make_list(*parts: Any) -> "GrowingList | SymbolicSequence":
    """Return [x, *items], with single items in Python's lists; without parts, a list that may grow."""
    return join(*map(_aggregates, parts)) if parts else GrowingList.of("", ITEMS)


def _aggregates(part: Any) -> Any:
    """Return a part of a list as partial aggregates."""
    if isinstance(part, list):
        return [*map(aggregate_of, part)]  # pyright: ignore[reportUnknownArgumentType]  # of any kind
    items = make_copy(part)
    return SymbolicSequence(items.length, lambda j: aggregate_of(items.item(j)))


def same(x: Any, y: Any) -> Any:
    """Return whether x is y; y may also be None or ⊥."""
    if y is None and isinstance(x, Ticket):
        return SymbolicBool(x.term == NONE)
    if y is BOTTOM and isinstance(x, Item | Segment):
        return SymbolicBool(aggregate_of(x).empty)
    return identical(x, y)


def make_copy(items: Any) -> Any:
    """Return list(items), a copy of the present items."""
    return items.freeze() if isinstance(items, Container) else items


# Windows by definition


class Window(SymbolicWindow):
    """A FIFO window: the elements by place."""

    @property
    def values(self) -> "Window":
        return self


class AnyOrder(Sized, Container):
    """A window in any order: tickets by place and places by ticket.

    The two functions are inverse, because no ticket occurs twice.  An element is identified by its ticket: the one with
    ticket t is [t, t + 1).  A product is identified by the places of its elements.
    """

    def __init__(self, path: Path) -> None:
        ticket, place = z3.Function("ticket", _INT, _INT), z3.Function("place", _INT, _INT)
        n = self.length = path.fresh("n")
        latest = path.fresh("arrived")
        self.arrived = SymbolicInt(latest)
        path.assume(z3.And(n >= 0, latest >= n))

        def ticket_at(i: Integer) -> Integer:
            t = ticket(i)
            remember(z3.Implies(z3.And(0 <= i, i < n), z3.And(0 <= t, t < latest, place(t) == i)))
            return t

        def place_of(t: Integer) -> Integer:
            i = place(t)
            remember(z3.And(NONE <= i, i < n, z3.Implies(i != NONE, z3.And(ticket(i) == t, 0 <= t, t < latest))))
            return i

        self.ticket_at, self.place_of = ticket_at, place_of

    def terms(self) -> list[Any]:
        return [self.ticket_at, self.place_of, self.length, self.arrived]

    @property
    def tickets(self) -> ByPlace:
        return ByPlace(lambda i: SymbolicInt(self.ticket_at(i)))

    @property
    def values(self) -> ByPlace:
        return ByPlace(lambda i: Segment(self.ticket_at(i), self.ticket_at(i) + 1))

    def place(self, ticket: "int | SymbolicInt") -> SymbolicInt:
        return SymbolicInt(self.place_of(term(ticket)))

    def insert(self) -> None:
        n, latest, ticket_at, place_of = self.length, term(self.arrived), self.ticket_at, self.place_of
        self.ticket_at = lambda i: z3.If(i == n, latest, ticket_at(i))
        self.place_of = lambda t: z3.If(t == latest, n, place_of(t))
        self.length, self.arrived = n + 1, self.arrived + 1

    def evict(self, p: Integer) -> None:
        """Remove the element at a valid place."""
        ticket_at, place_of, gone = self.ticket_at, self.place_of, self.ticket_at(p)
        self.ticket_at = lambda i: z3.If(i < p, ticket_at(i), ticket_at(i + 1))
        self.place_of = lambda t: z3.If(
            t == gone, NONE, z3.If(place_of(t) > p, place_of(t) - 1, place_of(t))
        )  # fmt: skip
        self.length = self.length - 1


# Trees by their contracts


class BufferTree(Container):
    """The values at places 1 .. n of a tree."""

    def __init__(self, run: Any, n: SymbolicInt, at: Callable[[Integer], Segment]) -> None:
        self.run = run
        self.n = n
        self.at = at

    @classmethod
    def unknown(cls, run: Any) -> Any:
        """Return a tree of c places about which nothing else is known."""
        tree = object.__new__(cls)
        tree.run, tree.n = run, run.c
        tree.forget(run.path)
        return tree

    @property
    def monoid(self) -> SegmentMonoid:
        monoid: SegmentMonoid = self.run.monoid
        return monoid

    def forget(self, path: Path) -> None:
        begins, ends = (z3.Array(str(path.fresh(name)), _INT, _INT) for name in ("a.lo", "a.hi"))
        self.at = lambda i: Segment(begins[i], ends[i])

    def terms(self) -> list[Any]:
        return [self.at]

    def inside(self, i: Integer) -> Truth:
        return z3.And(1 <= i, i <= term(self.n))

    def a(self, i: "int | SymbolicInt") -> Item:
        mention(term(i))
        show("the tree has this place", self.inside(term(i)))
        return Item(z3.IntVal(0), self.at(term(i)))

    def prefix(self, i: SymbolicInt) -> Segment:
        return self.product("prefix", z3.IntVal(1), term(i))

    def suffix(self, j: SymbolicInt) -> Segment:
        return self.product("suffix", term(j), term(self.n))

    def product(self, name: str, lo: Integer, hi: Integer) -> Segment:
        """Return the product of the places lo .. hi."""
        raise NotImplementedError


class FlatFat(BufferTree):
    """FlatFAT over ⊥, by `flat-fat/proved-equation-4.1` and `-answer`: an update writes the places."""

    def __init__(self, run: Any, n: SymbolicInt, at: Callable[[Integer], Segment]) -> None:
        super().__init__(run, n, at)
        run.show_power(term(n))

    def update(self, changes: Any) -> None:
        """Apply a[loc] <- val, for changes of different places."""
        path, at = self.run.path, self.at
        written, value = _writes(changes)
        i = path.fresh("place")
        mention(i)
        path.show("update is given places that there are", z3.Implies(written(i), self.inside(i)))
        self.run.asked.append("update")
        self.at = lambda i: either(written(i), value(i), at(i))

    def aggregate(self) -> Segment:
        return self.product("aggregate", z3.IntVal(1), term(self.n))

    def product(self, name: str, lo: Integer, hi: Integer) -> Segment:
        """Prove the product by induction over the places: at each, it continues with the next element, or with ⊥."""
        run, path, i = self.run, self.run.path, self.run.path.fresh("place")
        run.asked.append(name)
        for place in (lo, i, i + 1, hi):
            mention(place)

        def following(i: Integer) -> Integer:
            return run.before_place(i) + z3.If(self.at(i).empty, 0, 1)

        path.show(f"{name} is of places that there are", z3.And(self.inside(lo), lo <= hi, self.inside(hi)))
        element = run.window.values[SymbolicInt(run.before_place(i))]
        between, next_one = z3.And(lo <= i, i <= hi), formula(lambda: self.at(i) == element)
        path.show(
            f"{name}: places hold elements in their order", z3.Implies(between, z3.Or(self.at(i).empty, next_one))
        )
        goes_on = z3.Implies(z3.And(between, i < hi), run.before_place(i + 1) == following(i))
        path.show(f"{name}: none is left out", goes_on)
        first, last = run.before_place(lo), following(hi)
        path.assume(first <= last)
        return Segment(first, last)


class DemarcatedFat(BufferTree):
    """The tree of the aggregator for FIFO; it also knows the places that were occupied after the last slide."""

    def __init__(self, run: Any, n: SymbolicInt) -> None:
        super().__init__(run, n, lambda i: aggregate_of(BOTTOM))
        run.show_power(term(n))
        self.was: Callable[[Integer], Truth] = lambda i: z3.BoolVal(False)
        self.area = z3.IntVal(1), z3.IntVal(0)
        """The front and back of the last slide."""

    def forget(self, path: Path) -> None:
        super().forget(path)
        was = z3.Array(str(path.fresh("occupied")), _INT, z3.BoolSort())
        self.was = lambda i: was[i]
        self.area = path.fresh("last F"), path.fresh("last B")

    def terms(self) -> list[Any]:
        return [self.at, self.was, *self.area]

    def occupied(self, i: "int | SymbolicInt") -> SymbolicBool:
        """Return whether a place was occupied."""
        return SymbolicBool(self.was(term(i)))

    def vacate_if(self, empty: SymbolicBool) -> None:
        """Treat the tree as new if the window is empty; then nothing is required of it."""
        was = self.was
        self.was = lambda i: z3.And(was(i), z3.Not(empty.term))

    def a(self, i: "int | SymbolicInt") -> Item:
        held = super().a(i)
        show("what is read from the tree was written", self.was(term(i)))
        return held

    def slide(self, changes: Any, freed: SymbolicSet, F: "int | SymbolicInt", B: "int | SymbolicInt") -> None:
        """Occupy the places from F to B: changed places hold their new values, the others keep theirs."""
        path, front, back = self.run.path, term(F), term(B)
        self.run.asked.append("update")
        written, value = _writes(changes)
        i, at, was = path.fresh("place"), self.at, self.was
        mention(i)

        def now(i: Integer) -> Truth:
            normal, inverted = z3.And(front <= i, i <= back), z3.Or(i <= back, front <= i)
            return z3.And(self.inside(i), z3.If(back < front, inverted, normal))

        told = z3.Or(written(i), freed.members[i])
        path.show("slide is told of places that there are", z3.Implies(told, self.inside(i)))
        path.show("front and back are places", z3.And(self.inside(front), self.inside(back)))
        path.show("what is occupied was written", z3.Implies(now(i), z3.Or(written(i), was(i))))
        path.show("slide is told of what was taken or left", z3.Implies(z3.And(self.inside(i), now(i) != was(i)), told))
        self.was, self.area = now, (front, back)
        self.at = lambda i: either(written(i), value(i), at(i))

    def aggregate(self) -> Segment:
        """Return the product of the occupied places, in the order of the places."""
        return self.product("aggregate", *self.area)

    def product(self, name: str, lo: Integer, hi: Integer) -> Segment:
        """Prove the product by induction over the places, all of them occupied."""
        self.run.asked.append(name)
        path, first = self.run.path, self.at(lo)
        i = path.fresh("place")
        for place in (lo, i):
            mention(place)
        path.show(f"{name} is of places that there are", z3.And(self.inside(lo), lo <= hi, self.inside(hi)))
        between, held = z3.And(lo <= i, i <= hi), self.at(i)
        path.show(f"{name} is of occupied places", z3.Implies(between, self.was(i)))
        there = z3.And(held.lo == first.lo + i - lo, held.hi == held.lo + 1)
        path.show(f"{name}: places hold elements in their order", z3.Implies(between, there))
        return Segment(first.lo, first.lo + hi - lo + 1)


def _writes(changes: Any) -> tuple[Callable[[Integer], Truth], Callable[[Integer], Segment]]:
    """Return the written places and their new values; no two changes may be of one place."""
    if isinstance(changes, SymbolicMap):
        return (lambda i: changes.members[i]), lambda i: aggregate_of(changes.load(i))
    if isinstance(changes, Enumerated):
        items, start = changes.items, changes.start
        return (lambda i: z3.And(start <= i, i < start + items.length)), lambda i: aggregate_of(items.item(i - start))
    raise Unsupported(f"changes in a {type(changes).__name__}")


# Meanings of names in the code

NAMES: Final = {
    "set": symbolic_set, "range": symbolic_range, "enumerate": Enumerated,
    "len": lambda items: items.size, "list": make_copy, "__list__": make_list, "__dict__": SymbolicMap,
    "__is__": same, "type": lambda value: int if isinstance(value, SymbolicInt) else type(value),
    Array.__name__: Tickets, "WithBottom": lambda monoid: monoid,
    "FlatFat": lambda monoid, items: run_of_path().make_tree(monoid, items),
}  # fmt: skip


# Lemmas of the runs, besides the theorems about FlatFAT


def ranks_rise(path: Path) -> None:
    """Show that over d slots the rank rises by 0 .. d, if it rises by 0 or 1 from each slot to the next."""
    x, y, after, d = (path.fresh(name) for name in ("rank of x", "rank of y", "rank behind y", "d"))
    path.show("from x to x", z3.And(0 <= x - x, x - x <= 0))
    path.assume(z3.And(d >= 0, 0 <= y - x, y - x <= d, z3.Or(after == y, after == y + 1)))
    path.show("from x to the slot behind y", z3.And(0 <= after - x, after - x <= d + 1))


def products_go_on(path: Path) -> None:
    """Show that the product of the places lo .. i continues with place i + 1, which holds ⊥ or the next element."""
    lo, hi, here = (path.fresh(name) for name in ("lo", "hi", "here"))
    path.assume(z3.And(lo <= hi, z3.Or(here == 0, here == 1)))
    product = SegmentMonoid().combine(Segment(lo, hi), Segment(hi, hi + here))
    path.show("the product of one place more", formula(lambda: product == Segment(lo, hi + here)))


def bottom_is_neutral(path: Path) -> None:
    """Show that WithBottom's own combine is the product of neighbours, with ⊥ neutral and without a call."""
    lo, middle, hi = (path.fresh(name) for name in ("lo", "middle", "hi"))
    path.assume(z3.And(lo <= middle, middle <= hi))
    x, y, inner = Segment(lo, middle), Segment(middle, hi), SegmentMonoid()
    combine = rewrite(WithBottom.combine, NAMES).method
    product = combine(SimpleNamespace(monoid=inner), x, y)
    path.show("⊥ is neutral", formula(lambda: product == Segment(lo, hi)))
    path.show("no call for ⊥", z3.Implies(z3.Or(x.empty, y.empty), term(inner.calls) == 0))
    path.show("a call at most", term(inner.calls) <= 1)


LEMMAS: Final = (ranks_rise, products_go_on, bottom_is_neutral)
