"""The reference as a keyed Structured Streaming job: events in, windowed results out, exactly once.

A job reads files as they arrive in a directory, in micro-batches; runs `swagproof.pipeline.stream.operator` for each
key, with its state in RocksDB; and adds Parquet files to another directory.  Spark writes down in the checkpoint what a
micro-batch reads before it runs, and publishes its files and its state in one step each after it ran.  A driver that is
killed runs the micro-batch again from the same input, state and watermark, and what it writes then takes the place of
what the killed one left.  So the output must be read through Spark (`spark.read.parquet(DIR)`), which passes over files
that were never published.

The watermark is Spark's: the latest time of all keys in the micro-batches before this one, less the delay.  An event is
late for a window whose end is not after it.  Spark's own `window()` aggregation drops the same events where
`spark.sql.streaming.statefulOperator.allowMultiple` is false; by default its watermark for late events is that of one
micro-batch earlier, so it takes events that come in the very micro-batch in which their window ends.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swagproof.oracle.trace import InputError
from swagproof.pipeline.stream.job import Job
from swagproof.pipeline.stream.live_audit import CONFORMS, FAULTS, UNEXPLAINED
from swagproof.reports.report import Outcome, Report

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Watcher = Callable[[dict[str, Any]], None]
"""Is told Spark's progress from time to time."""


def results(spark: "SparkSession", job: Job) -> "DataFrame":
    """The stream of a job's rows, not yet written anywhere.  Raises InputError."""
    from swagproof.pipeline.stream.processor import OUTPUT, Windows

    keyed: Any = job.inputs.open_packed(spark, job.files_per_trigger).groupBy("key")
    found: DataFrame = keyed.transformWithState(Windows(job.task), OUTPUT, "append", "EventTime")
    return found


def run(
    spark: "SparkSession", job: Job, *, available_now: bool, watcher: Watcher | None = None, every: float = 0.3
) -> None:
    """Run a job until what is there is read (`available_now`), or for ever.

    The watcher is told of progress every so many seconds.  An interrupted query is stopped with the session.  Raises
    InputError, of one line, also where the stream fails; when it is run again, it goes on from its checkpoint.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    job.check()
    try:
        writer = results(spark, job).writeStream.format("parquet").outputMode("append").queryName("swagproof stream")
        writer = writer.option("path", job.out).option("checkpointLocation", job.checkpoint)
        trigger = writer.trigger(availableNow=True) if available_now else writer.trigger(processingTime="0 seconds")
        query = trigger.start()
        while query.isActive:
            time.sleep(every)  # rather than in a call of the JVM, which a signal would break off with a great noise
            if watcher is not None and query.lastProgress is not None:
                watcher(_read_progress(query.lastProgress))
        query.awaitTermination()  # raises what ended it
        batches = [_read_progress(progress) for progress in query.recentProgress]
    except PySparkException as error:
        raise InputError(
            f"the stream failed: {_explain_error(error)}; run again, it goes on from the checkpoint"
        ) from None
    except (Py4JError, OSError) as error:
        lines = str(error).splitlines() or ["no answer"]
        raise InputError(f"Spark's JVM is gone ({lines[0]}); run again, it goes on from the checkpoint") from None
    dropped = sum(state["numRowsDroppedByWatermark"] for batch in batches for state in batch["stateOperators"])
    if dropped:
        raise InputError(f"Spark dropped {dropped} rows by its watermark, which cannot be; see stream_source")


def _read_progress(progress: Any) -> dict[str, Any]:
    """Spark's progress as plain data."""
    return dict(json.loads(progress.json))


def _explain_error(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    python = [line for line in lines if ": " in line and line.split(":")[0].rpartition(".")[2].endswith("Error")]
    return (python or lines or ["it says nothing"])[-1 if python else 0]


def count_rows(spark: "SparkSession", out: str) -> dict[str, int]:
    """How many rows of each kind a job has written."""
    if not (Path(out) / "_spark_metadata").exists():
        return {}
    return {row["kind"]: row["count"] for row in spark.read.parquet(out).groupBy("kind").count().collect()}


def report_on(out: str, rows: dict[str, int], *, audited: bool, allow_bad: bool = False) -> Report:
    """What a job has written so far, how many rows of each kind, and what an audit says of it.

    An audit's outcome is unknown where nothing was judged, and where rows were bad, which may be why a claim is not
    what is due; unless bad rows are allowed, only what they do not explain is a violation.
    """
    bad = bool(rows.get("bad")) and not allow_bad
    outcome: Outcome = "conforms" if rows.get(CONFORMS) and not bad else "unknown"
    if not audited:
        outcome = "done"
    elif any(rows.get(kind) for kind in FAULTS if not bad or kind in UNEXPLAINED):
        outcome = "violated"
    sentence = ", ".join(f"{number:,} {kind}" for kind, number in sorted(rows.items())) or "nothing yet"
    if outcome == "unknown" and rows.get("bad"):
        sentence += "; bad rows may be why: --allow-bad-rows judges without them"
    content = {"outcome": outcome, "sentence": sentence, "out": out, "rows": rows}
    return Report(outcome, sentence, content, note=f"in {out}; read it with spark.read.parquet")
