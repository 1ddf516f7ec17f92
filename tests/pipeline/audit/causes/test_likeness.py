"""What findings that no cause explains have in common: said where it is so of them and of no right result, and not
where chance gives it."""

from collections.abc import Callable, Collection
from dataclasses import replace
from hashlib import md5
from itertools import pairwise
from math import log
from random import Random
from statistics import median
from typing import Any

import pytest
from support.auditing import run
from support.faults.planted import Came, Plant, Row, World, draw_events, make_sample

from swagproof.pipeline.audit.causes import likeness
from swagproof.pipeline.audit.causes.cause import Searched
from swagproof.pipeline.audit.causes.differences import Alike, list_differences
from swagproof.pipeline.audit.causes.explain import search_causes
from swagproof.pipeline.audit.causes.likeness import count_sharing, describe_findings, list_right
from swagproof.pipeline.audit.causes.parts import Map
from swagproof.pipeline.audit.causes.sample import Sample
from swagproof.pipeline.audit.causes.weigh import MARGIN
from swagproof.reports import html, markdown, text

SEED = 3
Change = Callable[[Row, Random], Any]


def plant(change: Change, *, over: tuple[str, str] = ("tumbling 10", "sum"), **more: Any) -> Plant:
    """A job some of whose results are others."""

    def job(w: World) -> list[Row]:
        return [{**row, "result": change(row, w.draw)} for row in w.make()]

    return Plant("", "", *over, job, **more)


def noise(n: int) -> Change:
    """One result of n, by chance."""
    return lambda row, draw: row["result"] + (0 if draw.randrange(n) else draw.choice((-1, 1)) * draw.randint(1, 300))


def describe(of: Plant, seed: int = SEED) -> list[str]:
    sample = make_sample(of, seed)
    return [one.says for one in describe_findings(sample, sample.open)]


def find_untrue(sample: Sample, said: list[Alike]) -> list[str]:
    """What is said of results that are right, beside those that it says so of."""
    return [one.says for one in said if len(one.names & list_right(sample)) != one.beside]


WHERE: dict[str, tuple[Change, str]] = {
    "of two keys": (
        lambda r, d: r["result"] + d.randint(-300, 300) * (r["key"] in "bc"),
        "all {n} are of keys b, c, no",
    ),
    "since a time": (lambda r, d: r["result"] + d.randint(-300, 300) * (r["window_start"] >= 60), "all {n} are from "),
    "where much is due": (
        lambda r, d: r["result"] + d.randint(1, 9) * d.choice((-1, 1)) * (r["result"] > 1500),
        "all {n} are where 1,",
    ),
}


@pytest.mark.parametrize("name", WHERE)
def test_where_the_findings_are_is_told(name: str) -> None:
    change, says = WHERE[name]
    sample = make_sample(plant(change), SEED)
    said = describe_findings(sample, sample.open)
    assert said[0].says.startswith(says.format(n=len(sample.open))), [one.says for one in said]
    assert not find_untrue(sample, said)


def make_spoiled(
    is_wrong: Callable[[list[Any]], bool], *, over: str = "tumbling 6", events: Callable[[int], list[Any]] | None = None
) -> Sample:
    """Windows of events for which something is so have any result."""

    def job(w: World) -> list[Row]:
        def result(held: list[Any]) -> int:
            held = sorted(held, key=lambda e: (e.time, e.seq))
            return sum(e.value for e in held) + is_wrong(held) * w.draw.randint(1, 99) * w.draw.choice((-1, 1))

        return w.make(result=result)

    draw = events or (lambda seed: draw_events(seed, "int", n=400))
    return make_sample(Plant("", "", over, "sum", job, events=draw), SEED)


def draw_few_values(seed: int) -> list[Any]:
    dice = Random(seed)
    return [replace(e, value=dice.randint(1, 5)) for e in draw_events(seed, "int", n=400)]


def draw_many_keys(seed: int) -> list[Any]:
    dice = Random(seed)
    return [replace(e, key=dice.choice("abcdefghijklmnop")) for e in draw_events(seed, "int", n=400)]


INSIDE: dict[str, tuple[Callable[[], Sample], str]] = {
    "whose last event is": (
        lambda: make_spoiled(lambda held: held[-1].value == 3, events=draw_few_values),
        "of windows whose last event is one whose value is 3",
    ),
    "whose first event is": (
        lambda: make_spoiled(lambda held: held[0].value == 3, events=draw_few_values),
        "of windows whose first event is one whose value is 3",
    ),
    "with a pause": (
        lambda: make_spoiled(lambda held: any(b.time - a.time > 2 for a, b in pairwise(held))),
        "of windows in which the longest pause between two events is 3 or more",
    ),
    "silent at its end": (
        lambda: make_spoiled(lambda held: held[-1].time % 6 < 4),
        "of windows whose last event is before their end by 3 or more",
    ),
    "late to begin": (
        lambda: make_spoiled(lambda held: held[0].time % 6 > 1),
        "of windows whose first event is after their begin by 2 or more",
    ),
    "open at two moments": (
        lambda: make_spoiled(
            lambda held: any(min(of) < at <= max(of) for at in (120, 290) for of in [{e.seq for e in held}]),
            over="tumbling 20",
            events=draw_many_keys,
        ),
        "of windows that were open when ",
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_their_windows_hold_is_told(name: str) -> None:
    make, says = INSIDE[name]
    sample = make()
    said = describe_findings(sample, sample.open)
    assert says in said[0].says, [one.says for one in said]
    assert not find_untrue(sample, said)


def make_refunds(wrong: Callable[[bool], bool]) -> Sample:
    """Windows with a refund among their events, of which a column tells, or those without one, have any result."""

    def draw(seed: int) -> list[Any]:
        dice = Random(seed)
        events = draw_events(seed, "int", n=400)
        return [replace(e, others=(dice.choice(("sale",) * 6 + ("refund",)),)) for e in events]

    def job(w: World) -> list[Row]:
        def result(held: list[Any]) -> int:
            has_refund = any(e.others == ("refund",) for e in held)
            return sum(e.value for e in held) + wrong(has_refund) * w.draw.randint(1, 99) * w.draw.choice((-1, 1))

        return w.make(result=result)

    return make_sample(Plant("", "", "tumbling 5", "sum", job, events=draw, columns=("kind",)), SEED)


def test_an_event_that_all_of_them_hold_is_told() -> None:
    """Of a column beside the value: of windows with a refund anything may have become."""
    sample = make_refunds(lambda has_refund: has_refund)
    (said, *_) = describe_findings(sample, sample.open)
    n = len(sample.open)
    assert said.says == f"all {n} are of windows that hold an event whose kind is 'refund', no right result is"
    assert not find_untrue(sample, [said])


def test_where_few_are_right_it_is_told_what_these_have() -> None:
    sample = make_refunds(lambda has_refund: not has_refund)
    (said, *_) = describe_findings(sample, sample.open)
    n = len(list_right(sample))
    assert n < len(sample.open)
    where = "of windows that hold an event whose kind is 'refund', no wrong one is"
    assert said.says == f"all {n} results that are right are {where}"
    assert said.names == list_right(sample)


def test_what_is_so_of_less_than_half_of_the_few_that_are_right_is_not_told() -> None:
    """That the last of each key are right says nothing of the many that are wrong, where more others are right."""

    def judge(more: int) -> list[str]:
        def job(w: World) -> list[Row]:
            made = w.make()
            last = {row["key"]: i for i, row in enumerate(made)}
            right = {*last.values(), *w.draw.sample(range(len(made)), more)}
            return [{**row, "result": row["result"] + (i not in right) * (7 + i)} for i, row in enumerate(made)]

        sample = make_sample(Plant("", "", "tumbling 5", "sum", job), SEED)
        assert 2 * len(list_right(sample)) < len(sample.open)
        return [one.says for one in describe_findings(sample, sample.open)]

    assert [one for one in judge(0) if "results that are right are the last of their keys" in one]
    assert not [one for one in judge(6) if "results that are right" in one]


def test_what_all_of_them_have_and_few_right_results_is_told_with_how_many() -> None:
    """A mistake does not show each time."""
    sample = make_sample(
        plant(lambda r, d: r["result"] + d.randint(-300, 300) * (r["key"] == "b" and d.random() < 0.6)), SEED
    )
    said = [one for one in describe_findings(sample, sample.open) if one.beside]
    n, right = len(sample.open), list_right(sample)
    of_key = sum(name[0] == '["b"]' for name in right)
    assert [one.says for one in said] == [f"all {n} are of key b, and so are {of_key} of {len(right)} right results"]
    assert not find_untrue(sample, said)
    assert find_untrue(sample, [replace(one, beside=0) for one in said])


HOW: dict[str, tuple[Change, str]] = {
    "too small": (lambda r, d: r["result"] - d.randint(1, 99), "are too small, by "),
    "by a number": (lambda r, d: r["result"] + 137, "differ by 137"),
    "by a factor": (lambda r, d: 7 * r["result"], "are what is due times 7"),
    "by one of each key": (lambda r, d: r["result"] + 100 * ord(r["key"]), "differ by one number of each key: "),
    "nearly a factor": (lambda r, d: r["result"] * d.randint(296, 304) // 100, "are what is due times "),
    "worse and worse": (
        lambda r, d: r["result"] + (r["window_start"] + 80) * d.choice((-9, 8)),
        "the later a wrong result is of its key, the farther it is off",
    ),
    "one and the same": (lambda r, d: 77_777, "are 77,777"),
}


@pytest.mark.parametrize("name", HOW)
def test_how_they_differ_is_told(name: str) -> None:
    change, says = HOW[name]
    said = describe(plant(change, value="price" if name == "nearly a factor" else "int"))
    assert any(says in one for one in said), said


def test_that_a_few_results_are_not_there_is_not_what_they_have_in_common() -> None:
    """One of twelve that has no result says nothing of the others; of most it is told."""
    sample = make_sample(plant(lambda r, d: r["result"] + d.choice((-1, 1)) * d.randint(1, 300)), SEED)
    some = sorted(sample.open, key=str)[:12]
    for lost, told in ((1, []), (9, ["9 of 12 have no result"])):
        results = {name: got for name, got in sample.results.items() if name not in some[:lost]}
        said = [one.says for one in list_differences(replace(sample, results=results), some, 1.0, MARGIN)]
        assert [says for says in said if "no result" in says] == told


def test_a_part_that_is_one_moment_is_told_as_one() -> None:
    sample = make_sample(plant(noise(3)), SEED)
    map_ = Map(sample, lambda time: f"time {time}")
    feature, values = next((of, values) for of, values in map_.features if "time" in of.tell(20, 20))
    assert feature.tell(20, 20) == "at time 20"
    assert feature.tell(20, 30) == "from time 20 to time 30"
    assert values


def test_errors_by_chance_have_nothing_in_common() -> None:
    """Neither a place nor a way; what a describer says that is content with less, it says of them, too."""
    careless = 0
    for seed in range(1, 31):
        for n, over in ((9, ("tumbling 10", "sum")), (3, ("tumbling 5", "sum")), (4, ("sliding 20 every 10", "sum"))):
            if not (sample := make_sample(plant(noise(n), over=over), seed)).open:
                continue
            assert describe_findings(sample, sample.open) == [], (seed, n, over)
            careless += bool(describe_findings(sample, sample.open, margin=-8.0))
    assert careless > 5


def test_a_place_that_right_results_are_in_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wrong variant: a describer that does not look at what is right."""
    change, _ = WHERE["of two keys"]
    sample = make_sample(plant(lambda r, d: change(r, d) if d.random() < 0.9 else r["result"]), SEED)
    assert not find_untrue(sample, describe_findings(sample, sample.open))
    monkeypatch.setattr(likeness, "is_apart", lambda _names, _right: True)
    assert find_untrue(sample, describe_findings(sample, sample.open))


def test_windows_that_share_events_speak_once() -> None:
    """One lost event makes all windows that hold it too small: that is one error, and no rule."""

    def job(w: World) -> list[Row]:
        return w.make(events=[e for e in w.events if e.seq != 100])

    sample = make_sample(Plant("", "", "sliding 40 every 2", "count", job), SEED)
    assert len(sample.open) > 9
    assert count_sharing(sample) > 9
    assert not [one for one in list_differences(sample, sample.open, count_sharing(sample)) if "small" in one.says]
    assert [one for one in list_differences(sample, sample.open) if "small" in one.says]


def test_where_nothing_is_right_no_place_is_told() -> None:
    said = describe(plant(lambda r, d: r["result"] + d.choice((-1, 1)) * d.randint(1, 999)))
    assert said == ["no result that was looked into is right"]


def test_numbers_that_no_float_holds_are_described_too() -> None:
    def powers(w: World) -> list[Row]:
        return w.make(result=lambda held: (held[-1].value << 1100) + (held[0].key == "a"))

    of = Plant("", "", "tumbling 100", "max", powers, events=lambda seed: draw_events(seed, "large", n=40))
    assert len(describe(of)) <= 1


def draw_visits(seed: int, n: int = 3000) -> list[Any]:
    """Users who are fewer in some windows than in others."""
    dice = Random(seed)
    times = sorted(dice.randint(0, 39) * 10 + int(dice.betavariate(1, 3) * 9) for _ in range(n))
    few = {a for a in range(40) if dice.random() < 0.4}
    made = [Came(i, dice.choice("ab"), t, dice.randint(1, 900), 0) for i, t in enumerate(times)]
    return [e for e in made if e.time // 10 not in few or dice.random() < 0.2]


def estimate(values: Collection[int], places: int = 64) -> int:
    """How many different values there are, as counted by how many of some places none of them has."""
    free = places - len({int(md5(str(v).encode()).hexdigest(), 16) % places for v in values})
    return len(set(values)) if not free else round(places * log(places / free))


def sketch(values: list[int], n: int, dice: Random) -> float:
    """The median of a sample of the values, where there are many."""
    return median(values if len(values) < n else dice.sample(values, n // 2))


def describe_visits(aggregate: str, result: Callable[[list[int], Random], Any], seed: int = SEED) -> list[str]:
    def job(w: World) -> list[Row]:
        return w.make(result=lambda held: result([e.value for e in held], w.draw))

    kind = {"kind": "float"} if aggregate == "median" else {}
    return describe(Plant("", "", "tumbling 10", aggregate, job, kind, events=draw_visits), seed)


ESTIMATES: dict[str, tuple[str, Callable[[list[int], Random], Any], str]] = {
    "of different values": ("distinct-count", lambda v, _: estimate(v), "as an estimate would be"),
    "of different values where they are many": (
        "distinct-count",
        lambda v, _: estimate(v) if len(set(v)) >= 30 else len(set(v)),
        "as an estimate would be; windows of fewer than 3",
    ),
    "of a middle where values are many": (
        "median",
        lambda v, d: sketch(v, 20, d),
        "of the ranks, both ways",
    ),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_what_is_off_as_an_estimate_is_told_first(name: str) -> None:
    aggregate, result, says = ESTIMATES[name]
    for seed in range(1, 4):
        first, *_ = describe_visits(aggregate, result, seed)
        assert says in first, (seed, first)


NO_ESTIMATES: dict[str, tuple[str, Callable[[list[int], Random], Any]]] = {
    "of sums": ("sum", lambda v, d: sum(v) * d.randint(88, 112) // 100),
    "to one side": ("distinct-count", lambda v, d: len(set(v)) * d.randint(80, 98) // 100),
    "now and then": ("distinct-count", lambda v, d: estimate(v) if d.random() < 0.5 else len(set(v))),
    "by two": ("distinct-count", lambda v, d: len(set(v)) + 2 * (d.random() < 0.3) * d.choice((-1, 1))),
    "by far in few": (
        "distinct-count",
        lambda v, d: len(set(v)) + (d.choice((-1, 1)) if d.random() < 0.8 else len(v) // 4 * d.choice((-1, 1))),
    ),
    "of middles without some values": (
        "median",
        lambda v, d: median([x for x in v if d.random() < 0.8] or v),
    ),
}


@pytest.mark.parametrize("name", NO_ESTIMATES)
def test_what_is_off_otherwise_is_not_told_as_an_estimate(name: str) -> None:
    aggregate, result = NO_ESTIMATES[name]
    for seed in range(1, 6):
        assert not [one for one in describe_visits(aggregate, result, seed) if "estimate" in one], seed


def test_the_report_shows_it_with_the_findings_that_no_cause_explains() -> None:
    draw = Random(SEED)
    events = [{"key": draw.choice("abcd"), "time": i // 2, "value": draw.randint(1, 99)} for i in range(400)]
    sums: dict[tuple[str, int], int] = {}
    for e in events:
        place = str(e["key"]), int(e["time"]) // 10 * 10
        sums[place] = sums.get(place, 0) + int(e["value"])
    results = [
        {
            "key": key,
            "window_start": a,
            "window_end": a + 10,
            "result": s + (key == "b") * draw.choice((-1, 1)) * draw.randint(1, 99),
        }
        for (key, a), s in sums.items()
    ]
    found = run([{**e, "seq": i} for i, e in enumerate(events)], results, "tumbling 10", "sum")
    n = found.looked["findings"] - found.looked["explained"]
    says = f"all {n} are of key b, no right result is"
    assert says in found.common
    report = found.report()
    for shown in (text.render(report), html.render(report), markdown.render(report)):
        assert "unexplained" in shown
        assert "no cause" in shown
        assert says in shown
    assert found.to_json()["common"] == found.common


def test_what_windows_hold_is_said_of_those_that_hold_it_where_no_event_has_a_number() -> None:
    """Without arrival numbers all events of a key have the same one."""
    of_key = plant(lambda r, d: r["result"] + d.randint(1, 300) * (r["key"] == "b"), events=few_prices)
    sample = make_sample(of_key, SEED)
    sample = replace(sample, events={key: [e._replace(arrival=0) for e in of] for key, of in sample.events.items()})
    said = [one.says for one in describe_findings(sample, sample.open)]
    assert [one for one in said if "of key b, no right result is" in one]
    assert not [one for one in said if "hold an event whose value is" in one], said


def few_prices(seed: int) -> list[Came]:
    dice = Random(seed)
    return [replace(e, value=dice.choice((5, 10, 20))) for e in draw_events(seed, "int", n=400)]


def in_countries(seed: int) -> list[Came]:
    dice = Random(seed)
    of = [dice.choices(("DE", "FR", "NA"), (8, 6, 1))[0] for _ in range(260)]
    return [replace(e, value=e.value % 150, others=(c,)) for e, c in zip(draw_events(seed, "int"), of, strict=True)]


def test_what_may_be_is_said_of_findings_that_are_too_few() -> None:
    """Two events of one country are lost: no more than may be by chance, but more than anything else would explain."""

    def search(is_kept: Callable[[Came], bool]) -> Searched:
        def job(w: World) -> list[Row]:
            return w.make(events=filter(is_kept, w.events))

        lost = Plant("", "", "tumbling 40", "max", job, {}, events=in_countries, columns=("country",))
        drawn = (make_sample(lost, seed) for seed in range(40, 99))
        return search_causes(next(s for s in drawn if len(s.open) == 2 and s.open <= s.results.keys()))

    found = search(lambda e: e.others[0] != "NA")
    assert not found.causes
    assert found.likeliest.startswith("it may be that the job leaves out events whose country is NA, which would")
    other = search(lambda e: e.seq % 13 != e.value % 13)
    assert not other.causes
    assert not other.likeliest
