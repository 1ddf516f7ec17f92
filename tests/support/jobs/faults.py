"""One planted fault for each row of the tables of diagnoses, and a similar job that must not get its name."""

import statistics
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Any, Concatenate, Final, ParamSpec
from zoneinfo import ZoneInfo

from support.jobs.planted import (
    AUTUMN,
    DELAY,
    HOUR,
    SPRING,
    Came,
    Fault,
    Job,
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


P = ParamSpec("P")


def planted(job: Callable[Concatenate[World, P], list[Row]]) -> Callable[P, Job]:
    """Turn a job on a world and parameters into a function from the parameters to a job."""

    def of(*args: P.args, **kwargs: P.kwargs) -> Job:
        return lambda w: job(w, *args, **kwargs)

    return of


make, kept, moved, valued = planted(World.make), planted(World.kept), planted(World.moved), planted(World.valued)
answers, named = planted(World.answers), planted(World.named)


@planted
def shown(w: World, fits: Callable[[Row], bool]) -> list[Row]:
    """Return some of the results."""
    return [r for r in w.make() if fits(r)]


@planted
def again(w: World, times: Callable[[Came], int]) -> list[Row]:
    """Return the results with each event repeated."""
    return w.make(events=[e for e in w.events for _ in range(times(e))])


@planted
def each_event(w: World, change: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """Change the events of each key, in order, and return the results."""
    return w.make(events=[e for mine in by_key(w.events).values() for e in change(in_order(mine))])


def fill(events: list[Came]) -> list[Came]:
    """Replace each missing value by the previous event's."""
    values = accumulate((e.value for e in events), lambda a, b: a if b is None else b)
    return [replace(e, value=x) for e, x in zip(events, values, strict=True)]


def total(held: Iterable[Came]) -> Any:
    """Return the sum of the events' values."""
    return sum(e.value for e in held)


@planted
def cut_by(w: World, group: Callable[[Came], Any]) -> list[Row]:
    """Return the results of each group of events separately."""
    groups: dict[Any, list[Came]] = defaultdict(list)
    for e in w.events:
        groups[group(e)].append(e)
    return [r for mine in groups.values() for r in w.make(events=mine)]


def last_of(made: list[Row]) -> list[Row]:
    """Return the last result of each window."""
    return list({(r["key"], r["a"], r["b"]): r for r in made}.values())


@planted
def each_key(w: World, change: Callable[[list[Any]], list[Any]]) -> list[Row]:
    """Return the results with the answers of each key's windows, in order, changed."""
    made: list[Row] = []
    for key in by_key(w.events):
        mine = [r for r in w.make() if r["key"] == key]
        made += [{**r, "result": x} for r, x in zip(mine, change([r["result"] for r in mine]), strict=False)]
    return made


@planted
def of_all(w: World, delay: Callable[[Came], int]) -> list[Row]:
    """Return the results if lateness is judged by the latest time so far minus a delay."""
    marks, latest = dict[int, int](), -(10**6)
    for e in w.events:
        marks[e.seq], latest = latest - delay(e), max(latest, e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


def of_keys(w: World) -> list[Row]:
    """Return the results if lateness is judged by the latest time of the key."""
    marks, latest = dict[int, int](), dict[str, int]()
    for e in w.events:
        marks[e.seq] = latest.get(e.key, -(10**6)) - DELAY
        latest[e.key] = max(latest.get(e.key, e.time), e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


@planted
def join_next(w: World, whole: bool = True) -> list[Row]:
    """Move late events to the next session of their key."""
    made = w.make()
    for e in w.events:
        later = [r for r in made if r["key"] == e.key and r["a"] > e.time]
        if e.watermark >= e.time + 6 and later:
            first = min(later, key=lambda r: r["a"])
            first["result"] += e.value if whole else w.dice.randint(100, 900)
    return made


@planted
def with_late(w: World, value: Callable[[Came], Any]) -> list[Row]:
    """Give late events a result of their own."""
    late = [
        (e, a, b)
        for mine in by_key(w.events).values()
        for a, b, held in w.cut(in_order(mine))
        for e in held
        if e.watermark >= b
    ]
    return [*w.make(), *({"key": e.key, "a": a, "b": b, "result": value(e)} for e, a, b in late)]


@planted
def of_versions(w: World, fold: Callable[[list[Any]], Any]) -> list[Row]:
    """Fold all versions of each result: the first of the events in time, then one with each late event."""
    made: list[Row] = []
    for key, mine in by_key(w.events).items():
        for a, b, held in w.cut(in_order(mine)):
            came = sorted(held, key=lambda e: e.seq)
            first = max(1, sum(e.watermark < b for e in held))
            versions = [total(came[:n]) for n in range(first, len(came) + 1)]
            made.append({"key": key, "a": a, "b": b, "result": fold(versions)})
    return made


@planted
def load(w: World, take: Callable[[Came, int], bool], size: int = 20, again: bool = False) -> list[Row]:
    """Load batches of `size` events, only those that `take` accepts; with `again`, repeat those of the last time."""
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


@planted
def filled(w: World, value: Callable[[Any], Any]) -> list[Row]:
    """Give windows without events between others a result, too."""
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
    """Return the local clock of a zone at an event, taken for UTC."""

    def at(e: Came) -> int:
        offset = datetime.fromtimestamp(e.time / 10**6, ZoneInfo(zone)).utcoffset()
        assert offset is not None
        return e.time + int(offset.total_seconds()) * 10**6

    return at


def single(x: Any) -> float:
    """Return the nearest 32-bit float."""
    found: float = struct.unpack("f", struct.pack("f", float(x)))[0]
    return found


@planted
def by_state(w: World, own: bool = True) -> list[Row]:
    """Compute each key's windows over the events of all keys; with `own`, only windows that the key has."""
    merged = [replace(e, key=key) for key in "abcd" for e in w.events]
    there = {(r["key"], r["a"]) for r in w.make()}
    return [r for r in w.make(events=merged) if not own or (r["key"], r["a"]) in there]


@planted
def first_of(w: World, mark: Callable[[Came], Any]) -> list[Row]:
    """Keep only the first event of each mark."""
    return w.make(events=list({mark(e): e for e in reversed(in_order(w.events))}.values()))


@planted
def renamed(w: World, names: dict[str, str]) -> list[Row]:
    """Return the results under other keys."""
    return [{**r, "key": names.get(r["key"], r["key"])} for r in w.make()]


def spoilt_ends(w: World) -> list[Row]:
    """Add some events at their end to windows, at random."""
    return w.make(
        cut=lambda events: (
            (a, b, held + [e for e in events if e.time == b and w.dice.random() < 0.5]) for a, b, held in w.cut(events)
        )
    )


def remainder(events: list[Came]) -> Iterable[tuple[int, int, list[Came]]]:
    """Return tumbling windows whose begin is rounded towards zero."""
    held: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        held[int(e.time / 10) * 10].append(e)
    return ((a, a + 10, mine) for a, mine in sorted(held.items()))


def mean_of_means(span: int, held: list[Came]) -> Any:
    """Return the mean of the means of each span of time."""
    return mean(mean(e.value for e in held if e.time // span == at) for at in {e.time // span for e in held})


@planted
def second_shift(w: World, by: int) -> list[Row]:
    """Move the hour from `AUTUMN` + 1 h on, which the clocks of Berlin show twice."""
    return w.moved(lambda e: e.time + by * (AUTUMN + HOUR <= e.time < AUTUMN + 2 * HOUR))


HOURS: Final[dict[str, Any]] = {"unit": HOUR, "begin": SPRING // HOUR - 60}
FALL: Final[dict[str, Any]] = {"unit": HOUR // 60, "begin": AUTUMN // (HOUR // 60) - 120}
DROP, UPDATE = "drop", "update"

EVENTS_LOST: Final = kept(lambda e: e.seq % 9 != 4)
ROWS_LOST: Final[Job] = lambda w: [r for i, r in enumerate(w.make()) if i % 9 != 4]  # noqa: E731  # as the others
BY_ARRIVAL: Final = make(order=lambda h: sorted(h, key=lambda e: e.seq))
BY_VALUE: Final = make(order=lambda h: sorted(h, key=lambda e: e.value))
REVERSED: Final = make(order=lambda h: in_order(h)[::-1])
SORTED: Final = each_key(sorted)
LATER: Final = fixed(10, 10, low=1, high=1)

FAULTS: Final = (
    # windows
    Fault("ends", *SUM, make(fixed(10, 10, high=1)), spoilt_ends),
    Fault("a pane short", *SLIDE, make(fixed(30, 10, low=10))),
    Fault("a pane long", *SLIDE, make(fixed(30, 10, high=10))),
    Fault("another range", *SLIDE, make(fixed(10, 10)), named(a=10, b=10)),
    Fault("windows moved", *SUM, make(fixed(10, 10, offset=3)), moved(lambda e: e.time + 3)),
    Fault("time zone", *BERLIN, make(days("UTC", named="Europe/Berlin")), make(days("Europe/Berlin", shift=5 * HOUR)),
          **HOURS),
    Fault("remainder below zero", *SUM, make(remainder), make(fixed(10, 10, offset=3))),
    Fault("one window too many", "sliding 12 every 10", "sum", make(fixed(12, 10, low=-2)),
          make(fixed(12, 10, high=-1))),
    Fault("gap inclusive", *GAP, make(sessions(6, touching=True)), make(sessions(9, tail=6))),
    Fault("gap exclusive", "session 6 touching", "sum", make(sessions(6)), make(sessions(4, tail=6))),
    Fault("another gap", *GAP, make(sessions(12, tail=6)), make(sessions(6, tail=0))),
    Fault("sessions parted otherwise", *GAP, make(parted(lambda run, e: e.time - run[0].time >= 6, 6)),
          lambda w: w.make(parted(lambda run, e: w.dice.random() < 0.4, 6))),
    Fault("cut at a batch", *GAP, cut_by(lambda e: e.seq // 32), cut_by(lambda e: e.seq % 2)),
    Fault("parted by another column", *ROWS, cut_by(lambda e: e.others[0]), cut_by(lambda e: e.seq % 3), columns=True),
    Fault("frame off by one", *ROWS, make(rows(-2, 0)), make(rows(-1, 0))),
    Fault("frame centred", "rows -4 0", "sum", make(rows(-2, 2)), make(rows(0, 4))),
    Fault("frame unbounded", *ROWS, make(rows(None, 0)), make(rows(-9, 0))),
    Fault("ROWS for RANGE", "range unbounded 0", "sum", make(rows(None, 0)), n=400),
    Fault("RANGE for ROWS", "rows unbounded 0", "sum", make(ranges(None, 0)), n=400),
    Fault("null until full", *ROWS, make(result=lambda h: total(h) if len(h) == 4 else None)),
    Fault("answered before full", "rows -3 0 full", "sum", make()),
    Fault("first windows left out", *SLIDE,
          lambda w: [r for r in w.make() if r["a"] >= min(e.time for e in w.events if e.key == r["key"])], ROWS_LOST),
    Fault("last windows left out", *SLIDE, lambda w: [r for r in w.make() if r["b"] <= max(e.time for e in w.events)],
          ROWS_LOST),
    Fault("time order", "count 5 by arrival", "sum", make(counts(5)), make(counts(5, lambda e: e.value))),
    # events
    Fault("late events counted", *SUM, make(takes=lambda e, end: True), of_all(lambda e: DELAY + 6), late=DROP),
    Fault("late events left out", *SUM, make(takes=lambda e, end: e.watermark < end), EVENTS_LOST, late=UPDATE),
    Fault("another watermark", *SUM, of_keys, of_all(lambda e: e.seq * 7 % 40), late=DROP, n=400),
    Fault("late by its time", *SUM, make(takes=lambda e, end: e.watermark <= e.time), late=DROP),
    Fault("late by a tick", "tumbling 2", "sum", make(takes=lambda e, end: e.watermark <= end),
          make(takes=lambda e, end: True), late=DROP),
    Fault("out of order left out", *SUM, make(takes=lambda e, end: e.watermark + DELAY <= e.time),
          kept(lambda e: e.seq % 5 != 2), late=DROP),
    Fault("late events counted elsewhere", *GAP, join_next(), join_next(False), late=DROP),
    Fault("late events apart", *SUM, with_late(lambda e: e.value), with_late(lambda e: e.value + 7), late=DROP),
    Fault("arrival for time", *SUM, moved(lambda e: e.others[3]), moved(lambda e: e.time + 3), columns=True),
    Fault("duplicates left out", *SUM, first_of(lambda e: (e.key, e.time)), EVENTS_LOST),
    Fault("batch lost", *SUM, kept(lambda e: not 90 <= e.seq < 114), kept(lambda e: e.seq % 11 != 4)),
    Fault("batch replayed", *SUM, again(lambda e: 1 + (90 <= e.seq < 114)), again(lambda e: 1 + (e.seq % 11 == 0))),
    Fault("left out by a load", *SUM, load(lambda e, top: e.time > top), load(lambda e, top: e.time > top - 12),
          columns=True),
    Fault("loaded twice", *SUM, load(lambda e, top: True, again=True), again(lambda e: 1 + (e.seq % 13 == 0)),
          columns=True),
    Fault("filtered by another column", *SUM, kept(lambda e: e.others[0] != "shop"), kept(lambda e: e.seq % 3 != 1),
          columns=True),
    Fault("doubled by another column", *SUM, again(lambda e: 1 + (e.others[0] == "web")),
          again(lambda e: 1 + (e.seq % 3 == 1)), columns=True),
    Fault("another column", *SUM, valued(lambda e: e.others[2]), valued(lambda e: e.seq), columns=True),
    Fault("some values left out", *SUM, kept(lambda e: e.value >= 0), kept(lambda e: e.seq % 4 != 1)),
    Fault("null as zero", T, "mean", valued(lambda e: e.value or 0), value="null", nulls=True),
    Fault("null counted", "tumbling 30", "distinct-count", make(result=lambda h: len({e.value for e in h})),
          lambda w: w.answers(lambda x: x + w.dice.choice((0, 0, 1))), value="null", nulls=True),
    Fault("null filled", *SUM, each_event(fill), valued(lambda e: 4 if e.value is None else e.value), value="null",
          nulls=True),
    Fault("over all keys", *SUM, by_state(), valued(lambda e: e.value * 3 + 1)),
    Fault("keys written otherwise", *SUM, renamed({"a": "A", "b": "B"}), shown(lambda r: r["key"] not in "ab")),
    Fault("first event lost", *SLIDE, each_event(lambda mine: mine[1:]), kept(lambda e: e.seq % 40 != 7)),
    Fault("last event lost", *SLIDE, each_event(lambda mine: mine[:-1]), kept(lambda e: e.seq % 40 != 7)),
    # clocks
    Fault("times moved", *SUM, moved(lambda e: e.time + 3), moved(lambda e: e.time + e.seq % 4)),
    Fault("times truncated", *SUM, moved(lambda e: e.time // 4 * 4), moved(lambda e: e.time - e.seq % 8)),
    Fault("times rounded", *SUM, moved(lambda e: (e.time + 2) // 4 * 4), moved(lambda e: e.time + e.seq % 4)),
    Fault("some times left out", "tumbling 4h", "sum", kept(lambda e: 6 <= e.time // HOUR % 24 < 22),
          kept(lambda e: e.seq % 4 > 0), **HOURS),
    Fault("some times twice", "tumbling 20", "sum", again(lambda e: 1 + (e.time % 20 == 0)),
          again(lambda e: 1 + (e.seq % 20 == 0)), n=400),
    # answers
    Fault("another aggregate", T, "min", make(result=lambda h: max(e.value for e in h))),
    Fault("tie broken otherwise", *TEXT, make(order=lambda h: sorted(h, key=lambda e: (e.time, -e.seq))), BY_ARRIVAL,
          value="text"),
    Fault("arrival order", *TEXT, BY_ARRIVAL, BY_VALUE, value="text"),
    Fault("newest first", *TEXT, REVERSED, BY_ARRIVAL, value="text"),
    Fault("sorted", *TEXT, BY_VALUE, REVERSED, value="text"),
    Fault("rounded", T, "mean", answers(lambda x: round(x, 1)), answers(lambda x: x + 0.03)),
    Fault("truncated", T, "mean", answers(lambda x: float(int(x))), answers(lambda x: round(x, 0))),
    Fault("overflow", *SUM, answers(lambda x: (x + 2**31) % 2**32 - 2**31), answers(lambda x: x % 10**9),
          value="large"),
    Fault("single precision", *SUM, answers(lambda x: int(single(x))), value="huge"),
    Fault("double precision", *SUM, make(result=lambda h: int(sum(float(e.value) for e in h))),
          answers(lambda x: x // 1000 * 1000), value="huge"),
    Fault("result multiplied", *SUM, answers(lambda x: 2 * x), lambda w: w.answers(lambda x: x * w.dice.randint(2, 9))),
    Fault("starts from zero", "tumbling 5", "max", answers(lambda x: max(x, 0)), answers(abs)),
    Fault("zero as null", "tumbling 5", "min", answers(lambda x: x or None), answers(lambda x: None if x == 2 else x),
          value="small"),
    Fault("mean of means", S, "mean", make(result=partial(mean_of_means, 10)),
          make(result=lambda h: mean(e.value for e in h[1:] or h))),
    # rows
    Fault("named by the end", *SUM, named(a=10, b=10), named(a=-10, b=-10)),
    Fault("named by its last event", *GAP, make(sessions(6, tail=0)), make(sessions(12, tail=6))),
    Fault("ends named otherwise", *SUM, named(b=-1), named(b=-3)),
    Fault("names moved", *SUM, named(a=-10, b=-10), answers(lambda x: x + 5)),
    Fault("running", *SUM, each_key(lambda x: list(accumulate(x, max))), SORTED),
    Fault("empty windows filled", *SUM, filled(lambda before: before), lambda w: filled(w.spoil)(w)),
    Fault("result lost", *SUM, shown(lambda r: r["result"] >= 0), shown(lambda r: r["key"] != "c")),
    Fault("key lost", *SUM, shown(lambda r: r["key"] != "c"), ROWS_LOST),
    Fault("stretch lost", *SUM, shown(lambda r: not 40 <= r["a"] <= 120), ROWS_LOST),
    Fault("repeated", *SUM, lambda w: [r for r in w.make() for _ in "ab"],
          lambda w: [{**r, "result": r["result"] + 900 * i} for r in w.make() for i in (0, 1)]),
    Fault("partial results", *SUM, cut_by(lambda e: e.seq // 50),
          lambda w: [{**r, "result": w.spoil(r["result"])} for r in cut_by(lambda e: e.seq // 50)(w)]),
    Fault("one part of several", *SUM, lambda w: last_of(cut_by(lambda e: e.seq // 50)(w)),
          kept(lambda e: e.seq % 3 != 1)),
    Fault("state kept", *SUM, each_key(lambda x: [b + a for a, b in zip([0, *x[:-1]], x, strict=True)]), SORTED),
    Fault("versions folded", *SUM, of_versions(sum), EVENTS_LOST, late=UPDATE),
)  # fmt: skip
"""The faults, by row name."""

NOISE: Final = (
    Fault("noise in sums", *SUM, World.noise),
    Fault("noise everywhere", *SUM, lambda w: w.answers(w.spoil)),
    Fault("noise among counts", T, "count", lambda w: w.answers(lambda x: x + w.dice.choice((-2, -1, 0, 0, 0, 1, 2)))),
    Fault("noise in text", *TEXT, World.noise, value="text"),
    Fault("noise in means", S, "mean", World.noise),
    Fault("one count too many", T, "count",
          lambda w: [{**r, "result": r["result"] + (i == 7)} for i, r in enumerate(w.make())]),
    Fault("noise in sessions", *GAP, World.noise),
    Fault("noise in frames", *ROWS, World.noise),
)  # fmt: skip
"""Jobs that cannot be diagnosed."""

TWO: Final = {
    "ends and a batch lost": (
        Fault("ends", *SUM, lambda w: w.make(LATER, events=[e for e in w.events if not 90 <= e.seq < 104])),
        {"ends", "batch lost"}),
    "ends and rounded": (
        Fault("ends", T, "mean", lambda w: [{**r, "result": round(r["result"], 1)} for r in w.make(LATER)]),
        {"ends", "rounded"}),
    "an hour twice": (Fault("time zone", "tumbling 60m", "sum", second_shift(-HOUR), **FALL), {"time zone"}),
    "three batches twice": (
        Fault("batch replayed", *SUM, again(lambda e: 1 + (e.seq // 20 in (2, 5, 9)))), {"batch replayed"}),
    "clocks of Tokyo": (Fault("time zone", "tumbling 6h", "sum", moved(local("Asia/Tokyo")), **HOURS), {"time zone"}),
    "deviation of the population": (
        Fault("another aggregate", "tumbling 20", "sample-standard-deviation",
              make(result=lambda h: statistics.pstdev(e.value for e in h))),
        {"another aggregate"}),
    "days by an average": (
        Fault("mean of means", "tumbling 24h", "mean", make(result=partial(mean_of_means, HOUR)), **HOURS),
        {"mean of means"}),
}  # fmt: skip
"""Two faults at once, and other ways to the same name."""
