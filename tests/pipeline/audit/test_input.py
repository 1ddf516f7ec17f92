"""Inputs of an audit: text files and Parquet, good and bad, a custom aggregation, and empty input."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from support.auditing import Row, name_causes, run, write

from swagproof.oracle.domain import names
from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.audit import audit as command
from swagproof.reports.text import render


def test_the_command_with_text_files(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(
        '{"k": "x", "t": "2026-01-01T00:00:10Z", "n": 1, "v": 0.10}\n'
        '{"k": "x", "t": "2026-01-01T00:00:50Z", "n": 2, "v": 0.20}\n'
        '{"k": "x", "t": "soon", "n": 3, "v": 1}\n'
        '{"k": "x", "t": "2026-01-01T00:01:10Z", "n": 4, "v": null}\n'
        '{"k": "x", "t": \n'
    )
    (tmp_path / "r.csv").write_text(
        "k,s,total\nx,2026-01-01T00:00:00Z,0.3\nx,2026-01-01T00:02:00Z,lots\nx,2026-01-01T00:03:00Z,[5]\n"
    )
    files = ["--events", str(tmp_path / "e.jsonl"), "--results", str(tmp_path / "r.csv"), "--window", "tumbling 1m"]
    base = [
        *files,
        *"--key k --time t --value v:decimal --aggregate sum --window-start s --result total:decimal".split(),
    ]
    done = CliRunner().invoke(command, [*base, "--json", "-", "--quarantine", str(tmp_path / "bad")])
    said = json.loads(done.output)
    assert (done.exit_code, said["outcome"], said["events"]["bad"], said["results"]["bad"]) == (3, "unknown", 3, 2)
    kept = [json.loads(line) for file in (tmp_path / "bad").glob("*.json") for line in file.read_text().splitlines()]
    assert sorted(row["reason"] for row in kept) == [
        "result: [5] is not a decimal number; --result total:json is for lists and objects",
        "result: lots is not a decimal number",
        "the line cannot be read",
        "time: soon is not a time; write it as 2026-03-01T09:00:00Z, or NAME:int for integers",
        "value is null",
    ]
    again = CliRunner().invoke(command, [*base, "--allow-bad-rows"])
    assert again.exit_code == 0, again.output
    assert "conforms" in again.output
    for wrong, message in (
        (["--value", "w:decimal"], "--value"),
        (["--window", "hopping 3"], "--window"),
        (["--quarantine", str(tmp_path / "bad")], "exists"),
        (["--watermark", "5s"], "--arrival"),
        (["--engine", "flink"], "--engine: requires --watermark"),
        (["--batch", "t"], "--batch: requires --watermark"),
        (["--late", "update"], "--late update: requires --watermark"),
        (["--results", "no.parquet"], "no such file"),
    ):
        refused = CliRunner().invoke(command, [*base, *wrong])
        assert refused.exit_code == 2, refused.output
        assert message in refused.output


@pytest.fixture
def audited(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Return a function that runs the command on the text of two files, with options."""

    def call(events: str, results: str, window: str, aggregate: str, options: str) -> tuple[int, str]:
        paths: list[str] = []
        for name, text in (("events", events), ("results", results)):
            path = tmp_path / (name + (".jsonl" if text.startswith("{") else ".csv"))
            path.write_text(text)
            paths += [f"--{name}", str(path)]
        arguments = [*paths, "--window", window, "--aggregate", aggregate, *options.split()]
        done = CliRunner().invoke(command, arguments)
        return done.exit_code, done.output.replace(str(tmp_path) + "/", "")

    return call


def test_columns_of_json_lines(audited: Callable[..., tuple[int, str]]) -> None:
    """A missing column is named, or, if it is optional, ignored; times far away are bad rows."""
    events = "".join(json.dumps({"k": "ключ", "t": t, "v": t}) + "\n" for t in (-(2**63), -7, -5, 0, 3, 2**62))
    results = "".join(
        json.dumps({"k": "ключ", "window_start": t, "result": x}) + "\n" for t, x in ((-10, -7), (-5, -5), (0, 3))
    )
    asked = "--key k --time t:int --value v --allow-bad-rows"
    code, said = audited(events, results, "tumbling 5", "sum", asked)
    assert (code, "but 2 bad rows were left out, such as events: time: " in said) == (0, True), said
    for wrong, why in (("--value w", "--value w: events.jsonl has no such column; it has k, t, v"),
                       ("--result total", "--result total: results.jsonl has no such column"),
                       ("--value v.w", "--value v.w"), ("--time t:time", "--time NAME:int")):  # fmt: skip
        code, said = audited(events, results, "tumbling 5", "sum", f"{asked} {wrong}")
        assert (code, why in said, said.count("\n")) == (2, True, 1), said


def test_counts_of_events_without_a_value(audited: Callable[..., tuple[int, str]]) -> None:
    events = "k,t,n\n" + "".join(f"a,{i},{i}\n" for i in range(9))
    results = "k,t,n,result\n" + "".join(f"a,{i},{i},{min(i, 5)}\n" for i in range(9))
    code, said = audited(events, results, "rows -5 -1", "count", "--key k --time t:int --arrival n --nulls ignore")
    assert code == 0, said


def test_times_as_text_and_in_a_unit_and_an_open_window_of_nulls(audited: Callable[..., tuple[int, str]]) -> None:
    events = "k,t,n,v\na,2026-03-01T00:00:10+02:00,1,1\na,2026-02-28 22:00:20,2,2\na,1772316070000,3,\n"
    results = "k,window_start,result\na,1772316000000,3\n"
    options = "--key k --time t --time-unit ms --value v --arrival n --nulls ignore --watermark 0"
    code, said = audited(events, results, "tumbling 1m", "sum", options)
    assert (code, "1 not expected yet" in said) == (0, True), said


@pytest.mark.parametrize("aggregate", ["first", "last", "collect", "sql-first", "sql-last"])
def test_the_order_of_values_is_tried_where_some_are_null(
    audited: Callable[..., tuple[int, str]], aggregate: str
) -> None:
    """Null has no order among numbers, and the search for a cause continues."""
    events = "k,t,n,v\n" + "".join(f"a,{i},{i},{'' if i % 3 == 1 else 7 * i % 11}\n" for i in range(40))
    results = "k,window_start,result\n" + "".join(
        f"a,{10 * i},{'[1]' if aggregate == 'collect' else 1}\n" for i in range(4)
    )
    asked = "--key k --time t:int --arrival n --value v:int" + " --nulls ignore" * (not aggregate.startswith("sql-"))
    code, said = audited(events, results, "tumbling 10", aggregate, asked)
    assert (code, "violated" in said, "bug in swagproof" in said) == (1, True, False), said


def test_doubles_where_integers_are_meant(tmp_path: Path) -> None:
    """pandas writes integers so if a column has a null; a double that is no integer is a bad row, or a wrong result."""
    rows: list[Row] = [{"key": k, "time": 60.0 * t, "seq": float(t), "value": t} for t, k in ((0, 1), (1, 30), (2, 1))]
    events = write(tmp_path / "e.parquet", rows)
    (tmp_path / "r.csv").write_text("key,window_start,result\n1.0,0.0,2.0\n30.0,0,1\n")
    for unit in (None, "ms", "s"):
        report = run(events, tmp_path / "r.csv", "tumbling 180" + ("" if unit is None else unit), "sum", time_unit=unit)
        assert report.outcome == "conforms", report.sentence
    (tmp_path / "r.csv").write_text("key,window_start,result\n1,0,2.5\n30,0,1\n")
    report = run(events, tmp_path / "r.csv", "tumbling 180", "sum")
    assert (report.outcome, report.counts["wrong"]) == ("violated", 1), report.sentence
    half = write(tmp_path / "half.parquet", [*rows, {"key": 1, "time": 0.5, "seq": 3.0, "value": 1}])
    report = run(half, tmp_path / "r.csv", "tumbling 180", "sum")
    assert (report.events["bad"], report.bad_rows[0]["reason"]) == (1, "time: 0.5 is not a 64-bit integer")
    assert run(half, tmp_path / "r.csv", "tumbling 180s", "sum", time_unit="s").events["bad"] == 0


def test_text_that_is_no_number_stays_a_key_beside_numbers(tmp_path: Path) -> None:
    events = write(tmp_path / "e.parquet", [{"key": k, "time": 0, "seq": 0, "value": 1} for k in (7, None)])
    (tmp_path / "r.csv").write_text("key,window_start,result\n7.00,0,1\n,0,1\nall,0,2\n")
    report = run(events, tmp_path / "r.csv", "tumbling 10", "sum")
    assert [(it["kind"], it["key"]) for it in report.findings] == [("extra", '["all"]')]


def test_bad_rows_that_may_be_why_have_no_cause(tmp_path: Path) -> None:
    """Findings that bad rows explain are reported with the reason for the first bad row, and get no cause."""
    events = write(tmp_path / "e.parquet", [{"key": "a", "time": t, "seq": t, "value": 1} for t in range(30)])
    (tmp_path / "r.csv").write_text("key,window_start,result\n" + "".join(f"a,{t}?,10\n" for t in (0, 10, 20)))
    report = run(events, tmp_path / "r.csv", "tumbling 10", "sum")
    assert (report.outcome, report.causes, report.findings[0]["cause"]) == ("unknown", [], None)
    said = "all 3 results are bad rows, and nothing was compared: window-start: 0? is not a 64-bit integer"
    assert report.sentence == said
    (tmp_path / "r.csv").write_text("key,window_start,result\na,0,10\n" + "".join(f"a,{t}?,10\n" for t in (10, 20)))
    report = run(events, tmp_path / "r.csv", "tumbling 10", "sum")
    said = "2 bad rows were left out, which may be why, such as results: window-start: 10? is not a 64-bit integer"
    assert report.sentence.endswith(said), report.sentence


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        (b"key;window_start;result\na;0;1\n", "separated by commas, and not by ;"),
        ("key,window_start,result\n\u00e9,0,1\n".encode("latin-1"), "not in UTF-8"),
        (b"key,window_start,result,result\na,0,1,1\n", "several columns of that name"),
    ],
)
def test_tables_that_are_written_otherwise_are_refused_with_the_way_out(
    tmp_path: Path, text: bytes, way_out: str
) -> None:
    events = write(tmp_path / "e.parquet", [{"key": "a", "time": 0, "seq": 0, "value": 1}])
    (tmp_path / "r.csv").write_bytes(text)
    with pytest.raises(InputError, match=way_out):
        run(events, tmp_path / "r.csv", "tumbling 10", "sum")


def test_parquet_in_nanoseconds_and_none_at_all(tmp_path: Path) -> None:
    """Whole microseconds in nanoseconds, as from pandas, are read; a file that is no Parquet is named in one line."""
    stamps = {"key": ["k"], "time": pa.array([1_700_000_000_000_001_000], pa.timestamp("ns")), "value": [1], "seq": [1]}
    pq.write_table(pa.table(stamps), tmp_path / "e.parquet")
    right = write(tmp_path / "right.parquet", [{"key": "k", "window_start": 1_700_000_000_000_000, "result": 1}])
    assert run(tmp_path / "e.parquet", right, "tumbling 10s", "sum", time_unit="us").outcome == "conforms"
    (tmp_path / "r.parquet").write_text("no")
    arguments = ["--events", str(tmp_path / "r.parquet"), "--results", str(right), "--time", "time", "--value", "value"]
    told = CliRunner().invoke(command, [*arguments, "--window", "tumbling 1s", "--aggregate", "sum"])
    assert (told.exit_code, told.output.count("\n")) == (2, 1), told.output
    assert "r.parquet" in told.output


def test_an_empty_frame_has_no_proof() -> None:
    rows: list[Row] = [{"key": "k", "time": t, "seq": t, "value": "x", "result": "z" if t else "x"} for t in (0, 1)]
    report = run(rows, rows, "rows 1 1", "concatenation")
    assert [(it["events"], it["cause"], it["proof"]) for it in report.findings] == [
        (0, "unexplained", '{"n": 0, "events": []}')
    ]


def test_a_value_whose_type_is_inferred_is_the_same_beside_numbers_and_text(tmp_path: Path) -> None:
    events = tmp_path / "e.jsonl"
    events.write_text('{"key":"k","time":1,"seq":1,"value":7}\n')
    told: Any = {"time": "time:int"}
    results = write(tmp_path / "r.parquet", [{"key": "k", "window_start": 0, "result": 7}])
    for value in ("value", "value:int"):
        assert run(events, results, "tumbling 10", "last", **told, value=(value,)).outcome == "conforms"
    with pytest.raises(InputError, match=r"--value value: it was inferred as text, .*results are int; state its type"):
        run(write(tmp_path / "e.parquet", [{"key": "k", "time": 1, "seq": 1, "value": "7"}]), results, "tumbling 10",
            "last")  # fmt: skip
    texts = write(tmp_path / "t.parquet", [{"key": "k", "window_start": 0, "result": "7"}])
    assert run(events, texts, "tumbling 10", "last", **told).outcome == "conforms"


def test_nothing_is_written_where_it_is_read_nor_twice_to_one_place(tmp_path: Path) -> None:
    """The check recognises any spelling of a path, and precedes all reading: existing files are kept."""
    events = write(tmp_path / "in.parquet", [{"key": "k", "time": 1, "seq": 1, "value": 7}])
    results = write(tmp_path / "r.parquet", [{"key": "k", "window_start": 0, "result": 7}])
    (tmp_path / "link").symlink_to(events)
    before, new = Path(events).read_bytes(), str(tmp_path / "new")
    arguments = ["--events", str(events), "--results", str(results), "--time", "time", "--value", "value"]
    arguments += ["--key", "key", "--arrival", "seq", "--window", "tumbling 10", "--aggregate", "sum"]
    for more, said in (
        (["--json", str(tmp_path / "." / "in.parquet")], "is an input file"),
        (["--html", str(tmp_path / "link")], "is an input file"),
        (["--markdown", str(results)], "is an input file"),
        (["--out", new, "--quarantine", f"{new}/."], "--out writes to"),
        (["--json", new, "--out", new], "--json writes to"),
    ):
        told = CliRunner().invoke(command, [*arguments, *more])
        assert (told.exit_code, said in told.output) == (2, True), told.output
        assert (Path(events).read_bytes(), Path(new).exists()) == (before, False)
    assert CliRunner().invoke(command, [*arguments, "--json", new]).exit_code == 0


def test_a_key_is_told_in_one_line_and_as_no_other() -> None:
    keys = ["a", "a ", "", "null", "a\nb"]
    events: list[Row] = [{"key": key, "time": 1, "seq": i, "value": 1} for i, key in enumerate(keys)]
    report = run(events, [{"key": key, "window_start": 0, "result": 2} for key in keys], "tumbling 10", "sum")
    text = render(report.report())
    for told in ("a: [", '"a ": [', '"": [', '"null": [', '"a\\nb": ['):
        assert f" {told}" in text, told


def test_an_aggregation_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Longest:\n"
        "    '''The longest text, the older of two.'''\n"
        "    identity = ''\n"
        "    samples = ('a', 'bb', 'cc')\n"
        "    def combine(self, a, b):\n"
        "        return b if len(b) > len(a) else a\n"
    )
    events: list[Row] = [{"key": "k", "time": i, "seq": i, "value": "x" * (i * 7 % 10) + str(i)} for i in range(40)]
    rows: list[Row] = [
        {"key": "k", "window_end": end, "result": max((events[i]["value"] for i in range(end - 10, end)), key=len)}
        for end in range(10, 41, 10)
    ]
    rows[2]["result"] = "short"
    report = run(events, rows, "tumbling 10", f"{tmp_path / 'mine.py'}:Longest")
    assert report.counts["wrong"] == 1
    assert report.results["expected"] == 4


def test_an_aggregation_that_answers_nothing_of_no_events_is_searched_too(tmp_path: Path) -> None:
    """A hypothesis that removes all values of a window has no answer then."""
    (tmp_path / "mine.py").write_text(
        "class Middle:\n"
        "    samples = [1, 2, 3]\n"
        "    identity = ()\n"
        "    def lift(self, v): return (v,)\n"
        "    def combine(self, a, b): return a + b\n"
        "    def lower(self, a): return sorted(a)[len(a) // 2]\n"
    )
    events: list[Row] = [{"key": "k", "time": i, "seq": i, "value": i * 37 % 101} for i in range(60)]
    rows: list[Row] = [{"key": "k", "window_start": a, "result": a + 200} for a in range(0, 60, 3)]
    report = run(events, rows, "tumbling 3", f"{tmp_path / 'mine.py'}:Middle")
    assert report.counts["wrong"] == len(rows)


def test_an_aggregation_that_answers_a_map_is_held_against_one_of_arrow(tmp_path: Path) -> None:
    """The keys of the map are numbers in Arrow, and text in JSON."""
    (tmp_path / "mine.py").write_text(
        "class Histogram:\n"
        "    samples, identity = [1, 2, 3], ()\n"
        "    def lift(self, v): return (v,)\n"
        "    def combine(self, a, b): return tuple(sorted(a + b))\n"
        "    def lower(self, a): return {v: a.count(v) for v in a}\n"
    )
    events = [{"key": "k", "time": i, "seq": i, "value": i * i % 7} for i in range(30)]
    due = {a: Counter(i * i % 7 for i in range(a, a + 10)) for a in (0, 10, 20)}
    operation = f"{tmp_path / 'mine.py'}:Histogram"
    for wrong in (0, 1):
        due[10][2] += wrong
        held = pa.array([list(counted.items()) for counted in due.values()], pa.map_(pa.int64(), pa.uint64()))
        of_map = tmp_path / "map.parquet"
        pq.write_table(pa.table({"key": ["k"] * 3, "window_start": list(due), "result": held}), of_map)
        as_json: list[Row] = [
            {"key": "k", "window_start": a, "result": {str(v): n for v, n in counted.items()}}
            for a, counted in due.items()
        ]
        for results in (of_map, as_json):
            assert run(events, results, "tumbling 10", operation).counts.get("wrong", 0) == wrong


def test_counts_are_not_named_by_a_first_number_that_several_have() -> None:
    events = [{"key": "k", "time": i, "seq": i, "value": 1} for i in range(30)]
    rows = [{"key": "k", "window_start": max(1, last - 6), "result": min(last, 7)} for last in range(2, 31, 2)]
    with pytest.raises(InputError, match=r"all begin at its event 1.*--window-end"):
        run(events, rows, "count 7 every 2", "sum")
    rows = [{"key": "k", "window_start": max(1, last - 6), "result": min(last, 7)} for last in range(4, 31, 4)]
    assert run(events, rows, "count 7 every 4", "sum").outcome == "conforms"


def test_events_whose_order_nothing_tells() -> None:
    events = [{"key": "k", "time": 1, "seq": 1, "value": letter} for letter in "ab"]
    rows = [{"key": "k", "window_start": 0, "result": "ab"}]
    with pytest.raises(InputError, match="several events have time 1 and arrival number 1"):
        run(events, rows, "tumbling 10", "concatenation")
    with pytest.raises(InputError, match="--arrival"):
        run(events, rows, "tumbling 10", "concatenation", arrival=None)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("cells", "aggregate", "result", "note"),
    [
        (["1.5", "2", "2.25"], "sum", "5.75", "value is read as float; for exact decimals: --value value:decimal"),
        (["1.5", "2", "2.25"], "max", "2.25", ""),
        (["1", "-2", "7"], "sum", "6", ""),
        (["1", "2", "9" * 30], "sum", str(int("9" * 30) + 3), ""),
        (["b", "a", "b"], "distinct-count", "2", ""),
        (["b", "a", "b"], "max", "b", ""),
        (["x", "", "y"], "count", "3", ""),
        (["2026-01-01", "2026-01-03", "2026-01-02"], "max", "2026-01-03", ""),
    ],
)
def test_types_are_inferred_and_what_is_ambiguous_is_said_once(
    tmp_path: Path, form: str, cells: list[str], aggregate: str, result: str, note: str
) -> None:
    """A mutant of the result is rejected, and a stated type takes precedence."""

    def write_rows(name: str, rows: list[dict[str, str]]) -> Path:
        path = tmp_path / f"{name}.{form}"
        lines = [json.dumps(row) for row in rows]
        if form == "csv":
            lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
        return path

    events = write_rows(
        "e", [{"key": "k", "time": str(i), "seq": str(i), "value": cell} for i, cell in enumerate(cells)]
    )
    asked: Any = {"nulls": "ignore"} if aggregate != "count" else {"nulls": "refuse"}
    if "" in cells:
        asked = {"value": ()}
    said: list[str] = []
    for claim, outcome in ((result, "conforms"), (result[:-1] + ("3" if result[-1] != "3" else "4"), "violated")):
        results = write_rows("r", [{"key": "k", "window_start": "0", "result": claim}])
        report = run(events, results, "tumbling 10", aggregate, **asked)
        assert report.outcome == outcome, str(report.report())
        assert report.events["bad"] == 0
        said = [one for _, one in report.remarks if "plain numbers" not in one]
    assert said == [note] * bool(note)
    assert run(events, results, "tumbling 10", "count", value=("value:text",)).results["expected"] == 1


def test_a_cell_that_is_not_of_the_inferred_type_is_a_bad_row(tmp_path: Path) -> None:
    lines = "".join(f"k,{i},{i},{'x' if i == 15 else i}\n" for i in range(20))
    (tmp_path / "e.csv").write_text(f"key,time,seq,value\n{lines}")
    (tmp_path / "r.csv").write_text("key,window_start,result\nk,0,175\n")
    report = run(tmp_path / "e.csv", tmp_path / "r.csv", "tumbling 20", "sum")
    why = "value: x is not a 64-bit integer; the first rows are int, else state its type: --value value:text"
    assert [row["reason"] for row in report.bad_rows] == [why]
    assert report.outcome == "unknown"


def test_a_table_of_bad_rows_alone_is_not_compared(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("key,time,seq,value\na,0,0,x\n")
    (tmp_path / "r.csv").write_text("key,window_start,result\na,0,1\n")
    report = run(tmp_path / "e.csv", tmp_path / "r.csv", "tumbling 10", "sum", value=("value:int",))
    why = "value: x is not a 64-bit integer"
    said = f"the one row of events is bad, and nothing was compared: {why}"
    assert (report.outcome, report.sentence) == ("unknown", said)
    assert "no event has this key" not in render(report.report()), "of a table that could not be read"


def test_an_aggregation_is_asked_for_by_the_option_of_the_audit(tmp_path: Path) -> None:
    """The help lists all aggregations of the audit."""
    rows = [{"key": "a", "time": 0, "seq": 0, "value": 1}]
    results = [{"key": "a", "window_start": 0, "result": 1}]
    with pytest.raises(InputError, match=r"^--aggregate summ: not one of count, sum"):
        run(rows, results, "tumbling 10", "summ")
    (tmp_path / "mine.py").write_text("class Bare:\n    identity = 0\n    combine = staticmethod(max)\n")
    with pytest.raises(InputError, match=r"^--aggregate .*no elements to try: .* samples = \[\.\.\.\]$"):
        run(rows, results, "tumbling 10", f"{tmp_path / 'mine.py'}:Bare")
    said = " ".join((command.help or "").split())
    elsewhere = {"bloom", "affine", "matrix", "unimodular-matrix", "m4", "mutable-collect", "wide-sum"}
    assert [name for name in names() if name not in elsewhere and f" {name}" not in said] == []


def test_nothing_to_compare(tmp_path: Path) -> None:
    types = {"key": pa.string(), "time": pa.int64(), "seq": pa.int64(), "value": pa.int64()}
    bounds = {"key": pa.string(), "window_start": pa.int64(), "result": pa.int64()}
    none, no_results = write(tmp_path / "e.parquet", [], types), write(tmp_path / "r.parquet", [], bounds)
    report = run(none, no_results, "tumbling 10", "sum")
    assert (report.report().exit_code, report.sentence) == (3, "no results expected: nothing was compared")
    one = write(tmp_path / "f.parquet", [{"key": "k", "time": 1, "seq": 0, "value": 1}])
    report = run(one, no_results, "tumbling 10", "sum")
    assert name_causes(report) == {("k", 0): ("missing", "key lost")}


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Sao_Paulo", "UTC"])
@pytest.mark.parametrize("unit", ["day", "week", "month"])
@pytest.mark.parametrize("kind", ["text", "date", "timestamp"])
def test_a_calendar_s_windows_by_their_last_day(unit: str, zone: str, kind: str, tmp_path: Path) -> None:
    """For days of 23 and 25 hours, and days without a midnight, a day before the end is the date, not 24 hours."""
    moments = [datetime(2018, 1, 1, tzinfo=UTC) + timedelta(hours=6 * i) for i in range(4 * 365)]
    local = [moment.astimezone(ZoneInfo(zone)).date() for moment in moments]
    counts: Counter[date] = Counter()
    for day in local:
        last = day
        if unit == "week":
            last = day + timedelta(6 - day.weekday())
        elif unit == "month":
            last = (day.replace(day=1) + timedelta(31)).replace(day=1) - timedelta(1)
        counts[last] += 1
    label: dict[str, Any] = {
        "text": [str(day) for day in counts],
        "date": pa.array([*counts], pa.date32()),
        "timestamp": pa.array([datetime(day.year, day.month, day.day) for day in counts], pa.timestamp("us")),
    }
    pq.write_table(pa.table({"k": ["a"] * len(moments), "t": moments}), tmp_path / "e.parquet")
    results = {"k": ["a"] * len(counts), "last": label[kind], "result": list(counts.values())}
    pq.write_table(pa.table(results), tmp_path / "r.parquet")
    files = ["--events", f"{tmp_path}/e.parquet", "--results", f"{tmp_path}/r.parquet"]
    asked = "--key k --time t --aggregate count --window-end last --window-end-less 1d".split()
    done = CliRunner().invoke(command, [*files, *asked, "--window", f"tumbling 1 {unit} in {zone}"])
    assert done.exit_code == 0, done.output


def test_a_timestamp_of_spark_s_own_is_a_moment(tmp_path: Path) -> None:
    """It has 96 bits and no zone: it is in UTC; other timestamps without a zone are in the calendar's zone."""
    zone = ZoneInfo("Europe/Berlin")
    moments = [datetime(2024, 3, 29, tzinfo=UTC) + timedelta(hours=5 * i) for i in range(30)]
    days = Counter(moment.astimezone(zone).date() for moment in moments)
    starts = [datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC).replace(tzinfo=None) for day in days]
    pq.write_table(pa.table({"k": ["a"] * 30, "t": moments}), tmp_path / "e.parquet")
    results = pa.table({"k": ["a"] * len(days), "window_start": starts, "result": list(days.values())})
    asked = ["--events", f"{tmp_path}/e.parquet", "--results", f"{tmp_path}/r.parquet", "--key", "k", "--time", "t",
             "--window", "tumbling 1 day in Europe/Berlin", "--aggregate", "count"]  # fmt: skip
    for old, code in ((True, 0), (False, 1)):
        pq.write_table(results, tmp_path / "r.parquet", use_deprecated_int96_timestamps=old)
        done = CliRunner().invoke(command, asked)
        assert done.exit_code == code, done.output


def test_a_column_of_ends_that_are_others_is_left_out() -> None:
    """Sessions may be named by their last event, in a column called window_end."""
    events = [{"key": "k", "time": t, "seq": i, "value": 1} for i, t in enumerate((0, 2, 20))]
    results = [
        {"key": "k", "window_start": start, "window_end": end, "result": n}
        for start, end, n in ((0, 2, 2), (20, 20, 1))
    ]
    assert run(events, results, "session 5", "sum").outcome == "violated"
    assert run(events, results, "session 5", "sum", window_end="").outcome == "conforms"
    results[0]["result"] = 3
    assert run(events, results, "session 5", "sum", window_end="").counts["wrong"] == 1
    with pytest.raises(InputError, match="--window-start, --window-end: name the column"):
        run(events, results, "session 5", "sum", window_start="", window_end="")
