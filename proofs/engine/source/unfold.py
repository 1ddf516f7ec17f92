"""Unfolding of generators and comprehensions into plain loops.

The engine proves a loop by its invariant.  A comprehension is a loop whose partial result has no name; a generator is a
loop whose body is in two places.  So `unfold` rewrites them into the statements by which Python defines them:

    y = [e for x in XS if c]          y = []
                                      for x in XS:
                                          if c: y.append(e)

    for x in self.g(): S              the body of g, in which `yield e` is x = e; S

and `list(self.g())` is [x for x in self.g()].  A comprehension within a statement moves before it, under the name
`listed`, if that statement calls nothing before it.  The variables of g are renamed to `g_...`; invariants use these
names.

Limit: other forms are left unchanged, and the language check refuses them (swagproof.proofs.engine.language).
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from typing import Any

Consume = Callable[[ast.expr], list[ast.stmt]]
"""The statements that use an item, given its expression."""


def is_generator(function: Callable[..., Any]) -> bool:
    """Return whether a function is a generator, which is unfolded at its uses and not run by itself."""
    return inspect.isgeneratorfunction(function)


def unfold(definition: ast.FunctionDef, generators: dict[str, ast.FunctionDef]) -> str | None:
    """Return the source of a method with generators and comprehensions unfolded; None if there are none."""
    before = ast.unparse(definition)
    unfolder = _Unfolder(definition, generators)
    definition.body = unfolder.write_out(definition.body)
    after = ast.unparse(ast.fix_missing_locations(definition))
    return None if after == before else after


class _Unfolder:
    def __init__(self, definition: ast.FunctionDef, generators: dict[str, ast.FunctionDef]) -> None:
        self.generators = generators
        self.lists = 0
        within = {
            id(part) for node in ast.walk(definition) if isinstance(node, ast.ListComp) for part in ast.walk(node)
        }
        self.taken = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and id(n) not in within}
        """The method's names outside of comprehensions, which have their own scopes."""

    def write_out(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Unfold the comprehensions and generators of statements."""
        return [made for statement in statements for made in self.write(statement)]

    def write(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If | ast.While):
            node.body, node.orelse = self.write_out(node.body), self.write_out(node.orelse)
            return [node]
        if isinstance(node, ast.For):
            target, body = node.target, self.write_out(node.body)
            if self.generator(node.iter) is not None:
                return self.loop(node.iter, lambda item: [ast.Assign([target], item), *body])
            first = self.hoist(node.iter, lambda name: setattr(node, "iter", name))
            node.body = body
            return [*first, node]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and self.is_list(node.value):
            return self.fill(node.targets[0].id, node.value)
        return [*self.hoist_parts(node), node]

    def generator(self, node: ast.expr) -> ast.FunctionDef | None:
        """Return the generator method of self that an expression calls without arguments, if any."""
        called = node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "self":
            return self.generators.get(called.attr)
        return None

    def is_list(self, node: ast.AST) -> bool:
        """Return whether a node is a comprehension of one loop, or `list` of a generator."""
        if isinstance(node, ast.ListComp):
            return len(node.generators) == 1
        listed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"
        return listed and len(node.args) == 1 and self.generator(node.args[0]) is not None  # type: ignore[attr-defined]  # a call

    def hoist(self, node: ast.expr, put: Callable[[ast.expr], None]) -> list[ast.stmt]:
        if not self.is_list(node):
            return self.hoist_parts(node)
        self.lists += 1
        name = "listed" if self.lists == 1 else f"listed_{self.lists}"
        put(ast.Name(name, ast.Load()))
        return self.fill(name, node)

    def hoist_parts(self, node: ast.AST) -> list[ast.stmt]:
        """Move the comprehensions within a node to statements before it, except those after a call."""
        lists = [part for part in ast.walk(node) if self.is_list(part)]
        inside = {id(part) for each in lists for part in list(ast.walk(each))[1:]}
        calls = [c for c in ast.walk(node) if isinstance(c, ast.Call) and id(c) not in inside and c not in lists]
        made: list[ast.stmt] = []
        for each in sorted((each for each in lists if id(each) not in inside), key=_place):
            before = [call for call in calls if _place(call) < _place(each)]
            if all(any(part is each for part in ast.walk(call)) for call in before):
                made += self.hoist(each, _Put(node, each))  # type: ignore[arg-type]  # an expression, as it is a list
        return made

    def fill(self, name: str, node: ast.expr) -> list[ast.stmt]:
        """Return the statements that build the list of this name, item by item."""

        def append(item: ast.expr) -> list[ast.stmt]:
            return [ast.Expr(ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [item], []))]

        start = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        if isinstance(node, ast.Call):
            return [start, *self.loop(node.args[0], append)]
        assert isinstance(node, ast.ListComp)
        (loop,) = node.generators
        _rename([node], {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)} & self.taken, name)
        body = append(node.elt)
        for test in reversed(loop.ifs):
            body = _only_if(test, body)
        if self.generator(loop.iter) is not None:
            return [start, *self.loop(loop.iter, lambda item: [ast.Assign([loop.target], item), *body])]
        return [start, ast.For(loop.target, loop.iter, body, [])]

    def loop(self, call: ast.expr, consume: Consume) -> list[ast.stmt]:
        """Return the body of a generator, with each yield replaced by the use of its item."""
        generator = self.generator(call)
        assert generator is not None
        bound = {n.id for n in ast.walk(generator) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        body = [statement for statement in generator.body if not _is_text(statement)]
        made = ast.parse("\n".join(map(ast.unparse, body)))
        yields = [n for n in ast.walk(made) if isinstance(n, ast.Yield | ast.YieldFrom | ast.Return)]
        plain = [n for n in ast.walk(made) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Yield)]
        if len(yields) != 1 or len(plain) != 1 or plain[0].value.value is None:  # type: ignore[attr-defined]  # a yield
            raise ValueError(f"{generator.name}: the engine knows generators that yield in one place")
        _rename(made.body, bound, generator.name)
        return self.write_out(_Yielded(consume).visit(made).body)


class _Yielded(ast.NodeTransformer):
    def __init__(self, consume: Consume) -> None:
        self.consume = consume

    def visit_Expr(self, node: ast.Expr) -> Any:
        return self.consume(node.value.value) if isinstance(node.value, ast.Yield) and node.value.value else node


class _Put:
    """A function that replaces a part of a tree by a name."""

    def __init__(self, whole: ast.AST, part: ast.AST) -> None:
        self.whole = whole
        self.part = part

    def __call__(self, name: ast.expr) -> None:
        for node in ast.walk(self.whole):
            for field, value in ast.iter_fields(node):
                if value is self.part:
                    setattr(node, field, name)
                elif isinstance(value, list):
                    value[:] = [name if each is self.part else each for each in value]  # pyright: ignore[reportUnknownVariableType]  # of any kind


def _only_if(test: ast.expr, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return `if test: body`, with a `:=` at the beginning of the test moved before it."""
    first = test.left if isinstance(test, ast.Compare) else test
    if not isinstance(first, ast.NamedExpr):
        return [ast.If(test, body, [])]
    name = ast.Name(first.target.id, ast.Load())
    if isinstance(test, ast.Compare):
        test.left = name
    return [
        ast.Assign([ast.Name(name.id, ast.Store())], first.value),
        ast.If(test if isinstance(test, ast.Compare) else name, body, []),
    ]


def _rename(code: Sequence[ast.AST], names: set[str], owner: str) -> None:
    """Prefix these names with their owner's name."""
    for node in (part for each in code for part in ast.walk(each)):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = f"{owner}_{node.id}"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
