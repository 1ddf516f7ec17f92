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
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from swagproof.oracle.trace import InputError

Tick: TypeAlias = Literal["ns", "us"] | None
"""What times are counted in: nanoseconds or microseconds since the epoch, or None for plain numbers."""

LONGEST: Final = 2**61
"""Spans and times are smaller than this, so that sums of them fit in 64 bits."""

_MICROSECONDS: Final = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
_SPAN: Final = re.compile(r"([+-]?\d+)([a-z]*)")


@dataclass(frozen=True)
class Sliding:
    """[k slide + offset, k slide + offset + range) for all k; a tumbling window where range and slide agree."""

    range: int
    slide: int
    offset: int = 0


@dataclass(frozen=True)
class Session:
    """Runs of events with gaps of less than `gap`, or of at most that where touching sessions are one."""

    gap: int
    touching: bool = False


@dataclass(frozen=True)
class Counted:
    """The newest `n` events at each event whose number, counted from 1, is a multiple of `every`."""

    n: int
    every: int
    by_arrival: bool = False


@dataclass(frozen=True)
class Rows:
    """The events from `begin` to `end` places after each event, both included; None for all before."""

    begin: int | None
    end: int


@dataclass(frozen=True)
class Ranges:
    """The events whose time is from `begin` to `end` after each time, both included; None for all before."""

    begin: int | None
    end: int


WindowSpec: TypeAlias = Sliding | Session | Counted | Rows | Ranges
FRAMES: Final = (Rows, Ranges)

FORMS: Final = (
    "tumbling SPAN, sliding SPAN every SPAN, session SPAN, count N [every N] [by arrival], rows FROM TO, range FROM TO"
)


def span(text: str, tick: Tick, what: str, *, signed: bool = False) -> int:
    """A span of time in ticks.  Raises InputError that says what it is for.

    >>> span("10m", "us", "--watermark"), span("250", None, "--watermark"), span("-1h", "us", "--window", signed=True)
    (600000000, 250, -3600000000)
    """
    match = _SPAN.fullmatch(text)
    if match is None or (not signed and match[1][0] in "+-"):
        raise InputError(f"{what}: {text!r} is no span of time; write such as {'10m' if tick else '600'}")
    number, unit = int(match[1]), match[2]
    if tick is None:
        if unit:
            raise InputError(f"{what}: {text}: times are plain numbers; give a plain number, or --time-unit")
    elif not number and not unit:
        return 0
    elif tick == "ns" and unit == "ns":
        pass
    elif unit not in _MICROSECONDS:
        plain = "" if unit else "; or, where times are plain numbers, --time NAME:int"
        raise InputError(f"{what}: {text}: give a unit, one of {', '.join(_MICROSECONDS)}{plain}")
    else:
        number *= _MICROSECONDS[unit] * (1000 if tick == "ns" else 1)
    if abs(number) >= LONGEST:
        raise InputError(f"{what}: {text} is too long")
    return number


def _positive(text: str, tick: Tick) -> int:
    length = span(text, tick, "--window")
    if length < 1:
        raise InputError(f"--window: {text}: give at least 1")
    return length


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < LONGEST:
        raise InputError(f"--window: {text!r} is no number of events; give 1 or more")
    return int(text)


def parse_window(text: str, tick: Tick) -> WindowSpec:
    """The window that a text names.  Raises InputError.

    >>> parse_window("sliding 1h every 10m", "us")
    Sliding(range=3600000000, slide=600000000, offset=0)
    >>> parse_window("count 100 every 10", None), parse_window("rows unbounded 0", None)
    (Counted(n=100, every=10, by_arrival=False), Rows(begin=None, end=0))
    """
    match text.split():
        case ["tumbling", length, *rest]:
            range_ = slide = _positive(length, tick)
            return Sliding(range_, slide, _offset(rest, slide, tick, text))
        case ["sliding", length, "every", step, *rest]:
            range_, slide = _positive(length, tick), _positive(step, tick)
            return Sliding(range_, slide, _offset(rest, slide, tick, text))
        case ["session", gap]:
            return Session(_positive(gap, tick))
        case ["session", gap, "touching"]:
            return Session(_positive(gap, tick), touching=True)
        case ["count", n]:
            return Counted(_count(n), _count(n))
        case ["count", n, "by", "arrival"]:
            return Counted(_count(n), _count(n), by_arrival=True)
        case ["count", n, "every", every]:
            return Counted(_count(n), _count(every))
        case ["count", n, "every", every, "by", "arrival"]:
            return Counted(_count(n), _count(every), by_arrival=True)
        case ["rows", begin, end]:
            return Rows(*_frame(begin, end, None, text))
        case ["range", begin, end]:
            return Ranges(*_frame(begin, end, tick, text))
        case _:
            raise InputError(f"--window: {text!r} is none of {FORMS}")


def _offset(rest: list[str], slide: int, tick: Tick, text: str) -> int:
    match rest:
        case []:
            return 0
        case ["offset", offset]:
            return span(offset, tick, "--window", signed=True) % slide
        case _:
            raise InputError(f"--window: {text!r} is none of {FORMS}")


def _frame(begin: str, end: str, tick: Tick, text: str) -> tuple[int | None, int]:
    if end == "unbounded":
        raise InputError(
            f"--window: {text!r}: a frame that ends at unbounded holds back every result of a key; end at 0"
        )
    first = None if begin == "unbounded" else span(begin, tick, "--window", signed=True)
    last = span(end, tick, "--window", signed=True)
    if first is not None and first > last:
        raise InputError(f"--window: {text!r}: the frame ends before it begins")
    return first, last


def may_be_empty(window: WindowSpec) -> bool:
    """Whether a result may be due where the window holds no event: a frame that leaves out its own row.

    >>> may_be_empty(Rows(-5, -1)), may_be_empty(Rows(-5, 0)), may_be_empty(Session(3))
    (True, False, False)
    """
    if not isinstance(window, FRAMES):
        return False
    return not ((window.begin is None or window.begin <= 0) and window.end >= 0)


def needs_order(window: WindowSpec) -> bool:
    """Whether events of equal time must be told apart even if the aggregation commutes."""
    return isinstance(window, Counted | Rows)
