"""Events that a job takes for too near to another one to count: those that come too soon after it, or differ from it by
too little.

A debounce or a throttle lets an event go that comes less than so long after the one that was counted last, or after the
one before, or before the next; a deadband one whose value is less than so far from that.  How near is too near, the
findings say: of few events each limit that would make a difference is tried, and of those that give most of the results
that are there the roundest is taken.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isfinite, log2
from typing import Any, Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.few import shorten
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, time_and_arrival
from swagproof.pipeline.audit.causes.spans import choose_round, list_spans, show_span

_CAUSE: Final = "too near left out"
_LIMITS: Final = 100
"""How many limits are tried."""
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
    """Of what it is: time, value, or a share of the value."""
    measure: Measure
    which: str
    """From which event: the one that was counted `last`, the one `before`, or the `next`."""
    order: Order
    arrived: bool
    """Whether that is the order of arrival, where the other one is told apart from it."""
    whole: bool
    """Whether it goes over a key, and not over each window by itself."""

    def suppose(self, limit: Any, said: str = "", bits: float = 0.0) -> Hypothesis:
        """What is so with this limit."""
        keep = partial(_keep, self.measure, self.which, self.order, limit)
        why = f"leaves out events {self.tell(said)}"
        if self.whole:
            return Hypothesis(_CAUSE, why, events=partial(_keep_keys, keep), filters=True, needs=2, bits=bits)
        return Hypothesis(_CAUSE, why, content=keep, needs=2, bits=bits)

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
        return f"whose value is less than {said} from that of {other} {of}"


def list_spaced(sample: Sample) -> Iterator[Hypothesis]:
    """Each rule with the limit that gives most of what is there."""
    if isinstance(sample.window, Frame) and sample.open <= sample.results.keys():  # it would have no row of these
        return
    small = _choose_small(sample)
    if small is None:
        return
    found = [(rule, limit) for rule in _list_rules(sample) if (limit := _find_limit(rule, small)) is not None]
    for rule, limit in found:
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
    for by, measure, those in measures:
        for which in those:
            for order, arrived in orders:
                for whole in (True, False):
                    yield _Rule(by, measure, which, order, arrived, whole)


def _measure_time(e: Event, other: Event) -> int:
    return e.time - other.time


def _measure_value(e: Event, other: Event) -> Any:
    return None if e.value is None or other.value is None else abs(e.value - other.value)


def _measure_share(e: Event, other: Event) -> Any:
    far = _measure_value(e, other)
    return None if far is None or not other.value else far / abs(other.value)


def _keep(measure: Measure, which: str, order: Order, limit: Any, events: Sequence[Event]) -> list[Event]:
    """The events that are not too near to another one."""
    ordered, kept = sorted(events, key=order), list[Event]()
    for i, e in enumerate(ordered):
        if which == "next":
            other = ordered[i + 1] if i + 1 < len(ordered) else None
            far = None if other is None else measure(other, e)
        else:
            other = (kept[-1] if kept else None) if which == "last" else ordered[i - 1] if i else None
            far = None if other is None else measure(e, other)
        if far is None or far >= limit:
            kept.append(e)
    return sorted(kept, key=time_and_arrival)


def _keep_keys(keep: Callable[[Sequence[Event]], list[Event]], all_: Events) -> Events:
    return {key: keep(events) for key, events in all_.items()}


def _find_limit(rule: _Rule, small: Sample) -> Any:
    """The limit that gives most of the results that are there; None where none gives enough."""
    limits = _list_limits(rule, small)
    first = shorten(small, _FIRST, 1.0)
    scores = [_count_hits(rule.suppose(limit), first, small) for limit in limits]
    best = max(scores, default=0)
    if not best:
        return None
    i = scores.index(best)
    j = i
    while j + 1 < len(scores) and scores[j + 1] == best:
        j += 1
    return _round(rule, limits[i - 1] if i else 0, limits[j], small)


def _count_hits(supposed: Hypothesis, first: Sample, small: Sample) -> int:
    """How many findings it explains; none where a right result contradicts it, or it misses too many."""
    if first is not small and not supposed.hold(first, patience=_FIRST).explained:
        return 0
    found = supposed.hold(small, patience=1)
    hits = len(found.explained)
    return 0 if found.contradicted or hits < max(2, _HIT * len(found.missed)) else hits


def _list_limits(rule: _Rule, small: Sample) -> list[Any]:
    """All distances between events that are near each other; where these are too many, those that people choose."""
    far = {
        x
        for events in small.events.values()
        for ordered in [sorted(events, key=rule.order)]
        for i, e in enumerate(ordered)
        for other in ordered[max(0, i - _BEFORE) : i]
        if (x := rule.measure(e, other)) is not None and x > 0 and isfinite(x)
    }
    if len(far) <= _LIMITS:
        return sorted(far)
    if rule.by == "time":
        return [span for span in list_spans(small.tick) if min(far) < span <= max(far)]
    return [x for n in range(-9, 10) for k in (1, 2, 5) if min(far) < (x := float(Fraction(10) ** n * k)) <= max(far)]


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
