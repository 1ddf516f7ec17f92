"""Each transition of the references is walked, followed and reported; what a rare one alone shows, a tour finds."""

import copy
import itertools
import json
import sys
from collections.abc import Hashable, Sequence
from typing import Any

import pytest
from click.testing import CliRunner
from endurance import endure, main
from support.command import conform, verdict
from support.places import TESTS

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain, domain
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import search
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.search.coverage import Coverage, Structure
from swagproof.oracle.search.structure import ASK, Reference, Walks, lines_followed
from swagproof.oracle.search.walks import Walked, fifo_walks, tree_walks
from swagproof.oracle.speed.judging_speed import judgings
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step, largest_window, parse
from swagproof.oracle.verdict import Verdict
from swagproof.oracle.window import FIFO, OUT_OF_ORDER
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.trees.fiba import Fiba
from swagproof.reports.text import render

SUBJECTS = TESTS / "subjects"
TEXT = domain("concatenation")
EARLY = range(3)
"""The levels that take some tenths of a second to walk."""
BOTH = pytest.mark.parametrize("walked", [fifo_walks, tree_walks])


def walk_all(walks: Walks, levels: Sequence[int]) -> None:
    for level in levels:
        for _ in walks.tours(level):
            pass


def of(walks: Walks, name: str) -> tuple[int, Reference]:
    return next((at, each) for at, each in enumerate(walks.references) if each.name == name)


def by_copies(reference: Reference, bound: int) -> tuple[int, int]:
    """States and transitions, found by copying the machine at each of them."""
    start = reference.build()
    seen: dict[Hashable, tuple[Any, int]] = {start.state(): (start, 0)}
    waiting, transitions = [start.state()], 0
    while waiting:
        machine, size = seen[waiting.pop()]
        for move in reference.moves(size, bound):
            transitions += 1
            after = copy.deepcopy(machine)
            after.take(move)
            state = after.state()
            if state not in seen:
                change = {("insert", False): 1, ("evict", True): -1}.get(move[:2], 0)
                seen[state] = after, size + change
                waiting.append(state)
    return len(seen), transitions


@BOTH
def test_a_walk_finds_what_copying_at_every_state_finds(walked: Any) -> None:
    walks = walked().walks
    walk_all(walks, EARLY)
    for number, reference in enumerate(walks.references):
        for level in EARLY[:2]:
            assert walks.extents[level][number] == by_copies(reference, reference.bounds[level])


def test_the_extents_are_those_of_the_explorer() -> None:
    """DABA at 8 and 16, and FiBA at 8: `proofs/` finds as many states of sizes and shapes on its own."""
    walk_all(fifo_walks().walks, EARLY)
    walk_all(tree_walks().walks, EARLY)
    at, _ = of(fifo_walks().walks, "DABA")
    assert [extents[at][0] for extents in fifo_walks().walks.extents[:3]] == [7, 25, 125]
    at, _ = of(fifo_walks().walks, "Two-Stacks")
    assert [extents[at][0] for extents in fifo_walks().walks.extents[:3]] == [14, 44, 152]
    assert [extents[0][0] for extents in tree_walks().walks.extents[:3]] == [7, 16, 35]


@BOTH
def test_states_tell_all_that_matters_and_tours_take_every_transition(walked: Any) -> None:
    """Played again on a new machine, a tour goes through the very states of the graph; together they leave none out."""
    walks = walked().walks
    walk_all(walks, EARLY)
    taken: list[set[int]] = [set() for _ in walks.references]
    for level in EARLY:
        for tour in walks.tours(level):
            for reference, found in zip(walks.references, taken, strict=True):
                machine, at = reference.build(), 0
                states: dict[int, Hashable] = {0: machine.state()}
                for move in tour:
                    if move not in reference.after[at]:
                        break
                    machine.take(move)
                    at, transition = reference.after[at][move]
                    found.add(transition)
                    assert states.setdefault(at, machine.state()) == machine.state()
    for number, found in enumerate(taken):
        assert len([each for each in found if each < walks.extents[2][number][1]]) == walks.extents[2][number][1]


@BOTH
def test_a_trace_along_a_tour_is_the_tour(walked: Any) -> None:
    made: Walked = walked()
    window = FIFO if walked is fifo_walks else OUT_OF_ORDER
    for level in EARLY:
        for tour in itertools.islice(made.walks.tours(level), 3):
            steps = made.spell(tour, itertools.repeat("a").__next__, True)
            assert tuple(made.moves(steps)) == tour
            assert all(window.legally(steps))
            assert largest_window(steps, window) <= made.walks.references[0].bounds[level]


def covered(walked: Walked, traces: Sequence[Sequence[Step]], over: Domain = TEXT) -> Structure:
    structure = Structure(walked, "concatenation")
    for steps in traces:
        structure.passed(over, steps)
    return structure


@BOTH
def test_what_was_not_tried_is_not_covered(walked: Any) -> None:
    made: Walked = walked()
    walk_all(made.walks, EARLY)
    tours = [made.spell(tour, itertools.repeat("a").__next__, False) for at in EARLY for tour in made.walks.tours(at)]
    assert covered(made, []).rows() == []
    assert covered(made, tours, domain("sum")).rows() == []
    assert all(
        (row.states, row.transitions, row.branches) == (row.of_states, row.of_transitions, row.of_branches)
        for row in covered(made, tours).rows()
    )
    text = "insert 1 1, query" if walked is tree_walks else "insert 1, query"
    few = covered(made, [parse(text, "out-of-order" if walked is tree_walks else "fifo")]).rows()
    assert {row.transitions for row in few} == {2}
    partly = {row.reference for row in few if row.branches < row.of_branches}
    assert partly >= ({"FiBA, min-arity 2", "B-tree, min-arity 2"} if walked is tree_walks else {"Two-Stacks", "DABA"})
    without_last = covered(made, [steps[:-2] for steps in tours]).rows()
    assert any(row.transitions < row.of_transitions for row in without_last)


def test_lines_that_followed_one_another() -> None:
    def sign(number: int) -> str:
        if number < 0:
            return "negative"
        return "positive"

    sources = frozenset({__file__})
    first = sign.__code__.co_firstlineno
    tracer = sys.gettrace()
    one, other = (lines_followed(lambda x=x: sign(x), sources) for x in (-1, 1))  # type: ignore[misc]  # bound at once
    assert sys.gettrace() is tracer
    places = [
        {(line - first, max(0, then - first)) for name, line, then in each if "sign" in name} for each in (one, other)
    ]
    assert places == [{(0, 1), (1, 2), (2, 0)}, {(0, 1), (1, 3), (3, 0)}]
    assert lines_followed(lambda: sign(1), frozenset()) == frozenset()


class RareInsert(Daba[Any]):
    """DABA, but for one of the 363 transitions of its windows of up to 16."""

    def insert(self, v: Any) -> None:
        pointers = [pointer - self.F for pointer in (self.L, self.R, self.A, self.B, self.E)]
        super().insert(v)
        if pointers == [1, 4, 7, 12, 12]:
            self.deque[self.F].agg = self.deque[self.F].val


class RareDuplicate(Fiba[Any]):
    """FiBA, but for duplicates of one entry in one shape: the later value is dropped."""

    def insert(self, t: Any, v: Any) -> None:
        if [len(leaf.times) for leaf in self.root.children] == [1, 1, 1, 1] and t == self.root.times[1]:
            return
        super().insert(t, v)


@pytest.mark.parametrize(("wrong", "window"), [(RareInsert, "fifo"), (RareDuplicate, "out-of-order")])
@pytest.mark.drawn(1)
def test_what_one_rare_transition_shows_is_found_by_a_tour_alone(wrong: Any, window: str) -> None:
    """Each other phase is given as many operations as the tours need, or more, but for lives that are one long walk."""
    subject = Subject("rare", wrong, window=window, operations=("insert", "evict", "query"))
    played: dict[str, int] = {}
    found: list[str] = []
    clock = Clock()
    for phase in KINDS[window].phases([TEXT], 0, subject.methods):
        for over, _, steps, _ in phase.attempts:
            if phase.name != "transitions" and (played.get(phase.name, 0) > 10_000 or len(steps) > 60_000):
                break
            played[phase.name] = played.get(phase.name, 0) + len(steps)
            if run(subject, over, steps, clock, Tried()) is not None:
                found.append(phase.name)
                break
        if phase.name == "transitions":
            assert played[phase.name] < 10_000
    assert found[:1] == ["transitions"]
    assert set(found) == {"transitions"}
    report = judge(subject, [TEXT], seed=0)
    assert (report.verdict.outcome, report.verdict.witness and report.verdict.witness.minimal) == ("violated", True)


def test_a_search_reports_what_it_covered() -> None:
    coverage = Coverage()
    clock = Clock()
    assert (
        search(
            Subject("DABA", Daba[Any]),
            [TEXT, domain("sum")],
            seed=0,
            effort=200_000,
            clock=clock,
            coverage=coverage,
        )
        is None
    )
    assert coverage.structure is not None
    rows = {row.reference: row for row in coverage.structure.rows()}
    assert rows["DABA"].transitions == rows["DABA"].of_transitions >= 70
    report = Judgement(Verdict("conforms", "it does"), "DABA", coverage=coverage)
    assert "over concatenation" in render(report.report())
    assert str(rows["DABA Lite"]) in render(report.report())
    (row,) = (each for each in report.to_json()["structure"] if each["reference"] == "Two-Stacks")
    assert (row["bound"], row["states"], row["branches"]) == (rows["Two-Stacks"].bound, row["of_states"], 6)
    assert set(row) == {
        *("reference", "states", "of_states", "transitions", "of_transitions", "branches", "of_branches", "bound")
    }


def test_a_violated_subject_has_its_structure_in_the_json_alone() -> None:
    options = ["--window", "fifo", "--seed", "0"]
    assert verdict(f"{SUBJECTS}/wrong.py:LateGrowth", *options)["structure"][0]["reference"] == "Two-Stacks"
    assert "structure" not in conform(f"{SUBJECTS}/wrong.py:OperandSwap", *options).stdout


def test_a_query_changes_nothing_but_in_the_reactive_aggregator() -> None:
    walk_all(fifo_walks().walks, EARLY)
    for reference in fifo_walks().walks.references:
        still = all(after[ASK][0] == state for state, after in enumerate(reference.after) if ASK in after)
        assert still is reference.still is (reference.name != "Reactive Aggregator, FIFO")


def test_the_bench_judges_and_compares() -> None:
    rows = [row.as_json() for row in judgings([3], least=20)]
    assert {(row["window"], row["subject"]) for row in rows} == {
        *(("fifo", "Two-Stacks"), ("fifo", "DABA"), ("out-of-order", "FiBA"))
    }
    assert all(row["n"] == 3 and row["judged"] > 0 and row["over_bare"] > 0 and row["over_list"] > 0 for row in rows)


@pytest.mark.drawn(0)
def test_endurance_stops_at_the_first_accusation() -> None:
    right, wrong = Subject("right", Daba[Any]), Subject("rare", RareInsert)
    judged = [(entry.subject, report.verdict.outcome) for entry, report in endure(60, 0, subjects=[wrong, right])]
    assert judged == [("rare", "violated")]
    told = list(endure(1.0, 0, 10_000, [right]))
    assert {report.verdict.outcome for _, report in told} == {"conforms"}
    assert told[-1][0].verdicts == len(told) == len({report.seed for _, report in told})


def test_endurance_as_a_command() -> None:
    result = CliRunner().invoke(main, ["--minutes", "0.005", "--effort", "2000", "--seed", "1", "--json", "-"])
    assert (result.exit_code, json.loads(result.stdout)["seed"]) == (0, 1)
    assert CliRunner().invoke(main, ["--minutes", "0"]).exit_code == 2
