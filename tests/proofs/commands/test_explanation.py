"""Explained proofs: each path once, with a picture, and the refutation of each mutant with the failing state."""

import json
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner
from ledger import read_counts

from swagproof.proofs.claims import BY_ID
from swagproof.proofs.commands.prove import prove
from swagproof.proofs.engine.paths import explore
from swagproof.proofs.engine.settings import using
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.whole.zipper_runs import explore_operation


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(prove, arguments)
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """The text and the JSON of DABA's invariants, from a process that has explored nothing before."""
    file = tmp_path_factory.mktemp("told") / "rows.json"
    command = [sys.executable, "-m", "swagproof", "prove", "daba/invariants", "--explain", "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (row,) = json.loads(file.read_text(encoding="utf-8"))
    return done.stdout, row


@pytest.fixture
def text(told: tuple[str, Any]) -> str:
    """Return the printed text."""
    return told[0]


@pytest.fixture
def row(told: tuple[str, Any]) -> Any:
    """Return the claim as JSON."""
    return told[1]


def test_every_path_is_a_case_and_telling_changes_no_count(row: Any) -> None:
    pinned = read_counts()["daba/invariants"]
    assert len(row["cases"][""]) == row["statistics"]["paths"] == pinned["paths"]
    assert row["statistics"]["obligations"] == pinned["obligations"]
    runs = Counter(case["run"] for case in row["cases"][""])
    assert runs == {"start": 1, "insert": 9, "evict": 5, "evict when empty": 1, "query": 3}


def test_the_cases_are_the_paper_s_singleton_flip_shift_and_shrink(row: Any) -> None:
    """Check that each path through fixup starts in another state: L and R together is a shift, L at B a flip."""
    inserts = [case for case in row["cases"][""] if case["run"] == "insert"]
    ways = Counter(tuple(answer for method, _, _, answer in case["answers"] if method == "fixup") for case in inserts)
    assert set(ways) == {(True,), (False, True, False), (False, False, True), (False, False, False)}
    drawn = {case["state"] for case in inserts}
    assert len(drawn) == 9
    assert "window       a   b   c\ndeque        F   L   R   ABE\n" in "".join(drawn)


def test_a_clause_is_told_in_its_own_words(text: str) -> None:
    assert "F <= L <= R <= A <= B <= E" in text
    assert "insert invokes combine at most four times" in text


def test_a_mutant_is_told_by_its_line_and_the_smallest_state_it_breaks_in(text: str) -> None:
    found = text[text.index("wrong: singleton does not reset R") :]
    assert "self.B, self.A, self.R, self.L = self.E, self.E, self.E, self.E ->" in found
    assert "fails: fixup: singleton, in\n    window       empty\n" in found


def test_the_printed_line_62_is_refuted_with_the_tree_drawn() -> None:
    claim = BY_ID["fiba/proved-evict"]
    assert claim.reject is not None
    printed = next(each for each in claim.controls if "l.62 as printed" in each.name)
    assert isinstance(printed, Mutant)
    with using(cases=True):
        outcome = claim.reject(printed)
    assert outcome.verdict == "fails"
    assert outcome.exploration is not None
    failures = [failure for case in outcome.exploration.recording.cases for failure in case.failures]
    drawn = next(failure.drawn for failure in failures if outcome.detail.startswith(failure.obligation))
    assert re.search(r"^the root, .* which is not right$", drawn, re.M)


def test_a_tree_that_is_drawn_has_the_entries_that_its_height_asks_for() -> None:
    with using(cases=True):
        cases = explore_operation("repair").recording.cases
    for case in cases:
        (mu,) = map(int, re.findall(r"mu = (\d+)", case.drawn))
        nodes = re.findall(r"height (\d+): arity (\d+), entries \[(\d+), (\d+)\)", case.drawn)
        assert nodes
        for height, arity, lo, hi in (map(int, node) for node in nodes):
            assert arity * mu**height <= hi - lo + 1 <= arity * (2 * mu) ** height, case.drawn


def test_a_path_that_fails_is_told_with_its_state() -> None:
    def at_most_one(path: Any) -> None:
        x = path.fresh("x")
        path.assume(x >= 0)
        path.show("x is at most 1", x <= 1)

    with using(cases=True):
        (case,) = explore(at_most_one).recording.cases
    (failure,) = case.failures
    assert failure.drawn == f"x = {failure.drawn.removeprefix('x = ')}"
    assert int(failure.drawn.removeprefix("x = ")) > 1
    assert explore(at_most_one).recording.cases == []


def test_the_identity_is_drawn_as_the_product_of_nothing() -> None:
    """Check also that it is drawn before all elements, or behind them."""
    code, text = run("subtract-on-evict/calls", "--explain")
    assert code == 0
    assert text.count('agg          ""') > 4
    assert "product of elements" not in text


@pytest.mark.parametrize("name", ["table-1/answers", "table-2/not-commutative"])
def test_what_is_no_proof_along_paths_says_so(name: str) -> None:
    _, text = run(name, "--explain")
    assert "no part of this is shown along symbolic paths" in text


def test_rows_are_named() -> None:
    code, text = run("--explain")
    assert code == 2
    assert "requires NAMES" in text
