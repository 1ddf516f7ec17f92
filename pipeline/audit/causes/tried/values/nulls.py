"""Nulls that a job takes for values: the answer is null where one of them is, or the one that is first, or last.

An aggregate that leaves out nulls is asked for; a sum that is written with `+`, or a first value that is the value of
the first event, has null where there is one.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample, get_arrival
from swagproof.pipeline.audit.rules import Answer

_WHERE: Final[dict[str, Callable[[Sequence[Event]], bool]]] = {
    "any value of a window is": lambda events: any(e.value is None for e in events),
    "the first value of a window is": lambda events: events[0].value is None,
    "the last value of a window is": lambda events: events[-1].value is None,
    "the value that came first is": lambda events: min(events, key=get_arrival).value is None,
    "the value that came last is": lambda events: max(events, key=get_arrival).value is None,
}


def list_nulls(sample: Sample) -> Iterator[Hypothesis]:
    """Answers that are null where some value is."""
    if not any(e.value is None for events in sample.events.values() for e in events):
        return
    for said, holds in _WHERE.items():
        yield Hypothesis("null", f"answers null where {said}", answer=partial(_answer, sample, holds))


def _answer(sample: Sample, holds: Callable[[Sequence[Event]], bool], events: Sequence[Event]) -> Answer:
    return NULL if events and holds(events) else sample.answer(events)
