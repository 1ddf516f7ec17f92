"""The matrix has a place for every claim about an algorithm, and shows no claim as stronger than it is."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from swagproof.proofs.claims import BY_ID, CLAIMS
from swagproof.proofs.commands.prove import prove, report_on
from swagproof.proofs.ledger.claim import ClaimResult, Verdict
from swagproof.proofs.ledger.matrix import ASPECTS, MAIN_ASPECTS, MARKS, arrange, aspects_of, name_entries, name_key
from swagproof.reference.catalogue import CATALOGUE
from swagproof.reports import text

LEDGER = Path(__file__).resolve().parents[3] / "proofs" / "LEDGER.md"
MATRIX = arrange(CLAIMS)


def test_every_claim_has_an_aspect_and_every_name_of_the_table_a_claim() -> None:
    assert all(aspects_of(claim) for claim in CLAIMS)
    used = {name_key(claim) for claim in CLAIMS if aspects_of(claim) != ("text",)}
    for names in ASPECTS.values():
        assert {name: n for name, n in Counter(names.split()).items() if n > 1 or name not in used} == {}


def test_a_claim_that_the_table_does_not_name_is_refused() -> None:
    with pytest.raises(KeyError, match="daba/new has no aspect"):
        aspects_of(replace(BY_ID["daba/answer"], id="daba/new"))


def test_a_claim_is_about_the_algorithm_that_its_id_names() -> None:
    slugs = {entry.slug: entry.name for entry in CATALOGUE}
    groups = {claim.id: claim.id.partition("/")[0] for claim in CLAIMS}
    wrong = [
        claim.id for claim in CLAIMS if slugs.get(groups[claim.id], name_entries(claim)[0]) not in name_entries(claim)
    ]
    assert wrong == []


def test_each_algorithm_has_a_line_and_each_cell_begins_with_its_strongest_evidence() -> None:
    assert list(MATRIX) == [entry.name for entry in CATALOGUE]
    kinds = list(MARKS)
    for algorithm, cells in MATRIX.items():
        assert "answer" in cells
        assert {*cells} <= {*MAIN_ASPECTS}
        for found in cells.values():
            assert all(BY_ID[claim.id] is claim and algorithm in name_entries(claim) for claim in found)
            strengths = [kinds.index(claim.kind) for claim in found]
            assert strengths == sorted(strengths)


def test_the_page_links_each_cell_to_a_claim_with_the_mark_of_its_kind() -> None:
    page = LEDGER.read_text(encoding="utf-8")
    links = re.findall(r'\*\*(\w)\*\* <a href="#([^"]+)">', page)
    assert len(links) == sum(map(len, MATRIX.values())) > 100
    assert all(mark == MARKS[BY_ID[id].kind] for mark, id in links)
    anchors = re.findall(r'<a id="([^"]+)"></a>', page)
    assert len(anchors) == len({*anchors})
    assert {id for _, id in links} <= {*anchors}


def rows(**verdicts: Verdict) -> list[ClaimResult]:
    """Return results of Subtract-on-evict, by the last part of the id."""
    return [
        ClaimResult(
            BY_ID[f"subtract-on-evict/{part}"], verdict, f"detail-of-{part}", 0.0, (("wrong", "fails", ""),), {}
        )
        for part, verdict in verdicts.items()
    ]


def shown(found: Sequence[ClaimResult], *, verbose: bool = False) -> str:
    return " ".join(text.render(report_on(found, verbose=verbose)).replace("│", " ").split())


def test_a_run_prints_the_matrix_and_the_totals() -> None:
    said = shown(rows(answer="holds", explored="holds"))
    assert "Subtract-on-evict P answer E explored E explored E explored - -" in said
    assert "2 claims: 1 proved, 1 exhaustive. 2 of 2 mutants rejected. Not holding: 0." in said
    assert "subtract-on-evict/answer" not in said
    assert "subtract-on-evict/answer" in shown(rows(answer="holds"), verbose=True)


@pytest.mark.parametrize("verdict", ["fails", "unknown"])
def test_a_claim_that_does_not_hold_is_printed_in_its_cell_and_with_its_details(verdict: Verdict) -> None:
    """Check this also if another claim about the same aspect holds."""
    said = shown(rows(answer="holds", explored=verdict, empty="holds"))
    assert f"Subtract-on-evict {verdict.upper()} explored" in said
    assert "subtract-on-evict/explored" in said
    assert "detail-of-explored" in said
    assert "subtract-on-evict/empty" not in said
    assert "Not holding: 1." in said


def test_a_mutant_that_survives_is_printed() -> None:
    (row,) = rows(answer="holds")
    said = shown([replace(row, verdict="unknown", controls=(("wrong", "holds", ""),))])
    assert "NOT REJECTED: wrong" in said
    assert "UNKNOWN answer" in said


def test_claims_about_no_algorithm_have_no_matrix(tmp_path: Path) -> None:
    command = ["table-1/answers", "--processes", "1", "--cache", str(tmp_path)]
    brief, full = (CliRunner().invoke(prove, [*command, *more]).stdout for more in ([], ["--verbose"]))
    assert brief == "1 claims: 1 exhaustive. 4 of 4 mutants rejected. Not holding: 0.\n"
    assert "table-1/answers" in full
    assert "Strongest evidence" not in full
    assert json.loads(CliRunner().invoke(prove, [*command, "--json", "-"]).stdout)[0]["id"] == "table-1/answers"
