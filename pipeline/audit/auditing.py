"""Audit: windowed results that somebody's job made of some events, compared with what the reference says.

`audit` reads both tables (`audit.tables`), finds when events were late (`audit.policy`), lets the reference compute the
results that are due, key by key (`audit.expected`), joins them with those that are there (`audit.compare`), and tells
what is wrong and with which events (`audit.evidence`, `audit.diagnosis`, `audit.report`).  Nothing is collected but the
few findings that are shown, with some of their events.

What a verdict rests on: the windows' definitions in `swagproof.models.windows`, which the tests hold the audit against;
the proved Two-Stacks Lite; the slices of Pairs; the rules of `audit.rules`; and Spark's sort, shuffle and join.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.kinds import Session, Sliding
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit import compare, expected
from swagproof.pipeline.audit.builders import EXPECTED
from swagproof.pipeline.audit.evidence import NOTHING, examine_findings, write
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.policy import add_watermark, is_late
from swagproof.pipeline.audit.request import Job, Request, read_request

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


def audit(
    spark: "SparkSession",
    request: Request,
    *,
    out: str | None = None,
    quarantine: str | None = None,
    tell: Callable[[str], None] = lambda _phase: None,
) -> Findings:
    """Compare results with what is due.  `tell` hears which phase is under way.

    `out` and `quarantine` are directories to be made: the findings as Parquet, with the columns of `audit.report`, and
    the rows that could not be used as JSON lines.  Raises InputError for input that cannot be used as the request says.
    """
    from pyspark.sql import functions as F

    started = time.monotonic()
    tell("reading")
    job = read_request(spark, request)
    usable = F.col("bad").isNull()
    good = job.events.where(usable)
    events = _Tally(
        job.events,
        rows=F.count(F.lit(1)),
        bad=F.count("bad"),
        skipped=F.count(F.when(F.col("no_value") & usable, True)),
    )
    used = events.table.where(usable)
    if request.nulls == "skip":
        good, used = good.where(~F.col("no_value")), used.where(~F.col("no_value"))
    hot = isinstance(job.window, Sliding) and job.window.leading and _has_hot_key(good)
    late: _Tally | None = None
    final: int | None = None
    if job.policy.has_watermark:
        tell("finding the watermark")
        marked, final = add_watermark(good, job.policy, used)
        late = _Tally(marked, late=F.count(F.when(is_late(job.window), True)))
        used = good = late.table
    tell("comparing")
    results = _Tally(job.results, rows=F.count(F.lit(1)), bad=F.count("bad"))
    windows = compare.group_by_window(results.table.where(usable), versioned=job.versioned, retractions=job.retractions)
    pairs = _Tally(
        compare.join_sides(_compute_due(used, job, hot=hot), windows, job.on),
        due=F.count(F.when(F.col("role") == "policy", True)),
    )
    apart = (
        pairs.table.where(~compare.agrees_at_once()).withColumn("closes", compare.closing_time(job.window)).persist()
    )
    found = compare.add_others(apart, job.judge).mapInArrow(compare.make_mapper(job.judge), compare.FOUND).persist()
    try:
        some = apart.count()  # the one pass over both tables; here, where the tallies can be had
        about, there = events.numbers(), results.numbers()
        named = _name_open(found, job, good, final)
        counts = {row["kind"]: row["count"] for row in named.groupBy("kind").count().collect()} if some else {}
        _refuse_ties(found, counts)
        tell("looking into what was found")
        total = sum(counts.get(kind, 0) for kind in compare.FINDING_KINDS)
        examined = (
            examine_findings(named, good, job, request.show, rows=about["rows"], total=total) if total else NOTHING
        )
        bad = about["bad"] + counts.get("bad", 0)
        bad_rows = _collect_bad_rows(job, found, bad + there["bad"], quarantine)
        if out is not None:
            tell("writing the findings")
            write(named, examined, job, out)
        return Findings(
            window=request.window,
            aggregate=request.aggregate,
            policy=job.policy.to_json(),
            tick=job.tick,
            events={
                "files": str(request.events),
                "rows": about["rows"],
                "bad": bad,
                "skipped": about["skipped"] if request.nulls == "skip" else 0,
                "late": 0 if late is None else late.numbers()["late"],
            },
            results={
                "files": str(request.results),
                "rows": there["rows"],
                "bad": there["bad"],
                "due": pairs.numbers()["due"],
                "open": counts.get("open", 0),
                "undecided": counts.get("undecided", 0),
                "empty": counts.get("empty", 0),
                "excused": counts.get("excused", 0),
                "farthest": _find_farthest(named) if counts.get("excused") else 0.0,
            },
            counts={kind: counts.get(kind, 0) for kind in compare.FINDING_KINDS},
            causes=examined.causes,
            looked=examined.looked,
            findings=[finding for _, finding in examined.shown],
            bad_rows=bad_rows,
            seconds=time.monotonic() - started,
            written={"out": out, "quarantine": quarantine},
            allow_bad=request.allow_bad_rows,
            allow_undecided=request.allow_undecided,
            summation=request.summation,
        )
    finally:
        found.unpersist()
        apart.unpersist()


class _Tally:
    """Numbers about a table, counted while it passes by.

    Where Spark finds a side of a join empty it leaves that side out of its plan, and the tally with it: then the
    numbers are counted in a pass of their own.
    """

    def __init__(self, table: "DataFrame", **columns: "Column") -> None:
        from pyspark.sql import Observation

        self._observation = Observation()
        self._plain = table
        self._columns = [column.alias(name) for name, column in columns.items()]
        self.table = table.observe(self._observation, *self._columns)
        """The table, to be passed over once."""

    def numbers(self) -> dict[str, Any]:
        """The numbers, after a pass over the table."""
        try:
            return self._observation.get
        except Exception:  # whatever Py4J raises where there is nothing to get
            row = self._plain.agg(*self._columns).head()
            assert row is not None
            return row.asDict()


BLOCK: Final = 8
"""Ranges of a window in a block of time: what is had twice is an eighth."""

LOOKED_AT: Final = 10_000
"""Events that are looked at to find a hot key."""


def _has_hot_key(events: "DataFrame") -> bool:
    """Whether one key has so many of the first events that its task would be waited for."""
    from pyspark.sql import functions as F

    tasks = events.sparkSession.sparkContext.defaultParallelism
    if tasks == 1:
        return False
    counts = events.select("key").limit(LOOKED_AT).groupBy("key").count()
    row = counts.agg(F.max("count").alias("most"), F.sum("count").alias("all")).head()
    return row is not None and row["most"] is not None and row["most"] * tasks > 1.2 * row["all"]


def _cut_time(events: "DataFrame", window: Sliding, block: int) -> "DataFrame":
    """Each event in the blocks whose windows may have it: its own, and the one before where that reaches so far."""
    from pyspark.sql import functions as F

    first, last = (
        F.expr(f"(time - {back} - pmod(time - {back}, {block})) div {block}") for back in (window.half_open.range, 0)
    )
    return events.withColumn("block", F.explode(F.sequence(first, last)))


def _compute_due(events: "DataFrame", job: Job, *, hot: bool) -> "DataFrame":
    """What is due: each key in one task, in order, in bounded memory; a hot one by blocks of time, where windows do not
    depend on what came long before."""
    marks = [name for name in expected.MARKS if job.plan.watermarks and name in events.columns]
    columns = ["key", "time", "arrival", *marks, *(f"v{i}" for i in range(len(job.plan.kinds)))]
    if hot and isinstance(job.window, Sliding):
        block = BLOCK * job.window.half_open.range
        cut = _cut_time(events.select(*columns), job.window, block).repartition("key", "block")
        in_blocks = cut.sortWithinPartitions("key", "block", "time", "arrival")
        return in_blocks.mapInArrow(expected.make_mapper(replace(job.plan, block=block)), EXPECTED)
    chosen = events.select(*columns).repartition("key")
    in_time = chosen.sortWithinPartitions("key", "time", "arrival")
    due = in_time.mapInArrow(expected.make_mapper(job.plan), EXPECTED)
    if not isinstance(job.window, Session) or not job.plan.watermarks:
        return due
    coming = chosen.sortWithinPartitions("key", "arrival", "time")
    return due.unionByName(coming.mapInArrow(expected.make_mapper(replace(job.plan, arriving=True)), EXPECTED))


def _name_open(found: "DataFrame", job: Job, events: "DataFrame", end: int | None) -> "DataFrame":
    """The findings, with those that are only open called so."""
    from pyspark.sql import functions as F

    policy, rule = job.policy, job.policy.watermark
    if not policy.has_watermark or policy.complete or (end is None and not policy.per_key):
        return found
    final = F.lit(end)
    if policy.per_key and rule is not None:
        of_key = events.groupBy(F.col("key").alias("key_k")).agg((F.max("time") - F.lit(rule.delay)).alias("final"))
        found = found.join(of_key, F.col("key") == F.col("key_k"), "left").drop("key_k")
        final = F.col("final")
    is_open = F.col("n").isNotNull() & (F.col("copies") == 0) & (F.col("closes") > final)
    named = F.when(F.coalesce(is_open, F.lit(False)), F.lit("open")).otherwise(F.col("kind"))
    return found.withColumn("kind", named).drop("final")


def _find_farthest(found: "DataFrame") -> float:
    """By how much the result that is farthest off, of those that the summation excuses, is beyond rounding."""
    from pyspark.sql import functions as F

    off = F.greatest(F.col("low") - F.col("number"), F.col("number") - F.col("high"))
    row = found.where("kind = 'excused'").agg(F.max(off)).head()
    return 0.0 if row is None else float(row[0])


def _refuse_ties(found: "DataFrame", counts: dict[str, int]) -> None:
    """Events that nothing tells apart have no right answer where their order matters."""
    if not counts.get("tied"):
        return
    row = found.where("kind = 'tied'").first()
    assert row is not None
    raise InputError(
        f"--arrival: of key {row['key']} several events have time {row['a']} and arrival number {row['b']}; "
        "their order matters here: give each an arrival number of its own"
    )


def _collect_bad_rows(job: Job, found: "DataFrame", bad: int, quarantine: str | None) -> list[dict[str, Any]]:
    """Some of the rows that could not be used; all of them go to the quarantine."""
    from pyspark.sql import functions as F

    if not bad and quarantine is None:
        return []
    columns = (F.col("bad").alias("reason"), "file", "row")
    unlifted = found.where("kind = 'bad'").select(
        F.lit("events").alias("table"),
        F.col("bad").alias("reason"),
        F.lit(None).cast("string").alias("file"),
        F.to_json(F.struct("key", F.col("a").alias("time"), F.col("b").alias("arrival"))).alias("row"),
    )
    rows = unlifted
    for name, table in (("events", job.events), ("results", job.results)):
        rows = rows.unionByName(table.where(F.col("bad").isNotNull()).select(F.lit(name).alias("table"), *columns))
    if quarantine is not None:
        rows.write.json(quarantine)
    return [row.asDict() for row in rows.limit(5).collect()]
