"""Events that a job takes for one and the same, as they are alike in some columns and in a second, minute, hour or day.

Who knows no number of an event tells duplicates by what these have: the key, a column or two, the value, and the time
as it is shown.  Whatever is so alike, and is none, is lost.  There are many such rules, so those are tried that lose
events of most findings and of fewest windows that are right.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.touched import Often, choose_touching, find_often

_COLUMNS: Final = 4
"""Of how many columns one or two are taken."""
_TRIED: Final = 4
"""How many rules are held against all results, each with all orders."""
_SPANS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_ORDERS: Final[dict[str, tuple[Callable[[Event], Any], bool]]] = {
    "that came first": (get_arrival, False),
    "that is first in time": (time_and_arrival, False),
    "that came last": (get_arrival, True),
}
"""Which one of those that are alike counts."""

Alike = Callable[[Event], Any]


def list_alike(sample: Sample) -> Iterator[Hypothesis]:
    """The rules of which each loses events of findings, as far as they are not those of `tried.events.inputs`."""
    if not sample.columns:
        return
    rules = dict(_list_rules(sample))
    keys = [sort_arrived(events) for events in sample.events.values()]
    ways = [(said, partial(_lose, of, get_arrival, False, keys)) for said, of in rules.items()]
    bits = log2(max(1, len(ways)))
    for said, _ in choose_touching(sample, ways, _TRIED):
        for which, (order, last) in _ORDERS.items():
            often = _lose(rules[said], order, last, keys)
            once = partial(count_so_often, partial(find_often, often))
            why = f"counts one event of each {said} of a key, the one {which}"
            yield Hypothesis("duplicates left out", why, events=once, bits=bits)


def _list_rules(sample: Sample) -> Iterator[tuple[str, Alike]]:
    """Rules in words, and what events have that are alike by them."""
    many = len(sample.came)
    those = [i for i in range(len(sample.columns)) if len(sample.list_cells(i)) < many // 2][:_COLUMNS]
    panes: dict[str, int] = {"time": 1}
    if sample.tick is not None:
        panes |= {name: span * get_second(sample.tick) for name, span in _SPANS.items()}
    for some in [(i,) for i in those] + list(combinations(those, 2)):
        for valued in (False, True) if sample.kinds else (False,):
            for pane, span in panes.items():
                *first, last = [*(sample.columns[i] for i in some), *(["value"] if valued else []), pane]
                yield f"{', '.join(first)} and {last}", partial(_read, some, valued, span)


def _read(some: Sequence[int], valued: bool, span: int, e: Event) -> tuple[Any, ...]:
    return *(e.others[i] for i in some), repr(e.value) if valued else None, e.time // span


def _lose(of: Alike, order: Callable[[Event], Any], last: bool, keys: Sequence[Sequence[Event]]) -> Often:
    """The events of each key that are alike to one that counts."""
    lost: Often = {}
    for events in keys:
        seen: set[Any] = set()
        for e in sorted(events, key=order, reverse=last):
            if (it := of(e)) in seen:
                lost[e.arrival] = 0
            seen.add(it)
    return lost
