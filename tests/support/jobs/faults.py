"""One planted fault for each row of the tables of diagnoses, and a job near it that must not get its name."""

import statistics
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from typing import Any, Final
from zoneinfo import ZoneInfo

from support.jobs.planted import (
    AUTUMN,
    DELAY,
    HOUR,
    RESULTS,
    SPRING,
    Came,
    Fault,
    Row,
    World,
    by_key,
    counts,
    days,
    fixed,
    in_order,
    mean,
    parted,
    ranges,
    rows,
    sessions,
)

T, S = "tumbling 10", "sliding 30 every 10"
SUM, SLIDE, GAP, TEXT = (T, "sum"), (S, "sum"), ("session 6", "sum"), (T, "concatenation")
ROWS, RANGE = ("rows -3 0", "sum"), ("range -9 0", "sum")
BERLIN = ("tumbling 1 day in Europe/Berlin", "sum")


def total(held: Iterable[Came]) -> Any:
    """The sum of some events."""
    return sum(e.value for e in held)


def cut_by(w: World, group: Callable[[Came], Any]) -> list[Row]:
    """The results of each group of events by itself."""
    groups: dict[Any, list[Came]] = defaultdict(list)
    for e in w.events:
        groups[group(e)].append(e)
    return [r for mine in groups.values() for r in w.make(events=mine)]


def last_of(made: list[Row]) -> list[Row]:
    """One result of each window, the last."""
    return list({(r["key"], r["a"], r["b"]): r for r in made}.values())


def each_key(w: World, change: Callable[[list[Any]], list[Any]]) -> list[Row]:
    """The answers of each key's windows, in their order, changed."""
    made: list[Row] = []
    for key in by_key(w.events):
        mine = [r for r in w.make() if r["key"] == key]
        made += [{**r, "result": x} for r, x in zip(mine, change([r["result"] for r in mine]), strict=False)]
    return made


def of_all(w: World, delay: Callable[[Came], int]) -> list[Row]:
    """Return what is late is told by the latest time so far, less so much."""
    marks, latest = dict[int, int](), -(10**6)
    for e in w.events:
        marks[e.seq], latest = latest - delay(e), max(latest, e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


def of_keys(w: World) -> list[Row]:
    """Return what is late is told by the latest time of its key."""
    marks, latest = dict[int, int](), dict[str, int]()
    for e in w.events:
        marks[e.seq] = latest.get(e.key, -(10**6)) - DELAY
        latest[e.key] = max(latest.get(e.key, e.time), e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


def join_next(w: World, whole: bool = True) -> list[Row]:
    """Late events go to the next session of their key."""
    made = w.make()
    for e in w.events:
        later = [r for r in made if r["key"] == e.key and r["a"] > e.time]
        if e.watermark >= e.time + 6 and later:
            first = min(later, key=lambda r: r["a"])
            first["result"] += e.value if whole else w.dice.randint(100, 900)
    return made


def with_late(w: World, value: Callable[[Came], Any]) -> list[Row]:
    """Late events have a result of their own."""
    late = [
        (e, a, b)
        for mine in by_key(w.events).values()
        for a, b, held in w.cut(in_order(mine))
        for e in held
        if e.watermark >= b
    ]
    return [*w.make(), *({"key": e.key, "a": a, "b": b, "result": value(e)} for e, a, b in late)]


def of_versions(w: World, fold: Callable[[list[Any]], Any]) -> list[Row]:
    """All versions of each result, folded: the first of the events in time, then one with each late event."""
    made: list[Row] = []
    for key, mine in by_key(w.events).items():
        for a, b, held in w.cut(in_order(mine)):
            came = sorted(held, key=lambda e: e.seq)
            first = max(1, sum(e.watermark < b for e in held))
            versions = [total(came[:n]) for n in range(first, len(came) + 1)]
            made.append({"key": key, "a": a, "b": b, "result": fold(versions)})
    return made


def load(w: World, take: Callable[[Came, int], bool], size: int = 20, again: bool = False) -> list[Row]:
    """Batches of so many events are loaded, what is later than all before; again: what has the last time twice."""
    there, top = list[Came](), -(10**6)
    for i in range(0, len(w.events), size):
        batch = w.events[i : i + size]
        if again:
            there += [e for e in w.events[:i] if e.time == top and i]
            there += [e for e in batch if e.time >= top]
        else:
            there += [e for e in batch if take(e, top)]
        top = max(top, *(e.time for e in batch))
    return w.make(events=there)


def filled(w: World, value: Callable[[Any], Any]) -> list[Row]:
    """Windows without events between others have a result, too."""
    made = w.make()
    for key in by_key(w.events):
        mine = {r["a"]: r["result"] for r in made if r["key"] == key}
        before = None
        for a in range(min(mine), max(mine), 10):
            before = mine.get(a, before)
            if a not in mine:
                made.append({"key": key, "a": a, "b": a + 10, "result": value(before)})
    return made


def local(zone: str) -> Callable[[Came], int]:
    """The clock of a zone at an event, taken for UTC."""

    def at(e: Came) -> int:
        offset = datetime.fromtimestamp(e.time / 10**6, ZoneInfo(zone)).utcoffset()
        assert offset is not None
        return e.time + int(offset.total_seconds()) * 10**6

    return at


def single(x: Any) -> float:
    """The nearest float of 32 bits."""
    found: float = struct.unpack("f", struct.pack("f", float(x)))[0]
    return found


def by_state(w: World, own: bool = True) -> list[Row]:
    """Windows go over all keys; or each key has random ones."""
    merged = [replace(e, key=key) for key in "abcd" for e in w.events]
    there = {(r["key"], r["a"]) for r in w.make()}
    return [r for r in w.make(events=merged) if not own or (r["key"], r["a"]) in there]


def first_of(w: World, mark: Callable[[Came], Any]) -> list[Row]:
    """The first event of each mark."""
    return w.make(events=list({mark(e): e for e in reversed(in_order(w.events))}.values()))


def renamed(w: World, names: dict[str, str]) -> list[Row]:
    """The results under other keys."""
    return [{**r, "key": names.get(r["key"], r["key"])} for r in w.make()]


def spoilt_ends(w: World) -> list[Row]:
    """Windows hold some events at their end, by chance."""
    return w.make(
        cut=lambda events: (
            (a, b, held + [e for e in events if e.time == b and w.dice.random() < 0.5]) for a, b, held in w.cut(events)
        )
    )


def remainder(events: list[Came]) -> Iterable[tuple[int, int, list[Came]]]:
    """Tumbling windows whose begin is rounded towards zero."""
    held: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        held[int(e.time / 10) * 10].append(e)
    return ((a, a + 10, mine) for a, mine in sorted(held.items()))


def second_shift(w: World, by: int) -> list[Row]:
    """The hour from `AUTUMN` + 1 h on, which clocks of Berlin show again, counts at another time."""
    return w.moved(lambda e: e.time + by * (AUTUMN + HOUR <= e.time < AUTUMN + 2 * HOUR))


HOURS: Final[dict[str, Any]] = {"unit": HOUR, "begin": SPRING // HOUR - 60}
FALL: Final[dict[str, Any]] = {"unit": HOUR // 60, "begin": AUTUMN // (HOUR // 60) - 120}
DROP, UPDATE = "drop", "update"

FAULTS: Final = (
    # windows
    Fault("ends", *SUM, lambda w: w.make(fixed(10, 10, high=1)), spoilt_ends),
    Fault("a pane short", *SLIDE, lambda w: w.make(fixed(30, 10, low=10))),
    Fault("a pane long", *SLIDE, lambda w: w.make(fixed(30, 10, high=10))),
    Fault("another range", *SLIDE, lambda w: w.make(fixed(10, 10)), lambda w: w.named(a=10, b=10)),
    Fault("windows moved", *SUM, lambda w: w.make(fixed(10, 10, offset=3)), lambda w: w.moved(lambda e: e.time + 3)),
    Fault(
        "time zone",
        *BERLIN,
        lambda w: w.make(days("UTC", named="Europe/Berlin")),
        lambda w: w.make(days("Europe/Berlin", shift=5 * HOUR)),
        **HOURS,
    ),
    Fault("remainder below zero", *SUM, lambda w: w.make(remainder), lambda w: w.make(fixed(10, 10, offset=3))),
    Fault(
        "one window too many",
        "sliding 12 every 10",
        "sum",
        lambda w: w.make(fixed(12, 10, low=-2)),
        lambda w: w.make(fixed(12, 10, high=-1)),
    ),
    Fault("gap inclusive", *GAP, lambda w: w.make(sessions(6, touching=True)), lambda w: w.make(sessions(9, tail=6))),
    Fault(
        "gap exclusive",
        "session 6 touching",
        "sum",
        lambda w: w.make(sessions(6)),
        lambda w: w.make(sessions(4, tail=6)),
    ),
    Fault("another gap", *GAP, lambda w: w.make(sessions(12, tail=6)), lambda w: w.make(sessions(6, tail=0))),
    Fault(
        "sessions parted otherwise",
        *GAP,
        lambda w: w.make(parted(lambda run, e: e.time - run[0].time >= 6, 6)),
        lambda w: w.make(parted(lambda run, e: w.dice.random() < 0.4, 6)),
    ),
    Fault("cut at a batch", *GAP, lambda w: cut_by(w, lambda e: e.seq // 32), lambda w: cut_by(w, lambda e: e.seq % 2)),
    Fault(
        "parted by another column",
        *ROWS,
        lambda w: cut_by(w, lambda e: e.others[0]),
        lambda w: cut_by(w, lambda e: e.seq % 3),
        columns=True,
    ),
    Fault("frame off by one", *ROWS, lambda w: w.make(rows(-2, 0)), lambda w: w.make(rows(-1, 0))),
    Fault("frame centred", "rows -4 0", "sum", lambda w: w.make(rows(-2, 2)), lambda w: w.make(rows(0, 4))),
    Fault("frame unbounded", *ROWS, lambda w: w.make(rows(None, 0)), lambda w: w.make(rows(-9, 0))),
    Fault("ROWS for RANGE", "range unbounded 0", "sum", lambda w: w.make(rows(None, 0)), n=400),
    Fault("RANGE for ROWS", "rows unbounded 0", "sum", lambda w: w.make(ranges(None, 0)), n=400),
    Fault("null until full", *ROWS, lambda w: w.make(result=lambda h: total(h) if len(h) == 4 else None)),
    Fault("answered before full", "rows -3 0 full", "sum", lambda w: w.make()),
    Fault(
        "first windows left out",
        *SLIDE,
        lambda w: [r for r in w.make() if r["a"] >= min(e.time for e in w.events if e.key == r["key"])],
        lambda w: [r for i, r in enumerate(w.make()) if i % 9 != 4],
    ),
    Fault(
        "last windows left out",
        *SLIDE,
        lambda w: [r for r in w.make() if r["b"] <= max(e.time for e in w.events)],
        lambda w: [r for i, r in enumerate(w.make()) if i % 9 != 4],
    ),
    Fault(
        "time order",
        "count 5 by arrival",
        "sum",
        lambda w: w.make(counts(5)),
        lambda w: w.make(counts(5, lambda e: e.value)),
    ),
    # events
    Fault(
        "late events counted",
        *SUM,
        lambda w: w.make(takes=lambda e, end: True),
        lambda w: of_all(w, lambda e: DELAY + 6),
        late=DROP,
    ),
    Fault(
        "late events left out",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark < end),
        lambda w: w.kept(lambda e: e.seq % 9 != 4),
        late=UPDATE,
    ),
    Fault("another watermark", *SUM, of_keys, lambda w: of_all(w, lambda e: e.seq * 7 % 40), late=DROP, n=400),
    Fault("late by its time", *SUM, lambda w: w.make(takes=lambda e, end: e.watermark <= e.time), late=DROP),
    Fault(
        "late by a tick",
        "tumbling 2",
        "sum",
        lambda w: w.make(takes=lambda e, end: e.watermark <= end),
        lambda w: w.make(takes=lambda e, end: True),
        late=DROP,
    ),
    Fault(
        "late for its slice",
        *SLIDE,
        lambda w: w.make(takes=lambda e, end: e.watermark < e.time // 10 * 10 + 10),
        lambda w: w.make(takes=lambda e, end: e.watermark < end - 5),
        late=DROP,
    ),
    Fault(
        "out of order left out",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark + DELAY <= e.time),
        lambda w: w.kept(lambda e: e.seq % 5 != 2),
        late=DROP,
    ),
    Fault("late events counted elsewhere", *GAP, join_next, lambda w: join_next(w, False), late=DROP),
    Fault(
        "late events apart",
        *SUM,
        lambda w: with_late(w, lambda e: e.value),
        lambda w: with_late(w, lambda e: e.value + 7),
        late=DROP,
    ),
    Fault(
        "arrival for time",
        *SUM,
        lambda w: w.moved(lambda e: e.others[3]),
        lambda w: w.moved(lambda e: e.time + 3),
        columns=True,
    ),
    Fault(
        "duplicates left out",
        *SUM,
        lambda w: first_of(w, lambda e: (e.key, e.time)),
        lambda w: w.kept(lambda e: e.seq % 9 != 4),
    ),
    Fault(
        "batch lost",
        *SUM,
        lambda w: w.kept(lambda e: not 90 <= e.seq < 114),
        lambda w: w.kept(lambda e: e.seq % 11 != 4),
    ),
    Fault(
        "batch replayed",
        *SUM,
        lambda w: w.make(events=[*w.events, *w.events[90:114]]),
        lambda w: w.make(events=[*w.events, *w.events[::11]]),
    ),
    Fault(
        "left out by a load",
        *SUM,
        lambda w: load(w, lambda e, top: e.time > top),
        lambda w: load(w, lambda e, top: e.time > top - 12),
        columns=True,
    ),
    Fault(
        "loaded twice",
        *SUM,
        lambda w: load(w, lambda e, top: True, again=True),
        lambda w: w.make(events=[*w.events, *w.events[::13]]),
        columns=True,
    ),
    Fault(
        "filtered by another column",
        *SUM,
        lambda w: w.kept(lambda e: e.others[0] != "shop"),
        lambda w: w.kept(lambda e: e.seq % 3 != 1),
        columns=True,
    ),
    Fault(
        "doubled by another column",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.others[0] == "web"))]),
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.seq % 3 == 1))]),
        columns=True,
    ),
    Fault(
        "another column",
        *SUM,
        lambda w: w.valued(lambda e: e.others[2]),
        lambda w: w.valued(lambda e: e.seq),
        columns=True,
    ),
    Fault(
        "some values left out",
        *SUM,
        lambda w: w.kept(lambda e: e.value >= 0),
        lambda w: w.kept(lambda e: e.seq % 4 != 1),
    ),
    Fault("null as zero", T, "mean", lambda w: w.valued(lambda e: e.value or 0), value="null", nulls=True),
    Fault(
        "null counted",
        "tumbling 30",
        "distinct-count",
        lambda w: w.make(result=lambda h: len({e.value for e in h})),
        lambda w: w.answers(lambda x: x + w.dice.choice((0, 0, 1))),
        value="null",
        nulls=True,
    ),
    Fault(
        "null filled",
        *SUM,
        lambda w: w.make(
            events=[
                replace(e, value=x)
                for mine in by_key(w.events).values()
                for e, x in zip(
                    in_order(mine),
                    accumulate((e.value for e in in_order(mine)), lambda a, b: a if b is None else b),
                    strict=True,
                )
            ]
        ),
        lambda w: w.valued(lambda e: 4 if e.value is None else e.value),
        value="null",
        nulls=True,
    ),
    Fault("over all keys", *SUM, by_state, lambda w: w.valued(lambda e: e.value * 3 + 1)),
    Fault(
        "keys written otherwise",
        *SUM,
        lambda w: renamed(w, {"a": "A", "b": "B"}),
        lambda w: [r for r in w.make() if r["key"] not in "ab"],
    ),
    Fault(
        "first event lost",
        *SLIDE,
        lambda w: w.make(events=[e for mine in by_key(w.events).values() for e in in_order(mine)[1:]]),
        lambda w: w.kept(lambda e: e.seq % 40 != 7),
    ),
    Fault(
        "last event lost",
        *SLIDE,
        lambda w: w.make(events=[e for mine in by_key(w.events).values() for e in in_order(mine)[:-1]]),
        lambda w: w.kept(lambda e: e.seq % 40 != 7),
    ),
    # clocks
    Fault(
        "times moved", *SUM, lambda w: w.moved(lambda e: e.time + 3), lambda w: w.moved(lambda e: e.time + e.seq % 4)
    ),
    Fault(
        "times truncated",
        *SUM,
        lambda w: w.moved(lambda e: e.time // 4 * 4),
        lambda w: w.moved(lambda e: e.time - e.seq % 8),
    ),
    Fault(
        "times rounded",
        *SUM,
        lambda w: w.moved(lambda e: (e.time + 2) // 4 * 4),
        lambda w: w.moved(lambda e: e.time + e.seq % 4),
    ),
    Fault(
        "some times left out",
        "tumbling 4h",
        "sum",
        lambda w: w.kept(lambda e: 6 <= e.time // HOUR % 24 < 22),
        lambda w: w.kept(lambda e: e.seq % 4 > 0),
        **HOURS,
    ),
    Fault(
        "some times twice",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.time % 20 == 0))]),
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.seq % 20 == 0))]),
        n=400,
    ),
    # answers
    Fault("another aggregate", T, "min", lambda w: w.make(result=lambda h: max(e.value for e in h))),
    Fault(
        "tie broken otherwise",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: (e.time, -e.seq))),
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.seq)),
        value="text",
    ),
    Fault(
        "arrival order",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.seq)),
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.value)),
        value="text",
    ),
    Fault(
        "newest first",
        *TEXT,
        lambda w: w.make(order=lambda h: in_order(h)[::-1]),
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.seq)),
        value="text",
    ),
    Fault(
        "sorted",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.value)),
        lambda w: w.make(order=lambda h: in_order(h)[::-1]),
        value="text",
    ),
    Fault(
        "order of a column",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.others[2])),
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.value)),
        value="text",
        columns=True,
    ),
    Fault(
        "time as text",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: (str(e.time), e.seq))),
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.seq)),
        value="text",
    ),
    Fault("rounded", T, "mean", lambda w: w.answers(lambda x: round(x, 1)), lambda w: w.answers(lambda x: x + 0.03)),
    Fault(
        "truncated", T, "mean", lambda w: w.answers(lambda x: float(int(x))), lambda w: w.answers(lambda x: round(x, 0))
    ),
    Fault(
        "overflow",
        *SUM,
        lambda w: w.answers(lambda x: (x + 2**31) % 2**32 - 2**31),
        lambda w: w.answers(lambda x: x % 10**9),
        value="large",
    ),
    Fault("single precision", *SUM, lambda w: w.answers(lambda x: int(single(x))), value="huge"),
    Fault(
        "double precision",
        *SUM,
        lambda w: w.make(result=lambda h: int(sum(float(e.value) for e in h))),
        lambda w: w.answers(lambda x: x // 1000 * 1000),
        value="huge",
    ),
    Fault(
        "result multiplied",
        *SUM,
        lambda w: w.answers(lambda x: 2 * x),
        lambda w: w.answers(lambda x: x * w.dice.randint(2, 9)),
    ),
    Fault("starts from zero", "tumbling 5", "max", lambda w: w.answers(lambda x: max(x, 0)), lambda w: w.answers(abs)),
    Fault(
        "trimmed", *SUM, lambda w: w.make(result=lambda h: total(h[-3:])), lambda w: w.kept(lambda e: e.seq % 3 != 1)
    ),
    Fault(
        "zero as null",
        "tumbling 5",
        "min",
        lambda w: w.answers(lambda x: x or None),
        lambda w: w.answers(lambda x: None if x == 2 else x),
        value="small",
    ),
    Fault(
        "mean of means",
        S,
        "mean",
        lambda w: w.make(
            result=lambda h: mean(mean(e.value for e in h if e.time // 10 == at) for at in {e.time // 10 for e in h})
        ),
        lambda w: w.make(result=lambda h: mean(e.value for e in h[1:] or h)),
    ),
    # rows
    Fault("named by the end", *SUM, lambda w: w.named(a=10, b=10), lambda w: w.named(a=-10, b=-10)),
    Fault(
        "named by its last event", *GAP, lambda w: w.make(sessions(6, tail=0)), lambda w: w.make(sessions(12, tail=6))
    ),
    Fault("ends named otherwise", *SUM, lambda w: w.named(b=-1), lambda w: w.named(b=-3)),
    Fault("names moved", *SUM, lambda w: w.named(a=-10, b=-10), lambda w: w.answers(lambda x: x + 5)),
    Fault("a result behind", *SUM, lambda w: each_key(w, lambda x: [None, *x[:-1]]), lambda w: each_key(w, sorted)),
    Fault("a result ahead", *SUM, lambda w: each_key(w, lambda x: [*x[1:], None]), lambda w: each_key(w, sorted)),
    Fault("running", *SUM, lambda w: each_key(w, lambda x: list(accumulate(x, max))), lambda w: each_key(w, sorted)),
    Fault("empty windows filled", *SUM, lambda w: filled(w, lambda before: before), lambda w: filled(w, w.spoil)),
    Fault(
        "result lost",
        *SUM,
        lambda w: [r for r in w.make() if r["result"] >= 0],
        lambda w: [r for r in w.make() if r["key"] != "c"],
    ),
    Fault(
        "key lost",
        *SUM,
        lambda w: [r for r in w.make() if r["key"] != "c"],
        lambda w: [r for i, r in enumerate(w.make()) if i % 9 != 4],
    ),
    Fault(
        "stretch lost",
        *SUM,
        lambda w: [r for r in w.make() if not 40 <= r["a"] <= 120],
        lambda w: [r for i, r in enumerate(w.make()) if i % 9 != 4],
    ),
    Fault(
        "repeated",
        *SUM,
        lambda w: [r for r in w.make() for _ in "ab"],
        lambda w: [{**r, "result": r["result"] + 900 * i} for r in w.make() for i in (0, 1)],
    ),
    Fault(
        "partial results",
        *SUM,
        lambda w: cut_by(w, lambda e: e.seq // 50),
        lambda w: [{**r, "result": w.spoil(r["result"])} for r in cut_by(w, lambda e: e.seq // 50)],
    ),
    Fault(
        "one part of several",
        *SUM,
        lambda w: last_of(cut_by(w, lambda e: e.seq // 50)),
        lambda w: w.kept(lambda e: e.seq % 3 != 1),
    ),
    Fault(
        "state kept",
        *SUM,
        lambda w: each_key(w, lambda x: [b + a for a, b in zip([0, *x[:-1]], x, strict=True)]),
        lambda w: each_key(w, sorted),
    ),
    Fault(
        "versions folded",
        *SUM,
        lambda w: of_versions(w, sum),
        lambda w: w.kept(lambda e: e.seq % 9 != 4),
        late=UPDATE,
    ),
)
"""The faults, by the names of the rows."""

NOISE: Final = (
    Fault("noise in sums", *SUM, World.noise),
    Fault("noise everywhere", *SUM, lambda w: w.answers(w.spoil)),
    Fault("noise among counts", T, "count", lambda w: w.answers(lambda x: x + w.dice.choice((-2, -1, 0, 0, 0, 1, 2)))),
    Fault("noise in text", *TEXT, World.noise, value="text"),
    Fault("noise in means", S, "mean", World.noise),
    Fault(
        "one count too many",
        T,
        "count",
        lambda w: [{**r, "result": r["result"] + (i == 7)} for i, r in enumerate(w.make())],
    ),
    Fault("noise in sessions", *GAP, World.noise),
    Fault("noise in frames", *ROWS, World.noise),
)
"""Jobs that nobody could diagnose."""

TWO: Final = {
    "ends and a batch lost": (
        Fault(
            "ends",
            *SUM,
            lambda w: w.make(fixed(10, 10, low=1, high=1), events=[e for e in w.events if not 90 <= e.seq < 104]),
        ),
        {"ends", "batch lost"},
    ),
    "ends and rounded": (
        Fault(
            "ends",
            T,
            "mean",
            lambda w: [{**r, "result": round(r["result"], 1)} for r in w.make(fixed(10, 10, low=1, high=1))],
        ),
        {"ends", "rounded"},
    ),
    "an hour twice": (
        Fault("time zone", "tumbling 60m", "sum", lambda w: second_shift(w, -HOUR), **FALL),
        {"time zone"},
    ),
    "clocks of Tokyo": (
        Fault("time zone", "tumbling 6h", "sum", lambda w: w.moved(local("Asia/Tokyo")), **HOURS),
        {"time zone"},
    ),
    "deviation of the population": (
        Fault(
            "another aggregate",
            "tumbling 20",
            "sample-standard-deviation",
            lambda w: w.make(result=lambda h: statistics.pstdev(e.value for e in h)),
        ),
        {"another aggregate"},
    ),
    "the least for the greatest": (
        Fault(
            "another aggregate",
            "tumbling 30",
            "arg-max",
            lambda w: w.make(result=lambda h: min((e.value for e in h), key=lambda pair: pair[0])[1]),
            value="pair",
        ),
        {"another aggregate"},
    ),
    "days by an average": (
        Fault(
            "mean of means",
            "tumbling 24h",
            "mean",
            lambda w: w.make(
                result=lambda h: mean(
                    RESULTS["mean"]([e.value for e in h if e.time // HOUR == at]) for at in {e.time // HOUR for e in h}
                )
            ),
            **HOURS,
        ),
        {"mean of means"},
    ),
}
"""Two faults at once, and other ways to the same name."""
