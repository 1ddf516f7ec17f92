"""Checks by running: language, containers, error cases, touches, long histories; and the mutants of each check.

The checks are in `support.running`, with a table each: `error_cases.txt`, `touch_bounds.ROWS`, `mutants.txt`.
"""

from typing import Final

import pytest
from support.running import error_cases, long_histories, touch_bounds
from support.running.checks import CHECKS, MODULES, read_mutants, reject
from support.running.touch_bounds import Row

from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference import catalogue
from swagproof.reference.catalogue import BASE_INTERVALS, CATALOGUE, Entry

MUTANTS: Final = list(read_mutants())


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.slug)
@pytest.mark.parametrize("check", [check for check in CHECKS if check not in MODULES])
def test_an_algorithm_passes(check: str, entry: Entry) -> None:
    assert CHECKS[check](entry) == ""


@pytest.mark.parametrize("check", MODULES)
def test_all_modules_pass(check: str) -> None:
    assert CHECKS[check](BASE_INTERVALS) == ""


@pytest.mark.parametrize(
    ("check", "entry", "mutant", "module"), MUTANTS, ids=[f"{check}-{mutant.name}" for check, _, mutant, _ in MUTANTS]
)
def test_a_mutant_is_rejected(check: str, entry: Entry, mutant: Mutant, module: str) -> None:
    assert reject(check, entry, mutant, module) != ""


@pytest.mark.parametrize(
    ("row", "mutant"),
    [pytest.param(row, m, id=f"{row.entry.slug}-{m.name}") for row in touch_bounds.ROWS for m in row.mutants()],
)
def test_hidden_work_is_found(row: Row, mutant: Mutant) -> None:
    assert row.check(mutant) != ""


def test_every_algorithm_is_in_every_table() -> None:
    """Except Recalculate-from-scratch, which walks its window."""
    assert {case.entry for case in error_cases.all_cases()} == {*CATALOGUE}
    assert {row.entry for row in touch_bounds.ROWS} == {*CATALOGUE} - {catalogue.RECALCULATE}
    assert {*long_histories.RUNS} == {*CATALOGUE}
