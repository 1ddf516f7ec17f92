"""State machines of windows over a stream: an operator is driven and compared with the windows by definition.

`SlicedMachine` is for operators that answer periodic windows over records in order; `CuttyMachine` for windows that
discretisation functions mark; `StreamMachine` for records out of order, down to the watermark, and sessions;
`WindowedMachine` for the windowing library.  Each sets `make`, and `operation`, which need not commute.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import reduce
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from swagproof.models.discretisation import (
    Discretiser,
    count_windows,
    discretise,
    newest_at_punctuations,
    punctuated_windows,
    session_windows,
    time_windows,
)
from swagproof.models.operations import CONCATENATION, MUTABLE_COLLECT, Operation
from swagproof.models.sliced import SlicedWindows
from swagproof.models.windows.window import (
    PUNCTUATION,
    UNBOUNDED,
    Count,
    Delta,
    Event,
    Heartbeat,
    Item,
    LateError,
    Punctuation,
    Time,
    Window,
    contents_by_key,
)
from swagproof.oracle.testing.machine import ELEMENTS
from swagproof.reference.slicing.cutty import CountMarks, NewestLooks, PunctuationMarks, SessionMarks, TimeMarks

LENGTHS = st.integers(1, 9)
QUERIES = st.tuples(LENGTHS, LENGTHS)
AHEAD = st.integers(0, 12)


class StreamedMachine(RuleBasedStateMachine):
    """A machine of an operator over an operation, whose samples are the records."""

    make: ClassVar[Callable[..., Any]]
    operation: ClassVar[Operation[Any, Any, Any]] = CONCATENATION
    subject: Any

    def same(self, answers: Any, expected: Any) -> None:
        """Check that the answers are the expected ones, in order."""
        assert [tuple(answer) for answer in answers] == expected

    def refused(self, t: int, element: Any) -> None:
        """Check that a record of this time is refused."""
        try:
            self.subject.insert(t, self.operation.lift(element))
        except LateError:
            return
        raise AssertionError(f"time {t} is not refused")


class SlicedMachine(StreamedMachine):
    """Records in order and heartbeats, over several queries of range and slide."""

    end: ClassVar[int] = 20
    """A time after which no window is open."""

    @initialize(queries=st.lists(QUERIES, min_size=1, max_size=3), t=st.integers(-20, 20))
    def start(self, queries: list[tuple[int, int]], t: int) -> None:
        """Begin the stream at any time."""
        self.subject, self.model = type(self).make(self.operation, queries), SlicedWindows(self.operation, queries)
        self.now = t

    @rule(ahead=AHEAD, element=ELEMENTS)
    def record(self, ahead: int, element: Any) -> None:
        """Insert a record, which ends windows."""
        self.now, v = self.now + ahead, self.operation.lift(element)
        self.same(self.subject.insert(self.now, v), self.model.advance(self.now))
        self.model.insert(self.now, v)

    @rule(ahead=AHEAD)
    def heartbeat(self, ahead: int) -> None:
        """Advance the time without a record."""
        self.now += ahead
        self.same(self.subject.advance(self.now), self.model.advance(self.now))

    @precondition(lambda self: self.model.watermark is not None)
    @rule(element=ELEMENTS)
    def late(self, element: Any) -> None:
        """Insert a late record, which is refused and changes nothing."""
        self.refused(self.now - 1, element)

    def teardown(self) -> None:
        """End all windows."""
        if hasattr(self, "now"):
            self.heartbeat(self.end)


class StreamMachine(SlicedMachine):
    """Records in any order down to the watermark, over periodic queries and sessions.

    The operator receives whether the operation commutes: if not, each slice is of one time.
    """

    end = 60

    @initialize(
        periodic=st.lists(QUERIES, max_size=2),
        sessions=st.lists(LENGTHS, min_size=1, max_size=2),
        at=st.integers(-20, 20),
    )
    def start(self, periodic: list[tuple[int, int]], sessions: list[int], at: int) -> None:
        """Begin the stream at any time."""
        commutes = self.operation.commutative
        self.subject = type(self).make(self.operation, periodic, sessions, commutative=commutes)
        self.model = SlicedWindows(self.operation, periodic, sessions)
        self.now = at

    @rule(above=st.integers(0, 30), element=ELEMENTS)
    def record(self, above: int, element: Any) -> None:
        """Insert a record at the watermark or above."""
        t, v = self.now + above, self.operation.lift(element)
        self.subject.insert(t, v)
        self.model.insert(t, v)


KINDS: dict[str, tuple[Callable[[int, int], Discretiser], Callable[[int, int], Any]]] = {
    "count": (count_windows, CountMarks),
    "time": (time_windows, TimeMarks),
    "session": (lambda gap, _: session_windows(gap), lambda gap, _: SessionMarks(gap)),
    "punctuated": (lambda *_: punctuated_windows, lambda *_: PunctuationMarks()),
}
"""The definition and the discretisation function of each kind of window."""


class CuttyMachine(StreamedMachine):
    """Records, heartbeats and punctuations, over windows of several kinds that share the slices."""

    @initialize(
        kinds=st.lists(st.tuples(st.sampled_from([*KINDS]), LENGTHS, LENGTHS), min_size=1, max_size=3),
        newest=st.lists(st.integers(1, 9), max_size=1),
    )
    def start(self, kinds: list[tuple[str, int, int]], newest: list[int]) -> None:
        """Create queries of these kinds, and one that looks back."""
        marks = [KINDS[kind][1](*lengths) for kind, *lengths in kinds]
        self.subject = type(self).make(self.operation, marks, [NewestLooks(n) for n in newest])
        self.definitions = [KINDS[kind][0](*lengths) for kind, *lengths in kinds]
        self.definitions += [newest_at_punctuations(n) for n in newest]
        self.stream: list[Item] = []
        self.now, self.found = 0, [list[Any]() for _ in self.definitions]

    def take(self, item: Item, answers: Any) -> None:
        """Record an item and its answers."""
        self.stream.append(item)
        for query, value in answers:
            self.found[query].append(value)

    @rule(ahead=AHEAD, element=ELEMENTS)
    def record(self, ahead: int, element: Any) -> None:
        """Insert a record."""
        self.now += ahead
        event = Event(self.now, self.operation.lift(element))
        self.take(event, self.subject.insert(event, event.value))

    @rule(times=st.integers(2, 12), element=ELEMENTS)
    def burst(self, times: int, element: Any) -> None:
        """Insert records, one a time unit, until the store grows."""
        for _ in range(times):
            self.record(1, element)

    @rule(ahead=AHEAD)
    def heartbeat(self, ahead: int) -> None:
        """Advance the time without a record."""
        self.now += ahead
        self.take(Heartbeat(self.now), self.subject.tell(Heartbeat(self.now)))

    @rule()
    def punctuation(self) -> None:
        """Insert a punctuation."""
        self.take(Punctuation(self.now), self.subject.tell(Punctuation(self.now)))

    @invariant()
    def answers_are_right(self) -> None:
        """Check that each query has answered the windows of its definition, in the order of their ends."""
        if hasattr(self, "found"):
            combine, identity = self.operation.combine, self.operation.identity
            for f_disc, found in zip(self.definitions, self.found, strict=True):
                assert found == [reduce(combine, window, identity) for window in discretise(f_disc, self.stream)]


MINUTE = timedelta(minutes=1)
RANGES: list[Any] = [Count(1), Count(4), Time(2), Time(7), Delta(3, len), PUNCTUATION, UNBOUNDED]
SLIDES: list[Any] = [Count(1), Count(3), Time(3), Time(5), Delta(2, len), PUNCTUATION]


class WindowedMachine(StreamedMachine):
    """Elements of two keys, heartbeats and punctuations, over windows of any kind; late elements are dropped."""

    operation = MUTABLE_COLLECT
    number = 0

    @initialize(
        reach=st.sampled_from(RANGES), slide=st.sampled_from(SLIDES), closed=st.sampled_from(("left", "right", "both")),
        idle=st.sampled_from((None, None, 0, 4)), dates=st.booleans(),
    )  # fmt: skip
    def start(self, reach: Any, slide: Any, closed: Any, idle: Any, dates: bool) -> None:
        """Create a window over numbers, or over dates in changing zones, on the night on which clocks change."""
        unit: Any = MINUTE if dates else 1
        reach, slide = (Time(each.span * unit) if isinstance(each, Time) else each for each in (reach, slide))
        if closed == "left" and not isinstance(slide, Time):
            closed = "both"
        idle = idle if idle is None else idle * unit
        self.window, self.dates = Window(reach, slide, closed=closed, idle=idle, late="drop"), dates
        self.subject = type(self).make(self.window, self.operation)
        self.stream: list[Item] = []
        self.found: dict[Any, list[Any]] = {}

    def feed(self, item: Item) -> None:
        """Process an item, and change its results, which must not affect the operator."""
        self.number += 1
        self.stream.append(item)
        for result in self.subject.feed(item):
            self.found.setdefault(result.key, []).append((result.trigger, list(result.output)))
            result.output.clear()

    def at(self, more: int) -> Any:
        """Return the item's number or minute, or a nearby one."""
        if not self.dates:
            return self.number + more
        time = datetime(2024, 3, 31, 0, 50, tzinfo=UTC) + (self.number + more) * MINUTE
        return time.astimezone(timezone(timedelta(hours=(5 * self.number) % 23 - 11, minutes=30)))

    @rule(more=st.sampled_from((0, 0, 1, 4, -3)), length=st.sampled_from((0, 0, -1)), key=st.sampled_from("ab"))
    def element(self, more: int, length: int, key: str) -> None:
        """Insert an element, in order or late."""
        self.feed(Event(self.at(more), "x" * (self.number // 2 + length), key))

    @rule(more=st.sampled_from((0, 1, 4, -3)))
    def heartbeat(self, more: int) -> None:
        """Advance the time without an element."""
        self.feed(Heartbeat(self.at(more)))

    @rule(more=st.sampled_from((None, 0, 1, 4)))
    def punctuation(self, more: int | None) -> None:
        """Insert a punctuation, with or without a time."""
        self.feed(Punctuation() if more is None else Punctuation(self.at(more)))

    @invariant()
    def results_are_right(self) -> None:
        """Check that each key has the results of its windows by definition."""
        if hasattr(self, "found"):
            for key, shown in contents_by_key(self.window, self.stream).items():
                right = [(trigger, [event.value for event in held]) for trigger, held in shown if held]
                assert self.found.get(key, []) == right, (self.window, self.stream)
