"""Loops cut at their invariants, by rewriting the function's own source.

    while C: S        becomes        show the invariant
                                     forget what S may change
                                     assume the invariant
                                     if C: S; show the invariant and that the variant fell; end the path

    for x in XS: S    becomes        show the invariant with `done` = 0
                                     forget what S may change, and x
                                     assume the invariant for some `done` <= |XS|
                                     if done < |XS|: x = XS[done]; S; show the invariant with done + 1; end the path

Nothing is unrolled: the rewritten function has one path into the loop's body and one past the loop.  What is forgotten:
the local variables that S assigns, the attributes of self that S assigns, every container that S may do more to
than read, and the number of combine calls.  That S changes nothing else, not even in a method that it calls, is an
obligation, and so are that it leaves XS as it is, that what it assigns stays of its kind, that it gives the object no
attributes, and that it is not begun again before it has ended.  A variable that is not bound when the loop begins is
not bound at its head, and x is not bound behind it: code that counts on an earlier turn for either fails.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from swagproof.contracts.clause import Loop

CUT = "__cut__"


Cuttable = ast.While | ast.For


def loops_in(function: ast.AST) -> list[Cuttable]:
    """The loops of a function, in the order of the source."""
    loops = [node for node in ast.walk(function) if isinstance(node, Cuttable)]
    return sorted(loops, key=lambda loop: (loop.lineno, loop.col_offset))


def assigned(loop: Cuttable) -> tuple[list[str], list[str]]:
    """The local variables, and the attributes of self, that a loop assigns."""
    local: set[str] = set()
    attributes: set[str] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            local.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if _is_self(node.value):
                attributes.add(node.attr)
    return sorted(local), sorted(attributes)


def targets(loop: Cuttable) -> list[str]:
    """The variables that a `for` itself assigns."""
    return [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)] if isinstance(loop, ast.For) else []


def changed_in_place(loop: Cuttable) -> list[str]:
    """Local variables whose value the loop may change where it stands: by a method, an assignment to a part, or a call
    that is given it.  Not those that it reads a part of, asks for members, or iterates."""
    reads: set[int] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            reads.add(id(node.value))
        elif isinstance(node, ast.Compare):
            reads |= {id(part) for part in (node.left, *node.comparators)}
        elif isinstance(node, ast.For):
            reads.add(id(node.iter))
        elif isinstance(node, ast.While | ast.If | ast.IfExp):
            reads.add(id(node.test))
    return sorted({n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and id(n) not in reads} - {"self"})


def only_read(function: ast.AST, loop: Cuttable) -> list[str]:
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


def quiet_methods(algorithm: type) -> frozenset[str]:
    """Methods of self that are seen to write nothing: they assign local variables, and call but one another."""
    functions = inspect.getmembers(algorithm, inspect.isfunction)
    trees = {name: ast.parse(textwrap.dedent(inspect.getsource(function))) for name, function in functions}
    quiet = frozenset(trees)
    while True:
        left = frozenset(name for name in quiet if not may_write(trees[name], quiet))
        if left == quiet:
            return quiet
        quiet = left


def may_write(code: ast.AST, quiet: frozenset[str]) -> bool:
    """Whether code assigns attributes or parts, or calls methods of self that are not quiet.

    A guess: what is not forgotten for it is shown to be left as it is.
    """
    return any(
        (isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store))
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and _is_self(node.func.value)
            and node.func.attr not in quiet
        )
        for node in ast.walk(code)
    )


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


class _CutLoops(ast.NodeTransformer):
    def __init__(self, function: ast.AST, quiet: frozenset[str] | None) -> None:
        self.function = function
        self.quiet = quiet
        self.numbers = {id(loop): number for number, loop in enumerate(loops_in(function))}

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self.cut(node, node.test, "")

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        cutter = f"{CUT}[{self.numbers[id(node)]}]"
        return self.cut(
            node, ast.parse(f"{cutter}.more()", mode="eval").body, f"{cutter}.over({ast.unparse(node.iter)})"
        )

    def cut(self, node: Cuttable, test: ast.expr, before: str) -> list[ast.stmt]:
        cutter = f"{CUT}[{self.numbers[id(node)]}]"
        local, attributes = assigned(node)
        own = targets(node)
        if self.quiet is None:
            kept: list[str] | None = only_read(self.function, node)
        else:
            kept = [] if may_write(node, self.quiet) else None
        head = [
            before,
            f"{cutter}.enter(locals())",
            f"{cutter}.forget({attributes!r}, {kept!r})",
            *(f"if {name!r} in locals(): {name} = {cutter}.forgotten({name!r}, {name})" for name in local),
            *(f"{cutter}.changed({name!r}, locals())" for name in changed_in_place(node) if name not in local),
            *(f"{name} = None; del {name}" for name in own),
            f"{cutter}.assume(locals())",
        ]
        statements = ast.parse("\n".join(head)).body
        first = ast.parse(f"{ast.unparse(node.target)} = {cutter}.next()").body if isinstance(node, ast.For) else []
        again = ast.parse(f"{cutter}.again(locals())").body
        leave = ast.parse(f"{cutter}.leave()").body
        made = [*statements, *first, *again, *leave, *([test] if isinstance(node, ast.For) else [])]
        for new in made:
            for part in ast.walk(new):
                ast.copy_location(part, node)
        self.generic_visit(node)
        whole = ast.If(test=test, body=[*first, *node.body, *again], orelse=[])
        return [*statements, ast.copy_location(whole, node), *leave]


def refuse_uncuttable(function: Callable[..., Any]) -> int:
    """How many loops the function has.  ValueError for what cannot be cut: `else`, `break`, `continue`, comprehensions,
    a return out of a loop's body is no trouble."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    loops = loops_in(tree)
    if any(loop.orelse for loop in loops) or any(
        isinstance(node, ast.comprehension | ast.Break | ast.Continue | ast.AsyncFor) for node in ast.walk(tree)
    ):
        raise ValueError(f"{function.__qualname__}: only `while` and `for`, without break or else, can be cut")
    return len(loops)


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
    (definition,) = tree.body
    assert isinstance(definition, ast.FunctionDef)
    scope: dict[str, Any] = {**function.__globals__, **names}
    exec(compile(ast.fix_missing_locations(change(tree)), inspect.getsourcefile(function) or "<loop>", "exec"), scope)
    return scope[definition.name]


def cut(
    function: Callable[..., Any],
    *cutters: Any,
    quiet: frozenset[str] | None = None,
    change: Callable[[Any], Any] = lambda tree: tree,
    **names: Any,
) -> Any:
    """The function with its loops cut; each one's cutter is told when it is entered, forgotten, assumed and closed.

    With `quiet`, a loop that writes nothing and calls only those methods keeps all containers (the cutter is told
    None); without, those that it reads and the function never writes.  `change` rewrites the source further, and
    `names` are put before the function's own globals.
    """
    return _recompiled(function, lambda tree: change(_CutLoops(tree, quiet).visit(tree)), **{CUT: cutters, **names})


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


class _WatchEvery(ast.NodeTransformer):
    def __init__(self, function: ast.AST) -> None:
        self.numbers = {id(loop): number for number, loop in enumerate(loops_in(function))}

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        number = self.numbers[id(node)]
        self.generic_visit(node)
        look = ast.parse(f"{CUT}[{number}](locals(), __done{number}__, None) or True", mode="eval").body
        node.test = ast.BoolOp(ast.And(), [look, node.test])
        return self.counted(node, number, [])

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        number = self.numbers[id(node)]
        self.generic_visit(node)
        look = f"{CUT}[{number}](locals(), __done{number}__, __items{number}__)"
        before = ast.parse(f"__items{number}__ = list({ast.unparse(node.iter)})").body
        node.iter = ast.Name(f"__items{number}__", ast.Load())
        node.body = [*ast.parse(look).body, *node.body]
        return [*self.counted(node, number, before), *ast.parse(look).body]

    def counted(self, node: Cuttable, number: int, before: list[ast.stmt]) -> list[ast.stmt]:
        node.body = [*node.body, *ast.parse(f"__done{number}__ += 1").body]
        made = [*before, *ast.parse(f"__done{number}__ = 0").body, node]
        for statement in made:
            for part in ast.walk(statement):
                ast.copy_location(part, node)
        return made


def watched_loops(
    function: Callable[..., Any], *looks: Callable[[dict[str, Any], int, Any], None]
) -> Callable[..., Any]:
    """The function as it is, but that each loop's `look` sees the local variables, how many turns were made, and what a
    `for` iterates, before each turn and when there is none left."""
    return _recompiled(function, lambda tree: _WatchEvery(tree).visit(tree), **{CUT: looks})  # type: ignore[no-any-return]  # compiled


def loop_of(loops: dict[str, Loop], function: Callable[..., Any]) -> Loop:
    """The invariant that the contracts give for this function's loop.  KeyError with the way out when there is none."""
    try:
        return loops[function.__name__]
    except KeyError:
        raise KeyError(f"{function.__qualname__} has a loop; give its invariant in LOOPS of its contracts") from None
