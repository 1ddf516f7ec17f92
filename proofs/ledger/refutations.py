"""Hints that lead to the last refutation of each mutant, so that refuting it again is faster.

A mutant is refuted on one of many paths of a proof, or at one of many states of an exploration, and finding it takes
most of the time.  `proofs/refutations.json` has a `Refutation` for each claim and mutant: the run, and the decisions or
choices that led to the failure.  `python docs/makers/refutations.py` regenerates the file.

A claim's check follows the hint first.  The failure there is checked by Z3 or by running the code, so a wrong hint
refutes nothing: it only costs time, and the full search follows.  Hints are used for mutants only, never to check the
reference.
"""

import json
from functools import cache
from pathlib import Path
from typing import Final

from swagproof.proofs.engine.settings import Refutation

FILE: Final = Path(__file__).resolve().parent.parent / "refutations.json"


@cache
def read_hints() -> dict[str, dict[str, str]]:
    """Return the hints by claim and mutant; none if there is no such file."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    return found


def find_hint(row: str, mutant: str) -> Refutation | None:
    """Return the hint to the refutation of a mutant by a claim, if any."""
    text = read_hints().get(row, {}).get(mutant)
    return None if text is None else Refutation.read(text)
