"""The watermark when each event came, as engines have it: per record, periodic, by micro-batches, of several upstreams.

A watermark is the latest time so far less a delay.  Engines differ in what "so far" is.  Here all of them are said by
one clock and a *lag*: an event with clock c is judged by what came with clock c - lag or before.

| engine | clock | lag |
|---|---|---|
| a watermark with each record | the arrival number | 1 |
| Flink, whose watermarks are emitted each 200 ms of its own clock | the time of arrival | between 1 and the interval |
| Spark, `statefulOperator.allowMultiple=false` | the number of the micro-batch | 1 |
| Spark, by default: late is what the watermark of the batch *before* had passed | the same | 2 |
| the same, where batches without data may have run unseen between those with data | the same | between 1 and 2 |

Where the lag lies between two numbers the engine leaves it open where the watermark was: there is a least and a
greatest one, and an event that is late for a window by one alone may count or not.

Of several upstream partitions the watermark is the least of theirs; one that has sent nothing holds it back, but for
one that has been idle.  It never falls.  Flink declares a partition idle up to three of its intervals after the time
that is said (FLINK-40503), so that this, too, lies between two moments.

Sources: Flink, `BoundedOutOfOrdernessWatermarks` and `StatusWatermarkValve`,
https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/datastream/event-time/generating_watermarks/; Spark,
`IncrementalExecution` (`eventTimeWatermarkForLateEvents`) and `WatermarkTracker`, SPARK-40925 and SPARK-47698.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.window import WindowError

IDLE_INTERVALS: Final = 3
"""The number of intervals by which an engine may find a partition idle too late."""


class Marks(NamedTuple):
    """The least and the greatest watermark for an event that comes now."""

    least: int
    most: int
    cleaned: int
    """Up to where windows were over when it came, and their state gone."""


@dataclass(frozen=True)
class Watermark:
    """The rule by which a watermark follows the events."""

    delay: int
    """The delay behind the latest time."""
    least_lag: int = 1
    most_lag: int = 1
    clean_lag: int | None = None
    """The lag of the watermark by which state was cleaned before an event came; None: the most lag."""
    idle: int | None = None
    """After how long without an event, by the clock, a partition no longer holds it back; None: never."""
    start: int = NEVER
    """The initial value; it is never below."""
    grain: int = 1
    """It moves in whole multiples of this: Spark keeps milliseconds of times in microseconds."""
    periodic: bool = False
    """True if it moves between events, by the clock of the engine: one that has stopped may not have moved since its
    last event."""

    def __post_init__(self) -> None:
        if not 0 <= self.least_lag <= self.most_lag:
            raise WindowError(f"lag: {self.least_lag}..{self.most_lag}; give two steps of the clock, the lesser first")
        if self.idle is not None and self.idle < 1:
            raise WindowError(f"idle: {self.idle}; give at least 1 step of the clock")

    @property
    def is_open(self) -> bool:
        """Return whether it may have been in one place or in another."""
        return self.least_lag != self.most_lag or self.idle is not None

    def of_latest(self, latest: int) -> int:
        """The watermark where this is the latest time; NEVER stands for no event."""
        return self.start if latest == NEVER else max(self.start, latest // self.grain * self.grain - self.delay)


class _Follower:
    """The watermark for one lag, as the clock goes on.

    `hasty`: as soon as it may be; otherwise when it must be.  They differ in the partitions that are idle: when such a
    one was heard is known by another lag, as of two that are heard sooner or later the one that wakes holds it back.
    """

    def __init__(self, rule: Watermark, partitions: Iterable[Hashable], lag: int, *, hasty: bool) -> None:
        self.rule, self.lag, self.hasty = rule, lag, hasty
        self.other = rule.most_lag if hasty else rule.least_lag
        overdue = 0 if hasty else IDLE_INTERVALS * (rule.most_lag - rule.least_lag)
        self.idle = None if rule.idle is None else rule.idle + overdue
        self.latest = dict.fromkeys(partitions, NEVER)
        self.heard: dict[Hashable, int] = {}
        self.surely: dict[Hashable, int] = {}
        """The same, by the lag that the times are known by."""
        self.waiting: deque[tuple[int, Hashable, int]] = deque()
        self.unheard: deque[tuple[int, Hashable]] = deque()
        self.began: int | None = None
        self.mark = rule.start
        self.at = NEVER

    def look(self, clock: int, heard_until: int | None = None) -> int:
        """Advance the clock and return the watermark; `heard_until` replaces the default, the lag before the clock."""
        self.began = clock if self.began is None else self.began
        until = clock - self.lag if heard_until is None else heard_until
        for moment in self.list_moments(clock) if self.hasty and self.idle is not None else ():
            self.hear(moment - self.lag, moment - self.other)
            self.advance(moment)
        self.hear(until, until + self.lag - self.other)
        self.at = clock
        return self.advance(clock)

    def list_moments(self, clock: int) -> list[int]:
        """Return the moments until this clock when something may have changed: an event is heard, or a partition
        becomes idle."""
        assert self.idle is not None
        heard = [*self.heard.values(), *(at for at, _ in self.unheard), self.began or 0]
        ends = {at + self.idle + 1 for at in heard}
        return sorted(at for at in ends | {at + self.lag for at, _, _ in self.waiting} if self.at < at < clock)

    def take(self, clock: int, partition: Hashable, time: int) -> None:
        """An event that came."""
        self.waiting.append((clock, partition, time))
        self.unheard.append((clock, partition))

    def hear(self, until: int, awake_until: int) -> None:
        """Include the events that came by `until` in the watermark; mark partitions with one by `awake_until` as
        awake."""
        while self.waiting and self.waiting[0][0] <= until:
            heard, partition, time = self.waiting.popleft()
            self.latest[partition] = max(self.latest[partition], time)
            self.surely[partition] = heard
        while self.unheard and self.unheard[0][0] <= awake_until:
            heard, partition = self.unheard.popleft()
            self.heard[partition] = heard

    def advance(self, clock: int) -> int:
        """Advance the watermark, and return it."""
        awake = [time for partition, time in self.latest.items() if not self.is_idle(partition, clock)]
        if not self.hasty and self.idle is not None and not any(map(partial(self.is_awake, clock), self.surely)):
            return self.mark  # all may be idle, and hold it where it is
        if awake:
            self.mark = max(self.mark, self.rule.of_latest(min(awake)))
        elif self.hasty:
            self.mark = max(self.mark, self.rule.of_latest(max(self.latest.values())))
        return self.mark

    def is_awake(self, clock: int, partition: Hashable) -> bool:
        """Return whether no engine finds it idle."""
        return self.rule.idle is None or clock - self.surely[partition] <= self.rule.idle

    def is_idle(self, partition: Hashable, clock: int) -> bool:
        """Return whether a partition holds it back no more.  How long one was silent before the first event is not
        known."""
        if self.idle is None:
            return False
        heard = self.heard.get(partition, self.began)
        assert heard is not None
        return (self.hasty and partition not in self.heard) or clock - heard > self.idle


def follow(
    rule: Watermark, partitions: Iterable[Hashable], steps: Iterable[tuple[int, Hashable, int]]
) -> Iterator[tuple[int | None, Marks]]:
    """The marks at each clock, given (clock, partition, time) in the order of clocks, and those when all has come.

    One answer for each clock; the last has None for a clock.  Partitions that send nothing hold the watermark back.

    >>> steps = [(1, "a", 10), (2, "b", 4), (3, "a", 20), (4, "b", 9), (9, "a", 21), (10, "a", 22)]
    >>> [marks.most for _, marks in follow(Watermark(2), "ab", steps)][2:]
    [2, 2, 7, 7, 7]
    >>> [marks[:2] for _, marks in follow(Watermark(2, idle=5), "ab", steps)][-2:]
    [(19, 19), (20, 20)]
    >>> [marks[:2] for _, marks in follow(Watermark(0, 1, 3), "a", [(c, "a", c * 10) for c in range(1, 5)])][-2:]
    [(10, 30), (20, 40)]
    >>> rule = Watermark(0, 1, 3, periodic=True)
    >>> [marks[:2] for _, marks in follow(rule, "a", [(c, "a", c * 10) for c in range(1, 5)])][-2:]
    [(10, 30), (10, 40)]
    """
    names = list(partitions)
    least = _Follower(rule, names, rule.most_lag, hasty=False)
    most = _Follower(rule, names, rule.least_lag, hasty=True)
    cleaned = _Follower(rule, names, rule.clean_lag or rule.most_lag, hasty=False)
    before: int | None = None
    for clock, partition, time in steps:
        if clock != before:
            before = clock
            yield clock, Marks(least.look(clock), most.look(clock), cleaned.look(clock))
        for follower in (least, most, cleaned):
            follower.take(clock, partition, time)
    if before is not None:
        end = before if rule.periodic else before + 1
        yield (
            None,
            Marks(
                least.look(before, end - least.lag),
                most.look(before, before + 1 - most.lag),
                cleaned.look(before, end - cleaned.lag),
            ),
        )
