"""The windows of one key, in order and in bounded memory: what `audit.expected` runs the reference with.

A builder is fed a key's events, sorted by time and arrival, in chunks; it puts the results that are due into a sink.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from swagproof.models.operations import Operation
from swagproof.models.windows.kinds import Calendar, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, SessionRule, slack
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite
from swagproof.reference.slicing.pairs import p2

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Longs: TypeAlias = NDArray[np.int64]

EXPECTED: Final = (
    "key", "a", "b", "role", "expected", "low", "high", "n", "copies",
    "from_time", "from_arrival", "to_time", "to_arrival", "bad", "choices", "versions", "slack",
)  # fmt: skip
"""The fields of a result that is due.  a, b: the begin and end of a window, or the time and arrival number of a row.
copies: how many results may say the same.  from, to: the first and the last event that belongs to it.  choices: where
the watermark leaves it open whether events were late, the JSON list of the answers that may be, null for no result;
versions: of the answers that may have come before this one, in their order.  slack: how far beyond low and high an
answer may be, by the way in which the job sums."""

Found: TypeAlias = tuple[Any, int] | None
"""A partial aggregate, and of how many events; None where there is no window."""

Position: TypeAlias = tuple[int, int]
"""Time and arrival number of an event."""

_NOWHERE: Final = (None, None)
_NOTHING: Final = Answer(None, None, None)


Versions: TypeAlias = Literal["last", "from end", "early"]
"""The last one alone; those too that are shown as late events come; those too that come before the window is over."""


@dataclass(frozen=True)
class Plan:
    """All that a worker needs to know."""

    window: WindowSpec
    aggregation: Aggregation
    kinds: tuple[Kind, ...]
    """Of the columns v0, v1, ... that make up a value."""
    as_text: bool = False
    """Whether results are text."""
    watermarks: bool = False
    """Whether there is a column `watermark`, so that events may be late; beside it there are `least`, the least that it
    may have been, and `cleaned`, up to where windows were over."""
    sessions: SessionRule = "own"
    versions: Versions = "last"
    """Which versions of a result are judged, and so have to be answered."""
    arriving: bool = False
    """Whether events come in the order of arrival: then what hangs on it is answered, otherwise all else."""
    lateness: int | None = 0
    """How long after its end a window takes late events; None: for ever."""
    arrivals: bool = True
    """Whether arrival numbers were given, as the tie-break of equal times."""
    by_row: bool = False
    """Whether a frame's results name the arrival number of their row."""
    block: int | None = None
    """Of sliding windows: a key's events come in blocks of so much time, by the column `block`, so that several tasks
    have a part of a hot key.  A block answers for the windows that begin in it, and has all the events of these."""


@dataclass
class Chunk:
    """Events of one key, in order."""

    times: "Longs"
    arrivals: "Longs"
    lifted: list[Any]
    watermark: "Longs | None" = None
    least: "Longs | None" = None
    cleaned: "Longs | None" = None

    def keep(self, mask: Any) -> "Chunk":
        """The events for which the mask holds."""
        chosen = [self.lifted[i] for i in np.flatnonzero(mask).tolist()]
        marks = [None if column is None else column[mask] for column in (self.watermark, self.least, self.cleaned)]
        return Chunk(self.times[mask], self.arrivals[mask], chosen, *marks)

    def at(self, i: int) -> Position:
        """Where an event stands."""
        return int(self.times[i]), int(self.arrivals[i])

    def cut(self, changes: Any) -> Iterator[tuple[int, int]]:
        """From which event to before which there is no change; `changes` marks them for each event but the first."""
        n = len(self.lifted)
        return pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), n] if n else [])

    def run(self, at: int, i: int, j: int, combine: Callable[[Any, Any], Any]) -> "Run":
        """The events i to j - 1, as one."""
        partial = self.lifted[i] if j == i + 1 else reduce(combine, self.lifted[i:j])
        return Run(at, partial, j - i, self.at(i), self.at(j - 1))


class Coming(NamedTuple):
    """When an event came: its arrival number, and where the watermark was, at most and at least."""

    arrival: int
    most: int
    least: int


Piece: TypeAlias = tuple[Any, int, Coming | None]
"""Partial aggregate, how many events, and of a single one that may be late, when it came."""


@dataclass(slots=True)
class Run:
    """Neighbouring events as one partial aggregate: a slice, a session, a row, or the events of one time."""

    at: int
    """Where the slice begins; the number of the row; the time."""
    partial: Any
    n: int
    """How many events."""
    first: Position
    last: Position
    arrivals: list[int] | None = None
    """Of the events, where results name them."""
    pieces: list[Piece] | None = None
    """Where some events may be late."""

    def split(self) -> list[Piece]:
        """The pieces; itself where there are none."""
        return self.pieces or [(self.partial, self.n, None)]

    def extend(self, other: "Run", combine: Callable[[Any, Any], Any]) -> None:
        """Take in the events after it."""
        if self.pieces or other.pieces:
            self.pieces = self.split() + other.split()
        if self.arrivals is not None and other.arrivals is not None:
            self.arrivals += other.arrivals
        self.partial, self.n, self.last = combine(self.partial, other.partial), self.n + other.n, other.last


class Sink:
    """The results so far."""

    def __init__(self, plan: Plan) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.key = ""
        self.owned: range | None = None
        """The block of time that is answered for; None: all."""
        self._answer, self._drift = plan.aggregation.answer, plan.aggregation.drift
        self._as_text = plan.as_text

    def add(
        self,
        a: int | None,
        b: int | None,
        role: str,
        found: Found,
        first: Position | None,
        last: Position | None,
        copies: int = 1,
        choices: Sequence[Found] = (),
        versions: Sequence[Found] = (),
        null: bool = False,
        rounded: int = 0,
    ) -> None:
        """A result; `found` is the partial aggregate and how many events are in it, None where there is no window;
        `null`: that is due whatever they are; `rounded`: the mass that a running sum has had rounded."""
        answer, n = (_NOTHING, None) if found is None else (self._answer(found[0], as_text=self._as_text), found[1])
        if found is not None and rounded and answer.text is not None:
            answer = answer._replace(slack=self._drift(found[0], rounded))
        answer = _NOTHING if null else answer
        place = (None,) * 4 if found is None else (*(first or _NOWHERE), *(last or _NOWHERE))
        others = (self._tell(choices), self._tell(versions)) if choices or versions else _NOWHERE
        text, low, high, slack = answer
        self.rows.append((self.key, a, b, role, text, low, high, n, copies, *place, None, *others, slack or None))

    def _tell(self, answers: Sequence[Found]) -> str | None:
        if not answers:
            return None
        return json.dumps([None if one is None else self._answer(one[0], as_text=self._as_text) for one in answers])

    def add_event(self, role: str, at: Position, why: str) -> None:
        """An event that cannot be used."""
        if self.owned is None or at[0] in self.owned:
            self.rows.append((self.key, *at, role, None, None, None, None, 1, *at, None, None, why, None, None, None))


class Slider:
    """Half-open windows over times, over the numbers of events, or over those of a calendar's units.

    Each is answered by the name that it has.
    """

    def __init__(
        self, plan: Plan, sink: Sink, named: Sliding | Calendar, role: str = "policy", *, counted: bool = False
    ) -> None:
        self.named, self.sink, self.role, self.counted = named, sink, role, counted
        self.spec = named.in_units if isinstance(named, Calendar) else named.half_open
        self.leading = named.leading
        self.opened = int(named.closed in ("right", "neither"))
        """How much later than its name a window begins."""
        self.lateness, self.versions = plan.lateness, plan.versions
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.held: deque[Run] = deque()
        self.products: TwoStacksLite[Any] = TwoStacksLite(self.operation)
        self.newest: Run | None = None
        self.next_end = NEVER
        """Where the next window ends that is to be answered."""
        self.n = 0
        self.count = 0
        self.late = 0

    def feed(self, chunk: Chunk) -> None:
        """More events, none earlier than those before."""
        combine = self.operation.combine
        at = chunk.times
        if self.counted:
            at = np.arange(self.count, self.count + len(at), dtype=np.int64)
            self.count += len(at)
        if isinstance(self.named, Calendar):
            at = number_times(at, self.named)
        begins = edges(at, self.spec)
        late: Longs | None = None
        if self.versions == "early" and not self.counted:
            late = np.arange(len(at))
        elif chunk.watermark is not None and not self.counted:
            late = np.flatnonzero(self.spec.first_end(at) <= chunk.watermark)
        for i, j in chunk.cut(np.diff(begins)):
            run = chunk.run(int(begins[i]), i, j, combine)
            if late is not None and (marked := late[np.searchsorted(late, i) : np.searchsorted(late, j)].tolist()):
                run.pieces = self._split(chunk, i, j, marked)
            if self.newest is not None and self.newest.at == run.at:
                self.newest.extend(run, combine)
                continue
            self._close()
            self._answer(run.at)
            if not self.held:
                least = self.next_end if self.leading or self.next_end > NEVER else self.spec.last_end(run.at)
                self.next_end = max(least, self.spec.first_end(run.at))
            self.newest = run

    def _split(self, chunk: Chunk, i: int, j: int, late: list[int]) -> list[Piece]:
        """The events i to j - 1 of a chunk, in pieces: those that may be late alone."""
        most = np.full(len(chunk.times), NEVER) if chunk.watermark is None else chunk.watermark
        least = most if chunk.least is None else chunk.least
        pieces: list[Piece] = []
        for m in late:
            if m > i:
                pieces.append((reduce(self.operation.combine, chunk.lifted[i:m]), m - i, None))
            came = Coming(int(chunk.arrivals[m]), int(most[m]), int(least[m]))
            pieces.append((chunk.lifted[m], 1, came))
            i = m + 1
        return pieces if i == j else [*pieces, (reduce(self.operation.combine, chunk.lifted[i:j]), j - i, None)]

    def _close(self) -> None:
        if self.newest is not None:
            self.held.append(self.newest)
            self.products.insert(self.newest.partial)
            self.n += self.newest.n
            self.late += self.newest.pieces is not None
            self.newest = None

    def _answer(self, until: int) -> None:
        """Answer the windows that end there or before."""
        while self.held and self.next_end <= until:
            begin = self.next_end - self.spec.range
            while self.held and self.held[0].at < begin:
                gone = self.held.popleft()
                self.products.evict()
                self.n -= gone.n
                self.late -= gone.pieces is not None
            if self.held:
                self._emit(begin, self.next_end)
            self.next_end += self.spec.slide

    def _emit(self, begin: int, end: int) -> None:
        if self.sink.owned is not None and begin not in self.sink.owned:
            return
        first, last = self.held[0].first, self.held[-1].last
        everything = (self.products.query(), self.n)
        a, b = self._name(begin)
        if not self.late:
            self.sink.add(a, b, self.role, everything, first, last)
            return
        close = None if self.lateness is None else end + self.lateness
        late = sorted(came for run in self.held for _, _, came in run.split() if came is not None)
        counted = [came for came in late if close is None or came.most < close]
        unsure = [came for came in late if close is not None and came.least < close <= came.most]
        timely = [came for came in late if came.most < end]
        due = self._with(counted)
        choices = [due, *(self._with([*counted, *unsure[: i + 1]]) for i in range(len(unsure)))]
        versions: list[Found] = []
        if self.versions != "last":
            shown = 1 if self.versions == "early" else len(timely)
            versions = [self._with(counted[:i]) for i in range(shown, len(counted))]
        if due is not None or unsure:
            place = due or next(choice for choice in choices if choice is not None)
            self.sink.add(a, b, "policy", place, first, last, choices=choices if unsure else (), versions=versions)
        n = 0 if due is None else due[1]
        if everything[1] != n:
            self.sink.add(a, b, "all", everything, first, last)
        on_time = self._with(timely)
        if (0 if on_time is None else on_time[1]) != n:
            self.sink.add(a, b, "on-time", on_time, first, last)

    def _name(self, begin: int) -> tuple[int, int]:
        """What the window that begins there is called."""
        if self.counted:  # the numbers of its first and last event, from 1 on
            return max(begin, 0) + 1, begin + self.spec.range
        if isinstance(self.named, Calendar):
            return self.named.start(begin), self.named.start(begin + self.spec.range)
        a = begin - self.opened
        return a, a + self.named.range

    def _with(self, chosen: Sequence[Coming]) -> Found:
        """The product of the window with those alone of its single events that are chosen."""
        combine, product, n = self.operation.combine, self.operation.identity, 0
        taken = set(chosen)
        for held in self.held:
            for partial, size, came in held.split():
                if came is None or came in taken:
                    product, n = combine(product, partial), n + size
        return (product, n) if n else None

    def finish(self) -> None:
        """The key has no more events."""
        if self.newest is not None:
            until = self.count if self.counted else self.spec.last_end(self.newest.at)
            self._close()
            self._answer(until)


def edges(at: "Longs", window: Sliding) -> "Longs":
    """The latest edge at or before each time, as `swagproof.reference.slicing.pairs.pair_edge` has it.

    >>> from swagproof.reference.slicing.pairs import pair_edge
    >>> times = np.arange(-20, 20)
    >>> edges(times, Sliding(10, 3, 1)).tolist() == [pair_edge(int(t) - 1, 10, 3) + 1 for t in times]
    True
    """
    begin = at - (at - window.offset) % window.slide
    second = p2(window.range, window.slide)
    return np.where(at - begin < second, begin, begin + second) if second else begin


def number_times(times: "Longs", calendar: Calendar) -> "Longs":
    """The numbers of the units that times belong to, which come in order.

    >>> days = Calendar("day", 1, 1, 0, "Europe/Berlin", second=1)
    >>> hours = np.arange(0, 60) * 3600 + 1711756800
    >>> number_times(hours, days).tolist() == [days.number(int(time)) for time in hours]
    True
    """
    first, last = calendar.number(int(times[0])), calendar.number(int(times[-1]))
    starts = np.array([calendar.start(number) for number in range(first + 1, last + 1)], dtype=np.int64)
    return first + np.searchsorted(starts, times - (calendar.closed == "right"), side="right").astype(np.int64)


class Sessions:
    """Runs of events with small gaps."""

    def __init__(self, plan: Plan, sink: Sink, spec: Session, role: str) -> None:
        self.spec, self.least = spec, spec.gap + spec.touching
        self.sink, self.role, self.combine = sink, role, plan.aggregation.operation.combine
        self.open: Run | None = None

    def feed(self, chunk: Chunk) -> None:
        """More events, none earlier than those before."""
        for i, j in chunk.cut(np.diff(chunk.times) >= self.least):
            run = chunk.run(0, i, j, self.combine)
            if self.open is not None and not self.spec.parts(self.open.last[0], run.first[0]):
                self.open.extend(run, self.combine)
            else:
                self.finish()
                self.open = run

    def finish(self) -> None:
        """No event belongs to the open session any more."""
        if self.open is not None:
            run, self.open = self.open, None
            end = run.last[0] + self.spec.gap
            self.sink.add(run.first[0], end, self.role, (run.partial, run.n), run.first, run.last)


class ArrivingSessions:
    """Sessions as they come, late events among them: `swagproof.models.windows.lateness.sessions_in_time`.

    Fed in the order of arrival.  What is kept are the events of the sessions that the watermark has not passed.
    """

    def __init__(self, plan: Plan, sink: Sink, spec: Session, role: str, lateness: int) -> None:
        self.spec, self.sink, self.role, self.lateness = spec, sink, role, lateness
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.merges = plan.sessions == "merged"
        self.wait = lateness + (slack(spec) if plan.sessions == "own" else 0)
        self.live: list[tuple[int, int, list[tuple[int, int, Any]]]] = []
        """First and last time, and the events: time, arrival number, partial aggregate."""

    def feed(self, chunk: Chunk) -> None:
        """More events, none with a smaller arrival number than those before."""
        assert chunk.watermark is not None
        cleaned = chunk.watermark if chunk.cleaned is None else chunk.cleaned
        columns = (chunk.times, chunk.arrivals, chunk.watermark, cleaned)
        for time, arrival, watermark, over, partial in zip(*(c.tolist() for c in columns), chunk.lifted, strict=True):
            self._end(over)
            late = time + self.spec.gap + self.lateness <= watermark
            apart = [run for run in self.live if self.spec.parts(run[1], time) or self.spec.parts(time, run[0])]
            touched = [run for run in self.live if run not in apart] if len(apart) < len(self.live) else []
            if late and not (self.merges and touched):
                continue
            first, last, events = min(time, *(run[0] for run in touched), time), time, [(time, arrival, partial)]
            for run in touched:
                last = max(last, run[1])
                events += run[2]
            self.live = [*apart, (first, last, events)]

    def _end(self, watermark: int) -> None:
        for run in [run for run in self.live if run[1] + self.spec.gap + self.wait <= watermark]:
            self.live.remove(run)
            self._emit(*run)

    def _emit(self, first: int, last: int, events: list[tuple[int, int, Any]]) -> None:
        events.sort(key=lambda event: event[:2])
        product = reduce(self.operation.combine, (event[2] for event in events))
        end = last + self.spec.gap
        self.sink.add(first, end, self.role, (product, len(events)), events[0][:2], events[-1][:2])

    def finish(self) -> None:
        """The key has no more events."""
        for run in sorted(self.live, key=lambda run: run[:2]):
            self._emit(*run)
        self.live.clear()


class Frames:
    """From `begin` to `end` around each row, or each distinct time."""

    def __init__(self, plan: Plan, sink: Sink, spec: Frame, role: str) -> None:
        assert spec.end is not None, "a frame without an end is no window of a text"
        self.begin, self.end, self.rows = spec.start, spec.end, spec.unit == "rows"
        self.to_row = spec.to_row
        self.least = spec.end - spec.start + 1 if spec.full and spec.start is not None else 0
        self.sink, self.role = sink, role
        self.by_row = plan.by_row
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.window: TwoStacksLite[Any] = TwoStacksLite(self.operation)
        self.product = self.operation.identity
        self.inside: deque[Run] = deque()
        self.waiting: deque[Run] = deque()
        self.due: deque[Run] = deque()
        self.newest: Run | None = None
        self.first: Position | None = None
        self.last: Position | None = None
        self.n = 0
        self.count = 0
        self.mass_of = plan.aggregation.mass if plan.aggregation.summation == "running" else None
        self.mass = 0
        """Of a running sum: sum|x| of the frame, and that of all frames after each event that came or went."""
        self.rounded = 0

    def feed(self, chunk: Chunk) -> None:
        """More events, none earlier than those before."""
        if self.rows:
            for partial, *place in zip(chunk.lifted, chunk.times.tolist(), chunk.arrivals.tolist(), strict=True):
                time, arrival = place
                self._complete(Run(self.count, partial, 1, (time, arrival), (time, arrival), [arrival]))
                self.count += 1
            return
        if self.to_row:
            for partial, *place in zip(chunk.lifted, chunk.times.tolist(), chunk.arrivals.tolist(), strict=True):
                at = place[0], place[1]
                run = Run(at[0], partial, 1, at, at, [at[1]])
                self._enter(run)
                self._emit(run)
            return
        combine = self.operation.combine
        for i, j in chunk.cut(np.diff(chunk.times)):
            run = chunk.run(int(chunk.times[i]), i, j, combine)
            run.arrivals = chunk.arrivals[i:j].tolist() if self.by_row else None
            if self.newest is not None and self.newest.at == run.at:
                self.newest.extend(run, combine)
                continue
            if self.newest is not None:
                self._complete(self.newest)
            self.newest = run

    def _complete(self, entry: Run) -> None:
        """All events of an entry have come: first the frames are answered that end before it."""
        while self.due and self.due[0].at + self.end < entry.at:
            self._emit(self.due.popleft())
        self.waiting.append(entry)
        self.due.append(entry)

    def _emit(self, entry: Run) -> None:
        while self.waiting and self.waiting[0].at <= entry.at + self.end:
            self._enter(self.waiting.popleft())
        while self.begin is not None and self.inside and self.inside[0].at < entry.at + self.begin:
            gone = self.inside.popleft()
            self.n -= gone.n
            self.window.evict()
            self._round(gone, -1)
        if self.begin is None:
            found, first, last = (self.product, self.n), self.first, self.last
        else:
            found = self.window.query(), self.n
            first, last = (self.inside[0].first, self.inside[-1].last) if self.inside else (None, None)
        if self.by_row:
            for arrival in entry.arrivals or ():
                self.sink.add(
                    entry.first[0],
                    arrival,
                    self.role,
                    found,
                    first,
                    last,
                    null=self.n < self.least,
                    rounded=self.rounded,
                )
        else:
            self.sink.add(entry.first[0], None, self.role, found, first, last, copies=entry.n, rounded=self.rounded)

    def _enter(self, entry: Run) -> None:
        self.n += entry.n
        self._round(entry, 1)
        if self.begin is None:
            self.product = self.operation.combine(self.product, entry.partial)
            self.first, self.last = self.first or entry.first, entry.last
        else:
            self.inside.append(entry)
            self.window.insert(entry.partial)

    def _round(self, entry: Run, sign: int) -> None:
        """A running sum takes in an entry, or lets it go: each of its events is rounded."""
        if self.mass_of is not None:
            mass = self.mass_of(entry.partial)[1]
            self.mass += mass * (sign > 0)
            self.rounded += entry.n * self.mass
            self.mass -= mass * (sign < 0)

    def finish(self) -> None:
        """The key has no more events."""
        if self.newest is not None:
            self._complete(self.newest)
            self.newest = None
        while self.due:
            self._emit(self.due.popleft())
