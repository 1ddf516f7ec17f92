"""The reference as a keyed Structured Streaming job: events in, windowed results out, exactly once.

A job reads files as they arrive in a directory, in micro-batches; runs `swagproof.pipeline.stream.operator` for each
key, with its state in RocksDB; and publishes Parquet files in another directory.  Spark writes down in the checkpoint
what a micro-batch reads before it runs, and its state and that it is done afterwards; in between its files are
published, in one step.  A driver that is killed runs the micro-batch again from the same input, state and watermark.

The watermark of an event is the latest time of all keys in the files before its own, less the delay; files are in the
order of their age.  An event is late for a window whose end is not after it.  So what is written depends on the files
alone, and not on how they were cut into micro-batches, or on what was killed; but those of one age to the millisecond
may be cut apart as Spark happens to list them.  Spark's own `window()` aggregation, with
one file to a micro-batch, drops the same events where `spark.sql.streaming.statefulOperator.allowMultiple` is false; by
default its watermark for late events is that of one micro-batch earlier, so it takes events that come in the very
micro-batch in which their window ends.

Spark's own sink for files skips a micro-batch that it has written, when a driver that was killed runs it again.  Then
the progress of time in that batch is lost, and windows that end there are never shown.  So `Published` always runs a
micro-batch to its end: it publishes the output by a rename, unless it has already done so, and otherwise discards it.
Any reader of Parquet may read the directory, even while the job runs: unpublished output is in a directory whose name
begins with an underscore.

Spark's own watermark only wakes keys up.  In an audit that waits for results it is the earlier of two, and Spark
forgets at a restart how far each of them was: it is reminded by a file.
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
"""The number of times a query is started in such a case."""

UNPUBLISHED: Final = "_unpublished"

SHOWN: Final = 5
"""The findings that a report shows."""

TOLD: Final = ("kind", "key", "window_start", "window_end", "claimed", "result", "events")
"""The columns that it shows of each."""

Watcher = Callable[[dict[str, Any]], None]
"""Is told Spark's progress from time to time."""


@dataclass(frozen=True)
class Published:
    """A directory of results, as Parquet, a directory for each micro-batch."""

    spark: "SparkSession"
    place: str

    def path(self, *names: str) -> Any:
        """A path in it, as Hadoop has it."""
        context: Any = self.spark.sparkContext
        return context._jvm.org.apache.hadoop.fs.Path("/".join((self.place.rstrip("/"), *names)))

    @property
    def files(self) -> Any:
        """The file system that it is in."""
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
            self.files.delete(aside, True)  # of no rows Spark writes one file
        elif not self.files.rename(aside, self.path(name)):
            raise InputError(f"--out {self.place}: {UNPUBLISHED}/{name} could not be renamed")

    def read(self) -> "DataFrame | None":
        """Return what is published; None where nothing is."""
        names = self.files.listStatus(self.path()) if self.files.exists(self.path()) else ()
        begun = any(one.getPath().getName().startswith(f"{BATCH}=") for one in names)
        return self.spark.read.parquet(spell_path(self.place)) if begun else None

    def count_kinds(self) -> dict[str, int]:
        """Return how many rows of each kind there are."""
        rows = self.read()
        return {} if rows is None else {row["kind"]: row["count"] for row in rows.groupBy("kind").count().collect()}

    def list_faults(self) -> list[dict[str, Any]]:
        """The first findings: which window of which key, what was claimed of it, and what is right."""
        rows = self.read()
        if rows is None:
            return []
        found = rows.where(rows["kind"].isin(*FAULTS)).orderBy(*TOLD[:3]).limit(SHOWN).select(*TOLD)
        return [row.asDict() for row in found.collect()]


def results(spark: "SparkSession", job: Job) -> "DataFrame":
    """The stream of a job's rows, not yet written anywhere.  Raises InputError."""
    from swagproof.pipeline.stream.processor import OUTPUT, Windows

    partitions = job.keep_partitions(int(spark.conf.get(PARTITIONS) or 0))
    spark.conf.set(PARTITIONS, str(partitions))
    kinds, aimed = columns_of(job.events), aim(spark, partitions)
    schema = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    files = job.events.open(spark, {"maxFilesPerTrigger": job.files_per_trigger})
    packed = files.mapInArrow(Packer(job.events, kinds, aimed), schema)
    if job.results is None:
        packed = _set_watermark(packed)
    else:  # each micro-batch takes all results that are there: what their job published at once is seen at once
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
    """A stream that says at each start how far the events and the results had come."""
    place = Path(job.checkpoint) / "reminders"
    place.mkdir(parents=True, exist_ok=True)
    if (reached := read_reached(spark, job.checkpoint)) is not None:
        events, claims = reached
        path = place / f"{len(list(place.iterdir()))}.json"
        path.write_text(json.dumps({"events": events, "results": claims}), encoding="utf-8")
    return spark.readStream.schema("events bigint, results bigint").json(spell_path(str(place)))


def _remind(rows: "DataFrame", reminder: "DataFrame", column: str) -> "DataFrame":
    """Rows, and one that says nothing but how far time had come."""
    from pyspark.sql import functions as F

    known = {"key": F.lit(BAD), CLOCK: F.coalesce(F.col(column) + MOVED, F.lit(SILENT))}
    columns = ((field.name, known.get(field.name, F.lit(None)).cast(field.dataType)) for field in rows.schema)
    return rows.unionByName(reminder.select(*(column.alias(name) for name, column in columns)))


def read_reached(spark: "SparkSession", checkpoint: str) -> tuple[int | None, int | None] | None:
    """Return how far events and results had come when the last micro-batch was done, in milliseconds."""
    if not any(Path(checkpoint, "commits").glob("[0-9]*")):
        return None
    from pyspark.sql import functions as F

    state = spark.read.format("statestore").option("stateVarName", "reached").load(spell_path(checkpoint))
    found = state.agg(F.max("value.events"), F.max("value.results")).head()
    return None if found is None else (found[0], found[1])


def count_waiting(spark: "SparkSession", job: Job) -> int:
    """Return how many windows wait, after a run: those that are over, for results that come later than theirs; with
    patience, those of which results have come, for its end."""
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
    """Run a job until what is there is read (`available_now`), or for ever.

    The watcher is told of progress every so many seconds.  An interrupted query is stopped with the session.  Raises
    InputError, of one line, where another process runs on the checkpoint, and where the stream fails; when it is run
    again, it goes on from its checkpoint.
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
    """Plan the micro-batch without files that shows the windows which the last files have ended, if it is not done.

    Spark plans it only in the process that ran these files.  If that was killed in between, the windows would wait for
    the next file, and there may be none.
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
    """Return what Spark told of its last micro-batches when the job ended.  Raises InputError."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    for left in reversed(range(STARTS)):
        try:
            writer = results(spark, job).writeStream.foreachBatch(Published(spark, job.out).add).outputMode("append")
            writer = writer.queryName("swagproof stream").option("checkpointLocation", job.checkpoint)
            trigger = writer.trigger(availableNow=True) if available_now else writer.trigger(processingTime="0 seconds")
            query = trigger.start()
            while query.isActive:
                time.sleep(every)  # rather than in a call of the JVM, which a signal would break off with a great noise
                if watcher is not None and query.lastProgress is not None:
                    watcher(_read_progress(query.lastProgress))
            query.awaitTermination()  # raises what ended it
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
    """Spark's progress as plain data."""
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

    The outcome is unknown if files could not be read, unless bad rows are allowed.  That of an audit is unknown, too,
    if nothing was judged, if windows wait for results (unless it is `patient`: then they wait for their time, and are
    counted), and if rows were bad, which may explain a wrong claim; unless bad rows are allowed, only what they do not
    explain is a violation.  Files that changed after they were read are named, and the first findings.
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
