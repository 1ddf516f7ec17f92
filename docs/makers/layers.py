"""Make the table of layers that catch each mutant.  `python docs/makers/layers.py` writes it in an hour."""

import os
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tables import ROOT, row, table

os.environ["ICONTRACT_SLOW"] = "1"  # all conditions are checked
sys.path.insert(0, str(ROOT / "tests"))  # the machines are among the tests

from support.machines.columns import MachineTests

from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import InputError
from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import COLUMNS, Column

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "layers.md"
LAYERS: Final = ("proof", "contract", "machine", "oracle")
WINDOWS: Final = {"fifo": "fifo", "out of order": "out-of-order", "shared": "shared"}
"""The oracle's kind of window for each kind of algorithm that it judges."""
MONOIDS: Final = {"Subtract-on-evict": "sum", "SlickDeque": "max", "OrderedSharing": "max"}
"""The monoid of an algorithm that does not take any monoid."""
MADE: Final = {"OrderedSharing": "nothing"}
"""The constructor arguments of an algorithm, if these are not its monoid."""
NOT_JUDGED: Final = ("TimeGram",)
"""Algorithms whose answers are bounds, which the oracle does not judge."""

HEAD: Final = """# Which layer catches which mutant

For each algorithm, this page counts the hand-written mutants (`proofs/mutants/`) that each layer rejects. A **proof**
or exhaustive exploration must reject every mutant; the tests fail otherwise. A **contract** checked at run time
rejects all but a few, mostly calls that its precondition excludes. The Hypothesis **machine** of the algorithm's
tests and the **oracle** (seed 0, default effort, at most a minute) see only answers. They cannot reject a mutant that
*no answer shows*, such as one of cost or space. A dash marks a layer that does not apply: the oracle judges windows
in order, out of order and shared, with exact answers. `python docs/makers/layers.py` judges every mutant and writes
this page, in an hour.
"""
MISSED: Final = """## Mutants that an answer shows, and a layer misses

The oracle builds trees with their default min-arity, 2, at which some mutants are right; a sum or a maximum hides
swapped operands; the oracle asks a window in order for all its elements, and does not evict from an empty one. The
test of the Reactive Aggregator's machine tries a part of the mutants.

{table}
"""


@dataclass(frozen=True)
class Caught:
    """A mutant, and whether each layer catches it; None if the layer does not apply."""

    algorithm: str
    name: str
    hidden: bool
    layers: dict[str, bool | None]


def find_machines() -> dict[str, type[MachineTests]]:
    """Return the test class with the machine of each algorithm."""
    names = {column.algorithm: column.name for column in COLUMNS}
    found: dict[str, type[MachineTests]] = {}
    for path in sorted((ROOT / "tests" / "algorithms").rglob("test_*.py")):
        for cls in runpy.run_path(str(path)).values():
            if isinstance(cls, type) and issubclass(cls, MachineTests) and vars(cls).get("algorithm") in names:
                found[names[cls.algorithm]] = cls
    return found


def ask_oracle(column: Column, mutant: Mutant | None = None) -> bool:
    """Return whether the oracle finds a mutant, or the reference, violated within a minute."""
    made = column.algorithm if mutant is None else mutant.of(column.algorithm)
    try:
        subject = subject_of(made, column.slug, WINDOWS[column.kind], make=MADE.get(column.name, "monoid"))
        only = [MONOIDS[column.name]] if column.name in MONOIDS else []
        verdict = judge(subject, domains_of(subject, only), seed=0, budget=60.0).verdict
    except InputError as error:  # building it fails
        print(f"{column.name}: {mutant and mutant.name}: {error}", file=sys.stderr)
        return True
    return verdict.witness is not None


def try_all() -> Iterator[Caught]:
    """Yield each mutant with the layers that catch it."""
    machines, columns = find_machines(), {column.name: column for column in COLUMNS}
    rejected = {(claim.algorithm, control.name) for claim in CLAIMS for control in claim.controls}
    for suspects in SUSPECTS:
        column = columns[suspects.algorithm]
        tests, judged = machines.get(column.name), column.kind in WINDOWS and column.name not in NOT_JUDGED
        if judged and ask_oracle(column):
            raise ValueError(f"the oracle calls the reference violated: {column.name}")
        for mutant in suspects.mutants:
            proved = (column.name, mutant.name) in rejected or suspects.refuted(mutant) is not None
            layers = {
                "proof": proved,
                "contract": suspects.violated_contract(mutant) is not None,
                "machine": None if tests is None else not mutant.hidden and mutant in tests.mutants(),
                "oracle": not mutant.hidden and ask_oracle(column, mutant) if judged else None,
            }
            print(column.name, mutant.name, layers, file=sys.stderr)
            yield Caught(column.name, mutant.name, bool(mutant.hidden), layers)


def page(every: list[Caught]) -> str:
    """Return the whole page."""
    counts: list[str] = []
    for algorithm in dict.fromkeys(caught.algorithm for caught in every):
        of_it = [caught for caught in every if caught.algorithm == algorithm]
        cells = [_count(of_it, layer) for layer in LAYERS]
        counts.append(row(algorithm, str(len(of_it)), str(sum(caught.hidden for caught in of_it)), *cells))
    missed = [
        row(caught.algorithm, caught.name, ", ".join(layer for layer in LAYERS if caught.layers[layer] is False))
        for caught in every
        if not caught.hidden and False in caught.layers.values()
    ]
    parts = [
        HEAD,
        table(("algorithm", "mutants", "no answer shows", *LAYERS), counts) + "\n",
        MISSED.format(table=table(("algorithm", "mutant", "missed by"), missed)),
    ]
    return "\n".join(parts)


def _count(of_it: list[Caught], layer: str) -> str:
    found = [caught.layers[layer] for caught in of_it]
    return "–" if all(each is None for each in found) else str(found.count(True))


if __name__ == "__main__":
    PAGE.write_text(page(list(try_all())), encoding="utf-8")
