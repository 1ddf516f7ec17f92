"""Hand-written mutants: a reference class or module with some lines of its source changed.

A `Mutant` has a name and its `Edit`s: the method, the old text and the new one.  Creating the mutant's class
(`Mutant.of`) or module (`Mutant.rewrite`) raises ValueError unless the old text occurs exactly once.

Most mutants are in `proofs/mutants/`, with a table for each algorithm; some that algorithms share are in Python.  The
first section of a table has the mutants that a claim or exploration, and a contract, must reject.  The section `for one
claim` has mutants that only one claim must reject; the section `unseen` has mutants that no answer shows; the section
`errata` has the algorithm as printed, and with wrong corrections.
"""

import inspect
import linecache
import re
import textwrap
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Generic, TypeVar

from icontract import ViolationError

from swagproof.contracts.shadows.shadow import put_under
from swagproof.reference.catalogue import Column, Entry


@dataclass(frozen=True)
class Edit:
    """A change of a method's source: `old`, which must occur exactly once, becomes `new`."""

    method: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.method}: {self.old.strip()} -> {self.new.strip()}"


@dataclass(frozen=True)
class Mutant:
    """A mutant of one algorithm."""

    name: str
    edits: tuple[Edit, ...]
    hidden: str = ""
    """The reason why no answer shows the mutant, if so: only its cost or space does."""
    part: str = ""
    """The attribute that holds the class to change, if it is a class inside the algorithm's."""
    rejected_by: tuple[str, ...] = field(default=(), compare=False)
    """The ids of claims that must reject it, according to its table."""

    def of(self, algorithm: type) -> type[Any]:
        """Return the mutant's class.  Raises ValueError if the reference no longer contains the old text."""
        if self.part:
            part = replace(self, part="").of(getattr(algorithm, self.part))
            return type(algorithm.__name__, (algorithm,), {self.part: part})
        methods = {edit.method: self._change(edit.method, _source(algorithm, edit.method)) for edit in self.edits}
        compiled = {method: _compiled(algorithm, self.name, method, text) for method, text in methods.items()}
        return type(algorithm.__name__, (algorithm,), compiled)

    def _change(self, method: str, text: str) -> str:
        """Return the mutant's source of a method.  Raises ValueError unless each old text occurs exactly once."""
        for edit in self.edits:
            if edit.method == method:
                if text.count(edit.old) != 1:
                    raise ValueError(
                        f"mutant {self.name!r}: {edit.old!r} stands {text.count(edit.old)} times in {method}, not once"
                    )
                text = text.replace(edit.old, edit.new)
        return text

    def checked(self, algorithm: type, checked: type) -> type[Any]:
        """Return the mutant's class under the reference's contracts."""
        return put_under(checked, self.of(algorithm))

    def rewrite(self, module: ModuleType) -> Any:
        """Return the names of the mutant's module, for edits of functions; `method` may also be `Class.method`.

        The whole module is executed again, so that its other functions call the changed one.  Raises ValueError if the
        module no longer contains the old text.
        """
        made = ModuleType(module.__name__)
        _execute(self.text_of(module), f"{module.__name__}: {self.name}", vars(made))
        return SimpleNamespace(**vars(made))

    def text_of(self, module: ModuleType) -> str:
        """Return the source of the mutant's module; `method` as for `rewrite`."""
        text = inspect.getsource(module)
        for method in dict.fromkeys(edit.method for edit in self.edits):
            source = inspect.getsource(attrgetter(method)(module))
            if text.count(source) != 1:
                raise ValueError(f"mutant {self.name!r}: {method} stands {text.count(source)} times in the module")
            text = text.replace(source, self._change(method, source))
        return text


MUTANTS: Final = Path(__file__).parents[1] / "mutants"
"""The folder of the tables."""
E = TypeVar("E", bound=Entry)
_NAMED: Final = "rejected by: "
_CLAIMS: Final = re.compile(rf"^    {_NAMED}(.*)$", re.M)
"""The pattern of the claims that must reject a mutant."""
_EDIT: Final = re.compile(r"^    (?:(\w+)/)?([\w.]+): (.*?)(?: |\n +)->(?: (.*))?$", re.M)
"""The pattern of an edit in a table: (part, method, old, new)."""


class Mutants(list[Mutant], Generic[E]):
    """The mutants of an algorithm, or of several that share them, in the order of definition."""

    def __init__(self, *columns: E, table: str = "", section: str = "", shared: Sequence[Mutant] = ()) -> None:
        super().__init__([*shared, *(mutants_of(table, section).values() if table else ())])
        self.columns = columns

    def get(self, name: str) -> Mutant:
        """Return the mutant with this name."""
        return {mutant.name: mutant for mutant in self}[name]

    def pick(self, *names: str) -> tuple[Mutant, ...]:
        """Return the mutants with these names."""
        return tuple(map(self.get, names))


def mutants_of(table: str, section: str = "") -> dict[str, Mutant]:
    """Return the mutants of a section of `proofs/mutants/<table>.txt`, by name, in the order of the table.

    Raises KeyError for a section that is not there.
    """
    return read_mutants(list_sections(table)[section])


def list_sections(table: str) -> dict[str, str]:
    """Return the text of each section of a table; "" is the key of the text before the first."""
    _, *parts = re.split(r"^== (.*)\n", "== \n" + (MUTANTS / f"{table}.txt").read_text("utf-8"), flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def list_mutants(table: str) -> Iterator[Mutant]:
    """Yield the mutants of all sections of a table."""
    for text in list_sections(table).values():
        yield from read_mutants(text).values() if _EDIT.search(text) else ()


def read_mutants(text: str) -> dict[str, Mutant]:
    r"""Read the mutants of a text.

    A mutant is its name on a line, followed by `(hidden: why)` if no answer shows it, and its edits on indented lines
    below: `method: old -> new`, or `part/method: old -> new` in a part.  The arrow may begin the next line.  A line
    `rejected by: claim claim` names claims that must reject it; without indentation it begins a section, and applies to
    each mutant there.  Texts are literal, except that `\n` is a newline and `\s` a space.  Lines that begin with # are
    comments.  Raises ValueError for a line that is not an edit, and for two mutants with the same name.
    """
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    shared = [id for line in lines if line.startswith(_NAMED) for id in line.removeprefix(_NAMED).split()]
    lines = [line for line in lines if not line.startswith(_NAMED)]
    read: dict[str, Mutant] = {}
    for entry in re.split(r"\n(?=\S)", "\n".join(lines)):
        head, _, edits = entry.partition("\n")
        name, _, why = head.partition(" (hidden: ")
        claims = (*shared, *(id for line in _CLAIMS.findall(edits) for id in line.split()))
        edits = _CLAIMS.sub("", edits)
        groups = (edit.groups("") for edit in _EDIT.finditer(edits))
        found = [[group.replace(r"\n", "\n").replace(r"\s", " ") for group in each] for each in groups]
        if name in read or not found or _EDIT.sub("", edits).strip():
            raise ValueError(f"mutant {name!r}: twice, or no edit, or a line that is none: {edits!r}")
        part = found[0][0]
        mutant = wrong(name, *((m, old, new) for _, m, old, new in found), hidden=why.removesuffix(")"), part=part)
        read[name] = replace(mutant, rejected_by=claims)
    return read


@cache
def _by_claim() -> dict[str, list[Mutant]]:
    found: dict[str, list[Mutant]] = {}
    for table in sorted(MUTANTS.glob("*.txt")):
        for mutant in list_mutants(table.stem):
            for claim in mutant.rejected_by:
                found.setdefault(claim, []).append(mutant)
    return found


def controls_of(claim: str) -> tuple[Mutant, ...]:
    """Return the mutants that the claim with this id must reject, according to their tables."""
    return tuple(_by_claim().get(claim, ()))


def list_named_claims() -> set[str]:
    """Return the ids of the claims that the tables name."""
    return set(_by_claim())


def wrong(name: str, *edits: tuple[str, str, str], hidden: str = "", part: str = "") -> Mutant:
    """Return a mutant from (method, old, new) triples, without registering it."""
    return Mutant(name, tuple(Edit(*edit) for edit in edits), hidden, part)


def class_of(column: Column, mutant: Mutant | None = None, *, checked: bool = False) -> type[Any]:
    """Return the class of an algorithm or of its mutant, with `checked`, under its contracts."""
    plain = column.checked if checked else column.algorithm
    if mutant is None:
        return plain
    made: type[Any] = getattr(mutant.rewrite(column.module), plain.__name__)
    if checked:
        _share_conditions(plain, made)
    return made


@cache
def algorithm_of(column: Column, mutant: Mutant | None) -> type[Any]:
    """Return the algorithm, or a mutant of it; the mutant changes the class, or the module if it names the class."""
    if mutant is None or any("." in edit.method for edit in mutant.edits):
        return class_of(column, mutant)
    return mutant.of(column.algorithm)


def _share_conditions(checked: type, rewritten: type) -> None:
    """Give a rewritten checked class the condition objects of the original one."""
    for name, method in vars(checked).items():
        for kind in ("__preconditions__", "__postconditions__"):
            conditions = getattr(vars(rewritten).get(name), kind, None)
            if conditions is not None:
                conditions[:] = getattr(method, kind)


def contract_violated_by(run: Callable[[], object]) -> str | None:
    """Return the name of the contract that a run violates, or of another exception; None if it completes.

    Clauses that take linear time are checked only if ICONTRACT_SLOW is set.
    """
    try:
        run()
    except ViolationError as violation:
        return str(violation).split("\n")[1].partition(":")[0]
    except Exception as error:
        return type(error).__name__
    return None


def combine_in_vain(method: str, before: str) -> Mutant:
    """Return a mutant that calls combine once more and discards the product; `before` begins a line of the method."""
    vain = "self.monoid.combine(self.monoid.identity, self.monoid.identity)"
    edit = method, f"    {before}", f"    {vain}\n    {before}"
    return wrong(f"{method} combines in vain", edit, hidden="only the number of combine calls changes")


def _source(algorithm: type, method: str) -> str:
    return textwrap.dedent(inspect.getsource(getattr(algorithm, method)))


def _compiled(algorithm: type, mutant: str, method: str, source: str) -> Any:
    function = getattr(algorithm, method)
    names: dict[str, Any] = dict(inspect.unwrap(function).__globals__)  # the module that defines it
    names["__class__"] = next(cls for cls in algorithm.__mro__ if method in vars(cls))
    source = source.replace("super()", "super(__class__, self)")
    _execute(source, f"{algorithm.__name__}.{method}: {mutant}", names)
    compiled = names[method]
    compiled.__qualname__ = function.__qualname__
    return compiled


def _execute(text: str, said: str, names: dict[str, Any]) -> None:
    """Run a text under a unique file name, so that tracebacks show its lines."""
    file = f"<{said}, {zlib.crc32(text.encode()):08x}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), names)
