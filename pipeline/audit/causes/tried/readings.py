"""How a job may have read its events: their values, times and keys changed, or some passed over, by a rule."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.tried.inputs import show_key

_ROUND: Final = tuple(k * 10**n for n in range(7) for k in (1, 2, 2.5, 4, 5) if k * 10**n == int(k * 10**n))
"""Limits that people choose."""
_PLAIN: Final = (2, 3, 4, 5, 6, 8, 10, 15, 16, 20, 30, 60, 100, 300, 600, 1000, 3600)
_SECOND: Final = 1_000_000
_CLOCK: Final = (
    *(1000, _SECOND, 10 * _SECOND, 30 * _SECOND),
    *(n * 60 * _SECOND for n in (1, 5, 10, 15, 30, 60, 120, 240, 300, 360, 600, 720, 1440)),
)
"""Units that times are cut to: of plain numbers, and in microseconds."""


def list_readings(sample: Sample) -> Iterator[Hypothesis]:
    """Other readings of the same events."""
    yield from _list_ends(sample)
    yield from _list_times(sample)
    yield from _list_keys(sample)
    if len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal"):
        yield from _list_values(sample)


def _each(change: Callable[[Event], Event | None]) -> Callable[[Events], Events]:
    """Each event changed; None leaves it out."""

    def events(all_: Events) -> Events:
        found = {key: [e for one in es if (e := change(one)) is not None] for key, es in all_.items()}
        return {key: sorted(es, key=lambda e: e[:2]) for key, es in found.items()}

    return events


def _list_ends(sample: Sample) -> Iterator[Hypothesis]:
    """The first or the last event passed over, of each key or of each window; or all that are out of order."""
    for cause, said, part in (
        ("first event lost", "first", slice(1, None)),
        ("last event lost", "last", slice(None, -1)),
    ):

        def of_keys(all_: Events, part: slice = part) -> Events:
            return {key: es[part] for key, es in all_.items()}

        def come(all_: Events, part: slice = part) -> Events:
            came = {key: sorted(es, key=lambda e: e.arrival)[part] for key, es in all_.items()}
            return {key: sorted(es, key=lambda e: e[:2]) for key, es in came.items()}

        def of_windows(es: Sequence[Event], part: slice = part) -> Sequence[Event]:
            return es[part] if len(es) > 1 else es

        yield Hypothesis(cause, f"leaves out the {said} event of each key", events=of_keys)
        yield Hypothesis(cause, f"leaves out the event of each key that came {said}", events=come)
        yield Hypothesis(cause, f"leaves out the {said} event of each window that has several", content=of_windows)
    if sample.delay is not None:
        return
    for together, said in ((False, "of its key"), (True, "of all")):

        def ahead(all_: Events, together: bool = together) -> Events:
            kept: set[int] = set()
            for group in [[e for es in all_.values() for e in es]] if together else all_.values():
                latest: int | None = None
                for e in sorted(group, key=lambda e: e.arrival):
                    if latest is None or e.time >= latest:
                        kept.add(e.arrival)
                        latest = e.time
            return {key: [e for e in es if e.arrival in kept] for key, es in all_.items()}

        if sample.whole or not together:
            yield Hypothesis("out of order left out", f"leaves out every event behind the latest {said}", events=ahead)


def _list_times(sample: Sample) -> Iterator[Hypothesis]:
    """Times cut to a unit, or of a clock that knows no summer time."""
    window = sample.window
    match window:
        case Sliding():
            most = window.range * 2
        case Session():
            most = window.gap * 4
        case Calendar():
            most = 10**15
        case _:
            return
    factor = 1000 if sample.tick == "ns" else 1
    for unit in _PLAIN if sample.tick is None else [factor * one for one in _CLOCK]:
        if unit > most:
            continue
        said = show_span(unit, sample.tick)
        for cause, verb, by in (("times truncated", "cuts times", 0), ("times rounded", "rounds times", unit // 2)):
            cut = partial(_cut, unit, by)
            yield Hypothesis(cause, f"{verb} to {said}", events=_each(cut))


def _cut(unit: int, by: int, e: Event) -> Event:
    return e._replace(time=(e.time + by) // unit * unit)


def _list_keys(sample: Sample) -> Iterator[Hypothesis]:
    """A key whose events are counted for another."""
    shown = {name[0] for name in sample.results}
    wrong = {name[0] for name in sample.open}
    for key in sorted(sample.events.keys() - shown)[:4]:
        for other in sorted(wrong - {key})[:20]:

            def merged(all_: Events, key: str = key, other: str = other) -> Events:
                both = sorted([*all_.get(other, []), *all_.get(key, [])], key=lambda e: e[:2])
                return {**{k: es for k, es in all_.items() if k != key}, other: both}

            yield Hypothesis(
                "keys merged",
                f"counts the events of key {show_key(key)} for key {show_key(other)}",
                events=merged,
                needs=2,
            )


def _list_values(sample: Sample) -> Iterator[Hypothesis]:
    def changing(cause: str, why: str, change: Callable[[Any], Any], needs: int = 1) -> Hypothesis:
        def one(e: Event) -> Event:
            return e if e.value is None else sample.lift(e, change(e.value))

        return Hypothesis(cause, why, events=_each(one), needs=needs)

    def keeping(why: str, keeps: Callable[[Any], bool], needs: int = 1) -> Hypothesis:
        def one(e: Event) -> Event | None:
            return e if e.value is None or keeps(e.value) else None

        return Hypothesis("some values left out", why, events=_each(one), needs=needs)

    values = [e.value for es in sample.events.values() for e in es if e.value is not None]
    if not values:
        return
    least, most = min(values), max(values)
    reach = max(abs(least), abs(most))
    whole = sample.kinds[0] == "int"
    if least < 0:
        yield changing("sign lost", "takes values without their sign", abs)
        yield changing("clamped", "takes values below zero for zero", lambda v: max(v, 0))
    if whole:
        for bits in (8, 16, 32):
            half = 1 << (bits - 1)
            if reach >= half:
                yield changing("overflow", f"takes values in {bits} bits", partial(_wrap, half))
        for unit in (10, 100, 1000):
            if reach >= unit:
                yield changing("truncated", f"rounds values down to {unit:,}s", partial(_floor, unit))
                yield changing("truncated", f"cuts values to {unit:,}s", partial(_towards_zero, unit))
    right = [
        e.value
        for name, parts in sample.due.items()
        if name not in sample.findings and name not in sample.aside
        for part in parts
        for e in part.events
        if e.value is not None
    ]
    read = {max(map(abs, right)) + 1, max(right) + 1} if right and whole else set[Any]()
    for limit in (*_ROUND, *sorted(read - {*_ROUND})):
        if limit > reach:
            continue
        needs = 2 if limit in read else 1
        yield changing("clamped", f"takes values above {limit:,} for {limit:,}", partial(_at_most, limit), needs)
        yield keeping(f"leaves out values from {limit:,} on", partial(_is_below, limit), needs)
        if least <= -limit:
            yield keeping(f"leaves out values of size {limit:,} and more", partial(_is_within, limit), needs)
            yield keeping(f"leaves out values of {-limit:,} and less", partial(_is_above, -limit), needs)


def _wrap(half: int, v: Any) -> Any:
    return (v + half) % (2 * half) - half


def _floor(unit: int, v: Any) -> Any:
    return v // unit * unit


def _towards_zero(unit: int, v: Any) -> Any:
    return v // unit * unit if v >= 0 else -(-v // unit * unit)


def _at_most(limit: Any, v: Any) -> Any:
    return min(v, int(limit))


def _is_below(limit: Any, v: Any) -> bool:
    return bool(v < limit)


def _is_above(limit: Any, v: Any) -> bool:
    return bool(v > limit)


def _is_within(limit: Any, v: Any) -> bool:
    return bool(abs(v) < limit)


def find_limits(numbers: Iterable[Any]) -> list[Any]:
    """The results that stand most often where there are findings: where answers may be cut off.

    >>> find_limits([100, 7, 100, 100])
    [100]
    """
    return [value for value, n in Counter(numbers).most_common(2) if n > 1]
