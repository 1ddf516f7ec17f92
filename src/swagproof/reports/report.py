"""A command's result before it is rendered as text, JSON, Markdown, HTML or XML.

Rooms produce different verdicts: a failing trace, the claims of a ledger, windows with wrong results.  Every report
shows the same things in the same order: the outcome, a sentence, the evidence, the assumptions, and a command that
reproduces it.  Producers build this object and print nothing; renderers know nothing of producers; all formats show the
same content.  Only the JSON keeps the fields of each producer, because programs read them by name.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

Outcome: TypeAlias = Literal["conforms", "violated", "error", "unknown", "broken", "done"]

EXIT: Final[dict[Outcome, int]] = {"conforms": 0, "violated": 1, "error": 2, "unknown": 3, "broken": 4, "done": 0}
"""Exit codes.  `error` is wrong usage or input; `broken` is a subject that crashed, hung, exited or broke the protocol;
130 is interrupted, 143 terminated.  `done` is for commands without a verdict."""

LONGEST: Final = 2_000
"""The greatest number of characters in a cell of a table made from records."""


_CONTROLS: Final = {
    code: ascii(chr(code))[1:-1]
    for first, end in ((0, 9), (11, 32), (127, 160), (0x200E, 0x2010), (0x202A, 0x202F), (0x2066, 0x206A))
    for code in range(first, end)
}
"""Escapes of the characters that a terminal or a browser interprets instead of showing.  Tab and line break are
excluded."""


def disarm(text: str) -> str:
    r"""Escape control characters in foreign text, so that it cannot forge output on a terminal or in a browser.

    >>> disarm("a\x1b[2Jb"), disarm("conforms\r")
    ('a\\x1b[2Jb', 'conforms\\r')
    """
    return text.translate(_CONTROLS)


@dataclass(frozen=True)
class Facts:
    """Names and their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Block:
    """Preformatted lines, such as a drawing or a program's output.  Text shows an untitled block without a heading."""

    name: str
    text: str
    title: str = ""
    """The section's heading, where the format has one."""


@dataclass(frozen=True)
class Table:
    """Records with the same fields.  A row with a single cell is a heading for the rows that follow."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()
    """The columns that hold text; the others hold numbers."""
    shares: tuple[int, ...] = ()
    """The relative widths of the columns in a text report; 0 fits the column to its cells."""
    lines: tuple[str, ...] | None = None
    """The lines to show instead of the table in a text report, if any."""
    ends_in_failure: bool = False
    """True if the last row is the failure."""
    summary: str | None = None
    """A line that replaces the table in Markdown and JUnit; an empty one omits the table."""

    @classmethod
    def of_records(
        cls, caption: str, records: Iterable[Mapping[str, Any]], lines: tuple[str, ...] | None = None
    ) -> "Table":
        """Make a table of JSON objects, with their names as headings.

        >>> Table.of_records("found", [{"row": 1000, "as_text": "a"}, {"row": None, "more": [1]}]).rows
        (('1,000', 'a', ''), ('', '', '[1]'))
        """
        rows = list(records)
        names = list(dict.fromkeys(name for row in rows for name in row))
        cells = tuple(tuple(_show(row.get(name)) for name in names) for row in rows)
        return cls(caption, tuple(name.replace("_", " ") for name in names), cells, lines=lines)


def _show(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:,}" if type(value) is int else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"


@dataclass(frozen=True)
class Replay:
    """The command that reproduces the result."""

    command: str


Section: TypeAlias = Facts | Block | Table | Replay
Kind = TypeVar("Kind", Facts, Block, Table, Replay)


@dataclass(frozen=True)
class Report:
    """A verdict with its evidence."""

    outcome: Outcome
    sentence: str
    data: Any
    """The content of the JSON report."""
    subject: str = ""
    """The judged subject, if there is exactly one."""
    sections: tuple[Section, ...] = ()
    note: str = ""
    """A line that the text format adds to the sentence."""
    sentence_last: bool = False
    """True if text ends with the sentence, because a terminal shows the end of a long report."""

    @property
    def exit_code(self) -> int:
        """Return the exit code: 0 conforms or done; 1 violated, 2 error, 3 unknown, 4 broken."""
        return EXIT[self.outcome]

    def only(self, kind: type[Kind]) -> list[Kind]:
        """Return the sections of this kind."""
        return [section for section in self.sections if isinstance(section, kind)]

    @property
    def title(self) -> str:
        """Return the outcome and the subject, such as `violated: mine.py:Window`."""
        return f"{self.outcome}: {self.subject}" if self.subject else self.outcome
