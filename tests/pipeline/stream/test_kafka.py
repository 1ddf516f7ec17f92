"""Kafka's contract, without Kafka: its connector is a jar that Spark does not bring.

A source and a sink in Python stand in for it, with its schema: values are bytes, and what is written has a key and a
value.  They are asked for by its name, which Spark lets nobody else have.  So what is tested is what we do with
records, and not what Kafka does.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import DataFrameWriter
from pyspark.sql.datasource import DataSource, DataSourceWriter, SimpleDataSourceStreamReader, WriterCommitMessage
from pyspark.sql.streaming.readwriter import DataStreamReader

from swagproof.pipeline.commands.stream import job_of, stream
from swagproof.pipeline.stream.query import open_sink, run
from swagproof.pipeline.stream.sinks import AGAIN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STAND_IN = "kafka-stand-in"

SCHEMA = "key binary, value binary, topic string, partition int, offset bigint, timestamp timestamp, timestampType int"


def make_kafka() -> type[DataSource]:
    """The records that there are in a file of lines, a micro-batch; what is written is added to another.

    The classes are made here, as workers get what has no module by value.
    """

    class Records(SimpleDataSourceStreamReader):
        def __init__(self, topic: str) -> None:
            self.lines = Path(topic).read_bytes().splitlines()

        def initialOffset(self) -> dict[str, int]:
            return {"0": 0}

        def read(self, start: dict[str, int]) -> tuple[Iterator[Any], dict[str, int]]:
            end = {"0": len(self.lines)}
            return self.readBetweenOffsets(start, end), end

        def readBetweenOffsets(self, start: dict[str, int], end: dict[str, int]) -> Iterator[Any]:
            at = datetime(2026, 3, 1, tzinfo=UTC)
            return iter([(None, self.lines[n], "clicks", 0, n, at, 0) for n in range(start["0"], end["0"])])

    class Produced(DataSourceWriter):
        def __init__(self, topic: str) -> None:
            self.topic = topic

        def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
            with Path(self.topic).open("a", encoding="utf-8") as file:
                for row in iterator:
                    print(row.key, row.value, sep="\t", file=file)
            return WriterCommitMessage()

    class Kafka(DataSource):
        @classmethod
        def name(cls) -> str:
            return STAND_IN

        def schema(self) -> str:
            return SCHEMA

        def simpleStreamReader(self, schema: Any) -> SimpleDataSourceStreamReader:
            return Records(self.options["subscribe"])

        def writer(self, schema: Any, overwrite: bool) -> DataSourceWriter:
            return Produced(self.options["topic"])

    return Kafka


def let_stand_in(monkeypatch: pytest.MonkeyPatch, asked: type[Any]) -> None:
    """Have this kind of reader or writer take the one for the other."""
    choose = asked.format
    monkeypatch.setattr(asked, "format", lambda self, name: choose(self, STAND_IN if name == "kafka" else name))


@pytest.mark.drawn(0)
def test_records_are_lines_of_json_and_results_have_a_key(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record once, also after a second start; of one that is no JSON its topic, partition and offset are told."""
    spark.dataSource.register(make_kafka())
    let_stand_in(monkeypatch, DataStreamReader)
    let_stand_in(monkeypatch, DataFrameWriter)
    records = [{"user": "ann", "t": t, "price": t} for t in (1, 4, 12, 3)]
    lines = [json.dumps(record) for record in records]
    (tmp_path / "clicks").write_text("\n".join([*lines[:2], "rubbish", *lines[2:]]) + "\n")
    arguments = (
        f"--format kafka --source-option subscribe={tmp_path}/clicks --sink kafka --sink-option topic={tmp_path}/sums "
        f"--checkpoint {tmp_path}/cp --key user --time t --value price --aggregate sum"
    )
    asked = job_of(stream.make_context("stream", [*arguments.split(), "--window", "tumbling 10"]).params)
    run(spark, asked, available_now=True)
    with (tmp_path / "clicks").open("a") as file:
        file.write(json.dumps({"user": "ann", "t": 5, "price": 9}) + "\n" + json.dumps({"t": 40}) + "\n")
    sink = open_sink(spark, asked)
    run(spark, asked, available_now=True, sink=sink)
    assert sink.promise == f"kafka: {AGAIN}"
    written = [line.split("\t") for line in (tmp_path / "sums").read_text().splitlines()]
    told = [(key, json.loads(value)) for key, value in written]
    results = {(key, row["window_start"], row["result"]) for key, row in told if row["kind"] == "result"}
    assert results == {("ann", 0, "8")}, "what a last micro-batch closes is shown with the next"
    assert [json.loads(row["detail"])["time"] for _, row in told if row["kind"] == "late"] == [5]
    (bad,) = (json.loads(row["detail"]) for _, row in told if row["kind"] == "bad")
    assert (bad["file"], bad["row"]) == ("clicks 0 2", "rubbish")
