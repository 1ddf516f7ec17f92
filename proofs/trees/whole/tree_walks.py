"""Walks in the trees, for every size, every min-arity and every monoid: what is proved of searches and range queries.

The runs are in swagproof.proofs.trees.whole.walk_runs.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final, Literal

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Source, cite
from swagproof.proofs.ledger.theorem import Theorem, conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of, wrong
from swagproof.proofs.trees import costs, fiba
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.whole.range_runs import explore_recursion
from swagproof.proofs.trees.whole.walk_runs import EXECUTES, WalkName, count_sizes, explore_walk
from swagproof.reference.catalogue import B_TREE, FIBA, Column

WRONG: Final = WrongVariants(FIBA, table="fiba", section="walks")
"""Mutants of these proofs' own."""
_FIRST: Final = "get_child(0)"
ENDS: Final = {
    "oldest": (
        wrong("the oldest is looked for below last children", ("oldest", _FIRST, "get_child(node.arity - 1)")),
        wrong("the oldest is the second of its leaf", ("oldest", "node.get_time(0)", "node.get_time(1)")),
    ),
    "youngest": (
        wrong(
            "the youngest is looked for below first children", ("youngest", "get_child(node.arity - 1)", "get_child(0)")
        ),
        wrong("the youngest keeps the value of the first", ("youngest", "get_value(node.arity - 2)", "get_value(0)")),
    ),
}

SCOPE: Final = "every tree that meets the contracts, of every size, height and min-arity mu >= 2; every monoid"

WalkRun = WalkName | Literal["recursion"]


@cache
def _explore_reference(algorithm: type[Any], run: WalkRun) -> Exploration:
    return _explore(algorithm, run, None, lambda report: False)


def _explore(
    algorithm: type[Any], run: WalkRun, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    if run == "recursion":
        return explore_recursion(variant, enough, algorithm)
    return explore_walk(run, variant, enough, algorithm)


def _run(
    algorithm: type[Any], run: WalkRun, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    if variant is None:
        return _explore_reference(algorithm, run)  # type: ignore[arg-type]  # a class is hashable
    return _explore(algorithm, run, variant, enough)


def _can_differ(variant: Variant, run: WalkRun) -> bool:
    """Return whether a variant is of this run: `oldest` and `youngest` are functions, and have their own."""
    ends = [end for end, variants in ENDS.items() if variant in variants]
    if ends or run in ENDS:
        return run in ends
    methods = {edit.method for edit in variant.edits}
    return any(run in RUNS_OF.get(method, (run,)) for method in methods)


RUNS_OF: Final[dict[str, tuple[WalkRun, ...]]] = {**EXECUTES, "query_rec": ("recursion",)}


def claim(
    column: Column,
    name: str,
    *runs: WalkRun,
    statement: str,
    source: Source,
    code: str,
    controls: Sequence[Variant | Control],
    rests_on: Sequence[WalkRun] = (),
    lemmas: Callable[[], Exploration] = Exploration,
    not_covered: str = "",
) -> Claim:
    """The claim that some runs meet all their obligations."""
    proof = Theorem(
        explore=partial(_run, column.algorithm),
        runs=runs,
        rests_on=(*runs, *rests_on),
        lemmas=lemmas,
        affected=lambda variant: [run for run in runs if _can_differ(variant, run)],
    )
    return proof.claim(
        id=f"{column.slug}/proved-{name}",
        statement=statement,
        source=source,
        algorithm=column.name,
        scope=SCOPE,
        code=code,
        controls=controls,
        not_covered=not_covered,
    )


_FIBA: Final = "reference.trees.fiba.Fiba"
_TREE: Final = "reference.trees.augmented_tree"
_DOWN: Final = WRONG.pick(
    "the search goes down a first child",
    "the search stops above the leaves",
    "the search goes on below the entry",
    "the first entry that is not before is found",
)
ALONE: Final = mutants_of("fiba", "walks, for one claim")
"""Each is for one claim alone."""
_RANGES: Final = (
    *WRONG.pick(
        "the search for both ends is one",
        "only one end of a range is compared",
        "the ends of a range are not compared",
        "the begin of a range is not compared",
        "a range is turned round",
        "a range is looked for below the node of its end",
        "the climbs do not take turns",
        "the climbs do not note where they were",
        "the climbs begin above the nodes",
        "the climbs make a node the root",
    ),
    *shared.SHARED_WRONG.pick(
        "a range is looked for below its first node",
        "a range leaves out its first time",
        "a range leaves out its last time",
        "a range leaves out the child before the last [l.20 as printed]",
        "a range takes a subtree whole in which it ends",
    ),
    *mutants_of("fiba", "whole operations, for one claim").values(),
)

CLAIMS: Final = (
    claim(
        FIBA,
        "search",
        "search",
        "search down",
        statement="From the fingers the search for any time ends, at the node that has it, or else at the leaf where "
        "it belongs, and changes nothing. It visits at most 3 (k + 1) nodes, for some k with mu^k <= d + 1: where it "
        "goes up to level k, mu^k - 1 entries at least are before the time, and as many behind it.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            place="section 3.2",
            compared="a part: T_search in O(log d); stronger: with its constant, for every tree",
        ),
        code=f"{_FIBA}.search_path; {_TREE}.AugmentedTree.search_node, search_down; Node.local_search",
        controls=(
            *fiba.WRONG.pick(
                "the left climb stops short of the parent's last time", "the right climb stops below an equal time"
            ),
            *costs.WRONG.pick("the search begins at the root", "the search climbs from the left finger only"),
            *WRONG.pick(
                "the search goes on from the wrong side",
                "the climbs change sides",
                "the left climbs faster",
                "the search tells of a node and takes another",
                "the search tells of nothing",
                "a search makes what it finds the root",
                "a search moves a finger",
                "the search visits each node below twice",
            ),
            *_DOWN,
            Control("below a node are mu^(h + 1) entries", lambda: conclude(count_sizes(0))),
        ),
        lemmas=count_sizes,
    ),
    claim(
        B_TREE,
        "search",
        "search",
        "search down",
        statement="From the root the search for any time ends, at the node that has it, or else at the leaf where it "
        "belongs, visits one node on each level, and changes nothing.",
        source=cite(OUT_OF_ORDER, place="section 3.1", compared="stronger: told in prose"),
        code=f"{_TREE}.AugmentedTree.search_node, search_path, search_down; Node.local_search",
        controls=(
            *_DOWN,
            WRONG.get("the search visits each node below twice"),
            ALONE["a search from the root tells of nothing"],
        ),
    ),
    claim(
        FIBA,
        "walks",
        "oldest",
        "youngest",
        "above",
        statement="oldest and youngest find the leaf below any node that has the first entry below it, or the last, "
        "and its time and value; isDescendent says whether a node is at or above another, of two on one way up.",
        source=cite(OUT_OF_ORDER, "Figure 8", compared="a part: what it calls"),
        code=f"{_TREE}.oldest, youngest; Node.is_descendent",
        controls=(
            *ENDS["oldest"],
            *ENDS["youngest"],
            *WRONG.pick("a node is no descendent of itself", "an ancestor is looked for one level up only"),
        ),
    ),
    *(
        claim(
            column,
            "range-query",
            "range",
            "common ancestor",
            "recursion",
            statement="From any tree in which all is right, and for any two times, rangeQuery returns the product of "
            "the entries with t_from <= t <= t_to, the identity when there is none, and changes nothing. Of any two "
            "nodes leastCommonAncestor finds the lowest that has both below it or is one of them; of any node, and any "
            "range, with ends that are times, before all or behind all, queryRec returns the product of the entries in "
            "the range below the node: by induction on height.",
            source=cite(
                OUT_OF_ORDER,
                "Theorem 4.1",
                "Figure 10",
                place="errata FIBA-2, FIBA-4",
                compared="stronger: for every tree, and ranges that end before they begin; corrected at l.20",
            ),
            code=f"{_TREE}.AugmentedTree.range_query, search_node, least_common_ancestor, query_rec",
            controls=(*_RANGES, *more),
            rests_on=("search", "search down"),
            not_covered="how many nodes leastCommonAncestor visits, and how many calls of queryRec there are",
        )
        for column, more in ((FIBA, (fiba.UP_UNASKED,)), (B_TREE, ()))
    ),
)
