"""The two tables of an audit in one process: read by Arrow, packed by key into temporary files, compared part by part.

Memory holds one part, some hundred thousand rows, or a single larger key; but with a watermark, which depends on all
events, these are held once to compute it.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa

from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.exchange import (
    GATHERED,
    Taking,
    make_packer,
    make_unpacker,
    number_of,
    open_packed,
    unpack,
)
from swagproof.pipeline.audit.backends.holder import Holder, Rows
from swagproof.pipeline.audit.compare import FOUND, JUDGED
from swagproof.pipeline.audit.policy import Policy, follow_events
from swagproof.pipeline.audit.reading.converting import Reading
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.tables import Mapped, Table
from swagproof.pipeline.batches import Batch, Each, make_batch

_CODED: Final = pa.dictionary(pa.int32(), pa.string())

PARTS_AT_ONCE: Final = 64
"""Packed stretches that are opened together; their content is read in turn."""


class Local(Holder):
    """The two tables, and the findings, in one process."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._packed: tuple[list[Any], list[Any]] = ([], [])
        """The packed rows of the results and of the events, in the form of `PACKED`."""
        self._parts = 1
        self._aside: TemporaryDirectory[str] | None = None
        """The directory of the parts, if there is more than one."""
        self._job: Job | None = None

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        source = self._sources[where.option] = Source(where, asked)
        return source.schema

    def _map(self, reading: Reading, columns: Collection[str], each: Each, out: str) -> Rows:
        source = self._sources[reading.where.option]
        return Rows(lambda: each(source.read(columns)), make_batch(out, []).schema)

    def _mark(self, job: Job) -> int | None:
        self._job = job
        self._parts = sum(source.count_rows() for source in self._sources.values()) // GATHERED + 1
        if self._parts > 1:
            self._aside = TemporaryDirectory(prefix="swagproof-")
        if not job.policy.has_watermark:
            self._pack(job, 1, self._read(job.events), job.events)
            return None
        taking = Taking(job.events, 1)
        kept = [job.events.take_nothing(), *taking.take(self._read(job.events))]
        self._packed[1].append(taking.count())
        events, final = _mark(pa.Table.from_batches(kept).unify_dictionaries().combine_chunks(), job.policy)
        self._pack(job, 1, iter(events.to_batches(GATHERED)))
        return final

    def _read(self, reading: Reading) -> Iterator[Batch]:
        return self._sources[reading.where.option].read(reading.needed)

    def _pack(self, job: Job, side: int, batches: Iterator[Batch], reading: Reading | None = None) -> None:
        shared = None if self._aside is None else Path(self._aside.name)
        self._packed[side].extend(make_packer(job, side, self._parts, shared, reading)(batches))

    def _find(self, job: Job, final: int | None, delay: int | None) -> Rows:
        self._pack(job, 0, self._read(job.results), job.results)
        packed = pa.Table.from_batches([*self._packed[0], *self._packed[1]]).sort_by("part")
        nothing = make_batch(FOUND, [])
        made = make_unpacker(job, final, delay)(packed.to_batches(PARTS_AT_ONCE))
        found = pa.Table.from_batches([nothing, *made]).combine_chunks()
        return Rows(lambda: found.to_batches(JUDGED), nothing.schema)

    def good(self, side: int, keys: Sequence[str] | None) -> Rows:
        assert self._job is not None
        job = self._job
        parts = None if keys is None else {number_of(key) % self._parts for key in keys}
        packed = (row for batch in self._packed[side] for row in batch.to_pylist())
        mine = [row for row in packed if row["n"] is None and (parts is None or row["part"] in parts)]
        table = unpack([batch for row in mine for batch in open_packed(row)], job, side)
        return Rows(table.to_batches, table.schema).among("key", keys)

    def close(self) -> None:
        for packed in self._packed:
            packed.clear()
        if self._aside is not None:
            self._aside.cleanup()


def _mark(events: Any, policy: Policy) -> tuple[Any, int | None]:
    """Return the events with the watermark at their arrival; and the final watermark."""
    times = events["time"].to_numpy()
    clock, of_upstreams = "clock" in events.column_names, "upstream" in events.column_names
    if policy.given == "column":
        final = int(events["watermark"].to_numpy().max()) if len(times) else None
    else:
        clocks = events["clock" if clock else "arrival"].to_numpy()
        upstreams = events["upstream"].to_pylist() if of_upstreams else None
        (keys,) = (chunk.indices.to_numpy() for chunk in events["key"].chunks or [pa.array([], _CODED)])
        marked = follow_events(policy, times, clocks, keys, upstreams)
        for name, column in marked.columns.items():
            events = events.append_column(name, pa.array(column, pa.int64()))
        final = marked.final
    return events.drop_columns(["clock"] * clock + ["upstream"] * of_upstreams), final
