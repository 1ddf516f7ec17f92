"""The operator in Spark's processor, without a JVM: any cut into micro-batches; audits that wait for results."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
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
        """The latest time of the events, and of the results if the operator waits for them."""
        self.rows: list[dict[str, Any]] = []

    def batch(self, files: Sequence[tuple[str, File]], claims: Sequence[dict[str, Any]] = ()) -> None:
        """Process some files, and some claims (key, begin, end and answer), as Spark does."""
        processor: Any = self.tester.processor
        processor.init(self.tester.handle)  # each task has a new one
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
        """Keep the output rows."""
        self.rows += [row.asDict() for row in rows]

    @property
    def said(self) -> list[str]:
        """All output rows as sorted text."""
        return sorted(json.dumps(row, sort_keys=True) for row in self.rows)


def files_of(seed: int, number: int = 12) -> list[tuple[str, File]]:
    """Return files of events of three keys, some of them late."""
    rng = random.Random(seed)
    return [
        (f"{i:03}", [(rng.choice("abc"), 100 + i * 7 + rng.randint(-30, 6), rng.randint(1, 9)) for _ in range(4)])
        for i in range(number)
    ]


class ByMicroBatch(Windows):
    """A faulty processor that takes a micro-batch's events at the watermark before it, like Spark's own windows."""

    def set_watermarks(self, rows: Any) -> None:
        Windows.set_watermarks(self, rows)
        if self.watermarks:
            first, last = min(self.watermarks.values()), max(self.watermarks.values())
            self.watermarks = dict.fromkeys(self.watermarks, (first[0], last[1]))


def differences(made: type[Windows], tasks: Iterable[Task]) -> int:
    """Count the cuts of files into micro-batches whose output differs from one file at a time."""
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
    Task("tumbling 4", "plain", "sum", ("int",)),
]


def test_micro_batches_do_not_matter() -> None:
    assert differences(Windows, TASKS) == 0
    assert differences(ByMicroBatch, TASKS) > len(TASKS) // 2


def claims_of(task: Task, files: Sequence[tuple[str, File]]) -> list[dict[str, Any]]:
    """Return the claims of a right job, in order."""
    job = Play(task)
    for file in files:
        job.batch([file])
    names = {"key": "key", "begin": "window_start", "end": "window_end", "got": "result", "version": "version"}
    results = [row for row in job.rows if row["kind"] == "result"]
    return [{name: row[column] for name, column in names.items()} for row in results]


@pytest.mark.parametrize("ahead", [0, 3, 9])
def test_results_are_waited_for(ahead: int) -> None:
    """The right job answers later than events are read."""
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


def follow(task: Task, files: Sequence[tuple[str, File]], rng: random.Random, spoil: int | None = None) -> Counter[str]:
    """Return the verdicts on a job of ours with other micro-batches than the audit's, and with later results."""
    job, told = Play(task), list[tuple[int, list[dict[str, Any]]]]()
    kinds = rng.choice((("result",), ("result", "retraction")))
    names = {"key": "key", "begin": "window_start", "end": "window_end", "got": "result", "version": "version"}
    at = 0
    while at < len(files):
        number, before = rng.choice((1, 1, 2, 4)), len(job.rows)
        job.batch(files[at : at + number])
        at += number
        rows = (row for row in job.rows[before:] if row["kind"] in kinds)
        told.append((at, [{name: row[column] for name, column in names.items()} for row in rows]))
    if spoil is not None:
        claims = [claim for _, some in told for claim in some]
        later = {(claim["key"], claim["begin"], claim["end"]) for claim in claims if claim["version"]}
        several = [claim for claim in claims if (claim["key"], claim["begin"], claim["end"]) in later]
        (several or claims[len(claims) // 4 :] if spoil else claims)[0]["got"] = "-1"
    lag, at = rng.choice((0, 1, 3)), 0
    audit = Play(replace(task, claims="json" if task.aggregate == "collect" else "int"))
    while at < len(files) or told:
        number = rng.choice((1, 2, 3))
        some, at = files[at : at + number], at + number
        claims = []
        while told and (told[0][0] + lag <= at or at >= len(files)):
            claims += told.pop(0)[1]
        audit.batch(some, claims)
    return Counter(row["kind"] for row in audit.rows)


WINDOWS = ("tumbling 10", "sliding 12 every 4", "sliding 3 every 7", "tumbling 10 closed right")

FOLLOWED: tuple[dict[str, Any], ...] = (
    {"delay": 3},
    {"late": "update", "lateness": 40},
    {"late": "retract", "lateness": 5, "delay": 20},
    {"late": "update", "delay": 3},
)


def test_every_version_of_ours_conforms_however_both_are_cut() -> None:
    """A wrong version is found, even if a later one is right."""
    found, faults = Counter[str](), Counter[str]()
    for seed, (window, how) in enumerate(product(WINDOWS, FOLLOWED)):
        task = Task(window, "plain", ("sum", "max", "collect")[seed % 3], ("int",), **how)
        files = [*files_of(seed), ("999", [("c", 1_000, 1)])]
        if task.aggregate == "collect":  # the arrival distinguishes events of a key and time
            files = [
                (name, list({(key, time): (key, time, v) for key, time, v in file}.values())) for name, file in files
            ]
        found.update(follow(task, files, random.Random(seed)))
        for place in range(2):
            spoilt = follow(task, files, random.Random(seed), place)
            faults.update(spoilt.keys() - {"conforms", "late", "repeated"})
    assert set(found) <= {"conforms", "late", "repeated"}
    assert found["conforms"] > 300
    assert faults.keys() == {"wrong", "wrong-version"}
    assert faults["wrong-version"] > 4
    assert faults.total() == 2 * len(WINDOWS) * len(FOLLOWED)
