"""Natural spans of time: the hour, day, week or month of which some events are just all.

A run of arrivals that is just a day may have been a batch, or the day: as where a join to periods that overlap doubles
what lies in both.  The data do not tell which, so both are said.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar
from swagproof.pipeline.audit.causes.once.described import make_clock
from swagproof.pipeline.audit.causes.sample import Sample


def name_span(sample: Sample, which: Collection[int]) -> str:
    """The least span of which these are all events there are, by their arrival numbers; empty where there is none."""
    events = chain.from_iterable(sample.events.values())
    return "" if sample.cut else find_span(sample, [(e.arrival in which, e.time) for e in events])


def find_span(sample: Sample, times: Sequence[tuple[bool, int]]) -> str:
    """The least span in which all times are that are inside, and no other one; empty where there is none."""
    clock = make_clock(sample)
    shown = [(inside, at) for inside, time in times if clock is not None and (at := clock(time)) is not None]
    if len(shown) < len(times) or all(inside for inside, _ in shown):
        return ""
    own = sample.window.zone if isinstance(sample.window, Calendar) else "UTC"
    for zone in dict.fromkeys((own, "UTC")):
        there = shown if zone == own else [(inside, at.astimezone(UTC)) for inside, at in shown]
        for read, tell in _SPANS:
            spans = {read(at) for inside, at in there if inside}
            if len(spans) == 1 and not any(read(at) in spans for inside, at in there if not inside):
                return f"{tell(*spans)} ({zone})"
    return ""


def name_cell(sample: Sample, which: Collection[int]) -> str:
    """What just these events have in another column, in words that follow 'events'; empty where there is nothing."""
    if sample.cut:
        return ""
    for i, column in enumerate(sample.columns):
        inside, outside = set[Any](), set[Any]()
        for e in chain.from_iterable(sample.events.values()):
            (inside if e.arrival in which else outside).add(e.others[i])
        if len(inside) == 1 and not inside & outside:
            return f"whose {column} is {inside.pop()!r}"
    return ""


def _read_hour(at: datetime) -> tuple[date, int, timedelta | None]:
    return at.date(), at.hour, at.utcoffset()


def _tell_hour(span: tuple[date, int, timedelta | None]) -> str:
    return f"{span[0]}, {span[1]}h to {span[1] + 1}h"


def _read_week(at: datetime) -> date:
    return at.date() - timedelta(days=at.weekday())


def _read_month(at: datetime) -> date:
    return at.date().replace(day=1)


_SPANS: Final[tuple[tuple[Callable[[datetime], Any], Callable[[Any], str]], ...]] = (
    (_read_hour, _tell_hour),
    (datetime.date, str),
    (_read_week, "the week from {} on".format),
    (_read_month, "{:%Y-%m}".format),
)
"""From the least on: of which span a moment is, and its name."""
