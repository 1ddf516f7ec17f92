"""Find for each clause of a contract a mutant that this clause rejects, alone if possible.

`python docs/makers/clauses.py [PART...]` writes `tests/proofs/ledger/clauses.txt`.  It keeps an entry that is still
valid, unless its clause contains one of the PARTs, and searches all mutants of the claims that the contract's other
clauses need.  All clauses, selected by `""`, take an hour.  It prints the clauses that no mutant needs.
"""

import os
import sys
from itertools import groupby
from typing import Final

from tables import ROOT

os.environ["ICONTRACT_SLOW"] = "1"  # all conditions are checked
sys.path.insert(0, str(ROOT / "tests"))

from support.clauses import LIVE, PROOF, TABLE, Need, name_clauses, read_needs, try_without

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.kills import SUSPECTS

HEAD: Final = "# clause | claim that needs it | mutant | if so: other clauses reject it, too (docs/makers/clauses.py)\n"

OTHERS: Final = " | with others"


def find_need(clause: str, rows: list[str]) -> tuple[Need, bool] | None:
    """Return a need of a clause among these claims, and whether the mutant passes without the clause."""
    shared: tuple[Need, bool] | None = None
    for need in list_candidates(clause, rows):
        noticed = try_without(need)
        if noticed.noticed and noticed.alone:
            return need, True
        if noticed.noticed and shared is None:
            shared = need, False
    return shared


def list_candidates(clause: str, rows: list[str]) -> list[Need]:
    """Return all mutants of these claims, and the claims' own proofs, as needs of a clause."""
    names: dict[str, list[str | None]] = {claim.id: [each.name for each in claim.controls] for claim in CLAIMS}
    names |= {LIVE + each.algorithm: [mutant.name for mutant in each.mutants] for each in SUSPECTS}
    proofs = [Need(clause, row, None) for row in rows if not row.startswith(LIVE)]
    return [*(Need(clause, row, name) for row in rows for name in names[row]), *proofs]


def contract_of(clause: str) -> str:
    """Return the contract of a clause."""
    return clause.partition(".")[0]


def main(parts: list[str]) -> None:
    """Write the table."""
    needs, lines = read_needs(), [HEAD]
    others = {line.strip().removesuffix(OTHERS) for line in TABLE.read_text("utf-8").splitlines() if OTHERS in line}
    for contract, clauses in groupby(sorted(name_clauses(), key=contract_of), contract_of):
        rows = list(dict.fromkeys(need.row for need in needs.values() if contract_of(need.clause) == contract))
        rows = rows or [claim.id for claim in CLAIMS if contract.split("/")[-1] in claim.code]
        lines.append(f"{contract}\n")
        for clause in clauses:
            need, alone = needs.get(clause), True
            if need is None or any(part in clause for part in parts):
                need, alone = find_need(clause, rows) or (None, True)
                print(clause, need, alone, file=sys.stderr)
            if need is None:
                print(f"no mutant needs {clause}")
            else:
                line = f"{clause.partition('.')[2]} | {need.row} | {need.mutant or PROOF}"
                lines.append(f"    {line}{OTHERS if not alone or line in others else ''}\n")
    TABLE.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
