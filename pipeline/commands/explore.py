"""`swagproof explore`: exhaustive exploration and campaigns, on this machine or sharded on Spark."""

from contextlib import ExitStack
from typing import Any

import click
from click.core import ParameterSource

from swagproof.oracle.commands.running import run_and_report
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.spark import spark_options, tell_tasks
from swagproof.reports.delivery import report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report


def _explore(
    algorithm: str | None,
    limit: int,
    subject: str | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    campaign: dict[str, Any],
) -> Report:
    from swagproof.pipeline.explore.shards import (
        Campaign,
        Spread,
        algorithm_named,
        explore,
        in_process,
        report_on_campaign,
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
            spark = stack.enter_context(session(master, "swagproof explore", verbose=verbose, config=conf, light=True))
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
            ).report()
        assert subject is not None
        monoids: tuple[str, ...] = campaign["monoids"]
        if spark is not None:
            subject, monoids = importable(spark, subject), tuple(importable(spark, name) for name in monoids)
        if campaign["window"] is None:
            raise InputError("--subject: add --window, the kind of window it implements")
        what = Campaign(subject, campaign["window"], monoids, campaign["traces"], campaign["timeout"])
        seeds = range(campaign["first"], campaign["first"] + campaign["seeds"])
        watched = shards if spark is not None else len(seeds)
        judgement, failed = run_campaign(
            what, seeds, spread, watched, watch=lambda done: tell(f"{done:,} of {watched:,} shards")
        )
        return report_on_campaign(judgement, failed, seeds, engine)


@click.command()
@click.argument("algorithm", required=False)
@click.option(
    "--limit", type=click.IntRange(min=1), default=32, show_default=True, help="The largest window, in elements."
)
@click.option("--subject", metavar="SUBJECT", help="Search this class instead: path.py:Class.")
@click.option("--window", type=click.Choice(tuple(KINDS)), help="The kind of window that the class implements.")
@click.option("--monoid", "monoids", multiple=True, metavar="NAME", help="Judge it over this monoid; may be repeated.")
@click.option("--seeds", type=click.IntRange(min=1), default=100, show_default=True, help="Number of seeds.")
@click.option("--first", type=click.IntRange(min=0), default=0, show_default=True, help="The first seed.")
@click.option("--traces", type=click.IntRange(min=1), default=20, show_default=True, help="Traces for each seed.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True,
              help="Time limit of one operation, in seconds.")  # fmt: skip
@spark_options
@report_options()
@click.pass_context
def explore(
    context: click.Context,
    /,
    algorithm: str | None,
    limit: int,
    subject: str | None,
    on_spark: bool | None,
    master: str | None,
    conf: dict[str, str],
    verbose: bool,
    **campaign: Any,
) -> None:
    """Explore all states of an algorithm, or search by many seeds.

    ALGORITHM is an in-order algorithm: daba, daba-lite, two-stacks, ...  The command visits every state that it reaches
    with windows of up to --limit elements, runs every operation from each state, and checks every clause of its
    contracts.  For trees use swagproof prove.

    With --subject the command runs random traces on an implementation, --traces for each seed.  It lists each failing
    trace, and minimises the shortest.

    The work is split into shards.  The counts are the same in one process and on Spark.

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
    run_and_report(lambda: _explore(algorithm, limit, subject, where, conf, verbose, campaign))
