"""Deliberately wrong variants: a reference class, or a module, with a line of its own source changed.

Every check has some that it must reject, by name.  A variant says which method it changes and how, so that a reader
sees the mistake and nothing else; that the reference still contains the line is checked when the variant is made.

The mistakes that proofs, contracts and machines must all reject are registered by the call that defines them
(`WrongVariants.read`, a table of them, or `add`), each once, with the algorithm that makes them: a list kept beside the
definitions could forget one, and what is not walked is not rejected.  What one claim alone must reject is made by
`wrong`, and is in no list.
"""

import inspect
import linecache
import re
import textwrap
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from inspect import cleandoc
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Generic, TypeVar, overload

from icontract import ViolationError

from swagproof.contracts.shadows.shadow import put_under
from swagproof.reference.catalogue import Column, Entry


@dataclass(frozen=True)
class Edit:
    """In the source of a method, `old` (which must stand there exactly once) becomes `new`."""

    method: str
    old: str
    new: str


@dataclass(frozen=True)
class Variant:
    """A named mistake in one algorithm."""

    name: str
    edits: tuple[Edit, ...]
    hidden: str = ""
    """Why no answer ever shows it, where that is so: a machine then sees it only through cost or space."""
    part: str = ""
    """Where the mistake is in a class that the algorithm is made of, the attribute that holds that class."""

    def of(self, algorithm: type) -> type[Any]:
        """The class with the mistake.  ValueError when the reference no longer contains the line."""
        if self.part:
            part = replace(self, part="").of(getattr(algorithm, self.part))
            return type(algorithm.__name__, (algorithm,), {self.part: part})
        methods = {edit.method: _source(algorithm, edit.method) for edit in self.edits}
        for edit in self.edits:
            text = methods[edit.method]
            if text.count(edit.old) != 1:
                raise ValueError(
                    f"variant {self.name!r}: {edit.old!r} stands {text.count(edit.old)} times in "
                    f"{algorithm.__name__}.{edit.method}, not once"
                )
            methods[edit.method] = text.replace(edit.old, edit.new)
        return type(
            algorithm.__name__, (algorithm,), {m: _compiled(algorithm, self.name, m, methods[m]) for m in methods}
        )

    def checked(self, algorithm: type, checked: type) -> type[Any]:
        """The class with the mistake under the contracts of the class without."""
        return put_under(checked, self.of(algorithm))

    def rewrite(self, module: ModuleType) -> Any:
        """The names of a module with the mistake, for functions that are no methods; `method` may be `Class.method`.

        The whole module is written anew, so that whatever in it calls the changed function calls the changed one.
        ValueError when the module no longer contains the line.
        """
        made = ModuleType(module.__name__)
        _execute(self.text_of(module), f"{module.__name__}: {self.name}", vars(made))
        return SimpleNamespace(**vars(made))

    def text_of(self, module: ModuleType) -> str:
        """Return the source of a module with the mistake; `method` as for `rewrite`."""
        text = inspect.getsource(module)
        for method in dict.fromkeys(edit.method for edit in self.edits):
            function: Any = module
            for name in method.split("."):
                function = getattr(function, name)
            source = changed = inspect.getsource(function)
            for edit in self.edits:
                if edit.method == method:
                    if changed.count(edit.old) != 1 or text.count(source) != 1:
                        raise ValueError(f"variant {self.name!r}: {edit.old!r} does not stand once in {method}")
                    changed = changed.replace(edit.old, edit.new)
            text = text.replace(source, changed)
        return text


E = TypeVar("E", bound=Entry)
_EDIT: Final = re.compile(r"^    (?:(\w+)/)?([\w.]+): (.*?)(?: |\n +)->(?: (.*))?$", re.M)
"""An edit in a table: (part, method, old, new)."""


class WrongVariants(Sequence[Variant], Generic[E]):
    """The wrong variants of an algorithm (or of several that can make the same mistakes), as they are defined."""

    def __init__(self, *columns: E, shared: Sequence[Variant] = ()) -> None:
        self.columns = columns
        self._variants = list(shared)

    def add(self, name: str, *edits: tuple[str, str, str], hidden: str = "", part: str = "") -> Variant:
        """Define a variant, and register it."""
        variant = wrong(name, *edits, hidden=hidden, part=part)
        self._variants.append(variant)
        return variant

    def read(self, table: str) -> None:
        r"""Define the variants of a table, in its order: what most of them are, a name and one changed line.

        A name stands for itself on a line, `(hidden: why)` after it.  Below, further in, stand its edits, read to the
        letter but for `\n` and, at an end, `\s`: `method: old -> new`, the arrow on a line of its own where one is too
        short, and `part/method` in a part.  Lines that begin with # are for the reader.
        """
        lines = [line for line in cleandoc(table).split("\n") if line and not line.startswith("#")]
        for entry in re.split(r"\n(?=\S)", "\n".join(lines)):
            head, _, text = entry.partition("\n")
            name, _, why = head.partition(" (hidden: ")
            edits = [
                [group.replace(r"\n", "\n").replace(r"\s", " ") for group in e.groups("")] for e in _EDIT.finditer(text)
            ]
            if not edits or _EDIT.sub("", text).strip():
                raise ValueError(f"variant {name!r}: no edit, or a line that is none: {text!r}")
            self.add(name, *((m, old, new) for _, m, old, new in edits), hidden=why.removesuffix(")"), part=edits[0][0])

    def get(self, name: str) -> Variant:
        """The variant of this name."""
        return {variant.name: variant for variant in self}[name]

    def pick(self, *names: str) -> tuple[Variant, ...]:
        """The variants of these names."""
        return tuple(map(self.get, names))

    def share(self, *variants: Variant) -> None:
        """Register mistakes that are defined with another algorithm."""
        self._variants += variants

    def __len__(self) -> int:
        return len(self._variants)

    @overload
    def __getitem__(self, index: int) -> Variant: ...
    @overload
    def __getitem__(self, index: slice) -> list[Variant]: ...
    def __getitem__(self, index: int | slice) -> Variant | list[Variant]:
        return self._variants[index]


def wrong(name: str, *edits: tuple[str, str, str], hidden: str = "", part: str = "") -> Variant:
    """A variant from (method, old, new) triples."""
    return Variant(name, tuple(Edit(*edit) for edit in edits), hidden, part)


def class_of(column: Column, variant: Variant | None = None, *, checked: bool = False) -> type[Any]:
    """The class of an algorithm, on request under its contracts; or that of its module with a mistake."""
    made = column.checked if checked else column.algorithm
    return made if variant is None else getattr(variant.rewrite(column.module), made.__name__)


def contract_violated_by(run: Callable[[], object]) -> str | None:
    """The contract that a run violates; where the code itself raises before any is looked at, the exception.

    None for a run that ends.  Linear-time clauses are looked at only where ICONTRACT_SLOW is set.
    """
    try:
        run()
    except ViolationError as violation:
        return str(violation).split("\n")[1].partition(":")[0]
    except Exception as error:
        return type(error).__name__
    return None


KEEPS_NEWEST: Final = wrong(
    "insert keeps the newest element once more",
    ("insert", "    self.deque.push_back", "    self.newest = v\n    self.deque.push_back"),
    hidden="only the space changes",
)
"""A mistake that every algorithm over a deque can make, as is the next."""

BLIND_EVICT: Final = wrong(
    "evict does not look whether the window is empty", ("evict", "if self.F == self.E:", "if False:")
)


def combine_in_vain(method: str, before: str) -> Variant:
    """A method combines once more than it need, and forgets the product; `before` begins a line of its body."""
    vain = "self.monoid.combine(self.monoid.identity, self.monoid.identity)"
    edit = method, f"    {before}", f"    {vain}\n    {before}"
    return wrong(f"{method} combines in vain", edit, hidden="only the number of combine calls changes")


EVICT_COMBINES_OFTEN: Final = wrong(
    "evict combines four times in vain",
    (
        "evict",
        "    self.deque.pop_front()",
        "    self.monoid.combine(self.monoid.identity, self.monoid.identity)\n" * 4 + "    self.deque.pop_front()",
    ),
    hidden="only the number of combine calls changes",
)

IN_VAIN: Final = (
    combine_in_vain("insert", "self.deque.push_back"),
    combine_in_vain("evict", "self.deque.pop_front()"),
    combine_in_vain("query", "return "),
)
"""Of every algorithm over a deque: what each operation may cost is a clause of its own, and so has its own mistake."""


def _source(algorithm: type, method: str) -> str:
    return textwrap.dedent(inspect.getsource(getattr(algorithm, method)))


def _compiled(algorithm: type, variant: str, method: str, source: str) -> Any:
    function = getattr(algorithm, method)
    names: dict[str, Any] = dict(inspect.unwrap(function).__globals__)  # where it is written
    if "super()" in source:  # it names the class in which the method is written
        names["owner"] = next(cls for cls in algorithm.__mro__ if method in vars(cls))
        source = f"def within(__class__):\n{textwrap.indent(source, '    ')}\n    return {method}\n"
    _execute(source, f"{algorithm.__name__}.{method}: {variant}", names)
    compiled = names["within"](names["owner"]) if "within" in names else names[method]
    compiled.__qualname__ = function.__qualname__
    return compiled


def _execute(text: str, said: str, names: dict[str, Any]) -> None:
    """Run a text where tracebacks can show it: under a name that no other text has."""
    file = f"<{said}, {zlib.crc32(text.encode()):08x}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), names)
