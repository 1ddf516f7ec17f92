"""Jobs that are begun again several times without their state, or without their timers; and beside each."""

from collections.abc import Callable, Sequence
from typing import Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World


def lapse(
    w: World, cuts: Callable[[], Sequence[int]], result: Callable[[list[Came]], object] | None = None
) -> list[Row]:
    """What a window held is lost whenever one of some events comes, and its row is written over by what comes then."""

    def keep(held: list[Came]) -> list[Came]:
        for cut in cuts():
            held = [e for e in held if e.seq >= cut] or held
        return held

    return w.make(order=lambda held: keep(sorted(held, key=lambda e: (e.time, e.seq))), result=result)


def without_timers(w: World, cuts: Callable[[], Sequence[int]]) -> list[Row]:
    """Windows that are open when one of some events comes have no result, if they have no later event."""
    made = w.make()
    for cut in cuts():
        begin = max((e.time for e in w.events if e.seq < cut), default=0)
        held = {(r["key"], r["window_start"]): r for r in made if r["window_end"] > begin}
        for (key, a), r in held.items():
            if not any(e.seq >= cut and e.key == key and a <= e.time < r["window_end"] for e in w.events):
                made.remove(r)
    return made


def in_turn(n: int) -> Callable[[int], list[Came]]:
    """Events in the order of time."""

    def draw(seed: int) -> list[Came]:
        events = few(n=n)(seed)
        times = sorted(e.time for e in events)
        return [Came(e.seq, e.key, t, e.value, e.watermark, e.others) for e, t in zip(events, times, strict=True)]

    return draw


RELAPSED: Final = (
    Plant(
        "firsts lost twice, and written over",
        "state lost",
        "tumbling 30",
        "first",
        lambda w: lapse(w, lambda: (80, 170)),
        events=in_turn(260),
    ),
    Plant(
        "minima lost three times, and written over",
        "state lost",
        "sliding 100 every 25",
        "min",
        lambda w: lapse(w, lambda: (211, 457, 698)),
        events=in_turn(900),
    ),
    Plant(
        "counts lost twice in wide windows",
        "state lost",
        "tumbling 120",
        "count",
        lambda w: lapse(w, lambda: (330, 720)),
        events=in_turn(900),
    ),
    Plant(
        "texts lost twice",
        "state lost",
        "tumbling 30",
        "concatenation",
        lambda w: lapse(w, lambda: (90, 190)),
        value="text",
        events=lambda seed: [
            Came(e.seq, e.key, e.time, chr(97 + abs(e.value) % 26), e.watermark) for e in in_turn(260)(seed)
        ],
    ),
    Plant(
        "timers lost once",
        "result lost",
        "sliding 30 every 1",
        "sum",
        lambda w: without_timers(w, lambda: (70,)),
        events=in_turn(120),
    ),
    Plant(
        "timers lost twice",
        "result lost",
        "sliding 30 every 2",
        "max",
        lambda w: without_timers(w, lambda: (60, 120)),
        events=in_turn(180),
    ),
)

BESIDE_RELAPSED: Final[dict[str, Plant]] = {
    "and writes over what it had written of them": Plant(
        "firsts lost now and then",
        "",
        "tumbling 30",
        "first",
        lambda w: lapse(w, lambda: [w.draw.randrange(520)]),
        events=in_turn(520),
    ),
    "as where timers are lost": Plant(
        "windows lost anywhere",
        "",
        "sliding 40 every 5",
        "sum",
        lambda w: [r for r in w.make() if w.draw.random() < 0.93],
        events=in_turn(200),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
