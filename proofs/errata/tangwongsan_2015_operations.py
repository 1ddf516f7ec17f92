"""The errata of *General Incremental Sliding-Window Aggregation* (2015), section 3: aggregation operations."""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Final

from swagproof.models.operations import COLLECT, GEOMETRIC_MEAN, MAX, SAMPLE_DEVIATION, STANDARD_DEVIATION, SUM
from swagproof.proofs.errata.erratum import Entry, Erratum, against
from swagproof.proofs.ledger.claim import GENERAL


def _root_over_all(printed: bool) -> Iterator[str]:
    samples = (2, 4, 4, 4, 5, 5, 7, 9)
    n, total, squares = len(samples), sum(samples), sum(e * e for e in samples)
    v = (n, total, squares)
    found = math.sqrt(1 / n) * (squares - total**2 / n) if printed else STANDARD_DEVIATION.lower(v)
    expected = statistics.pstdev(samples)
    if found != expected:
        yield f"{samples}: {found:g}, not {expected:g}"


def _one_sample(printed: bool) -> Iterator[str]:
    n, total, squares = v = SAMPLE_DEVIATION.lift(3)
    try:
        answer = math.sqrt((squares - total**2 / n) / (n - 1)) if printed else SAMPLE_DEVIATION.lower(v)
    except ZeroDivisionError as error:
        yield f"window 3: {error}"
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


def _evict_by(remove: Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]) -> Iterator[str]:
    """Collect 1, 2, then let the oldest leave by subtraction."""
    found = remove((1,), COLLECT.combine((1,), (2,)))
    if found != (2,):
        yield f"collect 1, 2 and evict 1: {list(found)}, not [2]"


def _newest_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    """(x + y) - y = x: as much off the end as y is long."""
    return xy[: len(xy) - len(y)]


def _sign(x: float) -> float:
    return math.copysign(1, x)


def _ties(combine: Callable[[Any, Any], Any], shown: Callable[[Any], Any]) -> Iterator[str]:
    """Over one type, that of floats, where 0.0 = -0.0 and 1/x tells them apart."""
    a, b = 0.0, -0.0
    x, y = combine(a, b), combine(b, a)
    if shown(x) != shown(y):
        yield f"max(0.0, -0.0) = {x}, max(-0.0, 0.0) = {y}"


def _associative(samples: Sequence[Any]) -> Iterator[str]:
    for a, b, c in product(samples, repeat=3):
        left, right = SUM.combine(SUM.combine(a, b), c), SUM.combine(a, SUM.combine(b, c))
        if left != right:
            yield f"({a} + {b}) + {c} = {left}, {a} + ({b} + {c}) = {right}"


def _commutative(samples: Sequence[Any]) -> Iterator[str]:
    for a, b in product(samples, repeat=2):
        if a + b != b + a:
            yield f"{a!r} + {b!r} = {a + b!r}, {b!r} + {a!r} = {b + a!r}"


erratum: Final = partial(Erratum, paper=GENERAL)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="OPS-1",
        place="Table 1, PopulationStdDev, as supplied",
        printed="The root is taken of 1/n alone.",
        holds="It is taken of the whole, (sq - sum^2 / n) / n.",
        searches=against(_root_over_all, True, False),
    ),
    erratum(
        id="OPS-2",
        place="Table 1, SampleStdDev",
        printed="lower divides by n - 1.",
        holds="Below two elements there is no sample deviation.",
        searches=against(_one_sample, True, False),
    ),
    erratum(
        id="OPS-3",
        place="Table 2, GeometricMean",
        printed="It is invertible, over numbers.",
        holds="It is over numbers other than zero, and so over positive ones.",
        searches=against(_geometric, (2, 0, 3), (2, 8, 1, Fraction(3, 5))),
    ),
    erratum(
        id="OPS-4",
        place="section 3.2, invertible",
        printed="An operation is invertible when (x ⊕ y) ⊖ y = x, which handles evictions.",
        holds="An eviction takes off the oldest: it needs x and x ⊕ y to give y.  Of Table 2 Collect alone shows the "
        "difference, as the other invertible ones commute.",
        searches=against(_evict_by, _newest_off, COLLECT.remove),
    ),
    erratum(
        id="OPS-5",
        place="Tables 1 and 2, Max and Min",
        printed="Max is a > b ? a : b, and commutative.",
        holds="It keeps the newer of equals (ArgMax the first), and commutes up to equality only.",
        searches=(partial(_ties, lambda a, b: a if a > b else b, _sign), partial(_ties, MAX.combine, abs)),
    ),
    erratum(
        id="OPS-6",
        place="Table 2, Sum and all that is made of sums",
        printed="They are associative, over floats as in Figure 1 and Table 3 as well.",
        holds="They are over integers and fractions.",
        searches=against(_associative, (1e16, 1.0, -1e16), (10**16, 1, -(10**16), Fraction(1, 3))),
    ),
    erratum(
        id="OPS-7",
        place="Table 2, Sum, against section 1",
        printed="Sum is commutative, for every type T.",
        holds="Over strings it is concatenation, and is not, as section 1 says; over numbers it is.",
        searches=against(_commutative, ("a", "b"), (3, 1, -4, Fraction(1, 3))),
    ),
)
