"""By which rules a job may begin the state of a window again, or not change it any more, and what each goes by."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from math import inf
from typing import Any, Final, Literal

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Sample, get_arrival, get_place
from swagproof.pipeline.audit.causes.spans import list_spans, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.divided import is_batch
from swagproof.pipeline.audit.causes.tried.events.lates import find_end

_TOUCHES: Final = 20_000
"""How many events in windows there are at most, where it is looked which others these have beside them."""
_UNEVEN: Final = 3.0
"""Bits of going by how many events came, which is a time where they come evenly."""
_AGAIN: Final = "state begun again"
_KEPT: Final = "older state kept"

Values = Mapping[Name, Sequence[float]]
"""A number of each event of a window, as they came; the first one has none, where it is no event's own."""


@dataclass(frozen=True)
class Rule:
    """What cuts windows where a number is beyond a limit."""

    cause: str
    read: Callable[[Foretold], Values]
    tell: Callable[[float], str]
    last: bool = True
    """Whether what came last is kept."""
    at: Literal["first", "last", "since"] = "last"
    """Whether the first, or the last, that is beyond is where it is cut; or any that is so far from the one before."""
    read_end: Callable[[Foretold], Mapping[Name, float]] | None = None
    """What the number is when windows are over, where one that is beyond then has nothing left to show."""
    spans: Sequence[int] = ()
    """The limits that people choose, where it is a time."""
    bits: float = 0.0
    """Of what it goes by, where that is unlikely."""

    def find(self, values: Sequence[float], limit: float) -> int:
        """How many events come before the cut; 0 where there is none."""
        if self.at == "since":
            cut = 0
            for i, value in enumerate(values):
                if value - values[cut] > limit:
                    cut = i
            return cut
        places = range(len(values)) if self.at == "first" else range(len(values) - 1, -1, -1)
        return next((i for i in places if values[i] > limit), 0)

    def find_most(self, values: Sequence[float]) -> float:
        """The least limit with which it is not cut."""
        return values[-1] - values[0] if self.at == "since" else max(values)

    def list_limits(self, values: Sequence[float], cuts: frozenset[int]) -> Iterator[float]:
        """The least limits with which it is cut there."""
        if self.at == "since":
            yield from (values[i - 1] - values[0] for i in cuts)
        else:
            beside = (values[i + 1 :] if self.at == "last" else values[:i] for i in cuts)
            yield from (max(some, default=-inf) for some in beside)


def list_rules(sample: Sample, found: Foretold, goes_back: Events | None) -> Iterator[Rule]:
    """The rules that there may be, of windows that hold what is foretold; and the events whose watermark goes back."""
    begins = "begins the state of a window again when"
    for clock in list_clocks(sample):
        pause, of_key = partial(_read_pauses, clock.read), partial(_read_pauses_of_key, sample, clock.read)
        told = f"{begins} its next event comes more than {{}} after the one before, as where state expires"
        over = partial(_read_last_pauses, sample, clock.read)
        yield Rule(_AGAIN, pause, partial(clock.tell, told), read_end=over, spans=clock.spans, bits=clock.bits)
        told = "begins the states of a key again when its next event comes more than {} after the one before"
        yield Rule(_AGAIN, of_key, partial(clock.tell, told), spans=clock.spans, bits=clock.bits)
        told = f"{begins} an event comes more than {{}} after its first"
        clocked = partial(_read_clock, clock.read)
        yield Rule(_AGAIN, clocked, partial(clock.tell, told), at="since", spans=clock.spans, bits=clock.bits)
        told = "takes no more events of a window when one comes more than {} after its first"
        ages = partial(_read_ages, clock.read)
        yield Rule(_KEPT, ages, partial(clock.tell, told), last=False, at="first", spans=clock.spans, bits=clock.bits)
    yield Rule(
        "trimmed",
        partial(_read_numbers, from_end=True),
        lambda n: f"counts the last {int(-n) - 1:,} events of each window to come",
        at="first",
    )
    yield Rule(
        "trimmed",
        partial(_read_numbers, from_end=False),
        lambda n: f"counts the first {int(n) + 1:,} events of each window to come",
        last=False,
        at="first",
    )
    if sample.whole and sum(len(part.events) for parts in found.values() for part in parts) <= _TOUCHES:
        yield Rule(
            _AGAIN,
            _read_others,
            lambda n: (
                f"holds the states of {int(n) + 1:,} windows, those that had an event last, and begins that of another "
                "one again"
            ),
        )
        yield Rule(
            _AGAIN,
            _read_younger,
            lambda n: (
                f"holds the states of {int(n) + 1:,} windows, lets the oldest one go when there are more, and begins "
                "it again"
            ),
        )
    if sample.delay is not None and isinstance(sample.window, Sliding | Calendar):
        yield from _list_marks(sample, goes_back)


def _list_marks(sample: Sample, goes_back: Events | None) -> Iterator[Rule]:
    """Rules by how far the watermark is past the end of a window."""
    if goes_back is not None:
        yield Rule(
            _AGAIN,
            partial(_read_passed, sample, goes_back),
            lambda n: "begins the state of a window again when the watermark was past its end since its last event",
        )
        return

    def tell(n: float) -> str:
        by = show_span(abs(int(n)), sample.tick)
        where = "its end" if not n else f"{by} {'after' if n > 0 else 'before'} its end"
        return f"once the watermark is at {where}"

    read, every = partial(_read_marks, sample), partial(_read_marks, sample, but_first=False)
    alone = "updates without state"
    yield Rule(alone, read, lambda n: f"holds of a window the last event alone {tell(n)}")
    yield Rule(_AGAIN, every, lambda n: f"begins the state of a window again {tell(n)}", at="first")
    yield Rule(
        _KEPT,
        read,
        lambda n: f"takes no more events of a window {tell(n)}, but for its first",
        last=False,
        at="first",
    )


_Read = Callable[[Event], float | None]


@dataclass(frozen=True)
class Clock:
    """What tells how long ago something was."""

    read: _Read
    show: Callable[[float], str]
    by: str
    spans: Sequence[int] = ()
    """The spans that people choose, where it is a time."""
    bits: float = 0.0
    """Of choosing it, where few would."""

    def tell(self, said: str, n: float) -> str:
        """What is so with this limit."""
        return f"{said.format(self.show(n))}, by {self.by}"


def list_clocks(sample: Sample) -> Iterator[Clock]:
    """Columns that go up as events come, the latest time so far, of all or of the key, and arrival numbers."""
    came = sort_arrived([e for events in sample.events.values() for e in events])
    for i, column in enumerate(sample.columns):
        cells: list[Any] = [e.others[i] for e in sample.came]
        numbers = all(isinstance(cell, int) for cell in cells)
        if numbers and len(set(cells)) > 1 and cells == sorted(cells) and not is_batch(sample, i):
            yield Clock(partial(_get_cell, i), _show_number, column)
    spans = list_spans(sample.tick) if sample.tick is not None else ()
    show = partial(_show_span, sample)
    if sample.whole:
        latest = _find_latest(came)
        yield Clock(lambda e: latest.get(e.arrival), show, "the latest time", spans)
    of_key = {n: at for events in sample.events.values() for n, at in _find_latest(sort_arrived(events)).items()}
    yield Clock(lambda e: of_key.get(e.arrival), show, "the latest time of its key", spans)
    yield Clock(lambda e: e.arrival, _show_number, "the order of arrival", bits=_UNEVEN)


def _find_latest(came: Sequence[Event]) -> dict[int, int]:
    """The latest time so far, by the arrival number of each event."""
    return dict(zip((e.arrival for e in came), accumulate((e.time for e in came), max), strict=True))


def _show_span(sample: Sample, n: float) -> str:
    return show_span(int(n), sample.tick)


def _show_number(n: float) -> str:
    return f"{n:,.0f}"


def _get_cell(i: int, e: Event) -> float | None:
    cell: float | None = e.others[i]
    return cell


def _read(found: Foretold, read: Callable[[Name, list[Event]], Sequence[float] | None]) -> Values:
    """What is read of each window that has one result."""
    made: dict[Name, Sequence[float]] = {}
    for name, parts in found.items():
        if len(parts) == 1 and len(parts[0].events) > 1:
            values = read(name, sort_arrived(parts[0].events))
            if values is not None:
                made[name] = values
    return made


def _read_clock(clock: _Read, found: Foretold) -> Values:
    def read(_name: Name, came: list[Event]) -> Sequence[float] | None:
        there = [at for e in came if (at := clock(e)) is not None]
        return there if len(there) == len(came) else None

    return _read(found, read)


def _read_pauses(clock: _Read, found: Foretold) -> Values:
    read = _read_clock(clock, found)
    return {name: [-inf, *(b - a for a, b in pairwise(ats))] for name, ats in read.items()}


def _read_last_pauses(sample: Sample, clock: _Read, found: Foretold) -> Mapping[Name, float]:
    """How long before a window was over its last event came; nothing of those of which it is not known."""
    came = sample.came
    marks, ats = [e.watermark for e in came], [clock(e) for e in came]
    if sample.delay is None or marks != sorted(marks):
        return {}
    made: dict[Name, float] = {}
    for name, parts in found.items():
        end = find_end(sample, name)
        if len(parts) == 1 and parts[0].events and end is not None:
            closed, last = ats[bisect_left(marks, end) - 1], clock(max(parts[0].events, key=get_arrival))
            if closed is not None and last is not None:
                made[name] = closed - last
    return made


def _read_ages(clock: _Read, found: Foretold) -> Values:
    return {name: [-inf, *(at - ats[0] for at in ats[1:])] for name, ats in _read_clock(clock, found).items()}


def _read_pauses_of_key(sample: Sample, clock: _Read, found: Foretold) -> Values:
    """The longest pause of the key up to each event, since the one before of its window."""
    pauses: dict[str, tuple[list[int], list[float]]] = {}
    for key, events in sample.events.items():
        came = sort_arrived(events)
        ats = [at if (at := clock(e)) is not None else -inf for e in came]
        pauses[key] = [e.arrival for e in came], [-inf, *(b - a for a, b in pairwise(ats))]

    def read(name: Name, came: list[Event]) -> Sequence[float]:
        numbers, mine = pauses.get(name[0], ([], []))
        return [-inf, *(_find_greatest(numbers, mine, a, b) for a, b in pairwise(came))]

    return _read(found, read)


def _find_greatest(numbers: Sequence[int], values: Sequence[float], before: Event, e: Event) -> float:
    """The greatest of what goes with the arrivals after the one event, up to the other."""
    return max(values[bisect_right(numbers, before.arrival) : bisect_right(numbers, e.arrival)], default=-inf)


def _read_numbers(found: Foretold, *, from_end: bool) -> Values:
    """How many events come before each, or, below zero, from it on."""
    return _read(found, lambda _, came: [i - len(came) if from_end else i or -inf for i in range(len(came))])


def _read_marks(sample: Sample, found: Foretold, *, but_first: bool = True) -> Values:
    """How far the watermark is past the last tick of the window, when an event comes; not for its first one, or so."""

    def read(name: Name, came: list[Event]) -> Sequence[float] | None:
        end = find_end(sample, name)
        if end is None:
            return None
        marks = [e.watermark - end + 1 for e in came]
        return [-inf, *marks[1:]] if but_first else marks

    return _read(found, read)


def _read_passed(sample: Sample, events: Events, found: Foretold) -> Values:
    """How far past that the watermark has been since the event before, where it goes back, too."""
    came = sort_arrived([e for of_key in events.values() for e in of_key])
    numbers, marks = [e.arrival for e in came], [e.watermark for e in came]

    def read(name: Name, came: list[Event]) -> Sequence[float] | None:
        end = find_end(sample, name)
        if end is None:
            return None
        return [-inf, *(_find_greatest(numbers, marks, a, b) - end + 1 for a, b in pairwise(came))]

    return _read(found, read)


def _list_touches(found: Foretold) -> list[tuple[int, Name]]:
    single = ((name, parts[0]) for name, parts in found.items() if len(parts) == 1)
    return sorted(((e.arrival, name) for name, part in single for e in part.events), key=lambda it: (it[0], str(it[1])))


def _read_others(found: Foretold) -> Values:
    """How many other windows had an event since the one before."""
    made: dict[Name, list[float]] = {}
    held: OrderedDict[Name, None] = OrderedDict()
    for _, name in _list_touches(found):
        if name in held:
            since = next(n for n, other in enumerate(reversed(held)) if other == name)
            made[name].append(since)
            held.move_to_end(name)
        else:
            made[name] = [-inf]
            held[name] = None
    return {name: values for name, values in made.items() if len(values) > 1}


def _read_younger(found: Foretold) -> Values:
    """How many windows that are after it had an event before."""
    begun: list[tuple[int, int, str]] = []
    seen: set[Name] = set()
    made: dict[Name, list[float]] = {}
    for _, name in _list_touches(found):
        place = get_place(name), name[2] or 0, name[0]
        made.setdefault(name, []).append(sum(other > place for other in begun) if name in seen else -inf)
        if name not in seen:
            seen.add(name)
            begun.append(place)
    return {name: values for name, values in made.items() if len(values) > 1}
