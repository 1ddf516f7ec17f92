"""The command line from outside: output, exit codes, JSON, interruption."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import Argument
from click.testing import CliRunner

from swagproof.cli import COMMANDS, load_command
from swagproof.proofs.errata import ENTRIES
from swagproof.reports.help import LongCommand

COMMAND = [sys.executable, "-m", "swagproof"]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=300, check=False)


def printed_json(*arguments: str) -> Any:
    finished = run(*arguments, "--json", "-")
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == "", "quiet in a pipe"
    return json.loads(finished.stdout)


def test_prove_prints_the_matrix_and_writes_json(tmp_path: Path) -> None:
    target = tmp_path / "rows.json"
    finished = run("prove", "subtract-on-evict/invariants", "DEF-1", "--json", str(target))
    assert finished.returncode == 0
    assert "P invariants" in finished.stdout
    assert "6 of 6 mutants rejected" in finished.stdout
    assert "Not holding: 0." in finished.stdout
    assert finished.stderr == ""
    rows = json.loads(target.read_text(encoding="utf-8"))
    assert sorted(row["id"] for row in rows) == ["DEF-1", "subtract-on-evict/invariants"]
    assert {row["verdict"] for row in rows} == {"holds"}
    assert {control["verdict"] for row in rows for control in row["control"]} == {"fails"}
    assert [row["id"] for row in printed_json("prove", "DEF-1")] == ["DEF-1"]


WINDOW = """
class Window:
    def __init__(self, monoid): self.monoid, self.values = monoid, []
    def insert(self, v): self.values.append(v)
    def evict(self): del self.values[0]
    def query(self): return self.monoid.combine(self.monoid.identity, WRONG)
"""


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("right", "verdict"), [(True, 0), (False, 1)])
def test_a_verdict_is_its_exit_code_whatever_becomes_of_its_words(right: bool, verdict: int, tmp_path: Path) -> None:
    """Check that a closed stream and a closed pipe change nothing, and that lost output is an error."""
    product = "sum(self.values)" if right else "0"
    (tmp_path / "window.py").write_text(WINDOW.replace("WRONG", product))
    judge = [*COMMAND, "conform", "window.py:Window", "--window", "fifo", "--monoid", "sum", "--effort", "2000"]
    said = shlex.join(judge)
    for streams, code in (
        (">&-", verdict),
        (">&- 2>&-", verdict),
        ("<&- >&- 2>&-", verdict),
        (">/dev/full", 2),
        (">/dev/full 2>/dev/full", 2),
        ("--json - >/dev/full 2>/dev/full", 2),
    ):
        assert subprocess.run(["sh", "-c", f"{said} {streams}"], cwd=tmp_path, check=False).returncode == code, streams
    reader, writer = os.pipe()
    os.close(reader)
    assert subprocess.run(judge, cwd=tmp_path, stdout=writer, check=False).returncode == verdict
    os.close(writer)


def test_a_mistake_of_ours_is_no_verdict() -> None:
    mistaken = "import swagproof.cli as cli; cli.load_command = None; cli.main()"
    finished = subprocess.run([sys.executable, "-c", mistaken, "cost"], capture_output=True, text=True, check=False)
    assert (finished.returncode, "TypeError" in finished.stderr) == (2, True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the C library for what it does at the end")
@pytest.mark.parametrize(("loads", "code"), [("pyarrow", 2), ("json", -signal.SIGABRT)])
def test_a_command_that_has_ended_is_not_ended_by_threads_of_arrow(loads: str, code: int) -> None:
    """Check that Arrow's cleanup at the end of a process is skipped, after all of ours; other libraries' is not."""
    ends = (
        f"import atexit, ctypes, {loads}; from swagproof.cli import main; libc = ctypes.CDLL(None); "
        "atexit.register(print, 'ours is done'); libc.__cxa_atexit(libc.abort, None, None); main()"
    )
    command = [sys.executable, "-c", ends, "nonsense"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stdout) == (code, "ours is done\n")


def test_prove_lists_without_checking() -> None:
    finished = run("prove", "--list")
    assert finished.returncode == 0
    assert finished.stdout.count("\n") >= 70


@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("prove", "no-such-claim"), "no claim or algorithm 'no-such-claim'. Algorithms: Two-Stacks"),
        (("prove", "DEF-1", "--json", "no/such/folder/rows.json"), "no/such/folder/rows.json"),
        (("prove", "--processes", "0"), "--processes"),
        (("cost", "--size", "1"), "--size"),
        (("cost", "no-such"), "no experiment 'no-such'; give one of histories, "),
        (("nonsense",), "nonsense"),
        (("conform", "nowhere.py:Window", "--window", "fifo"), "nowhere.py"),
    ],
)
def test_a_usage_error_names_what_is_wrong(arguments: tuple[str, ...], said: str) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert said in finished.stderr
    assert "Traceback" not in finished.stderr


def test_errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some, target = ENTRIES[:4], tmp_path / "errata.json"
    monkeypatch.setattr("swagproof.proofs.errata.find", lambda names, papers: some)
    shown = CliRunner().invoke(load_command("errata"), ["--json", str(target)])
    found = json.loads(target.read_text(encoding="utf-8"))
    entries = found["entries"]
    assert (shown.exit_code, len(entries), sum(found["counts"].values())) == (0, 4, 4)
    assert all(f"{count} {name}" in shown.stdout for name, count in found["counts"].items() if count)
    assert all(entry["id"] in shown.stdout for entry in entries)
    assert all(entry["trace"] for entry in entries if entry["list"] == "refuted as printed")
    erratum = next(entry for entry in some if entry.verdict == "refuted" and entry.searches)
    assert erratum.searches
    stands = replace(erratum, searches=replace(erratum.searches, printed=erratum.searches.holds))
    monkeypatch.setattr("swagproof.proofs.errata.find", lambda names, papers: [stands])
    assert CliRunner().invoke(load_command("errata"), []).exit_code == 1


def test_cost() -> None:
    found = printed_json("cost", "histories", "fiba/fifo", "--size", "2")
    rows, (curve,) = found["histories"], found["curves"]
    assert all(row["within_worst"] for row in rows)
    assert curve["id"] == "fiba/fifo"
    assert {point["within"] for point in curve["points"]} == {True}
    two = {
        row["operation"]: row["average"] for row in rows if (row["algorithm"], row["history"]) == ("DABA", "sliding")
    }
    assert two["insert"] > 2.5
    assert run("cost", "histories", "--size", "2").stdout.count("DABA Lite") > 10
    assert "fiba/ranges" in run("cost", "--list").stdout


@pytest.mark.drawn(0)
def test_bench() -> None:
    rows = printed_json("bench", "contracts", "--size", "3")["contracts"]
    assert {row["n"] for row in rows} == {3}
    assert all(row["off"] > 0 and row["off_over_full"] > 0 for row in rows)


def test_bench_of_a_program_that_cannot_be_started() -> None:
    result = run("bench", "--exec", "./no-such-program")
    assert result.returncode == 2
    assert "no-such-program" in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_sentence_of_a_command_is_the_one_that_help_lists(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert command.get_short_help_str(limit=200) == COMMANDS[name][1]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_all_of_it_names_each_option(name: str) -> None:
    command = load_command(name)
    assert len(CliRunner().invoke(command, ["--help"]).stdout.splitlines()) <= 60
    everything = "--help-all" if isinstance(command, LongCommand) else "--help"
    said = CliRunner().invoke(command, [everything]).stdout
    for option in command.params:
        assert isinstance(option, Argument) or max(option.opts, key=len) in said


def test_help_and_version() -> None:
    assert "conform" in run("--help").stdout
    assert "0.1.0" in run("--version").stdout


def with_mark(mark: str) -> list[int]:
    """Return the processes with this mark in their environment."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize(
    ("number", "to_group"),
    [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGKILL, False)],
    ids=["as Ctrl-C does", "interrupted alone", "terminated", "killed"],
)
@pytest.mark.drawn(1)
def test_interrupted_it_leaves_nothing_behind(number: signal.Signals, to_group: bool) -> None:
    mark = f"SWAGPROOF_MARK={uuid.uuid4()}"
    name, _, value = mark.partition("=")
    process = subprocess.Popen(
        [*COMMAND, "prove", "operations", "daba", "--processes", "2"],
        env={**os.environ, name: value},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(with_mark(mark)) < 4 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(with_mark(mark)) >= 4, "command, two workers and CrossHair"
    (os.killpg if to_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[number], err
    assert ("Interrupted" in err) == (number == signal.SIGINT)
    assert out == ""
    while with_mark(mark) and time.monotonic() < deadline + 30:
        time.sleep(0.05)
    assert with_mark(mark) == []
