"""The optional dependency ("extra") that provides a missing module, and the message that names it."""

from typing import Final

EXTRAS: Final = {
    "z3": "proofs",
    "crosshair": "proofs",
    "platformdirs": "proofs",
    "hypothesis": "hypothesis",
    "numpy": "audit",
    "pandas": "spark",
    "pyarrow": "audit",
    "pyspark": "spark",
    "py4j": "spark",
}
"""The extra that provides each module, for commands that import the module without a message of their own."""


def explain_missing(error: Exception) -> str | None:
    """Return a line that names the extra of a missing module, or None for any other error."""
    module = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return f"{module} is not installed: pip install 'swagproof[{EXTRAS[module]}]'" if module in EXTRAS else None
