"""What the commands hand to Spark: `--conf` as it is given, and nothing that is no NAME=VALUE."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from swagproof.oracle.trace import InputError
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
