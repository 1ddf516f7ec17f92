"""Events that a job takes for no news: they have what the event before them has, and are not counted.

A change filter, a table of the latest values, or a comparison with LAG passes on what differs from the one before, in
the order in which events come or in that of time, over a key, from the begin of each window on, or, where nobody has
parted it by the key, over all keys.  Where nothing is before an event LAG says null, which differs from nothing: so the
first is lost, too, if nobody has thought of it.  And a comparison that is turned round passes on just what is no news.

Where the state of a last value is written only if that changes, the time that is kept with it is that of the first of
those that were equal; and what is older than the last, but not than that, is taken for newer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import ANSWERING
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, get_cell, time_and_arrival

_CAUSE: Final = "duplicates left out"
_ORDERS: Final[dict[str, Callable[[Event], Any]]] = {
    "that came before": get_arrival,
    "before it in time": time_and_arrival,
}
_NEWER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "last": lambda e, kept: e.time >= kept.time,
    "first": lambda e, kept: e.time < kept.time,
    "arg-max": lambda e, kept: e.value[0] > kept.value[0],
    "arg-min": lambda e, kept: e.value[0] < kept.value[0],
}
"""Of aggregates that keep one event, whether one takes the place of that which is kept."""

Change = Callable[[Sequence[Event]], list[Event]]


def list_changes(sample: Sample) -> Iterator[Hypothesis]:
    """Runs of events that are alike, of each of which one is counted; or all but one."""
    alike: dict[str, Callable[[Event], Any]] = {"value": _show_value} if sample.kinds else {}
    alike |= {name: partial(get_cell, i) for i, name in enumerate(sample.columns)}
    found: list[Hypothesis] = []
    for said, of in alike.items():
        for which, order in _ORDERS.items():
            found += _list_whose(
                sample, f"leaves out an event that has the {said} of the one {which}", partial(_change, of, order)
            )
        why = f"leaves out an event that has the {said} of the next one in time"
        change = partial(_change, of, time_and_arrival, last=True)
        found += list(_list_whose(sample, why, change))[:1]
    for which, order in _ORDERS.items() if sample.kinds and _repeats(sample) else ():
        for why, change in (
            (
                f"leaves out an event that has the value of the one {which}, or has none before it",
                partial(_change, _show_value, order, first=False),
            ),
            (
                f"counts events alone that have the value of the one {which}",
                partial(_change, _show_value, order, first=False, turned=True),
            ),
        ):
            found += _list_whose(sample, why, change)
    found += _list_unrenewed(sample)
    for one in found:
        yield replace(one, bits=log2(len(found)))


def _repeats(sample: Sample) -> bool:
    """Whether a value follows itself, of a key: else what has its value, or none before it, is the first one alone."""
    return any(
        _show_value(e) == _show_value(before)
        for events in sample.events.values()
        for order in _ORDERS.values()
        for before, e in pairwise(sorted(events, key=order))
    )


def _show_value(e: Event) -> str:
    return repr(e.value)


def _list_whose(sample: Sample, why: str, change: Change) -> Iterator[Hypothesis]:
    """The events of a key, of a window or of all keys that a change leaves."""
    yield Hypothesis(_CAUSE, f"{why}, of its key", events=partial(_change_keys, change))
    yield Hypothesis(_CAUSE, f"{why}, in its window", content=change)
    if sample.whole and len(sample.events) > 1:
        yield Hypothesis(_CAUSE, f"{why}, of any key", events=partial(_change_all, change), mixes=True)


def _change(
    of: Callable[[Event], Any],
    order: Callable[[Event], Any],
    events: Sequence[Event],
    *,
    last: bool = False,
    first: bool = True,
    turned: bool = False,
) -> list[Event]:
    """Of events that are alike and follow one another the first, or the last; `turned`, those that are not counted
    else.  Whether the `first` of all is counted."""
    kept: list[Event] = []
    before: Event | None = None
    for e in sorted(events, key=order, reverse=last):
        if first if before is None else (of(e) == of(before)) is turned:
            kept.append(e)
        before = e
    return sorted(kept, key=time_and_arrival)


def _change_keys(change: Change, all_: Events) -> Events:
    return {key: change(events) for key, events in all_.items()}


def _change_all(change: Change, all_: Events) -> Events:
    kept = set(map(id, change([e for events in all_.values() for e in events])))
    return {key: [e for e in events if id(e) in kept] for key, events in all_.items()}


def _list_unrenewed(sample: Sample) -> Iterator[Hypothesis]:
    """One event of a window that stays the one that is kept when one of the same value should take its place."""
    own = sample.aggregation.name.removeprefix("sql-")
    if own not in _NEWER:
        return
    what = "time" if own in ("last", "first") else "measure"
    why = f"keeps the {what} of an event where one that should take its place has the same value"
    nulls = sample.aggregation.name in ANSWERING
    kept = partial(_keep_unrenewed, _NEWER[own], nulls)
    yield Hypothesis(_CAUSE, f"{why}, which is left out", content=kept)


def _keep_unrenewed(newer: Callable[[Any, Any], bool], nulls: bool, events: Sequence[Event]) -> list[Event]:
    kept: Event | None = None
    for e in sorted(events, key=get_arrival):
        if (e.value is None and not nulls) or (isinstance(e.value, tuple) and None in e.value):
            continue
        if kept is None or (newer(e, kept) and _show_kept(e) != _show_kept(kept)):
            kept = e
    return list(events) if kept is None else [kept]


def _show_kept(e: Event) -> str:
    """What is answered of it, if it is the one."""
    return repr(e.value[1] if isinstance(e.value, tuple) else e.value)
