"""TRUST.md names existing code, and contains no counts of algorithms, claims or mutants, which would become wrong."""

import re
from pathlib import Path

from swagproof.proofs.claims import CLAIMS

ROOT = Path(__file__).resolve().parents[3]
TRUST = (ROOT / "proofs" / "TRUST.md").read_text(encoding="utf-8")
ANSWERS = {"unknown", "combine", "cached", "--fresh", "--solver"}
"""Words in code style that do not name a single place in the code."""
COUNTED = "two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty hundred".split()


def test_what_it_names_is_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "proofs").rglob("*.py")))
    rows = {claim.id for claim in CLAIMS}
    named = set(re.findall(r"`([^`]+)`", TRUST)) - ANSWERS
    assert len(named) > 15
    for name in named:
        if name.endswith((".py", "/")):
            assert (ROOT / name).exists(), name
        elif "/" in name:
            assert name in rows, name
        else:
            assert re.search(rf"^(def|class) {name}\b|^{name}(:.*)? = ", code, re.MULTILINE), name


def test_it_counts_no_algorithms_rows_or_mutants() -> None:
    numbers = (
        rf"\b(\d+|{'|'.join(COUNTED)})\s+(algorithms?|rows?|mutants?|claims?|controls?|mutants?|references?|proofs?)\b"
    )
    assert re.findall(numbers, TRUST) == []


def test_it_is_one_page_and_speaks_of_every_kind() -> None:
    assert len(TRUST.splitlines()) < 100
    for kind in {claim.kind for claim in CLAIMS}:
        assert kind.replace("-", " ") in TRUST.lower()
