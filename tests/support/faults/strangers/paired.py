"""Two mistakes at once, of which one alone shows nothing, as it is in what all results have."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.planted import HOUR, Came, Plant, Row, World, draw_events, fixed
from support.faults.strangers.misread import named_days

TOKYO: Final = ZoneInfo("Asia/Tokyo")


def spelled(keys: Sequence[str], unit: int = 1, n: int = 260) -> Callable[[int], list[Came]]:
    """Events whose keys are written in several ways."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, key=dice.choice(keys)) for e in draw_events(seed, "int", n=n, unit=unit)]

    return draw


def merged(w: World, form: Callable[[str], str]) -> World:
    return replace(w, events=[replace(e, key=form(e.key)) for e in w.events])


def closed(w: World, width: int) -> list[Row]:
    """Windows that hold the events at their end, too."""
    made = list[Row]()
    for key in sorted({e.key for e in w.events}):
        mine = [e for e in w.events if e.key == key]
        for a, b, _ in fixed(mine, width, width):
            made.append(w.row(key, a, b, sum(e.value for e in mine if a <= e.time <= b)))
    return made


PAIRED: Final = (
    Plant(
        "keys in small letters, and days of UTC, where one key stays what it is",
        "time zone + keys merged",
        "tumbling 1 day in Asia/Tokyo",
        "sum",
        lambda w: merged(w, str.lower).make(windows=lambda e: named_days(e, TOKYO)),
        {"unit": HOUR},
        events=spelled(("de", "DE", "fr"), HOUR),
    ),
    Plant(
        "keys in capitals, and days of UTC, where no key is what it was",
        "time zone + keys merged",
        "tumbling 1 day in Asia/Tokyo",
        "count",
        lambda w: merged(w, str.upper).make(windows=lambda e: named_days(e, TOKYO)),
        {"unit": HOUR},
        events=spelled(("de", "DE", "fr", "FR"), HOUR),
    ),
    Plant(
        "keys without their spaces, and closed ends",
        "ends + keys merged",
        "tumbling 10",
        "sum",
        lambda w: closed(merged(w, str.strip), 10),
        events=spelled(("x", "x ", "y", " y")),
    ),
)

BESIDE_PAIRED: Final[dict[str, Plant]] = {
    "takes keys that differ in capitals or spaces for one": Plant(
        "keys in small letters now and then, and days of UTC",
        "",
        "tumbling 1 day in Asia/Tokyo",
        "sum",
        lambda w: merged(w, lambda key: key.lower() if w.draw.random() < 0.5 else key).make(
            windows=lambda e: named_days(e, TOKYO)
        ),
        {"unit": HOUR},
        events=spelled(("de", "DE", "fr"), HOUR),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
