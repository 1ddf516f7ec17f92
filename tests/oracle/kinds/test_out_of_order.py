"""The oracle on out-of-order windows: right ones are not accused, wrong ones are found, with a minimal trace."""

import itertools
import json
from typing import Any

import pytest
from click.testing import Result
from support.command import assert_refused, conform, verdict
from support.places import TESTS

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import domains_of, replay
from swagproof.oracle.kinds.out_of_order import phases
from swagproof.oracle.mistakes import OutOfOrder
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject, load_subject
from swagproof.oracle.trace import InputError, Trace, asks, inline, parse, range_query
from swagproof.oracle.window import OUT_OF_ORDER
from swagproof.oracle.witness.minimise import Minimiser

SUBJECTS = TESTS / "subjects"
RIGHT, WRONG, TREES = (f"{SUBJECTS}/{name}.py" for name in ("right_out_of_order", "wrong_out_of_order", "wrong_trees"))
DICTIONARY = f"{RIGHT}:Dictionary"
WINDOW = "out-of-order"


def found_by(phase: str, spec: str) -> tuple[Subject, Finding]:
    """Return the first failing trace of one phase, without a time limit."""
    subject = load_subject(spec, WINDOW)
    domains = domains_of(subject, ["concatenation", "affine"])
    (chosen,) = (each for each in phases(domains, 0, subject.methods) if each.name == phase)
    clock = Clock()
    for over, what, steps, _ in itertools.islice(chosen.attempts, 100_000):
        failure = run(subject, over, steps, clock, Tried())
        if failure is not None:
            return subject, Finding(over, tuple(steps[: failure.at + 1]), failure, what)
    pytest.fail("nothing was found")


@pytest.mark.drawn(0)
def test_what_only_large_windows_show_is_made_as_small_as_time_allows() -> None:
    """A ring of 1,024 slots.  The time is too short to remove each insert in turn, so the trace may not be minimal; but
    it shrinks to inserts in order."""
    subject, finding = found_by("deeper", f"{WRONG}:Wraps")
    assert len(finding.steps) > 1025
    clock = Clock()
    clock.allow(5)
    smaller = Minimiser.near(subject, finding, clock)
    smaller.minimise()
    assert 1025 <= OutOfOrder.of(smaller.steps).size <= len(smaller.steps) < len(finding.steps)


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("phase", "subject"),
    [
        ("short words", f"{WRONG}:StaleDuplicate"),
        ("shapes", f"{WRONG}:StaleInTheMiddle"),
        ("shapes", f"{TREES}:MergeLosesAnEntry"),
        ("ranges", f"{WRONG}:RangeWithoutItsEnd"),
        ("ranges", f"{TREES}:ClimbsTwice"),
        ("deep", f"{TREES}:ClimbsThrice"),
        ("deep", f"{TREES}:SubstituteUnrepaired"),
        ("deep", f"{TREES}:WideMoveOfInnerNodes"),
        ("deep", f"{WRONG}:RangeRemembered"),
        ("random walks", f"{WRONG}:RangeFromTheOldest"),
        ("clocks", f"{WRONG}:ComparesBySubtraction"),
        ("clocks", f"{WRONG}:TimesInSinglePrecision"),
        ("cuts", f"{WRONG}:BulkEvictOfAFullRing"),
        ("every size", f"{WRONG}:Wraps"),
        ("fills", f"{WRONG}:DuplicateReplaces"),
        ("plain walks", f"{WRONG}:DropsBeyondTenEntries"),
        ("fills", f"{TREES}:MoveFromThePreviousAppends"),
        ("plain walks", f"{WRONG}:DropsAfterDrain"),
        ("short words", f"{WRONG}:StaleInTheMiddle"),
        ("random walks", f"{TREES}:LeftSpineStale"),
        ("random walks", f"{WRONG}:DuplicateSwapped"),
    ],
)
def test_each_phase_finds_something_by_itself(phase: str, subject: str) -> None:
    _, finding = found_by(phase, subject)
    assert asks(finding.steps[-1]) or finding.failure.kind == "raised"


def conformed(subject: str, *options: str) -> Result:
    return conform(subject, "--window", WINDOW, *options)


def test_the_verdict_says_what_was_judged() -> None:
    options = ("--window", WINDOW, "--effort", "30000", "--seed", "0", "--monoid", "sum")
    data = verdict(DICTIONARY, *options)
    assert (data["outcome"], data["window"], data["judged"]) == ("conforms", WINDOW, ["insert", "evict", "query"])
    assert data["every_word"] >= 2
    assert [phase["name"] for phase in data["phases"]][:2] == ["short words", "plain walks"]


@pytest.mark.parametrize(
    ("subject", "options", "message"),
    [
        (f"{WRONG}:HasNoQuery", (), "no method query; an out-of-order window needs insert, evict, query"),
        (f"{WRONG}:nothing", (), "no method insert, evict, query; an out-of-order window needs insert, evict, query"),
        *((DICTIONARY, ("--monoid", "sum", "--trace", trace), message) for trace, message in (
            ("insert 1 2, range_query 1 1", f"operation 2, range_query 1 1: {DICTIONARY} has no method range_query"),
            ('insert "1" 2', 'operation 1: insert: its TIME must be a number other than NaN, found "1"'),
            ("insert 1 [], query", "operation 1, insert 1 []: the monoid sum raised TypeError"),
        )),
    ],
)  # fmt: skip
def test_usage_and_input_errors(subject: str, options: tuple[str, ...], message: str) -> None:
    assert_refused(conformed(subject, "--effort", "30000", *options), message)


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ([["insert", 1]], "operations[0]: insert takes 2 values, found 1"),
        ([["insert", None, 1]], "operations[0]: its TIME must be a number other than NaN, found null"),
        ([["range_query", 1, {"x": 1}]], 'operations[0]: {"x": 1} is no value'),
        ([[["query"]]], 'operations[0]: [["query"]] is none of ["insert", TIME, VALUE], ["evict", TIME]'),
    ],
)
def test_a_broken_trace_file_names_the_field(operations: Any, message: str) -> None:
    data = {"format": "swagproof-trace", "version": 1, "window": WINDOW, "monoid": "sum", "operations": operations}
    with pytest.raises(InputError) as raised:
        Trace.from_json(data, "here")
    assert str(raised.value).startswith(f"here: {message}")


def test_traces_round_trip() -> None:
    text = 'insert -3 "a", insert 1.5 "b", insert {"float": "inf"} "c", 5 * evict 1.5, evict 9, range_query -3 4, query'
    steps = parse(text, WINDOW)
    assert inline(steps) == text
    trace = Trace(steps, "concatenation", WINDOW)
    assert Trace.from_json(json.loads(json.dumps(trace.to_json())), "here") == trace


def test_infinite_and_fractional_times_are_times() -> None:
    text = 'insert {"float": "-inf"} "a", insert 0.5 "b", insert {"float": "inf"} "c", range_query 0 1e300, query'
    subject = load_subject("swagproof.reference.trees.fiba:Fiba", WINDOW)
    trace = Trace(parse(text, WINDOW), "concatenation", WINDOW)
    assert replay(subject, domain("concatenation"), trace).verdict.outcome == "conforms"


@pytest.mark.drawn(0)
def test_phases_ask_no_range_of_who_has_none() -> None:
    subject = load_subject(DICTIONARY, WINDOW)
    for phase in phases([domain("sum")], 0, subject.methods):
        for attempt in itertools.islice(phase.attempts, 20):
            assert all(step.name in ("insert", "evict", "query") for step in attempt.steps)
    assert range_query(1, 2).name not in subject.methods
    assert set(subject.methods) < set(OUT_OF_ORDER.operations)
