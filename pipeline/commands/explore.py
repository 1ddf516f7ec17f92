"""`swagproof explore`: exhaustive exploration, on this machine or sharded on Spark."""

from contextlib import ExitStack
from typing import Any

import click

from swagproof.oracle.commands.running import run_and_report
from swagproof.pipeline.commands.spark import LOCAL, spark_options, tell_tasks
from swagproof.reports.delivery import report_options
from swagproof.reports.progress import show_progress
from swagproof.reports.report import Report


def _explore(algorithm: str, limit: int, master: str | None, conf: dict[str, str], verbose: bool) -> Report:
    from swagproof.pipeline.exploration import Spread, algorithm_named, explore, in_process, shards_for, spread_over
    from swagproof.pipeline.session import session
    from swagproof.proofs.in_order.pointer_states import PointerStates

    space = PointerStates(algorithm_named(algorithm), limit)
    with ExitStack() as stack:
        tell = stack.enter_context(show_progress("exploring")).tell
        spark = None
        spread: Spread[Any, Any] = in_process
        if master is not None:
            tell("starting Spark")
            spark = stack.enter_context(session(master, "swagproof explore", verbose=verbose, config=conf, light=True))
            stack.enter_context(tell_tasks(spark, tell))
            spread = spread_over(spark)
        return explore(
            space,
            spread,
            shards_for(spark),
            engine=master or "local",
            watch=lambda counts: tell(f"{counts.states:,} states, {counts.transitions:,} transitions"),
        ).report()


@click.command()
@click.argument("algorithm")
@click.option(
    "--limit", type=click.IntRange(min=1), default=32, show_default=True, help="The largest window, in elements."
)
@spark_options
@report_options()
def explore(
    algorithm: str, limit: int, on_spark: bool | None, master: str | None, conf: dict[str, str], verbose: bool
) -> None:
    """Explore all states of an algorithm.

    ALGORITHM is an in-order algorithm: daba, daba-lite, two-stacks, ...  The command visits every state that ALGORITHM
    reaches with windows of up to --limit elements, runs every operation from each state, and checks every clause of its
    contracts.  For trees use swagproof prove; for your own implementation, swagproof conform.

    On Spark the work is split into shards.  The counts are the same as in one process.

    \b
    Examples:
      swagproof explore daba --limit 64
      swagproof explore daba-lite --limit 256 --spark
    """
    where = master or (LOCAL if on_spark else None)
    run_and_report(lambda: _explore(algorithm, limit, where, conf, verbose))
