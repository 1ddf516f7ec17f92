"""`swagproof explore`: exhaustive exploration and campaigns, on this machine or sharded on Spark."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from swagproof.oracle.commands.running import run_and_report
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.reports import report_options
from swagproof.oracle.reports.judgement import Report
from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.spark import spark_options, tell_tasks
from swagproof.reports.progress import show_progress

LISTED = 100
"""Failures of a campaign that a report lists."""


@dataclass(frozen=True)
class Campaigned:
    """The report on a campaign: of its shortest failure, and a row for each."""

    report: Report
    failed: Sequence[Any]
    seeds: range
    engine: str

    @property
    def exit_code(self) -> int:
        """0 conforms, 1 violated, 2 error, 3 unknown."""
        return self.report.exit_code

    def to_json(self) -> dict[str, Any]:
        """As `Report.to_json`, with `campaign`: the seeds, and the failures, the shortest first."""
        return self.report.to_json() | {
            "campaign": {
                "first_seed": self.seeds.start,
                "seeds": len(self.seeds),
                "engine": self.engine,
                "failed": len(self.failed),
                "failures": [failure._asdict() for failure in self.failed[:LISTED]],
            }
        }

    def text(self) -> str:
        """For people."""
        lines = [self.report.text()]
        lines.append(f"  {'seeds':<12}{self.seeds.start} to {self.seeds.stop - 1}, {self.engine}")
        if self.failed:
            lines.append(f"  {'failed':<12}{len(self.failed):,} traces; the shortest:")
            for length, seed, number, monoid in self.failed[:5]:
                lines.append(f"    seed {seed}, trace {number}, {monoid}: after {length:,} operations")
        return "\n".join(lines)


def _explored(
    algorithm: str | None, limit: int, subject: str | None, master: str | None, verbose: bool, campaign: dict[str, Any]
) -> Any:
    from swagproof.pipeline.explore.shards import (
        Campaign,
        Spread,
        algorithm_named,
        explore,
        in_process,
        run_campaign,
        shards_for,
        spread_over,
    )
    from swagproof.pipeline.session import importable, session
    from swagproof.proofs.in_order.pointer_states import PointerStates

    if (algorithm is None) is (subject is None):
        raise InputError("give an ALGORITHM to explore, or a --subject to run a campaign on")
    name = None if algorithm is None else algorithm_named(algorithm)
    with ExitStack() as stack:
        tell = stack.enter_context(show_progress("exploring")).tell
        spark = None
        spread: Spread[Any, Any] = in_process
        if master is not None:
            tell("starting Spark")
            spark = stack.enter_context(session(master, "swagproof explore", verbose=verbose))
            stack.enter_context(tell_tasks(spark, tell))
            spread = spread_over(spark)
        engine, shards = master or "local", shards_for(spark)
        if name is not None:
            return explore(
                PointerStates(name, limit),
                spread,
                shards,
                engine=engine,
                watch=lambda counts: tell(f"{counts.states:,} states, {counts.transitions:,} transitions"),
            )
        assert subject is not None
        monoids: tuple[str, ...] = campaign["monoids"]
        if spark is not None:
            subject, monoids = importable(spark, subject), tuple(importable(spark, name) for name in monoids)
        if campaign["window"] is None:
            raise InputError("--subject: add --window, the kind of window it implements")
        what = Campaign(subject, campaign["window"], monoids, campaign["traces"], campaign["timeout"])
        seeds = range(campaign["first"], campaign["first"] + campaign["seeds"])
        watched = shards if spark is not None else len(seeds)
        report, failed = run_campaign(
            what, seeds, spread, watched, watch=lambda done: tell(f"{done:,} of {watched:,} shards")
        )
        return Campaigned(report, failed, seeds, engine)


@click.command()
@click.argument("algorithm", required=False)
@click.option("--limit", type=click.IntRange(min=1), default=32, show_default=True, help="Elements of a window.")
@click.option("--subject", metavar="SUBJECT", help="Run a campaign on this class instead, path.py:Class.")
@click.option("--window", type=click.Choice(tuple(KINDS)), help="The kind of window it implements.")
@click.option("--monoid", "monoids", multiple=True, metavar="NAME", help="Over this one; may be repeated.")
@click.option("--seeds", type=click.IntRange(min=1), default=100, show_default=True, help="How many seeds.")
@click.option("--first", type=click.IntRange(min=0), default=0, show_default=True, help="The first of them.")
@click.option("--traces", type=click.IntRange(min=1), default=20, show_default=True, help="Traces of each seed.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True,
              help="Seconds that one operation may take.")  # fmt: skip
@spark_options
@report_options
@click.pass_context
def explore(
    context: click.Context,
    /,
    algorithm: str | None,
    limit: int,
    subject: str | None,
    on_spark: bool,
    master: str | None,
    verbose: bool,
    **campaign: Any,
) -> None:
    """Explore exhaustively, or search by seeds, in shards.

    ALGORITHM is one of the in-order ones (daba, daba-lite, two-stacks, ...): every state that it can reach with windows
    of up to --limit elements is visited, every operation taken from each, every clause of its contracts checked.  Trees
    are explored by prove.

    With --subject, the oracle's random traces are run on an implementation, --traces of them for each seed; whatever
    fails is a row, and the shortest is minimised.

    The counts are the same wherever it runs.

    \b
    Examples:
      swagproof explore daba --limit 64
      swagproof explore daba-lite --limit 256 --spark
      swagproof explore --subject mine.py:Window --window fifo --seeds 10000 --spark
    """
    foreign = {"limit"} if subject else campaign.keys()
    for option in context.command.params:
        if option.name in foreign and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            said = "an exploration, not of a campaign" if subject else "a campaign: add --subject"
            raise click.UsageError(f"{option.opts[0]} is an option of {said}")
    where = master or ("local[*]" if on_spark else None)
    run_and_report(context, lambda: _explored(algorithm, limit, subject, where, verbose, campaign))
