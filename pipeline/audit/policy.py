"""The watermark at the arrival of each event, and the expected treatment of late events.

`swagproof.models.windows.watermarks` defines the watermark and the engines' rules for late events:

| option | the watermark at the arrival of an event |
|---|---|
| `--watermark D` | the latest time of events with smaller arrival numbers, less D; equal numbers arrive together |
| `--watermark-per-key` | the same, over the events of its own key |
| `--batch COLUMN` | by the number of its micro-batch instead of its arrival number |
| `--watermark-lag A..B` | the same with a lag of A steps, or any up to B; A is 1 or more |
| `--upstream COLUMN`, `--idle N` | the least over the partitions, without those that were silent for N |
| `--watermark-column COLUMN` | the column's value |
| `--progress FILE` | the value in Spark's own progress, batch by batch |
| `--engine NAME` | the rule of that engine, see ENGINES |

Without any of them there is no watermark and no event is late.  `swagproof.models.windows.lateness` defines the
treatment of late events; with `--late-by time` an operator before the windows has dropped them.  Windows that the
watermark has not passed after the last event are *open*: they need no result yet, unless `complete` is set; their
results are judged.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from swagproof.models.windows.kinds import Calendar, Counted, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, Late, SessionRule
from swagproof.models.windows.text import parse_span
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.options import ENGINES, Engine, LateBy, Lateness
from swagproof.pipeline.audit.tables import Tick


@dataclass(frozen=True)
class Policy:
    """The treatment of late events."""

    late: Late = "drop"
    watermark: Watermark | None = None
    """The rule by which it follows the events; None if there is none, or it is given."""
    given: Literal["column", "progress"] | None = None
    progress: tuple[tuple[int, int], ...] = ()
    """Spark's batches, in order, each with its watermark in ticks."""
    lateness: int | None = 0
    """The time after a window's end for which it takes late events; None for no limit."""
    per_key: bool = False
    upstreams: bool = False
    """True if the watermark is the least over several partitions."""
    complete: bool = False
    """True if open windows must have results too."""
    engine: Engine | None = None
    late_by: LateBy = "window"

    @property
    def behind(self) -> int | None:
        """The margin, if an event is late by its own time; None if by the end of a window."""
        return self.margin if self.late_by == "time" else None

    @property
    def margin(self) -> int:
        """Return how far behind the watermark an event's own time must be to be late: 0 in batches, since Spark drops
        events at the watermark, too."""
        in_batches = self.given == "progress" or (self.engine is not None and ENGINES[self.engine].by_batch)
        return 0 if in_batches else 1

    @property
    def has_watermark(self) -> bool:
        """Return whether an event can be late."""
        return self.watermark is not None or self.given is not None

    @property
    def is_open(self) -> bool:
        """Return whether the watermark may be uncertain."""
        return self.watermark is not None and self.watermark.is_open

    @property
    def sessions(self) -> SessionRule:
        """The rule for sessions; events that are late by their own time have no sessions to merge with."""
        rule: SessionRule = "own" if self.engine is None else ENGINES[self.engine].sessions
        return "at end" if rule == "merged" and self.late_by == "time" else rule

    @property
    def follows_records(self) -> bool:
        """Return whether the watermark moves with each record, without any other rule."""
        rule = self.watermark
        return rule == Watermark(rule.delay) and not self.upstreams if rule is not None else False

    def to_json(self) -> dict[str, object]:
        """Return the policy as in a report: spans in ticks, lag and idle in steps of the clock."""
        rule = self.watermark
        return {
            "late": self.late,
            "late_by": self.late_by,
            "watermark": self.given if rule is None else rule.delay,
            "lag": None if rule is None else [rule.least_lag, rule.most_lag],
            "idle": None if rule is None else rule.idle,
            "lateness": self.lateness,
            "watermark_of": "key" if self.per_key else "the least of the upstreams" if self.upstreams else "all keys",
            "engine": self.engine,
            "complete": self.complete,
        }


def make_policy(said: Lateness, tick: Tick, clock: Tick | None, *, arrival: bool, batch: bool) -> Policy:
    """Return the policy that the options state; `clock` is the unit of arrival or batch numbers.

    Raises InputError if the options contradict each other, WindowError for spans.
    """
    unit = tick or "plain"
    engine = None if said.engine is None else ENGINES[said.engine]
    delay = None if said.watermark is None else parse_span(said.watermark, unit, "--watermark")
    there = [name for name in ("watermark", "watermark_column", "progress") if getattr(said, name) is not None]
    if len(there) > 1:
        raise InputError("--watermark, --watermark-column, --progress: give one of them")
    if said.lateness is not None and (said.late == "drop" or not there):
        raise InputError("--lateness: requires a watermark, and --late update or retract")
    by_time = said.late_by == "time"
    for option, given in (
        ("--watermark-per-key", said.watermark_per_key),
        ("--complete", said.complete),
        ("--late-by time", by_time),
        ("--batch", batch),
    ):
        if given and not there:
            raise InputError(f"{option}: requires --watermark")
    if by_time and said.lateness is not None:
        raise InputError("--lateness: has no effect with --late-by time; leave it out")
    for option, word in (("--watermark-lag", said.watermark_lag), ("--idle", said.idle), ("--upstream", said.upstream)):
        if word is not None and delay is None:
            raise InputError(f"{option}: requires --watermark")
        if word is not None and said.watermark_per_key:
            raise InputError(f"{option}: applies to one watermark for all keys; leave out --watermark-per-key")
    if said.idle is not None and said.upstream is None:
        raise InputError("--idle: name the column of the partitions with --upstream")
    if there and not (arrival or (batch and delay is None)):
        raise InputError("--watermark: requires the order of arrival; name its column with --arrival")
    if (said.progress is not None or (engine is not None and engine.by_batch and delay is not None)) and not batch:
        raise InputError("--engine spark, --progress: name the column of the micro-batch with --batch")
    at_once = said.late == "drop" or by_time
    allowed = 0 if at_once else None if said.lateness is None else parse_span(said.lateness, unit, "--lateness")
    millisecond = {"us": 1_000, "ns": 1_000_000}.get(tick or "", 1)
    rule: Watermark | None = None
    if delay is not None:
        lag = engine.lag if engine is not None else 1
        least, most = (lag, lag) if said.watermark_lag is None else _parse_lag(said.watermark_lag, clock)
        in_ms = engine is not None and engine.milliseconds
        rule = Watermark(
            delay - (engine.ahead * millisecond if engine is not None else 0),
            least,
            most,
            clean_lag=2 if said.engine == "spark-single" and said.watermark_lag is None else None,
            idle=None if said.idle is None else _parse_of_clock(said.idle, clock, "--idle"),
            start=0 if in_ms else NEVER,
            grain=millisecond if in_ms else 1,
            periodic=least < most and not batch,
        )
    return Policy(
        said.late,
        rule,
        "column" if said.watermark_column is not None else "progress" if said.progress is not None else None,
        () if said.progress is None else _read_progress(said.progress, millisecond),
        allowed,
        said.watermark_per_key,
        said.upstream is not None,
        said.complete,
        said.engine,
        said.late_by,
    )


def _parse_lag(text: str, clock: Tick | None) -> tuple[int, int]:
    first, dots, last = text.partition("..")
    least = _parse_of_clock(first, clock, "--watermark-lag")
    if least == 0:
        raise InputError(
            f"--watermark-lag: {text}: the watermark follows earlier events only; give at least 1 (of one batch, or of "
            "one arrival number, none came before another)"
        )
    return least, _parse_of_clock(last, clock, "--watermark-lag") if dots else least


def _parse_of_clock(text: str, clock: Tick | None, option: str) -> int:
    """Return a span in steps of the clock that orders events, which may be a column of plain numbers."""
    if clock is None and not text.strip().isdigit():
        raise InputError(
            f"{option}: {text}: it counts --arrival or --batch numbers, which have no unit; give as many of them"
        )
    return parse_span(text, clock or "plain", option)


def _read_progress(path: str, millisecond: int) -> tuple[tuple[int, int], ...]:
    """Read the batches and watermarks of Spark's progress, one JSON object of `StreamingQueryProgress` per line.

    Raises InputError that names the line.
    """
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
        raise InputError(f"--progress {path}: it contains no progress")
    return tuple(sorted(found.items()))


class Marked(NamedTuple):
    """The watermark at the arrival of each event."""

    columns: dict[str, Any]
    """`watermark`; `least` and `cleaned` if they may differ from it."""
    final: int | None
    """A lower bound of the watermark after all events; None without events, or if it is per key."""


def follow_events(policy: Policy, times: Any, clocks: Any, keys: Any, upstreams: list[Any] | None) -> Marked:
    """Return the watermark at the arrival of each event, NEVER at first, in the order of the events.

    `keys` are codes.  Raises InputError for a batch that is missing in the progress.
    """
    rule = policy.watermark
    if policy.given == "progress":
        rows, final = read_batches(policy)
        known = np.array([row[0] for row in rows], dtype=np.int64)
        at = np.minimum(np.searchsorted(known, clocks), len(known) - 1)
        refuse_unknown_batch(clocks[known[at] != clocks][:1].tolist())
        of_batch = np.array([row[1:] for row in rows], dtype=np.int64)
        return Marked({"watermark": of_batch[at, 0], "cleaned": of_batch[at, 1]}, final)
    assert rule is not None
    if policy.follows_records or policy.per_key:
        order = np.lexsort((clocks, keys)) if policy.per_key else np.argsort(clocks, kind="stable")
        latest = _latest_before(times[order], clocks[order], keys[order] if policy.per_key else None)
        watermark = np.empty_like(latest)
        watermark[order] = np.where(latest == NEVER, NEVER, latest - rule.delay)
        final = int(times.max()) - rule.delay if len(times) and not policy.per_key else None
        return Marked({"watermark": watermark}, final)
    names = upstreams if upstreams is not None else [None] * len(times)
    latest_of: dict[tuple[int, Any], int] = {}
    for clock, name, time in zip(clocks.tolist(), names, times.tolist(), strict=True):
        latest_of[clock, name] = max(time, latest_of.get((clock, name), time))
    steps = sorted(((clock, name, time) for (clock, name), time in latest_of.items()), key=lambda step: step[0])
    found = dict(follow(rule, list(dict.fromkeys(names)), steps))
    final = found[None].cleaned if found else None
    marks = [found[clock] for clock in clocks.tolist()]
    of_mark = ([mark.most for mark in marks], [mark.least for mark in marks], [mark.cleaned for mark in marks])
    columns = {name: np.array(of, dtype=np.int64) for name, of in zip(MARKS, of_mark, strict=True)}
    return Marked(columns, final)


def _latest_before(times: Any, clocks: Any, keys: Any) -> Any:
    """Return, for each sorted event, the latest time with a smaller clock within its key; NEVER if there is none."""
    n = len(times)
    if not n:
        return times
    starts = np.zeros(n, dtype=bool)
    starts[0] = True
    if keys is None:
        latest = np.maximum.accumulate(times)
    else:
        starts[1:] = keys[1:] != keys[:-1]
        latest = np.concatenate([np.maximum.accumulate(part) for part in np.split(times, np.flatnonzero(starts)[1:])])
    moves = starts.copy()
    moves[1:] |= clocks[1:] != clocks[:-1]
    first = np.maximum.accumulate(np.where(moves, np.arange(n), 0))  # of events with the same clock
    return np.where(starts[first], NEVER, latest[first - 1])


MARKS: Final = ("watermark", "least", "cleaned")
"""The watermark columns at an event's arrival: greatest, least, and the one for complete windows."""


def read_batches(policy: Policy) -> tuple[list[tuple[int, int, int]], int | None]:
    """Return Spark's batches, each with the watermarks for late rows and for complete windows; and the last watermark.

    A batch is judged by its own watermark, or by that of the batch that ran before it, as the engine has it.  Many
    listeners omit batches without rows; such a batch had the watermark of the next one, as no events came between.
    """
    alone = policy.engine == "spark-single"
    rows: list[tuple[int, int, int]] = []
    before: tuple[int, int] | None = None
    for batch, watermark in policy.progress:
        last = before[1] if before is not None and before[0] == batch - 1 else watermark
        rows.append((batch, watermark if alone else last, last))
        before = batch, watermark
    return rows, before and before[1]


def refuse_unknown_batch(unknown: list[int]) -> None:
    """Raise InputError if there is an unknown batch."""
    if unknown:
        raise InputError(f"--progress: batch {unknown[0]} has events, but no progress")


def check_window(window: WindowSpec, policy: Policy) -> None:
    """Raise InputError for a window that cannot use a watermark, or for an engine that needs one."""
    if policy.engine is not None and not policy.has_watermark and not isinstance(window, Session):
        raise InputError("--engine: requires --watermark")
    if isinstance(window, Counted) and window.by_arrival and policy.has_watermark:
        raise InputError("--watermark: events that are counted by arrival are never late; leave it out")
    if isinstance(window, Calendar) and policy.has_watermark:
        raise InputError("--watermark: late events are not supported with calendar windows; leave it out")
    if policy.late_by == "time" and isinstance(window, Sliding) and not window.leading:
        raise InputError("--late-by time: not supported with windows from first; leave one of them out")
    if policy.is_open and not isinstance(window, Sliding):
        raise InputError(
            "--watermark-lag, --idle: the position of the watermark is uncertain; that is supported with tumbling and "
            "sliding windows only: give --watermark-column or --progress"
        )
    if policy.engine is not None and policy.late != "drop" and isinstance(window, Session):
        raise InputError(
            f"--late {policy.late}: late events change the bounds of a session of {policy.engine}; "
            "its versions are not judged"
        )
