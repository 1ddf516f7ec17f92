"""Hides the packages that are shipped to executors, except those in a zip.

Python imports a module of this name at its start, if its folder is on the path.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

SHIPPED = {"swagproof", "icontract", "asttokens", "six", "typing_extensions"}


class FromZip:
    """A finder that finds shipped packages only in zips."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a specification, as `importlib` requires."""
        if name not in SHIPPED:
            return None
        found = PathFinder.find_spec(name, [place for place in sys.path if place.endswith(".zip")])
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found


sys.meta_path.insert(0, FromZip)
