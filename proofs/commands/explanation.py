"""`swagproof prove CLAIM --explain`: the proof of a claim, path by path.

Each path is printed as a case: the decisions, a small start state as a picture, and the obligations.  The text of each
clause is printed once.  A mutant is shown by its changed lines, and by a state in which an obligation fails.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePath
from textwrap import indent, wrap

from swagproof.proofs.engine.paths import Case, Failure, Recording
from swagproof.proofs.ledger.claim import ClaimResult
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reports.report import Block, Section


def explain(row: ClaimResult) -> Iterator[Section]:
    """Yield the explanation of a claim's proof, and of the refutations of its mutants."""
    claim, recording = row.claim, row.recordings.get("", Recording())
    lines = [f"{claim.id} ({claim.source})", *_fill(claim.statement)]
    lines += _fill(f"{claim.kind} ({claim.engine}): {row.scope}", "of " + claim.code)
    lines += _fill(f"not covered: {claim.not_covered}") if claim.not_covered else []
    lines += _fill(f"{row.verdict}: {row.detail}")
    if not recording.cases:
        lines += _fill("No path is recorded: no part of this is shown along symbolic paths.")
    counts = Counter[str]()
    for case in recording.cases:
        counts.update(case.shown)
    if counts:
        lines += ["", "what is to be shown, on how many paths or how often"]
        for name, count in counts.items():
            lines += [f"  {name} ({count})", *(f"      {line}" for line in recording.words.get(name, "").splitlines())]
    yield Block("", "\n".join(lines), claim.id)
    for run, group in groupby(recording.cases, key=lambda case: case.run):
        cases = list(group)
        for number, case in enumerate(cases, 1):
            title = f"{run or 'path'}, case {number} of {len(cases)}"
            yield Block("", "\n".join(["", title, *_tell(case)]), title)
    for (name, verdict, detail), control in zip(row.controls, claim.controls, strict=True):
        changes = [edit for edit in control.edits if edit.old] if isinstance(control, Mutant) else []
        found = find_broken(row.recordings.get(name, Recording()))
        broken = found[1] if found else None
        lines = ["", f"wrong: {name}", *(f"  {change}" for change in changes)]
        if broken and broken.drawn:
            lines += [f"  {verdict}: {broken.obligation}, in", indent(broken.drawn, "    ")]
        else:
            lines += _fill(f"{verdict}: {detail}")
        yield Block("", "\n".join(lines), f"wrong: {name}")


def _fill(*texts: str) -> list[str]:
    """Return texts as wrapped, indented lines, each text on a new line."""
    return [line for text in texts for line in wrap(text, 110, initial_indent="  ", subsequent_indent="    ")]


def _tell(case: Case) -> Iterator[str]:
    for each, answer in case.answers:
        yield f"  {PurePath(each.file).name}:{each.line} {each.method}: {each.text}: {'yes' if answer else 'no'}"
    if case.drawn:
        yield indent(case.drawn, "    ")
    yield from _fill(f"shown: {', '.join(name if n == 1 else f'{name} ({n})' for name, n in case.shown.items())}")
    if case.cut:
        yield "  ends where a loop begins again, or with nothing left to show"
    for failure in case.failures:
        yield f"  {'unknown' if failure.unknown else 'BREAKS'}: {failure.obligation}"


def find_broken(recording: Recording) -> tuple[Case, Failure] | None:
    """Return the first failure that refutes a mutant, and its path."""
    failures = ((case, failure) for case in recording.cases for failure in case.failures if not failure.unknown)
    return next(((case, failure) for case, failure in failures if failure.obligation in recording.refuted), None)
