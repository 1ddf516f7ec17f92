"""The windows of one key, out of the entries that a stream keeps: which end at a watermark, and from where to where.

The windows are those of `swagproof.models.windows.kinds`, and when an event is late is said in
`swagproof.models.windows.lateness`; here both are found without looking at all events anew.  A key's events lie in
entries, ordered by (time, arrival).  Where the operation commutes and the window is cut by time alone, an entry is a
slice: its time is the slice's begin, and its arrival 0.  Every window is then the product of the entries from one key
to another: what is kept of it is the two keys.

A result is due when the watermark has reached the window's end; that of touching sessions when it is past it, as an
event of that very time would belong to them.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import slack
from swagproof.oracle.trace import InputError
from swagproof.reference.slicing.pairs import pair_edge

Key: TypeAlias = tuple[int, ...]
"""(time, arrival) of an entry; (time,) stands just before all entries of that time."""

ALWAYS: Final = 2**63
"""After all times."""


class Stretch(NamedTuple):
    """A window with events, by the entries that it holds."""

    begin: int
    end: int
    at: int | None
    """As in `swagproof.models.windows.kinds.Extent`."""
    first: Key
    last: Key
    """From which entry to which; both are in it."""


class Shape(ABC):
    """A kind of windows.  `keys` are those of the entries kept, ascending; `number` counts those before them."""

    singly: bool = False
    """True if events have to be kept singly even if the operation commutes."""
    revisable: bool = True
    """True if a late event leaves the other windows what they are, so that results can be updated."""
    named: bool = True
    """True if begin and end name a window."""

    def slice_of(self, t: int) -> int:
        """The time of the slice that an event of time t belongs to, where the operation commutes."""
        return t

    @abstractmethod
    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        """The windows with events that are due after one watermark, and at another or before; in the order of ends."""

    def find_touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Stretch]:
        """Those of them that hold time t."""
        return (window for window in self.find_due(keys, 0, after, upto) if window.begin <= t < window.end)

    @abstractmethod
    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        """Return how many of the first `keys` no window holds that is due after `closed`."""

    def has_window(self, begin: int, end: int) -> bool:
        """Return whether [begin, end) is one of these windows, of whatever events."""
        return begin < end


class SlidingShape(Shape):
    """Tumbling and sliding windows, in slices as in `swagproof.reference.slicing.pairs`."""

    def __init__(self, spec: Sliding) -> None:
        self.spec = spec

    def slice_of(self, t: int) -> int:
        offset = self.spec.offset
        return pair_edge(t - offset, self.spec.range, self.spec.slide) + offset

    def window(self, end: int) -> Stretch:
        """The window that ends there, whatever it holds."""
        begin = end - self.spec.range
        return Stretch(begin, end, None, (begin,), (end,))

    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        end = self.spec.first_end(max(after, keys[0][0])) if keys else ALWAYS
        while end <= upto:
            window = self.window(end)
            i = bisect_left(keys, window.first)
            if i == len(keys):
                return
            if keys[i] < window.last:
                yield window
                end += self.spec.slide
            else:  # the windows before the next entry are empty
                end = self.spec.first_end(keys[i][0])

    def find_touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Stretch]:
        first, last = self.spec.first_end(max(t, after)), min(self.spec.last_end(t), upto)
        return map(self.window, range(first, last + 1, self.spec.slide))

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, self.window(self.spec.first_end(closed)).first)

    def has_window(self, begin: int, end: int) -> bool:
        return self.spec.has(begin, end)


class NamedShape(Shape):
    """Tumbling and sliding windows whose names are not where they begin and end: other ends belong to them, or they are
    counted in days or months.  Each is a half-open window in units; a unit begins at a time.
    """

    def __init__(self, spec: Sliding | Calendar) -> None:
        self.spec = spec
        self.units = spec.half_open if isinstance(spec, Sliding) else spec.in_units
        self.shift = 0 if isinstance(spec, Sliding) else slack(spec)
        """The offset of a day from its midnight, where the midnight before belongs to it, and not its own."""

    def start(self, unit: int) -> int:
        """Return the time at which a unit begins."""
        return unit if isinstance(self.spec, Sliding) else self.spec.start(unit) + self.shift

    def number(self, t: int) -> int:
        """Return the number of the unit that a time belongs to."""
        return t if isinstance(self.spec, Sliding) else self.spec.number(t)

    def slice_of(self, t: int) -> int:
        offset = self.units.offset
        return self.start(pair_edge(self.number(t) - offset, self.units.range, self.units.slide) + offset)

    def window(self, end: int) -> Stretch:
        """The window before a unit, whatever it holds."""
        first, stop = self.start(end - self.units.range), self.start(end)
        if isinstance(self.spec, Sliding):
            begin = first - self.spec.reach(0)[0]
            return Stretch(begin, begin + self.spec.range, None, (first,), (stop,))
        return Stretch(first - self.shift, stop - self.shift, None, (first,), (stop,))

    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        if not keys:
            return
        end = self.units.first_end(self.number(max(after, keys[0][0])))
        while (window := self.window(end)).last[0] <= upto:
            i = bisect_left(keys, window.first)
            if i == len(keys):
                return
            if keys[i] < window.last:
                yield window
                end += self.units.slide
            else:
                end = self.units.first_end(self.number(keys[i][0]))

    def find_touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Stretch]:
        first, last = self.units.first_end(self.number(max(t, after))), self.units.last_end(self.number(t))
        ended = map(self.window, range(first, last + 1, self.units.slide))
        return (window for window in ended if window.last[0] <= upto)

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, self.window(self.units.first_end(self.number(closed))).first)

    def has_window(self, begin: int, end: int) -> bool:
        return self.spec.has(begin, end)


class RangeShape(Shape):
    """The frame of a range of each time with events."""

    named = False

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end

    def window(self, t: int) -> Stretch:
        """The frame of time t."""
        start, end = t + self.start, t + self.end + 1
        return Stretch(start, end, t, (start,), (end,))

    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        i = bisect_left(keys, (after - self.end,))
        while i < len(keys) and keys[i][0] + self.end < upto:
            yield self.window(keys[i][0])
            i = bisect_left(keys, (keys[i][0] + 1,), i)

    def find_touched(self, keys: Sequence[Key], t: int, after: int, upto: int) -> Iterator[Stretch]:
        return self.find_due(keys, 0, max(after, t), min(upto, t - self.start + self.end + 1))

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, (closed - self.end + self.start,))


class SessionShape(Shape):
    """Sessions."""

    revisable = False

    def __init__(self, spec: Session) -> None:
        self.spec = spec
        self.slack = slack(spec)

    def sessions(self, keys: Sequence[Key]) -> Iterator[tuple[int, Stretch]]:
        """All of them, each with the place in `keys` where it begins."""
        for i, stop in self.spec.runs([key[0] for key in keys]):
            end = keys[stop - 1][0] + self.spec.gap
            yield i, Stretch(keys[i][0], end, None, keys[i], keys[stop - 1])

    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        return (session for _, session in self.sessions(keys) if after < session.end + self.slack <= upto)

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return next((i for i, session in self.sessions(keys) if session.end + self.slack > closed), len(keys))


class CountedShape(Shape):
    """At every so many events, in the order of time and arrival, the newest n: counts, and frames of rows."""

    singly = True
    revisable = False
    named = False

    def __init__(self, n: int, every: int) -> None:
        self.n, self.every = n, every

    def find_due(self, keys: Sequence[Key], number: int, after: int, upto: int) -> Iterator[Stretch]:
        passed = bisect_left(keys, (after,))
        for i in range(passed + -(number + passed + 1) % self.every, len(keys), self.every):
            if keys[i][0] >= upto:
                return
            first = keys[max(0, i + 1 - self.n)]
            yield Stretch(first[0], keys[i][0] + 1, number + i + 1, first, keys[i])

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return max(0, bisect_left(keys, (closed,)) + 1 - self.n)


def shape_of(spec: WindowSpec) -> Shape:
    """Return how to find the windows of a definition.  Raises InputError for those that no stream can finish."""
    match spec:
        case Sliding(closed="left", leading=True):
            return SlidingShape(spec)
        case Session():
            return SessionShape(spec)
        case Frame(full=True) | Frame(to_row=True):
            raise InputError("--window: in a stream frames hold all rows of an equal time, full or not: leave it out")
        case Frame("range", int(start), int(end)) if start <= 0 <= end:
            return RangeShape(start, end)
        case Frame("range"):
            raise InputError(
                "--window range: in a stream the frame needs a start and holds its own row: such as range -1h 0"
            )
        case Frame(_, int(start), 0) if start <= 0:
            return CountedShape(1 - start, 1)
        case Frame():
            raise InputError("--window rows: in a stream the frame needs a start, and ends at 0: such as rows -5 0")
        case Sliding(leading=True) | Calendar(leading=True):
            return NamedShape(spec)
        case Sliding() | Calendar():
            raise InputError("--window: streams do not support windows from first: leave it out")
        case Counted(n, every, by_arrival):
            if by_arrival:
                raise InputError("--window count: by arrival: a stream processes events in time order: leave it out")
            return CountedShape(n, every)
