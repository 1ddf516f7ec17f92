"""Every defect re-created from a public thread is found by default, as the page states; its twin passes."""

import json
import math
import re

import pytest
from wild import JOBS, KINDS, PAGE, audit_jobs, group_jobs, list_defects, load_window, name_diagnosis

from swagproof.oracle.clock import Clock
from swagproof.oracle.judge import domains_of, judge, replay
from swagproof.oracle.kinds import frame
from swagproof.oracle.plan import search
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.trace import Trace, parse

TEXT = PAGE.read_text(encoding="utf-8")
THREAD = r"\[[\w./-]+#\d+\]\(https://github\.com/[\w./-]+/(?:issues|pull)/\d+\)"
ROW = re.compile(
    rf"^\| `(\w+)` \| {THREAD} \| .* \| ([\w ]+) \| ([\w-]+) \| (\d+) \| (?:`(.*)`|) \| [\d,]+ \| [\d.]+ \|$"
)
AUDITED = re.compile(rf"^\| `(\w+)` \| {THREAD} \| .* \| [\w -]+ \| (\d+) \| ([\w ]+): (\d+) \| .* \| [\d.]+ \|$")
ROWS = {
    name: (diagnosis, monoid, int(operations), trace.replace("\\|", "|"))
    for line in TEXT.splitlines()
    for name, diagnosis, monoid, operations, trace in ROW.findall(line)
}
"""Diagnosis, monoid, number of operations and, if it is short, the trace."""
FOUND = {
    name: (int(n), cause, int(explains))
    for line in TEXT.splitlines()
    for name, n, cause, explains in AUDITED.findall(line)
}

WINDOWS = [(file, made.__name__) for file in KINDS for made in list_defects(file)]
SLOW = ("PeersCutAtABatch", "EachTaskByItself")
"""Defects that need thousands of rows; a separate test runs the phase that finds them."""
BRIEFLY = 5_000
"""The number of operations for judging a twin."""


def test_each_mechanism_is_told_once_with_its_thread() -> None:
    threads = [made.thread for file in (*KINDS, JOBS) for made in list_defects(file)]
    assert len(threads) == len(set(threads)) >= 60
    assert {name for _, name in WINDOWS} == set(ROWS)
    assert {made.__name__ for made in list_defects(JOBS)} == set(FOUND)


@pytest.mark.parametrize(("file", "name"), [window for window in WINDOWS if window[1] not in SLOW])
@pytest.mark.drawn(3)
def test_it_is_found_unaided(file: str, name: str) -> None:
    subject = load_window(file, name)
    verdict = judge(subject, domains_of(subject), seed=0).verdict
    if subject.program is not None:
        subject.program.stop()
    assert verdict.witness is not None, verdict.sentence
    assert verdict.outcome == "violated"
    assert (verdict.witness.diagnosis, len(verdict.witness.trace.steps)) == (ROWS[name][0], ROWS[name][2])


@pytest.mark.parametrize("name", SLOW)
def test_it_is_found_among_many_rows(name: str) -> None:
    subject = load_window("frame_defects", name)
    domains = domains_of(subject)
    phases = [phase for phase in frame.phases(domains, 0) if phase.name == "many rows"]
    clock = Clock()
    finding = search(subject, domains, seed=0, effort=math.inf, clock=clock, coverage=Coverage(), plan=lambda: phases)
    assert finding is not None


@pytest.mark.parametrize(("file", "name"), WINDOWS)
@pytest.mark.drawn(1)
def test_the_same_code_without_the_defect_is_not_accused(file: str, name: str) -> None:
    subject = load_window(file, name, twin=True)
    _, monoid, _, trace = ROWS[name]
    (over,) = domains_of(subject, [monoid])
    if trace:
        again = replay(subject, over, Trace(parse(trace, subject.window), monoid, subject.window)).verdict
        assert again.outcome in ("conforms", "unknown"), again.sentence  # no query if an insert went wrong
    verdict = judge(subject, domains_of(subject), seed=0, effort=BRIEFLY).verdict
    if subject.program is not None:
        subject.program.stop()
    assert verdict.outcome in ("conforms", "unknown"), verdict.sentence


@pytest.mark.parametrize(("window", "late"), group_jobs())
@pytest.mark.drawn(0)
def test_the_audit_finds_jobs_and_accuses_no_twin(window: str, late: str) -> None:
    jobs = group_jobs()[window, late]
    told = audit_jobs(window, json.loads(late), jobs)
    for made in jobs:
        assert name_diagnosis(made) == FOUND[made.__name__]
    assert set(told.findings) == {made.__name__ for made in jobs}
