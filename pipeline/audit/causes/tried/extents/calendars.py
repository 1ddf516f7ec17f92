"""What a job may have taken for the days and months of a zone, and for its clocks."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import partial
from itertools import groupby
from math import log2
from typing import Final
from zoneinfo import ZoneInfo

from swagproof.models.windows.kinds import Calendar, Ends, Session, Sliding, find_zone
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Sample, Window
from swagproof.pipeline.audit.causes.spans import DAYS, get_second
from swagproof.pipeline.audit.causes.tried.extents.slides import move_times

ZONES: Final = (
    "UTC", "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago", "America/Los_Angeles",
    "America/Sao_Paulo", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip
"""Zones that servers and people are in."""
_CHOICE: Final = log2(len(ZONES))
"""Bits of which zone it is: one that is fixed, or that the window names, goes before."""
_EPOCH: Final = datetime(1970, 1, 1)  # on the clocks that are meant
_SECOND: Final = timedelta(seconds=1)


def list_calendars(sample: Sample) -> Iterator[Hypothesis]:
    """Units of another zone, without summer time, or counted from elsewhere; and clocks that are put forward."""
    match sample.window:
        case Calendar() as window:
            yield from _list_units(sample, window)
            yield from _list_clocks(sample, window)
        case Sliding() | Session() if sample.tick is not None:
            second = get_second(sample.tick)
            yield from _list_repeated(sample, second)
            if isinstance(sample.window, Sliding):
                yield from _list_readings(sample, second)
        case _:
            pass


def _list_units(sample: Sample, window: Calendar) -> Iterator[Hypothesis]:
    def with_windows(cause: str, why: str, other: Calendar, say: str = "") -> Hypothesis:
        return Hypothesis(cause, why, windows=partial(sample.split, other), say=say)

    for zone in ZONES:
        if zone != window.zone:
            why = f"its {window.unit}s are those of {zone}"
            yield with_windows("time zone", why, replace(window, zone=zone), f"in {zone} in --window")
    closed: Ends = "right" if window.closed == "left" else "left"
    say, other = f"closed {closed} in --window", replace(window, closed=closed)
    yield with_windows("ends", f"its windows are closed at the {closed}", other, say)
    for by in range(1, min(window.slide, 12)):
        offset = (window.offset + by) % window.slide
        why = f"its windows begin {by} {window.unit}s later"
        if window.unit == "day" and window.range == window.slide == 7:
            why = f"its weeks begin on {DAYS[offset]}, and not on {DAYS[window.offset % 7]}"
        yield with_windows("windows moved", why, replace(window, offset=offset))
    if window.unit == "day" and window.range > 1:
        for days in [sign * n for n in range(1, min(window.range, 7)) for sign in (1, -1)]:
            moved = partial(_shift_windows, sample, window, days)
            why = (
                f"its windows begin {abs(days)}d {'earlier' if days > 0 else 'later'}, and are named as those asked for"
            )
            yield Hypothesis("windows moved", why, windows=moved, bits=1.0)
    if window.unit == "day" and window.range == window.slide == 7:
        parted = partial(_part_years, sample, window)
        why = "parts the week over the turn of a year in two: it goes by the year and the number of the week in it"
        yield Hypothesis("windows by another formula", why, windows=parted)
        why = "goes by the calendar's year and the week's number by ISO, whose year is another at its turn"
        yield _retime("windows by another formula", why, partial(_mix_years, find_zone(window.zone), window.second))
    if window.unit == "month" and window.range == window.slide == 1:
        months = partial(_count_months, window)
        why = "takes thirty days for a month, from the begin of each year on"
        yield Hypothesis("windows by another formula", why, windows=months)
    for cause, why, n in (("a pane short", "short", -1), ("a pane long", "long", 1)):
        if window.range + n > 0:

            def longer(events: list[Event], n: int = n) -> Iterator[Window]:
                for w in sample.split(replace(window, range=window.range + n), events):
                    end = window.start(window.number(w.a + (window.closed == "right")) + window.range)
                    yield Window(w.a, end, w.events)

            yield Hypothesis(cause, f"its windows are one {window.unit} too {why}", windows=longer)


def _part_years(sample: Sample, window: Calendar, events: list[Event]) -> Iterator[Window]:
    """Each week once for each year that it has days of."""
    zone = find_zone(window.zone)
    for w in sample.split(window, events):
        for _, those in groupby(w.events, key=lambda e: datetime.fromtimestamp(e.time // window.second, zone).year):
            yield Window(w.a, w.b, list(those))


def _mix_years(zone: ZoneInfo, second: int, time: int) -> int:
    """A time in the week of the same number by ISO, but of the calendar's year."""
    day = datetime.fromtimestamp(time // second, zone).date()
    year, week, weekday = day.isocalendar()
    try:
        other = day if year == day.year else day.fromisocalendar(day.year, week, weekday)
    except ValueError:  # it has no such week
        return time
    return time + (other - day).days * 86_400 * second


def _count_months(window: Calendar, events: list[Event]) -> Iterator[Window]:
    """Months that are thirty days each, from the begin of a year on; what is left is December's."""
    held: dict[int, list[Event]] = {}
    for e in events:
        number = window.number(e.time)
        first = number - number % 12
        day = (e.time - window.start(first)) // (86_400 * window.second)
        held.setdefault(first + min(11, day // 30), []).append(e)
    for number, those in sorted(held.items()):
        yield Window(window.start(number), window.start(number + 1), those)


def _shift_windows(sample: Sample, window: Calendar, days: int, events: list[Event]) -> Iterator[Window]:
    """The windows of the days that are so many later on the calendar, however many hours each has."""
    moved = {e.arrival: e for e in events}
    first = window.closed == "right"  # the first tick of a day
    late = [e._replace(time=window.start(window.number(e.time) + days) + first) for e in events]
    for w in sample.split(window, late):
        yield Window(w.a, w.b, [moved[e.arrival] for e in w.events])


def _list_clocks(sample: Sample, window: Calendar) -> Iterator[Hypothesis]:
    hour = 3600 * window.second
    for hours in (*range(-12, 0), *range(1, 15)):
        why = f"counts events {abs(hours)}h {'later' if hours > 0 else 'earlier'} than they were"
        yield move_times(hours * hour, "time zone", f"{why}, as in another time zone")
    own, second = find_zone(window.zone), window.second
    for hours in _list_offsets(sample, own, second):
        always = timezone(timedelta(hours=hours))
        read = partial(_read_dates, own, always, second)
        yield _retime("time zone", f"counts events by clocks of {always} all year", read)
    summer = partial(_add_summer, own, second)
    yield _retime("time zone", "counts events by an hour of summer time too many", summer)
    for zone in ZONES:
        other = find_zone(zone)
        if zone != window.zone:
            why = f"its {window.unit}s are those of {zone}, and are written as dates"
            yield _retime("time zone", why, partial(_read_dates, own, other, second), _CHOICE)
            if list_changes(sample, other, second) - list_changes(sample, own, second):
                why = f"puts its clocks forward when {zone} does"
                yield _retime("time zone", why, partial(_exchange_summer, own, other, second), _CHOICE)
    why = f"reads UTC as the clocks of {window.zone}, and writes dates of UTC"
    yield _retime("time zone", why, lambda t: read_clock(own, second, read_clock(own, second, t)))
    if window.unit == "day" and window.range == window.slide == 1 and window.closed == "left":
        for named in (False, True):
            fixed = partial(_take_24_hours, sample, window, 24 * hour, named)
            why = "takes 24 hours from midnight on for a day, where it has 23 or 25"
            yield Hypothesis("time zone", why + (", and names it so" if named else ""), windows=fixed)
    for step in (-1, 1):
        yield move_times(step, "ends", f"counts events a tick {'later' if step > 0 else 'earlier'} than they were")


def _list_readings(sample: Sample, second: int) -> Iterator[Hypothesis]:
    """Times of a zone's clocks read as UTC, or the other way, where these are changed: else it is so many hours."""
    known: set[frozenset[tuple[int, int]]] = set()
    for zone in ZONES:
        own = find_zone(zone)
        offsets = frozenset((t, show_clock(own, second, t) - t) for t in list_changes(sample, own, second))
        if not offsets or offsets in known:
            continue
        known.add(offsets)
        for sign, said in ((1, f"reads the clocks of {zone} as UTC"), (-1, f"reads UTC as the clocks of {zone}")):

            def read(t: int, sign: int = sign, own: ZoneInfo = own) -> int:
                return show_clock(own, second, t) if sign > 0 else read_clock(own, second, t)

            yield _retime("time zone", f"{said}, and counts events so", read, _CHOICE)
            renamed = partial(_rename, read)
            yield Hypothesis("time zone", f"{said}, and names windows so", results=renamed, bits=_CHOICE)


def _list_repeated(sample: Sample, second: int) -> Iterator[Hypothesis]:
    """Times that were written by a zone's clocks, without an offset: an hour is there twice when these are put back."""
    times = {e.time for events in sample.events.values() for e in events}
    zones: dict[frozenset[tuple[int, int]], list[str]] = {}
    for zone in ZONES:
        own = find_zone(zone)
        for fold in (0, 1) if list_changes(sample, own, second) else ():
            read = ((t, read_clock(own, second, show_clock(own, second, t), fold)) for t in times)
            moved = frozenset((t, other) for t, other in read if t != other)
            if moved:
                zones.setdefault(moved, []).append(zone)
    for moved, names in zones.items():
        to = dict(moved)
        first = min(to.values()) < min(to)
        said = f"the hour that is there twice on the clocks of {' or '.join(names)}"
        why = f"takes {said} for its {'first' if first else 'second'} pass each time"
        yield _retime("time zone", why, partial(_look_up, to), _CHOICE)
        gone = partial(_leave_out, frozenset(to))
        why = f"leaves out events of {said}, of its {'second' if first else 'first'} pass"
        yield Hypothesis("some times left out", why, events=gone, filters=True, bits=_CHOICE)
    if len(zones) == 2:
        both = frozenset(t for moved in zones for t, _ in moved)
        why = f"leaves out events of the hour that is there twice on the clocks of {' or '.join(min(zones.values()))}"
        gone = partial(_leave_out, both)
        yield Hypothesis("some times left out", why, events=gone, filters=True, bits=_CHOICE)


def _look_up(to: Mapping[int, int], time: int) -> int:
    return to.get(time, time)


def _leave_out(times: Collection[int], all_: Events) -> Events:
    return {key: [e for e in es if e.time not in times] for key, es in all_.items()}


def _rename(read: Callable[[int], int], found: Foretold) -> Foretold:
    return {
        (key, None if a is None else read(a), None if b is None else read(b)): parts
        for (key, a, b), parts in found.items()
    }


def _retime(cause: str, why: str, change: Callable[[int], int], bits: float = 0.0) -> Hypothesis:
    """Events at other times."""

    def events(all_: Events) -> Events:
        return {
            key: sorted([e._replace(time=change(e.time)) for e in es], key=lambda e: e[:2]) for key, es in all_.items()
        }

    return Hypothesis(cause, why, events=events, bits=bits)


def _take_24_hours(sample: Sample, window: Calendar, day: int, named: bool, events: list[Event]) -> Iterator[Window]:
    """The days with the events of 24 hours from their midnight on, called by their ends or by these."""
    begins = {start for w in sample.split(window, events) for start in (w.a, window.start(window.number(w.a) - 1))}
    for a in sorted(begins):
        held = [e for e in events if a <= e.time < a + day]
        if held:
            yield Window(a, a + day if named else window.start(window.number(a) + 1), held)


def _add_summer(zone: ZoneInfo, second: int, time: int) -> int:
    return time + _find_summer(zone, second, time)


def _list_offsets(sample: Sample, zone: ZoneInfo, second: int) -> list[float]:
    """How many hours the clocks of a zone are ahead of UTC, in winter and in summer, where these are not the same."""
    first = min((events[0].time for events in sample.events.values() if events), default=0)
    year = datetime.fromtimestamp(first // second, zone).year
    halves = (datetime(year, month, 1, tzinfo=zone).utcoffset() or timedelta() for month in (1, 7))
    offsets = sorted({half / timedelta(hours=1) for half in halves})
    return offsets if len(offsets) > 1 else []


def _exchange_summer(own: ZoneInfo, other: ZoneInfo, second: int, time: int) -> int:
    return time - _find_summer(own, second, time) + _find_summer(other, second, time)


def _read_dates(own: tzinfo, other: tzinfo, second: int, time: int) -> int:
    """When the clocks of the own zone show what those of the other one show at a time."""
    return read_clock(own, second, show_clock(other, second, time))


def _find_summer(zone: ZoneInfo, second: int, time: int) -> int:
    at = datetime.fromtimestamp(time // second, zone)
    return int((at.dst() or timedelta()).total_seconds()) * second


def show_clock(zone: tzinfo, second: int, time: int) -> int:
    """What the clocks of a zone show at a time, as the time at which those of UTC do."""
    at = datetime.fromtimestamp(time // second, zone)
    return time + int((at.utcoffset() or timedelta()).total_seconds()) * second


def read_clock(zone: tzinfo, second: int, shown: int, fold: int = 0) -> int:
    """When the clocks of a zone show what those of UTC do at a time, the earlier of two; where folded the later."""
    at = (_EPOCH + shown // second * _SECOND).replace(tzinfo=zone, fold=fold)
    return shown - int((at.astimezone(UTC).replace(tzinfo=None) - at.replace(tzinfo=None)) / -_SECOND) * second


def list_changes(sample: Sample, zone: ZoneInfo, second: int) -> frozenset[int]:
    """The midnights of UTC, among those of the events, before which clocks of a zone were changed the day before."""
    times = [e.time // second for events in sample.events.values() for e in (events[:1] + events[-1:])]
    day = 86_400
    midnights = range(min(times, default=0) // day * day, max(times, default=0) + day, day)
    if len(midnights) > _DAYS:
        midnights = range(midnights[0], midnights[-1] + 1, (len(midnights) // _DAYS + 1) * day)
    offsets = [datetime.fromtimestamp(at, zone).utcoffset() for at in midnights]
    return frozenset(
        at * second for at, before, after in zip(midnights[1:], offsets, offsets[1:], strict=False) if before != after
    )


_DAYS: Final = 800
"""How many days are looked at for a change of clocks."""
