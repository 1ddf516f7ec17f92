"""The Python that the engine runs; anything else is refused, not proved.

A symbolic run sees what passes through its stand-ins.  What Python can do behind their backs (identity tests, handlers
of exceptions, other people's functions, attributes of the class, a second name for self) would be run but not seen, so
the source of every method is held against a small language first: the one that literal transcriptions are written in.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, Protocol

from swagproof.models.deque import ChunkedDeque
from swagproof.models.element import Element
from swagproof.models.stack import Stack
from swagproof.models.window import EmptyWindowError

STATEMENTS: Final = (ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.While, ast.Raise, ast.Pass)
EXPRESSIONS: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Tuple, ast.Constant, ast.BinOp, ast.BoolOp,
                      ast.UnaryOp, ast.Compare, ast.IfExp)  # fmt: skip
OPERATORS: Final = (ast.Add, ast.Sub, ast.Mult, ast.And, ast.Or, ast.Not, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE,
                    ast.Gt, ast.GtE, ast.Load, ast.Store)  # fmt: skip
GLOBALS: Final = (Element, EmptyWindowError)
"""What a method may name besides self, its parameters and its own variables."""
ATTRIBUTES: Final = frozenset(
    {"identity", "combine", "val", "agg"}
    | {name for kind in (ChunkedDeque, Stack) for name in vars(kind) if not name.startswith("_")}
)
"""What a method may ask of anything but self."""


def refuse_unseen(algorithm: type) -> None:
    """ValueError, with the place, when a class is written in more than the engine sees."""
    for cls in algorithm.__mro__:
        if cls in (object, Generic, Protocol):
            continue
        for name, member in vars(cls).items():
            method = inspect.isfunction(member)
            if name != "__init__" and (callable(member) if name.startswith("__") else not method):
                raise ValueError(f"{cls.__qualname__}.{name}: the engine sees methods, and attributes of the object")
            if method and name != "__init__":
                _refuse(member)


def _refuse(function: Callable[..., Any]) -> None:
    if inspect.unwrap(function) is not function:
        raise ValueError(f"{function.__qualname__}: the engine does not see through what wraps it")
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    for node, why in _unseen(definition, function.__globals__):
        line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        raise ValueError(f"{function.__qualname__}, line {line}: the engine does not know {why}")


def _unseen(definition: ast.AST, names: dict[str, Any]) -> Iterator[tuple[ast.AST, str]]:
    """What is beyond the language in a method, and why."""
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        yield definition, "how this is defined"
        return
    given = definition.args
    if given.vararg or given.kwarg or given.defaults or given.kwonlyargs or not given.args:
        yield definition, "parameters other than self and plain ones"
        return
    self, local = given.args[0].arg, {parameter.arg for parameter in given.args}
    nodes = [node for statement in definition.body for node in ast.walk(statement)]
    local |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    of_self = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    for node in nodes:
        if not isinstance(node, STATEMENTS + EXPRESSIONS + OPERATORS):
            yield node, f"{type(node).__name__}"
        elif isinstance(node, ast.Name) and node.id == self and id(node) not in of_self:
            yield node, "self by another name"
        elif isinstance(node, ast.Name) and node.id not in local and names.get(node.id) not in GLOBALS:
            yield node, f"the name {node.id}"
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner == self and not node.attr.startswith("__"):
                continue
            if node.attr not in ATTRIBUTES:
                yield node, f"the attribute {node.attr}"
            elif owner and isinstance(node.ctx, ast.Store):
                yield node, f"the place that {owner}.{node.attr} changes"
