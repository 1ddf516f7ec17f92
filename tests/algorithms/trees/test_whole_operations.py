"""Whole operations of the trees: a counterexample names the obligation and draws the state."""

from swagproof.proofs.ledger.mutants import mutants_of
from swagproof.proofs.trees import fiba
from swagproof.proofs.trees.whole.walk_runs import explore_walk
from swagproof.proofs.trees.whole.zipper_runs import explore_operation


def test_line_62_as_printed_is_refuted_with_the_state_drawn() -> None:
    mutant = fiba.WRONG.get("a sibling on the left spine goes unnoticed [l.62 as printed]")
    found = explore_operation("rebalance for evict", mutant, lambda report: bool(report.failures))
    refuted = [failure for failure in found.failures if not failure.unknown]
    assert [failure.obligation for failure in refuted] == ["loop kept: root_left"]
    assert refuted[0].example.startswith("mu = ")
    assert "the root, height" in refuted[0].example


def test_climbs_that_change_sides_are_refuted_with_the_nodes_drawn() -> None:
    found = explore_walk(
        "search", mutants_of("fiba", "walks")["the climbs change sides"], lambda report: bool(report.failures)
    )
    refuted = [failure for failure in found.failures if not failure.unknown]
    assert [failure.obligation for failure in refuted] == ["a walk is where it may be"]
    assert "right spine, height" in refuted[0].example
