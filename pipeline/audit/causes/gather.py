"""A sample of an audit's tables: the keys with findings, all their events and results, up to a bound.

However many events there are, at most `MOST` of them are looked into, of at most `KEYS` keys: those with findings that
have fewest events, for then there are most of them.  Of a key that has more by itself, its first events are taken, and
what reaches beyond them is left aside.
"""

from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.causes.sample import Event, Events, Got, Name, Sample
from swagproof.pipeline.audit.compare import FINDING_KINDS
from swagproof.pipeline.audit.expected import read_values
from swagproof.pipeline.audit.request import Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST: Final = 4_000
KEYS: Final = 200


def gather(named: "DataFrame", events: "DataFrame", job: Job, rows: int) -> tuple[Sample, list[dict[str, Any]]]:
    """The sample, of these findings and events, and the findings in it; `rows` is how many events there are."""
    from pyspark.sql import functions as F

    keys: list[str] | None = None
    until: int | None = None
    if rows > MOST:
        with_findings = named.where(F.col("kind").isin(*FINDING_KINDS)).select("key").distinct()
        sizes = (
            with_findings.join(events.select("key", "time"), "key", "left")
            .groupBy("key")
            .agg(F.count("time").alias("n"))
        )
        keys, total = [], 0
        for row in sizes.orderBy("n", "key").limit(KEYS).collect():
            if keys and total + row["n"] > MOST:
                break
            keys.append(row["key"])
            total += row["n"]
        events = events.where(F.col("key").isin(keys))
        if total > MOST:
            last = events.orderBy("time").limit(MOST).agg(F.max("time").alias("last")).head()
            until = None if last is None else last["last"]
            events = events.where(F.col("time") < F.lit(until))
    of_keys = F.lit(True) if keys is None else F.col("key").isin(keys)
    found: list[dict[str, Any]] = named.where(of_keys).toArrow().to_pylist()
    wrong = [row for row in found if row["kind"] in FINDING_KINDS]
    sample = Sample(
        window=job.window,
        aggregation=job.aggregation,
        kind=job.judge.kind,
        kinds=job.plan.kinds,
        on=job.on,
        events=_read_events(events, job),
        results=_read_results(job.results.where(F.col("bad").isNull() & of_keys), job),
        findings=frozenset(name_finding(row, job.on) for row in wrong),
        lateness=job.plan.lateness if job.plan.watermarks else None,
        delay=None if not job.plan.watermarks else 0 if job.policy.watermark is None else job.policy.watermark.delay,
        sessions=job.plan.sessions,
        tick=job.tick,
        by_row=job.plan.by_row,
        whole=keys is None,
        until=until,
        unknown=frozenset(name_finding(row, job.on) for row in found if row["kind"] not in FINDING_KINDS),
    )
    return sample, wrong


def name_finding(row: dict[str, Any], on: tuple[str, ...]) -> Name:
    """The window of a finding, as results name it."""
    return row["key"], row["a"] if "a" in on else None, row["b"] if "b" in on else None


def _read_events(events: "DataFrame", job: Job) -> Events:
    from pyspark.sql import functions as F

    marks = [
        F.col(name) if name in events.columns and job.plan.watermarks else F.lit(None).cast("bigint").alias(name)
        for name in ("watermark", "cleaned")
    ]
    values = [f"v{i}" for i in range(len(job.plan.kinds))]
    lift = job.aggregation.operation.lift
    found: Events = {}
    for batch in events.select("key", "time", "arrival", *marks, *values).toArrow().to_batches():
        rows = batch.select(["key", "time", "arrival", "watermark", "cleaned"]).to_pylist()
        for row, value in zip(rows, read_values(batch, job.plan.kinds), strict=True):
            try:
                lifted = lift(value)
            except Exception:  # the user's own; the event is a bad row, and counts nowhere
                continue
            mark = NEVER if row["watermark"] is None else row["watermark"]
            event = Event(row["time"], row["arrival"], value, mark, lifted, row["cleaned"])
            found.setdefault(row["key"], []).append(event)
    for of_key in found.values():
        of_key.sort(key=lambda event: event[:2])
    return found


def _read_results(results: "DataFrame", job: Job) -> dict[Name, list[Got]]:
    """The results that stand: all, or those of the last version, or those that were not taken back."""
    names = ("key", "a", "b", "got", "number", "version", "retraction")
    rows = results.select(*names).toArrow().to_pylist()
    found: dict[Name, list[Got]] = {}
    newest: dict[Name, int] = {}
    rows.sort(key=lambda row: bool(row["retraction"]))
    for row in rows:
        name, got = name_finding(row, job.on), Got(row["got"] if row["number"] is None else None, row["number"])
        held = found.setdefault(name, [])
        if job.retractions:
            if not row["retraction"]:
                held.append(got)
            elif got in held:
                held.remove(got)
            continue
        if job.versioned:
            if row["version"] < newest.get(name, row["version"]):
                continue
            if row["version"] > newest.get(name, row["version"]):
                held.clear()
            newest[name] = row["version"]
        held.append(got)
    return {name: held for name, held in found.items() if held}
