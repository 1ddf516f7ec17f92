"""Symbolic values: the kinds of value that a variable holds while the engine runs the code.

`SymbolicInt` and `SymbolicBool` are unknown integers and truth values.  A partial aggregate is one of two kinds:

- A `Segment` [lo, hi) is the product of the stream's elements lo .. hi-1.  `combine` joins two neighbours, with the
  obligation that they are neighbours.  Segments with the same ends are the same product in every monoid; in the free
  monoid over distinct letters, segments with different ends are different.  So a proof over segments holds for every
  monoid, and a counterexample is one over strings.
- A `Value` is a member of an uninterpreted sort, and its `combine` is an uninterpreted function.  So a proof over
  values holds for every operator, associative or not, and a counterexample is an operator with values.

Limit: control flow must not depend on partial aggregates.  Comparing two of them is an obligation that fails;
converting one to bool raises TypeError.

A cut loop forgets the values that it may change (swagproof.proofs.engine.run).  So each kind can be forgotten: a
`Scalar` returns `another` of its kind about which nothing is known, a `Container` forgets its contents in place.
"""

from collections.abc import Iterator
from typing import Any, Final, Self

from swagproof.proofs.engine.gate import hold_callers
from swagproof.proofs.engine.paths import Path, Unsupported, current_path, decide, mention, remember, show
from swagproof.proofs.engine.solver import Integer, Truth, z3


class Scalar:
    """A value whose terms never change: only an assignment to the variable replaces it."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def another(self, path: Path, name: str) -> Self:
        """Return a value of this kind about which nothing is known."""
        raise NotImplementedError


def identical(x: Any, y: Any) -> bool:
    """Return whether x is y, for what is no symbolic value; a symbolic number is not None.

    A value of any monoid may be None, or the same object as another: `is` of symbolic values is `Unsupported`.
    """
    for one, other in ((x, y), (y, x)):
        if isinstance(one, Scalar) and not (isinstance(one, SymbolicInt) and other is None):
            raise Unsupported(f"`is` of a value, a {type(one).__name__}")
    return x is y


class Guarded:
    """A value that refuses Python's default comparison, search and iteration."""

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __eq__(self, other: object) -> Any:
        raise Unsupported(f"a {type(self).__name__} is compared")

    def __iter__(self) -> Iterator[Any]:
        raise Unsupported(f"a {type(self).__name__} is iterated or searched: `for` alone iterates over it")


class Sized(Guarded):
    """A value with a number of items, which is its truth."""

    length: Integer

    @property
    def size(self) -> "SymbolicInt":
        """The number of items."""
        return SymbolicInt(self.length)

    def index_of(self, index: "int | SymbolicInt") -> Integer:
        """Return the term of an index, with the obligation that it is valid; a negative one counts from the end."""
        wanted = self.length + index if isinstance(index, int) and index < 0 else term(index)
        show("there is an item at this index", z3.And(0 <= wanted, wanted < self.length))
        return wanted

    def ends_of(self, index: slice) -> tuple[Integer, Integer]:
        """Return the terms of a slice's ends, with the obligation that it is within the items."""
        if index.step is not None:
            raise Unsupported("a slice with a step")
        start = z3.IntVal(0) if index.start is None else term(index.start)
        stop = self.length if index.stop is None else term(index.stop)
        show("a slice is within its items", z3.And(0 <= start, start <= stop, stop <= self.length))
        return start, stop

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.length != 0))


class Container(Guarded):
    """A value that changes in place.  Forgetting it makes its contents unknown."""

    def forget(self, path: Path) -> None:
        """Make the contents unknown."""
        raise NotImplementedError

    def terms(self) -> list[Any]:
        """Return the terms of the contents: equal terms mean equal contents."""
        raise NotImplementedError

    def freeze(self) -> Self:
        """Return a shallow copy of the current state, for clauses: changes replace attributes and mutate none."""
        copy = object.__new__(type(self))
        copy.__dict__.update(vars(self))
        return copy


class SymbolicBool:
    """An unknown truth value.  Converting it to bool, as `if` does, takes a branch."""

    __slots__ = ("term",)
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, term: Truth) -> None:
        self.term = z3.simplify(term)

    def __bool__(self) -> bool:
        return decide(self.term)

    def __eq__(self, other: object) -> bool:
        return bool(self) == other


def term(value: "int | SymbolicInt") -> Integer:
    """Return the Z3 term of a plain or symbolic integer.  Raises TypeError for other values, which Z3 would round."""
    if isinstance(value, SymbolicInt):
        return value.term
    if not isinstance(value, int):  # pyright: ignore[reportUnnecessaryIsInstance]  # the code under proof is not checked
        raise TypeError(f"{value!r} is no integer")
    return z3.IntVal(value)


power_of_two: Final = z3.Function("2^", z3.IntSort(), z3.IntSort())
"""2^x by recursion on x: 2^0 = 1, 2^(x+1) = 2 * 2^x.  Below 0 it is some integer."""


def power_facts(x: Integer) -> Truth:
    """Return facts about 2^x (proved from its definition in swagproof.proofs.flat_trees.complete_trees)."""
    return z3.And(
        power_of_two(0) == 1,
        z3.Implies(x >= 0, power_of_two(x) >= 1),
        z3.Implies(x >= 1, power_of_two(x) == 2 * power_of_two(x - 1)),
    )


_mod: Final = z3.Function("x mod d", z3.IntSort(), z3.IntSort(), z3.IntSort())
_bit_length: Final = z3.Function("bit length", z3.IntSort(), z3.IntSort())
common_bits: Final = z3.Function("bits in common with the number below", z3.IntSort(), z3.IntSort())
"""n & (n - 1); for n >= 1 it is 0 if and only if n is a power of 2."""


def _facts_of_remainders(x: Integer, d: Integer) -> Truth:
    """Return that x mod d is in 0 .. d - 1 for d > 0, and its exact value for x from -d to 2d - 1."""
    r = _mod(x, d)
    near = (z3.Implies(z3.And(k * d <= x, x < (k + 1) * d), r == x - k * d) for k in (-1, 0, 1))
    return z3.Implies(d > 0, z3.And(0 <= r, r < d, *near))


_X, _D = z3.Ints("x d")
_REMAINDERS: Final = _facts_of_remainders(_X, _D)


def remainder_facts(x: Integer, d: Integer) -> Truth:
    """Return facts about x mod d."""
    return z3.substitute(_REMAINDERS, (_X, x), (_D, d))


def bit_facts(n: Integer) -> Truth:
    """Return facts about n & (n - 1), which is 0 for powers of two: for n = 1, for 2n, and for n / 2."""
    return z3.And(
        common_bits(1) == 0,
        z3.Implies(n >= 1, (common_bits(2 * n) == 0) == (common_bits(n) == 0)),
        z3.Implies(z3.And(n >= 2, common_bits(n) == 0), z3.And(n % 2 == 0, common_bits(n / 2) == 0)),
    )


def _positive(divisor: Any) -> Integer:
    """Return the term of a positive constant.  For other divisors, Z3's division rounds differently from Python's."""
    if type(divisor) is not int or divisor <= 0:
        raise TypeError(f"division by {divisor!r}: by positive constants only")
    return z3.IntVal(divisor)


class Number(Scalar):
    """A number with its term.  A subclass defines its operands (`take`) and its results (`like`)."""

    __slots__ = ("term",)

    def __init__(self, term: Any) -> None:
        hold_callers()
        self.term = term

    def __repr__(self) -> str:
        return str(self.term)

    def take(self, other: Any) -> Any:
        """Return the term of another operand."""
        return other.term

    def like(self, term: Any) -> Any:
        """Return the number of this kind with a term."""
        return type(self)(term)

    def __add__(self, other: Any) -> Any:
        return self.like(self.term + self.take(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.like(self.term - self.take(other))

    def __rsub__(self, other: Any) -> Any:
        return self.like(self.take(other) - self.term)

    def __neg__(self) -> Any:
        return self.like(-self.term)

    def __mul__(self, other: Any) -> Any:
        return self.like(self.term * self.take(other))

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __eq__(self, other: object) -> Any:
        return SymbolicBool(self.term == self.take(other))

    def __ne__(self, other: object) -> Any:
        return SymbolicBool(self.term != self.take(other))

    def __lt__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(self.term < self.take(other))

    def __le__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(self.term <= self.take(other))

    def __gt__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(self.term > self.take(other))

    def __ge__(self, other: Any) -> SymbolicBool:
        return SymbolicBool(self.term >= self.take(other))


class SymbolicInt(Number):
    """An unknown integer, with +, -, *, // and % by positive constants, powers of 2, and comparisons with integers.

    For places in a ring buffer it also has % by another unknown integer, and `n & (n - 1)`, which is 0 for powers of 2.
    """

    __slots__ = ()

    def take(self, other: Any) -> Integer:
        return term(other)

    def like(self, term: Integer) -> "SymbolicInt":
        return SymbolicInt(term)

    def another(self, path: Path, name: str) -> "SymbolicInt":
        return SymbolicInt(path.fresh(name))

    def __floordiv__(self, divisor: int) -> "SymbolicInt":
        return SymbolicInt(self.term / _positive(divisor))

    def __mod__(self, divisor: "int | SymbolicInt") -> "SymbolicInt":
        if isinstance(divisor, SymbolicInt):
            show("the divisor is positive", divisor.term > 0)
            remember(remainder_facts(self.term, divisor.term))
            return SymbolicInt(_mod(self.term, divisor.term))
        return SymbolicInt(self.term % _positive(divisor))

    def __rmod__(self, other: int) -> "SymbolicInt":
        return SymbolicInt(z3.IntVal(other)) % self

    def bit_length(self) -> "SymbolicInt":
        """Return b with 2^(b-1) <= n < 2^b, for n >= 1."""
        b = _bit_length(self.term)
        for exponent in (b - 1, b):
            remember(power_facts(exponent))
            mention(exponent, "exponent")
        within = z3.And(b >= 1, power_of_two(b - 1) <= self.term, self.term < power_of_two(b))
        remember(z3.Implies(self.term >= 1, within))
        return SymbolicInt(b)

    def __and__(self, other: "SymbolicInt") -> "SymbolicInt":
        show("bits are compared with those of the number below", other.term == self.term - 1)
        remember(bit_facts(self.term))
        return SymbolicInt(common_bits(self.term))

    def __rpow__(self, base: int) -> "SymbolicInt":
        if base != 2:
            raise TypeError(f"powers of 2 alone are known, not of {base!r}")
        remember(power_facts(self.term))
        mention(self.term, "exponent")
        return SymbolicInt(power_of_two(self.term))


# Partial aggregates


class Segment(Scalar):
    """The product of the stream's elements lo .. hi-1; the identity where lo = hi."""

    __slots__ = ("hi", "lo")

    def __init__(self, lo: Integer, hi: Integer) -> None:
        self.lo = lo
        self.hi = hi

    @classmethod
    def unknown(cls, path: Path, name: str) -> Self:
        """Return an arbitrary segment."""
        return cls(path.fresh(f"{name}.lo"), path.fresh(f"{name}.hi"))

    def another(self, path: Path, name: str) -> Self:
        return self.unknown(path, name)

    @property
    def empty(self) -> Truth:
        return self.lo == self.hi

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from monoid to monoid")

    def __eq__(self, other: object) -> Any:
        show("control flow looks at no value", z3.BoolVal(False))
        if not isinstance(other, Segment):
            return SymbolicBool(z3.BoolVal(False))
        same = z3.And(self.lo == other.lo, self.hi == other.hi)
        return SymbolicBool(z3.Or(z3.And(self.empty, other.empty), same))


class SegmentMonoid:
    """The monoid of segments; its `combine` counts its calls and demands neighbours."""

    def __init__(self) -> None:
        self.identity = Segment(z3.IntVal(0), z3.IntVal(0))
        self.calls: Any = 0

    def combine(self, x: Segment, y: Segment) -> Segment:
        path = current_path()
        assert path is not None
        path.show(
            "combine joins neighbours, older on the left",
            z3.And(x.lo <= x.hi, y.lo <= y.hi, z3.Or(x.empty, y.empty, x.hi == y.lo)),
        )
        self.calls = self.calls + 1
        return Segment(
            z3.If(x.empty, y.lo, x.lo),
            z3.If(x.empty, y.hi, z3.If(y.empty, x.hi, y.hi)),
        )


def remove(x: Segment, y: Segment) -> Segment:
    """Return z for remove(x, xz), with the obligation that y begins with x."""
    path = current_path()
    assert path is not None
    path.show("remove takes away the oldest", z3.And(x.lo <= x.hi, x.hi <= y.hi, z3.Or(x.empty, x.lo == y.lo)))
    return Segment(z3.If(x.empty, y.lo, x.hi), y.hi)


def either(claim: Truth, x: Any, y: Any) -> Any:
    """Return x if the claim holds, else y, as one value: two partial aggregates, or two numbers."""
    if isinstance(x, Segment) and isinstance(y, Segment):
        return Segment(z3.If(claim, x.lo, y.lo), z3.If(claim, x.hi, y.hi))
    if isinstance(x, SymbolicInt) and isinstance(y, SymbolicInt):
        return SymbolicInt(z3.If(claim, x.term, y.term))
    raise Unsupported(f"either a {type(x).__name__} or a {type(y).__name__}")


VALUES: Final = z3.DeclareSort("D")
COMBINE: Final = z3.Function("combine", VALUES, VALUES, VALUES)


class Value(Scalar):
    """An unknown value; one that a clause reads from an array may be unwritten (`there`)."""

    __slots__ = ("term", "there")

    def __init__(self, term: Any, there: Truth = True) -> None:
        self.term = term
        self.there = z3.BoolVal(True) if there is True else there

    def another(self, path: Path, name: str) -> Self:
        return type(self)(z3.Const(str(path.fresh(name)), VALUES))

    def __bool__(self) -> bool:
        raise TypeError("the truth of a value differs from operator to operator")

    def __eq__(self, other: object) -> Any:
        show("control flow looks at no value", z3.BoolVal(False))
        if not isinstance(other, Value):
            return SymbolicBool(z3.BoolVal(False))
        return SymbolicBool(z3.And(self.there, other.there, self.term == other.term))


class AnyOperation:
    """An arbitrary operator; its `combine` counts its calls, and is otherwise unknown."""

    def __init__(self) -> None:
        self.identity = Value(z3.Const("identity", VALUES))
        self.calls: Any = 0

    def combine(self, x: Value, y: Value) -> Value:
        if not (isinstance(x, Value) and isinstance(y, Value)):  # pyright: ignore[reportUnnecessaryIsInstance]  # the code under proof is not checked
            raise TypeError("combine takes two values")
        self.calls = self.calls + 1
        return combine_uncounted(x, y)


def combine_uncounted(x: Value, y: Value) -> Value:
    """Return x ⊕ y, not counted."""
    return Value(COMBINE(x.term, y.term), z3.And(x.there, y.there))
