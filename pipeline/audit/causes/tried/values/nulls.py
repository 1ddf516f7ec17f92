"""Nulls that a job takes for values: the answer is null where one of them is, or the one that is first, or last; null
is one more value to count, to list, or to order; or a text.  And nulls that it passes over, where they are the answer.

An aggregate that leaves out nulls is asked for; a sum that is written with `+`, or a first value that is the value of
the first event, has null where there is one.  Where events without a value are skipped, these are looked at again.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import nan
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import ANSWERING
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
_WRITTEN: Final = ("None", "null", "NULL", "nan", "NaN")
"""What null is as a text, where a program makes it one."""
_MARK: Final = "\0"
"""A text that no event has."""


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
    yield from _list_passed(sample)
    if len(sample.kinds) == 1:
        yield from _list_listed(sample)
    if sample.kinds == ("text",):
        for text in ("", *_WRITTEN):
            cause, said = ("null counted", f"text {text}") if text else ("null as zero", "empty text")
            lifted = partial(_lift_null, sample, text)
            yield Hypothesis(cause, f"takes null for the {said}", events=lifted, bits=2.0 if text else 0.0)


def _list_passed(sample: Sample) -> Iterator[Hypothesis]:
    """The first or the last value that is one, where null is to be answered."""
    if sample.aggregation.name in ANSWERING:
        which = sample.aggregation.name.removeprefix("sql-")
        why = f"answers the {which} value that is not null, or null where there is none"
        yield Hypothesis("some values left out", why, content=_leave_nulls)
    if sample.aggregation.partly:
        why = "leaves out events that have null beside their measure"
        yield Hypothesis("some values left out", why, content=_leave_halves)


def _leave_nulls(events: Sequence[Event]) -> Sequence[Event]:
    return [e for e in events if e.value is not None]


def _leave_halves(events: Sequence[Event]) -> Sequence[Event]:
    return [e for e in events if e.value is not None and None not in e.value]


def _list_listed(sample: Sample) -> Iterator[Hypothesis]:
    """Lists that have null in them; and greatest values, which have it before all."""
    own = sample.aggregation.name
    marked = partial(_lift_null, sample, _MARK)
    if own in ("collect", "mutable-collect"):
        answer = partial(_list_marked, sample)
        yield Hypothesis("null counted", "puts null into its lists", events=marked, answer=answer)
    if own.startswith("top-"):
        events = partial(add_skipped, sample) if sample.skipped else None
        first = partial(_put_first, sample, int(own.removeprefix("top-")))
        yield Hypothesis("null counted", "takes null for greater than any value", events=events, answer=first)


def _lift_null(sample: Sample, text: Any, all_: Events) -> Events:
    """Null is taken for this value."""
    return {
        key: [sample.lift(e, text) if e.value is None else e for e in events]
        for key, events in add_skipped(sample, all_).items()
    }


def _list_marked(sample: Sample, events: Sequence[Event]) -> Answer:
    answer = sample.answer(events)
    return answer._replace(text=answer.text and answer.text.replace(json.dumps(_MARK), "null"))


def _put_first(sample: Sample, k: int, events: Sequence[Event]) -> Answer:
    """As many of the greatest values as there is room for after what is null."""
    there = [e for e in events if e.value is not None]
    made = sample.answer(there) if there else NULL
    listed = [] if made.text is None else json.loads(made.text)
    return made._replace(text=json.dumps(([None] * (len(events) - len(there)) + listed)[:k]))


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
