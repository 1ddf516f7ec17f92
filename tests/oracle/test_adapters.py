"""Adapted subjects: windows with other names, constructors and answers are judged without a wrapper."""

import ctypes
import shlex
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner
from subjects.hard.generated import Typed
from support.places import TESTS

from swagproof.oracle.adapting.answers import judged_as
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import Subject, load_monoid, load_subject
from swagproof.oracle.testing.conformance import Conformance
from swagproof.oracle.trace import InputError, inline, range_query
from swagproof.reports.text import render

SUBJECTS = TESTS / "subjects" / "adapted.py"
PUSHING: dict[str, Any] = {
    "methods": {"insert": "push", "evict": "pop", "query": "total"},
    "make": "combine, initial=identity",
}


def judged(name: str, window: str = "fifo", monoids: tuple[str, ...] = (), **options: Any) -> Judgement:
    """Return the verdict of its first phases, which take a second or two."""
    subject = load_subject(f"{SUBJECTS}:{name}", window, **options)
    few = monoids or subject.monoids or ("concatenation", "sum", "max-count")
    return judge(subject, domains_of(subject, few), seed=3, effort=30_000)


RIGHT: dict[str, dict[str, Any]] = {
    "Pushing": PUSHING,
    "Raising": {},
    "NoneOfNothing": {},
    "Newest": {"window": "shared"},
    "Averaging": {},
    "AveragingByDifferences": {},
    "Deviating": {},
    "Listing": PUSHING,
    "Middle": {},
    "Distinct": {},
    "Three": {"monoids": ("top-3",)},
    "Asynchronous": {},
    "asynchronous": {},
    "Forwarding": {},
    "BoundWhenBuilt": {},
    "InNumPy": {},
    "Recent": {"window": "time"},
    "RecentClosed": {"window": "time"},
    "Driven": {"window": "time"},
    "DrivenOfASpan": {"window": "time"},
    "Batched": {"window": "out-of-order"},
    "BatchedRing": {"window": "out-of-order"},
}
BULK: dict[str, Any] = {"window": "out-of-order"}
TIME: dict[str, Any] = {"window": "time"}
WRONG: dict[str, tuple[dict[str, Any], int, str]] = {
    "PopsTheNewest": (PUSHING, 4, "the answer still contains"),
    "ForwardingTheWrongEnd": ({}, 4, "the answer still contains"),
    "RaisesOfOne": ({}, 2, "query raised IndexError"),
    "AnswersOfNothing": ({}, 1, "the window is empty, and query answers null"),
    "ZeroOfNothing": ({}, 1, "the window is empty, and query answers 0 instead of null"),
    "OneTooMany": ({"window": "shared"}, 4, "the answer still contains"),
    "AverageLeftOver": ({}, 4, "after evicting 1 of 2 elements query answers"),
    "DeviatingFromZero": ({}, 2, "query answers 3.0 instead of 0.0"),
    "WholeAverage": ({}, 2, "query answers 0 instead of"),
    "LowMiddle": ({}, 3, "after inserting 2 elements"),
    "ForgetsTwins": ({}, 4, "after evicting 1 of 2 elements"),
    "ThreeDifferent": ({"monoids": ("top-3",)}, 3, "the answer lacks 1, one of 2 equal elements"),
    "AsynchronousBulk": ({}, 3, "the answer still contains"),
    "AsynchronousSwap": ({}, 3, "the operands are swapped"),
    "LapsesLate": (TIME, 4, "still contains"),
    "LapsesFromZero": (TIME, 3, "lacks"),
    "LapsesByQuotient": (TIME, 4, "still contains"),
    "LapsesRound": (TIME, 4, "still contains"),
    "ThirtyAtOnce": (TIME, 33, "lacks"),
    "DrivenOfASpanUnnamed": (TIME, 4, "still contains"),
    "DrivenUntil": (TIME, 4, "still contains"),
    "InNarrowNumPy": ({}, 2, "query answers"),
}
"""Options, number of operations of the smallest trace, and words of the sentence."""


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.drawn(2)
def test_who_is_right_conforms(name: str) -> None:
    judgement = judged(name, **RIGHT[name])
    assert judgement.verdict.outcome == "conforms", render(judgement.report())


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.drawn(2)
def test_who_is_wrong_is_found_with_a_small_trace(name: str) -> None:
    options, operations, words = WRONG[name]
    judgement = judged(name, **options)
    assert judgement.verdict.outcome == "violated", render(judgement.report())
    witness = judgement.verdict.witness
    assert witness is not None
    assert len(witness.trace.steps) == operations, render(judgement.report())
    assert words in judgement.verdict.sentence, judgement.verdict.sentence


def test_a_semigroup_needs_no_identity_and_is_given_none() -> None:
    longer = load_monoid(f"{SUBJECTS}:Longer")
    subject = load_subject(f"{SUBJECTS}:Raising")
    assert judge(subject, [judged_as(longer, subject.adapter)], seed=1, effort=15_000).verdict.outcome == "conforms"
    asking: dict[str, Any] = {**PUSHING, "make": "combine, identity", "empty": "raises"}
    asks_for_it = load_subject(f"{SUBJECTS}:Pushing", **asking)
    with pytest.raises(InputError, match="has no attribute 'identity'"):
        judge(asks_for_it, [judged_as(longer, asks_for_it.adapter)], seed=1, effort=15_000)
    with pytest.raises(InputError, match="has no identity; state the result for an empty window"):
        judged_as(longer, Adapter())


def test_several_at_once() -> None:
    subject = load_subject("swagproof.reference.in_order.daba:Daba")
    assert judge(subject, domains_of(subject, ("sum+max",)), seed=1, effort=15_000).verdict.outcome == "conforms"
    with pytest.raises(InputError, match="take different elements"):
        domains_of(subject, ("sum+arg-max",))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"make": "combine, unit"}, "field make: 'unit' is none of monoid, combine"),
        ({"empty": "nothing"}, "field empty: 'nothing' is none of identity, raises"),
        ({"methods": {"insert": "push it"}}, "field methods"),
        ({"methods": {"push": "insert"}}, "field methods: 'push' is none of insert, evict, query"),
        ({"make": "size"}, "field make: size has no meaning for a fifo window"),
        ({"ranges": "all"}, "field ranges"),
        ({"speed": 1}, "field 'speed', none of methods, make"),
    ],
)
def test_what_an_adapter_cannot_be(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_subject(f"{SUBJECTS}:Pushing", **fields)


def test_options_say_it_and_the_replay_repeats_them() -> None:
    words = ["--window", "fifo", "--monoid", "sum", "--methods", "insert=push,evict=pop,query=total"]
    words += ["--make", "combine, initial=identity", "--effort", "20000", "--seed", "1"]
    result = CliRunner().invoke(conform, [f"{SUBJECTS}:PopsTheNewest", *words])
    assert result.exit_code == 1, result.output
    replay = shlex.split(result.output.rpartition("replay")[2])[2:]
    assert CliRunner().invoke(conform, replay).exit_code == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("unbounded", ""),
        ("ordered", ""),
        ("swaps", "as if its ends were swapped"),
        ("swaps ordered", ""),
        ("swaps unbounded", "as if its ends were swapped"),
        ("loses", "the later element replaces the earlier"),
        ("keeps", "the answer still contains"),
        ("stays", "in a new process the same trace passes: reset"),
        ("stays fifo", "in a new process the same trace passes: reset"),
        ("in time", ""),
        ("in time advance", ""),
        ("in time advance late", "the answer still contains"),
    ],
)
@pytest.mark.drawn(1)
def test_programs_have_bulks_and_spans_and_say_which_ranges_they_take(
    words: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swagproof.oracle.judge.MINIMISING", 10.0)  # a failure that needs earlier traces takes it all
    program = TESTS / "subjects" / "programs" / ("talking_in_time.py" if "time" in words else "talking_in_bulk.py")
    subject = load_program([sys.executable, str(program), *words.split()])
    try:
        judgement = judge(subject, domains_of(subject), seed=1, effort=40_000)
    finally:
        assert subject.program is not None
        subject.program.stop()
    expected = "broken" if words == "stays fifo" else "violated" if found else "conforms"
    assert judgement.verdict.outcome == expected, render(judgement.report())
    assert found in judgement.verdict.sentence


def test_ranges_without_bounds_are_asked_of_who_takes_them() -> None:
    subject = load_subject(f"{SUBJECTS}:Batched", "out-of-order", ranges="unbounded")
    asked = subject.ask([range_query(1, 2)] * 4, domain("sum"))
    assert inline(asked).startswith('range_query {"float": "-inf"} 2, range_query 1 {"float": "inf"}')
    assert judged("Batched", **BULK, ranges="unbounded").verdict.outcome == "conforms"


def test_a_test_class_has_an_adapter_too() -> None:
    class TestMine(Conformance):
        subject = f"{SUBJECTS}:Pushing"
        adapter = PUSHING

    with TestMine.open_subject() as subject:
        assert (subject.adapter, subject.methods) == (Adapter(**PUSHING), ("insert", "evict", "query"))


@pytest.mark.parametrize(
    ("convert", "numbers", "outcome"),
    [
        (float, "any", "violated"),
        (float, "doubles", "conforms"),
        (lambda x: ctypes.c_int32(x).value, "doubles", "violated"),
        (lambda x: ctypes.c_float(x).value, "doubles", "violated"),
    ],
)
@pytest.mark.drawn(2)
def test_who_computes_in_doubles_says_so_and_is_judged_up_to_2_to_53(
    convert: Callable[[int], Any], numbers: str, outcome: str
) -> None:
    subject = Subject("typed", partial(Typed, convert=convert), adapter=Adapter(numbers=numbers))
    for name in ("sum", "max", "min"):
        report = judge(subject, [judged_as(domain(name), subject.adapter)], effort=40_000, seed=0)
        assert report.verdict.outcome == outcome, (name, report.verdict.sentence)
