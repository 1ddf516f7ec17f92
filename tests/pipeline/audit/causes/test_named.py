"""Who computes other windows than those that are asked for is told which: by each way in which results name windows.

The results are right ones of another window, made by its definition: the audit has to say just that window, by which
all is right.  Who cuts anywhere is told none.
"""

import shlex
from random import Random
from typing import Any

import pytest
from support.auditing import Row, run

from swagproof.models.windows.text import Unit, parse_window
from swagproof.models.windows.window import Event

HOUR = 3_600_000_000
ENDS = {"both": ("window_start", "window_end"), "begin": ("window_start",), "end": ("window_end",)}
ASKED: dict[tuple[Unit, int], dict[str, tuple[str, ...]]] = {
    ("plain", 1): {
        "tumbling 10": ("tumbling 5", "tumbling 12", "tumbling 7", "sliding 20 every 10", "session 6"),
        "tumbling 10 offset 3": ("tumbling 14", "sliding 12 every 4"),
        "sliding 30 every 10": ("sliding 30 every 15", "sliding 24 every 8", "tumbling 15", "sliding 50 every 10"),
        "session 6": ("session 9", "session 4", "tumbling 12"),
        "count 8": ("count 10", "count 5", "count 8 every 4"),
        "count 8 every 4": ("count 8", "count 6 every 2"),
        "count 8 by arrival": ("count 6 by arrival",),
    },
    ("us", 7 * HOUR): {
        "tumbling 1d": ("tumbling 3d", "tumbling 1 month in UTC", "tumbling 6h"),
        "tumbling 1 day in Europe/Berlin": ("tumbling 1 week in Europe/Berlin", "tumbling 1 month in Asia/Tokyo"),
        "tumbling 1 week in America/New_York": ("tumbling 1 day in America/New_York", "tumbling 30d"),
        "tumbling 3 months in UTC": ("tumbling 1 month in UTC",),
        "session 8h": ("tumbling 1d",),
    },
}
NAMES = ("another range", "another gap", "a pane short", "a pane long", "one window too many", "windows moved")
CASES = [
    (unit, step, asked, done, ends)
    for (unit, step), of in ASKED.items()
    for asked, those in of.items()
    for done in those
    for ends in ENDS
    if not (ends == "begin" and done.startswith("count") and "every" in done)  # the first ones begin at once
]


def draw(step: int, shift: int = 0) -> list[Row]:
    """Events of four keys, some out of order, some at once, with pauses."""
    dice, now, events = Random(11), 0, list[Row]()
    for seq in range(260):
        now += dice.choice((0, 0, 1, 1, 1, 2)) if dice.random() < 0.96 else 17
        time = (now - (dice.randint(1, 25) if dice.random() < 0.2 else 0)) * step + shift
        value = dice.choice((1, 1, 1, -1)) * dice.randint(1, 999)
        events.append({"key": dice.choice("aabcd"), "time": time, "seq": seq, "value": value})
    return events


def compute(events: list[Row], window: str, unit: Unit, ends: str) -> list[Row]:
    """The sums of a window, by its definition."""
    made = list[Row]()
    for key in sorted({row["key"] for row in events}):
        mine = [Event(row["time"], row["value"], row["seq"]) for row in events if row["key"] == key]
        for x in parse_window(window, unit).extents(mine):
            begin, end = (x.begin, x.end) if x.at is None else (x.at - len(x.events) + 1, x.at)
            named = {"window_start": begin, "window_end": end}
            total = sum(e.value for e in x.events)
            made.append({"key": key, **{name: named[name] for name in ENDS[ends]}, "result": total})
    return made


@pytest.mark.parametrize(("unit", "step", "asked", "done", "ends"), CASES, ids=lambda it: str(it).replace(" ", "-"))
@pytest.mark.drawn(3)
def test_who_computes_another_window_is_told_which(unit: Unit, step: int, asked: str, done: str, ends: str) -> None:
    events = draw(step)
    results = compute(events, done, unit, ends)
    options: dict[str, Any] = {} if unit == "plain" else {"time_unit": unit}
    report = run(events, results, asked, "sum", **options)
    assert report.outcome == "violated"
    first = report.causes[0]
    assert first["explains"] == report.looked["findings"], report.causes
    assert first["cause"] in NAMES
    if first["say"].startswith("--window"):
        (window,) = shlex.split(first["say"])[1:]
        assert run(events, results, window, "sum", **options).outcome == "conforms"


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("asked", ["tumbling 10", "sliding 30 every 10", "session 6"])
@pytest.mark.drawn(1)
def test_who_cuts_anywhere_is_told_no_window(asked: str, ends: str) -> None:
    """Parts of 1 to 8 events of a key, of which each is said to begin with its first and to end after its last."""
    events, dice, results = draw(1), Random(5), list[Row]()
    for key in "abcd":
        mine = sorted((row for row in events if row["key"] == key), key=lambda row: (row["time"], row["seq"]))
        while mine:
            n = dice.randint(1, 8)
            part, mine = mine[:n], mine[n:]
            named = {"window_start": part[0]["time"], "window_end": part[-1]["time"] + 1}
            made = {name: named[name] for name in ENDS[ends]}
            results.append({"key": key, **made, "result": sum(row["value"] for row in part)})
    report = run(events, results, asked, "sum")
    assert report.outcome == "violated"
    assert not [one for one in report.causes if one["say"] or one["cause"] in NAMES]
