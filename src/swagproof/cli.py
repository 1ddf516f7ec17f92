"""The command line, composed of the rooms.

Exit codes: 0 conforms, 1 violated, 2 usage or input error, 3 unknown, 130 interrupted.
"""

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from swagproof.oracle.commands.check_state import check_state
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.commands.vectors import vectors
from swagproof.pipeline.commands.audit import audit
from swagproof.pipeline.commands.explore import explore
from swagproof.pipeline.commands.replay import replay
from swagproof.pipeline.commands.stream import stream

if TYPE_CHECKING:
    from swagproof.oracle.bench import Judged
    from swagproof.oracle.programs.throughput import Throughput
    from swagproof.proofs.costs.contract_costs import Measured

WIDTH = 150
"""Columns of a table that is not printed on a terminal."""

JSON = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write JSON (-: here).",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="swagproof")
def commands() -> None:
    """The formally checked reference and oracle for sliding-window aggregation."""


for command in (conform, replay, audit, stream, explore):
    commands.add_command(command)
commands.add_command(check_state)
commands.add_command(vectors)


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else WIDTH)


def _progress() -> AbstractContextManager[Progress]:
    """Progress on a terminal's standard error; silent in a pipe."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _report(json_file: str | None, content: Any, print_table: Callable[[Console], None]) -> None:
    """Write the JSON where it was asked for, and the table unless the JSON takes its place."""
    if json_file is not None:
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        if json_file == "-":
            sys.stdout.write(text)
            return
        try:
            Path(json_file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise click.FileError(json_file, f"{error.strerror}; give another --json FILE, or -") from None
    print_table(_console())


@commands.command()
@click.argument("names", nargs=-1)
@JSON
@click.option("--processes", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="How many at once.")
@click.option("--list", "list_only", is_flag=True, help="List the claims without checking them.")
@click.option("--deep", is_flag=True, help="Check as far as each claim goes; takes up to half an hour.")
def prove(names: tuple[str, ...], json_file: str | None, processes: int, list_only: bool, deep: bool) -> None:
    """Check every claim, or those NAMED (an id, an algorithm or a paper), and print the ledger.

    A claim holds when its check holds and every deliberately wrong variant of it is rejected.  Exit code 1 when a claim
    fails or a wrong variant survives, 3 when something is unknown.
    """
    from swagproof.proofs.claims import find, settle_all
    from swagproof.proofs.ledger.claim import OURS, PAPERS, Claim, Row, exit_code

    try:
        claims = find(names)
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from None
    if list_only:
        for claim in claims:
            click.echo(f"{claim.id}\t{claim.kind}\t{claim.statement}")
        return
    with _progress() as progress:
        task = progress.add_task("claims", total=len(claims))
        rows = settle_all(claims, processes=processes, deep=deep, settled=lambda row: progress.advance(task))

    def print_ledger(console: Console) -> None:
        table = Table(show_lines=False, pad_edge=False, expand=True)
        table.add_column("claim", ratio=5)
        table.add_column("kind", no_wrap=True)
        table.add_column("engine, scope", ratio=3)
        table.add_column("s", justify="right")
        table.add_column("wrong variants rejected", ratio=2)
        table.add_column("verdict", no_wrap=True)
        for paper in (*PAPERS, OURS):
            of_paper = [row for row in rows if row.claim.paper == paper]
            for number, row in enumerate(of_paper):
                if number == 0:
                    table.add_section()
                    table.add_row(f"[bold italic]{PAPERS.get(paper, paper)}[/bold italic]")
                _add(table, row)
        console.print(table)
        _summary(console, rows)

    def _add(table: Table, row: Row) -> None:
        claim: Claim = row.claim
        rejected = len(row.controls) - len(row.surviving)
        said = claim.statement
        if row.verdict != "holds" or claim.kind == "refuted-as-printed":
            said += f" -- {row.detail}"
        if row.surviving:
            said += f" -- NOT REJECTED: {', '.join(row.surviving)}"
        table.add_row(
            f"[bold]{escape(claim.id)}[/bold] ({escape(claim.source)})\n{escape(said)}",
            claim.kind,
            escape(f"{claim.engine}: {row.scope}"),
            f"{row.seconds:.1f}",
            escape(f"{rejected} of {len(row.controls)}: {'; '.join(name for name, _, _ in row.controls[:2])}")
            + (" ..." if len(row.controls) > 2 else ""),
            row.verdict if not row.surviving else "control survives",
        )

    def _summary(console: Console, rows: list[Row]) -> None:
        kinds = Counter(row.claim.kind for row in rows)
        for paper in (*PAPERS, OURS):
            counts = Counter(row.claim.kind for row in rows if row.claim.paper == paper)
            if counts:
                console.print(f"{paper}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
        controls = sum(len(row.controls) for row in rows)
        surviving = sum(len(row.surviving) for row in rows)
        console.print(
            f"{len(rows)} claims: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()) + ". "
            f"{controls - surviving} of {controls} wrong variants rejected. "
            f"Not holding: {sum(row.verdict != 'holds' for row in rows)}."
        )

    _report(json_file, [row.as_json() for row in rows], print_ledger)
    raise click.exceptions.Exit(exit_code(rows))


@commands.command()
@JSON
def errata(json_file: str | None) -> None:
    """List where a paper does not hold as printed, each with the trace that shows it.

    Exit code 1 when a trace no longer shows it.
    """
    from swagproof.proofs.errata import ERRATA
    from swagproof.proofs.ledger.claim import PAPERS

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

    def print_errata(console: Console) -> None:
        paper = None
        for entry in found:
            if entry["paper"] != paper:
                paper = entry["paper"]
                console.print(f"[italic]{paper}[/italic]")
            console.print(f"[bold]{entry['id']}[/bold]  {escape(entry['place'] or '')}")
            for name in ("printed", "holds", "trace"):
                console.print(f"  {name + ':':9}{escape(entry[name] or 'none found')}", highlight=False)
        console.print(f"{len(found)} errata")

    _report(json_file, found, print_errata)
    raise click.exceptions.Exit(0 if all(entry["trace"] for entry in found) else 1)


@commands.command()
@JSON
def variants(json_file: str | None) -> None:
    """List the deliberately wrong variants of each algorithm, and the proof and the contract that reject each.

    Exit code 1 when one is not rejected.
    """
    from swagproof.proofs.kills import SUSPECTS, Kill, kills

    rows: list[Kill] = []
    with _progress() as progress:
        task = progress.add_task("wrong variants", total=sum(len(suspects.variants) for suspects in SUSPECTS))
        for row in kills():
            rows.append(row)
            progress.advance(task)

    def print_variants(console: Console) -> None:
        for row in rows:
            console.print(f"[bold]{row.algorithm}[/bold]: {escape(row.name)}")
            for change in row.changes:
                console.print(f"  {escape(change)}", highlight=False)
            for what, how in (("proof", row.proof), ("contract", row.contract)):
                console.print(f"  {what + ':':10}{escape(how or 'NOT REJECTED')}", highlight=False)
            if row.hidden:
                console.print(f"  {'answers:':10}{escape(row.hidden)}", highlight=False)
        console.print(f"{len(rows)} wrong variants, {sum(bool(r.proof and r.contract) for r in rows)} rejected by both")

    _report(json_file, [row.as_json() for row in rows], print_variants)
    raise click.exceptions.Exit(0 if all(row.proof and row.contract for row in rows) else 1)


@commands.command()
@click.argument("names", nargs=-1)
@JSON
@click.option(
    "--size", "sizes", type=click.IntRange(min=2), multiple=True, help="Window size of a history; may repeat."
)
@click.option("--list", "list_only", is_flag=True, help="List the experiments without running them.")
def cost(names: tuple[str, ...], json_file: str | None, sizes: tuple[int, ...], list_only: bool) -> None:
    """Count combine calls, nodes and steps beside what the theorems say: all experiments, or those NAMED.

    `histories` plays kinds of history on the in-order algorithms; the others are curves, by id or by their first part
    (`fiba`).  The averages of the histories are printed beside the theorems', which do not hold for every history
    (errata TS-1 and DABA-2).  Exit code 1 when a bound that is claimed is exceeded.
    """
    from swagproof.proofs.costs.counts import SIZES, Counted, count_all
    from swagproof.proofs.costs.curves import Experiment, Point, within
    from swagproof.proofs.experiments import HISTORIES, find

    try:
        histories, experiments = find(names)
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from None
    if list_only:
        for id, title in [(HISTORIES, "Kinds of history")] * histories + [(e.id, e.title) for e in experiments]:
            click.echo(f"{id}\t{title}")
        return
    rows: list[Counted] = []
    curves: list[tuple[Experiment, list[Point]]] = []
    with _progress() as progress:
        task = progress.add_task("experiments", total=None)
        for row in count_all(sizes or SIZES) if histories else ():
            rows.append(row)
            progress.advance(task)
        for experiment in experiments:
            curves.append((experiment, experiment.points()))
            progress.advance(task)

    def print_histories(console: Console) -> None:
        table = Table(title="combine calls", pad_edge=False)
        for heading in ("algorithm", "history", "n", "operation", "times", "worst", "theorem", "average", "theorem"):
            table.add_column(heading, justify="left" if heading in ("algorithm", "history", "operation") else "right")
        for row in rows:
            said = (
                "" if row.average_said is None else f"{row.average_said:g}{'' if row.within_average else ' exceeded'}"
            )
            table.add_row(
                row.algorithm,
                row.history,
                f"{row.n:,}",
                row.operation,
                f"{row.times:,}",
                f"{row.worst:,}",
                f"{row.worst_said:,}",
                f"{row.average:.3f}",
                said,
            )
        console.print(table)

    def print_curve(console: Console, experiment: Experiment, points: list[Point]) -> None:
        names = list(dict.fromkeys(point.series for point in points))
        found = {(point.series, point.x): point for point in points}
        table = Table(title=f"{experiment.id}: {experiment.title} ({experiment.source}); {experiment.unit}")
        table.add_column(experiment.x, justify="right")
        for name in names:
            table.add_column(escape(name), justify="right")
        for x in dict.fromkeys(point.x for point in points):
            table.add_row(f"{x:,}", *(_shown(found.get((name, x))) for name in names))
        console.print(table)

    def _shown(point: Point | None) -> str:
        if point is None:
            return ""
        bound = "" if point.bound is None else f" <= {point.bound:,.4g}" if point.within else f" > {point.bound:,.4g}"
        return f"{point.measured:,.4g}{bound}"

    def print_costs(console: Console) -> None:
        if rows:
            print_histories(console)
        for experiment, points in curves:
            print_curve(console, experiment, points)

    content = {
        HISTORIES: [row.as_json() for row in rows],
        "curves": [experiment.as_json(points) for experiment, points in curves],
    }
    _report(json_file, content, print_costs)
    kept = all(row.within_worst for row in rows) and all(within(points) for _, points in curves)
    raise click.exceptions.Exit(0 if kept else 1)


@commands.command()
@click.argument("parts", nargs=-1, metavar="[contracts|oracle]...", type=click.Choice(("contracts", "oracle")))
@JSON
@click.option("--size", "sizes", type=click.IntRange(min=1), multiple=True, help="Window size; may be repeated.")
@click.option(
    "--exec", "programs", metavar="COMMAND", multiple=True, help="Measure judging this right program; may be repeated."
)
@click.option("--monoid", default="sum", show_default=True, help="What the programs compute.")
def bench(
    parts: tuple[str, ...], json_file: str | None, sizes: tuple[int, ...], programs: tuple[str, ...], monoid: str
) -> None:
    """Measure side by side, in one run: both parts, or those named.

    `contracts`: what contracts cost, off, cheap and full, beside a list that is reduced.  `oracle`: what judging costs,
    beside the subject and the reference run bare, and beside judging by a list that is reduced.  With `--exec`, what
    judging a program of yours costs, beside the same lines through `cat`.
    """
    parts = parts or (() if programs else ("contracts", "oracle"))
    contracts: list[Measured] = []
    oracle: list[Judged] = []
    with _progress() as progress:
        if "contracts" in parts:
            from swagproof.proofs.costs.contract_costs import SIZES, measure

            task = progress.add_task("contracts", total=6 * len(sizes or SIZES))
            for measured in measure(sizes or SIZES):
                contracts.append(measured)
                progress.advance(task)
        if "oracle" in parts:
            from swagproof.oracle.bench import MEASURED, judgings
            from swagproof.oracle.bench import SIZES as JUDGED_SIZES

            task = progress.add_task("oracle", total=len(MEASURED) * len(sizes or JUDGED_SIZES))
            for judged in judgings(sizes or JUDGED_SIZES):
                oracle.append(judged)
                progress.advance(task)

        carried: list[Throughput] = []
        if programs:
            from swagproof.oracle.programs.throughput import throughput
            from swagproof.oracle.trace import InputError

            task = progress.add_task("programs", total=len(programs))
            for command in programs:
                try:
                    carried.append(throughput(command, monoid))
                except InputError as error:
                    raise click.UsageError(str(error)) from None
                progress.advance(task)

    def print_ratios(console: Console) -> None:
        if contracts:
            table = Table(title="operations a second, and how many times as many with contracts off", pad_edge=False)
            table.add_column("algorithm")
            for heading in ("n", "off", "cheap", "full", "list and reduce", "off/cheap", "off/full", "off/list"):
                table.add_column(heading, justify="right")
            for row in contracts:
                speeds: Iterable[float] = (row.off, row.cheap, row.full, row.list_and_reduce)
                ratios = (row.off / row.cheap, row.off / row.full, row.off / row.list_and_reduce)
                table.add_row(row.algorithm, f"{row.n:,}", *map(_speed, speeds), *(f"{ratio:,.1f}" for ratio in ratios))
            console.print(table)
        if oracle:
            table = Table(title="operations a second, judged and bare, and judged by list and reduce", pad_edge=False)
            for heading in ("subject", "monoid"):
                table.add_column(heading)
            for heading in (
                "n",
                "judged",
                "subject",
                "reference",
                "times bare",
                "list and reduce",
                "judged/list",
                "at most",
            ):
                table.add_column(heading, justify="right")
            for found in oracle:
                alone = map(_speed, (found.judged, found.subject_alone, found.reference_alone))
                table.add_row(
                    found.subject,
                    found.monoid,
                    f"{found.n:,}",
                    *alone,
                    f"{found.over_bare:.2f}",
                    _speed(found.list_and_reduce),
                    f"{found.over_list:,.1f}",
                    f"{found.at_most:,.1f}",
                )
            console.print(table)

        if carried:
            table = Table(title="operations a second through a pipe: judged, and carried by cat", pad_edge=False)
            for heading in ("program", "monoid"):
                table.add_column(heading)
            for heading in ("judged", "cat", "judged/cat", "the same, of our own processor time"):
                table.add_column(heading, justify="right")
            for piped in carried:
                piped_speeds = (_speed(piped.judged), _speed(piped.carried))
                table.add_row(
                    piped.program, piped.monoid, *piped_speeds, f"{piped.ratio:.2f}", f"{piped.own_ratio:.2f}"
                )
            console.print(table)

    content = {
        "contracts": [row.as_json() for row in contracts],
        "oracle": [row.as_json() for row in oracle],
        "programs": [row.as_json() for row in carried],
    }
    chosen = (*parts, *(("programs",) if programs else ()))
    _report(json_file, {part: content[part] for part in chosen}, print_ratios)


def _speed(operations_per_second: float) -> str:
    return f"{operations_per_second:,.0f}" if operations_per_second >= 10 else f"{operations_per_second:.2f}"


def main() -> None:
    """The `swagproof` command.  Terminated, it unwinds as it does on Ctrl-C, so that what it started ends with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        code = commands.main(standalone_mode=False)
    except click.exceptions.Exit as exit_:
        code = exit_.exit_code
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
