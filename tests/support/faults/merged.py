"""Partial results that are merged, or folded, otherwise than they should be; windows that close too soon; what befalls
batches and keys; and what is near each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random
from typing import Any, Final

from support.faults.habits import SECOND, VERSIONS, beside, in_arrival
from support.faults.mistakes import MEAN, UPDATE, few, shifted
from support.faults.planted import DELAY, GAP, LATE, SUM, Came, Plant, Row, World, by_key, left_out, means_of_means

COUNTS: Final = ("tumbling 10", "count")
MORE: Final = few(n=300)


def bundled(w: World, merge: Callable[[list[Came], Callable[[Came], Any]], Any]) -> list[Row]:
    """Each of two upstreams hands on what it has now and then, whatever windows that is of."""
    dice, number, bundles = Random(7), [0, 0], dict[int, tuple[int, int]]()
    for e in w.events:
        number[e.seq % 2] += dice.random() < 0.3
        bundles[e.seq] = e.seq % 2, number[e.seq % 2]
    return w.make(result=lambda held: merge(held, lambda e: bundles[e.seq]))


def of_last(held: Sequence[Came], of: Callable[[Came], Any]) -> Any:
    """The mean, in which one event weighs as much as it happens to."""
    weights = [1 + hash((of(e), e.value)) % 7 for e in held]
    return float(sum(e.value * n for e, n in zip(held, weights, strict=True)) / sum(weights))


def joined(w: World, wrong: str, gap: int = 6) -> list[Row]:
    """Sessions that are joined as their events come, with one step of it wrong."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        live: list[tuple[int, int, list[int]]] = []
        for e in mine:
            touched = sorted(run for run in live if run[0] - gap < e.time < run[1])
            touched = touched[:1] if wrong == "one side" else touched
            gone = touched[:1] if wrong == "stays" else touched
            live = [run for run in live if run not in gone]
            ends = [run[1] for run in touched if wrong != "end"]
            states = [run[2] for run in (touched[:1] if wrong == "state" else touched)]
            values = [*(x for state in states for x in state), e.value]
            live.append((min([e.time, *(run[0] for run in touched)]), max([e.time + gap, *ends]), values))
        made += [w.row(key, a, b, sum(values)) for a, b, values in live]
    return made


def fold(w: World, versions: Callable[[Row], list[list[Came]]], made: Callable[[list[int]], int]) -> list[Row]:
    """What a sink makes of all versions of each window."""
    rows = w.make(result=in_arrival)
    return [{**r, "result": made([sum(e.value for e in some) for some in versions(r)])} for r in rows]


def by_batch(r: Row) -> list[list[Came]]:
    held = r["result"]
    return [[e for e in held if e.others[0] <= last] for last in sorted({e.others[0] for e in held})]


def by_late(r: Row) -> list[list[Came]]:
    held = r["result"]
    timely = sum(e.watermark < r["window_end"] for e in held)
    return [held[:n] for n in range(max(1, timely), len(held) + 1)]


def upstreams(seed: int) -> list[Came]:
    """Three upstreams, one of them slow; the watermark is of the least of them."""
    found, latest = list[Came](), dict.fromkeys(range(3), -(10**6))
    for e in few(n=400)(seed):
        upstream = e.seq % 3
        time = e.time - 14 * (upstream == 1)
        found.append(replace(e, time=time, watermark=min(latest.values()) - DELAY, others=(upstream,)))
        latest[upstream] = max(latest[upstream], time)
    return found


def leave_out(w: World, upstream: int) -> list[Row]:
    """The watermark goes on without one upstream."""
    latest = {e.others[0]: -(10**6) for e in w.events if e.others[0] != upstream}
    events = list[Came]()
    for e in w.events:
        events.append(replace(e, watermark=min(latest.values()) - DELAY))
        if e.others[0] != upstream:
            latest[e.others[0]] = max(latest[e.others[0]], e.time)
    return w.make(events=events)


def placed(seed: int) -> list[Came]:
    """Events that have a column of when they came, which is the latest time so far, and one of where from."""
    events = few(n=200, unit=SECOND)(seed)
    ats = accumulate((e.time // SECOND for e in events), max)
    return [replace(e, others=(at, e.others[0])) for e, at in zip(events, ats, strict=True)]


def collide(w: World) -> list[Row]:
    """Some windows share their state with another one."""
    made = w.make()
    chosen = w.draw.sample(range(len(made)), 16)
    for i, j in zip(chosen[::2], chosen[1::2], strict=True):
        both = made[i]["result"] + made[j]["result"]
        made[i], made[j] = {**made[i], "result": both}, {**made[j], "result": both}
    return made


def race(w: World) -> list[Row]:
    """Of two events of a window that come one right after the other the first is lost, now and then."""
    pairs = zip(w.events, w.events[1:], strict=False)
    beside = [a.seq for a, b in pairs if (a.key, a.time // 30) == (b.key, b.time // 30)]
    gone = {seq for seq in beside if w.draw.random() < 0.5}
    return left_out(w, lambda e: e.seq in gone)


TENS: Final = beside(lambda e, dice: e.seq // 10, n=300)
FOLDED: Final = (
    Plant(
        "the greatest version stays",
        "versions folded",
        *SUM,
        lambda w: fold(w, by_batch, max),
        VERSIONS,
        events=TENS,
        columns=("batch",),
    ),
    Plant("versions added up", "versions folded", *SUM, lambda w: fold(w, by_late, sum), UPDATE, events=MORE),
    Plant(
        "each seventh batch twice",
        "batch replayed",
        *SUM,
        lambda w: w.make(events=[e for e in w.events for _ in range(1 + (e.others[0] % 7 == 4))]),
        events=TENS,
        columns=("batch",),
    ),
    Plant(
        "three batches lost",
        "batch lost",
        *COUNTS,
        lambda w: left_out(w, lambda e: e.others[0] in (3, 17, 22)),
        events=TENS,
        columns=("batch",),
    ),
    Plant(
        "one source counted when it came",
        "arrival for time",
        "tumbling 10s",
        "sum",
        lambda w: shifted(w, lambda e: e.others[0] * SECOND if e.others[1] == "shop" else e.time),
        {"unit": SECOND},
        events=placed,
        columns=("at", "source"),
    ),
    Plant(
        "a watermark without one upstream",
        "another watermark",
        *SUM,
        lambda w: leave_out(w, 1),
        LATE,
        events=upstreams,
        columns=("upstream",),
    ),
    Plant(
        "windows that share a state", "another result added", *SUM, collide, value="large", events=few("large", n=200)
    ),
    Plant("a race of updates", "update lost", "tumbling 30", "sum", race, events=few(n=400)),
)
"""Faults of versions, batches and states that several write to."""

MERGED: Final = (
    *FOLDED,
    *(
        Plant(said, "sessions joined wrongly", *GAP, lambda w, wrong=wrong: joined(w, wrong), events=few(n=500))
        for said, wrong in (
            ("an event joined with one session alone", "one side"),
            ("the state of a joined session lost", "state"),
            ("a session ends with what came last", "end"),
            ("a joined session stays", "stays"),
        )
    ),
    Plant(
        "means of bundles",
        "mean of means",
        *MEAN,
        lambda w: bundled(w, means_of_means),
        events=beside(lambda e, dice: e.seq % 2, n=200),
        columns=("upstream",),
    ),
    Plant(
        "closed three before the end",
        "closed early",
        *SUM,
        lambda w: w.make(takes=lambda e, end: max(e.watermark + DELAY, e.time) < end - 3),
        LATE,
        events=MORE,
    ),
    Plant(
        "noise, and no results of small windows",
        "unexplained",
        "tumbling 10",
        "sum",
        lambda w: [
            {**r, "result": sum(e.value for e in r["result"]) + w.draw.choice((-1, 1)) * w.draw.randint(5000, 90000)}
            for r in w.make(result=list)
            if len(r["result"]) > 1
        ],
        events=few(n=200),
    ),
)
"""The faults."""

NEAR_MERGED: Final[dict[str, Plant]] = {
    "columns out of line": Plant(
        "values of any event",
        "",
        *SUM,
        lambda w: w.make(
            events=[
                replace(e, value=x.value) for e, x in zip(w.events, w.draw.sample(w.events, len(w.events)), strict=True)
            ]
        ),
        events=MORE,
    ),
    "sessions joined wrongly": Plant(
        "sessions that end by chance",
        "",
        *GAP,
        lambda w: [{**r, "window_end": r["window_end"] - w.draw.choice((0, 0, 1, 2, 3))} for r in w.make()],
        events=MORE,
    ),
    "mean of means": Plant("means that weigh by chance", "", *MEAN, lambda w: bundled(w, of_last), events=few(n=200)),
    "versions folded": Plant(
        "some version stays", "", *SUM, lambda w: fold(w, by_late, w.draw.choice), UPDATE, events=MORE
    ),
    "another result added": Plant(
        "some of another result added",
        "",
        *SUM,
        lambda w: [
            {**r, "result": r["result"] + w.draw.randint(300, 3000)} if i % 9 == 2 else r
            for i, r in enumerate(w.make())
        ],
        events=few(n=200),
    ),
    "update lost": Plant(
        "events lost, now and then",
        "",
        "tumbling 30",
        "sum",
        lambda w: left_out(w, lambda e: e.seq % 23 in (3, 8, 20)),
        events=few(n=400),
    ),
    "closed early": Plant(
        "closed some time before the end",
        "",
        *SUM,
        lambda w: w.make(takes=lambda e, end: max(e.watermark + DELAY, e.time) < end - (e.seq * 7 + end // 10) % 5),
        LATE,
        events=MORE,
    ),
}
"""Faults beside them, without such a cause."""
