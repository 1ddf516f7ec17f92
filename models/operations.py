"""Aggregation operations: lift, combine, lower, and the algebra of each.

Sources: *General Incremental Sliding-Window Aggregation* (2015), section 3, Tables 1 and 2; *In-Order Sliding-Window
Aggregation in Worst-Case Constant Time* (2021), section 2.2 and Table 1.

Over ints and Fractions, `combine` and `remove` are exact, and `lower` rounds at most once, at a square or n-th root.
Over floats, operations that add or multiply are monoids only approximately: sums depend on the grouping, and a removed
element leaves a rounding error behind.  NaN is outside the domain of every operation that compares: max(1, NaN, 2)
depends on the grouping.

The papers give min and max the identity infinity.  Here it is None, "no element", so that any ordered type works and an
empty window differs from one that holds infinity.  So None cannot be an element of a window of min, max, first or last.

Elements of equal rank: min, max, arg-min and arg-max keep the older one.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, TypeAlias, TypeVar

from swagproof.models.monoid import A

In = TypeVar("In")
Out = TypeVar("Out")
T = TypeVar("T")

Number: TypeAlias = int | Fraction | float


@dataclass(frozen=True)
class Operation(Generic[In, A, Out]):
    """An aggregation: In -lift-> Agg, Agg x Agg -combine-> Agg, Agg -lower-> Out.  It is a Monoid over Agg.

    >>> v = STANDARD_DEVIATION.identity
    >>> for e in (2, 4, 4, 4, 5, 5, 7, 9):
    ...     v = STANDARD_DEVIATION.combine(v, STANDARD_DEVIATION.lift(e))
    >>> v, STANDARD_DEVIATION.lower(v)
    ((8, 40, 232), 2.0)
    """

    name: str
    lift: Callable[[In], A]
    """Map a stream element to the partial aggregate of a window that holds only this element."""
    combine: Callable[[A, A], A]
    """Combine older (left) with newer (right).  Associative; never changes its arguments, may return one of them."""
    lower: Callable[[A], Out]
    """Map the partial aggregate of the window to the answer; the identity to the answer of an empty window."""
    identity: A
    commutative: bool
    remove: Callable[[A, A], A] | None = None
    """Subtract the oldest element, if the operation can: remove(a, combine(a, b)) = b.

    Evict needs this.  The 2015 paper (section 3.2) defines invertible by removing the newest element instead; the 2021
    paper (section 2.1) writes a (x) b (x) inv(a) = b, which holds only if a and b commute.
    """
    equal: Callable[[A, A], bool] = lambda a, b: bool(a == b)
    """The equality of two partial aggregates."""
    samples: tuple[In, ...] = ()
    """Stream elements that reveal broken laws and wrong code: ties, repeats, and pairs that do not commute."""
    faithful: bool = False
    """True if different sequences of samples have different products, so that each loss, repeat or swap is detected.

    A test checks this for all sequences of up to five samples.
    """

    def __reduce__(self) -> Any:
        """Copy and pickle a built-in operation by its name, because its functions cannot be pickled.

        >>> import pickle
        >>> pickle.loads(pickle.dumps(SUM)) is SUM
        True
        """
        if OPERATIONS.get(self.name) is self:
            return _operation_named, (self.name,)
        return object.__new__, (type(self),), vars(self)


def _operation_named(name: str) -> "Operation[Any, Any, Any]":
    return OPERATIONS[name]


def _same(x: Any) -> Any:
    return x


def _ratio(a: Number, b: int) -> Number:
    """a / b, exact unless a is a float."""
    return a / b if isinstance(a, float) else Fraction(a, b)


def _less(a: Number, b: Number) -> bool:
    return a < b


def _greater(a: Number, b: Number) -> bool:
    return a > b


def _best(better: Callable[[T, T], bool]) -> Callable[[T | None, T | None], T | None]:
    """Return a combine that keeps the better argument, and the older one if neither is better."""

    def combine(a: T | None, b: T | None) -> T | None:
        if a is None:
            return b
        return b if b is not None and better(b, a) else a

    return combine


# Sum-like


COUNT: Final[Operation[Any, int, int]] = Operation(
    "count",
    lift=lambda e: 1,
    combine=lambda a, b: a + b,
    lower=_same,
    identity=0,
    commutative=True,
    remove=lambda a, ab: ab - a,
    samples=("a", "b", "a"),
)
"""The number of elements.  Anything -> int -> int."""

SUM: Final[Operation[Number, Number, Number]] = Operation(
    "sum",
    lift=_same,
    combine=lambda a, b: a + b,
    lower=_same,
    identity=0,
    commutative=True,
    remove=lambda a, ab: ab - a,
    samples=(3, 1, -4, 15, Fraction(1, 3)),
)
"""Number -> Number -> Number.  Not associative over floats: (1e16 + 1) + 1 is not 1e16 + (1 + 1)."""

PRODUCT: Final[Operation[Number, Number, Number]] = Operation(
    "product",
    lift=_same,
    combine=lambda a, b: a * b,
    lower=_same,
    identity=1,
    commutative=True,
    samples=(2, -3, 0, 5, Fraction(1, 7)),
)
"""Number -> Number -> Number.  Not invertible: 0 * 3 = 0 * 5."""

MEAN: Final[Operation[Number, tuple[int, Number], Number | None]] = Operation(
    "mean",
    lift=lambda e: (1, e),
    combine=lambda a, b: (a[0] + b[0], a[1] + b[1]),
    lower=lambda v: _ratio(v[1], v[0]) if v[0] else None,
    identity=(0, 0),
    commutative=True,
    remove=lambda a, ab: (ab[0] - a[0], ab[1] - a[1]),
    samples=SUM.samples,
)
"""Number -> (n, sum) -> Number.  A Fraction over ints and Fractions; None when there is no element."""


def _positive(e: Number) -> tuple[int, Number]:
    if not e > 0:
        raise ValueError(f"geometric mean of {e!r}: elements must be positive")
    return 1, e


def _root(v: tuple[int, Number]) -> float | None:
    n, product = v
    if n == 0:
        return None
    if isinstance(product, float):
        return math.exp(math.log(product) / n)
    over, under = product.numerator, product.denominator
    scale = over.bit_length() - under.bit_length()  # logarithms of these two would cancel to rounding errors
    whole, rest = divmod(scale, n)
    near_one = (over << max(0, -scale)) / (under << max(0, scale))
    return math.ldexp(near_one ** (1 / n) * 2.0 ** (rest / n), whole)


GEOMETRIC_MEAN: Final[Operation[Number, tuple[int, Number], float | None]] = Operation(
    "geometric-mean",
    lift=_positive,
    combine=lambda a, b: (a[0] + b[0], a[1] * b[1]),
    lower=_root,
    identity=(0, 1),
    commutative=True,
    remove=lambda a, ab: (
        ab[0] - a[0],
        ab[1] / a[1] if isinstance(ab[1], float) or isinstance(a[1], float) else Fraction(ab[1]) / a[1],
    ),
    samples=(2, 8, 1, Fraction(3, 5), 7),
)
"""Positive Number -> (n, product) -> float.  Lifting any other raises ValueError; None when there is no element.

Over all numbers it would not be invertible, as `product` is not.  The product keeps `combine` exact, but its digits
grow with the window.  Floats in it overflow or underflow; a sum of logarithms would only round.
"""


def _moments(e: Number) -> tuple[int, Number, Number]:
    return 1, e, e * e


def _add_moments(a: tuple[int, Number, Number], b: tuple[int, Number, Number]) -> tuple[int, Number, Number]:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _remove_moments(a: tuple[int, Number, Number], ab: tuple[int, Number, Number]) -> tuple[int, Number, Number]:
    return ab[0] - a[0], ab[1] - a[1], ab[2] - a[2]


def _deviation(v: tuple[int, Number, Number], freedom: int) -> float | None:
    n, total, squares = v
    if n <= freedom:
        return None
    return math.sqrt(max(0, _ratio(n * squares - total * total, n * (n - freedom))))


SAMPLE_DEVIATION: Final[Operation[Number, tuple[int, Number, Number], float | None]] = Operation(
    "sample-standard-deviation",
    lift=_moments,
    combine=_add_moments,
    lower=lambda v: _deviation(v, 1),
    identity=(0, 0, 0),
    commutative=True,
    remove=_remove_moments,
    samples=SUM.samples,
)
"""Number -> (n, sum, sum of squares) -> float.  None below two elements.  Floats cancel badly around a large mean;
a result below zero then counts as zero."""

STANDARD_DEVIATION: Final[Operation[Number, tuple[int, Number, Number], float | None]] = Operation(
    "population-standard-deviation",
    lift=_moments,
    combine=_add_moments,
    lower=lambda v: _deviation(v, 0),
    identity=(0, 0, 0),
    commutative=True,
    remove=_remove_moments,
    samples=SUM.samples,
)
"""Number -> (n, sum, sum of squares) -> float.  None when there is no element; floats as for the sample's."""


# Max-like: none of them is invertible


MIN: Final[Operation[Number, Number | None, Number | None]] = Operation(
    "min",
    lift=_same,
    combine=_best(_less),
    lower=_same,
    identity=None,
    commutative=True,
    samples=(3, 1, 4, 1, -2),
)
"""Number -> Number or None -> Number or None."""

MAX: Final[Operation[Number, Number | None, Number | None]] = Operation(
    "max",
    lift=_same,
    combine=_best(_greater),
    lower=_same,
    identity=None,
    commutative=True,
    samples=(3, 1, 4, 4, -2),
)
"""Number -> Number or None -> Number or None.  Elements may all be negative: zero is no identity."""


def _tally(
    better: Callable[[Number, Number], bool],
) -> Callable[[tuple[Number | None, int], tuple[Number | None, int]], tuple[Number | None, int]]:
    def combine(a: tuple[Number | None, int], b: tuple[Number | None, int]) -> tuple[Number | None, int]:
        if a[0] is None:
            return b
        if b[0] is None or better(a[0], b[0]):
            return a
        return b if better(b[0], a[0]) else (a[0], a[1] + b[1])

    return combine


MIN_COUNT: Final[Operation[Number, tuple[Number | None, int], int]] = Operation(
    "min-count",
    lift=lambda e: (e, 1),
    combine=_tally(_less),
    lower=lambda v: v[1],
    identity=(None, 0),
    commutative=True,
    samples=(4, 0, 3, 0),
)
"""The number of times the minimum occurs.  Number -> (minimum or None, count) -> int."""

MAX_COUNT: Final[Operation[Number, tuple[Number | None, int], int]] = Operation(
    "max-count",
    lift=lambda e: (e, 1),
    combine=_tally(_greater),
    lower=lambda v: v[1],
    identity=(None, 0),
    commutative=True,
    samples=(4, 5, 3, 5),
)
"""The number of times the maximum occurs (2021, section 2.2).  Number -> (maximum or None, count) -> int."""

ARG_MIN: Final[Operation[tuple[Number, Any], tuple[Number, Any] | None, Any]] = Operation(
    "arg-min",
    lift=_same,
    combine=_best(lambda b, a: b[0] < a[0]),
    lower=lambda v: None if v is None else v[1],
    identity=None,
    commutative=False,
    samples=((2, "a"), (1, "b"), (1, "c"), (3, "d")),
)
"""(measure, argument) -> the same or None -> the argument where the measure is least, the oldest of equals."""

ARG_MAX: Final[Operation[tuple[Number, Any], tuple[Number, Any] | None, Any]] = Operation(
    "arg-max",
    lift=_same,
    combine=_best(lambda b, a: b[0] > a[0]),
    lower=lambda v: None if v is None else v[1],
    identity=None,
    commutative=False,
    samples=((2, "a"), (3, "b"), (3, "c"), (1, "d")),
)
"""(measure, argument) -> the same or None -> the argument where the measure is greatest, the oldest of equals."""

Point: TypeAlias = tuple[Number, Number]
"""Time and value."""


def _extremes(
    a: tuple[Point, Point, Point, Point] | None, b: tuple[Point, Point, Point, Point] | None
) -> tuple[Point, Point, Point, Point] | None:
    if a is None or b is None:
        return a or b
    return a[0], b[1], b[2] if b[2][1] < a[2][1] else a[2], b[3] if b[3][1] > a[3][1] else a[3]


M4: Final[Operation[Point, tuple[Point, Point, Point, Point] | None, tuple[Point, Point, Point, Point] | None]] = (
    Operation(
        "m4",
        lift=lambda e: (e, e, e, e),
        combine=_extremes,
        lower=_same,
        identity=None,
        commutative=False,
        samples=((1, 5), (2, 3), (3, 3), (4, 8), (5, 8)),
    )
)
"""(time, value) -> the first, last, lowest and highest of them, or None -> the same (2021, Table 1).

First and last are by place in the window, not by time; of equal values the oldest is kept.
"""


# The ends and the whole


FIRST: Final[Operation[Any, Any, Any]] = Operation(
    "first",
    lift=_same,
    combine=lambda a, b: b if a is None else a,
    lower=_same,
    identity=None,
    commutative=False,
    samples=("a", "b", "c"),
)
"""The oldest element, None when there is none.  Not invertible: it has forgotten the second oldest."""

LAST: Final[Operation[Any, Any, Any]] = Operation(
    "last",
    lift=_same,
    combine=lambda a, b: a if b is None else b,
    lower=_same,
    identity=None,
    commutative=False,
    samples=("a", "b", "c"),
)
"""The newest element, None when there is none.  Not invertible: last(a, empty) = last(a, a)."""

COLLECT: Final[Operation[Any, tuple[Any, ...], tuple[Any, ...]]] = Operation(
    "collect",
    lift=lambda e: (e,),
    combine=lambda a, b: a + b,
    lower=_same,
    identity=(),
    commutative=False,
    remove=lambda a, ab: ab[len(a) :],
    samples=(1, 2, 3),
    faithful=True,
)
"""All elements in their order: the free monoid.  Anything -> tuple -> tuple.  Combine takes time linear in the window.

It is invertible (2015, Table 2) as an operation, by dropping elements, although no partial aggregate has an inverse.
"""

MUTABLE_COLLECT: Final[Operation[Any, list[Any], list[Any]]] = Operation(
    "mutable-collect",
    lift=lambda e: [e],
    combine=lambda a, b: a + b if a and b else a or b,
    lower=list,
    identity=[],
    commutative=False,
    remove=lambda a, ab: ab[len(a) :],
    samples=(1, 2, 3),
    faithful=True,
)
"""Like `collect`, over lists.  Combine returns one of its own arguments when the other is empty.

A monoid may do that.  But an algorithm that changes a partial aggregate in place then also changes the window, its
neighbours or the identity.  Lift each element separately for each algorithm; otherwise they share lists.
"""

CONCATENATION: Final[Operation[str, str, str]] = Operation(
    "concatenation",
    lift=_same,
    combine=lambda a, b: a + b,
    lower=_same,
    identity="",
    commutative=False,
    remove=lambda a, ab: ab[len(a) :],
    samples=("a", "b", "c"),
    faithful=True,
)
"""Strings: the free monoid.  Different sequences of letters have different products, so no wrong order is hidden."""


# Groups and monoids that do not commute


PRIME: Final = 2**61 - 1
"""The modulus of the affine maps."""


def _affine(e: tuple[int, int]) -> tuple[int, int]:
    slope, shift = e[0] % PRIME, e[1] % PRIME
    if slope == 0:
        raise ValueError(f"the affine map {e!r}: its slope must not be 0 modulo {PRIME}")
    return slope, shift


def _remove_affine(a: tuple[int, int], ab: tuple[int, int]) -> tuple[int, int]:
    slope = ab[0] * pow(a[0], -1, PRIME) % PRIME
    return slope, (ab[1] - slope * a[1]) % PRIME


AFFINE: Final[Operation[tuple[int, int], tuple[int, int], tuple[int, int]]] = Operation(
    "affine",
    lift=_affine,
    combine=lambda a, b: (a[0] * b[0] % PRIME, (b[0] * a[1] + b[1]) % PRIME),
    lower=_same,
    identity=(1, 0),
    commutative=False,
    remove=_remove_affine,
    samples=((7, 1), (8, 3), (9, 0)),
    faithful=True,
)
"""Maps x -> slope * x + shift modulo PRIME, the older applied first.  (slope, shift) throughout.

A non-commutative group: subtracting the oldest needs the inverse on the left.  Lifting a slope of 0 raises ValueError.
Choose other samples with care: maps that share a fixed point shift / (1 - slope) commute.
"""

Matrix: TypeAlias = tuple[int, int, int, int]
"""((a, b), (c, d)) row by row."""


def _multiply(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    )


def _determinant(a: Matrix) -> int:
    return a[0] * a[3] - a[1] * a[2]


def _unimodular(e: Matrix) -> Matrix:
    if _determinant(e) not in (1, -1):
        raise ValueError(f"the matrix {e!r}: its determinant must be 1 or -1")
    return e


def _remove_matrix(a: Matrix, ab: Matrix) -> Matrix:
    sign = _determinant(a)
    return _multiply((sign * a[3], -sign * a[1], -sign * a[2], sign * a[0]), ab)


MATRIX: Final[Operation[Matrix, Matrix, Matrix]] = Operation(
    "matrix",
    lift=_same,
    combine=_multiply,
    lower=_same,
    identity=(1, 0, 0, 1),
    commutative=False,
    samples=((1, 1, 0, 1), (0, 1, 1, 2), (1, 2, 2, 4), (0, 1, 0, 0)),
)
"""2x2 integer matrices, row by row, under their product.  Not invertible: some are singular."""

UNIMODULAR: Final[Operation[Matrix, Matrix, Matrix]] = Operation(
    "unimodular-matrix",
    lift=_unimodular,
    combine=_multiply,
    lower=_same,
    identity=(1, 0, 0, 1),
    commutative=False,
    remove=_remove_matrix,
    samples=((1, 0, 1, 1), (2, 1, 1, 1), (3, 2, 1, 1)),
    faithful=True,
)
"""2x2 integer matrices of determinant 1 or -1: a non-commutative group.  Lifting any other raises ValueError.

With U = (1, 1, 0, 1) and L = (1, 0, 1, 1) the samples are L, U L and U U L.  U and L generate a free monoid, and no
sample is a prefix of another.  So different sequences of samples of any length have different products.
"""


# Sketches (see also swagproof.models.sketches)


BLOOM_BITS: Final = 2**14
"""Size of the Bloom filter (as in the papers' experiments: *Sub-O(log n) Out-of-Order ...*, 2018, section 5)."""

BLOOM_HASHES: Final = 4
"""Its number of hash functions: consecutive 16-bit words of one BLAKE2b digest, modulo BLOOM_BITS."""


class Bits(int):
    """An int that prints in hexadecimal: Python refuses to print one of 2^14 bits in decimal.

    >>> Bits(6) | Bits(9), Bits(6) == 6
    (0xf, True)
    """

    def __or__(self, other: int) -> "Bits":
        return Bits(int(self) | other)

    def __repr__(self) -> str:
        return hex(self)


def _bloom(e: str | int) -> Bits:
    digest = hashlib.blake2b(repr(e).encode(), digest_size=2 * BLOOM_HASHES).digest()
    bits = 0
    for i in range(0, len(digest), 2):
        bits |= 1 << int.from_bytes(digest[i : i + 2], "little") % BLOOM_BITS
    return Bits(bits)


BLOOM: Final[Operation[str | int, Bits, Bits]] = Operation(
    "bloom",
    lift=_bloom,
    combine=lambda a, b: a | b,
    lower=_same,
    identity=Bits(0),
    commutative=True,
    samples=("a", "b", "c", 1),
)
"""Bloom filter: str or int -> Bits -> the same.  Not invertible: elements share bits.

If BLOOM.lift(e) & ~bits is not 0, `e` is not in the window; otherwise it may be.
"""


OPERATIONS: Final[dict[str, Operation[Any, Any, Any]]] = {
    operation.name: operation
    for operation in (
        COUNT,
        SUM,
        PRODUCT,
        MEAN,
        GEOMETRIC_MEAN,
        SAMPLE_DEVIATION,
        STANDARD_DEVIATION,
        MIN,
        MAX,
        MIN_COUNT,
        MAX_COUNT,
        ARG_MIN,
        ARG_MAX,
        M4,
        FIRST,
        LAST,
        COLLECT,
        MUTABLE_COLLECT,
        CONCATENATION,
        AFFINE,
        MATRIX,
        UNIMODULAR,
        BLOOM,
    )
}
"""Every operation by its name; the sketches of `swagproof.models.sketches` add two more if that extra is installed."""
