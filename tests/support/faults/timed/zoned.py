"""Times of one source that are of another zone than those of the others; and beside them what is of none."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.planted import HOUR, Came, Plant, Row, World, draw_events

SPRING: Final = int(datetime(2025, 3, 29, 18, tzinfo=UTC).timestamp())
"""Seven hours before clocks of Berlin are put forward."""
AUTUMN: Final = int(datetime(2025, 11, 1, 18, tzinfo=UTC).timestamp())
"""Twelve hours before clocks of New York are put back."""
SUMMER: Final = int(datetime(2025, 7, 1, tzinfo=UTC).timestamp())
_SECOND: Final = 1_000_000

Read = Callable[[int], int]


def drawn(around: int, minutes: int, n: int = 320) -> Callable[[int], list[Came]]:
    """Events of three sources, around some second."""

    def draw(seed: int) -> list[Came]:
        unit = minutes * 60 * _SECOND
        dice = Random(seed)
        return [
            replace(
                e,
                time=around * _SECOND + e.time * unit + dice.randrange(unit // _SECOND) * _SECOND,
                others=(dice.choice(("web", "shop", "till")),),
            )
            for e in draw_events(seed, "int", n=n)
        ]

    return draw


def show(zone: str, time: int) -> int:
    """What clocks of a zone show at a time, read as UTC."""
    shown = datetime.fromtimestamp(time // _SECOND, ZoneInfo(zone)).replace(tzinfo=UTC)
    return int(shown.timestamp()) * _SECOND


def read(zone: str, time: int) -> int:
    """A time of UTC, read as if clocks of a zone showed it."""
    shown = datetime.fromtimestamp(time // _SECOND, UTC).replace(tzinfo=ZoneInfo(zone))
    return int(shown.timestamp()) * _SECOND


def of_shop(w: World, change: Read) -> list[Row]:
    """The events of one source at other times."""
    return w.make(events=[replace(e, time=change(e.time)) if e.others == ("shop",) else e for e in w.events])


def off_at_random(w: World) -> list[Row]:
    return of_shop(w, lambda t: t + w.draw.choice((1, 2, 3)) * 3600 * _SECOND)


ZONED: Final = (
    Plant(
        "one source by clocks of Berlin",
        "time zone",
        "tumbling 4h",
        "max",
        lambda w: of_shop(w, partial(show, "Europe/Berlin")),
        {"unit": HOUR},
        events=drawn(SPRING, 8),
        columns=("source",),
    ),
    Plant(
        "one source read by clocks of New York",
        "time zone",
        "tumbling 2h",
        "sum",
        lambda w: of_shop(w, partial(read, "America/New_York")),
        {"unit": HOUR},
        events=drawn(AUTUMN, 8),
        columns=("source",),
    ),
    Plant(
        "one source by clocks of Tokyo",
        "time zone",
        "tumbling 6h",
        "sum",
        lambda w: of_shop(w, partial(show, "Asia/Tokyo")),
        {"unit": HOUR},
        events=drawn(SUMMER, 10),
        columns=("source",),
    ),
    Plant(
        "one source an hour late all along",
        "times moved",
        "tumbling 4h",
        "sum",
        lambda w: of_shop(w, lambda t: t + 3600 * _SECOND),
        {"unit": HOUR},
        events=drawn(SPRING, 8),
        columns=("source",),
    ),
)

BESIDE_ZONED: Final[dict[str, Plant]] = {
    "what clocks of": Plant(
        "one source off by any hours",
        "",
        "tumbling 4h",
        "sum",
        off_at_random,
        {"unit": HOUR},
        events=drawn(SPRING, 8),
        columns=("source",),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
