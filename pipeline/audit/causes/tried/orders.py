"""In which order a job may have taken the right events of a window: of arrival, of values, of times as text."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.divided import list_parts
from swagproof.pipeline.audit.tables import Tick

_CLOCKS: Final[Mapping[str, Callable[[datetime], str]]] = {
    ", the hour without a zero before it": lambda at: f"{at.hour}:{at:%M:%S.%f}",
    ", of a clock of twelve hours": lambda at: f"{at:%I:%M:%S.%f %p}",
    ", the day of the month first": lambda at: f"{at:%d.%m.%Y %H:%M:%S.%f}",
    ", the month first": lambda at: f"{at:%m/%d/%Y %H:%M:%S.%f}",
}
"""Texts of a time that do not sort as times do."""

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

    def ordered(cause: str, why: str, key: Callable[[Event], Any], *, reverse: bool = False) -> Hypothesis:
        return Hypothesis(
            cause,
            f"aggregates {why}",
            content=lambda es: sorted(es, key=key, reverse=reverse) if len(es) > 1 else es,
        )

    yield ordered("arrival order", "in the order of arrival", lambda e: e.arrival)
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
    for said, write in list_writings(sample.tick):
        yield ordered("time as text", f"in the order of times as text{said}", partial(rank_text, write))
    for said, of in list_parts(sample):
        yield from _list_merges(said, of)


def _list_merges(said: str, of: Callable[[Event], int]) -> Iterator[Hypothesis]:
    def sorting(why: str, key: Callable[[Event], Any]) -> Hypothesis:
        return Hypothesis("merge order", f"{why} ({said})", content=lambda es: sorted(es, key=key), divides=True)

    yield sorting("aggregates partial aggregates one after the other", lambda e: (of(e), *e[:2]))
    yield sorting("aggregates partial aggregates in the order of arrival", lambda e: (of(e), e.arrival))
    yield sorting("aggregates partial aggregates, the last first", lambda e: (-of(e), *e[:2]))
