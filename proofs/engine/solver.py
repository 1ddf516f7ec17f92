"""Z3, imported in one place.  Its Python bindings carry no types that a checker can use: its terms are `Any`."""

from importlib import import_module
from typing import Any, TypeAlias

z3: Any = import_module("z3")

Truth: TypeAlias = Any
"""A Z3 formula."""
Integer: TypeAlias = Any
"""A Z3 integer term."""
Model: TypeAlias = Any
"""A Z3 model: values for the unknowns."""
