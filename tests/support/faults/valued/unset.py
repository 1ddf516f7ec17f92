"""What jobs get wrong that ask whether there is a value by whether it is zero, pass over null or take it for something,
change one of several values, or put events in the order of another column; and beside each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from support.faults.planted import LATE, TEXT, Came, Plant, Row, World, draw_events, in_order

WORDS: Final = {"kind": "text"}
IGNORE: Final = {"nulls": "ignore", **WORDS}
ARG_MAX: Final = ("tumbling 20", "arg-max")


def drawn(of: Callable[[Random], Any], n: int = 300) -> Callable[[int], list[Came]]:
    """Events whose values are drawn one by one."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, value=of(dice)) for e in draw_events(seed, "int", n=n)]

    return draw


def numbered(seed: int) -> list[Came]:
    """Pieces of text that are numbered in the order of time."""
    events = [replace(e, key=e.key) for e in draw_events(seed, "text", n=260)]
    places = {e.seq: i for i, e in enumerate(in_order(events))}
    return [replace(e, others=(places[e.seq] % 15 + 1,)) for e in events]


def ranked(seed: int) -> list[Came]:
    """Pieces of text that have a rank beside them."""
    dice = Random(seed)
    return [replace(e, others=(dice.randint(1, 60),)) for e in draw_events(seed, "text", n=260)]


def level(dice: Random) -> int:
    return dice.choice((0, 3, 5, 5, 8, 12, 20))


def loss(dice: Random) -> int:
    return -level(dice)


def word(dice: Random) -> str:
    return dice.choice(("", "", "a", "be", "sea", "dune"))


def some_null(dice: Random) -> int | None:
    return None if dice.random() < 0.3 else dice.randint(1, 40)


def pair(dice: Random) -> tuple[int, str]:
    return dice.randint(-400, 300), dice.choice("abcdefgh")


def half(dice: Random) -> tuple[int | None, str]:
    """A measure that may be null, with what is beside it."""
    return None if dice.random() < 0.2 else dice.choice((-9, -7, -5, -3, 2, 4)), dice.choice("abcdefgh")


def keep(better: Callable[[Any, Any], bool], replaced: Callable[[Any], bool], values: Sequence[Any]) -> Any:
    """The best so far, which what comes next replaces where it is taken for none."""
    best = values[0]
    for value in values[1:]:
        if replaced(best) or better(value, best):
            best = value
    return best


def kept(w: World, better: Callable[[Any, Any], bool], replaced: Callable[[Any], bool]) -> list[Row]:
    return w.make(result=lambda held: keep(better, replaced, [e.value for e in held]))


def less(a: Any, b: Any) -> bool:
    return bool(a < b)


def greater(a: Any, b: Any) -> bool:
    return bool(a > b)


def measured(w: World, of: Callable[[Any], Any]) -> list[Row]:
    """What is beside the greatest of what is made of measures; where that is null, the event is left out."""

    def choose(held: list[Came]) -> Any:
        there = [e.value for e in held if of(e.value[0]) is not None]
        return max(there, key=lambda value: of(value[0]))[1] if there else None

    return w.make(result=choose)


def ordered(w: World, key: Callable[[Came], Any], *, reverse: bool = False) -> list[Row]:
    return w.make(order=lambda held: sorted(in_order(held), key=key, reverse=reverse))


def last_there(held: list[Came]) -> Any:
    return next((e.value for e in reversed(held) if e.value is not None), None)


UNSET: Final = (
    Plant(
        "a least of zero is replaced",
        "zero as unset",
        "tumbling 20",
        "min",
        lambda w: kept(w, less, lambda best: not best),
        events=drawn(level),
    ),
    Plant(
        "a greatest of zero is replaced",
        "zero as unset",
        "sliding 30 every 10",
        "max",
        lambda w: kept(w, greater, lambda best: not best),
        LATE,
        events=drawn(loss),
    ),
    Plant(
        "the first text that is not empty",
        "zero as unset",
        "tumbling 10",
        "first",
        lambda w: w.make(result=lambda held: next((e.value for e in held if e.value), "")),
        value="text",
        events=drawn(word),
    ),
    Plant(
        "a sum of zero, or one",
        "zero as unset",
        "tumbling 5",
        "sum",
        lambda w: w.answers(lambda total: total or 1),
        events=drawn(lambda dice: dice.randint(-1, 1)),
    ),
    Plant(
        "the last value that is no null",
        "some values left out",
        "tumbling 20",
        "sql-last",
        lambda w: w.make(result=last_there),
        events=drawn(some_null),
    ),
    Plant(
        "a measure of null is zero",
        "null as zero",
        *ARG_MAX,
        lambda w: measured(w, lambda m: m or 0),
        IGNORE,
        "pair",
        events=drawn(half),
    ),
    Plant(
        "a measure of null is the greatest",
        "null counted",
        "session 6",
        "arg-max",
        lambda w: measured(w, lambda m: 10**6 if m is None else m),
        IGNORE,
        "pair",
        events=drawn(half),
    ),
    Plant(
        "a measure cut to hundreds",
        "truncated",
        *ARG_MAX,
        lambda w: measured(w, lambda m: m // 100),
        WORDS,
        "pair",
        events=drawn(pair),
    ),
    Plant(
        "a measure without its sign",
        "sign lost",
        "sliding 30 every 10",
        "arg-max",
        lambda w: measured(w, abs),
        {**LATE, **WORDS},
        "pair",
        events=drawn(pair),
    ),
    Plant(
        "pieces in the order of their numbers as text",
        "order of a column",
        *TEXT,
        lambda w: ordered(w, lambda e: str(e.others[0])),
        value="text",
        events=numbered,
        columns=("piece",),
    ),
    Plant(
        "pieces in the order of their rank, the greatest first",
        "order of a column",
        "sliding 30 every 10",
        "concatenation",
        lambda w: ordered(w, lambda e: e.others[0], reverse=True),
        value="text",
        events=ranked,
        columns=("rank",),
    ),
    Plant(
        "the last by rank",
        "order of a column",
        "tumbling 20",
        "last",
        lambda w: ordered(w, lambda e: e.others[0]),
        value="text",
        events=ranked,
        columns=("rank",),
    ),
)

NEAR_UNSET: Final[dict[str, Plant]] = {
    "zero as unset": Plant(
        "a least of any value is replaced now and then",
        "",
        "tumbling 20",
        "min",
        lambda w: kept(w, less, lambda best: w.draw.random() < 0.3),
        events=drawn(level),
    ),
    "order of a column": Plant(
        "pieces in any order",
        "",
        *TEXT,
        lambda w: ordered(w, lambda e: w.draw.random()),
        value="text",
        events=numbered,
        columns=("piece",),
    ),
}
"""For each cause a fault beside it."""

BESIDE_UNSET: Final[dict[str, Plant]] = {
    "in its measure": Plant(
        "a measure of null is any number",
        "",
        *ARG_MAX,
        lambda w: measured(w, lambda m: w.draw.randint(-9, 9) if m is None else m),
        IGNORE,
        "pair",
        events=drawn(half),
    ),
    "its measure down to": Plant(
        "a measure that is off by up to a hundred",
        "",
        *ARG_MAX,
        lambda w: measured(w, lambda m: m + Random(m).randint(-99, 99)),
        WORDS,
        "pair",
        events=drawn(pair),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
