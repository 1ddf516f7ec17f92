"""`swagproof errata`: where the papers do not hold as printed."""

from itertools import groupby

import click

from swagproof.proofs.errata import ERRATA
from swagproof.proofs.ledger.claim import PAPERS
from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.report import Block, Report


@click.command()
@report_options("json")
def errata() -> None:
    """List where a paper does not hold as printed, each with the trace that shows it.

    Exit code 1 when a trace no longer shows it.
    """
    found = [
        {
            "id": erratum.id,
            "paper": PAPERS[erratum.paper],
            "place": erratum.place,
            "printed": erratum.printed,
            "holds": erratum.holds,
            "trace": erratum.refute_printed(),
        }
        for erratum in ERRATA
    ]
    lines: list[str] = []
    for paper, entries in groupby(found, lambda entry: entry["paper"]):
        lines.append(str(paper))
        for entry in entries:
            lines.append(f"{entry['id']}  {entry['place'] or ''}")
            lines += [f"  {name + ':':9}{entry[name] or 'none found'}" for name in ("printed", "holds", "trace")]
    shown = all(entry["trace"] for entry in found)
    sections = (Block("", "\n".join(lines)),)
    sentence = f"{len(found)} errata"
    deliver(Report("conforms" if shown else "violated", sentence, found, sections=sections, sentence_last=True))
