"""The report: what a command has found out, before it is text, JSON, Markdown, HTML or XML.

Rooms come to their verdicts in terms of their own: a failing trace, the rows of a ledger, windows with wrong results.
Whoever reads one wants the same things in the same order: the outcome, one sentence, what shows it, what it rests on,
and a command that shows it again.  So a producer builds this object and prints nothing, and a renderer knows nothing of
producers; what one format says, all say.  Only the JSON keeps the fields of each producer: programs read them by name.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

Outcome: TypeAlias = Literal["conforms", "violated", "error", "unknown", "broken", "done"]

EXIT: Final[dict[Outcome, int]] = {"conforms": 0, "violated": 1, "error": 2, "unknown": 3, "broken": 4, "done": 0}
"""Exit codes.  `error` is wrong usage or input; `broken` is a subject that crashed, hung, exited or broke the protocol;
130 is interrupted, 143 terminated.  `done` is for what judges nothing."""

LONGEST: Final = 2_000
"""Characters of the longest cell that a record gives."""


_CONTROLS: Final = {
    code: ascii(chr(code))[1:-1]
    for first, end in ((0, 9), (11, 32), (127, 160), (0x200E, 0x2010), (0x202A, 0x202F), (0x2066, 0x206A))
    for code in range(first, end)
}
"""The escapes of characters that a terminal or a browser obeys instead of showing; a tab and a line break are not among
them."""


def disarm(text: str) -> str:
    r"""A text of somebody's, such that it says nothing to a terminal, or a browser, which might show words of ours.

    >>> disarm("a\x1b[2Jb"), disarm("conforms\r")
    ('a\\x1b[2Jb', 'conforms\\r')
    """
    return text.translate(_CONTROLS)


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
    """The section's heading, where there is room."""


@dataclass(frozen=True)
class Table:
    """Records with the same fields.  A row of one cell is a heading for those that follow."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ()
    """The columns that hold words; the others hold numbers."""
    shares: tuple[int, ...] = ()
    """The shares of the columns in the width of a text report; 0 is as much as the cells take."""
    lines: tuple[str, ...] | None = None
    """The lines of a text report, where they are better than a table."""
    ends_in_failure: bool = False
    """True if the last row is what went wrong."""
    summary: str | None = None
    """One line in its place where there is little room, in Markdown and JUnit; empty for none."""

    @classmethod
    def of_records(
        cls, caption: str, records: Iterable[Mapping[str, Any]], lines: tuple[str, ...] | None = None
    ) -> "Table":
        """Make a table of JSON objects; their names are the headings.

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
    """The command that shows it again."""

    command: str


Section: TypeAlias = Facts | Block | Table | Replay
Kind = TypeVar("Kind", Facts, Block, Table, Replay)


@dataclass(frozen=True)
class Report:
    """A verdict, and what is to be said with it."""

    outcome: Outcome
    sentence: str
    data: Any
    """The JSON."""
    subject: str = ""
    """The subject that is judged, if there is exactly one."""
    sections: tuple[Section, ...] = ()
    note: str = ""
    """A line that text adds to the sentence."""
    sentence_last: bool = False
    """True if text ends with the sentence, rather than with the sections: where they are long, its end is what a
    terminal shows."""

    @property
    def exit_code(self) -> int:
        """0 conforms, or done; 1 violated, 2 error, 3 unknown, 4 broken."""
        return EXIT[self.outcome]

    def only(self, kind: type[Kind]) -> list[Kind]:
        """The sections of this kind."""
        return [section for section in self.sections if isinstance(section, kind)]

    @property
    def title(self) -> str:
        """`violated: mine.py:Window`."""
        return f"{self.outcome}: {self.subject}" if self.subject else self.outcome
