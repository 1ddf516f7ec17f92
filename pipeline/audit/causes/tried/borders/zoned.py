"""Times of some events alone that are of another zone: those of one source, of one schema, or of one shard.

Who sends what the clocks of its zone show, without their offset, is an hour off in winter and two in summer, or nine
hours all year.  A shift that is the same for all, by an hour or two, is said so, and not by a zone
(`swagproof.pipeline.audit.causes.tried.events.columns`); else it is a zone that has just these offsets at these times.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding, find_zone
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
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
