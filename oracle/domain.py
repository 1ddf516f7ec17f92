"""Domains: what is inserted, and when an answer is right.

A domain is an aggregation (`operation`: what the subject is built with, and what lifts), the stream elements to try
(`elements`), and the rule by which answers are judged (`rule`).  Most aggregations are judged exactly, by the
operation's own `equal`.

Which one exposes what: the free monoid (`concatenation`, `mutable-collect`) tells any two windows apart and so shows
every loss, repeat and swap; `affine` does the same in answers that do not grow, for the largest windows; `sum` is what
fixed-function subjects have; `max` and `max-count` have no inverse and an identity that is not 0; `arg-max` breaks
ties by age; `matrix` has singular elements; `mutable-collect` has values that can be changed in place by mistake.

**Floating sums** (`float-sum`).  The right answer is the exact sum of the window's own elements.  A subject may round:
its answer must lie within eps * n * sum|x| of it, where n counts the window's elements, x runs over them and
eps = 2^-52 (twice the bound of any order of summation).  The bound is never relative to the result, and elements that
have left the window do not widen it: a subject that still carries the rounding error of a huge value which it evicted
is wrong.  An empty window sums to exactly 0.  Infinities and NaN follow IEEE 754: the answer is what summing in any
order gives.  A window whose sum|x| exceeds the largest float is not judged.  The exact sums are integers, multiples of
2^-1074, carried through the same proved reference.
"""

import copy
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from random import Random
from types import NoneType
from typing import Any, Final, TypeAlias

from swagproof.models.operations import OPERATIONS, Operation
from swagproof.oracle.trace import InputError

Element: TypeAlias = Any
"""A stream element.  Domains are looked up by name at run time, so their types are not known to a type checker."""


@dataclass(frozen=True)
class Elements:
    """The stream elements to try."""

    letters: tuple[Element, ...]
    """The simplest first.  Where the domain allows, all distinct."""
    draw: Callable[[Random], Element]
    """One at random."""
    simpler: Callable[[Element], Iterable[Element]]
    """What may stand for an element in a smaller counterexample, the simplest first."""
    read: Callable[[str], Element] | None = None
    """The element that a cell of a file stands for.  Raises ValueError."""
    orders: tuple[tuple[Element, ...], ...] = ()
    """Sequences that the systematic search inserts; made from the letters where none are given."""


class Exactly:
    """Answers are judged by the operation's own `equal`."""

    def __init__(self, operation: Operation[Any, Any, Any]) -> None:
        self.mirror = operation
        """What the reference runs over."""

    def agree(self, expected: Any, got: Any) -> bool:
        """Whether this answer is right.  Never raises: what cannot be compared is not equal."""
        try:
            return bool(self.mirror.equal(expected, got))
        except Exception:  # an answer may be anything, and its == may raise anything
            return False

    def shown(self, expected: Any) -> Any:
        """The expected answer as a partial aggregate of the subject's kind."""
        return expected

    def allowed(self, _expected: Any) -> float | None:
        """How far an answer may be off; None where it may not."""
        return None


_UNIT: Final = 1074
"""Every float is a multiple of 2^-1074."""
_LARGEST: Final = int(sys.float_info.max) << _UNIT


def _units(x: Any) -> int:
    """A finite number as a multiple of 2^-1074, rounded down if it is none."""
    numerator, denominator = x.as_integer_ratio()
    return int((numerator << _UNIT) // denominator)


_Sum: TypeAlias = tuple[int, int, int, int, int, int]
"""Number of elements, their sum, the sum of their absolute values; how many are inf, -inf, nan."""


def _exact(element: Any) -> _Sum:
    if math.isnan(element):
        return 1, 0, 0, 0, 0, 1
    if element in (math.inf, -math.inf):
        return 1, 0, 0, int(element > 0), int(element < 0), 0
    units = _units(element)
    return 1, units, abs(units), 0, 0, 0


class Rounded(Exactly):
    """Floating sums are judged against the exact sum, within eps * n * sum|x| over the window's own elements."""

    def __init__(self) -> None:
        super().__init__(
            Operation[Any, _Sum, Any](
                "exact-sum",
                lift=_exact,
                combine=lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]),
                lower=lambda v: v,
                identity=(0, 0, 0, 0, 0, 0),
                commutative=True,
            )
        )

    def agree(self, expected: _Sum, got: Any) -> bool:
        """Whether `got` is a number within the bound.

        >>> exact = _exact(0.1), _exact(0.2)
        >>> both = Rounded().mirror.combine(*exact)
        >>> Rounded().agree(both, 0.30000000000000004), Rounded().agree(both, 0.3000001), Rounded().agree(both, None)
        (True, False, False)
        """
        n, total, size, _, _, _ = expected
        try:
            special = self._special(expected)
            if special is not None:
                return bool(got == special or (math.isnan(special) and math.isnan(got)))
            if size > _LARGEST:
                return isinstance(got, float)
            return abs(_units(got) - total) << 52 <= n * size
        except (TypeError, ValueError, OverflowError, AttributeError):  # not a number, or not a finite one
            return False

    def _special(self, expected: _Sum) -> float | None:
        _, _, _, up, down, nan = expected
        if nan or (up and down):
            return math.nan
        return math.inf if up else -math.inf if down else None

    def shown(self, expected: _Sum) -> float:
        special = self._special(expected)
        if special is not None:
            return special
        try:
            return float(Fraction(expected[1], 1 << _UNIT))
        except OverflowError:
            return math.copysign(math.inf, expected[1])

    def allowed(self, expected: _Sum) -> float | None:
        if self._special(expected) is not None:
            return None
        try:
            return float(Fraction(expected[0] * expected[2], 1 << (_UNIT + 52)))
        except OverflowError:
            return math.inf


_PLAIN: Final = (NoneType, bool, int, float, str, bytes, Fraction)


def _unchanging(value: Any) -> bool:
    """Whether nothing in this value can be changed in place."""
    if isinstance(value, _PLAIN):
        return True
    if type(value) in (tuple, frozenset):
        return all(map(_unchanging, value))
    return False


@dataclass(frozen=True)
class Domain:
    """An aggregation, the elements to try, and the rule that judges answers."""

    name: str
    """As `--monoid` takes it."""
    operation: Operation[Any, Any, Any]
    elements: Elements
    rule: Exactly
    values: tuple[Element, ...] = ()
    """Real input, for windows to slide over; empty where there is none."""

    def fresh(self) -> Operation[Any, Any, Any]:
        """The monoid to build a subject with: its identity is shared with nobody when it can be changed in place."""
        if not self.mutable:
            return self.operation
        return replace(self.operation, identity=copy.deepcopy(self.operation.identity))

    def lifted(self, element: Element) -> Any:
        """The partial aggregate of one element, shared with nobody when it can be changed in place."""
        return self.operation.lift(copy.deepcopy(element) if self.mutable else element)

    @cached_property
    def mutable(self) -> bool:
        """Whether values can be changed in place, so that aliasing has to be watched."""
        one, two = (self.operation.lift(letter) for letter in (*self.elements.letters, *self.elements.letters)[:2])
        return not all(map(_unchanging, (self.operation.identity, one, two, self.operation.combine(one, two))))

    @cached_property
    def small(self) -> bool:
        """Whether answers stay about as large as they are, however large the window: fit for the largest windows."""
        aggregate, early, random = self.operation.identity, 0, Random(0)
        for i in range(256):
            aggregate = self.operation.combine(aggregate, self.lifted(self.elements.draw(random)))
            early = max(early, len(repr(aggregate))) if i < 32 else early
        return len(repr(aggregate)) < 2 * early + 8

    @cached_property
    def orders(self) -> tuple[tuple[Element, ...], ...]:
        """Sequences of elements for the systematic search: as they come, and where order or ties matter, others too."""
        letters = self.elements.letters
        if self.elements.orders or self.operation.faithful:
            return self.elements.orders or (letters,)
        few = letters[:12]
        zigzag = tuple(few[i ^ 1] if i ^ 1 < len(few) else few[i] for i in range(len(few)))
        return tuple(dict.fromkeys((few, few[::-1], few[:1], zigzag)))

    def takes(self, element: Element) -> bool:
        """Whether the operation lifts this element."""
        try:
            self.operation.lift(element)
        except Exception:  # the lift may be the user's own
            return False
        return True

    def over(self, values: tuple[Element, ...]) -> "Domain":
        """The same aggregation over given elements; the systematic search takes those at the start, in the middle,
        and around the largest."""
        sizes = [abs(value) if isinstance(value, (int, float)) else 0 for value in values]
        starts = dict.fromkeys((0, max(0, sizes.index(max(sizes)) - 1), len(values) // 2))
        orders = tuple(values[start : start + 64] for start in starts)

        def draw(random: Random) -> Element:
            return random.choice(values)

        elements = replace(self.elements, letters=orders[0], orders=orders, draw=draw)
        return replace(self, elements=elements, values=values)


def _size(x: Any) -> tuple[int, float, bool]:
    return len(repr(x)), abs(x), x < 0


def _rounder(x: float) -> Iterator[int | float]:
    few = (0, 1, 2, -1, 3, 10)
    if isinstance(x, float):
        yield from map(float, (*few, 1e16, -1e16))
        if math.isfinite(x):
            yield from (float(f"{x:.{digits}e}") for digits in range(3))
            yield float(int(x))
    else:
        yield from few
        yield from (round(x, digits - len(str(abs(x)))) for digits in (1, 2, 3))
        for power in (7, 8, 15, 16, 31, 32, 53, 62, 63, 64):
            yield from (2**power - 1, 2**power, -(2**power), -(2**power) - 1)


def simpler_number(x: Any) -> Iterator[Any]:
    """Numbers of the same type that are simpler to read, the simplest first.

    >>> list(simpler_number(1234)), list(simpler_number(2.5))
    ([0, 1, 2, -1, 3, 10, 1000, 1200, 1230, 127, 128, -128, -129, 255, 256, -256, -257], [0.0, 1.0, 2.0])
    """
    if type(x) in (int, float):
        yield from dict.fromkeys(y for y in _rounder(x) if _size(y) < _size(x))


def number(cell: str) -> int | float:
    """A cell as an int if it is written as one, else as a float.  Raises ValueError.

    >>> number("2"), number("2.5"), number("1e3")
    (2, 2.5, 1000.0)
    """
    if "_" in cell:
        raise ValueError(f"{cell!r} is no number")
    try:
        return int(cell)
    except ValueError:
        return float(cell)


def _integer(cell: str) -> int:
    x = number(cell)
    if not math.isfinite(x) or x != int(x):
        raise ValueError(f"{cell!r} is no integer")
    return int(x)


def _float(cell: str) -> float:
    return float(number(cell))


_ALPHABET: Final = tuple("abcdefghijklmnopqrstuvwxyz")


def _simpler_text(x: Any) -> Iterator[Any]:
    if isinstance(x, str) and x not in _ALPHABET:
        yield from _ALPHABET


def _text(random: Random) -> str:
    kind = random.random()
    if kind < 0.9:
        return random.choice(_ALPHABET)
    return "" if kind < 0.93 else "".join(random.choices("abcxyzé01 ,'", k=random.randint(2, 4)))


def _float_element(random: Random) -> float:
    kind = random.random()
    if kind < 0.5:
        return round(random.uniform(-100, 100), 1)
    if kind < 0.7:
        return float(random.randint(-5, 5))
    if kind < 0.9:
        return random.uniform(-1, 1)
    if kind < 0.97:
        return random.choice((1e-9, 1e-300, 5e-324, 1e9, -1e9))
    return random.choice((1e16, -1e16, 1e20, 1e300, -1e300))


def _measured(random: Random) -> tuple[int, str]:
    return random.randint(-3, 3), random.choice(_ALPHABET)


def _simpler_measured(x: Any) -> Iterator[Any]:
    yield from ((measure, x[1]) for measure in simpler_number(x[0]))
    yield from ((x[0], letter) for letter in _simpler_text(x[1]))


def _small_integer(random: Random) -> int:
    return random.randint(-5, 5) if random.random() < 0.8 else random.randint(-(10**6), 10**6)


_TEXT: Final = Elements(
    _ALPHABET, _text, _simpler_text, read=str, orders=(_ALPHABET, ("a", "", "b", "", "", "c"), ("", "ab", "c", "de"))
)
_POWERS: Final = Elements(
    tuple(2**i for i in range(30)),
    _small_integer,
    simpler_number,
    read=_integer,
    orders=(tuple(2**i for i in range(30)), (1, -1, 0, 2)),
)
_NUMBERS: Final = Elements(
    tuple(range(1, 13)),
    _small_integer,
    simpler_number,
    read=number,
    orders=(tuple(range(1, 13)), tuple(range(12, 0, -1)), (1,), (2, 1, 3, 3, 2), (-1, -2, 0, -3)),
)
_DISTINCT: Final = Elements(
    tuple(range(1, 13)), _small_integer, lambda x: range(1, 13) if x not in range(1, 13) else (), read=number
)
_WIDE: Final = Elements(
    (2**63 - 1, 1, -(2**63), 2**31, 2**53),
    lambda random: random.choice((1, -1)) * random.getrandbits(random.choice((8, 31, 32, 53, 62, 63))),
    simpler_number,
    read=_integer,
    orders=((2**63 - 1, 1, 1), (-(2**63), -1, -1), (2**53, 1, 1), (2**31 - 1, 1, 1)),
)
_FLOATS: Final = Elements(
    (1e16, 1.0, 1.0),
    _float_element,
    simpler_number,
    read=_float,
    orders=(
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        (1e16, 1.0, 2.0, 3.0),
        (1.0, 1e16, 1.0, 2.0, 3.0),
        (1e300, 1.0, 2.0, 3.0, 4.0, 5.0),
        (1.0, 1e16, -1e16, 1.0, 2.0, 3.0, 4.0),
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        (1e300, 1e16, 1.0, 2.0, 3.0, 4.0),
        (1e16, -1e16, 1.0, 2.0, 3.0, 4.0),
        (1.0, 1e300, -1e300, 1.0, 2.0, 3.0, 4.0),
        (1e-300, 1e300, 1e-300, 1.0),
        (5e-324, 1.0, 5e-324, 5e-324),
    ),
)
_MEASURED: Final = Elements(
    tuple((measure, letter) for measure, letter in zip((1, 2, 2, 3, 3, 3, 4, 5, 6, 7), _ALPHABET, strict=False)),
    _measured,
    _simpler_measured,
)
_MAPS: Final = Elements(
    ((2, 1), (3, 5), (1, 1), (5, 0)),
    lambda random: (random.randint(1, 999), random.randint(0, 999)),
    lambda x: ((slope, x[1]) for slope in (1, 2) if slope < x[0]),
)

_ELEMENTS: Final[dict[str, Elements]] = {
    "concatenation": _TEXT,
    "first": _TEXT,
    "last": _TEXT,
    "collect": _DISTINCT,
    "mutable-collect": _DISTINCT,
    "count": _NUMBERS,
    "sum": _POWERS,
    "min": _NUMBERS,
    "max": _NUMBERS,
    "min-count": _NUMBERS,
    "max-count": _NUMBERS,
    "arg-min": _MEASURED,
    "arg-max": _MEASURED,
    "affine": _MAPS,
}


def of_samples(samples: Sequence[Element]) -> Elements:
    """Elements of which no more is known than some samples: a smaller counterexample takes an earlier sample."""

    def simpler(x: Element) -> Iterator[Element]:
        for sample in samples:
            if type(sample) is type(x) and sample == x:
                return
            yield sample

    return Elements(tuple(samples), lambda random: random.choice(samples), simpler)


def _float_sum() -> Domain:
    operation = Operation[Any, float, float](
        "float-sum",
        lift=float,
        combine=lambda a, b: a + b,
        lower=float,
        identity=0.0,
        commutative=True,
    )
    return Domain("float-sum", operation, _FLOATS, Rounded())


DEFAULT: Final = (
    "concatenation",
    "sum",
    "max",
    "max-count",
    "arg-max",
    "affine",
    "matrix",
    "mutable-collect",
)
"""What a subject is judged over that takes any monoid; the free monoid first, as it hides nothing."""


def names() -> list[str]:
    """Every name that `--monoid` knows."""
    return [*OPERATIONS, "wide-sum", "float-sum"]


def domain(name: str) -> Domain:
    """The domain of this name.  Raises InputError when there is none.

    `wide-sum` is `sum` over integers of up to 64 bits, so that sums need more; `float-sum` is described above; every
    other name is an operation's.

    >>> domain("concatenation").small, domain("affine").small, domain("mutable-collect").mutable
    (False, True, True)
    """
    if name == "float-sum":
        return _float_sum()
    operation = OPERATIONS.get("sum" if name == "wide-sum" else name)
    if operation is None:
        raise InputError(f"--monoid {name}: none of {', '.join(names())}; or give your own as path.py:NAME")
    elements = _WIDE if name == "wide-sum" else _ELEMENTS.get(name) or of_samples(operation.samples)
    return Domain(name, operation, elements, Exactly(operation))
