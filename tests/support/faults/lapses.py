"""What jobs forget: to begin anew with a key; and beside each."""

from collections.abc import Callable
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World, by_key, in_order

FIVE: Final = ("rows -4 0", "sum")


def rolled(w: World, order: Callable[[Came], Any], *, full: bool = False) -> list[Row]:
    """Frames of five rows of a table, whatever their keys."""
    made, there = list[Row](), sorted(w.events, key=order)
    for i, e in enumerate(there):
        held = there[max(0, i - 4) : i + 1]
        made.append(w.row(e.key, e.time, e.seq, None if full and i < 4 else sum(x.value for x in held)))
    return made


def by_key_and_time(e: Came) -> tuple[Any, ...]:
    return e.key, e.time, e.seq


def begun_with_others(w: World) -> list[Row]:
    """The first frames of a key are filled with rows of any other."""
    made = list[Row]()
    for key, mine in sorted(by_key(in_order(w.events)).items()):
        others = [e for e in w.events if e.key != key]
        there = [*w.draw.sample(others, 4), *mine]
        made += [w.row(key, e.time, e.seq, sum(x.value for x in there[i : i + 5])) for i, e in enumerate(mine)]
    return made


LAPSES: Final = (
    Plant("frames of a sorted table", "over all keys", *FIVE, lambda w: rolled(w, by_key_and_time), events=few()),
    Plant(
        "full frames of a sorted table",
        "over all keys",
        "rows -4 0 full",
        "sum",
        lambda w: rolled(w, by_key_and_time, full=True),
        events=few(),
    ),
    Plant("frames of what comes", "over all keys", *FIVE, lambda w: rolled(w, lambda e: e.seq), events=few()),
)


NEAR_LAPSES: Final[dict[str, Plant]] = {
    "over all keys": Plant("frames begun with any rows", "", *FIVE, begun_with_others, events=few()),
}
"""For each cause a fault beside it."""

BESIDE_LAPSES: Final[dict[str, Plant]] = {}
"""For each way, by what is said of it, a fault that is none."""
