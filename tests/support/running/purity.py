"""The purity lint: no state outside of objects, and no type tests of an algorithm's arguments.

Proofs pass symbolic values to an algorithm and explorers opaque letters, one object at a time.  Code that tests
`isinstance(t, int) and t > 1000`, or shares a list between objects, behaves differently there.  So the lint reads the
source of the references, and of their containers: see `find_impurities` for the forbidden constructs.
"""

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final, NamedTuple

from swagproof import reference
from swagproof.models import containers, shared
from swagproof.proofs.ledger.mutants import Mutant

ASKS: Final = frozenset(
    {"isinstance", "issubclass", "type", "hasattr", "getattr", "setattr", "delattr", "callable", "id", "hash", "repr"}
    | {"str", "format", "vars", "dir", "globals", "locals", "eval", "exec", "__import__", "open"}
)
"""Builtins that distinguish kinds of values, or bypass the code."""
BEHIND: Final = frozenset({"__class__", "__dict__", "__code__", "__defaults__"})
DECORATORS: Final = frozenset({"property", "dataclass", "contextmanager"})
METHODS: Final = frozenset({"__init__", "__call__"})
"""Special methods that Python does not call implicitly."""
CONVERTS: Final = frozenset({"exact"})
"""Functions that test a type to convert a number: TimeGram's ints and floats become Fractions."""
TABLES: Final = ("swagproof.reference.listings", "swagproof.reference.catalogue", "swagproof.reference.costs")
"""Modules of data: the papers' listings, the catalogue and the theorems' figures."""
DISPLAYS: Final = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)


class Impurity(NamedTuple):
    """A place in the source, and its text."""

    module: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.module}, line {self.line}: {self.what}"


@cache
def list_modules() -> tuple[ModuleType, ...]:
    """Return all modules of the references except the tables."""
    found = pkgutil.walk_packages(reference.__path__, f"{reference.__name__}.")
    return tuple(import_module(each.name) for each in found if not (each.ispkg or each.name.startswith(TABLES)))


@cache
def list_containers() -> tuple[ModuleType, ...]:
    """Return the modules of the references' containers, which are checked only for shared state."""
    found = pkgutil.walk_packages(containers.__path__, f"{containers.__name__}.")
    return (*(import_module(each.name) for each in found), shared)


def check(mutant: Mutant | None = None, module: ModuleType | None = None) -> str:
    """Return the first impurity of the references, or of a module with a mutant, or ""."""
    if mutant is not None and module is not None:
        return next(map(str, find_impurities(module.__name__, mutant.text_of(module))), "")
    for each in list_modules():
        for found in find_impurities(each.__name__, inspect.getsource(each)):
            return str(found)
    for each in list_containers():
        for found in find_shared_state(each.__name__, _parse(inspect.getsource(each))):
            return str(found)
    return ""


def _parse(source: str) -> ast.Module:
    """Parse the module without its checked classes, which consist of the contracts' decorators."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not (isinstance(node, ast.ClassDef) and node.name.startswith("Checked"))]
    return tree


def find_impurities(module: str, source: str) -> Iterator[Impurity]:
    """Yield shared state; type tests, except in a refusal (an `if` that only raises) or to distinguish records of
    windows; unknown decorators; methods that Python calls implicitly; a deque that drops its oldest entry."""
    tree = _parse(source)
    yield from find_shared_state(module, tree)
    allowed = _allowed(tree)
    for node in ast.walk(tree):
        what = ""
        if isinstance(node, ast.Name) and node.id in ASKS and node not in allowed:
            what = node.id
        elif isinstance(node, ast.Attribute) and node.attr in BEHIND:
            what = node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            unknown = {ast.unparse(each).partition("(")[0] for each in node.decorator_list} - DECORATORS
            what = f"the decorator {', '.join(sorted(unknown))}" if unknown else ""
            if isinstance(node, ast.FunctionDef) and node.name.startswith("__") and node.name not in METHODS:
                what = f"the method {node.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "deque":
            spread = any(isinstance(argument, ast.Starred) for argument in node.args)
            what = "a deque with a bound" if node.keywords or len(node.args) > 1 or spread else ""
        if what:
            yield Impurity(module, getattr(node, "lineno", 0), what)


def _allowed(tree: ast.Module) -> set[ast.AST]:
    """Return the parts of the source in which a type may be tested."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    own = {alias.name for node in imports if (node.module or "").startswith("swagproof.") for alias in node.names}
    own |= {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    allowed: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and not node.orelse and all(isinstance(each, ast.Raise) for each in node.body):
            allowed.append(node.test)
        elif isinstance(node, ast.FunctionDef):
            allowed += [node if node.name in CONVERTS else node.returns]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            allowed.append(node.annotation)
        elif isinstance(node, ast.Call) and ast.unparse(node) == "type(self)":
            allowed.append(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            if {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)} <= own:
                allowed.append(node.func)
    return {part for each in allowed if each is not None for part in ast.walk(each)}


def find_shared_state(module: str, tree: ast.Module) -> Iterator[Impurity]:
    """Yield default arguments and attributes of a class or module that can change, and assignments to the latter."""
    marks = {node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.bases and _is_mark(node)}
    for scope in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))):
        for node in scope.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if value is not None and _can_change(value, marks):
                yield Impurity(module, node.lineno, f"the state {ast.unparse(node).partition(' = ')[0]}")
    shared = {name for node in tree.body for name in _names_of(node)}
    for node in ast.walk(tree):
        what = ""
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None and _can_change(default, set()):
                    what = f"the default {ast.unparse(default)}"
        elif isinstance(node, ast.Global | ast.Nonlocal):
            what = f"{ast.unparse(node)}"
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            of_name = isinstance(node.value, ast.Name) and node.value.id in shared
            what = f"an assignment to {ast.unparse(node)}" if of_name or isinstance(node.value, ast.Call) else ""
        if what:
            yield Impurity(module, getattr(node, "lineno", 0), what)


def _can_change(value: ast.expr, marks: set[str]) -> bool:
    """Return whether a value is a container or a call's result, except type variables, record fields and marks."""
    made = [ast.unparse(node.func) for node in ast.walk(value) if isinstance(node, ast.Call)]
    return any(isinstance(node, DISPLAYS) for node in ast.walk(value) if not isinstance(value, ast.Subscript)) or any(
        name not in marks | {"TypeVar", "field", "object"} for name in made
    )


def _is_mark(node: ast.ClassDef) -> bool:
    """Return whether a class's objects have no attributes, so that each is only a mark."""
    stored = (each for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store))
    fields = (each for each in node.body if isinstance(each, ast.AnnAssign))
    return not any(stored) and not any(fields)


def _names_of(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module binds."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name for alias in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        yield from (
            each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        )
