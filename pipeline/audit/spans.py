"""Times, spans of time and windows as people read them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from swagproof.models.windows.kinds import MONDAY, Calendar, Counted, Session, Sliding, WindowSpec, find_zone
from swagproof.pipeline.audit.tables import Tick

_UNITS: Final = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000))


def format_time(ticks: int | None, tick: Tick, zone: str | None = None) -> str:
    """A time for people, as clocks of a zone show it, or those of UTC.

    >>> format_time(1_357_020_000_000_000, "us"), format_time(7, None)
    ('2013-01-01T06:00:00Z', '7')
    >>> format_time(1_711_839_600_000_000, "us", "Europe/Berlin")
    '2024-03-31T00:00:00+01:00'
    """
    if ticks is None or tick is None:
        return str(ticks)
    micros, rest = (ticks, 0) if tick == "us" else divmod(ticks, 1000)
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    except OverflowError:
        return str(ticks)
    shown = at if zone is None else at.astimezone(find_zone(zone))
    text = shown.replace(tzinfo=None).isoformat()
    off = "Z" if not shown.utcoffset() else shown.isoformat()[len(text) :]
    return f"{text}{f'{rest:03}' if rest and '.' in text else f'.{rest:09}' if rest else ''}{off}"


def zone_of(window: WindowSpec) -> str | None:
    """By whose clocks times are told: those of a calendar's zone; None for UTC."""
    return window.zone if isinstance(window, Calendar) else None


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
