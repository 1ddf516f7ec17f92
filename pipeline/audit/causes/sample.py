"""What causes are looked for in: some keys with all their events, all that a job wrote of them, and what was found.

A cause is a definition that a job may have followed in place of the one that it was given.  To hold it against all
results of a key one needs all events of the key, right results as well as findings.  So a sample is of whole keys, and
plain data: whatever read it, Spark or a test, hypotheses are run over it in one way.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, SessionRule, grace, sessions_in_time, slack
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind
from swagproof.pipeline.audit.tables import Tick


class Event(NamedTuple):
    """An event; `lifted` is its value as the operation takes it."""

    time: int
    arrival: int
    value: Any
    watermark: int = NEVER
    lifted: Any = None
    cleaned: int | None = None
    """Up to where sessions were over when it came; None: to the watermark."""
    others: tuple[Any, ...] = ()
    """What the columns hold that nobody asked for: numbers, text or None."""
    parts: tuple[Any, ...] | None = None
    """What the columns of values hold, where there are several and one is null, so that it has no value."""


def time_and_arrival(e: Event) -> tuple[int, int]:
    """Where an event is among those of its key: by time, and by arrival where times are equal."""
    return e[:2]


def get_arrival(e: Event) -> int:
    """When an event came."""
    return e.arrival


class Got(NamedTuple):
    """A result as the job wrote it."""

    text: str | None
    number: float | None


Events: TypeAlias = dict[str, list[Event]]
"""Of each key, in the order of time and arrival."""

Name: TypeAlias = tuple[str, int | None, int | None]
"""A window as results name it: key, begin and end, as far as there are columns for them; or key, time and arrival."""


class Window(NamedTuple):
    """A window of a key, and the events in it."""

    a: int
    b: int
    events: Sequence[Event]


@dataclass(frozen=True)
class Part:
    """A result that is foretold: of these events; or, whatever they are, this answer."""

    events: Sequence[Event]
    answer: Answer | None = None


NULL: Final = Answer(None, None, None)
"""What may be answered of no event, whatever the aggregate."""

Foretold: TypeAlias = dict[Name, list[Part]]


class UndefinedError(ValueError):
    """A value of which there is no such aggregate: nobody's job has aggregated it."""


Divided: TypeAlias = list[tuple[Name, Part]]
"""Windows of a key, one after the other."""

Cut: TypeAlias = Callable[[list[Event]], Iterable[Window]]
"""The windows of a key's events."""

Takes: TypeAlias = Callable[[Event, int], bool]
"""Whether a window that ends there takes an event."""


def take_all(_event: Event, _end: int) -> bool:
    """That which takes late events, too."""
    return True


_RULES: Final = 4
"""Of so many rules for windows what was cut is kept."""


@dataclass(frozen=True)
class Sample:
    """Keys with all their events and results.  `findings` are the windows of which the audit says that they are not
    right; every other one of these keys is."""

    window: WindowSpec
    aggregation: Aggregation
    kind: Kind
    """Of the results."""
    kinds: tuple[Kind, ...]
    """Of the values."""
    on: tuple[str, ...]
    """Which columns of the results name a window: `a`, `b` or both."""
    events: Events
    results: dict[Name, list[Got]]
    findings: frozenset[Name]
    lateness: int | None = 0
    """How long after its end a window takes late events; None: for ever, or there is no watermark."""
    margin: int = 1
    """How little ahead of the watermark an event's own time is when it is late by that."""
    by_time: bool = False
    """Whether an event is late by its own time, and then for all windows."""
    drops: bool = True
    """Whether it is neither --late update nor retract that is asked for."""
    delay: int | None = None
    """How far the watermark is behind; None: no event is late."""
    sessions: SessionRule = "own"
    """What becomes of an event that is late for a session of its own."""
    tick: Tick = None
    by_row: bool = False
    """Whether a frame's results name the arrival number of their row."""
    idles: bool = False
    """Whether an upstream of which nothing comes is left out of the watermark."""
    whole: bool = True
    """Whether no key of the events is left out."""
    silent: bool = False
    """Whether there is no result at all, of any key."""
    latest: Mapping[int, int] | None = None
    """Of the arrival of each event the latest time that had come before, of all keys; None where that is not known but
    of these."""
    places: Mapping[int, int] | None = None
    """Of each arrival number its place among those of all keys; None where that is not known but of these."""
    until: int | None = None
    """Before which time there are all events; None: there are all."""
    told: frozenset[Name] = field(default_factory=frozenset[Name])
    """Findings that are right of the events of which late ones count, or do not: their kind says it."""
    unknown: frozenset[Name] = field(default_factory=frozenset[Name])
    """Windows of which the audit does not say whether they are right."""
    updates: bool = False
    """Whether results are the last of several versions."""
    retracts: bool = False
    """Whether what a result says is taken back before another one is said."""
    earlier: Mapping[Name, Sequence[Got]] = field(default_factory=dict[Name, Sequence[Got]])
    """Versions of results that others came after, in order."""
    untaken: frozenset[Name] = field(default_factory=frozenset[Name])
    """Windows of which a result was taken back that was not the one that stood."""
    open_from: int | None = None
    """From which end on windows may still be open, so that nobody asks for their results; None: none is."""
    columns: tuple[str, ...] = ()
    """The names of the events' other columns, where these are known of each event."""
    key_columns: tuple[str, ...] = ()
    """The names of the columns that are a key."""
    skipped: Events = field(default_factory=dict[str, list[Event]])
    """What has no value, and is to be skipped: it is not among the events."""
    numbered: bool = True
    """Whether events have a number by which they came; else it is their place in the order of time."""

    @cached_property
    def came(self) -> list[Event]:
        """All events as they came, with what is skipped."""
        there = (e for of in (self.events, self.skipped) for events in of.values() for e in events)
        return sorted(there, key=lambda e: e.arrival)

    @property
    def counts_all(self) -> bool:
        """Whether it is known how many events of all keys came before each."""
        return self.whole or self.places is not None

    @property
    def has_nulls(self) -> bool:
        """Whether some value is null."""
        return any(e.value is None for e in self.came)

    @property
    def cut(self) -> bool:
        """Whether there may be findings that are not in it."""
        return not self.whole or self.until is not None

    def is_open(self, name: Name) -> bool:
        """Whether a window, as another definition has it, may be open: that it has no result says nothing then."""
        end = name[2]
        if end is None and name[1] is not None and isinstance(self.window, Sliding):
            end = name[1] + self.window.range
        return self.open_from is not None and end is not None and end >= self.open_from

    def list_cells(self, i: int) -> frozenset[Any]:
        """What the events have in one of the other columns, each once."""
        return frozenset(e.others[i] for e in self.came)

    def name(self, key: str, a: int, b: int) -> Name:
        """The window, as results name it."""
        if isinstance(self.window, Frame) and not self.by_row:
            return key, a, None
        return key, a if "a" in self.on else None, b if "b" in self.on else None

    def takes(self, event: Event, end: int) -> bool:
        """Whether an event is in time for a window that ends there."""
        if self.by_time:
            return self.is_ahead(event)
        return self.lateness is None or event.watermark < end + self.lateness

    def is_ahead(self, event: Event) -> bool:
        """Whether an event is in time by its own time."""
        return event.watermark < event.time + self.margin

    def lift(self, event: Event, value: Any) -> Event:
        """The event with another value.  Raises UndefinedError."""
        try:
            lifted = self.aggregation.operation.lift(value)
        except (ArithmeticError, ValueError, TypeError) as error:
            raise UndefinedError(f"{self.aggregation.name} of {value!r}: {error}") from error
        return event._replace(value=value, lifted=lifted)

    @cached_property
    def unreadable(self) -> tuple[type[Exception], ...]:
        """What may be raised of what is read off the values, which then says nothing: infinities have no digits,
        and where one is NaN, which is neither less nor more than another, no step is sure of its order."""
        values = (e.value for events in self.events.values() for e in events)
        return (Exception,) if any(value != value for value in values) else (UndefinedError, OverflowError)

    def fold(self, events: Sequence[Event]) -> Any:
        """The partial aggregate of some events, in this order."""
        operation = self.aggregation.operation
        return reduce(operation.combine, [e.lifted for e in events]) if events else operation.identity

    def answer(self, events: Sequence[Event]) -> Answer:
        """The result that is due for some events.  Raises UndefinedError where there are none, and of none is none."""
        try:
            return self.aggregation.answer(self.fold(events), as_text=self.kind == "text")
        except Exception as error:
            if events:
                raise
            raise UndefinedError(f"{self.aggregation.name} of no events: {error}") from error  # it is the user's own

    def agrees(self, due: Answer, got: Got) -> bool:
        """Whether a result is this one."""
        due = due if self.aggregation.rounding is None else self.aggregation.finish(due)
        return self.aggregation.agrees(due, got.text, got.number, self.kind)

    def copy(self, got: Got) -> Answer:
        """The answer that is just this result."""
        text = json.dumps(got.number) if got.text is None and got.number is not None else got.text
        return Answer(text, got.number, got.number)

    def judged(self) -> "Sample":
        """The sample with the findings that it has by itself, where nobody else has judged the results."""
        return self.judged_by(self.events, self.due, self.answers)

    def judged_by(self, events: Events, due: Foretold, answers: dict[Name, list[Answer]]) -> "Sample":
        """The sample with the findings that it has where this is due, of these events and what else is in windows."""
        names = {*due, *self.results}
        wrong = (name for name in names if not self.fits(answers.get(name, ()), self.results.get(name, ())))
        known = {e.arrival for of in events.values() for e in of}
        more: dict[str, dict[int, Event]] = {}
        for (key, *_), parts in due.items():
            for e in (e for part in parts for e in part.events if e.arrival not in known):
                more.setdefault(key, {})[e.arrival] = e
        all_ = {
            key: sorted((*events.get(key, ()), *more.get(key, {}).values()), key=time_and_arrival)
            for key in {**events, **more}
        }
        there = replace(self, events=all_ if more else events, findings=frozenset(wrong))
        places = dict.fromkeys((*self.arrivals, *there.arrivals))  # events that are not in it have theirs, too
        vars(there).update(due=due, answers=answers, arrivals={number: i for i, number in enumerate(places)})
        return there

    def of_keys(self, keys: Collection[str]) -> "Sample":
        """What is there of some keys."""
        return replace(
            self,
            events={key: self.events.get(key, []) for key in keys},
            results={name: got for name, got in self.results.items() if name[0] in keys},
            findings=frozenset(name for name in self.findings if name[0] in keys),
        )

    def before(self, until: int) -> "Sample":
        """What is there of the time before."""
        return replace(self._of_times(lambda at: at < until), until=until)

    def after(self, first: int) -> "Sample":
        """What is there from this time on."""
        return self._of_times(lambda at: at >= first)

    def _of_times(self, among: Callable[[int], bool]) -> "Sample":
        return replace(
            self,
            events={key: [e for e in events if among(e.time)] for key, events in self.events.items()},
            results={name: got for name, got in self.results.items() if among(get_place(name))},
            findings=frozenset(name for name in self.findings if among(get_place(name))),
            skipped={key: [e for e in events if among(e.time)] for key, events in self.skipped.items()},
        )

    @cached_property
    def size(self) -> int:
        """How many events a hypothesis looks at, each in each of its windows, and how many results."""
        return sum(self.sizes.values())

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The same of each key."""
        found = {key: len(events) for key, events in self.events.items()}
        for (key, *_), parts in self.due.items():
            found[key] = found.get(key, 0) + sum(len(part.events) for part in parts)
        for key, *_ in self.results:
            found[key] = found.get(key, 0) + 1
        return found

    @cached_property
    def due(self) -> Foretold:
        """What is due."""
        found: Foretold = {}
        for key, events in self.events.items():
            for name, part in self.divide(key, events):
                found.setdefault(name, []).append(part)
        return found

    def divide(self, key: str, events: list[Event], windows: Cut | None = None, takes: Takes | None = None) -> Divided:
        """The windows of some events of a key, by other rules or its own.

        Most of what is tried changes the events of few keys, or only what is made of them: so what was cut last is
        kept of each key, for the rules that were asked for last.
        """
        rules = windows, takes
        kept = self._cuts.pop(rules, {})
        self._cuts[rules] = kept  # the last asked for is last
        if len(self._cuts) > _RULES:
            del self._cuts[next(rules for rules in self._cuts if rules != (None, None))]
        cuts = kept.setdefault(key, [])
        found = next((cut for of, cut in cuts if of is events or of == events), None)
        if found is None:
            found = list(self._divide(key, events, windows, takes))
            del cuts[1:]
            cuts.append((events, found))
        return found

    def _divide(
        self, key: str, events: list[Event], windows: Cut | None, takes: Takes | None
    ) -> Iterator[tuple[Name, Part]]:
        there = self.in_time(events, takes)
        if windows is not None:
            cut = windows(there)
        else:
            cut = self.split(self.window, there) if takes is None else split(self.window, there)
        for window in cut:
            kept = self.keep(window, takes)
            if kept or isinstance(self.window, Frame):
                yield self.name(key, window.a, window.b), self.part(kept)

    @cached_property
    def _cuts(
        self,
    ) -> dict[tuple[Cut | None, Takes | None], dict[str, list[tuple[list[Event], Divided]]]]:
        return {}

    def part(self, events: Sequence[Event]) -> Part:
        """What is due of some events: null of a frame that has to be full, and is not."""
        window = self.window
        if isinstance(window, Frame) and window.full and len(events) < (window.end or 0) - (window.start or 0) + 1:
            return Part(events, NULL)
        return Part(events)

    def keep(self, window: Window, takes: Takes | None = None) -> Sequence[Event]:
        """The events of a window that are in time for it, or that are taken, where that hangs on the window."""
        if (self.delay is None and takes is None) or not isinstance(self.window, Sliding | Calendar):
            return window.events
        end, takes = window.b + slack(self.window), takes or self.takes
        return [e for e in window.events if takes(e, end)]

    def in_time(self, events: list[Event], takes: Takes | None = None) -> list[Event]:
        """The events that are in time, where that does not hang on the window; or those that are taken."""
        if (self.delay is None and takes is None) or isinstance(self.window, Sliding | Calendar):
            return events
        if takes is None and isinstance(self.window, Session):
            return events  # which sessions there are hangs on when they come
        end, takes = grace(self.window), takes or self.takes
        return [e for e in events if takes(e, e.time + end)]

    def split(self, window: WindowSpec, events: list[Event]) -> Iterator[Window]:
        """The windows of a key's events; sessions are those of events in the order in which they came."""
        if not isinstance(window, Session) or self.delay is None:
            yield from split(window, events)
            return
        came: list[Any] = sorted((e for e in events if not self.by_time or self.is_ahead(e)), key=lambda e: e.arrival)
        for extent in sessions_in_time(window, came, self.lateness, self.sessions):
            held: Any = extent.events
            yield Window(held[0].time, extent.end, sorted(held, key=lambda e: e[:2]))

    @cached_property
    def answers(self) -> dict[Name, list[Answer]]:
        """The results that are due."""
        return {name: [part.answer or self.answer(part.events) for part in parts] for name, parts in self.due.items()}

    @cached_property
    def aside(self) -> frozenset[Name]:
        """Windows about which this sample and the audit do not agree: nothing is concluded from them."""
        names = {*self.due, *self.results}
        return frozenset(
            name
            for name in names
            if name in self.unknown
            or self._reaches_out(name)
            or self.fits(self.answers.get(name, []), self.results.get(name, [])) is (name in self.findings)
        )

    def _reaches_out(self, name: Name) -> bool:
        """Whether a window may hold events that were not read."""
        if self.until is None:
            return False
        match self.window:
            case Sliding(range_):
                return (name[1] + range_ if name[1] is not None else name[2] or 0) > self.until - range_
            case Session(gap):
                return bool(max(n for n in name[1:] if n is not None) > self.until - gap)
            case Calendar() if name[1] is not None:
                return self.window.start(self.window.number(name[1] + 1) + self.window.range) > self.until
            case Frame("range", _, end):
                return bool((name[1] or 0) + max(0, end or 0) >= self.until)
            case _:
                return not any(part.events[-1].time < self.until for part in self.due.get(name, ()) if part.events)

    @cached_property
    def open(self) -> frozenset[Name]:
        """The findings to be explained."""
        return self.findings - self.aside

    def fits(self, due: Sequence[Answer], got: Sequence[Got]) -> bool:
        """Whether the results of a window are these, in some order."""
        if len(due) != len(got):
            return False
        if len(due) == 1:
            return self.agrees(due[0], got[0])
        left = list(got)
        for answer in due:
            at = next((i for i, it in enumerate(left) if self.agrees(answer, it)), None)
            if at is None:
                return False
            del left[at]
        return True

    @cached_property
    def arrivals(self) -> dict[int, int]:
        """The place of each arrival number among all of the sample, of what is skipped, too."""
        numbers = dict.fromkeys(e.arrival for e in self.came)
        return {number: i for i, number in enumerate(numbers)}


def split(window: WindowSpec, events: list[Event]) -> Iterator[Window]:
    """The windows of a key's events, in order, all of which are in time: what `extents` says, with the events' runs."""
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
            for begin, i, j in _slide([window.number(time) for time in times], units):
                yield Window(window.start(begin), window.start(begin + window.range), events[i:j])


def _slide(times: Sequence[int], window: Sliding) -> Iterator[tuple[int, int, int]]:
    """The begin of each window that has some of these times, which come in order, and which of them it has."""
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
        else:  # over a pause, however long
            end = max(end + window.slide, half.first_end(times[i])) if i < len(times) else last + 1


def regroup(parts: Sequence[Event], of: Callable[[Event], int]) -> list[list[Event]]:
    """Events by what `of` says of them, in its order."""
    return [list(group) for _, group in groupby(sorted(parts, key=of), key=of)]


def get_cell(i: int, e: Event) -> Any:
    """What an event has in another column."""
    return e.others[i]


def get_place(name: Name) -> int:
    """Where a window is: its begin, or its end where there is no column for that."""
    return name[1] if name[1] is not None else name[2] or 0
