"""Mistakes that people make again and again: a column of the key forgotten, one too many counted, both ends of a
joined interval; and beside them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, Windows, World, by_key, counts, in_order, rows, sessions


def of_tills(seed: int) -> list[Came]:
    """Events whose key is a shop and a till."""
    dice = Random(seed)
    return [replace(e, key=json.dumps([dice.choice(("A", "B")), dice.choice("123")])) for e in few(n=320)(seed)]


def of_agents(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=dice.randint(2_000, 90_000), others=(dice.choice("xyz"),)) for e in few(n=260)(seed)]


def of_campaigns(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, others=(dice.choice("pqrst"),)) for e in few(n=320)(seed)]


def without_till(w: World, often: float = 1.0) -> list[Row]:
    """The sum of the shop's window for each of its tills that has an event in it."""
    sums: dict[tuple[str, int], int] = {}
    for key, mine in by_key(w.events).items():
        for a, _, held in w.windows(in_order(mine)):
            shop = json.loads(key)[0]
            sums[shop, a] = sums.get((shop, a), 0) + sum(e.value for e in held)
    return [
        {**r, "result": sums[json.loads(r["key"])[0], r["window_start"]]} if w.draw.random() < often else r
        for r in w.make()
    ]


def frames_without_till(w: World) -> list[Row]:
    """Frames of the last three rows of a shop."""
    shops = by_key([replace(e, key=json.loads(e.key)[0]) for e in w.events])
    keys = {e.seq: e.key for e in w.events}
    return [
        w.row(keys[seq], time, seq, max(e.value for e in held))
        for mine in shops.values()
        for time, seq, held in rows(in_order(mine), -2, 0)
    ]


def counts_named(n: int, named: int, extra: Callable[[int], int]) -> Callable[[Sequence[Came]], Windows]:
    """Windows of n events, and so many more, by the names of those of another number."""

    def cut(events: Sequence[Came]) -> Windows:
        for k, (_, b, held) in enumerate(counts(events, n)):
            yield k * named + 1, k * named + named, [*held, *events[b : b + extra(k)]]

    return cut


def at_edges(w: World, span: int, often: int, *, some: float = 1.0) -> list[Row]:
    """Events at full spans of time count so often."""
    return w.make(
        events=[e for e in w.events for _ in range(often if e.time % span == 0 and w.draw.random() < some else 1)]
    )


def greatest_as_text(held: list[Came]) -> list[int]:
    return sorted((e.value for e in held), key=str, reverse=True)[:3]


def kept_single(w: World, replace_by: Callable[[list[Came]], int]) -> list[Row]:
    """The greatest of the last three rows by one number, which is replaced where it leaves."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        best: int | None = None
        ordered = in_order(mine)
        for i, e in enumerate(ordered):
            leaves = best is not None and i > 2 and ordered[i - 3].value == best
            best = (
                replace_by(ordered[max(0, i - 2) : i + 1])
                if leaves
                else max(e.value, e.value if best is None else best)
            )
            made.append(w.row(key, e.time, e.seq, best))
    return made


def begun_at_zero(w: World, often: float = 1.0) -> list[Row]:
    """An event that opens a window of its key begins it, and is not in it, but for the first one."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        for i, (a, b, held) in enumerate(w.windows(in_order(mine))):
            lost = i > 0 and w.draw.random() < often
            made.append(w.row(key, a, b, sum(e.value for e in (held[1:] if lost else held))))
    return made


def from_first(events: Sequence[Came], size: int, slide: int) -> Windows:
    """Windows that are counted from the first event on."""
    first, last = events[0].time, events[-1].time
    for a in range(first, last + 1, slide):
        if held := [e for e in events if a <= e.time < a + size]:
            yield a, a + size, held


def opened(w: World, size: int, *, named: bool = False, loosely: bool = False) -> list[Row]:
    """Windows that are begun by the event which the one before does not hold; by the name of the one that is due."""

    def cut(events: Sequence[Came]) -> Windows:
        left = list(events)
        while left:
            a = left[0].time
            b = a + size + (w.draw.choice((-9, 0, 7)) if loosely else 0)
            held = [e for e in left if e.time < b]
            left = left[len(held) :]
            yield (a // size * size, a // size * size + size, held) if named else (a, a + size, held)

    return w.make(windows=cut)


def misplaced(w: World, far: Callable[[int], int] = lambda i: i) -> list[Row]:
    """Answers in the order of key and time, beside rows in the order of time."""
    made = sorted(w.make(), key=lambda r: (r["key"], r["window_start"]))
    rows_ = sorted(made, key=lambda r: (r["window_start"], r["key"]))
    return [{**r, "result": made[far(i) % len(made)]["result"]} for i, r in enumerate(rows_)]


def in_batches(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, others=(e.seq // 32, dice.choice("xyyy"))) for e in few(n=320)(seed)]


def retried(w: World, often: float = 1.0) -> list[Row]:
    """Two micro-batches count twice, of the keys of one shard."""

    def count(e: Came) -> int:
        return 2 if e.key in "bd" and e.others[0] in (3, 6) and w.draw.random() < often else 1

    return w.make(events=[e for e in w.events for _ in range(count(e))])


def overwritten(w: World, often: float = 1.0) -> list[Row]:
    """Of a micro-batch the last of two workers alone, where both change a window."""

    def result(held: list[Came]) -> int:
        kept: dict[int, dict[str, int]] = {}
        for e in held:
            of = kept.setdefault(e.others[0], {})
            of[e.others[1]] = of.get(e.others[1], 0) + e.value
        return sum(of[max(of)] if w.draw.random() < often else sum(of.values()) for of in kept.values())

    return w.make(result=result)


def in_latest(w: World, *, of_all: bool = False, often: float = 1.0) -> list[Row]:
    """Events that come behind are put into the latest window so far, of their key or of all."""
    latest: dict[str, int] = {}
    moved: list[Came] = []
    for e in w.events:
        whose = "" if of_all else e.key
        latest[whose] = max(latest.get(whose, e.time), e.time)
        moved.append(replace(e, time=latest[whose]) if w.draw.random() < often else e)
    return w.make(events=moved)


def kept_session(w: World, gap: int, span: int, often: float = 1.0) -> list[Row]:
    """A session that begins soon after the one before goes on with its sum."""

    def cut(events: Sequence[Came]) -> Windows:
        kept: list[Came] = []
        for a, b, held in sessions(events, gap):
            kept = [*kept, *held] if kept and a - kept[-1].time < span and w.draw.random() < often else held
            yield a, b, kept

    return w.make(windows=cut)


def paid_later(seed: int) -> list[Came]:
    """Events with the time at which they are paid, as text."""
    dice = Random(seed)
    lags = (60, 120, 240, 360, 420, 600)
    return [
        replace(e, others=(datetime.fromtimestamp(e.time / 10**6 + dice.choice(lags), UTC).isoformat(),))
        for e in few(n=260, unit=60 * 10**6)(seed)
    ]


def joined_within(w: World, most: int, often: float = 1.0) -> list[Row]:
    def is_late(e: Came) -> bool:
        return datetime.fromisoformat(e.others[0]).timestamp() - e.time / 10**6 > most

    return w.make(events=[e for e in w.events if not (is_late(e) and w.draw.random() < often)])


def rounded_even(time: int, unit: int) -> int:
    return round(time / unit) * unit


USUAL: Final = (
    Plant("a till forgotten", "over all keys", "tumbling 20", "sum", without_till, events=of_tills),
    Plant("a till forgotten, of rows", "over all keys", "rows -2 0", "max", frames_without_till, events=of_tills),
    Plant(
        "fired at one too many",
        "ends",
        "count 5",
        "sum",
        lambda w: w.make(windows=counts_named(6, 5, lambda _: 0)),
    ),
    Plant(
        "both ends of a joined interval",
        "some times twice",
        "tumbling 20",
        "sum",
        lambda w: at_edges(w, 10, 2),
        events=few(n=320),
    ),
    Plant(
        "neither end of a joined interval",
        "some times left out",
        "sliding 20 every 5",
        "count",
        lambda w: at_edges(w, 10, 0),
        events=few(n=320),
    ),
    Plant(
        "one agent's bytes divided",
        "another unit",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=[replace(e, value=e.value // 1024) if e.others == ("y",) else e for e in w.events]),
        events=of_agents,
        columns=("agent",),
    ),
    Plant(
        "two campaigns that a join lacks",
        "filtered by another column",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=[e for e in w.events if e.others[0] not in "rs"]),
        events=of_campaigns,
        columns=("campaign",),
    ),
    Plant(
        "one number of a maximum",
        "stale extreme",
        "rows -2 0",
        "max",
        lambda w: kept_single(w, lambda held: held[-1].value),
        events=few(n=200),
    ),
    Plant(
        "times rounded to even ones",
        "times rounded",
        "tumbling 30",
        "sum",
        lambda w: w.make(events=[replace(e, time=rounded_even(e.time, 6)) for e in w.events]),
        events=few(n=260),
    ),
    Plant(
        "the greatest three as text",
        "another aggregate",
        "tumbling 20",
        "top-3",
        lambda w: w.make(result=greatest_as_text),
        {"kind": "json"},
        events=few(n=260),
    ),
    Plant(
        "three of a window that came last",
        "another aggregate",
        "tumbling 20",
        "top-3",
        lambda w: w.make(result=lambda held: sorted((e.value for e in in_order(held)[-3:]), reverse=True)),
        {"kind": "json"},
        events=few(n=260),
    ),
    Plant(
        "windows that are begun at zero",
        "first event lost",
        "tumbling 20",
        "sum",
        begun_at_zero,
        events=few(n=260),
    ),
    Plant(
        "windows from the first event of a key",
        "windows moved",
        "sliding 20 every 10",
        "sum",
        lambda w: w.make(windows=lambda events: from_first(events, 20, 10)),
        events=few(n=260),
    ),
    Plant(
        "windows that an event opens",
        "windows by another formula",
        "tumbling 20",
        "sum",
        lambda w: opened(w, 20),
        events=few(n=260),
    ),
    Plant(
        "windows that an event opens, by another name",
        "windows by another formula",
        "tumbling 20",
        "max",
        lambda w: opened(w, 20, named=True),
        events=few(n=260),
    ),
    Plant(
        "answers in the order of keys",
        "results exchanged",
        "tumbling 20",
        "sum",
        misplaced,
        events=few(n=260),
    ),
    Plant(
        "two workers of a batch",
        "one part of several",
        "tumbling 40",
        "sum",
        overwritten,
        events=in_batches,
        columns=("batch", "worker"),
    ),
    Plant(
        "late ones in the window that is open",
        "late events counted elsewhere",
        "tumbling 20",
        "sum",
        lambda w: in_latest(w),
        events=few(n=260),
    ),
    Plant(
        "late ones in the window that is open for all",
        "late events counted elsewhere",
        "tumbling 20",
        "sum",
        lambda w: in_latest(w, of_all=True),
        events=few(n=260),
    ),
    Plant(
        "a session's state that is cleared later",
        "state kept",
        "session 3",
        "sum",
        lambda w: kept_session(w, 3, 5),
        events=few(n=260),
    ),
    Plant(
        "paid within five minutes",
        "filtered by another column",
        "tumbling 20m",
        "sum",
        lambda w: joined_within(w, 300),
        {"unit": 60 * 10**6},
        events=paid_later,
        columns=("paid",),
    ),
    Plant(
        "batches of two keys that are tried again",
        "batch replayed",
        "tumbling 20",
        "sum",
        retried,
        events=in_batches,
        columns=("batch", "worker"),
    ),
)

_HERE_AND_THERE: Final = Plant(
    "events at full spans twice here and there",
    "",
    "tumbling 20",
    "sum",
    lambda w: at_edges(w, 10, 2, some=0.4),
    events=few(n=320),
)

NEAR_USUAL: Final[dict[str, Plant]] = {"some times twice": _HERE_AND_THERE}
"""For a cause, a fault that is near it, and another."""

BESIDE_USUAL: Final[dict[str, Plant]] = {
    "whatever its": Plant(
        "a till forgotten now and then",
        "",
        "tumbling 20",
        "sum",
        lambda w: without_till(w, often=0.5),
        events=of_tills,
    ),
    "numbers its windows by these": Plant(
        "one or two too many",
        "",
        "count 5",
        "sum",
        lambda w: w.make(windows=counts_named(6, 5, lambda k: k * k % 3)),
    ),
    "takes the newest in its place": Plant(
        "one number of a maximum, replaced by any",
        "",
        "rows -2 0",
        "max",
        lambda w: kept_single(w, lambda held: w.draw.choice(held).value),
        events=few(n=200),
    ),
    "those in the middle to an even number": Plant(
        "times rounded to either side",
        "",
        "tumbling 30",
        "sum",
        lambda w: w.make(
            events=[replace(e, time=(e.time + w.draw.choice((2, 3))) // 6 * 6) for e in w.events],
        ),
        events=few(n=260),
    ),
    "values that are greatest as text": Plant(
        "any three",
        "",
        "tumbling 20",
        "top-3",
        lambda w: w.make(result=lambda held: [e.value for e in w.draw.sample(held, min(3, len(held)))]),
        {"kind": "json"},
        events=few(n=260),
    ),
    "but the first one of its key": Plant(
        "some windows that are begun at zero",
        "",
        "tumbling 20",
        "sum",
        lambda w: begun_at_zero(w, often=0.5),
        events=few(n=260),
    ),
    "counts its windows of each key from": Plant(
        "windows from anywhere",
        "",
        "tumbling 20",
        "sum",
        lambda w: w.make(windows=lambda events: from_first(events, 20, w.draw.choice((19, 20, 21)))),
        events=few(n=260),
    ),
    "the first event that the one before it does not hold": Plant(
        "windows of any length that an event opens",
        "",
        "tumbling 20",
        "sum",
        lambda w: opened(w, 20, loosely=True),
        events=few(n=260),
    ),
    "beside rows in the order of": Plant(
        "answers beside rows nearby",
        "",
        "tumbling 20",
        "sum",
        lambda w: misplaced(w, lambda i: i + w.draw.choice((-1, 0, 1))),
        events=few(n=260),
    ),
    "does not merge its partial aggregates of one": Plant(
        "two workers of a batch now and then",
        "",
        "tumbling 40",
        "sum",
        lambda w: overwritten(w, often=0.5),
        events=in_batches,
        columns=("batch", "worker"),
    ),
    "in the latest window of": Plant(
        "some late ones in the window that is open",
        "",
        "tumbling 20",
        "sum",
        lambda w: in_latest(w, often=0.5),
        events=few(n=260),
    ),
    "so that one which begins before": Plant(
        "a session's state that is cleared now and then",
        "",
        "session 3",
        "sum",
        lambda w: kept_session(w, 3, 5, often=0.5),
        events=few(n=260),
    ),
    "after their time": Plant(
        "some that are paid later lost",
        "",
        "tumbling 20m",
        "sum",
        lambda w: joined_within(w, 300, often=0.5),
        {"unit": 60 * 10**6},
        events=paid_later,
        columns=("paid",),
    ),
    "twice, of keys": Plant(
        "some of two keys in a batch that are tried again",
        "",
        "tumbling 20",
        "sum",
        lambda w: retried(w, often=0.5),
        events=in_batches,
        columns=("batch", "worker"),
    ),
    "counts twice events at each full": _HERE_AND_THERE,
    "leaves out events at each full": Plant(
        "events at full spans lost here and there",
        "",
        "sliding 20 every 5",
        "count",
        lambda w: at_edges(w, 10, 0, some=0.4),
        events=few(n=320),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
