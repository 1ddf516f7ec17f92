"""Rows sent to the task with their keys: packed, many of them in one cell, as an Arrow stream.

The JVM's work for a row (taking it from Python, shuffling, sorting, passing it back) costs as much as judging it, and
half of that for the bytes of many rows at once.  So if all workers are on this machine, the bytes go through shared
files, and Spark's shuffle only has their positions; otherwise it has the bytes.
"""

import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.columns import FEW, Columns, is_columnwise
from swagproof.pipeline.audit.compare import FOUND, compare_tables
from swagproof.pipeline.audit.reading.cells import compute
from swagproof.pipeline.audit.reading.converting import Reading
from swagproof.pipeline.batches import Batch, Each, make_batch, names_of


class About(NamedTuple):
    """The numbers of a table's rows."""

    rows: int
    bad: int
    skipped: int
    """The number without a value, if these are skipped."""


class Compared(NamedTuple):
    """The counts of a comparison."""

    due: int
    """The number of expected results."""
    late: int
    """The number of events that were late for a window."""
    counts: Counter[str]
    """The number of findings of each kind."""
    farthest: float
    """The largest error beyond rounding among the results that the summation excuses."""
    columnwise: int
    """The number of expected results that the reference did not compute; see `audit.backends.columns`."""
    events: About
    results: About


GATHERED: Final = 500_000
"""Rows that a worker gathers before it packs them; about as many are unpacked in one task."""

PACKED: Final = "part bigint, side bigint, packed binary, file string, at bigint, n bigint, bad bigint, skipped bigint"
"""Packed rows of both tables: the Arrow stream, or its position in a file on this machine; or a count."""

_NO_ROWS: Final = (None, None, None)
_NO_COUNT: Final = (None, None, None, None, None)


SUMS: Final = ("count", "tally", "table")
"""The kinds of rows that are sums, not findings: numbers of findings by kind, and of input rows."""


def count_found(compare: Each) -> Each:
    """Return the comparison with a final count of findings by kind, so that no grouping is needed."""

    def count(batches: Iterator[Batch]) -> Iterator[Batch]:
        counts: Counter[str] = Counter()
        farthest = 0.0
        for found in compare(batches):
            for it in compute.value_counts(found.column("kind")).to_pylist():
                counts[it["values"]] += it["counts"]
            off = found.filter(compute.equal(found.column("kind"), "excused"))
            low, high, number = (off.column(name).to_numpy() for name in ("low", "high", "number"))
            farthest = max(farthest, *np.maximum(low - number, number - high).tolist(), 0.0)
            yield found
        told = [{"kind": "count", "key": kind, "n": n, "number": farthest} for kind, n in counts.items()]
        yield make_batch(FOUND, [[row.get(name) for name in names_of(FOUND)] for row in told])

    return count


def add_up(rows: Iterable[dict[str, Any]]) -> Compared:
    """Return the totals of the sums."""
    counts: Counter[str] = Counter()
    tables = {"--events": About(0, 0, 0), "--results": About(0, 0, 0)}
    due = late = alone = 0
    farthest = 0.0
    for row in rows:
        match row["kind"]:
            case "count" if row["key"] not in ("size", *SUMS):
                counts[row["key"]] += row["n"]
                farthest = max(farthest, row["number"] if row["key"] == "excused" else 0.0)
            case "tally":
                due, late, alone = due + row["n"], late + row["n_other"], alone + (row["copies"] or 0)
            case "table":
                more = row["n"], row["n_other"], row["a"]
                tables[row["key"]] = About(*map(sum, zip(tables[row["key"]], more, strict=True)))
            case _:
                continue
    return Compared(due, late, counts, farthest, alone, tables["--events"], tables["--results"])


class Taking:
    """A reader of a table's good rows that counts all rows."""

    def __init__(self, reading: Reading, side: int) -> None:
        self._reading, self._side = reading, side
        self._about = About(0, 0, 0)

    def take(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield the good rows of unconverted rows."""
        for batch in batches:
            good, bad, skipped = self._reading.take_good(batch)
            rows, of_bad, of_skipped = self._about
            self._about = About(rows + batch.num_rows, of_bad + bad, of_skipped + skipped)
            yield good

    def count(self) -> Batch:
        """Return the row of `PACKED` with the counts."""
        return make_batch(PACKED, [(0, self._side, *_NO_ROWS, *self._about)])


def make_counter(reading: Reading, side: int) -> Each:
    """Return a function that counts unconverted rows."""

    def count(batches: Iterator[Batch]) -> Iterator[Batch]:
        taking = Taking(reading, side)
        for _ in taking.take(batches):
            pass
        yield taking.count()

    return count


def make_packer(job: Job, side: int, count: int, shared: Path | None, reading: Reading | None = None) -> Each:
    """Return a function that packs rows by the partition number of their keys.

    Its input is good rows, or, with a `reading`, unconverted rows, which are then converted and counted.  Packed rows
    go into files of the folder `shared`, if there is one.
    """

    def send(waiting: list[Batch]) -> Batch:
        packed = _pack(waiting, job, side, count)
        if shared is None:
            return make_batch(PACKED, [(number, side, stream.to_pybytes(), *_NO_COUNT) for number, stream in packed])
        rows: list[tuple[Any, ...]] = []
        file, name = tempfile.mkstemp(dir=shared)
        with open(file, "wb") as sink:
            for number, stream in packed:
                rows.append((number, side, None, name, sink.tell(), *_NO_COUNT[2:]))
                sink.write(stream)
        return make_batch(PACKED, rows)

    def pack(batches: Iterator[Batch]) -> Iterator[Batch]:
        taking = None if reading is None else Taking(reading, side)
        waiting: list[Batch] = []
        gathered = 0
        for good in batches if taking is None else taking.take(batches):
            good = good if job.plan.span is None else job.plan.span.keep(good, side)
            good = good if job.sample is None else job.sample.keep(good)
            waiting.append(good)
            gathered += good.num_rows
            if gathered >= GATHERED:
                yield send(waiting)
                waiting, gathered = [], 0
        if gathered:
            yield send(waiting)
        if taking is not None:
            yield taking.count()

    return pack


def number_of(key: str) -> int:
    """Return the number that decides the partition of a key."""
    return zlib.crc32(key.encode())


def _pack(batches: list[Batch], job: Job, side: int, count: int) -> Iterator[tuple[int, Any]]:
    """Yield the partition numbers, each with its rows as an Arrow stream."""
    rows = _code_keys(pa.Table.from_batches(batches))
    if job.plan.block is not None:
        rows = _cut_time(rows, job, side, job.plan.block)
    keys = rows["key"].combine_chunks()
    of_key = np.array([number_of(key) for key in keys.dictionary.to_pylist()], dtype=np.int64)
    numbers = of_key[keys.indices.to_numpy()]
    if job.plan.block is not None:
        numbers = numbers + rows["block"].to_numpy() * 7919
    numbers = (numbers % count).astype(np.uint16 if count < 2**16 else np.int64)
    order = np.argsort(numbers, kind="stable")
    (batch,) = rows.take(pa.array(order)).combine_chunks().to_batches()
    numbers = numbers[order]
    cuts = [0, *(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1).tolist(), len(numbers)]
    for i, j in pairwise(cuts):
        part = batch.slice(i, j - i)
        named = part.column("key").indices.dictionary_encode()  # the keys of this part alone
        part = part.set_column(
            part.schema.get_field_index("key"),
            "key",
            pa.DictionaryArray.from_arrays(named.indices, keys.dictionary.take(named.dictionary)),
        )
        sink = pa.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, part.schema) as stream:
            stream.write_batch(part)
        yield int(numbers[i]), sink.getvalue()


def _cut_time(rows: Any, job: Job, side: int, block: int) -> Any:
    """Add the block column, with a row for each block whose windows may hold an event, or have the result."""
    window = job.window
    assert isinstance(window, Sliding)
    if side:
        times = rows["time"].to_numpy()
        own, first = times // block, (times - window.half_open.range) // block
        again = np.flatnonzero(first < own)
        blocks = np.concatenate([own, first[again]])
        rows = rows.take(pa.array(np.concatenate([np.arange(len(times)), again])))
    else:
        begin = rows["a"].to_numpy() if "a" in job.plan.on else rows["b"].to_numpy() - window.range
        blocks = (begin + (window.closed in ("right", "neither"))) // block
    return rows.append_column("block", pa.array(blocks, pa.int64()))


def make_unpacker(job: Job, final: int | None, delay: int | None) -> Each:
    """Return a function that compares the packed rows of one partition number after another."""
    columnwise = job.columnwise and delay is None and is_columnwise(job.plan)
    names = names_of(FOUND)

    def settle(held: tuple[list[Batch], list[Batch]]) -> Iterator[Batch]:
        if any(held):
            results, events = (unpack(packed, job, side) for side, packed in enumerate(held))
            if columnwise and len(events) > FEW and len(results):
                yield from Columns(events, results, job, final).judge()
            else:
                yield from compare_tables(events, results, job.plan, final, delay)

    def settle_all(batches: Iterator[Batch]) -> Iterator[Batch]:
        part: int | None = None
        held: tuple[list[Batch], list[Batch]] = ([], [])
        for batch in batches:
            for row in batch.to_pylist():
                if row["n"] is not None:
                    option = (job.results, job.events)[row["side"]].where.option
                    about = {"kind": "table", "key": option, "n": row["n"], "n_other": row["bad"], "a": row["skipped"]}
                    yield make_batch(FOUND, [[about.get(name) for name in names]])
                    continue
                if row["part"] != part:
                    yield from settle(held)
                    part, held = row["part"], ([], [])
                held[row["side"]].extend(open_packed(row))
        yield from settle(held)

    return count_found(settle_all)


def open_packed(row: dict[str, Any]) -> Any:
    """Open the batches of a packed stretch."""
    if row["file"] is None:
        return pyarrow.ipc.open_stream(row["packed"])
    source = pa.memory_map(row["file"])
    source.seek(row["at"])
    return pyarrow.ipc.open_stream(source)


def unpack(packed: list[Batch], job: Job, side: int) -> Any:
    """Return the rows of some stretches."""
    if not packed:
        rows = pa.Table.from_batches([(job.results, job.events)[side].take_nothing()])
        return rows if job.plan.block is None else rows.append_column("block", pa.array([], pa.int64()))
    return pa.Table.from_batches(packed).unify_dictionaries().combine_chunks()


def _code_keys(rows: Any) -> Any:
    """Return rows with dictionary-encoded keys, with one dictionary."""
    at = rows.schema.get_field_index("key")
    if not pa.types.is_dictionary(rows.schema.field(at).type):
        rows = rows.set_column(at, "key", rows.column(at).dictionary_encode())
    return rows.unify_dictionaries().combine_chunks()
