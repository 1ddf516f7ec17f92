"""Symbolic values for OrderedSharing: values by rank, times that may be -infinity, windows, the tree, the tuples.

A window is identified by its size: its state is a record at that place, and the tree is the set of sizes in it.  The
tree is replaced by its contract, a sequence searched by predicates (the claims `search-tree/...`).  Its callers have
the obligations that it is in the order of sizes, and that each predicate changes once along it.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from swagproof.proofs.engine.paths import Path, Unsupported, formula, mention, remember, settle, show
from swagproof.proofs.engine.records import NUMBER, TRUTH, Queue, Record, Records
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, Scalar, Sized, SymbolicBool, SymbolicInt, term
from swagproof.proofs.sharing.shared_runs import WINDOWS

TUPLES: Final = "tuples"


ASCENDING: Final = z3.Bool("ranks ascend with values")


class Ranked(Scalar):
    """A value of a total order, or None."""

    __slots__ = ("term", "there")

    def __init__(self, term: Integer, there: Truth = True) -> None:
        self.term = term
        self.there = z3.BoolVal(True) if there is True else there

    def another(self, path: Path, name: str) -> "Ranked":
        return Ranked(path.fresh(name))

    def is_worse(self, other: "Ranked") -> SymbolicBool:
        """Return whether it is of lower rank."""
        show("values are compared, and not None", z3.And(self.there, other.there))
        return SymbolicBool(self.term < other.term)

    def __lt__(self, other: "Ranked") -> SymbolicBool:
        return SymbolicBool(z3.If(ASCENDING, self.is_worse(other).term, other.is_worse(self).term))

    def __le__(self, other: "Ranked") -> SymbolicBool:
        return SymbolicBool(z3.Not((other < self).term))

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, Ranked)
        same = z3.And(self.there == other.there, z3.Or(z3.Not(self.there), self.term == other.term))
        return SymbolicBool(same)

    def __ne__(self, other: object) -> Any:
        return SymbolicBool(z3.Not((self == other).term))


NOTHING: Final = Ranked(z3.IntVal(0), z3.BoolVal(False))


def _never(time: Any) -> Truth:
    return time.never if isinstance(time, Stamp) else z3.BoolVal(False)


def _number(time: Any) -> Integer:
    return time.term if isinstance(time, Stamp) else term(time)


def _earlier(x: Any, y: Any) -> Truth:
    """Return whether one time is before another; either may be -infinity."""
    return z3.And(z3.Not(_never(y)), z3.Or(_never(x), _number(x) < _number(y)))


class Stamp(Scalar):
    """A time, or -infinity."""

    __slots__ = ("never", "term")

    def __init__(self, term: Integer, never: Truth) -> None:
        self.term = term
        self.never = never

    def another(self, path: Path, name: str) -> "Stamp":
        return Stamp(path.fresh(name), z3.Bool(str(path.fresh("never"))))

    def __sub__(self, other: Any) -> SymbolicInt:
        return SymbolicInt(self.term - term(other))

    def __eq__(self, other: object) -> Any:
        other = NEVER if isinstance(other, float) else other
        return SymbolicBool(z3.And(self.never == _never(other), z3.Or(self.never, self.term == _number(other))))

    def __ne__(self, other: object) -> Any:
        return SymbolicBool(z3.Not((self == other).term))

    def __lt__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(_earlier(self, other))

    def __gt__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(_earlier(other, self))

    def __le__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(z3.Not(_earlier(other, self)))

    def __ge__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(z3.Not(_earlier(self, other)))


NEVER: Final = Stamp(z3.IntVal(0), z3.BoolVal(True))


class Age(Scalar):
    """An age, which may be infinite."""

    __slots__ = ("endless", "term")

    def __init__(self, term: Integer, endless: Truth) -> None:
        self.term = term
        self.endless = endless

    def __lt__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(z3.And(z3.Not(self.endless), self.term < term(other)))

    def __le__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(z3.And(z3.Not(self.endless), self.term <= term(other)))


class Clock(SymbolicInt):
    """A finite time, which can be compared with times that may be -infinity."""

    __slots__ = ()

    def like(self, term: Integer) -> "Clock":
        return Clock(term)

    def __sub__(self, other: Any) -> Any:
        return Age(self.term - other.term, other.never) if isinstance(other, Stamp) else super().__sub__(other)

    def __lt__(self, other: Any) -> SymbolicBool:
        return other > self if isinstance(other, Stamp) else super().__lt__(other)

    def __le__(self, other: Any) -> SymbolicBool:
        return other >= self if isinstance(other, Stamp) else super().__le__(other)

    def __gt__(self, other: Any) -> SymbolicBool:
        return other < self if isinstance(other, Stamp) else super().__gt__(other)


class SymbolicSharedWindow(Record):
    """The state of the window of one size."""

    __slots__ = ()

    @property
    def size(self) -> SymbolicInt:
        return SymbolicInt(self.place)

    @property
    def answer(self) -> Ranked:
        return Ranked(self.load("answer"), self.load("answered"))

    @answer.setter
    def answer(self, value: Ranked) -> None:
        self.store("answer", value.term)
        self.store("answered", value.there)

    @property
    def ts(self) -> Stamp:
        return Stamp(self.load("ts"), self.load("never"))

    @ts.setter
    def ts(self, value: "Stamp | SymbolicInt") -> None:
        self.store("ts", value.term if isinstance(value, Stamp) else term(value))
        self.store("never", value.never if isinstance(value, Stamp) else z3.BoolVal(False))


class Windows(Records):
    """The registered windows, by their sizes."""

    PARTS: ClassVar[Mapping[str, Any]] = {"answer": NUMBER, "answered": TRUTH, "ts": NUMBER, "never": TRUTH}

    def __init__(self, path: Path, registry: Any) -> None:
        super().__init__(WINDOWS, path)
        self.registry = registry
        self.made: tuple[Integer, ...] = ()
        """The sizes of the windows that were added."""

    def holds(self, place: Integer) -> Truth:
        return self.registry.has(place)

    def item(self, index: Integer) -> SymbolicSharedWindow:
        return SymbolicSharedWindow(self, index)

    def __getitem__(self, size: SymbolicInt) -> SymbolicSharedWindow:
        show("the window is registered", self.holds(size.term))
        mention(size.term, WINDOWS)
        return self.item(size.term)

    def __setitem__(self, size: SymbolicInt, made: tuple[Any, Any, Any]) -> None:
        answer, ts, own_size = made
        show("a window is kept under its size", term(own_size) == size.term)
        window = self.item(size.term)
        window.answer, window.ts = NOTHING if answer is None else answer, ts
        self.made = (*self.made, size.term)


class SymbolicSearchTree(Sized, Container):
    """models.containers.search_tree.SearchTree of windows by its contract: a sequence, here in the order of sizes."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.forget(run.path)

    def forget(self, path: Path) -> None:
        self.members = z3.Array(str(path.fresh("in the tree")), NUMBER, TRUTH)
        self.length = path.fresh("nodes")
        self.ways = path.fresh("descents")

    def terms(self) -> list[Any]:
        return [self.members, self.length, self.ways]

    @property
    def descents(self) -> SymbolicInt:
        """The number of descents so far."""
        return SymbolicInt(self.ways)

    def __contains__(self, w: Any) -> bool:
        return bool(SymbolicBool(self.has(w.place)))

    def has(self, size: Integer) -> Truth:
        """Return whether the window of this size is in the tree; such a window is registered."""
        remember(z3.Implies(self.members[size], z3.And(self.run.registry.has(size), self.length >= 1)))
        remember(self.length >= 0)
        return self.members[size]

    def _any(self, what: str) -> Integer:
        """Return any window, for a statement about all."""
        size = self.run.path.fresh(what)
        mention(size, WINDOWS)
        return size

    def _asked(self, holds: Callable[[Any], Any], size: Integer) -> Truth:
        return formula(lambda: holds(self.run.object.windows.item(size)))

    def _find(self, holds: Callable[[Any], Any], *, first: bool) -> SymbolicSharedWindow | None:
        self.ways = self.ways + 1
        a, b = self._any("smaller"), self._any("larger")
        if not first:
            a, b = b, a
        ascending = z3.And(self.has(a), self.has(b), a < b if first else a > b, self._asked(holds, a))
        show("a search asks what changes once along the tree", z3.Implies(ascending, self._asked(holds, b)))
        run, path = self.run, self.run.path
        hole, members = path.fresh("any"), self.members
        right = z3.And(members[hole], self._asked(holds, hole))
        if settle(z3.Bool(str(path.fresh("found")))):
            found = path.fresh("found")
            outermost = found <= hole if first else found >= hole
            run.learn_of(WINDOWS, hole, z3.Implies(right, outermost))
            mention(found, WINDOWS)
            path.assume(z3.And(self.has(found), self._asked(holds, found)))
            return SymbolicSharedWindow(run.object.windows, found)
        run.learn_of(WINDOWS, hole, z3.Not(right))
        return None

    def first(self, holds: Callable[[Any], Any]) -> SymbolicSharedWindow | None:
        """Return the leftmost window that meets the predicate."""
        return self._find(holds, first=True)

    def last(self, holds: Callable[[Any], Any]) -> SymbolicSharedWindow | None:
        """Return the rightmost window that meets the predicate."""
        return self._find(holds, first=False)

    def _told_apart(self, w: SymbolicSharedWindow, before: Callable[[Any], Any]) -> None:
        """Show that the predicate separates the windows on the left of w from those on its right."""
        self.ways = self.ways + 1
        other = self._any("other")
        apart = z3.Implies(z3.And(self.has(other), other != w.place), self._asked(before, other) == (other < w.place))
        show("what stands before a window is what is smaller", apart)

    def insert(self, w: SymbolicSharedWindow, before: Callable[[Any], Any]) -> None:
        show("what is inserted is not in the tree", z3.Not(self.has(w.place)))
        self._told_apart(w, before)
        self.members, self.length = z3.Store(self.members, w.place, z3.BoolVal(True)), self.length + 1

    def remove(self, w: SymbolicSharedWindow, before: Callable[[Any], Any]) -> None:
        show("what is removed is in the tree", self.has(w.place))
        self._told_apart(w, before)
        self.members, self.length = z3.Store(self.members, w.place, z3.BoolVal(False)), self.length - 1


class Tuples(Queue, Container):
    """The kept tuples, by the times of their arrival."""

    name = TUPLES

    def __init__(self, run: Any) -> None:
        self.run = run
        self.forget(run.path)

    def forget(self, path: Path) -> None:
        self.front, self.length = path.fresh("oldest"), path.fresh("kept")
        path.assume(self.length >= 0)

    def element(self, number: Integer) -> Ranked:
        return Ranked(self.run.values(number))

    def number(self, item: Any) -> Integer:
        show("what is kept is the new tuple", z3.BoolVal(item is self.run.newest))
        return self.run.T + 1

    def slot(self, place: Integer) -> SymbolicInt:
        """Return the index that clauses use for the tuple that arrived at a time."""
        return SymbolicInt(place - self.front)

    def holds(self, place: Integer) -> Truth:
        """Return whether the tuple that arrived at a time is kept."""
        return z3.And(self.front <= place, place < self.front + self.length)


class Held(Queue):
    """The tuples of a window by definition."""

    def __init__(self, front: Integer, length: Integer) -> None:
        self.front, self.length = front, length


class Stream:
    """The stream by definition, after some tuples."""

    monoid = SimpleNamespace(identity=NOTHING)

    def __init__(self, run: Any, T: Integer) -> None:
        self.run = run
        self.T = T

    def window(self, size: Any) -> Held:
        """Return the newest tuples."""
        held = z3.If(self.T < term(size), self.T, term(size))
        return Held(self.T - held + 1, held)

    def lookup(self, size: Any) -> Ranked:
        """Return the answer of a window: None if it has no tuples; otherwise the value assumed in `best_of`."""
        best = z3.If(self.run.asked_for == term(size), self.run.best, z3.Function("best", NUMBER, NUMBER)(term(size)))
        return Ranked(self.run.values(best), self.T > 0)


def is_same(x: Any, y: Any) -> bool:
    """Return whether x is y, for windows and None."""
    if isinstance(x, Record) and isinstance(y, Record):
        return settle(x.place == y.place)
    if not all(each is None or isinstance(each, Record) for each in (x, y)):
        raise Unsupported("`is` between what is no window")
    return x is y
