"""The explorer's tables: mutants, errata, claims with cases of their proofs, and cost curves.

The proofs produce them, with a solver that neither a page nor the core has. A wheel and an exported site contain the
tables. In a checkout each table is made when it is first needed, and cached until the source changes.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from swagproof.oracle.trace import InputError

if TYPE_CHECKING:
    from swagproof.proofs.ledger.cache import Cache

OPENED: Final = ("variants", "errata", "proofs", "curves")
"""The tables that every page needs: mutants by the algorithm's slug, errata, claims with proof cases, and the id, title
and table of each curve."""


@cache
def read_table(name: str) -> Any:
    """Return a table: the one in the package, or in the cache, or a new one."""
    packaged = files("swagproof.learn") / "site" / f"{name}.json"
    if packaged.is_file():
        return json.loads(packaged.read_text(encoding="utf-8"))
    found = _open_cache().read(name)
    if found is None:
        from swagproof.learn.making.tables import make_table  # here, as the core lacks what this imports

        print(f"Making the explorer's table of {name}, once for this source ...", file=sys.stderr)
        found = make_table(name)
        _open_cache().write(name, found)
    return found


@cache
def _open_cache() -> "Cache":
    from swagproof.proofs.ledger.cache import Cache, find_folder  # here for the same reason

    return Cache(find_folder() / "explorer")


def list_tables() -> Iterator[str]:
    """Yield the name of each table."""
    yield from OPENED
    yield from (each["table"] for each in read_table("curves"))


def forms_of(slug: str) -> list[dict[str, Any]]:
    """Return what is refuted and can be played of an algorithm, each with the history that shows it."""
    return [form for entry in read_table("errata") for form in entry["forms"] if form["slug"] == slug]


def read_curve(id: str) -> Mapping[str, Any]:
    """Return a curve, as `swagproof cost` counts it.  Raises InputError."""
    tables = {each["id"]: each["table"] for each in read_table("curves")}
    if id not in tables:
        raise InputError(f"{id}: a curve is one of {', '.join(tables)}")
    return {**read_table(tables[id])}


def find_changes(name: str, slug: str) -> dict[str, str]:
    """Return the functions that a mutant of an algorithm changes, or what is printed of it.  Raises InputError."""
    for mutant in [*read_table("variants").get(slug, []), *forms_of(slug)]:
        if mutant["name"] == name:
            return {**mutant["changes"]}
    raise InputError(f"{name!r} is not a registered mutant of {slug}")
