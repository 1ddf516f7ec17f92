"""Windows and sessions that end at the borders of a larger period, too: who groups by the hour, the day or the year
besides has each that goes over one in parts.

All parts are there, or but one where they are written under the same name: the last one, or the first.  Where the data
cross no border of one period that is not one of another, too, both are told.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby, pairwise
from math import log2
from typing import Final

from swagproof.models.windows.kinds import MONDAY, Calendar, CalendarUnit, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.spans import get_second, show_span

_SPANS: Final = (300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200)
"""Seconds of the parts of a day."""
_PLAIN: Final = (3600, 43_200)
"""The same, of windows."""
_DATES: Final[dict[str, tuple[CalendarUnit, int, int]]] = {
    "year": ("month", 12, 0),
    "month": ("month", 1, 0),
    "week": ("day", 7, MONDAY),
    "day": ("day", 1, 0),
}
_QUARTERS: Final = range(-48, 57)
"""By how many quarters of an hour clocks are ahead of those of UTC."""
_CLOCKS: Final = 3
"""How many clocks are tried of which the results do not say otherwise."""

Cut = tuple[Name, int]
"""Before which event of a window, by its arrival number, a border lies."""


@dataclass(frozen=True)
class _Period:
    """A period in words, the number of that which a time lies in, and when one begins."""

    said: str
    number: Callable[[int], int]
    start: Callable[[int], int]
    rare: float = 0.0
    """Bits of choosing it."""


def list_parted(sample: Sample) -> Iterator[Hypothesis]:
    """Each period whose borders some window crosses, and what becomes of the parts."""
    window = sample.window
    if sample.tick is None or not isinstance(window, Sliding | Calendar | Session):
        return
    periods: dict[frozenset[Cut], list[_Period]] = {}
    for one in (*_list_periods(sample), *_list_local(sample)):
        cuts = frozenset(_find_cuts(sample, one))
        if _are_wrong(sample, {name for name, _ in cuts}) and (one.rare == 0.0 or cuts not in periods):
            periods.setdefault(cuts, []).append(one)
    is_session = isinstance(window, Session)
    whole, cause = ("session", "sessions parted otherwise") if is_session else ("window", "windows by another formula")
    for those in periods.values():
        said = f"each {' or '.join(one.said for one in those)}"
        parted = f"parts its {whole}s at the begin of {said}, too"
        ways: list[tuple[str, Callable[[Foretold], Foretold]]] = [
            (f"{parted}, and leaves of each but the part that is last", partial(_part, sample, those[0], "last")),
            (f"{parted}, and leaves of each but the part that is first", partial(_part, sample, those[0], "first")),
            (f"{parted}, and names each part as the whole {whole}", partial(_part, sample, those[0], "both")),
            (f"{parted}, and ends them there", partial(_part, sample, those[0], "ends")),
        ]
        if is_session:
            ways.append((parted, partial(_part, sample, those[0], "own")))
        for why, results in ways:
            bits = log2(len(periods) * len(ways)) + those[0].rare
            yield Hypothesis(cause, why, results=results, needs=2, bits=bits)


def _are_wrong(sample: Sample, names: Collection[Name]) -> bool:
    """Whether most of what goes over a border is not right."""
    wrong = sum(name in sample.open for name in names)
    return wrong > 1 and 2 * wrong > len(names)


def _list_periods(sample: Sample) -> Iterator[_Period]:
    """Those of UTC, or of the zone of the windows, the largest first."""
    second, window = get_second(sample.tick), sample.window
    zone = window.zone if isinstance(window, Calendar) else "UTC"
    for said, (unit, n, offset) in _DATES.items():
        units = Calendar(unit, 1, 1, 0, zone, second=second)
        yield _Period(said, partial(_number_dates, units, n, offset), partial(_start_dates, units, n, offset))
    for n in reversed(_SPANS if isinstance(window, Session) else _PLAIN):
        length = n * second
        said = "hour" if n == 3600 else f"full {show_span(length, sample.tick)}"
        yield _Period(said, partial(_number_spans, length, 0), partial(_start_spans, length, 0))


def _number_dates(units: Calendar, n: int, offset: int, time: int) -> int:
    return (units.number(time) - offset) // n


def _start_dates(units: Calendar, n: int, offset: int, number: int) -> int:
    return units.start(number * n + offset)


def _number_spans(length: int, ahead: int, time: int) -> int:
    return (time + ahead) // length


def _start_spans(length: int, ahead: int, number: int) -> int:
    return number * length - ahead


def _list_local(sample: Sample) -> Iterator[_Period]:
    """Days of other clocks, of which it is midnight before the first event of each session that is not due."""
    if not isinstance(sample.window, Session) or "a" not in sample.on:
        return
    steps = ((key, before.time, e.time) for key, es in sample.events.items() for before, e in pairwise(es))
    places = {(key, time): before for key, before, time in steps if before < time}
    begun = {name[:2] for name in sample.due}
    named = ((name[0], name[1]) for name in sample.open if name[1] is not None and name[:2] not in begun)
    borders = [(places[place], place[1]) for place in named if place in places]
    second, found = get_second(sample.tick), 0
    day = 86_400 * second
    for quarters in sorted(_QUARTERS, key=lambda n: (n % 2, n % 4, abs(n))) if len(borders) > 1 else ():
        ahead = quarters * 900 * second
        if quarters and all((low + ahead) // day < (high + ahead) // day for low, high in borders):
            hours, rest = divmod(abs(quarters), 4)
            said = f"day of UTC{'+' if quarters > 0 else '-'}{hours:02}:{rest * 15:02}"
            number, start = partial(_number_spans, day, ahead), partial(_start_spans, day, ahead)
            yield _Period(said, number, start, log2(len(_QUARTERS)))
            found += 1
        if found == _CLOCKS:
            return


def _find_cuts(sample: Sample, period: _Period) -> Iterator[Cut]:
    """Where the windows that are due go over borders."""
    number = cache(period.number)
    for name, parts in sample.due.items():
        for part in parts:
            if part.events and number(part.events[0].time) != number(part.events[-1].time):
                numbers = [number(e.time) for e in part.events]
                cuts = zip(part.events[1:], pairwise(numbers), strict=True)
                yield from ((name, e.arrival) for e, (one, next_) in cuts if one != next_)


def _part(sample: Sample, period: _Period, kept: str, found: Foretold) -> Foretold:
    """What is foretold, in parts: one, or each, by the name of the whole, by its own, or with its own end."""
    made: Foretold = {}
    number = cache(period.number)
    for name, parts in found.items():
        for part in parts:
            runs = [(n, Part(list(some))) for n, some in groupby(part.events, key=lambda e: number(e.time))]
            if kept in ("first", "last"):
                runs = runs[:1] if kept == "first" else runs[-1:]
            for n, run in runs:
                named = kept == "ends" or (kept == "own" and len(runs) > 1)
                own = _name(sample, period, name, n, run.events, ends=kept == "ends") if named else name
                made.setdefault(own, []).append(run)
    return made


def _name(sample: Sample, period: _Period, name: Name, n: int, run: Sequence[Event], *, ends: bool) -> Name:
    """What a part is called by itself."""
    (key, a, b), window = name, sample.window
    first, end = period.start(n), period.start(n + 1)
    if isinstance(window, Session):
        over = run[-1].time + window.gap
        return sample.name(key, run[0].time, min(over, end) if ends else over)
    return key, None if a is None else max(a, first), None if b is None else min(b, end)
