"""A span of time whose results were made anew, as by a backfill, and written over those that were there.

Its bounds hardly ever are those of windows.  What was read for it is what lies in it; so a window that goes over a
bound holds no more than what lies inside, and all others are right.  Of each finding the events from some time on, or
up to some time, have the result that is there; a bound is where most findings agree, and fewest right results speak
against it, and of the times that do as well the one that people choose.

One bound alone has the results that a restart has, if events come in order.  So one alone is told only where late
events tell times from arrivals, and of both is one hypothesis.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, product
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.spans import choose_round
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.weigh import LEAST, count_choices
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Answer

_LOOKED: Final = 80
_WORK: Final = 400_000
"""Into how many findings it is looked, and how many events are aggregated for it at most."""
_RUNS: Final = 60
"""How many events a window has at most in which both bounds are looked for."""
_RIGHT: Final = 100
_PLACES: Final = 60
"""How many right results are asked of a bound, and of how many places."""
_TRIED: Final = 2
"""How many bounds of each side are tried."""
_RARE: Final = 3.0
"""Bits besides the place of each bound."""

Inside = Callable[[Sequence[Event], int], Sequence[Event]]
Between = tuple[int, int]
"""After the one time, and at the other at the latest."""


@dataclass(frozen=True)
class _Bound:
    """Where a span begins, or ends, and the findings that say so."""

    at: int
    told: frozenset[Name]


@dataclass
class _Cuts:
    """Where the findings may be cut: from which time on, or before which, their events have the results."""

    first: dict[Name, list[Between]] = field(default_factory=dict[Name, list[Between]])
    last: dict[Name, list[Between]] = field(default_factory=dict[Name, list[Between]])


def find_rewritten(
    sample: Sample, left: Collection[Name], given: Hypothesis | None, show_time: Callable[[int], str]
) -> Iterator[Hypothesis]:
    """The spans that explain most findings, of all keys or some; `given` another cause."""
    if not isinstance(sample.window, Sliding | Calendar) or len(left) < LEAST:
        return
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    cuts = _find_cuts(sample, left, base, answer)
    right = {
        name: parts[0].events
        for name, parts in base.items()
        if len(parts) == 1 and parts[0].answer is None and name not in sample.findings and name in sample.results
    }
    against = partial(_count_against, sample, right, answer)
    sides = (cuts.first, _take_from), (cuts.last, _take_to)
    firsts, lasts = (_choose_bounds(sample, mine, partial(against, inside)) for mine, inside in sides)
    for first, last in product((*firsts, None), (*lasts, None)):
        if first is None and last is None:
            continue
        low, high = (None if one is None else one.at for one in (first, last))
        if low is not None and high is not None and low >= high:
            continue
        told = frozenset[Name]().union(*(one.told for one in (first, last) if one is not None))
        if (first is None or last is None) and _came_in_order(told, base, low, high):
            continue
        keys = {name[0] for name in told}
        yield _rewrite(sample, low, high, None, show_time)
        if len(keys) < len(sample.events):
            yield _rewrite(sample, low, high, tuple(sorted(keys)), show_time)


def _find_cuts(
    sample: Sample, left: Collection[Name], base: Foretold, answer: Callable[[Sequence[Event]], Answer]
) -> _Cuts:
    there = ((name, base.get(name, ())) for name in left if name in sample.results)
    single = ((name, parts[0]) for name, parts in there if len(parts) == 1 and parts[0].answer is None)
    narrow = sorted((len(part.events), str(name), name) for name, part in single if len(part.events) > 1)
    cuts, work = _Cuts(), _WORK
    for n, _, name in narrow[:_LOOKED]:
        work -= n * n
        if work < 0:
            break
        events, got = base[name][0].events, sample.results[name]
        places = [i for i in range(1, n) if events[i - 1].time < events[i].time]
        for mine, inside in ((cuts.first, _take_from), (cuts.last, _take_to)):
            fitting = [i for i in places if has_result(sample, inside(events, i), got, answer)]
            if fitting:
                mine[name] = _join([(events[i - 1].time, events[i].time) for i in fitting])
    if not cuts.first and not cuts.last:
        _find_runs(
            sample, [(name, base[name][0].events) for n, _, name in narrow[:_LOOKED] if n <= _RUNS], answer, cuts
        )
    return cuts


def _find_runs(
    sample: Sample,
    there: Sequence[tuple[Name, Sequence[Event]]],
    answer: Callable[[Sequence[Event]], Answer],
    cuts: _Cuts,
) -> None:
    """Where both bounds lie in one window, which holds what is between them."""
    work = _WORK
    for name, events in there:
        work -= len(events) ** 3 // 6
        if work < 0:
            return
        places = [i for i in range(1, len(events)) if events[i - 1].time < events[i].time]
        got = sample.results[name]
        runs = [(i, j) for i, j in combinations(places, 2) if has_result(sample, events[i:j], got, answer)]
        for mine, of in ((cuts.first, 0), (cuts.last, 1)):
            if runs:
                mine[name] = _join([(events[i - 1].time, events[i].time) for i in sorted({run[of] for run in runs})])


def _take_from(events: Sequence[Event], i: int) -> Sequence[Event]:
    return events[i:]


def _take_to(events: Sequence[Event], i: int) -> Sequence[Event]:
    return events[:i]


def _join(those: Sequence[Between]) -> list[Between]:
    """Those that follow each other as one."""
    found = list[Between]()
    for low, high in those:
        if found and found[-1][1] == low:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _choose_bounds(
    sample: Sample, cuts: dict[Name, list[Between]], against: Callable[[Between], list[tuple[Between, int]]]
) -> list[_Bound]:
    """Where most findings agree, each after the first for those that those before it do not tell."""
    chosen, open_ = list[_Bound](), dict(cuts)
    while open_ and len(chosen) < _TRIED:
        ends = sorted({high for mine in open_.values() for _, high in mine})
        votes = Counter({at: sum(_holds(mine, at) for mine in open_.values()) for at in ends})
        ((at, _),) = votes.most_common(1)
        told = frozenset(name for name, mine in open_.items() if _holds(mine, at))
        within = [next((low, high) for low, high in open_[name] if low < at <= high) for name in told]
        low, high = max(low for low, _ in within), min(high for _, high in within)
        places = against((low, high))
        least = min(n for _, n in places)
        spans = _join([place for place, n in places if n == least])
        low, high = max(spans, key=lambda span: span[1] - span[0])
        chosen.append(_Bound(choose_round(low, high, sample.tick), told))
        open_ = {name: mine for name, mine in open_.items() if name not in told}
    return chosen


def _count_against(
    sample: Sample,
    right: Mapping[Name, Sequence[Event]],
    answer: Callable[[Sequence[Event]], Answer],
    inside: Inside,
    within: Between,
) -> list[tuple[Between, int]]:
    """The places of a bound between the times of events, each with how many right results speak against it."""
    low, high = within
    there = [(name, es) for name, es in right.items() if es and es[0].time < high and es[-1].time > low][:_RIGHT]
    times = sorted({e.time for _, es in there for e in es if low < e.time < high})
    ends = [*times[:: len(times) // _PLACES + 1], high]
    found = list[tuple[Between, int]]()
    for before, at in zip((low, *ends), ends, strict=False):
        cut = ((name, inside(es, bisect_left(es, at, key=lambda e: e.time))) for name, es in there)
        wrong = (bool(some) and not has_result(sample, some, sample.results[name], answer) for name, some in cut)
        found.append(((before, at), sum(wrong)))
    return found


def _holds(mine: Sequence[Between], at: int) -> bool:
    return any(low < at <= high for low, high in mine)


def _came_in_order(told: Collection[Name], base: Foretold, low: int | None, high: int | None) -> bool:
    """Whether of each of these windows what lies inside came before all else, or after it, so that arrivals say it."""
    for name in told:
        sides: tuple[list[int], list[int]] = [], []
        for e in base[name][0].events:
            sides[_is_inside(low, high, e)].append(e.arrival)
        outside, inside = sides
        if inside and outside and min(inside) < max(outside) and min(outside) < max(inside):
            return False
    return True


def _rewrite(
    sample: Sample, low: int | None, high: int | None, keys: tuple[str, ...] | None, show_time: Callable[[int], str]
) -> Hypothesis:
    """The results of a span written anew, of all keys or these."""
    bounds = [(said, at) for said, at in (("from", low), ("to", high)) if at is not None]
    span = " ".join(f"{said if len(bounds) > 1 or said == 'from' else 'up to'} {show_time(at)}" for said, at in bounds)
    which = "first and last windows hold" if len(bounds) > 1 else f"{'first' if high is None else 'last'} windows hold"
    whose, more = "", 0.0
    if keys is not None:
        *some, one = map(show_key, keys)
        whose = f" of {', '.join(some)}{' and ' if some else ''}{one}"
        more = log2(len(sample.events)) + count_choices(len(sample.events), len(keys))
    places = log2(max(2, len(sample.arrivals)))
    return Hypothesis(
        "overwritten",
        f"writes results{whose} of a span of time anew, {span}, without what its {which} beside it",
        results=partial(_leave_inside, low, high, keys),
        needs=LEAST,
        bits=len(bounds) * (places + _RARE) + more + (RARE if len(bounds) < 2 else 0.0),
    )


def _leave_inside(low: int | None, high: int | None, keys: Collection[str] | None, found: Foretold) -> Foretold:
    """Of each window that goes over a bound what lies inside; what has nothing there was not written anew."""
    made = Foretold()
    for name, parts in found.items():
        made[name] = parts
        if len(parts) == 1 and parts[0].answer is None and (keys is None or name[0] in keys):
            inside = [e for e in parts[0].events if _is_inside(low, high, e)]
            if inside and len(inside) < len(parts[0].events):
                made[name] = [Part(inside)]
    return made


def _is_inside(low: int | None, high: int | None, e: Event) -> bool:
    return (low is None or low <= e.time) and (high is None or e.time < high)
