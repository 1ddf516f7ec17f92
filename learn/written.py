"""The explorer's tables: mutants, errata and claims.

The proofs produce them with a solver, which neither a page nor the core has. A wheel and a site contain the tables. In
a checkout each table is made when it is first needed, and cached until the source changes.
"""

import json
import sys
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.trace import InputError

if TYPE_CHECKING:
    from swagproof.proofs.ledger.cache import Cache

TABLES: Final = ("mutants", "errata", "claims")
"""Mutants by the algorithm's slug, errata, and claims by the algorithm's slug."""


@cache
def read_table(name: str) -> Any:
    """Return a table from the package or the cache, or make it."""
    packaged = files("swagproof.learn") / "site" / f"{name}.json"
    if packaged.is_file():
        return json.loads(packaged.read_text(encoding="utf-8"))
    found = _open_cache().read(name)
    if found is None:
        from swagproof.learn.tables import make_table  # here, because the core lacks its dependencies

        print(f"Making the explorer's table of {name}, once for this source ...", file=sys.stderr)
        found = make_table(name)
        _open_cache().write(name, found)
    return found


@cache
def _open_cache() -> "Cache":
    from swagproof.proofs.ledger.cache import Cache, find_folder  # here for the same reason

    return Cache(find_folder() / "explorer")


def forms_of(slug: str) -> list[dict[str, Any]]:
    """Return the playable refutations of an algorithm, each with the history that shows it."""
    return [form for entry in read_table("errata") for form in entry["forms"] if form["slug"] == slug]


def find_changes(name: str, slug: str) -> dict[str, str]:
    """Return the functions that a mutant, or a paper's printed form, changes.  Raises InputError."""
    for mutant in [*read_table("mutants").get(slug, []), *forms_of(slug)]:
        if mutant["name"] == name:
            return {**mutant["changes"]}
    raise InputError(f"{name!r} is not a registered mutant of {slug}")
