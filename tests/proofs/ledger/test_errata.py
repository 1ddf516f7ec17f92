"""Errata: each says where and what, and the ledger, which settles each, tells a wrong one."""

from dataclasses import astuple

import pytest

from swagproof.proofs.errata import ERRATA
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.errata.tangwongsan_2021 import sliding_averages
from swagproof.proofs.ledger.claim import IN_ORDER, exit_code, settle
from swagproof.reference.catalogue import DABA, DABA_LITE, Column


def test_an_erratum_says_where_and_what() -> None:
    for erratum in ERRATA:
        assert erratum.place, erratum.id
        assert erratum.printed.endswith("."), erratum.id
        assert erratum.holds.endswith("."), erratum.id
        assert erratum.printed != erratum.holds, erratum.id


@pytest.mark.parametrize(("printed", "corrected"), [([], []), (["1 is 1"], ["1 is 1"])])
def test_an_erratum_whose_printed_form_stands_or_whose_correction_falls_fails(
    printed: list[str], corrected: list[str]
) -> None:
    erratum = Erratum(
        paper=IN_ORDER,
        id="X-1",
        place="nowhere",
        printed="1 is 2.",
        holds="1 is 3.",
        searches=(lambda: printed, lambda: corrected),
    )
    row = settle(erratum.claim())
    assert row.verdict != "holds"
    assert exit_code([row]) == 1


SLIDING: dict[Column, dict[int, tuple[float, float]]] = {
    DABA: {2: (4, 0), 3: (1, 3), 4: (2.5, 1.5), 6: (3, 1), 7: (2, 2)},
    DABA_LITE: {2: (3, 0), 3: (1, 2), 4: (2, 1)},
}
"""Window -> averages of insert and evict."""


@pytest.mark.parametrize("column", SLIDING, ids=lambda column: column.name)
def test_who_pays_for_the_shrinks_depends_on_the_window(column: Column) -> None:
    """DABA-2: only the sum of the two is what the theorems' averages say."""
    assert {size: astuple(sliding_averages(column, size)) for size in SLIDING[column]} == SLIDING[column]
    assert {sum(averages) for averages in SLIDING[column].values()} == {4 if column is DABA else 3}
