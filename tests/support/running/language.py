"""The language of the references: all their code is read, not only what a proof runs.

Explorers and histories run an algorithm on a few values, sizes and times.  Code that tests `v is None`, waits for a
size of 512, or keeps a list in its class behaves differently elsewhere.  So the allow-list of the proofs
(swagproof.proofs.engine.language) is applied to every definition of the references and of their containers, with the
additions listed here for code that no proof runs, and with one rule more: no number but those of `NUMBERS`.
"""

import ast
import inspect
import linecache
import pkgutil
import zlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from swagproof import reference
from swagproof.models import containers, shared
from swagproof.proofs.engine.language import Reader, Unseen
from swagproof.proofs.engine.source.definitions import Module
from swagproof.proofs.ledger.mutants import Mutant

TABLES: Final = ("swagproof.reference.listings", "swagproof.reference.catalogue", "swagproof.reference.costs")
"""Modules of data: the papers' listings, the catalogue and the theorems' figures."""
NUMBERS: Final = (0, 1, 2, 3, 4)
"""The numbers in the papers' listings; others need a name in their module."""
NAMES: Final = frozenset("OrderedDict dict floor gcd int iter lcm super".split())
METHODS: Final = frozenset("get move_to_end popitem start stop values".split())
"""Functions and methods of Python that no proof runs."""
EXEMPT: Final = {
    "swagproof.models.containers.deque._Vacant.__repr__": "for reports",
    "swagproof.models.containers.deque.Pointer.__repr__": "for reports",
    "swagproof.models.containers.deque.Pointer.__hash__": "for sets of pointers in contracts",
    "swagproof.models.containers.deque.ChunkedDeque.pointers": "for contracts",
    "swagproof.models.containers.search_tree.highest": "the golden ratio of an AVL tree's height",
    "swagproof.models.shared.Registry.known": "lists the sizes in its message",
    "swagproof.reference.related_work.slick_deque.NotSelectiveError.__init__": "makes its message",
    "swagproof.reference.sharing.timegram.exact": "refuses floats, makes Fractions of ints",
    "swagproof.reference.trees.fiba_bulk.BulkFiba.aggregates_put_off": "repairs also after an exception",
    "swagproof.reference.windows.windowing.Windowing.feed": "takes the next item after one that was refused",
}
"""Definitions with more of Python, and the reasons."""


class Lint(Reader):
    """The rules for one definition, which need not run over symbolic values.

    It may test the types of the project's classes and, in a refusal (an `if` that only raises), of arguments.
    """

    syntax = (*Reader.syntax, ast.MatchSequence, ast.SetComp)

    def follow(self, name: str) -> None:
        """Read no other definition: each is read where it stands."""

    def read(self, node: ast.AST, parent: ast.AST) -> None:
        """Read a part of the definition."""
        match node:
            case ast.If(body=[ast.Raise() as refusal], orelse=[]) if _asks(node.test):
                self.read(refusal, node)
            case ast.Call(func=ast.Name(id="isinstance"), args=[what, kinds]) if not _asks(kinds):
                self.read(what, node)
            case ast.Attribute(attr="__init__", value=ast.Call(func=ast.Name(id="super"))):
                pass
            case ast.Constant(value=int() | float() as number) if number not in NUMBERS:
                self.refuse(node, f"the number {number}")
            case ast.Constant(value=str()) if not isinstance(parent, ast.BinOp | ast.Attribute):
                pass
            case _:
                super().read(node, parent)

    def read_message(self, said: list[ast.expr]) -> None:
        """Accept any message."""

    def knows(self, name: str, parent: ast.AST) -> bool:
        """Return whether the name is known."""
        return name in NAMES or super().knows(name, parent)

    def why_not_attribute(self, node: ast.Attribute, parent: ast.AST, by: ast.expr | None) -> str:
        """Return the reason for refusing an attribute; "" if it is allowed."""
        return "" if node.attr in METHODS else super().why_not_attribute(node, parent, by)

    def runs_as_it_stands(self) -> bool:
        """Accept identity tests, which histories of opaque values check (support.running.long_histories)."""
        return False


def _asks(test: ast.expr) -> bool:
    """Return whether an expression names a builtin type, or asks for a type."""
    return any(
        isinstance(each, ast.Name) and each.id in ("type", "int", "str", "float", "isinstance")
        for each in ast.walk(test)
    )


def check(mutant: Mutant | None = None, module: ModuleType | None = None) -> str:
    """Return the first part of the references outside of the language, or of a module with a mutant, or ""."""
    if mutant is not None and module is not None:
        text = mutant.text_of(module)
        file = f"<language: {mutant.name}, {zlib.crc32(text.encode()):08x}>"
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        return next(find_unknown(Module(module.__name__, file)), "")
    modules = (Module(each.__name__, inspect.getsourcefile(each) or "") for each in list_modules())
    return next((found for each in modules for found in find_unknown(each)), "")


@cache
def list_modules() -> tuple[ModuleType, ...]:
    """Return the modules of the references, except the tables, and of their containers."""
    found = [
        each
        for package in (reference, containers)
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    names = [each.name for each in found if not (each.ispkg or each.name.startswith(TABLES))]
    return *map(import_module, names), shared


def find_unknown(module: Module) -> Iterator[str]:
    """Yield the parts of a module outside of the language."""
    for statement in module.body:
        if not (isinstance(statement, ast.ClassDef) and statement.name.startswith("Checked")):
            yield from _try(Lint(module, module.name), "read_top", statement)
            members = statement.body if isinstance(statement, ast.ClassDef) else [statement]
            cls = statement.name if isinstance(statement, ast.ClassDef) else ""
            for member in members:
                place = ".".join(filter(None, (module.name, cls, getattr(member, "name", ""))))
                if isinstance(member, ast.FunctionDef) and place not in EXEMPT:
                    yield from _try(Lint(module, place, member, cls=cls), "read", member)


def _try(lint: Lint, how: str, node: ast.stmt) -> Iterator[str]:
    try:
        getattr(lint, how)(node, node)
    except Unseen as found:
        yield str(found)
