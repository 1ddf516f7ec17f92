"""Sessions that end so long after their first event, as where its timer is set once, and no later event moves it.

Where a job sorts what it has by time, the first event that is the gap after the first one, or more, begins the next
session.  Where it takes events as they come, all that comes of a key until its timer fires is one session, whatever its
time.  Either may count events that come late, and say that a session ends with its timer, or the gap after its last.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Takes, Window, take_all, time_and_arrival
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

_CAUSE: Final = "sessions parted otherwise"


def list_timers(sample: Sample) -> Iterator[Hypothesis]:
    """Sessions from their first event on, by time and as they come."""
    window = sample.window
    if not isinstance(window, Session):
        return
    said = show_span(window.gap, sample.tick)
    cuts: dict[str, Takes] = {"": sample.takes}
    if sample.delay is not None:
        cuts[", and counts late events, too"] = take_all
        cuts[", and counts no event that is behind the watermark"] = _is_ahead
    found: list[Hypothesis] = []
    begun = f"makes windows of {said} from their first event on, and not sessions"
    for (late, takes), at_timer in product(cuts.items(), (False, True)):
        why = begun if at_timer else f"parts sessions {said} after their first event"
        windows = partial(_cut_in_order, window, at_timer)
        found.append(Hypothesis(_CAUSE, f"{why}{late}", windows=windows, takes=takes))
    if sample.delay is not None:
        why = f"{begun}, each of which takes events until the watermark is at its end"
        found.append(Hypothesis(_CAUSE, why, windows=partial(_open_at_first, window.gap)))
        ends = {False: "the gap after its last event", True: "when its timer is due"}
        begins = {False: "with its least time", True: "with the event that came first"}
        for at_first, at_timer in product(begins, ends):
            why = (
                f"sets one timer of a key, {said} after the event that came first, puts all that comes before it fires "
                f"into one session, and says that this begins {begins[at_first]} and ends {ends[at_timer]}"
            )
            windows = partial(_hold_until_fired, window.gap, at_first, at_timer)
            found.append(Hypothesis(_CAUSE, why, windows=windows, takes=take_all))
    for one in found:
        yield replace(one, bits=log2(len(found)) + 1.0)


def _is_ahead(e: Event, _end: int) -> bool:
    return e.watermark <= e.time


def _cut_in_order(window: Session, at_timer: bool, events: list[Event]) -> Iterator[Window]:
    """Events in the order of time, from the first of each session to before its timer."""
    run: list[Event] = []
    for e in events:
        if run and window.parts(run[0].time, e.time):
            yield _close(run, run[0].time, run[0 if at_timer else -1].time + window.gap)
            run = []
        run.append(e)
    if run:
        yield _close(run, run[0].time, run[0 if at_timer else -1].time + window.gap)


def _open_at_first(gap: int, events: list[Event]) -> Iterator[Window]:
    """Windows that begin with an event that no window before it takes, each closed when the watermark is at its end."""
    made: list[list[Event]] = []
    for e in sort_arrived(events):
        run = next((run for run in made if run[0].time <= e.time < run[0].time + gap > e.watermark), None)
        if run is not None:
            run.append(e)
        elif e.time + gap > e.watermark:
            made.append([e])
    for run in made:
        yield _close(run, run[0].time, run[0].time + gap)


def _hold_until_fired(gap: int, at_first: bool, at_timer: bool, events: list[Event]) -> Iterator[Window]:
    """What comes of a key until the watermark is at the timer that its first event set."""
    runs: list[list[Event]] = []
    for e in sort_arrived(events):
        if not runs or runs[-1][0].time + gap <= e.watermark:
            runs.append([])
        runs[-1].append(e)
    for run in runs:
        times = [e.time for e in run]
        end = run[0].time if at_timer else max(times)
        yield _close(run, run[0].time if at_first else min(times), end + gap)


def _close(run: list[Event], begin: int, end: int) -> Window:
    return Window(begin, end, sorted(run, key=time_and_arrival))
