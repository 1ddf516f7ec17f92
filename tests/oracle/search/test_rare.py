"""Mistakes in one rare state are found at the usual effort; endurance runs of the judge."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from endurance import endure, main

from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import Subject
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.trees.fiba import Fiba

TEXT = domain("concatenation")


class RareInsert(Daba[Any]):
    """DABA, wrong in one of the 363 transitions of its windows of up to 16."""

    def insert(self, v: Any) -> None:
        pointers = [pointer - self.F for pointer in (self.L, self.R, self.A, self.B, self.E)]
        super().insert(v)
        if pointers == [1, 4, 7, 12, 12]:
            self.deque[self.F].agg = self.deque[self.F].val


class RareDuplicate(Fiba[Any]):
    """FiBA, wrong for duplicates of one entry in one shape: the later value is dropped."""

    def insert(self, t: Any, v: Any) -> None:
        if [len(leaf.times) for leaf in self.root.children] == [1, 1, 1, 1] and t == self.root.times[1]:
            return
        super().insert(t, v)


@pytest.mark.parametrize(("wrong", "window"), [(RareInsert, "fifo"), (RareDuplicate, "out-of-order")])
@pytest.mark.drawn(1)
def test_what_one_rare_transition_shows_is_found(wrong: Any, window: str) -> None:
    report = judge(Subject("rare", wrong, window=window, operations=("insert", "evict", "query")), [TEXT], seed=0)
    assert (report.verdict.outcome, report.verdict.witness and report.verdict.witness.minimal) == ("violated", True)


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
