"""The two tables of an audit and its findings, in this process (`backends.local`), or on Spark (`backends.cluster`).

Operations on many rows are defined here, once.  The two subclasses differ in the iteration over rows (`Rows`), in the
readers, and in the grouping of rows by key.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet

from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.exchange import SUMS, Compared, add_up
from swagproof.pipeline.audit.findings import FINDING
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.policy import Policy
from swagproof.pipeline.audit.reading.cells import compute
from swagproof.pipeline.audit.reading.converting import Reading
from swagproof.pipeline.audit.tables import FILE, Mapped, Table
from swagproof.pipeline.batches import Batch, Each, arrow_type, make_batch

Tell = Callable[[list[dict[str, Any]]], Batch]
"""A function that makes rows of the report from findings."""

_TEXT: Final = pa.string()

_BAD: Final = "table string, reason string, file string, row string"

_TYPES: Final = {
    "time": "bigint", "arrival": "bigint", "clock": "bigint", "watermark": "bigint", "a": "bigint", "b": "bigint",
    "number": "double", "version": "bigint", "retraction": "boolean",
}  # fmt: skip
_VALUES: Final = {"int": "bigint", "time": "bigint", "float": "double", "bool": "boolean"}


class Rows:
    """Rows that are read on demand; in this class, by this process."""

    def __init__(self, read: Callable[[], Iterable[Batch]], schema: Any) -> None:
        self._read, self._schema = read, schema
        """A function that returns the batches, callable repeatedly; and their schema."""

    def map(self, each: Each, columns: str) -> "Rows":
        """Return the rows mapped by `each`, with these columns."""
        return Rows(lambda: each(iter(self._read())), make_batch(columns, []).schema)

    def _filter(self, choose: Callable[[Batch], Any]) -> "Rows":
        return Rows(lambda: (batch.filter(choose(batch)) for batch in self._read()), self._schema)

    def among(self, name: str, values: Collection[str] | None) -> "Rows":
        """Return the rows that have one of these texts in a column; None for all."""
        if values is None:
            return self
        chosen = pa.array([*values], _TEXT)
        return self._filter(lambda batch: compute.is_in(batch.column(name).cast(_TEXT), value_set=chosen))

    def before(self, time: int | None) -> "Rows":
        """Return the rows with an earlier time; None for all."""
        return self if time is None else self._filter(lambda batch: compute.less(batch.column("time"), time))

    def join(self, more: "Rows") -> "Rows":
        """Return these rows, followed by others with the same columns."""
        return Rows(lambda: chain(self._read(), more._read()), self._schema)

    def take(self, most: int | None = None, *, by: str | None = None) -> Any:
        """Return the rows as an Arrow table whose keys are text: all, or the `most` least by a column."""
        batches: list[Batch] = []
        n = 0
        for batch in self._read():
            batches.append(batch)
            n += batch.num_rows
            if by is None and most is not None and n >= most:
                break
        table = pa.Table.from_batches(batches, self._schema)
        table = (table if by is None else table.sort_by(by)).slice(0, most)
        at = table.schema.get_field_index("key")
        return table if at < 0 else table.set_column(at, "key", table.column(at).cast(_TEXT))

    def keep(self) -> Callable[[], Any]:
        """Return a function that returns all rows as an Arrow table at any time."""
        return self.take

    def write(self, folder: str, format_: Literal["parquet", "json"]) -> None:
        """Write the rows to a new folder."""
        Path(folder).mkdir(parents=True)
        if format_ == "parquet":
            with pyarrow.parquet.ParquetWriter(Path(folder) / "findings.parquet", self._schema) as writer:
                for batch in self._read():
                    writer.write_batch(batch)
            return
        with (Path(folder) / "rows.json").open("w", encoding="utf-8") as file:
            for row in (row for batch in self._read() for row in batch.to_pylist()):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


class Holder(ABC):
    """The holder of the two tables and of the findings."""

    _found: Rows
    """All rows of the comparison, in the form of `FOUND`."""
    _compared: Compared

    @abstractmethod
    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """Return the Arrow schema of a table, given the requested columns."""

    @abstractmethod
    def _map(self, reading: Reading, columns: Collection[str], each: Each, out: str) -> Rows:
        """Map all unconverted rows of a table by `each`, with only these columns, of which FILE may be one."""

    @abstractmethod
    def _mark(self, job: Job) -> int | None:
        """Compute the watermark at each event's arrival; return the final one, or None if it is per key."""

    @abstractmethod
    def _find(self, job: Job, final: int | None, delay: int | None) -> Rows:
        """Bring both tables together by key, and compare them; see `swagproof.pipeline.audit.compare`."""

    @abstractmethod
    def good(self, side: int, keys: Sequence[str] | None) -> Rows:
        """Return the good results (side 0) or events (side 1) of these keys, or of all, as compared."""

    @abstractmethod
    def close(self) -> None:
        """Release the tables."""

    def _convert(self, reading: Reading, job: Job) -> Rows:
        """Return the good rows of a table."""
        kinds = _TYPES | {f"v{i}": _VALUES.get(kind, "string") for i, kind in enumerate(job.plan.kinds)}
        out = ", ".join(f"{name} {kinds.get(name, 'string')}" for name in reading.names if name != "no_value")
        return self._map(reading, reading.needed, partial(_convert, reading, out), out)

    def list_keys(self, job: Job) -> set[str]:
        """Return all keys of good events and results."""
        both = [self._convert(reading, job).map(_list_keys, "key string") for reading in (job.events, job.results)]
        return {*both[0].join(both[1]).take()["key"].to_pylist()}

    def compare(self, job: Job) -> Compared:
        """Compare the expected results with the actual ones."""
        self._found = self._find(job, *_find_end(job.policy, self._mark(job)))
        self._compared = add_up(self.found(*SUMS).take().to_pylist())
        return self._compared

    def found(self, *kinds: str) -> Rows:
        """Return the rows of these kinds from the comparison."""
        return self._found.among("kind", kinds)

    def beside(self, job: Job, keys: Sequence[str] | None) -> Rows:
        """Return the good events of these keys, or of all, with their other columns, read again."""
        return self._convert(job.beside, job).among("key", keys)

    def told(self, tell: Tell) -> Rows:
        """Return the findings in the form of the report."""

        def each(batches: Iterator[Batch]) -> Iterator[Batch]:
            return (tell(batch.to_pylist()) for batch in batches)

        return self.found(*FINDING_KINDS).map(each, FINDING)

    def bad(self, job: Job) -> Rows:
        """Return the unusable rows: table, reason, file, row."""
        rows = self.found("bad").map(_tell_bad_events, _BAD)
        for reading, about in ((job.events, self._compared.events), (job.results, self._compared.results)):
            if about.bad:
                columns = [*reading.schema.names, FILE]
                rows = rows.join(self._map(reading, columns, partial(_find_bad, reading), _BAD))
        return rows


def _find_end(policy: Policy, final: int | None) -> tuple[int | None, int | None]:
    """Return the final watermark, after which windows are open; or the delay of each key's own watermark."""
    if not policy.has_watermark or policy.complete:
        return None, None
    return (None, policy.watermark.delay) if policy.per_key and policy.watermark is not None else (final, None)


def _convert(reading: Reading, columns: str, batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the good rows of unconverted rows."""
    schema = pa.schema([(name, arrow_type(kind)) for name, kind in map(str.split, columns.split(", "))])
    for batch in batches:
        good, _, _ = reading.take_good(batch)
        yield pa.RecordBatch.from_arrays([good.column(one.name).cast(one.type) for one in schema], schema=schema)


def _list_keys(batches: Iterator[Batch]) -> Iterator[Batch]:
    keys = {key for batch in batches for key in compute.unique(batch.column("key")).to_pylist()}
    yield make_batch("key string", [(key,) for key in keys])


def _find_bad(reading: Reading, batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the bad rows of unconverted rows, with their files."""
    table = reading.where.option[2:]
    for batch in batches:
        files = batch.column(FILE)
        _, rows = reading.convert(batch.drop_columns([FILE]))
        found = [(table, why, files[i].as_py(), rows.as_it_was(i)) for i, why in sorted(rows.why.items())]
        yield make_batch(_BAD, found)


def _tell_bad_events(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the events that the aggregation rejects."""
    for batch in batches:
        rows = [
            ("events", row["bad"], None, json.dumps({"key": row["key"], "time": row["a"], "arrival": row["b"]}))
            for row in batch.to_pylist()
        ]
        yield make_batch(_BAD, rows)
