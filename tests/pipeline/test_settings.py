"""What the commands hand to Spark: `--conf` as it is given, and nothing that is no NAME=VALUE."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.audit import audit
from swagproof.pipeline.commands.explore import explore
from swagproof.pipeline.commands.replay import replay
from swagproof.pipeline.session import LIGHT, make_settings


@pytest.mark.parametrize(
    ("command", "arguments"), [(replay, ["t.jsonl", "--window", "fifo", "--monoid", "sum"]), (explore, ["daba"])]
)
def test_a_setting_reaches_the_session(
    command: click.Command, arguments: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def refuse(master: str, name: str, **options: Any) -> None:
        asked.update(options, master=master, name=name)
        raise InputError("no Spark today")

    monkeypatch.setattr("swagproof.pipeline.session.session", refuse)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.jsonl").write_text("", encoding="utf-8")
    told = CliRunner().invoke(command, [*arguments, "--master", "local[1]", "--conf", "a.b=c=d"])
    assert (told.exit_code, "no Spark today" in told.output) == (2, True)
    assert (asked["config"], asked["master"], asked["name"]) == (
        {"a.b": "c=d"},
        "local[1]",
        f"swagproof {command.name}",
    )
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


def write_flights(folder: Path) -> list[str]:
    pq.write_table(pa.table({"t": [1, 2], "x": [3, 4]}), folder / "events.parquet")
    pq.write_table(pa.table({"window_start": [0], "result": [7]}), folder / "results.parquet")
    return ["--events", f"{folder}/events.parquet", "--results", f"{folder}/results.parquet", "--value", "x"]


AUDIT = {"--time": "t", "--window": "tumbling 10", "--aggregate": "sum"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"--time": "when"}, "has no such column"),
        ({"--window": "tumbling ten"}, "no span of time"),
        ({"--aggregate": "summ"}, "summ"),
        ({}, "starts"),  # a right one does start Spark
    ],
)
def test_an_audit_that_cannot_be_is_refused_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str], said: str
) -> None:
    monkeypatch.setattr("swagproof.pipeline.session.session", _refuse)
    options = [word for pair in (AUDIT | wrong).items() for word in pair]
    done = CliRunner().invoke(audit, [*write_flights(tmp_path), *options, "--master", "local[1]"])
    assert (done.exit_code, said in done.stderr) == (2, True), done.output


def test_a_replay_that_cannot_be_is_refused_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swagproof.pipeline.session.session", _refuse)
    recording = tmp_path / "recording.jsonl"
    recording.write_text('{"trace": "a", "seq": 0, "op": "query", "answer": 0}\n')
    command = [str(recording), "--window", "fifo", "--master", "local[1]"]
    for monoid, said in (("summ", "summ"), ("sum", "starts")):
        done = CliRunner().invoke(replay, [*command, "--monoid", monoid])
        assert (done.exit_code, said in done.stderr) == (2, True), done.output


def _refuse(*_arguments: object, **_options: object) -> NoReturn:
    raise InputError("Spark starts")
