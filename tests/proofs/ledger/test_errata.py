"""Entries about the papers' texts: their fields, quotations and searches."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.commands.errata import errata
from swagproof.proofs.errata import ENTRIES, SEARCHES, count_lists, find
from swagproof.proofs.errata.erratum import HEADINGS, Entry, Search, Searches, Verdict, no_more, read_entries
from swagproof.proofs.errata.tangwongsan_2021 import sliding_averages
from swagproof.proofs.ledger.claim import IN_ORDER, PAPERS, ClaimResult, check_claim, exit_code
from swagproof.reference.catalogue import DABA, DABA_LITE, Column

FOLDER = "SWAGPROOF_PAPERS"
"""The environment variable that names a folder with the papers' texts, `*.txt`, which are not part of the project."""

LEAST, MOST = 10, 150
"""The bounds of a quotation's length: a shorter text occurs anywhere, and a longer one exceeds the words at fault."""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_says_where_and_what(entry: Entry) -> None:
    assert entry.place
    assert all(said.endswith((".", "?")) for said in entry.words.values())
    assert len(set(entry.words.values())) == len(entry.words)
    assert all(" ".join(quote.split()) == quote and LEAST <= len(quote) <= MOST for quote in entry.quotes)
    if entry.verdict == "refuted":
        assert entry.quotes
        assert entry.searches
        assert entry.searches.printed
        assert bool(entry.forms) != bool(entry.unplayed)
    if entry.searches:
        assert entry.searches.wrong
        assert entry.searches.holds is not no_more
        assert (entry.searches.printed is not None) == (entry.verdict == "refuted")


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.searches], ids=lambda entry: entry.id)
@pytest.mark.drawn(12)
def test_a_search_finds_its_trace(entry: Entry) -> None:
    assert entry.trace()


def test_each_search_is_of_an_entry() -> None:
    assert set(SEARCHES) <= {entry.id for entry in ENTRIES if entry.searches}


def test_a_mutant_that_is_another_reading_is_rejected_by_a_claim() -> None:
    controls = {control.name for claim in CLAIMS for control in claim.controls}
    assert {name for entry in ENTRIES for name in entry.mutants} <= controls


def test_only_what_is_refuted_as_printed_is_told_so() -> None:
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)
    told = {claim.id for claim in CLAIMS if claim.kind == "refuted-as-printed"}
    assert told == {entry.id for entry in ENTRIES if entry.verdict == "refuted"}
    assert {claim.id for claim in CLAIMS if claim.kind == "reading"} <= {entry.id for entry in ENTRIES} - told
    assert sum(count_lists(ENTRIES).values()) == len(ENTRIES)


# Quotations


@cache
def texts() -> Mapping[str, str]:
    """The text of each paper as supplied, with white space as one blank."""
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


def entry(verdict: Verdict, searches: Searches | None) -> Entry:
    words = dict(zip(HEADINGS[verdict], ("1 is 2.", "1 is 3.", "1 is 4."), strict=False))
    return Entry(
        paper=IN_ORDER,
        id="X-1",
        place="nowhere",
        verdict=verdict,
        quotes=("one is two",),
        words=words,
        searches=searches,
    )


def checked(verdict: Verdict, holds: list[str], printed: list[str] | None = None, **wrong: list[str]) -> ClaimResult:
    searches = Searches(
        holds=_search(holds),
        wrong={name: _search(cases) for name, cases in wrong.items()},
        printed=None if printed is None else _search(printed),
    )
    claim = entry(verdict, searches).claim()
    assert claim
    return check_claim(claim)


def _search(cases: list[str]) -> Search:
    return lambda: cases


def test_an_erratum_that_is_shown_holds() -> None:
    row = checked("refuted", MET, REFUTED, other=REFUTED)
    assert (row.verdict, row.detail, len(row.controls)) == ("holds", "1 is 1", 2)


@pytest.mark.parametrize(("printed", "corrected"), [(MET, MET), (REFUTED, REFUTED)])
def test_an_erratum_whose_printed_form_stands_or_whose_correction_falls_fails(
    printed: list[str], corrected: list[str]
) -> None:
    row = checked("refuted", corrected, printed)
    assert row.verdict == "fails"
    assert exit_code([row]) == 1


def test_an_erratum_whose_cases_pass_a_wrong_correction_is_no_pass() -> None:
    row = checked("refuted", MET, REFUTED, other=MET)
    assert row.surviving == ("a wrong correction: other",)
    assert exit_code([row]) == 1


@pytest.mark.parametrize("verdict", ["reading", "damage"])
def test_a_reading_holds_where_it_alone_meets_its_cases(verdict: Verdict) -> None:
    assert checked(verdict, MET, other=REFUTED).claim.kind == "reading"
    assert checked(verdict, MET, other=REFUTED).verdict == "holds"
    assert checked(verdict, REFUTED, other=REFUTED).verdict == "fails"
    assert checked(verdict, MET, other=MET).verdict == "unknown"


@pytest.mark.parametrize(("cases", "trace"), [(REFUTED, "2: 1 is 1"), (MET, None)])
def test_a_trace_of_a_reading_is_a_case_of_each_other_one(cases: list[str], trace: str | None) -> None:
    assert entry("reading", Searches(holds=_search(MET), wrong={"2": _search(cases)})).trace() == trace


def test_what_is_withdrawn_is_no_row() -> None:
    assert entry("withdrawn", None).claim() is None
    assert entry("withdrawn", None).trace() is None


# Tables


def test_a_table_that_cannot_be_read_names_its_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("swagproof.proofs.errata.erratum.files", lambda package: tmp_path)
    entry = 'id = "X-1"\nverdict = "withdrawn"\nplace = "nowhere"\nobjection = "1 is 2."\n'
    head = f'paper = "{IN_ORDER}"\n[[entry]]\n{entry}'
    for more, said in (
        ("", "entry X-1: KeyError\\('reason'\\)"),
        ('reason = "No."\nwhy = 1\n', "X-1: unknown fields why"),
        ('reason = "No."\n[[entry.play]]\nalgorithm = "DABA"\nmutant = "none"\n', "entry X-1: KeyError\\('none'\\)"),
    ):
        (tmp_path / "some.toml").write_text(head + more, encoding="utf-8")
        with pytest.raises(ValueError, match=said):
            list(read_entries("some.toml", {}))


def test_entries_are_found_by_id_and_by_paper() -> None:
    assert [entry.id for entry in find(["daba-2"], [])] == ["DABA-2"]
    assert {entry.id.partition("-")[0] for entry in find(["fiba"], [])} == {"FIBA"}
    assert {entry.paper for entry in find([], ["Out-of-Order"])} == {"Out-of-Order SWAG (2018)"}
    with pytest.raises(KeyError, match="no entry 'DABA-99'"):
        find(["daba-99"], [])
    with pytest.raises(KeyError, match="no paper '1999'"):
        find([], ["1999"])


def test_the_command_shows_some() -> None:
    shown = CliRunner().invoke(errata, ["DABA-1", "--paper", "2021"])
    assert shown.exit_code == 0
    assert "DABA-1  refuted as printed: section 5, singleton case" in shown.output
    assert "DABA-2" not in shown.output
    refused = CliRunner().invoke(errata, ["DABA-1", "--paper", "2005"])
    assert refused.exit_code == 2
    assert "leave out --paper" in refused.output


SLIDING: dict[Column, dict[int, tuple[float, float]]] = {
    DABA: {2: (4, 0), 3: (1, 3), 4: (2.5, 1.5), 6: (3, 1), 7: (2, 2)},
    DABA_LITE: {2: (3, 0), 3: (1, 2), 4: (2, 1)},
}
"""Window -> averages of insert and evict."""


@pytest.mark.parametrize("column", SLIDING, ids=lambda column: column.name)
def test_who_pays_for_the_shrinks_depends_on_the_window(column: Column) -> None:
    """Check DABA-2: only the sum of the two agrees with the theorems' averages."""
    assert {size: sliding_averages(column, size) for size in SLIDING[column]} == SLIDING[column]
    assert {sum(averages) for averages in SLIDING[column].values()} == {4 if column is DABA else 3}
