"""Replaying recorded traces on Spark: the judge of `swagproof.pipeline.recordings`, in parallel.

Most recordings stand trace by trace, in order: then each worker reads its part of the files itself and judges it, which
costs what one process takes, and no row passes through the JVM (`swagproof.pipeline.recordings.splits`).  What does not
stand so is brought together by trace and sorted by Spark, on disk where memory does not suffice, by one packed number
in place of the trace and the row's: Spark sorts machine integers by their digits.  The judge meets the rows batch by
batch, in Arrow's form, and cuts one trace from the next itself.  So a trace of any length takes the memory of its
window and of one batch, and no trace is judged in halves, however its rows were spread over files.  There is no pandas
in between, which would make floats of nullable integers.

Verdicts are those of one process, to the last count.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.subject import load_monoid
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import WINDOWS
from swagproof.pipeline import is_remote, spell_path
from swagproof.pipeline.batches import in_worker, make_batch
from swagproof.pipeline.recordings.judges import Judged, Sequencer
from swagproof.pipeline.recordings.layout import Rows, Rules, line_of, row_of
from swagproof.pipeline.recordings.ordering import BITS, GROUPS, judge_ordered
from swagproof.pipeline.recordings.reduce import Prefix, Row
from swagproof.pipeline.recordings.splits import Part, cut, judge_part, look_ordered
from swagproof.pipeline.recordings.storage import check_schema, is_json, raw_row, rows_in, rows_of
from swagproof.pipeline.recordings.summary import LISTED, WORST, Summary
from swagproof.pipeline.replay.schema import ORDERED, QUARANTINE, READ, VERDICTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

UNSORTED: Final = "unsorted"
"""The problem of a trace that has no verdict until its rows are in order."""

_NOTHING: Final = (None, None, None, None, None)

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

            def raw(at: int) -> str:
                return raw_row(batch, at)

        self.rules.mark(rows)
        return traces, rows, raw

    def read_lines(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Lines, each with the trace and the number that it says it has."""
        of = self.window, self.monoid
        for batch in batches:
            read = ((line, row_of(line, of)) for line in batch.column(0).to_pylist())
            yield make_batch(READ, [(found[0], found[1][0], line) for line, found in read if found is not None])

    def judge_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The verdicts on rows in the order of their packed numbers."""

        def read() -> Iterator[tuple[Sequence[Any], Rows, Any]]:
            for batch in batches:
                traces, rows, _ = self.rows(batch)
                yield traces, rows, batch.column(batch.schema.names.index("packed"))

        yield from _verdict_batches(judge_ordered(read(), self.domain, WINDOWS[self.window]))

    def judge_parts(self, parts: Sequence[Part], only: str | None, batches: Iterator[Any]) -> Iterator[Any]:
        """The verdicts on parts, by their numbers; a trace without one is said to be `UNSORTED`."""
        for batch in batches:
            for at in batch.column(0).to_pylist():
                standing = judge_part(parts, at, self.domain, WINDOWS[self.window], only)
                unsorted = (Judged(name, "unknown", UNSORTED, *_NOTHING) for name in standing.unsorted)
                yield from _verdict_batches(chain(standing.close(), unsorted))

    def order_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows of one trace as JSON lines, in order, each once."""
        trace = ""
        sequencer = Sequencer(ordered=True)
        for batch in batches:
            traces, rows, _ = self.rows(batch)
            trace = traces[0]
            yield _lines_batch(trace, sequencer.arrange(rows))
        yield _lines_batch(trace, sequencer.arrange(Rows(), whole=True))

    def find_flawed(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows that cannot be judged."""
        for batch in batches:
            traces, rows, raw = self.rows(batch)
            files = batch.column(batch.schema.names.index("file")).to_pylist()
            bad = [
                (files[at], traces[at], rows.seq[at], flaw.problem, flaw.detail, raw(at))
                for at, flaw in sorted(rows.flaws.items())
            ]
            yield make_batch(QUARANTINE, bad)


def _verdict_batches(judged: Iterator[Judged]) -> Iterator[Any]:
    while done := list(islice(judged, VERDICTS_AT_ONCE)):
        yield verdict_batch(done)


def _lines_batch(trace: str, rows: Rows) -> Any:
    return make_batch(ORDERED, [[line_of(trace, row)] for row in zip(*rows.columns, strict=True)])


def verdict_batch(done: Sequence[Judged]) -> Any:
    """Verdicts as an Arrow batch, with the columns of `swagproof.pipeline.replay.schema.VERDICTS`."""
    return make_batch(VERDICTS, done)


@dataclass(frozen=True)
class Recordings:
    """Recordings as Spark reads them: all in JSON lines, or all in Parquet."""

    spark: "SparkSession"
    paths: tuple[str, ...]
    reader: Reader
    only: str | None = None
    """The one trace to look at; all where it is None."""
    local: tuple[Path, ...] = ()
    """The same paths as this machine has them, for workers to read; nothing where it has not."""

    def rows(self, file: bool = False) -> "DataFrame":
        """The rows, with the file of each if wanted.  Raises InputError when a column is missing or unfit."""
        from pyspark.errors import PySparkException
        from pyspark.sql.functions import col

        named = [col("_metadata.file_path").alias("file")] if file else []
        try:
            if self.reader.lines:
                text = self.spark.read.text(list(self.paths)).select(col("value").cast("binary").alias("line"), *named)
                if file:
                    return text
                rows = text.mapInArrow(in_worker(self.reader.read_lines), READ)
            else:
                read = self.spark.read.parquet(*self.paths)
                rows = read.select(*self._columns(read), *named)
        except PySparkException as error:
            raise InputError(f"{self.paths[0]}: {_first_line(error)}") from None
        return rows if self.only is None else rows.where(col("trace") == self.only)

    def _columns(self, read: "DataFrame") -> list[str]:
        from pyspark.sql.pandas.types import to_arrow_schema

        return check_schema(to_arrow_schema(read.schema), self.reader.rules, self.paths[0])

    def verdicts(self) -> "DataFrame":
        """One row a trace, as `swagproof.pipeline.replay.schema.VERDICTS`."""
        from pyspark import StorageLevel
        from pyspark.sql import functions as f

        parts = self._parts()
        if not parts:
            return self._judge_sorted(self.rows())
        numbers = self.spark.range(len(parts), numPartitions=len(parts))
        judge = partial(self.reader.judge_parts, parts, self.only)
        judged = numbers.mapInArrow(in_worker(judge), VERDICTS).persist(StorageLevel.DISK_ONLY)
        runs = judged.groupBy("trace").agg(f.count("*").alias("runs"), f.max(f.col("problem") == UNSORTED).alias("un"))
        again = runs.where("runs > 1 or un").select(f.col("trace").alias("again")).persist(StorageLevel.DISK_ONLY)
        if again.isEmpty():
            return judged
        names, same = f.broadcast(again), f.col("trace").eqNullSafe(f.col("again"))
        rest = self._judge_sorted(self.rows().join(names, same, "left_semi"))
        return judged.join(names, same, "left_anti").unionByName(rest)

    def _parts(self) -> list[Part]:
        """Return what workers can read and judge by themselves; nothing where the files are elsewhere, or the rows
        mixed."""
        context = self.spark.sparkContext
        if not str(context.master).startswith("local") or not self.local:
            return []
        parts = cut(self.local, 4 * context.defaultParallelism)
        enough = len(parts) >= context.defaultParallelism
        return parts if enough and look_ordered(parts, self.reader.rules) else []

    def _judge_sorted(self, rows: "DataFrame") -> "DataFrame":
        from pyspark.sql import functions as f

        number = f.greatest(f.least(f.coalesce("seq", f.lit(0)), f.lit((1 << BITS) - 1)), f.lit(0)).cast("bigint")
        group = f.shiftleft(f.xxhash64("trace").bitwiseAND(f.lit(GROUPS - 1)), BITS)
        payload = ["line"] if self.reader.lines else rows.columns
        packed = rows.select(*payload, group.bitwiseOR(number).alias("packed"))
        gathered = packed.repartition(f.shiftright("packed", BITS)).sortWithinPartitions("packed")
        return gathered.mapInArrow(in_worker(self.reader.judge_rows), VERDICTS)

    def quarantine(self) -> "DataFrame":
        """One row for each that cannot be judged, as `swagproof.pipeline.replay.schema.QUARANTINE`."""
        rejected = self.rows(file=True).mapInArrow(self.reader.find_flawed, QUARANTINE)
        return rejected if self.only is None else rejected.where(rejected["trace"] == self.only)

    @property
    def prefix(self) -> Prefix:
        """Reads the beginning of a trace; it comes to the driver a partition at a time."""
        from pyspark.sql.functions import col

        def prefix(trace: str, last: int) -> Iterator[Row]:
            some = self.rows().where((col("trace") == trace) & (col("seq") <= last))
            ordered = some.repartition(1).sortWithinPartitions("seq").mapInArrow(self.reader.order_rows, ORDERED)
            for row in ordered.toLocalIterator():
                read = row_of(row.line)
                assert read is not None
                yield read[1]

        return prefix


def summary_of(verdicts: "DataFrame") -> Summary:
    """The verdicts added up, by Spark; only those that a report lists come to the driver."""
    from pyspark.sql import functions as f

    summary = Summary()
    sums = [f.sum(name) for name in ("operations", "queries", "rows", "repeated", "bad")]
    groups = verdicts.groupBy(f.col("trace").isNotNull(), "outcome", "problem")
    for named, outcome, problem, count, largest, *added in groups.agg(
        f.count("*"), f.max("largest_window"), *sums
    ).collect():
        summary.outcomes[outcome] += count if named else 0
        if problem is not None:
            summary.problems[problem] += count
        operations, queries, rows, repeated, bad = added
        summary.operations += operations
        summary.queries += queries
        summary.rows += rows
        summary.repeated += repeated
        summary.bad += bad
        summary.largest_window = max(summary.largest_window, largest)
    worst = f.array_position(f.array(*map(f.lit, WORST)), f.col("outcome"))
    failing = verdicts.where(f.col("outcome") != "conforms").orderBy(worst, "operations", "trace").limit(LISTED)
    summary.failing = [Judged(*row) for row in failing.collect()]
    return summary


def sources(paths: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The paths, and whether they hold JSON lines.  Raises InputError where some do and some do not."""
    kinds = {is_json(path) for path in paths}
    if len(kinds) > 1:
        raise InputError("on Spark, give either JSON lines or Parquet, not both")
    names: list[str] = []
    for path in paths:
        if not is_remote(path):
            if Path(path).name[0] in "._":
                raise InputError(f"{path}: Spark ignores names that begin with . or _: rename it, or leave --spark out")
        names.append(spell_path(path))
    return tuple(names), kinds.pop()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
