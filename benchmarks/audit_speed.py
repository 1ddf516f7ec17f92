"""How fast an audit is on Spark, beside one process: `python benchmarks/audit_speed.py 1000000 10000000`.

For each number of events, made with a fixed seed (1,000 keys, out of order by up to ten minutes, sums of integers over
an hour every ten minutes), with the right results: the audit in one process, then on Spark on one core and on two, over
the same Parquet files.  `--hot` gives one key nine events in ten.  Spark's times are of the second of two runs, so that
neither JVM nor workers start cold; see `replay_speed.py` for what they are.
"""

import tempfile
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from replay_speed import measure, watching_workers

from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.held.cluster import Cluster
from swagproof.pipeline.audit.held.local import Local
from swagproof.pipeline.audit.request import Request
from swagproof.pipeline.audit.tables import table
from swagproof.pipeline.session import session
from swagproof.reports.text import render

RANGE, SLIDE = 3600, 600
WINDOW = f"sliding {RANGE} every {SLIDE}"
KEYS = 1000
GROUP = 100_000
"""Rows of a row group."""


def make_events(path: Path, n: int, *, hot: bool) -> None:
    """n events of two days, in the order of their arrival."""
    draw = np.random.default_rng(1)
    seq = np.arange(n, dtype=np.int64)
    moments = seq * (2 * 86_400) // n - draw.integers(0, 600, n)
    keys = np.where(hot & (draw.random(n) < 0.9), 0, draw.integers(0, KEYS, n))
    columns = {"key": keys, "time": moments, "seq": seq, "value": draw.integers(-1000, 1000, n)}
    pq.write_table(pa.table(columns), path, row_group_size=GROUP)


def make_results(events: Path, results: Path) -> None:
    """The right results."""
    there = pq.read_table(events, columns=["key", "time", "value"])
    last = there["time"].to_numpy() // SLIDE * SLIDE
    sums = pa.concat_tables(
        pa.table({"key": there["key"], "window_start": last - back, "value": there["value"]})
        .group_by(["key", "window_start"])
        .aggregate([("value", "sum")])
        for back in range(0, RANGE, SLIDE)
    )
    whole = sums.group_by(["key", "window_start"]).aggregate([("value_sum", "sum")])
    pq.write_table(whole.rename_columns(["key", "window_start", "result"]), results, row_group_size=GROUP)


def conforming(report: Findings) -> None:
    """Raises AssertionError unless the results were found to be right: else the time means nothing."""
    assert report.outcome == "conforms", render(report.report())


@click.command()
@click.argument("sizes", nargs=-1, type=int, required=True)
@click.option("--master", "masters", multiple=True, default=("local[1]", "local[2]"), show_default=True)
@click.option("--hot", is_flag=True, help="One key has nine events in ten.")
def main(sizes: tuple[int, ...], masters: tuple[str, ...], hot: bool) -> None:
    """Print what each number of events takes."""
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            events, results = Path(folder, f"events-{n}.parquet"), Path(folder, f"results-{n}.parquet")
            make_events(events, n, hot=hot)
            make_results(events, results)
            tables = table("--events", [str(events)], None), table("--results", [str(results)], None)
            request = Request(*tables, WINDOW, "sum", "time", ("key",), ("value",), "seq")
            here, _, clock = measure(lambda: conforming(audit(Local(), request)))  # noqa: B023  # runs at once
            click.echo(f"{n:,} events, one process: {here:.1f} s of processor time; {clock:.1f} s")
            alone = clock
            for master in masters:
                with session(master) as spark, watching_workers() as largest_kb:

                    def run() -> None:
                        conforming(audit(Cluster(spark), request))  # noqa: B023  # runs at once

                    run()
                    seconds, busiest, clock = measure(run)
                click.echo(
                    f"{n:,} events, {master}: {seconds:.1f} s of processor time, {here / seconds:.2f} of one process's "
                    f"speed; busiest process {busiest:.1f} s; {clock:.1f} s, {alone / clock:.2f} by the clock; "
                    f"a worker {largest_kb[0] / 1024:,.0f} MB"
                )


if __name__ == "__main__":
    main()
