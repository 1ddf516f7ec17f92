"""The watermark at each event's arrival: per record, periodic, by micro-batches, and of several partitions.

A watermark is the latest time so far minus a delay.  Engines differ in the meaning of "so far".  Here a clock and a
*lag* describe each engine: an event with clock c is judged by the events that came with clock c - lag or before.

| engine | clock | lag |
|---|---|---|
| a watermark with each record | the arrival number | 1 |
| Flink, which emits watermarks every 200 ms of its own clock | the time of arrival | between 1 and the interval |
| Spark, `statefulOperator.allowMultiple=false` | the number of the micro-batch | 1 |
| Spark, by default: late is behind the watermark of the *previous* batch | the same | 2 |
| the same, if unseen batches without data may have run between those with data | the same | between 1 and 2 |

If the lag lies between two numbers, the engine leaves the position of the watermark open: there is a least and a
greatest one, and an event that is late only for the greatest may count or not.

The watermark of several upstream partitions is the least of theirs.  A partition that has sent nothing holds it back,
except if it is idle.  The watermark never falls.  Flink declares a partition idle up to three of its intervals after
the configured time (FLINK-40503), so this too lies between two moments.

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
"""The greatest number of intervals by which an engine declares a partition idle too late."""


class Marks(NamedTuple):
    """The least and the greatest watermark for an event that arrives now."""

    least: int
    most: int
    cleaned: int
    """The time up to which windows were over, and their state removed, at its arrival."""


@dataclass(frozen=True)
class Watermark:
    """The rule by which a watermark follows the events."""

    delay: int
    """The delay behind the latest time."""
    least_lag: int = 1
    most_lag: int = 1
    clean_lag: int | None = None
    """The lag of the watermark that last cleaned state before an event came; None for `most_lag`."""
    idle: int | None = None
    """The time without events after which a partition no longer holds the watermark back; None for never."""
    start: int = NEVER
    """The initial watermark, and its lower bound."""
    grain: int = 1
    """The watermark moves in whole multiples of this: Spark keeps milliseconds of times in microseconds."""
    periodic: bool = False
    """True if the watermark moves between events, by the engine's clock: when the stream stops, it may not have moved
    since the last event."""

    def __post_init__(self) -> None:
        if not 0 <= self.least_lag <= self.most_lag:
            raise WindowError(f"lag: {self.least_lag}..{self.most_lag}; give two steps of the clock, the lesser first")
        if self.idle is not None and self.idle < 1:
            raise WindowError(f"idle: {self.idle}; give at least 1 step of the clock")

    @property
    def is_open(self) -> bool:
        """Return whether the rule allows more than one position."""
        return self.least_lag != self.most_lag or self.idle is not None

    def of_latest(self, latest: int) -> int:
        """Return the watermark for this latest time; NEVER stands for no event."""
        return self.start if latest == NEVER else max(self.start, latest // self.grain * self.grain - self.delay)


class _Follower:
    """The watermark for one lag, as the clock advances.

    `hasty` moves it as soon as possible, otherwise as late as possible.  The two differ in idle partitions: the last
    event of such a partition is known by the other lag, because a partition that wakes up holds the watermark back.
    """

    def __init__(self, rule: Watermark, partitions: Iterable[Hashable], lag: int, *, hasty: bool) -> None:
        self.rule, self.lag, self.hasty = rule, lag, hasty
        self.other = rule.most_lag if hasty else rule.least_lag
        overdue = 0 if hasty else IDLE_INTERVALS * (rule.most_lag - rule.least_lag)
        self.idle = None if rule.idle is None else rule.idle + overdue
        self.latest = dict.fromkeys(partitions, NEVER)
        self.heard: dict[Hashable, int] = {}
        self.surely: dict[Hashable, int] = {}
        """The clock of each partition's last event, by the lag that also applies to its times."""
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
        """Return the moments until this clock at which an event is heard or a partition becomes idle."""
        assert self.idle is not None
        heard = [*self.heard.values(), *(at for at, _ in self.unheard), self.began or 0]
        ends = {at + self.idle + 1 for at in heard}
        return sorted(at for at in ends | {at + self.lag for at, _, _ in self.waiting} if self.at < at < clock)

    def take(self, clock: int, partition: Hashable, time: int) -> None:
        """Record the arrival of an event."""
        self.waiting.append((clock, partition, time))
        self.unheard.append((clock, partition))

    def hear(self, until: int, awake_until: int) -> None:
        """Include the events that came by `until` in the watermark; mark partitions with an event by `awake_until` as
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
            return self.mark  # all may be idle, so the watermark may stay
        if awake:
            self.mark = max(self.mark, self.rule.of_latest(min(awake)))
        elif self.hasty:
            self.mark = max(self.mark, self.rule.of_latest(max(self.latest.values())))
        return self.mark

    def is_awake(self, clock: int, partition: Hashable) -> bool:
        """Return whether no engine declares the partition idle."""
        return self.rule.idle is None or clock - self.surely[partition] <= self.rule.idle

    def is_idle(self, partition: Hashable, clock: int) -> bool:
        """Return whether a partition no longer holds the watermark back.

        How long it was silent before the first event is unknown.
        """
        if self.idle is None:
            return False
        heard = self.heard.get(partition, self.began)
        assert heard is not None
        return (self.hasty and partition not in self.heard) or clock - heard > self.idle


def follow(
    rule: Watermark, partitions: Iterable[Hashable], steps: Iterable[tuple[int, Hashable, int]]
) -> Iterator[tuple[int | None, Marks]]:
    """Yield the marks at each clock, given (clock, partition, time) in clock order, and finally those after all events.

    There is one item for each clock; the last has None as its clock.  Partitions without events hold the watermark
    back.

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
