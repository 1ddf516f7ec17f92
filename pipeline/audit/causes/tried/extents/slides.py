"""What a job may have taken for its sliding windows: their ends, their length, where they begin."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import gcd
from typing import Final

from swagproof.models.windows.kinds import Ends, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Sample, Window, split
from swagproof.pipeline.audit.causes.spans import get_second, show_span

QUARTER: Final = 900
"""Of an hour, in seconds: time zones are so many of them away from each other."""

_PAUSE: Final = 4
"""How many windows there are for an event at most, where windows without events of their own are looked into."""

_SECONDS: Final = (1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, *(day * 86_400 for day in range(1, 7)))
"""By so many, clocks are off; by hours they are as in another time zone."""


def _reach(window: Sliding, low: int, high: int) -> Hypothesis:
    """The windows with their begin and end moved, under the names that they have."""

    half, more = window.half_open, abs(low) + abs(high)

    def windows(events: list[Event]) -> Iterator[Window]:
        times = [e.time for e in events]
        if not times:
            return
        end, last = half.first_end(times[0] - more), half.last_end(times[-1] + more)
        while end <= last:
            i, j = bisect_left(times, end - half.range + low), bisect_left(times, end + high)
            if i < j:
                a = end - half.range - half.offset + window.offset
                yield Window(a, a + window.range, events[i:j])
                end += window.slide
            else:  # over a pause, however long
                end = max(end + window.slide, half.first_end(times[i] - more)) if i < len(times) else last + 1

    return Hypothesis("", "", windows=windows)


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name in sample.due}


_OFF: Final[dict[Ends, tuple[int, int]]] = {"left": (0, 0), "right": (1, 1), "both": (0, 1), "neither": (1, 0)}
"""How many ticks a window that holds these ends begins, and ends, after one that holds its begin alone."""


def list_slides(sample: Sample) -> Iterator[Hypothesis]:
    """Other sliding windows."""
    window = sample.window
    if not isinstance(window, Sliding):
        return
    range_, slide, tick = window.range, window.slide, sample.tick
    begin, end = ("its begin", "its end")
    for low, high, why in (
        (0, 1, f"holds the events at {end}, too"),
        (1, 0, f"leaves out the events at {begin}"),
        (1, 1, f"holds the events at {end} in place of those at {begin}"),
        (1, -1, "leaves out the events of its first and last tick"),
        (0, -1, "leaves out the events of its last tick"),
        (-1, 0, f"holds the events one tick before {begin}, too"),
        (-1, -1, "is one tick early"),
        (-1, 1, "is one tick longer at both ends"),
    ):
        off = _OFF[window.closed][0] + low, _OFF[window.closed][1] + high
        closed = next((ends for ends, it in _OFF.items() if it == off), None)
        say = "" if closed is None else f"closed {closed} in --window"
        one = replace(_reach(window, low, high), cause="ends", why=f"each window {why}", say=say)
        yield one
        if closed is not None and not window.leading:  # which windows there are hangs on the first event, too
            yield replace(one, windows=partial(sample.split, replace(window, closed=closed)))
        if low < 0 or high > 0:  # such events make no window of their own
            yield replace(one, why=f"{one.why}, where it has others", results=partial(_keep_due, sample))
    for step in dict.fromkeys((slide, gcd(range_, slide))):
        if slide < range_ and (step == slide or step != range_ - slide):
            said = show_span(step, tick)
            yield replace(_reach(window, step, 0), cause="a pane short", why=f"each window begins {said} late")
            yield replace(_reach(window, 0, -step), cause="a pane short", why=f"each window ends {said} early")
            yield replace(_reach(window, -step, 0), cause="a pane long", why=f"each window begins {said} early")
            yield replace(_reach(window, 0, step), cause="a pane long", why=f"each window ends {said} late")
    if slide < range_:
        over = range_ - slide
        said = show_span(slide, tick)
        for low, high, which in ((0, -over, "first"), (over, 0, "last")):
            yield replace(
                _reach(window, low, high), cause="another range", why=f"each window holds its {which} {said} alone"
            )
        if over != slide:
            why = f"an event less than {show_span(over, tick)} before a window is put into it"
            yield replace(_reach(window, -over, 0), cause="one window too many", why=why)
    for low, high in ((0, range_), (-range_, 0), (0, -range_ // 2), (range_ // 2, 0)):
        why = f"each window is {'twice' if abs(low) + abs(high) == range_ else 'half'} as long"
        yield replace(_reach(window, low, high), cause="another range", why=why)
    for before, after, why in (
        (False, True, "holds all events from its begin on, and is never closed"),
        (True, False, "holds all events before its end, and forgets none"),
    ):
        never = partial(_list_endless, window, before, after)
        yield Hypothesis("windows without end", f"each window {why}", windows=never, bits=1.0)
    yield from _move_windows(sample, window)
    steps = {slide: "a slide", range_: "a window"} | {k: show_span(k, tick) for k in range(2, 10) if tick is None}
    second = get_second(tick)
    spans = [n * second for n in _SECONDS if n * second < range_] if tick is not None else []
    for step, said in ({span: show_span(span, tick) for span in spans} | steps).items():
        for sign, where in ((1, "later"), (-1, "earlier")):
            yield replace(
                move_times(sign * step, "times moved", f"counts events {said} {where} than they were"),
                bits=6.0 if step == range_ else 0.0,  # that names are moved is likelier
            )
    if tick is not None:
        for quarters in sorted({*range(-56, 57, 4), *(22, -14, 38, -38, 23, 51, 14, 18, 26, 42)} - {0}, key=abs):
            by = quarters * QUARTER * get_second(tick)
            at_epoch = window.offset and (window.offset + by) % slide == 0
            if (by % slide or by % range_) and not at_epoch:
                said = show_span(abs(by), tick)
                why = f"counts events {said} {'later' if by > 0 else 'earlier'} than they were"
                yield move_times(by, "time zone", f"{why}, as in another time zone")
                moved = replace(window, offset=(window.offset + by) % slide)
                why = f"its windows begin {show_span(by % slide, tick)} later, as in another time zone"
                yield Hypothesis("time zone", why, windows=partial(sample.split, moved))
    if any(events and events[0].time < 0 for events in sample.events.values()):
        for least, why in ((0, "rounds starts towards zero"), (-range_, "takes a remainder that is negative below it")):
            yield Hypothesis(
                "remainder below zero",
                f"{why}, so that windows of times below zero begin a slide late",
                windows=partial(_by_remainder, window, least),
            )
    yield from _list_passing(window)


def _list_endless(window: Sliding, before: bool, after: bool, events: list[Event]) -> Iterator[Window]:
    """The windows from the first event to the last, with all events before their end, or after their begin."""
    times, held = [e.time for e in events], list(split(window, events))
    half = window.half_open
    if held and (held[-1].a - held[0].a) // window.slide < _PAUSE * len(events):  # else those with events of their own
        begins: Sequence[int] = range(held[0].a, held[-1].a + 1, window.slide)
    else:
        begins = [w.a for w in held]
    for a in begins:
        begin = a + half.offset - window.offset
        i, j = bisect_left(times, begin), bisect_left(times, begin + half.range)
        kept = events[0 if before else i : len(events) if after else j]
        if kept:
            yield Window(a, a + window.range, kept)


def _by_remainder(window: Sliding, least: int, events: list[Event]) -> Iterator[Window]:
    held: dict[int, list[Event]] = {}
    for event in events:
        into = (event.time - window.offset) % window.slide
        last = event.time - into + (window.slide if into and event.time < least else 0)
        least_start = last - 1 if window.slide == window.range else event.time - window.range
        for a in range(last, least_start, -window.slide):
            held.setdefault(a, []).append(event)
    for a in sorted(held):
        yield Window(a, a + window.range, held[a])


def _list_passing(window: Sliding) -> Iterator[Hypothesis]:
    """Windows of so many panes that have events, as rows of a table of panes are, whatever lies between them."""
    panes = window.range // window.slide
    if window.range % window.slide or panes < 2:
        return
    for ahead, which in ((False, "last"), (True, "next")):
        why = (
            f"takes the {which} {panes:,} panes that have events for each window, however far apart, as rows are taken"
        )
        yield Hypothesis("empty windows passed over", why, windows=partial(_pass_over, window, panes, ahead))


def _pass_over(window: Sliding, panes: int, ahead: bool, events: list[Event]) -> Iterator[Window]:
    there = list(split(replace(window, range=window.slide), events))
    for i, pane in enumerate(there):
        held = there[i : i + panes] if ahead else there[max(0, i + 1 - panes) : i + 1]
        begin = pane.a if ahead else pane.b - window.range
        yield Window(begin, begin + window.range, [e for one in held for e in one.events])


def move_times(by: int, cause: str, why: str) -> Hypothesis:
    """Events earlier or later than they were."""
    return Hypothesis(
        cause,
        why,
        events=lambda all_: {key: [e._replace(time=e.time + by) for e in events] for key, events in all_.items()},
    )


def _move_windows(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows that begin where results do that are of no window."""
    begins = [
        a if a is not None else (b or 0) - window.range
        for _, a, b in sample.open
        if (a is not None or b is not None) and not window.has(a, b)
    ]
    for offset, _ in Counter(a % window.slide for a in begins).most_common(2):
        by = (offset - window.offset) % window.slide
        zone = sample.tick is not None and by % (QUARTER * get_second(sample.tick)) == 0
        moved = replace(window, offset=offset)
        at_epoch = offset == 0 and window.offset != 0
        said = (
            f"{show_span(by, sample.tick)} after"
            if 2 * by <= window.slide
            else f"{show_span(window.slide - by, sample.tick)} before"
        )
        why = f"its windows begin {said} those that are asked for"
        why += ", at the epoch" if at_epoch else ", as in another time zone" if zone else ""
        cause = "time zone" if zone and not at_epoch else "windows moved"
        shown = show_span(offset % window.slide, sample.tick)
        say = "no offset in --window" if at_epoch else f"offset {shown} in --window"
        yield Hypothesis(cause, why, windows=partial(sample.split, moved), needs=2, say=say)
