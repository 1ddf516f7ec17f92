"""Windows that last so many days, or hours, in place of the calendar's months, years and days.

Who adds thirty days to the first of a month loses the thirty-first, and has the first days of March in February, too;
and who divides by thirty days has windows that begin anywhere.  How long they last is one of few numbers that people
take for a month or a year.  Weeks, too, are counted from the first of a month or a year on where one divides its day.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, find_zone
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window

_MONTHS: Final = (
    Fraction(30), Fraction(31), Fraction(28), Fraction(29), Fraction("30.5"), Fraction("30.4375"),
    Fraction("30.436875"), Fraction("30.44"), Fraction("30.4"), Fraction(365, 12),
)  # fmt: skip
_QUARTERS: Final = (Fraction(91), Fraction(92), Fraction(90), Fraction(84), Fraction("91.25"), Fraction("91.3125"))
_YEARS: Final = (
    Fraction(365), Fraction("365.25"), Fraction("365.2425"), Fraction(366), Fraction(360), Fraction(364),
)  # fmt: skip
"""How many days a month, a quarter or a year may be taken to have, the likelier first."""

_CAUSE: Final = "another range"


def list_fixed(sample: Sample) -> Iterator[Hypothesis]:
    """Windows of a fixed length, from their begin, to their end or one after the other; weeks of a month or a year."""
    window = sample.window
    if not isinstance(window, Calendar) or window.closed != "left":
        return
    found: list[Hypothesis] = []
    if window.unit == "month":
        for days in _list_days(window):
            found += _list_of_length(sample, window, days)
    elif window.range > 1:
        hours = 24 * window.range
        for said, back in (("from its begin on", False), ("to its end", True)):
            why = f"takes {hours:,} hours {said} for a window, where clocks are changed in it"
            fixed = partial(_hold_fixed, sample, window, hours * 3600 * window.second, back)
            found.append(Hypothesis("time zone", why, windows=fixed))
        if window.range == window.slide == 7:
            for said, find in (("month", _find_month_day), ("year", _find_year_day)):
                why = f"counts weeks from the first day of each {said} on"
                parted = partial(_hold_weeks, window, find)
                # which may be weeks from another day on, where each month of the data begins on that
                found.append(Hypothesis("windows by another formula", why, windows=parted, spare=RARE))
    for one in found:
        yield replace(one, bits=log2(len(found)))


def _list_days(window: Calendar) -> list[Fraction]:
    """How many days so many months may be taken to have."""
    n = window.range
    days = [n * month for month in _MONTHS]
    if n % 3 == 0:
        days = [*(n // 3 * quarter for quarter in _QUARTERS), *days]
    if n % 12 == 0:
        days = [*(n // 12 * year for year in _YEARS), *days]
    return list(dict.fromkeys(days))


def _list_of_length(sample: Sample, window: Calendar, days: Fraction) -> Iterator[Hypothesis]:
    length = int(days * 86_400 * window.second)
    n = window.range
    of = ("a year" if n == 12 else f"{n} months") if n > 1 else "a month"
    said = f"takes {float(days):,.7g} days"
    yield Hypothesis(
        _CAUSE,
        f"{said} from its begin on for {of}, however long it is",
        windows=partial(_hold_fixed, sample, window, length, False),
    )
    yield Hypothesis(
        _CAUSE,
        f"{said} to its end for {of}, however long it is",
        windows=partial(_hold_fixed, sample, window, length, True),
    )
    if n == window.slide and sample.events:
        first = window.start(window.number(min(es[0].time for es in sample.events.values() if es)))
        for where, begin in (("the epoch", 0), ("the begin of the first one", first)):
            why = f"{said} for {of}, one after the other from {where} on"
            yield Hypothesis(_CAUSE, why, windows=partial(_hold_tiles, length, begin))
        why = (
            f"{said} for {of}, one after the other from the begin of the first one on, and names them as the calendar's"
        )
        named = partial(_name_tiles, window, length, first)
        yield Hypothesis(_CAUSE, why, windows=named)


def _hold_fixed(sample: Sample, window: Calendar, length: int, back: bool, events: list[Event]) -> Iterator[Window]:
    """The windows that are due, and those beside them, with the events of so many ticks from their begin on, or to
    their end."""
    numbers = {window.number(w.a) for w in sample.split(window, events)}
    for number in sorted({n + by for n in numbers for by in (-window.slide, 0, window.slide)}):
        a, b = window.start(number), window.start(number + window.range)
        low, high = (b - length, b) if back else (a, a + length)
        held = [e for e in events if low <= e.time < high]
        if held:
            yield Window(a, b, held)


def _hold_tiles(length: int, begin: int, events: list[Event]) -> Iterator[Window]:
    held: dict[int, list[Event]] = {}
    for e in events:
        held.setdefault((e.time - begin) // length, []).append(e)
    for n, those in sorted(held.items()):
        yield Window(begin + n * length, begin + n * length + length, those)


def _name_tiles(window: Calendar, length: int, begin: int, events: list[Event]) -> Iterator[Window]:
    first = window.number(begin)
    for w in _hold_tiles(length, begin, events):
        number = first + (w.a - begin) // length * window.slide
        yield Window(window.start(number), window.start(number + window.range), w.events)


def _find_month_day(day: datetime) -> int:
    return day.day - 1


def _find_year_day(day: datetime) -> int:
    return day.timetuple().tm_yday - 1


def _hold_weeks(window: Calendar, find: Callable[[datetime], int], events: list[Event]) -> Iterator[Window]:
    """Seven days from the first one of a month, or a year, on, and so on as far as it goes."""
    days, zone = replace(window, range=1, slide=1, offset=0), find_zone(window.zone)
    held: dict[int, list[Event]] = {}
    for e in events:
        number = days.number(e.time)
        at = find(datetime.fromtimestamp(e.time // window.second, zone))
        held.setdefault(number - at % 7, []).append(e)
    for number, those in sorted(held.items()):
        yield Window(days.start(number), days.start(number + 7), those)
