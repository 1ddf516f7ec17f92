"""Right answers among a column of results, given the expected answer and the acceptable floats.

`swagproof.pipeline.audit.aggregations` defines the acceptable floats of each aggregation.
"""

import json
import math
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from swagproof.models.operations import Operation
from swagproof.oracle.trace import InputError, decode, encode
from swagproof.pipeline.audit.options import Summation

Kind: TypeAlias = Literal["int", "float", "decimal", "text", "bool", "time", "json"]
"""The type of a column's values.  Times are ints that count ticks; decimals travel as text."""

Ties: TypeAlias = Literal["either", "half-up", "half-even", "down", "floor", "ceiling"]
"""The rounding of a job: to the nearest, with ties to either side, away from zero, or to the even neighbour; or always
towards zero, down, or up."""
TIES: Final[dict[str, Ties]] = {it: it for it in get_args(Ties)}

SINGLE: Final = 23
"""2 to the minus this is the eps of 32-bit floats."""

ADDING: Final = ("sum", "mean", "sample-standard-deviation", "population-standard-deviation")
WHOLE: Final = 2**53
"""The bound up to which integers are exact as floats."""
NEARLY: Final = 1e-6
"""The relative error within which a float is nearly right."""
_SPECIAL: Final = ("NaN", "Infinity", "-Infinity", "nan", "inf", "-inf")
"""JSON strings for floats without a JSON number; null, too, is NaN."""
ANY: Final = (math.inf, -math.inf)
"""The bounds where a part of the computation exceeds every float: infinities, NaN, and nearly right answers are
accepted; so is 0 for a product, a part of which may underflow."""
_DIGITS: Final = Context(prec=80, Emin=MIN_EMIN, Emax=MAX_EMAX)


class Answer(NamedTuple):
    """The expected answer, and the floats that are acceptable."""

    text: str | None
    """JSON as in traces; the text itself if results are text; None for null."""
    low: float | None
    high: float | None
    """The bounds of the floats that are right; none is if they are None, or low > high."""
    slack: float = 0.0
    """The additional tolerance that the job's summation allows."""


def is_near(number: float | None, low: float | None, high: float | None, within: float = NEARLY) -> bool:
    """Return whether a float is nearly right, but outside the rounding tolerance."""
    if number is None or low is None or high is None or not low < high:
        return False
    middle = (low + high) / 2
    return abs(number - middle) <= within * max(abs(middle), abs(number))


def at_least(numerator: int, denominator: int) -> float:
    """Return the least float that is not below a fraction.

    >>> at_least(1, 10) >= Fraction(1, 10) > math.nextafter(at_least(1, 10), 0)
    True
    """
    try:
        x = numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.nextafter(math.inf, 0)
    p, q = x.as_integer_ratio()
    return x if p * denominator >= numerator * q else math.nextafter(x, math.inf)


def at_most(numerator: int, denominator: int) -> float:
    """Return the greatest float that is not above a fraction."""
    return -at_least(-numerator, denominator)


def between(low: Fraction, high: Fraction) -> tuple[float, float]:
    """Return the least and the greatest float of an interval."""
    return at_least(low.numerator, low.denominator), at_most(high.numerator, high.denominator)


def around(low: Fraction, high: Fraction) -> tuple[float, float]:
    """Return the least and the greatest float of an interval; if it holds none, the floats next to it."""
    least, most = between(low, high)
    if least <= most:
        return least, most
    return at_most(low.numerator, low.denominator), at_least(high.numerator, high.denominator)


def to_digits(x: Any) -> Decimal:
    """Return a number (no infinity or NaN) cut to 80 digits: the loss is negligible against float rounding.

    An exact product of n floats has 53 n bits, so a window of n costs n^2; with fixed digits it costs n.
    """
    x = Fraction(x)
    return _DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator))


def multiply_digits(a: Decimal, b: Decimal) -> Decimal:
    """Return the product, with as many digits.

    >>> Fraction(multiply_digits(to_digits(0.1), to_digits(10))) == Fraction(0.1) * 10
    True
    """
    return _DIGITS.multiply(a, b)


def take_root(x: Decimal, n: int) -> float:
    """Return the n-th root of a positive number, to some units in its last place; infinite if it exceeds every float.

    >>> take_root(Decimal("1e900"), 3), take_root(Decimal("1e900"), 2)
    (1e+300, inf)
    """
    whole, rest = divmod(x.adjusted(), n)
    root: float = float(x.scaleb(-x.adjusted(), _DIGITS)) ** (1 / n) * 10.0 ** (rest / n)
    return float(Decimal(root).scaleb(whole))


class Rounding(NamedTuple):
    """The deliberate rounding of a job's answers."""

    digits: int
    """Digits after the point; negative for tens, hundreds and so on."""
    ties: Ties
    exact: bool = False
    """True if exact values are rounded directly, as to integers or decimals; else they become doubles first."""

    @staticmethod
    def parse(text: str) -> "Rounding":
        """Parse the option.  Raises InputError.

        >>> Rounding.parse("2"), Rounding.parse("0 down")
        (Rounding(digits=2, ties='either', exact=False), Rounding(digits=0, ties='down', exact=False))
        """
        digits, _, ties = text.strip().partition(" ")
        if re.fullmatch(r"-?\d{1,2}", digits) is None or (ties.strip() or "either") not in TIES:
            raise InputError(
                f"--rounding {text!r}: not digits after the point, such as 2, or -1 for tens, and where wanted one of "
                f"{', '.join(list(TIES)[1:])}"
            )
        return Rounding(int(digits), TIES[ties.strip() or "either"])

    def of(self, x: Fraction, *, upwards: bool = True) -> Fraction:
        """Return a rounded number; `upwards` decides ties that may go either way.

        >>> cents = Rounding.parse("2 half-even")
        >>> [str(cents.of(Fraction(x, 1000))) for x in (675, 685, -675)]
        ['17/25', '17/25', '-17/25']
        """
        unit = Fraction(10) ** -self.digits
        half = Fraction(1, 2)
        x /= unit
        match self.ties:
            case "down":
                n = math.trunc(x)
            case "floor":
                n = math.floor(x)
            case "ceiling":
                n = math.ceil(x)
            case "half-even":
                n = round(x)
            case "half-up":
                n = math.floor(x + half) if x > 0 else math.ceil(x - half)
            case "either":
                n = math.floor(x + half) if upwards else math.ceil(x - half)
        return n * unit

    def round(self, due: "Answer", value: int | float | Fraction) -> "Answer":
        """Return the expected answer, rounded, for a job whose unrounded answer is any acceptable float."""
        if due.low is None or due.high is None or not (math.isfinite(due.low) and math.isfinite(due.high)):
            return due
        exact = not isinstance(value, float)
        low, high = (Fraction(value), Fraction(value)) if exact else (Fraction(due.low), Fraction(due.high))
        if exact and not self.exact and (self.digits > 0 or float(low) != low):
            low, high = (Fraction(math.nextafter(float(low), to)) for to in (-math.inf, math.inf))
        least, most = float(self.of(low, upwards=False)), float(self.of(high))
        slack = 0.0
        if due.slack:
            beyond = Fraction(due.slack)
            slack = max(least - float(self.of(low - beyond, upwards=False)), float(self.of(high + beyond)) - most)
        made = self.of(Fraction(value))
        text = json.dumps(encode(float(made) if not exact else int(made) if made.denominator == 1 else made))
        return Answer(text, least, most, slack)


class Sums(NamedTuple):
    """The addends of an aggregation, and the rounding errors of adding them."""

    roundings: Callable[[Any], int]
    """The number of roundings in a partial aggregate."""
    mass: Callable[[Any], int]
    """The mass of a partial aggregate: sum|x|, or sum x^2, in a unit of its own."""
    drift: Callable[[Any, int], float]
    """The greatest error of a partial aggregate's answer after this total mass was rounded by eps."""

    def within(self) -> "Sums":
        """Return the functions for pairs whose first part is such a partial aggregate; 0 for None."""
        return Sums(
            lambda v: 0 if v is None else self.roundings(v[0]),
            lambda v: 0 if v is None else self.mass(v[0]),
            lambda v, mass: 0.0 if v is None else self.drift(v[0], mass),
        )


@dataclass(frozen=True)
class Aggregation:
    """An aggregation over one kind of values, with its rule for right answers."""

    name: str
    operation: Operation[Any, Any, Any]
    """The operation of the reference; its lower returns the right answer as a Python value."""
    bounds: Callable[[Any], tuple[float, float]] | None = None
    """The floats that are right for a partial aggregate; None if only the exact answer is."""
    rounds: bool = False
    """True if a decimal answer may be rounded to its number of digits."""
    refuses_nan: bool = False
    takes_nulls: bool = False
    """True if it handles nulls itself, as ordinary values."""
    partly: bool = False
    """True if, of several values, those after the first may be null."""
    own_equal: bool = False
    """True if the operation's own `equal` compares answers."""
    summation: Summation | None = None
    single: bool = False
    """True if values or answers were converted to 32-bit floats: then the nearest of these is right even if the answer
    is otherwise exact."""
    narrow: bool = False
    """True if the column of results has 32-bit floats: then inexact answers are rounded to these, too."""
    rounding: Rounding | None = None
    sums: "Sums | None" = None
    """The rounding errors of summation; None if it is no sum."""

    @property
    def collects(self) -> bool:
        """Return whether its answer is a list, which may be empty."""
        return self.name in ("collect", "mutable-collect") or self.name.startswith("top-")

    def sum_as(self, summation: Summation) -> "Aggregation":
        """Return the aggregation with this summation.  Raises InputError if that makes no difference."""
        if self.sums is None or (self.name == "median" and summation == "running"):
            raise InputError(
                f"--summation {summation}: applies to sums, means and deviations of floats, not to {self.name}"
                + "; --value NAME:float reads a column as floats" * (self.name in ADDING)
            )
        if summation == "squares" and not self.name.endswith("deviation"):
            raise InputError(f"--summation squares: applies to deviations, not to {self.name}")
        return replace(self, summation=summation)

    def round_as(self, rounding: Rounding, kind: Kind) -> "Aggregation":
        """Return the aggregation with rounded answers.  Raises InputError if they are not numbers."""
        if kind not in ("int", "float", "decimal"):
            raise InputError(f"--rounding: applies to numeric results, not to {kind}; see --result NAME:float")
        return replace(self, rounding=rounding._replace(exact=kind != "float"))

    def answer(self, partial: Any, *, as_text: bool, past: int = 0) -> Answer:
        """Return the expected answer for a partial aggregate; `past` is the mass rounded before.

        Takes about a microsecond; ten if floats have a tolerance.
        """
        due = self._answer(partial, as_text=as_text)
        if past and due.text is not None and self.sums is not None:
            due = due._replace(slack=self.sums.drift(partial, past))
        return due if self.rounding is None and not self.single else self.finish(due)

    def finish(self, due: Answer) -> Answer:
        """Return an answer as the job writes it: rounded, or as a 32-bit float."""
        if due.low is None or due.high is None:
            return due
        if self.rounding is not None and due.text is not None:
            value = decode(json.loads(due.text))
            if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
                due = self.rounding.round(due, value)
        if not self.single or (self.bounds is not None and self.rounding is None and not self.narrow):
            return due
        assert due.low is not None
        assert due.high is not None
        return due._replace(low=_cut(due.low)[0], high=_cut(due.high)[1])

    def _answer(self, partial: Any, *, as_text: bool) -> Answer:
        value = self.operation.lower(partial)
        if value is None:
            return Answer(None, None, None)
        if self.bounds is None and type(value) is int and -WHOLE <= value <= WHOLE:
            exact = float(value)
            return Answer(str(value), exact, exact)
        text = value if as_text and isinstance(value, str) else json.dumps(encode(value))
        if self.bounds is not None:
            slack = 0.0
            if self.summation in ("float32", "squares") and self.sums is not None:
                shift = 52 - SINGLE if self.summation == "float32" else 0
                slack = self.sums.drift(partial, self.sums.roundings(partial) * self.sums.mass(partial) << shift)
            return Answer(text, *self.bounds(partial), slack)
        if isinstance(value, float):
            return Answer(text, value, value)
        if isinstance(value, Fraction) and value.denominator > 1 and abs(value) < WHOLE:
            return Answer(text, float(value), float(value))
        if isinstance(value, int | Fraction):
            return Answer(text, *between(Fraction(value), Fraction(value)))
        return Answer(text, None, None)

    def is_excused(self, due: Answer, number: float | None) -> bool:
        """Return whether the job's summation can explain a wrong result."""
        if not due.slack or number is None or due.low is None or due.high is None:
            return False
        return due.low - due.slack <= number <= due.high + due.slack

    def agrees(self, due: Answer, got: str | None, number: float | None, kind: Kind) -> bool:
        """Return whether a job's result is right: `got` is its text, `number` its float if it is one."""
        if due.text is None or (got is None and number is None):
            nothing = got is None or (got == "[]" and kind == "json" and self.collects)
            return due.text is None and nothing and number is None
        if kind == "float" and number is not None:
            if self.own_equal and self._equal(decode(json.loads(due.text)), number):
                return True
            if due.low is None or due.high is None:
                return False
            if (due.low, due.high) == ANY:
                near = self._is_nearly(decode(json.loads(due.text)), number)
                return near or not math.isfinite(number) or (number == 0.0 and self.name == "product")
            return due.low <= number <= due.high or (math.isnan(number) and math.isnan(due.low))
        if got is None:
            return False
        if kind == "text":
            return got == due.text or (self.own_equal and self._equal(due.text, got))
        if got == due.text:  # as our own stream writes it
            return True
        try:
            expected, value = decode(json.loads(due.text)), as_value(got, kind)
        except (ValueError, InvalidOperation, ZeroDivisionError):
            return False
        if self.own_equal and self._equal(expected, value):
            return True
        if isinstance(value, Fraction | int) and not isinstance(value, bool):
            return self._number_agrees(due, expected, value, got, kind)
        return alike(expected, value, single=self.single)

    def _number_agrees(self, due: Answer, expected: Any, value: Fraction | int, got: str, kind: Kind) -> bool:
        if (due.low, due.high) == ANY:
            return self._is_nearly(expected, value)
        if self.rounding is not None and due.low is not None and due.high is not None:
            if -WHOLE < value < WHOLE:
                return due.low <= float(value) <= due.high
        if expected == value or (isinstance(expected, float) and _nearest(value) == expected):
            return True
        computed = self.name != "median" or due.low != due.high  # else it is a value of the window
        if kind == "decimal" and self.rounds and computed and not isinstance(expected, float):
            exponent = Decimal(got).as_tuple().exponent
            unit = Fraction(10) ** exponent if isinstance(exponent, int) and exponent < 0 else Fraction(0)
            if abs(Fraction(expected) - value) <= unit / 2:
                return True
        if kind == "int" and not isinstance(expected, float):  # an integer is no rounding of these
            return False
        if kind == "time" and not isinstance(expected, float):  # a median between two ticks
            return bool(abs(expected - value) < 1)
        if self.bounds is not None and due.low is not None and due.high is not None:
            return due.low <= value <= due.high
        return False

    @staticmethod
    def _is_nearly(expected: Any, number: float | Fraction) -> bool:
        return (
            isinstance(expected, float) and math.isfinite(expected) and math.isclose(number, expected, rel_tol=NEARLY)
        )

    def _equal(self, expected: Any, got: Any) -> bool:
        try:
            return bool(self.operation.equal(expected, got))
        except Exception:  # a custom operation, and the result may be anything
            return False


def as_value(got: str, kind: Kind) -> Any:
    """Parse a result.  Raises ValueError, or InvalidOperation.

    >>> as_value("12", "int"), as_value("0.50", "decimal"), as_value("[1, 2.5]", "json")
    (12, Fraction(1, 2), [1, Fraction(5, 2)])
    """
    if kind in ("int", "time"):
        return int(got)
    if kind == "decimal":
        return Fraction(Decimal(got))
    if kind == "json":
        return json.loads(got, parse_float=lambda text: Fraction(Decimal(text)))
    if kind == "bool":
        return got == "true"
    return got


def _nearest(value: Fraction | int) -> float | None:
    """Return the nearest float; None if the value exceeds every float.

    >>> _nearest(Fraction("0.1")) == 0.1, _nearest(10**400)
    (True, None)
    """
    try:
        return float(value)
    except OverflowError:
        return None


def _cut(x: float) -> tuple[float, float]:
    """Return the floats between which the nearest 32-bit float is the same as for this one.

    >>> low, high = _cut(0.1)
    >>> low < 0.1 < 0.10000000149011612 < high < 0.1000001
    True
    """
    with np.errstate(over="ignore"):
        near = np.float32(x)
        below, above = (float(np.nextafter(near, np.float32(to))) for to in (-math.inf, math.inf))
    return ((below + float(near)) / 2, (above + float(near)) / 2) if math.isfinite(near) else (x, x)


def alike(expected: Any, got: Any, *, single: bool = False) -> bool:
    """Return whether JSON agrees with the expected value: tuples are lists, objects with named fields their lists.

    A float may be written with any digits that denote it, and the keys of a map are text in JSON.

    >>> alike((1, 0.1), [1, Fraction(1, 10)]), alike((1, Fraction(1, 10)), [1, 0.1])
    (True, False)
    >>> alike({1: 2, 3: 1}, {"1": 2, "3": 1}), alike({1: 2}, {"1": 2, "3": 1})
    (True, False)
    """
    if isinstance(expected, str) and expected[:1] in ("{", "[") and isinstance(got, list | dict):
        with suppress(ValueError):
            expected = as_value(expected, "json")
    if isinstance(expected, dict) and isinstance(got, dict):
        expected, got = (
            {
                name if isinstance(name, str) else json.dumps(name, default=str): it
                for name, it in one.items()
                if it is not None
            }
            for one in (expected, got)
        )
        return expected.keys() == got.keys() and all(
            alike(it, got[name], single=single) for name, it in expected.items()
        )
    expected, got = (list(it.values()) if isinstance(it, dict) else it for it in (expected, got))
    if isinstance(expected, float) and not math.isfinite(expected):  # JSON has none of these
        said = "NaN" if got is None else str(got)
        return said in _SPECIAL and str(float(said)) == str(expected)
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, list)
            and len(expected) == len(got)
            and all(alike(one, other, single=single) for one, other in zip(expected, got, strict=True))
        )
    if isinstance(expected, bool) != isinstance(got, bool):
        return False
    if isinstance(expected, float) and isinstance(got, int | Fraction):
        try:
            low, high = _cut(expected) if single else (expected, expected)
            return low <= float(got) <= high
        except OverflowError:
            return False
    return bool(expected == got)
