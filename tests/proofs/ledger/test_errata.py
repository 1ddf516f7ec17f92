"""Errata: each says where and what, and the ledger, which settles each, tells a wrong one."""

import pytest

from swagproof.proofs.errata import ERRATA
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.errata.tangwongsan_2021 import Averages, sliding_averages
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


SLIDING: list[tuple[Column, int, Averages]] = [
    (DABA, 2, Averages(4, 0)),
    (DABA, 3, Averages(1, 3)),
    (DABA, 4, Averages(2.5, 1.5)),
    (DABA, 6, Averages(3, 1)),
    (DABA, 7, Averages(2, 2)),
    (DABA_LITE, 2, Averages(3, 0)),
    (DABA_LITE, 3, Averages(1, 2)),
    (DABA_LITE, 4, Averages(2, 1)),
]


@pytest.mark.parametrize(("column", "size", "averages"), SLIDING, ids=lambda value: getattr(value, "name", None))
def test_who_pays_for_the_shrinks_depends_on_the_window(column: Column, size: int, averages: Averages) -> None:
    """DABA-2: only the sum of the two is what the theorems' averages say."""
    assert sliding_averages(column, size) == averages
    assert averages.insert + averages.evict == (4 if column is DABA else 3)
