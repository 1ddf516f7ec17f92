"""Times of some events alone that are of another zone: those of one source, of one schema, or of one shard; and hours
that are there twice, as clocks go back, for a job that tells times by what these show.

Who sends what the clocks of its zone show, without their offset, is an hour off in winter and two in summer, or nine
hours all year.  A shift that is the same for all, by an hour or two, is said so, and not by a zone
(`swagproof.pipeline.audit.causes.tried.events.columns`); else it is a zone that has just these offsets at these times.
"""

from collections.abc import Callable, Iterator
from datetime import tzinfo
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding, find_zone
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Events, Name, Sample
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.tried.events.columns import CELLS, HOURS, change_some
from swagproof.pipeline.audit.causes.tried.extents.calendars import ZONES, list_changes, read_clock, show_clock
from swagproof.pipeline.audit.causes.tried.states import choose_findings

_LOOKED: Final = 12
"""Into how many findings it is looked first."""
_SHARE: Final = 4
"""One of how many of these it has to explain: else it is not held against all."""
_FARTHEST: Final = 15 * 3600
"""How many seconds clocks are off at most."""

Read = Callable[[int], int]


def list_zoned(sample: Sample) -> Iterator[Hypothesis]:
    """The clocks of each zone, for the events that have the same in another column."""
    if sample.tick is None or not isinstance(sample.window, Sliding | Calendar | Session):
        return
    yield from _list_hours(sample)
    columns = ((i, name, sample.list_cells(i)) for i, name in enumerate(sample.columns))
    places = [(i, name, cell) for i, name, cells in columns if 1 < len(cells) <= CELLS for cell in cells]
    near = _find_near(sample) if places else []
    ways = list(_list_clocks(sample)) if near else []
    for i, name, cell in sorted(places, key=str):
        for said, read, bits in ways:
            moved = partial(change_some, i, cell, partial(_retime, read))
            if _explains_some(sample, near, moved):
                where = f"of events whose {name} is {'null' if cell is None else cell}"
                yield Hypothesis("time zone", f"takes the times {where} for {said}", events=moved, bits=bits)


def _list_hours(sample: Sample) -> Iterator[Hypothesis]:
    """One of two hours lost of which clocks show the same, as they go back, or both counted twice."""
    second = get_second(sample.tick)
    mine = [sample.window.zone] if isinstance(sample.window, Calendar) else []
    zones: dict[tuple[tuple[int, int], ...], str] = {}
    for zone in (*mine, *ZONES):
        own = find_zone(zone)
        times = (_find_turn(own, second, midnight) for midnight in sorted(list_changes(sample, own, second)))
        back = ((at, show_clock(own, second, at - 1) + 1 - show_clock(own, second, at)) for at in times)
        zones.setdefault(tuple((at, by) for at, by in back if by > 0), zone)
    zones.pop((), None)
    for turns, zone in zones.items():
        bits = 1.0 if zone in mine else RARE + log2(len(zones))
        both = f"of two hours of which clocks of {zone} show the same"
        for said, first, last, often in (
            (f"loses the first {both}", -1, 0, 0),
            (f"loses the second {both}", 0, 1, 0),
            (f"counts the events {both} twice", -1, 1, 2),
        ):
            events = partial(count_so_often, partial(_count_hours, turns, first, last, often))
            yield Hypothesis("time zone", said, events=events, bits=bits, filters=not often)


def _find_turn(zone: tzinfo, second: int, midnight: int) -> int:
    """When, on the day before this, clocks were changed."""
    low, high = midnight // second - 86_400, midnight // second
    before = show_clock(zone, 1, low) - low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if show_clock(zone, 1, middle) - middle == before else (low, middle)
    return high * second


def _count_hours(turns: tuple[tuple[int, int], ...], first: int, last: int, often: int, e: Event) -> int:
    return often if any(at + first * by <= e.time < at + last * by for at, by in turns) else 1


def _list_clocks(sample: Sample) -> Iterator[tuple[str, Read, float]]:
    """Other clocks, in words: of zones that are told from each other, and from an hour or two."""
    second = get_second(sample.tick)
    first = min((events[0].time for events in sample.events.values() if events), default=0)
    zones: dict[frozenset[tuple[int, int]], str] = {}
    for zone in ZONES:
        own = find_zone(zone)
        changes = list_changes(sample, own, second)
        offsets = frozenset((t, show_clock(own, second, t) - t) for t in (first, *changes))
        plain = not changes and all(by in {0, *(hours * 3600 * second for hours in HOURS)} for _, by in offsets)
        if not plain:
            zones.setdefault(offsets, zone)
    bits = RARE + log2(max(1, len(zones)))
    for zone in zones.values():
        own = find_zone(zone)
        yield f"what clocks of {zone} show", partial(show_clock, own, second), bits
        yield f"those at which clocks of {zone} show them", partial(read_clock, own, second), bits


def _retime(read: Read, e: Event) -> Event:
    return e._replace(time=read(e.time))


def _find_near(sample: Sample) -> list[tuple[Name, Events]]:
    """Some findings, each with the events of its key that other clocks may have in it."""
    found = list[tuple[Name, Events]]()
    far = _FARTHEST * get_second(sample.tick)
    names = choose_findings(sample)
    for name in names[:: len(names) // _LOOKED + 1]:
        held = sample.due[name][0].events
        extent = sample.window.range if isinstance(sample.window, Sliding) else held[-1].time - held[0].time
        low, high = held[0].time - far - extent, held[-1].time + far + extent
        if not isinstance(sample.window, Sliding):
            low, high = sample.events[name[0]][0].time, sample.events[name[0]][-1].time
        found.append((name, {name[0]: [e for e in sample.events[name[0]] if low <= e.time <= high]}))
    return found


def _explains_some(sample: Sample, near: list[tuple[Name, Events]], moved: Callable[[Events], Events]) -> bool:
    """Whether it has the results of as many of these findings as it should."""
    least, fits = max(1, len(near) // _SHARE), 0
    for name, events in near:
        parts = [part for key, es in moved(events).items() for which, part in sample.divide(key, es) if which == name]
        fits += has_result(sample, parts[0].events if parts else (), sample.results[name])
        if fits >= least:
            return True
    return False
