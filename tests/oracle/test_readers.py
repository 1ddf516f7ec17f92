"""Readers at the same time: those that get in one another's way are found, shown by few operations, and replayed."""

import json
import shlex

import pytest
from click.testing import CliRunner
from support.places import TESTS

from swagproof.oracle.commands.conform import conform
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
    again = CliRunner().invoke(conform, shlex.split(told["replay"])[2:])
    assert again.exit_code == 1, again.output


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
