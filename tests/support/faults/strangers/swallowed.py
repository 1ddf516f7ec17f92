"""What jobs swallow, and what they count again, without a word of it; and beside each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from random import Random
from typing import Any, Final

from support.faults.habits import in_arrival
from support.faults.mistakes import MEAN, few
from support.faults.planted import DELAY, HOUR, LATE, SUM, Came, Plant, Row, World, by_key, in_order

BATCH: Final = ("batch",)
PRODUCT: Final = ("product",)
DAYS: Final = ("tumbling 24h", "count")


def beside(of: Callable[[Came, Random], Any], draw: Callable[[int], list[Came]]) -> Callable[[int], list[Came]]:
    """Events with one more column."""

    def made(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, others=(of(e, dice),)) for e in draw(seed)]

    return made


def on_days(seed: int) -> list[Came]:
    """Events that came at any half of an hour, some of them late, and when that was."""
    dice, made, came = Random(seed), list[Came](), 0
    for seq in range(400):
        came += dice.choice((0, 1, 2)) * HOUR // 2
        at = came - dice.choice((0, 0, 0, 0, 0, 1, 20)) * HOUR
        said = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=came)).isoformat()
        made.append(Came(seq, dice.choice("abc"), at, dice.randint(1, 9999), came - DELAY, (said,)))
    return made


def crowded(seed: int) -> list[Came]:
    """Events of few values and sources, several in an hour."""
    dice = Random(seed)
    return [
        Came(
            seq, dice.choice("ab"), seq * HOUR // 5 - dice.choice((0, 0, 1)) * HOUR, dice.randint(1, 30),
            0, (dice.choice(("web", "shop", "till", "app", "desk", "fax")),),
        )
        for seq in range(500)
    ]  # fmt: skip


def load(events: Sequence[Came], of: Callable[[Came], Any], lag: Callable[[], int] = lambda: 0) -> list[Came]:
    """Loads of what is later than the latest time that was loaded before."""
    kept, cursor = list[Came](), -(10**18)
    for _, batch in groupby(in_arrival(list(events)), key=of):
        there = list(batch)
        kept += [e for e in there if e.time > cursor - lag()]
        cursor = max([cursor, *(e.time for e in there)])
    return kept


def swallow(w: World, which: Callable[[int], int], *, empty: bool = True) -> list[Row]:
    """A window that begins without the event that it is begun for."""

    def rest(held: list[Came]) -> list[Came]:
        came = in_arrival(held)
        at = which(len(came))
        return in_order([*came[:at], *came[at + 1 :]])

    return w.make(result=lambda held: sum(e.value for e in rest(held))) if empty else w.make(order=rest)


def take_once(
    events: Sequence[Came], of: Callable[[Came], Any], *, last: bool = False, drops: Callable[[], bool] = lambda: True
) -> list[Came]:
    """One event of those of a key that are alike."""
    kept = dict[Any, Came]()
    for e in sorted(events, key=lambda e: e.seq, reverse=last):
        at = (e.key, of(e)) if drops() else e.seq
        kept.setdefault(at, e)
    return list(kept.values())


def by_time(e: Came) -> tuple[int, ...]:
    return e.time, e.seq


def by_seq(e: Came) -> tuple[int, ...]:
    return (e.seq,)


def of_products(seed: int) -> list[Came]:
    """Events of sixty products, one of which has no name."""
    dice = Random(seed)
    names = [None, *(f"P{n:02}" for n in range(1, 60))]
    return [replace(e, others=(dice.choice(names),)) for e in few(n=300)(seed)]


def joined(w: World, often: Callable[[str | None], int]) -> list[Row]:
    """A join with a table of products."""
    return w.make(events=[e for e in w.events for _ in range(often(e.others[0]))])


def in_one_slot(w: World, size: int = 10, closes: Callable[[], bool] = lambda: True) -> list[Row]:
    """One window of a key, until an event of a later one comes."""
    kept, slots = list[Came](), dict[str, int]()
    for e in in_arrival(w.events):
        begin = e.time // size * size
        if w.takes(e, begin + size) and slots.get(e.key, begin) <= begin:
            kept.append(e)
            if closes():
                slots[e.key] = begin
    return w.make(events=kept)


def averaged(
    w: World, kept: Callable[[Came], Any], *, total: bool = False, keeps: Callable[[], bool] = lambda: True
) -> list[Row]:
    """Means of a total and a count, of which one goes on with the next window of its key."""
    state, made = dict[str, tuple[int, int]](), list[Row]()
    there = [(key, *it) for key, mine in by_key(in_order(w.events)).items() for it in w.windows(mine)]
    for key, a, b, held in sorted(there, key=lambda it: min(kept(e) for e in it[3])):
        before = state.get(key, (0, 0)) if keeps() else (0, 0)
        own = sum(e.value for e in held), len(held)
        state[key] = own[0] + before[0], own[1] + before[1]
        made.append(w.row(key, a, b, state[key][0] / own[1] if total else own[0] / state[key][1]))
    return made


def above(e: Came) -> bool:
    return bool(e.value > 800)


def twice(w: World, fits: Callable[[Came], bool]) -> list[Row]:
    return w.make(events=[e for e in w.events for _ in range(1 + fits(e))])


SWALLOWED: Final = (
    Plant(
        "the event that begins a window swallowed",
        "first event lost",
        *SUM,
        lambda w: swallow(w, lambda _: 0),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "windows of one event that swallow it",
        "first event lost",
        "sliding 20 every 10",
        "max",
        lambda w: w.make(order=lambda held: in_order(in_arrival(held)[1:])),
        events=few(n=160),
    ),
    Plant(
        "loads that a column numbers",
        "left out by a load",
        *SUM,
        lambda w: w.make(events=load(w.events, lambda e: e.others)),
        events=beside(lambda e, _: e.seq // 17 + e.seq // 40, few("large", n=260)),
        columns=BATCH,
    ),
    Plant(
        "loads of what came in a day",
        "left out by a load",
        "tumbling 7h",
        "sum",
        lambda w: w.make(events=load(w.events, lambda e: e.others[0][:10])),
        {"unit": HOUR},
        events=on_days,
        columns=("came_at",),
    ),
    Plant(
        "one event of each source and hour",
        "duplicates left out",
        "tumbling 7h",
        "sum",
        lambda w: w.make(events=take_once(w.events, lambda e: (e.others, e.time // HOUR))),
        {"unit": HOUR},
        events=crowded,
        columns=("source",),
    ),
    Plant(
        "one event of each source, value and day, the last",
        "duplicates left out",
        *DAYS,
        lambda w: w.make(
            events=take_once(w.events, lambda e: (e.others, e.value, e.time // (24 * HOUR)), last=True),
        ),
        {"unit": HOUR},
        events=crowded,
        columns=("source",),
    ),
    Plant("one window of a key", "closed early", *SUM, lambda w: in_one_slot(w), LATE, events=few(n=260)),
    Plant(
        "one longer window of a key",
        "closed early",
        "tumbling 20",
        "count",
        lambda w: in_one_slot(w, 20),
        LATE,
        events=few(n=400),
    ),
    Plant("a count that goes on", "state kept", *MEAN, lambda w: averaged(w, by_time), events=few(n=160)),
    Plant(
        "a total that is not cleared", "state kept", *MEAN, lambda w: averaged(w, by_seq, total=True), events=few(n=160)
    ),
    Plant(
        "products that stand twice in a table",
        "doubled by another column",
        *SUM,
        lambda w: joined(w, lambda product: 1 + (product in ("P07", "P13", "P51"))),
        events=of_products,
        columns=PRODUCT,
    ),
    Plant(
        "products that a table lacks",
        "filtered by another column",
        *SUM,
        lambda w: joined(w, lambda product: int(product not in ("P02", "P13", "P20", None))),
        events=of_products,
        columns=PRODUCT,
    ),
    Plant("large values delivered again", "some values twice", *SUM, lambda w: twice(w, above), events=few(n=160)),
    Plant(
        "small values delivered again",
        "some values twice",
        "tumbling 20",
        "count",
        lambda w: twice(w, lambda e: e.value < -250),
        LATE,
        events=few(n=260),
    ),
)

NEAR_SWALLOWED: Final = {
    "some values twice": Plant(
        "large values delivered again now and then",
        "",
        *SUM,
        lambda w: twice(w, lambda e: above(e) and w.draw.random() < 0.6),
        events=few(n=160),
    ),
}
"""For each cause a fault beside it."""

BESIDE_SWALLOWED: Final[dict[str, Plant]] = {
    "event of each window that came first": Plant(
        "any event of a window swallowed",
        "",
        *SUM,
        lambda w: swallow(w, lambda n: w.draw.randrange(n)),
        events=few(n=160),
    ),
    "takes of each batch those with times greater": Plant(
        "loads that look back for any time",
        "",
        *SUM,
        lambda w: w.make(events=load(w.events, lambda e: e.others, lag=lambda: w.draw.randint(0, 20))),
        events=beside(lambda e, _: e.seq // 17 + e.seq // 40, few("large", n=260)),
        columns=BATCH,
    ),
    "counts one event of each source and hour of a key": Plant(
        "one event of each source and hour now and then",
        "",
        "tumbling 7h",
        "sum",
        lambda w: w.make(
            events=take_once(w.events, lambda e: (e.others, e.time // HOUR), drops=lambda: w.draw.random() < 0.6)
        ),
        {"unit": HOUR},
        events=crowded,
        columns=("source",),
    ),
    "has one window of a key": Plant(
        "one window of a key now and then",
        "",
        *SUM,
        lambda w: in_one_slot(w, closes=lambda: w.draw.random() < 0.2),
        LATE,
        events=few(n=400),
    ),
    "clears the total of a mean": Plant(
        "a count that goes on now and then",
        "",
        *MEAN,
        lambda w: averaged(w, by_time, keeps=lambda: w.draw.random() < 0.5),
        events=few(n=160),
    ),
    "whose product is": Plant(
        "any events that stand twice",
        "",
        *SUM,
        lambda w: joined(w, lambda _: w.draw.choice((1, 1, 1, 2))),
        events=of_products,
        columns=PRODUCT,
    ),
}
"""For each way, by what is said of it, a fault that is none."""
