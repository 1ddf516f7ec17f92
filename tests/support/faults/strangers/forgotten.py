"""Count windows and frames whose buffers were lost at a restart, while their numbers go on; and beside each."""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World, by_key, in_order


def forget(
    w: World,
    size: int,
    step: int,
    at: Callable[[str, int], int],
    *,
    order: Callable[[Came], tuple[int, ...]] = lambda e: (e.time, e.seq),
) -> list[Row]:
    """Windows of so many events that hold, of what came before some event, nothing where they are full later."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        there = sorted(mine, key=order)
        for j in range(step, len(there) + 1, step):
            held, cut = there[max(0, j - size) : j], at(key, j)
            held = [e for e in held if e.seq >= cut] or held
            total = sum(e.value for e in held)
            got = float(Fraction(total, len(held))) if w.aggregate == "mean" else total
            made.append(w.row(key, max(0, j - size) + 1, j, got))
    return made


def forget_rows(w: World, size: int, at: Callable[[Came], int]) -> list[Row]:
    """Frames of so many rows that hold what came from some event on, where their own row did."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        there = in_order(mine)
        for i, e in enumerate(there):
            held, cut = there[max(0, i + 1 - size) : i + 1], at(e)
            made.append(w.row(key, e.time, e.seq, sum(x.value for x in held if x.seq >= cut or e.seq < cut)))
    return made


def by_arrival(e: Came) -> tuple[int, ...]:
    return (e.seq,)


FORGOTTEN: Final = (
    Plant(
        "buffers of count windows lost, and their numbers kept",
        "state lost",
        "count 12 every 4",
        "sum",
        lambda w: forget(w, 12, 4, lambda key, j: 90),
        events=few(n=200),
    ),
    Plant(
        "half-filled count windows that are shown all the same",
        "state lost",
        "count 8 by arrival",
        "mean",
        lambda w: forget(w, 8, 8, lambda key, j: 130, order=by_arrival),
        events=few(n=320),
    ),
    Plant(
        "buffers of two keys lost",
        "state lost",
        "count 9 every 3 by arrival",
        "sum",
        lambda w: forget(w, 9, 3, lambda key, j: 110 if key in "ac" else 0, order=by_arrival),
        events=few(n=260),
    ),
    Plant(
        "frames of what came since a restart",
        "state lost",
        "rows -7 0",
        "sum",
        lambda w: forget_rows(w, 8, lambda e: 100),
        events=few(n=200),
    ),
)

BESIDE_FORGOTTEN: Final[dict[str, Plant]] = {
    "open windows hold before": Plant(
        "count windows without what came before any event",
        "",
        "count 12 every 4",
        "sum",
        lambda w: forget(w, 12, 4, lambda key, j: w.draw.randrange(200) if w.draw.random() < 0.4 else 0),
        events=few(n=200),
    ),
    "its frames hold before": Plant(
        "frames without what came before any event",
        "",
        "rows -7 0",
        "sum",
        lambda w: forget_rows(w, 8, lambda e: w.draw.randrange(e.seq + 1) if w.draw.random() < 0.3 else 0),
        events=few(n=200),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
