"""Make the table of wrong implementations and the oracle's verdicts.

Run `python docs/makers/caught.py` to write it.
"""

import importlib
import inspect
import sys
import time
from collections.abc import Iterator
from typing import Final

from tables import ROOT, row, table

sys.path.insert(0, str(ROOT / "tests"))  # some subjects import others
sys.path.insert(0, str(ROOT / "tests" / "subjects"))

from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.subject import load_subject
from swagproof.oracle.trace import inline

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "caught.md"
SUBJECTS: Final = ROOT / "tests" / "subjects"
KINDS: Final = {
    "wrong": "fifo",
    "wrong_bulk": "fifo",
    "wrong_out_of_order": "out-of-order",
    "wrong_trees": "out-of-order",
    "wrong_shared": "shared",
    "wrong_time": "time",
    "wrong_frame": "frame",
}
NO_WINDOWS: Final = frozenset({"CannotBeBuilt", "HasNoEvict", "HasNoQuery", "DeclaresNonsense"})
"""The subjects that cannot be judged: input errors."""
LONGEST: Final = 100
"""The greatest length of a trace in the table, in characters."""

HEAD: Final = """# Wrong implementations, and their verdicts

This page lists wrong implementations that `swagproof conform` rejects, each with one typical mistake. The subjects are
in `tests/subjects/`. `python docs/makers/caught.py` judges all of them with seed 0 and writes this page again; a test
replays the traces.

The trace is the smallest that the minimiser found: without any one of its operations the subject passes, unless the
minimiser reached its limit (more than 1,000 operations). An empty cell stands for a trace of more than 100
characters, or one that fails only after other traces. *Seconds* are processor time of one run, from the start of the
search to the verdict. We use these subjects to improve the search, so the page does not show how often it finds other
kinds of mistakes.
"""


def list_wrong() -> Iterator[tuple[str, str, str]]:
    """Yield the file, the class and the mistake of each wrong subject."""
    for file in KINDS:
        for name, found in vars(importlib.import_module(file)).items():
            if isinstance(found, type) and found.__module__ == file and name[0] != "_" and name not in NO_WINDOWS:
                yield file, name, (inspect.getdoc(found) or "").splitlines()[0]


def judge_wrong(file: str, name: str, mistake: str) -> str:
    """Return the table row of a wrong subject."""
    subject = load_subject(f"{SUBJECTS / file}.py:{name}", KINDS[file])
    start = time.process_time()
    verdict = judge(subject, domains_of(subject), seed=0, timeout=0.5 if name == "Hangs" else 10.0).verdict
    seconds = time.process_time() - start
    witness = verdict.witness
    if witness is None:
        return row(f"`{name}`", mistake, verdict.outcome, "", "", "", f"{seconds:.1f}")
    trace = inline(witness.trace.steps)
    alone = witness.minimal or witness.diagnosis == "hung"  # otherwise it needs the earlier operations
    shown = f"`{trace}`" if alone and len(trace) <= LONGEST else ""
    length = str(len(witness.trace.steps))
    return row(f"`{name}`", mistake, witness.diagnosis, witness.trace.monoid, length, shown, f"{seconds:.1f}")


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for kind in dict.fromkeys(KINDS.values()):
        rows = [judge_wrong(*subject) for subject in list_wrong() if KINDS[subject[0]] == kind]
        headings = ("subject", "mistake", "diagnosis", "monoid", "operations", "trace", "seconds")
        parts.append(f"## {kind}: {len(rows)}\n\n{table(headings, rows)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
