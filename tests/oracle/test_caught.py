"""The table of wrong implementations is complete; each trace in it still fails, and is minimal.

A search for all of them takes minutes: here it runs if the table has no trace, and for one subject of each kind of
window and diagnosis.  The script that writes the table runs it for all, as CONTRIBUTING.md describes.
"""

import re
import shlex
from pathlib import Path
from zlib import crc32

import pytest
from caught import KINDS, PAGE, SUBJECTS, list_wrong
from support.command import conform

from swagproof.oracle.clock import Clock
from swagproof.oracle.judge import domains_of, judge, replay
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import Trace, inline, parse
from swagproof.oracle.verdict import replay_command
from swagproof.oracle.witness.minimise import one_minimal

TEXT = PAGE.read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| .* \| ([\w ]+) \| ([\w-]+) \| (\d+) \| (?:`(.*)`|) \| [\d.]+ \|$", re.MULTILINE)
ROWS = {
    (part.partition(":")[0], name): (diagnosis, monoid, int(operations), trace.replace("\\|", "|"))
    for part in TEXT.split("\n## ")[1:]
    for name, diagnosis, monoid, operations, trace in ROW.findall(part)
}
"""Diagnosis, monoid, number of operations and, if it is short, the trace; by kind of window and class."""

SLOW = ("Wraps", "WideMoveOfInnerNodes", "BulkEvictOfAFullRing")
"""Windows of hundreds of elements show these, after a minute; a phase that finds them has its own test."""
ADDRESS = re.compile(" at 0x[0-9a-f]+")
TRIED = re.compile("; the smallest window tried.*")
"""A replay tries one trace, and so cannot determine the least size of the window."""


def stated(sentence: str) -> str:
    return TRIED.sub("", ADDRESS.sub("", sentence))


SENTENCE = re.compile(r"^([\w-]+) (\w+): (.*)$", re.MULTILINE)
SENTENCES = {
    (kind, name): said for kind, name, said in SENTENCE.findall(Path(__file__).with_name("sentences.txt").read_text())
}
"""The sentences about some subjects, by kind of window and class."""


def test_every_wrong_implementation_is_in_the_table_and_caught() -> None:
    assert len(ROWS) >= 100
    assert set(ROWS) == {(KINDS[file], name) for file, name, _ in list_wrong()}
    assert set(SENTENCES) <= set(ROWS)


WRONG = [(file, name) for file, name, _ in list_wrong() if name not in SLOW]
SHOWN = [(file, name) for file, name in WRONG if name != "Hangs" and ROWS.get((KINDS[file], name), ("",))[-1]]
FIRST = {(it[0], ROWS[KINDS[it[0]], it[1]][0]): it for it in sorted(SHOWN, key=lambda it: crc32(it[1].encode()))}
"""One subject for each file and diagnosis: adding a subject does not change the others."""
SEARCHED = [it for it in WRONG if it not in SHOWN] + sorted(FIRST.values())


@pytest.mark.parametrize(("file", "name"), SHOWN)
@pytest.mark.drawn(15)
def test_its_trace_shows_it_and_none_of_its_operations_can_be_left_out(file: str, name: str) -> None:
    kind = KINDS[file]
    diagnosis, monoid, operations, shown = ROWS[kind, name]
    subject = load_subject(f"{SUBJECTS / file}.py:{name}", kind)
    (over,) = domains_of(subject, [monoid])
    steps = parse(shown, kind)
    assert len(steps) == operations
    verdict = replay(subject, over, Trace(steps, monoid, kind)).verdict
    assert verdict.outcome == "violated"
    assert verdict.witness is not None
    assert verdict.witness.diagnosis == diagnosis
    assert verdict.sentence == SENTENCES.get((kind, name), verdict.sentence)
    assert one_minimal(subject, over, steps, Clock())


@pytest.mark.parametrize(("file", "name"), SHOWN)
@pytest.mark.drawn(10)
def test_its_replay_line_runs_as_printed(file: str, name: str) -> None:
    kind = KINDS[file]
    _, monoid, _, shown = ROWS[kind, name]
    line = replay_command((f"{SUBJECTS / file}.py:{name}",), Trace(parse(shown, kind), monoid, kind))
    assert conform(*shlex.split(line)[2:]).exit_code == 1


@pytest.mark.parametrize(("file", "name"), SEARCHED)
@pytest.mark.drawn(2)
def test_it_is_found_again_by_the_same_trace(file: str, name: str) -> None:
    kind = KINDS[file]
    diagnosis, monoid, operations, shown = ROWS[kind, name]
    subject = load_subject(f"{SUBJECTS / file}.py:{name}", kind)
    (over,) = domains_of(subject, [monoid])
    report = judge(subject, domains_of(subject), seed=0, timeout=0.3 if name == "Hangs" else 10.0)
    verdict = report.verdict
    assert report.replay is not None
    assert conform(*shlex.split(report.replay)[2:], "--timeout", "0.3").exit_code == verdict.exit_code
    witness = verdict.witness
    assert witness is not None
    assert (witness.diagnosis, witness.trace.monoid, witness.trace.window) == (diagnosis, monoid, kind)
    assert len(witness.trace.steps) == operations
    if shown:
        assert shown == inline(witness.trace.steps)
    assert verdict.sentence == SENTENCES.get((kind, name), verdict.sentence)
    if name in ("Hangs", "Shared"):  # a busy machine can miss a time limit; shared state needs all of them
        return
    assert witness.minimal
    clock = Clock()
    assert one_minimal(subject, over, witness.trace.steps, clock)
    again = replay(subject, over, Trace(parse(inline(witness.trace.steps), kind), monoid, kind)).verdict
    assert again.outcome == verdict.outcome
    assert stated(again.sentence) == stated(verdict.sentence)
    assert again.witness is not None
    assert (again.witness.expected, again.witness.got) == (witness.expected, witness.got)
