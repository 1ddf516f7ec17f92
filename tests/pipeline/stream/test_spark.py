"""The streaming job on Spark: a killed driver, Spark's own windows for comparison, audits, and bad input."""

import json
import math
import os
import random
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from kill_stream import Stream, faults, kill_at, read_results
from support.places import TESTS

from swagproof.models.operations import ARG_MAX
from swagproof.oracle.trace import InputError, decode
from swagproof.pipeline import spell_path
from swagproof.pipeline.commands.stream import job_of, stream
from swagproof.pipeline.stream.clocks import to_clock, watermark_of
from swagproof.pipeline.stream.job import RECORD
from swagproof.pipeline.stream.query import Published, count_waiting, report_on, run
from swagproof.pipeline.stream.source import find_changed
from swagproof.reports.text import render

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from swagproof.pipeline.stream.job import Job


@pytest.fixture(autouse=True)
def one_partition(request: pytest.FixtureRequest) -> Iterator[None]:
    """Use one partition, because a small state is written quickly."""
    if "spark" not in request.fixturenames:
        yield
        return
    conf = request.getfixturevalue("spark").conf
    before = conf.get("spark.sql.shuffle.partitions")
    conf.set("spark.sql.shuffle.partitions", "1")
    yield
    conf.set("spark.sql.shuffle.partitions", before)


def add(directory: Path, i: int, rows: Iterable[dict[str, Any]], text: str = "") -> None:
    """Write file i of a directory that a stream reads."""
    directory.mkdir(exist_ok=True)
    path = directory / f"{i}.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + text)
    os.utime(path, (1_000_000_000 + i, 1_000_000_000 + i))


def job(place: Path, **options: Any) -> "Job":
    """Return a job like the command line's, with one file per micro-batch."""
    given: dict[str, Any] = {name: str(place / name) for name in ("events", "out", "checkpoint")}
    given |= {"window": "tumbling 10", "aggregate": "sum", "key": "key", "time": "time", "value": "value"}
    arguments: list[str] = ["--files-per-trigger", "1"]
    for name, told in (given | options).items():
        for text in told if isinstance(told, tuple) else (told,):
            arguments += [f"--{name.replace('_', '-')}", str(text)]
    return job_of(stream.make_context("stream", arguments).params)


def read(spark: "SparkSession", place: Path) -> list[dict[str, Any]]:
    """Return the rows that a job wrote."""
    return [row.asDict() for row in spark.read.parquet(spell_path(str(place / "out"))).collect()]


def break_off(monkeypatch: pytest.MonkeyPatch, batch: int, *, published: bool) -> None:
    """Have the driver fail in a micro-batch, before or after its output is published."""
    add_rows = Published.add

    def add(self: Published, rows: Any, number: int) -> None:
        if published:
            add_rows(self, rows, number)
        if number == batch:
            raise RuntimeError("broken off")
        if not published:
            add_rows(self, rows, number)

    monkeypatch.setattr(Published, "add", add)


@pytest.mark.drawn(0)
def test_broken_off_between_any_two_logs(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver is really killed once, just after it published; its JVM ends by itself.  The end simulates a kill
    between the last files and the micro-batch that shows the windows they ended.

    Some events are late, and a file is broken.
    """
    events = Stream(tmp_path / "events", files=3, rows=80)
    due = events.answer(events.write(seed=5))
    out, checkpoint = tmp_path / "out", tmp_path / "checkpoint"
    command = events.command(out, checkpoint)
    asked = job_of(stream.make_context("stream", command[3:]).params)
    for batch, published in ((0, True), (2, False)):
        with monkeypatch.context() as patch:
            break_off(patch, batch, published=published)
            with pytest.raises(InputError, match="broken off"):
                run(spark, asked, available_now=True)
    for log in (checkpoint / "offsets").glob("*2*"):
        log.unlink()  # between the source's log and that of offsets: the next is two files
    assert (checkpoint / "sources" / "0" / "2").exists()
    left = tmp_path / "left"
    left.mkdir()
    monkeypatch.setenv("TMPDIR", str(left))
    assert kill_at(command, "published", out, checkpoint, random.Random(1), alone=True)
    assert not list(left.iterdir()), "its JVM is gone, and its folder with it"
    run(spark, asked, available_now=True)
    got = read_results(spark, out)
    assert len(got) == len(due) > 40
    assert sum(answer[3] == 0 for answer in due) > 5
    assert faults(got, due) == {"lost": 0, "repeated": 0, "wrong": 0}
    assert faults([*got[1:], got[2], (*got[3][:4], 10**9)], due) == {"lost": 1, "repeated": 2, "wrong": 1}
    last = max(int(file.name) for file in (checkpoint / "offsets").glob("[0-9]*"))  # it has no files
    for log in (checkpoint / "offsets", checkpoint / "commits"):
        (log / str(last)).unlink()
        (log / f".{last}.crc").unlink()
    shutil.rmtree(out / f"batch={last}")
    assert faults(read_results(spark, out), due)["lost"] > 5
    run(spark, asked, available_now=True)
    assert faults(read_results(spark, out), due) == {"lost": 0, "repeated": 0, "wrong": 0}


@pytest.mark.drawn(0)
def test_a_job_that_writes_before_the_commit_is_caught(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    events = Stream(tmp_path / "events", files=2, rows=60)
    due = events.answer(events.write(seed=5))
    out, checkpoint = tmp_path / "out", tmp_path / "checkpoint"
    asked = job_of(stream.make_context("stream", events.command(out, checkpoint)[3:]).params)

    def hand_out(self: Published, rows: Any, number: int) -> None:
        rows.write.mode("append").parquet(f"{self.place}/batch={number}")
        if number == 2 and not (tmp_path / "stumbled").exists():
            (tmp_path / "stumbled").touch()
            raise RuntimeError("broken off")

    monkeypatch.setattr(Published, "add", hand_out)
    with pytest.raises(InputError, match="broken off"):
        run(spark, asked, available_now=True)
    run(spark, asked, available_now=True)
    found = faults(read_results(spark, out), due)
    assert found["repeated"] > 0
    assert found["lost"] == 0


# Spark's own windows


SPARKS = "spark.sql.streaming.statefulOperator.allowMultiple"


def own_windows(spark: "SparkSession", place: Path, *, lenient: bool) -> dict[tuple[str, int], tuple[int, int, int]]:
    """Return the result of Spark's window() for the events: their number, sum and maximum."""
    from pyspark.sql import functions as F

    before = spark.conf.get(SPARKS)
    spark.conf.set(SPARKS, str(lenient).lower())
    out = str(place / f"own_{lenient}")
    try:
        rows = spark.readStream.schema("key string, time bigint, value bigint").option("maxFilesPerTrigger", 1)
        stamped = rows.json(str(place / "events")).withColumn("at", F.timestamp_seconds("time"))
        windows = stamped.withWatermark("at", "10 seconds").groupBy("key", F.window("at", "60 seconds", "20 seconds"))
        own = windows.agg(F.count("value").alias("n"), F.sum("value").alias("sum"), F.max("value").alias("max"))
        flat = own.select(
            "key", "n", "sum", "max", *(F.unix_seconds(f"window.{end}").alias(end) for end in ("start", "end"))
        )
        writer = flat.writeStream.format("json").outputMode("append").option("checkpointLocation", f"{out}_checkpoint")
        writer.trigger(availableNow=True).start(out).awaitTermination()
    finally:
        spark.conf.set(SPARKS, str(before))
    return {(row["key"], row["start"]): (row["n"], row["sum"], row["max"]) for row in spark.read.json(out).collect()}


def test_sparks_own_windows_agree(tmp_path: Path, spark: "SparkSession") -> None:
    """Some events are late.  By default Spark takes those whose window ends in their own micro-batch.

    This output is a right job's, and the audit with Spark's default rules accepts it.
    """
    rng = random.Random(3)
    for i in range(4):
        times = (1_000 + i * 80 + rng.randint(-150, 40) for _ in range(80))
        events: list[dict[str, Any]] = [
            {"key": rng.choice("ab"), "time": t, "value": rng.randint(-9, 99)} for t in times
        ]
        add(tmp_path / "events", i, [*events, *([{"key": "c", "time": 9_000, "value": 0}] if i == 3 else [])])
    pairs = str(TESTS / "support" / "stream_monoids.py") + ":SUM_AND_MAX"
    asked: dict[str, Any] = {"window": "sliding 1m every 20s", "watermark": "10s", "time_unit": "s"}
    run(spark, job(tmp_path, aggregate=pairs, **asked), available_now=True)
    rows = read(spark, tmp_path)
    ours = {
        (row["key"], row["window_start"]): (row["events"], *decode(json.loads(row["result"])))
        for row in rows
        if row["kind"] == "result"
    }
    assert len(ours) > 20
    assert sum(row["kind"] == "late" for row in rows) > 0
    assert own_windows(spark, tmp_path, lenient=False) == ours
    theirs = own_windows(spark, tmp_path, lenient=True)
    assert set(ours) <= set(theirs)
    assert theirs != ours
    assert all(theirs[name][0] >= n for name, (n, *_) in ours.items())
    here = tmp_path / "audit"
    claimed = {
        "results": str(tmp_path / "own_False"),
        "result": "sum:int",
        "window_start": "start",
        "window_end": "end",
    }
    run(spark, job(here, events=str(tmp_path / "events"), **asked, **claimed), available_now=True)
    found = Published(spark, str(here / "out")).count_kinds()
    assert found == {"conforms": len(ours), "late": sum(row["kind"] == "late" for row in rows)}


# The job


@pytest.mark.drawn(0)
def test_bad_rows_and_times_of_all_ages(tmp_path: Path, spark: "SparkSession") -> None:
    events = tmp_path / "events"
    fine = [{"key": "a", "time": t, "value": v} for t, v in ((-25, 2**62), (0, 2**62), (5, 2**62), (7, 1))]
    wrong = [{"key": "a", "time": 3}, {"key": "a", "value": 1}, {"time": 4, "value": 1}, {"key": "a", "time": "x"}]
    wrong += [{"key": "a", "time": 10**15, "value": 1}, {"key": "a", "time": 1, "value": 2**63}]
    add(events, 0, fine)
    add(events, 1, wrong, "rubbish\n")
    add(events, 2, [{"time": 1_000}])
    asked = job(tmp_path)
    run(spark, asked, available_now=True)
    rows = read(spark, tmp_path)
    found = {(row["window_start"], row["result"], row["events"]) for row in rows if row["kind"] == "result"}
    assert found == {(-30, str(2**62), 1), (0, str(2**63 + 1), 3)}
    why = [json.loads(row["detail"]) for row in rows if row["kind"] == "bad"]
    assert len(why) == len(wrong) + 1
    assert {told["file"] for told in why} == {"1.json"}
    assert sum(told["row"] == "rubbish" for told in why) == 1
    assert Published(spark, asked.out).count_kinds() == {"bad": 7, "result": 2}
    with pytest.raises(InputError, match=r"window 'tumbling 10', not 'tumbling 20'"):
        job(tmp_path, window="tumbling 20").check()
    with pytest.raises(InputError, match="no column user; there are key, time, value"):
        run(spark, job(tmp_path / "new", events=str(events), key="user"), available_now=True)
    job(tmp_path / "new", events=str(events)).check()  # a start that was refused has claimed nothing
    with pytest.raises(InputError, match="results of another checkpoint"):
        job(tmp_path, checkpoint=str(tmp_path / "other")).check()


@pytest.mark.drawn(0)
def test_a_file_that_is_older_than_those_that_were_read_counts(tmp_path: Path, spark: "SparkSession") -> None:
    """A copy may keep its age; Spark's source skips files that are a week older by default."""
    for i, time in ((0, 1), (-10_000_000, 2), (1, 30)):
        add(tmp_path / "events", i, [{"key": "a", "time": time, "value": 1}])
        run(spark, job(tmp_path), available_now=True)
    rows = read(spark, tmp_path)
    assert [(row["kind"], row["window_start"], row["result"]) for row in rows] == [("result", 0, "2")]


def test_order_and_revisions(tmp_path: Path, spark: "SparkSession") -> None:
    events = tmp_path / "events"
    calls = ((0, 1, 2, "ann"), (0, 1, 2, "bob"), (1, 12, 1, "cy"), (3, 0, 2, "dee"), (5, 2, 9, "eve"))
    for i in range(6):
        rows = [{"key": "a", "time": t, "m": m, "who": who, "n": n} for n, (j, t, m, who) in enumerate(calls) if i == j]
        add(events, i, rows or [{"time": 10 + i**3}])
    asked = job(tmp_path, aggregate="arg-max", value=("m", "who:text"), arrival="n", late="retract", lateness="50")
    run(spark, asked, available_now=True)
    rows = [row for row in read(spark, tmp_path) if row["window_start"] == 0]
    said = sorted((row["version"], row["kind"] == "result", decode(json.loads(row["result"]))) for row in rows)
    assert said == [(0, False, "ann"), (0, True, "ann"), (1, True, "dee")]
    (late,) = (row for row in read(spark, tmp_path) if row["kind"] == "late")
    assert json.loads(late["detail"])["value"] == {"tuple": [9, "eve"]}
    assert ARG_MAX.lower(ARG_MAX.combine((2, "dee"), (2, "ann"))) == "dee"


def test_another_job_is_audited(tmp_path: Path, spark: "SparkSession") -> None:
    events, results = tmp_path / "events", tmp_path / "results"
    add(events, 0, [{"key": "a", "time": t, "value": t} for t in range(1, 60)])

    def claim(begin: int, end: int, total: int) -> dict[str, Any]:
        return {"key": "a", "window_start": begin, "window_end": end, "total": total}

    sums = {begin: sum(range(begin, begin + 10)) for begin in range(0, 60, 10)}
    claims = [claim(begin, begin + 10 + (begin == 40), total + (begin == 10)) for begin, total in sums.items()]
    add(results, 0, [*claims[:2], *claims[3:], claims[5], claim(300, 310, 1), claim(390, 400, 1)])
    add(events, 1, [{"time": 400}])
    asked = job(tmp_path, results=str(results), result="total:int", patience="20")
    run(spark, asked, available_now=True)
    found = {(row["window_start"], row["kind"]) for row in read(spark, tmp_path)}
    due = {(0, "conforms"), (10, "wrong"), (20, "missing"), (30, "conforms"), (40, "extra"), (40, "missing")}
    assert found == due | {(50, "duplicate"), (300, "extra")}
    (wrong,) = (row for row in read(spark, tmp_path) if row["kind"] == "wrong")
    assert (wrong["result"], wrong["claimed"], wrong["events"]) == ("145", "146", 10)
    assert count_waiting(spark, asked) == 1, "the one whose patience is not over"
    faults = Published(spark, asked.out).list_faults()
    assert len(faults) == 5
    said = render(report_on({"wrong": 1}, asked.out, audited=True, faults=[wrong]))
    assert "wrong: key a, 10 to 20: claimed 146, expected 145 (of 10 events)" in said


@pytest.mark.drawn(0)
def test_an_event_that_comes_twice_is_no_fault_of_the_job(tmp_path: Path, spark: "SparkSession") -> None:
    """An unreadable row may explain a wrong claim: the outcome is unknown, unless bad rows are allowed."""
    fine: dict[str, Any] = {"key": "a", "time": 1, "n": 0, "value": "x"}
    add(tmp_path / "events", 0, [fine, fine], "rubbish\n")
    add(tmp_path / "events", 1, [{"time": 40}])
    claim = {"key": "a", "window_start": 0, "window_end": 10, "result": "x"}
    add(tmp_path / "results", 0, [claim])
    options = {"value": "value:text", "aggregate": "concatenation", "arrival": "n", "result": "result:text"}
    run(spark, job(tmp_path, results=str(tmp_path / "results"), **options), available_now=True)
    rows = Published(spark, str(tmp_path / "out")).count_kinds()
    assert rows == {"conforms": 1, "repeated": 1, "bad": 1}
    assert [report_on(rows, "out", audited=True, allow_bad=allowed).exit_code for allowed in (False, True)] == [3, 0]


@pytest.mark.parametrize(
    ("rows", "audited", "allowed", "outcome"),
    [
        ({"result": 3, "bad": 1}, False, False, "done"),
        ({"result": 3, "unreadable": 1}, False, False, "unknown"),
        ({"result": 3, "unreadable": 1}, False, True, "done"),
        ({"conforms": 3, "unreadable": 1}, True, False, "unknown"),
        ({"conforms": 3}, True, False, "conforms"),
        ({"late": 3}, True, False, "unknown"),
        ({"conforms": 3, "wrong": 1}, True, False, "violated"),
        ({"conforms": 3, "wrong": 1, "bad": 1}, True, False, "unknown"),
        ({"conforms": 3, "wrong": 1, "bad": 1}, True, True, "violated"),
        ({"conforms": 3, "duplicate": 1, "bad": 1}, True, False, "violated"),
    ],
)
def test_outcomes(rows: dict[str, int], audited: bool, allowed: bool, outcome: str) -> None:
    report = report_on(rows, "out", audited=audited, allow_bad=allowed)
    assert report.data["outcome"] == outcome
    assert render(report).startswith(f"{outcome}: ")


def test_what_waits_is_told_whatever_it_waits_for() -> None:
    """Waiting for results leaves the verdict open; waiting for a requested patience does not."""
    told = [report_on({"conforms": 3}, "out", audited=True, waiting=2, patient=patient) for patient in (False, True)]
    assert [report.outcome for report in told] == ["unknown", "conforms"]
    assert ["2 not judged" in report.sentence for report in told] == [True, True]


@pytest.mark.drawn(0)
def test_csv_and_parquet(tmp_path: Path, spark: "SparkSession") -> None:
    import pyarrow as pa
    import pyarrow.parquet

    csv, parquet = tmp_path / "csv", tmp_path / "of [2026]*"
    csv.mkdir()
    parquet.mkdir()
    rows = "price,seq,note,t,city,shop\n" + "".join(f"0.{i},{i},x,{40 - i},rome,{i % 2}\n" for i in range(8))
    (csv / "0.csv").write_text(rows + "0.5,99,x,soon,rome,1\nabc,100,x,41,rome,1\n0.5,101,x,41,,1\n")
    asked = {"key": ("city", "shop"), "time": "t", "value": "price:decimal", "arrival": "seq", "window": "tumbling 4"}
    (csv / "1.csv").write_text("price,seq,note,t,city,shop\n,,,99,,\n")
    os.utime(csv / "0.csv", (1, 1))
    run(spark, job(tmp_path, events=str(csv), **asked), available_now=True)
    found = read(spark, tmp_path)
    sums = sorted((row["key"], row["window_start"], row["number"]) for row in found if row["kind"] == "result")
    assert sums == [
        ('["rome","0"]', 32, 0.6),
        ('["rome","0"]', 36, 0.6),  # 0.2 + 0.4, times 36 and 38
        ('["rome","0"]', 40, 0.0),
        ('["rome","1"]', 32, 1.2),
        ('["rome","1"]', 36, 0.4),
    ]
    assert sum(row["kind"] == "bad" for row in found) == 3

    stamps = pa.array([10**9 * t + 7_000 for t in (1, 2, 11, 10_000)], pa.timestamp("ns", tz="UTC"))
    columns = {"key": pa.array([1, 1, 1, 2]), "t": stamps, "x": pa.array([0.1, 0.2, 1e300, 0.0])}
    writer: Any = pyarrow.parquet
    writer.write_table(pa.table(columns), parquet / "0.parquet")
    (parquet / "1.parquet").write_text("no Parquet")
    writer.write_table(pa.table({**columns, "x": pa.array([True] * 4)}), parquet / "2.parquet")
    for i in range(3):
        os.utime(parquet / f"{i}.parquet", (1_000_000_000 + i, 1_000_000_000 + i))
    here = tmp_path / "[second]"
    here.mkdir()
    asked = {"events": str(parquet), "time": "t:timestamp", "window": "tumbling 10s", "aggregate": "float-sum"}
    run(spark, job(here, **asked, value="x:float"), available_now=True)
    rows = read(spark, here)
    sums = {row["window_start"]: row["number"] for row in rows if row["kind"] == "result"}
    assert sums == {0: math.fsum((0.1, 0.2)), 10_000_000: 1e300}
    told = [json.loads(row["detail"]) for row in rows if row["kind"] == "unreadable"]
    assert sorted(one["file"] for one in told) == ["1.parquet", "2.parquet"]
    assert not any("row" in one for one in told)
    assert not find_changed(str(here / "checkpoint"))
    os.utime(parquet / "1.parquet")
    assert find_changed(str(here / "checkpoint")) == [str(parquet / "1.parquet")]
    (parquet / "2.parquet").chmod(0o600)  # its modification time stays the same
    assert find_changed(str(here / "checkpoint")) == [str(parquet / "1.parquet"), str(parquet / "2.parquet")]
    with pytest.raises(InputError, match="no column y"):
        run(spark, job(tmp_path / "second", **asked, value="y"), available_now=True)
    with pytest.raises(InputError, match="write --time t:timestamp"):
        run(
            spark,
            job(tmp_path / "third", **asked | {"time": "t", "window": "tumbling 9", "value": "x:float"}),
            available_now=True,
        )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"--events": "nowhere"}, "--events nowhere: no such directory"),
        ({"--window": "tumbling 1h"}, "--window: 1h: times are plain numbers"),
        ({"--aggregate": "summ"}, "summ: not one of count, sum"),
        ({"--aggregate": "concatenation", "--value": "value:text"}, "--arrival: concatenation depends on the order"),
        ({"--value": "value:integer"}, "'integer' is not one of int, float"),
        ({"--lateness": "5"}, "--lateness"),
        ({"--late": "update"}, "--late update: give --lateness; without a limit"),
        ({"--conf": "memory"}, "--conf memory: write NAME=VALUE"),
        ({"--window": "rows -2 0"}, "frames and counts are for audit"),
        ({"--master": "sc://host"}, "Spark Connect is not supported"),
    ],
)
def test_usage_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], why: str) -> None:
    monkeypatch.chdir(tmp_path)
    add(tmp_path / "in", 0, [])
    options = {"--events": "in", "--out": "out", "--checkpoint": "cp", "--window": "tumbling 5", "--aggregate": "sum"}
    options |= {"--key": "k", "--time": "t", "--value": "value"} | change
    result = CliRunner().invoke(stream, [part for option in options.items() for part in option])
    assert result.exit_code == 2, result.output
    assert result.output.startswith("Error: ")
    assert why in result.output.replace(str(tmp_path) + "/", "")
    assert len(result.output.strip().splitlines()) == 1


def test_two_do_not_run_on_one_checkpoint(tmp_path: Path) -> None:
    """The second does not wait; after the first has ended in any way, another one may run."""
    add(tmp_path / "events", 0, [{"key": "a", "time": 1, "value": 1}])
    asked = job(tmp_path)
    asked.check()
    with asked.hold(), pytest.raises(InputError, match="another process uses it; stop that one"), asked.hold():
        pass

    def fail() -> None:
        with asked.hold():
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        fail()
    with asked.hold():
        pass


def test_a_checkpoint_of_an_older_version(tmp_path: Path) -> None:
    """Missing fields get their defaults; another version of the state is rejected."""
    add(tmp_path / "events", 0, [{"key": "a", "time": 1, "value": 1}])
    asked = job(tmp_path, late="update", lateness="5")
    asked.check()
    record = tmp_path / "checkpoint" / RECORD
    task = {"window": "tumbling 10", "unit": "plain", "aggregate": "sum", "kinds": ["int"], "late": "update"}
    old = {
        "task": {**task, "lateness": 5},
        "out": str(tmp_path / "out"),
        "state": 3,
    }
    written = json.loads(record.read_text())
    assert {part: written[part] for part in old} == old
    (record.parent / "offsets").mkdir()
    (record.parent / "offsets" / "0").touch()  # it has taken a micro-batch
    replace(asked, events=replace(asked.events, stop=True)).check()
    with pytest.raises(InputError, match="with lateness 5, not none"):
        job(tmp_path, late="update", lateness="0").check()
    record.write_text(json.dumps({**written, "state": 1}))
    with pytest.raises(InputError, match="another version of swagproof created it"):
        asked.check()


def test_a_directory_that_may_not_be_written_to_is_named_before_spark_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path / "events", 0, [{"key": "a", "time": 1, "value": 1}])
    job(tmp_path, out=str(tmp_path / "new" / "out")).check()
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)  # root may write anywhere
    with pytest.raises(InputError, match=f"^--out {tmp_path}/new/out: no permission to write to {tmp_path}$"):
        job(tmp_path, out=str(tmp_path / "new" / "out")).check()


def test_watermarks_and_clocks() -> None:
    rng = random.Random(2)
    for unit in ("us", "ms", "s", "plain"):
        for _ in range(200):
            due, delay = rng.randint(-(10**10), 10**10), rng.randint(0, 10**6)
            clock = to_clock(due, unit, delay)
            assert watermark_of(clock, unit, delay) >= due > watermark_of(clock - 1, unit, delay)
