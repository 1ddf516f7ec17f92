"""Make the table of which layer catches each mutant.  `python docs/makers/layers.py` writes it, in half an hour."""

import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tables import ROOT, row, table

sys.path.insert(0, str(ROOT / "tests"))  # the machines stand beside the tests

from support.machines.columns import MachineTests

from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import InputError
from swagproof.proofs.kills import SUSPECTS, Kill, kills
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import COLUMNS, Column

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "layers.md"
LAYERS: Final = ("proof", "contract", "machine", "oracle")
WINDOWS: Final = {"fifo": "fifo", "out of order": "out-of-order", "shared": "shared"}
"""The oracle's kind of window for a kind of algorithm; it judges no others."""
MONOIDS: Final = {"Subtract-on-evict": "sum", "SlickDeque": "max", "OrderedSharing": "max"}
"""The monoid of an algorithm that does not take any monoid."""
MADE: Final = {"OrderedSharing": "nothing"}
"""The constructor arguments of an algorithm, where these are not its monoid."""
NOT_JUDGED: Final = ("TimeGram",)
"""Algorithms whose answers are bounds, which the oracle does not judge."""

HEAD: Final = """# Which layer catches which mutant

Each hand-written mutant of an algorithm (`proofs/mutants/`) is tried by four layers: its **proof** or exhaustive
exploration, the **contract** that a shortest history violates, the Hypothesis **machine** of its tests, without
contracts, and the **oracle**, with seed 0 and the default effort. The first two must reject every mutant, and do.
The others see answers alone, so they cannot catch a mutant that *no answer shows*: one of cost or space. A dash stands
where a layer does not apply: the oracle judges windows in order, out of order and shared, with exact answers.
`python docs/makers/layers.py` tries all mutants and writes this page again.
"""
MISSED: Final = """## Mutants that an answer shows, and a layer misses

{table}

`machine` is listed as missed if its tests pass over the mutant.
"""


@dataclass(frozen=True)
class Caught:
    """A mutant, and whether each layer catches it; None where the layer does not apply."""

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


def ask_oracle(algorithm: str, variant: Variant | None = None) -> bool:
    """Return whether the oracle calls a mutant violated, or the reference."""
    column = _column_of(algorithm)
    found = column.algorithm if variant is None else variant.of(column.algorithm)
    try:
        subject = subject_of(found, column.slug, WINDOWS[column.kind], make=MADE.get(algorithm, "monoid"))
        only = [MONOIDS[algorithm]] if algorithm in MONOIDS else []
        verdict = judge(subject, domains_of(subject, only), seed=0, timeout=2.0).verdict
    except InputError as error:  # building it fails
        print(f"{algorithm}: {variant and variant.name}: {error}", file=sys.stderr)
        return True
    return verdict.witness is not None


def _column_of(algorithm: str) -> Column:
    return next(column for column in COLUMNS if column.name == algorithm)


def _is_judged(algorithm: str) -> bool:
    return _column_of(algorithm).kind in WINDOWS and algorithm not in NOT_JUDGED


def try_all() -> Iterator[Caught]:
    """Yield each mutant with the layers that catch it."""
    machines = find_machines()
    variants = {(s.algorithm, v.name): v for s in SUSPECTS for v in s.variants}
    accused = [s.algorithm for s in SUSPECTS if _is_judged(s.algorithm) and ask_oracle(s.algorithm)]
    assert not accused, f"references that the oracle calls violated: {accused}"
    for killed in kills():
        variant = variants[killed.algorithm, killed.name]
        yield Caught(killed.algorithm, killed.name, bool(killed.hidden), _ask_layers(killed, variant, machines))


def _ask_layers(killed: Kill, variant: Variant, machines: dict[str, type[MachineTests]]) -> dict[str, bool | None]:
    tests, of_kind = machines.get(killed.algorithm), _is_judged(killed.algorithm)
    return {
        "proof": killed.proof is not None,
        "contract": killed.contract is not None,
        "machine": None if tests is None else not killed.hidden and variant in tests.mutants(),
        "oracle": not killed.hidden and ask_oracle(killed.algorithm, variant) if of_kind else None,
    }


def page(every: list[Caught]) -> str:
    """Return the whole page."""
    counts: list[str] = []
    for algorithm in dict.fromkeys(caught.algorithm for caught in every):
        of_it = [caught for caught in every if caught.algorithm == algorithm]
        cells = ["–" if _tell(of_it, layer) is None else str(_tell(of_it, layer)) for layer in LAYERS]
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


def _tell(of_it: list[Caught], layer: str) -> int | None:
    if all(caught.layers[layer] is None for caught in of_it):
        return None
    return sum(caught.layers[layer] is True for caught in of_it)


if __name__ == "__main__":
    PAGE.write_text(page(list(try_all())), encoding="utf-8")
