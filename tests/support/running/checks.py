"""The checks by running, by name, and the mutants that each must reject."""

import sys
from collections.abc import Callable, Iterator
from typing import Final

from support.places import TESTS
from support.running import error_cases, language, long_histories, touch_bounds

from swagproof.proofs.ledger import mutants
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import CATALOGUE, Entry

TABLE: Final = TESTS / "support" / "running" / "mutants.txt"


def check_language(entry: Entry) -> str:
    """Return the first part of all references outside of the language, because an algorithm uses other modules too."""
    return language.check()


CHECKS: Final[dict[str, Callable[[Entry], str]]] = {
    "language": check_language,
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
    if check == "language":
        return language.check(mutant, sys.modules[module])
    judge = {"error-cases": error_cases.check, "long-histories": long_histories.check}[check]
    return judge(entry, mutant)
