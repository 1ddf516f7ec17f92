"""Several live windows of a class: state that they share is found, shown, and replayed."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.places import TESTS

from swagproof.oracle.commands.conform import conform
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.subject import load_subject

SUBJECTS = TESTS / "subjects" / "hard" / "sharing.py"
WRONG = {
    "OfTheClass": "fifo",
    "OfTheClassOverMax": "fifo",
    "ByDefault": "fifo",
    "OneCache": "fifo",
    "SizeOfTheClass": "fifo",
    "MaskOfTheClass": "fifo",
    "FrontOfTheClass": "fifo",
    "SlotsInTurn": "fifo",
    "TimesOfTheClass": "out-of-order",
    "CrowdOfTheClass": "fifo",
    "ManyOfTheClass": "fifo",
    "SpanOfTheClass": "time",
    "NowOfTheClass": "time",
    "LargestOfTheClass": "shared",
}


def run(name: str, *options: str) -> Result:
    words = [f"{SUBJECTS}:{name}", "--window", WRONG.get(name, "fifo"), "--effort", "200_000", "--seed", "0", *options]
    return CliRunner().invoke(conform, words)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.drawn(1)
def test_what_windows_share_is_found_and_replayed(name: str) -> None:
    found = run(name)
    assert found.exit_code == 1, found.output
    assert "it needs other live instances" in found.stdout
    assert "; minimal" in found.stdout
    (operations,) = re.findall(r"tried +[\d,]+ traces, ([\d,]+)", found.stdout)
    assert int(operations.replace(",", "")) < 20_000
    (replay,) = (line.split(maxsplit=1)[1] for line in found.stdout.splitlines() if line.startswith("  replay"))
    again = CliRunner().invoke(conform, shlex.split(replay)[2:])
    assert again.exit_code == 1
    assert "other live instances" in again.stdout
    alone = CliRunner().invoke(conform, [*shlex.split(replay)[2:], "--alive", "1"])
    assert alone.exit_code in (0, 3), alone.output  # if it ends before a query, nothing is checked


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("name", "operations"), [("FirstOfItsProcess", 4), ("FirstOverEach", 4)])
def test_what_the_first_of_a_process_does_wrong_is_found_and_replayed(name: str, operations: int) -> None:
    found = run(name, "--monoid", "concatenation", "--monoid", "sum", "--seed", "1", "--json", "-")
    assert found.exit_code == 1, found.output
    told = json.loads(found.stdout)
    assert told["witness"]["found_by"].startswith("first in a new process: ")
    assert told["witness"]["minimal"]
    assert len(told["witness"]["operations"]) == operations
    assert CliRunner().invoke(conform, shlex.split(told["replay"])[2:]).exit_code == 1


@pytest.mark.drawn(0)
def test_what_is_left_to_later_windows_is_found_and_said() -> None:
    found = run("ByValuesAlone", "--seed", "2", "--effort", "300_000", "--json", "-")
    assert found.exit_code == 1, found.output
    told = json.loads(found.stdout)
    assert "windows share state, or chance is at work" in told["sentence"]
    assert told["witness"]["diagnosis"] == "shared state"
    assert CliRunner().invoke(conform, shlex.split(told["replay"])[2:]).exit_code == 1


LEFT = [("FreedTwice", "2"), *((name, seed) for name in ("LeftOver", "FirstMonoid") for seed in "123")]
"""Windows that leave state to later ones, and seeds; the first takes a minute."""


@pytest.mark.parametrize(("name", "seed"), LEFT)
@pytest.mark.drawn(0)
def test_what_is_left_over_is_replayed(name: str, seed: str) -> None:
    found = run(name, "--seed", seed, "--json", "-")
    assert found.exit_code == 1, found.output
    again = CliRunner().invoke(conform, shlex.split(json.loads(found.stdout)["replay"])[2:])
    assert again.exit_code == 1, again.output


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.drawn(1)
def test_who_promises_no_more_than_one_window_is_judged_by_one(name: str) -> None:
    found = run(name, "--seed", "1", "--alive", "1")
    assert (found.exit_code, "instances" in found.stdout) == (0, False), found.output


@pytest.mark.parametrize("name", ["Counted", "Arena"])
def test_who_shares_what_may_be_shared_conforms(name: str) -> None:
    found = run(name, "--seed", "1")
    assert (found.exit_code, "other live instances of the class: " in found.stdout) == (0, True), found.output


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("right_time.py:Timed", "time"),
        ("right_shared.py:Kept", "shared"),
        ("right_out_of_order.py:Batched", "out-of-order"),
        ("adapted.py:Recent", "time"),
        ("adapted.py:BatchedRing", "out-of-order"),
        ("adapted.py:Newest", "shared"),
    ],
)
@pytest.mark.drawn(1)
def test_who_shares_nothing_conforms_whatever_its_kind(name: str, window: str) -> None:
    words = [f"{TESTS}/subjects/{name}", "--window", window, "--effort", "20_000", "--seed", "1", "--alive", "4"]
    found = CliRunner().invoke(conform, words)
    assert found.exit_code == 0, found.output


def test_of_who_refuses_a_second_window_it_is_said_that_none_was_tried(tmp_path: Path) -> None:
    file = tmp_path / "alone.py"
    file.write_text("""
class Alone:
    lives = 0
    def __init__(self, monoid):
        if Alone.lives:
            raise RuntimeError("one at a time")
        Alone.lives, self.monoid, self.values = 1, monoid, []
    def __del__(self): Alone.lives = 0
    def insert(self, v): self.values.append(v)
    def evict(self): del self.values[0]
    def query(self):
        answer = self.monoid.identity
        for value in self.values: answer = self.monoid.combine(answer, value)
        return answer
""")
    options = [f"{file}:Alone", "--window", "fifo", "--effort", "40_000"]
    refused = CliRunner().invoke(conform, options)
    assert refused.exit_code == 0
    assert "instances   others not tried: " in refused.stdout
    assert "give --alive 1" in refused.stdout
    alone = CliRunner().invoke(conform, [*options, "--alive", "1"])
    assert (alone.exit_code, "instances" in alone.stdout) == (0, False)
    asked = CliRunner().invoke(conform, [*options, "--alive", "2"])
    assert (asked.exit_code, "give --alive 1" in asked.stderr) == (2, True)


def test_a_window_that_is_wrong_alone_is_not_said_to_share() -> None:
    subject = load_subject(f"{TESTS / 'subjects' / 'wrong.py'}:OperandSwap", alive=2)
    judgement = judge(subject, domains_of(subject), seed=1, effort=30_000)
    witness = judgement.verdict.witness
    assert witness is not None
    assert witness.diagnosis == "operands swapped"
    assert "another instance" not in judgement.verdict.sentence


def test_what_it_costs_is_counted_of_one_window() -> None:
    spec = "swagproof.reference.in_order.daba_lite:DabaLite"
    words = [spec, "--window", "fifo", "--effort", "30_000", "--seed", "1", "--claims", "daba-lite"]
    found = CliRunner().invoke(conform, words)
    assert (found.exit_code, "other live instances of the class: " in found.stdout) == (0, True), found.output
    found = CliRunner().invoke(conform, [*words, "--alive", "2"])
    assert (found.exit_code, found.stderr.startswith("Error: --claims daba-lite: ")) == (2, True), found.output
