"""Windows with a row for each event that ties for the one that is asked for; and beside them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World

Of = Callable[[Came], Any]


def join_back(w: World, best: Callable[[list[Any]], Any], of: Of, read: Of, *, often: float = 1.0) -> list[Row]:
    """A row for each event of a window that has the best of what is asked for; or of some of them."""
    made = list[Row]()
    for r in w.make(result=lambda held: held):
        held: list[Came] = r["result"]
        tied = [e for e in held if of(e) == best([of(x) for x in held])]
        made += [{**r, "result": read(e)} for i, e in enumerate(tied) if i == 0 or w.draw.random() < often]
    return made


def without_key(w: World) -> list[Row]:
    """A row for each event of any key that has the time of the last one of a window."""
    made = list[Row]()
    for r in w.make(result=lambda held: held[-1].time):
        made += [{**r, "result": e.value} for e in sorted(w.events, key=lambda e: e.seq) if e.time == r["result"]]
    return made


def distinct(rows: Sequence[Row]) -> list[Row]:
    return list({tuple(r.values()): r for r in rows}.values())


def with_ties(seed: int) -> list[Came]:
    """Events of whose measures some are equal."""
    return [replace(e, value=(e.value[0] % 4, e.value[1])) for e in few("pair", n=260)(seed)]


def rank(values: list[Any]) -> list[Any]:
    """The three greatest, and all that are as great as the least of them."""
    there = sorted(values, reverse=True)
    return [v for v in there if v >= there[:3][-1]]


TIED: Final = (
    Plant(
        "the first joined back by its time",
        "ties repeated",
        "tumbling 10",
        "first",
        lambda w: join_back(w, min, lambda e: e.time, lambda e: e.value),
        events=few(n=260),
    ),
    Plant(
        "the last joined back by its time without the key",
        "ties repeated",
        "tumbling 20",
        "last",
        without_key,
        events=few(n=160),
    ),
    Plant(
        "the greatest measure joined back, equal rows once",
        "ties repeated",
        "sliding 20 every 10",
        "arg-max",
        lambda w: distinct(join_back(w, max, lambda e: e.value[0], lambda e: e.value[1])),
        {"kind": "text"},
        value="pair",
        events=with_ties,
    ),
    Plant(
        "the greatest joined back",
        "ties repeated",
        "tumbling 20",
        "max",
        lambda w: join_back(w, max, lambda e: e.value, lambda e: e.value),
        events=few("small", n=160),
    ),
    Plant(
        "a rank for a number of rows",
        "ties repeated",
        "tumbling 20",
        "top-3",
        lambda w: w.make(result=lambda held: rank([e.value for e in held])),
        {"kind": "json"},
        events=few("small", n=160),
    ),
)

BESIDE_TIED: Final[dict[str, Plant]] = {
    "writes a result for each event": Plant(
        "some of those that tie",
        "",
        "tumbling 20",
        "max",
        lambda w: join_back(w, max, lambda e: e.value, lambda e: e.value, often=0.5),
        events=few("small", n=160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
