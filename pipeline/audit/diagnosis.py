"""Why a result is wrong: the mistake that, made on the window's own events, gives just the answer that the job gave.

| diagnosis | the job's answer is that of |
|---|---|
| `null` | nothing: it is null |
| `off by one` | the window with an end too many or too few, or one event more or less at an end |
| `neighbouring window` | the window before or after |
| `shifted window` | a result for a window that is not one, with the answer that is due for one that overlaps it |
| `wrong order` | the events in the order of arrival, or newest first |
| `wrong tie` | events of equal time in another order than that of arrival, or without the later ones |
| `event left out`, `event counted twice` | all events but one; all events and one of them again |
| `late event left out`, `late event counted` | what is due under another policy |
| `beyond rounding` | the right sum, but farther off than rounding accounts for |
| `no result` | a window that was left out |
| `lost key`, `unknown key` | no key that there is: none of its results are there; it has no events |
| `not a window`, `no event` | a window that begins or ends elsewhere; one that holds no event |
| `not retracted`, `never said` | one that still stands beside a later one; a retraction of what was never said |
| `wrong version` | no events that had come by then, of one that was corrected later |
| `repeated` | the same window, again |
| `unexplained` | none of these |

Diagnoses are tried on the findings that are shown, where all events of a window were fetched; they say what would
explain an answer, not what the job did.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec, goes_by_number
from swagproof.oracle.trace import encode
from swagproof.pipeline.audit.rules import Aggregation, Kind
from swagproof.pipeline.audit.tables import Tick


@dataclass(frozen=True)
class Event:
    """An event, as a proof shows it."""

    time: int
    arrival: int
    value: Any
    watermark: int | None = None


@dataclass
class Found:
    """A finding, with the events that were fetched for it."""

    row: dict[str, Any]
    inside: list[Event] = field(default_factory=list[Event])
    """The first events of the window, in order."""
    around: list[Event] = field(default_factory=list[Event])
    """Events before and after them, in order."""
    key_has_results: bool = True
    key_has_events: bool = True


def format_time(ticks: int | None, tick: Tick) -> str:
    """A time for people.

    >>> format_time(1_357_020_000_000_000, "us"), format_time(7, None)
    ('2013-01-01T06:00:00Z', '7')
    """
    if ticks is None or tick is None:
        return str(ticks)
    micros, rest = (ticks, 0) if tick == "us" else divmod(ticks, 1000)
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    except OverflowError:
        return str(ticks)
    text = at.replace(tzinfo=None).isoformat()
    return f"{text}{f'{rest:03}' if rest and '.' in text else f'.{rest:09}' if rest else ''}Z"


@dataclass(frozen=True)
class Teller:
    """Tells what is wrong, in one sentence, and names the mistake."""

    window: WindowSpec
    aggregation: Aggregation
    kind: Kind
    tick: Tick
    arrivals: bool
    retracts: bool = False
    """Whether results are taken back before new ones come."""

    def name_window(self, row: dict[str, Any]) -> str:
        """Which window, for people."""
        key = ", ".join("null" if part is None else part for part in json.loads(row["key"]))
        prefix = f"{key}: " if key else ""
        a, b = row["a"], row["b"]
        if isinstance(self.window, Counted):
            return f"{prefix}events {b if a is None else a} to {b}" if b is not None else f"{prefix}events from {a}"
        if isinstance(self.window, Frame):
            return f"{prefix}row at {format_time(a, self.tick)}" + (f", arrival {b}" if b is not None else "")
        if a is None or b is None:
            return f"{prefix}window {'ends' if a is None else 'begins'} {format_time(b if a is None else a, self.tick)}"
        return f"{prefix}[{format_time(a, self.tick)}, {format_time(b, self.tick)})"

    def show_result(self, row: dict[str, Any]) -> str:
        """The job's result, for people."""
        got = row["got"] if row["number"] is None else json.dumps(encode(row["number"]))
        if got is None:
            return "null"
        return json.dumps(got) if self.kind == "text" else str(got)

    def show_due(self, row: dict[str, Any]) -> str:
        """The result that is due, for people."""
        if row["expected"] is None:
            return "null"
        return json.dumps(row["expected"]) if self.kind == "text" else str(row["expected"])

    def tell(self, found: Found) -> tuple[str, str]:
        """The diagnosis, and the sentence."""
        row = found.row
        diagnosis, why = self._explain(found)
        match row["kind"]:
            case "missing" if row["copies"]:
                said = f"{row['copies']:,} results, one for each event of that time is due"
            case "missing":
                said = f"no result; {self.show_due(row)} is due, of {_count_events(row['n'])}"
            case "extra":
                said = f"the result {self.show_result(row)}, where none is due"
            case "duplicate":
                said = f"{row['copies']:,} results, one is due"
            case "late-differing" if row["copies"] == 0:
                said = f"no result; {self.show_due(row)} is due, of {_count_events(row['n'])}"
            case "late-differing" if row["n"] is None:
                said = f"the result {self.show_result(row)}, where none is due"
            case _:
                said = f"{self.show_result(row)}, not {self.show_due(row)}"
        return diagnosis, f"{self.name_window(row)}: {said}{why and ': '}{why}"

    def _explain(self, found: Found) -> tuple[str, str]:
        row = found.row
        match row["kind"]:
            case "late-differing":
                return self._explain_late(row)
            case "duplicate":
                return ("not retracted", "the one before still stands") if self.retracts else ("repeated", "")
            case "missing":
                return ("no result", "") if found.key_has_results else ("lost key", "no result has this key")
            case "extra":
                return self._explain_extra(found)
            case _ if row["role"] == "retraction":
                return "never said", "it is retracted, but does not stand"
            case _ if row["role"] == "version":
                which = "an earlier version" if row["version"] is None else f"version {row['version']}"
                return "wrong version", f"{which} is not what any of the events that had come by then give"
            case _:
                return self._explain_wrong(found)

    def _explain_late(self, row: dict[str, Any]) -> tuple[str, str]:
        more = (row["n_other"] or 0) - (row["n"] or 0)
        if row["role"] == "all" and more >= 0:
            return "late event counted", f"right with {_count_events(more, 'late ')}, which the policy leaves out"
        if row["role"] == "on-time" and more <= 0:
            return "late event left out", f"right without {_count_events(-more, 'late ')}, which the policy counts"
        which = "counted" if row["role"] == "all" else "left out"
        return f"late event {which}", f"right if late events are {which}, which is not the policy"

    def _explain_extra(self, found: Found) -> tuple[str, str]:
        a, b = found.row["a"], found.row["b"]
        if not found.key_has_events:
            return "unknown key", "no event has this key"
        if isinstance(self.window, Sliding | Calendar | Counted) and not self.window.has(a, b):
            return "not a window", "no window begins and ends there"
        if not found.inside:
            return "no event", "no event is in it" if not isinstance(self.window, Frame) else "there is no such event"
        return "unexplained", ""

    def _explain_wrong(self, found: Found) -> tuple[str, str]:
        row = found.row
        if row["got"] is None and row["number"] is None:
            return "null", ""
        complete = len(found.inside) == row["n"]
        if complete:
            for diagnosis, why, events in self._list_mistakes(found):
                if events and self._gives(events, row):
                    return diagnosis, why
        if row["number"] is not None and row["low"] is not None and row["low"] < row["high"]:
            middle = (row["low"] + row["high"]) / 2
            if abs(row["number"] - middle) <= 1e-6 * max(abs(middle), abs(row["number"])):
                return "beyond rounding", f"rounding accounts for {row['low']!r} to {row['high']!r}"
        return (
            "unexplained",
            ""
            if complete or not found.inside
            else f"only {len(found.inside):,} of its {_count_events(row['n'])} were looked at",
        )

    def _gives(self, events: list[Event], row: dict[str, Any]) -> bool:
        operation = self.aggregation.operation
        try:
            product = reduce(operation.combine, [operation.lift(event.value) for event in events])
            answer = self.aggregation.answer(product, as_text=self.kind == "text")
        except Exception:  # the operation may be the user's own
            return False
        return self.aggregation.agrees(answer, row["got"], row["number"], self.kind)

    def _list_mistakes(self, found: Found) -> Iterator[tuple[str, str, list[Event]]]:
        """Mistakes, each with the events that it would aggregate, in its order."""
        inside, around = found.inside, found.around
        first, last = (inside[0], inside[-1]) if inside else (None, None)
        before = [event for event in around if first is not None and _at(event) < _at(first)]
        after = [event for event in around if last is not None and _at(event) > _at(last)]
        a, b = found.row["a"], found.row["b"]
        if isinstance(self.window, Sliding) and a is not None and b is not None:
            yield from self._move_ends(inside, before, after, a, b)
        elif not isinstance(self.window, Session):
            yield "off by one", "one event too many at its beginning", [*before[-1:], *inside]
            yield "off by one", "one event too many at its end", [*inside, *after[:1]]
            yield "off by one", "one event too many at both ends", [*before[-1:], *inside, *after[:1]]
            yield "off by one", f"without its first event, {self.name_event(first)}", inside[1:]
            if goes_by_number(self.window):
                yield "off by one", f"without its last event, {self.name_event(last)}", inside[:-1]
        if isinstance(self.window, Frame) and self.window.unit == "range":
            for i in range(len(inside) - 1, 0, -1):
                if inside[i].time != inside[-1].time:
                    break
                yield "wrong tie", f"without the later events of {format_time(a, self.tick)}", inside[:i]
        yield "wrong order", "in the order of arrival, not of time", sorted(inside, key=lambda event: event.arrival)
        yield (
            "wrong tie",
            "events of equal time not in the order of arrival",
            sorted(inside, key=lambda event: (event.time, -event.arrival)),
        )
        yield "wrong order", "newest first", inside[::-1]
        yield (
            "wrong tie",
            "events of equal time not in the order of arrival",
            sorted(inside, key=lambda event: (event.time, _sortable(event.value))),
        )
        timely = [event for event in inside if not self._came_late(event)]
        if len(timely) < len(inside) - 1:
            behind = _count_events(len(inside) - len(timely))
            yield "event left out", f"without the {behind} that came behind the watermark", timely
        for i in sorted(range(len(inside)), key=lambda i: not self._came_late(inside[i])):
            late = "the late " if self._came_late(inside[i]) else ""
            yield "event left out", f"without {late}{self.name_event(inside[i])}", [*inside[:i], *inside[i + 1 :]]
        for i, event in enumerate(inside):
            yield "event counted twice", f"with {self.name_event(event)} twice", [*inside[: i + 1], *inside[i:]]

    def _move_ends(
        self, inside: list[Event], before: list[Event], after: list[Event], a: int, b: int
    ) -> Iterator[tuple[str, str, list[Event]]]:
        end = [event for event in after if event.time == b]
        rest = [event for event in inside if event.time > a]
        slide = self.window.slide if isinstance(self.window, Sliding) else 0
        if end:
            yield "off by one", f"with {self.name_event(end[0])} at its end, which is not in it", [*inside, *end]
        if len(rest) < len(inside):
            why = f"without {self.name_event(inside[0])} at its beginning, which is in it"
            yield "off by one", why, rest
            yield "off by one", "its end in place of its beginning belongs to it", [*rest, *end]
        everything = [*before, *inside, *after]
        for step, which in ((-slide, "before"), (slide, "after")):
            moved = [event for event in everything if a + step <= event.time < b + step]
            yield "neighbouring window", f"that of the window {which} it", moved

    def _came_late(self, event: Event) -> bool:
        return event.watermark is not None and event.time < event.watermark

    def name_event(self, event: Event | None) -> str:
        """An event, for people."""
        if event is None:
            return ""
        which = f" {event.arrival}" if self.arrivals else ""
        return f"event{which} ({format_time(event.time, self.tick)})"

    def make_proof(self, found: Found, is_late: Callable[[Event], bool]) -> str:
        """The events that a window has, the first of them, as JSON."""
        events = [
            {"arrival": event.arrival if self.arrivals else None, "time": event.time, "value": _json(event.value)}
            | ({"late": True} if is_late(event) else {})
            for event in found.inside
        ]
        return json.dumps({"n": found.row["n"] or len(events), "events": events})


def _at(event: Event) -> tuple[int, int]:
    return event.time, event.arrival


def _sortable(value: Any) -> Any:
    return value if isinstance(value, str) else str(value)


def _json(value: Any) -> Any:
    try:
        return encode(value)
    except TypeError:
        return str(value)


def _count_events(n: int | None, kind: str = "") -> str:
    return f"{n or 0:,} {kind}event{'' if n == 1 else 's'}"
