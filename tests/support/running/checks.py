"""The checks by running, by name, and the mutants that each must reject."""

import sys
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, Final

from support.places import TESTS
from support.running import error_cases, long_histories, purity, touch_bounds

from swagproof.proofs.ledger.variants import Edit, Variant
from swagproof.reference.catalogue import CATALOGUE, Entry

TABLE: Final = TESTS / "support" / "running" / "mutants.toml"


def check_purity(entry: Entry) -> str:
    """Return the first impurity of all references: an algorithm is made of more than its own module."""
    return purity.check()


CHECKS: Final[dict[str, Callable[[Entry], str]]] = {
    "purity": check_purity,
    "error-cases": error_cases.check,
    "touches": touch_bounds.check,
    "long-histories": long_histories.check,
}
"""Each returns the first thing that it finds wrong with an algorithm; "" where it finds nothing."""


def read_mutants() -> Iterator[tuple[str, Entry, Variant, str]]:
    """The table's mutants: the check that must reject it, the algorithm, the mutant, and its module."""
    entries = {entry.name: entry for entry in CATALOGUE}
    table: dict[str, dict[str, list[dict[str, Any]]]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    for check, algorithms in table.items():
        for algorithm, mutants in algorithms.items():
            for mutant in mutants:
                edits = [(mutant["in"], mutant["old"], mutant["new"]), *mutant.get("also", [])]
                module = mutant.get("module", entries[algorithm].module.__name__)
                yield check, entries[algorithm], Variant(mutant["name"], tuple(Edit(*edit) for edit in edits)), module


def reject(check: str, entry: Entry, mutant: Variant, module: str) -> str:
    """Return what a check finds wrong with a mutant; "" where it survives."""
    if check == "purity":
        return purity.check(mutant, sys.modules[module])
    judge = {"error-cases": error_cases.check, "long-histories": long_histories.check}[check]
    return judge(entry, mutant)
