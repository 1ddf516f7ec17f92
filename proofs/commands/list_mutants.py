"""`swagproof mutants`: the hand-written mutants, and the proof and the contract that reject each."""

from dataclasses import asdict

import click

from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Block, Report


@click.command()
@report_options("json")
def mutants() -> None:
    """List the mutants of each algorithm and what rejects them.

    A mutant is a deliberately wrong edit of the reference.  Each is listed with its changed line, the proof that
    rejects it, and the contract that its shortest failing history violates.

    Exit code 1 if a mutant is not rejected.
    """
    from swagproof.proofs.kills import SUSPECTS, kills  # they need Z3, and --help does not

    with show_progress("mutants", count=sum(len(suspects.mutants) for suspects in SUSPECTS)) as progress:
        rows = list(progress.count(kills()))
    lines: list[str] = []
    for row in rows:
        lines.append(f"{row.algorithm}: {row.name}")
        lines += [f"  {change}" for change in row.changes]
        lines += [
            f"  {'proof:':10}{row.proof or 'NOT REJECTED'}",
            f"  {'contract:':10}{row.contract or 'NOT REJECTED'}",
        ]
        if row.hidden:
            lines.append(f"  {'answers:':10}{row.hidden}")
    rejected = sum(bool(row.proof and row.contract) for row in rows)
    deliver(
        Report(
            "conforms" if rejected == len(rows) else "violated",
            f"{len(rows)} mutants, {rejected} rejected by both",
            [asdict(row) for row in rows],
            sections=(Block("", "\n".join(lines)),),
            sentence_last=True,
        )
    )
