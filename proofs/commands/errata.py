"""`swagproof errata`: the entries about the papers' texts."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from swagproof.proofs.ledger.claim import PAPERS
from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.report import Block, Report

if TYPE_CHECKING:
    from swagproof.proofs.errata.erratum import Entry


@click.command()
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--paper", "papers", multiple=True, help="Only this paper: a part of its name, such as 2018.")
@report_options("json")
def errata(names: Sequence[str], papers: Sequence[str]) -> None:
    """List errata and unclear passages of the papers.

    The entries are false statements, slips that the surrounding text corrects, silent or ambiguous passages, damage in
    the supplied text, and withdrawn entries with the reason.  An ID selects one entry (DABA-2), or all entries with
    this first part (fiba); without an ID all are shown.  If an entry has a trace, the command runs it.

    Exit code 1 if a trace contradicts its entry.

    \b
    Examples:
      swagproof errata DABA-2
      swagproof errata fiba --paper 2018
    """
    from swagproof.proofs.errata import count_lists, find  # they need Z3, and --help does not

    try:
        entries = find(names, papers)
    except KeyError as error:
        raise click.UsageError(error.args[0]) from error
    if not entries:
        raise click.UsageError("no entry has such an id in such a paper: leave out --paper, or the id")
    traces = {entry.id: entry.trace() for entry in entries}
    lines: list[str] = []
    for paper, of_paper in groupby(entries, lambda entry: entry.paper):
        lines.append(PAPERS[paper])
        for entry in of_paper:
            lines.append(f"{entry.id}  {entry.listed}: {entry.place}")
            said = {**({"quoted": " ... ".join(entry.quotes)} if entry.quotes else {}), **entry.words}
            if entry.searches:
                said["trace"] = traces[entry.id] or "none found"
            lines += [f"  {name + ':':13}{text}" for name, text in said.items()]
    counts = count_lists(entries)
    found = {"counts": counts, "entries": [_describe(entry, traces[entry.id]) for entry in entries]}
    shown = all(traces[entry.id] for entry in entries if entry.searches)
    sections = (Block("", "\n".join(lines)),)
    sentence = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    deliver(Report("conforms" if shown else "violated", sentence, found, sections=sections, sentence_last=True))


def _describe(entry: "Entry", trace: str | None) -> dict[str, Any]:
    return {
        "id": entry.id,
        "list": entry.listed,
        "paper": PAPERS[entry.paper],
        "place": entry.place,
        "quotes": entry.quotes,
        **entry.words,
        "trace": trace,
    }
