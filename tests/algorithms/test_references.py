"""Tests of the statements in the docstrings of all reference files."""

import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest
from icontract import ViolationError

from swagproof import reference
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.errata import ENTRIES
from swagproof.reference.in_order.daba import CheckedDaba

FIELDS = ("Full name", "Paper", "Order", "Operator", "Combine calls", "Space", "Errata")
ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    path
    for room in ("contracts", "docs", "models", "oracle", "proofs", "reference")
    for path in (ROOT / room).rglob("*.py")
    if ROOT / "proofs/errata" not in path.parents
]
ON_LIST = {
    "erratum": {entry.id for entry in ENTRIES if entry.verdict == "refuted"},
    "reading": {entry.id for entry in ENTRIES if entry.verdict in ("reading", "damage")},
}
WORDS = {"erratum": "erratum", "errata": "erratum", "reading": "reading", "readings": "reading"}
MODULES = [
    importlib.import_module(found.name) for found in pkgutil.walk_packages(reference.__path__, "swagproof.reference.")
]
ALGORITHMS = [module for module in MODULES if "- Full name:" in (module.__doc__ or "")]


@pytest.mark.parametrize("module", ALGORITHMS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_docstring_of_an_algorithm_has_every_field(module: ModuleType) -> None:
    text = module.__doc__ or ""
    fields = dict(re.findall(r"^- ([^:\n]+): (.+)$", text, re.MULTILINE))
    assert tuple(fields) == FIELDS
    assert "Conventions" in text
    errata, _, readings = fields["Errata"].partition("; readings ")
    assert errata == "none" or set(errata.split(", ")) <= ON_LIST["erratum"]
    assert not readings or set(readings.split(", ")) <= ON_LIST["reading"]


def misnamed(text: str) -> list[str]:
    """The entries that a text calls errata or readings but that are not on that list; withdrawn ones are on none."""
    found: list[str] = []
    for word, names in re.findall(r"\b(errat\w+|readings?) ([A-Z]+-\d+(?:(?:,|,? and) [A-Z]+-\d+)*)", text):
        found += [name for name in re.findall(r"[A-Z]+-\d+", names) if name not in ON_LIST[WORDS[word]]]
    return found


def test_what_the_code_calls_an_erratum_or_a_reading_is_one() -> None:
    assert {str(path): wrong for path in TEXTS if (wrong := misnamed(path.read_text(encoding="utf-8")))} == {}
    assert misnamed("erratum DABA-2") == []
    assert misnamed("reading DABA-2, errata DABA-2 and DABA-99, TS-99") == ["DABA-2", "DABA-99", "TS-99"]


def test_a_violation_names_the_predicate_which_states_the_formula() -> None:
    window = CheckedDaba(CONCATENATION)
    window.insert("a")
    window.model.values[0] = "b"
    with pytest.raises(ViolationError) as violation:
        window.query()
    assert "\nvalues was for i in 0 .. E-F-1: *(F+i).val = v_i" in str(violation.value)
