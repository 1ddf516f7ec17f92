"""`swagproof prove`: check the claims, and print the matrix of evidence and the claims that do not hold."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from swagproof.proofs.ledger.claim import OF_THE_TEXT, OURS, PAPERS, Claim, ClaimResult, exit_code
from swagproof.reports.delivery import deliver, refuse_existing, report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import EXIT, Block, Outcome, Report, Section, Table

if TYPE_CHECKING:
    from swagproof.proofs.ledger.second_solver import SecondSolver

_OUTCOME: Final[dict[int, Outcome]] = {EXIT[outcome]: outcome for outcome in ("conforms", "violated", "unknown")}


def _find_solver(_context: click.Context, _parameter: click.Parameter, name: str | None) -> "SecondSolver | None":
    """Return the solver with this name.  Raises UsageError if it is not installed."""
    if name is None:
        return None
    from swagproof.proofs.ledger.second_solver import SOLVERS

    solver = SOLVERS[name]
    if not solver.installed:
        raise click.UsageError(f"{name} is not installed: pip install 'swagproof[{name}]'")
    return solver


@click.command()
@click.argument("names", nargs=-1)
@report_options("json")
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Number of processes.  [default: one for each core]",
)
@click.option("--list", "list_only", is_flag=True, help="List the claims without checking them.")
@click.option("--deep", is_flag=True, help="Use the largest bound of each claim; takes up to half an hour.")
@click.option(
    "--solver",
    "second",
    type=click.Choice(["cvc5"]),
    callback=_find_solver,
    help="Repeat with this solver each Z3 query that a claim depends on (needs the extra cvc5).",
)
@click.option(
    "--smt-lib",
    "directory",
    metavar="DIRECTORY",
    callback=refuse_existing,
    help="Write the Z3 queries of proved claims to this directory, one SMT-LIB file each.",
)
@click.option(
    "--explain", is_flag=True, help="Show each proof of those NAMED path by path, and a state that refutes each mutant."
)
@click.option("--verbose", is_flag=True, help="Print every claim, not only the matrix and the claims that do not hold.")
@click.option("--fresh", is_flag=True, help="Ignore cached verdicts: check every claim again.")
@click.option(
    "--cache",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="SWAGPROOF_CACHE",
    metavar="DIRECTORY",
    help="Directory of cached verdicts.  [default: in the user's cache]",
)
def prove(
    names: tuple[str, ...],
    processes: int,
    list_only: bool,
    deep: bool,
    second: "SecondSolver | None",
    directory: str | None,
    explain: bool,
    verbose: bool,
    fresh: bool,
    folder: Path | None,
) -> None:
    """Check all claims, or those NAMED, and print the evidence.

    A name is a claim's id (daba/invariants), an algorithm (daba) or a paper ("Out-of-Order SWAG (2018)"); --list prints
    the ids.  The output is a matrix of the strongest evidence for each aspect of each algorithm, the claims that do not
    hold, and the totals.

    A claim holds if its check passes and rejects every mutant (deliberately wrong edit) that the claim names.  Exit
    code 1 if a claim fails or a mutant is not rejected, 3 if a result is unknown.

    Claims that hold are cached until the package's source, Python or a tool changes.  --fresh, --solver, --smt-lib and
    --explain check again.  With --solver a claim fails if the solver contradicts an answer of Z3; the command reports
    the number of queries that the solver leaves open.

    \b
    Examples:
      swagproof prove
      swagproof prove daba/invariants --explain
    """
    # these need Z3, and --help does not
    from swagproof.proofs.claims import check_claims, collect_seldom, find
    from swagproof.proofs.commands.explanation import explain as tell
    from swagproof.proofs.engine.settings import using
    from swagproof.proofs.ledger.cache import Cache, find_folder, keep_rows, read_rows
    from swagproof.proofs.ledger.second_solver import Review

    try:
        claims = find(names)
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from None
    if explain and not names:
        raise click.UsageError("--explain requires NAMES; swagproof prove --list prints them")
    if list_only:
        for claim in claims:
            click.echo(f"{claim.id}\t{claim.kind}\t{claim.statement}")
        return
    collect_seldom()
    cache = None if second or directory or explain else Cache((folder or find_folder()) / "verdicts")
    with show_progress("claims", count=len(claims)) as progress, using(cases=True) if explain else nullcontext():
        rows = check_claims(
            claims,
            processes=1 if explain else processes,  # recordings stay in the process that makes them
            deep=deep,
            review=Review(second, directory).check if second or directory else None,
            cached=None if cache is None or fresh else read_rows(cache, claims, deep),
            report=lambda row: progress.advance(),
        )
    if cache is not None:
        keep_rows(cache, rows)
    report = report_on(rows, second, verbose=verbose)
    deliver(replace(report, sections=tuple(s for row in rows for s in tell(row))) if explain else report)


def report_on(rows: Sequence[ClaimResult], second: "SecondSolver | None" = None, *, verbose: bool = False) -> Report:
    """Make the report of a run, which conforms only if every claim holds."""
    controls = sum(len(row.controls) for row in rows)
    surviving = sum(len(row.surviving) for row in rows)
    cached = sum(row.cached for row in rows)
    answers = [_count_answers(rows, second)] if second else []
    return Report(
        _OUTCOME[exit_code(rows)],
        f"{len(rows)} claims: {_count_kinds(rows)}. {controls - surviving} of {controls} mutants rejected. "
        f"Not holding: {sum(not _holds(row) for row in rows)}."
        + (
            f" {cached} cached, as nothing has changed since they were checked; --fresh checks again." if cached else ""
        ),
        [row.as_json() for row in rows],
        sections=(
            *_draw_matrix(rows),
            *_list_claims(rows if verbose else [row for row in rows if not _holds(row)], verbose),
            *([Block("", "\n".join(answers))] if answers else []),
        ),
        sentence_last=True,
    )


def _holds(row: ClaimResult) -> bool:
    return row.verdict == "holds" and not row.surviving


def _draw_matrix(rows: Sequence[ClaimResult]) -> Iterator[Section]:
    """Yield the matrix of the claims that were checked, if any is about an aspect of an algorithm."""
    # reads the catalogue, and --help does not
    from swagproof.proofs.ledger.matrix import LEGEND, MAIN_ASPECTS, MARKS, arrange, shorten

    by_id = {row.claim.id: row for row in rows}

    def mark(found: Sequence[Claim], algorithm: str) -> str:
        """Return the strongest evidence; a claim that does not hold comes before all that do."""
        worst = next((by_id[claim.id] for claim in found if not _holds(by_id[claim.id])), None)
        if worst is not None:
            return f"{worst.verdict.upper()} {shorten(worst.claim, algorithm)}"
        return f"{MARKS[found[0].kind]} {shorten(found[0], algorithm)}" if found else "-"

    matrix = arrange(row.claim for row in rows)
    cells = tuple(
        (name, *(mark(of_name.get(column, ()), name) for column in MAIN_ASPECTS)) for name, of_name in matrix.items()
    )
    if cells:
        headings = ("algorithm", *MAIN_ASPECTS)
        yield Table("", headings, cells, words=headings)
        yield Block("", f"Strongest evidence: {LEGEND}; - no claim among those checked.")


def _list_claims(rows: Sequence[ClaimResult], verbose: bool) -> Iterator[Section]:
    """Yield the table of the claims, by paper; if verbose, also each paper's number of claims of each kind."""
    cells: list[tuple[str, ...]] = []
    counts: list[str] = []
    for paper in (*PAPERS, OURS):
        of_paper = [row for row in rows if row.claim.paper == paper]
        if of_paper:
            cells += (PAPERS.get(paper, paper),), *map(_cells, of_paper)
            counts.append(f"{paper}: {_count_kinds(of_paper)}")
    if cells:
        yield Table(
            "",
            ("claim", "kind, scope, and what is not covered", "s", "mutants rejected", "verdict"),
            tuple(cells),
            words=("claim", "kind, scope, and what is not covered", "mutants rejected", "verdict"),
            shares=(5, 4, 0, 2, 0),
        )
    if cells and verbose:
        yield Block("", "\n".join(counts))


def _cells(row: ClaimResult) -> tuple[str, ...]:
    claim, rejected = row.claim, len(row.controls) - len(row.surviving)
    statement = claim.statement
    if row.verdict != "holds" or claim.kind in OF_THE_TEXT or "judged" in row.statistics:
        statement += f" -- {row.detail}"
    if row.surviving:
        statement += f" -- NOT REJECTED: {', '.join(row.surviving)}"
    compared = f": {claim.source.comparison}" if claim.source.comparison else ""
    return (
        f"{claim.id} ({claim.source}{compared})\n{statement}",
        f"{claim.kind} ({claim.engine}): {row.scope}"
        + (f"\nnot covered: {claim.not_covered}" if claim.not_covered else ""),
        f"{row.seconds:.1f}" + " cached" * row.cached,
        f"{rejected} of {len(row.controls)}: {'; '.join(name for name, _, _ in row.controls[:2])}"
        + (" ..." if len(row.controls) > 2 else ""),
        row.verdict if not row.surviving else "control survives",
    )


def _count_answers(rows: Sequence[ClaimResult], second: "SecondSolver") -> str:
    """Return the second solver's counts, with a line for each claim that it did not confirm completely."""
    looked_at = {row.claim.id: row.statistics[second.name] for row in rows if second.name in row.statistics}
    total = Counter[str]()
    for found in looked_at.values():
        total.update({name: found[name] for name in ("asked", "confirmed", "open", "refuted", "new")})
    lines = [
        f"{second.name} {second.version}: {len(looked_at)} proved rows rest on {total['asked']:,} answers of Z3's, to "
        f"{total['new']:,} different questions: {total['confirmed']:,} confirmed, {total['open']:,} left open, "
        f"{total['refuted']:,} refuted."
    ]
    for id, found in looked_at.items():
        if found["confirmed"] < found["asked"]:
            why = "; ".join(f"{count} {reason}" for reason, count in found["why_open"].items())
            lines.append(f"  {id}: {found['open']} of {found['asked']} left open ({why}), {found['refuted']} refuted")
    return "\n".join(lines)


def _count_kinds(rows: Sequence[ClaimResult]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in Counter(row.claim.kind for row in rows).items())
