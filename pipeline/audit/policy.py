"""The watermark when each event came, and what a job is held to have done with late events.

Where the watermark is, and what an engine calls late, is said in `swagproof.models.windows.watermarks`:

| what is said | the watermark when an event came |
|---|---|
| `--watermark D` | the latest time of events with smaller arrival numbers, less D; those that share one come together |
| `--watermark-per-key` | the same, of its own key alone |
| `--batch COLUMN` | by the number of its micro-batch in place of its arrival number |
| `--watermark-lag A..B` | of what came A steps of that clock before, or B, where it may have been as slow as that |
| `--upstream COLUMN`, `--idle N` | the least of those of the partitions, without those of which nothing came for N |
| `--watermark-column COLUMN` | as the events say |
| `--progress FILE` | as Spark's own progress says, batch by batch |
| `--engine NAME` | as that engine has it, see ENGINES |

Without any of them there is no watermark and no event is late.  What becomes of a late event is said in
`swagproof.models.windows.lateness`.  Windows that the watermark has not passed when the events end are *open*: they
need no result yet, unless the job is said to be complete; a result that is there is judged.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Counted, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, Late, SessionRule, grace
from swagproof.models.windows.text import parse_span
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Tick
from swagproof.pipeline.batches import Batch, make_batch

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

BUCKETS: Final = 32
"""Into how many stretches of arrival the events are cut to find the watermark of all keys in parallel."""

Engine: TypeAlias = Literal["spark", "spark-single", "flink", "flink-sql"]


class EngineRule(NamedTuple):
    """What an engine decides that is not asked of its user."""

    lag: int
    """In steps of its clock."""
    by_batch: bool
    sessions: SessionRule
    milliseconds: bool = False
    """Whether its watermark is kept in milliseconds, and begins at 0."""
    ahead: int = 0
    """How many milliseconds its watermark is ahead of the latest time less the delay."""


ENGINES: Final[dict[Engine, EngineRule]] = {
    "spark": EngineRule(2, True, "at end", milliseconds=True),
    "spark-single": EngineRule(1, True, "at end", milliseconds=True),
    "flink": EngineRule(1, False, "merged"),
    "flink-sql": EngineRule(1, False, "merged", ahead=1),
}
"""Spark with its default settings, where a row is late by the watermark of the batch before (SPARK-40925); Spark with
`spark.sql.streaming.statefulOperator.allowMultiple=false`; Flink's DataStream API, whose watermark is a millisecond
behind latest time and delay, as a window's last time is behind its end; Flink's SQL, whose watermark is not."""


@dataclass(frozen=True)
class Policy:
    """What becomes of late events."""

    late: Late = "drop"
    watermark: Watermark | None = None
    """How it follows the events; None: there is none, or it is given."""
    given: Literal["column", "progress"] | None = None
    progress: tuple[tuple[int, int], ...] = ()
    """Spark's batches, in order, each with the watermark that it ran with, in ticks."""
    lateness: int | None = 0
    """How long after its end a window takes late events; None: for ever."""
    per_key: bool = False
    upstreams: bool = False
    """Whether the watermark is the least of several."""
    complete: bool = False
    """Whether windows that are still open must have results too."""
    engine: Engine | None = None

    @property
    def has_watermark(self) -> bool:
        """Whether an event can be late."""
        return self.watermark is not None or self.given is not None

    @property
    def is_open(self) -> bool:
        """Whether it may be left open where the watermark was."""
        return self.watermark is not None and self.watermark.is_open

    @property
    def sessions(self) -> SessionRule:
        """The rule for sessions."""
        return "own" if self.engine is None else ENGINES[self.engine].sessions

    @property
    def follows_records(self) -> bool:
        """Whether the watermark moves with each record, and nothing else is to be said of it."""
        rule = self.watermark
        return rule == Watermark(rule.delay) and not self.upstreams if rule is not None else False

    def to_json(self) -> dict[str, object]:
        """As a report has it; spans in ticks, lag and idle in steps of the clock."""
        rule = self.watermark
        return {
            "late": self.late,
            "watermark": self.given if rule is None else rule.delay,
            "lag": None if rule is None else [rule.least_lag, rule.most_lag],
            "idle": None if rule is None else rule.idle,
            "lateness": self.lateness,
            "watermark_of": "key" if self.per_key else "the least of the upstreams" if self.upstreams else "all keys",
            "engine": self.engine,
            "complete": self.complete,
        }


@dataclass(frozen=True)
class Lateness:
    """What the options say of late events, as given."""

    late: Late = "drop"
    watermark: str | None = None
    lateness: str | None = None
    per_key: bool = False
    complete: bool = False
    engine: Engine | None = None
    lag: str | None = None
    idle: str | None = None
    column: str | None = None
    progress: str | None = None
    upstream: str | None = None


def make_policy(said: Lateness, tick: Tick, clock: Tick | None, *, arrival: bool, batch: bool) -> Policy:
    """The policy that the options state; `clock` is what the arrival or batch numbers are counted in.

    Raises InputError where the options contradict each other, WindowError for spans.
    """
    unit = tick or "plain"
    engine = None if said.engine is None else ENGINES[said.engine]
    delay = None if said.watermark is None else parse_span(said.watermark, unit, "--watermark")
    there = [name for name in ("watermark", "column", "progress") if getattr(said, name) is not None]
    if len(there) > 1:
        raise InputError("--watermark, --watermark-column, --progress: give one of them")
    if said.lateness is not None and (said.late == "drop" or not there):
        raise InputError("--lateness: goes with a watermark, and --late update or retract")
    for option, given in (("--watermark-per-key", said.per_key), ("--complete", said.complete)):
        if given and not there:
            raise InputError(f"{option}: goes with --watermark")
    for option, word in (("--watermark-lag", said.lag), ("--idle", said.idle), ("--upstream", said.upstream)):
        if word is not None and delay is None:
            raise InputError(f"{option}: goes with --watermark")
        if word is not None and said.per_key:
            raise InputError(f"{option}: is said of the watermark of all keys; leave out --watermark-per-key")
    if said.idle is not None and said.upstream is None:
        raise InputError("--idle: name the column of the partitions with --upstream")
    if there and not (arrival or (batch and delay is None)):
        raise InputError("--watermark: give --arrival, which says in what order the events came")
    if (said.progress is not None or (engine is not None and engine.by_batch and delay is not None)) and not batch:
        raise InputError("--engine spark, --progress: name the column of the micro-batch with --batch")
    allowed = (
        0 if said.late == "drop" else None if said.lateness is None else parse_span(said.lateness, unit, "--lateness")
    )
    millisecond = {"us": 1_000, "ns": 1_000_000}.get(tick or "", 1)
    rule: Watermark | None = None
    if delay is not None:
        lag = engine.lag if engine is not None else 1
        least, most = (lag, lag) if said.lag is None else _parse_lag(said.lag, clock)
        in_ms = engine is not None and engine.milliseconds
        rule = Watermark(
            delay - (engine.ahead * millisecond if engine is not None else 0),
            least,
            most,
            clean_lag=2 if said.engine == "spark-single" and said.lag is None else None,
            idle=None if said.idle is None else parse_span(said.idle, clock or "plain", "--idle"),
            start=0 if in_ms else NEVER,
            grain=millisecond if in_ms else 1,
        )
    return Policy(
        said.late,
        rule,
        "column" if said.column is not None else "progress" if said.progress is not None else None,
        () if said.progress is None else _read_progress(said.progress, millisecond),
        allowed,
        said.per_key,
        said.upstream is not None,
        said.complete,
        said.engine,
    )


def _parse_lag(text: str, clock: Tick | None) -> tuple[int, int]:
    first, dots, last = text.partition("..")
    least = parse_span(first, clock or "plain", "--watermark-lag")
    return least, parse_span(last, clock or "plain", "--watermark-lag") if dots else least


def _read_progress(path: str, millisecond: int) -> tuple[tuple[int, int], ...]:
    """The batches of Spark's progress, a JSON object a line as `StreamingQueryProgress` prints itself, with their
    watermarks.  Raises InputError that names the line."""
    from datetime import datetime, timedelta

    found: dict[int, int] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"--progress {path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            progress: dict[str, Any] = json.loads(line)
            at = datetime.fromisoformat(progress["eventTime"]["watermark"])
            epoch = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
            found[int(progress["batchId"])] = (at - epoch) // timedelta(milliseconds=1) * millisecond
        except (ValueError, KeyError, TypeError):
            said = "no progress of a query with a watermark: batchId, eventTime.watermark"
            raise InputError(f"--progress {path}: line {number}: {said}") from None
    if not found:
        raise InputError(f"--progress {path}: it says nothing")
    return tuple(sorted(found.items()))


class Marked(NamedTuple):
    """Events with the watermark when they came."""

    events: "DataFrame"
    """With `watermark`; with `least` and `cleaned` where they may be others."""
    final: int | None
    """The watermark when all had come, at least; None where there are no events, or it is of each key."""


def add_watermark(events: "DataFrame", policy: Policy, observed: "DataFrame") -> Marked:
    """The events with the watermark at their arrival, NEVER at first.  `observed` are the same events, which are
    passed over once only, when the answer is.

    Of one key: one sort of its events.  Of all keys: the arrivals are cut into stretches, whose latest times are
    collected (32 numbers), then each stretch is sorted.  By batch, of several upstreams or where it is open: the latest
    times of each clock and upstream go through one task, which the definition itself runs over.  Raises InputError for
    a batch that the progress does not have.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    if policy.given == "column":
        row = events.agg(F.max("watermark")).head()
        return Marked(observed, None if row is None else row[0])
    if policy.given == "progress":
        return _mark_by_progress(events, policy, observed)
    rule = policy.watermark
    assert rule is not None
    if not policy.follows_records and not policy.per_key:
        return _mark_by_clock(events, rule, observed)
    if policy.per_key:
        before = Window.partitionBy("key").orderBy("clock").rangeBetween(Window.unboundedPreceding, -1)
        latest = F.max("time").over(before)
        return Marked(observed.withColumn("watermark", F.coalesce(latest - F.lit(rule.delay), F.lit(NEVER))), None)
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
    table = observed.withColumn("stretch", stretch).withColumn("watermark", marked).drop("stretch")
    return Marked(table, None if latest_so_far == NEVER else latest_so_far - rule.delay)


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


def _mark_by_clock(events: "DataFrame", rule: Watermark, observed: "DataFrame") -> Marked:
    from pyspark.sql import functions as F

    latest = events.groupBy("clock", "upstream").agg(F.max("time").alias("time"))
    names = [row[0] for row in latest.select("upstream").distinct().collect()]
    ordered = latest.repartition(1).sortWithinPartitions("clock", "upstream")
    marks = ordered.mapInArrow(make_follower(rule, names), _MARKS).persist()
    end = marks.where(F.col("clock").isNull()).head()
    marked = observed.join(marks.where(F.col("clock").isNotNull()), "clock")
    return Marked(marked, None if end is None else end["cleaned"])


def _mark_by_progress(events: "DataFrame", policy: Policy, observed: "DataFrame") -> Marked:
    """A batch is judged by its own watermark, or by that of the batch that ran before it, as the engine has it."""
    from pyspark.sql import functions as F

    spark = events.sparkSession
    alone = policy.engine == "spark-single"
    rows: list[tuple[int, int, int]] = []
    before: int | None = None
    for batch, watermark in policy.progress:
        last = watermark if before is None else before
        rows.append((batch, watermark if alone else last, last))
        before = watermark
    marks = spark.createDataFrame(rows, "clock bigint, watermark bigint, cleaned bigint")
    unknown = events.join(F.broadcast(marks), "clock", "left_anti").select("clock").head()
    if unknown is not None:
        raise InputError(f"--progress: it does not have batch {unknown[0]}, of which there are events")
    return Marked(observed.join(F.broadcast(marks), "clock"), before)


def is_late(window: WindowSpec) -> "Column":
    """Whether an event is late for any of its windows: a column over `time` and `watermark`."""
    from pyspark.sql import functions as F

    time = F.col("time")
    match window:
        case Sliding():
            spec = window.half_open
            into = F.pmod(time - F.lit(spec.offset + spec.range), F.lit(spec.slide))
            first_end = time - into + F.lit(spec.slide)
        case _:
            first_end = time + F.lit(grace(window))
    return first_end <= F.col("watermark")


def check_window(window: WindowSpec, policy: Policy) -> None:
    """Raises InputError for a window that has no use for a watermark."""
    if isinstance(window, Counted) and window.by_arrival and policy.has_watermark:
        raise InputError("--watermark: events that are counted by arrival are never late; leave it out")
    if isinstance(window, Calendar) and policy.has_watermark:
        raise InputError("--watermark: of windows of a calendar it is not judged which events were late; leave it out")
    if policy.is_open and not isinstance(window, Sliding):
        raise InputError(
            "--watermark-lag, --idle: where the watermark was is left open; that is judged of tumbling and sliding "
            "windows alone: give --watermark-column or --progress"
        )
    if policy.engine is not None and policy.late != "drop" and isinstance(window, Session):
        raise InputError(
            f"--late {policy.late}: a session of {policy.engine} that takes a late event is shown under another name; "
            "its versions are not judged"
        )
