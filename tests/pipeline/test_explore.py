"""Exploration and campaigns in shards: merged, they are what one process finds."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from support.command import assert_refused

from swagproof.oracle.outcome import Tried
from swagproof.oracle.trace import InputError
from swagproof.pipeline.commands.explore import explore as command
from swagproof.pipeline.explore.shards import (
    Campaign,
    Played,
    algorithm_named,
    cut,
    explore,
    play,
    run_campaign,
    spread_over,
)
from swagproof.proofs.explorer.walk import walk
from swagproof.proofs.in_order.daba import SHRINK_SWAPPED
from swagproof.proofs.in_order.pointer_states import PointerStates

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WRONG = """
from swagproof.models.fifo import FifoWindow
class Window(FifoWindow):
    def query(self):
        return self.product(0, min(9, self.size))  # the tenth element is lost
class Right(FifoWindow):
    pass
"""


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(WRONG, encoding="utf-8")
    return f"{tmp_path / 'mine.py'}:Window"


@pytest.mark.parametrize("shards", [1, 3])
def test_shards_explore_what_one_process_explores(shards: int) -> None:
    whole = walk(PointerStates("DABA", 12))
    assert explore(PointerStates("DABA", 12), shards=shards).counts == whole


def test_spark_explores_what_one_process_explores(spark: "SparkSession", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swagproof.pipeline.explore.shards.LEAST", 40)  # so that there are shards at all
    explored = explore(PointerStates("DABA Lite", 14), spread_over(spark), 4)
    assert explored.counts == walk(PointerStates("DABA Lite", 14))
    assert explored.report().exit_code == 0


def test_a_wrong_variant_is_rejected_on_spark_as_in_one_process(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swagproof.pipeline.explore.shards.LEAST", 1)
    space = PointerStates("DABA", 8, SHRINK_SWAPPED)
    found, whole = explore(space, spread_over(spark), 2), explore(space)
    assert whole.violation is not None
    assert str(found.violation) == str(whole.violation)
    assert (found.report().exit_code, found.report().data["outcome"]) == (1, "violated")


def test_a_campaign_on_spark_finds_what_one_process_finds(spark: "SparkSession", wrong: str) -> None:
    campaign = Campaign(wrong, "fifo", ("sum", "concatenation"), 6)
    whole = play(campaign, range(8))
    played = Played()
    for part in spread_over(spark)(lambda seeds: play(campaign, seeds), cut(range(8), 3)):
        played.add(part)
    assert played == whole
    assert played.failed
    report, failed = run_campaign(campaign, range(8), spread_over(spark), 3)
    assert failed == sorted(whole.failed)
    assert report.verdict.exit_code == 1
    assert report.verdict.witness is not None
    assert sum(step.name == "insert" for step in report.verdict.witness.trace.steps) == 10


def test_a_right_subject_conforms(wrong: str) -> None:
    report, failed = run_campaign(Campaign(wrong.replace("Window", "Right"), "fifo", ("sum",), 4), range(5))
    assert (report.verdict.outcome, failed) == ("conforms", [])
    assert report.coverage.monoids["sum"].traces == 20
    assert sum((tried.queries for tried in report.coverage.monoids.values()), 0) > 0
    assert Tried() != report.coverage.monoids["sum"]


def test_names_of_algorithms() -> None:
    assert algorithm_named("two-stacks-lite") == "Two-Stacks Lite"
    with pytest.raises(InputError, match="not an algorithm that explore knows; give one of Two-Stacks"):
        algorithm_named("fiba")


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_the_command(wrong: str) -> None:
    explored = run("daba", "--limit", 10)
    assert explored.exit_code == 0
    states, transitions = walk(PointerStates("DABA", 10))
    assert f"all {states} states and {transitions} transitions" in explored.stdout
    assert json.loads(run("daba", "--limit", 10, "--json", "-").stdout)["states"] == states
    failed = run("--subject", wrong, "--window", "fifo", "--monoid", "sum", "--seeds", 3, "--json", "-")
    assert failed.exit_code == 1
    data = json.loads(failed.stdout)
    assert data["campaign"]["failed"] == len(data["campaign"]["failures"])
    assert data["campaign"]["failures"][0].keys() == {"operations", "seed", "number", "monoid"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give an ALGORITHM to explore"),
        (("daba", "--subject", "a.py:B"), "give an ALGORITHM to explore"),
        (("fiba",), "not an algorithm that explore knows"),
        (("daba", "--seeds", "5"), "--seeds is an option of a campaign: add --subject"),
        (("--subject", "a.py:B", "--limit", "5"), "--limit is an option of an exploration"),
        (("--subject", "none.py:B"), "add --window"),
        (("--subject", "none.py:B", "--window", "fifo"), "there is no file none.py"),
    ],
)
def test_usage_errors(arguments: tuple[str, ...], said: str) -> None:
    assert_refused(run(*arguments), said)
