"""A method as its text: where it stands, its tree, its loops; and a tree compiled in its place.

What rewrites a method, cuts its loops or watches them speaks of the lines of the file that people read, and of loops by
their number in it.  None of this needs a solver.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

Cuttable = ast.While | ast.For


def loops_in(function: ast.AST) -> list[Cuttable]:
    """The loops of a function, in the order of the source: loops are known by their number in it."""
    loops = [node for node in ast.walk(function) if isinstance(node, Cuttable)]
    return sorted(loops, key=lambda loop: (loop.lineno, loop.col_offset))


@lru_cache(maxsize=2048)
def source_of(function: Callable[..., Any]) -> str:
    """The text of a method."""
    return textwrap.dedent(inspect.getsource(function))


def parse(function: Callable[..., Any], source: str | None = None) -> tuple[ast.Module, str]:
    """A method's source, or another one that is to stand in its place, with the lines of its file; and the file."""
    tree = ast.parse(source or source_of(function))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    return tree, inspect.getsourcefile(function) or "<method>"


def definition_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """A method's definition."""
    (definition,) = parse(function)[0].body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def count_loops(function: Callable[..., Any]) -> int:
    """Return how many loops a method has."""
    return len(loops_in(parse(function)[0]))


def compile_into(tree: ast.Module, function: Callable[..., Any], file: str, names: dict[str, Any]) -> Any:
    """Return what the tree defines in the function's place: it sees the same globals, and these names."""
    return define(compile(ast.fix_missing_locations(tree), file, "exec"), function, names)


def define(code: CodeType, function: Callable[..., Any], names: dict[str, Any]) -> Any:
    """The same of a tree that is compiled."""
    scope: dict[str, Any] = {**function.__globals__, **names}
    exec(code, scope)
    return scope[function.__name__]
