"""Events that a job takes for too near to another one to count: those that come too soon after it, or differ from it by
too little; or for too far from it, as they differ by too much.

A debounce or a throttle lets an event go that comes less than so long after the one that was counted last, or after the
one before, or before the next; a deadband one whose value is less than so far from that.  A filter of spikes lets go
what has jumped: by more than so much, by more than a share, to so many times as much; up, down, or both.  How near is
too near, or how far too far, the findings say: of few events each limit that would make a difference is tried, and of
those that give most of the results that are there the roundest is taken.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from heapq import nlargest
from math import ceil, isfinite, log2
from typing import Any, Final, NamedTuple

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.few import shorten
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.spans import choose_round, list_spans, show_span

_CAUSE: Final = "too near left out"
_JUMPS: Final = "jumps left out"
_LIMITS: Final = 100
"""How many limits are tried."""
_JUMPED_LIMITS: Final = 50
"""How many of jumps."""
_PLAIN: Final = (Fraction(1), Fraction(2), Fraction(5))
_GRID: Final = tuple(Fraction(n, 10) for n in (10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90))
"""Where there are more, the digits of those that are tried."""
_FINER: Final = 30
"""How many between two of these are tried then."""
_JUMPS_TRIED: Final = 6
"""How many rules of jumps are held against all events."""
_LIKELY: Final = 6
"""Each with so many limits at least, of those that do as well on few."""
_BEFORE: Final = 8
"""From how many events before it an event's distance is taken."""
_LOOKED: Final = 8
"""On how many findings limits are tried."""
_FIRST: Final = 2
"""On how many before these, of which they have to explain one."""
_MOST: Final = 2_000
"""How many events are looked at, at most, to try one."""
_HIT: Final = 3
"""How many findings are explained for one that is missed."""

Measure = Callable[[Event, Event], Any]
"""How far an event is from another one."""
Order = Callable[[Event], Any]


@dataclass(frozen=True)
class _Rule:
    """What an event must not be too near to, and by what."""

    by: str
    """Of what it is: time, value, or a share of the value; a `rise` or a `fall` of it, or how many `times` it is."""
    measure: Measure
    which: str
    """From which event: the one that was counted `last`, the one `before`, or the `next`."""
    order: Order
    arrived: bool
    """Whether that is the order of arrival, where the other one is told apart from it."""
    whole: bool
    """Whether it goes over a key, and not over each window by itself."""
    beyond: bool = False
    """Whether what is farther is left out, and not what is nearer."""

    def suppose(self, limit: Any, said: str = "", bits: float = 0.0) -> Hypothesis:
        """What is so with this limit."""
        keep = partial(_keep, self.measure, self.which, self.order, limit, self.beyond)
        cause, why = _JUMPS if self.beyond else _CAUSE, f"leaves out events {self.tell(said)}"
        if self.whole:
            return Hypothesis(cause, why, events=partial(_keep_keys, keep), filters=True, needs=2, bits=bits)
        return Hypothesis(cause, why, content=keep, needs=2, bits=bits)

    def tell(self, said: str) -> str:
        """Which events it leaves out."""
        of = ("of their key" if self.whole else "of their window") + (", in order of arrival" if self.arrived else "")
        if self.by == "time":
            after = {
                "last": "after the last that was counted",
                "before": "after the one before",
                "next": "before the next",
            }
            return f"that come less than {said} {after[self.which]} {of}"
        other = "the last that was counted" if self.which == "last" else "the one before"
        if not self.beyond:
            return f"whose value is less than {said} from that of {other} {of}"
        far = {
            "rise": f"more than {said} above",
            "fall": f"more than {said} below",
            "times": f"more than {said} times, or less than one in {said} of,",
        }
        return f"whose value is {far.get(self.by, f'more than {said} from')} that of {other} {of}"


def list_spaced(sample: Sample) -> Iterator[Hypothesis]:
    """Each rule with the limit that gives most of what is there."""
    if isinstance(sample.window, Frame) and sample.open <= sample.results.keys():  # it would have no row of these
        return
    small = _choose_small(sample)
    if small is None:
        return
    ranges = [(rule, found) for rule in _list_rules(sample) if (found := _find_limits(rule, small)) is not None]
    near = [(rule, _round(rule, it.low, it.limits[-1], small)) for rule, it in ranges if not rule.beyond]
    jumps = nlargest(_JUMPS_TRIED, (it for it in ranges if it[0].beyond), key=lambda it: it[1].hits)
    for rule, limit in near + [(rule, _narrow(rule, it, sample)) for rule, it in jumps]:
        said = show_span(int(limit), sample.tick) if rule.by == "time" else _show(rule.by, limit)
        yield rule.suppose(limit, said, bits=log2(_LIMITS * 8))


def _choose_small(sample: Sample) -> Sample | None:
    """The key that has enough findings among fewest events, up to these."""
    keys = sorted({name[0] for name in sample.open})
    some = [one for key in keys if len((one := shorten(sample.of_keys([key]), _LOOKED, 1.0)).open) >= _LOOKED // 2]
    best = min(some, key=lambda one: one.size, default=None)
    return best if best is not None and best.size <= _MOST else None


def _list_rules(sample: Sample) -> Iterator[_Rule]:
    events = [e for of in sample.events.values() for e in of]
    orders: list[tuple[Order, bool]] = [(time_and_arrival, False)]
    if any(list(of) != sorted(of, key=get_arrival) for of in sample.events.values()):
        orders.append((get_arrival, True))
    measures: list[tuple[str, Measure, tuple[str, ...]]] = [("time", _measure_time, ("last", "before", "next"))]
    numbers = len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal")
    if numbers and len({e.value for e in events}) > _BEFORE:
        measures.append(("value", _measure_value, ("last", "before")))
        measures.append(("share", _measure_share, ("last",)))
    jumps: Sequence[tuple[str, Measure]] = list(_JUMPED.items()) if len(measures) > 1 else ()
    for order, arrived in orders:
        for whole in (True, False):
            for by, measure, those in measures:
                for which in those:
                    yield _Rule(by, measure, which, order, arrived, whole)
            for by, measure in jumps:
                for which in ("last", "before"):
                    yield _Rule(by, measure, which, order, arrived, whole, beyond=True)


def _measure_time(e: Event, other: Event) -> int:
    return e.time - other.time


def _measure_value(e: Event, other: Event) -> Any:
    return None if e.value is None or other.value is None else abs(e.value - other.value)


def _measure_share(e: Event, other: Event) -> Any:
    far = _measure_value(e, other)
    return None if far is None or not other.value else far / abs(other.value)


def _measure_rise(e: Event, other: Event) -> Any:
    return None if e.value is None or other.value is None else e.value - other.value


def _measure_fall(e: Event, other: Event) -> Any:
    return _measure_rise(other, e)


def _measure_times(e: Event, other: Event) -> Any:
    if e.value is None or other.value is None or e.value <= 0 or other.value <= 0:
        return None
    return max(e.value, other.value) / min(e.value, other.value)


_JUMPED: Final[dict[str, Measure]] = {
    "value": _measure_value,
    "share": _measure_share,
    "times": _measure_times,
    "rise": _measure_rise,
    "fall": _measure_fall,
}


def _keep(measure: Measure, which: str, order: Order, limit: Any, beyond: bool, events: Sequence[Event]) -> list[Event]:
    """The events that are not too near to another one, or too far beyond it."""
    ordered, kept = sorted(events, key=order), list[Event]()
    for i, e in enumerate(ordered):
        if which == "next":
            other = ordered[i + 1] if i + 1 < len(ordered) else None
            far = None if other is None else measure(other, e)
        else:
            other = (kept[-1] if kept else None) if which == "last" else ordered[i - 1] if i else None
            far = None if other is None else measure(e, other)
        if far is None or (far <= limit if beyond else far >= limit):
            kept.append(e)
    return sorted(kept, key=time_and_arrival)


def _keep_keys(keep: Callable[[Sequence[Event]], list[Event]], all_: Events) -> Events:
    return {key: keep(events) for key, events in all_.items()}


class _Found(NamedTuple):
    """Limits that do equally well, and how many findings they explain; that before them, and that after them."""

    hits: int
    limits: Sequence[Any]
    low: Any
    high: Any


def _find_limits(rule: _Rule, small: Sample) -> _Found | None:
    """Those that give most of the results that are there; None where none gives enough."""
    limits, between = _list_limits(rule, small)
    first = shorten(small, _FIRST, 1.0)
    scores = [_count_hits(rule.suppose(limit), first, small) for limit in limits]
    if not any(scores):
        return None
    found = _find_run(limits, scores, 0, None)
    near = sorted(x for x in between if found.low < x and (found.high is None or x < found.high))
    if not rule.beyond or not near:
        return found
    finer = sorted({found.limits[0], *near[:: len(near) // _FINER + 1]})  # which may give more
    scores = [_count_hits(rule.suppose(limit), first, small) for limit in finer]
    return _find_run(finer, scores, found.low, found.high)


def _find_run(limits: Sequence[Any], scores: Sequence[int], low: Any, high: Any) -> _Found:
    """The first of the best, and those beside it that are as good."""
    best = max(scores)
    i = j = scores.index(best)
    while j + 1 < len(scores) and scores[j + 1] == best:
        j += 1
    after = limits[j + 1] if j + 1 < len(limits) else high
    return _Found(best, limits[i : j + 1], limits[i - 1] if i else low, after)


def _narrow(rule: _Rule, found: _Found, sample: Sample) -> Any:
    """Of numbers among the limits of jumps the roundest of those that all results speak for."""
    least = found.limits[0]
    numbers = _list_between(least, least * 2 if found.high is None else found.high, sample) or [least]
    outcomes = [rule.suppose(number).hold(sample) for number in numbers]
    scores = [len(one.explained) - len(one.missed) - 2 * len(one.contradicted) for one in outcomes]
    best = _find_run(numbers, scores, least, found.high).limits
    return max(best, key=_count_zeros)


def _count_zeros(number: Any) -> tuple[int, bool]:
    """How round a number is."""
    exact = Fraction(str(number))
    n = next((n for n in range(18, -19, -1) if (exact / Fraction(10) ** n).denominator == 1), -19)
    return n, exact % (Fraction(10) ** n * 5) == 0


def _count_hits(supposed: Hypothesis, first: Sample, small: Sample) -> int:
    """How many findings it explains; none where a right result contradicts it, or it misses too many."""
    if first is not small and not supposed.hold(first, patience=_FIRST).explained:
        return 0
    found = supposed.hold(small, patience=1)
    hits = len(found.explained)
    return 0 if found.contradicted or hits < max(2, _HIT * len(found.missed)) else hits


def _list_limits(rule: _Rule, small: Sample) -> tuple[list[Any], set[Any]]:
    """All distances between events that are near each other; where these are too many, those that people choose; and
    all of them."""
    far, adjacent = set[Any](), list[Any]()
    for events in small.events.values():
        ordered = sorted(events, key=rule.order)
        for i, e in enumerate(ordered):
            for other in ordered[max(0, i - _BEFORE) : i]:
                if (x := rule.measure(e, other)) is not None and x > 0 and isfinite(x):
                    far.add(x)
                    adjacent += [x] if other is ordered[i - 1] else []
    if rule.beyond:  # else most would be left out
        least = sorted(adjacent)[len(adjacent) // 2] if adjacent else 0
        far = {x for x in far if x >= least}
        any_ = [0] if rule.by in ("rise", "fall") else []
        if len(far) <= _JUMPED_LIMITS:
            return any_ + sorted(far), set()
        return any_ + _list_round(_GRID, far), far
    if len(far) <= _LIMITS:
        return sorted(far), set()
    if rule.by == "time":
        return [span for span in list_spans(small.tick) if min(far) < span <= max(far)], far
    return _list_round(_PLAIN, far), far


def _list_round(digits: Sequence[Fraction], far: Collection[Any]) -> list[Any]:
    """Round numbers among these."""
    there = (float(Fraction(10) ** n * k) for n in range(-9, 10) for k in digits)
    return [x for x in there if min(far) < x <= max(far)]


def _list_between(low: Any, high: Any, sample: Sample) -> list[Any]:
    """Some numbers from the one on, and below the other, as round as may be."""
    least, most = Fraction(low), Fraction(high)
    for n in range(9, -10, -1):
        for k in (5, 2, 1):
            unit = Fraction(10) ** n * k
            numbers = [unit * i for i in range(ceil(least / unit), ceil(most / unit))]
            if len(numbers) >= _LIKELY or (unit == 1 and sample.kinds[0] == "int" and numbers):
                return [int(x) if x.denominator == 1 else float(x) for x in numbers]
    return []


def _round(rule: _Rule, low: Any, high: Any, sample: Sample) -> Any:
    """The roundest number above the one, and not above the other."""
    if rule.by == "time":
        return choose_round(int(low), int(high), sample.tick)
    least, most = Fraction(low), Fraction(high)
    for n in range(9, -10, -1):
        for k in (5, 2, 1):
            unit = Fraction(10) ** n * k
            number = (least // unit + 1) * unit
            if number <= most:
                return int(number) if sample.kinds[0] == "int" and number.denominator == 1 else float(number)
    return high


def _show(by: str, limit: Any) -> str:
    return f"{100 * limit:,.6g} %" if by == "share" else f"{float(limit):,.15g}"
