"""The data for hypotheses: whole keys, with their events, the job's results and the audit's findings.

A hypothesis is another definition that the job may have followed.  Comparing it with all results of a key takes all
events of the key, and right results as well as findings.  A sample is plain data, so that audits and tests build it in
the same form.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, SessionRule, grace, sessions_in_time, slack
from swagproof.oracle.trace import decode
from swagproof.pipeline.audit.judging import says_no_value
from swagproof.pipeline.audit.options import Empty
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind
from swagproof.pipeline.audit.tables import Tick


class Event(NamedTuple):
    """An event; `lifted` is its lifted value."""

    time: int
    arrival: int
    value: Any
    watermark: int = NEVER
    lifted: Any = None
    cleaned: int | None = None
    """The watermark up to which sessions were complete at its arrival; None: `watermark`."""
    others: tuple[Any, ...] = ()
    """The cells of the columns that no option names: numbers, text or None."""
    parts: tuple[Any, ...] | None = None
    """The cells of the value columns, if there are several and one is null."""


class Got(NamedTuple):
    """A result of the job."""

    text: str | None
    number: float | None


Events: TypeAlias = dict[str, list[Event]]
"""The events of each key, in the order of time and arrival."""

Name: TypeAlias = tuple[str, int | None, int | None]
"""A window's name in the results: key, begin and end, each bound None if no column has it; or key, time and arrival."""


class Window(NamedTuple):
    """A window of a key, and the events in it."""

    a: int
    b: int
    events: Sequence[Event]


class Part(NamedTuple):
    """A predicted result: the answer for these events, or a given answer."""

    events: Sequence[Event]
    answer: Answer | None = None


NULL: Final = Answer(None, None, None)
"""The null answer."""

Predicted: TypeAlias = dict[Name, list[Part]]
EditEvents: TypeAlias = Callable[[Events], Events]
Cut: TypeAlias = Callable[[list[Event]], Iterable[Window]]
"""The windows of a key's events."""
Takes: TypeAlias = Callable[[Event, int], bool]
"""A function that returns whether the window with that end takes an event."""

_WINDOW: Final = 5
"""The cost of a window, where an addition of integers costs 1."""
_RULES: Final = 4
"""The number of rules whose windows are cached."""


@dataclass(frozen=True)
class Sample:
    """Keys with all their events and results.  `findings` are the windows that the audit found to be wrong."""

    window: WindowSpec
    aggregation: Aggregation
    kind: Kind
    """The kind of the results."""
    kinds: tuple[Kind, ...]
    """The kinds of the values."""
    on: tuple[str, ...]
    """The columns of the results that name a window: `a`, `b` or both."""
    events: Events
    results: dict[Name, list[Got]]
    findings: frozenset[Name]
    lateness: int | None = None
    """The time after a window's end for which it takes late events; None: forever, or there is no watermark."""
    margin: int = 1
    """An event is late by its own time if that is less than this ahead of the watermark."""
    by_time: bool = False
    """True if an event is late by its own time, and then for all windows."""
    delay: int | None = None
    """The delay of the watermark; None: there is no watermark."""
    late: str = "drop"
    empty: Empty = "absent"
    """The policy for late events, as in the option."""
    sessions: SessionRule = "own"
    tick: Tick = None
    by_row: bool = False
    """True if a frame's results name the arrival number of their row."""
    whole: bool = True
    """True if the sample has all keys of the events."""
    until: int | None = None
    """The sample holds all events before this time; None: all events."""
    unknown: frozenset[Name] = field(default_factory=frozenset[Name])
    """Windows that the audit does not judge."""
    open_from: int | None = None
    """Windows that end here or later may still be open; None: all windows are closed."""
    columns: tuple[str, ...] = ()
    """The names of the columns of `Event.others`."""
    skipped: Events = field(default_factory=dict[str, list[Event]])
    """Events without a value, if the audit skips these."""
    numbered: bool = True
    """True if events have arrival numbers."""
    stream: "Stream | None" = None
    """All events of all keys, for watermarks; None: those of the sample."""
    arrival_column: str = ""
    """The column of the arrival numbers."""
    grain: int = 1
    """Ticks in a millisecond, or 1."""

    @cached_property
    def came(self) -> list[Event]:
        """All events in the order of arrival, including skipped ones."""
        there = (e for of in (self.events, self.skipped) for events in of.values() for e in events)
        return sorted(there, key=lambda e: e.arrival)

    @property
    def has_nulls(self) -> bool:
        """Return whether any value is null."""
        return any(e.value is None for e in self.came)

    @property
    def numeric(self) -> bool:
        """Return whether events have one value, a number."""
        return len(self.kinds) == 1 and self.kinds[0] in ("int", "float", "decimal")

    @property
    def is_number(self) -> bool:
        """Return whether results are numbers."""
        return self.kind in ("int", "float", "decimal")

    @property
    def aggregate(self) -> str:
        """The name of the aggregation, without the prefix of SQL."""
        return self.aggregation.name.removeprefix("sql-")

    @cached_property
    def cells(self) -> list[frozenset[Any]]:
        """The distinct cells of each of the other columns."""
        return [frozenset(e.others[i] for e in self.came) for i in range(len(self.columns))]

    def is_open(self, name: Name) -> bool:
        """Return whether a window of another definition may still be open, so that it needs no result."""
        end = name[2]
        if end is None and name[1] is not None and isinstance(self.window, Sliding):
            end = name[1] + self.window.range
        return self.open_from is not None and end is not None and end >= self.open_from

    def name(self, key: str, a: int, b: int) -> Name:
        """Return the window's name in the results."""
        if isinstance(self.window, Frame) and not self.by_row:
            return key, a, None
        return key, a if "a" in self.on else None, b if "b" in self.on else None

    def takes(self, event: Event, end: int) -> bool:
        """Return whether an event is in time for a window with this end."""
        if self.by_time:
            return event.watermark < event.time + self.margin
        return self.lateness is None or event.watermark < end + self.lateness

    def lift(self, event: Event, value: Any) -> Event:
        """Return the event with another value."""
        return event._replace(value=value, lifted=self.aggregation.operation.lift(value))

    def answer(self, events: Sequence[Event]) -> Answer:
        """Return the result for some events, aggregated in this order.  Raises ValueError if there is none."""
        operation = self.aggregation.operation
        partial = reduce(operation.combine, [e.lifted for e in events]) if events else operation.identity
        try:
            return self.aggregation.answer(partial, as_text=self.kind == "text")
        except Exception as error:
            if events:
                raise
            raise ValueError(f"{self.aggregation.name} of no events: {error}") from error  # a custom monoid

    def agrees(self, expected: Answer, got: Got) -> bool:
        """Return whether a result agrees with this answer."""
        expected = expected if self.aggregation.rounding is None else self.aggregation.finish(expected)
        return self.aggregation.agrees(expected, got.text, got.number, self.kind)

    def fits(self, expected: Sequence[Answer], got: Sequence[Got]) -> bool:
        """Return whether the results of a window agree with these answers, in some order."""
        if len(expected) != len(got):
            return False
        if len(expected) == 1:
            return self.agrees(expected[0], got[0])
        left = list(got)
        for answer in expected:
            at = next((i for i, it in enumerate(left) if self.agrees(answer, it)), None)
            if at is None:
                return False
            del left[at]
        return True

    def judged(self) -> "Sample":
        """Return the sample with the findings recomputed from its own events and results."""
        names = {*self.expected, *self.results}
        wrong = [
            name
            for name in names
            if name not in self.unknown and not self.fits(self.answers.get(name, ()), self.results.get(name, ()))
        ]
        still_open = {name for name in wrong if name not in self.results and self.is_open(name)}
        return replace(self, findings=frozenset(wrong) - still_open)

    def between(self, first: int | None, until: int | None) -> "Sample":
        """Return the part of the sample in a span of time."""

        def among(at: int) -> bool:
            return (first is None or at >= first) and (until is None or at < until)

        return replace(
            self,
            events={key: [e for e in events if among(e.time)] for key, events in self.events.items()},
            results={name: got for name, got in self.results.items() if among(get_place(name))},
            findings=frozenset(name for name in self.findings if among(get_place(name))),
            skipped={key: [e for e in events if among(e.time)] for key, events in self.skipped.items()},
            until=self.until if until is None else until,
        )

    @cached_property
    def weight(self) -> int:
        """The cost of aggregating one value, where an addition of integers costs 1."""
        exact = set(self.kinds) <= {"int", "text", "time", "bool"}
        fractions = "decimal" in self.kinds or self.kind == "decimal"
        digits = max((len(one.text or "") for answers in self.answers.values() for one in answers), default=0)
        return (6 if fractions else 1 if exact else 4) * (3 if "deviation" in self.aggregation.name else 1) + (
            digits // 40
        ) ** 2

    @cached_property
    def size(self) -> int:
        """The cost of one hypothesis: each event in each of its windows, and each window and result."""
        held = sum(len(part.events) for parts in self.expected.values() for part in parts)
        windows = len(self.expected) + len(self.results)
        return (sum(map(len, self.events.values())) + held) * self.weight + _WINDOW * windows

    @cached_property
    def expected(self) -> Predicted:
        """The expected results."""
        return self.cut()

    @cached_property
    def answers(self) -> dict[Name, list[Answer]]:
        """The expected answers."""
        return {
            name: [part.answer or self.answer(part.events) for part in parts] for name, parts in self.expected.items()
        }

    def cut(self, edit: EditEvents | None = None, windows: Cut | None = None, takes: Takes | None = None) -> Predicted:
        """Return the windows of all events, by other rules or the sample's own; the most recent are cached."""
        rules = edit, windows, takes
        if rules not in self._cuts:
            found: Predicted = {}
            for key, events in (self.events if edit is None else edit(self.events)).items():
                own = windows is None and takes is None and events == self.events.get(key)
                for name, part in self._own[key] if own else self._divide(key, events, windows, takes):
                    found.setdefault(name, []).append(part)
            self._cuts[rules] = found
            if len(self._cuts) > _RULES:
                del self._cuts[next(iter(self._cuts))]
        return self._cuts[rules]

    @cached_property
    def _cuts(self) -> dict[tuple[EditEvents | None, Cut | None, Takes | None], Predicted]:
        return {}

    @cached_property
    def _own(self) -> dict[str, list[tuple[Name, Part]]]:
        """The windows of each key by the sample's own rules; cached, as many edits change few keys' events."""
        return {key: list(self._divide(key, events, None, None)) for key, events in self.events.items()}

    def _divide(
        self, key: str, events: list[Event], windows: Cut | None, takes: Takes | None
    ) -> Iterator[tuple[Name, Part]]:
        window = self.window
        fixed = isinstance(window, Sliding | Calendar)
        check = takes or (None if self.delay is None else self.takes)
        by_arrival = takes is None and isinstance(window, Session)  # lateness decides which sessions exist
        if check is not None and not fixed and not by_arrival:
            events = [e for e in events if check(e, e.time + grace(window))]
        cut = windows or (partial(self.split, window) if takes is None else partial(split, window))
        for a, b, held in cut(events):
            if check is not None and fixed:
                held = [e for e in held if check(e, b + slack(window))]
            if isinstance(window, Frame) and window.full and len(held) < (window.end or 0) - (window.start or 0) + 1:
                yield self.name(key, a, b), Part(held, NULL)
            elif held or isinstance(window, Frame):
                yield self.name(key, a, b), Part(held)

    def split(self, window: WindowSpec, events: list[Event]) -> Iterator[Window]:
        """Yield the windows of a key's events; with a watermark, sessions follow the order of arrival."""
        if not isinstance(window, Session) or self.delay is None:
            yield from split(window, events)
            return
        ahead = [e for e in events if not self.by_time or e.watermark < e.time + self.margin]
        came: list[Any] = sorted(ahead, key=lambda e: e.arrival)
        for extent in sessions_in_time(window, came, self.lateness, self.sessions):
            held: Any = extent.events
            yield Window(held[0].time, extent.end, sorted(held, key=lambda e: e[:2]))

    @cached_property
    def aside(self) -> frozenset[Name]:
        """Windows on which this sample and the audit disagree; they are excluded from conclusions."""
        names = {*self.expected, *self.results}
        return frozenset(
            name
            for name in names
            if name in self.unknown
            or self._reaches_out(name)
            or self.fits(self.answers.get(name, []), self.results.get(name, [])) is (name in self.findings)
        )

    def allows_no_value(self, got: Got) -> bool:
        """Return whether a result states that there is no value, in a form that `--empty` allows."""
        return says_no_value(self.empty, self.aggregate, got.text, got.number)

    def _reaches_out(self, name: Name) -> bool:
        """Return whether a window may hold events that were not read."""
        window, times = self.window, [at for at in name[1:] if at is not None]
        if self.until is None:
            return False
        match window:
            case Counted():
                return name not in self.expected
            case Session(gap):
                return bool(max(times) + gap > self.until)
            case Frame(end=end):
                return bool(times[0] + (max(0, end or 0) if window.unit == "range" else 0) >= self.until)
            case Sliding(range_):
                return times[0] + 2 * range_ > self.until
            case Calendar():
                return window.start(window.number(times[0] + 1) + window.range) > self.until

    @cached_property
    def examined(self) -> frozenset[Name]:
        """The findings whose windows were read completely."""
        return frozenset(name for name in self.findings if not self._reaches_out(name))

    @cached_property
    def open(self) -> frozenset[Name]:
        """The findings to explain."""
        return self.findings - self.aside

    @cached_property
    def suspects(self) -> frozenset[int]:
        """The ids of the events that are only in windows with findings; lost or added events may be among them."""
        right, wrong = set[int](), set[int]()
        for name, parts in self.expected.items():
            found = wrong if name in self.findings else right
            found.update(id(e) for part in parts for e in part.events)
        return frozenset(wrong - right)

    @cached_property
    def wrong_keys(self) -> frozenset[str]:
        """The keys that have findings."""
        return frozenset(name[0] for name in self.open)

    @cached_property
    def latest(self) -> dict[int, int]:
        """The latest time of all events with smaller arrival numbers, by arrival number; NEVER for the first."""
        return _latest_before(self.came, self.stream)

    @cached_property
    def latest_of_key(self) -> dict[int, int]:
        """The latest time of its key's events with smaller arrival numbers, by the id of the event."""
        found: dict[int, int] = {}
        for events in self.events.values():
            latest = _latest_before(events, None)
            found |= {id(e): latest[e.arrival] for e in events}
        return found


class Stream(NamedTuple):
    """The times and arrival numbers of all events of all keys, as arrays in one order."""

    times: Any
    arrivals: Any


def _latest_before(came: Sequence[Event], stream: Stream | None) -> dict[int, int]:
    """Return, by arrival number, the latest time with a smaller one, in a stream or by default among the events."""
    times, arrivals = stream or (
        np.array(x, dtype=np.int64) for x in ([e.time for e in came], [e.arrival for e in came])
    )
    order = np.argsort(arrivals, kind="stable")
    greatest, asked = np.maximum.accumulate(times[order]), sorted({e.arrival for e in came})
    before = np.searchsorted(arrivals[order], np.array(asked, dtype=np.int64), side="left").tolist()
    return {at: int(greatest[i - 1]) if i else NEVER for at, i in zip(asked, before, strict=True)}


def split(window: WindowSpec, events: list[Event]) -> Iterator[Window]:
    """Yield the windows of a key's events, in order, without late events."""
    if not events:
        return
    times = [e.time for e in events]
    match window:
        case Sliding():
            for begin, i, j in _slide(times, window):
                yield Window(begin, begin + window.range, events[i:j])
        case Session():
            for i, j in window.runs(times):
                yield Window(times[i], times[j - 1] + window.gap, events[i:j])
        case Counted(n, every, by_arrival):
            ordered = sorted(events, key=lambda e: e.arrival) if by_arrival else events
            for j in range(every, len(ordered) + 1, every):
                yield Window(max(0, j - n) + 1, j, ordered[max(0, j - n) : j])
        case Frame():
            for event, (i, j) in zip(events, window.bounds(times), strict=True):
                yield Window(event.time, event.arrival, events[i:j])
        case Calendar():
            units = replace(window.in_units, leading=window.leading)
            for begin, i, j in _slide([_number_of(window, time) for time in times], units):
                yield Window(_start_of(window, begin), _start_of(window, begin + window.range), events[i:j])


@lru_cache(maxsize=2**17)
def _number_of(window: Calendar, time: int) -> int:
    return window.number(time)


@lru_cache(maxsize=2**16)
def _start_of(window: Calendar, number: int) -> int:
    return window.start(number)


def _slide(times: Sequence[int], window: Sliding) -> Iterator[tuple[int, int, int]]:
    """Yield the begin of each window that holds some of these sorted times, and their indices."""
    half = window.half_open
    shift = half.offset - window.offset
    least = times[0] - window.range - window.slide if window.leading else window.last_begin(times[0])
    end, last = half.first_end(times[0]), half.last_end(times[-1])
    while end <= last:
        begin = end - half.range
        i, j = bisect_left(times, begin), bisect_left(times, end)
        if i < j:
            if begin - shift >= least:
                yield begin - shift, i, j
            end += window.slide
        else:  # skip a pause, however long
            end = max(end + window.slide, half.first_end(times[i])) if i < len(times) else last + 1


def cell_of(i: int) -> Callable[[Event], Any]:
    """Return a function that reads an event's cell of one of the other columns."""
    return lambda e: e.others[i]


def get_place(name: Name) -> int:
    """Return the begin of a window, or its end if results do not name the begin."""
    return name[1] if name[1] is not None else name[2] or 0


def in_order(events: Iterable[Event]) -> list[Event]:
    """Return events sorted by time and arrival."""
    return sorted(events, key=lambda e: e[:2])


def number_of(answer: Answer | None) -> Any:
    """Return an answer as a number (int, Fraction or float); None if it is not a number."""
    return None if answer is None or answer.text is None else _parse(answer.text)


@lru_cache(maxsize=2**16)
def _parse(text: str) -> Any:
    try:
        value = decode(json.loads(text))
    except ValueError:
        return None
    return value if isinstance(value, int | float | Fraction) and value == value else None


def got_number(got: Got) -> Any:
    """Return a result as a number (Fraction or float); None if it is not a number."""
    if got.number is not None or got.text is None:
        return got.number if got.number == got.number else None
    try:
        return Fraction(got.text)
    except (ValueError, ZeroDivisionError):
        return None
