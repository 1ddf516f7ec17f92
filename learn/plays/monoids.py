"""The monoids for playing algorithms, with the allowed and the default elements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from string import ascii_lowercase
from typing import Any, Final

from swagproof.models.operations import CONCATENATION, MAX, SUM, Operation
from swagproof.oracle.trace import InputError

MONOIDS: Final[dict[str, Operation[Any, Any, Any]]] = {
    "letters": replace(CONCATENATION, remove=lambda a, ab: ab[len(a) :]),
    "sum": SUM,
    "max": MAX,
}
"""Letters show the order, and their oldest can be subtracted; sums hide the order; most elements cannot become the
maximum any more."""

_FITTING: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "letters": ((str,), "a text"),
    "sum": ((int,), "a whole number: decimals round, and what they add up to depends on the order of adding"),
    "max": ((int, float), "a number"),
}
"""The types and a description of each monoid's elements; others are outside the monoid."""


def check_elements(elements: Sequence[Any], monoid: str) -> None:
    """Check that these elements belong to the monoid.  Raises InputError."""
    types, what = _FITTING[monoid]
    for value in elements:
        if isinstance(value, bool) or not isinstance(value, types) or value != value:
            raise InputError(f"{value!r} is not an element of {monoid}; it must be {what}")


def elements_of(monoid: str) -> Iterator[Any]:
    """Return the default elements: letters in order, or the digits of pi."""
    return cycle(ascii_lowercase) if monoid == "letters" else cycle(map(int, "31415926535897932384626433832795"))
