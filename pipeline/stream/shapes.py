"""The windows of one key over the entries that a stream keeps: their ends, and their first and last entries.

`swagproof.models.windows.kinds` defines the windows, and `swagproof.models.windows.lateness` when an event is late;
here both are found without scanning all events.  A key's events are in entries, ordered by (time, arrival).  If the
operation commutes, an entry is a slice: its time is the slice's begin, and its arrival 0.  Every window is the product
of a range of entries, so only the keys of its first and last entry are kept.

A result is due when the watermark has reached the window's end; for touching sessions, when it has passed the end, as
an event at the end would belong to them.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import slack
from swagproof.oracle.trace import InputError
from swagproof.reference.slicing.pairs import pair_edge

Key: TypeAlias = tuple[int, ...]
"""(time, arrival) of an entry; (time,) sorts just before all entries of that time."""

ALWAYS: Final = 2**63
"""A time after all others."""


class Stretch(NamedTuple):
    """A window with events, and the range of its entries."""

    begin: int
    end: int
    first: Key
    last: Key
    """The keys of the first and the last entry, inclusive."""


class Shape(ABC):
    """A kind of windows.  `keys` are the keys of the kept entries, ascending."""

    revisable: bool = True
    """True if a late event does not change other windows, so that results can be updated."""

    @abstractmethod
    def slice_of(self, t: int) -> int:
        """Return the time of the slice of an event at time t, if the operation commutes."""

    @abstractmethod
    def find_due(self, keys: Sequence[Key], after: int, upto: int) -> Iterator[Stretch]:
        """Yield the windows with events that are due after one watermark, up to another, in the order of ends."""

    @abstractmethod
    def find_touched(self, t: int, after: int, upto: int) -> Iterator[Stretch]:
        """Yield the due windows that hold time t, if windows are revisable."""

    @abstractmethod
    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        """Return how many of the first `keys` are in no window that is due after `closed`."""

    @abstractmethod
    def has_window(self, begin: int, end: int) -> bool:
        """Return whether [begin, end) is one of these windows, with or without events."""


class FixedShape(Shape):
    """Tumbling, sliding, daily and monthly windows, in slices as in `swagproof.reference.slicing.pairs`.

    Internally each is a half-open window in units; its displayed bounds may differ, because other ends belong to it, or
    because it is counted in days.
    """

    def __init__(self, spec: Sliding | Calendar) -> None:
        self.spec = spec
        self.units = spec.half_open if isinstance(spec, Sliding) else spec.in_units
        self.shift = 0 if isinstance(spec, Sliding) else slack(spec)
        """The offset of a day from its midnight, if the midnight before belongs to it rather than its own."""

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
        """Return the window before a unit, with or without events."""
        first, stop = self.start(end - self.units.range), self.start(end)
        if isinstance(self.spec, Sliding):
            begin = first - self.spec.reach(0)[0]
            return Stretch(begin, begin + self.spec.range, (first,), (stop,))
        return Stretch(first - self.shift, stop - self.shift, (first,), (stop,))

    def find_due(self, keys: Sequence[Key], after: int, upto: int) -> Iterator[Stretch]:
        end = self.units.first_end(self.number(max(after, keys[0][0]))) if keys else 0
        while keys and (window := self.window(end)).last[0] <= upto:
            i = bisect_left(keys, window.first)
            if i == len(keys):
                return
            if keys[i] < window.last:
                yield window
                end += self.units.slide
            else:  # the windows before the next entry are empty
                end = self.units.first_end(self.number(keys[i][0]))

    def find_touched(self, t: int, after: int, upto: int) -> Iterator[Stretch]:
        first, last = self.units.first_end(self.number(max(t, after))), self.units.last_end(self.number(t))
        ended = map(self.window, range(first, last + 1, self.units.slide))
        return (window for window in ended if window.last[0] <= upto)

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return bisect_left(keys, self.window(self.units.first_end(self.number(closed))).first)

    def has_window(self, begin: int, end: int) -> bool:
        return self.spec.has(begin, end)


class SessionShape(Shape):
    """Sessions."""

    revisable = False

    def __init__(self, spec: Session) -> None:
        self.spec = spec
        self.slack = slack(spec)

    def slice_of(self, t: int) -> int:
        return t

    def sessions(self, keys: Sequence[Key]) -> Iterator[tuple[int, Stretch]]:
        """Yield all sessions, each with the position in `keys` where it begins."""
        for i, stop in self.spec.runs([key[0] for key in keys]):
            yield i, Stretch(keys[i][0], keys[stop - 1][0] + self.spec.gap, keys[i], keys[stop - 1])

    def find_due(self, keys: Sequence[Key], after: int, upto: int) -> Iterator[Stretch]:
        return (session for _, session in self.sessions(keys) if after < session.end + self.slack <= upto)

    def find_touched(self, t: int, after: int, upto: int) -> Iterator[Stretch]:
        return iter(())

    def count_released(self, keys: Sequence[Key], closed: int) -> int:
        return next((i for i, session in self.sessions(keys) if session.end + self.slack > closed), len(keys))

    def has_window(self, begin: int, end: int) -> bool:
        return begin < end


def shape_of(spec: WindowSpec) -> Shape:
    """Return the shape of a window definition.  Raises InputError for windows that streams do not support."""
    if isinstance(spec, Session):
        return SessionShape(spec)
    if not isinstance(spec, Sliding | Calendar):
        raise InputError(
            "--window: streams have tumbling, sliding and session windows; frames and counts are for audit"
        )
    if not spec.leading:
        raise InputError("--window: streams do not support windows from first: leave it out")
    return FixedShape(spec)
