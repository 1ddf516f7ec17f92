"""Mistakes of jobs as people write them, and what is near each: few events, with what such jobs have beside the value.

A name is worth what it is not given to.  So each cause here has a fault that it is the cause of, and one next to it,
often the same with a rule replaced by chance, that it must not be the name of.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from statistics import pstdev
from typing import Any, Final

from support.faults.planted import (
    DAY,
    DELAY,
    GAP,
    HOUR,
    LATE,
    ROWS,
    SLIDE,
    SUM,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    counts,
    draw_events,
    fixed,
    in_order,
    mean,
    rows,
    some,
)

UPDATE: Final = {"late": "update", "watermark": str(DELAY)}
BUCKET: Final = ("tumbling 7h", "sum")
NONE: Final = object()
"""No result."""
SIX: Final = ("tumbling 6h", "sum")
MEAN: Final = ("tumbling 10", "mean")
AS_DOUBLES: Final = {"kind": "float"}
OF_NULLS: Final = {"nulls": "ignore"}


def few(value: str = "int", n: int = 90, unit: int = 1) -> Callable[[int], list[Came]]:
    """Few events, with a source and a price that hang on nothing else."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed + n)
        return [
            replace(e, others=(dice.choice(("web", "shop", "till")),)) for e in draw_events(seed, value, n=n, unit=unit)
        ]

    return draw


def exact(seed: int) -> list[Came]:
    """Whole numbers that no double holds, of either sign, so that little remains of what they sum to."""
    dice = Random(seed)
    return [replace(e, value=dice.choice((1, -1)) * dice.randint(2**61, 2**62)) for e in draw_events(seed, "int", n=90)]


def follow(w: World, whose: Callable[[str], str]) -> list[Row]:
    """What is late is told by the watermark of one key."""
    marks: dict[int, int] = {}
    latest: dict[str, int] = {}
    for e in w.events:
        marks[e.seq] = latest.get(whose(e.key), -(10**6)) - DELAY
        latest[e.key] = max(latest.get(e.key, -(10**6)), e.time)
    return w.make(takes=lambda e, end: marks[e.seq] < end)


def rename(w: World, change: Callable[[Any], Any]) -> list[Row]:
    """Two keys are written in capitals, and their results changed."""
    return [{**r, "key": r["key"].upper(), "result": change(r["result"])} if r["key"] in "bd" else r for r in w.make()]


def in_doubles(held: list[Came]) -> float:
    total = 0.0
    for e in held:
        total += e.value
    return total


def of_others(w: World, other: Callable[[int], int]) -> list[Row]:
    """Each answer less that of another window of the key; less nothing, where there is none."""
    made = list[Row]()
    for key in "abcd":
        mine = [r for r in w.make() if r["key"] == key]
        for i, r in enumerate(mine):
            before = mine[at]["result"] if (at := other(i)) >= 0 else 0
            made.append({**r, "result": r["result"] - before})
    return made


def retimed(w: World, fits: Callable[[Came], bool]) -> list[Row]:
    """Some events are counted twelve hours before they were."""
    return w.make(events=[replace(e, time=e.time - 12 * HOUR) if fits(e) else e for e in w.events])


def find_hour(e: Came) -> int:
    return e.time // HOUR % 24


def revalued(w: World, change: Callable[[Came], Any]) -> list[Row]:
    return w.make(events=[replace(e, value=change(e)) for e in w.events])


def apart(w: World, of: Callable[[Came], Any]) -> list[Row]:
    """Frames of the events that have the same of something."""

    def windows(events: Iterable[Came]) -> Windows:
        mine = list(events)
        for cell in sorted({of(e) for e in mine}, key=str):
            yield from rows([e for e in mine if of(e) == cell], -3, 0)

    return w.make(windows=windows)


def filled_by(w: World, value: Callable[[list[Came], int], Any]) -> list[Row]:
    """Null is counted as some other event's value, where there is one."""
    made: dict[int, Any] = {}
    for mine in by_key(w.events).values():
        ordered = in_order(mine)
        made |= {e.seq: value(ordered, i) if e.value is None else e.value for i, e in enumerate(ordered)}
    events = [replace(e, value=made[e.seq]) for e in w.events]
    return w.make(events=events, result=lambda h: mean([e.value for e in h]))


def find_before(events: list[Came], i: int) -> Any:
    return next((e.value for e in events[i::-1] if e.value is not None), None)


def by_result(made: list[Row]) -> list[Row]:
    """The greatest first."""
    return sorted(made, key=lambda r: -r["result"])


def after_two(w: World) -> list[Row]:
    """Without the first two windows of each key."""
    seen: dict[str, int] = {}
    made = list[Row]()
    for r in w.make():
        seen[r["key"]] = seen.get(r["key"], 0) + 1
        made += [r] if seen[r["key"]] > 2 else []
    return made


def _with_last(held: list[list[Came]], i: int) -> list[Came]:
    return [*(held[i - 1][-1:] if i else []), *held[i]]


def _with_some(w: World, held: list[list[Came]], i: int) -> list[Came]:
    return [*(w.draw.sample(held[i - 1], len(held[i - 1]) // 2) if i else []), *held[i]]


def lose(w: World, lost: Callable[[list[Came]], Came]) -> list[Row]:
    """One event of each key is not counted."""
    gone = {lost(in_order(mine)).seq for mine in by_key(w.events).values()}
    return w.make(events=[e for e in w.events if e.seq not in gone])


def shifted(w: World, by: Callable[[Came], int]) -> list[Row]:
    return w.make(events=[replace(e, time=by(e)) for e in w.events])


def by_keys(w: World, change: Callable[[list[Any]], list[Any]]) -> list[Row]:
    """The answers of each key in a row, changed."""
    made = list[Row]()
    for key in "abcd":
        mine = [r for r in w.make() if r["key"] == key]
        answers = change([r["result"] for r in mine])
        made += [{**r, "result": v} for r, v in zip(mine, answers, strict=True) if v is not NONE]
    return made


def of_deviations(held: list[Came], weigh: Callable[[int], int]) -> float:
    """Deviations of slices, and the mean of these."""
    slices: dict[int, list[Any]] = {}
    for e in held:
        slices.setdefault(e.time // 10, []).append(e.value)
    return sum(pstdev(s) * weigh(len(s)) for s in slices.values()) / sum(weigh(len(s)) for s in slices.values())


def cased(seed: int) -> list[Came]:
    """Keys that differ in capitals."""
    return [replace(e, key=e.key.upper() if e.seq % 3 == 0 else e.key) for e in few()(seed)]


def here_and_there(w: World, change: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """The events of some windows changed, by no rule."""
    return w.make(result=lambda h: sum(e.value for e in (change(h) if len(h) > 2 and w.draw.random() < 0.4 else h)))


def find_strangers(w: World, held: list[Came]) -> list[Came]:
    """The events of other keys of the same time."""
    return [e for e in w.events if e.key != held[0].key and held[0].time <= e.time <= held[-1].time]


def of_slices(e: Came, end: int) -> bool:
    return e.watermark < e.time // 10 * 10 + 10


def restart(events: Iterable[Came], period: int, jitter: Callable[[int], int] = lambda day: 0) -> Windows:
    """Windows of seven hours that are counted from the begin of each period."""
    held: dict[int, list[Came]] = {}
    for e in events:
        first = e.time // period * period
        begin = first + (e.time - first) // (7 * HOUR) * 7 * HOUR + jitter(first)
        held.setdefault(begin, []).append(e)
    for begin in sorted(held):
        yield begin, begin + 7 * HOUR, held[begin]


def carry(w: World, of: Callable[[list[list[Came]], int], list[Came]]) -> list[Row]:
    """Windows with some events of others of their key."""

    def windows(events: Sequence[Came]) -> Windows:
        made = list(fixed(events, 10, 10))
        for i, (a, b, _) in enumerate(made):
            yield a, b, of([held for *_, held in made], i)

    return w.make(windows=windows)


def step(held: list[Came], weight: Callable[[int], float]) -> float:
    """A mean that is moved towards each value."""
    made = float(held[0].value)
    for i, e in enumerate(held[1:]):
        made += weight(i) * (e.value - made)
    return made


def update(w: World, made: Callable[[list[Came], list[Came]], Any]) -> list[Row]:
    """Results of windows that have late events, of those in time and of these."""
    found = list[Row]()
    for r in w.make(result=lambda held: held):
        late = [e for e in r["result"] if e.watermark >= r["window_end"]]
        timely = [e for e in r["result"] if e.watermark < r["window_end"]]
        got = made(timely, late) if late else sum(e.value for e in timely)
        found.append({**r, "result": got})
    return found


def keep(w: World, n: int, of: Callable[[list[Row]], list[Row]]) -> list[Row]:
    """So many results of each window."""
    groups: dict[int, list[Row]] = {}
    for r in w.make():
        groups.setdefault(r["window_start"], []).append(r)
    return [r for a in sorted(groups) for r in of(groups[a])[:n]]


def fill_between(w: World, near: Callable[[int, int, int, int], float]) -> list[Row]:
    """Results of windows without events, made of those around them."""
    made = w.make()
    for key in "abcd":
        mine = [r for r in made if r["key"] == key]
        for before, after in pairwise(mine):
            n = (after["window_start"] - before["window_start"]) // 10 - 1
            for i in range(1, n + 1):
                a = before["window_start"] + 10 * i
                made.append(w.row(key, a, a + 10, near(before["result"], after["result"], i, n)))
    return made


def share_buffer(w: World) -> list[Row]:
    """Each five events of all keys, for the key of the fifth, named by its own number."""
    made, seen = list[Row](), dict[str, int]()
    for i, e in enumerate(w.events):
        seen[e.key] = seen.get(e.key, 0) + 1
        if i % 5 == 4:
            n = seen[e.key]
            made.append(w.row(e.key, max(0, n - 5) + 1, n, sum(x.value for x in w.events[i - 4 : i + 1])))
    return made


def long_at_most(events: Sequence[Came], limit: Callable[[Came], int]) -> Windows:
    """Sessions that end so long after their first event."""
    yield from ((r[0].time, r[-1].time + 6, r) for r in parts(events, lambda r, e: e.time - r[0].time >= limit(r[0])))


def parts(events: Sequence[Came], ends: Callable[[list[Came], Came], bool]) -> Iterable[list[Came]]:
    """Sessions that end by another rule, too."""
    run = list[Came]()
    for e in events:
        if run and (e.time - run[-1].time >= 6 or ends(run, e)):
            yield run
            run = []
        run.append(e)
    if run:
        yield run


MISTAKES: Final = (
    Plant(
        "buckets from midnight on",
        "windows begun anew",
        *BUCKET,
        lambda w: w.make(windows=lambda e: restart(e, 24 * HOUR)),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    Plant("the last of the window before", "carried over", *SUM, lambda w: carry(w, _with_last), events=few()),
    Plant(
        "a median in the order of time",
        "unsorted",
        "tumbling 30",
        "median",
        lambda w: w.make(result=lambda held: float(held[len(held) // 2].value)),
        AS_DOUBLES,
    ),
    Plant(
        "a tenth of the new value",
        "running average",
        *MEAN,
        lambda w: w.make(result=lambda held: step(held, lambda i: 0.1)),
        events=few(),
    ),
    Plant(
        "an update of late events alone",
        "updates without state",
        *SUM,
        lambda w: update(w, lambda timely, late: sum(e.value for e in late)),
        UPDATE,
        events=few(n=160),
    ),
    Plant(
        "one row for a window", "overwritten", *SUM, lambda w: keep(w, 1, lambda rows: rows[::-1]), events=few(n=160)
    ),
    Plant(
        "one row for a window, whichever",
        "overwritten",
        *SUM,
        lambda w: keep(w, 1, lambda rows: w.draw.sample(rows, len(rows))),
        events=few(n=160),
    ),
    Plant(
        "the two greatest of each window", "only the greatest", *SUM, lambda w: keep(w, 2, by_result), events=few(n=160)
    ),
    Plant(
        "a line over a pause",
        "empty windows filled",
        *SUM,
        lambda w: fill_between(w, lambda a, b, i, n: (a * (n + 1 - i) + b * i) / (n + 1)),
        {"kind": "float"},
        events=few(),
    ),
    Plant("one buffer for all keys", "over all keys", "count 5 by arrival", "sum", share_buffer, events=few()),
    Plant(
        "sessions of ten at most",
        "sessions parted otherwise",
        *GAP,
        lambda w: w.make(windows=lambda e: long_at_most(e, lambda _: 10)),
    ),
    Plant("the first two windows of each key left out", "first windows left out", *SUM, after_two),
    Plant("a watermark of each key", "another watermark", *SUM, lambda w: follow(w, str), LATE, events=few(n=160)),
    Plant("keys in capitals", "keys written otherwise", *SUM, lambda w: rename(w, lambda v: v), events=few()),
    Plant("money in doubles", "double precision", *SUM, lambda w: w.make(result=in_doubles), AS_DOUBLES, events=exact),
    Plant(
        "the greatest in a double",
        "double precision",
        "tumbling 10",
        "max",
        lambda w: w.make(result=lambda held: float(max(e.value for e in held))),
        AS_DOUBLES,
        events=exact,
    ),
    Plant("one answer", "one answer for all", *SUM, lambda w: w.answers(lambda v: 7), events=few()),
    Plant("differences", "made of other results", *SUM, lambda w: of_others(w, lambda i: i - 1), events=few()),
    Plant(
        "nights left out",
        "some times left out",
        *DAY,
        lambda w: w.make(events=[e for e in w.events if not 2 <= find_hour(e) < 6]),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    Plant(
        "twelve hours for twenty-four",
        "times read wrongly",
        *SIX,
        lambda w: retimed(w, lambda e: find_hour(e) >= 12),
        {"unit": HOUR},
        events=few(unit=HOUR),
    ),
    Plant(
        "one source in cents",
        "another unit",
        *SUM,
        lambda w: revalued(w, lambda e: e.value * (100 if e.others[0] == "shop" else 1)),
        events=few(),
        columns=("source",),
    ),
    Plant(
        "frames of each source",
        "parted by another column",
        *ROWS,
        lambda w: apart(w, lambda e: e.others[0]),
        events=few(),
        columns=("source",),
    ),
    Plant(
        "null filled forward",
        "null filled",
        *MEAN,
        lambda w: filled_by(w, find_before),
        OF_NULLS,
        "null",
        events=few("null"),
    ),
    Plant("times in fours", "times truncated", *SUM, lambda w: shifted(w, lambda e: e.time // 4 * 4), events=few()),
    Plant(
        "times to the nearest four",
        "times rounded",
        *SUM,
        lambda w: shifted(w, lambda e: (e.time + 2) // 4 * 4),
        events=few(),
    ),
    Plant("the last tick for the end", "ends named otherwise", *SUM, lambda w: w.moved(window_end=-1), events=few()),
    Plant(
        "all rows before", "frame unbounded", *ROWS, lambda w: w.make(windows=lambda e: rows(e, None, 0)), events=few()
    ),
    Plant("a tick late", "late by a tick", *SUM, lambda w: w.make(takes=lambda e, end: e.watermark <= end), LATE),
    Plant("late for a slice", "late for its slice", *SLIDE, lambda w: w.make(takes=of_slices), LATE, events=few(n=160)),
    Plant(
        "an event lost",
        "event lost",
        *SLIDE,
        lambda w: w.make(events=[e for e in w.events if e.seq != 40]),
        events=few(),
    ),
    Plant("an event twice", "event replayed", *SLIDE, lambda w: w.make(events=[*w.events, w.events[40]]), events=few()),
    Plant("the first of a key", "first event lost", *SLIDE, lambda w: lose(w, lambda es: es[0]), events=few()),
    Plant("the last of a key", "last event lost", *SLIDE, lambda w: lose(w, lambda es: es[-1]), events=few()),
    Plant(
        "capitals and others",
        "keys merged",
        *SUM,
        lambda w: w.make(events=[replace(e, key=e.key.lower()) for e in w.events]),
        events=cased,
    ),
    Plant("at most a thousand", "clamped", *SUM, lambda w: w.answers(lambda v: min(v, 1000)), events=few()),
    Plant("three too many", "result off by a constant", *SUM, lambda w: w.answers(lambda v: v + 3), events=few()),
    Plant("a window ahead", "a result ahead", *SUM, lambda w: by_keys(w, lambda v: [*v[1:], NONE]), events=few()),
    Plant("the greatest so far", "running", *SUM, lambda w: by_keys(w, lambda v: [*accumulate(v, max)]), events=few()),
    Plant("sorted results", "results sorted", *SUM, lambda w: by_keys(w, sorted), events=few()),
    Plant(
        "deviations of slices",
        "mean of deviations",
        "sliding 30 every 10",
        "population-standard-deviation",
        lambda w: w.make(result=lambda h: of_deviations(h, lambda n: 1)),
        events=few(),
    ),
    Plant(
        "null for zero",
        "zero as null",
        "tumbling 5",
        "min",
        lambda w: w.answers(lambda v: v or None),
        value="small",
        events=few("small"),
    ),
    Plant("results lost", "result lost", *SUM, lambda w: some(w, lambda r: None), events=few()),
    Plant("two lost", "events of a window lost", *SUM, lambda w: here_and_there(w, lambda h: h[1:-1]), events=few()),
    Plant(
        "two counted twice",
        "events of a window twice",
        *SUM,
        lambda w: here_and_there(w, lambda h: [*h, *h[:2]]),
        events=few(),
    ),
    Plant(
        "another key's event",
        "events of elsewhere counted",
        *SUM,
        lambda w: here_and_there(w, lambda h: [*h, *find_strangers(w, h)[:1]]),
        events=few("large"),
    ),
    Plant(
        "any other window's",
        "another window's result",
        *SUM,
        lambda w: by_keys(w, lambda v: [w.draw.choice(v) if w.draw.random() < 0.3 else one for one in v]),
        events=few("large"),
    ),
    Plant(
        "counted by time",
        "time order",
        "count 5 by arrival",
        "sum",
        lambda w: w.make(windows=lambda e: counts(in_order(e), 5)),
        events=few(),
    ),
)
"""The faults, one at a time."""

NEAR_MISTAKES: Final[dict[str, Plant]] = {
    "windows begun anew": Plant(
        "buckets that begin at some hour of each day",
        "",
        *BUCKET,
        lambda w: w.make(windows=lambda e: restart(e, 24 * HOUR, lambda day: Random(day).randrange(7) * HOUR)),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    "carried over": Plant(
        "some event of the window before", "", *SUM, lambda w: carry(w, partial(_with_some, w)), events=few()
    ),
    "unsorted": Plant(
        "any value for the median",
        "",
        "tumbling 30",
        "median",
        lambda w: w.make(result=lambda held: float(w.draw.choice(held).value)),
        AS_DOUBLES,
    ),
    "running average": Plant(
        "any weight for each value",
        "",
        *MEAN,
        lambda w: w.make(result=lambda held: step(held, lambda i: w.draw.random())),
        events=few(),
    ),
    "updates without state": Plant(
        "an update without some events in time",
        "",
        *SUM,
        lambda w: update(w, lambda t, late: sum(e.value for e in [*w.draw.sample(t, len(t) // 2), *late])),
        UPDATE,
        events=few(n=160),
    ),
    "overwritten": Plant(
        "any two rows of a window",
        "",
        *SUM,
        lambda w: keep(w, 2, lambda rows: w.draw.sample(rows, len(rows))),
        events=few(n=160),
    ),
    "only the greatest": Plant(
        "any two of a window",
        "",
        *SUM,
        lambda w: keep(w, 2, lambda rows: w.draw.sample(rows, len(rows))),
        events=few(n=160),
    ),
    "another watermark": Plant(
        "a watermark of another key",
        "",
        *SUM,
        lambda w: follow(w, lambda key: {"a": "b", "b": "c", "c": "d", "d": "a"}[key]),
        LATE,
        events=few(n=160),
    ),
    "keys written otherwise": Plant(
        "others' results under strange keys",
        "",
        *SUM,
        lambda w: rename(w, lambda v: v + w.draw.randint(1, 99)),
        events=few(),
    ),
    "double precision": Plant(
        "farther off than doubles are",
        "",
        *SUM,
        lambda w: w.make(result=lambda h: in_doubles(h) * (1 + w.draw.uniform(-1, 1) / 10**9)),
        AS_DOUBLES,
        events=exact,
    ),
    "one answer for all": Plant(
        "one answer for most",
        "",
        *SUM,
        lambda w: w.answers(lambda v: w.draw.choice((7, 7, v + w.draw.randint(1, 99)))),
        events=few(),
    ),
    "made of other results": Plant(
        "differences from any window",
        "",
        *SUM,
        lambda w: of_others(w, lambda i: w.draw.randint(-1, i - 1)),
        events=few(),
    ),
    "some times left out": Plant(
        "any event left out",
        "",
        *DAY,
        lambda w: w.make(events=[e for e in w.events if w.draw.random() > 1 / 6]),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    "times read wrongly": Plant(
        "any event twelve hours early",
        "",
        *SIX,
        lambda w: retimed(w, lambda e: w.draw.random() < 0.5),
        {"unit": HOUR},
        events=few(unit=HOUR),
    ),
    "another unit": Plant(
        "any event in cents",
        "",
        *SUM,
        lambda w: revalued(w, lambda e: e.value * w.draw.choice((1, 1, 100))),
        events=few(),
        columns=("source",),
    ),
    "parted by another column": Plant(
        "frames of each that nobody wrote",
        "",
        *ROWS,
        lambda w: apart(w, lambda e: e.seq * 89 % 3),
        events=few(),
        columns=("source",),
    ),
    "null filled": Plant(
        "null filled with anything",
        "",
        *MEAN,
        lambda w: filled_by(w, lambda *_: w.draw.randint(1, 8)),
        OF_NULLS,
        "null",
        events=few("null"),
    ),
    "times truncated": Plant(
        "times early by any number",
        "",
        *SUM,
        lambda w: shifted(w, lambda e: e.time - w.draw.randint(0, 3)),
        events=few(),
    ),
    "times rounded": Plant(
        "times off by any number",
        "",
        *SUM,
        lambda w: shifted(w, lambda e: e.time + w.draw.randint(-2, 2)),
        events=few(),
    ),
    "ends named otherwise": Plant(
        "ends named by chance",
        "",
        *SUM,
        lambda w: [{**r, "window_end": r["window_end"] + w.draw.randint(-4, -1)} for r in w.make()],
        events=few(),
    ),
    "frame unbounded": Plant(
        "any rows before",
        "",
        *ROWS,
        lambda w: w.make(windows=lambda e: ((a, b, h[w.draw.randrange(len(h)) :]) for a, b, h in rows(e, None, 0))),
        events=few(),
    ),
    "late by a tick": Plant(
        "two ticks late", "", *SUM, lambda w: w.make(takes=lambda e, end: e.watermark <= end + 1), LATE
    ),
    "late for its slice": Plant(
        "late for any slice",
        "",
        *SLIDE,
        lambda w: w.make(takes=lambda e, end: e.watermark < end and (of_slices(e, end) or w.draw.random() < 0.5)),
        LATE,
        events=few(n=160),
    ),
    "event lost": Plant(
        "an event of another value",
        "",
        *SLIDE,
        lambda w: revalued(w, lambda e: e.value + 1234 if e.seq == 40 else e.value),
        events=few(),
    ),
    "event replayed": Plant(
        "an event of its value and another",
        "",
        *SLIDE,
        lambda w: revalued(w, lambda e: 2 * e.value + 17 if e.seq == 40 else e.value),
        events=few(),
    ),
    "first event lost": Plant("the second of a key", "", *SLIDE, lambda w: lose(w, lambda es: es[1]), events=few()),
    "last event lost": Plant("the last but one", "", *SLIDE, lambda w: lose(w, lambda es: es[-2]), events=few()),
    "keys merged": Plant(
        "capitals now and then",
        "",
        *SUM,
        lambda w: w.make(events=[replace(e, key=w.draw.choice((e.key, e.key.swapcase()))) for e in w.events]),
        events=cased,
    ),
    "clamped": Plant(
        "about a thousand", "", *SUM, lambda w: w.answers(lambda v: min(v, w.draw.randint(400, 1000))), events=few()
    ),
    "result off by a constant": Plant(
        "some too many", "", *SUM, lambda w: w.answers(lambda v: v + w.draw.randint(1, 9)), events=few()
    ),
    "a result ahead": Plant(
        "any window ahead",
        "",
        *SUM,
        lambda w: by_keys(w, lambda v: [w.draw.choice(v[i + 1 :] or v) for i in range(len(v))]),
        events=few(),
    ),
    "running": Plant(
        "any so far",
        "",
        *SUM,
        lambda w: by_keys(w, lambda v: [w.draw.choice(v[: i + 1]) for i in range(len(v))]),
        events=few(),
    ),
    "results sorted": Plant(
        "results shuffled", "", *SUM, lambda w: by_keys(w, lambda v: w.draw.sample(v, len(v))), events=few()
    ),
    "mean of deviations": Plant(
        "deviations of slices, weighed",
        "",
        "sliding 30 every 10",
        "population-standard-deviation",
        lambda w: w.make(result=lambda h: of_deviations(h, lambda n: n)),
        events=few(),
    ),
    "zero as null": Plant(
        "null for any",
        "",
        "tumbling 5",
        "min",
        lambda w: w.answers(lambda v: w.draw.choice((None, v))),
        value="small",
        events=few("small"),
    ),
    "result lost": Plant(
        "results that nobody can read", "", *SUM, lambda w: some(w, lambda r: {**r, "result": None}), events=few()
    ),
    "events of a window lost": Plant(
        "noise here and there",
        "",
        *SUM,
        lambda w: some(w, lambda r: {**r, "result": r["result"] + w.draw.randint(9999, 99999)}),
        events=few(),
    ),
    "events of a window twice": Plant(
        "more noise",
        "",
        *SUM,
        lambda w: some(w, lambda r: {**r, "result": r["result"] + w.draw.randint(9999, 99999)}),
        events=few(),
    ),
    "events of elsewhere counted": Plant(
        "an event of any other time",
        "",
        *SUM,
        lambda w: here_and_there(w, lambda h: [*h, w.draw.choice(w.events)]),
        events=few("large"),
    ),
    "another window's result": Plant(
        "results of no window",
        "",
        *SUM,
        lambda w: some(w, lambda r: {**r, "result": w.draw.randint(4000, 9999)}),
        events=few(),
    ),
    "time order": Plant(
        "counted in any order",
        "",
        "count 5 by arrival",
        "sum",
        lambda w: w.make(windows=lambda e: counts(w.draw.sample([*e], len(e)), 5)),
        events=few(),
    ),
}
"""Faults that are near those of a cause, and that the cause does not explain."""

NEIGHBOURS: Final = {
    "state shared": "a ring whose slots are not cleared",
    "ties repeated": "what was known by some event appended",
    "ends": "a pane long",
    "a pane short": "a pane long",
    "a pane long": "begins a pane late",
    "another range": "begins a pane late",
    "one window too many": "a tick short",
    "windows without end": "tumbling for sliding",
    "windows moved": "times off by 3",
    "time zone": "nights left out",
    "times moved": "begins at an offset",
    "remainder below zero": "begins at an offset",
    "named by the end": "named a window early",
    "named by its last event": "another gap",
    "names moved": "named by the end",
    "gap inclusive": "another gap",
    "gap exclusive": "each event a session",
    "another gap": "gap inclusive",
    "cut at a batch": "each event a session",
    "counted from elsewhere": "the rest of a count shown",
    "frame off by one": "all rows before",
    "evicted one by one": "range a tick short",
    "null until full": "own row left out",
    "first windows left out": "last windows not flushed",
    "last windows left out": "only full windows",
    "last windows too many": "count begins one late",
    "empty windows filled": "one answer",
    "late events counted": "half the delay",
    "late events left out": "dropped behind the watermark",
    "late by its time": "late for a slice",
    "out of order left out": "dropped behind the watermark",
    "late events counted elsewhere": "a late event opens a second result",
    "late events apart": "late events counted",
    "batch lost": "one of three partitions lost",
    "batch replayed": "joined, so doubled",
    "left out by a load": "one event of each time",
    "loaded twice": "one source twice",
    "a share lost": "batch lost",
    "some values left out": "batch lost",
    "null as zero": "null filled forward",
    "duplicates left out": "a buffer of three",
    "result multiplied": "three too many",
    "keys swapped": "keys in capitals",
    "key of another event": "swapped keys",
    "key lost": "keys in capitals",
    "unknown key": "keys in capitals",
    "partial results": "written twice",
    "one part of several": "all state lost in the middle",
    "merge order": "sorted",
    "arrival order": "ties by value",
    "newest first": "ties newest first",
    "sorted": "ties by value",
    "tie broken otherwise": "arrival order",
    "time as text": "arrival order",
    "truncated": "rounded",
    "rounded": "truncated",
    "trimmed": "two lost",
    "overflow": "at most a thousand",
    "single precision": "money in doubles",
    "starts from zero": "max for min",
    "sign lost": "a maximum that starts at 0",
    "state kept": "a window behind",
    "a result behind": "differences",
    "repeated": "partial sums not merged",
    "null": "results lost",
    "stretch lost": "results lost",
}
"""Of causes that have no fault above beside them: that of another cause, which must not have their name."""

ELSEWHERE: Final = {
    "overtaken": "seen of a result that has versions, which these samples have not; a test of versions does",
    "wrong version": "seen of a result that has versions, which these samples have not",
    "never said": "seen of a result that has versions, which these samples have not; the tests of change logs do",
    "beyond rounding": "seen by the audit of a float by itself, before causes are looked for",
    "unexplained": "it is that there is none: noise is planted, and each fault that is named is one that is not it",
}
"""Causes without a fault of their own here, or without one beside, and why."""
