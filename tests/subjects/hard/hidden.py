"""Wrong windows whose mistakes do not appear in short words or small counts, one for each phase of the search.

They are not taken from real code.  Each needs something special: repeated queries, many entries of one time, a bulk
larger than its window, neighbouring sizes, a counter that wraps, a falling stream.
"""

from bisect import bisect_left
from collections import deque
from typing import Any

from subjects.right import ListWindow
from subjects.right_out_of_order import Dictionary, SortedLists
from subjects.right_shared import Kept
from subjects.right_time import Timed


class TenthQuery(ListWindow):
    """The tenth query in a row answers from a cache that is never cleared."""

    window = "fifo"

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.asked, self.kept = 0, list[Any]()

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.asked = 0

    def evict(self) -> None:
        super().evict()
        self.asked = 0

    def query(self) -> Any:
        self.asked += 1
        if self.asked < 10:
            return super().query()
        if not self.kept:
            self.kept.append(super().query())
        return self.kept[0]


class Tombstones(Dictionary):
    """An evict only marks an entry; a new insert at its time among more than six others restores the old value."""

    window = "out-of-order"

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.dead: dict[Any, Any] = {}

    def insert(self, t: Any, v: Any) -> None:
        old = self.dead.pop(t, None)
        super().insert(t, v if old is None or len(self.values) < 7 else self.monoid.combine(old, v))

    def evict(self, t: Any) -> None:
        if t in self.values:
            self.dead[t] = self.values[t]
            super().evict(t)
            if len(self.dead) > len(self.values):
                self.dead.clear()


class SeventeenthDuplicate(Dictionary):
    """The seventeenth entry of one time replaces the others."""

    window = "out-of-order"

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.times: dict[Any, int] = {}

    def insert(self, t: Any, v: Any) -> None:
        self.times[t] = self.times.get(t, 0) + 1
        if self.times[t] == 17:
            self.values.pop(t, None)
        super().insert(t, v)

    def evict(self, t: Any) -> None:
        super().evict(t)
        self.times.pop(t, None)


class LargeBulk(Dictionary):
    """A bulk that is larger than the window replaces the value at the window's youngest time."""

    window = "out-of-order"

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        youngest, large = max(self.values, default=None), len(pairs) > len(self.values) > 3
        for t, v in pairs:
            if large and t == youngest:
                self.values[t] = v
            else:
                self.insert(t, v)


class StaleFinger(SortedLists):
    """It caches the place of the last insert; after an evict of an older entry a duplicate goes next to its entry."""

    window = "out-of-order"
    last: tuple[Any, int] = (None, -1)

    def insert(self, t: Any, v: Any) -> None:
        time, at = self.last
        if time == t and at < len(self.times):
            self.values[at] = self.monoid.combine(self.values[at], v)
        else:
            super().insert(t, v)
            self.last = t, bisect_left(self.times, t)

    def evict(self, t: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t] and at == self.last[1]:
            self.last = (None, -1)
        super().evict(t)


class _Stream(Kept):
    window = "shared"

    def insert(self, v: Any) -> None:
        self.values.append(v)


class NextSize(_Stream):
    """With three or more windows, none smaller than three, one gives the answer of the next, if that is one larger."""

    def lookup(self, size: int) -> Any:
        ordered = sorted(set(self.sizes))
        between = len(ordered) >= 3 and ordered[0] > 2 and size in ordered[1:-1] and size + 1 in ordered
        return super().lookup(size + 1 if between and len(self.values) > size + 1 else size)


class TwiceAsLarge(_Stream):
    """A window twice as large as another combines two answers of that window, in the wrong order."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answered: dict[tuple[int, int], Any] = {}

    def lookup(self, size: int) -> Any:
        answer = super().lookup(size)
        older = self.answered.get((size // 2, len(self.values) - size // 2))
        if size >= 8 and size % 2 == 0 and older is not None:
            answer = self.monoid.combine(super().lookup(size // 2), older)
        self.answered[size, len(self.values)] = answer
        return answer


class _Versioned:
    """It keeps its answer while the version is the same; versions have few bits."""

    versions = 1 << 8
    version = 0
    kept: tuple[int, Any] = (-1, None)

    def insert(self, *entry: Any) -> None:
        super().insert(*entry)  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]  # of the window
        self.version += 1

    def evict(self, *time: Any) -> None:
        super().evict(*time)  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]  # of the window
        self.version += 1

    def query(self) -> Any:
        if self.kept[0] != self.version % self.versions:
            answer = super().query()  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]  # of the window
            self.kept = self.version % self.versions, answer
        return self.kept[1]


class VersionOfEightBits(_Versioned, ListWindow):  # pyright: ignore[reportIncompatibleMethodOverride]  # it takes any
    """Versions in eight bits."""

    window = "fifo"


class VersionsOfNinetySeven(VersionOfEightBits):
    """Versions modulo 97."""

    versions = 97


class VersionOfTwelveBits(VersionOfEightBits):
    """Versions in twelve bits."""

    versions = 1 << 12


class VersionOfSixteenBits(VersionOfEightBits):
    """Versions in sixteen bits."""

    versions = 1 << 16


class VersionOfTwelveBitsInTime(_Versioned, Dictionary):  # pyright: ignore[reportIncompatibleMethodOverride]  # likewise
    """Versions in twelve bits, out of order."""

    window = "out-of-order"
    versions = 1 << 12


class VersionOfSixteenBitsInTime(VersionOfTwelveBitsInTime):
    """Versions in sixteen bits, out of order."""

    versions = 1 << 16


class _Maxima:
    """The elements greater than all later ones, with their places, in a queue of 16 slots; the oldest makes room."""

    monoids = ("max",)
    slots = 16

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.queue: list[tuple[Any, Any]] = []

    def enter(self, place: Any, v: Any) -> None:
        while self.queue and self.queue[-1][1] <= v:
            self.queue.pop()
        self.queue = [*self.queue[1 - self.slots :], (place, v)]

    def query(self) -> Any:
        return self.queue[0][1] if self.queue else self.monoid.identity


class SixteenMaxima(_Maxima):
    """Sixteen maxima of a window over a number of elements."""

    window = "fifo"
    came = gone = 0

    def insert(self, v: Any) -> None:
        self.enter(self.came, v)
        self.came += 1

    def evict(self) -> None:
        self.gone += 1
        self.queue = [(place, v) for place, v in self.queue if place >= self.gone]


class ThousandMaxima(SixteenMaxima):
    """A thousand maxima of a window over a number of elements."""

    slots = 1000


class SixteenMaximaInTime(_Maxima):
    """Sixteen maxima of a window over a span of time."""

    window = "time"
    length: Any = 0

    def span(self, span: Any) -> None:
        self.length = span

    def insert(self, t: Any, v: Any) -> None:
        self.enter(t, v)
        self.queue = [(time, v) for time, v in self.queue if time > t - self.length]


class NoDataIsMarked(ListWindow):
    """A maximum that treats -9999 as a missing value, as maps and sensors do."""

    window = "fifo"
    monoids = ("max",)

    def query(self) -> Any:
        return max((v for v in self.values if v != -9999), default=self.monoid.identity)


class EntriesOfOneTimeInAByte(Timed):
    """The 256th entry of a time is lost."""

    window = "time"
    many = 0

    def insert(self, t: Any, v: Any) -> None:
        self.many = self.many + 1 if self.entries and self.entries[-1][0] == t else 1
        if self.many == 256:
            self.advance(t)
        else:
            super().insert(t, v)


class BlockEnds(_Stream):
    """Blocks of a fixed size: of `windows` sizes, the one at `place` takes one element too many, if it is larger than a
    block and ends `beyond` after one; only at the first insert after it is full."""

    def __init__(self, monoid: Any, block: int = 64, beyond: int = -1, windows: int = 3, place: int = 2) -> None:
        super().__init__(monoid)
        self.block, self.beyond, self.windows, self.place = block, beyond, windows, place

    def lookup(self, size: int) -> Any:
        ordered = sorted(set(self.sizes))
        mistaken = len(ordered) == self.windows and size == ordered[self.place]
        mistaken = mistaken and size > self.block and (size - self.beyond) % self.block == 0
        return super().lookup(size + 1 if mistaken and len(self.values) == size + 1 else size)


class ShortTexts:
    """A wrapper of a monoid that truncates texts."""

    def __init__(self, monoid: Any, characters: int) -> None:
        self.identity = monoid.identity
        self.combine = lambda a, b: monoid.combine(a[:characters], b[:characters])


class EndsInThirtyTwoBits(Timed):
    """The start of a window is computed in 32 bits, and wraps."""

    def advance(self, t: Any) -> None:
        begin = (t - self.length + 2**31) % 2**32 - 2**31
        self.entries = deque(entry for entry in self.entries if entry[0] > begin)


class AgesInThirtyTwoBits(Timed):
    """The age of an entry is computed in 32 bits, and wraps."""

    def advance(self, t: Any) -> None:
        self.entries = deque(entry for entry in self.entries if (t - entry[0]) % 2**32 < self.length)


class LapsesInThirtyTwoBits(Timed):
    """The time at which an entry lapses is computed in 32 bits, and wraps."""

    def advance(self, t: Any) -> None:
        lapses = [((time + self.length + 2**31) % 2**32 - 2**31, time, v) for time, v in self.entries]
        self.entries = deque((time, v) for at, time, v in lapses if at > t)


class BulksOfSoMany(ListWindow):
    """Its buffer for bulks holds 4,096 elements."""

    def bulk_insert(self, values: list[Any]) -> None:
        for v in values[:4096]:
            self.insert(v)


class TimedBulksOfSoMany(Dictionary):
    """Its buffer for bulks holds 4,096 entries, out of order."""

    def bulk_insert(self, pairs: list[tuple[int, Any]]) -> None:
        for time, v in pairs[:4096]:
            self.insert(time, v)


class WindowsInSixtyFourBits(_Stream):
    """A set of windows is a word of 64 bits: the 65th window is confused with the first."""

    def lookup(self, size: int) -> Any:
        sizes = list(dict.fromkeys(self.sizes))
        return super().lookup(sizes[sizes.index(size) % 64])
