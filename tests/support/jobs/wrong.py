"""Jobs with mistakes that people make, and the diagnoses that each mistake may get.

They were written before an audit had seen any of them, and none as an edit of a hypothesis of the audit.  Missing
causes were added to the audit afterwards, so they show the known mistakes, not the success on others.  If these events
cannot distinguish two mistakes, both diagnoses are allowed.
"""

from typing import Final

from support.jobs.job import AMOUNT, DRIVER, SAME, Job, N, daily, frame, hours, in_time, named, sessions, six, spine

_KM: Final = "--value km"
_LATE: Final = "--watermark 1h --complete"
_SIX: Final = "tumbling 6h"
_BERLIN: Final = "tumbling 1 day in Europe/Berlin"


def _after(value: str, *, by: str = "partition by driver order by window_start") -> str:
    """Return a query that changes a driver's consecutive sums."""
    made = value.replace("over w", f"over ({by})")
    return f"select driver, window_start, {made} result from ({six().replace(' result', ' r')})"


def _changed(column: str, value: str) -> str:
    return f"(select * replace ({value} as {column}) from rides)"


_EXCHANGED: Final = "case driver when 'ann' then 'Bob' when 'Bob' then 'ann' else driver end"
_IN_ORDER: Final = "partition by driver order by ts, id"
_OVER: Final = "wm < hourly(ts) + interval 1 hour"
_STARTS: Final = (
    "select driver, to_timestamp(s) window_start, sum(n) result from (select *, unnest(generate_series("
    "(floor((epoch(ts) - 21600) / 7200) * 7200 + 7200)::bigint, (floor(epoch(ts) / 7200) * 7200 - 7200)::bigint, "
    "7200)) s from rides) group by all"
)
_SWAPPED: Final = (
    "case when day(ts) <= 12 then make_timestamptz(year(ts), day(ts), month(ts), hour(ts), minute(ts), second(ts)) "
    "else ts end"
)
_FILLED: Final = (
    "with spine as (select driver, ws from (select driver, min(ts) a, max(ts) b from rides group by 1), (select unnest("
    "generate_series(timestamptz '2024-03-24', timestamptz '2024-04-05', interval 1 hour)) ws) where ws > a and ws < b)"
    ", g as (select driver, hourly(ts) ws, sum(n) r from rides group by all) select s.driver, s.ws window_start, "
    "last_value(r ignore nulls) over (partition by s.driver order by s.ws) result "
    "from spine s left join g on g.driver is not distinct from s.driver and g.ws = s.ws"
)
_BY_BATCH: Final = (
    "with b as (select batch, max(max(ts)) over (order by batch rows between unbounded preceding and 1 preceding) "
    "- interval 30 minutes wm from rides group by batch), m as (select r.*, wm from rides r join b using (batch)) "
    "select driver, hourly(ts) window_start, count(*) result from m "
    f"where wm is null or {_OVER} group by all"
)

_WRITTEN: Final = (
    ("days of UTC for days of Berlin", "time zone", _BERLIN, "sum", N, named("daily(ts)::date")),
    ("days of +01:00 for days of Berlin", "time zone", _BERLIN, "sum", N, named("daily(ts + interval 1 hour)::date")),
    ("UTC read as the clocks of Berlin", "time zone", _BERLIN, "sum", N,
     named("daily((ts at time zone 'UTC') at time zone 'Europe/Berlin')::date")),
    ("hours of Berlin's clocks read as UTC", "time zone|names moved", "tumbling 1h", "sum", N,
     named("date_trunc('hour', in_berlin(ts))")),
    ("times read as Berlin's clocks", "time zone", _SIX, "sum", N,
     six(of=_changed("ts", "(ts at time zone 'UTC') at time zone 'Europe/Berlin'"))),
    ("a clock of twelve hours", "times read wrongly", _SIX, "sum", N,
     six(of=_changed("ts", "case when hour(ts) >= 13 then ts - interval 12 hours else ts end"))),
    ("days and months exchanged", "times read wrongly", "tumbling 1d", "sum", N,
     named("daily(t)", of=f"(select *, {_SWAPPED} t from rides)")),
    ("the clocks of zone 1 two hours ahead", "times moved", _SIX, "sum", N,
     six(of=_changed("ts", "case when zone = 1 then ts + interval 2 hours else ts end"))),
    ("hours by a cast, which rounds", "times rounded", "tumbling 1h", "sum", N,
     named("to_timestamp((epoch(ts) / 3600)::bigint * 3600)")),
    ("half an hour on", "windows moved|time zone", "tumbling 1h", "sum", N,
     named("time_bucket(interval 1 hour, ts, timestamptz '1970-01-01 00:30')")),
    ("weeks from Sunday on", "windows moved", "tumbling 1 week in UTC", "count", "",
     named("date_trunc('week', ts + interval 1 day) - interval 1 day", "count(*)")),
    ("named by the end", "named by the end", _SIX, "sum", N, named("six(ts) + interval 6 hours")),
    ("after the begin, until the end", "ends", _SIX, "sum", N,
     spine(f"{SAME} and ts > ws and ts <= ws + interval 6 hours", "sum(n)")),
    ("between", "ends", _SIX, "count", "", spine(f"{SAME} and ts between ws and ws + interval 6 hours", "count(*)")),
    ("joined by equality, so without the null driver", "key lost", _SIX, "count", "",
     spine("r.driver = s.driver and ts >= ws and ts < ws + interval 6 hours", "count(*)")),
    ("a series of starts without its last", "a pane short", "sliding 6h every 2h", "sum", N, _STARTS),
    ("the newest window alone", "another range|a pane short", "sliding 6h every 2h", "sum", N,
     named("to_timestamp(floor(epoch(ts) / 7200) * 7200)")),
    ("a mean of hourly means", "mean of means", _SIX, "mean", _KM,
     f"select driver, six(window_start) window_start, avg(result) result from ({hours('avg(km)')}) group by all"),
    ("a mean of the zones' means", "mean of means", _SIX, "mean", _KM,
     "select driver, window_start, avg(r) result from (select driver, six(ts) window_start, zone, avg(km) r from rides "
     "group by all) group by all"),
    ("sum(distinct)", "duplicates left out", _SIX, "sum", N, six("sum(distinct n)")),
    ("distinct drivers and times", "duplicates left out", _SIX, "count", "",
     six("count(*)", of="(select distinct on (driver, ts) * from rides order by id)")),
    ("distinct values of a day", "duplicates left out", _SIX, "sum", N,
     six(of="(select distinct on (driver, n, ts::date) * from rides order by ts, id)")),
    ("distinct minutes", "duplicates left out", _SIX, "count", "",
     six("count(*)", of="(select distinct driver, date_trunc('minute', ts) ts from rides)")),
    ("how many zones", "another column", _SIX, "count", "", six("count(distinct zone)")),
    ("counts of amounts", "filtered by another column", _SIX, "count", "", six("count(amount)")),
    ("a join that finds zone 2 twice", "doubled by another column", _SIX, "sum", N,
     six(of="rides left join (values (1), (2), (2), (30)) z(zone) using (zone)")),
    ("a join that has no null zone", "filtered by another column", _SIX, "sum", N,
     six(of="rides join (values (1), (2), (30)) z(zone) using (zone)")),
    ("case when", "filtered by another column", _SIX, "sum", N, six("sum(case when zone = 1 then n end)")),
    ("filter (where)", "some values left out", _SIX, "sum", N, six("sum(n) filter (where n >= 0)")),
    ("above zero alone", "some values left out", _SIX, "sum", AMOUNT, six("sum(amount)", where="where amount > 0")),
    ("at most 500", "some values left out", _SIX, "max", AMOUNT, six("max(amount)", where="where amount <= 500")),
    ("a quarter by id", "a share lost", _SIX, "sum", N, six(where="where id % 4 <> 2")),
    ("a file not read", "batch lost|filtered by another column", _SIX, "sum", N, six(where="where batch <> 7")),
    ("a file read twice", "batch replayed|doubled by another column", _SIX, "sum", N,
     six(of="(from rides union all from rides where batch = 5)")),
    ("a day run twice", "batch replayed|result multiplied|some times twice", _SIX, "sum", N,
     six(of="(from rides union all from rides where ts::date = '2024-03-29')")),
    ("a driver twice in a join", "result multiplied", _SIX, "sum", N,
     six(of="(from rides union all from rides where driver = 'ann')")),
    ("nights left out", "some times left out", _SIX, "sum", N, six(where="where hour(ts) between 6 and 21")),
    ("weekends left out", "some times left out|stretch lost|result lost", _SIX, "sum", N,
     six(where="where dayofweek(ts) between 1 and 5")),
    ("until noon of the last day", "batch lost|stretch lost|last windows left out", _SIX, "sum", N,
     six(where="where ts < timestamptz '2024-04-03 13:00'")),
    ("null as zero", "null as zero", _SIX, "mean", AMOUNT, six("avg(coalesce(amount, 0))")),
    ("null as the value before", "null filled", _SIX, "sum", AMOUNT,
     six("sum(amount)", of=_changed("amount", f"last_value(amount ignore nulls) over ({_IN_ORDER})"))),
    ("amounts cast to integers", "rounded", _SIX, "sum", AMOUNT, six("sum(amount::int)")),
    ("kilometres cut", "truncated", _SIX, "sum", _KM, six("sum(trunc(km))")),
    ("amounts without their sign", "sign lost", _SIX, "sum", AMOUNT, six("sum(abs(amount))")),
    ("amounts of zone 2 in cents", "result multiplied", _SIX, "sum", AMOUNT,
     six("sum(case when zone = 2 then amount * 100 else amount end)")),
    ("two digits", "rounded", _SIX, "mean", _KM, six("round(avg(km), 2)")),
    ("no digits", "rounded", _SIX, "mean", N, six("avg(n)::int")),
    ("rounded up", "rounded", _SIX, "mean", _KM, six("ceil(avg(km))")),
    ("integers divided", "truncated", _SIX, "mean", N, six("trunc(sum(n) / count(n))")),
    ("a cast that is too small", "null|overflow", _SIX, "sum", AMOUNT, six("try_cast(sum(amount) as decimal(5, 2))")),
    ("the size of a sum", "sign lost", _SIX, "sum", AMOUNT, six("abs(sum(amount))")),
    ("miles", "result multiplied", _SIX, "mean", _KM, six("avg(km) * 0.621371")),
    ("cents", "result multiplied", _SIX, "sum", AMOUNT, six("sum((amount * 100)::bigint)")),
    ("each hour of six", "result multiplied", _SIX, "sum", N, six("sum(n) / 6.0")),
    ("32 bits", "single precision", "tumbling 1d", "sum", _KM, daily("sum(km)::float::double")),
    ("a least value from zero on", "starts from zero|one answer for all", _SIX, "min", _KM, six("least(min(km), 0)")),
    ("divided by n - 1", "begun wrongly", _SIX, "mean", N,
     six("case when count(*) > 1 then sum(n) / (count(*) - 1) end")),
    ("a deviation of all", "another aggregate", "tumbling 1d", "sample-standard-deviation", f"{_KM} --empty null",
     daily("stddev_pop(km)")),
    ("a variance", "another aggregate", "tumbling 1d", "sample-standard-deviation", f"{_KM} --empty null",
     daily("var_samp(km)")),
    ("a median", "another aggregate", "tumbling 1d", "mean", _KM, daily("median(km)")),
    ("a lower median", "another aggregate", "tumbling 1d", "mean", _KM, daily("quantile_disc(km, 0.5)")),
    ("a quantile", "another aggregate", _SIX, "max", _KM, six("quantile_cont(km, 0.95)")),
    ("the middle", "another aggregate", _SIX, "mean", _KM, six("(max(km) + min(km)) / 2")),
    ("a weighed mean", "another aggregate", _SIX, "mean", N, six("sum(n * km) / sum(km)")),
    ("the greatest as text", "another aggregate", _SIX, "max", AMOUNT, six("max(amount::varchar)::decimal(10, 2)")),
    ("the last to come", "arrival order", _SIX, "last", N, six("last(n order by id)")),
    ("the least for the first", "sorted|another aggregate", _SIX, "first", N, six("first(n order by n)")),
    ("sessions at gaps above an hour", "gap inclusive", "session 1h", "sum", N, sessions("1 hour", parts=">")),
    ("sessions of 90 minutes", "another gap", "session 1h", "sum", N,
     sessions("90 minutes", end="max(ts) + interval 1 hour")),
    ("sessions that end at their last ride", "named by its last event", "session 1h", "sum", N,
     sessions("1 hour", end="max(ts)")),
    ("gaps of all drivers", "over all keys", "session 10m", "sum", N, sessions("10 minutes", over="")),
    ("sessions of whole minutes", "times truncated", "session 1h", "sum", N,
     sessions("1 hour", of=_changed("ts", "date_trunc('minute', ts)"))),
    ("sessions cut at midnight", "sessions parted otherwise", "session 1h", "sum", N,
     sessions("1 hour", where=" or ts::date <> (lag(ts) over w)::date")),
    ("sessions of one ride left out", "result lost", "session 1h", "sum", N,
     sessions("1 hour", having="having count(*) > 1")),
    ("a row too many", "frame off by one", "rows -4 0", "sum", N, frame("sum(n)", "ts, id rows 5 preceding")),
    ("without its own row", "frame off by one", "rows -4 0", "sum", N,
     frame("sum(n)", "ts, id rows between 5 preceding and 1 preceding")),
    ("a frame by default", "RANGE for ROWS", "rows unbounded 0", "sum", N, frame("sum(n)", "ts")),
    ("rows in the order of arrival", "arrival order", "rows -4 0", "sum", N, frame("sum(n)", "id rows 4 preceding")),
    ("rows of all drivers", "over all keys", "rows -4 0", "sum", N, frame("sum(n)", "ts, id rows 4 preceding", "")),
    ("rows of each zone", "parted by another column", "rows -4 0", "sum", N,
     frame("sum(n)", "ts, id rows 4 preceding", "partition by driver, zone ")),
    ("the first of all", "frame unbounded", "rows -4 0", "first", N, frame("first_value(n)", "ts, id")),
    ("the newest first", "newest first", "range -3h 0", "sum", N,
     frame("sum(n)", "ts desc range between interval 3 hours preceding and current row")),
    ("three rows for three hours", "ROWS for RANGE", "range -3h 0", "sum", N,
     frame("sum(n)", "ts, id rows 2 preceding")),
    ("a watermark without delay", "late events left out", "tumbling 1h", "count", _LATE, in_time("0 hours", _OVER)),
    ("late ones counted", "late events counted", "tumbling 1h", "count", _LATE, hours("count(*)")),
    ("late by its own time", "late by its time", "tumbling 1h", "count", _LATE, in_time("1 hour", "wm <= ts")),
    ("in time at the very end", "late by a tick", "tumbling 1h", "count", _LATE,
     in_time("1 hour", "wm <= hourly(ts) + interval 1 hour")),
    ("twice the delay", "late events counted", "tumbling 1h", "count", _LATE, in_time("2 hours", _OVER)),
    ("a watermark of each driver", "another watermark", "tumbling 1h", "count", "--watermark 10m --complete",
     in_time("10 minutes", _OVER, scope="partition by driver")),
    ("a watermark that moves with files", "another watermark", "tumbling 1h", "count", "--watermark 30m --complete",
     _BY_BATCH),
    ("null drivers under another name", "keys merged", _SIX, "sum", N,
     six().replace("driver,", "coalesce(driver, 'ann') driver,")),
    ("null drivers as unknown", "keys written otherwise", _SIX, "sum", N,
     six().replace("driver,", "coalesce(driver, 'unknown') driver,")),
    ("drivers in small letters", "keys written otherwise", _SIX, "sum", N,
     six().replace("driver,", "lower(driver) driver,")),
    ("two drivers exchanged", "keys swapped", _SIX, "sum", N, six().replace("driver,", f"{_EXCHANGED} driver,")),
    ("all drivers together", "over all keys", _SIX, "sum", N,
     "select distinct driver, six(ts) window_start, sum(n) over (partition by six(ts)) result from rides"),
    ("a row for each zone", "partial results", _SIX, "sum", N,
     "select driver, six(ts) window_start, sum(n) result from rides group by driver, zone, window_start"),
    ("the sum of one zone", "one part of several", _SIX, "sum", N,
     "select driver, window_start, last(r order by zone nulls last) result from (select driver, zone, six(ts) "
     "window_start, sum(n) r from rides group by all) group by all"),
    ("sums so far", "running|state kept", _SIX, "sum", N, _after("sum(r) over w")),
    ("the window before", "a result behind", _SIX, "sum", N, _after("lag(r) over w")),
    ("the window after", "a result ahead", _SIX, "sum", N, _after("lead(r) over w")),
    ("differences", "made of other results", _SIX, "sum", N, _after("r - coalesce(lag(r) over w, 0)")),
    ("smoothed", "made of other results", _SIX, "sum", N,
     _after("avg(r) over w", by="partition by driver order by window_start rows 2 preceding")),
    ("shares", "made of other results", _SIX, "sum", N, _after("r / sum(r) over w", by="partition by driver")),
    ("filled from the window before", "empty windows filled", "tumbling 1h", "sum", N, _FILLED),
    ("the first hundred rows", "stretch lost|result lost|last windows left out", _SIX, "sum", N,
     f"{six()} order by window_start limit 100"),
    ("a tenth of the rows lost", "result lost", _SIX, "sum", N,
     f"from ({six()}) where hash(driver, window_start) % 10 <> 3"),
    ("having more than one", "result lost", "tumbling 1h", "sum", N, hours("sum(n)", more="having count(*) > 1")),
    ("zeros not written", "result lost", "tumbling 1h", "sum", N, f"from ({hours()}) where result <> 0"),
    ("the driver with most alone", "result lost", "tumbling 1h", "sum", N,
     "select driver, window_start, result from (select *, row_number() over (partition by window_start order by result "
     f"desc, driver) k from ({hours()})) where k = 1"),
)  # fmt: skip

WRONG: Final = tuple(
    Job(name, "DuckDB", window, over, made, options, causes=causes, told=DRIVER)
    for name, causes, window, over, options, made in _WRITTEN
)
"""All wrong jobs."""
