"""Symbolic stand-ins for what the reference keeps: segments, pointers, deque, stack, window.

A segment [lo, hi) stands for the product of the stream's elements lo .. hi-1.  `combine` joins two neighbours, and
leaves the obligation that they are neighbours.  Two segments with the same ends are the same product in every monoid,
and in the free monoid over distinct letters two segments with different ends are different: so what is shown over
segments holds for every monoid, and what is refuted is refuted by strings.  That rests on control flow that looks at no
value: code that compares segments, or asks for their truth, is refused.

The containers are arrays of segments of unknown length.  Reading a slot assumes the invariant there (`Epoch`): the
clauses that the contracts state for every slot are used where the code reads, and shown at an arbitrary slot.

A struct in a container is read and written where it stands.  Python would share it: so storing one twice, or using it
after a slot of the container was written anew, is an obligation that fails.

Pointers offer the algorithms just the operations of Definition 1; anything else is an obligation that fails.
"""

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from swagproof.contracts.clause import ForEach, local_names
from swagproof.models.containers.element import Element
from swagproof.proofs.engine.paths import Path, SymbolicBool, SymbolicInt, current_path, formula, term
from swagproof.proofs.engine.solver import Integer, Truth, z3


class Segment:
    """The product of the stream's elements lo .. hi-1; the identity where lo = hi."""

    __slots__ = ("hi", "lo")
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, lo: Integer, hi: Integer) -> None:
        self.lo = lo
        self.hi = hi

    @property
    def empty(self) -> Truth:
        return self.lo == self.hi

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from monoid to monoid")

    def __eq__(self, other: object) -> Any:
        path = current_path()
        if path is not None:
            path.show("control flow looks at no value", z3.BoolVal(False))
        if not isinstance(other, Segment):
            return SymbolicBool(z3.BoolVal(False))
        same = z3.And(self.lo == other.lo, self.hi == other.hi)
        return SymbolicBool(z3.Or(z3.And(self.empty, other.empty), same))


class SegmentMonoid:
    """The monoid of all monoids: its `combine` counts itself and demands neighbours."""

    def __init__(self) -> None:
        self.identity = Segment(z3.IntVal(0), z3.IntVal(0))
        self.calls: Any = 0

    def combine(self, x: Segment, y: Segment) -> Segment:
        path = current_path()
        assert path is not None
        path.show(
            "combine joins neighbours, older on the left",
            z3.And(x.lo <= x.hi, y.lo <= y.hi, z3.Or(x.empty, y.empty, x.hi == y.lo)),
        )
        self.calls = self.calls + 1
        return Segment(
            z3.If(x.empty, y.lo, x.lo),
            z3.If(x.empty, y.hi, z3.If(y.empty, x.hi, y.hi)),
        )


def remove(x: Segment, y: Segment) -> Segment:
    """remove(x, xz) = z: y must begin with x."""
    path = current_path()
    assert path is not None
    path.show("remove takes away the oldest", z3.And(x.lo <= x.hi, x.hi <= y.hi, z3.Or(x.empty, x.lo == y.lo)))
    return Segment(z3.If(x.empty, y.lo, x.hi), y.hi)


class SymbolicPointer:
    """A pointer at an unknown place."""

    __slots__ = ("deque", "term")
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, deque: "SymbolicDeque", term: Integer) -> None:
        self.deque = deque
        self.term = term

    def __add__(self, steps: Any) -> "SymbolicPointer":
        path = current_path()
        if path is not None:
            _only_definition_1(path, isinstance(steps, int) and steps == 1)
            path.show("p + 1 stays in the deque", z3.And(self.deque.first <= self.term, self.term < self.deque.last))
        return SymbolicPointer(self.deque, self.term + term(steps))

    def __sub__(self, other: Any) -> Any:
        path = current_path()
        if isinstance(other, SymbolicPointer):
            _only_definition_1(path, False)
            return SymbolicInt(self.term - other.term)
        if path is not None:
            _only_definition_1(path, isinstance(other, int) and other == 1)
            path.show("p - 1 stays in the deque", z3.And(self.deque.first < self.term, self.term <= self.deque.last))
        return SymbolicPointer(self.deque, self.term - term(other))

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, SymbolicPointer)
        return SymbolicBool(self.term == other.term)

    def __ne__(self, other: object) -> Any:
        assert isinstance(other, SymbolicPointer)
        return SymbolicBool(self.term != other.term)

    def __lt__(self, other: "SymbolicPointer") -> SymbolicBool:
        _only_definition_1(current_path(), False)
        return SymbolicBool(self.term < other.term)

    def __le__(self, other: "SymbolicPointer") -> SymbolicBool:
        _only_definition_1(current_path(), False)
        return SymbolicBool(self.term <= other.term)


def _only_definition_1(path: Path | None, allowed: bool) -> None:
    if path is not None:
        path.show("only the pointer operations of Definition 1", z3.BoolVal(allowed))


class Epoch:
    """A moment at which an invariant is known: the state then, and the clauses that hold at every slot of it."""

    def __init__(self, state: SimpleNamespace, clauses: Iterable[Any], local: dict[str, Any]) -> None:
        self.state = state
        self.clauses = [clause for clause in clauses if isinstance(clause, ForEach)]
        self.local = dict(local)  # a copy: before Python 3.13 every call of locals() changes the one it gave before
        self.seen: set[tuple[str, str]] = set()

    def instantiate(self, path: Path, container: "SymbolicDeque | SymbolicStack", index: Integer) -> None:
        """Assume the clauses about this container at one place in it."""
        key = container.name, str(index)
        if key in self.seen:
            return
        self.seen.add(key)
        base = getattr(self.state, container.name)
        for clause in self.clauses:
            if clause.container == container.name:
                path.assume(clause_at(clause, self.state, base, index, self.local))


def clause_at(clause: ForEach[Any], state: Any, container: Any, index: Integer, local: dict[str, Any]) -> Truth:
    """The clause at one place of the container: index in its arrays, wherever it is a slot."""
    names = {name: local[name] for name in local_names(clause)}
    holds = formula(lambda: clause.at(state, container.slot(index), **names))
    return z3.Implies(container.holds(index), holds)


class SymbolicElement:
    """A struct in a container, {val, agg}, by reference to its slot."""

    __slots__ = ("place",)
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike
    place: "tuple[_Arrays, Integer, int]"

    def __init__(self, container: "_Arrays", index: Integer) -> None:
        object.__setattr__(self, "place", (container, index, container.written))

    def __getattr__(self, name: str) -> Segment:
        self._still_there()
        container, index, _ = self.place
        return container.load(name, index)

    def __setattr__(self, name: str, value: Segment) -> None:
        self._still_there()
        container, index, _ = self.place
        container.store(name, index, value)

    def __eq__(self, other: object) -> Any:
        path = current_path()
        if path is not None:
            path.show("control flow looks at no value", z3.BoolVal(False))
        return SymbolicBool(z3.BoolVal(False))

    def _still_there(self) -> None:
        container, _, written = self.place
        path = current_path()
        if path is not None and container.written != written:
            path.show("a struct is used before its container changes", z3.BoolVal(False))


class _Arrays:
    """Arrays of segments by field; the field "" where a slot is one partial aggregate and not a struct."""

    def __init__(self, name: str, fields: tuple[str, ...]) -> None:
        self.name = name
        self.fields = fields
        self.epoch: Callable[[], Epoch] | None = None
        self.arrays: dict[str, tuple[Any, Any]] = {}
        self.written = 0
        """How often a slot was written as a whole, or all were forgotten."""

    def __bool__(self) -> bool:
        raise TypeError(f"the truth of {self.name} is not defined; ask for its size or its ends")

    def forget(self, path: Path) -> None:
        """Know nothing about the contents any more."""
        self.written += 1
        integers = z3.IntSort()
        self.arrays = {
            field: (
                z3.Array(str(path.fresh(f"{self.name}.{field}.lo")), integers, integers),
                z3.Array(str(path.fresh(f"{self.name}.{field}.hi")), integers, integers),
            )
            for field in self.fields
        }

    def load(self, field: str, index: Integer) -> Segment:
        lo, hi = self.arrays[field]
        return Segment(lo[index], hi[index])

    def store(self, field: str, index: Integer, value: Segment) -> None:
        lo, hi = self.arrays[field]
        self.arrays[field] = z3.Store(lo, index, value.lo), z3.Store(hi, index, value.hi)

    def read(self, index: Integer) -> Any:
        path = current_path()
        if path is not None and self.epoch is not None:
            self.epoch().instantiate(path, self, index)  # type: ignore[arg-type]  # only its two heirs are made
        return self.load("", index) if self.fields == ("",) else SymbolicElement(self, index)

    def write(self, index: Integer, item: Any) -> None:
        self.written += 1
        if self.fields == ("",):
            self.store("", index, item)
            return
        path = current_path()
        assert path is not None
        path.show("a struct is stored in one place", z3.BoolVal(type(item) is Element))
        for field in self.fields:
            self.store(field, index, getattr(item, field))
            if type(item) is Element:
                delattr(item, field)  # it is the container's now


class SymbolicDeque(_Arrays):
    """A deque of unknown contents between unknown ends."""

    def __init__(self, name: str, fields: tuple[str, ...], path: Path) -> None:
        super().__init__(name, fields)
        self.forget(path)

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.first, self.last = path.fresh("begin"), path.fresh("end")
        path.assume(self.first <= self.last)

    def frozen(self) -> "SymbolicDeque":
        copy = SymbolicDeque.__new__(SymbolicDeque)
        copy.__dict__.update(self.__dict__, arrays=dict(self.arrays))
        return copy

    def slot(self, index: Integer) -> SymbolicPointer:
        return SymbolicPointer(self, index)

    def holds(self, index: Integer) -> Truth:
        return z3.And(self.first <= index, index < self.last)

    def begin(self) -> SymbolicPointer:
        return SymbolicPointer(self, self.first)

    def end(self) -> SymbolicPointer:
        return SymbolicPointer(self, self.last)

    def push_back(self, item: Any) -> None:
        self.write(self.last, item)
        self.last = self.last + 1

    def pop_front(self) -> None:
        path = current_path()
        assert path is not None
        path.show("pop_front finds an element", self.first < self.last)
        self.first = self.first + 1

    def __getitem__(self, p: SymbolicPointer) -> Any:
        self._inside(p)
        return self.read(p.term)

    def __setitem__(self, p: SymbolicPointer, item: Any) -> None:
        self._inside(p)
        self.write(p.term, item)

    def _inside(self, p: SymbolicPointer) -> None:
        path = current_path()
        if path is not None:
            path.show("*p finds an element", self.holds(p.term))


class SymbolicStack(_Arrays):
    """A stack of unknown contents and height; index 0 is its bottom."""

    def __init__(self, name: str, fields: tuple[str, ...], path: Path) -> None:
        super().__init__(name, fields)
        self.forget(path)

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.height = path.fresh(f"|{self.name}|")
        path.assume(self.height >= 0)

    def frozen(self) -> "SymbolicStack":
        copy = SymbolicStack.__new__(SymbolicStack)
        copy.__dict__.update(self.__dict__, arrays=dict(self.arrays))
        return copy

    def slot(self, index: Integer) -> SymbolicInt:
        return SymbolicInt(self.height - 1 - index)

    def holds(self, index: Integer) -> Truth:
        return z3.And(index >= 0, index < self.height)

    @property
    def size(self) -> SymbolicInt:
        return SymbolicInt(self.height)

    def is_empty(self) -> SymbolicBool:
        return SymbolicBool(self.height == 0)

    def push(self, item: Any) -> None:
        self.write(self.height, item)
        self.height = self.height + 1

    def pop(self) -> Any:
        top = self.top()
        self.height = self.height - 1
        return top

    def top(self) -> Any:
        path = current_path()
        if path is not None:
            path.show("the stack is not empty", self.height > 0)
        return self.read(self.height - 1)

    def __getitem__(self, depth: Any) -> Any:
        path = current_path()
        if path is not None:
            path.show("the depth is one of the stack", z3.And(term(depth) >= 0, term(depth) < self.height))
        return self.read(self.height - 1 - term(depth))


class SymbolicWindow:
    """The definition of right, of unknown length: v_i is the stream's element front + i."""

    __slots__ = ("front", "length")

    def __init__(self, path: Path) -> None:
        self.front, self.length = path.fresh("front"), path.fresh("n")
        path.assume(self.length >= 0)

    def frozen(self) -> "SymbolicWindow":
        copy = SymbolicWindow.__new__(SymbolicWindow)
        copy.front, copy.length = self.front, self.length
        return copy

    @property
    def size(self) -> SymbolicInt:
        return SymbolicInt(self.length)

    def __getitem__(self, i: Any) -> Segment:
        return Segment(self.front + term(i), self.front + term(i) + 1)

    def product(self, i: Any, j: Any) -> Segment:
        return Segment(self.front + term(i), self.front + term(j))

    def next(self) -> Segment:
        """The stream's next element, to be inserted."""
        return Segment(self.front + self.length, self.front + self.length + 1)

    def insert(self) -> None:
        self.length = self.length + 1

    def evict(self) -> None:
        self.front, self.length = self.front + 1, self.length - 1
