"""Replaying recorded traces on Spark: the judge of one process, in parallel, with the same verdicts.

Rows are brought together by trace and sorted by Spark, on disk where memory does not suffice.  The judge meets them
batch by batch, in Arrow's form, and cuts one trace from the next itself.  So a trace of any length takes the memory of
its window and of one batch, and no trace is judged in halves, however its rows were spread over files.

`VERDICTS` is the table that `swagproof replay --out` writes in Parquet: one row a trace, and one with a null trace for
all rows that name none.  Columns and meaning are those of `swagproof.pipeline.recordings.judges.Judged`.  `QUARANTINE`
is what `--quarantine` writes: a row for each that could not be judged, with its file, its trace and number as far as it
says, why, and the row itself: the line, or the cells as JSON text.
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
"""JSON lines on their way to the judge, with enough to bring them together, and in order."""

VERDICTS_AT_ONCE: Final = 4_096
"""Verdicts that are sent on together."""


@cache
def _domain(monoid: str) -> Domain:
    return load_monoid(monoid)


@dataclass(frozen=True)
class Reader:
    """The conversion of a batch to rows, the same on the driver and in a worker; plain fields, so that it can be
    sent."""

    window: str
    monoid: str
    lines: bool
    """True if the recording is in JSON lines."""

    @property
    def domain(self) -> Domain:
        """Return what is judged over."""
        return _domain(self.monoid)

    @property
    def rules(self) -> Rules:
        """Return what a row must be."""
        return Rules.of(self.domain, WINDOWS[self.window])

    def rows(self, batch: Any) -> tuple[list[Any], Rows, Callable[[int], str]]:
        """Traces, marked rows, and each row as it stands in the file; of lines, the lines themselves."""
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
        """Lines, each with the trace and the number that it says it has."""
        of = self.window, self.monoid
        for batch in batches:
            read = ((line, row_of(line, of)) for line in batch.column(0).to_pylist())
            yield make_batch(READ, [(found[0], found[1][0], line) for line, found in read if found is not None])

    def judge_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The verdicts on rows in the order of their traces and numbers."""
        rows = (self.rows(batch)[:2] for batch in batches)
        judged = judge_ordered(rows, self.domain, WINDOWS[self.window])
        while done := list(islice(judged, VERDICTS_AT_ONCE)):
            yield verdict_batch(done)

    def find_flawed(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows that cannot be judged."""
        for batch in batches:
            traces, rows, raw = self.rows(batch)
            files = batch.column(batch.schema.names.index("file")).to_pylist()
            flaws = sorted(rows.flaws.items())
            yield make_batch(QUARANTINE, [(files[at], traces[at], rows.seq[at], *flaw, raw(at)) for at, flaw in flaws])


def verdict_batch(done: Sequence[Judged]) -> Any:
    """Verdicts as an Arrow batch, with the columns of `VERDICTS`."""
    return make_batch(VERDICTS, done)


@dataclass(frozen=True)
class Recordings:
    """Recordings as Spark reads them: all in JSON lines, or all in Parquet."""

    spark: "SparkSession"
    paths: tuple[str, ...]
    reader: Reader
    only: str | None = None
    """The one trace to look at; all where it is None."""

    def rows(self, file: bool = False) -> "DataFrame":
        """The rows, with the file of each if wanted.  Raises InputError when a column is missing or unfit."""
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
        """One row a trace, as `VERDICTS`."""
        gathered = self.rows().repartition("trace").sortWithinPartitions("trace", "seq")
        return gathered.mapInArrow(in_worker(self.reader.judge_rows), VERDICTS)

    def quarantine(self) -> "DataFrame":
        """One row for each that cannot be judged, as `QUARANTINE`."""
        rejected = self.rows(file=True).mapInArrow(self.reader.find_flawed, QUARANTINE)
        return rejected if self.only is None else rejected.where(rejected["trace"] == self.only)

    @property
    def prefix(self) -> Prefix:
        """Reads the beginning of a trace, which comes to the driver as a whole."""
        from pyspark.sql.functions import col

        def prefix(trace: str, last: int) -> Iterator[Row]:
            some = self.rows().where((col("trace") == trace) & (col("seq") <= last))
            ordered = some.repartition(1).sortWithinPartitions("seq").toArrow()
            return arrange_rows(self.reader.rows(batch)[1] for batch in ordered.to_batches())

        return prefix


def collect_verdicts(verdicts: "DataFrame") -> Iterator[Judged]:
    """The verdicts, of one partition after the other."""
    return (Judged(*row) for row in verdicts.toLocalIterator())


def sources(paths: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The paths, and whether they hold JSON lines.  Raises InputError where some do and some do not."""
    kinds = {is_json(path) for path in paths}
    if len(kinds) > 1:
        raise InputError("on Spark, give either JSON lines or Parquet, not both")
    for path in paths:
        if not is_remote(path) and Path(path).name[0] in "._":
            raise InputError(f"{path}: Spark ignores names that begin with . or _: rename it, or leave --spark out")
    return tuple(map(spell_path, paths)), kinds.pop()
