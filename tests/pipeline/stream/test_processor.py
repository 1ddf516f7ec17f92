"""The operator as Spark runs it, without a JVM: files cut into micro-batches in any way; results waited for."""

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from swagproof.pipeline.stream.clocks import HOLD, MOVED
from swagproof.pipeline.stream.job import Task
from swagproof.pipeline.stream.packing import CLOCKS, KEY, RESULTS
from swagproof.pipeline.stream.processor import Windows

File = list[tuple[str, int, int]]
"""Events: key, time and value."""


class Play:
    """Micro-batches of files, one partition of the state, and Spark's watermark."""

    def __init__(self, task: Task, made: type[Windows] = Windows) -> None:
        self.task = task
        self.tester = TwsTester(made(task), timeMode="EventTime", eventTimeExtractor=lambda _: 2**62)
        self.latest: dict[str, int] = {}
        """Of the events, and of the results where they are waited for."""
        self.rows: list[dict[str, Any]] = []

    def batch(self, files: Sequence[tuple[str, File]], claims: Sequence[dict[str, Any]] = ()) -> None:
        """What Spark does for some files, and some claims: key, begin, end and what was got."""
        processor: Any = self.tester.processor
        processor.init(self.tester.handle)  # a task is a new one
        keys: dict[str, list[Row]] = {}
        clocks = {name: max(time for _, time, _ in events) for name, events in files}
        if claims:
            clocks[RESULTS] = max(claim["end"] for claim in claims) + self.task.delay
        for name, clock in clocks.items():
            keys.setdefault(CLOCKS, []).append(Row(files=[name], clocks=[clock]))
        for name, events in files:
            for key in sorted({key for key, _, _ in events}):
                mine = [event for event in events if event[0] == key]
                times, values = [time for _, time, _ in mine], [value for _, _, value in mine]
                row = Row(file=name, time=times, arrival=[0] * len(mine), v0=values, begin=None)
                keys.setdefault(KEY + key, []).append(row)
        for claim in claims:
            got = {"version": [claim.get("version", 0)], "got": [claim["got"]], "number": [None], "time": None}
            row = Row(begin=[claim["begin"]], end=[claim["end"]], **got)
            keys.setdefault(KEY + claim["key"], []).append(row)
        for key in sorted(keys):
            self.keep(self.tester.test(key, keys[key]))
        for name, clock in clocks.items():
            place = RESULTS if name == RESULTS and self.task.pace else "events"
            self.latest[place] = max(clock, self.latest.get(place, clock))
        if len(self.latest) == (2 if self.task.pace else 1):
            spark = min(self.latest.values()) + MOVED - HOLD
            if spark > self.tester._currentWatermarkMs:  # pyright: ignore[reportPrivateUsage]  # it has no public name
                fired: Any = self.tester.setWatermark(spark)
                self.keep(fired)

    def keep(self, rows: Iterable[Row]) -> None:
        """Keep what was written."""
        self.rows += [row.asDict() for row in rows]

    @property
    def said(self) -> list[str]:
        """All of it, in no order."""
        return sorted(json.dumps(row, sort_keys=True) for row in self.rows)


def files_of(seed: int, number: int = 12) -> list[tuple[str, File]]:
    """Files of events of three keys, some of them late."""
    rng = random.Random(seed)
    return [
        (f"{i:03}", [(rng.choice("abc"), 100 + i * 7 + rng.randint(-30, 6), rng.randint(1, 9)) for _ in range(4)])
        for i in range(number)
    ]


class ByMicroBatch(Windows):
    """Takes all events of a micro-batch at the watermark before it, as Spark's own windows do."""

    def set_watermarks(self, rows: Any) -> None:
        Windows.set_watermarks(self, rows)
        if self.watermarks:
            first, last = min(self.watermarks.values()), max(self.watermarks.values())
            self.watermarks = dict.fromkeys(self.watermarks, (first[0], last[1]))


def differences(made: type[Windows], tasks: Iterable[Task]) -> int:
    """How often files that are cut otherwise are not answered as one by one."""
    found = 0
    for seed, task in enumerate(tasks):
        files = files_of(seed)
        whole = Play(task)
        for file in files:
            whole.batch([file])
        whole.batch([("999", [("c", 1_000, 1)])])
        cut, rng, rest = Play(task, made), random.Random(seed), list(files)
        while rest:
            number = rng.choice((1, 2, 5))
            cut.batch(rest[:number])
            del rest[:number]
        cut.batch([("999", [("c", 1_000, 1)])])
        assert any(row["kind"] == "late" for row in whole.rows)
        found += whole.said != cut.said
    return found


HOW: tuple[dict[str, Any], ...] = (
    {"delay": 3},
    {"late": "update", "lateness": 9},
    {"late": "retract", "lateness": 5, "delay": 2},
)

TASKS = [
    *(Task(window, "plain", "sum", ("int",), **how) for window in ("tumbling 10", "sliding 12 every 4") for how in HOW),
    Task("sliding 12 every 4", "plain", "collect", ("int",), delay=3),
    Task("session 5", "plain", "sum", ("int",), delay=3),
    Task("range -5 0", "plain", "sum", ("int",)),
]


def test_micro_batches_do_not_matter() -> None:
    assert differences(Windows, TASKS) == 0
    assert differences(ByMicroBatch, TASKS) > len(TASKS) // 2


def claims_of(task: Task, files: Sequence[tuple[str, File]]) -> list[dict[str, Any]]:
    """What a right job says, in the order in which it says it."""
    job = Play(task)
    for file in files:
        job.batch([file])
    names = {"key": "key", "begin": "window_start", "end": "window_end", "got": "result", "version": "version"}
    results = [row for row in job.rows if row["kind"] == "result"]
    return [{name: row[column] for name, column in names.items()} for row in results]


@pytest.mark.parametrize("ahead", [0, 3, 9])
def test_results_are_waited_for(ahead: int) -> None:
    """A right job that answers later than events are read."""
    files = [*files_of(4), ("999", [("c", 1_000, 1)])]
    task = Task("tumbling 10", "plain", "sum", ("int",), delay=3)
    claims = claims_of(task, files)
    ends = sorted({claim["end"] for claim in claims})
    for patience in (None, 0):
        audit = Play(Task("tumbling 10", "plain", "sum", ("int",), delay=3, claims="int", patience=patience))
        for i in range(len(files) + ahead + len(ends)):
            told = [claim for claim in claims if ends.index(claim["end"]) == i - ahead]
            if files[i : i + 1] or told:
                audit.batch(files[i : i + 1], told)
        kinds = {row["kind"] for row in audit.rows} - {"late"}
        assert (kinds == {"conforms"}) == (patience is None)
        if patience is None:
            assert len(audit.rows) - sum(row["kind"] == "late" for row in audit.rows) == len(claims) > 15
    lost = claims[3]
    audit = Play(Task("tumbling 10", "plain", "sum", ("int",), delay=3, claims="int"))
    audit.batch(files, [claim for claim in claims if claim != lost])
    (missing,) = (row for row in audit.rows if row["kind"] not in ("conforms", "late"))
    assert (missing["kind"], missing["key"], missing["window_end"]) == ("missing", lost["key"], lost["end"])


def test_versions_are_judged_however_files_are_cut() -> None:
    """Those of a job that took several files at once, beside an audit that takes them one by one, or all at once."""
    task = Task("sliding 12 every 4", "plain", "sum", ("int",), late="update", lateness=40, delay=3)
    files = [*files_of(6), ("999", [("c", 1_000, 1)])]
    claims = claims_of(task, files)
    first = next(claim for claim in claims if claim["version"] == 1) | {"version": 0}
    spoilt = [claim | {"got": "-1"} if claim == claim | {**first, "got": claim["got"]} else claim for claim in claims]
    for number in (1, 3, 99):
        for told, kinds in ((claims, {"conforms"}), (spoilt, {"conforms", "wrong-version"})):
            audit = Play(replace(task, claims="int"))
            for i in range(0, len(files), number):
                audit.batch(files[i : i + number], told if i == 0 else ())
            assert {row["kind"] for row in audit.rows} - {"late"} == kinds
            assert sum(row["kind"] == "wrong-version" for row in audit.rows) == len(kinds) - 1
