"""Readers at the same time: those that get in one another's way are found, shown by few operations, and replayed."""

import json
import shlex
from collections.abc import Sequence

import pytest
from click.testing import CliRunner
from support.places import TESTS

from swagproof.oracle.clock import Clock
from swagproof.oracle.commands.conform import conform
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Failure
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step
from swagproof.oracle.witness import again
from swagproof.oracle.witness.again import rerun
from swagproof.oracle.witness.race import AGAIN

SUBJECTS = TESTS / "subjects" / "hard" / "racing.py"


@pytest.mark.parametrize("name", ["InPlace", "CleanTooSoon", "FlipsInQueries", "SeldomInPlace"])
@pytest.mark.drawn(2)
def test_a_race_is_shown_by_few_operations_and_how_often_it_happens(name: str) -> None:
    found = CliRunner().invoke(conform, [f"{SUBJECTS}:{name}", "--window", "fifo", "--seed", "1", "--json", "-"])
    assert found.exit_code == 1, found.output
    told = json.loads(found.stdout)
    assert told["witness"]["diagnosis"] == "readers race"
    assert "; its readers race: " in told["sentence"]
    assert "none of" not in told["sentence"]
    assert len(told["witness"]["operations"]) <= 13 + AGAIN
    assert not told["witness"]["minimal"]
    replayed = CliRunner().invoke(conform, shlex.split(told["replay"])[2:])
    assert replayed.exit_code == 1, replayed.output


def test_a_trace_so_long_that_readers_race_in_it_each_time_is_a_race_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy machine: the runs of the trace that was found fail, all of them."""
    asked: list[int] = []

    def rerun_with_luck(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> Failure | None:
        asked.append(len(steps))
        return Failure(at=0, kind="wrong") if len(asked) <= again.CERTAIN else rerun(subject, domain, steps, clock)

    monkeypatch.setattr(again, "rerun", rerun_with_luck)
    found = CliRunner().invoke(conform, [f"{SUBJECTS}:InPlace", "--window", "fifo", "--seed", "1", "--json", "-"])
    assert found.exit_code == 1, found.output
    assert json.loads(found.stdout)["witness"]["diagnosis"] == "readers race"
    assert len(asked) > again.CERTAIN


@pytest.mark.parametrize("name", ["Readable", "Locked", "Awaited"])
@pytest.mark.drawn(1)
def test_readers_that_do_not_race_conform(name: str) -> None:
    words = [f"{SUBJECTS}:{name}", "--window", "fifo", "--seed", "1", "--effort", "4_000"]
    found = CliRunner().invoke(conform, words)
    assert found.exit_code == 0, found.output


def test_readers_that_are_awaited_are_tasks_and_race_where_they_await() -> None:
    words = [f"{SUBJECTS}:AwaitedInPlace", "--window", "fifo", "--seed", "1", "--effort", "4_000", "--json", "-"]
    found = CliRunner().invoke(conform, words)
    assert found.exit_code == 1, found.output
    told = json.loads(found.stdout)
    assert "readers at the sam" in told["sentence"]
    assert len(told["witness"]["operations"]) <= 3
