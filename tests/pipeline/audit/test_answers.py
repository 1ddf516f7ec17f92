"""Answers of engines, such as medians of floats and aggregates with NULL: they conform, and wrong ones are found."""

import math
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars
import pytest
from support.auditing import Row, judge, run, write

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import aggregation

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SIZE = 4


def lay_out(values: Sequence[Any]) -> list[Row]:
    """Return events of one key, SIZE per window."""
    return [{"key": "k", "time": i, "seq": i, "value": value} for i, value in enumerate(values)]


def in_polars(values: Sequence[Any], kind: Any) -> list[Row]:
    """Return the median of each window, computed by Polars."""
    frame = polars.DataFrame(
        {"window": [i // SIZE * SIZE for i in range(len(values))], "v": polars.Series(values, dtype=kind)}
    )
    grouped = frame.group_by("window", maintain_order=True).agg(polars.col("v").median())
    return [{"key": "k", "window_start": w, "result": v} for w, v in grouped.iter_rows()]


def in_duckdb(events: Sequence[Row], answer: str, type_: str) -> list[Row]:
    """Return an aggregate's answer for each window, in the order of seq."""
    held = duckdb.connect()
    try:
        held.execute(f"create table e (seq bigint, v {type_}, m bigint)")
        held.executemany("insert into e values (?, ?, ?)", [[e["seq"], e["value"], e.get("measure")] for e in events])
        asked = f"select seq // {SIZE} * {SIZE} w, {answer} from e group by w order by w"
        return [{"key": "k", "window_start": w, "result": v} for w, v in held.execute(asked).fetchall()]
    finally:
        held.close()


def refuse_spoilt(events: Sequence[Row], rows: list[Row], aggregate: str, wrong: Any, **options: Any) -> None:
    """Check that one wrong answer among right ones is found."""
    spoilt = [{**row, "result": wrong} if i == 3 else row for i, row in enumerate(rows)]
    assert run(events, spoilt, f"tumbling {SIZE}", aggregate, **options).counts["wrong"] == 1


# Medians


def draw_floats(seed: int, n: int = 400) -> list[float]:
    draw = random.Random(seed)
    return [draw.uniform(-1, 1) * 10 ** draw.randint(-9, 9) for _ in range(n)]


def test_medians_of_floats_are_rounded_as_engines_do() -> None:
    """Engines add half a difference, or halve a sum: these differ in the last digits."""
    values = [*draw_floats(5), 0.1, 0.1, 0.5, 0.5, 1.7e308, 1.7e308, 1.5e308, 1.5e308]
    events = lay_out(values)
    made = {
        "polars": in_polars(values, polars.Float64),
        "duckdb": in_duckdb(events, "median(v)", "double"),
    }
    made["half a sum"] = [
        {**row, "result": (four[1] / 2 + four[2] / 2)}
        for row, four in zip(
            made["polars"], (sorted(values[i : i + SIZE]) for i in range(0, len(values), SIZE)), strict=True
        )
    ]
    assert len({str([row["result"] for row in rows]) for rows in made.values()}) > 1, "they differ"
    for name, rows in made.items():
        assert judge(events, rows, f"tumbling {SIZE}", "median", kind="float").counts == {}, name
        rows[7]["result"] *= 1 + 1e-12
        assert judge(events, rows, f"tumbling {SIZE}", "median", kind="float").counts == {"wrong": 1}, name


def test_a_median_in_the_middle_is_not_rounded() -> None:
    values = [v for v in draw_floats(6, 40) for _ in range(2)][:40]
    rows = [{"key": "k", "window_start": i, "result": sorted(values[i : i + 5])[2]} for i in range(0, 40, 5)]
    assert judge(lay_out(values), rows, "tumbling 5", "median", kind="float").counts == {}
    rows[2]["result"] *= 1 + 2**-52
    assert judge(lay_out(values), rows, "tumbling 5", "median", kind="float").counts == {"wrong": 1}


def test_medians_of_32_bits_are_said_to_be() -> None:
    values = polars.Series(draw_floats(7), dtype=polars.Float32).to_list()
    rows, events = in_polars(values, polars.Float32), lay_out(values)
    asked: Any = {"kind": "float", "summation": "float32"}
    assert judge(events, rows, f"tumbling {SIZE}", "median", kind="float").counts["wrong"] > 10
    assert set(judge(events, rows, f"tumbling {SIZE}", "median", **asked).counts) == {"excused"}
    rows[3]["result"] *= 1.001
    assert judge(events, rows, f"tumbling {SIZE}", "median", **asked).counts["wrong"] == 1
    with pytest.raises(InputError, match="--summation running: applies to sums"):
        judge(events, rows, "sliding 4 every 2", "median", kind="float", summation="running")


def test_medians_of_integers_as_doubles_of_decimals_and_of_times() -> None:
    draw = random.Random(8)
    wide = [draw.randint(2**53, 2**62) for _ in range(80)]
    narrow = [draw.randint(-50, 50) for _ in range(80)]
    for values in (wide, narrow):
        for rows in (in_duckdb(lay_out(values), "median(v)", "bigint"), in_polars(values, polars.Int64)):
            report = run(lay_out(values), rows, f"tumbling {SIZE}", "median")
            assert report.outcome == "conforms", report.sentence
            refuse_spoilt(lay_out(values), rows, "median", rows[3]["result"] + 1e4)
    refuse_spoilt(lay_out(narrow), rows, "median", rows[3]["result"] + 2**-40)
    cents = [Decimal(draw.randint(-500, 500)).scaleb(-2) for _ in range(80)]
    rows = in_duckdb(lay_out(cents), "median(v)", "decimal(9,2)")
    report = run(lay_out(cents), rows, f"tumbling {SIZE}", "median")
    assert report.outcome == "conforms", report.sentence
    refuse_spoilt(lay_out(cents), rows, "median", rows[3]["result"] + Decimal("0.02"))
    times = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(microseconds=draw.randint(0, 10**9)) for _ in range(80)]
    events = [{**event, "time": times[0] + timedelta(seconds=i)} for i, event in enumerate(lay_out(times))]
    naive = in_duckdb(lay_out([it.replace(tzinfo=None) for it in times]), "median(v)", "timestamp")
    rows = [
        {**row, "window_start": events[row["window_start"]]["time"], "result": row["result"].replace(tzinfo=UTC)}
        for row in naive
    ]
    report = run(events, rows, "tumbling 4s origin 2024-01-01T00:00:00Z", "median")
    assert report.outcome == "conforms" or report.counts["wrong"] == 0, report.sentence


def test_a_median_in_a_column_of_integers_is_no_rounding(tmp_path: Path) -> None:
    """The same holds for integers in a text file, and for an odd number of decimals."""
    wide = [1_700_000_000_000_000_001, 1_700_000_000_000_000_301]
    for events, right, wrong in ((wide, wide[0] + 150, wide[0] + 999), (wide[:1], wide[0], wide[0] + 100)):
        for value, outcome in ((right, "conforms"), (wrong, "violated")):
            rows = [{"key": "k", "window_start": 0, "result": value}]
            assert run(lay_out(events), rows, f"tumbling {SIZE}", "median").outcome == outcome
    (tmp_path / "e.csv").write_text("key,time,seq,value\nk,0,0,2\nk,1,1,3\n")
    asked: Any = {"time": "time:int", "value": ("value:int",), "arrival": "seq", "window_start": "window_start:int"}
    for said, outcome in (("2.5", "conforms"), ("2", "violated"), ("3", "violated")):
        (tmp_path / "r.csv").write_text(f"key,window_start,result\nk,0,{said}\n")
        report = run(tmp_path / "e.csv", tmp_path / "r.csv", f"tumbling {SIZE}", "median", **asked)
        assert report.outcome == outcome, (said, report.sentence)
    odd = lay_out([Decimal("1.25")])
    for said, outcome in (("1.25", "conforms"), ("1.3", "violated")):
        decimals = [{"key": "k", "window_start": 0, "result": Decimal(said)}]
        assert run(odd, decimals, f"tumbling {SIZE}", "median").outcome == outcome


@pytest.mark.parametrize(
    ("aggregate", "right"),
    [("median", "2e400"), ("mean", "2e400"), ("population-standard-deviation", None), ("geometric-mean", None)],
)
def test_decimals_that_no_float_holds_do_not_end_the_audit(tmp_path: Path, aggregate: str, right: str | None) -> None:
    """Their answer exceeds every float, except infinity; no decimal is an exact root."""
    (tmp_path / "e.csv").write_text("key,time,seq,value\nk,0,0,1e400\nk,1,1,3e400\n")
    asked: Any = {"time": "time:int", "value": ("value:decimal",), "arrival": "seq", "window_start": "window_start:int"}
    cases = [("5", "decimal", "violated"), ("5", "float", "violated")]
    for said, kind, outcome in [*cases, *([] if right is None else [(right, "decimal", "conforms")])]:
        (tmp_path / "r.csv").write_text(f"key,window_start,result\nk,0,{said}\n")
        asked["result"] = f"result:{kind}"
        report = run(tmp_path / "e.csv", tmp_path / "r.csv", f"tumbling {SIZE}", aggregate, **asked)
        assert report.outcome == outcome, (said, kind, report.sentence)


def test_where_a_part_is_larger_than_any_float_not_any_answer_will_do() -> None:
    inf, nan = math.inf, math.nan
    cases: list[tuple[str, list[float], tuple[float, ...], float]] = [
        ("sum", [1e308, 1e308], (inf, nan), 5.0),
        ("sum", [1e308, 1e308, -1e308], (1e308, inf), 5.0),
        ("product", [1e3] * 102 + [1.0] * 2, (1e306,), 7.0),
        ("population-standard-deviation", [1e155, 3e155], (1e155, inf), 5.0),
        ("median", [1e308, 1.7e308], (1.35e308, inf), 5.0),
        ("median", [-inf, 1.0], (-inf, nan), 5.0),
        ("median", [5e-324, 1e-323], (5e-324, 1e-323), 1.0),
        ("mean", [5e-324, 0.0], (0.0, 5e-324), 1.0),
    ]
    for name, values, right, wrong in cases:
        for value in (*right, wrong):
            rows = [{"key": "k", "window_start": 0, "result": value}]
            counts = judge(lay_out(values), rows, "tumbling 999", name, kind="float").counts
            assert counts == ({"wrong": 1} if value == wrong else {}), (name, value)


@pytest.mark.parametrize("aggregate", ["product", "geometric-mean"])
def test_a_product_of_many_floats_is_of_bounded_size(aggregate: str) -> None:
    """The answers are compared with exact fractions; an error in the 8th digit is found."""
    draw = random.Random(7)
    over = aggregation(aggregate, ("float",))
    for n in (1, 2, 9, 2000):
        values = [draw.uniform(0.7, 1.4) for _ in range(n)]
        partial = reduce(over.operation.combine, map(over.operation.lift, values))
        assert len(partial[0][1].as_tuple().digits) <= 80
        exact = math.prod(map(Fraction, values))
        due = over.answer(partial, as_text=False)
        assert due.text is not None
        assert due.low is not None
        assert due.high is not None
        if aggregate == "product":
            assert float(due.text) == float(exact)
            said = math.prod(values)
        else:
            said = math.exp(math.fsum(map(math.log, values)) / n)
            assert math.isclose(float(due.text), said, rel_tol=1e-14)
        assert due.low <= said <= due.high
        assert not due.low <= said * (1 + 1e-8) <= due.high


def test_a_value_that_has_no_order_has_no_median() -> None:
    events = lay_out([1.0, float("nan"), 2.0, 3.0])
    report = run(events, [{"key": "k", "window_start": 0, "result": 2.0}], f"tumbling {SIZE}", "median")
    assert report.outcome == "unknown", report.sentence


# Deviations


def deviate_by_squares(values: Sequence[float]) -> float:
    n = len(values)
    return math.sqrt(max(0.0, math.fsum(x * x for x in values) / n - (math.fsum(values) / n) ** 2))


def test_a_deviation_of_which_nothing_is_left_is_wrong_but_where_it_is_said_to_be_made_so() -> None:
    """For values much larger than their spread engines are right, and squares are not; for small values both are."""
    draw = random.Random(12)
    for middle, lost in ((0.0, False), (10.0, False), (1e9, True)):
        values = [middle + draw.uniform(-1, 1) for _ in range(80)]
        events = lay_out(values)
        fours = [values[i : i + SIZE] for i in range(0, 80, SIZE)]
        squares: list[Row] = [
            {"key": "k", "window_start": SIZE * i, "result": deviate_by_squares(four)} for i, four in enumerate(fours)
        ]
        frame = polars.DataFrame({"window": [i // SIZE * SIZE for i in range(80)], "v": values})
        grouped = frame.group_by("window", maintain_order=True).agg(polars.col("v").std(ddof=0))
        in_polars: list[Row] = [{"key": "k", "window_start": w, "result": v} for w, v in grouped.iter_rows()]
        name, window = "population-standard-deviation", f"tumbling {SIZE}"
        for rows in (in_polars, in_duckdb(events, "stddev_pop(v)", "double")):
            assert judge(events, rows, window, name, kind="float").counts == {}
            rows[3]["result"] *= 1 + 1e-3
            assert judge(events, rows, window, name, kind="float").counts == {"wrong": 1}
        found = judge(events, squares, window, name, kind="float").counts
        assert (found.get("wrong", 0) > 15) == lost, found
        assert not judge(events, squares, window, name, kind="float", summation="squares").counts.get("wrong")
    with pytest.raises(InputError, match="--summation squares: applies to deviations, not to sum"):
        judge(events, squares, window, "sum", kind="float", summation="squares")


# NULL in SQL

NULLS: list[Any] = [None, 3, 7, None, 4, None, None, None, None, None, None, None, 5, 5, None, 5]
MEASURED = [{**event, "measure": 10 - event["seq"] % 3} for event in lay_out(NULLS)]


@pytest.mark.parametrize(
    ("aggregate", "answer", "wrong"),
    [
        ("sql-count", "count(v)", 4), ("sql-sum", "sum(v)::bigint", 0), ("sql-min", "min(v)", 9),
        ("sql-max", "max(v)", 0), ("sql-first", "first(v order by seq)", 9), ("sql-last", "last(v order by seq)", 9),
    ],
)  # fmt: skip
def test_sql_says_itself_what_a_null_is(aggregate: str, answer: str, wrong: Any) -> None:
    rows = in_duckdb(MEASURED, answer, "bigint")
    report = run(MEASURED, rows, f"tumbling {SIZE}", aggregate)
    assert (report.outcome, report.results["expected"]) == ("conforms", 4), report.sentence
    refuse_spoilt(MEASURED, rows, aggregate, wrong)


@pytest.mark.parametrize(("aggregate", "at"), [("first", 0), ("last", -1)])
def test_the_first_of_a_window_is_not_the_first_that_is_no_null(aggregate: str, at: int) -> None:
    """An answer that ignores NULLs is wrong for `sql-first`, and one that respects them is wrong without it."""
    skipping = in_duckdb(MEASURED, f"list(v order by seq) filter (where v is not null)[{at or 1}]", "bigint")
    respecting = in_duckdb(MEASURED, f"{aggregate}(v order by seq)", "bigint")
    assert skipping != respecting
    assert run(MEASURED, skipping, f"tumbling {SIZE}", aggregate, nulls="ignore").outcome == "conforms"
    assert run(MEASURED, respecting, f"tumbling {SIZE}", f"sql-{aggregate}").outcome == "conforms"
    assert run(MEASURED, skipping, f"tumbling {SIZE}", f"sql-{aggregate}").outcome == "violated"
    assert run(MEASURED, respecting, f"tumbling {SIZE}", aggregate, nulls="ignore").outcome == "violated"
    with pytest.raises(InputError, match=f"--aggregate {aggregate} is what IGNORE NULLS"):
        run(MEASURED, skipping, f"tumbling {SIZE}", f"sql-{aggregate}", nulls="ignore")


def test_the_sum_of_floats_is_rounded_in_sql_too() -> None:
    values: list[Any] = [None if i % 7 == 0 else v for i, v in enumerate(draw_floats(9))]
    rows = in_duckdb(lay_out(values), "fsum(v)", "double")
    for aggregate in ("sql-float-sum", "sql-sum"):
        report = run(lay_out(values), rows, f"tumbling {SIZE}", aggregate)
        assert report.outcome == "conforms", report.sentence
        refuse_spoilt(lay_out(values), rows, aggregate, (rows[3]["result"] or 1.0) * 1.0001)


def test_the_argument_of_the_least_and_of_the_greatest_in_sql() -> None:
    for aggregate, answer in (("sql-arg-min", "arg_min(v, m)"), ("sql-arg-max", "arg_max(v, m)")):
        measured = [{**event, "measure": 10 - event["seq"]} for event in MEASURED]
        rows = in_duckdb(measured, answer, "bigint")
        report = run(measured, rows, f"tumbling {SIZE}", aggregate, value=("measure", "value"))
        assert (report.outcome, report.results["expected"]) == ("conforms", 4), report.sentence
        spoilt = [{**row, "result": 99} if i == 1 else row for i, row in enumerate(rows)]
        assert run(measured, spoilt, f"tumbling {SIZE}", aggregate, value=("measure", "value")).counts["wrong"] == 1


@pytest.mark.parametrize("aggregate", ["sql-arg-min", "sql-arg-max", "sql-first", "sql-last"])
def test_where_measures_are_null_causes_are_looked_for(aggregate: str) -> None:
    """No hypothesis may fail because of a null; `run` raises an error if the search does."""
    measured = [{**event, "measure": None if event["seq"] % 3 == 1 else event["seq"] % 7} for event in MEASURED]
    wrong = [{"key": "k", "window_start": a, "result": 1000 + a * a} for a in range(0, len(MEASURED), SIZE)]
    asked: dict[str, Any] = {"value": ("measure", "value") if "arg" in aggregate else ("measure",)}
    assert run(measured, wrong, f"tumbling {SIZE}", aggregate, **asked).outcome == "violated"


@pytest.mark.parametrize("least", [True, False])
def test_what_is_beside_the_least_and_the_greatest_may_be_null(least: bool, spark: "SparkSession") -> None:
    """Spark's max_by returns it, and DuckDB's arg_max does not: neither is right as the other."""
    from pyspark.sql import functions

    measured: list[Row] = [
        {**event, "measure": None if event["seq"] % 5 == 4 else 10 - event["seq"]} for event in MEASURED
    ]
    name, by = ("min", "sql-min-by") if least else ("max", "sql-max-by")
    rows = [(e["seq"] // SIZE * SIZE, e["value"], e["measure"]) for e in measured]
    there = spark.createDataFrame(rows, "w int, v int, m int")
    answered = there.groupBy("w").agg(getattr(functions, f"{name}_by")("v", "m").alias("r")).orderBy("w").collect()
    of_spark = [{"key": "k", "window_start": row.w, "result": row.r} for row in answered]
    assert of_spark == in_duckdb(measured, f"arg_{name}_null(v, m)", "bigint")
    skipping = in_duckdb(measured, f"arg_{name}(v, m)", "bigint")
    asked: dict[str, Any] = {"value": ("measure", "value")}
    for right, aggregate, other in ((of_spark, by, skipping), (skipping, f"sql-arg-{name}", of_spark)):
        assert run(measured, right, f"tumbling {SIZE}", aggregate, **asked).outcome == "conforms"
        assert run(measured, other, f"tumbling {SIZE}", aggregate, **asked).outcome == "violated"
    refuse_spoilt(measured, of_spark, by, 99, **asked)


@pytest.mark.parametrize(
    ("aggregate", "nothing", "wrong"), [("sum", 0, 1), ("product", 1, 2), ("concatenation", "", "a")]
)
def test_what_polars_and_pandas_answer_of_no_values(aggregate: str, nothing: Any, wrong: Any) -> None:
    text = aggregate == "concatenation"
    events = lay_out([None] * SIZE + (list("abcd") if text else [2, 3, 1, 1]))
    rows: list[Row] = [
        {"key": "k", "window_start": 0, "result": nothing},
        {"key": "k", "window_start": SIZE, "result": {"sum": 7, "product": 6}.get(aggregate, "abcd")},
    ]
    asked: dict[str, Any] = {"nulls": "ignore"}
    for empty, outcome in (("zero", "conforms"), ("any", "conforms"), ("absent", "violated"), ("null", "violated")):
        assert run(events, rows, f"tumbling {SIZE}", aggregate, empty=empty, **asked).outcome == outcome
    spoilt = [{**rows[0], "result": wrong}, rows[1]]
    assert run(events, spoilt, f"tumbling {SIZE}", aggregate, empty="zero", **asked).counts["wrong"] == 1


def test_an_expected_nan_may_be_null_where_null_is_allowed() -> None:
    events = lay_out([math.inf, -math.inf, 1.0, 1.0, *[2.0] * SIZE])
    rows: list[Row] = [
        {"key": "k", "window_start": 0, "result": None},
        {"key": "k", "window_start": SIZE, "result": 2.0 * SIZE},
    ]
    for empty, outcome in (("null", "conforms"), ("any", "conforms"), ("absent", "violated"), ("zero", "violated")):
        assert run(events, rows, f"tumbling {SIZE}", "sum", empty=empty).outcome == outcome
    assert (
        run(events, [rows[0], {**rows[1], "result": None}], f"tumbling {SIZE}", "sum", empty="null").counts["wrong"]
        == 1
    )


def test_how_many_there_are_of_nothing_is_0_and_a_list_of_nothing_is_empty_or_null() -> None:
    events = lay_out(NULLS)
    counted = in_duckdb(events, "count(distinct v)", "bigint")
    assert [row["result"] for row in counted] == [2, 1, 0, 1]
    assert run(events, counted, f"tumbling {SIZE}", "distinct-count", nulls="ignore").outcome == "conforms"
    refuse_spoilt(events, counted, "distinct-count", 2, nulls="ignore")
    null = [{**row, "result": row["result"] or None} for row in counted]
    assert run(events, null, f"tumbling {SIZE}", "distinct-count", nulls="ignore").counts["wrong"] == 1
    lists = in_duckdb(events, "list(v order by seq) filter (where v is not null)", "bigint")
    as_in_spark = [{**row, "result": row["result"] or []} for row in lists]
    assert lists != as_in_spark
    for rows in (lists, as_in_spark):
        report = run(events, rows, f"tumbling {SIZE}", "collect", nulls="ignore")
        assert report.outcome == "conforms", report.sentence
    refuse_spoilt(events, lists, "collect", [5], nulls="ignore")


def test_no_list_is_not_no_value_and_truth_is_no_number(tmp_path: Path) -> None:
    brackets = [{"key": "k", "window_start": 0, "result": "[]"}]
    assert run(lay_out(["a", None]), brackets, f"tumbling {SIZE}", "sql-last").outcome == "violated"
    both: list[tuple[list[Any], str]] = [([1.0, 0.0], "[true, false]"), ([True, False], "[1.0, 0.0]")]
    for values, answer in both:
        (tmp_path / "r.jsonl").write_text(f'{{"key": "k", "window_start": 0, "result": {answer}}}\n')
        path = write(tmp_path / "e.parquet", lay_out(values))
        report = run(path, tmp_path / "r.jsonl", f"tumbling {SIZE}", "collect")
        assert report.outcome == "violated", report.sentence


def test_a_row_of_no_event_is_none_of_nothing() -> None:
    """A frame or a session has no result without events, even if the job writes results for empty windows."""
    events = lay_out([1, 2])
    frames: list[Row] = [{"key": "k", "time": t, "seq": t, "result": v} for t, v in ((0, 1), (1, 3))]
    session: list[Row] = [{"key": "k", "window_start": 0, "window_end": 11, "result": 3}]
    rows: list[Row]
    for rows, window, extra in (
        (frames, "range -5 0", {"key": "k", "time": 7, "seq": 7, "result": None}),
        (session, "session 10", {"key": "k", "window_start": 50, "window_end": 51, "result": None}),
    ):
        assert run(events, rows, window, "sum", empty="any").outcome == "conforms"
        assert run(events, [*rows, extra], window, "sum", empty="any").counts["extra"] == 1


def test_each_of_several_answers_for_one_time_is_judged() -> None:
    events = [{"key": "k", "time": 0, "seq": i, "value": v} for i, v in enumerate((0, 0, 1))]
    for texts, outcome in ((("0.333", "0.3", "0.33"), "conforms"), (("0.333", "0.3", "0.31"), "violated")):
        rows = [{"key": "k", "time": 0, "result": text} for text in texts]
        assert run(events, rows, "range -5 0", "mean", result="result:decimal").outcome == outcome
