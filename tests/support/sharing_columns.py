"""What every column of shared windows is put through."""

import inspect
import re
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from swagproof.proofs.errata.wang_2005 import ERRATA

QUICK = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
HUNT = settings(QUICK, max_examples=300, phases=[Phase.generate])


def docstring_has_every_field(algorithm: type[Any]) -> None:
    """The module says what every reference says, and names errata that there are."""
    text = inspect.getmodule(algorithm).__doc__ or ""  # type: ignore[union-attr]  # a class has a module
    fields = dict(re.findall(r"^- ([^:\n]+): (.+)$", text, re.MULTILINE))
    assert tuple(fields) == ("Full name", "Paper", "Order", "Operator", "Combine calls", "Space", "Errata")
    assert "Conventions" in text
    known = {erratum.id for erratum in ERRATA}
    assert fields["Errata"] == "none" or set(fields["Errata"].split(", ")) <= known
