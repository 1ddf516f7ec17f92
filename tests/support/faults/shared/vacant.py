"""Keys that are cut, counts that are not begun again, and parts of windows without events; and beside them."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median
from typing import Any, Final

from support.faults.mistakes import AS_DOUBLES, few
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


def pane(e: Came) -> int:
    return e.time // 5


def positive(seed: int) -> list[Came]:
    return [replace(e, value=abs(e.value) + 1) for e in few(n=160)(seed)]


def without_pane(w: World, row: Callable[[Row], Row | None], often: float = 1.0) -> list[Row]:
    """What becomes of windows of four panes that hold no event in one of them."""
    times = {(e.key, pane(e)) for e in w.events}
    made: list[Row | None] = []
    for r in w.make():
        first = r["window_start"] // 5
        whole = all((r["key"], first + i) in times for i in range(4))
        made.append(r if whole or w.draw.random() >= often else row(r))
    return [r for r in made if r is not None]


def respelled(seed: int) -> list[Came]:
    """Keys that are spelled in three ways each."""
    dice, spell = Random(seed), (str.lower, str.lower, str.title, str.upper)
    events = [replace(e, key=e.key + dice.choice(("nn", "bb", "cc"))) for e in few(n=420)(seed)]
    return [replace(e, others=(dice.choice(spell)(e.key),)) for e in events]


def of_last_spelling(held: list[Came]) -> int:
    parts: dict[Any, int] = {}
    for e in sorted(held, key=lambda e: e.seq):
        parts[e.others] = parts.get(e.others, 0) + e.value
    return list(parts.values())[-1]


def weigh_by_number(held: list[Came]) -> float:
    parts = [[e.value for e in held if pane(e) == one] for one in sorted({pane(e) for e in held})]
    return sum(median(part) * len(part) for part in parts) / len(held)


def joined_twice(w: World, chosen: Callable[[Row], bool]) -> list[Row]:
    return [{**r, "result": 2 * r["result"]} if chosen(r) else r for r in w.make()]


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
    Plant(
        "the least of panes, and zero for one without events",
        "merged wrongly",
        "sliding 20 every 5",
        "min",
        lambda w: without_pane(w, lambda r: {**r, "result": 0}),
        events=positive,
    ),
    Plant(
        "null where a pane has no events",
        "merged wrongly",
        "sliding 20 every 5",
        "sum",
        lambda w: without_pane(w, lambda r: {**r, "result": None}),
        events=few(n=160),
    ),
    Plant(
        "no result where a pane has no events",
        "result lost",
        "sliding 20 every 5",
        "sum",
        lambda w: without_pane(w, lambda r: None),
        events=few(n=160),
    ),
    Plant(
        "medians of panes, by their numbers of events",
        "merged wrongly",
        "tumbling 20",
        "median",
        lambda w: w.make(result=weigh_by_number),
        AS_DOUBLES,
        events=few(n=260),
    ),
    Plant(
        "the last spelling of a key, of three each",
        "one part of several",
        "tumbling 60",
        "sum",
        lambda w: w.make(result=of_last_spelling),
        events=respelled,
        columns=("spelling",),
    ),
    Plant(
        "two windows that are joined twice",
        "events of a window twice",
        "tumbling 20",
        "sum",
        lambda w: joined_twice(w, lambda r: (r["key"], r["window_start"]) in (("a", 20), ("c", 80))),
        events=few(n=260),
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
    "has no event in a window, and merges": Plant(
        "zero for some that lack a pane",
        "",
        "sliding 20 every 5",
        "min",
        lambda w: without_pane(w, lambda r: {**r, "result": 0}, often=0.5),
        events=positive,
    ),
    "answers null where a part": Plant(
        "null for some that lack a pane",
        "",
        "sliding 20 every 5",
        "sum",
        lambda w: without_pane(w, lambda r: {**r, "result": None}, often=0.5),
        events=few(n=160),
    ),
    "has no result where a part": Plant(
        "no result for some that lack a pane",
        "",
        "sliding 20 every 5",
        "sum",
        lambda w: without_pane(w, lambda r: None, often=0.5),
        events=few(n=160),
    ),
    "that their numbers of events weigh": Plant(
        "medians that are off by chance",
        "",
        "tumbling 20",
        "median",
        lambda w: [{**r, "result": r["result"] + w.draw.randint(-40, 40)} for r in w.make()],
        AS_DOUBLES,
        events=few(n=260),
    ),
    "each of their events counted twice": Plant(
        "windows that are nearly twice what is due",
        "",
        "tumbling 20",
        "sum",
        lambda w: [{**r, "result": 2 * r["result"] + w.draw.choice((-3, 2, 5))} for r in w.make()],
        events=few(n=260),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
