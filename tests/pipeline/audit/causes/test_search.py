"""The search for causes ends with a report whatever the data are: no events, nothing but nulls, numbers at the ends of
what floats hold."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import pytest
from support.auditing import Row, run
from support.faults.mistakes import MISTAKES, few
from support.faults.planted import HOUR, Came, Plant, World, make_sample
from support.faults.strangers.straying import STRAYING

from swagproof.models.windows.kinds import Calendar, CalendarUnit, Session, Sliding
from swagproof.models.windows.window import Event as Entry
from swagproof.pipeline.audit.causes.explain import search_causes
from swagproof.pipeline.audit.causes.sample import Event, split
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses

SEED = 3


def test_a_hypothesis_goes_on_with_what_another_left_of_the_events() -> None:
    """Of a pair the first may leave out all events, of a key or of all keys."""
    tried = 0
    for plant in (*MISTAKES[::8], *STRAYING[::8]):
        sample = make_sample(plant, SEED)
        for one in list_hypotheses(sample):
            if one.events is not None:
                for left in ({}, {key: [] for key in sample.events}):
                    one.events(left)
                    tried += 1
    assert tried > 1000


def draw_far(draw: Random) -> float:
    """A number of any size that a float has."""
    return draw.choice((-1, 1)) * draw.choice((1e308, 1.7e308, 5e-324, 1e-300, 1e150, 1.0, 0.0))


FAR: dict[str, Callable[[Random], Any]] = {
    "numbers of any size": draw_far,
    "mostly nulls": lambda draw: None if draw.random() < 0.9 else draw_far(draw),
    "infinities": lambda draw: draw.choice((inf, -inf, 1e308, 1.0)),
}


@pytest.mark.parametrize("name", FAR)
@pytest.mark.parametrize(
    ("window", "aggregate"), [("tumbling 4", "sql-first"), ("range -3 0", "sql-max"), ("tumbling 4", "mean")]
)
def test_far_numbers_do_not_end_the_search(name: str, window: str, aggregate: str) -> None:
    draw = Random(SEED)
    events: list[Row] = [{"key": draw.choice("ab"), "time": t, "seq": t, "value": FAR[name](draw)} for t in range(40)]
    results = [{"key": e["key"], "time": e["time"], "seq": e["seq"], "result": draw_far(draw)} for e in events]
    if window == "tumbling 4":
        starts = sorted({(str(e["key"]), int(e["time"]) // 4 * 4) for e in events})
        results = [{"key": key, "window_start": a, "result": draw_far(draw)} for key, a in starts]
    nulls: Any = {} if aggregate.startswith("sql") else {"nulls": "ignore"}
    report = run(events, results, window, aggregate, **nulls)
    assert report.outcome == "violated", report.sentence
    assert report.counts["wrong"] > 9


@pytest.mark.parametrize(("window", "aggregate"), [("tumbling 3", "sum"), ("sliding 6 every 3", "mean")])
def test_no_hypothesis_makes_results_without_number_of_long_pauses(window: str, aggregate: str) -> None:
    """Of events that are thousands of windows apart, and a result that is named by the window after its own."""

    def draw_sparse(seed: int) -> list[Came]:
        draw, time, events = Random(seed), 0, list[Came]()
        for e in few(n=250)(seed):
            time += draw.choice((0, 1, 5, 9000))
            events.append(replace(e, time=time))
        return events

    def move_one(w: World) -> list[Row]:
        rows = w.make()
        rows[5] |= {name: rows[5][name] + 3 for name in ("window_start", "window_end")}
        return rows

    sample = make_sample(Plant("", "", window, aggregate, move_one, {}, events=draw_sparse), SEED)
    assert len(sample.open) == 2
    tried = [(len(one.foretell(sample)), one.why) for one in list_hypotheses(sample)]
    assert len(tried) > 400
    assert max(tried)[0] < 10 * len(sample.due), max(tried)


@pytest.mark.drawn(1)
def test_what_puts_events_far_away_is_tried_on_all_where_others_are_tried_on_few_first() -> None:
    """The first findings of a clock of twelve hours are of events that come half a day later."""
    (noon,) = (plant for plant in MISTAKES if plant.name == "twelve hours for twenty-four")
    drawn = [replace(e, time=e.time + 8 * HOUR) for e in few(unit=HOUR // 10, n=900)(1)]
    sample = make_sample(replace(noon, window="tumbling 1h", events=lambda _: drawn), 1)
    searched = search_causes(replace(sample, by_row=False), work=900_000)
    assert searched.keys
    assert [one.name for one in searched.causes] == ["times read wrongly"]


def test_a_sample_knows_the_watermark_of_all_keys_and_what_is_right_beside_it() -> None:
    """Of more events than are looked into one key has findings: it lags, and a watermark of all keys leaves it out."""
    draw = Random(SEED)
    came = sorted((t, key) for key in "abcdef" for t in draw.sample(range(20_000), 900))
    shown = [(t + 1500 if key == "f" else t, t, key) for t, key in came]
    events: list[Row] = [
        {"key": key, "time": t, "seq": i, "value": draw.randrange(100)} for i, (_, t, key) in enumerate(sorted(shown))
    ]

    def answer(*, of_all: bool) -> list[Row]:
        latest, sums = dict[str, int](), dict[tuple[str, int], int]()
        for e in events:
            whose, begin = "" if of_all else e["key"], e["time"] // 600 * 600
            if whose not in latest or latest[whose] - 60 < begin + 600:
                sums[e["key"], begin] = sums.get((e["key"], begin), 0) + e["value"]
            latest[whose] = max(latest.get(whose, 0), e["time"])
        return [{"key": key, "window_start": begin, "result": total} for (key, begin), total in sums.items()]

    told: Any = {"watermark": "60", "watermark_per_key": True, "complete": True}
    assert run(events, answer(of_all=False), "tumbling 600", "sum", **told).outcome == "conforms"
    report = run(events, answer(of_all=True), "tumbling 600", "sum", **told)
    (cause,) = report.causes
    assert (cause["cause"], report.looked["explained"], report.looked["keys"]) == (
        "another watermark",
        sum(report.counts.values()),
        1,
    )


@pytest.mark.parametrize("seed", range(30))
def test_windows_are_cut_as_their_definition_has_it(seed: int) -> None:
    """Of few events in a short time and in a long one."""
    draw = Random(seed)
    zone, closed = draw.choice(["UTC", "Europe/Berlin", "America/New_York"]), draw.choice(("left", "right"))
    units: tuple[tuple[CalendarUnit, int], ...] = (("day", 86_400), ("month", 2_600_000))
    for unit, second in units:
        n, slide, offset = draw.randrange(1, 5), draw.randrange(1, 6), draw.randrange(3)
        for window in (
            Calendar(unit, n, slide, offset, zone, second=1, closed=closed, leading=draw.random() < 0.5),
            Sliding(n * second, slide * second, offset * second),
            Session(n * second),
        ):
            times = sorted(1_700_000_000 + draw.randrange(draw.choice([3, 30, 3000]) * second) for _ in range(9))
            cut = [(w.a, w.b, [e.value for e in w.events]) for w in split(window, [Event(t, t, t) for t in times])]
            found = window.extents([Entry(t, t) for t in times])
            assert cut == [(x.begin, x.end, [e.value for e in x.events]) for x in found]
