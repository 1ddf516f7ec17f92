"""Windowed jobs as people write them for DuckDB, Polars, pandas and SQLite, judged by the command.

A job is written in its engine's language, with the options of its audit.  Its events are drawn by a seed: rides of five
drivers, one of them null, out of order, some exactly on an hour or a midnight, over ten days in which Berlin puts its
clocks forward; with null numbers, decimals, doubles, and unused columns.
"""

import csv
import json
import random
import shlex
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from click.testing import CliRunner

from swagproof.pipeline.commands.audit import audit as command

DRIVER: Final = "--key driver --time ts --arrival id"
"""The options of most jobs that describe their events."""
N: Final = "--value n"
AMOUNT: Final = "--value amount --nulls ignore"
SAME: Final = "r.driver is not distinct from s.driver"

_BEGIN: Final = int(datetime(2024, 3, 25, tzinfo=UTC).timestamp()) * 10**6
_HOUR: Final = 3_600_000_000
_MACROS: Final = """
set timezone = 'UTC';
create macro six(t) as time_bucket(interval 6 hours, t, timestamptz '1970-01-01');
create macro hourly(t) as date_trunc('hour', t);
create macro daily(t) as date_trunc('day', t);
create macro in_berlin(t) as t at time zone 'Europe/Berlin';
"""


@dataclass(frozen=True)
class Job:
    """A job with the options of its audit."""

    name: str
    engine: str
    window: str
    aggregate: str
    made: str | Callable[[Any], Any]
    """SQL over `rides`; or a function of a data frame of them; or a writer of rows of driver, hour and sum."""
    options: str = ""
    ending: str = "parquet"
    events: str = "rides.parquet"
    causes: str = ""
    """The diagnoses that its mistake may get, separated by bars; empty if there is no mistake."""
    told: str = DRIVER


@dataclass(frozen=True)
class World:
    """The events, stored in a folder."""

    place: Path
    connection: Any

    @classmethod
    def draw(cls, seed: int, place: Path, n: int = 700) -> "World":
        """Draw rides by a seed."""
        dice = random.Random(seed)
        rows: list[dict[str, Any]] = []
        for i in range(n):
            time = _BEGIN + i * 240 * _HOUR // n - dice.choice((0, 0, 0, dice.randrange(3 * 3600))) * 10**6
            time = dice.choice((time // _HOUR * _HOUR, time // 10**6 * 10**6, time // 1000 * 1000 + 999, time + 1))
            rows.append(
                {
                    "id": 3 * i + 7,
                    "driver": dice.choice(["ann", "Bob", "c d", 'é"x', None]),
                    "zone": dice.choice([1, 2, None, 30]),
                    "ts": time,
                    "cents": None if dice.random() < 0.08 else dice.randrange(-5_000, 90_000),
                    "km": dice.choice([dice.random() * 100, dice.randrange(1000) / 10, 1e-7, 0.1]),
                    "n": dice.randrange(-3, 9),
                    "batch": i // 40,
                }
            )
        connection = duckdb.connect()
        connection.execute(_MACROS)
        connection.register("drawn", pa.Table.from_pylist(rows))
        connection.execute(
            "create table rides as select id, driver, zone::integer zone, make_timestamptz(ts) ts, "
            "(cents / 100.0)::decimal(10, 2) amount, km, km::float kmf, n::integer n, batch::integer batch from drawn"
        )
        for query, name in (
            ("rides", "rides.parquet"), ("rides", "rides.csv"), ("rides", "rides.jsonl"),
            ("(select *, n > 3 b, ts::date d, n + 4 m, id::double idf, n::double nf from rides)", "more.parquet"),
            ("(select * exclude (ts), epoch_ms(ts) ms, epoch_ms(ts)::double msf, ts at time zone 'UTC' naive "
             "from rides)", "numbers.parquet"),
            ("(from rides where driver is not null)", "named.parquet"),
            ("(select * replace (id || '.0' as id, n || '.0' as n) from rides)", "doubles.csv"),
        ):  # fmt: skip
            connection.execute(f"copy {query} to '{place / name}' ({_format(name)})")
        return cls(place, connection)

    def run(self, job: Job, *reports: str) -> tuple[int, str]:
        """Return the exit code and the output of a job's audit."""
        results = self.place / f"results.{job.ending}"
        self._make(job, results)
        told = shlex.split(f"{job.told} {job.options}")
        files = ["--events", str(self.place / job.events), "--results", str(results)]
        asked = [*files, "--window", job.window, "--aggregate", job.aggregate, *told, *reports]
        done = CliRunner().invoke(command, asked)
        return done.exit_code, done.output

    def judge(self, job: Job) -> dict[str, Any]:
        """Return the verdict as JSON.  Raises AssertionError if there is none."""
        code, output = self.run(job, "--json", "-")
        assert code in (0, 1, 3), output
        verdict: dict[str, Any] = json.loads(output)
        return verdict

    def _make(self, job: Job, results: Path) -> None:
        if isinstance(job.made, str):
            if job.engine == "SQLite":
                self._ask_sqlite(job.made, results)
            else:
                self.connection.execute(f"copy ({job.made}) to '{results}' ({_format(results.name)})")
            return
        if job.engine == "files":
            query = "select driver, hourly(ts), sum(n) from rides where driver is not null group by all order by all"
            written: str | bytes = job.made(self.connection.sql(query).fetchall())
            results.write_bytes(written if isinstance(written, bytes) else written.encode())
            return
        frame: Any
        if job.engine == "Polars":
            frame = pl.read_parquet(self.place / "rides.parquet").sort("ts", "id")
            made = job.made(frame)
            made.write_csv(results) if job.ending == "csv" else made.write_parquet(results)
            return
        frame = pd.read_parquet(self.place / "rides.parquet").sort_values(["ts", "id"])
        made = job.made(frame)
        made.to_csv(results) if job.ending == "csv" else made.to_parquet(results)

    def _ask_sqlite(self, query: str, results: Path) -> None:
        rides: Any = pd.read_parquet(self.place / "rides.parquet")
        rides["ts"] = [time.strftime("%Y-%m-%d %H:%M:%S.%f") for time in rides.ts]
        rides["amount"] = rides.amount.astype(float)
        connection = sqlite3.connect(":memory:")
        rides.to_sql("rides", connection, index=False)
        found = connection.execute(query)
        with results.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([column[0] for column in found.description])
            writer.writerows(found.fetchall())


def _format(name: str) -> str:
    return {"parquet": "format parquet", "csv": "header", "jsonl": "format json"}[name.rpartition(".")[2]]


def named(start: str, value: str = "sum(n)", *, of: str = "rides", where: str = "", more: str = "") -> str:
    """Return the query of windows that begin there."""
    return f"select driver, {start} window_start, {value} result from {of} {where} group by all {more}"


six, hours, daily = partial(named, "six(ts)"), partial(named, "hourly(ts)"), partial(named, "daily(ts)")


def frame(value: str, over: str, by: str = "partition by driver ") -> str:
    """Return the query of a frame for each ride."""
    return f"select driver, ts, id, {value} over ({by}order by {over}) result from rides"


def sessions(
    gap: str,
    *,
    parts: str = ">=",
    over: str = "driver",
    end: str = "max(ts) + interval {}",
    of: str = "rides",
    where: str = "",
    having: str = "",
) -> str:
    """Return a query for sums of sessions, by a flag for the beginning of each session and its running sum."""
    by = f"partition by {over} order by ts, id" if over else "order by ts, id"
    return (
        f"with g as (select *, coalesce((ts - lag(ts) over w {parts} interval {gap}{where})::int, 1) b from {of} "
        f"window w as ({by})), s as (select *, sum(b) over ({by}) sid from g) "
        f"select driver, min(ts) window_start, {end.format(gap)} window_end, sum(n) result from s "
        f"group by driver, sid {having}"
    )


def spine(join: str, value: str, *, hours: str = "6 hours", kind: str = "join") -> str:
    """Return a query for all windows and drivers, joined with the rides."""
    return (
        "with spine as (select driver, ws from (select distinct driver from rides), "
        f"(select unnest(generate_series(timestamptz '2024-03-24', timestamptz '2024-04-05', interval {hours})) ws)) "
        f"select s.driver, ws window_start, ws + interval {hours} window_end, {value} result "
        f"from spine s {kind} rides r on {join} group by all"
    )


def in_time(delay: str, rule: str, *, scope: str = "") -> str:
    """Return a query for counts of hours without late rides: `wm` is the latest time so far minus a delay."""
    return (
        f"with m as (select *, max(ts) over ({scope} order by id rows between unbounded preceding and 1 preceding) "
        f"- interval {delay} wm from rides) "
        f"select driver, hourly(ts) window_start, count(*) result from m where wm is null or {rule} group by all"
    )


def is_named(job: Job, verdict: dict[str, Any]) -> bool:
    """Return whether a mistake is named: 19 of 20 findings by an allowed diagnosis, at most one by another."""
    may, n = set(job.causes.split("|")), verdict["diagnosed"]["findings"]
    right = sum(it["explains"] for it in verdict["causes"] if may & {it["cause"], *it["also"]})
    wrong = sum(it["explains"] for it in verdict["causes"]) - right
    return bool(n) and 20 * wrong <= n and 20 * right >= 19 * n
