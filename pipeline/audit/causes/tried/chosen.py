"""Which event of a window an answer was taken from, where it is what one column holds where another is greatest.

What is due is the value of one event of the window.  Others that people take, by a name that is near, or by an order
that they forgot, are the latest, the one with the least measure, or the one whose value itself is greatest.
"""

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.tried.answers import answer_near

_LEAST: Final = "arg-min"
_GREATEST: Final = "arg-max"
Beats = Callable[[Any, Any], bool]
BEATS: Final[Mapping[str, tuple[Beats, Beats]]] = {
    _LEAST: (operator.lt, operator.le),
    _GREATEST: (operator.gt, operator.ge),
    "min": (operator.lt, operator.le),
    "max": (operator.gt, operator.ge),
}
"""When one takes the place of the best so far; and when it does, too, where it is as good."""
Choice = Callable[[Sequence[Event]], Event]


def list_chosen(sample: Sample) -> Iterator[Hypothesis]:
    """The value of another event, or the measure for the value."""
    own = sample.aggregation.name.removeprefix("sql-")
    yield from _list_last(own)
    yield from _list_ties(own)
    if own not in (_LEAST, _GREATEST):
        return
    cause, other = "another aggregate", _GREATEST if own == _LEAST else _LEAST
    wanted, unwanted = ("least", "greatest") if own == _LEAST else ("greatest", "least")
    best, worst = (min, max) if own == _LEAST else (max, min)
    ways: tuple[tuple[str, Choice, str], ...] = (
        (f"that has the {unwanted} measure", lambda es: worst(es, key=_measure), f"--aggregate {other}"),
        (f"that has the {unwanted} measure, the newest", lambda es: worst(es[::-1], key=_measure), ""),
        ("that is last in time", lambda es: es[-1], ""),
        ("that is first in time", lambda es: es[0], ""),
        ("that came last", lambda es: max(es, key=get_arrival), ""),
        ("that came first", lambda es: min(es, key=get_arrival), ""),
        ("whose value is greatest", lambda es: max(es, key=_value), ""),
        ("whose value is least", lambda es: min(es, key=_value), ""),
    )
    for said, choose, say in ways:
        why = f"answers the value of the event {said}, in place of that of the {wanted} measure"
        yield Hypothesis(cause, why, content=partial(_take, choose), say=say)
    why = "takes the measure for the value, and the value for the measure"
    exchange = partial(_exchange, sample)
    yield Hypothesis("another column", why, content=exchange, say="the two --value the other way round")
    if sample.kinds[0] in ("int", "float", "decimal") and sample.kind in ("int", "float", "decimal"):
        measure = partial(answer_near, lambda es: best(e.value[0] for e in es))
        yield Hypothesis(cause, f"answers the {wanted} measure, and not the value beside it", answer=measure)


def _exchange(sample: Sample, events: Sequence[Event]) -> Sequence[Event]:
    return [e if e.value is None else sample.lift(e, e.value[::-1]) for e in events]


def _take(choose: Choice, events: Sequence[Event]) -> Sequence[Event]:
    there = [e for e in events if e.value is not None and not (isinstance(e.value, tuple) and None in e.value)]
    return [choose(there)] if there else events


def _list_ties(own: str) -> Iterator[Hypothesis]:
    """Another one of those that have the greatest measure, or the least."""
    if own not in (_LEAST, _GREATEST):
        return
    best, wanted = (min, "least") if own == _LEAST else (max, "greatest")
    strict, loose = ("<", "<=") if own == _LEAST else (">", ">=")
    why = f"answers, where several have the {wanted} measure, the value of"
    ways: tuple[tuple[str, Callable[[Event], Any]], ...] = (
        (f"the last of them, not the first, as with {loose} for {strict}", lambda e: (-e.time, -e.arrival)),
        (f"the last of them that came, as with {loose} for {strict}", lambda e: -e.arrival),
    )
    for said, of in ways:
        first = partial(_take_first, best, of)
        yield Hypothesis("tie broken otherwise", f"{why} {said}", content=partial(_take, first))
    for said, choose in (("greatest", max), ("least", min)):
        by_value = partial(_take_by_value, best, choose)
        said = f"the one whose value is {said}, not the first of them"
        yield Hypothesis("tie broken otherwise", f"{why} {said}", content=partial(_take, by_value))


def _list_tied(best: Callable[..., Any], events: Sequence[Event]) -> list[Event]:
    """All that have the measure of the best."""
    measure = best(map(_measure, events))
    return [e for e in events if _measure(e) == measure]


def _take_first(best: Callable[..., Any], of: Callable[[Event], Any], events: Sequence[Event]) -> Event:
    return min(_list_tied(best, events), key=of)


def _take_by_value(best: Callable[..., Any], choose: Callable[..., Any], events: Sequence[Event]) -> Event:
    it: Event = choose(_list_tied(best, events), key=_value)
    return it


def _list_last(own: str) -> Iterator[Hypothesis]:
    """That which was the last to beat the one before it, where it should have beaten the best so far."""
    beats = BEATS.get(own)
    if beats is None:
        return
    read, what = (_measure, "measure") if own in (_LEAST, _GREATEST) else (_whole, "value")
    for order, of in (("arrival", get_arrival), ("time", time_and_arrival)):
        for said, by in zip(("", ", or the same"), beats, strict=True):
            more = "less" if own in (_LEAST, "min") else "greater"
            why = f"compares each {what} with the one before, and not with the best so far: in the order of {order} it "
            why += f"keeps the last that is {more} than its predecessor{said}"
            yield Hypothesis("another aggregate", why, content=partial(_take, partial(_take_last, by, of, read)))


def _take_last(
    beats: Beats,
    of: Callable[[Event], Any],
    read: Callable[[Event], Any],
    events: Sequence[Event],
) -> Event:
    """The last one that beats the one before it; the first one has none."""
    came = sorted(events, key=of)
    last = came[0]
    for before, e in itertools.pairwise(came):
        if beats(read(e), read(before)):
            last = e
    return last


def _measure(e: Event) -> Any:
    return e.value[0]


def _whole(e: Event) -> Any:
    return e.value


def _value(e: Event) -> Any:
    return e.value[1]
