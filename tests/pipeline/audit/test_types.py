"""What columns hold, whatever their type: right results conform in each, and wrong ones are found."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.auditing import Row, run

from swagproof.oracle.trace import InputError


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


def table_of(path: Path, columns: Mapping[str, tuple[Sequence[Any], Any]]) -> Path:
    """A Parquet file of these columns, each with its type."""
    pq.write_table(pa.table({name: pa.array(cells, kind) for name, (cells, kind) in columns.items()}), path)
    return path


def lines_of(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
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


def test_nanoseconds_are_read_exactly_or_refused_with_the_way_out(tmp_path: Path) -> None:
    """As timestamps and as text, of time, value and arrival: never rounded down."""
    stamps, base = [900, 100, 1_000_000_000], 1_772_355_600 * 10**9
    typed = pa.array([base + at for at in stamps], pa.timestamp("ns", "UTC"))
    columns = {"key": pa.array(["a"] * 3), "time": typed, "seq": pa.array([0, 1, 2]), "value": pa.array([1, 2, 4])}
    pq.write_table(pa.table(columns), tmp_path / "e.parquet")
    text = [str(at).replace(" ", "T") for at in typed.cast(pa.string()).to_pylist()]
    lines = {"key": ["a"] * 3, "time": text, "seq": [0, 1, 2], "value": [1, 2, 4]}
    starts: dict[str, Any] = {"key": ["a", "a"], "window_start": ["2026-03-01T09:00:00Z", "2026-03-01T09:00:01Z"]}
    for events in (tmp_path / "e.parquet", lines_of(tmp_path / "e.jsonl", lines)):
        for answers, outcome in (([1, 4], "conforms"), ([2, 4], "violated")):
            results = lines_of(tmp_path / "r.jsonl", {**starts, "result": answers})
            report = run(events, results, "tumbling 1s", "last", time_unit="ns")
            assert report.outcome == outcome, report.sentence
            report = run(events, results, "tumbling 1s", "last")
            assert (report.outcome, report.events["bad"]) == ("unknown", 2), report.sentence
            assert "is no whole microsecond; give --time-unit ns" in report.bad_rows[0]["reason"]
    for option, value in (("arrival", "time"), ("value", ("time",))):
        told: dict[str, Any] = {"time": "seq", option: value}
        report = run(
            tmp_path / "e.parquet", tmp_path / "r.jsonl", "tumbling 10", "count", window_start="result", **told
        )
        assert report.bad_rows[0]["reason"].endswith("00.000000900Z is no whole microsecond; cast it")


@pytest.mark.parametrize("version", ["timestamp", "text", "decimal"])
def test_versions_are_whatever_orders_results(tmp_path: Path, version: str) -> None:
    second = 10**6
    at = [1_772_355_600 * second + s * second for s in (1, 50, 2)]
    events = table_of(
        tmp_path / "e.parquet",
        {
            "key": (["a"] * 3, None), "time": (at, pa.timestamp("us", "UTC")), "seq": ([1, 2, 3], None),
            "value": ([5, 0, 1], None),
        },
    )  # fmt: skip
    said: dict[str, Any] = {
        "timestamp": pa.array([second, 0], pa.timestamp("us")),
        "text": pa.array(["2026-03-01T09:00:51Z", "2026-03-01T09:00:50Z"]),
        "decimal": pa.array([Decimal(2), Decimal(1)]),
    }
    for results, outcome in (([6, 5], "conforms"), ([5, 6], "violated")):
        start = pa.array([at[0] - second] * 2, pa.timestamp("us", "UTC"))
        columns = {"key": ["a", "a"], "window_start": start, "result": results, "ver": said[version]}
        pq.write_table(pa.table(columns), tmp_path / "r.parquet")
        policy = {"watermark": "0s", "late": "update", "version": "ver:time" if version == "text" else "ver"}
        report = run(events, tmp_path / "r.parquet", "tumbling 10s", "sum", **policy)
        assert report.outcome == outcome, report.sentence


def test_results_that_are_all_null_and_results_that_are_none(tmp_path: Path) -> None:
    """A column of Arrow's null type, JSON lines that leave nulls out, and files of no rows."""
    events = [{"key": "a", "time": 1, "seq": 1, "value": None}, {"key": "a", "time": 1, "seq": 1, "value": 2}]
    nothing: dict[str, tuple[Any, Any]] = {"key": (["a"], None), "window_start": ([0], None), "result": ([None], None)}
    typed = table_of(tmp_path / "r.parquet", nothing)
    lines = lines_of(tmp_path / "r.jsonl", {"key": ["a"], "window_start": [0]})
    for of, outcome in ((events[:1], "conforms"), (events[1:], "violated")):
        path = table_of(
            tmp_path / "e.parquet",
            {name: ([row[name] for row in of], pa.int64() if name == "value" else None) for name in events[0]},
        )
        assert run(path, typed, "tumbling 10", "sum", nulls="ignore").outcome == outcome
        assert run(path, lines, "tumbling 10", "sum", nulls="ignore", result="result:int").outcome == outcome
        with pytest.raises(
            InputError, match=r"no such column; .*null in every line, say its type: --result result:TYPE"
        ):
            run(path, lines, "tumbling 10", "sum", nulls="ignore")
    for name in ("none.jsonl", "none.csv"):
        (tmp_path / name).write_text("")
        report = run(path, tmp_path / name, "tumbling 10", "sum", nulls="ignore")
        assert (report.outcome, report.counts["missing"]) == ("violated", 1), report.sentence
    report = run(tmp_path / "none.jsonl", tmp_path / "none.csv", "tumbling 10", "sum", time="time:int")
    assert report.sentence == "no result is due: nothing was compared"


@pytest.mark.parametrize("aggregate", ["max", "sum", "mean", "distinct-count", "top-1", "collect"])
def test_integers_without_a_sign_have_64_bits(tmp_path: Path, aggregate: str) -> None:
    large = [2**63, 2**63 + 2]
    right = {"max": large[1], "sum": 7, "mean": 2**63 + 1, "distinct-count": 2, "top-1": large[1:], "collect": large}
    values = [3, 4] if aggregate == "sum" else large
    events = table_of(
        tmp_path / "e.parquet",
        {"key": (["a"] * 2, None), "time": ([0, 1], None), "seq": ([0, 1], None), "value": (values, pa.uint64())},
    )
    due = right[aggregate]
    kind = pa.list_(pa.uint64()) if isinstance(due, list) else pa.uint64()
    off: Any = [*due[:-1], due[-1] - 1] if isinstance(due, list) else due + 2**20
    for answer, outcome in ((due, "conforms"), (off, "violated")):
        columns = {"key": (["a"], None), "window_start": ([0], None), "result": ([answer], kind)}
        report = run(events, table_of(tmp_path / "r.parquet", columns), "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence
