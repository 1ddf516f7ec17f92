"""The source of a method: its text, syntax tree, lines and loops; and compilation of a tree that replaces it.

Trees keep the line numbers of the file.  A loop is identified by its number in the method.  Nothing here needs a
solver.
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
    """Return the loops of a function, numbered in source order."""
    loops = [node for node in ast.walk(function) if isinstance(node, Cuttable)]
    return sorted(loops, key=lambda loop: (loop.lineno, loop.col_offset))


@lru_cache(maxsize=2048)
def source_of(function: Callable[..., Any]) -> str:
    """Return the text of a method."""
    return textwrap.dedent(inspect.getsource(function))


def parse(function: Callable[..., Any], source: str | None = None) -> tuple[ast.Module, str]:
    """Return the tree of a method, or of a source that replaces it, with the file's line numbers, and the file."""
    tree = ast.parse(source or source_of(function))
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    return tree, inspect.getsourcefile(function) or "<method>"


def definition_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return a method's definition."""
    (definition,) = parse(function)[0].body
    assert isinstance(definition, ast.FunctionDef)
    return definition


def count_loops(function: Callable[..., Any]) -> int:
    """Return the number of a method's loops."""
    return len(loops_in(parse(function)[0]))


def define(code: CodeType, function: Callable[..., Any], names: dict[str, Any]) -> Any:
    """Return the function that compiled code defines, with the original's globals and these names."""
    scope: dict[str, Any] = {**function.__globals__, **names}
    exec(code, scope)
    return scope[function.__name__]
