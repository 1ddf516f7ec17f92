"""What is said of the text of *General Incremental Sliding-Window Aggregation* (2015), section 3: operations."""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from typing import Any, Final

from swagproof.models.operations import COLLECT, GEOMETRIC_MEAN, SAMPLE_DEVIATION, STANDARD_DEVIATION, SUM
from swagproof.proofs.errata.erratum import Damage, Entry, Erratum, Form, Reading, Withdrawn
from swagproof.proofs.ledger.claim import GENERAL
from swagproof.reference.catalogue import SUBTRACT_ON_EVICT


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
    """Collect some elements, then let the oldest leave by subtraction; `forced`: where the newest is equal to it."""
    for length in (2, 3, 4):
        for window in product((1, 2), repeat=length):
            found = remove(window[:1], reduce(COLLECT.combine, map(COLLECT.lift, window)))
            if found != window[1:] and (window[-1] == window[0] or not forced):
                said = f"{', '.join(map(str, window))} and evict {window[0]}"
                yield f"collect {said}: {list(found)}, not {list(window[1:])}"


def _newest_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    """(x + y) - y = x: as much off the end as y is long."""
    return xy[: len(xy) - len(y)]


def _equals_off(y: tuple[Any, ...], xy: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(element for element in xy if element not in y)


def _associative(samples: Sequence[Any]) -> Iterator[str]:
    for a, b, c in product(samples, repeat=3):
        left, right = SUM.combine(SUM.combine(a, b), c), SUM.combine(a, SUM.combine(b, c))
        if left != right:
            yield f"({a} + {b}) + {c} = {left}, {a} + ({b} + {c}) = {right}"


erratum: Final = partial(Erratum, paper=GENERAL)
reading: Final = partial(Reading, paper=GENERAL)
damage: Final = partial(Damage, paper=GENERAL)
withdrawn: Final = partial(Withdrawn, paper=GENERAL)

assert COLLECT.remove is not None

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="OPS-4",
        place="section 3.2, invertible",
        quotes=(
            r"such that $(x \oplus y) \ominus y = x$ holds for all partial aggregation results x, y",
            "Invertibility enables handling deletions as inverse insertions.",
        ),
        printed="An operation is invertible when (x ⊕ y) ⊖ y = x, which handles deletions.",
        holds="It handles those of the newest. A window lets the oldest go, which needs x and x ⊕ y to give y. Of "
        "Table 2 Collect alone shows the difference, as the other invertible ones commute. Section 1 counts neither "
        "First nor Last as invertible: by the equation First is, by that for the oldest Last, and neither is by both.",
        searches=(partial(_evict_by, _newest_off, True), partial(_evict_by, COLLECT.remove, False)),
        wrong={"whatever is equal leaves": partial(_evict_by, _equals_off, False)},
        forms=(
            Form(
                SUBTRACT_ON_EVICT,
                None,
                (("insert", "a"), ("insert", "b"), ("insert", "a"), ("evict",), ("query",)),
                "the oldest a is taken off the front, and ba is left; (x ⊕ y) ⊖ y = x takes the newest, and leaves ab",
            ),
        ),
    ),
    reading(
        id="OPS-2",
        place="Table 1, SampleStdDev",
        quotes=(r"$\sqrt{\frac{1}{n-1}(sq-\Sigma^2/n)}$",),
        gap="What lower gives of one element, where n - 1 is 0.",
        taken="Nothing: one element has no sample deviation.",
        otherwise="The division fails.",
        search=partial(_one_sample, False),
        others={"the quotient": partial(_one_sample, True)},
    ),
    reading(
        id="OPS-3",
        place="Table 2, GeometricMean",
        quotes=(r"GeometricMean \checkmark \checkmark \checkmark",),
        gap="Over which numbers it is invertible.",
        taken="Over positive ones, of which alone there is a geometric mean at any rate.",
        otherwise="A zero cannot be taken out of a product.",
        search=partial(_geometric, (2, 8, 1, Fraction(3, 5))),
        others={"zero included": partial(_geometric, (2, 0, 3))},
    ),
    reading(
        id="OPS-6",
        place="Table 2, Sum and all that is made of sums",
        quotes=("All the common aggregations are associative",),
        gap="Whether the properties are those of numbers, or of the floats of Figure 1 and Table 3.",
        taken="Those of numbers, as is usual: over integers and fractions they hold.",
        otherwise="Floats round (row table-2/doubles-round).",
        search=partial(_associative, (10**16, 1, -(10**16), Fraction(1, 3))),
        others={"over doubles": partial(_associative, (1e16, 1.0, -1e16))},
    ),
    damage(
        id="OPS-1",
        place="Table 1, PopulationStdDev",
        quotes=(r"$\sqrt{\frac{1}{n}}(\operatorname{sq}-\Sigma^2/n)$",),
        gap="How far the root goes, supplied as over 1/n alone; in the row of SampleStdDev it goes over the whole.",
        taken="Over the whole, (sq - sum^2 / n) / n.",
        otherwise="It would be no deviation.",
        search=partial(_root_over_all, False),
        others={"over 1/n alone": partial(_root_over_all, True)},
    ),
    withdrawn(
        id="OPS-5",
        place="Tables 1 and 2, Max and Min",
        accused="Max, a > b ? a : b, commutes up to equality only: it keeps the newer of equals, such as 0.0 and -0.0.",
        reason="To commute is to give equal results, and those are equal. Which of equals is kept matters to ArgMax, "
        "of which the table says so.",
    ),
    withdrawn(
        id="OPS-7",
        place="Table 2, Sum, against section 1",
        accused="Sum is said to be commutative for every type T: over strings it is concatenation, and is not.",
        reason="Section 1 says so itself, of Sum<String>; Table 2 is about numbers.",
    ),
)
