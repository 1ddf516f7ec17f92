"""Sentences about findings: the window, the result, the expected one, and the facts of one finding by itself.

The diagnosis of all findings together is in `swagproof.pipeline.audit.diagnosis`.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.oracle.trace import decode, encode
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Kind, is_near
from swagproof.pipeline.audit.spans import format_time, zone_of
from swagproof.pipeline.audit.tables import Tick

if TYPE_CHECKING:
    from swagproof.pipeline.audit.diagnosis.sample import Event

_LINE: Final = 160
"""How many characters a result has at most that is told as it is."""
_HEAD, _TAIL, _BEFORE = 51, 26, 18
"""How many are told of a longer one: of its begin, of its end, and before it differs from another."""


@dataclass
class Finding:
    """A finding, with the events of its window."""

    row: dict[str, Any]
    inside: "Sequence[Event]" = ()
    """In order."""
    key_has_results: bool = True
    key_has_events: bool = True


@dataclass(frozen=True)
class Teller:
    """Tells what is wrong, in one sentence."""

    window: WindowSpec
    kind: Kind
    tick: Tick
    arrivals: bool
    retracts: bool = False
    """Whether results are taken back before new ones come."""

    def name_window(self, row: dict[str, Any]) -> str:
        """Which window, for people."""
        key = show_key(row["key"])
        prefix = f"{key}: " if key else ""
        a, b = row["a"], row["b"]
        if isinstance(self.window, Counted):
            return f"{prefix}events {b if a is None else a} to {b}" if b is not None else f"{prefix}events from {a}"
        if isinstance(self.window, Frame):
            return f"{prefix}row at {format_time(a, self.tick)}" + (f", arrival {b}" if b is not None else "")
        begin, end = (format_time(at, self.tick, zone_of(self.window)) for at in (a, b))
        if a is None or b is None:
            return f"{prefix}window {f'ends {end}' if a is None else f'begins {begin}'}"
        return f"{prefix}[{begin}, {end})"

    def show_result(self, row: dict[str, Any]) -> str:
        """The job's result, for people."""
        got = row["got"] if row["number"] is None else json.dumps(encode(row["number"]))
        if got is None:
            return "null"
        return json.dumps(got, ensure_ascii=False) if self.kind == "text" else show_value(got)

    def show_due(self, row: dict[str, Any]) -> str:
        """The result that is due, for people."""
        if row["expected"] is None:
            return "null"
        due = row["expected"]
        return json.dumps(due, ensure_ascii=False) if self.kind == "text" else show_value(due)

    def tell(self, found: Finding) -> str:
        """The sentence."""
        row = found.row
        match row["kind"]:
            case "missing" if row["copies"]:
                said = f"{row['copies']:,} results, one for each event of that time is due"
            case "missing":
                said = f"no result; {shorten(self.show_due(row))} is due, of {_count_events(row['n'])}"
            case "extra":
                said = f"the result {shorten(self.show_result(row))}, where none is due"
            case "duplicate":
                said = f"{row['copies']:,} results, one is due"
            case "late-differing" if row["copies"] == 0:
                said = f"no result; {shorten(self.show_due(row))} is due, of {_count_events(row['n'])}"
            case "late-differing" if row["n"] is None:
                said = f"the result {shorten(self.show_result(row))}, where none is due"
            case _:
                said = tell_apart(self.show_result(row), self.show_due(row))
        why = self._see(found)
        return f"{self.name_window(row)}: {said}{why and ': '}{why}"

    def _see(self, found: Finding) -> str:
        """What is to be seen of a finding by itself."""
        row = found.row
        match row["kind"]:
            case "late-differing":
                return self._see_late(row)
            case "duplicate":
                return "the one before still stands" if self.retracts else ""
            case "missing":
                return "" if found.key_has_results else "no result has this key"
            case "extra":
                return self._see_extra(found)
            case _ if row["role"] == "retraction":
                return "it is retracted, but does not stand"
            case _ if row["role"] == "version":
                which = "an earlier version" if row["version"] is None else f"version {row['version']}"
                return f"{which} is not what any of the events that had come by then give"
            case _ if is_beyond_rounding(row):
                return f"rounding accounts for {row['low']!r} to {row['high']!r}"
            case _:
                return ""

    def _see_late(self, row: dict[str, Any]) -> str:
        more = (row["n_other"] or 0) - (row["n"] or 0)
        if row["role"] == "all" and more >= 0:
            return f"right with {_count_events(more, 'late ')}, which the policy leaves out"
        if row["role"] == "on-time" and more <= 0:
            return f"right without {_count_events(-more, 'late ')}, which the policy counts"
        if row["role"] == "all" and isinstance(self.window, Session):  # which there may be where no event is late
            return "right if sessions that are over take what comes then, which is not the policy"
        which = "counted" if row["role"] == "all" else "left out"
        return f"right if late events are {which}, which is not the policy"

    def _see_extra(self, found: Finding) -> str:
        a, b = found.row["a"], found.row["b"]
        if not found.key_has_events:
            return "no event has this key"
        if isinstance(self.window, Sliding | Calendar | Counted) and not self.window.has(a, b):
            return "no window begins and ends there"
        if not found.inside:
            return "no event is in it" if not isinstance(self.window, Frame) else "there is no such event"
        return ""

    def make_proof(self, found: Finding, is_late: "Callable[[Event], bool]", most: int) -> str:
        """The events that a window has, the first of them, as JSON; `n` counts those that are in time, and due."""
        events = [
            {"arrival": event.arrival if self.arrivals else None, "time": event.time, "value": _json(event.value)}
            | ({"late": True} if is_late(event) else {})
            for event in found.inside[:most]
        ]
        return json.dumps({"n": found.row["n"] or len(found.inside), "events": events})


def show_value(text: str | None) -> str:
    """A value in JSON, for people: fractions as the decimal numbers that they are, or are near to.

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
    """The begin and the end of what is longer than a line.

    >>> shorten("[1, 2]"), shorten(f"[{'7, ' * 400}8]")
    ('[1, 2]', '[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, ... 7, 7, 7, 7, 7, 7, 7, 7, 8] (1,203 characters)')
    """
    return text if len(text) <= _LINE else f"{text[:_HEAD]} ... {text[-_TAIL:]} ({len(text):,} characters)"


def tell_apart(got: str, due: str) -> str:
    """The one, and not the other: of what is longer than a line from shortly before they differ on.

    >>> tell_apart("3", "4")
    '3, not 4'
    >>> tell_apart(f"[{'7, ' * 400}8, 1]", f"[{'7, ' * 400}9]")
    '... 7, 7, 7, 7, 7, 7, 8, 1], not ... 7, 7, 7, 7, 7, 7, 9], from character 1,202 on'
    """
    if len(got) <= _LINE and len(due) <= _LINE:
        return f"{got}, not {due}"
    differ = (i for i, (one, other) in enumerate(zip(got, due, strict=False)) if one != other)
    same = next(differ, min(len(got), len(due)))
    start = max(0, same - _BEFORE)
    shown = [("... " if start else "") + text[start : start + _LINE] for text in (got, due)]
    shown = [one + (" ..." if len(text) > start + _LINE else "") for one, text in zip(shown, (got, due), strict=True)]
    return f"{shown[0]}, not {shown[1]}" + (f", from character {same + 1:,} on" if start else "")


def is_beyond_rounding(row: dict[str, Any]) -> bool:
    """Whether a float is nearly right, but farther off than rounding accounts for."""
    return row["kind"] == "wrong" and is_near(row["number"], row["low"], row["high"])


def _json(value: Any) -> Any:
    try:
        return encode(value)
    except TypeError:
        return str(value)


def _count_events(n: int | None, kind: str = "") -> str:
    return f"{n or 0:,} {kind}event{'' if n == 1 else 's'}"
