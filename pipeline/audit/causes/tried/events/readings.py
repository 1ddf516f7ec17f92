"""How a job may have read its events: their values, times and keys changed, or some passed over, by a rule."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Event,
    Events,
    Foretold,
    Name,
    Part,
    Sample,
    get_place,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.spans import DAYS, get_second, list_units, show_digits, show_span
from swagproof.pipeline.audit.causes.tried.answers import single
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.timely import follow_all
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Answer, Kind

_ROUND: Final = tuple(int(k * 10**n) for n in range(7) for k in (1, 2, 2.5, 4, 5) if k * 10**n == int(k * 10**n))
"""Limits that people choose."""
_FINDINGS: Final = 12
"""How many findings are looked at for hours that are left out."""
_RANGES: Final = 20
_SHOWN: Final = 3
_LOOKED: Final = 4
"""How many windows of a key are looked for under another key."""
_MANY: Final = 50
"""How many other keys it may be."""
_ROUNDINGS: Final[Mapping[str, Callable[[Fraction], int]]] = {
    "rounded to": round,
    "rounded, halves up, to": lambda v: floor(v + Fraction(1, 2)) if v >= 0 else ceil(v - Fraction(1, 2)),
    "cut to": int,
}
"""How a number is made a whole one."""


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
        for came, event in (
            (False, f"the {said} event of each {{}}"),
            (True, f"the event of each {{}} that came {said}"),
        ):
            cut = partial(_cut_end, part, came)
            why = f"leaves out {event}"
            yield Hypothesis(cause, why.format("key"), events=partial(_cut_keys, cut))
            yield Hypothesis(cause, why.format("window"), content=cut)
            several = why.format("window") + (", where it has several" if came else " that has several")
            yield Hypothesis(cause, several, content=partial(_cut_several, cut))
            begun = f"{why.format('window')} but the {said} one of its key"
            yield Hypothesis(cause, begun, results=partial(_cut_but_one, cut, said == "last"))
            why = f"{why.format('window')}, and has no result where that is all"
            yield Hypothesis(cause, why, content=cut, results=_drop_empty)
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


def _cut_end(part: slice, came: bool, es: Sequence[Event]) -> list[Event]:
    return sorted((sort_arrived(es) if came else es)[part], key=time_and_arrival)


def _cut_several(cut: Callable[[Sequence[Event]], list[Event]], es: Sequence[Event]) -> Sequence[Event]:
    return cut(es) if len(es) > 1 else es


def _cut_but_one(cut: Callable[[Sequence[Event]], list[Event]], last: bool, found: Foretold) -> Foretold:
    """Each window of a key is cut, but the one that is first, or last."""
    ends: dict[str, Name] = {}
    for name in sorted(found, key=get_place, reverse=not last):
        ends[name[0]] = name
    return {
        name: parts if ends[name[0]] == name else [Part(cut(part.events), part.answer) for part in parts]
        for name, parts in found.items()
    }


def _drop_empty(found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if any(part.events for part in parts)}


def _cut_keys(cut: Callable[[Sequence[Event]], list[Event]], all_: Events) -> Events:
    return {key: cut(es) for key, es in all_.items()}


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
    if sample.tick is not None:
        yield from _list_clocks(sample)
        for said, scale in (("seconds", get_second(sample.tick)), ("milliseconds", get_second(sample.tick) // 1000)):
            if scale:
                narrow = partial(_narrow_times, sample.delay, scale)
                why = f"takes times as floats of 32 bits, of {said}, which are far from one another"
                yield Hypothesis("times rounded", why, events=narrow, bits=RARE)
    yield from _list_cuts(sample, most)


def _list_cuts(sample: Sample, most: int) -> Iterator[Hypothesis]:
    """Times cut to a unit, or rounded: the longer that is, the more of what it foretells of an order is what that of
    arrival does; where it is a window all of it is."""
    window, ordered = sample.window, not sample.aggregation.operation.commutative
    least = 1 if sample.tick is None else get_second(sample.tick)
    for unit in list_units(sample.tick):
        if unit > most:
            continue
        said = show_span(unit, sample.tick)
        whole = isinstance(window, Sliding) and window == Sliding(unit, unit)
        for cause, verb, by in (("times truncated", "cuts times", 0), ("times rounded", "rounds times", unit // 2)):
            if whole and ordered and not by:
                continue
            cut = partial(_cut, unit, by)
            hour = 3600 * get_second(sample.tick)
            usual = unit <= hour or (unit == 24 * hour and not by and isinstance(window, Sliding))
            bits = 0.0 if usual or sample.tick is None else RARE
            spare = max(0.0, log2(unit / least)) if ordered else 0.0
            yield Hypothesis(cause, f"{verb} to {said}", events=_each(cut), bits=bits, spare=spare)
        if unit % 2 == 0:
            even = _each(partial(_round_half_even, unit))
            why = f"rounds times to {said}, those in the middle to an even number of these"
            yield Hypothesis("times rounded", why, events=even, bits=bits, spare=spare)


def _list_clocks(sample: Sample) -> Iterator[Hypothesis]:
    """Events of some hours of the day, or days of the week, left out."""
    second = get_second(sample.tick)
    there = ((name, sample.due.get(name, [])) for name in sorted(sample.open, key=str))
    held = [(name, list(parts[0].events)) for name, parts in there if len(parts) == 1]
    looked = held[:: len(held) // _FINDINGS + 1]
    ranges = [(24, 3600, a, b) for a in range(24) for b in range(a + 1, 25) if b - a < 24]
    ranges += [(24, 3600, a, b + 24) for a in range(13, 24) for b in range(1, 12)]
    ranges += [(7, 86_400, a, b) for a in range(7) for b in range(a + 1, a + 7)]
    found: list[tuple[int, Hypothesis]] = []
    for n, unit, a, b in ranges:
        keeps = partial(_is_outside, n, unit * second, a, b)
        fits = 0
        for name, events in looked:
            kept = [e for e in events if keeps(e)]
            if len(kept) < len(events):
                fits += sample.fits([sample.answer(kept)] if kept else [], sample.results.get(name, ()))
        if fits > 1:
            hours = f"from {a}:00 to {b % 24}:00 of UTC"
            days = f"of {', '.join(DAYS[i % 7] for i in range(a, b))}"
            left_out = _each(partial(_keep_where, keeps))
            found.append(
                (
                    fits,
                    Hypothesis(
                        "some times left out",
                        f"leaves out events {hours if n == 24 else days}",
                        events=left_out,
                        filters=True,
                        needs=3,
                        bits=log2(len(ranges)),
                    ),
                )
            )
    for _, one in sorted(found, key=lambda it: -it[0])[:_RANGES]:
        yield one


def _keep_where(keeps: Callable[[Event], bool], e: Event) -> Event | None:
    return e if keeps(e) else None


def _is_outside(n: int, unit: int, a: int, b: int, e: Event) -> bool:
    at = e.time // unit % n
    return not (a <= at < b or a <= at + n < b)


def _narrow_times(delay: int | None, scale: int, all_: Events) -> Events:
    """Times that go through a float of 32 bits, and the watermark that follows them."""
    narrow = _each(lambda e: e._replace(time=int(single(e.time / scale)) * scale))(all_)
    return narrow if delay is None else follow_all(True, delay, narrow)


def _cut(unit: int, by: int, e: Event) -> Event:
    return e._replace(time=(e.time + by) // unit * unit)


def _round_half_even(unit: int, e: Event) -> Event:
    return e._replace(time=round(Fraction(e.time, unit)) * unit)


def _list_keys(sample: Sample) -> Iterator[Hypothesis]:
    """A key whose events are counted for another."""
    shown = {name[0] for name in sample.results}
    wrong = {name[0] for name in sample.open}
    others = _find_other_keys(sample, sorted(sample.events.keys() - shown))
    if others:
        said = ", ".join(f"{show_key(key)} as {show_key(other)}" for key, other in list(others.items())[:_SHOWN])
        said += ", ..." if len(others) > _SHOWN else ""
        yield Hypothesis(
            "keys written otherwise", f"writes keys otherwise: {said}", results=partial(_rename_keys, others), needs=2
        )
    for key in sorted(sample.events.keys() - shown - others.keys())[:4]:
        for other in sorted(wrong - {key} - {*others.values()})[:20]:

            def merged(all_: Events, key: str = key, other: str = other) -> Events:
                both = sorted([*all_.get(other, []), *all_.get(key, [])], key=lambda e: e[:2])
                return {**{k: es for k, es in all_.items() if k != key}, other: both}

            yield Hypothesis(
                "keys merged",
                f"counts the events of key {show_key(key)} for key {show_key(other)}",
                events=merged,
                needs=2,
                mixes=True,
            )


def _find_other_keys(sample: Sample, lost: Sequence[str]) -> dict[str, str]:
    """For keys without results the keys without events that have theirs, of all that they share."""
    strange: dict[tuple[int | None, int | None], list[str]] = {}
    for key, a, b in sample.results:
        if key not in sample.events:
            strange.setdefault((a, b), []).append(key)
    found: dict[str, str] = {}
    for key in lost if strange else ():
        votes: Counter[str] = Counter()
        mine = [name for name in sample.due if name[0] == key][:_LOOKED]
        for _, *place in mine:
            for other in strange.get((place[0], place[1]), ())[:_MANY]:
                due, got = sample.answers[key, place[0], place[1]], sample.results[other, place[0], place[1]]
                votes[other] += sample.fits(due, got)
        (best, n), (_, next_) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
        if 2 * n > len(mine) and n > next_ and best not in found.values():
            found[key] = best
    return found


def _rename_keys(others: Mapping[str, str], found: Foretold) -> Foretold:
    return {(others.get(name[0], name[0]), *name[1:]): parts for name, parts in found.items()}


def _say(limit: Any) -> str:
    """A number, in thousands; a fraction as the decimal that it is near."""
    return f"{limit if isinstance(limit, int) else float(limit):,}"


def _list_values(sample: Sample) -> Iterator[Hypothesis]:
    nulls = any(e.value is None for es in sample.events.values() for e in es)

    def keeping(why: str, keeps: Callable[[Any], bool], needs: int = 1) -> Iterator[Hypothesis]:
        for too in (False, True) if nulls else (False,):

            def one(e: Event, too: bool = too) -> Event | None:
                return e if (not too if e.value is None else keeps(e.value)) else None

            said = f"{why}, and events without a value" if too else why
            spare = 1.0 if too else 0.0  # that these alone are left out is plainer
            yield Hypothesis("some values left out", said, events=_each(one), needs=needs, filters=True, spare=spare)

    values, right = list_values(sample, lambda e: e.value)
    if not values:
        return
    for test in SIGNS:
        yield from keeping(test.why, test.keeps)
    for way in list_ways(sample.kinds[0], values, right):
        if way.why == _ZEROED and sample.aggregation.name == "max":
            continue  # the same as a maximum that starts from zero, which is the likelier
        changed = partial(_change_value, sample, way.change)
        yield Hypothesis(way.cause, way.why, events=_each(changed), needs=way.needs)
    looked = choose_findings(sample)
    for limit in (*_ROUND, *([] if not right else [min(right)])):
        kept = partial(_keep_from, sample, limit)
        if min(values) < limit <= max(values) and fits_some(sample, looked, kept):
            yield from keeping(f"leaves out values below {_say(limit)}", partial(_is_at_least, limit), 2)
    for test in list_tests(sample.kinds[0], values, right):
        yield from keeping(test.why, test.keeps, test.needs)


def list_values(sample: Sample, of: Callable[[Event], Any]) -> tuple[list[Any], list[Any]]:
    """What events have, where they have something; and what those have that are in right results."""
    values = [of(e) for es in sample.events.values() for e in es if e.value is not None]
    right = [
        of(e)
        for name, parts in sample.due.items()
        if name not in sample.findings and name not in sample.aside
        for part in parts
        for e in part.events
        if e.value is not None
    ]
    return [v for v in values if v is not None], [v for v in right if v is not None]


@dataclass(frozen=True)
class Way:
    """What may become of each of some values, which the words call 'values'."""

    cause: str
    why: str
    change: Callable[[Any], Any]
    needs: int = 1


@dataclass(frozen=True)
class Test:
    """Which of some values, which the words call 'values', are left out."""

    why: str
    keeps: Callable[[Any], bool]
    needs: int = 1


_ZEROED: Final = "takes values below zero for zero"
SIGNS: Final = (
    Test("leaves out negative values", lambda v: v >= 0),
    Test("leaves out positive values", lambda v: v <= 0),
    Test("leaves out values of zero", lambda v: v != 0),
    Test("leaves out values that are not positive", lambda v: v > 0),
    Test("leaves out values that are not negative", lambda v: v < 0),
)
"""What is left out by its sign."""


def list_ways(kind: Kind, values: Sequence[Any], right: Sequence[Any]) -> Iterator[Way]:
    """Each change of numbers of a kind that people make."""
    least = min(values)
    reach = max(abs(least), abs(max(values)))
    if kind != "int":
        for digits in range(3):
            for said, rounded in _ROUNDINGS.items():
                cause = "truncated" if said.startswith("cut") else "rounded"
                why = f"takes values {said} {show_digits(digits)}"
                yield Way(cause, why, partial(_round_value, rounded, 10**digits))
    if least < 0:
        yield Way("sign lost", "takes values without their sign", abs)
        yield Way("clamped", _ZEROED, partial(_at_least, 0))
    if kind == "int":
        for bits in (8, 16, 32):
            half = 1 << (bits - 1)
            if reach >= half:
                yield Way("overflow", f"takes values in {bits} bits", partial(_wrap, half))
            if reach >= 2 * half or least < 0:
                yield Way("overflow", f"takes values in {bits} bits, without a sign", (2 * half - 1).__and__)
        for unit in (10, 100, 1000):
            if reach >= unit:
                yield Way("truncated", f"rounds values down to {unit:,}s", partial(_floor, unit))
                yield Way("truncated", f"cuts values to {unit:,}s", partial(_towards_zero, unit))
                for said, rounded in list(_ROUNDINGS.items())[:2]:
                    yield Way("rounded", f"takes values {said} {unit:,}s", partial(_round_whole, rounded, unit))
    for limit, needs in _list_limits(kind, values, right):
        why = f"takes values above {_say(limit)} for {_say(limit)}"
        yield Way("clamped", why, partial(_at_most, limit), needs)


def list_tests(kind: Kind, values: Sequence[Any], right: Sequence[Any]) -> Iterator[Test]:
    """Whether numbers of a kind are beyond a limit."""
    for limit, needs in _list_limits(kind, values, right):
        said = _say(limit)
        yield Test(f"leaves out values from {said} on", partial(_is_below, limit), needs)
        yield Test(f"leaves out values above {said}", partial(_is_at_most, limit), needs)
        if min(values) <= -limit:
            yield Test(f"leaves out values of size {said} and more", partial(_is_within, limit), needs)
            yield Test(f"leaves out values of -{said} and less", partial(_is_above, -limit), needs)


def _list_limits(kind: Kind, values: Sequence[Any], right: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Round limits that some value reaches, and those just beyond what right results hold; how many findings they
    need."""
    read = {max(map(abs, right)) + 1, max(right) + 1} if right and kind == "int" else set[Any]()
    for limit in (*_ROUND, *sorted(read - {*_ROUND})):
        if limit <= max(map(abs, values)):
            yield limit, 2 if limit in read else 1


def _change_value(sample: Sample, change: Callable[[Any], Any], e: Event) -> Event:
    return e if e.value is None else sample.lift(e, change(e.value))


def _round_value(rounded: Callable[[Fraction], int], unit: int, v: Any) -> Any:
    made = Fraction(rounded(Fraction(v) * unit), unit)
    return float(made) if isinstance(v, float) else made


def _round_whole(rounded: Callable[[Fraction], int], unit: int, v: Any) -> Any:
    return rounded(Fraction(v, unit)) * unit


def _wrap(half: int, v: Any) -> Any:
    return (v + half) % (2 * half) - half


def _floor(unit: int, v: Any) -> Any:
    return v // unit * unit


def _towards_zero(unit: int, v: Any) -> Any:
    return v // unit * unit if v >= 0 else -(-v // unit * unit)


def _at_least(limit: Any, v: Any) -> Any:
    return max(v, limit)


def _at_most(limit: Any, v: Any) -> Any:
    return min(v, int(limit))


def _keep_from(sample: Sample, limit: Any, events: Sequence[Event]) -> Answer:
    kept = [e for e in events if e.value is None or e.value >= limit]
    return sample.answer(kept) if kept else NULL


def _is_at_least(limit: Any, v: Any) -> bool:
    return bool(v >= limit)


def _is_at_most(limit: Any, v: Any) -> bool:
    return bool(v <= limit)


def _is_below(limit: Any, v: Any) -> bool:
    return bool(v < limit)


def _is_above(limit: Any, v: Any) -> bool:
    return bool(v > limit)


def _is_within(limit: Any, v: Any) -> bool:
    return bool(abs(v) < limit)
