"""What jobs get wrong that read dates and clocks by another form, compare with what they should not, or keep a row of
candidates by their values; and beside each."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import pairwise
from math import expm1, log1p
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from support.faults.habits import SECOND
from support.faults.mistakes import AS_DOUBLES, MEAN, few
from support.faults.planted import (
    HOUR,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    days,
    draw_events,
    in_order,
    sessions,
    weeks,
)
from support.faults.strangers.lingering import in_turn, of_few_values

PARIS: Final = ZoneInfo("Europe/Paris")
OF_HOURS: Final = {"unit": HOUR}


def at_noon(e: Came) -> Came:
    """An event at the hour that a clock of twelve shows."""
    at = datetime.fromtimestamp(e.time // SECOND, UTC)
    return replace(e, time=int(at.replace(hour=at.hour % 12).timestamp()) * SECOND)


def swap_month(e: Came) -> Came:
    """An event of another day, where there is such a month."""
    at = datetime.fromtimestamp(e.time // SECOND, UTC)
    if at.day > 12:
        return e
    return replace(e, time=int(at.replace(day=at.month, month=at.day).timestamp()) * SECOND)


def over_a_year(seed: int, n: int = 300) -> list[Came]:
    """Events of a year, and of summer and winter."""
    return [replace(e, time=e.time + 200 * 24 * HOUR) for e in draw_events(seed, "int", n=n, unit=24 * HOUR)]


def in_spring(seed: int) -> list[Came]:
    """Events of some weeks, in which clocks are put forward."""
    dice, first = Random(seed), int(datetime(2026, 3, 8, tzinfo=UTC).timestamp()) * SECOND
    drawn = draw_events(seed, "int", n=500, unit=4 * HOUR)
    return [replace(e, time=first + e.time + dice.randrange(4) * HOUR) for e in drawn]


def shift_weeks(events: Sequence[Came], early: Callable[[date], int]) -> Windows:
    """The weeks of days that are so many later on the calendar."""
    held: dict[int, list[Came]] = defaultdict(list)
    names: dict[int, int] = {}
    for e in events:
        day = datetime.fromtimestamp(e.time // SECOND, PARIS).date()
        later = datetime.combine(day + timedelta(early(day)), time(12), tzinfo=PARIS)
        ((a, b, _),) = weeks([replace(e, time=int(later.timestamp()) * SECOND)], PARIS)
        held[a].append(e)
        names[a] = b
    for a, mine in sorted(held.items()):
        yield a, names[a], mine


def named_days(events: Sequence[Came], zone: ZoneInfo) -> Windows:
    """Days of UTC, by the names of those of a zone."""
    for a, _, held in days(events, ZoneInfo("UTC")):
        day = datetime.fromtimestamp(a // SECOND, UTC).date()
        begin, end = (datetime.combine(d, time(), tzinfo=zone) for d in (day, day + timedelta(days=1)))
        yield int(begin.timestamp()) * SECOND, int(end.timestamp()) * SECOND, held


def name_early(events: Sequence[Came], zone: ZoneInfo) -> Windows:
    """Days of a zone east of UTC, by the date in UTC of their begin: that of the day before."""
    for a, _, held in days(events, zone):
        day = datetime.fromtimestamp(a // SECOND, UTC).date()
        begin, end = (datetime.combine(d, time(), tzinfo=zone) for d in (day, day + timedelta(days=1)))
        yield int(begin.timestamp()) * SECOND, int(end.timestamp()) * SECOND, held


def beat_last(held: list[Came], first: Callable[[Came], Any], pick: Callable[[list[Came]], Came]) -> Came:
    """One of those that are greater than the one that came before."""
    came = sorted(held, key=lambda e: e.seq)
    return pick([came[0], *(e for before, e in pairwise(came) if first(e) > first(before))])


def by_row(w: World, least: int) -> list[Row]:
    """A row of candidates, equal ones once, of which the first goes by its value."""
    state: dict[str, tuple[list[int], int, int]] = {}

    def top(held: list[Came], lo: int, hi: int) -> int:
        row, a, b = state.get(held[0].key, ([], 0, 0))
        for e in held[b:hi]:
            while row and row[-1] <= e.value:
                row.pop()
            row.append(e.value)
        for e in held[a:lo]:
            if len(row) > least and row[0] == e.value:
                del row[0]
        state[held[0].key] = row, lo, hi
        return row[0]

    return in_turn(w, top)


MISREAD: Final = (
    Plant(
        "months for days, where there are such",
        "times read wrongly",
        "tumbling 1 month in UTC",
        "sum",
        lambda w: w.make(events=map(swap_month, w.events)),
        OF_HOURS,
        events=over_a_year,
    ),
    Plant(
        "months for days, the others lost",
        "times read wrongly",
        "tumbling 1 month in UTC",
        "sum",
        lambda w: w.make(
            events=[swap_month(e) for e in w.events if datetime.fromtimestamp(e.time // SECOND, UTC).day <= 12]
        ),
        OF_HOURS,
        events=over_a_year,
    ),
    *(
        Plant(
            f"weeks {early} days early in spring",
            "windows moved",
            "tumbling 1 week in Europe/Paris",
            "sum",
            lambda w, early=early: w.make(windows=lambda e: shift_weeks(e, lambda _: early)),
            OF_HOURS,
            events=in_spring,
        )
        for early in (1, 2)
    ),
    Plant(
        "the last bid that beat the one before",
        "another aggregate",
        "tumbling 30",
        "arg-max",
        lambda w: w.make(result=lambda h: beat_last(h, lambda e: e.value[0], lambda of: of[-1]).value[1]),
        {"kind": "text"},
        "pair",
        events=few("pair", n=260),
    ),
    Plant(
        "days of Paris by the dates of their begins in UTC",
        "names moved",
        "tumbling 1 day in Europe/Paris",
        "sum",
        lambda w: w.make(windows=lambda e: name_early(e, PARIS)),
        OF_HOURS,
        events=in_spring,
    ),
    Plant(
        "the highest bidder's bid for the bidder",
        "another column",
        "tumbling 30",
        "arg-max",
        lambda w: w.make(result=lambda h: max(h, key=lambda e: e.value[1]).value[0]),
        {},
        "pair",
        events=few("pair", n=160),
    ),
    Plant(
        "the last value that beat the one before",
        "another aggregate",
        "sliding 30 every 10",
        "max",
        lambda w: w.make(result=lambda h: beat_last(h, lambda e: e.value, lambda of: of[-1]).value),
        events=few(n=260),
    ),
    Plant(
        "a mean of what logarithms of one more are",
        "another aggregate",
        *MEAN,
        lambda w: w.make(result=lambda h: expm1(sum(log1p(e.value) for e in h) / len(h))),
        AS_DOUBLES,
        "price",
        events=few("price", n=160),
    ),
    Plant(
        "a row that gives up equal values",
        "stale extreme",
        "rows -5 0",
        "max",
        partial(by_row, least=1),
        events=of_few_values,
    ),
)

"""What each has done is said by one cause, or by two at once."""

TWO: Final = (
    Plant(
        "days of UTC, of what a join finds",
        "time zone + filtered by another column",
        "tumbling 1 day in Asia/Tokyo",
        "sum",
        lambda w: w.make(
            events=[e for e in w.events if e.others[0] != "shop"],
            windows=lambda e: named_days(e, ZoneInfo("Asia/Tokyo")),
        ),
        OF_HOURS,
        events=few(unit=HOUR, n=400),
        columns=("source",),
    ),
    Plant(
        "a shorter gap, and sessions of one event lost",
        "another gap + result lost",
        "session 6",
        "sum",
        lambda w: [
            w.row(key, a, b, sum(e.value for e in held))
            for key, mine in sorted(by_key(w.events).items())
            for a, b, held in sessions(in_order(mine), 4)
            if len(held) > 1
        ],
        events=few(n=300),
    ),
)
"""Two at once, of which neither explains much alone."""


BESIDE_MISREAD: Final[dict[str, Plant]] = {
    "for those before it": Plant(
        "noon at any hour",
        "",
        "tumbling 6h",
        "sum",
        lambda w: w.make(events=[at_noon(e) if w.draw.random() < 0.7 else e for e in w.events]),
        OF_HOURS,
        events=few(unit=HOUR, n=400),
    ),
    "are named as those asked for": Plant(
        "weeks that begin on any day",
        "",
        "tumbling 1 week in Europe/Paris",
        "sum",
        lambda w: w.make(windows=lambda e: shift_weeks(e, lambda day: day.day % 3)),
        OF_HOURS,
        events=in_spring,
    ),
    "compares each": Plant(
        "any bid that beat the one before",
        "",
        "tumbling 30",
        "arg-max",
        lambda w: w.make(result=lambda h: beat_last(h, lambda e: e.value[0], w.draw.choice).value[1]),
        {"kind": "text"},
        "pair",
        events=few("pair", n=260),
    ),
    "shows now this one": Plant(
        "the last value to arrive of some",
        "",
        "tumbling 30",
        "last",
        lambda w: w.make(result=lambda h: w.draw.choice(in_order(h)[-4:]).value),
        events=few(n=300),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
