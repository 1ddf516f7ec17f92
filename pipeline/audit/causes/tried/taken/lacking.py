"""What a job takes null for in one of several values: in the measure by which an answer is chosen, in the answer that
is beside it, in a weight; where an event that lacks one of them is no value at all.

An engine that sorts puts null before all values, or after them; who fills a column before it is compared has zero
there.  And where the measure alone is looked at, null is answered where it is beside the best.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import CHOOSING
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Sample
from swagproof.pipeline.audit.causes.tried.events.inputs import add_skipped

NUMBERS: Final = ("int", "float", "decimal")
_PLACES: Final = ("first", "second", "third", "fourth")
_LAST: Final = "\U0010ffff"
"""A text that is after all others."""


def name_part(sample: Sample, i: int) -> str:
    """One of several values, in words."""
    if sample.aggregation.name in CHOOSING:
        return ("its measure", "the value beside its measure")[i]
    return f"its {_PLACES[i]} value" if i < len(_PLACES) else f"its value {i + 1}"


def list_lacking(sample: Sample) -> Iterator[Hypothesis]:
    """Null in one part of a value, or in any, taken for something."""
    if len(sample.kinds) < 2:
        return
    lacking = [e.parts for e in sample.came if e.parts is not None]
    places = [i for i in range(len(sample.kinds)) if any(parts[i] is None for parts in lacking)]
    for i in places:
        for cause, why, value in _list_values(sample, i):
            yield from _fill_with(sample, cause, f"{why} in {name_part(sample, i)}", {i: value})
    zeros = {i: 0 for i in places if sample.kinds[i] in NUMBERS}
    if len(zeros) > 1:
        yield from _fill_with(sample, "null as zero", "takes null for zero in any of its values", zeros)
    chosen = sample.aggregation.name in CHOOSING and not sample.aggregation.partly
    if chosen and 1 in places:
        why = "answers null where that is beside the measure it chooses"
        yield from _fill_with(sample, "null", why, {1: None})


def _list_values(sample: Sample, i: int) -> Iterator[tuple[str, str, Any]]:
    """What null may be taken for in a part: the cause, words, and the value."""
    measure = i == 0 and sample.aggregation.name in CHOOSING
    if sample.kinds[i] in NUMBERS:
        yield "null as zero", "takes null for zero", 0
    if sample.kinds[i] in NUMBERS and not measure:
        yield "null filled", "takes null for 1", 1
    if sample.kinds[i] == "text":
        yield "null as zero", "takes null for the empty text", ""
    if measure:
        least, most = _find_bounds(sample)
        yield "null counted", "takes null for less than any other", least
        yield "null counted", "takes null for greater than any other", most


def _find_bounds(sample: Sample) -> tuple[Any, Any]:
    """What is less than any measure, and what is more: of the kind that they are, as what is tried with it goes on."""
    parts = (e.value or e.parts for e in sample.came)
    measures = [it[0] for it in parts if it is not None and it[0] is not None]
    if sample.kinds[0] == "text" or not measures:
        return "", _LAST
    least, most = min(measures), max(measures)
    return least - abs(least) - 1, most + abs(most) + 1


def _fill_with(sample: Sample, cause: str, why: str, values: dict[int, Any]) -> Iterator[Hypothesis]:
    """Events that lack nothing else count; where events without a value are skipped, windows of others may be there."""
    events = partial(_fill, sample, values)
    yield Hypothesis(cause, why, events=events)
    if sample.skipped:
        yield Hypothesis(cause, f"{why}, of windows with others", events=events, results=partial(_keep_due, sample))


def _fill(sample: Sample, values: dict[int, Any], all_: Events) -> Events:
    fill = partial(_fill_event, sample, values)
    return {key: _change(sample, fill, events) for key, events in add_skipped(sample, all_).items()}


def _change(sample: Sample, fill: Callable[[Event], Event], events: Sequence[Event]) -> list[Event]:
    return [one for e in events if (one := fill(e)).value is not None or not sample.skipped]


def _fill_event(sample: Sample, values: dict[int, Any], e: Event) -> Event:
    """The event with what it lacks; as it is where it lacks something else."""
    if e.parts is None:
        return e
    made = tuple(values.get(i) if part is None else part for i, part in enumerate(e.parts))
    needed = made[:1] if sample.aggregation.partly else made
    if any(part is None and values.get(i, 0) is not None for i, part in enumerate(needed)):
        return e
    return sample.lift(e, made)


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name in sample.due}
