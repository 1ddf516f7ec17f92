"""What jobs take for less than it is: texts folded, one event of many, the first page alone; and beside each."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from support.faults.mistakes import few
from support.faults.planted import (
    HOUR,
    LATE,
    RESULTS,
    SUM,
    Came,
    Plant,
    Row,
    World,
    by_key,
    draw_events,
    fixed,
    in_order,
    rows,
)
from support.faults.strangers.misread import named_days
from support.faults.strangers.swallowed import beside

MINUTE: Final = HOUR // 60
TOKYO: Final = ZoneInfo("Asia/Tokyo")
OF_TEXT: Final = {"kind": "text"}
USER: Final = ("user",)


def typed(seed: int, n: int = 260) -> list[Came]:
    """Terms as people type them."""
    dice = Random(seed)
    terms = ("Shoes", "shoes", "SHOES", "boots ", "boots", "Red hat", "red hat", "sock", " Belt", "belt", "scarf")
    return [replace(e, value=dice.choice(terms)) for e in draw_events(seed, "int", n=n)]


def written(w: World, form: Callable[[str], str]) -> list[Row]:
    return w.make(events=[replace(e, value=form(e.value)) for e in w.events])


def of_users(n: int = 260, unit: int = 1, value: str = "int") -> Callable[[int], list[Came]]:
    """Events of nine users."""
    return beside(lambda _, dice: f"u{dice.randint(1, 9)}", lambda seed: draw_events(seed, value, n=n, unit=unit))


def one_of_each(
    held: list[Came], place: Callable[[Came], Any], *, keeps: Callable[[], bool] = lambda: True
) -> list[Came]:
    """Of each user the event that is last in some order; and any other one that is kept, too."""
    last = {e.others: e for e in sorted(held, key=place)}
    return in_order([e for e in held if last[e.others] is e or not keeps()])


def at_times(n: int = 500, lags: Sequence[int] = (0,)) -> Callable[[int], list[Came]]:
    """Events of four keys at any ten minutes, more of them on some days."""

    def draw(seed: int) -> list[Came]:
        dice, made, now = Random(seed), list[Came](), 0
        for seq in range(n):
            now += dice.randint(1, 4) * 10 * MINUTE * (1 if now // (20 * HOUR) % 2 else 4)
            late = dice.choice(lags) * HOUR
            made.append(Came(seq, dice.choice("abcd"), now - late, dice.randint(1, 5000), now))
        return made

    return draw


def read_pages(
    events: Sequence[Came],
    span: int,
    size: Callable[[], int],
    *,
    order: Callable[[Came], Any] = lambda e: (e.time, e.seq),
    last: bool = False,
    of_key: bool = False,
) -> list[Came]:
    """The first events of each span, or the last."""
    seen, kept = Counter[Any](), list[Came]()
    for e in sorted(events, key=order, reverse=last):
        page = e.time // span, e.key if of_key else ""
        seen[page] += 1
        if seen[page] <= size():
            kept.append(e)
    return kept


def by_day(w: World, ahead: Callable[[], int] = lambda: 0, size: int | None = None) -> list[Row]:
    """Frames of each day by itself, of clocks that are ahead by so many hours."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        for _, held in groupby(in_order(mine), key=lambda e: (e.time + ahead() * HOUR) // (24 * HOUR)):
            made += [
                w.row(key, a, b, RESULTS[w.aggregate]([e.value for e in some]))
                for a, b, some in rows(list(held), size, 0)
            ]
    return made


def over_panes(
    w: World, way: Callable[[int | None, int | None, int, int], int], *, size: int = 20, slide: int = 5
) -> list[Row]:
    """A total over panes, to which a pane that comes, or goes, or is empty, and those before, are added."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        panes = {a: sum(e.value for e in held) for a, _, held in fixed(in_order(mine), slide, slide)}
        total = came = went = 0
        for a in range(min(panes) - size + slide, max(panes) + slide, slide):
            comes, goes = panes.get(a + size - slide), panes.get(a - slide)
            total += way(comes, goes, came, went)
            came, went = came if comes is None else comes, went if goes is None else goes
            if any(at in panes for at in range(a, a + size, slide)):
                made.append(w.row(key, a, a + size, total))
    return made


def go_again(comes: int | None, goes: int | None, _came: int, went: int) -> int:
    return (comes or 0) - (went if goes is None else goes)


def handed(w: World, key: str, other: str, when: Callable[[Came], bool]) -> list[Row]:
    """Some events of a key are counted for another."""
    return w.make(events=[replace(e, key=other) if e.key == key and when(e) else e for e in w.events])


HALVED: Final = (
    Plant(
        "a key's events given to another from an arrival on",
        "keys merged",
        *SUM,
        lambda w: handed(w, "b", "c", lambda e: e.seq >= 140),
        LATE,
        events=few(n=260),
    ),
    Plant(
        "a key's events given to another before a time",
        "keys merged",
        "sliding 20 every 10",
        "count",
        lambda w: handed(w, "a", "d", lambda e: e.time < 60),
        events=few(n=260),
    ),
    Plant(
        "a key's events given to one that has none from a time on",
        "keys merged",
        "tumbling 20",
        "max",
        lambda w: handed(w, "c", "z", lambda e: e.time >= 70),
        events=few(n=260),
    ),
    Plant(
        "a pane subtracted twice",
        "panes taken off wrongly",
        "sliding 20 every 5",
        "sum",
        lambda w: over_panes(w, go_again),
        events=few(n=300),
    ),
    Plant(
        "a pane not subtracted",
        "panes taken off wrongly",
        "sliding 12 every 4",
        "sum",
        lambda w: over_panes(
            w, lambda comes, goes, _, __: 0 if comes is None else comes - (goes or 0), size=12, slide=4
        ),
        events=few(n=200),
    ),
    Plant(
        "a pane added twice",
        "panes taken off wrongly",
        "sliding 10 every 2",
        "sum",
        lambda w: over_panes(
            w, lambda comes, goes, came, _: (came if comes is None else comes) - (goes or 0), size=10, slide=2
        ),
        events=few(n=300),
    ),
    Plant(
        "a pane counted out twice",
        "panes taken off wrongly",
        "sliding 12 every 4",
        "count",
        lambda w: over_panes(replace(w, events=[replace(e, value=1) for e in w.events]), go_again, size=12, slide=4),
        events=few(n=200),
    ),
    Plant(
        "a running total of each day",
        "windows begun anew",
        "rows unbounded 0",
        "sum",
        by_day,
        {"unit": HOUR},
        events=few(unit=HOUR, n=300),
    ),
    Plant(
        "a running total of each day of a zone",
        "windows begun anew",
        "rows unbounded 0",
        "count",
        lambda w: by_day(w, lambda: 9),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
    Plant(
        "rows of each day by itself",
        "windows begun anew",
        "rows -4 0",
        "mean",
        lambda w: by_day(w, size=-4),
        {"unit": HOUR, "kind": "float"},
        events=few(unit=HOUR, n=300),
    ),
    Plant(
        "terms counted in small letters",
        "values folded",
        "tumbling 20",
        "distinct-count",
        lambda w: written(w, lambda term: term.strip().lower()),
        value="text",
        events=typed,
    ),
    Plant(
        "the greatest term in capitals",
        "values folded",
        "sliding 20 every 10",
        "max",
        lambda w: written(w, str.upper),
        LATE | OF_TEXT,
        value="text",
        events=typed,
    ),
    Plant(
        "terms joined without the spaces around them",
        "values folded",
        "tumbling 10",
        "concatenation",
        lambda w: written(w, str.strip),
        OF_TEXT,
        value="text",
        events=typed,
    ),
    Plant(
        "the last event of each user in a window",
        "one event of each",
        "tumbling 30",
        "sum",
        lambda w: w.make(order=lambda held: one_of_each(held, lambda e: (e.time, e.seq))),
        events=of_users(),
        columns=USER,
    ),
    Plant(
        "the first event of each user in a window that slides",
        "one event of each",
        "sliding 30 every 10",
        "mean",
        lambda w: w.make(order=lambda held: one_of_each(held, lambda e: (-e.time, -e.seq))),
        LATE,
        events=of_users(),
        columns=USER,
    ),
    Plant(
        "the greatest value of each user",
        "one event of each",
        "session 6",
        "sum",
        lambda w: w.make(order=lambda held: one_of_each(held, lambda e: (e.value, -e.time, -e.seq))),
        events=of_users(),
        columns=USER,
    ),
    Plant(
        "the first page of each day",
        "only the first page",
        "tumbling 2h",
        "count",
        lambda w: w.make(events=read_pages(w.events, 24 * HOUR, lambda: 20)),
        {"unit": HOUR},
        events=at_times(),
    ),
    Plant(
        "the last events of each twelve hours of a key",
        "only the first page",
        "tumbling 3h",
        "sum",
        lambda w: w.make(events=read_pages(w.events, 12 * HOUR, lambda: 4, last=True, of_key=True)),
        {"unit": HOUR},
        events=at_times(),
    ),
    Plant(
        "the first of each six hours that came",
        "only the first page",
        "tumbling 2h",
        "mean",
        lambda w: w.make(events=read_pages(w.events, 6 * HOUR, lambda: 8, order=lambda e: e.seq)),
        {"unit": HOUR, "kind": "float"},
        events=at_times(lags=(0, 0, 0, 1, 3)),
    ),
    Plant(
        "a source lost, and a key that stands twice in a table",
        "filtered by another column + result multiplied",
        *SUM,
        lambda w: w.make(
            events=[e for e in w.events for _ in range(1 + (e.key == "b")) if e.others[0] != "till"],
        ),
        events=few(n=260),
        columns=("source",),
    ),
    Plant(
        "days of UTC, of few keys, without what was sent back",
        "time zone + filtered by another column",
        "tumbling 1 day in Asia/Tokyo",
        "sum",
        lambda w: w.make(events=[e for e in w.events if e.others[0] != "web"], windows=lambda e: named_days(e, TOKYO)),
        {"unit": HOUR},
        events=few(unit=HOUR, n=260),
        columns=("source",),
    ),
)

NEAR_HALVED: Final = {
    "panes taken off wrongly": Plant(
        "a pane subtracted again now and then",
        "",
        "sliding 20 every 5",
        "sum",
        lambda w: over_panes(
            w, lambda comes, goes, came, went: go_again(comes, goes, came, went if w.draw.random() < 0.4 else 0)
        ),
        events=few(n=300),
    ),
    "values folded": Plant(
        "terms in small letters now and then",
        "",
        "tumbling 20",
        "concatenation",
        lambda w: written(w, lambda term: term.lower() if w.draw.random() < 0.5 else term),
        OF_TEXT,
        value="text",
        events=typed,
    ),
    "one event of each": Plant(
        "one event of each user now and then",
        "",
        "tumbling 30",
        "sum",
        lambda w: w.make(
            order=lambda held: one_of_each(held, lambda e: (e.time, e.seq), keeps=lambda: w.draw.random() < 0.6)
        ),
        events=of_users(),
        columns=USER,
    ),
    "only the first page": Plant(
        "pages of any size",
        "",
        "tumbling 2h",
        "sum",
        lambda w: w.make(events=read_pages(w.events, 24 * HOUR, lambda: w.draw.randint(12, 36))),
        {"unit": HOUR},
        events=at_times(),
    ),
}
"""For each cause a fault beside it."""

BESIDE_HALVED: Final[dict[str, Plant]] = {
    "counts the events of key b from": Plant(
        "a key's events given to another now and then",
        "",
        *SUM,
        lambda w: handed(w, "b", "c", lambda e: e.seq >= 140 and w.draw.random() < 0.5),
        events=few(n=260),
    ),
    "its running sum begins again with each day": Plant(
        "running totals of any days",
        "",
        "rows unbounded 0",
        "sum",
        lambda w: by_day(w, lambda: w.draw.choice((0, 0, 0, 24))),
        {"unit": HOUR},
        events=few(unit=HOUR, n=160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
