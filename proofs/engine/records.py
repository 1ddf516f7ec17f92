"""Symbolic structs that an algorithm keeps many of, and queues of consecutive elements of the stream.

An algorithm that shares a stream keeps a struct for each query, window or bucket.  `Records` holds all structs of one
kind: each field is an array by place, and a `Record` refers to its struct by place.  So a write through one reference
is visible through the others.  Only clauses say anything about a struct.

A mutable object must be in one place only, because a change would be visible in a second place.  So storing one in a
struct or a list (`take`) is an obligation that the object is `New`.

A `Queue` holds consecutive elements of the stream, given by the first element's number and the length.  `append` has
the obligation that the element is the next one.

Limit: structs and queues are compared by `is` and by clauses only.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from swagproof.proofs.engine.arrays import SymbolicSequence
from swagproof.proofs.engine.paths import Path, Unsupported, enclosing_path, mention, show
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, Sized, SymbolicBool, SymbolicInt, term

NUMBER: Final = z3.IntSort()
TRUTH: Final = z3.BoolSort()


class Records(Container):
    """The structs of one kind, by place.  A subclass defines their fields, and how a struct is read and written."""

    PARTS: ClassVar[Mapping[str, Any]] = {}
    """The fields of a struct, with their sorts."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.parts: dict[str, Any] = {}
        self.forget(path)

    def forget(self, path: Path) -> None:
        self.parts = {
            part: z3.Array(str(path.fresh(f"{self.name}.{part}")), NUMBER, sort) for part, sort in self.PARTS.items()
        }

    def terms(self) -> list[Any]:
        return list(self.parts.values())

    def load(self, part: str, place: Integer) -> Any:
        """Return a field of the struct at a place."""
        return self.parts[part][place]

    def store(self, part: str, place: Integer, value: Any) -> None:
        """Assign a field of the struct at a place."""
        self.parts = {**self.parts, part: z3.Store(self.parts[part], place, value)}

    def slot(self, place: Integer) -> SymbolicInt:
        """Return a place as clauses receive it."""
        return SymbolicInt(place)

    def holds(self, place: Integer) -> Truth:
        """Return whether there is a struct at this place."""
        raise NotImplementedError

    @property
    def length(self) -> Integer:
        """The number of structs, if their places are counted from 0."""
        raise Unsupported(f"{self.name} are not counted")

    def item(self, index: Integer) -> Any:
        """Return the struct at a place."""
        raise NotImplementedError

    def sequence(self) -> SymbolicSequence:
        """Return the structs in the order of their places.  A loop over them may write to their fields."""
        return SymbolicSequence(self.length, self.item)

    def __bool__(self) -> bool:
        raise TypeError(f"the truth of {self.name} is not defined")


class Record:
    """A struct, by reference to its place."""

    __slots__ = ("place", "records")
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike
    records: Records
    place: Integer

    def __init__(self, records: Records, place: Integer) -> None:
        object.__setattr__(self, "records", records)
        object.__setattr__(self, "place", place)

    def load(self, part: str) -> Any:
        """Return a field, and mention the struct's place."""
        mention(self.place, self.records.name)
        return self.records.load(part, self.place)

    def store(self, part: str, value: Any) -> None:
        """Assign a field."""
        self.records.store(part, self.place, value)

    def __eq__(self, other: object) -> Any:
        raise Unsupported("structs are told apart by `is`")


class New:
    """A mutable object that may be stored in one place only.

    The engine runs one turn of a loop for any number of turns.  So an object made before the turn is not fresh in it:
    an earlier turn may have stored it.
    """

    def __init__(self) -> None:
        self.taken = False
        self._loops = _loops()

    @property
    def is_fresh(self) -> bool:
        """Return whether it is stored nowhere yet."""
        now = _loops()
        return (
            not self.taken
            and now.keys() == self._loops.keys()
            and all(now[method] is turns for method, turns in self._loops.items())
        )


def take(made: Any, kind: type[New]) -> None:
    """Store an object in its one place, with the obligation that it is new."""
    show("what is put into a list is new, and in no other place", z3.BoolVal(type(made) is kind and made.is_fresh))
    if isinstance(made, New):
        made.taken = True


def _loops() -> dict[str, SymbolicInt]:
    """Return the turns of loops; objects made before a loop head on the path are not new after it."""
    path = enclosing_path()
    return {} if path is None or path.run is None else dict(path.run.turns)


class Queue(Sized):
    """A Python deque of `length` consecutive elements of the stream, starting at `front`."""

    name = "a queue"
    front: Integer

    def element(self, number: Integer) -> Any:
        """Return the stream's element with this number."""
        raise NotImplementedError

    def number(self, item: Any) -> Integer:
        """Return the number of an element, with the obligation that the item is an element."""
        raise NotImplementedError

    def terms(self) -> list[Any]:
        """Return the terms of the contents: equal terms mean equal contents."""
        return [self.front, self.length]

    def equals(self, other: "Queue") -> SymbolicBool:
        """Return whether they hold the same elements in the same order."""
        return SymbolicBool(z3.And(self.length == other.length, z3.Or(self.length == 0, self.front == other.front)))

    def append(self, item: Any) -> None:
        number = self.number(item)
        show("a queue is given the stream's next element", z3.Or(self.length == 0, number == self.front + self.length))
        self.front = z3.If(self.length == 0, number, self.front)
        self.length = self.length + 1

    def popleft(self) -> None:
        show("popleft finds an element", self.length > 0)
        self.front, self.length = self.front + 1, self.length - 1

    def pop(self) -> None:
        show("pop finds an element", self.length > 0)
        self.length = self.length - 1

    def item(self, index: Integer) -> Any:
        """Return the item at a valid index."""
        return self.element(self.front + index)

    def __getitem__(self, index: "int | SymbolicInt") -> Any:
        place = term(index)
        place = self.index_of(SymbolicInt(z3.simplify(z3.If(place < 0, self.length + place, place))))
        mention(self.front + place, self.name)
        return self.item(place)
