"""What becomes of one of several values: a weight that is cut to a whole number, a measure without its sign, a price in
another unit; whatever is made of them all.

What people do to values they do to each column of them by itself.  So each change that is tried of a value is tried of
each part of one that has several, and the audit's own aggregation, be it the user's, says what is answered then.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import CHOOSING
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample
from swagproof.pipeline.audit.causes.tried.events.readings import SIGNS, list_tests, list_values, list_ways
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.causes.tried.taken.lacking import NUMBERS, name_part
from swagproof.pipeline.audit.causes.tried.values.units import KNOWN, Some, list_some

_PARTS: Final = 4
"""Of how many values, at most."""
_FACTORS: Final = (Fraction(-1), *KNOWN)


def list_several(sample: Sample) -> Iterator[Hypothesis]:
    """Each change of one part of the values."""
    if len(sample.kinds) < 2:
        return
    there = [i for i, kind in enumerate(sample.kinds[:_PARTS]) if kind in NUMBERS]
    for i in there:
        values, right = list_values(sample, partial(_get, i))
        if values:
            yield from _list_changes(sample, i, values, right)
            yield from _list_units(sample, i)
    if sample.aggregation.name not in CHOOSING:
        for i, j in permutations(there, 2):
            yield from _list_exchanged(sample, i, j)
    for i in range(len(sample.kinds[:_PARTS])):
        yield from _list_columns(sample, i)


def _get(i: int, e: Event) -> Any:
    return e.value[i]


def _say(sample: Sample, i: int, why: str) -> str:
    """The words of a change of values, for one of several."""
    own = name_part(sample, i)
    if why.startswith("leaves out"):
        return (
            why.replace("leaves out values", f"leaves out events with {own}", 1)
            .replace("leaves out negative values", f"leaves out events with {own} negative")
            .replace("leaves out positive values", f"leaves out events with {own} positive")
        )
    return why.replace("values", own, 1).replace("their sign", "its sign")


def _list_changes(sample: Sample, i: int, values: Sequence[Any], right: Sequence[Any]) -> Iterator[Hypothesis]:
    """The part rounded, cut off, without its sign; or events left out by what it is."""
    for way in list_ways(sample.kinds[i], values, right):
        if _makes_one(way.change, values):
            continue
        events = partial(_change_each, partial(_change, sample, i, way.change))
        yield Hypothesis(way.cause, _say(sample, i, way.why), events=events, needs=way.needs)
    if sample.aggregation.name not in CHOOSING:
        events = partial(_change_each, partial(_change, sample, i, partial(_be, 1)))
        yield Hypothesis("another aggregate", f"takes 1 for {name_part(sample, i)}", events=events, spare=RARE)
    for test in (*SIGNS, *list_tests(sample.kinds[i], values, right)):
        events = partial(_keep_some, i, test.keeps)
        yield Hypothesis(
            "some values left out", _say(sample, i, test.why), events=events, needs=test.needs, filters=True
        )


def _makes_one(change: Callable[[Any], Any], values: Sequence[Any]) -> bool:
    """Whether all of them become one and the same: then it is no change of values, but what is said with none."""
    first = change(values[0])
    return all(change(value) == first for value in values)


def _list_units(sample: Sample, i: int) -> Iterator[Hypothesis]:
    """The part of all events, or of some, so many times."""
    looked = choose_findings(sample)
    tried, found = 0, list[tuple[str, Some, Callable[[Event], Event]]]()
    for which in list_some(sample):
        for factor in _FACTORS:
            tried += 1
            change: Callable[[Event], Event] = partial(_change, sample, i, partial(_scale, sample.kinds[i], factor))
            if fits_some(sample, looked, partial(_answer, sample, which, change), keyed=True, share=3):
                found.append((_tell(factor), which, change))
    for said, which, change in found:
        why = f"takes {name_part(sample, i)}{which.said} {said}"
        events = partial(_convert, which, change)
        yield Hypothesis("another unit", why, events=events, needs=2, bits=RARE + log2(max(2, tried)))


def _tell(factor: Fraction) -> str:
    if factor == -1:
        return "with the other sign"
    return f"{factor.numerator:,} times" if factor.denominator == 1 else f"divided by {factor.denominator:,}"


def _scale(kind: str, factor: Fraction, value: Any) -> Any:
    if kind == "float":
        return value * float(factor)
    made = Fraction(value) * factor
    return int(made) if made.denominator == 1 and kind == "int" else made


def _answer(sample: Sample, which: Some, change: Callable[[Event], Event], key: str, events: Sequence[Event]) -> Any:
    return sample.answer([change(e) if which.holds(key, e) else e for e in events])


def _convert(which: Some, change: Callable[[Event], Event], all_: Events) -> Events:
    return {key: [change(e) if which.holds(key, e) else e for e in events] for key, events in all_.items()}


def _list_exchanged(sample: Sample, i: int, j: int) -> Iterator[Hypothesis]:
    """One part for another, or each for the other."""
    one, other = name_part(sample, i), name_part(sample, j)
    events = partial(_change_each, partial(_give, sample, i, partial(_get, j)))
    yield Hypothesis("another column", f"takes {other} for {one}", events=events)
    if i < j:
        events = partial(_change_each, partial(_exchange, sample, i, j))
        yield Hypothesis("another column", f"takes {one} for {other}, and {other} for {one}", events=events)


def _list_columns(sample: Sample, i: int) -> Iterator[Hypothesis]:
    """Another column for a part."""
    numbers = sample.kinds[i] in NUMBERS
    for c, name in enumerate(sample.columns):
        cells = [cell for cell in sample.list_cells(c) if cell is not None]
        if cells and (numbers or sample.kinds[i] == "text") and numbers is not isinstance(cells[0], str):
            events = partial(_change_each, partial(_give, sample, i, partial(_get_cell, c)))
            yield Hypothesis("another column", f"takes {name} for {name_part(sample, i)}", events=events)


def _get_cell(c: int, e: Event) -> Any:
    return e.others[c]


def _be(value: Any, _: Any) -> Any:
    return value


def _change(sample: Sample, i: int, change: Callable[[Any], Any], e: Event) -> Event:
    return _give(sample, i, lambda one: change(one.value[i]), e)


def _give(sample: Sample, i: int, of: Callable[[Event], Any], e: Event) -> Event:
    """The event with another part; as it is where it has none."""
    if e.value is None or e.value[i] is None:
        return e
    part = of(e)
    if part is None:
        return e
    return e if part == e.value[i] else sample.lift(e, (*e.value[:i], part, *e.value[i + 1 :]))


def _exchange(sample: Sample, i: int, j: int, e: Event) -> Event:
    if e.value is None:
        return e
    parts = list(e.value)
    parts[i], parts[j] = parts[j], parts[i]
    return sample.lift(e, tuple(parts))


def _change_each(change: Callable[[Event], Event], all_: Events) -> Events:
    return {key: [change(e) for e in events] for key, events in all_.items()}


def _keep_some(i: int, keeps: Callable[[Any], bool], all_: Events) -> Events:
    return {
        key: [e for e in events if e.value is None or e.value[i] is None or keeps(e.value[i])]
        for key, events in all_.items()
    }
