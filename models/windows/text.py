"""Windows as a person writes them: `tumbling 1h`, `sliding 1h every 10m`, `session 30m`, `count 100 every 10`.

| text | windows | a result is for |
|---|---|---|
| `tumbling 1h` | [k h, (k + 1) h) for all integers k | a window with events |
| `sliding 1h every 10m` | [10 k min, 10 k min + 1 h) | a window with events |
| `session 30m` | events each less than 30 min after the one before; ends 30 min after the last | a session |
| `session 30m touching` | as before, but exactly 30 min apart is one session, as in Spark | a session |
| `count 100 every 10` | the newest 100 events of a key, at each 10th | every 10th event |
| `rows -5 0` | ROWS BETWEEN 5 PRECEDING AND CURRENT ROW | an event |
| `range -1h 0` | RANGE BETWEEN 1 hour PRECEDING AND CURRENT ROW | a time with events |

`offset 5m` after a tumbling or sliding window moves its beginnings by that much.  `count 100` triggers at every 100th
event.  `by arrival` after a count takes the events in the order of arrival; every other window, and a count without
it, in the order of time, and of arrival where times are equal.  A frame may begin at `unbounded`, and may end before
or after its own row.  A RANGE frame holds both its ends, and all events of equal time with them.

Spans of time are written with a unit (us, ms, s, m, h, d), or as plain numbers where times are plain numbers.
"""

import re
from typing import Final, Literal, TypeAlias

from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.window import WindowError

Unit: TypeAlias = Literal["plain", "s", "ms", "us", "ns"]
"""What times are counted in: plain numbers, or a unit of time since the epoch."""

LONGEST: Final = 2**61
"""Spans and times are smaller than this, so that sums of them fit in 64 bits."""

NANOSECONDS: Final = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
"""How long each unit of times is."""

_MICROSECONDS: Final = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
_SPAN: Final = re.compile(r"([+-]?\d+)([a-z]*)")

FORMS: Final = (
    "tumbling SPAN, sliding SPAN every SPAN, session SPAN, count N [every N] [by arrival], rows FROM TO, range FROM TO"
)


def parse_span(text: str, unit: Unit, what: str, *, signed: bool = False, within: str | None = None) -> int:
    """A span of time in a unit.  Raises WindowError that says what it is for, or `within` which text it stands.

    >>> parse_span("10m", "us", "--watermark"), parse_span("250", "plain", "--watermark"), parse_span("90m", "s", "")
    (600000000, 250, 5400)
    >>> parse_span("-1h", "ms", "--window", signed=True)
    -3600000
    """
    match = _SPAN.fullmatch(text)
    if match is None or (not signed and match[1][0] in "+-"):
        raise WindowError(f"{what}: {text!r} is no span of time; write such as {'600' if unit == 'plain' else '10m'}")
    number, written = int(match[1]), match[2]
    if unit == "plain":
        if written:
            raise WindowError(f"{what}: {text}: times are plain numbers; give a plain number, or --time-unit")
    elif not (unit == written == "ns") and (number or written):
        if written not in _MICROSECONDS:
            plain = "" if written else "; or, where times are plain numbers, --time NAME:int"
            raise WindowError(f"{what}: {text}: give a unit, one of {', '.join(_MICROSECONDS)}{plain}")
        number *= _MICROSECONDS[written] * (1000 if unit == "ns" else 1)
    if abs(number) >= LONGEST:
        raise WindowError(f"{what}: {text} is too long")
    if unit in ("plain", "ns"):
        return number
    length = NANOSECONDS[unit] // 1000
    if number % length:
        raise WindowError(f"{within or f'{what} {text}'}: no whole number of {unit}, which times are counted in")
    return number // length


def parse_window(text: str, unit: Unit, what: str = "--window") -> WindowSpec:
    """The window that a text names, its spans in this unit.  Raises WindowError that says what it is for.

    >>> parse_window("sliding 1h every 10m", "s"), parse_window("tumbling 60 offset 5", "plain")
    (Sliding(range=3600, slide=600, offset=0), Sliding(range=60, slide=60, offset=5))
    >>> parse_window("count 100 every 10", "us"), parse_window("rows unbounded 0", "us")
    (Counted(n=100, every=10, by_arrival=False), Frame(unit='rows', start=None, end=0))
    """

    def read_length(span: str) -> int:
        length = parse_span(span, unit, what, within=text)
        if length < 1:
            raise WindowError(f"{what}: {span}: give at least 1")
        return length

    def read_number(number: str) -> int:
        if not number.isdecimal() or not 0 < int(number) < LONGEST:
            raise WindowError(f"{what}: {number!r} is no number of events; give 1 or more")
        return int(number)

    def read_ends(start: str, end: str, unit: Unit) -> tuple[int | None, int]:
        if end == "unbounded":
            raise WindowError(
                f"{what}: {text!r}: a frame that ends at unbounded holds back every result of a key; end at 0"
            )
        first = None if start == "unbounded" else parse_span(start, unit, what, signed=True, within=text)
        last = parse_span(end, unit, what, signed=True, within=text)
        if first is not None and first > last:
            raise WindowError(f"{what}: {text!r}: the frame ends before it begins")
        return first, last

    words = text.split()
    if words[:1] == ["tumbling"]:
        words = ["sliding", *words[1:2], "every", *words[1:]]
    match words:
        case ["sliding", length, "every", step] | ["sliding", length, "every", step, "offset", _]:
            range_, slide = read_length(length), read_length(step)
            offset = words[5] if len(words) > 4 else "0"
            return Sliding(range_, slide, parse_span(offset, unit, what, signed=True, within=text) % slide)
        case ["session", gap] | ["session", gap, "touching"]:
            return Session(read_length(gap), touching=len(words) > 2)
        case ["count", n] | ["count", n, "by", "arrival"]:
            return Counted(read_number(n), read_number(n), by_arrival=len(words) > 2)
        case ["count", n, "every", every] | ["count", n, "every", every, "by", "arrival"]:
            return Counted(read_number(n), read_number(every), by_arrival=len(words) > 4)
        case ["rows", start, end]:
            return Frame("rows", *read_ends(start, end, "plain"))
        case ["range", start, end]:
            return Frame("range", *read_ends(start, end, unit))
        case _:
            raise WindowError(f"{what}: {text!r} is none of {FORMS}")
