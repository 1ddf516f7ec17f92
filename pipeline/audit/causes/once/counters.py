"""Windows of so many events whose counts were lost at some moment, as at a restart, and not the events that they held.

Of each key the window that was half full then holds as many events more as it had, and all after it hold later events
than they should: by a whole window in which these are.  Or what it held is shown as a window of its own, with fewer.
So each key says between which of its events the moment lies: where its first wrong window, and those after it, are
right of what they would hold then.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.once.buffers import Between, Place, find_place, list_agreed, order
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import has_result

_WORK: Final = 4_000_000
"""How many events are aggregated at most to find a moment."""
_AFTER: Final = 3
"""How many windows of a key are looked at."""
_TIMES: Final = 5
"""How often at most a job was begun again."""
_RARE: Final = 4.0
"""Bits of each moment besides its place."""
_WAYS: Final = {
    True: "forgets how many events its half-filled windows hold, not which, before {}, so that they have up to {} more",
    False: "shows its half-filled windows, however few events they hold, before {}, and goes on with the next",
}
"""What becomes of what was there, by whether it is held on."""


def find_lost_counts(sample: Sample) -> Iterator[Hypothesis]:
    """The moments that most keys agree about, each found beside those before."""
    window = sample.window
    if not isinstance(window, Counted) or window.n != window.every or window.n < 2:
        return
    keys = sorted({name[0] for name in sample.open} & sample.events.keys())
    longest = max((len(sample.events[key]) for key in keys), default=0)
    keys = keys[: _WORK // (window.n * (2 * _AFTER * window.n + longest))]
    for held in _WAYS:
        cuts: tuple[Place, ...] = ()
        while len(cuts) < _TIMES:
            tried = list_agreed(sample, window, [_find_places(sample, window, key, cuts, held=held) for key in keys])
            more = [tuple(sorted((*cuts, at))) for at in tried if at not in cuts]
            best = max([cuts, *more], key=lambda some: _count_right(sample, window, some, held=held))
            if best == cuts:
                break
            cuts = best
            yield _forget(sample, window, cuts, held=held)


def _fill(window: Counted, cuts: Sequence[Place], events: Sequence[Event], *, held: bool) -> list[list[Event]]:
    """The windows of a key's events, in their order, with these moments; what is not full at last is none."""
    made, now, full = list[list[Event]](), list[Event](), window.n
    left = list(cuts)
    for e in events:
        while left and left[0] <= find_place(window, e):
            del left[0]
            if held:
                full = len(now) + window.n
            elif now:
                made.append(now)
                now = []
        now.append(e)
        if len(now) == full:
            made.append(now)
            now, full = [], window.n
    return made


def _has(sample: Sample, window: Counted, key: str, i: int, made: Sequence[Sequence[Event]]) -> bool:
    """Whether a window's result is that of its events; or is not there, where there is none."""
    name = sample.name(key, i * window.n + 1, (i + 1) * window.n)
    return has_result(sample, made[i] if i < len(made) else [], sample.results.get(name, []))


def _find_wrong(sample: Sample, window: Counted, key: str, made: Sequence[Sequence[Event]]) -> int:
    """The first window of a key that is not right; or how many there are."""
    n = max(len(sample.events[key]) // window.n, len(made))
    return next((i for i in range(n) if not _has(sample, window, key, i, made)), n)


def _count_right(sample: Sample, window: Counted, cuts: Sequence[Place], *, held: bool) -> int:
    """How many windows of all keys are right with these moments up to the first of their key that is not."""
    made = {key: _fill(window, cuts, order(window, events), held=held) for key, events in sample.events.items()}
    return sum(_find_wrong(sample, window, key, windows) for key, windows in made.items())


def _find_places(sample: Sample, window: Counted, key: str, cuts: tuple[Place, ...], *, held: bool) -> list[Between]:
    """Where a key's first window that is not right with these moments was half full."""
    events = order(window, sample.events[key])
    made = _fill(window, cuts, events, held=held)
    wrong = _find_wrong(sample, window, key, made)
    begin = sum(len(one) for one in made[:wrong])
    found: list[Between] = []
    for at in range(begin + 1, min(begin + window.n, len(events))):
        low, high = (find_place(window, events[i]) for i in (at - 1, at))
        stop = at + (_AFTER + 1) * window.n
        here = _fill(window, (*(cut for cut in cuts if cut < high), high), events[:stop], held=held)
        if all(_has(sample, window, key, i, here) for i in range(wrong, min(wrong + _AFTER, len(here) or 1))):
            found.append((low, high))
    return found


def _forget(sample: Sample, window: Counted, cuts: tuple[Place, ...], *, held: bool) -> Hypothesis:
    number = {find_place(window, e): e.arrival for events in sample.events.values() for e in events}
    *first, last = (f"{number[cut]:,}" for cut in cuts)
    which = f"event {last} comes" if not first else f"each of the events {', '.join(first)} and {last} comes"
    return Hypothesis(
        "state lost",
        _WAYS[held].format(which, window.n - 1),
        windows=partial(_divide, window, cuts, held),
        needs=1 + len(cuts),
        bits=len(cuts) * (log2(max(2, len(sample.arrivals))) + _RARE),
    )


def _divide(window: Counted, cuts: tuple[Place, ...], held: bool, events: list[Event]) -> Iterator[Window]:
    for i, those in enumerate(_fill(window, cuts, order(window, events), held=held)):
        yield Window(i * window.n + 1, (i + 1) * window.n, sorted(those, key=time_and_arrival))
