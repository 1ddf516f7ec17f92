"""Claims about every operation: it is a monoid, and commutes or removes if it says so.

The laws of its own code run over unknown integers, words, remainders and bits (swagproof.proofs.operations.unknowns).
The quotients that two operations need for `remove` are left to CrossHair (swagproof.proofs.operations.laws).
"""

from collections.abc import Iterable, Sequence
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
    MAX_COUNT,
    MEAN,
    PRIME,
    PRODUCT,
    SAMPLE_DEVIATION,
    STANDARD_DEVIATION,
    SUM,
    UNIMODULAR,
)
from swagproof.proofs.engine.paths import current_path
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, Claim, Control, cite
from swagproof.proofs.operations.history_claims import confirm
from swagproof.proofs.operations.tables import AVERAGE, DIFFERENCE, TABLE_2, changed
from swagproof.proofs.operations.unknowns import (
    AnyOperation,
    Domain,
    Law,
    LawRow,
    commutative,
    invertible,
    monoid,
    proved,
    takes_off_the_oldest,
)

EXACT: Final[tuple[Domain, ...]] = ("integers", "rationals")
MATRIX_SHAPE: Final = ("T",) * 4


def _row(operation: AnyOperation, *shapes: Any) -> LawRow:
    return LawRow(operation.name, operation, shapes, operation.remove is not None, operation.commutative)


ROWS: Final[tuple[LawRow, ...]] = (
    *TABLE_2,
    _row(PRODUCT, "T"),
    _row(M4, (("T", "T"),) * 4, None),
    _row(FIRST, "a", None),
    _row(LAST, "a", None),
    _row(MATRIX, MATRIX_SHAPE),
    _row(UNIMODULAR, MATRIX_SHAPE),
    _row(AFFINE, ("residue", "residue")),
    _row(CONCATENATION, "word"),
    _row(BLOOM, "bits"),
)
"""All operations except those over mutable lists and sketches, with the shapes of their partial aggregates."""
SUBTRACT: Final = (COUNT, SUM, MEAN, SAMPLE_DEVIATION, STANDARD_DEVIATION)


def of_unimodular(row: LawRow, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """remove(x, x (+) y) = y for a matrix x of determinant 1 or -1"""
    path, determinant = current_path(), (x[0] * x[3] - x[1] * x[2]).term
    assert path is not None
    path.assume(determinant * determinant == 1)
    yield from takes_off_the_oldest(row, x, y)


def _wrong(law: Law, unknowns: int, operation: AnyOperation, *shapes: Any) -> Control:
    return Control(operation.name, partial(proved, law, unknowns, [_row(operation, *shapes)], EXACT))


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
FORGETS_TIES: Final = changed(
    MAX_COUNT, name="max-count that forgets ties", combine=lambda a, b: b if b[0] > a[0] else a
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


COMMUTE: Final = [row for row in ROWS if row.operation.commutative]
REMOVE: Final = [row for row in ROWS if row.operation in SUBTRACT]
CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="operations/monoids",
        statement=f"Associative, with identity: {_names(ROWS)}.",
        scope=f"{NUMBERS}; all strings, tuples of anything and Bloom filters; affine maps as polynomials of integers, "
        "of which remainders are taken",
        check=partial(proved, monoid, 3, ROWS, EXACT),
        controls=tuple(_wrong(monoid, 3, operation, shape) for operation, shape in NO_MONOIDS),
        not_covered="floats; the sketches of models.sketches; that a Bloom filter's lift makes no more than so many "
        "bits",
    ),
    claim(
        id="operations/commute",
        statement=f"Commutative: {_names(COMMUTE)}.",
        scope=NUMBERS,
        check=partial(proved, commutative, 2, COMMUTE, EXACT),
        controls=(
            _wrong(commutative, 2, ARG_MAX, ("T", "a")),
            _wrong(commutative, 2, ARG_MIN, ("T", "a")),
            _wrong(commutative, 2, COLLECT, "word"),
            _wrong(commutative, 2, FIRST, "a", None),
            _wrong(commutative, 2, MATRIX, MATRIX_SHAPE),
            _wrong(commutative, 2, FORGETS_TIES, ("T", "n")),
        ),
        not_covered="floats; the sketches of models.sketches",
    ),
    claim(
        id="operations/remove",
        statement=f"remove(a, combine(a, b)) = b, and (x (+) y) (-) y = x: {_names(REMOVE)}.",
        scope=NUMBERS,
        check=partial(proved, invertible, 2, REMOVE, EXACT),
        controls=(
            _wrong(invertible, 2, changed(PRODUCT, remove=lambda a, ab: ab - a), "T"),
            _wrong(
                invertible,
                2,
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
        check=partial(proved, of_unimodular, 2, [_row(UNIMODULAR, MATRIX_SHAPE)], EXACT),
        controls=(
            _wrong(
                of_unimodular,
                2,
                changed(UNIMODULAR, name="unimodular on the wrong side", remove=_remove_on_the_wrong_side),
                MATRIX_SHAPE,
            ),
        ),
    ),
    *(
        claim(
            id=f"operations/{name}-removes",
            statement=statement,
            engine="CrossHair",
            check=partial(confirm, f"swagproof.proofs.operations.laws.{name.replace('-', '_')}_removes_the_oldest"),
            controls=(Control(wrong.replace("_", " "), partial(confirm, f"swagproof.proofs.operations.laws.{wrong}")),),
            scope=scope,
            not_covered=beyond,
        )
        for name, statement, scope, wrong, beyond in (
            (
                "geometric-mean",
                "remove(a, combine(a, b)) = b for the geometric mean of positive numbers.",
                "all positive integers as products, all integers as counts",
                "geometric_mean_keeps_the_count",
                "other numbers",
            ),
            (
                "affine",
                "remove(a, combine(a, b)) = b for the affine maps a = 7x + s and b = 8x + t, whatever the shifts.",
                "all integers s; t as lift leaves it",
                "affine_removes_on_the_wrong_side",
                "other slopes: their inverses modulo a prime are beyond CrossHair",
            ),
        )
    ),
)
