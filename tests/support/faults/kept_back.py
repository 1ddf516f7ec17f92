"""Planted faults over other data, of other jobs: mixtures, parts of the data, and mistakes that have no name.

They were once kept back, and have been looked at since.  Events come in bursts over hours, from a dozen keys of which a
few have most of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import median, stdev
from typing import Any, Final

from support.faults.planted import (
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    fixed,
    in_order,
    mean,
    rows,
    sessions,
    single,
    wrap,
)

BEHIND: Final = 600


def draw(seed: int) -> list[Came]:
    """Bursts over some hours, in seconds: some events minutes late, a few an hour; amounts like prices in cents."""
    dice = Random(seed * 7919)
    now, latest, found = 40_000, -(10**9), list[Came]()
    keys = [f"k{i}" for i in range(12)]
    for seq in range(420):
        now += dice.choice((1, 2, 5, 9, 30)) if dice.random() < 0.9 else dice.choice((300, 1200, 2500))
        behind = dice.choice((0, 0, 0, 0, 40, 200, 900, 3600)) if dice.random() < 0.3 else 0
        value = int(dice.lognormvariate(5, 1.2)) * dice.choice((1, 1, 1, 1, -1))
        key = keys[min(11, int(dice.expovariate(0.35)))]
        time = (now - behind) // 60 * 60
        found.append(Came(seq, key, time, value, latest - BEHIND))
        latest = max(latest, time)
    return found


def draw_few(seed: int) -> list[Came]:
    """The same with values of 0 to 4."""
    return [replace(e, value=abs(e.value) % 5) for e in draw(seed)]


def draw_days(seed: int) -> list[Came]:
    """Events over ten days, in microseconds."""
    return [replace(e, time=(e.time - 40_000) * 25 * 1_000_000) for e in draw(seed)]


def draw_cased(seed: int) -> list[Came]:
    """Keys that differ in capitals."""
    return [replace(e, key=e.key.upper() if e.seq % 3 == 0 and e.key == "k1" else e.key) for e in draw(seed)]


HOUR: Final = 3_600_000_000


def hours(w: World, **how: Any) -> list[Row]:
    return w.make(windows=lambda e: fixed(e, 3600, 3600, **how))


def without(w: World, gone: Sequence[Came]) -> list[Came]:
    lost = {e.seq for e in gone}
    return [e for e in w.events if e.seq not in lost]


def closed_for(w: World, fits: Any) -> list[Row]:
    def windows(events: Sequence[Came]) -> Windows:
        right = fixed(events, 3600, 900, right=True)
        for plain, more in zip(fixed(events, 3600, 900), right, strict=False):
            yield more if plain[0] == more[0] and fits(plain[2][0]) else plain

    return w.make(windows=windows)


def changed(made: list[Row], fits: Any, change: Any) -> list[Row]:
    return [{**r, "result": change(r["result"])} if fits(i, r) else r for i, r in enumerate(made)]


def swapped(made: list[Row], one: str, other: str) -> list[Row]:
    names = {one: other, other: one}
    return [{**r, "key": names.get(r["key"], r["key"])} for r in made]


def ranked(w: World) -> list[Row]:
    """The results of each key, sorted."""
    found: list[Row] = []
    for key in sorted({e.key for e in w.events}):
        mine = [r for r in w.make() if r["key"] == key]
        answers = sorted(r["result"] for r in mine)
        found += [{**r, "result": answer} for r, answer in zip(mine, answers, strict=True)]
    return found


def first_lost(w: World, at: int) -> list[Row]:
    return w.make(events=without(w, [in_order(mine)[at] for mine in by_key(w.events).values()]))


def floats(values: list[Came]) -> float:
    total = 0.0
    for e in values:
        total = single(total + single(float(e.value)))
    return total


def pick(w: World, share: float) -> list[Came]:
    return [e for e in w.events if w.draw.random() < share]


SUM: Final = ("tumbling 3600", "sum")
SLIDE: Final = ("sliding 3600 every 900", "sum")
GAP: Final = ("session 1200", "sum")
LATE: Final = {"late": "drop", "watermark": str(BEHIND)}
DAYS: Final[dict[str, Any]] = {"unit": HOUR}

ONE: Final = (
    Plant(
        "closed at the right, max",
        "ends",
        "tumbling 900",
        "max",
        lambda w: w.make(windows=lambda e: fixed(e, 900, 900, right=True)),
    ),
    Plant(
        "closed at the right, slid count",
        "ends",
        "sliding 3600 every 900",
        "count",
        lambda w: w.make(windows=lambda e: fixed(e, 3600, 900, right=True)),
    ),
    Plant(
        "five hours west",
        "time zone",
        "tumbling 24h",
        "max",
        lambda w: w.make(windows=lambda e: fixed(e, 24 * HOUR, 24 * HOUR, offset=5 * HOUR)),
        DAYS,
        events=draw_days,
    ),
    Plant(
        "half an hour east",
        "time zone",
        "tumbling 24h",
        "sum",
        lambda w: w.make(events=[replace(e, time=e.time + 11 * HOUR // 2) for e in w.events]),
        DAYS,
        events=draw_days,
    ),
    Plant(
        "two slides short", "another range", *SLIDE, lambda w: w.make(windows=lambda e: fixed(e, 3600, 900, low=1800))
    ),
    Plant("half as long again", "another gap", *GAP, lambda w: w.make(windows=lambda e: sessions(e, 1800, tail=1200))),
    Plant(
        "sessions by ten minutes",
        "times truncated",
        *GAP,
        lambda w: w.make(events=[replace(e, time=e.time // 600 * 600) for e in w.events]),
    ),
    Plant("six rows", "frame off by one", "rows -5 0", "mean", lambda w: w.make(windows=lambda e: rows(e, -6, 0))),
    Plant(
        "rows by arrival",
        "arrival order",
        "rows -5 0",
        "sum",
        lambda w: [
            w.row(e.key, e.time, e.seq, sum(x.value for x in mine[max(0, i - 5) : i + 1]))
            for mine in by_key(w.events).values()
            for i, e in enumerate(mine)
        ],
    ),
    Plant(
        "the last by arrival",
        "arrival order",
        "tumbling 3600",
        "last",
        lambda w: w.make(result=lambda h: max(h, key=lambda e: e.seq).value),
    ),
    Plant("late ones counted, slid", "late events counted", *SLIDE, lambda w: w.make(takes=lambda e, end: True), LATE),
    Plant(
        "late by their time, slid",
        "late by its time",
        *SLIDE,
        lambda w: w.make(takes=lambda e, end: e.watermark <= e.time),
        LATE,
    ),
    Plant(
        "two batches lost",
        "batch lost",
        *SUM,
        lambda w: w.make(events=without(w, [*w.events[90:130], *w.events[250:281]])),
    ),
    Plant("one batch twice, slid", "batch replayed", *SLIDE, lambda w: w.make(events=[*w.events, *w.events[200:233]])),
    Plant("one of five lost", "a share lost", *SLIDE, lambda w: w.make(events=[e for e in w.events if e.seq % 5 != 3])),
    Plant("events twice at random", "event replayed", *SLIDE, lambda w: w.make(events=[*w.events, *pick(w, 0.03)])),
    Plant("events lost at random", "event lost", *SLIDE, lambda w: w.make(events=without(w, pick(w, 0.03)))),
    Plant("the first of each key lost", "first event lost", *SUM, lambda w: first_lost(w, 0)),
    Plant("the newest of each key lost", "last event lost", *SUM, lambda w: first_lost(w, -1)),
    Plant(
        "outliers left out",
        "some values left out",
        *SUM,
        lambda w: w.make(events=[e for e in w.events if abs(e.value) < 1000]),
    ),
    Plant(
        "capitals as one",
        "keys merged",
        *SUM,
        lambda w: w.make(events=[replace(e, key=e.key.lower()) for e in w.events]),
        events=draw_cased,
    ),
    Plant("three keys around", "keys swapped", *SUM, lambda w: swapped(swapped(w.make(), "k0", "k1"), "k1", "k3")),
    Plant("at most 1,000", "clamped", *SUM, lambda w: changed(w.make(), lambda i, r: True, lambda v: min(v, 1000))),
    Plant(
        "16 bits",
        "result multiplied + overflow",
        "sliding 7200 every 900",
        "sum",
        lambda w: changed(w.make(), lambda i, r: True, lambda v: wrap(v * 8, 16)),
        events=draw,
    ),
    Plant(
        "one more each",
        "result off by a constant",
        "tumbling 3600",
        "count",
        lambda w: changed(w.make(), lambda i, r: True, lambda v: v + 1),
    ),
    Plant(
        "in tens",
        "rounded",
        "tumbling 3600",
        "mean",
        lambda w: changed(w.make(), lambda i, r: True, lambda v: float(round(v, -1))),
    ),
    Plant(
        "distinct ones counted",
        "another aggregate",
        "tumbling 3600",
        "count",
        lambda w: w.make(result=lambda h: len({e.value for e in h})),
        events=draw_few,
    ),
    Plant(
        "the median",
        "another aggregate",
        "tumbling 3600",
        "mean",
        lambda w: w.make(result=lambda h: float(median(e.value for e in h))),
    ),
    Plant(
        "means of quarters",
        "mean of means",
        "tumbling 3600",
        "mean",
        lambda w: w.make(
            result=lambda h: mean(
                [mean([e.value for e in h if e.time // 900 == q]) for q in sorted({e.time // 900 for e in h})]
            )
        ),
    ),
    Plant(
        "trimmed",
        "trimmed",
        *SUM,
        lambda w: w.make(result=lambda h: sum(e.value for e in h) - max(e.value for e in h)),
    ),
    Plant(
        "added as singles",
        "single precision",
        *SUM,
        lambda w: w.make(result=lambda h: int(floats(h))),
        events=lambda seed: [replace(e, value=e.value * 65_537) for e in draw(seed)],
    ),
    Plant("sorted results", "results sorted", *SUM, ranked),
    Plant(
        "a stretch without results",
        "stretch lost",
        *SLIDE,
        lambda w: [r for r in w.make() if not 45_000 <= r["window_start"] < 48_600],
    ),
    Plant(
        "a minimum from zero",
        "starts from zero",
        "sliding 3600 every 900",
        "min",
        lambda w: changed(w.make(), lambda i, r: True, lambda v: min(v, 0)),
    ),
    Plant(
        "noise in three",
        "unexplained",
        *SUM,
        lambda w: changed(w.make(), lambda i, r: i in (5, 17, 40), lambda v: v + w.draw.randint(1, 90)),
    ),
    Plant(
        "noise in few counts",
        "unexplained",
        "tumbling 900",
        "count",
        lambda w: changed(w.make(), lambda i, r: i % 11 == 2, lambda v: v + w.draw.choice((-1, 1, 2))),
    ),
    Plant(
        "noise in means",
        "unexplained",
        "tumbling 900",
        "mean",
        lambda w: changed(w.make(), lambda i, r: i % 6 == 2, lambda v: v * w.draw.uniform(0.8, 1.2)),
    ),
)

MIXED: Final = (
    Plant("closed, for two keys", "ends", *SLIDE, lambda w: closed_for(w, lambda e: e.key in ("k0", "k2"))),
    Plant("closed, from some time on", "ends", *SLIDE, lambda w: closed_for(w, lambda e: e.time > 47_000)),
    Plant(
        "floored, for one key",
        "truncated",
        "tumbling 900",
        "mean",
        lambda w: changed(w.make(), lambda i, r: r["key"] == "k1", lambda v: float(int(v))),
    ),
    Plant(
        "closed, with nulls",
        "ends + null",
        "tumbling 900",
        "sum",
        lambda w: changed(
            w.make(windows=lambda e: fixed(e, 900, 900, right=True)), lambda i, r: i % 10 == 4, lambda v: None
        ),
    ),
    Plant(
        "open, and doubled",
        "ends + result multiplied",
        *SUM,
        lambda w: changed(hours(w, left=False), lambda i, r: True, lambda v: v * 2),
    ),
    Plant(
        "zone, and rounded",
        "time zone + rounded",
        "tumbling 24h",
        "mean",
        lambda w: changed(
            w.make(windows=lambda e: fixed(e, 24 * HOUR, 24 * HOUR, offset=-HOUR)),
            lambda i, r: True,
            lambda v: round(v, 1),
        ),
        DAYS,
        events=draw_days,
    ),
    Plant(
        "swapped, with a batch lost",
        "keys swapped + batch lost",
        *SUM,
        lambda w: swapped(w.make(events=without(w, w.events[100:130])), "k0", "k1"),
    ),
    Plant(
        "lost and replayed",
        "batch lost + batch replayed",
        *SUM,
        lambda w: w.make(events=[*without(w, w.events[60:85]), *w.events[300:330]]),
    ),
    Plant(
        "late ones counted, and a key lost",
        "late events counted + key lost",
        *SUM,
        lambda w: [r for r in w.make(takes=lambda e, end: True) if r["key"] != "k2"],
        LATE,
    ),
    Plant(
        "a pane short, written twice here and there",
        "a pane short + repeated",
        *SLIDE,
        lambda w: [
            r
            for i, r in enumerate(w.make(windows=lambda e: fixed(e, 3600, 900, low=900)))
            for _ in range(1 + (i % 9 == 0))
        ],
    ),
    Plant(
        "singles of the sample",
        "another aggregate + single precision",
        "tumbling 3600",
        "population-standard-deviation",
        lambda w: w.make(result=lambda h: single(stdev(e.value for e in h)) if len(h) > 1 else None),
    ),
    Plant(
        "truncated means of means",
        "mean of means + truncated",
        "tumbling 3600",
        "mean",
        lambda w: w.make(
            result=lambda h: float(
                int(
                    mean([mean([e.value for e in h if e.time // 900 == q]) for q in sorted({e.time // 900 for e in h})])
                )
            )
        ),
    ),
)

KEPT_BACK: Final = tuple(replace(plant, events=plant.events or draw) for plant in (*ONE, *MIXED))
