"""Recorded results of other engines with late events: right by the manual's rules, and wrong after a change by one.

They are recorded, as described in `support.elsewhere`, since none of these engines can be one of our dependencies
(Flink's jars are 600 MB).  The emulation of Flink, of which `test_watermarks` draws many more jobs, gives identical
results for these jobs.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from support.auditing import Judged, Row, judge
from support.elsewhere.drawn import SEEDS, make_events, read
from support.elsewhere.emulated import bounded, emulate, part, slide

from swagproof.pipeline.audit.options import Lateness

RUNS = {engine: read(engine) for engine in ("flink", "bytewax", "beam")}
JOBS = [(engine, job) for engine, runs in RUNS.items() for job in sorted(runs[0]["results"])]
OF_FLINK = [job for engine, job in JOBS if engine == "flink"]
AGGREGATES = {"SUM": "sum", "AVG": "mean", "STDDEV_SAMP": "sample-standard-deviation"}
PERIOD = 7


def read_events(engine: str, run: int) -> list[Row]:
    events = RUNS[engine][run]["events"]
    return [{"key": key, "time": time, "seq": i, "value": value} for i, (key, time, value) in enumerate(events)]


def read_results(engine: str, run: int, job: str) -> list[Row]:
    """Return the results, each with the number of its version in its window."""
    rows: list[Row] = []
    versions: dict[tuple[str, int, int], int] = {}
    for key, start, end, answer in RUNS[engine][run]["results"][job]:
        version = versions.get((key, start, end), -1) + 1
        versions[key, start, end] = version
        rows.append({"key": key, "window_start": start, "window_end": end, "result": answer, "version": version})
    return rows


def say(engine: str, job: str) -> dict[str, Any]:
    """Return the options that the manual gives for a job."""
    if engine == "bytewax":
        return {"window": job, "late": Lateness(watermark="10s", watermark_per_key=True, late_by="time")}
    if engine == "beam":  # in Python: a window takes events until the watermark has gone past its end
        window, what = job.split(", ")
        update = Lateness(late="update", watermark="10s", lateness="1ms" if what == "drop" else "15001ms")
        return {"window": window, "late": update, "versions": "early" if what == "early" else "from end"}
    kind, window, *how = job.split(", ")
    if kind == "sql":
        what = how[0].split(" of ")[0]
        rounded = {} if what == "SUM" else {"rounding": "0 down"}
        late = Lateness(watermark="10s", engine="flink-sql")
        return {"window": window, "aggregate": AGGREGATES[what], "late": late, **rounded}
    period, lateness = map(int, how)
    lag = None if period == 1 else f"1..{period}"
    if lateness:
        late = Lateness(late="update", watermark="10s", lateness=f"{lateness}s", engine="flink", watermark_lag=lag)
        return {"window": window, "late": late, "versions": "from end"}
    return {"window": window, "late": Lateness(watermark="10s", engine="flink", watermark_lag=lag)}


def hold(engine: str, run: int, job: str, results: list[Row]) -> Judged:
    if engine == "bytewax" and job.startswith("session"):  # the end is its last event
        results = [{name: cell for name, cell in row.items() if name != "window_end"} for row in results]
    asked: dict[str, Any] = {"aggregate": "sum", **say(engine, job)}
    window, aggregate, late = (asked.pop(name) for name in ("window", "aggregate", "late"))
    return judge(read_events(engine, run), results, window, aggregate, late, unit="ms", **asked)


@pytest.mark.parametrize(("engine", "job"), JOBS)
@pytest.mark.parametrize("run", range(len(SEEDS)))
def test_what_an_engine_made_is_right_and_one_unit_more_is_not(engine: str, run: int, job: str) -> None:
    results = read_results(engine, run, job)
    found = hold(engine, run, job, results)
    open_ = found.counts.get("undecided", 0)
    assert found.counts == ({"undecided": open_} if f", {PERIOD}, " in job else {})
    assert found.due > 30
    assert open_ < found.due / 2
    left = {(fault["key"], fault["a"]) for fault in found.faults}
    at = next(
        i
        for i, row in enumerate(results)
        if (row["key"], row["window_start"]) not in left and row["result"] is not None and not row["version"]
    )
    spoilt = [{**row, "result": row["result"] + 10**6} if i == at else row for i, row in enumerate(results)]
    assert hold(engine, run, job, spoilt).counts.get("wrong", 0) >= 1
    place = [results[at][name] for name in ("key", "window_start")]
    gone = [row for row in results if [row[name] for name in ("key", "window_start")] != place]
    assert hold(engine, run, job, gone).counts.get("missing") == 1


def test_by_another_rule_it_is_not_right() -> None:
    """These jobs distinguish the rules for late events, for sessions, and for the watermark."""
    for engine, job, rule in (
        ("flink", "stream, session 5s, 1, 0", Lateness(watermark="10s")),
        ("flink", "sql, session 5s, SUM", Lateness(watermark="10s")),
        ("flink", "stream, sliding 20s every 10s, 7, 0", Lateness(watermark="10s", engine="flink")),
        ("flink", "stream, sliding 20s every 10s, 1, 0", Lateness(watermark="10s", engine="flink", late_by="time")),
        ("flink", "sql, sliding 20s every 10s, SUM", Lateness(watermark="5s", engine="flink-sql")),
        ("bytewax", "tumbling 10s", Lateness(watermark="10s", watermark_per_key=True)),
        ("bytewax", "tumbling 10s", Lateness(watermark="10s", late_by="time")),
        ("beam", "tumbling 10s, drop", Lateness(watermark="10s", late_by="time")),
        ("beam", "sliding 20s every 10s, drop", Lateness(watermark="15s")),
    ):
        window = say(engine, job)["window"]
        found = [
            judge(read_events(engine, i), read_results(engine, i, job), window, "sum", rule, unit="ms") for i in (0, 1)
        ]
        assert any(it.counts for it in found), job


def imitate(run: int, job: str) -> Iterator[Row]:
    kind, window, *how = job.split(", ")
    period, lateness = (1, 0) if kind == "sql" else map(int, how)
    events = read_events("flink", run)
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


@pytest.mark.parametrize("job", [job for job in OF_FLINK if "AVG" not in job and "STDDEV" not in job])
@pytest.mark.parametrize("run", range(len(SEEDS)))
def test_the_emulation_is_what_flink_does(run: int, job: str) -> None:
    def order(row: Row) -> tuple[Any, ...]:
        return row["key"], row["window_start"], row["window_end"], row["version"], row["result"]

    assert sorted(map(order, imitate(run, job))) == sorted(map(order, read_results("flink", run, job)))


@pytest.mark.parametrize("engine", RUNS)
def test_what_is_recorded_is_of_these_events(engine: str) -> None:
    assert [run["events"] for run in RUNS[engine]] == [make_events(seed) for seed in SEEDS]
