"""What an event is, in words: what it holds, when it was, how it stands to those that came before it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate, pairwise
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, find_zone
from swagproof.pipeline.audit.causes.differences import read_number
from swagproof.pipeline.audit.causes.sample import Event, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.weigh import MARGIN, count_choices
from swagproof.pipeline.audit.keys import show_key

_VALUES: Final = 40
"""How many values a column has at most that are told one by one."""
_BEFORE: Final = "the one before it of its key"
_DAYS: Final = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")


def list_columns(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Any]]]:
    """What an event has: its value, or several, and what is in other columns."""
    if len(sample.kinds) == 1:
        yield "value", _get_value
    else:
        yield from ((f"value {i + 1}", partial(_get_part, i)) for i in range(len(sample.kinds)))
    yield from ((name, partial(_get_other, i)) for i, name in enumerate(sample.columns))


def _get_value(event: Event) -> Any:
    return event.value


def _get_part(i: int, event: Event) -> Any:
    return event.value[i] if isinstance(event.value, tuple | list) else None


def _get_other(i: int, event: Event) -> Any:
    return event.others[i]


Placed = tuple[str, int, int, str, tuple[Any, ...]]
"""An event of a key, as what it holds tells it: without arrival numbers many may have the same."""


def place_event(key: str, e: Event) -> Placed:
    """Which event it is; those of which it is the same are alike in all."""
    return key, e.time, e.arrival, repr(e.value), e.others


def name_events(sample: Sample) -> dict[Placed, tuple[str, ...]]:
    """What each event is, in words that follow 'an event'."""
    columns = list(list_columns(sample))
    cells = {name: {repr(get(e)) for of in sample.events.values() for e in of} for name, get in columns}
    clock = make_clock(sample)
    tied, overtaken = _list_tied(sample), _list_overtaken(sample)
    found: dict[Placed, tuple[str, ...]] = {}
    for key, events in sample.events.items():
        times = Counter(e.time for e in events)
        stand = _name_order(events, columns, cells)
        latest: int | None = None
        for e in sort_arrived(events):
            kinds = [kind for name, get in columns for kind in _name_cell(name, get(e), len(cells[name]))]
            if times[e.time] > 1:
                kinds.append("that has its time in common with another one of its key")
            if latest is not None and e.time < latest:
                kinds.append("that came after a later one of its key")
            latest = e.time if latest is None else max(latest, e.time)
            kinds += stand.get((e.time, e.arrival), ())
            if e.arrival in tied:
                kinds.append("that has the time of the one before it, of all keys")
            if e.arrival in overtaken:
                kinds.append("that came after a later one")
            if sample.delay is not None and e.time < e.watermark:
                kinds.append("that the watermark had passed when it came")
            if clock is not None and (at := clock(e.time)) is not None:
                kinds += name_time(at)
            place = place_event(key, e)
            found[place] = (*found.get(place, ()), *kinds)
    return found


def _name_order(
    events: Collection[Event],
    columns: Collection[tuple[str, Callable[[Event], Any]]],
    cells: Mapping[str, Collection[str]],
) -> dict[tuple[int, int], list[str]]:
    """How the events of a key stand to the one before them, in the order of time and arrival."""
    ordered = sorted(events, key=time_and_arrival)
    found = {e[:2]: list[str]() for e in ordered}
    for before, e in pairwise(ordered):
        for name, get in columns:
            if len(cells[name]) > 1:
                same = repr(get(e)) == repr(get(before))
                found[e[:2]].append(
                    f"that has {'the' if same else 'another'} {name} {'of' if same else 'than'} {_BEFORE}"
                )
                if get(before) is None:
                    found[e[:2]].append(f"that comes right after one of its key whose {name} is null")
    return found


def describe_events(sample: Sample, which: Collection[int]) -> str:
    """What these events are, and few others, in words that follow 'each'; empty where chance does as much."""
    kinds: dict[str, set[int]] = {}
    for (_, _, arrival, *_), mine in name_events(sample).items():
        for kind in mine:
            kinds.setdefault(kind, set()).add(arrival)
    for key, events in sample.events.items() if len(sample.events) > 1 else ():
        kinds[f"of key {show_key(key)}"] = {e.arrival for e in events}
    n, k, those = len(sample.arrivals), len(which), set(which)
    fitting = {kind: mine for kind, mine in kinds.items() if those <= mine}
    best = min(fitting, key=lambda kind: len(fitting[kind]), default=None)
    if best is None:
        return ""
    all_ = len(fitting[best])
    worth = count_choices(n, k) - count_choices(all_, k) - log2(len(kinds))
    return f"an event {best}, as {all_:,} of {n:,} are" if worth >= MARGIN else ""


def _list_tied(sample: Sample) -> set[int]:
    """The events that have the time of one before them in the order of time and arrival."""
    ordered = sorted((e for events in sample.events.values() for e in events), key=time_and_arrival)
    return {e.arrival for before, e in pairwise(ordered) if e.time == before.time}


def _list_overtaken(sample: Sample) -> set[int]:
    """The events that came after one of a later time."""
    came = sort_arrived([e for events in sample.events.values() for e in events])
    latest = accumulate((e.time for e in came), max)
    return {e.arrival for e, most in zip(came, latest, strict=True) if e.time < most}


def _name_cell(column: str, cell: Any, n: int) -> Iterator[str]:
    if cell is None:
        yield f"whose {column} is null"
    elif isinstance(cell, str):
        if n <= _VALUES:
            yield f"whose {column} is {cell!r}"
        if cell != cell.strip() or not cell:
            yield f"whose {column} is empty, or has a blank at an end"
        if cell != cell.lower():
            yield f"whose {column} has a capital"
        if not cell.isascii():
            yield f"whose {column} is not ASCII"
    elif (number := read_number(cell)) is not None:
        if n <= _VALUES:
            yield f"whose {column} is {number:,.15g}"
        if number < 0:
            yield f"whose {column} is negative"
        elif number == 0 and n > _VALUES:
            yield f"whose {column} is 0"


def make_clock(sample: Sample) -> Callable[[int], datetime | None] | None:
    """What clocks show, those of a calendar's zone or of UTC; None where times are plain numbers."""
    if sample.tick is None:
        return None
    zone = find_zone(sample.window.zone) if isinstance(sample.window, Calendar) else UTC
    unit = 1 if sample.tick == "us" else 1000

    def show(ticks: int) -> datetime | None:
        try:
            return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // unit)).astimezone(zone)
        except OverflowError:
            return None

    return show


def name_time(at: datetime) -> Iterator[str]:
    """What may be said of a time of day, or of a day, in words."""
    yield f"from {at.hour}h to {at.hour + 1}h"
    yield f"on {_DAYS[at.weekday()]}"
    if at.day == 1:
        yield "on the first day of a month"
    if (at + timedelta(days=1)).day == 1:
        yield "on the last day of a month"
