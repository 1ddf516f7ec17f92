"""Audits for tests: `run` takes files or rows in memory, and `judge` takes rows and returns the findings."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from swagproof.models.windows.text import Unit
from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.backends.holder import Holder
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.compare import SAID
from swagproof.pipeline.audit.expected.plan import Versions
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.options import Lateness, Request
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import Table, table

Row = dict[str, Any]


def to_table(rows: Sequence[Row], types: dict[str, Any] | None = None) -> Any:
    """Return rows as an Arrow table, with the columns of the first row and the given types."""
    names = {**(types or {}), **dict.fromkeys(rows[0] if rows else ())}
    return pa.table({name: pa.array([row.get(name) for row in rows], (types or {}).get(name)) for name in names})


def write(path: Path, rows: Sequence[Row], types: dict[str, Any] | None = None) -> Path:
    """Write rows to a Parquet file."""
    pq.write_table(to_table(rows, types), path)
    return path


def run(
    events: Path | Sequence[Row],
    results: Path | Sequence[Row],
    window: str,
    aggregate: str,
    **options: Any,
) -> Findings:
    """Audit files or rows whose columns are called key, time, seq and value by default.

    It runs in this process, unless `held` names the engine that holds the tables.
    """
    held: Holder = options.pop("held", None) or Local()
    where = {name: options.pop(name, None) for name in ("out", "quarantine")}
    may_fail = options.pop("may_fail", False)
    usual: dict[str, Any] = {"key": ("key",), "time": "time", "value": ("value",), "arrival": "seq", "show": 20}
    tables: dict[str, Table] = {}
    for name, each in (("events", events), ("results", results)):
        option, format_ = f"--{name}", options.pop(f"{name}_format", None)
        in_file = isinstance(each, Path)
        tables[name] = (
            table(option, [str(each)], format_) if in_file else Table(option, ("rows",), "arrow", to_table(each))
        )
    report = audit(held, Request(**tables, window=window, aggregate=aggregate, **{**usual, **options}), **where)
    assert may_fail or not report.diagnosed.get("failed"), report.diagnosed["failed"]
    return report


def name_causes(report: Findings) -> dict[tuple[str, int | None], tuple[str, str]]:
    """Return each finding's kind and cause, by key and window start or row time."""
    return {
        (json.loads(it["key"])[0], it["window_start"] if it["row_time"] is None else it["row_time"]): (
            it["kind"],
            it["cause"],
        )
        for it in report.findings
    }


@dataclass(frozen=True)
class Judged:
    """The findings of a judged job."""

    due: int
    faults: list[Row]
    """The findings, including those that need not be faults, such as open windows; times are in the unit of the
    rows."""

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of findings of each kind."""
        return dict(Counter(fault["kind"] for fault in self.faults))


def judge(
    events: Sequence[Row],
    results: Sequence[Row],
    window: str,
    aggregate: str,
    late: Lateness | None = None,
    *,
    kind: Kind = "int",
    result: Kind | None = None,
    unit: Unit = "plain",
    clock: str = "seq",
    versions: Versions = "last",
    complete: bool = True,
    **options: Any,
) -> Judged:
    """Judge events with key, time, seq, value; and results with key, window_start, window_end or time, seq, and result.

    Unless it is `complete`, windows that the watermark has not passed are open.  Results that are right under another
    treatment of late events are missing, extra or wrong.
    """
    held, said = Local(), {} if late is None else vars(late)
    has_watermark = any(said.get(name) is not None for name in ("watermark", "watermark_column", "progress"))
    asked: dict[str, Any] = {
        "value": (f"value:{kind}",), "result": f"result:{result or kind}", "diagnosis": False,
        "time_unit": None if unit == "plain" else unit, "batch": None if clock == "seq" else clock,
        "version": None if versions == "last" else "version", "early": versions == "early",
    }  # fmt: skip
    asked |= {**said, "complete": complete and has_watermark, **options}
    report = run(events, results, window, aggregate, held=held, **asked)
    ticks = {"ms": 1000}.get(unit, 1)
    faults: list[Row] = held.found(*SAID).take().to_pylist()
    for row in faults:
        if row["kind"] == "late-differing":
            row["kind"] = "missing" if row["copies"] == 0 else "extra" if row["n"] is None else "wrong"
        row |= {"key": json.loads(row["key"])[0], "a": row["a"] and row["a"] // ticks}
    return Judged(report.results["expected"], faults)
