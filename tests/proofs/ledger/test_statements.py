"""Every numbered statement has a claim, or a reason for having none; claims state how they compare with it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.ledger.claim import COMPARED, GENERAL, IN_ORDER, OURS, PAPERS, STREAM_WINDOWS, Source, cite
from swagproof.proofs.ledger.statements import NUMBERED, WITHOUT_ROW, find_rows

ROOT = Path(__file__).resolve().parents[3]


def test_every_numbered_statement_has_a_row_or_a_reason_and_not_both() -> None:
    rows = find_rows(CLAIMS)
    assert set(NUMBERED) == set(PAPERS)
    assert [statement for statement, ids in rows.items() if bool(ids) == (statement in WITHOUT_ROW)] == []
    assert set(WITHOUT_ROW) <= set(rows)


def test_a_number_in_another_name_is_no_statement() -> None:
    (one,) = (claim for claim in CLAIMS if claim.id == "cutty/discretisation")
    about = replace(one, source=cite(STREAM_WINDOWS, "Definition 1", place="erratum CUTTY-2; not Definition 2"))
    assert [said for (_, said), ids in find_rows([about]).items() if ids] == ["Definition 1"]


def test_a_statement_that_the_paper_does_not_number_is_refused() -> None:
    with pytest.raises(KeyError, match=r"Theorem 3\.3"):
        find_rows([replace(CLAIMS[0], source=cite(IN_ORDER, "Theorem 3.3"))])


def test_an_erratum_is_no_row() -> None:
    erratum = replace(CLAIMS[0], kind="refuted-as-printed", source=cite(IN_ORDER, "Lemma 1"))
    assert not any(find_rows([erratum]).values())


def test_how_a_source_is_written() -> None:
    both = cite(GENERAL, "Table 1", "Table 2", compared="a part: one law") & cite(IN_ORDER, place="section 2.2")
    assert str(both) == "General SWAG (2015), Table 1, Table 2; In-Order SWAG (2021), section 2.2"
    assert (both.paper, both.comparison) == (GENERAL, "a part: one law")
    assert str(cite(OURS)) == OURS


@pytest.mark.parametrize("each", CLAIMS, ids=lambda each: each.id)
def test_a_row_about_a_numbered_statement_says_how_they_compare(each: object) -> None:
    source: Source = each.source  # type: ignore[attr-defined]  # parametrised
    for one in source:
        assert one.paper in (*PAPERS, OURS)
        assert bool(one.compared) or not one.statements
        assert not one.compared or all(part.startswith(COMPARED) for part in one.compared.split("; ")[:1])


def test_the_tests_that_stand_for_rows_are_there() -> None:
    named = {match for reason in WITHOUT_ROW.values() for match in re.findall(r"(tests/\S+\.py), (test_\w+)", reason)}
    assert named
    for path, test in named:
        assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")
