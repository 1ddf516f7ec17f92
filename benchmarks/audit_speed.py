"""The speed of an audit on Spark, compared with one process: `python benchmarks/audit_speed.py 1000000 10000000`.

For each number of events it measures the command in one process, from its start to its end, by default and with
`--no-columnwise`; then the audit in one process, and on Spark on one core and on two, over the same Parquet files.  The
events have a fixed seed (1,000 keys, out of order by up to ten minutes); the results are right sums of integers over an
hour every ten minutes.  `--hot` gives one key nine events in ten.  Spark audits 100,000 events first, so that JVM and
workers are warm; see `replay_speed.py` for the measured quantities.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def run_command(folder: Path, n: int, *more: str) -> str:
    """Return the measurements of the command's whole process."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "swagproof", "audit", "--events", folder / f"events-{n}.parquet", "--results",
         folder / f"results-{n}.parquet", "--window", WINDOW, "--aggregate", "sum", "--time", "time", "--key", "key",
         "--value", "value", "--arrival", "seq", *more],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    clock = time.perf_counter() - started
    spent = usage.ru_utime + usage.ru_stime
    return f"{spent:.1f} s of processor time; {clock:.1f} s; {usage.ru_maxrss / 1024:,.0f} MB"


def conforming(report: Findings) -> None:
    """Raise AssertionError unless the results were found right, because otherwise the time means nothing."""
    assert report.outcome == "conforms", render(report.report())


@click.command()
@click.argument("sizes", nargs=-1, type=int, required=True)
@click.option("--master", "masters", multiple=True, default=("local[1]", "local[2]"), show_default=True)
@click.option("--hot", is_flag=True, help="One key has nine events in ten.")
def main(sizes: tuple[int, ...], masters: tuple[str, ...], hot: bool) -> None:
    """Print what each number of events takes."""
    with tempfile.TemporaryDirectory() as folder:
        small = make_request(Path(folder), WARMING, hot=hot)
        for n in sizes:
            request = make_request(Path(folder), n, hot=hot)
            for more in ((), ("--no-columnwise",)):
                click.echo(
                    f"{n:,} events, {' '.join(('swagproof audit', *more))}: {run_command(Path(folder), n, *more)}"
                )
            alone = measure(lambda: conforming(audit(Local(), request)))  # noqa: B023  # runs at once
            largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            told = f"{alone.all:.1f} s of processor time; {alone.clock:.1f} s; {largest:,.0f} MB"
            click.echo(f"{n:,} events, one process: {told}")
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
