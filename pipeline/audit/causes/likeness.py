"""What findings that no cause explains have in common: where they are, and how they differ from what is due.

A catalogue of causes has an end, and mistakes have none.  Of what is left an engineer looks for the same things every
time: is it of some keys, since some day, of small windows, of those with a null in them; is all of it too small, by a
factor, by one number.  That is looked for here, and told as what it is: facts that were checked, no cause.

Where they are is told by a part of the data (`swagproof.pipeline.audit.causes.parts`) or by what windows hold, and only
so that *no right result is there*.  What it is worth is how many bits shorter it becomes to say which of all windows
are wrong, less those of choosing the description among all that were tried: less than `MARGIN` is not said.  Windows
that share events are wrong together, and speak once.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.differences import (
    Alike,
    count_of,
    list_differences,
    read_number,
    tell_estimates,
)
from swagproof.pipeline.audit.causes.once.described import list_columns, make_clock, name_events, name_time, place_event
from swagproof.pipeline.audit.causes.parts import Feature, Map, Region, combine
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, get_place, time_and_arrival
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN, count_choices

_PLACES: Final = 3
"""How many places are told at most, each of findings that those before it do not hold."""
_MOMENTS: Final = 4
"""At how many moments at most it is told which windows were open."""
_WORK: Final = 400_000
"""How many events of windows are looked at; where there are more, it is not looked at what windows hold."""
_SAME: Final = 2
"""How many other descriptions of the same findings are told beside one."""


@dataclass(frozen=True)
class _Place:
    """Some windows, in words that follow 'they are'."""

    where: str
    names: frozenset[Name]
    cost: float


def describe_findings(
    sample: Sample, left: Collection[Name], show_time: Callable[[int], str] = str, margin: float = MARGIN
) -> list[Alike]:
    """What these findings have in common that no right result has, and how they differ from what is due."""
    some = frozenset(left) & sample.open
    if len(some) < LEAST:
        return []
    right = list_right(sample)
    shared = count_sharing(sample)
    if right:
        places = _list_places(sample, some, right, show_time)
        said = list(_choose_places(places, some, right, shared, margin))
        if len(right) < len(some) and all(one.beside for one in said):
            places = _list_places(sample, right, some, show_time)
            turned = list(_choose_places(places, right, some, shared, margin, "results that are right", "wrong one"))
            said = max(said, turned, key=lambda these: sum(one.bits for one in these))
    else:
        said = [Alike("no result that was looked into is right", some, MARGIN)]
    estimates = list(tell_estimates(sample, some, right, shared))
    return estimates + said + list(list_differences(sample, some, shared, margin))


def list_right(sample: Sample) -> frozenset[Name]:
    """The windows of which the audit says that they are right: by a rule that excuses them, too."""
    unknown = sample.unknown if sample.until is None else sample.unknown | sample.aside
    return frozenset({*sample.due, *sample.results}) - sample.findings - unknown


def count_sharing(sample: Sample) -> float:
    """In how many windows an event is, in the middle."""
    held = sum(len(part.events) for parts in sample.due.values() for part in parts)
    return max(1.0, held / max(1, sum(map(len, sample.events.values()))))


def _choose_places(
    places: Collection[_Place],
    some: frozenset[Name],
    right: frozenset[Name],
    shared: float,
    margin: float,
    which: str = "",
    others: str = "right result",
) -> Iterator[Alike]:
    """That which shortens most, then that which shortens what is left most, as far as it is worth it.

    Where few are right it is said of these, as `which`, that no wrong one is among them; and of half of them at least,
    for what is so of some of the few tells nobody what the many are wrong by.
    """
    left, choice = some, _count_choice(places)

    def weigh(place: _Place) -> float:
        n, all_ = len(place.names & left), len(left) + len(right)
        saved = count_choices(all_, len(left)) - count_choices(all_ - n, len(left) - n)
        return saved / shared - place.cost - choice

    for _ in range(_PLACES):
        least = max(LEAST, len(some) // 2 if which else 0)
        pure = [place for place in places if len(place.names & left) >= least and is_apart(place.names, right)]
        best = max(pure, key=weigh, default=None)
        if best is None or weigh(best) < margin:
            break
        there = best.names & left
        same = [place.where for place in pure if place is not best and place.names & left == there]
        also = "".join(f"; they are just those {where}, too" for where in same[:_SAME])
        count = f"{count_of(len(there), len(some))}{which and ' '}{which}"
        says = f"{count} are {best.where}, no {others} is{also}"
        yield Alike(says, best.names, weigh(best))
        left -= there
    if left and not which:
        yield from _choose_wider(places, some, right, shared, margin)


def _choose_wider(
    places: Collection[_Place], some: frozenset[Name], right: frozenset[Name], shared: float, margin: float
) -> Iterator[Alike]:
    """Where all findings are, and some right results, too: a mistake need not show each time.  How many is said."""
    wide = [place for place in places if place.names >= some and 2 * len(place.names & right) <= len(right)]
    all_, choice = count_choices(len(some) + len(right), len(some)), _count_choice(places)

    def weigh(place: _Place) -> float:
        return (all_ - count_choices(len(place.names), len(some))) / shared - place.cost - choice

    best = max(wide, key=weigh, default=None)
    if best is not None and weigh(best) >= margin and (beside := len(best.names & right)):
        says = f"all {len(some):,} are {best.where}, and so are {beside:,} of {len(right):,} right results"
        yield Alike(says, best.names, weigh(best), beside)


def _count_choice(places: Collection[_Place]) -> float:
    """The bits of saying which: those that are of the same windows are one."""
    return log2(max(1, len({place.names for place in places})))


def is_apart(names: frozenset[Name], right: frozenset[Name]) -> bool:
    """Whether no right result is among some windows."""
    return not names & right


def _list_places(
    sample: Sample, some: frozenset[Name], right: frozenset[Name], show_time: Callable[[int], str]
) -> list[_Place]:
    """All descriptions that are tried, each once."""
    looks_inside = sample.size <= _WORK
    map_ = Map(sample, show_time, tuple(_list_features(sample)) if looks_inside else ())
    every = some | right
    found: dict[str, _Place] = {}
    for region in _list_regions(map_, some, right):
        if region.where not in found:
            found[region.where] = _Place(region.where, frozenset(filter(region.of(sample), every)), region.cost)
    for where, names in sorted(_list_kinds(sample, every).items()) if looks_inside else ():
        found[where] = _Place(where, frozenset(names), 0.0)
    return [*found.values(), *_list_moments(sample, some, every)]


def _list_moments(sample: Sample, some: frozenset[Name], every: Collection[Name]) -> Iterator[_Place]:
    """Windows that were open at a few moments, as at each restart: the moment at which most findings were open, and
    fewest right results, then that of those that are left."""
    arrivals = sorted(e.arrival for events in sample.events.values() for e in events)
    open_: dict[Name, tuple[int, int]] = {}
    for name in every:
        mine = [e.arrival for part in sample.due.get(name, ()) for e in part.events]
        if mine:
            open_[name] = bisect_left(arrivals, min(mine)) + 1, bisect_left(arrivals, max(mine)) + 1
    left, there, said, cost = some & open_.keys(), set[Name](), list[str](), 0.0
    for _ in range(_MOMENTS):
        counts = [0] * (len(arrivals) + 2)
        for name, (first, last) in open_.items():
            worth = (name in left) - (name not in some)
            counts[first] += worth
            counts[last] -= worth
        counts = list(accumulate(counts))
        most = max(counts)
        at = counts.index(most)
        if most < LEAST or arrivals[0] == arrivals[-1]:
            return
        until = next((i for i in range(at, len(counts)) if counts[i] < most), at + 1) - 1
        now = {name for name, (first, last) in open_.items() if first <= at < last}
        left, there = left - now, there | now
        one_of = "" if at == until else f" to {arrivals[until]:,}"
        said.append(f"{'one of events' if one_of else 'event'} {arrivals[at]:,}{one_of}")
        cost += log2(len(arrivals) / (until - at + 1))
        yield _Place(f"of windows that were open when {' or '.join(said)} came", frozenset(there), cost)


def _list_regions(map_: Map, some: frozenset[Name], right: frozenset[Name]) -> Iterator[Region]:
    """Keys of which nothing is right, and of each feature the longest run that has no right result in it."""
    keys = {name[0] for name in some}
    wholly = keys - {name[0] for name in right}
    if wholly and any(name[0] not in wholly for name in right):
        yield map_.choose_keys(sorted(wholly))
    if wholly != keys and any(name[0] not in keys for name in right):
        yield map_.choose_keys(sorted(keys))
    beside = frozenset(name for name in right if name[0] in keys)
    those = map_.choose_keys(sorted(keys)) if beside and len(beside) < len(right) else None
    for feature, values in map_.features:
        run = _find_run(values, some, right, feature)
        region = map_.choose_range(feature, values, run, right & values.keys())
        if region is not None:
            yield region
        if (wide := _find_wide(map_, feature, values, some, right)) is not None:
            yield wide
        if those is not None:
            run = _find_run(values, some, beside, feature)
            region = map_.choose_range(feature, values, run, beside & values.keys())
            if region is not None:
                yield combine(those, region)


def _find_wide(
    map_: Map, feature: Feature, values: dict[Name, float], some: frozenset[Name], right: frozenset[Name]
) -> Region | None:
    """The range that all findings are in, whatever else is."""
    if not values.keys() >= some:
        return None
    low, high = min(values[name] for name in some), max(values[name] for name in some)
    beyond = [name for name in right & values.keys() if not low <= values[name] <= high]
    return map_.choose_range(feature, values, some, beyond)


def _find_run(
    values: Mapping[Name, float], some: Iterable[Name], right: Iterable[Name], feature: Feature
) -> list[Name]:
    """Of the values in order, the most findings between two right results."""
    limits = sorted({v for name in right if (v := values.get(name, feature.of_name(name))) is not None})
    runs: dict[int, list[Name]] = defaultdict(list)
    at = {limit: i for i, limit in enumerate(limits)}
    mine = sorted((values[name], name[0], str(name), name) for name in some if name in values)
    i = 0
    for value, _, _, name in mine:
        while i < len(limits) and limits[i] < value:
            i += 1
        if value not in at:
            runs[i].append(name)
    return max(runs.values(), key=len, default=[])


def _list_features(sample: Sample) -> Iterator[Feature]:
    """The greatest and the least that windows hold of each number that events have, and how many values."""
    for name, get in list_columns(sample):
        for word, choose in (("greatest", max), ("least", min)):
            yield Feature(partial(_read_extremes, get, choose), partial(_tell_extreme, word, name))
    yield Feature(_read_values, _tell_values)
    yield Feature(_read_ranks, _tell_ranks)
    yield from _list_pauses(sample)


def _list_pauses(sample: Sample) -> Iterator[Feature]:
    """How long windows hold no event: between two, before the first, since the one of the key before that, after the
    last."""
    show = partial(_tell_pause, sample)
    yield Feature(_read_pauses, partial(show, "in which the longest pause between two events is"))
    yield Feature(_read_silence, partial(show, "before whose first event no other one of their key came for"))
    if isinstance(sample.window, Sliding | Calendar):
        yield Feature(partial(_read_margins, False), partial(show, "whose first event is after their begin by"))
        yield Feature(partial(_read_margins, True), partial(show, "whose last event is before their end by"))


def _read_pauses(sample: Sample) -> dict[Name, float]:
    times = {name: sorted(e.time for part in parts for e in part.events) for name, parts in sample.due.items()}
    return {name: max(b - a for a, b in pairwise(of)) for name, of in times.items() if len(of) > 1}


def _read_silence(sample: Sample) -> dict[Name, float]:
    times = {key: sorted(e.time for e in events) for key, events in sample.events.items()}
    found: dict[Name, float] = {}
    for name, parts in sample.due.items():
        first = min((e.time for part in parts for e in part.events), default=None)
        at = 0 if first is None else bisect_left(times.get(name[0], ()), first)
        if first is not None and at:
            found[name] = first - times[name[0]][at - 1]
    return found


def _read_margins(end: bool, sample: Sample) -> dict[Name, float]:
    found: dict[Name, float] = {}
    for name, parts in sample.due.items():
        _, begins, ends = name
        times = [e.time for part in parts for e in part.events]
        if end and times and ends is not None:
            found[name] = ends - max(times)
        elif not end and times and begins is not None:
            found[name] = min(times) - begins
    return found


def _read_extremes(get: Callable[[Event], Any], choose: Callable[..., Any], sample: Sample) -> dict[Name, float]:
    found: dict[Name, float] = {}
    for name, parts in sample.due.items():
        held = (read_number(get(e)) for part in parts for e in part.events)
        numbers = [x for x in held if x is not None]
        if numbers:
            found[name] = choose(numbers)
    return found


def _read_values(sample: Sample) -> dict[Name, float]:
    return {name: len({repr(e.value) for part in parts for e in part.events}) for name, parts in sample.due.items()}


def _read_ranks(sample: Sample) -> dict[Name, float]:
    of_key: dict[str, set[int]] = defaultdict(set)
    for name in sample.due:
        of_key[name[0]].add(get_place(name))
    ranks = {key: {at: i for i, at in enumerate(sorted(places), 1)} for key, places in of_key.items()}
    return {name: ranks[name[0]][get_place(name)] for name in sample.due}


def _tell_ranks(low: float | None, high: float | None) -> str:
    if low is None:
        return f"among the first {high:,.0f} windows of their keys"
    return f"from window {low:,.0f} {'on' if high is None else f'to {high:,.0f}'} of their keys"


def _tell_extreme(word: str, column: str, low: float | None, high: float | None) -> str:
    return f"of windows whose {word} {column} is {_tell_numbers(low, high)}"


def _tell_pause(sample: Sample, words: str, low: float | None, high: float | None) -> str:
    lower, upper = (None if x is None else show_span(int(x), sample.tick) for x in (low, high))
    if lower is None or upper is None:
        return f"of windows {words} {f'{lower} or more' if upper is None else f'{upper} or less'}"
    return f"of windows {words} {lower}" + (f" to {upper}" if lower != upper else "")


def _tell_values(low: float | None, high: float | None) -> str:
    return f"of windows that hold {_tell_numbers(low, high)} different values"


def _tell_numbers(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return f"{low:,.15g} or more" if high is None else f"{high:,.15g} or less"
    return f"{low:,.15g}" if low == high else f"{low:,.15g} to {high:,.15g}"


def _list_kinds(sample: Sample, every: Collection[Name]) -> dict[str, set[Name]]:
    """Windows by what an event in them is, by when they begin, and the first and last of each key."""
    kinds: dict[str, set[Name]] = defaultdict(set)
    of_event = name_events(sample)
    clock = make_clock(sample)
    ends: dict[str, list[Name]] = defaultdict(list)
    for name in every:
        ends[name[0]].append(name)
        events = [e for part in sample.due.get(name, ()) for e in part.events]
        for kind in {kind for e in events for kind in of_event.get(place_event(name[0], e), ())}:
            kinds[f"of windows that hold an event {kind}"].add(name)
        for which, choose in (("first", min), ("last", max)):
            end = choose(events, key=time_and_arrival, default=None)
            for kind in () if end is None else of_event.get(place_event(name[0], end), ()):
                kinds[f"of windows whose {which} event is one {kind}"].add(name)
        values = {repr(e.value) for e in events}
        if len(values) < len(events):
            kinds["of windows that hold a value twice"].add(name)
        if len({value.casefold() for value in values}) < len(values):
            kinds["of windows that hold values that differ in capitals alone"].add(name)
        if clock is not None and (at := clock(get_place(name))) is not None:
            for kind in name_time(at):
                kinds[f"of windows that {'end' if name[1] is None else 'begin'} {kind}"].add(name)
    for names in ends.values():
        names.sort(key=get_place)
        kinds["the first of their keys"].add(names[0])
        kinds["the last of their keys"].add(names[-1])
    return kinds
