"""A job that lost one number of its states at some moment, and kept the others, as where what is stored of them leaves
one out: a deviation that keeps how many events there are and their mean, and not the squared deviations; a mean that
keeps the count, and not the total.

Of a finding the result says between which of its events that was; it is where most of them agree.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import isfinite, log2, sqrt
from typing import Any, Final, TypeAlias

from swagproof.models.windows.kinds import Frame, Session
from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN, Scale
from swagproof.pipeline.audit.rules import Answer

_WORK: Final = 20_000
"""How many places between two events are looked at, in all."""
_TIMES: Final = 5
"""How often at most it happened."""
_RARE: Final = 3.0
"""Bits of each moment besides its place, as of states that are lost."""
_NEAR: Final = 1e-9
_NEARLY: Final = 1e-6
"""How far an answer may be off, relative to it: in the end, and where a moment is looked for."""
_LARGEST: Final = 1e100
_MOST_BITS: Final = 20.0
"""How many bits a finding says at most."""

Number: TypeAlias = Any
State: TypeAlias = tuple[Number, Number, Number]
"""How many, their sum and that of their squares; or how many, their mean, and their squared deviations from it."""


@dataclass(frozen=True)
class _Way:
    """Which number of a state is lost, and what is said of it."""

    at: int
    lost: str
    kept: str
    stepwise: bool = False
    """Whether the state has the mean and the squared deviations."""


_OF_MEANS: Final = (_Way(1, "total", "count"), _Way(0, "count", "total"))
_OF_DEVIATIONS: Final = (
    _Way(2, "squared deviations", "count and mean", stepwise=True),
    _Way(1, "mean", "count and squared deviations", stepwise=True),
    _Way(0, "count", "mean and squared deviations", stepwise=True),
    _Way(2, "sum of squares", "count and sum"),
    _Way(1, "sum", "count and sum of squares"),
    _Way(0, "count", "sum and sum of squares"),
)


def _list_ways(sample: Sample) -> tuple[_Way, ...]:
    own = sample.aggregation.name
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal") or isinstance(sample.window, Frame):
        return ()
    return _OF_MEANS if own == "mean" else _OF_DEVIATIONS if own.endswith("standard-deviation") else ()


def find_torn(sample: Sample, left: Collection[Name], given: Hypothesis | None) -> Iterator[Hypothesis]:
    """The moments that most findings agree about, one, and one more each time; of each number that may be lost."""
    ways = _list_ways(sample)
    if not ways or (given is not None and given.steps & {"answer", "change"}):
        return
    base = sample.due if given is None else given.foretell(sample)
    found: dict[_Way, list[list[tuple[int, int]]]] = {way: [] for way in ways}
    work = _WORK
    for name in sorted(left, key=lambda it: (sum(len(part.events) for part in base.get(it, ())), str(it))):
        parts, got = base.get(name, ()), got_number(sample, name)
        if len(parts) != 1 or got is None or parts[0].answer is not None or not isfinite(got):
            continue
        work -= len(parts[0].events)
        if work < 0:
            break
        for way, places in _find_places(sample, ways, parts[0].events, float(got)).items():
            found[way].append(places)
    for way in ways:
        moments: tuple[int, ...] = ()
        while len(moments) < _TIMES:
            open_ = [of for of in found[way] if not any(low < at <= high for low, high in of for at in moments)]
            at = _agree(open_)
            if at is None:
                break
            moments = tuple(sorted((*moments, at)))
            yield _tear(sample, way, moments, len(ways))


def see_torn(scale: Scale, left: Collection[Name], given: Hypothesis | None) -> Iterator[Cause]:
    """The same, of few findings that say enough: each has just the number that is foretold, of all that it may be."""
    sample = scale.sample
    best: tuple[float, Cause] | None = None
    for one in find_torn(sample, left, given):
        both = one if given is None else given.and_also(one)
        outcome = both.hold(sample)
        gains = outcome.explained & frozenset(left)
        if len(gains) < LEAST or outcome.missed & frozenset(left) or outcome.contradicted:
            continue
        worth = sum(_measure(scale, name) for name in gains) - one.bits - scale.cost
        if worth >= MARGIN and (best is None or worth > best[0]):
            best = worth, Cause(one.cause, one.why, gains, hypothesis=both)
    if best is not None:
        yield best[1]


def _measure(scale: Scale, name: Name) -> float:
    """How many bits a result says: few where values are few, which have few means and deviations."""
    values = [e.value for part in scale.sample.due.get(name, ()) for e in part.events]
    return min(_MOST_BITS, log2(1 + len(set(values)) * len(values) ** 2 / 3), scale.measure_error(name))


def _find_places(
    sample: Sample, ways: Sequence[_Way], events: Sequence[Event], got: float
) -> dict[_Way, list[tuple[int, int]]]:
    """After and before which events of a window each number may have been lost."""
    came = _sort_there(events)
    totals = list(accumulate((_measure_one(e) for e in came), _add, initial=(0, 0, 0)))
    found: dict[_Way, list[tuple[int, int]]] = {}
    for (i, before), (low, high) in zip(list(enumerate(totals))[1:], pairwise(came), strict=False):
        rest = tuple(all_ - it for all_, it in zip(totals[-1], before, strict=True))
        halves = {step: [_turn(it, stepwise=step) for it in (before, rest)] for step in (False, True)}
        rough = {step: [tuple(map(float, it)) for it in those] for step, those in halves.items()}
        for way in ways:
            near = _lower(sample, way, _fold(way, rough[way.stepwise]))
            if near is None or abs(near - got) > _NEARLY * abs(got):
                continue
            made = _lower(sample, way, _fold(way, halves[way.stepwise]))
            if made is not None and abs(made - got) <= _NEAR * abs(got):
                found.setdefault(way, []).append((low.arrival, came[i].arrival))
                assert high is came[i]
    return found


def _sort_there(events: Sequence[Event]) -> list[Event]:
    """Those that have a value, as they came; none where there is one that is no number, or too large to be squared."""
    there = [e for e in sort_arrived(events) if e.value is not None]
    return there if all(abs(e.value) <= _LARGEST for e in there) else []


def _agree(places: Sequence[Sequence[tuple[int, int]]]) -> int | None:
    """The last event before which most of these were torn; None where it is but one of them."""
    ends = sorted({high for of in places for _, high in of}, reverse=True)
    votes = Counter({at: sum(any(low < at <= high for low, high in of) for of in places) for at in ends})
    ((at, n),) = votes.most_common(1) or ((None, 0),)
    return at if n >= LEAST else None


def _measure_one(e: Event) -> State:
    value = Fraction(e.value)
    return 1, value, value * value


def _add(a: State, b: State) -> State:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _turn(sums: Any, *, stepwise: bool) -> State:
    """Sums as they are, or as the mean and the squared deviations that they have."""
    n, total, squares = sums
    if not stepwise or not n:
        return n, total, squares
    return n, Fraction(total) / n, squares - Fraction(total) * total / n


def _merge(a: State, b: State) -> State:
    n = a[0] + b[0]
    if not n:
        return 0, 0, 0
    off = b[1] - a[1]
    return n, a[1] + off * b[0] / n, a[2] + b[2] + off * off * a[0] * b[0] / n


def _fold(way: _Way, parts: Sequence[Any]) -> State:
    """What a state has in the end that loses the number between each two of these parts."""
    state: State = (0, 0, 0)
    for i, part in enumerate(parts):
        if i:
            n, one, two = (0 if at == way.at else it for at, it in enumerate(state))
            state = n, one, two
        state = (_merge if way.stepwise else _add)(state, part)
    return state


def _lower(sample: Sample, way: _Way, state: State) -> float | None:
    """The mean or the deviation that a state has; None where it has none."""
    n, one, two = state
    own = sample.aggregation.name
    freedom = int(own.startswith("sample"))
    if n <= freedom:
        return None
    if own == "mean":
        return float(Fraction(one) / n) if isinstance(n, int) else float(one / n)
    variance = (two if way.stepwise else two - one * one / Fraction(n)) / (n - freedom)
    return None if variance < 0 else sqrt(variance)


def _tear(sample: Sample, way: _Way, moments: tuple[int, ...], n: int) -> Hypothesis:
    *first, last = (f"{number:,}" for number in moments)
    which = f"event {last} comes" if not first else f"each of the events {', '.join(first)} and {last} comes"
    return Hypothesis(
        "state lost",
        f"loses the {way.lost} of its open windows, and keeps their {way.kept}, when {which}",
        results=partial(_lose, sample, way, [(at, _find_mark(sample, way, at)) for at in moments]),
        needs=LEAST,
        bits=len(moments) * (log2(max(2, len(sample.arrivals))) + _RARE) + log2(n),
    )


def _find_mark(sample: Sample, way: _Way, number: int) -> int:
    """The last end of a window that is over before this event comes: it is right, and would not be with the loss."""
    right = ((name, parts) for name, parts in sample.due.items() if name not in sample.findings and len(parts) == 1)
    ends = ((_find_end(sample, name), parts[0].events) for name, parts in right)
    over = ((end, of) for end, of in ends if end is not None and of and max(e.arrival for e in of) < number)
    latest = sorted(over, key=lambda it: -it[0])
    return next((end for end, of in latest if _is_changed(sample, way, of)), -(2**63))


def _is_changed(sample: Sample, way: _Way, events: Sequence[Event]) -> bool:
    """Whether another answer comes of it where the number is lost when all of these have come."""
    all_ = _turn(_sum(_sort_there(events)), stepwise=way.stepwise)
    return _lower(sample, way, all_) != _lower(sample, way, _fold(way, [all_, (0, 0, 0)]))


def _find_end(sample: Sample, name: Name) -> int | None:
    return name[2] if isinstance(sample.window, Session) else find_end(sample, name)


def _lose(sample: Sample, way: _Way, cuts: Sequence[tuple[int, int]], found: Foretold) -> Foretold:
    made: Foretold = {}
    for name, parts in found.items():
        there = [part if part.answer is not None else _lose_of(sample, way, cuts, name, part) for part in parts]
        made[name] = [part for part in there if part is not None]
    return made


def _lose_of(sample: Sample, way: _Way, cuts: Sequence[tuple[int, int]], name: Name, part: Part) -> Part | None:
    """What a window has that was open at one of these moments: where that is no number, what is there in its place."""
    came, end = _sort_there(part.events), _find_end(sample, name)
    places: Mapping[int, None] = dict.fromkeys(
        n
        for number, mark in cuts
        for n in [sum(e.arrival < number for e in came)]
        if n and (n < len(came) if end is None else end > mark)
    )
    if not places:
        return part
    pieces = [came[i:j] for i, j in pairwise([0, *places, len(came)])]
    sums = [_sum(piece) for piece in pieces]
    number = _lower(sample, way, _fold(way, [_turn(it, stepwise=way.stepwise) for it in sums]))
    return Part(part.events, answer_of(number, near=_NEAR)) if number is not None else _find_none(sample, name, part)


def _sum(events: Sequence[Event]) -> State:
    state: State = (0, 0, 0)
    for e in events:
        state = _add(state, _measure_one(e))
    return state


def _find_none(sample: Sample, name: Name, part: Part) -> Part | None:
    """What stands where there is no number: null, zero, or what no number is; or nothing."""
    got = sample.results.get(name, ())
    if not got:
        return None
    is_none = got[0].number is None or not isfinite(got[0].number) or got[0].number == 0
    answer: Answer = sample.copy(got[0]) if len(got) == 1 and is_none else NULL
    return Part(part.events, answer)
