"""What stays in a state that should have gone, and what goes from one that should have stayed; and beside each."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Final

from support.faults.habits import in_arrival
from support.faults.planted import DELAY, LATE, Came, Plant, Row, World, in_order


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


LINGERING: Final = (
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
}
"""For each way, by what is said of it, a fault that is none."""
