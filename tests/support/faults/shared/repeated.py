"""Events that are taken for one by the wrong fields: the key forgotten, the column or the time too many; and beside."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, World

Of = Callable[[Came], Any]


def by_arrival(e: Came) -> Any:
    return e.seq


def by_time(e: Came) -> Any:
    return e.time, e.seq


def once(events: Iterable[Came], of: Of, order: Of, *, last: bool = False) -> list[Came]:
    """One event of those that are alike, the first in an order or the last."""
    return list({of(e): e for e in sorted(events, key=order, reverse=not last)}.values())


def alone(events: Iterable[Came], of: Of) -> list[Came]:
    """The events that no other one is like."""
    all_ = list(events)
    often = Counter(map(of, all_))
    return [e for e in all_ if often[of(e)] == 1]


def now_and_then(w: World, of: Of) -> list[Came]:
    """Of those that are alike the first, and some others."""
    kept = {e.seq for e in once(w.events, of, by_arrival)}
    return [e for e in w.events if e.seq in kept or w.draw.random() < 0.5]


REPEATED: Final = (
    Plant(
        "one event of each time, whatever its key",
        "duplicates left out",
        "tumbling 10",
        "sum",
        lambda w: w.make(events=once(w.events, lambda e: e.time, by_arrival)),
        events=few(n=200),
    ),
    Plant(
        "the last event of each time and value, whatever its key",
        "duplicates left out",
        "sliding 20 every 10",
        "count",
        lambda w: w.make(events=once(w.events, lambda e: (e.time, e.value), by_arrival, last=True)),
        events=few("small", n=300),
    ),
    Plant(
        "the last of each source and time, whatever its key",
        "duplicates left out",
        "tumbling 20",
        "mean",
        lambda w: w.make(events=once(w.events, lambda e: (e.time, e.others), by_time, last=True)),
        events=few(n=260),
        columns=("source",),
    ),
    Plant(
        "the last event of each value of a key",
        "duplicates left out",
        "tumbling 10",
        "sum",
        lambda w: w.make(events=once(w.events, lambda e: (e.key, e.value), by_arrival, last=True)),
        events=few("small", n=200),
    ),
    Plant(
        "no event of those that are alike",
        "duplicates left out",
        "tumbling 10",
        "count",
        lambda w: w.make(events=alone(w.events, lambda e: (e.key, e.time, e.others))),
        events=few(n=260),
        columns=("source",),
    ),
    Plant(
        "one event of each source and value in a sliding window",
        "duplicates left out",
        "sliding 20 every 5",
        "sum",
        lambda w: w.make(
            result=lambda held: sum(e.value for e in once(held, lambda e: (e.value, e.others), by_time, last=True))
        ),
        events=few("small", n=200),
        columns=("source",),
    ),
)

BESIDE_REPEATED: Final[dict[str, Plant]] = {
    "one event of each time of all keys": Plant(
        "some events of a time that others have",
        "",
        "tumbling 10",
        "sum",
        lambda w: w.make(events=now_and_then(w, lambda e: e.time)),
        events=few(n=200),
    ),
    "which another one has the same": Plant(
        "most events that are alike left out",
        "",
        "tumbling 10",
        "count",
        lambda w: w.make(
            events=[
                e
                for e in w.events
                if w.draw.random() < 0.3 or e in alone(w.events, lambda x: (x.key, x.time, x.others))
            ]
        ),
        events=few(n=200),
        columns=("source",),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
