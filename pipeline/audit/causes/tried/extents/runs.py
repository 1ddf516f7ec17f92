"""Windows that hold another run of their key's events than they should: which run, their results tell.

There is no end of ways to have a window begin or end elsewhere: at a date for a moment, at the midnight before, at a
row too many, at the last pause.  One need not think of each.  Of a finding, one end of its window is moved over the
events of its key, and wherever the aggregate of what lies between is the result that is there, it may have been; each
place says between which bounds a rule that led there lies: how long after the end that was due, how many rows, after
how long a pause.  Where the findings agree about a rule it is a hypothesis as any other, and held against all results;
right ones tell its number more narrowly.  Only where no rule for one end is agreed about, both are moved.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log2
from typing import Any, Final, NamedTuple

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Got, Sample, Window, split
from swagproof.pipeline.audit.causes.spans import choose_round, get_second, show_span
from swagproof.pipeline.audit.causes.tried.starts import list_periods
from swagproof.pipeline.audit.tables import Tick

_LOOKED: Final = 12
"""How many findings are looked into at least, and right results; of windows with few events more."""
_WORK: Final = 6_000
"""How many events are aggregated to look into more than these."""
_FAR: Final = 400
"""How many events beyond its window an end is moved at most."""
_BOTH: Final = 24
"""How many events a window has at most both ends of which are moved, and how far."""
_BOXES: Final = 40
"""How many places for both ends a finding has at most, to say anything."""
_LAST: Final = {1: "second", 60: "minute", 3600: "hour", 86_400: "day"}
_AGREE: Final = 3
"""How many findings have to agree about a rule."""


class _Place(NamedTuple):
    """A window that is due, among the events of its key."""

    a: int
    b: int
    first: int
    stop: int
    """The run of events that it should hold."""
    begin: int
    end: int
    """The times from which on, and before which, it holds events; of a frame, that of its row, and the tick after."""
    at: int
    """The time of its row, or its last tick."""
    before: int = 0
    after: int = 0
    """How many rows more a frame would have at either end, were there so many of its key."""

    def get_row(self, *, low: bool) -> int:
        """Where it begins, or ends, be there such a row or not."""
        return self.first - self.before if low else self.stop + self.after


Bound = Callable[[Sequence[int], _Place], int]
"""The index of the first event that is held, or of the first after these."""

Between = tuple[Any, Any]
"""More than the one, and not more than the other: where a number lies."""


@dataclass(frozen=True)
class _Rule:
    """What a job may have taken for one end of its windows."""

    cause: str
    why: str
    find: Bound


def list_runs(sample: Sample) -> Iterator[Hypothesis]:
    """Windows with one end elsewhere, or both."""
    if not isinstance(sample.window, Sliding | Calendar | Frame | Counted):
        return
    wrong, right = choose_looked(sample)
    if len(wrong) < 2:
        return
    lows = list(_list_rules(sample, [(it, it.find_first()) for it in wrong], right, low=True))
    highs = list(_list_rules(sample, [(it, it.find_stop()) for it in wrong], right, low=False))
    tried = log2(2 + len(lows) + len(highs))
    for _, rule in lows:
        yield from _suppose(sample, rule.cause, rule.why, rule.find, _get_stop, tried)
    for _, rule in highs:
        yield from _suppose(sample, rule.cause, rule.why, _get_first, rule.find, tried)
    if max((n for n, _ in (*lows, *highs)), default=0) * 2 < len(wrong):
        yield from _move_both(sample, wrong[:: len(wrong) // _LOOKED + 1])


def _suppose(sample: Sample, cause: str, why: str, low: Bound, high: Bound, bits: float) -> Iterator[Hypothesis]:
    """Windows with these ends; a plainer cause that foretells the same goes before."""
    subject = "frame" if isinstance(sample.window, Frame) else "window"
    for beside in (False, True) if isinstance(sample.window, Sliding) else (False,):
        windows = partial(_cut, sample, low, high, beside)
        yield Hypothesis(cause, f"each {subject} {why}", windows=windows, needs=2, bits=RARE + bits)


def _cut(sample: Sample, low: Bound, high: Bound, beside: bool, events: list[Event]) -> Iterator[Window]:
    """The windows that are due with these ends; and those `beside` them, which hold events then alone."""
    ordered = _order(sample, events)
    times, n = [e.time for e in ordered], len(ordered)
    for place in _list_places(sample, ordered, beside=beside):
        i, j = max(0, low(times, place)), max(0, min(n, high(times, place)))
        if i < j or isinstance(sample.window, Frame):
            held = ordered[i:j]
            yield Window(place.a, place.b, held if ordered is events else sorted(held, key=lambda e: e[:2]))


def _order(sample: Sample, events: list[Event]) -> list[Event]:
    by_arrival = isinstance(sample.window, Counted) and sample.window.by_arrival
    return sorted(events, key=lambda e: e.arrival) if by_arrival else events


def _list_places(sample: Sample, events: list[Event], *, beside: bool = False) -> Iterator[_Place]:
    """The windows that are due of a key's events."""
    times = [e.time for e in events]
    match sample.window:
        case Frame() as window:
            for row, (e, (i, j)) in enumerate(zip(events, window.bounds(times), strict=True)):
                before, after = _reach_out(window, row, len(events))
                yield _Place(e.time, e.arrival, i, j, e.time, e.time + 1, e.time, before, after)
        case Sliding() as window:
            near = (-window.slide, 0, window.slide) if beside else (0,)
            for a in sorted({w.a + by for w in split(window, events) for by in near}):
                begin, end = window.reach(a)
                i, j = bisect_left(times, begin), bisect_left(times, end)
                yield _Place(a, a + window.range, i, j, begin, end, end - 1)
        case Calendar() as window:
            for w in split(window, events):
                later = window.closed == "right"
                begin, end = w.a + later, w.b + later
                yield _Place(w.a, w.b, bisect_left(times, begin), bisect_left(times, end), begin, end, end - 1)
        case Counted(n, every):
            for stop in range(every, len(events) + 1, every):
                at = times[stop - 1]
                yield _Place(max(0, stop - n) + 1, stop, max(0, stop - n), stop, at, at + 1, at)
        case _:
            pass


def _reach_out(window: Frame, row: int, n: int) -> tuple[int, int]:
    """How many rows of the frame of a row would be before the first of so many, and after the last."""
    if window.unit != "rows" or window.start is None or window.end is None:
        return 0, 0
    return max(0, int(-window.start) - row), max(0, row + int(window.end) + 1 - n)


def choose_looked(sample: Sample) -> tuple[list["Looked"], list["Looked"]]:
    """Some findings from all over the sample, each one result in place of another; and some right results."""
    results, due = sample.results, sample.due
    wrong, right = list[Looked](), list[Looked]()
    for key in sorted(sample.events):
        events = _order(sample, sample.in_time(sample.events[key]))
        times = [e.time for e in events]
        for place in _list_places(sample, events):
            name = sample.name(key, place.a, place.b)
            if len(due.get(name, ())) != 1 or len(results.get(name, ())) != 1 or name in sample.aside:
                continue
            one = Looked(sample, place, events, times, results[name][0])
            (wrong if name in sample.open else right).append(one)
    return _spread(wrong), _spread(right)


def _spread(those: list["Looked"]) -> list["Looked"]:
    work = sum(2 * one.place.stop - 2 * one.place.first + one.far for one in those) or 1
    n = max(_LOOKED, len(those) * _WORK // work)
    return those[:: max(1, -(-len(those) // n))]


@dataclass(frozen=True)
class Looked:
    """A window with its result, and of which runs of events it has that."""

    sample: Sample
    place: _Place
    events: list[Event]
    times: list[int]
    got: Got

    @property
    def far(self) -> int:
        """How many events beyond its window an end is moved."""
        return min(_FAR, 20 + 2 * (self.place.stop - self.place.first))

    def fits(self, partial_: object) -> bool:
        """Whether a partial aggregate has the result that is there."""
        try:
            answer = self.sample.aggregation.answer(partial_, as_text=self.sample.kind == "text")
        except (ArithmeticError, ValueError, TypeError):
            return False
        return self.sample.agrees(answer, self.got)

    def find_first(self, far: int | None = None) -> list[int]:
        """Where it may begin, and end as it should; or so many events before that."""
        combine, found = self.sample.aggregation.operation.combine, list[int]()
        made, stop = None, self.place.stop
        last = max(self.place.first - self.far - 1, stop - 5 * _FAR) if far is None else stop - far - 1
        for i in range(stop - 1, max(-1, last), -1):
            lifted = self.events[i].lifted
            made = lifted if i == stop - 1 else combine(lifted, made)
            if self.fits(made):
                found.append(i)
        return found

    def find_stop(self, first: int | None = None, last: int | None = None) -> list[int]:
        """Where it may end, and begin as it should; or there."""
        combine, found = self.sample.aggregation.operation.combine, list[int]()
        first = self.place.first if first is None else first
        last = min(len(self.events), self.place.stop + self.far, first + 5 * _FAR) if last is None else last
        made = None
        for j in range(first, last):
            lifted = self.events[j].lifted
            made = lifted if j == first else combine(made, lifted)
            if self.fits(made):
                found.append(j + 1)
        return found

    def find_both(self) -> list[tuple[int, int]]:
        """Where it may begin and end; nothing where it has too many events, or too many such places."""
        first, stop = self.place.first, self.place.stop
        if stop - first > _BOTH:
            return []
        last = min(len(self.events), stop + _BOTH)
        found = [(i, j) for i in range(max(0, first - _BOTH), last) for j in self.find_stop(i, last)]
        return found if len(found) <= _BOXES else []

    def bound_time(self, at: int, low: bool) -> Between:
        """How long after its begin, or its end, the events begin, or end, that begin or end there."""
        own = self.place.begin if low else self.place.end
        before = self.times[at - 1] - own if at else -(2**62)
        return before, self.times[at] - own if at < len(self.times) else 2**62

    def bound_row(self, at: int, low: bool) -> Between:
        """How many rows after its begin, or its end, it begins, or ends, that does so there: at the first row of its
        key, or after the last one, that many, or fewer, or more."""
        by = at - self.place.get_row(low=low)
        if isinstance(self.sample.window, Frame):
            if low and not at:
                return -(2**62), by
            if not low and at == len(self.events):
                return by - 1, 2**62
        return by - 1, by

    def bound_pause(self, first: int) -> Between:
        """How long a pause is at least, where it begins after the last one; nothing where that is not so."""
        if not first:
            return 0, 0
        held = self.times[first : self.place.stop]
        least = max((b - a for a, b in pairwise(held)), default=0)
        return least, self.times[first] - self.times[first - 1]


def _list_rules(
    sample: Sample, findings: Sequence[tuple[Looked, list[int]]], right: Sequence[Looked], *, low: bool
) -> Iterator[tuple[int, _Rule]]:
    """The rules for one end that findings agree about, and how many do."""
    seen = [(one, those) for one, those in findings if those]
    verb = "begins" if low else "ends"
    if isinstance(sample.window, Counted | Frame):
        for k, n in vote([[one.bound_row(i, low) for i in those] for one, those in seen]):
            by = choose_round(*k, None)
            if abs(by) < 2**61:
                said = _say_move(sample, verb, by, timed=False)
                yield n, _Rule("another range", said, partial(_move_rows, low, by))
    if low:
        for k, n in vote([[(one.place.stop - i - 1, one.place.stop - i) for i in those] for one, those in seen]):
            yield n, _Rule("another range", f"holds its last {k[1]:,} rows alone", partial(_hold_last, k[1]))
    if isinstance(sample.window, Counted):
        return
    for bounds, n in vote([_join([one.bound_time(i, low) for i in those]) for one, those in seen]):
        for one in right:
            those = one.find_first() if low else one.find_stop()
            bounds = _narrow(bounds, _join([one.bound_time(i, low) for i in those]))
        last = None if low else _find_last(bounds, sample.tick)
        by = choose_round(*bounds, sample.tick) if last is None else last[0]
        said = _say_move(sample, verb, by, timed=True) if last is None else f"{verb} {last[1]}"
        if abs(by) < 2**61:
            yield n, _Rule("another range", said, partial(_move_time, low, by))
    if low:
        for bounds, n in vote([[b for i in those if (b := one.bound_pause(i))[0] < b[1]] for one, those in seen]):
            pause = choose_round(*bounds, sample.tick)
            said = f"begins anew after a pause of {show_span(pause, sample.tick)}"
            yield n, _Rule("windows begun anew", said, partial(_begin_after_pause, pause))
        for period, find in list_periods(sample.tick).items():
            bound = partial(_begin_at_period, find)
            n = sum(bound(one.times, one.place) in those for one, those in seen)
            if n >= _AGREE:
                yield n, _Rule("windows begun anew", f"begins anew with each {period}", bound)


def _find_last(bounds: Between, tick: Tick) -> tuple[int, str] | None:
    """By how much windows end early, where it may be their last second, minute, hour or day: as up to 23:59:59."""
    if tick is not None:
        for seconds in (1, 60, 3600, 86_400):
            span = seconds * get_second(tick)
            said = f"{show_span(span, tick)} early, as up to its last {_LAST[seconds]}"
            for by in (-span, 1 - span):  # without that moment, and with it
                if bounds[0] < by <= bounds[1]:
                    return by, said if by == -span else f"{said}, which it holds"
    return None


def _move_both(sample: Sample, findings: Sequence[Looked]) -> Iterator[Hypothesis]:
    """Both ends elsewhere, each by as much in all windows."""
    places = [(one, one.find_both()) for one in findings]
    by_rows = [[(one.bound_row(i, True), one.bound_row(j, False)) for i, j in held] for one, held in places]
    by_time = [[(one.bound_time(i, True), one.bound_time(j, False)) for i, j in held] for one, held in places]
    for boxes, timed in ((by_rows, False), (by_time, True)):
        if (timed and isinstance(sample.window, Counted)) or (
            not timed and isinstance(sample.window, Sliding | Calendar)
        ):
            continue
        best = vote_boxes(boxes)
        if best is None:
            continue
        (low, high), n, tried = best
        moved = [choose_round(*bounds, sample.tick if timed else None) for bounds in (low, high)]
        if n < _AGREE or max(map(abs, moved)) >= 2**61:
            continue
        said = " and ".join(
            _say_move(sample, verb, by, timed=timed) for verb, by in zip(("begins", "ends"), moved, strict=True)
        )
        move = _move_time if timed else _move_rows
        begins, ends = partial(move, True, moved[0]), partial(move, False, moved[1])
        yield from _suppose(sample, "another range", said, begins, ends, log2(1 + tried))


def _say_move(sample: Sample, verb: str, by: int, *, timed: bool) -> str:
    span = show_span(abs(by), sample.tick) if timed else f"{abs(by):,} row{'s' * (abs(by) != 1)}"
    if timed and isinstance(sample.window, Frame):
        return f"{verb} {f'{span} ' if by else ''}{'at' if not by else 'after' if by > 0 else 'before'} its row"
    return f"{verb} {span} {'late' if by > 0 else 'early'}" if by else f"{verb} where it should"


def vote(found: Sequence[Sequence[Between]]) -> list[tuple[Between, int]]:
    """The bounds that most findings agree about, and how many: each says between which ones a number may lie."""
    best: list[tuple[int, Between]] = []
    for point in {high for mine in found for _, high in mine}:
        held = [next((it for it in mine if it[0] < point <= it[1]), None) for mine in found]
        agree = [it for it in held if it is not None]
        if len(agree) >= _AGREE:
            best.append((len(agree), (max(low for low, _ in agree), min(high for _, high in agree))))
    if not best:
        return []
    n, bounds = max(best, key=lambda it: (it[0], -abs(it[1][1])))
    return [(bounds, n)]


def _narrow(bounds: Between, those: Sequence[Between]) -> Between:
    """Within both; the bounds as they are where nothing is."""
    both = ((max(bounds[0], low), min(bounds[1], high)) for low, high in those)
    return next(((low, high) for low, high in both if low < high), bounds)


def vote_boxes(found: Sequence[Sequence[tuple[Between, Between]]]) -> tuple[tuple[Between, Between], int, int] | None:
    """The same of two numbers at once; and how many there were to choose from."""
    points = {(low[1], high[1]) for mine in found for low, high in mine}
    best: tuple[int, tuple[Between, Between]] | None = None
    for x, y in points:
        held = [next((b for b in mine if b[0][0] < x <= b[0][1] and b[1][0] < y <= b[1][1]), None) for mine in found]
        agree = [it for it in held if it is not None]
        if len(agree) > (best[0] if best else 0):
            lows, highs = [low for low, _ in agree], [high for _, high in agree]
            low, high = ((max(a for a, _ in of), min(b for _, b in of)) for of in (lows, highs))
            best = len(agree), (low, high)
    return None if best is None else (best[1], best[0], len(points))


def _join(bounds: Sequence[Between]) -> list[Between]:
    """Bounds that touch, as one."""
    found: list[Between] = []
    for low, high in sorted(b for b in bounds if b[0] < b[1]):
        if found and found[-1][1] == low:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _get_first(_times: Sequence[int], place: _Place) -> int:
    return place.first


def _get_stop(_times: Sequence[int], place: _Place) -> int:
    return place.stop


def _move_rows(low: bool, by: int, _times: Sequence[int], place: _Place) -> int:
    return place.get_row(low=low) + by


def _move_time(low: bool, by: int, times: Sequence[int], place: _Place) -> int:
    return bisect_left(times, (place.begin if low else place.end) + by)


def _hold_last(n: int, _times: Sequence[int], place: _Place) -> int:
    return max(place.first, place.stop - n)


def _begin_after_pause(pause: int, times: Sequence[int], place: _Place) -> int:
    i = place.stop - 1
    while i > place.first and times[i] - times[i - 1] < pause:
        i -= 1
    return max(i, place.first)


def _begin_at_period(find: Callable[[int], tuple[int, int]], times: Sequence[int], place: _Place) -> int:
    return max(place.first, bisect_left(times, find(place.at)[0]))
