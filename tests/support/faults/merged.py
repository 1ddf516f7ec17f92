"""Partial results that are merged, or folded, otherwise than they should be; windows that close too soon; what befalls
batches and keys; and what is near each."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from support.faults.habits import beside
from support.faults.mistakes import MEAN, few
from support.faults.planted import DELAY, GAP, LATE, SUM, Came, Plant, Row, World, by_key, means_of_means

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


MERGED: Final = (
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
    "sessions joined wrongly": Plant(
        "sessions that end by chance",
        "",
        *GAP,
        lambda w: [{**r, "window_end": r["window_end"] - w.draw.choice((0, 0, 1, 2, 3))} for r in w.make()],
        events=MORE,
    ),
    "mean of means": Plant("means that weigh by chance", "", *MEAN, lambda w: bundled(w, of_last), events=few(n=200)),
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
