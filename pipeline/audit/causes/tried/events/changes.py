"""Events that a job takes for no news: they have what the event before them of their key has, and are not counted.

A change filter, a table of the latest values, or a comparison with LAG passes on what differs from the one before, in
the order in which events come or in that of time, over a key or from the begin of each window on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, time_and_arrival

_CAUSE: Final = "duplicates left out"
_ORDERS: Final[dict[str, Callable[[Event], Any]]] = {
    "that came before": get_arrival,
    "before it in time": time_and_arrival,
}


def list_changes(sample: Sample) -> Iterator[Hypothesis]:
    """Runs of events that are alike, of each of which one is counted."""
    alike: dict[str, Callable[[Event], Any]] = {"value": _show_value} if sample.kinds else {}
    alike |= {name: partial(_get_cell, i) for i, name in enumerate(sample.columns)}
    found: list[Hypothesis] = []
    for said, of in alike.items():
        for which, order in _ORDERS.items():
            why = f"leaves out an event that has the {said} of the one {which}"
            change = partial(_change, of, order, False)
            found.append(Hypothesis(_CAUSE, f"{why}, of its key", events=partial(_change_keys, change)))
            found.append(Hypothesis(_CAUSE, f"{why}, in its window", content=change))
        why = f"leaves out an event that has the {said} of the next one in time"
        change = partial(_change, of, time_and_arrival, True)
        found.append(Hypothesis(_CAUSE, f"{why}, of its key", events=partial(_change_keys, change)))
    for one in found:
        yield replace(one, bits=log2(len(found)))


def _show_value(e: Event) -> str:
    return repr(e.value)


def _get_cell(i: int, e: Event) -> Any:
    return e.others[i]


def _change(
    of: Callable[[Event], Any], order: Callable[[Event], Any], last: bool, events: Sequence[Event]
) -> list[Event]:
    """Of events that are alike and follow one another the first, or the last."""
    kept: list[Event] = []
    for e in sorted(events, key=order, reverse=last):
        if not kept or of(e) != of(kept[-1]):
            kept.append(e)
    return sorted(kept, key=time_and_arrival)


def _change_keys(change: Callable[[Sequence[Event]], list[Event]], all_: Events) -> Events:
    return {key: change(events) for key, events in all_.items()}
