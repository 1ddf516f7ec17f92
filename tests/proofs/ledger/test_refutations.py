"""Hints for the refutation of mutants save time, and do not affect verdicts."""

import pytest

from swagproof.proofs.claims import BY_ID
from swagproof.proofs.engine.paths import Exploration, current_path, explore
from swagproof.proofs.engine.settings import Refutation, using
from swagproof.proofs.explorer.walk import first_violation, follow
from swagproof.proofs.ledger.claim import reject
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.ledger.refutations import find_hint, read_hints
from swagproof.proofs.trees.shapes import Bound, TreeStates
from swagproof.reference.catalogue import FIBA

PROVED = "daba/invariants"
EXPLORED = "stream/explored"


def test_every_hint_is_of_a_mutant_of_a_row() -> None:
    assert [
        (row, name)
        for row, found in read_hints().items()
        for name in found
        if row not in BY_ID or name not in {control.name for control in BY_ID[row].controls}
    ] == []


@pytest.mark.parametrize("row", [PROVED, EXPLORED])
def test_along_its_hint_a_mutant_is_refuted_as_without(row: str) -> None:
    claim = BY_ID[row]
    hinted = [control for control in claim.controls if control.name in read_hints()[row]]
    for control in hinted[:3]:
        hint = find_hint(row, control.name)
        assert hint is not None
        along, anew = reject(claim, control, hint), reject(claim, control)
        assert along.refutation == hint
        assert along.verdict == anew.verdict == "fails"
        first, every = (each.detail.partition("; from")[0].split(", ") for each in (along, anew))
        assert first == every[: len(first)]  # it is followed until the mutant is refuted, and no further


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        (PROVED, Refutation("insert", (0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1))),
        (PROVED, Refutation("no such run", ())),
        (EXPLORED, Refutation("0", (7, 7, 7))),
        (EXPLORED, Refutation("99", (0,))),
    ],
)
def test_a_hint_that_leads_nowhere_changes_no_verdict(row: str, hint: Refutation) -> None:
    claim = BY_ID[row]
    assert reject(claim, claim.controls[0], hint).verdict == "fails"


def test_no_hint_refutes_what_is_right() -> None:
    claim = BY_ID[PROVED]
    right = wrong("no mistake", ("insert", "self.deque.push_back", "self.deque.push_back"))
    for control in claim.controls:
        assert isinstance(control, Mutant)
        assert claim.reject is not None
        with using(hint=find_hint(PROVED, control.name)):
            assert claim.reject(right).verdict != "fails"
    reference = TreeStates(FIBA, Bound(2, 4))
    assert all(follow(reference, (0, *[choice] * steps)) is None for choice in range(4) for steps in range(4))
    with using(hint=Refutation("0", (0, 0, 0))):
        assert first_violation(reference) is None


def test_one_path_alone_proves_nothing() -> None:
    def run(path: object) -> None:
        here = current_path()
        assert here is not None
        here.show("something", here.fresh("x") * 0 == 0)

    assert not explore(run).failures
    with using(way=()):
        found = explore(run)
    assert isinstance(found, Exploration)
    assert [failure.obligation for failure in found.failures] == ["every path is explored"]
    assert found.failures[0].unknown
