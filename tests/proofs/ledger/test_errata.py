"""What is said of the papers' text: each entry says where and what, and quotes what is there."""

import os
from collections.abc import Mapping
from dataclasses import astuple
from functools import cache
from pathlib import Path

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.errata import ENTRIES, count_lists
from swagproof.proofs.errata.erratum import Damage, Entry, Erratum, Reading, Search, Withdrawn
from swagproof.proofs.errata.tangwongsan_2021 import sliding_averages
from swagproof.proofs.explorer.walk import ENDLESS
from swagproof.proofs.ledger.claim import IN_ORDER, PAPERS, exit_code, settle
from swagproof.reference.catalogue import DABA, DABA_LITE, Column

FOLDER = "SWAGPROOF_PAPERS"
"""The environment's name for a folder with the papers' texts, `*.txt`, which are not part of the project."""

LEAST, MOST = 10, 150
"""Characters of a quotation: what is shorter is found anywhere, and what is longer is more than the words at fault."""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_says_where_and_what(entry: Entry) -> None:
    assert entry.place
    assert all(said.endswith((".", "?")) for said in entry.words.values())
    assert len(set(entry.words.values())) == len(entry.words)
    assert all(" ".join(quote.split()) == quote and LEAST <= len(quote) <= MOST for quote in entry.quotes)
    if isinstance(entry, Reading):
        assert (entry.search is None) == (not entry.others)
    if isinstance(entry, Erratum):
        assert entry.quotes
        assert entry.wrong


def test_only_what_is_refuted_as_printed_is_told_so() -> None:
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)
    told = {claim.id for claim in CLAIMS if claim.kind == "refuted-as-printed"}
    assert told == {entry.id for entry in ENTRIES if isinstance(entry, Erratum)}
    assert {claim.id for claim in CLAIMS if claim.kind == "reading"} <= {entry.id for entry in ENTRIES} - told
    assert sum(count_lists(ENTRIES).values()) == len(ENTRIES)


# Quotations


@cache
def texts() -> Mapping[str, str]:
    """Paper -> its text as supplied, white space as one blank."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        pytest.skip(f"the papers' texts are not part of the project: set {FOLDER} to a folder that has them")
    found = [" ".join(path.read_text(encoding="utf-8").split()) for path in sorted(Path(folder).glob("*.txt"))]
    titles = {paper: title.rpartition(" (")[0].split(") ")[-1] for paper, title in PAPERS.items()}
    return {paper: next(text for text in found if title in text[:1000]) for paper, title in titles.items()}


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.quotes], ids=lambda entry: entry.id)
def test_a_quotation_is_in_the_text(entry: Entry) -> None:
    text = texts()[entry.paper]
    assert [quote for quote in entry.quotes if quote not in text] == []


def test_a_quotation_that_is_not_in_the_text_is_told() -> None:
    assert "Each call to query and insert invokes" in texts()[IN_ORDER]
    assert "Each call to query and insert evokes" not in texts()[IN_ORDER]


# Runs

REFUTED, MET = ["1 is 1"], list[str]()


def erratum(printed: list[str], corrected: list[str], **wrong: list[str]) -> Erratum:
    return Erratum(
        paper=IN_ORDER,
        id="X-1",
        place="nowhere",
        quotes=("one is two",),
        printed="1 is 2.",
        holds="1 is 3.",
        searches=(lambda: printed, lambda: corrected),
        wrong={name: _search(cases) for name, cases in wrong.items()},
    )


def _search(cases: list[str]) -> Search:
    return lambda: cases


def test_an_erratum_that_is_shown_holds() -> None:
    row = settle(erratum(REFUTED, MET, other=REFUTED).claim())
    assert (row.verdict, row.detail, len(row.controls)) == ("holds", "1 is 1", 2)


@pytest.mark.parametrize(("printed", "corrected"), [(MET, MET), (REFUTED, REFUTED)])
def test_an_erratum_whose_printed_form_stands_or_whose_correction_falls_fails(
    printed: list[str], corrected: list[str]
) -> None:
    row = settle(erratum(printed, corrected).claim())
    assert row.verdict == "fails"
    assert exit_code([row]) == 1


def test_an_erratum_whose_cases_pass_a_wrong_correction_is_no_pass() -> None:
    row = settle(erratum(REFUTED, MET, other=MET).claim())
    assert row.surviving == ("a wrong correction: other",)
    assert exit_code([row]) == 1


def test_more_states_than_expected_refute_no_sentence() -> None:
    endless = [f"{ENDLESS}: there are more than 12 after register 1, insert 0, insert 1"]
    assert settle(erratum(endless, MET, other=REFUTED).claim()).verdict == "unknown"
    row = settle(erratum(REFUTED, MET, other=endless).claim())
    assert exit_code([row]) != 0
    assert [verdict for _, verdict, _ in row.controls] == ["fails", "unknown"]


@pytest.mark.parametrize("listed", [Reading, Damage])
def test_a_reading_holds_where_it_alone_meets_its_cases(listed: type[Reading]) -> None:
    def settled(taken: list[str], other: list[str]) -> str:
        entry = listed(
            paper=IN_ORDER,
            id="X-1",
            place="nowhere",
            gap="What 1 is.",
            taken="1.",
            otherwise="It would be 2.",
            search=_search(taken),
            others={"2": _search(other)},
        )
        claim = entry.claim()
        assert claim is not None
        assert claim.kind == "reading"
        assert (entry.trace() is None) == (not other)
        return settle(claim).verdict

    assert settled(MET, REFUTED) == "holds"
    assert settled(REFUTED, REFUTED) == "fails"
    assert settled(MET, MET) == "unknown"


def test_what_is_withdrawn_is_no_row() -> None:
    entry = Withdrawn(paper=IN_ORDER, id="X-1", place="nowhere", accused="1 is 2.", reason="It does not say so.")
    assert entry.claim() is None
    assert entry.trace() is None


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
