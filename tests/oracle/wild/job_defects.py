"""Defects of streaming jobs, which are known by their results: each maps a table of events to a table of results, for
`swagproof audit`.

All run over the same events, which were not made for any of them: three keys, pauses, ties, times below zero, and late
events.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from defect import Defect, define_defects

Row = dict[str, Any]
Windows = dict[tuple[str, int, int], int]
"""The sum of each window, by key, start and end."""


class Event(NamedTuple):
    """An event, and the watermark at its arrival: the latest earlier time, less the delay."""

    seq: int
    key: str
    time: int
    value: int
    watermark: int


DELAY: Final = 8


def make_events(seed: int = 1, n: int = 400) -> list[Event]:
    """Return events in the order of arrival."""
    draw = Random(seed)
    now, latest = -150, -(10**6)
    events: list[Event] = []
    for seq in range(n):
        now += draw.choice((0, 0, 1, 1, 1, 2, 5)) if draw.random() < 0.97 else 23
        time = now - (draw.randint(1, 40) if draw.random() < 0.15 else 0)
        events.append(Event(seq, draw.choice("aabc"), time, draw.randint(1, 99), latest - DELAY))
        latest = max(latest, time)
    return events


class Job(Defect):
    """A job, and what it was to compute: as the options of `swagproof audit` say it."""

    window: ClassVar[str]
    late: ClassVar[dict[str, str]] = {"late": "drop", "watermark": str(DELAY)}

    def results(self, events: list[Event]) -> list[Row]:
        """Return the table of results."""
        return [
            {"key": key, "window_start": start, "window_end": end, "result": total}
            for key, start, end, total in self.sums(events)
        ]

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        """Yield the key, start, end and sum of each window."""
        windows = self.windows(events)
        return [(*window, windows[window]) for window in windows]

    def windows(self, events: list[Event]) -> Windows:
        """Return the sum of each window, if no window has two results."""
        raise NotImplementedError


class _Fixed(Job):
    """Windows of a `size`, one each `slide`: an event is counted in those that are not over when it comes."""

    size, slide = 10, 10
    window = "tumbling 10"

    def windows(self, events: list[Event]) -> Windows:
        totals: Windows = defaultdict(int)
        for event in events:
            for start in self.starts(event.time):
                if self.takes(event, start):
                    totals[event.key, start, start + self.size] += event.value
        return totals

    def starts(self, time: int) -> Iterator[int]:
        """Yield the starts of an event's windows."""
        yield from range(time - time % self.slide, time - self.size, -self.slide)

    def takes(self, event: Event, start: int) -> bool:
        """Return whether a window takes an event that belongs to it."""
        return event.watermark < start + self.size


class _Sessions(Job):
    """Sessions of events less than `gap` apart; an event is late a gap after its time, and a session over."""

    gap = 6
    window = "session 6"

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        for key in sorted({event.key for event in events}):
            for run in self.runs(event for event in events if event.key == key):
                yield key, run[0].time, run[-1].time + self.gap, sum(event.value for event in run)

    def runs(self, events: Iterable[Event]) -> Iterator[list[Event]]:
        """Yield the events of each session, in order, given all events in the order of arrival."""
        live: list[list[Event]] = []
        for event in events:
            yield from (run for run in live if run[-1].time + self.gap <= event.watermark)
            live = [run for run in live if run[-1].time + self.gap > event.watermark]
            if event.watermark < event.time + self.gap:
                apart = [
                    run for run in live if self.parts(event.time - run[-1].time) or self.parts(run[0].time - event.time)
                ]
                merged = [event, *(one for run in live if run not in apart for one in run)]
                live = [*apart, sorted(merged, key=lambda event: event.time)]
        yield from live

    def parts(self, apart: int) -> bool:
        """Return whether events at this distance belong to two sessions."""
        return apart >= self.gap


define_defects(globals(), _Sessions, """
TouchingSessionsMerged (hazelcast/hazelcast-jet/pull/1152): Two sessions are merged if one ends exactly when the other
  begins.
    parts: >= -> >
""")  # fmt: skip
define_defects(globals(), _Fixed, """
RemainderBelowZero (apache/flink/pull/18982): The start of a window is computed by a remainder that has the sign of the
  time: an event at a negative time is put into the next window.
    starts: range(time - time % self.slide, time - self.size, -self.slide)
        -> [(int((time + self.size) / self.size) - 1) * self.size]
""")  # fmt: skip


class LateJoinsTheNextSession(_Sessions):
    """Late events are not dropped, but counted in the next session of their key."""

    thread = "hazelcast/hazelcast-jet/issues/747"

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        found = [*super().sums(events)]
        for event in events if self.wrong else ():
            if event.watermark >= event.time + self.gap:
                later = [at for at, (key, start, _, _) in enumerate(found) if key == event.key and start > event.time]
                if later:
                    key, start, end, total = found[later[0]]
                    found[later[0]] = key, start, end, total + event.value
        return found


class _Overlapping(_Fixed):
    """Windows of which each overlaps a little with the next."""

    window, size, slice = "sliding 12 every 10", 12, 2


define_defects(globals(), _Overlapping, r"""
CleanedSliceTakesNoMore (apache/flink/pull/15495): Windows share slices, and a slice is removed when its own time is
  over: late events for it are dropped, although later windows that contain it are still open.
    takes: start + self.size -> event.time - event.time % self.slice + self.slice
FanOutRepeats (apache/beam/issues/20528): Partial results of a fan-out are assigned to windows again: each is counted
  once for every window that contains it.
    starts: yield from range(time - time % self.slide, time - self.size, -self.slide)
        -> found = range(time - time % self.slide, time - self.size, -self.slide)\n    yield from [*found] * len(found)
""")  # fmt: skip


class SessionsMergedOverKeys(_Sessions):
    """The sessions of one grouping are merged again by the next, across all keys."""

    thread = "apache/beam/issues/20438"

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        if not self.wrong:
            yield from super().sums(events)
            return
        for run in self.runs(events):
            for key in sorted({event.key for event in run}):
                total = sum(event.value for event in run if event.key == key)
                yield key, run[0].time, run[-1].time + self.gap, total


class BatchBeginsASession(_Sessions):
    """The state of a session is lost at the end of a batch: each batch begins a new session."""

    thread = "laminardb/laminardb/pull/79"
    batch = 16

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        step = self.batch if self.wrong else len(events)
        for at in range(0, len(events), step):
            yield from super().sums(events[at : at + step])


class OneWindowTooMany(_Overlapping):
    """The distance from the previous window's end is used instead of the distance to the next window's start: an event
    just before a window is put into it.
    """

    thread = "bytewax/bytewax/issues/485"

    def starts(self, time: int) -> Iterator[int]:
        yield from super().starts(time)
        following = time - time % self.slide + self.slide
        if self.wrong and following - time <= self.size - self.slide:
            yield following


class LateOpensAWindow(_Fixed):
    """A very late event finds no window and opens a new one, which writes another result."""

    thread = "quixio/quix-streams/pull/728"

    def sums(self, events: list[Event]) -> Iterable[tuple[str, int, int, int]]:
        yield from super().sums(events)
        for event in events if self.wrong else ():
            for start in self.starts(event.time):
                if not self.takes(event, start):
                    yield event.key, start, start + self.size, event.value


class UpperEndNotRefreshed(_Fixed):
    """The changes of a write are recorded as a range for each chunk, and the end of the range is not refreshed: the
    last time of each chunk is missing from its bucket.
    """

    thread = "timescale/timescaledb/issues/10296"
    chunk = 40

    def takes(self, event: Event, start: int) -> bool:
        return super().takes(event, start) and (not self.wrong or event.time not in self.ends)

    def windows(self, events: list[Event]) -> Windows:
        chunks: dict[int, int] = {}
        for event in events:
            at = event.time // self.chunk
            chunks[at] = max(event.time, chunks.get(at, event.time))
        self.ends = frozenset(chunks.values())
        return super().windows(events)


class BackfillNeverSeen(_Fixed):
    """A bucket is materialised once; events that arrive after its refresh period are never added."""

    thread = "timescale/timescaledb/issues/2285"
    late: ClassVar[dict[str, str]] = {"late": "update", "watermark": str(DELAY)}
    lag = 10

    def takes(self, event: Event, start: int) -> bool:
        return not self.wrong or event.watermark < start + self.size + self.lag


class CumulatesOverKeys(Job):
    """A cumulative sum is not restarted for each key: it runs over the whole result."""

    thread = "metabase/metabase/pull/41340"
    window = "rows unbounded 0"
    late: ClassVar[dict[str, str]] = {}

    def results(self, events: list[Event]) -> list[Row]:
        found: list[Row] = []
        total = 0
        last = ""
        for event in sorted(events, key=lambda event: (event.key, event.time, event.seq)):
            total = event.value + (total if event.key == last or self.wrong else 0)
            last = event.key
            found.append({"key": event.key, "time": event.time, "seq": event.seq, "result": total})
        return found
