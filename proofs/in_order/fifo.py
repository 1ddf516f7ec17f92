"""The theorems that every FIFO algorithm of the paper has, as claims about the reference's own code.

One symbolic run of each operation (`induction`) leaves obligations of several families; each claim takes those that it
states.  A claim fails when any obligation of any operation fails: its own, or one that it rests on, as every operation
rests on the invariant that the others keep.  A control must be rejected on the claim's own obligations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from swagproof.proofs.engine.induction import OPERATIONS_OF_FIFO, Operation, induction, unreached
from swagproof.proofs.engine.paths import Branch, Exploration
from swagproof.proofs.in_order.pointer_states import exploration
from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Deep, Outcome
from swagproof.proofs.ledger.settled import settled
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column

PAPER: Final = IN_ORDER
ENGINE: Final = "symbolic execution, Z3"
SCOPE: Final = "every monoid, window size and history"

FAMILIES: Final[dict[str, Callable[[str], bool]]] = {
    "answer": lambda name: name in ("answer", "query changes nothing"),
    "calls": lambda name: name in ("insert calls", "evict calls", "query calls"),
    "account": lambda name: name in ("insert paid", "evict paid", "account opens at 0"),
    "space": lambda name: name == "space",
    "definition 1": lambda name: name == "only the pointer operations of Definition 1",
    "termination": lambda name: name == "loop variant falls",
    "empty": lambda name: name in ("EmptyWindowError is raised", "nothing has changed"),
}
"""Families of obligations by name; what is in none of them is the family `invariant`."""


def family(obligation: str) -> str:
    """The family that an obligation belongs to."""
    return next((name for name, has in FAMILIES.items() if has(obligation)), "invariant")


@cache
def explored(column: Column, variant: Variant | None, operation: Operation) -> Exploration:
    """The symbolic run of one operation of the reference, or of a wrong variant of it; kept for the next claim."""
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    return induction(algorithm, column.contract, operation)


@dataclass(frozen=True)
class Theorem:
    """Some families of obligations of some operations of one algorithm, resting on all of its obligations."""

    column: Column
    operations: tuple[Operation, ...]
    families: tuple[str, ...]

    def check(self, variant: Variant | None = None) -> Outcome:
        """Prove, or refute with a counterexample, that the reference (or a wrong variant) meets the obligations."""
        report, stated = Exploration(), Exploration()
        for operation in OPERATIONS_OF_FIFO:
            found = explored(self.column, variant, operation)
            report.merge(found)
            if operation in self.operations:
                stated.merge(found)
        own = [failure for failure in stated.failures if family(failure.obligation) in self.families]
        own_count = sum(count for name, count in stated.shown.items() if family(name) in self.families)
        return settled(report, own or report.failures, own_count)

    def control(self, variant: Variant) -> Control:
        """The same check on a wrong variant; it must fail on an obligation of this theorem."""

        def check() -> Outcome:
            outcome = self.check(variant)
            own = any(
                family(failure.obligation) in self.families and not failure.unknown
                for operation in self.operations
                for failure in explored(self.column, variant, operation).failures
            )
            if outcome.verdict == "fails" and not own:
                return Outcome("unknown", f"refuted, but not on its own account: {outcome.detail}")
            return outcome

        return Control(variant.name, check)


def claim(
    id: str,
    statement: str,
    source: str,
    column: Column,
    families: tuple[str, ...],
    controls: Sequence[Variant],
    *,
    operations: tuple[Operation, ...] = OPERATIONS_OF_FIFO,
    not_covered: str = "",
) -> Claim:
    """A claim proved by symbolic execution of the column's algorithm."""
    theorem = Theorem(column, operations, families)
    methods = ", ".join(dict.fromkeys(operation.split()[0] for operation in operations))
    return Claim(
        id=id,
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="proved",
        engine=ENGINE,
        scope=SCOPE,
        code=f"{column.algorithm.__module__.removeprefix('swagproof.')}.{column.algorithm.__name__}: "
        + methods.replace("start", "__init__"),
        check=theorem.check,
        controls=tuple(theorem.control(variant) for variant in controls),
        not_covered=not_covered,
    )


def equivalent(id: str, statement: str, column: Column, variant: Variant, controls: Sequence[Variant]) -> Claim:
    """A claim that a changed reference still meets every obligation: what was changed does not matter."""
    theorem = Theorem(column, OPERATIONS_OF_FIFO, ("invariant", "answer", "calls", "account", "space"))
    return Claim(
        id=id,
        statement=statement,
        source=f"{PAPER}, found by proof",
        algorithm=column.name,
        kind="proved",
        engine=ENGINE,
        scope=SCOPE,
        code=f"variant {variant.name!r} of {column.algorithm.__module__.removeprefix('swagproof.')}",
        check=lambda: theorem.check(variant),
        controls=tuple(theorem.control(control) for control in controls),
        not_covered="time and memory other than partial aggregates",
    )


def every_branch_reached(id: str, statement: str, column: Column, but: Sequence[str], control: Variant) -> Claim:
    """A claim that the proofs reach every outcome of every condition in the algorithm, but those named."""

    def check(variant: Variant | None = None) -> Outcome:
        branches: set[Branch] = set()
        sound = True
        for operation in OPERATIONS_OF_FIFO:
            found = explored(column, variant, operation)
            branches |= found.branches
            sound = sound and found.sound
        missing = unreached(column.algorithm if variant is None else variant.of(column.algorithm), branches)
        if missing != list(but):
            return Outcome("fails", f"unreached: {missing}, expected {list(but)}")
        if not sound:
            return Outcome("unknown", "some paths are vacuous: what they reach may not be reached")
        return Outcome("holds", f"{len(branches)} outcomes reached, never: {', '.join(but) or 'none'}")

    return Claim(
        id=id,
        statement=statement,
        source=f"{PAPER}, what the proofs cover",
        algorithm=column.name,
        kind="proved",
        engine=ENGINE,
        scope=SCOPE,
        code=f"{column.algorithm.__module__.removeprefix('swagproof.')}.{column.algorithm.__name__}",
        check=check,
        controls=(Control(control.name, lambda: check(control)),),
    )


def explored_claim(
    column: Column,
    limit: int,
    expected: tuple[int, int],
    controls: Sequence[Variant],
    deep: tuple[int, tuple[int, int]] | None = None,
) -> Claim:
    """A claim by exhaustive exploration of the reference, over strings; `deep` is a larger limit, and its counts."""

    def scope(limit: int) -> str:
        return f"windows of up to {limit} elements, all histories"

    return Claim(
        id=f"{slug(column)}/explored",
        statement="Invariant, answer, combine calls, account and space hold in every state and after every operation "
        "from it.",
        source=f"{PAPER}, section 2.1 and the invariants",
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=f"{scope(limit)}; control flow looks at no value, so every monoid",
        code=f"{column.algorithm.__module__.removeprefix('swagproof.')}.{column.algorithm.__name__}",
        check=lambda: exploration(column, limit, expected),
        controls=tuple(
            Control(variant.name, partial(exploration, column, limit, expected, variant)) for variant in controls
        ),
        not_covered="larger windows",
        deep=None if deep is None else Deep(scope(deep[0]), lambda: exploration(column, *deep)),
    )


def slug(column: Column) -> str:
    """The algorithm's name in ids."""
    return column.name.lower().replace(" ", "-")


@dataclass(frozen=True)
class Statements:
    """Where an algorithm's theorems stand, and the variants that each must refute."""

    paper: str
    invariants: str
    answer: str
    cost: str
    invariants_of: str
    calls: str
    space: str
    account: str | None
    wrong: dict[str, tuple[Variant, ...]]


def family_claims(column: Column, said: Statements) -> list[Claim]:
    """The claims that every FIFO algorithm has: invariants, answer, combine calls, space, account, empty window."""
    name, wrong = slug(column), said.wrong
    claims = [
        claim(
            f"{name}/invariants",
            f"{column.name} maintains {said.invariants_of}; each access finds an element; combine joins neighbours.",
            f"{said.paper}, {said.invariants}",
            column,
            ("invariant",),
            wrong["invariant"],
        ),
        claim(
            f"{name}/answer",
            "If the window contains v_0 ... v_{n-1}, query returns their ordered product, and changes nothing.",
            f"{said.paper}, {said.answer}",
            column,
            ("answer",),
            wrong["answer"],
        ),
        claim(f"{name}/calls", said.calls, f"{said.paper}, {said.cost}", column, ("calls",), wrong["calls"]),
        claim(
            f"{name}/space",
            said.space,
            f"{said.paper}, {said.cost}",
            column,
            ("space",),
            wrong["space"],
            not_covered="what is stored in the middle of an operation",
        ),
        claim(
            f"{name}/empty",
            "Evict of an empty window raises EmptyWindowError and changes nothing.",
            f"{said.paper}, silent; decided here",
            column,
            ("empty",),
            wrong["empty"],
            operations=("start", "insert", "evict when empty"),
        ),
    ]
    if said.account is not None:
        claims.insert(
            3,
            claim(
                f"{name}/amortised",
                said.account,
                f"{said.paper}, {said.cost}, as corrected",
                column,
                ("account",),
                wrong["account"],
            ),
        )
    return claims
