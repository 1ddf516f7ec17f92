"""How fast an audit is: `python benchmarks/audit_speed.py 1000000 10000000`.

For each number of events, made with a fixed seed (1,000 keys, out of order by up to ten minutes, sums of integers over
an hour every ten minutes), the right results are made by Spark; then the audit runs on one core and on two, and beside
it one plain process over the same Parquet files: read, sort, reference, dictionary.  `--hot` gives one key nine events
in ten.  Times are of the second of two runs, so that neither JVM nor workers start cold; see `replay_speed.py` for what
they are.
"""

import tempfile
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from replay_speed import measure

from swagproof.models.windows.text import parse_window
from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.builders import Plan
from swagproof.pipeline.audit.expected import make_mapper
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.request import Request
from swagproof.pipeline.audit.rules import aggregation
from swagproof.pipeline.audit.tables import table
from swagproof.pipeline.session import session
from swagproof.reports.text import render

WINDOW = "sliding 3600 every 600"
KEYS = 1000


def make_events(path: Path, n: int, *, hot: bool) -> None:
    """n events of two days, in the order of their arrival."""
    draw = np.random.default_rng(1)
    seq = np.arange(n, dtype=np.int64)
    moments = seq * (2 * 86_400) // n - draw.integers(0, 600, n)
    keys = np.where(hot & (draw.random(n) < 0.9), 0, draw.integers(0, KEYS, n))
    columns = {"key": keys, "time": moments, "seq": seq, "value": draw.integers(-1000, 1000, n)}
    pq.write_table(pa.table(columns), path)


def make_results(events: Path, results: Path) -> None:
    """The right results, by Spark's own window function."""
    from pyspark.sql import functions as F

    with session("local[2]") as spark:
        cut = F.window(F.timestamp_seconds("time"), "3600 seconds", "600 seconds").alias("window")
        sums = spark.read.parquet(str(events)).groupBy("key", cut).agg(F.sum("value").alias("result"))
        start = F.unix_seconds(F.col("window.start")).alias("window_start")
        sums.select("key", start, "result").write.parquet(str(results))


def plain(events: Path, results: Path) -> int:
    """The same audit in one process: how many results are due.  Raises AssertionError if one of them is not there."""
    sorted_events = pq.read_table(events).sort_by([("key", "ascending"), ("time", "ascending"), ("seq", "ascending")])
    keys = sorted_events["key"].cast(pa.string())
    there = {
        (str(key), start): str(result)
        for key, start, result in zip(*(column.to_pylist() for column in pq.read_table(results).columns), strict=True)
    }
    named = sorted_events.set_column(0, "key", keys).rename_columns(["key", "time", "arrival", "v0"])
    plan = Plan(parse_window(WINDOW, "plain"), aggregation("sum", ("int",)), ("int",))
    due = 0
    for batch in make_mapper(plan)(iter(named.to_batches(10_000))):
        due += batch.num_rows
        for row in zip(*(batch.column(name).to_pylist() for name in ("key", "a", "expected")), strict=True):
            assert there[row[:2]] == row[2]
    assert due == len(there)
    return due


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
            events, results = Path(folder, f"events-{n}.parquet"), Path(folder, f"results-{n}")
            make_events(events, n, hot=hot)
            make_results(events, results)
            tables = table("--events", [str(events)], None), table("--results", [str(results)], None)
            request = Request(*tables, WINDOW, "sum", "time", ("key",), ("value",), "seq")
            here, _, clock = measure(lambda: plain(events, results))  # noqa: B023  # runs at once
            click.echo(f"{n:,} events, one plain process: {here:.1f} s of processor time; {clock:.1f} s")
            for master in masters:
                with session(master) as spark:

                    def run() -> None:
                        conforming(audit(spark, request))  # noqa: B023  # runs at once

                    run()
                    seconds, busiest, clock = measure(run)
                click.echo(
                    f"{n:,} events, {master}: {seconds:.1f} s of processor time, {here / seconds:.2f} of one process's "
                    f"speed; busiest process {busiest:.1f} s; {clock:.1f} s"
                )


if __name__ == "__main__":
    main()
