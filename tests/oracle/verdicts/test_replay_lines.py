"""Each replay command runs as printed: with an adapter's options, and with a file for a long trace."""

import shlex
import sys
from typing import Any

from subjects import adapted
from subjects.right import DequeWindow
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

METHODS = {"insert": "push", "evict": "pop", "query": "total"}
MAKE = "combine, initial=identity"

WRONG = f"{TESTS / 'subjects' / 'adapted.py'}:PopsTheNewest"


def judged(subject: Subject) -> Judgement:
    try:
        return judge(subject, domains_of(subject), seed=0, effort=20_000)
    finally:
        subject.stop()


def test_it_carries_the_options_that_the_class_does_not_declare() -> None:
    report = judged(load_subject(WRONG, methods=METHODS, make=MAKE))
    assert str(report).splitlines()[0] == f"violated: {WRONG}"
    assert f"  replay      {report.replay}" in str(report)
    words = shlex.split(str(report.replay))[2:]
    assert words[1:5] == ["--methods", "insert=push,evict=pop,query=total", "--make", MAKE]
    assert conform(*words).exit_code == 1
    printed = conform(WRONG, "--window", "fifo", "--methods", words[2], "--make", MAKE, "--seed", "0")
    (line,) = (line for line in printed.stdout.splitlines() if line.startswith("  replay"))
    assert line.count("--methods") == 1
    assert conform(*shlex.split(line)[3:]).exit_code == 1


def test_it_carries_those_of_a_subject_without_a_name() -> None:
    made: Any = vars(adapted)["PopsTheNewest"]  # the adapter builds it
    report = judged(Subject(WRONG, made, adapter=Adapter(methods=METHODS, make=MAKE)))
    assert conform(*shlex.split(str(report.replay))[2:]).exit_code == 1


def test_it_carries_the_numbers_of_a_program() -> None:
    program = [sys.executable, str(TESTS / "subjects" / "hard" / "window.py"), "loses the second"]
    report = judged(load_program(program, numbers="int32"))
    assert "--numbers int32" in str(report.replay)
    assert conform(*shlex.split(str(report.replay))[2:]).exit_code == 1


def test_a_long_trace_is_in_a_file() -> None:
    steps = tuple(step for number in range(600) for step in (insert(str(number)), Step("query")))
    line = replay_command((f"{TESTS / 'subjects' / 'right.py'}:DequeWindow",), Trace(steps, "concatenation"))
    assert len(line) < LONGEST_TRACE
    assert conform(*shlex.split(line)[2:]).exit_code == 0
    subject = subject_of(ForgetsWhenFull, f"{TESTS / 'subjects' / 'right_edges.py'}:ForgetsWhenFull")
    line = replay_command(subject.spelled, Trace((*map(insert, map(str, range(1024))), Step("query")), "concatenation"))
    subject.stop()
    assert conform(*shlex.split(line)[2:]).exit_code == 1


class Full(DequeWindow):
    """A window without room for a 128th element."""

    def insert(self, v: Any) -> None:
        super().insert(v)
        if len(self.newer) == 128:
            raise ValueError("full")


def test_what_raises_late_shows_no_answers() -> None:
    result = conform(f"{__file__}:Full", "--window", "fifo", "--monoid", "affine", "--seed", "0")
    assert "insert raised ValueError: full, after inserting 127 elements" in result.stdout
    assert "expected" not in result.stdout
    assert "\n  got " not in result.stdout
