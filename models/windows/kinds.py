"""Kinds of windows that a query names: tumbling and sliding, sessions, counts, and the frames of SQL.

`swagproof.models.windows.window` defines the contents of a window over an ordered stream, at each trigger.  A query has
events in any order and all its windows at once: `extents` returns each window with its events.  Tumbling and sliding
windows, and counts, are those of the stream of sorted events.  The oracle, the audit and the streaming job are checked
against these definitions.

Events are ordered by time, and by arrival if times are equal; a list of events is in arrival order.  Times are ints:
ticks of a clock.  Every window belongs to one key.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from swagproof.models.windows.window import Count, Event, Heartbeat, Time, Window, WindowError, contents


class Extent(NamedTuple):
    """A window and its events."""

    begin: int | None
    """The beginning of the window; None if it is unbounded."""
    end: int
    """The first time after it."""
    at: int | None
    """For a count or a frame of rows, the number of its event, from 1 on; for a frame of a range, the time of its row;
    None for other windows."""
    events: tuple[Event, ...]


def in_order(events: Iterable[Event]) -> list[Event]:
    """Sort events by time, and by arrival where times are equal."""
    return sorted(events, key=lambda event: event.time)


Ends: TypeAlias = Literal["left", "right", "both", "neither"]
"""The ends of a window that belong to it."""


@dataclass(frozen=True)
class Sliding:
    """Windows of length `range` from k slide + offset on, for all integers k; tumbling if range = slide.

    The beginning belongs to a window and the end does not, unless `closed` differs.  Times are integers, so every
    window equals a half-open one with other ends: the next time after t is t + 1.
    """

    range: int
    slide: int
    offset: int = 0
    closed: Ends = "left"
    leading: bool = True
    """True if there are windows that begin a slide or more before the first event."""

    def extents(self, events: Sequence[Event]) -> list[Extent]:
        """Return the windows with events, ordered by their ends.

        >>> stream = [Event(5, "c"), Event(1, "a"), Event(3, "b")]
        >>> [(x.begin, x.end, "".join(e.value for e in x.events)) for x in Sliding(4, 2).extents(stream)]
        [(-2, 2, 'a'), (0, 4, 'ab'), (2, 6, 'bc'), (4, 8, 'c')]
        >>> [(x.begin, x.end, "".join(e.value for e in x.events)) for x in Sliding(4, 4, 1, "both").extents(stream)]
        [(-3, 1, 'a'), (1, 5, 'abc'), (5, 9, 'c')]
        """
        first, stop = self.reach(0)
        window = Window(Time(stop - first), Time(self.slide), origin=stop + self.offset)
        until = [Heartbeat(max(event.time for event in events) + self.range + 1)] if events else []
        shown = contents(window, [*in_order(events), *until])
        least = None if self.leading or not events else self.last_begin(min(event.time for event in events))
        extents = [
            Extent(trigger.at - stop, trigger.at - stop + self.range, None, held) for trigger, held in shown if held
        ]
        return [x for x in extents if least is None or (x.begin or 0) >= least]

    def reach(self, begin: int) -> tuple[int, int]:
        """Return the first time in the window that begins at `begin`, and the first time after it."""
        first = begin + (self.closed in ("right", "neither"))
        return first, begin + self.range + (self.closed in ("right", "both"))

    @property
    def half_open(self) -> "Sliding":
        """The same windows as half-open ones, with adjusted `begin` and `end`."""
        first, stop = self.reach(self.offset)
        return Sliding(stop - first, self.slide, first)

    def has(self, begin: int | None, end: int | None) -> bool:
        """Return whether a window has this begin and this end; None stands for any.

        >>> Sliding(4, 2).has(2, 6), Sliding(4, 2).has(None, 0), Sliding(4, 2).has(2, 5), Sliding(4, 2).has(3, None)
        (True, True, False, False)
        """
        said = {last for last in (end, None if begin is None else begin + self.range) if last is not None}
        return len(said) == 1 and (said.pop() - self.range - self.offset) % self.slide == 0

    def first_end(self, time: Any) -> Any:
        """Return the first end of a half-open window after this time; accepts an array of times."""
        return ((time - self.offset - self.range) // self.slide + 1) * self.slide + self.range + self.offset

    def last_end(self, time: int) -> int:
        """Return the end of the last half-open window that has begun at this time; at most this time if it is in no
        window."""
        return (time - self.offset) // self.slide * self.slide + self.range + self.offset

    def last_begin(self, time: int) -> int:
        """Return the `begin` of the last window that has begun at this time."""
        return (time - self.reach(self.offset)[0]) // self.slide * self.slide + self.offset


CalendarUnit: TypeAlias = Literal["day", "month"]

EPOCH: Final = date(1970, 1, 1)
CYCLE: Final = 146_097
"""The days of 400 years, a whole number of weeks, after which the calendar and the clock changes repeat."""
_FAR: Final = 4
"""The number of cycles before and after the epoch whose years Python supports."""
MONDAY: Final = 4
"""The first Monday, in days since the epoch."""


@dataclass(frozen=True)
class Calendar:
    """Days or months of a time zone: `range` of them, from each `slide`-th on.

    A unit lasts from its first midnight to the next unit's, so a day with a clock change has 23 or 25 hours.  If clocks
    go from midnight straight to one o'clock, the day begins at one.  Units are counted from 1970-01-01; a week is seven
    days from a Monday on, a year twelve months.
    """

    unit: CalendarUnit
    range: int
    slide: int
    offset: int
    zone: str
    second: int = 1_000_000
    """The ticks of a second; times are ticks since the epoch."""
    closed: Ends = "left"
    leading: bool = True
    """True if there are windows that begin a slide or more before the first event."""

    def __post_init__(self) -> None:
        if self.closed not in ("left", "right"):
            raise WindowError(f'closed: {self.closed!r}; a window of a calendar is closed "left" or "right"')
        find_zone(self.zone)

    def start(self, number: int) -> int:
        """Return the time at which a unit begins.

        >>> days = Calendar("day", 1, 1, 0, "Europe/Berlin", second=1)
        >>> spring = (date(2024, 3, 31) - EPOCH).days
        >>> [(days.start(day + 1) - days.start(day)) // 3600 for day in (spring - 1, spring, spring + 210)]
        [24, 23, 25]
        """
        units = CYCLE if self.unit == "day" else 400 * 12
        cycles = number // units
        cycles -= min(max(cycles, -_FAR), _FAR)  # to a year that Python supports, on the same side of all clock changes
        number -= cycles * units
        if self.unit == "day":
            day = EPOCH + timedelta(number)
        else:
            day = date(1970 + number // 12, number % 12 + 1, 1)
        midnight = datetime(day.year, day.month, day.day, tzinfo=find_zone(self.zone))
        return (int(midnight.timestamp()) + cycles * CYCLE * 86_400) * self.second

    def number(self, time: int) -> int:
        """Return the number of the unit that a time belongs to."""
        time -= self.closed == "right"
        number = time // (86_400 * self.second)
        if self.unit == "month":
            cycles, days = divmod(number, CYCLE)
            day = EPOCH + timedelta(days)
            number = (cycles * 400 + day.year - 1970) * 12 + day.month - 1
        number -= 2
        while self.start(number + 1) <= time:
            number += 1
        return number

    @property
    def in_units(self) -> Sliding:
        """The same windows over the numbers of units."""
        return Sliding(self.range, self.slide, self.offset)

    def extents(self, events: Sequence[Event]) -> list[Extent]:
        """Return the windows with events, ordered by their ends.

        >>> days = Calendar("day", 1, 1, 0, "Europe/Berlin", second=1)
        >>> [(x.end - x.begin) // 3600 for x in days.extents([Event(1711886400, "a"), Event(1711893600, "b")])]
        [23]
        """
        found: list[Extent] = []
        numbers = [self.number(event.time) for event in events]
        least = min(numbers) - (self.range if self.leading else self.slide) + 1 if events else 0
        for begin in range(least, max(numbers) + 1) if events else ():
            if (begin - self.offset) % self.slide == 0:
                held = [e for e, n in zip(events, numbers, strict=True) if begin <= n < begin + self.range]
                if held:
                    ends = self.start(begin), self.start(begin + self.range)
                    found.append(Extent(*ends, None, tuple(in_order(held))))
        return found

    def has(self, begin: int | None, end: int | None) -> bool:
        """Return whether a window has this begin and this end; None stands for any."""
        shift = self.closed == "right"
        first = None if begin is None else self.number(begin + shift)
        stop = None if end is None else self.number(end + shift)
        if (begin is not None and self.start(first or 0) != begin) or (
            end is not None and self.start(stop or 0) != end
        ):
            return False
        return self.in_units.has(first, stop)


@cache
def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of this name.  Raises WindowError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise WindowError(f"zone: {name!r} is not a time zone; give for example Europe/Berlin or UTC") from None


@dataclass(frozen=True)
class Session:
    """Runs of events, each less than `gap` after the previous one, or at most `gap` if `touching`.

    A session ends a gap after its last event.
    """

    gap: Any
    touching: bool = False

    def __post_init__(self) -> None:
        if not self.gap > 0 * self.gap:
            raise WindowError(f"gap: {self.gap!r}; give a positive span of time")

    def parts(self, before: Any, time: Any) -> bool:
        """Return whether an event at `time` begins a new session after one at `before`."""
        return bool(time - before > self.gap if self.touching else time - before >= self.gap)

    def runs(self, times: Sequence[Any]) -> Iterator[tuple[int, int]]:
        """Yield the indices at which each session begins and at which the next one begins.

        >>> list(Session(3).runs([1, 3, 6])), list(Session(3, touching=True).runs([1, 3, 6]))
        ([(0, 2), (2, 3)], [(0, 3)])
        """
        begins = [i for i in range(1, len(times)) if self.parts(times[i - 1], times[i])]
        return pairwise([0, *begins, len(times)] if times else [])

    def extents(self, events: Sequence[Event]) -> list[Extent]:
        """Return the sessions, in order."""
        ordered = in_order(events)
        return [
            Extent(ordered[first].time, ordered[stop - 1].time + self.gap, None, tuple(ordered[first:stop]))
            for first, stop in self.runs([event.time for event in ordered])
        ]


@dataclass(frozen=True)
class Counted:
    """The newest `n` events at each event whose number, counted from 1, is a multiple of `every`."""

    n: int
    every: int
    by_arrival: bool = False
    """True if events are ordered by arrival instead of time."""

    def has(self, first: int | None, last: int | None) -> bool:
        """Return whether a window begins and ends with the events of these numbers; None stands for any.

        >>> Counted(3, 2).has(1, 2), Counted(3, 2).has(None, 4), Counted(3, 2).has(1, 4), Counted(3, 2).has(7, None)
        (True, True, False, True)
        """
        return last is None or (last % self.every == 0 and first in (None, max(1, last - self.n + 1)))

    def extents(self, events: Sequence[Event]) -> list[Extent]:
        """Return the windows, in order."""
        shown = contents(Window(Count(self.n), Count(self.every)), events if self.by_arrival else in_order(events))
        return [Extent(held[0].time, held[-1].time + 1, trigger.at, held) for trigger, held in shown]


End: TypeAlias = int | float | None
"""The start or end of a frame, relative to its row; None if unbounded."""


@dataclass(frozen=True)
class Frame:
    """A frame around each row: the rows from `start` to `end` places away, or the `range` of times from `start` to
    `end` away, with all rows of an equal time.  Negative is before; both ends belong to the frame.

    A frame that ends before it starts is empty.
    """

    unit: str
    start: End
    end: End
    full: bool = False
    """True if the answer is null when the frame has fewer rows than places."""
    to_row: bool = False
    """True if a range that ends at its row's time excludes later rows of that time."""

    def __post_init__(self) -> None:
        if self.to_row and (self.unit != "range" or self.end != 0):
            raise WindowError("a frame to its row is a range that ends at 0")

    def bounds(self, times: Sequence[Any]) -> Iterator[tuple[int, int]]:
        """Yield the frame of each row, as a half-open run of rows (first, end); times must be in order.

        >>> list(Frame("rows", -1, 0).bounds([5, 6, 8])), list(Frame("range", -2, -1).bounds([5, 6, 8]))
        ([(0, 1), (0, 2), (1, 3)], [(0, 0), (0, 1), (1, 2)])
        """
        n, start, end = len(times), self.start, self.end
        for at, time in enumerate(times):
            if self.unit == "rows":
                first = 0 if start is None else min(n, max(0, at + math.ceil(start)))
                stop = n if end is None else min(n, max(0, at + math.floor(end) + 1))
            else:
                first = 0 if start is None else bisect_left(times, time + start)
                stop = n if end is None else at + 1 if self.to_row else bisect_right(times, time + end)
            yield first, max(first, stop)

    def extents(self, events: Sequence[Event]) -> list[Extent]:
        """Return the frame of each row, in the order of rows.  The bounds must be integers, and the end bounded.

        In time, a frame of rows goes from its first row to its own row, where its result is expected.
        """
        ordered = in_order(events)
        found: list[Extent] = []
        for at, (first, stop) in enumerate(self.bounds([event.time for event in ordered])):
            time, held = ordered[at].time, tuple(ordered[first:stop])
            if self.unit == "rows":
                found.append(Extent(held[0].time if held else time, time + 1, at + 1, held))
            else:
                begin = None if self.start is None else time + self.start
                found.append(Extent(begin, time + self.end + 1, time, held))
        return found

    @property
    def backwards(self) -> bool:
        """Return whether the frame ends before it starts, and so is always empty."""
        return self.start is not None and self.end is not None and self.start > self.end

    @property
    def may_be_empty(self) -> bool:
        """Return whether the frame excludes its own row.

        >>> Frame("rows", -5, -1).may_be_empty, Frame("rows", -5, 0).may_be_empty
        (True, False)
        """
        return not ((self.start is None or self.start <= 0) and (self.end is None or self.end >= 0))

    def with_end(self, name: str, end: End) -> "Frame":
        """Return the same frame with another `start` or `end`."""
        return replace(self, start=end) if name == "start" else replace(self, end=end)

    def __str__(self) -> str:
        """Return text such as `rows from 1 before to 2 after`."""
        if self.start is None and self.end is None:
            return f"{self.unit} without bounds"
        return f"{self.unit} from {_place(self.start, 'the first')} to {_place(self.end, 'the last')}"


def _place(offset: End, unbounded: str) -> str:
    if offset is None:
        return unbounded
    return "its own" if offset == 0 else f"{abs(offset):,} {'before' if offset < 0 else 'after'}"


WindowSpec: TypeAlias = Sliding | Calendar | Session | Counted | Frame
"""The windows of a query, of any kind."""


def goes_by_number(window: WindowSpec) -> bool:
    """Return whether the window's events depend on their numbers, so that events of equal time need an order."""
    return isinstance(window, Counted) or (isinstance(window, Frame) and (window.unit == "rows" or window.to_row))
