"""An audit on Spark has the same findings and counts as in one process: with dirty rows, late events and text."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.auditing import Row, run, write

from swagproof.pipeline import session as session_module
from swagproof.pipeline.audit.backends.cluster import Cluster
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.reading.spark_files import read
from swagproof.pipeline.audit.tables import CORRUPT, FILE, Mapped, table
from swagproof.pipeline.commands.audit import audit as command
from swagproof.pipeline.session import session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def make_events(n: int, keys: str) -> list[Row]:
    """Events out of order, some without a value or a time."""
    return [
        {
            "key": keys[i * 7919 % len(keys)],
            "time": None if i == 17 else i - i * 31 % 13,
            "seq": i,
            "value": None if i % 41 == 3 else i * 37 % 101,
            "batch": i // 10,
            "upstream": "pq"[i % 2],
        }
        for i in range(n)
    ]


def make_results(events: list[Row], windows: Callable[[int], list[tuple[int, int]]]) -> list[Row]:
    """Return sums by window of all events, with one wrong, one missing, one repeated and two extra results."""
    sums: dict[tuple[Any, int, int], int] = {}
    for event in events:
        if event["time"] is not None and event["value"] is not None:
            for window in windows(event["time"]):
                sums[event["key"], *window] = sums.get((event["key"], *window), 0) + event["value"]
    rows = [{"key": k, "window_start": a, "window_end": b, "result": x} for (k, a, b), x in sorted(sums.items())]
    rows[3] = {**rows[3], "result": rows[3]["result"] + 1}
    rows.append({**rows[5]})
    rows += [{**rows[6], "window_start": 3, "window_end": 13}, {**rows[6], "key": "?"}, {**rows[7], "result": None}]
    del rows[8]
    return rows


def tumbling(time: int) -> list[tuple[int, int]]:
    return [(time // 10 * 10, time // 10 * 10 + 10)]


def sliding(time: int) -> list[tuple[int, int]]:
    return [(begin, begin + 20) for begin in (time // 10 * 10 - 10, time // 10 * 10)]


SKIP: Row = {"nulls": "skip"}

ASKED = {
    "dirty": ("tumbling 10", {}),
    "blocks of a hot key": ("sliding 20 every 10", {**SKIP, "hot": True}),
    "late": ("sliding 20 every 10", {**SKIP, "watermark": "3"}),
    "late by their own time": ("tumbling 10", {**SKIP, "watermark": "3", "late_by": "time"}),
    "of upstreams": ("tumbling 10", {**SKIP, "watermark": "3", "upstream": "upstream", "late": "update"}),
    "each key's own": ("tumbling 10", {**SKIP, "watermark": "3", "watermark_per_key": True}),
    "sessions of a hot key": ("session 3", {**SKIP, "watermark": "2", "hot": True}),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.drawn(1)
def test_spark_finds_what_one_process_finds(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    window, options = ASKED[name]
    asked = {"aggregate": "sum", "allow_bad_rows": True, **options}
    hot = asked.pop("hot", False)
    events = make_events(300, "K" * 9 + "L" if hot else "KLMNO")
    results = make_results(events, sliding if "sliding" in window else tumbling)
    places = write(tmp_path / "e.parquet", events), write(tmp_path / "r.parquet", results)
    told: list[Any] = []
    for held, place in ((Local(), "here"), (Cluster(spark), "there")):
        written = ("out", "quarantine") if name == "dirty" else ()
        kept = {each: str(tmp_path / f"{each}-{place}") for each in written}
        said = run(*places, window, held=held, **asked, **kept).to_json()
        files = [*(tmp_path / f"quarantine-{place}").glob("*.json")]
        reasons = sorted(json.loads(line)["reason"] for file in files for line in file.read_text().splitlines())
        out = pq.read_table(tmp_path / f"out-{place}").to_pylist() if "out" in kept else []
        found = sorted(out, key=lambda row: json.dumps(row, sort_keys=True))
        ignored = ("seconds", "written", "bad_rows")
        plain = {key: it for key, it in said.items() if key not in ignored}
        told.append((plain, len(said["bad_rows"]), reasons, found))
    assert told[0] == told[1]
    assert told[0][0]["counts"]["extra"] > 1


def test_the_command_gives_spark_its_settings(
    spark: "SparkSession", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers read text files; and `--conf` reaches the session."""
    asked: dict[str, Any] = {}

    class Lent:
        def __init__(self, master: str, *_: Any, **options: Any) -> None:
            asked.update(options, master=master)

        def __enter__(self) -> "SparkSession":
            return spark

        def __exit__(self, *_: object) -> None:
            pass

    assert session.__name__ == "session"
    monkeypatch.setattr(session_module, "session", Lent)
    (tmp_path / "e.csv").write_text('k,t,n,v\na,1,1,2\na,2,2,x\nb,12,3,4\n"b\n')
    (tmp_path / "r.jsonl").write_text(
        '{"k": "a", "w": {"start": 0}, "result": 2}\n{"k": "b", "w": {"start": 10}, "result": 4.0}\n'
        '{"k": "b", "w": {"start": 20}, "result": 5}\nno\n'
    )
    options = [
        "--events", str(tmp_path / "e.csv"), "--results", str(tmp_path / "r.jsonl"), "--key", "k", "--time", "t:int",
        "--value", "v:int", "--arrival", "n", "--result", "result:decimal", "--window-start", "w.start",
        "--window", "tumbling 10", "--aggregate", "sum", "--allow-bad-rows", "--json", "-",
    ]  # fmt: skip
    told: list[Any] = []
    for where in (["--no-spark"], ["--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=3"]):
        said = json.loads(CliRunner().invoke(command, [*options, *where]).output)
        told.append({name: said[name] for name in ("outcome", "events", "results", "counts", "findings")})
    assert asked["config"] == {"spark.sql.shuffle.partitions": "3"}
    assert told[0] == told[1]
    assert told[0]["counts"]["extra"] == 1


def test_spark_takes_json_lines_apart_as_one_process_does(spark: "SparkSession", tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text(
        '{"k": "a", "w": {"start": 1.50}}\n[{"k": "b"}, {"k": "c", "v": [1, "x"]}]\nno\n\n{"k": null, "more": 1}\n'
    )
    where, asked = table("--events", [str(path)], None), [Mapped("k"), Mapped("w.start"), Mapped("n", "int")]
    here = [row for batch in Source(where, asked).read(()) for row in batch.to_pylist()]
    there = [row.asDict() for row in read(spark, where, asked).drop(FILE).collect()]
    assert sorted(map(str, here)) == sorted(map(str, there))
    assert [row[CORRUPT] for row in here] == [None, None, None, "no", None]
    assert (here[0]["w.start"], here[2]["v"], here[4]["n"]) == ("1.50", '[1,"x"]', None)


@pytest.mark.parametrize("name", ["e.jsonl", "e.csv", "e.parquet"])
def test_names_that_mean_something_to_spark(spark: "SparkSession", tmp_path: Path, name: str) -> None:
    path = tmp_path / "a[1]{b}" / name
    path.parent.mkdir()
    match name:
        case "e.jsonl":
            path.write_text('{"t": 1}\n', encoding="utf-8")
        case "e.csv":
            path.write_text("t\n1\n", encoding="utf-8")
        case _:
            pq.write_table(pa.table({"t": [1]}), path)
    assert read(spark, table("--events", [str(path)], None), [Mapped("t")]).count() == 1
