"""What a job may have taken for the days and months of a zone, and for its clocks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from swagproof.models.windows.kinds import Calendar, Ends, Sliding, find_zone
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Sample, Window
from swagproof.pipeline.audit.causes.tried.extents.slides import move_times

_ZONES: Final = (
    "UTC", "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago", "America/Los_Angeles",
    "America/Sao_Paulo", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip
"""Zones that servers and people are in."""
_EPOCH: Final = datetime(1970, 1, 1)  # on the clocks that are meant
_SECOND: Final = timedelta(seconds=1)


def list_calendars(sample: Sample) -> Iterator[Hypothesis]:
    """Units of another zone, without summer time, or counted from elsewhere; and clocks that are put forward."""
    match sample.window:
        case Calendar() as window:
            yield from _list_units(sample, window)
            yield from _list_clocks(sample, window)
        case Sliding() if sample.tick is not None:
            yield from _list_readings(sample, 1_000_000 if sample.tick == "us" else 1_000_000_000)
        case _:
            pass


def _list_units(sample: Sample, window: Calendar) -> Iterator[Hypothesis]:
    def with_windows(cause: str, why: str, other: Calendar, say: str = "") -> Hypothesis:
        return Hypothesis(cause, why, windows=partial(sample.split, other), say=say)

    for zone in _ZONES:
        if zone != window.zone:
            why = f"its {window.unit}s are those of {zone}"
            yield with_windows("time zone", why, replace(window, zone=zone), f"in {zone} in --window")
    closed: Ends = "right" if window.closed == "left" else "left"
    say, other = f"closed {closed} in --window", replace(window, closed=closed)
    yield with_windows("ends", f"its windows are closed at the {closed}", other, say)
    for by in range(1, min(window.slide, 12)):
        why = f"its windows begin {by} {window.unit}s later"
        yield with_windows("windows moved", why, replace(window, offset=(window.offset + by) % window.slide))
    if window.unit == "day" and window.range > 1:
        day = 86_400 * window.second
        for days in [sign * n for n in range(1, min(window.range, 7)) for sign in (1, -1)]:
            moved = partial(_shift_windows, sample, days * day)
            why = (
                f"its windows begin {abs(days)}d {'earlier' if days > 0 else 'later'}, and are named as those asked for"
            )
            yield Hypothesis("windows moved", why, windows=moved, bits=1.0)
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


def _shift_windows(sample: Sample, by: int, events: list[Event]) -> Iterator[Window]:
    """The windows of later events, with these as they are."""
    moved = {e.arrival: e for e in events}
    for w in sample.split(sample.window, [e._replace(time=e.time + by) for e in events]):
        yield Window(w.a, w.b, [moved[e.arrival] for e in w.events])


def _list_clocks(sample: Sample, window: Calendar) -> Iterator[Hypothesis]:
    hour = 3600 * window.second
    for hours in (*range(-12, 0), *range(1, 15)):
        why = f"counts events {abs(hours)}h {'later' if hours > 0 else 'earlier'} than they were"
        yield move_times(hours * hour, "time zone", f"{why}, as in another time zone")
    for sign, said in ((-1, "winter time all year"), (1, "an hour of summer time too many")):
        summer = partial(_add_summer, find_zone(window.zone), window.second, sign)
        yield _retime("time zone", f"counts events by {said}", summer)
    own, second = find_zone(window.zone), window.second
    for zone in _ZONES:
        other = find_zone(zone)
        if zone != window.zone:
            why = f"its {window.unit}s are those of {zone}, and are written as dates"
            yield _retime("time zone", why, partial(_read_dates, own, other, second))
            if _list_changes(sample, other, second) - _list_changes(sample, own, second):
                why = f"puts its clocks forward when {zone} does"
                yield _retime("time zone", why, partial(_exchange_summer, own, other, second))
    why = f"reads UTC as the clocks of {window.zone}, and writes dates of UTC"
    yield _retime("time zone", why, lambda t: _read_clock(own, second, _read_clock(own, second, t)))
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
    for zone in _ZONES:
        own = find_zone(zone)
        offsets = frozenset((t, _show_clock(own, second, t) - t) for t in _list_changes(sample, own, second))
        if not offsets or offsets in known:
            continue
        known.add(offsets)
        for sign, said in ((1, f"reads the clocks of {zone} as UTC"), (-1, f"reads UTC as the clocks of {zone}")):

            def read(t: int, sign: int = sign, own: ZoneInfo = own) -> int:
                return _show_clock(own, second, t) if sign > 0 else _read_clock(own, second, t)

            yield _retime("time zone", f"{said}, and counts events so", read)
            renamed = partial(_rename, read)
            yield Hypothesis("time zone", f"{said}, and names windows so", results=renamed)


def _rename(read: Callable[[int], int], found: Foretold) -> Foretold:
    return {
        (key, None if a is None else read(a), None if b is None else read(b)): parts
        for (key, a, b), parts in found.items()
    }


def _retime(cause: str, why: str, change: Callable[[int], int]) -> Hypothesis:
    """Events at other times."""

    def events(all_: Events) -> Events:
        return {
            key: sorted([e._replace(time=change(e.time)) for e in es], key=lambda e: e[:2]) for key, es in all_.items()
        }

    return Hypothesis(cause, why, events=events)


def _take_24_hours(sample: Sample, window: Calendar, day: int, named: bool, events: list[Event]) -> Iterator[Window]:
    """The days with the events of 24 hours from their midnight on, called by their ends or by these."""
    begins = {start for w in sample.split(window, events) for start in (w.a, window.start(window.number(w.a) - 1))}
    for a in sorted(begins):
        held = [e for e in events if a <= e.time < a + day]
        if held:
            yield Window(a, a + day if named else window.start(window.number(a) + 1), held)


def _add_summer(zone: ZoneInfo, second: int, sign: int, time: int) -> int:
    return time + sign * _find_summer(zone, second, time)


def _exchange_summer(own: ZoneInfo, other: ZoneInfo, second: int, time: int) -> int:
    return time - _find_summer(own, second, time) + _find_summer(other, second, time)


def _read_dates(own: ZoneInfo, other: ZoneInfo, second: int, time: int) -> int:
    """When the clocks of the own zone show what those of the other one show at a time."""
    return _read_clock(own, second, _show_clock(other, second, time))


def _find_summer(zone: ZoneInfo, second: int, time: int) -> int:
    at = datetime.fromtimestamp(time // second, zone)
    return int((at.dst() or timedelta()).total_seconds()) * second


def _show_clock(zone: ZoneInfo, second: int, time: int) -> int:
    """What the clocks of a zone show at a time, as the time at which those of UTC do."""
    at = datetime.fromtimestamp(time // second, zone)
    return time + int((at.utcoffset() or timedelta()).total_seconds()) * second


def _read_clock(zone: ZoneInfo, second: int, shown: int) -> int:
    """When the clocks of a zone show what those of UTC do at a time, the earlier of two."""
    at = (_EPOCH + shown // second * _SECOND).replace(tzinfo=zone)
    return shown - int((at.astimezone(UTC).replace(tzinfo=None) - at.replace(tzinfo=None)) / -_SECOND) * second


def _list_changes(sample: Sample, zone: ZoneInfo, second: int) -> frozenset[int]:
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
