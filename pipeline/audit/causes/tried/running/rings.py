"""Windows of panes that are kept in a ring, of which a slot is cleared when an event comes for it, and not before.

A window that slides by the minute may be a ring of so many slots, each of a minute, that are used again one round
later.  Where nothing comes in a minute nobody clears its slot: what was there a round ago, or several, is counted
still.  A ring that is a slot too long or too short has other slots.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import gcd, log2
from typing import Final

from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window
from swagproof.pipeline.audit.causes.spans import get_second, show_span

_MOST: Final = 1_500
"""How many slots a ring has at most."""
_MORE: Final = 1_000
"""How many windows more than there are may be shown."""


@dataclass(frozen=True)
class _Ring:
    """A ring of so many slots."""

    pane: int
    slots: int
    shows: bool
    """Whether a window without events is shown between the first and the last event."""


def list_rings(sample: Sample) -> Iterator[Hypothesis]:
    """Rings of panes of the slide, or of a plain span that it has some of."""
    window = sample.window
    if not isinstance(window, Sliding) or window.half_open.range != window.range:
        return
    panes = [gcd(window.range, window.slide)]
    if sample.tick is not None:
        panes += [n * get_second(sample.tick) for n in (3600, 60, 1)]
    found: list[Hypothesis] = []
    for pane in dict.fromkeys(panes):
        slots = window.range // pane
        if panes[0] % pane or not 1 < slots <= _MOST:
            continue
        for more in (0, 1, -1):
            for shows in (False, True):
                if slots + more > 1 and not (shows and _shows_too_many(sample, window)):
                    ring = _Ring(pane, slots + more, shows)
                    why = f"keeps its panes of {show_span(pane, sample.tick)} in a ring of {ring.slots:,}, where one "
                    why += "without events has what was there a round before"
                    why += ", and shows windows without events, too" if shows else ""
                    found.append(Hypothesis("state kept", why, windows=partial(_turn, sample, window, ring)))
    for one in found:
        yield Hypothesis(one.cause, one.why, windows=one.windows, bits=log2(len(found)))


def _shows_too_many(sample: Sample, window: Sliding) -> bool:
    spans = (events[-1].time - events[0].time for events in sample.events.values() if events)
    return sum(span // window.slide for span in spans) > len(sample.due) + len(sample.results) + _MORE


def _turn(sample: Sample, window: Sliding, ring: _Ring, events: list[Event]) -> Iterator[Window]:
    """The windows with what is in the ring then."""
    offset = window.half_open.offset
    panes: dict[int, list[Event]] = {}
    for e in events:
        panes.setdefault((e.time - offset) // ring.pane, []).append(e)
    numbers, there = sorted(panes), 0
    held: dict[int, int] = {}
    for a in _list_begins(sample, window, ring, events):
        last = (a + window.range - window.offset) // ring.pane - 1
        until = bisect_left(numbers, last + 1)
        for number in numbers[there:until]:
            held[number % ring.slots] = number
        there = until
        content = [e for number in sorted(held.values()) for e in panes[number]]
        yield Window(a, a + window.range, content)


def _list_begins(sample: Sample, window: Sliding, ring: _Ring, events: list[Event]) -> Iterator[int]:
    """The begins of the windows that are shown, in order."""
    if not ring.shows or not events:
        yield from (w.a for w in sample.split(window, events))
        return
    half, shift = window.half_open, window.half_open.offset - window.offset
    first, last = half.first_end(events[0].time), half.last_end(events[-1].time)
    yield from range(first - window.range - shift, last - window.range - shift + 1, window.slide)
