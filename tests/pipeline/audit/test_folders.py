"""Folders of files: an audit reads only the files of the table, and partition values are text."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.auditing import run

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.reading.spark_files import read
from swagproof.pipeline.audit.tables import FILE, Mapped, list_files, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def write(folder: Path, name: str, **columns: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), folder / name)


@pytest.mark.parametrize(("keys", "numbers"), [(("01", "1"), False), (("1", "2"), False), (("1", "2"), True)])
def test_what_folders_are_named_by_is_a_key_of_the_other_tables_type(
    tmp_path: Path, keys: tuple[str, str], numbers: bool
) -> None:
    """Spark's `partitionBy` does not record a type."""
    named = [int(key) if numbers else key for key in keys]
    write(tmp_path / "e", "0.parquet", key=[*named, named[0]], time=[1, 2, 3], seq=[1, 2, 3], value=[5, 7, 2])
    for key, result in zip(keys, (7, 7), strict=True):
        write(tmp_path / "r" / f"key={key}", "0.parquet", window_start=[0], result=[result])
    report = run(tmp_path / "e", tmp_path / "r", "tumbling 10", "sum")
    assert (report.outcome, report.results["rows"]) == ("conforms", 2), report.sentence
    write(tmp_path / "r" / f"key={keys[1]}", "0.parquet", window_start=[0], result=[8])
    assert run(tmp_path / "e", tmp_path / "r", "tumbling 10", "sum").counts["wrong"] == 1


def test_a_folder_of_no_key_is_of_null(tmp_path: Path) -> None:
    write(tmp_path / "r" / "key=__HIVE_DEFAULT_PARTITION__", "0.parquet", window_start=[0], result=[3])
    source = Source(table("--results", [str(tmp_path / "r")], None), [Mapped("key")])
    assert [row["key"] for batch in source.read(["key"]) for row in batch.to_pylist()] == [None]


def test_spark_reads_folders_as_one_process_does(spark: "SparkSession", tmp_path: Path) -> None:
    for key in ("01", "1"):
        write(tmp_path / f"key={key}", "0.parquet", value=[1])
    frame = read(spark, table("--events", [str(tmp_path)], None), [Mapped("key")])
    assert sorted(row["key"] for row in frame.select("key").collect()) == ["01", "1"]
    assert FILE in frame.columns


def test_of_a_file_sink_what_its_log_names_is_read(spark: "SparkSession", tmp_path: Path) -> None:
    """The file of a killed, repeated micro-batch is not read; with compact logs, and in a moved folder."""
    (tmp_path / "in").mkdir()
    spark.conf.set("spark.sql.streaming.fileSink.log.compactInterval", "2")
    for number in range(5):
        (tmp_path / "in" / f"{number}.json").write_text(json.dumps({"key": "k", "value": number}) + "\n")
        lines = spark.readStream.schema("key string, value long").json(str(tmp_path / "in"))
        writer = lines.writeStream.format("parquet").option("checkpointLocation", str(tmp_path / "cp"))
        writer.trigger(availableNow=True).start(str(tmp_path / "out")).awaitTermination()
    logs = {file.name for file in (tmp_path / "out" / "_spark_metadata").iterdir() if file.name[0] != "."}
    assert {"3.compact", "4"} <= logs
    (tmp_path / "out").rename(tmp_path / "moved")
    write(tmp_path / "moved", "part-00000-stray-c000.snappy.parquet", key=["k"], value=[99])
    where = table("--events", [str(tmp_path / "moved")], None)

    def read_values() -> list[int]:
        source = Source(where, [Mapped("value")])
        return sorted(row["value"] for batch in source.read(["value"]) for row in batch.to_pylist())

    assert read_values() == [0, 1, 2, 3, 4]
    named = list_files(tmp_path / "moved", "--events")
    Path(named[0]).unlink()
    with pytest.raises(InputError, match=r"part-.*, which _spark_metadata lists, is missing"):
        read_values()
    (tmp_path / "moved" / "_spark_metadata" / "4").write_text("v1\nrubbish\n")
    with pytest.raises(InputError, match="not a log of Spark's file sink"):
        read_values()


@pytest.mark.parametrize(("log", "format_"), [("_delta_log/0.json", "Delta"), ("metadata/v1.metadata.json", "Iceberg")])
def test_a_table_with_another_log_is_refused(tmp_path: Path, log: str, format_: str) -> None:
    write(tmp_path / "r", "0.parquet", key=["k"], window_start=[0], result=[3])
    (tmp_path / "r" / log).parent.mkdir()
    (tmp_path / "r" / log).write_text("")
    with pytest.raises(InputError, match=rf"--events .*r: a table of {format_}, some of whose files"):
        run(tmp_path / "r", tmp_path / "r", "tumbling 10", "count", value="result", time="window_start")


def write_lines(folder: Path, format_: str) -> Path:
    """Write results of two keys as text, partitioned by key."""
    for key, result in (("a%2Fb", 5), ("01", 7)):
        lines = {"csv": f"window_start,result\n0,{result}\n", "json": f'{{"window_start": 0, "result": {result}}}\n'}
        (folder / f"key={key}").mkdir(parents=True)
        (folder / f"key={key}" / f"0.{format_}").write_text(lines[format_])
    return folder


@pytest.mark.parametrize("format_", ["csv", "json"])
def test_of_text_too_what_folders_are_named_by_is_a_column(tmp_path: Path, format_: str) -> None:
    write(tmp_path / "e", "0.parquet", key=["a/b", "01", "01"], time=[1, 2, 3], seq=[1, 2, 3], value=[5, 3, 4])
    results = write_lines(tmp_path / "r", format_)
    report = run(tmp_path / "e", results, "tumbling 10", "sum", window_start="window_start:int")
    assert (report.outcome, report.results["rows"]) == ("conforms", 2), report.sentence


@pytest.mark.parametrize("format_", ["csv", "json"])
def test_spark_reads_folders_of_text_as_one_process_does(spark: "SparkSession", tmp_path: Path, format_: str) -> None:
    where = table("--results", [str(write_lines(tmp_path, format_))], None)
    asked = [Mapped("key"), Mapped("result")]
    rows = [row.asDict() for row in read(spark, where, asked).select("key", "window_start", "result").collect()]
    names = ["key", "window_start", "result"]
    batches = list(Source(where, asked).read(names))
    mine = [{name: row[name] for name in names} for batch in batches for row in batch.to_pylist()]
    assert sorted(row["key"] for row in mine) == ["01", "a/b"]
    assert sorted(map(str, rows)) == sorted(map(str, mine))
