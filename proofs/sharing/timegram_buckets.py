"""Stand-ins for what TimeGram keeps: a list of buckets into whose midst one comes or goes, and ascending timestamps.

A list of buckets is how many there are, the number of the b-th, and where a number stands: as long as no two buckets
have one number, which whoever inserts one must show, a bucket is its number, and whoever has it sees what others do to
it.  A list from which a bucket went, or into which one came, is told by the list before: item b is that at b, or the
one beside it.  So nothing is assumed of the order, which is for the contracts to say.

A bucket's timestamps are a set of numbers with its first and its last.  That is all there is to know of a deque that
ascends; that it is given a later one only, is an obligation of whoever appends.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from swagproof.proofs.engine.arrays import NUMBERS, ItemKind, SymbolicRow
from swagproof.proofs.engine.paths import Path, Unsupported, current_path, mention, remember, show
from swagproof.proofs.engine.records import New, Record, Records, take
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Scalar, SymbolicBool, SymbolicInt, term
from swagproof.proofs.sharing.measures import SymbolicReal

BUCKETS: Final = "buckets"
HOMES: Final = "homes"

_INT, _TRUTH, _REAL = z3.IntSort(), z3.BoolSort(), z3.RealSort()


# The grid: of L + i w it is known that it grows with i, and what it is in a wider one (`grid_laws`)

_GRID: Final = z3.Function("L + i w", _INT, _INT, _REAL)
"""L + i w as a function of the width, which is an uninterpreted number, and i."""
_WIDENED: Final = z3.Function("times as wide", _INT, _INT, _INT)
_QUOTIENT: Final = z3.Function("quotient", _INT, _INT, _INT)


class Width(Scalar):
    """The width of a bucket."""

    __slots__ = ("term",)

    def __init__(self, term: Integer) -> None:
        self.term = term

    def __mul__(self, times: SymbolicInt) -> "Width":
        show("buckets become wider by a whole factor", times.term >= 1)
        return Width(_WIDENED(self.term, times.term))

    def __rmul__(self, index: SymbolicInt) -> "Offset":
        return Offset(self, term(index))

    def bounds(self, index: "int | SymbolicInt") -> tuple[Any, Any]:
        """l and r of a bucket, by definition."""
        return _GRID(self.term, term(index)), _GRID(self.term, term(index) + 1)


class Offset(NamedTuple):
    """i w"""

    width: Width
    i: Integer


class Value(SymbolicReal):
    """A value of the stream, or the end of the range: compared, and measured from L."""

    __slots__ = ()

    def __sub__(self, low: Any) -> "Span":
        return Span(self, _origin(low), above=True)


class Low(Scalar):
    """L, of which nothing is known."""

    __slots__ = ()

    def __add__(self, offset: Offset) -> SymbolicReal:
        return SymbolicReal(_GRID(offset.width.term, offset.i))

    def __sub__(self, other: "Low | Value") -> "Span | SymbolicReal":
        return SymbolicReal(z3.RealVal(0)) if other is self else Span(_value(other), self, above=False)


class Span:
    """v - L, or L - v: divided by a width."""

    def __init__(self, value: Value, low: Low, *, above: bool) -> None:
        self.value, self.low, self.above = value, low, above

    def __floordiv__(self, width: Width) -> "Home":
        path = current_path()
        assert path is not None
        q, v = path.fresh("q"), self.value.term
        at, before, behind = (_GRID(width.term, each) for each in (q, -q - 1, -q))
        path.assume(z3.And(at <= v, v < _GRID(width.term, q + 1)) if self.above else z3.And(before < v, v <= behind))
        return Home(q)


def _origin(low: Any) -> Low:
    if not isinstance(low, Low):
        raise Unsupported("values are measured from L")
    return low


def _value(value: Any) -> Value:
    if not isinstance(value, Value):
        raise Unsupported("values are measured from L")
    return value


class Home(SymbolicInt):
    """The number of a bucket: times the width, it is an offset; and it is divided as the grid becomes wider."""

    __slots__ = ()

    def like(self, term: Integer) -> "Home":
        return Home(term)

    def __mul__(self, other: Any) -> Any:
        return Offset(other, self.term) if isinstance(other, Width) else super().__mul__(other)

    def __floordiv__(self, times: Any) -> "Home":
        show("a number is divided by a whole factor", term(times) >= 1)
        return Home(_QUOTIENT(self.term, term(times)))


HOME: Final = ItemKind((_INT,), Home, NUMBERS.parts)


def widened_law(width: Integer, times: Integer, index: Integer) -> Truth:
    """A bucket is within that of the quotient, in a grid that is `times` as wide."""
    (l, r), (wide_l, wide_r) = (
        Width(width).bounds(Home(index)),
        Width(_WIDENED(width, times)).bounds(Home(_QUOTIENT(index, times))),
    )
    return z3.Implies(times >= 1, z3.And(wide_l <= l, r <= wide_r))


def order_law(width: Integer, lower: Integer, upper: Integer) -> Truth:
    """Return the order of two buckets: the lower one ends before the other begins; each begins before it ends."""
    (l, r), (next_l, next_r) = (Width(width).bounds(Home(b)) for b in (lower, upper))
    return z3.And(l <= r, next_l <= next_r, z3.Implies(lower < upper, r <= next_l))


def grid_laws(wider: int, path: Path) -> None:
    """Show the laws of the grid, in units of w from L: every number is its i.

    `wider` is 0, or, for a control, by how much more than `times` a grid becomes wider.
    """
    i, j, q, times = (path.fresh(name) for name in ("i", "j", "q", "times"))
    path.show("buckets do not overlap", z3.And(i <= i + 1, z3.Implies(i < j, i + 1 <= j)))
    path.assume(z3.And(times >= 1, q * times <= i, i < (q + 1) * times))
    wide = times + wider
    path.show("a wider one has those that it is made of", z3.And(q * wide <= i, i + 1 <= (q + 1) * wide))
    v = z3.Real("v")
    behind = z3.And(z3.ToReal(q) <= -v, -v < z3.ToReal(q + 1))
    path.show("what is measured downwards", z3.Implies(behind, z3.And(z3.ToReal(-q - 1) < v, v <= z3.ToReal(-q))))


# Buckets


def _named(name: str, meant: Integer) -> Integer:
    """A number by a name, where code is run: what is said of it later is shorter."""
    path = current_path()
    if path is None:
        return meant
    named = path.fresh(name)
    path.assume(named == meant)
    return named


class Timestamps:
    """A bucket's deque."""

    __hash__ = None  # type: ignore[assignment]  # as deques have none

    def __init__(self, bucket: "SymbolicBucket") -> None:
        self.bucket = bucket

    @property
    def held(self) -> "Held":
        """All buckets' timestamps."""
        return self.bucket.now_in.held

    def has(self, ts: Integer) -> Truth:
        """Return whether it holds a timestamp."""
        return self.held.has(self.bucket.place, ts)

    @property
    def first(self) -> Integer:
        """The first, where there is one."""
        return self.held.first(self.bucket.place)

    @property
    def last(self) -> Integer:
        """The last, where there is one."""
        return self.held.last(self.bucket.place)

    @property
    def some(self) -> Truth:
        """Return whether there is one."""
        return self.has(self.first)

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.some))

    def __contains__(self, ts: Any) -> bool:
        return bool(SymbolicBool(self.has(term(ts))))

    def __getitem__(self, index: int) -> SymbolicInt:
        if type(index) is not int or index not in (0, -1):
            raise Unsupported("of timestamps the first and the last are looked at")
        show("there is a timestamp", self.some)
        return SymbolicInt(self.last if index else self.first)

    def __eq__(self, other: object) -> Any:
        raise Unsupported("timestamps are not compared")

    @property
    def size(self) -> SymbolicInt:
        """len(timestamps)"""
        return SymbolicInt(self.held.count(self.bucket.place))

    def up_to(self, ts: "int | SymbolicInt") -> SymbolicInt:
        """bisect_right(timestamps, ts): how many are no later, of which all are said to ascend.

        Some are later just where the last is.
        """
        up_to, count = self.held.up_to(self.bucket.place, term(ts)), self.size.term
        later = z3.And(self.some, self.last > term(ts))
        remember(z3.And(0 <= up_to, up_to <= count, (up_to < count) == later))
        return SymbolicInt(up_to)

    def append(self, ts: "int | SymbolicInt") -> None:
        x, held, ts, some = self.bucket.place, self.held, term(ts), self.some
        show("timestamps ascend", z3.Implies(some, ts > self.last))
        then = held.first(x)
        self.bucket.now_in.held = held.but(
            has=lambda y, t: z3.Or(z3.And(y == x, t == ts), held.has(y, t)),
            first=lambda y: z3.If(z3.And(y == x, z3.Not(some)), ts, z3.If(y == x, then, held.first(y))),
            last=lambda y: z3.If(y == x, ts, held.last(y)),
        )

    def popleft(self) -> SymbolicInt:
        gone = self._without(self.first)
        later = self.bucket.now_in.path.fresh("the next")
        self._tell(first=later)
        return SymbolicInt(gone)

    def pop(self) -> SymbolicInt:
        gone = self._without(self.last)
        self._tell(last=self.bucket.now_in.path.fresh("the one before"))
        return SymbolicInt(gone)

    def _without(self, ts: Integer) -> Integer:
        show("there is a timestamp to remove", self.some)
        x, held, ts = self.bucket.place, self.held, _named("gone", ts)
        self.bucket.now_in.held = held.but(has=lambda y, t: z3.And(held.has(y, t), z3.Not(z3.And(y == x, t == ts))))
        return ts

    def _tell(self, *, first: Integer | None = None, last: Integer | None = None) -> None:
        """Another is the first now, or the last: one that is held, as long as any is."""
        x, held = self.bucket.place, self.held

        def has(y: Integer, t: Integer) -> Truth:
            end = held.has(x, first if last is None else last)
            beyond = first <= t if last is None else t <= last
            remember(z3.Implies(z3.And(y == x, held.has(y, t)), z3.And(end, beyond)))
            return held.has(y, t)

        self.bucket.now_in.held = held.but(
            has=has,
            first=held.first if first is None else lambda y: z3.If(y == x, first, held.first(y)),
            last=held.last if last is None else lambda y: z3.If(y == x, last, held.last(y)),
        )


class Held:
    """The timestamps of all buckets, by their numbers: which there are, the first and the last of each."""

    def __init__(self, path: Path) -> None:
        def function(name: str, *sorts: Any) -> Any:
            return z3.Function(str(path.fresh(name)), *sorts)

        kept, first, last = (
            function("held", _INT, _INT, _TRUTH),
            function("first", _INT, _INT),
            function("last", _INT, _INT),
        )

        def has(x: Integer, ts: Integer) -> Truth:
            ends = z3.And(kept(x, first(x)), first(x) <= ts, ts <= last(x), kept(x, last(x)))
            remember(z3.Implies(kept(x, ts), ends))
            return kept(x, ts)

        self.has: Callable[[Integer, Integer], Truth] = has
        self.first: Callable[[Integer], Integer] = first
        self.last: Callable[[Integer], Integer] = last
        self.count: Callable[[Integer], Integer] = function("timestamps", _INT, _INT)
        self.up_to: Callable[[Integer, Integer], Integer] = function("up to", _INT, _INT, _INT)
        self.version = path.fresh("version")
        self.path = path

    def but(self, **parts: Any) -> "Held":
        """The same but for these; how many there are, is not known any more."""
        made = Held(self.path)
        for name, part in {"has": self.has, "first": self.first, "last": self.last, **parts}.items():
            setattr(made, name, part)
        return made


class SymbolicBucket(Record):
    """A bucket in a list."""

    __slots__ = ("age",)
    records: "Buckets"  # pyright: ignore[reportIncompatibleVariableOverride]  # it is never given another
    age: int
    """The number of times the list had been forgotten when it was looked at."""

    def __init__(self, records: "Buckets", place: Integer) -> None:
        super().__init__(records, place)
        object.__setattr__(self, "age", records.age)

    @property
    def now_in(self) -> "Buckets":
        """The list that it is in."""
        if self.age != self.records.age:
            raise Unsupported("a bucket from before a loop")
        return self.records

    @property
    def index(self) -> Home:
        return Home(self.place)

    @property
    def timestamps(self) -> Timestamps:
        show("the bucket is in the list", self.now_in.has(self.place))
        return Timestamps(self)


class NewBucket(New):
    """The result of `Bucket(index, deque())`, to be put into a list once."""

    def __init__(self, index: SymbolicInt, timestamps: Any) -> None:
        if not isinstance(timestamps, SymbolicRow) or getattr(timestamps, "taken", False):
            raise Unsupported("a bucket begins with a deque of its own")
        show("a bucket begins empty", timestamps.length == 0)
        timestamps.taken = True  # type: ignore[attr-defined]  # and has it for itself
        super().__init__()
        self.index = term(index)


class Buckets(Records):
    """A list of buckets."""

    def __init__(self, path: Path, *, empty: bool = False) -> None:
        self.path = path
        self.age = 0
        super().__init__(BUCKETS, path)
        if empty:
            self.count = z3.IntVal(0)

    def forget(self, path: Path) -> None:
        self.count = path.fresh(BUCKETS)
        path.assume(self.count >= 0)
        count = self.count
        numbers, places = (z3.Function(str(path.fresh(name)), _INT, _INT) for name in ("number", "place"))

        def at(b: Integer) -> Integer:
            mention(b, BUCKETS)
            remember(z3.Implies(z3.And(0 <= b, b < count), places(numbers(b)) == b))
            return numbers(b)

        def rank(index: Integer) -> Integer:
            mention(places(index), BUCKETS)
            return places(index)

        self.at: Callable[[Integer], Integer] = at
        """The number of the b-th."""
        self.rank: Callable[[Integer], Integer] = rank
        """The position of a bucket's number, if the list has it."""
        self.held = Held(path)
        self.removed: tuple[Integer, ...] = ()
        self.age += 1
        self.version = path.fresh("version")

    def terms(self) -> list[Any]:
        return [self.count, self.version, self.held.version]

    @property
    def length(self) -> Integer:
        return self.count

    @property
    def size(self) -> SymbolicInt:
        """len(buckets)"""
        return SymbolicInt(self.count)

    def holds(self, place: Integer) -> Truth:
        return z3.And(0 <= place, place < self.count)

    def item(self, index: Integer) -> SymbolicBucket:
        return SymbolicBucket(self, self.at(index))

    def has(self, index: Integer) -> Truth:
        """Return whether there is a bucket of that number."""
        place = self.rank(index)
        return z3.And(self.holds(place), self.at(place) == index)

    def position(self, index: SymbolicInt) -> SymbolicInt:
        """Return the position of the bucket of that number; -1 if there is none."""
        return SymbolicInt(self.rank(index.term) if SymbolicBool(self.has(index.term)) else z3.IntVal(-1))

    def __getitem__(self, index: "int | SymbolicInt") -> SymbolicBucket:
        b = term(index)
        if isinstance(index, int) and index < 0:
            b = self.count + index
        show("the list has this bucket", self.holds(b))
        return SymbolicBucket(self, _named("bucket", self.at(b)))

    def insert(self, place: "int | SymbolicInt", bucket: NewBucket) -> None:
        take(bucket, NewBucket)
        p, x = term(place), bucket.index
        show("a bucket is put within the list", z3.And(0 <= p, p <= self.count))
        show("no two buckets have one number", z3.Not(self.has(x)))
        show("no bucket comes back", z3.And(*(x != gone for gone in self.removed)))
        at, rank, held = self.at, self.rank, self.held

        def now_at(b: Integer) -> Integer:
            mention(b, BUCKETS)
            return z3.If(b < p, at(b), z3.If(b == p, x, at(b - 1)))

        def now_rank(y: Integer) -> Integer:
            return z3.If(y == x, p, z3.If(rank(y) < p, rank(y), rank(y) + 1))

        self.at, self.rank, self.count = now_at, now_rank, self.count + 1
        self.held = held.but(has=lambda y, t: z3.And(y != x, held.has(y, t)))
        self.version = self.path.fresh("version")

    def remove(self, bucket: SymbolicBucket) -> None:
        """The first that is this one, of which there are no two."""
        if not isinstance(bucket, SymbolicBucket) or bucket.now_in is not self:  # pyright: ignore[reportUnnecessaryIsInstance]  # the code under proof is not checked
            raise Unsupported("what is removed is a bucket of the list")
        x, at, rank = bucket.place, self.at, self.rank
        show("what is removed is in the list", self.has(x))
        p = _named("its place", rank(x))

        def now_at(b: Integer) -> Integer:
            mention(b, BUCKETS)
            return z3.If(b < p, at(b), at(b + 1))

        def now_rank(y: Integer) -> Integer:
            return z3.If(y == x, -1, z3.If(rank(y) < p, rank(y), rank(y) - 1))

        self.at, self.rank, self.count = now_at, now_rank, self.count - 1
        self.removed = (*self.removed, x)
        self.version = self.path.fresh("version")
