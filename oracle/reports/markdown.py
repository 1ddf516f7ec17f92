"""Markdown, as GitHub reads it: for `$GITHUB_STEP_SUMMARY`, an issue, or a pull request.

What a subject answered is shown as text, whatever markup it holds.
"""

import re
from collections.abc import Iterable
from typing import Final

from swagproof.oracle.reports.content import Content

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]#|~$!]")


def render(content: Content) -> str:
    """The document: headings of the second and third level, and tables."""
    parts = [f"## {_plain(content.title)}", _plain(content.sentence)]
    if content.replay:
        parts.append(_fenced(content.replay, "sh"))
    if content.steps:
        parts.append("### The failing trace")
        rows = [
            [
                row.number,
                _code(row.operation),
                _code(row.expected),
                _code(row.got) + (" **fails**" if row.fails else ""),
            ]
            for row in content.steps
        ]
        parts.append(_table(["", "operation", "expected", "got"], rows))
    for name, block in content.blocks:
        parts += [f"### {_plain(name)}", _fenced(block, "text")]
    parts += ["### The verdict", _table(["", ""], ([_plain(name), _code(value)] for name, value in content.facts))]
    for table in content.tables:
        parts += [
            f"### {_plain(table.caption)}",
            _table(map(_plain, table.headings), (map(_plain, row) for row in table.rows)),
        ]
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Text in which nothing is markup.

    >>> print(_plain("a|b *c* <img src=x>"))
    a\\|b \\*c\\* &lt;img src=x&gt;
    """
    entities = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\g<0>", " ".join(entities.split()))


def _code(text: str) -> str:
    return f"<code>{_plain(text)}</code>" if text else ""


def _fenced(text: str, language: str) -> str:
    """A block of code, whose fence is longer than any within."""
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"{fence}{language}\n{text}\n{fence}"


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(headings)
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
