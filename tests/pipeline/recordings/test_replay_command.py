"""`swagproof replay` on recordings in files: exit codes, reports, exports, and rejected input."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from support import command
from support.recorded import CONCATENATION, FAULTS, RIGHT, Record, fifo, with_cells, write_lines, write_parquet

from swagproof.pipeline.commands.replay import replay


def run(*arguments: object) -> Result:
    return CliRunner().invoke(replay, [str(argument) for argument in arguments], catch_exceptions=False)


def assert_refused(result: Result, said: str) -> None:
    """Check that the command rejects its input in one line."""
    command.assert_refused(result, said)
    assert len(result.stderr.splitlines()) == 1


HEADING = {"window": "fifo", "monoid": "sum"}
SUMS = ("--window", "fifo", "--monoid", "sum")


@pytest.mark.parametrize(("fault", "code"), [("nothing", 0), ("an answer", 1), ("a gap", 2), ("no query", 3)])
def test_exit_codes(tmp_path: Path, fault: str, code: int) -> None:
    finished = run(write_lines(tmp_path / "r.jsonl", FAULTS[fault][0], HEADING))
    assert finished.exit_code == code, finished.output
    assert finished.stderr == "", "quiet in a pipe"


def test_a_report_in_text_and_json(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [*with_cells(RIGHT, 6, answer=99), *fifo("b", "iq")], HEADING)
    finished = run(path)
    assert f"violated: {path}\n  trace a, number 6: " in finished.stdout
    assert "traces      2: 1 conform, 1 violated" in finished.stdout
    data = json.loads(run(path, "--json", "-").stdout)
    assert (data["outcome"], data["format"]) == ("violated", "swagproof-verdict")
    assert data["witness"]["got"] == 99
    assert data["recording"]["outcomes"] == {"conforms": 1, "violated": 1, "error": 0, "unknown": 0}
    assert data["recording"]["failing"][0]["trace"] == "a"
    assert data["replay"].endswith("--trace a")
    assert json.loads(run(path, "--trace", "b", "--json", "-").stdout)["outcome"] == "conforms"


def test_failing_traces_are_exported(tmp_path: Path) -> None:
    rows = fifo("x/y", "iiiieqeq", CONCATENATION)
    rows[-1]["answer"] = "dbc"
    heading = {"window": "fifo", "monoid": "concatenation"}
    folder = tmp_path / "failing"
    finished = run(write_lines(tmp_path / "r.jsonl", rows, heading), "--export", folder)
    assert finished.exit_code == 1
    full, short = folder / "000-x%2Fy.jsonl", folder / "000-x%2Fy.reduced.jsonl"
    assert sorted(path.name for path in folder.iterdir()) == [full.name, short.name]
    for path in (full, short):
        again = json.loads(run(path, "--json", "-").stdout)
        assert (again["witness"]["expected"], again["witness"]["got"]) == (rows[5]["answer"][1:], "dbc")
    again = json.loads(run(folder, "--json", "-").stdout)
    assert again["recording"]["outcomes"] == {"conforms": 0, "violated": 2, "error": 0, "unknown": 0}


def test_bad_rows_are_quarantined(tmp_path: Path) -> None:
    rows = [*with_cells(RIGHT, 3, op="pop"), {"seq": 1}, *fifo("b", "iq")]
    finished = run(write_lines(tmp_path / "r.jsonl", rows, HEADING), "--quarantine", tmp_path / "bad")
    assert finished.exit_code == 2
    bad = [json.loads(line) for line in (tmp_path / "bad" / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["number"], row["problem"]) for row in bad] == [(5, "unknown operation"), (12, "no trace")]
    assert json.loads(bad[0]["row"])["op"] == "pop"
    assert "2 rows, in" in finished.stdout


def _without(name: str) -> Any:
    columns = {"trace": ["a"], "seq": [0], "op": ["query"], "value": [1], "answer": [1]}
    return pa.table({key: column for key, column in columns.items() if key != name})


@pytest.mark.parametrize("name", ["trace", "seq", "op", "value", "answer"])
def test_a_missing_column_is_named(tmp_path: Path, name: str) -> None:
    import pyarrow.parquet as pq

    pq.write_table(_without(name), tmp_path / "r.parquet")
    assert_refused(run(tmp_path / "r.parquet", *SUMS), f"there is no column {name}")


@pytest.mark.parametrize(
    ("lines", "options", "said"),
    [
        ([], [], "does not state the window; add --window"),
        ([], ["--window", "fifo"], "does not state the monoid; add --monoid"),
        ([{"format": "swagproof-recording", "version": 2}], [], 'expected "swagproof-recording" and 1'),
        ([{"format": "swagproof-recording", "version": 1, "window": "round"}], [], "'round' is none of fifo"),
        (
            [{"format": "swagproof-recording", "version": 1, "window": "fifo"}],
            ["--window", "out-of-order"],
            "which window?",
        ),
        ([{"format": "swagproof-recording", "version": 1, **HEADING}], ["--trace", "z"], "there is no such trace"),
        ([{"format": "swagproof-recording", "version": 1, "window": "fifo", "monoid": "some"}], [], "not one of count"),
    ],
)  # fmt: skip
def test_usage_errors(tmp_path: Path, lines: list[Record], options: list[str], said: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, *RIGHT]), encoding="utf-8")
    assert_refused(run(path, *options), said)


def test_a_file_that_is_not_there_or_is_no_parquet(tmp_path: Path) -> None:
    (tmp_path / "r.parquet").write_text("hello", encoding="utf-8")
    for name, said in (
        ("none.jsonl", "no such file"),
        ("none.parquet", "no such file"),
        ("r.parquet", "not a Parquet"),
    ):
        assert_refused(run(tmp_path / name), said)


def test_what_parquet_says_of_itself(tmp_path: Path) -> None:
    metadata = {"swagproof.window": "fifo", "swagproof.monoid": "sum"}
    path = write_parquet(tmp_path / "r.parquet", RIGHT, values=pa.int64(), metadata=metadata)
    assert run(path).exit_code == 0


OWN = """
from dataclasses import replace
from swagproof.models.operations import OPERATIONS
mine = replace(OPERATIONS["sum"], name="mine")
print("was run")
"""


def test_a_recording_does_not_choose_code_to_run(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    own = f"{tmp_path / 'own.py'}:mine"
    path = write_lines(tmp_path / "r.jsonl", with_cells(RIGHT, 6, answer=99), {"window": "fifo", "monoid": own})
    finished = run(path)
    assert finished.exit_code == 2
    assert "was run" not in finished.output
    assert f"names code to run, {own}: if you trust it, add --monoid {own}" in finished.stderr
    finished = run(path, "--monoid", own, "--export", tmp_path / "out", "--json", tmp_path / "report")
    assert finished.exit_code == 1
    command = json.loads((tmp_path / "report").read_text(encoding="utf-8"))["replay"].split()
    assert run(*command[2:]).exit_code == 1, "the command that is told says it too"


def test_where_recordings_are_found(tmp_path: Path) -> None:
    import gzip

    plain = write_lines(tmp_path / "r.jsonl", RIGHT, HEADING)
    below = tmp_path / "logs" / "day"
    below.mkdir(parents=True)
    (below / "r.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    (below / ".r.jsonl.crc").write_bytes(b"x")
    (tmp_path / "logs" / "_temporary").mkdir()
    write_lines(tmp_path / "logs" / "_temporary" / "r.jsonl", RIGHT[1:], HEADING)
    for place in (below / "r.jsonl.gz", tmp_path / "logs", tmp_path / "logs" / "**" / "*.gz"):
        data = json.loads(run(place, "--json", "-").stdout)
        assert (data["outcome"], data["recording"]["rows"]) == ("conforms", len(RIGHT))
    assert json.loads(run(plain, plain, "--json", "-").stdout)["recording"]["rows"] == len(RIGHT), "each file once"
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "notes.txt").write_text("hello", encoding="utf-8")
    assert "contains no recording" in run(tmp_path / "none").stderr
    (tmp_path / "cut.jsonl.gz").write_bytes((below / "r.jsonl.gz").read_bytes()[:40])
    (tmp_path / "fake.jsonl.gz").write_bytes(b"hello")
    for name in ("cut", "fake"):
        assert_refused(run(tmp_path / f"{name}.jsonl.gz", *SUMS), name)


def test_text_that_cannot_be_written_is_escaped(tmp_path: Path) -> None:
    rows = [
        {"trace": "a\nb", "seq": 0, "op": "insert", "value": "\ud800"},
        {"trace": "a\nb", "seq": 1, "op": "query", "answer": "x\ud800"},
        {"trace": "\ud800", "seq": 0, "op": "query", "answer": ""},
    ]
    path = write_lines(tmp_path / "r.jsonl", rows, {"window": "fifo", "monoid": "concatenation"})
    finished = run(path, "--html", tmp_path / "r.html", "--export", tmp_path / "out")
    assert finished.exit_code == 1
    assert 'trace "a\\nb", number 1: ' in finished.stdout
    assert "is no text" in finished.stdout


def test_columns_as_other_programs_write_them(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    text, whole = ["1", None, "2", None], [None, 1, None, 3]
    base = {"seq": range(4), "op": ["insert", "query"] * 2, "trace": ["a"] * 4}

    def outcome(monoid: str = "sum", /, **columns: Any) -> str:
        pq.write_table(pa.table({**base, **columns}), tmp_path / "r.parquet")
        finished = run(tmp_path / "r.parquet", "--window", "fifo", "--monoid", monoid)
        return finished.stderr or finished.stdout.split(":")[0]

    for words in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.uint8(), pa.string())):
        trace = pa.array(base["trace"], words)
        assert outcome(trace=trace, value=pa.array(text, words), answer=whole) == "conforms"
    for number in (pa.int8(), pa.uint64(), pa.float32(), pa.dictionary(pa.int8(), pa.int64())):
        assert outcome(value=pa.array([1, None, 2, None], number), answer=pa.array(whole, number)) == "conforms"
    rounded = outcome("float-sum", value=[0.1, None, 0.2, None], answer=pa.array([None, 0.1, None, 0.3], pa.float32()))
    assert "column answer is float; expected double: float-sum is judged to double precision" in rounded
    assert "column value is decimal128(9, 2); expected integers, double" in outcome(
        value=pa.array(whole, pa.decimal128(9, 2)), answer=whole
    )
    columns = [pa.array(column) for column in (base["trace"], base["trace"], range(4), base["op"], whole, whole)]
    names = ["trace", "trace", "seq", "op", "value", "answer"]
    pq.write_table(pa.Table.from_arrays(columns, names=names), tmp_path / "r.parquet")
    assert_refused(run(tmp_path / "r.parquet", *SUMS), "there are 2 columns trace")
