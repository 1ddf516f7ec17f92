"""Events without a value that a job gives one: that of the event before them or after them, one between the two, or the
mean of all.

Whoever fills a column before it is grouped by the key fills it over all keys, and whoever does so before it is sorted
fills it in the order in which events came.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import ANSWERING
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.tried.events.inputs import add_skipped

_NUMBERS: Final = ("int", "float", "decimal")
_ORDERS: Final[Mapping[str, Callable[[Event], Any]]] = {
    "{} it in time": time_and_arrival,
    "that came {} it": get_arrival,
}

Values = Sequence[Any]
"""Of events in an order; None where there is none."""
Fill = Callable[[Sequence[Event]], Values]


def _fill_forward(events: Sequence[Event]) -> list[Any]:
    made, last = list[Any](), None
    for e in events:
        last = last if e.value is None else e.value
        made.append(last)
    return made


def _fill_backward(events: Sequence[Event]) -> list[Any]:
    return _fill_forward(events[::-1])[::-1]


def _fill_between(by_time: bool, events: Sequence[Event]) -> list[Any]:
    """On the line from the value before to that after; as the last one where none is after."""
    there = [(i, e) for i, e in enumerate(events) if e.value is not None]
    made = _fill_forward(events)
    for (i, a), (j, b) in pairwise(there):
        for k in range(i + 1, j):
            share = Fraction(events[k].time - a.time, b.time - a.time) if by_time and b.time != a.time else None
            share = Fraction(k - i, j - i) if share is None else share
            value = Fraction(a.value) + (Fraction(b.value) - Fraction(a.value)) * share
            made[k] = float(value) if isinstance(a.value, float) else value
    return made


def _fill_mean(events: Sequence[Event]) -> list[Any]:
    there = [Fraction(e.value) for e in events if e.value is not None]
    mean: Any = sum(there) / len(there) if there else None
    mean = float(mean) if any(isinstance(e.value, float) for e in events) else mean
    return [mean if e.value is None else e.value for e in events]


@dataclass(frozen=True)
class _Way:
    """How values are filled."""

    why: str
    order: Callable[[Event], Any]
    fill: Fill
    bits: float


def list_filled(sample: Sample) -> Iterator[Hypothesis]:
    """Each way to fill, over each key, each window, or all keys."""
    if len(sample.kinds) != 1 or not sample.has_nulls:
        return
    # of a count, null as a value of its own is likelier
    rare = RARE if sample.aggregation.name.endswith("count") else 0.0
    # of the first or the last value, it is as if null were passed over
    spare = RARE if sample.aggregation.name in ANSWERING else 0.0
    for way in _list_ways(numbers=sample.kinds[0] in _NUMBERS):
        bits = way.bits + rare
        of_key = partial(_fill_keys, sample, way)
        yield Hypothesis("null filled", f"{way.why}, of its key", events=of_key, bits=bits, spare=spare)
        events = partial(add_skipped, sample) if sample.skipped else None
        yield Hypothesis(
            "null filled",
            f"{way.why}, of its window",
            events=events,
            content=partial(_fill, sample, way),
            results=partial(_keep_due, sample) if sample.skipped else None,
            bits=bits + 1.0,
            spare=spare,
        )
        if sample.whole and len(sample.events) > 1:
            of_all = partial(_fill_all, sample, way)
            why = f"{way.why}, of any key"
            yield Hypothesis("null filled", why, events=of_all, mixes=True, bits=bits + 1.0, spare=spare)


def _list_ways(*, numbers: bool) -> Iterator[_Way]:
    ways = [
        (f"takes the value of the event {said.format(which)} for null", order, fill)
        for said, order in _ORDERS.items()
        for which, fill in (("before", _fill_forward), ("after", _fill_backward))
    ]
    if numbers:
        for said, order in _ORDERS.items():
            why = (
                f"takes a value on the line between those {said.format('before and after')}, by their number, for null"
            )
            ways.append((why, order, partial(_fill_between, False)))
        why = "takes a value on the line between those before and after it, by time, for null"
        ways.append((why, time_and_arrival, partial(_fill_between, True)))
        ways.append(("takes the mean of all values for null", time_and_arrival, _fill_mean))
    for why, order, fill in ways:
        yield _Way(why, order, fill, log2(len(ways)))


def _fill(sample: Sample, way: _Way, events: Sequence[Event]) -> list[Event]:
    """The events with what is filled; without those that still have none, where they are skipped."""
    return _choose(sample, _give(sample, way, events), events)


def _give(sample: Sample, way: _Way, events: Sequence[Event]) -> dict[int, Event]:
    """For each event, by its id, that with what it is filled with."""
    ordered = sorted(events, key=way.order)
    return {
        id(e): e if e.value is not None or value is None else sample.lift(e, value)
        for e, value in zip(ordered, way.fill(ordered), strict=True)
    }


def _choose(sample: Sample, made: Mapping[int, Event], events: Sequence[Event]) -> list[Event]:
    return [one for e in events if (one := made[id(e)]).value is not None or not sample.skipped]


def _fill_keys(sample: Sample, way: _Way, all_: Events) -> Events:
    return {key: _fill(sample, way, events) for key, events in add_skipped(sample, all_).items()}


def _fill_all(sample: Sample, way: _Way, all_: Events) -> Events:
    whole = add_skipped(sample, all_)
    made = _give(sample, way, [e for events in whole.values() for e in events])
    return {key: _choose(sample, made, events) for key, events in whole.items()}


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    """The windows that are due: those of nulls alone have nothing to fill them with."""
    return {name: parts for name, parts in found.items() if name in sample.due}
