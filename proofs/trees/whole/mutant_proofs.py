"""Verdicts of the proofs about the trees on a mutant: every run, of any claim, that executes the changed method.

A mutant is refuted where a run leaves an obligation that has a counterexample, and proved where all runs of the method
end without one.  A method that no run executes is unknown; so is one that a run cannot go through.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees.step_runs import LISTS, STEPS, explore_step
from swagproof.proofs.trees.steps import STEPS_OF
from swagproof.proofs.trees.whole.part_runs import PARTS, explore_part
from swagproof.proofs.trees.whole.range_runs import RANGES, explore_recursion
from swagproof.proofs.trees.whole.walk_runs import EXECUTES, explore_walk
from swagproof.proofs.trees.whole.whole_trees import AFFECTED
from swagproof.proofs.trees.whole.zipper_runs import OPERATIONS, OVER, explore_operation
from swagproof.reference.catalogue import Column
from swagproof.reference.trees.fiba import Fiba

Explore: TypeAlias = Callable[[Callable[[Exploration], bool]], Exploration]


def runs_of(column: Column, mutant: Variant) -> Iterator[tuple[str, Explore]]:
    """The runs that execute what is changed, by name: the shortest first."""
    tree = column.algorithm
    methods = {edit.method for edit in mutant.edits}
    for method in methods & set(LISTS.methods):
        for step in STEPS_OF.get(method, STEPS):
            yield step, partial(explore_step, step, mutant, algorithm=tree)
    for part in PARTS:
        if part in methods:
            yield part, partial(explore_part, part, mutant, algorithm=tree)
    if methods & set(RANGES.methods) - (set(LISTS.methods) - {"query_rec"}):
        yield "ranges", partial(explore_recursion, mutant, algorithm=tree)
    taken = [each for each in OPERATIONS if tree is Fiba or each != "rebalance with a substitute"]
    for method in methods & set(OVER[tree].methods):
        for operation in taken:
            if operation in AFFECTED.get(method, () if method in EXECUTES else taken):
                yield operation, partial(explore_operation, operation, mutant, algorithm=tree)
        for walk in EXECUTES.get(method, ()):
            yield walk, partial(explore_walk, walk, mutant, algorithm=tree)


def judge(column: Column, mutant: Variant) -> tuple[str, str]:
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
