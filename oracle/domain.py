"""Domains: an aggregation, the elements to insert, and the rule for answers.

A domain has an aggregation (`operation`, which lifts elements and with which the subject is built), the stream elements
to try (`elements`), and the rule for answers (`rule`).  Most answers are compared exactly, by the operation's own
`equal`.

Each domain exposes different bugs: the free monoid (`concatenation`, `mutable-collect`) distinguishes any two windows,
so it shows every loss, repeat and swap; `affine` does so with answers that do not grow, for the largest windows; `sum`
suits fixed-function subjects; `max` and `max-count` have no inverse and an identity that is not 0; `arg-max` breaks
ties by age; `matrix` has singular elements; `mutable-collect` has values that can be changed in place by mistake.

The names that begin with `sql-` are the aggregates of SQL, over elements that may be NULL: see
`swagproof.oracle.domains.sql`.

**Floating sums** (`float-sum`, `sql-float-sum`).  The right answer is the exact sum of the window's own elements.  A
subject may round: its answer must lie within eps * n * sum|x| of it, where n counts the window's elements, x runs over
them and eps = 2^-52 (twice the bound of any order of summation).  The bound is never relative to the result, and
evicted elements do not widen it: a subject that keeps the rounding error of an evicted huge value is wrong.  An empty
window sums to exactly 0 (`sql-float-sum`: to NULL).  Infinities and NaN follow IEEE 754: the answer is what summing in
any order gives.  A window whose sum|x| exceeds the largest float is not judged. The exact sums are integers, multiples
of 2^-1074, carried through the same reference.
"""

import contextlib
import copy
import functools
import itertools
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from random import Random
from types import NoneType
from typing import Any, Final, TypeAlias

from swagproof.models.composition import compose
from swagproof.models.containers.bottom import Bottom
from swagproof.models.holistic import DISTINCT_COUNT, MEDIAN, top
from swagproof.models.operations import OPERATIONS, Operation
from swagproof.oracle.domains import sql
from swagproof.oracle.domains.elements import ELEMENTS, Element, Elements, of_samples
from swagproof.oracle.domains.width import INT64, Width, addend_of
from swagproof.oracle.trace import InputError, Step
from swagproof.oracle.window import Window

__all__ = [
    "DEFAULT",
    "Domain",
    "Element",
    "Elements",
    "Exactly",
    "Rounded",
    "domain",
    "names",
    "of_samples",
]


_UNLIKE: Final = object()
"""A value that equals no answer, except one that is equal to everything."""


def _posing(expected: Any, got: Any) -> bool:
    """Return whether an answer of another type merely compares equal: True for 1, or an object equal to everything.

    >>> from unittest.mock import ANY
    >>> _posing(1, True), _posing("ab", ANY), _posing(1, 1.0)
    (True, True, False)
    """
    if type(got) is type(expected):
        return False
    return isinstance(got, bool) or bool(got == _UNLIKE)


def alike(right: Any, got: Any) -> bool:
    """Return whether a final answer is right: NaN for NaN, or a number of any type with the same value."""
    return bool(right == got or (right != right and got != got)) and not _posing(right, got)


def plain(expected: Any, got: Any) -> Any:
    """Convert NumPy values to plain ones, and lists to tuples or back, to match the expected answer.

    >>> class int64:
    ...     __module__ = "numpy"
    ...     def tolist(self): return 7
    >>> plain(7, int64()), plain(7, "7"), plain((1, 2), [1, 2]), plain([1], (1,)), plain(7, [7])
    (7, '7', (1, 2), [1], [7])
    """
    if type(got).__module__ == "numpy":
        got = got.tolist()
    sequence = type(expected)
    return sequence(got) if sequence in (tuple, list) and type(got) in (tuple, list) else got


class Exactly:
    """A rule that compares answers by the operation's own `equal`; numbers of different types by value."""

    def __init__(self, operation: Operation[Any, Any, Any]) -> None:
        self.mirror = operation
        """The monoid that the reference computes with."""

    def agree(self, expected: Any, got: Any) -> bool:
        """Return whether this answer is right.  Never raises: an answer that cannot be compared is wrong."""
        try:
            got = plain(expected, got)
            return bool(self.mirror.equal(expected, got)) and not _posing(expected, got)
        except Exception:  # the == of an answer may raise anything
            return False

    def round_exact(self, expected: Any) -> Any:
        """Return the expected answer as a partial aggregate of the subject's type."""
        return expected

    def allowed(self, _expected: Any) -> float | None:
        """Return the bound on an answer's error; None if answers are exact."""
        return None

    def answers(self, expected: Any, got: Any) -> bool:
        """Return whether `got` is the right final answer: the expected aggregate, lowered."""
        try:
            return alike(self.mirror.lower(expected), got)
        except Exception:  # the == of an answer may raise anything
            return False

    def answer(self, expected: Any) -> Any:
        """Return the right final answer."""
        return self.mirror.lower(self.round_exact(expected))


_UNIT: Final = 1074
"""Every float is a multiple of 2^-1074."""
_LARGEST: Final = int(sys.float_info.max) << _UNIT


def _units(x: Any) -> int:
    """Return a number as a multiple of 2^-1074, rounded down if it is none."""
    if type(x) is float:  # four times as fast
        mantissa, exponent = math.frexp(x)
        whole, shift = int(mantissa * 2.0**53), exponent + _UNIT - 53
        return whole << shift if shift >= 0 else whole >> -shift
    numerator, denominator = x.as_integer_ratio()
    return int((numerator << _UNIT) // denominator)


_Sum: TypeAlias = tuple[int, int, int, int, int, int]
"""Number of elements, their sum, the sum of their absolute values; how many are inf, -inf, nan."""


def _exact(element: Any) -> _Sum:
    if type(element) is float and math.isfinite(element):  # the usual case, and cheap
        units = _units(element)
        return 1, units, abs(units), 0, 0, 0
    if element is None:
        return 0, 0, 0, 0, 0, 0
    if math.isnan(element):
        return 1, 0, 0, 0, 0, 1
    if element in (math.inf, -math.inf):
        return 1, 0, 0, int(element > 0), int(element < 0), 0
    units = _units(element)
    return 1, units, abs(units), 0, 0, 0


class Rounded(Exactly):
    """A rule for floating sums: the error is at most eps * n * sum|x| over the window's own elements.

    None stands for no element; the sum of an empty window is `nothing`.
    """

    def __init__(self, nothing: float | None = 0.0) -> None:
        self.nothing = nothing
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
        """Return whether `got` is a number within the bound.

        >>> exact = _exact(0.1), _exact(0.2)
        >>> both = Rounded().mirror.combine(*exact)
        >>> Rounded().agree(both, 0.30000000000000004), Rounded().agree(both, 0.3000001), Rounded().agree(both, None)
        (True, False, False)
        """
        n, total, size, up, down, nan = expected
        got = got if type(got) is float else plain(expected, got)
        if type(got) is float and n and size <= _LARGEST and not (up or down or nan):  # the usual case, and cheap
            return math.isfinite(got) and ((off := abs(_units(got) - total)) == 0 or off << 52 <= n * size)
        if n == 0 and (got is None or self.nothing is None):
            return got is self.nothing
        try:
            if _posing(0.0, got):
                return False
            special = self._special(expected)
            if special is not None:
                return bool(got == special or (math.isnan(special) and math.isnan(got)))
            if size > _LARGEST:
                return isinstance(got, float)
            return abs(_units(got) - total) << 52 <= n * size
        except (TypeError, ValueError, OverflowError, AttributeError):  # not a finite number
            return False

    def _special(self, expected: _Sum) -> float | None:
        _, _, _, up, down, nan = expected
        if nan or (up and down):
            return math.nan
        return math.inf if up else -math.inf if down else None

    def answers(self, expected: _Sum, got: Any) -> bool:
        return self.agree(expected, got)

    def answer(self, expected: _Sum) -> float | None:
        return self.round_exact(expected)

    def round_exact(self, expected: _Sum) -> float | None:
        if expected[0] == 0:
            return self.nothing
        special = self._special(expected)
        if special is not None:
            return special
        try:
            return float(Fraction(expected[1], 1 << _UNIT))
        except OverflowError:
            return math.inf if expected[1] > 0 else -math.inf

    def allowed(self, expected: _Sum) -> float | None:
        if self._special(expected) is not None:
            return None
        try:
            return float(Fraction(expected[0] * expected[2], 1 << (_UNIT + 52)))
        except OverflowError:
            return math.inf


_PLAIN: Final = (NoneType, Bottom, bool, int, float, str, bytes, Fraction, Decimal)


def _unchanging(value: Any) -> bool:
    """Return whether this value is deeply immutable."""
    if isinstance(value, _PLAIN):
        return True
    if type(value) in (tuple, frozenset):
        return all(map(_unchanging, value))
    return False


def _same(x: Any) -> Any:
    return x


@dataclass(frozen=True)
class Domain:
    """An aggregation, the elements to try, and the rule that judges answers."""

    name: str
    """The name, as `--monoid` takes it."""
    operation: Operation[Any, Any, Any]
    elements: Elements
    rule: Exactly
    lowered: bool = False
    """True if a subject takes raw elements and answers lowered aggregates."""
    width: Width | None = None
    """The width of the subject's sums, if it is limited."""

    def fit(self, steps: Sequence[Step], window: Window, alone: bool = True) -> Sequence[Step]:
        """Return the trace with elements replaced so that all sums fit."""
        return steps if self.width is None else self.width.fit(steps, window, alone)

    def fits(self, steps: Sequence[Step], window: Window, alone: bool = True) -> bool:
        """Return whether all sums in a trace fit."""
        return self.width is None or self.width.fits(steps, window, alone)

    def exceeds(self, steps: Sequence[Step], window: Window) -> bool:
        """Return whether sums in a trace need more than 64 bits."""
        addend = addend_of(self.name)
        return addend is not None and not replace(INT64, addend=addend).fits(steps, window)

    def fresh(self) -> Operation[Any, Any, Any]:
        """Return the monoid to build a subject with; if its identity is mutable, it is a copy."""
        if not self.mutable:
            return self.operation
        return replace(self.operation, identity=copy.deepcopy(self.operation.identity))

    def lifted(self, element: Element) -> Any:
        """Return the partial aggregate of one element; if it is mutable, it is a copy."""
        return self.operation.lift(element if type(element) in _PLAIN or not self.mutable else copy.deepcopy(element))

    @property
    def handed(self) -> Callable[[Element], Any]:
        """Return the function from a stream element to the argument of the subject's insert."""
        objects = self.elements.objects
        if self.lowered and objects is not None:
            return lambda element: copy.deepcopy(objects[element])
        if self.lowered:
            return _same if all(map(_unchanging, self.elements.letters)) else copy.deepcopy
        return self.lifted if self.mutable else self.operation.lift

    def recognises(self, aggregate: Any, got: Any) -> bool:
        """Return whether an answer is this aggregate, lowered if answers are."""
        mirrored = Exactly(self.operation)
        if self.lowered:
            return mirrored.answers(aggregate, got)
        return type(plain(aggregate, got)) is type(aggregate) and mirrored.agree(aggregate, got)

    @cached_property
    def mutable(self) -> bool:
        """Return whether values can be changed in place, so that aliasing must be checked."""
        if self.lowered:
            return False
        one, two = (self.operation.lift(letter) for letter in (*self.elements.letters, *self.elements.letters)[:2])
        return not all(map(_unchanging, (self.operation.identity, one, two, self.operation.combine(one, two))))

    @cached_property
    def small(self) -> bool:
        """Return whether answers stay small however large the window, so that the domain suits the largest windows."""
        aggregate, early, random = self.operation.identity, 0, Random(0)
        for i in range(256):
            aggregate = self.operation.combine(aggregate, self.lifted(self.elements.draw(random)))
            early = max(early, len(repr(aggregate))) if i < 32 else early
        return len(repr(aggregate)) < 2 * early + 8

    @cached_property
    def orders(self) -> tuple[tuple[Element, ...], ...]:
        """Sequences of elements for the systematic search: in the given order, and in others if order or ties
        matter."""
        letters = self.elements.letters
        if self.elements.orders or self.operation.faithful:
            return self.elements.orders or (letters,)
        few = letters[:12]
        zigzag = tuple(few[i ^ 1] if i ^ 1 < len(few) else few[i] for i in range(len(few)))
        return tuple(dict.fromkeys((few, few[::-1], few[:1], zigzag)))

    def takes(self, element: Element) -> bool:
        """Return whether the operation lifts this element."""
        try:
            self.operation.lift(element)
        except Exception:  # a custom lift may raise anything
            return False
        return True


_FLOAT_SUM: Final = Operation[Any, float, float](
    "float-sum",
    lift=float,
    combine=lambda a, b: a + b,
    lower=float,
    identity=0.0,
    commutative=True,
)
_RULES: Final[dict[str, Callable[[], Exactly]]] = {"float-sum": Rounded, "sql-float-sum": lambda: Rounded(None)}
"""The rules for answers that are not compared exactly, by domain."""

_OPERATIONS: Final = {
    **OPERATIONS,
    "wide-sum": OPERATIONS["sum"],
    "float-sum": _FLOAT_SUM,
    "median": MEDIAN,
    "distinct-count": DISTINCT_COUNT,
    **sql.OPERATIONS,
}

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
"""The domains for a subject that takes any monoid, the free monoid first, since it exposes most."""


def names() -> list[str]:
    """Return all names that `--monoid` accepts."""
    return [*_OPERATIONS, "top-3"]


def domain(name: str, option: str = "--monoid") -> Domain:
    """Return the domain with this name.  Raises InputError, which names the option, if there is none.

    `wide-sum` is `sum` over integers of up to 64 bits, so sums need more; `float-sum` is described above; the names of
    SQL's aggregates are in `swagproof.oracle.domains.sql`; `top-3` is the three greatest elements (`top-1` to
    `top-99`); `sum+max` is a pair of both; every other name is an operation's.

    >>> domain("sum+max").operation.combine((3, 3), (4, 4))
    (7, 4)
    >>> domain("concatenation").small, domain("affine").small, domain("mutable-collect").mutable
    (False, True, True)
    """
    if "+" in name:
        return _at_once(name, option)
    top_few = re.fullmatch(r"top-([1-9][0-9]?)", name)
    operation = top(int(top_few[1])) if top_few else _OPERATIONS.get(name)
    if operation is None:
        raise InputError(f"{option} {name}: not one of {', '.join(names())}; write a custom one as path.py:NAME")
    elements = sql.ELEMENTS.get(name) or ELEMENTS.get(name.rstrip("0123456789")) or of_samples(operation.samples)
    return Domain(name, operation, elements, _RULES.get(name, lambda: Exactly(operation))())


def _at_once(name: str, option: str) -> Domain:
    """Return the product of several aggregations: tuples, over elements that all of them take."""
    parts = [domain(part, option) for part in name.split("+")]
    ruled = [part.name for part in parts if part.name in _RULES]
    if ruled:
        raise InputError(f"{option} {name}: {ruled[0]} has its own rule for right answers; judge it separately")
    operation = compose(**{part.name.replace("-", "_"): part.operation for part in parts})
    for part in parts:
        made = Domain(name, operation, part.elements, Exactly(operation))
        letters = (*part.elements.letters, *itertools.chain(*part.elements.orders))
        with contextlib.suppress(Exception):  # an operation may raise anything for another's elements
            functools.reduce(operation.combine, map(operation.lift, letters), operation.identity)
            return made
    raise InputError(f"{option} {name}: these monoids take different elements")
