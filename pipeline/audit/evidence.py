"""The evidence for findings: the events of their windows, fetched for the few that are shown."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.kinds import Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.compare import FINDING_KINDS
from swagproof.pipeline.audit.diagnosis import Event, Found, Teller
from swagproof.pipeline.audit.expected import read_values
from swagproof.pipeline.audit.findings import FINDING
from swagproof.pipeline.audit.request import Job
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import Batch, make_batch, names_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CAP: Final = 200
"""How many events of a window are fetched to find out what went wrong."""

PROOF: Final = 20
"""How many of them a proof shows."""

Shown = list[tuple[dict[str, Any], dict[str, Any]]]
"""Findings as they were found, and as they are reported."""


def examine_findings(spark: "SparkSession", found: "DataFrame", events: "DataFrame", job: Job, show: int) -> Shown:
    """The first findings of each kind, each with how it is told.

    Passes over the events once or twice; keeps at most CAP events a finding on each side of its window's ends.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    first = Window.partitionBy("kind").orderBy("key", "a", "b")
    wanted = found.where(F.col("kind").isin(*FINDING_KINDS)).withColumn("place", F.row_number().over(first))
    rows = [row.asDict() for row in wanted.where(F.col("place") <= show).drop("place").collect()]
    if not rows:
        return []
    rows.sort(key=lambda row: (FINDING_KINDS.index(row["kind"]), row["key"], row["a"] or 0, row["b"] or 0))
    seen = [Found(row) for row in rows]
    _fetch(spark, seen, events, job)
    keys = {row["key"] for row in rows}
    lost = {row["key"] for row in rows if row["kind"] == "missing"}
    with_results = _keys(job.results.where(F.col("bad").isNull()), lost)
    with_events = {row["key"] for row in rows if row["n"] is not None}
    with_events |= _keys(events, keys - with_events)
    teller = _teller(job)
    told: Shown = []
    for one in seen:
        one.key_has_results = one.row["key"] in with_results or one.row["kind"] != "missing"
        one.key_has_events = one.row["key"] in with_events
        diagnosis, sentence = teller.tell(one)
        is_late = _make_late_test(job, one.row)
        one.inside = one.inside[:PROOF]
        told.append(
            (
                one.row,
                _report(job.window, job.judge.kind, one.row, diagnosis, teller.make_proof(one, is_late), sentence),
            )
        )
    _pair_up(told)
    return told


def _keys(table: "DataFrame", keys: set[str]) -> set[str]:
    from pyspark.sql import functions as F

    return (
        {row["key"] for row in table.where(F.col("key").isin(*keys)).select("key").distinct().collect()}
        if keys
        else keys
    )


def _teller(job: Job) -> Teller:
    return Teller(job.window, job.aggregation, job.judge.kind, job.tick, job.plan.arrivals, job.retractions)


def _make_late_test(job: Job, row: dict[str, Any]) -> Callable[[Event], bool]:
    def came_late(event: Event) -> bool:
        if isinstance(job.window, Sliding):
            end = row["b"] if row["b"] is not None else row["closes"]
        else:
            end = event.time + grace(job.window)
        return event.watermark is not None and end is not None and bool(end <= event.watermark)

    return came_late


def _bounds(job: Job, row: dict[str, Any]) -> tuple[int, int, int, int] | None:
    """From which time and arrival to which a window's events lie; None where that is not known."""
    least, most = -(2**63), 2**63 - 1
    a: Any = row["a"]
    b: Any = row["b"]
    if row["from_time"] is not None and not isinstance(job.window, Sliding):
        return row["from_time"], row["from_arrival"], row["to_time"], row["to_arrival"]
    if isinstance(job.window, Sliding):
        first, stop = job.window.reach(b - job.window.range if a is None else a)
        return first, least, stop - 1, most
    if row["n"] == 0:  # an empty frame
        return None
    if isinstance(job.window, Frame):
        return a, least if b is None else b, a, most if b is None else b
    if isinstance(job.window, Session) and a is not None and b is not None:
        return a, least, b - 1, most
    return None


def _fetch(spark: "SparkSession", seen: list[Found], events: "DataFrame", job: Job) -> None:
    """Give each finding the first events of its window, and some before and after it."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    places = [
        (i, one.row["key"], *bounds) for i, one in enumerate(seen) if (bounds := _bounds(job, one.row)) is not None
    ]
    if not places:
        return
    schema = "id int, of string, t0 bigint, a0 bigint, t1 bigint, a1 bigint"
    windows = F.broadcast(spark.createDataFrame(places, schema))
    of_key = events.join(windows, F.col("key") == F.col("of"))
    event = F.struct("time", "arrival")
    is_before, is_after = event < F.struct("t0", "a0"), event > F.struct("t1", "a1")
    if isinstance(job.window, Sliding):
        slide = job.window.slide
        near = of_key.where((F.col("time") >= F.col("t0") - slide) & (F.col("time") <= F.col("t1") + slide))
    else:
        ends = of_key.groupBy("id").agg(
            F.max(F.when(is_before, F.col("time"))).alias("earlier"),
            F.min(F.when(is_after, F.col("time"))).alias("later"),
        )
        reach = {row["id"]: (row["earlier"], row["later"]) for row in ends.collect()}
        wider = [(*place, *reach.get(place[0], (None, None))) for place in places]
        windows = F.broadcast(spark.createDataFrame(wider, schema + ", earlier bigint, later bigint"))
        near = events.join(windows, F.col("key") == F.col("of")).where(
            (F.col("time") >= F.coalesce("earlier", "t0")) & (F.col("time") <= F.coalesce("later", "t1"))
        )
    side = F.when(is_before, F.lit(-1)).when(is_after, F.lit(1)).otherwise(F.lit(0))
    outward = F.when(F.col("side") < 0, -F.col("time")).otherwise(F.col("time"))
    then = F.when(F.col("side") < 0, -F.col("arrival")).otherwise(F.col("arrival"))
    nearest = Window.partitionBy("id", "side").orderBy(outward, then)
    chosen = (
        near.withColumn("side", side).withColumn("place", F.row_number().over(nearest)).where(F.col("place") <= CAP)
    )
    watermark = F.col("watermark") if job.plan.watermarks else F.lit(None).cast("bigint").alias("watermark")
    values = [f"v{i}" for i in range(len(job.plan.kinds))]
    table = chosen.select("id", "side", "time", "arrival", watermark, *values).toArrow()
    for batch in table.sort_by([("time", "ascending"), ("arrival", "ascending")]).to_batches():
        rows = batch.select(["id", "side", "time", "arrival", "watermark"]).to_pylist()
        for row, value in zip(rows, read_values(batch, job.plan.kinds), strict=True):
            one = seen[row["id"]]
            event_of = Event(row["time"], row["arrival"], value, row["watermark"])
            (one.around if row["side"] else one.inside).append(event_of)


def _pair_up(told: Shown) -> None:
    """A result that is missing, and one there that has its answer for a window which overlaps it: it was shifted."""
    for missing, said in told:
        if missing["kind"] != "missing" or missing["copies"] or said["diagnosis"] == "lost key":
            continue
        for extra, other in told:
            if extra["kind"] != "extra" or extra["key"] != missing["key"] or None in (extra["a"], missing["a"]):
                continue
            reach = max(abs((missing["b"] or missing["a"]) - missing["a"]), 1)
            if abs(extra["a"] - missing["a"]) <= reach and other["got"] == said["expected"]:
                for one in (said, other):
                    if one["diagnosis"] in ("no result", "unexplained", "not a window", "no event"):
                        one["diagnosis"] = "shifted window"
                begins = abs(extra["a"] - missing["a"])
                where = f"{begins:,} off" if begins else f"whose end is {abs(extra['b'] - missing['b']):,} off"
                said["sentence"] += f"; it is there for a window {where}"


def _report(
    window: WindowSpec, kind: Kind, row: dict[str, Any], diagnosis: str | None, proof: str | None, sentence: str
) -> dict[str, Any]:
    """A finding as it is reported."""
    text, frame = kind == "text", isinstance(window, Frame)
    got = row["got"] if row["number"] is None else repr(row["number"])
    return {
        "kind": row["kind"],
        "diagnosis": diagnosis,
        "key": row["key"],
        "window_start": None if frame else row["a"],
        "window_end": None if frame else row["b"],
        "row_time": row["a"] if frame else None,
        "row_arrival": row["b"] if frame else None,
        "expected": json.dumps(row["expected"]) if text and row["expected"] is not None else row["expected"],
        "got": json.dumps(got) if text and got is not None else got,
        "expected_low": row["low"],
        "expected_high": row["high"],
        "events": row["n"],
        "proof": proof,
        "sentence": sentence,
    }


def write(found: "DataFrame", shown: Shown, job: Job, out: str) -> None:
    """All findings, those that were looked into with what was seen there."""
    from pyspark.sql import functions as F

    teller, window, kind = _teller(job), job.window, job.judge.kind
    known = {_identity(row): finding for row, finding in shown}
    names = names_of(FINDING)

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            findings = [
                known.get(_identity(row)) or _report(window, kind, row, None, None, teller.tell(Found(row))[1])
                for row in batch.to_pylist()
            ]
            yield make_batch(FINDING, [[finding[name] for name in names] for finding in findings])

    wanted = found.where(F.col("kind").isin(*FINDING_KINDS))
    wanted.mapInArrow(mapper, FINDING).write.parquet(out)


def _identity(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["kind"], row["key"], row["a"], row["b"], row["got"], row["role"]
