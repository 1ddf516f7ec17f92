"""Deliberately rounded answers of engines: right with `--rounding`, and wrong after a change by one unit."""

import math
import random
import sqlite3
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from support.auditing import Row, judge, run

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind, Rounding

WIDTH = 4
INTS, FLOATS = "value", "value:float"


def make_events(kind: str) -> list[Row]:
    """Return integers, or floats of which many are midway between two cents; some means of both are ties."""
    draw = random.Random(2)
    events: list[Row] = []
    for seq in range(900):
        n = draw.randint(-99, 99)
        value = n if kind == INTS else draw.choice((n / 100 + 0.005, n / 8))
        events.append({"key": draw.choice("ab"), "time": seq // 3, "seq": seq, "value": value})
    return events


def name(rows: Iterable[tuple[str, Any, Any]]) -> list[Row]:
    """Return the rows sorted: engines return groups in any order, and a unit more may be right for a tied mean."""
    return [{"key": key, "window_start": int(start), "result": result} for key, start, result in sorted(rows)]


def ask_duckdb(expression: str) -> Callable[[list[Row]], list[Row]]:
    def ask(events: list[Row]) -> list[Row]:
        with duckdb.connect() as base:
            base.register("events", pd.DataFrame(events))
            said = f"select key, time // {WIDTH} * {WIDTH} as began, {expression} from events group by key, began"
            return name(base.execute(said).fetchall())

    return ask


def ask_sqlite(expression: str) -> Callable[[list[Row]], list[Row]]:
    def ask(events: list[Row]) -> list[Row]:
        base = sqlite3.connect(":memory:")
        base.execute("create table events(key, time, seq, value)")
        base.executemany("insert into events values (?, ?, ?, ?)", [tuple(event.values()) for event in events])
        said = f"select key, time / {WIDTH} * {WIDTH} as began, {expression} from events group by key, began"
        return name(base.execute(said).fetchall())

    return ask


def ask_pandas(digits: int) -> Callable[[list[Row]], list[Row]]:
    def ask(events: list[Row]) -> list[Row]:
        frame = pd.DataFrame(events)
        means = frame.groupby(["key", frame["time"] // WIDTH * WIDTH])["value"].mean().round(digits)
        return name((str(key), start, float(mean)) for (key, start), mean in means.items())  # type: ignore[misc]  # a pair

    return ask


def ask_polars(expression: pl.Expr) -> Callable[[list[Row]], list[Row]]:
    def ask(events: list[Row]) -> list[Row]:
        start = (pl.col("time") // WIDTH * WIDTH).alias("at")
        return name(pl.DataFrame(events).group_by("key", start).agg(expression.alias("r")).rows())

    return ask


MEAN = pl.col("value").mean()
ENGINES = {
    "duckdb, round": (ask_duckdb("round(avg(value), 2)"), "2 half-up"),
    "duckdb, round_even": (ask_duckdb("round_even(avg(value), 1)"), "1 half-even"),
    "duckdb, cast": (ask_duckdb("cast(avg(value) as int)"), "0 half-even"),
    "duckdb, trunc": (ask_duckdb("trunc(avg(value))"), "0 down"),
    "duckdb, floor": (ask_duckdb("floor(avg(value))"), "0 floor"),
    "duckdb, ceil": (ask_duckdb("ceil(avg(value))"), "0 ceiling"),
    "sqlite, round": (ask_sqlite("round(avg(value), 2)"), "2 half-up"),
    "sqlite, cast": (ask_sqlite("cast(avg(value) as integer)"), "0 down"),
    "pandas, cents": (ask_pandas(2), "2 half-even"),
    "pandas, tens": (ask_pandas(-1), "-1 half-even"),
    "polars, round": (ask_polars(MEAN.round(2)), "2 half-even"),
    "polars, away from zero": (ask_polars(MEAN.round(1, mode="half_away_from_zero")), "1 half-up"),
}


@pytest.mark.parametrize("kind", [INTS, FLOATS])
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_that_round_are_right_and_one_unit_more_is_not(engine: str, kind: str) -> None:
    ask, rounding = ENGINES[engine]
    events = make_events(kind)
    results = ask(events)
    window = f"tumbling {WIDTH}"

    def count_wrong(rounding: str) -> int:
        of: Kind = "int" if kind == INTS else "float"
        result: Kind = "int" if isinstance(results[0]["result"], int) else "float"
        found = judge(events, results, window, "mean", kind=of, result=result, rounding=rounding)
        assert found.due == len(results)
        return found.counts.get("wrong", 0)

    assert count_wrong(rounding) == 0
    assert (count_wrong("0") > 9) is (rounding != "0 half-even"), "the rounding makes a difference"
    unit = 10.0 ** -Rounding.parse(rounding).digits
    results[7]["result"] += type(results[7]["result"])(unit)
    assert count_wrong(rounding) == 1


def test_duckdbs_mean_of_decimals_is_one_of_doubles_whatever_it_is_cast_to() -> None:
    """So a tie may go either way; an exact mean would round up."""
    events = [{**event, "value": round(event["value"] / 100, 2)} for event in make_events(INTS)]
    results = ask_duckdb("cast(avg(cast(value as decimal(10, 2))) as decimal(10, 2))")(events)
    assert all(isinstance(row["result"], Decimal) for row in results)

    def count_wrong(results: list[Row], kind: Kind) -> int:
        of = [{**event, "value": str(event["value"])} for event in events] if kind == "decimal" else events
        asked: dict[str, Any] = {"result": "decimal", "rounding": "2 half-up"}
        return judge(of, results, f"tumbling {WIDTH}", "mean", kind=kind, **asked).counts.get("wrong", 0)

    assert count_wrong(results, "float") == 0
    assert count_wrong(results, "decimal") > 0, "which is why the manual says --value NAME:float"
    results[7]["result"] += Decimal("0.01")
    assert count_wrong(results, "float") == 1


def mean_of(values: list[int]) -> float:
    return sum(values) / len(values)


def answer(events: list[Row], what: Callable[[float], Any], *, closed_right: bool = False) -> list[Row]:
    windows: dict[tuple[str, int], list[int]] = {}
    for event in events:
        start = -(-event["time"] // WIDTH) * WIDTH - WIDTH if closed_right else event["time"] // WIDTH * WIDTH
        windows.setdefault((event["key"], start), []).append(event["value"])
    return name((key, start, what(mean_of(values))) for (key, start), values in windows.items())


def test_who_rounds_is_told_so_and_who_rounds_otherwise_than_asked_is_named() -> None:
    events = make_events(INTS)[:300]
    window = f"tumbling {WIDTH}"
    for what, rounding in ((lambda x: round(x, 2), "'2 half-even"), (int, "'0 down'")):
        report = run(events, answer(events, what), window, "mean")
        assert report.hints[0].startswith(f"right with --rounding {rounding}"), report.hints
    cut = answer(events, lambda x: math.trunc(x * 100) / 100)
    report = run(events, cut, window, "mean", rounding="2")
    assert report.causes[0]["cause"] == "truncated", report.sentence
    report = run(events, answer(events, lambda x: round(x, 1)), window, "mean", rounding="2")
    assert report.causes[0]["cause"] == "rounded", report.sentence


def test_another_mistake_is_named_beneath_the_rounding() -> None:
    events = make_events(INTS)[:300]
    moved = answer(events, lambda x: round(x, 2), closed_right=True)
    report = run(events, moved, f"tumbling {WIDTH}", "mean", rounding="2 half-even")
    assert "ends" in {report.causes[0]["cause"], *report.causes[0]["also"]}, report.sentence
    assert report.causes[0]["explains"] >= 0.97 * report.diagnosed["findings"]


def test_decimals_are_rounded_as_they_are_and_rolling_answers_beside_what_a_running_sum_excuses() -> None:
    events = make_events(INTS)
    cents = answer(events, lambda x: Decimal(x).quantize(Decimal("0.01")))
    report = run(events, cents, f"tumbling {WIDTH}", "mean", rounding="2 half-even")
    assert report.outcome == "conforms", report.sentence
    assert report.sentence.endswith("rounded by --rounding '2 half-even'"), "what is done is told"
    cents[3]["result"] += Decimal("0.01")
    assert judge(events, cents, f"tumbling {WIDTH}", "mean", result="decimal", rounding="2").counts == {"wrong": 1}
    floats = make_events(FLOATS)
    frame = pd.DataFrame(floats)
    rolled = frame.groupby("key")["value"].rolling(5, min_periods=1).mean().round(2).reset_index(level=0, drop=True)
    rows = [{**event, "result": float(rolled[i])} for i, event in enumerate(floats)]
    asked: dict[str, Any] = {"value": (FLOATS,), "rounding": "2", "summation": "running"}
    assert run(floats, rows, "rows -4 0", "mean", **asked).outcome == "conforms"
    rows[5]["result"] += 0.01
    assert (
        judge(floats, rows, "rows -4 0", "mean", kind="float", summation="running", rounding="2").counts["wrong"] == 1
    )


@pytest.mark.parametrize("text", ["x", "2 up", "222", "2.5", ""])
def test_a_rounding_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"--rounding .*digits after the point"):
        Rounding.parse(text)


def test_what_is_no_number_is_not_rounded() -> None:
    events = [{"key": "a", "time": 1, "seq": 0, "value": "x"}]
    results = [{"key": "a", "window_start": 0, "result": "x"}]
    with pytest.raises(InputError, match="--rounding: applies to numeric results, not to text"):
        run(events, results, "tumbling 4", "max", rounding="2", value=("value:text",))
