"""Events that go astray by a rule of their own: by the clock, by the text of their times, at the seams of a load.

Each is a mistake that a job of somebody who knew nothing of the causes had, and that was told wrongly or not at all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby, pairwise
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from support.faults.mistakes import few
from support.faults.planted import (
    GAP,
    HOUR,
    ROWS,
    SUM,
    TEXT,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    draw_events,
    in_order,
    left_out,
    parted,
    rows,
)

STRETCHES: Final = {"a": range(241, 263), "b": range(190, 225)}
"""Of some keys a range of times."""
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


def lend(w: World, by: int) -> list[Came]:
    """Events with the value of the one before, or after, of its key."""
    found = list[Came]()
    for mine in by_key(w.events).values():
        values = [e.value for e in in_order(mine)]
        lent = [0, *values[:-1]] if by > 0 else [*values[1:], 0]
        found += [replace(e, value=value) for e, value in zip(in_order(mine), lent, strict=True)]
    return found


def in_zones(seed: int) -> list[Came]:
    """Events of four zones, whatever their keys."""
    dice = Random(seed)
    return [replace(e, others=(dice.choice(("north", "east", "south", "west")),)) for e in draw_events(seed, "int")]


def add_two_hours(time: int) -> int:
    """When clocks of Berlin show what those of UTC+02:00 do."""
    shown = datetime.fromtimestamp(time // 1_000_000, UTC).replace(tzinfo=None) + timedelta(hours=2)
    return int(shown.replace(tzinfo=BERLIN).timestamp()) * 1_000_000 + time % 1_000_000


def by_text(events: Iterable[Came]) -> list[Came]:
    return sorted(events, key=lambda e: (str(e.time), e.seq))


def page(events: Iterable[Came], size: int, *, again: bool = False) -> list[Came]:
    """What pages of so many events hold, each of times after the last one of the page before; or from it on."""
    rest, read = sorted(events, key=lambda e: (e.time, e.seq)), list[Came]()
    while rest:
        read += rest[:size]
        last = rest[:size][-1].time
        rest = [e for e in rest if e.time > last or (again and e.time == last)] if len(rest) > size else []
    return read


def load(events: Sequence[Came], size: int, *, again: bool = False) -> list[Came]:
    """What loads of so many events take, each of what is later than all there is; or of all that came, if as late."""
    there = list[Came]()
    for i in range(0, len(events), size):
        latest = max((e.time for e in there), default=-(10**9))
        came = events[0 if again else i : i + size]
        there += [e for e in came if e.time > latest or (again and e.time == latest)]
    return there


def last_run(w: World) -> list[Row]:
    """Windows made of what came of their key without another one's in between; the last one of a window is left."""
    made: dict[tuple[str, int], list[Came]] = {}
    for key in sorted({e.key for e in w.events}):
        for a, run in groupby((e for e in w.events if e.key == key), key=lambda e: e.time // 10 * 10):
            made[key, a] = list(run)
    return [w.row(key, a, a + 10, sum(e.value for e in held)) for (key, a), held in made.items()]


def evicting_one(w: World) -> list[Row]:
    """Frames of which one event goes for each that comes, where that is too old."""
    made: list[Row] = []
    for key in sorted({e.key for e in w.events}):
        held: list[Came] = []
        for e in sorted((e for e in w.events if e.key == key), key=lambda e: (e.time, e.seq)):
            held = [*held, e][held[:1] != [] and held[0].time < e.time - 9 :]
            made.append(w.row(key, e.time, e.seq, sum(x.value for x in held)))
    return made


def by_hours(events: Sequence[Came]) -> Windows:
    """Frames of hours, of times that are cut to hours."""
    for e in events:
        yield e.time, e.seq, [x for x in events if -9 <= x.time // HOUR - e.time // HOUR <= 0]


def from_the_hour(events: Sequence[Came]) -> Windows:
    """Frames from a full hour on."""
    for e in events:
        yield e.time, e.seq, [x for x in events if e.time // HOUR * HOUR - 9 * HOUR <= x.time <= e.time]


def a_month(events: Sequence[Came]) -> Windows:
    """Frames that begin on the same day of the month before."""
    for e in events:
        at = datetime.fromtimestamp(e.time // 1_000_000, UTC)
        last = at.replace(day=1) - timedelta(days=1)
        begin = (last if at.day > last.day else last.replace(day=at.day)).timestamp() * 1_000_000
        yield e.time, e.seq, [x for x in events if begin + e.time % 1_000_000 <= x.time <= e.time]


def count_from_one(events: Sequence[Came]) -> Windows:
    """Counts of events that are numbered from one on, the first of which has one less."""
    for a in range(0, len(events) // 5 * 5, 5):
        yield a + 1, a + 5, list(events[max(0, a - 1) : a + 4])


def moving(seed: int) -> list[Came]:
    """Events of four sensors, two of which stand elsewhere from some time on: a key is where one stands."""

    def place(sensor: str, time: int) -> str:
        return {"b": "a" if time < 90 else "b", "c": "c" if time < 40 else "a"}.get(sensor, sensor)

    return [replace(e, others=(e.key,), key=place(e.key, e.time)) for e in draw_events(seed, "int", n=160)]


def as_now(w: World) -> list[Row]:
    """What each sensor measured counts where it stands at last."""
    now = {e.others[0]: e.key for e in sorted(w.events, key=lambda e: (e.time, e.seq))}
    return w.make(events=[replace(e, key=now[e.others[0]]) for e in w.events])


def filled_in(w: World) -> list[Row]:
    """Events without a value have that of the one before."""
    made: list[Came] = []
    last: dict[str, int] = {}
    for e in sorted(w.events, key=lambda e: (e.time, e.seq)):
        last |= {} if e.value is None else {e.key: e.value}
        made += [replace(e, value=last[e.key])] if e.key in last else []
    return w.make(events=made)


def not_cleared(w: World, *, pause: bool) -> list[Row]:
    """Windows that go on with the sum of the one before: after a pause, or where there is none."""
    made: list[Row] = []
    for r in w.make():
        before = made[-1] if made and made[-1]["key"] == r["key"] else None
        go_on = before is not None and (r["window_start"] > before["window_end"]) is pause
        made.append({**r, "result": r["result"] + (before["result"] if go_on and before else 0)})
    return made


def of_any_key(w: World) -> list[Row]:
    """Sessions that end where no event of any key came for the gap."""
    ordered = sorted(w.events, key=lambda e: (e.time, e.seq))
    pauses = {e.seq: e.time - before.time for before, e in pairwise(ordered)}
    return w.make(windows=lambda events: parted(events, lambda run, e: pauses[e.seq] >= 6))


STRAYING: Final = (
    Plant("a gap to any key", "sessions parted otherwise", *GAP, of_any_key, events=few("large", n=160)),
    Plant(
        "a gap without whole days",
        "sessions parted otherwise",
        "session 6h",
        "sum",
        lambda w: w.make(
            windows=lambda events: parted(
                events, lambda run, e: (e.time - run[-1].time) % (24 * HOUR) >= 6 * HOUR, 6 * HOUR
            )
        ),
        {"unit": HOUR},
        events=few("large", n=160, unit=4 * HOUR),
    ),
    Plant("where it stands now", "key of another event", *SUM, as_now, events=moving, columns=("sensor",)),
    Plant(
        "filled though it is to be skipped",
        "null filled",
        "tumbling 10",
        "mean",
        filled_in,
        {"nulls": "skip"},
        events=few("null", n=160),
    ),
    Plant(
        "not cleared after a pause",
        "state kept",
        "tumbling 5",
        "sum",
        partial(not_cleared, pause=True),
        events=few("large", n=160),
    ),
    Plant(
        "cleared after a pause alone",
        "state kept",
        "tumbling 5",
        "sum",
        partial(not_cleared, pause=False),
        events=few("large", n=160),
    ),
    Plant(
        "one evicted for one that comes", "evicted one by one", "range -9 0", "sum", evicting_one, events=few("large")
    ),
    Plant(
        "frames by times cut to the hour",
        "times truncated",
        "range -9h 0",
        "sum",
        lambda w: w.make(windows=by_hours),
        {"unit": HOUR},
        events=in_autumn(29, 90),
    ),
    Plant(
        "frames from the full hour on",
        "times truncated",
        "range -9h 0",
        "sum",
        lambda w: w.make(windows=from_the_hour),
        {"unit": HOUR},
        events=in_autumn(29, 90),
    ),
    Plant(
        "a month for thirty days",
        "another range",
        "range -720h 0",
        "sum",
        lambda w: w.make(windows=a_month),
        {"unit": HOUR},
        events=in_autumn(24 * 60, 90),
    ),
    Plant(
        "counted from one",
        "counted from elsewhere",
        "count 5",
        "sum",
        lambda w: w.make(windows=count_from_one),
        events=few("large"),
    ),
    Plant(
        "pages after the last time",
        "left out by a load",
        *SUM,
        lambda w: w.make(events=page(w.events, 10)),
        events=few("large", n=260),
    ),
    Plant(
        "loads of what is later than all there is",
        "left out by a load",
        *SUM,
        lambda w: w.make(events=load(w.events, 30)),
        events=few("large", n=160),
    ),
    Plant(
        "loads of what is as late as what is there",
        "left out by a load",
        *SUM,
        lambda w: w.make(events=load(w.events, 20, again=True)),
        events=few("large", n=160),
    ),
    Plant(
        "pages from the last time on",
        "loaded twice",
        *SUM,
        lambda w: w.make(events=page(w.events, 20, again=True)),
        events=few("large", n=160),
    ),
    Plant(
        "both ends of a load",
        "loaded twice",
        "tumbling 25",
        "sum",
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.time % 10 == 0))]),
        events=few("large", n=160),
    ),
    Plant(
        "a stretch of each of two keys twice",
        "batch replayed",
        "tumbling 5",
        "sum",
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.time in STRETCHES.get(e.key, ())))]),
        events=few("large", n=260),
    ),
    Plant("the last unbroken run", "one part of several", *SUM, last_run, events=few("large", n=160)),
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
    Plant("the value of the event before", "columns out of line", *SUM, lambda w: w.make(events=lend(w, 1))),
    Plant("the value of the event after", "columns out of line", *SUM, lambda w: w.make(events=lend(w, -1))),
    Plant(
        "nothing from a time on",
        "some times left out",
        *SUM,
        lambda w: left_out(w, lambda e: e.time >= 66),
    ),
    Plant(
        "another column for the key",
        "another column",
        *SUM,
        lambda w: w.make(events=[replace(e, key=e.others[0]) for e in w.events]),
        events=in_zones,
        columns=("zone",),
    ),
    Plant(
        "joined by key and column",
        "result multiplied",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for x in w.events if (x.key, x.others) == (e.key, e.others)]),
        events=in_zones,
        columns=("zone",),
    ),
    Plant(
        "each event by itself",
        "partial results",
        *SUM,
        lambda w: [{**r, "result": e.value} for r in w.make(result=list) for e in r["result"]],
    ),
    Plant(
        "no result that is as the one before",
        "result lost",
        "tumbling 10",
        "count",
        lambda w: [
            r
            for before, r in pairwise([{}, *w.make()])
            if (before.get("key"), before.get("result")) != (r["key"], r["result"])
        ],
        events=few(n=400),
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
