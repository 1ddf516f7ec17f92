"""The two tables of an audit on Spark, which cuts them, brings them together by key and hands them out; what is right
is decided by the functions that one process runs.

What the JVM does for a row (reading it, shuffling, sorting, handing it to Python) costs as much as judging it.  So rows
travel packed: a worker reads its part of the Parquet files itself, and sends many rows of some keys on as one binary;
the task that has these keys unpacks both tables, sorts them and compares them as one process does.  Its memory is that
of its keys' rows, of which there are some hundred thousands.  One key that has most of the events is cut into blocks
of time; where windows do not let it be cut, Spark sorts, on disk where memory does not suffice.

A plan is a few wide steps, since Spark takes longer to plan many expressions than to judge a million events.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from swagproof.models.windows.kinds import Session, Sliding
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.asked.audit_job import Job
from swagproof.pipeline.audit.asked.holder import About, Compared, Holder
from swagproof.pipeline.audit.cells import compute
from swagproof.pipeline.audit.compare import FOUND, make_mapper
from swagproof.pipeline.audit.converting import Reading
from swagproof.pipeline.audit.findings import FINDING
from swagproof.pipeline.audit.held.exchange import (
    GATHERED,
    PACKED,
    SUMS,
    add_up,
    count_found,
    make_counter,
    make_packer,
    make_unpacker,
)
from swagproof.pipeline.audit.held.following import follow_table
from swagproof.pipeline.audit.held.inferring import ROWS, add_kinds
from swagproof.pipeline.audit.held.reading import FILE, read
from swagproof.pipeline.audit.held.sources import Source
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.policy import MARKS
from swagproof.pipeline.audit.tables import Mapped, Table
from swagproof.pipeline.batches import Batch, Each, arrow_type, in_worker, make_batch, names_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

BLOCK: Final = 8
"""Ranges of a window in a block of time: what is had twice is an eighth."""

LOOKED_AT: Final = 10_000
"""Events that are looked at to find a hot key."""

_BAD: Final = "reason string, file string, row string"


class Cluster(Holder):
    """The two tables, and what is found, where Spark has them."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark
        self._sources: dict[str, Source] = {}
        """Parquet and CSV files on this machine, which the workers read themselves, as one process does."""
        self._raw: dict[str, DataFrame] = {}
        """All other tables."""
        self._good: dict[str, DataFrame] = {}
        """The good rows of each table, events with the watermark when they came."""
        self._about: dict[str, About] = {}
        self._found: DataFrame | None = None
        self._shared: Path | None = None
        """A folder for what is packed, where all workers are on this machine."""
        if _is_here(spark):
            from pyspark import SparkFiles

            self._shared = Path(tempfile.mkdtemp(dir=SparkFiles.getRootDirectory()))

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""
        from pyspark.sql.pandas.types import to_arrow_schema

        if where.format not in ("json", "arrow") and _is_here(self._spark) and not any(map(is_remote, where.paths)):
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
            lambda columns: frame.select(*[f"`{name}`" for name in columns]).limit(ROWS).toArrow().to_batches(),
        )

    def _map(self, reading: Reading, columns: Collection[str], each: Each, out: str) -> "DataFrame":
        """Return what `each` makes of all rows, as they were read; these columns alone."""
        from pyspark.sql import functions as F

        source = self._sources.get(reading.where.option)
        if source is None:
            raw = self._raw[reading.where.option]
            return raw.select(*[F.col(f"`{name}`") for name in columns]).mapInArrow(in_worker(each), out)
        parts = source.split()
        tasks = max(1, min(len(parts), 4 * self._spark.sparkContext.defaultParallelism))

        def mapper(numbers: Iterator[Batch]) -> Iterator[Batch]:
            mine = (parts[i] for batch in numbers for i in batch.column(0).to_pylist())
            those = source.read_parts(mine, [name for name in columns if name != FILE])
            if FILE in columns:
                return each(b.append_column(FILE, pa.array([path] * b.num_rows, pa.string())) for path, b in those)
            return each(batch for _, batch in those)

        return self._spark.range(0, len(parts), numPartitions=tasks).mapInArrow(in_worker(mapper), out)

    def _convert(self, reading: Reading, job: Job) -> "DataFrame":
        """The good rows of a table."""
        kinds = _TYPES | {f"v{i}": _VALUES.get(kind, "string") for i, kind in enumerate(job.plan.kinds)}
        out = ", ".join(f"{name} {kinds.get(name, 'string')}" for name in reading.names if name != "no_value")
        return self._map(reading, reading.needed, make_converter(reading, out), out)

    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""
        from pyspark.sql import functions as F

        events, final = self._convert(job.events, job), None
        if job.policy.has_watermark:
            if "clock" not in events.columns:
                events = events.withColumn("clock", F.col("arrival"))
            mark, final = follow_table(events, job.policy)
            events = mark(events)
        self._good = {"--events": events, "--results": self._convert(job.results, job)}
        return final

    def list_keys(self, job: Job) -> set[str]:
        """All keys, of good events and results."""
        both = self._convert(job.events, job).select("key").union(self._convert(job.results, job).select("key"))
        return {*both.distinct().toArrow()["key"].to_pylist()}

    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""
        _ship_by_value(job.aggregation.name)
        hot = job.sample is None and job.plan.span is None and self._has_hot_key(job.events)
        whole = job.aggregation.summation == "running"  # which has a past
        if hot and not whole and isinstance(job.window, Sliding) and job.window.leading:
            job = replace(job, plan=replace(job.plan, block=BLOCK * job.window.half_open.range))
        sort = hot and job.plan.block is None
        found = (self._sort_rows if sort else self._pack_rows)(job, final, delay)
        self._found = found.persist()
        compared, tables = add_up(row.asDict() for row in self._where(*SUMS).collect())
        self._about = {name: tables.get(name, About(0, 0)) for name in ("--events", "--results")}
        return compared

    def _has_hot_key(self, reading: Reading) -> bool:
        """Return whether one key has so many of the first events that its task would be waited for."""
        tasks = self._spark.sparkContext.defaultParallelism
        if tasks == 1:
            return False
        keys = [reading.take_good(few)[0].column("key").cast(pa.string()) for few in self._take_first(reading)]
        counts = compute.value_counts(pa.chunked_array(keys, pa.string())).to_pylist()
        most = max((it["counts"] for it in counts), default=0)
        return bool(most * tasks > 1.2 * sum(it["counts"] for it in counts))

    def _take_first(self, reading: Reading) -> Iterator[Batch]:
        """The first rows of a table, as they were read: by this process, or by Spark without Python.

        A worker that is asked for a few of its rows converts more, and is ended when Spark has those: the next one
        starts anew.
        """
        from pyspark.sql import functions as F

        source = self._sources.get(reading.where.option)
        if source is None:
            raw = self._raw[reading.where.option].select(*[F.col(f"`{name}`") for name in reading.needed])
            yield from raw.limit(LOOKED_AT).toArrow().to_batches()
            return
        left = LOOKED_AT
        for _, batch in source.read_parts(source.split(), reading.needed):
            yield batch.slice(0, left)
            left -= batch.num_rows
            if left <= 0:
                return

    def _pack_rows(self, job: Job, final: int | None, delay: int | None) -> "DataFrame":
        """Return what is found, of rows that travel packed; which keys go together is a number."""
        from pyspark.sql import functions as F

        count = int(self._spark.conf.get("spark.sql.shuffle.partitions") or 1)
        count = max(count, sum(source.count_rows() for source in self._sources.values()) // GATHERED + 1)
        count += -count % self._spark.sparkContext.defaultParallelism  # or cores wait for the last
        sent: list[DataFrame] = []
        for side, reading in ((0, job.results), (1, job.events)):
            if side and job.policy.has_watermark:
                sent.append(self._map(reading, reading.needed, make_counter(reading, side), PACKED))
                kept = [name for name in self._good["--events"].columns if name not in ("clock", "upstream")]
                packer = in_worker(make_packer(job, side, count, self._shared))
                sent.append(self._good["--events"].select(*kept).mapInArrow(packer, PACKED))
            else:
                sent.append(
                    self._map(reading, reading.needed, make_packer(job, side, count, self._shared, reading), PACKED)
                )
        gathered = sent[0]
        for more in sent[1:]:
            gathered = gathered.union(more)
        ordered = gathered.repartitionById(count, F.col("part").cast("int")).sortWithinPartitions("part")
        return ordered.mapInArrow(in_worker(make_unpacker(job, final, delay)), FOUND)

    def _sort_rows(self, job: Job, final: int | None, delay: int | None) -> "DataFrame":
        """Return what is found, of rows that Spark brings together and sorts: no task has to hold all of a key."""
        from pyspark.sql import functions as F

        events, results = self._good["--events"], self._good["--results"]
        of_event = [name for name in events.columns if name in MARKS or name[0] == "v"]
        claimed = [name for name in ("got", "number", "version", "retraction") if name in results.columns]

        def void(name: str, of: "DataFrame") -> "Column":
            return F.lit(None).cast(of.schema[name].dataType).alias(name)

        times = ["time", "arrival"]
        side: Column = F.lit(1)
        swapped: list[Column] = [F.col(name) for name in times]
        if isinstance(job.window, Session) and job.plan.watermarks:
            events = events.withColumn("side", F.explode(F.array(F.lit(1), F.lit(2))))
            side = F.col("side")
            swapped = [F.when(side == 1, F.col(a)).otherwise(F.col(b)).alias(a) for a, b in (times, times[::-1])]
        there = results.select(
            "key",
            F.lit(0).cast("tinyint").alias("side"),
            F.col("a").alias("time"),
            F.col("b").alias("arrival"),
            *[void(name, events) for name in of_event],
            *claimed,
        )
        due = events.select(
            "key", side.cast("tinyint").alias("side"), *swapped, *of_event, *[void(name, results) for name in claimed]
        )
        ordered = there.union(due).repartition("key").sortWithinPartitions("key", "side", "time", "arrival")
        found = ordered.mapInArrow(in_worker(count_found(make_mapper(job.plan, job.judge, final, delay))), FOUND)
        names = names_of(FOUND)
        said = {"kind": F.lit("table"), "n": F.col("n"), "n_other": F.col("bad"), "a": F.col("skipped")}
        for number, reading in ((0, job.results), (1, job.events)):
            counts = self._map(reading, reading.needed, make_counter(reading, number), PACKED)
            of_table = said | {"key": F.lit(reading.where.option)}
            found = found.union(
                counts.select(*[of_table.get(n, F.lit(None)).cast(found.schema[n].dataType).alias(n) for n in names])
            )
        return found

    def count(self) -> tuple[About, About]:
        """Return how many events and results there are."""
        return self._about["--events"], self._about["--results"]

    def _where(self, *kinds: str) -> "DataFrame":
        from pyspark.sql import functions as F

        assert self._found is not None
        return self._found.where(F.col("kind").isin(*kinds))

    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""
        row = self._where(kind).first()
        assert row is not None
        return row.asDict()

    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""
        from pyspark.sql import functions as F

        sizes = self._where("size").groupBy("key").agg(F.sum("n").alias("n"))
        return [(row["key"], row["n"]) for row in sizes.orderBy("n", "key").limit(most).collect()]

    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """Return what was found, of these keys or of all."""
        from pyspark.sql import functions as F

        assert self._found is not None
        found = self._found.where(~F.col("kind").isin("size", *SUMS))
        rows: list[dict[str, Any]] = _of_keys(found, keys).toArrow().to_pylist()
        return rows

    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""
        from pyspark.sql import functions as F

        first = _of_keys(self._good["--events"], keys).orderBy("time").limit(n)
        row = first.agg(F.max("time").alias("last")).head()
        return None if row is None else row["last"]

    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""
        from pyspark.sql import functions as F

        events = _of_keys(self._good["--events"], keys)
        return (events if before is None else events.where(F.col("time") < before)).toArrow()

    def take_beside(self, job: Job, keys: Sequence[str] | None) -> Any:
        """The good events of these keys, or of all, with their other columns, read again, as an Arrow table."""
        return _of_keys(self._convert(job.beside, job), keys).toArrow()

    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""
        rows: list[dict[str, Any]] = _of_keys(self._good["--results"], keys).toArrow().to_pylist()
        return rows

    def _tell_found(self, tell: Callable[[list[dict[str, Any]]], Batch]) -> "DataFrame":
        def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
            for batch in batches:
                yield tell(batch.to_pylist())

        return self._where(*FINDING_KINDS).mapInArrow(mapper, FINDING)

    def keep_found(self, tell: Callable[[list[dict[str, Any]]], Batch]) -> Callable[[], Any]:
        """Return what has an Arrow table of what is told of the findings: it is made now, while Spark has them."""
        kept = self._tell_found(tell).toArrow()
        return lambda: kept

    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""
        self._tell_found(tell).write.parquet(out)

    def _list_bad(self, job: Job) -> "DataFrame":
        from pyspark.sql import functions as F

        event = F.to_json(F.struct("key", F.col("a").alias("time"), F.col("b").alias("arrival")))
        names = ("table", "reason", "file", "row")
        columns = (F.lit("events"), F.col("bad"), F.lit(None).cast("string"), event)
        rows = self._where("bad").select(*[column.alias(name) for column, name in zip(columns, names, strict=True)])
        for name, reading in (("events", job.events), ("results", job.results)):
            bad = self._map(reading, [*reading.schema.names, FILE], make_quarantine(reading), _BAD)
            rows = rows.union(bad.select(F.lit(name).alias("table"), *names[1:]))
        return rows

    def take_bad(self, job: Job, most: int) -> list[dict[str, Any]]:
        """Some of the rows that could not be used: table, reason, file, row."""
        return [row.asDict() for row in self._list_bad(job).limit(most).collect()]

    def write_bad(self, job: Job, folder: str) -> None:
        """Write all of them there, as JSON lines."""
        self._list_bad(job).write.json(folder)

    def close(self) -> None:
        """Let go of what is kept."""
        if self._found is not None:
            self._found.unpersist()
        if self._shared is not None:
            shutil.rmtree(self._shared, ignore_errors=True)


def _is_here(spark: "SparkSession") -> bool:
    """Return whether all workers are on this machine, so that they see its files."""
    return str(spark.sparkContext.master).startswith("local")


def _take_frame(spark: "SparkSession", where: Table) -> "DataFrame | None":
    """A table in memory as a data frame of Spark; None for files."""
    from pyspark.sql import functions as F

    if where.format != "arrow":
        return None
    frame = spark.createDataFrame(where.data) if isinstance(where.data, pa.Table) else where.data
    made: DataFrame = frame.withColumn(FILE, F.lit(str(where)))
    return made


def _of_keys(rows: "DataFrame", keys: Sequence[str] | None) -> "DataFrame":
    from pyspark.sql import functions as F

    return rows if keys is None else rows.where(F.col("key").isin(*keys))


_TYPES: Final = {
    "key": "string", "time": "bigint", "arrival": "bigint", "clock": "bigint", "upstream": "string",
    "watermark": "bigint", "a": "bigint", "b": "bigint", "got": "string", "number": "double",
    "version": "bigint", "retraction": "boolean",
}  # fmt: skip
_VALUES: Final = {"int": "bigint", "time": "bigint", "float": "double", "bool": "boolean"}


def make_converter(reading: Reading, columns: str) -> Each:
    """Yield what makes good rows of rows as they were read."""
    schema = pa.schema([(name, arrow_type(kind)) for name, kind in map(str.split, columns.split(", "))])

    def convert(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            good, _, _ = reading.take_good(batch)
            yield pa.RecordBatch.from_arrays(
                [good.column(field.name).cast(field.type) for field in schema], schema=schema
            )

    return convert


def make_quarantine(reading: Reading) -> Each:
    """Yield what makes bad rows of rows as they were read, with their files."""

    def find(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            files = batch.column(FILE)
            _, rows = reading.convert(batch.drop_columns([FILE]))
            yield make_batch(_BAD, [(why, files[i].as_py(), rows.as_it_was(i)) for i, why in sorted(rows.why.items())])

    return find


def _ship_by_value(aggregate: str) -> None:
    """Let the workers have the user's own aggregation without its file."""
    if ":" not in aggregate:
        return
    from pyspark import cloudpickle

    place = aggregate.rpartition(":")[0]
    for name, module in list(sys.modules.items()):
        if name == place or name.startswith("_swagproof_"):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]  # has no types
