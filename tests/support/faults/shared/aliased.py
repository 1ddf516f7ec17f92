"""Overlapping windows that are one object, rings of panes whose slots are not cleared; and beside them."""

from collections.abc import Callable
from statistics import fmean
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World, by_key
from support.faults.shared.relapsed import in_turn

Fold = Callable[[list[Came]], Any]


def total(held: list[Came]) -> Any:
    return sum(e.value for e in held)


def share(w: World, size: int, slide: int, how: str, fold: Fold, *, each: bool = True) -> list[Row]:
    """Windows that share a list of events: those of one event, those that overlap, or some of these by chance."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held: dict[int, list[Came]] = {}
        for e in sorted(mine, key=lambda e: e.seq):
            begins = range(e.time // slide * slide, e.time - size, -slide)
            new = next((held[a] for a in begins if a in held), []) if how == "overlap" else list[Came]()
            for a in begins:
                apart = how == "chance" and w.draw.random() < 0.5
                held.setdefault(a, list[Came]() if apart else new)
            for one in [held[a] for a in begins] if each else {id(held[a]): held[a] for a in begins}.values():
                one.append(e)
        made += [w.row(key, a, a + size, fold(there)) for a, there in sorted(held.items())]
    return made


def turn(
    w: World, size: int, slide: int, fold: Fold, *, slots: int = 0, shows: bool = False, clears: float = 0.0
) -> list[Row]:
    """Windows of a ring of panes, of which a slot is cleared when an event comes for it; by chance, else, too."""
    made, slots = list[Row](), slots or size // slide
    for key, mine in sorted(by_key(w.events).items()):
        panes: dict[int, list[Came]] = {}
        for e in sorted(mine, key=lambda e: (e.time, e.seq)):
            panes.setdefault(e.time // slide, []).append(e)
        ring: dict[int, list[Came]] = {}
        for pane in range(min(panes), max(panes) + size // slide):
            if pane in panes or w.draw.random() < clears:
                ring[pane % slots] = panes.get(pane, [])
            a = (pane + 1) * slide - size
            due = any(a <= e.time < a + size for e in mine)
            there = [e for of in ring.values() for e in of]
            if (due or shows) and there:
                made.append(w.row(key, a, a + size, fold(there)))
    return made


ALIASED: Final = (
    Plant(
        "windows that an event opens are one",
        "state shared",
        "sliding 20 every 5",
        "sum",
        lambda w: share(w, 20, 5, "event", total),
        events=few(n=200),
    ),
    Plant(
        "windows that an event opens are one, and it counts once",
        "state shared",
        "sliding 15 every 5",
        "mean",
        lambda w: share(w, 15, 5, "event", lambda held: fmean(e.value for e in held), each=False),
        events=few(n=160),
    ),
    Plant(
        "windows that overlap are one",
        "state shared",
        "sliding 6 every 3",
        "max",
        lambda w: share(w, 6, 3, "overlap", lambda held: max(e.value for e in held)),
        events=few(n=90),
    ),
    Plant(
        "a ring whose slots are not cleared",
        "state kept",
        "sliding 12 every 2",
        "sum",
        lambda w: turn(w, 12, 2, total),
        events=few(n=120),
    ),
    Plant(
        "a ring that is a slot too long, and not cleared",
        "state kept",
        "sliding 12 every 3",
        "count",
        lambda w: turn(w, 12, 3, len, slots=5),
        events=few(n=120),
    ),
    Plant(
        "a ring that shows what it has where nothing is",
        "state kept",
        "sliding 10 every 2",
        "max",
        lambda w: turn(w, 10, 2, lambda held: max(e.value for e in held), shows=True),
        events=few(n=120),
    ),
)

BESIDE_ALIASED: Final[dict[str, Plant]] = {
    "has one state for": Plant(
        "some windows are one",
        "",
        "sliding 20 every 5",
        "sum",
        lambda w: share(w, 20, 5, "chance", total),
        events=in_turn(200),
    ),
    "where one without events has": Plant(
        "a ring whose slots are cleared now and then",
        "",
        "sliding 12 every 2",
        "sum",
        lambda w: turn(w, 12, 2, total, clears=0.5),
        events=few(n=120),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
