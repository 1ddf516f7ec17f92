"""Symbolic values for TimeGram: a list of buckets with insertions and removals anywhere, and ascending timestamps.

A list of buckets is given by its length, the number of the b-th bucket, and the position of a number.  No two buckets
have the same number, which is an obligation of each insertion.  So a bucket is identified by its number, and changes
through one reference are visible through others.  After an insertion or a removal at b, the item at an index is that of
the previous list at the same or a neighbouring index.  The order of the list is not assumed; contracts state it.

A bucket's timestamps are a set of numbers with a first and a last.  This determines an ascending deque; an append has
the obligation that the new timestamp is later.
"""

from collections.abc import Callable
from typing import Any, Final

from swagproof.proofs.engine.arrays import SymbolicRow
from swagproof.proofs.engine.paths import Path, Unsupported, current_path, mention, remember, show
from swagproof.proofs.engine.records import New, Record, Records, take
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Guarded, SymbolicBool, SymbolicInt, term
from swagproof.proofs.sharing.timegram_numbers import Home

BUCKETS: Final = "buckets"
HOMES: Final = "homes"

_INT, _TRUTH = z3.IntSort(), z3.BoolSort()


def _named(name: str, meant: Integer) -> Integer:
    """Give a number a name while code runs, so that later formulas are shorter."""
    path = current_path()
    if path is None:
        return meant
    named = path.fresh(name)
    path.assume(named == meant)
    return named


class Timestamps(Guarded):
    """A bucket's deque."""

    def __init__(self, bucket: "SymbolicBucket") -> None:
        self.bucket = bucket

    @property
    def held(self) -> "Held":
        """The timestamps of all buckets."""
        return self.bucket.now_in.held

    def has(self, ts: Integer) -> Truth:
        """Return whether the bucket has this timestamp."""
        return self.held.has(self.bucket.place, ts)

    @property
    def first(self) -> Integer:
        """The first timestamp, if there is one."""
        return self.held.first(self.bucket.place)

    @property
    def last(self) -> Integer:
        """The last timestamp, if there is one."""
        return self.held.last(self.bucket.place)

    @property
    def some(self) -> Truth:
        """Return whether there is a timestamp."""
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

    @property
    def size(self) -> SymbolicInt:
        """The number of timestamps."""
        return SymbolicInt(self.held.count(self.bucket.place))

    def up_to(self, ts: "int | SymbolicInt") -> SymbolicInt:
        """Return bisect_right(timestamps, ts): the number of timestamps up to ts, as timestamps ascend.

        There are later ones if and only if the last is later.
        """
        up_to, count = self.held.up_to(self.bucket.place, term(ts)), self.size.term
        later = z3.And(self.some, self.last > term(ts))
        remember(z3.And(0 <= up_to, up_to <= count, (up_to < count) == later))
        return SymbolicInt(up_to)

    def append(self, ts: "int | SymbolicInt") -> None:
        x, held, ts, some = self.bucket.place, self.held, term(ts), self.some
        show("timestamps ascend", z3.Implies(some, ts > self.last))
        first = z3.If(some, held.first(x), ts)
        self.bucket.now_in.held = held.but(
            kept=lambda y, t: z3.Or(z3.And(y == x, t == ts), held.has(y, t)),
            first=lambda y: z3.If(y == x, first, held.first(y)),
            last=lambda y: z3.If(y == x, ts, held.last(y)),
        )

    def popleft(self) -> SymbolicInt:
        return self._remove("first")

    def pop(self) -> SymbolicInt:
        return self._remove("last")

    def _remove(self, end: str) -> SymbolicInt:
        """Remove the first or the last timestamp; its successor as first or last is unknown."""
        show("there is a timestamp to remove", self.some)
        x, held = self.bucket.place, self.held
        ends: Callable[[Integer], Integer] = getattr(held, end)
        gone, another = _named("gone", ends(x)), held.path.fresh(f"the new {end}")
        kept: Callable[[Integer, Integer], Truth] = lambda y, t: z3.And(  # noqa: E731  # for the type
            held.has(y, t), z3.Not(z3.And(y == x, t == gone))
        )
        self.bucket.now_in.held = held.but(kept=kept, **{end: lambda y: z3.If(y == x, another, ends(y))})
        return SymbolicInt(gone)


class Held:
    """The timestamps of all buckets, by the buckets' numbers: the members, the first and the last of each."""

    def __init__(self, path: Path) -> None:
        def function(name: str, *sorts: Any) -> Any:
            return z3.Function(str(path.fresh(name)), *sorts)

        self.path = path
        self.kept: Callable[[Integer, Integer], Truth] = function("held", _INT, _INT, _TRUTH)
        self.first: Callable[[Integer], Integer] = function("first", _INT, _INT)
        self.last: Callable[[Integer], Integer] = function("last", _INT, _INT)
        self.count: Callable[[Integer], Integer] = function("timestamps", _INT, _INT)
        self.up_to: Callable[[Integer, Integer], Integer] = function("up to", _INT, _INT, _INT)
        self.version = path.fresh("version")

    def has(self, x: Integer, ts: Integer) -> Truth:
        """Return whether a bucket has a timestamp, which is then between its first and its last."""
        first, last = self.first(x), self.last(x)
        ends = z3.And(self.kept(x, first), first <= ts, ts <= last, self.kept(x, last))
        remember(z3.Implies(self.kept(x, ts), ends))
        return self.kept(x, ts)

    def but(self, **parts: Any) -> "Held":
        """Return a copy with these parts replaced; the numbers of timestamps are unknown."""
        made = Held(self.path)
        vars(made).update({"kept": self.has, "first": self.first, "last": self.last, **parts})
        return made


class SymbolicBucket(Record):
    """A bucket in a list."""

    __slots__ = ("age",)
    records: "Buckets"  # pyright: ignore[reportIncompatibleVariableOverride]  # it is never given another
    age: int
    """The number of times the list had been forgotten when the bucket was read."""

    def __init__(self, records: "Buckets", place: Integer) -> None:
        super().__init__(records, place)
        object.__setattr__(self, "age", records.age)

    @property
    def now_in(self) -> "Buckets":
        """The list that contains the bucket."""
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
        """The function from an index to the number of the bucket."""
        self.rank: Callable[[Integer], Integer] = rank
        """The function from a bucket's number to its position, if the list has it."""
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
        """The length of the list."""
        return SymbolicInt(self.count)

    def holds(self, place: Integer) -> Truth:
        return z3.And(0 <= place, place < self.count)

    def item(self, index: Integer) -> SymbolicBucket:
        return SymbolicBucket(self, self.at(index))

    def has(self, index: Integer) -> Truth:
        """Return whether there is a bucket with this number."""
        place = self.rank(index)
        return z3.And(self.holds(place), self.at(place) == index)

    def position(self, index: SymbolicInt) -> SymbolicInt:
        """Return the position of the bucket with this number; -1 if there is none."""
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
        self.held = held.but(kept=lambda y, t: z3.And(y != x, held.has(y, t)))
        self.version = self.path.fresh("version")

    def remove(self, bucket: SymbolicBucket) -> None:
        """Remove this bucket; the list contains it once."""
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
