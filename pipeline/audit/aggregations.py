"""The aggregations for an audit: the expected answer of each, and its tolerance.

An answer is a lowered aggregate, as a job writes it.  The reference computes it exactly (over ints and Fractions), with
the interval of floats that are also right:

| aggregation | over | a float answer may be off by |
|---|---|---|
| any that chooses, counts or collects | anything | nothing |
| sum, product of integers | exact | nothing |
| sum, product of decimals | exact | nothing: below 2^53 it is the nearest float |
| sum of floats | the rule of `swagproof.oracle.domain`: eps n sum\\|x\\| | |
| mean | integers, decimals, floats | eps (n + 1) sum\\|x\\| / n: n roundings of sums, one of the division |
| median of an even number | the same | as a mean of the two middle values, if they differ; integers below 2^53 \
exactly |
| standard deviations | the same | the effect of r (sqrt(S Q) + r Q) / (n - freedom) in its square, where r is \
eps 4 (n + 2), Q is sum x^2, and S the sum of squares of the distances from the mean |
| geometric mean | integers, decimals, floats | the factor exp(+- eps (n + 4) (1 + sum\\|ln x\\| / n)) |
| product of floats | the same | the factor 1 +- eps (n + 4) (1 + sum\\|ln x\\|), if no partial product leaves the \
range of floats |

with eps = 2^-52, and n and x over the events of the window alone.  Products and their roots may be computed by
multiplication, or, as in SQL, as exp of a sum of ln, which rounds each term, and turns the errors into a factor. With
infinities and NaN the answer is that of floats: inf, or NaN if it involves inf - inf, or inf times 0.  NaN is an
ordinary value, but a bad row if values are compared.
The tolerance is relative to the answer only for products.  A decimal answer of a mean, a median or a deviation may be
rounded to its number of digits.  An aggregation without such a rule (such as the product of float matrices) is
rejected.

If the request states another summation, its errors are allowed too; the verdict reports it, with the number of answers
that it excuses and the largest error:

| summation | definition | r, roundings |
|---|---|---|
| `float32` | in 32 bits, in any order, as Polars and NumPy sum 32-bit columns | 2^29 for each of the rule's own |
| `running` | in frames and sliding windows, adding new values and subtracting old ones: errors accumulate | one for \
each value added or subtracted so far |
| `squares` | a deviation from the mean of the squares less the square of the mean, which may cancel | each of the \
rule's own |

The additional tolerance of a sum is eps M, of a mean eps M / n, of a deviation the effect of eps 4 M / (n - freedom) in
its square; M is the sum over all r of sum|x|, or of sum x^2, over the values being added at that point.

The tolerance of a deviation covers two passes, stepwise updates and merged parts (Chan, Golub and LeVeque, Algorithms
for computing the sample variance, 1983: the condition number is sqrt(Q / S)), as in most engines; and the mean of
squares, as long as cancellation loses no more than 2^-30 of the variance.

With `ignore` for nulls, and in frames that may be empty, an aggregation without values is null, but a count 0, as in
SQL; a list is null or empty, as engines differ.  The aggregates of SQL, `sql-sum` and the like, are the same except for
NULLs, which they ignore by definition; `sql-first` and `sql-last` return them.
`sql-arg-min` and `sql-arg-max` ignore rows in which either column is NULL; `sql-min-by` and `sql-max-by` only those in
which the measure is NULL.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from operator import add
from typing import Any, Final

from swagproof.models.operations import Operation
from swagproof.oracle.domain import Rounded, domain
from swagproof.oracle.domains import sql
from swagproof.oracle.trace import InputError, encode
from swagproof.pipeline.audit.rules import (
    ADDING,
    ANY,
    WHOLE,
    Aggregation,
    Kind,
    Sums,
    around,
    at_least,
    at_most,
    between,
    multiply_digits,
    take_root,
    to_digits,
)

EPS: Final = Fraction(1, 2**52)

_COMPARING: Final = (
    "min", "max", "min-count", "max-count", "arg-min", "arg-max", "m4", "median",
)  # fmt: skip
_NUMERIC: Final = (*ADDING, "product", "geometric-mean", "affine", "matrix", "unimodular-matrix")
_COUNTS: Final = ("count", "distinct-count")
"""The aggregations that are 0 without values."""
ANSWERING: Final = ("sql-first", "sql-last")
"""The aggregations that return NULL if the first, or last, value is NULL."""
BY: Final = {"sql-min-by": "arg-min", "sql-max-by": "arg-max"}
"""The aggregations that choose the row with the least or greatest measure, and return NULL if its value is NULL."""
CHOOSING: Final = ("arg-min", "arg-max", *BY, "sql-arg-min", "sql-arg-max")
"""The aggregations whose answer is from another column than the one they compare."""
_PAIRS: Final = {"arg-min": 2, "arg-max": 2, "m4": 2, "affine": 2, "matrix": 4, "unimodular-matrix": 4}
_UNIT: Final = 1 << 1074
_LARGEST: Final = 1 << 1024
"""A bound above all floats."""
_LOST: Final = Fraction(1, 2**30)
"""The fraction of a variance computed from squares that may be lost."""
_RANGE: Final = 700.0
"""Factors whose sum of |ln x| is less than this have a product in the range of floats."""


def optional(operation: Operation[Any, Any, Any]) -> Operation[Any, Any, Any]:
    """Return an aggregation that ignores nulls: without values it is null, but a count 0.

    >>> from swagproof.models.operations import SUM
    >>> sums = optional(SUM)
    >>> sums.lower(sums.combine(sums.lift(None), sums.lift(3))), sums.lower(sums.lift(None))
    (3, None)
    """
    lift, combine, lower = operation.lift, operation.combine, operation.lower

    def combined(a: Any, b: Any) -> Any:
        if a is None:
            return b
        return a if b is None else (combine(a[0], b[0]),)

    return replace(
        operation,
        lift=lambda e: None if e is None else (lift(e),),
        combine=combined,
        lower=lambda v: (0 if operation.name in _COUNTS else None) if v is None else lower(v[0]),
        identity=None,
        remove=None,
    )


def make_optional(over: Aggregation) -> Aggregation:
    """Return the aggregation, ignoring nulls."""
    bounds, sums = over.bounds, over.sums
    return replace(
        over,
        operation=optional(over.operation),
        bounds=None if bounds is None else lambda v: bounds(v[0]),
        sums=sums and sums.within(),
    )


def aggregation(name: str, kinds: tuple[Kind, ...]) -> Aggregation:
    """Return the aggregation of this name over columns of these kinds.  Raises InputError.

    The name is one of `swagproof.models.operations`, `float-sum`, or a custom monoid as path.py:NAME.
    """
    if ":" in name:
        from swagproof.oracle.subject import load_monoid  # it imports half as much as a worker, and is rarely needed

        own = load_monoid(name, option="--aggregate").operation
        _check_answers(name, own)
        return Aggregation(name, own, own_equal=True)
    if name == "bloom":
        raise InputError("--aggregate bloom: its result cannot be stored in a column")
    if name in BY:
        return replace(_of_sql(name, kinds), partly=True)
    if name in sql.OPERATIONS:
        return _of_sql(name, kinds)
    name = "sum" if name in ("wide-sum", "float-sum") else name
    operation = domain(name, "--aggregate").operation
    needed = _PAIRS.get(name, 1)
    if name == "count" and not kinds:
        return Aggregation(name, operation)
    if len(kinds) != needed:
        raise InputError(f"--aggregate {name}: give --value {needed} time{'s' * (needed != 1)}, found {len(kinds)}")
    if name in _NUMERIC and not all(kind in ("int", "float", "decimal") for kind in kinds):
        raise InputError(f"--aggregate {name}: needs numbers, found {', '.join(kinds)}; see --value NAME:TYPE")
    if name == "concatenation" and kinds != ("text",):
        raise InputError(f"--aggregate {name}: needs text, found {', '.join(kinds)}; write --value NAME:text")
    if name in _COMPARING or name.startswith("top-"):
        said = "have no order that engines agree on" if kinds[name == "m4"] == "json" else ""
        said = "have no middle" if name == "median" and kinds[0] in ("text", "bool", "json") else said
        if said:
            raise InputError(f"--aggregate {name}: values of {kinds[name == 'm4']} {said}; see --value NAME:TYPE")
    floats = "float" in kinds
    if name in ADDING:
        return _adding(name, operation, floats)
    if name == "median" and all(kind in ("int", "float", "decimal") for kind in kinds):
        return _median(operation, floats)
    if floats and name == "product":
        return _float_product()
    if floats and name in _NUMERIC and name != "geometric-mean":
        raise InputError(f"--aggregate {name}: floats are not supported; cast the values to decimals or integers")
    if name == "geometric-mean":
        return _geometric(operation, floats)
    return Aggregation(name, operation, refuses_nan=name in _COMPARING or name.startswith("top-"))


def _of_sql(name: str, kinds: tuple[Kind, ...]) -> Aggregation:
    """Return an aggregate of SQL: the plain one, ignoring NULLs, unless NULL or NaN is an ordinary value."""
    plain = BY.get(name, name.removeprefix("sql-"))
    if plain in ("float-min", "float-max") and "float" not in kinds:
        plain = plain.removeprefix("float-")
    of_floats = plain in ("min", "max") and "float" in kinds
    if name in ANSWERING or plain.startswith(("float-m", "nan-")) or of_floats:
        if len(kinds) != 1:
            raise InputError(f"--aggregate {name}: give --value 1 time, found {len(kinds)}")
        return Aggregation(name, sql.OPERATIONS[name], takes_nulls=True)
    try:
        over = aggregation(plain, kinds)
    except InputError as error:
        raise InputError(str(error).replace(f"--aggregate {plain}", f"--aggregate {name}")) from None
    return replace(make_optional(over), takes_nulls=True) if kinds else over


def _check_answers(name: str, operation: Operation[Any, Any, Any]) -> None:
    for sample in operation.samples:
        answer = operation.lower(operation.lift(sample))
        try:
            encode(answer)
        except TypeError as error:
            raise InputError(f"--aggregate {name}: its result cannot be compared with a column: {error}") from None


def _adding(name: str, operation: Operation[Any, Any, Any], floats: bool) -> Aggregation:
    if name == "sum":
        return _float_sum() if floats else Aggregation(name, operation)
    if name == "mean":
        return _float_mean() if floats else _exact_mean()
    return _deviation(name, int(name.startswith("sample")), floats)


def _rounded(v: Any, roundings: int, parts: int) -> tuple[float, float]:
    """Return the floats within eps * roundings * sum|x| / parts of the sum / parts."""
    n, total, size, up, down, nan = v
    if up or down or nan:
        special = math.nan if nan or (up and down) else math.inf if up else -math.inf
        return special, special
    if not n or size >= _UNIT * _LARGEST:
        return ANY
    slack, whole, unit = roundings * size, total << 52, parts * _UNIT << 52
    low, high = at_least(whole - slack, unit), at_most(whole + slack, unit)
    return (low, high) if low <= high else around(Fraction(whole - slack, unit), Fraction(whole + slack, unit))


def _float_sum() -> Aggregation:
    rule = Rounded()
    operation = replace(rule.mirror, name="sum", lower=lambda v: rule.round_exact(v) if v[0] else 0.0)
    sums = Sums(lambda v: v[0], lambda v: v[2], lambda _, mass: at_least(mass, _UNIT << 52))
    return Aggregation("sum", operation, lambda v: _rounded(v, v[0], 1), sums=sums)


def _float_mean() -> Aggregation:
    rule = Rounded()

    def lower(v: Any) -> float | None:
        if not v[0]:
            return None
        return rule.round_exact(v) if any(v[3:]) else float(Fraction(v[1], v[0] * _UNIT))

    operation = replace(rule.mirror, name="mean", lower=lower)
    sums = Sums(lambda v: v[0] + 1, lambda v: v[2], lambda v, mass: at_least(mass, (_UNIT << 52) * (v[0] or 1)))
    return Aggregation("mean", operation, lambda v: _rounded(v, v[0] + 1, v[0]), sums=sums)


def _median(operation: Operation[Any, Any, Any], floats: bool) -> Aggregation:
    """Map the sorted values to the median; of floats, rounded once."""

    def middle(v: Any) -> tuple[Any, Any]:
        return v[(len(v) - 1) // 2], v[len(v) // 2]

    def lower(v: Any) -> Any:
        if not v or not floats:
            return operation.lower(v)
        a, b = middle(v)
        return a if a == b else b + a if math.isinf(a) or math.isinf(b) else float((Fraction(a) + Fraction(b)) / 2)

    def bounds(v: Any) -> tuple[float, float]:
        a, b = middle(v)
        if a == b:
            return (nearest := _to_float(lower(v))), nearest
        if floats and (math.isinf(a) or math.isinf(b)):
            return ANY  # an infinity and half a difference have no sum
        size = abs(Fraction(a)) + abs(Fraction(b))
        exact = (Fraction(a) + Fraction(b)) / 2
        slack = 0 if not floats and exact.denominator <= 2 and size <= WHOLE else EPS * 3 * size / 2
        low, high = around(exact - slack, exact + slack)
        if size < _LARGEST:
            return low, high
        return (low, math.inf) if exact > 0 else (-math.inf, high)  # half of a sum that exceeds every float

    def mass(v: Any) -> int:
        a, b = middle(v)
        return 0 if a == b or math.isinf(a) or math.isinf(b) else int((abs(Fraction(a)) + abs(Fraction(b))) * _UNIT)

    sums = Sums(lambda _: 3, mass, lambda _, mass: at_least(mass, 2 * _UNIT << 52)) if floats else None
    return Aggregation("median", replace(operation, lower=lower), bounds, rounds=True, refuses_nan=True, sums=sums)


def _aggregate(
    name: str,
    lift: Callable[[Any], Any],
    lower: Callable[[Any], Any],
    bounds: Callable[[Any], tuple[float, float]],
    together: Callable[[Any, Any], Any] = add,
    nothing: Any = 0,
) -> Aggregation:
    """Return an aggregation of (count, sum, sum of sizes); `together` replaces the first sum."""
    operation: Operation[Any, Any, Any] = Operation(
        name,
        lift=lift,
        combine=lambda a, b: (a[0] + b[0], together(a[1], b[1]), a[2] + b[2]),
        lower=lower,
        identity=(0, nothing, 0),
        commutative=True,
    )
    return Aggregation(name, operation, bounds, rounds=True)


def _beside(over: Aggregation, special: Callable[[Any, float], float]) -> Aggregation:
    """Extend an aggregation to infinite floats and NaN.

    They are replaced by 1 and -1, and the product of their sizes is kept with the partial aggregate; `special` computes
    the answer from both, as floats do.
    """
    one, bounds, sums = over.operation, over.bounds, over.sums
    assert bounds is not None

    def lift(e: Any) -> Any:
        if math.isfinite(e):
            return one.lift(e), 1.0
        try:
            return one.lift(-1.0 if e < 0 else 1.0), abs(e)
        except ValueError:
            raise ValueError(f"{over.name} of {e!r}: elements must be positive") from None

    def lower(v: Any) -> Any:
        finite = one.lower(v[0])
        return finite if v[1] == 1.0 or finite is None else special(*v)

    def within(v: Any) -> tuple[float, float]:
        finite = bounds(v[0])
        answer = special(*v)
        return finite if v[1] == 1.0 or finite == ANY else (answer, answer)

    operation = replace(
        one,
        lift=lift,
        combine=lambda a, b: (one.combine(a[0], b[0]), a[1] * b[1]),
        lower=lower,
        identity=(one.identity, 1.0),
    )
    return replace(over, operation=operation, bounds=within, sums=sums and sums.within())


def _exact_mean() -> Aggregation:
    """Map (n, sum, sum of |x|) to the mean as a Fraction."""

    def bounds(v: Any) -> tuple[float, float]:
        n, total, size = v
        slack = (n + 1) * size
        if type(total) is int:  # ten times as fast
            return at_least((total << 52) - slack, n << 52), at_most((total << 52) + slack, n << 52)
        return around((total - EPS * slack) / n, (total + EPS * slack) / n)

    return _aggregate("mean", lambda e: (1, e, abs(e)), lambda v: Fraction(v[1]) / v[0] if v[0] else None, bounds)


def _deviation(name: str, freedom: int, floats: bool) -> Aggregation:
    """Map (n, sum, sum of squares) to the deviation, rounded once."""

    def variance(v: Any) -> Fraction | None:
        n, total, squares = v
        return None if n <= freedom else Fraction(n * squares - total * total) / (n * (n - freedom))

    def within(exact: Fraction, slack: Fraction) -> tuple[float, float]:
        low, high = _root(max(Fraction(0), exact - slack)), _root(exact + slack)
        return math.nextafter(low, 0), math.nextafter(high, math.inf)

    def bounds(v: Any) -> tuple[float, float]:
        exact = variance(v)
        assert exact is not None, "there is no answer for so few, and none is expected"
        if v[2] >= _LARGEST:
            return ANY
        rounded, squares = EPS * 4 * (v[0] + 2), Fraction(v[2])
        both = exact * (v[0] - freedom) * squares
        mixed = Fraction(math.isqrt(both.numerator * both.denominator) + 1, both.denominator)
        slack = max(rounded * (mixed + rounded * squares), min(rounded * squares, exact * (v[0] - freedom) * _LOST))
        return within(exact, slack / (v[0] - freedom))

    def drift(v: Any, mass: int) -> float:
        exact = variance(v)
        if exact is None:
            return 0.0
        low, high = within(exact, EPS * 4 * Fraction(mass, _UNIT) / (v[0] - freedom))
        return high - low

    def lower(v: Any) -> float | None:
        exact = variance(v)
        return None if exact is None else _root(exact)

    def lift_exactly(e: Any) -> Any:
        x = _exact(e)
        return 1, x, x * x

    lift = lift_exactly if floats else lambda e: (1, e, e * e)
    sums = Sums(lambda v: v[0] + 2, lambda v: -int(-v[2] * _UNIT // 1), drift)
    over = replace(_aggregate(name, lift, lower, bounds), sums=sums)
    return _beside(over, lambda _finite, _special: math.nan) if floats else over


def _exact(e: Any) -> Any:
    """Return a float as an exact fraction.  Raises ValueError or OverflowError for NaN and infinities."""
    return Fraction(e) if isinstance(e, float) else e


def _root(x: Fraction) -> float:
    """Return the square root as the nearest float, or a neighbour of it."""
    shift = max(0, 120 - x.numerator.bit_length() + x.denominator.bit_length())
    shift += shift % 2
    return _to_float(Fraction(math.isqrt((x.numerator << shift) // x.denominator), 1 << (shift // 2)))


def _to_float(x: Any) -> float:
    """Return the nearest float; an infinity if it is out of range."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _geometric(operation: Operation[Any, Any, Any], floats: bool) -> Aggregation:
    """Map (n, product, sum of |ln x|) to the root of the product."""

    def lift(e: Any) -> Any:
        _, x = operation.lift(_exact(e))
        return 1, to_digits(x), _size(x)

    def lower(v: Any) -> float | None:
        return take_root(v[1], v[0]) if v[0] else None

    def bounds(v: Any) -> tuple[float, float]:
        mean = take_root(v[1], v[0])
        if math.isinf(mean):
            return ANY
        off = float(EPS) * (v[0] + 4) * (1 + v[2] / v[0])
        return mean * math.exp(-off), mean * math.exp(off)

    over = _aggregate(operation.name, lift, lower, bounds, multiply_digits, Decimal(1))
    return _beside(over, lambda _finite, special: special) if floats else over


def _float_product() -> Aggregation:
    """Map (n, product, sum of |ln x|) to the product, rounded once."""

    def lift(e: Any) -> Any:
        return 1, to_digits(e), _size(Fraction(e))

    def bounds(v: Any) -> tuple[float, float]:
        n, digits, size = v
        if size > _RANGE:
            return ANY
        product = Fraction(digits)
        slack = EPS * (n + 4) * (1 + Fraction(size)) * abs(product)
        return between(product - slack, product + slack)

    def lower(v: Any) -> float:
        return float(v[1])

    def multiply(finite: Any, special: float) -> float:
        sign: int = (finite[1] > 0) - (finite[1] < 0)
        return special * sign

    return _beside(_aggregate("product", lift, lower, bounds, multiply_digits, Decimal(1)), multiply)


def _size(x: Fraction | int) -> float:
    """Return |ln |x||; 0 for x = 0, which is exact in products."""
    x = abs(Fraction(x))
    return abs(math.log(x.numerator) - math.log(x.denominator)) if x else 0.0
