"""Panes, pairs and slices in general: machines, mutants and claims, worked examples, error cases, and costs."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from support.machines.columns import pytest_generate_mutants
from support.machines.sliced_machines import SlicedMachine
from support.machines.streams import StreamAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.contracts.slicing import slices as contract
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, MAX
from swagproof.models.sliced import SlicedWindows
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.costs.curves import series
from swagproof.proofs.engine.paths import explore
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.slicing import arithmetic as proofs
from swagproof.proofs.slicing import comparison as slicing_cost
from swagproof.proofs.slicing.queries import exploration
from swagproof.proofs.slicing.slice_runs import RUNS
from swagproof.proofs.slicing.slices import edges_seen
from swagproof.reference.catalogue import PAIRS, PANES, STARTS
from swagproof.reference.slicing import pairs, panes
from swagproof.reference.slicing import slices as slicing
from swagproof.reference.slicing.pairs import CheckedPairs, Pairs, p1, p2, shared_slices
from swagproof.reference.slicing.panes import CheckedPanes, Panes, pane
from swagproof.reference.slicing.slices import Answer, CheckedSliced, Sliced

pytest_generate_tests = pytest_generate_mutants


class TestPanes(StreamAlgorithm):
    algorithm, checked, machine = Panes, CheckedPanes, SlicedMachine


class TestPairs(StreamAlgorithm):
    algorithm, checked, machine = Pairs, CheckedPairs, SlicedMachine


class TestSliced(StreamAlgorithm, AlgorithmClaims):
    algorithm, checked, machine = Sliced, CheckedSliced, SlicedMachine

    @classmethod
    def claims(cls) -> Sequence[str]:
        return [claim.id for claim in CLAIMS if claim.algorithm == "Slicing"]  # of all three


def test_the_papers_example_of_panes() -> None:
    assert pane(9, 6) == 3
    assert pane(10, 3) == 1


def test_figure_4_windows_of_range_10_and_slide_3() -> None:
    """Check s[1, 10] and s[4, 13]: ten panes a window, seven pairs, four slices at starts, like s[4, 6] and s[7, 9]."""
    assert (p2(10, 3), p1(10, 3)) == (1, 2)
    assert edges_seen(PANES, [(10, 3)]) == [0, 1, 2]
    assert edges_seen(PAIRS, [(10, 3)]) == [0, 1]
    assert edges_seen(STARTS, [(10, 3)]) == [0]
    assert (panes.panes_per(10, 1), pairs.pairs_per_window(10, 3), slicing.starts_per_window(10, 3)) == (10, 7, 4)
    sliced = Sliced(CONCATENATION, [(10, 3)])
    for t, letter in enumerate("abcdefghij", start=1):  # s[1, 10] is [1, 11) where a window begins at 1
        sliced.insert(t - 1, letter)
    assert [held.partial for held in sliced.slices] == ["abc", "def", "ghi", "j"]
    assert sliced.advance(10)[-1] == Answer(0, 0, 10, "abcdefghij")


def test_queries_share_slices() -> None:
    queries = [(4, 2), (3, 3)]
    assert shared_slices(queries) == [2, 1, 1, 2]
    shared = Pairs(CONCATENATION, queries)
    answers = [answer for t in range(13) for answer in shared.insert(t, chr(ord("a") + t)) if answer.begin >= 0]
    assert [(a.query, a.begin, a.end, a.value) for a in answers if a.end <= 6] == [
        (1, 0, 3, "abc"),
        (0, 0, 4, "abcd"),
        (0, 2, 6, "cdef"),
        (1, 3, 6, "def"),
    ]


def test_a_long_jump_in_time_costs_nothing() -> None:
    sliced = Pairs(MAX, [(3, 2)])
    sliced.insert(0, 1)
    assert len(sliced.insert(10**12, 2)) == 2
    assert len(sliced.slices) == 1


@pytest.mark.parametrize("made", [Sliced, Panes, Pairs])
def test_the_invariants_of_loops_hold_on_live_streams(made: type[Sliced[Any]]) -> None:
    chance, told = Random(made.__name__), Counter[tuple[str, str]]()

    def tell(method: str, name: str, holds: bool) -> None:
        assert holds, (method, name)
        told[method, name] += 1

    def state_of(method: str, local: dict[str, Any]) -> Any:
        sliced = local["self"]
        return SimpleNamespace(**vars(sliced), edge=sliced.edge, model=model, calls=sliced.monoid.calls)

    watched: Any = type(made.__name__, (made,), watch_invariants(made, contract.LOOPS, state_of, tell))
    for queries in ([(4, 2), (3, 3)], [(2, 5)], [(7, 3), (10, 4), (1, 6)]):
        sliced, model, t = watched(Counting(CONCATENATION), queries), SlicedWindows(CONCATENATION, queries), 0
        for number in range(40):
            t += chance.choice((0, 1, 1, 2, 9))
            sliced.insert(t, LETTERS[number])
            model.insert(t, LETTERS[number])
    for method, name in (("advance", "earlier_windows"), ("assemble", "assembled"), ("release", "complete")):
        assert told[method, name] > 20


AGAIN = """\
    if self.clock is not None:
        range_, slide = self.queries[0]
        k = last_begun(self.clock, slide)
        begin, end = window_begin(k, slide), window_end(k, range_, slide)
        if last_over(self.clock, range_, slide) < k and self.slices and begin <= self.slices[-1].begin:
            answers.append(Answer(0, begin, end, self.assemble(begin)))
    self.clock = t
"""
ADVANCES = {
    "each window that is due is answered, once": ("    self.clock = t\n", AGAIN),
    "release comes last": ("self.release(t)", "self.release(t); self.slices.append(Slice(t, self.monoid.identity))"),
    "release is given the time that it is": ("self.release(t)", "self.clock = t + 0; self.release(t); self.clock = t"),
}


@pytest.mark.parametrize("refuted", ADVANCES)
def test_what_advance_may_not_do_is_refuted(refuted: str) -> None:
    made = wrong(refuted, ("advance", *ADVANCES[refuted])).of(Sliced)
    found = explore(partial(RUNS["advance"], made)).failures
    assert {failure.obligation for failure in found} == {refuted}


def test_an_exploration_that_explores_nothing_is_unknown() -> None:
    assert exploration((PAIRS,), (2, 1), (0, 0)).verdict == "unknown"


def test_a_false_statement_is_refuted_in_numbers() -> None:
    found = proofs.proved({"never": lambda f, n: bool(n.range != 3)})
    assert found.verdict == "fails"
    assert found.detail.startswith("never; from range = 3, ")


def test_a_false_statement_beyond_small_numbers_is_not_proved() -> None:
    assert proofs.proved({"small": lambda f, n: bool(n.range <= 1000)}).verdict == "fails"


def test_division_by_unknowns_is_pythons() -> None:
    def right(f: proofs.Functions, n: proofs.Numbers) -> bool:
        q, r = n.t // n.slide, n.t % n.slide
        return bool(q * n.slide + r == n.t) and bool(0 <= r) and bool(r < n.slide)

    assert proofs.proved({"division": right}).verdict == "holds"


def test_a_mutant_of_a_line_that_is_gone_is_refused() -> None:
    with pytest.raises(ValueError, match="stands 0 times in"):
        wrong("none", ("p2", "no such line", "")).rewrite(pairs)


def test_costs_are_what_the_paper_says() -> None:
    """Check combine calls a record, and partial aggregates held."""
    count, three = slicing_cost.count, [(60, 12), (48, 9), (30, 5)]
    assert (count("pairs", [(10, 3)])[1], count("panes", [(10, 3)])[1]) == (7, 10)
    assert count("pairs", [(60, 60)])[0] < 1
    assert count("pre-aggregation", [(60, 30)]) > count("naive", [(60, 30)])
    assert count("pre-aggregation", [(60, 1)]) < count("pairs", [(60, 1)])
    assert count("Cutty", three) < count("pairs", three)
    assert round(count("Cutty", [(9, 6)])[0], 3) == 1.333


def test_cost_curves() -> None:
    calls = series(slicing_cost.EXPERIMENTS[0].points((1, 7, 64)))
    assert set(calls) == set(slicing_cost.TECHNIQUES)
    assert calls["naive"] == {1: 63, 7: 9, 64: 63 / 64}
