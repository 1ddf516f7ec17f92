"""The oracle on shared windows: who is right is not accused, who is wrong is found, by a minimal trace."""

import json
import random
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.places import TESTS

from swagproof.models.operations import CONCATENATION
from swagproof.models.shared import SharedWindows
from swagproof.oracle.clock import Clock
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.kinds.shared import Sharing, lookup, phases, register, simpler, streams, words
from swagproof.oracle.minimise import one_minimal
from swagproof.oracle.search.attempts import Complete, Phase
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import Trace, inline, insert, largest_window, legal
from swagproof.oracle.verdict import Witness
from swagproof.oracle.window import SHARED

SUBJECTS = TESTS / "subjects"
RIGHT, WRONG = (f"{SUBJECTS}/{name}.py" for name in ("right_shared", "wrong_shared"))
PATIENT = 60.0  # seconds that a search may take; each ends with its finding, most within a second

FOUND = {
    "ExpiresLate": ("element kept", 'register 1, insert "a", insert "b", lookup 1'),
    "ExpiresEarly": ("element lost", 'register 2, insert "a", insert "b", lookup 2'),
    "FullWindowsOnly": ("element lost", 'register 2, insert "a", lookup 2'),
    "RaisesBeforeTheFirst": ("raised", "register 1, lookup 1"),
    "OperandSwap": ("operands swapped", 'register 2, insert "a", insert "b", lookup 2'),
    "TrimsToTheLastRegistered": ("another window", 'register 2, register 1, insert "a", insert "b", lookup 2'),
    "TrimsToTheFirstRegistered": ("another window", 'register 1, register 2, insert "a", insert "b", lookup 2'),
    "LookupTrims": ("another window", 'register 1, register 2, insert "a", insert "b", lookup 1, lookup 2'),
    "LookupTakesTheAnswer": ("element lost", 'register 1, insert "a", lookup 1, lookup 1'),
    "StaleSmallerWindows": ("stale answer", 'register 1, register 2, lookup 1, insert "a", lookup 1'),
    "ServedByTheLarger": ("another window", 'register 1, register 2, insert "a", insert "b", lookup 2, lookup 1'),
    "RegisteredTwiceCountsTwice": ("element repeated", 'register 2, register 2, insert "a", lookup 2'),
    "StopsAtTheFirstFull": ("element kept", 'register 2, register 1, insert "a", insert "b", insert "c", lookup 1'),
    "WholeBuckets": ("element kept", 'register 1, insert "a", insert "b", lookup 1'),
    "RingTooSmall": ("element lost", 'register 3, insert "a", insert "b", insert "c", lookup 3'),
    "OverlappingBlocks": ("element repeated", 'register 3, insert "a", insert "b", insert "c", lookup 3'),
    "AccumulatesInPlace": ("changed a value", "register 2, insert 1, insert 2, lookup 2"),
    "TieKeepsTheOlder": ("element lost", "register 1, insert 1, insert 1, lookup 1"),
    "DropsOneAtMost": ("element lost", "register 3, insert 1, insert 0, insert 2, lookup 3"),
    "FrontServesAll": ("another window", "register 1, register 2, insert 1, insert 0, lookup 1"),
    "ZeroIsNothing": ("element lost", "register 1, insert 0, lookup 1"),
    "MissingFromTheEdge": ("element lost", "register 2, insert 1, insert 0, lookup 2"),
    "ForgetsThePrefix": ("element lost", "register 1, insert 1, lookup 1"),
}
LATE = {"NarrowTimestamps": 1024, "LateGrowth": 301}
"""Only streams, or windows, of so many elements show these."""


def far(complete: Complete) -> list[Phase]:
    """The phase of long streams, alone: over the domain that hides nothing."""
    (found,) = (phase for phase in phases([domain("concatenation")], 0, complete) if phase.name == "far")
    return [replace(found, share=1.0)]


def found(name: str, plan: Any = None) -> tuple[str, Witness]:
    subject = load_subject(f"{WRONG}:{name}", "shared")
    verdict = judge(subject, domains_of(subject), seed=0, budget=PATIENT, plan=plan).verdict
    assert verdict.outcome == "violated"
    assert verdict.witness is not None
    return verdict.sentence, verdict.witness


@pytest.mark.parametrize("name", FOUND)
def test_a_wrong_one_is_found_by_a_minimal_trace(name: str) -> None:
    _, witness = found(name)
    assert (witness.diagnosis, str(witness.trace)) == FOUND[name]
    assert witness.minimal
    subject = load_subject(f"{WRONG}:{name}", "shared")
    with Clock() as clock:
        assert one_minimal(subject, domain(witness.trace.monoid), witness.trace.steps, clock)


def test_there_are_enough_of_them() -> None:
    subjects = [
        line for line in Path(WRONG).read_text().splitlines() if line.startswith("class ") and "class _" not in line
    ]
    assert len(subjects) == len(FOUND) + len(LATE) >= 14


@pytest.mark.parametrize("name", LATE)
def test_what_shows_late_is_found_in_long_streams_and_made_small(name: str) -> None:
    sentence, witness = found(name, far)
    inserts = sum(step.name == "insert" for step in witness.trace.steps)
    assert (inserts, len(witness.trace.steps), witness.minimal) == (LATE[name], LATE[name] + 2, True)
    if name == "LateGrowth":
        assert witness.diagnosis == "late growth"
        assert "found in no window of fewer than 301 elements (element lost)" in sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ExpiresLate", 'after inserting 2 elements, in the window of 1 the answer still contains "a"'),
        (
            "TrimsToTheLastRegistered",
            "after registering 2 and 1 and inserting 2 elements, in the window of 2 the answer is that of the window "
            'of 1: "b"',
        ),
        (
            "StaleSmallerWindows",
            'after registering 1 and 2 and inserting 1 element, in the window of 1 lookup 1 answers "" again, as '
            "before the insert",
        ),
        (
            "RaisesBeforeTheFirst",
            "lookup raised TypeError: reduce() of empty iterable with no initial value, before anything is inserted",
        ),
    ],
)
def test_sentences(name: str, sentence: str) -> None:
    assert found(name)[0] == sentence


@pytest.mark.parametrize(
    "spec",
    [
        *(
            f"{RIGHT}:{name}"
            for name in ("Kept", "OneTable", "OrderedMax", "OrderedMin", "GramMax", "GramSum", "GramCount")
        ),
        "swagproof.models.shared:SharedWindows",
        "swagproof.reference.sharing.stream_sharing:NaiveStream",
    ],
)
def test_right_ones_are_not_accused(spec: str) -> None:
    subject = load_subject(spec, "shared")
    report = judge(subject, domains_of(subject), seed=1, budget=1.0)
    assert report.verdict.outcome == "conforms", report.text()
    assert report.coverage.total.queries > 100


def test_the_expected_answers_are_right_by_definition() -> None:
    chance = random.Random(0)
    for _ in range(30):
        expected, model = Sharing(CONCATENATION), SharedWindows(CONCATENATION)
        sizes = [chance.randint(1, 9) for _ in range(chance.randint(1, 4))]
        for size in sizes:
            expected.register(size)
            model.register(size)
        for letter in chance.choices("abc", k=25):
            assert [expected.lookup(size) for size in sizes] == [model.lookup(size) for size in sizes]
            expected.insert(letter)
            model.insert(letter)


def test_every_word_is_legal_and_comes_once() -> None:
    for length in range(1, 6):
        spelt = [
            inline([register(-x) if x < 0 else lookup(x) if x else insert("a") for x in word]) for word in words(length)
        ]
        assert len(set(spelt)) == len(spelt)
        for word in words(length):
            steps = [register(-x) if x < 0 else lookup(x) if x else insert("a") for x in word]
            assert legal(steps, SHARED)
            assert len(steps) == length
            assert steps[-1].name == "lookup"


def test_phases_try_legal_traces_over_all_kinds_of_stream() -> None:
    assert set(streams(domain("max"), 20, random.Random(0))) == {
        "falling",
        "peaks",
        "in steps",
        "rising",
        "any",
        "equal",
    }
    assert set(streams(domain("mutable-collect"), 3, random.Random(0))) >= {"any", "equal"}
    for phase in phases([domain("max"), domain("concatenation")], 0, lambda _: None):
        for number, (_, _, steps) in enumerate(phase.attempts):
            assert legal(steps, SHARED), phase.name
            if number > 5:
                break


def test_simpler_traces_are_legal_where_the_trace_is() -> None:
    steps = [register(9), register(4), register(7), *[insert("a")] * 12, lookup(4), lookup(9)]
    nearby = list(simpler(steps))
    assert all(legal(trace, SHARED) for trace in nearby)
    assert inline(nearby[0]) == 'register 9, register 4, 12 * insert "a", lookup 4, lookup 9'
    assert largest_window(steps, SHARED) == 9


def test_the_command_says_what_it_found_and_replays_it(tmp_path: Path) -> None:
    saved = tmp_path / "trace.json"
    options = [f"{WRONG}:LookupTrims", "--window", "shared", "--seed", "0", "--save", str(saved)]
    result = CliRunner().invoke(conform, options)
    assert result.exit_code == 1
    assert '  state       stream  "a" "b"\n              1           [-]  "b"\n' in result.stdout
    data = json.loads(CliRunner().invoke(conform, [*options, "--json", "-"]).stdout)
    again = CliRunner().invoke(conform, [*shlex.split(data["replay"])[2:], "--json", "-"])
    assert json.loads(again.stdout)["sentence"] == data["sentence"]
    assert Trace.read(saved).window == "shared"
    conforms = CliRunner().invoke(conform, [f"{RIGHT}:Kept", "--window", "shared", "--budget", "1", "--seed", "0"])
    assert conforms.exit_code == 0
    assert "operations, of windows of up to 3 elements" in conforms.stdout


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ("insert 1, lookup 1", "operation 1: insert 1: register all sizes, then insert, then look up registered ones"),
        ("register 2, insert 1, register 3", "operation 3: register 3: register all sizes"),
        ("register 2, insert 1, lookup 1", "operation 3: lookup 1: register all sizes"),
        ("register 0", "its SIZE must be a whole number of elements, 1 or more, found 0"),
    ],
)
def test_a_trace_that_is_never_asked(trace: str, message: str) -> None:
    options = [f"{RIGHT}:Kept", "--window", "shared", "--monoid", "sum", "--trace", trace]
    result = CliRunner().invoke(conform, options)
    assert result.exit_code == 2
    assert message in result.stderr
