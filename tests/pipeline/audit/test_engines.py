"""Windows as engines have them: what DuckDB, Polars, pandas and SQLite compute is not called wrong; an error in it is.

Each job is in the engine's own words; beside it stands what the audit is told.  Times are microseconds since the epoch.
"""

import random
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pytest
from support.auditing import Row, judge

from swagproof.models.windows.kinds import Calendar
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import Event

BERLIN: Final = "Europe/Berlin"
HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR


def make_events(seed: int = 1, n: int = 400) -> list[Row]:
    """Events of two keys over the weeks around a change of clocks, some of them just on an hour or a midnight there."""
    draw = random.Random(seed)
    begin = int(datetime(2024, 3, 20, 23, tzinfo=UTC).timestamp()) * 10**6
    times = [begin + draw.choice((draw.randrange(600), 24 * draw.randrange(25))) * HOUR for _ in range(n)]
    times = sorted(time + draw.choice((0, 0, draw.randrange(HOUR))) for time in times)
    return [
        {"key": draw.choice("ab"), "time": t, "seq": i, "value": draw.randint(-99, 99)} for i, t in enumerate(times)
    ]


EVENTS: Final = make_events()
FRAME: Final = pl.DataFrame(EVENTS).with_columns(ts=pl.from_epoch("time", time_unit="us").dt.replace_time_zone("UTC"))


def in_polars(every: str, zone: str = "UTC", **options: Any) -> list[Row]:
    """The windows of group_by_dynamic, with their bounds."""
    local = FRAME.with_columns(pl.col("ts").dt.convert_time_zone(zone))
    dynamic = local.group_by_dynamic("ts", every=every, group_by="key", include_boundaries=True, **options)
    found = dynamic.agg(pl.col("value").sum().alias("result")).with_columns(
        window_start=pl.col("_lower_boundary").dt.epoch("us"), window_end=pl.col("_upper_boundary").dt.epoch("us")
    )
    return found.select("key", "window_start", "window_end", "result").to_dicts()


def in_pandas(rule: str, zone: str = "UTC", **options: Any) -> list[Row]:
    """The bins of resample by one of their ends; it has a 0 for each that holds nothing."""
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
    """Sums grouped by an expression over ts, a time with a zone, or `local`, the same on the clocks of the zone."""
    connection = duckdb.connect()
    connection.execute(f"set timezone = '{zone}'")
    connection.register("events", FRAME.drop("ts").to_arrow())
    ends = f", epoch_us({end}) window_end" if end else ""
    query = (
        "with t as (select *, make_timestamptz(time) ts from events), "
        f"e as (select *, ts at time zone '{zone}' as local from t) "
        f"select key, epoch_us({bucket}) window_start{ends}, sum(value)::bigint result from e group by all"
    )
    return connection.sql(query).pl().to_dicts()


def in_sqlite(bucket: str) -> list[Row]:
    """Sums grouped by an integer expression over the time in microseconds."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create table e (key, time, value)")
    connection.executemany("insert into e values (:key, :time, :value)", EVENTS)
    found = connection.execute(f"select key, {bucket} w, sum(value) from e group by key, w")
    return [{"key": key, "window_start": w, "result": total} for key, w, total in found]


class Job(NamedTuple):
    """A right job, and its windows as the audit is told."""

    engine: str
    made: Callable[[], list[Row]]
    window: str


JOBS: Final = [
    Job("polars", lambda: in_polars("1h"), "tumbling 1h"),
    Job("polars", lambda: in_polars("1d"), "tumbling 1d"),
    Job("polars", lambda: in_polars("1d", BERLIN), f"tumbling 1 day in {BERLIN}"),
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
    Job("polars", lambda: in_polars("2h", offset="30m"), "tumbling 2h offset 30m"),
    Job("pandas", lambda: in_pandas("D", BERLIN), f"tumbling 1 day in {BERLIN}"),
    Job("pandas", lambda: in_pandas("MS", BERLIN), f"tumbling 1 month in {BERLIN}"),
    Job("pandas", lambda: in_pandas("QS"), "tumbling 1 quarter in UTC"),
    Job("pandas", lambda: in_pandas("6h", closed="right", label="right"), "tumbling 6h closed right"),
    Job("pandas", lambda: in_pandas("6h", label="right"), "tumbling 6h"),
    Job("pandas", lambda: in_pandas("7h", origin="epoch"), "tumbling 7h"),
    Job("pandas", lambda: in_pandas("7h", origin=pd.Timestamp("2000-01-03", tz="UTC")),
        "tumbling 7h origin 2000-01-03"),
    Job("pandas", lambda: in_pandas("2h", offset="30min"), "tumbling 2h offset 30m"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '7 hours', ts)"), "tumbling 7h origin 2000-01-03"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '1 week', ts)"), "tumbling 7d origin 2000-01-03"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '7 hours', ts, timestamptz '2024-01-01 00:00:00+00')"),
        "tumbling 7h origin 2024-01-01"),
    Job("duckdb", lambda: in_duckdb("date_trunc('day', ts)", zone=BERLIN), f"tumbling 1 day in {BERLIN}"),
    Job("duckdb", lambda: in_duckdb("date_trunc('week', ts)", zone=BERLIN), f"tumbling 1 week in {BERLIN}"),
    Job("duckdb", lambda: in_duckdb("date_trunc('month', ts)", zone="Asia/Kolkata"),
        "tumbling 1 month in Asia/Kolkata"),
    Job("duckdb", lambda: in_duckdb("time_bucket(interval '1 day', local) at time zone 'Europe/Berlin'", zone=BERLIN),
        f"tumbling 1 day in {BERLIN}"),
    Job("duckdb", lambda: in_duckdb("date_trunc('day', ts)", "date_trunc('day', ts) + interval '1 day'", zone=BERLIN),
        f"tumbling 1 day in {BERLIN}"),
    Job("sqlite", lambda: in_sqlite(f"time - time % {HOUR}"), "tumbling 1h"),
    Job("sqlite", lambda: in_sqlite(f"(time - {HOUR // 2}) / {2 * HOUR} * {2 * HOUR} + {HOUR // 2}"),
        "tumbling 2h offset 30m"),
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
