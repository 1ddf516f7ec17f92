"""The watermark when each event came, as Spark finds it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.pipeline.audit.policy import Policy, read_batches, refuse_unknown_batch
from swagproof.pipeline.batches import Batch, in_worker, make_batch

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

BUCKETS: Final = 32
"""Into how many stretches of arrival the events are cut to find the watermark of all keys in parallel."""


def follow_table(events: "DataFrame", policy: Policy) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    """Return what marks a table of these events, which have `clock`, with the watermark at their arrival, NEVER at
    first; and where it was when all had come, or None where there are none, or it is of each key.

    Of one key: one sort of its events.  Of all keys: the arrivals are cut into stretches, whose latest times are
    collected (32 numbers), then each stretch is sorted.  By batch, of several upstreams or where it is open: the latest
    times of each clock and upstream go through one task, which the definition itself runs over.  Raises InputError for
    a batch that the progress does not have.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    if policy.given == "column":
        row = events.agg(F.max("watermark")).head()
        return lambda table: table, None if row is None else row[0]
    if policy.given == "progress":
        return _follow_progress(events, policy)
    rule = policy.watermark
    assert rule is not None
    if not policy.follows_records and not policy.per_key:
        return _follow_clock(events, rule)
    if policy.per_key:
        before = Window.partitionBy("key").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
        of_key = F.coalesce(F.max("time").over(before) - F.lit(rule.delay), F.lit(NEVER))
        return lambda table: table.withColumn("watermark", of_key), None
    shares = F.array(*[F.lit(i / BUCKETS) for i in range(1, BUCKETS)])
    cuts = events.select(F.percentile_approx("clock", shares, 1000)).head()
    bounds: list[int] = sorted({*(cuts[0] or ())}) if cuts is not None else []
    stretch: Column = F.lit(0)
    for bound in bounds:
        stretch = stretch + (F.col("clock") > F.lit(bound)).cast("int")
    stretches = events.groupBy(stretch.alias("stretch")).agg(F.max("time").alias("latest")).collect()
    latest_of = {row["stretch"]: row["latest"] for row in stretches}
    earlier: list[int] = []
    latest_so_far = NEVER
    for number in range(len(bounds) + 1):
        earlier.append(latest_so_far)
        latest_so_far = max(latest_so_far, latest_of.get(number, NEVER))
    known = F.element_at(F.array(*[F.lit(time) for time in earlier]), F.col("stretch") + 1)
    inside = Window.partitionBy("stretch").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
    latest = F.greatest(known, F.coalesce(F.max("time").over(inside), F.lit(NEVER)))
    marked = F.when(latest == F.lit(NEVER), F.lit(NEVER)).otherwise(latest - F.lit(rule.delay))

    def mark(table: "DataFrame") -> "DataFrame":
        return table.withColumn("stretch", stretch).withColumn("watermark", marked).drop("stretch")

    return mark, None if latest_so_far == NEVER else latest_so_far - rule.delay


_MARKS: Final = "clock bigint, watermark bigint, least bigint, cleaned bigint"


def make_follower(rule: Watermark, upstreams: list[Any]) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """The mapper: batches with clock, upstream, time, in the order of clocks, to those of where the watermark was; the
    last row, without a clock, is where it was in the end.
    """

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        steps = ((row["clock"], row["upstream"], row["time"]) for batch in batches for row in batch.to_pylist())
        rows = [(clock, marks.most, marks.least, marks.cleaned) for clock, marks in follow(rule, upstreams, steps)]
        yield make_batch(_MARKS, rows)

    return mapper


def _follow_clock(events: "DataFrame", rule: Watermark) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    from pyspark.sql import functions as F

    upstream = F.col("upstream") if "upstream" in events.columns else F.lit(None).cast("string")
    latest = events.groupBy("clock", upstream.alias("upstream")).agg(F.max("time").alias("time"))
    names = [row[0] for row in latest.select("upstream").distinct().collect()]
    ordered = latest.repartition(1).sortWithinPartitions("clock", "upstream")
    marks = ordered.mapInArrow(in_worker(make_follower(rule, names)), _MARKS).persist()
    end = marks.where(F.col("clock").isNull()).head()
    known = marks.where(F.col("clock").isNotNull())
    return lambda table: table.join(known, "clock"), None if end is None else end["cleaned"]


def _follow_progress(events: "DataFrame", policy: Policy) -> "tuple[Callable[[DataFrame], DataFrame], int | None]":
    from pyspark.sql import functions as F

    rows, final = read_batches(policy)
    marks = F.broadcast(events.sparkSession.createDataFrame(rows, "clock bigint, watermark bigint, cleaned bigint"))
    unknown = events.join(marks, "clock", "left_anti").select("clock").head()
    refuse_unknown_batch([] if unknown is None else [unknown[0]])
    return lambda table: table.join(marks, "clock"), final
