"""The table of clocks: changes to the times of events, by a zone, a shift, a unit or rounding."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding, find_zone
from swagproof.pipeline.audit.diagnosis.hypothesis import (
    Edit,
    Family,
    Row,
    repeat_events,
    replace_events,
)
from swagproof.pipeline.audit.diagnosis.readings import Sums, bad_cells, second, spans
from swagproof.pipeline.audit.diagnosis.sample import Events, Sample
from swagproof.pipeline.audit.wording import format_time, show_span

ZONES: Final = (
    "America/New_York", "Europe/Berlin", "Europe/London", "America/Chicago", "America/Los_Angeles", "Asia/Kolkata",
    "Asia/Tokyo", "Asia/Shanghai", "America/Sao_Paulo", "Australia/Sydney",
)  # fmt: skip
"""The zones of which some are tried: populous ones with different rules."""

_DAYS: Final = ("Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_QUARTER: Final = 900
_FAR: Final = 200 * 366 * 86_400


@cache
def zone_offset(zone: str, quarter: int) -> int:
    """Return the seconds by which a zone's clocks are ahead of UTC in a quarter of an hour."""
    at = _EPOCH + timedelta(seconds=quarter * _QUARTER)
    return int((at.astimezone(find_zone(zone)).utcoffset() or timedelta()).total_seconds())


@cache
def utc_of_clock(zone: str, quarter: int, fold: int) -> int:
    """Return the seconds by which UTC is behind a zone's clock that shows this quarter of an hour."""
    shown = (_EPOCH + timedelta(seconds=quarter * _QUARTER)).replace(tzinfo=find_zone(zone), fold=fold)
    return int((shown.utcoffset() or timedelta()).total_seconds())


def _near(sample: Sample) -> bool:
    """Return whether times are clock times, in years for which time zones have rules."""
    if sample.tick is None or not sample.came:
        return False
    return all(abs(e.time) < _FAR * second(sample.tick) for e in sample.came)


def zones_of(sample: Sample) -> list[str]:
    """Return the zones to try, first those that differ in this time, including the window's own."""
    own = [sample.window.zone] if isinstance(sample.window, Calendar) and sample.window.zone != "UTC" else []
    unit = second(sample.tick) * _QUARTER
    times = sorted(e.time for e in sample.came)
    seen: dict[tuple[int, ...], str] = {}
    for zone in (*own, *ZONES):
        seen.setdefault(tuple(zone_offset(zone, t // unit) for t in times[:: max(1, len(times) // 50)]), zone)
    return list(seen.values())


def retime(at: Callable[[int], int]) -> Callable[[Events], Events]:
    """Return a function that changes the times of events."""
    return replace_events(lambda e: e._replace(time=at(e.time)))


def _zones(sample: Sample) -> Iterator[Edit]:
    tick = second(sample.tick)
    bits = log2(len(ZONES))
    for zone in zones_of(sample) if _near(sample) else ():
        ahead = partial(_ahead, zone, tick)
        yield Edit(f"reads {zone} local times as UTC", events=retime(partial(lambda f, t: t + f(t), ahead)), bits=bits)
        for fold in (0, 1):
            behind = partial(_behind, zone, tick, fold)
            yield Edit(
                f"reads UTC times as {zone} local times",
                events=retime(partial(lambda f, t: t - f(t), behind)),
                bits=bits + fold,
            )


def _ahead(zone: str, tick: int, time: int) -> int:
    return zone_offset(zone, time // (tick * _QUARTER)) * tick


def _behind(zone: str, tick: int, fold: int, time: int) -> int:
    return utc_of_clock(zone, time // (tick * _QUARTER), fold) * tick


def _changes(sample: Sample) -> dict[int, tuple[str, int]]:
    """Return the moments at which clocks are put back, each with a zone that does so, and the number of ticks."""
    tick, day = second(sample.tick), 96
    times = [e.time // (tick * _QUARTER) for e in sample.came]
    found: dict[int, tuple[str, int]] = {}
    for zone in ("America/New_York", "Europe/Berlin", "America/Chicago", "America/Los_Angeles", "Australia/Sydney"):
        for begin in range(min(times) - day, min(max(times) + day, min(times) + 800 * day), day):
            if zone_offset(zone, begin) > zone_offset(zone, begin + day):
                last = next(q for q in range(begin, begin + day) if zone_offset(zone, q) > zone_offset(zone, q + 1))
                by = zone_offset(zone, last) - zone_offset(zone, last + 1)
                found.setdefault((last + 1) * _QUARTER * tick, (zone, by * tick))
    return found


def _hour_twice(sample: Sample) -> Iterator[Edit]:
    for at, (zone, by) in (_changes(sample) if _near(sample) else {}).items():
        hour = show_span(by, sample.tick)
        for which, low in (("first", at - by), ("second", at)):
            said = f"the {which} pass of the hour that {zone} repeats"
            for sign, word in ((1, "later"), (-1, "earlier")):
                move = retime(partial(lambda low, by, sign, t: t + sign * by * (low <= t < low + by), low, by, sign))
                yield Edit(f"counts events of {said} {hour} {word}", bits=3.0, events=move)
        both = repeat_events(partial(lambda at, by, e: 1 + (at - by <= e.time < at + by), at, by))
        yield Edit(f"double-counts events of the hour that {zone} repeats", bits=3.0, events=both)


def _moved(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    shifts: dict[int, float] = {1: 0.0}
    if isinstance(window, Sliding):
        shifts |= {window.slide: 1.0, window.range: 1.0}
    if sample.tick is None:
        shifts |= dict.fromkeys((2, 3, 4, 5), 2.0)
    else:
        quarter = _QUARTER * second(sample.tick)
        quarters = (2, 4, 8, 12, 16, 18, 20, 22, 24, 28, 32, 36, 40, 44, 48)
        shifts = {second(sample.tick): 2.0} | dict.fromkeys((n * quarter for n in quarters), 4.0) | shifts
    for by, bits in shifts.items():
        for sign, word in ((1, "later"), (-1, "earlier")):
            yield Edit(f"moves event times {show_span(by, sample.tick)} {word}", bits=bits,
                       events=retime(partial(lambda by, t: t + by, sign * by)))  # fmt: skip


def _to_unit(sample: Sample, *, rounds: bool) -> Iterator[Edit]:
    times = [e.time for e in sample.came]
    for unit in spans(sample.tick):
        if 4 * unit <= max(times, default=0) - min(times, default=0):  # otherwise all events have one time
            half = unit // 2 if rounds else 0
            yield Edit(f"{'rounds' if rounds else 'truncates'} times to {show_span(unit, sample.tick)}", bits=2.0,
                       events=retime(partial(lambda u, half, t: (t + half) // u * u, unit, half)))  # fmt: skip


def _hours(sample: Sample, *, twice: bool) -> Iterator[Edit]:
    does, often = ("double-counts", 2) if twice else ("drops", 0)

    def of(words: str, those: Callable[[int], bool], bits: float, needs: int = 2) -> Iterator[Edit]:
        if not all(those(e.time) for e in sample.came):
            yield Edit(f"{does} events {words}", filters=not twice, bits=bits, needs=needs,
                       events=repeat_events(lambda e: often if those(e.time) else 1))  # fmt: skip

    if _near(sample):
        hour = 3600 * second(sample.tick)
        for words, unit, n in (("hours", hour, 24), ("days", 24 * hour, 7)):
            cells = sorted(bad_cells(sample, partial(lambda unit, n, e: e.time // unit % n, unit, n))[0])
            for some in (cells, cells[1:], cells[:-1]):  # the first and the last may hold only suspects by chance
                if 0 < len(some) <= n // 2:
                    shown = ", ".join(str(c) if n == 24 else _DAYS[c] for c in some)
                    those = partial(lambda u, n, c, t: t // u % n in c, unit, n, frozenset(some))
                    yield from of(f"{'in' if n == 24 else 'on'} the UTC {words} {shown}", those, 5.0, 3)
    if isinstance(sample.window, Sliding):
        slide, offset = sample.window.slide, sample.window.offset
        yield from of("exactly at the start of a window", lambda t: (t - offset) % slide == 0, 1.0)
        for unit in spans(sample.tick):
            if unit != slide and (slide % unit == 0 or unit % slide == 0) and unit < 20 * slide:
                yield from of(
                    f"exactly at each full {show_span(unit, sample.tick)}", partial(lambda u, t: t % u == 0, unit), 2.0
                )
    sums = Sums.read(sample)
    run = None if sums is None else sums.find_run(lambda e: e.time, twice=twice)
    if run is not None and run[0] < run[1]:
        low, high = run
        yield from of(f"from {format_time(low, sample.tick)} to {format_time(high, sample.tick)}",
                      partial(lambda low, high, t: low <= t <= high, low, high),
                      2 * log2(len(sample.came)))  # fmt: skip


CLOCKS: Final = (
    Row("time zone", "Times, windows or window labels use another time zone, or mistake the hour that clocks repeat.",
        Family.ZONE, "timescale/timescaledb#4884", _zones),
    Row("time zone", "Times, windows or window labels use another time zone, or mistake the hour that clocks repeat.",
        Family.ZONE, "timescale/timescaledb#4884", _hour_twice),
    Row("times moved", "Event times are moved by a tick, a slide or some hours.", Family.ZONE,
        "pandas: Time series, time zone handling", _moved),
    Row("times truncated", "Times are truncated to seconds, minutes or another unit.", Family.ZONE,
        "PostgreSQL: Date/Time Functions, date_trunc", partial(_to_unit, rounds=False)),
    Row("times rounded", "Times are rounded to a unit.", Family.ZONE, "pandas: Timestamp.round",
        partial(_to_unit, rounds=True)),
    Row("some times left out", "Events in some hours or weekdays, or exactly at boundaries, do not count.",
        Family.BORDER, "PostgreSQL: Comparison Functions, BETWEEN", partial(_hours, twice=False)),
    Row("some times twice", "Events in some hours or weekdays, or exactly at boundaries, count twice.",
        Family.BORDER, "PostgreSQL: Comparison Functions, BETWEEN", partial(_hours, twice=True)),
)  # fmt: skip
"""The rows of the slot `events` that change times."""
