"""Files of a stream, without Spark: their content, and the reports of unreadable ones."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Format
from swagproof.pipeline.stream.clocks import MOVED
from swagproof.pipeline.stream.packing import Packer, columns_of
from swagproof.pipeline.stream.source import Events


def read(path: Path, form: Format, *, stop: bool = False) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]], int]:
    """Return the events of a file as key, time and value, the reports of its bad rows, and its latest time."""
    source = Events(
        "--events", str(path.parent), form, ("key",), "us", form == "parquet", stop, "t", None, (("v", "int"),)
    )
    packer = Packer(source, columns_of(source), ["c"])
    listed = {"path": [f"file:{path}"], "modificationTime": pa.array([1_000_000], pa.timestamp("us"))}
    rows = [row for batch in packer(iter([pa.record_batch(listed)])) for row in batch.to_pylist()]
    events = [(row["key"][1:], t, v) for row in rows for t, v in zip(row["time"] or (), row["v0"] or (), strict=True)]
    bad = [json.loads(text) for row in rows for text in row["bad"] or ()]
    return events, bad, max((row["clock"] - MOVED for row in rows if row["clocks"]), default=0)


def test_lines(tmp_path: Path) -> None:
    rows = [{"key": "a" * (n % 7) * 40_000 + "b", "t": n, "v": n} for n in range(60)]
    lines = [json.dumps(row) for row in [*rows, {"t": 90_000}]]
    for name, data in (("0.json", "\n".join(lines) + "\n"), ("1.json", "\n\n".join(lines)), ("2.json", "")):
        (tmp_path / name).write_text(data)
        events, bad, latest = read(tmp_path / name, "json")
        assert sorted(events) == sorted((row["key"], row["t"], row["v"]) for row in rows if data)
        assert (bad, latest) == ([], 90 if data else 0), "a heartbeat is no event, and no bad row"


def test_bad_rows_are_named(tmp_path: Path) -> None:
    path = tmp_path / "0.json"
    rows = [{"key": "a", "t": 1}, {"v": 1, "t": 1}, {"key": "a", "v": 1}, {"key": "a", "t": "x", "v": 1}]
    rows += [{"key": "a", "t": 1, "v": 2**63}, {"key": "a", "t": 10**19, "v": 1}, {"key": "a", "t": 1, "v": 5}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "rubbish\n")
    events, bad, _ = read(path, "json")
    assert events == [("a", 1, 5)]
    assert [one["why"].partition(";")[0] for one in bad] == [
        "no v",
        "no key",
        "time is null",
        "time: x is not a 64-bit integer",
        f"value: {2**63} is not a 64-bit integer",
        f"time: {10**19} is not a 64-bit integer",
        "the line cannot be read",
    ]
    assert bad[-1]["row"] == "rubbish"
    path.write_text(json.dumps({"key": "a", "t": 10**17, "v": 1}))
    assert "out of range" in read(path, "json")[1][0]["why"]


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    lines = [json.dumps({"key": f"{n * n:x}", "t": n, "v": n * 2**40}) for n in range(100_000)]
    whole = gzip.compress("\n".join(lines).encode())
    path = tmp_path / "0.json.gz"
    path.write_bytes(whole)
    assert len(read(path, "json")[0]) == len(lines)
    path.write_bytes(whole[: len(whole) // 2])
    taken, (bad,), _ = read(path, "json")
    assert bad["file"] == "0.json.gz"
    assert bad["why"].startswith(f"it cannot be read after {len(taken)} rows: ")
    with pytest.raises(InputError, match=r"0\.json\.gz: it cannot be read"):
        read(path, "json", stop=True)


def test_csv_by_its_own_header(tmp_path: Path) -> None:
    path = tmp_path / "0.csv"
    path.write_text('v,note,t,key\n1,x,2,a\n3,4\n6,"a,b",5,007\n')
    events, (bad,), _ = read(path, "csv")
    assert sorted(events) == [("007", 5, 6), ("a", 2, 1)]
    assert (bad["why"], bad["row"]) == ("the line cannot be read", "3,4")
    path.write_text("v,t\n1,2\n")
    assert "no such column" in read(path, "csv")[1][0]["why"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"v": pa.array([2**62], pa.int64())}, 2**62),
        ({"v": pa.array([7], pa.uint8())}, 7),
        ({"v": pa.array(["7"])}, 7),
        ({"v": pa.array([None], pa.int16())}, "no v"),
        ({"v": pa.array([2**63], pa.uint64())}, "is not a 64-bit integer"),
        ({"v": pa.array([1.5])}, "is not a 64-bit integer"),
        ({"v": pa.array([True])}, 1),
        ({"v": pa.array([[1]])}, "holds no int"),
        ({"t": pa.array([1])}, "t holds int64; write --time t"),
        ({"t": pa.array([1], pa.timestamp("ns"))}, "is not a whole microsecond"),
        ({"v": None}, "no such column"),
    ],
)
def test_parquet_as_declared(tmp_path: Path, columns: dict[str, Any], said: object) -> None:
    stamp = pa.array([-2_000], pa.timestamp("ns"))
    table = {"key": pa.array([5]), "t": stamp, "v": pa.array([1])} | columns
    writer: Any = pyarrow.parquet
    writer.write_table(pa.table({name: of for name, of in table.items() if of is not None}), tmp_path / "0.parquet")
    events, bad, _ = read(tmp_path / "0.parquet", "parquet")
    if isinstance(said, str):
        assert said in bad[0]["why"]
    else:
        assert (events, bad) == ([("5", -2, said)], [])


def test_what_is_no_file_of_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "0.parquet"
    path.write_text("rubbish" * 10)
    _, (bad,), _ = read(path, "parquet")
    assert bad["why"].startswith("it cannot be read after 0 rows: ")
    _, (bad,), _ = read(tmp_path / "gone.parquet", "parquet")
    assert "No such file" in bad["why"]
