"""Parser of window descriptions: `tumbling 1h`, `sliding 1h every 10m`, `session 30m`, `count 100 every 10`.

| text | windows | a result is for |
|---|---|---|
| `tumbling 1h` | [k h, (k + 1) h) for all integers k | a window with events |
| `sliding 1h every 10m` | [10 k min, 10 k min + 1 h) | a window with events |
| `session 30m` | events each less than 30 min after the previous; ends 30 min after the last | a session |
| `session 30m touching` | the same, but events exactly 30 min apart join, as in Spark | a session |
| `tumbling 1 day in Europe/Berlin` | from midnight to midnight; weeks from Mondays on, months, \
quarters, years | a window with events |
| `sliding 7 days every 1 day in UTC` | seven days each | a window with events |
| `count 100 every 10` | the newest 100 events of a key, at every 10th | every 10th event |
| `rows -5 0` | ROWS BETWEEN 5 PRECEDING AND CURRENT ROW | an event |
| `range -1h 0` | RANGE BETWEEN 1 hour PRECEDING AND CURRENT ROW | a time with events |

`offset 5m` after a tumbling or sliding window shifts its beginnings; the offset of days and weeks is in days, that of
months and years in months.  `origin 2000-01-03` makes a window begin at that date.  `closed right` excludes the
beginning and includes the end; `closed both` and `closed neither` also exist.  `from first` omits windows that begin
before the first window with the first event of a key, as in Polars.  `rows -9 0 full` is null for a row with fewer than
nine rows before it, as in pandas.  `range -1h 0 closed right` excludes its beginning; a further `to row` excludes later
rows of the row's own time, as in pandas.

`count 100` triggers at every 100th event.  `by arrival` after a count takes the events in arrival order.  All other
windows take them by time, and by arrival if times are equal.  A frame may begin at `unbounded`, and may end before or
after its own row.  A RANGE frame includes both its ends, with all events of equal time.

Spans of time have a unit (us, ms, s, m, h, d), or are plain numbers if times are plain numbers.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from swagproof.models.windows.kinds import (
    MONDAY,
    Calendar,
    CalendarUnit,
    Counted,
    Ends,
    Frame,
    Session,
    Sliding,
    WindowSpec,
)
from swagproof.models.windows.window import WindowError

Unit: TypeAlias = Literal["plain", "s", "ms", "us", "ns"]
"""The unit of times: plain numbers, or a unit of time since the epoch."""

LONGEST: Final = 2**61
"""The exclusive bound of spans and times, so that sums of them fit in 64 bits."""

NANOSECONDS: Final = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
"""The length of each unit of times, in nanoseconds."""

_MICROSECONDS: Final = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
_SPAN: Final = re.compile(r"([+-]?\d+)([a-z]*)")
_SPANS: Final = re.compile(r"[+-]?(\d+[a-z]+){2,}")
"""A sum of several spans, such as 2m500ms."""
_PART: Final = re.compile(r"\d+[a-z]+")

FORMS: Final = (
    "tumbling SPAN, sliding SPAN every SPAN, tumbling N days in ZONE, session SPAN, count N [every N] [by arrival], "
    "rows FROM TO, range FROM TO"
)


def parse_span(text: str, unit: Unit, what: str, *, signed: bool = False, within: str | None = None) -> int:
    """Parse a span of time.  Raises WindowError, which names `what` and the text `within` which the span occurs.

    >>> parse_span("10m", "us", "--watermark"), parse_span("250", "plain", "--watermark"), parse_span("90m", "s", "")
    (600000000, 250, 5400)
    >>> parse_span("-1h", "ms", "--window", signed=True), parse_span("2m500ms", "ms", "--watermark")
    (-3600000, 120500)
    """
    if unit != "plain" and _SPANS.fullmatch(text):
        sign = "-" if text[0] == "-" else ""
        parts = [f"{sign}{part[0]}" for part in _PART.finditer(text)]
        return sum(parse_span(part, unit, what, signed=signed, within=within) for part in parts)
    match = _SPAN.fullmatch(text)
    if match is None or (not signed and match[1][0] in "+-"):
        raise WindowError(
            f"{what}: {text!r} is not a span of time; write for example {'600' if unit == 'plain' else '10m'}"
        )
    number, written = int(match[1]), match[2]
    if unit == "plain":
        if written:
            raise WindowError(f"{what}: {text}: times are plain numbers; give a plain number, or --time-unit")
    elif not (unit == written == "ns") and (number or written):
        if written not in _MICROSECONDS:
            plain = "" if written else "; or, if times are plain numbers, --time NAME:int"
            raise WindowError(f"{what}: {text}: give a unit, one of {', '.join(_MICROSECONDS)}{plain}")
        number *= _MICROSECONDS[written] * (1000 if unit == "ns" else 1)
    if abs(number) >= LONGEST:
        raise WindowError(f"{what}: {text} is too long")
    if unit in ("plain", "ns"):
        return number
    length = NANOSECONDS[unit] // 1000
    if number % length:
        raise WindowError(f"{within or f'{what} {text}'}: not a whole number of {unit}, the unit of times")
    return number // length


def parse_window(text: str, unit: Unit, what: str = "--window") -> WindowSpec:
    """Parse a window whose spans are in this unit.  Raises WindowError, which names `what`.

    >>> parse_window("sliding 1h every 10m", "s"), parse_window("tumbling 60 offset 5", "plain")
    (Sliding(range=3600, slide=600, offset=0, closed='left', leading=True), \
Sliding(range=60, slide=60, offset=5, closed='left', leading=True))
    >>> parse_window("tumbling 10 closed right", "plain"), parse_window("tumbling 7h origin 2000-01-03", "s").offset
    (Sliding(range=10, slide=10, offset=0, closed='right', leading=True), 18000)
    >>> parse_window("tumbling 1 week in Europe/Berlin", "us")
    Calendar(unit='day', range=7, slide=7, offset=4, zone='Europe/Berlin', second=1000000, closed='left', leading=True)
    >>> parse_window("count 100 every 10", "us"), parse_window("rows unbounded 0", "us")
    (Counted(n=100, every=10, by_arrival=False), Frame(unit='rows', start=None, end=0, full=False, to_row=False))
    """

    def read_length(span: str) -> int:
        length = parse_span(span, unit, what, within=text)
        if length < 1:
            raise WindowError(f"{what}: {span}: give at least 1")
        return length

    def read_number(number: str) -> int:
        if not number.isdecimal() or not 0 < int(number) < LONGEST:
            raise WindowError(f"{what}: {number!r} is not a number of events; give 1 or more")
        return int(number)

    def read_ends(start: str, end: str, unit: Unit) -> tuple[int | None, int]:
        if end == "unbounded":
            raise WindowError(
                f"{what}: {text!r}: a frame that ends at unbounded delays every result of a key; end at 0"
            )
        first = None if start == "unbounded" else parse_span(start, unit, what, signed=True, within=text)
        last = parse_span(end, unit, what, signed=True, within=text)
        if first is not None and first > last:
            raise WindowError(f"{what}: {text!r}: the frame ends before it begins")
        return first, last

    if (calendar := _CALENDAR.fullmatch(text)) is not None:
        return _parse_calendar(calendar, unit, text, what)
    if (days := _UNZONED.match(text)) is not None:
        raise WindowError(f"{what}: {text!r}: name the time zone: {days[0]} in ZONE, such as in Europe/Berlin")
    words = text.split()
    if words[:1] == ["tumbling"]:
        words = ["sliding", *words[1:2], "every", *words[1:]]
    match words:
        case ["sliding", length, "every", step, *clauses]:
            range_, slide = read_length(length), read_length(step)
            said = _parse_clauses(clauses, ("offset", "origin", "closed", "from"), text, what)
            if {"offset", "origin"} <= said.keys():
                raise WindowError(f"{what}: {text!r}: give an offset or an origin")
            offset = parse_span(said.get("offset", "0"), unit, what, signed=True, within=text)
            offset += _parse_origin(said["origin"], unit, what) if "origin" in said else 0
            closed: Ends = said.get("closed", "left")  # type: ignore[assignment]  # checked with the clauses
            window = Sliding(range_, slide, offset % slide, closed, leading="from" not in said)
            if window.half_open.range < 1:
                raise WindowError(f"{what}: {text!r}: without its ends it is empty")
            return window
        case ["session", gap] | ["session", gap, "touching"]:
            return Session(read_length(gap), touching=len(words) > 2)
        case ["count", n] | ["count", n, "by", "arrival"]:
            return Counted(read_number(n), read_number(n), by_arrival=len(words) > 2)
        case ["count", n, "every", every] | ["count", n, "every", every, "by", "arrival"]:
            return Counted(read_number(n), read_number(every), by_arrival=len(words) > 4)
        case ["rows", start, end] | ["rows", start, end, "full"]:
            first, last = read_ends(start, end, "plain")
            if len(words) > 3 and first is None:
                raise WindowError(f"{what}: {text!r}: a frame from unbounded on is never full")
            return Frame("rows", first, last, full=len(words) > 3)
        case ["range", start, end, *clauses]:
            first, last = read_ends(start, end, unit)
            said = _parse_clauses(clauses, ("closed", "to"), text, what)
            ends = said.get("closed", "both")
            if "to" in said and (last != 0 or ends in ("left", "neither")):
                raise WindowError(f"{what}: {text!r}: a frame to its row ends at 0")
            first = None if first is None else first + (ends in ("right", "neither"))
            last -= ends in ("left", "neither")
            if first is not None and first > last:
                raise WindowError(f"{what}: {text!r}: without its ends it is empty")
            return Frame("range", first, last, to_row="to" in said)
        case _:
            raise WindowError(f"{what}: {text!r} is not one of {FORMS}")


_DAYS: Final = (
    r"(?:tumbling|sliding) (\d+) (day|week|month|quarter|year)s?(?: every (\d+) (day|week|month|quarter|year)s?)?"
)
_CALENDAR: Final = re.compile(_DAYS + r" in (\S+)((?: \S+)*)")
_OFFSET: Final = re.compile(r" offset (\S+(?: (?:hour|day|week|month|quarter|year)s?)?)(?= |$)")
_UNZONED: Final = re.compile(_DAYS + r"(?= |$)(?! in )")
_UNITS: Final[dict[str, tuple[CalendarUnit, int]]] = {
    "day": ("day", 1),
    "week": ("day", 7),
    "month": ("month", 1),
    "quarter": ("month", 3),
    "year": ("month", 12),
}
_VALUES: Final = {"closed": ("left", "right", "both", "neither"), "from": ("first",), "to": ("row",)}


def _parse_clauses(words: list[str], names: tuple[str, ...], text: str, what: str) -> dict[str, str]:
    """Parse the clauses after a window, each a name and a value."""
    said = dict(zip(words[::2], words[1::2], strict=False))
    for name, value in said.items():
        if value not in _VALUES.get(name, (value,)):
            raise WindowError(f"{what}: {text!r}: {name} {value}: give {name} and one of {', '.join(_VALUES[name])}")
    if len(words) % 2 or 2 * len(said) != len(words):
        raise WindowError(f"{what}: {text!r} is not one of {FORMS}")
    if wrong := [name for name in said if name not in names]:
        hint = "; for calendar windows give a number of units: offset 1" if wrong == ["origin"] else ""
        raise WindowError(f"{what}: {text!r}: {wrong[0]} does not apply; possible: {', '.join(names)}{hint}")
    return said


def _parse_origin(text: str, unit: Unit, what: str) -> int:
    """Parse an instant, by default in UTC, as ticks since the epoch."""
    if unit == "plain":
        raise WindowError(f"{what}: origin {text}: times are plain numbers; give an offset")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise WindowError(
            f"{what}: origin {text}: not a time; give for example 2000-01-03 or 2000-01-03T00:00:00+01:00"
        ) from None
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    nanoseconds = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000
    if nanoseconds % NANOSECONDS[unit]:
        raise WindowError(f"{what}: origin {text}: not a whole number of {unit}, the unit of times")
    return nanoseconds // NANOSECONDS[unit]


def _parse_moved(rest: str, slide: int, base: str, what: str) -> int:
    """Parse the offset of a calendar's windows, in days or months; it is less than the slide."""
    match = _OFFSET.search(rest)
    if match is None:
        return 0
    moved = match[1]
    if re.fullmatch(r"[+-]?\d{1,5}", moved) is None:
        other = "at a time other than midnight" if base == "day" else "on a day other than the 1st of a month"
        raise WindowError(
            f"{what}: offset {moved}: give a plain number of {base}s, such as offset 1; windows cannot begin {other}"
        )
    if abs(int(moved)) >= slide and int(moved):
        each = f"{slide} {base}s" if slide > 1 else base
        raise WindowError(
            f"{what}: offset {moved} counts {base}s, and windows that begin every {each} "
            + (f"are moved by less: give 1 to {slide - 1}" if slide > 1 else "cannot be moved by any: leave it out")
        )
    return int(moved)


def _parse_calendar(match: re.Match[str], unit: Unit, text: str, what: str) -> Calendar:
    """Parse days, weeks, months, quarters or years of a time zone."""
    if unit == "plain":
        raise WindowError(f"{what}: {text!r}: times are plain numbers, which have no calendar; give --time-unit")
    n, name, every, each, zone, rest = match.groups()
    (base, length), (other, step) = _UNITS[name], _UNITS[each or name]
    if base != other:
        raise WindowError(
            f"{what}: {text!r}: {name}s are not a whole number of {each}s; give both in days, or in months"
        )
    range_, slide = int(n) * length, int(every or n) * step
    if not (0 < range_ <= 10_000 and 0 < slide <= 10_000):
        raise WindowError(f"{what}: {text!r}: give at least 1, and not more than 10,000 days or months")
    offset = _parse_moved(rest, slide, base, f"{what}: {text!r}")
    said = _parse_clauses(rest.split(), ("offset", "closed", "from"), text, what)
    closed: Ends = said.get("closed", "left")  # type: ignore[assignment]  # checked with the clauses
    offset = (offset + (MONDAY if "week" in (name, each) else 0)) % slide
    ticks, leading = 10**9 // NANOSECONDS[unit], "from" not in said
    try:
        return Calendar(base, range_, slide, offset, zone, ticks, closed, leading)
    except WindowError as error:
        raise WindowError(f"{what}: {text!r}: {error}") from None
