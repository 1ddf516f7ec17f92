"""A job that counts events by the clock when they come, and not by their own times: how fast it goes its windows tell.

The first window of a key that has a result holds the event of the key that came first, the last one that which came
last.  So each key bounds the clock at two arrivals, and a clock that goes evenly is a line between all these bounds.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, floor, log2
from typing import Any, Final, NamedTuple

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Events, Name, Sample, take_all
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.tried.events.timely import mark_by_least

_KEYS: Final = 20
"""How many keys are asked for bounds."""
_RATES: Final = 3
_OFFSETS: Final = 12
"""How many lines are tried between the bounds."""
_SCALES: Final = (1, 1000, 1_000_000)
"""How many ticks a column's unit may be."""
_CELLS: Final = 8
"""How many cells a column has at most by which events are marked."""
_STEPS: Final = (1000, 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000)
"""Of a clock, in microseconds."""


class _Bound(NamedTuple):
    """When an event was counted, by its number: from `low` on, before `high`."""

    number: int
    low: int
    high: int


def list_clocks(sample: Sample) -> Iterator[Hypothesis]:
    """Clocks that go evenly from one event to the next."""
    yield from _list_columns(sample)
    bounds = _read_bounds(sample)
    if len(bounds) < 4:
        return
    pairs = [(one, two) for one, two in combinations(sorted(bounds), 2) if one.number < two.number]
    least = max((Fraction(b.low - a.high + 1, b.number - a.number) for a, b in pairs), default=Fraction(0))
    most = min((Fraction(b.high - 1 - a.low, b.number - a.number) for a, b in pairs), default=Fraction(0))
    steps = _list_steps(sample)
    if most <= 0 or least <= 0 or most > 2 * least:  # the results do not tell how fast it goes
        return
    lines: list[tuple[Fraction, int]] = []
    for rate in _list_rates(least, most, steps):
        low = max(ceil(it.low - rate * it.number) for it in bounds)
        high = min(ceil(it.high - rate * it.number) for it in bounds)
        lines += [(rate, offset) for offset in _list_offsets(low, high, steps)]
    for rate, offset in lines:
        each = show_span(rate.numerator, sample.tick)
        said = f"one each {each}" if rate.denominator == 1 else f"{rate.denominator:,} each {each}"
        yield Hypothesis(
            "arrival for time",
            f"counts events when they come, {said}, and not at their times",
            events=partial(_go_by_arrival, rate, offset),
            takes=None if sample.delay is None else take_all,
            needs=3,
            bits=log2(len(lines)),
        )


def _list_columns(sample: Sample) -> Iterator[Hypothesis]:
    """Events counted at what a column of plain numbers says, all or those that another column marks."""
    came = sample.came
    if sample.tick is None or not came:
        return
    span = came[-1].time - came[0].time
    for i, name in enumerate(sample.columns):
        cells: list[Any] = [e.others[i] for e in came]
        if not all(type(cell) is int for cell in cells):
            continue
        off = {n: max(abs(c * n - e.time) for c, e in zip(cells, came, strict=True)) for n in _SCALES}
        scale = min(off, key=lambda n: off[n])
        if off[scale] >= span:
            continue
        marks: list[tuple[str, int, Any]] = [("", i, None)]
        for j, column in enumerate(sample.columns):
            some = sample.list_cells(j)
            marks += [(f" whose {column} is {c}", j, c) for c in sorted(some, key=str) if 1 < len(some) <= _CELLS]
        for said, j, cell in marks:
            why = f"counts events{said} at their {name}, and not at their times"
            bits = log2(len(marks)) if said else 0.0
            moved = partial(_go_by_column, i, scale, j, cell)
            if sample.delay is None:
                yield Hypothesis("arrival for time", why, events=moved, bits=bits)
                continue
            yield Hypothesis("arrival for time", why, events=moved, takes=take_all, bits=bits)
            if said and sample.whole:
                least = partial(mark_by_least, j, sample.delay)
                yield Hypothesis("arrival for time", why, events=partial(_do_both, moved, least), bits=bits)


def _go_by_column(i: int, scale: int, j: int, cell: Any, all_: Events) -> Events:
    """Events at what a column says, where another one has this cell; None: all."""
    moved = {
        key: [e._replace(time=e.others[i] * scale) if cell is None or e.others[j] == cell else e for e in events]
        for key, events in all_.items()
    }
    return {key: sorted(events, key=lambda e: e[:2]) for key, events in moved.items()}


def _do_both(first: Callable[[Events], Events], then: Callable[[Events], Events], all_: Events) -> Events:
    return then(first(all_))


def _go_by_arrival(rate: Fraction, offset: int, all_: Events) -> Events:
    moved = {key: [e._replace(time=floor(rate * e.arrival) + offset) for e in events] for key, events in all_.items()}
    return {key: sorted(events, key=lambda e: e[:2]) for key, events in moved.items()}


def _read_bounds(sample: Sample) -> list[_Bound]:
    """When the first and the last event of each key that has findings were counted."""
    named: dict[str, list[Name]] = {}
    for name in sample.results:
        named.setdefault(name[0], []).append(name)
    found: list[_Bound] = []
    for key in sorted({name[0] for name in sample.open} & named.keys() & sample.events.keys())[:_KEYS]:
        arrivals = [e.arrival for e in sample.events[key]]
        spans = [_find_spans(sample, name) for name in named[key]]
        ends = [it for it in spans if it is not None]
        if arrivals and len(ends) == len(spans):
            found += [
                _Bound(min(arrivals), *min(it[0] for it in ends)),
                _Bound(max(arrivals), *max(it[1] for it in ends)),
            ]
    return found


def _find_spans(sample: Sample, name: Name) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """When the first event of a key came, were this its first window; and the last one, were it the last."""
    window, (_, a, b) = sample.window, name
    match window:
        case Sliding():
            begin = a if a is not None else None if b is None else b - window.range
            if begin is None:
                return None
            half = window.half_open
            begin += half.offset - window.offset
            width = min(half.range, half.slide)
            return (begin + half.range - width, begin + half.range), (begin, begin + width)
        case Session() if a is not None and b is not None:
            return (a, a + 1), (b - window.gap, b - window.gap + 1)
        case Calendar() if window.range == window.slide and a is not None and b is not None:
            shift = window.closed == "right"
            return (a + shift, b + shift), (a + shift, b + shift)
        case _:
            return None


def _list_steps(sample: Sample) -> list[int]:
    """What a clock goes in, the coarsest first."""
    if sample.tick is None:
        return [10**n for n in range(6, -1, -1)]
    return [step * (1000 if sample.tick == "ns" else 1) for step in reversed(_STEPS)] + [1]


def _list_rates(least: Fraction, most: Fraction, steps: list[int]) -> Iterator[Fraction]:
    """The roundest numbers of ticks from one event to the next, or of events in a tick."""
    found: dict[Fraction, None] = {}
    for step in [*map(Fraction, steps), *(Fraction(1, n) for n in range(2, 21))]:
        first = max(ceil(least / step), 1)
        if first * step <= most:
            found.setdefault(first * step)
        if len(found) == _RATES:
            break
    yield from found


def _list_offsets(low: int, high: int, steps: list[int]) -> list[int]:
    """Where the clock may have begun: all of the finest step that are not too many."""
    found: list[int] = []
    for step in steps:
        there = range(-(-low // step) * step, high, step)
        if len(there) > _OFFSETS:
            return found or list(there[:: len(there) // _OFFSETS + 1])
        found = list(there)
    return found
