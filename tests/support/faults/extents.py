"""Windows that hold another run of events than they should, and versions that are taken for others; and the same by
chance."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any, Final

from support.faults.planted import Came, Plant, Row, Windows, World, draw_events, fixed, ranges, rows

HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR


def hourly(value: str = "int", n: int = 160) -> Callable[[int], list[Came]]:
    """Events an hour apart or so, over days."""
    return lambda seed: draw_events(seed, value, n=n, unit=HOUR)


def small(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=dice.randint(1, 700)) for e in draw_events(seed, "int", n=160)]


def holds(window: Callable[[Sequence[Came]], Windows]) -> Callable[[World], list[Row]]:
    return lambda w: w.make(windows=window)


def since(begins: Callable[[Sequence[Came], int], int]) -> Callable[[Sequence[Came]], Windows]:
    """Running frames from another row on."""

    def windows(events: Sequence[Came]) -> Windows:
        for i, e in enumerate(events):
            yield e.time, e.seq, list(events[begins(events, i) : i + 1])

    return windows


def after_pause(pause: int, events: Sequence[Came], i: int) -> int:
    while i and events[i].time - events[i - 1].time < pause:
        i -= 1
    return i


def at_midnight(events: Sequence[Came], i: int) -> int:
    return next(j for j, e in enumerate(events) if e.time // DAY == events[i].time // DAY)


def at_random(draw: Random, events: Sequence[Came], i: int) -> int:
    return draw.randint(0, i)


def anywhere(draw: Random, size: int) -> Callable[[Sequence[Came]], Windows]:
    """Tumbling windows that end some ticks early or late, each by another number."""

    def windows(events: Sequence[Came]) -> Windows:
        for a, b, held in fixed(events, size, size):
            end = b - draw.randint(1, size * 3 // 4)
            kept = [e for e in held if e.time < end]
            if kept:
                yield a, b, kept

    return windows


def by_hour(last: bool, w: World) -> list[Row]:
    """Each six hours of all days together."""
    made: dict[tuple[str, int], list[Row]] = {}
    for row in w.make():
        made.setdefault((row["key"], row["window_start"] % DAY), []).append(row)
    return [{**those[-1 if last else 0], "result": sum(r["result"] for r in those)} for those in made.values()]


def by_batch(choose: Callable[[list[Came], list[Came]], list[Came]], size: Callable[[], int], w: World) -> list[Row]:
    """A window shows some of its batches alone: it is told those of its first, or of its last, and all."""

    def result(held: list[Came]) -> Any:
        came, n = sorted(held, key=lambda e: e.seq), size()
        first = [e for e in came if e.seq // n == came[0].seq // n]
        return sum(e.value for e in choose(first, came))

    return w.make(result=result)


def early(n: Callable[[], int], w: World) -> list[Row]:
    """All results that a window has as its events come are added up."""

    def result(held: list[Came]) -> Any:
        totals = list(accumulate(e.value for e in sorted(held, key=lambda e: e.seq)))
        return sum(total for i, total in enumerate(totals, 1) if i % n() == 0 or i == len(totals))

    return w.make(result=result)


def lost_thrice(firsts: Iterable[int], w: World) -> list[Row]:
    gone = {first + i for first in firsts for i in range(9)}
    return w.make(events=[e for e in w.events if e.seq not in gone])


def apart(w: World) -> list[Row]:
    """Windows of 2 each 10, and not of 10 each 2."""
    return [row | {"window_end": row["window_start"] + 2} for row in w.make(windows=lambda e: fixed(e, 2, 10))]


def in_bytes(w: World) -> list[Row]:
    return w.make(events=[replace(e, value=e.value % 256) for e in w.events])


def last_of_each(span: int, w: World) -> list[Row]:
    """Of the events of a key in each span the one that came last."""
    last = {(e.key, e.time // span): e for e in sorted(w.events, key=lambda e: e.seq)}
    return w.make(events=list(last.values()))


def divided(by: Callable[[], int], w: World) -> list[Row]:
    return w.make(result=lambda held: sum(e.value for e in held) / by())


def thousandths(w: World) -> list[Row]:
    return w.make(events=[replace(e, time=e.time // 1000) for e in w.events])


RUNNING: Final = "rows unbounded 0"
EXTENTS: Final = (
    Plant("each window ends 3 early", "another range", "tumbling 20", "sum",
          holds(lambda e: fixed(e, 20, 20, high=-3))),
    Plant("each window begins 7 early", "another range", "tumbling 20", "sum",
          holds(lambda e: fixed(e, 20, 20, low=-7))),
    Plant("frames reach back 7 for 20", "another range", "range -20 0", "sum", holds(lambda e: ranges(e, -7, 0))),
    Plant("frames two rows early", "another range", "rows -3 0", "sum", holds(lambda e: rows(e, -5, -2))),
    Plant("begun anew after a pause", "windows begun anew", RUNNING, "sum", holds(since(partial(after_pause, 9)))),
    Plant("begun anew at midnight", "windows begun anew", RUNNING, "sum", holds(since(at_midnight)), {"unit": HOUR},
          events=hourly()),
    Plant("hours without their date", "windows by another formula", "tumbling 6h", "sum", partial(by_hour, False),
          {"unit": HOUR}, events=hourly()),
    Plant("windows with gaps", "another range", "sliding 10 every 2", "count", apart),
    Plant("the first batch alone", "one part of several", "tumbling 20", "sum",
          partial(by_batch, lambda first, came: first, lambda: 37)),
    Plant("early results added up", "merged wrongly", "tumbling 20", "sum", partial(early, lambda: 3)),
    Plant("three batches lost", "batch lost", "tumbling 10", "sum", partial(lost_thrice, (40, 110, 170))),
    Plant("times a thousandth", "times read wrongly", "tumbling 6h", "sum", thousandths, {"unit": HOUR},
          events=hourly()),
    Plant("the last of each hour", "duplicates left out", "tumbling 6h", "sum", partial(last_of_each, HOUR),
          {"unit": HOUR}, events=lambda seed: draw_events(seed, "int", n=160, unit=HOUR // 3)),
    Plant("a sum divided by 20", "another aggregate", "tumbling 20", "mean", partial(divided, lambda: 20)),
    Plant("values in unsigned bytes", "overflow", "tumbling 10", "sum", in_bytes, events=small),
)  # fmt: skip
"""What the values tell: which events each window holds."""

CHANCE: Final = (
    Plant("windows end anywhere", "another range", "tumbling 20", "sum", lambda w: holds(anywhere(w.draw, 20))(w)),
    Plant("frames begin anywhere", "windows begun anew", RUNNING, "sum",
          lambda w: holds(since(partial(at_random, w.draw)))(w)),
    Plant("hours of the next day, some of them", "windows by another formula", "tumbling 6h", "sum",
          lambda w: [{**r, "result": r["result"] + w.draw.randint(1, 9)} for r in w.make()], {"unit": HOUR},
          events=hourly()),
    Plant("some events alone", "one part of several", "tumbling 20", "sum",
          lambda w: by_batch(lambda first, came: came[: w.draw.randint(1, len(came))], lambda: 37, w)),
    Plant("some added twice", "merged wrongly", "tumbling 20", "sum", lambda w: early(lambda: w.draw.randint(1, 9), w)),
    Plant("sums divided by some number", "another aggregate", "tumbling 20", "mean",
          lambda w: divided(lambda: w.draw.randint(15, 25), w)),
    Plant("values that are off", "overflow", "tumbling 10", "sum",
          lambda w: w.make(events=[replace(e, value=e.value - w.draw.choice((0, 256, 255))) for e in w.events]),
          events=small),
    Plant("events lost here and there", "batch lost", "tumbling 10", "sum",
          lambda w: w.make(events=[e for e in w.events if w.draw.random() < 0.9])),
)  # fmt: skip
"""The same by chance: such causes are not named."""
