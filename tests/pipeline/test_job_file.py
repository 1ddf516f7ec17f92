"""`swagproof audit job.toml`: the options in a file, and the guesses of a first file."""

import json
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from swagproof.pipeline.commands.audit import audit as command

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
EVENTS = "user,at,seq,price\n" + "".join(
    f"{user},{(NINE + timedelta(minutes=m)).isoformat()},{m},{price}\n"
    for user in ("ann", "bob")
    for m, price in ((0, 5), (59, 7), (60, 11), (150, 2))
)
RESULTS = "user,window_start,spent\n" + "".join(
    f"{user},{(NINE + timedelta(hours=h)).isoformat()},{total}\n"
    for user in ("ann", "bob")
    for h, total in ((0, 12), (1, 11), (2, 2))
)
JOB = """
events = "in/events.csv"
results = "results.csv"
window = "tumbling 1h"
key = ["user"]
time = "at"
value = "price"
aggregate = "sum"
result = "spent"
show = 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a job; the command runs in another one."""
    (tmp_path / "job" / "in").mkdir(parents=True)
    (tmp_path / "job" / "in" / "events.csv").write_text(EVENTS)
    (tmp_path / "job" / "results.csv").write_text(RESULTS)
    (tmp_path / "job" / "job.toml").write_text(JOB)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "job"


def run(*words: object) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words])


def test_a_file_has_the_options_and_the_command_line_comes_first(folder: Path) -> None:
    assert run(folder / "job.toml").exit_code == 0
    said = run(folder / "job.toml", "--aggregate", "max", "--json", "-")
    assert (said.exit_code, json.loads(said.stdout)["counts"]["wrong"]) == (1, 2)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("no-diagnosis = true", 2),
        ("diagnosis = false", 0),
        ("late_by = 'window'", 0),
        ("late-by = 'window'", 0),
        ("json = 'report.json'", 0),
        ("watermark = 10", 2),
        ("spark = false", 0),
    ],
)
def test_keys_are_the_names_of_options(folder: Path, line: str, code: int) -> None:
    (folder / "job.toml").write_text(JOB + line)
    done = run(folder / "job.toml")
    assert done.exit_code == code, done.output
    assert (folder / "report.json").exists() == line.startswith("json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (JOB + "agregate = 'sum'", "there is no option 'agregate'; did you mean 'aggregate'?"),
        (JOB + "late = 'dropp'", "'dropp' is not one of 'drop', 'update', 'retract'"),
        (JOB + "[late]", "late: {} is not a value of --late"),
        (JOB + "late = ['drop']", "late: ['drop'] is not a value of --late"),
        (JOB.replace("time =", "# time ="), "Missing option '--time'"),
        (JOB + "json = 'job.toml'", "job.toml is an input file"),
        ("window = ", "job.toml: "),
        (JOB.replace("in/events.csv", "events.csv"), "there is no such file"),
    ],
)
def test_what_is_no_option_is_refused(folder: Path, text: str, message: str) -> None:
    (folder / "job.toml").write_text(text)
    done = run(folder / "job.toml")
    assert (done.exit_code, message in done.output) == (2, True), done.output
    assert run(folder / "no.toml").exit_code == 2


JOBS: dict[str, tuple[str, dict[str, Any]]] = {
    "tumbling": (
        "select k, time_bucket(interval 15 minute, ts) window_start, sum(v) total from e group by all",
        {"key": ["k"], "time": "ts", "value": "v", "aggregate": "sum", "result": "total", "window": "tumbling 15m"},
    ),
    "sliding": (
        "select k, s window_start, s + to_hours(1) window_end, avg(v) answer from e, "
        "generate_series(time_bucket(interval 10 minute, ts) - to_minutes(50), time_bucket(interval 10 minute, ts), "
        "to_minutes(10)) as g(s) group by all",
        {"window": "sliding 1h every 10m", "aggregate": "mean", "value": "v", "result": "answer"},
    ),
    "days": (
        "select k, date_trunc('day', ts) as day, count(*) n from e group by all",
        {"window": "tumbling 1d", "aggregate": "count", "window-start": "day", "result": "n"},
    ),
    "offset, no key, ends": (
        "select time_bucket(interval 1 hour, ts, timestamptz '2000-01-01 00:20:00Z') + to_hours(1) as window_end, "
        "max(v) highest from e group by all",
        {"window": "tumbling 1h offset 20m", "aggregate": "max", "key": [], "value": "v"},
    ),
}


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("name", JOBS)
def test_guesses_of_a_job_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str) -> None:
    """The jobs are from DuckDB: with the file written for them, the verdict is right."""
    monkeypatch.chdir(tmp_path)
    con = duckdb.connect()
    con.execute("set timezone = 'UTC'")
    con.execute(
        "create table e as select i as id, 'k' || i % 3 as k, timestamptz '2026-03-01 00:00:00Z' + to_seconds(i * 211) "
        "as ts, (i * 37) % 101 / 4 as v from range(1000) t(i)"
    )
    query, expected = JOBS[name]
    for table, made in (("events", "select * from e"), ("results", query)):
        con.execute(f"copy ({made}) to '{table}.{form}'")
    said = run("--init", f"events.{form}", f"results.{form}")
    assert said.exit_code == 0, said.output
    guessed = tomllib.loads((tmp_path / "job.toml").read_text())
    assert {key: guessed.get(key) for key in expected} == expected
    done = run("job.toml")
    assert done.exit_code == 0, done.output
    assert "job.toml exists" in run("--init", f"events.{form}", f"results.{form}").output


def test_integers_since_the_epoch_have_a_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begin = int(NINE.timestamp() * 1000)
    at = [begin + 60_000 * m for m in range(240)]
    pq.write_table(pa.table({"event_time": at, "n": range(240)}), "e.parquet")
    hours = {"window_start": [begin + 3_600_000 * h for h in range(4)], "n": [60] * 4}
    pq.write_table(pa.table(hours), "r.parquet")
    assert run("--init", "e.parquet", "r.parquet").exit_code == 0
    guessed = tomllib.loads((tmp_path / "job.toml").read_text())
    assert (guessed["time-unit"], guessed["window"], guessed["aggregate"]) == ("ms", "tumbling 1h", "count")
    assert run("job.toml").exit_code == 0


def test_tables_without_times_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"k": ["a"], "v": [1.5]}), "e.parquet")
    done = run("--init", "e.parquet", "e.parquet")
    assert (done.exit_code, "no column of e.parquet holds times: k, v" in done.output) == (2, True), done.output
    assert run("--init", "e.parquet", "no.parquet").exit_code == 2
    assert not (tmp_path / "job.toml").exists()
