"""A self-contained HTML page for light and dark mode, without scripts, fonts or external pictures.

Markup in a subject's answers is escaped.  As a second line of defence, the page's policy forbids the browser to load or
run anything.
"""

import html
from collections.abc import Sequence
from typing import Final

from swagproof.reports.report import Block, Facts, Replay, Report, Table, disarm

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --quiet: #666; --bad: #b3261e; --good: #1b6e3c; --odd: #8a5a00;
        --mark: #b3261e14; }
@media (prefers-color-scheme: dark) {
  :root { --quiet: #aaa; --bad: #ff8a80; --good: #7bd88f; --odd: #ffc566; --mark: #ff8a8022; } }
html { background: Canvas; color: CanvasText; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.violated { color: var(--bad); } .conforms { color: var(--good); } .error, .broken, .unknown { color: var(--odd); }
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


def render_part(report: Report) -> str:
    """Return the body of the page, to be embedded in another page such as a notebook."""
    outcome = f'<span class="{report.outcome}">{report.outcome}</span>'
    parts = [
        f"<h1>{outcome}{': ' if report.subject else ''}{escape(report.subject)}</h1>",
        *(f'<p class="sentence">{escape(line)}</p>' for line in (report.sentence, report.note) if line),
    ]
    for replay in report.only(Replay):
        parts.append(f'<h2>Replay</h2>\n<pre class="command"><code>{escape(replay.command)}</code></pre>')
    tables = report.only(Table)
    parts += [_tabulate(table) for table in tables if table.ends_in_failure]
    for block in report.only(Block):
        title = block.title or block.name.capitalize()
        parts.append((f"<h2>{escape(title)}</h2>\n" if title else "") + f"<pre>{escape(block.text)}</pre>")
    facts = tuple(row for facts in report.only(Facts) for row in facts.rows)
    if facts:
        parts.append(_tabulate(Table("What was judged, and how", ("field", "value"), facts), "Verdict"))
    parts += [_tabulate(table) for table in tables if not table.ends_in_failure]
    return "\n".join(parts)


def render(report: Report) -> str:
    """Return the whole page."""
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<main>",
            render_part(report),
            "</main>\n</body>\n</html>\n",
        )
    )


def _tabulate(table: Table, title: str = "") -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in table.headings)
    rows = [_row(row, len(table.headings)) for row in table.rows]
    if table.ends_in_failure:
        rows[-1] = rows[-1].replace("<tr>", "<tr class=fails>").removesuffix("</td></tr>") + " (fails)</td></tr>"
    body = "\n".join(rows)
    caption = f"<caption>{escape(table.caption)}</caption>\n" if title else ""  # otherwise the caption is the heading
    return (
        f"<h2>{escape(title or table.caption.capitalize())}</h2>\n"
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(table.caption)}"><table>\n'
        f"{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _row(cells: Sequence[str], columns: int) -> str:
    first, *rest = map(escape, cells)
    if not rest:
        return f'<tr><th scope="rowgroup" colspan="{columns}">{first}</th></tr>'
    return f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"


def escape(text: str) -> str:
    """Escape markup and the characters that change the direction of text."""
    return html.escape(disarm(text))
