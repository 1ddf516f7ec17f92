"""`swagproof.audit`: data frames of any library, with the same report as the command."""

import itertools
import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.places import TESTS

from swagproof import AuditReport, AuditViolation, InputError, audit
from swagproof.pipeline.audit.diagnosis import gather
from swagproof.pipeline.audit.options import make_request
from swagproof.pipeline.commands.audit import audit as command
from swagproof.testing import assert_windows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
EXAMPLES = TESTS.parent / "examples"
LARGE = 2**53 + 1
"""An integer that no double represents."""

EVENTS = pa.table(
    {
        "user": ["ann", "ann", "bob", "ann"],
        "at": pa.array([NINE + timedelta(minutes=m) for m in (0, 59, 5, 60)], pa.timestamp("us", "UTC")),
        "price": pa.array([LARGE, 1, 3, 11], pa.int64()),
    }
)
RESULTS = pa.table(
    {
        "user": ["ann", "ann", "bob"],
        "window_start": pa.array([NINE, NINE + timedelta(hours=1), NINE], pa.timestamp("us", "UTC")),
        "result": pa.array([LARGE + 1, 11, 3], pa.int64()),
    }
)
ASKED: dict[str, Any] = {
    "window": "tumbling 1h", "key": "user", "time": "at", "value": "price", "aggregate": "sum",
}  # fmt: skip


def ask(**options: Any) -> dict[str, Any]:
    """Return the usual options, with others added."""
    return ASKED | options


def shift(results: Any) -> Any:
    """Return the results with one of them off by one."""
    at = results.schema.get_field_index("result")
    return results.set_column(
        at, "result", pa.array([LARGE, *results["result"].to_pylist()[1:]], results["result"].type)
    )


def write(table: Any, path: Path) -> Path:
    pq.write_table(table, path)
    return path


class Capsule:
    """A data frame of an unknown library, with only the PyCapsule interface."""

    def __init__(self, table: Any) -> None:
        self.__arrow_c_stream__ = table.__arrow_c_stream__


class Exporting:
    """A data frame with an export of its own, like Spark's."""

    def __init__(self, table: Any) -> None:
        self.toArrow = lambda: table


FRAMES: dict[str, Callable[[Any], Any]] = {
    "PyArrow": lambda table: table,
    "PyArrow, read once": lambda table: table.to_reader(),
    "pandas": lambda table: table.to_pandas(),
    "pandas, nullable": lambda table: table.to_pandas().convert_dtypes(),
    "pandas, of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas, categories": lambda table: table.to_pandas().astype({"user": "category"}),
    "pandas, an index": lambda table: table.to_pandas().set_index("user"),
    "Polars": pl.from_arrow,
    "Polars, categories": lambda table: pl.DataFrame(pl.from_arrow(table)).cast({"user": pl.Categorical}),
    "Polars, lazy": lambda table: pl.DataFrame(pl.from_arrow(table)).lazy(),
    "DuckDB": lambda table: duckdb.from_arrow(table),
    "capsule": Capsule,
    "export": Exporting,
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_is_taken_as_it_is_and_no_integer_becomes_a_double(name: str) -> None:
    frame = FRAMES[name]
    report = audit(frame(EVENTS), frame(RESULTS), **ASKED)
    assert (report.outcome, report.conforms) == ("conforms", True), str(report)
    assert audit(frame(EVENTS), frame(shift(RESULTS)), **ASKED).data["counts"]["wrong"] == 1


@pytest.mark.parametrize("paths", ["a text", "a path", "several"])
def test_paths_are_taken_too(tmp_path: Path, paths: str) -> None:
    path = write(EVENTS, tmp_path / "e.parquet")
    given: Any = {"a text": str(path), "a path": path, "several": [str(path)]}[paths]
    assert audit(given, RESULTS, **ASKED).conforms
    assert not audit(given, shift(RESULTS), **ASKED).conforms


def test_a_series_by_its_index_is_a_frame() -> None:
    events = EVENTS.to_pandas()
    totals = events.groupby(["user", events["at"].dt.floor("h").rename("window_start")])["price"].sum()
    assert audit(events, totals.rename("result"), **ASKED).conforms


def test_decimals_moments_of_zones_and_nulls_of_pandas() -> None:
    berlin = [(NINE + timedelta(minutes=m)).astimezone(ZoneInfo("Europe/Berlin")) for m in (0, 1, 2)]
    events = pd.DataFrame({"at": pd.to_datetime(berlin), "price": [Decimal("0.1"), Decimal("0.2"), None]})
    asked = ask(key=(), nulls="skip")
    right, wrong = (
        pd.DataFrame({"window_start": [NINE], "result": [Decimal(total)]}) for total in ("0.3", "0.30000000000000004")
    )
    assert audit(events, right, **asked).conforms
    assert not audit(events, wrong, **asked).conforms
    events = pd.DataFrame({"at": berlin, "price": pd.array([LARGE, None, 1], dtype="Int64")})
    assert audit(events, pd.DataFrame({"window_start": [NINE], "result": [LARGE + 1]}), **asked).conforms
    assert not audit(events, pd.DataFrame({"window_start": [NINE], "result": [LARGE]}), **asked).conforms


def test_nan_is_null_in_doubles_of_pandas_alone() -> None:
    columns = {"at": [NINE, NINE], "price": [1.5, float("nan")]}
    asked = ask(key=())
    results = pl.DataFrame({"window_start": [NINE], "result": [1.5]})
    report = audit(pd.DataFrame(columns), results, **asked)
    assert (report.outcome, report.data["bad_rows"][0]["reason"]) == ("unknown", "value is null")
    assert audit(pd.DataFrame(columns), results, **asked, nulls="skip").conforms
    assert audit(pl.DataFrame(columns), results, **asked, nulls="skip").outcome == "violated"
    nan = results.with_columns(result=float("nan"))
    assert audit(pl.DataFrame(columns), nan, **asked).conforms


def test_the_report_says_what_the_command_says(tmp_path: Path) -> None:
    paths = [str(write(table, tmp_path / f"{i}.parquet")) for i, table in enumerate((EVENTS, shift(RESULTS)))]
    words = [word for name, value in ASKED.items() for word in (f"--{name}", value)]
    said = CliRunner().invoke(command, ["--events", paths[0], "--results", paths[1], *words])
    report = audit(*paths, **ASKED)
    assert (said.exit_code, said.output) == (1, f"{report}\n")
    assert "violated" in repr(report)
    page = report._repr_html_()  # pyright: ignore[reportPrivateUsage]  # notebooks call it
    assert page.startswith("<h1>")
    assert "expected 9007199254740994, got 9007199254740993" in page
    (row,) = report.findings.to_pylist()
    assert (row["kind"], row["key"], row["window_start"]) == ("wrong", '["ann"]', NINE)
    assert report.data["counts"]["wrong"] == 1
    right = audit(EVENTS, RESULTS, **ASKED)
    assert right.findings.schema == report.findings.schema
    assert (right.findings.num_rows, right.diagnosis, right.hints) == (0, [], [])


def test_all_findings_are_in_the_table_and_few_in_the_text() -> None:
    n = 1_000
    events = pa.table({"user": [f"u{i % 7}" for i in range(n)], "at": range(n), "price": range(n)})
    late = [(t * 7 + 3) % 5 for t in range(n)]
    wrong = {"user": events["user"], "window_start": events["at"], "result": [t + late[t] for t in range(n)]}
    report = audit(events, pa.table(wrong).slice(100), **ask(window="tumbling 1"), diagnosis=False)
    assert report.findings.num_rows == sum(report.data["counts"].values()) == 100 + sum(map(bool, late[100:]))
    assert report.findings.schema.field("window_start").type == pa.int64(), "plain numbers stay what they are"
    assert len(str(report).splitlines()) < 40
    more = audit(events, pa.table(wrong), **ask(window="tumbling 1"), show=50, diagnosis=False)
    assert len(str(more).splitlines()) > 100


def test_a_hint_leads_and_the_report_fits_a_screen() -> None:
    """The windows are from Polars, and closed at the other end."""
    at = [NINE + timedelta(minutes=5 * i) for i in range(400)]
    events = pl.DataFrame({"user": [f"u{i % 3}" for i in range(400)], "at": at, "price": [i % 11 for i in range(400)]})
    hours = events.group_by_dynamic("at", every="1h", closed="right", group_by="user").agg(result=pl.col("price").sum())
    report = audit(events, hours, **ASKED, window_start="at")
    assert report.sentence.startswith("hint: right with --window 'tumbling 1h closed right'; 102 results expected: ")
    assert report.hints == ["right with --window 'tumbling 1h closed right'"]
    assert report.diagnosis[0]["explains"] == report.findings.num_rows == 34
    lines = str(report).splitlines()
    assert lines[1].startswith("  hint: ")
    assert len(lines) < 45
    assert audit(events, hours, **ask(window="tumbling 1h closed right"), window_start="at").conforms


def totals_of(times: Sequence[int], first: int, last: int) -> list[dict[str, int]]:
    """Return the sums of times in windows of ten units, closed at their ends, with a 0 for each empty one."""
    return [{"window_start": at, "result": sum(t for t in times if at < t <= at + 10)} for at in range(first, last, 10)]


SUMS: dict[str, Any] = {"window": "tumbling 10", "time": "at", "value": "at", "aggregate": "sum", "empty": "zero"}


def test_windows_that_are_filled_do_not_hide_how_they_are_closed() -> None:
    times = [t for t in range(10, 900, 10) if t % 50 < 30]  # in half of the windows there is nothing
    results = pa.Table.from_pylist(totals_of(times, -10, 890))
    report = audit(pa.table({"at": times}), results, **SUMS)
    assert report.hints == ["right with --window 'tumbling 10 closed right'"]


def test_a_finding_in_the_last_windows_of_a_sample_that_was_cut_is_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "_WIDE", 300)
    times = [t for t in range(1, 2000, 3) if t % 10]  # so that it makes no difference how windows are closed
    results = totals_of(times, 0, 2000)
    results[-1]["result"] += 1
    report = audit(pa.table({"at": times}), pa.Table.from_pylist(results), **SUMS)
    assert "no diagnosis found for 1 finding" in report.sentence


def make_days(held: str) -> tuple[Any, Any, dict[str, Any]]:
    """Return ten days of 30 keys' events, and their sliding results, of which every seventh is off by one."""
    events: list[dict[str, Any]] = [
        {"user": f"u{i % 30}", "at": NINE + timedelta(minutes=i * 7), "seq": i, "price": i % 11} for i in range(2_000)
    ]
    sums: dict[tuple[str, datetime], int] = {}
    for event in events:
        begin = event["at"].replace(minute=0) - timedelta(hours=event["at"].hour % 2 + 2)
        for start in (begin, begin + timedelta(hours=2)):
            sums[event["user"], start] = sums.get((event["user"], start), 0) + event["price"]
    results = [
        {"user": user, "window_start": start, "window_end": start + timedelta(hours=4), "result": total + (i % 7 == 0)}
        for i, ((user, start), total) in enumerate(sums.items())
    ]
    asked = ask(window="sliding 4h every 2h", diagnosis=False)
    if held == "one name":
        results = [{name: cell for name, cell in row.items() if name != "window_end"} for row in results]
    elif held == "watermark":
        asked |= {"arrival": "seq", "watermark": "1h", "complete": True}
    elif held == "calendar":
        asked["window"] = "tumbling 1 day in Europe/Berlin"
        berlin = ZoneInfo("Europe/Berlin")
        days = {(e["user"], e["at"].astimezone(berlin).date()) for e in events}
        results = [
            {"user": user, "window_start": datetime(day.year, day.month, day.day, tzinfo=berlin),
             "result": sum(e["price"] for e in events if (e["user"], e["at"].astimezone(berlin).date()) == (user, day))
             + (i % 7 == 0)}
            for i, (user, day) in enumerate(sorted(days))
        ]  # fmt: skip
    return pa.Table.from_pylist(events), pa.Table.from_pylist(results), asked


def name_found(report: AuditReport) -> set[tuple[str, datetime]]:
    return {(row["key"], row["window_start"]) for row in report.findings.to_pylist()}


@pytest.mark.parametrize("held", ["both names", "one name", "watermark", "calendar"])
def test_spans_side_by_side_have_each_window_once(held: str) -> None:
    events, results, asked = make_days(held)
    whole = audit(events, results, **asked)
    edges = [
        None,
        "2026-03-03",
        "2026-03-05T10:00:00Z",
        "2026-03-05T10:30:00Z",
        datetime(2026, 3, 8, 2, tzinfo=UTC),
        None,
    ]
    parts = [audit(events, results, **asked, from_=a, to=b) for a, b in itertools.pairwise(edges)]
    found = [name_found(part) for part in parts]
    assert sum(map(len, found)) == len(name_found(whole)) > 30
    assert set[Any]().union(*found) == name_found(whole)
    assert sum(part.data["results"]["expected"] for part in parts) == whole.data["results"]["expected"]
    assert all("only windows that end " in part.sentence for part in parts)
    assert "; only windows that end after 2026-03-03 and by 2026-03-05T10:00:00Z" in parts[1].sentence
    assert whole.data["scope"] == []


def test_rows_outside_a_span_do_not_matter() -> None:
    """The results are from one day, and the events continue after it."""
    events, results, asked = make_days("both names")
    end, begin = datetime(2026, 3, 6, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC)
    rows = [row for row in results.to_pylist() if begin < row["window_end"] <= end]
    part = audit(events, pa.Table.from_pylist(rows), **asked, from_=begin, to=end)
    assert {row["kind"] for row in part.findings.to_pylist()} == {"wrong"}
    assert part.data["results"]["expected"] == len(rows)
    part = audit(events, pa.Table.from_pylist(rows[1:]), **ask(**{**asked, "diagnosis": True}), from_=begin, to=end)
    assert part.data["counts"]["missing"] == 1
    assert part.data["diagnosed"]["failed"] is None


@pytest.mark.parametrize("held", ["both names", "watermark"])
@pytest.mark.drawn(1)
def test_a_sample_of_keys_is_drawn_by_a_seed(held: str) -> None:
    events, results, asked = make_days(held)
    whole = name_found(audit(events, results, **asked))
    drawn: set[frozenset[str]] = set()
    for seed in range(3):
        part = audit(events, results, **ask(**{**asked, "diagnosis": True}), sample_keys=4, seed=seed)
        keys = {key for key, _ in name_found(part)}
        assert name_found(part) == {(key, at) for key, at in whole if key in keys}
        assert part.sentence.endswith(f"; only 4 of 30 keys, by seed {seed}")
        assert part.data["diagnosed"]["failed"] is None
        assert 0 < len(keys) <= 4
        drawn.add(frozenset(keys))
    assert len(drawn) == 3
    assert name_found(audit(events, results, **asked, sample_keys=99)) == whole


def test_findings_beyond_the_events_that_are_read_are_not_called_unexplained() -> None:
    """Only the first events of a key with many are read, so the rest of its findings is not examined."""
    times = range(0, 30_000, 5)
    events = pa.table({"time": times, "value": [1 + t % 7 for t in times]})
    sums = dict[int, int]()
    for t in times:
        start = (t - 1) // 50 * 50
        sums[start] = sums.get(start, 0) + 1 + t % 7
    results = pa.table({"window_start": [*sums], "result": [*sums.values()]})
    report = audit(events, results, window="tumbling 50", time="time", value="value", aggregate="sum")
    examined = report.data["diagnosed"]
    assert 0 < examined["explained"] == examined["findings"] < sum(report.data["counts"].values())
    assert "right with --window 'tumbling 50 closed right'" in report.sentence


def test_what_spans_are_not_of_is_refused() -> None:
    for options, message in (
        ({"window": "session 5m"}, "--from, --to: not supported with session 5m"),
        ({"window": "tumbling 1h from first"}, "not from first"),
        ({"from_": "soon"}, "--from: soon is not a time"),
        ({"from_": "2026-03-02", "to": "2026-03-01"}, "is not before"),
    ):
        with pytest.raises(InputError, match=message):
            audit(EVENTS, RESULTS, **ask(**{"to": "2026-03-02", **options}))


def test_what_does_not_conform_raises() -> None:
    audit(EVENTS, RESULTS, **ASKED).raise_if_violated()
    with pytest.raises(AssertionError, match="expected 9007199254740994, got 9007199254740993") as failed:
        assert_windows(EVENTS, shift(RESULTS), **ASKED)
    assert isinstance(failed.value, AuditViolation)
    assert failed.value.report.outcome == "violated"
    nothing = EVENTS.slice(0, 0), RESULTS.slice(0, 0)
    with pytest.raises(AuditViolation, match="nothing was compared"):
        assert_windows(*nothing, **ASKED)
    assert assert_windows(*nothing, **ASKED, allow_unknown=True).outcome == "unknown"
    with pytest.raises(AuditViolation):
        audit(EVENTS, shift(RESULTS), **ASKED).raise_if_violated(allow_unknown=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"late_bye": "time"}, "no option 'late_bye'; did you mean 'late_by'?"),
        ({"late-by": "time"}, "no option 'late-by'; did you mean 'late_by'?"),
        ({"qqqq": 1}, "no option 'qqqq'$"),
        ({"profile": "beam"}, "no option 'profile'"),
        ({"events": EVENTS}, "multiple values for .*'events'"),
    ],
)
def test_an_option_that_there_is_not(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        audit(*(EVENTS, RESULTS), **ASKED, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"late": "dropp"}, "--late: 'dropp' is none of 'drop', 'update', 'retract'"),
        ({"show": "3"}, "--show: '3' is not an integer"),
        ({"complete": 1}, "--complete: 1 is not True or False"),
        ({"watermark": 10}, "--watermark: 10 is not a text"),
        ({"key": 7}, "--key: 7 is not a column name"),
        ({"value": "cost"}, "--value cost: pyarrow Table has no such column; it has user, at, price"),
        ({"window": "hopping 3"}, "hopping"),
        ({"events_format": "xml"}, "--events-format: 'xml' is unknown; give one of parquet, json, csv"),
        ({"out": "."}, "--out .: it exists"),
    ],
)
def test_a_value_that_an_option_has_not(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        audit(EVENTS, RESULTS, **ask(**options))


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(TypeError, match="results: int is neither a path nor a data frame"):
        audit(EVENTS, 3, **ASKED)
    with pytest.raises(InputError, match="pandas DataFrame cannot be converted to Arrow"):
        audit(pd.DataFrame({"at": [NINE, "x"]}), RESULTS, **ASKED)
    with pytest.raises(InputError, match=r"--results no\.parquet: there is no such file"):
        audit(EVENTS, "no.parquet", **ASKED)


@pytest.mark.parametrize(
    ("engine", "window", "stands_for"),
    [
        ("kafka-streams", "tumbling 1m", {"watermark": "0", "late": "update", "early": True}),
        ("beam", "tumbling 1m", {"late": "update", "lateness": "1us"}),
        ("bytewax", "session 5m", {"window": "session 5m touching", "watermark_per_key": True, "late_by": "time",
                                   "window_end": ""}),
        ("spark-batch", "session 5m touching", {}),
        ("polars", "sliding 24h every 6h", {"window": "sliding 24h every 6h from first"}),
        ("polars", "range -9s 0 closed left", {}),
        ("pandas", "range -9s 0", {"window": "range -9s 0 closed right to row", "empty": "any"}),
    ],
)  # fmt: skip
def test_a_profile_is_the_options_that_it_stands_for(engine: str, window: str, stands_for: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"window": window, "aggregate": "sum", "time": "t"}
    make: Any = make_request
    made = make(None, None, {**asked, "engine": engine})
    assert replace(made, profile=None) == make(None, None, {**asked, **stands_for})
    given = make(None, None, {**asked, "engine": engine, "lateness": "9m", "empty": "zero"})
    assert (given.lateness, given.empty) == ("9m", "zero")


def test_a_profile_is_reported_as_the_command_spells_it() -> None:
    """Flags have no value, and values with special characters of the shell are quoted."""
    report = audit(EVENTS, RESULTS, **ask(engine="bytewax", arrival="at", watermark="0"))
    (said,) = [text for label, text in vars(report)["_found"].remarks if label == "rules"]
    assert said == ("--engine bytewax is --window 'tumbling 1h', --watermark-per-key, --late-by time, --window-end ''")


def test_spark_s_frames_are_exported_or_stay_there(spark: "SparkSession") -> None:
    events, right, wrong = (spark.createDataFrame(table) for table in (EVENTS, RESULTS, shift(RESULTS)))
    for session in (None, spark):
        assert audit(events, right, **ASKED, spark=session).conforms
        report = audit(events, wrong, **ASKED, spark=session)
        assert report.findings.column("got").to_pylist() == [str(LARGE)]
    assert audit(EVENTS.to_pandas(), RESULTS, **ASKED, spark=spark).conforms
    rows = make_days("watermark")
    part: dict[str, Any] = {"from_": "2026-03-03", "to": "2026-03-04", "sample_keys": 9}
    one, other = (audit(*rows[:2], **rows[2], **part, spark=session) for session in (None, spark))
    assert name_found(one) == name_found(other) != set()
    assert str(one).replace("one process", "") == str(other).replace("local", "")


def run_notebook(path: Path) -> dict[str, Any]:
    """Return the variables of a notebook after running its cells."""
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    return names


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "audit_frames.py"))
    said = capsys.readouterr().out
    assert said.startswith("conforms: polars DataFrame\n")
    assert "10:00:00Z, 2026-03-01T11:00:00Z): missing; expected 11" in said
    assert isinstance(run_notebook(EXAMPLES / "audit.ipynb")["report"], AuditReport)
    test = [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", str(EXAMPLES / "test_hourly_totals.py")]
    done = subprocess.run(test, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
