"""Laws of operations proved by running their own code on values that are not known: integers, rationals, IEEE floats.

A row says which shapes its partial aggregates have; a law is run on every combination of them, along every path.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from swagproof.models.operations import Operation
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import Truth, z3
from swagproof.proofs.engine.values import Number, SymbolicBool, SymbolicInt, term
from swagproof.proofs.ledger.claim import Outcome

AnyOperation: TypeAlias = Operation[Any, Any, Any]
Domain: TypeAlias = Literal["integers", "rationals", "doubles", "half floats"]

FLOATS: Final[dict[str, Any]] = {"doubles": z3.Float64(), "half floats": z3.Float16()}


@dataclass(frozen=True)
class Row:
    """A row of Table 2 (2015), with the shape of its partial aggregates (Table 1, Agg)."""

    printed: str
    operation: AnyOperation
    shapes: tuple[Any, ...]
    """The alternatives: "n" a count, "T" a number, "a" an argument, "list" a list; tuples of these; None for none."""
    invertible: bool
    commutative: bool


class RealNumber(Number):
    """A rational or a float that is not known."""

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, Number)
        return SymbolicBool(equal(self.term, other.term))


def equal(a: Any, b: Any) -> Truth:
    """Equality of two terms; of floats, as IEEE has it."""
    return z3.fpEQ(a, b) if z3.is_fp(a) else a == b


class Listed:
    """A list of integers that is not known."""

    def __init__(self, term: Any) -> None:
        self.term = term

    def __add__(self, other: "Listed") -> "Listed":
        return Listed(z3.Concat(self.term, other.term))


def unknown(path: Path, shape: Any, domain: Domain) -> Any:
    """A partial aggregate of a shape, about which no more is known."""
    if isinstance(shape, tuple):
        return tuple(unknown(path, part, domain) for part in shape)
    if shape in ("n", "a") or (shape == "T" and domain == "integers"):
        return SymbolicInt(path.fresh(shape))
    if shape == "list":
        path.fresh_names += 1
        return Listed(z3.Const(f"list!{path.fresh_names}", z3.SeqSort(z3.IntSort())))
    if shape == "T":
        path.fresh_names += 1
        name = f"T!{path.fresh_names}"
        if domain == "rationals":
            return RealNumber(z3.Real(name))
        number = z3.FP(name, FLOATS[domain])
        path.assume(z3.Not(z3.Or(z3.fpIsNaN(number), z3.fpIsInf(number))))
        return RealNumber(number)
    return shape


def same(a: Any, b: Any) -> Truth:
    """Equality of two partial aggregates as a formula: of their structure, and of each unknown in it."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return z3.And(*(same(x, y) for x, y in zip(a, b, strict=True)))
    if isinstance(a, SymbolicInt | int) and isinstance(b, SymbolicInt | int):
        return term(a) == term(b)
    if isinstance(a, RealNumber | Listed) and isinstance(b, RealNumber | Listed):
        return equal(a.term, b.term)
    return z3.BoolVal(a is None and b is None)


Law: TypeAlias = Callable[..., Iterable[tuple[str, Any, Any]]]


def associative(operation: AnyOperation, x: Any, y: Any, z: Any) -> Iterable[tuple[str, Any, Any]]:
    """x (+) (y (+) z) = (x (+) y) (+) z"""
    combine = operation.combine
    yield "associative", combine(x, combine(y, z)), combine(combine(x, y), z)


def commutative(operation: AnyOperation, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """x (+) y = y (+) x"""
    yield "commutative", operation.combine(x, y), operation.combine(y, x)


def invertible(operation: AnyOperation, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """(x (+) y) (-) y = x, with the operation's remove for (-), which also gives y from x (+) y and x."""
    assert operation.remove is not None
    both = operation.combine(x, y)
    yield "takes off the newest", operation.remove(y, both), x
    yield "takes off the oldest", operation.remove(x, both), y


def proved(law: Law, unknowns: int, rows: Sequence[Row], domains: Sequence[Domain]) -> Outcome:
    """Prove a law for each row over each domain."""
    report, refuted = Exploration(), list[str]()
    for row, domain in itertools.product(rows, domains):
        for shapes in itertools.product(row.shapes, repeat=unknowns):

            def run(path: Path, row: Row = row, domain: Domain = domain, shapes: Any = shapes) -> None:
                values = [unknown(path, shape, domain) for shape in shapes]
                for name, left, right in law(row.operation, *values):
                    path.show(name, same(left, right))

            found = explore(run)
            report.merge(found)
            for failure in found.failures:
                if failure.unknown:
                    return Outcome("unknown", f"{row.printed} over {domain}: {failure.example}")
                example = " ".join(failure.example.split())
                refuted.append(f"{row.printed} over {domain}: not {failure.obligation}, {example}")
    statistics = report.statistics
    if refuted:
        return Outcome("fails", refuted[0], statistics)
    if not report.sound:
        return Outcome("unknown", f"{report.vacuous} vacuous and {report.idle} idle paths", statistics)
    said = f"{len(rows)} operations over {' and '.join(domains)}: {statistics['obligations']} obligations"
    return Outcome("holds", f"{said} on {report.paths} paths", statistics)
