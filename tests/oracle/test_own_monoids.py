"""A monoid of the user's own is called on the judge's side: whatever it does there, it is no verdict."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.hostile.judging import MARK, count_left

MONOID = """
import itertools, os, sys

CALLS = itertools.count()

class Mine:
    identity, samples = "", ["a", "b", "c"]

    def combine(self, a, b):
        late = next(CALLS) > 400
        {does}
        return a + b
"""
WINDOW = """
class Window:
    def __init__(self, monoid):
        self.monoid, self.values = monoid, []

    def insert(self, v):
        self.values.append(v)

    def evict(self):
        self.values.pop(0)

    def query(self):
        answer = self.monoid.identity
        for value in self.values:
            answer = self.monoid.combine(answer, value)
        return answer
"""
PATCH = "from swagproof.reference.in_order.two_stacks import TwoStacks; TwoStacks.query = lambda self: 'x'"


def start(place: Path, does: str, *options: str) -> "subprocess.Popen[str]":
    (place / "mine.py").write_text(MONOID.format(does=does), encoding="utf-8")
    (place / "window.py").write_text(WINDOW, encoding="utf-8")
    command = [sys.executable, "-m", "swagproof", "conform", f"{place}/window.py:Window", "--window", "fifo"]
    command += ["--monoid", f"{place}/mine.py:Mine", "--seed", "0", "--json", f"{place}/verdict.json", *options]
    environment = {**os.environ, MARK: place.name}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("does", "outcome", "said"),
    [
        ("pass", "conforms", "no trace was found"),
        ("if late: os._exit(0)", "error", "made the judge's process exit with code 0"),
        ("if late: sys.exit(0)", "error", "its combine raised SystemExit: it must return a value"),
        ("if late: os.kill(os.getpid(), 9)", "error", "ended the judge's process with signal 9 (SIGKILL)"),
        ("while late: pass", "error", "its combine did not return within the time limit"),
        (f"if late: {PATCH}", "error", "has changed swagproof.reference.in_order.two_stacks.TwoStacks.query"),
        ("if len(a) > 4: 1 / 0", "error", "its combine raised ZeroDivisionError: division by zero"),
        ("if late and a and b and next(CALLS) % 97 == 0: return b + a", "error", ""),
    ],
)
def test_it_gives_no_verdict_but_the_judge_s(does: str, outcome: str, said: str, tmp_path: Path) -> None:
    with start(tmp_path, does, "--effort", "5000", "--timeout", "1") as process:
        out, err = process.communicate()
    report = json.loads((tmp_path / "verdict.json").read_text())
    assert (report["outcome"], process.returncode) == (outcome, {"conforms": 0, "error": 2}[outcome]), out + err
    assert said in report["sentence"]
    assert count_left(tmp_path.name, process.pid) == 0


def test_nothing_is_left_of_it_on_ctrl_c(tmp_path: Path) -> None:
    with start(tmp_path, "while late: pass", "--timeout", "600") as process:
        until = time.monotonic() + 60
        while count_left(tmp_path.name, process.pid) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert json.loads((tmp_path / "verdict.json").read_text())["outcome"] == "unknown"
    assert count_left(tmp_path.name, process.pid) == 0
