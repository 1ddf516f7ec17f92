"""Discretise and Aggregate: the definition of windows over a stream, for every kind of window.

Source: *Stream Window Aggregation Semantics and Optimisation* (2018), Definitions 1 and 2, "Deterministic Windows".

A stream is a sequence of records, numbered from 1.  s[a, b] is the sub-sequence of the records a to b: a sequence, not
a set, as order and repeats matter (reading SLICE-1).  A discretiser maps a stream to the sequence of its windows, each
an s[a, b], in the order in which they are complete; `aggregate` maps each window to one answer, by an f_a that gets the
whole window (reading SLICE-2).  Every slicing technique is judged by these definitions.

Decided here, where the paper leaves it open:

- A window without records is no window.
- A window is in the discretisation once the stream has shown that no record of it can still come.  So a stream that
  just stops leaves its last windows open; end it with a heartbeat to see them.
- Windows that are complete at the same moment come in the order of their beginnings.

Periodic windows are those of `swagproof.models.windows.window`, which combines any range with any slide; sessions are
those of `swagproof.models.windows.kinds`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from swagproof.models.windows.kinds import Session
from swagproof.models.windows.window import (
    PUNCTUATION,
    Count,
    Delta,
    Event,
    Item,
    Window,
    WindowError,
    contents,
    hopping,
    tumbling,
)

T = TypeVar("T")
Out = TypeVar("Out")


class Interval(NamedTuple):
    """s[a, b], the records a to b, both included."""

    a: int
    b: int


Discretiser: TypeAlias = Callable[[Sequence[Item]], list[Interval]]
"""f_disc of Definition 1: maps a stream, with its heartbeats and punctuations, to its windows."""


def records(stream: Iterable[Item]) -> list[Event]:
    """The stream's records, without heartbeats and punctuations."""
    return [item for item in stream if isinstance(item, Event)]


def discretise(f_disc: Discretiser, stream: Sequence[Item]) -> list[list[Any]]:
    """Discretize, Definition 1: the windows of the stream, as sequences of its values.

    >>> stream = [Event(None, value) for value in range(1, 10)]
    >>> discretise(count_windows(5, 2), stream)
    [[1, 2, 3, 4, 5], [3, 4, 5, 6, 7], [5, 6, 7, 8, 9]]
    """
    values = [event.value for event in records(stream)]
    return [values[a - 1 : b] for a, b in f_disc(stream)]


def aggregate(f_a: Callable[[list[T]], Out], windows: Iterable[list[T]]) -> list[Out]:
    """Aggregate, Definition 2 (reading SLICE-2): f_a of each window.

    >>> stream = [Event(None, value) for value in range(1, 10)]
    >>> aggregate(sum, discretise(count_windows(5, 2), stream))
    [15, 25, 35]
    """
    return [f_a(window) for window in windows]


# Periodic windows


def windowed(window: Window) -> Discretiser:
    """Return the discretiser for a window definition: its triggered windows, without the empty ones."""
    numbered = replace(window, range=_of_numbered(window.range), slide=_of_numbered(window.slide))

    def f_disc(stream: Sequence[Item]) -> list[Interval]:
        """Return the first and last record of each window."""
        items: list[Item] = []
        number = 0
        for item in stream:
            if isinstance(item, Event):
                number += 1
                item = Event(item.time, (number, item.value), item.key)
            items.append(item)
        shown = [elements for _, elements in contents(numbered, items) if elements]
        return [Interval(elements[0].value[0], elements[-1].value[0]) for elements in shown]

    return f_disc


def _of_numbered(measure: Any) -> Any:
    """Return the same measure for values that carry their record's number."""
    return Delta(measure.span, lambda pair: measure.of(pair[1])) if isinstance(measure, Delta) else measure


def count_windows(range: int, slide: int) -> Discretiser:
    """s[1 + k slide, k slide + range] for k = 0, 1, ...: Figure 1.  Raises WindowError for lengths below 1."""
    return windowed(Window(Count(range), Count(slide), origin=range))


def time_windows(range: Any, slide: Any) -> Discretiser:
    """[k slide, k slide + range) by the times of records, for all integers k.  Raises WindowError.

    >>> from swagproof.models.windows.window import Heartbeat
    >>> stream = [Event(1, "a"), Event(3, "b"), Event(5, "c"), Heartbeat(8)]
    >>> discretise(time_windows(4, 2), stream)
    [['a'], ['a', 'b'], ['b', 'c'], ['c']]
    """
    return windowed(hopping(range, slide))


# Windows without a period


def session_windows(gap: Any) -> Discretiser:
    """Runs of records, each less than `gap` after the previous one.

    >>> from swagproof.models.windows.window import Heartbeat
    >>> discretise(session_windows(3), [Event(1, "a"), Event(3, "b"), Event(6, "c"), Heartbeat(8)])
    [['a', 'b']]
    """
    session = Session(gap)

    def f_disc(stream: Sequence[Item]) -> list[Interval]:
        times = [event.time for event in records(stream)]
        latest = max((item.time for item in stream if item.time is not None), default=None)
        runs = session.runs(times)
        return [Interval(first + 1, stop) for first, stop in runs if session.parts(times[stop - 1], latest)]

    return f_disc


punctuated_windows: Final = windowed(tumbling(PUNCTUATION))
"""The records between punctuations."""


# Deterministic windows


class Marks(NamedTuple):
    """The windows of a query that begin or end with one item of the stream.

    The paper's pair is (`begin`, `end`).  `over` is ours: for sessions and windows in time, a record is known to be the
    last one only when a later item has come (reading CUTTY-2).  An item that is not a record may set only `over`.
    """

    begin: int = 0
    """W_begin: the number of windows that begin with this record."""
    end: int = 0
    """W_end: the number of windows that end with this record, included."""
    over: int = 0
    """The number of windows that ended with the record before this item."""


FDisc: TypeAlias = Callable[[Any], Marks]
"""f_disc of deterministic windows: called with each item of the stream in turn, it may keep state (reading CUTTY-1)."""


def marked_windows(marks: Iterable[tuple[bool, Marks]]) -> list[Interval]:
    """Return the windows for pairs of "is a record" and the item's marks; the window that begins first ends first.

    Raises WindowError for marks that end windows which never began, or that begin or end one without a record.

    >>> marks = [(True, Marks(1)), (True, Marks(1)), (True, Marks(0, 1)), (True, Marks(1, 1)), (False, Marks(over=1))]
    >>> marked_windows(marks)
    [Interval(a=1, b=3), Interval(a=2, b=4), Interval(a=4, b=4)]
    """
    found: list[Interval] = []
    begun: deque[int] = deque()
    number = 0
    for record, mark in marks:
        check_marks(mark, len(begun), record)
        found += [Interval(begun.popleft(), number) for _ in range(mark.over)]
        number += record
        begun += [number] * mark.begin
        found += [Interval(begun.popleft(), number) for _ in range(mark.end)]
    return found


def check_marks(mark: Marks, begun: int, record: bool) -> None:
    """Raise WindowError unless these marks are possible while `begun` windows are open."""
    begin, end, over = mark
    if min(mark) < 0:
        raise WindowError(f"{mark}: give numbers of windows, from 0 on")
    if not record and (begin or end):
        raise WindowError(f"{mark}: no window begins or ends where there is no record; give `over` alone")
    if over > begun:
        raise WindowError(f"{mark}: {over} windows are over, of {begun} that have begun; begin each before it ends")
    if over + end > begun + begin:
        raise WindowError(f"{mark}: {end} windows end, of {begun + begin - over} that have begun; begin each first")


def deterministic(make: Callable[[], FDisc]) -> Discretiser:
    """The discretiser of user-defined deterministic windows; `make` creates an f_disc in its initial state."""

    def f_disc(stream: Sequence[Item]) -> list[Interval]:
        marks = make()
        return marked_windows((isinstance(item, Event), marks(item)) for item in stream)

    return f_disc


# Windows of any kind


class Looks(NamedTuple):
    """The windows that one item ends, for non-deterministic windows: their beginnings are known only at their ends.

    An item that is not a record may set only `over` and `reach`.
    """

    end: tuple[int, ...] = ()
    """The first records of the windows that end with this record, included."""
    over: tuple[int, ...] = ()
    """The first records of the windows that ended with the record before this item."""
    reach: int = 1
    """The first record that a later window may begin with."""


LookBack: TypeAlias = Callable[[Any], Looks]
"""The discretisation function of non-deterministic windows, called with each item of the stream in turn."""


def newest_at_punctuations(n: int) -> Discretiser:
    """The newest n records at each punctuation; the beginning of such a window is known only at its end.

    >>> from swagproof.models.windows.window import Punctuation
    >>> stream = [*(Event(None, letter) for letter in "abc"), Punctuation(), Event(None, "d"), Punctuation()]
    >>> discretise(newest_at_punctuations(2), stream)
    [['b', 'c'], ['c', 'd']]
    """
    return windowed(Window(Count(n), PUNCTUATION))
