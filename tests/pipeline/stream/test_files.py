"""Files that a stream reads, without Spark: what is in them, and what is said of those that cannot be read."""

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Format
from swagproof.pipeline.stream.files import Reader


def read(path: Path, form: Format, *, stop: bool = False) -> list[dict[str, Any]]:
    """Return what is read of a file."""
    reader = Reader(form, ("key",), {"t": "time", "v": "int"}, timestamps=form == "parquet", stop=stop)
    listed = {"path": [f"file:{path}"], "modificationTime": pa.array([1_000_000], pa.timestamp("us"))}
    return [row for batch in reader([pa.record_batch(listed)]) for row in batch.to_pylist()]


def test_lines_of_any_length(tmp_path: Path) -> None:
    lines = [json.dumps({"key": "a" * (n % 7) * 40_000, "t": n}) for n in range(60)]
    for name, data in (("0.json", "\n".join(lines) + "\n"), ("1.json", "\n\n".join(lines)), ("2.json", "")):
        (tmp_path / name).write_text(data)
        assert [row["_text"] for row in read(tmp_path / name, "json")] == (lines if data else [])


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    lines = [json.dumps({"key": f"{n * n:x}", "t": n, "v": hash(str(n))}) for n in range(100_000)]
    whole = gzip.compress("\n".join(lines).encode())
    path = tmp_path / "0.json.gz"
    path.write_bytes(whole)
    assert [row["_text"] for row in read(path, "json")] == lines
    path.write_bytes(whole[: len(whole) // 2])
    *taken, last = read(path, "json")
    assert [row["_text"] for row in taken] == lines[: len(taken)]
    assert last["_file"] == "0.json.gz"
    assert last["_why"].startswith(f"it cannot be read after {len(taken)} rows: ")
    with pytest.raises(InputError, match=r"0\.json\.gz: it cannot be read"):
        read(path, "json", stop=True)


def test_csv_by_its_own_header(tmp_path: Path) -> None:
    path = tmp_path / "0.csv"
    path.write_text('v,note,t,key\n1,x,2,a\n3,4\n,"a,b",5,007\n')
    rows = [(row["key"], row["t"], row["v"], row["_why"]) for row in read(path, "csv")]
    assert rows == [("a", "2", "1", None), ("007", "5", None, None), (None, None, None, "it has 2 columns, expected 4")]
    path.write_text("v,t\n1,2\n")
    ((last),) = read(path, "csv")
    assert "key" in last["_why"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"v": pa.array([2**62], pa.int64())}, 2**62),
        ({"v": pa.array([7], pa.uint8())}, 7),
        ({"v": pa.array([None], pa.int16())}, None),
        ({"v": pa.array([2**63], pa.uint64())}, "it cannot be read"),
        ({"v": pa.array([1.0])}, "column v holds floating, expected int"),
        ({"t": pa.array([1])}, 1),
        ({"t": pa.array(["1"])}, "column t holds string, expected time"),
        ({"v": None}, "no column v; there are key, t"),
    ],
)
def test_parquet_as_declared(tmp_path: Path, columns: dict[str, Any], said: object) -> None:
    stamp = pa.array([-1_001], pa.timestamp("ns"))
    table = {"key": pa.array([5]), "t": stamp, "v": pa.array([1])} | columns
    writer: Any = pyarrow.parquet
    writer.write_table(pa.table({name: of for name, of in table.items() if of is not None}), tmp_path / "0.parquet")
    (row,) = read(tmp_path / "0.parquet", "parquet")
    if isinstance(said, str):
        assert said in row["_why"]
        assert row["key"] is None
    else:
        assert (row["key"], row["t"], row["v"]) == ("5", 1 if "t" in columns else -2, 1 if "t" in columns else said)


def test_what_is_no_file_of_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "0.parquet"
    path.write_text("rubbish" * 10)
    (row,) = read(path, "parquet")
    assert row["_why"].startswith("it cannot be read after 0 rows: ")
    (row,) = read(tmp_path / "gone.parquet", "parquet")
    assert "No such file" in row["_why"]
