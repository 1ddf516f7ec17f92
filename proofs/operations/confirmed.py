"""Claims about the operations and the pointer step: laws of their own code.

CrossHair checks laws of functions of integers.  A law that it does not confirm over all paths is unknown: the time was
too short, or a counterexample that does not fail in the replay ended the search.  CrossHair does not support words,
bits and remainders; these run over symbolic values for Z3 (swagproof.proofs.operations.unknowns).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from swagproof.models.operations import AFFINE, BLOOM, COLLECT, CONCATENATION, PRIME
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.operations.crosshair import CrossHairResult, check, conclude, laws
from swagproof.proofs.operations.unknowns import AnyOperation, LawRow, monoid, proved

LAWS: Final = "swagproof.proofs.operations.laws"
WRONG: Final = "swagproof.proofs.operations.wrong_laws"
SECONDS: Final = 4.0
"""Processor time for a law.  Those confirmed take a fraction of one."""


@cache
def ask_about(module: str) -> dict[str, CrossHairResult]:
    """Return CrossHair's results for the laws of a module; computed once in a process."""
    results = check(laws(module), per_condition_timeout=SECONDS)
    return {result.target.rpartition(".")[2]: result for result in results}


def _names(choose: Callable[[str], bool]) -> list[str]:
    found = [name.rpartition(".")[2] for name in laws(LAWS)]
    return [name for name in found if choose(name)]


def _judge(module: str, names: Sequence[str]) -> Outcome:
    return conclude([ask_about(module)[name] for name in names])


def _confirm(choose: Callable[[str], bool]) -> Outcome:
    return _judge(LAWS, _names(choose))


def _wrong_laws(*names: str) -> tuple[Control, ...]:
    return tuple(Control(name, partial(_judge, WRONG, [name])) for name in names)


def _part(name: str) -> bool:
    return name.startswith("affine")


def _of(suffix: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffix) and not _part(name)


def _operations_of(suffix: str) -> str:
    return ", ".join(name.removesuffix(suffix).replace("_", "-") for name in _names(_of(suffix)))


TABLES: Final = cite(GENERAL, "Table 1", "Table 2", compared="a part: one law, over integers") & cite(
    IN_ORDER, "Table 1", compared="a part: one column, over integers"
)
INTEGERS: Final = "all integers, and tuples of them as partial aggregates"

confirmed: Final = partial(
    Claim,
    algorithm="operations",
    kind="proved",
    engine="CrossHair",
    code="models.operations",
    not_covered="floats; the sketches of models.sketches",
)


def _stood_for(operation: AnyOperation, shape: Any, *wrong: AnyOperation, scope: str, not_covered: str = "") -> Claim:
    """Return the claim that an operation with aggregates of this shape is a monoid, and the wrong ones are not."""

    def prove(of: AnyOperation = operation) -> Outcome:
        return proved(monoid(shape), 3, [LawRow(of.name, of, (shape,), False, False)], ("integers",))

    return Claim(
        id=f"operations/{operation.name}",
        statement=f"{operation.name} is associative and has its identity.",
        algorithm="operations",
        kind="proved",
        engine="symbolic execution, Z3",
        scope=scope,
        code=f"models.operations: {operation.name}",
        check=prove,
        controls=tuple(Control(each.name, partial(prove, each)) for each in wrong),
        source=cite(GENERAL, "Table 1", compared="a part: one row") & cite(IN_ORDER, place="section 2.2"),
        not_covered=not_covered,
    )


MIXED_ORDER: Final = replace(
    AFFINE,
    name="affine in mixed order",
    combine=lambda a, b: (a[0] * b[0] % PRIME, (a[0] * a[1] + b[1]) % PRIME),
)
UNREDUCED: Final = replace(
    AFFINE,
    name="affine that leaves the shift as it comes",
    combine=lambda a, b: (a[0] * b[0] % PRIME, b[0] * a[1] + b[1]),
)
TWICE: Final = replace(CONCATENATION, name="concatenation that says the newer twice", combine=lambda a, b: a + b + b)
CLAIMS: Final[tuple[Claim, ...]] = (
    confirmed(
        id="operations/pointer-step",
        statement="A pointer's step keeps its position, stays within a chunk, crosses at most one boundary, and is "
        "undone by a step back.",
        source=cite(IN_ORDER, "Definition 1", compared="a part: + 1 and - 1, within chunks"),
        check=partial(_confirm, lambda name: "place" in name or "step" in name),
        controls=_wrong_laws(
            "place_that_divides_towards_zero",
            "place_that_crosses_one_late",
            "place_that_stays_beyond_the_last_slot",
            "a_step_back_that_is_one_short",
        ),
        scope="all offsets in a chunk and all integers of steps",
        code="models.containers.deque.place",
        not_covered="chunks and their links: the deque's state machine samples those",
    ),
    confirmed(
        id="operations/monoids",
        statement=f"Associative, with identity: {_operations_of('_is_a_monoid')}.",
        source=TABLES,
        check=partial(_confirm, _of("_is_a_monoid")),
        controls=_wrong_laws(
            "subtraction_is_a_monoid",
            "average_of_averages_is_a_monoid",
            "max_from_zero_is_a_monoid",
            "arg_max_with_two_ways_to_break_a_tie_is_a_monoid",
            "matrix_transposed_on_the_left_is_a_monoid",
        ),
        scope=INTEGERS,
    ),
    confirmed(
        id="operations/commute",
        statement=f"Commutative: {_operations_of('_commutes')}.",
        source=TABLES,
        check=partial(_confirm, _of("_commutes")),
        controls=_wrong_laws(
            "arg_max_commutes", "first_commutes", "matrix_commutes", "max_count_that_forgets_ties_commutes"
        ),
        scope=INTEGERS,
    ),
    confirmed(
        id="operations/remove",
        statement=f"remove(a, combine(a, b)) = b: {_operations_of('_removes_the_oldest')}.",
        source=TABLES,
        check=partial(_confirm, _of("_removes_the_oldest")),
        controls=_wrong_laws(
            "product_removes_the_oldest", "sum_removes_the_other_way_round", "unimodular_removes_on_the_wrong_side"
        ),
        scope=INTEGERS,
    ),
    confirmed(
        id="operations/affine-removes",
        statement="remove(a, combine(a, b)) = b for the affine maps a = 7x + s and b = 8x + t, whatever the shifts.",
        source=TABLES,
        check=partial(_confirm, _part),
        controls=_wrong_laws("affine_removes_on_the_wrong_side"),
        scope="all integers s; t as lift leaves it",
        not_covered="other slopes: their inverses modulo a prime are beyond CrossHair",
    ),
    _stood_for(
        AFFINE,
        ("residue", "residue"),
        MIXED_ORDER,
        UNREDUCED,
        scope="all slopes and shifts: as polynomials of integers, of which remainders are taken",
    ),
    _stood_for(CONCATENATION, "word", TWICE, scope="all strings"),
    _stood_for(
        COLLECT,
        "word",
        replace(COLLECT, name="collect that takes the newer twice", combine=lambda a, b: a + b + b),
        scope="all tuples of anything",
    ),
    _stood_for(
        BLOOM,
        "bits",
        replace(BLOOM, name="bloom of the newer alone", combine=lambda a, b: b),
        scope="all filters",
        not_covered="that lift makes no more than so many bits",
    ),
)
