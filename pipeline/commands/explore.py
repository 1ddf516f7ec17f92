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
    run_and_report(lambda: _explore(algorithm, limit, subject, where, conf, verbose, campaign))
