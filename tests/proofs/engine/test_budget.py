"""The time budget of a proof: beyond it a theorem is unknown, even if some of it was shown before."""

from collections.abc import Iterator

import pytest

from swagproof.proofs.engine import solver
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.in_order import fifo, two_stacks
from swagproof.proofs.ledger.claim import check_claim


@pytest.fixture
def fresh() -> Iterator[None]:
    """Use no earlier run, and leave none for later tests."""
    fifo.explore_mutant.cache_clear()
    yield
    fifo.explore_mutant.cache_clear()


def branches(path: Path) -> None:
    x = SymbolicInt(path.fresh("x"))
    for bound in range(5):
        path.show("true", z3.Or(x.term < bound, x.term >= bound))
        if x < bound:
            return


def test_statistics_say_what_a_proof_took() -> None:
    found = explore(branches).statistics
    assert found["questions"] > 10
    assert 0 <= found["slowest_question"] <= found["solver_seconds"]
    assert found["z3_rlimit"] > 0
    assert found["z3_max_memory_mb"] > 1


def test_beyond_the_budget_nothing_more_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "BUDGET_SECONDS", 1e-9)
    report = explore(branches)
    (failure,) = report.failures
    assert failure.unknown
    assert "over budget: 1 questions took" in failure.example
    assert report.inquiry.questions == 1


def test_the_code_under_proof_cannot_catch_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(path: Path) -> None:
        try:
            branches(path)
        except Exception:
            path.show("caught", z3.BoolVal(True))

    monkeypatch.setattr(solver, "BUDGET_SECONDS", 1e-9)
    assert "caught" not in explore(run).shown


def test_the_budget_is_for_all_runs_of_a_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    one = explore(branches)
    monkeypatch.setattr(solver, "BUDGET_SECONDS", 1.5 * one.inquiry.seconds)
    both = Exploration()
    both.merge(one)
    assert both.failures == []
    for _ in range(2):
        both.merge(one)
        assert [failure.unknown for failure in both.failures] == [True]  # once


@pytest.mark.usefixtures("fresh")
def test_a_row_beyond_its_budget_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = two_stacks.CLAIMS[0]
    assert claim.check().verdict == "holds"
    fifo.explore_mutant.cache_clear()
    monkeypatch.setattr(solver, "BUDGET_SECONDS", 1e-9)
    row = check_claim(claim)
    assert row.verdict == "unknown"
    assert "over budget" in row.detail
