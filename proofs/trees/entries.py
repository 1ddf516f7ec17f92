"""The entries of a node of any arity: times, values, and one change of each.

Entries are numbered in the order of time.  Only the order of times can be observed, so the time of entry i is 2 i, and
an operation's time is any number: it is odd if no entry has it.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY, Infinity
from swagproof.proofs.engine.paths import Unsupported, show
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Scalar, Segment, SegmentMonoid, SymbolicBool, SymbolicInt, term


class Moment:
    """A time, represented by its place on a line."""

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, at: Integer) -> None:
        self.at = at

    def __bool__(self) -> bool:
        raise TypeError("the truth of a time differs from type to type")

    def __eq__(self, other: object) -> Any:
        return SymbolicBool(self.at == place_of(other))

    def __lt__(self, other: Any) -> Any:
        return other is PLUS_INFINITY or (other is not MINUS_INFINITY and SymbolicBool(self.at < place_of(other)))

    def __le__(self, other: Any) -> Any:
        return other is PLUS_INFINITY or (other is not MINUS_INFINITY and SymbolicBool(self.at <= place_of(other)))

    def __gt__(self, other: Any) -> Any:
        return other is MINUS_INFINITY or (other is not PLUS_INFINITY and SymbolicBool(self.at > place_of(other)))

    def __ge__(self, other: Any) -> Any:
        return other is MINUS_INFINITY or (other is not PLUS_INFINITY and SymbolicBool(self.at >= place_of(other)))


def place_of(time: Any) -> Integer:
    """Return the place of a time on the line; an entry's time is given by its number."""
    return time.at if isinstance(time, Moment) else 2 * time.number


def in_range(i: Any, j: Any, t_from: Any, t_to: Any) -> Segment:
    """Return the product of the entries i .. j-1 that are in a range; an end may be before or behind all."""
    lo, hi = term(i), term(j)
    infinite = {id(MINUS_INFINITY): lo, id(PLUS_INFINITY): hi}
    first = infinite[id(t_from)] if isinstance(t_from, Infinity) else (place_of(t_from) + 1) / 2
    behind = infinite[id(t_to)] if isinstance(t_to, Infinity) else place_of(t_to) / 2 + 1
    lo, hi = z3.If(lo < first, first, lo), z3.If(behind < hi, behind, hi)
    return Segment(lo, z3.If(lo < hi, hi, lo))


# Arguments of an operation


class Given(Scalar):
    """The value passed to an operation, of which no product exists yet.  Code that looks at it is refused."""

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from monoid to monoid")

    def __eq__(self, other: object) -> bool:
        raise TypeError("the equality of values differs from monoid to monoid")


VALUE: Final = Given()


@dataclass(frozen=True, eq=False)
class Combined(Given):
    """The value of an entry combined with the operation's value behind it."""

    held: Segment


class EntryMonoid(SegmentMonoid):
    """Segments and the operation's value, which may be combined only behind the value of an entry."""

    def combine(self, x: Any, y: Any) -> Any:
        if y is VALUE and isinstance(x, Segment):
            self.calls = self.calls + 1
            return Combined(x)
        if isinstance(x, Given) or isinstance(y, Given):
            show("what is given comes behind what was there", z3.BoolVal(False))
            return Segment(z3.IntVal(0), z3.IntVal(0))
        return super().combine(x, y)


# The lists of a node


Which = Literal["times", "values"]


@dataclass(frozen=True)
class Change:
    """A change of one of the lists."""

    how: Literal["insert", "set", "remove"]
    place: Integer
    item: Any = None


def _growth(change: Change | None) -> int:
    """Return the growth of a list in length."""
    return 0 if change is None else {"insert": 1, "set": 0, "remove": -1}[change.how]


class HasEntries:
    """The lists of a node."""

    __slots__ = ()

    @property
    def times(self) -> "Entries":
        """The times t_0 ... t_{a-2}."""
        return Entries(self, "times")

    @property
    def values(self) -> "Entries":
        """The values v_0 ... v_{a-2}."""
        return Entries(self, "values")


class Entries:
    """The times or the values of a node: read by index, and changed at most once."""

    def __init__(self, node: Any, which: Which) -> None:
        self.node = node
        self.which = which

    @property
    def size(self) -> SymbolicInt:
        """Return the length; both lists have the same length until one of them changes."""
        times, own = (self.node.changed.get(which) for which in ("times", self.which))
        return SymbolicInt(self.node.degree - 1 + _growth(own) - _growth(times))

    def __bool__(self) -> bool:
        return bool(self.size > 0)

    def __getitem__(self, i: Any) -> Any:
        if self.node.changed:
            raise Unsupported("a list is read after an entry has changed")
        place = self.within(i)
        number = self.node.number(place)
        return Moment(2 * number) if self.which == "times" else Segment(number, number + 1)

    def __setitem__(self, i: Any, item: Any) -> None:
        self.change(Change("set", self.within(i), item))

    def __delitem__(self, i: Any) -> None:
        self.change(Change("remove", self.within(i)))

    def insert(self, i: Any, item: Any) -> None:
        """Insert an item."""
        place = term(i)
        show("an insert is within its list", z3.And(0 <= place, place <= self.size.term))
        self.change(Change("insert", place, item))

    def within(self, i: Any) -> Integer:
        """Return the term of an index, with the obligation that it is valid."""
        place = term(i)
        show("the list has this item", z3.And(0 <= place, place < self.size.term))
        return place

    def change(self, change: Change) -> None:
        """Record a change; each list of a node may change once."""
        show("an entry changes once", z3.BoolVal(self.which not in self.node.changed))
        self.node.changed[self.which] = change
        if self.which == "times" and _growth(change):
            self.node.run.renumber(self.node, _growth(change))


def find_place(times: Entries, t: Moment) -> SymbolicInt:
    """Return bisect_left(times, t) by contract: the first place whose time is not before t, or one past all."""
    node, size = times.node, times.size.term
    i = node.run.path.fresh("i")
    node.run.path.assume(z3.And(
        0 <= i, i <= size,
        z3.Implies(i > 0, 2 * node.number(i - 1) < place_of(t)),
        z3.Implies(i < size, place_of(t) <= 2 * node.number(i)),
    ))  # fmt: skip
    return SymbolicInt(i)
