"""What is claimed of the operations and of the pointer step: laws that CrossHair confirms about their own code.

What it cannot confirm is claimed as sampled, with the bound of its search, and tried on all triples of the operation's
samples besides.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final

from swagproof.models.monoid import broken_law
from swagproof.models.operations import OPERATIONS
from swagproof.proofs.ledger.claim import GENERAL, IN_ORDER, Claim, Control, Outcome, Verdict, cite
from swagproof.proofs.operations.crosshair import CrossHairResult, check, laws

LAWS: Final = "swagproof.proofs.operations.laws"
WRONG: Final = "swagproof.proofs.operations.wrong_laws"
SECONDS: Final = 4.0
"""Processor time for a law.  Those confirmed take a fraction of one."""

SAMPLED: Final[dict[str, str]] = {
    "affine_is_associative": "affine",
    "concatenation_is_a_monoid": "concatenation",
    "collect_is_a_monoid": "collect",
    "bloom_is_a_monoid": "bloom",
}
"""Laws beyond CrossHair -> the operation whose samples they are tried on."""


@cache
def _results(module: str) -> dict[str, CrossHairResult]:
    results = check(laws(module), per_condition_timeout=SECONDS)
    return {result.target.rpartition(".")[2]: result for result in results}


def _names(choose: Callable[[str], bool]) -> list[str]:
    found = [name.rpartition(".")[2] for name in laws(LAWS)]
    return [name for name in found if name not in SAMPLED and choose(name)]


def _judge(module: str, names: Sequence[str]) -> Outcome:
    results = [_results(module)[name] for name in names]
    worst: Verdict = "holds"
    said: list[str] = []
    for result in results:
        name = result.target.rpartition(".")[2]
        if result.outcome == "refuted":
            worst = "fails"
            said.insert(0, result.message)
        elif result.outcome != "confirmed":
            worst = "fails" if worst == "fails" else "unknown"
            said.append(f"{name}: {result.message}")
    seconds = {"crosshair_seconds": round(results[0].seconds, 1)} if results else {}
    if not results:
        return Outcome("unknown", "no law of that kind")
    return Outcome(worst, "; ".join(said) or f"{len(results)} laws confirmed over all paths", seconds)


def _sampled(name: str) -> Outcome:
    operation = OPERATIONS[SAMPLED[name]]
    lifted = [operation.lift(sample) for sample in operation.samples]
    broken = broken_law(operation, lifted, operation.equal)
    if broken:
        return Outcome("fails", str(broken))
    result = _results(LAWS)[name]
    if result.outcome in ("confirmed", "not confirmed"):
        return Outcome("holds", f"no counterexample; {result.bound}; and all triples of {len(lifted)} samples")
    return Outcome("fails" if result.outcome == "refuted" else "unknown", result.message)


def _confirm(choose: Callable[[str], bool]) -> Outcome:
    return _judge(LAWS, _names(choose))


def _wrong_laws(*names: str) -> tuple[Control, ...]:
    return tuple(Control(name, partial(_judge, WRONG, [name])) for name in names)


def _part(name: str) -> bool:
    return name.startswith(("affine", "concatenation", "collect", "bloom"))


def _of(suffix: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffix) and not _part(name)


def _operations_of(suffix: str) -> str:
    return ", ".join(name.removesuffix(suffix).replace("_", "-") for name in _names(_of(suffix)))


TABLES: Final = cite(GENERAL, "Table 1", "Table 2", compared="a part: one law, over integers") & cite(
    IN_ORDER, "Table 1", compared="a part: one column, over integers"
)
INTEGERS: Final = "all integers, and tuples of them as partial aggregates"

confirmed: Final = partial(
    Claim, algorithm="operations", kind="proved", engine="CrossHair", code="models.operations", not_covered="floats"
)


def _bounded(law: str, wrong: str) -> Claim:
    operation = SAMPLED[law]
    return Claim(
        id=f"operations/{operation}",
        statement=f"{operation} is associative and has its identity.",
        source=cite(GENERAL, "Table 1", compared="a part: one row") & cite(IN_ORDER, place="section 2.2"),
        algorithm="operations",
        kind="sampled",
        engine="CrossHair",
        scope=f"bounded: CrossHair for {SECONDS:g} s of processor time, and all triples of the samples",
        code=f"models.operations: {operation}",
        check=partial(_sampled, law),
        controls=_wrong_laws(wrong),
        not_covered="not confirmed for all arguments",
    )


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
        id="operations/parts",
        statement="Affine maps: identity, and associative and removable for a few slopes. Concatenation of strings of "
        "at most one letter, collect of single elements, Bloom filters of one bit: associative, with identity.",
        source=TABLES,
        check=partial(_confirm, _part),
        controls=_wrong_laws("affine_in_mixed_order_is_associative", "concatenation_with_a_space_is_a_monoid"),
        scope="the parts named",
        not_covered="the whole: see the sampled rows",
    ),
    _bounded("affine_is_associative", "affine_in_mixed_order_is_associative"),
    _bounded("concatenation_is_a_monoid", "concatenation_with_a_space_is_a_monoid"),
    _bounded("collect_is_a_monoid", "concatenation_with_a_space_is_a_monoid"),
    _bounded("bloom_is_a_monoid", "average_is_associative"),
)
