"""`swagproof errata`: what is said of the papers' text, in four lists."""

from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from swagproof.proofs.ledger.claim import PAPERS
from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.report import Block, Report

if TYPE_CHECKING:
    from swagproof.proofs.errata.erratum import Entry


@click.command()
@report_options("json")
def errata() -> None:
    """List where a paper does not hold as printed, where it is silent, and where the text supplied is damaged.

    Each that is run has the trace that shows it; accusations that were withdrawn have the reason.  Exit code 1 when a
    trace no longer shows it.
    """
    from swagproof.proofs.errata import ENTRIES, count_lists  # they need Z3, and --help does not

    traces = {entry.id: entry.trace() for entry in ENTRIES}
    lines: list[str] = []
    for paper, of_paper in groupby(ENTRIES, lambda entry: entry.paper):
        lines.append(PAPERS[paper])
        for entry in of_paper:
            lines.append(f"{entry.id}  {entry.NAME}: {entry.place}")
            said = {**({"quoted": " ... ".join(entry.quotes)} if entry.quotes else {}), **entry.words}
            if entry.claim():
                said["trace"] = traces[entry.id] or "none found"
            lines += [f"  {name + ':':11}{text}" for name, text in said.items()]
    counts = count_lists(ENTRIES)
    found = {"counts": counts, "entries": [_describe(entry, traces[entry.id]) for entry in ENTRIES]}
    shown = all(traces[entry.id] for entry in ENTRIES if entry.claim())
    sections = (Block("", "\n".join(lines)),)
    sentence = ", ".join(f"{count} {name}" for name, count in counts.items())
    deliver(Report("conforms" if shown else "violated", sentence, found, sections=sections, sentence_last=True))


def _describe(entry: "Entry", trace: str | None) -> dict[str, Any]:
    return {
        "id": entry.id,
        "list": entry.NAME,
        "paper": PAPERS[entry.paper],
        "place": entry.place,
        "quotes": entry.quotes,
        **entry.words,
        "trace": trace,
    }
