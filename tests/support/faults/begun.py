"""States that are begun again, and states that stay as they were: by a clock, by how many there are, by the watermark,
by no rule; and what is near each."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from support.faults.habits import beside, in_arrival
from support.faults.mistakes import few
from support.faults.planted import DELAY, LATE, SUM, Came, Plant, Row, Windows, World, in_order

WIDE: Final = ("tumbling 30", "sum")
MORE: Final = few(n=300)
Window = tuple[str, int]
CLOCK: Final = beside(lambda e, dice: 10 * e.seq + dice.randrange(10), n=300)
"""A column that goes up as events come, by ten for each."""


def again(w: World, begins: Callable[[list[Came], Came, int], bool], **more: Any) -> list[Row]:
    """States that are begun again before some events: `begins` is given the state, the event and the window's end."""

    def windows(events: Sequence[Came]) -> Windows:
        for a, b, held in w.windows(events):
            state: list[Came] = []
            for e in in_arrival([e for e in held if more or w.takes(e, b)]):
                state = [e] if state and begins(state, e, b) else [*state, e]
            yield a, b, in_order(state)

    return w.make(windows=windows, **more)


def stopped(w: World, stops: Callable[[list[Came], Came, int], bool]) -> list[Row]:
    """States that some event, and what comes after it, does not change any more."""

    def windows(events: Sequence[Came]) -> Windows:
        for a, b, held in w.windows(events):
            mine = in_arrival([e for e in held if w.takes(e, b)])
            n = next((i for i in range(1, len(mine)) if stops(mine[:i], mine[i], b)), len(mine))
            yield a, b, in_order(mine[:n])

    return w.make(windows=windows)


def crowded(w: World, size: int, n: int, choose: Callable[[dict[Window, list[Came]]], Window]) -> list[Row]:
    """At most n windows have a state; which one goes is chosen, and its result stands until it has another."""
    states: dict[Window, list[Came]] = {}
    written: dict[Window, list[Came]] = {}
    for e in w.events:
        name = e.key, e.time // size * size
        if not w.takes(e, name[1] + size):
            continue
        states[name] = written[name] = [*states.pop(name, []), e]
        if len(states) > n:
            del states[choose(states)]
    return [w.row(key, a, a + size, sum(e.value for e in held)) for (key, a), held in sorted(written.items())]


def going_back(w: World) -> list[Row]:
    """The watermark is that of the last event, so that windows fire again."""
    marks = {e.seq: before.time - DELAY for before, e in zip(w.events, w.events[1:], strict=False)}

    def windows(events: Sequence[Came]) -> Windows:
        for a, b, held in w.windows(events):
            state: list[Came] = []
            for e in in_arrival([e for e in held if marks.get(e.seq, a) < b]):
                fired = state and any(marks[n] >= b for n in range(state[-1].seq + 1, e.seq + 1))
                state = [e] if fired else [*state, e]
            yield a, b, in_order(state)

    return w.make(windows=windows, takes=lambda e, b: True)


def by_chance(w: World, part: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """Some windows hold a part of their events, as these came."""
    return w.make(order=lambda h: in_order(part(in_arrival(h)) if len(h) > 3 and w.draw.random() < 0.4 else h))


def tell_age(state: list[Came], e: Came) -> int:
    return int(e.others[0] - state[0].others[0])


BEGUN: Final = (
    Plant(
        "states that live for so long",
        "state begun again",
        *SUM,
        lambda w: again(w, lambda state, e, b: tell_age(state, e) > 150),
        events=CLOCK,
        columns=("at",),
    ),
    Plant(
        "states that go after a pause",
        "state begun again",
        *WIDE,
        lambda w: again(w, lambda state, e, b: tell_age(state[-1:], e) > 150),
        events=CLOCK,
        columns=("at",),
    ),
    Plant(
        "a cache of eight states",
        "state begun again",
        *SUM,
        lambda w: crowded(w, 10, 8, lambda states: next(iter(states))),
        events=MORE,
    ),
    Plant(
        "a buffer of five windows",
        "state begun again",
        *WIDE,
        lambda w: crowded(w, 30, 5, lambda states: min(states, key=lambda name: (name[1], name[0]))),
        LATE,
        events=MORE,
    ),
    Plant(
        "late events begin a window again",
        "state begun again",
        *SUM,
        lambda w: again(w, lambda state, e, b: e.watermark >= b and state[-1].watermark < b, takes=lambda e, b: True),
        LATE,
        events=MORE,
    ),
    Plant("a watermark that goes back", "state begun again", *SUM, going_back, LATE, events=few(n=500)),
    Plant(
        "each late event opens a window anew",
        "updates without state",
        *SUM,
        lambda w: again(w, lambda state, e, b: e.watermark >= b, takes=lambda e, b: True),
        LATE,
        events=MORE,
    ),
    Plant(
        "the last four to come",
        "trimmed",
        *WIDE,
        lambda w: w.make(order=lambda h: in_order(in_arrival(h)[-4:])),
        events=MORE,
    ),
    Plant(
        "closed at once, but for what is there first",
        "older state kept",
        "tumbling 10",
        "count",
        lambda w: stopped(w, lambda state, e, b: e.watermark + DELAY >= b),
        LATE,
        events=MORE,
    ),
    Plant(
        "the last of some windows, by no rule",
        "state begun again",
        *SUM,
        lambda w: by_chance(w, lambda h: h[w.draw.randrange(1, len(h)) :]),
        events=MORE,
    ),
    Plant(
        "the first of some windows, by no rule",
        "older state kept",
        *SUM,
        lambda w: by_chance(w, lambda h: h[: w.draw.randrange(1, len(h))]),
        events=MORE,
    ),
)
"""The faults."""

NEAR_BEGUN: Final[dict[str, Plant]] = {
    "state begun again": Plant(
        "any events of some windows",
        "",
        *SUM,
        lambda w: by_chance(w, lambda h: w.draw.sample(h, len(h) - 2)),
        events=MORE,
    ),
    "older state kept": Plant(
        "noise at some windows",
        "",
        *SUM,
        lambda w: [{**r, "result": r["result"] - w.draw.choice((0, 0, 3, 7, 100))} for r in w.make()],
        events=MORE,
    ),
}
"""Faults beside them, without such a cause."""
