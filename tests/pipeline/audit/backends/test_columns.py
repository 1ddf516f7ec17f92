"""Column-wise results: the report is the same as if the reference had computed all results."""

from collections import defaultdict
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swagproof import AuditReport, audit
from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import Event
from swagproof.pipeline.audit.backends import columns, exchange
from swagproof.pipeline.audit.backends.columns import Columns

AGGREGATES: dict[str, Any] = {"count": len, "sum": sum, "min": min, "max": max}
TYPES = {"int": (pa.int64(), pa.int64()), "decimal": (pa.decimal128(20, 2), pa.decimal128(24, 3)),
         "float": (pa.int64(), pa.float64()), "text": (pa.int64(), pa.string())}  # fmt: skip
WINDOWS = ("tumbling 4", "sliding 7 every 3", "sliding 2 every 5 offset 1", "tumbling 4 closed right",
           "sliding 6 every 2 closed both", "sliding 6 every 4 closed neither", "sliding 40 every 1")  # fmt: skip


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have small tables compared column by column, too."""
    monkeypatch.setattr(exchange, "FEW", 0)
    monkeypatch.setattr(columns, "FEW", 8)
    monkeypatch.setattr(columns, "SHARES", (3, 1))
    monkeypatch.setattr(columns, "LEAST", 4)


def make_results(events: list[tuple[Any, ...]], window: str, aggregate: str) -> list[list[Any]]:
    """Return results by the definition, without late events and nulls: key, start, end, result."""
    spec = parse_window(window, "plain")
    assert isinstance(spec, Sliding)
    of_key: dict[str, list[Event]] = defaultdict(list)
    for key, time, value in events:
        if value is not None:
            of_key[key].append(Event(time, value))
    return [
        [key, x.begin, x.end, AGGREGATES[aggregate]([event.value for event in x.events])]
        for key, its in of_key.items()
        for x in spec.extents(its)
    ]


def audit_both(
    events: list[tuple[Any, ...]], results: list[list[Any]], kind: str, *, drop: tuple[str, ...] = (), **asked: Any
) -> tuple[AuditReport, AuditReport]:
    """Return the report, and a report by the reference alone."""
    of_values, of_results = TYPES[kind]
    if asked["aggregate"] == "count" and kind == "decimal":
        of_results = pa.int64()
    keys, times, values = zip(*events, strict=True)
    told = [None if value is None else Decimal(value) / 4 if kind == "decimal" else value for value in values]
    there = {"key": keys, "at": pa.array(times, pa.int64()), "n": range(len(keys)), "v": pa.array(told, of_values)}
    names = ("key", "window_start", "window_end", "result")
    cells = [[row[i] for row in results] for i in range(4)]
    if kind == "decimal" and asked["aggregate"] != "count":
        cells[3] = [Decimal(cell) / 4 for cell in cells[3]]
    said = [None if kind != "text" else str(cell) for cell in cells[3]] if kind == "text" else cells[3]
    types = (pa.string(), pa.int64(), pa.int64(), of_results)
    columns_ = {
        name: pa.array(cell, type_)
        for name, cell, type_ in zip(names, [*cells[:3], said], types, strict=True)
        if name not in drop
    }
    options: dict[str, Any] = {"key": "key", "time": "at", "value": "v", "arrival": "n", **asked}
    if kind == "text":
        options["result"] = "result:decimal"
    first, second = (audit(pa.table(there), pa.table(columns_), **options, columnwise=it) for it in (True, False))
    return first, second


def compare(first: AuditReport, second: AuditReport) -> None:
    """Compare two reports, except for the time and the part computed column by column."""
    said = [
        report.data | {"seconds": 0, "results": report.data["results"] | {"columnwise": 0}}
        for report in (first, second)
    ]
    assert said[0] == said[1]
    assert second.data["results"]["columnwise"] == 0


EVENTS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(-30, 30), st.integers(-9, 9) | st.sampled_from((None, 1, 2, 3))),
    min_size=15,
    max_size=60,
)
MISTAKES = st.lists(
    st.tuples(st.sampled_from(("lost", "changed", "repeated", "moved", "foreign")), st.integers(0, 200)), max_size=2
)


EVENLY = [(key, time, 1) for time in range(20) for key in "abcdef"]
"""Events with which one key may be wrong while the others agree."""


def test_reports_are_those_of_the_reference_alone() -> None:
    found: list[tuple[int, str]] = []

    late: tuple[Any, ...] = (
        {}, {}, {"watermark": "40"}, {"watermark": "3", "complete": True}, {"watermark": "3", "late_by": "time"},
    )  # fmt: skip
    asked = {
        "window": st.sampled_from(WINDOWS), "aggregate": st.sampled_from(sorted(AGGREGATES)),
        "nulls": st.sampled_from(("skip", "ignore")), "diagnosis": st.sampled_from((True, False, False)),
        "drop": st.sampled_from(((), ("window_start",), ("window_end",))),
    }  # fmt: skip

    @settings(max_examples=80, deadline=None)
    @given(EVENTS, MISTAKES, st.sampled_from(sorted(TYPES)), st.sampled_from(late), st.fixed_dictionaries(asked))
    def check(events: Any, mistakes: Any, kind: str, late: Any, asked: Any) -> None:
        results = make_results(events, asked["window"], asked["aggregate"])
        for mistake, at in mistakes if results else ():
            row = results[at % len(results)]
            match mistake:
                case "lost":
                    results.remove(row)
                case "changed":
                    row[3] += 1
                case "repeated":
                    results.append([*row])
                case "moved":
                    row[1:3] = row[1] + 1, row[2] + 1
                case _:
                    results.append(["z", *row[1:]])
            if not results:
                break
        first, second = audit_both(events, results, kind, **asked, **late)
        compare(first, second)
        found.append((first.data["results"]["columnwise"], first.outcome))

    for window, mistakes, aggregate in product(WINDOWS, ([], [("changed", 5)]), ("sum", "max")):
        plain = {"window": window, "aggregate": aggregate, "nulls": "skip", "diagnosis": False, "drop": ()}
        check = example(EVENLY, mistakes, "int", {}, plain)(check)  # as drawn
    check()
    alone = [outcome for n, outcome in found if n]
    assert {"conforms", "violated"} <= set(alone)
    assert len(alone) > 10


@pytest.mark.parametrize("keys", ["abcdefghij", "a"])
@pytest.mark.drawn(1)
def test_a_sample_shows_a_wrong_column(monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    """Columns with the minimum for the sum agree with such a job; with one key, the sample is a span of time."""
    events = [(key, time, time % 5 + 1) for time in range(200) for key in keys]
    asked: dict[str, Any] = {"window": "sliding 6 every 2", "aggregate": "sum"}
    right = audit_both(events, make_results(events, asked["window"], "sum"), "int", **asked)
    compare(*right)
    due = right[0].data["results"]["expected"]
    assert right[0].conforms
    assert due > right[0].data["results"]["columnwise"] > due // 2
    assert f"it computed {due - right[0].data['results']['columnwise']} of " in str(right[0]).replace(",", "")
    monkeypatch.setitem(columns._UFUNCS, "sum", np.minimum)  # pyright: ignore[reportPrivateUsage]  # broken on purpose
    wrong = audit_both(events, make_results(events, asked["window"], "min"), "int", **asked)
    compare(*wrong)
    assert wrong[0].outcome == "violated"
    assert wrong[0].data["results"]["columnwise"] == 0

    monkeypatch.setattr(Columns, "_sample", lambda _, seen, agreed, ends: (~seen.agrees, None, agreed & False))
    unseen, _ = audit_both(events, make_results(events, asked["window"], "min"), "int", **asked)
    assert unseen.conforms


def test_a_sample_has_windows_where_events_are_many_and_windows_few(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [("a", time, 1) for time in range(300)]
    monkeypatch.setitem(columns._UFUNCS, "sum", np.minimum)  # pyright: ignore[reportPrivateUsage]  # broken on purpose
    asked: dict[str, Any] = {"window": "tumbling 100", "aggregate": "sum"}
    report, _ = audit_both(events, make_results(events, asked["window"], "min"), "int", **asked)
    assert report.outcome == "violated"


@pytest.mark.parametrize("wrong", [str(2**128 + 10), "1e-39", "1" + "0" * 38 + "e-38"])
def test_texts_that_a_cast_takes_for_other_numbers_are_the_references(wrong: str) -> None:
    """Some have more digits than 128 bits can hold, others an exponent."""
    value = 0 if wrong == "1e-39" else 1
    events = [(key, time, value) for key in "abcdefghij" for time in range(40)]
    results = make_results(events, "tumbling 10", "sum")
    results[37][3] = wrong
    report, _ = audit_both(events, results, "text", window="tumbling 10", aggregate="sum")
    assert report.outcome == "violated"


@pytest.mark.parametrize("many", [Decimal("0.123456789"), Decimal("1e13"), None])
def test_a_number_of_many_digits_leaves_the_other_keys_to_the_columns(many: Decimal | None) -> None:
    at = [(key, time) for key in "abcdefghij" for time in range(40)]
    values = [many if place == ("c", 7) else Decimal(1) for place in at]
    sums = defaultdict[tuple[str, int], Decimal](Decimal)
    for (key, time), value in zip(at, values, strict=True):
        sums[key, time // 10 * 10] += value or 0
    keys, times = zip(*at, strict=True)
    results = dict(zip(("key", "window_start"), zip(*sums, strict=True), strict=True))
    events = pa.table({"key": keys, "at": times, "n": range(400), "v": pa.array(values, pa.decimal128(38, 9))})
    for wrong in (0, 1):
        told = [total + wrong * (place == ("c", 0)) for place, total in sums.items()]
        table = pa.table({**results, "result": pa.array(told, pa.decimal128(38, 9))})
        report = audit(
            events, table, key="key", time="at", value="v", window="tumbling 10", aggregate="sum", nulls="ignore"
        )
        assert report.data["counts"]["wrong"] == wrong
        assert report.data["results"]["columnwise"] > 20


def test_columns_that_miss_windows_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample counts windows, too: a job that omits windows of each key is rejected although the columns agree."""
    events = [(key, time, 1) for time in range(60) for key in "abcdef"]
    asked: dict[str, Any] = {"window": "sliding 6 every 2", "aggregate": "sum"}
    results = [row for row in make_results(events, asked["window"], "sum") if row[2] % 4 == 0]
    compared = Columns._compare  # pyright: ignore[reportPrivateUsage]  # broken on purpose
    monkeypatch.setattr(Columns, "_compare", _every_other(compared))
    reports = audit_both(events, results, "int", **asked)
    compare(*reports)
    assert reports[0].data["counts"]["missing"] > 0


def _every_other(compare_: Any) -> Any:
    """Return a comparison that ignores every other window."""

    def run(self: Columns) -> Any:
        seen = compare_(self)
        known = (seen.ends - self.shift) % 4 == 0
        agrees = np.ones_like(seen.agrees)
        return seen._replace(agrees=agrees, keys=seen.keys[known], ends=seen.ends[known], lacks=seen.lacks[known])

    return run
