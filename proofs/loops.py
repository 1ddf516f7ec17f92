"""Loops cut at their invariants, by rewriting the function's own source.

    while C: S        becomes        show the invariant
                                     forget what S may change
                                     assume the invariant
                                     if C: S; show the invariant and that the variant fell; end the path

Nothing is unrolled: the rewritten function has one path into the loop's body and one past the loop.  What is forgotten:
the local variables that S assigns, the attributes of self that S assigns, every container of self that S does more to
than read, and the number of combine calls.  That S changes nothing else, not even in a method that it calls, is an
obligation.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from swagproof.contracts.clause import Loop

CUT = "__cut__"


def assigned(loop: ast.While) -> tuple[list[str], list[str]]:
    """The local variables, and the attributes of self, that a loop's body assigns."""
    local: set[str] = set()
    attributes: set[str] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            local.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if _is_self(node.value):
                attributes.add(node.attr)
    return sorted(local), sorted(attributes)


def only_read(function: ast.AST, loop: ast.While) -> list[str]:
    """Attributes of self that the loop uses for nothing but reading `self.x[...]`, and the function never otherwise.

    None where the loop might reach them by another name: when it calls a method of self, or stores through anything
    but self.
    """
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_self(node.func.value):
            return []
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            if not (isinstance(node, ast.Attribute) and _is_self(node.value)):
                return []
    read = {id(n.value) for n in ast.walk(function) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)}
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Attribute) and _is_self(n.value)]
    return sorted({use.attr for use in uses} - {use.attr for use in uses if id(use) not in read})


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


class _CutLoops(ast.NodeTransformer):
    def __init__(self, function: ast.AST) -> None:
        self.function = function

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        local, attributes = assigned(node)
        head = [
            f"{CUT}.enter(locals())",
            f"{CUT}.forget({attributes!r}, {only_read(self.function, node)!r})",
            *(f"{name} = {CUT}.forgotten({name!r}, {name})" for name in local),
            f"{CUT}.assume(locals())",
        ]
        statements = ast.parse("\n".join(head)).body
        again = ast.parse(f"{CUT}.again(locals())").body
        cut = ast.If(test=node.test, body=[*node.body, *again], orelse=[])
        for new in [*statements, *again]:
            for part in ast.walk(new):
                ast.copy_location(part, node)
        return [*statements, ast.copy_location(cut, node)]


def has_loop(function: Callable[..., Any]) -> bool:
    """Whether a function's source contains a `while`.

    ValueError for what cannot be cut: another kind of loop, a second one, `else`, `break`, `continue`.
    """
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))))
    loops = [node for node in nodes if isinstance(node, ast.While)]
    if (
        len(loops) > 1
        or any(loop.orelse for loop in loops)
        or any(isinstance(node, ast.For | ast.comprehension | ast.Break | ast.Continue) for node in nodes)
    ):
        raise ValueError(f"{function.__qualname__}: only a single `while`, without break or else, can be cut")
    return bool(loops)


def _recompiled(function: Callable[..., Any], change: Callable[[ast.Module], ast.Module], **names: Any) -> Any:
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    scope: dict[str, Any] = {**function.__globals__, **names}
    exec(compile(ast.fix_missing_locations(change(tree)), inspect.getsourcefile(function) or "<loop>", "exec"), scope)
    return scope[function.__name__]


def cut(function: Callable[..., Any], cutter: Any) -> Callable[..., Any]:
    """The function with its loop cut; `cutter` is told when the loop is entered, forgotten, assumed and closed."""
    return _recompiled(function, lambda tree: _CutLoops(tree).visit(tree), **{CUT: cutter})  # type: ignore[no-any-return]  # compiled


class _WatchLoops(ast.NodeTransformer):
    def visit_While(self, node: ast.While) -> ast.While:
        look = ast.parse(f"{CUT}(locals()) or True", mode="eval").body
        for part in ast.walk(look):
            ast.copy_location(part, node.test)
        node.test = ast.copy_location(ast.BoolOp(ast.And(), [look, node.test]), node.test)
        return node


def watched(function: Callable[..., Any], look: Callable[[dict[str, Any]], None]) -> Callable[..., Any]:
    """The function as it is, but that `look` sees its local variables whenever its loop is about to be tested."""
    return _recompiled(function, _WatchLoops().visit, **{CUT: look})  # type: ignore[no-any-return]  # compiled


def loop_of(loops: dict[str, Loop], function: Callable[..., Any]) -> Loop:
    """The invariant that the contracts give for this function's loop.  KeyError with the way out when there is none."""
    try:
        return loops[function.__name__]
    except KeyError:
        raise KeyError(f"{function.__qualname__} has a loop; give its invariant in LOOPS of its contracts") from None
