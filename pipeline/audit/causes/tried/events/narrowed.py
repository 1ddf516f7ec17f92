"""Values that went through a double on their way: cut to whole cents after a product that is a little less than it
should be, or ids that are so large that several are one double.

19.99 times 100 is 1998.9999999999998 in doubles, of which `int` leaves 1998.  Beyond 2^53 not every whole number is a
double, nor beyond 2^24 a float of 32 bits; and a spreadsheet keeps 15 digits.  Of "1,250" a reader that stops at the
comma has 1.  Other values are what they were, so what these are is known to the last one of them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import floor, isfinite
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample
from swagproof.pipeline.audit.causes.tried.answers import single

_UNITS: Final = (100, 10, 1000, 10_000)
"""How many minor units there are of one, the likelier first."""
_PRODUCTS: Final[Mapping[str, Callable[[float, int], float]]] = {
    "times {:,}": lambda v, unit: v * unit,
    "divided by {:,}": lambda v, unit: v / (1 / unit),
}
_CUTS: Final[Mapping[str, Callable[[float], int]]] = {"cuts off the fraction": int, "rounds down": floor}
_SCALED: Final = ("sum", "mean", "min", "max", "median", "first", "last")
"""Aggregates that are as many times as great where all values are."""
_GROUPED: Final = 1000
"""From where on numbers are written in groups."""
_DIGITS: Final = 15
"""How many digits a spreadsheet keeps."""


def list_narrowed(sample: Sample) -> Iterator[Hypothesis]:
    """Values cut after a product in doubles, and whole numbers in floats."""
    if len(sample.kinds) != 1:
        return
    values = {e.value for events in sample.events.values() for e in events if e.value is not None}
    if sample.kinds[0] in ("float", "decimal"):
        yield from _list_products(sample, values)
    if sample.kinds[0] in ("int", "text") and values and all(map(_is_whole, values)):
        yield from _list_floats(sample, values)
    if sample.kinds[0] in ("int", "float", "decimal") and any(isfinite(v) and abs(v) >= _GROUPED for v in values):
        for said, which in (("first", 0), ("last", -1)):
            why = f"takes of values of 1,000 or more, which are written with commas, the {said} group of digits"
            yield Hypothesis("truncated", why, events=partial(_change_values, sample, partial(_take_group, which)))


def _take_group(which: int, v: Any) -> Any:
    """One of the groups of three digits that a number is written in."""
    if not isfinite(v) or abs(v) < _GROUPED:
        return v
    first, *rest = f"{int(abs(v)):,}".split(",")
    made = int((first, *rest)[which]) + (abs(v) - int(abs(v)) if which else 0)
    return -made if v < 0 else made


def _list_products(sample: Sample, values: Collection[Any]) -> Iterator[Hypothesis]:
    for unit in _UNITS:
        for said, multiply in _PRODUCTS.items():
            for how, cut in _CUTS.items():
                change = partial(_cut_product, unit, multiply, cut)
                finite = [v for v in values if isfinite(v)]
                shorter = [v for v in finite if _show(change(v)) != _show(v)]
                plain = all(change(v) == _cut_exactly(unit, cut, v) for v in finite)
                if plain or not shorter or (cut is floor and min(finite) >= 0):
                    continue
                such = min(shorter, key=lambda v: (len(_show(v)), abs(v), v))
                scaled = said.format(unit if said.startswith("times") else 1 / unit)
                example = f"{_show(such)} becomes {_show(change(such))}"
                why = f"takes values {scaled} in doubles and {how}, so that {example}"
                yield Hypothesis("truncated", why, events=partial(_change_values, sample, change))
                if sample.aggregation.name in _SCALED:
                    minor = partial(_scale, unit, change)
                    why = f"{why}, and leaves them {unit:,} times"
                    yield Hypothesis("truncated", why, events=partial(_change_values, sample, minor), bits=2.0)


def _scale(unit: int, change: Callable[[Any], Any], v: Any) -> Any:
    made = change(v) * unit
    return float(round(made)) if isinstance(v, float) else made


def _show(v: Any) -> str:
    return f"{float(v):.15g}"


def _cut_product(unit: int, multiply: Callable[[float, int], float], cut: Callable[[float], int], v: Any) -> Any:
    if not isfinite(v):
        return v
    whole = cut(multiply(float(v), unit))
    return whole / unit if isinstance(v, float) else Fraction(whole, unit)


def _cut_exactly(unit: int, cut: Callable[[float], int], v: Any) -> Any:
    whole = int(Fraction(v) * unit) if cut is int else floor(Fraction(v) * unit)
    return whole / unit if isinstance(v, float) else Fraction(whole, unit)


def _is_whole(v: Any) -> bool:
    return type(v) is int or (isinstance(v, str) and v.isascii() and v.removeprefix("-").isdigit())


def _list_floats(sample: Sample, values: Collection[Any]) -> Iterator[Hypothesis]:
    """Whole numbers, as they are or in text, that are of so many bits, or digits."""
    for cause, why, narrow in (
        ("double precision", "takes whole numbers as doubles, which beyond 2^53 are not all of them", _to_double),
        ("single precision", "takes whole numbers as floats of 32 bits, which beyond 2^24 are not all", _to_single),
        ("truncated", f"takes the first {_DIGITS} digits of whole numbers, and the rest for zeros", _to_digits),
    ):
        change = partial(_narrow, narrow)
        if any(change(v) != v for v in values):
            yield Hypothesis(cause, why, events=partial(_change_values, sample, change))


def _narrow(narrow: Callable[[int], int], v: Any) -> Any:
    return str(narrow(int(v))) if isinstance(v, str) else narrow(v)


def _to_double(v: int) -> int:
    return int(float(v))


def _to_single(v: int) -> int:
    return int(single(float(v)))


def _to_digits(v: int) -> int:
    unit: int = 10 ** max(0, len(str(abs(v))) - _DIGITS)
    return int(Fraction(v, unit)) * unit


def _change_values(sample: Sample, change: Callable[[Any], Any], all_: Events) -> Events:
    def one(e: Event) -> Event:
        return e if e.value is None else sample.lift(e, change(e.value))

    return {key: [one(e) for e in events] for key, events in all_.items()}
