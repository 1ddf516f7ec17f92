"""The two tables of an audit on Spark, which partitions them by key; the comparison is the same as in one process.

The JVM's work for a row (reading, shuffling, sorting, passing it to Python) costs as much as judging it.  So rows are
packed: a worker reads its part of the files itself, and sends many rows of some keys as one binary; the task with these
keys unpacks both tables, sorts them and compares them as one process does.  Its memory holds its keys' rows, some
hundred thousand.  A key that has most of the events is cut into blocks of time if its windows are tumbling or sliding;
for other windows one task holds it.
"""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pyarrow as pa

from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.exchange import GATHERED, PACKED, make_counter, make_packer, make_unpacker
from swagproof.pipeline.audit.backends.holder import Holder, Rows
from swagproof.pipeline.audit.compare import FOUND
from swagproof.pipeline.audit.policy import Policy, read_batches, refuse_unknown_batch
from swagproof.pipeline.audit.reading.converting import Reading
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.reading.spark_files import read
from swagproof.pipeline.audit.reading.types import add_kinds
from swagproof.pipeline.audit.tables import FILE, FIRST, Mapped, Table
from swagproof.pipeline.batches import Batch, Each, in_worker, make_batch, names_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


BLOCK: Final = 8
"""The length of a block of time, in ranges of a window: an eighth of the events is read twice."""

LOOKED_AT: Final = 10_000
"""Events that are examined to find a hot key."""


class ClusterRows(Rows):
    """Rows in Spark, stored or computed."""

    def __init__(self, frame: "DataFrame") -> None:
        self.frame = frame

    def map(self, each: Each, columns: str) -> "ClusterRows":
        return ClusterRows(self.frame.mapInArrow(in_worker(each), columns))

    def among(self, name: str, values: Collection[str] | None) -> "ClusterRows":
        return self if values is None else ClusterRows(self.frame.where(self.frame[name].isin(*values)))

    def before(self, time: int | None) -> "ClusterRows":
        return self if time is None else ClusterRows(self.frame.where(self.frame["time"] < time))

    def join(self, more: Rows) -> "ClusterRows":
        assert isinstance(more, ClusterRows)
        return ClusterRows(self.frame.union(more.frame))

    def take(self, most: int | None = None, *, by: str | None = None) -> Any:
        frame = self.frame if by is None else self.frame.orderBy(by)
        return (frame if most is None else frame.limit(most)).toArrow()

    def keep(self) -> Callable[[], Any]:
        kept = self.take()  # before Spark discards them
        return lambda: kept

    def write(self, folder: str, format_: Literal["parquet", "json"]) -> None:
        self.frame.write.format(format_).save(folder)


class Cluster(Holder):
    """The two tables, and the findings, in Spark."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark
        self._sources: dict[str, Source] = {}
        """Files on this machine, which the workers read themselves, like one process."""
        self._raw: dict[str, DataFrame] = {}
        """All other tables."""
        self._good: list[ClusterRows] = []
        """The good results, and the good events with the watermark at their arrival."""
        self._shared: Path | None = None
        """A folder for packed rows, if all workers are on this machine."""
        if _is_here(spark):
            from pyspark import SparkFiles

            self._shared = Path(tempfile.mkdtemp(dir=SparkFiles.getRootDirectory()))

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        from pyspark.sql.pandas.types import to_arrow_schema

        if where.format != "arrow" and _is_here(self._spark) and not any(map(is_remote, where.paths)):
            source = self._sources[where.option] = Source(where, asked)
            return source.schema
        given = _take_frame(self._spark, where)
        frame = self._raw[where.option] = read(self._spark, where, asked) if given is None else given
        schema = to_arrow_schema(frame.schema, timezone=self._spark.conf.get("spark.sql.session.timeZone"))
        schema = schema.remove(schema.get_field_index(FILE))
        if where.typed:
            return schema
        return add_kinds(
            schema,
            asked,
            lambda columns: frame.select(*[f"`{name}`" for name in columns]).limit(FIRST).toArrow().to_batches(),
        )

    def _map(self, reading: Reading, columns: Collection[str], each: Each, out: str) -> ClusterRows:
        source = self._sources.get(reading.where.option)
        if source is None:
            return ClusterRows(self._raw[reading.where.option].select(*[f"`{name}`" for name in columns])).map(
                each, out
            )
        parts = source.split()
        tasks = max(1, min(len(parts), 4 * self._spark.sparkContext.defaultParallelism))

        def mapper(numbers: Iterator[Batch]) -> Iterator[Batch]:
            mine = (parts[i] for batch in numbers for i in batch.column(0).to_pylist())
            return each(source.read_parts(mine, columns))

        return ClusterRows(self._spark.range(0, len(parts), numPartitions=tasks)).map(mapper, out)

    def _convert(self, reading: Reading, job: Job) -> ClusterRows:
        rows = super()._convert(reading, job)
        assert isinstance(rows, ClusterRows)
        return rows

    def _mark(self, job: Job) -> int | None:
        events, final = self._convert(job.events, job).frame, None
        if job.policy.has_watermark:
            if "clock" not in events.columns:
                events = events.withColumn("clock", events["arrival"])
            mark, final = follow_table(events, job.policy)
            events = mark(events)
        self._good = [self._convert(job.results, job), ClusterRows(events)]
        return final

    def _find(self, job: Job, final: int | None, delay: int | None) -> ClusterRows:
        _ship_by_value(job.aggregation.name)
        if self._is_cut(job):
            assert isinstance(job.window, Sliding)
            job = replace(job, plan=replace(job.plan, block=BLOCK * job.window.half_open.range))
        count = int(self._spark.conf.get("spark.sql.shuffle.partitions") or 1)
        count = max(count, sum(source.count_rows() for source in self._sources.values()) // GATHERED + 1)
        count += -count % self._spark.sparkContext.defaultParallelism  # otherwise cores wait for the last tasks
        gathered = self._map(job.results, job.results.needed, self._packer(job, 0, count, job.results), PACKED)
        if job.policy.has_watermark:
            events = self._good[1].frame.drop("clock", "upstream")
            gathered = gathered.join(self._map(job.events, job.events.needed, make_counter(job.events, 1), PACKED))
            gathered = gathered.join(ClusterRows(events).map(self._packer(job, 1, count), PACKED))
        else:
            packer = self._packer(job, 1, count, job.events)
            gathered = gathered.join(self._map(job.events, job.events.needed, packer, PACKED))
        parts = gathered.frame.repartitionById(count, gathered.frame["part"].cast("int")).sortWithinPartitions("part")
        return ClusterRows(ClusterRows(parts).map(make_unpacker(job, final, delay), FOUND).frame.persist())

    def _packer(self, job: Job, side: int, count: int, reading: Reading | None = None) -> Each:
        return make_packer(job, side, count, self._shared, reading)

    def _is_cut(self, job: Job) -> bool:
        """Return whether keys are cut into blocks of time: a key has too many of the first events for one task."""
        tasks = self._spark.sparkContext.defaultParallelism
        whole = job.sample is not None or job.plan.span is not None or job.aggregation.summation == "running"
        if tasks == 1 or whole or not isinstance(job.window, Sliding) or not job.window.leading:
            return False
        counts: Counter[str] = Counter()
        for batch in self._read_first(job.events):
            counts.update(job.events.take_good(batch.slice(0, LOOKED_AT))[0].column("key").to_pylist())
            if counts.total() >= LOOKED_AT:
                break
        return max(counts.values(), default=0) * tasks > 1.2 * counts.total()

    def _read_first(self, reading: Reading) -> Iterator[Batch]:
        """Yield the first, unconverted rows of a table: read here, or by Spark without Python workers."""
        source = self._sources.get(reading.where.option)
        if source is not None:
            return source.read(reading.needed)
        raw = self._raw[reading.where.option].select(*[f"`{name}`" for name in reading.needed])
        return iter(raw.limit(LOOKED_AT).toArrow().to_batches())

    def good(self, side: int, keys: Sequence[str] | None) -> ClusterRows:
        return self._good[side].among("key", keys)

    def close(self) -> None:
        found = getattr(self, "_found", None)
        if isinstance(found, ClusterRows):
            found.frame.unpersist()
        if self._shared is not None:
            shutil.rmtree(self._shared, ignore_errors=True)


def _is_here(spark: "SparkSession") -> bool:
    """Return whether all workers are on this machine, and so can read its files."""
    return str(spark.sparkContext.master).startswith("local")


def _take_frame(spark: "SparkSession", where: Table) -> "DataFrame | None":
    """Return a table in memory as a data frame of Spark; None for files."""
    from pyspark.sql import functions as F

    if where.format != "arrow":
        return None
    frame = spark.createDataFrame(where.data) if isinstance(where.data, pa.Table) else where.data
    made: DataFrame = frame.withColumn(FILE, F.lit(str(where)))
    return made


def _ship_by_value(aggregate: str) -> None:
    """Send a custom aggregation to the workers without its file."""
    if ":" not in aggregate:
        return
    from pyspark import cloudpickle

    place = aggregate.rpartition(":")[0]
    for name, module in list(sys.modules.items()):
        if name == place or name.startswith("_swagproof_"):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]  # has no types


_MARKS: Final = "clock bigint, watermark bigint, least bigint, cleaned bigint"


def follow_table(events: "DataFrame", policy: Policy) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    """Return a function that adds the watermark at arrival to a table of these events, and the final watermark.

    The events have `clock`; the watermark is NEVER at first.  The final one is None without events, or if it is per
    key. A watermark per key takes one sort of its events; otherwise the latest times of each clock and upstream go
    through one task in order.  Raises InputError for a batch that is missing in the progress.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    if policy.given == "column":
        row = events.agg(F.max("watermark")).head()
        return lambda table: table, None if row is None else row[0]
    if policy.given == "progress":
        rows, final = read_batches(policy)
        marks = F.broadcast(events.sparkSession.createDataFrame(rows, "clock bigint, watermark bigint, cleaned bigint"))
        unknown = events.join(marks, "clock", "left_anti").select("clock").head()
        refuse_unknown_batch([] if unknown is None else [unknown[0]])
        return lambda table: table.join(marks, "clock"), final
    rule = policy.watermark
    assert rule is not None
    if policy.per_key:
        before = Window.partitionBy("key").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
        of_key = F.coalesce(F.max("time").over(before) - F.lit(rule.delay), F.lit(NEVER))
        return lambda table: table.withColumn("watermark", of_key), None
    upstream = F.col("upstream") if "upstream" in events.columns else F.lit(None).cast("string")
    latest = events.groupBy("clock", upstream.alias("upstream")).agg(F.max("time").alias("time"))
    ordered = latest.repartition(1).sortWithinPartitions("clock", "upstream")
    if policy.follows_records:
        follower = make_record_follower(rule.delay)
    else:
        follower = make_follower(rule, [row[0] for row in latest.select("upstream").distinct().collect()])
    found = ordered.mapInArrow(in_worker(follower), _MARKS).persist()
    end = found.where(F.col("clock").isNull()).head()
    known = found.where(F.col("clock").isNotNull())
    known = known.select("clock", "watermark") if policy.follows_records else known
    return lambda table: table.join(known, "clock"), None if end is None else end["cleaned"]


def make_record_follower(delay: int) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """Return a mapper for a watermark that follows each record: as `make_follower`, but many clocks at once."""

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        latest = NEVER
        for batch in batches:
            times = np.maximum.accumulate(np.concatenate(([latest], batch.column("time").to_numpy())))
            marks = np.where(times == NEVER, NEVER, times - delay)
            latest = int(times[-1])
            before = pa.array(marks[:-1])
            yield pa.RecordBatch.from_arrays([batch.column("clock"), before, before, before], names_of(_MARKS))
        if latest > NEVER:
            yield make_batch(_MARKS, [(None, *[latest - delay] * 3)])

    return mapper


def make_follower(rule: Watermark, upstreams: list[Any]) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """Return a mapper from batches with clock, upstream, time, in the order of clocks, to batches of watermarks.

    The last row, without a clock, is the final watermark.
    """

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        steps = ((row["clock"], row["upstream"], row["time"]) for batch in batches for row in batch.to_pylist())
        rows = [(clock, marks.most, marks.least, marks.cleaned) for clock, marks in follow(rule, upstreams, steps)]
        yield make_batch(_MARKS, rows)

    return mapper
