"""Nothing that a paper numbers is without a row of the ledger."""

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.ledger.statements import find_rows, is_named


@pytest.mark.parametrize(
    ("source", "said", "named"),
    [
        ("In-Order SWAG (2021), Theorem 3.2, as corrected", "Theorem 3.2", True),
        ("Theorems 4.1 and 4.2", "Theorem 4.2", True),
        ("Theorem 4.2 (ii), Claim 4.3", "Claim 4.3", True),
        ("Tables 1 and 2", "Table 2", True),
        ("Lemma 12", "Lemma 1", False),
        ("Theorem 14.2", "Theorem 4.2", False),
        ("Theorem 4.21", "Theorem 4.2", False),
        ("section 4.2; Theorem 3.1", "Theorem 4.2", False),
    ],
)
def test_how_a_source_is_read(source: str, said: str, named: bool) -> None:
    assert is_named(said, source) == named


def test_every_numbered_statement_has_a_row() -> None:
    assert [statement for statement, ids in find_rows(CLAIMS).items() if not ids] == []
