"""`swagproof bench`: the cost of contracts, and of judging a program."""

from typing import Any

import click

from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report, Table


@click.command()
@click.argument("parts", nargs=-1, metavar="[contracts]", type=click.Choice(("contracts",)))
@report_options("json")
@click.option("--size", "sizes", type=click.IntRange(min=1), multiple=True, help="Window size; may be repeated.")
@click.option(
    "--exec",
    "programs",
    metavar="COMMAND",
    multiple=True,
    help="Measure judging this program, which must be right; may be repeated.",
)
@click.option("--monoid", default="sum", show_default=True, help="The monoid that the programs compute.")
def bench(parts: tuple[str, ...], sizes: tuple[int, ...], programs: tuple[str, ...], monoid: str) -> None:
    """Measure the cost of contracts and of judging.

    `contracts`, the default, measures each in-order algorithm with contracts off, cheap (those of constant time) or
    full, and compares it with a list whose elements are all combined at each query.

    --exec measures how long judging a program takes, compared with sending the same lines through `cat`.

    \b
    Examples:
      swagproof bench contracts --size 1000
      swagproof bench --exec ./window --monoid sum
    """
    content: dict[str, list[dict[str, Any]]] = {}
    tables: list[Table] = []
    if parts or not programs:
        table, content["contracts"] = _measure_contracts(sizes)
        tables.append(table)
    if programs:
        table, content["programs"] = _measure_programs(programs, monoid)
        tables.append(table)
    deliver(Report("done", "", content, sections=tuple(tables), sentence_last=True))


def _measure_contracts(sizes: tuple[int, ...]) -> tuple[Table, list[dict[str, Any]]]:
    from swagproof.proofs.costs.contract_costs import SIZES, measure

    with show_progress("contracts", count=6 * len(sizes or SIZES)) as progress:
        rows = list(progress.count(measure(sizes or SIZES)))
    return Table(
        "operations a second, and how many times as many with contracts off",
        ("algorithm", "n", "off", "cheap", "full", "list and reduce", "off/cheap", "off/full", "off/list"),
        tuple(
            (
                row.algorithm,
                f"{row.n:,}",
                *map(_show_speed, (row.off, row.cheap, row.full, row.list_and_reduce)),
                *(f"{row.off / other:,.1f}" for other in (row.cheap, row.full, row.list_and_reduce)),
            )
            for row in rows
        ),
        words=("algorithm",),
    ), [row.as_json() for row in rows]


def _measure_programs(programs: tuple[str, ...], monoid: str) -> tuple[Table, list[dict[str, Any]]]:
    from swagproof.oracle.trace import InputError
    from swagproof.throughput import Throughput, throughput

    rows: list[Throughput] = []
    with show_progress("programs", count=len(programs)) as progress:
        for command in programs:
            try:
                rows.append(throughput(command, monoid))
            except InputError as error:
                raise click.UsageError(str(error)) from None
            progress.advance()
    return Table(
        "operations a second through a pipe: judged, and carried by cat",
        ("program", "monoid", "judged", "cat", "judged/cat", "the same, of our own processor time"),
        tuple(
            (
                row.program,
                row.monoid,
                *map(_show_speed, (row.judged, row.carried)),
                f"{row.ratio:.2f}",
                f"{row.own_ratio:.2f}",
            )
            for row in rows
        ),
        words=("program", "monoid"),
    ), [row.as_json() for row in rows]


def _show_speed(operations_per_second: float) -> str:
    return f"{operations_per_second:,.0f}" if operations_per_second >= 10 else f"{operations_per_second:.2f}"
