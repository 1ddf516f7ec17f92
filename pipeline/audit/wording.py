"""Text for people: times, spans, windows, and sentences about single findings.

The diagnosis of all findings together is in `swagproof.pipeline.audit.diagnosis`.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from swagproof.models.windows.kinds import (
    MONDAY,
    Calendar,
    Counted,
    Frame,
    Session,
    Sliding,
    WindowSpec,
    find_zone,
)
from swagproof.oracle.trace import decode, encode
from swagproof.pipeline.audit.reading.keys import show_key
from swagproof.pipeline.audit.rules import Kind, is_near
from swagproof.pipeline.audit.tables import Tick

_LINE: Final = 160
"""The greatest length, in characters, of a result that is shown whole."""
_HEAD, _TAIL, _BEFORE = 51, 26, 18
"""The characters shown of a longer one: at its begin, at its end, and before its first difference."""

_UNITS: Final = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000))


def format_time(ticks: int | None, tick: Tick, zone: str | None = None) -> str:
    """Return a time as text, in a time zone or in UTC.

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
    """Return the time zone in which times are written: the calendar's; None for UTC."""
    return window.zone if isinstance(window, Calendar) else None


def show_window(window: Sliding | Calendar | Session | Counted, tick: Tick) -> str:
    """Return a window in the syntax of `--window`.

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
    """Return a span as text.

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


@dataclass
class Finding:
    """A finding, with the events of its window."""

    row: dict[str, Any]
    inside: Sequence[Any] = ()
    """The events, in order: each with time, arrival, value and watermark."""
    key_has_results: bool = True
    key_has_events: bool = True


@dataclass(frozen=True)
class Teller:
    """A writer of sentences about findings."""

    window: WindowSpec
    kind: Kind
    tick: Tick
    arrivals: bool
    retracts: bool = False
    """True if results are retracted before new ones come."""

    def name_window(self, row: dict[str, Any]) -> str:
        """Return the window as text."""
        key = show_key(row["key"])
        prefix = f"{key}: " if key else ""
        a, b = row["a"], row["b"]
        if isinstance(self.window, Counted):
            return f"{prefix}events {b if a is None else a} to {b}" if b is not None else f"{prefix}events from {a}"
        if isinstance(self.window, Frame):
            return f"{prefix}row at {format_time(a, self.tick)}" + (f", arrival {b}" if b is not None else "")
        begin, end = (format_time(at, self.tick, zone_of(self.window)) for at in (a, b))
        if a is None or b is None:
            return f"{prefix}window {f'ends {end}' if a is None else f'starts {begin}'}"
        return f"{prefix}[{begin}, {end})"

    def show_result(self, row: dict[str, Any]) -> str:
        """Return the job's result as text."""
        got = row["got"] if row["number"] is None else json.dumps(encode(row["number"]))
        if got is None:
            return "null"
        return json.dumps(got, ensure_ascii=False) if self.kind == "text" else show_value(got)

    def show_due(self, row: dict[str, Any]) -> str:
        """Return the expected result as text."""
        if row["expected"] is None:
            return "null"
        due = row["expected"]
        return json.dumps(due, ensure_ascii=False) if self.kind == "text" else show_value(due)

    def tell(self, found: Finding) -> str:
        """Return the sentence about a finding."""
        row = found.row
        match row["kind"]:
            case "missing" if row["copies"]:
                said = f"{count_of(row['copies'], 'result')}, expected one for each event of that time"
            case "missing":
                said = f"missing; expected {shorten(self.show_due(row))} (of {_count_events(row['n'])})"
            case "extra":
                said = f"unexpected result {shorten(self.show_result(row))}"
            case "duplicate":
                said = f"{count_of(row['copies'], 'result')}, expected 1"
            case "late-differing" if row["copies"] == 0:
                said = f"missing; expected {shorten(self.show_due(row))} (of {_count_events(row['n'])})"
            case "late-differing" if row["n"] is None:
                said = f"unexpected result {shorten(self.show_result(row))}"
            case _:
                said = tell_apart(self.show_result(row), self.show_due(row))
        why = self._see(found)
        return f"{self.name_window(row)}: {said}{why and ': '}{why}"

    def _see(self, found: Finding) -> str:
        """Return the facts that a finding shows by itself."""
        row = found.row
        match row["kind"]:
            case "late-differing":
                return self._see_late(row)
            case "duplicate":
                return "the previous result was not retracted" if self.retracts else ""
            case "missing":
                return "" if found.key_has_results else "no result has this key"
            case "extra":
                return self._see_extra(found)
            case _ if row["role"] == "retraction":
                return "the job retracts a result that is not the current one"
            case _ if row["role"] == "version":
                which = "an earlier version" if row["version"] is None else f"version {row['version']}"
                return f"{which} fits no set of the events that had arrived by then"
            case _ if is_beyond_rounding(row):
                return f"rounding allows {row['low']!r} to {row['high']!r}"
            case _:
                return ""

    def _see_late(self, row: dict[str, Any]) -> str:
        more = (row["n_other"] or 0) - (row["n"] or 0)
        if row["role"] == "all" and more >= 0:
            return f"right with {_count_events(more, 'late ')}, which the policy drops"
        if row["role"] == "on-time" and more <= 0:
            return f"right without {_count_events(-more, 'late ')}, which the policy counts"
        if row["role"] == "all" and isinstance(self.window, Session):  # possible without late events
            return "right if closed sessions accept later events, which the policy does not"
        which = "counted, but the policy drops" if row["role"] == "all" else "dropped, but the policy counts"
        return f"right if late events are {which} them"

    def _see_extra(self, found: Finding) -> str:
        a, b = found.row["a"], found.row["b"]
        if not found.key_has_events:
            return "no event has this key"
        if isinstance(self.window, Sliding | Calendar | Counted) and not self.window.has(a, b):
            return "no window has these bounds"
        if not found.inside:
            return "it contains no events" if not isinstance(self.window, Frame) else "no such event exists"
        return ""

    def make_proof(self, found: Finding, is_late: Callable[[Any], bool], most: int) -> str:
        """Return the first events of a window as JSON; `n` counts those in time."""
        events = [
            {"arrival": event.arrival if self.arrivals else None, "time": event.time, "value": _json(event.value)}
            | ({"late": True} if is_late(event) else {})
            for event in found.inside[:most]
        ]
        return json.dumps({"n": found.row["n"] or len(found.inside), "events": events})


def show_value(text: str | None) -> str:
    """Return a JSON value as text: fractions become decimal numbers, exact or nearest.

    >>> show_value('{"fraction": "3/2"}'), show_value('{"fraction": "1/3"}'), show_value('[1, "a"]'), show_value("0.10")
    ('1.5', '0.3333333333333333', '[1, "a"]', '0.10')
    """
    try:
        value = decode(json.loads(text or "null"))
    except ValueError:
        return str(text)
    return str(text) if isinstance(value, int | float | str | None) else _show(value)


def _show(value: Any) -> str:
    if isinstance(value, Fraction):
        return repr(int(value) if value.denominator == 1 else float(value)) if abs(value) < 10**15 else str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_show, value))}]"
    if isinstance(value, float):
        return repr(value)
    try:
        return json.dumps(encode(value), ensure_ascii=False)
    except TypeError:
        return str(value)


def shorten(text: str) -> str:
    """Return the begin and the end of a text that is longer than a line.

    >>> shorten("[1, 2]"), shorten(f"[{'7, ' * 400}8]")
    ('[1, 2]', '[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, ... 7, 7, 7, 7, 7, 7, 7, 7, 8] (1,203 characters)')
    """
    return text if len(text) <= _LINE else f"{text[:_HEAD]} ... {text[-_TAIL:]} ({len(text):,} characters)"


def tell_apart(got: str, due: str) -> str:
    """Return the expected and the given result; long ones from shortly before they differ.

    >>> tell_apart("3", "4")
    'expected 4, got 3'
    >>> tell_apart(f"[{'7, ' * 400}8, 1]", f"[{'7, ' * 400}9]")
    'expected ... 7, 7, 7, 7, 7, 7, 9], got ... 7, 7, 7, 7, 7, 7, 8, 1], from character 1,202 on'
    """
    if len(got) <= _LINE and len(due) <= _LINE:
        return f"expected {due}, got {got}"
    differ = (i for i, (one, other) in enumerate(zip(got, due, strict=False)) if one != other)
    same = next(differ, min(len(got), len(due)))
    start = max(0, same - _BEFORE)
    shown = [("... " if start else "") + text[start : start + _LINE] for text in (got, due)]
    shown = [one + (" ..." if len(text) > start + _LINE else "") for one, text in zip(shown, (got, due), strict=True)]
    return f"expected {shown[1]}, got {shown[0]}" + (f", from character {same + 1:,} on" if start else "")


def is_beyond_rounding(row: dict[str, Any]) -> bool:
    """Return whether a float is nearly right, but outside the rounding tolerance."""
    return row["kind"] == "wrong" and is_near(row["number"], row["low"], row["high"])


def _json(value: Any) -> Any:
    try:
        return encode(value)
    except TypeError:
        return str(value)


def find_error(got: Any, expected: str | None) -> float | None:
    """Return the error of a number; None for other values."""
    try:
        off = abs(float(got) - float(show_value(expected)))
    except (TypeError, ValueError):
        return None
    return off if off < float("inf") else None


def count_of(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is one.

    >>> count_of(1, "finding"), count_of(1200, "finding")
    ('1 finding', '1,200 findings')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _count_events(n: int | None, kind: str = "") -> str:
    return count_of(n or 0, f"{kind}event")
