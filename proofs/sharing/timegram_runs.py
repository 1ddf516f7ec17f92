"""TimeGram's lookups, proved for any number of buckets and tuples.

A lookup walks through the buckets, so its loop is cut at an invariant (swagproof.proofs.engine.run) and the reference's
own method is run, over buckets of which no more is known than what the invariant of TimeGram says: each holds some
timestamps, those of the window W among them, of values within its boundaries; and buckets are in the order of values.
So the greatest value of W is in the last bucket that holds any of its tuples, the least in the first; and the sum over
W is the sum over buckets of sums of values that are all within the boundaries of one.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.clause import Loop, Loops
from swagproof.proofs.engine.arrays import SymbolicSequence
from swagproof.proofs.engine.language import LOOKUPS
from swagproof.proofs.engine.paths import Path, remember
from swagproof.proofs.engine.run import Run
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import AnyOperation, SymbolicInt, term
from swagproof.proofs.sharing.measures import SymbolicReal

Lookup = Literal["max", "min", "sum", "avg"]
LOOKUPS_RUN: Final[tuple[Lookup, ...]] = ("max", "min", "sum", "avg")
METHODS: Final = (*LOOKUPS_RUN, "belonging")
"""What is run; `count` and `boundaries` are stood for, by what is claimed of them."""

_INT, _REAL = z3.IntSort(), z3.RealSort()


def _greatest_ahead(s: Any, done: Any) -> bool:
    """the bucket of the greatest value of W is still to come, from above"""
    return bool(s.last < s.size - done)


def _least_ahead(s: Any, done: Any) -> bool:
    """the bucket of the least value of W is still to come"""
    return bool(s.first >= done)


def _sum_within(s: Any, a: Any, b: Any, done: Any) -> bool:
    """a <= the sum over the tuples of W in the buckets so far <= b"""
    return bool(a <= s.sum_of(done)) and bool(s.sum_of(done) <= b)


LOOPS: Final[Loops] = {
    "max": (Loop(_greatest_ahead),),
    "min": (Loop(_least_ahead),),
    "sum": (Loop(_sum_within),),
}


class Timestamps:
    """The timestamps in a bucket: how many there are, and how many are up to a time."""

    def __init__(self, size: Integer, up_to: Callable[[Integer], Integer]) -> None:
        self.size = SymbolicInt(size)
        self.up_to = up_to


class LookupRun(Run):
    """A run of a lookup of a window W, over any buckets."""

    LANGUAGE = LOOKUPS
    NAMES: ClassVar[Mapping[str, Any]] = {
        "len": lambda items: items.size,
        "bisect_right": lambda items, ts: SymbolicInt(items.up_to(term(ts))),
        "reversed": lambda items: SymbolicSequence(items.length, lambda j: items.at(items.length - 1 - j)),
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, AnyOperation(), LOOPS)
        self.now, self.window, self.buckets, self.tuples = (
            path.fresh(name) for name in ("now", "W", "buckets", "tuples of W")
        )
        self.first, self.last = path.fresh("first"), path.fresh("last")
        self.size_of = z3.Function("timestamps", _INT, _INT)
        self.up_to = z3.Function("up to", _INT, _INT, _INT)
        self.left, self.right, self.sums = (z3.Function(name, _INT, _REAL) for name in ("l", "r", "sum of W before"))
        self.least, self.greatest = z3.Real("least"), z3.Real("greatest")
        some = z3.And(0 <= self.first, self.first <= self.last, self.last < self.buckets)
        none = z3.And(self.first == self.buckets, self.last == -1)
        path.assume(z3.And(self.buckets >= 0, self.tuples >= 0, self.sums(0) == 0))
        path.assume(z3.If(self.tuples >= 1, some, none))
        path.assume(z3.Implies(self.tuples >= 1, z3.And(self.belongs(self.first) >= 1, self.belongs(self.last) >= 1)))
        for value, bucket in ((self.least, self.first), (self.greatest, self.last)):
            path.assume(z3.And(self.left(bucket) <= value, value <= self.right(bucket)))
        self.ghosts |= {
            "size": SymbolicInt(self.buckets),
            "first": SymbolicInt(self.first),
            "last": SymbolicInt(self.last),
            "sum_of": lambda done: SymbolicReal(self.sums(term(done))),
        }

    def belongs(self, j: Integer) -> Integer:
        """How many timestamps of bucket j are of W: those after now - W."""
        return self.size_of(j) - self.up_to(j, self.now - self.window)

    def known_of(self, j: Integer) -> Truth:
        """What is known of bucket j: see `one_more`, for the sum of its values."""
        count, added = z3.ToReal(self.belongs(j)), self.sums(j + 1) - self.sums(j)
        return z3.And(
            self.belongs(j) >= 0,
            z3.Implies(z3.Or(j < self.first, j > self.last), self.belongs(j) == 0),
            self.left(j) * count <= added,
            added <= self.right(j) * count,
        )

    def bucket(self, j: Integer) -> Any:
        """Bucket j."""
        remember(self.known_of(j))
        return SimpleNamespace(index=j, timestamps=Timestamps(self.size_of(j), lambda ts: self.up_to(j, ts)))

    def gram(self, algorithm: type) -> Any:
        """A TimeGram of these buckets."""
        return self.make(
            _lookups_of(algorithm),
            low=SymbolicReal(z3.Real("L")),
            now=SymbolicInt(self.now),
            registry=SimpleNamespace(known=lambda window: window),
            homes=SimpleNamespace(size=SymbolicInt(self.path.fresh("held"))),
            buckets=SymbolicSequence(self.buckets, self.bucket),
            boundaries=lambda j: (SymbolicReal(self.left(j)), SymbolicReal(self.right(j))),
            count=lambda window: SymbolicInt(self.tuples),
        )


@lru_cache(maxsize=32)
def _lookups_of(algorithm: Any) -> type:
    return type("Lookups", (), {name: getattr(algorithm, name) for name in METHODS})


def look_up(name: Lookup, algorithm: type, path: Path) -> None:
    """The answer contains the exact one; there is none just where W has no tuples."""
    run = LookupRun(path)
    gram = run.gram(algorithm)
    with run.guard():
        answer = getattr(gram, name)(SymbolicInt(run.window))
    if answer is None:
        path.show(f"{name} of no tuples", run.tuples == 0)
        return
    left, right = (bound.term for bound in answer)
    if name == "sum":
        path.show("sum contains", z3.And(left <= run.sums(run.buckets), run.sums(run.buckets) <= right))
    elif name == "avg":
        n, exact = z3.ToReal(run.tuples), run.sums(run.buckets)
        path.show("avg has tuples", run.tuples >= 1)
        path.show("avg contains", z3.And(left * n <= exact, exact <= right * n))
    else:
        value = run.greatest if name == "max" else run.least
        path.show(f"{name} contains", z3.And(run.tuples >= 1, left <= value, value <= right))


def one_more(path: Path) -> None:
    """The sum of some values of [l, r] is within as many times l and r: with one more value, too."""
    left, right, total, value = (z3.Real(name) for name in ("l", "r", "sum", "v"))
    count = z3.ToReal(path.fresh("count"))
    path.show("of no values", z3.And(left * 0 <= 0, right * 0 >= 0))
    path.assume(z3.And(left * count <= total, total <= right * count, left <= value, value <= right))
    path.show("of one more", z3.And(left * (count + 1) <= total + value, total + value <= right * (count + 1)))
