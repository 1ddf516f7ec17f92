"""Check hourly totals against the events that they were computed from: `python examples/audit_frames.py`."""

from datetime import UTC, datetime, timedelta

import polars as pl

from swagproof import audit

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)

events = pl.DataFrame(
    {
        "user": ["ann", "ann", "ann", "bob"],
        "at": [NINE, NINE + timedelta(minutes=59), NINE + timedelta(minutes=60), NINE + timedelta(minutes=5)],
        "price": [5, 7, 11, 3],
    }
)
hours = events.group_by("user", window_start=pl.col("at").dt.truncate("1h")).agg(result=pl.col("price").sum())

report = audit(events, hours, window="tumbling 1h", key="user", time="at", value="price", aggregate="sum")
report.raise_if_violated()
print(report)

# A job that loses the hour from ten o'clock: the report names the window, the key and the event.
report = audit(
    events,
    hours.filter(pl.col("window_start") == NINE),
    window="tumbling 1h",
    key="user",
    time="at",
    value="price",
    aggregate="sum",
)
print(report)
print(report.findings.select(["kind", "key", "window_start", "expected", "got"]).to_pylist())
