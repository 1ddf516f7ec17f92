"""Of the events beyond so many in each second, minute or hour a job counts one of so many: of a key, or of all.

A sampler of logs lets the first of each span of time through, and one of so many of those beyond.  How many are let
through lies between what windows hold that are right, and what those hold that are not.  Where none of those beyond
is, that is `swagproof.pipeline.audit.causes.tried.lost.paged`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample
from swagproof.pipeline.audit.causes.spans import list_units, show_span
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_EACH: Final = (2, 3, 4, 5, 8, 10, 20, 50, 100)
"""One of so many is let through of what is beyond the limit."""
_LIMITS: Final = 16
"""How many limits are tried of a span."""
_ROUND: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 50, 100, 200, 500, 1000)
_BEYOND: Final = 0.9
"""How many findings, at least, are of windows that hold more than any right one."""


def list_rated(sample: Sample) -> Iterator[Hypothesis]:
    """Each span of time, of each key or of all, with the limits that some findings speak for."""
    if isinstance(sample.window, Frame):
        return
    looked = choose_findings(sample)
    for whose, groups in _list_groups(sample):
        times = sum(len({e.time for e in events}) for events in groups)
        for unit in list_units(sample.tick):
            if sum(len({e.time // unit for e in events}) for events in groups) == times:
                continue  # that is one of each time
            numbers = _number(groups, unit)
            most = max(numbers.values(), default=0)
            for limit in _list_limits(sample, numbers):
                for each in (one for one in _EACH if limit + one <= most):
                    if fits_some(sample, looked, partial(_answer, sample, numbers, limit, each)):
                        yield _suppose(sample, numbers, limit, each, f"{show_span(unit, sample.tick)} {whose}")


def _suppose(sample: Sample, numbers: Mapping[int, int], limit: int, each: int, of: str) -> Hypothesis:
    return Hypothesis(
        "sampled",
        f"counts of each {of} the first {limit:,} event{'s' * (limit > 1)} to come, and one of {each} of those beyond",
        events=without(lambda e: not _is_let_through(numbers[e.arrival], limit, each), again=False),
        filters=True,
        needs=2,
        bits=log2(_LIMITS * len(_EACH)),
    )


def _list_groups(sample: Sample) -> Iterator[tuple[str, list[Sequence[Event]]]]:
    yield "of each key", [*sample.events.values()]
    if sample.whole and len(sample.events) > 1:
        yield "of all keys", [[e for events in sample.events.values() for e in events]]


def _number(groups: Sequence[Sequence[Event]], unit: int) -> dict[int, int]:
    """The how manieth of its span of time each event is, as they come."""
    numbers: dict[int, int] = {}
    for events in groups:
        seen: Counter[int] = Counter()
        for e in sorted(events, key=lambda e: e.arrival):
            seen[e.time // unit] += 1
            numbers[e.arrival] = seen[e.time // unit]
    return numbers


def _list_limits(sample: Sample, numbers: Mapping[int, int]) -> Sequence[int]:
    """What no right result speaks against, and most findings for."""
    most: dict[bool, list[int]] = {True: [], False: []}
    for name, parts in sample.due.items():
        if name not in sample.aside and (there := [numbers[e.arrival] for part in parts for e in part.events]):
            most[name in sample.open].append(max(there))
    low = max(most[False], default=1)
    beyond = [n for n in most[True] if n > low]
    if not beyond or len(beyond) < _BEYOND * len(most[True]):
        return ()
    limits = range(low, min(beyond))
    return limits if len(limits) <= _LIMITS else [low, *(n for n in _ROUND if n in limits and n > low)]


def _is_let_through(number: int, limit: int, each: int) -> bool:
    return number <= limit or (number - limit) % each == 0


def _answer(sample: Sample, numbers: Mapping[int, int], limit: int, each: int, events: Sequence[Event]) -> Answer:
    kept = [e for e in events if _is_let_through(numbers[e.arrival], limit, each)]
    return sample.answer(kept) if kept else NULL
