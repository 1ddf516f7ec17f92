"""Findings are named by their cause: planted faults by the cause that was planted, noise by none."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import prod
from random import Random
from typing import Any

import pytest
from support.auditing import run
from support.faults.begun import BEGUN, NEAR_BEGUN
from support.faults.drawn import draw_faults, is_right, tell
from support.faults.flowing import BESIDE_FLOWING, FLOWING, NEAR_FLOWING
from support.faults.habits import BESIDE_WAYS, HABITS, NEAR_HABITS, restarted
from support.faults.kept_back import KEPT_BACK
from support.faults.meant import OPTIONS, Meant
from support.faults.merged import MERGED, NEAR_MERGED
from support.faults.mistakes import ELSEWHERE, MISTAKES, NEAR_MISTAKES, NEIGHBOURS, few
from support.faults.planted import (
    CONTROLS,
    LATE,
    PLANTS,
    Came,
    Plant,
    Row,
    Windows,
    World,
    draw_events,
    fixed,
    make_sample,
    measure,
)
from support.faults.shared.every import BESIDE_SHARED, NEAR_SHARED, SHARED
from support.faults.slips import BESIDE_SLIPS, NEAR_SLIPS, SLIPS, WORDS
from support.faults.stacked import BESIDE_STACKED, STACKED
from support.faults.strangers.appended import APPENDED, BESIDE_APPENDED, NEAR_APPENDED, TOLD
from support.faults.strangers.arriving import ARRIVING, BESIDE_ARRIVING
from support.faults.strangers.bordering import BESIDE_BORDERING, BORDERING
from support.faults.strangers.forgotten import BESIDE_FORGOTTEN, FORGOTTEN
from support.faults.strangers.halted import BESIDE_HALTED, HALTED
from support.faults.strangers.halved import BESIDE_HALVED, HALVED, NEAR_HALVED
from support.faults.strangers.lapses import BESIDE_LAPSES, LAPSES, NEAR_LAPSES
from support.faults.strangers.lingering import BESIDE_LINGERING, LINGERING, NEAR_LINGERING, with_slow
from support.faults.strangers.misread import BESIDE_MISREAD, MISREAD
from support.faults.strangers.oddly import BESIDE_ODDITIES, NEAR_ODDITIES, ODDITIES
from support.faults.strangers.paired import BESIDE_PAIRED, PAIRED
from support.faults.strangers.straying import STRAYING
from support.faults.strangers.swallowed import BESIDE_SWALLOWED, NEAR_SWALLOWED, SWALLOWED
from support.faults.strangers.thinned import BESIDE_THINNED, NEAR_THINNED, THINNED
from support.faults.strangers.tripped import BESIDE_TRIPPED, NEAR_TRIPPED, TRIPPED
from support.faults.timed.averaged import AVERAGED, BESIDE_AVERAGED
from support.faults.timed.passed import BESIDE_PASSED, NEAR_PASSED, PASSED
from support.faults.timed.rewritten import BESIDE_REWRITTEN, REWRITTEN
from support.faults.timed.zoned import BESIDE_ZONED, ZONED
from support.faults.valued.leaping import BESIDE_LEAPING, LEAPING, NEAR_LEAPING
from support.faults.valued.looked_up import BESIDE_LOOKED_UP, LOOKED_UP
from support.faults.valued.mistaken import BESIDE_MISTAKEN, MISTAKEN, NEAR_MISTAKEN
from support.faults.valued.outlying import BESIDE_OUTLYING, OUTLYING
from support.faults.valued.unset import BESIDE_UNSET, NEAR_UNSET, UNSET
from support.places import TESTS

from swagproof.pipeline.audit.causes import explain
from swagproof.pipeline.audit.causes.cause import UNEXPLAINED
from swagproof.pipeline.audit.causes.explain import find_causes, search_causes
from swagproof.pipeline.audit.causes.names import CAUSES
from swagproof.pipeline.audit.causes.once.occasions import find_occasions
from swagproof.pipeline.audit.causes.once.remains import count_fits
from swagproof.pipeline.audit.causes.sample import Got, Sample
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses
from swagproof.pipeline.audit.causes.weigh import Scale

SEED = 1
ALSO = (
    *LAPSES,
    *ODDITIES,
    *FLOWING,
    *HABITS,
    *SLIPS,
    *LINGERING,
    *SWALLOWED,
    *HALTED,
    *MISREAD,
    *ARRIVING,
    *BORDERING,
    *TRIPPED,
    *HALVED,
    *OUTLYING,
    *MISTAKEN,
    *THINNED,
    *PAIRED,
    *STACKED,
    *FORGOTTEN,
    *APPENDED,
    *LEAPING,
    *SHARED,
    *UNSET,
    *AVERAGED,
    *REWRITTEN,
    *ZONED,
    *PASSED,
    *LOOKED_UP,
)
PLANTED = (*PLANTS, *MISTAKES, *STRAYING, *BEGUN, *MERGED, *ALSO)
NEAR = (
    CONTROLS
    | NEAR_MISTAKES
    | NEAR_PASSED
    | NEAR_HABITS
    | NEAR_BEGUN
    | NEAR_MERGED
    | NEAR_FLOWING
    | NEAR_SLIPS
    | NEAR_ODDITIES
    | NEAR_LAPSES
    | NEAR_LINGERING
    | NEAR_SWALLOWED
    | NEAR_TRIPPED
    | NEAR_HALVED
    | NEAR_MISTAKEN
    | NEAR_THINNED
    | NEAR_APPENDED
    | NEAR_LEAPING
    | NEAR_UNSET
    | NEAR_SHARED
)
WAYS = (
    BESIDE_WAYS
    | BESIDE_FLOWING
    | BESIDE_SLIPS
    | BESIDE_ODDITIES
    | BESIDE_LAPSES
    | BESIDE_LINGERING
    | BESIDE_SWALLOWED
    | BESIDE_MISREAD
    | BESIDE_HALTED
    | BESIDE_ARRIVING
    | BESIDE_BORDERING
    | BESIDE_TRIPPED
    | BESIDE_HALVED
    | BESIDE_OUTLYING
    | BESIDE_MISTAKEN
    | BESIDE_THINNED
    | BESIDE_PAIRED
    | BESIDE_STACKED
    | BESIDE_FORGOTTEN
    | BESIDE_APPENDED
    | BESIDE_LEAPING
    | BESIDE_SHARED
    | BESIDE_UNSET
    | BESIDE_AVERAGED
    | BESIDE_REWRITTEN
    | BESIDE_ZONED
    | BESIDE_PASSED
    | BESIDE_LOOKED_UP
)


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.name)
@pytest.mark.drawn(6)
def test_a_planted_fault_has_the_cause_that_was_planted(plant: Plant) -> None:
    found = measure(plant, SEED)
    assert found.findings
    assert found.verdict(plant.cause) == "named", found
    assert {name for told in found.names for name in told.split(" and ")} <= CAUSES.keys()
    assert not found.names & {cause for cause, near in NEIGHBOURS.items() if near == plant.name}, found


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", WORDS | TOLD)
def test_a_fault_is_told_in_the_words_that_say_it_first(name: str) -> None:
    (plant,) = (plant for plant in (*SLIPS, *APPENDED) if plant.name == name)
    assert (WORDS | TOLD)[name] in measure(plant, SEED).first


@pytest.mark.parametrize("cause", NEAR)
@pytest.mark.drawn(3)
def test_what_is_near_a_fault_is_not_given_its_cause(cause: str) -> None:
    sample = make_sample(NEAR[cause], SEED)
    assert sample.open
    assert not [one for one in find_causes(sample) if cause in (one.name, *one.also)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.drawn(0)
def test_what_is_near_a_way_is_not_told_it(way: str) -> None:
    sample = make_sample(WAYS[way], SEED)
    assert len(sample.open) > 3
    assert not [one for one in find_causes(sample) if way in one.why]
    of = WAYS[way].window, WAYS[way].aggregate
    alike = [make_sample(plant, SEED) for plant in ALSO if (plant.window, plant.aggregate) == of]
    others = (make_sample(plant, SEED) for plant in ALSO if (plant.window, plant.aggregate) != of)
    if any(_is_tried(way, planted) for planted in alike):
        return
    if any(way in one.why for planted in alike for one in find_causes(planted)):
        return
    assert any(_is_tried(way, planted) for planted in others), "no planted fault is told it"


def _is_tried(way: str, planted: Sample) -> bool:
    told = (one for one, _ in find_occasions(planted, planted.open, None, str))
    return any(way in one.why for one in chain(list_hypotheses(planted), told))


def test_right_jobs_have_no_cause() -> None:
    for plant in PLANTS[::9]:
        right = replace(plant, job=lambda world: world.make())
        sample = make_sample(right, SEED)
        assert not sample.findings
        assert find_causes(sample) == []


OF_NO_HYPOTHESIS = {
    "event lost", "event replayed", "state lost", "key lost", "unknown key", "stretch lost",
    "results exchanged", "wrong version", "never said", "overtaken", "beyond rounding", "unexplained",
    "another result added", "update lost",
    "events of a window lost", "events of a window twice", "events of elsewhere counted", "another window's result",
}  # fmt: skip
"""What happens once, is read off single findings, or is none."""


def list_gaps(page: str) -> list[str]:
    """What the page does not say, or says otherwise, of causes and planted faults, and what it says that is not so."""
    tables: dict[str, list[list[str]]] = {}
    for block in page.split("\n\n"):
        cells = [line.strip("| ").split(" | ") for line in block.splitlines() if line.startswith("| ")]
        tables.setdefault(" | ".join(cells[0]) if cells else "", []).extend(cells[2:])
    causes = {name: meaning for name, meaning, *_ in tables.get("cause | the job | such as", [])}
    faults = {
        name: (cause, verdict)
        for name, _, cause, *_, verdict in tables.get(
            "fault | job | cause | findings | right | wrong | unexplained | verdict", []
        )
    }
    gaps = [f"the cause {name}" for name in CAUSES.keys() | causes.keys() if CAUSES.get(name) != causes.get(name)]
    for plant in PLANTED:
        if faults.get(plant.name, ("", ""))[0] != plant.cause:
            gaps.append(f"the fault {plant.name}")
        elif plant.cause != UNEXPLAINED and faults[plant.name][1] != "named":
            gaps.append(f"the fault {plant.name}, which is not named")
    planted = {cause for plant in PLANTED if plant.name in faults for cause in plant.cause.split(" + ")}
    return sorted(gaps + [f"a fault of {name}" for name in CAUSES.keys() - planted - ELSEWHERE.keys()])


def test_the_page_has_each_cause_and_each_planted_fault_of_it() -> None:
    page = (TESTS.parent / "docs" / "manual" / "reference" / "causes.md").read_text(encoding="utf-8")
    assert list_gaps(page) == []


@pytest.mark.parametrize(
    ("line", "other", "gaps"),
    [
        ("| frame centred | A frame", None, ["the cause frame centred"]),
        ("| frames around their rows |", None, ["a fault of frame centred", "the fault frames around their rows"]),
        ("| ends | An end", "| ends | Another end", ["the cause ends"]),
        ("| unsorted | ", "| sorted out | ", ["the cause sorted out", "the cause unsorted"]),
    ],
)
def test_a_gap_of_the_page_is_found(line: str, other: str | None, gaps: list[str]) -> None:
    """One row of a table is left out, or says something else."""
    page = (TESTS.parent / "docs" / "manual" / "reference" / "causes.md").read_text(encoding="utf-8")
    (row,) = (row for row in page.splitlines() if row.startswith(line))
    assert list_gaps(page.replace(row + "\n", "" if other is None else row.replace(line, other) + "\n")) == gaps


def test_every_cause_is_planted_and_has_a_fault_beside_it() -> None:
    """A cause that nothing is kept from is one that anything may get."""
    planted = {name for plant in PLANTED for name in plant.cause.split(" + ")}
    beside = NEAR.keys() | NEIGHBOURS.keys()
    assert {name for name in CAUSES if name not in planted or name not in beside} == ELSEWHERE.keys()
    assert not NEAR.keys() & NEIGHBOURS.keys()
    assert beside <= CAUSES.keys()
    causes = {plant.name: plant.cause.split(" + ") for plant in PLANTED}
    assert len(causes) == len(PLANTED)
    assert not [cause for cause, near in NEIGHBOURS.items() if cause in causes[near]]


@pytest.mark.parametrize("aggregate", ["count", "mean", "max", "distinct-count"])
@pytest.mark.drawn(1)
def test_states_that_expire_are_told_of_every_aggregate(aggregate: str) -> None:
    plant = next(plant for plant in LINGERING if plant.cause == "state begun again")
    (cause,) = find_causes(make_sample(replace(plant, aggregate=aggregate, events=partial(with_slow, n=1500)), SEED))
    assert cause.name == "state begun again"
    assert "as where state expires" in cause.why


def test_what_few_findings_show_is_not_believed() -> None:
    """One count that is one too many may be anything."""

    def adds_one(w: World) -> list[Row]:
        return [{**row, "result": row["result"] + (i == 7)} for i, row in enumerate(w.make())]

    plant = Plant("one too many", UNEXPLAINED, "tumbling 10", "count", adds_one)
    found = measure(plant, SEED)
    assert (found.findings, found.right, found.wrong) == (1, 0, 0)


def test_one_number_that_becomes_one_result_tells_no_factor_limit_or_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each five of a key is a forty: eight times as much, 35 more, or no less."""

    def draw(seed: int) -> list[Came]:
        dice = Random(seed)
        return [replace(e, value=dice.choice((5, 90))) for e in draw_events(seed, "int", n=300)]

    def turns(w: World) -> list[Row]:
        return [{**r, "result": 40 if (r["key"], r["result"]) == ("a", 5) else r["result"]} for r in w.make()]

    sample = make_sample(Plant("forties", UNEXPLAINED, "tumbling 10", "max", turns, events=draw), SEED)
    assert len(sample.open) > 3
    names = {"clamped", "result multiplied", "result off by a constant", "another unit"}
    assert not any(names & {one.name, *one.also} for one in find_causes(sample))
    monkeypatch.setattr(Scale, "tells_how", lambda *_: True)
    assert any(names & {one.name, *one.also} for one in find_causes(sample))


def test_a_search_looks_at_no_more_than_it_may_and_says_what_it_left() -> None:
    """Where there is too little work for all keys, hypotheses are tried on some; where none is left, not at all."""
    sample = make_sample(next(plant for plant in PLANTS if plant.name == "noise everywhere"), SEED)
    whole = search_causes(sample)
    assert (whole.untried, whole.keys) == (0, None)
    few = search_causes(sample, work=300 * sample.size)
    assert few.keys is not None
    assert 0 < few.keys < len(sample.events)
    assert search_causes(sample, work=20 * sample.size).untried > 100
    fault = next(plant for plant in PLANTS if plant.name == "the sign lost")
    (cause,) = search_causes(make_sample(fault, SEED), work=600 * sample.size).causes
    assert cause.name == "sign lost"


@pytest.mark.drawn(0)
def test_two_faults_at_once() -> None:
    """One after the other where they meet in few windows; together where each changes what the other left."""

    def closes(events: Sequence[Came]) -> Windows:
        return fixed(events, 10, 10, right=True)

    def loses(w: World) -> list[Row]:
        return w.make(windows=closes, events=[e for e in w.events if not 90 <= e.seq < 104])

    def rounds(w: World) -> list[Row]:
        return [{**row, "result": round(row["result"], 1)} for row in w.make(windows=closes)]

    closed = Plant("closed, and a batch lost", "ends + batch lost", "tumbling 10", "sum", loses)
    rounded = Plant("closed, and rounded", "ends + rounded", "tumbling 10", "mean", rounds)
    for plant in (closed, rounded):
        found = measure(plant, SEED)
        assert found.verdict(plant.cause) == "named", found


def test_windows_that_the_one_column_names_by_their_end_are_of_one_cause() -> None:
    """The first ones, the last ones and those beside a pause, too: the last have the names of such as are open yet."""
    sample = make_sample(Plant("right", "", "tumbling 10", "sum", lambda w: w.make()), SEED)
    until = sorted(b for _, _, b in sample.due if b is not None)[-12]
    shown = {(key, b, None): got for (key, _, b), got in sample.results.items() if b is not None and b < until}
    named = replace(sample, on=("a",), results=shown, open_from=until).judged()
    late = {name for name in named.findings if name not in shown and named.is_open(name)}
    causes = find_causes(replace(named, findings=named.findings - late))
    assert [one.name for one in causes] == ["named by the end"], causes
    assert len(causes[0].explains) == len(named.findings - late) > 20


def test_a_fault_of_some_keys_or_of_some_time() -> None:
    for name, fits in (("of key", lambda e: e.key in "bc"), ("from", lambda e: e.time >= 60)):

        def job(w: World, fits: Callable[[Came], bool] = fits) -> list[Row]:
            def windows(events: Sequence[Came]) -> Windows:
                for a, b, held in fixed(events, 10, 10):
                    more = [e for e in events if e.time == b]
                    yield a, b, held + more if fits(held[0]) else held

            return w.make(windows=windows)

        sample = make_sample(Plant(name, "ends", "tumbling 10", "sum", job), SEED)
        (cause, *_) = find_causes(sample)
        assert (cause.name, cause.where.startswith(name)) == ("ends", True)
        assert len(cause.explains) >= 0.7 * len(sample.open)


def test_a_frame_is_not_told_by_more_rows_than_there_are() -> None:
    """Of a span of microseconds nobody makes as many rows: such frames are unbounded, and no option is told."""
    plant = next(plant for plant in STRAYING if plant.name == "a maximum that is never evicted")
    (cause,) = find_causes(make_sample(plant, SEED))
    assert (cause.name, cause.also, cause.say) == ("frame unbounded", (), "")


def test_what_the_data_do_not_tell_apart_is_named_together() -> None:
    """The first event of each window and the newest first are one and the same."""
    plant = next(plant for plant in PLANTS if plant.name == "last for first")
    (cause,) = find_causes(make_sample(plant, SEED))
    assert {cause.name, *cause.also} >= {"newest first", "another aggregate"}


@pytest.mark.drawn(0)
def test_what_is_not_told_from_too_many_causes_is_given_no_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be named that explains it by itself, two at once that do are no better."""
    sample = make_sample(next(plant for plant in KEPT_BACK if plant.name == "five hours west"), SEED)
    (cause,) = find_causes(sample)
    assert (cause.name, len(cause.also)) == ("time zone", 1)
    monkeypatch.setattr(explain, "_NAMES", len(cause.also))
    assert not [one for one in find_causes(sample) if " and " in one.name]


def test_a_cause_of_a_drawn_fault_is_right_of_that_job_and_not_of_the_right_one() -> None:
    for fault in draw_faults(1, 3):
        told = tell(fault)
        assert not told.wrong
        right = replace(fault, layers=()).make_sample(1)
        assert not right.findings
        assert not any(is_right(cause, [right], right) for cause, _ in told.causes if cause.hypothesis is not None)


@pytest.mark.parametrize(("size", "cuts", "seed"), [(10, (80, 85), 3), (20, (80, 85), 3), (20, (40, 100), 2)])
def test_a_job_that_was_begun_again_and_few_findings_show_it_has_no_other_name(
    size: int, cuts: tuple[int, ...], seed: int
) -> None:
    """What was lost is told as such, or as what is seen of it; not as a batch that is lost, nor as parts."""
    plant = Plant(
        "begun again twice",
        "state lost",
        f"tumbling {size}",
        "mean",
        lambda w: restarted(w, lambda a: cuts, size, size),
        LATE,
        events=few(n=160),
    )
    sample = make_sample(plant, seed)
    assert 5 < len(sample.open) < 9
    for cause in find_causes(sample):
        assert "state lost" in (cause.name, *cause.also) or cause.name == "result lost", cause


def test_single_events_that_are_lost_are_described_by_what_few_others_are() -> None:
    """They came after a later one, or are of no kind; those that results do not tell from others are not named."""
    draw = few("large", n=160)
    events = draw(SEED)
    late = [e.seq for i, e in enumerate(events) if any(x.time > e.time for x in events[:i])]
    for which, says in ((late[::3], "each of them is an event that came after a later one"), (late[:1], "")):
        lost = frozenset(which[:6] if says else range(5, 160, 30))
        plant = Plant("lost", "event lost", "tumbling 10", "sum", partial(_lose, lost), events=draw)
        (cause,) = find_causes(make_sample(plant, SEED))
        assert cause.name == "event lost"
        assert ("each of" in cause.why, says in cause.why) == (bool(says), True), cause
    alike = replace(plant, events=lambda seed: [replace(e, value=10**6 * (1 + e.value % 6)) for e in draw(seed)])
    (cause,) = find_causes(make_sample(alike, SEED))
    assert cause.why.endswith("and 1 that results do not tell from others")


def _lose(lost: frozenset[int], w: World) -> list[Row]:
    return w.make(events=[e for e in w.events if e.seq not in lost])


def test_what_no_rule_explains_is_told_as_it_is_found() -> None:
    """Events that are left out of their windows, here and there; no cause is made of noise as large."""

    def add(held: list[Came]) -> int:
        return sum(e.value for e in (held[1:-1] if len(held) > 3 and held[0].seq % 3 == 0 else held))

    def loses(w: World) -> list[Row]:
        return w.make(result=add)

    sample = make_sample(Plant("two lost here and there", "", "tumbling 10", "sum", loses), SEED)
    (cause,) = find_causes(sample)
    assert cause.name == "events of a window lost"
    assert cause.contents is not None
    assert count_fits(sample, dict(cause.contents), None) == len(cause.contents) >= 0.9 * len(sample.open)

    def strays(w: World) -> list[Row]:
        return [
            {**row, "result": row["result"] + (i % 5 == 2) * w.draw.randint(-900, 900)}
            for i, row in enumerate(w.make())
        ]

    assert measure(Plant("noise", UNEXPLAINED, "tumbling 10", "sum", strays), SEED).wrong == 0


def test_that_some_windows_count_late_events_is_told_without_a_rule_for_which() -> None:
    """A window that closes when a timer is late takes what came by then: of no part of the data."""

    def closes_late(w: World) -> list[Row]:
        return w.make(takes=lambda e, end: e.watermark < end or (end // 10) % 3 == 0)

    sample = make_sample(Plant("timers are late", "", "tumbling 10", "sum", closes_late, LATE), SEED)
    (cause,) = find_causes(replace(sample, told=sample.findings))
    assert (cause.name, cause.where, cause.explains) == ("late events counted", "here and there", sample.open)


@pytest.mark.parametrize(("aggregate", "least"), [("geometric-mean", 0.25), ("geometric-mean", 1), ("product", 0)])
def test_a_hypothesis_that_leads_where_an_aggregate_is_not_defined_is_none(aggregate: str, least: float) -> None:
    """Small positive values, which rounded, or less the least of them, are none of which there is such a mean."""
    draw = Random(SEED)
    values = [draw.choice((least, 0.75, 1.5, 2.25)) for _ in range(60)]
    events: list[dict[str, Any]] = [
        {"key": "ab"[i % 2], "time": i, "seq": i, "value": value} for i, value in enumerate(values)
    ]
    rows: list[dict[str, Any]] = []
    for start in range(0, 60, 6):
        for key in "ab":
            held = [e["value"] for e in events if e["key"] == key and start <= e["time"] < start + 6]
            made = prod(x + 1 for x in held)
            made = made ** (1 / len(held)) - 1 if aggregate == "geometric-mean" else made
            rows.append({"key": key, "window_start": start, "result": float(made)})
    report = run(events, rows, "tumbling 6", aggregate)
    assert report.counts["wrong"] > 10
    report = run(events, [{**row, "result": 1.0} for row in rows], "tumbling 6", aggregate)
    assert report.counts["wrong"] > 10


def test_numbers_that_no_float_holds_are_searched_too() -> None:
    def powers(w: World) -> list[Row]:
        return w.make(result=lambda held: (held[-1].value << 1100) + (held[0].key == "a"))

    plant = Plant("large", "", "tumbling 100", "max", powers, events=lambda seed: draw_events(seed, "large", n=40))
    sample = make_sample(plant, SEED)
    assert sample.open
    assert find_causes(sample) == []


def draw_orders(n: int = 160) -> list[dict[str, Any]]:
    """Events with columns that the audit is not told of."""
    draw = Random(n)
    return [
        {
            "key": draw.choice("ab"),
            "time": seq * 2 + draw.randint(0, 9),
            "seq": seq,
            "value": draw.randint(-99, 999),
            "quantity": draw.randint(1, 9),
            "channel": draw.choice(("web", "shop", "phone", None)),
            "noted": draw.choice((0.5, 1.25, float("nan"))),
        }
        for seq in range(n)
    ]


def sum_orders(events: list[dict[str, Any]], values: Callable[[dict[str, Any]], list[int]]) -> list[dict[str, Any]]:
    """The job: it adds what `values` makes of an event, which it leaves out where that is nothing."""
    sums: dict[tuple[str, int], int] = {}
    for e in events:
        for value in values(e):
            window = e["key"], e["time"] // 10 * 10
            sums[window] = sums.get(window, 0) + value
    return [{"key": key, "window_start": a, "window_end": a + 10, "result": got} for (key, a), got in sums.items()]


BESIDE: dict[str, tuple[str, str, Callable[[dict[str, Any]], list[int]]]] = {
    "value": ("another column", "takes quantity for the value", lambda e: [e["quantity"]]),
    "product": ("another column", "multiplies each value by quantity", lambda e: [e["value"] * e["quantity"]]),
    "word": (
        "filtered by another column",
        "leaves out events whose channel is shop",
        lambda e: [] if e["channel"] == "shop" else [e["value"]],
    ),
    "null": (
        "filtered by another column",
        "leaves out events whose channel is null",
        lambda e: [e["value"]] if e["channel"] else [],
    ),
    "limit": (
        "filtered by another column",
        "leaves out events whose quantity is 8 or more",
        lambda e: [e["value"]] if e["quantity"] < 8 else [],
    ),
    "residue": (
        "filtered by another column",
        "leaves out events whose quantity is not divisible by 3",
        lambda e: [] if e["quantity"] % 3 else [e["value"]],
    ),
    "join": (
        "doubled by another column",
        "counts events whose channel is web twice",
        lambda e: [e["value"]] * (1 + (e["channel"] == "web")),
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_a_job_took_from_a_column_beside_the_value(name: str) -> None:
    cause, why, values = BESIDE[name]
    events = draw_orders()
    found = run(events, sum_orders(events, values), "tumbling 10", "sum")
    assert [(one["cause"], one["why"], one["also"]) for one in found.causes] == [(cause, why, [])]
    assert found.looked["explained"] == found.looked["findings"] > 9


@pytest.mark.parametrize("name", BESIDE)
def test_events_of_one_time_and_no_number_have_their_other_columns(name: str) -> None:
    """Those that are alike in all that is asked for may stand for each other, whatever else they have."""
    cause, why, values = BESIDE[name]
    events = [{**e, "seq": 0, "time": e["time"] // 10 * 10} for e in draw_orders()]
    found = run(events, sum_orders(events, values), "tumbling 10", "sum")
    assert (cause, why) in [(one["cause"], one["why"]) for one in found.causes]
    assert found.looked["explained"] == found.looked["findings"] > 9


def test_a_column_that_is_not_there_or_says_something_else_is_not_named() -> None:
    """The same faults, where other columns are drawn anew, or are absent."""
    events, draw = draw_orders(30), Random(5)
    others = [{**e, "quantity": draw.randint(1, 9), "channel": draw.choice(("web", "shop"))} for e in events]
    absent = [{name: e[name] for name in ("key", "time", "seq", "value")} for e in events]
    named = {cause for cause, *_ in BESIDE.values()}
    for table, fault in ((others, "value"), (absent, "value"), (others, "limit")):
        found = run(table, sum_orders(events, BESIDE[fault][2]), "tumbling 10", "sum")
        assert found.looked["findings"] > 2
        assert not named & {name for one in found.causes for name in (one["cause"], *one["also"])}
    assert run(events, sum_orders(events, lambda e: [e["value"]]), "tumbling 10", "sum").outcome == "conforms"


def change_log(retract: Callable[[int, int], int], last: Callable[[int, int], int]) -> tuple[list[Any], list[Any]]:
    """Events, of which each window's third comes when it is over, and what a job says of each window then."""
    draw = Random(7)
    windows = [(a, [draw.randint(1, 999) for _ in range(3)]) for a in range(0, 120, 10)]
    events = [
        {"key": "k", "time": a + i, "seq": a + i + 15 * (i == 2), "value": v}
        for a, values in windows
        for i, v in enumerate(values)
    ]
    events.append({"key": "k", "time": 125, "seq": 125, "value": 0})
    said: list[dict[str, Any]] = []
    for a, values in windows:
        first, final = sum(values[:2]), sum(values)
        row = {"key": "k", "window_start": a, "window_end": a + 10}
        said.append({**row, "result": first, "emitted": 2 * a, "op": "+I"})
        said.append({**row, "result": retract(first, final), "emitted": 2 * a + 1, "op": "-U"})
        said.append({**row, "result": last(first, final), "emitted": 2 * a + 2, "op": "+U"})
    return events, said


def test_a_result_that_is_not_taken_back_but_another_one_is_told_so() -> None:
    options: dict[str, Any] = {"late": "retract", "watermark": "0", "version": "emitted", "retraction": "op"}
    events, said = change_log(lambda first, final: final, lambda first, final: final)
    found = run(events, said, "tumbling 10", "sum", **options)
    assert {one["cause"] for one in found.causes} == {"never said"}
    assert found.looked["explained"] == found.looked["findings"] > 9
    beside = run(
        events, change_log(lambda first, final: first, lambda first, final: first)[1], "tumbling 10", "sum", **options
    )
    assert beside.looked["findings"] > 9
    assert "never said" not in {one["cause"] for one in beside.causes}
    assert (
        run(events, change_log(lambda a, b: a, lambda a, b: b)[1], "tumbling 10", "sum", **options).outcome
        == "conforms"
    )


def test_a_result_that_is_not_taken_back_now_and_then_is_no_update_that_is_shown() -> None:
    """Where others are taken back nobody meant what stands to be one of several versions."""
    options: dict[str, Any] = {"late": "retract", "watermark": "0", "version": "emitted", "retraction": "op"}
    events, said = change_log(lambda first, final: first, lambda first, final: final)
    some = [row for row in said if row["op"] != "-U" or row["window_start"] % 30]
    (cause,) = run(events, some, "tumbling 10", "sum", **options).causes
    assert (cause["cause"], cause["explains"]) == ("not retracted", 4)


def test_the_right_version_that_another_one_comes_after_is_told() -> None:
    options: dict[str, Any] = {"late": "update", "watermark": "0", "version": "emitted"}

    def judge(after: Callable[[int], int]) -> Any:
        events, said = change_log(lambda first, final: final, lambda first, final: after(first))
        return run(events, [{**row, "op": "+"} for row in said], "tumbling 10", "sum", **options)

    draw = Random(3)
    found = judge(lambda first: first + draw.randint(1, 9) * 1000)
    assert {one["cause"] for one in found.causes} == {"overtaken"}
    events, said = change_log(lambda first, final: first, lambda first, final: first + draw.randint(1, 9) * 1000)
    beside = run(events, said, "tumbling 10", "sum", **options)
    assert beside.looked["findings"] > 9
    assert "overtaken" not in {one["cause"] for one in beside.causes}


MEANT = {
    "(a, b] for [a, b)": "closed right in --window",
    "max for min": "--aggregate max",
    "late events counted": "--late update",
    "half the delay": "--watermark 4",
    "null until full": "full in --window",
    "frame a row short": "--window 'rows -2 0'",
    "gap inclusive": "--window 'session 6 touching'",
    "a watermark of each key": "--watermark-per-key",
    "a column's time": "--time came",
    "updates taken for results": "--late update, and by --version which of a window's results came last",
    "joined, so doubled": "",
    "batch lost": "",
    "late events dropped": "--late drop",
    "tumbling for sliding": "--window 'tumbling 10'",
    "begins at an offset": "offset 3 in --window",
    "frames answered too early": "no full in --window",
    "gap exclusive": "--window 'session 6'",
    "range a tick short": "--window 'range -8 0'",
    "right end closed": "closed both in --window",
    "left end open": "closed neither in --window",
}
"""By which options an audit is told what a fault would be, had somebody meant it."""


@pytest.mark.parametrize("name", MEANT)
@pytest.mark.drawn(1)
def test_by_which_options_all_would_be_right_is_said(name: str) -> None:
    """Of no fault that is none of them, and not where one more result is wrong."""
    sample = make_sample(next(plant for plant in PLANTED if plant.name == name), SEED)
    (cause,) = find_causes(sample)
    assert cause.say == MEANT[name]
    off = {**sample.results, min(sample.results, key=str): [Got("1234567", None)]}
    assert not [one for one in find_causes(replace(sample, results=off).judged()) if one.say]


@pytest.mark.parametrize("meant", OPTIONS, ids=lambda meant: meant.say)
@pytest.mark.drawn(1)
def test_an_option_is_said_to_who_meant_it_and_to_nobody_else(meant: Meant) -> None:
    job, beside = (make_sample(plant, SEED) for plant in meant.plants())
    assert [cause.say for cause in find_causes(job)] == [meant.say]
    assert beside.open
    assert not [cause.say for cause in find_causes(beside) if cause.say]


_OPTION = r"--(?:aggregate|batch|engine|lateness|time|value|watermark)"


def get_kind(say: str) -> str:
    """An option without what it is given.

    >>> get_kind("--window 'rows -3 0'"), get_kind("--engine spark --batch day"), get_kind("offset 3s in --window")
    ("--window 'rows", '--engine X --batch X', 'offset X in --window')
    """
    if say.startswith("--window '"):
        return " ".join(say.split()[:2])
    said = re.sub(rf"({_OPTION}) (?!COLUMN)\S+", r"\1 X", re.sub(r"in \w+(/\w+)? in", "in X in", say))
    return re.sub(r"\S*\d\S*", "X", said)


@pytest.mark.drawn(0)
def test_what_the_code_can_name_is_explained_and_each_option_that_it_can_say_is_tested() -> None:
    options = [plant for meant in OPTIONS for plant in meant.plants()]
    told = {(one.cause, one.say) for plant in (*PLANTED, *options) for one in list_hypotheses(make_sample(plant, SEED))}
    named, said = {cause for cause, _ in told}, {get_kind(say) for _, say in told if say}
    assert named <= CAUSES.keys()
    assert CAUSES.keys() - named == OF_NO_HYPOTHESIS
    assert {name for plant in PLANTED for name in plant.cause.split(" + ")} <= CAUSES.keys()
    tested = {get_kind(say) for say in (*MEANT.values(), *(meant.say for meant in OPTIONS)) if say}
    assert said - tested == set()
    assert tested - said == set()


def test_where_idle_upstreams_are_left_out_it_is_said_that_one_may_hold_back_what_is_not_there() -> None:
    sample = make_sample(next(plant for plant in PLANTED if plant.name == "stopped"), SEED)
    for idles in (False, True):
        (cause,) = find_causes(replace(sample, idles=idles))
        assert cause.name == "stretch lost"
        assert ("as where an upstream of which nothing comes" in cause.why) == idles
