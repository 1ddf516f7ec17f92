"""What the verdict of a row depends on, as one digest: whoever has seen it hold need not ask again.

A list of dependencies, kept by hand, is one that forgets.  So they are read off what is there: a claim is a value, and
all that its check can reach without a name (what closures, partial applications, bound methods and records hold) is
walked and said in full; what it reaches by name stands in the modules that these functions and classes come from, and
in all that they import, anywhere in their text, as each is written in its file.  To this come the versions of Python
and of the libraries that these modules import, and of all that those require, and what of the process changes what a
check looks at.

It is better to ask once too often than to keep what nobody asked: a module that imports by a name that it computes
depends on every module, every row depends on a module that changes another's names as it is loaded, and a claim that
holds a value of an unknown kind, or imports a library that is not listed here, has no digest, so that its verdict is
never kept.
"""

import ast
import builtins
import enum
import hashlib
import importlib.util
import json
import os
import platform
import re
import sys
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final, NamedTuple

from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.loaded_code import PACKAGE, find_code, is_loaded
from swagproof.proofs.ledger.refutations import read_hints

ROOT: Final = Path(str(sys.modules[PACKAGE].__file__)).parent
ROOMS: Final = ("models", "contracts", "reference", "proofs")
"""What a check can import by a name that it computes: this room, and those below it."""
COMPUTED: Final = "*"
"""Stands for such a name, among what a module imports."""
TABLE: Final = f"{PACKAGE}.reference.catalogue"
"""A list of what there is: whoever takes a name from it depends on its text, and on what this name is made of."""

DISTRIBUTIONS: Final = {
    "click": "click",
    "crosshair": "crosshair-tool",
    "cvc5": "cvc5",
    "datasketches": "datasketches",
    "hypothesis": "hypothesis",
    "icontract": "icontract",
    "platformdirs": "platformdirs",
    "rich": "rich",
    "z3": "z3-solver",
}
"""The libraries that these rooms import, each with the distribution that it comes from."""

SWITCHES: Final = ("ICONTRACT_SLOW",)
"""Variables of the environment that change what a check looks at."""


class Unknown(Exception):
    """What no digest can be made of, in words."""


@cache
def find_file(module: str) -> Path | None:
    """The file of a module of this package; None where there is no such module."""
    place = ROOT.joinpath(*module.split(".")[1:])
    return next((file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()), None)


@cache
def list_modules() -> frozenset[str]:
    """Every module of the rooms."""
    found: set[str] = set()
    for room in ROOMS:
        for folder, _, files in os.walk(ROOT / room, followlinks=True):
            names = [PACKAGE, *Path(folder).relative_to(ROOT).parts]
            for name, dot, kind in (file.partition(".") for file in files):
                if dot + kind == ".py":
                    found.add(".".join(names if name == "__init__" else [*names, name]))
    return frozenset(found)


@cache
def read_imports(module: str) -> frozenset[str]:
    """What a module imports: modules of this package, each with the packages around it, and libraries."""
    file = find_file(module)
    if file is None:
        raise Unknown(f"{module}, which has no file")
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    found = find_imports(file.read_text(encoding="utf-8"), package)
    return found - {COMPUTED} if module == PACKAGE else found


def find_imports(text: str, package: str) -> frozenset[str]:
    """The same of a text in a package: an import counts wherever it stands, unless it is for type checkers alone.

    The package itself looks its names up when it is asked for one, by a name that it computes.  That is read where it
    is asked (`_imported_by`): else every module would depend on every other, as each has the package around it.
    """
    tree = ast.parse(text)
    found = {name for statement in _walk_statements(tree.body) for name in _imported_by(statement, package)}
    if "import_module" in text or "__import__" in text:
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        found.update(*map(_imported_by_call, calls))
        called = {id(call.func) for call in calls}
        found |= {COMPUTED for node in ast.walk(tree) if _renames_import(node) and id(node) not in called}
    return frozenset(found)


def _renames_import(node: ast.AST) -> bool:
    """Whether this is the function that imports, to be called by whatever name."""
    if isinstance(node, ast.ImportFrom):
        return any(alias.name in _IMPORTING and alias.asname for alias in node.names)
    return getattr(node, "attr", getattr(node, "id", "")) in _IMPORTING


def changes_others(text: str) -> bool:
    """Whether a module of this text, as it is loaded, may change what belongs to another of this package.

    By a statement outside of functions that assigns to a part of an imported name, or a call for its effect alone: of
    what is imported, of a function with such a name, or of one of its own, which may do either.
    """
    statements = [*_walk_statements(ast.parse(text).body, functions=False)]
    theirs = {
        alias.asname or alias.name.partition(".")[0]
        for statement in statements
        for alias in getattr(statement, "names", ())
        if isinstance(statement, ast.Import | ast.ImportFrom) and _is_ours(statement)
    }
    own = {statement.name for statement in statements if isinstance(statement, ast.FunctionDef)}
    return any(_changes(statement, theirs, own) for statement in statements)


def _is_ours(statement: "ast.Import | ast.ImportFrom") -> bool:
    if isinstance(statement, ast.ImportFrom):
        return statement.level > 0 or (statement.module or "").partition(".")[0] == PACKAGE
    return any(alias.name.partition(".")[0] == PACKAGE for alias in statement.names)


def _changes(statement: ast.AST, theirs: set[str], own: set[str]) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        root: ast.expr = statement.value.func
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        named = root.id if isinstance(root, ast.Name) else ""
        other = not named or hasattr(builtins, named)
        return named in theirs | own or (other and bool(_names_in(statement) & theirs))
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    parts = (node for target in targets if target is not None for node in ast.walk(target))
    return any(isinstance(node, ast.Attribute | ast.Subscript) and _names_in(node) & theirs for node in parts)


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


@cache
def list_meddlers() -> frozenset[str]:
    """The modules that change others as they are loaded: whatever is run beside them may be changed."""
    files = {module: find_file(module) for module in list_modules()}
    return frozenset(m for m, file in files.items() if file and changes_others(file.read_text(encoding="utf-8")))


def _walk_statements(body: Iterable[ast.AST], *, functions: bool = True) -> Iterator[ast.AST]:
    """All statements of a text, those for type checkers left out, and on request those in functions."""
    for statement in body:
        yield statement
        if not functions and isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        within = ("orelse",) if isinstance(statement, ast.If) and _for_checkers(statement.test) else _BODIES
        for name in within:
            yield from _walk_statements(getattr(statement, name, ()), functions=functions)


_IMPORTING: Final = ("import_module", "__import__")
_BODIES: Final = ("body", "orelse", "finalbody", "handlers", "cases")


def _for_checkers(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _imported_by(statement: ast.AST, package: str) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield from _with_parents(alias.name)
            if alias.name.partition(".")[0] == PACKAGE and not (
                alias.asname and "." in alias.name
            ):  # all that it can be asked for
                yield COMPUTED
    elif isinstance(statement, ast.ImportFrom):
        source = importlib.util.resolve_name("." * statement.level + (statement.module or ""), package)
        if source == TABLE:
            yield from (f"{TABLE}:{alias.name}" for alias in statement.names)
            return
        yield from _with_parents(source)
        if source.partition(".")[0] == PACKAGE:
            names = [f"{source}.{alias.name}" for alias in statement.names]
            yield from filter(find_file, names)
            if source == PACKAGE and not all(map(find_file, names)):
                yield COMPUTED


@cache
def read_entry(name: str) -> frozenset[str]:
    """What is imported for a name of the table, by the statements that make it and what they name; for one that is
    made otherwise, all that the table imports."""
    file = find_file(TABLE)
    assert file is not None
    made: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        for bound in _bound_by(statement):
            made.setdefault(bound, []).append(statement)
    waiting, seen, found = {name}, set[str](), {*_with_parents(TABLE)} - {TABLE}
    while waiting:
        seen.add(asked := waiting.pop())
        if asked not in made:
            if not hasattr(builtins, asked):
                return read_imports(TABLE)
            continue
        for statement in made[asked]:
            found |= _taken_from(statement, asked)
            used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            waiting |= {each for each in used if each in made} - seen
    return frozenset(found)


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the table gives a meaning."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.ClassDef | ast.FunctionDef):
        yield statement.name
    else:
        yield from (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _taken_from(statement: ast.stmt, name: str) -> frozenset[str]:
    """What is imported for this name, by a statement that imports it."""
    if isinstance(statement, ast.ImportFrom):
        alone = [alias for alias in statement.names if (alias.asname or alias.name) == name]
        statement = ast.ImportFrom(statement.module, alone, statement.level)
    return frozenset(_imported_by(statement, TABLE.rpartition(".")[0]))


def _imported_by_call(call: ast.Call) -> Iterator[str]:
    function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if function in _IMPORTING:
        name = getattr(call.args[0], "value", None) if call.args else None
        yield from _with_parents(name) if isinstance(name, str) and not name.startswith(".") else (COMPUTED,)


def _with_parents(module: str) -> Iterator[str]:
    """A module and the packages around it, which run before it; of a library the first name is enough."""
    names = module.split(".")
    for end in range(1, len(names) + 1 if names[0] == PACKAGE else 2):
        yield ".".join(names[:end])


def close(modules: Iterable[str]) -> frozenset[str]:
    """These modules, all that they import, and what that imports."""
    found: set[str] = set()
    waiting = {each for module in modules for each in ([module] if ":" in module else _with_parents(module))}
    while waiting:
        module = waiting.pop()
        found.add(module)
        if module == COMPUTED:
            waiting |= list_modules() - found
        elif module.startswith(f"{TABLE}:"):
            waiting |= read_entry(module.partition(":")[2]) - found
        elif module.partition(".")[0] == PACKAGE:
            waiting |= read_imports(module) - found
    return frozenset(module.partition(":")[0] for module in found)


class Walk:
    """All that a value holds, in words that are the same in every process; and the modules that it is made of."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.words: list[str] = []
        self._seen: dict[int, int] = {}
        self._objects: list[object] = []
        """What was seen, so that nothing else takes its place in memory."""

    def walk(self, value: object) -> None:
        """Say a value in full, and an object that was met before by its number.  Raises Unknown."""
        cls = type(value)
        if cls in _PLAIN:
            self.words.append(f"{cls.__name__} {value!r}")
            return
        if id(value) in self._seen:
            self.words.append(f"again {self._seen[id(value)]}")
            return
        if cls is not tuple:  # of equal ones there may be one, or two
            self._seen[id(value)] = len(self._seen)
            self._objects.append(value)
        self.words.append(f"{cls.__name__} (")
        for part in self._take_apart(value):
            self.walk(part)
        self.words.append(")")

    def _take_apart(self, value: Any) -> Iterable[object]:
        if isinstance(value, types.ModuleType):
            return self._name(value.__name__)
        if isinstance(value, type):
            return self._name_class(value)
        if isinstance(value, types.FunctionType):
            self._name(value.__module__, value.__qualname__)
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            return value.__defaults__, value.__kwdefaults__, cells, vars(value)
        if isinstance(value, types.MethodType):
            return value.__func__, value.__self__
        if isinstance(value, types.BuiltinFunctionType):
            return value.__qualname__, value.__self__
        if isinstance(value, partial):
            return value.func, value.args, value.keywords
        if isinstance(value, _CACHED):
            return (value.__wrapped__,)
        if isinstance(value, enum.Enum):
            return type(value), value.name
        if isinstance(value, re.Pattern | types.GenericAlias):
            return (repr(value),)
        if type(value) in (dict, types.MappingProxyType):
            return [part for item in value.items() for part in item]
        if type(value) in (set, frozenset):
            return sorted(map(self._say, value))
        if type(value) in (list, tuple):
            return list(value)
        return self._read_fields(value)

    def _name(self, module: str, name: str = "") -> Iterable[object]:
        self.words.append(f"{module} {name}")
        self.modules.add(f"{TABLE}:{name.partition('.')[0]}" if module == TABLE and name else module)
        return ()

    def _name_class(self, cls: type) -> Iterable[object]:
        """A class that stands in its module is read there; of one that was made otherwise, all parts are walked."""
        self._name(cls.__module__, cls.__qualname__)
        found: Any = sys.modules.get(cls.__module__)
        for name in cls.__qualname__.split("."):
            found = vars(found).get(name) if hasattr(found, "__dict__") else None
        if found is cls:
            return ()
        return *cls.__bases__, {name: part for name, part in vars(cls).items() if name not in _OF_EVERY_CLASS}

    def _read_fields(self, value: object) -> Iterable[object]:
        """An object of a class of ours; what others keep in theirs is not known."""
        cls = type(value)
        if cls.__module__.partition(".")[0] != PACKAGE:
            raise Unknown(f"a value of the class {cls.__module__}.{cls.__qualname__}")
        if is_dataclass(value):
            names = [field.name for field in fields(value)]
        else:
            slots = [getattr(each, "__slots__", ()) for each in cls.__mro__]
            own = {name for each in slots for name in ((each,) if isinstance(each, str) else each)}
            names = sorted(own | {*getattr(value, "__dict__", ())})
        return cls, *(part for name in names if hasattr(value, name) for part in (name, getattr(value, name)))

    def _say(self, value: object) -> str:
        """A value by itself: of what a set holds none comes first."""
        alone = Walk()
        alone.walk(value)
        self.modules |= alone.modules
        return "\n".join(alone.words)


_PLAIN: Final = frozenset({type(None), bool, int, float, complex, str, bytes, range, Fraction, type(...)})
_CACHED: Final = type(cache(lambda: None))
_OF_EVERY_CLASS: Final = ("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__")


class _Text(NamedTuple):
    """What a file said when it was read."""

    said: bytes
    stamp: tuple[int, ...]
    """By which it is seen whether the file was written since, or another put in its place."""


def _stamp(file: Path) -> tuple[int, ...]:
    found = file.stat()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@cache
def _read(file: Path) -> _Text:
    stamp = _stamp(file)
    return _Text(file.read_bytes(), stamp)


def hash_file(file: Path | None) -> str:
    """The digest of a file's text, as it was read first."""
    return hashlib.sha256(_read(file).said).hexdigest() if file else "no file"


def is_what_runs(modules: Iterable[str]) -> bool:
    """Whether what was loaded of these modules is what their files say, and said when the digest was made of them.

    Else the digest is of one text, and the verdict of another: of one that Python had compiled of an earlier source, or
    that was written before the digest was made, or after.
    """
    files = ((module, file) for module in modules if (file := find_file(module)))
    return all(
        _stamp(file) == _read(file).stamp and is_code_of(module, file, is_loaded(module)) for module, file in files
    )


@cache
def is_code_of(module: str, file: Path, _loaded: bool) -> bool:
    """Whether the code of a module is that of its file; asked again once it is loaded."""
    return compile(_read(file).said, file, "exec", dont_inherit=True) == find_code(module, file)


@cache
def list_versions(libraries: frozenset[str]) -> tuple[str, ...]:
    """The version of Python, and of these libraries and all that they require."""
    if unlisted := sorted(libraries - DISTRIBUTIONS.keys()):
        raise Unknown(f"the library {unlisted[0]}")
    found: dict[str, str] = {}
    waiting = [DISTRIBUTIONS[library] for library in libraries]
    while waiting:
        name = waiting.pop()
        if name not in found:
            try:
                found[name] = version(name)
                required = [each for each in requires(name) or () if "extra ==" not in each]
            except PackageNotFoundError:
                found[name], required = "absent", []
            waiting += [re.split(r"[^\w.-]", each)[0] for each in required]
    python = f"{sys.implementation.name} {sys.version} {sys.platform} {platform.machine()} {sys.flags.optimize}"
    return python, *(f"{name} {found[name]}" for name in sorted(found))


@dataclass(frozen=True)
class Dependencies:
    """What the verdict of a claim depends on."""

    words: str
    """The claim itself, in full."""
    modules: frozenset[str]
    libraries: frozenset[str]

    @classmethod
    def of(cls, claim: Claim) -> "Dependencies":
        """Those of a claim, its wrong variants, where they are looked for first, and its deeper check included.

        Raises Unknown.
        """
        walk = Walk()
        walk.walk(claim)
        found = close({__name__, *walk.modules, *list_meddlers()}) - sys.stdlib_module_names - {COMPUTED}
        ours = frozenset(module for module in found if module.partition(".")[0] == PACKAGE)
        hints = json.dumps(read_hints().get(claim.id, {}), sort_keys=True)
        return cls("\n".join([*walk.words, f"hints {hints}"]), ours, found - ours)

    def digest(self, deep: bool) -> str:
        """All of it, as it is at present.  Raises Unknown."""
        lines = [
            f"deep {deep}",
            *list_versions(self.libraries),
            *(f"{name}={os.environ.get(name)}" for name in SWITCHES),
            *(f"{module} {hash_file(find_file(module))}" for module in sorted(self.modules)),
            self.words,
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()
