"""What Flink itself made of late events is right by what the manual says of it, and wrong by one unit more.

It is recorded, as `support.flink.record` has it, since a job of Flink's takes seconds and its jars are 600 MB; and the
emulation, which `test_watermarks` draws many more jobs of, says the same of these to the letter.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from support.auditing import Judged, Row, judge
from support.flink.emulated import bounded, emulate, part, slide
from support.flink.record import RECORDED, SEEDS, make_events

from swagproof.pipeline.audit.policy import Lateness

RUNS = json.loads(RECORDED.read_text())["runs"]
JOBS = sorted(RUNS[0]["results"])
AGGREGATES = {"SUM": "sum", "AVG": "mean", "STDDEV_SAMP": "sample-standard-deviation"}
PERIOD = 7


def read_events(run: int) -> list[Row]:
    return [
        {"key": key, "time": time, "seq": i, "value": value} for i, (key, time, value) in enumerate(RUNS[run]["events"])
    ]


def read_results(run: int, job: str) -> list[Row]:
    """Each with the number of its version, of its window."""
    rows: list[Row] = []
    versions: dict[tuple[str, int, int], int] = {}
    for key, start, end, answer in RUNS[run]["results"][job]:
        version = versions.get((key, start, end), -1) + 1
        versions[key, start, end] = version
        rows.append({"key": key, "window_start": start, "window_end": end, "result": answer, "version": version})
    return rows


def hold(run: int, job: str, results: list[Row]) -> Judged:
    """As the manual says it."""
    kind, window, *how = job.split(", ")
    asked: dict[str, Any] = {"unit": "ms"}
    if kind == "sql":
        late = Lateness(watermark="10s", engine="flink-sql")
        what = how[0].split(" of ")[0]
        if what != "SUM":
            asked |= {"rounding": "0 down"}
        return judge(read_events(run), results, window, AGGREGATES[what], late, **asked)
    period, lateness = map(int, how)
    lag = {} if period == 1 else {"lag": f"1..{period}"}
    late = Lateness(watermark="10s", engine="flink", **lag)
    if lateness:
        late = Lateness("update", "10s", f"{lateness}s", engine="flink", **lag)
        asked |= {"versions": "from end"}
    return judge(read_events(run), results, window, "sum", late, **asked)


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("run", range(len(RUNS)))
def test_what_flink_itself_made_is_right_and_one_unit_more_is_not(run: int, job: str) -> None:
    results = read_results(run, job)
    found = hold(run, job, results)
    open_ = found.counts.get("undecided", 0)
    assert found.counts == ({"undecided": open_} if f", {PERIOD}, " in job else {})
    assert found.due > 30
    assert open_ < found.due / 2
    left = {(fault["key"], fault["a"]) for fault in found.faults}
    at = next(
        i
        for i, row in enumerate(results)
        if (repr(row["key"]), row["window_start"]) not in left and row["result"] is not None and not row["version"]
    )
    spoilt = [{**row, "result": row["result"] + 10**6} if i == at else row for i, row in enumerate(results)]
    assert hold(run, job, spoilt).counts.get("wrong") == 1
    gone = [
        row for row in results if row["window_start"] != results[at]["window_start"] or row["key"] != results[at]["key"]
    ]
    assert hold(run, job, gone).counts.get("missing") == 1


def test_by_another_rule_it_is_not_right() -> None:
    """So these jobs tell the rules apart: when an event is late, for a session, and where the watermark is."""
    for job, rule in (
        ("stream, session 5s, 1, 0", Lateness(watermark="10s")),
        ("sql, session 5s, SUM", Lateness(watermark="10s")),
        ("stream, sliding 20s every 10s, 7, 0", Lateness(watermark="10s", engine="flink")),
        ("stream, sliding 20s every 10s, 1, 0", Lateness(watermark="10s", engine="flink", late_by="time")),
        ("sql, sliding 20s every 10s, SUM", Lateness(watermark="5s", engine="flink-sql")),
    ):
        window = job.split(", ")[1]
        found = [judge(read_events(run), read_results(run, job), window, "sum", rule, unit="ms") for run in range(2)]
        assert any(it.counts for it in found), job


def imitate(run: int, job: str) -> Iterator[Row]:
    kind, window, *how = job.split(", ")
    period, lateness = (1, 0) if kind == "sql" else map(int, how)
    events = read_events(run)
    marks = bounded(events, period, 10_000 + (kind == "stream"))
    if window.startswith("session"):
        return emulate(events, partial(part, 5000), marks, 1000 * lateness, merging=True)
    size = 10_000
    cut = (
        partial(slide, size)
        if window.startswith("sliding")
        else lambda time: [(time - time % size, time - time % size + size)]
    )
    return emulate(events, cut, marks, 1000 * lateness)


@pytest.mark.parametrize("job", [job for job in JOBS if "AVG" not in job and "STDDEV" not in job])
@pytest.mark.parametrize("run", range(len(RUNS)))
def test_the_emulation_is_what_flink_does(run: int, job: str) -> None:
    def order(row: Row) -> tuple[Any, ...]:
        return row["key"], row["window_start"], row["window_end"], row["version"], row["result"]

    assert sorted(map(order, imitate(run, job))) == sorted(map(order, read_results(run, job)))


def test_what_is_recorded_is_of_these_events() -> None:
    assert [run["events"] for run in RUNS] == [make_events(seed) for seed in SEEDS]
