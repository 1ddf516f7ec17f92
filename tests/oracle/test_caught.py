"""The table of wrong implementations names all of them, and its traces still show each mistake."""

import re

import pytest
from caught import KINDS, PAGE, SUBJECTS, wrong

from swagproof.oracle.judge import replay
from swagproof.oracle.subject import load_monoid, load_subject
from swagproof.oracle.trace import Trace, parse

TEXT = PAGE.read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| .* \| ([\w ]+) \| ([\w-]+) \| \d+ \| (`.*`|) \| [\d.]+ \|$", re.MULTILINE)
ROWS = {
    (part.partition(":")[0], name): (diagnosis, monoid, trace)
    for part in TEXT.split("\n## ")[1:]
    for name, diagnosis, monoid, trace in ROW.findall(part)
}
"""The diagnosis, the monoid and the trace, by kind of window and class."""


def test_every_wrong_implementation_is_in_the_table_and_caught() -> None:
    assert len(ROWS) >= 100
    assert set(ROWS) == {(KINDS[file], name) for file, name, _ in wrong()}


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, name, _ in wrong() if ROWS[KINDS[file], name][2]])
def test_its_trace_shows_it(file: str, name: str) -> None:
    kind = KINDS[file]
    diagnosis, monoid, trace = ROWS[kind, name]
    subject = load_subject(f"{SUBJECTS / file}.py:{name}", kind)
    steps = parse(trace.strip("`").replace("\\|", "|"), kind)
    report = replay(subject, load_monoid(monoid), Trace(steps, monoid, kind), timeout=0.5)
    assert report.verdict.witness is not None
    assert report.verdict.witness.diagnosis == diagnosis
