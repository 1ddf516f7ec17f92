"""No subject takes the judge with it: each hostile subject has its verdict, its exit code and its smallest trace, and
leaves no process; requested reports are written.  docs/manual/evidence/hostile.md has the table of them."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Final

import pytest
from subjects.right import DequeWindow
from support import command
from support.hostile.judging import MARK, Ended, count_left, run_plugin
from support.hostile.listed import PLUGIN, PROGRAMS, PYTHON, Case

from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.sandbox import exchange, process, watchdog
from swagproof.oracle.sandbox.process import KEPT
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError

JUDGING: Final = Path(__file__).parents[1] / "support" / "hostile" / "judging.py"
EXITS: Final = {"conforms": 0, "violated": 1, "error": 2, "broken": 4}
CASES: Final = {"python": PYTHON, "program": PROGRAMS}


def mistakes(case: Case, ended: Ended) -> list[str]:
    """Return the differences from the expected end."""
    found: list[str] = []
    if (ended.outcome, ended.exit_code) != (case.outcome, EXITS[case.outcome]):
        found.append(f"{ended.outcome}, exit code {ended.exit_code}")
    if case.says not in ended.sentence:
        found.append(ended.sentence)
    if case.operations is not None and case.operations != ended.operations:
        found.append(str(ended.operations))
    if ended.left:
        found.append(f"{ended.left} processes are left")
    return found


PARTS: Final = [*(("python", first, 6) for first in range(6)), *(("program", first, 2) for first in range(2))]


@pytest.mark.parametrize(("kind", "first", "every"), PARTS)
@pytest.mark.drawn(1)
def test_each_ends_in_its_verdict(kind: str, first: int, every: int) -> None:
    cases = CASES[kind][first::every]
    environment = {**os.environ, MARK: uuid.uuid4().hex}
    command = [sys.executable, str(JUDGING), kind, str(first), str(every)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    ended = [Ended(**json.loads(line)) for line in done.stdout.splitlines()]
    assert [it.name for it in ended] == [case.name for case in cases], done.stderr[-2000:]
    wrong = {case.name: mistakes(case, it) for case, it in zip(cases, ended, strict=True) if mistakes(case, it)}
    assert not wrong
    assert done.returncode == 0


@pytest.mark.drawn(0)
def test_each_ends_in_its_verdict_in_a_test_module(tmp_path: Path) -> None:
    ended = {it.name: it for it in run_plugin(PLUGIN, tmp_path)}
    assert {case.name: ended[case.name].outcome for case in PLUGIN} == {
        case.name: "conforms" if case.outcome == "conforms" else "violated" for case in PLUGIN
    }
    assert not sum(it.left for it in ended.values())


def conform(case_name: str, place: Path, *options: str) -> "subprocess.Popen[str]":
    """Start the command on a hostile subject."""
    case = next(case for case in PYTHON if case.name == case_name)
    path = place / "hostile.py"
    path.write_text(case.source, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "swagproof", "conform", f"{path}:Window", "--window", "fifo", *options],
        env={**os.environ, MARK: place.name},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_command_ends_with_4_and_writes_its_report(tmp_path: Path) -> None:
    with conform("os._exit(0)", tmp_path, "--json", str(tmp_path / "verdict.json"), "--seed", "0") as process:
        out, err = process.communicate()
    assert process.returncode == 4, err
    assert out.startswith("broken: ")
    data = json.loads((tmp_path / "verdict.json").read_text())
    assert data["outcome"] == "broken"
    assert "exit with code 0" in data["witness"]["error"]


def test_a_crash_shows_the_frames_of_the_subject_alone(tmp_path: Path) -> None:
    with conform("segmentation fault", tmp_path, "--json", "-", "--seed", "0") as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (4, "")
    shown = json.loads(out)["witness"]["stderr"]
    assert len(shown.splitlines()) <= KEPT
    files = re.findall(r'  File "(.*)", line', shown)
    assert files[-1] == str(tmp_path / "hostile.py")
    assert not [file for file in files if "worker" in file or "click" in file]


def test_what_cannot_be_judged_is_in_the_report(tmp_path: Path) -> None:
    with conform("os._exit(0) at import", tmp_path, "--json", str(tmp_path / "verdict.json")) as process:
        _, err = process.communicate()
    assert process.returncode == 4
    assert "importing it made its process exit with code 0" in err
    data = json.loads((tmp_path / "verdict.json").read_text())
    assert data["outcome"] == "broken"
    assert "exit with code 0" in data["sentence"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_nothing_is_left_of_a_judge_that_is_ended(number: int, code: int, tmp_path: Path) -> None:
    options = ["--timeout", "600", "--json", str(tmp_path / "verdict.json")]
    with conform("a loop in C", tmp_path, *options) as process:
        until = time.monotonic() + 240
        while count_left(tmp_path.name, process.pid) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert count_left(tmp_path.name, process.pid) >= 2
        process.send_signal(number)
        process.communicate()
        assert process.returncode == code
        while count_left(tmp_path.name, process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert count_left(tmp_path.name, process.pid) == 0
    if number != signal.SIGKILL:
        data = json.loads((tmp_path / "verdict.json").read_text())
        assert data == {
            "outcome": "unknown",
            "sentence": "it was interrupted" if number == signal.SIGINT else "it was terminated",
        }


@pytest.mark.drawn(0)
def test_memory_is_limited_as_it_is_asked(tmp_path: Path) -> None:
    """A class gets a MemoryError, which it could have handled; a program that ends because of it has crashed.

    The limit applies to new memory, so the test runs its own judge: memory freed by earlier tests would be reused.
    """
    for kind, code, said in (
        ("python", 1, "insert raised MemoryError"),
        ("program", 4, "exit with code 1"),
    ):
        path = tmp_path / f"{kind}.py"
        path.write_text(Case("eats", "", "kept = bytes(300 << 20)", kind=kind).source, encoding="utf-8")
        given = (
            ["--exec", f"{sys.executable} -S {path}"] if kind == "program" else [f"{path}:Window", "--window", "fifo"]
        )
        for limit, exit_code, sentence in ((64, code, said), (1024, 0, "no trace was found")):
            words = ["-m", "swagproof", "conform", *given, "--effort", "5000", "--memory", str(limit)]
            done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
            assert (done.returncode, sentence in done.stdout) == (exit_code, True), done.stdout + done.stderr


@pytest.mark.parametrize("method", ["__init__", "insert", "evict", "query"])
def test_threads_that_windows_leave_are_told(tmp_path: Path, method: str) -> None:
    """The last window is not to blame for all threads, whichever operation starts one more."""
    path = tmp_path / "threads.py"
    path.write_text(
        "from swagproof.reference.in_order.recalculate import Recalculate\n\n\nclass Window(Recalculate):\n"
        f"    monoids = ('sum',)\n    def {method}(self, *given):\n"
        '        raise RuntimeError("can\'t start new thread")\n',
        encoding="utf-8",
    )
    done = command.conform(f"{path}:Window", "--window", "fifo", "--claims", "recalculate")
    doing = "building it with the monoid sum" if method == "__init__" else method
    said = f"Window: {doing} raised RuntimeError: can't start new thread: 0 threads of this and earlier windows"
    assert (done.exit_code, said in done.stderr, done.stdout) == (2, True, ""), done.output


def test_nor_of_a_judge_that_is_ended_while_it_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On Ctrl-C during a start, the judge ends the forked processes before it ends itself.

    The signal goes to this process alone, not to a Spark session that earlier tests have started.
    """
    place, judging = tmp_path / "pid", os.getpid()

    def interrupt(*_: object) -> None:
        place.write_text(str(os.getpid()), encoding="utf-8")
        os.kill(judging, signal.SIGINT)
        time.sleep(600)

    monkeypatch.setattr(watchdog, "_become", interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            exchange.Frames(lambda: None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not Path("/proc", place.read_text(encoding="utf-8")).exists()


def test_a_start_may_take_longer_than_it_is_waited_for_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, the wait is interrupted, finds nothing yet, and continues."""
    at_once: Any = watchdog._become  # pyright: ignore[reportPrivateUsage]  # tests see all

    def late(*given: Any) -> None:
        time.sleep(3 * watchdog.LOOK_UP / 1000)
        at_once(*given)

    monkeypatch.setattr(watchdog, "_become", late)
    found = judge(Subject("right", DequeWindow, None, "fifo"), [domain("sum")], effort=5_000)
    assert found.verdict.outcome == "conforms"


class Hangs(DequeWindow):
    """A window that never answers."""

    def query(self) -> None:
        while True:
            pass


def test_only_who_waits_for_threads_that_a_copy_lacks_is_not_accused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other hang in such a copy is the subject's own; here this process's first thread represents a thread of
    Polars."""
    own = re.escape(Path("/proc/self/comm").read_text(encoding="utf-8"))
    monkeypatch.setattr(process, "THREADS", re.compile(own))
    subject = Subject("mine", Hangs)
    assert judge(subject, [domain("sum")], timeout=0.2).verdict.outcome == "broken"
    monkeypatch.setattr(exchange, "WAITING", re.compile(rb'File "[^"\n]*test_hostile'))
    with pytest.raises(InputError, match=r"mine: it did not return .* in which Polars has started threads"):
        judge(subject, [domain("sum")], timeout=0.2)


POLARS: Final = """
import polars
from swagproof import InputError, judge, subject_of
from swagproof.oracle.domain import domain
from subjects.right import DequeWindow

class Hangs(DequeWindow):
    def query(self):
        while True:
            pass

class Sums(DequeWindow):
    def query(self):
        return polars.DataFrame({"a": range(100_000)}).lazy().group_by("a").agg(polars.len()).collect().height

Sums(domain("sum").operation).query()
for made in Hangs, Sums:
    try:
        print(judge(subject_of(made, "mine"), [domain("sum")], timeout=0.25).verdict.outcome)
    except InputError as error:
        print(error)
"""


@pytest.mark.skipif(importlib.util.find_spec("polars") is None, reason="needs Polars")
def test_so_it_is_where_polars_was_used_before(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", POLARS], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    hangs, sums = done.stdout.splitlines()
    assert hangs == "broken"
    assert "in a fork of a process in which Polars has started threads" in sums
