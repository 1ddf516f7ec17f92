"""Values that are cut off at a limit, left out beyond it, or counted twice: which limits, the findings say.

Limits are round numbers, or what all values say: quantiles, so many deviations from the mean.  Whichever they are, of a
sum or a mean a window's result says where its greatest values were cut off; and how many of them are left out, a result
of any aggregate.  The findings whose greatest value is greatest tell the upper limit, those with the least the lower
one; both are then held against all results, and the two together.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import inf, isfinite, log2, sqrt
from statistics import pvariance
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Name, Sample, UndefinedError
from swagproof.pipeline.audit.causes.tried.answers import find_quantile, got_number
from swagproof.pipeline.audit.causes.tried.extents.runs import Between, vote, vote_boxes

_LOOKED: Final = 40
"""How many findings are looked at for each limit."""
_GONE: Final = 40
"""How many values of a window are beyond a limit at most."""
_FEW: Final = 24
"""How many events a window has at most of which both limits are read at once."""
_AGREE: Final = 3
"""How many findings have to agree about both."""
_SHARES: Final = (Fraction(1, 10), *(Fraction(n) for n in (1, 2)), Fraction(5, 2), *(Fraction(n) for n in (5, 10, 25)))
"""In hundredths, how many values are beyond a limit that is a quantile."""
_DEVIATIONS: Final = (*map(Fraction, (2, 3, 1)), Fraction(5, 2), Fraction(3, 2))
"""How many deviations from the mean are far, the likelier first."""
_DIGITS: Final = 10
"""To how many digits a limit is read."""


@dataclass(frozen=True)
class _Limit:
    """A number beyond which values are changed."""

    value: Any
    said: str = ""
    """What it is of all values."""

    def show(self) -> str:
        """It in words."""
        return f"{_say(self.value)} ({self.said})" if self.said else _say(self.value)


def _say(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{float(value):,.12g}"


@dataclass(frozen=True)
class _Side:
    """One end of the values: `sign` times a value is the greater, the farther it is out there."""

    sign: int
    said: str

    def is_beyond(self, limit: _Limit, value: Any) -> bool:
        """Whether a value is farther out than the limit."""
        return bool(self.sign * value > self.sign * limit.value)


_UPPER: Final = _Side(1, "above")
_LOWER: Final = _Side(-1, "below")
Ends = Sequence[tuple[_Side, _Limit]]


def list_bands(sample: Sample) -> Iterator[Hypothesis]:
    """Values cut off at limits, and values left out beyond them."""
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    values = sorted(e.value for es in sample.events.values() for e in es if e.value is not None and isfinite(e.value))
    if len(values) < 2 or values[0] == values[-1]:
        return
    bands = list(_list_bands(values))
    tried = log2(2 + 2 * len(bands))
    for cause, make in (("clamped", _clip), ("some values left out", _leave_out)):
        read: dict[_Side, list[_Limit]] = {}
        for side in (_UPPER, _LOWER):
            looked = _choose(sample, side)
            find = _read_clips if make is _clip else _read_gone
            near = [limit for limit in find(sample, side, looked) if values[0] <= limit.value <= values[-1]]
            known = [one for band in bands for of, one in band if of is side]
            read[side] = [_name(limit, known) for limit in near]
            if make is _clip and not near:
                read[side] = [one for one in known if _fits(sample, make, [(side, one)], looked)][:2]
            for limit in read[side]:
                yield _suppose(sample, cause, make, [(side, limit)], tried)
        for low in read[_LOWER]:
            for high in read[_UPPER]:
                if low.value < high.value:
                    yield _suppose(sample, cause, make, [(_LOWER, low), (_UPPER, high)], tried)
        both = _read_both(sample) if make is _leave_out else None
        if both is not None:
            yield _suppose(sample, cause, make, both, 2 * tried)
        if not (read[_LOWER] and read[_UPPER]):
            looked = [*_choose(sample, _UPPER), *_choose(sample, _LOWER)]
            for band in bands:
                if _fits(sample, make, band, looked):
                    yield _suppose(sample, cause, make, band, tried)


def list_doubled(sample: Sample) -> Iterator[Hypothesis]:
    """Values beyond a limit that count twice, as where what is large is delivered again."""
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    if not sample.aggregation.name.startswith(("sum", "count", "mean", "sql-sum", "float-sum")):
        return  # whatever is there twice changes little else
    for side in (_UPPER, _LOWER):
        for limit in _read_gone(sample, side, _choose(sample, side), _double):
            yield _suppose(sample, "some values twice", _double, [(side, limit)], RARE)


def _list_bands(values: Sequence[Any]) -> Iterator[Ends]:
    """Limits on both sides that all values say."""
    exact = [Fraction(v) for v in values]
    whole = all(v.denominator == 1 for v in exact)

    def limits(low: Fraction, high: Fraction, below: str, above: str) -> Ends:
        both = ((_LOWER, low, below), (_UPPER, high, above))
        return [(side, _Limit(_write(value, values[0], whole=whole), said)) for side, value, said in both]

    for share in _SHARES:
        for between in (True, False):
            low, high = (find_quantile(exact, p, between=between) for p in (share, 100 - share))
            said = "" if between else ", not interpolated"
            yield limits(low, high, *(f"the quantile of {float(p):g}% of all{said}" for p in (share, 100 - share)))
    middle, squares = Fraction(sum(exact), len(exact)), pvariance(exact) * len(exact)
    for n, freedom in product(_DEVIATIONS, (0, 1)):
        far = n * Fraction(sqrt(squares / (len(exact) - freedom)))
        whose = " of a sample" * freedom
        ends = (f"{float(n):g} deviations{whose} {where} the mean of all" for where in ("below", "above"))
        yield limits(middle - far, middle + far, *ends)
    quarters = [find_quantile(exact, p, between=True) for p in (25, 75)]
    far = (quarters[1] - quarters[0]) * 3 / 2
    fences = (f"1.5 times the width of the middle half {where} it" for where in ("below", "above"))
    yield limits(quarters[0] - far, quarters[1] + far, *fences)


def _write(value: Fraction, like: Any, *, whole: bool) -> Any:
    """A number of the kind that values are."""
    if value.denominator == 1 and whole:
        return int(value)
    return float(value) if isinstance(like, float) else value


def _name(limit: _Limit, known: Sequence[_Limit]) -> _Limit:
    """The limit under the name of one that is known to be as much."""
    near = (one for one in known if abs(one.value - limit.value) <= 10.0**-_DIGITS * abs(limit.value) * 5)
    return next(near, limit)


def _list_findings(sample: Sample) -> list[Name]:
    """The findings that have values, and one result at most."""
    return [
        name
        for name in sorted(sample.open, key=str)
        if len(sample.due.get(name, ())) == 1
        and len(sample.results.get(name, ())) <= 1
        and sample.due[name][0].answer is None
        and any(e.value is not None for e in sample.due[name][0].events)
    ]


def _choose(sample: Sample, side: _Side) -> list[Name]:
    """Findings whose values reach farthest to one side, and least to the other."""

    def reach(name: Name, sign: int) -> Any:
        return max(sign * e.value for e in sample.due[name][0].events if e.value is not None)

    there = _list_findings(sample)
    far = sorted(there, key=lambda name: -reach(name, side.sign))[: 2 * _LOOKED]
    return sorted(far, key=lambda name: reach(name, -side.sign))[:_LOOKED]


def _fits(sample: Sample, make: "_Make", ends: Ends, looked: Sequence[Name]) -> bool:
    """Whether two of these findings, or half of them, are what is so foretold."""
    least, fits = 2, 0
    for name in looked:
        events = list(sample.due[name][0].events)
        try:
            made = make(sample, ends, events)
        except UndefinedError:
            return False
        fits += made != events and sample.fits([sample.answer(made)] if made else [], sample.results.get(name, ()))
        if fits == least:
            return True
    return False


_Make = Callable[[Sample, Ends, Sequence[Event]], list[Event]]


def _clip(sample: Sample, ends: Ends, events: Sequence[Event]) -> list[Event]:
    made: list[Event] = []
    for e in events:
        beyond = [limit for side, limit in ends if e.value is not None and side.is_beyond(limit, e.value)]
        made.append(sample.lift(e, beyond[0].value) if beyond else e)
    return made


def _leave_out(sample: Sample, ends: Ends, events: Sequence[Event]) -> list[Event]:
    return [e for e in events if e.value is None or not any(side.is_beyond(limit, e.value) for side, limit in ends)]


def _read_clips(sample: Sample, side: _Side, looked: Sequence[Name]) -> list[_Limit]:
    """Where sums, or means, say that values are cut off."""
    if sample.aggregation.name not in ("sum", "sql-sum", "mean"):
        return []
    seen: Counter[Fraction] = Counter()
    for name in looked:
        got = got_number(sample, name)
        values = sorted((Fraction(e.value) for e in sample.due[name][0].events if e.value is not None), reverse=True)
        values = values if side.sign > 0 else values[::-1]
        if got is None:
            continue
        rest = Fraction(got) * (len(values) if sample.aggregation.name == "mean" else 1) - sum(values)
        for k, value in enumerate(values[:_GONE], 1):
            rest += value
            limit = rest / k
            after = values[k] if k < len(values) else limit
            if side.sign * value > side.sign * limit >= side.sign * after:
                seen[Fraction(f"{float(limit):.{_DIGITS}g}")] += 1
    like = next(e.value for es in sample.events.values() for e in es if e.value is not None)
    most = [(limit, n) for limit, n in seen.most_common(2) if n > 1]
    return [_Limit(_write(limit, like, whole=True)) for limit, _ in most]


def _list_gone(side: _Side, events: Sequence[Event]) -> list[Between]:
    """Where a limit lies that leaves out none of the values, the farthest, the two farthest and so on; as a number that
    is the greater, the nearer it is to the others."""
    outer = sorted({-side.sign * e.value for e in events if e.value is not None})[: _GONE + 1]
    return list(pairwise([-inf, *outer]))


def _keep(side: _Side, bounds: Between, events: Sequence[Event]) -> Sequence[Event]:
    """The events that a limit there leaves."""
    return [e for e in events if e.value is None or -side.sign * e.value > bounds[0]]


def _read_gone(sample: Sample, side: _Side, looked: Sequence[Name], make: "_Make | None" = None) -> list[_Limit]:
    """Beyond which limit windows leave out their farthest values; or count them twice."""

    def change(events: Sequence[Event], bounds: Between) -> Sequence[Event]:
        kept = _keep(side, bounds, events)
        return kept if make is None else [*events, *(e for e in events if e not in kept)]

    found: list[list[Between]] = []
    for name in looked:
        events, got = sample.due[name][0].events, sample.results.get(name, ())
        gone = _list_gone(side, events)[1:]
        found.append([it for it in gone if sample.fits([sample.answer(change(events, it))], got)])
    return [_choose_plain(sample, side, bounds) for bounds, _ in vote(found)]


def _double(_sample: Sample, ends: Ends, events: Sequence[Event]) -> list[Event]:
    def is_beyond(e: Event) -> bool:
        return e.value is not None and any(side.is_beyond(limit, e.value) for side, limit in ends)

    return [e for e in events for _ in range(1 + is_beyond(e))]


def _read_both(sample: Sample) -> Ends | None:
    """The limits on both sides that most findings agree about together."""
    found: list[list[tuple[Between, Between]]] = []
    small = [name for name in _list_findings(sample) if len(sample.due[name][0].events) <= _FEW]
    for name in small[:: len(small) // _LOOKED + 1]:
        events, got = sample.due[name][0].events, sample.results.get(name, ())
        boxes: list[tuple[Between, Between]] = []
        for low in _list_gone(_LOWER, events):
            above = _keep(_LOWER, low, events)
            for high in _list_gone(_UPPER, above):
                kept = _keep(_UPPER, high, above)
                if len(kept) < len(events) and sample.fits([sample.answer(kept)], got):
                    boxes.append((low, high))
        found.append(boxes)
    best = vote_boxes(found)
    if best is None or best[1] < _AGREE or -inf in (low := best[0][0]) or -inf in (high := best[0][1]):
        return None
    return [(_LOWER, _choose_plain(sample, _LOWER, low)), (_UPPER, _choose_plain(sample, _UPPER, high))]


def _choose_plain(sample: Sample, side: _Side, bounds: Between) -> _Limit:
    """The limit of fewest digits that leaves out what is up to the one, and not what is from the other on."""
    right = (
        -side.sign * e.value
        for name, parts in sample.due.items()
        if name not in sample.findings and name not in sample.aside
        for part in parts
        for e in part.events
        if e.value is not None
    )
    least = min(right, default=inf)  # of a right result none was left out
    low, high = Fraction(bounds[0]), Fraction(least if bounds[0] < least < bounds[1] else bounds[1])
    made = next((n for n in map(partial(_round_down, high), range(-9, 16)) if low < n <= high), high)
    like = next(e.value for es in sample.events.values() for e in es if e.value is not None)
    return _Limit(_write(-side.sign * (Fraction(0) if low < 0 <= high else made), like, whole=True))


def _round_down(high: Fraction, digits: int) -> Fraction:
    """The number before it, or itself, of so many digits after the point."""
    unit = Fraction(10) ** -digits
    return high // unit * unit


def _suppose(sample: Sample, cause: str, make: _Make, ends: Ends, bits: float) -> Hypothesis:
    if make is _clip:
        said = (f"values {side.said} {limit.show()} for {_say(limit.value)}" for side, limit in ends)
        why = f"takes {' and '.join(said)}"
    else:
        which = f"values {' and '.join(f'{side.said} {limit.show()}' for side, limit in ends)}"
        why = f"leaves out {which}" if make is _leave_out else f"counts {which} twice"
    events = partial(_change, sample, make, ends)
    return Hypothesis(cause, why, events=events, filters=make is _leave_out, needs=2, bits=bits)


def _change(sample: Sample, make: _Make, ends: Ends, all_: Events) -> Events:
    return {key: make(sample, ends, events) for key, events in all_.items()}
