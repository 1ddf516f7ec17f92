"""The table of windows: changes to their bounds, and further divisions of a key's events."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import gcd
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.pipeline.audit.diagnosis.hypothesis import Edit, Family, Row
from swagproof.pipeline.audit.diagnosis.readings import lags, second
from swagproof.pipeline.audit.diagnosis.sample import (
    NULL,
    Cut,
    Event,
    Name,
    Part,
    Predicted,
    Sample,
    Window,
    cell_of,
    get_place,
    split,
)
from swagproof.pipeline.audit.diagnosis.zones import zone_offset, zones_of
from swagproof.pipeline.audit.wording import count_of, show_span, show_window

_FIXED: Final = ("Etc/GMT-1", "Etc/GMT-2", "Etc/GMT+5", "Etc/GMT+8")
"""Constant offsets, of UTC+1, UTC+2, UTC-5 and UTC-8: the winter or summer time of a zone all year."""
_WORDS: Final = {
    "left": "each window includes the events at its start and excludes those at its end",
    "right": "each window includes the events at its end and excludes those at its start",
    "both": "each window includes the events at both ends",
    "neither": "each window excludes the events at both ends",
}


def _other(sample: Sample, spec: WindowSpec, clause: str = "", *, bits: float = 0.0) -> Edit:
    """Return the edit to another window, with its option."""
    shown = _show(spec, sample)
    clause = clause or f"uses the window '{shown}'"
    return Edit(clause, windows=partial(sample.split, spec), option=f"--window '{shown}'", bits=bits)


def _show(spec: WindowSpec, sample: Sample) -> str:
    if not isinstance(spec, Frame):
        return show_window(spec, sample.tick)
    span = partial(_show_end, sample) if spec.unit == "range" else str
    ends = ("unbounded" if at is None else span(at) for at in (spec.start, spec.end))
    return f"{spec.unit} {' '.join(ends)}{' full' * spec.full}"


def _show_end(sample: Sample, at: Any) -> str:
    """Return an end of a range, in the unit of its option."""
    return f"{'-' * (at < 0)}{show_span(abs(at), sample.tick).replace(',', '')}" if at else "0"


def _moved(spec: Sliding, low: int, high: int, *, named: int = 0) -> Cut:
    """Return the windows of `spec` with the events from begin + low to end + high; named ends are `named` later."""
    wide = Sliding(spec.range + high - low, spec.slide, spec.offset + low, spec.closed)

    def cut(events: list[Event]) -> Iterator[Window]:
        for window in split(wide, events):
            begin = window.a - low
            yield Window(begin, begin + spec.range + named, window.events)

    return cut


def _placed(begins: Callable[[int], Iterable[int]], length: int, events: list[Event]) -> Iterator[Window]:
    """Yield windows from a function that returns the begins for a time."""
    held: dict[int, list[Event]] = defaultdict(list)
    for e in events:
        for begin in begins(e.time):
            held[begin].append(e)
    for begin in sorted(held):
        yield Window(begin, begin + length, held[begin])


def _parted(sample: Sample, group: Callable[[Event], Any], events: list[Event]) -> Iterator[Window]:
    """Yield the windows of each group of a key's events separately."""
    groups: dict[Any, list[Event]] = defaultdict(list)
    for e in events:
        groups[group(e)].append(e)
    for mine in groups.values():
        yield from sample.split(sample.window, mine)


def _ends(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding | Calendar):
        for closed, words in _WORDS.items():
            if closed != window.closed and (isinstance(window, Sliding) or closed in ("left", "right")):
                spec = replace(window, closed=closed)  # type: ignore[arg-type]  # a key of _WORDS
                yield _other(sample, spec, words)
    if isinstance(window, Sliding):
        yield Edit("ends each window one tick too early", windows=_moved(window, 0, -1), bits=1.0)


def _panes(sample: Sample, *, longer: bool) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding) and window.slide < window.range:
        for steps in (1, 2):
            by = steps * window.slide * (1 if longer else -1)
            if window.range + by > 0:
                many = "a slide" if steps == 1 else f"{steps} slides"
                early, late = ("early", "late") if longer else ("late", "early")
                yield Edit(f"starts each window {many} too {early}", windows=_moved(window, -by, 0), bits=steps - 1.0)
                yield Edit(f"ends each window {many} too {late}", windows=_moved(window, 0, by), bits=steps - 1.0)


def _ranges(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    match window:
        case Sliding(length, slide):
            half = length // 2 or 1
            sizes = {(slide, slide): 0.0, (length, length): 0.0} | dict.fromkeys(
                ((half, slide), (2 * length, slide), (2 * length, length), (half, half), (2 * length, 2 * length)), 1.0
            )
            sizes = dict.fromkeys(_named(sample), 3.0) | sizes
            for (size, step), bits in sizes.items():
                if (size, step) != (length, slide) and size % step == 0 and size < 400 * step:
                    spec = replace(window, range=size, slide=step, offset=window.offset % step)
                    yield _other(sample, spec, bits=bits)
            unit = 1 if sample.tick is None else second(sample.tick)
            for less in {1, unit, 1000 if sample.tick == "us" else 1} if slide == length else ():
                for named, words in ((0, ""), (-less, ", and labels it so")) if less < length else ():
                    yield Edit(f"ends each window {show_span(less, sample.tick)} too early{words}", bits=1.0,
                               windows=_moved(window, 0, -less, named=named))  # fmt: skip
        case Calendar("day", length, slide):
            for size, step in ((1, 1), (7, 7), (length * 2, slide)):
                if (size, step) != (length, slide):
                    yield _other(sample, replace(window, range=size, slide=step), bits=1.0)
        case _:
            pass


def _named(sample: Sample) -> list[tuple[int, int]]:
    """Return the range and the slide of the windows that results name."""
    lengths = Counter(b - a for _, a, b in sample.results if a is not None and b is not None and b > a)
    step = gcd(*(b - a for a, b in pairwise(sorted({get_place(name) for name in sample.results}))))
    length = next((n for n, many in lengths.most_common(1) if many * 2 > len(sample.results)), step)
    return [(length, step)] if step else []


def _offsets(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding):
        offsets = {(window.offset + residue) % window.slide: 4.0 for residue in lags(sample)}
        day = 86_400 * second(sample.tick)
        if sample.tick is not None and window.slide % (7 * day) == 0:
            offsets |= {3 * day: 1.0, 4 * day: 1.0}  # from Sunday on, from Monday on
        offsets |= {0: 0.0} if window.offset else {}
        for offset, bits in offsets.items():
            if offset != window.offset:
                shown = show_span(offset, sample.tick).replace(",", "")
                clause = f"aligns windows to the epoch plus {shown}" if offset else "aligns windows to the epoch"
                yield _other(sample, replace(window, offset=offset), clause, bits=bits)
        first = min((e.time for e in sample.came), default=0)

        def from_first(events: list[Event], *, of_key: bool) -> Iterator[Window]:
            at = events[0].time if of_key and events else first
            return split(replace(window, offset=at % window.slide), events)

        yield Edit("aligns each key's windows to its first event", windows=partial(from_first, of_key=True), bits=1.0)
        yield Edit("aligns windows to the first event overall", windows=partial(from_first, of_key=False), whole=True,
                   bits=1.0)  # fmt: skip
    if isinstance(window, Calendar):
        for offset in range(1, 7) if window.slide > 1 else ():
            spec = replace(window, offset=(window.offset + offset) % window.slide)
            yield _other(sample, spec, f"starts windows {count_of(offset, window.unit)} later", bits=1.0)
        if window.unit == "day":
            day = 86_400 * window.second
            plain = Sliding(window.range * day, window.slide * day, window.offset * day)
            yield _other(sample, plain, "counts days of 24 hours from the epoch", bits=1.0)


def _zones(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Calendar):
        for zone in ("UTC", *zones_of(sample), *_FIXED):
            if zone != window.zone:
                other, bits = replace(window, zone=zone), 0.0 if zone == "UTC" else 3.0
                yield _other(sample, other, f"groups by {zone} {window.unit}s", bits=bits)
                yield Edit(f"groups by {zone} {window.unit}s, labelled with {window.zone} dates",
                           windows=partial(_by_dates, other, window), bits=bits + 1.0)  # fmt: skip
    if not isinstance(window, Sliding) or sample.tick is None:
        return
    tick = second(sample.tick)
    day = 86_400 * tick
    if window.slide % day == 0:
        for residue in lags(sample):
            if residue % (900 * tick) == 0:
                spec = replace(window, offset=(window.offset + residue) % window.slide)
                ahead = (-residue % day) / (3600 * tick)
                clause = f"aligns windows to UTC{ahead if ahead <= 14 else ahead - 24:+g}"
                yield _other(sample, spec, clause, bits=4.0)
    for zone in zones_of(sample):
        if window.slide % day == 0:
            for offset in {window.offset // day, 4 if window.slide == 7 * day else 0}:
                days = Calendar("day", window.range // day, window.slide // day, offset, zone, tick)
                yield _other(sample, days, f"groups by {zone} days", bits=3.0)
        elif window.slide == window.range:

            def begins(time: int, zone: str = zone) -> list[int]:
                ahead = zone_offset(zone, time // (900 * tick)) * tick - window.offset
                return [(time + ahead) // window.slide * window.slide - ahead]

            yield Edit(f"aligns windows to {zone} local time", windows=partial(_placed, begins, window.range), bits=3.0)


def _by_dates(made: Calendar, named: Calendar, events: list[Event]) -> Iterator[Window]:
    """Yield windows of one zone, named as the windows of another zone with the same dates."""
    for one in split(made, events):
        number = made.number(one.a + (made.closed == "right"))
        yield Window(named.start(number), named.start(number + made.range), one.events)


def _below_zero(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding) and any(e.time < 0 for e in sample.came):

        def begins(time: int) -> Iterator[int]:
            into = abs(time - window.offset) % window.slide * (1 if time >= window.offset else -1)
            return (time - into - back for back in range(0, window.range, window.slide))

        yield Edit("rounds the start of a window towards zero for negative times",
                   windows=partial(_placed, begins, window.range))  # fmt: skip


def _one_too_many(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding) and window.range % window.slide:
        for by in {window.range % window.slide, -window.range % window.slide}:
            shown = show_span(by, sample.tick)
            yield Edit(f"includes events up to {shown} before each window", windows=_moved(window, -by, 0))


def _renamed_ends(sample: Sample, spec: Session, tail: int) -> Cut:
    """Return sessions of `spec` whose named end is `tail` after their last event."""
    return lambda events: (Window(w.a, w.events[-1].time + tail, w.events) for w in sample.split(spec, events))


def _gaps(sample: Sample, *, touching: bool) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Session) and window.touching is not touching:
        spec = replace(window, touching=touching)
        words = f"{'joins' if touching else 'splits'} sessions at events exactly one gap apart"
        yield _other(sample, spec, words)
        yield Edit(f"{words}, and labels the end with the last event", bits=1.0,
                   windows=_renamed_ends(sample, spec, 0))  # fmt: skip


def _another_gap(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Session):
        factors = ((2, 1), (1, 2), (3, 1), (1, 3), (3, 2), (4, 1), (10, 1), (2, 3))
        for gap in {window.gap - 1, window.gap + 1, *(window.gap * n // d for n, d in factors)} - {0}:
            spec = replace(window, gap=gap)
            shown = show_span(gap, sample.tick).replace(",", "")
            yield _other(sample, spec, f"uses a session gap of {shown}", bits=2.0)
            yield Edit(f"uses a session gap of {shown}, labelled with the expected gap", bits=2.0,
                       windows=_renamed_ends(sample, spec, window.gap))  # fmt: skip


def _otherwise_parted(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if not isinstance(window, Session):
        return

    def run_from_first(events: list[Event]) -> Iterator[Window]:
        held: list[Event] = []
        for e in events:
            if held and e.time - held[0].time >= window.gap:
                yield Window(held[0].time, held[-1].time + window.gap, held)
                held = []
            held.append(e)
        yield Window(held[0].time, held[-1].time + window.gap, held)

    yield Edit("measures the gap from the session's first event", windows=run_from_first)
    for words, seconds in (("day", 86_400), ("hour", 3600)) if sample.tick is not None else ():
        span = seconds * second(sample.tick)
        yield Edit(f"ends sessions at the end of each {words}",
                   windows=partial(_parted, sample, partial(lambda n, e: e.time // n, span)))  # fmt: skip


def _at_batches(sample: Sample) -> Iterator[Edit]:
    if not isinstance(sample.window, Session) or not sample.numbered:
        return
    for i, column in enumerate(sample.columns):
        if all(isinstance(cell, int) for cell in sample.cells[i]):
            yield Edit(f"starts new sessions with each {column}", windows=partial(_parted, sample, cell_of(i)))
    for n in (10, 16, 20, 25, 32, 40, 50, 64, 100):
        if 3 * n < len(sample.came):
            yield Edit(f"starts new sessions after every {n} events", bits=3.0,
                       windows=partial(_parted, sample, partial(lambda n, e: e.arrival // n, n)))  # fmt: skip


def _by_column(sample: Sample) -> Iterator[Edit]:
    if isinstance(sample.window, Frame | Counted | Session):
        for i, column in enumerate(sample.columns):
            if 1 < len(sample.cells[i]) < len(sample.came):
                yield Edit(f"computes windows per {column}", windows=partial(_parted, sample, cell_of(i)))


def _frames(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Frame) and window.end is not None:
        for unit in {1, 1 if window.unit == "rows" else second(sample.tick) if sample.tick else 1}:
            for low, high in ((1, 0), (-1, 0), (0, -1), (0, 1), (-1, -1), (1, 1)):
                if window.start is not None or not low:
                    start = None if window.start is None else window.start + low * unit
                    yield _other(sample, replace(window, start=start, end=window.end + high * unit, to_row=False))


def _centred(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Frame) and isinstance(window.start, int) and window.end == 0 > window.start:
        for low in {-window.start // 2, (1 - window.start) // 2}:
            spec = replace(window, start=-low, end=-window.start - low, to_row=False)
            yield _other(sample, spec, "centres each frame on its row")


def _unbounded(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Frame):
        ends = replace(window, to_row=False)
        if window.start is not None:
            yield _other(sample, replace(window, start=None), "includes all earlier rows")
        yield _other(sample, replace(ends, end=None), "also includes all later rows")


def _rows_for_range(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if not isinstance(window, Frame) or window.unit != "range" or window.end != 0:
        return
    if not window.to_row:
        yield _other(sample, replace(window, to_row=True), "excludes later rows of equal time")
    if window.start is None:
        yield _other(sample, replace(window, unit="rows"), "uses ROWS instead of RANGE")
        return
    ticks = {1} if sample.tick is None else {1, *(n * second(sample.tick) for n in (1, 60, 3600, 86_400))}
    for unit in ticks:  # which a row may be confused with
        if window.start % unit == 0 and window.start > -10_000 * unit:
            for start in (window.start // unit, window.start // unit + 1):
                yield _other(sample, Frame("rows", start, 0), f"uses ROWS from {start} to 0", bits=1.0)


def _range_for_rows(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if not isinstance(window, Frame) or window.unit != "rows" or window.end is None:
        return
    if window.start is None:
        yield _other(sample, replace(window, unit="range"), "also includes later rows of equal time")


def _fullness(sample: Sample, *, full: bool) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Counted) and window.n == window.every and not full:

        def cut(events: list[Event]) -> Iterator[Window]:
            ordered = sorted(events, key=lambda e: e.arrival) if window.by_arrival else events
            for i in range(0, len(ordered), window.n):
                held = ordered[i : i + window.n]
                yield Window(i + 1, i + len(held), held)

        yield Edit("writes a last window of each key with too few events", windows=cut)
    if isinstance(window, Frame) and window.unit == "rows" and window.full is not full and window.start is not None:
        least = int((window.end or 0) - window.start) + 1
        words = "returns null until a frame is full" if full else "returns results before a frame is full"
        yield Edit(words, option=f"--window '{_show(replace(window, full=full), sample)}'", rows=lambda rows: {
            name: [Part(p.events, NULL if full and len(p.events) < least else None) for p in parts]
            for name, parts in rows.items()})  # fmt: skip


def _first_windows(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Sliding) and window.slide < window.range:
        firsts = {key: events[0].time for key, events in sample.events.items() if events}
        yield Edit("omits windows that start before the key's first event", rows=lambda rows: {
            n: p for n, p in rows.items() if end_of(sample, n) - window.range >= firsts.get(n[0], 0)})  # fmt: skip
    for n in (1, 2, 3):
        yield Edit(f"omits the first {count_of(n, 'window')} of each key", bits=n - 1.0, rows=partial(_trim, first=n))


def _trim(rows: Predicted, *, first: int = 0, last: int = 0) -> Predicted:
    of: dict[str, list[Name]] = defaultdict(list)
    for name in sorted(rows, key=get_place):
        of[name[0]].append(name)
    return {name: rows[name] for mine in of.values() for name in mine[first : len(mine) - last]}


def _last_windows(sample: Sample) -> Iterator[Edit]:
    lasts = {key: events[-1].time for key, events in sample.events.items() if events}
    latest = max(lasts.values(), default=0)
    for n in (1, 2):
        yield Edit(f"omits the last {count_of(n, 'window')} of each key", bits=n - 1.0, rows=partial(_trim, last=n))
    for words, whole in (
        (("of its key", False), ("overall", True)) if not isinstance(sample.window, Frame | Counted) else ()
    ):

        def over(rows: Predicted, whole: bool = whole) -> Predicted:
            last = dict.fromkeys(lasts, latest) if whole else lasts
            return {name: parts for name, parts in rows.items() if end_of(sample, name) <= last.get(name[0], 0)}

        yield Edit(f"omits windows that end after the last event {words}", whole=whole, rows=over)


def end_of(sample: Sample, name: Name) -> int:
    """Return the end of a window, by its name."""
    if name[2] is not None:
        return name[2]
    window, a = sample.window, name[1] or 0
    if isinstance(window, Calendar):
        return window.start(window.number(a + (window.closed == "right")) + window.range)
    return a + (window.range if isinstance(window, Sliding) else 0)


def _order(sample: Sample, *, by_arrival: bool) -> Iterator[Edit]:
    window = sample.window
    if isinstance(window, Counted) and window.by_arrival is not by_arrival:
        words = "arrival order" if by_arrival else "time order"
        yield _other(sample, replace(window, by_arrival=by_arrival), f"counts events in {words}")
    if isinstance(window, Frame) and window.unit == "rows" and by_arrival and sample.numbered:

        def cut(events: list[Event]) -> Iterator[Window]:
            ordered = sorted(events, key=lambda e: e.arrival)
            for e, (i, j) in zip(ordered, window.bounds(range(len(ordered))), strict=True):
                yield Window(e.time, e.arrival, ordered[i:j])

        yield Edit("takes rows in arrival order", windows=cut)


_DYNAMIC: Final = "Polars: DataFrame.group_by_dynamic, closed, label and start_by"
_RESAMPLE: Final = "pandas: DataFrame.resample, closed, label, origin and offset"
_SPARK_SESSION: Final = "Apache Spark: Structured Streaming Programming Guide, Session Window"
_COUNTS: Final = "Apache Flink: Windows, Count Windows"
_BORDER, _SESSION = Family.BORDER, Family.SESSION

WINDOWS: Final = (
    Row("ends", "Each window includes or excludes the wrong end.", _BORDER, _RESAMPLE, _ends),
    Row("a pane short", "Each window starts a slide too late, or ends one too early.", _BORDER, _DYNAMIC,
        partial(_panes, longer=False)),
    Row("a pane long", "Each window starts a slide too early, or ends one too late.", _BORDER, "bytewax/bytewax#485",
        partial(_panes, longer=True)),
    Row("another range", "Windows have another length: tumbling for sliding, half or twice as long.", _BORDER,
        _DYNAMIC, _ranges),
    Row("windows moved", "Windows start at another offset, origin or day of the week.", _BORDER, _RESAMPLE,
        _offsets),
    Row("time zone", "Times, windows or window labels use another time zone, or mistake the hour that clocks repeat.",
        Family.ZONE, "TimescaleDB: time_bucket(), timezone", _zones),
    Row("remainder below zero", "The start of a window is rounded towards zero for negative times.", _BORDER,
        "apache/flink#18982", _below_zero),
    Row("one window too many", "Events just before a sliding window count in it.", _BORDER,
        "bytewax/bytewax#485", _one_too_many),
    Row("gap inclusive", "Events exactly one gap apart are one session.", _SESSION,
        "hazelcast/hazelcast-jet#1152", partial(_gaps, touching=True)),
    Row("gap exclusive", "Events exactly one gap apart are two sessions, although touching sessions should join.",
        _SESSION, _SPARK_SESSION, partial(_gaps, touching=False)),
    Row("another gap", "Sessions use another gap.", _SESSION, _SPARK_SESSION, _another_gap),
    Row("sessions parted otherwise", "Sessions are split by a rule other than the gap.",
        _SESSION, "Apache Flink: Windows, Session Windows", _otherwise_parted),
    Row("cut at a batch", "Each batch starts a new session.", _SESSION, "laminardb/laminardb#79", _at_batches),
    Row("parted by another column", "Frames, counts or sessions are computed per value of another column.",
        Family.RETRY, "AstroVela/vane#281", _by_column),
    Row("frame off by one", "A frame starts or ends a row, or a tick, too early or too late.", _BORDER,
        "duckdb/duckdb#13598", _frames),
    Row("frame centred", "A frame is centred on its row.", _BORDER, "pandas: DataFrame.rolling, center", _centred),
    Row("frame unbounded", "A frame with a start or an end is treated as unbounded.", _BORDER,
        "ibis-project/ibis#1537", _unbounded),
    Row("ROWS for RANGE", "Later rows of equal time are excluded; or n rows are used instead of n units of time.",
        Family.TIES, "questdb/questdb#5177", _rows_for_range),
    Row("RANGE for ROWS", "Later rows of equal time are included, as by the default frame of SQL.",
        Family.TIES, "PostgreSQL: Window Function Calls, default frame", _range_for_rows),
    Row("null until full", "The result is null until a frame is full.", _BORDER,
        "pandas: DataFrame.rolling, min_periods", partial(_fullness, full=True)),
    Row("answered before full", "A frame or a count window has a result before it is full.", _BORDER,
        "pandas: DataFrame.rolling, min_periods", partial(_fullness, full=False)),
    Row("first windows left out", "Windows that start before the first event, or are not full, have no result.",
        _BORDER, _DYNAMIC, _first_windows),
    Row("last windows left out", "The last windows are not written.", _BORDER,
        "Apache Kafka Streams: Developer Guide, Suppression", _last_windows),
    Row("arrival order", "Events are processed in arrival order.", Family.TIES,
        "pandas: DataFrame.rolling, on", partial(_order, by_arrival=True)),
    Row("time order", "Events are counted in time order instead of arrival order.", Family.TIES,
        _COUNTS, partial(_order, by_arrival=False)),
)  # fmt: skip
"""The rows of the slot `windows`."""
