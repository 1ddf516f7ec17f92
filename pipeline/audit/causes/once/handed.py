"""A key whose events are counted for another from some moment on, or before it: as where a device was exchanged, or a
customer moved, and a table says of each what is so now, or was so then.

Of a window of the one key so many events are left, and the same window of the other one has the rest beside its own:
where findings of both keys agree about the moment, it is one cause, and not two.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import permutations
from math import log2
from typing import Final, NamedTuple

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Got, Name, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.keys import show_key

_KEYS: Final = 6
"""Of how many keys it is looked whether their events are those of others."""
_LOOKED: Final = 30
"""How many windows of a key are looked into."""
_WIDEST: Final = 60
"""How many events they have at most."""
_LEAST: Final = 2
_EVER: Final = 2**63

Between = tuple[int, int]


class _Row(NamedTuple):
    """Where events stand in a row, and how that is said."""

    of: Callable[[Event], int]
    show: Callable[[int], str]


def find_handed(sample: Sample, left: Collection[Name], show_time: Callable[[int], str]) -> Iterator[Hypothesis]:
    """The moments that most findings of two keys agree about."""
    if not isinstance(sample.window, Sliding | Calendar):
        return
    found = Counter(name[0] for name in left)
    keys = [key for key, n in found.most_common(_KEYS) if n >= _LEAST]
    rows = _Row(_get_time, show_time), _Row(get_arrival, lambda at: f"event {at:,}")
    for key, other in permutations(keys, 2):
        if key not in sample.events:
            continue
        names = sorted((name for name in left if name[0] == key and _count(sample, name) <= _WIDEST), key=str)
        names = names[:: len(names) // _LOOKED + 1]
        for row in rows:
            for later in (True, False):
                at = _agree([_list_moments(sample, name, other, row, later) for name in names])
                if at is not None:
                    yield _hand(sample, key, other, row, at, later)


def _count(sample: Sample, name: Name) -> int:
    return sum(len(part.events) for part in sample.due.get(name, ()))


def _get_time(e: Event) -> int:
    return e.time


def _list_moments(sample: Sample, name: Name, other: str, row: _Row, later: bool) -> list[Between]:
    """After which event's place, and not after which other's, the moment may be, by the same window of both keys."""
    parts, beside = sample.due.get(name, ()), sample.due.get((other, *name[1:]), ())
    if len(parts) != 1 or len(beside) > 1:
        return []
    events, own = sorted(parts[0].events, key=row.of), [e for part in beside for e in part.events]
    got, gots = (sample.results.get((key, *name[1:]), ()) for key in (name[0], other))
    places = [row.of(e) for e in events]
    found: list[Between] = []
    for n in range(len(events)) if later else range(1, len(events) + 1):
        before, after = events[:n], events[n:]
        kept, lost = (before, after) if later else (after, before)
        if _has(sample, kept, got) and _has(sample, [*own, *lost], gots):
            found.append((places[n - 1] if n else -_EVER, places[n] if n < len(events) else _EVER))
    return found


def _has(sample: Sample, events: Sequence[Event], got: Sequence[Got]) -> bool:
    return has_result(sample, sorted(events, key=time_and_arrival), got)


def _agree(moments: Sequence[Sequence[Between]]) -> int | None:
    """The first moment that most findings agree about; None where too few do."""
    ends = {high for mine in moments for _, high in mine if high < _EVER}
    votes = Counter({at: sum(any(low < at <= high for low, high in mine) for mine in moments) for at in ends})
    best = max(votes, key=lambda at: (votes[at], at), default=None)
    return best if best is not None and votes[best] >= _LEAST else None


def _hand(sample: Sample, key: str, other: str, row: _Row, at: int, later: bool) -> Hypothesis:
    when = f"from {row.show(at)} on" if later else f"before {row.show(at)}"
    n = len({*sample.events, other})
    return Hypothesis(
        "keys merged",
        f"counts the events of key {show_key(key)} {when} for key {show_key(other)}",
        events=partial(_give, key, other, lambda e: (row.of(e) >= at) is later),
        needs=_LEAST,
        bits=log2(max(2, len(sample.arrivals))) + log2(n * (n - 1)),
    )


def _give(key: str, other: str, lost: Callable[[Event], bool], all_: Events) -> Events:
    mine = all_.get(key, [])
    both = sorted([*all_.get(other, []), *(e for e in mine if lost(e))], key=time_and_arrival)
    return {**all_, key: [e for e in mine if not lost(e)], other: both}
