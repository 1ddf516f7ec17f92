"""What a job may have taken for the days and months of a zone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Calendar, Ends, find_zone
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, Window
from swagproof.pipeline.audit.causes.tried.windows import move_times

_ZONES: Final = (
    "UTC", "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago", "America/Los_Angeles",
    "America/Sao_Paulo", "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip
"""Zones that servers and people are in."""


def list_calendars(sample: Sample) -> Iterator[Hypothesis]:
    """Units of another zone, without summer time, or counted from elsewhere."""
    window = sample.window
    if not isinstance(window, Calendar):
        return

    def with_windows(cause: str, why: str, other: Calendar) -> Hypothesis:
        return Hypothesis(cause, why, windows=partial(sample.split, other))

    for zone in _ZONES:
        if zone != window.zone:
            yield with_windows("time zone", f"its {window.unit}s are those of {zone}", replace(window, zone=zone))
    closed: Ends = "right" if window.closed == "left" else "left"
    yield with_windows("ends", f"its windows are closed at the {closed}", replace(window, closed=closed))
    for by in range(1, min(window.slide, 12)):
        why = f"its windows begin {by} {window.unit}s later"
        yield with_windows("windows moved", why, replace(window, offset=(window.offset + by) % window.slide))
    for cause, why, n in (("a pane short", "short", -1), ("a pane long", "long", 1)):
        if window.range + n > 0:

            def longer(events: list[Event], n: int = n) -> Iterator[Window]:
                for w in sample.split(replace(window, range=window.range + n), events):
                    end = window.start(window.number(w.a + (window.closed == "right")) + window.range)
                    yield Window(w.a, end, w.events)

            yield Hypothesis(cause, f"its windows are one {window.unit} too {why}", windows=longer)
    hour = 3600 * window.second
    for hours in (*range(-12, 0), *range(1, 15)):
        why = f"counts events {abs(hours)}h {'later' if hours > 0 else 'earlier'} than they were"
        yield move_times(hours * hour, "time zone", f"{why}, as in another time zone")
    for sign, said in ((-1, "winter time all year"), (1, "an hour of summer time too many")):

        def moved(all_: Events, sign: int = sign) -> Events:
            return {
                key: sorted([e._replace(time=e.time + sign * _find_summer(window, e.time)) for e in es])
                for key, es in all_.items()
            }

        yield Hypothesis("time zone", f"counts events by {said}", events=moved)
    for step in (-1, 1):
        yield move_times(step, "ends", f"counts events a tick {'later' if step > 0 else 'earlier'} than they were")


def _find_summer(window: Calendar, time: int) -> int:
    at = datetime.fromtimestamp(time // window.second, find_zone(window.zone))
    return int((at.dst() or timedelta()).total_seconds()) * window.second
