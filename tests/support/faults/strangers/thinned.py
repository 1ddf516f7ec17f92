"""What jobs leave out by a limit: events that are too near to others, or too many, and results of too few; what joins
multiply and fill; and states that take equal values for one.  And beside each."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from support.faults.habits import in_arrival
from support.faults.mistakes import MEAN, few
from support.faults.planted import HOUR, SUM, Came, Plant, Row, World, by_key, in_order
from support.faults.strangers.lingering import in_turn, of_few_values

OF_HOURS: Final = {"unit": HOUR}


def sized(w: World, shows: Callable[[list[Came]], bool]) -> list[Row]:
    """The results of windows that are shown."""
    held = {(key, a): mine for key, of in by_key(w.events).items() for a, _, mine in w.windows(in_order(of))}
    return [r for r in w.make() if shows(held[r["key"], r["window_start"]])]


def joined(w: World, often: Callable[[list[Came], list[Came]], int], add: Callable[[list[Came]], int]) -> list[Row]:
    """What is due as many times as a join finds rows: of a window's events and of those of its key."""
    made = list[Row]()
    for key, of in sorted(by_key(w.events).items()):
        for a, b, held in w.windows(in_order(of)):
            made.append(w.row(key, a, b, add(held) * often(held, of)))
    return made


def total(held: list[Came]) -> int:
    return sum(e.value for e in held)


def apart(
    events: Sequence[Came],
    is_near: Callable[[Came, Came], bool],
    order: Callable[[list[Came]], list[Came]] = in_order,
    *,
    trailing: bool = False,
) -> list[Came]:
    """The events of each key that are not near the one that was kept last; or of each burst the last."""
    kept = list[Came]()
    for mine in by_key(events).values():
        last: Came | None = None
        ordered = order(mine)
        if trailing:
            kept += [
                e for e, then in zip(ordered, [*ordered[1:], None], strict=True) if not then or not is_near(then, e)
            ]
            continue
        for e in ordered:
            if last is None or not is_near(e, last):
                kept.append(e)
                last = e
    return kept


def within(span: int) -> Callable[[Came, Came], bool]:
    return lambda e, other: e.time - other.time < span


def band(width: float) -> Callable[[Came, Came], bool]:
    return lambda e, other: abs(e.value - other.value) < width


def spine(w: World, size: int, nothing: Callable[[], Any], *, over_all: bool = False) -> list[Row]:
    """Results of all windows from the first to the last, of a key or of all."""
    made = w.make()
    every = [r["window_start"] for r in made]
    for key in sorted({r["key"] for r in made}):
        there = {r["window_start"] for r in made if r["key"] == key}
        first, last = (min(every), max(every)) if over_all else (min(there), max(there))
        made += [w.row(key, a, a + size, nothing()) for a in range(first, last + size, size) if a not in there]
    return made


def through(
    events: Sequence[Came], unit: int, limit: Callable[[], int], *, each: int = 0, all_keys: bool = False
) -> list[Came]:
    """The first events of each unit of time, and one of so many of those beyond."""
    seen, limits, kept = Counter[Hashable](), dict[Hashable, int](), list[Came]()
    for e in in_arrival(list(events)):
        at = "" if all_keys else e.key, e.time // unit
        seen[at] += 1
        beyond = seen[at] - limits.setdefault(at, limit())
        if beyond <= 0 or (each and beyond % each == 0):
            kept.append(e)
    return kept


def candidates(w: World, greatest: bool, lets_go: Callable[[deque[int], int], bool]) -> list[Row]:
    """A row of candidates, of whose first it is asked once whether it goes."""
    state: dict[str, tuple[deque[int], int]] = {}

    def first(held: list[Came], lo: int, hi: int) -> int:
        row, b = state.get(held[0].key, (deque[int](), 0))
        for i in range(b, hi):
            while row and (held[row[-1]].value <= held[i].value) is greatest:
                row.pop()
            row.append(i)
        if lets_go(row, lo):
            row.popleft()
        state[held[0].key] = row, hi
        return int(held[row[0]].value)

    return in_turn(w, first)


def in_a_set(w: World, forgets: Callable[[list[Any], Any], bool], *, first: bool = True) -> list[Row]:
    """How many different values a window has, of which one that leaves is removed though others are there."""
    state: dict[str, tuple[set[Any], int, int]] = {}

    def count(held: list[Came], lo: int, hi: int) -> int:
        there, a, b = state.get(held[0].key, (set[Any](), 0, 0))
        come, go = ({e.value for e in some} for some in (held[b:hi], held[a:lo]))
        gone = {v for v in go if forgets([e.value for e in held[lo:hi]], v)}
        there = (there - gone) | come if first else (there | come) - gone
        state[held[0].key] = there, lo, hi
        return len(there)

    return in_turn(w, count)


def shifted(w: World, low: int, high: int) -> list[Row]:
    """Frames of other rows."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held = in_order(mine)
        for i, e in enumerate(held):
            some = held[max(0, i + low) : max(0, i + high + 1)]
            made.append(w.row(key, e.time, e.seq, sum(x.value for x in some)))
    return made


def carried(w: World, unit: int) -> list[Row]:
    """Means over a grid, of whose empty steps each has the value of the one before."""
    made = list[Came]()
    for mine in by_key(w.events).values():
        steps = {e.time // unit: e for e in in_order(mine)}
        last = mine[0]
        for at in range(min(steps), max(steps) + 1):
            last = steps.get(at, last)
            made.append(replace(last, time=at * unit))
    return w.make(events=made)


def crowded(seed: int) -> list[Came]:
    """Events of three keys that come in bursts, few of them late."""
    dice, now, made = Random(seed), 0, list[Came]()
    for seq in range(400):
        now += dice.choice((0, 0, 0, 1)) if now % 40 < 15 else dice.choice((1, 2, 5))
        made.append(Came(seq, dice.choice("aabc"), now - dice.choice((0, 0, 0, 0, 2)), dice.randint(1, 99), 0))
    return made


def wandering(seed: int) -> list[Came]:
    """Measured values, each near the one before of its key."""
    dice, now, made = Random(seed), 0, list[Came]()
    at: dict[str, float] = defaultdict(lambda: 20.0)
    for seq in range(300):
        now += dice.choice((0, 1, 1))
        key = dice.choice("ab")
        at[key] = round(at[key] + dice.gauss(0, 0.5), 1)
        made.append(Came(seq, key, now, at[key], 0))
    return made


THINNED: Final = (
    Plant("results of fewer than three events hidden", "result lost", *SUM, lambda w: sized(w, lambda h: len(h) > 2)),
    Plant("results of more than three events hidden", "result lost", *MEAN, lambda w: sized(w, lambda h: len(h) < 4)),
    Plant(
        "results of one source hidden",
        "result lost",
        *SUM,
        lambda w: sized(w, lambda h: len({e.others[0] for e in h}) > 1),
        events=few(n=200),
        columns=("source",),
    ),
    Plant("a window joined with itself", "result multiplied", *SUM, lambda w: joined(w, lambda h, _: len(h), total)),
    Plant(
        "counts of a window joined with itself",
        "result multiplied",
        "sliding 20 every 10",
        "count",
        lambda w: joined(w, lambda h, _: len(h), len),
    ),
    Plant(
        "a key joined with itself",
        "result multiplied",
        "session 6",
        "sum",
        lambda w: joined(w, lambda _, of: len(of), total),
    ),
    Plant(
        "events too soon after one that counts",
        "too near left out",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=apart(w.events, within(4))),
        events=crowded,
    ),
    Plant(
        "events too soon before the next",
        "too near left out",
        *MEAN,
        lambda w: w.make(events=apart(w.events, within(2), trailing=True)),
        events=crowded,
    ),
    Plant(
        "events too soon as they come",
        "too near left out",
        *SUM,
        lambda w: w.make(events=apart(w.events, within(3), in_arrival)),
        events=crowded,
    ),
    Plant(
        "values within a band",
        "too near left out",
        "tumbling 20",
        "mean",
        lambda w: w.make(events=apart(w.events, band(0.5))),
        value="price",
        events=wandering,
    ),
    Plant(
        "values within a band of their window",
        "too near left out",
        "tumbling 30",
        "sum",
        lambda w: w.make(order=lambda held: in_order(apart(held, band(25)))),
        events=crowded,
    ),
    Plant(
        "windows without events that say one",
        "empty windows filled",
        "tumbling 10",
        "count",
        lambda w: spine(w, 10, lambda: 1),
    ),
    Plant(
        "windows without events of any key that say one",
        "empty windows filled",
        "tumbling 5",
        "count",
        lambda w: spine(w, 5, lambda: 1, over_all=True),
        events=few(n=120),
    ),
    Plant(
        "days without events that say minus one",
        "empty windows filled",
        "tumbling 1 day in UTC",
        "sum",
        lambda w: spine(w, 24 * HOUR, lambda: -1),
        OF_HOURS,
        events=few(n=60, unit=24 * HOUR),
    ),
    Plant(
        "a row of candidates that is too long",
        "stale extreme",
        "rows -3 0",
        "max",
        lambda w: candidates(w, True, lambda row, _: len(row) > 4),
    ),
    Plant(
        "a row of candidates of which one goes",
        "stale extreme",
        "range -9 0",
        "min",
        lambda w: candidates(w, False, lambda row, lo: row[0] < lo),
    ),
    Plant(
        "different values in a set",
        "taken for each other",
        "rows -9 0",
        "distinct-count",
        lambda w: in_a_set(w, lambda *_: True),
        events=of_few_values,
    ),
    Plant(
        "different values in a set, which are removed last",
        "taken for each other",
        "sliding 30 every 10",
        "distinct-count",
        lambda w: in_a_set(w, lambda *_: True, first=False),
        events=of_few_values,
    ),
    Plant(
        "the first three events of each ten",
        "only the first page",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=through(w.events, 10, lambda: 3)),
        events=crowded,
    ),
    Plant(
        "the first events of all keys",
        "only the first page",
        "tumbling 10",
        "count",
        lambda w: w.make(events=through(w.events, 20, lambda: 12, all_keys=True)),
        events=crowded,
    ),
    Plant(
        "one of two beyond the first four",
        "sampled",
        "tumbling 10",
        "sum",
        lambda w: w.make(events=through(w.events, 10, lambda: 4, each=2)),
        events=crowded,
    ),
    Plant("frames that trail", "another range", "rows -2 2", "sum", lambda w: shifted(w, -4, 0), events=few(n=50)),
    Plant("frames that lead", "another range", "rows -3 1", "sum", lambda w: shifted(w, 0, 4), events=few(n=50)),
    Plant(
        "values carried forward on a fine grid",
        "resampled",
        "tumbling 24h",
        "mean",
        lambda w: carried(w, HOUR // 4),
        OF_HOURS,
        value="price",
        events=few("price", unit=HOUR),
    ),
)

NEAR_THINNED: Final[dict[str, Plant]] = {
    "too near left out": Plant(
        "events too soon, now and then",
        "",
        "tumbling 20",
        "sum",
        lambda w: w.make(events=apart(w.events, lambda e, o: within(4)(e, o) and w.draw.random() < 0.5)),
        events=crowded,
    ),
    "taken for each other": Plant(
        "different values of which one is forgotten now and then",
        "",
        "rows -9 0",
        "distinct-count",
        lambda w: in_a_set(w, lambda held, v: v not in held or w.draw.random() < 0.5),
        events=of_few_values,
    ),
}
"""For each cause a fault beside it."""

BESIDE_THINNED: Final[dict[str, Plant]] = {
    "has no result where there are": Plant(
        "results of few events hidden now and then",
        "",
        *SUM,
        lambda w: sized(w, lambda h: len(h) > 2 or w.draw.random() < 0.5),
    ),
    "as after a join of each with each": Plant(
        "windows that are multiplied by any number",
        "",
        *SUM,
        lambda w: joined(w, lambda h, _: w.draw.randint(1, 2 * len(h)), total),
    ),
    "as COUNT(*) over an outer join": Plant(
        "windows without events that say any number",
        "",
        "tumbling 10",
        "count",
        lambda w: spine(w, 10, lambda: w.draw.choice((1, 1, 2, 3))),
    ),
    "to come, and one of": Plant(
        "limits that are drawn",
        "",
        "tumbling 10",
        "sum",
        lambda w: w.make(events=through(w.events, 10, lambda: w.draw.randint(2, 6), each=2)),
        events=crowded,
    ),
    "more of them than a window has rows": Plant(
        "a row of candidates that is of any length",
        "",
        "rows -3 0",
        "max",
        lambda w: candidates(w, True, lambda row, _: len(row) > w.draw.randint(2, 6)),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
