"""Dates and clocks that are read by another form than that in which they were written: hours of a clock of twelve, and
days for months.

What is read lies months from where it was: so none of this is told by a short time.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding, find_zone
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Events, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.extents.calendars import read_clock, show_clock

_HOUR: Final = 3600
Read = Callable[[int], int | None]
"""What is taken for what clocks show; None where that is no time."""


def list_dates(sample: Sample) -> Iterator[Hypothesis]:
    """Times read wrongly, as the clocks show them that the windows go by."""
    window = sample.window
    if sample.tick is None or not isinstance(window, Sliding | Session | Calendar):
        return
    second, zone = get_second(sample.tick), window.zone if isinstance(window, Calendar) else "UTC"
    forms: dict[str, Read] = {
        f"takes hours after noon for those before it{said}": partial(_read_by_noon, _HOUR * second, least, noon)
        for said, least, noon in (("", 12, 0), (", but for the first", 13, 0), (", and midnight for noon", 13, 12))
    }
    months = "takes the day for the month, and the month for the day"
    forms[months] = partial(_swap_month, second, False)
    forms[f"{months}, and leaves out events where there is no such month"] = partial(_swap_month, second, True)
    for why, read in forms.items():
        events = partial(_read_all, zone, second, read)
        yield Hypothesis("times read wrongly", why, events=events, bits=RARE, mixes=True)


def _read_all(zone: str, second: int, read: Read, all_: Events) -> Events:
    """The events at the times that are taken for what the clocks of a zone show."""
    own = find_zone(zone)
    found: Events = {}
    for key, events in all_.items():
        made = ((e, read(show_clock(own, second, e.time))) for e in events)
        there = [e._replace(time=read_clock(own, second, shown)) for e, shown in made if shown is not None]
        found[key] = sorted(there, key=time_and_arrival)
    return found


def _read_by_noon(hour: int, least: int, midnight: int, shown: int) -> int:
    """What a clock of twelve shows: from `least` on twelve hours less, and `midnight` at midnight."""
    at = shown // hour % 24
    return shown + hour * (-12 if at >= least else midnight if at == 0 else 0)


def _swap_month(second: int, lost: bool, shown: int) -> int | None:
    at = datetime.fromtimestamp(shown // second, UTC)
    if at.day > 12:
        return None if lost else shown
    return shown + int((at.replace(day=at.month, month=at.day) - at).total_seconds()) * second
