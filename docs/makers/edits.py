"""Update the tables of wrong edits in `tests/proofs/edits/`: the claim that rejects each, and its finding.

`PYTHONPATH=tests python docs/makers/edits.py` checks each edit with its claim again, and writes the finding into the
table; where a claim no longer rejects its edit, the script searches for another that does.

With `[run.json] NAME...` it searches the claim that rejects each edit of that name, class, algorithm or file from
scratch.  Claims that were cheap in a run of `prove` are checked first; a claim that fails is preferred to one that
refuses.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from support.edits import REJECTS, TABLES, Edit, all_edits, check_row, modules_of_rows, run_edited
from support.running.checks import CHECKS

from swagproof.proofs.claims import CLAIMS

ANOTHER_NAME: Final[Mapping[str, Sequence[str]]] = {
    "STREAM": ("naive STREAM",),
    "Windowing library": ("windows",),
    "Aggregate operator": ("windows",),
    **dict.fromkeys(("Slicing: panes", "Slicing: pairs", "Slicing: starts"), ("Slicing",)),
}


def rows_of(algorithm: str, costs: Mapping[str, float]) -> list[str]:
    """List the checks by running and the claims of an edited algorithm, the cheapest first."""
    names = (algorithm, *ANOTHER_NAME.get(algorithm, ()))
    ids = [claim.id for claim in CLAIMS if claim.algorithm in names]
    return sorted([*CHECKS, *ids], key=lambda id: costs.get(id, 0.0))


def reject(rows: Sequence[tuple[str, str]], algorithm: str) -> tuple[str, str, str]:
    """Return the first claim that fails, or else the first that is not shown, in a process with the edited file."""
    other = "", "", ""
    for id, module in rows:
        outcome, words = check_row(id, module, algorithm)
        if outcome == "fails":
            return id, outcome, words
        if outcome != "holds" and not other[0]:
            other = id, outcome, words
    return other


def fill_in(edit: Edit, costs: Mapping[str, float]) -> str:
    """Return the line of an edit that names the claim that rejects it.  Raises ValueError if there is none."""
    rows = [(id, modules_of_rows()[id]) for id in rows_of(edit.algorithm, costs)]
    id, outcome, words = run_edited(edit, reject, rows, edit.algorithm, seconds=600)
    if not id:
        raise ValueError(f"{edit.algorithm}: no claim rejects {edit.name!r}")
    return _rejection(id, outcome, words)


def ask_again(edit: Edit) -> str | None:
    """Return the same line if the named claim still rejects the edit, otherwise None."""
    outcome, words = run_edited(edit, check_row, edit.row, modules_of_rows()[edit.row], edit.algorithm, seconds=600)
    if outcome not in REJECTS:
        return None
    return _rejection(edit.row, outcome, words)


def _rejection(id: str, outcome: str, words: str) -> str:
    said = re.sub(r" at 0x[0-9a-f]+", "", words.partition("; from")[0].partition(" after ")[0])
    return f"! {id} {outcome}: {said[:100].rstrip()}"


def write_below(edit: Edit, found: str) -> None:
    """Write a finding into the edit's table."""
    for path in TABLES.glob("*.txt"):
        blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        for i, block in enumerate(blocks):
            head, *rest = block.split("\n")
            if head == f"{edit.name} [{edit.mistake}]" and any(line[2:] in edit.changes[0].old for line in rest):
                blocks[i] = "\n".join([head, *(line for line in rest if line[:1] != "!"), found])
        path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def main(names: Sequence[str]) -> None:
    """Fill in the named edits, or check all of them again."""
    rows = json.loads(Path(names[0]).read_text(encoding="utf-8")) if names and names[0].endswith(".json") else []
    costs = {each["id"]: each["seconds"] / (1 + len(each["control"])) for each in rows}
    for edit in all_edits():
        found = None
        if names and not {edit.name, edit.mistake, edit.algorithm, edit.file}.intersection(names):
            continue
        if not names and (found := ask_again(edit)) is None:
            print(f"{edit.algorithm}, {edit.name}: {edit.row} does not reject it any more", file=sys.stderr)
        write_below(edit, found or fill_in(edit, costs))


if __name__ == "__main__":
    main(sys.argv[1:])
