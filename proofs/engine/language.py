"""The Python that the engine runs; anything else is refused, not proved.

A symbolic run sees what passes through its stand-ins.  What Python can do behind their backs (identity tests, handlers
of exceptions, other people's functions, attributes of the class, a second name for self) would be run but not seen, so
the source of every method is held against a small language first: the one that literal transcriptions are written in.
"""

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol

from swagproof.models.containers.array import Array
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError


@dataclass(frozen=True)
class Language:
    """What methods may be written in."""

    statements: tuple[type[ast.stmt], ...]
    expressions: tuple[type[ast.expr], ...]
    operators: tuple[type[ast.AST], ...]
    names: tuple[Any, ...]
    """What a method may name besides self, its parameters and its own variables."""
    attributes: frozenset[str]
    """What a method may ask of anything but self."""
    fields: frozenset[str] = frozenset()
    """What a method may assign to anything but self: fields of a struct where it stands."""
    called: frozenset[str] = frozenset()
    """Attributes that are called on the spot: kept for later, they would change a container without naming it."""
    typed: bool = False
    """Whether variables may be annotated, and the message of an exception formatted."""
    closed: bool = True
    """Whether names, attributes and parameters are held to the language too, and not only how they are put together."""


FIFO: Final = Language(
    (ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.While, ast.Raise, ast.Pass),
    (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Tuple, ast.Constant, ast.BinOp, ast.BoolOp,
     ast.UnaryOp, ast.Compare, ast.IfExp),
    (ast.Add, ast.Sub, ast.Mult, ast.And, ast.Or, ast.Not, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE,
     ast.Gt, ast.GtE, ast.Load, ast.Store),
    (Element, EmptyWindowError),
    frozenset(
        {"identity", "combine", "val", "agg"}
        | {name for kind in (ChunkedDeque, Stack) for name in vars(kind) if not name.startswith("_")}
    ),
    frozenset({"val", "agg"}),
)  # fmt: skip
"""Pointers into a deque, stacks, structs."""

ARRAYS: Final = Language(
    (*(kind for kind in FIFO.statements if kind is not ast.AugAssign), ast.For),
    FIFO.expressions,
    (*FIFO.operators, ast.FloorDiv, ast.Mod, ast.In, ast.NotIn),
    (Array, set, range, IndexError, ValueError),
    frozenset({"combine", "identity", "add"}),
    called=frozenset({"add"}),
    typed=True,
)
"""Arrays, and sets of numbers that are iterated; no other name for what is kept, as `+=` on a set makes one."""

NODES: Final = Language(
    (ast.Return, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Pass),
    (*FIFO.expressions, ast.Slice, ast.Starred, ast.List),
    (*FIFO.operators, ast.Is, ast.IsNot),
    (),
    frozenset(),
    typed=True,
    closed=False,
)
"""Nodes of a tree, and lists of them: `is` and list displays are rewritten."""


def refuse_unseen(algorithm: type, language: Language = FIFO) -> None:
    """ValueError, with the place, when a class is written in more than the engine sees."""
    for cls in algorithm.__mro__:
        if cls in (object, Generic, Protocol):
            continue
        for name, member in vars(cls).items():
            method = inspect.isfunction(member)
            if name != "__init__" and (callable(member) if name.startswith("__") else not method):
                raise ValueError(f"{cls.__qualname__}.{name}: the engine sees methods, and attributes of the object")
            if method and name != "__init__":
                refuse(member, language)


def refuse(function: Callable[..., Any], language: Language, source: str | None = None) -> None:
    """ValueError, with the place, when a method (or the source that stands for it) is in more than the language."""
    if inspect.unwrap(function) is not function:
        raise ValueError(f"{function.__qualname__}: the engine does not see through what wraps it")
    if function.__code__.co_freevars:
        raise ValueError(f"{function.__qualname__}: the engine does not see names of the function around it")
    definition = ast.parse(source or textwrap.dedent(inspect.getsource(function))).body[0]
    for node, why in _unseen(definition, {**vars(builtins), **function.__globals__}, language):
        line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        raise ValueError(f"{function.__qualname__}, line {line}: the engine does not know {why}")


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """What the run takes no notice of: annotations, and names formatted in the message of an exception."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node
        yield from ast.walk(node.annotation)
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        for message in node.exc.args:
            parts = list(ast.walk(message))
            shown = (ast.JoinedStr, ast.FormattedValue, ast.Name, ast.Attribute, ast.Constant, ast.Load)
            if isinstance(message, ast.JoinedStr) and all(isinstance(part, shown) for part in parts):
                yield from parts


def _unseen(definition: ast.AST, names: dict[str, Any], language: Language) -> Iterator[tuple[ast.AST, str]]:
    """What is beyond the language in a method, and why."""
    if not isinstance(definition, ast.FunctionDef) or (definition.decorator_list and language.closed):
        yield definition, "how this is defined"
        return
    given = definition.args
    plain = not (given.vararg or given.kwarg or given.defaults or given.kwonlyargs or given.posonlyargs)
    if (language.closed and not plain) or not given.args or given.args[0].arg != "self":
        yield definition, "parameters other than self and plain ones"
        return
    self, local = given.args[0].arg, {parameter.arg for parameter in given.args}
    nodes = [node for statement in definition.body for node in ast.walk(statement)]
    if language.typed:
        silent = {id(part) for node in nodes for part in _unread(node)}
        nodes = [node for node in nodes if id(node) not in silent]
    local |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    of_self = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    unread = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    unread |= {id(a) for n in nodes if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Call) for a in n.exc.args}
    for node in nodes:
        if not isinstance(node, language.statements + language.expressions + language.operators):
            yield node, f"{type(node).__name__}"
        elif isinstance(node, ast.While | ast.For) and node.orelse:
            yield node, "the else of a loop"
        elif not language.closed:
            continue
        elif isinstance(node, ast.Name) and node.id == self and id(node) not in of_self:
            yield node, "self by another name"
        elif isinstance(node, ast.Name) and node.id not in local and not _means_known(node.id, names, language):
            yield node, f"the name {node.id}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in unread:
            yield node, "texts, which numbers can be formatted into"
        elif isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner == self and not node.attr.startswith("__"):
                continue
            if node.attr not in language.attributes:
                yield node, f"the attribute {node.attr}"
            elif isinstance(node.ctx, ast.Store) and not (
                isinstance(node.value, ast.Subscript | ast.Call) and node.attr in language.fields
            ):
                yield node, f"the place that {ast.unparse(node)} changes"
            elif node.attr in language.called and id(node) not in called:
                yield node, f"{ast.unparse(node)} without a call"


def _means_known(name: str, names: dict[str, Any], language: Language) -> bool:
    """Whether a name means what the language has by that name."""
    meant = [known for known in language.names if known.__name__ == name]
    return bool(meant) and names.get(name) is meant[0]
