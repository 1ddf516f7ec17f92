"""Each replay line runs as printed: with the options of an adapter, and with a file in place of a long trace."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from subjects.right_edges import ForgetsWhenFull
from support.command import conform
from support.places import TESTS

from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import Subject, load_subject, subject_of
from swagproof.oracle.trace import Step, Trace, insert
from swagproof.oracle.verdict import LONGEST_TRACE, replay_command

OTHER_NAMES = """
class Backwards:
    def __init__(self, combine, initial):
        self.combine, self.initial, self.kept = combine, initial, []

    def push(self, v):
        self.kept.append(v)

    def pop(self):
        del self.kept[0]

    def total(self):
        answer = self.initial
        for v in self.kept:
            answer = self.combine(v, answer)
        return answer
"""
METHODS = {"insert": "push", "evict": "pop", "query": "total"}
MAKE = "combine, initial=identity"

INT32 = """
import sys
for line in sys.stdin:
    word, _, rest = line.rstrip("\\n").partition(" ")
    if word == "swagproof":
        print("swagproof 1 window=fifo monoids=sum")
    elif word == "reset":
        values = []
    elif word == "insert":
        values.append(int(rest))
    elif word == "evict":
        del values[0]
    elif word == "query":
        print((sum(values) + 2**15) % 2**16 - 2**15)
    elif word == "flush":
        sys.stdout.flush()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "other_names.py"
    file.write_text(OTHER_NAMES, encoding="utf-8")
    return file


def judged(subject: Subject) -> Judgement:
    try:
        return judge(subject, domains_of(subject), seed=0, effort=20_000)
    finally:
        subject.stop()


def test_it_carries_the_options_that_the_class_does_not_declare(path: Path) -> None:
    report = judged(load_subject(f"{path}:Backwards", methods=METHODS, make=MAKE))
    assert report.replay is not None
    words = shlex.split(report.replay)[2:]
    assert words[1:5] == ["--methods", "insert=push,evict=pop,query=total", "--make", MAKE]
    assert conform(*words).exit_code == 1
    printed = conform(f"{path}:Backwards", "--window", "fifo", "--methods", words[2], "--make", MAKE, "--seed", "0")
    (line,) = (line for line in printed.stdout.splitlines() if line.startswith("  replay"))
    assert line.count("--methods") == 1
    assert conform(*shlex.split(line)[3:]).exit_code == 1


def test_it_carries_those_of_a_subject_without_a_name(path: Path) -> None:
    space: dict[str, Any] = {}
    exec(OTHER_NAMES, space)
    name = f"{path}:Backwards"
    report = judged(Subject(name, space["Backwards"], adapter=Adapter(methods=METHODS, make=MAKE)))
    assert report.replay is not None
    assert conform(*shlex.split(report.replay)[2:]).exit_code == 1


def test_it_carries_the_numbers_of_a_program(tmp_path: Path) -> None:
    file = tmp_path / "narrow.py"
    file.write_text(INT32, encoding="utf-8")
    report = judged(load_program([sys.executable, str(file)], numbers="int32"))
    assert report.replay is not None
    assert "--numbers int32" in report.replay
    assert conform(*shlex.split(report.replay)[2:]).exit_code == 1


def test_a_long_trace_is_in_a_file() -> None:
    steps = tuple(step for number in range(600) for step in (insert(str(number)), Step("query")))
    line = replay_command((f"{TESTS / 'subjects' / 'right.py'}:DequeWindow",), Trace(steps, "concatenation"))
    assert len(line) < LONGEST_TRACE
    assert conform(*shlex.split(line)[2:]).exit_code == 0
    subject = subject_of(ForgetsWhenFull, f"{TESTS / 'subjects' / 'right_edges.py'}:ForgetsWhenFull")
    line = replay_command(subject.spelled, Trace((*map(insert, map(str, range(1024))), Step("query")), "concatenation"))
    subject.stop()
    assert conform(*shlex.split(line)[2:]).exit_code == 1


def test_a_judgement_prints_as_its_report(path: Path) -> None:
    report = judged(load_subject(f"{path}:Backwards", methods=METHODS, make=MAKE))
    assert str(report).splitlines()[0] == f"violated: {path}:Backwards"
    assert f"  replay      {report.replay}" in str(report)


RAISES = """
class Window:
    def __init__(self, monoid):
        self.monoid, self.values = monoid, []

    def insert(self, v):
        self.values.append(v)
        if len(self.values) == 128:
            raise ValueError("full")

    def evict(self):
        del self.values[0]

    def query(self):
        answer = self.monoid.identity
        for v in self.values:
            answer = self.monoid.combine(answer, v)
        return answer
"""


def test_what_raises_late_shows_no_answers(tmp_path: Path) -> None:
    file = tmp_path / "raises.py"
    file.write_text(RAISES, encoding="utf-8")
    result = conform(f"{file}:Window", "--window", "fifo", "--monoid", "affine", "--seed", "0")
    assert "insert raised ValueError: full, after inserting 127 elements" in result.stdout
    assert "expected" not in result.stdout
    assert "\n  got " not in result.stdout
