"""Generated mutants: every small change of one node of a method's source."""

import ast
import difflib
import inspect
import itertools
import pickle
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.proofs.ledger.mutants import Edit, Mutant

IDENTITY: Final = ast.parse("self.monoid.identity", mode="eval").body
OTHER: Final[dict[type[ast.AST], type[Any]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
"""Operators, and their replacements."""

Change = Callable[[Any], Any]


def _changes(node: ast.AST, groups: Sequence[Sequence[str]], identity: bool) -> Iterator[Change]:
    """Yield the changes of a node: functions from it to its replacement."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        yield lambda call: call.args[0]
    elif isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        yield lambda call: ast.Call(call.func, call.args[::-1], [])
        yield lambda call: call.args[0]
        yield lambda call: call.args[1]
        if identity:
            yield lambda call: ast.Call(call.func, [call.args[0], IDENTITY], [])
            yield lambda call: ast.Call(call.func, [IDENTITY, call.args[1]], [])
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield lambda step: ast.BinOp(step.left, OTHER[type(step.op)](), step.right)
        yield lambda step: step.left
    elif isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            if type(operator) in OTHER:
                yield partial(_compared, number)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda constant: ast.Constant(not constant.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda constant: ast.Constant(constant.value + 1)
        if node.value:
            yield lambda constant: ast.Constant(constant.value - 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield lambda changed: changed.operand
    elif isinstance(node, ast.If | ast.While):
        yield lambda chosen: type(chosen)(ast.UnaryOp(ast.Not(), chosen.test), chosen.body, chosen.orelse)
        if isinstance(node, ast.If):
            yield lambda chosen: chosen.body
            yield lambda chosen: chosen.orelse or ast.Pass()
        else:
            yield lambda loop: ast.If(loop.test, loop.body, [])
    elif isinstance(node, ast.For):
        yield lambda _: ast.Pass()
        yield _backwards
    elif isinstance(node, ast.IfExp):
        yield lambda chosen: ast.IfExp(chosen.test, chosen.orelse, chosen.body)
        yield lambda chosen: chosen.body
        yield lambda chosen: chosen.orelse
    elif isinstance(node, ast.BoolOp):
        yield lambda both: ast.BoolOp(OTHER[type(both.op)](), both.values)
        for value in range(len(node.values)):
            yield partial(_without, value)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Raise | ast.Delete):
        yield lambda _: ast.Pass()
        if _matters_twice(node):
            yield lambda statement: [statement, statement]
        if isinstance(node, ast.AugAssign) and type(node.op) in OTHER:
            yield lambda step: ast.AugAssign(step.target, OTHER[type(step.op)](), step.value)
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    for other in dict.fromkeys(other for group in groups if name in group for other in group if other != name):
        yield partial(_renamed, other)


def _compared(number: int, test: ast.Compare) -> ast.Compare:
    ops = [OTHER[type(op)]() if at == number else op for at, op in enumerate(test.ops)]
    return ast.Compare(test.left, ops, test.comparators)


def _backwards(loop: ast.For) -> ast.For:
    items = ast.parse("reversed(list(items))", mode="eval").body
    changed: Any = ast.fix_missing_locations(_Renamed("items", loop.iter).visit(items))
    return ast.For(loop.target, changed, loop.body, loop.orelse)


class _Renamed(ast.NodeTransformer):
    """A transformer that replaces a name by an expression."""

    def __init__(self, name: str, by: ast.expr) -> None:
        self.name = name
        self.by = by

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.by if node.id == self.name else node


def _without(number: int, both: ast.BoolOp) -> ast.expr:
    left = [value for at, value in enumerate(both.values) if at != number]
    return ast.BoolOp(both.op, left) if len(left) > 1 else left[0]


def _matters_twice(statement: ast.stmt) -> bool:
    """Return whether repeating a statement may matter: it reads what it writes, or calls, or combines."""
    if isinstance(statement, ast.Assign):
        parts = list(ast.walk(statement.value))
        read = {ast.unparse(part) for part in parts if isinstance(part, ast.expr)}
        written = [part.elts if isinstance(part, ast.Tuple) else [part] for part in statement.targets]
        combines = any(isinstance(part, ast.Call) and "combine" in ast.unparse(part.func) for part in parts)
        return combines or any(ast.unparse(target) in read for targets in written for target in targets)
    return isinstance(statement, ast.AugAssign | ast.Expr | ast.Delete)


def _renamed(name: str, node: ast.Attribute | ast.Name) -> ast.expr:
    return ast.Name(name, node.ctx) if isinstance(node, ast.Name) else ast.Attribute(node.value, name, node.ctx)


class _Replaced(ast.NodeTransformer):
    """A transformer that changes one node."""

    def __init__(self, target: ast.AST, change: Change) -> None:
        self.target = target
        self.change = change

    def visit(self, node: ast.AST) -> Any:
        if node is not self.target:
            return self.generic_visit(node)
        changed = self.change(node)
        return ast.copy_location(changed, node) if isinstance(changed, ast.AST) else changed


def changed_trees(
    tree: ast.Module, groups: Sequence[Sequence[str]], identity: bool
) -> Iterator[tuple[int, ast.Module]]:
    """Yield every change of one node of code: its line, and the tree with the change at that line."""
    passed_over, copied = set(_not_code(tree)), pickle.dumps(tree)
    for number, node in enumerate(ast.walk(tree)):
        if node in passed_over:
            continue
        for change in _changes(node, groups, identity):
            mutant = pickle.loads(copied)  # a tenth of the time of `deepcopy`
            target = next(itertools.islice(ast.walk(mutant), number, None))
            yield getattr(node, "lineno", 0), ast.fix_missing_locations(_Replaced(target, change).visit(mutant))


def mutants(
    algorithm: type, groups: Sequence[Sequence[str]] = (), inherited: bool = True, part: str = ""
) -> list[Mutant]:
    """Every change of one node in one method, each text once; without `inherited`, only of the class's own methods.

    Changes are: operators, operands, constants, statements dropped and repeated, branches swapped and forced, loops run
    backwards or once, and names replaced by others of their group in `groups`.  `part` is the attribute of another
    algorithm that holds this class, if one does.
    """
    found = inspect.getmembers(algorithm, inspect.isfunction)
    methods = [name for name, made in found if inspect.unwrap(made) is made and (inherited or name in vars(algorithm))]
    made = [mutant for name in methods for mutant in _mutants_of(algorithm, name, groups)]
    return [replace(mutant, name=f"{part}.{mutant.name}", part=part) for mutant in made] if part else made


def _mutants_of(algorithm: type, method: str, groups: Sequence[Sequence[str]]) -> list[Mutant]:
    """Return every change of one node of a method."""
    made: dict[str, Mutant] = {}
    names = Counter[str]()
    identity = "monoid" in inspect.signature(algorithm).parameters
    source = textwrap.dedent(inspect.getsource(getattr(algorithm, method)))
    tree = ast.parse(source)
    original = ast.unparse(tree)
    for _, changed in changed_trees(tree, () if method == "__init__" else groups, identity):
        text = ast.unparse(changed)
        if text + "\n" not in made and text != original:
            name = f"{method}: {_difference(original, text)}"
            names[name] += 1
            name += f" (x{names[name]})" if names[name] > 1 else ""
            made[text + "\n"] = Mutant(name, (Edit(method, source, text + "\n"),))
    return list(made.values())


def _not_code(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield docstrings, annotations, error messages, and tests for type checkers: they change no answer."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            parts: list[ast.AST | None] = [node.returns, *(argument.annotation for argument in node.args.args)]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts = [node]
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            parts = [node.exc]
        elif isinstance(node, ast.Assert):
            parts = [node]
        else:
            continue
        for part in parts:
            if part is not None:
                yield from ast.walk(part)


def _difference(before: str, after: str) -> str:
    """Return the changed lines before and after."""
    earlier, later = before.splitlines(), after.splitlines()
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(earlier, later, strict=False)))
    lines = [line for line in difflib.ndiff(earlier[same:], later[same:]) if line[0] in "-+"]
    old, new = ("; ".join(line[2:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return f"{old or 'nothing'} -> {new or 'nothing'}"
