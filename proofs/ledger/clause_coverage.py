"""The claim of the ledger that needs each clause of the contracts: see swagproof.proofs.clauses.

The table, `clause_coverage.txt`, is read before claims are checked: the rejection of a mutant must name each clause for
which the mutant stands in the table.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

LIVE: Final = "mutants/"
"""Before the name of an algorithm: no claim, but its mutants as they run under contracts."""

PROOF: Final = "its proof"
"""In the place of a mutant: without the clause, what the claim proves of the reference itself is refuted."""


class Need(NamedTuple):
    """The claim or mutant that needs a clause."""

    clause: str
    row: str
    mutant: str | None
    """A mutant; None where the claim's own proof needs the clause."""
    refuted_as: str
    """The clause's name in the rejection of the mutant: of an obligation, a check or a violated contract."""

    def is_refuted(self, refuted: Collection[str]) -> bool:
        """Return whether the clause is among the obligations or checks that fail."""
        names = {*refuted, *(getattr(name, "clause", name) for name in refuted)}
        return self.refuted_as in {name.replace("_", " ") for name in names}


def _read(table: str) -> Iterator[Need]:
    """Read lines of a clause, its claim, a mutant or `PROOF`, and the words of its rejection if not the clause's name.

    A name by itself is the contract of the lines below.  A line that begins with a bar continues the one above.
    """
    contract = ""
    for line in re.sub(r"\n +[|]", " |", table.rstrip("\n")).split("\n"):
        if not line.startswith(" "):
            contract = line
            continue
        clause, row, mutant, *names = re.split(r" [|] ", line.strip())
        bound = clause.removesuffix("_bound")
        name = names[0] if names else clause.partition(": ")[2] or bound + " calls" * (bound != clause)
        yield Need(f"{contract}.{clause}", row, None if mutant == PROOF else mutant, name.replace("_", " "))


NEEDS: Final = {need.clause: need for need in _read(Path(__file__).with_suffix(".txt").read_text("utf-8"))}
"""The claim that needs each clause."""

NEEDED_BY: Final = {
    (row, mutant): tuple(need for need in NEEDS.values() if (need.row, need.mutant) == (row, mutant))
    for _, row, mutant, _ in NEEDS.values()
}
"""The clauses that need each claim and mutant."""
