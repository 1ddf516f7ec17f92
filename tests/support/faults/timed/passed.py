"""Events that come when a later window has begun, that go with their batch, or are in hours that are there twice; and
beside them what is like it, here and there."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import DELAY, HOUR, Came, Plant, Row, World, by_key, draw_events, in_order
from support.faults.timed.zoned import AUTUMN

_SECOND: Final = 1_000_000
LATE: Final = {"late": "drop", "watermark": str(DELAY)}
SLIDE: Final = ("sliding 40 every 10", "sum")
BERLIN: Final = int(datetime(2025, 10, 25, 18, tzinfo=UTC).timestamp())
"""Seven hours before clocks of Berlin are put back."""


def find_overtaken(events: list[Came], size: int) -> set[int]:
    """Those that come when an event of a later pane of their key has come."""
    newest: dict[str, int] = {}
    overtaken: set[int] = set()
    for e in events:
        if e.time // size < newest.setdefault(e.key, e.time // size):
            overtaken.add(e.seq)
        newest[e.key] = max(newest[e.key], e.time // size)
    return overtaken


def total_over_panes(w: World, added: Collection[int], taken: Collection[int], often: float = 1.0) -> list[Row]:
    """A running total, to which these events are not added, and of which those are not taken."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        comes, goes, total = dict[int, int](), dict[int, int](), 0
        for e in mine:
            pane = e.time // 10
            comes[pane] = comes.get(pane, 0) + (e.value if e.seq not in added or w.draw.random() >= often else 0)
            goes[pane] = goes.get(pane, 0) + (e.value if e.seq not in taken else 0)
        first = min(e.time // 10 for e in mine) - 3
        for pane in range(first, max(e.time // 10 for e in mine) + 1):
            total += comes.get(pane + 3, 0)
            if any(pane <= e.time // 10 <= pane + 3 for e in mine):
                made.append(w.row(key, pane * 10, pane * 10 + 40, total))
            total -= goes.get(pane, 0)
    return made


def in_one_window(w: World, is_that: Callable[[int, int], bool]) -> list[Row]:
    """What the watermark has passed when it comes is counted in one of its windows alone."""

    def result(held: list[Came]) -> int | None:
        return sum(e.value for e in held) if held else None

    made: list[Row] = []
    for r in w.make():
        a, b = r["window_start"], r["window_end"]
        held = [e for e in w.events if e.key == r["key"] and a <= e.time < b and w.takes(e, b)]
        kept = [e for e in held if e.time >= e.watermark or is_that(a, e.time)]
        got = result(kept)
        if got is not None:
            made.append({**r, "result": got})
    return made


def with_batches(seed: int) -> list[Came]:
    return [replace(e, others=(1 + e.seq // 20,)) for e in few(n=260)(seed)]


def of_batch(w: World, size: int, choose: Callable[[list[Came]], Came]) -> list[Row]:
    """All events of a batch at the time of one of them."""
    times: dict[int, int] = {}
    for number in {e.seq // size for e in w.events}:
        times[number] = choose([e for e in w.events if e.seq // size == number]).time
    return w.make(events=[replace(e, time=times[e.seq // size]) for e in w.events])


def of_any_batch(w: World) -> list[Row]:
    """Events at the time of any other one that came about then."""
    return w.make(events=[replace(e, time=w.events[max(0, e.seq - w.draw.randint(0, 20))].time) for e in w.events])


def around(second: int, minutes: int, n: int = 1200) -> Callable[[int], list[Came]]:
    """Events around some second."""

    def draw(seed: int) -> list[Came]:
        unit = minutes * 60 * _SECOND
        return [replace(e, time=second * _SECOND + e.time * unit) for e in draw_events(seed, "int", n=n)]

    return draw


def twice(turn: int, low: int, high: int, often: int) -> Callable[[World], list[Row]]:
    """Hours around a change of clocks, from one to another, lost or counted so often."""

    def make(w: World) -> list[Row]:
        hour, at = 3600 * _SECOND, turn * _SECOND
        return w.make(
            events=[e for e in w.events for _ in range(often if at + low * hour <= e.time < at + high * hour else 1)]
        )

    return make


def received_later(seed: int) -> list[Came]:
    """Events, and when they were received: some of them hours later."""
    dice = Random(seed)
    return [
        replace(e, others=((e.time + dice.choice((3, 3, 3, 5400, 9000)) * _SECOND) // _SECOND,))
        for e in around(BERLIN, 20, 420)(seed)
    ]


def on_day_of_receipt(w: World, often: float = 1.0) -> list[Row]:
    """The day of receipt, with the time of day of the event."""
    day = 86_400 * _SECOND
    return w.make(
        events=[
            replace(e, time=e.others[0] * _SECOND // day * day + e.time % day) if w.draw.random() < often else e
            for e in w.events
        ]
    )


def in_two_units(seed: int) -> list[Came]:
    """Values of which some were measured in another unit, and rounded when they were converted."""
    dice = Random(seed)
    drawn = [(e, dice.choice("CCFf"), dice.randint(-100, 350)) for e in few(n=260)(seed)]
    return [
        replace(e, value=(raw * 10 - 320) // 18 if unit in "Ff" else raw, others=(unit, raw)) for e, unit, raw in drawn
    ]


def as_measured(w: World, units: str) -> list[Row]:
    return w.make(events=[replace(e, value=e.others[1]) if e.others[0] in units else e for e in w.events])


def with_pauses(seed: int) -> list[Came]:
    """Events in order, of keys that are silent now and then."""
    dice, now = Random(seed), 0
    events: list[Came] = []
    for e in few(n=420)(seed):
        now += dice.choice((0, 1, 1, 2, 2, 3)) if dice.random() < 0.97 else 60
        events.append(replace(e, time=now))
    return events


def emptied(w: World, n: int, every: int, is_over: Callable[[int], bool], *, by_windows: bool) -> list[Row]:
    """Counts whose buffer is emptied after some pauses; what numbers windows goes on."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        held: list[Came] = []
        numbered = shown = 0
        for e in in_order(mine):
            if held and is_over(e.time - held[-1].time):
                held = []
            held.append(e)
            numbered += 1
            if by_windows and len(held) == n:
                made.append(w.row(key, shown * n + 1, shown * n + n, sum(it.value for it in held)))
                shown, held = shown + 1, []
            elif not by_windows and numbered % every == 0:
                made.append(w.row(key, max(1, numbered - n + 1), numbered, sum(it.value for it in held[-n:])))
    return made


def text_numbers(seed: int) -> list[Came]:
    return [replace(e, value=str(e.value)) for e in few("small", n=260)(seed)]


def first_that_is_set(held: list[Came]) -> Any:
    return next((e.value for e in held if e.value != "0"), held[0].value)


def mean_of_passed(w: World, often: float = 1.0) -> list[Row]:
    """A mean that adds what comes when a later window of its key has begun, and does not count it."""
    passed = find_overtaken(w.events, 20)

    def result(held: list[Came]) -> float | None:
        counted = [e for e in held if e.seq not in passed or w.draw.random() >= often]
        return sum(e.value for e in held) / len(counted) if counted else None

    return w.make(result=result)


PASSED: Final = (
    Plant(
        "late events subtracted that were not added",
        "panes taken off wrongly",
        *SLIDE,
        lambda w: total_over_panes(w, find_overtaken(w.events, 10), ()),
        events=few(n=260),
    ),
    Plant(
        "late events added that are not subtracted",
        "panes taken off wrongly",
        *SLIDE,
        lambda w: total_over_panes(w, (), find_overtaken(w.events, 10)),
        events=few(n=260),
    ),
    Plant(
        "late events in their last window alone",
        "late events counted elsewhere",
        *SLIDE,
        lambda w: in_one_window(w, lambda a, time: a == time // 10 * 10),
        LATE,
        events=few(n=260),
    ),
    Plant(
        "late events in their first window alone",
        "late events counted elsewhere",
        *SLIDE,
        lambda w: in_one_window(w, lambda a, time: a == time // 10 * 10 - 30),
        LATE,
        events=few(n=260),
    ),
    Plant(
        "the window of the first event of a batch",
        "counted with its batch",
        "tumbling 20",
        "sum",
        lambda w: of_batch(w, 20, lambda batch: batch[0]),
        events=with_batches,
        columns=("load",),
    ),
    Plant(
        "the time of the latest event of a batch",
        "counted with its batch",
        "tumbling 20",
        "max",
        lambda w: of_batch(w, 16, lambda batch: max(batch, key=lambda e: e.time)),
        events=few(n=260),
    ),
    Plant(
        "the first of two hours lost",
        "time zone",
        "tumbling 1 day in Europe/Berlin",
        "sum",
        twice(BERLIN + 7 * 3600, -1, 0, 0),
        {"unit": HOUR},
        events=around(BERLIN, 3),
    ),
    Plant(
        "the second of two hours lost",
        "time zone",
        "tumbling 1 day in America/New_York",
        "sum",
        twice(AUTUMN + 12 * 3600, 0, 1, 0),
        {"unit": HOUR},
        events=around(AUTUMN, 5),
    ),
    Plant(
        "both hours twice",
        "time zone",
        "tumbling 1 day in Europe/Berlin",
        "count",
        twice(BERLIN + 7 * 3600, -1, 1, 2),
        {"unit": HOUR},
        events=around(BERLIN, 5),
    ),
    Plant(
        "zeros as text that are taken for none",
        "zero as unset",
        "tumbling 20",
        "first",
        lambda w: w.make(result=first_that_is_set),
        value="text",
        events=text_numbers,
    ),
    Plant(
        "counts that a pause empties",
        "state begun again",
        "count 6",
        "sum",
        lambda w: emptied(w, 6, 6, lambda pause: pause > 40, by_windows=True),
        events=with_pauses,
    ),
    Plant(
        "sliding counts that a pause empties",
        "state begun again",
        "count 8 every 3",
        "sum",
        lambda w: emptied(w, 8, 3, lambda pause: pause > 40, by_windows=False),
        events=with_pauses,
    ),
    Plant(
        "the day on which it was received",
        "arrival for time",
        "tumbling 1h",
        "sum",
        on_day_of_receipt,
        {"unit": HOUR},
        events=received_later,
        columns=("received",),
    ),
    Plant(
        "one spelling of a unit not converted",
        "another column",
        "tumbling 20",
        "sum",
        lambda w: as_measured(w, "f"),
        events=in_two_units,
        columns=("unit", "raw"),
    ),
    Plant(
        "added to a mean and not counted when a later window has begun",
        "another count",
        "tumbling 20",
        "mean",
        mean_of_passed,
        events=few(n=260),
    ),
)

BESIDE_PASSED: Final[dict[str, Plant]] = {
    "when a later pane": Plant(
        "some late events subtracted that were not added",
        "",
        *SLIDE,
        lambda w: total_over_panes(w, find_overtaken(w.events, 10), (), often=0.5),
        events=few(n=260),
    ),
    "of their windows alone": Plant(
        "late events in any of their windows",
        "",
        *SLIDE,
        lambda w: in_one_window(w, lambda a, time: w.draw.random() < 0.5),
        LATE,
        events=few(n=260),
    ),
    "of two hours of which": Plant(
        "the hour before two hours lost",
        "",
        "tumbling 1 day in Europe/Berlin",
        "sum",
        twice(BERLIN + 7 * 3600, -3, -2, 0),
        {"unit": HOUR},
        events=around(BERLIN, 5),
    ),
    "empties a window": Plant(
        "counts that are emptied now and then",
        "",
        "count 8 every 3",
        "sum",
        lambda w: emptied(w, 8, 3, lambda _: w.draw.random() < 0.05, by_windows=False),
        events=with_pauses,
    ),
    "on the day of their": Plant(
        "the day of receipt for some",
        "",
        "tumbling 1h",
        "sum",
        lambda w: on_day_of_receipt(w, often=0.5),
        {"unit": HOUR},
        events=received_later,
        columns=("received",),
    ),
    "takes raw for the value": Plant(
        "any of all not converted",
        "",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=[replace(e, value=e.others[1]) if w.draw.random() < 0.3 else e for e in w.events]),
        events=in_two_units,
        columns=("unit", "raw"),
    ),
    "that come when a later window": Plant(
        "some added to a mean and not counted",
        "",
        "tumbling 20",
        "mean",
        lambda w: mean_of_passed(w, often=0.5),
        events=few(n=260),
    ),
}
"""For each way, by what is said of it, a fault that is none."""

NEAR_PASSED: Final[dict[str, Plant]] = {
    "counted with its batch": Plant(
        "the time of any event before",
        "",
        "tumbling 20",
        "sum",
        of_any_batch,
        events=with_batches,
        columns=("load",),
    ),
}
"""For each cause, a fault that is near it."""
