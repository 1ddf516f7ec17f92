"""Nulls that a job takes for values: the answer is null where one of them is, or the one that is first, or last; or
null is one more value to count.

An aggregate that leaves out nulls is asked for; a sum that is written with `+`, or a first value that is the value of
the first event, has null where there is one.  Where events without a value are skipped, these are looked at again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import nan
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Events, Foretold, Sample, get_arrival
from swagproof.pipeline.audit.causes.tried.events.inputs import add_skipped
from swagproof.pipeline.audit.rules import Answer

_WHERE: Final[dict[str, Callable[[Sequence[Event]], bool]]] = {
    "any value of a window is": lambda events: any(e.value is None for e in events),
    "the first value of a window is": lambda events: events[0].value is None,
    "the last value of a window is": lambda events: events[-1].value is None,
    "the value that came first is": lambda events: min(events, key=get_arrival).value is None,
    "the value that came last is": lambda events: max(events, key=get_arrival).value is None,
}


_NOT_A_NUMBER: Final = Answer("NaN", nan, nan)


def list_nulls(sample: Sample) -> Iterator[Hypothesis]:
    """Answers that are null where some value is, and nulls that are counted."""
    if not sample.has_nulls:
        return
    events = partial(add_skipped, sample) if sample.skipped else None
    none = {"null": NULL, "NaN": _NOT_A_NUMBER} if sample.kind == "float" else {"null": NULL}
    results = partial(_leave_empty, sample) if sample.skipped else None
    for said, holds in _WHERE.items():
        for nothing, answer in none.items():
            made = partial(_answer, sample, holds, answer)
            yield Hypothesis("null", f"answers {nothing} where {said}", events=events, answer=made, results=results)
            if sample.skipped:
                why = f"answers {nothing} where {said}, and where there are no others"
                yield Hypothesis("null", why, events=events, answer=made)
    if sample.aggregation.name in ("count", "sql-count", "distinct-count") and sample.kinds:
        why = "counts null as a value of its own"
        count = partial(_count_null, sample)
        yield Hypothesis("null counted", why, events=count)
        if sample.skipped:
            why = f"{why}, where there are others"
            yield Hypothesis("null counted", why, events=count, results=partial(_leave_empty, sample))


def _answer(
    sample: Sample, holds: Callable[[Sequence[Event]], bool], nothing: Answer, events: Sequence[Event]
) -> Answer:
    return nothing if events and holds(events) else sample.answer([e for e in events if e.lifted is not None])


def _leave_empty(sample: Sample, found: Foretold) -> Foretold:
    """The windows that are due: those of nulls alone are not."""
    return {name: parts for name, parts in found.items() if name in sample.due}


def _count_null(sample: Sample, all_: Events) -> Events:
    """Null is taken for a value that no event has."""
    there = [e.value for events in sample.events.values() for e in events if e.value is not None]
    other: Any = "\0" if sample.kinds[0] in ("text", "json") else max(there, default=0) + 1
    return {
        key: [sample.lift(e, other) if e.value is None else e for e in events]
        for key, events in add_skipped(sample, all_).items()
    }
