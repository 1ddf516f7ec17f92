"""Mistakes that are common in practice, and what is near each: values in another unit, answers of parts that are
merged, states that are lost, updates that are taken for results.

Each is of one of the ways in which a hypothesis of that name is made; a cause of `names` that has several has a fault
of each that was found to have none.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from statistics import median
from typing import Any, Final

from support.faults.mistakes import AS_DOUBLES, OF_NULLS, UPDATE, by_keys, few, revalued, update
from support.faults.planted import (
    COUNT,
    DELAY,
    GAP,
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
    draw_events,
    fixed,
    left_out,
    mean,
    months,
    rows,
)

SECOND: Final = 1_000_000
FULL: Final = ("rows -3 0 full", "sum")
BATCH: Final = 27
VERSIONS: Final = {**UPDATE, "updates": True}
MEDIAN: Final = ("tumbling 30", "median")
DISTINCT: Final = ("tumbling 30", "distinct-count")
DAY: Final = 86_400 * SECOND


def beside(of: Callable[[Came, Random], Any], value: str = "int", n: int = 160, unit: int = 1) -> Any:
    """Few events, with a column that is made of each."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed + n)
        return [replace(e, others=(of(e, dice),)) for e in draw_events(seed, value, n=n, unit=unit)]

    return draw


def find_batch(e: Came) -> int:
    return e.seq // BATCH


numbered: Final = beside(lambda e, dice: find_batch(e))


def restarted(w: World, cuts: Callable[[int], Sequence[int]], size: int = 30, slide: int = 10) -> list[Row]:
    """Windows that are open when one of some events comes hold what came from then on alone."""
    mark = {e.seq: e.watermark for e in w.events}

    def windows(events: Sequence[Came]) -> Windows:
        for a, b, held in fixed(events, size, slide):
            at = max((at for at in cuts(a) if b > mark[at]), default=0)
            yield a, b, [e for e in held if e.seq >= at]

    return w.make(windows=windows)


def framed(w: World, low: Callable[[], int]) -> list[Row]:
    """Frames of four rows, of which so many come before."""

    def windows(events: Sequence[Came]) -> Windows:
        for i, e in enumerate(events):
            at = i + low()
            yield e.time, e.seq, list(events[max(0, at) : max(0, at + 4)])

    return w.make(windows=windows)


def of_parts(
    w: World, of: Callable[[Came], Any], each: Callable[[list[Any]], Any], merge: Callable[[list[Any]], Any]
) -> list[Row]:
    """Answers of parts, made one."""

    def result(held: list[Came]) -> Any:
        parts: dict[Any, list[Any]] = defaultdict(list)
        for e in held:
            parts[of(e)].append(e.value)
        return merge([each(part) for part in parts.values()])

    return w.make(result=result)


def add_strictly(values: list[Any]) -> Any:
    """As `+` does, of which nothing comes where there is a null."""
    return None if None in values else sum(values)


def in_arrival(held: list[Came]) -> list[Came]:
    return sorted(held, key=lambda e: e.seq)


def shown(w: World, some: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """A result of each window with each event that comes."""
    made = list[Row]()
    for r in w.make(result=in_arrival):
        held = r["result"]
        made += [{**r, "result": sum(e.value for e in some(held[:n]))} for n in range(1, len(held) + 1)]
    return made


def first_version(w: World, chosen: Callable[[list[int]], int]) -> list[Row]:
    """The result of each window that one of its micro-batches wrote."""

    def result(held: list[Came]) -> int:
        last = chosen(sorted({find_batch(e) for e in held}))
        return sum(e.value for e in held if find_batch(e) <= last)

    return w.make(result=result)


def at_latest(w: World, which: Callable[[Came], bool]) -> list[Row]:
    """Late events are counted at the latest time when they come."""
    return w.make(
        events=[replace(e, time=e.watermark + DELAY) if which(e) else e for e in w.events], takes=lambda e, end: True
    )


def once_of_all(w: World) -> list[Row]:
    """One event of each value in ten ticks, of all keys, the one that came first."""
    kept: dict[tuple[int, Any], Came] = {}
    for e in w.events:
        kept.setdefault((e.time // 10, e.value), e)
    return w.make(events=[e for e in w.events if kept[e.time // 10, e.value] is e])


def corrected(w: World, left: Callable[[list[Came], list[Came]], Iterable[list[Came]]]) -> list[Row]:
    """Results of windows that have late events, beside those before them."""
    made = list[Row]()
    for r in w.make(result=lambda held: held):
        late = sorted((e for e in r["result"] if e.watermark >= r["window_end"]), key=lambda e: e.seq)
        timely = [e for e in r["result"] if e.watermark < r["window_end"]]
        made += [{**r, "result": sum(e.value for e in some)} for some in (left(timely, late) if late else [timely])]
    return made


def thirty_days(at: datetime) -> int:
    first = datetime(at.year, 1, 1, tzinfo=UTC)
    return at.year * 12 + min(11, (at - first).days // 30)


def stop_at(w: World, time: int) -> list[Row]:
    return [r for r in w.make() if r["window_start"] < time]


def together(w: World) -> list[Row]:
    """Each five events of all keys, of each key those that are its own, named by their own numbers."""
    made, seen = list[Row](), dict[str, int]()
    for at in range(0, len(w.events), 5):
        for key, mine in sorted(by_key(w.events[at : at + 5]).items()):
            first = seen.get(key, 0) + 1
            seen[key] = first + len(mine) - 1
            made.append(w.row(key, first, seen[key], sum(e.value for e in mine)))
    return made


def by_column(w: World) -> Callable[[Sequence[Came]], Windows]:
    """Each five events of a key in the order of another column."""

    def windows(events: Sequence[Came]) -> Windows:
        ordered = sorted(events, key=lambda e: (e.others[0], e.seq))
        for i in range(0, len(ordered) - 4, 5):
            yield i + 1, i + 5, ordered[i : i + 5]

    return windows


def to_celsius(e: Came) -> Any:
    return (e.value - 32) * 5 / 9 if e.key == "b" else e.value


def in_month(seed: int) -> list[Came]:
    """Events of half a year, a day apart."""
    return [replace(e, time=(e.time + 70) * DAY, watermark=-(10**18)) for e in draw_events(seed, "int", n=200)]


def moment(e: Came, dice: Random) -> str:
    """When it came, as a column says: some seconds after its time."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=e.time // SECOND + dice.randint(0, 12))).isoformat()


def at_moments(w: World, read: Callable[[Came], str]) -> list[Row]:
    return w.make(events=[replace(e, time=int(datetime.fromisoformat(read(e)).timestamp()) * SECOND) for e in w.events])


HABITS: Final = (
    Plant(
        "begun again without its state",
        "state lost",
        *SLIDE,
        lambda w: restarted(w, lambda a: (80,)),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "begun again three times",
        "state lost",
        *SUM,
        lambda w: restarted(w, lambda a: (20, 70, 110), 10, 10),
        LATE,
        events=few(n=160),
    ),
    Plant("frames around their rows", "frame centred", *ROWS, lambda w: framed(w, lambda: -1), events=few()),
    Plant("frames answered too early", "answered before full", *FULL, lambda w: w.make(), events=few()),
    Plant(
        "a minute's rows for its seconds",
        "ROWS for RANGE",
        "range -9s 0",
        "sum",
        lambda w: w.make(windows=lambda e: rows(e, -8, 0)),
        {"unit": SECOND},
        events=few(unit=SECOND),
    ),
    Plant(
        "an update that adds late events again",
        "late events counted twice",
        *SUM,
        lambda w: update(w, lambda t, late: sum(e.value for e in [*t, *late, *late])),
        UPDATE,
        events=few(n=160),
    ),
    Plant("updates taken for results", "updates shown", *SUM, lambda w: shown(w, lambda held: held), events=few()),
    Plant(
        "the first version stays",
        "updates lost",
        *SUM,
        lambda w: first_version(w, min),
        VERSIONS,
        events=numbered,
        columns=("batch",),
    ),
    Plant(
        "no updates from a batch on",
        "updates lost",
        *SUM,
        lambda w: first_version(w, lambda of: max(of[0], min(of[-1], 2))),
        VERSIONS,
        events=numbered,
        columns=("batch",),
    ),
    Plant(
        "one source in dollars",
        "another unit",
        *SUM,
        lambda w: revalued(w, lambda e: round(Fraction(e.value * 92, 100)) if e.others[0] == "shop" else e.value),
        events=few(),
        columns=("source",),
    ),
    Plant(
        "net for gross",
        "another unit",
        *SUM,
        lambda w: revalued(w, lambda e: int(Fraction(e.value * 100, 119))),
        events=few(),
    ),
    Plant(
        "one key in Fahrenheit",
        "another unit",
        "tumbling 10",
        "mean",
        lambda w: revalued(w, to_celsius),
        value="price",
        events=few("price"),
    ),
    Plant(
        "values in whole hundreds",
        "rounded",
        *SUM,
        lambda w: revalued(w, lambda e: round(Fraction(e.value, 100)) * 100),
        events=few(),
    ),
    Plant(
        "small values left out",
        "some values left out",
        *SUM,
        lambda w: left_out(w, lambda e: e.value < 300),
        events=few(),
    ),
    Plant(
        "a median of medians",
        "merged wrongly",
        *MEDIAN,
        lambda w: of_parts(w, lambda e: e.time // 10, median, lambda parts: float(median(parts))),
        AS_DOUBLES,
    ),
    Plant(
        "distinct counts added",
        "merged wrongly",
        *DISTINCT,
        lambda w: of_parts(w, lambda e: e.time // 10, lambda v: len(set(v)), sum),
        value="small",
    ),
    Plant(
        "the greatest of each third",
        "trimmed",
        "tumbling 30",
        "top-3",
        lambda w: of_parts(w, lambda e: e.time // 10, max, lambda parts: sorted(parts)[::-1]),
        {"kind": "json"},
    ),
    Plant(
        "the greatest of means",
        "another aggregate",
        "tumbling 30",
        "max",
        lambda w: of_parts(w, lambda e: e.time // 10, mean, max),
        AS_DOUBLES,
        events=few(n=160),
    ),
    Plant(
        "a mean of sums",
        "another aggregate",
        "tumbling 30",
        "mean",
        lambda w: of_parts(w, lambda e: e.time // 10, sum, mean),
        events=few(n=160),
    ),
    Plant(
        "null plus anything",
        "null",
        *SUM,
        lambda w: w.make(result=lambda held: add_strictly([e.value for e in held])),
        OF_NULLS,
        "null",
        events=few("null"),
    ),
    Plant(
        "the first event's value, though it is null",
        "null",
        "tumbling 10",
        "first",
        lambda w: w.make(result=lambda held: held[0].value),
        OF_NULLS,
        "null",
        events=few("null", n=160),
    ),
    Plant(
        "answers in Fahrenheit",
        "result multiplied",
        "tumbling 10",
        "max",
        lambda w: w.answers(lambda v: v * 9 / 5 + 32),
        AS_DOUBLES,
        events=few(),
    ),
    Plant(
        "windows from the first event on",
        "sessions parted otherwise",
        *GAP,
        lambda w: w.make(windows=lambda e: ((a, a + 6, held) for a, _, held in runs_of(e))),
    ),
    Plant(
        "thirty days for a month",
        "windows by another formula",
        "tumbling 1 month in UTC",
        "sum",
        lambda w: w.make(windows=lambda e: months(e, thirty_days)),
        {"unit": DAY},
        events=in_month,
    ),
    Plant(
        "a column's time",
        "arrival for time",
        "tumbling 10s",
        "sum",
        lambda w: at_moments(w, lambda e: e.others[0]),
        {"unit": SECOND},
        events=beside(moment, unit=SECOND),
        columns=("came",),
    ),
    Plant("counted to six", "ends", *COUNT, lambda w: w.make(windows=lambda e: six(e)), events=few()),
    Plant("all keys counted together", "over all keys", "count 5 by arrival", "sum", together, events=few()),
    Plant(
        "counted by a column",
        "time order",
        "count 5 by arrival",
        "sum",
        lambda w: w.make(windows=by_column(w)),
        events=beside(lambda e, dice: dice.randint(0, 10**6)),
        columns=("placed",),
    ),
    Plant(
        "a micro-batch lost",
        "batch lost",
        *SUM,
        lambda w: left_out(w, lambda e: find_batch(e) == 3),
        events=numbered,
        columns=("batch",),
    ),
    Plant(
        "a micro-batch twice",
        "batch replayed",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (find_batch(e) == 3))]),
        events=numbered,
        columns=("batch",),
    ),
    Plant(
        "pairs counted",
        "another column",
        *DISTINCT,
        lambda w: w.make(result=lambda held: len({(e.value, e.others[0]) for e in held})),
        value="small",
        events=few("small"),
        columns=("source",),
    ),
    Plant(
        "one source left out",
        "filtered by another column",
        *SUM,
        lambda w: left_out(w, lambda e: e.others[0] == "web"),
        events=few(),
        columns=("source",),
    ),
    Plant(
        "one source twice",
        "doubled by another column",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.others[0] == "web"))]),
        events=few(),
        columns=("source",),
    ),
    Plant("stopped", "stretch lost", *SUM, lambda w: stop_at(w, 20), events=few(n=160)),
    Plant(
        "rows of another order",
        "results exchanged",
        *SUM,
        lambda w: by_keys(w, lambda v: w.draw.sample(v, len(v))),
        events=few("large", n=160),
    ),
    Plant(
        "late events at the latest time",
        "late events counted elsewhere",
        *SUM,
        lambda w: at_latest(w, lambda e: e.time < e.watermark + DELAY),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "one of each value, of all keys",
        "duplicates left out",
        *SUM,
        once_of_all,
        value="small",
        events=few("small", n=160),
    ),
    Plant(
        "corrections beside what they correct",
        "not retracted",
        *SUM,
        lambda w: corrected(w, lambda t, late: ([*t, *late[:i]] for i in range(not t, len(late) + 1))),
        UPDATE,
        events=few(n=160),
    ),
    Plant(
        "weeks from Thursday on, named as from Monday",
        "windows moved",
        "tumbling 7 days in UTC",
        "sum",
        lambda w: w.make(windows=lambda e: ((a, b, h) for a, b, h in weeks(e, 3))),
        {"unit": DAY},
        events=in_month,
    ),
)
"""The faults, one at a time."""


def runs_of(events: Sequence[Came]) -> Windows:
    """The runs of events less than six after the first."""
    run = list[Came]()
    for e in events:
        if run and e.time - run[0].time >= 6:
            yield run[0].time, run[0].time + 6, run
            run = []
        run.append(e)
    if run:
        yield run[0].time, run[0].time + 6, run


def six(events: Sequence[Came]) -> Windows:
    for i in range(0, len(events) - 5, 6):
        yield i + 1, i + 6, list(events[i : i + 6])


def weeks(events: Sequence[Came], late: int) -> Windows:
    """Weeks of UTC that hold what was so many days later, by the days that they are called by."""
    held: dict[int, list[Came]] = defaultdict(list)
    for e in events:
        held[(e.time - late * DAY) // (7 * DAY)].append(e)
    for n, mine in sorted(held.items()):
        yield n * 7 * DAY, (n + 1) * 7 * DAY, mine


NEAR_HABITS: Final[dict[str, Plant]] = {
    "state lost": Plant(
        "each window without what came before some event",
        "",
        *SLIDE,
        lambda w: restarted(w, lambda a: (Random(a).randrange(160),)),
        LATE,
        events=few(n=160),
    ),
    "frame centred": Plant(
        "frames of any place", "", *ROWS, lambda w: framed(w, lambda: w.draw.randint(-3, 0)), events=few()
    ),
    "answered before full": Plant(
        "anything before a frame is full",
        "",
        *FULL,
        lambda w: w.make(result=lambda h: sum(e.value for e in h) + (w.draw.randint(1, 99) if len(h) < 4 else 0)),
        events=few(),
    ),
    "late events counted twice": Plant(
        "some events in time twice",
        "",
        *SUM,
        lambda w: update(w, lambda t, late: sum(e.value for e in [*t, *late, *w.draw.sample(t, len(t) // 2)])),
        UPDATE,
        events=few(n=160),
    ),
    "updates shown": Plant(
        "several results of any events",
        "",
        *SUM,
        lambda w: shown(w, lambda held: w.draw.sample(held, w.draw.randint(1, len(held)))),
        events=few("large"),
    ),
    "updates lost": Plant(
        "the version of any batch",
        "",
        *SUM,
        lambda w: first_version(w, w.draw.choice),
        VERSIONS,
        events=numbered,
        columns=("batch",),
    ),
    "results exchanged": Plant(
        "any result of the key",
        "",
        *SUM,
        lambda w: by_keys(w, lambda v: [w.draw.choice(v) for _ in v]),
        events=few("large", n=160),
    ),
    "another column": Plant(
        "pairs with what nobody wrote",
        "",
        *DISTINCT,
        lambda w: w.make(result=lambda held: len({(e.value, Random(e.seq).randrange(3)) for e in held})),
        value="small",
        events=few("small"),
        columns=("source",),
    ),
    "filtered by another column": Plant(
        "any event left out, beside a column",
        "",
        *SUM,
        lambda w: left_out(w, lambda e: w.draw.random() < 0.3),
        events=few(),
        columns=("source",),
    ),
    "doubled by another column": Plant(
        "any event twice, beside a column",
        "",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (w.draw.random() < 0.3))]),
        events=few(),
        columns=("source",),
    ),
    "not retracted": Plant(
        "corrections beside any result",
        "",
        *SUM,
        lambda w: corrected(w, lambda t, late: ([*t, *late], w.draw.sample([*t, *late], 1))),
        UPDATE,
        events=few("large", n=160),
    ),
}
"""Faults that are near those of a cause, and that the cause does not explain."""

BESIDE_WAYS: Final = {
    "of the means of its parts": Plant(
        "the greatest of means of any parts",
        "",
        "tumbling 30",
        "max",
        lambda w: of_parts(w, lambda e: w.draw.randrange(3), mean, max),
        AS_DOUBLES,
        events=few(n=160),
    ),
    "answers null where": Plant(
        "null for half of those with a null",
        "",
        *SUM,
        lambda w: w.make(result=lambda held: add_strictly([e.value for e in held if e.value or w.draw.random() < 0.5])),
        OF_NULLS,
        "null",
        events=few("null", n=160),
    ),
    "times what is due, and": Plant(
        "answers in Fahrenheit, of any melting point",
        "",
        "tumbling 10",
        "max",
        lambda w: w.answers(lambda v: v * 9 / 5 + w.draw.randint(30, 34)),
        AS_DOUBLES,
        events=few(),
    ),
}
"""Faults near a way in which a cause is so, that must not be told of them; the name of the cause may be."""
