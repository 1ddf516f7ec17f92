"""What columns hold, whatever their type: right results conform in each, and wrong ones are found."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.auditing import Row, run


def tumble(values: list[Any], answer: Callable[[list[Any]], Any]) -> tuple[list[Row], list[Row]]:
    """Events at 0, 1, ..., and what a job answers of each ten of them."""
    events = [{"key": "a", "time": n, "seq": n, "value": value} for n, value in enumerate(values)]
    starts = range(0, len(values), 10)
    return events, [{"key": "a", "window_start": a, "result": answer(values[a : a + 10])} for a in starts]


def count_distinct(values: list[float]) -> int:
    """NaN is one value, as in DuckDB, Polars, pandas and Spark."""
    return len({value for value in values if not isnan(value)}) + any(map(isnan, values))


@pytest.mark.parametrize(
    ("aggregate", "answer", "wrong"),
    [
        ("distinct-count", count_distinct, len),
        ("collect", list, lambda held: [0.5 if isnan(value) else value for value in held]),
        ("last", lambda held: held[-1], lambda held: 0.25),
        ("sum", sum, lambda held: 1.0),
        ("mean", lambda held: sum(held) / len(held), lambda held: 1.0),
    ],
)
def test_nan_is_a_value_like_others(
    aggregate: str, answer: Callable[[list[float]], Any], wrong: Callable[[list[float]], Any]
) -> None:
    draw = random.Random(5)
    values = [float("nan") if draw.random() < 0.3 else draw.choice((1.5, 2.5, -inf)) for _ in range(80)]
    report = run(*tumble(values, answer), "tumbling 10", aggregate)
    assert (report.outcome, report.events["bad"]) == ("conforms", 0), report.sentence
    report = run(*tumble(values, wrong), "tumbling 10", aggregate)
    assert report.counts["wrong"] > 4, report.sentence


@pytest.mark.parametrize("aggregate", ["median", "top-2", "min"])
def test_nan_is_refused_where_engines_order_it_differently(aggregate: str) -> None:
    events, results = tumble([1.0, nan, 2.0], lambda held: 1.0)
    report = run(events, results, "tumbling 10", aggregate)
    assert [row["reason"] for row in report.bad_rows] == ["value is NaN"]


def table_of(path: Path, columns: dict[str, tuple[Sequence[Any], Any]]) -> Path:
    """A Parquet file of these columns, each with its type."""
    pq.write_table(pa.table({name: pa.array(cells, kind) for name, (cells, kind) in columns.items()}), path)
    return path


def lines_of(path: Path, columns: dict[str, Sequence[Any]]) -> Path:
    """The same as JSON lines."""
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return path


MOMENTS = [datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(minutes=7 * i) for i in range(4)]
DECIMALS = [Decimal("0.10"), Decimal("2.50"), Decimal("-1.00"), Decimal("0.30")]
NESTED: dict[str, tuple[Any, list[Any]]] = {
    "bool": (pa.bool_(), [True, False, False, True]),
    "decimal": (pa.decimal128(4, 2), DECIMALS),
    "wide decimal": (pa.decimal256(40, 2), DECIMALS),
    "moment": (pa.timestamp("us", "UTC"), MOMENTS),
    "moment of a zone": (pa.timestamp("ms", "Europe/Berlin"), MOMENTS),
    "date": (pa.date32(), [moment.date() + timedelta(days=moment.minute) for moment in MOMENTS]),
    "struct": (pa.struct([("a", pa.int64()), ("b", pa.string())]), [{"a": it, "b": None} for it in range(4)]),
    "list": (pa.list_(pa.int64()), [[1], [], [2, 3], [None]]),
    "text": (pa.large_string(), ["a", '"', "{", ""]),
}


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize("form", ["list", "large list", "JSON"])
def test_lists_of_any_type(tmp_path: Path, name: str, form: str) -> None:
    kind, values = NESTED[name]
    events = table_of(
        tmp_path / "e.parquet",
        {"key": (["a"] * 4, None), "time": ([*range(4)], None), "seq": ([*range(4)], None), "value": (values, kind)},
    )
    listed = pa.large_list(kind) if form == "large list" else pa.list_(kind)
    right, wrong = [values[:2], values[2:]], [values[:2], values[:1:-1]]
    for answers, outcome in ((right, "conforms"), (wrong, "violated")):
        columns: dict[str, Any] = {"key": ["a", "a"], "window_start": [0, 2], "result": answers}
        if form == "JSON":
            results = lines_of(tmp_path / "r.jsonl", columns)
        else:
            typed = {of: (cells, listed if of == "result" else None) for of, cells in columns.items()}
            results = table_of(tmp_path / "r.parquet", typed)
        report = run(events, results, "tumbling 2", "collect")
        assert (report.outcome, report.counts["wrong"]) == (outcome, outcome == "violated"), report.sentence


@pytest.mark.parametrize("aggregate", ["top-3", "first", "last", "distinct-count"])
@pytest.mark.parametrize("name", ["decimal", "moment", "date", "struct"])
def test_answers_in_json_lines_need_no_type(tmp_path: Path, name: str, aggregate: str) -> None:
    kind, values = NESTED[name]
    if (name, aggregate) == ("struct", "top-3"):
        return  # which has no order
    events = table_of(
        tmp_path / "e.parquet",
        {"key": (["a"] * 4, None), "time": ([*range(4)], None), "seq": ([*range(4)], None), "value": (values, kind)},
    )
    answer: dict[str, Callable[[], Any]] = {
        "top-3": lambda: sorted(values, reverse=True)[:3],
        "first": lambda: values[0],
        "last": lambda: values[-1],
        "distinct-count": lambda: 4,
    }
    wrong = {"top-3": lambda: sorted(values)[:3], "first": lambda: values[1], "last": lambda: values[1]}
    for made, outcome in ((answer, "conforms"), (wrong, "violated")):
        found = made.get(aggregate, lambda: 3)()
        results = lines_of(tmp_path / "r.jsonl", {"key": ["a"], "window_start": [0], "result": [found]})
        report = run(events, results, "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence
