"""Laws of operations, proved by running the operations' code on symbolic values: numbers, floats, words, bits.

A `LawRow` lists the shapes of an operation's partial aggregates.  A law runs on every combination of them, along every
path.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, NoReturn, TypeAlias

from swagproof.models.operations import BLOOM_BITS, PRIME, Operation
from swagproof.proofs.engine.gate import hold_callers
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import Truth, z3
from swagproof.proofs.engine.values import Number, SymbolicBool, SymbolicInt, term
from swagproof.proofs.ledger.claim import Control, Outcome
from swagproof.proofs.ledger.theorem import conclude

AnyOperation: TypeAlias = Operation[Any, Any, Any]
Domain: TypeAlias = Literal["integers", "rationals", "doubles", "half floats"]

FLOATS: Final[dict[str, Any]] = {"doubles": z3.Float64(), "half floats": z3.Float16()}


@dataclass(frozen=True)
class LawRow:
    """A row of Table 2 (2015), with the shape of its partial aggregates (Table 1, Agg)."""

    printed: str
    operation: AnyOperation
    shapes: tuple[Any, ...]
    """The alternatives: "n" a count, "T" a number, "a" an argument, "word" a list or a string, "residue" a remainder,
    "bits" a Bloom filter; tuples of these; None for none."""
    invertible: bool
    commutative: bool


def row_of(operation: AnyOperation, *shapes: Any) -> LawRow:
    """Return the row of an operation that is not in the table; the operation says what it is."""
    return LawRow(operation.name, operation, shapes, operation.remove is not None, operation.commutative)


class RealNumber(Number):
    """An unknown rational or float; a rational may also be combined with known integers, such as an identity."""

    __slots__ = ()

    def take(self, other: Any) -> Any:
        return z3.RealVal(other) if isinstance(other, int) else other.term

    def __eq__(self, other: object) -> Any:
        assert isinstance(other, Number)
        return SymbolicBool(equal(self.term, other.term))


def equal(a: Any, b: Any) -> Truth:
    """Return the equality of two terms; for floats, IEEE equality."""
    return z3.fpEQ(a, b) if z3.is_fp(a) else a == b


class Residue(Number):
    """An unknown integer modulo `PRIME`.

    Its terms are polynomials over the integers.  Equal polynomials have equal remainders.  Code that does not reduce
    its result fails, because the result differs from a reduced one.
    """

    __slots__ = ("is_remainder",)

    def __init__(self, term: Any, is_remainder: bool = False) -> None:
        super().__init__(term)
        self.is_remainder = is_remainder

    def __mod__(self, modulus: int) -> "Residue":
        if modulus != PRIME:
            raise TypeError(f"remainders by {PRIME} alone are known, not by {modulus!r}")
        return Residue(self.term, True)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("remainders are added, subtracted and multiplied here, and not compared")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


class Opaque:
    """An unknown value of which only equality and truth are known, and one operator."""

    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, term: Any) -> None:
        hold_callers()
        self.term = term

    def __eq__(self, other: object) -> Any:
        assert type(other) is type(self)
        return SymbolicBool(self.term == other.term)


class Word(Opaque):
    """An unknown string, list or tuple of any length, with unknown elements."""

    def __bool__(self) -> bool:
        return bool(SymbolicBool(z3.Length(self.term) != 0))

    def __add__(self, other: "Word") -> "Word":
        return Word(z3.Concat(self.term, other.term))


class Filter(Opaque):
    """The unknown bits of a Bloom filter."""

    def __bool__(self) -> bool:
        return bool(SymbolicBool(self.term != 0))

    def __or__(self, other: "Filter") -> "Filter":
        return Filter(self.term | other.term)


LETTERS: Final = z3.SeqSort(z3.DeclareSort("Letter"))


def unknown(path: Path, shape: Any, domain: Domain) -> Any:
    """Return an unknown partial aggregate of a shape."""
    if isinstance(shape, tuple):
        return tuple(unknown(path, part, domain) for part in shape)
    if shape in ("n", "a") or (shape == "T" and domain == "integers"):
        return SymbolicInt(path.fresh(shape))
    if shape == "residue":
        return Residue(path.fresh(shape), True)
    if shape not in ("word", "bits", "T"):
        return shape
    path.fresh_names += 1
    name = f"{shape}!{path.fresh_names}"
    if shape == "word":
        return Word(z3.Const(name, LETTERS))
    if shape == "bits":
        return Filter(z3.BitVec(name, BLOOM_BITS))
    if domain == "rationals":
        return RealNumber(z3.Real(name))
    number = z3.FP(name, FLOATS[domain])
    path.assume(z3.Not(z3.Or(z3.fpIsNaN(number), z3.fpIsInf(number))))
    return RealNumber(number)


def known(value: Any, shape: Any) -> Any:
    """Return the identity as a partial aggregate of that shape.  Raises TypeError if a remainder or bits do not fit."""
    if isinstance(shape, tuple) and isinstance(value, tuple):
        return tuple(known(part, of) for part, of in zip(value, shape, strict=True))
    if shape == "residue" and 0 <= value < PRIME:
        return Residue(z3.IntVal(value), True)
    if shape == "word" and len(value) == 0:
        return Word(z3.Empty(LETTERS))
    if shape == "bits" and 0 <= value < 2**BLOOM_BITS:
        return Filter(z3.BitVecVal(int(value), BLOOM_BITS))
    if shape in ("residue", "word", "bits"):
        raise TypeError(f"{value!r} is no {shape}")
    return value


def same(a: Any, b: Any) -> Truth:
    """Return the equality of two partial aggregates as a formula: of their structure, and of each unknown in it."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return z3.And(*(same(x, y) for x, y in zip(a, b, strict=True)))
    if isinstance(a, SymbolicInt | int) and isinstance(b, SymbolicInt | int):
        return term(a) == term(b)
    if isinstance(a, Residue) and isinstance(b, Residue):
        return z3.And(z3.BoolVal(a.is_remainder and b.is_remainder), a.term == b.term)
    if isinstance(a, RealNumber | Opaque) and isinstance(b, RealNumber | Opaque):
        return equal(a.term, b.term)
    return z3.BoolVal(a is None and b is None)


Law: TypeAlias = Callable[..., Iterable[tuple[str, Any, Any]]]
"""A law of a row, for unknown partial aggregates: the equal terms, by name."""


def associative(row: LawRow, x: Any, y: Any, z: Any) -> Iterable[tuple[str, Any, Any]]:
    """x (+) (y (+) z) = (x (+) y) (+) z"""
    combine = row.operation.combine
    yield "associative", combine(x, combine(y, z)), combine(combine(x, y), z)


def commutative(row: LawRow, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """x (+) y = y (+) x"""
    yield "commutative", row.operation.combine(x, y), row.operation.combine(y, x)


def monoid(row: LawRow, x: Any, y: Any, z: Any) -> Iterable[tuple[str, Any, Any]]:
    """(x (+) y) (+) z = x (+) (y (+) z) and 1 (+) x = x = x (+) 1"""
    identity = known(row.operation.identity, row.shapes[0])
    yield from associative(row, x, y, z)
    yield "identity on the left", row.operation.combine(identity, x), x
    yield "identity on the right", row.operation.combine(x, identity), x


def takes_off_the_oldest(row: LawRow, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """remove(x, x (+) y) = y"""
    assert row.operation.remove is not None
    yield "takes off the oldest", row.operation.remove(x, row.operation.combine(x, y)), y


def invertible(row: LawRow, x: Any, y: Any) -> Iterable[tuple[str, Any, Any]]:
    """(x (+) y) (-) y = x, with the operation's remove for (-), which also gives y from x (+) y and x."""
    assert row.operation.remove is not None
    yield "takes off the newest", row.operation.remove(y, row.operation.combine(x, y)), x
    yield from takes_off_the_oldest(row, x, y)


def proved(law: Law, unknowns: int, rows: Sequence[LawRow], domains: Sequence[Domain]) -> Outcome:
    """Prove a law for each row over each domain."""
    report = Exploration()
    for row, domain in itertools.product(rows, domains):
        for shapes in itertools.product(row.shapes, repeat=unknowns):

            def run(path: Path, row: LawRow = row, domain: Domain = domain, shapes: Any = shapes) -> None:
                values = [unknown(path, shape, domain) for shape in shapes]
                for name, left, right in law(row, *values):
                    path.show(name, same(left, right))

            found = explore(run)
            report.merge(found)
            if found.failures:
                outcome = conclude(found)
                return replace(outcome, detail=f"{row.printed} over {domain}: {outcome.detail}")
    return conclude(report, among=f", {len(rows)} operations over {' and '.join(domains)}")


def refuted(law: Law, unknowns: int, domains: Sequence[Domain], operation: AnyOperation, *shapes: Any) -> Control:
    """Return the control that a law does not hold of an operation."""
    return Control(operation.name, partial(proved, law, unknowns, [row_of(operation, *shapes)], domains))
