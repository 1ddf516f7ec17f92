"""What jobs make of the order in which events come: the last to come for the last, frames of rows as they come, a
watermark that goes back, a window closed too late, and of several that are greatest the last; and beside each."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import DELAY, HOUR, LATE, Came, Plant, Row, World, by_key, draw_events, in_order

CLOCK: Final = {"unit": HOUR}
TEXTS: Final = {"kind": "text"}
BEST: Final = ("tumbling 40", "arg-max")


def disordered(seed: int) -> list[Came]:
    """Events of which a third comes late, by as long as several windows."""
    dice = Random(seed)
    late = [dice.choice((0, 0, dice.randint(1, 25))) for _ in range(400)]
    there = [(time + by, time, dice.choice("abc"), dice.randint(1, 999)) for time, by in enumerate(late)]
    latest, events = -(10**6), list[Came]()
    for seq, (_, time, key, value) in enumerate(sorted(there)):
        events.append(Came(seq, key, time, value, latest - DELAY))
        latest = max(latest, time)
    return events


def as_they_came(held: list[Came]) -> list[Came]:
    return sorted(held, key=lambda e: e.seq)


def by_arrival(w: World) -> list[Row]:
    return w.make(order=as_they_came)


Keep = Callable[[list[Came], Came], list[Came]]
"""The rows of a key that are left, of those that were there and the one that comes."""


def hold(w: World, keep: Keep, over: Callable[[list[Any]], Any] = sum) -> list[Row]:
    """Frames of what is kept as rows come."""
    made = list[Row]()
    held = dict[str, list[Came]]()
    for e in as_they_came(w.events):
        held[e.key] = keep([*held.get(e.key, []), e], e)
        made.append(w.row(e.key, e.time, e.seq, over([x.value for x in held[e.key]])))
    return made


def from_front(back: int) -> Keep:
    """From the front those go that are too old for the row that came."""

    def keep(there: list[Came], e: Came) -> list[Came]:
        return there[next(i for i, x in enumerate(there) if x.time >= e.time - back) :]

    return keep


def within(back: int) -> Keep:
    return lambda there, e: [x for x in there if x.time >= e.time - back]


def by_then(w: World, back: int) -> list[Row]:
    """The right frames of what had come when their row did."""
    made = list[Row]()
    for key, mine in by_key(w.events).items():
        for e in mine:
            came = [x.value for x in mine if x.seq <= e.seq and e.time - back <= x.time <= e.time]
            made.append(w.row(key, e.time, e.seq, max(came)))
    return made


def goes_back(w: World, *, own: bool) -> list[Row]:
    """A watermark that is the last event's time, of all or of its key, less the delay."""
    last, marked = dict[str, int](), list[Came]()
    for e in as_they_came(w.events):
        whose = e.key if own else ""
        marked.append(replace(e, watermark=last.get(whose, -(10**6)) - DELAY))
        last[whose] = e.time
    return w.make(events=marked)


def closed_late(w: World, *, opens: bool = True, order: Callable[[list[Came]], list[Came]] = in_order) -> list[Row]:
    """An event is added before it is asked whether the window is over; that `opens` the next one, or what follows."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        begin: int | None = None
        held = list[Came]()
        for e in order(mine):
            own = e.time // 10 * 10
            begin = own if begin is None else begin
            held.append(e)
            if own != begin:
                made.append(w.row(key, begin, begin + 10, sum(x.value for x in held)))
                begin, held = (own, []) if opens else (None, [])
        if begin is not None:
            made.append(w.row(key, begin, begin + 10, sum(x.value for x in held)))
    return made


def takes_next(w: World, choose: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """Each window gives some of its events to the one before."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        there = list(w.windows(in_order(mine)))
        moved = [choose(held) if i else [] for i, (_, _, held) in enumerate(there)]
        for (a, b, held), gone, come in zip(there, moved, [*moved[1:], []], strict=True):
            made.append(w.row(key, a, b, sum(e.value for e in held if e not in gone) + sum(e.value for e in come)))
    return made


def equal_best(seed: int) -> list[Came]:
    """Events of which several have the greatest measure."""
    dice = Random(seed)
    return [replace(e, value=(dice.randint(1, 6), e.value[1])) for e in draw_events(seed, "pair", n=300)]


def best(w: World, choose: Callable[[list[Came]], Came]) -> list[Row]:
    """The value of one of those that have the greatest measure."""

    def answer(held: list[Came]) -> Any:
        most = max(e.value[0] for e in held)
        return choose([e for e in held if e.value[0] == most]).value[1]

    return w.make(result=answer)


ARRIVING: Final = (
    Plant("the last that came", "arrival order", "tumbling 24h", "last", by_arrival, CLOCK),
    Plant("the first that came", "arrival order", "tumbling 10", "first", by_arrival),
    Plant("the last that came of a session", "arrival order", "session 6", "last", by_arrival),
    Plant("a queue in the order of arrival", "arrival order", "range -9 0", "sum", lambda w: hold(w, from_front(9))),
    Plant(
        "means of what is within",
        "arrival order",
        "range -40 0",
        "mean",
        lambda w: hold(w, within(40), lambda values: sum(values) / len(values)),
        events=few(n=160),
    ),
    Plant(
        "balances as they came", "arrival order", "range unbounded 0", "sum", lambda w: hold(w, lambda all_, _: all_)
    ),
    Plant("the greatest by then", "arrival order", "range -20 0", "max", lambda w: by_then(w, 20), events=few(n=200)),
    Plant(
        "a watermark of the last event",
        "another watermark",
        "tumbling 10",
        "sum",
        lambda w: goes_back(w, own=False),
        LATE,
        events=disordered,
    ),
    Plant(
        "a watermark of the last event of each key",
        "another watermark",
        "sliding 30 every 10",
        "max",
        lambda w: goes_back(w, own=True),
        LATE,
        events=disordered,
    ),
    Plant("closed by what is added", "carried over", "tumbling 10", "sum", closed_late),
    Plant("closed by what comes", "carried over", "tumbling 10", "sum", lambda w: closed_late(w, order=as_they_came)),
    Plant("closed by what opens nothing", "carried over", "tumbling 10", "sum", lambda w: closed_late(w, opens=False)),
    Plant(
        "the last of those that are greatest",
        "tie broken otherwise",
        *BEST,
        lambda w: best(w, lambda those: in_order(those)[-1]),
        TEXTS,
        value="pair",
        events=equal_best,
    ),
    Plant(
        "the last to come of those that are greatest",
        "tie broken otherwise",
        *BEST,
        lambda w: best(w, lambda those: max(those, key=lambda e: e.seq)),
        TEXTS,
        value="pair",
        events=equal_best,
    ),
    Plant(
        "the greatest pair",
        "tie broken otherwise",
        *BEST,
        lambda w: best(w, lambda those: max(those, key=lambda e: e.value[1])),
        TEXTS,
        value="pair",
        events=equal_best,
    ),
)

BESIDE_ARRIVING: Final[dict[str, Plant]] = {
    "makes frames in the order of arrival": Plant(
        "frames without a row or two, whichever",
        "",
        "range -40 0",
        "sum",
        lambda w: hold(w, lambda there, e: [x for x in within(40)(there, e) if x is e or w.draw.random() < 0.9]),
        events=few(n=160),
    ),
    "so that it goes back": Plant(
        "late events of any kind",
        "",
        "tumbling 10",
        "sum",
        lambda w: w.make(takes=lambda e, end: w.takes(e, end) or w.draw.random() < 0.5),
        LATE,
        events=disordered,
    ),
    "counts the event that closes a window": Plant(
        "an event of the next window, whichever",
        "",
        "tumbling 10",
        "sum",
        lambda w: takes_next(w, lambda held: [w.draw.choice(held)]),
    ),
    "where several have the greatest measure": Plant(
        "any of those that are greatest",
        "",
        *BEST,
        lambda w: best(w, w.draw.choice),
        TEXTS,
        value="pair",
        events=equal_best,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
