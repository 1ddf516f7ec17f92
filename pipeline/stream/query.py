"""The reference as a keyed Structured Streaming job: events in, windowed results out, exactly once.

A job reads files as they arrive in a directory, in micro-batches; runs `swagproof.pipeline.stream.operator` for each
key, with its state in RocksDB; and publishes Parquet files in another directory.  Before a micro-batch runs, Spark
records its input in the checkpoint, and afterwards its state and completion; in between its files are published, in one
step.  A killed driver runs the micro-batch again from the same input, state and watermark.

The watermark of an event is the latest time of all keys in the files before its own, less the delay; files are ordered
by age.  An event is late for a window whose end is not after the watermark.  So the output depends on the files alone,
not on the cut into micro-batches or on kills; only files of the same age to the millisecond may be cut apart by Spark's
listing.  Spark's own `window()` aggregation, with one file per micro-batch, drops the same events if
`spark.sql.streaming.statefulOperator.allowMultiple` is false; by default its watermark for late events is one
micro-batch behind, so it takes events that arrive in the micro-batch in which their window ends.

Spark's own file sink skips a micro-batch that it has written, when a killed driver runs it again.  Then the progress of
time in that batch is lost, and windows that end there are never shown.  So `Published` always runs a micro-batch to its
end: it publishes the output by a rename, unless it has already done so, and otherwise discards it. Any reader of
Parquet may read the directory, even while the job runs: unpublished output is in a directory whose name begins with an
underscore.

Spark's own watermark only triggers timers.  In an audit that waits for results it is the earlier of two, and Spark
forgets both at a restart: a file restores them.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.text import Unit
from swagproof.oracle.trace import InputError
from swagproof.pipeline import spell_path
from swagproof.pipeline.audit.wording import format_time
from swagproof.pipeline.stream.clocks import CLOCK, HOLD, MOVED
from swagproof.pipeline.stream.job import BATCH, Job
from swagproof.pipeline.stream.live_audit import CONFORMS, FAULTS, UNEXPLAINED, UNREADABLE
from swagproof.pipeline.stream.packing import BAD, SILENT, Packer, aim, columns_of
from swagproof.reports.report import Outcome, Report, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITIONS: Final = "spark.sql.shuffle.partitions"

LATE: Final = "Python worker failed to connect back"
"""Spark's error when Python took more than ten seconds to start, as on a busy machine."""

STARTS: Final = 3
"""The number of attempts to start a query after this error."""

UNPUBLISHED: Final = "_unpublished"

SHOWN: Final = 5
"""The number of findings in a report."""

TOLD: Final = ("kind", "key", "window_start", "window_end", "claimed", "result", "events")
"""The columns of a finding in a report."""

Watcher = Callable[[dict[str, Any]], None]
"""A callback for Spark's progress."""


@dataclass(frozen=True)
class Published:
    """A directory of results in Parquet, with a subdirectory for each micro-batch."""

    spark: "SparkSession"
    place: str

    def path(self, *names: str) -> Any:
        """Return a path in the directory, as a Hadoop path."""
        context: Any = self.spark.sparkContext
        return context._jvm.org.apache.hadoop.fs.Path("/".join((self.place.rstrip("/"), *names)))

    @property
    def files(self) -> Any:
        """Return the file system of the directory."""
        context: Any = self.spark.sparkContext
        return self.path().getFileSystem(context._jsc.hadoopConfiguration())

    def add(self, rows: "DataFrame", batch: int) -> None:
        """Add the rows of a micro-batch, once; they are computed in any case."""
        name = f"{BATCH}={batch}"
        if self.files.exists(self.path(name)):
            rows.write.format("noop").mode("append").save()
            return
        aside = self.path(UNPUBLISHED, name)
        rows.write.mode("overwrite").parquet(aside.toString())
        written = [one for one in self.files.listStatus(aside) if one.getPath().getName().endswith(".parquet")]
        if len(written) < 2 and not self.spark.read.parquet(spell_path(aside.toString())).head(1):
            self.files.delete(aside, True)  # Spark writes one file even without rows
        elif not self.files.rename(aside, self.path(name)):
            raise InputError(f"--out {self.place}: {UNPUBLISHED}/{name} could not be renamed")

    def read(self) -> "DataFrame | None":
        """Return the published rows; None if there are none."""
        names = self.files.listStatus(self.path()) if self.files.exists(self.path()) else ()
        begun = any(one.getPath().getName().startswith(f"{BATCH}=") for one in names)
        return self.spark.read.parquet(spell_path(self.place)) if begun else None

    def count_kinds(self) -> dict[str, int]:
        """Return the number of rows of each kind."""
        rows = self.read()
        return {} if rows is None else {row["kind"]: row["count"] for row in rows.groupBy("kind").count().collect()}

    def list_faults(self) -> list[dict[str, Any]]:
        """Return the first findings: the window, the key, the claim and the right result."""
        rows = self.read()
        if rows is None:
            return []
        found = rows.where(rows["kind"].isin(*FAULTS)).orderBy(*TOLD[:3]).limit(SHOWN).select(*TOLD)
        return [row.asDict() for row in found.collect()]


def results(spark: "SparkSession", job: Job) -> "DataFrame":
    """Return the stream of a job's rows, not yet written.  Raises InputError."""
    from swagproof.pipeline.stream.processor import OUTPUT, Windows

    partitions = job.keep_partitions(int(spark.conf.get(PARTITIONS) or 0))
    spark.conf.set(PARTITIONS, str(partitions))
    kinds, aimed = columns_of(job.events), aim(spark, partitions)
    schema = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    files = job.events.open(spark, {"maxFilesPerTrigger": job.files_per_trigger})
    packed = files.mapInArrow(Packer(job.events, kinds, aimed), schema)
    if job.results is None:
        packed = _set_watermark(packed)
    else:  # each micro-batch takes all results in the directory, so results published together are seen together
        claims = job.results.open(spark, {}).mapInArrow(Packer(job.results, kinds, aimed), schema)
        if job.task.pace is None:
            packed = _set_watermark(packed.unionByName(claims))
        else:
            reminder = remind(spark, job)
            both = (_remind(packed, reminder, "events"), _remind(claims, reminder, "results"))
            packed = _set_watermark(both[0]).unionByName(_set_watermark(both[1]))
    keyed: Any = packed.groupBy("key")
    found: DataFrame = keyed.transformWithState(Windows(job.task), OUTPUT, "append", "EventTime")
    return found


def _set_watermark(rows: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as F

    return rows.withColumn(CLOCK, F.timestamp_millis(CLOCK)).withWatermark(CLOCK, f"{HOLD // 86_400_000} days")


def remind(spark: "SparkSession", job: Job) -> "DataFrame":
    """Return a stream that gives, at each start, the progress of the events and the results."""
    place = Path(job.checkpoint) / "reminders"
    place.mkdir(parents=True, exist_ok=True)
    if (reached := read_reached(spark, job.checkpoint)) is not None:
        events, claims = reached
        path = place / f"{len(list(place.iterdir()))}.json"
        path.write_text(json.dumps({"events": events, "results": claims}), encoding="utf-8")
    return spark.readStream.schema("events bigint, results bigint").json(spell_path(str(place)))


def _remind(rows: "DataFrame", reminder: "DataFrame", column: str) -> "DataFrame":
    """Return rows, and one more that only carries the progress of time."""
    from pyspark.sql import functions as F

    known = {"key": F.lit(BAD), CLOCK: F.coalesce(F.col(column) + MOVED, F.lit(SILENT))}
    columns = ((field.name, known.get(field.name, F.lit(None)).cast(field.dataType)) for field in rows.schema)
    return rows.unionByName(reminder.select(*(column.alias(name) for name, column in columns)))


def read_reached(spark: "SparkSession", checkpoint: str) -> tuple[int | None, int | None] | None:
    """Return the latest times of events and results at the last micro-batch, in milliseconds; None before the first."""
    if not any(Path(checkpoint, "commits").glob("[0-9]*")):
        return None
    from pyspark.sql import functions as F

    state = spark.read.format("statestore").option("stateVarName", "reached").load(spell_path(checkpoint))
    found = state.agg(F.max("value.events"), F.max("value.results")).head()
    return None if found is None else (found[0], found[1])


def count_waiting(spark: "SparkSession", job: Job) -> int:
    """Return the number of windows that wait after a run: complete ones, for their results; with patience, those with
    results, for their end."""
    reached = None if job.task.pace is None else read_reached(spark, job.checkpoint)
    latest = None if reached is None else reached[0]
    if job.task.claims is None or (latest is None and job.task.patience is None):
        return 0
    from swagproof.pipeline.stream.processor import WAITING, Waiting

    states = spark.read.format("statestore").option("stateVarName", "windows").load(spell_path(job.checkpoint))
    texts = states.select("value.state").where("state is not null")
    counted = texts.mapInArrow(Waiting(job.task, latest), WAITING).groupBy().sum("waiting").head()
    return 0 if counted is None else int(counted[0] or 0)


def run(
    spark: "SparkSession",
    job: Job,
    *,
    available_now: bool,
    watcher: Watcher | None = None,
    every: float = 0.3,
) -> None:
    """Run a job until all files present are read (`available_now`), or forever.

    The watcher is called with the progress every `every` seconds.  An interrupted query is stopped with the session.
    Raises InputError, of one line, if another process runs on the checkpoint, or the stream fails; a new run continues
    from the checkpoint.
    """
    job.check()
    before = spark.conf.get(PARTITIONS)
    with job.hold():
        plan_end(Path(job.checkpoint))
        batches = _take_batches(spark, job, available_now, watcher, every)
    spark.conf.set(PARTITIONS, str(before))
    dropped = sum(state["numRowsDroppedByWatermark"] for batch in batches for state in batch["stateOperators"])
    if dropped:
        raise InputError(f"Spark dropped {dropped} rows by its watermark, which is a defect of swagproof; report it")


def plan_end(checkpoint: Path) -> None:
    """Plan the micro-batch without files that shows the windows ended by the last files, if it has not run.

    Spark plans it only in the process that ran these files.  If that process was killed in between, the windows would
    wait for the next file, and there may be none.
    """
    plans, done = checkpoint / "offsets", checkpoint / "commits"
    last = max((int(path.name) for path in plans.glob("[0-9]*")), default=-1)
    if not (done / str(last)).exists():
        return
    version, settings, *sources = (plans / str(last)).read_text(encoding="utf-8").splitlines()
    plan = json.loads(settings)
    reached = json.loads((done / str(last)).read_text(encoding="utf-8").splitlines()[1])["nextBatchWatermarkMs"]
    if reached > plan["batchWatermarkMs"]:
        aside = plans / f".{last + 1}.tmp"
        settings = json.dumps(plan | {"batchWatermarkMs": reached})
        aside.write_text("\n".join((version, settings, *sources)), encoding="utf-8")
        (plans / f".{last + 1}.crc").unlink(missing_ok=True)
        aside.replace(plans / str(last + 1))


def _take_batches(
    spark: "SparkSession", job: Job, available_now: bool, watcher: Watcher | None, every: float
) -> list[dict[str, Any]]:
    """Run the query, and return Spark's last progress reports.  Raises InputError."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    for left in reversed(range(STARTS)):
        try:
            writer = results(spark, job).writeStream.foreachBatch(Published(spark, job.out).add).outputMode("append")
            writer = writer.queryName("swagproof stream").option("checkpointLocation", job.checkpoint)
            trigger = writer.trigger(availableNow=True) if available_now else writer.trigger(processingTime="0 seconds")
            query = trigger.start()
            while query.isActive:
                time.sleep(every)  # a signal would interrupt a call of the JVM with a long stack trace
                if watcher is not None and query.lastProgress is not None:
                    watcher(_read_progress(query.lastProgress))
            query.awaitTermination()  # raises the error that ended it
            return [_read_progress(progress) for progress in query.recentProgress]
        except PySparkException as error:
            if left and LATE in str(error):
                continue
            said = _explain_error(error)
            raise InputError(f"the stream failed: {said}; run again to resume from the checkpoint") from None
        except (Py4JError, OSError) as error:
            lines = str(error).splitlines() or ["no answer"]
            raise InputError(f"Spark's JVM has stopped ({lines[0]}); run again to resume from the checkpoint") from None
    raise AssertionError("the last start returns, or raises")


def _read_progress(progress: Any) -> dict[str, Any]:
    """Return Spark's progress as plain data."""
    return dict(json.loads(progress.json))


def _explain_error(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    python = [line for line in lines if ": " in line and line.split(":")[0].rpartition(".")[2].endswith("Error")]
    return (python or lines or ["it says nothing"])[-1 if python else 0]


def report_on(
    rows: Mapping[str, int],
    out: str,
    *,
    audited: bool,
    allow_bad: bool = False,
    waiting: int = 0,
    patient: bool = False,
    changed: Sequence[str] = (),
    faults: Sequence[Mapping[str, Any]] = (),
    unit: Unit = "plain",
) -> Report:
    """Report the number of rows of each kind that a job has written so far, and the verdict of an audit.

    The outcome is unknown if files could not be read, unless bad rows are allowed.  The outcome of an audit is also
    unknown if nothing was judged, if windows wait for results (unless it is `patient`: then they wait for their time,
    and are counted), and if rows were bad, which may explain a wrong claim.  Unless bad rows are allowed, only findings
    that they do not explain are violations.  The report names files that changed after they were read, and the first
    findings.
    """
    files = 0 if allow_bad else rows.get(UNREADABLE, 0)
    bad = bool(rows.get("bad") or files) and not allow_bad
    outcome: Outcome = "conforms" if rows.get(CONFORMS) and not bad and (patient or not waiting) else "unknown"
    if not audited:
        outcome = "unknown" if files else "done"
    elif any(rows.get(kind) for kind in FAULTS if not bad or kind in UNEXPLAINED):
        outcome = "violated"
    sentence = ", ".join(f"{number:,} {kind}" for kind, number in sorted(rows.items())) or "nothing yet"
    if files:
        sentence += f"; {files:,} files could not be read, and none of their rows count; --allow-bad-rows accepts that"
    elif audited and outcome == "unknown" and bad:
        sentence += "; bad rows may be the reason; --allow-bad-rows judges without them"
    if waiting and patient:
        sentence += f"; {waiting:,} not judged yet: --patience has not passed since they closed"
    elif waiting:
        sentence += f"; {waiting:,} not judged: no later result has arrived; --patience limits the wait"
    if changed:
        which = f"{len(changed):,} files, or their permissions, changed after they were read"
        sentence += f"; {which}; rename them to read them again: "
        sentence += ", ".join(changed[:3]) + (", ..." if len(changed) > 3 else "")
    promise = f"in {out}, exactly once; any reader of Parquet takes the directory"
    content: dict[str, Any] = {
        "outcome": outcome,
        "sentence": sentence,
        "sink": promise,
        "rows": rows,
        "waiting": waiting,
        "changed": list(changed),
        "findings": list(faults),
    }
    lines = tuple(_describe_fault(fault, unit) for fault in faults)
    sections = (Table.of_records("first findings", faults, lines),) if faults else ()
    return Report(outcome, sentence, content, sections=sections, note=promise)


def _describe_fault(fault: Mapping[str, Any], unit: Unit) -> str:
    ticks = {"s": 10**6, "ms": 1_000}.get(unit, 1)
    first, last = (
        format_time(fault[bound] * ticks, None if unit == "plain" else "us") for bound in ("window_start", "window_end")
    )
    due = f"expected {fault['result']} (of {fault['events']:,} events)" if fault["events"] else "it has no events"
    return f"  {fault['kind']}: key {fault['key']}, {first} to {last}: claimed {fault['claimed']}, {due}"
