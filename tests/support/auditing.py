"""An audit, as tests ask for it.

`run` asks for the whole of it, on Spark.  `judge` goes without: the rules, the watermarks, what is due and the
comparing are those of the audit, the reading of files and the joining are not; so many jobs of many engines are judged
in a second.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from swagproof.models.windows.kinds import Frame, Session
from swagproof.models.windows.text import Unit, parse_window
from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.builders import Plan, Versions
from swagproof.pipeline.audit.compare import Empty, Judge, find_faults, is_sparse
from swagproof.pipeline.audit.expected import MARKS, make_mapper
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.policy import Lateness, check_window, make_follower, make_policy
from swagproof.pipeline.audit.request import Request, make_optional
from swagproof.pipeline.audit.rules import Kind, Summation, aggregation
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


def name_causes(report: Findings) -> dict[tuple[str, int | None], tuple[str, str]]:
    """What was found, by key and start of the window or time of the row."""
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
    """What was found."""

    due: int
    faults: list[Row]

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind."""
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
    nulls: bool = False,
    empty: Empty = "absent",
    summation: Summation | None = None,
) -> Judged:
    """Events have key, time, seq, value; results key, window_start and window_end or time and seq, result."""
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
    by_row = isinstance(spec, Frame)
    plan = Plan(
        spec, over, (kind,), as_text=result == "text", watermarks=policy.has_watermark, lateness=policy.lateness,
        by_row=by_row, sessions=policy.sessions, versions=versions,
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
        latest: dict[tuple[int, Any], int] = {}
        for event in events:
            place = event[clock], event["upstream"] if policy.upstreams else None
            latest[place] = max(event["time"], latest.get(place, event["time"]))
        steps = [{"clock": c, "upstream": u, "time": t} for (c, u), t in sorted(latest.items(), key=lambda x: x[0][0])]
        follower = make_follower(policy.watermark, sorted({step["upstream"] for step in steps}, key=str))
        (marked,) = follower(iter(pa.Table.from_pylist(steps).to_batches()))
        marks = {row["clock"]: row for row in marked.to_pylist()}
        columns |= {n: pa.array([marks[event[clock]][n] for event in events], pa.int64()) for n in MARKS}
    all_events = pa.table(columns)
    asked = [(plan, ("key", "time", "arrival"))]
    if isinstance(spec, Session) and policy.has_watermark:
        asked.append((replace(plan, arriving=True), ("key", "arrival", "time")))
    due = [
        row
        for one, order in asked
        for batch in make_mapper(one)(iter(all_events.sort_by([(name, "ascending") for name in order]).to_batches(64)))
        for row in batch.to_pylist()
    ]
    return _compare(due, results, by_row, Judge(over, result or kind, is_sparse(spec), (), empty, spec), versions)


def _compare(due: list[Row], results: Sequence[Row], by_row: bool, how: Judge, versions: Versions) -> Judged:
    names = ("time", "seq") if by_row else ("window_start", "window_end")
    named = [name for name in names if results and name in results[0]]
    at = ["a", "b"]
    found: dict[Any, list[Row]] = defaultdict(list)
    for row in results:
        got = row["result"]
        number = got if how.kind == "float" else None
        text = None if got is None or number is not None else str(got)
        it = {"version": row.get("version"), "got": text, "number": number}
        found[repr(row["key"]), *(row.get(name) if name in named else None for name in names)].append(it)
    pairs: list[Row] = []
    empty = dict.fromkeys(("role", "expected", "low", "high", "n", "copies", "choices", "versions", "bad"))
    for row in due:
        if row["role"] == "policy":
            place = (row["key"], *(row[a] if name in named else None for name, a in zip(names, at, strict=True)))
            pairs.append({**row, **_side(found.pop(place, []), versions)})
    count = len(pairs)
    for (key, a, b), its in found.items():
        pairs.append({**empty, "key": key, "a": a, "b": b, **_side(its, versions)})
    for pair in pairs:
        pair |= {f"{name}{i}": None for name in ("there", "expected", "low", "high", "n") for i in (0, 1)}
    return Judged(count, [fault for pair in pairs for fault in find_faults(how, pair)])


def _side(its: list[Row], versions: Versions) -> Row:
    if versions != "last":
        its = sorted(its, key=lambda it: it["version"])
        several = len({it["version"] for it in its}) > 1
        last = its[-1] if its else None
        return {
            "copies_got": len(its) - len({it["version"] for it in its}) + 1 if its else None,
            "least": last, "most": last, "unsaid": None, "history": json.dumps(its) if several else None,
        }  # fmt: skip
    ranked = sorted(its, key=lambda it: (str(it["got"]), it["number"] is not None, it["number"] or 0))
    ends = (ranked[0], ranked[-1]) if ranked else (None, None)
    return {"copies_got": len(its) or None, "least": ends[0], "most": ends[1], "unsaid": None, "history": None}
