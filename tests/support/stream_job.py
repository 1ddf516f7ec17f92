"""A wrong streaming job: it hands out its results before the micro-batch is committed, and then waits to be killed.

Run as `python stream_job.py EVENTS OUT CHECKPOINT MARKER`.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swagproof.pipeline.session import session
from swagproof.pipeline.stream.job import Job, Task
from swagproof.pipeline.stream.query import results
from swagproof.pipeline.stream.source import Inputs, Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def play(spark: "SparkSession", events: str, out: str, checkpoint: str, marker: Path) -> None:
    """Write each micro-batch as it comes; the first time that there is something, stay there."""
    source = Source(events, "json", ("key",), {"time": "time", "value": "int"}, "--events")
    task = Task("sliding 60 every 20", "plain", "sum", ("int",), delay=15)
    job = Job(Inputs(source, "time", None, ("value",), "plain"), task, out, checkpoint)

    def hand_out(rows: "DataFrame", _batch: int) -> None:
        held: Any = rows.cache()
        held.write.mode("append").parquet(out)
        if held.count() and not marker.exists():
            marker.touch()
            time.sleep(600)

    writer = results(spark, job).writeStream.foreachBatch(hand_out).option("checkpointLocation", checkpoint)
    writer.trigger(availableNow=True).start().awaitTermination()


def main(arguments: Sequence[str], marker: Path) -> None:
    """Play it in a session of its own."""
    with session("local[2]", "wrong", config={"spark.sql.shuffle.partitions": "2"}) as spark:
        events, out, checkpoint = arguments
        play(spark, events, out, checkpoint, marker)


if __name__ == "__main__":
    main(sys.argv[1:4], Path(sys.argv[4]))
