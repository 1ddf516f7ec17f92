"""`swagproof cost`: counted combine calls, nodes and steps, compared with the theorems' bounds."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from swagproof.proofs.costs.counts import SIZES, Counted, count_all
from swagproof.proofs.costs.curves import Experiment, Point, within
from swagproof.reports.delivery import deliver, report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Block, Report, Table


@click.command()
@click.argument("names", nargs=-1)
@report_options("json")
@click.option(
    "--size", "sizes", type=click.IntRange(min=2), multiple=True, help="Window size of a history; may be repeated."
)
@click.option(
    "--figure", "figures", multiple=True, help='A figure of a paper, such as "2018 Figure 11"; may be repeated.'
)
@click.option("--list", "list_only", is_flag=True, help="List the experiments without running them.")
def cost(names: tuple[str, ...], sizes: tuple[int, ...], figures: tuple[str, ...], list_only: bool) -> None:
    """Count operations, and compare them with the theorems.

    The command counts combine calls, nodes and steps in all experiments, or in those NAMED.  `histories` plays several
    kinds of history on the in-order algorithms, and prints their averages beside the theorems' averages, which do not
    hold for every history (reading TS-1, erratum DABA-2).  The other experiments are curves.  A name is an
    experiment's id, or the id's first part (`fiba`).

    --figure counts a figure of a paper as the paper draws it, and prints the paper's claim about it.

    Exit code 1 if a claimed bound is exceeded, or if a figure contradicts the result recorded for it.

    \b
    Examples:
      swagproof cost --list
      swagproof cost fiba/distance
    """
    if figures:
        _deliver_figures(figures)
        return
    from swagproof.proofs.experiments import HISTORIES, find  # they need Z3, and --help does not

    try:
        histories, experiments = find(names)
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from None
    if list_only:
        for id, title in [(HISTORIES, "Kinds of history")] * histories + [(e.id, e.title) for e in experiments]:
            click.echo(f"{id}\t{title}")
        return
    curves: list[tuple[Experiment, list[Point]]] = []
    with show_progress("experiments", count=histories + len(experiments)) as progress:
        rows = list(count_all(sizes or SIZES)) if histories else []
        for experiment in experiments:
            curves.append((experiment, experiment.points()))
            progress.advance()
    kept = all(row.within_worst for row in rows) and all(within(points) for _, points in curves)
    content = {
        HISTORIES: [row.as_json() for row in rows],
        "curves": [experiment.as_json(points) for experiment, points in curves],
    }
    tables = [_tabulate_histories(rows)] * bool(rows) + [_tabulate_curve(*curve) for curve in curves]
    deliver(Report("conforms" if kept else "violated", "", content, sections=tuple(tables), sentence_last=True))


def _deliver_figures(names: Sequence[str]) -> None:
    from swagproof.proofs.costs.figures import agrees, find_figure

    try:
        figures = [find_figure(name) for name in names]
    except KeyError as error:
        raise click.UsageError(str(error.args[0])) from None
    counted = [(figure, figure.points()) for figure in figures]
    shown = {figure.name: agrees(figure, points) for figure, points in counted}
    content = {
        "figures": [
            {
                **{name: getattr(figure, name) for name in ("name", "title", "x", "unit", "claim", "shown")},
                "agrees": shown[figure.name],
                "points": [asdict(point) for point in points],
            }
            for figure, points in counted
        ]
    }
    sections: list[Table | Block] = []
    for figure, points in counted:
        said = f"Claim: {figure.claim}\nCounts: {figure.shown if shown[figure.name] else 'no longer: ' + figure.shown}"
        sections += [
            _tabulate(f"{figure.name}: {figure.title}; {figure.unit}", figure.x, points, figure.ticks),
            Block("", said),
        ]
    deliver(
        Report(
            "conforms" if all(shown.values()) else "violated", "", content, sections=tuple(sections), sentence_last=True
        )
    )


def _tabulate_histories(rows: Sequence[Counted]) -> Table:
    return Table(
        "combine calls",
        ("algorithm", "history", "n", "operation", "times", "worst", "theorem", "average", "theorem"),
        tuple(
            (
                row.algorithm,
                row.history,
                f"{row.n:,}",
                row.operation,
                f"{row.times:,}",
                f"{row.worst:,}",
                f"{row.worst_said:,}",
                f"{row.average:.3f}",
                "" if row.average_said is None else f"{row.average_said:g}{'' if row.within_average else ' exceeded'}",
            )
            for row in rows
        ),
        words=("algorithm", "history", "operation"),
    )


def _tabulate_curve(experiment: Experiment, points: Sequence[Point]) -> Table:
    return _tabulate(
        f"{experiment.id}: {experiment.title} ({experiment.source}); {experiment.unit}", experiment.x, points
    )


def _tabulate(title: str, axis: str, points: Sequence[Point], ticks: Sequence[str] = ()) -> Table:
    names = tuple(dict.fromkeys(point.series for point in points))
    found = {(point.series, point.x): point for point in points}
    return Table(
        title,
        (axis, *names),
        tuple(
            (ticks[x] if ticks else f"{x:,}", *(_show_point(found.get((name, x))) for name in names))
            for x in dict.fromkeys(point.x for point in points)
        ),
    )


def _show_point(point: Point | None) -> str:
    if point is None:
        return ""
    bound = "" if point.bound is None else f" {'<=' if point.within else '>'} {point.bound:,.4g}"
    return f"{point.measured:,.4g}{bound}"
