"""Lists of unknown length.

A `SymbolicList` is a sequence of pieces.  A `Stretch` is a range of an indexed sequence, a `Single` is one item.
Slices, inserts and removals cut the piece that contains the index, with a branch if this piece is not known.  No
quantifier is needed: a property of all items is shown at an arbitrary index.

Limits: lists are not compared, and `index` finds only items that were inserted one by one.  Python accepts a slice or
an insert beyond the ends of a list; here it is an obligation that fails, except for slices of an empty list.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from swagproof.proofs.engine import values
from swagproof.proofs.engine.paths import Unsupported, current_path, settle, show
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Segment, Sized, SymbolicBool, SymbolicInt, term


class Stretch(NamedTuple):
    """Items start .. start + length - 1 of a sequence."""

    at: Callable[[Integer], Any]
    start: Integer
    length: Integer


class Single(NamedTuple):
    """One item."""

    item: Any
    length: Integer = z3.IntVal(1)


Piece = Stretch | Single


class Time:
    """The time of an entry, given by the entry's number.  Steps move times, and do not compare them."""

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, number: Integer) -> None:
        self.number = number

    def __bool__(self) -> bool:
        raise TypeError("the truth of a time differs from type to type")

    def __eq__(self, other: object) -> Any:
        show("control flow looks at no time", z3.BoolVal(False))
        return False


def either(claim: Truth, x: Any, y: Any) -> Any:
    """Return x if the claim holds, else y, as one value."""
    if isinstance(x, Time) and isinstance(y, Time):
        return Time(z3.If(claim, x.number, y.number))
    return values.either(claim, x, y)


class Choice:
    """One of two items, as a clause reads it.

    Its truth values (`..._spine`) are one formula each; any other attribute takes a branch on which item it is.
    """

    def __init__(self, claim: Truth, x: Any, y: Any) -> None:
        self.claim = claim
        self.x = x
        self.y = y

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_spine"):
            truths = [SymbolicBool(_truth(getattr(item, name))) for item in (self.x, self.y)]
            return SymbolicBool(z3.If(self.claim, truths[0].term, truths[1].term))
        return getattr(self.x if settle(self.claim) else self.y, name)


def _truth(value: "bool | SymbolicBool") -> Truth:
    return value.term if isinstance(value, SymbolicBool) else z3.BoolVal(value)


class SymbolicList(Sized):
    """A list of unknown length."""

    name = "a list"

    def __init__(self, *pieces: Piece) -> None:
        self.pieces = _join(pieces)
        self._measured: tuple[Any, Integer] = (None, None)
        """The pieces whose length was computed last, and the length."""

    @property
    def length(self) -> Integer:
        """The number of items, as a term."""
        measured, length = self._measured
        if measured is not self.pieces:
            length = z3.simplify(z3.Sum([piece.length for piece in self.pieces])) if self.pieces else z3.IntVal(0)
            self._measured = self.pieces, length
        return length

    def __bool__(self) -> bool:
        if not self.pieces or any(isinstance(piece, Single) for piece in self.pieces):
            return bool(self.pieces)
        return settle(self.length != 0)

    def __iter__(self) -> Iterator[Any]:
        """Return an iterator over the items if their number is known; loops over other lists must be cut."""
        if any(isinstance(piece, Stretch) for piece in self.pieces):
            raise Unsupported("a loop over a list of unknown length has no invariant in the contracts")
        return iter([piece.item for piece in self.pieces if isinstance(piece, Single)])

    def terms(self) -> list[Any]:
        """Return the pieces."""
        return list(self.pieces)

    def slot(self, index: Integer) -> SymbolicInt:
        """Return an index as clauses receive it."""
        return SymbolicInt(index)

    def holds(self, index: Integer) -> Truth:
        """Return whether an index is valid."""
        return z3.And(0 <= index, index < self.length) if self.pieces else z3.BoolVal(False)

    def item(self, index: Integer) -> Any:
        """Return the item at a valid index: one value over all pieces if possible, else by branches."""
        return self._item(index, 0, z3.IntVal(0))

    def _item(self, index: Integer, number: int, begin: Integer) -> Any:
        if number == len(self.pieces):
            raise Unsupported("an item of an empty list")
        piece = self.pieces[number]
        end = begin + piece.length
        last = number == len(self.pieces) - 1
        inside = z3.simplify(index < end)
        if z3.is_false(inside) and not last:
            return self._item(index, number + 1, end)
        item = piece.item if isinstance(piece, Single) else piece.at(z3.simplify(piece.start + index - begin))
        if last or z3.is_true(inside):
            return item
        if isinstance(item, Segment | Time):
            return either(inside, item, self._item(index, number + 1, end))
        if current_path() is None:
            return Choice(inside, item, self._item(index, number + 1, end))
        return item if settle(inside) else self._item(index, number + 1, end)

    def cut(self, index: Integer) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Return the pieces before an index, and those from it on."""
        end: Integer = z3.IntVal(0)
        for number, piece in enumerate(self.pieces):
            begin, end = end, end + piece.length
            before, behind = self.pieces[:number], self.pieces[number + 1 :]
            if isinstance(piece, Single):
                if settle(index <= begin):
                    return before, (piece, *behind)
            elif settle(index <= end):
                inside = index - begin
                left = Stretch(piece.at, piece.start, inside)
                right = Stretch(piece.at, piece.start + inside, piece.length - inside)
                return (*before, left), (right, *behind)
        return self.pieces, ()

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self.item(self.index_of(index))
        if not self.pieces and index.step is None:
            return SymbolicList()
        start, stop = self.ends_of(index)
        return SymbolicList(*SymbolicList(*self.cut(stop)[0]).cut(start)[1])

    def __setitem__(self, index: "int | SymbolicInt", item: Any) -> None:
        place = self.index_of(index)
        self.pieces = _join((*self.cut(place)[0], Single(item), *self.cut(place + 1)[1]))

    def insert(self, index: "int | SymbolicInt", item: Any) -> None:
        place = term(index)
        show("an insert is within its list", z3.And(0 <= place, place <= self.length))
        before, behind = self.cut(place)
        self.pieces = _join((*before, Single(item), *behind))

    def append(self, item: Any) -> None:
        self.pieces = (*self.pieces, Single(item))

    def pop(self, index: "int | SymbolicInt" = -1) -> Any:
        place = self.index_of(index)
        item = self.item(place)
        self.pieces = _join((*self.cut(place)[0], *self.cut(place + 1)[1]))
        return item

    def __iadd__(self, other: "SymbolicList") -> "SymbolicList":
        self.pieces = (*self.pieces, *other.pieces)
        return self

    def index(self, item: Any) -> SymbolicInt:
        """Return the index of an item that was inserted singly."""
        end: Integer = z3.IntVal(0)
        for piece in self.pieces:
            if isinstance(piece, Single) and piece.item is item:
                return SymbolicInt(z3.simplify(end))
            end = end + piece.length
        raise Unsupported("an item is looked for in a stretch of unknown ones")


def _join(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return the pieces with their terms simplified, without those that are certainly empty."""
    made: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Single):
            made.append(piece)
            continue
        length = z3.simplify(piece.length)
        if not (z3.is_int_value(length) and length.as_long() == 0):
            made.append(Stretch(piece.at, z3.simplify(piece.start), length))
    return tuple(made)


def make_list(*parts: Any) -> SymbolicList:
    """Return [x, *items]; the single items are given in Python lists."""
    made: list[Piece] = []
    for part in parts:
        made += part.pieces if isinstance(part, SymbolicList) else [Single(item) for item in part]
    return SymbolicList(*made)
