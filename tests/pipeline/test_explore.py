"""Exploration in shards: the merged result equals that of one process."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from support.command import assert_refused

from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.explore import explore as command
from swagproof.pipeline.exploration import algorithm_named, explore, spread_over
from swagproof.proofs.explorer.walk import walk
from swagproof.proofs.in_order.daba import SHRINK_SWAPPED
from swagproof.proofs.in_order.pointer_states import PointerStates

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("shards", [1, 3])
def test_shards_explore_what_one_process_explores(shards: int) -> None:
    whole = walk(PointerStates("DABA", 12))
    assert explore(PointerStates("DABA", 12), shards=shards).counts == whole


def test_spark_explores_what_one_process_explores(spark: "SparkSession", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swagproof.pipeline.exploration.LEAST", 40)  # so that there are shards
    explored = explore(PointerStates("DABA Lite", 14), spread_over(spark), 4)
    assert explored.counts == walk(PointerStates("DABA Lite", 14))
    assert explored.report().exit_code == 0


def test_a_mutant_is_rejected_on_spark_as_in_one_process(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swagproof.pipeline.exploration.LEAST", 1)
    space = PointerStates("DABA", 8, SHRINK_SWAPPED)
    found, whole = explore(space, spread_over(spark), 2), explore(space)
    assert whole.violation is not None
    assert str(found.violation) == str(whole.violation)
    assert (found.report().exit_code, found.report().data["outcome"]) == (1, "violated")


def test_names_of_algorithms() -> None:
    assert algorithm_named("two-stacks-lite") == "Two-Stacks Lite"
    with pytest.raises(InputError, match="not an algorithm that explore knows; give one of Two-Stacks"):
        algorithm_named("fiba")


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_the_command() -> None:
    explored = run("daba", "--limit", 10)
    assert explored.exit_code == 0
    states, transitions = walk(PointerStates("DABA", 10))
    assert f"all {states} states and {transitions} transitions" in explored.stdout
    assert json.loads(run("daba", "--limit", 10, "--json", "-").stdout)["states"] == states
    assert_refused(run("fiba"), "not an algorithm that explore knows")
