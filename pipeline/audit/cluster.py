"""The two tables of an audit on Spark, which cuts them, brings them together by key and hands them out; what is right
is decided by the functions that one process runs.

What the JVM does for a row (reading it, shuffling, sorting, handing it to Python) costs as much as judging it.  So rows
travel packed: a worker reads its part of the Parquet files itself, and sends many rows of some keys on as one binary;
the task that has these keys unpacks both tables, sorts them and compares them as one process does.  Its memory is that
of its keys' rows, of which there are some hundred thousands.  One key that has most of the events is cut into blocks
of time; where windows do not let it be cut, Spark sorts, on disk where memory does not suffice.

A plan is a few wide steps, since Spark takes longer to plan many expressions than to judge a million events.
"""

import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from swagproof.models.windows.kinds import Session, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.compare import FINDING_KINDS, FOUND, make_mapper
from swagproof.pipeline.audit.converting import Reading, compute
from swagproof.pipeline.audit.findings import FINDING
from swagproof.pipeline.audit.local import Source, bring_together
from swagproof.pipeline.audit.policy import MARKS, Policy, read_batches, refuse_unknown_batch
from swagproof.pipeline.audit.request import About, Compared, Holder, Job
from swagproof.pipeline.audit.tables import CORRUPT, FIRST, Mapped, Table, names_in
from swagproof.pipeline.batches import Batch, arrow_type, make_batch, names_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructType

Each: TypeAlias = Callable[[Iterator[Batch]], Iterator[Batch]]
"""What workers make of the rows of a table, as they were read."""

BUCKETS: Final = 32
"""Into how many stretches of arrival the events are cut to find the watermark of all keys in parallel."""

BLOCK: Final = 8
"""Ranges of a window in a block of time: what is had twice is an eighth."""

LOOKED_AT: Final = 10_000
"""Events that are looked at to find a hot key."""

GATHERED: Final = 500_000
"""Rows that a worker gathers before it packs them, and about as many as are unpacked in one task."""

_FILE: Final = "_swagproof_file"
_BAD: Final = "reason string, file string, row string"
_PACKED: Final = "part bigint, side bigint, packed binary, n bigint, bad bigint, skipped bigint"


class Cluster(Holder):
    """The two tables, and what is found, where Spark has them."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark
        self._sources: dict[str, Source] = {}
        """Of Parquet on this machine, where the workers read it themselves."""
        self._raw: dict[str, DataFrame] = {}
        """Of all else."""
        self._good: dict[str, DataFrame] = {}
        """The good rows of each table, events with the watermark when they came."""
        self._about: dict[str, About] = {}
        self._found: DataFrame | None = None

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""
        from pyspark.sql.pandas.types import to_arrow_schema

        here = str(self._spark.sparkContext.master).startswith("local")
        if where.format == "parquet" and here and not any("://" in path for path in where.paths):
            source = self._sources[where.option] = Source(where, asked)
            return source.schema
        frame = self._raw[where.option] = read(self._spark, where, asked)
        schema = to_arrow_schema(frame.schema)
        return schema.remove(schema.get_field_index(_FILE))

    def _map(self, reading: Reading, columns: Collection[str], each: Each, out: str) -> "DataFrame":
        """What `each` makes of all rows, as they were read; these columns alone."""
        from pyspark.sql import functions as F

        source = self._sources.get(reading.where.option)
        if source is None:
            raw = self._raw[reading.where.option]
            return raw.select(*[F.col(f"`{name}`") for name in columns]).mapInArrow(each, out)
        parts = source.split()
        tasks = max(1, min(len(parts), 4 * self._spark.sparkContext.defaultParallelism))

        def mapper(numbers: Iterator[Batch]) -> Iterator[Batch]:
            mine = (parts[i] for batch in numbers for i in batch.column(0).to_pylist())
            those = source.read_parts(mine, [name for name in columns if name != _FILE])
            if _FILE in columns:
                return each(b.append_column(_FILE, pa.array([path] * b.num_rows, pa.string())) for path, b in those)
            return each(batch for _, batch in those)

        return self._spark.range(0, len(parts), numPartitions=tasks).mapInArrow(mapper, out)

    def _convert(self, reading: Reading, job: Job) -> "DataFrame":
        """The good rows of a table."""
        kinds = _TYPES | {f"v{i}": _VALUES.get(kind, "string") for i, kind in enumerate(job.plan.kinds)}
        out = ", ".join(f"{name} {kinds[name]}" for name in reading.names if name != "no_value")
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

    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""
        from pyspark.sql import functions as F

        _ship_by_value(job.aggregation.name)
        hot = self._has_hot_key()
        if hot and isinstance(job.window, Sliding) and job.window.leading:
            job = replace(job, plan=replace(job.plan, block=BLOCK * job.window.half_open.range))
        sort = hot and job.plan.block is None
        found = (self._sort_rows if sort else self._pack_rows)(job, final, delay)
        self._found = found.persist()
        off = F.greatest(F.col("low") - F.col("number"), F.col("number") - F.col("high"))
        farthest = F.max(F.when(F.col("kind") == "excused", off)).alias("farthest")
        sums = [F.sum(name).alias(name) for name in ("n", "n_other", "a")]
        of_table = F.when(F.col("kind") == "table", F.col("key")).alias("table")
        rows = self._found.groupBy("kind", of_table).agg(F.count(F.lit(1)).alias("rows"), farthest, *sums).collect()
        of = {row["table"] or row["kind"]: row for row in rows}
        for name in ("--events", "--results"):
            self._about[name] = About(of[name]["n"], of[name]["n_other"], of[name]["a"]) if name in of else About(0, 0)
        counts = {kind: row["rows"] for kind, row in of.items() if kind not in ("tally", "size", *self._about)}
        due, late = (of["tally"]["n"], of["tally"]["n_other"]) if "tally" in of else (0, 0)
        return Compared(due, late, counts, float(of["excused"]["farthest"]) if "excused" in of else 0.0)

    def _has_hot_key(self) -> bool:
        """Whether one key has so many of the first events that its task would be waited for."""
        tasks = self._spark.sparkContext.defaultParallelism
        if tasks == 1:
            return False
        keys: Any = self._good["--events"].select("key").limit(LOOKED_AT).toArrow()["key"].combine_chunks()
        most = max((it["counts"] for it in compute.value_counts(keys).to_pylist()), default=0)
        return bool(most * tasks > 1.2 * len(keys))

    def _pack_rows(self, job: Job, final: int | None, delay: int | None) -> "DataFrame":
        """What is found, of rows that travel packed; which keys go together is a number."""
        count = int(self._spark.conf.get("spark.sql.shuffle.partitions") or 1)
        count = max(count, sum(source.count_rows() for source in self._sources.values()) // GATHERED + 1)
        sent: list[DataFrame] = []
        for side, reading in ((0, job.results), (1, job.events)):
            if side and job.policy.has_watermark:
                sent.append(self._map(reading, reading.needed, make_counter(reading, side), _PACKED))
                kept = [name for name in self._good["--events"].columns if name not in ("clock", "upstream")]
                sent.append(self._good["--events"].select(*kept).mapInArrow(make_packer(job, side, count), _PACKED))
            else:
                sent.append(self._map(reading, reading.needed, make_packer(job, side, count, reading), _PACKED))
        gathered = sent[0]
        for more in sent[1:]:
            gathered = gathered.union(more)
        ordered = gathered.repartition(count, "part").sortWithinPartitions("part")
        return ordered.mapInArrow(make_unpacker(job, final, delay), FOUND)

    def _sort_rows(self, job: Job, final: int | None, delay: int | None) -> "DataFrame":
        """What is found, of rows that Spark brings together and sorts: no task has to hold all of a key."""
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
        found = ordered.mapInArrow(make_mapper(job.plan, job.judge, final, delay), FOUND)
        names = names_of(FOUND)
        said = {"kind": F.lit("table"), "n": F.col("n"), "n_other": F.col("bad"), "a": F.col("skipped")}
        for number, reading in ((0, job.results), (1, job.events)):
            counts = self._map(reading, reading.needed, make_counter(reading, number), _PACKED)
            of_table = said | {"key": F.lit(reading.where.option)}
            found = found.union(
                counts.select(*[of_table.get(n, F.lit(None)).cast(found.schema[n].dataType).alias(n) for n in names])
            )
        return found

    def count(self) -> tuple[About, About]:
        """How many events and results there are."""
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
        """What was found, of these keys or of all."""
        from pyspark.sql import functions as F

        assert self._found is not None
        found = self._found.where(~F.col("kind").isin("size", "tally"))
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

    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""
        rows: list[dict[str, Any]] = _of_keys(self._good["--results"], keys).toArrow().to_pylist()
        return rows

    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""

        def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
            for batch in batches:
                yield tell(batch.to_pylist())

        self._where(*FINDING_KINDS).mapInArrow(mapper, FINDING).write.parquet(out)

    def _list_bad(self, job: Job) -> "DataFrame":
        from pyspark.sql import functions as F

        event = F.to_json(F.struct("key", F.col("a").alias("time"), F.col("b").alias("arrival")))
        names = ("table", "reason", "file", "row")
        columns = (F.lit("events"), F.col("bad"), F.lit(None).cast("string"), event)
        rows = self._where("bad").select(*[column.alias(name) for column, name in zip(columns, names, strict=True)])
        for name, reading in (("events", job.events), ("results", job.results)):
            bad = self._map(reading, [*reading.schema.names, _FILE], make_quarantine(reading), _BAD)
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
    """What makes good rows of rows as they were read."""
    schema = pa.schema([(name, arrow_type(kind)) for name, kind in map(str.split, columns.split(", "))])

    def convert(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            good, _, _ = reading.take_good(batch)
            yield pa.RecordBatch.from_arrays(
                [good.column(field.name).cast(field.type) for field in schema], schema=schema
            )

    return convert


def make_quarantine(reading: Reading) -> Each:
    """What makes bad rows of rows as they were read, with their files."""

    def find(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            files = batch.column(_FILE)
            _, rows = reading.convert(batch.drop_columns([_FILE]))
            yield make_batch(_BAD, [(why, files[i].as_py(), rows.as_it_was(i)) for i, why in sorted(rows.why.items())])

    return find


def make_counter(reading: Reading, side: int) -> Each:
    """What counts rows as they were read."""

    def count(batches: Iterator[Batch]) -> Iterator[Batch]:
        n = bad = skipped = 0
        for batch in batches:
            _, refused, empty = reading.take_good(batch)
            n, bad, skipped = n + batch.num_rows, bad + refused, skipped + empty
        yield make_batch(_PACKED, [(0, side, None, n, bad, skipped)])

    return count


def make_packer(job: Job, side: int, count: int, reading: Reading | None = None) -> Each:
    """What packs rows by the number that their keys go together under: good rows, or, with how they are converted, and
    then counted, rows as they were read."""

    def pack(batches: Iterator[Batch]) -> Iterator[Batch]:
        n = bad = skipped = gathered = 0
        waiting: list[Batch] = []
        for batch in batches:
            good = batch
            if reading is not None:
                good, refused, empty = reading.take_good(batch)
                n, bad, skipped = n + batch.num_rows, bad + refused, skipped + empty
            waiting.append(good)
            gathered += good.num_rows
            if gathered >= GATHERED:
                yield make_batch(_PACKED, list(_pack(waiting, job, side, count)))
                waiting, gathered = [], 0
        if gathered:
            yield make_batch(_PACKED, list(_pack(waiting, job, side, count)))
        if reading is not None:
            yield make_batch(_PACKED, [(0, side, None, n, bad, skipped)])

    return pack


def _pack(batches: list[Batch], job: Job, side: int, count: int) -> Iterator[tuple[Any, ...]]:
    rows = pa.Table.from_batches(batches)
    rows = _name_keys(rows, as_codes=True)
    if job.plan.block is not None:
        rows = _cut_time(rows, job, side, job.plan.block)
    keys = rows["key"].combine_chunks()
    of_key = np.array([zlib.crc32(key.encode()) for key in keys.dictionary.to_pylist()], dtype=np.int64)
    numbers = of_key[keys.indices.to_numpy()]
    if job.plan.block is not None:
        numbers = numbers + rows["block"].to_numpy() * 7919
    numbers = (numbers % count).astype(np.uint16 if count < 2**16 else np.int64)
    order = np.argsort(numbers, kind="stable")
    rows = _name_keys(rows, as_codes=False).take(pa.array(order)).combine_chunks()
    numbers = numbers[order]
    cuts = [0, *(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1).tolist(), len(numbers)]
    for i, j in pairwise(cuts):
        sink = pa.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, rows.schema) as stream:
            stream.write_table(rows.slice(i, j - i))
        yield int(numbers[i]), side, sink.getvalue().to_pybytes(), None, None, None


def _cut_time(rows: Any, job: Job, side: int, block: int) -> Any:
    """Each event in the blocks whose windows may have it: its own, and the one before where that reaches so far; each
    result in the one that answers for its window."""
    window = job.window
    assert isinstance(window, Sliding)
    if side:
        times = rows["time"].to_numpy()
        own, first = times // block, (times - window.half_open.range) // block
        again = np.flatnonzero(first < own)
        blocks = np.concatenate([own, first[again]])
        rows = rows.take(pa.array(np.concatenate([np.arange(len(times)), again])))
    else:
        begin = rows["a"].to_numpy() if "a" in job.on else rows["b"].to_numpy() - window.range
        blocks = (begin + (window.closed in ("right", "neither"))) // block
    return rows.append_column("block", pa.array(blocks, pa.int64()))


def make_unpacker(job: Job, final: int | None, delay: int | None) -> Each:
    """What compares the rows that were packed under one number, and then those of the next."""
    compare = make_mapper(job.plan, job.judge, final, delay)
    names = names_of(FOUND)

    def settle(held: tuple[list[Batch], list[Batch]]) -> Iterator[Batch]:
        if any(held):
            results, events = (_unpack(packed, job, side) for side, packed in enumerate(held))
            yield from compare(bring_together(events, results, job))

    def unpack(batches: Iterator[Batch]) -> Iterator[Batch]:
        part: int | None = None
        held: tuple[list[Batch], list[Batch]] = ([], [])
        for batch in batches:
            for row in batch.to_pylist():
                if row["packed"] is None:
                    option = (job.results, job.events)[row["side"]].where.option
                    about = {"kind": "table", "key": option, "n": row["n"], "n_other": row["bad"], "a": row["skipped"]}
                    yield make_batch(FOUND, [[about.get(name) for name in names]])
                    continue
                if row["part"] != part:
                    yield from settle(held)
                    part, held = row["part"], ([], [])
                held[row["side"]].extend(pyarrow.ipc.open_stream(row["packed"]))
        yield from settle(held)

    return unpack


def _unpack(packed: list[Batch], job: Job, side: int) -> Any:
    if not packed:
        reading = (job.results, job.events)[side]
        nothing, _, _ = reading.take_good(pa.RecordBatch.from_pylist([], schema=reading.schema))
        rows = pa.Table.from_batches([nothing])
        return rows if job.plan.block is None else rows.append_column("block", pa.array([], pa.int64()))
    return _name_keys(pa.Table.from_batches(packed), as_codes=True)


def _name_keys(rows: Any, *, as_codes: bool) -> Any:
    """Rows whose keys are codes with a dictionary, or else text."""
    at = rows.schema.get_field_index("key")
    keys = rows.column(at)
    if as_codes != pa.types.is_dictionary(keys.type):
        rows = rows.set_column(at, "key", keys.dictionary_encode() if as_codes else keys.cast(pa.string()))
    return rows.unify_dictionaries().combine_chunks() if as_codes else rows


def _ship_by_value(aggregate: str) -> None:
    """Let the workers have the user's own aggregation without its file."""
    if ":" not in aggregate:
        return
    from pyspark import cloudpickle

    place = aggregate.rpartition(":")[0]
    for name, module in list(sys.modules.items()):
        if name == place or name.startswith("_swagproof_"):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]  # has no types


# The watermark


def follow_table(events: "DataFrame", policy: Policy) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    """What marks a table of these events, which have `clock`, with the watermark at their arrival, NEVER at first; and
    where it was when all had come, or None where there are none, or it is of each key.

    Of one key: one sort of its events.  Of all keys: the arrivals are cut into stretches, whose latest times are
    collected (32 numbers), then each stretch is sorted.  By batch, of several upstreams or where it is open: the latest
    times of each clock and upstream go through one task, which the definition itself runs over.  Raises InputError for
    a batch that the progress does not have.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    if policy.given == "column":
        row = events.agg(F.max("watermark")).head()
        return lambda table: table, None if row is None else row[0]
    if policy.given == "progress":
        return _follow_progress(events, policy)
    rule = policy.watermark
    assert rule is not None
    if not policy.follows_records and not policy.per_key:
        return _follow_clock(events, rule)
    if policy.per_key:
        before = Window.partitionBy("key").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
        of_key = F.coalesce(F.max("time").over(before) - F.lit(rule.delay), F.lit(NEVER))
        return lambda table: table.withColumn("watermark", of_key), None
    shares = F.array(*[F.lit(i / BUCKETS) for i in range(1, BUCKETS)])
    cuts = events.select(F.percentile_approx("clock", shares, 1000)).head()
    bounds: list[int] = sorted({*(cuts[0] or ())}) if cuts is not None else []
    stretch: Column = F.lit(0)
    for bound in bounds:
        stretch = stretch + (F.col("clock") > F.lit(bound)).cast("int")
    stretches = events.groupBy(stretch.alias("stretch")).agg(F.max("time").alias("latest")).collect()
    latest_of = {row["stretch"]: row["latest"] for row in stretches}
    earlier: list[int] = []
    latest_so_far = NEVER
    for number in range(len(bounds) + 1):
        earlier.append(latest_so_far)
        latest_so_far = max(latest_so_far, latest_of.get(number, NEVER))
    known = F.element_at(F.array(*[F.lit(time) for time in earlier]), F.col("stretch") + 1)
    inside = Window.partitionBy("stretch").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
    latest = F.greatest(known, F.coalesce(F.max("time").over(inside), F.lit(NEVER)))
    marked = F.when(latest == F.lit(NEVER), F.lit(NEVER)).otherwise(latest - F.lit(rule.delay))

    def mark(table: "DataFrame") -> "DataFrame":
        return table.withColumn("stretch", stretch).withColumn("watermark", marked).drop("stretch")

    return mark, None if latest_so_far == NEVER else latest_so_far - rule.delay


_MARKS: Final = "clock bigint, watermark bigint, least bigint, cleaned bigint"


def make_follower(rule: Watermark, upstreams: list[Any]) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """The mapper: batches with clock, upstream, time, in the order of clocks, to those of where the watermark was; the
    last row, without a clock, is where it was in the end.
    """

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        steps = ((row["clock"], row["upstream"], row["time"]) for batch in batches for row in batch.to_pylist())
        rows = [(clock, marks.most, marks.least, marks.cleaned) for clock, marks in follow(rule, upstreams, steps)]
        yield make_batch(_MARKS, rows)

    return mapper


def _follow_clock(events: "DataFrame", rule: Watermark) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    from pyspark.sql import functions as F

    upstream = F.col("upstream") if "upstream" in events.columns else F.lit(None).cast("string")
    latest = events.groupBy("clock", upstream.alias("upstream")).agg(F.max("time").alias("time"))
    names = [row[0] for row in latest.select("upstream").distinct().collect()]
    ordered = latest.repartition(1).sortWithinPartitions("clock", "upstream")
    marks = ordered.mapInArrow(make_follower(rule, names), _MARKS).persist()
    end = marks.where(F.col("clock").isNull()).head()
    known = marks.where(F.col("clock").isNotNull())
    return lambda table: table.join(known, "clock"), None if end is None else end["cleaned"]


def _follow_progress(events: "DataFrame", policy: Policy) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    from pyspark.sql import functions as F

    rows, final = read_batches(policy)
    marks = F.broadcast(events.sparkSession.createDataFrame(rows, "clock bigint, watermark bigint, cleaned bigint"))
    unknown = events.join(marks, "clock", "left_anti").select("clock").head()
    refuse_unknown_batch([] if unknown is None else [unknown[0]])
    return lambda table: table.join(marks, "clock"), final


# Reading


def read(spark: "SparkSession", where: Table, columns: Sequence[Mapped]) -> "DataFrame":
    """All columns of the files, and `file`, where each row is from.  Text formats hold text alone."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    reader = spark.read
    if where.format == "parquet":
        try:
            frame = reader.parquet(*where.paths)
        except PySparkException as error:
            if "TIMESTAMP(NANOS" not in str(error):
                raise
            said = "timestamps in nanoseconds, which Spark does not read; write microseconds (coerce_timestamps='us')"
            raise InputError(f"{where.option} {where}: {said}") from None
    elif where.format == "csv":
        names = spark.read.csv(list(where.paths), header=True).columns
        fields = ", ".join(f"`{name}` string" for name in [*names, CORRUPT])
        frame = reader.schema(fields).csv(
            list(where.paths), header=True, enforceSchema=False, columnNameOfCorruptRecord=CORRUPT
        )
    else:
        frame = _json(spark, where, [column.name for column in columns])
    return frame.withColumn(_FILE, F.col("_metadata.file_path"))


def _json(spark: "SparkSession", where: Table, asked: Sequence[str]) -> "DataFrame":
    """JSON lines: the columns that are asked for, as far as they are there, and those of the first lines.

    A name that no row of the first has, and that is null in all others, is not there: one pass more, where that is so.
    """
    from pyspark.sql import functions as F

    def lines(names: Sequence[str]) -> "DataFrame":
        schema = _text_schema(names, whole, where)
        return spark.read.schema(schema).json(list(where.paths), columnNameOfCorruptRecord=CORRUPT)

    first = [row["value"] for row in spark.read.text(list(where.paths)).head(FIRST)]
    seen = dict.fromkeys(name for line in first for name in names_in(line))
    whole = {name for name in seen if "." in name}
    doubtful = [name for name in dict.fromkeys(asked) if name not in seen]
    if first and doubtful:
        found = [F.max(_at(name, whole).isNotNull()).alias(str(i)) for i, name in enumerate(doubtful)]
        row = lines(doubtful).agg(*found).head()
        assert row is not None
        doubtful = [name for name, there in zip(doubtful, row, strict=True) if there]
    inside = {name.partition(".")[0] for name in doubtful if name not in whole}
    plain = [name for name in seen if name not in inside or name in asked]
    return lines([*plain, *doubtful])


def _at(name: str, whole: Collection[str]) -> "Column":
    """A column, or a field of a struct."""
    from pyspark.sql import functions as F

    head, dot, rest = name.partition(".")
    return F.col(f"`{name}`") if not dot or name in whole else F.col(f"`{head}`.{rest}")


def _text_schema(names: Sequence[str], whole: Collection[str], where: Table) -> "StructType":
    """Every column as text, with structs where a name has dots that are not its own (`whole`)."""
    from pyspark.sql.types import StringType, StructField, StructType

    tree: dict[str, Any] = {}
    for name in names:
        inner = tree
        *outer, last = [name] if name in whole else name.split(".")
        for part in outer:
            inner = inner.setdefault(part, {})
            if inner is None:
                raise InputError(f"{where.option} {where}: {part} is asked for as a whole, and in parts; give one")
        inner.setdefault(last, None)

    def struct(branches: dict[str, Any]) -> StructType:
        return StructType(
            [StructField(name, StringType() if inner is None else struct(inner)) for name, inner in branches.items()]
        )

    return struct(tree).add(CORRUPT, StringType())
