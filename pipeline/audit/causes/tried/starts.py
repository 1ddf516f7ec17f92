"""How a job may have found the windows of an event otherwise: by another formula, or by none.

The windows of a time t begin at (t - RANGE) // SLIDE * SLIDE + SLIDE, and each SLIDE on to t // SLIDE * SLIDE.  Where
one of these is written for another, or one step left out, windows begin in strange places, hold what they should not,
and lack what they should hold; what exactly, running the formula tells.  So it is with the gap that parts sessions.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window
from swagproof.pipeline.audit.causes.spans import get_second, list_spans, show_span
from swagproof.pipeline.audit.tables import Tick

_MOST: Final = 200
"""How many windows an event is put into at most."""

Formula = Callable[[int], int]


def list_starts(sample: Sample) -> Iterator[Hypothesis]:
    """Other formulas, and one window for all."""
    match sample.window:
        case Sliding(closed="left") as window:
            yield from _list_formulas(sample, window)
            yield from _list_restarts(sample, window)
        case Session() as window:
            yield from _list_partings(sample, window)
            yield from _list_limits(sample, window)
        case _:
            pass
    if isinstance(sample.window, Sliding | Calendar):
        named = Counter(name[1:] for name in sample.results if name in sample.open)
        for (a, b), n in named.most_common(1):
            if a is not None and b is not None and n > 1 and 2 * n > len(sample.open & sample.results.keys()):
                one = partial(_put_into_one, sample, a, b)
                why = "puts all events of a key into one window"
                yield Hypothesis("windows without end", why, windows=one, needs=2, bits=RARE)


def _put_into_one(sample: Sample, a: int, b: int, events: list[Event]) -> Iterator[Window]:
    there = sample.in_time(events, sample.takes)
    if there:
        yield Window(a, b, there)


def _list_formulas(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    r, s = window.range, window.slide
    if r == s:
        return
    long, short = show_span(r, sample.tick), show_span(s, sample.tick)
    first, last = f"(t - {long}) // {short} * {short} + {short}", f"t // {short} * {short}"

    def right_first(t: int) -> int:
        return (t - r) // s * s + s

    def right_last(t: int) -> int:
        return t // s * s

    firsts: dict[str, Formula] = {
        f"(t - {long}) // {long} * {short} + {short}": lambda t: (t - r) // r * s + s,
        f"(t - {long}) // {short} * {long} + {short}": lambda t: (t - r) // s * r + s,
        f"(t - {long}) // {short} * {short} + {long}": lambda t: (t - r) // s * s + r,
        f"(t - {long}) // {short} * {short}": lambda t: (t - r) // s * s,
        f"(t - {long}) // {short} * {short} - {short}": lambda t: (t - r) // s * s - s,
        f"(t - {long}) % {short} * {short} + {short}": lambda t: (t - r) % s * s + s,
        f"(t - {long}) * {short} + {short}": lambda t: (t - r) * s + s,
        f"(t - {long}) // {short} + {short}": lambda t: (t - r) // s + s,
        f"{long} // {short} * {short} + {short}": lambda t: r // s * s + s,
        f"t // {short} * {short} + {short}": lambda t: t // s * s + s,
        f"{short} * {short} + {short}": lambda t: s * s + s,
        f"(t + {long}) // {short} * {short} + {short}": lambda t: (t + r) // s * s + s,
        short: lambda t: s,
    }
    lasts: dict[str, Formula] = {
        f"t // {long} * {short}": lambda t: t // r * s,
        f"t // {short} * {long}": lambda t: t // s * r,
        f"t % {short} * {short}": lambda t: t % s * s,
        f"t // {short}": lambda t: t // s,
        f"t * {short}": lambda t: t * s,
        f"{short} * {short}": lambda t: s * s,
        "t": lambda t: t,
        short: lambda t: s,
        f"t // {short} * {short} - {short}": lambda t: t // s * s - s,
    }
    ways: list[tuple[str, str, Formula, Formula, int]] = [
        *((said, last, low, right_last, s) for said, low in firsts.items()),
        *((first, said, right_first, high, s) for said, high in lasts.items()),
        (first, last, right_first, right_last, r),
    ]
    for low_said, high_said, low, high, step in ways:
        starts = partial(_list_begins, low, high, step, window.offset)
        sizes = {len(starts(e.time)) for events in sample.events.values() for e in events}
        if 0 < max(sizes, default=0) <= _MOST:
            each = show_span(step, sample.tick)
            yield Hypothesis(
                "windows by another formula",
                f"has a time t begin windows from {low_said} to {high_said}, one each {each}",
                windows=partial(_put_into, starts, r),
                bits=RARE,
            )


def _list_begins(low: Formula, high: Formula, step: int, offset: int, time: int) -> range:
    t = time - offset
    return range(low(t) + offset, high(t) + offset + 1, step)


def _put_into(starts: Callable[[int], range], length: int, events: list[Event]) -> Iterator[Window]:
    held: dict[int, list[Event]] = {}
    for e in events:
        for begin in starts(e.time):
            held.setdefault(begin, []).append(e)
    for begin in sorted(held):
        yield Window(begin, begin + length, held[begin])


def _list_restarts(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows that are counted from the begin of each hour, day, week or month."""
    second = get_second(sample.tick)
    for said, begin in list_periods(sample.tick).items():
        if said in _PERIODS and _PERIODS[said][0] * second <= window.slide:
            continue
        for cut in (False, True):
            why = f"begins its windows anew with each {said}"
            why += ", where they end, too" if cut else ""
            windows = partial(_restart, sample, window, begin, cut)
            yield Hypothesis("windows begun anew", why, windows=windows, bits=1.0)


def list_periods(tick: Tick) -> dict[str, Callable[[int], tuple[int, int]]]:
    """The hour, day, week or month of UTC that a time lies in, from its begin to its end; of plain numbers none."""
    if tick is None:
        return {}
    second = get_second(tick)
    periods: dict[str, Callable[[int], tuple[int, int]]] = {
        said: partial(_find_period, n * second, shift * second) for said, (n, shift) in _PERIODS.items()
    }
    return {**periods, "month": partial(_find_month, second)}


_PERIODS: Final = {
    "hour": (3600, 0),
    "day": (86_400, 0),
    "week": (604_800, 345_600),
    "week, on Sunday": (604_800, 259_200),
}
"""How many seconds they last, and when they begin after the epoch."""


def _find_period(length: int, shift: int, time: int) -> tuple[int, int]:
    begin = (time - shift) // length * length + shift
    return begin, begin + length


def _find_month(second: int, time: int) -> tuple[int, int]:
    months = Calendar("month", 1, 1, 0, "UTC", second=second)
    number = months.number(time)
    return months.start(number), months.start(number + 1)


def _restart(
    sample: Sample, window: Sliding, period: Callable[[int], tuple[int, int]], cut: bool, events: list[Event]
) -> Iterator[Window]:
    held: dict[tuple[int, int], list[Event]] = {}
    for e in sample.in_time(events, sample.takes):
        first, end = period(e.time)
        begin = first + (e.time - first) // window.slide * window.slide
        while begin > e.time - window.range and begin >= first:
            held.setdefault((begin, min(begin + window.range, end) if cut else begin + window.range), []).append(e)
            begin -= window.slide
    for begin, end in sorted(held):
        yield Window(begin, end, held[begin, end])


def _list_limits(sample: Sample, window: Session) -> Iterator[Hypothesis]:
    """Sessions that last so long at most, or have so many events: how many, the results tell."""
    gap = _find_least(window)
    lengths = _read_limits(sample, lambda es: es[-1].time - es[0].time, list_spans(sample.tick))
    counts = _read_limits(sample, len, [k * 10**n for n in range(5) for k in (1, 2, 5)])
    rules: list[tuple[str, Callable[[Sequence[Event], Event], bool]]] = []
    for limit in lengths:
        said = show_span(limit, sample.tick)
        rules += [
            (f"ends sessions {said} after their first event", partial(_is_long, gap, limit)),
            (f"ends sessions that would last more than {said}", partial(_is_long, gap, limit + 1)),
        ]
    rules += [(f"ends sessions after {n:,} events", partial(_is_large, gap, n)) for n in counts]
    for why, parts in rules:
        windows = partial(_part, sample, window.gap, parts)
        yield Hypothesis("sessions parted otherwise", why, windows=windows, needs=2, bits=log2(len(rules)))


def _read_limits(sample: Sample, of: Callable[[Sequence[Event]], int], round_: Sequence[int]) -> list[int]:
    """The limits that all right sessions keep, and some session that is due and has no result does not."""
    due = {name: of(parts[0].events) for name, parts in sample.due.items() if parts[0].events}
    right = max((n for name, n in due.items() if name not in sample.findings), default=0)
    wrong = max((n for name, n in due.items() if name in sample.open), default=0)
    return [limit for limit in round_ if right <= limit <= wrong][:_LIMITS]


_LIMITS: Final = 6


def _is_long(gap: int, limit: int, run: Sequence[Event], e: Event) -> bool:
    return e.time - run[-1].time >= gap or e.time - run[0].time >= limit


def _is_large(gap: int, n: int, run: Sequence[Event], e: Event) -> bool:
    return e.time - run[-1].time >= gap or len(run) >= n


def _find_least(window: Session) -> int:
    """How far apart events are at least that are not of one session."""
    gap: int = window.gap
    return gap + window.touching


def _list_partings(sample: Sample, window: Session) -> Iterator[Hypothesis]:
    """Sessions parted by another rule than how long after the last event the next one is."""
    gap = _find_least(window)
    said = show_span(window.gap, sample.tick)
    rules: tuple[tuple[str, Callable[[Sequence[Event], Event], bool]], ...] = (
        ("makes each event a session of its own", lambda run, e: True),
        ("never parts a session", lambda run, e: False),
        (f"parts events less than {said} apart, and joins others", lambda run, e: e.time - run[-1].time < gap),
        (f"parts sessions where two times add up to {said}", lambda run, e: e.time + run[-1].time >= gap),
        (f"parts sessions where a time is {said} or more", lambda run, e: e.time >= gap),
        (f"parts sessions where the time before is {said} or more", lambda run, e: run[-1].time >= gap),
    )
    for why, parts in rules:
        yield Hypothesis("sessions parted otherwise", why, windows=partial(_part, sample, window.gap, parts), bits=3.0)
    if sample.tick is not None:
        day = 86_400 * get_second(sample.tick)
        at_midnight = partial(_part, sample, window.gap, partial(_parts_at_midnight, gap, day))
        yield Hypothesis("sessions parted otherwise", "parts sessions at midnight of UTC, too", windows=at_midnight)
        for unit, of in ((day, "whole days"), (day // 24, "whole hours")):
            if unit > gap:
                within = partial(_part, sample, window.gap, partial(_parts_within, gap, unit))
                why = f"parts sessions at {said} as a clock shows them, without {of}"
                yield Hypothesis("sessions parted otherwise", why, windows=within)
    if sample.whole and len(sample.events) > 1:
        found = dict(_list_of_any_key(sample, gap, said))
        for why, parts in found.items():
            windows = partial(_part, sample, window.gap, parts)
            yield Hypothesis("sessions parted otherwise", why, windows=windows, bits=log2(len(found)))

    def by_lag(run: Sequence[Event], e: Event) -> bool:
        return e.time - run[-1].time >= gap

    def by_span(run: Sequence[Event], e: Event) -> bool:
        return abs(e.time - run[-1].time) >= gap

    lags: tuple[tuple[str, Callable[[Sequence[Event], Event], bool], Callable[[list[Event], int], Window]], ...] = (
        ("", by_lag, _end_at_last),
        (", and names them by their least time and their greatest", by_lag, _end_at_most),
        (", whichever of two events is the later one", by_span, _end_at_most),
    )
    for named, apart, close in lags:
        lagged = partial(_part, sample, window.gap, apart, by_arrival=True, close=close)
        yield Hypothesis("arrival order", f"parts sessions at {said} in the order of arrival{named}", windows=lagged)


def _parts_within(gap: int, unit: int, run: Sequence[Event], e: Event) -> bool:
    return (e.time - run[-1].time) % unit >= gap


def _list_of_any_key(
    sample: Sample, gap: int, said: str
) -> Iterator[tuple[str, Callable[[Sequence[Event], Event], bool]]]:
    """Rules by what is before an event of any key, as with a LAG or a running number that nobody parted by the key; of
    events of equal time any may be the one before."""
    rows = [(key, e) for key, events in sample.events.items() for e in events]
    orders: dict[str, Callable[[tuple[str, Event]], Any]] = {
        "in time": lambda row: (*row[1][:2], row[0]),
        "in time (of equal ones that of the first key)": lambda row: (row[1].time, row[0]),
        "in time (of equal ones that of the last key)": lambda row: (-row[1].time, row[0]),
        "as they come": lambda row: row[1].arrival,
    }
    firsts = {id(events[0]) for events in sample.events.values() if events}
    own = {id(e): e.time - before.time for events in sample.events.values() for before, e in pairwise(events)}
    seen = set[tuple[int, ...]]()
    for order, of in orders.items():
        there = [e for _, e in sorted(rows, key=of, reverse="last" in order)]
        turn = tuple(map(id, there))
        if turn in seen or (order == "as they come" and len(sample.arrivals) < len(rows)):
            continue
        seen.add(turn)
        pauses = _ByEvent(there[1:], [e.time - before.time for before, e in pairwise(there)])
        at = _ByEvent(there, list(accumulate(i in firsts or own[i] >= gap for i in turn)))
        tie = order.removeprefix("in time")
        if order == "as they come":
            yield (
                f"parts sessions {said} after the event that came before, of any key",
                partial(_parts_after, gap, pauses),
            )
            continue
        yield f"parts sessions where no event of any key came for {said}{tie}", partial(_parts_after, gap, pauses)
        yield f"parts sessions where one of any key begins{tie}", partial(_parts_at_number, at)


class _ByEvent:
    """A number of each event, that it has where another cause changes its value, too."""

    def __init__(self, events: Sequence[Event], numbers: Sequence[int]) -> None:
        self.by_place = dict(zip((e[:2] for e in events), numbers, strict=True))
        self.by_event = dict(zip(map(id, events), numbers, strict=True))
        self.events = events

    def read(self, e: Event) -> int | None:
        return self.by_event.get(id(e), self.by_place.get(e[:2]))


def _parts_after(gap: int, pauses: _ByEvent, _run: Sequence[Event], e: Event) -> bool:
    pause = pauses.read(e)
    return pause is None or pause >= gap


def _parts_at_number(at: _ByEvent, run: Sequence[Event], e: Event) -> bool:
    return at.read(e) != at.read(run[-1])


def _parts_at_midnight(gap: int, day: int, run: Sequence[Event], e: Event) -> bool:
    return e.time - run[-1].time >= gap or e.time // day != run[-1].time // day


def _part(
    sample: Sample,
    gap: int,
    parts: Callable[[Sequence[Event], Event], bool],
    events: list[Event],
    by_arrival: bool = False,
    close: Callable[[list[Event], int], Window] | None = None,
) -> Iterator[Window]:
    close, run = close or _end_at_last, list[Event]()
    there = sample.in_time(events, sample.takes)
    for e in sorted(there, key=lambda e: e.arrival) if by_arrival else there:
        if run and parts(run, e):
            yield close(run, gap)
            run = []
        run.append(e)
    if run:
        yield close(run, gap)


def _end_at_last(run: list[Event], gap: int) -> Window:
    return Window(run[0].time, run[-1].time + gap, run)


def _end_at_most(run: list[Event], gap: int) -> Window:
    held: list[Any] = sorted(run, key=lambda e: e[:2])
    return Window(held[0].time, held[-1].time + gap, held)
