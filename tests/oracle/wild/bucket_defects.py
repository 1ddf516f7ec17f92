"""Defects of rings of buckets: metrics, circuit breakers and rate limiters keep the last ticks of time in buckets, one
for each tick.

They are judged over ranges that end at each row's time: the answer is the sum of the rows of the last ticks.
"""

from collections import deque
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from defect import Defect, define_defects


class _Ring(Defect):
    """A ring with `span` buckets, one for each tick."""

    monoids = ("sum",)
    widest = 100

    def __init__(self, _monoid: Any) -> None:
        self.rows: list[tuple[int, int]] = []
        self.span = 1

    @classmethod
    def offers(cls, steps: Sequence[Any]) -> bool:
        """Return whether the frame covers the last ticks, up to the row's own."""
        unit, start, end = steps[0].arguments
        return unit == "range" and end == 0 and start is not None and -cls.widest <= start <= 0

    def frame(self, _unit: str, start: int, _end: int) -> None:
        self.span = 1 - start

    def insert(self, t: int, v: int) -> None:
        self.rows.append((t, v))

    def results(self) -> list[Any]:
        self.begin()
        found: list[Any] = []
        for time, rows in groupby(sorted(self.rows, key=lambda row: row[0]), key=lambda row: row[0]):
            values = [value for _, value in rows]
            for value in values:
                self.record(time, value)
            found += [self.total(time)] * len(values)
        return found

    def begin(self) -> None:
        """Empty all buckets."""
        self.buckets = [0] * self.span
        self.now: int | None = None

    def record(self, time: int, value: int) -> None:
        """Count a value that comes at this time."""
        self.move(time)
        self.buckets[time % self.span] += value

    def move(self, time: int) -> None:
        """Advance the time: clear the buckets between the last time and this one."""
        self.clear_between(time if self.now is None else self.now, time)
        self.now = time

    def clear_between(self, last: int, time: int) -> None:
        """Empty the buckets of the ticks after the last, up to this one."""
        for tick in range(max(last, time - self.span) + 1, time + 1):
            self.buckets[tick % self.span] = 0

    def total(self, time: int) -> int:
        """Return the sum of the window at this time."""
        self.move(time)
        return sum(self.buckets)


define_defects(globals(), _Ring, r"""
OneBucketCleared (rubyist/circuitbreaker/pull/36): A pause of any length clears only one bucket, the one for the next
  value.
    clear_between: for -> last = max(last, time - 1)\n    for
BucketUsedAgain (asecurityteam/rolling/pull/14): A bucket is not cleared when it is reused after a full turn; only
  buckets skipped by a pause are.
    clear_between: for -> time -= time - last == 1\n    for
LandsOnTheUncleared (salvo-rs/salvo/issues/1324): It clears the cells that it passes, advances once more, and counts in
  a cell that was not cleared.
    clear_between: for -> time -= time - last > 1\n    for
ClockLagsBehind (micrometer-metrics/micrometer/issues/2647): After a long pause all buckets are cleared, but the clock
  advances by one turn only. So the next value clears them again, with the values received since.
    move: self.now = time -> self.now = time if self.now is None else min(time, self.now + self.span)
""")  # fmt: skip


class OnlyExactlyOld(_Ring):
    """Entries to remove are found by `==`: an entry leaves only if its age is exactly the window's length."""

    thread = "mokies/ratelimitj/issues/24"

    def begin(self) -> None:
        self.entries: deque[tuple[int, int]] = deque()

    def record(self, time: int, value: int) -> None:
        self.entries.append((time, value))

    def total(self, time: int) -> int:
        while self.entries and self.is_old(time - self.entries[0][0]):
            self.entries.popleft()
        return sum(value for _, value in self.entries)

    def is_old(self, age: int) -> bool:
        """Return whether a bucket of this age has left the window."""
        return age == self.span if self.wrong else age >= self.span
