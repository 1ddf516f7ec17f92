"""Audits for tests.

`run` runs a whole audit.  `judge` runs its rules, watermarks, expected results and comparison without reading files, so
that many jobs of many engines are judged in a second.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from swagproof.models.windows.kinds import Frame, Session
from swagproof.models.windows.text import Unit, parse_window
from swagproof.pipeline.audit.aggregations import aggregation, make_optional
from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.backends.holder import Holder
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.compare import compare_tables
from swagproof.pipeline.audit.expected.plan import Plan, Versions
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.options import Empty, Lateness, Request, Summation
from swagproof.pipeline.audit.policy import check_window, follow_events, make_policy
from swagproof.pipeline.audit.rules import Kind, Rounding
from swagproof.pipeline.audit.tables import Format, table

Row = dict[str, Any]


def write(path: Path, rows: Sequence[Row], types: dict[str, Any] | None = None) -> Path:
    """Write rows to a Parquet file with the columns of the first row, of the given types if any."""
    names = {**(types or {}), **dict.fromkeys(rows[0] if rows else ())}
    columns = {name: pa.array([row.get(name) for row in rows], (types or {}).get(name)) for name in names}
    pq.write_table(pa.table(columns), path)
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
    formats: dict[str, Format | None] = {name: options.pop(f"{name}_format", None) for name in ("events", "results")}
    where = {name: options.pop(name, None) for name in ("out", "quarantine")}
    may_fail = options.pop("may_fail", False)
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
        report = audit(held, request, **where)
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


ARROW: dict[Kind, Any] = {"int": pa.int64(), "float": pa.float64(), "decimal": pa.string(), "text": pa.string()}


@dataclass(frozen=True)
class Judged:
    """The findings of a judged job."""

    due: int
    faults: list[Row]

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
    final: int | None = None,
    nulls: bool = False,
    empty: Empty = "absent",
    summation: Summation | None = None,
    rounding: str | None = None,
) -> Judged:
    """Judge events with key, time, seq, value; and results with key, window_start, window_end or time, seq, and result.

    With a `final` watermark, windows beyond it are open.
    """
    spec = parse_window(window, unit)
    tick: Any = None if unit == "plain" else unit
    policy = make_policy(late or Lateness(), tick, None, arrival=True, batch=clock != "seq")
    check_window(spec, policy)
    if policy.sessions != "own" and isinstance(spec, Session):
        spec = replace(spec, touching=True)
    over = aggregation(aggregate, (kind,))
    if nulls:
        over = make_optional(over)
    if summation is not None:
        over = over.sum_as(summation)
    if rounding is not None:
        over = over.round_as(Rounding.parse(rounding), result or kind)
    by_row = isinstance(spec, Frame)
    names = ("time", "seq") if by_row else ("window_start", "window_end")
    on = tuple(ab for ab, name in zip("ab", names, strict=True) if results and name in results[0])
    plan = Plan(
        spec, over, (kind,), kind=result or kind, on=on or ("a", "b"), empty=empty, versioned=versions != "last",
        watermarks=policy.has_watermark, lateness=policy.lateness, behind=policy.behind, by_row=by_row,
        sessions=policy.sessions, versions=versions,
    )  # fmt: skip
    columns: dict[str, Any] = {
        "key": [repr(event["key"]) for event in events],
        "time": pa.array([event["time"] for event in events], pa.int64()),
        "arrival": pa.array([event["seq"] for event in events], pa.int64()),
        "v0": pa.array([event["value"] for event in events], ARROW[kind]),
    }
    if policy.given == "column":
        columns["watermark"] = pa.array([event["watermark"] for event in events], pa.int64())
    elif policy.watermark is not None:
        times, clocks = (np.array([event[name] for event in events], dtype=np.int64) for name in ("time", clock))
        upstreams = [event["upstream"] for event in events] if policy.upstreams else None
        keys = np.unique([repr(event["key"]) for event in events], return_inverse=True)[1] if policy.per_key else None
        marked = follow_events(policy, times, clocks, keys, upstreams)
        columns |= {name: pa.array(column, pa.int64()) for name, column in marked.columns.items()}
    key = pa.chunked_array([columns.pop("key")], pa.string()).dictionary_encode()
    due = pa.table({"key": key, **columns})
    there = _claims(results, names, on, floats=(result or kind) == "float", versioned=versions != "last")
    rows = [row for batch in compare_tables(due, there, plan, final, None) for row in batch.to_pylist()]
    (tally,) = (row for row in rows if row["kind"] == "tally")
    return Judged(tally["n"], [row for row in rows if row["kind"] not in ("size", "tally")])


def _claims(rows: Sequence[Row], names: tuple[str, str], on: tuple[str, ...], *, floats: bool, versioned: bool) -> Any:
    """Return the results in the form in which they are compared."""
    got = [row["result"] for row in rows]
    bounds = {ab: [row[name] if ab in on else None for row in rows] for ab, name in zip("ab", names, strict=True)}
    columns = {
        "key": pa.chunked_array([[repr(row["key"]) for row in rows]], pa.string()).dictionary_encode(),
        **{ab: pa.array(cells, pa.int64()) for ab, cells in bounds.items()},
        "got": pa.array([None if floats or it is None else str(it) for it in got], pa.string()),
        "number": pa.array([it if floats else None for it in got], pa.float64()),
    }
    if versioned:
        columns["version"] = pa.array([row["version"] for row in rows], pa.int64())
    return pa.table(columns)
