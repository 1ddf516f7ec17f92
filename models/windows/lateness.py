"""Late events: the definition of lateness, and the expected treatment of late events by a job.

A *watermark* W states that every later arrival with a time before W is late.  Mostly it is the latest time so far minus
a delay.  An event is late *for a window* if the watermark at its arrival is at or after the window's end.  So one event
may be late for some of its windows and on time for others; this holds for the days of a calendar too.  For a frame or a
count, an event is late if its time is before the watermark; for sessions see `sessions_in_time`.  If an operator before
the windows drops events behind the watermark, an event is late by its own time: see `ahead_in_time`.
`swagproof.models.windows.watermarks` states the position of the watermark for each engine.

| policy | a late event |
|---|---|
| `drop` | is excluded from the windows that it is late for; each window has one result |
| `update` | counts, and its windows get a new result, which replaces the old one |
| `retract` | counts, and its windows get a new result after the old one is retracted |

With an allowed lateness, `update` and `retract` exclude events at whose arrival the watermark has passed the window's
end by that much or more.

Batch and stream have the same windows of events in time.  `windows_in_time` defines them once all events have arrived;
`shown_in_time` defines the outputs of a streaming job, step by step.
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
"""The watermark before the first event, smaller than all times."""


def grace(window: WindowSpec) -> int:
    """Return the delay after its time at which an event of a session, a frame or a count is late."""
    return int(window.gap) if isinstance(window, Session) else 1


def late_for_first(window: WindowSpec, time: Any) -> Any:
    """Return the least watermark for which an event is late for the first window that ends after its time.

    Except for calendars, `time` may be an array, which gives an array.
    """
    if isinstance(window, Calendar):
        return window.start(window.in_units.first_end(window.number(time))) + slack(window)
    return window.half_open.first_end(time) if isinstance(window, Sliding) else time + grace(window)


def late_for_all(window: WindowSpec, time: int) -> int | None:
    """Return the least watermark for which an event is late for all its windows; None if it is in none.

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
    """Return the delay after its end at which a window is over and its result expected.

    An event exactly at the end of touching sessions belongs to them and is not late; likewise if ends are closed.
    """
    if isinstance(window, Sliding | Calendar):
        return int(window.closed in ("right", "both"))
    return int(isinstance(window, Session) and window.touching)


@dataclass(frozen=True, slots=True)
class Arrival(Event):
    """An event, with the watermark at its arrival."""

    watermark: int = NEVER
    cleaned: int | None = None
    """The time up to which sessions were over at its arrival; None for the watermark."""


SessionRule: TypeAlias = Literal["own", "merged", "at end"]
"""The rule for an event that is late for a session of its own, and for the time at which a session is over.

| rule | late | a session is over | source |
|---|---|---|---|
| `own` | by its own time and the gap | when nothing can join it: touching ones a tick after their end | ours |
| `at end` | the same | at its end, touching or not | Spark: `SessionWindowStateStoreRestoreExec` filters rows by \
the end of their own session, `SessionWindowStateStoreSaveExec` evicts those with end <= watermark |
| `merged` | unless it touches a session that is not over: late is the *merged* window | at its end | Flink: \
`WindowOperator.processElement`, `isWindowLate(actualWindow)` after `MergingWindowSet.addWindow` |
"""


def sessions_in_time(
    session: Session, arrivals: Iterable[Arrival], lateness: int | None = 0, rule: SessionRule = "own"
) -> list[Extent]:
    """Return the sessions of a stream of events in arrival order; a session that is over accepts no more events.

    So the sessions depend on the order.  An event that would join a session that is over, but is not late itself,
    begins a new session, which may lie inside the old one.

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
    """Return the windows with the events that are not late for them by `lateness` or more; None means never late.

    The events are in the order of arrival.

    >>> events = [Arrival(1, "a"), Arrival(7, "b"), Arrival(2, "c", watermark=5), Arrival(6, "d", watermark=6)]
    >>> [(x.end, "".join(e.value for e in x.events)) for x in windows_in_time(Sliding(8, 4), events)]
    [(4, 'a'), (8, 'acdb'), (12, 'db')]
    """

    def in_time(event: Any, end: int) -> bool:
        return lateness is None or event.watermark < end + lateness

    if isinstance(window, Session):
        return sessions_in_time(window, events, lateness)
    if not isinstance(window, Sliding | Calendar):  # the set of windows depends on the events
        return window.extents([event for event in events if in_time(event, late_for_first(window, event.time))])
    found: list[Extent] = []
    for extent in window.extents(events):
        held = tuple(event for event in extent.events if in_time(event, extent.end + slack(window)))
        if held:
            found.append(extent._replace(events=held))
    return found


def ahead_in_time(arrivals: Iterable[Arrival], behind: int = 1) -> list[Arrival]:
    """Return the events that pass an operator before the windows which drops each event that is late by its own time.

    An event is late if its time is less than `behind` ahead of the watermark.  At 1 it is late before the watermark; at
    0 also at the watermark, as in Spark (`WatermarkSupport.watermarkExpression` drops rows with time <= watermark).
    Events that pass are on time for each of their windows.

    >>> events = [Arrival(1, "a"), Arrival(7, "b"), Arrival(5, "c", watermark=5), Arrival(4, "d", watermark=5)]
    >>> ["".join(e.value for e in ahead_in_time(events, behind)) for behind in (1, 0)]
    ['abc', 'ab']
    """
    return [event for event in arrivals if event.time + behind > event.watermark]


class Showing(NamedTuple):
    """An output of a job: a result or retraction of a window, or a late event."""

    kind: Literal["result", "retraction", "late"]
    version: int | None
    """The version of the result, or of the retracted one: 0, 1, 2, ..."""
    extent: Extent | None
    event: Event | None = None
    """A late event, which no window accepts any more."""


def shown_in_time(
    window: WindowSpec, late: Late, lateness: int, steps: Iterable[tuple[Sequence[Event], int]]
) -> Iterator[list[Showing]]:
    """Yield the outputs of each step, given its events and the watermark reported before them.

    An event is late if it is behind that watermark; later steps do not change this.  A window is shown at the end of
    the step in which its result is expected, and as the next version in each step in which late events change it.
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
