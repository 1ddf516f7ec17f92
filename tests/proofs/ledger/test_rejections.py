"""Every hand-written mutant is rejected twice: by a claim of the ledger or a test here, and by a contract at run time.

`swagproof prove` checks every claim with its controls, and runs before the tests; its checks are not repeated here.
"""

from pathlib import Path
from typing import Any

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.in_order.fifo import BLIND_EVICT
from swagproof.proofs.kills import SUSPECTS, Suspects
from swagproof.proofs.ledger.mutants import (
    MUTANTS,
    Mutant,
    Mutants,
    class_of,
    controls_of,
    list_named_claims,
    list_sections,
    mutants_of,
    read_mutants,
    wrong,
)
from swagproof.reference.catalogue import COLUMNS, DABA, Column

CONTROLS = {(claim.algorithm, control.name) for claim in CLAIMS for control in claim.controls}
WRONG = [(suspects, mutant) for suspects in SUSPECTS for mutant in suspects.mutants]


REFUSED = (
    "evict does not look whether the window is empty",
    "evict does not look whether the ticket is in the window",
    "a place outside is not refused",
    "update takes a location twice",
)
"""Mutants whose wrong input a precondition of the checked class rejects first."""
UNSTATED = ("update keeps the changes", "the nodes that have changed are kept")
"""No contract bounds the changes that FlatFAT keeps, or FiBA's nodes; `flat-fat/explored`, `fiba-bulk/explored` do."""


def name_of(value: Suspects | Mutant) -> str:
    return value.algorithm if isinstance(value, Suspects) else value.name.replace(" ", "-")


@pytest.mark.parametrize(("suspects", "mutant"), WRONG, ids=name_of)
@pytest.mark.drawn(15)
def test_a_mutant_violates_a_contract(suspects: Suspects, mutant: Mutant) -> None:
    if mutant.name in UNSTATED:
        assert (suspects.algorithm, mutant.name) in CONTROLS
        return
    found = suspects.refuted if mutant.name in REFUSED else suspects.violated_contract
    assert found(mutant)


@pytest.mark.parametrize(
    ("suspects", "mutant"),
    [pair for pair in WRONG if (pair[0].algorithm.partition(":")[0], pair[1].name) not in CONTROLS],
    ids=name_of,
)
@pytest.mark.drawn(20)
def test_what_no_row_rejects_is_refuted(suspects: Suspects, mutant: Mutant) -> None:
    assert suspects.refuted(mutant)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.slug)
def test_a_rewritten_class_is_under_the_conditions_of_the_original(column: Column) -> None:
    def conditions(checked: type) -> list[Any]:
        kinds = ("__preconditions__", "__postconditions__")
        methods = [(name, kind, method) for name, method in vars(checked).items() for kind in kinds]
        return [(name, getattr(method, kind)) for name, kind, method in methods if hasattr(method, kind)]

    assert conditions(class_of(column, Mutant("unchanged", ()), checked=True)) == conditions(column.checked)


def test_mutants_of_an_algorithm_have_names_of_their_own() -> None:
    for suspects in SUSPECTS:
        names = [mutant.name for mutant in suspects.mutants]
        assert len(set(names)) == len(names)


def test_every_algorithm_with_contracts_has_mutants() -> None:
    assert {suspects.mutants.columns[0] for suspects in SUSPECTS} == {*COLUMNS}


def test_registered_are_those_of_the_table_and_those_shared() -> None:
    mutants = Mutants(DABA, table="daba", shared=[BLIND_EVICT])
    assert [*mutants] == [BLIND_EVICT, *mutants_of("daba").values()]
    assert (mutants[0], mutants[:1]) == (BLIND_EVICT, [BLIND_EVICT])
    assert not {mutant.name for mutant in mutants} & mutants_of("daba", "for one claim").keys()
    with pytest.raises(KeyError):
        mutants_of("daba", "for none")


ALGORITHMS = Path(__file__).parents[2] / "algorithms"
"""Tests that read sections of the tables themselves."""


def test_every_section_of_every_table_is_used() -> None:
    sections = {(table.stem, head) for table in MUTANTS.glob("*.txt") for head in list_sections(table.stem)}
    readers = (*MUTANTS.parent.rglob("*.py"), *ALGORITHMS.rglob("*.py"))
    text = "".join(file.read_text() for file in readers)
    unread = {
        (table, head) for table, head in sections if f'"{table}"' not in text or (head and f'"{head}"' not in text)
    }
    assert all(mutant.rejected_by for table, head in unread for mutant in mutants_of(table, head).values())


def test_a_claim_that_a_table_names_has_the_mutant_as_a_control() -> None:
    controls = {claim.id: {control.name for control in claim.controls} for claim in CLAIMS}
    for id in list_named_claims():
        assert {mutant.name for mutant in controls_of(id)} <= controls[id], id


def test_a_table_is_read_to_the_letter() -> None:
    read = read_mutants(r"""
a part (hidden: cost)
    rejected by: some/claim another/one
    Node/put:     a,\s
     ->     b\n    c
    cut: d ->
""")
    edits = ("put", "    a, ", "    b\n    c"), ("cut", "d", "")
    assert read == {"a part": wrong("a part", *edits, hidden="cost", part="Node")}
    assert read["a part"].rejected_by == ("some/claim", "another/one")
    for text in ("a name\n    put: a -> b\n    put a, b", "a name", "a name\n    a: b -> c\na name\n    a: b -> c"):
        with pytest.raises(ValueError, match="no edit, or a line that is none"):
            read_mutants(text)
