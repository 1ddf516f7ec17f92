"""A custom monoid runs on the judge's side: whatever it does there, it does not cause a verdict."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.hostile.judging import MARK, count_left
from support.places import TESTS

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
CONFORM = ("conform", f"{TESTS}/subjects/right.py:ListWindow", "--seed", "0")
PATCH = "from swagproof.reference.in_order.two_stacks import TwoStacks; TwoStacks.query = lambda self: 'x'"


def start(place: Path, does: str, *options: str) -> "subprocess.Popen[str]":
    (place / "mine.py").write_text(MONOID.format(does=does), encoding="utf-8")
    command = [sys.executable, "-m", "swagproof", *options, "--monoid", f"{place}/mine.py:Mine", "--window", "fifo"]
    command += ["--json", f"{place}/verdict.json"]
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
        ("if len(a) > 4: 1 / 0", "error", "raised ZeroDivisionError: division by zero"),
        ("if late and a and b and next(CALLS) % 97 == 0: return b + a", "error", ""),
    ],
)
@pytest.mark.drawn(3)
def test_it_gives_no_verdict_but_the_judge_s(does: str, outcome: str, said: str, tmp_path: Path) -> None:
    with start(tmp_path, does, *CONFORM, "--effort", "20000", "--timeout", "1") as process:
        out, err = process.communicate()
    report = json.loads((tmp_path / "verdict.json").read_text())
    assert (report["outcome"], process.returncode) == (outcome, {"conforms": 0, "error": 2}[outcome]), out + err
    assert said in report["sentence"]
    assert count_left(tmp_path.name, process.pid) == 0


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    ("does", "code", "said"),
    [("pass", 0, "every recorded answer"), ("os._exit(0)", 2, "process exit with code 0"), (PATCH, 2, "has changed")],
)
def test_nor_on_a_recording(does: str, code: int, said: str, tmp_path: Path) -> None:
    rows = [
        *({"trace": "t", "seq": at, "op": "insert", "value": "abc"[at % 3]} for at in range(600)),
        {"trace": "t", "seq": 600, "op": "query", "answer": "abc" * 200},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with start(tmp_path, f"if late: {does}", "replay", f"{tmp_path}/rows.jsonl", "--no-spark") as process:
        out, err = process.communicate()
    report = json.loads((tmp_path / "verdict.json").read_text())
    assert (process.returncode, report["outcome"]) == (code, "error" if code else "conforms"), out + err
    assert said in report["sentence"]


def test_nor_of_a_stream(tmp_path: Path) -> None:
    """Its laws are checked before Spark is started."""
    (tmp_path / "mine.py").write_text(MONOID.format(does="os._exit(0)"), encoding="utf-8")
    (tmp_path / "in").mkdir()
    words = f"--events {tmp_path}/in --format json --out {tmp_path}/out --checkpoint {tmp_path}/cp --key k --time t"
    words += f" --value v:text --aggregate {tmp_path}/mine.py:Mine --available-now --json {tmp_path}/verdict.json"
    command = [sys.executable, "-m", "swagproof", "stream", *words.split(), "--window", "tumbling 1"]
    assert subprocess.run(command, capture_output=True).returncode == 2
    assert "process exit with code 0" in json.loads((tmp_path / "verdict.json").read_text())["sentence"]


def test_nothing_is_left_of_it_on_ctrl_c(tmp_path: Path) -> None:
    with start(tmp_path, "while late: pass", *CONFORM, "--timeout", "600") as process:
        until = time.monotonic() + 60
        while count_left(tmp_path.name, process.pid) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert json.loads((tmp_path / "verdict.json").read_text())["outcome"] == "unknown"
    assert count_left(tmp_path.name, process.pid) == 0
