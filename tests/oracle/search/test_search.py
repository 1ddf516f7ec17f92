"""The oracle finds wrong windows, minimises the trace, explains it in English, and accuses no right window."""

import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import sleep
from typing import Any, ClassVar
from unittest.mock import ANY

import pytest
from subjects.right import ListWindow
from support.places import TESTS

from swagproof.models.monoid import Counting
from swagproof.models.operations import PRIME
from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import domain
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import search
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject, load_subject, subject_of
from swagproof.oracle.trace import Step, insert_at, parse
from swagproof.oracle.verdict import Verdict, Witness
from swagproof.oracle.witness import minimise
from swagproof.oracle.witness.minimise import Minimiser, one_minimal
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reports import text

SUBJECTS = TESTS / "subjects"
TWO_STACKS = Subject("Two-Stacks", TwoStacks[Any])


def violated(name: str, *monoids: str) -> tuple[Verdict, Witness]:
    subject = load_subject(f"{SUBJECTS}/wrong.py:{name}")
    verdict = judge(subject, domains_of(subject, monoids), seed=0).verdict
    assert verdict.outcome == "violated"
    assert verdict.witness is not None
    return verdict, verdict.witness


@pytest.mark.parametrize(
    "monoid", ["sum", "max", "max-count", "arg-max", "affine", "matrix", "unimodular-matrix", "m4"]
)
@pytest.mark.parametrize("name", ["StaleAfterDrain", "LateGrowth", "RaisesWhenEmpty"])
@pytest.mark.drawn(2)
def test_other_monoids_show_it_too_and_minimal_traces_are_minimal(name: str, monoid: str) -> None:
    _, witness = violated(name, monoid)
    assert witness.minimal
    clock = Clock()
    assert one_minimal(load_subject(f"{SUBJECTS}/wrong.py:{name}"), domain(monoid), witness.trace.steps, clock)


def test_windows_that_share_state_are_found_out() -> None:
    subject = load_subject(f"{SUBJECTS}/wrong.py:Shared")
    report = judge(subject, domains_of(subject), seed=0)
    assert report.verdict.outcome == "violated"
    assert "windows share state, or chance is at work" in report.verdict.sentence
    assert report.verdict.witness is not None
    assert report.verdict.witness.diagnosis == "shared state"
    assert report.replay is not None
    assert "--seed 0" in report.replay


def test_a_subject_that_hangs_is_an_error_and_the_operation_is_named() -> None:
    subject = load_subject(f"{SUBJECTS}/wrong.py:Hangs")
    report = judge(subject, domains_of(subject), seed=0, timeout=0.3)
    assert (report.verdict.outcome, report.verdict.exit_code) == ("broken", 4)
    assert (
        report.verdict.sentence
        == "insert did not return within the time limit (see --timeout), after inserting 2 elements"
    )
    assert report.verdict.witness is not None
    assert str(report.verdict.witness.trace) == 'insert "a", insert "b", insert "c"'


def test_a_monoid_over_which_nothing_was_checked_is_no_pass() -> None:
    class Texts(TwoStacks[Any]):
        @classmethod
        def offers(cls, steps: Sequence[Step]) -> bool:
            return cls.enough(type(x) is str for step in steps for x in step.arguments)

        enough: ClassVar[Callable[[Iterable[object]], bool]] = all

    class Silent(Texts):
        enough: ClassVar[Callable[[Iterable[object]], bool]] = any

    for partial, said in ((subject_of(Texts, "texts"), "conforms"), (subject_of(Silent, "silent"), "unknown")):
        report = judge(partial, domains_of(partial, ("concatenation", "sum")), seed=0, effort=20_000)
        assert report.verdict.outcome == said
    assert report.verdict.sentence.endswith("was spent before any answer over sum was checked")


@pytest.mark.parametrize(("seconds", "complete"), [(60.0, 1), (0.0, 0)])
def test_words_are_complete_only_when_the_last_was_played(seconds: float, complete: int) -> None:
    coverage, text, clock = Coverage(), domain("concatenation"), Clock()
    clock.allow(seconds)
    word = Attempt(text, "the only word", parse('insert "a", query, query'), completes=1)
    search(
        Subject("window", TwoStacks), [text], seed=0, effort=100, clock=clock, coverage=coverage,
        plan=lambda: [Phase("words", 1.0, iter([word]))],
    )  # fmt: skip
    assert (coverage.total.operations, coverage.every_word) == (3 * complete, complete)


class _Posing(TwoStacks[Any]):
    """A window whose answer equals the right answer, but has another type."""

    def __init__(self, monoid: Any, pose: Callable[[Any], Any]) -> None:
        super().__init__(monoid)
        self.pose = pose

    def query(self) -> Any:
        return self.pose(super().query())


class _Choosy(TwoStacks[Any]):
    """A window that offers only short traces."""

    most: ClassVar = 1

    @classmethod
    def offers(cls, steps: Sequence[Step]) -> bool:
        return len(steps) <= cls.most


class _LessChoosy(_Choosy):
    most: ClassVar = 60


def test_who_offers_next_to_nothing_does_not_conform_and_nothing_is_called_complete() -> None:
    for subject, said in (Subject("choosy", _Choosy), "unknown"), (Subject("less choosy", _LessChoosy), "conforms"):
        found = judge(subject, domains_of(subject, ("concatenation", "sum")), seed=0, effort=30_000)
        assert (found.verdict.outcome, found.coverage.every_word > 1) == (said, said == "conforms"), found.verdict
        assert 0 < found.coverage.skipped < found.coverage.work


def test_who_falls_silent_twice_and_offers_no_empty_trace_is_played_again_from_the_beginning(tmp_path: Path) -> None:
    class Slow(TwoStacks[Any]):
        """A window that does not offer traces without operations, and is slow twice."""

        wrong: ClassVar = False

        @classmethod
        def offers(cls, steps: Sequence[Step]) -> bool:
            return bool(steps)

        def query(self) -> Any:
            if len(begun := tuple(tmp_path.iterdir())) < 2:
                (tmp_path / str(len(begun))).touch()
                sleep(9)
            return self.monoid.combine(super().query(), super().query()) if self.wrong else super().query()

    class SlowAndWrong(Slow):
        wrong: ClassVar = True

    for subject, said in ((Slow, "conforms"), (SlowAndWrong, "violated")):
        for begun in tmp_path.iterdir():
            begun.unlink()
        found = judge(subject_of(subject, "slow"), [domain("sum")], seed=0, effort=20_000, timeout=1)
        assert found.verdict.outcome == said, found.verdict.sentence


@pytest.mark.parametrize("monoid", ["sum", "concatenation", "float-sum", "max-count"])
@pytest.mark.drawn(2)
def test_an_answer_that_is_equal_to_everything_is_wrong(monoid: str) -> None:
    subject = Subject("any", lambda m: _Posing(m, lambda _: ANY))
    assert judge(subject, domains_of(subject, (monoid,)), seed=0).verdict.outcome == "violated"


@pytest.mark.parametrize("monoid", ["sum", "float-sum"])
def test_true_is_no_number_but_a_number_of_another_type_is(monoid: str) -> None:
    for pose, outcome in ((lambda x: x == 1 or x, "violated"), (Fraction, "conforms")):
        subject = Subject("posing", lambda m, pose=pose: _Posing(m, pose))
        assert judge(subject, domains_of(subject, (monoid,)), seed=0, effort=20_000).verdict.outcome == outcome


def test_a_change_in_a_long_trace_is_told_at_the_operation_that_made_it() -> None:
    class Late(TwoStacks[list[int]]):
        count = 0

        def insert(self, v: list[int]) -> None:
            super().insert(list(v))
            self.count += 1
            if self.count == 91:
                v.append(0)

    collect = domain("mutable-collect")
    steps = parse("300 * insert 1, query")
    clock = Clock()
    failure = run(Subject("late", Late), collect, steps, clock, Tried())
    assert failure is not None
    assert (failure.kind, failure.at) == ("changed", 90)


class Knowing:
    """A window that calls no combine, and knows the answers if all elements or entries are the same."""

    def __init__(self) -> None:
        self.size = 0

    def insert(self, *_: object) -> None:
        self.size += 1

    def evict(self, *_: object) -> None:
        self.size -= 1

    def query(self) -> tuple[int, int]:
        power = pow(2, self.size, PRIME)
        return power, power - 1


def calls_per_operation(window: str, steps: Sequence[Step]) -> float:
    """Return the combine calls of the reference alone, over equal affine maps."""
    plain = domain("affine")
    counting = Counting(plain.operation)
    operation = replace(plain.operation, combine=counting.combine)
    counted = replace(plain, operation=operation, rule=type(plain.rule)(operation))
    clock = Clock()
    assert run(Subject("knowing", lambda _: Knowing(), window=window), counted, steps, clock, Tried()) is None
    return counting.calls / len(steps)


def test_the_reference_is_run_and_not_a_recomputation() -> None:
    """Combine calls per operation do not grow with the window: amortised, at most three in order."""
    text = '10000 * insert {"tuple": [2, 1]}, 5000 * evict, 100 * query, 5000 * evict, query'
    assert calls_per_operation("fifo", parse(text)) <= 3
    costs: list[float] = []
    for size in (500, 10_000):
        steps = [insert_at(at ^ 1, (2, 1)) for at in range(size)]
        for at in range(size):
            steps += [*parse(f"evict {at}, query", "out-of-order"), insert_at((size + at) ^ 1, (2, 1))]
        costs.append(calls_per_operation("out-of-order", steps))
    assert costs[1] < 1.1 * costs[0]


def test_the_timer_of_someone_else_goes_on() -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)
    old = signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        subject = load_subject("swagproof.reference.in_order.two_stacks:TwoStacks")
        judge(subject, domains_of(subject, ("sum",)), seed=0, effort=2_000)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
    finally:
        signal.setitimer(signal.ITIMER_REAL, *old)
    assert (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)) == before


def test_judging_off_the_main_thread() -> None:
    subject = load_subject("swagproof.reference.in_order.two_stacks:TwoStacks")
    with ThreadPoolExecutor(1) as pool:
        report = pool.submit(judge, subject, domains_of(subject, ["sum"]), effort=20_000).result()
    assert report.verdict.outcome == "conforms"


def test_what_ends_minimising_early_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of work is the same each time, and is named even if the clock has run out, too."""
    subject = load_subject(f"{SUBJECTS}/wrong.py:OperandSwap")
    long = [*parse('40 * insert "a", insert "b", query')]
    over, clock = domain("concatenation"), Clock()
    failure = run(subject, over, long, clock, Tried())
    assert failure is not None
    in_haste = Clock()
    in_haste.allow(0)
    late = Minimiser(subject, over, long, failure, in_haste)
    assert (late.minimise(), late.steps) == ("after 0 s of clock", long)
    assert Minimiser(subject, over, long, failure, clock).minimise() is None
    right = Minimiser(TWO_STACKS, over, long, failure, clock)
    assert right.minimise() == "run again, it passed"

    monkeypatch.setattr(minimise, "LIMIT", 0)
    monkeypatch.setattr(minimise, "MOST", len(long))
    one = lambda: [Phase("one", 1, iter([Attempt(over, "one", long)]))]  # noqa: E731  # short
    judgement = judge(subject, [over], plan=one)
    witness = judgement.to_json()["witness"]
    assert (witness["minimal"], witness["unfinished"]) == (False, "after 84 operations")
    assert "; may not be minimal: after 84 operations\n" in text.render(judgement.report())


class HangsWhenItEvictsFromSeven(ListWindow):
    def evict(self) -> None:
        while len(self.values) == 7:
            pass
        super().evict()


@pytest.mark.drawn(0)
def test_a_hang_is_minimised_in_few_tries() -> None:
    subject = Subject("hangs", HangsWhenItEvictsFromSeven)
    long = parse('3 * insert "a", evict, query, 5 * insert "b", evict, insert "c", query, 3 * insert "d", 4 * evict')
    attempt = Attempt(domain("concatenation"), "one", long)
    one = lambda: [Phase("one", 1, iter([attempt]))]  # noqa: E731  # short
    witness = judge(subject, [attempt.domain], timeout=4.0, plan=one).verdict.witness
    assert witness is not None
    assert witness.diagnosis == "hung"
    assert witness.minimal
    assert [step.name for step in witness.trace.steps] == [*["insert"] * 7, "evict"]
