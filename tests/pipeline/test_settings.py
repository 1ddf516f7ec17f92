"""Spark settings of the commands: `--conf`, and an error for anything that is not NAME=VALUE."""

import gc
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from pyarrow import csv

from swagproof.oracle.trace import InputError
from swagproof.pipeline.batches import freeze_modules, in_worker
from swagproof.pipeline.commands.audit import audit
from swagproof.pipeline.commands.explore import explore
from swagproof.pipeline.commands.replay import replay
from swagproof.pipeline.commands.spark import name_cause
from swagproof.pipeline.session import LIGHT, make_settings


def refuse_to_start(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Prevent sessions from starting; the dictionary has the arguments of the last attempt."""
    asked: dict[str, Any] = {}

    def refuse(master: str, name: str, **options: Any) -> None:
        asked.update(options, master=master, name=name)
        raise InputError("Spark starts")

    monkeypatch.setattr("swagproof.pipeline.session.session", refuse)
    return asked


def write_queries(folder: Path, *numbers: int) -> str:
    """A recording of queries of an empty window, with these sequence numbers."""
    lines = [json.dumps({"trace": "a", "seq": seq, "op": "query", "answer": 0}) + "\n" for seq in numbers]
    (folder / "recording.jsonl").write_text("".join(lines), encoding="utf-8")
    return str(folder / "recording.jsonl")


@pytest.mark.parametrize(
    ("command", "arguments"), [(replay, ["t.jsonl", "--window", "fifo", "--monoid", "sum"]), (explore, ["daba"])]
)
def test_a_setting_reaches_the_session(
    command: click.Command, arguments: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = refuse_to_start(monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.jsonl").write_text("", encoding="utf-8")
    told = CliRunner().invoke(command, [*arguments, "--master", "local[1]", "--conf", "a.b=c=d"])
    assert (told.exit_code, "Spark starts" in told.output) == (2, True)
    assert asked["config"] == {"a.b": "c=d"}
    assert (asked["master"], asked["name"]) == ("local[1]", f"swagproof {command.name}")
    told = CliRunner().invoke(command, [*arguments, "--master", "local[1]", "--conf", "a.b"])
    assert (told.exit_code, "--conf a.b: write NAME=VALUE" in told.output) == (2, True)


@pytest.mark.parametrize(
    ("master", "own", "expected"),
    [
        ("local[2]", {}, LIGHT),
        ("local[2]", {"spark.driver.extraJavaOptions": "-Xint"}, "-Xint"),
        ("spark://x", {}, None),
    ],
)
def test_a_jvm_is_light_where_nobody_says_otherwise(master: str, own: dict[str, str], expected: str | None) -> None:
    settings = make_settings(master, "name", False, own, light=True)
    assert settings.get("spark.driver.extraJavaOptions") == expected


def write_flights(folder: Path, form: str) -> list[str]:
    events, results = pa.table({"t": [1, 2], "x": [3, 4]}), pa.table({"window_start": [0], "result": [7]})
    for name, rows in (("events", events), ("results", results)):
        match form:
            case "parquet":
                pq.write_table(rows, folder / f"{name}.parquet")
            case "csv":
                csv.write_csv(rows, folder / f"{name}.csv")
            case _:
                lines = "".join(json.dumps(row) + "\n" for row in rows.to_pylist())
                (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return ["--events", f"{folder}/events.{form}", "--results", f"{folder}/results.{form}", "--value", "x"]


AUDIT = {"--time": "t:int", "--window": "tumbling 10", "--aggregate": "sum"}


@pytest.mark.parametrize("form", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"--time": "when"}, "has no such column"),
        ({"--window": "tumbling ten"}, "not a span of time"),
        ({"--aggregate": "summ"}, "summ"),
        ({}, "starts"),  # a valid one starts Spark
    ],
)
def test_an_audit_that_cannot_be_is_refused_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str], said: str, form: str
) -> None:
    refuse_to_start(monkeypatch)
    options = [word for pair in (AUDIT | wrong).items() for word in pair]
    done = CliRunner().invoke(audit, [*write_flights(tmp_path, form), *options, "--master", "local[1]"])
    assert (done.exit_code, said in done.stderr) == (2, True), done.output


def test_a_replay_that_cannot_be_is_refused_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_to_start(monkeypatch)
    command = [write_queries(tmp_path, 0), "--window", "fifo", "--master", "local[1]"]
    for monoid, said in (("summ", "summ"), ("sum", "starts")):
        done = CliRunner().invoke(replay, [*command, "--monoid", monoid])
        assert (done.exit_code, said in done.stderr) == (2, True), done.output


@pytest.mark.parametrize(("least", "light"), [(3, True), (0, False)])
def test_a_jvm_that_has_to_sort_many_rows_is_not_light(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int, light: bool
) -> None:
    asked = refuse_to_start(monkeypatch)
    monkeypatch.setattr("swagproof.pipeline.commands.replay.COMPILES", least)
    command = [write_queries(tmp_path, 1, 0), "--window", "fifo", "--monoid", "sum", "--master", "local[1]"]
    CliRunner().invoke(replay, command)
    assert asked["light"] is light


def test_a_file_that_spark_cannot_read_is_named() -> None:
    said = """An error occurred while calling o52.count.
: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///a%5B1%5D/e.gz.  SQLSTATE: KD001
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFilesError(QueryExecutionErrors.scala:888)
Caused by: java.io.EOFException: Unexpected end of input stream
\t... 20 more"""  # noqa: E501  # Spark's words
    assert name_cause(Exception(said)) == "/a[1]/e.gz: java.io.EOFException: Unexpected end of input stream"


def test_a_worker_looks_for_garbage_in_what_is_new_alone() -> None:
    def count(_batches: Iterator[Any]) -> Iterator[Any]:
        yield gc.get_freeze_count()

    freeze_modules.cache_clear()
    gc.unfreeze()  # as at the start of a worker: the tests have frozen their imports
    assert list(count(iter(()))) == [0]
    (frozen,) = in_worker(count)(iter(()))
    assert frozen > 0
