"""Concrete checks of loop invariants: each loop of a method checks its invariant on every turn.

A cutter (swagproof.proofs.engine.run) assumes and shows the invariants for all states.  This module checks them in the
states of one history, which finds a wrong invariant without a solver.
"""

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from swagproof.contracts.clause import Loop, Loops, local_names
from swagproof.proofs.engine.source.methods import Cuttable, define, loops_in, parse

Look = Callable[[dict[str, Any], int, Any], object]
"""A function that receives a loop's local variables, the number of turns made, and the items of a `for` loop."""


def watch(function: Callable[..., Any], *looks: Look | None) -> Callable[..., Any]:
    """Return the function, changed to call each loop's `look` before each turn and after the last."""
    tree, file = parse(function)
    code = compile(ast.fix_missing_locations(_Watched(tree, looks).visit(tree)), file, "exec")
    return define(code, function, {"__look__": looks})  # type: ignore[no-any-return]  # compiled


def watch_invariants(
    algorithm: type,
    loops: Loops,
    state_of: Callable[[str, dict[str, Any]], Any],
    tell: Callable[[str, str, bool], object],
) -> dict[str, Any]:
    """Return the methods, changed so that their loops check their invariants on every turn.

    `state_of` maps a method's name and local variables to the state for the clauses, or to None to skip the check.
    `tell` receives the method, the name of a clause or "variant", and whether it holds.
    """
    turns, before = dict[str, int](), dict[str, int]()

    def look(
        method: str, loop: Loop, outer: int | None, local: dict[str, Any], done: int, items: list[Any] | None
    ) -> None:
        callers = [turns[each] for each in turns if each != f"{method}_done"]
        around = local.get(f"__done{outer}__", callers[-1] if callers else None)
        turns.pop(f"{method}_done", None)
        turns[f"{method}_done"] = done
        state = state_of(method, local)
        if state is None:
            return
        if done == 0:
            before[method] = state.calls
        kept = {"done": done, "before": before[method], "rest": set((items or [])[done:]), "around": around}
        names = {**local, **turns, **kept}
        for clause in loop.clauses:
            tell(method, clause.__name__, clause(state, **{name: names[name] for name in local_names(clause)}))
        tell(method, "variant", loop.variant(state, **{name: names[name] for name in local_names(loop.variant)}) >= 0)

    def watched(name: str) -> Callable[..., Any]:
        method = getattr(algorithm, name)
        outer = loops_around(parse(method)[0])
        looks = (partial(look, name, loop, outer[n]) if loop else None for n, loop in enumerate(loops[name]))
        return watch(method, *looks)

    return {name: watched(name) for name in loops}


def loops_around(function: ast.AST) -> dict[int, int | None]:
    """Return the number of the enclosing loop of each loop of a function; None where there is none."""
    loops = loops_in(function)
    inside = [set(map(id, ast.walk(loop))) for loop in loops]
    return {
        n: next((outer for outer in range(n - 1, -1, -1) if id(loop) in inside[outer]), None)
        for n, loop in enumerate(loops)
    }


class _Watched(ast.NodeTransformer):
    def __init__(self, tree: ast.AST, looks: tuple[Look | None, ...]) -> None:
        loops = loops_in(tree)
        if len(loops) != len(looks):
            raise ValueError(f"{len(loops)} loops: there are invariants for {len(looks)}")
        self.numbers = {id(loop): n for n, loop in enumerate(loops) if looks[n] is not None}

    def visit_While(self, node: ast.While) -> Any:
        number = self.numbers.get(id(node))
        self.generic_visit(node)
        if number is None:
            return node
        look = ast.parse(f"__look__[{number}](locals(), __done{number}__, None) or True", mode="eval").body
        node.test = ast.BoolOp(ast.And(), [look, node.test])
        return self.count_turns(node, number, [])

    def visit_For(self, node: ast.For) -> Any:
        number = self.numbers.get(id(node))
        self.generic_visit(node)
        if number is None:
            return node
        look = f"__look__[{number}](locals(), __done{number}__, __items{number}__)"
        before = ast.parse(f"__items{number}__ = list({ast.unparse(node.iter)})").body
        node.iter = ast.Name(f"__items{number}__", ast.Load())
        node.body = [*ast.parse(look).body, *node.body]
        return [*self.count_turns(node, number, before), *ast.parse(look).body]

    def count_turns(self, node: Cuttable, number: int, before: list[ast.stmt]) -> list[ast.stmt]:
        node.body = [*node.body, *ast.parse(f"__done{number}__ += 1").body]
        return [*before, *ast.parse(f"__done{number}__ = 0").body, node]
