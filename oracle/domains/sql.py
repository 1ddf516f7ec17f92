"""SQL aggregates: NULLs are skipped, and the result for no values is NULL, or 0 for a count.

NULL is None.  `sql-first` and `sql-last` respect NULLs: the answer is the first or last row's value, NULL or not.
`sql-arg-min` and `sql-arg-max` give the argument (a letter) of the row with the least or greatest measure, the oldest
in a tie; a NULL row has neither.  Over floats, NaN is greater than any number and equal to itself, and `sql-max`
returns it; most engines document this.  In `nan-least-max`, NaN is below every number, so the maximum ignores it among
numbers, as other engines document.  (The minimum is the same in both.)

Batch engines are judged over these aggregates (`swagproof.oracle.kinds.frame`).
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from swagproof.models.operations import Operation
from swagproof.oracle.domains.elements import (
    Element,
    Elements,
    float_element,
    letters,
    measured,
    simpler_number,
    small_integer,
)

NULLS: Final = 0.15
"""The fraction of random elements that are NULL."""


def _same(x: Any) -> Any:
    return x


def _skipping(combine: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Lift `combine` to values that may be NULL: if one is NULL, the result is the other."""
    return lambda a, b: b if a is None else a if b is None else combine(a, b)


def _rank(x: Any, nan: float) -> tuple[float, Any]:
    return (nan, 0) if x != x else (0.0, x)


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b or (a != a and b != b))


def _extreme(name: str, sign: int, nan: float = 1.0) -> Operation[Any, Any, Any]:
    """Keep the greatest (sign 1) or the least (-1), the older of equals; NaN ranks above (1) or below (-1) numbers."""

    def combine(a: Any, b: Any) -> Any:
        one, other = _rank(a, nan), _rank(b, nan)
        return b if (other > one if sign > 0 else other < one) else a

    return Operation(name, _same, _skipping(combine), _same, None, commutative=False, equal=_equal)


def _arg(name: str, sign: int) -> Operation[Any, Any, Any]:
    return Operation(
        name,
        _same,
        _skipping(lambda a, b: b if sign * b[0] > sign * a[0] else a),
        lambda v: None if v is None else v[1],
        None,
        commutative=False,
    )


def _end(name: str, at: int) -> Operation[Any, Any, Any]:
    """Return the first (0) or last (-1) row's value; a partial aggregate is () or (value,)."""
    return Operation(
        name,
        lambda e: (e,),
        lambda a, b: (a + b)[at:][:1],
        lambda v: v[0] if v else None,
        (),
        commutative=False,
    )


_EVERY: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation("sql-count", lambda e: int(e is not None), lambda a, b: a + b, _same, 0, commutative=True),
    Operation("sql-sum", _same, _skipping(lambda a, b: a + b), _same, None, commutative=True),
    Operation("sql-float-sum", _same, _skipping(lambda a, b: a + b), _same, None, commutative=True),
    _extreme("sql-min", -1),
    _extreme("sql-max", 1),
    _extreme("sql-float-min", -1),
    _extreme("sql-float-max", 1),
    _extreme("nan-least-max", 1, -1.0),
    Operation("sql-concatenation", _same, _skipping(lambda a, b: a + b), _same, None, commutative=False),
    _end("sql-first", 0),
    _end("sql-last", -1),
    _arg("sql-arg-min", -1),
    _arg("sql-arg-max", 1),
)
OPERATIONS: Final = MappingProxyType({operation.name: operation for operation in _EVERY})
"""The aggregates, by the name that `--monoid` takes."""


def _nullable(
    telling: tuple[Element, ...],
    draw: Callable[[Random], Element],
    simpler: Callable[[Element], Any],
    more: Sequence[tuple[Element, ...]],
) -> Elements:
    """Return elements that may be NULL: the given sequences, and the same with NULLs."""

    def drawn(random: Random) -> Element:
        return None if random.random() < NULLS else draw(random)

    one, two, three = telling[:3]
    nulls = (
        (None, one, None, two, three, None),
        (one, None, None, None, two, three),
        (None, None, None),
        (one, two, None, None, None, None),
    )
    return Elements(telling, drawn, lambda x: () if x is None else simpler(x), orders=(telling, *nulls, *more))


_NAN, _INF = math.nan, math.inf
_NUMBERS: Final = _nullable(
    (1, 2, 4, 8, 16, 32, 64, 128),
    small_integer,
    simpler_number,
    more=(
        (3, 3, 1, 2, 2, -5, 0),
        (7, 6, 5, 4, 3, 2, 1),
        (2**53, 1, 2**53 + 1, -1, 1),
    ),
)
_WIDE: Final = ((2**63 - 1, 0, -1, 1, -5), (-(2**63), 0, 3, 1, 2), (2**62, 2**62 - 1, -(2**62), 2**62, 1, 5))
_FLOATS: Final = _nullable(
    (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    float_element,
    simpler_number,
    more=(
        (0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        (1e16, 1.0, 1.0, 1.0, 1.0),
        (1.0, 1e16, 1.0, 2.0, 3.0),
        (1e300, 1.0, 2.0, 3.0, 4.0, 5.0),
        (1e300, 1e16, 1.0, 0.0, 2.0, 3.0),
        (1.0, 1e16, -1e16, 1.0, 2.0, 3.0),
        (1e308, -1e308, 1.0, 2.0, 3.0, 4.0),
        (5e-324, 1.0, 5e-324, 5e-324, 5e-324),
        (_NAN, 1.0, 2.0, 3.0, 4.0),
        (1.0, _NAN, 2.0, 0.0, 3.0),
        (1.0, 2.0, _NAN, _NAN, None, None, 0.0),
        (_INF, 1.0, 2.0, 3.0, 4.0),
        (1.0, -_INF, 2.0, 3.0, 0.0),
        (_INF, -_INF, 1.0, 2.0, 3.0, 4.0),
        (_NAN, _INF, 1.0, -_INF, 2.0, 3.0),
    ),
)
_TEXT: Final = _nullable(
    tuple("abcdefgh"),
    lambda random: random.choice("abcdefgh") if random.random() < 0.85 else random.choice(("", "xy", "é", "it's")),
    letters,
    more=(
        ("a", "", "b", "", "", "c"),
        ("", "", ""),
        ("", "ab", None, "c", "", "de"),
    ),
)
_MEASURED: Final = _nullable(
    ((1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (6, "f")),
    lambda random: (random.randint(-9, 9), random.choice("abcdefgh")),
    measured,
    more=(
        ((6, "a"), (5, "b"), (4, "c"), (3, "d"), (2, "e"), (1, "f")),
        ((2, "a"), (1, "b"), (2, "c"), (1, "d"), (2, "e")),
        ((1, "b"), (1, "a"), (1, "c")),
    ),
)

ELEMENTS: Final = MappingProxyType(
    {
        "sql-count": _NUMBERS,
        "sql-sum": _nullable(
            _NUMBERS.letters, small_integer, simpler_number, (_NUMBERS.orders[5], (1, -1, 0, 2, -2), *_WIDE)
        ),
        "sql-float-sum": _FLOATS,
        "sql-min": _NUMBERS,
        "sql-max": _NUMBERS,
        "sql-float-min": _FLOATS,
        "sql-float-max": _FLOATS,
        "nan-least-max": _FLOATS,
        "sql-concatenation": _TEXT,
        "sql-first": _TEXT,
        "sql-last": _TEXT,
        "sql-arg-min": _MEASURED,
        "sql-arg-max": _MEASURED,
    }
)
"""The elements for each aggregate."""
