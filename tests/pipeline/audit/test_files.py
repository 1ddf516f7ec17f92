"""Several files of one table give the same result in any order."""

import os
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.auditing import run

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.backends.cluster import Cluster
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.reading.spark_files import read
from swagproof.pipeline.audit.tables import CORRUPT, FILE, Mapped, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def write_parts(folder: Path, parts: tuple[Any, ...]) -> Path:
    """Write a file for each array of values, with one event per cell."""
    folder.mkdir()
    seq = 0
    for number, values in enumerate(parts):
        seqs = list(range(seq, seq := seq + len(values or "x")))
        columns = {"key": ["k"] * len(seqs), "time": seqs, "seq": seqs}
        if values is not None:
            columns["value"] = values
        pq.write_table(pa.table(columns), folder / f"{number}.parquet")
    return folder


TENTH = 0.1
PARTS: dict[str, tuple[tuple[Any, ...], Any, Any]] = {
    "floats of 32 and of 64 bits": (
        (pa.array([0.5], pa.float32()), pa.array([TENTH])), 0.6, 0.6000000014901161,
    ),
    "nulls alone": ((pa.nulls(1), pa.array([2.5])), 2.5, 3.5),
    "integers beside doubles": ((pa.array([3]), pa.array([2.5]), pa.array([1], pa.int8())), 6.5, 6.0),
    "integers beside floats": ((pa.array([2**24 + 1]), pa.array([0.5], pa.float32())), 16777217.5, 16777216.5),
    "integers of 32 and of 64 bits": ((pa.array([3], pa.int32()), pa.array([2**40])), 2**40 + 3, 3),
    "integers with a sign and without": (
        (pa.array([2**63 + 1], pa.uint64()), pa.array([-1]), pa.array([1], pa.int8())), Decimal(2**63 + 1), Decimal(0),
    ),
    "decimals of several scales": (
        (pa.array([Decimal("1.5")]), pa.array([Decimal("10.255")]), pa.array([1])), Decimal("12.755"), Decimal("12.7"),
    ),
    "a column that is missing": ((None, pa.array([4])), 4, 5),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_the_type_of_a_column_holds_all_files(tmp_path: Path, name: str) -> None:
    """A right sum conforms, and a wrong one does not, with files in each order, and so with a folder."""
    parts, right, wrong = PARTS[name]
    for number, ordered in enumerate(permutations(parts)):
        events = write_parts(tmp_path / str(number), ordered)
        for result, outcome in ((right, "conforms"), (wrong, "violated")):
            rows = tmp_path / "r.parquet"
            pq.write_table(pa.table({"key": ["k"], "window_start": [0], "result": [result]}), rows)
            report = run(events, rows, "tumbling 10", "sum", nulls="skip")
            assert report.outcome == outcome, (ordered, report.sentence)


@pytest.mark.parametrize(
    "parts",
    [
        (pa.array([1]), pa.array(["1"])),
        (pa.array([Decimal("0.1")]), pa.array([0.1])),
        (pa.array([2**53 + 1]), pa.array([0.5])),
    ],
)
def test_files_that_no_type_holds_are_refused(tmp_path: Path, parts: tuple[Any, ...]) -> None:
    """The message names both types and files, or the integer that no double represents; unused columns may differ."""
    said: list[str] = []
    result = [{"key": "k", "window_start": 0, "result": 2}]
    for number, ordered in enumerate((parts, parts[::-1])):
        events = write_parts(tmp_path / str(number), ordered)
        with pytest.raises(InputError) as refused:
            run(events, result, "tumbling 10", "sum")
        said.append(str(refused.value))
        assert run(events, result, "tumbling 10", "count", value=()).outcome == "conforms"
    for sentence in said:
        both = all(f"{part.type} in " in sentence for part in parts) and "0.parquet" in sentence
        assert both or "9007199254740993" in sentence, sentence


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """A pipe would be empty at the second reading."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"--events .*pipe: a pipe can be read only once"):
        table("--events", [str(tmp_path / "pipe")], "json")


def test_parts_of_nested_columns_and_moments_of_several_zones() -> None:
    from swagproof.pipeline.audit.reading.types import find_common

    inner = [
        pa.list_(pa.struct([("a", kind), *more]))
        for kind, more in ((pa.int32(), []), (pa.float32(), [("b", pa.string())]))
    ]
    common = pa.list_(pa.struct([("a", pa.float64()), ("b", pa.string())]))
    assert [find_common(inner), find_common(inner[::-1])] == [common] * 2
    moments = [pa.timestamp("us", "Europe/Berlin"), pa.timestamp("ns", "UTC")]
    assert [find_common(moments), find_common(moments[::-1])] == [pa.timestamp("ns", "UTC")] * 2
    assert find_common([pa.timestamp("us"), pa.timestamp("us", "UTC")]) is None
    assert find_common([pa.float32(), pa.float16()]) == pa.float32()


def test_spark_reads_all_files_too(spark: "SparkSession", tmp_path: Path) -> None:
    """Its workers use the common schema; if Spark reads the files itself, it includes columns that the first file
    lacks, and rejects what it cannot merge."""
    for number, ordered in enumerate(permutations(PARTS["floats of 32 and of 64 bits"][0])):
        events = write_parts(tmp_path / f"floats-{number}", ordered)
        rows = [{"key": "k", "window_start": 0, "result": 0.6}]
        told = [run(events, rows, "tumbling 10", "sum", held=held).outcome for held in (Local(), Cluster(spark))]
        assert told == ["conforms", "conforms"]
        with pytest.raises(InputError, match="several types"):
            read(spark, table("--events", [str(events)], "parquet"), [Mapped("value")])
        lacking = write_parts(tmp_path / f"lacking-{number}", (None, pa.array([4]))[:: 1 - 2 * number])
        frame = read(spark, table("--events", [str(lacking)], "parquet"), [Mapped("value")])
        assert sorted(str(row["value"]) for row in frame.collect()) == ["4", "None"]


def test_spark_reads_cells_of_csv_as_one_process_does(spark: "SparkSession", tmp_path: Path) -> None:
    """Doubled quotes, line breaks in a cell, an empty text next to null, a literal backslash: by its workers, and if
    Spark reads the files itself; also more unreadable lines than Arrow reads at once."""
    text = (
        'key,time,seq,value\nk,0,0,"say ""hi"""\nk,1,1,"b\nc"\nk,2,2,""\nk,3,3,\nk,4,4,\\\n"",5,5,"\\"\n,6,6,x\nk,7\n'
    )
    path = tmp_path / "e.csv"
    path.write_text(text)
    where = table("--events", [str(path)], None)
    asked = [Mapped(name) for name in ("key", "time", "seq", "value")]
    here = [row for batch in Source(where, asked).read(()) for row in batch.to_pylist()]
    assert [row["value"] for row in here] == ['say "hi"', "b\nc", "", None, "\\", "\\", "x", None]
    there = [row.asDict() for row in read(spark, where, asked).drop(FILE).collect()]
    good = [[row for row in rows if row[CORRUPT] is None] for rows in (here, there)]
    assert good[0] == good[1]
    assert (len(good[0]), len(there)) == (7, 8)
    many = ['a,"x\n\n""y"\n'] * 300_000
    path.write_text("key,value\n" + "".join(many))
    read_all = list(Source(where, asked).read(()))
    assert sum(batch.num_rows for batch in read_all) == len(many)
    assert {row for batch in read_all for row in batch["value"].unique().to_pylist()} == {'x\n\n"y'}
    results = tmp_path / "r.csv"
    results.write_text('key,window_start,result\nk,0,"say ""hi""b\nc\\"\n"",0,\\\n,0,x\n')
    path.write_text(text.removesuffix("k,7\n").replace("k,3,3,\n", ""))
    options: dict[str, Any] = {"value": ("value:text",), "time": "time:int"}
    told = [run(path, results, "tumbling 10", "concatenation", held=it, **options) for it in (Local(), Cluster(spark))]
    assert [report.outcome for report in told] == ["conforms"] * 2, [report.sentence for report in told]
