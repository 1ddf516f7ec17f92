"""The checks by running, by name, and the mutants that each must reject."""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Final

from support.places import TESTS
from support.running import containers, error_cases, language, long_histories, touch_bounds

from swagproof.proofs.ledger import mutants
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import CATALOGUE, Entry

TABLE: Final = TESTS / "support" / "running" / "mutants.txt"


MODULES: Final[dict[str, Callable[[Mutant | None, ModuleType | None], str]]] = {
    "language": language.check,
    "containers": containers.check,
}
"""The checks of all modules at once, because an algorithm uses other modules too."""
CHECKS: Final[dict[str, Callable[[Entry], str]]] = {
    **{name: lambda entry, check=check: check(None, None) for name, check in MODULES.items()},  # type: ignore[misc]  # a lambda with a default
    "error-cases": error_cases.check,
    "touches": touch_bounds.check,
    "long-histories": long_histories.check,
}
"""Each check returns the first defect of an algorithm, or ""."""


def read_mutants() -> Iterator[tuple[str, Entry, Mutant, str]]:
    """Yield the table's mutants: the check that must reject each, the algorithm, the mutant, and its module."""
    entries = {entry.name: entry for entry in CATALOGUE}
    for part in TABLE.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, table = part.partition("\n")
        check, _, of = heading.partition(": ")
        algorithm, _, module = of.partition(" in ")
        for mutant in mutants.read_mutants(table).values():
            yield check, entries[algorithm], mutant, module or entries[algorithm].module.__name__


def reject(check: str, entry: Entry, mutant: Mutant, module: str) -> str:
    """Return the defect that a check finds in a mutant, or "" if it survives."""
    if check in MODULES:
        return MODULES[check](mutant, sys.modules[module])
    judge = {"error-cases": error_cases.check, "long-histories": long_histories.check}[check]
    return judge(entry, mutant)
