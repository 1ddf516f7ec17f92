"""Rows sent to the operator: one for many events of a key and a file, and the progress of time in each file.

The files before an event's own decide whether it was late, not the cut into micro-batches, which changes if a driver is
killed between two of Spark's logs.  So each task also sends the progress of time in its files to every partition of the
state, which puts the files in order before it takes any event.  Spark chooses the partition by the hash of the key, so
there is a key for each partition.

The first letter of a packed row's key gives its content.  Spark takes the keys of a partition in ascending order, so
clocks come before events.  Bad rows are spread by task; a heartbeat is only a clock.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.trace import InputError
from swagproof.pipeline.batches import arrow_type
from swagproof.pipeline.stream.clocks import CLOCK, EARLIEST, MOVED
from swagproof.pipeline.stream.source import CLAIM, Events, Source, path_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BAD: Final = "b"
"""Rows that cannot be used."""

CLOCKS: Final = "c"
"""The progress of time in files, in milliseconds since 1970."""

KEY: Final = "k"
"""Events and claims of the key that follows."""

RESULTS: Final = "results"
"""The key, in place of a file, for the progress of another job's results."""

SILENT: Final = EARLIEST + MOVED
"""Spark's clock of a row without a time."""


def aim(spark: "SparkSession", partitions: int) -> list[str]:
    """Return, for each partition of a stateful operator, a key of clocks that Spark sends there."""
    from pyspark.sql import functions as F

    found: dict[int, str] = {}
    start, step = 0, 16 * partitions + 64
    while len(found) < partitions:
        tried = spark.range(start, start + step, 1, 1).select(F.concat(F.lit(CLOCKS), "id").alias("key"))
        for name, place in tried.select("key", F.pmod(F.hash("key"), F.lit(partitions))).collect():
            found.setdefault(place, name)
        start += step
    return [found[place] for place in range(partitions)]


def columns_of(events: Events) -> dict[str, str]:
    """Return the columns of packed rows and their types in Spark."""
    lists = {name: f"array<{kind}>" for name, kind in {**events.fields, **CLAIM, "bad": "string"}.items()}
    return {
        "key": "string",
        CLOCK: "bigint",
        "file": "string",
        "files": "array<string>",
        "clocks": "array<bigint>",
    } | lists


@dataclass(frozen=True)
class Packer:
    """A reader for Spark's `mapInArrow` that is given the paths of files, and packs their rows by key and file."""

    source: Source
    kinds: Mapping[str, str]
    """The result of `columns_of`."""
    partitions: Sequence[str]
    """The result of `aim`."""

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Read and pack the files of each batch of paths.  A file is read by one task."""
        from pyspark import TaskContext

        context = TaskContext.get()
        spread = f"{BAD}{context.partitionId() if context else 0}"
        reached: dict[str, int] = {}
        for batch in batches:
            for told, age in zip(batch.column(0).to_pylist(), batch.column(1).cast("int64").to_pylist(), strict=True):
                path, file, number = path_of(told), f"{age // 1_000:015d} {told}", 0
                bad: list[dict[str, Any]] = []
                try:
                    for piece in self.source.read(str(path)):
                        number += len(piece.rows)
                        if piece.latest is not None:
                            reached[file] = max(piece.latest, reached.get(file, piece.latest))
                        if len(piece.rows):
                            yield self.pack(piece.rows, file, reached.get(file))
                        bad += [{"why": why, "file": path.name, "row": row} for why, row in piece.bad]
                except (OSError, InputError) as error:
                    why = f"it cannot be read after {number} rows: {' '.join(str(error).split())}"
                    if self.source.stop:
                        raise InputError(f"{path}: {why}") from None
                    bad.append({"why": why, "file": path.name})
                if bad:
                    yield self.make_row(spread, SILENT, bad=list(map(json.dumps, bad)))
        if reached:
            latest = max(reached.values())
            told_of = reached if isinstance(self.source, Events) else {RESULTS: latest}
            for name in self.partitions:
                yield self.make_row(name, latest + MOVED, files=list(told_of), clocks=list(told_of.values()))

    def pack(self, rows: Any, file: str, latest: int | None) -> Any:
        """Return a row for each key of a file, with its columns as lists."""
        import pyarrow as pa
        import pyarrow.compute

        pc: Any = pyarrow.compute  # its functions are created at run time
        names = list(self.source.fields)
        grouped = pa.Table.from_batches([rows]).group_by("key", use_threads=False)
        found = grouped.aggregate([(name, "list") for name in names])
        clock = SILENT if latest is None else latest + MOVED
        columns = {
            "key": pc.binary_join_element_wise(KEY, found["key"], ""),
            CLOCK: pa.array([clock] * len(found), pa.int64()),
            "file": pa.array([file] * len(found), pa.string()),
        }
        return self.complete(columns | {name: found[f"{name}_list"] for name in names}, len(found))

    def make_row(self, key: str, clock: int, **columns: Any) -> Any:
        """Return a row with these columns."""
        return self.complete({"key": [key], CLOCK: [clock], **{name: [of] for name, of in columns.items()}}, 1)

    def complete(self, columns: Mapping[str, Any], number: int) -> Any:
        """Return rows with all columns; missing ones are null."""
        import pyarrow as pa

        arrays: list[Any] = []
        for name, kind in self.kinds.items():
            of, type_ = columns.get(name), arrow_type(kind)
            given = pa.nulls(number, type_) if of is None else pa.array(of, type_) if isinstance(of, list) else of
            arrays.append((given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given).cast(type_))
        return pa.RecordBatch.from_arrays(arrays, list(self.kinds))
