"""Plain text, for terminals and logs."""

import sys
from collections.abc import Iterator
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from swagproof.reports.report import Block, Facts, Replay, Report, Section, Table, disarm

if TYPE_CHECKING:
    import rich.table

WIDTH: Final = 150
"""The width of a table, in columns, that is not printed on a terminal."""

_INDENT: Final = "  "


def render(report: Report, *, terminal: bool = False, brief: bool = False) -> str:
    """Return the text, with the terminal's width and colours if `terminal`.

    `brief` replaces each table that has a summary by it.
    """
    if report.sentence_last:
        return _render_list(report, terminal)
    lines = [report.title, f"{_INDENT}{report.sentence}"]
    if not report.subject:
        lines = [f"{report.outcome}: {report.sentence}"]
    if report.note:
        lines.append(f"{_INDENT if report.subject else ''}{report.note}")
    body = [line for section in report.sections for line in _lines(section, brief)]
    every = (*lines, *([""] if body else []), *(f"{_INDENT}{line}" if line else "" for line in body))
    return disarm("\n".join(every))


def _lines(section: Section, brief: bool = False) -> Iterator[str]:
    match section:
        case Facts(rows):
            for name, value in rows:
                yield f"{name:<12}{value}"
        case Block("", text):
            yield from text.splitlines()
        case Block(name, text):
            for at, line in enumerate(text.splitlines()):
                yield f"{name if not at else '':<12}{line}"
        case Table(caption, summary=str(summary)) if brief:
            yield from [f"{caption:<12}{summary}"] if summary else []
        case Table():
            yield from section.lines or ()
        case Replay(command):
            yield f"{'replay':<12}{command}"


def _render_list(report: Report, terminal: bool) -> str:
    """Render the sections in full, then the sentence."""
    from rich.console import Console
    from rich.text import Text

    width = get_terminal_size().columns if terminal else WIDTH
    console = Console(width=width, force_terminal=terminal)
    with console.capture() as capture:
        for section in report.sections:
            if isinstance(section, Table):
                console.print(_rich_table(section))
            else:
                for line in _lines(section):
                    console.print(Text(disarm(line)))
        if report.sentence:
            console.print(Text(disarm(report.sentence)))
    return capture.get().removesuffix("\n")


def _rich_table(table: Table) -> "rich.table.Table":
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(title=table.caption or None, pad_edge=not table.words, expand=bool(table.shares))
    for at, heading in enumerate(table.headings):
        share = table.shares[at] if table.shares else 0
        made.add_column(
            heading,
            justify="left" if heading in table.words else "right",
            ratio=share or None,
            no_wrap=bool(table.shares) and not share,
            overflow="fold",  # a truncated id is useless
        )
    for row in table.rows:
        if len(row) == 1:
            made.add_section()
        made.add_row(*(Text(disarm(cell), style="bold italic" if len(row) == 1 else "") for cell in row))
    return made


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()
