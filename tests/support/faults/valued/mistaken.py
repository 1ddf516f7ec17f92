"""Different values that jobs count as one, for what they are told apart by is less than they are; and what is near."""

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from support.faults.planted import LATE, Came, Plant, Row, World, draw_events

COUNTED: Final = "distinct-count"


def drawn(of: Callable[[Random], Any], n: int = 500) -> Callable[[int], list[Came]]:
    """Events whose values are drawn one by one."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, value=of(dice)) for e in draw_events(seed, "int", n=n)]

    return draw


def draw_place(dice: Random) -> tuple[str, str]:
    return f"A{dice.choice((1, 2, 3, 11, 12))}", f"{dice.choice((1, 2, 3, 11, 12, 21))}"


def draw_route(dice: Random) -> tuple[str, str]:
    return dice.choice("abcde"), dice.choice("abcde")


def draw_name(dice: Random) -> tuple[str, str]:
    parts = ("red", "blue", "red-blue", "blue-red", "sea", "sea-blue")
    return dice.choice(parts), dice.choice(parts)


def draw_code(dice: Random) -> str:
    return f"{dice.choice(('north', 'south', 'west'))}-{dice.randint(10, 40)}"


def draw_id(dice: Random) -> int:
    return dice.randint(1, 400) * dice.choice((1, 1, 7))


def told_by(w: World, of: Callable[[Any], Any], sometimes: bool = False) -> list[Row]:
    """What the values are told by is counted; or now and then."""
    return w.make(result=lambda held: len({of(e.value) for e in held if not sometimes or w.draw.random() < 0.9}))


MISTAKEN: Final = (
    Plant(
        "columns joined with nothing between",
        "different values as one",
        "tumbling 40",
        COUNTED,
        lambda w: told_by(w, "".join),
        value="text",
        events=drawn(draw_place),
    ),
    Plant(
        "columns joined with what is in them",
        "different values as one",
        "sliding 30 every 10",
        COUNTED,
        lambda w: told_by(w, "-".join),
        LATE,
        value="text",
        events=drawn(draw_name),
    ),
    Plant(
        "pairs told by their second part",
        "different values as one",
        "session 6",
        COUNTED,
        lambda w: told_by(w, lambda pair: pair[1]),
        value="text",
        events=drawn(draw_place),
    ),
    Plant(
        "pairs in any order",
        "different values as one",
        "tumbling 30",
        COUNTED,
        lambda w: told_by(w, frozenset),
        value="text",
        events=drawn(draw_route),
    ),
    Plant(
        "texts told by some letters",
        "different values as one",
        "tumbling 20",
        COUNTED,
        lambda w: told_by(w, lambda code: code[:7]),
        LATE,
        value="text",
        events=drawn(draw_code),
    ),
    Plant(
        "numbers told by their last digits",
        "different values as one",
        "tumbling 40",
        COUNTED,
        lambda w: told_by(w, lambda one: one % 100),
        events=drawn(draw_id, 900),
    ),
    Plant(
        "texts told by a short hash",
        "different values as one",
        "tumbling 40",
        COUNTED,
        lambda w: told_by(w, lambda code: hashlib.md5(code.encode()).hexdigest()[:2]),
        value="text",
        events=drawn(draw_code, 700),
    ),
    Plant(
        "numbers told by a hash by a hundred",
        "different values as one",
        "rows -19 0",
        COUNTED,
        lambda w: told_by(w, lambda one: zlib.crc32(str(one).encode()) % 100),
        events=drawn(draw_id, 300),
    ),
)

NEAR_MISTAKEN: Final = {
    "different values as one": Plant(
        "some of the values counted",
        "",
        "tumbling 40",
        COUNTED,
        lambda w: told_by(w, lambda pair: pair, sometimes=True),
        value="text",
        events=drawn(draw_place),
    ),
}
"""For each cause a fault beside it."""

BESIDE_MISTAKEN: Final[dict[str, Plant]] = {
    "to one text": Plant(
        "one less now and then where columns are joined",
        "",
        "sliding 30 every 10",
        COUNTED,
        lambda w: w.answers(lambda n: n - (n > 1 and w.draw.random() < 0.5)),
        value="text",
        events=drawn(draw_name),
    ),
    "tells texts apart": Plant(
        "another number of letters each time",
        "",
        "tumbling 20",
        COUNTED,
        lambda w: w.make(result=lambda held: len({e.value[: w.draw.randint(6, 8)] for e in held})),
        value="text",
        events=drawn(draw_code),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
