"""Packed rows, as bytes or through files: each arrives once, with the others of its key."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from support.auditing import write

from swagproof.pipeline.audit.audit_job import read_request
from swagproof.pipeline.audit.backends.exchange import make_packer, make_unpacker
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.options import Request
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.tables import table


@pytest.mark.parametrize("by", ["bytes", "files"])
@pytest.mark.parametrize("parts", [1, 7])
def test_what_is_packed_is_judged_as_what_is_not(tmp_path: Path, by: str, parts: int) -> None:
    events: list[dict[str, Any]] = [{"key": f"k{i * 7 % 23}", "time": i, "seq": i, "value": i % 5} for i in range(300)]
    sums: dict[tuple[str, int], int] = defaultdict(int)
    for event in events:
        sums[event["key"], event["time"] // 10 * 10] += event["value"]
    results: list[dict[str, Any]] = [{"key": k, "window_start": a, "result": x} for (k, a), x in sums.items()]
    results[4]["result"] += 1
    del results[9]
    write(tmp_path / "e.parquet", events)
    write(tmp_path / "r.parquet", results)
    of_events, of_results = (
        table(f"--{name}", [str(tmp_path / f"{name[0]}.parquet")], None) for name in ("events", "results")
    )
    request = Request(of_events, of_results, "tumbling 10", "sum", "time", ("key",), ("value",), "seq")
    here = Local()
    job = read_request(request, here.read_schema)
    told = here.compare(job)
    packed: list[Any] = []
    for side, reading in ((0, job.results), (1, job.events)):
        read = (batch for batch in Source(reading.where, ()).read(reading.needed))
        (tmp_path / by).mkdir(exist_ok=True)
        pack = make_packer(job, side, parts, tmp_path / by if by == "files" else None, reading)
        packed += pack(read)
    assert len([*(tmp_path / by).iterdir()]) == 2 * (by == "files")
    rows = [row for batch in packed for row in batch.to_pylist()]
    numbers = {row["part"] for row in rows if row["n"] is None}
    assert numbers <= {*range(parts)}
    assert (len(numbers) > 1) is (parts > 1)
    assert {(row["side"], row["n"], row["bad"]) for row in rows if row["n"] is not None} == {
        (0, len(results), 0), (1, 300, 0),
    }  # fmt: skip
    ordered = [batch.slice(i, 1) for batch in packed for i in range(batch.num_rows)]
    ordered.sort(key=lambda row: row["part"][0].as_py())
    found = [row for batch in make_unpacker(job, None, None)(iter(ordered)) for row in batch.to_pylist()]
    kinds = [row["kind"] for row in found]
    assert {kind: kinds.count(kind) for kind in ("missing", "wrong")} == {"missing": 1, "wrong": 1}
    assert sum(row["n"] for row in found if row["kind"] == "tally") == told.due == len(sums)
