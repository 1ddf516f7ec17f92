"""Sums up to the limits of a subject's numbers, and not beyond: subjects with these numbers are right, subjects with
narrower ones are found."""

import itertools
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from subjects.hard.widths import (
    RIGHT,
    WRONG,
    MeansOfDoubles,
    MeansOfDoublesForLongs,
    MeansOfInts,
    MeansOfLongs,
    WholeProducts,
)
from subjects.right import ListWindow

from swagproof.models.operations import Operation
from swagproof.oracle.adapting.answers import judged_as
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import domain
from swagproof.oracle.domains.width import WIDTHS
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.search.attempts import interleave
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import Step
from swagproof.oracle.verdict import WIDER

BY_SIGN: Operation[Any, Any, Any] = Operation(
    "by sign",
    lift=lambda e: (min(e, 0), max(e, 0)),
    combine=lambda a, b: (a[0] + b[0], a[1] + b[1]),
    lower=lambda v: v,
    identity=(0, 0),
    commutative=True,
)
"""The sum of the negative elements, and the sum of the positive ones."""


def judged(found: Any, window: str, monoid: str = "sum") -> Judgement:
    subject = subject_of(found, found.__name__, window)
    try:
        return judge(subject, domains_of(subject, (monoid,)), seed=2, effort=60_000)
    finally:
        subject.stop()


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.drawn(1)
def test_who_computes_in_so_many_bits_is_not_asked_for_more(name: str) -> None:
    report = judged(*RIGHT[name])
    assert report.verdict.outcome == "conforms", report.verdict.sentence


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.drawn(3)
def test_who_holds_less_than_it_says_is_found_within_that(name: str) -> None:
    report = judged(*WRONG[name])
    assert report.verdict.outcome == "violated", report.verdict.sentence
    assert report.verdict.witness is not None
    assert report.verdict.witness.minimal
    assert (WIDER in report.verdict.sentence) is (name in ("WrapsWithoutBound", "FoldsInLongs")), (
        report.verdict.sentence
    )


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (WholeProducts, "conforms"),
        (MeansOfLongs, "conforms"),
        (MeansOfDoubles, "conforms"),
        (MeansOfInts, "violated"),
        (MeansOfDoublesForLongs, "violated"),
    ],
)
def test_who_says_how_many_bits_it_has_is_handed_whole_numbers_up_to_these(found: Any, outcome: str) -> None:
    report = judged(found, "fifo", *found.monoids)
    assert report.verdict.outcome == outcome, report.verdict.sentence


@pytest.mark.parametrize("name", ["int64", "int32", "doubles"])
@pytest.mark.parametrize("window", ["fifo", "out-of-order", "shared", "time"])
@pytest.mark.drawn(3)
def test_nothing_that_is_asked_for_needs_more(window: str, name: str) -> None:
    kind, width = KINDS[window], WIDTHS[name]
    assert width is not None
    over = judged_as(domain("sum"), Adapter(numbers=name))
    phases = kind.phases([over], 1, list(kind.window.operations))
    attempts = [attempt.steps for _, attempt in itertools.islice(interleave(phases), 1500) if len(attempt.steps) < 3000]

    def exceeds(steps: Sequence[Step]) -> bool:
        reference = kind.expected(BY_SIGN)
        for step_name, arguments in steps:
            if step_name == "insert":
                reference.insert(*arguments[:-1], BY_SIGN.lift(arguments[-1]))
            else:
                getattr(reference, step_name)(*arguments)
            if step_name in ("insert", "evict") and window != "shared":
                least, most = reference.query()
            elif step_name == "lookup":
                least, most = reference.lookup(*arguments)
            else:
                continue
            if least < width.least or most > width.most:
                return True
        return False

    fitted = [over.fit(steps, kind.window) for steps in attempts]
    assert not any(map(exceeds, fitted))
    assert any(map(exceeds, attempts))  # else this would show nothing
    assert all(over.fits(steps, kind.window) for steps in fitted)
    largest = {abs(step.arguments[-1]) for steps in fitted for step in steps if step.name == "insert"}
    assert max(largest) >= width.most - 1


@pytest.mark.parametrize(("said", "width"), [("", "int64"), (" numbers=int32", "int32"), (" numbers=any", "any")])
def test_a_program_has_64_bits_or_says_otherwise(said: str, width: str) -> None:
    greeting = f"swagproof 1 window=fifo monoids=sum{said}"
    subject = load_program([sys.executable, "-c", f"for _ in open(0): print({greeting!r}, flush=True)"])
    try:
        expected = WIDTHS[width]
        assert subject.over(domain("sum")).width == (expected and replace(expected, whole=bool(said)))
    finally:
        subject.stop()


def test_a_generic_window_is_asked_for_more_than_64_bits() -> None:
    assert subject_of(ListWindow, "mine").over(domain("sum")).width is None
