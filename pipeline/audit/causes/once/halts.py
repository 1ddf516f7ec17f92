"""A job that was halted, and begun again: it wrote what its open windows held, which begin anew then; or it lost what
its frames hold, so that no frame reaches back behind that moment.

Of a window that is written twice the two results say where it was cut, as some events give the one, and those that came
after them the other.  Of frames the first of each key that is wrong says it: just those from there on begin anew.  So
each says between which two events the moment lies, and it is where most agree.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Final, TypeVar

from swagproof.models.windows.kinds import Calendar, Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Got, Name, Part, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

_LOOKED: Final = 200
_WIDEST: Final = 400
"""How many windows with several results are looked into, and how many events each has at most."""
_TIMES: Final = 5
"""How often at most a job was begun again."""
_RARE: Final = 3.0
"""Bits of each moment besides its place."""

_T = TypeVar("_T", int, tuple[int, int])
Place = tuple[int, int]
Between = tuple[Place, Place]
"""After the one event, and before or at the other."""


def find_halts(sample: Sample, left: Collection[Name], show_time: Callable[[int], str]) -> Iterator[Hypothesis]:
    """The moments at which open windows were written, or the state of frames was lost: one, and one more each time."""
    if isinstance(sample.window, Sliding | Calendar):
        yield from _find_flushes(sample, left)
    if isinstance(sample.window, Frame) and (sample.window.start is None or sample.window.start < 0):
        yield from _find_lost_frames(sample, show_time)


def _find_flushes(sample: Sample, left: Collection[Name]) -> Iterator[Hypothesis]:
    cuts = [_find_cuts(sample, name) for name in sorted(left, key=str) if _is_twice(sample, name)][:_LOOKED]
    came = list(sample.arrivals)
    moments: tuple[int, ...] = ()
    while len(moments) < _TIMES:
        open_ = [mine for mine in cuts if mine and not any(low < at <= high for low, high in mine for at in moments)]
        at = _agree(open_)
        if at is None:
            return
        number = came[bisect_right(came, max(low for mine in open_ for low, high in mine if low < at <= high))]
        moments = tuple(sorted((*moments, number)))
        *first, last = (f"{n:,}" for n in moments)
        which = f"event {last} comes" if not first else f"each of the events {', '.join(first)} and {last} comes"
        yield Hypothesis(
            "partial results",
            f"writes what its open windows hold before {which}, and begins them again, so that each has two results",
            results=partial(_flush, moments),
            needs=1 + len(moments),
            bits=len(moments) * (log2(max(2, len(came))) + _RARE),
        )


def _is_twice(sample: Sample, name: Name) -> bool:
    parts = sample.due.get(name, ())
    return len(sample.results.get(name, ())) == 2 and len(parts) == 1 and 1 < len(parts[0].events) <= _WIDEST


def _find_cuts(sample: Sample, name: Name) -> list[tuple[int, int]]:
    """After the arrival of which event, and before or at that of which other, a window was cut in two."""
    came, got = sort_arrived(sample.due[name][0].events), sample.results[name]
    found: list[tuple[int, int]] = []
    for n in range(1, len(came)):
        halves = [sorted(half, key=time_and_arrival) for half in (came[:n], came[n:])]
        if _has(sample, halves, got):
            found.append((came[n - 1].arrival, came[n].arrival))
    return found


def _agree(places: Sequence[Sequence[tuple[_T, _T]]]) -> _T | None:
    """The first place at which most of these may have been cut; None where it is but one of them."""
    ends = sorted({high for mine in places for _, high in mine})
    votes = Counter({at: sum(any(low < at <= high for low, high in mine) for mine in places) for at in ends})
    ((at, n),) = votes.most_common(1) or ((None, 0),)
    return at if n > 1 else None


def _has(sample: Sample, parts: Sequence[Sequence[Event]], got: Sequence[Got]) -> bool:
    """Whether the results of a window are those of these events."""
    try:
        return sample.fits([sample.answer(part) for part in parts], got)
    except (ArithmeticError, ValueError, TypeError):  # such events have no such aggregate
        return False


def _flush(moments: Sequence[int], found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        made[name] = []
        for part in parts:
            rest = list(part.events)
            for number in moments if part.answer is None else ():
                before = [e for e in rest if e.arrival < number]
                after = [e for e in rest if e.arrival >= number]
                if before and after:
                    made[name].append(Part(before))
                    rest = after
            made[name].append(replace(part, events=rest) if len(rest) < len(part.events) else part)
    return made


def _find_lost_frames(sample: Sample, show_time: Callable[[int], str]) -> Iterator[Hypothesis]:
    moments: tuple[Place, ...] = ()
    while len(moments) < _TIMES:
        found = _lose(moments, sample.due) if moments else sample.due
        at = _agree([[between] for key in sample.events if (between := _find_wrong(sample, key, found)) is not None])
        if at is None or at in moments:
            return
        moments = tuple(sorted((*moments, at)))
        *first, last = (show_time(time) for time, _ in moments)
        which = f"{', '.join(first)} and {last}" if first else last
        yield Hypothesis(
            "state lost",
            f"loses what its frames hold before {which}, where they begin again from nothing",
            results=partial(_lose, moments),
            needs=1 + len(moments),
            bits=len(moments) * (log2(max(2, len(sample.arrivals))) + _RARE),
        )


def _find_wrong(sample: Sample, key: str, found: Foretold) -> Between | None:
    """The first event of a key whose frame is not as it is foretold, but begins with itself; and that before it."""
    before: Event | None = None
    for e in sample.events[key]:
        name = sample.name(key, e.time, e.arrival)
        parts, got = found.get(name, ()), sample.results.get(name, ())
        if len(parts) == 1 and parts[0].answer is None and not _has(sample, [parts[0].events], got):
            alone = [it for it in parts[0].events if it[:2] >= e[:2]]
            if before is None or not _has(sample, [alone], got):
                return None
            return before[:2], e[:2]
        before = e
    return None


def _lose(moments: Sequence[Place], found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        at = name[1] or 0, name[2] if name[2] is not None else _END
        since = max((moment for moment in moments if moment <= at), default=None)
        made[name] = [
            part if since is None or part.answer is not None else Part([e for e in part.events if e[:2] >= since])
            for part in parts
        ]
    return made


_END: Final = 2**63
"""After all arrivals of a time, where results name no arrival."""
