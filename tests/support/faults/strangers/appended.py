"""Runs that are appended where they should replace what was there; stretches that are just a day; and beside each."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from support.faults.kept_back import HOUR
from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World

OF_HOURS: Final = {"unit": HOUR}
DAY: Final = 24 * HOUR


def in_hours(seed: int) -> list[Came]:
    """Events of some days, of which some come late."""
    return few(n=260, unit=HOUR)(seed)


def on_time(seed: int) -> list[Came]:
    """The same in the order of their times."""
    events = in_hours(seed)
    times = sorted(e.time for e in events)
    return [Came(e.seq, e.key, time, e.value, e.watermark, e.others) for e, time in zip(events, times, strict=True)]


def append(w: World, other: Iterable[Row], of: Callable[[Row], bool]) -> list[Row]:
    """The right results, and some of those of another run."""
    return [*w.make(), *(r for r in other if of(r))]


def keep_older(w: World, other: Iterable[Row], of: Callable[[Row], bool]) -> list[Row]:
    """The right results, in place of some of which those of an older run stand."""
    there = {(r["key"], r["window_start"]): r for r in other if of(r)}
    return [there.get((r["key"], r["window_start"]), r) for r in w.make()]


def is_in(first: int, last: int) -> Callable[[Row], bool]:
    """Whether a window begins on these days."""
    return lambda r: bool(first * DAY <= r["window_start"] < (last + 1) * DAY)


def so_often(w: World, times: int, of: Callable[[Came], bool]) -> list[Row]:
    """Results of events some of which count so often."""
    return w.make(events=[e for e in w.events for _ in range(times if of(e) else 1)])


def is_on(first: int, last: int) -> Callable[[Came], bool]:
    """Whether an event is of these days."""
    return lambda e: first * DAY <= e.time < (last + 1) * DAY


def guess(w: World) -> list[Row]:
    """Results that are off by anything."""
    return w.answers(lambda x: x + w.draw.choice((-1, 1)) * w.draw.randint(1, 10**6))


def draw_two(w: World) -> list[Row]:
    """Windows that have two results, none of which is right."""
    those: Any = is_in(1, 2)
    return [r for r in w.make() if not those(r)] + [r for _ in "ab" for r in guess(w) if those(r)]


APPENDED: Final = (
    Plant(
        "a day appended of every other event",
        "not replaced",
        "tumbling 6h",
        "sum",
        lambda w: append(w, w.make(events=[e for e in w.events if e.seq % 2]), is_in(2, 2)),
        OF_HOURS,
        events=in_hours,
    ),
    Plant(
        "what was known by some event appended",
        "not replaced",
        "tumbling 12h",
        "mean",
        lambda w: append(w, w.make(events=w.events[:120]), lambda r: True),
        OF_HOURS,
        events=in_hours,
    ),
    Plant(
        "what another version wrote of a key appended",
        "not replaced",
        "tumbling 8h",
        "sum",
        lambda w: append(
            w, w.make(result=lambda held: sum(map(abs, (e.value for e in held)))), lambda r: r["key"] == "a"
        ),
        OF_HOURS,
        events=in_hours,
    ),
    Plant(
        "anything appended",
        "not replaced",
        "tumbling 6h",
        "sum",
        lambda w: append(w, guess(w), is_in(1, 2)),
        OF_HOURS,
        events=in_hours,
    ),
    Plant(
        "a day in two periods",
        "batch replayed",
        "tumbling 6h",
        "sum",
        lambda w: so_often(w, 2, is_on(3, 3)),
        OF_HOURS,
        events=on_time,
    ),
    Plant(
        "a day in two periods, of which some comes late",
        "batch replayed",
        "tumbling 6h",
        "sum",
        lambda w: so_often(w, 2, is_on(1, 1)),
        OF_HOURS,
        events=in_hours,
    ),
    Plant(
        "a day in no period",
        "batch lost",
        "tumbling 20h",
        "count",
        lambda w: so_often(w, 0, is_on(4, 4)),
        OF_HOURS,
        events=on_time,
    ),
    Plant(
        "a day that is not replaced",
        "older state kept",
        "tumbling 6h",
        "sum",
        lambda w: keep_older(w, w.make(events=w.events[:113]), is_in(2, 3)),
        OF_HOURS,
        events=in_hours,
    ),
)

TOLD: Final = {
    "a day that is not replaced": "only what had come before event 113, as where an older result stayed",
    "a day appended of every other event": "leaves, of windows of 1970-01-03 (UTC), an incomplete result beside",
    "what was known by some event appended": "an older result beside the right one, as of a run that holds what had",
    "what another version wrote of a key appended": "leaves, of key",
    "anything appended": "another result beside the right one, of which nothing tells",
    "a day in two periods": "events of 1970-01-04 (UTC) twice, which are those that came from",
    "a day in two periods, of which some comes late": "events of 1970-01-02 (UTC) twice",
    "a day in no period": "events of 1970-01-05 (UTC), which are those that came from",
}
"""In which words they are told first."""

NEAR_APPENDED: Final[dict[str, Plant]] = {
    "not replaced": Plant(
        "two results, none of them right", "", "tumbling 6h", "sum", draw_two, OF_HOURS, events=in_hours
    )
}
"""For each cause a fault beside it."""

BESIDE_APPENDED: Final[dict[str, Plant]] = {
    "(UTC)": Plant(
        "most of a day twice",
        "",
        "tumbling 6h",
        "sum",
        lambda w: so_often(w, 2, lambda e: 3 * DAY + 2 * HOUR <= e.time < 4 * DAY - 2 * HOUR),
        OF_HOURS,
        events=on_time,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
