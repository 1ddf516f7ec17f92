"""Structs that an algorithm keeps many of, and queues of the stream's own elements.

An algorithm that shares a stream keeps a struct for each query, window or bucket, and code looks at one or two of them
at a time.  So a struct is its place, a number, and its fields are arrays by place: a write is seen by whoever has the
same struct by another name, and nothing is known of a struct but what clauses say of its place.

What is put into a struct or a list, and changes there, must be in no other place: what is done to the one would show
in the other.  So it is an obligation of whoever puts it there that it was made for that (`New`).

A queue that takes the elements of the stream as they come holds consecutive ones: which, is all there is to know of it.
That it is given the next one is an obligation of whoever appends; two such queues are compared exactly.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from swagproof.proofs.engine.arrays import SymbolicSequence
from swagproof.proofs.engine.paths import Path, Unsupported, enclosing_path, mention, show
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Container, SymbolicBool, SymbolicInt, term

NUMBER: Final = z3.IntSort()
TRUTH: Final = z3.BoolSort()


class Records(Container):
    """The structs, by place.  A kind of them says what their parts are, and how a struct is read and written."""

    PARTS: ClassVar[Mapping[str, Any]] = {}
    """What a struct is made of, and of which sort each part is."""

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
        """A part of the struct at a place."""
        return self.parts[part][place]

    def store(self, part: str, place: Integer, value: Any) -> None:
        """The part is another from now on."""
        self.parts = {**self.parts, part: z3.Store(self.parts[part], place, value)}

    def slot(self, place: Integer) -> SymbolicInt:
        """Return how clauses speak of a place."""
        return SymbolicInt(place)

    def holds(self, place: Integer) -> Truth:
        """Return whether there is a struct at this place."""
        raise NotImplementedError

    @property
    def length(self) -> Integer:
        """Return how many there are, where their places are counted from 0."""
        raise Unsupported(f"{self.name} are not counted")

    def item(self, index: Integer) -> Any:
        """The struct at a place."""
        raise NotImplementedError

    def sequence(self) -> SymbolicSequence:
        """The structs in the order of their places, as they are now: a loop that writes to one goes on over them."""
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
        """A part; that the struct is looked at, is mentioned."""
        mention(self.place, self.records.name)
        return self.records.load(part, self.place)

    def store(self, part: str, value: Any) -> None:
        """Another one in its place."""
        self.records.store(part, self.place, value)

    def __eq__(self, other: object) -> Any:
        raise Unsupported("structs are told apart by `is`")


class New:
    """What is made to be kept in one place.

    A turn of a loop is run once, whatever number of turns there are: what was made before it was taken before.
    """

    def __init__(self) -> None:
        self.taken = False
        self._loops = _loops()

    @property
    def is_fresh(self) -> bool:
        """Return whether nobody has it yet."""
        now = _loops()
        return (
            not self.taken
            and now.keys() == self._loops.keys()
            and all(now[method] is turns for method, turns in self._loops.items())
        )


def take(made: Any, kind: type[New]) -> None:
    """Put it where it stays."""
    show("what is put into a list is new, and in no other place", z3.BoolVal(type(made) is kind and made.is_fresh))
    if isinstance(made, New):
        made.taken = True


def _loops() -> dict[str, SymbolicInt]:
    """The turns of loops, another object for each head that the path has come by."""
    path = enclosing_path()
    return {} if path is None or path.run is None else dict(path.run.turns)


class Queue:
    """A Python deque of consecutive elements of the stream: those from `front` on, `length` of them."""

    name = "a queue"
    __hash__ = None  # type: ignore[assignment]  # as deques have none
    front: Integer
    length: Integer

    def element(self, number: Integer) -> Any:
        """The stream's element of this number."""
        raise NotImplementedError

    def number(self, item: Any) -> Integer:
        """The number of an element, which it is an obligation to be."""
        raise NotImplementedError

    def terms(self) -> list[Any]:
        """All that is known of it."""
        return [self.front, self.length]

    @property
    def size(self) -> SymbolicInt:
        """len(queue)"""
        return SymbolicInt(self.length)

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.length != 0))

    def __iter__(self) -> Iterator[Any]:
        raise Unsupported("queues are iterated by `for` only")

    def __eq__(self, other: object) -> Any:
        raise Unsupported("queues are compared by clauses only")

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
        """The item at an index that the queue has."""
        return self.element(self.front + index)

    def __getitem__(self, index: "int | SymbolicInt") -> Any:
        place = term(index)
        place = z3.simplify(z3.If(place < 0, self.length + place, place))
        show("the queue has this item", z3.And(0 <= place, place < self.length))
        mention(self.front + place, self.name)
        return self.item(place)
