"""The page of the wrong edits that are made by hand, and what rejects each.  `PYTHONPATH=tests python
docs/makers/edits.py` asks the row of each edit again, writes what it says into the tables, and the page anew from them;
where a row rejects its edit no longer, another that does is looked for.

With `[run.json] NAME...` the edits of that name, class, algorithm or file are looked at anew: the history that shows
each, and the row that rejects it.  The rows that were cheap in a run of `prove` are asked first; a row that fails comes
before one that refuses.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from support.edits import REJECTS, TABLES, Edit, all_edits, check_row, modules_of_rows, run_edited
from support.witnesses.exposing import HISTORIES, find_difference, show
from tables import ROOT, row, table

from swagproof.proofs.claims import CLAIMS

PAGE: Final = ROOT / "proofs" / "EDITS.md"
OUTCOMES: Final = (*REJECTS, "outside")
HEAD: Final = """# Wrong edits of the references, made by hand

{} edits of the references, their constructors, the deque and what else they are made of, each with a mistake that is
shown by a history: another answer, more combine calls, more work, more kept. To each the row that is named was put, as
it would be if the file read so: {} rows fail, {} refuse the code or a state as more than they see, {} miscount the
states; {} edits lie outside of what the rows say, in the words of the row that is named. The edits themselves are in
`tests/proofs/edits/`, where a test runs all of this again. `PYTHONPATH=tests python docs/makers/edits.py` writes this
page anew."""
ANOTHER_NAME: Final[Mapping[str, Sequence[str]]] = {
    "STREAM": ("naive STREAM",),
    "Windowing library": ("windows",),
    "Aggregate operator": ("windows",),
    **dict.fromkeys(("Slicing: panes", "Slicing: pairs", "Slicing: starts"), ("Slicing",)),
}


def rows_of(algorithm: str, costs: Mapping[str, float]) -> list[str]:
    """The rows that an edit of an algorithm is put to, the cheapest first: its own, and those of every reference."""
    names = (algorithm, *ANOTHER_NAME.get(algorithm, ()), "every reference")
    ids = [claim.id for claim in CLAIMS if claim.algorithm in names and not claim.id.endswith("/mutants")]
    return sorted(ids, key=lambda id: costs.get(id, 0.0))


def expose(algorithm: str, right: Mapping[str, Any]) -> str:
    """In a process in which a file is edited: the first history of an algorithm that shows it."""
    histories = HISTORIES[algorithm]()
    return next((h.name for h in histories if find_difference(right[h.name], show(h))), "")


def reject(rows: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
    """In a process in which a file is edited: the first row that fails, or else the first that is not shown."""
    other = "", "", ""
    for id, module in rows:
        outcome, words = check_row(id, module)
        if outcome == "fails":
            return id, outcome, words
        if outcome != "holds" and not other[0]:
            other = id, outcome, words
    return other


def fill_in(edit: Edit, right: Mapping[str, Any], costs: Mapping[str, float]) -> list[str]:
    """What stands below an edit in its table."""
    rows = [(id, modules_of_rows()[id]) for id in rows_of(edit.algorithm, costs)]
    shown = run_edited(edit, expose, edit.algorithm, right, seconds=600)
    id, outcome, words = run_edited(edit, reject, rows, seconds=600)
    return [
        f"= {shown}" if shown else f"? {edit.unshown}",
        _rejection(id, outcome, words) if id else f"~ {edit.row}: {edit.finding}",
    ]


def ask_again(edit: Edit) -> list[str] | None:
    """The same, where the row that is named rejects the edit as before; None where it does not."""
    outcome, words = run_edited(edit, check_row, edit.row, modules_of_rows()[edit.row], seconds=600)
    if outcome not in REJECTS:
        return None
    return [f"= {edit.shown_by}" if edit.shown_by else f"? {edit.unshown}", _rejection(edit.row, outcome, words)]


def _rejection(id: str, outcome: str, words: str) -> str:
    said = re.sub(r" at 0x[0-9a-f]+", "", words.partition("; from")[0].partition(" after ")[0])
    return f"! {id} {outcome}: {said[:100].rstrip()}"


def write_below(edit: Edit, lines: Sequence[str]) -> None:
    """Write what was found into the edit's table."""
    for path in TABLES.glob("*.txt"):
        blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
        for i, block in enumerate(blocks):
            head, *rest = block.split("\n")
            if head == f"{edit.name} [{edit.mistake}]" and any(line[2:] in edit.changes[0].old for line in rest):
                blocks[i] = "\n".join([head, *(line for line in rest if line[:1] not in ("=", "?", "!", "~")), *lines])
        path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def page() -> str:
    """The whole page."""
    edits = all_edits()
    outcomes = Counter(edit.outcome for edit in edits)
    classes = sorted({edit.mistake for edit in edits})
    counted = [
        row(name, *(str(sum(e.mistake == name and e.outcome == o for e in edits) or "") for o in OUTCOMES))
        for name in classes
    ]
    listed = [
        row(e.algorithm, e.name, e.mistake, f"`{e.row}`", e.outcome, e.finding, e.shown_by or e.unshown) for e in edits
    ]
    headings = ("algorithm", "edit", "class", "row", "the row", "words", "shown by")
    return "\n\n".join(
        [
            HEAD.format(len(edits), *(outcomes[o] for o in OUTCOMES)),
            table(("class", *OUTCOMES), counted),
            table(headings, listed) + "\n",
        ]
    )


def main(names: Sequence[str]) -> None:
    """Fill in what is named, or ask all rows again, and write the page."""
    rows = json.loads(Path(names[0]).read_text(encoding="utf-8")) if names and names[0].endswith(".json") else []
    costs = {each["id"]: each["seconds"] / (1 + len(each["control"])) for each in rows}
    right: dict[str, dict[str, Any]] = {}
    for edit in all_edits():
        lines = None
        if not names and edit.outcome == "outside":
            continue
        if names and not {edit.name, edit.mistake, edit.algorithm, edit.file}.intersection(names):
            continue
        if not names and (lines := ask_again(edit)) is None:
            print(f"{edit.algorithm}, {edit.name}: {edit.row} does not reject it any more", file=sys.stderr)
        if lines is None:
            if edit.algorithm not in right:
                right[edit.algorithm] = {history.name: show(history) for history in HISTORIES[edit.algorithm]()}
            lines = fill_in(edit, right[edit.algorithm], costs)
        write_below(edit, lines)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
