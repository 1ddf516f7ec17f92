"""Two mistakes at once, of which one alone shows nothing, as it is in what all results have."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.mistakes import few
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


def without_small(w: World, leaves: Callable[[], bool]) -> list[Row]:
    kept = [e for e in w.events if e.value >= 20 or not leaves()]
    return w.make(events=kept, windows=lambda e: fixed(e, 20, 20, offset=7))


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
    Plant(
        "days from six on, without what came at night",
        "time zone + some times left out",
        "tumbling 24h",
        "count",
        lambda w: w.make(
            events=[e for e in w.events if e.time // HOUR % 24 >= 5],
            windows=lambda e: fixed(e, 24 * HOUR, 24 * HOUR, offset=6 * HOUR),
        ),
        {"unit": HOUR},
        events=few(unit=HOUR, n=400),
    ),
    Plant(
        "windows moved, without what is small",
        "windows moved + some values left out",
        "tumbling 20",
        "sum",
        lambda w: without_small(w, lambda: True),
        events=few(n=400),
    ),
    Plant(
        "a source twice, and the clock of one key behind",
        "doubled by another column + times moved",
        "tumbling 12",
        "sum",
        lambda w: w.make(
            events=[
                replace(e, time=e.time - 3 * (e.key == "c"))
                for e in w.events
                for _ in range(1 + (e.others[0] == "till"))
            ],
        ),
        events=few(n=400),
        columns=("source",),
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
    "leaves out values below": Plant(
        "windows moved, without something of what is small",
        "",
        "tumbling 20",
        "sum",
        lambda w: without_small(w, lambda: w.draw.random() < 0.5),
        events=few(n=400),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
