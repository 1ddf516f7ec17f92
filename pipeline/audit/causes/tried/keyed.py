"""A job that keeps by the key alone what should be of the key and the window: its timer, or its state.

As long as the events of a key are in order, one timer and one state do.  But a timer that an event of another window
sets in place of the one that has not fired is never heard of again; and a state that is open takes whatever comes.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.lateness import late_for_first, slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    Event,
    Foretold,
    Name,
    Sample,
    Window,
    split,
    take_all,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.spans import list_spans, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end

Timer = tuple[int, Name]
"""The watermark at which it fires, and for which window."""

_TIMERS: Final[dict[str, Callable[[Timer, Timer], Timer]]] = {
    "which an event of another window replaces": lambda old, new: new,
    "which an event of a later window replaces": lambda old, new: max(old, new, key=lambda one: one[0]),
    "which an event of an earlier window replaces": lambda old, new: min(old, new, key=lambda one: one[0]),
    "which no event of another window is given before it has fired": lambda old, new: old,
}
"""What becomes of a timer that has not fired when an event of another window comes: which one there is then."""


def list_keyed(sample: Sample) -> Iterator[Hypothesis]:
    """One timer, or one state, for all windows of a key, where windows do not overlap."""
    window = sample.window
    if isinstance(window, Sliding) and window.slide == window.range:
        yield from _list_held_over(sample, window)
        yield from _list_current(sample, window)
    if sample.delay is None or sample.lateness is None:
        return
    if not (isinstance(window, Calendar | Sliding) and window.slide >= window.range):
        return
    why = "has one window of a key: once an event of a later window has come, it takes no more of the earlier one"
    yield Hypothesis("closed early", why, windows=partial(_hold_latest, sample))
    for said, choose in _TIMERS.items():
        why = f"has one timer of a key, {said}, so that of that window no result is written"
        yield Hypothesis("result lost", why, results=partial(_set_timers, sample, choose, False))
    why = (
        "has one timer of a key: a window that begins before it has fired is given none, and no result of it is written"
    )
    yield Hypothesis("result lost", why, results=partial(_set_timers, sample, lambda old, new: old, True))
    why = "has one state of a key: the first event of a later window writes it and begins it again; others go into it"
    yield Hypothesis("carried over", why, windows=partial(_flush_state, sample), takes=take_all)
    for said, late in (("", False), (", late ones, too", True)):
        why = f"counts the events of a key in whichever of its windows is open when they come{said}"
        windows = partial(_share_state, sample, late)
        yield Hypothesis("carried over", why, windows=windows, takes=take_all if late else None)


def _list_held_over(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows that are closed so long after their end that the first events of the next one go into them."""
    spans = [span for span in list_spans(sample.tick) if span < window.range]
    for grace in spans:
        why = f"keeps the window of a key open until {show_span(grace, sample.tick)} after its end for events that come"
        windows = partial(_hold_over, window, grace)
        one = Hypothesis("carried over", why, windows=windows, bits=log2(len(spans)))
        if one.explains_some(sample):
            yield one


def _list_current(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Events that come behind, and are counted in the window that is open then, where no watermark leaves them out."""
    if sample.delay is not None or not sample.numbered:
        return
    why = "counts an event that comes behind in the latest window of its key so far, and not in its own"
    yield Hypothesis("late events counted elsewhere", why, windows=partial(_hold_latest_of, window, None))
    if sample.whole and len(sample.events) > 1:
        times = accumulate((e.time for e in sample.came), max)
        latest = dict(zip((e.arrival for e in sample.came), times, strict=True))
        why = "counts an event that comes behind in the latest window of all keys so far, and not in its own"
        windows = partial(_hold_latest_of, window, latest)
        yield Hypothesis("late events counted elsewhere", why, windows=windows, mixes=True)


def _hold_latest_of(window: Sliding, latest: Mapping[int, int] | None, events: list[Event]) -> Iterator[Window]:
    """The windows of the latest time that has come with each event, of its key or, where it is given, of all."""
    held: dict[int, list[Event]] = {}
    time: int | None = None
    for e in sort_arrived(events):
        time = e.time if time is None else max(time, e.time)
        end = window.last_end(time if latest is None else latest.get(e.arrival, time))
        held.setdefault(end, []).append(e)
    for end, mine in sorted(held.items()):
        yield Window(end - window.range, end, sorted(mine, key=time_and_arrival))


def _hold_over(window: Sliding, grace: int, events: list[Event]) -> Iterator[Window]:
    held: dict[int, list[Event]] = {}
    there: int | None = None
    for e in sort_arrived(events):
        end = window.last_end(e.time)
        if there == end - window.range and e.time < there + grace:
            end = there
        there = end
        held.setdefault(end, []).append(e)
    for end, mine in sorted(held.items()):
        yield Window(end - window.range, end, sorted(mine, key=time_and_arrival))


def _set_timers(sample: Sample, choose: Callable[[Timer, Timer], Timer], opening: bool, found: Foretold) -> Foretold:
    """The windows whose timer fires; `opening`: the first event of a window alone may set it."""
    touches: dict[str, list[tuple[Event, Timer]]] = {}
    for name, parts in found.items():
        end = find_end(sample, name)
        if end is not None:
            touches.setdefault(name[0], []).extend((e, (end, name)) for part in parts for e in part.events)
    fired: set[Name] = set()
    for those in touches.values():
        timer: Timer | None = None
        opened: set[Name] = set()
        for e, mine in sorted(those, key=lambda it: it[0].arrival):
            if timer is not None and timer[0] <= e.watermark:
                fired.add(timer[1])
                timer = None
            if opening and mine[1] in opened:
                continue
            opened.add(mine[1])
            timer = mine if timer is None else choose(timer, mine)
        if timer is not None:
            fired.add(timer[1])
    return {name: parts for name, parts in found.items() if name in fired}


def _flush_state(sample: Sample, events: list[Event]) -> Iterator[Window]:
    """What comes of a key from the first event of a window to before the first of a later one."""
    return _hold_one(sample, events, lambda _, own, there: own is not None and own.a > there.a, lambda _e, _: True)


def _hold_latest(sample: Sample, events: list[Event]) -> Iterator[Window]:
    """The windows of a key with what comes while there is no later one."""
    windows = [w._replace(events=sample.keep(w)) for w in split(sample.window, events)]
    came = sorted((e.arrival, w.a) for w in windows for e in w.events)
    latest = dict(zip((n for n, _ in came), accumulate((a for _, a in came), max), strict=True))
    for w in windows:
        held = [e for e in w.events if latest[e.arrival] <= w.a]
        if held:
            yield w._replace(events=held)


def _share_state(sample: Sample, late: bool, events: list[Event]) -> Iterator[Window]:
    """What comes of a key until its open window is over, of whatever window; `late`, of one that is over, too."""
    lateness = sample.lateness or 0

    def is_over(e: Event, _own: Window | None, there: Window) -> bool:
        return e.watermark >= there.b + slack(sample.window) + lateness

    def takes(e: Event, is_open: bool) -> bool:
        return (late and is_open) or sample.takes(e, late_for_first(sample.window, e.time))

    return _hold_one(sample, events, is_over, takes)


def _hold_one(
    sample: Sample,
    events: list[Event],
    is_over: Callable[[Event, Window | None, Window], bool],
    takes: Callable[[Event, bool], bool],
) -> Iterator[Window]:
    """The one window of a key that is open, with what comes until it is over; then the next event opens its own."""
    there: Window | None = None
    held: list[Event] = []
    for e in sort_arrived(events):
        own = next(split(sample.window, [e]), None)
        if there is not None and is_over(e, own, there):
            yield there._replace(events=sorted(held, key=time_and_arrival))
            there = None
        if not takes(e, there is not None):
            continue
        if there is None:
            there, held = own, []
        if there is not None:
            held.append(e)
    if there is not None:
        yield there._replace(events=sorted(held, key=time_and_arrival))
