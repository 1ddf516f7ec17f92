"""An audit on Spark, as tests ask for it."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.request import Request
from swagproof.pipeline.audit.tables import Format, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Row = dict[str, Any]


def write(path: Path, rows: Sequence[Row], types: dict[str, Any] | None = None) -> Path:
    """Rows as a Parquet file, the columns of the first row; of the given types where they matter."""
    names = {**(types or {}), **dict.fromkeys(rows[0] if rows else ())}
    columns = {name: pa.array([row.get(name) for row in rows], (types or {}).get(name)) for name in names}
    pq.write_table(pa.table(columns), path)
    return path


def run(
    spark: "SparkSession",
    events: Path | Sequence[Row],
    results: Path | Sequence[Row],
    window: str,
    aggregate: str,
    **options: Any,
) -> Findings:
    """An audit, of files or of rows, of columns called key, time, seq, value, as far as nothing else is said."""
    formats: dict[str, Format | None] = {name: options.pop(f"{name}_format", None) for name in ("events", "results")}
    where = {name: options.pop(name, None) for name in ("out", "quarantine")}
    usual: dict[str, Any] = {"key": ("key",), "time": "time", "value": ("value",), "arrival": "seq", "show": 20}
    with TemporaryDirectory() as place:
        tables = {
            name: table(
                f"--{name}",
                [str(each if isinstance(each, Path) else write(Path(place) / f"{name}.parquet", each))],
                formats[name],
            )
            for name, each in (("events", events), ("results", results))
        }
        request = Request(**tables, window=window, aggregate=aggregate, **{**usual, **options})
        return audit(spark, request, **where)


def diagnoses(report: Findings) -> dict[tuple[str, int | None], tuple[str, str]]:
    """What was found, by key and start of the window or time of the row."""
    return {
        (json.loads(it["key"])[0], it["window_start"] if it["row_time"] is None else it["row_time"]): (
            it["kind"],
            it["diagnosis"],
        )
        for it in report.findings
    }
