"""Claims about composed operations: each part has the same answer as alone, and the laws carry over.

The parts are arbitrary operations that meet the laws: uninterpreted functions over their own sorts.  So the claims hold
for every composition.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from swagproof.models.composition import compose
from swagproof.models.operations import Operation
from swagproof.proofs.engine.gate import hold_callers
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Value
from swagproof.proofs.ledger.claim import GENERAL, OURS, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.theorem import conclude

AnyOperation: TypeAlias = Operation[Any, Any, Any]
Change: TypeAlias = Callable[[Any], AnyOperation]

MOST: Final = 4
"""The most operations that are composed."""


def _over(function: Any) -> Callable[..., Value]:
    """Return an uninterpreted function as a function of values."""

    def call(*values: Value) -> Value:
        hold_callers()
        return Value(function(*(value.term for value in values)))

    return call


ELEMENT: Final = Value(z3.Const("e", z3.DeclareSort("Element")))


class PartOperation:
    """An arbitrary operation."""

    def __init__(self, number: int) -> None:
        agg, out = z3.DeclareSort(f"Agg{number}"), z3.DeclareSort(f"Out{number}")
        lift = _over(z3.Function(f"lift{number}", ELEMENT.term.sort(), agg))
        lower = _over(z3.Function(f"lower{number}", agg, out))
        self.combine = _over(z3.Function(f"combine{number}", agg, agg, agg))
        self.remove = _over(z3.Function(f"remove{number}", agg, agg, agg))
        self.identity = Value(z3.Const(f"identity{number}", agg))
        self.values = [Value(z3.Const(f"{name}{number}", agg)) for name in "abc"]
        self.operation: AnyOperation = Operation(
            f"part {number}", lift, self.combine, lower, self.identity, commutative=True, remove=self.remove
        )

    def laws(self) -> Any:
        """Return the operation's laws for its three values."""
        f, (a, b, c) = self.combine, self.values
        return z3.And(
            f(f(a, b), c).term == f(a, f(b, c)).term,
            f(self.identity, a).term == a.term,
            f(a, self.identity).term == a.term,
            f(a, b).term == f(b, a).term,
            self.remove(a, f(a, b)).term == b.term,
        )


def _same(found: Sequence[Any], right: Sequence[Any]) -> Any:
    if len(found) != len(right):
        return z3.BoolVal(False)
    pairs = [(x.term, y.term) for x, y in zip(found, right, strict=True)]
    if any(x.sort() != y.sort() for x, y in pairs):
        return z3.BoolVal(False)
    return z3.And(*(x == y for x, y in pairs))


def _statements(change: Change, size: int, path: Path) -> None:
    parts = [PartOperation(number) for number in range(size)]
    whole = change(compose(**{f"part{number}": part.operation for number, part in enumerate(parts)}))
    a, b, c = (tuple(part.values[i] for part in parts) for i in range(3))
    assert whole.remove is not None
    ab = whole.combine(a, b)
    path.show("lift, part by part", _same(whole.lift(ELEMENT), [part.operation.lift(ELEMENT) for part in parts]))
    path.show("lower, part by part", _same(whole.lower(a), [part.operation.lower(part.values[0]) for part in parts]))
    path.show("combine, part by part", _same(ab, [part.combine(*part.values[:2]) for part in parts]))
    path.show("remove, part by part", _same(whole.remove(a, b), [part.remove(*part.values[:2]) for part in parts]))
    path.assume(z3.And(*(part.laws() for part in parts)))
    path.show("associative", _same(whole.combine(ab, c), whole.combine(a, whole.combine(b, c))))
    path.show("left identity", _same(whole.combine(whole.identity, a), a))
    path.show("right identity", _same(whole.combine(a, whole.identity), a))
    path.show("commutative", _same(ab, whole.combine(b, a)))
    path.show("takes off the oldest", _same(whole.remove(a, ab), b))


def composes(change: Change = lambda whole: whole) -> Outcome:
    """Prove the statements for compositions of one to MOST operations, or refute them for a wrong change."""
    report = Exploration()
    for size in range(1, MOST + 1):
        report.merge(explore(partial(_statements, change, size)))
    return conclude(report, among=f", 1 to {MOST} operations")


WRONG: Final[dict[str, Change]] = {
    "combine swaps the operands of the last part": lambda whole: replace(
        whole, combine=lambda a, b: (*whole.combine(a, b)[:-1], whole.combine(b, a)[-1])
    ),
    "combine forgets the last part of the newer": lambda whole: replace(
        whole, combine=lambda a, b: (*whole.combine(a, b)[:-1], a[-1])
    ),
    "lower names the parts in reverse": lambda whole: replace(whole, lower=lambda v: whole.lower(v)[::-1]),
    "remove swaps its operands": lambda whole: replace(whole, remove=lambda a, ab: whole.remove(ab, a)),
}
"""Wrong changes of a composition, by name."""


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="composition/parts",
        statement=f"A composition of 1 to {MOST} operations lifts, combines, removes and lowers part by part; it is "
        "associative, commutative and invertible, with identity, where its parts are.",
        source=cite(OURS)
        & cite(
            GENERAL,
            "Figure 1",
            compared="stronger: any operations, up to the scope's number, where the query shown has three",
        ),
        algorithm="composition",
        kind="exhaustive",
        engine="symbolic execution, Z3",
        scope=f"1 to {MOST} operations, each any at all: nothing is known of it but its laws",
        code="models.composition: compose",
        check=composes,
        controls=[Control(name, partial(composes, change)) for name, change in WRONG.items()],
        not_covered="more operations",
    ),
)
