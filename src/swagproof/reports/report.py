"""The report: what a command has found out, before it is text, JSON, Markdown, HTML or XML.

Rooms come to their verdicts in terms of their own: a failing trace, the rows of a ledger, windows with wrong results.
Whoever reads one wants the same things in the same order: the outcome, one sentence, what shows it, what it rests on,
and a command that shows it again.  So a producer builds this object and prints nothing, and a renderer knows nothing of
producers; what one format says, all say.  Only the JSON keeps the fields of each producer: programs read them by name.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Outcome: TypeAlias = Literal["conforms", "violated", "error", "unknown", "done"]

EXIT: Final[dict[Outcome, int]] = {"conforms": 0, "violated": 1, "error": 2, "unknown": 3, "done": 0}
"""Exit codes.  `error` is a subject that could not be judged to the end; usage and input errors are 2 as well, and 130
is interrupted.  `done` is for what judges nothing."""


@dataclass(frozen=True)
class Facts:
    """Names and values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Block:
    """Lines that stand as they are: a drawing, what a program wrote.  Text shows a block without a name by itself."""

    name: str
    text: str
    title: str = ""
    """What it is called where there is room."""


@dataclass(frozen=True)
class Table:
    """Records with the same fields.  A row of one cell is a heading for those that follow."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()
    """The columns that hold words; the others hold numbers."""
    shares: tuple[int, ...] = ()
    """How text divides its width among the columns; 0 is as much as the cells take."""
    lines: tuple[str, ...] | None = None
    """How text says it, where lines do better than a table."""
    ends_in_failure: bool = False
    """Whether the last row is what went wrong."""


@dataclass(frozen=True)
class Replay:
    """The command that shows it again."""

    command: str


Section: TypeAlias = Facts | Block | Table | Replay


@dataclass(frozen=True)
class Report:
    """A verdict, and what is to be said with it."""

    outcome: Outcome
    sentence: str
    data: Any
    """The JSON."""
    subject: str = ""
    """What is judged, where it is one thing."""
    sections: tuple[Section, ...] = ()
    note: str = ""
    """A line that text adds to the sentence."""
    sentence_last: bool = False
    """Whether text ends with the sentence, rather than with the sections: where they are long, its end is what a
    terminal shows."""

    @property
    def exit_code(self) -> int:
        """0 conforms, or done; 1 violated, 2 error, 3 unknown."""
        return EXIT[self.outcome]

    @property
    def title(self) -> str:
        """`violated: mine.py:Window`."""
        return f"{self.outcome}: {self.subject}" if self.subject else self.outcome
