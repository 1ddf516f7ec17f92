"""Claims about every operation: it is a monoid, and commutes or removes if it says so.

The laws of its own code run over unknown integers, words, remainders and bits (swagproof.proofs.operations.unknowns).
The quotients that two operations need for `remove` are left to CrossHair (swagproof.proofs.operations.laws).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    ARG_MIN,
    BLOOM,
    COLLECT,
    CONCATENATION,
    COUNT,
    FIRST,
    LAST,
    M4,
    MATRIX,
    MAX,
    MEAN,
    PRIME,
    PRODUCT,
    SAMPLE_DEVIATION,
    STANDARD_DEVIATION,
    SUM,
    UNIMODULAR,
)
from swagproof.proofs.engine.paths import current_path
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.operations.history_claims import confirm
from swagproof.proofs.operations.tables import AVERAGE, DIFFERENCE, FORGETS_TIES, TABLE_2, changed
from swagproof.proofs.operations.unknowns import (
    AnyOperation,
    Domain,
    LawRow,
    commutative,
    invertible,
    monoid,
    proved,
    refuted,
    row_of,
    takes_off_the_oldest,
)

EXACT: Final[tuple[Domain, ...]] = ("integers", "rationals")
MATRIX_SHAPE: Final = ("T",) * 4


ROWS: Final[tuple[LawRow, ...]] = (
    *TABLE_2,
    row_of(PRODUCT, "T"),
    row_of(M4, (("T", "T"),) * 4, None),
    row_of(FIRST, "a", None),
    row_of(LAST, "a", None),
    row_of(MATRIX, MATRIX_SHAPE),
    row_of(UNIMODULAR, MATRIX_SHAPE),
    row_of(AFFINE, ("residue", "residue")),
    row_of(CONCATENATION, "word"),
    row_of(BLOOM, "bits"),
)
"""All operations except those over mutable lists and sketches, with the shapes of their partial aggregates."""
SUBTRACT: Final = (COUNT, SUM, MEAN, SAMPLE_DEVIATION, STANDARD_DEVIATION)


def of_unimodular(row: LawRow, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """remove(x, x (+) y) = y for a matrix x of determinant 1 or -1"""
    path, determinant = current_path(), (x[0] * x[3] - x[1] * x[2]).term
    assert path is not None
    path.assume(determinant * determinant == 1)
    yield from takes_off_the_oldest(row, x, y)


def _subtracts_arguments(a: Any, b: Any) -> Any:
    if a is None or b is None:
        return a or b
    return b if b[0] > a[0] or (b[0] == a[0] and a[1] + b[1] > 0) else a


def _remove_on_the_wrong_side(a: Any, ab: Any) -> Any:
    inverse = a[3], -a[1], -a[2], a[0]
    return UNIMODULAR.combine(ab, inverse)


NO_MONOIDS: Final[Sequence[tuple[AnyOperation, Any]]] = (
    (DIFFERENCE, "T"),
    (AVERAGE, ("n", "T")),
    (changed(MAX, name="max from zero", identity=0), "T"),
    (changed(SUM, name="sum that saturates", combine=lambda a, b: a + b if a + b < 100 else 100), "T"),
    (changed(ARG_MAX, name="arg-max with two ways to break a tie", combine=_subtracts_arguments), ("T", "a")),
    (
        changed(
            STANDARD_DEVIATION,
            name="deviation that multiplies sums",
            combine=lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2] + a[1] * b[2]),
        ),
        ("n", "T", "T"),
    ),
    (
        changed(
            MATRIX,
            name="matrix transposed on the left",
            combine=lambda a, b: MATRIX.combine((a[0], a[2], a[1], a[3]), b),
        ),
        MATRIX_SHAPE,
    ),
    (
        changed(
            AFFINE,
            name="affine in mixed order",
            combine=lambda a, b: (a[0] * b[0] % PRIME, (a[0] * a[1] + b[1]) % PRIME),
        ),
        ("residue", "residue"),
    ),
    (
        changed(
            AFFINE,
            name="affine that leaves the shift as it comes",
            combine=lambda a, b: (a[0] * b[0] % PRIME, b[0] * a[1] + b[1]),
        ),
        ("residue", "residue"),
    ),
    (changed(CONCATENATION, name="concatenation that says the newer twice", combine=lambda a, b: a + b + b), "word"),
    (changed(COLLECT, name="collect that takes the newer twice", combine=lambda a, b: a + b + b), "word"),
    (changed(BLOOM, name="bloom of the newer alone", combine=lambda a, b: b), "bits"),
)
NUMBERS: Final = "all integers and all rationals as elements, with integer counts, and tuples of them"
TABLES: Final = cite(GENERAL, "Table 1", "Table 2", compared="a part: one column, over numbers") & cite(
    IN_ORDER, "Table 1", compared="a part: one column, over numbers"
)

claim: Final = partial(
    Claim,
    source=TABLES,
    algorithm="operations",
    kind="proved",
    engine="symbolic execution, Z3",
    code="models.operations",
)


def _names(rows: Iterable[LawRow]) -> str:
    return ", ".join(row.operation.name for row in rows)


def _law(name: str) -> Callable[[], Outcome]:
    return partial(confirm, f"swagproof.proofs.operations.laws.{name}")


COMMUTE: Final = [row for row in ROWS if row.operation.commutative]
REMOVE: Final = [row for row in ROWS if row.operation in SUBTRACT]
CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="operations/monoids",
        statement=f"Associative, with identity: {_names(ROWS)}.",
        scope=f"{NUMBERS}; all strings, tuples of anything and Bloom filters; affine maps as polynomials of integers, "
        "of which remainders are taken",
        check=partial(proved, monoid, 3, ROWS, EXACT),
        controls=tuple(refuted(monoid, 3, EXACT, operation, shape) for operation, shape in NO_MONOIDS),
        not_covered="floats; the sketches of models.sketches; that a Bloom filter's lift makes no more than so many "
        "bits",
    ),
    claim(
        id="operations/commute",
        statement=f"Commutative: {_names(COMMUTE)}.",
        scope=NUMBERS,
        check=partial(proved, commutative, 2, COMMUTE, EXACT),
        controls=(
            refuted(commutative, 2, EXACT, ARG_MAX, ("T", "a")),
            refuted(commutative, 2, EXACT, ARG_MIN, ("T", "a")),
            refuted(commutative, 2, EXACT, COLLECT, "word"),
            refuted(commutative, 2, EXACT, FIRST, "a", None),
            refuted(commutative, 2, EXACT, MATRIX, MATRIX_SHAPE),
            refuted(commutative, 2, EXACT, changed(FORGETS_TIES, name="max-count that forgets ties"), ("T", "n")),
        ),
        not_covered="floats; the sketches of models.sketches",
    ),
    claim(
        id="operations/remove",
        statement=f"remove(a, combine(a, b)) = b, and (x (+) y) (-) y = x: {_names(REMOVE)}.",
        scope=NUMBERS,
        check=partial(proved, invertible, 2, REMOVE, EXACT),
        controls=(
            refuted(invertible, 2, EXACT, changed(PRODUCT, remove=lambda a, ab: ab - a), "T"),
            refuted(
                invertible,
                2,
                EXACT,
                changed(SUM, name="sum the other way round", remove=lambda a, ab: a - ab),
                "T",
            ),
        ),
        not_covered="floats",
    ),
    claim(
        id="operations/unimodular-removes",
        statement="remove(a, combine(a, b)) = b for a matrix a of determinant 1 or -1, and any b.",
        scope="all integers and rationals in the matrices",
        check=partial(proved, of_unimodular, 2, [row_of(UNIMODULAR, MATRIX_SHAPE)], EXACT),
        controls=(
            refuted(
                of_unimodular,
                2,
                EXACT,
                changed(UNIMODULAR, name="unimodular on the wrong side", remove=_remove_on_the_wrong_side),
                MATRIX_SHAPE,
            ),
        ),
    ),
    claim(
        id="operations/geometric-mean-removes",
        statement="remove(a, combine(a, b)) = b for the geometric mean of positive numbers.",
        engine="CrossHair",
        check=_law("geometric_mean_removes_the_oldest"),
        controls=(Control("geometric mean keeps the count", _law("geometric_mean_keeps_the_count")),),
        scope="all positive integers as products, all integers as counts",
        not_covered="other numbers",
    ),
    claim(
        id="operations/affine-removes",
        statement="remove(a, combine(a, b)) = b for the affine maps a = 7x + s and b = 8x + t, whatever the shifts.",
        engine="CrossHair",
        check=_law("affine_removes_the_oldest"),
        controls=(Control("affine removes on the wrong side", _law("affine_removes_on_the_wrong_side")),),
        scope="all integers s; t as lift leaves it",
        not_covered="other slopes: their inverses modulo a prime are beyond CrossHair",
    ),
)
