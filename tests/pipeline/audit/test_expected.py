"""Expected results of an audit, without Spark: windows, lateness, rules and diagnoses, compared with plain lists."""

import json
import math
import operator
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pytest

from swagproof.models.operations import OPERATIONS
from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import (
    NEVER,
    Arrival,
    SessionRule,
    ahead_in_time,
    sessions_in_time,
    windows_in_time,
)
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.audit.expected.compute import ExpectedResults, read_values
from swagproof.pipeline.audit.expected.plan import Chunk, Plan
from swagproof.pipeline.audit.findings import Findings
from swagproof.pipeline.audit.options import Lateness
from swagproof.pipeline.audit.policy import MARKS, make_policy
from swagproof.pipeline.audit.rules import Answer, Kind, between
from swagproof.pipeline.audit.tables import table
from swagproof.reports import html, markdown
from swagproof.reports.text import render

Row = tuple[str, int, int, str]
"""Key, time, arrival number, value."""


def run_due(plan: Plan, events: Any, batch: int) -> Iterator[dict[str, Any]]:
    """Yield the expected results of events that come key by key, in batches."""
    due = ExpectedResults(plan)
    by = ["key", *(["block"] if plan.block is not None else [])]
    places = [tuple(row.values()) for row in events.select(by).to_pylist()]
    for place in dict.fromkeys(places):
        due.begin(*place)
        mine = events.filter(pa.array([other == place for other in places]))
        for some in mine.to_batches(batch):
            times, arrivals = (some.column(name).to_numpy() for name in ("time", "arrival"))
            marks = {name: some.column(name).to_numpy() for name in MARKS if name in mine.column_names}
            due.feed(read_values(some, plan.kinds), Chunk(times, arrivals, [], **marks))
    due.finish()
    yield from ({**row._asdict(), "expected": row.answer.text} for row in due.sink.rows)


def due(
    window: WindowSpec,
    events: Sequence[Row],
    *,
    watermarks: Sequence[int] | None = None,
    lateness: int | None = 0,
    behind: int | None = None,
    batch: int = 3,
    block: int | None = None,
) -> dict[tuple[Any, ...], str | None]:
    """Return the expected results by key and window; each once, for any blocks of time."""
    columns: dict[str, Any] = {
        "key": [event[0] for event in events],
        "time": pa.array([event[1] for event in events], pa.int64()),
        "arrival": pa.array([event[2] for event in events], pa.int64()),
        "v0": [event[3] for event in events],
    }
    if watermarks is not None:
        columns["watermark"] = pa.array(watermarks, pa.int64())
    table = pa.table(columns)
    plan = Plan(
        window,
        aggregation("concatenation", ("text",)),
        ("text",),
        kind="text",
        watermarks=watermarks is not None,
        lateness=lateness,
        behind=behind,
        by_row=isinstance(window, Frame),
        block=block,
    )
    if block is not None:
        assert isinstance(window, Sliding)
        places = [
            (at, number)
            for at, (_, time, *_) in enumerate(events)
            for number in range((time - window.half_open.range) // block, time // block + 1)
        ]
        table = table.take(pa.array([at for at, _ in places]))
        table = table.append_column("block", pa.array([number for _, number in places], pa.int64()))
        table = table.sort_by([(name, "ascending") for name in ("key", "block", "time", "arrival")])
    found: dict[tuple[Any, ...], str | None] = {}
    mapped = [(plan, table)]
    if isinstance(window, Session) and watermarks is not None:
        mapped.append((replace(plan, arriving=True), table.sort_by([("key", "ascending"), ("arrival", "ascending")])))
    for asked, ordered in mapped:
        for row in run_due(asked, ordered, batch):
            place = row["key"], row["a"], row["b"]
            assert place not in found
            found[place] = row["expected"]
    return found


def define(
    window: WindowSpec, events: Sequence[Row], watermarks: Sequence[int] | None = None, lateness: int | None = 0
) -> dict[tuple[Any, ...], str]:
    """Return the expected results by the definition, named like the computed ones."""
    found: dict[tuple[Any, ...], str] = {}
    marks = watermarks or [NEVER] * len(events)
    for key in {event[0] for event in events}:
        mine = [Arrival(row[1], row, None, mark) for row, mark in zip(events, marks, strict=True) if row[0] == key]
        extents = windows_in_time(window, sorted(mine, key=lambda event: event.value[2]), lateness)
        rows = [row for row in mine if row.watermark < row.time + 1 + (lateness or 0)]
        for i, (begin, end, at, held) in enumerate(extents):
            match window:
                case Frame():
                    place: tuple[Any, ...] = rows[i].value[1:3]
                case Counted():
                    place = (at or 0) - len(held) + 1, at
                case _:
                    place = begin, end
            found[key, *place] = "".join(event.value[3] for event in held)
    return found


def some_events(draw: random.Random) -> list[Row]:
    """Up to 14 events in the order of their arrival, with ties and negative times."""
    return [(draw.choice("AB"), draw.randint(-8, 12), i, chr(97 + i)) for i in range(draw.randint(1, 14))]


def some_windows(draw: random.Random) -> list[WindowSpec]:
    slide = draw.randint(1, 7)
    begin = draw.randint(-4, 3)
    end = draw.randint(begin, 4)
    closed: Any = draw.choice(("left", "right", "both"))
    return [
        Sliding(draw.randint(1, 7), slide, draw.randrange(slide), closed, draw.random() < 0.7),
        Session(draw.randint(1, 4), draw.random() < 0.5),
        Counted(draw.randint(1, 5), draw.randint(1, 5)),
        Frame("rows", draw.choice((None, begin)), end),
        Frame("range", draw.choice((None, begin)), end),
    ]


def test_windows_hold_what_their_definitions_say() -> None:
    draw = random.Random(1)
    for _ in range(300):
        events = sorted(some_events(draw))
        for window in some_windows(draw):
            assert due(window, events, batch=draw.randint(1, 5)) == define(window, events), (window, events)


def test_blocks_of_time_answer_for_their_own_windows() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        events = sorted(some_events(draw), key=lambda event: event[:3])
        window = next(window for window in some_windows(draw) if isinstance(window, Sliding))
        window = replace(window, leading=True)
        late = [draw.randint(-8, 16) for _ in events] if seed % 2 else None
        asked: Any = {"watermarks": late, "lateness": draw.choice((0, 2, None)), "batch": draw.randint(1, 5)}
        block = draw.randint(1, 12)
        assert due(window, events, block=block, **asked) == due(window, events, **asked)


def test_late_events_are_late_for_their_windows_one_by_one() -> None:
    draw = random.Random(2)
    differ = 0
    for _ in range(200):
        arrived = some_events(draw)
        marks = {e[2]: max((other[1] for other in arrived[: e[2]]), default=NEVER) for e in arrived}
        events, lateness = sorted(arrived), draw.choice((0, 2))
        watermarks = [marks[event[2]] for event in events]
        for window in some_windows(draw):
            right = define(window, events, watermarks, lateness)
            for given in (lateness, None, 0):
                found = due(window, events, watermarks=watermarks, lateness=given, batch=draw.randint(1, 5))
                other = define(window, events) if given is None else define(window, events, watermarks, given)
                assert found == other, (window, events)
                differ += sum(found.get(place) != right.get(place) for place in found.keys() | right.keys())
    assert differ > 500


def test_events_late_by_their_own_time_are_in_no_window() -> None:
    """A job drops them before it makes windows: `ahead_in_time`, then the windows of the others."""
    draw = random.Random(4)
    differ = 0
    for _ in range(200):
        arrived, behind = some_events(draw), draw.choice((0, 1))
        coming = [
            Arrival(e[1], e, None, max((other[1] for other in arrived[: e[2]]), default=NEVER) - draw.choice((0, 3)))
            for e in arrived
        ]
        coming = [replace(e, watermark=max(e.watermark, NEVER)) for e in coming]
        left = sorted(e.value for e in ahead_in_time(coming, behind))
        events = sorted(arrived)
        watermarks = [coming[event[2]].watermark for event in events]
        for window in some_windows(draw):
            if isinstance(window, Sliding):  # from the first event on is rejected: the first may be dropped
                window = replace(window, leading=True)
            found = due(window, events, watermarks=watermarks, behind=behind, batch=draw.randint(1, 5))
            marks = [coming[event[2]].watermark for event in left]
            right = define(window, left, marks) if isinstance(window, Session) else define(window, left)
            assert found == right, (window, events)
            all_ = define(window, events)
            assert due(window, events, watermarks=watermarks, lateness=None, behind=behind) == all_
            differ += right != all_
    assert differ > 200


def test_sessions_are_those_that_engines_make_of_events_as_they_come() -> None:
    draw = random.Random(3)
    differ = 0
    for _ in range(400):
        arrived = some_events(draw)
        latest = [max((other[1] for other in arrived[:i]), default=NEVER) for i in range(len(arrived))]
        cleaned = [min(mark, draw.choice((mark, mark - 3, NEVER))) if mark > NEVER else mark for mark in latest]
        cleaned = [max(cleaned[: i + 1]) for i in range(len(cleaned))]
        columns: dict[str, Any] = {
            "key": ["k"] * len(arrived),
            "time": pa.array([event[1] for event in arrived], pa.int64()),
            "arrival": pa.array([event[2] for event in arrived], pa.int64()),
            "v0": [event[3] for event in arrived],
            "watermark": pa.array(latest, pa.int64()),
            "cleaned": pa.array(cleaned, pa.int64()),
        }
        session, over = Session(draw.randint(1, 5), draw.random() < 0.7), aggregation("concatenation", ("text",))
        of_rule: set[str] = set()
        for rule in get_args(SessionRule):
            plan = Plan(session, over, ("text",), kind="text", watermarks=True, sessions=rule, arriving=True)
            rows = run_due(plan, pa.table(columns), draw.randint(1, 5))
            found = [(row["a"], row["b"], row["expected"]) for row in rows]
            coming = zip(arrived, latest, cleaned, strict=True)
            events = [Arrival(event[1], event[3], None, mark, gone) for event, mark, gone in coming]
            right = sessions_in_time(session, events, 0, rule)
            assert sorted(found) == sorted((x.begin, x.end, "".join(e.value for e in x.events)) for x in right)
            of_rule.add(str(sorted(found)))
        differ += len(of_rule) > 1
    assert differ > 30


@pytest.mark.parametrize(
    ("said", "arrival", "batch"),
    [
        (Lateness(late="drop", watermark="5", lateness="3"), True, False),
        (Lateness(late="update", lateness="3"), True, False),
        (Lateness(late="drop", watermark="5"), False, False),
        (Lateness(watermark="5", watermark_column="w"), True, False),
        (Lateness(watermark="5", engine="spark"), True, False),
        (Lateness(progress="nowhere"), True, False),
        (Lateness(watermark="5", idle="3"), True, False),
        (Lateness(watermark_lag="1..2"), True, False),
        (Lateness(watermark="5", watermark_per_key=True, upstream="p"), True, False),
        (Lateness(complete=True), True, False),
        (Lateness(late_by="time"), True, False),
        (Lateness(), True, True),
        (Lateness(late="update", watermark="5", lateness="3", late_by="time"), True, False),
    ],
)
def test_policies_that_contradict_themselves(said: Lateness, arrival: bool, batch: bool) -> None:
    with pytest.raises(InputError):
        make_policy(said, None, None, arrival=arrival, batch=batch)


def answer(name: str, values: Sequence[Any], kind: Kind = "int") -> tuple[Any, Answer]:
    over = aggregation(name, (kind,))
    product = over.operation.identity
    for value in values:
        product = over.operation.combine(product, over.operation.lift(value))
    return over, over.answer(product, as_text=False)


@pytest.mark.parametrize(
    ("name", "values", "kind", "right", "wrong"),
    [
        ("sum", [2**62, 2**62, 1], "int", ("decimal", str(2**63 + 1)), ("float", 2.0**63)),
        ("sum", [Fraction(1, 10), Fraction(1, 5)], "decimal", ("float", 0.3), ("float", 0.30000000000000004)),
        ("collect", [0.1, 1e22, 2], "float", ("json", "[0.1, 1e22, 2]"), ("json", "[0.1, 1e22, 3]")),
        ("sum", [1, 2], "int", ("float", 3.0), ("float", 3.0000000000000004)),
        ("sum", [0.1] * 10, "float", ("float", 0.9999999999999999), ("float", 0.999999999)),
        ("sum", [1e16, 1.0, -1e16], "float", ("float", 0.0), ("float", 64.0)),
        ("sum", [math.inf, 1.0], "float", ("float", math.inf), ("float", 1.0)),
        ("sum", [math.inf, -math.inf], "float", ("float", math.nan), ("float", 0.0)),
        ("mean", [1, 2, 2], "int", ("float", 5 / 3), ("float", 1.6667)),
        ("mean", [1, 2, 2], "int", ("decimal", "1.667"), ("decimal", "1.666")),
        ("mean", [0.1, 0.2], "float", ("float", 0.15000000000000002), ("float", 0.1500000001)),
        ("population-standard-deviation", [2, 4, 4, 4, 5, 5, 7, 9], "int", ("float", 2.0), ("float", 2.1380899)),
        ("sample-standard-deviation", [0.1, 0.4, 0.2], "float", ("float", 0.15275252316519466), ("float", 0.1247219)),
        ("geometric-mean", [2, 8], "int", ("float", 4.000000000000001), ("float", 4.0001)),
        *((name, [1.0, x], "float", ("float", math.nan), ("float", 1.0))
          for name in ("population-standard-deviation", "sample-standard-deviation") for x in (math.inf, -math.inf)),
        ("population-standard-deviation", [1e200, 3e200], "float", ("float", math.inf), ("decimal", "x")),
        ("product", [2.0, math.nan], "float", ("float", math.nan), ("float", 2.0)),
        ("product", [-2.0, math.inf], "float", ("float", -math.inf), ("float", math.inf)),
        ("product", [0.0, math.inf], "float", ("float", math.nan), ("float", 0.0)),
        ("product", [1e300, 1e300, 0.0], "float", ("float", math.nan), ("decimal", "x")),
        ("geometric-mean", [2.0, math.inf], "float", ("float", math.inf), ("float", 2.0)),
        ("geometric-mean", [2.0, math.nan, math.inf], "float", ("float", math.nan), ("float", math.inf)),
        ("collect", [math.nan, math.inf], "float", ("json", "[NaN, Infinity]"), ("json", "[NaN, NaN]")),
        ("collect", [math.nan, -math.inf], "float", ("json", '["NaN", "-Infinity"]'), ("json", '["NaN", "Infinity"]')),
        ("max", [1, 3, 3], "int", ("int", "3"), ("int", "1")),
        ("max", [0.1, 0.3], "float", ("float", 0.3), ("float", 0.30000000000000004)),
        ("collect", [1, 2], "int", ("json", "[1, 2]"), ("json", "[2, 1]")),
        ("collect", [1, 2], "int", ("json", '{"tuple": [1, 2]}'), ("json", '{"tuple": [2, 1]}')),
        ("first", ["a", "b"], "text", ("json", '"a"'), ("json", '"b"')),
    ],
)  # fmt: skip
def test_rules(name: str, values: list[Any], kind: Kind, right: tuple[Kind, Any], wrong: tuple[Kind, Any]) -> None:
    over, of = answer(name, values, kind)
    for (its, got), said in ((right, True), (wrong, False)):
        text, number = (None, got) if its == "float" else (got, None)
        assert over.agrees(of, text, number, its) is said
    assert not over.agrees(of, None, None, right[0])


def by_halves(values: list[float], combine: Callable[[float, float], float]) -> float:
    """Combine pairwise, as NumPy does."""
    n = len(values)
    if n == 1:
        return values[0]
    return combine(by_halves(values[: n // 2], combine), by_halves(values[n // 2 :], combine))


def deviate(values: list[float], freedom: int) -> tuple[float, ...]:
    """Return the deviation by the moments, in two passes, and by Welford's method."""
    n, mean, squares = len(values), 0.0, 0.0
    for i, x in enumerate(values, 1):
        step = x - mean
        mean += step / i
        squares += step * (x - mean)
    middle = sum(values) / n
    moments = max(0.0, sum(x * x for x in values) - sum(values) ** 2 / n)
    return tuple(math.sqrt(s / (n - freedom)) for s in (moments, sum((x - middle) ** 2 for x in values), squares))


USUAL: dict[str, Callable[[list[float]], tuple[float, ...]]] = {
    "product": lambda v: (math.prod(v), by_halves(v, operator.mul), math.exp(sum(map(math.log, v)))),
    "geometric-mean": lambda v: (
        math.prod(v) ** (1 / len(v)),
        by_halves(v, operator.mul) ** (1 / len(v)),
        math.exp(sum(map(math.log, v)) / len(v)),
        math.exp(by_halves([math.log(x) for x in v], operator.add) / len(v)),
        2.0 ** (sum(map(math.log2, v)) / len(v)),
    ),
    "population-standard-deviation": lambda v: deviate(v, 0),
    "sample-standard-deviation": lambda v: deviate(v, 1),
}
"""Usual computations of each aggregation over floats."""


@pytest.mark.parametrize("name", USUAL)
def test_what_is_made_of_floats_in_a_usual_way_is_right_and_off_by_a_millionth_wrong(name: str) -> None:
    draw = random.Random(17)
    for _ in range(300):
        n = draw.choice((1, 2, 3, 7, 20, 90))
        low, high = draw.choice(((0.5, 2.0), (0.9, 1.1), (1e-3, 3.0), (1e-5, 1e5 if n < 20 else 1.0), (20.0, 30.0)))
        values = [round(draw.uniform(low, high), draw.choice((3, 5, 16))) or high for _ in range(n)]
        if n == 1 and name.startswith("sample"):
            continue
        over, of = answer(name, values, "float")
        for got in USUAL[name](values):
            assert over.agrees(of, None, got, "float"), (values, got, of)
            if n > 1 or "deviation" not in name:
                for off in (1 - 1e-6, 1 + 1e-6):
                    assert not over.agrees(of, None, got * off, "float"), (values, got, of)


def test_a_geometric_mean_is_within_some_roundings_of_what_60_digits_say() -> None:
    """The lists include an even number of factors 1 + eps, and products that exceed every float."""
    draw = random.Random(23)
    lists = [[draw.uniform(1e-8, 1e8) for _ in range(draw.choice((1, 2, 9, 200)))] for _ in range(60)]
    with localcontext(Context(prec=60)):
        for values in (*lists, [1.395], [0.286], [1 + 2**-52] * 8, [5e-324], [1.7e308] * 9):
            exact = (sum((Decimal(x).ln() for x in values), Decimal(0)) / len(values)).exp()
            text = answer("geometric-mean", values, "float")[1].text
            assert abs(Decimal(float(text or "nan")) / exact - 1) < Decimal(3 * 2**-52), values
    assert answer("geometric-mean", [1.395], "float")[1].text == "1.395"


def test_bounds_are_the_tightest_floats() -> None:
    draw = random.Random(5)
    for _ in range(500):
        exact = Fraction(draw.randint(-(10**20), 10**20), draw.randint(1, 10**20))
        low, high = between(exact, exact)
        assert low >= exact >= high
        assert math.nextafter(low, -math.inf) < exact < math.nextafter(high, math.inf)


def test_what_has_no_rule_is_refused() -> None:
    for name, kinds in (
        ("affine", ("float", "float")),
        ("matrix", ("float",) * 4),
        ("bloom", ("text",)),
        ("sum", ("text",)),
        ("sum", ()),
        ("arg-max", ("int",)),
        ("concatenation", ("int",)),
        ("no-such", ("int",)),
    ):
        with pytest.raises(InputError):
            aggregation(name, kinds)  # type: ignore[arg-type]  # from a list of any
    for name in OPERATIONS.keys() - {"bloom"}:
        kinds: Any = {"arg-min": 2, "arg-max": 2, "m4": 2, "affine": 2, "matrix": 4, "unimodular-matrix": 4}.get(
            name, 1
        )
        assert aggregation(name, ("text" if name == "concatenation" else "int",) * kinds).name == name


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_text("x")
    for path in ("nowhere.parquet", "data.bin"):
        with pytest.raises(InputError, match="--events"):
            table("--events", [str(tmp_path / path)], None)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no data"):
        table("--events", [str(tmp_path / "empty")], None)


def report(due_: int = 3, bad: int = 0, **counts: int) -> Findings:
    events = {"files": "e", "rows": 5, "bad": bad, "skipped": 0, "late": 0}
    results = {"files": "r", "rows": 3, "bad": 0, "expected": due_, "open": 0, "undecided": 0, "empty": 0, "excused": 0}
    results |= {"farthest": 0.0, "columnwise": 0}
    policy = {"late": "drop", "watermark": None, "lateness": 0, "watermark_of": "all keys", "complete": False}
    return Findings("tumbling 1", "sum", policy, None, events, results, counts, [])


def test_outcomes() -> None:
    assert [r.report().exit_code for r in (report(), report(missing=1), report(due_=0), report(bad=1))] == [0, 1, 3, 3]
    assert report(wrong=2).to_json()["outcome"] == "violated"
    assert render(report(wrong=2).report()).startswith("violated: r\n  3 results expected: 2 wrong")


def test_a_verdict_counts_expected_results_or_the_affected_windows() -> None:
    cause = {"cause": "ends", "why": "is off", "where": None, "explains": 4, "also": []}
    diagnosed = {"findings": 4, "total": 4, "explained": 4, "keys": 1}
    one = replace(report(due_=9, wrong=6), causes=[cause], diagnosed=diagnosed)
    one = replace(one, results={**one.results, "open": 2})
    assert one.sentence.startswith(
        "7 windows expected: 6 wrong result versions; one diagnosis explains 4 of the 4 affected windows"
    )
    assert replace(report(due_=2, missing=1, wrong=6), diagnosed={}).sentence == (
        "2 windows expected: 1 missing, 6 wrong result versions"
    )


def test_diagnoses_that_the_results_do_not_tell_apart_follow_the_first() -> None:
    cause = {"cause": "ends", "why": "is off", "where": "of key a", "explains": 4, "also": ["late", "lost"]}
    diagnosed = {"findings": 4, "total": 4, "explained": 4, "keys": 1}
    one = replace(report(due_=9, wrong=4), causes=[cause | {"options": "", "example": ""}], diagnosed=diagnosed)
    one_finding = replace(report(due_=1, wrong=1), diagnosed=diagnosed | {"findings": 1, "total": 1, "explained": 0})
    assert one_finding.sentence == "1 result expected: 1 wrong; no diagnosis found for 1 finding"
    said = "ends: is off, of key a (or late, or lost; the results fit each of these)"
    assert one.sentence.endswith(f"one diagnosis explains 4 of 4 findings: {said}")
    assert "4 of 4 findings: ends, or late, or lost" in render(one.report())


def test_unexplained_findings_come_before_a_diagnosis_of_a_few() -> None:
    cause = {"cause": "batch lost", "why": "loses some", "where": None, "explains": 13, "also": []}
    diagnosed = {"findings": 1003, "total": 1003, "explained": 13, "keys": 1}
    few = replace(
        report(wrong=1003), causes=[cause], diagnosed=diagnosed, common=["all 990 are too small", "all are of b"]
    )
    said = "; most of 1,003 findings are unexplained{}; one diagnosis explains 13 of them: batch lost: loses some"
    assert few.sentence.endswith(said.format(": all 990 are too small"))
    assert replace(few, common=[]).sentence.endswith(said.format(""))
    assert replace(few, causes=[]).sentence.endswith("; no diagnosis found for 1,003 findings: all 990 are too small")
    several = replace(few, diagnosed=diagnosed | {"explained": 502})
    assert several.sentence.endswith("; one diagnosis explains 13 of 1,003 findings: batch lost: loses some")


def test_a_hint_comes_before_a_diagnosis() -> None:
    one = replace(report(due_=9, wrong=4), hints=["right with --empty zero"], diagnosed={})
    assert one.sentence == "hint: right with --empty zero; 9 results expected: 4 wrong"
    assert "hint: right with --empty zero" in render(one.report())
    assert "unexplained" not in render(one.report())


def test_what_bad_rows_may_explain_is_no_violation() -> None:
    bad = [
        report(bad=1, missing=1, wrong=2),
        report(bad=1, duplicate=1),
        replace(report(bad=1, wrong=1), allow_bad=True),
    ]
    assert [r.report().exit_code for r in bad] == [3, 1, 1]
    assert bad[0].sentence == "3 results expected: 1 missing, 2 wrong; 1 bad row was left out, which may be why"
    lost = [replace(report(missing=n), results={**report().results, "bad": 1}) for n in (1, 2)]
    assert [r.report().exit_code for r in lost] == [3, 1], "a bad result is one missing result at most"


def test_pages_speak_as_the_text_does() -> None:
    """Times are formatted, fractions are decimal numbers, and only the JSON has JSON."""
    hour = 1_772_355_600_000_000
    events = [{"arrival": 1, "time": hour, "value": {"fraction": "1/3"}}]
    sentence = "ann: [2026-03-01T09:00:00Z, 2026-03-01T09:01:00Z): expected 0.3333333333333333, got 0.5"
    finding: dict[str, Any] = {"kind": "wrong", "cause": "ends", "sentence": sentence, "got": "0.5"}
    finding |= {"expected": '{"fraction": "1/3"}', "proof": json.dumps({"n": 3, "events": events})}
    cause = {"cause": "ends", "why": "each window holds more", "where": None, "explains": 204, "also": ["a pane long"]}
    found = replace(
        report(wrong=208),
        tick="us",
        findings=[finding],
        causes=[cause | {"example": sentence, "options": "--late-by time"}],
        hints=["right with --late-by time"],
        diagnosed={"findings": 208, "explained": 204, "keys": 3, "total": 208},
        bad_rows=[{"table": "events", "reason": "value is null", "file": "e.csv", "row": '{"k": "x", "v": null}'}],
    ).report()
    assert found.sentence.startswith("hint: right with --late-by time; 3 windows expected: ")
    assert found.sentence.endswith(
        "; one diagnosis explains 204 of 208 findings: ends: "
        "each window holds more (or a pane long; the results fit both)"
    )
    pages = [render(found), html.render(found), markdown.render(found)]
    for page in pages:
        plain = page.replace("\\", "")
        for said in (
            sentence,
            "204",
            "a pane long",
            "--late-by time",
            "unexplained",
            "2026-03-01T09:00:00Z: 0.3333333333333333",
            "k x, v",
        ):
            assert said in plain
        for blob in ("fraction", '{"', "&quot;", str(hour), "window_start"):
            assert blob not in plain
    assert "and 2 more events" in pages[0]
