"""Places of an exploration as plain data: copies that share nothing, and states that omit what no step can tell apart.

*Copies.*  Each step from a place needs its own copy, and a copy that shared data with its original would make the
exploration worthless.  So a place is frozen into plain data, and every step thaws that data again.  Sharing inside a
place is preserved.  The few objects that must be the same everywhere (the operator, classes made at run time) are the
space's `constants`; any other object that is not data is refused with an error.  The frozen data can be sent to another
process.

*States.*  Two places are the same state only if no later step can distinguish them; then one of them is enough.  A
hand-written list of the relevant fields could omit a counter, a cache or a clock.  So the state is the whole frozen
place, all data of the subject and the model, except for the values that a space declares as irrelevant:

- letters: only the position of a value among the model's values is kept; products with other letters are all one wrong
  value, because no correct answer contains them, or are numbered in order of occurrence (`lumps_gone`);
- `Ordered` values: only the rank among all such values is kept;
- `positions`, attributes with numbers that are only compared with each other: kept relative to the place's `origin`;
- `idle`, attributes that count and are never read: not kept.

These declarations are checked: a place is thawed with other positions, idle numbers and times, taken in turn from a
list of near, far and negative ones.  Code that depends on them fails a check, or reaches additional states, which are
counted.
"""

import array
import copyreg
import io
import marshal
import pickle
import zlib
from abc import ABC
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from types import FunctionType
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

from swagproof.models.containers.array import UNWRITTEN, Array
from swagproof.models.containers.deque import CHUNK, VACANT, ChunkedDeque, NumberedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.monoid import Counting
from swagproof.proofs.explorer.letters import WORDS, LetterWindow, Ordered, Parts, Word, letter, ordered, spell, word

Role: TypeAlias = Literal["values", "keys", "unordered"]
"""The role of an attribute with positions: `values`, single or in sequences; `keys` of a dictionary; or `unordered`,
for members of a set, or keys of a dictionary, whose order is irrelevant.
"""

S = TypeVar("S")


@dataclass(eq=False, slots=True)
class Place(Generic[S]):
    """A point of a walk."""

    subject: Any
    """A live instance of the code under exploration."""
    model: Any
    """The definition with the same history."""
    steps: tuple[S, ...] = ()
    """The steps that led here."""
    frozen: Any = None
    """The place as plain data, once computed.  The place must not change after that."""


class Freezing(ABC, Generic[S]):
    """Places as plain data, and the values that a state leaves out or renames."""

    positions: ClassVar[Mapping[str, Role]] = {}
    """The attributes of the subject and its parts that hold positions, with their roles."""
    lumps_gone: ClassVar[bool] = True
    """True if all words with a letter of no piece are one value; else such letters are numbered by occurrence."""
    bags: ClassVar[bool] = False
    """True if the operator commutes: then words with the same letters in any order are equal."""
    idle: ClassVar[Mapping[str, str]] = {}
    """The attributes that only count, with the reasons for their irrelevance."""
    far: ClassVar[Sequence[int]] = (*range(300), *(10**9, 2**31 - 1, 2**31, 2**32 - 2, 2**53, 2**63 - 1) * 25)
    """The origins of positions in thawed places."""

    def state(self, place: Place[S]) -> Hashable:
        """Return the state of a place: all its data, equal in all processes."""
        return self.freeze(place)  # type: ignore[no-any-return]  # hashable

    def pieces(self, place: Place[S]) -> int | Sequence[Word]:
        """Return the words that a state renames to one letter each, in order.

        A number k instead means: all letters from the k-th on are kept relative to it.
        """
        return int(getattr(place.model, "evicted", 0))

    def origin(self, place: Place[S]) -> int | None:
        """Return the origin of the place's positions; None if absolute positions matter."""
        return None

    def numbering(self, place: Place[S]) -> tuple[Callable[[int], int], bool]:
        """Return the function from a position to its value in the state, and whether positions may be moved."""
        origin = self.origin(place)
        return (lambda x: x, False) if origin is None else (lambda x: x - origin, True)

    def elsewhere(self, base: int) -> Callable[[int], int]:
        """Return the function from a position's value in the state to the position in a thawed place."""
        return lambda x: x + base

    @property
    def operator(self) -> Any:
        """The operator of the subject: the free monoid, unless a space has values of its own."""
        return WORDS

    @cached_property
    def monoid(self) -> Counting[Any]:
        """The operator with counted combine calls, one counter for all places."""
        return Counting(self.operator)

    @property
    def constants(self) -> tuple[Any, ...]:
        """The objects that are the same in all places: operators, and classes and functions that cannot be imported."""
        return self.monoid, self.operator

    def freeze(self, place: Place[S]) -> Any:
        """Return subject and model as plain data.  Raises TypeError for objects that are neither data nor constants."""
        if place.frozen is None:
            try:
                try:
                    place.frozen = _Freezer(self, place, packing=True).frozen()
                except _AliasedError:
                    place.frozen = _Freezer(self, place, packing=False).frozen()
            except (pickle.PicklingError, AttributeError, TypeError, OverflowError) as error:
                raise TypeError(f"the explorer cannot copy this: {error}") from error
        return place.frozen

    def thaw(self, frozen: Any, steps: tuple[S, ...]) -> Place[S]:
        """Return a new place from frozen data, with other positions, idle numbers and times."""
        body, order, loose = frozen
        where = zlib.crc32(body)
        base = self.far[where % len(self.far)]
        up = self.elsewhere(base) if loose else None
        subject, model = _thaw(body, order, where, self._constants, base, up)
        return Place(subject, model, steps)

    @cached_property
    def _constants(self) -> tuple[Any, ...]:
        return UNWRITTEN, VACANT, *self.constants

    @cached_property
    def special(self) -> frozenset[str]:
        """The attributes that freezing changes."""
        return frozenset((*self.positions, *self.idle))

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The numbers of the constants, by identity."""
        return {id(constant): number for number, constant in enumerate(self._constants)}


GONE: Final = -2
"""The number for a letter outside of the window."""
ROWS: Final[dict[type[Any], str]] = {Stack: "_items", Array: "_slots"}
"""Containers with one attribute, a list."""


class _AliasedError(Exception):
    """An exception for an element that is shared or outside of a sequence, so that sequences cannot be packed."""


@lru_cache(4096)
def _naming(pieces: tuple[Parts, ...]) -> tuple[dict[int, tuple[int, list[int]]], dict[Parts, Parts]]:
    """Return the number and letters of each piece, by its first letter, and an empty cache of renamed words."""
    spelled = [Word(piece).letters for piece in pieces]
    return {found[0]: (k, found) for k, found in enumerate(spelled) if found}, {}


class _Freezer(pickle.Pickler):
    """A pickler that writes a place.  It visits every object once and preserves sharing."""

    def __init__(self, space: "Freezing[Any]", place: Place[Any], *, packing: bool) -> None:
        self.buffer = io.BytesIO()
        super().__init__(self.buffer, pickle.HIGHEST_PROTOCOL)
        self.space, self.place, self.packing = space, place, packing
        self.constants = space.numbers
        self.down, self.loose = space.numbering(place)
        self.met: dict[Any, int] = {}
        self.seen: set[int] = set()
        self.special = space.special
        pieces = space.pieces(place)
        self.since = pieces if type(pieces) is int else None
        self.named: dict[Parts, Parts] = {}
        if type(pieces) is not int:
            self.first, self.named = _naming(tuple([piece.parts for piece in pieces]))  # type: ignore[union-attr]  # words
            if not space.lumps_gone or space.bags:
                self.first, self.named = self.first.copy(), {}

    def frozen(self) -> tuple[bytes, bytes, bool]:
        """Return the frozen place: the objects, the ranks of ordered values, and whether positions may be moved."""
        self.dump((self.place.subject, self.place.model))
        ranks = {at: rank for rank, at in enumerate(sorted(self.met))}
        return self.buffer.getvalue(), array.array("H", [ranks[at] for at in self.met]).tobytes(), self.loose

    def name(self, parts: Parts) -> Parts:
        """Return the name of a word in the state: given by its letters' places in the window."""
        found = self.named.get(parts)
        if found is None:
            found = self.named[parts] = self._name(parts)
        return found

    def _name_bag(self, letters: set[int]) -> Parts:
        named = list[int]()
        while letters:
            k, piece = self.first.get(min(letters), (-1, []))
            if k < 0 or not letters.issuperset(piece):
                return (-1,)
            letters.difference_update(piece)
            named.append(k)
        return spell(sorted(named)).parts

    def _name(self, parts: Parts) -> Parts:
        if self.space.bags:
            return self._name_bag(set(Word(parts).letters))
        if self.since is not None:
            since = self.since
            return (-1,) if min(parts, default=since) < since else tuple([part - since for part in parts])
        letters, named, i = Word(parts).letters, list[int](), 0
        while i < len(letters):
            if not self.space.lumps_gone and letters[i] not in self.first:
                self.first[letters[i]] = len(self.first), letters[i : i + 1]
            k, piece = self.first.get(letters[i], (-1, []))
            if k < 0 or letters[i : i + len(piece)] != piece:
                return (-1,)
            named.append(k)
            i += len(piece)
        return spell(named).parts

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if kind is Word:
            return _thaw_word, (self.named.get(obj.parts) or self.name(obj.parts),)
        if kind is Ordered:
            return _thaw_time, (self.met.setdefault(obj.at, len(self.met)),)
        number = self.constants.get(id(obj))
        if number is not None:
            return _constant, (number,)
        if kind is type or kind is FunctionType:
            return NotImplemented
        if kind is Element:
            if self.packing:
                raise _AliasedError
            return NotImplemented
        if kind is NumberedDeque:
            return _thaw_deque, (self.down(obj.first), self.row(obj.items))
        if kind is LetterWindow:
            return LetterWindow, (0, obj.size)
        if kind is ChunkedDeque:
            return _thaw_chunks, (list(obj),)
        if kind in ROWS:
            row = self.row(getattr(obj, ROWS[kind]))
            return NotImplemented if type(row) is list else (_thaw_row_of, (kind, row))
        return self.placed(obj, kind) if self.special else NotImplemented

    def row(self, items: list[Any]) -> Any:
        """Return words, elements of two words, and constants by name; unchanged if there are others.

        So the state does not depend on the identity of words.
        """
        called = [self.call(item) for item in items]
        return list(items) if None in called else marshal.dumps(called, 2)

    def call(self, item: Any) -> Any:
        """Return the name of an item of a sequence; None if it has none."""
        kind = type(item)
        if kind is Word:
            return self.name(item.parts)
        if self.packing and kind is Element and type(item.val) is type(item.agg) is Word:
            if id(item) in self.seen:
                raise _AliasedError
            self.seen.add(id(item))
            return [self.name(item.val.parts), self.name(item.agg.parts)]
        return self.constants.get(id(item))

    def placed(self, obj: Any, kind: type[Any]) -> Any:
        """Return the frozen form of an object with positions or idle numbers among its attributes."""
        positions, idle = self.space.positions, self.space.idle
        if issubclass(kind, tuple):
            fields = getattr(kind, "_fields", ())
            if positions.keys().isdisjoint(fields):
                return NotImplemented
            moved = [name in positions for name in fields]
            return _thaw_tuple, (
                kind,
                [self.moved(x, "values") if m else x for x, m in zip(obj, moved, strict=True)],
                moved,
            )
        slots, others = _slot_names(kind), getattr(obj, "__dict__", {})  # type: ignore[arg-type]  # a type is hashable
        if self.special.isdisjoint(slots) and self.special.isdisjoint(others):  # most objects, so first
            return NotImplemented
        kept = {name: getattr(obj, name) for name in slots if hasattr(obj, name)} | others
        roles = {name: positions[name] for name in sorted(kept) if name in positions and name not in idle}
        state = (
            {name: value for name, value in kept.items() if name not in self.special},
            {name: self.moved(kept[name], role) for name, role in roles.items()},
            roles,
            [name for name in sorted(kept) if name in idle],
        )
        return copyreg.__newobj__, (kind,), state, None, None, _put  # type: ignore[attr-defined]  # of the library

    def moved(self, value: Any, role: Role) -> Any:
        """Return positions by their values in the state."""
        if not isinstance(value, int | float | None):
            if id(value) in self.seen:
                raise TypeError(f"a {type(value).__name__} of positions is held twice")
            self.seen.add(id(value))
        global _idle
        _idle = 0  # in order
        return _map_positions(value, self.down, role)


@cache
def _slot_names(kind: Hashable) -> list[str]:
    return sorted(copyreg._slotnames(kind))  # type: ignore[attr-defined]  # of the library


def _map_positions(value: Any, function: Callable[[int], int], role: Role) -> Any:
    if type(value) is int:
        return function(value)
    if type(value) in (dict, set):
        change = function if role == "keys" else _same
        keys = sorted(value, key=change)
        cut = _idle % (len(keys) + 1)
        keys = keys[cut:] + keys[:cut]
        return {change(key): value[key] for key in keys} if type(value) is dict else {change(key) for key in keys}
    if type(value) in (list, tuple, deque):
        return type(value)([_map_positions(item, function, role) for item in value])
    if type(value) is Array:
        made = value.copy()
        made._slots = [_map_positions(item, function, role) for item in made._slots]
        return made
    return value


# Thawing

_up: Callable[[int], int] = int
_idle = 0
"""Parameters of the place being thawed, in globals because `pickle` passes no arguments to its callbacks."""


def _same(x: int) -> int:
    return x


_thawing: tuple[Any, ...] = ()
_times: list[Ordered] = []


def _thaw(
    body: bytes, order: bytes, where: int, constants: tuple[Any, ...], idle: int, up: Callable[[int], int] | None
) -> tuple[Any, Any]:
    """Return subject and model from their frozen data, with other times, which depend on `where`.

    `idle` is the new value of idle numbers, and `up` moves positions; without it they stay.
    """
    global _up, _idle, _thawing, _times
    _up, _idle, _thawing = up or _same, idle, constants
    ranks = array.array("H", order)
    zero = where % (len(ranks) + 1)
    _times = [ordered(2 * (rank - zero)) for rank in ranks]
    return pickle.loads(body)  # type: ignore[no-any-return]  # a pair


def _constant(number: int) -> Any:
    return _thawing[number]


def _thaw_time(number: int) -> Ordered:
    return _times[number]


def _thaw_word(name: Parts) -> Word:
    return letter(GONE) if name == (-1,) else word(name)


def _thaw_row(row: Any) -> list[Any]:
    return row if type(row) is list else [_thaw_item(called) for called in marshal.loads(row)]


def _thaw_item(called: Any) -> Any:
    if type(called) is int:
        return _constant(called)
    return Element(*map(_thaw_word, called)) if type(called) is list else _thaw_word(called)


def _thaw_deque(first: int, row: Any) -> NumberedDeque[Any]:
    made: NumberedDeque[Any] = NumberedDeque()
    made.first, made.items = _up(first), _thaw_row(row)
    return made


def _thaw_chunks(items: list[Any]) -> ChunkedDeque[Any]:
    made: ChunkedDeque[Any] = ChunkedDeque()
    for _ in range(_idle % CHUNK):  # the place within a chunk at which it begins is arbitrary
        made.push_back(None)
        made.pop_front()
    for item in items:
        made.push_back(item)
    return made


def _thaw_row_of(kind: type[Any], row: Any) -> Any:
    made = object.__new__(kind)
    setattr(made, ROWS[kind], _thaw_row(row))
    return made


def _thaw_tuple(kind: type[Any], items: list[Any], moved: list[bool]) -> Any:
    return kind(*[_map_positions(item, _up, "values") if m else item for item, m in zip(items, moved, strict=True)])


def _put(obj: Any, state: tuple[dict[str, Any], dict[str, Any], dict[str, Role], list[str]]) -> None:
    """Set the attributes of a thawed object, with moved positions and idle numbers."""
    plain, moved, roles, idle = state
    put = partial(object.__setattr__, obj)
    for name, value in plain.items():
        put(name, value)
    for name, value in moved.items():
        put(name, _map_positions(value, _up, roles[name]))
    for name in idle:
        put(name, _idle)
