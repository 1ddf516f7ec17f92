"""Rows on their way to the operator: one for many events of a key and a file, and how far time came in each file.

Whether an event was late is decided by the files that came before its own, not by how Spark cut them into micro-
batches: a driver that is killed between two of Spark's logs cuts them otherwise.  So each task also sends to every
partition of the state how far time came in the files it read; there they are put in the order of the files, before any
event is taken.  Spark sends rows where their key hashes to: for each partition there is a name that does.

The first letter of a packed row's key says what it holds; Spark takes the keys of a partition in ascending order, so
clocks come before events.  Bad rows are spread by task; a heartbeat is nothing but a clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from swagproof.pipeline.batches import arrow_type
from swagproof.pipeline.stream.clocks import CLOCK, EARLIEST, MOVED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BAD: Final = "b"
"""Rows that cannot be used."""

CLOCKS: Final = "c"
"""The progress of time in files, in milliseconds since 1970."""

KEY: Final = "k"
"""Events and claims of the key that follows."""

RESULTS: Final = "results"
"""In place of a file: how far the results of another job have come."""

SILENT: Final = EARLIEST + MOVED
"""Spark's clock of a row that says nothing of the time."""

EXTRA: Final = {"file": "string", "files": "array<string>", "clocks": "array<bigint>"}
"""The columns that packed rows have besides their lists."""


def aim(spark: "SparkSession", partitions: int) -> list[str]:
    """For each partition of a stateful operator a key of clocks that Spark sends there."""
    from pyspark.sql import functions as F

    found: dict[int, str] = {}
    start, step = 0, 16 * partitions + 64
    while len(found) < partitions:
        tried = spark.range(start, start + step, 1, 1).select(F.concat(F.lit(CLOCKS), "id").alias("key"))
        for name, place in tried.select("key", F.pmod(F.hash("key"), F.lit(partitions))).collect():
            found.setdefault(place, name)
        start += step
    return [found[place] for place in range(partitions)]


@dataclass(frozen=True)
class Packer:
    """Packs rows into one for each key and file; of events, claims and bad rows each."""

    fields: Mapping[str, str]
    """The columns of a packed row that become lists, and their Spark types."""
    names: Sequence[str]
    """Those of them that the rows have; the first is null where a row is no event, or claim."""
    partitions: Sequence[str]
    """The result of `aim`."""
    claims: bool = False

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Pack each batch of Arrow's.  Linear, and without a Python object for a row."""
        import pyarrow as pa
        import pyarrow.compute
        from pyspark import TaskContext

        pc: Any = pyarrow.compute  # its functions are made at run time
        context = TaskContext.get()
        spread = f"{BAD}{context.partitionId() if context else 0}"
        reached: dict[str, int] = {}
        for batch in batches:
            table = pa.Table.from_batches([batch])
            if table.num_rows == 0:
                continue
            for file, clock in _latest(table.filter(pc.greater(table[CLOCK], SILENT))):
                reached[file] = max(clock, reached.get(file, clock))
            rows = table.filter(pc.is_valid(table[self.names[0]]))
            if rows.num_rows:
                yield from self.pack(rows.group_by(["key", "file"], use_threads=False), rows.schema)
            bad = table.filter(pc.is_valid(table["bad"]))["bad"].to_pylist()
            if bad:
                yield self.make_row(spread, SILENT, bad=bad)
        if reached:
            latest = max(reached.values())
            told = {RESULTS: latest} if self.claims else reached
            clocks = [clock - MOVED for clock in told.values()]
            for name in self.partitions:
                yield self.make_row(name, latest, files=list(told), clocks=clocks)

    def pack(self, grouped: Any, schema: Any) -> Iterator[Any]:
        """A row for each key and file: the latest clock, and these columns as lists."""
        import pyarrow as pa
        import pyarrow.compute

        pc: Any = pyarrow.compute
        found = grouped.aggregate([(CLOCK, "max"), *((name, "list") for name in self.names)])
        columns = {
            "key": pc.binary_join_element_wise(KEY, found["key"], ""),
            CLOCK: found[f"{CLOCK}_max"],
            "file": found["file"],
        }
        for name in self.names:
            columns[name] = found[f"{name}_list"].cast(pa.list_(schema.field(name).type))
        yield from self.complete(columns, len(found))

    def make_row(self, key: str, clock: int, **columns: Any) -> Any:
        """A row of these."""
        (row,) = self.complete({"key": [key], CLOCK: [clock], **{name: [of] for name, of in columns.items()}}, 1)
        return row

    def complete(self, columns: Mapping[str, Any], number: int) -> Iterator[Any]:
        """Rows with all columns; what is not given is null."""
        import pyarrow as pa

        types = {name: arrow_type(kind) for name, kind in self.kinds.items()}
        arrays: list[Any] = []
        for name, type_ in types.items():
            of = columns.get(name)
            arrays.append(
                pa.nulls(number, type_) if of is None else pa.array(of, type_) if isinstance(of, list) else of
            )
        yield from pa.Table.from_arrays(arrays, list(types)).to_batches()

    @property
    def kinds(self) -> dict[str, str]:
        """The columns of packed rows and their types, as Spark has them."""
        lists = {name: f"array<{kind}>" for name, kind in self.fields.items()}
        return {"key": "string", CLOCK: "bigint", **EXTRA, **lists}


def _latest(rows: Any) -> Iterator[tuple[str, int]]:
    """Yield how far time came in each file."""
    if rows.num_rows:
        found = rows.group_by("file", use_threads=False).aggregate([(CLOCK, "max")])
        yield from zip(found["file"].to_pylist(), found[f"{CLOCK}_max"].to_pylist(), strict=True)
