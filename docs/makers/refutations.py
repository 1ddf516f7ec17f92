"""Record where mutants are refuted: `python docs/makers/refutations.py` writes `proofs/refutations.json`.

Each mutant is refuted without a hint, and then with it; a hint that saves no time is dropped.  Arguments restrict the
run to these claims or algorithms.
"""

import json
import sys
import time
from typing import Final

from swagproof.proofs.claims import collect_seldom, find
from swagproof.proofs.engine.settings import Refutation, using
from swagproof.proofs.ledger.claim import Claim, Control, reject
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.ledger.refutations import FILE, read_hints

NAMES: Final = sys.argv[1:]


def main() -> None:
    known = {claim.id for claim in find(())}
    hints = {row: found for row, found in read_hints().items() if row in known} if NAMES else {}
    collect_seldom()
    for claim in find(NAMES):
        found = {control.name: look_for(claim, control) for control in claim.controls}
        hints[claim.id] = {name: str(where) for name, where in found.items() if where is not None}
    rows = (f"{json.dumps(row)}: {json.dumps(found, indent=0)}" for row, found in sorted(hints.items()) if found)
    FILE.write_text(f"{{{', '.join(rows)}}}\n", encoding="utf-8")


def look_for(claim: Claim, control: Mutant | Control) -> Refutation | None:
    """Return the place where a mutant is refuted, if knowing it saves time."""
    began = time.process_time()
    with using(ways=True):
        anew = reject(claim, control)
    between = time.process_time()
    if anew.refutation is None:
        return None
    again = reject(claim, control, anew.refutation)
    saves = time.process_time() - between < between - began
    return anew.refutation if saves and again.refutation == anew.refutation else None


if __name__ == "__main__":
    main()
