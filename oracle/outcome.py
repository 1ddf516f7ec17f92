"""The outcome of running a trace: how much was tried, and the first failure.

Every way of running a trace reports in these terms: on a Python object, in a dialogue with a program, or from a
recording.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from swagproof.oracle.domain import Domain, plain
from swagproof.oracle.trace import encode_answer

SAID: Final = 2_000
"""The most characters shown of an exception, or of a value that has no form."""


@dataclass
class Tried:
    """Counts of the traces, operations and queries that were tried."""

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
        """Add these counts."""
        self.traces += more.traces
        self.operations += more.operations
        self.queries += more.queries
        self.largest_window = max(self.largest_window, more.largest_window)


@dataclass(frozen=True)
class Refusal:
    """An exception in place of an answer, from a subject that may raise."""

    error: str
    """`IndexError: pop from an empty deque`; empty if every exception counts the same."""

    def __repr__(self) -> str:
        return f"<raises {self.error or 'an exception'}>"


def describe_error(error: BaseException) -> str:
    """Return an exception as one line.

    >>> describe_error(ZeroDivisionError("division by zero")), describe_error(KeyError())
    ('ZeroDivisionError: division by zero', 'KeyError')
    """
    kind = say(lambda: type(error).__name__, "exception")
    text = say(lambda: " ".join(str(error).split()), "<whose str() raises>")
    return f"{kind}: {text}" if text else kind


def say(text: Callable[[], Any], otherwise: str) -> str:
    """Return the result of this function, at a limited length; or `otherwise` if it raises, as a subject's `str()`
    may."""
    try:
        said = str.__str__(text())
    except BaseException as error:
        return f"{otherwise.removesuffix('>')} {type(error).__name__}>"
    return said if len(said) <= SAID else f"{said[:SAID]}..."


@dataclass(frozen=True)
class Failure:
    """The first failure in a trace."""

    at: int
    """The operation, counted from 0; -1 for the subject's construction."""
    kind: str
    """`wrong` answer, `raised`, `changed` (a value it must not change), `hung`, or `broken` (it cannot continue)."""
    expected: Any = None
    """The right answer, as JSON."""
    got: Any = None
    """The subject's answer, as JSON."""
    answer: Any = None
    """The answer itself."""
    allowed: float | None = None
    """The bound on the answer's error, for floating sums."""
    error: str | None = None
    """`ZeroDivisionError: division by zero`."""
    what: str | None = None
    """The thing that was changed."""
    stderr: str | None = None
    """The last lines that a program wrote to its standard error."""

    @classmethod
    def wrong(cls, domain: Domain, at: int, expected: Any, got: Any) -> "Failure":
        """Return the failure of a wrong answer, or of a missing one; `expected` is the reference's aggregate."""
        rule, got = domain.rule, plain(expected, got)
        if isinstance(got, Refusal):
            return cls(at, "raised", error=got.error)
        return cls(
            at,
            "wrong",
            encode_answer(rule.round_exact(expected)),
            encode_answer(got),
            answer=got,
            allowed=rule.allowed(expected),
        )
