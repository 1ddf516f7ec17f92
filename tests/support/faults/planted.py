"""Jobs with a planted fault, and the cause that an audit should name: what its naming of causes is measured by.

Events are drawn, and results made, by a seed, in plain Python that knows nothing of the audit.  `job` is right as it
stands; each fault changes one thing in it, or in its results.
"""

import json
import re
import statistics
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from swagproof.models.windows.kinds import Frame
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_window
from swagproof.pipeline.audit.aggregations import aggregation, optional
from swagproof.pipeline.audit.causes.cause import UNEXPLAINED
from swagproof.pipeline.audit.causes.explain import find_causes
from swagproof.pipeline.audit.causes.sample import Event, Got, Name, Sample
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import Tick

Row = dict[str, Any]
Result = Callable[[list[Any]], Any]
DELAY: Final = 8
_KINDS: Final[dict[str, Kind]] = {"text": "text", "price": "float", "money": "decimal"}


@dataclass(frozen=True)
class Came:
    """An event, and the watermark when it came: the latest time before it, less the delay."""

    seq: int
    key: str
    time: int
    value: Any
    watermark: int
    others: tuple[Any, ...] = ()


Windows = Iterable[tuple[Any, Any, list[Came]]]


@dataclass(frozen=True)
class Plant:
    """A planted fault."""

    name: str
    cause: str
    window: str
    aggregate: str
    job: Callable[["World"], list[Row]]
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    value: str = "int"
    events: Callable[[int], list[Came]] | None = None
    """How its events are drawn, by a seed, where not as those of others."""
    columns: tuple[str, ...] = ()
    """The names of what else its events have, of which the audit knows."""


def draw_value(draw: Random, value: str) -> Any:
    """A value of this kind."""
    match value:
        case "int":
            return draw.choice((1, 1, 1, -1)) * draw.randint(1, 999)
        case "small":
            return draw.choice((0, 1, 2, 2, 3))
        case "text":
            return "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=2))
        case "null":
            return draw.choice((None, *range(1, 9)))
        case "pair":
            return draw.randint(1, 30), draw_value(draw, "text")
        case "large":
            return draw.randint(2**29, 2**31 - 1)
        case _:
            return draw.randint(1, 99_999_999) / 64


def draw_events(seed: int, value: str, *, n: int = 260, unit: int = 1) -> list[Came]:
    """Events of four keys in the order of arrival: out of order, with ties, pauses, and times below zero."""
    draw = Random(seed)
    now, latest, events = -60, -(10**6), list[Came]()
    for seq in range(n):
        now += draw.choice((0, 0, 1, 1, 1, 2)) if draw.random() < 0.96 else 17
        time = (now - (draw.randint(1, 25) if draw.random() < 0.2 else 0)) * unit
        key = draw.choice("aabcd")
        events.append(Came(seq, key, time, draw_value(draw, value), latest - DELAY * unit))
        latest = max(latest, time)
    return events


def fixed(
    events: Sequence[Came], size: int, slide: int, *, offset: int = 0, low: int = 0, high: int = 0,
    left: bool = True, right: bool = False,
) -> Windows:  # fmt: skip
    """The windows [k slide + offset + low, k slide + offset + size + high), named by k slide + offset."""
    if not events:
        return
    first, last = min(e.time for e in events), max(e.time for e in events)
    a = (first - offset) // slide * slide + offset - (size // slide + 2) * slide
    while a <= last + abs(low):
        begin, end = a + low, a + size + high
        held = [
            e
            for e in events
            if (begin < e.time or (left and e.time == begin)) and (e.time < end or (right and e.time == end))
        ]
        if held:
            yield a, a + size, held
        a += slide


def sessions(events: Sequence[Came], gap: int, *, touching: bool = False, tail: int | None = None) -> Windows:
    """Runs of events with gaps below `gap`."""
    run: list[Came] = []
    for e in events:
        if run and (e.time - run[-1].time > gap if touching else e.time - run[-1].time >= gap):
            yield run[0].time, run[-1].time + (gap if tail is None else tail), run
            run = []
        run.append(e)
    if run:
        yield run[0].time, run[-1].time + (gap if tail is None else tail), run


def counts(events: Sequence[Came], n: int, *, skip: int = 0, rest: bool = False) -> Windows:
    """Each n events in a row, named by their numbers."""
    for i in range(skip, len(events), n):
        if rest or i + n <= len(events):
            yield i + 1 - skip, i + n - skip, list(events[i : i + n])


def rows(events: Sequence[Came], low: int | None, high: int) -> Windows:
    """A frame of rows for each event."""
    for i, e in enumerate(events):
        yield e.time, e.seq, list(events[0 if low is None else max(0, i + low) : max(0, i + high + 1)])


def ranges(events: Sequence[Came], low: int, high: int) -> Windows:
    """A frame of a range for each event."""
    for e in events:
        yield e.time, e.seq, [x for x in events if e.time + low <= x.time <= e.time + high]


def in_order(events: Iterable[Came]) -> list[Came]:
    return sorted(events, key=lambda e: (e.time, e.seq))


def by_key(events: Iterable[Came]) -> dict[str, list[Came]]:
    found: dict[str, list[Came]] = defaultdict(list)
    for e in events:
        found[e.key].append(e)
    return found


def mean(values: list[Any]) -> Any:
    there = [v for v in values if v is not None]
    return float(Fraction(sum(map(Fraction, there)), 1) / len(there)) if there else None


RESULTS: Final[dict[str, Result]] = {
    "sum": sum,
    "count": len,
    "mean": mean,
    "min": min,
    "max-count": lambda vs: vs.count(max(vs)),
    "min-count": lambda vs: vs.count(min(vs)),
    "max": max,
    "concatenation": "".join,
    "median": statistics.median,
    "distinct-count": lambda v: len(set(v)),
    "top-3": lambda v: sorted(v)[:-4:-1],
    "first": lambda v: v[0],
    "last": lambda v: v[-1],
    "sql-last": lambda v: v[-1],
    "arg-max": lambda v: max(v, key=lambda pair: pair[0])[1],
    "population-standard-deviation": statistics.pstdev,
    "sample-standard-deviation": lambda v: statistics.stdev(v) if len(v) > 1 else None,
}


@dataclass(frozen=True)
class World:
    """Events, and what is to be made of them."""

    events: list[Came]
    aggregate: str
    windows: Callable[[Sequence[Came]], Windows]
    late: bool = False
    gap: int | None = None
    """Of sessions, from which a late event is left out before they are made."""
    frame: bool = False
    draw: Random = field(default_factory=Random)

    def takes(self, e: Came, end: int) -> bool:
        return not self.late or e.watermark < end

    def make(
        self,
        *,
        events: Iterable[Came] | None = None,
        windows: Callable[[Sequence[Came]], Windows] | None = None,
        result: Callable[[list[Came]], Any] | None = None,
        order: Callable[[list[Came]], list[Came]] = in_order,
        takes: Callable[[Came, int], bool] | None = None,
    ) -> list[Row]:
        """The results of the job; each argument is another way to do one of its steps."""
        over, takes = RESULTS[self.aggregate], takes or self.takes
        made: list[Row] = []
        events = self.events if events is None else events
        if self.gap is not None:
            gap, in_time = self.gap, takes
            events = [e for e in events if in_time(e, e.time + gap)]
        for key, mine in sorted(by_key(events).items()):
            for a, b, held in (windows or self.windows)(in_order(mine)):
                kept = order([e for e in held if self.gap is not None or takes(e, b)])
                if kept or self.frame:
                    got = result(kept) if result else over([e.value for e in kept])
                    made.append(self.row(key, a, b, got))
        return made

    def row(self, key: str, a: Any, b: Any, got: Any) -> Row:
        if self.frame:
            return {"key": key, "time": a, "seq": b, "result": got}
        return {"key": key, "window_start": a, "window_end": b, "result": got}

    def answers(self, change: Callable[[Any], Any]) -> list[Row]:
        """The results with each answer changed."""
        return [{**r, "result": change(r["result"])} for r in self.make()]

    def moved(self, **by: int) -> list[Row]:
        """The results with the names of windows moved."""
        return [{**r, **{name: r[name] + step for name, step in by.items()}} for r in self.make()]


def wrap(v: int, bits: int = 32) -> int:
    half = 1 << (bits - 1)
    return (v + half) % (2 * half) - half


def batch(w: World, n: int = 24) -> list[Came]:
    """Some events that came one after the other."""
    at = w.draw.randrange(60, 160)
    return w.events[at : at + n]


def parts_in(held: list[Came], k: int) -> list[list[Came]]:
    return [part for r in range(k) if (part := [e for e in held if e.seq % k == r])]


def swap_keys(w: World) -> list[Row]:
    other = {"a": "b", "b": "a"}
    return [{**r, "key": other.get(r["key"], r["key"])} for r in w.make()]


def truncate(x: int, by: int) -> int:
    return int(x / by) * by


def behind(w: World) -> list[Row]:
    """Each window shows the answer of the one before it."""
    made: list[Row] = []
    last: dict[str, Any] = {}
    for r in w.make():
        if r["key"] in last:
            made.append({**r, "result": last[r["key"]]})
        last[r["key"]] = r["result"]
    return made


def kept_state(w: World) -> list[Row]:
    total: dict[str, int] = defaultdict(int)
    made: list[Row] = []
    for r in w.make():
        total[r["key"]] += r["result"]
        made.append({**r, "result": total[r["key"]]})
    return made


def filled(w: World, nothing: Any) -> list[Row]:
    made = w.make()
    for key in {r["key"] for r in made}:
        there = {r["window_start"] for r in made if r["key"] == key}
        size = made[0]["window_end"] - made[0]["window_start"]
        made += [w.row(key, a, a + size, nothing) for a in range(min(there), max(there), 10) if a not in there]
    return made


def merged_sessions(w: World, gap: int = 6) -> list[Row]:
    made: list[Row] = []
    for a, b, held in sessions(in_order(w.events), gap):
        for key, mine in sorted(by_key(held).items()):
            made.append(w.row(key, a, b, sum(e.value for e in mine)))
    return made


def cut_sessions(w: World, n: int = 32) -> list[Row]:
    return [r for i in range(0, len(w.events), n) for r in w.make(events=w.events[i : i + n])]


def joins_next(w: World) -> list[Row]:
    made = w.make()
    for e in w.events:
        if not w.takes(e, e.time + 6):
            later = [r for r in made if r["key"] == e.key and r["window_start"] > e.time]
            if later:
                first = min(later, key=lambda r: r["window_start"])
                first["result"] += e.value
    return made


def second_result(w: World) -> list[Row]:
    made = w.make()
    for key, mine in by_key(w.events).items():
        for a, b, held in w.windows(in_order(mine)):
            made += [w.row(key, a, b, e.value) for e in held if not w.takes(e, b)]
    return made


def over_keys(w: World) -> list[Row]:
    made, total = list[Row](), 0
    for e in sorted(w.events, key=lambda e: (e.key, e.time, e.seq)):
        total += e.value
        made.append(w.row(e.key, e.time, e.seq, total))
    return made


def parts_unmerged(w: World, n: int = 50) -> list[Row]:
    return [r for i in range(0, len(w.events), n) for r in w.make(events=w.events[i : i + n])]


def last_of(made: list[Row]) -> list[Row]:
    return list({(r["key"], r["window_start"]): r for r in made}.values())


def by_states(
    held: list[Came], total: Callable[[list[int]], Any], n: Callable[[list[int]], Any], size: int = 20
) -> Any:
    """A mean whose partial totals, and counts, of batches are merged so."""
    parts: dict[int, list[int]] = defaultdict(list)
    for e in sorted(held, key=lambda e: e.seq):
        parts[e.seq // size].append(e.value)
    return float(Fraction(total([sum(p) for p in parts.values()]), n([len(p) for p in parts.values()])))


def by_clock(w: World, clock: Callable[[int], int]) -> list[Row]:
    """Events are counted at a time that their number says."""
    return w.make(events=[replace(e, time=clock(e.seq)) for e in w.events])


def by_starts(events: Sequence[Came], starts: Callable[[int], Iterable[int]]) -> Windows:
    """Windows of 30, by the starts of those that an event is put into."""
    held: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        for a in starts(e.time):
            held[a].append(e)
    for a in sorted(held):
        yield a, a + 30, held[a]


def parted(events: Sequence[Came], parts: Callable[[list[Came], Came], bool], gap: int = 6) -> Windows:
    """Sessions that a rule parts, each said to end a gap after its last event."""
    run: list[Came] = []
    for e in events:
        if run and parts(run, e):
            yield run[0].time, run[-1].time + gap, run
            run = []
        run.append(e)
    yield run[0].time, run[-1].time + gap, run


def begin_at_one(held: list[Came]) -> int:
    """A sum that begins at one in each batch."""
    return sum(e.value for e in held) + len({e.seq // 20 for e in held})


def first_full(w: World) -> list[Row]:
    first = {key: min(e.time for e in mine) for key, mine in by_key(w.events).items()}
    return [r for r in w.make() if r["window_start"] >= first[r["key"]]]


def not_flushed(w: World) -> list[Row]:
    last = max(e.time for e in w.events)
    return [r for r in w.make() if r["window_end"] <= last]


def means_of_means(held: list[Came], of: Callable[[Came], Any]) -> Any:
    parts: dict[Any, list[Any]] = defaultdict(list)
    for e in held:
        parts[of(e)].append(e.value)
    return mean([Fraction(sum(map(Fraction, p))) / len(p) for p in parts.values()])


def left_out(w: World, fits: Callable[[Came], bool]) -> list[Row]:
    return w.make(events=[e for e in w.events if not fits(e)])


def distinct(held: list[Came]) -> Any:
    return sum({e.value for e in held})


def first_of_each_time(events: Sequence[Came]) -> list[Came]:
    return list({(e.key, e.time): e for e in reversed(in_order(events))}.values())


def single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


def lost_stretch(w: World) -> list[Row]:
    made = w.make()
    ends = sorted({r["window_start"] for r in made})
    at = w.draw.randrange(3, len(ends) - 5)
    return [r for r in made if r["window_start"] not in ends[at : at + 2]]


def some(w: World, change: Callable[[Row], Row | None], every: int = 9) -> list[Row]:
    """Every so many results changed."""
    made = [change(r) if i % every == 3 else r for i, r in enumerate(w.make())]
    return [r for r in made if r is not None]


SUM: Final = ("tumbling 10", "sum")
SLIDE: Final = ("sliding 30 every 10", "sum")
ENDS: Final = ("sliding 12 every 10", "sum")
GAP: Final = ("session 6", "sum")
TEXT: Final = ("tumbling 10", "concatenation")
ROWS: Final = ("rows -3 0", "sum")
RANGE: Final = ("range -9 0", "sum")
COUNT: Final = ("count 5", "sum")
LATE: Final = {"late": "drop", "watermark": str(DELAY)}
HOUR: Final = 3_600_000_000
DAY: Final = ("tumbling 24h", "sum")


PLANTS: Final = (
    # Which events are in a window, and what it is called
    Plant("right end closed", "ends", *SUM, lambda w: w.make(windows=lambda e: fixed(e, 10, 10, right=True))),
    Plant("left end open", "ends", *SUM, lambda w: w.make(windows=lambda e: fixed(e, 10, 10, left=False))),
    Plant(
        "(a, b] for [a, b)",
        "ends",
        *SLIDE,
        lambda w: w.make(windows=lambda e: fixed(e, 30, 10, left=False, right=True)),
    ),
    Plant("a tick short", "ends", *ENDS, lambda w: w.make(windows=lambda e: fixed(e, 12, 10, high=-1))),
    Plant("begins a pane late", "a pane short", *SLIDE, lambda w: w.make(windows=lambda e: fixed(e, 30, 10, low=10))),
    Plant("ends a pane early", "a pane short", *SLIDE, lambda w: w.make(windows=lambda e: fixed(e, 30, 10, high=-10))),
    Plant("a pane long", "a pane long", *SLIDE, lambda w: w.make(windows=lambda e: fixed(e, 30, 10, low=-10))),
    Plant("tumbling for sliding", "another range", *SLIDE, lambda w: w.make(windows=lambda e: fixed(e, 10, 10))),
    Plant(
        "one window too many",
        "one window too many",
        *ENDS,
        lambda w: w.make(windows=lambda e: fixed(e, 12, 10, low=-2)),
    ),
    Plant("named by the end", "named by the end", *SUM, lambda w: w.moved(window_start=10, window_end=10)),
    Plant("named a window early", "names moved", *SUM, lambda w: w.moved(window_start=-10, window_end=-10)),
    Plant(
        "the neighbour's answer",
        "times moved",
        *SLIDE,
        lambda w: w.make(events=[replace(e, time=e.time + 10) for e in w.events]),
    ),
    Plant("begins at an offset", "windows moved", *SUM, lambda w: w.make(windows=lambda e: fixed(e, 10, 10, offset=3))),
    Plant(
        "times off by 3", "times moved", *SUM, lambda w: w.make(events=[replace(e, time=e.time + 3) for e in w.events])
    ),
    Plant(
        "days of another zone",
        "time zone",
        *DAY,
        lambda w: w.make(windows=lambda e: fixed(e, 24 * HOUR, 24 * HOUR, offset=-2 * HOUR)),
        {"unit": HOUR},
    ),
    Plant(
        "local times taken for UTC",
        "time zone",
        *DAY,
        lambda w: w.make(events=[replace(e, time=e.time + 5 * HOUR) for e in w.events]),
        {"unit": HOUR},
    ),
    Plant(
        "remainder below zero",
        "remainder below zero",
        *SUM,
        lambda w: w.make(windows=lambda e: by_start(e, lambda t: truncate(t, 10))),
    ),
    Plant("only full windows", "first windows left out", *SLIDE, first_full),
    Plant("last windows not flushed", "last windows left out", *SLIDE, not_flushed),
    Plant("zeros where nothing is", "empty windows filled", *SUM, lambda w: filled(w, 0)),
    Plant("gap inclusive", "gap inclusive", *GAP, lambda w: w.make(windows=lambda e: sessions(e, 6, touching=True))),
    Plant(
        "gap exclusive",
        "gap exclusive",
        "session 6 touching",
        "sum",
        lambda w: w.make(windows=lambda e: sessions(e, 6)),
    ),
    Plant("another gap", "another gap", *GAP, lambda w: w.make(windows=lambda e: sessions(e, 12, tail=6))),
    Plant(
        "ends with its last event",
        "named by its last event",
        *GAP,
        lambda w: w.make(windows=lambda e: sessions(e, 6, tail=0)),
    ),
    Plant("sessions merged over keys", "over all keys", *GAP, merged_sessions),
    Plant("session cut at a batch", "cut at a batch", *GAP, cut_sessions),
    Plant(
        "counted by arrival",
        "arrival order",
        *COUNT,
        lambda w: w.make(windows=lambda e: counts(sorted(e, key=lambda x: x.seq), 5), order=list),
    ),
    Plant(
        "the rest of a count shown",
        "last windows too many",
        *COUNT,
        lambda w: w.make(windows=lambda e: counts(e, 5, rest=True)),
    ),
    Plant(
        "count begins one late",
        "counted from elsewhere",
        *COUNT,
        lambda w: w.make(windows=lambda e: counts(e, 5, skip=1)),
    ),
    Plant("frame a row short", "frame off by one", *ROWS, lambda w: w.make(windows=lambda e: rows(e, -2, 0))),
    Plant(
        "own row left out",
        "frame off by one",
        *ROWS,
        lambda w: w.make(windows=lambda e: rows(e, -3, -1), result=lambda h: sum(x.value for x in h) if h else None),
    ),
    Plant(
        "RANGE for ROWS",
        "RANGE for ROWS",
        "rows unbounded 0",
        "sum",
        lambda w: w.make(windows=lambda e: ranges(e, -(10**9), 0)),
    ),
    Plant(
        "ROWS for RANGE",
        "ROWS for RANGE",
        "range unbounded 0",
        "sum",
        lambda w: w.make(windows=lambda e: rows(e, None, 0)),
    ),
    Plant("range a tick short", "frame off by one", *RANGE, lambda w: w.make(windows=lambda e: ranges(e, -8, 0))),
    Plant("not partitioned", "over all keys", "rows unbounded 0", "sum", over_keys),
    Plant(
        "null until full",
        "null until full",
        *ROWS,
        lambda w: w.make(result=lambda h: sum(x.value for x in h) if len(h) == 4 else None),
    ),
    # Which events count
    Plant("late events counted", "late events counted", *SUM, lambda w: w.make(takes=lambda e, end: True), LATE),
    Plant(
        "late events dropped",
        "late events left out",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark < end),
        {"late": "update", "watermark": str(DELAY)},
    ),
    Plant(
        "half the delay",
        "late events left out",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark + DELAY // 2 < end),
        LATE,
    ),
    Plant(
        "dropped behind the watermark",
        "late by its time",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark <= e.time),
        LATE,
    ),
    Plant(
        "all out of order dropped",
        "out of order left out",
        *SUM,
        lambda w: w.make(takes=lambda e, end: e.watermark + DELAY <= e.time),
        LATE,
    ),
    Plant("a late event in the next session", "late events counted elsewhere", *GAP, joins_next, LATE),
    Plant("a late event opens a second result", "late events apart", *SUM, second_result, LATE),
    Plant("batch lost", "batch lost", *SUM, lambda w: left_out(w, set(batch(w)).__contains__)),
    Plant("batch lost, slid", "batch lost", *SLIDE, lambda w: left_out(w, set(batch(w)).__contains__)),
    Plant("batch replayed", "batch replayed", *SUM, lambda w: w.make(events=[*w.events, *batch(w)])),
    Plant(
        "batch lost, concatenated", "batch lost", *TEXT, lambda w: left_out(w, set(batch(w)).__contains__), value="text"
    ),
    Plant("one of three partitions lost", "a share lost", *SUM, lambda w: left_out(w, lambda e: e.seq % 3 == 1)),
    Plant("negatives left out", "some values left out", *SUM, lambda w: left_out(w, lambda e: e.value < 0)),
    Plant(
        "nulls as zero",
        "null as zero",
        "tumbling 10",
        "mean",
        lambda w: w.make(result=lambda h: mean([e.value or 0 for e in h])),
        {"nulls": "ignore"},
        "null",
    ),
    Plant("distinct values", "duplicates left out", *SUM, lambda w: w.make(result=distinct), value="small"),
    Plant("one event of each time", "duplicates left out", *SUM, lambda w: w.make(events=first_of_each_time(w.events))),
    Plant(
        "a buffer of three",
        "trimmed",
        *SUM,
        lambda w: w.make(result=lambda h: sum(e.value for e in sorted(h, key=lambda e: (e.time, e.seq))[-3:])),
    ),
    Plant(
        "the two greatest",
        "trimmed",
        *SUM,
        lambda w: w.make(result=lambda h: sum(sorted(e.value for e in h)[-2:])),
    ),
    Plant("swapped keys", "keys swapped", *SUM, swap_keys),
    Plant("a lost key", "key lost", *SUM, lambda w: [r for r in w.make() if r["key"] != "c"]),
    Plant(
        "all keys together",
        "over all keys",
        *SUM,
        lambda w: [r for key in "abcd" for r in w.make(events=[replace(e, key=key) for e in w.events])],
    ),
    Plant(
        "an unknown key",
        "unknown key",
        *SUM,
        lambda w: [*w.make(), *({**r, "key": "x"} for r in w.make() if r["key"] == "a")],
    ),
    Plant("joined, so doubled", "result multiplied", *SUM, lambda w: w.answers(lambda v: 2 * v)),
    Plant(
        "each window's fan-out",
        "result multiplied",
        *ENDS,
        lambda w: w.make(result=lambda h: sum(e.value * (2 if e.time % 10 < 2 else 1) for e in h)),
    ),
    # What is computed of them
    Plant(
        "mean of means",
        "mean of means",
        "sliding 30 every 10",
        "mean",
        lambda w: w.make(result=lambda h: means_of_means(h, lambda e: e.time // 10)),
    ),
    Plant(
        "mean of salted means",
        "mean of means",
        "tumbling 20",
        "mean",
        lambda w: w.make(result=lambda h: means_of_means(h, lambda e: e.seq % 4)),
    ),
    Plant(
        "starts counted in ranges",
        "windows by another formula",
        *SLIDE,
        lambda w: w.make(windows=lambda e: by_starts(e, lambda t: range((t - 20) // 10 * 10, t // 30 * 10 + 1, 10))),
    ),
    Plant("one window for all", "windows without end", *SLIDE, lambda w: w.make(windows=lambda e: [(0, 30, [*e])])),
    Plant(
        "each event a session",
        "sessions parted otherwise",
        *GAP,
        lambda w: w.make(windows=lambda e: parted(e, lambda run, e: True)),
    ),
    Plant(
        "the gap from the first event",
        "sessions parted otherwise",
        *GAP,
        lambda w: w.make(windows=lambda e: parted(e, lambda run, e: e.time - run[0].time >= 6)),
    ),
    Plant("batch lost in sessions", "batch lost", *GAP, lambda w: left_out(w, set(batch(w)).__contains__)),
    Plant(
        "keys swapped and a partition lost",
        "keys swapped + a share lost",
        "tumbling 12",
        "sum",
        lambda w: swap_keys(replace(w, events=[e for e in w.events if e.seq % 4])),
    ),
    Plant("by the clock", "arrival for time", *SLIDE, lambda w: by_clock(w, lambda seq: seq - 47)),
    Plant("sessions by the clock", "arrival for time", *GAP, lambda w: by_clock(w, lambda seq: 2 * seq)),
    Plant(
        "partial totals subtracted",
        "merged wrongly",
        "sliding 40 every 10",
        "mean",
        lambda w: w.make(result=lambda h: by_states(h, lambda p: 2 * p[0] - sum(p), sum)),
    ),
    Plant(
        "partial counts not added",
        "merged wrongly",
        "sliding 40 every 10",
        "mean",
        lambda w: w.make(result=lambda h: by_states(h, sum, lambda p: p[0])),
    ),
    Plant(
        "greatest of partial minima",
        "merged wrongly",
        "sliding 40 every 10",
        "min",
        lambda w: w.make(result=lambda h: max(min(e.value for e in p) for p in parts_in(h, 4))),
    ),
    Plant("each state begins at one", "begun wrongly", *SLIDE, lambda w: w.make(result=begin_at_one)),
    Plant(
        "last value for the total",
        "added wrongly",
        "tumbling 10",
        "mean",
        lambda w: w.make(result=lambda h: Fraction(h[-1].value, len(h)) * 1.0),
    ),
    Plant("partial sums not merged", "partial results", *SUM, parts_unmerged),
    Plant("the last part overwrites", "one part of several", *SUM, lambda w: last_of(parts_unmerged(w))),
    Plant(
        "sample for population",
        "another aggregate",
        "tumbling 20",
        "population-standard-deviation",
        lambda w: w.make(result=lambda h: RESULTS["sample-standard-deviation"]([e.value for e in h])),
    ),
    Plant(
        "population for sample",
        "another aggregate",
        "tumbling 20",
        "sample-standard-deviation",
        lambda w: w.make(result=lambda h: statistics.pstdev(e.value for e in h)),
    ),
    Plant(
        "variance for deviation",
        "another aggregate",
        "tumbling 20",
        "population-standard-deviation",
        lambda w: w.make(result=lambda h: statistics.pvariance([e.value for e in h]) * 1.0),
    ),
    Plant(
        "max for min",
        "another aggregate",
        "tumbling 10",
        "min",
        lambda w: w.make(result=lambda h: max(e.value for e in h)),
    ),
    Plant(
        "last for first", "another aggregate", "tumbling 10", "first", lambda w: w.make(result=lambda h: h[-1].value)
    ),
    Plant(
        "arrival order",
        "arrival order",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.seq)),
        value="text",
    ),
    Plant("sorted", "sorted", *TEXT, lambda w: w.make(order=lambda h: sorted(h, key=lambda e: e.value)), value="text"),
    Plant("newest first", "newest first", *TEXT, lambda w: w.make(order=lambda h: in_order(h)[::-1]), value="text"),
    Plant(
        "ties by value",
        "tie broken otherwise",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: (e.time, e.value))),
        value="text",
    ),
    Plant(
        "ties newest first",
        "tie broken otherwise",
        *TEXT,
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: (e.time, -e.seq))),
        value="text",
    ),
    Plant(
        "salts merged as they come",
        "merge order",
        *TEXT,
        lambda w: w.make(order=lambda h: [e for part in parts_in(h, 4) for e in part]),
        value="text",
    ),
    Plant(
        "panes merged newest first",
        "merge order",
        "sliding 30 every 10",
        "concatenation",
        lambda w: w.make(order=lambda h: sorted(h, key=lambda e: (-(e.time // 10), e.time, e.seq))),
        value="text",
    ),
    Plant("truncated", "truncated", "tumbling 10", "mean", lambda w: w.answers(lambda v: float(int(v)))),
    Plant("rounded", "rounded", "tumbling 10", "mean", lambda w: w.answers(lambda v: round(v, 1))),
    Plant("32 bits", "overflow", *SUM, lambda w: w.answers(wrap), value="large"),
    Plant("saturated", "overflow", *SUM, lambda w: w.answers(lambda v: min(v, 2**31 - 1)), value="large"),
    Plant("singles", "single precision", *SUM, lambda w: w.answers(single), value="price"),
    Plant(
        "a maximum that starts at 0", "starts from zero", "tumbling 5", "max", lambda w: w.answers(lambda v: max(v, 0))
    ),
    Plant("state kept", "state kept", *SUM, kept_state),
    Plant("a window behind", "a result behind", *SUM, behind),
    # What is written
    Plant("written twice", "repeated", *SUM, lambda w: [r for r in w.make() for _ in "ab"]),
    Plant("some written twice", "repeated", *SUM, lambda w: [*w.make(), *w.make()[::7]]),
    Plant("nulls here and there", "null", *SUM, lambda w: some(w, lambda r: {**r, "result": None})),
    Plant("a stretch of windows lost", "stretch lost", *SUM, lost_stretch),
    Plant("another unit", "result multiplied", *SUM, lambda w: w.answers(lambda v: 100 * v)),
    Plant("the sign lost", "sign lost", *SUM, lambda w: w.answers(abs)),
    # Nothing that anybody could name
    Plant(
        "noise",
        "unexplained",
        *SUM,
        lambda w: some(w, lambda r: {**r, "result": r["result"] + w.draw.randint(1, 10**6)}),
    ),
    Plant("noise everywhere", "unexplained", *SUM, lambda w: w.answers(lambda v: v + w.draw.randint(-300, 300))),
    Plant(
        "noise among counts",
        "unexplained",
        "tumbling 10",
        "count",
        lambda w: some(w, lambda r: {**r, "result": r["result"] + w.draw.choice((-2, -1, 1, 2))}, every=4),
    ),
    Plant(
        "noise in text",
        "unexplained",
        *TEXT,
        lambda w: some(w, lambda r: {**r, "result": r["result"][::2] + "zq"}),
        value="text",
    ),
)
"""The faults, one at a time."""

_CONTROLS: Final[dict[str, Plant]] = {
    "arrival for time": Plant(
        "a clock that runs about", "", *SLIDE, lambda w: by_clock(w, lambda seq: seq * 89 % 260 - 47)
    ),
    "windows by another formula": Plant(
        "windows of any start",
        "",
        *SLIDE,
        lambda w: w.make(
            windows=lambda e: by_starts(e, lambda t: w.draw.sample(range((t - 20) // 10 * 10, t + 30, 10), 2))
        ),
    ),
    "sessions parted otherwise": Plant(
        "sessions parted by chance",
        "",
        *GAP,
        lambda w: w.make(windows=lambda e: parted(e, lambda run, e: w.draw.random() < 0.4)),
    ),
    "merged wrongly": Plant(
        "partial totals of any sign",
        "",
        "sliding 40 every 10",
        "mean",
        lambda w: w.make(result=lambda h: by_states(h, lambda p: sum(w.draw.choice((-1, 1)) * x for x in p), sum)),
    ),
    "added wrongly": Plant(
        "any value for the total",
        "",
        "tumbling 10",
        "mean",
        lambda w: w.make(result=lambda h: Fraction(w.draw.choice(h).value, len(h)) * 1.0),
    ),
    "begun wrongly": Plant(
        "each state begins anywhere",
        "",
        *SLIDE,
        lambda w: w.make(result=lambda h: sum(e.value for e in h) + w.draw.randint(1, 3) * len(parts_in(h, 4))),
    ),
}

CONTROLS: Final = {
    cause: replace(plant, events=lambda seed: draw_events(seed, "int", n=70)) for cause, plant in _CONTROLS.items()
}
"""Faults that are near those of a cause, and that the cause does not explain."""


def by_start(events: Sequence[Came], start: Callable[[int], int], size: int = 10) -> Windows:
    """Windows by where the job thinks that they start."""
    found: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        found[start(e.time)].append(e)
    for a, held in sorted(found.items()):
        yield a, a + size, held


def months(
    events: Sequence[Came], number: Callable[[datetime], int] = lambda at: at.year * 12 + at.month - 1
) -> Windows:
    """The windows of months, by the number of each that a time is of."""
    held: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        held[number(datetime.fromtimestamp(e.time // 1_000_000, UTC))].append(e)
    for n, mine in sorted(held.items()):
        a, b = (datetime(m // 12, m % 12 + 1, 1, tzinfo=UTC) for m in (n, n + 1))
        yield int(a.timestamp()) * 1_000_000, int(b.timestamp()) * 1_000_000, mine


def days(events: Sequence[Came], zone: ZoneInfo) -> Windows:
    """The windows of days of a zone."""
    held: dict[date, list[Came]] = defaultdict(list)
    for e in events:
        held[datetime.fromtimestamp(e.time // 1_000_000, zone).date()].append(e)
    for day, mine in sorted(held.items()):
        a, b = (datetime.combine(d, time(), tzinfo=zone) for d in (day, day + timedelta(days=1)))
        yield int(a.timestamp()) * 1_000_000, int(b.timestamp()) * 1_000_000, mine


def weeks(events: Sequence[Came], zone: ZoneInfo) -> Windows:
    """The windows of weeks of a zone, from Monday on."""
    held: dict[date, list[Came]] = defaultdict(list)
    for e in events:
        day = datetime.fromtimestamp(e.time // 1_000_000, zone).date()
        held[day - timedelta(day.weekday())].append(e)
    for day, mine in sorted(held.items()):
        a, b = (datetime.combine(d, time(), tzinfo=zone) for d in (day, day + timedelta(days=7)))
        yield int(a.timestamp()) * 1_000_000, int(b.timestamp()) * 1_000_000, mine


def windows_of(text: str, unit: int = 1) -> Callable[[Sequence[Came]], Windows]:
    """The windows of a text, as the faults use them."""
    match re.sub(r"(\d)[hms]\b", r"\1", text).split():
        case ["tumbling", size]:
            return lambda e: fixed(e, int(size) * unit, int(size) * unit)
        case ["tumbling", size, "offset", at]:
            return lambda e: fixed(e, int(size), int(size), offset=int(at))
        case ["sliding", size, _, slide]:
            return lambda e: fixed(e, int(size), int(slide))
        case ["session", gap, *more]:
            return lambda e: sessions(e, int(gap) * unit, touching=bool(more))
        case ["count", n, *by]:
            return lambda e: counts(sorted(e, key=lambda x: x.seq) if by else e, int(n))
        case ["rows", low, high, *_]:
            return lambda e: rows(e, None if low == "unbounded" else int(low), int(high))
        case ["range", low, high]:
            return lambda e: ranges(e, -(10**9) if low == "unbounded" else int(low) * unit, int(high) * unit)
        case ["tumbling", "1", "month", "in", "UTC"]:
            return months
        case ["tumbling", "1", "day", "in", zone]:
            return lambda e: days(e, ZoneInfo(zone))
        case ["tumbling", "1", "week", "in", zone]:
            return lambda e: weeks(e, ZoneInfo(zone))
        case ["tumbling", "7", "days", "in", "UTC"]:
            return lambda e: fixed(e, 7 * unit, 7 * unit)
        case _:
            raise AssertionError(text)


def make_world(plant: Plant, seed: int) -> World:
    """The events of a fault, and the job that is right."""
    unit = plant.options.get("unit", 1)
    return World(
        draw_events(seed, plant.value, unit=unit) if plant.events is None else plant.events(seed),
        plant.aggregate,
        windows_of(plant.window, unit),
        late=plant.options.get("late") == "drop",
        gap=int(plant.window.split()[1].rstrip("hm")) * unit if plant.window.startswith("session") else None,
        frame=plant.window.split()[0] in ("rows", "range"),
        draw=Random(seed),
    )


def _name_key(key: str) -> str:
    """A key as JSON; as it is, where it is that already, of several parts."""
    return key if key.startswith("[") else json.dumps([key])


def make_sample(plant: Plant, seed: int) -> Sample:
    """The events and results of a fault as causes are looked for in them, without Spark."""
    world = make_world(plant, seed)
    tick: Tick = "us" if "unit" in plant.options else None
    window = parse_window(plant.window, tick or "plain")
    values: Kind = _KINDS.get(plant.value, "int")
    kinds: tuple[Kind, ...] = ("int", "text") if plant.value == "pair" else (values,)
    over = aggregation(plant.aggregate, kinds)
    if plant.options.get("nulls") == "ignore" or (isinstance(window, Frame) and window.may_be_empty):
        bounds = over.bounds
        over = replace(
            over, operation=optional(over.operation), bounds=None if bounds is None else lambda v: bounds(v[0])
        )
    kind: Kind = "float" if plant.aggregate == "mean" or "deviation" in plant.aggregate else values
    kind = plant.options.get("kind", "int" if "count" in plant.aggregate else kind)
    late = "watermark" in plant.options
    events: dict[str, list[Event]] = defaultdict(list)
    skipped: dict[str, list[Event]] = defaultdict(list)
    for e in world.events:
        parts = e.value if isinstance(e.value, tuple) and None in e.value else None
        e = e if parts is None else replace(e, value=None)
        if e.value is None and plant.options.get("nulls") == "skip":
            skipped[_name_key(e.key)].append(Event(e.time, e.seq, None, others=e.others, parts=parts))
            continue
        mark = e.watermark if late else NEVER
        events[_name_key(e.key)].append(
            Event(e.time, e.seq, e.value, mark, over.operation.lift(e.value), others=e.others, parts=parts)
        )
    results: dict[Name, list[Got]] = defaultdict(list)
    for row in plant.job(world):
        key, a, b, got = row.values()
        number = got if kind == "float" else None
        text = None if got is None or number is not None else str(got)
        results[_name_key(key), a, b].append(Got(text, number))
    earlier: dict[Name, list[Got]] = {}
    if "earlier" in plant.options:  # of several results each is a version that the next one came after
        earlier = {name: got[:-1] for name, got in results.items() if got[1:]}
        results = defaultdict(list, {name: got[-1:] for name, got in results.items()})
    return Sample(
        window,
        over,
        kind,
        kinds,
        ("a", "b"),
        {key: sorted(mine, key=lambda e: e[:2]) for key, mine in events.items()},
        dict(results),
        frozenset(),
        lateness=plant.options.get("lateness", 0 if plant.options["late"] == "drop" else None) if late else None,
        drops=plant.options.get("late", "drop") == "drop",
        by_time=plant.options.get("late_by") == "time",
        delay=DELAY if late else None,
        tick=tick,
        by_row=True,
        columns=plant.columns,
        key_columns=tuple(f"key {i}" for i, _ in enumerate(json.loads(min(events, default="[]")), 1)),
        skipped=dict(skipped),
        updates="updates" in plant.options,
        earlier=earlier,
    ).judged()


@dataclass(frozen=True)
class Measured:
    """What was said of a planted fault."""

    findings: int
    right: int
    """How many findings were given the cause that was planted; or one that is said not to be told from it."""
    wrong: int
    first: str
    """The first cause, in words."""
    names: frozenset[str]
    """All that were named."""

    @property
    def unexplained(self) -> int:
        """How many were given none."""
        return self.findings - self.right - self.wrong

    def verdict(self, cause: str) -> str:
        """Whether the fault was named: at least 19 of 20 findings rightly, at most one of 20 wrongly."""
        if not self.findings:
            return "missed"
        if 20 * self.wrong > self.findings or (cause == UNEXPLAINED and self.wrong):
            return "wrongly named"
        return "named" if cause == UNEXPLAINED or 20 * self.right >= 19 * self.findings else "unexplained"


def measure(plant: Plant, seed: int) -> Measured:
    """Look for the causes of a planted fault."""
    sample = make_sample(plant, seed)
    causes = find_causes(sample)
    for one in causes:  # what is said of a part of the data is so of that part
        assert one.inside is None or all(map(one.inside(sample), one.explains)), one
    planted = set(plant.cause.split(" + "))
    right = sum(len(c.explains) for c in causes if planted & {c.name, *c.also, *c.name.split(" and ")})
    wrong = sum(len(c.explains) for c in causes) - right
    first = f"{causes[0].name}: {causes[0].why}" + (f", {causes[0].where}" if causes[0].where else "") if causes else ""
    return Measured(len(sample.open), right, wrong, first, frozenset(n for c in causes for n in (c.name, *c.also)))
