"""Numbers for TimeGram's runs: unknown real numbers, the numbers of buckets, and laws of the grid.

In the runs of operations the grid is a function of the width and the bucket's number, known only by `grid_laws`, so
that questions are linear.
"""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from swagproof.proofs.engine.arrays import NUMBERS, ItemKind
from swagproof.proofs.engine.paths import Path, Unsupported, current_path, show
from swagproof.proofs.engine.records import NUMBER
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import Number, Scalar, SymbolicInt, term

_INT, _REAL = z3.IntSort(), z3.RealSort()


class SymbolicReal(Number):
    """An unknown real number, for which TimeGram uses Fractions."""

    __slots__ = ()

    def __init__(self, term: Any) -> None:
        super().__init__(z3.simplify(term))

    def take(self, other: Any) -> Any:
        return real_term(other)

    def another(self, path: Path, name: str) -> "SymbolicReal":
        return SymbolicReal(z3.Real(str(path.fresh(name))))

    def __truediv__(self, other: Any) -> "SymbolicReal":
        show("no division by zero", real_term(other) != 0)
        return SymbolicReal(self.term / real_term(other))

    def __floordiv__(self, other: Any) -> "SymbolicReal":
        """Return the integer q with q other <= self < (q + 1) other, for a positive divisor."""
        path = current_path()
        assert path is not None
        divisor = real_term(other)
        show("a divisor is positive", divisor > 0)
        q = z3.ToReal(path.fresh("q"))
        path.assume(z3.And(q * divisor <= self.term, self.term < (q + 1) * divisor))
        return SymbolicReal(q)


def real_term(value: Any) -> Any:
    """Return the term of a symbolic or concrete number."""
    if isinstance(value, SymbolicInt):
        return z3.ToReal(value.term)
    return value.term if isinstance(value, SymbolicReal) else z3.RealVal(Fraction(value))


# The grid: L + i w is known only to grow with i, and to have a given value in a wider grid (`grid_laws`)

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
        """Return l and r of a bucket, by definition."""
        return _GRID(self.term, term(index)), _GRID(self.term, term(index) + 1)


class Offset(NamedTuple):
    """The product i w."""

    width: Width
    i: Integer


class Value(SymbolicReal):
    """A value of the stream, or the end of the range; it can be compared, and measured from L."""

    __slots__ = ()

    def __sub__(self, low: Any) -> "Span":
        return Span(self, _measured(low, Low), above=True)


class Low(Scalar):
    """The unknown L."""

    __slots__ = ()

    def __add__(self, offset: Offset) -> SymbolicReal:
        return SymbolicReal(_GRID(offset.width.term, offset.i))

    def __sub__(self, other: "Low | Value") -> "Span | SymbolicReal":
        return SymbolicReal(z3.RealVal(0)) if other is self else Span(_measured(other, Value), self, above=False)


class Span:
    """The difference v - L or L - v, which can be divided by a width."""

    def __init__(self, value: Value, low: Low, *, above: bool) -> None:
        self.value, self.low, self.above = value, low, above

    def __floordiv__(self, width: Width) -> "Home":
        path = current_path()
        assert path is not None
        q, v = path.fresh("q"), self.value.term
        at, before, behind = (_GRID(width.term, each) for each in (q, -q - 1, -q))
        path.assume(z3.And(at <= v, v < _GRID(width.term, q + 1)) if self.above else z3.And(before < v, v <= behind))
        return Home(q)


def _measured(given: Any, kind: type[Any]) -> Any:
    if not isinstance(given, kind):
        raise Unsupported("values are measured from L")
    return given


class Home(SymbolicInt):
    """The number of a bucket; times the width, it is an offset, and it is divided when the grid becomes wider."""

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
    """Return the law that a bucket is within the bucket of the quotient, in a grid that is `times` as wide."""
    (l, r), (wide_l, wide_r) = (
        Width(width).bounds(Home(index)),
        Width(_WIDENED(width, times)).bounds(Home(_QUOTIENT(index, times))),
    )
    return z3.Implies(times >= 1, z3.And(wide_l <= l, r <= wide_r))


def order_law(width: Integer, lower: Integer, upper: Integer) -> Truth:
    """Return the law that the lower of two buckets ends before the other begins, and each begins before it ends."""
    (l, r), (next_l, next_r) = (Width(width).bounds(Home(b)) for b in (lower, upper))
    return z3.And(l <= r, next_l <= next_r, z3.Implies(lower < upper, r <= next_l))


def grid_laws(wider: int, path: Path) -> None:
    """Show the laws of the grid, in units of w from L: the number L + i w is i.

    `wider` is 0, or, for a control, the excess of the wider grid's factor over `times`.
    """
    i, j, q, times = (path.fresh(name) for name in ("i", "j", "q", "times"))
    path.show("buckets do not overlap", z3.And(i <= i + 1, z3.Implies(i < j, i + 1 <= j)))
    path.assume(z3.And(times >= 1, q * times <= i, i < (q + 1) * times))
    wide = times + wider
    path.show("a wider one has those that it is made of", z3.And(q * wide <= i, i + 1 <= (q + 1) * wide))
    v = z3.Real("v")
    behind = z3.And(z3.ToReal(q) <= -v, -v < z3.ToReal(q + 1))
    path.show("what is measured downwards", z3.Implies(behind, z3.And(z3.ToReal(-q - 1) < v, v <= z3.ToReal(-q))))


# Sums of tuples by buckets


def by_buckets(homes: int, path: Path) -> None:
    """Prove that tuples add up by buckets, if each has one home, and that a bucket's sum is between bounds.

    Of the tuples after a time 0, tuple t adds w(t) to the bucket of its home H(t), one of n.  A(b, t) is the sum that
    the first t tuples have added to bucket b, S(b, t) their sum over the first b buckets, and P(t) their total.
    `homes` is 1, or, for a control, the number of consecutive buckets that contain a tuple.
    """
    one, two, three = (NUMBER, _REAL), (NUMBER, NUMBER, _REAL), (NUMBER, NUMBER, NUMBER)
    w, total = (z3.Function(name, *one) for name in ("w", "P"))
    home, added, summed = z3.Function("H", NUMBER, NUMBER), *(z3.Function(name, *two) for name in ("A", "S"))
    counted = z3.Function("how many", *three)
    b, t, n = path.fresh("b"), path.fresh("t"), path.fresh("n")
    least, most = z3.Real("least"), z3.Real("most")
    path.assume(z3.And(b >= 0, t >= 1, n >= 1))
    here = z3.And(home(t) <= b, b < home(t) + homes)
    path.assume(added(b, t) == added(b, t - 1) + z3.If(here, w(t), 0))
    path.assume(counted(b, t) == counted(b, t - 1) + z3.If(here, 1, 0))
    path.assume(z3.And(added(b, 0) == 0, counted(b, 0) == 0, total(0) == 0, total(t) == total(t - 1) + w(t)))
    for at in (t - 1, t, z3.IntVal(0)):
        path.assume(z3.And(summed(0, at) == 0, summed(b + 1, at) == summed(b, at) + added(b, at)))
    path.show("before any tuple, nothing: of no buckets", summed(0, 0) == 0)
    path.show("and of one more", z3.Implies(summed(b, 0) == 0, summed(b + 1, 0) == 0))

    def grows(b: Integer) -> Truth:
        inside = z3.And(0 <= home(t), home(t) < b)
        return summed(b, t) == summed(b, t - 1) + z3.If(inside, w(t), 0)

    path.assume(home(t) >= 0)
    path.show("a tuple adds to the buckets up to its home: of no buckets", grows(z3.IntVal(0)))
    path.show("and of one more: grows", z3.Implies(grows(b), grows(b + 1)))
    path.assume(z3.And(home(t) < n, grows(n)))
    path.show(
        "by buckets as by tuples: after one more",
        z3.Implies(summed(n, t - 1) == total(t - 1), summed(n, t) == total(t)),
    )
    path.show(
        "each counts for one", z3.Implies(z3.And(w(t) == 1, total(t - 1) == z3.ToReal(t - 1)), total(t) == z3.ToReal(t))
    )
    path.assume(z3.Implies(here, z3.And(least <= w(t), w(t) <= most)))

    def between(t: Integer) -> Truth:
        count = z3.ToReal(counted(b, t))
        return z3.And(least * count <= added(b, t), added(b, t) <= most * count)

    path.show("of no tuples, between bounds", between(z3.IntVal(0)))
    path.show("of one more, between bounds", z3.Implies(between(t - 1), between(t)))
