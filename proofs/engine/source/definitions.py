"""Definitions of a module, read from its text: by name, by the place of running code, and their attributes."""

import ast
import inspect
import linecache
import sys
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Final, NamedTuple

CONTRACTS: Final = ("swagproof.contracts.", "swagproof.proofs.lemmas.")
"""The packages of clauses."""
ROOMS: Final = ("swagproof.reference.", "swagproof.models.", *CONTRACTS)
"""The packages whose code may run symbolically."""
CONTAINERS: Final = "swagproof.models.containers."
WHOLE: Final = ("swagproof.reference.", CONTAINERS)
"""The packages of the references and of their containers."""
COMPREHENSIONS: Final = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<locals>"})


def in_rooms(module: str) -> bool:
    """Return whether code of a module may run symbolically."""
    return module.startswith(ROOMS)


@cache
def module_of(name: str, file: str | None = None) -> "Module":
    """Return a module, or the text in this file that replaces the module or one of its methods."""
    return Module(name, file or inspect.getsourcefile(sys.modules[name]) or "")


class Found(NamedTuple):
    """A definition, and its module."""

    module: "Module"
    statement: ast.stmt


class Module:
    """The text of a module, or of a method that replaces one of its methods."""

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self.body = ast.parse("".join(linecache.getlines(file))).body
        self.names: dict[str, ast.stmt] = {}
        """Statements, by the names that they bind; members of a class as `Class.name`."""
        for statement in self.body:
            self.names |= dict.fromkeys(bound_by(statement), statement)
            if isinstance(statement, ast.ClassDef):
                self.names |= {f"{statement.name}.{name}": each for each in statement.body for name in bound_by(each)}

    @property
    def original(self) -> "Module":
        """The module without the replacement."""
        known = inspect.getsourcefile(sys.modules[self.name]) if self.name in sys.modules else self.file
        return self if self.file == known else module_of(self.name)

    def define(self, name: str) -> Found | None:
        """Return the definition of a name, also of an imported one; None for an undefined name, thus a builtin."""
        if name not in self.names:
            return None if self.original is self else self.original.define(name)
        source = str(getattr(self.names[name], "module", ""))
        return module_of(source).define(name) if in_rooms(source) else Found(self, self.names[name])

    def find(self, code: CodeType) -> tuple[list[ast.AST], ast.AST, str]:
        """Return the function of running code, or the lambdas on its line; the enclosing definition; and its class."""
        body, cls, line = self.body, "", code.co_firstlineno
        while True:
            node = next((n for n in body if _first_line(n) <= line <= (n.end_lineno or 0)), None)
            if node is None or not isinstance(node, ast.ClassDef) or line < node.lineno:
                break
            body, cls = node.body, node.name
        owner = next((p for p in reversed(code.co_qualname.split(".")) if p not in COMPREHENSIONS), "")
        parts: list[ast.AST] = [
            part
            for part in ast.walk(node or ast.Pass())
            if isinstance(part, ast.FunctionDef | ast.Lambda)
            and getattr(part, "name", "<lambda>") == owner
            and _first_line(part) <= line <= (part.end_lineno or 0)
        ]
        return parts, node or ast.Pass(), cls


class Attributes(NamedTuple):
    """Names of attributes."""

    methods: set[str]
    fields: set[str]
    """Fields and properties."""
    assigned: set[str]
    """Attributes that code may assign: fields of the references and of their containers."""


@cache
def attributes_of(module: Module, *, within: bool = True) -> Attributes:
    """Return the attributes of a module's classes, and of the references and models that it imports.

    Code outside of a container does not see the attributes that the container's methods assign to self.
    """
    found, own = Attributes(set(), set(), set()), set[str]()
    for statement in module.original.body:
        source = str(getattr(statement, "module", ""))
        if in_rooms(source) and not source.startswith(CONTRACTS):
            imported = attributes_of(module_of(source), within=not source.startswith(CONTAINERS))
            found.methods.update(imported.methods)
            found.fields.update(imported.fields)
            found.assigned.update(imported.assigned)
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef):
                for each in node.body:
                    if isinstance(each, ast.FunctionDef):
                        (own if each.decorator_list else found.methods).add(each.name)
                    elif isinstance(each, ast.AnnAssign):
                        own.add(ast.unparse(each.target))
            elif within and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                own.update({node.attr} if root_of(node) == "self" else ())
    found.fields.update(own)
    found.assigned.update(own if module.name.startswith(WHOLE) else ())
    return found


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module or a class binds."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (each.asname or each.name for each in names)
        case _:
            yield from bound_within(statement)


def bound_within(code: ast.AST | None) -> Iterator[str]:
    """Yield the names that code binds: parameters, variables, functions; each once per binding."""
    for node in ast.walk(code) if code is not None else ():
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.MatchAs) and node.name:
            yield node.name


def root_of(node: ast.expr) -> str:
    """Return the name with which a chain of attributes, items and calls begins."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _first_line(node: ast.stmt | ast.Lambda) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])
