"""Symbolic pointers, deques, stacks and windows: the data of the FIFO algorithms.

The containers are `Slots` of segments (swagproof.proofs.engine.arrays).  Reading a slot mentions it to the run, which
then instantiates the clauses about every slot there (swagproof.proofs.engine.run).

A struct in a container is read and written in place.

Limits: Python would share a struct that is stored twice.  So storing one twice, or using it after a slot of the
container was overwritten, is an obligation that fails.  Pointer operations beyond Definition 1 fail in the same way.
"""

from typing import Any

from swagproof.models.containers.element import Element
from swagproof.proofs.engine.arrays import ItemKind, Slots
from swagproof.proofs.engine.paths import Path, current_path, mention, show
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Container, Scalar, Segment, Sized, SymbolicBool, SymbolicInt, term


class SymbolicPointer(Scalar):
    """A pointer at an unknown place."""

    __slots__ = ("deque", "term")

    def __init__(self, deque: "SymbolicDeque", term: Integer) -> None:
        self.deque = deque
        self.term = term

    def another(self, path: Path, name: str) -> "SymbolicPointer":
        return SymbolicPointer(self.deque, path.fresh(name))

    def __add__(self, steps: Any) -> "SymbolicPointer":
        _only_definition_1(isinstance(steps, int) and steps == 1)
        show("p + 1 stays in the deque", z3.And(self.deque.first <= self.term, self.term < self.deque.last))
        return SymbolicPointer(self.deque, self.term + term(steps))

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, SymbolicPointer):
            _only_definition_1(False)
            return SymbolicInt(self.term - other.term)
        _only_definition_1(isinstance(other, int) and other == 1)
        show("p - 1 stays in the deque", z3.And(self.deque.first < self.term, self.term <= self.deque.last))
        return SymbolicPointer(self.deque, self.term - term(other))

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, SymbolicPointer)
        return SymbolicBool(self.term == other.term)

    def __ne__(self, other: object) -> Any:
        assert isinstance(other, SymbolicPointer)
        return SymbolicBool(self.term != other.term)

    def __lt__(self, other: "SymbolicPointer") -> SymbolicBool:
        _only_definition_1(False)
        return SymbolicBool(self.term < other.term)

    def __le__(self, other: "SymbolicPointer") -> SymbolicBool:
        _only_definition_1(False)
        return SymbolicBool(self.term <= other.term)


def _only_definition_1(allowed: bool) -> None:
    show("only the pointer operations of Definition 1", z3.BoolVal(allowed))


class SymbolicElement:
    """A struct in a container, {val, agg}, by reference to its slot."""

    __slots__ = ("place",)
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike
    place: "tuple[_Fields, Integer, int]"

    def __init__(self, container: "_Fields", index: Integer) -> None:
        object.__setattr__(self, "place", (container, index, container.written))

    def __getattr__(self, name: str) -> Segment:
        self._still_there()
        container, index, _ = self.place
        return container.load_field(name, index)

    def __setattr__(self, name: str, value: Segment) -> None:
        self._still_there()
        container, index, _ = self.place
        container.store_field(name, index, value)

    def __eq__(self, other: object) -> Any:
        show("control flow looks at no value", z3.BoolVal(False))
        return SymbolicBool(z3.BoolVal(False))

    def _still_there(self) -> None:
        container, _, written = self.place
        if container.written != written:
            show("a struct is used before its container changes", z3.BoolVal(False))


class _Fields(Slots):
    """Slots of structs with these fields; the field is "" if a slot is a partial aggregate, not a struct."""

    def __init__(self, name: str, fields: tuple[str, ...], path: Path) -> None:
        self.fields = fields
        self.written = 0
        """The number of times that a slot was overwritten or all slots were forgotten."""
        sorts = (z3.IntSort(),) * 2 * len(fields)
        super().__init__(name, ItemKind(sorts, Segment, self._parts), path)

    def _parts(self, item: Any) -> tuple[Integer, ...]:
        held = [getattr(item, field) if field else item for field in self.fields]
        return tuple(end for each in held for end in (each.lo, each.hi))

    def __bool__(self) -> bool:
        raise TypeError(f"the truth of {self.name} is not defined; ask for its size or its ends")

    def forget(self, path: Path) -> None:
        self.written += 1
        super().forget(path)

    def load_field(self, field: str, place: Integer) -> Segment:
        """Return a field of the struct at a place."""
        lo, hi = self._arrays_of(field)
        return Segment(self.arrays[lo][place], self.arrays[hi][place])

    def store_field(self, field: str, place: Integer, value: Segment) -> None:
        """Assign a field of the struct at a place."""
        stored = dict(zip(self._arrays_of(field), (value.lo, value.hi), strict=True))
        self.arrays = [
            z3.Store(array, place, stored[n]) if n in stored else array for n, array in enumerate(self.arrays)
        ]

    def _arrays_of(self, field: str) -> tuple[int, int]:
        number = 2 * self.fields.index(field)
        return number, number + 1

    def read(self, place: Integer) -> Any:
        if current_path() is not None:
            mention(place, self.name)
        return self.load(place) if self.fields == ("",) else SymbolicElement(self, place)

    def write(self, place: Integer, item: Any) -> None:
        self.written += 1
        if self.fields != ("",):
            show("a struct is stored in one place", z3.BoolVal(type(item) is Element))
        super().write(place, item)
        if type(item) is Element:
            for field in self.fields:
                delattr(item, field)  # it now belongs to the container


class SymbolicDeque(_Fields):
    """A deque of unknown contents between unknown ends."""

    def slot(self, place: Integer) -> SymbolicPointer:
        return SymbolicPointer(self, place)

    def begin(self) -> SymbolicPointer:
        return SymbolicPointer(self, self.first)

    def end(self) -> SymbolicPointer:
        return SymbolicPointer(self, self.last)

    def push_back(self, item: Any) -> None:
        self.write(self.last, item)
        self.last = self.last + 1

    def pop_front(self) -> None:
        show("pop_front finds an element", self.first < self.last)
        self.first = self.first + 1

    def __getitem__(self, p: SymbolicPointer) -> Any:
        self._inside(p)
        return self.read(p.term)

    def __setitem__(self, p: SymbolicPointer, item: Any) -> None:
        self._inside(p)
        self.write(p.term, item)

    def _inside(self, p: SymbolicPointer) -> None:
        show("*p finds an element", self.holds(p.term))


class SymbolicStack(_Fields, Sized):
    """A stack of unknown contents and height; place 0 is its bottom."""

    INDEXED = True

    def slot(self, place: Integer) -> SymbolicInt:
        return SymbolicInt(self.last - 1 - place)

    def is_empty(self) -> SymbolicBool:
        return SymbolicBool(self.last == 0)

    def push(self, item: Any) -> None:
        self.write(self.last, item)
        self.last = self.last + 1

    def pop(self) -> Any:
        top = self.top()
        self.last = self.last - 1
        return top

    def top(self) -> Any:
        show("the stack is not empty", self.last > 0)
        return self.read(self.last - 1)

    def __getitem__(self, depth: Any) -> Any:
        show("the depth is one of the stack", z3.And(term(depth) >= 0, term(depth) < self.last))
        return self.read(self.last - 1 - term(depth))


class SymbolicWindow(Sized, Container):
    """The window by definition, of unknown length: v_i is the stream's element front + i."""

    def __init__(self, path: Path) -> None:
        self.front, self.length = path.fresh("front"), path.fresh("n")
        path.assume(self.length >= 0)

    def terms(self) -> list[Any]:
        return [self.front, self.length]

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
