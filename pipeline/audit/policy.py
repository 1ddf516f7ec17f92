"""The watermark when each event came, and what a job is held to have done with late events.

The *watermark* when an event arrives is the latest time among the events with a smaller arrival number, less a delay;
of its own key alone, or of all keys.  Events that share an arrival number arrive together: with a batch's number for an
arrival number, the watermark moves between batches.  Without a delay there is no watermark and no event is late.

When an event is late, and what becomes of it, is said in `swagproof.models.windows.lateness`.  Windows that the
watermark has not passed when the events end are *open*: they need no result yet, unless the job is said to be complete;
a result that is there is judged.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from swagproof.models.windows.kinds import Counted, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, Late, grace
from swagproof.models.windows.text import parse_span
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Tick

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

BUCKETS: Final = 32
"""Into how many stretches of arrival the events are cut to find the watermark of all keys in parallel."""


@dataclass(frozen=True)
class Policy:
    """What becomes of late events."""

    late: Late = "drop"
    delay: int | None = None
    """How far the watermark is behind the latest time, in ticks; None: no watermark."""
    lateness: int | None = 0
    """How long after its end a window takes late events; None: for ever."""
    per_key: bool = False
    complete: bool = False
    """Whether windows that are still open must have results too."""

    @property
    def has_watermark(self) -> bool:
        """Whether an event can be late."""
        return self.delay is not None

    def to_json(self) -> dict[str, object]:
        """As a report has it; spans in ticks."""
        return {
            "late": self.late,
            "watermark": self.delay,
            "lateness": self.lateness,
            "watermark_of": "key" if self.per_key else "all keys",
            "complete": self.complete,
        }


def make_policy(
    late: Late, watermark: str | None, lateness: str | None, tick: Tick, *, per_key: bool, complete: bool, arrival: bool
) -> Policy:
    """The policy that the options state.  Raises InputError where they contradict each other, WindowError for spans."""
    if lateness is not None and (late == "drop" or watermark is None):
        raise InputError("--lateness: goes with --watermark, and --late update or retract")
    if (per_key or complete) and watermark is None:
        raise InputError("--watermark-per-key, --complete: go with --watermark")
    if watermark is not None and not arrival:
        raise InputError("--watermark: give --arrival, which says in what order the events came")
    unit = tick or "plain"
    delay = None if watermark is None else parse_span(watermark, unit, "--watermark")
    allowed = 0 if late == "drop" else None if lateness is None else parse_span(lateness, unit, "--lateness")
    return Policy(late, delay, allowed, per_key, complete)


def add_watermark(events: "DataFrame", policy: Policy, observed: "DataFrame") -> "DataFrame":
    """The events with the watermark at their arrival, NEVER at first.  `observed` are the same events, which are
    passed over once only, when the answer is.

    Of one key: one sort of its events.  Of all keys: the arrivals are cut into stretches, whose latest times are
    collected (32 numbers), then each stretch is sorted.  Raises nothing; two passes over the events besides.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    assert policy.delay is not None
    if policy.per_key:
        before = Window.partitionBy("key").orderBy("arrival").rangeBetween(Window.unboundedPreceding, -1)
        latest = F.max("time").over(before)
        return observed.withColumn("watermark", F.coalesce(latest - F.lit(policy.delay), F.lit(NEVER)))
    shares = F.array(*[F.lit(i / BUCKETS) for i in range(1, BUCKETS)])
    cuts = events.select(F.percentile_approx("arrival", shares, 1000)).head()
    bounds: list[int] = sorted({*(cuts[0] or ())}) if cuts is not None else []
    stretch: Column = F.lit(0)
    for bound in bounds:
        stretch = stretch + (F.col("arrival") > F.lit(bound)).cast("int")
    stretches = events.groupBy(stretch.alias("stretch")).agg(F.max("time").alias("latest")).collect()
    latest_of = {row["stretch"]: row["latest"] for row in stretches}
    earlier: list[int] = []
    latest_so_far = NEVER
    for number in range(len(bounds) + 1):
        earlier.append(latest_so_far)
        latest_so_far = max(latest_so_far, latest_of.get(number, NEVER))
    known = F.element_at(F.array(*[F.lit(time) for time in earlier]), F.col("stretch") + 1)
    inside = Window.partitionBy("stretch").orderBy("arrival").rangeBetween(Window.unboundedPreceding, -1)
    latest = F.greatest(known, F.coalesce(F.max("time").over(inside), F.lit(NEVER)))
    marked = F.when(latest == F.lit(NEVER), F.lit(NEVER)).otherwise(latest - F.lit(policy.delay))
    return observed.withColumn("stretch", stretch).withColumn("watermark", marked).drop("stretch")


def is_late(window: WindowSpec) -> "Column":
    """Whether an event is late for any of its windows: a column over `time` and `watermark`."""
    from pyspark.sql import functions as F

    time = F.col("time")
    match window:
        case Sliding(range_, slide, offset):
            into = F.pmod(time - F.lit(offset + range_), F.lit(slide))
            first_end = time - into + F.lit(slide)
        case _:
            first_end = time + F.lit(grace(window))
    return first_end <= F.col("watermark")


def check_window(window: WindowSpec, policy: Policy) -> None:
    """Raises InputError for a window that has no use for a watermark."""
    if isinstance(window, Counted) and window.by_arrival and policy.has_watermark:
        raise InputError("--watermark: events that are counted by arrival are never late; leave it out")
