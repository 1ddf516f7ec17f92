"""`swagproof conform`: the command line, its exit codes, its JSON, and verdicts on other projects' engines."""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support import command
from support.command import assert_refused, conform
from support.places import TESTS

from swagproof.oracle.reports import judgement
from swagproof.reference.in_order.two_stacks import TwoStacks

SUBJECTS = TESTS / "subjects"
RIGHT, WRONG = f"{SUBJECTS}/right.py", f"{SUBJECTS}/wrong.py"
LIST, RUNNING_SUM = f"{RIGHT}:ListWindow", f"{RIGHT}:RunningSum"
ENGINES = "swagproof.oracle.engines"
PROGRAM = [sys.executable, "-c", "from swagproof.oracle.commands.conform import conform; conform()"]


def run(subject: str, *options: str) -> Result:
    return conform(subject, "--window", "fifo", *options)


def verdict(subject: str, *options: str) -> dict[str, Any]:
    return command.verdict(subject, "--window", "fifo", *options)


def test_conforms_in_text_says_how_much_was_tried() -> None:
    result = run(f"{RIGHT}:DequeWindow", "--seed", "5", "--effort", "30000")
    assert (result.exit_code, result.stderr) == (0, "")
    assert re.search(
        r"tried +[\d,]+ traces, [\d,]+ operations, [\d,]+ answers checked, windows of up to [\d,]+", result.stdout
    )
    assert "seed 5" in result.stdout
    assert "every sequence of up to" in result.stdout
    assert all(f"    {name} " in result.stdout for name in ("concatenation", "max-count", "mutable-collect"))


@pytest.mark.parametrize(
    "subject",
    [
        *((f"{WRONG}:{name}", "--window", "fifo") for name in (
            "OperandSwap", "ChangesTheHanded", "RaisesWhenEmpty", "LateGrowth", "WrongSideInverse"
        )),
        (f"{SUBJECTS}/wrong_out_of_order.py:DuplicateReplaces", "--window", "out-of-order"),
        (f"{SUBJECTS}/wrong_shared.py:LookupTrims", "--window", "shared"),
        ("--exec", shlex.join([sys.executable, f"{SUBJECTS}/hard/window.py", "loses the second"])),
    ],
    ids=lambda words: words[0].rpartition(":")[2],
)  # fmt: skip
@pytest.mark.drawn(2)
def test_the_replay_command_and_the_saved_trace_give_the_same_verdict(tmp_path: Path, subject: tuple[str, ...]) -> None:
    saved = tmp_path / "trace.json"
    data = command.verdict(*subject, "--seed", "0", "--save", str(saved))
    assert data["outcome"] == "violated"
    program, name, *options = shlex.split(data["replay"])
    assert (program, name) == ("swagproof", "conform")
    assert json.loads(saved.read_text()) == {
        "format": "swagproof-trace",
        "version": 1,
        **{field: data["witness"][field] for field in ("monoid", "operations")},
        "window": data["window"],
    }
    for again in (options, [*subject, "--trace", str(saved)]):
        told = command.verdict(*again)
        for field in ("outcome", "sentence", "replay", "subject", "window"):
            assert told[field] == data[field]
        for field in ("monoid", "operations", "expected", "got", "error", "diagnosis"):
            assert told["witness"][field] == data["witness"][field]
        assert told["seed"] is None


def test_a_saved_trace_is_held_to_what_it_says(tmp_path: Path) -> None:
    saved = tmp_path / "trace.json"
    verdict(f"{WRONG}:LateGrowth", "--seed", "0", "--monoid", "concatenation", "--save", str(saved))
    right = LIST, "--trace", str(saved)
    assert verdict(*right)["outcome"] == "conforms"
    assert_refused(run(*right, "--monoid", "sum"), "monoid is concatenation, not sum")
    assert_refused(conform(*right, "--window", "out-of-order"), "its window is fifo, not out-of-order")


@pytest.mark.parametrize(("effort", "left"), [("1", "after 1 answer, in"), ("300", "to conform")])
def test_hardly_any_work_is_no_conformance(effort: str, left: str) -> None:
    """Three checked answers are too few, and so are many queries of an empty window."""
    result = run(f"{RIGHT}:DequeWindow", "--monoid", "sum", "--seed", "0", "--effort", effort)
    assert (result.exit_code, left in result.output) == (3, True), result.output


def test_the_json_has_the_documented_fields(tmp_path: Path) -> None:
    documented = [
        name
        for row in re.findall(r"^\| (`.*?) \|", judgement.__doc__ or "", re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    ]
    file = tmp_path / "verdict.json"
    result = run(f"{WRONG}:OperandSwap", "--seed", "0", "--json", str(file))
    assert result.stdout.startswith("violated: ")
    data = json.loads(file.read_text())
    assert [*data, *data["witness"]] == documented
    conforms = verdict(RUNNING_SUM, "--effort", "10000")
    assert isinstance(conforms["seed"], int), "drawn and told, where none is given"
    assert list(conforms) == list(data)
    assert conforms["witness"] is None
    counts = {"traces": int, "operations": int, "queries": int, "largest_window": int}
    for tried in (conforms["tried"], *conforms["monoids"], *conforms["phases"]):
        assert {name: type(tried[name]) for name in counts} == counts
    assert [tried["name"] for tried in conforms["monoids"]] == ["sum", "wide-sum"]


@pytest.mark.parametrize(
    ("subject", "options", "message"),
    [
        ("nonsense", (), "nonsense: not a full name; write path/to/file.py:Class or package.module:Class"),
        ("no/such/file.py:Class", (), "there is no file no/such/file.py"),
        ("no_such_module:Class", (), "No module named 'no_such_module'"),
        (f"{RIGHT}:Nothing", (), "has no Nothing; its classes: ListWindow, DequeWindow"),
        (f"{WRONG}:PRIME", (), "int is not a class that can be constructed with a monoid"),
        (f"{WRONG}:HasNoEvict", (), "no method evict; a fifo window needs insert, evict, query"),
        (f"{WRONG}:CannotBeBuilt", (), "building it with the monoid concatenation raised TypeError: "),
        (f"{WRONG}:DeclaresNonsense", (), "its attribute monoids names 'summ', which is none of count, sum"),
        (RUNNING_SUM, ("--monoid", "max"), "supports sum, wide-sum only"),
        (LIST, ("--monoid", "summ"), "--monoid summ: not one of count, sum"),
        (LIST, ("--monoid", f"{RIGHT}:Average"), "Average is not a monoid: left identity: "),
        (LIST, ("--monoid", f"{RIGHT}:Bare"), "no elements to try: give it an attribute samples"),
        (LIST, ("--monoid", f"{RIGHT}:DequeWindow"), "taking its identity and combine raised TypeError"),
        (LIST, ("--trace", "pop", "--monoid", "sum"), "--trace: operation 1: 'pop' is none of"),
        (RUNNING_SUM, ("--trace", "query"), "--trace: over which monoid? Add --monoid, one of sum, wide-sum"),
        (LIST, ("--trace", "no.json"), "--trace no.json: No such file"),
        (LIST, ("--trace", "insert [0, 0], query", "--monoid", "affine"), "operation 1, insert [0, 0]: "),
        (LIST, ("--json", "/no/such/directory/x"), "cannot write to /no/such/directory/x"),
        (LIST, ("--budget", "-1"), "--budget"),
        (LIST, ("--timeout", "inf"), "--budget, --timeout: give a number of seconds"),
        (LIST, ("--seed", "x"), "--seed"),
    ],
)
def test_usage_and_input_errors(subject: str, options: tuple[str, ...], message: str) -> None:
    assert_refused(run(subject, "--effort", "30000", *options), message)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class Window(", "subject.py: line 1: "),
        ("raise SystemExit(7)", "raised SystemExit: 7"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("1 / 0", "raised ZeroDivisionError: division by zero"),
        ("Window = 3", "int is not a class that can be constructed with a monoid"),
    ],
)
def test_a_file_that_cannot_be_imported(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "subject.py"
    path.write_text(source)
    assert_refused(run(f"{path}:Window"), message)


def test_a_class_that_cannot_be_asked_what_it_has_says_why(tmp_path: Path) -> None:
    source = "class Proxy(type):\n    def __getattr__(cls, name):\n        raise RuntimeError(f'no {name}')\n"
    (tmp_path / "mine.py").write_text(f"{source}class Window(metaclass=Proxy):\n    pass\n", encoding="utf-8")
    assert_refused(run(f"{tmp_path}/mine.py:Window"), "asking what it has raised RuntimeError: no monoids")


def test_a_file_that_hangs_when_imported(tmp_path: Path) -> None:
    path = tmp_path / "subject.py"
    path.write_text("while True: pass")
    assert_refused(run(f"{path}:Window", "--timeout", "0.2"), "importing it took longer than 1.2 s", code=4)


def test_a_file_that_is_slow_to_import(tmp_path: Path) -> None:
    path = tmp_path / "subject.py"
    path.write_text(f"import time\ntime.sleep(0.3)\nfrom {TwoStacks.__module__} import TwoStacks as Window\n")
    assert verdict(f"{path}:Window", "--effort", "10000")["outcome"] == "conforms"


def test_a_monoid_of_the_users_own() -> None:
    own = f"{RIGHT}:Counter"
    data = verdict(f"{WRONG}:StaleAfterDrain", "--monoid", own, "--seed", "0")
    assert data["witness"]["monoid"] == own
    assert len(data["witness"]["operations"]) == 4
    assert conform(*shlex.split(data["replay"])[2:]).exit_code == 1
    assert verdict(f"{RIGHT}:DequeWindow", "--monoid", own, "--effort", "20000")["outcome"] == "conforms"
    violated = verdict(f"{WRONG}:CommutativeOnly", "--monoid", "swagproof.models.operations:ARG_MAX", "--seed", "0")
    assert violated["outcome"] == "violated"


def test_unknown_exits_with_3(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(LIST, "--budget", "0")["outcome"] == "unknown"
    monkeypatch.setattr("swagproof.oracle.judge.LIMIT", 0.0)  # for a subject that takes a second for each answer, say
    limited = verdict(LIST)
    assert limited["outcome"] == "unknown"
    assert limited["sentence"].startswith("the budget of 0 s was spent")
    assert verdict(LIST, "--monoid", "sum", "--trace", "insert 1")["outcome"] == "unknown"


def test_what_a_subject_prints_stays_out_of_the_json() -> None:
    options = ["--window", "fifo", "--monoid", "sum", "--trace", "insert 1, query", "--json", "-"]
    done = subprocess.run([*PROGRAM, f"{RIGHT}:Noisy", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["outcome"] == "conforms"
    assert done.stderr == ""


PRINTS: str = """
from subjects.right import ListWindow

class Prints(ListWindow):
    def insert(self, v):
        print("inserts", v)
        super().insert(v)

    def query(self):
        return self.monoid.identity if len(self.values) == 2 else super().query()
"""


def test_what_a_subject_prints_on_the_failing_trace_is_in_the_report(tmp_path: Path) -> None:
    file = tmp_path / "prints.py"
    file.write_text(PRINTS, encoding="utf-8")
    data = verdict(f"{file}:Prints", "--window", "fifo", "--monoid", "sum", "--seed", "0")
    assert data["witness"]["stderr"] == "inserts 0\ninserts 1"


def test_ctrl_c_exits_with_130_and_no_verdict(tmp_path: Path) -> None:
    running = tmp_path / "running"
    options = ["--window", "fifo", "--budget", "600", "--monoid", "sum"]
    with subprocess.Popen(
        [*PROGRAM, f"{RIGHT}:Announced", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "SWAGPROOF_RUNNING": str(running)},
        text=True,
    ) as process:
        while not running.exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert err.endswith("Interrupted: no verdict.\n")


@pytest.mark.parametrize(
    "name",
    [
        *("pandas_rolling:RollingCount", "pandas_rolling:RollingMax", "pandas_rolling:RollingMin"),
        *("sqlite_window:WindowCount", "sqlite_window:WindowSum"),
    ],
)
def test_engines_conform_in_the_numbers_that_they_state(name: str) -> None:
    assert verdict(f"{ENGINES}.{name}", "--effort", "12000", "--seed", "0")["outcome"] == "conforms"


@pytest.mark.parametrize("name", ["RollingMax", "RollingMin"])
def test_pandas_rolls_over_integers_in_doubles(name: str) -> None:
    data = verdict(f"{ENGINES}.pandas_rolling:{name}", "--numbers", "any", "--effort", "12000", "--seed", "0")
    assert data["outcome"] == "violated"
    assert max(abs(value) for value in (data["witness"]["expected"], data["witness"]["got"])) >= 2**53


def test_pandas_rolling_sum_fails_on_huge_values_that_cancel() -> None:
    """A compensated sum that a huge value corrupts when it leaves the window (pandas 2.2 and 2.3)."""
    data = verdict(f"{ENGINES}.pandas_rolling:RollingSum", "--seed", "0")
    assert data["outcome"] == "violated"
    assert data["witness"]["diagnosis"] == "rounding"
    assert data["witness"]["minimal"]


def test_sqlite_refuses_sums_beyond_64_bits() -> None:
    data = verdict(f"{ENGINES}.sqlite_window:WindowWideSum", "--seed", "0")
    assert data["sentence"] == "query raised OperationalError: integer overflow, after inserting 2 elements"
    assert data["witness"]["operations"] == [["insert", 2**63 - 1], ["insert", 1], ["query"]]


def test_sqlite_sums_of_floats_lose_what_a_huge_value_absorbed() -> None:
    """This holds before SQLite 3.43, which compensates; later, the search needs longer or finds nothing."""
    data = verdict(f"{ENGINES}.sqlite_window:WindowFloatSum", "--seed", "0")
    if sqlite3.sqlite_version_info >= (3, 43):
        assert data["outcome"] in ("conforms", "violated")
        return
    assert data["witness"]["operations"] == [["insert", 1e16], ["insert", 1.0], ["insert", 0.0], ["evict"], ["query"]]
    assert (data["witness"]["expected"], data["witness"]["got"]) == (1.0, 0.0)


def test_sqlite_concatenates_in_order() -> None:
    trace = 'insert "a", insert "bc", insert "d", evict, query, evict, evict, query, insert "e", query'
    assert verdict(f"{ENGINES}.sqlite_window:WindowConcatenation", "--trace", trace)["outcome"] == "conforms"


@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", ["WindowMax", "WindowMin", "WindowConcatenation"])
def test_what_is_said_of_sqlite_can_be_seen_without_the_adapter(name: str) -> None:
    """SQLite 3.40 is wrong, other versions may be right: a violation must be visible in plain SQL."""
    data = verdict(f"{ENGINES}.sqlite_window:{name}", "--seed", "0", "--effort", "30000")
    if data["outcome"] == "conforms":
        return
    inserted = [operation[1] for operation in data["witness"]["operations"] if operation[0] == "insert"]
    size = len(inserted) - sum(operation[0] == "evict" for operation in data["witness"]["operations"])
    aggregate = {"WindowMax": "max(v)", "WindowMin": "min(v)", "WindowConcatenation": "group_concat(v, '')"}[name]
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE history (i INTEGER PRIMARY KEY, v)")
    database.executemany("INSERT INTO history (v) VALUES (?)", [(value,) for value in inserted])
    frame = f"{aggregate} OVER (ORDER BY i ROWS BETWEEN {size - 1} PRECEDING AND CURRENT ROW)"
    windowed = database.execute(f"SELECT {frame} FROM history ORDER BY i").fetchall()[-1][0]
    plain = database.execute(
        f"SELECT {aggregate} FROM (SELECT v FROM history ORDER BY i DESC LIMIT {size})"
    ).fetchone()[0]
    database.close()
    assert windowed == data["witness"]["got"]
    assert windowed != plain
