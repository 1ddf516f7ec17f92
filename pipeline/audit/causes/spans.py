"""Spans of time, and windows, in words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from swagproof.models.windows.kinds import MONDAY, Calendar, Counted, Session, Sliding
from swagproof.models.windows.text import NANOSECONDS
from swagproof.pipeline.audit.tables import Tick

DAYS: Final = ("Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday")
"""Of the week, from that of the epoch on."""

_UNITS: Final = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000))


_SECONDS: Final = (1, 5, 10, 15, 30)
_MINUTES: Final = (1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600, 720, 1440, 2880, 10_080)


_PLAIN: Final = (2, 3, 4, 5, 6, 8, 10, 15, 16, 20, 30, 60, 100, 300, 600, 1000, 3600)
_CLOCK: Final = (
    1,
    1000,
    10_000,
    30_000,
    *(n * 60_000 for n in (1, 5, 10, 15, 30, 60, 120, 240, 300, 360, 600, 720, 1440)),
)
"""In milliseconds."""


_ROUND: Final = tuple(k * 10**n for n in range(15, -1, -1) for k in (5, 2, 1))
_TIMED: Final = (
    *(n * 1_000_000 for n in (604_800, 86_400, 43_200, 21_600, 3600, 1800, 900, 300, 60, 30, 15, 10, 5, 1)),
    *(k * 10**n for n in range(5, -1, -1) for k in (5, 1)),
)
"""In microseconds."""


def get_second(tick: Tick) -> int:
    """Ticks in a second.

    >>> get_second("us")
    1000000
    """
    return 10**9 // NANOSECONDS[tick or "ns"]


def list_units(tick: Tick) -> list[int]:
    """Units that times are cut to, in ticks."""
    return list(_PLAIN) if tick is None else [n * (1000 if tick == "us" else 1_000_000) for n in _CLOCK]


def list_spans(tick: Tick) -> list[int]:
    """Spans that people choose, in ticks."""
    if tick is None:
        return [k * 10**n for n in range(7) for k in (1, 2, 3, 5)]
    second = get_second(tick)
    return [n * second for n in _SECONDS] + [n * 60 * second for n in _MINUTES]


def choose_round(low: int, high: int, tick: Tick) -> int:
    """The number that people would choose, above the one and not above the other: of the roundest the nearest to zero.

    >>> choose_round(-1_020_000, -980_000, "us"), choose_round(17, 42, None), choose_round(6, 7, None)
    (-1000000, 20, 7)
    """
    if low < 0 <= high:
        return 0
    units: Sequence[int] = _ROUND if tick is None else [one * get_second(tick) // 1_000_000 for one in _TIMED]
    for unit in units:
        least, most = low // unit + 1, high // unit
        if least <= most:
            return (least if least > 0 else most) * unit
    return high


def show_digits(digits: int) -> str:
    """To what numbers are rounded, for people.

    >>> show_digits(2), show_digits(1), show_digits(0), show_digits(-3)
    ('2 digits after the point', '1 digit after the point', 'whole numbers', '1,000s')
    """
    if digits > 0:
        return f"{digits} digit{'s' * (digits > 1)} after the point"
    return f"{10**-digits:,}s" if digits else "whole numbers"


def show_window(window: Sliding | Calendar | Session | Counted, tick: Tick) -> str:
    """A window as `--window` takes it.

    >>> show_window(Sliding(6, 2, 1, "right"), None), show_window(Calendar("day", 7, 7, MONDAY, "UTC"), "us")
    ('sliding 6 every 2 offset 1 closed right', 'tumbling 1 week in UTC')
    >>> show_window(Counted(5, 5), None), show_window(Session(90_000_000), "us")
    ('count 5', 'session 90s')
    """

    def show_clauses(one: Sliding | Calendar, offset: str) -> str:
        closed = f" closed {one.closed}" if one.closed != "left" else ""
        return (f" offset {offset}" if one.offset else "") + closed + ("" if one.leading else " from first")

    match window:
        case Sliding(length, slide, offset):
            said = [show_span(n, tick).replace(",", "") for n in (length, slide, offset)]
            size = f"tumbling {said[0]}" if length == slide else f"sliding {said[0]} every {said[1]}"
            return size + show_clauses(window, said[2])
        case Calendar(unit, length, slide, offset, zone):
            name: str = unit
            if unit == "day" and length % 7 == slide % 7 == 0 < offset:
                name, length, slide = "week", length // 7, slide // 7
                window = replace(window, offset=(offset - MONDAY) % window.slide)
            said = [f"{n} {name}{'s' * (n > 1)}" for n in (length, slide)]
            size = f"tumbling {said[0]}" if length == slide else f"sliding {said[0]} every {said[1]}"
            return f"{size} in {zone}{show_clauses(window, str(window.offset))}"
        case Session(gap):
            return f"session {show_span(gap, tick).replace(',', '')}{' touching' * window.touching}"
        case Counted(n, every):
            by = " by arrival" if window.by_arrival else ""
            return f"count {n}{f' every {every}' if every != n else ''}{by}"


def show_span(ticks: int, tick: Tick) -> str:
    """A span for people.

    >>> show_span(5_400_000_000, "us"), show_span(12, None), show_span(1, "us"), show_span(0, "ns")
    ('90m', '12', '1us', '0s')
    """
    if tick is None:
        return f"{ticks:,}"
    if not ticks:
        return "0s"
    for unit, size in _UNITS:
        size *= 1000 if tick == "ns" else 1
        if ticks % size == 0:
            return f"{ticks // size:,}{unit}"
    return f"{ticks:,}{tick}"
