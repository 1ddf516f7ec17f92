"""Right jobs of many engines and dialects; all must be judged right."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta, timezone
from typing import Any, Final

import pandas as pd
import polars as pl
from support.jobs.job import AMOUNT, DRIVER, SAME, Job, N, daily, frame, hours, in_time, named, sessions, six, spine

_DUCKDB: Final = (
    ("days of Berlin, as dates", "tumbling 1 day in Europe/Berlin", "sum", N, "",
     named("date_trunc('day', in_berlin(ts))::date")),
    ("days of Berlin, times without a zone", "tumbling 1 day in Europe/Berlin", "sum", N, "jsonl",
     named("date_trunc('day', in_berlin(ts))")),
    ("days of Berlin, as instants", "tumbling 1 day in Europe/Berlin", "sum", N, "csv",
     named("in_berlin(date_trunc('day', in_berlin(ts)))")),
    ("weeks of New York", "tumbling 1 week in America/New_York", "count", "", "",
     named("date_trunc('week', ts at time zone 'America/New_York')", "count(*)")),
    ("weeks from Sunday on", "tumbling 1 week in UTC offset -1", "count", "", "",
     named("date_trunc('week', ts + interval 1 day) - interval 1 day", "count(*)")),
    ("months of Kolkata", "tumbling 1 month in Asia/Kolkata", "sum", N, "",
     named("date_trunc('month', ts at time zone 'Asia/Kolkata')::date")),
    ("hours, in any order of rows and columns", "tumbling 1h", "count", "", "csv",
     "select count(*) result, hourly(ts) window_start, driver from rides group by all order by random()"),
    ("decimals, null where there is none", "tumbling 6h", "sum", AMOUNT, "", six("sum(amount)")),
    ("decimals as doubles", "tumbling 6h", "sum", AMOUNT, "", six("sum(amount)::double")),
    ("decimals added as doubles", "tumbling 6h", "sum", "--value amount:float --nulls ignore", "",
     six("sum(amount::double)")),
    ("zero where there is none", "tumbling 6h", "sum", f"{AMOUNT} --empty zero", "", six("coalesce(sum(amount), 0)")),
    ("means of decimals", "tumbling 6h", "mean", AMOUNT, "", six("avg(amount)")),
    ("means with two digits", "tumbling 6h", "mean", AMOUNT, "", six("avg(amount)::decimal(10, 2)")),
    ("counts of what is there", "tumbling 6h", "count", AMOUNT, "", six("count(amount)")),
    ("nulls left out first", "tumbling 6h", "max", "--value amount --nulls skip", "",
     six("max(amount)", of="(from rides where amount is not null)")),
    ("deviations of the sample", "tumbling 1d", "sample-standard-deviation", "--value km --empty null", "",
     daily("stddev_samp(km)")),
    ("deviations of all", "tumbling 1d", "population-standard-deviation", N, "", daily("stddev_pop(n)")),
    ("exact sums of doubles", "tumbling 1d", "sum", "--value km", "", daily("fsum(km)")),
    ("sums of floats in doubles", "tumbling 1d", "sum", "--value kmf", "", daily("sum(kmf)")),
    ("the first in time", "tumbling 1d", "first", N, "", daily("first(n order by ts, id)")),
    ("lists", "tumbling 1d", "collect", "--value n:int", "", daily("list(n order by ts, id)")),
    ("text in a row", "tumbling 1d", "concatenation", "--value n:text", "",
     daily("string_agg(n::varchar, '' order by ts, id)")),
    ("products", "tumbling 1h", "product", N, "", hours("product(n)")),
    ("sliding, by a series of starts", "sliding 6h every 2h", "sum", N, "",
     "select driver, to_timestamp(s) window_start, to_timestamp(s + 21600) window_end, sum(n) result from (select *, "
     "unnest(generate_series((floor((epoch(ts) - 21600) / 7200) * 7200 + 7200)::bigint, "
     "(floor(epoch(ts) / 7200) * 7200)::bigint, 7200)) s from rides) group by all"),
    ("a row for each window, null for none", "tumbling 6h", "sum", f"{N} --empty null", "",
     spine(f"{SAME} and ts >= ws and ts < ws + interval 6 hours", "sum(n)", kind="left join")),
    ("a row for each window, 0 for none", "tumbling 6h", "count", "--empty zero", "",
     spine(f"{SAME} and ts >= ws and ts < ws + interval 6 hours", "count(id)", kind="left join")),
    ("between", "tumbling 6h closed both", "count", "",  "",
     spine(f"{SAME} and ts between ws and ws + interval 6 hours", "count(*)")),
    ("sessions", "session 2h", "sum", N, "", sessions("2 hours")),
    ("touching sessions", "session 2h touching", "sum", N, "", sessions("2 hours", parts=">")),
    ("rows before", "rows -9 -1", "sum", N, "", frame("sum(n)", "ts, id rows between 9 preceding and 1 preceding")),
    ("rows of decimals", "rows -4 0", "mean", AMOUNT, "", frame("avg(amount)", "ts, id rows 4 preceding")),
    ("three hours before", "range -3h 0", "sum", AMOUNT, "",
     frame("sum(amount)", "ts range between interval 3 hours preceding and current row")),
    ("an hour before and after", "range -1h 1h", "max", "--value km", "",
     frame("max(km)", "ts range between interval 1 hour preceding and interval 1 hour following")),
    ("running totals", "rows unbounded 0", "sum", "--value km", "",
     frame("sum(km)", "ts, id rows unbounded preceding")),
    ("named by the last millisecond", "tumbling 1h", "sum", f"{N} --window-end we --window-end-less 1ms", "",
     "select driver, hourly(ts) + interval 1 hour - interval 1 millisecond we, sum(n) result from rides group by all"),
    ("windows in a struct", "tumbling 6h", "sum", f"{N} --window-start w.start --window-end w.end", "",
     "select driver, {'start': six(ts), 'end': six(ts) + interval 6 hours} w, sum(n) result from rides group by all"),
    ("without late rides", "tumbling 1h", "count", "--watermark 1h --complete", "",
     in_time("1 hour", "wm < hourly(ts) + interval 1 hour")),
    ("a watermark of each driver", "tumbling 1h", "count", "--watermark 30m --watermark-per-key --complete", "",
     in_time("30 minutes", "wm < hourly(ts) + interval 1 hour", scope="partition by driver")),
)  # fmt: skip

_TOLD: Final = (
    ("keys of two columns, one a double", "tumbling 12h", "sum", "--key driver --key zone --time ts --value n",
     "rides.parquet", "parquet",
     named("zone::double zone, time_bucket(interval 12 hours, ts, timestamptz '1970-01-01')", "sum(n)::double")),
    ("keys that are truth values", "tumbling 6h", "count", "--key b:bool --time ts", "more.parquet", "csv",
     "select n > 3 b, six(ts) window_start, count(*) result from rides group by all"),
    ("keys that are dates", "tumbling 6h", "count", "--key d --time ts", "more.parquet", "csv",
     "select ts::date d, six(ts) window_start, count(*) result from rides group by all"),
    ("no key", "tumbling 6h", "sum", "--time ts --value n", "rides.parquet", "parquet",
     "select six(ts) window_start, sum(n) result from rides group by all"),
    ("geometric means", "tumbling 1d", "geometric-mean", "--key driver --time ts --value m", "more.parquet", "parquet",
     daily("exp(avg(ln(n + 4)))")),
    ("events as text", "tumbling 1h", "sum", f"{DRIVER} --value n:int", "rides.csv", "csv", hours()),
    ("events as JSON", "tumbling 1h", "sum", f"{DRIVER} --value n:int", "rides.jsonl", "jsonl", hours()),
    ("times in milliseconds", "tumbling 90m", "sum", "--key driver --time ms --time-unit ms --value n",
     "numbers.parquet", "parquet",
     named("epoch_ms(ts) // 5400000 * 5400000")),
    ("times in milliseconds, as doubles", "tumbling 90m", "sum", "--key driver --time msf --time-unit ms --value n",
     "numbers.parquet", "jsonl",
     named("(epoch_ms(ts) // 5400000 * 5400000)::double")),
    ("times as plain numbers", "tumbling 5400000", "sum", "--key driver --time ms --value n",
     "numbers.parquet", "parquet",
     named("epoch_ms(ts) // 5400000 * 5400000")),
    ("times without a zone", "tumbling 90m", "sum", "--key driver --time naive --value n", "numbers.parquet", "parquet",
     named("time_bucket(interval 90 minutes, ts at time zone 'UTC', timestamp '1970-01-01')")),
    ("arrival numbers and values as doubles", "tumbling 6h", "sum",
     "--key driver --time ts --arrival idf --value nf", "more.parquet", "parquet",
     six()),
    ("arrival numbers and values as 7.0 in text", "tumbling 6h", "sum", f"{DRIVER} --value n:int", "doubles.csv",
     "parquet", six()),
    ("keys as 2.0 in text beside integers", "tumbling 6h", "sum", "--key zone --time ts --value n", "rides.parquet",
     "csv", "select zone::double zone, six(ts) window_start, sum(n) result from rides group by all"),
)  # fmt: skip


def _by_dynamic(value: Any, every: str, **options: Any) -> Callable[[Any], Any]:
    return lambda rides: rides.group_by_dynamic("ts", every=every, group_by="driver", **options).agg(
        value.alias("result")
    )


_POLARS: Final = (
    ("group_by_dynamic", "tumbling 3h", "sum", f"{N} --window-start ts", _by_dynamic(pl.col("n").sum(), "3h")),
    ("an offset", "tumbling 3h offset 25m", "sum", f"{N} --window-start ts",
     _by_dynamic(pl.col("n").sum(), "3h", offset="25m")),
    ("named by the end", "tumbling 3h", "mean", "--value km --window-end ts",
     _by_dynamic(pl.col("km").mean(), "3h", label="right")),
    ("0 for a sum of nulls", "tumbling 3h", "sum", f"{AMOUNT} --empty zero --window-start ts",
     _by_dynamic(pl.col("amount").sum(), "3h")),
    ("means of 32-bit floats", "tumbling 1d", "mean", "--value kmf --summation float32 --window-start ts",
     _by_dynamic(pl.col("kmf").mean(), "1d")),
    ("rolling", "range -3h 0 closed right", "sum", N,
     lambda rides: rides.rolling("ts", period="3h", group_by="driver").agg(pl.col("n").sum().alias("result"))),
    ("days of Berlin, truncated", "tumbling 1 day in Europe/Berlin", "sum", f"{N} --window-start w",
     lambda rides: rides.with_columns(w=pl.col("ts").dt.convert_time_zone("Europe/Berlin").dt.truncate("1d"))
     .group_by("driver", "w").agg(pl.col("n").sum().alias("result"))),
    ("nanoseconds", "tumbling 1h", "sum", f"{N} --window-start w",
     lambda rides: rides.with_columns(w=pl.col("ts").dt.cast_time_unit("ns").dt.truncate("1h"))
     .group_by("driver", "w").agg(pl.col("n").sum().alias("result"))),
)  # fmt: skip


def _of_keys(roll: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Apply a frame to each driver, the null one included."""

    def made(rides: Any) -> Any:
        named = rides.assign(driver=rides.driver.fillna("none"))
        parts = [mine.assign(result=roll(mine)) for _, mine in named.groupby("driver")]
        return pd.concat(parts).assign(driver=lambda x: x.driver.replace("none", None))[
            ["driver", "ts", "id", "result"]
        ]

    return made


def _grouped(freq: str, key: str = "driver", *, column: str = "n", how: str = "sum", **options: Any) -> Any:
    return lambda rides: getattr(
        rides.groupby([key, pd.Grouper(key="ts", freq=freq, **options)], dropna=False)[column], how
    )().rename("result").reset_index()  # fmt: skip


_PANDAS: Final = (
    ("Grouper", "tumbling 6h", "sum", f"{DRIVER} {N} --window-start ts --empty zero", "parquet", _grouped("6h")),
    ("Grouper, to text with its index", "tumbling 1h", "count", f"{DRIVER} --window-start ts --empty zero", "csv",
     _grouped("1h", how="count")),
    ("keys that became doubles, as text", "tumbling 6h", "sum",
     "--key zone --time ts --value n --window-start ts --empty zero", "csv", _grouped("6h", "zone")),
    ("weeks named by their last day", "tumbling 1 week in UTC", "count",
     f"{DRIVER} --window-end ts --window-end-less 1d --empty zero", "parquet", _grouped("W", how="count")),
    ("rolling over time", "range -3h 0 closed right to row", "sum", f"{DRIVER} {N}", "parquet",
     _of_keys(lambda mine: mine.set_index("ts").rolling("3h").n.sum().to_numpy())),
    ("rolling over rows", "rows -4 0", "mean", f"{DRIVER} {N}", "parquet",
     _of_keys(lambda mine: mine.n.rolling(5, min_periods=1).mean())),
    ("the greatest so far", "rows unbounded 0", "max", f"{DRIVER} --value km", "parquet",
     _of_keys(lambda mine: mine.km.expanding().max())),
)  # fmt: skip

_SQLITE: Final = (
    ("hours by strftime", "tumbling 1h", "sum", N,
     "select driver, strftime('%Y-%m-%d %H:00:00', ts) window_start, sum(n) result from rides group by 1, 2"),
    ("days by date", "tumbling 1 day in UTC", "count", "",
     "select driver, date(ts) window_start, count(*) result from rides group by 1, 2"),
    ("totals", "tumbling 1d", "sum", "--value km --result result:float",
     "select driver, date(ts) window_start, total(km) result from rides group by 1, 2"),
    ("frames of rows", "rows -3 0", "sum", N,
     "select driver, ts, id, sum(n) over (partition by driver order by ts, id rows 3 preceding) result from rides"),
)  # fmt: skip

Rows = list[tuple[str, datetime, int]]


def _write(cells: Callable[[str, datetime, int], Iterable[Any]], *, end: str = "\n", last: str = "") -> Any:
    """Return a function that writes rows of driver, hour and sum as text."""

    def made(rows: Rows) -> str:
        lines = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in cells(*row)) for row in rows]
        return end.join(["driver,window_start,result", *lines, last])

    return made


def _objects(cells: Callable[[str, datetime, int], dict[str, Any]]) -> Any:
    return lambda rows: "".join(json.dumps(cells(*row)) + "\n" for row in rows)


_EAST: Final = timezone(timedelta(hours=1))
_FILES: Final = (
    ("times with another offset", "csv", "", _write(lambda k, t, n: (k, t.astimezone(_EAST).isoformat(), n))),
    ("times without seconds", "csv", "", _write(lambda k, t, n: (k, t.strftime("%Y-%m-%d %H:%M"), n))),
    ("nine digits of a second", "csv", "", _write(lambda k, t, n: (k, t.strftime("%Y-%m-%d %H:%M:%S.000000000"), n))),
    ("sums as 3.0", "csv", "", _write(lambda k, t, n: (k, t.isoformat(), f"{n}.0"))),
    ("sums as 3.0e+00, with spaces around", "csv", "", _write(lambda k, t, n: (f"{k}", t.isoformat(), f" {n:.1e} "))),
    ("a mark of the byte order", "csv", "",
     lambda rows: b"\xef\xbb\xbf" + _write(lambda k, t, n: (k, t.isoformat(), n))(rows).encode()),
    ("lines as on Windows, two of them empty", "csv", "",
     _write(lambda k, t, n: (k, t.isoformat(), n), end="\r\n", last="\r\n\r\n")),
    ("JSON numbers as 3.0 and -0.0", "jsonl", "",
     _objects(lambda k, t, n: {"driver": k, "window_start": t.isoformat(), "result": float(n) or -0.0})),
    ("JSON numbers in strings", "jsonl", "",
     _objects(lambda k, t, n: {"driver": k, "window_start": t.isoformat(), "result": str(n)})),
    ("JSON with milliseconds as doubles", "jsonl", "--time-unit ms",
     _objects(lambda k, t, n: {"driver": k, "window_start": t.timestamp() * 1000, "result": n})),
    ("one array of JSON", "json", "",
     lambda rows: json.dumps([{"driver": k, "window_start": t.isoformat(), "result": n} for k, t, n in rows])),
)  # fmt: skip

RIGHT: Final = (
    *(Job(name, "DuckDB", window, over, made, options, ending or "parquet")
      for name, window, over, options, ending, made in _DUCKDB),
    *(Job(name, "DuckDB", window, over, made, "", ending, events, told=told)
      for name, window, over, told, events, ending, made in _TOLD),
    *(Job(name, "Polars", window, over, made, options, told="--key driver --time ts" if "rolling" in name else DRIVER)
      for name, window, over, options, made in _POLARS),
    *(Job(name, "pandas", window, over, made, "", ending, told=told)
      for name, window, over, told, ending, made in _PANDAS),
    *(Job(name, "SQLite", window, over, made, options, "csv") for name, window, over, options, made in _SQLITE),
    *(Job(name, "files", "tumbling 1h", "sum", made, f"{N} {options}", ending, "named.parquet")
      for name, ending, options, made in _FILES),
)  # fmt: skip
"""All right jobs."""
