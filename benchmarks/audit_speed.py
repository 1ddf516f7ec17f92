"""The speed of an audit on Spark, compared with one process: `python benchmarks/audit_speed.py 1000000 10000000`.

For each number of events it measures the command in one process, from its start to its end, by default and with
`--no-columnwise`; then the audit in one process, and on Spark on one core and on two, over the same Parquet files.  The
events have a fixed seed (1,000 keys, out of order by up to ten minutes); the results are right sums of integers over an
hour every ten minutes.  `--hot` gives one key nine events in ten.  `--beside` only compares the command with short
programs that check the same sums: a plain loop, DuckDB and Polars.  Spark audits 100,000 events first, so that JVM and
workers are warm; see `replay_speed.py` for the measured quantities.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from replay_speed import measure, watching_workers

from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.backends.cluster import Cluster
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.options import Request
from swagproof.pipeline.audit.tables import table
from swagproof.pipeline.session import session
from swagproof.reports.text import render

RANGE, SLIDE = 3600, 600
WINDOW = f"sliding {RANGE} every {SLIDE}"
KEYS = 1000
GROUP = 100_000
"""The rows of a row group."""
WARMING = 100_000
"""The number of events that are audited first."""

LOOP = f"""
import sys
from collections import Counter
import pyarrow.parquet as pq
panes, sums = Counter(), Counter()
for batch in pq.ParquetFile(sys.argv[1]).iter_batches(columns=["key", "time", "value"]):
    for key, time, value in zip(*(column.to_pylist() for column in batch.columns)):
        panes[key, time // {SLIDE}] += value
for (key, pane), total in panes.items():
    for back in range({RANGE // SLIDE}):
        sums[key, (pane - back) * {SLIDE}] += total
there = pq.read_table(sys.argv[2], columns=["key", "window_start", "result"])
assert sums == {{(key, start): total for key, start, total in zip(*(c.to_pylist() for c in there.columns))}}
"""
DUCKDB = f"""
import sys
import duckdb
wrong = duckdb.execute('''
    WITH panes AS (SELECT key, floor(time / {SLIDE})::BIGINT AS pane, value FROM read_parquet($1)),
    totals AS (SELECT key, pane, sum(value) AS total FROM panes GROUP BY ALL),
    sums AS (SELECT key, (pane - back) * {SLIDE} AS window_start, sum(total) AS total
             FROM totals, range({RANGE // SLIDE}) AS r(back) GROUP BY ALL)
    SELECT count(*) FROM sums FULL JOIN read_parquet($2) USING (key, window_start) WHERE total IS DISTINCT FROM result
''', sys.argv[1:]).fetchone()[0]
assert wrong == 0
"""
POLARS = f"""
import sys
import polars as pl
events, results = map(pl.scan_parquet, sys.argv[1:])
panes = events.group_by("key", pl.col("time") // {SLIDE}).agg(pl.col("value").sum())
starts = pl.concat_list([(pl.col("time") - back) * {SLIDE} for back in range({RANGE // SLIDE})]).alias("window_start")
sums = panes.with_columns(starts).explode("window_start").group_by("key", "window_start").agg(pl.col("value").sum())
both = sums.join(results, on=["key", "window_start"], how="full")
assert both.filter(pl.col("value").ne_missing(pl.col("result"))).collect(engine="streaming").height == 0
"""


def make_events(path: Path, n: int, *, hot: bool) -> None:
    """Write n events of two days, in arrival order."""
    draw = np.random.default_rng(1)
    seq = np.arange(n, dtype=np.int64)
    moments = seq * (2 * 86_400) // n - draw.integers(0, 600, n)
    keys = np.where(hot & (draw.random(n) < 0.9), 0, draw.integers(0, KEYS, n))
    columns = {"key": keys, "time": moments, "seq": seq, "value": draw.integers(-1000, 1000, n)}
    pq.write_table(pa.table(columns), path, row_group_size=GROUP)


def make_results(events: Path, results: Path) -> None:
    """Write the right results."""
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


def make_request(folder: Path, n: int, *, hot: bool) -> Request:
    """Make the tables in a process of its own, so that its memory is not measured; return the request."""
    events, results = folder / f"events-{n}.parquet", folder / f"results-{n}.parquet"
    if os.fork() == 0:
        make_events(events, n, hot=hot)
        make_results(events, results)
        os._exit(0)
    assert os.wait()[1] == 0
    tables = table("--events", [str(events)], None), table("--results", [str(results)], None)
    return Request(*tables, WINDOW, "sum", "time", ("key",), ("value",), "seq")


def run_process(*arguments: str) -> tuple[float, float, float]:
    """Return processor time, clock time and memory (no less than ours) of a whole process of Python."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss / 1024


def run_command(folder: Path, n: int, *more: str) -> tuple[float, float, float]:
    """Return the measurements of the command's whole process."""
    return run_process(
        "-m", "swagproof", "audit", "--events", f"{folder}/events-{n}.parquet", "--results",
        f"{folder}/results-{n}.parquet", "--window", WINDOW, "--aggregate", "sum", "--time", "time", "--key", "key",
        "--value", "value", "--arrival", "seq", *more,
    )  # fmt: skip


def spell(spent: float, clock: float, memory: float) -> str:
    """Spell the measurements of a process."""
    return f"{spent:.1f} s of processor time; {clock:.1f} s; {memory:,.0f} MB"


def compare(folder: Path, n: int) -> None:
    """Print medians of three runs, and the command's in multiples of each program's."""
    tables = f"{folder}/events-{n}.parquet", f"{folder}/results-{n}.parquet"
    programs = {"plain loop": LOOP, "DuckDB": DUCKDB, "Polars": POLARS}
    rounds = [[run_command(folder, n), *(run_process("-c", it, *tables) for it in programs.values())] for _ in range(3)]
    ours, *others = ([median(runs) for runs in zip(*used, strict=True)] for used in zip(*rounds, strict=True))
    click.echo(f"{n:,} events, swagproof audit: {spell(*ours)}")
    for name, theirs in zip(programs, others, strict=True):
        ratios = ", ".join(f"{our / their:.2f}" for our, their in zip(ours, theirs, strict=True))
        click.echo(f"{n:,} events, {name}: {spell(*theirs)}; the audit takes {ratios} times as much")


def conforming(report: Findings) -> None:
    """Raise AssertionError unless the results were found right, because otherwise the time means nothing."""
    assert report.outcome == "conforms", render(report.report())


@click.command()
@click.argument("sizes", nargs=-1, type=int, required=True)
@click.option("--master", "masters", multiple=True, default=("local[1]", "local[2]"), show_default=True)
@click.option("--hot", is_flag=True, help="One key has nine events in ten.")
@click.option("--beside", is_flag=True, help="Compare only with a plain loop, DuckDB and Polars.")
def main(sizes: tuple[int, ...], masters: tuple[str, ...], hot: bool, beside: bool) -> None:
    """Print what each number of events takes."""
    with tempfile.TemporaryDirectory() as folder:
        small = make_request(Path(folder), WARMING, hot=hot)
        for n in sizes:
            request = make_request(Path(folder), n, hot=hot)
            if beside:
                compare(Path(folder), n)
                continue
            for more in ((), ("--no-columnwise",)):
                told = spell(*run_command(Path(folder), n, *more))
                click.echo(f"{n:,} events, {' '.join(('swagproof audit', *more))}: {told}")
            alone = measure(lambda: conforming(audit(Local(), request)))  # noqa: B023  # runs at once
            largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            click.echo(f"{n:,} events, one process: {spell(alone.all, alone.clock, largest)}")
            for master in masters:
                with session(master, light=True) as spark, watching_workers() as largest_kb:

                    def run(request: Request = request) -> None:
                        conforming(audit(Cluster(spark), request))  # runs at once

                    run(small)
                    spent = measure(run)
                memory = f"a worker {largest_kb[0] / 1024:,.0f} MB"
                click.echo(f"{n:,} events, {master}: {spent.beside(alone)}; {memory}")


if __name__ == "__main__":
    main()
