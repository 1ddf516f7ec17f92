"""What columns hold, whatever their type: right results conform in each, and wrong ones are found."""

import random
from collections.abc import Callable
from math import inf, isnan, nan
from typing import Any

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
