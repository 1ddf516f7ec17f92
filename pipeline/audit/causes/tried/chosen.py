"""Which event of a window an answer was taken from, where it is what one column holds where another is greatest.

What is due is the value of one event of the window.  Others that people take, by a name that is near, or by an order
that they forgot, are the latest, the one with the least measure, or the one whose value itself is greatest.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, get_arrival
from swagproof.pipeline.audit.causes.tried.answers import answer_near

_LEAST: Final = "arg-min"
_GREATEST: Final = "arg-max"
Choice = Callable[[Sequence[Event]], Event]


def list_chosen(sample: Sample) -> Iterator[Hypothesis]:
    """The value of another event, or the measure for the value."""
    own = sample.aggregation.name
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
    if sample.kinds[0] in ("int", "float", "decimal") and sample.kind in ("int", "float", "decimal"):
        measure = partial(answer_near, lambda es: best(e.value[0] for e in es))
        yield Hypothesis(cause, f"answers the {wanted} measure, and not the value beside it", answer=measure)


def _take(choose: Choice, events: Sequence[Event]) -> Sequence[Event]:
    there = [e for e in events if e.value is not None and None not in e.value]
    return [choose(there)] if there else events


def _measure(e: Event) -> Any:
    return e.value[0]


def _value(e: Event) -> Any:
    return e.value[1]
