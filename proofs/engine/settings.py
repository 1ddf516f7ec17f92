"""The settings of a check: what it records, and where it searches first.

They hold within a context (`using`), because the code under proof cannot pass arguments on to the engine.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple


class Refutation(NamedTuple):
    """The place of a mutant's refutation: the run, and the path to the failure."""

    run: str
    """The operation or step that is run, or the number of the explored space."""
    way: tuple[int, ...]
    """The decisions on the path to the failure; or the number of the start, and of the choice at each step."""

    @classmethod
    def read(cls, text: str) -> "Refutation":
        """Read a refutation from its text, such as `insert 0.1.1.0`."""
        run, _, way = text.rpartition(" ")
        return cls(run, tuple(map(int, filter(None, way.split(".")))))

    def __str__(self) -> str:
        return f"{self.run} {'.'.join(map(str, map(int, self.way)))}"


@dataclass(frozen=True)
class Settings:
    """The settings of a check."""

    cases: bool = False
    """Record each path as a `Case` for a reader."""
    questions: bool = False
    """Keep the questions put to Z3, with their assumptions."""
    hint: Refutation | None = None
    """The place where a mutant's refutation is searched for first."""
    all_there: bool = True
    """Find all failures at the hint's place, not only the first."""
    way: Sequence[int] | None = None
    """The decisions with which the only explored path begins; this proves nothing.

    Up to the last of them Z3 is not asked, and obligations are assumed.  So an obligation that fails afterwards fails
    in a state that meets all of them.
    """
    whole: bool = True
    """Run the only path to its end, instead of stopping when the findings are enough."""
    ways: bool = False
    """Return the path to the failure that an exploration finds."""


_settings: Final[ContextVar[Settings]] = ContextVar("settings", default=Settings())  # noqa: B039  # it is frozen


def settings() -> Settings:
    """Return the settings of the check that is running."""
    return _settings.get()


@contextmanager
def using(**changes: Any) -> Generator[None]:
    """Change settings within the context.  Raises TypeError for an unknown setting."""
    token = _settings.set(replace(_settings.get(), **changes))
    try:
        yield
    finally:
        _settings.reset(token)
