"""Markdown as GitHub renders it, for `$GITHUB_STEP_SUMMARY`, issues and pull requests.

Markup in a subject's answers is escaped.
"""

import re
from collections.abc import Iterable
from typing import Final

from swagproof.reports.report import Block, Facts, Replay, Report, Table, disarm

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]#|~$!]")


def render(report: Report) -> str:
    """Return the document: headings of the second and third level, and tables."""
    parts = [f"## {_escape(report.title)}", _escape(report.sentence), *([_escape(report.note)] if report.note else [])]
    parts += [_fence(replay.command, "sh") for replay in report.only(Replay)]
    tables = [table for table in report.only(Table) if table.summary is None]
    parts += [_tabulate(table) for table in tables if table.ends_in_failure]
    for block in report.only(Block):
        parts += [f"### {_escape(block.title or block.name)}"] * bool(block.name) + [_fence(block.text, "text")]
    facts = list[tuple[str, str]]()
    for section in report.sections:
        match section:
            case Facts(rows):
                facts += rows
            case Table(caption, summary=str(summary)) if summary:
                facts.append((caption, summary))
            case _:
                pass
    if facts:
        parts += ["### The verdict", _rows(["", ""], ([_escape(name), _code(value)] for name, value in facts))]
    return "\n\n".join([*parts, *(_tabulate(table) for table in tables if not table.ends_in_failure)]) + "\n"


def _tabulate(table: Table) -> str:
    rows = [[*map(_code if table.ends_in_failure else _escape, row)] for row in table.rows]
    if table.ends_in_failure:
        rows[-1][-1] += " **fails**"
    padded = ([*row, *[""] * (len(table.headings) - len(row))] for row in rows)
    return f"### {_escape(table.caption)}\n\n{_rows(map(_escape, table.headings), padded)}"


def _escape(text: str) -> str:
    """Escape all markup.

    >>> print(_escape("a|b *c* <img src=x>"))
    a\\|b \\*c\\* &lt;img src=x&gt;
    """
    entities = disarm(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\g<0>", " ".join(entities.split()))


def _code(text: str) -> str:
    return f"<code>{_escape(text)}</code>" if text else ""


def _fence(text: str, language: str) -> str:
    """Return a code block whose fence is longer than any fence inside."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{disarm(text).strip(chr(10))}\n{fence}"


def _rows(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(headings)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
