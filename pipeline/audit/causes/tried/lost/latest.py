"""One event of each cell of another column in a window: the last of each user, the first of each device.

A report of what each user has now keeps one row of each; its query, taken over for a sum or a count, keeps one there,
too.  Unlike a duplicate, what is lost has another value.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, time_and_arrival

_COLUMNS: Final = 6
"""Of how many columns it is tried."""

_NUMBERS: Final = 10
"""How many different numbers a column has at least that may say what was seen."""

Order = Callable[[Event], Any]

_ORDERS: Final[dict[str, tuple[Order, bool]]] = {
    "the last": (time_and_arrival, True),
    "the first": (time_and_arrival, False),
    "the one that came last": (get_arrival, True),
    "the one that came first": (get_arrival, False),
}
"""Which one of those that have the same cell counts."""


def list_latest(sample: Sample) -> Iterator[Hypothesis]:
    """One event of each cell, by each column that has a cell several times in a window."""
    those = [i for i in range(len(sample.columns)) if _has_several(sample, i)][:_COLUMNS]
    orders = dict(_ORDERS)
    if len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal") and not sample.has_nulls:
        orders |= {"the greatest": (_get_value, True), "the least": (_get_value, False)}
    for i in those:
        for which, (order, last) in orders.items():
            why = f"counts one event of each {sample.columns[i]} in a window, {which}"
            one_of = partial(_take_one, i, order, last)
            yield Hypothesis("one event of each", why, content=one_of, bits=log2(len(those) * len(orders)))


def list_passed(sample: Sample) -> Iterator[Hypothesis]:
    """What was seen already, as a number says that is no greater than the greatest so far: which may begin again."""
    if len(sample.arrivals) < 2:
        return
    for i, name in enumerate(sample.columns):
        if not all(type(cell) is int for cell in sample.list_cells(i)) or len(sample.list_cells(i)) < _NUMBERS:
            continue
        for whose, of_all in (("its key", False), ("all", True)) if sample.whole else (("its key", False),):
            for said, equal in (("not greater than", False), ("less than", True)):
                why = f"leaves out an event whose {name} is {said} the greatest of {whose} so far, as one that was seen"
                one = Hypothesis(
                    "left out by a load", why, events=partial(_pass_over, i, of_all, equal), mixes=of_all, filters=True
                )
                if one.explains_some(sample):
                    yield one


def _pass_over(i: int, of_all: bool, equal: bool, all_: Events) -> Events:
    greatest: dict[str, int] = {}
    kept: Events = {key: [] for key in all_}
    came = sorted(((e, key) for key, events in all_.items() for e in events), key=lambda it: it[0].arrival)
    for e, key in came:
        whose, number = "" if of_all else key, e.others[i]
        before = greatest.get(whose)
        if before is None or number > before or (equal and number == before):
            kept[key].append(e)
            greatest[whose] = number
    return {key: sorted(events, key=time_and_arrival) for key, events in kept.items()}


def _has_several(sample: Sample, i: int) -> bool:
    parts = (part for parts in sample.due.values() for part in parts)
    return any(len({e.others[i] for e in part.events}) < len(part.events) for part in parts)


def _get_value(e: Event) -> Any:
    return e.value


def _take_one(i: int, order: Order, last: bool, events: Sequence[Event]) -> list[Event]:
    """Of those of a cell the first of an order, or the last."""
    kept: dict[Any, Event] = {}
    for e in sorted(events, key=order, reverse=last):
        kept.setdefault(e.others[i], e)
    return sorted(kept.values(), key=time_and_arrival)
