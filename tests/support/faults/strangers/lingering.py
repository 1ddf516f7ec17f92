"""What stays in a state that should have gone, and what goes from one that should have stayed; and beside each."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from random import Random
from types import MappingProxyType
from typing import Any, Final

import pandas as pd
from support.faults.habits import in_arrival
from support.faults.mistakes import few
from support.faults.planted import DELAY, LATE, Came, Plant, Row, World, by_key, draw_events, in_order

GLITCHES: Final = {n: (-1) ** n * 1.7e17 * n for n in range(40, 80, 3)}


def with_slow(seed: int, n: int = 420) -> list[Came]:
    """Events of four keys, and of one of which few come; the time goes on with each."""
    dice = Random(seed)
    made = list[Came]()
    for seq in range(n):
        slow = dice.random() < 0.06
        time = seq if slow else seq - dice.choice((0, 0, 0, 2))
        made.append(Came(seq, "s" if slow else "abcd"[seq % 4], time, dice.randint(1, 999), seq - 1 - DELAY))
    return made


def expired(w: World, lives: Callable[[], int]) -> list[Row]:
    """What came to a window since the last pause that was longer than its state lives."""

    def keep(held: list[Came]) -> list[Came]:
        came = in_arrival(held)
        return in_order(
            came[max((i for i, (a, b) in enumerate(pairwise(came), 1) if b.seq - a.seq > lives()), default=0) :]
        )

    return w.make(order=keep)


def with_glitch(seed: int, huge: Mapping[int, float] = MappingProxyType({70: 3.1e17})) -> list[Came]:
    """Measured values, and one that is huge, or more."""
    return [replace(e, value=huge.get(e.seq, e.value)) for e in draw_events(seed, "price", n=200)]


def in_turn(w: World, answer: Callable[[list[Came], int, int], Any]) -> list[Row]:
    """Windows that are each made of all values of their key, from which on to before which they have them."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held = in_order(mine)
        places = {e.seq: i for i, e in enumerate(held)}
        for a, b, inside in w.windows(held):
            made.append(w.row(key, a, b, answer(held, places[inside[0].seq], places[inside[-1].seq] + 1)))
    return made


def subtract(held: list[Came], lo: int, hi: int) -> float:
    """The total of all values up to the end less that up to the begin."""
    total = list(accumulate((e.value for e in held), initial=0.0))
    return float(total[hi] - total[lo])


def slid(w: World) -> list[Row]:
    """A mean, of a total to which what comes is added, and of which what goes is subtracted."""
    state: dict[str, tuple[float, int, int]] = {}

    def slide(held: list[Came], lo: int, hi: int) -> float:
        total, a, b = state.get(held[0].key, (0.0, 0, 0))
        for e in held[b:hi]:
            total += e.value
        for e in held[a:lo]:
            total -= e.value
        state[held[0].key] = total, lo, hi
        return total / (hi - lo)

    return in_turn(w, slide)


def rolled(w: World) -> list[Row]:
    """Frames of rows by pandas."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held = in_order(mine)
        sums = pd.Series([e.value for e in held]).rolling(5, min_periods=1).sum()
        made += [w.row(key, e.time, e.seq, float(x)) for e, x in zip(held, sums, strict=True)]
    return made


def after_glitch(w: World, change: Callable[[float], float]) -> list[Row]:
    return [{**r, "result": change(r["result"]) if r["time"] > 20 else r["result"]} for r in w.make()]


def by_value(w: World) -> list[Row]:
    """A heap, and the values that have left it, each once, until they come to its top."""
    state: dict[str, tuple[list[int], set[int], int, int]] = {}

    def top(held: list[Came], lo: int, hi: int) -> int:
        heap, gone, a, b = state.get(held[0].key, ([], set(), 0, 0))
        for e in held[b:hi]:
            heappush(heap, -e.value)
        gone |= {e.value for e in held[a:lo]}
        while -heap[0] in gone:
            gone.discard(-heappop(heap))
        state[held[0].key] = heap, gone, lo, hi
        return -heap[0]

    return in_turn(w, top)


def one_at_once(w: World) -> list[Row]:
    """A heap of values and their places, of which one is given up for each window."""
    state: dict[str, tuple[list[tuple[int, int]], int]] = {}

    def top(held: list[Came], lo: int, hi: int) -> int:
        heap, b = state.get(held[0].key, ([], 0))
        for i in range(b, hi):
            heappush(heap, (held[i].value, i))
        if heap[0][1] < lo:
            heappop(heap)
        state[held[0].key] = heap, hi
        return heap[0][0]

    return in_turn(w, top)


def now_and_then(w: World) -> list[Row]:
    """A maximum that looks farther back now and then."""
    return in_turn(
        w, lambda held, lo, hi: max(e.value for e in held[max(0, lo - w.draw.choice((0, 0, 0, 1, 3, 6))) : hi])
    )


def of_few_values(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=dice.choice((1, 2, 3, 5, 8, 40, 90))) for e in draw_events(seed, "int", n=500)]


LINGERING: Final = (
    Plant(
        "totals of all so far",
        "cancellation",
        "range -8 0",
        "sum",
        lambda w: in_turn(w, subtract),
        value="price",
        events=with_glitch,
    ),
    Plant(
        "a total that goes on", "cancellation", "sliding 30 every 10", "mean", slid, value="price", events=with_glitch
    ),
    Plant(
        "a rolling sum of pandas",
        "cancellation",
        "rows -4 0",
        "sum",
        rolled,
        value="price",
        events=partial(with_glitch, huge=GLITCHES),
    ),
    Plant("a heap of values that have left", "stale extreme", "rows -5 0", "max", by_value, events=of_few_values),
    Plant("a heap that gives up one", "stale extreme", "range -9 0", "min", one_at_once, events=few(n=200)),
    Plant(
        "states of a slow key that expire",
        "state begun again",
        "tumbling 60",
        "sum",
        lambda w: expired(w, lambda: 15),
        LATE,
        events=with_slow,
    ),
)

NEAR_LINGERING: Final[dict[str, Plant]] = {
    "stale extreme": Plant("farther back now and then", "", "rows -5 0", "max", now_and_then, events=of_few_values),
}
"""For each cause a fault beside it."""

BESIDE_LINGERING: Final[dict[str, Plant]] = {
    "as where state expires": Plant(
        "states of a slow key that live for any time",
        "",
        "tumbling 60",
        "sum",
        lambda w: expired(w, lambda: w.draw.choice((4, 15, 40, 90))),
        LATE,
        events=with_slow,
    ),
    "running total": Plant(
        "sums that lose digits otherwise",
        "",
        "range -8 0",
        "sum",
        lambda w: after_glitch(w, lambda x: x + w.draw.uniform(-300, 300)),
        value="price",
        events=with_glitch,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
