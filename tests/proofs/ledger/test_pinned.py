"""The pinned ledger has a line for each claim, and a run with other counts is reported."""

import json
import sys
from pathlib import Path
from typing import Any

import ledger
import pytest

from swagproof.proofs.claims import BY_ID, CLAIMS
from swagproof.proofs.ledger.claim import check_claim, scope_of

LINES = ledger.PINNED.read_text(encoding="utf-8").splitlines()


def test_each_claim_is_pinned_with_its_kind_scope_and_number_of_mutants() -> None:
    expected = [
        ledger.SEPARATOR.join([c.id, c.kind, scope_of(c), "holds", f"rejects {len(c.controls)}"]) for c in CLAIMS
    ]
    pinned = [ledger.SEPARATOR.join(line.split(ledger.SEPARATOR)[:5]) for line in LINES]
    assert pinned == expected, "swagproof prove --fresh --json RUN; python docs/makers/ledger.py RUN --write"


@pytest.fixture(scope="module")
def row() -> dict[str, Any]:
    """Return a checked claim as JSON."""
    return json.loads(json.dumps(check_claim(BY_ID["subtract-on-evict/explored"]).as_json()))  # type: ignore[no-any-return]  # a row


def test_a_row_is_written_as_it_is_pinned(row: dict[str, Any]) -> None:
    assert ledger.write_line(row) in LINES
    counts = ledger.read_counts()[row["id"]]
    assert {name: counts[name] for name in ("states", "transitions")} == row["statistics"]


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({"statistics": {"states": 1, "transitions": 1}}, False),
        ({"verdict": "unknown"}, False),
        ({"kind": "sampled"}, False),
        ({"scope": "fewer"}, False),
        ({"control": []}, False),
        ({"seconds": 1e9}, True),
    ],
)
def test_a_difference_is_reported(
    changed: dict[str, Any],
    same: bool,
    row: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(ledger, "PINNED", tmp_path / "ledger.txt")
    run = tmp_path / "run.json"
    for rows, options in (([row], ["--write"]), ([{**row, **changed}], [])):
        run.write_text(json.dumps(rows), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["ledger.py", str(run), *options])
        assert ledger.main() == (0 if options or same else 1)
    assert ("1 claims, as pinned" in capsys.readouterr().out) is same
