"""The cost of `swagproof stream` and of the same query by Spark's own `window`, over the same files, in one run.

    python benchmarks/stream_speed.py --rows 1000000
    python benchmarks/stream_speed.py --rows 96000 --keys 1 --held 960 --aggregate concatenation
    python benchmarks/stream_speed.py --alone --rows 96000 --files 960 --held 96000

Events come in time order, in files of JSON, one for each micro-batch; windows tumble.  Each query runs over the given
number of rows and over a tenth of them, in as many files.  The shorter run measures the query's start and its
micro-batches; the difference is the cost of the rows.  Processor time is that of all processes, JVM and Python workers
included, once Spark has started and each query has run once; the machine may be shared.

`--alone` runs the operator of one key without Spark, writing and reading its state between micro-batches: as sums, and
as concatenations, whose windows grow with their events; in time order, and each up to a tenth of a window late.
"""

import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click
from replay_speed import used

from swagproof.models.operations import CONCATENATION, SUM, Operation
from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.commands.stream import job_of, stream
from swagproof.pipeline.session import session
from swagproof.pipeline.stream.operator import Arrived, Operator, Query
from swagproof.pipeline.stream.query import run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RANGE: Final = 60
"""The range of a window, in seconds."""


def write_events(place: Path, rows: int, keys: int, files: int, held: int) -> None:
    """Write the events and a final heartbeat."""
    place.mkdir()
    each = -(-rows // files)
    for i in range(files):
        path = place / f"{i:05}.json"
        with path.open("w", encoding="utf-8") as file:
            for n in range(i * each, min(rows, (i + 1) * each)):
                when, text = n * RANGE // (keys * held), chr(97 + n % 26)
                row = {"key": f"k{n * 7919 % keys}", "time": when, "n": n, "value": n % 97, "text": text}
                file.write(json.dumps(row) + "\n")
        os.utime(path, (1_000_000_000 + i, 1_000_000_000 + i))
    (place / "last.json").write_text(json.dumps({"time": rows * RANGE // (keys * held) + 2 * RANGE}) + "\n")


def run_ours(spark: "SparkSession", place: Path, aggregate: str) -> None:
    """Run the query with `swagproof stream`."""
    out = place / aggregate
    value = "text:text" if aggregate == "concatenation" else "value"
    told = f"--events {place}/events --out {out}/out --checkpoint {out}/cp --key key --time time --time-unit s"
    how = f"--aggregate {aggregate} --arrival n --files-per-trigger 1 --value {value}"
    arguments = [*told.split(), *how.split(), "--window", f"tumbling {RANGE}s"]
    run(spark, job_of(stream.make_context("stream", arguments).params), available_now=True)


def run_theirs(spark: "SparkSession", place: Path) -> None:
    """Run the query with Spark's own window."""
    from pyspark.sql import functions as F

    rows = spark.readStream.schema("key string, time bigint, n bigint, value bigint").option("maxFilesPerTrigger", 1)
    stamped = rows.json(str(place / "events")).withColumn("at", F.timestamp_seconds("time"))
    windows = stamped.withWatermark("at", "0 seconds").groupBy("key", F.window("at", f"{RANGE} seconds"))
    writer = windows.agg(F.sum("value"), F.count("value")).writeStream.format("parquet").outputMode("append")
    writer = writer.option("checkpointLocation", str(place / "theirs_cp")).trigger(availableNow=True)
    writer.start(str(place / "theirs")).awaitTermination()


def run_alone(operation: Operation[Any, Any, Any], rows: int, files: int, held: int, late: int) -> tuple[float, int]:
    """Run only the operator; return the seconds of processor time and the number of characters of state written."""
    rng, range_ = random.Random(1), 1_000 * RANGE
    elements = range(97) if operation is SUM else "abcdefghijklmnopqrstuvwxyz"
    events = [
        Arrived(range_ + n * range_ // held - rng.randint(0, late), n, elements[n % len(elements)]) for n in range(rows)
    ]
    query, text, written, latest = Query(Sliding(range_, range_), operation), "", 0, 0
    started = time.process_time()
    for i in range(0, rows, -(-rows // files)):
        operator, some = Operator(query), events[i : i - (-rows // files)]
        if text:
            operator.restore(text)
        operator.step(some, latest - late)
        latest = max(latest, *(event.time for event in some))
        text = operator.to_json()
        written += len(text)
    return time.process_time() - started, written


def shuffled(spark: "SparkSession") -> int:
    """Return the number of bytes sent from task to task so far."""
    context: Any = spark.sparkContext
    return int(context._jsc.sc().statusStore().executorSummary("driver").totalShuffleWrite())


@click.command()
@click.option("--rows", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--keys", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--files", type=click.IntRange(min=1), default=10, show_default=True, help="A micro-batch each.")
@click.option("--held", type=click.IntRange(min=1), default=10, show_default=True, help="Events of a key in a window.")
@click.option("--aggregate", default="sum", show_default=True)
@click.option("--master", default="local[2]", show_default=True)
@click.option("--alone", is_flag=True, help="The operator of one key, without Spark.")
def measure(rows: int, keys: int, files: int, held: int, aggregate: str, master: str, *, alone: bool) -> None:
    """Measure both, one after the other."""
    if alone:
        for late in (0, 100 * RANGE):
            for operation in (SUM, CONCATENATION):
                spent, written = min(run_alone(operation, rows, files, held, late) for _ in range(3))
                click.echo(
                    f"{operation.name}, {late / 10 / RANGE:.0f} % of a window late: {spent:.2f} s of processor time, "
                    f"{written:,} characters of state"
                )
        return
    with tempfile.TemporaryDirectory(prefix="swagproof-speed-") as name:
        sizes = {"warm": 100, "short": rows // 10, "long": rows}
        for size, number in sizes.items():
            (Path(name) / size).mkdir()
            write_events(Path(name) / size / "events", number, keys, files, held)
        with session(master, "stream_speed", config={"spark.sql.shuffle.partitions": "2"}) as spark:
            cases: dict[str, Callable[[Path], None]] = {
                f"stream, {aggregate}": lambda place: run_ours(spark, place, aggregate),
                "Spark's window, sum": lambda place: run_theirs(spark, place),
            }
            if aggregate != "sum":
                cases["stream, sum"] = lambda place: run_ours(spark, place, "sum")
            for case, play in cases.items():
                spent = {size: spend(spark, play, Path(name) / size) for size in sizes}
                short, long = spent["short"], spent["long"]
                each = Spent(*((b - a) / (rows - rows // 10) for a, b in zip(short, long, strict=True)))
                start = Spent(*(b - rows * one for b, one in zip(long, each, strict=True)))
                click.echo(
                    f"{case}: {rows:,} rows in {long.seconds:.1f} s, {rows // 10:,} in {short.seconds:.1f}: "
                    f"start and {files} micro-batches {start.seconds:.1f} s, then {1 / each.seconds:,.0f} rows/s; "
                    f"processor {start.processor:.1f} s, then "
                    f"{each.processor * 1e6:.1f} microseconds a row; {each.sent:.1f} bytes shuffled a row"
                )


class Spent(NamedTuple):
    """The cost of a run, or of one of its rows."""

    seconds: float
    processor: float
    sent: float


def spend(spark: "SparkSession", play: Callable[[Path], None], place: Path) -> Spent:
    """Measure a run."""
    before, sent, started = sum(used().values()), shuffled(spark), time.monotonic()
    play(place)
    return Spent(time.monotonic() - started, sum(used().values()) - before, shuffled(spark) - sent)


if __name__ == "__main__":
    measure()
