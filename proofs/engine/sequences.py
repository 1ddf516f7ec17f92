"""Lists of unknown length, and ordinary methods rewritten so that they run over them.

A `SymbolicList` is a row of pieces: stretches of a sequence that is known by index, and single items.  Slices, inserts
and removals cut pieces where the index falls; which piece that is, is a branch of the run where it is not known.  So a
list is never copied, and no quantifier is needed: what holds of all items is shown at an arbitrary index.

Python's lists forgive a slice or an insert beyond their ends.  Here that is an obligation that fails, but for slices of
an empty list.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from swagproof.proofs.engine.heap import Segment
from swagproof.proofs.engine.paths import (
    Branch,
    Path,
    SymbolicBool,
    SymbolicInt,
    Unsupported,
    current_path,
    enclosing_path,
    formula,
    term,
)
from swagproof.proofs.engine.solver import Integer, Truth, z3


class Stretch(NamedTuple):
    """Items start .. start + length - 1 of a sequence."""

    at: Callable[[Integer], Any]
    start: Integer
    length: Integer


class Single(NamedTuple):
    """One item."""

    item: Any
    length: Integer = z3.IntVal(1)


Piece = Stretch | Single


class Time:
    """The time of an entry, by the entry's number."""

    def __init__(self, number: Integer) -> None:
        self.number = number


def _showing(what: str, claim: Truth) -> None:
    """An obligation of the code; none of a clause, which states what it likes."""
    path = current_path()
    if path is not None:
        path.show(what, claim)


_decided: list[list[Truth]] = []
"""What is so in the case of the clause that is being read."""


_settled: Final[WeakKeyDictionary[Path, dict[str, bool]]] = WeakKeyDictionary()
"""What paths have answered for clauses: as they only learn, for good."""


def asked(claim: Truth) -> bool:
    """Whether that is so: a branch, unless the path, or the case of the clause that is being read, answers it."""
    claim = z3.simplify(claim)
    if current_path() is not None or not _decided or z3.is_true(claim) or z3.is_false(claim):
        return SymbolicBool(claim).asked(2)
    path, decided = enclosing_path(), _decided[-1]
    assert path is not None
    settled = _settled.setdefault(path, {})
    key = claim.sexpr()
    if key not in settled and path.ask(z3.Not(claim)) == z3.unsat:
        settled[key] = True
    if key in settled:
        return settled[key]
    for answer, refuted in ((False, claim), (True, z3.Not(claim))):
        if path.ask(*decided, refuted) == z3.unsat:
            return answer
    answer = SymbolicBool(claim).asked(2)
    decided.append(claim if answer else z3.Not(claim))
    return answer


def reading(clause: Callable[[], Any], guard: Truth) -> Truth:
    """A clause as a formula, of use where the guard is true; what the path answers is no case of its own."""

    def case() -> Any:
        _decided[-1][:] = [guard]
        return clause()

    _decided.append([guard])
    try:
        return formula(case)
    finally:
        _decided.pop()


def either(claim: Truth, x: Any, y: Any) -> Any:
    """x where the claim is so, else y, as one value."""
    if isinstance(x, Segment) and isinstance(y, Segment):
        return Segment(z3.If(claim, x.lo, y.lo), z3.If(claim, x.hi, y.hi))
    if isinstance(x, Time) and isinstance(y, Time):
        return Time(z3.If(claim, x.number, y.number))
    raise Unsupported(f"either a {type(x).__name__} or a {type(y).__name__}")


class Choice:
    """One of two items, as a clause reads it: no branch is taken for what can be said of either.

    Attributes that are truth values are made one; for any other it is asked which item it is.
    """

    def __init__(self, claim: Truth, x: Any, y: Any) -> None:
        self.claim = claim
        self.x = x
        self.y = y

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_spine"):
            truths = [SymbolicBool(_truth(getattr(item, name))) for item in (self.x, self.y)]
            return SymbolicBool(z3.If(self.claim, truths[0].term, truths[1].term))
        return getattr(self.x if asked(self.claim) else self.y, name)


def _truth(value: "bool | SymbolicBool") -> Truth:
    return value.term if isinstance(value, SymbolicBool) else z3.BoolVal(value)


class SymbolicList:
    """A list of unknown length."""

    __hash__ = None  # type: ignore[assignment]  # as lists have none

    def __init__(self, *pieces: Piece) -> None:
        self.pieces = _joined(pieces)

    @property
    def length(self) -> Integer:
        """How many items there are, as a term."""
        return z3.simplify(z3.Sum([piece.length for piece in self.pieces])) if self.pieces else z3.IntVal(0)

    @property
    def size(self) -> SymbolicInt:
        """How many items there are."""
        return SymbolicInt(self.length)

    def __bool__(self) -> bool:
        if not self.pieces or any(isinstance(piece, Single) for piece in self.pieces):
            return bool(self.pieces)
        return asked(self.length != 0)

    def __eq__(self, other: object) -> Any:
        raise Unsupported("lists are not compared")

    def __iter__(self) -> Iterator[Any]:
        """The items, where their number is known; loops over other lists are cut."""
        if any(isinstance(piece, Stretch) for piece in self.pieces):
            raise Unsupported("a loop over a list of unknown length has no invariant in the contracts")
        return iter([piece.item for piece in self.pieces if isinstance(piece, Single)])

    def item(self, index: Integer) -> Any:
        """The item at an index that the list has: one value over all pieces where that can be, else by branches."""
        return self._item(index, 0, z3.IntVal(0))

    def _item(self, index: Integer, number: int, begin: Integer) -> Any:
        if number == len(self.pieces):
            raise Unsupported("an item of an empty list")
        piece = self.pieces[number]
        end = begin + piece.length
        last = number == len(self.pieces) - 1
        inside = z3.simplify(index < end)
        if z3.is_false(inside) and not last:
            return self._item(index, number + 1, end)
        item = piece.item if isinstance(piece, Single) else piece.at(z3.simplify(piece.start + index - begin))
        if last or z3.is_true(inside):
            return item
        if isinstance(item, Segment | Time):
            return either(inside, item, self._item(index, number + 1, end))
        if _decided and current_path() is None:
            return Choice(inside, item, self._item(index, number + 1, end))
        return item if asked(inside) else self._item(index, number + 1, end)

    def cut(self, index: Integer) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """The pieces before an index, and those from it on."""
        end: Integer = z3.IntVal(0)
        for number, piece in enumerate(self.pieces):
            begin, end = end, end + piece.length
            before, behind = self.pieces[:number], self.pieces[number + 1 :]
            if isinstance(piece, Single):
                if asked(index <= begin):
                    return before, (piece, *behind)
            elif asked(index <= end):
                inside = index - begin
                left = Stretch(piece.at, piece.start, inside)
                right = Stretch(piece.at, piece.start + inside, piece.length - inside)
                return (*before, left), (right, *behind)
        return self.pieces, ()

    def within(self, index: "int | SymbolicInt") -> Integer:
        """The term of an index, counted from the end where it is a negative constant: the list must have it."""
        place = term(index)
        if isinstance(index, int) and index < 0:
            place = self.length + index
        _showing("the list has this item", z3.And(0 <= place, place < self.length))
        return place

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self.item(self.within(index))
        if index.step is not None:
            raise Unsupported("a slice with a step")
        if not self.pieces:
            return SymbolicList()
        start = z3.IntVal(0) if index.start is None else term(index.start)
        stop = self.length if index.stop is None else term(index.stop)
        _showing("a slice is within its list", z3.And(0 <= start, start <= stop, stop <= self.length))
        return SymbolicList(*SymbolicList(*self.cut(stop)[0]).cut(start)[1])

    def __setitem__(self, index: "int | SymbolicInt", item: Any) -> None:
        place = self.within(index)
        self.pieces = _joined((*self.cut(place)[0], Single(item), *self.cut(place + 1)[1]))

    def insert(self, index: "int | SymbolicInt", item: Any) -> None:
        place = term(index)
        _showing("an insert is within its list", z3.And(0 <= place, place <= self.length))
        before, behind = self.cut(place)
        self.pieces = _joined((*before, Single(item), *behind))

    def append(self, item: Any) -> None:
        self.pieces = (*self.pieces, Single(item))

    def pop(self, index: "int | SymbolicInt" = -1) -> Any:
        place = self.within(index)
        item = self.item(place)
        self.pieces = _joined((*self.cut(place)[0], *self.cut(place + 1)[1]))
        return item

    def __iadd__(self, other: "SymbolicList") -> "SymbolicList":
        self.pieces = (*self.pieces, *other.pieces)
        return self

    def index(self, item: Any) -> SymbolicInt:
        """Where an item is that was put in by itself."""
        end: Integer = z3.IntVal(0)
        for piece in self.pieces:
            if isinstance(piece, Single) and piece.item is item:
                return SymbolicInt(z3.simplify(end))
            end = end + piece.length
        raise Unsupported("an item is looked for in a stretch of unknown ones")


def _joined(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces with their terms simplified, without those that are surely empty."""
    made: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Single):
            made.append(piece)
            continue
        length = z3.simplify(piece.length)
        if not (z3.is_int_value(length) and length.as_long() == 0):
            made.append(Stretch(piece.at, z3.simplify(piece.start), length))
    return tuple(made)


# What the names of a rewritten method mean


def symbolic_length(items: SymbolicList) -> SymbolicInt:
    """len(items)"""
    return items.size


def symbolic_range(end: "int | SymbolicInt") -> SymbolicList:
    """range(end)"""
    length = term(end)
    return SymbolicList(Stretch(SymbolicInt, z3.IntVal(0), z3.If(length < 0, 0, length)))


def listed(*parts: Any) -> SymbolicList:
    """[x, *items]: single items in Python's lists, and lists to be joined to them."""
    made: list[Piece] = []
    for part in parts:
        made += part.pieces if isinstance(part, SymbolicList) else [Single(item) for item in part]
    return SymbolicList(*made)


def noted(test: object, file: str, line: int) -> bool:
    """A condition, with its outcome noted."""
    outcome = bool(test)
    path = current_path()
    if path is not None:
        path.report.branches.add(Branch(file, line, 0, outcome))
    return outcome


NAMES: Final = {"len": symbolic_length, "range": symbolic_range}
_LANGUAGE: Final = (
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Pass,
    ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.Tuple, ast.Starred, ast.Constant, ast.BinOp,
    ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Add, ast.Sub, ast.Mult, ast.And, ast.Or, ast.Not, ast.USub,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Load, ast.Store,
)  # fmt: skip
"""What a method may be written in; besides, annotations, list displays and `is`, which are rewritten."""


class _Rewritten(ast.NodeTransformer):
    """A method over stand-ins: see `rewritten`."""

    def __init__(self, file: str, cut: bool) -> None:
        self.file = file
        self.cut = cut

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, _LANGUAGE):
            raise Unsupported(f"{type(node).__name__} is not in the language of methods over lists")
        return super().generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns, node.decorator_list = None, []
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            raise Unsupported("an annotation without a value")
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_List(self, node: ast.List) -> ast.AST:
        parts: list[ast.expr] = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                parts.append(self.visit(item.value))
            else:
                parts.append(ast.List([self.visit(item)], ast.Load()))
        return ast.copy_location(ast.Call(ast.Name("__listed__", ast.Load()), parts, []), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.IsNot):
            same: ast.expr = ast.Call(
                ast.Name("__is__", ast.Load()), [self.visit(node.left), self.visit(node.comparators[0])], []
            )
            if isinstance(node.ops[0], ast.IsNot):
                same = ast.UnaryOp(ast.Not(), same)
            return ast.copy_location(same, node)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self.noted(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self.noted(node.test)
        return node

    def noted(self, test: ast.expr) -> ast.expr:
        place = [ast.Constant(self.file), ast.Constant(test.lineno)]
        return ast.copy_location(ast.Call(ast.Name("__noted__", ast.Load()), [test, *place], []), test)

    def visit_For(self, node: ast.For) -> Any:
        cut, self.cut = self.cut, False  # the first loop is cut; what is inside it, or behind, is run as it is
        own = [n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)]
        local = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.generic_visit(node)
        if not cut:
            return node
        if node.orelse:
            raise Unsupported("a loop with an else")
        head = ast.parse(
            "\n".join(
                [
                    f"__cut__.over({ast.unparse(node.iter)})",
                    "__cut__.enter(locals())",
                    *(
                        f"if {name!r} in locals(): {name} = __cut__.forgotten({name!r}, {name})"
                        for name in sorted(local)
                    ),
                    *(f"{name} = None; del {name}" for name in own),
                    "__cut__.assume(locals())",
                ]
            )
        ).body
        first = ast.parse(f"{ast.unparse(node.target)} = __cut__.next()").body
        again = ast.parse("__cut__.again(locals())").body
        test = ast.parse("__cut__.more()", mode="eval").body
        whole = [*head, ast.If(self.noted(ast.copy_location(test, node)), [*first, *node.body, *again], [])]
        for statement in (*head, *first, *again, whole[-1].test):  # type: ignore[attr-defined]  # the last is an If
            for part in ast.walk(statement):
                ast.copy_location(part, node)
        return [*head, ast.copy_location(whole[-1], node)]


def rewritten(function: Callable[..., Any], source: str, cutter: Any, names: Mapping[str, Any]) -> Any:
    """A function over stand-ins, from a source which may differ from its own.

    Lists are symbolic ones; the first loop is cut at the cutter's invariant where one is given, other loops are run as
    they are; `is` is asked of `names["__is__"]`; outcomes of conditions are noted.  Raises Unsupported for what is not
    seen.
    """
    file, first = inspect.getsourcefile(function) or "<method>", function.__code__.co_firstlineno
    tree = ast.parse(source)
    ast.increment_lineno(tree, first - 1)
    tree.body = [_Rewritten(file, cutter is not None).visit(tree.body[0])]
    engine = {"__listed__": listed, "__noted__": noted, "__cut__": cutter}
    scope: dict[str, Any] = {**function.__globals__, **NAMES, **engine, **names}
    exec(compile(ast.fix_missing_locations(tree), file, "exec"), scope)
    return scope[function.__name__]


def source_of(function: Callable[..., Any]) -> str:
    """The text of a method."""
    return textwrap.dedent(inspect.getsource(function))


def conditions(function: Callable[..., Any], *, loop: bool) -> list[tuple[str, str, int]]:
    """The conditions of a function, and what its first loop iterates if that is cut: as text, with file and line."""
    file, first = inspect.getsourcefile(function) or "<method>", function.__code__.co_firstlineno
    found: list[tuple[str, str, int]] = []
    for node in ast.walk(ast.parse(source_of(function))):
        if isinstance(node, ast.If | ast.IfExp):
            found.append((ast.unparse(node.test), file, node.test.lineno + first - 1))
        elif isinstance(node, ast.For) and loop:
            found.append((ast.unparse(node.iter), file, node.lineno + first - 1))
            loop = False
    return found
