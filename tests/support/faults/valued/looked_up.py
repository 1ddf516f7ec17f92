"""Values that are read, or multiplied by a rate, of some events or at the wrong time; keys, versions and times that are
joined or compared as text; windows that are held open; and beside them what is like it, here and there."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, Row, World, by_key

_SECOND: Final = 1_000_000
_CURRENCIES: Final = {"USD": 92, "GBP": 117, "CHF": 105}


def in_currencies(seed: int) -> list[Came]:
    """Values that are an amount times a rate, which moves."""
    dice = Random(seed)
    events: list[Came] = []
    for e in few(n=260)(seed):
        currency, amount = dice.choice([*_CURRENCIES]), dice.choice((1, 2, 5, 10, 25))
        rate = _CURRENCIES[currency] + dice.randint(-9, 9)
        events.append(replace(e, value=amount * rate, others=(currency, amount, rate)))
    return events


def at_rate_of(w: World, find: Callable[[list[Came], int], Came], often: float = 1.0) -> list[Row]:
    """Each amount times the rate of another event of its currency, in the order of time."""
    events: list[Came] = []
    for currency in _CURRENCIES:
        mine = sorted((e for e in w.events if e.others[0] == currency), key=lambda e: (e.time, e.seq))
        for i, e in enumerate(mine):
            rate = find(mine, i).others[2] if w.draw.random() < often else e.others[2]
            events.append(replace(e, value=e.others[1] * rate))
    return w.make(events=events)


def of_two_schemas(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=abs(e.value) * 5, others=(dice.choice((1, 2)),)) for e in few(n=260)(seed)]


def up_to_comma(w: World, is_so: Callable[[Came], bool]) -> list[Row]:
    return w.make(events=[replace(e, value=int(f"{e.value:,}".split(",")[0])) if is_so(e) else e for e in w.events])


def held_open(w: World, size: int, grace: int, often: float = 1.0) -> list[Row]:
    """What comes just after the end of the window that is open goes into it."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        held: dict[int, int] = {}
        there: int | None = None
        for e in mine:
            a = e.time // size * size
            if there == a - size and e.time < a + grace and w.draw.random() < often:
                a -= size
            there = a
            held[a] = held.get(a, 0) + e.value
        made += [w.row(key, a, a + size, total) for a, total in sorted(held.items())]
    return made


def in_quarters(seed: int) -> list[Came]:
    """Times of which some have a fraction of a second."""
    return [replace(e, time=e.time * _SECOND // 4) for e in few(n=260)(seed)]


def last_as_text(held: list[Came]) -> Any:
    """The last by a text that has no fraction where it is zero: a point is before a Z."""
    return max(held, key=lambda e: (e.time // _SECOND, e.time % _SECOND == 0, e.time, e.seq)).value


def in_loads(seed: int) -> list[Came]:
    return [replace(e, others=(1 + e.seq // 20,)) for e in few(n=420)(seed)]


def newest_as_text(w: World, rank: Callable[[int], Any]) -> list[Row]:
    """A sink that keeps what it was given with the greatest number of a load."""

    def result(held: list[Came]) -> int:
        came = sorted(held, key=lambda e: e.seq)
        best: tuple[Any, int] | None = None
        for i, e in enumerate(came):
            if i + 1 == len(came) or came[i + 1].others != e.others:
                version = rank(e.others[0]), sum(it.value for it in came[: i + 1])
                best = version if best is None or version[0] >= best[0] else best
        return 0 if best is None else best[1]

    return w.make(result=result)


def of_two_parts(seed: int) -> list[Came]:
    dice = Random(seed)
    return [
        replace(e, key=json.dumps([dice.choice(("1", "11")), dice.choice(("1", "11", "2"))])) for e in few(n=320)(seed)
    ]


def joined(w: World, size: int, often: float = 1.0) -> list[Row]:
    """Keys whose parts are joined, each window by the name of the event that came first."""
    held: dict[tuple[str, int], tuple[str, int]] = {}
    for e in w.events:
        a = e.time // size * size
        key = "".join(json.loads(e.key)) if w.draw.random() < often else e.key
        name, most = held.get((key, a), (e.key, e.value))
        held[key, a] = name, max(most, e.value)
    return [w.row(name, a, a + size, most) for (_, a), (name, most) in sorted(held.items())]


def of_sources(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=abs(e.value), others=(dice.choice("xyz"),)) for e in few(n=320)(seed)]


def coarse(w: World, of: Callable[[Came], Any], change: Callable[[int], int]) -> list[Row]:
    """Sums of parts, each made coarser before they are added."""

    def result(held: list[Came]) -> int:
        parts = {of(e) for e in held}
        return sum(change(sum(e.value for e in held if of(e) == part)) for part in parts)

    return w.make(result=result)


def one_touched(w: World, gap: int, choose: Callable[[list[list[Came]]], list[Came]]) -> list[Row]:
    """Sessions of which an event joins but one, where it touches two."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        live: list[list[Came]] = []
        for e in mine:
            hit = [s for s in live if min(x.time for x in s) - gap < e.time < max(x.time for x in s) + gap]
            if hit:
                one = choose(hit)
                live = [s for s in live if s is not one]
                live.append([*one, e])
            else:
                live.append([e])
        for s in live:
            a, b = min(x.time for x in s), max(x.time for x in s) + gap
            made.append(w.row(key, a, b, sum(x.value for x in s)))
    return made


def numbered_anew(seed: int) -> list[Came]:
    """Events that each key numbers, and begins again now and then."""
    dice, numbers = Random(seed), dict[str, int]()
    events: list[Came] = []
    for e in few(n=320)(seed):
        before = numbers.get(e.key, 19)
        numbers[e.key] = 1 if before > 45 and dice.random() < 0.1 else before + 1
        events.append(replace(e, others=(numbers[e.key],)))
    return events


def as_if_seen(w: World, often: float = 1.0) -> list[Row]:
    """What has no greater number than there was of its key is left out."""
    greatest: dict[str, int] = {}
    kept: list[Came] = []
    for e in w.events:
        if e.others[0] > greatest.get(e.key, 0) or w.draw.random() >= often:
            kept.append(e)
        greatest[e.key] = max(e.others[0], greatest.get(e.key, 0))
    return w.make(events=kept)


LOOKED_UP: Final = (
    Plant(
        "sums of panes that are rounded",
        "rounded",
        "tumbling 20",
        "sum",
        lambda w: coarse(w, lambda e: e.time // 5, lambda total: round(Fraction(total, 100)) * 100),
        events=of_sources,
    ),
    Plant(
        "sums of sources that are cut",
        "truncated",
        "tumbling 20",
        "sum",
        lambda w: coarse(w, lambda e: e.others, lambda total: total // 100 * 100),
        events=of_sources,
        columns=("source",),
    ),
    Plant(
        "an event joins the session that had none for longest",
        "sessions joined wrongly",
        "session 6",
        "sum",
        lambda w: one_touched(w, 6, lambda hit: min(hit, key=lambda s: max(e.seq for e in s))),
        events=few(n=320),
    ),
    Plant(
        "as if seen by a number that begins again",
        "left out by a load",
        "tumbling 20",
        "sum",
        as_if_seen,
        events=numbered_anew,
        columns=("number",),
    ),
    Plant(
        "the first rate of a currency for all",
        "another column",
        "tumbling 20",
        "sum",
        lambda w: at_rate_of(w, lambda mine, _: mine[0]),
        events=in_currencies,
        columns=("currency", "amount", "rate"),
    ),
    Plant(
        "the rate of the event before",
        "another column",
        "tumbling 20",
        "sum",
        lambda w: at_rate_of(w, lambda mine, i: mine[max(0, i - 1)]),
        events=in_currencies,
        columns=("currency", "amount", "rate"),
    ),
    Plant(
        "up to the comma in one schema",
        "truncated",
        "tumbling 20",
        "sum",
        lambda w: up_to_comma(w, lambda e: e.others[0] == 2),
        events=of_two_schemas,
        columns=("schema",),
    ),
    Plant(
        "a window that is open a while longer",
        "carried over",
        "tumbling 20",
        "sum",
        lambda w: held_open(w, 20, 5),
        events=few(n=320),
    ),
    Plant(
        "the last by times as text without zeros",
        "time as text",
        "tumbling 5s",
        "last",
        lambda w: w.make(result=last_as_text),
        {"unit": _SECOND},
        events=in_quarters,
    ),
    Plant(
        "the version that is greatest as text",
        "versions folded",
        "tumbling 60",
        "sum",
        lambda w: newest_as_text(w, str),
        events=in_loads,
        columns=("load",),
    ),
    Plant(
        "parts of keys joined",
        "keys merged",
        "tumbling 20",
        "max",
        lambda w: joined(w, 20),
        events=of_two_parts,
    ),
)

BESIDE_LOOKED_UP: Final[dict[str, Plant]] = {
    "takes for rate": Plant(
        "the first rate for some",
        "",
        "tumbling 20",
        "sum",
        lambda w: at_rate_of(w, lambda mine, _: mine[0], often=0.5),
        events=in_currencies,
        columns=("currency", "amount", "rate"),
    ),
    "the first group of digits": Plant(
        "up to the comma here and there",
        "",
        "tumbling 20",
        "sum",
        lambda w: up_to_comma(w, lambda e: w.draw.random() < 0.5),
        events=of_two_schemas,
        columns=("schema",),
    ),
    "keeps the window of a key open": Plant(
        "a window that is open a while longer now and then",
        "",
        "tumbling 20",
        "sum",
        lambda w: held_open(w, 20, 5, often=0.5),
        events=few(n=320),
    ),
    "without the fraction of a second": Plant(
        "any of the last second",
        "",
        "tumbling 5s",
        "last",
        lambda w: w.make(result=lambda held: w.draw.choice(held[-3:]).value),
        {"unit": _SECOND},
        events=in_quarters,
    ),
    "adds the sums of its parts": Plant(
        "sums of panes that are off by anything",
        "",
        "tumbling 20",
        "sum",
        lambda w: coarse(w, lambda e: e.time // 5, lambda total: total + w.draw.randint(-50, 50)),
        events=of_sources,
    ),
    "with the one alone that": Plant(
        "an event joins any session that it touches",
        "",
        "session 6",
        "sum",
        lambda w: one_touched(w, 6, w.draw.choice),
        events=few(n=320),
    ),
    "as one that was seen": Plant(
        "as if seen now and then",
        "",
        "tumbling 20",
        "sum",
        lambda w: as_if_seen(w, often=0.5),
        events=numbered_anew,
        columns=("number",),
    ),
    "as text is greatest": Plant(
        "any version",
        "",
        "tumbling 60",
        "sum",
        lambda w: newest_as_text(w, lambda _: w.draw.random()),
        events=in_loads,
        columns=("load",),
    ),
    "joins the parts of a key": Plant(
        "parts of keys joined now and then",
        "",
        "tumbling 20",
        "max",
        lambda w: joined(w, 20, often=0.5),
        events=of_two_parts,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
