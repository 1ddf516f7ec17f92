"""What every file of the reference says of itself."""

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

import pytest
from icontract import ViolationError

from swagproof import reference
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.errata import ERRATA
from swagproof.reference.in_order.daba import CheckedDaba

FIELDS = ("Full name", "Paper", "Order", "Operator", "Combine calls", "Space", "Errata")
KNOWN = {erratum.id for erratum in ERRATA}
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
    assert fields["Errata"] == "none" or set(fields["Errata"].split(", ")) <= KNOWN


def test_every_erratum_that_the_code_names_exists() -> None:
    named = {name for module in MODULES for name in re.findall(r"errat\w+ ([A-Z]+-\d+)", inspect.getsource(module))}
    assert named <= KNOWN
    assert len(named) >= 30


def test_a_violated_clause_is_named_and_its_formula_shown() -> None:
    window = CheckedDaba(CONCATENATION)
    window.insert("a")
    window.model.values[0] = "b"
    with pytest.raises(ViolationError) as violation:
        window.query()
    assert "\nvalues: for i in 0 .. E-F-1: *(F+i).val = v_i: self was" in str(violation.value)
