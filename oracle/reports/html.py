"""One HTML page that needs nothing else: no script, no font, no picture from anywhere; light and dark.

What a subject answered is shown as text, whatever markup it holds; and the page forbids the browser to load or to run
anything, in case that should ever fail.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

from swagproof.oracle.reports.content import Content

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --quiet: #666; --bad: #b3261e; --good: #1b6e3c; --odd: #8a5a00;
        --mark: #b3261e14; }
@media (prefers-color-scheme: dark) {
  :root { --quiet: #aaa; --bad: #ff8a80; --good: #7bd88f; --odd: #ffc566; --mark: #ff8a8022; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.violated { color: var(--bad); } .conforms { color: var(--good); } .error, .unknown { color: var(--odd); }
.sentence { font-size: 1.1rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } caption { text-align: left; color: var(--quiet); padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
td, pre { font-family: ui-monospace, monospace; font-size: .875rem; } td { overflow-wrap: anywhere; }
tr.fails { background: var(--mark); } tr.fails td:last-child { color: var(--bad); font-weight: bold; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; padding: .75rem; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; }
""".strip()

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(content: Content) -> str:
    """The page."""
    known = content.outcome if content.outcome in ("conforms", "violated", "error") else "unknown"
    outcome = f'<span class="{known}">{escape(content.outcome)}</span>'
    parts = [
        f"<h1>{outcome}{': ' if content.subject else ''}{escape(content.subject)}</h1>",
        f'<p class="sentence">{escape(content.sentence)}</p>',
    ]
    if content.replay:
        parts.append(f'<h2>Replay</h2>\n<pre class="command"><code>{escape(content.replay)}</code></pre>')
    if content.steps:
        rows = "\n".join(
            f'<tr{" class=fails" if row.fails else ""}><th scope="row">{escape(row.number)}</th>'
            + "".join(f"<td>{escape(cell)}</td>" for cell in (row.operation, row.expected))
            + f"<td>{escape(row.got)}{' (fails)' if row.fails else ''}</td></tr>"
            for row in content.steps
        )
        caption = "The failing trace, one operation a row; the last one fails"
        parts.append("<h2>Trace</h2>\n" + _table(caption, ("step", "operation", "expected", "got"), rows))
    for name, block in content.blocks:
        label = {"picture": "State of the reference before the failing operation", "stderr": "Standard error"}[name]
        parts.append(f"<h2>{escape(label)}</h2>\n<pre>{escape(block)}</pre>")
    facts = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in content.facts
    )
    parts.append("<h2>Verdict</h2>\n" + _table("What was judged, and how", ("field", "value"), facts))
    for table in content.tables:
        body = "\n".join(_row(row) for row in table.rows)
        parts.append(f"<h2>{escape(table.caption.capitalize())}</h2>\n" + _table(table.caption, table.headings, body))
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(content.title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<main>",
            *parts,
            "</main>\n</body>\n</html>\n",
        )
    )


def _row(cells: Iterable[str]) -> str:
    first, *rest = cells
    return f'<tr><th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in rest) + "</tr>"


def _table(caption: str, headings: Iterable[str], rows: str) -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}"><table>\n'
        f"<caption>{escape(caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>"
    )
