"""Every clause of every contract is needed: if it is replaced by "true", the claim that needs it notices."""

import os
import secrets
from collections.abc import Iterator
from random import Random

import pytest
from support.clauses import (
    LIVE,
    Need,
    list_clauses,
    list_contracts,
    loops_of,
    name_clauses,
    read_needs,
    replaced_by_true,
    try_without,
)

from swagproof.contracts.clause import Ranging
from swagproof.contracts.in_order import daba
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.explorer.workers import Worker
from swagproof.proofs.kills import SUSPECTS

NEEDS = read_needs()


@pytest.fixture(scope="module")
def usual() -> Iterator[Worker]:
    """A separate process, in which clauses are replaced."""
    with Worker(full=False) as pool:
        yield pool


@pytest.fixture(scope="module")
def full() -> Iterator[Worker]:
    """The same kind of process under contracts of linear time."""
    with Worker(full=True) as pool:
        yield pool


LONG = (
    "reactive-aggregator",
    "fiba/proved-",
    "ordered-sharing/proved",
    "fiba-bulk",
    "fiba/explored",
    "b-tree/explored",
)
"""Claims that take seconds without a clause, because they explore everything if nothing is rejected."""
DRAWN = 6
"""The number of clauses of these claims that one run tries."""


def is_long(need: Need) -> bool:
    """Return whether checking a need takes long: the claims in `LONG`, and the live check of buffers."""
    return need.row.startswith(LONG) or "CheckedReactiveAggregator" in need.clause


@pytest.mark.parametrize("name", [name for name, need in NEEDS.items() if not is_long(need)])
@pytest.mark.drawn(10)
def test_without_a_clause_its_row_turns_red(usual: Worker, full: Worker, name: str) -> None:
    noticed, said, _ = usual.run(try_without, NEEDS[name])
    if not noticed and NEEDS[name].row.startswith(LIVE):  # it may need a condition of linear time
        noticed, said, _ = full.run(try_without, NEEDS[name])
    assert noticed, said


@pytest.mark.drawn(0)
def test_without_a_clause_a_long_row_turns_red(usual: Worker) -> None:
    """Try a random sample; `CLAUSES_SEED=...` repeats that of another run.

    Clauses that mutants violate in live histories under full contracts are left out: `prove` and the tests of the
    Reactive Aggregator check these mutants.
    """
    seed = os.environ.get("CLAUSES_SEED") or str(secrets.randbelow(10**6))
    names = [name for name, need in NEEDS.items() if is_long(need) and not need.row.startswith(LIVE)]
    for name in Random(seed).sample(names, DRAWN):
        noticed, said, _ = usual.run(try_without, NEEDS[name])
        assert noticed, f"CLAUSES_SEED={seed}: {name}: {said}"


def test_every_clause_has_a_row_that_needs_it(usual: Worker) -> None:
    """Conditions that take linear time are left out here: other claims cover the answers."""
    assert usual.run(name_clauses) == sorted(NEEDS)


def test_nothing_that_is_used_as_a_clause_is_forgotten() -> None:
    listed = set(map(id, list_clauses().values()))
    for contract in list_contracts():
        used = [*getattr(contract, "INVARIANT", ()), *getattr(contract, "NODE", ())]
        used += [clause for loop in loops_of(contract) for clause in loop.clauses]
        used += [value for name, value in vars(contract).items() if name.endswith(("_calls", "_paid", "_bound"))]
        assert [clause.__name__ for clause in used if callable(clause) and id(clause) not in listed] == []


def test_a_need_names_a_control_of_its_row() -> None:
    controls = {(claim.id, control.name) for claim in CLAIMS for control in claim.controls}
    controls |= {(LIVE + each.algorithm, mutant.name) for each in SUSPECTS for mutant in each.mutants}
    rows = {claim.id for claim in CLAIMS}
    for need in NEEDS.values():
        assert (need.row, need.mutant) in controls if need.mutant else need.row in rows, need


def test_whoever_holds_a_clause_sees_that_it_is_replaced() -> None:
    state = object()
    with replaced_by_true(daba.sizes), replaced_by_true(daba.values):
        assert all(clause(state) for clause in daba.INVARIANT if clause.__name__ in ("sizes", "values"))
    assert isinstance(daba.values, Ranging)
    with pytest.raises(AttributeError):
        daba.sizes(state)
