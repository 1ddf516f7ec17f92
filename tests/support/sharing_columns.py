"""What every column of shared windows is put through."""

import inspect
import re
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from swagproof.proofs.errata.wang_2005 import ERRATA
from swagproof.reference.listings.wang_2005 import LISTINGS

QUICK = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
HUNT = settings(QUICK, max_examples=300, phases=[Phase.generate])


def every_line_is_transcribed_in_order(name: str, algorithm: type[Any]) -> None:
    """Every line of the listing has its tag in the function of its name, in order, and no tag points elsewhere."""
    listing = LISTINGS[name]
    for method, function in inspect.getmembers(algorithm, inspect.isfunction):
        tags = re.findall(rf"\[{name} l\.(\d+)[\],]", inspect.getsource(function))
        assert [int(tag) for tag in dict.fromkeys(tags)] == list(listing.get(method, {})), method
    assert set(listing) <= set(vars(algorithm))


def docstring_has_every_field(algorithm: type[Any]) -> None:
    """The module says what every reference says, and names errata that there are."""
    text = inspect.getmodule(algorithm).__doc__ or ""  # type: ignore[union-attr]  # a class has a module
    fields = dict(re.findall(r"^- ([^:\n]+): (.+)$", text, re.MULTILINE))
    assert tuple(fields) == ("Full name", "Paper", "Order", "Operator", "Combine calls", "Space", "Errata")
    assert "Conventions" in text
    known = {erratum.id for erratum in ERRATA}
    assert fields["Errata"] == "none" or set(fields["Errata"].split(", ")) <= known
