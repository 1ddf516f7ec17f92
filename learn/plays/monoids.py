"""The monoids that algorithms are played over, with the elements that fit them and the default elements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import Any, Final

from swagproof.learn.products import SEGMENTS
from swagproof.models.operations import CONCATENATION, MAX, SUM, Operation
from swagproof.oracle.trace import InputError

LETTERS: Final[Operation[Any, Any, Any]] = replace(CONCATENATION, remove=lambda a, ab: ab[len(a) :])
"""Concatenation, of which the oldest letters can be taken away again, for what subtracts."""

LATEST: Final[Operation[Any, Any, Any]] = Operation(
    "the newest maximum",
    lift=str,
    combine=lambda a, b: b if b[:1] >= a[:1] else a,
    lower=lambda value: value,
    identity="",
    commutative=False,
    samples=(),
)
"""The text whose first character is greatest, of equals the newest: a choice in which order shows."""

MONOIDS: Final[dict[str, Operation[Any, Any, Any]]] = {
    "letters": LETTERS,
    "sum": SUM,
    "max": MAX,
    "newest max": LATEST,
    "segments": SEGMENTS,
}
"""Letters show the order; sums hide it; most elements cannot be the maximum any more; segments join neighbours only."""


FITTING: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "letters": ((str,), "a text"),
    "sum": ((int,), "a whole number: decimals round, and what they add up to depends on the order of adding"),
    "max": ((int, float), "a number"),
    "newest max": ((str, int), "a text"),
    "segments": ((int,), "a whole number"),
}
"""The types and a description of each monoid's elements: an algorithm is right for a monoid, and for nothing else."""


def check_elements(elements: Sequence[Any], monoid: str, samples: Sequence[Any] = ()) -> None:
    """Check that these elements, in the order of their inserts, belong to the monoid.  Raises InputError."""
    types, what = FITTING.get(monoid, ((), ""))
    if samples:
        types = tuple({type(each) for each in samples})
        types = (*types, int, float) if {int, float} & {*types} else types
        what = f"of the kind of its samples, {', '.join(repr(each) for each in samples[:3])}"
    for value in elements:
        if isinstance(value, bool) or not isinstance(value, types) or value != value:
            raise InputError(f"{value!r} is no element over {monoid}: it must be {what}")
    if monoid == "segments":
        for value, after in pairwise(elements):
            if after != value + 1:
                raise InputError(f"{after} after {value}: segments join neighbours alone, so give {value + 1}")


def elements_of(monoid: str, samples: Sequence[Any] = ()) -> Iterator[Any]:
    """Return the default elements: letters in their order, samples in turn, else the digits of pi."""
    if samples:
        return (samples[number % len(samples)] for number in count())
    if monoid == "segments":
        return count()
    if monoid == "letters":
        return ("abcdefghijklmnopqrstuvwxyz"[number % 26] for number in count())
    digits = (int("31415926535897932384626433832795"[number % 32]) for number in count())
    if monoid == "newest max":
        return (f"{digit}{letter}" for digit, letter in zip(digits, elements_of("letters"), strict=False))
    return digits
