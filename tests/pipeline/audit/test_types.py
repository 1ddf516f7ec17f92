"""Types of columns: right results conform in each, and wrong ones are found."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import permutations
from math import inf, isnan, nan, prod
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.auditing import Row, run

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import Event
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.backends.cluster import Cluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def tumble(values: list[Any], answer: Callable[[list[Any]], Any]) -> tuple[list[Row], list[Row]]:
    """Return events at 0, 1, ..., and a job's answer for each ten of them."""
    events = [{"key": "a", "time": n, "seq": n, "value": value} for n, value in enumerate(values)]
    starts = range(0, len(values), 10)
    return events, [{"key": "a", "window_start": a, "result": answer(values[a : a + 10])} for a in starts]


def count_distinct(values: list[float]) -> int:
    """Count distinct values; NaN is one value, as in DuckDB, Polars, pandas and Spark."""
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
    """Write a Parquet file of these columns, each with its type."""
    pq.write_table(pa.table({name: pa.array(cells, kind) for name, (cells, kind) in columns.items()}), path)
    return path


def events_of(path: Path, values: Any, kind: Any = None) -> Path:
    """Write a Parquet file of events of one key, with these values, at 0, 1, ..."""
    n = [*range(len(values))]
    return table_of(path, {"key": (["a"] * len(n), None), "time": (n, None), "seq": (n, None), "value": (values, kind)})


def lines_of(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
    """Write the columns as JSON lines."""
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
    events = events_of(tmp_path / "e.parquet", values, kind)
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
        pytest.skip("structs have no order")
    events = events_of(tmp_path / "e.parquet", values, kind)
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
    """Timestamps and text, as time, value and arrival, are never rounded down."""
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
            assert "is not a whole microsecond; give --time-unit ns" in report.bad_rows[0]["reason"]
    for option, value in (("arrival", "time"), ("value", ("time",))):
        told: dict[str, Any] = {"time": "seq", option: value}
        report = run(
            tmp_path / "e.parquet", tmp_path / "r.jsonl", "tumbling 10", "count", window_start="result", **told
        )
        assert report.bad_rows[0]["reason"].endswith("00.000000900Z is not a whole microsecond; cast it")


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
    """A column of Arrow's null type, JSON lines that omit nulls, and files without rows."""
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
            InputError, match=r"no such column; .*null in every line, state its type: --result result:TYPE"
        ):
            run(path, lines, "tumbling 10", "sum", nulls="ignore")
    for name in ("none.jsonl", "none.csv"):
        (tmp_path / name).write_text("")
        report = run(path, tmp_path / name, "tumbling 10", "sum", nulls="ignore")
        assert (report.outcome, report.counts["missing"]) == ("violated", 1), report.sentence
    report = run(tmp_path / "none.jsonl", tmp_path / "none.csv", "tumbling 10", "sum", time="time:int")
    assert report.sentence == "no results expected: nothing was compared"


@pytest.mark.parametrize("aggregate", ["max", "sum", "mean", "distinct-count", "top-1", "collect"])
def test_integers_without_a_sign_have_64_bits(tmp_path: Path, aggregate: str) -> None:
    large = [2**63, 2**63 + 2]
    right = {"max": large[1], "sum": 7, "mean": 2**63 + 1, "distinct-count": 2, "top-1": large[1:], "collect": large}
    values = [3, 4] if aggregate == "sum" else large
    events = events_of(tmp_path / "e.parquet", values, pa.uint64())
    due = right[aggregate]
    kind = pa.list_(pa.uint64()) if isinstance(due, list) else pa.uint64()
    off: Any = [*due[:-1], due[-1] - 1] if isinstance(due, list) else due + 2**20
    for answer, outcome in ((due, "conforms"), (off, "violated")):
        columns = {"key": (["a"], None), "window_start": ([0], None), "result": ([answer], kind)}
        report = run(events, table_of(tmp_path / "r.parquet", columns), "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence


BERLIN = pa.timestamp("ms", "Europe/Berlin")
FLOATS_32 = pa.array([0.1, 2.5, 1e10], pa.float32())
KEYS: dict[str, list[Any]] = {
    "moments": [
        pa.array(MOMENTS, pa.timestamp("us", "UTC")),
        pa.array(MOMENTS, BERLIN),
        pa.array(MOMENTS, pa.timestamp("ns", "UTC")),
        pa.array([moment.replace(tzinfo=None) for moment in MOMENTS], pa.timestamp("s")),
        [moment.isoformat().replace("+00:00", "Z") for moment in MOMENTS],
        [moment.astimezone(ZoneInfo("Asia/Tokyo")).isoformat() for moment in MOMENTS],
    ],
    "nanoseconds": [
        pa.array([1, 1000], pa.timestamp("ns")),
        ["1970-01-01T00:00:00.000000001", "1970-01-01 00:00:00.000001Z"],
    ],
    "far dates": [
        pa.array([date(2300, 1, 1), date(1, 1, 1)], pa.date32()),
        pa.array([date(2300, 1, 1), date(1, 1, 1)], pa.date64()),
        pa.array([datetime(2300, 1, 1), datetime(1, 1, 1)], pa.timestamp("us")),
        ["2300-01-01", "0001-01-01"],
    ],
    "large integers": [
        pa.array([2**60, 2**53, -3], pa.int64()),
        pa.array([2.0**60, 2.0**53, -3.0]),
        ["1152921504606846976", "9007199254740992", "-3.0"],
        pa.array([Decimal(2**60), Decimal(2**53), Decimal(-3)]),
        pa.array([2.0**60, 2.0**53, -3.0], pa.float32()),
    ],
    "larger integers": [
        pa.array([2**63 + 2**12, 7], pa.uint64()),
        pa.array([2.0**63 + 2**12, 7.0]),
        ["9223372036854779904", "7"],
    ],
    "floats of 32 bits": [FLOATS_32, pa.array([0.1, 2.5, 1e10]), ["0.1", "2.5", "1e+10"]],
    "the same as doubles": [FLOATS_32, FLOATS_32.cast(pa.float64())],
    "floats of 16 bits": [pa.array([0.1, 2.5], pa.float16()), ["0.1", "2.5"]],
    "truth values": [pa.array([True, False]), ["True", "False"], ["true", "false"], [True, False]],
    "bytes": [
        pa.array([b"a", b"b"]),
        pa.array([b"a", b"b"], pa.binary(1)),
        pa.array(["a", "b"], pa.string_view()),
        ["a", "b"],
    ],
    "codes": [pa.array(["a", "b"]).dictionary_encode(), pa.array(["a", "b"], pa.large_string()), ["a", "b"]],
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.drawn(4)
def test_a_key_is_the_same_whatever_its_type(tmp_path: Path, name: str) -> None:
    """Keys have Arrow's types, and, if given as a list, are also JSON lines; another key has no event."""
    for one, other in permutations(KEYS[name], 2):
        if isinstance(one, list) and isinstance(other, list):
            continue  # text is text
        n = len(one)
        paths: list[Path] = []
        for table, keys, columns in (
            ("e", one, {"time": [*range(n)], "seq": [*range(n)], "value": [*range(n)]}),
            ("r", other, {"window_start": [0] * n, "result": [*range(n)]}),
        ):
            if isinstance(keys, list):
                paths.append(lines_of(tmp_path / f"{table}.jsonl", {"key": keys, **columns}))
            else:
                paths.append(tmp_path / f"{table}.parquet")
                pq.write_table(pa.table({"key": keys, **columns}), paths[-1])
        told = {"time": "time:int", "value": ("value:int",)}
        report = run(paths[0], paths[1], "tumbling 10", "sum", **told)
        assert report.outcome == "conforms", (one, other, [it["sentence"] for it in report.findings])
        report = run(paths[0], [{"key": "x", "window_start": 0, "result": 1}], "tumbling 10", "sum", **told)
        assert (report.counts["missing"], report.counts["extra"]) == (n, 1)


@pytest.mark.parametrize("aggregate", ["max", "last", "collect", "top-2", "distinct-count"])
@pytest.mark.parametrize("form", ["text", "narrow results", "narrow events"])
def test_floats_of_32_bits_beside_other_floats(tmp_path: Path, aggregate: str, form: str) -> None:
    """As text, they have the digits that distinguish 32-bit floats; as doubles, all digits."""
    doubles = [0.1, 0.7, 0.3]
    narrow = pa.array(doubles, pa.float32())
    answers: dict[str, Callable[[list[float]], Any]] = {
        "max": max, "last": lambda held: held[-1], "collect": list, "top-2": lambda held: sorted(held)[:0:-1],
        "distinct-count": len,
    }  # fmt: skip
    wide, of = form == "narrow results", answers[aggregate]
    events_of(tmp_path / "e.parquet", doubles if wide else narrow)
    answer = of(doubles if form == "text" else narrow.to_pylist())
    off = [answer[0], answer[1] * (1 + 1e-6), *answer[2:]] if isinstance(answer, list) else answer * (1 + 1e-6)
    for got, outcome in ((answer, "conforms"), (off, "violated")):
        result: Any = {"key": ["a"], "window_start": [0], "result": [got]}
        if form == "text":
            path = lines_of(tmp_path / "r.jsonl", result)
        else:
            kind = pa.float32() if wide else pa.float64()
            kind = pa.list_(kind) if isinstance(got, list) else kind
            path = table_of(
                tmp_path / "r.parquet", {n: (c, kind if n == "result" else None) for n, c in result.items()}
            )
        report = run(tmp_path / "e.parquet", path, "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence
        assert (form == "narrow results") == ("results are 32-bit floats" in report.sentence)


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("where", ["events", "results"])
def test_a_time_that_64_bits_do_not_hold_is_a_bad_row(tmp_path: Path, where: str, form: str) -> None:
    """The time fits in its own unit, but not in microseconds: such a row does not end the audit."""
    events: Any = {"key": ["a", "a"], "time": [5, 9], "value": [1, 2]}
    results: Any = {"key": ["a"], "window_start": [0], "result": [3]}
    table, time = (events, "time") if where == "events" else (results, "window_start")
    for name, column in table.items():
        column.append({time: 2**63 - 1}.get(name, column[0]))
    for name, made in (("e", events), ("r", results)):
        pq.write_table(pa.table(made), tmp_path / f"{name}.parquet")
        (tmp_path / f"{name}.csv").write_bytes(pa.table(made).to_pandas().to_csv(index=False).encode())
    kinds: Any = {"value": ("value:int",), "time": "time:int"} if form == "csv" else {}
    report = run(
        tmp_path / f"e.{form}", tmp_path / f"r.{form}", "tumbling 1s", "sum", arrival=None, time_unit="ms", **kinds
    )
    assert report.outcome == "unknown", report.sentence
    assert "1 bad row was left out" in report.sentence
    assert "9223372036854775807 is not a time" in report.sentence


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_watermark_of_flink_before_there_is_one_is_none(tmp_path: Path, form: str) -> None:
    columns: Any = {"key": ["a"] * 3, "time": [5, 2000, 9], "seq": [0, 1, 2], "value": [1, 2, 4], "wm": [-(2**63)] * 3}
    late = {**columns, "wm": [-(2**63), -(2**63), 1500]}
    results: Any = {"key": ["a", "a"], "window_start": [0, 2000], "result": [5, 2]}
    pq.write_table(pa.table(results), tmp_path / "r.parquet")
    kinds: Any = {"value": ("value:int",), "time": "time:int"} if form == "csv" else {}
    for events, outcome in ((columns, "conforms"), (late, "violated")):
        pq.write_table(pa.table(events), tmp_path / "e.parquet")
        (tmp_path / "e.csv").write_bytes(pa.table(events).to_pandas().to_csv(index=False).encode())
        asked: Any = {"time_unit": "ms", "watermark_column": "wm", **kinds}
        report = run(tmp_path / f"e.{form}", tmp_path / "r.parquet", "tumbling 1s", "sum", **asked)
        assert report.outcome == outcome, report.sentence


@pytest.mark.parametrize("values", [[-7641, 8927, 3], [0.1, 0.7, 1e-3]], ids=["ints", "doubles"])
@pytest.mark.parametrize("aggregate", ["sum", "mean", "sample-standard-deviation"])
def test_what_is_not_exact_is_rounded_to_the_column_too(tmp_path: Path, aggregate: str, values: list[Any]) -> None:
    """An average is finally cast to REAL: the nearest 32-bit float is right, the next but one is not."""
    of: dict[str, Callable[[list[Any]], float]] = {"sum": sum, "mean": fmean}
    events_of(tmp_path / "e.parquet", values)
    nearest = np.float32(of.get(aggregate, stdev)(values))
    far = np.nextafter(np.nextafter(nearest, np.float32(inf)), np.float32(inf))
    for got, outcome in ((nearest, "conforms"), (far, "violated")):
        result: Any = {"key": ["a"], "window_start": [0], "result": pa.array([float(got)], pa.float32())}
        pq.write_table(pa.table(result), tmp_path / "r.parquet")
        report = run(tmp_path / "e.parquet", tmp_path / "r.parquet", "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence
        assert "results are 32-bit floats" in report.sentence


@pytest.mark.parametrize("aggregate", ["median", "min", "last"])
@pytest.mark.parametrize("events", [pa.float64(), pa.decimal128(12, 2)], ids=str)
@pytest.mark.parametrize("results", [pa.decimal128(12, 2), pa.decimal128(24, 6), pa.float64()], ids=str)
def test_decimals_and_doubles_of_the_same_digits_are_one_value(
    tmp_path: Path, aggregate: str, events: Any, results: Any
) -> None:
    """Engines return a median of decimals as decimals, and a job may cast doubles to decimals."""
    cells = [Decimal(text) for text in ("5516.15", "0.10", "-3.33", "4494.46", "7636.98", "0.07")]

    def typed(numbers: Sequence[Decimal], kind: Any) -> tuple[Sequence[Any], Any]:
        return (numbers if pa.types.is_decimal(kind) else [float(number) for number in numbers]), kind

    named: dict[str, tuple[Sequence[Any], Any]] = {"key": (["a"] * 6, None)}
    times = [n * 10 for n in range(6)], None
    there = table_of(
        tmp_path / "e.parquet", named | {"time": times, "seq": (range(6), None), "value": typed(cells, events)}
    )
    for off, outcome in ((Decimal(0), "conforms"), (Decimal("0.01"), "violated")):
        answers = typed([number + off for number in cells], results)
        given = table_of(tmp_path / "r.parquet", named | {"window_start": times, "result": answers})
        report = run(there, given, "tumbling 10", aggregate)
        assert report.outcome == outcome, report.sentence


@pytest.mark.parametrize("aggregate", ["max", "top-2", "min-count", "sql-max", "median"])
def test_what_has_no_order_is_refused(aggregate: str) -> None:
    """Engines order lists and structs differently, and text has no middle."""
    with pytest.raises(InputError, match=f"^--aggregate {aggregate}: values of json have no"):
        run(*tumble([[10], [9]], max), "tumbling 10", aggregate)
    with pytest.raises(InputError, match="values of text have no middle"):
        run(*tumble(["a", "b"], max), "tumbling 10", "median")


@pytest.mark.parametrize("kind", [pa.int8(), pa.float64(), pa.decimal128(21, 2), pa.string()])
def test_retractions_are_told_by_numbers_of_any_type(tmp_path: Path, kind: Any) -> None:
    events = [{"key": "a", "time": t, "seq": n, "value": 1} for n, t in enumerate((0, 20, 1))]
    signs = pa.array([1, -1, 1], pa.int64()).cast(kind)
    policy: dict[str, Any] = {"retraction": "sign", "late": "retract", "watermark": "0"}
    for answers, outcome in (([1, 1, 2], "conforms"), ([1, 2, 2], "violated")):
        columns = {"key": ["a"] * 3, "window_start": [0] * 3, "result": answers, "sign": signs}
        pq.write_table(pa.table(columns), tmp_path / "r.parquet")
        report = run(events, tmp_path / "r.parquet", "tumbling 10", "sum", **policy)
        assert (report.outcome, report.results["bad"]) == (outcome, 0), report.sentence


def test_bytes_are_text(tmp_path: Path) -> None:
    """Some writers store text as bytes; invalid bytes are escaped, and differ from the text of their digits."""
    cells = pa.array([b"a", b"\xff", b"ff"], pa.binary())
    for key in (pa.array(["a", "b", "c"]), cells):
        columns = {"key": key, "time": pa.array([0, 0, 0]), "seq": pa.array([0, 1, 2]), "value": cells}
        pq.write_table(pa.table(columns), tmp_path / "e.parquet")
        for answers, outcome in ((["a", "\\xff", "ff"], "conforms"), (["a", "ff", "ff"], "violated")):
            columns = {"key": key, "window_start": pa.array([0, 0, 0]), "result": pa.array(answers)}
            pq.write_table(pa.table(columns), tmp_path / "r.parquet")
            assert run(tmp_path / "e.parquet", tmp_path / "r.parquet", "tumbling 10", "last").outcome == outcome


def test_text_that_looks_like_a_number_is_none_in_what_stands_beside_one() -> None:
    """The value of the least decimal is compared as text, and is not read as a decimal."""
    events = [
        {"key": "k", "time": i, "seq": i, "price": Decimal(price), "info": {"lot": lot}}
        for i, (price, lot) in enumerate([("1.50", "007"), ("2.50", "1.10")])
    ]
    told: Any = {"value": ("price", "info")}
    for lot, outcome in (("1.10", "conforms"), ("1.1", "violated"), ("007", "violated")):
        results = [{"key": "k", "window_start": 0, "result": {"lot": lot}}]
        assert run(events, results, "tumbling 10", "arg-max", **told).outcome == outcome


def test_truth_values_are_added_where_they_are_said_to_be_numbers() -> None:
    events, results = tumble([True, False, True, None], lambda _: 2)
    told: Any = {"nulls": "ignore", "value": ("value:int",)}
    assert run(events, results, "tumbling 10", "sum", **told).outcome == "conforms"
    assert run(events, [{**results[0], "result": 3}], "tumbling 10", "sum", **told).counts["wrong"] == 1


@pytest.mark.parametrize("window", ["1d", "1 day in Europe/Berlin", "1 month in UTC", "1 week in UTC"])
@pytest.mark.parametrize("far", [datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)])
def test_a_time_for_never_is_a_time_like_others(window: str, far: datetime) -> None:
    """Many jobs write such a time for no end; a wrong result next to it is found, with work linear in its events."""
    near = datetime(2024, 5, 1, 12, tzinfo=UTC)
    events: list[Row] = [{"key": "k", "time": at, "seq": i, "value": 5 + i} for i, at in enumerate((far, near))]
    spec, epoch = parse_window(f"tumbling {window}", "us"), datetime(1970, 1, 1, tzinfo=UTC)
    assert isinstance(spec, Sliding | Calendar)
    right: list[Row] = [
        {"key": "k", "window_start": extent.begin, "result": extent.events[0].value}
        for event in events
        for extent in spec.extents([Event((event["time"] - epoch) // timedelta(microseconds=1), event["value"])])
    ]
    told: Any = {"time_unit": "us"}
    assert run(events, right, f"tumbling {window}", "sum", **told).outcome == "conforms"
    assert run(events, right[:1], f"tumbling {window}", "sum", **told).counts["missing"] == 1
    spoilt = [right[0], {**right[1], "result": 7}]
    assert run(events, spoilt, f"tumbling {window}", "sum", **told).counts["wrong"] == 1


def test_the_verdict_stands_where_the_diagnosis_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("of no use")

    monkeypatch.setattr("swagproof.pipeline.audit.evidence.diagnose", fail)
    events, results = tumble([1, 2], lambda _: 4)
    with pytest.raises(AssertionError, match="RuntimeError: of no use"):  # as in all these tests
        run(events, results, "tumbling 10", "sum")
    report = run(events, results, "tumbling 10", "sum", may_fail=True)
    assert (report.outcome, report.counts["wrong"]) == ("violated", 1)
    assert "the verdict is still valid: RuntimeError: of no use" in str(report.report())


def test_a_moment_that_is_none_of_any_calendar_is_a_bad_row(tmp_path: Path) -> None:
    """Some engines write the least integer, or a time far away, for no time."""
    events, _ = tumble([datetime(2026, 3, 1, 9, tzinfo=UTC)], max)
    results = {"key": (["a"], None), "window_start": ([0], None), "result": ([-(2**62)], pa.timestamp("us"))}
    report = run(events, table_of(tmp_path / "r.parquet", results), "tumbling 10", "max")
    assert (report.outcome, "out of range" in report.bad_rows[0]["reason"]) == ("unknown", True), report.sentence


@pytest.mark.drawn(0)
def test_spark_reads_the_same(spark: "SparkSession", tmp_path: Path) -> None:
    """Times of a finer unit, keys of other types, nested answers, omitted nulls, and tables without rows."""
    (tmp_path / "none.jsonl").write_text("")
    (tmp_path / "none.csv").write_text("")
    stamps = ["2026-03-01T09:00:00.000000900Z", "2026-03-01T09:00:00.0000001Z", "2026-03-01T09:00:01Z"]
    keys, starts = ["2026-03-01T10:00:00+01:00"] * 3, ["2026-03-01T09:00:00Z", "2026-03-01T09:00:01Z"]
    lines = lines_of(tmp_path / "e.jsonl", {"key": keys, "time": stamps, "seq": [0, 1, 2], "value": [0.1, 0.2, 0.3]})
    moments = pa.array([datetime(2026, 3, 1, 9)] * 2, pa.timestamp("us"))
    columns: dict[str, Any] = {"key": moments, "window_start": starts, "result": [[0.2, 0.1], [0.3]]}
    pq.write_table(pa.table(columns), tmp_path / "r.parquet")
    narrow = {"key": ["a"] * 2, "time": [0, 1], "seq": [0, 1], "value": pa.array([0.1, 0.3], pa.float32())}
    pq.write_table(pa.table(narrow), tmp_path / "narrow.parquet")
    collected = lines_of(tmp_path / "r.jsonl", {"key": ["a"], "window_start": [0], "result": [[0.1, 0.3]]})
    nothing = lines_of(tmp_path / "nothing.jsonl", {"key": ["a"], "window_start": [0]})
    typed = {"time": "time", "value": ("value:float",)}
    for events, results, window, aggregate, options, outcome in (
        (lines, tmp_path / "r.parquet", "tumbling 1s", "collect", {**typed, "time_unit": "ns"}, "conforms"),
        (lines, tmp_path / "r.parquet", "tumbling 1s", "collect", typed, "unknown"),
        (tmp_path / "narrow.parquet", collected, "tumbling 10", "collect", {}, "conforms"),
        (tmp_path / "narrow.parquet", nothing, "tumbling 10", "max", {"result": "result:float"}, "violated"),
        (tmp_path / "narrow.parquet", tmp_path / "none.jsonl", "tumbling 10", "sum", {}, "violated"),
        (tmp_path / "narrow.parquet", tmp_path / "none.csv", "tumbling 10", "sum", {}, "violated"),
    ):
        told: dict[str, Any] = {**options}
        alone = run(events, results, window, aggregate, **told)
        shared = run(events, results, window, aggregate, held=Cluster(spark), **told)
        assert alone.outcome == shared.outcome == outcome, (alone.sentence, shared.sentence)
        assert (alone.counts, alone.findings) == (shared.counts, shared.findings)
        assert [row["reason"] for row in alone.bad_rows] == [row["reason"] for row in shared.bad_rows]


def test_what_is_no_json_is_wrong_and_not_null(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("key,time,seq,value\na,0,0,0.5\n")
    (tmp_path / "r.csv").write_text("key,window_start,result\na,0,nonsense\n")
    told: dict[str, Any] = {"time": "time:int", "value": ("value:decimal",)}
    report = run(tmp_path / "e.csv", tmp_path / "r.csv", "tumbling 10", "collect", **told)
    assert [(it["got"], it["cause"]) for it in report.findings] == [("nonsense", "unexplained")]


FAR_OFF: dict[str, Any] = {
    "date": pa.array([2**31 - 1, 1, 2**31 - 1], pa.int32()).cast(pa.date32()),
    "date of 64 bits": pa.array([2**62, 86_400_000, 2**62], pa.int64()).cast(pa.date64()),
    "seconds": pa.array([2**53, 86_400, 2**53], pa.int64()).cast(pa.timestamp("s")),
    "milliseconds": pa.array([2**56, 86_400_000, 2**56], pa.int64()).cast(pa.timestamp("ms", "Europe/Berlin")),
    "microseconds": pa.array([2**63 - 1, 86_400_000_000, 2**63 - 1], pa.int64()).cast(pa.timestamp("us")),
    "the least": pa.array([-(2**63), 86_400_000, -(2**63)], pa.int64()).cast(pa.timestamp("ms")),
}


@pytest.mark.parametrize("name", FAR_OFF)
def test_a_moment_beyond_what_is_counted_is_a_bad_row_that_names_it(tmp_path: Path, name: str) -> None:
    """It is bad as time and as value; as a key it is valid, and in an unused column it is ignored."""
    cells, moments = FAR_OFF[name], pa.array([1, 1, 2], pa.timestamp("us"))
    numbers = pa.array([1, 2, 3], pa.int64())
    texts = pa.array(["a"] * 3)
    plain: dict[str, Any] = {"key": texts, "time": moments, "seq": numbers, "value": numbers}
    start = {"window_start": pa.array([0], pa.timestamp("us"))}

    def audit(results: dict[str, Any], **columns: Any) -> Any:
        pq.write_table(pa.table({**plain, **columns}), tmp_path / "e.parquet")
        pq.write_table(pa.table({"key": texts[:1], **start, **results}), tmp_path / "r.parquet")
        aggregate = "last" if "value" in columns else "sum"
        return run(tmp_path / "e.parquet", tmp_path / "r.parquet", "tumbling 1d", aggregate)

    day = pa.array([86_400_000_000], pa.timestamp("us"))
    for report in (audit({"result": [2], "window_start": day}, time=cells), audit({"result": day}, value=cells)):
        assert (report.outcome, report.events["bad"]) == ("unknown", 2), report.sentence
        assert "out of range" in report.bad_rows[0]["reason"] or str(2**63)[:4] in report.bad_rows[0]["reason"]
    first, second = cells[:1], cells[1:2]
    both = {"window_start": pa.array([0, 0], pa.timestamp("us")), "key": pa.concat_arrays([first, second])}
    assert audit({**both, "result": [4, 2]}, key=cells).outcome == "conforms"
    assert audit({**both, "result": [4, 3]}, key=cells).counts["wrong"] == 1
    assert audit({"result": [7]}, other=cells).counts["wrong"] == 1
    nested = pa.StructArray.from_arrays([cells], ["at"])
    assert audit({"result": [7]}, other=nested).counts["wrong"] == 1


def test_half_a_character_in_json_is_read_as_engines_read_it(tmp_path: Path) -> None:
    """JavaScript may write text that was cut within a character: Java, and so Spark, replaces it by ?."""
    row = r'{"key":"a\ud83d","time":0,"seq":%d,"value":%d,"other":{"\udc00":["\ud83d"]}}'
    (tmp_path / "e.jsonl").write_text("".join(row % (n, n) + "\n" for n in (1, 2)))
    for result, outcome in ((3, "conforms"), (4, "violated")):
        results = lines_of(tmp_path / "r.jsonl", {"key": ["a?"], "window_start": [0], "result": [result]})
        told: Any = {"time": "time:int", "value": ("value:int",)}
        assert run(tmp_path / "e.jsonl", results, "tumbling 10", "sum", **told).outcome == outcome


@pytest.mark.parametrize(
    ("kind", "here", "there"),
    [
        ("int", ["1", "2", "-3"], ["1.0", "+2", "-03"]),
        ("bool", ["true", "false", ""], ["t", "False", ""]),
        ("decimal", ["1", "2.50", "-3"], ["1.0", "+2.5", "-03"]),
    ],
)
def test_keys_of_text_that_are_said_to_be_of_a_type_are_read_as_it(
    tmp_path: Path, kind: str, here: list[str], there: list[str]
) -> None:
    """pandas writes integers with nulls so, and engines truth values."""
    told: Any = {"key": (f"key:{kind}",), "result_key": (f"key:{kind}",), "time": "time:int"}
    for mine, other in ((here, there), (there, here)):
        rows = "".join(f"{key},{n},{n},{n}\n" for n, key in enumerate(mine))
        (tmp_path / "e.csv").write_text(f"key,time,seq,value\n{rows}")
        for off, outcome in ((0, "conforms"), (1, "violated")):
            rows = "".join(f"{key},0,{n + off}\n" for n, key in enumerate(other))
            (tmp_path / "r.csv").write_text(f"key,window_start,result\n{rows}")
            report = run(tmp_path / "e.csv", tmp_path / "r.csv", "tumbling 10", "sum", **told)
            assert (report.outcome, report.counts["extra"]) == (outcome, 0), report.sentence


def _cut(number: int) -> list[int]:
    """Split into groups of nine digits, so that Python can write numbers of any length."""
    return [*_cut(number // 10**9), number % 10**9] if number else []


def test_products_have_as_many_digits_as_they_take(tmp_path: Path) -> None:
    values = [10**18 + n for n in range(300)]  # 5,400 digits
    events = [{"key": "a", "time": 0, "seq": n, "value": value} for n, value in enumerate(values)]
    for off, outcome in ((0, "conforms"), (1, "violated")):
        digits = "".join(f"{part:09}" for part in _cut(prod(values) + off))
        (tmp_path / "r.csv").write_text(f"key,window_start,result\na,0,{digits.lstrip('0')}\n")
        told: Any = {"result": "result:json"}
        assert run(events, tmp_path / "r.csv", "tumbling 10", "product", **told).outcome == outcome
