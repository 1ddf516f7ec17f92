"""A rewriter that recompiles a method from its source, so that the method can run over symbolic values.

Symbolic values cannot observe all of Python: loops of unknown length, `is`, list displays, and the outcomes of
conditions.  `rewrite` replaces only these, and returns the method with its conditions and the `Changes` of its loops.
Lines, names and order stay the same, so that messages name the lines of the file.

    while C: S        becomes        show the invariant
                                     forget what S may change
                                     assume the invariant
                                     if C: S; show the invariant and that the variant fell; end the path

    for x in XS: S    becomes        show the invariant with `done` = 0
                                     forget what S may change, and x
                                     assume the invariant for some `done` <= |XS|
                                     if done < |XS|: x = XS[done]; S; show the invariant with done + 1; end the path

No loop is unrolled: the rewritten method has one path into the loop's body and one past the loop.  A `break` continues
after the loop.  Loops may be nested.  `Changes` guesses from the source what a loop may change; the cutter
(swagproof.proofs.engine.run) shows at the back edge that nothing else has changed, so a wrong guess fails.  A variable
that is unbound when the loop begins is unbound at its head, and x is unbound after the loop, so code that needs the
value of an earlier turn fails.

A generator runs to its end at the call if only its last item is used (`*_, x = made()`) or another generator passes its
items on (`yield from made()`); laziness makes no difference there.  `yield x` becomes a call of `__yield__`, and the
last item is `__last__`.  Any other use receives no items.

Further rewrites: annotations are dropped, because they name the concrete types; `[x, *xs]` becomes a call of
`__list__`, `{}` of `__dict__`, `e for x in xs if c` of `__select__`, and `x is y` of `__is__`; `x or y.z` outside of a
test becomes one truth value; every condition is recorded (swagproof.proofs.engine.source.coverage).
"""

import ast
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import CodeType
from typing import Any, NamedTuple

from swagproof.proofs.engine.gate import admit
from swagproof.proofs.engine.language import Unseen, refuse
from swagproof.proofs.engine.paths import current_path, enclosing_path
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.source.coverage import Condition
from swagproof.proofs.engine.source.methods import Cuttable, define, loops_in, parse, source_of
from swagproof.proofs.engine.values import SymbolicBool

# Changes made by a loop


@dataclass(frozen=True)
class Changes:
    """The variables and attributes that a loop may change, according to its source."""

    variables: tuple[str, ...]
    """Local variables that it assigns."""
    targets: tuple[str, ...]
    """Local variables that a `for` itself assigns."""
    attributes: tuple[str, ...]
    """Attributes of self that it assigns."""
    fields: tuple[str, ...]
    """Attributes of anything else that it assigns."""
    in_place: tuple[str, ...]
    """Local variables whose value it may change in place."""
    writes: bool
    """True if it may change the object's containers; if not, all facts about them are kept."""


def changes_of(loop: Cuttable, quiet: Collection[str]) -> Changes:
    """Return what a loop may change, if these methods of self change nothing."""
    names = [node for node in ast.walk(loop) if isinstance(node, ast.Name)]
    stored = [n for n in ast.walk(loop) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    variables = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)} if isinstance(loop, ast.For) else set[str]()
    reads: set[int] = set()  # names that the loop iterates over, tests for membership, or reads a part of
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            reads.add(id(node.value))
        elif isinstance(node, ast.Compare):
            reads |= {id(part) for part in (node.left, *node.comparators)}
        elif isinstance(node, ast.For):
            reads |= {id(part) for part in ast.walk(node.iter)}
        elif isinstance(node, ast.While | ast.If | ast.IfExp):
            reads.add(id(node.test))
    return Changes(
        tuple(sorted(variables)),
        tuple(sorted(own)),
        tuple(sorted({node.attr for node in stored if _is_self(node.value)})),
        tuple(sorted({node.attr for node in stored if not _is_self(node.value)})),
        tuple(sorted({node.id for node in names if id(node) not in reads} - {"self"} - variables)),
        may_write(loop, quiet, but_attributes=True),
    )


def may_write(code: ast.AST, quiet: Collection[str], *, but_attributes: bool = False) -> bool:
    """Return whether code may write: it assigns or deletes attributes or items, or calls a method that is not quiet.

    With `but_attributes`, assigning attributes of self does not count.  Only calls of methods of self and of its
    attributes count, except for the monoid's.  In `quiet`, methods of attributes begin with a dot.
    """
    for node in ast.walk(code):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            if not (but_attributes and isinstance(node, ast.Attribute) and _is_self(node.value)):
                return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            while isinstance(owner, ast.Subscript):
                owner = owner.value
            if _is_self(owner) and node.func.attr not in quiet:
                return True
            if isinstance(owner, ast.Attribute) and _is_self(owner.value) and owner.attr != "monoid":
                if f".{node.func.attr}" not in quiet:
                    return True
    return False


def quiet_methods(algorithm: type, looks: Collection[str] = ()) -> frozenset[str]:
    """Return the methods of self whose source writes nothing, and the methods in `looks`, each with a dot.

    A quiet method assigns only local variables, and calls only quiet methods.
    """
    trees = {name: _read(function) for name, function in inspect.getmembers(algorithm, inspect.isfunction)}
    others = frozenset(f".{name}" for name in looks)
    quiet = frozenset(trees)
    while True:
        left = frozenset(name for name in quiet if not may_write(trees[name], quiet | others))
        if left == quiet:
            return quiet | others
        quiet = left


@lru_cache(maxsize=2048)
def _read(function: Callable[..., Any]) -> ast.Module:
    """Return a method's syntax tree, for reading only."""
    return parse(function)[0]


def _is_read(node: ast.expr) -> bool:
    """Return whether an expression is a name, or an attribute of one: evaluating it changes nothing."""
    return isinstance(node.value, ast.Name) if isinstance(node, ast.Attribute) else isinstance(node, ast.Name)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


# The method over symbolic values


class Rewritten(NamedTuple):
    """A method to be run over symbolic values, and the conditions that it records."""

    method: Any
    conditions: tuple[Condition, ...]


def rewrite(
    function: Callable[..., Any],
    names: Mapping[str, Any],
    *,
    source: str | None = None,
    quiet: Collection[str] = (),
    as_written: Collection[int] = (),
) -> Rewritten:
    """Return a method to be run over symbolic values, made from its source or from one that replaces it.

    `names` take precedence over the method's globals.  Loops whose numbers are in `as_written` run unchanged; every
    other loop is cut at its invariant in the current run.  Raises Unseen for code outside of the language.  Methods run
    over symbolic values only through this function.
    """
    code, loops, conditions = _compile(
        function, source or source_of(function), frozenset(names), frozenset(quiet), frozenset(as_written)
    )
    engine = {
        **{f"__{name}__": partial(_unseen, name) for name in ("is", "list", "dict", "select", "yield", "last")},
        "__cut__": partial(_cutter, function.__name__, loops),
        "__note__": partial(_note, conditions),
        "__or__": _or,
    }
    method = define(code, function, {**engine, **names})
    admit(method.__code__)
    return Rewritten(method, conditions)


@lru_cache(maxsize=2048)
def _compile(
    function: Callable[..., Any], source: str, names: frozenset[str], quiet: frozenset[str], as_written: frozenset[int]
) -> tuple[CodeType, Sequence[Changes | None], tuple[Condition, ...]]:
    """Return the rewritten method, the changes of its loops, and the conditions that it records.

    The result is cached, because a mutant differs from the reference in only one or two methods.
    """
    refuse(function, names, source)
    tree, file = parse(function, source)
    loops = [None if n in as_written else changes_of(loop, quiet) for n, loop in enumerate(loops_in(tree))]
    rewriter = _Rewriter(tree, function.__name__, file, loops, quiet)
    code = compile(ast.fix_missing_locations(rewriter.visit(tree)), file, "exec")
    return code, loops, tuple(rewriter.conditions)


def _cutter(method: str, loops: Sequence[Changes | None], number: int) -> Any:
    path = enclosing_path()
    assert path is not None
    return path.run.cutter(method, loops, number)


def _unseen(what: str, *operands: Any) -> Any:
    """Refuse an expression that the rewriter replaces but the run does not define."""
    raise Unseen(f"the run does not define {what}")


def _or(x: Any, y: Any) -> Any:
    """Return x or y, as one truth value if x is symbolic."""
    truths = [value.term if isinstance(value, SymbolicBool) else value for value in (x, y)]
    if isinstance(x, SymbolicBool) and all(type(truth) is bool or z3.is_bool(truth) for truth in truths):
        return SymbolicBool(z3.Or(*truths))
    return x or y


def _note(conditions: Sequence[Condition], number: int, answer: object) -> bool:
    outcome, path = bool(answer), current_path()
    if path is not None:
        path.answer(conditions[number], outcome)
    return outcome


class _Rewriter(ast.NodeTransformer):
    def __init__(
        self, tree: ast.AST, method: str, file: str, loops: list[Changes | None], quiet: Collection[str]
    ) -> None:
        self.numbers = {id(loop): number for number, loop in enumerate(loops_in(tree))}
        self.quiet = quiet
        self.method = method
        self.file = file
        self.loops = loops
        self.conditions: list[Condition] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns, node.decorator_list = None, []
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        assert node.value is not None, "a variable is annotated where it is assigned"
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_List(self, node: ast.List) -> ast.AST:
        if isinstance(node.ctx, ast.Store):
            return self.generic_visit(node)
        parts: list[ast.expr] = [
            self.visit(item.value) if isinstance(item, ast.Starred) else ast.List([self.visit(item)], ast.Load())
            for item in node.elts
        ]
        return ast.copy_location(ast.Call(ast.Name("__list__", ast.Load()), parts, []), node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        if node.keys:
            return self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name("__dict__", ast.Load()), [], []), node)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> ast.AST:
        """Rewrite a comprehension.  Raises Unseen if it may write, as the engine runs it when and as often as it
        chooses.
        """
        each, *further = node.generators
        calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
        others = [call for call in calls if isinstance(call, ast.Attribute) and not _is_self(call.value)]
        targets = each.target.elts if isinstance(each.target, ast.Tuple) else [each.target]
        names = [ast.arg(target.id) for target in targets if isinstance(target, ast.Name)]
        if further or others or len(names) != len(targets) or may_write(node, self.quiet):
            raise Unseen(f"{self.method}, line {node.lineno}: the engine does not know what {ast.unparse(node)} does")
        name = ast.arguments([], names, None, [], [], None, [])
        wanted = ast.BoolOp(ast.And(), each.ifs) if len(each.ifs) > 1 else (*each.ifs, ast.Constant(True))[0]
        parts: list[ast.expr] = [
            self.visit(each.iter),
            *(ast.Lambda(name, self.visit(part)) for part in (wanted, node.elt)),
        ]
        return ast.copy_location(ast.Call(ast.Name("__select__", ast.Load()), parts, []), node)

    visit_GeneratorExp = visit_ListComp

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        told = [ast.Constant(None) if node.value is None else node.value]
        return ast.copy_location(ast.Call(ast.Name("__yield__", ast.Load()), told, []), node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        return self.visit(node.value)  # type: ignore[no-any-return]  # a call that records what it yields

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Starred):
            if ast.unparse(target.elts[0]) != "*_" or len(target.elts) != 2:
                raise Unseen(f"{self.method}, line {node.lineno}: the engine does not know {ast.unparse(target)}")
            node.targets = [target.elts[1]]
            node.value = ast.Call(ast.Name("__last__", ast.Load()), [node.value], [])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
            return self.generic_visit(node)
        operands = [self.visit(node.left), self.visit(node.comparators[0])]
        same: ast.expr = ast.Call(ast.Name("__is__", ast.Load()), operands, [])
        if isinstance(node.ops[0], ast.IsNot):
            same = ast.UnaryOp(ast.Not(), same)
        return ast.copy_location(same, node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Rewrite `x or y.z`, used as a value and not as a test, to one truth value without a branch."""
        self.generic_visit(node)
        x, *rest = node.values
        if not isinstance(node.op, ast.Or) or not all(map(_is_read, rest)):
            return node
        for y in rest:
            x = ast.copy_location(ast.Call(ast.Name("__or__", ast.Load()), [x, y], []), node)
        return x

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> ast.AST:
        test = self.note_parts(node.test)
        node.test = ast.Constant(True)  # visited already
        self.generic_visit(node)
        node.test = test
        return node

    visit_IfExp = visit_If

    def visit_While(self, node: ast.While) -> Any:
        self.visit_If(node)
        return self.cut(node, node.test)

    def visit_For(self, node: ast.For) -> Any:
        number = self.numbers[id(node)]
        test = ast.parse(f"__cut__({number}).more()", mode="eval").body
        if self.loops[number] is not None:
            test = self.note(test, ast.unparse(node.iter), node.iter)
        self.generic_visit(node)
        return self.cut(node, test)

    def note_parts(self, test: ast.expr) -> ast.expr:
        """Record a condition; the operands of an `and` or `or` are recorded one by one."""
        if isinstance(test, ast.BoolOp):
            test.values = [self.note_parts(part) for part in test.values]
            return test
        text = ast.unparse(test)
        return self.note(self.visit(test), text, test)

    def note(self, asked: ast.expr, text: str, at: ast.expr) -> ast.expr:
        number = ast.Constant(len(self.conditions))
        self.conditions.append(Condition(self.method, text, self.file, at.lineno, at.col_offset))
        return ast.Call(ast.Name("__note__", ast.Load()), [number, asked], [])

    def cut(self, node: Cuttable, test: ast.expr) -> Any:
        number = self.numbers[id(node)]
        changes, cutter = self.loops[number], f"__cut__({number})"
        if changes is None:
            return node
        iterated, first = "None", ""
        if isinstance(node, ast.For):
            iterated, first = ast.unparse(node.iter), f"{ast.unparse(node.target)} = {cutter}.next()"
        forgotten = ((name, f"{name} = {cutter}.forget_value({name!r}, {name})") for name in changes.variables)
        head = [
            f"{cutter}.enter({iterated}, locals())",
            f"{cutter}.forget()",
            *(f"if {name!r} in locals(): {forget}" for name, forget in forgotten),
            *(f"{cutter}.forget_in_place({name!r}, locals())" for name in changes.in_place),
            *(f"{name} = None; del {name}" for name in changes.targets),
            f"{cutter}.assume(locals())",
        ]
        again, leave = (ast.parse(f"{cutter}.{what}").body for what in ("again(locals())", "leave()"))
        turn = [*ast.parse(first).body, *node.body, *again]
        once = ast.While(test, turn, [])  # one turn: `again` ends the path, and a `break` continues after the loop
        return [*ast.parse("\n".join(head)).body, once, *leave]
