"""Windows of so many events whose half-filled buffers were lost at some moment, as at a restart.

Of each key the events are lost that came since its last window was full; from then on its windows hold later events
than they should, each as many later as were lost.  So each key says between which of its events the moment lies: where
its first wrong window, and those after it, are right of as many events later.  The numbers of windows go on, or begin
again from one.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, Window, split, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import has_result, sort_arrived

_WORK: Final = 4_000_000
"""How many events are aggregated at most to find a moment."""
_AFTER: Final = 3
"""How many windows of a key are looked at."""
_TIMES: Final = 5
"""How often at most a job was begun again."""
_TRIED: Final = 12
"""How many events are tried of those at which a moment may be."""
_RARE: Final = 3.0
"""Bits of each moment besides its place, as of states that are lost."""

Place = tuple[int, int]
"""Where an event is in the order in which it is counted."""
Between = tuple[Place, Place]
"""After the one event, and before or at the other."""


def find_lost_buffers(sample: Sample) -> Iterator[Hypothesis]:
    """The moment that most keys agree about; and several, each found beside those before."""
    window = sample.window
    if not isinstance(window, Counted) or not 1 < window.every or window.n > window.every:
        return
    keys = _choose_keys(sample, window)
    cuts: tuple[Place, ...] = ()
    while len(cuts) < _TIMES:
        tried = list_agreed(sample, window, [_find_places(sample, window, key, cuts) for key in keys])
        more = [_sort(cuts, at) for at in tried if at not in cuts]
        best = max([cuts, *more], key=lambda some: _count_right(sample, window, some))
        if best == cuts:
            break
        cuts = best
        yield _lose(sample, window, cuts, again=False)
    for at in list_agreed(sample, window, [_find_places_again(sample, window, key) for key in keys]):
        yield _lose(sample, window, (at,), again=True)


def _sort(cuts: Sequence[Place], at: Place) -> tuple[Place, ...]:
    return tuple(sorted((*cuts, at)))


def _choose_keys(sample: Sample, window: Counted) -> list[str]:
    keys = sorted({name[0] for name in sample.open} & sample.events.keys())
    longest = max((len(sample.events[key]) for key in keys), default=0)
    return keys[: _WORK // (window.every * (_AFTER * window.every + longest))]


def find_place(window: Counted, e: Event) -> Place:
    """Where an event is in the order in which it is counted."""
    return (e.arrival, e.time) if window.by_arrival else (e.time, e.arrival)


def order(window: Counted, events: Sequence[Event]) -> list[Event]:
    """The events in the order in which they are counted."""
    return sort_arrived(events) if window.by_arrival else sorted(events, key=time_and_arrival)


def _name(sample: Sample, window: Counted, key: str, i: int) -> Name:
    end = (i + 1) * window.every
    return sample.name(key, end - window.n + 1, end)


def _find_wrong(sample: Sample, window: Counted, key: str, events: Sequence[Event]) -> int:
    """The first window of a key that is not right with these events; or how many there are."""
    n = max(len(sample.events[key]), len(events)) // window.every
    return next((i for i in range(n) if not _has(sample, window, key, i, events)), n)


def _count_right(sample: Sample, window: Counted, cuts: Sequence[Place]) -> int:
    """How many windows of all keys are right with these moments up to the first of their key that is not."""
    there = ((key, _keep(window, cuts, order(window, events))) for key, events in sample.events.items())
    return sum(_find_wrong(sample, window, key, events) for key, events in there)


def _find_places(sample: Sample, window: Counted, key: str, cuts: Sequence[Place]) -> list[Between]:
    """Where a key's first window that is not right with these moments was begun again."""
    all_ = order(window, sample.events[key])
    events = _keep(window, cuts, all_)
    wrong = _find_wrong(sample, window, key, events)
    found: list[Between] = []
    for at in range(wrong * window.every + 1, min((wrong + 1) * window.every, len(events))):
        low, high = (find_place(window, events[i]) for i in (at - 1, at))
        kept = _keep(window, _sort(cuts, high), all_)
        if all(_has(sample, window, key, i, kept) for i in range(wrong, wrong + _AFTER)):
            found.append((low, high))
    return found


def _find_places_again(sample: Sample, window: Counted, key: str) -> list[Between]:
    """Where the numbers of a key's windows began again, of which the first ones have two results then."""
    events, every = order(window, sample.events[key]), window.every
    there = [len(sample.results.get(_name(sample, window, key, i), ())) for i in range(len(events) // every)]
    if 2 not in there:
        return []
    found: list[Between] = []
    for full in {sum(n > 1 for n in there), sum(n > 0 for n in there)}:
        for at in range(full * every + 1, min((full + 1) * every, len(events))):
            both = [sample.answer(_cut(window, events, start)) for start in (0, at)]
            if sample.fits(both, sample.results.get(_name(sample, window, key, 0), [])):
                found.append((find_place(window, events[at - 1]), find_place(window, events[at])))
    return found


def _cut(window: Counted, events: Sequence[Event], start: int) -> list[Event]:
    """What a window holds that is full so many events after one."""
    return list(events[start + window.every - window.n : start + window.every])


def _has(sample: Sample, window: Counted, key: str, i: int, events: Sequence[Event]) -> bool:
    """Whether a window's result is that of its events; or is not there, where they are too few."""
    start = i * window.every
    held = _cut(window, events, start) if start + window.every <= len(events) else []
    return has_result(sample, held, sample.results.get(_name(sample, window, key, i), []))


def list_agreed(sample: Sample, window: Counted, places: Sequence[Sequence[Between]]) -> list[Place]:
    """Events before which most keys agree that it was, the last first."""
    there = [between for those in places for between in those]
    if not there:
        return []

    def count(at: Place) -> int:
        return sum(any(low < at <= high for low, high in those) for those in places)

    best = max(sorted(high for _, high in there), key=count)
    around = [(low, high) for low, high in there if low < best <= high]
    low, high = max(low for low, _ in around), min(high for _, high in around)
    held = (find_place(window, e) for events in sample.events.values() for e in events)
    within = sorted((at for at in held if low < at <= high), reverse=True)
    return within[:: len(within) // _TRIED + 1]


def _keep(window: Counted, cuts: Sequence[Place], events: Sequence[Event]) -> list[Event]:
    """What is left of the events of a key, in their order."""
    kept: list[Event] = []
    left = list(cuts)
    for e in events:
        while left and left[0] <= find_place(window, e):
            del left[0], kept[len(kept) // window.every * window.every :]
        kept.append(e)
    return kept


def _lose(sample: Sample, window: Counted, cuts: tuple[Place, ...], *, again: bool) -> Hypothesis:
    number = {find_place(window, e): e.arrival for events in sample.events.values() for e in events}
    *first, last = (f"{number[cut]:,}" for cut in cuts)
    which = f"event {last} comes" if not first else f"each of the events {', '.join(first)} and {last} comes"
    how = "begins their numbers again" if again else "goes on with their numbers"
    return Hypothesis(
        "state lost",
        f"loses what its half-filled windows hold before {which}, and {how}",
        windows=partial(_begin_again if again else _go_on, window, cuts),
        needs=1 + len(cuts),
        bits=len(cuts) * (log2(max(2, len(sample.arrivals))) + _RARE),
    )


def _go_on(window: Counted, cuts: tuple[Place, ...], events: list[Event]) -> Iterator[Window]:
    yield from split(window, _keep(window, cuts, order(window, events)))


def _begin_again(window: Counted, cuts: tuple[Place, ...], events: list[Event]) -> Iterator[Window]:
    for later in (False, True):
        yield from split(window, [e for e in events if (find_place(window, e) >= cuts[0]) is later])
