"""Claims about slices, for any queries over any stream in order: theorems about the operator's own code."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem
from swagproof.proofs.ledger.variants import Variant, mutants_of
from swagproof.proofs.slicing.edge_runs import TECHNIQUES, Technique, explore_edges
from swagproof.proofs.slicing.slice_runs import OPERATIONS, SliceOperation, explore_operation
from swagproof.proofs.slicing.wrong_slices import (
    FEW_QUERIES,
    FEW_SLICES,
    LATE_TAKEN,
    SHORT_RANGES,
    WRONG_PAIRS,
    WRONG_PANES,
    WRONG_STARTS,
)
from swagproof.reference.slicing import pairs, panes
from swagproof.reference.slicing import slices as slicing

Enough = Callable[[Exploration], bool]


def _rewritten(variant: Variant | None, module: Any) -> Any:
    """A module, with the mistake where that is one in it."""
    if variant is None:
        return module
    classes = [vars(module).get(edit.method.partition(".")[0]) for edit in variant.edits]
    return variant.rewrite(module) if all(c and c.__module__ == module.__name__ for c in classes) else module


@cache
def _explore(operation: SliceOperation) -> Exploration:
    return explore_operation(slicing.Sliced, operation, lambda _: False)


def explore(operation: SliceOperation, variant: Variant | None, enough: Enough) -> Exploration:
    """An operation of the reference, kept for the next claim; or of a mutant."""
    if variant is None:
        return _explore(operation)
    return explore_operation(variant.rewrite(slicing).Sliced, operation, enough)


def _affected(variant: Variant) -> list[SliceOperation]:
    """Those that a mistake can make a difference to."""
    methods = {edit.method.removeprefix("Sliced.") for edit in variant.edits}
    methods = {"start" if method in ("__init__", "require_periodic") else method for method in methods}
    return [operation for operation in OPERATIONS if not methods or operation in methods]


def explore_technique(technique: Technique, variant: Variant | None, enough: Enough) -> Exploration:
    """`edge` of a technique, or of a mutant of it, or of what all techniques share."""
    base = _rewritten(variant, slicing).Sliced
    made: dict[Technique, Any]
    made = {"starts": base, "panes": _rewritten(variant, panes).Panes, "pairs": _rewritten(variant, pairs).Pairs}
    return explore_edges(base, made[technique], technique, enough)


def _techniques(variant: Variant) -> tuple[Technique, ...]:
    methods = {edit.method.partition(".")[0] for edit in variant.edits}
    return ("panes",) if "Panes" in methods else ("pairs",) if "Pairs" in methods else TECHNIQUES


ALONE: Final = mutants_of("slicing", "every stream, for one claim")
"""Each is for one claim alone."""

EDGES: Final[Theorem[Technique]] = Theorem(
    explore=explore_technique, runs=TECHNIQUES, rests_on=TECHNIQUES, affected=_techniques
)
SLICES: Final[Theorem[SliceOperation]] = Theorem(
    explore=explore, runs=OPERATIONS, rests_on=OPERATIONS, affected=_affected
)

SCOPE: Final = "any number of queries of any range and slide; every stream in order, of any length; every monoid"
BY_CONTRACT: Final = (
    "the arithmetic of one query, by slicing/windows, slicing/panes, slicing/pairs, slicing/starts; other queries than "
    "the hundred that __init__ is run with"
)

CLAIMS: Final[tuple[Claim, ...]] = (
    EDGES.claim(
        id="slicing/edges",
        statement="For many queries too the slices of each technique are a partition of time, edge(t) the latest edge "
        "at or before t; there is an edge wherever a window of any query begins, and with panes and pairs wherever one "
        "ends. Techniques differ in edge_of: how records are taken and windows answered is the same code for all.",
        source=cite(STREAM_WINDOWS, place="Pairs: multi-query sharing"),
        code=f"{code_of(slicing.Sliced, 'edge')}; edge_of of Sliced, Panes, Pairs",
        algorithm="Slicing",
        scope=SCOPE,
        controls=(
            *WRONG_STARTS.pick(
                "edges lie where the first query wants them",
                "the earliest of the queries' edges counts",
                "range and slide are taken for each other",
            ),
            WRONG_PAIRS.get("pairs take range and slide for each other"),
            ALONE["pairs release slices in a way of their own"],
            ALONE["pairs look for edges in a way of their own"],
            ALONE["pairs do not cut where windows end"],
            WRONG_PANES.get("each query has panes of its own slide"),
        ),
        not_covered=f"{BY_CONTRACT}; that Panes.__init__ makes its length a divisor of every range and slide, which "
        "rests on math.gcd",
    ),
    SLICES.claim(
        id="slicing/proved",
        statement="Whatever record or time comes next, each slice kept is the product of the records since its edge up "
        "to the next slice kept, no edge lies between its records, every record of an open window is in one, and none "
        "lies before all open windows; what comes late is refused, and changes nothing. Each window with records is "
        "answered once, when time comes to its end, by the product of its records in their order; nothing else is "
        "answered, and answers come by their ends, then by their queries. A record takes at most 1 combine call, and a "
        "window of s slices s - 1.",
        source=cite(STREAM_WINDOWS, place="Window Slicing"),
        algorithm="Slicing",
        scope=SCOPE,
        code=code_of(slicing.Sliced, "insert", "advance", "assemble", "release"),
        controls=(
            LATE_TAKEN,
            FEW_QUERIES,
            FEW_SLICES,
            SHORT_RANGES,
            *(
                ALONE[name]
                for name in (
                    "time has come before windows are asked for",
                    "a record is kept before windows are asked for",
                    "all queries but the first go",
                    "the operator is lost",
                    "windows are asked for twice",
                    "answers are not sorted",
                    "a window takes a slice away",
                )
            ),
            *WRONG_STARTS.pick(
                "insert swaps the operands",
                "a slice keeps its newest record alone",
                "a record joins a slice before its own",
                "a slice begins with its first record",
                "slices of open windows are forgotten",
                "slices go when one query needs them no more",
                "slices are kept for ever",
                "records between windows are kept",
                "a record as late as the last is refused",
                "the clock stands still",
                "windows are put together backwards",
                "a window lacks its first slice",
                "a window has every slice",
                "the last window that is over is not answered",
                "the first window that is over is not answered",
                "answers come by their queries",
                "a window is put together of what is before it",
                "one combine call too many",
                "a record costs one combine call too many",
                "time that comes costs a combine call",
                "a slice that goes costs a combine call",
            ),
        ),
        not_covered=BY_CONTRACT,
    ),
)
