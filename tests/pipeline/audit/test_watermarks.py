"""Late events in engines: right jobs conform, and the same jobs with a fault are found.

Spark runs here, in micro-batches with moving watermarks; Flink is emulated from its source, one event at a time.
"""

import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from support.auditing import Judged, Row, judge, run
from support.elsewhere.emulated import DELAY, GAP, SIZE, bounded, emulate, fixed

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.options import LateBy, Lateness
from swagproof.pipeline.audit.policy import make_policy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def make_events(seed: int, n: int = 90) -> list[Row]:
    """Return events in the order of arrival, in batches and of three upstreams, a third of them late by up to 45."""
    draw = random.Random(seed)
    now, batch = 1000, 0
    events: list[Row] = []
    for seq in range(n):
        now += draw.choice((0, 1, 2, 3))
        batch += draw.random() < 0.08
        time = now - (draw.randint(0, 45) if draw.random() < 0.35 else 0)
        events.append(
            {"key": draw.choice("ab"), "time": time, "seq": seq, "value": draw.randint(1, 99), "batch": batch,
             "upstream": draw.choice("pqr")}
        )  # fmt: skip
    return events


# The watermark


def define(rule: Watermark, partitions: Sequence[str], steps: Sequence[tuple[int, str, int]], lag: int) -> list[int]:
    """Return the watermark at each clock, by definition; without idle partitions."""
    found: list[int] = []
    for clock in sorted({step[0] for step in steps}):
        latest = [
            max((time for c, p, time in steps if p == partition and c <= clock - lag), default=NEVER)
            for partition in partitions
        ]
        found.append(max([rule.of_latest(min(latest)), *found[-1:]]))
    return found


def test_the_watermark_is_the_least_of_its_upstreams_as_far_as_it_has_come() -> None:
    draw = random.Random(4)
    for _ in range(200):
        clocks = sorted(draw.randint(0, 12) for _ in range(draw.randint(1, 12)))
        steps = [(clock, draw.choice("pq"), draw.randint(-20, 40)) for clock in clocks]
        least, most = sorted((draw.randint(1, 4), draw.randint(1, 4)))
        rule = Watermark(draw.randint(0, 5), least, most, start=draw.choice((NEVER, 0)), grain=draw.choice((1, 3)))
        marks = [mark for clock, mark in follow(rule, "pq", steps) if clock is not None]
        assert [mark.most for mark in marks] == define(rule, "pq", steps, least)
        assert [mark.least for mark in marks] == define(rule, "pq", steps, most)


def test_an_idle_upstream_is_left_out_when_it_must_be_and_may_be_before() -> None:
    steps = [(clock, "p", 10 * clock) for clock in range(1, 9)] + [(9, "q", 1), (10, "p", 100)]
    marks = dict(follow(Watermark(0, idle=3), "pq", steps))
    assert (marks[2].most, marks[2].least) == (10, NEVER), "how long q was silent before is not known"
    assert [marks[clock].least for clock in (4, 5, 10)] == [NEVER, 40, 80], "it never falls"


def keep_up(rule: Watermark, steps: Sequence[tuple[int, str, int]], lag: int, overdue: int) -> dict[int, int]:
    """Return the watermark at each tick for an engine that detects idle partitions `overdue` ticks late."""
    assert rule.idle is not None
    first, mark, found = steps[0][0], NEVER, dict[int, int]()
    for clock in range(first, steps[-1][0] + 1):
        awake = list[int]()
        for partition in "pqr":
            there = [(c, time) for c, p, time in steps if p == partition and c <= clock - lag]
            if clock - max([c for c, _ in there], default=first) <= rule.idle + overdue:
                awake.append(max([time for _, time in there], default=NEVER))
        if awake and min(awake) > NEVER:
            mark = max(mark, min(awake) - rule.delay)
        found[clock] = mark
    return found


def test_an_engine_that_leaves_out_idle_upstreams_is_between_the_least_and_the_most() -> None:
    draw = random.Random(5)
    wider = 0
    for _ in range(300):
        clocks = sorted(draw.sample(range(40), draw.randint(2, 14)))
        steps = [(clock, draw.choice("pqr"), draw.randint(0, 20)) for clock in clocks]
        least, most = sorted((draw.randint(1, 3), draw.randint(1, 3)))
        rule = Watermark(draw.randint(0, 2), least, most, idle=draw.randint(2, 9))
        marks = {clock: mark for clock, mark in follow(rule, "pqr", steps) if clock is not None}
        for lag in range(least, most + 1):
            for overdue in (0, 3 * (most - least)):
                for clock, at in keep_up(rule, steps, lag, overdue).items():
                    if clock in marks:
                        assert marks[clock].least <= at <= marks[clock].most, (rule, steps, lag, overdue, clock)
        wider += any(mark.least < mark.most for mark in marks.values())
    assert 0 < wider < 300


def test_a_span_of_what_orders_events_is_a_plain_number_whatever_times_are() -> None:
    def idle(span: str) -> Any:
        said = Lateness(watermark="3s", upstream="p", idle=span)
        return make_policy(said, "us", None, arrival=True, batch=False).watermark

    assert idle("20000").idle == 20_000
    with pytest.raises(InputError, match="--idle: 20s: it counts --arrival"):
        idle("20s")


# Spark


def stream(
    spark: "SparkSession",
    events: Sequence[Row],
    place: Path,
    kind: str,
    mode: str,
    *,
    multiple: bool = True,
    size: int = SIZE,
    mark: Callable[[Any], Any] = lambda timed: timed.withWatermark("ts", f"{DELAY} seconds"),
) -> tuple[list[Row], list[str]]:
    """Return Spark's results for the events, one file per batch, each with its batch; and Spark's progress.

    `mark` is applied to the rows before the windows.
    """
    from pyspark.sql import functions as F

    place.mkdir()
    for batch in sorted({event["batch"] for event in events}):
        file = place / f"{batch:03}.json"
        file.write_text("".join(json.dumps(event) + "\n" for event in events if event["batch"] == batch))
        os.utime(file, (10**9 + batch, 10**9 + batch))
    got: list[Row] = []

    def take(frame: Any, batch: int) -> None:
        got.extend({**row.asDict(), "version": batch} for row in frame.collect())

    name = "spark.sql.streaming.statefulOperator.allowMultiple"
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    spark.conf.set(name, str(multiple).lower())
    try:
        read = spark.readStream.schema("key string, time long, seq long, value long, upstream string").option(
            "maxFilesPerTrigger", 1
        )
        timed = read.json(str(place)).withColumn("ts", F.timestamp_seconds("time"))
        window = F.window("ts", f"{size} seconds") if kind == "tumbling" else F.session_window("ts", f"{GAP} seconds")
        sums = mark(timed).groupBy("key", window.alias("w")).agg(F.sum("value"))
        named = sums.toDF("key", "w", "result").select(
            "key",
            F.unix_seconds("w.start").alias("window_start"),
            F.unix_seconds("w.end").alias("window_end"),
            "result",
        )
        query = named.writeStream.outputMode(mode).foreachBatch(take).trigger(availableNow=True)
        started = query.option("checkpointLocation", str(place) + ".checkpoint").start()
        started.awaitTermination()
        return got, [json.dumps(json.loads(progress.json)) for progress in started.recentProgress]
    finally:
        spark.conf.set(name, "true")
        spark.conf.set("spark.sql.shuffle.partitions", str(partitions))


def spoil(results: Sequence[Row]) -> list[Row]:
    """Return the results with one in the middle off by one."""
    at = len(results) // 2
    return [{**row, "result": row["result"] + (i == at)} for i, row in enumerate(results)]


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("kind", "multiple"), [("tumbling", True), ("tumbling", False), ("session", True), ("session", False)]
)
def test_spark_drops_by_the_watermark_of_the_batch_before_or_of_its_own(
    spark: "SparkSession", tmp_path: Path, kind: str, multiple: bool
) -> None:
    """Sessions are evicted by batches, and an event is late by its own gap."""
    events = make_events(3)
    got, progress = stream(spark, events, tmp_path / "in", kind, "append", multiple=multiple)
    assert len(got) > 8
    window = f"tumbling {SIZE}" if kind == "tumbling" else f"session {GAP}"
    engine: Literal["spark", "spark-single"] = "spark" if multiple else "spark-single"
    other: Literal["spark", "spark-single"] = "spark-single" if multiple else "spark"

    def ask(results: Sequence[Row], of: Literal["spark", "spark-single"]) -> dict[str, int]:
        late = Lateness(watermark=str(DELAY), engine=of)
        counts = judge(events, results, window, "sum", late, clock="batch").counts
        assert counts.pop("missing", 0) < 4, "but for the last windows, which nothing has closed"
        return counts

    assert ask(got, engine) == {}
    assert ask(got, other), "the setting makes a difference here"
    assert ask(spoil(got), engine) == {"wrong": 1}
    if kind == "tumbling" and multiple:  # once through the whole audit, with Spark's progress
        in_micros = [{**event, "time": event["time"] * 10**6} for event in events]
        results = [{**row, **{name: row[name] * 10**6 for name in ("window_start", "window_end")}} for row in got]
        (tmp_path / "progress.jsonl").write_text("\n".join(progress))
        asked = {"time_unit": "us", "engine": engine, "batch": "batch", "progress": str(tmp_path / "progress.jsonl")}
        report = run(in_micros, results, f"tumbling {SIZE}s", "sum", **asked)
        assert (report.outcome, report.results["open"]) == ("conforms", 3), report.sentence
        with_rows = [line for line in progress if json.loads(line)["numInputRows"]]  # as in many listeners
        assert len(with_rows) < len({json.loads(line)["batchId"] for line in progress})
        (tmp_path / "progress.jsonl").write_text("\n".join(with_rows))
        report = run(in_micros, results, f"tumbling {SIZE}s", "sum", **asked)
        assert report.outcome == "conforms", report.sentence
        report = run(in_micros, results, f"tumbling {SIZE}s", "sum", **{**asked, "engine": other})
        assert report.outcome == "violated", "the batch before has another watermark all the same"
        asked = {"time_unit": "us", "engine": engine, "batch": "batch", "watermark": f"{DELAY}s"}
        report = run(in_micros, spoil(results), f"tumbling {SIZE}s", "sum", **asked)
        assert report.counts == {"missing": 0, "extra": 0, "wrong": 1, "duplicate": 0, "late-differing": 0}


@pytest.mark.parametrize(("kind", "within"), [("tumbling", False), ("tumbling", True), ("session", False)])
@pytest.mark.drawn(1)
def test_what_deduplication_before_the_windows_drops_is_late_by_its_own_time(
    spark: "SparkSession", tmp_path: Path, kind: str, within: bool
) -> None:
    """Rows at the watermark are dropped, too, although there are no duplicates."""
    events = make_events(3)

    def mark(timed: Any) -> Any:
        marked = timed.withWatermark("ts", f"{DELAY} seconds")
        return marked.dropDuplicatesWithinWatermark(["seq"]) if within else marked.dropDuplicates(["seq", "ts"])

    got, _ = stream(spark, events, tmp_path / "in", kind, "append", mark=mark)
    assert len(got) > 8
    window = f"tumbling {SIZE}" if kind == "tumbling" else f"session {GAP}"

    def ask(results: Sequence[Row], late_by: LateBy) -> dict[str, int]:
        late = Lateness(watermark=str(DELAY), engine="spark", late_by=late_by)
        counts = judge(events, results, window, "sum", late, clock="batch").counts
        assert counts.pop("missing", 0) < 4, "but for the last windows, which nothing has closed"
        return counts

    assert ask(got, "time") == {}
    if kind == "tumbling":  # batches without rows may have run
        left_open = Lateness(watermark=str(DELAY), engine="spark", watermark_lag="1..2", late_by="time")
        counts = judge(events, got, window, "sum", left_open, clock="batch").counts
        assert set(counts) <= {"undecided", "missing"}
        assert counts["undecided"] > 0
    assert ask(got, "window"), "the operator makes a difference here"
    assert ask(spoil(got), "time") == {"wrong": 1}
    if kind == "tumbling" and not within:  # once through the whole audit
        asked = {"engine": "spark", "batch": "batch", "watermark": str(DELAY)}
        report = run(events, got, window, "sum", **asked, late_by="time")
        assert report.outcome == "conforms", report.sentence
        report = run(events, got, window, "sum", **asked)
        assert "--late-by time" in report.hints[0], report.sentence
        plain, _ = stream(spark, events, tmp_path / "plain", kind, "append")
        report = run(events, plain, window, "sum", **asked, late_by="time")
        assert "no --late-by" in report.hints[0], report.sentence


@pytest.mark.drawn(0)
def test_the_watermark_of_a_union_is_the_least_of_its_streams(spark: "SparkSession", tmp_path: Path) -> None:
    events = make_events(6, 120)
    last = {name: max(e["batch"] for e in events if e["upstream"] == name) for name in "pqr"}
    behind = {"p": 0, "q": 0, "r": 40}
    events = [
        {**event, "time": event["time"] - behind[event["upstream"]]}
        for event in events
        if event["batch"] <= min(last.values())
    ]

    def mark(timed: Any) -> Any:
        p, q, r = (timed.where(f"upstream = '{name}'").withWatermark("ts", f"{DELAY} seconds") for name in "pqr")
        return p.union(q).union(r)

    got, progress = stream(spark, events, tmp_path / "in", "tumbling", "append", mark=mark)
    assert len(got) > 8
    in_micros = [{**event, "time": event["time"] * 10**6} for event in events]
    results = [{**row, **{name: row[name] * 10**6 for name in ("window_start", "window_end")}} for row in got]
    (tmp_path / "progress.jsonl").write_text("\n".join(progress))
    asked: dict[str, Any] = {"time_unit": "us", "engine": "spark", "batch": "batch"}
    for said in ({"watermark": f"{DELAY}s", "upstream": "upstream"}, {"progress": str(tmp_path / "progress.jsonl")}):
        report = run(in_micros, results, f"tumbling {SIZE}s", "sum", **asked, **said)
        assert report.outcome == "conforms", report.sentence
        assert run(in_micros, spoil(results), f"tumbling {SIZE}s", "sum", **asked, **said).counts["wrong"] == 1
    report = run(in_micros, results, f"tumbling {SIZE}s", "sum", **asked, watermark=f"{DELAY}s")
    assert report.outcome == "violated", "the least of three is not that of all"


@pytest.mark.drawn(0)
def test_the_last_table_of_complete_mode_has_late_rows_of_windows_but_not_of_sessions(
    spark: "SparkSession", tmp_path: Path
) -> None:
    events = make_events(3)

    def ask(results: Sequence[Row], window: str, *, marked: bool) -> dict[str, int]:
        if marked:
            late = Lateness(watermark=str(DELAY), engine="spark")
            return judge(events, results, window, "sum", late, clock="batch").counts
        return judge(events, results, window, "sum").counts

    for kind, window, marked in (("tumbling", f"tumbling {SIZE}", False), ("session", f"session {GAP}", True)):
        got, _ = stream(spark, events, tmp_path / kind, kind, "complete")
        table = [row for row in got if row["version"] == max(one["version"] for one in got)]
        assert ask(table, window, marked=marked) == {}
        assert ask(table, window, marked=not marked), "the mode makes a difference here"
        assert ask(spoil(table), window, marked=marked) == {"wrong": 1}


@pytest.mark.drawn(0)
def test_what_windows_of_windows_are_made_of_are_the_rows_of_the_first(spark: "SparkSession", tmp_path: Path) -> None:
    """An event that is late for the first windows is missing in the second, and no row of the first is late."""
    from pyspark.sql import functions as F

    events = make_events(3)
    short = SIZE // 4

    def sum_up(timed: Any) -> Any:
        marked = timed.withWatermark("ts", f"{DELAY} seconds")
        sums = marked.groupBy("key", F.window("ts", f"{short} seconds").alias("w1")).agg(F.sum("value").alias("value"))
        return sums.select("key", F.window_time("w1").alias("ts"), "value")

    rows: list[Row] = []
    for kind, window in (("tumbling", f"tumbling {SIZE}"), ("session", f"session {GAP} touching")):
        got, _ = stream(spark, events, tmp_path / kind, kind, "append", mark=sum_up)
        if not rows:
            first, _ = stream(spark, events, tmp_path / "first", "tumbling", "append", size=short)
            rows = [
                {"key": row["key"], "time": row["window_end"] - 1, "seq": i, "value": row["result"]}
                for i, row in enumerate(first)
            ]
        counts = judge(rows, got, window, "sum").counts
        assert set(counts) <= {"missing"}, counts
        assert counts.get("missing", 0) < 4, "but for the last windows, which nothing has closed"
        assert judge(rows, spoil(got), window, "sum").counts["wrong"] == 1
        late = Lateness(watermark=str(DELAY), engine="spark")
        of_events = judge(events, got, window.removesuffix(" touching"), "sum", late, clock="batch").counts
        assert set(of_events) - {"missing"}, "an event that is late for the first is not late for the second"


def test_every_version_of_an_update_is_judged(spark: "SparkSession", tmp_path: Path) -> None:
    events = make_events(5)
    got, _ = stream(spark, events, tmp_path / "in", "tumbling", "update", multiple=True)
    late = Lateness(late="update", watermark=str(DELAY), lateness="0", engine="spark")
    names = ("key", "window_start")
    versions = [
        row
        for row in got
        if sum(other[names[0]] == row["key"] and other[names[1]] == row[names[1]] for other in got) > 1
    ]
    first = min(versions, key=lambda row: row["version"])

    def ask(results: Sequence[Row]) -> Judged:
        return judge(events, results, f"tumbling {SIZE}", "sum", late, clock="batch", versions="early")

    assert ask(got).counts == {}
    wrong = ask([{**row, "result": row["result"] + 1} if row is first else row for row in got])
    assert [(fault["kind"], fault["role"], fault["version"]) for fault in wrong.faults] == [
        ("wrong", "version", first["version"])
    ]


def test_what_the_options_say_reaches_the_audit() -> None:
    """Upstreams, a recorded watermark, and an uncertain one, through the whole audit."""
    events = make_events(8, 120)
    latest: dict[str, int] = dict.fromkeys("pqr", NEVER)
    marks: list[int] = []
    for event in events:
        marks.append(min(latest.values()) - DELAY - 1 if NEVER not in latest.values() else NEVER)
        latest[event["upstream"]] = max(latest[event["upstream"]], event["time"])
    results = list(emulate(events, fixed, marks))
    noted = [{**event, "watermark": None if m == NEVER else m + 1} for event, m in zip(events, marks, strict=True)]
    for said in ({"watermark": str(DELAY), "upstream": "upstream"}, {"watermark_column": "watermark"}):
        report = run(noted, results, SLIDING, "sum", **said)
        assert report.outcome == "conforms", report.sentence
        assert run(noted, spoil(results), SLIDING, "sum", **said).counts["wrong"] == 1
    together = [{**event, "upstream": "p"} for event in events]
    least = Lateness(watermark=str(DELAY), upstream="upstream")
    assert judge(together, results, SLIDING, "sum", least).counts, "the upstreams make a difference"
    results = list(emulate(events, fixed, bounded(events, 5)))
    left_open = {"watermark": str(DELAY), "watermark_lag": "1..5", "engine": "flink"}
    report = run(events, results, SLIDING, "sum", **left_open)
    assert (report.outcome, report.report().exit_code, report.results["undecided"] > 0) == ("unknown", 3, True)
    assert "does not decide which events were late" in report.sentence
    assert run(events, results, SLIDING, "sum", allow_undecided=True, **left_open).outcome == "conforms"


# Flink, by its source code


SLIDING = f"sliding {2 * SIZE} every {SIZE}"


@pytest.mark.parametrize("seed", range(3))
def test_where_a_periodic_watermark_leaves_it_open_no_answer_is_called_wrong(seed: int) -> None:
    events = make_events(seed, 200)
    late = Lateness(watermark=str(DELAY), engine="flink", watermark_lag="1..7")
    for period in (1, 3, 6, 7):
        results = list(emulate(events, fixed, bounded(events, period)))
        found = judge(events, results, SLIDING, "sum", late)
        assert set(found.counts) == {"undecided"}
        assert 0 < found.counts["undecided"] < found.due / 2
        decided = {(fault["key"], fault["a"]) for fault in found.faults}
        at = next(i for i, row in enumerate(results) if (row["key"], row["window_start"]) not in decided)
        for place, more in ((at, 1), (next(i for i in range(len(results)) if i != at), 10**6)):
            wrong = [{**row, "result": row["result"] + (i == place) * more} for i, row in enumerate(results)]
            assert judge(events, wrong, SLIDING, "sum", late).counts["wrong"] == 1
    slow = list(emulate(events, fixed, bounded(events, 40)))
    assert judge(events, slow, SLIDING, "sum", late).counts.get("wrong"), "slower than it was said to be"
    with pytest.raises(InputError, match="is uncertain"):
        judge(events, [], f"session {GAP}", "sum", late)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("period", [1, 3, 5])
def test_a_job_may_be_stopped_between_two_watermarks(period: int) -> None:
    """No watermark follows its last event: a window that only this one would have closed is not missing."""
    asked = {"watermark": str(DELAY), "watermark_lag": "1..5", "engine": "flink", "allow_undecided": True}
    events = make_events(11, 140)
    marks = bounded(events, period)
    for n in range(100, 140, 7):
        results = list(emulate(events[:n], fixed, marks[:n], last=marks[n - 1]))
        report = run(events[:n], results, SLIDING, "sum", **asked)
        assert report.outcome == "conforms", (n, report.sentence)
        over = next(row for row in results[::-1] if row["window_end"] - 1 <= marks[n - 6])
        counts = run(events[:n], [row for row in results if row is not over], SLIDING, "sum", **asked).counts
        assert sum(counts.values()) == 1, "each of these jobs has seen that watermark"


# Kafka Streams, by its source code


def emulate_streams(events: Sequence[Row], grace: int) -> Iterator[Row]:
    """Yield what KStreamWindowAggregate forwards for each record, over hopping windows."""
    held: dict[tuple[str, int], list[int]] = {}
    observed = NEVER
    for event in events:
        observed = max(observed, event["time"])
        for begin, end in fixed(event["time"]):
            if end > observed - grace:
                values = held.setdefault((event["key"], begin), [])
                values.append(event["value"])
                place = {"key": event["key"], "window_start": begin, "window_end": end}
                yield {**place, "result": sum(values), "version": len(values) - 1}


@pytest.mark.parametrize("seed", range(3))
def test_kafka_streams_forwards_each_update_or_what_stands_at_the_close(seed: int) -> None:
    """The final result is `suppress(untilWindowCloses)`: events are late once stream time less grace passed the end."""
    events = make_events(seed, 200)
    updates = list(emulate_streams(events, DELAY))
    final = list({(row["key"], row["window_start"]): row for row in updates}.values())
    assert len({row["version"] for row in updates}) > 3
    drop, update = Lateness(watermark=str(DELAY)), Lateness(late="update", watermark="0", lateness=str(DELAY))
    assert judge(events, final, SLIDING, "sum", drop).counts == {}
    assert judge(events, spoil(final), SLIDING, "sum", drop).counts == {"wrong": 1}
    assert judge(events, final, SLIDING, "sum", Lateness(watermark="0")).counts, "the grace makes a difference"
    assert judge(events, updates, SLIDING, "sum", update, versions="early").counts == {}
    first = next(row for row in updates if row["version"] == 1)
    wrong = [{**row, "result": row["result"] + 1} if row is first else row for row in updates]
    found = judge(events, wrong, SLIDING, "sum", update, versions="early").faults
    assert [(fault["role"], fault["version"]) for fault in found] == [("version", 1)]


@pytest.mark.parametrize("seed", range(3))
def test_a_job_that_shows_early_results_may_be_stopped_between_two_of_them(seed: int) -> None:
    """The last result of an open window holds all events up to some time, and no fewer than the results before it."""
    events = make_events(seed, 200)
    updates = list(emulate_streams(events, DELAY))
    final = max(event["time"] for event in events)
    update = Lateness(late="update", watermark="0", lateness=str(DELAY))
    last = {(row["key"], row["window_start"]): row for row in updates}
    still = [row for row in last.values() if row["window_end"] > final and row["version"] > 1]
    over = next(row for row in last.values() if row["window_end"] <= final and row["version"] > 1)
    assert still

    def count_faults(rows: Sequence[Row], *, complete: bool = False) -> dict[str, int]:
        return judge(events, rows, SLIDING, "sum", update, versions="early", complete=complete).counts

    stopped = [row for row in updates if row not in still]
    assert not count_faults(stopped).keys() - {"open"}
    assert count_faults(stopped, complete=True)["wrong"] == len(still), "all events have come, it is said"
    assert count_faults([row for row in updates if row is not over])["wrong"] == 1, "the window was over"
    spoilt = [{**row, "result": row["result"] + (row in still)} for row in updates]
    assert count_faults(spoilt)["wrong"] == len(still), "what no events give"
    same = ("key", "window_start")
    back = next(row for row in updates if [row[name] for name in same] == [still[0][name] for name in same])
    older = [*updates, {**back, "version": 99}]
    assert not count_faults(updates).keys() - {"open"}
    assert count_faults(older)["wrong"] == 1, "older than what was shown"


@pytest.mark.parametrize("seed", range(3))
def test_events_of_one_arrival_number_came_in_any_order(seed: int) -> None:
    """The arrival number may be a clock in milliseconds: each version holds some of the events with one number."""
    draw = random.Random(seed)
    events = make_events(seed, 200)
    updates = list(emulate_streams(events, 500))  # none is late: the order among those of one number does not matter
    ticks = [{**event, "seq": event["seq"] // 3} for event in events]
    draw.shuffle(ticks)
    update = Lateness(late="update", watermark="0", lateness="500")
    assert judge(ticks, updates, SLIDING, "sum", update, versions="early").counts == {}
    first = next(row for row in updates if row["version"] == 1)
    wrong = [{**row, "result": row["result"] + 1000} if row is first else row for row in updates]
    found = judge(ticks, wrong, SLIDING, "sum", update, versions="early").faults
    assert [(fault["role"], fault["version"]) for fault in found] == [("version", 1)]
    early = next(row for row in updates if row["version"] == 5)
    stale = next(row for row in updates if row["version"] == 0 and row["key"] == early["key"]
                 and row["window_start"] == early["window_start"])  # fmt: skip
    older = [{**row, "result": stale["result"]} if row is early else row for row in updates]
    found = judge(ticks, older, SLIDING, "sum", update, versions="early").faults
    assert [(fault["role"], fault["version"]) for fault in found] == [("version", 5)], "older than what was shown"


def test_a_version_between_two_of_one_value_is_judged() -> None:
    """With retractions, 5, 999, 5 is wrong although the last value is 5."""
    events = [
        {"key": "k", "time": t, "seq": i, "value": v} for i, (t, v) in enumerate(((1, 5), (99, 0), (2, 2), (3, -2)))
    ]
    asked: dict[str, Any] = {
        "watermark": "0", "late": "retract", "retraction": "op", "version": "version", "time_unit": None,
    }  # fmt: skip

    def say(*values: int) -> list[Row]:
        said = [("+I", values[0])]
        for before, value in pairwise(values):
            said += [("-U", before), ("+U", value)]
        place = {"key": "k", "window_start": 0, "window_end": 10}
        return [{**place, "result": value, "op": op, "version": i} for i, (op, value) in enumerate(said)]

    assert run(events, say(5, 7, 5), "tumbling 10", "sum", **asked).outcome == "conforms"
    assert run(events, say(5), "tumbling 10", "sum", **asked).outcome == "conforms"
    for wrong in ((5, 999, 5), (5, 7, 999, 5), (5, 7, 5, 999, 5)):
        report = run(events, say(*wrong), "tumbling 10", "sum", **asked)
        assert (report.outcome, report.counts["wrong"]) == ("violated", 1), (wrong, report.sentence)
    by_the_net = [("+I", 5), ("-U", 5), ("+U", 7), ("+U", 999), ("-U", 999)]
    stale = [("+I", 7), ("-U", 5), ("+U", 5)]
    too_soon = [("-U", 5), ("+I", 5), ("+U", 7)]
    together = [("+I", 5, 0), ("-U", 5, 1), ("+U", 7, 1)]
    upto = events[:3]  # with the final result 7
    place = {"key": "k", "window_start": 0, "window_end": 10}
    for said in (by_the_net, stale, too_soon):
        rows = [{**place, "result": value, "op": op, "version": i} for i, (op, value) in enumerate(said)]
        assert run(upto, rows, "tumbling 10", "sum", **asked).outcome == "violated", said
    scales = [("+I", Decimal("5.00")), ("-U", Decimal("5")), ("+U", Decimal("7.0"))]
    rows = [{**place, "result": str(value), "op": op, "version": i} for i, (op, value) in enumerate(scales)]
    assert run(upto, rows, "tumbling 10", "sum", result="result:decimal", **asked).outcome == "conforms"
    rows = [{**place, "result": value, "op": op, "version": i} for op, value, i in together]
    assert run(upto, rows, "tumbling 10", "sum", **asked).outcome == "conforms"


@pytest.mark.parametrize("lag", ["0", "0..0", "0..2"])
def test_a_lag_of_nothing_is_refused(lag: str) -> None:
    with pytest.raises(InputError, match=r"--watermark-lag: .* at least 1"):
        make_policy(Lateness(watermark="0", watermark_lag=lag), None, None, arrival=True, batch=True)
