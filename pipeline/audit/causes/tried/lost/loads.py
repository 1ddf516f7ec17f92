"""What a job may have lost, or read again, at the seams of its loads: each takes what is later than what is there.

A load that asks for times greater than the greatest so far leaves out what came late, and what has just that time; one
that asks for times as great reads that again.  Which events these are, running the loads tells, once it is known how
many events each had: a column may number the loads, or say when events came, for one each hour.  Else many sizes are
tried.  Of each the events are found that it loses or doubles, and those are hypotheses that touch most findings and
fewest windows that are right.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import log2
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.spans import get_second, list_spans, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.divided import BATCHES, is_batch
from swagproof.pipeline.audit.causes.tried.events.columns import read_moments
from swagproof.pipeline.audit.causes.tried.events.timely import knows_all
from swagproof.pipeline.audit.causes.tried.events.touched import Often, choose_touching, find_often

_SIZES: Final = sorted({*BATCHES, *range(10, 500, 10), *range(500, 2001, 50)})
"""How many events a load may have."""
_MANY: Final = 5_000
"""How many loads there are at most that are told by when events came."""
_TRIED: Final = 6
"""How many ways of loading are held against all results."""

_LOADS: Final = (
    "takes of each {} those with times greater than the greatest so far",
    "takes of each {} those with times as great as the greatest so far, or greater",
    "takes with each {} what has times as great as the greatest so far, or greater, and so what it has already",
)
"""What a load takes, by how often it takes what has just the greatest time: not, once, or again each time."""

_MOMENTS: Final = (60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
"""Each how many seconds a job may load what came."""

_Way = tuple[str, Callable[[], Often]]


def list_loads(sample: Sample) -> Iterator[Hypothesis]:
    """The loads that touch most findings and fewest right results."""
    ways = list(_list_ways(sample))
    for why, often in choose_touching(sample, ways, _TRIED):
        lost = not all(often.values())
        yield Hypothesis(
            "left out by a load" if lost else "loaded twice",
            why,
            events=partial(count_so_often, partial(find_often, often)),
            filters=lost,
            bits=log2(len(ways)),
        )


def _list_ways(sample: Sample) -> Iterator[_Way]:
    """All that is tried, in words, and which events it loses or doubles."""
    groups: list[tuple[str, list[list[Event]]]] = []
    if sample.whole:
        groups.append(("", [[e for events in sample.events.values() for e in events]]))
    if len(sample.events) > 1:
        groups.append((" of each key", list(sample.events.values())))
    for whose, those in groups:
        came = [sort_arrived(events) for events in those]
        timed = [sorted(events, key=lambda e: e[:2]) for events in those]
        for size in [size for size in _SIZES if size < max(map(len, those), default=0)]:
            for ties, why in enumerate(_LOADS):
                yield why.format(f"{size:,} events that come{whose}"), partial(_join, partial(_load, size, ties), came)
            for again in (False, True):
                takes = "as great as" if again else "greater than"
                why = f"reads pages of {size:,} events{whose}, each from times {takes} the last of the page before"
                yield why, partial(_join, partial(_page, size, again=again), timed)
    yield from _list_numbered(sample)
    for span in list_spans(sample.tick):
        at = {e.arrival for events in sample.events.values() for e in events if e.time % span == 0}
        if 1 < len(at) < len(sample.arrivals) // 2:
            where = f"events at the full {show_span(span, sample.tick)}"
            yield f"leaves out {where}, where one load ends and the next begins", partial(_be_all, at, 0)
            yield f"counts {where} twice, where one load ends and the next begins", partial(_be_all, at, 2)


def _list_numbered(sample: Sample) -> Iterator[_Way]:
    """Loads that a column numbers, and those of what came in each hour, by a column that says when."""
    for said, number in list_numbers(sample):
        groups: list[tuple[str, list[list[Event]], Mapping[int, int] | None]] = []
        if knows_all(sample):
            groups.append(("", [[e for events in sample.events.values() for e in events]], sample.latest))
        if len(sample.events) > 1:
            groups.append((" of each key", list(sample.events.values()), None))
        for whose, those, latest in groups:
            came = [sort_arrived(es) for es in those]
            for ties, why in enumerate(_LOADS):
                yield why.format(f"{said}{whose}"), partial(_join, partial(_load_numbered, number, ties, latest), came)


def list_numbers(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """The columns that number loads, and those of what came in each hour, in words, with the number of an event's."""
    for i, name in enumerate(sample.columns):
        if is_batch(sample, i):
            yield name, partial(_get_cell, i)
        moments = read_moments(sample, i)
        ats = [moments[e.others[i]] for e in sample.came] if moments else []
        if len(ats) < 2 or ats != sorted(ats):
            continue
        second = get_second(sample.tick)
        for span in _MOMENTS:
            if 2 * span * second < ats[-1] - ats[0] < _MANY * span * second:
                yield (
                    f"{show_span(span * second, sample.tick)}, by {name},",
                    partial(_find_moment, i, moments, span * second),
                )


def _get_cell(i: int, e: Event) -> int:
    cell: int = e.others[i]
    return cell


def _find_moment(i: int, moments: Mapping[str, int], span: int, e: Event) -> int:
    return moments[e.others[i]] // span


def _be_all(which: set[int], often: int) -> Often:
    return dict.fromkeys(which, often)


def _join(load: Callable[[Sequence[Event]], Often], groups: Sequence[Sequence[Event]]) -> Often:
    return {arrival: often for events in groups for arrival, often in load(events).items()}


def _load(size: int, ties: int, events: Sequence[Event]) -> Often:
    """Loads of so many that came."""
    return _take_loads(ties, None, [events[i : i + size] for i in range(0, len(events), size)])


def _load_numbered(
    number: Callable[[Event], int], ties: int, latest: Mapping[int, int] | None, events: Sequence[Event]
) -> Often:
    """Loads of those that came one after the other and have one number."""
    return _take_loads(ties, latest, [list(load) for _, load in groupby(events, key=number)])


def _take_loads(ties: int, latest: Mapping[int, int] | None, loads: Sequence[Sequence[Event]]) -> Often:
    """Loads, each of what is later than all before, of other keys, too, where `latest` says it; `ties`: what becomes of
    what is as late."""
    found: Often = {}
    there: list[Event] = []
    """What has the greatest time so far."""
    for load in loads:
        if there:
            time = there[0].time if latest is None else max(there[0].time, latest[load[0].arrival])
            found |= {e.arrival: 0 for e in load if e.time < time or (e.time == time and not ties)}
            found |= {e.arrival: found.get(e.arrival, 1) + 1 for e in there if ties > 1 and e.time == time}
        greatest = max(e.time for e in (*there, *load))
        there = [e for e in (*there, *load) if e.time == greatest and found.get(e.arrival, 1)]
    return found


def _page(size: int, events: Sequence[Event], *, again: bool) -> Often:
    """Pages of so many in the order of time, each from after the last time on; `again`, from it on."""
    often: Counter[int] = Counter()
    times, i = [e.time for e in events], 0
    while i < len(events):
        page = events[i : i + size]
        often.update(e.arrival for e in page)
        after = bisect_left(times, page[-1].time) if again else bisect_right(times, page[-1].time)
        if i + size >= len(events):
            break
        i = after if after > i else i + size
    return {e.arrival: often[e.arrival] for e in events if often[e.arrival] != 1}
