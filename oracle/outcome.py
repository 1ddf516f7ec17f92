"""What comes of running a trace: how much was tried, and the first thing that went wrong.

Whoever runs one says it in these words, whether it is run on a Python object, in dialogue with a program, or was
recorded long ago; so they are known before any of these is.
"""

from dataclasses import dataclass
from typing import Any


@dataclass
class Tried:
    """How much was tried."""

    traces: int = 0
    operations: int = 0
    queries: int = 0
    """Answers that were checked."""
    largest_window: int = 0

    def __str__(self) -> str:
        return (
            f"{self.traces:,} traces, {self.operations:,} operations, {self.queries:,} answers checked, "
            f"windows of up to {self.largest_window:,}"
        )

    def add(self, more: "Tried") -> None:
        """Count this too."""
        self.traces += more.traces
        self.operations += more.operations
        self.queries += more.queries
        self.largest_window = max(self.largest_window, more.largest_window)


@dataclass(frozen=True)
class Refusal:
    """In place of an answer, that there was none: what a subject raised where it may raise."""

    error: str
    """`IndexError: pop from an empty deque`; empty where it is all one what is raised."""

    def __repr__(self) -> str:
        return f"<raises {self.error or 'an exception'}>"


def told(error: BaseException) -> str:
    """What was raised, in one line.

    >>> told(ZeroDivisionError("division by zero")), told(KeyError())
    ('ZeroDivisionError: division by zero', 'KeyError')
    """
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@dataclass(frozen=True)
class Failure:
    """The first thing that went wrong in a trace."""

    at: int
    """The operation, counted from 0; -1 for the subject's construction."""
    kind: str
    """`wrong` answer, `raised`, `changed` (a value it must not change), `hung`, or `broken` (it cannot go on)."""
    expected: Any = None
    """As JSON."""
    got: Any = None
    """As JSON."""
    answer: Any = None
    """What was got, itself."""
    allowed: float | None = None
    """How far the answer might be off, for floating sums."""
    error: str | None = None
    """`ZeroDivisionError: division by zero`."""
    what: str | None = None
    """What was changed."""
    stderr: str | None = None
    """The last lines that a program wrote to its standard error."""
