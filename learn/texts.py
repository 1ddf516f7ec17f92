"""The text of an algorithm: its functions with their tags, and the classes that a changed text defines.

The page shows and runs the very source that is proved. A changed function (of a registered mutant, or typed by the
user) replaces the one in the text of its module. The algorithm's modules are then executed again, each under its own
file name, so that steps and tracebacks show the changed lines. This runs code: use it only in a watched process
(`serving/watched.py`).
"""

import ast
import inspect
import linecache
import re
import sys
import textwrap
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from traceback import walk_tb
from types import ModuleType
from typing import Any, Final

from swagproof.oracle.trace import InputError
from swagproof.reference.listings.listing import TAG, Listing

ROOM: Final = "swagproof.reference."
OURS: Final = re.compile(r"# \[(ours[^\]]*)\]")
"""The tag of a line for a decision that the paper leaves open."""


@dataclass(frozen=True)
class Function:
    """A function of the text, as whole lines."""

    name: str
    """The qualified name: `Daba.fixup`."""
    file: str
    first: int
    """The number of its first line in its file."""
    lines: tuple[str, ...]
    summary: str
    """The first line of its docstring."""
    is_expression: bool
    """True if it is a single `return`, such as Π_F: it is part of the line that calls it, and has no steps."""

    @property
    def key(self) -> tuple[str, int]:
        """Return its key in a frame: file and first line."""
        return self.file, self.first

    def as_json(self) -> dict[str, Any]:
        """Return the fields that the page shows."""
        return {
            "name": self.name,
            "first": self.first,
            "file": self.file,
            "lines": [
                {"text": line, "tags": TAG.findall(line), "ours": (OURS.search(line) or ["", ""])[1]}
                for line in self.lines
            ],
        }


class Text:
    """The modules of an algorithm, original or changed."""

    def __init__(self, algorithm: type[Any], changes: Mapping[str, str] | None = None) -> None:
        self.name = algorithm.__name__
        home = algorithm.__module__
        self.modules = [sys.modules[name] for name in _modules_of(algorithm)]
        self.namespace: dict[str, Any] = vars(sys.modules[home])
        """The names of the algorithm's own module, original or changed."""
        self.changed = dict(changes or {})
        self.sources = {module.__name__: inspect.getsource(module) for module in self.modules}
        self.files = {module.__name__: str(module.__file__) for module in self.modules}
        if self.changed:
            self._splice()
            self.namespace = self._run()[home]
        self.algorithm: type[Any] = self.namespace[self.name]
        self.functions = [
            function
            for module in reversed(self.modules)  # the algorithm's own module first, then those that it uses
            for function in _functions(self.sources[module.__name__], self.files[module.__name__])
            if not function.name.startswith("Checked")
        ]

    @property
    def is_foreign(self) -> bool:
        """Return whether some of it differs from the reference."""
        return bool(self.changed) or not self.modules

    @classmethod
    def typed(cls, source: str) -> "Text":
        """Run a user's module, and return its text.  Raises InputError."""
        text = cls.__new__(cls)
        module = run_text("yours", source)
        text.name, text.modules, text.changed, text.namespace = "yours", [], {}, vars(module)
        text.sources, text.files = {"yours": source}, {"yours": str(module.__file__)}
        text.functions = [*_functions(source, str(module.__file__))]
        return text

    def _splice(self) -> None:
        """Replace each changed function in the text of its module."""
        for name, text in self.changed.items():
            try:
                ast.parse(textwrap.dedent(text))
            except SyntaxError as error:
                raise InputError(f"{name}, line {error.lineno} of the text below: {error.msg}") from None
            found = [
                (module, function)
                for module, source in self.sources.items()
                for function in _functions(source, "")
                if function.name == name
            ]
            if not found:
                raise InputError(f"{name}: the text of {self.name} has no such function")
            module, function = found[0]
            lines = self.sources[module].split("\n")
            start = function.first - 1
            lines[start : start + len(function.lines)] = text.rstrip("\n").split("\n")
            self.sources[module] = "\n".join(lines)

    def _run(self) -> dict[str, dict[str, Any]]:
        """Execute the modules again, the lowest first; each one sees those executed before it."""
        made: dict[str, dict[str, Any]] = {}
        try:
            for name, source in self.sources.items():
                fresh = run_text(name, source)
                self.files[name], made[name] = str(fresh.__file__), vars(fresh)
        finally:
            sys.modules.update({module.__name__: module for module in self.modules})
        return made


def run_text(name: str, source: str) -> ModuleType:
    """Run a text as the module of this name.  Raises InputError, which names the line of an error.

    It stays the module of this name, because a dataclass looks up its module if annotations are strings.
    """
    module = ModuleType(name)
    module.__file__ = file = f"<{name}, {zlib.crc32(source.encode()):08x}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    sys.modules[name] = module
    try:
        exec(compile(source, file, "exec"), vars(module))
    except SyntaxError as error:
        raise InputError(f"line {error.lineno}: {error.msg}") from None
    except Exception as error:
        lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
        raise InputError(f"line {lines[-1] if lines else 0}: {type(error).__name__}: {error}") from None
    return module


def _modules_of(algorithm: type[Any]) -> list[str]:
    """List the reference modules of an algorithm, the lowest first."""
    parts = [part for cls in algorithm.__mro__ for part in vars(cls).values() if isinstance(part, type)]
    classes = [above for cls in (algorithm, *parts) for above in cls.__mro__]
    names = dict.fromkeys(cls.__module__ for cls in classes if cls.__module__.startswith(ROOM))
    return list(reversed(names))


@lru_cache(maxsize=64)  # like the next two: each window that is played calls it again
def _functions(source: str, file: str) -> Sequence[Function]:
    """List all functions of a module's text, methods with the names of their classes."""
    lines = source.split("\n")
    found: list[Function] = []

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                text = tuple(lines[first - 1 : node.end_lineno])
                summary = first_sentence(ast.get_docstring(node))
                found.append(Function(f"{prefix}{node.name}", file, first, text, summary, _is_expression(node)))

    visit(ast.parse(source).body, "")
    return found


def _is_expression(node: ast.FunctionDef) -> bool:
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Return)


@lru_cache(maxsize=64)
def statements(source: str) -> Mapping[int, int]:
    """Return, for each line of a module, the first line of its statement or of that statement's head."""
    first: dict[int, int] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            body: list[ast.stmt] = getattr(node, "body", [])
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            for line in range(node.lineno, max(last, node.lineno) + 1):
                first[line] = node.lineno
    return first


@lru_cache(maxsize=64)
def bodies(source: str) -> Mapping[int, int]:
    """Return the first line of the body of each condition and loop, by its own line."""
    return {
        node.lineno: node.body[0].lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.If | ast.While | ast.For)
    }


def first_sentence(docstring: str | None) -> str:
    """Return the first line of a docstring."""
    return inspect.cleandoc(docstring or "").partition("\n")[0]


def show_listings(listings: tuple[Listing, ...]) -> list[dict[str, Any]]:
    """Return the paper's lines, as the page shows them."""
    return [
        {
            "name": listing.name,
            "lines": [
                {"label": label, "depth": line.depth, "printed": line.printed, "entry": line.entry}
                for label, line in listing.lines.items()
            ],
        }
        for listing in listings
    ]
