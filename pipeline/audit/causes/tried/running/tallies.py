"""Counts of a least or a greatest value that are not begun again where a lesser or greater one comes."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import ge, gt, le, lt
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.rules import Answer

_BEATS: Final[dict[str, tuple[str, Callable[[Any, Any], bool], Callable[[Any, Any], bool]]]] = {
    "max-count": ("greatest", gt, ge),
    "min-count": ("least", lt, le),
}
_ORDERS: Final[dict[str, Callable[[Event], Any]]] = {
    "in the order of time": time_and_arrival,
    "as they come": get_arrival,
}


def list_tallies(sample: Sample) -> Iterator[Hypothesis]:
    """The count goes on where another value takes the place of what was counted, or counts just that."""
    of = _BEATS.get(sample.aggregation.name)
    if of is None:
        return
    which, beats, is_as_good = of
    for said, order in _ORDERS.items():
        why = f"goes on with its count where a new {which} value comes, {said}"
        yield Hypothesis("state kept", why, answer=partial(_count, is_as_good, order), bits=1.0)
        why = f"counts how often there is a new {which} value, {said}"
        yield Hypothesis("another aggregate", why, answer=partial(_count, beats, order), bits=1.0)


def _count(counts: Callable[[Any, Any], bool], order: Callable[[Event], Any], events: Sequence[Event]) -> Answer:
    """How many have a value that is, beside the best so far, one that counts."""
    n, best = 0, None
    for e in sorted(events, key=order):
        if e.value is not None and (best is None or counts(e.value, best)):
            n, best = n + 1, e.value
    return answer_of(n)
