"""Small histories that show every registered mistake of an algorithm between them.

`histories.json` has a line for each, shortest first, with its monoid and options.  The page's search for what a mistake
breaks tries them first.  They are recorded, not made: to find them all takes minutes.  A new mistake that the search
finds only after seconds deserves a line, with the history that it found.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _read() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(
        (files("swagproof.learn.plays") / "histories.json").read_text(encoding="utf-8")
    )
    return found


def list_histories(slug: str) -> list[dict[str, Any]]:
    """Return the histories of an algorithm, each with its setting."""
    return _read().get(slug, [])
