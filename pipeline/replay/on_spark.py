"""Replaying recorded traces on Spark: the judge of `swagproof.oracle.recordings.judging`, a trace a time, in parallel.

The rows are brought together by trace and sorted by their number, on disk where memory does not suffice; the judge then
meets them batch by batch, in Arrow's form, and cuts one trace from the next itself.  So a trace of any length takes the
memory of its window and of one batch, and no trace is judged in halves, however its rows were spread over files.  There
is no pandas in between, which would make floats of nullable integers.

Verdicts are those of the local judge, with one difference: sorted rows are never late, so that a row that comes twice
can always be compared, and a gap is seen at once.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.recordings.judging import Judge, Judged, Sequencer
from swagproof.oracle.recordings.layout import Rows, Rules, by_trace, line_of, row_of
from swagproof.oracle.recordings.reduce import Prefix, Row
from swagproof.oracle.recordings.storage import check_schema, is_json, raw_row, rows_in, rows_of
from swagproof.oracle.recordings.summary import LISTED, WORST, Summary
from swagproof.oracle.subject import load_monoid
from swagproof.oracle.trace import InputError
from swagproof.oracle.window import WINDOWS
from swagproof.pipeline.batches import make_batch
from swagproof.pipeline.replay.schema import LINES, ORDERED, QUARANTINE, VERDICTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

VERDICTS_AT_ONCE: Final = 4_096
"""Verdicts that are sent on together."""


@cache
def _domain(monoid: str) -> Domain:
    return load_monoid(monoid)


@dataclass(frozen=True)
class Reader:
    """How a batch becomes rows, the same on the driver and in a worker; plain fields, so that it can be sent."""

    window: str
    monoid: str
    lines: bool
    """Whether the recording is in JSON lines."""

    @property
    def domain(self) -> Domain:
        """What is judged over."""
        return _domain(self.monoid)

    @property
    def rules(self) -> Rules:
        """What a row must be."""
        return Rules.of(self.domain, WINDOWS[self.window])

    def rows(self, batch: Any) -> tuple[list[Any], Rows, Callable[[int], str]]:
        """Traces, marked rows, and each row as it stands in the file."""
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

    def key_lines(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Lines, each with the trace and the number that it says it has."""
        of = self.window, self.monoid
        for batch in batches:
            kept = list[tuple[Any, Any, bytes]]()
            for line in batch.column(0).to_pylist():
                read = row_of(line, of)
                if read is not None:
                    kept.append((read[0], read[1][0], line))
            yield make_batch(LINES, kept)

    def judge_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The verdicts on traces that come one after the other, each in its order."""
        done: list[Judged] = []
        judge: Judge | None = None
        now: Any = None
        for batch in batches:
            traces, rows, _ = self.rows(batch)
            for trace, some in by_trace(traces, rows):
                if judge is None or trace != now:
                    if judge is not None:
                        done.append(judge.close())
                    judge, now = Judge(trace, self.domain, WINDOWS[self.window], held=0), trace
                judge.feed(some)
            if len(done) >= VERDICTS_AT_ONCE:
                yield verdict_batch(done)
                done = []
        if judge is not None:
            done.append(judge.close())
        yield verdict_batch(done)

    def order_rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows of one trace as JSON lines, in order, each once."""
        sequencer = Sequencer(0)
        for batch in batches:
            traces, rows, _ = self.rows(batch)
            arranged = sequencer.arrange(rows)
            yield make_batch(ORDERED, [[line_of(traces[0], row)] for row in zip(*arranged.columns, strict=True)])

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
                rows = text.mapInArrow(self.reader.key_lines, LINES)
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
        gathered = self.rows().repartition("trace").sortWithinPartitions("trace", "seq")
        return gathered.mapInArrow(self.reader.judge_rows, VERDICTS)

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
        if "://" not in path:
            if Path(path).name[0] in "._":
                raise InputError(
                    f"{path}: Spark passes over names that begin with . or _: rename it, or leave --spark out"
                )
            path = re.sub(r"([\\*?\[\]{}])", r"\\\1", str(Path(path).resolve()))  # Spark would take it for a pattern
        names.append(path)
    return tuple(names), kinds.pop()


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
