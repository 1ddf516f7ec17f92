"""The two tables of an audit in one process: read by Arrow, held in memory, compared key by key.

For what is too small to pay for a start of Spark.  What is read from a row, what is bad and what is right is said once,
for this and for Spark's workers: `swagproof.pipeline.audit.converting`, `swagproof.pipeline.audit.compare`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from swagproof.pipeline.audit.compare import FINDING_KINDS, make_mapper
from swagproof.pipeline.audit.converting import Reading, compute
from swagproof.pipeline.audit.held.pairing import JUDGED, bring_together, codes_of
from swagproof.pipeline.audit.held.sources import Source
from swagproof.pipeline.audit.policy import follow_events
from swagproof.pipeline.audit.request import About, Compared, Holder, Job
from swagproof.pipeline.audit.tables import Mapped, Table
from swagproof.pipeline.batches import Batch

_TEXT: Final = pa.string()


class Local(Holder):
    """The two tables, and what is found, in the memory of one process."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._tables: dict[str, Any] = {}
        self._about: dict[str, About] = {}
        self._found: Any = None

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""
        source = self._sources[where.option] = Source(where, asked)
        return source.schema

    def _read(self, reading: Reading) -> Any:
        """The good rows of a table."""
        rows = bad = skipped = 0
        kept: list[Batch] = []
        for _, batch in self._sources[reading.where.option].read(reading.needed):
            good, refused, empty = reading.take_good(batch)
            rows, bad, skipped = rows + batch.num_rows, bad + refused, skipped + empty
            kept.append(good)
        self._about[reading.where.option] = About(rows, bad, skipped)
        if not kept:
            nothing = pa.RecordBatch.from_pylist([], schema=self._sources[reading.where.option].schema)
            kept = [reading.take_good(nothing)[0]]
        return pa.Table.from_batches(kept).unify_dictionaries().combine_chunks()

    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""
        events = self._tables["events"] = self._read(job.events)
        if not job.policy.has_watermark:
            return None
        times = events["time"].to_numpy()
        if job.policy.given == "column":
            return int(events["watermark"].to_numpy().max()) if len(times) else None
        clocks = events["clock" if "clock" in events.column_names else "arrival"].to_numpy()
        upstreams = events["upstream"].to_pylist() if "upstream" in events.column_names else None
        marked = follow_events(job.policy, times, clocks, codes_of(events["key"]), upstreams)
        for name, column in marked.columns.items():
            events = events.append_column(name, pa.array(column, pa.int64()))
        self._tables["events"] = events
        return marked.final

    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""
        results = self._tables["results"] = self._read(job.results)
        both = bring_together(self._tables["events"], results, job)
        found = list(make_mapper(job.plan, job.judge, final, delay)(both))
        rows = pa.Table.from_batches(found)
        self._found = rows.filter(compute.not_equal(rows["kind"], "tally"))
        tally = rows.slice(rows.num_rows - 1).to_pylist()[0]
        counts = {
            it["values"]: it["counts"] for it in compute.value_counts(self._found["kind"].combine_chunks()).to_pylist()
        }
        farthest = 0.0
        if counts.get("excused"):
            off = self._found.filter(compute.equal(self._found["kind"], "excused"))
            low, high, number = (off[name].to_numpy() for name in ("low", "high", "number"))
            farthest = float(np.maximum(low - number, number - high).max())
        return Compared(tally["n"], tally["n_other"], counts, farthest)

    def count(self) -> tuple[About, About]:
        """How many events and results there are."""
        return self._about["--events"], self._about["--results"]

    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""
        (row,) = self._of_kind(kind).slice(0, 1).to_pylist()
        return dict(row)

    def _of_kind(self, *kinds: str) -> Any:
        return self._found.filter(compute.is_in(self._found["kind"], value_set=pa.array(kinds)))

    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""
        rows = self._of_kind("size").select(["n", "key"]).to_pylist()
        return sorted(((row["key"], row["n"]) for row in rows), key=lambda it: (it[1], it[0]))[:most]

    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """What was found, of these keys or of all."""
        found = self._found.filter(compute.not_equal(self._found["kind"], "size"))
        return list(_of_keys(found, keys).to_pylist())

    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""
        times = np.sort(_of_keys(self._tables["events"], keys)["time"].to_numpy())
        return int(times[min(n, len(times)) - 1]) if len(times) else None

    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""
        events = _of_keys(self._tables["events"], keys)
        if before is not None:
            events = events.filter(compute.less(events["time"], before))
        return events.set_column(0, "key", events["key"].cast(_TEXT))

    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""
        return list(_of_keys(self._tables["results"], keys).to_pylist())

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
        self._tables.clear()
        self._found = None


def _of_keys(rows: Any, keys: Sequence[str] | None) -> Any:
    if keys is None:
        return rows
    named = rows["key"].cast(_TEXT) if pa.types.is_dictionary(rows["key"].type) else rows["key"]
    return rows.filter(compute.is_in(named, value_set=pa.array(keys, _TEXT)))
