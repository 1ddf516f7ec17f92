"""The table of wrong implementations names all of them; each trace in it shows its mistake still, and is minimal.

A search that finds them again takes minutes: it is made here where the table has no trace to play, and for one of each
kind of window and diagnosis.  For all of them it is made by what writes the table, as CONTRIBUTING.md says.
"""

import re
import shlex
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
"""Diagnosis, monoid, number of operations and, where it is short, the trace; by kind of window and class."""

SLOW = ("Wraps", "WideMoveOfInnerNodes", "BulkEvictOfAFullRing")
"""Windows of hundreds of elements show these, after a minute; a phase that finds them is tested by itself."""
ADDRESS = re.compile(" at 0x[0-9a-f]+")

SENTENCES = {
    ("fifo", "OperandSwap"): 'after inserting 2 elements the operands are swapped: "ba", not "ab"',
    ("fifo", "LosesAtFlip"): (
        "after evicting 1 of 2 elements the answer still contains evicted elements, and lacks newer ones"
    ),
    ("fifo", "ZeroIdentity"): "after inserting 1 element query answers 0 instead of -1",
    ("fifo", "StaleAfterDrain"): 'after evicting 1 of 2 elements the answer still contains "a"',
    ("fifo", "LateGrowth"): 'after inserting 65 elements the answer lacks "a", the oldest of 65 elements',
    ("fifo", "RingWithoutGrowth"): (
        'after inserting 129 elements the answer lacks "a", the oldest of 129 elements; as far as was tried, '
        "it takes a window of 129 elements (element lost)"
    ),
    ("fifo", "ChangesTheHanded"): (
        "insert changed a value that it had been handed from [1] to [1, 2], after inserting 2 elements"
    ),
    ("fifo", "AnswersItsOwnList"): (
        "insert changed an answer that it had given from [] to [1], after inserting 1 element"
    ),
    ("fifo", "ChangesTheIdentity"): "query changed the monoid's identity from [] to [1], after inserting 1 element",
    ("fifo", "CommutativeOnly"): 'after evicting 1 of 3 elements the operands are swapped: "cb", not "bc"',
    ("fifo", "CountsTwice"): 'after evicting 1 of 2 elements the answer counts "b" twice',
    ("fifo", "WrongSideInverse"): (
        'after evicting 1 of 2 elements query answers {"tuple": [2, 6]} instead of {"tuple": [2, 5]}'
    ),
    ("fifo", "ForgetsToInvalidate"): 'after inserting 1 element query answers "" again, as before the insert',
    ("fifo", "SecondQueryDiffers"): (
        'after inserting 1 element the repeated query answers "", but the first answered "a"'
    ),
    ("fifo", "RaisesWhenEmpty"): "query raised IndexError: list index out of range, before anything is inserted",
    ("fifo", "OffByOneEvict"): (
        "after evicting 1 of 3 elements the answer still contains evicted elements, and lacks newer ones"
    ),
    ("fifo", "ForgetsAfterRefill"): 'after evicting 2 of 3 elements the answer still contains "b"',
    ("fifo", "FloatSubtractsOnEvict"): (
        "after evicting 1 of 2 elements the sum 0.0 is off by 1, where rounding the 1 element of the window "
        "accounts for 2.22e-16 at most"
    ),
    ("fifo", "Exits"): "query raised SystemExit: 0, before anything is inserted",
    ("out-of-order", "DuplicateReplaces"): (
        'after inserting at 1 and 1, at time 1 the later element replaces the earlier: "b", not "ab"'
    ),
    ("out-of-order", "DuplicateIgnored"): (
        'after inserting at 1 and 1, at time 1 the later element is dropped: "a", not "ab"'
    ),
    ("out-of-order", "DuplicateSwapped"): (
        'after inserting at 1 and 1, at time 1 the later element comes first: "ba", not "ab"'
    ),
    ("out-of-order", "DuplicateIsAnotherEntry"): (
        'after inserting at 1 and 1 and evicting 1, the window is empty, and query answers "b" instead of ""'
    ),
    ("out-of-order", "AbsentEvictTakesTheNext"): 'after inserting at 2 and evicting 1, the answer lacks "a", at time 2',
    ("out-of-order", "AbsentEvictRaises"): "evict raised ValueError: 1 is not in list, before anything is inserted",
    ("out-of-order", "EvictsTheOldest"): (
        "after inserting at 2 and 1 and evicting 2, the answer lacks the entry at 1, and still contains that "
        "evicted at 2"
    ),
    ("out-of-order", "StaleInTheMiddle"): (
        'after inserting at 1, 2 and 3 and evicting 2, query answers "abc" again, as before the evict'
    ),
    ("out-of-order", "StaleDuplicate"): 'after inserting at 1 and 1, query answers "a" again, as before the insert',
    ("out-of-order", "LosesEarlierThanAll"): 'after inserting at 2 and 1, the answer lacks "b", at time 1',
    ("out-of-order", "ArrivalOrder"): (
        'after inserting at 2 and 1, the entries are in the order of arrival, not of time: "ab", not "ba"'
    ),
    ("out-of-order", "NoTimeZero"): 'after inserting at 0, the answer lacks "a", at time 0',
    ("out-of-order", "NoNegativeTimes"): 'after inserting at -1, the answer lacks "a", at time -1',
    ("out-of-order", "RangeWithoutItsEnd"): "after inserting at 1, range_query 1 1 leaves out the entry at its ends",
    ("out-of-order", "RangeReversed"): 'after inserting at 2, range_query 2 1 answers "a", as if its ends were swapped',
    ("out-of-order", "RangeNeedsItsEnds"): "after inserting at 1, range_query 1 2 leaves out the entry at its start",
    ("out-of-order", "RangeFromTheOldest"): (
        'after inserting at 1 and 2, range_query 2 2 answers "ab", the whole window'
    ),
    ("out-of-order", "RangeRemembered"): (
        'after inserting at 1 and evicting 1, range_query 1 1 answers "a" again, as before the evict'
    ),
    ("out-of-order", "RangeEvicts"): 'after inserting at 1, the answer lacks "a", at time 1',
    ("out-of-order", "ChangesTheHanded"): (
        "insert changed a value that it had been handed from [1] to [1, 2], after inserting at 1 and 1"
    ),
    ("out-of-order", "SubtractsTheLast"): (
        "after inserting at 1 and 1 and evicting 1, the answer still contains 1 and 0, evicted at 1"
    ),
    ("shared", "ExpiresLate"): 'after inserting 2 elements, in the window of 1 the answer still contains "a"',
    ("shared", "TrimsToTheLastRegistered"): (
        "after registering 2 and 1 and inserting 2 elements, in the window of 2 the answer is that of the "
        'window of 1: "b"'
    ),
    ("shared", "StaleSmallerWindows"): (
        'after registering 1 and 2 and inserting 1 element, in the window of 1 lookup 1 answers "" again, as '
        "before the insert"
    ),
    ("shared", "RaisesBeforeTheFirst"): (
        "lookup raised TypeError: reduce() of empty iterable with no initial value, before anything is inserted"
    ),
}
"""The sentences about some subjects, by kind of window and class."""


def test_every_wrong_implementation_is_in_the_table_and_caught() -> None:
    assert len(ROWS) >= 100
    assert set(ROWS) == {(KINDS[file], name) for file, name, _ in list_wrong()}
    assert set(SENTENCES) <= set(ROWS)


WRONG = [(file, name) for file, name, _ in list_wrong() if name not in SLOW]
SHOWN = [(file, name) for file, name in WRONG if name != "Hangs" and ROWS.get((KINDS[file], name), ("",))[-1]]
FIRST = {(it[0], ROWS[KINDS[it[0]], it[1]][0]): it for it in sorted(SHOWN, key=lambda it: crc32(it[1].encode()))}
"""One subject for each file and diagnosis: a new subject changes none of the others."""
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
    if name in ("Hangs", "Shared"):  # a busy machine can miss a time limit; what windows share takes all of them
        return
    assert witness.minimal
    clock = Clock()
    assert one_minimal(subject, over, witness.trace.steps, clock)
    again = replay(subject, over, Trace(parse(inline(witness.trace.steps), kind), monoid, kind)).verdict
    assert again.outcome == verdict.outcome
    assert ADDRESS.sub("", again.sentence) == ADDRESS.sub("", verdict.sentence)
    assert again.witness is not None
    assert (again.witness.expected, again.witness.got) == (witness.expected, witness.got)
