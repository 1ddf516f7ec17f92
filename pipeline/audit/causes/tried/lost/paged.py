"""But so many events of each hour, day or other span are read, as where a source serves pages and one is asked for.

Such a limit is of all keys together, or of each; of the first events, or of the last, by time or as they came.  How
many they are the results tell: in a window of which a part is lost, those that are left have so many before them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import pairwise
from math import log2
from typing import Any, Final, NamedTuple

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second, show_span
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.tried.events.touched import find_often

_SPANS: Final = (60, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400, 604_800)
"""In seconds."""
_PLAIN: Final = (5, 10, 20, 50, 100, 200, 500, 1000)
"""In ticks, where these are no times."""
_LOOKED: Final = 24
"""How many findings are looked into."""
_WIDEST: Final = 60
"""How many events these have at most."""
_TRIED: Final = 4
"""How many limits are held against all results."""
_LEAST: Final = 2
_SPARE: Final = 8.0
"""A limit that is read off fits where few events are lost of each span for any reason: what has one is plainer."""

Ranks = Mapping[int, int]
"""How many events of its span come before each, by its arrival number."""


class _Way(NamedTuple):
    """What may be read of each span."""

    said: str
    ranks: Ranks
    limit: int
    bits: float


def list_paged(sample: Sample) -> Iterator[Hypothesis]:
    """The limits that most findings speak for, and fewest right results against."""
    wrong = [name for name in sorted(sample.open, key=str) if 0 < len(_events_of(sample, name)) <= _WIDEST]
    wrong = wrong[:: len(wrong) // _LOOKED + 1]
    right = [name for name in sample.due if name not in sample.findings and name not in sample.aside]
    found: list[tuple[float, int, _Way]] = []
    ways = list(_list_ways(sample))
    for n, (said, ranks) in enumerate(ways):
        limit, rate, bits = _choose_limit(sample, ranks, wrong, right)
        if limit:
            found.append((rate, -n, _Way(said.format(f"{limit:,}"), ranks, limit, bits)))
    lost_before: list[set[int]] = []
    for _, _, way in nlargest(_TRIED, found):
        lost = {arrival: 0 for arrival, rank in way.ranks.items() if rank >= way.limit}
        if lost.keys() not in lost_before:
            lost_before.append(set(lost))
            yield Hypothesis(
                "only the first page",
                f"reads {way.said}",
                events=partial(count_so_often, partial(find_often, lost)),
                filters=True,
                needs=_LEAST,
                bits=log2(len(ways)) + way.bits,
                spare=_SPARE,
            )


def _list_ways(sample: Sample) -> Iterator[tuple[str, Ranks]]:
    """All that is tried, in words that lack the limit, with the ranks of events."""
    keyed = {key: [*events, *sample.skipped.get(key, ())] for key, events in sample.events.items()}
    groups = [(", of each key", list(keyed.values()))] if len(keyed) > 1 or not sample.whole else []
    if sample.whole:
        groups.insert(0, (", of all keys together" if len(keyed) > 1 else "", [sample.came]))
    second = get_second(sample.tick)
    spans = [n * second for n in _SPANS] if sample.tick is not None else list(_PLAIN)
    orders: tuple[tuple[str, Callable[[Event], Any]], ...] = (("", time_and_arrival), (" to come", get_arrival))
    for whose, those in groups:
        for span in spans:
            for how, order in orders:
                for which, last in (("first", False), ("last", True)):
                    said = f"of each {show_span(span, sample.tick)} but the {which} {{}} events{how}{whose}"
                    yield said, _rank(those, span, order, last)


def _rank(those: Sequence[Sequence[Event]], span: int, order: Callable[[Event], Any], last: bool) -> Ranks:
    ranks: dict[int, int] = {}
    for events in those:
        seen: Counter[int] = Counter()
        for e in sorted(events, key=order, reverse=last):
            pane = e.time // span
            ranks[e.arrival] = seen[pane]
            seen[pane] += 1
    return ranks


def _events_of(sample: Sample, name: Name) -> Sequence[Event]:
    """The events of a window that has one result, or none of that."""
    parts = sample.due.get(name, ())
    return parts[0].events if len(parts) == 1 and parts[0].answer is None else ()


def _choose_limit(
    sample: Sample, ranks: Ranks, wrong: Sequence[Name], right: Sequence[Name]
) -> tuple[int, float, float]:
    """The limit that most findings agree about, less the share of right results that lose events; 0 for none; and the
    bits of choosing it."""
    most = {name: max((ranks[e.arrival] for e in _events_of(sample, name)), default=-1) for name in (*wrong, *right)}
    low = sorted(most[name] for name in right)
    if not wrong or sum(most[name] >= min(low, default=0) for name in wrong) < _LEAST:
        return 0, 0.0, 0.0
    begins, ends = Counter[int](), Counter[int]()
    for name in wrong:
        for first, until in _list_fitting(sample, ranks, name):
            begins[first] += 1
            ends[until] += 1
    agreed, best, chosen = 0, 0.0, range(0)
    places = sorted({*begins, *ends})
    for at, next_ in pairwise(places):
        agreed += begins[at] - ends[at]
        against = sum(rank >= next_ - 1 for rank in low) / max(1, len(low))
        rate = agreed / len(wrong) - against
        if agreed >= _LEAST and rate > best:
            best, chosen = rate, range(at, next_)
    if not chosen:
        return 0, 0.0, 0.0
    limits = [n for n in chosen if n > max((rank for rank in low if rank < chosen[-1]), default=0)] or list(chosen)
    plain = max(limits, key=_count_zeros)
    return plain, best, log2(max(2, max(ranks.values())))


def _count_zeros(n: int) -> int:
    return len(str(n)) - len(str(n).rstrip("0"))


def _list_fitting(sample: Sample, ranks: Ranks, name: Name) -> Iterator[tuple[int, int]]:
    """From which limit to before which a window has the result that is there, with some events lost."""
    events = _events_of(sample, name)
    mine = sorted({ranks[e.arrival] for e in events})
    for before, rank in zip([0, *mine], mine, strict=False):
        kept = [e for e in events if ranks[e.arrival] < rank]
        if rank and has_result(sample, kept, sample.results.get(name, ())):
            yield (before + 1 if kept else 1), rank + 1
