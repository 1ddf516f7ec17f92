"""Claims about Tables 1 and 2 of the 2015 paper: each tick, each blank, and each answer.

A tick is proved by running the operation's own combine on unknown integers, rationals and IEEE floats
(`swagproof.proofs.operations.unknowns`).  A blank is confirmed by a counterexample, in plain Python.  Some ticks hold
for exact numbers and fail for floats.
"""

import itertools
import math
import operator
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any, Final, TypeAlias

from swagproof.models.operations import (
    ARG_MAX,
    ARG_MIN,
    COLLECT,
    COUNT,
    GEOMETRIC_MEAN,
    MAX,
    MAX_COUNT,
    MEAN,
    MIN,
    MIN_COUNT,
    SAMPLE_DEVIATION,
    STANDARD_DEVIATION,
    SUM,
)
from swagproof.proofs.ledger.claim import GENERAL, Claim, Control, Outcome, cite
from swagproof.proofs.operations.unknowns import (
    AnyOperation,
    Domain,
    LawRow,
    associative,
    commutative,
    proved,
    refuted,
)

TABLE_2: Final[tuple[LawRow, ...]] = (
    LawRow("Count", COUNT, ("n",), True, True),
    LawRow("Sum", SUM, ("T",), True, True),
    LawRow("Max", MAX, ("T", None), False, True),
    LawRow("Min", MIN, ("T", None), False, True),
    LawRow("ArithmeticMean", MEAN, (("n", "T"),), True, True),
    LawRow("GeometricMean", GEOMETRIC_MEAN, (("n", "T"),), True, True),
    LawRow("MaxCount", MAX_COUNT, (("T", "n"), (None, 0)), False, True),
    LawRow("MinCount", MIN_COUNT, (("T", "n"), (None, 0)), False, True),
    LawRow("SampleStdDev", SAMPLE_DEVIATION, (("n", "T", "T"),), True, True),
    LawRow("PopulationStdDev", STANDARD_DEVIATION, (("n", "T", "T"),), True, True),
    LawRow("ArgMax", ARG_MAX, (("T", "a"), None), False, False),
    LawRow("ArgMin", ARG_MIN, (("T", "a"), None), False, False),
    LawRow("Collect", COLLECT, ("word",), True, False),
)
"""The ticks as printed; all rows are ticked as associative."""


# Witnesses

Witness: TypeAlias = Callable[[AnyOperation, Sequence[Any]], str | None]


def aggregates(operation: AnyOperation) -> list[Any]:
    """Return the partial aggregates of one or two of a few elements."""
    elements: Iterable[Any] = (1, 2, 3)
    if operation in (ARG_MAX, ARG_MIN):
        elements = itertools.product((1, 2), "ab")
    lifted = [operation.lift(e) for e in elements]
    return [*lifted, *(operation.combine(a, b) for a, b in itertools.product(lifted, repeat=2))]


def does_not_commute(operation: AnyOperation, values: Sequence[Any]) -> str | None:
    """Return two partial aggregates whose order matters, if any."""
    for x, y in itertools.product(values, repeat=2):
        xy, yx = operation.combine(x, y), operation.combine(y, x)
        if xy != yx:
            return f"{x} (+) {y} = {xy}, {y} (+) {x} = {yx}"
    return None


def does_not_invert(operation: AnyOperation, values: Sequence[Any]) -> str | None:
    """Return two aggregates that y makes equal, on its left (section 3.2), and two on its right (evict)."""
    newest = oldest = ""
    for x, other, y in itertools.product(values, repeat=3):
        if x != other and not newest and operation.combine(x, y) == operation.combine(other, y):
            newest = f"{x} (+) {y} = {other} (+) {y}"
        if x != other and not oldest and operation.combine(y, x) == operation.combine(y, other):
            oldest = f"{y} (+) {x} = {y} (+) {other}"
        if newest and oldest:
            return f"{newest}, {oldest}"
    return None


def witnessed(witness: Witness, operations: Sequence[AnyOperation], among: Sequence[Any] = ()) -> Outcome:
    """Return the outcome of finding a witness for each of the operations, among these or their partial aggregates."""
    found: list[str] = []
    for operation in operations:
        said = witness(operation, among or aggregates(operation))
        if said is None:
            return Outcome("fails", f"{operation.name}: no witness is found")
        found.append(f"{operation.name}: {said}")
    return Outcome("holds", "; ".join(found), means="witness")


def inverts_elsewhere(geometric: AnyOperation = GEOMETRIC_MEAN, collect: AnyOperation = COLLECT) -> Outcome:
    """Check the two ticks whose remove does not run on unknowns: for quotients of products, and for lists."""
    assert geometric.remove is not None
    assert collect.remove is not None
    numbers = sorted({Fraction(p, q) for p in range(1, 7) for q in range(1, 7)})
    means = [(n, number) for n in (1, 2) for number in numbers]
    lists = [word for length in range(4) for word in itertools.product((0, 1), repeat=length)]
    for operation, values in ((geometric, means), (collect, lists)):
        for x, y in itertools.product(values, repeat=2):
            both = operation.combine(x, y)
            if operation.remove(x, both) != y:  # type: ignore[misc]  # both have it
                return Outcome("fails", f"{operation.name}: {both} without {x} is not {y}")
            newest = both[: len(both) - len(y)] if operation is collect else operation.remove(y, both)  # type: ignore[misc]  # both have it
            if newest != x:
                return Outcome("fails", f"{operation.name}: {both} without {y} at the end is not {x}")
    return Outcome("holds", f"{len(means) ** 2:,} pairs of products, {len(lists) ** 2} pairs of lists")


ADDING: Final = (SUM, MEAN, GEOMETRIC_MEAN, SAMPLE_DEVIATION, STANDARD_DEVIATION)
"""Operations that add or multiply elements."""
ROUNDED: Final = ((0.1, 0.2, 0.3), (0.1, 0.7, 0.3), (1e16, 1.0, 1.0))


def rounds(operation: AnyOperation, triples: Sequence[tuple[Any, ...]]) -> str | None:
    """Return three doubles that show two facts: the grouping matters, and removal leaves an error."""
    assert operation.remove is not None
    groups = rests = ""
    for triple in triples:
        a, b, c = map(operation.lift, triple)
        left, right = operation.combine(operation.combine(a, b), c), operation.combine(a, operation.combine(b, c))
        if left != right and not groups:
            groups = f"{triple} grouped to the left {left}, to the right {right}"
        rest = operation.remove(a, operation.combine(a, b))
        if rest != b and not rests:
            rests = f"{a} removed from {a} (+) {b} leaves {rest}"
    return f"{groups}; {rests}" if groups and rests else None


# Table 1

Textbook: TypeAlias = Callable[[Sequence[Any]], Any]


def _arg(best: Callable[..., Any], window: Sequence[Any]) -> Any:
    """Return the argument of the first of the best measures, as Python's min and max do."""
    return best(window, key=operator.itemgetter(0))[1]


TEXTBOOK: Final[dict[str, Textbook]] = {
    "count": len,
    "sum": sum,
    "max": max,
    "min": min,
    "mean": lambda window: Fraction(sum(window), len(window)),
    "geometric-mean": lambda window: math.prod(window) ** (1 / len(window)),
    "max-count": lambda window: list(window).count(max(window)),
    "min-count": lambda window: list(window).count(min(window)),
    "sample-standard-deviation": lambda window: statistics.stdev(window) if len(window) > 1 else None,
    "population-standard-deviation": statistics.pstdev,
    "arg-max": partial(_arg, max),
    "arg-min": partial(_arg, min),
    "collect": tuple,
}
"""The answer of each operation, defined without lift, combine and lower."""

LONGEST: Final = 5


def agree(*operations: AnyOperation) -> Outcome:
    """Compare operations with the textbook's definitions, over all short windows."""
    compared = 0
    for operation in operations:
        elements: Sequence[Any] = (-2, 0, 1, 3)
        if operation.name == "geometric-mean":
            elements = (1, 2, 5)
        elif operation.name.startswith("arg"):
            elements = ((1, "a"), (2, "b"), (2, "c"), (1, "d"))
        for length in range(1, LONGEST + 1):
            for window in itertools.product(elements, repeat=length):
                compared += 1
                answer = operation.lower(reduce(operation.combine, map(operation.lift, window)))
                right = TEXTBOOK[operation.name](window)
                close = isinstance(right, float) and math.isclose(answer, right, rel_tol=1e-12, abs_tol=1e-12)
                if answer != right and not close:
                    return Outcome("fails", f"{operation.name} of {window} is {answer}, not {right}")
    return Outcome("holds", f"{len(operations)} operations, {compared:,} windows", {"windows": compared})


# Mutants


def changed(operation: AnyOperation, **parts: Any) -> AnyOperation:
    """Return the operation with other parts, of any types."""
    return replace(operation, **parts)


AVERAGE: Final = changed(MEAN, name="average of averages", combine=lambda a, b: (a[0] + b[0], a[1] + b[1] * a[0]))
DIFFERENCE: Final = changed(SUM, name="difference", combine=lambda a, b: a - b)
SUBTRACTS_ARGUMENTS: Final = changed(
    ARG_MAX,
    name="arg-max that subtracts the arguments of equals",
    combine=lambda a, b: a if a[0] > b[0] else b if b[0] > a[0] else (a[0], a[1] - b[1]),
)
FORGETS_TIES: Final = changed(MAX_COUNT, combine=lambda a, b: a if a[0] >= b[0] else b)
LATEST: Final = changed(ARG_MAX, combine=lambda a, b: a if a[0] > b[0] else b)
ROOT_OF_THE_FACTOR: Final = changed(
    STANDARD_DEVIATION, lower=lambda v: math.sqrt(Fraction(1, v[0])) * (v[2] - Fraction(v[1] ** 2, v[0]))
)
WHOLE_SAMPLE: Final = changed(SAMPLE_DEVIATION, lower=STANDARD_DEVIATION.lower)
KEEPS_A_FACTOR: Final = changed(GEOMETRIC_MEAN, remove=lambda a, ab: (ab[0] - a[0], ab[1]))


DOUBLES: Final[tuple[Domain, ...]] = ("doubles",)
HALVES: Final[tuple[Domain, ...]] = ("half floats",)
COMPARE: Final = [row for row in TABLE_2 if row.operation not in (*ADDING, COUNT, COLLECT)]


TICKS: Final = cite(GENERAL, "Table 2", compared="a part: one column, over the numbers in the scope")

claim: Final = partial(
    Claim,
    algorithm="tables",
    kind="proved",
    engine="symbolic execution, Z3",
    code="models.operations: combine, remove, lower",
)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="table-1/answers",
        statement="Each row of Table 1 answers as the textbook does, read as OPS-1 and OPS-2 say.",
        source=cite(GENERAL, "Table 1", compared="corrected: where its errata are mended"),
        kind="exhaustive",
        engine="run",
        scope=f"windows of 1 to {LONGEST} of four elements with ties, of three for the geometric mean",
        check=partial(agree, *(row.operation for row in TABLE_2)),
        controls=[
            Control("max-count forgets ties", partial(agree, FORGETS_TIES)),
            Control("arg-max keeps the latest of equals", partial(agree, LATEST)),
            Control("population deviation: the root of 1/n alone", partial(agree, ROOT_OF_THE_FACTOR)),
            Control("sample deviation divides by n", partial(agree, WHOLE_SAMPLE)),
        ],
        not_covered="other elements; rounding",
    ),
    claim(
        id="table-2/not-commutative",
        statement="The three that are not ticked do not commute.",
        source=TICKS,
        engine="witness",
        scope="the witness",
        check=partial(witnessed, does_not_commute, [row.operation for row in TABLE_2 if not row.commutative]),
        controls=[Control("sum", partial(witnessed, does_not_commute, [SUM]))],
    ),
    claim(
        id="table-2/invertible-others",
        statement="GeometricMean, over positive numbers, and Collect: the newest comes off, and the oldest as well.",
        source=TICKS,
        kind="exhaustive",
        engine="run",
        scope="products p/q with p, q of 1 to 6; lists of up to three of two elements",
        check=inverts_elsewhere,
        controls=[
            Control("geometric mean keeps its factor", partial(inverts_elsewhere, KEEPS_A_FACTOR)),
            Control(
                "collect takes off the wrong end",
                lambda: inverts_elsewhere(collect=changed(COLLECT, remove=lambda a, ab: ab[: len(ab) - len(a)])),
            ),
        ],
        not_covered="other numbers (`operations/geometric-mean-removes` has all positive integers); longer lists",
    ),
    claim(
        id="table-2/not-invertible",
        statement="The six that are not ticked are not invertible, at either end, whatever (-) is tried.",
        source=TICKS,
        engine="witness",
        scope="the witness: two partial aggregates that a third makes equal",
        check=partial(witnessed, does_not_invert, [row.operation for row in TABLE_2 if not row.invertible]),
        controls=[
            Control("sum", partial(witnessed, does_not_invert, [SUM])),
            Control("collect", partial(witnessed, does_not_invert, [COLLECT])),
        ],
    ),
    claim(
        id="table-2/doubles",
        statement="Over doubles those that compare are associative.",
        source=TICKS,
        scope="all finite IEEE doubles, equality as IEEE has it",
        check=partial(proved, associative, 3, COMPARE, DOUBLES),
        controls=[refuted(associative, 3, DOUBLES, SUBTRACTS_ARGUMENTS, ("T", "a"))],
        not_covered="infinities; NaN, which breaks them all",
    ),
    claim(
        id="table-2/doubles-commute",
        statement="Over doubles those commute that compare and are ticked.",
        source=TICKS,
        scope="all finite IEEE doubles, equality as IEEE has it",
        check=partial(proved, commutative, 2, [row for row in COMPARE if row.commutative], DOUBLES),
        controls=[refuted(commutative, 2, DOUBLES, each, ("T", "a"), None) for each in (ARG_MAX, ARG_MIN)],
        not_covered="infinities and NaN",
    ),
    claim(
        id="table-2/half-floats-commute",
        statement="Over half floats those commute that add or multiply.",
        source=TICKS,
        scope="all finite IEEE half floats, rounded to nearest, equality as IEEE has it",
        check=partial(proved, commutative, 2, [row for row in TABLE_2 if row.operation in ADDING], HALVES),
        controls=[refuted(commutative, 2, HALVES, DIFFERENCE, "T")],
        not_covered="wider floats, on which Z3 takes too long; infinities and NaN",
    ),
    claim(
        id="table-2/doubles-round",
        statement="Over doubles Sum, the means and the deviations are neither associative nor invertible: the ticks "
        "are those of numbers (reading OPS-6).",
        source=TICKS,
        engine="witness",
        scope="the witnesses",
        check=partial(witnessed, rounds, ADDING, ROUNDED),
        controls=[
            Control(
                "the same numbers as Fractions",
                partial(witnessed, rounds, ADDING, [tuple(map(Fraction, triple)) for triple in ROUNDED]),
            )
        ],
    ),
)
