"""Conversion of questions to SMT-LIB 2.6, for solvers other than Z3.

`Writer.write` turns formulas into a script.  Z3's own printer is not used: it writes conjunctions of one formula,
unquoted names, and constant arrays, which the standard's theory of arrays does not have.

A read from a constant array, through all later stores, is replaced by its value (`_read`).  Names are quoted where the
standard requires it.  Subterms that occur more than once are named by `let`, so that the text is no longer than the
terms.  The text depends only on the formulas, so equal questions have equal texts.

Limit: only the operators in `OPERATORS`, literals and uninterpreted functions are written; a formula with anything else
raises `CannotBeWritten`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from swagproof.proofs.engine.solver import Truth, z3

OPERATORS: Final = frozenset(
    {z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_NOT, z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_XOR, z3.Z3_OP_IMPLIES}
    | {z3.Z3_OP_EQ, z3.Z3_OP_IFF, z3.Z3_OP_DISTINCT, z3.Z3_OP_ITE}
    | {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL}
    | {z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_TO_REAL, z3.Z3_OP_TO_INT, z3.Z3_OP_IS_INT}
    | {z3.Z3_OP_SELECT, z3.Z3_OP_STORE, z3.Z3_OP_BNOT, z3.Z3_OP_BAND, z3.Z3_OP_BOR, z3.Z3_OP_BXOR}
    | {z3.Z3_OP_FPA_ABS, z3.Z3_OP_FPA_NEG, z3.Z3_OP_FPA_ADD, z3.Z3_OP_FPA_SUB, z3.Z3_OP_FPA_MUL, z3.Z3_OP_FPA_DIV}
    | {z3.Z3_OP_FPA_FMA, z3.Z3_OP_FPA_SQRT, z3.Z3_OP_FPA_EQ, z3.Z3_OP_FPA_LT, z3.Z3_OP_FPA_LE, z3.Z3_OP_FPA_GT}
    | {z3.Z3_OP_FPA_GE, z3.Z3_OP_FPA_IS_NAN, z3.Z3_OP_FPA_IS_INF, z3.Z3_OP_FPA_IS_ZERO}
)
"""Z3's operators that are in one of the standard's theories."""

SYMBOLS: Final = frozenset(
    "true false not and or xor => = distinct ite "  # Core
    "<= < >= > + - * / div mod to_real to_int is_int "  # Reals_Ints
    "select store bvnot bvand bvor bvxor "  # ArraysEx, FixedSizeBitVectors
    "fp.abs fp.neg fp.add fp.sub fp.mul fp.div fp.fma fp.sqrt "  # FloatingPoint
    "fp.eq fp.lt fp.leq fp.gt fp.geq fp.isNaN fp.isInfinite fp.isZero".split()
)
"""The standard's names of these operators, which are Z3's, too, but for `ite`."""

LITERALS: Final = frozenset(
    {z3.Z3_OP_ANUM, z3.Z3_OP_BNUM, z3.Z3_OP_FPA_NUM, z3.Z3_OP_FPA_NAN}
    | {z3.Z3_OP_FPA_PLUS_INF, z3.Z3_OP_FPA_MINUS_INF, z3.Z3_OP_FPA_PLUS_ZERO, z3.Z3_OP_FPA_MINUS_ZERO}
    | {z3.Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN, z3.Z3_OP_FPA_RM_NEAREST_TIES_TO_AWAY, z3.Z3_OP_FPA_RM_TOWARD_ZERO}
    | {z3.Z3_OP_FPA_RM_TOWARD_POSITIVE, z3.Z3_OP_FPA_RM_TOWARD_NEGATIVE}
)
"""Literals that Z3 writes in the standard's syntax: numbers and rounding modes."""

_SIMPLE: Final = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_RESERVED: Final = frozenset(
    {*SYMBOLS, "abs", "as", "let", "exists", "forall", "match", "par", "BINARY", "DECIMAL", "HEXADECIMAL"}
    | {"NUMERAL", "STRING", "assert", "check-sat", "declare-fun", "declare-sort", "set-info", "set-logic"}
    | {"Bool", "Int", "Real", "Array", "RNE", "RNA", "RTP", "RTN", "RTZ", "fp", "_", "!"}
)
"""Names that our symbols must not have, even quoted: `|div|` is `div`.  Names with `?` are bound by `let`."""


class CannotBeWritten(Exception):
    """An exception for a question with a symbol that the standard lacks."""


@dataclass
class Writer:
    """A writer of questions, which caches the text of each formula because questions share most of them."""

    _texts: dict[int, tuple[Truth, "_Text"]] = field(default_factory=dict[int, tuple[Truth, "_Text"]])
    """Formulas and texts, by Z3's id of the formula, which Z3 does not reuse while the formula is kept."""

    def write(self, facts: Iterable[Truth]) -> str:
        """Return the question whether these facts are jointly satisfiable.  May raise CannotBeWritten."""
        written = [self._write(fact) for fact in facts]
        sorts: dict[str, str] = {}
        functions: dict[str, str] = {}
        for fact in written:
            for name, declaration in fact.functions.items():
                _declare(functions, name, declaration)
            sorts |= fact.sorts
        asserted = [f"(assert {fact.text})" for fact in written]
        return "\n".join(["(set-logic ALL)", *sorts.values(), *functions.values(), *asserted, "(check-sat)"]) + "\n"

    def _write(self, fact: Truth) -> "_Text":
        known = self._texts.get(fact.get_id())
        if known is None:
            known = self._texts[fact.get_id()] = fact, _Text(fact)
        return known[1]


def _declare(functions: dict[str, str], name: str, declaration: str) -> None:
    if functions.setdefault(name, declaration) != declaration:
        raise CannotBeWritten(f"one name for two things, {name}")


class _Text:
    """A formula as text, with the declarations that it needs."""

    def __init__(self, fact: Truth) -> None:
        self.sorts: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        parts, order = self._take_apart(fact)
        uses = Counter(argument.get_id() for _, arguments in parts.values() for argument in arguments)
        texts: dict[int, str] = {}
        lets: list[str] = []
        for term in order:
            head, arguments = parts[term]
            text = f"({' '.join([head, *(texts[a.get_id()] for a in arguments)])})" if arguments else head
            if arguments and uses[term] > 1:
                lets.append(f"(let ((?{len(lets)} {text})) ")
                text = f"?{len(lets) - 1}"
            texts[term] = text
        self.text = "".join(lets) + texts[order[-1]] + ")" * len(lets)

    def _take_apart(self, fact: Truth) -> tuple[dict[int, tuple[str, list[Any]]], list[int]]:
        """Return the head and the arguments of each subterm, by its id, and the ids, each after its arguments'.

        Z3 does not reuse an id while an argument has it.
        """
        parts: dict[int, tuple[str, list[Any]]] = {}
        order: list[int] = []
        work: list[tuple[Any, bool]] = [(fact, False)]
        while work:
            term, done = work.pop()
            number = term.get_id()
            if done:
                order.append(number)
            elif number not in parts:
                parts[number] = self._part(term)
                work.append((term, True))
                work += [(argument, False) for argument in reversed(parts[number][1])]
        return parts, order

    def _part(self, term: Any) -> tuple[str, list[Any]]:
        """Return a term's head and arguments."""
        if not z3.is_app(term):
            raise CannotBeWritten(f"a {type(term).__name__}")
        function = term.decl()
        kind, arguments = function.kind(), term.children()
        if kind == z3.Z3_OP_SELECT:
            read = _read(*arguments)
            if read is not None:
                return self._part(read)
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_ADD, z3.Z3_OP_MUL) and len(arguments) == 1:
            return self._part(arguments[0])
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR) and not arguments:
            return ("true" if kind == z3.Z3_OP_AND else "false"), []
        name = "ite" if kind == z3.Z3_OP_ITE else function.name()
        if kind in OPERATORS and name in SYMBOLS:
            return name, arguments
        if kind == z3.Z3_OP_UNINTERPRETED:
            return self._name(function), arguments
        if kind in LITERALS:
            return term.sexpr(), []
        raise CannotBeWritten(f"{function.name()}, which is of no theory of the standard")

    def _name(self, function: Any) -> str:
        """Declare a function, and return its name."""
        name = quoted(function.name())
        domain = " ".join(self._sort(function.domain(i)) for i in range(function.arity()))
        _declare(self.functions, name, f"(declare-fun {name} ({domain}) {self._sort(function.range())})")
        return name

    def _sort(self, sort: Any) -> str:
        match sort.kind():
            case z3.Z3_BOOL_SORT | z3.Z3_INT_SORT | z3.Z3_REAL_SORT | z3.Z3_BV_SORT | z3.Z3_FLOATING_POINT_SORT:
                return str(sort.sexpr())
            case z3.Z3_ARRAY_SORT:
                return f"(Array {self._sort(sort.domain())} {self._sort(sort.range())})"
            case z3.Z3_UNINTERPRETED_SORT:
                name = quoted(sort.name())
                self.sorts[name] = f"(declare-sort {name} 0)"
                return name
            case _:
                raise CannotBeWritten(f"the sort {sort.name()}, which is of no theory of the standard")


def quoted(name: str) -> str:
    """Return a name as an SMT-LIB symbol: `place!1`, `|2^|`.  Raises CannotBeWritten if there is none."""
    if name in _RESERVED or name.startswith("?") or "|" in name or "\\" in name:
        raise CannotBeWritten(f"the name {name!r}")
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


def _read(array: Any, index: Any) -> Any | None:
    """Return the value read from an array that is built on a constant array; None for other arrays.

    (select (store a i v) j) is (ite (= i j) v (select a j)); for a constant array it is the constant.
    """
    if not any(base.decl().kind() == z3.Z3_OP_CONST_ARRAY for base in _bases(array)):
        return None
    match array.decl().kind():
        case z3.Z3_OP_CONST_ARRAY:
            return array.arg(0)
        case z3.Z3_OP_STORE:
            rest, stored, value = array.children()
            return z3.If(stored == index, value, z3.Select(rest, index))
        case _:
            condition, one, other = array.children()
            return z3.If(condition, z3.Select(one, index), z3.Select(other, index))


def _bases(array: Any) -> Iterator[Any]:
    """Yield the arrays on which an array's stores and choices are built."""
    match array.decl().kind():
        case z3.Z3_OP_STORE:
            yield from _bases(array.arg(0))
        case z3.Z3_OP_ITE:
            yield from _bases(array.arg(1))
            yield from _bases(array.arg(2))
        case _:
            yield array
