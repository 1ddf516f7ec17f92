"""Elements to insert into a window, for each aggregation.

The systematic search inserts sequences (`orders`) that expose bugs: ties, empty strings, huge values among small ones,
a rising or falling run.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, TypeAlias

from swagproof.models.operations import SUM

Element: TypeAlias = Any
"""A stream element.  Domains are looked up by name at run time, so their types are not known to a type checker."""


@dataclass(frozen=True)
class Elements:
    """The stream elements to try."""

    letters: tuple[Element, ...]
    """Distinct elements if the domain allows, the simplest first."""
    draw: Callable[[Random], Element]
    """Draw a random element."""
    simpler: Callable[[Element], Iterable[Element]]
    """The replacements for an element in a smaller counterexample, the simplest first."""
    read: Callable[[str], Element] | None = None
    """The element that a cell of a file stands for.  Raises ValueError."""
    orders: tuple[tuple[Element, ...], ...] = ()
    """Sequences that the systematic search inserts; by default, made from the letters."""
    long: Callable[[int], Element] | None = None
    """Return an element whose text has this many characters, if texts may be of any length."""
    objects: Mapping[Element, Any] | None = None
    """The object that each element stands for, if elements are texts that name objects without a form in traces."""


def _size(x: Any) -> tuple[int, float, bool]:
    return len(repr(x)), abs(x), x < 0


def _bits(x: float) -> int:
    """Return the bits of an integer in two's complement, without the sign; 0 for every float."""
    return 0 if isinstance(x, float) else (x if x >= 0 else ~x).bit_length()


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
    """Yield simpler numbers of the same type that need no more bits, the simplest first.

    >>> list(simpler_number(1234)), list(simpler_number(2.5))
    ([0, 1, 2, -1, 3, 10, 1000, 1200, 1230, 127, 128, -128, -129, 255, 256, -256, -257], [0.0, 1.0, 2.0])
    >>> 2**62 in simpler_number(-(2**63)), 2**63 in simpler_number(-(2**63))  # which a long would not hold
    (True, False)
    """
    if type(x) in (int, float):
        yield from dict.fromkeys(y for y in _rounder(x) if _size(y) < _size(x) and _bits(y) <= _bits(x))


def number(cell: str) -> int | float:
    """Parse a cell as an int if it is written as one, else as a float.  Raises ValueError.

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


def distinct_letters() -> Iterator[str]:
    """Yield letters, then letters with numbers; all distinct, and any concatenation of them can be split uniquely.

    >>> list(itertools.islice(distinct_letters(), 24, 28))
    ['y', 'z', 'a1', 'b1']
    """
    yield from _ALPHABET
    for number in itertools.count(1):
        yield from (f"{letter}{number}" for letter in _ALPHABET)


def letters(x: Any) -> Iterator[Any]:
    """Yield letters, the simplest texts; for a text longer than a word, also its prefixes.

    >>> [len(text) for text in letters("x" * 100)][26:]
    [50, 75, 88, 94, 97, 99]
    """
    if isinstance(x, str) and x not in _ALPHABET:
        yield from _ALPHABET
        if len(x) > _WORD:
            yield from (x[: len(x) - (len(x) >> shift)] for shift in range(1, len(x).bit_length()))


_WORD: Final = 12
"""The length in characters of the longest text that need not be shortened."""


def _long_text(length: int) -> str:
    return ("".join(_ALPHABET) * (1 + length // len(_ALPHABET)))[:length]


TAKEN_FOR_OTHERS: Final = ("0", " ", "none", "\U0001d11e", "null", "nan", "-1", "\t", "False", "\xe9", "e\u0301")
"""Texts that careless code confuses with a number, a missing value, or another number of characters."""


def _text(random: Random) -> str:
    kind = random.random()
    if kind < 0.9:
        return _ALPHABET[int(kind / 0.9 * len(_ALPHABET))]
    if kind < 0.93:
        return ""
    text = "".join(random.choices("abcxyzé01 ,'", k=random.randint(2, 4)))
    taken = int((kind - 0.93) / 0.03 * len(TAKEN_FOR_OTHERS))
    return TAKEN_FOR_OTHERS[taken] if taken < len(TAKEN_FOR_OTHERS) else text


def float_element(random: Random) -> float:
    """Return a random finite float: mostly small, sometimes huge or tiny."""
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
    kind = random.random()
    measure = int(kind / 0.95 * 7) - 3 if kind < 0.95 else random.choice(_EDGES)
    return measure, _ALPHABET[int(random.random() * len(_ALPHABET))]


def measured(x: Any) -> Iterator[Any]:
    """Yield simpler pairs of a measure and a letter."""
    yield from ((measure, x[1]) for measure in simpler_number(x[0]))
    yield from ((x[0], letter) for letter in letters(x[1]))


def small_integer(random: Random) -> int:
    """Return a random integer: mostly of one digit, sometimes of up to seven digits."""
    return _of_size(random.random(), random)


def _of_size(kind: float, random: Random) -> int:
    """Return a random integer of a kind already drawn; a search draws millions, and most need only one draw."""
    if kind < 0.75:
        return int(kind / 0.75 * 11) - 5
    most = 10**6 if kind < 0.9 else 10 ** random.randint(1, 5)
    return random.randint(-most, most)


_SIGNED: Final = tuple(sign * edge for edge in (2**31 - 1, 2**31, 2**53 - 1, 2**53 + 1) for sign in (1, -1))
"""The limits of 32-bit integers and of the integers that floats represent.  A thousand of one sign still have a 64-bit
sum."""

_ENDS: Final = (2**32 - 1, 2**62 + 1, 2**63 - 1, -(2**63), 1 - 2**63)
"""The limits of 64-bit integers, and numbers near them."""

_EDGES: Final = (*_SIGNED, *_ENDS)
"""All of these limits."""


_NARROW: Final = tuple(sign * edge for bits in (7, 8, 15, 16) for edge in (2**bits - 1, 2**bits) for sign in (1, -1))
"""The limits of 8-bit and 16-bit integers."""

TAKEN_FOR_NONE: Final = (99, -99, 999, -999, 9999, -9999, 99999, -99999, 999999, -999999, 10**9, -(10**9))
"""Numbers that careless code uses as sentinels for a missing or infinite value."""

_TELLING: Final = _NARROW + TAKEN_FOR_NONE


def _to_add(random: Random) -> int:
    """Return a random integer; one in fifty is at a wide limit, and sometimes at a limit of 64-bit integers."""
    kind = random.random()
    if kind < 0.02:
        return random.choice(_ENDS if kind < 0.003 else _SIGNED)
    return random.choice(_TELLING) if kind < 0.07 else _of_size((kind - 0.07) / 0.93, random)


def _to_compare(random: Random) -> int:
    """Return a random integer; equal numbers are frequent, and so are numbers that differ only in their last bits."""
    kind = random.random()
    if kind < 0.17:
        return random.choice(_EDGES if kind < 0.1 else _TELLING)
    return _of_size((kind - 0.17) / 0.83, random)


_TEXT: Final = Elements(
    _ALPHABET,
    _text,
    letters,
    read=str,
    orders=(_ALPHABET, ("a", "", "b", "", "", "c"), ("", "ab", *TAKEN_FOR_OTHERS)),
    long=_long_text,
)
_NOTHING: Final = "none"
"""A program's answer if there is no first or last element."""


def _some_text(random: Random) -> str:
    text = _text(random)
    return text if text != _NOTHING else _some_text(random)


_SOME_TEXT: Final = replace(
    _TEXT, draw=_some_text, orders=tuple(tuple(x for x in order if x != _NOTHING) for order in _TEXT.orders)
)
_POWERS: Final = Elements(
    tuple(2**i for i in range(30)),
    _to_add,
    simpler_number,
    read=_integer,
    orders=(
        tuple(2**i for i in range(30)),
        (1, -1, 0, 2),
        (2**31 - 1, 1, 2**53, -(2**31), 1, -(2**53), -1),
        (2**63 - 1, 1, -(2**63), 0, 2**62, 2**62),
    ),
)
_SUMMED: Final = Elements(
    SUM.samples,
    lambda random: random.choice(SUM.samples) if random.random() < 0.2 else _to_add(random),
    simpler_number,
    orders=(SUM.samples, *_POWERS.orders[2:]),
)
"""Elements for means and deviations; they include fractions."""

_NUMBERS: Final = Elements(
    tuple(range(1, 13)),
    _to_compare,
    simpler_number,
    read=number,
    orders=(
        tuple(range(1, 13)),
        tuple(range(12, 0, -1)),
        (1,),
        (2, 1, 3, 3, 2),
        (-1, -2, 0, -3),
        (2**53, 2**53 + 1, 2**31, -(2**53) - 1, -(2**53), 2**63 - 1, -(2**63)),
        tuple(2**i for i in range(12)),  # prefixes of sums: for answers that depend on the elements alone
    ),
)
_DISTINCT: Final = Elements(
    tuple(range(1, 13)), small_integer, lambda x: range(1, 13) if x not in range(1, 13) else (), read=number
)
_WIDE: Final = Elements(
    (2**63 - 1, 1, -(2**63), 2**31, 2**53),
    lambda random: (
        random.choice((1, -1)) * random.getrandbits(random.choice((8, 31, 32, 53, 62, 63)))
        if random.random() < 0.8
        else random.choice((0, *_EDGES))
    ),
    simpler_number,
    read=_integer,
    orders=((2**63 - 1, 1, 1), (-(2**63), -1, -1), (2**53, 1, 1), (2**31 - 1, 1, 1)),
)
_FLOATS: Final = Elements(
    (1e16, 1.0, 1.0),
    float_element,
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
    measured,
    long=lambda length: (1, _long_text(length)),
)
_MAPS: Final = Elements(
    ((2, 1), (3, 5), (1, 1), (5, 0)),
    lambda random: (1 + int(random.random() * 999), int(random.random() * 1000)),
    lambda x: ((slope, x[1]) for slope in (1, 2) if slope < x[0]),
)

ELEMENTS: Final[dict[str, Elements]] = {
    "wide-sum": _WIDE,
    "float-sum": _FLOATS,
    "concatenation": _TEXT,
    "first": _SOME_TEXT,
    "last": _SOME_TEXT,
    "collect": _DISTINCT,
    "mutable-collect": _DISTINCT,
    "count": _NUMBERS,
    "sum": _POWERS,
    "mean": _SUMMED,
    "sample-standard-deviation": _SUMMED,
    "population-standard-deviation": _SUMMED,
    "min": _NUMBERS,
    "max": _NUMBERS,
    "min-count": _NUMBERS,
    "max-count": _NUMBERS,
    "median": _NUMBERS,
    "distinct-count": _NUMBERS,
    "top-": _NUMBERS,
    "arg-min": _MEASURED,
    "arg-max": _MEASURED,
    "affine": _MAPS,
}
"""The elements of each monoid that has its own, by the name that `--monoid` takes."""


def of_samples(samples: Sequence[Element]) -> Elements:
    """Return elements from samples of an unknown set; a smaller counterexample uses earlier samples."""

    def simpler(x: Element) -> Iterator[Element]:
        for sample in samples:
            if type(sample) is type(x) and sample == x:
                return
            yield sample

    return Elements(tuple(samples), lambda random: samples[int(random.random() * len(samples))], simpler)
