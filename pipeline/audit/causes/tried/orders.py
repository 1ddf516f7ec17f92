"""In which order a job may have taken the right events of a window: of arrival, of values, of times as text, or of what
another column holds, which puts 10 before 9 where it is read as text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, get_arrival
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.divided import list_parts
from swagproof.pipeline.audit.tables import Tick

_CLOCKS: Final[Mapping[str, Callable[[datetime], str]]] = {
    ", the hour without a zero before it": lambda at: f"{at.hour}:{at:%M:%S.%f}",
    ", of a clock of twelve hours": lambda at: f"{at:%I:%M:%S.%f %p}",
    ", the day of the month first": lambda at: f"{at:%d.%m.%Y %H:%M:%S.%f}",
    ", without the fraction of a second where it is zero": lambda at: at.isoformat().replace("+00:00", "Z"),
    ", the month first": lambda at: f"{at:%m/%d/%Y %H:%M:%S.%f}",
}
"""Texts of a time that do not sort as times do."""

_ONE_OF: Final = ("first", "last")
"""The answer is that of one event, which any part of a window that has it has, too."""
_USUAL: Final = -4.0
"""Bits that the order of arrival is plainer than others: whoever keeps the last that came in a variable has that."""

Write = Callable[[int], str]


def list_writings(tick: Tick) -> Iterator[tuple[str, Write]]:
    """How times may be written so that they sort otherwise: words, and the text of a time."""
    if tick is None:
        yield "", str
        return
    for said, clock in _CLOCKS.items():
        yield said, partial(_write_time, get_second(tick), clock)


def _write_time(second: int, clock: Callable[[datetime], str], time: int) -> str:
    at = datetime.fromtimestamp(time // second, UTC)
    return clock(at.replace(microsecond=time % second * 1_000_000 // second))


def rank_text(write: Write, event: Event) -> tuple[str, int]:
    """By the text of its time, then as it came."""
    return write(event.time), event.arrival


def _rank(event: Event) -> tuple[bool, Any]:
    """By the value; null is before all."""
    return event.value is not None, event.value


def list_orders(sample: Sample) -> Iterator[Hypothesis]:
    """Another order of the right events."""
    if sample.aggregation.operation.commutative:
        return

    own = sample.aggregation.name.removeprefix("sql-")
    turned = 1.0 if own in ("arg-min", "arg-max") else 0.0  # an order says no more than which one of those that tie

    def ordered(
        cause: str, why: str, key: Callable[[Event], Any], *, reverse: bool = False, spare: float = 0.0
    ) -> Hypothesis:
        return Hypothesis(
            cause,
            f"aggregates {why}",
            content=lambda es: sorted(es, key=key, reverse=reverse) if len(es) > 1 else es,
            spare=turned if reverse else spare,
        )

    yield ordered("arrival order", "in the order of arrival", get_arrival, spare=_USUAL if own in _ONE_OF else 0.0)
    yield ordered("newest first", "from the newest event to the oldest", lambda e: e[:2], reverse=True)
    yield ordered("newest first", "from the last that came to the first", lambda e: e.arrival, reverse=True)
    yield ordered("tie broken otherwise", "the latest first of those of equal time", lambda e: (e.time, -e.arrival))
    values = sample.kinds[0] if len(sample.kinds) == 1 else ""
    if values in ("int", "float", "decimal", "text"):
        yield ordered("sorted", "in the order of values", _rank)
        yield ordered("sorted", "in the order of values, the greatest first", _rank, reverse=True)
        yield ordered("tie broken otherwise", "those of equal time by value", lambda e: (e.time, *_rank(e)))
        yield Hypothesis(
            "tie broken otherwise",
            "aggregates those of equal time by value, the greatest first",
            content=lambda es: sorted(sorted(es, key=_rank, reverse=True), key=lambda e: e.time),
        )
    if values in ("int", "float", "decimal"):
        yield ordered("sorted", "in the order of values as text", _rank_as_text)
    yield from _list_columns(sample, turned)
    for said, write in list_writings(sample.tick):
        yield ordered("time as text", f"in the order of times as text{said}", partial(rank_text, write))
    for said, of in list_parts(sample):
        yield from _list_merges(sample, said, of)


def _list_columns(sample: Sample, spare: float) -> Iterator[Hypothesis]:
    """The order of another column, those that have the same in it by time; or of arrival numbers as text."""
    ways: list[tuple[str, Callable[[Event], Any]]] = [("arrival numbers as text", _rank_arrival)]
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        numbers = not any(isinstance(cell, str) for cell in cells)
        if len(cells) > 1:
            ways.append((name, partial(_rank_cell, i, False)))
            ways += [(f"{name} as text", partial(_rank_cell, i, True))] if numbers else []
    for said, key in ways:
        for reverse, more in ((False, ""), (True, ", the greatest first")):
            why = f"aggregates in the order of {said}{more}"
            content = partial(_sort_by, key, reverse)
            yield Hypothesis("order of a column", why, content=content, spare=spare, bits=log2(2 * len(ways)))


def write_cell(cell: Any) -> str:
    """A number, or a text, as text."""
    if isinstance(cell, Fraction):
        return str(cell.numerator) if cell.denominator == 1 else repr(float(cell))
    return str(cell)


def _rank_as_text(event: Event) -> tuple[bool, Any]:
    return event.value is not None, write_cell(event.value)


def _rank_arrival(event: Event) -> str:
    return str(event.arrival)


def _rank_cell(i: int, as_text: bool, event: Event) -> tuple[bool, Any]:
    """By what a column holds; null is before all."""
    cell = event.others[i]
    return cell is not None, write_cell(cell) if as_text and cell is not None else cell


def _sort_by(key: Callable[[Event], Any], reverse: bool, events: Sequence[Event]) -> Sequence[Event]:
    return sorted(events, key=key, reverse=reverse) if len(events) > 1 else events


def _list_merges(sample: Sample, said: str, of: Callable[[Event], int]) -> Iterator[Hypothesis]:
    """Parts one after the other: what an order of all events foretells, too, is that, and no order of parts."""

    def sorting(why: str, key: Callable[[Event], Any], spare: float = 0.0) -> Hypothesis:
        content = partial(_sort, key)
        return Hypothesis("merge order", f"{why} ({said})", content=content, divides=True, spare=spare)

    spare = RARE if sample.aggregation.name.removeprefix("sql-") in _ONE_OF else 0.0
    yield sorting("aggregates partial aggregates one after the other", lambda e: (of(e), *e[:2]), spare)
    if not _are_in_turn(sample, of):
        yield sorting("aggregates partial aggregates in the order of arrival", lambda e: (of(e), e.arrival), RARE)
    yield sorting("aggregates partial aggregates, the last first", lambda e: (-of(e), *e[:2]), RARE)


def _sort(key: Callable[[Event], Any], events: Sequence[Event]) -> Sequence[Event]:
    return sorted(events, key=key)


def _are_in_turn(sample: Sample, of: Callable[[Event], int]) -> bool:
    """Whether each part of a key came when the one before was over, as batches do: then one after the other, each in
    the order of arrival, they are in that order all together."""
    keys = (sorted(events, key=get_arrival) for events in sample.events.values())
    return all(of(a) <= of(b) for came in keys for a, b in pairwise(came))
