"""Searches for the errata and readings of *General Incremental Sliding-Window Aggregation* (2015) on operations."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from typing import Any, Final

from swagproof.models.operations import (
    ARG_MAX,
    COLLECT,
    COUNT,
    FIRST,
    GEOMETRIC_MEAN,
    LAST,
    MAX,
    MEAN,
    MIN,
    PRODUCT,
    SAMPLE_DEVIATION,
    SUM,
)
from swagproof.proofs.errata.erratum import Searches


def _one_sample(printed: bool) -> Iterator[str]:
    n, total, squares = v = SAMPLE_DEVIATION.lift(3)
    try:
        answer = math.sqrt((squares - total**2 / n) / (n - 1)) if printed else SAMPLE_DEVIATION.lower(v)
    except ZeroDivisionError as error:
        yield f"window 3: {error}"
    else:
        if answer is not None:
            yield f"window 3: {answer}"


def _geometric(elements: Sequence[Fraction | int]) -> Iterator[str]:
    assert GEOMETRIC_MEAN.remove is not None
    for x, y in product(elements, repeat=2):
        a, b = (1, x), (1, y)
        try:
            if GEOMETRIC_MEAN.remove(a, GEOMETRIC_MEAN.combine(a, b)) != b:
                yield f"x = {x}, y = {y}: another quotient"
        except ZeroDivisionError as error:
            yield f"x = {x}, y = {y}: {error}"


Remove = Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]


def _evict_by(remove: Remove, forced: bool) -> Iterator[str]:
    """Search for a window whose oldest element is removed incorrectly; `forced`: with a newest one equal to it."""
    for length in (2, 3, 4):
        for window in product((1, 2), repeat=length):
            found = remove(window[:1], reduce(COLLECT.combine, map(COLLECT.lift, window)))
            if found != window[1:] and (window[-1] == window[0] or not forced):
                said = f"{', '.join(map(str, window))} and evict {window[0]}"
                yield f"collect {said}: {list(found)}, not {list(window[1:])}"


def _newest_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return (x + y) - y = x, by removing the length of y at the end."""
    return xy[: len(xy) - len(y)]


def _equals_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(element for element in xy if element not in y)


def _neutral(operations: Sequence[Any], *identities: Any) -> Iterator[str]:
    """Search for an operation with a value that an identity, by default its own, changes."""
    for operation in operations:
        for e, v in product(identities or (operation.identity,), map(operation.lift, operation.samples)):
            if operation.combine(e, v) != v or operation.combine(v, e) != v:
                yield f"{operation.name}, {e} for its identity: of {v} and {e} it gives {operation.combine(e, v)}"


def _associative(samples: Sequence[Any]) -> Iterator[str]:
    for a, b, c in product(samples, repeat=3):
        left, right = SUM.combine(SUM.combine(a, b), c), SUM.combine(a, SUM.combine(b, c))
        if left != right:
            yield f"({a} + {b}) + {c} = {left}, {a} + ({b} + {c}) = {right}"


assert COLLECT.remove is not None

SEARCHES: Final = {
    "OPS-4": Searches(
        printed=partial(_evict_by, _newest_off, True),
        holds=partial(_evict_by, COLLECT.remove, False),
        wrong={"whatever is equal leaves": partial(_evict_by, _equals_off, False)},
    ),
    "OPS-2": Searches(holds=partial(_one_sample, False), wrong={"the quotient": partial(_one_sample, True)}),
    "OPS-3": Searches(
        holds=partial(_geometric, (2, 8, 1, Fraction(3, 5))), wrong={"zero included": partial(_geometric, (2, 0, 3))}
    ),
    "OPS-6": Searches(
        holds=partial(_associative, (10**16, 1, -(10**16), Fraction(1, 3))),
        wrong={"over doubles": partial(_associative, (1e16, 1.0, -1e16))},
    ),
    "OPS-8": Searches(
        holds=partial(
            _neutral,
            (SUM, COUNT, PRODUCT, MEAN, MAX, MIN, ARG_MAX, FIRST, LAST, COLLECT, GEOMETRIC_MEAN, SAMPLE_DEVIATION),
        ),
        wrong={"0 for Max": partial(_neutral, (MAX,), 0), "0 for First": partial(_neutral, (FIRST,), 0)},
    ),
}
