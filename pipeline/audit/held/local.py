"""The two tables of an audit in one process: read by Arrow, packed by key into files aside, compared part by part.

For what is too small to pay for a start of Spark.  What is read from a row, what is bad, what goes together and what is
right is said once, for this and for Spark's workers: `swagproof.pipeline.audit.converting`, `audit.held.exchange`,
`audit.compare`.  So memory is that of one part, some hundred thousand rows, or of the key that has more; but where
there is a watermark, which is of all events, they are held once to find it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from swagproof.pipeline.audit.asked.audit_job import Job
from swagproof.pipeline.audit.asked.holder import About, Compared, Holder
from swagproof.pipeline.audit.cells import compute
from swagproof.pipeline.audit.compare import FOUND
from swagproof.pipeline.audit.converting import Reading
from swagproof.pipeline.audit.held.exchange import (
    GATHERED,
    SUMS,
    add_up,
    make_packer,
    make_unpacker,
    number_of,
    open_packed,
    unpack,
)
from swagproof.pipeline.audit.held.pairing import JUDGED, codes_of
from swagproof.pipeline.audit.held.sources import Source
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.policy import Policy, follow_events
from swagproof.pipeline.audit.tables import Mapped, Table
from swagproof.pipeline.batches import Batch, make_batch

_TEXT: Final = pa.string()

PARTS_AT_ONCE: Final = 64
"""Packed stretches that are looked at together; what is in them is not read before its turn."""


class Local(Holder):
    """The two tables, and what is found, in one process."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._about: dict[str, About] = {}
        self._packed: tuple[list[Any], list[Any]] = ([], [])
        """The packed rows of the results and of the events, in the form of `PACKED`."""
        self._parts = 1
        self._aside: TemporaryDirectory[str] | None = None
        """The directory of the parts, if there is more than one."""
        self._job: Job | None = None
        self._found: Any = None

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""
        source = self._sources[where.option] = Source(where, asked)
        return source.schema

    def _read(self, reading: Reading) -> Iterator[Batch]:
        """The rows of a table, as they are."""
        return (batch for _, batch in self._sources[reading.where.option].read(reading.needed))

    def list_keys(self, job: Job) -> set[str]:
        """All keys, of good events and results."""
        batches = (
            reading.take_good(batch)[0] for reading in (job.events, job.results) for batch in self._read(reading)
        )
        return {key for batch in batches for key in compute.unique(batch.column("key")).to_pylist()}

    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""
        self._job = job
        self._parts = sum(source.count_rows() for source in self._sources.values()) // GATHERED + 1
        if self._parts > 1:
            self._aside = TemporaryDirectory(prefix="swagproof-")
        if not job.policy.has_watermark:
            self._pack(job, 1, self._read(job.events), job.events)
            return None
        rows = bad = skipped = 0
        kept = [job.events.take_good(pa.RecordBatch.from_pylist([], schema=job.events.schema))[0]]
        for batch in self._read(job.events):
            good, refused, empty = job.events.take_good(batch)
            rows, bad, skipped = rows + batch.num_rows, bad + refused, skipped + empty
            kept.append(good)
        self._about["--events"] = About(rows, bad, skipped)
        events, final = _mark(pa.Table.from_batches(kept).unify_dictionaries().combine_chunks(), job.policy)
        self._pack(job, 1, iter(events.to_batches(GATHERED)))
        return final

    def _pack(self, job: Job, side: int, batches: Iterator[Batch], reading: Reading | None = None) -> None:
        shared = None if self._aside is None else Path(self._aside.name)
        self._packed[side].extend(make_packer(job, side, self._parts, shared, reading)(batches))

    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""
        self._pack(job, 0, self._read(job.results), job.results)
        packed = pa.Table.from_batches([*self._packed[0], *self._packed[1]]).sort_by("part")
        nothing = [make_batch(FOUND, [])]
        rows = pa.Table.from_batches([*nothing, *make_unpacker(job, final, delay)(packed.to_batches(PARTS_AT_ONCE))])
        told = compute.is_in(rows["kind"], value_set=pa.array(SUMS))
        self._found = rows.filter(compute.invert(told))
        compared, tables = add_up(rows.filter(told).to_pylist())
        self._about |= tables
        return compared

    def _take(self, side: int, keys: Sequence[str] | None) -> Any:
        """The good rows of a table, of these keys or of all; their keys are a dictionary."""
        assert self._job is not None
        parts = None if keys is None else {number_of(key) % self._parts for key in keys}
        packed = (row for batch in self._packed[side] for row in batch.to_pylist())
        mine = [row for row in packed if row["n"] is None and (parts is None or row["part"] in parts)]
        return _of_keys(unpack([batch for row in mine for batch in open_packed(row)], self._job, side), keys)

    def count(self) -> tuple[About, About]:
        """Return how many events and results there are."""
        return self._about["--events"], self._about["--results"]

    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""
        (row,) = self._of_kind(kind).slice(0, 1).to_pylist()
        return dict(row)

    def _of_kind(self, *kinds: str) -> Any:
        return self._found.filter(compute.is_in(self._found["kind"], value_set=pa.array(kinds)))

    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""
        sizes = self._of_kind("size")
        fewest = nsmallest(most, zip(sizes["n"].to_pylist(), sizes["key"].to_pylist(), strict=True))
        return [(key, n) for n, key in fewest]

    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """Return what was found, of these keys or of all."""
        found = self._found.filter(compute.not_equal(self._found["kind"], "size"))
        return list(_of_keys(found, keys).to_pylist())

    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""
        times = np.sort(self._take(1, keys)["time"].to_numpy())
        return int(times[min(n, len(times)) - 1]) if len(times) else None

    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""
        events = self._take(1, keys)
        if before is not None:
            events = events.filter(compute.less(events["time"], before))
        return events.set_column(0, "key", events["key"].cast(_TEXT))

    def take_beside(self, job: Job, keys: Sequence[str] | None) -> Any:
        """The good events of these keys, or of all, with their other columns, read again, as an Arrow table."""
        empty = pa.RecordBatch.from_pylist([], schema=job.beside.schema)
        good = (job.beside.take_good(batch)[0] for batch in chain((empty,), self._read(job.beside)))
        return pa.Table.from_batches([_of_keys(batch, keys) for batch in good])

    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""
        return list(self._take(0, keys).to_pylist())

    def keep_found(self, tell: Callable[[list[dict[str, Any]]], Batch]) -> Callable[[], Any]:
        """Return what makes an Arrow table of what is told of the findings, whenever it is called."""
        found = self._of_kind(*FINDING_KINDS)
        return lambda: pa.Table.from_batches([tell([]), *(tell(it.to_pylist()) for it in found.to_batches(JUDGED))])

    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""
        found = self._of_kind(*FINDING_KINDS)
        Path(out).mkdir(parents=True)
        with pyarrow.parquet.ParquetWriter(Path(out) / "findings.parquet", tell([]).schema) as writer:
            for batch in found.to_batches(JUDGED):
                writer.write_batch(tell(batch.to_pylist()))

    def _list_bad(self, job: Job) -> Iterator[dict[str, Any]]:
        for row in self._of_kind("bad").to_pylist():
            event = {"key": row["key"], "time": row["a"], "arrival": row["b"]}
            yield {"table": "events", "reason": row["bad"], "file": None, "row": json.dumps(event)}
        for name, reading in (("events", job.events), ("results", job.results)):
            source = self._sources[reading.where.option]
            if not self._about[reading.where.option].bad:
                continue
            for path, batch in source.read(source.schema.names):
                _, rows = reading.convert(batch)
                for i, reason in sorted(rows.why.items()):
                    yield {"table": name, "reason": reason, "file": path, "row": rows.as_it_was(i)}

    def take_bad(self, job: Job, most: int) -> list[dict[str, Any]]:
        """Some of the rows that could not be used: table, reason, file, row."""
        return list(islice(self._list_bad(job), most))

    def write_bad(self, job: Job, folder: str) -> None:
        """Write all of them there, as JSON lines."""
        Path(folder).mkdir(parents=True)
        with (Path(folder) / "rows.json").open("w", encoding="utf-8") as file:
            for row in self._list_bad(job):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Let go of the tables."""
        for packed in self._packed:
            packed.clear()
        if self._aside is not None:
            self._aside.cleanup()
        self._found = None


def _mark(events: Any, policy: Policy) -> tuple[Any, int | None]:
    """Events with the watermark when each came; and where it was in the end."""
    times = events["time"].to_numpy()
    clock, of_upstreams = "clock" in events.column_names, "upstream" in events.column_names
    if policy.given == "column":
        final = int(events["watermark"].to_numpy().max()) if len(times) else None
    else:
        clocks = events["clock" if clock else "arrival"].to_numpy()
        upstreams = events["upstream"].to_pylist() if of_upstreams else None
        marked = follow_events(policy, times, clocks, codes_of(events["key"]), upstreams)
        for name, column in marked.columns.items():
            events = events.append_column(name, pa.array(column, pa.int64()))
        final = marked.final
    return events.drop_columns(["clock"] * clock + ["upstream"] * of_upstreams), final


def _of_keys(rows: Any, keys: Sequence[str] | None) -> Any:
    if keys is None:
        return rows
    named = rows["key"].cast(_TEXT) if pa.types.is_dictionary(rows["key"].type) else rows["key"]
    return rows.filter(compute.is_in(named, value_set=pa.array(keys, _TEXT)))
