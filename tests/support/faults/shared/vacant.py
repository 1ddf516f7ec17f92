"""Keys that are cut, counts that are not begun again, and parts without events that are zero; and beside them."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World

NAMES: Final = {"a": "gate-01", "b": "gate-02", "c": "gate-1", "d": "pump-1"}


def rename(events: list[Came], name: Callable[[str], str]) -> list[Came]:
    return [replace(e, key=name(e.key)) for e in events]


def with_names(seed: int) -> list[Came]:
    return rename(few(n=260)(seed), lambda key: NAMES[key])


def with_shards(seed: int) -> list[Came]:
    """Positive values, of three parts, not all of which have events in each window."""
    dice = Random(seed)
    return [replace(e, value=abs(e.value) + 1, others=(dice.choice("xyz"),)) for e in few(n=200)(seed)]


def cut(w: World, part: Callable[[str], str]) -> list[Row]:
    return w.make(events=rename(w.events, part))


def count_records(held: list[Came], is_as_good: Callable[[int, int], bool]) -> int:
    n, best = 0, held[0].value
    for e in held:
        if is_as_good(e.value, best):
            n, best = n + 1, e.value
    return n


def fill(w: World, choose: Callable[[list[int]], int], of: Callable[[Came], Any], *, often: float = 1.0) -> list[Row]:
    def result(held: list[Came]) -> int:
        parts = [choose([e.value for e in held if of(e) == part]) for part in sorted({of(e) for e in held})]
        is_zero = len(parts) < 3 and w.draw.random() < often
        return choose([*parts, 0]) if is_zero else choose(parts)

    return w.make(result=result)


VACANT: Final = (
    Plant(
        "keys in a column of six characters",
        "keys merged",
        "tumbling 10",
        "sum",
        lambda w: cut(w, lambda key: key[:6]),
        events=with_names,
    ),
    Plant(
        "keys without their numbers",
        "keys merged",
        "session 5",
        "count",
        lambda w: cut(w, lambda key: key.partition("-")[0]),
        events=with_names,
    ),
    Plant(
        "a count of the greatest that goes on",
        "state kept",
        "tumbling 20",
        "max-count",
        lambda w: w.make(result=lambda held: count_records(held, lambda x, best: x >= best)),
        events=few("small", n=260),
    ),
    Plant(
        "a count of the least that goes on",
        "state kept",
        "sliding 20 every 10",
        "min-count",
        lambda w: w.make(result=lambda held: count_records(held, lambda x, best: x <= best)),
        events=few("small", n=260),
    ),
    Plant(
        "the least of parts, and zero for one without events",
        "merged wrongly",
        "tumbling 5",
        "min",
        lambda w: fill(w, min, lambda e: e.others[0]),
        events=with_shards,
        columns=("shard",),
    ),
)

BESIDE_VACANT: Final[dict[str, Plant]] = {
    "for the key": Plant(
        "some of the results of a key have a shorter name",
        "",
        "tumbling 10",
        "sum",
        lambda w: [
            {**r, "key": r["key"].partition("-")[0] if w.draw.random() < 0.5 else r["key"]}
            for r in w.make()
            if r["key"] != "gate-1"
        ],
        events=with_names,
    ),
    "goes on with its count": Plant(
        "counts of the greatest that are off by chance",
        "",
        "tumbling 20",
        "max-count",
        lambda w: [{**r, "result": r["result"] + (w.draw.random() < 0.4) * w.draw.randint(1, 3)} for r in w.make()],
        events=few("small", n=260),
    ),
    "has 0 where a part": Plant(
        "zero for some that lack a part",
        "",
        "tumbling 5",
        "min",
        lambda w: fill(w, min, lambda e: e.others[0], often=0.5),
        events=with_shards,
        columns=("shard",),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
