"""The judge of recorded traces on Spark: parallel, with the same verdicts as one process.

Spark groups rows by trace and sorts them, on disk if they exceed memory.  The judge receives them in Arrow batches, and
separates the traces itself.  So a trace of any length takes the memory of its window and one batch, and is judged as a
whole, however its rows were spread over files.

`VERDICTS` is the table that `swagproof replay --out` writes in Parquet: one row per trace, and one with a null trace
for all rows that name none.  Its columns are those of `swagproof.pipeline.recordings.judges.Judged`.  `--quarantine`
writes `QUARANTINE`: a row for each row that could not be judged, with its file, its trace and number if known, the
problem, and the row itself: the line, or the cells as JSON text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.subject import load_monoid
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import WINDOWS
from swagproof.pipeline import is_remote, spell_path
from swagproof.pipeline.batches import in_worker, make_batch
from swagproof.pipeline.recordings.judges import Judged, arrange_rows, judge_ordered
from swagproof.pipeline.recordings.layout import Rows, Rules, row_of
from swagproof.pipeline.recordings.reduce import Prefix, Row
from swagproof.pipeline.recordings.storage import check_schema, is_json, raw_row, rows_in, rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

VERDICTS: Final = (
    "trace string, outcome string not null, problem string, detail string, seq bigint, op string, expected string, "
    "got string, operations bigint not null, queries bigint not null, largest_window bigint not null, "
    "rows bigint not null, repeated bigint not null, bad bigint not null"
)
QUARANTINE: Final = (
    "file string not null, trace string, seq bigint, problem string not null, detail string not null, "
    "row string not null"
)
READ: Final = "trace string, seq bigint, line binary"
"""Columns of JSON lines before they are judged; `trace` and `seq` group and sort them."""

VERDICTS_AT_ONCE: Final = 4_096
"""Verdicts per batch."""


@cache
def _domain(monoid: str) -> Domain:
    return load_monoid(monoid)


@dataclass(frozen=True)
class Reader:
    """The conversion of a batch to rows, on the driver and in workers; it has plain fields, so that it can be sent."""

    window: str
    monoid: str
    lines: bool
    """True if the recording is in JSON lines."""

    @property
    def domain(self) -> Domain:
        """Return the domain of the monoid."""
        return _domain(self.monoid)

    @property
    def rules(self) -> Rules:
        """Return the conditions on a row."""
        return Rules.of(self.domain, WINDOWS[self.window])

    def rows(self, batch: Any) -> tuple[list[Any], Rows, Callable[[int], str]]:
        """Return the traces, the marked rows, and a function that gives each row as it is in the file."""
        if self.lines:
            lines: list[bytes] = batch.column(batch.schema.names.index("line")).to_pylist()
            places, traces, rows = rows_in(lines, (self.window, self.monoid))

            def raw(at: int) -> str:
                return lines[places[at]].decode("utf-8", "backslashreplace")
        else:
            traces, rows = rows_of(batch)
            raw = partial(raw_row, batch)
        self.rules.mark(rows)
        return traces, rows, raw

    def read_lines(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield lines, each with the trace and the number in it."""
        of = self.window, self.monoid
        for batch in batches:
            read = ((line, row_of(line, of)) for line in batch.column(0).to_pylist())
            yield make_batch(READ, [(found[0], found[1][0], line) for line, found in read if found is not None])

    def judge_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield the verdicts on rows sorted by trace and number."""
        rows = (self.rows(batch)[:2] for batch in batches)
        judged = judge_ordered(rows, self.domain, WINDOWS[self.window])
        while done := list(islice(judged, VERDICTS_AT_ONCE)):
            yield verdict_batch(done)

    def find_flawed(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield the rows that cannot be judged."""
        for batch in batches:
            traces, rows, raw = self.rows(batch)
            files = batch.column(batch.schema.names.index("file")).to_pylist()
            flaws = sorted(rows.flaws.items())
            yield make_batch(QUARANTINE, [(files[at], traces[at], rows.seq[at], *flaw, raw(at)) for at, flaw in flaws])


def verdict_batch(done: Sequence[Judged]) -> Any:
    """Return verdicts as an Arrow batch, with the columns of `VERDICTS`."""
    return make_batch(VERDICTS, done)


@dataclass(frozen=True)
class Recordings:
    """Recordings read by Spark: all in JSON lines, or all in Parquet."""

    spark: "SparkSession"
    paths: tuple[str, ...]
    reader: Reader
    only: str | None = None
    """The one trace to judge; None for all."""

    def rows(self, file: bool = False) -> "DataFrame":
        """Return the rows, with files if wanted.  Raises InputError if a column is missing or has a wrong type."""
        from pyspark.errors import PySparkException
        from pyspark.sql.functions import col
        from pyspark.sql.pandas.types import to_arrow_schema

        named = [col("_metadata.file_path").alias("file")] if file else []
        try:
            if self.reader.lines:
                text = self.spark.read.text(list(self.paths)).select(col("value").cast("binary").alias("line"), *named)
                if file:
                    return text
                rows = text.mapInArrow(in_worker(self.reader.read_lines), READ)
            else:
                read = self.spark.read.parquet(*self.paths)
                columns = check_schema(to_arrow_schema(read.schema), self.reader.rules, self.paths[0])
                rows = read.select(*columns, *named)
        except PySparkException as error:
            raise InputError(f"{self.paths[0]}: {str(error).strip().splitlines()[0]}") from None
        return rows if self.only is None else rows.where(col("trace") == self.only)

    def verdicts(self) -> "DataFrame":
        """Return one row per trace, as in `VERDICTS`."""
        gathered = self.rows().repartition("trace").sortWithinPartitions("trace", "seq")
        return gathered.mapInArrow(in_worker(self.reader.judge_rows), VERDICTS)

    def quarantine(self) -> "DataFrame":
        """Return one row for each row that cannot be judged, as in `QUARANTINE`."""
        rejected = self.rows(file=True).mapInArrow(self.reader.find_flawed, QUARANTINE)
        return rejected if self.only is None else rejected.where(rejected["trace"] == self.only)

    @property
    def prefix(self) -> Prefix:
        """Return a function that reads the beginning of a trace, and brings it to the driver as a whole."""
        from pyspark.sql.functions import col

        def prefix(trace: str, last: int) -> Iterator[Row]:
            some = self.rows().where((col("trace") == trace) & (col("seq") <= last))
            ordered = some.repartition(1).sortWithinPartitions("seq").toArrow()
            return arrange_rows(self.reader.rows(batch)[1] for batch in ordered.to_batches())

        return prefix


def collect_verdicts(verdicts: "DataFrame") -> Iterator[Judged]:
    """Yield the verdicts, one partition after the other."""
    return (Judged(*row) for row in verdicts.toLocalIterator())


def sources(paths: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Return the paths, and whether they hold JSON lines.  Raises InputError if only some do."""
    kinds = {is_json(path) for path in paths}
    if len(kinds) > 1:
        raise InputError("on Spark, give either JSON lines or Parquet, not both")
    for path in paths:
        if not is_remote(path) and Path(path).name[0] in "._":
            raise InputError(f"{path}: Spark ignores names that begin with . or _: rename it, or leave --spark out")
    return tuple(map(spell_path, paths)), kinds.pop()
