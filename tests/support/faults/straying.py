"""Events that go astray by a rule of their own: by the clock, by the text of their times, at the seams of a load.

Each is a mistake that a job of somebody who knew nothing of the causes had, and that was told wrongly or not at all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.mistakes import few
from support.faults.planted import HOUR, ROWS, TEXT, Came, Plant, Row, Windows, World, draw_events, rows

BERLIN: Final = ZoneInfo("Europe/Berlin")
AUTUMN: Final = int(datetime(2024, 10, 26, 18, tzinfo=UTC).timestamp()) * 1_000_000
"""Six hours before clocks of Berlin are put back."""


def in_autumn(minutes: int, n: int = 260) -> Callable[[int], list[Came]]:
    """Events around the hour that is there twice, a tick of the drawn ones as long as said."""

    def draw(seed: int) -> list[Came]:
        unit = minutes * 60_000_000
        dice = Random(seed)
        return [replace(e, time=AUTUMN + e.time * unit + dice.randrange(unit)) for e in draw_events(seed, "int", n=n)]

    return draw


def read_clock(time: int, fold: int) -> int:
    """When clocks of Berlin show what they show at a time, read as the first of two such times, or the second."""
    shown = (datetime.fromtimestamp(time // 1_000_000, UTC).astimezone(BERLIN)).replace(fold=fold)
    return int(shown.astimezone(UTC).timestamp()) * 1_000_000 + time % 1_000_000


def retimed(w: World, change: Callable[[int], int]) -> list[Row]:
    return w.make(events=[replace(e, time=change(e.time)) for e in w.events])


def add_two_hours(time: int) -> int:
    """When clocks of Berlin show what those of UTC+02:00 do."""
    shown = datetime.fromtimestamp(time // 1_000_000, UTC).replace(tzinfo=None) + timedelta(hours=2)
    return int(shown.replace(tzinfo=BERLIN).timestamp()) * 1_000_000 + time % 1_000_000


def by_text(events: Iterable[Came]) -> list[Came]:
    return sorted(events, key=lambda e: (str(e.time), e.seq))


STRAYING: Final = (
    Plant(
        "times sorted as text",
        "time as text",
        *TEXT,
        lambda w: w.make(order=by_text),
        value="text",
        events=few("text"),
    ),
    Plant("rows by times as text", "time as text", *ROWS, lambda w: w.make(windows=text_rows), events=few()),
    Plant(
        "the second of an hour that is there twice",
        "time zone",
        "tumbling 1h",
        "sum",
        lambda w: retimed(w, lambda t: read_clock(t, 1)),
        {"unit": HOUR},
        events=in_autumn(2),
    ),
    Plant(
        "the first of an hour that is there twice",
        "time zone",
        "tumbling 1h",
        "sum",
        lambda w: retimed(w, lambda t: read_clock(t, 0)),
        {"unit": HOUR},
        events=in_autumn(2),
    ),
    Plant(
        "an hour that is there twice left out",
        "some times left out",
        "tumbling 3h",
        "sum",
        lambda w: w.make(events=[e for e in w.events if read_clock(e.time, 0) == read_clock(e.time, 1)]),
        {"unit": HOUR},
        events=in_autumn(2),
    ),
    Plant(
        "summer time all year",
        "time zone",
        "tumbling 1 day in Europe/Berlin",
        "sum",
        lambda w: retimed(w, add_two_hours),
        {"unit": HOUR},
        events=in_autumn(180, 160),
    ),
    Plant(
        "a maximum that is never evicted",
        "frame unbounded",
        "range -9h 0",
        "max",
        lambda w: w.make(
            result=lambda h: max(
                e.value for e in w.events if (e.key, e.time) <= (h[-1].key, h[-1].time) and e.key == h[-1].key
            )
        ),
        {"unit": HOUR},
        events=few(unit=HOUR),
    ),
)
"""The faults, one at a time."""


def text_rows(events: Sequence[Came]) -> Windows:
    return rows(by_text(events), -3, 0)
