"""Events that come late: when one is late, and what a job is held to have done with it.

A *watermark* W says that whatever comes from now on with a time before W is late.  Mostly it is the latest time so far
less a delay.  An event is late *for a window* when the watermark at its arrival is at the window's end or later; so
one event may be late for some of its windows, and timely for others; a day of a calendar is such a window.  For a frame
or a count the event is late when its time is before the watermark; of sessions see `sessions_in_time`.  Where an
operator before the windows drops what is behind the watermark, an event is late by its own time: `ahead_in_time`.
Where the watermark is, engine by engine, is said in `swagproof.models.windows.watermarks`.

| policy | a late event |
|---|---|
| `drop` | is left out of the windows that it is late for; each window has one result |
| `update` | counts, and its windows get a new result; the last version stands |
| `retract` | counts, and its windows get a new result after the old one was retracted |

With an allowed lateness, `update` and `retract` leave out events at whose arrival the watermark has passed the end by
that much or more.

Batch and stream see the same windows of events in time.  `windows_in_time` is said of all events when they have come;
`shown_in_time` of a stream, step by step: what a job shows when.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from swagproof.models.windows.kinds import Calendar, Extent, Session, Sliding, WindowSpec
from swagproof.models.windows.window import Event

Late: TypeAlias = Literal["drop", "update", "retract"]
"""The treatment of late events by a job."""

POLICIES: Final[tuple[Late, ...]] = ("drop", "update", "retract")

NEVER: Final = -(2**63)
"""The watermark before the first event: before all times."""


def grace(window: WindowSpec) -> int:
    """Return how long after its time an event of a session, a frame or a count is late."""
    return int(window.gap) if isinstance(window, Session) else 1


def late_for_first(window: WindowSpec, time: Any) -> Any:
    """From which watermark on an event of this time is late for a window of its own; of times, but for calendars, in an
    array, an array."""
    if isinstance(window, Calendar):
        return window.start(window.in_units.first_end(window.number(time))) + slack(window)
    return window.half_open.first_end(time) if isinstance(window, Sliding) else time + grace(window)


def late_for_all(window: WindowSpec, time: int) -> int | None:
    """From which watermark on an event of this time is late for all its windows; None if it is in none.

    >>> window = Sliding(3, 5)
    >>> [(late_for_first(window, t), late_for_all(window, t)) for t in (2, 3)], late_for_all(Sliding(6, 2), 3)
    ([(3, 3), (8, None)], 8)
    """
    if isinstance(window, Calendar):
        unit = window.number(time)
        last = window.in_units.last_end(unit)
        return window.start(last) + slack(window) if last > unit else None
    if not isinstance(window, Sliding):
        return time + grace(window)
    end = window.half_open.last_end(time)
    return end if end > time else None


def slack(window: WindowSpec) -> int:
    """Return how long after its end a window is over, so that its result is due.

    An event at the very end of touching sessions would be one of them, and is not late; so it is where ends are closed.
    """
    if isinstance(window, Sliding | Calendar):
        return int(window.closed in ("right", "both"))
    return int(isinstance(window, Session) and window.touching)


@dataclass(frozen=True, slots=True)
class Arrival(Event):
    """An event, and the watermark when it came."""

    watermark: int = NEVER
    cleaned: int | None = None
    """Up to where sessions were over when it came; None: to the watermark."""


SessionRule: TypeAlias = Literal["own", "merged", "at end"]
"""The treatment of an event that is late for a session of its own, and the time at which a session is over.

| rule | late | a session is over | as |
|---|---|---|---|
| `own` | by its own time and the gap | when nothing can join it any more: touching ones a tick after their end | ours |
| `at end` | the same | at its end, touching or not | Spark: `SessionWindowStateStoreRestoreExec` filters rows by \
the end of their own session, `SessionWindowStateStoreSaveExec` evicts those with end <= watermark |
| `merged` | unless it touches a session that is not over: late is the *merged* window | at its end | Flink: \
`WindowOperator.processElement`, `isWindowLate(actualWindow)` after `MergingWindowSet.addWindow` |
"""


def sessions_in_time(
    session: Session, arrivals: Iterable[Arrival], lateness: int | None = 0, rule: SessionRule = "own"
) -> list[Extent]:
    """The sessions of a stream, given its events in the order of arrival: one that is over takes no more events.

    So which sessions there are hangs on the order: what comes for a session that is over, and is not late itself,
    begins another, which may lie inside of the first.

    >>> events = [Arrival(1, "a"), Arrival(4, "b"), Arrival(0, "c", watermark=6), Arrival(3, "d", watermark=8)]
    >>> for rule in ("own", "merged"):
    ...     print([(x.begin, x.end, "".join(e.value for e in x.events)) for x in sessions_in_time(
    ...         Session(5, touching=True), events, rule=rule)])
    [(1, 9, 'ab')]
    [(0, 9, 'cadb')]
    >>> [(x.begin, x.end) for x in sessions_in_time(Session(5), [Arrival(1, "a"), Arrival(4, "b", watermark=6)])]
    [(1, 6), (4, 9)]
    """
    live: list[tuple[int, int, list[tuple[int, int, Arrival]]]] = []  # the first time, the last, and the events
    over: list[tuple[int, int, list[tuple[int, int, Arrival]]]] = []
    wait = slack(session) if rule == "own" else 0
    for i, event in enumerate(arrivals):
        time, late = event.time, False
        if lateness is not None:
            cleaned = event.watermark if event.cleaned is None else event.cleaned
            ends = [last + session.gap + wait + lateness <= cleaned for _, last, _ in live]
            over += compress(live, ends)
            live = [run for run, ended in zip(live, ends, strict=True) if not ended]
            late = time + session.gap + lateness <= event.watermark
        touches = [not (session.parts(last, time) or session.parts(time, first)) for first, last, _ in live]
        if not late or (rule == "merged" and any(touches)):
            touched = list(compress(live, touches))
            live = [run for run, joined in zip(live, touches, strict=True) if not joined]
            first, last = min([time, *(run[0] for run in touched)]), max([time, *(run[1] for run in touched)])
            live.append((first, last, [*chain.from_iterable(run[2] for run in touched), (time, i, event)]))
    found: list[Extent] = []
    for _, _, run in (*over, *live):
        held = tuple(event for _, _, event in sorted(run))
        found.append(Extent(held[0].time, held[-1].time + session.gap, None, held))
    return sorted(found, key=lambda extent: (extent.begin, extent.end))


def windows_in_time(window: WindowSpec, events: Sequence[Arrival], lateness: int | None = 0) -> list[Extent]:
    """The windows with the events that are not late for them, by this much or more; None: no event is.

    The events are in the order of arrival.

    >>> events = [Arrival(1, "a"), Arrival(7, "b"), Arrival(2, "c", watermark=5), Arrival(6, "d", watermark=6)]
    >>> [(x.end, "".join(e.value for e in x.events)) for x in windows_in_time(Sliding(8, 4), events)]
    [(4, 'a'), (8, 'acdb'), (12, 'db')]
    """

    def in_time(event: Any, end: int) -> bool:
        return lateness is None or event.watermark < end + lateness

    if isinstance(window, Session):
        return sessions_in_time(window, events, lateness)
    if not isinstance(window, Sliding | Calendar):  # which windows there are hangs on the events
        return window.extents([event for event in events if in_time(event, late_for_first(window, event.time))])
    found: list[Extent] = []
    for extent in window.extents(events):
        held = tuple(event for event in extent.events if in_time(event, extent.end + slack(window)))
        if held:
            found.append(extent._replace(events=held))
    return found


def ahead_in_time(arrivals: Iterable[Arrival], behind: int = 1) -> list[Arrival]:
    """Return what an operator before the windows lets through that drops each event which is late by its own time.

    An event is late when its time is less than this much ahead of the watermark: at 1, before it; at 0, where it is,
    too, as Spark has it (`WatermarkSupport.watermarkExpression` drops rows with time <= watermark).  What is let
    through is in time for each of its windows.

    >>> events = [Arrival(1, "a"), Arrival(7, "b"), Arrival(5, "c", watermark=5), Arrival(4, "d", watermark=5)]
    >>> ["".join(e.value for e in ahead_in_time(events, behind)) for behind in (1, 0)]
    ['abc', 'ab']
    """
    return [event for event in arrivals if event.time + behind > event.watermark]


class Showing(NamedTuple):
    """An output of a job about a window, or about an event."""

    kind: Literal["result", "retraction", "late"]
    version: int | None
    """The version of a result, or of the one that is retracted: 0, 1, 2, ..."""
    extent: Extent | None
    event: Event | None = None
    """A late event: no window takes it any more."""


def shown_in_time(
    window: WindowSpec, late: Late, lateness: int, steps: Iterable[tuple[Sequence[Event], int]]
) -> Iterator[list[Showing]]:
    """Yield what each step shows that takes some events, when the watermark is told to be here.

    An event of this very step is late, too, if it is behind the watermark: whether it counts does not depend on how
    events are cut into steps after the watermark was told.  A window is shown at the end of the step in which its
    result is due, and again, as the next version, in each in which late events have changed it.
    """
    taken: list[Arrival] = []
    versions: dict[tuple[Any, ...], tuple[int, Extent]] = {}

    def show(until: int) -> Iterator[Showing]:
        for extent in windows_in_time(window, taken, lateness):
            name = extent[:3]
            version, before = versions.get(name, (-1, None))
            if extent.end + slack(window) > until or extent == before:
                continue
            if before is not None and late == "retract":
                yield Showing("retraction", version, before)
            versions[name] = version + 1, extent
            yield Showing("result", version + 1, extent)

    for events, watermark in steps:
        closed = watermark - lateness if watermark > NEVER else NEVER
        shown = list(show(closed))
        if isinstance(window, Session) and shown:
            final = max(one.extent.end for one in shown if one.extent is not None)
            taken = [event for event in taken if event.time + window.gap > final]
        for event in events:
            end = late_for_all(window, event.time)
            if end is not None and end > closed:
                taken.append(Arrival(event.time, event.value, event.key, watermark))
            elif end is not None:
                shown.append(Showing("late", None, None, event))
        yield [*shown, *show(watermark)]
