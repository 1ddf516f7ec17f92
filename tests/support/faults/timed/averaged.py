"""Means of the means of days, in weeks; and two mistakes of which one shows on a busy key alone; and beside them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.planted import Came, Plant, Row, Windows, World, draw_events, means_of_means
from support.faults.shared.parted import DAY, from_sunday, in_february

PARIS: Final = ZoneInfo("Europe/Paris")
WEEK: Final = ("tumbling 1 week in UTC", "mean")
UNIT: Final = {"unit": 1}


def of_days(
    w: World, day: Callable[[Came], object], windows: Callable[[Sequence[Came]], Windows] | None = None
) -> list[Row]:
    """The mean of the means of days."""
    return w.make(result=lambda held: float(means_of_means(held, day)), windows=windows)


def in_paris(e: Came) -> object:
    """The day there."""
    return datetime.fromtimestamp(e.time // 1_000_000, PARIS).date()


def uneven(seed: int) -> list[Came]:
    """Of which some days have many more than others."""
    return [e for e in in_february(seed) if e.time // DAY % 3 or e.seq % 4 == 0]


def one_busy(seed: int) -> list[Came]:
    """A key that has most events, and others."""
    drawn = draw_events(seed, "int", n=400)
    return [replace(e, key="a" if e.seq % 3 else e.key, value=e.value * 40) for e in drawn]


def to_end(events: Sequence[Came]) -> Windows:
    """Windows of ten that hold what is at their end in place of what is at their begin."""
    held: dict[int, list[Came]] = {}
    for e in events:
        held.setdefault((e.time - 1) // 10 * 10, []).append(e)
    for a, mine in sorted(held.items()):
        yield a, a + 10, mine


def in_16_bits(number: int) -> int:
    return (number + 2**15) % 2**16 - 2**15


AVERAGED: Final = (
    Plant(
        "means of days of weeks",
        "mean of means",
        *WEEK,
        lambda w: of_days(w, lambda e: e.time // DAY),
        UNIT,
        events=uneven,
    ),
    Plant(
        "means of days of Paris in its weeks",
        "mean of means",
        "tumbling 1 week in Europe/Paris",
        "mean",
        lambda w: of_days(w, in_paris),
        UNIT,
        events=uneven,
    ),
    Plant(
        "means of days in weeks from Sunday on",
        "windows moved + mean of means",
        *WEEK,
        lambda w: of_days(w, lambda e: e.time // DAY, from_sunday),
        UNIT,
        events=uneven,
    ),
    Plant(
        "what is at the end, and 16 bits, of which a busy key has too few",
        "ends + overflow",
        "tumbling 10",
        "sum",
        lambda w: w.make(windows=to_end, result=lambda held: in_16_bits(sum(e.value for e in held))),
        events=one_busy,
    ),
)

BESIDE_AVERAGED: Final[dict[str, Plant]] = {
    "the mean of partial means (each": Plant(
        "means of parts as they come",
        "",
        *WEEK,
        lambda w: of_days(w, lambda e: w.draw.randrange(4)),
        UNIT,
        events=uneven,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
