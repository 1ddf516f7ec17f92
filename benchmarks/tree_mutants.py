"""The results of every mutant of FiBA and of the B-tree under the proofs for every size, to find wrong proofs.

    PYTHONPATH=tests python benchmarks/tree_mutants.py fiba FILE

Each mutant goes through every symbolic run that executes the changed method; if no run refutes it, the explorer checks
it too.  The script appends lines of JSON to FILE, one for each mutant, in a random order with a seed: after an
interruption the mutants judged so far are a sample, and the next call continues.  Then it prints a table.

Exit codes: 0, 1 a mutant that the explorer refutes is proved, 2 usage, 130 interrupted.
"""

import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from support.mutants.fates import first_failure, within
from support.mutants.subjects import SEED, SUBJECTS

from swagproof.proofs.claims import collect_seldom
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.step_runs import METHODS, RUNS, explore_step
from swagproof.proofs.trees.whole.steps import STEPS_OF
from swagproof.proofs.trees.whole.walk_runs import EXECUTES, explore_walk
from swagproof.proofs.trees.whole.whole_trees import AFFECTED
from swagproof.proofs.trees.whole.zipper_runs import OPERATIONS, OVER, explore_operation
from swagproof.reference.catalogue import B_TREE, FIBA, Column
from swagproof.reference.trees.fiba import Fiba

LONGEST: Final = 240.0
"""The processor time for one mutant's proofs, in seconds; beyond it, the result is unknown."""


@click.command()
@click.argument("tree", type=click.Choice(["fiba", "b-tree"]))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--minutes", type=float, help="Begin no mutant after so long.")
def main(tree: str, file: Path, minutes: float | None) -> None:
    """Judge the mutants of TREE that FILE does not have yet."""
    column = {"fiba": FIBA, "b-tree": B_TREE}[tree]
    subject = next(each for each, *_ in SUBJECTS if each.id == tree)
    mutants = [*subject.mutants]
    random.Random(SEED).shuffle(mutants)
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    judged = {each["mutant"] for each in found}
    began = time.monotonic()
    collect_seldom()
    with file.open("a", encoding="utf-8") as lines:
        for mutant in mutants:
            if mutant.name in judged:
                continue
            if minutes is not None and time.monotonic() - began > 60 * minutes:
                break
            spent = time.process_time()
            proof, how = judge_within(LONGEST, column, mutant)
            row: dict[str, Any] = {"mutant": mutant.name, "proof": proof, "how": how}
            row["seconds"] = round(time.process_time() - spent, 2)
            row["run"] = None if proof == "refuted" else first_failure(subject.runs, mutant)
            found.append(row)
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    print_table(found, len(mutants))
    sys.exit(any(row["proof"] == "proved" and row["run"] for row in found))


Explore: TypeAlias = Callable[[Callable[[Exploration], bool]], Exploration]


def runs_of(column: Column, mutant: Mutant) -> Iterator[tuple[str, Explore]]:
    """Yield the runs that execute the changed method, by name, the shortest first."""
    tree = column.algorithm
    methods = {edit.method for edit in mutant.edits}
    for method in methods & {*METHODS, *STEPS_OF}:
        for step in STEPS_OF.get(method, RUNS):
            yield step, partial(explore_step, step, mutant, algorithm=tree)
    taken = [each for each in OPERATIONS if tree is Fiba or each != "rebalance with a substitute"]
    for method in methods & set(OVER[tree].methods):
        for operation in taken:
            if operation in AFFECTED.get(method, () if method in EXECUTES else taken):
                yield operation, partial(explore_operation, operation, mutant, algorithm=tree)
        for walk in EXECUTES.get(method, ()):
            yield walk, partial(explore_walk, walk, mutant, algorithm=tree)


def judge(column: Column, mutant: Mutant) -> tuple[str, str]:
    """`refuted` with the obligation, `proved` with the runs, or `unknown` with the reason."""
    ended: list[str] = []
    unknown = ""
    for name, run in runs_of(column, mutant):
        try:
            report = run(lambda found: any(not failure.unknown for failure in found.failures))
        except Exception as error:
            unknown = unknown or f"{name}: {type(error).__name__}: {error}"
            continue
        refuted = next((failure for failure in report.failures if not failure.unknown), None)
        if refuted:
            return "refuted", f"{name}: {refuted.obligation}; from {refuted.example}"
        if report.failures:
            unknown = unknown or f"{name}: {report.failures[0].obligation}: {report.failures[0].example}"
        elif not report.sound:
            unknown = unknown or f"{name}: {report.vacuous} vacuous and {report.idle} idle paths"
        ended.append(name)
    if unknown or not ended:
        return "unknown", unknown or "no run executes it"
    return "proved", f"in {', '.join(ended)}"


def judge_within(seconds: float, column: Column, mutant: Mutant) -> tuple[str, str]:
    """Return the result of the proofs within this time."""
    outcome: list[tuple[str, str]] = []
    stopped = within(seconds, lambda: outcome.append(judge(column, mutant)))
    return ("unknown", stopped) if stopped else outcome[0]


def print_table(found: list[dict[str, Any]], number: int) -> None:
    """Print the numbers of refuted, proved and unknown mutants by method, and for the latter two the explorer's
    results."""
    methods: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in found:
        fate = row["proof"] if row["proof"] == "refuted" else f"{row['proof']}, {'refuted' if row['run'] else 'right'}"
        for name in (row["mutant"].partition(":")[0], "all"):
            methods[name][fate] += 1
    fates = sorted({fate for counts in methods.values() for fate in counts})
    print(f"{len(found)} of {number} mutants; {sum(row['seconds'] for row in found):.0f} s of proofs")
    print("method".ljust(32), *(fate.rjust(18) for fate in fates))
    for name, counts in sorted(methods.items(), key=lambda each: each[0] == "all"):
        print(name.ljust(32), *(str(counts[fate]).rjust(18) for fate in fates))
    for row in found:
        if row["proof"] == "proved" and row["run"]:
            print("PROVED THOUGH WRONG", row["mutant"], row["run"])


if __name__ == "__main__":
    main()
