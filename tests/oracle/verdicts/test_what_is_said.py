"""A verdict claims no more than was established: the traces tried, minimality, chance, and the failing monoid."""

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from subjects.right import ListWindow
from support.command import conform

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.clock import Clock
from swagproof.oracle.judge import CHANCE, UNTRIED, domains_of, judge
from swagproof.oracle.kinds.frame import trace
from swagproof.oracle.outcome import Tried
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.subject import subject_of
from swagproof.oracle.witness.minimise import Minimiser
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reports import junit, markdown


class Chance(ListWindow):
    """A window that loses the oldest element in a few queries of a thousand."""

    of_thousand = 4

    def query(self) -> Any:
        return self.product(self.values[1:] if random.randrange(1000) < self.of_thousand else self.values)


class FrequentChance(Chance):
    """A window that loses the oldest element in one query of four."""

    of_thousand = 250


class AfterAnother(ListWindow):
    """It loses the oldest of two elements after any window of its class was queried about five, and dropped."""

    five = False

    def query(self) -> Any:
        AfterAnother.five |= len(self.values) == 5
        return self.product(self.values[1:] if AfterAnother.five and len(self.values) == 2 else self.values)


class UpperMedian(ListWindow):
    """The upper median of an even number of values, whatever its monoid."""

    def query(self) -> Any:
        return sorted(self.values)[len(self.values) // 2] if self.values else None


class LosesOneOf64:
    """Frames that lose the last row if the number of rows modulo 64 is 2."""

    monoids = ("sum",)

    def __init__(self, monoid: Any) -> None:
        self.rows = list[tuple[int, int]]()

    def frame(self, unit: str, start: int | None, end: int | None) -> None:
        self.declared = Frame(unit, start, end)

    def insert(self, t: int, v: int) -> None:
        self.rows.append((t, v))

    def results(self) -> list[int]:
        rows = sorted(self.rows, key=lambda row: row[0])
        bounds = list(self.declared.bounds([time for time, _ in rows]))
        answers = [sum(v for _, v in rows[first:stop]) for first, stop in bounds]
        if len(rows) > 64 and len(rows) % 64 == 2:
            answers[-1] += 1
        return answers


def judged(
    found: type, window: str = "fifo", monoids: tuple[str, ...] = (), seed: int = 0, **adapter: Any
) -> Judgement:
    subject = subject_of(found, found.__name__, window, **adapter)
    try:
        return judge(subject, domains_of(subject, monoids), seed=seed, effort=30_000)
    finally:
        subject.stop()


def test_what_conforms_says_what_was_tried() -> None:
    report = judged(TwoStacks)
    tried = report.coverage.total
    assert report.verdict.sentence == (
        f"no trace was found on which it disagrees with the reference, in windows of up to {tried.largest_window} "
        f"elements (grown beyond 256), {tried.operations:,} operations and {tried.queries:,} answers"
    )
    assert 257 <= tried.largest_window <= 2048


def test_frames_say_that_null_order_keys_were_not_tried() -> None:
    result = conform("swagproof.oracle.engines.sqlite_frames:Count", "--window", "frame", "--effort", "3000")
    assert UNTRIED["frame"] in result.stdout


def test_an_explicit_monoid_is_kept() -> None:
    """It also fails over concatenation, and sooner: its result for an empty window is not the empty text."""
    witness = judged(UpperMedian, monoids=("median",), lowered=True).verdict.witness
    assert witness is not None
    assert (witness.trace.monoid, str(witness.trace)) == ("median", "insert 0, insert 1, query")
    assert witness.letters is None
    assert (witness.expected, witness.got) == ({"fraction": "1/2"}, 1)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("made", [Chance, FrequentChance])
def test_chance_is_called_chance(made: type, seed: int) -> None:
    report = judged(made, seed=seed)
    assert report.verdict.outcome == "violated"
    assert report.verdict.sentence.endswith(CHANCE)
    assert report.verdict.witness is not None
    assert report.verdict.witness.diagnosis == "chance"
    assert not report.verdict.witness.minimal


@pytest.mark.drawn(0)
def test_state_that_outlives_a_window_is_not_called_chance() -> None:
    report = judged(AfterAnother)
    assert report.verdict.outcome == "violated"
    assert CHANCE not in report.verdict.sentence


def test_blocks_of_a_power_of_two_are_removed() -> None:
    subject = subject_of(LosesOneOf64, "mine", "frame")
    try:
        (over,) = domains_of(subject)
        rows = [(time, 1) for time in range(258)]
        steps = tuple(trace(Frame("rows", -1, 0), rows))
        clock = Clock()
        failure = run(subject, over, steps, clock, Tried())
        assert failure is not None
        smaller = Minimiser(subject, over, list(steps), failure, clock)
        assert smaller.minimise() is None
        assert len(smaller.steps) == 1 + 66 + 1
    finally:
        subject.stop()


def test_markdown_and_junit_say_in_five_lines_what_was_tried() -> None:
    report = judged(TwoStacks).report()
    rows = re.findall(r"^\| (\w+) \| <code>", markdown.render(report), re.MULTILINE)
    assert rows == ["tried", "monoids", "instances", "complete", "searched"]
    (said,) = ElementTree.fromstring(junit.render(report)).iter("system-out")
    assert re.findall(r"^  (\w+) {2,}", str(said.text), re.MULTILINE) == rows
