"""Measures `swagproof stream` beside the same query by Spark's own `window`, over the same files, in one run.

    python benchmarks/stream_speed.py --rows 1000000
    python benchmarks/stream_speed.py --rows 96000 --keys 1 --aggregate concatenation

Events come in the order of time, in files of JSON, a micro-batch each; windows tumble.  Processor time is that of all
processes, the JVM and the Python workers included, once Spark has started; the machine may be shared.  Of the stream it
also tells what is sent from task to task for an event, and what of state a key takes.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from replay_speed import used

from swagproof.pipeline.commands.stream import job_of, stream
from swagproof.pipeline.session import session
from swagproof.pipeline.stream.query import run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RANGE: Final = 60
"""Of a window, in seconds; each holds events of a hundredth of the stream."""


def write_events(place: Path, rows: int, keys: int, files: int) -> None:
    """Write the events, and a heartbeat behind them."""
    place.mkdir()
    each = -(-rows // files)
    for i in range(files):
        path = place / f"{i:05}.json"
        with path.open("w", encoding="utf-8") as file:
            for n in range(i * each, min(rows, (i + 1) * each)):
                when, text = n * 100 * RANGE // rows, chr(97 + n % 26)
                row = {"key": f"k{n * 7919 % keys}", "time": when, "n": n, "value": n % 97, "text": text}
                file.write(json.dumps(row) + "\n")
        os.utime(path, (1_000_000_000 + i, 1_000_000_000 + i))
    (place / "last.json").write_text(json.dumps({"time": 200 * RANGE}) + "\n")


def run_ours(spark: "SparkSession", place: Path, aggregate: str) -> None:
    """By `swagproof stream`."""
    out = place / aggregate
    value = "text:text" if aggregate == "concatenation" else "value"
    told = f"--events {place}/events --out {out}/out --checkpoint {out}/cp --key key --time time --time-unit s"
    how = f"--aggregate {aggregate} --arrival n --files-per-trigger 1 --value {value}"
    arguments = [*told.split(), *how.split(), "--window", f"tumbling {RANGE}s"]
    run(spark, job_of(stream.make_context("stream", arguments).params), available_now=True)


def run_theirs(spark: "SparkSession", place: Path) -> None:
    """By Spark's own window."""
    from pyspark.sql import functions as F

    rows = spark.readStream.schema("key string, time bigint, n bigint, value bigint").option("maxFilesPerTrigger", 1)
    stamped = rows.json(str(place / "events")).withColumn("at", F.timestamp_seconds("time"))
    windows = stamped.withWatermark("at", "0 seconds").groupBy("key", F.window("at", f"{RANGE} seconds"))
    writer = windows.agg(F.sum("value"), F.count("value")).writeStream.format("parquet").outputMode("append")
    writer = writer.option("checkpointLocation", str(place / "theirs_cp")).trigger(availableNow=True)
    writer.start(str(place / "theirs")).awaitTermination()


def shuffled(spark: "SparkSession") -> int:
    """How many bytes were sent from task to task so far."""
    context: Any = spark.sparkContext
    return int(context._jsc.sc().statusStore().executorSummary("driver").totalShuffleWrite())


@click.command()
@click.option("--rows", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--keys", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--files", type=click.IntRange(min=1), default=10, show_default=True, help="A micro-batch each.")
@click.option("--aggregate", default="sum", show_default=True)
@click.option("--master", default="local[2]", show_default=True)
def measure(rows: int, keys: int, files: int, aggregate: str, master: str) -> None:
    """Measure both, the one after the other."""
    with tempfile.TemporaryDirectory(prefix="swagproof-speed-") as name:
        place = Path(name)
        write_events(place / "events", rows, keys, files)
        with session(master, "stream_speed", config={"spark.sql.shuffle.partitions": "2"}) as spark:
            cases: dict[str, Callable[[], None]] = {f"stream, {aggregate}": lambda: run_ours(spark, place, aggregate)}
            if aggregate != "sum":
                cases["stream, sum"] = lambda: run_ours(spark, place, "sum")
            cases["Spark's window, sum"] = lambda: run_theirs(spark, place)
            for case, play in cases.items():
                before, sent, started = used(), shuffled(spark), time.monotonic()
                play()
                seconds, spent = time.monotonic() - started, sum(used().values()) - sum(before.values())
                click.echo(
                    f"{case}: {rows / seconds:,.0f} rows/s, {spent / rows * 1e6:.1f} microseconds of processor a row, "
                    f"{(shuffled(spark) - sent) / rows:.1f} bytes shuffled a row"
                )


if __name__ == "__main__":
    measure()
