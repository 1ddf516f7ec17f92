"""A test of a job that sums prices by user and hour: `pytest examples/test_hourly_totals.py`."""

import pandas as pd

from swagproof.testing import assert_windows


def hourly_totals(events: pd.DataFrame) -> pd.DataFrame:
    """The job under test."""
    hours = events["at"].dt.floor("h").rename("window_start")
    return events.groupby(["user", hours])["price"].sum().rename("result").reset_index()


def test_hourly_totals() -> None:
    at = pd.to_datetime(["2026-03-01T09:00:00Z", "2026-03-01T09:59:59Z", "2026-03-01T10:00:00Z"])
    events = pd.DataFrame({"user": ["ann", "ann", "bob"], "at": at, "price": [5, 7, 11]})
    assert_windows(
        events, hourly_totals(events), window="tumbling 1h", key="user", time="at", value="price", aggregate="sum"
    )
