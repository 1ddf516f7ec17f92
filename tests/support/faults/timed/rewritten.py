"""Spans of time whose results were made anew and written over those that were there; and beside them what is none."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from support.faults.mistakes import few
from support.faults.planted import SUM, Came, Plant, Row, World, draw_events, in_order


def rewritten(w: World, low: int, high: int, keys: Collection[str] = "abcd") -> list[Row]:
    """What was read of a span, written over the results of all of its windows."""
    anew = w.make(events=[e for e in w.events if low <= e.time < high and e.key[0] in keys])
    there = {(r["key"], r["window_start"]): r for r in w.make()}
    return list((there | {(r["key"], r["window_start"]): r for r in anew}).values())


def sorted_by_time(n: int, value: str = "int") -> Callable[[int], list[Came]]:
    """Events that come in order."""

    def draw(seed: int) -> list[Came]:
        return [replace(e, seq=i) for i, e in enumerate(in_order(draw_events(seed, value, n=n)))]

    return draw


def of_many_keys(seed: int) -> list[Came]:
    """Events of a dozen keys."""
    return [replace(e, key=f"{e.key}{e.value % 3}") for e in few(n=420)(seed)]


def cut_anywhere(w: World) -> list[Row]:
    """Of some windows what is after some event, or before it, of each another one."""

    def result(held: list[Came]) -> int:
        n = w.draw.randrange(1, len(held)) if len(held) > 3 and w.draw.random() < 0.3 else 0
        return sum(e.value for e in w.draw.choice((held[n:], held[:n] or held)))

    return w.make(result=result)


def restarted(w: World) -> list[Row]:
    """What open windows held when an event came is lost."""
    there = {(r["key"], r["window_start"]): r for r in w.make()}
    rest = w.make(events=[e for e in w.events if e.seq >= 150])
    open_ = {(r["key"], r["window_start"]): r for r in rest}
    return list((there | open_).values())


REWRITTEN: Final = (
    Plant(
        "a span made anew",
        "overwritten",
        "tumbling 40",
        "sum",
        lambda w: rewritten(w, -20, 175),
        events=few(n=320),
    ),
    Plant(
        "a span made anew of events in order",
        "overwritten",
        "tumbling 40",
        "mean",
        lambda w: rewritten(w, 50, 140),
        events=sorted_by_time(320),
    ),
    Plant(
        "a span made anew over windows that overlap",
        "overwritten",
        "sliding 40 every 10",
        "max",
        lambda w: rewritten(w, -25, 125),
        events=few(n=320),
    ),
    Plant(
        "a span made anew of two keys",
        "overwritten",
        "sliding 40 every 10",
        "sum",
        lambda w: rewritten(w, -25, 125, "ab"),
        events=few(n=320),
    ),
    Plant(
        "all from a time on made anew",
        "overwritten",
        "sliding 40 every 10",
        "sum",
        lambda w: rewritten(w, 65, 10**6),
        events=few(n=320),
    ),
    Plant(
        "counts of a span made anew",
        "overwritten",
        "sliding 60 every 10",
        "count",
        lambda w: rewritten(w, 5, 155),
        events=few(n=320),
    ),
    Plant(
        "a span within a window made anew",
        "overwritten",
        "tumbling 60",
        "sum",
        lambda w: rewritten(w, 70, 105),
        events=of_many_keys,
    ),
)

BESIDE_REWRITTEN: Final[dict[str, Plant]] = {
    "of a span of time anew": Plant("windows cut anywhere", "", *SUM, cut_anywhere, events=few(n=320)),
    "of time anew": Plant(
        "a restart of events in order",
        "",
        "sliding 40 every 10",
        "sum",
        restarted,
        events=sorted_by_time(320),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
