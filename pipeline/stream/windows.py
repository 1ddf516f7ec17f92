"""The windows of one key, as a stream sees them: which are over at a watermark, and what each of them holds.

A key's events lie in entries, ordered by (time, arrival).  Where the operation commutes and the window is cut by time
alone, an entry is a slice: its time is the slice's begin, and its arrival 0.  Every window is then the product of the
entries from one key to another.

A window ends at the first time that is no longer in it, and is over when the watermark has reached its end:

- `Sliding`: [begin, end) by the clock, whether or not it holds events; those that hold none are passed over.
- `Ranges`: one for each time with events; it ends just after the last time that its frame reaches.
- `Session`: one for each run of events; it ends a gap after its last event.
- `Counted` and `Rows`: one for each event that triggers; it ends just after that event's time.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.window_text import Counted, Ranges, Rows, Session, Sliding, WindowSpec, parse_window, span
from swagproof.reference.slicing.pairs import pair_edge
from swagproof.reference.slicing.slices import is_covered, last_begun, last_over, window_begin, window_end

Key: TypeAlias = tuple[int, ...]
"""(time, arrival) of an entry; (time,) stands just before all entries of that time."""

Unit: TypeAlias = Literal["plain", "us", "ms", "s"]
"""What times are counted in: plain numbers, or a unit of time since the epoch."""

MICROSECONDS: Final[dict[Unit, int]] = {"us": 1, "ms": 1_000, "s": 1_000_000}

NEVER: Final = -(2**63)
"""Before all times: where no watermark has been told."""

ALWAYS: Final = 2**63
"""After all times."""


class Window(NamedTuple):
    """A window with events."""

    begin: int
    """The first time that it reaches back to."""
    end: int
    """The first time after it."""
    at: int | None
    """The time, or the number, of the event that a frame or a count belongs to; None for other windows."""
    first: Key
    last: Key
    """From which entry to which; both are in it."""


class Shape(ABC):
    """A kind of windows.  `keys` are those of the entries kept, ascending; `number` counts those before them."""

    singly: bool = False
    """Whether events have to be kept singly even if the operation commutes."""
    revisable: bool = True
    """Whether a late event leaves the other windows what they are, so that results can be updated."""

    def slice_of(self, t: int) -> int:
        """The time of the slice that an event of time t belongs to, where the operation commutes."""
        return t

    @abstractmethod
    def is_open(self, t: int, closed: int) -> bool | None:
        """Whether an event still counts when all windows up to `closed` are final; None if it is in no window."""

    @abstractmethod
    def ending(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Window]:
        """The windows with events that end after one time, and at another or before; in the order of their ends."""

    def touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Window]:
        """Those of them that hold time t."""
        return (window for window in self.ending(keys, 0, after, upto) if window.begin <= t < window.end)

    @abstractmethod
    def needed(self, keys: Sequence[Key], closed: int) -> int:
        """The place in `keys` of the first that a window ending after `closed` may hold."""

    def names(self, begin: int, end: int) -> bool:
        """Whether [begin, end) is one of these windows, of whatever events."""
        return begin < end


class SlidingShape(Shape):
    """[k slide + offset, k slide + offset + range) for all integers k."""

    def __init__(self, spec: Sliding) -> None:
        self.range, self.slide, self.offset = spec.range, spec.slide, spec.offset

    def slice_of(self, t: int) -> int:
        return pair_edge(t - self.offset, self.range, self.slide) + self.offset

    def is_open(self, t: int, closed: int) -> bool | None:
        t -= self.offset
        if not is_covered(t, self.range, self.slide):
            return None
        return window_end(last_begun(t, self.slide), self.range, self.slide) + self.offset > closed

    def window(self, k: int) -> Window:
        """Window k, whatever it holds."""
        begin = window_begin(k, self.slide) + self.offset
        return Window(begin, begin + self.range, None, (begin,), (begin + self.range,))

    def first_after(self, time: int) -> int:
        """The first window that ends after this time."""
        return last_over(time - self.offset, self.range, self.slide) + 1

    def ending(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Window]:
        k = self.first_after(after) if keys and after > keys[0][0] else self.first_after(keys[0][0]) if keys else 0
        while True:
            window = self.window(k)
            i = bisect_left(keys, window.first)
            if i == len(keys) or window.end > upto:
                return
            if keys[i] < window.last:
                yield window
                k += 1
            else:  # the windows before the next entry are empty
                k = self.first_after(keys[i][0])

    def touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Window]:
        first = self.first_after(max(t, after))
        last = min(last_begun(t - self.offset, self.slide), self.first_after(upto) - 1)
        return map(self.window, range(first, last + 1))

    def needed(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, self.window(self.first_after(closed)).first)

    def names(self, begin: int, end: int) -> bool:
        return end - begin == self.range and (begin - self.offset) % self.slide == 0


class RangesShape(Shape):
    """For each time with events, those from `begin` to `end` after it, both included."""

    def __init__(self, spec: Ranges) -> None:
        if spec.begin is None or spec.begin > 0 or spec.end < 0:
            raise InputError(
                "--window range: in a stream the frame has a begin and holds its own row: such as range -1h 0"
            )
        self.begin, self.end = spec.begin, spec.end

    def is_open(self, t: int, closed: int) -> bool:
        return t + self.end + 1 > closed

    def window(self, t: int) -> Window:
        """The frame of time t."""
        begin, end = t + self.begin, t + self.end + 1
        return Window(begin, end, t, (begin,), (end,))

    def ending(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Window]:
        i = bisect_left(keys, (after - self.end,))
        while i < len(keys) and keys[i][0] + self.end < upto:
            yield self.window(keys[i][0])
            i = bisect_left(keys, (keys[i][0] + 1,), i)

    def touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Window]:
        return self.ending(keys, 0, max(after, t), min(upto, t - self.begin + self.end + 1))

    def needed(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, (closed - self.end + self.begin,))


class SessionShape(Shape):
    """Runs of events, each less than a gap after the one before."""

    revisable = False

    def __init__(self, spec: Session) -> None:
        self.gap = spec.gap + spec.touching

    def is_open(self, t: int, closed: int) -> bool:
        return t + self.gap > closed

    def runs(self, keys: Sequence[Key]) -> Iterator[tuple[int, int]]:
        """The places in `keys` where each run begins, and where the next one does."""
        begin = 0
        for i in range(1, len(keys) + 1):
            if i == len(keys) or keys[i][0] - keys[i - 1][0] >= self.gap:
                yield begin, i
                begin = i

    def ending(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Window]:
        for begin, until in self.runs(keys):
            end = keys[until - 1][0] + self.gap
            if after < end <= upto:
                yield Window(keys[begin][0], end, None, keys[begin], keys[until - 1])

    def needed(self, keys: Sequence[Key], closed: int) -> int:
        return next((begin for begin, until in self.runs(keys) if keys[until - 1][0] + self.gap > closed), len(keys))


class CountedShape(Shape):
    """At every so many events, in the order of time and arrival, the newest n."""

    singly = True
    revisable = False

    def __init__(self, n: int, every: int) -> None:
        self.n, self.every = n, every

    def is_open(self, t: int, closed: int) -> bool:
        return t >= closed

    def ending(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Window]:
        passed = bisect_left(keys, (after,))
        for i in range(passed + -(number + passed + 1) % self.every, len(keys), self.every):
            if keys[i][0] >= upto:
                return
            first = keys[max(0, i + 1 - self.n)]
            yield Window(first[0], keys[i][0] + 1, number + i + 1, first, keys[i])

    def needed(self, keys: Sequence[Key], closed: int) -> int:
        return max(0, bisect_left(keys, (closed,)) + 1 - self.n)


def shape_of(spec: WindowSpec) -> Shape:
    """The windows of a definition.  Raises InputError for those that no stream can finish."""
    match spec:
        case Sliding():
            return SlidingShape(spec)
        case Session():
            return SessionShape(spec)
        case Ranges():
            return RangesShape(spec)
        case Counted(n, every, by_arrival):
            if by_arrival:
                raise InputError("--window count: by arrival: a stream takes events in the order of time")
            return CountedShape(n, every)
        case Rows(begin, end):
            if begin is None or begin > 0 or end != 0:
                raise InputError("--window rows: in a stream the frame has a begin, and ends at 0: such as rows -5 0")
            return CountedShape(1 - begin, 1)


def window_in(text: str, unit: Unit) -> WindowSpec:
    """The window that a text names, its spans in this unit.  Raises InputError.

    >>> window_in("sliding 1h every 10m", "s"), window_in("tumbling 60", "plain")
    (Sliding(range=3600, slide=600, offset=0), Sliding(range=60, slide=60, offset=0))
    """
    if unit == "plain":
        return parse_window(text, None)
    match parse_window(text, "us"):
        case Sliding(length, slide, offset):
            return Sliding(*(in_unit(ticks, unit, text) for ticks in (length, slide, offset)))
        case Session(gap, touching):
            return Session(in_unit(gap, unit, text), touching)
        case Ranges(begin, end):
            return Ranges(None if begin is None else in_unit(begin, unit, text), in_unit(end, unit, text))
        case Counted() | Rows() as counted:
            return counted


def span_in(text: str, unit: Unit, what: str) -> int:
    """A span of time in this unit.  Raises InputError that says what it is for.

    >>> span_in("90m", "s", "--watermark"), span_in("7", "plain", "--watermark")
    (5400, 7)
    """
    return span(text, None, what) if unit == "plain" else in_unit(span(text, "us", what), unit, f"{what} {text}")


def in_unit(microseconds: int, unit: Unit, text: str) -> int:
    """A span in this unit.  Raises InputError where that is no integer."""
    if microseconds % MICROSECONDS[unit]:
        raise InputError(f"{text}: no whole number of {unit}, which times are counted in")
    return microseconds // MICROSECONDS[unit]
