"""Symbolic containers that are read by index or key: arrays, sets of integers, dicts, sequences, rows, growing lists.

- `SymbolicArray` and `FixedArray`: arrays of values with slots 1 .. size.
- `SymbolicSet`: a finite set, given by its members and their number.  Iterating it visits each member once, in an
  unknown order (swagproof.proofs.engine.run).  `SymbolicMap` is a dict whose keys are such a set.
- `SymbolicSequence`: a sequence that is only read; `Selection` is a comprehension over one.
- `SymbolicRow`: a Python list or deque whose items are of one `ItemKind`.  Its places keep their numbers when items are
  removed at either end (`Slots`; swagproof.proofs.engine.heap has the deque with pointers and the stack).
- `GrowingList`: a row of which each index is a place.  It and the dict hold an `Item` at each place: a number and a
  partial aggregate, of which the code uses one.  A loop forgets contents before anything shows which one.

Limits: a fact about all places is used only at the places that the code mentions, by reading an array or testing
membership.  Comprehensions, `max`, `min` and `any` are not executed item by item.  Their defining properties are
assumed at the indices that a proof mentions; other properties are unknown.
"""

from collections.abc import Callable
from functools import reduce
from types import CellType, FunctionType
from typing import Any, ClassVar, Final, NamedTuple, Self

from swagproof.models.containers.bottom import BOTTOM
from swagproof.proofs.engine.paths import (
    Path,
    Unsupported,
    current_path,
    enclosing_path,
    formula,
    is_told,
    mention,
    remember,
    show,
)
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import (
    VALUES,
    Container,
    Segment,
    Sized,
    SymbolicBool,
    SymbolicInt,
    Value,
    either,
    term,
)

_INT: Final = z3.IntSort()
_BOOL: Final = z3.BoolSort()
_INSIDE: Final = z3.Function("members in", z3.ArraySort(_INT, _BOOL), _INT, _INT, _INT)
"""The number of members of a finite set in lo .. hi - 1."""


class SymbolicArray(Sized, Container):
    """A models.containers.array.Array of unknown values: slots 1 .. size, some of them written."""

    def __init__(self, size: "int | SymbolicInt") -> None:
        self.length = term(size)
        self.values: Any = z3.K(_INT, z3.Const("nothing", VALUES))
        self.written: Any = z3.K(_INT, z3.BoolVal(False))

    def __bool__(self) -> bool:
        raise TypeError("the truth of an array is not defined")

    def forget(self, path: Path) -> None:
        self.values = z3.Array(str(path.fresh("T")), _INT, VALUES)
        self.written = z3.Array(str(path.fresh("written")), _INT, _BOOL)

    def terms(self) -> list[Any]:
        return [self.values, self.written, self.length]

    def __getitem__(self, index: "int | SymbolicInt") -> Value:
        v = self.index_of(index)
        show("what is read from the array was written", self.written[v])
        return Value(self.values[v], self.written[v])

    def __setitem__(self, index: "int | SymbolicInt", value: Value) -> None:
        v = self.index_of(index)
        if not isinstance(value, Value):  # pyright: ignore[reportUnnecessaryIsInstance]  # the code under proof is not checked
            raise TypeError(f"an array of values is given a {type(value).__name__}")
        self.values = z3.Store(self.values, v, value.term)
        self.written = z3.Store(self.written, v, z3.BoolVal(True))

    def index_of(self, index: "int | SymbolicInt") -> Integer:
        """Return the term of a slot, and mention it, with the obligation that the array has it."""
        v = term(index)
        mention(v)
        show("the array has this slot", z3.And(1 <= v, v <= self.length))
        return v


class FixedArray(SymbolicArray):
    """An array that is only read: the value of slot v is `at(v)`."""

    def __init__(self, size: Integer, at: Callable[[Integer], Any]) -> None:
        self.length = size
        self.at = at

    def forget(self, path: Path) -> None:
        """Do nothing: the array never changes."""

    def terms(self) -> list[Any]:
        return []

    def __getitem__(self, index: "int | SymbolicInt") -> Any:
        return self.at(self.index_of(index))

    def __setitem__(self, index: "int | SymbolicInt", value: object) -> None:
        show("the array is only read", z3.BoolVal(False))


class ByPlace:
    """The value at each place, for clauses."""

    def __init__(self, at: Callable[[Integer], Any]) -> None:
        self.at = at

    def __getitem__(self, i: "int | SymbolicInt") -> Any:
        return self.at(term(i))


class SymbolicSet(Sized, Container):
    """A finite set of integers, given by its members and their number."""

    def __init__(self) -> None:
        self.members: Any = z3.K(_INT, z3.BoolVal(False))
        self.length: Integer = z3.IntVal(0)
        self.within: SymbolicSet | None = None
        """A known superset, if any."""

    @classmethod
    def unknown(cls, path: Path, within: "SymbolicSet | None" = None) -> "SymbolicSet":
        made = cls()
        made.forget(path)
        if within is not None:
            made.within = within.freeze()
            path.assume(made.length <= within.length)
        return made

    def forget(self, path: Path) -> None:
        self.members = z3.Array(str(path.fresh("members")), _INT, _BOOL)
        self.length = path.fresh("length")
        self.within = None
        path.assume(self.length >= 0)

    def terms(self) -> list[Any]:
        return [self.members, self.length]

    def has(self, v: Integer) -> Truth:
        """Return whether v is a member, and assume what this implies for a finite set."""
        mention(v)
        remember(z3.Implies(self.members[v], self.length >= 1))
        if self.within is not None:
            remember(z3.Implies(self.members[v], self.within.members[v]))
        return self.members[v]

    def inside(self, lo: "int | SymbolicInt", hi: "int | SymbolicInt") -> SymbolicInt:
        """Return the number of members in lo .. hi - 1.

        It is at most hi - lo, and changes by one when the last member is added or removed (see also the lemma
        `pigeonhole` in swagproof.proofs.flat_trees.complete_trees).
        """
        ends = term(lo), term(hi)

        def count(members: Any) -> Integer:
            found = _INSIDE(members, *ends)
            numbers = z3.If(ends[0] <= ends[1], ends[1] - ends[0], 0)
            remember(z3.And(0 <= found, found <= numbers))
            return found

        found = count(self.members)
        if self.members.decl().kind() == z3.Z3_OP_STORE:
            before, v, now = self.members.children()
            change = z3.If(now, 1, 0) - z3.If(before[v], 1, 0)
            counted = z3.And(ends[0] <= v, v < ends[1])
            remember(found == count(before) + z3.If(counted, change, 0))
        return SymbolicInt(found)

    def __contains__(self, v: Any) -> bool:
        return bool(SymbolicBool(self.has(term(v))))

    def __bool__(self) -> bool:
        answer = super().__bool__()
        if answer and current_path() is not None:
            self.some("member")
        return answer

    def some(self, name: str) -> Integer:
        """Return an arbitrary member, if the set has one."""
        path = current_path()
        assert path is not None
        v = path.fresh(name)
        path.assume(z3.Implies(self.length >= 1, self.members[v]))
        self.has(v)
        return v

    def add(self, v: "int | SymbolicInt") -> None:
        v = term(v)
        self.length = z3.If(self.has(v), self.length, self.length + 1)
        self.members = z3.Store(self.members, v, z3.BoolVal(True))
        self.within = None

    def take(self, v: Integer) -> None:
        """Remove the member v."""
        self.length = self.length - 1
        self.members = z3.Store(self.members, v, z3.BoolVal(False))

    def clear(self) -> None:
        self.members = z3.K(_INT, z3.BoolVal(False))
        self.length = z3.IntVal(0)
        self.within = None


class Item(SymbolicInt):
    """An item of a dict or a growing list: both a number and a partial aggregate, of which the code uses one."""

    __slots__ = ("aggregate",)
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, number: Integer, aggregate: Segment) -> None:
        super().__init__(number)
        self.aggregate = aggregate

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Segment) or other is BOTTOM:
            return self.aggregate == aggregate_of(other)
        return super().__eq__(other)


def aggregate_of(value: Any) -> Segment:
    """Return the partial aggregate of an item or a segment; for ⊥, the empty product."""
    if value is BOTTOM:
        return Segment(z3.IntVal(0), z3.IntVal(0))
    if not isinstance(value, Item | Segment):
        raise TypeError(f"a {type(value).__name__} is no partial aggregate")
    return value.aggregate if isinstance(value, Item) else value


class ItemKind(NamedTuple):
    """The kind of items: the sorts of their terms, the item made from terms, and the terms of an item."""

    sorts: tuple[Any, ...]
    make: Callable[..., Any]
    parts: Callable[[Any], tuple[Any, ...]]


NO_NUMBER, *NO_AGGREGATE = z3.Ints("no_number no_begin no_end")


def _parts_of_item(value: Any) -> tuple[Any, ...]:
    """Return the terms of a number or a partial aggregate as an item; the other part is some unknown one."""
    if isinstance(value, int | SymbolicInt) and not isinstance(value, Item):
        return (term(value), *NO_AGGREGATE)
    held = aggregate_of(value)
    return (value.term if isinstance(value, Item) else NO_NUMBER), held.lo, held.hi


NUMBERS: Final = ItemKind((_INT,), SymbolicInt, lambda number: (term(number),))
ITEMS: Final = ItemKind((_INT,) * 3, lambda number, lo, hi: Item(number, Segment(lo, hi)), _parts_of_item)


class Cells:
    """Items of one kind by place: an array for each of their terms."""

    kind: ItemKind
    arrays: list[Any]

    def forget_cells(self, path: Path, name: str) -> None:
        self.arrays = [z3.Array(str(path.fresh(name)), _INT, sort) for sort in self.kind.sorts]

    def load(self, place: Integer) -> Any:
        """Return the item at a place."""
        return self.kind.make(*(array[place] for array in self.arrays))

    def write(self, place: Integer, item: Any) -> None:
        """Replace the item at a place."""
        parts = self.kind.parts(item)
        self.arrays = [z3.Store(array, place, part) for array, part in zip(self.arrays, parts, strict=True)]


class SymbolicMap(Cells, SymbolicSet):
    """A dict with integer keys: the set of keys, and the item of each."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = ITEMS
        self.arrays = [z3.K(_INT, part) for part in ITEMS.parts(BOTTOM)]

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.forget_cells(path, "items")

    def terms(self) -> list[Any]:
        return [*super().terms(), *self.arrays]

    def __getitem__(self, key: "int | SymbolicInt") -> Item:
        show("the dict has this key", self.has(term(key)))
        return self.load(term(key))  # type: ignore[no-any-return]  # of its kind

    def __setitem__(self, key: "int | SymbolicInt", value: Any) -> None:
        self.add(key)
        self.write(term(key), value)

    def __delitem__(self, key: "int | SymbolicInt") -> None:
        show("the dict has this key", self.has(term(key)))
        self.take(term(key))

    def items(self) -> "SymbolicMap":
        """Return the dict itself, for functions that take pairs of keys and values."""
        return self


class SymbolicSequence(Sized):
    """A sequence that is only read; item j, counted from 0, is `at(j)`."""

    def __init__(self, length: Integer, at: Callable[[Integer], Any]) -> None:
        self.length = length
        self.at = at
        self.seen: dict[str, Integer] = {}
        """The indices of the items that were read."""
        self.laws: list[Callable[[Integer], None]] = []
        """Functions that assume a fact about an index; each is applied to every index that is read."""

    def terms(self) -> list[Any]:
        return []

    def item(self, index: Integer) -> Any:
        """Return the item at a valid index."""
        self.look(index)
        return self.at(index)

    def look(self, index: Integer) -> None:
        """Apply the laws to this index."""
        key = z3.simplify(index).sexpr()
        if key not in self.seen:
            self.seen[key] = index
            for law in list(self.laws):
                law(index)

    def decree(self, law: Callable[[Integer], None]) -> None:
        """Apply a law to every index that has been read or will be read."""
        self.laws.append(law)
        for index in list(self.seen.values()):
            law(index)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self.item(self.index_of(index))
        start, stop = self.ends_of(index)
        return SymbolicSequence(stop - start, lambda j: self.item(start + j))


class OneItem(SymbolicSequence):
    """[item], which may be repeated."""

    def __init__(self, item: Any) -> None:
        super().__init__(z3.IntVal(1), lambda j: item)

    def __mul__(self, times: "int | SymbolicInt") -> SymbolicSequence:
        show("an item is taken 0 times or more", term(times) >= 0)
        return SymbolicSequence(term(times), self.at)


def join(*parts: Any) -> SymbolicSequence:
    """Return [item, *items]: sequences, and single items in Python's lists, all numbers or all partial aggregates."""
    rows: list[Any] = []
    for part in parts:
        if isinstance(part, list) and len(part) != 1:  # pyright: ignore[reportUnknownArgumentType]  # of any kind
            raise Unsupported("a list of several single items")
        rows.append(OneItem(*part) if isinstance(part, list) else part)
    return reduce(_join, rows) if rows else SymbolicSequence(z3.IntVal(0), lambda j: None)


def _join(x: SymbolicSequence, y: SymbolicSequence) -> SymbolicSequence:
    length = x.length
    return SymbolicSequence(z3.simplify(length + y.length), lambda j: either(j < length, x.item(j), y.item(j - length)))


class Selection(SymbolicSequence):
    """[made(x) for x in items if wanted(x)]: the results for the wanted items, in order.

    `place` maps an index in the selection to the index of its item, and is strictly increasing; `number` is its inverse
    on the wanted items.  Only these properties are assumed, at the indices that are used.  `wanted` and `made` refer to
    the values that their variables have now.
    """

    def __init__(self, items: Any, wanted: Callable[[Any], Any], made: Callable[[Any], Any]) -> None:
        path = enclosing_path()
        assert path is not None
        super().__init__(path.fresh("selected"), lambda j: self.made(items.item(self.place(j))))
        self.items = items
        self.wanted, self.made = _as_now(wanted), _as_now(made)
        self.places, self.numbers = (z3.Function(str(path.fresh(name)), _INT, _INT) for name in ("place", "number"))
        self.asked: dict[str, Integer] = {}
        self.begin()

    def begin(self) -> None:
        """Mark every index as unused: nothing has been assumed yet, or everything was forgotten."""
        self.asked.clear()
        remember(z3.And(0 <= self.length, self.length <= self.items.length))

    def is_wanted(self, p: Integer) -> Truth:
        """Return whether there is an item at an index and it is wanted."""
        inside = z3.And(0 <= p, p < self.items.length)
        return z3.And(inside, formula(lambda: self.wanted(self.items.item(p)), inside))

    def place(self, j: Integer) -> Integer:
        """Return the index of the item of the j-th result."""
        p = self.places(j)
        if self.compare(j):
            remember(z3.Implies(z3.And(0 <= j, j < self.length), z3.And(self.is_wanted(p), self.numbers(p) == j)))
        return p

    def number(self, p: Integer) -> Integer:
        """Return the index in the selection of the item at p, if it is wanted."""
        j = self.numbers(p)
        remember(z3.Implies(self.is_wanted(p), z3.And(0 <= j, j < self.length, self.places(j) == p)))
        self.compare(j)
        return j

    def compare(self, j: Integer) -> bool:
        """Assume that the j-th result and the used ones are ordered as their items; return whether j is new."""
        key = z3.simplify(j).sexpr()
        if key in self.asked:
            return False
        for i in self.asked.values():
            both = z3.And(0 <= i, i < self.length, 0 <= j, j < self.length)
            remember(z3.Implies(both, (i < j) == (self.places(i) < self.places(j))))
        if is_told():
            self.asked[key] = j
        return True

    def of(self, p: Integer) -> Any:
        """Return the result for the item at an index."""
        return self.made(self.items.item(p))

    def decree_of_wanted(self, law: Callable[[Integer], Truth]) -> None:
        """Apply a law to the index of every wanted item that has been read or will be read."""
        self.items.decree(lambda p: remember(z3.Implies(self.is_wanted(p), law(p))))


def _as_now(function: Any) -> Any:
    """Return a function whose closure keeps the current values of its variables."""
    if not isinstance(function, FunctionType):
        return function
    around = tuple(CellType(cell.cell_contents) for cell in function.__closure__ or ())
    return FunctionType(function.__code__, function.__globals__, closure=around)


def _extreme(name: str, bounds: Callable[[Integer, Integer], Truth], *of: Any, default: Any = None) -> Any:
    """Return the largest or smallest of two numbers, of items, or of a selection, according to `bounds`."""
    if len(of) == 2:
        x, y = map(term, of)
        return SymbolicInt(z3.If(bounds(y, x), x, y))
    path, (numbers,) = current_path(), of
    if path is None or not isinstance(numbers, SymbolicSequence):
        raise Unsupported(f"the {name} of a {type(numbers).__name__}, or in a clause")
    numbers = _selected(numbers)
    numbers.number(z3.IntVal(0))
    if default is not None and not SymbolicBool(numbers.length >= 1):
        return default
    show(f"there is a {name}", numbers.length >= 1)
    found, where = path.fresh(name), path.fresh(f"where the {name} is")
    path.assume(z3.And(numbers.is_wanted(where), term(numbers.of(where)) == found))
    numbers.decree_of_wanted(lambda p: bounds(term(numbers.of(p)), found))
    return SymbolicInt(found)


def greatest(*of: Any, default: Any = None) -> Any:
    """max(x, y), max(items), max((... for x in items), default=...)"""
    return _extreme("greatest", lambda number, found: number <= found, *of, default=default)


def least(*of: Any, default: Any = None) -> Any:
    """min(x, y), min(items), min((... for x in items), default=...)"""
    return _extreme("least", lambda number, found: number >= found, *of, default=default)


def _selected(items: SymbolicSequence) -> Selection:
    """Return the items as a selection of all of them, if they are not one."""
    return items if isinstance(items, Selection) else Selection(items, lambda _: True, lambda item: item)


def any_of(items: SymbolicSequence) -> SymbolicBool:
    """any(items), any(... for x in items)"""
    path, truths = current_path(), _selected(items)
    if path is None:
        raise Unsupported("any in a clause")
    found, where = z3.Bool(str(path.fresh("any"))), path.fresh("one of them")
    path.assume(z3.Implies(found, z3.And(truths.is_wanted(where), formula(lambda: truths.of(where)))))
    truths.decree_of_wanted(lambda p: z3.Implies(formula(lambda: truths.of(p)), found))
    return SymbolicBool(found)


class Enumerated(SymbolicSequence):
    """enumerate(items, start): pairs of a number and an item."""

    def __init__(self, items: Any, start: "int | SymbolicInt" = 0) -> None:
        held: Any = items.freeze() if isinstance(items, Container) else items
        self.iterated, self.items = items, held
        self.start = start
        super().__init__(held.length, lambda j: (SymbolicInt(z3.simplify(j + term(start))), held.item(j)))

    def terms(self) -> list[Any]:
        """Return the terms of the items themselves, because changing them during iteration is an error."""
        return self.iterated.terms()  # type: ignore[no-any-return]  # of any class


def symbolic_range(*ends: "int | SymbolicInt") -> SymbolicSequence:
    """range(end), range(start, end)"""
    if len(ends) not in (1, 2):
        raise Unsupported("a range has an end, and perhaps a start")
    start, end = ends if len(ends) == 2 else (0, ends[0])
    first, length = term(start), term(end) - term(start)
    return SymbolicSequence(z3.If(length < 0, 0, length), lambda j: SymbolicInt(first + j))


def symbolic_set(*items: object) -> SymbolicSet:
    """set()"""
    if items:
        raise Unsupported("a set begins empty")
    return SymbolicSet()


class Slots(Cells, Container):
    """Items of one kind, at the places first .. last - 1."""

    INDEXED: ClassVar[bool] = False
    """True if each place is an index: `first` is 0."""

    def __init__(self, name: str, kind: ItemKind, path: Path) -> None:
        self.name = name
        self.kind = kind
        self.forget(path)

    def forget(self, path: Path) -> None:
        self.forget_cells(path, self.name)
        self.first = z3.IntVal(0) if self.INDEXED else path.fresh(f"first of {self.name}")
        self.last = path.fresh(f"last of {self.name}")
        path.assume(self.first <= self.last)

    def terms(self) -> list[Any]:
        return [*self.arrays, self.first, self.last]

    @property
    def length(self) -> Integer:
        """The number of items, as a term."""
        return self.last - self.first

    def slot(self, place: Integer) -> Any:
        """Return the index of a place, which is how clauses refer to it."""
        return SymbolicInt(place - self.first)

    def holds(self, place: Integer) -> Truth:
        """Return whether there is an item at a place."""
        return z3.And(self.first <= place, place < self.last)

    def read(self, place: Integer) -> Any:
        """Return the item at a place, and mention the place."""
        mention(place, self.name)
        return self.load(place)


class SymbolicRow(Slots, Sized):
    """A list or deque of unknown items; index 0 is at the place `first`."""

    @classmethod
    def of(cls, name: str, kind: ItemKind, *items: Any, times: "int | SymbolicInt" = 1) -> Self:
        """Return a row of known items; a single item may be repeated."""
        row = object.__new__(cls)
        row.name, row.kind = name, kind
        row.first, row.last = z3.IntVal(0), z3.simplify(z3.If(term(times) < 0, 0, term(times) * len(items)))
        row.arrays = [z3.K(_INT, part) for part in kind.parts(items[0])] if items else [
            z3.Array(f"nothing of {name}, {number}", _INT, sort) for number, sort in enumerate(kind.sorts)
        ]  # fmt: skip
        for place, item in enumerate(items[1:], 1):
            row.write(z3.IntVal(place), item)
        return row

    def item(self, index: Integer) -> Any:
        """Return the item at a valid index."""
        return self.read(z3.simplify(self.first + index))

    def __getitem__(self, index: "int | SymbolicInt") -> Any:
        return self.item(self.index_of(index))

    def __setitem__(self, index: "int | SymbolicInt", item: Any) -> None:
        self.write(z3.simplify(self.first + self.index_of(index)), item)

    def __mul__(self, times: "int | SymbolicInt") -> "SymbolicRow":
        if not z3.simplify(self.length).eq(z3.IntVal(1)):
            raise Unsupported("a row of one item is repeated")
        return SymbolicRow.of(self.name, self.kind, self[0], times=times)

    def append(self, item: Any) -> None:
        self.write(self.last, item)
        self.last = self.last + 1

    def pop(self) -> Any:
        item = self[-1]
        self.last = self.last - 1
        return item

    def popleft(self) -> Any:
        item = self[0]
        self.first = self.first + 1
        return item


class GrowingList(SymbolicRow):
    """A list of items whose indices are its places."""

    INDEXED = True
