"""Plays of FIFO windows, trees over times, and trees over places."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.learn.plays.play import ELEMENT, ENTRIES, TIME, Option, Play, Scenario, agree, refuse
from swagproof.reference.catalogue import FIBA_BULK, FIFO, TREES

# FIFO

I, E, Q = ["insert"], ["evict"], ["query"]


def _slide(size: int) -> list[list[Any]]:
    return [*[I] * size, *[Q, E, I] * size]


def _adversarial(size: int) -> list[list[Any]]:
    """Evict just over half of the window and insert as many elements, three times: the most and the largest flips."""
    found: list[list[Any]] = [*[I] * size]
    for _ in range(3):
        found += [*[E] * (size // 2 + 1), *[I] * (size // 2 + 1), Q]
    return found


FIFO_SCENARIOS: Final = (
    Scenario("drain", "fill, then evict all: the flip and what follows it", lambda n: [*[I] * n, *[E] * n, Q]),
    Scenario("fill", "elements only arrive", lambda n: [*[I] * n, Q]),
    Scenario("slide", "each arrival pushes the oldest element out", _slide),
    Scenario("refill", "drain, and fill again", lambda n: [*[I] * n, *[E] * n, *[I] * n, Q, *[E] * (n // 2), Q]),
    Scenario("oscillate", "insert and evict by turns around one size", lambda n: [*[I] * n, *[E, E, I, I, Q] * n]),
    Scenario("adversarial", "evictions where they cost most", _adversarial),
)


# Out of order


def _late(size: int, by: int, seed: int = 1) -> list[list[Any]]:
    """Return a stream in which every third element arrives up to `by` places late, while the oldest leave."""
    random_ = random.Random(seed)
    times = sorted(range(1, 2 * size + 1), key=lambda t: t + (random_.uniform(0, by) if random_.random() < 0.4 else 0))
    found: list[list[Any]] = []
    held: list[int] = []
    for t in times:
        found.append(["insert", t])
        held = sorted([*held, t])
        if len(held) > size:
            found.append(["evict", held.pop(0)])
    return [*found, Q]


def _times(times: Sequence[int]) -> list[list[Any]]:
    return [["insert", t] for t in times]


TREE_SCENARIOS: Final = (
    Scenario("in order", "elements arrive in the order of time: the right finger does it all",
             lambda n: [*_times(range(1, n + 1)), Q]),
    Scenario("slide", "in order, and the oldest leaves: both fingers",
             lambda n: [*_times(range(1, n + 1)), *[op for t in range(1, n + 1)
                                                     for op in (["insert", n + t], ["evict", t])], Q]),
    Scenario("late by 2", "some elements arrive up to 2 places late", lambda n: _late(n, 2)),
    Scenario("late by 9", "some elements arrive up to 9 places late", lambda n: _late(n, 9)),
    Scenario("drain", "fill, then evict from the oldest: merges and moves",
             lambda n: [*_times(range(1, n + 1)), *[["evict", t] for t in range(1, n + 1)], Q]),
    Scenario("middle out", "evictions from the middle: a substitute comes from a leaf",
             lambda n: [*_times(range(1, n + 1)), *[["evict", t] for t in _from_the_middle(n)], Q]),
    Scenario("backwards", "each element is older than all before", lambda n: [*_times(range(n, 0, -1)), Q]),
    Scenario("ranges", "every range of a window, one by one",
             lambda n: [*_times(range(1, n + 1)), *[["range_query", a, b] for a in range(1, n + 1)
                                                     for b in range(a, n + 1)][:120]]),
)  # fmt: skip


def _batch(times: Sequence[int]) -> list[Any]:
    return ["bulk_insert", [[t] for t in times]]


def _watermarks(size: int) -> list[list[Any]]:
    """Return batches of increasing times; after each batch all elements up to a watermark leave."""
    batches = (range(size * number + 1, size * number + size + 1) for number in range(4))
    return [op for batch in batches for op in (_batch(batch), Q, ["bulk_evict", batch[0] - size // 3])]


def _cuts(size: int) -> list[list[Any]]:
    """Return trees of one size, each cut at another place, also between two entries."""
    found: list[list[Any]] = []
    for cut in (1, size // 3, size // 2, size - 1, size):
        found += [_batch(range(2, 2 * size + 1, 2)), ["bulk_evict", 2 * cut + cut % 2], Q]
    return found


BULK_SCENARIOS: Final = (
    Scenario("watermarks", "batches come in, and all that is older than a watermark leaves at once", _watermarks),
    Scenario("late batch", "one batch falls between the entries of another, and on some of them",
             lambda n: [_batch(range(2, 2 * n + 1, 2)), _batch([*range(1, n, 2), *range(n, 2 * n, 3)]), Q,
                        ["bulk_evict", n]]),
    Scenario("cuts", "trees of one size, each cut at another place: what is left of the path goes", _cuts),
    Scenario("one by one", "the same batch at once, and as single operations",
             lambda n: [_batch(range(1, n + 1)), ["bulk_evict", n - 2], ["bulk_evict", n],
                        *_times(range(1, n + 1)), *[["evict", t] for t in range(1, n - 1)], Q]),
)  # fmt: skip


def _from_the_middle(n: int) -> list[int]:
    return sorted(range(1, n + 1), key=lambda t: abs(t - (n + 1) / 2))


# Trees over places


def _holes(size: int) -> list[list[Any]]:
    return [*[I] * size, Q, *[["evict", ticket] for ticket in range(1, size, 2)], Q, *[I] * (size // 2), Q]


def _compact(size: int) -> list[list[Any]]:
    capacity = 1 << max(3, (size - 1).bit_length())
    return [*[I] * capacity, *[["evict", 2 * ticket + 1] for ticket in range(capacity * 3 // 8)], I, Q]


def _write(window: Any, place: int, v: Any) -> None:
    window.update([(place, v)])


def _ask_places(ask: str) -> Callable[..., Any]:
    """Return a query of places that is compared with the product of those places."""

    def call(window: Any, *place: int) -> Any:
        answer = getattr(window, ask)(*place)
        first, last = (place[0] if ask == "suffix" else 1), (place[0] if ask == "prefix" else window.n)
        return agree(answer, window.model.product(first, last))

    return call


LOOKUPS: Final = Scenario(
    "look up",
    "the newest so many elements, for windows that share the stream",
    lambda n: [*[I] * n, *[["lookup", size] for size in range(n + 1)], E, *[["lookup", size] for size in range(n)]],
)


def _look_up(window: Any, newest: int) -> Any:
    size = window.model.size
    if newest > size:
        refuse(lambda: window.lookup(newest))
    return agree(window.lookup(newest), window.model.product(size - newest, size))


def _fifo(monoids: tuple[str, ...] = ("letters", "sum", "max"), *, looks_up: bool = False) -> Play:
    return Play(
        {"insert": (ELEMENT,), "evict": (), "query": (), **({"lookup": ("size",)} if looks_up else {})},
        lambda cls, monoid, options: cls(monoid),
        (*FIFO_SCENARIOS, *([LOOKUPS] if looks_up else [])),
        (*[("insert",)] * 5, *[("evict",)] * 3, ("query",)),
        monoids=monoids,
        calls={"lookup": _look_up},
    )


UPDATES: Final[list[list[Any]]] = [["update", place] for place in range(1, 9)]

WINDOWED: Final[dict[str, Play]] = {
    **{column.slug: _fifo(*([("letters", "sum")] if column.subtracts else [])) for column in FIFO},
    **dict.fromkeys(("reactive-aggregator-fifo", "base-intervals"), _fifo()),
    "flat-fit": _fifo(looks_up=True),
    "slick-deque": _fifo(("max",), looks_up=True),
    **{
        column.slug: Play(
            {
                "insert": (TIME, ELEMENT),
                "evict": (TIME,),
                **({"bulk_insert": (ENTRIES,), "bulk_evict": (TIME,)} if column is FIBA_BULK else {}),
                "query": (),
                "range_query": (TIME, TIME),
            },
            lambda cls, monoid, options: cls(monoid, int(options.get("min_arity", 2))),
            (*(BULK_SCENARIOS if column is FIBA_BULK else ()), *TREE_SCENARIOS),
            tuple(("insert", t) for t in (1, 2, 3, 4, 5, 7, 8, 9, 6)),
            {"min_arity": Option((2, 3, 4), "how many children a node has at least")},
            decimal=True,
        )
        for column in TREES
    },
    "reactive-aggregator": Play(
        {"insert": (ELEMENT,), "evict": ("ticket",), "evict_oldest": (), "query": ()},
        lambda cls, monoid, options: cls(monoid, int(options.get("capacity", 1))),
        (
            Scenario("fill", "elements only arrive; a query applies what is pending", lambda n: [*[I] * n, Q]),
            Scenario("holes", "elements leave from the middle", _holes),
            Scenario("compact", "a full buffer of which a quarter is holes is compacted, and not doubled", _compact),
            Scenario("slide", "the oldest leaves as a new one comes: the buffer wraps around",
                     lambda n: [*[I] * n, *[op for t in range(n) for op in (["evict", t], I, Q)]]),
        ),
        (("insert",), ("insert",), ("insert",), ("query",)),
        {"capacity": Option((1, 16, 32), "with how many slots the buffer begins")},
        calls={"evict_oldest": lambda window: window.evict()},
    ),
    "flat-fat": Play(
        {
            "update": ("place", ELEMENT),
            "aggregate": (),
            "prefix": ("place",),
            "suffix": ("place",),
        },
        lambda cls, monoid, options: cls(monoid, [monoid.identity] * int(options.get("places", 8))),
        (
            Scenario("fill", "write every place, one by one", lambda n: [*UPDATES, ["aggregate"]]),
            Scenario("prefixes", "write, and ask every prefix and suffix",
                     lambda n: [*UPDATES, *[[ask, place] for place in range(1, 9) for ask in ("prefix", "suffix")]]),
        ),
        tuple(map(tuple, UPDATES)),
        {"places": Option((8, 16), "how many leaves there are")},
        calls={
            "update": _write,
            **{ask: _ask_places(ask) for ask in ("aggregate", "prefix", "suffix")},
        },
    ),
}  # fmt: skip
"""The plays, by the algorithm's slug."""
