"""Deliberately wrong variants: a reference class with a line of its own source changed.

Every check has some that it must reject, by name.  A variant says which method it changes and how, so that a reader
sees the mistake and nothing else; that the reference still contains the line is checked when the variant is made.
"""

import inspect
import linecache
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from icontract import ViolationError


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

    def of(self, algorithm: type) -> type[Any]:
        """The class with the mistake.  ValueError when the reference no longer contains the line."""
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
        wrong = self.of(algorithm)
        mixins = [cls for cls in checked.__mro__[1:] if not issubclass(algorithm, cls)]
        inner = {edit.method: vars(wrong)[edit.method] for edit in self.edits if edit.method in vars(wrong)}
        for name in [name for name in inner if any(name in vars(mixin) for mixin in mixins)]:
            del inner[name]  # the mix-in calls it through super(): found behind it
        return type(checked.__name__, (checked, wrong), inner)


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


def wrong(name: str, *edits: tuple[str, str, str], hidden: str = "") -> Variant:
    """A variant from (method, old, new) triples."""
    return Variant(name, tuple(Edit(*edit) for edit in edits), hidden)


KEEPS_NEWEST: Final = wrong(
    "insert keeps the newest element once more",
    ("insert", "    self.deque.push_back", "    self.newest = v\n    self.deque.push_back"),
    hidden="only the space changes",
)
"""A mistake that every algorithm over a deque can make, as is the next."""

BLIND_EVICT: Final = wrong(
    "evict does not look whether the window is empty", ("evict", "if self.F == self.E:", "if False:")
)


def _source(algorithm: type, method: str) -> str:
    return textwrap.dedent(inspect.getsource(getattr(algorithm, method)))


def _compiled(algorithm: type, variant: str, method: str, source: str) -> Any:
    function = getattr(algorithm, method)
    file = f"<{algorithm.__name__}.{method}: {variant}, {zlib.crc32(source.encode()):08x}>"  # no other text's place
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # so that tracebacks show it
    names: dict[str, Any] = dict(function.__globals__)
    exec(compile(source, file, "exec"), names)
    compiled = names[method]
    compiled.__qualname__ = function.__qualname__
    return compiled
