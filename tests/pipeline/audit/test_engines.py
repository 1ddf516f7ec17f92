"""Windows of engines: results of DuckDB, Polars and pandas conform; an error in them is found.

Each job is in the engine's own syntax, followed by the options of its audit.  The jobs of `support.jobs.right` are not
repeated here.  Times are microseconds since the epoch.
"""

import math
import random
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import duckdb
import pandas as pd
import pyarrow as pa
import pytest
from support.auditing import Row, judge, run
from support.engines import apart, group_in_polars, sum_rows_in_polars

from swagproof.models.windows.kinds import Calendar
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import Event
from swagproof.oracle.trace import InputError

BERLIN: Final = "Europe/Berlin"
HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR


def make_events(seed: int = 1, n: int = 400) -> list[Row]:
    """Return events of two keys over the weeks around a change of clocks, some exactly on an hour or a midnight."""
    draw = random.Random(seed)
    begin = int(datetime(2024, 3, 20, 23, tzinfo=UTC).timestamp()) * 10**6
    times = [begin + draw.choice((draw.randrange(600), 24 * draw.randrange(25))) * HOUR for _ in range(n)]
    times = sorted(time + draw.choice((0, 0, draw.randrange(HOUR))) for time in times)
    return [
        {"key": draw.choice("ab"), "time": t, "seq": i, "value": draw.randint(-99, 99)} for i, t in enumerate(times)
    ]


EVENTS: Final = make_events()


def in_polars(every: str, zone: str = "UTC", **options: Any) -> list[Row]:
    """Return the windows of group_by_dynamic, with their bounds."""
    return apart(group_in_polars, EVENTS, every, zone, options)


def in_pandas(rule: str, zone: str = "UTC", **options: Any) -> list[Row]:
    """Return the bins of resample by one of their ends; empty bins have a 0."""
    found: list[Row] = []
    label = "window_end" if options.get("label") == "right" else "window_start"
    for key in "ab":
        mine = [event for event in EVENTS if event["key"] == key]
        index = pd.to_datetime([event["time"] for event in mine], unit="us", utc=True).tz_convert(zone)
        bins = pd.Series([event["value"] for event in mine], index=index).resample(rule, **options)
        sums, counts = bins.sum(), bins.count()
        found += [
            {"key": key, label: int(at.value) // 1000, "result": int(sums[at])} for at in sums.index if counts[at]
        ]
    return found


def in_duckdb(bucket: str, end: str | None = None, zone: str = "UTC") -> list[Row]:
    """Return sums grouped by an expression over ts, a time with a zone, or `local`, the zone's clock time."""
    connection = duckdb.connect()
    connection.execute(f"set timezone = '{zone}'")
    connection.register("events", pa.Table.from_pylist(EVENTS))
    ends = f", epoch_us({end}) window_end" if end else ""
    query = (
        "with t as (select *, make_timestamptz(time) ts from events), "
        f"e as (select *, ts at time zone '{zone}' as local from t) "
        f"select key, epoch_us({bucket}) window_start{ends}, sum(value)::bigint result from e group by all"
    )
    found = connection.sql(query)
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


class Job(NamedTuple):
    """A right job, with its windows in the audit's syntax."""

    engine: str
    made: Callable[[], list[Row]]
    window: str


JOBS: Final = [
    Job("polars", lambda: in_polars("1d"), "tumbling 1d"),
    Job("polars", lambda: in_polars("1w", BERLIN), f"tumbling 1 week in {BERLIN}"),
    Job("polars", lambda: in_polars("1mo", BERLIN), f"tumbling 1 month in {BERLIN}"),
    Job("polars", lambda: in_polars("1q", "America/New_York"), "tumbling 1 quarter in America/New_York"),
    Job("polars", lambda: in_polars("1y"), "tumbling 1 year in UTC"),
    Job("polars", lambda: in_polars("6h", closed="right"), "tumbling 6h closed right"),
    Job("polars", lambda: in_polars("6h", closed="both"), "tumbling 6h closed both from first"),
    Job("polars", lambda: in_polars("6h", closed="none"), "tumbling 6h closed neither"),
    Job("polars", lambda: in_polars("1d", BERLIN, closed="right"), f"tumbling 1 day in {BERLIN} closed right"),
    Job("polars", lambda: in_polars("6h", period="24h"), "sliding 24h every 6h from first"),
    Job("polars", lambda: in_polars("6h", period="24h", closed="right"),
        "sliding 24h every 6h closed right from first"),
    Job("polars", lambda: in_polars("1d", BERLIN, period="3d"), f"sliding 3 days every 1 day in {BERLIN} from first"),
    Job("polars", lambda: in_polars("1mo", period="3mo"),
        "sliding 3 months every 1 month in UTC from first"),
    Job("polars", lambda: in_polars("6h", BERLIN), "tumbling 6h origin 2024-03-20T00:00+01:00"),
    Job("polars", lambda: in_polars("2h", offset="30m"), "tumbling 2h offset 30m"),
    Job("pandas", lambda: in_pandas("D", BERLIN), f"tumbling 1 day in {BERLIN}"),
    Job("pandas", lambda: in_pandas("MS", BERLIN), f"tumbling 1 month in {BERLIN}"),
    Job("pandas", lambda: in_pandas("QS"), "tumbling 1 quarter in UTC"),
    Job("pandas", lambda: in_pandas("YS-APR"), "tumbling 1 year in UTC offset 3"),
    Job("pandas", lambda: in_pandas("QS-FEB"), "tumbling 1 quarter in UTC offset 1"),
    Job("pandas", lambda: in_pandas("6h", closed="right", label="right"), "tumbling 6h closed right"),
    Job("pandas", lambda: in_pandas("6h", label="right"), "tumbling 6h"),
    Job("pandas", lambda: in_pandas("7h", origin="epoch"), "tumbling 7h"),
    Job("pandas", lambda: in_pandas("7h", origin=pd.Timestamp("2000-01-03", tz="UTC")),
        "tumbling 7h origin 2000-01-03"),
    Job("pandas", lambda: in_pandas("6h", BERLIN), "tumbling 6h origin 2024-03-20T00:00+01:00"),
    Job("pandas", lambda: in_pandas("2h", offset="30min"), "tumbling 2h offset 30m"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '7 hours', ts)"), "tumbling 7h origin 2000-01-03"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '1 week', ts)"), "tumbling 7d origin 2000-01-03"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '7 hours', ts, timestamptz '2024-01-01 00:00:00+00')"),
        "tumbling 7h origin 2024-01-01"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '5 months', ts)"), "tumbling 5 months in UTC"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '7 years', ts)"), "tumbling 7 years in UTC offset 24"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '1 day', local) at time zone 'Europe/Berlin'", zone=BERLIN),
        f"tumbling 1 day in {BERLIN}"),
    Job("duckdb", lambda: in_duckdb("date_trunc('day', ts)", "date_trunc('day', ts) + interval '1 day'", zone=BERLIN),
        f"tumbling 1 day in {BERLIN}"),
]  # fmt: skip


@pytest.mark.parametrize("job", JOBS, ids=lambda job: f"{job.engine}: {job.window}")
def test_windows_are_those_of_the_engine(job: Job) -> None:
    results = job.made()
    assert len(results) >= 2
    found = judge(EVENTS, results, job.window, "sum", unit="us")
    assert (found.due, found.counts) == (len(results), {})
    at = len(results) // 2
    wrong = [{**row, "result": row["result"] + (i == at)} for i, row in enumerate(results)]
    assert judge(EVENTS, wrong, job.window, "sum", unit="us").counts == {"wrong": 1}
    assert judge(EVENTS, results[1:], job.window, "sum", unit="us").counts == {"missing": 1}


@pytest.mark.parametrize(
    ("job", "window"),
    [
        (lambda: in_polars("1d", BERLIN), "tumbling 1d"),
        (lambda: in_polars("1d", BERLIN), "tumbling 1d offset 23h"),
        (lambda: in_polars("6h", closed="right"), "tumbling 6h"),
        (lambda: in_polars("6h", period="24h"), "sliding 24h every 6h"),
        (lambda: in_duckdb("time_bucket(interval '7 hours', ts)"), "tumbling 7h"),
        (lambda: in_pandas("6h", label="right"), "tumbling 6h closed right"),
    ],
)
def test_windows_of_another_meaning_are_found(job: Callable[[], list[Row]], window: str) -> None:
    assert judge(EVENTS, job(), window, "sum", unit="us").counts


def test_calendars_hold_what_their_definition_says() -> None:
    draw = random.Random(2)
    for zone in (BERLIN, "UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Australia/Lord_Howe"):
        for words in (
            "1 day",
            "3 days every 1 day",
            "1 week",
            "2 weeks every 3 days",
            "1 month",
            "1 quarter every 2 months",
        ):
            kind = "sliding" if "every" in words else "tumbling"
            text = f"{kind} {words} in {zone}" + draw.choice(("", " closed right"))
            spec = parse_window(text, "us")
            assert isinstance(spec, Calendar)
            first = draw.choice((1_540_000_000, 1_711_700_000, -3_000_000_000)) * 10**6
            times = sorted(first + draw.randrange(40 * DAY) for _ in range(30))
            times += [spec.start(spec.number(time)) for time in times[:5]]
            events = [{"key": "k", "time": t, "seq": i, "value": i} for i, t in enumerate(sorted(times))]
            extents = spec.extents([Event(event["time"], event["value"]) for event in events])
            results = [
                {"key": "k", "window_start": x.begin, "window_end": x.end, "result": sum(e.value for e in x.events)}
                for x in extents
            ]
            assert all(spec.has(x.begin, x.end) and not spec.has((x.begin or 0) + 1, None) for x in extents)
            assert judge(events, results, text, "sum", unit="us").counts == {}, text


# Results for empty windows, and sums that drift


def in_gaps(fill: Any) -> list[Row]:
    """Return resample's result for each hour between the first and the last event of a key; empty hours have `fill`."""
    found: list[Row] = []
    for key in "ab":
        mine = [event for event in EVENTS if event["key"] == key]
        bins = pd.Series([event["value"] for event in mine], index=pd.to_datetime([e["time"] for e in mine], unit="us"))
        hourly = bins.resample("1h").agg(["sum", "count"])
        for at, total, count in hourly.itertuples():
            found.append({"key": key, "window_start": at.value // 1000, "result": int(total) if count else fill})
    return found


def test_what_is_written_for_nothing() -> None:
    for fill, said in ((None, "null"), (0, "zero"), (0, "any"), (None, "any")):
        found = judge(EVENTS, in_gaps(fill), "tumbling 1h", "sum", unit="us", empty=said)  # type: ignore[arg-type]  # from a list
        assert set(found.counts) == {"empty"}
        assert judge(EVENTS, in_gaps(fill), "tumbling 1h", "sum", unit="us").counts["extra"] == found.counts["empty"]
    spoiled = [{**row, "result": 7 if row["result"] is None else row["result"]} for row in in_gaps(None)[:50]]
    assert judge(EVENTS, spoiled, "tumbling 1h", "sum", unit="us", empty="any").counts["extra"] > 5
    elsewhere = [{"key": "a", "window_start": EVENTS[0]["time"] + 1, "result": 0}]
    assert judge(EVENTS, elsewhere, "tumbling 1h", "sum", unit="us", empty="any").counts["extra"] == 1
    zeros = [{**row, "result": 0} for row in in_polars("1h")]
    assert judge(EVENTS, zeros, "tumbling 1h", "sum", unit="us", empty="any").counts["wrong"] > 100, "they have values"


@pytest.mark.parametrize("said", ["absent", "null", "zero", "any"])
def test_a_count_of_nothing_is_what_a_job_writes_for_no_value(said: Literal["absent", "null", "zero", "any"]) -> None:
    """The results are like pandas' `rolling("5s", closed="left").count()`: NaN if no row precedes."""
    events: list[Row] = [{"key": "k", "time": t, "seq": t, "value": t} for t in (0, 3, 20)]
    rows = [{"key": "k", "time": t, "seq": t, "result": n} for t, n in ((0, None), (3, 1.0), (20, None))]
    found = judge(events, rows, "range -5 0 closed left", "count", result="float", empty=said)
    assert found.counts == ({"empty": 2} if said in ("null", "any") else {"wrong": 2})
    spoilt = [{**row, "result": None} for row in rows]
    assert judge(events, spoilt, "range -5 0 closed left", "count", result="float", empty=said).counts["wrong"] >= 1


def test_no_value_is_null_0_or_no_row() -> None:
    events = [{"key": "k", "time": t, "seq": t, "value": None if 10 <= t < 20 else 1} for t in range(30)]
    rows = [{"key": "k", "window_start": start, "result": 10} for start in (0, 20)]
    for nothing, said, right in (
        ([{"key": "k", "window_start": 10, "result": None}], "absent", True),
        ([{"key": "k", "window_start": 10, "result": 0}], "zero", True),
        ([{"key": "k", "window_start": 10, "result": 0}], "absent", False),
        ([], "any", True),
        ([], "absent", False),
    ):
        found = judge(events, [*rows, *nothing], "tumbling 10", "sum", nulls="ignore", empty=said)  # type: ignore[arg-type]  # from a list
        assert (set(found.counts) <= {"empty"}) is right


def rising(n: int = 600) -> tuple[list[Row], list[float]]:
    """Return large values, followed by small ones, so that the rounding of a running sum is visible at the end."""
    draw = random.Random(5)
    values = [draw.uniform(-1, 1) * (1e9 if i < n // 4 else 1e-3) for i in range(n)]
    return [{"key": "k", "time": i, "seq": i, "value": value} for i, value in enumerate(values)], values


def rows_of(sums: list[float | None]) -> list[Row]:
    return [{"key": "k", "time": i, "seq": i, "result": total} for i, total in enumerate(sums)]


def test_running_sums_drift_and_an_error_among_them_is_found() -> None:
    events, values = rising()
    total, sums = 0.0, list[float | None]()
    for i, value in enumerate(values):
        total += value
        total -= values[i - 9] if i >= 9 else 0.0
        sums.append(total)
    assert judge(events, rows_of(sums), "rows -8 0", "sum", kind="float").counts["wrong"] > 300
    excused = judge(events, rows_of(sums), "rows -8 0", "sum", kind="float", summation="running")
    assert set(excused.counts) == {"excused"}
    means: list[float | None] = [(s or 0) / min(i + 1, 9) for i, s in enumerate(sums)]
    assert set(judge(events, rows_of(means), "rows -8 0", "mean", kind="float", summation="running").counts) == {
        "excused"
    }
    sums[400] = (sums[400] or 0) + 500
    found = judge(events, rows_of(sums), "rows -8 0", "sum", kind="float", summation="running")
    assert [fault["a"] for fault in found.faults if fault["kind"] == "wrong"] == [400]
    early = rows_of([*sums[:3], (sums[3] or 0) + 1e-3, *sums[4:]])
    wrong = [f["a"] for f in judge(events, early, "rows -8 0", "sum", kind="float", summation="running").faults]
    assert 3 in wrong, "what was not rounded yet does not excuse"


def roll(values: list[float], of: Callable[[float, float, int], float], size: int, slide: int) -> list[Row]:
    """Return windows of `size` ticks, with one event per tick, by a running sum and a running sum of squares."""
    total = squares = 0.0
    rows = list[Row]()
    for end in range(slide, len(values) + size, slide):
        for value in values[end - slide : end]:
            total, squares = total + value, squares + value * value
        for value in values[max(0, end - size - slide) : max(0, end - size)]:
            total, squares = total - value, squares - value * value
        n = len(values[max(0, end - size) : end])
        if n:
            rows.append({"key": "k", "window_end": end, "result": of(total, squares, n)})
    return rows


def deviate(total: float, squares: float, n: int) -> float:
    return math.sqrt(max(0.0, squares - total * total / n) / n)


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("sum", lambda total, _, n: total),
        ("mean", lambda total, _, n: total / n),
        ("population-standard-deviation", deviate),
    ],
)
def test_sliding_windows_and_deviations_drift_and_an_error_among_them_is_found(
    name: str, of: Callable[[float, float, int], float]
) -> None:
    events, values = rising()
    values = [value * 1e-3 + 1 for value in values]
    events = [{**event, "value": value} for event, value in zip(events, values, strict=True)]
    rows = roll(values, of, 12, 4)
    assert judge(events, rows, "sliding 12 every 4", name, kind="float").counts["wrong"] > 30
    excused = judge(events, rows, "sliding 12 every 4", name, kind="float", summation="running")
    assert "wrong" not in excused.counts
    assert excused.counts["excused"] > 30
    rows[100]["result"] += 10
    found = judge(events, rows, "sliding 12 every 4", name, kind="float", summation="running")
    assert [fault["b"] for fault in found.faults if fault["kind"] == "wrong"] == [rows[100]["window_end"]]


def test_what_drifts_is_named_so_and_an_error_beside_it_is_not() -> None:
    draw = random.Random(11)
    values = [draw.choice((1e3, 1.0)) * draw.random() for _ in range(900)]
    events: list[Row] = [{"key": "k", "time": i, "seq": i, "value": value} for i, value in enumerate(values)]
    rows = roll(values, lambda total, _, n: total, 8, 4)
    report = run(events, rows, "sliding 8 every 4", "sum")
    assert report.counts["wrong"] > 10
    assert report.hints == ["right with --summation running"]
    assert {finding["cause"] for finding in report.findings} == {None}
    rows[50]["result"] += 1.0
    report = run(events, rows, "sliding 8 every 4", "sum")
    assert report.hints == []
    assert report.causes == []


def test_of_what_is_no_sum_no_summation_can_be_said() -> None:
    events, _ = rising(40)
    for window, name, said in (
        ("tumbling 4", "sum", "applies to frames and overlapping sliding windows, not to tumbling 4"),
        ("sliding 8 every 4", "max", "applies to sums, means and deviations of floats, not to max"),
    ):
        with pytest.raises(InputError, match=said):
            run(events, [{"key": "k", "window_end": 4, "result": 1.0}], window, name, summation="running")


@pytest.mark.parametrize("name", ["product", "geometric-mean"])
def test_products_of_floats(name: str) -> None:
    draw = random.Random(3)
    values = [draw.uniform(0.5, 2) for _ in range(400)]
    events = [{"key": "k", "time": i, "seq": i, "value": value} for i, value in enumerate(values)]
    rows: list[Row] = []
    for start in range(0, 400, 20):
        product = math.prod(values[start : start + 20])
        row = product if name == "product" else product ** (1 / 20)
        rows.append({"key": "k", "window_start": start, "result": row})
    assert judge(events, rows, "tumbling 20", name, kind="float").counts == {}
    rows[3]["result"] *= 1 + 1e-12
    assert judge(events, rows, "tumbling 20", name, kind="float").counts == {"wrong": 1}
    tiny = [{"key": "k", "time": i, "seq": i, "value": v} for i, v in enumerate((1e-200, 1e-200, 1e200, 0.0, 3.0))]
    for answer in (0.0, 1e-200):
        rows = [{"key": "k", "window_start": 0, "result": answer}, {"key": "k", "window_start": 3, "result": 0.0}]
        found = judge(tiny, rows, "tumbling 3", "product", kind="float").counts
        assert found == {}, "what a part of which leaves the range of floats is not judged"
    rows[1]["result"] = 1e-300
    assert judge(tiny, rows, "tumbling 3", "product", kind="float").counts == {"wrong": 1}


OWN: Final = """
from dataclasses import replace
from math import isclose
from swagproof.models.operations import Operation

HALF = Operation("half", lift=float, combine=lambda a, b: a + b, lower=lambda v: v / 2,
                 identity=0.0, commutative=True, samples=(1.0,))
NEAR = replace(HALF, name="near", equal=lambda a, b: isclose(a, b, rel_tol=1e-12))

class Plain:
    identity, samples = 0.0, (1.0,)
    def combine(self, a, b): return a + b
    def lower(self, v): return v / 2

class NearPlain(Plain):
    def equal(self, a, b): return isclose(a, b, rel_tol=1e-12)

class Listed(NearPlain):
    "Its partial aggregates are nothing that its equal takes."
    identity = ()
    def lift(self, x): return (x,)
    def lower(self, values): return sum(values) / 2

class Broken(Listed):
    def combine(self, a, b): return (*b, *a, 1.0)
    def equal(self, a, b): return True

class Sum:
    identity, samples = 0, (1, 2)
    def combine(self, a, b): return a + b

class Near(Sum):
    def equal(self, a, b): return abs(a - b) <= 1

class Text:
    identity, samples = "", ("a", "B")
    def combine(self, a, b): return a + b

class AnyCase(Text):
    def equal(self, a, b): return a.lower() == b.lower()
"""


def test_whoever_writes_an_operation_says_which_results_are_equal(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)

    def ask(name: str, value: Any, result: Any) -> dict[str, int]:
        kind: Any = {float: "float", int: "int", str: "text"}[type(value)]
        events: list[Row] = [{"key": "k", "time": i, "seq": i, "value": value} for i in range(10)]
        rows: list[Row] = [{"key": "k", "window_start": 0, "result": result}]
        return judge(events, rows, "tumbling 10", f"{file}:{name}", kind=kind, result=kind).counts

    for name, value, right, wrong in (
        ("HALF", 0.1, (), (0.5,)), ("NEAR", 0.1, (0.5,), (0.501,)),
        ("Plain", 0.1, (), (0.5,)), ("NearPlain", 0.1, (0.5,), (0.501,)), ("Listed", 0.1, (0.5,), (0.501,)),
        ("Sum", 1, (10,), (11, 12)), ("Near", 1, (10, 11), (12,)),
        ("Text", "a", ("a" * 10,), ("A" * 10, "A" * 9)), ("AnyCase", "a", ("a" * 10, "A" * 10), ("A" * 9,)),
    ):  # fmt: skip
        assert [ask(name, value, it) for it in (*right, *wrong)] == [{}] * len(right) + [{"wrong": 1}] * len(wrong)
    with pytest.raises(InputError, match="is not a monoid"):
        ask("Broken", 0.1, 0.5)


@pytest.mark.parametrize("engine", ["polars", "pandas", "duckdb"])
def test_frames_of_floats_and_frames_that_are_not_full(engine: str) -> None:
    """Polars and pandas return null until the frame is full; their sums keep rounding errors, or compensate them."""
    events, values = rising()
    match engine:
        case "polars":
            sums: list[float | None] = apart(sum_rows_in_polars, values, 9)
        case "pandas":
            sums = [None if s != s else s for s in pd.Series(values).rolling(9).sum().tolist()]
        case _:
            connection = duckdb.connect()
            connection.register("e", pa.table({"i": range(len(values)), "v": values}))
            frame = "over (order by i rows between 8 preceding and current row)"
            full = f"case when count(*) {frame} = 9 then sum(v) {frame} end"
            sums = [row[0] for row in connection.sql(f"select {full} from e order by i").fetchall()]
    found = judge(events, rows_of(sums), "rows -8 0 full", "sum", kind="float", summation="running").counts
    assert set(found) <= {"excused"}
    for gone in (0, 1):  # fewer than nine rows have no result, as by QUALIFY and dropna(); or have one
        rows = [row for row in rows_of(sums) if row["result"] is not None][gone:]
        found = judge(events, rows, "rows -8 0 full", "sum", kind="float", summation="running", empty="any").counts
        assert found.get("missing", 0) == gone
    assert judge(events, rows_of(sums), "rows -8 0", "sum", kind="float", summation="running").counts["wrong"] == 8
    sums[7], sums[300] = 0.0, (sums[300] or 0) + 1
    found = judge(events, rows_of(sums), "rows -8 0 full", "sum", kind="float", summation="running").counts
    assert found["wrong"] == 2


def test_pandas_frames_of_time_end_at_their_row() -> None:
    draw = random.Random(9)
    times = sorted(draw.randrange(60) for _ in range(120))
    events = [{"key": "k", "time": t, "seq": i, "value": draw.randint(1, 99)} for i, t in enumerate(times)]
    column = pd.Series([e["value"] for e in events], index=pd.to_datetime(times, unit="us"))
    for closed, text in (("right", "range -9us 0 closed right to row"), ("both", "range -9us 0 to row")):
        sums = column.rolling("9us", closed=closed).sum()  # type: ignore[arg-type]  # from a list
        rows: list[Row] = [
            {"key": "k", "time": e["time"], "seq": e["seq"], "result": int(x)}
            for e, x in zip(events, sums, strict=True)
        ]
        assert judge(events, rows, text, "sum", unit="us").counts == {}
        assert judge(events, rows, text.replace(" to row", ""), "sum", unit="us").counts["wrong"] > 20
        rows[50]["result"] += 1
        assert judge(events, rows, text, "sum", unit="us").counts == {"wrong": 1}


def test_pandas_frames_of_time_without_their_end_where_no_times_are_equal() -> None:
    times = sorted(random.Random(9).sample(range(300), 60))
    column = pd.Series(1, index=pd.to_datetime(times, unit="us"))
    events = [{"key": "k", "time": t, "seq": t, "value": 1} for t in times]
    for closed in ("left", "neither"):
        found = [None if n != n else n for n in column.rolling("9us", closed=closed).count()]  # type: ignore[arg-type]  # from a list
        assert None in found
        rows = [{"key": "k", "time": t, "seq": t, "result": n} for t, n in zip(times, found, strict=True)]
        judged = judge(events, rows, f"range -9us 0 closed {closed}", "count", unit="us", result="float", empty="null")
        assert judged.counts == {"empty": found.count(None)}


def test_integers_that_are_summed_as_doubles_are_values_of_that_kind() -> None:
    events = [{**event, "value": event["value"] * 2**54 + 1} for event in EVENTS]
    connection = sqlite3.connect(":memory:")
    connection.execute("create table e (key, time, value)")
    connection.executemany("insert into e values (:key, :time, :value)", events)
    found = connection.execute(f"select key, time / {DAY} * {DAY} w, total(value) from e group by key, w")
    rows = [{"key": key, "window_start": w, "result": total} for key, w, total in found]
    assert judge(events, rows, "tumbling 1d", "sum", unit="us", result="float").counts["wrong"] > 10
    doubles = [{**event, "value": float(event["value"])} for event in events]
    assert judge(doubles, rows, "tumbling 1d", "sum", unit="us", kind="float").counts == {}
    rows[3]["result"] += 2.0**54
    assert judge(doubles, rows, "tumbling 1d", "sum", unit="us", kind="float").counts == {"wrong": 1}


def test_duckdb_writes_its_sums_of_integers_as_doubles_to_parquet(tmp_path: Path) -> None:
    events = [{**event, "value": event["value"] + 2**53} for event in EVENTS]
    connection = duckdb.connect()
    connection.register("events", pa.Table.from_pylist(events))
    query = f"select key, time // {DAY} * {DAY} as window_start, sum(value) as result from events group by all"
    connection.execute(f"copy ({query}) to '{tmp_path / 'r.parquet'}'")
    asked: dict[str, Any] = {"time_unit": "us", "window_start": "window_start", "show": 1}
    report = run(events, tmp_path / "r.parquet", "tumbling 1d", "sum", value=("value:float",), **asked)
    assert report.outcome == "conforms", report.sentence


def test_what_is_excused_is_told_and_keys_are_the_same_number() -> None:
    """Keys are ints in one table and doubles in the other, with pandas' nulls; one error is hidden among drifts."""
    events, values = rising(300)
    total, rows = 0.0, list[Row]()
    for i, value in enumerate(values):
        total += value
        total -= values[i - 9] if i >= 9 else 0.0
        rows += [{"key": float(key), "time": i, "seq": i, "result": total} for key in (7, "nan")]
    both = [{**event, "key": key} for event in events for key in (7, None)]
    rows[400]["result"] += 500.0
    report = run(both, rows, "rows -8 0", "sum", summation="running", empty="any")
    assert report.counts == {"missing": 0, "extra": 0, "wrong": 1, "duplicate": 0, "late-differing": 0}
    assert report.results["excused"] > 300
    assert 0 < report.results["farthest"] < 1e-3
    rows[400]["result"] -= 500.0
    report = run(both, rows, "rows -8 0", "sum", summation="running")
    assert (report.outcome, "results accepted only by --summation running, off by" in report.sentence) == (
        "conforms",
        True,
    )
