"""Wrong time-based windows, each with one mistake that real ones have made, for the tests of the oracle."""

from typing import Any

from patches import patch
from right_time import Timed

patch(globals(), Timed, r"""
StaysAtTheEdge: It keeps an entry whose age is exactly the span.
    advance: <= -> <
OneLapsesAtATime: If several entries have expired, only one leaves.
    advance: while -> if
RoundTheWheel: A timing wheel does not advance at all if it would turn 64 times.
    advance: self.entries and -> self.entries and t - self.entries[0][0] < 64 * self.length and
DayAtMost: It limits spans to 86,400.
    span: = span -> = min(span, 86_400)
ZeroIsNoTime: It takes a time of 0 for no time.
    advance: while -> while t and
AdvanceIsIgnored: It ignores `advance`; time advances only with inserts.
    insert: self.advance(t) -> Timed.advance(self, t)
    advance: while -> while False and
TiesReplaced: The later of two entries at one time replaces the earlier.
    insert: self.entries -> if self.entries and self.entries[-1][0] == t: self.entries.pop()\n    self.entries
SilenceOfTwoSpans: It clears the window after a pause of exactly two spans, and with it the new entry.
    insert: self.entries
        -> if self.entries and t - self.entries[-1][0] == 2 * self.length: return self.entries.clear()\n    self.entries
CoarseBuckets: It rounds times to hundredths of the span; entries of one bucket expire together.
    advance: while -> width = max(1, self.length // 100)\n    while
    advance: self.entries[0][0] -> self.entries[0][0] // width * width + width - 1
""")  # fmt: skip


class StaleOnceEmpty(Timed):
    """It keeps its cached answer when the last entry expires."""

    kept: Any = None

    def insert(self, t: Any, v: Any) -> None:
        super().insert(t, v)
        self.kept = None

    def advance(self, t: Any) -> None:
        before = len(self.entries)
        super().advance(t)
        if 0 < len(self.entries) < before:
            self.kept = None

    def query(self) -> Any:
        if self.kept is None:
            self.kept = super().query()
        return self.kept


class NineLapseTogether(Timed):
    """It removes nine expired entries; of further ones it keeps those whose age is exactly the span."""

    def advance(self, t: Any) -> None:
        for _ in range(9):
            if self.entries and self.entries[0][0] <= t - self.length:
                self.entries.popleft()
        while self.entries and self.entries[0][0] < t - self.length:
            self.entries.popleft()


class RingCopiedShort(Timed):
    """A ring that has wrapped around loses one entry when it grows."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.ring: list[Any] = [None] * 16
        self.first = self.size = 0

    def insert(self, t: Any, v: Any) -> None:
        self.advance(t)
        slots = len(self.ring)
        if self.size == slots:
            self.ring += [None] * slots
            if self.first:
                self.ring[slots : slots + self.first - 1] = self.ring[: self.first - 1]
            slots *= 2
        self.ring[(self.first + self.size) % slots] = (t, v)
        self.size += 1

    def advance(self, t: Any) -> None:
        while self.size and (self.ring[self.first] is None or self.ring[self.first][0] <= t - self.length):
            self.first = (self.first + 1) % len(self.ring)
            self.size -= 1

    def query(self) -> Any:
        held = (self.ring[(self.first + at) % len(self.ring)] for at in range(self.size))
        return self.product(entry[1] for entry in held if entry is not None)
